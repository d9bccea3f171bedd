/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is written is what was meant, whoever reads it. */
#include <check.h>
#include <libaudit.h>
#include <stdlib.h>
#include <string.h>

#include "emit/emit.h"
#include "emit/rule_text.h"
#include "frontend/behaviour.h"
#include "lib/build.h"
#include "lib/random_rules.h"

static const unsigned int versions[] = {
	AUDITCTL_VERSION(3, 0, 9),
	AUDITCTL_VERSION(3, 1, 3),
	AUDITCTL_VERSION(4, 2, 1),
};
#define VERSIONS ((int)(sizeof(versions) / sizeof(*versions)))

static struct arena *arena;
static const struct target *x86;

static void setup(void)
{
	arena = arena_new();
	x86 = mk_target("x86_64");
}

static void teardown(void)
{
	arena_free(arena);
}

/* Specs of lib/build.h, and the line that is wanted; NULL: there is none. */
static const struct {
	const char *spec, *line;
} forms[] = {
	{"arch=b64 calls=open,openat auid>=1000 auid!=unset key=x",
	 "-a always,exit -F arch=b64 -S open,openat -F auid>=1000 "
	 "-F auid!=unset -k x"},
	{"arch=b32 calls=open", "-a always,exit -F arch=b32 -S open"},
	{"calls=openat,read,open", "-a always,exit -S read,open,openat"},
	{"never", "-a never,exit -S all"},
	{"calls=none uid=0", "-a always,exit -S , -F uid=0"},
	{"calls=none arch=b64 key=k", "-a always,exit -F arch=b64 -S , -k k"},
	{"calls=451,335,600", "-a always,exit -S 335,451,600"},
	{"arch!=b64 calls=2", "-a always,exit -F arch!=b64 -S 2"},
	/* arch where it stands, -S behind it */
	{"uid=5 arch=b64 calls=kill gid=1",
	 "-a always,exit -F uid=5 -F arch=b64 -S kill -F gid=1"},
	/* perm */
	{"arch=b64 dir=/etc perm=wa key=etc",
	 "-a always,exit -F arch=b64 -S all -F dir=/etc -p wa -k etc"},
	{"arch=b64 perm=wa dir=/etc",
	 "-a always,exit -F arch=b64 -S all -p wa -F dir=/etc"},
	{"perm=rx", "-a always,exit -F perm=rx -S all"},
	{"perm=wa calls=open arch=b64",
	 "-a always,exit -F perm=wa -F arch=b64 -S open"},
	{"dir=/x perm=wa perm=r", "-a always,exit -F dir=/x -F perm=wa "
				  "-F perm=r -S all"},
	{"dir=/x arch=b64 perm=wa uid=1 perm=r",
	 "-a always,exit -F perm=wa -F perm=r -F dir=/x -F arch=b64 -S all "
	 "-F uid=1"},
	{"perm!=wa", NULL},
	{"uid=0 perm=0", NULL},
	/* watches */
	{"watch path=/etc/passwd perm=wa key=id", "-w /etc/passwd -p wa -k id"},
	{"watch dir=/etc perm=rwxa auid!=unset",
	 "-w /etc -p rwxa -F auid!=unset"},
	{"watch unsettled path=/x perm=w perm=r", "-w /x -p w -F perm=r"},
	{"watch unsettled dir=/x perm=w", "-w /x/ -p w"},
	{"watch unsettled dir=/ perm=w", "-w / -p w"},
	{"watch dir=/ perm=r", "-w / -p r"},
	{"watch path=/etc/passwd perm=wa calls=open",
	 "-a always,exit -S open -F path=/etc/passwd -p wa"},
	{"watch never path=/etc/passwd perm=wa",
	 "-a never,exit -S all -F path=/etc/passwd -p wa"},
	{"watch path=/a perm=w arch=b64",
	 "-a always,exit -F path=/a -p w -F arch=b64 -S all"},
	{"watch unsettled path=/x perm=wa calls=open", NULL},
	{"watch path=/a!=b perm=w", "-w /a!=b -p w"},
	{"watch path=/a!=b perm=w calls=open", NULL},
	{"path=/a>=b perm=w", NULL},
	{"exe!=/a>=b", "-a always,exit -S all -F exe!=/a>=b"},
	{"exe=/a>b&c", "-a always,exit -S all -F exe=/a>b&c"},
	{"subj_sen>s0=s1", NULL},
	{"subj_sen>s0", "-a always,exit -S all -F subj_sen>s0"},
	{"dir=/x/ perm=w", "-a always,exit -S all -F dir=/x/ -p w"},
	/* values */
	{"exit=-EACCES", "-a always,exit -S all -F exit=-EACCES"},
	{"exit=-1000", "-a always,exit -S all -F exit=-1000"},
	{"exit=0x80000000", "-a always,exit -S all -F exit=-2147483648"},
	{"exit>=3", "-a always,exit -S all -F exit>=3"},
	{"a0&=3 a1&0x80000000 a2=65535",
	 "-a always,exit -S all -F a0&=3 -F a1&0x80000000 -F a2=65535"},
	{"auid=unset", "-a always,exit -S all -F auid=unset"},
	{"sessionid=unset", "-a always,exit -S all -F sessionid=unset"},
	{"filetype=dir success=0 inode=5 saddr_fam=2",
	 "-a always,exit -S all -F filetype=dir -F success=0 -F inode=5 "
	 "-F saddr_fam=2"},
	{"filetype=0", NULL},
	{"uid:obj_uid!= auid:euid=",
	 "-a always,exit -S all -C uid!=obj_uid -C auid=euid"},
	{"field_compare=0", "-a always,exit -S all -F field_compare=0"},
	{"field_compare!=26", "-a always,exit -S all -F field_compare!=26"},
	{"loginuid_set=2", NULL},
	{"loginuid_set=0", "-a always,exit -S all -F auid=unset"},
	{"loginuid_set!=0", "-a always,exit -S all -F auid!=unset"},
	{"arch=0x40000028 calls=2", /* arm */
	 "-a always,exit -F arch=0x40000028 -S 2"},
	/* keys */
	{"key=a key=b", "-a always,exit -S all -k a -k b"},
	{"key=a!=b", NULL},
	{"key=a=b", "-a always,exit -S all -k a=b"},
	{"key=-x", "-a always,exit -S all -k -x"},
	/* other filters have no calls */
	{"never task", "-a never,task"},
	{"task auid=unset", "-a always,task -F auid=unset"},
	{"exclude msgtype=CWD", "-a always,exclude -F msgtype=CWD"},
	{"never user msgtype=1338", "-a never,user -F msgtype=1338"},
	{"never exclude exe=/x uid=5", "-a never,exclude -F exe=/x -F uid=5"},
	{"never filesystem fstype=tracefs",
	 "-a never,filesystem -F fstype=tracefs"},
	{"never filesystem fstype=0x63677270 key=c",
	 "-a never,filesystem -F fstype=0x63677270 -k c"},
	{"io_uring calls=5,18 uid=0 key=u",
	 "-a always,io_uring -S 5,18 -F uid=0 -k u"},
	{"io_uring uid=0", "-a always,io_uring -F uid=0"},
	{"classes=2 calls=open", "-a always,exit -S open,2046"},
	/* Without arch: first the numbers of calls that perm lets through on
	 * b32 alone, then names. */
	{"path=/x perm=wa calls=open,5,chmod,15",
	 "-a always,exit -S 5,15 -S open,chmod -F path=/x -p wa"},
	{"path=/x perm=wa calls=5,15",
	 "-a always,exit -S 5,15 -F path=/x -p wa"},
	{"perm=wa calls=open,5", "-a always,exit -F perm=wa -S 5 -S open"},
	/* fstat reads, and so does open on b32 */
	{"path=/x perm=r calls=open,5,stat",
	 "-a always,exit -S 2 -S open,stat,fstat -F path=/x -p r"},
	/* what perm lets through nowhere */
	{"path=/x perm=wa calls=5,close",
	 "-a always,exit -S 5 -S close -F path=/x -p wa"},
	/* 353 is renameat2 on b32; 452 is too new, 500 no call */
	{"path=/x perm=wa calls=353,openat2,452,500",
	 "-a always,exit -S 353 -S openat2,452,500 -F path=/x -p wa"},
	{"path=/x perm=wa arch=b64 calls=open,5",
	 "-a always,exit -F path=/x -p wa -F arch=b64 -S open,fstat"},
	/* the user's own, which auditctl rightly warns of */
	{"path=/x perm=wa calls=open,chmod",
	 "-a always,exit -S open,chmod -F path=/x -p wa"},
	{"calls=open,353", "-a always,exit -S open,353"},
	{"never calls=open key=k", "-a never,exit -S open -k k"},
	/* what may end the walk for both ABIs */
	{"never calls=read,getpid uid=5",
	 "-a never,exit -S 0 -S read,getpid -F uid=5"},
	{"never calls=epoll_pwait2,335",
	 "-a never,exit -S 335 -S 335,epoll_pwait2"},
	{"never calls=epoll_pwait2", "-a never,exit -S epoll_pwait2"},
	{"never calls=335", "-a never,exit -S 335"},
	{"never calls=timer_create", "-a never,exit -S 222 -S timer_create"},
};

