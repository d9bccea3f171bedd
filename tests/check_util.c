/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "util/arena.h"
#include "lib/suite.h"
#include "util/atomic_file.h"
#include "util/printable.h"

#include <check.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

/* ---- arena ---- */

START_TEST(arena_memory_is_zeroed_and_aligned)
{
	struct arena *arena = arena_new();

	for (size_t size = 0; size < 5000; size += 37) {
		unsigned char *p = arena_alloc(arena, size);

		ck_assert_uint_eq((uintptr_t)p % _Alignof(max_align_t), 0);
		for (size_t i = 0; i < size; i++)
			ck_assert_uint_eq(p[i], 0);
		memset(p, 0xff, size);
	}
	arena_free(arena);
}
END_TEST

START_TEST(arena_pieces_do_not_overlap)
{
	struct arena *arena = arena_new();
	uint32_t *piece[300];

	ck_assert_ptr_ne(arena_alloc(arena, 0), arena_alloc(arena, 0));
	for (uint32_t i = 0; i < 300; i++) {
		piece[i] = arena_array(arena, 1000, sizeof(uint32_t));
		for (uint32_t j = 0; j < 1000; j++)
			piece[i][j] = i;
	}
	for (uint32_t i = 0; i < 300; i++)
		for (uint32_t j = 0; j < 1000; j++)
			ck_assert_uint_eq(piece[i][j], i);
	arena_free(arena);
	arena_free(NULL);
}
END_TEST

START_TEST(arena_bytes_grow)
{
	struct arena *arena = arena_new();

	ck_assert_uint_lt(arena_bytes(arena), 1 << 20);
	arena_alloc(arena, 1 << 20);
	arena_alloc(arena, 1 << 20);
	ck_assert_uint_ge(arena_bytes(arena), 2 << 20);
	ck_assert_uint_lt(arena_bytes(arena), 3 << 20);
	arena_free(arena);
}
END_TEST

START_TEST(arena_strings)
{
	struct arena *arena = arena_new();
	char *big = arena_alloc(arena, 1 << 20);

	ck_assert_str_eq(arena_strdup(arena, "abc"), "abc");
	ck_assert_str_eq(arena_strdup(arena, ""), "");
	ck_assert_str_eq(arena_strndup(arena, "abcdef", 3), "abc");
	ck_assert_str_eq(arena_strndup(arena, "abc", 0), "");
	ck_assert_mem_eq(arena_copy(arena, "a\0b", 3), "a\0b", 3);
	ck_assert_ptr_nonnull(arena_copy(arena, NULL, 0));
	ck_assert_str_eq(arena_printf(arena, "%s-%d", "x", 42), "x-42");
	memset(big, 'y', (1 << 20) - 1);
	ck_assert_uint_eq(strlen(arena_printf(arena, "%s!", big)), 1 << 20);
	arena_free(arena);
}
END_TEST

/* The product of an array's size is checked, not cut. */
START_TEST(arena_refuses_what_overflows)
{
	int status;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		struct arena *arena = arena_new();

		if (!freopen("/dev/null", "w", stderr))
			_exit(1);
		arena_array(arena, SIZE_MAX / 2, 4);
		_exit(0);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(WIFEXITED(status));
	ck_assert_int_eq(WEXITSTATUS(status), 4);
}
END_TEST

/* ---- atomic_file ---- */

static char directory[64];

static void make_directory(void)
{
	strcpy(directory, "/tmp/check_util-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(directory));
	ck_assert_int_eq(chdir(directory), 0);
}

static void remove_directory(void)
{
	char command[128];

	ck_assert_int_eq(chdir("/"), 0);
	snprintf(command, sizeof(command), "rm -rf '%s'", directory);
	ck_assert_int_eq(system(command), 0);
}

static void put(const char *path, const char *text, mode_t mode)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	ck_assert_int_eq(fchmod(fd, mode), 0);
	close(fd);
}

static void expect_content(const char *path, const char *text)
{
	char content[4096];
	int fd = open(path, O_RDONLY);
	ssize_t size;

	ck_assert_int_ge(fd, 0);
	size = read(fd, content, sizeof(content));
	close(fd);
	ck_assert_int_eq(size, (ssize_t)strlen(text));
	ck_assert_mem_eq(content, text, strlen(text));
}

