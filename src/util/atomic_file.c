/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "util/atomic_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#define NEW_FILE_MODE 0640
#define MAX_LINKS 40 /* as many as the kernel follows */
#define ACL "system.posix_acl_access"

struct replacement {
	const char *path; /* as the user wrote it, for messages */
	char *target;	  /* where the links lead */
	char *directory;
	char *temporary; /* NULL once it is gone or renamed */
	char *backup;	 /* NULL: none is wanted */
	int fd;
	bool exists;
	struct stat old;
};

/* Puts "PATH: WHAT: reason of errno" into *ERROR; false, to be returned. */
static bool fail(char **error, const char *path, const char *what)
{
	if (asprintf(error, "%s: %s: %s", path, what, strerror(errno)) < 0)
		*error = NULL;
	return false;
}

static bool refuse(char **error, const char *path, const char *why)
{
	if (asprintf(error, "%s: %s", path, why) < 0)
		*error = NULL;
	return false;
}

static bool write_all(int fd, const char *data, size_t size)
{
	while (size) {
		ssize_t done = write(fd, data, size);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return false;
		data += done;
		size -= (size_t)done;
	}
	return true;
}

/* Character devices and pipes have no content that could be replaced. */
static bool write_straight(const char *path, const void *data, size_t size,
			   char **error)
{
	int fd = open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC);

	if (fd < 0)
		return fail(error, path, "cannot open it for writing");
	if (!write_all(fd, data, size)) {
		fail(error, path, "cannot write to it");
		close(fd);
		return false;
	}
	if (close(fd) < 0)
		return fail(error, path, "cannot write to it");
	return true;
}

/* The stream that the shell has opened to the very file, and that others may
 * write to as well: /dev/stdout, or the file's own name. -1: none. */
static int open_stream(const struct stat *file)
{
	for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++) {
		struct stat st;

		if (fstat(fd, &st) == 0 && st.st_dev == file->st_dev &&
		    st.st_ino == file->st_ino)
			return fd;
	}
	return -1;
}

/* The directory that PATH is in; a new string, NULL without memory. */
static char *directory_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return strdup(".");
	return slash == path ? strdup("/")
			     : strndup(path, (size_t)(slash - path));
}

/* What the link at PATH names, seen from where PATH is; a new string. */
static char *follow_link(const char *path)
{
	char text[PATH_MAX];
	ssize_t length = readlink(path, text, sizeof(text) - 1);
	char *directory, *result;

	if (length < 0)
		return NULL;
	text[length] = '\0';
	if (text[0] == '/')
		return strdup(text);
	directory = directory_of(path);
	if (!directory || asprintf(&result, "%s/%s", directory, text) < 0)
		result = NULL;
	free(directory);
	return result;
}

/* Where the links from PATH end, be there a file or not yet; a new string.
 * realpath(3) would fail for a file that is still to be made. */
static char *follow_links(const char *path)
{
	char *at = strdup(path);

	for (int i = 0; at && i < MAX_LINKS; i++) {
		struct stat st;
		char *next;

		if (lstat(at, &st) < 0)
			return at;
		if (!S_ISLNK(st.st_mode))
			return at;
		next = follow_link(at);
		free(at);
		at = next;
	}
	if (at)
		errno = ELOOP;
	free(at);
	return NULL;
}

/* Is the backup the file itself, as an earlier run left it that was stopped
 * before the new content was in place? */
static bool is_own_backup(const struct replacement *r)
{
	struct stat st;

	return r->backup && lstat(r->backup, &st) == 0 &&
	       st.st_dev == r->old.st_dev && st.st_ino == r->old.st_ino;
}

/* Finds target and directory; what cannot be replaced is refused. */
static bool settle_target(struct replacement *r, const char *suffix,
			  char **error)
{
	struct stat st;

	r->target = follow_links(r->path);
	if (!r->target)
		return fail(error, r->path, "cannot follow the link");
	if (suffix && asprintf(&r->backup, "%s%s", r->target, suffix) < 0) {
		r->backup = NULL;
		return fail(error, r->path, "cannot replace it");
	}
	r->directory = directory_of(r->target);
	if (!r->directory)
		return fail(error, r->path, "cannot replace it");
	if (!r->exists)
		return true;
	if (!S_ISREG(r->old.st_mode))
		return refuse(error, r->path,
			      S_ISDIR(r->old.st_mode)
				      ? "is a directory, not a file"
				      : "is not a regular file");
	if (r->old.st_nlink > (is_own_backup(r) ? 2U : 1U))
		return refuse(error, r->path,
			      "has other names (hard links), which would keep "
			      "the old content: remove them, or write to "
			      "another file");
	/* /proc/PID/fd/N may lead to a file that has lost its name. */
	if (stat(r->target, &st) < 0 || st.st_dev != r->old.st_dev ||
	    st.st_ino != r->old.st_ino)
		return refuse(error, r->path,
			      "leads to a file that has no name to replace");
	return true;
}