START_TEST(test_forms)
{
	const char *spec = forms[_i].spec, *line = forms[_i].line;
	const char *text = emit_rule(arena, x86, mk_rule(arena, x86, spec));

	if (!line)
		ck_assert_msg(!text, "%s: %s", spec, text);
	else
		ck_assert_msg(text && !strcmp(text, line), "%s:\n%s\n%s", spec,
			      text ? text : "(none)", line);
}
END_TEST

static struct input *input_of(const char *text)
{
	struct input *input = arena_alloc(arena, sizeof(*input));
	size_t lines = 1;

	for (const char *c = text; *c; c++)
		lines += *c == '\n';
	input->line = arena_array(arena, lines, sizeof(*input->line));
	while (*text) {
		size_t length = strcspn(text, "\n");

		input->line[input->count] =
			(struct source_line){.file = "t.rules",
					     .number = input->count + 1,
					     .column = 1,
					     .text = text,
					     .length = length};
		input->count++;
		text += length + (text[length] == '\n');
	}
	return input;
}

struct reading {
	struct input *input;
	struct diagnostics *diag;
	struct actions actions;
	struct loaded loaded;
};

static struct reading *read_text(const char *text, unsigned int version,
				 bool keep_going)
{
	struct compile_options options = {.target = x86,
					  .auditctl_version = version,
					  .root = "/nonexistent",
					  .keep_going = keep_going};
	struct reading *r = arena_alloc(arena, sizeof(*r));
	struct commands commands;

	r->input = input_of(text);
	r->diag = diagnostics_new(arena);
	commands = parse_input(arena, r->input, version, r->diag);
	r->actions =
		compile_commands(arena, &commands, r->input, &options, r->diag);
	r->loaded = load_actions(arena, &r->actions, &options, r->diag);
	return r;
}

/* The rules that TEXT makes auditctl of VERSION send, as the kernel takes them.
 */
static size_t rules_of(const char *text, unsigned int version,
		       struct rule **rule, size_t room)
{
	struct reading *r = read_text(text, version, false);
	size_t count = 0;

