/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rules as text, without the emitter: what is printed about a bug must not
 * depend on what may have it.
 */
#include <libaudit.h>
#include <inttypes.h>
#include <stdio.h>

#include "lib/random_events.h"
#include "lib/random_rules.h"

static const char *filter_name(uint32_t filter)
{
	static const char *const name[] = {"user",	 "task",    "entry",
					   "watch",	 "exit",    "exclude",
					   "filesystem", "io_uring"};

	return filter < sizeof(name) / sizeof(name[0]) ? name[filter] : "?";
}

static const char *op_name(enum field_op op)
{
	switch (op) {
	case OP_EQ:
		return "=";
	case OP_NE:
		return "!=";
	case OP_LT:
		return "<";
	case OP_LE:
		return "<=";
	case OP_GT:
		return ">";
	case OP_GE:
		return ">=";
	case OP_BIT_MASK:
		return "&";
	default:
		return "&=";
	}
}

static void dump_calls(FILE *file, const struct syscall_mask *mask)
{
	unsigned int count = syscall_mask_count(mask);
	const char *comma = "";

	if (count > SYSCALL_MASK_CALLS / 2) {
		fprintf(file, "all");
		if (count < SYSCALL_MASK_CALLS)
			fprintf(file, "-%u", SYSCALL_MASK_CALLS - count);
		return;
	}
	for (int n = syscall_mask_next(mask, 0); n >= 0;
	     n = syscall_mask_next(mask, n + 1)) {
		fprintf(file, "%s%d", comma, n);
		comma = ",";
	}
}

static void dump_test(FILE *file, const struct target *target,
		      const struct field_test *test)
{
	int abi = target_abi_of_elf(target, test->value);

	fprintf(file, " %s%s", test->field->name, op_name(test->op));
	if (test->string)
		fprintf(file, "%s", test->string);
	else if (test->field->kind == FIELD_ARCH && abi >= 0)
		fprintf(file, "%s", target->abi[abi].name);
	else
		fprintf(file, "%d", (int32_t)test->value);
}

void dump_rule(FILE *file, const struct target *target, const struct rule *rule)
{
	fprintf(file, "%s,%s -S ", filter_name(rule->filter),
		rule->action == AUDIT_NEVER ? "never" : "always");
	dump_calls(file, &rule->mask);
	if (rule->mask_classes)
		fprintf(file, " classes=%x", rule->mask_classes);
	for (unsigned int i = 0; i < rule->tests; i++)
		dump_test(file, target, &rule->test[i]);
	if (rule->key)
		fprintf(file, " key=%s", rule->key);
	if (rule->watch_form)
		fprintf(file, " (-w)");
	if (rule->unsettled)
		fprintf(file, " (unsettled)");
	if (rule->epoch)
		fprintf(file, " (epoch %u)", rule->epoch);
	for (size_t i = 0; i < rule->origin.count; i++)
		fprintf(file, "%s%u", i ? "," : " # ", rule->origin.line[i]);
	fprintf(file, "\n");
}

void dump_ruleset(FILE *file, const struct ruleset *set)
{
	for (size_t i = 0; i < set->count; i++) {
		fprintf(file, "%3zu ", i);
		dump_rule(file, set->target, set->rule[i]);
	}
}

static void dump_strings(FILE *file, const char *what, const char *const *list,
			 size_t count)
{
	for (size_t i = 0; i < count; i++)
		fprintf(file, " %s=%s", what, list[i]);
}

static void dump_labels(FILE *file, const struct lsm_truth *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		fprintf(file, " %s%s%s", field_by_number(list[i].field)->name,
			op_name(list[i].op), list[i].string);
}

static void dump_name(FILE *file, const struct event_name *name)
{
	fprintf(file,
		"  name inode=%" PRId64 " dev=%u:%u rdev=%u:%u uid=%u gid=%u "
		"mode=%o",
		(int64_t)name->inode, name->dev_major, name->dev_minor,
		name->rdev_major, name->rdev_minor, name->uid, name->gid,
		name->mode);
	dump_strings(file, "path", name->path, name->paths);
	dump_labels(file, name->label, name->labels);
	fprintf(file, "\n");
}

static void dump_task(FILE *file, const struct event *e)
{
	fprintf(file,
		"  pid=%u ppid=%u pers=%u ses=%u uid=%u euid=%u suid=%u "
		"fsuid=%u auid=%d gid=%u egid=%u sgid=%u fsgid=%u groups=",
		e->pid, e->ppid, e->personality, e->session, e->uid, e->euid,
		e->suid, e->fsuid, (int32_t)e->auid, e->gid, e->egid, e->sgid,
		e->fsgid);
	for (size_t i = 0; i < e->groups; i++)
		fprintf(file, "%s%u", i ? "," : "", e->group[i]);
	dump_strings(file, "exe", e->exe, e->exes);
	dump_labels(file, e->label, e->labels);
	fprintf(file, "%s%s\n", e->task_never ? " task_never" : "",
		e->task_always ? " task_always" : "");
}

void dump_event(FILE *file, const struct target *target, const struct event *e)
{
	static const char *const result[] = {"none", "success", "failure"};
	const char *call = target_call_name(target, e->abi, e->number);

	fprintf(file,
		"  %s %s(%d) a0=%" PRIx64 " a1=%" PRIx64 " a2=%" PRIx64
		" a3=%" PRIx64 " flags=%" PRIx64 " result=%s exit=%d\n",
		target->abi[e->abi].name, call ? call : "?", e->number,
		e->argv[0], e->argv[1], e->argv[2], e->argv[3], e->open_flags,
		result[e->result], (int32_t)e->exit_code);
	dump_task(file, e);
	fprintf(file, "  msgtype=%u", e->msgtype);
	if (e->has_sockaddr)
		fprintf(file, " saddr_fam=%u", e->sockaddr_family);
	dump_strings(file, "dir", e->dir, e->dirs);
	if (e->has_ipc) {
		fprintf(file, " ipc:");
		dump_labels(file, e->ipc_label, e->ipc_labels);
	}
	fprintf(file, "\n");
	for (size_t i = 0; i < e->names; i++)
		dump_name(file, &e->name[i]);
}
