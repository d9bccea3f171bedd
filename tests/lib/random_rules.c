/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/random_draft.h"

static void draft_stig(struct draft *d)
{
	static const uint32_t other[] = {AUDIT_UID, AUDIT_PERM, AUDIT_ARG1,
					 AUDIT_EUID};

	if (random_chance(d->random, 85))
		draft_add_some_arch(d);
	draft_some_mask(d, 5);
	if (random_chance(d->random, 50))
		draft_add(d, AUDIT_EXIT, OP_EQ,
			  (uint32_t)(random_chance(d->random, 50) ? -13 : -1));
	if (random_chance(d->random, 80))
		draft_add(d, AUDIT_LOGINUID, OP_GE,
			  random_chance(d->random, 80) ? 1000 : 500);
	if (random_chance(d->random, 80))
		draft_add(d, AUDIT_LOGINUID, OP_NE, UNSET);
	if (random_chance(d->random, 15))
		draft_add_some_of(d, other, LENGTH(other), 1, 1);
}

static void draft_watch(struct draft *d)
{
	uint32_t place = random_chance(d->random, 50) ? AUDIT_WATCH : AUDIT_DIR;

	draft_all_calls(d);
	draft_add_string(d, place, OP_EQ, draft_string(d->random, AUDIT_WATCH));
	draft_add(d, AUDIT_PERM, OP_EQ, draft_value(d->random, AUDIT_PERM));
	if (random_chance(d->random, 15))
		draft_add(d, AUDIT_LOGINUID, OP_NE, UNSET);
	d->rule->watch_form = d->tests == 2;
}

static void draft_bucket(struct draft *d)
{
	static const uint32_t other[] = {
		AUDIT_PERM,	AUDIT_LOGINUID,	     AUDIT_UID,
		AUDIT_OBJ_UID,	AUDIT_DEVMAJOR,	     AUDIT_EXIT,
		AUDIT_FILETYPE, AUDIT_GID,	     AUDIT_SUCCESS,
		AUDIT_OBJ_TYPE, AUDIT_FIELD_COMPARE,
	};

	if (random_chance(d->random, 50))
		draft_add_some_arch(d);
	if (random_chance(d->random, 50))
		draft_all_calls(d);
	else
		draft_some_mask(d, 4);
	if (random_chance(d->random, 75))
		draft_add_string(d, AUDIT_WATCH, OP_EQ,
				 draft_string(d->random, AUDIT_WATCH));
	else
		draft_add(d, AUDIT_INODE, OP_EQ,
			  draft_value(d->random, AUDIT_INODE));
	draft_add_some_of(d, other, LENGTH(other), 0, 2);
}

static void draft_unsettled(struct draft *d)
{
	uint32_t place = random_chance(d->random, 50) ? AUDIT_WATCH : AUDIT_DIR;

	draft_all_calls(d);
	draft_add_string(d, place, OP_EQ, draft_string(d->random, place));
	draft_add(d, AUDIT_PERM, OP_EQ, draft_value(d->random, AUDIT_PERM));
	if (random_chance(d->random, 25))
		draft_add(d, AUDIT_LOGINUID, OP_NE, UNSET);
	d->rule->unsettled = true;
	d->rule->watch_form = true;
}

static void draft_uring(struct draft *d)
{
	static const uint32_t other[] = {
		AUDIT_UID, AUDIT_LOGINUID, AUDIT_EUID, AUDIT_GID,
		AUDIT_EXE, AUDIT_SUCCESS,  AUDIT_EXIT, AUDIT_SUBJ_TYPE};
	size_t count = 1 + random_below(d->random, 4);

	d->rule->filter = AUDIT_FILTER_URING_EXIT;
	while (count--)
		syscall_mask_add(&d->rule->mask,
				 (int)random_below(d->random, 12));
	if (random_chance(d->random, 15))
		draft_all_calls(d);
	/* an operation in a context of its own has no arch */
	if (random_chance(d->random, 10))
		draft_add_some_arch(d);
	if (random_chance(d->random, 5))
		draft_add(d, AUDIT_INODE, OP_EQ,
			  draft_value(d->random, AUDIT_INODE));
	draft_add_some_of(d, other, LENGTH(other), 0, 3);
}

