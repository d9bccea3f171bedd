/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/from_kernel.h"

#include <errno.h>
#include <libaudit.h>
#include <stddef.h>
#include <string.h>

#include "emit/emit.h"
#include "frontend/behaviour.h"

#define RULES_NAME "kernel"
#define STATUS_NAME "kernel-status"
/* -D, -b, -f, -r, --backlog_wait_time, --loginuid-immutable, -e */
#define CONTROLS_AT_MOST 7

struct reading {
	struct cli_input *in;
	const struct compile_options *how;
	bool writes;
	uint32_t controls; /* lines of STATUS_NAME so far */
};

/* Why the kernel does not tell. */

static bool refuse(struct cli_input *in, const char *what, const char *advice)
{
	const struct position nowhere = {.line = DIAG_NO_LINE};

	diag(in->diagnostics, DIAG_FATAL, "kernel-untold", nowhere,
	     "--from-kernel: %s", what)
		->advice = advice;
	return false;
}

/* audit_netlink_ok, and socket(2) where there is no audit. */
static bool refuse_error(struct cli_input *in, int error)
{
	switch (error) {
	case EPROTONOSUPPORT:
	case EAFNOSUPPORT:
	case EINVAL:
		return refuse(in, "this kernel has no audit",
			      "give the rules as files, or run it on the host "
			      "whose rules are meant");
	case ECONNREFUSED:
	case EPERM:
		return refuse(in,
			      "the kernel tells its rules only to processes of "
			      "its first user and process namespace",
			      "run it on the host itself, not in a container");
	case ENOBUFS:
		return refuse(in, "a part of the kernel's answer was lost",
			      "try again");
	case EFBIG:
	case EBADE:
	case EBADMSG:
		return refuse(in, "the kernel's answer cannot be read", NULL);
	default:
		return refuse(in,
			      arena_printf(in->arena,
					   "the kernel does not tell its "
					   "rules: %s",
					   strerror(error)),
			      NULL);
	}
}

/* Lines and actions */

static uint32_t add_line(struct reading *r, const char *file, uint32_t number,
			 size_t file_index, const char *text)
{
	struct input *input = &r->in->input;

	input->line[input->count] = (struct source_line){
		.file = file,
		.number = number,
		.column = 1,
		.text = text,
		.length = strlen(text),
		.file_index = file_index,
	};
	return input->count++;
}

static struct position whole(const struct input *input, uint32_t line)
{
	size_t length = input->line[line].length;

	return (struct position){line, 1, length ? (uint32_t)length : 1};
}

static struct audit_action *add_action(struct reading *r, enum action_kind kind,
				       uint32_t line)
{
	struct actions *actions = &r->in->actions;
	struct audit_action *action = &actions->item[actions->count++];

	*action = (struct audit_action){
		.kind = kind,
		.line = line,
		.at = whole(&r->in->input, line),
	};
	return action;
}

static void add_control(struct reading *r, enum action_kind kind,
			const char *option, int64_t number)
{
	const char *text = number < 0 ? option
				      : arena_printf(r->in->arena, "%s %u",
						     option, (uint32_t)number);
	uint32_t line = add_line(r, STATUS_NAME, ++r->controls, 1, text);

	add_action(r, kind, line)->number = number < 0 ? 0 : (uint32_t)number;
}

/* Rules */

static void leave_out(struct reading *r, uint32_t line, const char *why)
{
	struct actions *actions = &r->in->actions;

	actions->left[actions->lefts++] =
		(struct left_out){.line = line, .why = why};
}

/* Would a line with RULE's key be refused? Here no line was taken before. */
static bool is_key_refused(const struct reading *r, const struct rule *rule)
{
	return rule->key && *rule->key == AUDIT_KEY_SEPARATOR &&
	       auditctl_behaves(r->how->auditctl_version, BEHAVES_KEY_CHECKED);
}

/* The text of the rule, for people; a rule that is split into lines on one.
 * NULL: no line gives it. */
static const char *text_of(struct reading *r, const struct rule *rule)
{
	char *text = is_key_refused(r, rule)
			     ? NULL
			     : emit_rule(r->in->arena, r->how->target, rule);

	for (char *c = text; c && (c = strchr(c, '\n')) != NULL;)
		*c = ';';
	return text;
}

/* A rule that no line gives: it can be reasoned about, and not be written. */
static bool may_stay(struct reading *r, uint32_t line)
{
	struct diagnostic *d =
		diag(r->in->diagnostics, r->writes ? DIAG_ERROR : DIAG_NOTE,
		     "no-line-gives-it", whole(&r->in->input, line),
		     "the kernel holds a rule that no line of auditctl gives; "
		     "another program has loaded it");

	if (!r->writes)
		return true;
	d->advice = "what loaded it must go on loading it";
	leave_out(r, line, "no line of auditctl gives it");
	return false;
}

