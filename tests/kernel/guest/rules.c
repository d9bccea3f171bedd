/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rules WANT: compares the rules that the kernel holds with the file WANT; says
 * "same COUNT" or what differs.
 * rules -w FILE: writes what the kernel holds to FILE, to be such a WANT.
 */
#include <stdio.h>
#include <string.h>

#include "guest/listed.h"

static int write_rules(const struct listed *got, FILE *file)
{
	for (size_t i = 0; i < got->count; i++) {
		uint32_t size = (uint32_t)got->item[i].size;

		fwrite(&size, sizeof(size), 1, file);
		fwrite(got->item[i].rule, size, 1, file);
	}
	return fclose(file) ? 2 : 0;
}

static int compare(const struct listed *got, FILE *file)
{
	static struct listed want;
	size_t different;

	listed_read(&want, file, SIZE_MAX);
	different = listed_compare(&want, got);
	if (!different) {
		printf("same %zu\n", got->count);
		return 0;
	}
	printf("different: %zu wanted, %zu listed, %zu places differ\n",
	       want.count, got->count, different);
	return 1;
}

int main(int argc, char **argv)
{
	static struct listed got;
	int write = argc == 3 && !strcmp(argv[1], "-w");
	FILE *file = write	 ? fopen(argv[2], "w")
		     : argc == 2 ? fopen(argv[1], "r")
				 : NULL;
	int fd = audit_open();

	if (!file || fd < 0) {
		perror("rules");
		return 2;
	}
	if (!listed_get(&got, fd))
		return 2;
	return write ? write_rules(&got, file) : compare(&got, file);
}
