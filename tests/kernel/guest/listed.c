/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "guest/listed.h"

#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void append(struct listed *listed, const void *rule, size_t size)
{
	void *copy = malloc(size);

	if (!copy || listed->count == LISTED_MOST) {
		puts("listed: too many rules");
		exit(1);
	}
	memcpy(copy, rule, size);
	listed->item[listed->count].rule = copy;
	listed->item[listed->count++].size = size;
}

bool listed_get(struct listed *listed, int fd)
{
	int sequence = audit_request_rules_list_data(fd);
	struct pollfd pollfd = {fd, POLLIN, 0};
	struct audit_reply reply;

	listed->count = 0;
	while (sequence > 0 && poll(&pollfd, 1, 60000) > 0) {
		if (audit_get_reply(fd, &reply, GET_REPLY_NONBLOCKING, 0) <= 0)
			continue;
		if (reply.nlh->nlmsg_seq != (unsigned int)sequence)
			continue;
		if (reply.type == NLMSG_DONE)
			return true;
		if (reply.type == AUDIT_LIST_RULES)
			append(listed, reply.ruledata,
			       sizeof(*reply.ruledata) +
				       reply.ruledata->buflen);
	}
	puts("listed: the kernel does not tell its rules");
	return false;
}

size_t listed_read(struct listed *listed, void *file, size_t count)
{
	static char rule[sizeof(struct audit_rule_data) + 65536];
	uint32_t size;

	listed->count = 0;
	while (listed->count < count && fread(&size, sizeof(size), 1, file)) {
		if (size > sizeof(rule) || fread(rule, size, 1, file) != 1) {
			puts("listed: a damaged file");
			exit(1);
		}
		append(listed, rule, size);
	}
	return listed->count;
}

void listed_free(struct listed *listed)
{
	for (size_t i = 0; i < listed->count; i++)
		free(listed->item[i].rule);
	listed->count = 0;
}

/* The last AUDIT_SYSCALL_CLASSES bits stand for classes of calls. */
#define CLASS_WORD (AUDIT_BITMASK_SIZE - 1)
#define CLASS_BITS 0xffff0000u

/* In a mask with class bits the kernel may have more calls than were sent. */
static bool same_mask(const struct audit_rule_data *want,
		      const struct audit_rule_data *got)
{
	uint32_t classes = want->mask[CLASS_WORD] & CLASS_BITS;

	for (int i = 0; i < AUDIT_BITMASK_SIZE; i++) {
		uint32_t was = want->mask[i], is = got->mask[i];

		if (i == CLASS_WORD)
			was &= ~CLASS_BITS;
		if (classes && classes != CLASS_BITS)
			is &= was;
		if (was != is)
			return false;
	}
	return true;
}

static bool same(const struct listed *want, size_t w, const struct listed *got,
		 size_t g)
{
	const struct audit_rule_data *a = want->item[w].rule;
	const struct audit_rule_data *b = got->item[g].rule;
	size_t before = offsetof(struct audit_rule_data, mask);
	size_t after = before + sizeof(a->mask);

	return want->item[w].size == got->item[g].size &&
	       (a->flags & ~(uint32_t)AUDIT_FILTER_PREPEND) == b->flags &&
	       !memcmp((const char *)a + sizeof(a->flags),
		       (const char *)b + sizeof(a->flags),
		       before - sizeof(a->flags)) &&
	       same_mask(a, b) &&
	       !memcmp((const char *)a + after, (const char *)b + after,
		       want->item[w].size - after);
}

static void print_rule(const char *what, size_t place,
		       const struct audit_rule_data *rule)
{
	unsigned int calls = 0;

	for (int i = 0; i < AUDIT_BITMASK_SIZE; i++)
		calls += (unsigned int)__builtin_popcount(rule->mask[i]);
	printf("%s %zu: filter %u action %u, %u calls", what, place,
	       rule->flags, rule->action, calls);
	for (uint32_t i = 0; i < rule->field_count && i < AUDIT_MAX_FIELDS; i++)
		printf(", %u %x %x", rule->fields[i], rule->fieldflags[i],
		       rule->values[i]);
	printf(", %.*s\n", (int)rule->buflen, rule->buf);
}

static size_t compare(const struct listed *want, const struct listed *got,
		      size_t printed)
{
	size_t most = want->count > got->count ? want->count : got->count;
	size_t different = 0;

	for (size_t i = 0; i < most; i++) {
		if (i < want->count && i < got->count && same(want, i, got, i))
			continue;
		if (++different > printed)
			continue;
		if (i < want->count)
			print_rule("  wanted", i, want->item[i].rule);
		if (i < got->count)
			print_rule("  listed", i, got->item[i].rule);
	}
	return different;
}

size_t listed_compare(const struct listed *want, const struct listed *got)
{
	return compare(want, got, 3);
}

size_t listed_differ(const struct listed *want, const struct listed *got)
{
	return compare(want, got, 0);
}

bool listed_delete_all(int fd)
{
	static struct listed listed;
	bool good = listed_get(&listed, fd);

	for (size_t i = 0; i < listed.count; i++) {
		struct audit_rule_data *rule = listed.item[i].rule;

		good &= audit_delete_rule_data(fd, rule, (int)rule->flags,
					       (int)rule->action) > 0;
	}
	listed_free(&listed);
	return good;
}
