/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "oracle_driver.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <libaudit.h>
#include <libgen.h>
#include <limits.h>
#include <linux/netlink.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What libaudit keeps between its functions; exported for auditctl. */
extern unsigned int _audit_elf;
extern int _audit_permadded, _audit_archadded, _audit_syscalladded,
	_audit_exeadded, _audit_filterfsadded;

/* Since 3.1. */
int audit_rule_io_uringbyname_data(struct audit_rule_data *rule,
				   const char *name) __attribute__((weak));

#define SINCE(version, major, minor, patch) \
	((version) >= (major)*10000U + (minor)*100U + (patch))

/* The effects so far */

static FILE *effects;

static void effect_bytes(const char *what, const void *data, size_t size)
{
	const unsigned char *bytes = data;

	fprintf(effects, "%s ", what);
	for (size_t i = 0; i < size; i++)
		fprintf(effects, "%02x", bytes[i]);
	fputc('\n', effects);
}

/* The kernel: sockets whose other end answers at once. */

static int audit_fd = -1;    /* auditctl's own; libaudit opens more */
static int kernel_end[1024]; /* by descriptor; 0: none of these sockets */

static bool is_audit(int fd)
{
	return fd >= 0 && fd < 1024 && kernel_end[fd];
}

int socket(int domain, int type, int protocol)
{
	int pair[2];

	if (domain != PF_NETLINK || protocol != NETLINK_AUDIT)
		return (int)syscall(SYS_socket, domain, type, protocol);
	if (socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) < 0)
		return -1;
	if (pair[0] >= 1024)
		abort();
	if (kernel_end[pair[0]])
		close(kernel_end[pair[0]]);
	kernel_end[pair[0]] = pair[1];
	return pair[0];
}

static void kernel_answers(int fd, int type, const void *data, size_t size)
{
	struct {
		struct nlmsghdr head;
		char data[256];
	} message = {.head = {.nlmsg_type = (uint16_t)type}};

	message.head.nlmsg_len = (uint32_t)NLMSG_LENGTH(size);
	memcpy(message.data, data, size);
	if (send(kernel_end[fd], &message, message.head.nlmsg_len, 0) < 0)
		abort();
}

static void kernel_hears(int fd, const struct nlmsghdr *request)
{
	struct nlmsgerr ack = {0};
	struct audit_status status = {.feature_bitmap = 0xffff}; /* all */
	struct audit_rule_data rule;

	if (request->nlmsg_type == AUDIT_ADD_RULE ||
	    request->nlmsg_type == AUDIT_DEL_RULE) {
		memcpy(&rule, request + 1, sizeof(rule));
		if (rule.flags & ~0x17U)
			ack.error = -EINVAL; /* no such list */
		else
			effect_bytes(request->nlmsg_type == AUDIT_ADD_RULE
					     ? "add"
					     : "delete",
				     request + 1, sizeof(rule) + rule.buflen);
	}
	kernel_answers(fd, NLMSG_ERROR, &ack, sizeof(ack));
	if (request->nlmsg_type == AUDIT_GET)
		kernel_answers(fd, AUDIT_GET, &status, sizeof(status));
}

ssize_t sendto(int fd, const void *data, size_t size, int flags,
	       const struct sockaddr *to, socklen_t to_size)
{
	struct iovec part = {(void *)data, size};
	struct msghdr message = {.msg_name = (void *)to,
				 .msg_namelen = to_size,
				 .msg_iov = &part,
				 .msg_iovlen = 1};

	if (!is_audit(fd))
		return sendmsg(fd, &message, flags);
	kernel_hears(fd, data);
	return (ssize_t)size;
}

ssize_t recvfrom(int fd, void *data, size_t size, int flags,
		 struct sockaddr *from, socklen_t *from_size)
{
	struct iovec part = {data, size};
	struct msghdr message = {.msg_name = from,
				 .msg_namelen = from_size ? *from_size : 0,
				 .msg_iov = &part,
				 .msg_iovlen = 1};
	ssize_t got = recvmsg(fd, &message, flags);

	if (is_audit(fd) && from) {
		memset(from, 0, sizeof(struct sockaddr_nl));
		from->sa_family = AF_NETLINK;
		*from_size = sizeof(struct sockaddr_nl);
	} else if (from_size) {
		*from_size = message.msg_namelen;
	}
	return got;
}

/* setopt() */

enum { DEPRECATED = -3, NO_REPLY = -2, FAILED = -1, REPLY = 0, RULE = 1 };