/* Digests of the old content and attributes: the kernel makes them anew, a
 * copy would be wrong. */
static bool is_digest(const char *name)
{
	return strcmp(name, "security.ima") == 0 ||
	       strcmp(name, "security.evm") == 0;
}

static bool is_kept(const char *name)
{
	if (strcmp(name, ACL) == 0)
		return true;
	return strncmp(name, "security.", strlen("security.")) == 0 &&
	       !is_digest(name);
}

/* Gives the temporary file the attribute NAME of the old one. */
static bool copy_attribute(const struct replacement *r, const char *name)
{
	/* Each may be 64 KiB: not for the stack. */
	char *value = malloc(2 * XATTR_SIZE_MAX), *present;
	ssize_t size, has;
	bool kept;

	if (!value)
		return false;
	present = value + XATTR_SIZE_MAX;
	size = getxattr(r->target, name, value, XATTR_SIZE_MAX);
	if (size < 0) {
		kept = errno == ENODATA;
	} else {
		/* Often the directory has already given it the same label,
		 * which not everyone may set. */
		has = fgetxattr(r->fd, name, present, XATTR_SIZE_MAX);
		kept = (has == size &&
			memcmp(value, present, (size_t)size) == 0) ||
		       fsetxattr(r->fd, name, value, (size_t)size, 0) == 0;
	}
	free(value);
	return kept;
}

static bool copy_listed(const struct replacement *r, const char *names,
			const char *end)
{
	bool has_acl = false;

	for (const char *name = names; name < end; name += strlen(name) + 1) {
		if (!is_kept(name))
			continue;
		if (!copy_attribute(r, name))
			return false;
		has_acl |= strcmp(name, ACL) == 0;
	}
	/* The directory's default ACL is not the old file's. */
	if (!has_acl && fremovexattr(r->fd, ACL) < 0)
		return errno == ENODATA || errno == ENOTSUP;
	return true;
}

static bool copy_attributes(const struct replacement *r)
{
	char *names = malloc(XATTR_LIST_MAX);
	ssize_t size;
	bool kept;

	if (!names)
		return false;
	size = listxattr(r->target, names, XATTR_LIST_MAX);
	kept = size < 0 ? errno == ENOTSUP || errno == ENOSYS
			: copy_listed(r, names, names + size);
	free(names);
	return kept;
}

/* Owner before mode: chown takes set-id bits away. The mode before the ACL,
 * whose mask it would change. */
static bool dress_like_old(const struct replacement *r)
{
	struct stat now;

	if (!r->exists)
		return fchmod(r->fd, NEW_FILE_MODE) == 0;
	if (fstat(r->fd, &now) < 0)
		return false;
	if ((now.st_uid != r->old.st_uid || now.st_gid != r->old.st_gid) &&
	    fchown(r->fd, r->old.st_uid, r->old.st_gid) < 0)
		return false;
	if (fchmod(r->fd, r->old.st_mode & 07777) < 0)
		return false;
	return copy_attributes(r);
}

static bool make_temporary(struct replacement *r)
{
	if (asprintf(&r->temporary, "%s/.auditopt-XXXXXX", r->directory) < 0) {
		r->temporary = NULL;
		return false;
	}
	r->fd = mkostemp(r->temporary, O_CLOEXEC);
	if (r->fd < 0) {
		int reason = errno;

		free(r->temporary);
		r->temporary = NULL;
		errno = reason;
	}
	return r->fd >= 0;
}

static bool close_temporary(struct replacement *r)
{
	int fd = r->fd;

	r->fd = -1;
	return close(fd) == 0;
}

/* What fails after the rename is not an error: the new content is whole and in
 * its place, and only a crash of the machine could still bring back the old. */
