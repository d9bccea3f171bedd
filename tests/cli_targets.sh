#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Nothing that is written takes the place of what is read, or of something else
# that is written.
. "${AUDITOPT_SRCDIR:?}/tests/lib/cli.sh"

echo '-a always,exit -F arch=b64 -S adjtimex -k time' >in.rules
cp in.rules saved
mkdir d
cp in.rules d/10.rules

# unharmed ARGUMENT...: wrong usage, and the inputs are what they were.
unharmed() {
	run 2 "$@"
	same saved in.rules "auditopt $*: the input has changed"
	same saved d/10.rules "auditopt $*: the input in d has changed"
}

unharmed cost -o in.rules in.rules
unharmed dump -o ./in.rules in.rules
unharmed --report=in.rules -o out.rules in.rules
unharmed --report=d/10.rules -o out.rules d
unharmed -o d/10.rules d
unharmed -o d/99.rules d
unharmed -o in.rules in.rules d
unharmed -o "" in.rules
unharmed --report= in.rules
unharmed ""
"$AUDITOPT" -q --report=in.rules -o out.rules - <in.rules 2>err
[ $? = 2 ] || fail "the report may overwrite what standard input reads"
same saved in.rules "what standard input reads has changed"

# Two things to one file, under two names, before there is one.
unharmed -o x --report=./x in.rules
ln -s nowhere link
unharmed -o nowhere --report=link in.rules
if [ -e x ] || [ -e nowhere ]; then
	fail "something was written"
fi

# The only input may be named by -o.
run 0 -q -o in.rules in.rules
rules_of in.rules >got
same saved got "-o with the input's own name"

# A file with two names would be split.
ln in.rules other
cp in.rules before
run 4 -q --in-place in.rules
err_has 'hard links'
same before in.rules "a file with two names was replaced"

# What the shell has opened is written to, not replaced.
{
	echo before
	"$AUDITOPT" -q --no-comments -o /dev/stdout saved
	echo after
} >stream 2>err
[ "$(wc -l <stream)" = 3 ] || fail "/dev/stdout was replaced"
echo old >log
"$AUDITOPT" -q --no-comments -o /dev/stdout saved >>log 2>err
[ "$(head -n 1 log)" = old ] || fail "what stood in the log is gone"

finish
