/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lines DIRECTORY FILE: gives the lines of FILE (line.h) to the auditctl in
 * DIRECTORY, and compares what it says and what the kernel then lists with what
 * is expected. Many lines go together, behind -c; where those differ in
 * anything, one half and then the other, down to a single line, which is then
 * given alone. Prints each line that differs, and at the end how many did not.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guest/line.h"
#include "guest/listed.h"

#define LINE_FILE "/tmp/line"
#define TOLD_FILE "/tmp/told"

static const char *const outcome_names[] = {"accepted", "refused",
					    "refused by the kernel"};

/* What is given at once. */
#define MOST_LINES 64
/* Lines before the first one of a block: -c, and one that is refused by the
 * kernel, because until auditctl has sent something it tells its errors to
 * syslog. */
#define BLOCK_HEAD "-c\n-d never,user -F uid=54321\n"
#define BLOCK_HEAD_LINES 2

struct line {
	struct line_head head;
	char *text;
	struct audit_rule_data *rule; /* NULL: none */
};

static struct {
	const char *directory; /* auditctl's */
	int fd;
	unsigned int runs;
} job;

static bool write_lines(const char *before, const struct line *line,
			size_t count)
{
	FILE *file = fopen(LINE_FILE, "w");
	bool good =
		file && !fchmod(fileno(file), 0640) && fputs(before, file) >= 0;

	for (size_t i = 0; good && i < count; i++)
		good = fwrite(line[i].text, 1, line[i].head.text, file) ==
			       line[i].head.text &&
		       fputc('\n', file) != EOF;
	return file && fclose(file) == 0 && good;
}

static int run_auditctl(void)
{
	const char *directory = job.directory;
	int status;
	pid_t child = fork();

	if (!child) {
		char loader[256], program[256];
		int told = open(TOLD_FILE, O_WRONLY | O_CREAT | O_TRUNC, 0600);

		snprintf(loader, sizeof(loader), "%s/ld-linux-x86-64.so.2",
			 directory);
		snprintf(program, sizeof(program), "%s/auditctl", directory);
		dup2(told, STDOUT_FILENO);
		dup2(told, STDERR_FILENO);
		execl(loader, loader, "--library-path", directory, program,
		      "-R", LINE_FILE, (char *)NULL);
		_exit(127);
	}
	if (child < 0 || waitpid(child, &status, 0) < 0)
		return -1;
	job.runs++;
	return status;
}

/* The beginning of what auditctl said. */
static const char *told(void)
{
	static char text[2048];
	FILE *file = fopen(TOLD_FILE, "r");
	size_t got = file ? fread(text, 1, sizeof(text) - 1, file) : 0;

	text[got] = 0;
	if (file)
		fclose(file);
	return text;
}

static enum line_outcome outcome_of(int status)
{
	/* with -i in the line auditctl says 0 */
	if (!status && !strstr(told(), "There was an error"))
		return LINE_ACCEPTED;
	return strstr(told(), "Error sending add rule") ? LINE_REFUSED_BY_KERNEL
							: LINE_REFUSED;
}

/* What came before in the same boot must not count. */
static void clean_up(void)
{
	if (!listed_delete_all(job.fd)) {
		puts("bad rules cannot be deleted");
		exit(1);
	}
	audit_set_enabled(job.fd, 1);
}

static void write_line_file(const char *before, const struct line *line,
			    size_t count)
{
	if (!write_lines(before, line, count)) {
		perror(LINE_FILE);
		exit(1);
	}
}

static void print_bad(const struct line *line, enum line_outcome outcome,
		      int status)
{
	printf("bad ");
	for (uint32_t i = 0; i < line->head.text; i++)
		printf(line->text[i] >= 32 && line->text[i] < 127 ? "%c"
								  : "\\x%02x",
		       (unsigned char)line->text[i]);
	printf("\n  auditopt: %s, auditctl: %s (status %d): %.*s\n",
	       outcome_names[line->head.outcome], outcome_names[outcome],
	       status, (int)strcspn(told(), "\n"), told());
}

/* Where the kernel has RULE once it is added behind those in LISTED. */
static size_t place_of(const struct listed *listed,
		       const struct audit_rule_data *rule)
{
	uint32_t prepend = AUDIT_FILTER_PREPEND;
	uint32_t filter = rule->flags & ~prepend;
	size_t i = 0;

	while (i < listed->count &&
	       ((listed->item[i].rule->flags & ~prepend) < filter ||
		((listed->item[i].rule->flags & ~prepend) == filter &&
		 !(rule->flags & prepend))))
		i++;
	return i;
}

/* The rule of LINE[N] is one of a line before it: the kernel has it already. */
static bool is_there(const struct line *line, size_t n)
{
	for (size_t i = 0; line[n].rule && i < n; i++)
		if (line[i].rule && line[i].head.rule == line[n].head.rule &&
		    !memcmp(line[i].rule, line[n].rule, line[n].head.rule))
			return true;
	return false;
}

/* Those of LINEs with a rule, in the kernel's order; their rules stay theirs. */
static void list_wanted(struct listed *want, const struct line *line,
			size_t count)
{
	want->count = 0;
	for (size_t i = 0; i < count; i++) {
		size_t place;

		if (!line[i].rule || is_there(line, i))
			continue;
		place = place_of(want, line[i].rule);
		memmove(&want->item[place + 1], &want->item[place],
			(want->count++ - place) * sizeof(want->item[0]));
		want->item[place].rule = line[i].rule;
		want->item[place].size = line[i].head.rule;
	}
}