/* How many entries a directory has, "." and ".." not counted. */
static int entries(const char *path)
{
	DIR *dir = opendir(path);
	int count = 0;

	ck_assert_ptr_nonnull(dir);
	while (readdir(dir))
		count++;
	closedir(dir);
	return count - 2;
}

static void expect_written(const char *path, const char *text)
{
	char *error;
	bool done = atomic_write(path, text, strlen(text), &error);

	ck_assert_msg(done, "%s", error);
	ck_assert_ptr_null(error);
}

/* The write must fail, with the name and REASON in the message. */
static void expect_failure(const char *path, const void *data, size_t size,
			   const char *reason)
{
	char *error;

	ck_assert(!atomic_write(path, data, size, &error));
	ck_assert_ptr_nonnull(error);
	ck_assert_msg(strstr(error, path) != NULL, "no name: %s", error);
	ck_assert_msg(strstr(error, reason) != NULL, "no \"%s\": %s", reason,
		      error);
	free(error);
}

START_TEST(new_file)
{
	struct stat st;

	expect_written("new", "-D\n");
	expect_content("new", "-D\n");
	ck_assert_int_eq(stat("new", &st), 0);
	ck_assert_uint_eq(st.st_mode & 07777, 0640);
	expect_written("empty", "");
	expect_content("empty", "");
	ck_assert_int_eq(entries("."), 2);
}
END_TEST

START_TEST(content_is_exact)
{
	size_t size = 3 * 1024 * 1024 + 7;
	char *data = malloc(size), *back = malloc(size + 1), *error;
	int fd;

	for (size_t i = 0; i < size; i++)
		data[i] = (char)(i * 2654435761u >> 13);
	put("big", "old", 0600);
	ck_assert(atomic_write("big", data, size, &error));
	fd = open("big", O_RDONLY);
	for (size_t have = 0; have < size;) {
		ssize_t n = read(fd, back + have, size + 1 - have);

		ck_assert_int_gt(n, 0);
		have += (size_t)n;
	}
	ck_assert_int_eq(read(fd, back + size, 1), 0);
	close(fd);
	ck_assert_mem_eq(data, back, size);
	free(data);
	free(back);
}
END_TEST

START_TEST(mode_and_owner_are_kept)
{
	struct stat st;

	put("f", "old", 0604);
	if (geteuid() == 0)
		ck_assert_int_eq(chown("f", 12345, 54321), 0);
	expect_written("f", "new");
	expect_content("f", "new");
	ck_assert_int_eq(stat("f", &st), 0);
	ck_assert_uint_eq(st.st_mode & 07777, 0604);
	ck_assert_uint_eq(st.st_uid, geteuid() == 0 ? 12345 : geteuid());
	ck_assert_uint_eq(st.st_gid, geteuid() == 0 ? 54321 : getegid());
}
END_TEST

/* user::rw-, user:1234:r--, group::r--, mask::r--, other::--- */
static const unsigned char acl[] = {
	2,    0,    0,	  0,	1,    0,    6,	0,    0xff, 0xff, 0xff,
	0xff, 2,    0,	  4,	0,    0xd2, 4,	0,    0,    4,	  0,
	4,    0,    0xff, 0xff, 0xff, 0xff, 16, 0,    4,    0,	  0xff,
	0xff, 0xff, 0xff, 32,	0,    0,    0,	0xff, 0xff, 0xff, 0xff,
};

START_TEST(attributes_are_kept)
{
	unsigned char back[256];

	put("f", "old", 0640);
	if (setxattr("f", "system.posix_acl_access", acl, sizeof(acl), 0) < 0 ||
	    setxattr("f", "security.auditopt", "label", 5, 0) < 0) {
		printf("skipped: attributes cannot be set here (%s)\n",
		       strerror(errno));
		return;
	}
	expect_written("f", "new");
	ck_assert_int_eq(getxattr("f", "security.auditopt", back, sizeof(back)),
			 5);
	ck_assert_mem_eq(back, "label", 5);
	ck_assert_int_eq(
		getxattr("f", "system.posix_acl_access", back, sizeof(back)),
		sizeof(acl));
	ck_assert_mem_eq(back, acl, sizeof(acl));
}
END_TEST

/* A directory's default ACL is for new files, not for one that had none. */
START_TEST(default_acl_does_not_creep_in)
{
	unsigned char back[256];

	put("f", "old", 0640);
	if (setxattr(".", "system.posix_acl_default", acl, sizeof(acl), 0) <
	    0) {
		printf("skipped: no ACL here (%s)\n", strerror(errno));
		return;
	}
	expect_written("f", "new");
	ck_assert_int_eq(
		getxattr("f", "system.posix_acl_access", back, sizeof(back)),
		-1);
	ck_assert_int_eq(errno, ENODATA);
}
END_TEST