static void add_rule(struct reading *r, struct audit_rule_data *wire,
		     uint32_t number)
{
	struct arena *arena = r->in->arena;
	size_t size = sizeof(*wire) + wire->buflen;
	struct position *at = arena_array(arena, AUDIT_MAX_FIELDS, sizeof(*at));
	struct audit_action *action;
	struct refusal refusal;
	const struct rule *rule = rule_from_wire(arena, wire, size, &refusal);
	const char *text = rule ? text_of(r, rule) : NULL;
	uint32_t line = add_line(r, RULES_NAME, number, 0,
				 text ? text : "(a rule without a text)");

	if (!rule) {
		diag(r->in->diagnostics, DIAG_ERROR, "unknown-kernel-rule",
		     whole(&r->in->input, line),
		     "the kernel holds a rule that is not understood here: %s",
		     refusal.why)
			->advice = "see auditctl -l; a newer auditopt may "
				   "know it";
		leave_out(r, line, "it is not understood");
		return;
	}
	if (!text && !may_stay(r, line))
		return;
	action = add_action(r, DO_ADD_RULE, line);
	action->wire = arena_copy(arena, wire, size);
	action->wire_size = size;
	action->held = true;
	for (int i = 0; i < AUDIT_MAX_FIELDS; i++)
		at[i] = action->at;
	action->field_at = at;
}

/* The status, as commands */

#define TELLS(size, field)                                \
	((size) >= offsetof(struct audit_status, field) + \
			   sizeof(((struct audit_status *)0)->field))

static void add_status(struct reading *r, const struct audit_status *status,
		       size_t size, const struct audit_features *features)
{
	uint32_t immutable =
		AUDIT_FEATURE_TO_MASK(AUDIT_FEATURE_LOGINUID_IMMUTABLE);

	add_control(r, DO_DELETE_ALL, "-D", -1);
	add_control(r, DO_BACKLOG, "-b", status->backlog_limit);
	add_control(r, DO_FAILURE, "-f", status->failure);
	add_control(r, DO_RATE, "-r", status->rate_limit);
	if (TELLS(size, backlog_wait_time))
		add_control(r, DO_BACKLOG_WAIT_TIME, "--backlog_wait_time",
			    status->backlog_wait_time);
	if (features->features & features->mask & immutable)
		add_control(r, DO_LOGINUID_IMMUTABLE, "--loginuid-immutable",
			    -1);
}

/* -e 2 was given: until the next boot nothing can be loaded in its place. */
static void tell_lock(struct reading *r)
{
	struct input *input = &r->in->input;

	diag(r->in->diagnostics, DIAG_WARNING, "kernel-locked",
	     whole(input, input->count - 1),
	     "the kernel's rules are locked until the next boot")
		->advice = "have what is made of them loaded then, not before";
}

static void make_room(struct reading *r, size_t rules)
{
	static const char *const files[] = {RULES_NAME, STATUS_NAME};
	struct cli_input *in = r->in;
	size_t room = rules + CONTROLS_AT_MOST;

	in->input = (struct input){
		.line = arena_array(in->arena, room, sizeof(*in->input.line)),
		.file = files,
		.files = 2,
	};
	in->actions = (struct actions){
		.item = arena_array(in->arena, room, sizeof(*in->actions.item)),
		.keep_going = r->how->keep_going,
		.left = arena_array(in->arena, room, sizeof(*in->actions.left)),
	};
}

bool from_kernel_read(struct cli_input *in, const struct compile_options *how,
		      bool writes, struct kernel_link *link)
{
	struct reading r = {.in = in, .how = how, .writes = writes};
	struct audit_features features;
	struct audit_status status;
	struct kernel_rules rules = {NULL, 0};
	size_t size;
	int error = kernel_link_status(link, &status, &size);

	if (!error) /* kernels before 3.13 have none */
		(void)kernel_link_features(link, &features);
	if (!error)
		error = kernel_link_list(link, &rules);
	if (!error) {
		make_room(&r, rules.count);
		add_status(&r, &status, size, &features);
		for (size_t i = 0; i < rules.count; i++)
			add_rule(&r, rules.rule[i], (uint32_t)i + 1);
		add_control(&r, DO_ENABLE, "-e", status.enabled);
		if (status.enabled == 2 && writes)
			tell_lock(&r);
	}
	kernel_rules_free(&rules);
	return error ? refuse_error(in, error) : true;
}

bool from_kernel(struct cli_input *in, const struct compile_options *how,
		 bool writes)
{
	struct kernel_link link;
	bool good;
	int error;

	if (!audit_can_control())
		return refuse(in,
			      "the kernel tells its rules only to root "
			      "(CAP_AUDIT_CONTROL)",
			      "run it as root, with sudo or in a root shell");
	set_aumessage_mode(MSG_QUIET, DBG_NO);
	error = kernel_link_open(&link);
	if (error)
		return refuse_error(in, error);
	good = from_kernel_read(in, how, writes, &link);
	kernel_link_close(&link);
	return good;
}
