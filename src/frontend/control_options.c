/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The options that make no rule: they set something, do something at once, or
 * only print. Each does what its part of setopt() in auditctl.c does, the
 * kernel's consent taken for granted.
 */
#include "frontend/builder.h"

#include <errno.h>
#include <libaudit.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static void done(struct builder *b)
{
	b->status = LINE_DONE;
}

/* setopt() returns at once: nobody looks at the rest of the line. */
static void finish(struct builder *b, const struct option_word *word)
{
	b->status = LINE_DONE;
	b->finished = true;
	if (b->add != FILTER_UNSET || b->del != FILTER_UNSET)
		builder_warn(b, "rest-ignored", word->at,
			     "auditctl ends the line here: the rule that was "
			     "begun before is not sent")
			->advice = "write the rule on a line of its own";
	else if (word->words_after)
		builder_warn(b, "rest-ignored", word->at,
			     "auditctl ends the line here and ignores what "
			     "follows")
			->advice = "write each command on a line of its own";
}

static void number_action(struct builder *b, enum action_kind kind,
			  const struct option_word *word, uint32_t number)
{
	builder_act(b, kind, word)->number = number;
}

static void text_action(struct builder *b, enum action_kind kind,
			const struct option_word *word, const char *text)
{
	builder_act(b, kind, word)->text = text;
}

/* -e and -f */
static void opt_level(struct builder *b, const struct option_word *word)
{
	const char *text = word->value;
	bool failure = word->option == 'f';

	if (text[0] < '0' || text[0] > '2' || text[1]) {
		builder_fault(b, "bad-value", word->value_at,
			      "-%c takes 0, 1 or 2, not \"%s\"", word->option,
			      text)
			->advice =
			failure ? "0 is silent, 1 is printk, 2 is panic"
				: "0 is off, 1 is on, 2 is on and locked";
		return;
	}
	number_action(b, failure ? DO_FAILURE : DO_ENABLE, word,
		      (uint32_t)(text[0] - '0'));
}

static void warn_number(struct builder *b, const struct option_word *word,
			const char *end, unsigned long number)
{
	if (*end && strcmp(end, "\r") != 0)
		builder_warn(b, "number-cut", word->value_at,
			     "\"%s\" is no number; auditctl reads it as %u",
			     word->value, (uint32_t)number);
	else if (number > UINT32_MAX)
		builder_warn(b, "number-cut", word->value_at,
			     "%s does not fit in 32 bits; auditctl makes it %u",
			     word->value, (uint32_t)number);
	else if (word->value[0] == '0' && word->value[1] >= '0' &&
		 word->value[1] <= '9' &&
		 strtoul(word->value, NULL, 10) != number)
		builder_warn(b, "octal-number", word->value_at,
			     "%s begins with 0, so it is octal: %u",
			     word->value, (uint32_t)number);
}

/* -r, -b and --backlog_wait_time */
static void opt_limit(struct builder *b, const struct option_word *word)
{
	const char *text = word->value;
	unsigned long number;
	char *end;

	errno = 0;
	number = strtoul(text, &end, 0);
	if (text[0] < '0' || text[0] > '9' || errno) {
		builder_fault(b, "bad-value", word->value_at,
			      "\"%s\" is no number", text);
		return;
	}
	warn_number(b, word, end, number);
	number_action(b,
		      word->option == 'r'   ? DO_RATE
		      : word->option == 'b' ? DO_BACKLOG
					    : DO_BACKLOG_WAIT_TIME,
		      word, (uint32_t)number);
}

static void opt_ignore(struct builder *b, const struct option_word *word)
{
	builder_act(b, word->option == 'c' ? DO_CONTINUE : DO_IGNORE, word);
	b->ignoring = true;
	b->actions->keep_going = true;
	done(b);
}

static void show(struct builder *b, const struct option_word *word)
{
	builder_act(b, DO_SHOW, word);
	done(b);
}