START_TEST(links_are_followed_and_kept)
{
	struct stat st;

	ck_assert_int_eq(mkdir("real", 0755), 0);
	put("real/f", "old", 0600);
	ck_assert_int_eq(symlink("real/f", "one"), 0);
	ck_assert_int_eq(symlink("../one", "real/two"), 0);
	expect_written("real/two", "new");
	expect_content("real/f", "new");
	ck_assert_int_eq(lstat("one", &st), 0);
	ck_assert(S_ISLNK(st.st_mode));
	ck_assert_int_eq(lstat("real/two", &st), 0);
	ck_assert(S_ISLNK(st.st_mode));
	ck_assert_int_eq(stat("real/f", &st), 0);
	ck_assert_uint_eq(st.st_mode & 07777, 0600);
	ck_assert_int_eq(entries("real"), 2);
	ck_assert_int_eq(entries("."), 2);
}
END_TEST

START_TEST(dangling_link_makes_the_file)
{
	struct stat st;

	ck_assert_int_eq(mkdir("real", 0755), 0);
	ck_assert_int_eq(symlink("real/f", "link"), 0);
	expect_written("link", "new");
	ck_assert_int_eq(lstat("link", &st), 0);
	ck_assert(S_ISLNK(st.st_mode));
	expect_content("real/f", "new");
}
END_TEST

START_TEST(link_loop)
{
	ck_assert_int_eq(symlink("b", "a"), 0);
	ck_assert_int_eq(symlink("a", "b"), 0);
	expect_failure("a", "x", 1, strerror(ELOOP));
}
END_TEST

START_TEST(directory_is_refused)
{
	ck_assert_int_eq(mkdir("d", 0755), 0);
	expect_failure("d", "x", 1, "directory");
	expect_failure("d/", "x", 1, "directory");
	expect_failure("no/such/f", "x", 1, strerror(ENOENT));
	ck_assert_int_eq(entries("."), 1);
	ck_assert_int_eq(entries("d"), 0);
}
END_TEST

START_TEST(file_without_a_name_is_refused)
{
	char path[64];
	int fd;

	put("f", "old", 0600);
	fd = open("f", O_RDWR);
	ck_assert_int_eq(unlink("f"), 0);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	expect_failure(path, "x", 1, "no name");
	close(fd);
	ck_assert_int_eq(entries("."), 0);
}
END_TEST

START_TEST(devices_and_pipes_are_written_straight)
{
	char back[8];
	struct stat st;
	int fd;

	expect_written("/dev/null", "text");
	ck_assert_int_eq(stat("/dev/null", &st), 0);
	ck_assert(S_ISCHR(st.st_mode));
	expect_failure("/dev/full", "x", 1, strerror(ENOSPC));
	ck_assert_int_eq(stat("/dev/full", &st), 0);
	ck_assert(S_ISCHR(st.st_mode));
	ck_assert_int_eq(mkfifo("pipe", 0600), 0);
	fd = open("pipe", O_RDWR);
	expect_written("pipe", "text");
	ck_assert_int_eq(read(fd, back, sizeof(back)), 4);
	close(fd);
}
END_TEST

START_TEST(unwritable_directory)
{
	ck_assert_int_eq(mkdir("d", 0755), 0);
	put("d/f", "old", 0666);
	ck_assert_int_eq(chmod("d", 0555), 0);
	if (geteuid() == 0) {
		ck_assert_int_eq(chmod(".", 0755), 0);
		ck_assert_int_eq(seteuid(65534), 0);
	}
	expect_failure("d/f", "new", 3, strerror(EACCES));
	if (getuid() == 0)
		ck_assert_int_eq(seteuid(0), 0);
	expect_content("d/f", "old");
	ck_assert_int_eq(entries("d"), 1);
	ck_assert_int_eq(chmod("d", 0755), 0);
}
END_TEST

/* Who may not give the new file to the old one's owner gets an error. */
START_TEST(foreign_owner)
{
	if (geteuid() != 0) {
		printf("skipped: needs root to make a foreign file\n");
		return;
	}
	ck_assert_int_eq(chmod(".", 0777), 0);
	put("f", "old", 0666);
	ck_assert_int_eq(seteuid(65534), 0);
	expect_failure("f", "new", 3, strerror(EPERM));
	ck_assert_int_eq(seteuid(0), 0);
	expect_content("f", "old");
	ck_assert_int_eq(entries("."), 1);
}
END_TEST

