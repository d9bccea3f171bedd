/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "frontend/field_value.h"

#include <ctype.h>
#include <errno.h>
#include <libaudit.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

#include "frontend/calls.h"
#include "frontend/field_pair.h"

struct position pair_name_at(const struct builder *b, const struct pair *p)
{
	return p->in_word ? option_value_part(b->input, p->word, 0,
					      strlen(p->name))
			  : p->word->value_at;
}

struct position pair_operator_at(const struct builder *b, const struct pair *p)
{
	return p->in_word
		       ? option_value_part(b->input, p->word, p->symbol_offset,
					   strlen(p->symbol))
		       : p->word->value_at;
}

struct position pair_value_at(const struct builder *b, const struct pair *p)
{
	return p->in_word ? option_value_part(b->input, p->word,
					      p->value_offset, strlen(p->value))
			  : p->word->value_at;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Numbers. libaudit reads as far as strtoul() and strtol() go and keeps 32
 * bits, whatever follows. */

static void warn_number(struct builder *b, const struct pair *p,
			const char *end, uint32_t number, bool fits)
{
	const char *digits = p->value + (*p->value == '-');

	if (end[0] == '\r' && !end[1])
		return; /* the parser tells of those */
	if (*end)
		builder_warn(b, "number-cut", pair_value_at(b, p),
			     "\"%s\" is no number; auditctl reads it as %u",
			     p->value, number);
	else if (!fits)
		builder_warn(b, "number-cut", pair_value_at(b, p),
			     "%s does not fit in 32 bits; auditctl makes it %u",
			     p->value, number);
	else if (digits[0] == '0' && is_digit(digits[1]) &&
		 strtoul(digits, NULL, 10) != strtoul(digits, NULL, 0))
		builder_warn(b, "octal-number", pair_value_at(b, p),
			     "%s begins with 0, so it is octal: %u", p->value,
			     number);
}

static bool read_unsigned(struct builder *b, const struct pair *p,
			  uint32_t *number)
{
	unsigned long value;
	char *end;

	errno = 0;
	value = strtoul(p->value, &end, 0);
	*number = (uint32_t)value;
	warn_number(b, p, end, *number, !errno && value <= UINT32_MAX);
	return true;
}

static bool read_signed(struct builder *b, const struct pair *p,
			uint32_t *number)
{
	char *end;
	long value;

	errno = 0;
	value = strtol(p->value, &end, 0);
	*number = (uint32_t)value;
	warn_number(b, p, end, *number,
		    !errno && value >= INT32_MIN && value <= UINT32_MAX);
	return true;
}

static bool is_negative(const char *text)
{
	return text[0] == '-' && is_digit(text[1]);
}

static bool not_a_number(struct builder *b, const struct pair *p)
{
	struct diagnostic *d =
		builder_fault(b, "bad-value", pair_value_at(b, p),
			      "\"%s\" is no value for %s, which takes a number",
			      p->value, p->name);

	if (p->field == AUDIT_SUCCESS)
		d->advice = "write success=1 for calls that succeed, success=0 "
			    "for those that fail";
	return false;
}

/* Values by kind of field */

static bool value_plain(struct builder *b, const struct pair *p,
			uint32_t *number)
{
	if (!is_digit(*p->value))
		return not_a_number(b, p);
	return read_signed(b, p, number);
}

static bool value_inode(struct builder *b, const struct pair *p,
			uint32_t *number)
{
	if (!is_digit(*p->value))
		return not_a_number(b, p);
	return read_unsigned(b, p, number);
}

static bool value_argument(struct builder *b, const struct pair *p,
			   uint32_t *number)
{
	if (is_negative(p->value))
		return read_signed(b, p, number);
	return value_inode(b, p, number);
}

/* Anything that is no number counts as 0: libaudit leaves the value alone. */
static bool value_session(struct builder *b, const struct pair *p,
			  uint32_t *number)
{
	if (is_digit(*p->value))
		return read_unsigned(b, p, number);
	if (is_negative(p->value))
		return read_signed(b, p, number);
	if (strcmp(p->value, "unset") == 0) {
		*number = UINT32_MAX;
		return true;
	}
	builder_warn(b, "number-cut", pair_value_at(b, p),
		     "\"%s\" is no session; auditctl reads it as 0", p->value);
	*number = 0;
	return true;
}

static bool value_family(struct builder *b, const struct pair *p,
			 uint32_t *number)
{
	read_unsigned(b, p, number);
	if (*number < AF_MAX)
		return true;
	builder_fault(b, "bad-value", pair_value_at(b, p),
		      "%s is no address family: they end at %d", p->value,
		      AF_MAX - 1);
	return false;
}

static bool value_user(struct builder *b, const struct pair *p,
		       uint32_t *number)
{
	struct diagnostic *d;

	if (is_digit(*p->value))
		return read_unsigned(b, p, number);
	if (is_negative(p->value))
		return read_signed(b, p, number);
	if (strcmp(p->value, "unset") == 0) {
		*number = UINT32_MAX;
		return true;
	}
	if (lookup_user(b->lookup, p->value, number))
		return true;
	d = builder_fault(b, "unknown-user", pair_value_at(b, p),
			  "there is no user \"%s\"%s%s", p->value,
			  b->options->root[0] ? " in the passwd file under "
					      : " on this system",
			  b->options->root);
	d->advice =
		builder_suggest(b, lookup_nearest_user(b->lookup, p->value));
	if (!d->advice)
		d->advice = "create the user, write its number, or leave the "
			    "rule out where there is no such user";
	return false;
}

static bool value_group(struct builder *b, const struct pair *p,
			uint32_t *number)
{
	struct diagnostic *d;

	if (is_digit(*p->value))
		return read_signed(b, p, number);
	if (lookup_group(b->lookup, p->value, number))
		return true;
	d = builder_fault(b, "unknown-group", pair_value_at(b, p),
			  "there is no group \"%s\"%s%s", p->value,
			  b->options->root[0] ? " in the group file under "
					      : " on this system",
			  b->options->root);
	d->advice =
		builder_suggest(b, lookup_nearest_group(b->lookup, p->value));
	if (!d->advice)
		d->advice = "create the group, write its number, or leave the "
			    "rule out where there is no such group";
	return false;
}

static bool value_exit(struct builder *b, const struct pair *p,
		       uint32_t *number)
{
	struct diagnostic *d;

	if (is_digit(*p->value) || is_negative(p->value))
		return read_signed(b, p, number);
	*number = (uint32_t)audit_name_to_errno(p->value);
	if (*number) {
		if (*p->value != '-')
			builder_warn(b, "positive-errno", pair_value_at(b, p),
				     "a system call that fails returns -%s, "
				     "and %s is %u",
				     p->value, p->value, *number)
				->advice =
				arena_printf(b->arena, "write %s%s-%s", p->name,
					     p->symbol, p->value);
		return true;
	}
	d = builder_fault(b, "bad-value", pair_value_at(b, p),
			  "\"%s\" is neither a number nor the name of an error",
			  p->value);
	d->advice = builder_suggest(b, lookup_nearest_errno(p->value));
	return false;
}

static bool value_msgtype(struct builder *b, const struct pair *p,
			  uint32_t *number)
{
	struct diagnostic *d;
	int type;

	if (is_digit(*p->value))
		return read_signed(b, p, number);
	type = audit_name_to_msg_type(p->value);
	*number = (uint32_t)type;
	if (type > 0)
		return true;
	d = builder_fault(b, "bad-value", pair_value_at(b, p),
			  "\"%s\" is no type of audit record that this "
			  "libaudit knows",
			  p->value);
	d->advice =
		builder_suggest(b, lookup_nearest_msgtype(b->lookup, p->value));
	return false;
}

static bool value_filetype(struct builder *b, const struct pair *p,
			   uint32_t *number)
{
	struct diagnostic *d;
	int type = audit_name_to_ftype(p->value);

	*number = (uint32_t)type;
	if (type >= 0)
		return true;
	d = builder_fault(b, "bad-value", pair_value_at(b, p),
			  "\"%s\" is no type of file", p->value);
	d->advice = builder_suggest(b, lookup_nearest_filetype(p->value));
	if (!d->advice)
		d->advice = "it is one of file, dir, link, socket, fifo, "
			    "block, character";
	return false;
}

static bool value_fstype(struct builder *b, const struct pair *p,
			 uint32_t *number)
{
	if (is_digit(*p->value))
		read_unsigned(b, p, number);
	else
		*number = (uint32_t)audit_name_to_fstype(p->value);
	if (*number == UINT32_MAX) {
		builder_fault(b, "bad-value", pair_value_at(b, p),
			      "\"%s\" is no type of file system that this "
			      "libaudit knows",
			      p->value)
			->advice = "tracefs and debugfs have names; others are "
				   "written as their magic number, as "
				   "stat -f -c %t shows it";
		return false;
	}
	b->fs_added = true;
	return true;
}

static void arch_too_late(struct builder *b, const struct pair *p)
{
	struct diagnostic *d = builder_fault(
		b, "arch-after-syscall", pair_name_at(b, p),
		b->call_word || b->watch_form
			? "arch stands behind the calls, whose names have been "
			  "looked up without it"
			: "a second arch stands behind perm, whose calls have "
			  "been added for the first one");

	if (b->watch_form)
		d->advice = "a watch takes no arch; write the rule with -a and "
			    "-F path= or -F dir=";
	else if (b->call_word)
		d->advice = "move -F arch= before -S; -F perm= may stay in "
			    "front of it";
	else
		d->advice = "leave the second -F arch= out, or write a rule "
			    "for each";
}

static bool value_arch(struct builder *b, const struct pair *p,
		       uint32_t *number)
{
	struct diagnostic *d;
	unsigned long value;
	const char *near;

	if (b->syscall_added) {
		arch_too_late(b, p);
		return false;
	}
	if (is_digit(*p->value)) {
		errno = 0;
		value = strtoul(p->value, NULL, 0);
		*number = !errno && audit_elf_to_machine((uint32_t)value) >= 0
				  ? (uint32_t)value
				  : 0;
	} else {
		*number = lookup_arch(b->lookup, p->value);
	}
	b->elf = *number;
	if (*number)
		return true;
	d = builder_fault(b, "unknown-arch", pair_value_at(b, p),
			  "\"%s\" is no machine that a rule for %s can name",
			  p->value, b->options->target->name);
	near = lookup_nearest_arch(p->value);
	d->advice = near && strcasecmp(near, p->value) == 0
			    ? "leave the rule out: that machine has no such "
			      "calls"
			    : builder_suggest(b, near);
	return false;
}

bool field_perm_letters(struct builder *b, const struct option_word *word,
			size_t offset, const char *text, uint32_t *perm)
{
	static const char letters[] = "rwxa";
	static const uint32_t bits[] = {AUDIT_PERM_READ, AUDIT_PERM_WRITE,
					AUDIT_PERM_EXEC, AUDIT_PERM_ATTR};

	*perm = 0;
	if (strlen(text) > 4) {
		builder_fault(
			b, "bad-value",
			option_value_part(b->input, word, offset, strlen(text)),
			"\"%s\" is too long: at most the four letters "
			"rwxa",
			text);
		return false;
	}
	for (size_t i = 0; text[i]; i++) {
		const char *found =
			strchr(letters, tolower((unsigned char)text[i]));

		if (!found) {
			builder_fault(b, "bad-value",
				      option_value_part(b->input, word,
							offset + i, 1),
				      "'%c' is no permission", text[i])
				->advice = "r is read, w write, x execute, "
					   "a attribute change";
			return false;
		}
		*perm |= bits[found - letters];
	}
	return true;
}

static bool value_perm(struct builder *b, const struct pair *p,
		       uint32_t *number)
{
	if (!field_perm_letters(b, p->word, p->value_offset, p->value, number))
		return false;
	if (b->elf) {
		b->perm_word = p->word;
		b->perm_adding |= *number;
	}
	if (!b->elf || !builder_behaves(b, BEHAVES_PERM_ADDS_CALLS))
		return true;
	for (uint32_t bit = AUDIT_PERM_EXEC; bit <= AUDIT_PERM_ATTR;
	     bit <<= 1) {
		const char *missing =
			*number & bit ? calls_add_perm(b, bit) : NULL;

		if (missing) {
			builder_fault(
				b, "perm-calls-missing", pair_value_at(b, p),
				"this auditctl adds its own list of "
				"calls for perm, and %s has no %s, which "
				"is in it",
				lookup_arch_name(b->lookup, b->elf), missing)
				->advice = "write perm before arch: then no "
					   "version adds calls";
			return false;
		}
	}
	b->syscall_added = true;
	return true;
}

static const struct pair_row rows[] = {
	{AUDIT_UID, ANYWHERE, OPS_ANY, false, value_user},
	{AUDIT_EUID, ANYWHERE, OPS_ANY, false, value_user},
	{AUDIT_SUID, ANYWHERE, OPS_ANY, false, value_user},
	{AUDIT_FSUID, ANYWHERE, OPS_ANY, false, value_user},
	{AUDIT_LOGINUID, ANYWHERE, OPS_ANY, false, value_user},
	{AUDIT_OBJ_UID, ANYWHERE, OPS_ANY, false, value_user},
	{AUDIT_GID, ANYWHERE, OPS_ANY, false, value_group},
	{AUDIT_EGID, ANYWHERE, OPS_ANY, false, value_group},
	{AUDIT_SGID, ANYWHERE, OPS_ANY, false, value_group},
	{AUDIT_FSGID, ANYWHERE, OPS_ANY, false, value_group},
	{AUDIT_OBJ_GID, ANYWHERE, OPS_ANY, false, value_group},
	{AUDIT_EXIT, ON_EXIT, OPS_ANY, false, value_exit},
	{AUDIT_MSGTYPE, ON_EXCLUDE | ON_USER, OPS_ANY, false, value_msgtype},
	{AUDIT_OBJ_USER, ON_EXIT, OPS_ANY, true, NULL},
	{AUDIT_OBJ_ROLE, ON_EXIT, OPS_ANY, true, NULL},
	{AUDIT_OBJ_TYPE, ON_EXIT, OPS_ANY, true, NULL},
	{AUDIT_OBJ_LEV_LOW, ON_EXIT, OPS_ANY, true, NULL},
	{AUDIT_OBJ_LEV_HIGH, ON_EXIT, OPS_ANY, true, NULL},
	{AUDIT_WATCH, ON_EXIT, OPS_ANY, true, NULL},
	{AUDIT_DIR, ON_EXIT, OPS_ANY, true, NULL},
	{AUDIT_SUBJ_USER, ANYWHERE, OPS_ANY, true, NULL},
	{AUDIT_SUBJ_ROLE, ANYWHERE, OPS_ANY, true, NULL},
	{AUDIT_SUBJ_TYPE, ANYWHERE, OPS_ANY, true, NULL},
	{AUDIT_SUBJ_SEN, ANYWHERE, OPS_ANY, true, NULL},
	{AUDIT_SUBJ_CLR, ANYWHERE, OPS_ANY, true, NULL},
	{AUDIT_FILTERKEY, ANYWHERE, OPS_ANY, true, NULL},
	{AUDIT_EXE, ANYWHERE, OPS_EQUALITY, true, NULL},
	{AUDIT_ARCH, ANYWHERE, OPS_EQUALITY, false, value_arch},
	{AUDIT_PERM, ON_EXIT, OPS_EQUAL, false, value_perm},
	{AUDIT_FILETYPE, ON_EXIT, OPS_ANY, false, value_filetype},
	{AUDIT_FSTYPE, ON_FS, OPS_EQUALITY, false, value_fstype},
	{AUDIT_ARG0, ANYWHERE, OPS_ANY, false, value_argument},
	{AUDIT_ARG1, ANYWHERE, OPS_ANY, false, value_argument},
	{AUDIT_ARG2, ANYWHERE, OPS_ANY, false, value_argument},
	{AUDIT_ARG3, ANYWHERE, OPS_ANY, false, value_argument},
	{AUDIT_SESSIONID, ON_EXIT | ON_USER | ON_EXCLUDE, OPS_ANY, false,
	 value_session},
	{AUDIT_SADDR_FAM, ANYWHERE, OPS_ANY, false, value_family},
	{AUDIT_DEVMAJOR, ON_EXIT, OPS_ANY, false, value_plain},
	{AUDIT_DEVMINOR, ON_EXIT, OPS_ANY, false, value_plain},
	{AUDIT_INODE, ON_EXIT, OPS_EQUALITY, false, value_inode},
	{AUDIT_SUCCESS, ON_EXIT, OPS_ANY, false, value_plain},
	{AUDIT_PPID, ON_EXIT, OPS_ANY, false, value_plain},
};

/* pid, pers, field_compare and what a newer libaudit may add. */
static const struct pair_row row_of_others = {0, ANYWHERE, OPS_ANY, false,
					      value_plain};

const struct pair_row *pair_row_of(int field)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].field == field)
			return &rows[i];
	return &row_of_others;
}