static bool try_line(const struct line *line)
{
	static struct listed want, got;
	enum line_outcome outcome;
	int status;
	bool good;

	write_line_file("", line, 1);
	status = run_auditctl();
	outcome = outcome_of(status);
	if (!listed_get(&got, job.fd))
		exit(1);
	list_wanted(&want, line, 1);
	/* who refuses is no matter */
	good = (outcome == LINE_ACCEPTED) ==
	       (line->head.outcome == LINE_ACCEPTED);
	if (!good)
		print_bad(line, outcome, status);
	else if (listed_compare(&want, &got)) {
		good = false;
		print_bad(line, outcome, status);
	}
	if (got.count)
		clean_up();
	listed_free(&got);
	return good;
}

/* Did auditctl refuse none of those LINEs that it should not? Not all that it refuses
 * it tells (--signal, since 4.0): what the kernel holds shows it. */
static bool refused_as_expected(const struct line *line, size_t count)
{
	bool refused[MOST_LINES] = {false};
	FILE *file = fopen(TOLD_FILE, "r");
	char text[256];
	unsigned int number;
	bool good = file != NULL;

	while (file && fgets(text, sizeof(text), file))
		if (sscanf(text, "There was an error in line %u of", &number) ==
			    1 &&
		    number > BLOCK_HEAD_LINES &&
		    number <= count + BLOCK_HEAD_LINES)
			refused[number - BLOCK_HEAD_LINES - 1] = true;
	if (file)
		fclose(file);
	for (size_t i = 0; i < count; i++)
		good &= !refused[i] || line[i].head.outcome != LINE_ACCEPTED ||
			is_there(line, i);
	return good;
}

static bool block_is_alike(const struct line *line, size_t count)
{
	static struct listed want, got;
	bool good;

	write_line_file(BLOCK_HEAD, line, count);
	run_auditctl();
	list_wanted(&want, line, count);
	if (!listed_get(&got, job.fd))
		exit(1);
	good = refused_as_expected(line, count) &&
	       listed_differ(&want, &got) == 0;
	if (got.count)
		clean_up();
	listed_free(&got);
	return good;
}

/* Some LINE may do something to the others: delete their rules, or end the load (-h,
 * and since 4.0 a --signal that is refused). */
static bool acts_on_others(const struct line *line, size_t count)
{
	static const char *const options[] = {"--s", "-h", "-D", "-d", "-W"};

	for (size_t i = 0; i < count; i++)
		for (size_t j = 0; j < sizeof(options) / sizeof(*options); j++)
			if (memmem(line[i].text, line[i].head.text, options[j],
				   strlen(options[j])))
				return true;
	return false;
}

/* How many of them are as expected. Those that are so by halves and not all at
 * once, though none acts on others, are told as one more that is bad. */
static size_t try_lines(const struct line *line, size_t count)
{
	size_t good;

	if (count < 2)
		return count && try_line(line);
	if (block_is_alike(line, count))
		return count;
	good = try_lines(line, count / 2) +
	       try_lines(line + count / 2, count - count / 2);
	if (good == count && !acts_on_others(line, count)) {
		printf("bad block of %zu lines, of which each half is good\n",
		       count);
		for (size_t i = 0; i < count; i++)
			printf("  %.*s\n", (int)line[i].head.text,
			       line[i].text);
	}
	return good;
}

static void *read_bytes(FILE *file, size_t size)
{
	void *byte = malloc(size + 1);

	if (!byte || fread(byte, 1, size, file) != size) {
		puts("bad a damaged file of lines");
		exit(1);
	}
	return byte;
}

static bool read_line(FILE *file, struct line *line)
{
	if (fread(&line->head, sizeof(line->head), 1, file) != 1)
		return false;
	line->text = read_bytes(file, line->head.text);
	line->rule = line->head.rule ? read_bytes(file, line->head.rule) : NULL;
	return true;
}

/* Not a rule and not refused: it may do anything. */
static bool goes_alone(const struct line *line)
{
	return line->head.outcome == LINE_ACCEPTED && !line->rule;
}

/* The kernel takes the same rule once. */
static bool is_among(const struct line *line, const struct line *list,
		     size_t count)
{
	size_t from = sizeof(line->rule->flags);

	for (size_t i = 0; line->rule && i < count; i++)
		if (list[i].rule && list[i].head.rule == line->head.rule &&
		    !memcmp((char *)list[i].rule + from,
			    (char *)line->rule + from, line->head.rule - from))
			return true;
	return false;
}

static size_t try_and_free(struct line *block, size_t count)
{
	size_t good = try_lines(block, count);

	for (size_t i = 0; i < count; i++) {
		free(block[i].text);
		free(block[i].rule);
	}
	return good;
}

int main(int argc, char **argv)
{
	static struct line block[MOST_LINES], line;
	size_t good = 0, count = 0;
	unsigned int tally[LINE_OUTCOMES] = {0};
	FILE *file = argc == 3 ? fopen(argv[2], "r") : NULL;

	job.fd = audit_open();
	if (!file || job.fd < 0) {
		perror("lines");
		return 2;
	}
	job.directory = argv[1];
	while (read_line(file, &line)) {
		bool alone = goes_alone(&line);

		tally[line.head.outcome]++;
		if (alone || count == MOST_LINES ||
		    is_among(&line, block, count)) {
			good += try_and_free(block, count);
			count = 0;
		}
		if (alone)
			good += try_and_free(&line, 1);
		else
			block[count++] = line;
	}
	good += try_and_free(block, count);
	printf("good %s: %zu lines alike, in %u runs of it; expected: %u "
	       "accepted, %u refused by auditctl, %u by the kernel\n",
	       argv[1], good, job.runs, tally[0], tally[1], tally[2]);
	return 0;
}
