/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "frontend/field_pair.h"

#include <libaudit.h>
#include <limits.h>
#include <string.h>
#include <strings.h>

#include "frontend/field_value.h"
#include "model/compare.h"

/* Takes PAIR apart at the operator that libaudit finds: the first kind of this
 * list that occurs at all, wherever. */
static bool split(struct builder *b, const char *pair, struct pair *p)
{
	static const struct {
		const char *text;
		uint32_t op;
	} ops[] = {
		{"!=", AUDIT_NOT_EQUAL},
		{">=", AUDIT_GREATER_THAN_OR_EQUAL},
		{"<=", AUDIT_LESS_THAN_OR_EQUAL},
		{"&=", AUDIT_BIT_TEST},
		{"=", AUDIT_EQUAL},
		{">", AUDIT_GREATER_THAN},
		{"<", AUDIT_LESS_THAN},
		{"&", AUDIT_BIT_MASK},
	};

	for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
		const char *found = strstr(pair, ops[i].text);

		if (!found)
			continue;
		p->op = ops[i].op;
		p->symbol = ops[i].text;
		p->symbol_offset = (size_t)(found - pair);
		p->name = arena_strndup(b->arena, pair, p->symbol_offset);
		p->value_offset = p->symbol_offset + strlen(ops[i].text);
		p->value = pair + p->value_offset;
		return true;
	}
	return false;
}

/* The fields that exclude takes before audit 3.1. */
static bool exclude_takes(int field)
{
	static const int fields[] = {
		AUDIT_PID,	 AUDIT_UID,	  AUDIT_GID,
		AUDIT_LOGINUID,	 AUDIT_MSGTYPE,	  AUDIT_SUBJ_USER,
		AUDIT_SUBJ_ROLE, AUDIT_SUBJ_TYPE, AUDIT_SUBJ_SEN,
		AUDIT_SUBJ_CLR,	 AUDIT_EXE};

	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		if (fields[i] == field)
			return true;
	return false;
}

static void show_list(struct builder *b, struct diagnostic *d)
{
	if (!b->list_word)
		return;
	d->other = builder_list_at(b);
	d->other_what = "the list is given here";
}

static bool filter_takes(struct builder *b, const struct pair *p,
			 const struct pair_row *row)
{
	uint32_t filter = builder_filter(b);
	unsigned int filters = row->filters;
	bool any_on_exclude = builder_behaves(b, BEHAVES_EXCLUDE_ANY);

	if (p->field == AUDIT_PERM && any_on_exclude)
		filters |= ON_EXCLUDE;
	/* -F key= without a list counts as the list user (setopt's flags = 0)
	 */
	if (filters & FILTER_BIT(filter) &&
	    (filter != AUDIT_FILTER_EXCLUDE || any_on_exclude ||
	     exclude_takes(p->field)))
		return true;
	show_list(b, builder_fault(b, "field-not-in-list", pair_name_at(b, p),
				   "%s cannot be used in the list %s", p->name,
				   builder_filter_name(filter)));
	return false;
}

static bool operator_fits(struct builder *b, const struct pair *p,
			  const struct pair_row *row)
{
	if (row->ops == OPS_ANY || p->op == AUDIT_EQUAL ||
	    (row->ops == OPS_EQUALITY && p->op == AUDIT_NOT_EQUAL))
		return true;
	builder_fault(b, "bad-operator", pair_operator_at(b, p),
		      "%s takes only %s", p->name,
		      row->ops == OPS_EQUAL ? "=" : "= and !=");
	return false;
}

static bool add_string(struct builder *b, const struct pair *p)
{
	struct audit_rule_data *rule = b->rule;
	size_t length = strlen(p->value);

	if (length > (p->field == AUDIT_FILTERKEY ? AUDIT_MAX_KEY_LEN
						  : PATH_MAX) ||
	    rule->buflen + length > b->room) {
		builder_fault(b, "value-too-long", pair_value_at(b, p),
			      "the value of %s is too long", p->name);
		return false;
	}
	rule->values[rule->field_count] = (uint32_t)length;
	memcpy(rule->buf + rule->buflen, p->value, length);
	rule->buflen += (uint32_t)length;
	if (p->field == AUDIT_WATCH || p->field == AUDIT_DIR)
		b->perm_added = true;
	if (p->field == AUDIT_EXE)
		b->exe_added = true;
	return true;
}