	ck_assert_msg(diagnostics_count(r->diag, DIAG_ERROR) == 0,
		      "auditctl %u refuses: %s (%s)", version, text,
		      diagnostics_get(r->diag, 0)->what);
	for (size_t i = 0; i < r->actions.count; i++) {
		const struct audit_action *a = &r->actions.item[i];
		struct refusal refusal;

		if (a->kind != DO_ADD_RULE)
			continue;
		ck_assert_uint_lt(count, room);
		rule[count] =
			rule_from_wire(arena, a->wire, a->wire_size, &refusal);
		ck_assert_msg(rule[count] != NULL, "%s: %s", text, refusal.why);
		rule[count]->watch_form = a->watch_form;
		rule[count]->unsettled = a->unsettled;
		count++;
	}
	return count;
}

/* Does TEST ask whether auid is unset, in either of the kernel's ways to have
 * it? Then *UNSET is what it wants. */
static bool asks_unset(const struct field_test *test, bool *unset)
{
	if (test->field->number == AUDIT_LOGINUID &&
	    test->value == UINT32_MAX && (test->op & (OP_EQ | OP_NE))) {
		*unset = test->op == OP_EQ;
		return true;
	}
	*unset = (test->op == OP_EQ) == (test->value == 0);
	return test->field->kind == FIELD_LOGINUID_SET;
}

static bool same_test(const struct field_test *a, const struct field_test *b)
{
	bool wants_a, wants_b;

	if (asks_unset(a, &wants_a) && asks_unset(b, &wants_b))
		return wants_a == wants_b;
	if (a->field != b->field || a->op != b->op || a->value != b->value)
		return false;
	return !a->string || !strcmp(a->string, b->string);
}

/* Whether a -w is for a file or a directory is not in the text. */
static bool same_watch(const struct rule *a, const struct rule *b,
		       unsigned int i)
{
	return b->unsettled && i == 0 && a->test[0].string &&
	       (a->test[0].field->kind == FIELD_PATH ||
		a->test[0].field->kind == FIELD_DIR) &&
	       !strcmp(a->test[0].string, b->test[0].string);
}

static unsigned int perm_tests(const struct rule *rule)
{
	unsigned int perms = 0;

	for (unsigned int i = 0; i < rule->tests; i++)
		perms += rule->test[i].field->kind == FIELD_PERM;
	return perms;
}

/* In the same order; where perm had to be moved, the other tests are. */
static bool same_tests(const struct rule *a, const struct rule *b)
{
	unsigned int i = 0, j = 0, taken = 0;

	if (a->tests != b->tests)
		return false;
	if (perm_tests(a) < 2) {
		while (i < a->tests && (same_test(&a->test[i], &b->test[i]) ||
					same_watch(a, b, i)))
			i++;
		return i == a->tests;
	}
	for (i = 0; i < a->tests; i++) {
		if (a->test[i].field->kind == FIELD_PERM) {
			for (j = 0; j < b->tests; j++) {
				if (!(taken & (1u << j)) &&
				    same_test(&a->test[i], &b->test[j]))
					break;
			}
		} else {
			for (j = 0; j < b->tests &&
				    ((taken & (1u << j)) ||
				     b->test[j].field->kind == FIELD_PERM);
			     j++)
				;
			if (j < b->tests &&
			    !same_test(&a->test[i], &b->test[j]))
				return false;
		}
		if (j == b->tests)
			return false;
		taken |= 1u << j;
	}
	return true;
}

static bool same_but_mask(const struct rule *a, const struct rule *b)
{
	if (a->filter != b->filter || a->action != b->action ||
	    !a->key != !b->key || (a->key && strcmp(a->key, b->key) != 0))
		return false;
	return same_tests(a, b);
}

static bool mask_counts(const struct rule *rule)
{
	return rule->filter == AUDIT_FILTER_EXIT ||
	       rule->filter == AUDIT_FILTER_URING_EXIT;
}

/* Does TEXT, read by VERSION, give RULE back to the last bit? */
static void gives_back(const struct rule *rule, const char *text,
		       unsigned int version)
{
	struct rule *back[64];
	struct syscall_mask mask = {{0}};
	uint16_t classes = 0;
	size_t count = rules_of(text, version, back, 64);

	ck_assert_uint_gt(count, 0);
	for (size_t i = 0; i < count; i++) {
		ck_assert_msg(same_but_mask(rule, back[i]),
			      "read by %u, this is another rule: %s", version,
			      text);
		ck_assert(!syscall_mask_intersects(&mask, &back[i]->mask));
		syscall_mask_unite(&mask, &back[i]->mask);
		classes |= back[i]->mask_classes;
	}
	if (mask_counts(rule)) {
		ck_assert_msg(syscall_mask_equal(&mask, &rule->mask),
			      "read by %u, other calls: %s", version, text);
		ck_assert_uint_eq(classes, rule->mask_classes);
	}
}

/* And is one that gives the same text again? */
static void idempotent(const char *text)
{
	struct rule *back[64];
	size_t count = rules_of(text, versions[2], back, 64);

	if (count == 1)
		ck_assert_str_eq(emit_rule(arena, x86, back[0]), text);
}

static void check_lines(const char *text)
{
	while (*text) {
		size_t length = strcspn(text, "\n");
		size_t words = 1;

		ck_assert_uint_lt(length, EMIT_LINE_MAX);
		for (size_t i = 0; i < length; i++)
			words += text[i] != ' ' &&
				 (i == 0 || (text[i - 1] == ' ' &&
					     (i < 2 || text[i - 2] != '\\')));
		ck_assert_uint_le(words, rule_text_words_kept(length));
		text += length + (text[length] == '\n');
	}
}

