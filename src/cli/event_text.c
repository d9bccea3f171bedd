/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/event_text.h"

#include <inttypes.h>
#include <libaudit.h>
#include <string.h>
#include <sys/stat.h>

#include "emit/emit.h"
#include "model/audit_names.h"
#include "report/failure_text.h"
#include "util/printable.h"

#define CALLS_NAMED 12
#define KEY_SEPARATOR '\001'

static const char *shown(struct arena *arena, const char *text)
{
	return printable_text(arena, text, strlen(text));
}

const char *key_text(struct arena *arena, const char *key)
{
	const char *text = "";

	for (;;) {
		size_t length = strcspn(key, "\001");

		text = arena_printf(arena, "%s%s", text,
				    printable_text(arena, key, length));
		if (key[length] != KEY_SEPARATOR)
			return text;
		text = arena_printf(arena, "%s, ", text);
		key += length + 1;
	}
}

const char *outcome_text(struct arena *arena, struct outcome outcome)
{
	switch (outcome.verdict) {
	case VERDICT_DUMMY:
		return "not recorded: no rule is loaded; a record that the "
		       "kernel makes by itself would stand alone";
	case VERDICT_NONE:
		return "not recorded: no rule matches";
	case VERDICT_NEVER:
		return "not recorded: a never rule matches; a record that the "
		       "kernel makes by itself would stand alone";
	case VERDICT_RECORD:
		break;
	}
	if (!outcome.key)
		return "recorded, without a key";
	return arena_printf(arena, "recorded, key%s %s",
			    strchr(outcome.key, KEY_SEPARATOR) ? "s" : "",
			    key_text(arena, outcome.key));
}

/* A list of calls in the making. */
struct call_list {
	struct arena *arena;
	const struct target *target;
	const char *text;
	unsigned int named, nameless, more;
	const char *numbers; /* those without a name, as ranges */
};

static void add_range(struct call_list *list, int first, int last)
{
	list->numbers = arena_printf(
		list->arena, first == last ? "%s%s%d" : "%s%s%d-%d",
		list->numbers, *list->numbers ? ", " : "", first, last);
}

static void add_call(struct call_list *list, enum abi abi, const char *name)
{
	if (list->named == CALLS_NAMED) {
		list->more++;
		return;
	}
	list->named++;
	list->text = arena_printf(list->arena,
				  abi == ABI_COMPAT ? "%s%s%s (%s)" : "%s%s%s",
				  list->text, *list->text ? ", " : "", name,
				  list->target->abi[abi].name);
}

/* The calls of one ABI; the first one that has nameless ones tells them. */
static void add_calls(struct call_list *list, enum abi abi, uint32_t filter,
		      const struct syscall_mask *mask)
{
	bool tell = !*list->numbers;
	int first = -1, last = -1;

	for (int n = syscall_mask_next(mask, 0); n >= 0;
	     n = syscall_mask_next(mask, n + 1)) {
		const char *name =
			filter == AUDIT_FILTER_EXIT
				? target_call_name(list->target, abi, n)
				: arena_printf(list->arena, "%d", n);

		if (name) {
			add_call(list, abi, name);
			continue;
		}
		list->nameless++;
		if (first >= 0 && n != last + 1 && tell) {
			add_range(list, first, last);
			first = n;
		}
		first = first < 0 ? n : first;
		last = n;
	}
	if (first >= 0 && tell)
		add_range(list, first, last);
}

const char *calls_text(struct arena *arena, const struct target *target,
		       uint32_t filter, const struct syscall_set *calls)
{
	struct call_list list = {arena, target, "", 0, 0, 0, ""};

	for (int abi = 0; abi < ABI_COUNT; abi++)
		add_calls(&list, (enum abi)abi, filter, &calls->abi[abi]);
	if (!list.named)
		return arena_printf(arena, "numbers without a name (%s)",
				    list.numbers);
	if (list.more + list.nameless == 0)
		return list.text;
	if (list.more == 0)
		return arena_printf(arena, "%s and numbers without a name",
				    list.text);
	return arena_printf(arena, "%s and %u more", list.text,
			    list.more + list.nameless);
}