static bool key_may_stand(struct builder *b, const struct pair *p)
{
	if (p->field != AUDIT_FILTERKEY || b->syscall_added || b->perm_added ||
	    b->exe_added || b->fs_added)
		return true;
	builder_fault(b, "key-position", p->word->at,
		      "a key needs a call, path, dir, perm, exe or fstype in "
		      "its rule")
		->advice = "add -S all, or leave the key out";
	return false;
}

/* No more fields than 63, though the kernel takes 64. */
static bool has_room(struct builder *b, const struct option_word *word)
{
	if (b->rule->field_count < AUDIT_MAX_FIELDS - 1)
		return true;
	builder_fault(b, "too-many-fields", word->at,
		      "a rule takes at most %d fields", AUDIT_MAX_FIELDS - 1);
	return false;
}

/* Names that other tools or other people have for fields. */
static const struct {
	const char *name, *advice;
} field_advice[] = {
	{"user", "write auid= for who logged in, uid= for who the program runs "
		 "as"},
	{"username", "write auid= for who logged in, uid= for who the program "
		     "runs as"},
	{"group", "write gid= for the group that the program runs as"},
	{"syscall", "write system calls with -S"},
	{"call", "write system calls with -S"},
	{"file", "write path= for a file, dir= for a directory and all below "
		 "it"},
	{"name", "write path= for a file, dir= for a directory and all below "
		 "it"},
	{"directory", "write dir= for a directory and all below it"},
	{"comm", "there is no field for the name of the command: write exe= "
		 "and its path"},
	{"cmd", "write exe= and the path of the program"},
	{"command", "write exe= and the path of the program"},
	{"program", "write exe= and the path of the program"},
	{"permission", "write perm= and letters out of rwxa"},
	{"type", "write msgtype= for the type of a record, filetype= for that "
		 "of a file"},
	{"session", "write sessionid="},
	{"ses", "write sessionid="},
	{"res", "write success=1 or success=0"},
	{"result", "write success=1 or success=0"},
};

static void unknown_field(struct builder *b, struct position at,
			  const char *name)
{
	struct diagnostic *d = builder_fault(b, "unknown-field", at,
					     "there is no field \"%s\"", name);

	for (size_t i = 0;
	     !d->advice && i < sizeof(field_advice) / sizeof(*field_advice);
	     i++)
		if (strcasecmp(field_advice[i].name, name) == 0)
			d->advice = field_advice[i].advice;
	if (!d->advice)
		d->advice = builder_suggest(b, lookup_nearest_field(name));
	if (!d->advice)
		d->advice = "auditctl(8) lists the fields under -F";
}

static bool name_is_known(struct builder *b, struct pair *p)
{
	p->field = audit_name_to_field(p->name);
	if (p->field >= 0)
		return true;
	unknown_field(b, pair_name_at(b, p), p->name);
	return false;
}

/* A pair with an operator between a name and a value? */
static bool is_complete(struct builder *b, const struct option_word *word,
			const char *pair, bool good, const struct pair *p)
{
	struct position at =
		p->in_word || !good ? word->value_at : pair_operator_at(b, p);

	if (!good)
		builder_fault(b, "bad-operator", at, "\"%s\" has no operator",
			      pair)
			->advice = "write it as field, operator, value: "
				   "auid>=1000";
	else if (!*p->name)
		builder_fault(b, "unknown-field", at,
			      "\"%s\" has no field before the operator", pair);
	else if (!*p->value)
		builder_fault(b, "bad-value", at,
			      "\"%s\" has no value behind the operator", pair);
	else
		return true;
	return false;
}