static struct line_state {
	unsigned int version;
	int add, del, action, exclude, multiple, listed;
	char key[AUDIT_MAX_KEY_LEN + 1];
	struct audit_rule_data *rule;
	int argc, last_c;
	char **argv;
	bool leave; /* return from setopt() at once */
} st;

#define UNSET 0x80

static bool has_filter(int filter)
{
	return (st.add & (7 | UNSET)) == filter ||
	       (st.del & (7 | UNSET)) == filter;
}

static int to_list(const char *text, int *list)
{
	int found = strcmp(text, "io_uring")	 ? audit_name_to_flag(text)
		    : SINCE(st.version, 3, 1, 0) ? 7
						 : -1;

	if (found >= 0 || SINCE(st.version, 3, 1, 0))
		*list = found;
	if (found == AUDIT_FILTER_EXCLUDE)
		st.exclude = 1;
	return found < 0 ? 2 : 0;
}

static int to_action(const char *text)
{
	if (!strcmp(text, "always"))
		st.action = AUDIT_ALWAYS;
	else if (!strcmp(text, "never"))
		st.action = AUDIT_NEVER;
	else
		return strcmp(text, "possible") ? 2 : 1;
	return 0;
}

static int rule_setup(char *text, int *list)
{
	char *second = strchr(text, ',');
	int rc;

	if (st.multiple++)
		return 3;
	if (!second || strchr(second + 1, ','))
		return 2;
	*second++ = 0;
	if (to_action(text) == 2 && (rc = to_list(text, list)))
		return rc;
	if (*list == UNSET)
		to_list(second, list);
	else if ((rc = to_action(second)))
		return rc;
	return *list == UNSET || st.action == -1 ? 2 : 0;
}

static int on_list(int c, char *text, int was)
{
	bool deletes_by_mistake = c == 'A' && SINCE(st.version, 4, 0, 4) &&
				  !SINCE(st.version, 4, 1, 1);
	int *list = c == 'd' || deletes_by_mistake ? &st.del : &st.add;
	int rc;

	(void)was;
	if (c != 'd' && !deletes_by_mistake && strstr(text, "task") &&
	    _audit_syscalladded)
		return FAILED;
	rc = rule_setup(text, list);
	if (rc == 1) {
		st.leave = !(c == 'A' && SINCE(st.version, 4, 1, 1)) &&
			   !(c == 'd' && SINCE(st.version, 4, 0, 5) &&
			     !SINCE(st.version, 4, 1, 4));
		return DEPRECATED;
	}
	if (rc)
		return FAILED;
	if (c == 'A' && !deletes_by_mistake)
		st.add |= AUDIT_FILTER_PREPEND;
	return RULE;
}

static int on_watch(int c, char *path)
{
	int *list = c == 'w' ? &st.add : &st.del;
	char *copy, *base;
	struct stat found;
	size_t length = strlen(path);
	bool slash = length > 1 && path[length - 1] == '/';
	int type = AUDIT_WATCH, rc;

	if (c == 'w' && (st.add != UNSET || st.del != UNSET))
		return FAILED;
	*list = AUDIT_FILTER_EXIT;
	st.action = AUDIT_ALWAYS;
	_audit_syscalladded = 1;
	if (length >= PATH_MAX || path[0] != '/')
		return FAILED;
	copy = strdup(path);
	base = basename(copy);
	rc = strlen(base) > NAME_MAX;
	free(copy);
	if (rc)
		return FAILED;
	if (length > 2)
		while (length > 1 && path[length - 1] == '/')
			path[--length] = 0;
	if (stat(path, &found) == 0)
		slash = S_ISDIR(found.st_mode);
	/* auditctl: a file, where nothing exists. auditopt goes by the slash,
	 * and marks the rule as unsettled. */
	if (slash || !strcmp(path, "/"))
		type = AUDIT_DIR;
	if (SINCE(st.version, 4, 1, 2))
		for (int i = 0; i < AUDIT_BITMASK_SIZE; i++)
			if (st.rule->mask[i])
				return FAILED;
	return audit_add_watch_dir(type, &st.rule, path) ? FAILED : RULE;
}