/* Does the older auditctl have that list at all, and its fields in it? */
static bool known_to(const struct rule *rule, unsigned int version)
{
	if (rule->filter == AUDIT_FILTER_URING_EXIT)
		return auditctl_behaves(version, BEHAVES_URING_LIST);
	if (rule->filter != AUDIT_FILTER_EXCLUDE ||
	    auditctl_behaves(version, BEHAVES_EXCLUDE_ANY))
		return true;
	for (unsigned int i = 0; i < rule->tests; i++) {
		switch (rule->test[i].field->number) {
		case AUDIT_PID:
		case AUDIT_UID:
		case AUDIT_GID:
		case AUDIT_LOGINUID:
		case AUDIT_LOGINUID_SET:
		case AUDIT_MSGTYPE:
		case AUDIT_SUBJ_USER:
		case AUDIT_SUBJ_ROLE:
		case AUDIT_SUBJ_TYPE:
		case AUDIT_SUBJ_SEN:
		case AUDIT_SUBJ_CLR:
		case AUDIT_EXE:
			break;
		default:
			return false;
		}
	}
	return !rule->key;
}

static void round_trip(const struct rule *rule)
{
	const char *text = emit_rule(arena, x86, rule);

	if (!text)
		return;
	check_lines(text);
	for (int v = 0; v < VERSIONS; v++) {
		if (known_to(rule, versions[v]))
			gives_back(rule, text, versions[v]);
	}
	idempotent(text);
}

START_TEST(test_forms_round_trip)
{
	round_trip(mk_rule(arena, x86, forms[_i].spec));
}
END_TEST

/* The strings of build.h have no spaces in values. */
static struct rule *with_strings(const char *path, const char *key)
{
	struct rule *rule =
		mk_rule(arena, x86, "watch path=/p perm=wa exe=/e key=k");
	struct field_test *test = arena_copy(arena, rule->test,
					     rule->tests * sizeof(*rule->test));

	test[0].string = path;
	test[0].value = (uint32_t)strlen(path);
	test[2].string = path;
	test[2].value = (uint32_t)strlen(path);
	rule->test = test;
	rule->key = key;
	return rule;
}

START_TEST(test_escapes)
{
	struct rule *rule = with_strings("/a b\\c\\\\ \td\r", "k 1\\\001 k2 ");

	ck_assert_str_eq(emit_rule(arena, x86, rule),
			 "-w /a\\ b\\\\c\\\\\\\\\\ \td\r -p wa "
			 "-F exe=/a\\ b\\\\c\\\\\\\\\\ \td\r "
			 "-k k\\ 1\\\\ -k \\ k2\\ ");
	round_trip(rule);
	round_trip(with_strings("/\xc3\xa4\xff", "\\"));
	round_trip(with_strings("/\\\\\\\\  \\ ", "a\001"));
	ck_assert_ptr_null(emit_rule(arena, x86, with_strings("/\n-D", "k")));
	ck_assert_ptr_null(emit_rule(arena, x86, with_strings("/\a", "k")));
	ck_assert_ptr_null(emit_rule(arena, x86, with_strings("/\004", "k")));
	/* auditctl takes it until 4.2.0. */
	ck_assert_ptr_nonnull(
		strstr(emit_rule(arena, x86, with_strings("/p", "\001a")),
		       " -k \001a"));
	ck_assert_ptr_null(emit_rule(arena, x86, with_strings("", "k")));
}
END_TEST

/* 3.0.9 keeps a third of a line's length in words. */
START_TEST(test_word_limit)
{
	struct rule *rule = with_strings("/p", "k");
	char key[128] = "a";

	for (int i = 0; i < 60; i++)
		strcat(key, "\001a");
	rule->key = key;
	round_trip(rule);
	ck_assert_str_eq(rule_text_pad(arena, "-e 2"), "-e 2");
	ck_assert_str_eq(rule_text_pad(arena, "-t"), "-t");
	ck_assert_str_eq(rule_text_pad(arena, "-k a -k b -k c"),
			 "-k a -k b -k c ");
}
END_TEST

START_TEST(test_split)
{
	struct rule *rule = mk_rule(arena, x86, "arch=b64 uid=5 key=x");
	const char *text;

	syscall_mask_remove(&rule->mask, 1000);
	text = emit_rule(arena, x86, rule);
	ck_assert_ptr_nonnull(text);
	ck_assert_ptr_nonnull(strchr(text, '\n'));
	round_trip(rule);
}
END_TEST

/* check_rule_mismatch() of auditctl: would it warn of the first -S of LINE? */
static bool auditctl_warns(const char *line)
{
	const char *list = strstr(line, " -S ");
	char *rest, *name;
	bool warns = false;

	if (!list || strstr(line, "arch=") || !strncmp(list, " -S all ", 8))
		return false;
	list += strlen(" -S ");
	rest = arena_strndup(arena, list, strcspn(list, " "));
	while ((name = strsep(&rest, ",")))
		if (*name && !strchr("0123456789", *name))
			warns |= target_call_number(x86, ABI_NATIVE, name) !=
				 target_call_number(x86, ABI_COMPAT, name);
	return warns;
}

static bool remarked(const char *line)
{
	struct diagnostics *diag = read_text(line, versions[0], false)->diag;
	const struct diagnostic *d;

	for (size_t i = 0; (d = diagnostics_get(diag, i)); i++)
		if (!strcmp(d->id, "missing-arch"))
			return true;
	return false;
}

/* What is meant by number is told by nobody, what is not by both: auditctl and
 * the remark of the front end. */
