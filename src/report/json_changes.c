/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What was changed, by which pass, and why. */
#include "report/changes.h"
#include "report/json_value.h"

/* Numbers of operations have no names here. */
static json_t *taken_value(struct arena *arena, const struct target *target,
			   const struct change *c)
{
	json_t *value = json_array();

	if (syscall_mask_empty(&c->taken))
		return value;
	if (!c->taken_abis)
		json_array_append_new(
			value, json_pack("{s:n,s:[],s:o}", "abi", "names",
					 "numbers", ranges_value(&c->taken)));
	for (int abi = 0; abi < ABI_COUNT; abi++)
		if (c->taken_abis & 1 << abi)
			json_array_append_new(
				value,
				json_pack("{s:o,s:o,s:o}", "abi",
					  text_value(arena,
						     target->abi[abi].name),
					  "names",
					  names_value(arena, target,
						      (enum abi)abi, &c->taken),
					  "numbers", ranges_value(&c->taken)));
	return value;
}

static json_t *change_value(struct arena *arena, const struct report *report,
			    const struct change *c)
{
	return json_pack("{s:o,s:o,s:o,s:o,s:I,s:I,s:I,s:o}", "pass",
			 text_value(arena, c->pass), "text",
			 text_value(arena, c->text), "lines",
			 lines_value(arena, report->input, c->what), "because",
			 lines_value(arena, report->input, c->because),
			 "rules_dropped", (json_int_t)c->rules_dropped,
			 "rules_added", (json_int_t)c->rules_added,
			 "calls_dropped", (json_int_t)c->calls_dropped, "calls",
			 taken_value(arena, report->target, c));
}

json_t *changes_value(struct arena *arena, const struct report *report)
{
	json_t *value = json_array();

	for (size_t i = 0; report->log && i < report->log->count; i++)
		json_array_append_new(
			value,
			change_value(arena, report, &report->log->item[i]));
	return value;
}

json_t *idle_value(struct arena *arena, const struct report *report)
{
	struct idle_rules idle = report_idle_rules(arena, report);
	json_t *value = json_array();

	for (size_t i = 0; i < idle.count; i++) {
		const struct idle_rule *rule = &idle.item[i];
		const struct change *c = rule->change;

		json_array_append_new(
			value,
			json_pack("{s:o,s:o,s:o,s:o,s:b}", "lines",
				  lines_value(arena, report->input, c->what),
				  "because",
				  lines_value(arena, report->input, c->because),
				  "reason", text_value(arena, rule->reason),
				  "key", text_value(arena, rule->key),
				  "key_lost", (int)rule->key_lost));
	}
	return value;
}