static int on_perms(const char *text)
{
	int value = 0;

	if ((st.add == UNSET && st.del == UNSET) || strlen(text) > 4)
		return FAILED;
	for (; *text; text++) {
		if (!strchr("rwxaRWXA", *text))
			return FAILED;
		value |= strchr("rR", *text)   ? AUDIT_PERM_READ
			 : strchr("wW", *text) ? AUDIT_PERM_WRITE
			 : strchr("xX", *text) ? AUDIT_PERM_EXEC
					       : AUDIT_PERM_ATTR;
	}
	if (audit_update_watch_perms(st.rule, value))
		return FAILED;
	_audit_permadded = 1;
	return RULE;
}

static int take_key(const char *text, int was)
{
	size_t have = strlen(st.key);

	if (strlen(text) + have + (have > 0) > AUDIT_MAX_KEY_LEN)
		return FAILED;
	if (strchr(text, AUDIT_KEY_SEPARATOR) && SINCE(st.version, 4, 2, 0))
		return FAILED;
	if (have)
		st.key[have++] = AUDIT_KEY_SEPARATOR;
	strcpy(st.key + have, text);
	return was;
}

static int add_operation_or_call(const char *name, bool operation)
{
	if (!operation)
		return audit_rule_syscallbyname_data(st.rule, name);
	if (audit_rule_io_uringbyname_data)
		return audit_rule_io_uringbyname_data(st.rule, name);
	return -1;
}

static int on_calls(char *text, int was)
{
	bool operation = SINCE(st.version, 3, 1, 0) && has_filter(7);
	int rc = operation ? -1 : 0;
	char *saved, *word;

	if (!operation) {
		if (has_filter(AUDIT_FILTER_TASK) ||
		    has_filter(AUDIT_FILTER_USER) ||
		    has_filter(AUDIT_FILTER_FS) || st.exclude) {
			st.leave = true;
			return FAILED;
		}
		if (!_audit_elf)
			_audit_elf =
				audit_machine_to_elf(audit_detect_machine());
	}
	for (word = strtok_r(text, ",", &saved); word;
	     word = strtok_r(NULL, ",", &saved))
		if ((rc = add_operation_or_call(word, operation)))
			break;
	if (rc)
		return FAILED;
	_audit_syscalladded = 1;
	return operation ? RULE : was;
}

static int filter_of_fields(void)
{
	if (st.add != UNSET)
		return st.add & 7;
	return st.del != UNSET ? st.del & 7 : UNSET;
}

static int on_field(char *text, int was)
{
	uint32_t last;

	if (st.add == UNSET && st.del == UNSET &&
	    (optind >= st.argc || !strstr(text, "arch=") ||
	     strcmp(st.argv[optind], "-t")))
		return FAILED;
	if (!strncmp(text, "key=", 4))
		return take_key(text + 4, was);
	if (audit_rule_fieldpair_data(&st.rule, text, filter_of_fields()))
		return FAILED;
	last = st.rule->fields[st.rule->field_count - 1];
	if (last == AUDIT_PERM)
		_audit_permadded = 1;
	if (last == AUDIT_EXE)
		_audit_exeadded = 1;
	return was;
}

static int on_number(const char *what, const char *text, int was)
{
	unsigned long value;

	errno = 0;
	value = strtoul(text, NULL, 0);
	if (text[0] < '0' || text[0] > '9' || errno) {
		st.leave = text[0] >= '0' && text[0] <= '9';
		return FAILED;
	}
	fprintf(effects, "%s %u\n", what, (uint32_t)value);
	return was;
}

static int on_level(const char *what, const char *text, int was)
{
	if (strcmp(text, "0") && strcmp(text, "1") && strcmp(text, "2"))
		return FAILED;
	fprintf(effects, "%s %s\n", what, text);
	return was;
}

static int on_show(int c)
{
	const char *next = st.argv[optind];

	if (c == 's') {
		if (st.argc > 3)
			return FAILED;
		if (optind == 2 && st.argc == 3) {
			if (strcmp(next, "-i"))
				return FAILED;
			st.argc--;
		}
	} else if (c == 'l') {
		/* auditctl crashes where the word is missing */
		if (st.argc > 4 ||
		    (st.argc == 3 && (!next || strcmp(next, "-i"))))
			return FAILED;
		if (st.argc == 4 && (!next || strcmp(next, "-k")))
			return FAILED;
		if (st.argc == 4 && SINCE(st.version, 4, 2, 0) &&
		    take_key(st.argv[3], 0))
			return FAILED;
		st.argc -= st.argc == 4 ? 2 : st.argc == 3;
		st.listed = 1;
	} else if (c == 'h' && !SINCE(st.version, 4, 1, 4)) {
		return FAILED;
	}
	fputs("show\n", effects);
	return NO_REPLY;
}

