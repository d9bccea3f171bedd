/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/arena.h"
#include "util/atomic_file.h"
#include "util/printable.h"

enum exit_status cli_close_stdout(void)
{
	/* An earlier failure leaves errno as it was then, or lost; a close that
	 * fails is where NFS and quotas tell. */
	bool failed = ferror(stdout) != 0;

	if (fflush(stdout) != 0 || failed || fclose(stdout) != 0) {
		fprintf(stderr,
			"auditopt: standard output could not be written: %s\n",
			errno ? strerror(errno) : "write error");
		return STATUS_REFUSED;
	}
	return STATUS_GOOD;
}

enum exit_status cli_write(const char *path, const void *data, size_t size)
{
	return cli_write_backup(path, NULL, data, size);
}

char *cli_backup_suffix(const char *backup)
{
	char *suffix;

	return asprintf(&suffix, "%s%s", strcmp(backup, "~") ? "." : "",
			backup) < 0
		       ? NULL
		       : suffix;
}

/* WHAT has a name in it, whatever its bytes. */
static void complain(const char *what)
{
	struct arena *arena = arena_new();

	fprintf(stderr, "auditopt: %s\n",
		printable_text(arena, what, strlen(what)));
	arena_free(arena);
}

enum exit_status cli_write_backup(const char *path, const char *backup,
				  const void *data, size_t size)
{
	char *error = NULL, *suffix;
	bool good;

	if (!path || strcmp(path, "-") == 0) {
		errno = 0;
		fwrite(data, 1, size, stdout);
		return cli_close_stdout();
	}
	suffix = backup ? cli_backup_suffix(backup) : NULL;
	good = (suffix || !backup) &&
	       atomic_write_backup(path, suffix, data, size, &error);
	free(suffix);
	if (good)
		return STATUS_GOOD;
	complain(error ? error : path);
	free(error);
	return STATUS_REFUSED;
}

void cli_text_open(struct cli_text *text, struct progress *progress,
		   const char *phase)
{
	*text = (struct cli_text){.progress = progress};
	text->stream = open_memstream(&text->bytes, &text->size);
	progress_step(progress, phase, 0, 0);
}

void cli_text_drop(struct cli_text *text)
{
	progress_clear(text->progress);
	fclose(text->stream);
	free(text->bytes);
}

enum exit_status cli_text_write(struct cli_text *text, bool good,
				const char *path, const char *failure)
{
	bool whole = text->stream && fclose(text->stream) == 0 && good;
	enum exit_status status = STATUS_REFUSED;

	progress_clear(text->progress);
	if (whole)
		status = cli_write(path, text->bytes, text->size);
	else
		fprintf(stderr, "auditopt: %s\n", failure);
	free(text->bytes);
	return status;
}