/* Columns of a rule with a long list of calls. */
#define RULE_SHOWN 200

const char *rule_line(struct arena *arena, const struct input *input,
		      const struct target *target, const struct rule *rule)
{
	const char *text = emit_rule(arena, target, rule);
	const char *where = emit_origin(arena, input, rule->origin);

	if (!rule->origin.count && rule->copied.count)
		where = arena_printf(arena, "(added by auditopt, as %s)",
				     emit_origin(arena, input, rule->copied));
	else if (!rule->origin.count)
		where = "(added by auditopt)";
	if (!text)
		text = "(a rule that cannot be written as one)";
	return arena_printf(
		arena, "%s: %s", shown(arena, where),
		printable_cut(arena, text, strlen(text), RULE_SHOWN));
}

static bool asks(const struct ruleset *set, uint32_t field)
{
	for (size_t i = 0; set && i < set->count; i++)
		for (unsigned int j = 0; j < set->rule[i]->tests; j++)
			if (set->rule[i]->test[j].field->number == field)
				return true;
	return false;
}

/* What is printed, and how. */
struct printing {
	struct arena *arena;
	FILE *stream;
	const char *indent;
	const struct ruleset *a, *b;
};

static bool asked(const struct printing *p, uint32_t field)
{
	return asks(p->a, field) || asks(p->b, field);
}

static void print_id(const struct printing *p, const char *name, uint32_t field,
		     uint32_t value, bool always)
{
	if (!always && !asked(p, field))
		return;
	if (value == UINT32_MAX)
		fprintf(p->stream, " %s=unset", name);
	else
		fprintf(p->stream, " %s=%" PRIu32, name, value);
}

static void print_who(const struct printing *p, const struct event *e)
{
	fprintf(p->stream, "%swho:", p->indent);
	print_id(p, "auid", AUDIT_LOGINUID, e->auid, true);
	print_id(p, "uid", AUDIT_UID, e->uid, true);
	print_id(p, "euid", AUDIT_EUID, e->euid, false);
	print_id(p, "suid", AUDIT_SUID, e->suid, false);
	print_id(p, "fsuid", AUDIT_FSUID, e->fsuid, false);
	print_id(p, "gid", AUDIT_GID, e->gid, false);
	print_id(p, "egid", AUDIT_EGID, e->egid, false);
	print_id(p, "sgid", AUDIT_SGID, e->sgid, false);
	print_id(p, "fsgid", AUDIT_FSGID, e->fsgid, false);
	print_id(p, "pid", AUDIT_PID, e->pid, false);
	print_id(p, "ppid", AUDIT_PPID, e->ppid, false);
	print_id(p, "sessionid", AUDIT_SESSIONID, e->session, false);
	print_id(p, "pers", AUDIT_PERS, e->personality, false);
	for (size_t i = 0; i < e->groups; i++)
		fprintf(p->stream, " group=%" PRIu32, e->group[i]);
	fputc('\n', p->stream);
	for (size_t i = 0; i < e->exes; i++)
		fprintf(p->stream, "%sprogram: %s\n", p->indent,
			shown(p->arena, e->exe[i]));
	for (size_t i = 0; i < e->labels; i++)
		fprintf(p->stream, "%slabel: %s%s%s\n", p->indent,
			audit_field_to_name((int)e->label[i].field),
			field_op_symbol(e->label[i].op),
			shown(p->arena, e->label[i].string));
}

static void print_call(const struct printing *p, const struct event *e,
		       bool uring)
{
	const struct target *target = p->a->target;
	const char *name =
		uring ? NULL : target_call_name(target, e->abi, e->number);

	if (uring)
		fprintf(p->stream, "%soperation: io_uring %d", p->indent,
			e->number);
	else if (e->number >= SYSCALL_MASK_BITS)
		fprintf(p->stream, "%scall: any that no rule is for",
			p->indent);
	else if (name)
		fprintf(p->stream, "%scall: %s %s (%d)", p->indent,
			target->abi[e->abi].name, name, e->number);
	else
		fprintf(p->stream, "%scall: %s %d", p->indent,
			target->abi[e->abi].name, e->number);
	for (uint32_t i = 0; i < 4; i++)
		if (e->argv[i] || asked(p, AUDIT_ARG0 + i))
			fprintf(p->stream, " a%" PRIu32 "=0x%" PRIx64, i,
				e->argv[i]);
	if (e->open_flags)
		fprintf(p->stream, " flags=0x%" PRIx64, e->open_flags);
	if (e->has_sockaddr)
		fprintf(p->stream, " saddr_fam=%" PRIu32, e->sockaddr_family);
	fputc('\n', p->stream);
}

