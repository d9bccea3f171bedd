/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "frontend/behaviour.h"

#include <libaudit.h>
#include <stdint.h>
#include <stdlib.h>

#define V AUDITCTL_VERSION
#define STILL 0xffffffffU

/* The first version with a behaviour, and the first without it again. Found by
 * comparing the releases of audit-userspace one by one. */
static const struct {
	unsigned int since, until;
} versions[] = {
	[BEHAVES_URING_LIST] = {V(3, 1, 0), STILL},
	[BEHAVES_LIST_LATE] = {V(3, 1, 0), STILL},
	[BEHAVES_EXCLUDE_ANY] = {V(3, 1, 0), STILL},
	[BEHAVES_CR_TAKEN] = {V(3, 1, 1), STILL},
	[BEHAVES_SIGNAL_WORDS] = {V(3, 1, 1), STILL},
	[BEHAVES_PERM_ADDS_CALLS] = {V(3, 1, 3), STILL},
	[BEHAVES_SIGNAL_EXITS] = {V(3, 1, 3), STILL},
	[BEHAVES_LISTS_EXE_NOT] = {V(4, 0, 0), STILL},
	[BEHAVES_PERM_SKIPS_CALLS] = {V(4, 0, 4), STILL},
	[BEHAVES_CONTROL_GOES_ON] = {V(4, 0, 4), STILL},
	[BEHAVES_LACKS_DELETE] = {V(4, 0, 4), V(4, 0, 5)},
	[BEHAVES_PREPEND_DELETES] = {V(4, 0, 4), V(4, 1, 1)},
	[BEHAVES_LONG_HELP] = {V(4, 1, 1), STILL},
	[BEHAVES_POSSIBLE_A] = {V(4, 1, 1), STILL},
	[BEHAVES_POSSIBLE_D] = {V(4, 0, 5), V(4, 1, 4)},
	[BEHAVES_WATCH_EMPTY] = {V(4, 1, 2), STILL},
	[BEHAVES_HELP_IS_FINE] = {V(4, 1, 4), STILL},
	[BEHAVES_ALL_WORDS] = {V(4, 2, 0), STILL},
	[BEHAVES_KEY_CHECKED] = {V(4, 2, 0), STILL},
};

const char *auditctl_version_text(struct arena *arena, unsigned int version)
{
	return arena_printf(arena, "%u.%u.%u", version / 10000,
			    version / 100 % 100, version % 100);
}

bool auditctl_behaves(unsigned int version, enum behaviour behaviour)
{
	return version >= versions[behaviour].since &&
	       version < versions[behaviour].until;
}

unsigned int auditctl_behaves_since(enum behaviour behaviour)
{
	return versions[behaviour].since;
}

/* The first change after VERSION; STILL if there is none. */
static unsigned int change_after(unsigned int version)
{
	unsigned int next = STILL;

	for (size_t b = 0; b < sizeof(versions) / sizeof(versions[0]); b++) {
		if (versions[b].since > version && versions[b].since < next)
			next = versions[b].since;
		if (versions[b].until > version && versions[b].until < next)
			next = versions[b].until;
	}
	return next;
}

unsigned int auditctl_change(size_t i)
{
	unsigned int version = AUDITCTL_OLDEST;

	while (i-- && version != STILL)
		version = change_after(version);
	return version == STILL ? 0 : version;
}

unsigned int auditctl_meaning(size_t i)
{
	/* The last before each change: of the lists (3.1.0), of what perm adds
	 * (3.1.3), of which calls it knows (4.0.4, 4.1.2, 4.2.0; perm_calls.c)
	 * and whether a call that the ABI lacks is an error (4.0.4), of how many
	 * words are read (4.2.0). None is left to those around it: they may
	 * refuse a text that it takes. */
	static const unsigned int meaning[] = {
		AUDITCTL_OLDEST, V(3, 1, 2), V(4, 0, 3),
		V(4, 1, 1),	 V(4, 1, 4), AUDITCTL_NEWEST,
	};

	return i < sizeof(meaning) / sizeof(meaning[0]) ? meaning[i] : 0;
}

unsigned int auditctl_newest_without(enum behaviour behaviour)
{
	unsigned int newest = 0;

	for (size_t i = 0; auditctl_meaning(i); i++)
		if (auditctl_meaning(i) < versions[behaviour].since)
			newest = auditctl_meaning(i);
	return newest;
}

/* Came with audit 3.1; absent, hence NULL, before. */
int audit_name_to_uringop(const char *name) __attribute__((weak));

/* What libaudit notes of the rule that it is building, for auditctl. */
extern int _audit_syscalladded __attribute__((weak));
extern unsigned int _audit_elf __attribute__((weak));

static void forget_rule(void)
{
	if (&_audit_syscalladded)
		_audit_syscalladded = 0;
	if (&_audit_elf)
		_audit_elf = 0;
}

/* Does the linked libaudit add call NUMBER of x86_64 to a rule when it is given
 * arch and the permission LETTER? */
static bool linked_adds(char letter, int number)
{
	struct audit_rule_data *rule = calloc(1, sizeof(*rule));
	char arch[] = "arch=x86_64", perm[] = "perm=?";
	bool adds = false;

	if (!rule)
		return false;
	perm[sizeof(perm) - 2] = letter;
	forget_rule();
	if (audit_rule_fieldpair_data(&rule, arch, AUDIT_FILTER_EXIT) == 0 &&
	    audit_rule_fieldpair_data(&rule, perm, AUDIT_FILTER_EXIT) == 0)
		adds = rule->mask[AUDIT_WORD(number)] &
		       (uint32_t)AUDIT_BIT(number);
	forget_rule();
	free(rule);
	return adds;
}

/* x86_64 numbers of the calls that tell the versions apart. */
enum {
	CALL_EXECVE = 59,
	CALL_EXECVEAT = 322,
	CALL_SETXATTRAT = 463,
	CALL_FILE_GETATTR = 468,
};

unsigned int auditctl_version_linked(void)
{
	if (!linked_adds('x', CALL_EXECVE))
		return audit_name_to_uringop ? V(3, 1, 2) : AUDITCTL_OLDEST;
	if (linked_adds('x', CALL_EXECVEAT))
		return V(4, 2, 0);
	if (linked_adds('r', CALL_FILE_GETATTR))
		return V(4, 1, 4);
	if (linked_adds('a', CALL_SETXATTRAT))
		return V(4, 1, 1);
	return audit_name_to_syscall("fchmodat2", MACH_86_64) >= 0 ? V(4, 0, 3)
								   : V(3, 1, 5);
}