static const struct {
	const char *spec;
	bool told;
} mismatches[] = {
	{"path=/x perm=wa calls=open,5,chmod,15", false},
	{"path=/x perm=wa calls=open,creat,5", false},
	{"path=/x perm=r calls=open,5,stat", false},
	{"path=/x perm=wa calls=353,openat2,452,500", false},
	{"path=/x perm=wa calls=openat2", false},
	{"never calls=read,getpid uid=5", false},
	{"never calls=epoll_pwait2,335", false},
	{"never calls=timer_create", false},
	{"path=/x perm=wa arch=b64 calls=open,chmod", false},
	{"path=/x perm=wa calls=open,chmod", true},
	{"calls=open,5,chmod,15", true},
	{"calls=open,353", true},
	{"never calls=open key=k", true},
};

START_TEST(test_mismatch)
{
	const char *spec = mismatches[_i].spec;
	bool told = mismatches[_i].told;
	const char *text = emit_rule(arena, x86, mk_rule(arena, x86, spec));

	ck_assert_msg(auditctl_warns(text) == told, "auditctl: %s", text);
	ck_assert_msg(remarked(text) == told, "remark: %s", text);
}
END_TEST

/* Lists that a user wrote. */
START_TEST(test_users_lists)
{
	ck_assert(remarked("-a always,exit -S 59,open"));
	ck_assert(remarked("-a always,exit -S 5 -S open"));
	ck_assert(remarked("-a always,exit -S 59 -S open -F path=/x -p wax"));
	ck_assert(remarked("-a always,exit -S open,creat -F path=/x -p wa"));
	/* all that it names is there under both numbers */
	ck_assert(!remarked("-a always,exit -S open,5 -F path=/x -p wa"));
	ck_assert(!remarked("-a always,exit -S 5,15 -S open -F path=/x -p wa"));
	ck_assert(!remarked("-a always,exit -S 5 -S 15"));
	/* perm lets nothing of it through */
	ck_assert(!remarked("-a always,exit -S getpid -F path=/x -p x"));
}
END_TEST

/* Each of the lines is silent, and comes out of itself again. */
START_TEST(test_split_by_number)
{
	struct rule *rule = mk_rule(arena, x86, "never uid=5");
	char *text, *line;
	size_t lines = 0;

	for (int n = 600; n < 1000; n++)
		syscall_mask_remove(&rule->mask, n);
	round_trip(rule);
	rule = mk_rule(arena, x86, "path=/x perm=rwa uid=5 key=k");
	syscall_mask_remove(&rule->mask, 1000);
	round_trip(rule);
	text = emit_rule(arena, x86, rule);
	while ((line = strsep(&text, "\n"))) {
		lines++;
		ck_assert_msg(!auditctl_warns(line), "%s", line);
		idempotent(line);
	}
	ck_assert_uint_gt(lines, 1);
}
END_TEST

/* Tests alone longer than the limit are still one line, past auditctl's buffer
 * there is none. */
START_TEST(test_too_long)
{
	struct rule *rule = with_strings("/p", "k");
	char *path = arena_alloc(arena, 4097);

	memset(path, 'p', 4096);
	path[0] = '/';
	path[2500] = '\0';
	ck_assert_ptr_nonnull(emit_rule(arena, x86, with_strings(path, "k")));
	path[2500] = 'p';
	rule = with_strings(path, "k");
	ck_assert_ptr_null(emit_rule(arena, x86, rule));
}
END_TEST

/* The most important one. */
START_TEST(test_random_round_trip)
{
	struct rules_shape shape = rules_shape_default(x86, 60);
	struct random random = {(uint64_t)_i};
	struct ruleset *set = random_ruleset(arena, &random, &shape);
	size_t written = 0;

	for (size_t i = 0; i < set->count; i++) {
		const struct rule *rule = set->rule[i];

		written += emit_rule(arena, x86, rule) != NULL;
		round_trip(rule);
	}
	/* perm!= and the like are rare */
	ck_assert_uint_gt(written * 10, set->count * 6);
}
END_TEST

static const char *all_of(struct reading *r, bool comments, const char *heading)
{
	struct emit_options options = {.comments = comments,
				       .heading = heading,
				       .left = r->actions.left,
				       .lefts = r->actions.lefts};
	size_t size;
	char *text = emit_ruleset(arena, r->loaded.set, &r->loaded.controls,
				  r->input, &options, &size);

	ck_assert_ptr_nonnull(text);
	ck_assert_uint_eq(strlen(text), size);
	return text;
}

START_TEST(test_controls)
{
	static const char source[] = "-e 2\n";
	static const char text[] = "-f 1\n"
				   "-r 5\n"
				   "-D\n"
				   "--loginuid-immutable\n"
				   "--backlog_wait_time=60000\n"
				   "-b 8192\n"
				   "-a always,exit -F arch=b64 -S open -k o\n"
				   "-c\n"
				   "-m hello\\ you\\\\\n"
				   "-a always,exit -F arch=b64 -S kill\n"
				   "-q /a,/b\n"
				   "-a never,exit -F arch=b64 -S fork\n"
				   "-a never,exit -F arch=b64 -S exit\n"
				   "-t\n"
				   "-e 2\n";
	struct reading *r = read_text(text, versions[0], false);
	const char *out = all_of(r, true, "Head.\n\nTail.");
	static const char wanted[] =
		"# Head.\n#\n# Tail.\n"
		"-c\n-D\n-b 8192\n-f 1\n-r 5\n"
		"--backlog_wait_time 60000\n--loginuid-immutable\n"
		"# line t.rules:7\n"
		"-a always,exit -F arch=b64 -S open -k o\n"
		"# line t.rules:10\n"
		"-a always,exit -F arch=b64 -S kill\n";

	ck_assert_str_eq(
		all_of(read_text(source, versions[0], false), true, NULL),
		source);
	ck_assert_msg(!strncmp(out, wanted, strlen(wanted)), "%s", out);
	out = all_of(r, false, NULL);
	ck_assert_ptr_nonnull(strstr(out, "-S kill\n-m hello\\ you\\\\\n"
					  "-q /a,/b\n"
					  "-a never,exit -F arch=b64 -S fork\n"
					  "-a never,exit -F arch=b64 -S exit\n"
					  "-t\n-e 2\n"));
	/* and again */
	ck_assert_str_eq(
		all_of(read_text(out, versions[2], false), false, NULL), out);
}
END_TEST

