/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/effort.h"

#include <stdlib.h>

uint64_t effort_wanted(const char *name, uint64_t otherwise)
{
	const char *text = getenv(name);

	return text && *text ? strtoull(text, NULL, 0) : otherwise;
}
