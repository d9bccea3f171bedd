/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the kernel's source says of single calls: which of them can collect no
 * file name, and what can log while they run. For the calls of which at least
 * one is known; call_names.h and self_log.h answer with it.
 */
#ifndef AUDITOPT_CALL_FACTS_H
#define AUDITOPT_CALL_FACTS_H

#include <stddef.h>
#include <stdint.h>

#include "model/abi.h"
#include "model/syscall_set.h"

/* What calls do, and what follows; static texts. */
struct call_work {
	const char *no_names; /* why they collect no name; NULL: they may */
	const char *no_hook;  /* why nothing logs, of those that ask nothing */
};

struct call_fact {
	const char *name;
	const struct call_work *work;
	uint32_t asks; /* what security modules are asked on its way (ASKS_* of
			* self_log.h); a bit that is none of these: it may log
			* whatever modules there are */
};

/* Row I of the table, from 0; NULL past the end. */
const struct call_fact *call_fact_at(size_t i);

/* What is known of call NUMBER of ABI, which is looked up by its name, or NULL:
 * nothing is, or the call has no name. */
const struct call_fact *call_fact_of(const struct target *target, enum abi abi,
				     int number);

/* Adds to SET the calls of row FACT, in each ABI of TARGET that has one. */
void call_fact_add(const struct call_fact *fact, const struct target *target,
		   struct syscall_set *set);

#endif
