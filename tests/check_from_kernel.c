/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --from-kernel, with a kernel that says what the test wants. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/from_kernel.h"
#include "emit/emit.h"
#include "lib/suite.h"

TEST_ARENA;

#define MESSAGES 64
#define STRANGERS_SEQUENCE 7000

/* What comes, in this order; an error instead where DATA is NULL. */
struct fake {
	struct kernel_link link;
	int sequence;
	struct {
		int type, answers; /* which request; 0: none */
		const void *data;
		size_t size;
		int error;
	} message[MESSAGES];
	int count, next;
	int asked[MESSAGES], asks;
	struct audit_reply reply;
};

static struct fake *fake_of(struct kernel_link *link)
{
	return (struct fake *)((char *)link - offsetof(struct fake, link));
}

static int fake_request(struct kernel_link *link, int type)
{
	struct fake *fake = fake_of(link);

	fake->asked[fake->asks++] = type;
	return ++fake->sequence;
}

static int fake_receive(struct kernel_link *link, struct audit_reply *reply)
{
	struct fake *fake = fake_of(link);
	int i = fake->next++;
	int answers;

	if (i >= fake->count)
		return ETIMEDOUT;
	if (fake->message[i].error)
		return fake->message[i].error;
	answers = fake->message[i].answers;
	memset(reply, 0, sizeof(*reply));
	reply->type = fake->message[i].type;
	reply->nlh = &reply->msg.nlh;
	reply->nlh->nlmsg_len =
		(uint32_t)(NLMSG_HDRLEN + fake->message[i].size);
	reply->len = (int)reply->nlh->nlmsg_len;
	reply->nlh->nlmsg_seq =
		(uint32_t)(answers ? fake->sequence : STRANGERS_SEQUENCE);
	memcpy(NLMSG_DATA(reply->nlh), fake->message[i].data,
	       fake->message[i].size);
	reply->ruledata = NLMSG_DATA(reply->nlh);
	return 0;
}

static void say(struct fake *fake, int type, const void *data, size_t size)
{
	int i = fake->count++;

	ck_assert_int_lt(i, MESSAGES);
	fake->message[i].type = type;
	fake->message[i].answers = 1;
	fake->message[i].data =
		size ? arena_copy(arena, data, size) : arena_alloc(arena, 1);
	fake->message[i].size = size;
}

static void say_error(struct fake *fake, int error)
{
	fake->message[fake->count++].error = error;
}

static const struct audit_status usual = {
	.enabled = 1,
	.failure = 2,
	.rate_limit = 5,
	.backlog_limit = 8192,
	.backlog_wait_time = 0,
};

static struct fake *fake_new(const struct audit_status *status, size_t size,
			     uint32_t features)
{
	struct fake *fake = arena_alloc(arena, sizeof(*fake));
	const struct audit_features told = {
		.vers = 1, .mask = 3, .features = features};

	fake->link = (struct kernel_link){fake_request, fake_receive, -1};
	say(fake, AUDIT_GET, status, size);
	say(fake, AUDIT_GET_FEATURE, &told, sizeof(told));
	return fake;
}

static struct compile_options options(void)
{
	return (struct compile_options){
		.target = target_of_this_machine(),
		.auditctl_version = AUDITCTL_NEWEST,
		.root = "/nosuchroot",
	};
}

static struct cli_input input_new(void)
{
	return (struct cli_input){.arena = arena,
				  .diagnostics = diagnostics_new(arena)};
}

/* A rule as the kernel lists it: no bit of a class. */
static struct audit_rule_data *listed(const char *line, size_t *size)
{
	struct cli_input in = input_new();
	const struct compile_options how = options();
	char path[] = "/tmp/auditopt-rule.XXXXXX";
	int fd = mkstemp(path);
	struct audit_rule_data *wire;
	struct cli_common common = {.compile = how, .verbosity = -1};
	char *files[] = {path};
	FILE *file = fdopen(fd, "w");

	ck_assert_ptr_nonnull(file);
	fprintf(file, "%s\n", line);
	ck_assert_int_eq(fclose(file), 0);
	ck_assert_int_eq(cli_load(&in, &common, files, 1), STATUS_GOOD);
	unlink(path);
	ck_assert_uint_eq(in.loaded.set->count, 1);
	wire = rule_to_wire(arena, in.loaded.set->rule[0], size);
	wire->mask[AUDIT_BITMASK_SIZE - 1] &= 0xffff;
	wire = arena_copy(arena, wire, *size);
	arena_free(in.arena);
	return wire;
}

