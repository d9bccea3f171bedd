/* SPDX-License-Identifier: GPL-2.0-or-later */
/* May the kernel's rules be touched? */
#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "cli/calibrate.h"
#include "util/printable.h"

/* Set where the kernel must be left alone, as in tests. */
#define FORBIDDEN_BY "AUDITOPT_NO_CALIBRATE"

/* Says what stands in the way, why that matters and what to do. */
static bool refuse(const char *what, const char *why, const char *advice)
{
	fprintf(stderr,
		"auditopt calibrate: refused, nothing was changed: %s\n"
		"  why: %s\n"
		"  what to do: %s\n",
		what, why, advice);
	return false;
}

static bool may_touch_kernel(void)
{
	const char *forbidden = getenv(FORBIDDEN_BY);

	if (!audit_can_control())
		return refuse("this needs root, or CAP_AUDIT_CONTROL",
			      "it loads rules of its own into the kernel and "
			      "times system calls under them",
			      "run it as root, with sudo or in a root shell");
	if (forbidden && *forbidden)
		return refuse(FORBIDDEN_BY " is set",
			      "whoever set it wants this kernel's rules left "
			      "alone",
			      "unset it, if this is the host to measure");
	return true;
}

/* Writing is the last thing that is done; it should not fail for a name. */
static bool may_write(const char *output)
{
	struct arena *arena;
	char *copy;
	struct stat st;
	bool good;

	if (!output || strcmp(output, "-") == 0)
		return true;
	copy = strdup(output);
	good = copy && access(dirname(copy), W_OK | X_OK) == 0 &&
	       !(stat(output, &st) == 0 && S_ISDIR(st.st_mode));
	free(copy);
	if (good)
		return true;
	arena = arena_new();
	fprintf(stderr, "auditopt calibrate: %s: ",
		printable_text(arena, output, strlen(output)));
	arena_free(arena);
	return refuse("the file of -o cannot be written there",
		      "the figures would be lost in the end",
		      "name a file in a directory that exists");
}

/* Only one at a time: the other's rules would be taken for someone's. The name
 * goes with the process. */
static bool is_alone(void)
{
	static const char name[] = "auditopt-calibrate";
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	memcpy(address.sun_path + 1, name, sizeof(name) - 1);
	if (fd >= 0 && bind(fd, (struct sockaddr *)&address,
			    (socklen_t)(offsetof(struct sockaddr_un, sun_path) +
					sizeof(name))) == 0)
		return true; /* held until the program ends */
	return refuse("another auditopt calibrate is running",
		      "each would measure the other's rules",
		      "wait until it is done");
}

static bool kernel_answers(struct calibrating *c, struct audit_status *status)
{
	int error;

	set_aumessage_mode(MSG_QUIET, DBG_NO);
	error = kernel_link_open(&c->kernel);
	if (!error)
		error = kernel_link_status(&c->kernel, status, NULL);
	if (!error)
		return true;
	fprintf(stderr, "auditopt calibrate: audit netlink: %s\n",
		strerror(error));
	return refuse("the kernel does not answer",
		      error == ECONNREFUSED || error == EPROTONOSUPPORT ||
				      error == EINVAL || error == EPERM
			      ? "it has no audit, or it does not talk to "
				"containers about it"
			      : "without its answer its rules are not known",
		      "run it on the host itself, not in a container");
}

static bool is_enabled(const struct audit_status *status)
{
	if (status->enabled == 1)
		return true;
	if (status->enabled == 0)
		return refuse("audit is disabled (enabled 0)",
			      "nothing is audited, so no rule costs anything",
			      "switch it on: auditctl -e 1");
	return refuse("audit is locked (enabled 2)",
		      "the kernel takes no rule, and gives none back, until it "
		      "is booted anew",
		      "boot without -e 2 in the rules, or measure a host like "
		      "this one");
}

/* Paths in rules must mean the same here as where they were loaded. */
static bool sees_what_init_sees(void)
{
	static const char *const pair[][2] = {
		{"/proc/self/ns/mnt", "/proc/1/ns/mnt"}, {"/", "/proc/1/root"}};

	for (int i = 0; i < 2; i++) {
		struct stat here, there;

		if (stat(pair[i][0], &here) != 0 ||
		    stat(pair[i][1], &there) != 0 ||
		    here.st_ino != there.st_ino || here.st_dev != there.st_dev)
			return refuse("this process does not see the files "
				      "that process 1 sees",
				      "rules with paths could not be put back "
				      "as they are",
				      "run it outside of chroots and private "
				      "mounts, or without rules");
	}
	return true;
}

static bool rules_may_go(const struct calibrating *c)
{
	size_t own = 0;
	const char *what;

	for (size_t i = 0; i < c->saved.count; i++)
		own += kernel_is_own(c->saved.rule[i]);
	if (!c->saved.count)
		return true;
	if (own)
		return refuse("the kernel holds rules of an auditopt calibrate "
			      "that was killed",
			      "what was loaded before it is not known",
			      "auditctl -D, then augenrules --load (or what "
			      "else loads the rules of this host)");
	if (c->options->force)
		return sees_what_init_sees();
	what = arena_printf(c->arena, "the kernel holds %zu audit rule%s",
			    c->saved.count, c->saved.count == 1 ? "" : "s");
	return refuse(what, "they would be measured with those of calibrate",
		      "run it on a host without rules (auditctl -D), or with "
		      "--force, which takes them out and puts them back; what "
		      "happens in between is not logged");
}

static bool rules_are_known(struct calibrating *c)
{
	int error = kernel_link_list(&c->kernel, &c->saved);

	if (!error)
		return rules_may_go(c);
	fprintf(stderr, "auditopt calibrate: audit netlink: %s\n",
		strerror(error));
	return refuse("the kernel does not tell its rules",
		      "without them nothing could be put back", "try again");
}

bool calibrate_has_scratch(struct calibrating *c)
{
	snprintf(c->scratch, sizeof(c->scratch),
		 "/tmp/auditopt-calibrate.XXXXXX");
	if (mkdtemp(c->scratch))
		return true;
	fprintf(stderr, "auditopt calibrate: %s: %s\n", c->scratch,
		strerror(errno));
	c->scratch[0] = '\0';
	return refuse("no directory can be made in /tmp",
		      "rules with dir= and exe= need one",
		      "make room in /tmp, or make it writable");
}

bool calibrate_may_begin(struct calibrating *c)
{
	struct audit_status status;

	return may_touch_kernel() && may_write(c->options->common.output) &&
	       is_alone() && kernel_answers(c, &status) &&
	       is_enabled(&status) && rules_are_known(c);
}
