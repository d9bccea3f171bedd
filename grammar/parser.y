/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The grammar of auditctl's rules files. A line is what getopt_long makes of
 * it: options, some with a value, and parameters. Which word is a value is
 * the scanner's to know; what getopt refuses (an unknown option, a value that
 * is missing or not wanted) is part of the language, because auditctl does what
 * stands before it on the line.
 */
%require "3.6"

%code requires {
#include "frontend/parse.h"
}

%code provides {
int yylex(YYSTYPE *value, YYLTYPE *at, void *scanner);
}

%code {
static void yyerror(const struct position *at, void *scanner,
		    struct parse *parse, const char *text);

/* A place from the first to the last of N parts. */
#define YYLLOC_DEFAULT(whole, part, n)                                         \
	do {                                                                   \
		(whole) = YYRHSLOC(part, (n) ? 1 : 0);                         \
		if (n)                                                         \
			(whole).length = YYRHSLOC(part, n).column +            \
					 YYRHSLOC(part, n).length -            \
					 (whole).column;                       \
	} while (0)
}

%define api.pure full
%define api.location.type {struct position}
%define api.value.type {struct token}
%define parse.error detailed
/* An option before a broken word does not lack its value. */
%define lr.default-reduction consistent
%locations
%param {void *scanner}
%parse-param {struct parse *parse}

%token EOL		"end of line"
%token COMMENT		"comment"
%token FLAG		"option"
%token OPTION		"option with a value"
%token VALUE		"value"
%token UNWANTED		"value that the option does not take"
%token UNKNOWN		"unknown option"
%token END_OF_OPTIONS	"--"
%token PARAMETER	"parameter"
%token BROKEN		"word that ends in an escape byte"

%%

input	: %empty	{ (void)yynerrs; /* bison counts, nobody asks */ }
	| input line
	;

line	: EOL
	| COMMENT EOL
	| words EOL	{ parse_end_line(parse); }
	| error EOL	{
				yyerrok;
				parse_error_line(parse);
				parse_end_line(parse);
			}
	;

words	: word
	| words word
	;

word	: FLAG			{ parse_flag(parse, &$1, @1); }
	| FLAG UNWANTED		{ parse_unwanted_value(parse, &$1, @$, $2.next); }
	| OPTION VALUE		{ parse_option(parse, &$1, @1, &$2, @2); }
	| OPTION		{ parse_missing_value(parse, &$1, @1); }
	| UNKNOWN		{ parse_unknown(parse, &$1, @1); }
	| UNKNOWN UNWANTED	{
				$1.next = $2.next;
				$1.in_cluster = false;
				parse_unknown(parse, &$1, @$);
			}
	| END_OF_OPTIONS
	| PARAMETER		{ parse_parameter(parse, &$1, @1); }
	;

%%

/* Called once a line that is no line of words; the recovery follows. */
static void yyerror(const struct position *at, void *scanner,
		    struct parse *parse, const char *text)
{
	(void)scanner;
	parse->error_at = *at;
	parse->error = arena_strdup(parse->arena, text);
}
