/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The questions that the rules of two sets ask of a call, and the rules as
 * diagrams over them. For the files of this directory.
 *
 * A value (uid, a0, exit ...) is cut at every constant that some rule compares
 * it with; what can't be known from a value (an exe, a label, some name's
 * owner) is a question of its own, free of all others. That is sound: whatever
 * holds for all answers holds for those that can be. The answers that cannot
 * go together are told by questions_rule_out().
 */
#ifndef AUDITOPT_QUESTION_H
#define AUDITOPT_QUESTION_H

#include "model/rule.h"
#include "verify/diagram.h"

enum question_kind {
	ASK_BELOW,	/* is the value of FIELD below VALUE? */
	ASK_RETURNED,	/* VALUE 1: did the call not return? 2: or succeed? */
	ASK_SOCKADDR,	/* had the call a socket address? */
	ASK_PERM,	/* does the kernel count the call as VALUE, one
			 * AUDIT_PERM_* bit? */
	ASK_TEST,	/* does FIELD OP VALUE or STRING hold, by itself? */
	ASK_CLASS_MASK, /* is the call in the classes VALUE of a mask? */
	ASK_OPERATION,	/* is the operation of a kind below VALUE? */
};

struct question {
	enum question_kind kind;
	const struct field_info *field;
	enum field_op op;
	uint32_t value;
	const char *string;
	bool of_name;	/* of the one name that a bucket walk looks at */
	bool unsettled; /* of a watch that is not known to be path or dir */
};

/* What is known of all calls of a class. */
struct call_facts {
	uint32_t perms; /* AUDIT_PERM_* bits that the kernel may count */
	bool has_arch;	/* arch is asked; else the class has only calls whose
			 * arch all its rules let through */
	uint32_t arch;	/* what it is then; outside of a call 0 */
	int flags_in;	/* which argument holds open flags; 4: none that
			 * rules see, but it opens; -1: it does not */
};

struct questions;

/* All questions of A and B, which keep as they are, and which of the KINDS of
 * io_uring operations it is. */
struct questions *questions_of(struct arena *arena, const struct ruleset *a,
			       const struct ruleset *b, size_t kinds);
void questions_free(struct questions *all);
size_t questions_count(const struct questions *all);
const struct question *question_at(const struct questions *all, size_t level);
const unsigned int *questions_groups(const struct questions *all);
const bool *questions_last(const struct questions *all);
/* The level of ASK_RETURNED 1. */
size_t questions_not_returned(const struct questions *all);

/* When do all tests of RULE hold? AS_BUCKET: for the one name of a bucket walk,
 * an unsettled watch being a path; else in a list, it being a directory. Its
 * mask counts only where it asks for classes, and CALL is not in it IN_MASK. */
diagram rule_diagram(const struct questions *all, struct diagrams *diagrams,
		     const struct rule *rule, bool as_bucket, bool in_mask,
		     const struct call_facts *facts);

/* Is the operation of kind KIND? */
diagram operation_diagram(const struct questions *all,
			  struct diagrams *diagrams, size_t kind);

/* D without answers of which it is known that they cannot go together. */
diagram questions_rule_out(const struct questions *all,
			   struct diagrams *diagrams, diagram d,
			   const struct call_facts *facts);

#endif
