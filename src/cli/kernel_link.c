/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/kernel_link.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#define REPLY_MILLISECONDS 10000
/* For some thousand rules. The kernel waits with rules for which there is no
 * room, but not with the acknowledgement of the request, which is then lost. */
#define ROOM_BYTES (16 << 20)
#define LISTING_TRIES 5

static int request(struct kernel_link *link, int type)
{
	switch (type) {
	case AUDIT_GET:
		return audit_request_status(link->fd);
	case AUDIT_GET_FEATURE:
		return audit_request_features(link->fd);
	default:
		return audit_request_rules_list_data(link->fd);
	}
}

static int receive(struct kernel_link *link, struct audit_reply *reply)
{
	struct pollfd pollfd = {link->fd, POLLIN, 0};

	for (;;) {
		int ready = poll(&pollfd, 1, REPLY_MILLISECONDS), got;

		if (ready < 0 && errno == EINTR)
			continue;
		if (ready <= 0)
			return ready < 0 ? errno : ETIMEDOUT;
		got = audit_get_reply(link->fd, reply, GET_REPLY_NONBLOCKING,
				      0);
		/* what is lost or too long will not come again */
		if (got == -ENOBUFS || got == -EFBIG || got == -EBADE)
			return -got;
		if (got > 0)
			return 0;
	}
}

int kernel_link_open(struct kernel_link *link)
{
	const int room = ROOM_BYTES;

	*link = (struct kernel_link){request, receive, audit_open()};
	if (link->fd < 0)
		return errno;
	/* without it there is less room */
	(void)setsockopt(link->fd, SOL_SOCKET, SO_RCVBUFFORCE, &room,
			 sizeof(room));
	return 0;
}

void kernel_link_close(struct kernel_link *link)
{
	if (link->fd >= 0)
		audit_close(link->fd);
	link->fd = -1;
}

/* The next message that answers the request SEQUENCE. Returns 0 or an errno. */
static int next_reply(struct kernel_link *link, int sequence,
		      struct audit_reply *reply)
{
	int error;

	do
		error = link->receive(link, reply);
	while (!error && reply->nlh->nlmsg_seq != (unsigned int)sequence);
	return error;
}

/* The answer of TYPE to a request of that type. */
static int ask(struct kernel_link *link, int type, struct audit_reply *reply)
{
	int sequence = link->request(link, type), error;

	if (sequence <= 0)
		return sequence ? -sequence : EPROTO;
	do {
		error = next_reply(link, sequence, reply);
		if (!error && reply->type == NLMSG_ERROR && reply->error->error)
			error = -reply->error->error;
	} while (!error && reply->type != type);
	return error;
}

/* How much data REPLY has, as the header says; libaudit has seen to it that so
 * much has come. */
static size_t data_size(const struct audit_reply *reply)
{
	return reply->nlh->nlmsg_len > NLMSG_HDRLEN
		       ? reply->nlh->nlmsg_len - NLMSG_HDRLEN
		       : 0;
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

int kernel_link_status(struct kernel_link *link, struct audit_status *status,
		       size_t *size)
{
	struct audit_reply reply;
	int error = ask(link, AUDIT_GET, &reply);
	size_t told;

	memset(status, 0, sizeof(*status));
	if (error)
		return error;
	told = least(data_size(&reply), sizeof(*status));
	memcpy(status, reply.status, told);
	if (size)
		*size = told;
	return 0;
}

int kernel_link_features(struct kernel_link *link,
			 struct audit_features *features)
{
	struct audit_reply reply;
	int error = ask(link, AUDIT_GET_FEATURE, &reply);

	memset(features, 0, sizeof(*features));
	if (!error)
		memcpy(features, reply.features,
		       least(data_size(&reply), sizeof(*features)));
	return error;
}

static int append(struct kernel_rules *rules, const struct audit_reply *reply)
{
	const struct audit_rule_data *rule = reply->ruledata;
	size_t told = data_size(reply);
	struct audit_rule_data **more, *copy;
	size_t size;

	if (told < sizeof(*rule) || rule->buflen > told - sizeof(*rule))
		return EBADMSG;
	size = sizeof(*rule) + rule->buflen;
	copy = malloc(size);
	more = realloc(rules->rule, (rules->count + 1) * sizeof(*more));
	if (more)
		rules->rule = more;
	if (!copy || !more) {
		free(copy);
		return ENOMEM;
	}
	memcpy(copy, rule, size);
	rules->rule[rules->count++] = copy;
	return 0;
}

static int list_once(struct kernel_link *link, struct kernel_rules *rules)
{
	int sequence = link->request(link, AUDIT_LIST_RULES), error = 0;
	struct audit_reply reply;

	*rules = (struct kernel_rules){NULL, 0};
	if (sequence <= 0)
		return sequence ? -sequence : EPROTO;
	while (!error) {
		error = next_reply(link, sequence, &reply);
		if (!error && reply.type == NLMSG_DONE)
			return 0;
		if (!error && reply.type == NLMSG_ERROR)
			error = -reply.error->error;
		if (!error && reply.type == AUDIT_LIST_RULES)
			error = append(rules, &reply);
	}
	return error;
}

int kernel_link_list(struct kernel_link *link, struct kernel_rules *rules)
{
	int error = list_once(link, rules);

	for (int i = 1; error == ENOBUFS && i < LISTING_TRIES; i++) {
		kernel_rules_free(rules);
		error = list_once(link, rules);
	}
	return error;
}

void kernel_rules_free(struct kernel_rules *rules)
{
	for (size_t i = 0; i < rules->count; i++)
		free(rules->rule[i]);
	free(rules->rule);
	*rules = (struct kernel_rules){NULL, 0};
}