/* SIGXFSZ has its deadly default: the error must come before it. */
START_TEST(size_limit)
{
	struct rlimit limit = {1000, 1000};
	char data[5000] = {0};

	put("f", "old", 0600);
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	expect_failure("f", data, sizeof(data), strerror(EFBIG));
	expect_content("f", "old");
	ck_assert_int_eq(entries("."), 1);
}
END_TEST

START_TEST(full_disk)
{
	static char data[300 * 1024];

	ck_assert_int_eq(mkdir("small", 0755), 0);
	if (unshare(CLONE_NEWNS) < 0 ||
	    mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
	    mount("none", "small", "tmpfs", 0, "size=64k") < 0) {
		printf("skipped: cannot mount here (%s)\n", strerror(errno));
		return;
	}
	put("small/f", "old", 0600);
	expect_failure("small/f", data, sizeof(data), strerror(ENOSPC));
	expect_content("small/f", "old");
	ck_assert_int_eq(entries("small"), 1);
	ck_assert_int_eq(umount("small"), 0);
}
END_TEST

static bool has_temporary(void)
{
	DIR *dir = opendir(".");
	struct dirent *entry;
	bool found = false;

	while ((entry = readdir(dir)))
		found |= strncmp(entry->d_name, ".auditopt-", 10) == 0;
	closedir(dir);
	return found;
}

/* Ended at any moment, the program leaves the old file or the new one, whole,
 * and nothing beside it. */
START_TEST(signals_leave_nothing_behind)
{
	static char text[2][200000], back[sizeof(text[0]) + 1];
	int fd;

	memset(text[0], 'a', sizeof(text[0]));
	memset(text[1], 'b', sizeof(text[1]));
	/* Check's own handler would end the whole group; a child that is ended
	 * before it could reset it must not have it. */
	signal(SIGTERM, SIG_DFL);
	for (int i = 0; i < 40; i++) {
		int status;
		pid_t pid;

		fflush(NULL);
		pid = fork();
		if (pid == 0) {
			char *error;

			for (int n = 0;; n++)
				atomic_write("f", text[n % 2], sizeof(text[0]),
					     &error);
		}
		ck_assert_int_gt(pid, 0);
		usleep(3000 + (useconds_t)i * 251);
		ck_assert_int_eq(kill(pid, SIGTERM), 0);
		ck_assert_int_eq(waitpid(pid, &status, 0), pid);
		ck_assert(WIFSIGNALED(status));
		ck_assert(!has_temporary());
	}
	fd = open("f", O_RDONLY);
	ck_assert_int_eq(read(fd, back, sizeof(back)),
			 (ssize_t)sizeof(text[0]));
	close(fd);
	ck_assert(memcmp(back, text[0], sizeof(text[0])) == 0 ||
		  memcmp(back, text[1], sizeof(text[1])) == 0);
}
END_TEST

START_TEST(signal_mask_is_restored)
{
	sigset_t before, after;

	sigprocmask(SIG_SETMASK, NULL, &before);
	expect_written("f", "x");
	expect_failure("no/f", "x", 1, strerror(ENOENT));
	sigprocmask(SIG_SETMASK, NULL, &after);
	for (int s = 1; s < SIGRTMAX; s++)
		ck_assert_int_eq(sigismember(&before, s),
				 sigismember(&after, s));
}
END_TEST

/* ---- printable ---- */