static int on_delete_all(void)
{
	const char *next = st.argv[optind];

	if (st.argc > 4 || st.argc == 3)
		return FAILED;
	if (st.argc == 4) {
		if (!next || strcmp(next, "-k"))
			return FAILED;
		if (SINCE(st.version, 4, 2, 0) && take_key(st.argv[3], 0))
			return FAILED;
		fprintf(effects, "delete all %.*s\n", AUDIT_MAX_KEY_LEN,
			st.argv[3]);
		st.argc -= 2;
	} else {
		fputs("delete all \n", effects);
	}
	st.key[0] = 0;
	st.listed = 1;
	return NO_REPLY;
}

static int on_equivalent(const char *text)
{
	const char *comma = strchr(text, ',');

	if (_audit_syscalladded || !comma || !comma[1] ||
	    strchr(comma + 1, ','))
		return FAILED;
	fprintf(effects, "equivalent %s\n", text);
	st.leave = true;
	return NO_REPLY;
}

static int on_message(const char *text)
{
	if (st.argc > 3)
		return FAILED;
	st.leave = true;
	for (const char *s = text; *s; s++)
		if (*s < 32)
			return FAILED;
	fprintf(effects, "message %s\n", text);
	return NO_REPLY;
}

/* What is sent, whatever word asks for it (send_signal in auditctl.c). */
static int on_signal(const char *text)
{
	static const char *const names[] = {
		"TERM", "HUP",	  "USR1",   "USR2",   "CONT",
		"stop", "reload", "rotate", "resume", "state"};
	int count = SINCE(st.version, 3, 1, 1) ? 10 : 5;

	for (int i = 0; i < count; i++)
		if (!strcasecmp(names[i], text)) {
			fprintf(effects, "signal %s\n", names[i % 5]);
			return NO_REPLY;
		}
	return FAILED;
}

static int on_plain(const char *what, bool leave)
{
	fprintf(effects, "%s\n", what);
	st.leave = leave;
	return NO_REPLY;
}

static int on_option(int c, int was)
{
	bool key_may = (_audit_syscalladded || _audit_permadded ||
			_audit_exeadded || _audit_filterfsadded) &&
		       (st.add != UNSET || st.del != UNSET);
	bool old = !SINCE(st.version, 4, 0, 4);

	switch (c) {
	case 'a':
	case 'A':
		return on_list(c, optarg, was);
	case 'd':
		if (st.version == 40004)
			return FAILED;
		return on_list(c, optarg, was);
	case 'w':
	case 'W':
		return on_watch(c, optarg);
	case 'p':
		return on_perms(optarg);
	case 'k':
		return key_may ? take_key(optarg, was) : FAILED;
	case 'S':
		return on_calls(optarg, was);
	case 'F':
		return on_field(optarg, was);
	case 'C':
		return audit_rule_interfield_comp_data(&st.rule, optarg,
						       filter_of_fields())
			       ? FAILED
			       : was;
	case 'e':
		return on_level("enable", optarg, was);
	case 'f':
		return on_level("failure", optarg, was);
	case 'r':
		return on_number("rate", optarg, was);
	case 'b':
		return on_number("backlog", optarg, was);
	case 2:
		return on_number("wait", optarg, was);
	case 'i':
		return on_plain("ignore", false);
	case 'c':
		return on_plain("continue", false);
	case 'h':
	case 's':
	case 'l':
	case 'v':
		return on_show(c);
	case 'D':
		return on_delete_all();
	case 'q':
		return on_equivalent(optarg);
	case 't':
		return on_plain("trim", true);
	case 'm':
		return on_message(optarg);
	case 1:
		return on_plain("loginuid", old);
	case 3:
		return on_plain("reset lost", old);
	case 4:
		return on_plain("reset wait", true);
	case 5:
		return on_signal(optarg);
	default:
		return FAILED;
	}
}

static int end_of_options(int status)
{
	char pair[AUDIT_MAX_KEY_LEN + 8];

	if (optind == 1 || (optind < st.argc && status != FAILED))
		status = FAILED;
	if (st.key[0] && !st.listed) {
		int filter = filter_of_fields();

		snprintf(pair, sizeof(pair), "key=%s", st.key);
		if (audit_rule_fieldpair_data(&st.rule, pair,
					      filter == UNSET ? 0 : filter))
			status = FAILED;
	}
	return status;
}