static void say_rule(struct fake *fake, const char *line)
{
	size_t size;
	const struct audit_rule_data *wire = listed(line, &size);

	say(fake, AUDIT_LIST_RULES, wire, size);
}

static struct ruleset *read_as(struct cli_input *in, struct fake *fake,
			       bool writes, unsigned int version)
{
	struct compile_options how = options();

	how.auditctl_version = version;
	say(fake, NLMSG_DONE, NULL, 0);
	ck_assert(from_kernel_read(in, &how, writes, &fake->link));
	in->loaded = load_actions(arena, &in->actions, &how, in->diagnostics);
	return in->loaded.set;
}

static struct ruleset *read_rules(struct cli_input *in, struct fake *fake,
				  bool writes)
{
	return read_as(in, fake, writes, AUDITCTL_NEWEST);
}

static const struct diagnostic *only_diagnostic(struct cli_input *in,
						enum severity severity)
{
	ck_assert_uint_eq(diagnostics_count(in->diagnostics, severity), 1);
	return diagnostics_get(in->diagnostics, 0);
}

static const char *const lines[] = {
	"-a always,user -F uid=1000",
	"-a never,task -F auid=5",
	"-a always,exit -F arch=b64 -S open,openat -F auid>=1000 -F "
	"auid!=unset -F exit=-EPERM -F key=a",
	"-a always,exit -S all -F path=/etc/shadow -F perm=wa -F key=one -F "
	"key=two",
	"-a always,exit -S all -F dir=/etc/audit -F perm=r -F key=with\\ space",
	"-a always,exit -F arch=b32 -S chmod -F a1&=0x3 -F a0&4 -C "
	"auid!=obj_uid",
	"-a never,exit -F arch=b64 -S mount -F exe!=/usr/bin/mount -F "
	"filetype=dir -F inode=5",
	"-a always,exclude -F msgtype=USER_AVC",
	"-a never,filesystem -F fstype=0x9fa0",
};
#define LINES (sizeof(lines) / sizeof(lines[0]))

/* The model gets the kernel's bytes, in its order, and each rule has a line. */
START_TEST(test_rules)
{
	struct cli_input in = input_new();
	struct fake *fake = fake_new(&usual, sizeof(usual), 0);
	const struct ruleset *set;

	for (size_t i = 0; i < LINES; i++)
		say_rule(fake, lines[i]);
	set = read_rules(&in, fake, true);
	ck_assert_uint_eq(set->count, LINES);
	ck_assert_uint_eq(diagnostics_count(in.diagnostics, DIAG_ERROR), 0);
	for (size_t i = 0; i < LINES; i++) {
		const struct rule *rule = set->rule[i];
		const struct source_line *line = &in.input.line[rule->line];
		size_t size, got;
		struct audit_rule_data *want = listed(lines[i], &size);
		struct audit_rule_data *back = rule_to_wire(arena, rule, &got);

		back->mask[AUDIT_BITMASK_SIZE - 1] &= 0xffff;
		ck_assert_uint_eq(got, size);
		ck_assert_int_eq(memcmp(back, want, size), 0);
		ck_assert_str_eq(emit_origin(arena, &in.input, rule->origin),
				 arena_printf(arena, "kernel:%zu", i + 1));
		ck_assert_str_eq(line->text,
				 emit_rule(arena, set->target, rule));
	}
	ck_assert_int_eq(fake->asks, 3);
	for (int i = 0; i < fake->asks; i++)
		ck_assert(fake->asked[i] == AUDIT_GET ||
			  fake->asked[i] == AUDIT_GET_FEATURE ||
			  fake->asked[i] == AUDIT_LIST_RULES);
}
END_TEST

/* What a set of this program reads again is the same text. */
START_TEST(test_status)
{
	struct cli_input in = input_new();
	struct fake *fake = fake_new(
		&usual, sizeof(usual),
		AUDIT_FEATURE_TO_MASK(AUDIT_FEATURE_LOGINUID_IMMUTABLE));
	const struct emit_options how = {.comments = false};
	const struct ruleset *set;
	size_t size;

	say_rule(fake, "-a always,exit -F arch=b64 -S mount -F key=m");
	set = read_rules(&in, fake, true);
	ck_assert_str_eq(emit_ruleset(arena, set, &in.loaded.controls,
				      &in.input, &how, &size),
			 "-D\n-b 8192\n-f 2\n-r 5\n--backlog_wait_time 0\n"
			 "--loginuid-immutable\n"
			 "-a always,exit -F arch=b64 -S mount -k m\n"
			 "-e 1\n");
}
END_TEST