static void print_result(const struct printing *p, const struct event *e)
{
	if (e->result == RESULT_NONE)
		fprintf(p->stream, "%sresult: none, it never returns\n",
			p->indent);
	else
		fprintf(p->stream, "%sresult: %s, %s\n", p->indent,
			e->result == RESULT_SUCCESS ? "success" : "failure",
			exit_text(p->arena, e->exit_code));
}

static const char *type_name(uint32_t mode)
{
	switch (mode & S_IFMT) {
	case S_IFDIR:
		return "directory";
	case S_IFCHR:
		return "character device";
	case S_IFBLK:
		return "block device";
	case S_IFIFO:
		return "fifo";
	case S_IFLNK:
		return "symbolic link";
	case S_IFSOCK:
		return "socket";
	default:
		return "file";
	}
}

static void print_name(const struct printing *p, const struct event_name *n)
{
	fprintf(p->stream, "%s%s:", p->indent, type_name(n->mode));
	for (size_t i = 0; i < n->paths; i++)
		fprintf(p->stream, "%s %s", i ? " alias" : "",
			shown(p->arena, n->path[i]));
	if (!n->paths)
		fputs(" one that no rule names", p->stream);
	if (asked(p, AUDIT_INODE))
		fprintf(p->stream, " inode=%" PRIu64, n->inode);
	print_id(p, "obj_uid", AUDIT_OBJ_UID, n->uid,
		 asked(p, AUDIT_FIELD_COMPARE));
	print_id(p, "obj_gid", AUDIT_OBJ_GID, n->gid,
		 asked(p, AUDIT_FIELD_COMPARE));
	print_id(p, "devmajor", AUDIT_DEVMAJOR, n->dev_major, false);
	print_id(p, "devminor", AUDIT_DEVMINOR, n->dev_minor, false);
	for (size_t i = 0; i < n->labels; i++)
		fprintf(p->stream, " %s%s%s",
			audit_field_to_name((int)n->label[i].field),
			field_op_symbol(n->label[i].op),
			shown(p->arena, n->label[i].string));
	fputc('\n', p->stream);
}

void event_print(FILE *stream, const char *indent, const struct event *event,
		 bool uring, const struct ruleset *a, const struct ruleset *b)
{
	struct arena *arena = arena_new();
	const struct printing p = {arena, stream, indent, a, b};

	print_call(&p, event, uring);
	print_who(&p, event);
	print_result(&p, event);
	for (size_t i = 0; i < event->names; i++)
		print_name(&p, &event->name[i]);
	for (size_t i = 0; i < event->dirs; i++)
		fprintf(stream, "%sa file in the tree %s\n", indent,
			shown(arena, event->dir[i]));
	arena_free(arena);
}

void witness_print(FILE *stream, struct arena *arena, const char *indent,
		   const struct witness *witness, const struct ruleset *a,
		   const struct ruleset *b)
{
	const char *deeper = arena_printf(arena, "%s  ", indent);

	event_print(stream, indent, witness->event, witness->uring, a, b);
	if (witness->has_inner) {
		fprintf(stream,
			"%sand before its end a watched file goes "
			"away, when this holds:\n",
			indent);
		event_print(stream, deeper, witness->inner.event, false, a, b);
	}
	for (size_t i = 0; i < witness->tree_count; i++)
		fprintf(stream, "%swhere %s is a directory\n", indent,
			shown(arena, witness->trees[i]));
	fprintf(stream, "%sbefore: %s\n", indent,
		outcome_text(arena, witness->before));
	fprintf(stream, "%safter:  %s\n", indent,
		outcome_text(arena, witness->after));
}
