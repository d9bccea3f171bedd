/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rules WANT: compares the rules that the kernel holds with the file WANT; says
 * "same COUNT" or what differs.
 */
#include <stdio.h>

#include "guest/listed.h"

int main(int argc, char **argv)
{
	static struct listed want, got;
	FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
	int fd = audit_open();
	size_t different;

	if (!file || fd < 0) {
		perror("rules");
		return 2;
	}
	listed_read(&want, file, SIZE_MAX);
	if (!listed_get(&got, fd))
		return 2;
	different = listed_compare(&want, &got);
	if (!different) {
		printf("same %zu\n", got.count);
		return 0;
	}
	printf("different: %zu wanted, %zu listed, %zu places differ\n",
	       want.count, got.count, different);
	return 1;
}