static void sync_directory(const struct replacement *r)
{
	int fd = open(r->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return;
	(void)fsync(fd);
	close(fd);
}

/* Links the old file to the name of its backup, which is never missing in
 * between if there was one before: rename(2) puts the link in its place. */
static bool keep_old(const struct replacement *r)
{
	char *link_name;
	bool done;

	if (!r->backup || !r->exists || is_own_backup(r))
		return true;
	if (asprintf(&link_name, "%s~", r->temporary) < 0)
		return false;
	done = link(r->target, link_name) == 0;
	if (done && rename(link_name, r->backup) < 0) {
		int reason = errno;

		unlink(link_name);
		errno = reason;
		done = false;
	}
	free(link_name);
	return done;
}

static bool replace(struct replacement *r, const void *data, size_t size,
		    char **error)
{
	if (!make_temporary(r))
		return fail(error, r->path,
			    "cannot create a file in its directory");
	if (!dress_like_old(r))
		return fail(error, r->path,
			    "cannot keep its owner, mode and security label");
	if (!write_all(r->fd, data, size) || fsync(r->fd) < 0 ||
	    !close_temporary(r))
		return fail(error, r->path, "cannot write the new content");
	if (!keep_old(r))
		return fail(error, r->path, "cannot keep the old file");
	if (rename(r->temporary, r->target) < 0)
		return fail(error, r->path, "cannot put the new file in place");
	free(r->temporary);
	r->temporary = NULL;
	sync_directory(r);
	return true;
}

static void clean_up(struct replacement *r)
{
	if (r->fd >= 0)
		close(r->fd);
	if (r->temporary)
		unlink(r->temporary);
	free(r->temporary);
	free(r->backup);
	free(r->directory);
	free(r->target);
}

/* Signals that would end the program while a temporary file is about. */
static void hold_signals(sigset_t *before)
{
	static const int held[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGTERM, SIGALRM,
				   SIGUSR1, SIGUSR2, SIGXFSZ, SIGXCPU, SIGPIPE};
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(held) / sizeof(held[0]); i++)
		sigaddset(&set, held[i]);
	sigprocmask(SIG_BLOCK, &set, before);
}

/* A write past the file size limit has sent SIGXFSZ besides EFBIG; the error
 * is enough. */
static void release_signals(const sigset_t *before)
{
	const struct timespec at_once = {0};
	sigset_t limit;

	sigemptyset(&limit);
	sigaddset(&limit, SIGXFSZ);
	if (!sigismember(before, SIGXFSZ))
		while (sigtimedwait(&limit, NULL, &at_once) > 0)
			;
	sigprocmask(SIG_SETMASK, before, NULL);
}

static bool write_to_stream(const char *path, int fd, const void *data,
			    size_t size, char **error)
{
	return write_all(fd, data, size) ||
	       fail(error, path, "cannot write to it");
}

bool same_target(const char *a, const char *b)
{
	struct stat sa, sb;
	char *ta = NULL, *tb = NULL, *da = NULL, *db = NULL;
	bool same = false;

	if (stat(a, &sa) == 0 && stat(b, &sb) == 0)
		return sa.st_dev == sb.st_dev && sa.st_ino == sb.st_ino &&
		       S_ISREG(sa.st_mode);
	ta = follow_links(a);
	tb = follow_links(b);
	if (ta && tb && strcmp(basename(ta), basename(tb)) == 0) {
		da = directory_of(ta);
		db = directory_of(tb);
		same = da && db && stat(da, &sa) == 0 && stat(db, &sb) == 0 &&
		       sa.st_dev == sb.st_dev && sa.st_ino == sb.st_ino;
	}
	free(ta);
	free(tb);
	free(da);
	free(db);
	return same;
}

char *backup_name(const char *path, const char *suffix)
{
	char *target = follow_links(path), *name;

	if (!target || asprintf(&name, "%s%s", target, suffix) < 0)
		name = NULL;
	free(target);
	return name;
}

bool atomic_write(const char *path, const void *data, size_t size, char **error)
{
	return atomic_write_backup(path, NULL, data, size, error);
}

bool atomic_write_backup(const char *path, const char *suffix, const void *data,
			 size_t size, char **error)
{
	struct replacement r = {.path = path, .fd = -1};
	sigset_t before;
	bool done;

	*error = NULL;
	r.exists = stat(path, &r.old) == 0;
	if (!r.exists && errno != ENOENT)
		return fail(error, path, "cannot look at it");
	if (r.exists && open_stream(&r.old) >= 0)
		return write_to_stream(path, open_stream(&r.old), data, size,
				       error);
	if (r.exists && (S_ISCHR(r.old.st_mode) || S_ISFIFO(r.old.st_mode)))
		return write_straight(path, data, size, error);
	hold_signals(&before);
	done = settle_target(&r, suffix, error) &&
	       replace(&r, data, size, error);
	clean_up(&r);
	release_signals(&before);
	return done;
}