static const char *set_text(const char *specs, const char *heading)
{
	struct controls none = {0};
	struct emit_options options = {.comments = true, .heading = heading};
	size_t size;

	return emit_ruleset(arena, mk_ruleset(arena, x86, specs), &none,
			    input_of("1\n2\n3\n4\n5\n"), &options, &size);
}

static void has(const char *text, const char *part)
{
	ck_assert_msg(strstr(text, part) != NULL, "no \"%s\" in:\n%s", part,
		      text);
}

/* What numbers mean is told once for the whole file. */
START_TEST(test_legend)
{
	const char *text = set_text("path=/x perm=wa calls=open,5,353\n"
				    "path=/y perm=r calls=open,5,stat\n"
				    "path=/z perm=wa calls=open,15,452,500\n",
				    "Head.");

	static const char wanted[] =
		"# Head.\n#\n"
		"# The 3 rules below with -S and perm but without arch mean "
		"what -w and rules without arch always\n"
		"# meant: calls of b64 and of b32, by number. Names are those "
		"of b64.\n"
		"# Numbers before the names are calls of b32 alone: open (5), "
		"chmod (15), renameat2 (353).\n"
		"# Names whose number is another call of b32, which counts "
		"where perm lets it through: fstat is\n"
		"# open.\n";

	ck_assert_msg(!strncmp(text, wanted, strlen(wanted)), "%s", text);
	has(text, "\n# Numbers that are no call yet: ");
	if (target_call_name(x86, ABI_NATIVE, 452))
		has(text, "do not know the name: fchmodat2 (452).\n");
	ck_assert_ptr_null(strstr(text, "never rule"));
	ck_assert_ptr_null(strstr(text, "sends signals"));
	text = set_text("path=/x perm=wa calls=open,tkill\n", NULL);
	has(text, "# tkill sends signals, and perm lets none ");
	text = set_text("uid=0 calls=open,tkill\npath=/x perm=wa\n", NULL);
	ck_assert_ptr_null(strstr(text, "sends signals"));
	text = set_text("never calls=read,getpid\n", NULL);
	has(text, "# A never rule without arch and perm ");
	ck_assert_ptr_null(strstr(text, "alone"));
	ck_assert_ptr_null(strstr(text, "always meant"));
	/* nothing to tell */
	text = set_text("arch=b32 calls=open\ncalls=open\n"
			"never arch=b64 calls=read\npath=/x perm=wa\n",
			NULL);
	ck_assert_msg(!strncmp(text, "# line t.rules:2\n", 17), "%s", text);
}
END_TEST

/* RULE's comment, if it stands for no line. */
static const char *added_comment(const char *spec)
{
	struct ruleset *set = mk_ruleset(arena, x86, spec);
	struct controls none = {0};
	struct emit_options options = {.comments = true, .native_only = true};
	char *text;
	size_t size;

	set->rule[0]->origin.count = 0;
	text = emit_ruleset(arena, set, &none, input_of("1\n"), &options,
			    &size);
	text = strstr(text, "# added: ");
	ck_assert_ptr_nonnull(text);
	text += strlen("# added: ");
	/* one sentence, as it was before it was broken into lines */
	*strstr(text, "\n-a ") = '\0';
	for (char *end; (end = strstr(text, "\n# ")) != NULL;)
		memmove(end, end + 2, strlen(end + 2) + 1), *end = ' ';
	return text;
}

/* An added rule with a condition says which calls it is for. */
START_TEST(test_added)
{
	ck_assert_str_eq(added_comment("never arch=b64 calls=read"),
			 "whatever could log these calls stands in front");
	ck_assert_str_eq(
		added_comment("never arch=b64 calls=read auid=unset success=1"),
		"whatever could log these calls stands in front when the task has "
		"no auid and they succeed");
	ck_assert_str_eq(added_comment("never arch=b64 calls=openat a2=0"),
			 "whatever could log these calls stands in front when they "
			 "open for reading, with these flags");
	ck_assert_str_eq(
		added_comment("never arch=b64 calls=open exit<=2147483647"),
		"whatever could log these calls stands in front when they give no "
		"error; exit<=2147483647 is exit>=0, no error, as the kernel "
		"compares it without sign");
	ck_assert_str_eq(added_comment("never arch=b64 calls=open uid=5"),
			 "whatever could log these calls stands in front when its "
			 "conditions hold");
	ck_assert_str_eq(added_comment("arch=b64 calls=open exit=-13"),
			 "a later rule, for calls whose walk ends before it");
}
END_TEST

/* A range with holes says what is left. */
START_TEST(test_values)
{
	const char *text = set_text(
		"calls=open exit>=-13 exit<=-11 exit!=-12\n"
		"calls=open exit>=-13 exit<=-1\n"
		"calls=open uid>=5 uid<=7 pers=1\n"
		"calls=open auid>=1000 auid!=unset exit!=-1 exit!=-2\n",
		NULL);

	has(text, "# line t.rules:2; exit is -EACCES or -EAGAIN, as the kernel "
		  "compares it without sign\n");
	has(text, "# line t.rules:3\n");
	has(text, "# line t.rules:4; uid is 5, 6 or 7\n");
	has(text, "# line t.rules:5\n");
}
END_TEST

