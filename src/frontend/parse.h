/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the scanner, the grammar and parse.c share. The scanner sees the lines
 * as auditctl's preprocess() leaves them: of the same length, but an escaped
 * space is two bytes ESCAPED_SPACE and an escaped backslash two bytes
 * ESCAPED_BACKSLASH, so that a space always ends a word.
 */
#ifndef AUDITOPT_PARSE_H
#define AUDITOPT_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <utarray.h>

#include "frontend/command.h"

#define ESCAPED_SPACE 0x07
#define ESCAPED_BACKSLASH 0x04

/* A token's value. */
struct token {
	int option;		       /* of FLAG and OPTION */
	const char *text;	       /* of VALUE, PARAMETER: escapes undone */
	const char *id, *why, *advice; /* of UNKNOWN */
	unsigned int next; /* getopt's optind once it has returned this */
	bool in_cluster;
};

struct parse {
	struct arena *arena;
	const struct input *input;
	struct diagnostics *diag;
	unsigned int version;

	/* The feed: which byte the scanner gets next. */
	uint32_t feed_line;
	size_t feed_at, feed_length;
	bool feed_escape; /* the byte before was an escaping backslash */

	/* The line being scanned. */
	uint32_t line;
	uint32_t column;	  /* of the next byte, from 1 */
	unsigned int word_limit;  /* of auditctl's table of words */
	struct position word;	  /* the word being scanned */
	UT_array *words;	  /* const char *, "auditctl" first */
	UT_array *options;	  /* struct option_word */
	UT_array *parameters;	  /* struct option_word */
	struct position error_at; /* of a syntax error */
	const char *error;

	UT_array *commands; /* struct command */

	/* Values that end in CR are told once a file. */
	struct diagnostic *cr;
	size_t cr_file, cr_count;
};

/* In parse.c, for the scanner: */

/* Copies up to ROOM bytes of preprocessed input to BUFFER, an LF behind every
 * line; 0 at the end. */
size_t parse_feed(struct parse *p, char *buffer, size_t room);

enum word_state {
	WORD_TAKEN,
	WORD_DROPPED, /* no room in auditctl's table */
	WORD_BROKEN,  /* auditctl reads beyond its end */
};

/* Begins the word TEXT (LENGTH preprocessed bytes) at AT. */
enum word_state parse_word(struct parse *p, const char *text, size_t length,
			   struct position at);

/* The text of LENGTH preprocessed bytes of the current word, escapes undone
 * (not in the first word of a line: auditctl forgets it). */
const char *parse_decode(struct parse *p, const char *text, size_t length);

/* True while the current word is the line's first. */
bool parse_in_first_word(const struct parse *p);

/* Fills in next and in_cluster of a token that ends at AT. */
void parse_place(const struct parse *p, struct token *token,
		 struct position at);

/* A letter that is no option. */
void parse_unknown_letter(struct parse *p, struct token *token, int letter);

enum long_kind { LONG_UNKNOWN, LONG_FLAG, LONG_OPTION };

/* Looks the long option NAME up as getopt_long does: exact, or an abbreviation
 * of one alone. Fills TOKEN. */
enum long_kind parse_long_name(struct parse *p, struct token *token,
			       const char *name);

/* An option as it is written in full. */
const char *parse_option_name(struct parse *p, int option);

/* In parse.c, for the grammar: */
void parse_option(struct parse *p, const struct token *token,
		  struct position at, const struct token *value,
		  struct position value_at);
void parse_flag(struct parse *p, const struct token *token, struct position at);
void parse_unknown(struct parse *p, const struct token *token,
		   struct position at);
void parse_missing_value(struct parse *p, const struct token *token,
			 struct position at);
void parse_unwanted_value(struct parse *p, const struct token *token,
			  struct position at, unsigned int next);
void parse_parameter(struct parse *p, const struct token *token,
		     struct position at);
void parse_error_line(struct parse *p);
/* The end of a line that has (or should have had) a command. */
void parse_end_line(struct parse *p);

/* In remark.c: what is told of words that auditctl takes, or refuses, for a
 * reason that can't be seen. */

/* Fills in id, why and advice of an option whose value can hardly be meant, and
 * warns of CR in it. ATTACHED: the value is in the option's word. */
void remark_value(struct parse *p, struct option_word *w, bool attached);

/* Fills in id, why and advice of a parameter. */
void remark_parameter(struct parse *p, struct option_word *w);

/* Warns of raw control bytes and of escapes in a first word. */
void remark_word(struct parse *p, const char *text, struct position at);

/* After a file's last value: completes what is told once a file. */
void remark_end(struct parse *p);

/* Made by flex; its user data is the struct parse. */
int yylex_init_extra(struct parse *p, void **scanner);
int yylex_destroy(void *scanner);

#endif
