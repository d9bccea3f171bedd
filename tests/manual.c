/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints the section FINDINGS of man/auditopt-check.8: `make manual` puts it
 * there, tests/cli_check.sh compares. */
#include "check/catalogue.h"

int main(void)
{
	catalogue_manual(stdout);
	return 0;
}
