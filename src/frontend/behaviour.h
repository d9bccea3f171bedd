/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What changed in auditctl and libaudit from version to version, as far as it
 * changes what a line means or whether it is accepted. Every such version
 * number is here or in the tables of behaviour.c, but for those of single calls
 * (perm_calls.c, calls.c).
 */
#ifndef AUDITOPT_BEHAVIOUR_H
#define AUDITOPT_BEHAVIOUR_H

#include <stdbool.h>
#include <stddef.h>

#include "util/arena.h"

/* A version of auditctl as a number: 30009 is 3.0.9. */
#define AUDITCTL_VERSION(major, minor, patch) \
	((major)*10000 + (minor)*100 + (patch))

/* The oldest and the newest release of audit-userspace that was compared with
 * the others: what auditctl did before, or will do after, is not known. */
#define AUDITCTL_OLDEST AUDITCTL_VERSION(3, 0, 9)
#define AUDITCTL_NEWEST AUDITCTL_VERSION(4, 2, 1)

/* "3.1.3" for AUDITCTL_VERSION(3, 1, 3); in ARENA. */
const char *auditctl_version_text(struct arena *arena, unsigned int version);

enum behaviour {
	BEHAVES_URING_LIST,   /* the list io_uring and its operations */
	BEHAVES_LIST_LATE,    /* an unknown list behind an action is left to
			       * the kernel to refuse */
	BEHAVES_EXCLUDE_ANY,  /* exclude takes every field, perm included */
	BEHAVES_CR_TAKEN,     /* augenrules takes the CR from a line's end */
	BEHAVES_SIGNAL_WORDS, /* --signal stop, reload, rotate, resume, state */
	BEHAVES_PERM_ADDS_CALLS, /* -F perm= behind an arch adds calls */
	BEHAVES_SIGNAL_EXITS,	 /* a bad --signal ends auditctl, -i or not */
	BEHAVES_LISTS_EXE_NOT,	 /* -l prints exe!= for such a field, no exe= */
	BEHAVES_PERM_SKIPS_CALLS, /* ... but only those that the ABI has */
	BEHAVES_CONTROL_GOES_ON,  /* words after --reset-lost and
				   * --loginuid-immutable are looked at */
	BEHAVES_LACKS_DELETE,	  /* -d is an invalid option */
	BEHAVES_PREPEND_DELETES,  /* -A deletes the rule */
	BEHAVES_LONG_HELP,	  /* --help is an option */
	BEHAVES_POSSIBLE_A,   /* words after -A list,possible are looked at */
	BEHAVES_POSSIBLE_D,   /* words after -d list,possible are looked at */
	BEHAVES_WATCH_EMPTY,  /* -w and -W refuse calls given before them */
	BEHAVES_HELP_IS_FINE, /* -h is no error */
	BEHAVES_ALL_WORDS,    /* no word of a line is left out, however many */
	BEHAVES_KEY_CHECKED,  /* keys with the separator are refused, also too
			       * long ones of -D -k and -l -k */
};

/* Does auditctl of that version (AUDITCTL_VERSION()) behave so? */
bool auditctl_behaves(unsigned int version, enum behaviour behaviour);

/* The first version that behaves so. */
unsigned int auditctl_behaves_since(enum behaviour behaviour);

/* The newest version with a meaning of its own (auditctl_meaning()) that does not
 * behave so yet; 0 if none does. */
unsigned int auditctl_newest_without(enum behaviour behaviour);

/* One version for each way in which they read lines, from the oldest one that
 * is known: that one for I 0, then in their order each that something in the
 * table began or ended with; 0 past the end. */
unsigned int auditctl_change(size_t i);

/* One version for each meaning that a rule's text has, as far as they all take
 * it, from the oldest to the newest: I from 0; 0 past the end. */
unsigned int auditctl_meaning(size_t i);

/* The version that goes with the libaudit this program is linked to, by its
 * behaviour and symbols; at least AUDITCTL_OLDEST. */
unsigned int auditctl_version_linked(void);

#endif