static struct diagnostic *wrong_count(struct builder *b,
				      const struct option_word *word,
				      const char *may_follow)
{
	return builder_fault(b, "option-count", word->at,
			     "-%c must stand alone, or before %s and nothing "
			     "else",
			     word->option, may_follow);
}

static void opt_status(struct builder *b, const struct option_word *word)
{
	const char *next = builder_next_word(b, word);

	if (b->argc > 3) {
		wrong_count(b, word, "-i");
		return;
	}
	if (builder_optind(b, word) == 2 && b->argc == 3) {
		if (strcmp(next, "-i") != 0) {
			wrong_count(b, word, "-i");
			return;
		}
		b->argc--;
	}
	show(b, word);
}

/* The key of -D -k KEY and -l -k KEY: the fourth word, whatever option the
 * third one is. */
static const char *key_of_all(struct builder *b, const struct option_word *word)
{
	const char *key = b->command->word[3];

	if (!builder_behaves(b, BEHAVES_KEY_CHECKED))
		return arena_strndup(b->arena, key,
				     strnlen(key, AUDIT_MAX_KEY_LEN));
	if (strlen(key) <= AUDIT_MAX_KEY_LEN &&
	    !strchr(key, AUDIT_KEY_SEPARATOR))
		return key;
	builder_fault(b, "bad-value", word->at,
		      "the key is longer than %d bytes or holds the byte 0x01",
		      AUDIT_MAX_KEY_LEN);
	return NULL;
}

static void opt_list(struct builder *b, const struct option_word *word)
{
	const char *next = builder_next_word(b, word);

	if (b->argc > 4 || (b->argc == 3 && (!next || strcmp(next, "-i"))) ||
	    (b->argc == 4 && (!next || strcmp(next, "-k")))) {
		wrong_count(b, word, "-i or -k KEY");
		return;
	}
	if (b->argc == 4) {
		if (!key_of_all(b, word))
			return;
		b->argc -= 2;
	} else if (b->argc == 3) {
		b->argc--;
	}
	b->list_requested = true;
	show(b, word);
}

static void opt_delete_all(struct builder *b, const struct option_word *word)
{
	const char *next = builder_next_word(b, word), *key = NULL;

	if (b->argc > 4 || b->argc == 3 ||
	    (b->argc == 4 && (!next || strcmp(next, "-k") != 0))) {
		wrong_count(b, word, "-k KEY");
		return;
	}
	if (b->argc == 4) {
		key = key_of_all(b, word);
		if (!key)
			return;
		b->argc -= 2;
	}
	text_action(b, DO_DELETE_ALL, word, key && key[0] ? key : NULL);
	b->list_requested = true;
	b->key[0] = 0;
	done(b);
}

/* Before 128, a char that is negative where char is signed is below 32 too. */
static bool char_is_signed(const struct target *target)
{
	return target->machine == MACH_X86 || target->machine == MACH_86_64;
}

static void opt_message(struct builder *b, const struct option_word *word)
{
	bool is_signed = char_is_signed(b->options->target);

	if (b->argc > 3) {
		builder_fault(b, "option-count", word->at,
			      "-m and its text must stand alone");
		return;
	}
	for (const char *s = word->value; *s; s++) {
		unsigned char c = (unsigned char)*s;

		if (c >= 32 && (c < 128 || !is_signed))
			continue;
		builder_fault(b, "bad-value",
			      option_value_part(b->input, word,
						(size_t)(s - word->value), 1),
			      "a message takes plain characters only");
		return;
	}
	text_action(b, DO_MESSAGE, word, word->value);
	finish(b, word);
}

static void opt_equivalent(struct builder *b, const struct option_word *word)
{
	const char *comma = strchr(word->value, ',');

	if (b->syscall_added) {
		builder_fault(b, "equivalent-with-calls", word->at,
			      "-q cannot follow calls");
		return;
	}
	if (!comma || !comma[1] || strchr(comma + 1, ',')) {
		builder_fault(b, "bad-value", word->value_at,
			      "-q takes two paths with a comma between them");
		return;
	}
	text_action(b, DO_EQUIVALENT, word, word->value);
	finish(b, word);
}

