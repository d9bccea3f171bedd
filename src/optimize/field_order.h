/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The order of a rule's conditions, for passes that make rules.
 */
#ifndef AUDITOPT_FIELD_ORDER_H
#define AUDITOPT_FIELD_ORDER_H

#include "optimize/facts.h"

/* The tests of RULE, which stands or will stand in the exit list, in the order
 * in which pass_field_order leaves them: RULE's own where that pass leaves the
 * rule alone. As many as RULE has; they live in the arena of FACTS's set or are
 * RULE's. */
const struct field_test *field_order_of(const struct facts *facts,
					const struct rule *rule);

#endif