/* Dropped rules are told, a line each, and where the old file was. */
START_TEST(test_dropped)
{
	static const uint32_t line[] = {0, 1, 2};
	struct ruleset *set = mk_ruleset(arena, x86, "calls=open");
	const struct emit_dropped dropped[] = {
		{.what = {.line = &line[1], .count = 1},
		 .because = {.line = &line[0], .count = 1},
		 .why = "shadowed by"},
		{.what = {.line = &line[2], .count = 1},
		 .why = "no call can match it"}};
	struct controls none = {0};
	struct emit_options options = {
		.comments = true, .dropped = dropped, .drops = 2};
	size_t size;

	has(emit_ruleset(arena, set, &none, input_of("1\n2\n3\n"), &options,
			 &size),
	    "\n# dropped: t.rules:2: shadowed by line 1\n"
	    "# dropped: t.rules:3: no call can match it\n");
	options.replaces = true;
	has(emit_ruleset(arena, set, &none, input_of("1\n2\n3\n"), &options,
			 &size),
	    "# line 2 of the old file\n-a always,exit -S open\n"
	    "# dropped: line 2 of the old file: shadowed by line 1\n");
	options.comments = false;
	ck_assert_str_eq(emit_ruleset(arena, set, &none, input_of("1\n2\n3\n"),
				      &options, &size),
			 "-a always,exit -S open\n");
}
END_TEST

/* Where no b32 program runs nothing is told of b32, by auditctl neither. */
START_TEST(test_native_only)
{
	struct ruleset *set = mk_ruleset(arena, x86,
					 "path=/x perm=x calls=execve\n"
					 "path=/x perm=wa calls=open,15\n"
					 "arch=b64 calls=open\n"
					 "calls=openat2\ncalls=kill\n");
	struct controls none = {0};
	struct emit_options options = {.native_only = true, .comments = true};
	const char *text;
	size_t size;

	text = emit_ruleset(arena, set, &none, input_of("1\n2\n3\n4\n5\n6\n"),
			    &options, &size);
	ck_assert_str_eq(text,
			 "# A number in a -S before the one with names keeps "
			 "auditctl from warning of names in rules\n"
			 "# without arch.\n"
			 "# line t.rules:2\n"
			 "-a always,exit -S 59 -S execve -F path=/x -p x\n"
			 "# line t.rules:3\n"
			 "-a always,exit -S 2 -S open,rt_sigreturn -F path=/x "
			 "-p wa\n"
			 "# line t.rules:4\n"
			 "-a always,exit -F arch=b64 -S open\n"
			 "# line t.rules:5\n"
			 "-a always,exit -S openat2\n"
			 "# line t.rules:6\n"
			 "-a always,exit -S 62 -S kill\n");
	ck_assert(!remarked(text));
}
END_TEST

/* Lists are kept in order, and so is -q between them. */
START_TEST(test_epochs)
{
	struct ruleset *set = mk_ruleset(arena, x86,
					 "task epoch=1\ncalls=open epoch=0\n"
					 "calls=kill epoch=1");
	struct controls none = {0};
	struct emit_options options = {0};
	struct input *input = input_of("1\n2\n3\n");
	size_t size;

	ck_assert_str_eq(
		emit_ruleset(arena, set, &none, input, &options, &size),
		"-a always,exit -S open\n-a always,task\n"
		"-a always,exit -S kill\n");
	set->rule[1]->epoch = 2;
	ck_assert_ptr_null(
		emit_ruleset(arena, set, &none, input, &options, &size));
}
END_TEST

/* What could end a comment's line would turn its rest into a command. */
START_TEST(test_comments_are_harmless)
{
	struct reading *r = read_text("-a never,exit -S open\n"
				      "-a never,exit -S nosuchcall\n"
				      "-a never,exit -S close\n",
				      versions[0], true);
	struct left_out bad = {.line = 1, .text = "x\n-D", .why = "y\n-D"};
	const char *text;

	r->input->line[0].file = "a\n-D";
	r->input->line[2].file = "a\n-D";
	r->actions.left = &bad;
	r->actions.lefts = 1;
	text = all_of(r, true, "h\r\n-D");
	ck_assert_ptr_null(strstr(text, "\n-D"));
	ck_assert_ptr_nonnull(strstr(text, "# left out of t.rules:2: y\\x0a-D\n"
					   "# x\\x0a-D\n"
					   "# line a\\x0a-D:3\n"));
	ck_assert_ptr_nonnull(strstr(text, "# h\\x0d\n# -D\n"));
	/* long ones are cut */
	bad.text = arena_alloc(arena, 8000);
	memset((char *)bad.text, '\t', 7999);
	check_lines(all_of(r, true, NULL));
}
END_TEST

/* A line that was left out stands there as it was, to be found and copied. */
START_TEST(test_left_out_lines)
{
	static const char bad[] =
		"-a always,exit -F arch=b64 -S no_such_call -F auid>=1000 "
		"-F auid!=unset -F path=/usr/bin/a-rather-long-name -k a-key";
	char *source = arena_printf(arena,
				    "-a never,exit -S open\n%s\n"
				    "-a never,exit -S close\r\n"
				    "-a\talways,exit -S kill\n"
				    "-w /%05000d -k k\n",
				    bad, 0);
	struct reading *r = read_text(source, versions[0], true);
	const char *text = all_of(r, true, NULL), *cut;

	ck_assert_msg(strstr(text, arena_printf(arena, "\n# %s\n", bad)) !=
			      NULL,
		      "%s", text);
	ck_assert_ptr_nonnull(strstr(text, "\n# left out t.rules:2: "));
	ck_assert_ptr_nonnull(
		strstr(text, "\n# -a never,exit -S close\\x0d\n"));
	ck_assert_ptr_nonnull(strstr(text, "\n# -a<TAB>always,exit -S kill\n"));
	cut = strstr(text, "\n# -w /0000");
	ck_assert_ptr_nonnull(cut);
	ck_assert_uint_gt(strcspn(cut + 1, "\n"), 3900);
	check_lines(text);
}
END_TEST

