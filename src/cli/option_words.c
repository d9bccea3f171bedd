/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "check/catalogue.h"
#include "cli/option_values.h"
#include "model/price.h"
#include "model/self_log.h"

static const char *const whens[] = {"never", "always", "auto", NULL};
static const char *const formats[] = {"text", "json", "html", "csv",
				      NULL}; /* enum report_format */
static const char *const levels[] = {"0", "1", "2", NULL};
static const char *const abis[] = {"all", "native", "auto", NULL};

static const char *const check_formats[] = {"text", "json", "sarif", NULL};

#define NEVER "never" /* a severity that no finding has */

static const char *word_at(const char *const *words, size_t i)
{
	size_t count = 0;

	while (words[count])
		count++;
	return i < count ? words[i] : NULL;
}

/* Those that can be asked for; in check a fatal one counts as an error. */
static const char *severity_known(size_t i)
{
	return i <= DIAG_ERROR ? severity_name((enum severity)i) : NULL;
}

static const char *kernel_known(size_t i)
{
	const struct prices *row = i ? prices_row((unsigned int)i - 1) : NULL;

	if (!i)
		return "any";
	return row ? row->kernel : NULL;
}

/* The identifiers of findings. */
static const char *finding_known(size_t i)
{
	const struct catalogue_row *row = catalogue_row(i);

	return row ? row->id : NULL;
}

const char *option_known_value(int code, size_t i)
{
	static const char *const topics[] = {"passes", "calls", NULL};

	switch (code) {
	case OPTION_COLOUR:
		return word_at(whens, i);
	case OPTION_REPORT_FORMAT:
		return word_at(formats, i);
	case OPTION_FORMAT:
		return word_at(check_formats, i);
	case OPTION_FAIL_ON:
		return i == DIAG_ERROR + 1 ? NEVER : severity_known(i);
	case OPTION_SEVERITY:
		return severity_known(i);
	case OPTION_LEVEL:
	case 'O':
		return word_at(levels, i);
	case OPTION_ABI:
		return word_at(abis, i);
	case OPTION_KERNEL:
		return kernel_known(i);
	case OPTION_MACHINE:
		return target_name((unsigned int)i);
	case OPTION_DISABLE:
	case OPTION_ENABLE:
		return finding_known(i);
	case OPTION_EXPLAIN:
		return i ? finding_known(i - 1) : "list";
	case OPTION_LSM:
		return i ? security_module_name(i - 1) : "auto";
	case 'h':
		return word_at(topics, i);
	default:
		return NULL;
	}
}

int option_word(int code, const char *text)
{
	const char *word;

	for (size_t i = 0; (word = option_known_value(code, i)); i++)
		if (strcmp(text, word) == 0)
			return (int)i;
	return -1;
}
