/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is asked while a call runs is in call_facts.c.
 *
 * Which modules log the answers to which questions: SELinux and Smack to all.
 * AppArmor (security/apparmor/lsm.c) has no hooks for what one task asks of
 * another, but for signals and ptrace. Landlock logs since 6.15, and has no
 * hooks for capabilities and tasks either. The others answer without
 * audit_log_start(): capability, yama, lockdown, loadpin and safesetid use
 * printk, tomoyo a file of its own, bpf programs have no means to. IMA, EVM and
 * IPE are asked by none of the calls there.
 *
 * Three things can log while any call runs, and are none of its doing:
 *   - Death by a signal (ANOM_ABEND, audit_core_dumps) and delayed work of the
 *     task come after audit_syscall_exit: both syscall_exit_work in
 *     kernel/entry/common.c and the copies of arm64 and powerpc close the
 *     context before they look at signals. auditsc_get_stamp then finds no open
 *     context, so such a record has no companions, whatever the rules say.
 *     SECCOMP is logged before the context is opened, with the same result.
 *   - An interrupt borrows the task that it hits: a packet that SELinux denies
 *     in a softirq is logged with that task's context, and its companions then
 *     tell of a call that had nothing to do with it.
 *   - A page fault on the caller's memory may ask capable() in a file system
 *     that is nearly full (ext4_has_free_clusters). The same fault by the
 *     program's own instruction has no context and no companions either.
 */
#include "model/self_log.h"

#include <string.h>

#include "model/call_facts.h"

/* Why a call is silent that asks this, and maybe what stands below it. */
static const struct {
	uint32_t asks;
	const char *why;
} unlogged_why[] = {
	{ASKS_FILE,
	 "asks security modules of an open file, and none logs that"},
	{ASKS_SOCKET,
	 "asks security modules of the socket, and none logs that"},
	{ASKS_IPC, "asks security modules of the queue, and none logs that"},
	{ASKS_TASK,
	 "asks security modules of another task, and none logs that"},
	{ASKS_SIGNAL,
	 "asks security modules of the signal, and none logs that"},
	{ASKS_PTRACE,
	 "asks security modules as ptrace does, and none logs that"},
	{ASKS_CAPABLE,
	 "asks for a capability at most, and no module logs that"},
};

#define QUESTIONS (sizeof(unlogged_why) / sizeof(unlogged_why[0]))

static const struct {
	const char *name;
	uint32_t logs;
} modules[] = {
	{"none", 0},
	{"selinux", ASKS_ALL},
	{"smack", ASKS_ALL},
	{"apparmor", ASKS_ALL & ~ASKS_TASK},
	{"landlock", ASKS_ALL & ~ASKS_TASK & ~ASKS_CAPABLE},
	{"capability", 0},
	{"yama", 0},
	{"lockdown", 0},
	{"loadpin", 0},
	{"safesetid", 0},
	{"tomoyo", 0},
	{"bpf", 0},
	{"integrity", 0},
	{"ima", 0},
	{"evm", 0},
	{"ipe", 0},
};

#define MODULES (sizeof(modules) / sizeof(modules[0]))

const char *security_module_name(size_t i)
{
	return i < MODULES ? modules[i].name : NULL;
}

/* What the module whose name is the first LENGTH bytes of TEXT logs; -1: there
 * is no such one. */
static int64_t logged_by(const char *text, size_t length)
{
	for (size_t i = 0; i < MODULES; i++)
		if (strlen(modules[i].name) == length &&
		    strncmp(modules[i].name, text, length) == 0)
			return modules[i].logs;
	return -1;
}

uint32_t asks_unlogged(const char *list, const char **unknown)
{
	uint32_t unlogged = ASKS_ALL;

	*unknown = NULL;
	for (;;) {
		size_t length = strcspn(list, ",");
		int64_t logs = logged_by(list, length);

		if (logs < 0) {
			*unknown = list;
			return 0;
		}
		unlogged &= ~(uint32_t)logs;
		if (!list[length])
			return unlogged;
		list += length + 1;
	}
}

/* Why the call is silent; NULL: it may not be. */
static const char *why_silent(const struct call_fact *fact, uint32_t unlogged)
{
	if (!fact || fact->asks & ~unlogged)
		return NULL;
	for (size_t i = 0; i < QUESTIONS; i++)
		if (fact->asks & unlogged_why[i].asks)
			return unlogged_why[i].why;
	return fact->work->no_hook;
}

bool call_can_self_log_with(const struct target *target, enum abi abi,
			    int number, uint32_t unlogged, const char **why)
{
	const char *reason =
		why_silent(call_fact_of(target, abi, number), unlogged);

	if (reason && why)
		*why = reason;
	return !reason;
}

bool call_can_self_log(const struct target *target, enum abi abi, int number,
		       const char **why)
{
	return call_can_self_log_with(target, abi, number, 0, why);
}

struct syscall_set calls_never_self_log_with(const struct target *target,
					     uint32_t unlogged)
{
	struct syscall_set set = {0};
	const struct call_fact *fact;

	for (size_t i = 0; (fact = call_fact_at(i)); i++)
		if (why_silent(fact, unlogged))
			call_fact_add(fact, target, &set);
	return set;
}

struct syscall_set calls_never_self_log(const struct target *target)
{
	return calls_never_self_log_with(target, 0);
}