static int set_options(void)
{
	static const struct option longs[] = {
		{"loginuid-immutable", 0, NULL, 1},
		{"backlog_wait_time", 1, NULL, 2},
		{"reset-lost", 0, NULL, 3},
		{"reset_backlog_wait_time_actual", 0, NULL, 4},
		{"signal", 1, NULL, 5},
		{NULL, 0, NULL, 0},
		{NULL, 0, NULL, 0}};
	struct option known[7];
	int status = REPLY, c;

	memcpy(known, longs, sizeof(longs));
	if (SINCE(st.version, 4, 1, 1))
		known[5] = (struct option){"help", 0, NULL, 'h'};
	optind = 0;
	opterr = 0;
	while (status >= 0 &&
	       (c = getopt_long(st.argc, st.argv,
				"hicslDvtC:e:f:r:b:a:A:d:S:F:m:R:w:W:k:p:q:",
				known, NULL)) != -1) {
		status = on_option(c, status);
		if (st.leave)
			return status;
	}
	return end_of_options(status);
}

/* handle_request(); true for an error. */
static bool send_rule(int status)
{
	int filter = st.add != UNSET ? st.add : st.del;
	int rc;

	if (status == REPLY)
		return _audit_syscalladded;
	if (status != RULE)
		return status != NO_REPLY;
	if ((filter & 7) != AUDIT_FILTER_TASK && _audit_syscalladded != 1)
		audit_rule_syscallbyname_data(st.rule, "all");
	if (st.add != UNSET)
		rc = audit_add_rule_data(audit_fd, st.rule, filter, st.action);
	else
		rc = audit_delete_rule_data(audit_fd, st.rule, filter,
					    st.action);
	return rc <= 0;
}

/* fileopt() */

static char **split(char *line, int *count)
{
	size_t limit = strlen(line) / (SINCE(st.version, 4, 2, 0) ? 2 : 3) + 3;
	char **words = calloc(limit + 1, sizeof(*words));
	bool escape = false;
	size_t n = 0;

	/* an escaped space must not end a word */
	for (char *s = line; *s; s++) {
		if (*s == '\\' && !escape) {
			escape = true;
			continue;
		}
		if (escape && (*s == ' ' || *s == '\\'))
			s[0] = s[-1] = *s == ' ' ? 7 : 4;
		escape = false;
	}
	words[n++] = strdup("auditctl");
	for (char *word = strtok(line, " "); word && n < limit - 1;
	     word = strtok(NULL, " ")) {
		char *to;

		words[n] = strdup(word);
		to = words[n];
		if (n++ == 1)
			continue; /* auditctl forgets the first word */
		for (char *s = words[n - 1]; *s; s++) {
			bool mark = *s == 7 || *s == 4;

			*to++ = *s == 7 ? ' ' : *s == 4 ? '\\' : *s;
			s += mark;
		}
		*to = 0;
	}
	*count = (int)n;
	return words;
}

static void reset(unsigned int version)
{
	memset(&st, 0, sizeof(st));
	st.version = version;
	st.add = st.del = UNSET;
	st.action = -1;
	_audit_syscalladded = _audit_permadded = _audit_archadded = 0;
	_audit_exeadded = _audit_filterfsadded = 0;
	_audit_elf = 0;
	st.rule = audit_rule_create_data();
}

/* libaudit tells its errors on standard error. */
static int silence(void)
{
	int saved = dup(2), null = open("/dev/null", O_WRONLY);

	fflush(stderr);
	dup2(null, 2);
	close(null);
	return saved;
}

struct oracle_result oracle_line(const char *line, size_t length,
				 unsigned int version)
{
	struct oracle_result result = {false, NULL};
	char *copy = strndup(line, length), **words;
	size_t size;
	int count, saved, status;

	effects = open_memstream(&result.effects, &size);
	if (copy[strspn(copy, " ")] == 0 || copy[strspn(copy, " ")] == '#') {
		fclose(effects);
		free(copy);
		return result;
	}
	saved = silence();
	if (audit_fd < 0)
		audit_fd = audit_open();
	reset(version);
	words = split(copy, &count);
	st.argc = count;
	st.argv = calloc((size_t)count + 1, sizeof(*words));
	memcpy(st.argv, words, (size_t)count * sizeof(*words));
	status = set_options();
	result.refused = status != DEPRECATED && send_rule(status);
	fclose(effects);
	dup2(saved, 2);
	close(saved);
	audit_rule_free_data(st.rule);
	for (int i = 0; i < count; i++)
		free(words[i]);
	free(words);
	free(st.argv);
	free(copy);
	return result;
}
