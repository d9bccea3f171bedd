#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# bench/gone: no rule set is better than its bound, and each row has all columns.
. "${AUDITOPT_SRCDIR:?}/tests/lib/cli.sh"

AUDITOPT=$(dirname "$AUDITOPT")/bench/gone
[ -x "$AUDITOPT" ] || {
	echo "skipped: bench/gone is not built here"
	exit 77
}

run 0 "$examples"/*.rules "$AUDITOPT_SRCDIR"/tests/rules/*.rules
out_has '^\| rules \| level \| null \| read \| open\+close \| chmod \| socket\+close \|$'
out_has '^\| [a-z-]+ \| -O1 \|'
out_has '^\| [a-z-]+ \| -O2 \|'
out_has ' of '
awk -F'|' '
NR > 2 {
	if (NF != 9)
		print "not seven columns: " $0
	for (i = 4; i <= 8; i++) {
		n = split($i, word, " ")
		if (word[1] != "-" && word[1] + 0 > word[n] + 0.05)
			print "better than can be: " $0
		if (word[1] == "-" && n > 1)
			print "a dash with figures: " $0
	}
}' out >wrong
[ ! -s wrong ] || fail "$(cat wrong)"

# Rules on one call alone: all others can be, and are, as cheap as with one rule.
i=0
while [ $i -lt 40 ]; do
	echo "-a always,exit -F arch=b64 -S mount -F a$((i % 4))=$i -k mounts"
	i=$((i + 1))
done >mounts.rules
run 0 mounts.rules
out_has '^\| mounts \| -O2 \| 100\.0 of 100\.0 \| 100\.0 of 100\.0 \|'

run 2
err_has '^usage: '
run 1 no-such-file.rules

finish