/* A kernel that tells less: nothing is made up. */
START_TEST(test_old_status)
{
	struct cli_input in = input_new();
	struct fake *fake = fake_new(
		&usual, offsetof(struct audit_status, backlog_wait_time), 0);

	(void)read_rules(&in, fake, true);
	ck_assert_ptr_nonnull(in.loaded.controls.backlog);
	ck_assert_ptr_null(in.loaded.controls.backlog_wait_time);
	ck_assert_ptr_null(in.loaded.controls.loginuid_immutable);
}
END_TEST

START_TEST(test_locked)
{
	struct audit_status status = usual;
	struct cli_input in = input_new();

	status.enabled = 2;
	(void)read_rules(&in, fake_new(&status, sizeof(status), 0), true);
	ck_assert_str_eq(only_diagnostic(&in, DIAG_WARNING)->id,
			 "kernel-locked");
	ck_assert_uint_eq(in.loaded.controls.enable->number, 2);
}
END_TEST

/* -A puts a rule there twice; the kernel has it, so it is no mistake. */
START_TEST(test_twice)
{
	struct cli_input in = input_new();
	struct fake *fake = fake_new(&usual, sizeof(usual), 0);

	say_rule(fake, lines[2]);
	say_rule(fake, lines[5]);
	say_rule(fake, lines[2]);
	ck_assert_uint_eq(read_rules(&in, fake, true)->count, 3);
	ck_assert_ptr_null(diagnostics_get(in.diagnostics, 0));
}
END_TEST

/* perm!= can be loaded by other programs than auditctl. */
static struct cli_input with_odd_rule(bool writes)
{
	struct cli_input in = input_new();
	struct fake *fake = fake_new(&usual, sizeof(usual), 0);
	size_t size;
	struct audit_rule_data *wire =
		listed("-a always,exit -S all -F path=/etc/x -F perm=w", &size);

	ck_assert_uint_eq(wire->fields[1], AUDIT_PERM);
	wire->fieldflags[1] = AUDIT_NOT_EQUAL;
	say_rule(fake, lines[2]);
	say(fake, AUDIT_LIST_RULES, wire, size);
	(void)read_rules(&in, fake, writes);
	return in;
}

/* The kernel holds a key that auditctl before 4.2.0 takes. */
static struct cli_input with_odd_key(unsigned int version)
{
	struct cli_input in = input_new();
	struct fake *fake = fake_new(&usual, sizeof(usual), 0);
	size_t size;
	struct audit_rule_data *wire = listed("-w /etc/x -p w -k ?k", &size);

	*(char *)memchr(wire->buf, '?', wire->buflen) = AUDIT_KEY_SEPARATOR;
	say_rule(fake, lines[2]);
	say(fake, AUDIT_LIST_RULES, wire, size);
	(void)read_as(&in, fake, true, version);
	return in;
}

START_TEST(test_odd_key)
{
	struct cli_input in = with_odd_key(AUDITCTL_NEWEST);

	ck_assert_str_eq(only_diagnostic(&in, DIAG_ERROR)->id,
			 "no-line-gives-it");
	ck_assert_uint_eq(in.loaded.set->count, 1);
	in = with_odd_key(AUDITCTL_VERSION(4, 1, 4));
	ck_assert_uint_eq(diagnostics_count(in.diagnostics, DIAG_ERROR), 0);
	ck_assert_uint_eq(in.loaded.set->count, 2);
}
END_TEST

START_TEST(test_no_line)
{
	struct cli_input in = with_odd_rule(true);
	const struct diagnostic *d = only_diagnostic(&in, DIAG_ERROR);

	ck_assert_str_eq(d->id, "no-line-gives-it");
	ck_assert_uint_eq(in.input.line[d->at.line].number, 2);
	ck_assert_uint_eq(in.loaded.set->count, 1);
	ck_assert_uint_eq(in.loaded.lefts, 1);
	in = with_odd_rule(false);
	(void)only_diagnostic(&in, DIAG_NOTE);
	ck_assert_uint_eq(in.loaded.set->count, 2);
	ck_assert_uint_eq(in.loaded.lefts, 0);
}
END_TEST

