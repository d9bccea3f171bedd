/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The figures of the cost model. All are executed instructions of Linux 6.1 on
 * x86_64, counted under an emulator that counts them, so they are the same on
 * every machine; bench/calibration measures them, and has what was measured.
 * The figures themselves stand in model/price.h, where passes need some of them,
 * and in the field table: what entering a rule costs by the first field that
 * fails. Those of other kernels are in model/price_table.c.
 */
#include "cost/cost.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/price.h"

static const struct cost_constant constants[] = {
	{"context_in_use", PRICE_CONTEXT_IN_USE,
	 "measured: an empty exit list with a counted rule elsewhere, less no "
	 "rules at all (audit_n_rules above zero: no context is a dummy)"},
	{"rule_passed", PRICE_RULE_PASSED,
	 "measured: 60 like rules whose masks lack the call (audit_in_mask)"},
	{"rule_matched", PRICE_RULE_MATCHED,
	 "measured: a lone rule without fields that matches, 917 - 499 less "
	 "context_in_use"},
	{"rule_entered", PRICE_RULE_ENTERED,
	 "derived: 112, a plain first field that fails, less field_further; "
	 "what audit_filter_rules costs beside its fields"},
	{"field_further", PRICE_FIELD_FURTHER,
	 "measured: each further plain field, 60 like rules"},
	{"perm_open", PRICE_PERM_OPEN,
	 "measured: perm=x, a and wa on openat (on open 7 more), less "
	 "rule_entered (audit_match_perm)"},
	{"perm_call", PRICE_PERM_CALL,
	 "measured: perm=x on other calls, less rule_entered"},
	{"perm_class", PRICE_PERM_CLASS,
	 "measured: each class that perm asks until one has the call, "
	 "perm=w, wa and rwxa (audit_match_class)"},
	{"name_owner", PRICE_NAME_OWNER,
	 "measured: obj_uid on calls that collect 1, 2 and 4 names, for each"},
	{"name_type", PRICE_NAME_TYPE,
	 "measured: filetype on calls that collect 1, 2 and 4 names, for each"},
	{"name_alone", PRICE_NAME_ALONE,
	 "measured: rules with inode= in a bucket, less rule_entered "
	 "(audit_filter_inode_name)"},
	{"watched_event", PRICE_WATCHED_EVENT,
	 "measured: pread64, pwrite64 and close of a file, with a watch in "
	 "its file system and without (fsnotify)"},
	{"names_collected", PRICE_NAMES_COLLECTED,
	 "measured: stat, access, openat, chmod and others that look one path "
	 "up, with one rule and with none, less getppid's (audit_getname, "
	 "audit_inode)"},
	{"names_file", PRICE_NAMES_FILE, "measured: fchmod (audit_file)"},
	{"names_create", PRICE_NAMES_CREATE,
	 "measured: creat; two names, the directory and the file"},
	{"names_make", PRICE_NAMES_MAKE,
	 "measured: mkdir, mknod; the directory and the new entry"},
	{"names_remove", PRICE_NAMES_REMOVE,
	 "measured: unlink, rmdir; the directory and the entry"},
	{"names_link", PRICE_NAMES_LINK, "measured: link; three names"},
	{"names_symlink", PRICE_NAMES_SYMLINK,
	 "measured: symlink; three names, the text is one"},
	{"names_rename", PRICE_NAMES_RENAME, "measured: rename; four names"},
};

const struct cost_constant *cost_constant_row(unsigned int i)
{
	return i < sizeof(constants) / sizeof(constants[0]) ? &constants[i]
							    : NULL;
}

double cost_constant(const char *name)
{
	const struct cost_constant *row;

	for (unsigned int i = 0; (row = cost_constant_row(i)); i++) {
		if (!strcmp(row->name, name))
			return row->instructions;
	}
	fprintf(stderr, "auditopt: no cost constant is called %s\n", name);
	exit(4);
}