static void opt_trim(struct builder *b, const struct option_word *word)
{
	builder_act(b, DO_TRIM, word);
	finish(b, word);
}

static void opt_help(struct builder *b, const struct option_word *word)
{
	if (builder_behaves(b, BEHAVES_HELP_IS_FINE))
		show(b, word);
	else
		builder_fault(b, "help", word->at,
			      "-h counts as an error before audit 4.1.4")
			->advice = "remove it";
}

/* --loginuid-immutable, --reset-lost: newer versions look at what follows. */
static void opt_at_once(struct builder *b, const struct option_word *word)
{
	builder_act(b,
		    word->option == OPT_RESET_LOST ? DO_RESET_LOST
						   : DO_LOGINUID_IMMUTABLE,
		    word);
	if (builder_behaves(b, BEHAVES_CONTROL_GOES_ON))
		done(b);
	else
		finish(b, word);
}

static void opt_reset_wait_time(struct builder *b,
				const struct option_word *word)
{
	builder_act(b, DO_RESET_BACKLOG_WAIT_TIME_ACTUAL, word);
	finish(b, word);
}

static void opt_signal(struct builder *b, const struct option_word *word)
{
	static const char *const names[] = {
		"TERM", "HUP",	  "USR1",   "USR2",   "CONT",
		"stop", "reload", "rotate", "resume", "state"};
	size_t count = builder_behaves(b, BEHAVES_SIGNAL_WORDS) ? 10 : 5;
	struct diagnostic *d;

	for (size_t i = 0; i < count; i++)
		if (strcasecmp(names[i], word->value) == 0) {
			/* by the name that every version knows */
			text_action(b, DO_SIGNAL, word, names[i % 5]);
			done(b);
			return;
		}
	d = builder_fault(b, "bad-value", word->value_at,
			  "\"%s\" is no signal that auditctl sends",
			  word->value);
	d->advice = "it sends TERM, HUP, USR1, USR2 and CONT";
	if (builder_behaves(b, BEHAVES_SIGNAL_EXITS)) {
		d->stops = true;
		d->auditctl = b->ignoring
				      ? "auditctl exits here, in spite of -i"
				      : NULL;
	}
}

static void opt_nested(struct builder *b, const struct option_word *word)
{
	builder_fault(b, "nested-rules", word->at,
		      "a rules file cannot read another one with -R")
		->advice = "name both files to auditopt, or put both into "
			   "rules.d";
}

static void opt_invalid(struct builder *b, const struct option_word *word)
{
	builder_fault(b, word->id ? word->id : "invalid-option", word->at, "%s",
		      word->why ? word->why : "auditctl has no such option")
		->advice = word->advice;
}

bool control_option(struct builder *b, const struct option_word *word)
{
	static const struct {
		int option;
		void (*handler)(struct builder *b,
				const struct option_word *word);
	} handlers[] = {
		{'e', opt_level},
		{'f', opt_level},
		{'r', opt_limit},
		{'b', opt_limit},
		{OPT_BACKLOG_WAIT_TIME, opt_limit},
		{'i', opt_ignore},
		{'c', opt_ignore},
		{'s', opt_status},
		{'l', opt_list},
		{'v', show},
		{'h', opt_help},
		{OPT_HELP, opt_help},
		{'D', opt_delete_all},
		{'m', opt_message},
		{'q', opt_equivalent},
		{'t', opt_trim},
		{'R', opt_nested},
		{OPT_LOGINUID_IMMUTABLE, opt_at_once},
		{OPT_RESET_LOST, opt_at_once},
		{OPT_RESET_BACKLOG_WAIT_TIME_ACTUAL, opt_reset_wait_time},
		{OPT_SIGNAL, opt_signal},
		{OPT_INVALID, opt_invalid},
	};

	for (size_t i = 0; i < sizeof(handlers) / sizeof(handlers[0]); i++)
		if (handlers[i].option == word->option) {
			handlers[i].handler(b, word);
			return true;
		}
	return false;
}
