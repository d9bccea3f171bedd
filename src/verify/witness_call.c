/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Of an event that is made of answers: the call, its arguments, its result, and
 * who makes it.
 */
#include "verify/witness_making.h"

#include "model/audit_names.h"
#include "model/call_names.h"
#include "model/perm.h"

static bool is_bits(enum field_op op)
{
	return op == OP_BIT_MASK || op == OP_BIT_TEST;
}

bool making_limits(const struct making *m, uint32_t field, uint32_t *low,
		   uint32_t *high)
{
	bool any = false;

	*low = 0;
	*high = UINT32_MAX;
	for (size_t i = 0; i < levels(m); i++) {
		const struct question *q = question(m, i);

		if (q->kind != ASK_BELOW || q->field->number != field ||
		    !m->answer[i])
			continue;
		any = true;
		if (m->answer[i] == ANSWER_NO && q->value > *low)
			*low = q->value;
		if (m->answer[i] == ANSWER_YES && q->value - 1 < *high)
			*high = q->value - 1;
	}
	return any;
}

static uint32_t with_bits(const struct making *m, uint32_t field,
			  uint32_t value)
{
	for (size_t i = 0; i < levels(m); i++) {
		const struct question *q = question(m, i);

		if (q->kind != ASK_TEST || q->field->number != field ||
		    !is_bits(q->op) || !m->answer[i])
			continue;
		if (m->answer[i] == ANSWER_YES)
			value |= q->op == OP_BIT_TEST ? q->value
						      : q->value & -q->value;
		else
			value &= q->op == OP_BIT_MASK ? ~q->value
						      : ~(q->value & -q->value);
	}
	return value;
}

static uint32_t value_of(struct making *m, uint32_t field, uint32_t otherwise)
{
	uint32_t low, high;

	if (!making_limits(m, field, &low, &high))
		return with_bits(m, field, otherwise);
	if (otherwise >= low && otherwise <= high)
		return with_bits(m, field, otherwise);
	return with_bits(m, field, m->attempt % 2 ? high : low);
}

static void make_ids(struct making *m)
{
	struct event *e = m->event;

	e->auid = value_of(m, AUDIT_LOGINUID, 1000);
	e->uid = value_of(m, AUDIT_UID, 1000);
	e->euid = value_of(m, AUDIT_EUID, 1000);
	e->suid = value_of(m, AUDIT_SUID, 1000);
	e->fsuid = value_of(m, AUDIT_FSUID, 1000);
	e->gid = value_of(m, AUDIT_GID, PLAIN_ID);
	e->egid = value_of(m, AUDIT_EGID, PLAIN_ID);
	e->sgid = value_of(m, AUDIT_SGID, PLAIN_ID);
	e->fsgid = value_of(m, AUDIT_FSGID, PLAIN_ID);
	e->pid = value_of(m, AUDIT_PID, 4242);
	e->ppid = value_of(m, AUDIT_PPID, 4241);
	e->personality = value_of(m, AUDIT_PERS, 0);
	e->session = value_of(m, AUDIT_SESSIONID, 3);
	for (uint32_t i = 0; i < 4; i++)
		e->argv[i] = value_of(m, AUDIT_ARG0 + i, 0);
	e->sockaddr_family = value_of(m, AUDIT_SADDR_FAM, 0);
}

static enum answer answer_to(const struct making *m, enum question_kind kind,
			     uint32_t value)
{
	for (size_t i = 0; i < levels(m); i++)
		if (question(m, i)->kind == kind &&
		    question(m, i)->value == value)
			return m->answer[i];
	return NO_ANSWER;
}

static void make_result(struct making *m)
{
	enum answer none = answer_to(m, ASK_RETURNED, 1);
	enum answer not_failed = answer_to(m, ASK_RETURNED, 2);

	m->event->exit_code = value_of(m, AUDIT_EXIT, 0);
	m->event->result = RESULT_SUCCESS;
	if (none == ANSWER_YES)
		m->event->result = RESULT_NONE;
	else if (not_failed == ANSWER_NO)
		m->event->result = RESULT_FAILURE;
	else if (not_failed == NO_ANSWER &&
		 m->event->exit_code >= (uint32_t)-4095)
		m->event->result = RESULT_FAILURE;
	if (m->event->result == RESULT_FAILURE && m->event->exit_code == 0 &&
	    value_of(m, AUDIT_EXIT, -1u) == -1u)
		m->event->exit_code = (uint32_t)-1;
	m->event->has_sockaddr = answer_to(m, ASK_SOCKADDR, 0) == ANSWER_YES;
}

/* Is a file that is opened with MODE, of open flags, counted as the answers
 * say? */
static bool mode_does(const struct making *m, uint32_t mode)
{
	enum answer read = answer_to(m, ASK_PERM, AUDIT_PERM_READ);
	enum answer write = answer_to(m, ASK_PERM, AUDIT_PERM_WRITE);

	return (!read || (read == ANSWER_YES) == (mode != 1)) &&
	       (!write || (write == ANSWER_YES) == (mode != 0));
}