static const struct {
	const char *text, *shown;
} shown_texts[] = {
	{"", ""},
	{"plain /etc/x.rules", "plain /etc/x.rules"},
	{"a\tb\nc\rd\x1b[2J\x7f", "a<TAB>b\\x0ac\\x0dd\\x1b[2J\\x7f"},
	/* C1, as UTF-8 and as bytes */
	{"\xc2\x80\xc2\x9b\xc2\x9f", "<U+0080><U+009B><U+009F>"},
	{"\x9b\x80\xff", "\\x9b\\x80\\xff"},
	/* order and lines */
	{"\xe2\x80\xaa\xe2\x80\xae", "<U+202A><U+202E>"},
	{"\xe2\x81\xa6\xe2\x81\xa9", "<U+2066><U+2069>"},
	{"\xd8\x9c\xe2\x80\x8e", "<U+061C><U+200E>"},
	{"\xe2\x80\xa8\xe2\x80\xa9", "<U+2028><U+2029>"},
	/* what shows nothing */
	{"\xc2\xa0\xc2\xad\xef\xbb\xbf\xe3\x85\xa4",
	 "<U+00A0><U+00AD><U+FEFF><U+3164>"},
	{"\xf3\xa0\x81\x81", "<U+E0041>"},
	/* what is to be read */
	{"\xc2\xa1\xc3\xa4\xd0\x96\xe6\xbc\xa2\xf0\x9f\x90\xa7",
	 "\xc2\xa1\xc3\xa4\xd0\x96\xe6\xbc\xa2\xf0\x9f\x90\xa7"},
	/* no UTF-8: too long, a surrogate, past the end, cut off */
	{"\xc0\xaf\xe0\x80\xaf", "\\xc0\\xaf\\xe0\\x80\\xaf"},
	{"\xed\xa0\x80", "\\xed\\xa0\\x80"},
	{"\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"},
	{"x\xe6\xbc", "x\\xe6\\xbc"},
};

START_TEST(printable_shows)
{
	struct arena *arena = arena_new();
	const char *text = shown_texts[_i].text;
	const char *once = printable_text(arena, text, strlen(text));

	ck_assert_str_eq(once, shown_texts[_i].shown);
	ck_assert_str_eq(printable_text(arena, once, strlen(once)), once);
	arena_free(arena);
}
END_TEST

/* No character is cut, shown or escaped. */
START_TEST(printable_is_cut)
{
	static const char text[] = "ab\xe6\xbc\xa2\x9b.";
	struct arena *arena = arena_new();

	ck_assert_str_eq(printable_cut(arena, text, 7, 8),
			 "ab\xe6\xbc\xa2\\x9b.");
	ck_assert_str_eq(printable_cut(arena, text, 7, 7),
			 "ab\xe6\xbc\xa2\\x9b...");
	ck_assert_str_eq(printable_cut(arena, text, 7, 6), "ab\xe6\xbc\xa2...");
	ck_assert_str_eq(printable_cut(arena, text, 7, 2), "ab...");
	ck_assert_str_eq(printable_cut(arena, text, 2, 2), "ab");
	/* NUL is a byte like others */
	ck_assert_str_eq(printable_text(arena, "a\0b", 3), "a\\x00b");
	arena_free(arena);
}
END_TEST

static Suite *util_suite(void)
{
	Suite *suite = suite_create("util");
	TCase *arena = tcase_create("arena");
	TCase *printable = tcase_create("printable");
	TCase *file = tcase_create("atomic_file");

	tcase_add_test(arena, arena_memory_is_zeroed_and_aligned);
	tcase_add_test(arena, arena_pieces_do_not_overlap);
	tcase_add_test(arena, arena_bytes_grow);
	tcase_add_test(arena, arena_strings);
	tcase_add_test(arena, arena_refuses_what_overflows);
	suite_add_tcase(suite, arena);

	tcase_add_loop_test(printable, printable_shows, 0,
			    sizeof(shown_texts) / sizeof(*shown_texts));
	tcase_add_test(printable, printable_is_cut);
	suite_add_tcase(suite, printable);

	tcase_set_timeout(file, 60);
	tcase_add_checked_fixture(file, make_directory, remove_directory);
	tcase_add_test(file, new_file);
	tcase_add_test(file, content_is_exact);
	tcase_add_test(file, mode_and_owner_are_kept);
	tcase_add_test(file, attributes_are_kept);
	tcase_add_test(file, default_acl_does_not_creep_in);
	tcase_add_test(file, links_are_followed_and_kept);
	tcase_add_test(file, dangling_link_makes_the_file);
	tcase_add_test(file, link_loop);
	tcase_add_test(file, directory_is_refused);
	tcase_add_test(file, file_without_a_name_is_refused);
	tcase_add_test(file, devices_and_pipes_are_written_straight);
	tcase_add_test(file, unwritable_directory);
	tcase_add_test(file, foreign_owner);
	tcase_add_test(file, size_limit);
	tcase_add_test(file, full_disk);
	tcase_add_test(file, signals_leave_nothing_behind);
	tcase_add_test(file, signal_mask_is_restored);
	suite_add_tcase(suite, file);
	return suite;
}

int main(void)
{
	return run_suite(util_suite());
}