START_TEST(test_origin)
{
	static const uint32_t lines[] = {0, 2, 3, 4, 6, 7, 8};
	struct input *input = input_of("1\n2\n3\n4\n5\n6\n7\n8\n9\n");
	struct origin origin = {.line = lines, .count = 7};

	ck_assert_str_eq(emit_origin(arena, input, origin),
			 "t.rules:1,3-5,7-9");
	input->line[7].file = "u";
	ck_assert_str_eq(emit_origin(arena, input, origin),
			 "t.rules:1,3-5,7, u:8, t.rules:9");
	origin.count = 0;
	ck_assert_str_eq(emit_origin(arena, input, origin), "");
}
END_TEST

/* Two rules that text cannot keep apart: the second would stop the load. */
START_TEST(test_no_line_twice)
{
	struct ruleset *set =
		mk_ruleset(arena, x86,
			   "arch=b64 perm=wa perm=r dir=/a\nperm=wa perm=r "
			   "arch=b64 dir=/a");
	struct controls none = {0};
	struct emit_options options = {0};
	size_t size;

	ck_assert_str_eq(
		emit_ruleset(arena, set, &none, input_of("1\n2\n"), &options,
			     &size),
		"-a always,exit -F perm=wa -F perm=r -F arch=b64 -S all "
		"-F dir=/a\n");
}
END_TEST

START_TEST(test_unwritable_set)
{
	struct ruleset *set = mk_ruleset(arena, x86, "uid=0\nperm!=wa");
	struct controls none = {0};
	struct emit_options options = {0};
	size_t size;

	ck_assert_ptr_null(emit_ruleset(arena, set, &none, input_of("1\n2\n"),
					&options, &size));
}
END_TEST

static const char *const corpus[] = {
	"bfuzzy-attack",
	"gnxsecurity",
	"neo23x0",
	"rhel7-stig-template",
	"sekoia",
	"so-stig",
	"userspace-20-dont-audit",
	"userspace-21-no32bit",
	"userspace-22-ignore-chrony",
	"userspace-30-ospp-v42",
	"userspace-30-pci-dss-v31",
	"userspace-30-stig",
	"userspace-42-injection",
	"userspace-43-module-load",
	"userspace-44-installers",
	"userspace-71-networking",
};

/* Public rule sets: each rule comes back, and the second writing is the first.
 */
START_TEST(test_corpus)
{
	const char *top = getenv("AUDITOPT_SRCDIR");
	const char *path = arena_printf(arena, "%s/../shared/corpus/%s.rules",
					top ? top : ".", corpus[_i]);
	FILE *file = fopen(path, "r");
	char *text = arena_alloc(arena, 1 << 20);
	struct reading *r;
	const char *first;

	if (!file) {
		printf("skipped: %s is not there\n", path);
		return;
	}
	text[fread(text, 1, (1 << 20) - 1, file)] = '\0';
	fclose(file);
	r = read_text(text, versions[0], true);
	for (size_t i = 0; i < r->loaded.set->count; i++) {
		ck_assert_ptr_nonnull(
			emit_rule(arena, x86, r->loaded.set->rule[i]));
		round_trip(r->loaded.set->rule[i]);
	}
	r->actions.lefts = 0;
	first = all_of(r, false, NULL);
	check_lines(first);
	for (int v = 0; v < VERSIONS; v++) {
		struct reading *again = read_text(first, versions[v], false);

		ck_assert_uint_eq(diagnostics_count(again->diag, DIAG_ERROR),
				  0);
		ck_assert_str_eq(all_of(again, false, NULL), first);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("emit");
	TCase *tc = tcase_create("emit");
	SRunner *runner;
	int failed, count = sizeof(forms) / sizeof(*forms);

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, test_forms, 0, count);
	tcase_add_loop_test(tc, test_forms_round_trip, 0, count);
	tcase_add_test(tc, test_escapes);
	tcase_add_test(tc, test_word_limit);
	tcase_add_test(tc, test_split);
	tcase_add_loop_test(tc, test_mismatch, 0,
			    sizeof(mismatches) / sizeof(*mismatches));
	tcase_add_test(tc, test_users_lists);
	tcase_add_test(tc, test_split_by_number);
	tcase_add_test(tc, test_too_long);
	tcase_add_loop_test(tc, test_random_round_trip, 0, 100);
	tcase_add_test(tc, test_controls);
	tcase_add_test(tc, test_legend);
	tcase_add_test(tc, test_added);
	tcase_add_test(tc, test_values);
	tcase_add_test(tc, test_dropped);
	tcase_add_test(tc, test_native_only);
	tcase_add_test(tc, test_epochs);
	tcase_add_test(tc, test_comments_are_harmless);
	tcase_add_test(tc, test_left_out_lines);
	tcase_add_test(tc, test_origin);
	tcase_add_test(tc, test_no_line_twice);
	tcase_add_test(tc, test_unwritable_set);
	tcase_add_loop_test(tc, test_corpus, 0,
			    sizeof(corpus) / sizeof(*corpus));
	suite_add_tcase(suite, tc);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