START_TEST(test_unknown)
{
	struct cli_input in = input_new();
	struct fake *fake = fake_new(&usual, sizeof(usual), 0);
	size_t size;
	struct audit_rule_data *wire = listed(lines[0], &size);

	wire->fields[0] = 333;
	say(fake, AUDIT_LIST_RULES, wire, size);
	say_rule(fake, lines[2]);
	ck_assert_uint_eq(read_rules(&in, fake, false)->count, 1);
	ck_assert_str_eq(only_diagnostic(&in, DIAG_ERROR)->id,
			 "unknown-kernel-rule");
	ck_assert_uint_eq(in.loaded.lefts, 1);
}
END_TEST

/* What is said to others is passed over. */
START_TEST(test_strangers)
{
	struct cli_input in = input_new();
	struct fake *fake = fake_new(&usual, sizeof(usual), 0);

	say_rule(fake, lines[2]);
	fake->message[fake->count - 1].answers = 0;
	say(fake, NLMSG_DONE, NULL, 0);
	fake->message[fake->count - 1].answers = 0;
	say_rule(fake, lines[5]);
	ck_assert_uint_eq(read_rules(&in, fake, true)->count, 1);
}
END_TEST

/* Something was lost: all is asked for once more, nothing is told twice. */
START_TEST(test_lost)
{
	struct cli_input in = input_new();
	struct fake *fake = fake_new(&usual, sizeof(usual), 0);

	say_rule(fake, lines[2]);
	say_error(fake, ENOBUFS);
	say_rule(fake, lines[3]); /* of the first answer */
	fake->message[fake->count - 1].answers = 0;
	say_rule(fake, lines[2]);
	say_rule(fake, lines[5]);
	ck_assert_uint_eq(read_rules(&in, fake, true)->count, 2);
	ck_assert_int_eq(fake->asks, 4);
}
END_TEST

static void refused(struct fake *fake, const char *because)
{
	struct cli_input in = input_new();
	const struct compile_options how = options();
	const struct diagnostic *d;

	ck_assert(!from_kernel_read(&in, &how, true, &fake->link));
	d = only_diagnostic(&in, DIAG_FATAL);
	ck_assert_str_eq(d->id, "kernel-untold");
	ck_assert_msg(strstr(d->what, because) != NULL, "%s", d->what);
}

/* Half of the rules must never be taken for all of them. */
START_TEST(test_refused)
{
	static const struct {
		int error;
		const char *because;
	} known[] = {{ECONNREFUSED, "first user and process namespace"},
		     {EPERM, "first user and process namespace"},
		     {EFBIG, "cannot be read"},
		     {ETIMEDOUT, "does not tell its rules"}};
	struct fake *fake;
	size_t size;
	struct audit_rule_data *wire = listed(lines[3], &size);

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		fake = fake_new(&usual, sizeof(usual), 0);
		say_rule(fake, lines[2]);
		say_error(fake, known[i].error);
		refused(fake, known[i].because);
	}
	fake = fake_new(&usual, sizeof(usual), 0);
	for (int i = 0; i < 5; i++) {
		say_rule(fake, lines[2]);
		say_error(fake, ENOBUFS);
	}
	refused(fake, "was lost");
	/* strings that are not there; less than a rule */
	fake = fake_new(&usual, sizeof(usual), 0);
	say(fake, AUDIT_LIST_RULES, wire, size - 1);
	refused(fake, "cannot be read");
	fake = fake_new(&usual, sizeof(usual), 0);
	say(fake, AUDIT_LIST_RULES, wire, sizeof(*wire) - 1);
	refused(fake, "cannot be read");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("from_kernel");
	TCase *tcase = tcase_create("all");

	tcase_add_checked_fixture(tcase, begin_arena, end_arena);
	tcase_add_test(tcase, test_rules);
	tcase_add_test(tcase, test_status);
	tcase_add_test(tcase, test_old_status);
	tcase_add_test(tcase, test_locked);
	tcase_add_test(tcase, test_twice);
	tcase_add_test(tcase, test_odd_key);
	tcase_add_test(tcase, test_no_line);
	tcase_add_test(tcase, test_unknown);
	tcase_add_test(tcase, test_strangers);
	tcase_add_test(tcase, test_lost);
	tcase_add_test(tcase, test_refused);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
