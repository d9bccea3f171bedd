/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/report.h"

bool report_tells_errors(enum report_format format)
{
	return format == REPORT_JSON || format == REPORT_HTML;
}

bool report_write(struct arena *arena, const struct report *report,
		  enum report_format format, bool verbose, FILE *stream)
{
	switch (format) {
	case REPORT_JSON:
		return report_json(arena, report, stream);
	case REPORT_HTML:
		return report_html(arena, report, stream);
	case REPORT_CSV:
		return report_csv(arena, report, stream);
	case REPORT_TEXT:
		break;
	}
	report_text(arena, report, verbose, stream);
	return !ferror(stream);
}