static void draft_record(struct draft *d)
{
	static const uint32_t known[] = {
		AUDIT_PID,     AUDIT_UID,	AUDIT_GID,
		AUDIT_MSGTYPE, AUDIT_MSGTYPE,	AUDIT_LOGINUID,
		AUDIT_EXE,     AUDIT_SUBJ_TYPE, AUDIT_LOGINUID_SET};

	d->rule->filter = random_chance(d->random, 50) ? AUDIT_FILTER_USER
						       : AUDIT_FILTER_EXCLUDE;
	draft_all_calls(d);
	draft_add_some_of(d, known, LENGTH(known), 0, 3);
	if (random_chance(d->random, 10)) /* not one that these filters know */
		draft_add_some(d, AUDIT_EUID);
}

static void draft_task(struct draft *d)
{
	static const uint32_t fields[] = {
		AUDIT_UID,  AUDIT_GID,	     AUDIT_LOGINUID, AUDIT_PPID,
		AUDIT_EGID, AUDIT_SESSIONID, AUDIT_EXE};

	d->rule->filter = AUDIT_FILTER_TASK;
	draft_all_calls(d);
	draft_add_some_of(d, fields, LENGTH(fields),
			  random_chance(d->random, 90) ? 1 : 0, 3);
}

static void draft_file_system(struct draft *d)
{
	d->rule->filter = AUDIT_FILTER_FS;
	draft_all_calls(d);
	draft_add_some(d, AUDIT_FSTYPE);
	if (random_chance(d->random, 20))
		draft_add_some(d, AUDIT_FSTYPE);
}

/* Styles that are a choice from some fields. */
static const uint32_t fields_excluding[] = {AUDIT_LOGINUID, AUDIT_UID,
					    AUDIT_EXE,	    AUDIT_SUBJ_TYPE,
					    AUDIT_SUCCESS,  AUDIT_DIR};
static const uint32_t fields_exe[] = {AUDIT_EXE, AUDIT_EXE, AUDIT_LOGINUID,
				      AUDIT_SUCCESS};
static const uint32_t fields_compare[] = {
	AUDIT_FIELD_COMPARE, AUDIT_FIELD_COMPARE, AUDIT_EUID, AUDIT_LOGINUID};
static const uint32_t fields_args[] = {AUDIT_ARG0, AUDIT_ARG1, AUDIT_ARG1,
				       AUDIT_ARG2, AUDIT_ARG3, AUDIT_PERM};
static const uint32_t fields_all_calls[] = {AUDIT_LOGINUID, AUDIT_EUID,
					    AUDIT_EXIT, AUDIT_PERM, AUDIT_DIR};
static const uint32_t fields_result[] = {AUDIT_EXIT, AUDIT_EXIT, AUDIT_SUCCESS,
					 AUDIT_SUCCESS, AUDIT_LOGINUID};
static const uint32_t fields_group[] = {AUDIT_GID,   AUDIT_GID,
					AUDIT_EGID,  AUDIT_SGID,
					AUDIT_FSGID, AUDIT_FIELD_COMPARE};
static const uint32_t fields_socket[] = {AUDIT_SADDR_FAM, AUDIT_SADDR_FAM,
					 AUDIT_ARG0, AUDIT_SUCCESS};
static const uint32_t fields_names[] = {
	AUDIT_OBJ_UID,	AUDIT_OBJ_UID,	AUDIT_OBJ_GID,	AUDIT_DEVMAJOR,
	AUDIT_DEVMINOR, AUDIT_FILETYPE, AUDIT_FILETYPE, AUDIT_INODE};
static const uint32_t fields_label[] = {AUDIT_SUBJ_TYPE, AUDIT_SUBJ_USER,
					AUDIT_SUBJ_SEN, AUDIT_OBJ_TYPE,
					AUDIT_OBJ_LEV_LOW};