bool field_pair_add(struct builder *b, const struct option_word *word,
		    const char *pair)
{
	struct audit_rule_data *rule = b->rule;
	struct pair p = {.word = word, .in_word = pair == word->value};
	const struct pair_row *row;
	uint32_t number = 0;

	if (!has_room(b, word) ||
	    !is_complete(b, word, pair, split(b, pair, &p), &p) ||
	    !name_is_known(b, &p))
		return false;
	row = pair_row_of(p.field);
	if (!filter_takes(b, &p, row) || !operator_fits(b, &p, row) ||
	    !key_may_stand(b, &p))
		return false;
	if (row->is_string) {
		if (!add_string(b, &p))
			return false;
	} else {
		if (!row->value(b, &p, &number))
			return false;
		rule->values[rule->field_count] = number;
	}
	if (p.field == AUDIT_PERM)
		b->perm_added = true;
	b->field_at[rule->field_count] = word->value_at;
	rule->fields[rule->field_count] = (uint32_t)p.field;
	rule->fieldflags[rule->field_count] = p.op;
	rule->field_count++;
	return true;
}

/* Comparisons of two fields */

static bool compare_split(struct builder *b, const char *pair, struct pair *p)
{
	const char *found = strstr(pair, "!=");

	p->op = found ? AUDIT_NOT_EQUAL : AUDIT_EQUAL;
	p->symbol = found ? "!=" : "=";
	if (!found)
		found = strchr(pair, '=');
	if (!found)
		return false;
	p->symbol_offset = (size_t)(found - pair);
	p->value_offset = p->symbol_offset + strlen(p->symbol);
	p->name = arena_strndup(b->arena, pair, p->symbol_offset);
	p->value = pair + p->value_offset;
	return true;
}

bool field_compare_add(struct builder *b, const struct option_word *word,
		       const char *pair)
{
	struct audit_rule_data *rule = b->rule;
	struct pair p = {.word = word, .in_word = pair == word->value};
	const struct comparison *comparison;
	int right;

	if (!has_room(b, word) ||
	    !is_complete(b, word, pair, compare_split(b, pair, &p), &p) ||
	    !name_is_known(b, &p))
		return false;
	right = audit_name_to_field(p.value);
	if (right < 0) {
		unknown_field(b, pair_value_at(b, &p), p.value);
		return false;
	}
	if (builder_filter(b) != AUDIT_FILTER_EXIT) {
		show_list(b, builder_fault(b, "field-not-in-list", word->at,
					   "-C can only be used in the list "
					   "exit"));
		return false;
	}
	comparison = comparison_between((uint32_t)p.field, (uint32_t)right);
	if (!comparison) {
		builder_fault(b, "bad-comparison", word->value_at,
			      "%s and %s cannot be compared", p.name, p.value)
			->advice = "user ids compare with user ids, group ids "
				   "with group ids";
		return false;
	}
	b->field_at[rule->field_count] = word->value_at;
	rule->fields[rule->field_count] = AUDIT_FIELD_COMPARE;
	rule->fieldflags[rule->field_count] = p.op;
	rule->values[rule->field_count] = comparison->code;
	rule->field_count++;
	return true;
}

bool field_perm_update(struct builder *b, const struct option_word *word,
		       uint32_t perm)
{
	struct audit_rule_data *rule = b->rule;
	bool found = false;

	if (rule->field_count < 1) {
		builder_fault(b, "perm-position", word->at,
			      "-p needs a watch or a field before it")
			->advice = "write -F perm= instead";
		return false;
	}
	for (unsigned int i = 0; i < rule->field_count; i++)
		if (rule->fields[i] == AUDIT_PERM) {
			rule->values[i] = perm;
			b->field_at[i] = word->value_at;
			found = true;
		}
	if (!found) {
		if (!has_room(b, word))
			return false;
		b->field_at[rule->field_count] = word->value_at;
		rule->fields[rule->field_count] = AUDIT_PERM;
		rule->fieldflags[rule->field_count] = AUDIT_EQUAL;
		rule->values[rule->field_count] = perm;
		rule->field_count++;
	}
	b->perm_added = true;
	return true;
}