/* Has VALUE the bits that are asked of FIELD? */
static bool bits_do(const struct making *m, uint32_t field, uint32_t value)
{
	for (size_t i = 0; i < levels(m); i++) {
		const struct question *q = question(m, i);

		if (q->kind == ASK_TEST && q->field->number == field &&
		    is_bits(q->op) && m->answer[i] &&
		    field_compare(value, q->op, q->value) !=
			    (m->answer[i] == ANSWER_YES))
			return false;
	}
	return true;
}

/* The flags argument, so that the kernel counts the call as the answers say; it
 * stays as it is if that will do. If it cannot be, its bits are given up. */
static void make_flags(struct making *m)
{
	uint32_t argument = (uint32_t)m->subject->facts.flags_in;
	uint64_t *flags;

	if (m->subject->facts.flags_in < 0)
		return;
	flags = argument < 4 ? &m->event->argv[argument]
			     : &m->event->open_flags;
	if (mode_does(m, *flags & 3))
		return;
	for (int strict = 1; strict >= 0; strict--)
		for (uint32_t mode = 0; mode <= 3; mode++) {
			uint64_t value = (*flags & ~UINT64_C(3)) + mode;

			if (!mode_does(m, mode) ||
			    (strict && !bits_do(m, AUDIT_ARG0 + argument,
						(uint32_t)value)))
				continue;
			*flags = value;
			return;
		}
}

static bool perms_right(struct making *m, enum abi abi, int number)
{
	const struct event *e = m->event;

	for (uint32_t bit = 1; bit < 16; bit <<= 1) {
		enum answer answer = answer_to(m, ASK_PERM, bit);

		if (answer && perm_match(m->check->set[BEFORE]->target, abi,
					 number, e->argv, e->open_flags,
					 bit) != (answer == ANSWER_YES))
			return false;
	}
	return true;
}

static bool has_socketcall(const struct target *target,
			   const struct syscall_set *calls)
{
	for (int abi = 0; abi < ABI_COUNT; abi++) {
		int number =
			target_call_number(target, (enum abi)abi, "socketcall");

		if (number >= 0 &&
		    syscall_set_has(calls, (enum abi)abi, number))
			return true;
	}
	return false;
}

/* Do the answers want a name, or a tree that the call met? */
static bool wants_names(const struct making *m)
{
	for (size_t i = 0; i < levels(m); i++) {
		const struct question *q = question(m, i);
		const struct field_test as = {
			.field = q->field, .op = OP_EQ, .value = q->value};

		if (q->kind == ASK_TEST && m->answer[i] == ANSWER_YES &&
		    (q->of_name || q->field->kind == FIELD_LSM_OBJECT ||
		     test_needs_name(&as)))
			return true;
	}
	return false;
}

/* The class's calls; if names are wanted, those that collect some. */
static struct syscall_set possible_calls(const struct making *m)
{
	struct syscall_set calls = m->subject->calls, nameless;

	if (m->subject->filter == AUDIT_FILTER_EXIT && wants_names(m)) {
		nameless = calls_never_collect_names(
			m->check->set[BEFORE]->target);
		syscall_set_subtract(&calls, &nameless);
	}
	return calls;
}

/* One of the class's calls that the kernel counts as the answers say; those
 * that have a name rather than others. */
static void make_call(struct making *m)
{
	const struct target *target = m->check->set[BEFORE]->target;
	unsigned int skip = m->attempt / 4;
	const struct syscall_set calls = possible_calls(m);
	bool any = false;

	if (answer_to(m, ASK_PERM, AUDIT_PERM_WRITE) == ANSWER_YES &&
	    !m->event->argv[0] && has_socketcall(target, &m->subject->calls))
		m->event->argv[0] = 2; /* SYS_BIND */
	for (int named = 1; named >= 0; named--) {
		for (int abi = 0; abi < ABI_COUNT; abi++) {
			const struct syscall_mask *mask = &calls.abi[abi];

			for (int n = syscall_mask_next(mask, 0); n >= 0;
			     n = syscall_mask_next(mask, n + 1)) {
				bool has_name = target_call_name(
					target, (enum abi)abi, n);

				if (has_name != named ||
				    (m->subject->filter == AUDIT_FILTER_EXIT &&
				     !perms_right(m, (enum abi)abi, n)))
					continue;
				m->event->abi = (enum abi)abi;
				m->event->number = n;
				any = true;
				if (skip-- == 0)
					return;
			}
		}
	}
	if (any)
		return;
	for (int abi = ABI_COUNT; abi-- > 0;) {
		int n = syscall_mask_next(&m->subject->calls.abi[abi], 0);

		if (n < 0)
			continue;
		m->event->abi = (enum abi)abi;
		m->event->number = n;
	}
}

void making_call(struct making *m)
{
	make_ids(m);
	make_result(m);
	make_flags(m);
	make_call(m);
}