static const struct {
	const uint32_t *field;
	size_t fields, least, most;
} choice[STYLE_COUNT] = {
	[STYLE_EXCLUDING] = {fields_excluding, LENGTH(fields_excluding), 0, 2},
	[STYLE_EXE] = {fields_exe, LENGTH(fields_exe), 1, 3},
	[STYLE_COMPARE] = {fields_compare, LENGTH(fields_compare), 1, 3},
	[STYLE_ARGS] = {fields_args, LENGTH(fields_args), 1, 3},
	[STYLE_ALL_CALLS] = {fields_all_calls, LENGTH(fields_all_calls), 1, 3},
	[STYLE_RESULT] = {fields_result, LENGTH(fields_result), 1, 3},
	[STYLE_GROUP] = {fields_group, LENGTH(fields_group), 1, 3},
	[STYLE_SOCKET] = {fields_socket, LENGTH(fields_socket), 1, 2},
	[STYLE_NAMES] = {fields_names, LENGTH(fields_names), 1, 3},
	[STYLE_LABEL] = {fields_label, LENGTH(fields_label), 1, 2},
	[STYLE_MIXED] = {draft_any_field, DRAFT_ANY_FIELDS, 0, 5},
	[STYLE_CLASSES] = {fields_result, LENGTH(fields_result), 0, 2},
};

static void draft_choice(struct draft *d, enum style style)
{
	if (style == STYLE_ALL_CALLS ||
	    (style == STYLE_EXCLUDING && random_chance(d->random, 30))) {
		draft_all_calls(d);
	} else {
		draft_add_some_arch(d);
		draft_some_mask(d, 4);
	}
	draft_add_some_of(d, choice[style].field, choice[style].fields,
			  choice[style].least, choice[style].most);
	if (style == STYLE_CLASSES) {
		d->rule->mask = (struct syscall_mask){0};
		d->rule->mask_classes =
			(uint16_t)(1u << random_below(d->random, 10));
	}
}

/* Ranges and holes of one id: what merging and implication live on. */
static void draft_range(struct draft *d)
{
	static const uint32_t ids[] = {AUDIT_UID, AUDIT_UID, AUDIT_EUID,
				       AUDIT_LOGINUID, AUDIT_GID};
	uint32_t id = RANDOM_OF(d->random, ids);

	draft_add_some_arch(d);
	draft_some_mask(d, 4);
	draft_add_some_of(d, &id, 1, 1, 4);
}

static void draft_style(struct draft *d, enum style style)
{
	switch (style) {
	case STYLE_STIG:
		draft_stig(d);
		break;
	case STYLE_WATCH:
		draft_watch(d);
		break;
	case STYLE_BUCKET:
		draft_bucket(d);
		break;
	case STYLE_UNSETTLED:
		draft_unsettled(d);
		break;
	case STYLE_RANGE:
		draft_range(d);
		break;
	case STYLE_URING:
		draft_uring(d);
		break;
	case STYLE_RECORD:
		draft_record(d);
		break;
	case STYLE_TASK:
		draft_task(d);
		break;
	case STYLE_FILESYSTEM:
		draft_file_system(d);
		break;
	default:
		draft_choice(d, style);
	}
}

struct rule *random_rule(struct arena *arena, struct random *random,
			 const struct target *target, enum style style)
{
	struct draft d = draft_new(arena, random, target);
	unsigned int nevers = style == STYLE_EXCLUDING ? 90
			      : style == STYLE_RECORD  ? 50
						       : 12;

	d.rule->action =
		random_chance(random, nevers) ? AUDIT_NEVER : AUDIT_ALWAYS;
	if (d.rule->action == AUDIT_ALWAYS || random_chance(random, 30))
		d.rule->key = draft_key(random);
	draft_style(&d, style);
	if (style == STYLE_RECORD && random_chance(random, 70))
		d.rule->key = NULL;
	if (!d.rule->watch_form && random_chance(random, 25))
		draft_shuffle(&d);
	return draft_finish(&d);
}
