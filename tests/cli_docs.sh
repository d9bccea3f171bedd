#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# docs/: measured rows stand there as bench/RESULTS.md has them (make readme
# brings them up to date), and what is referred to is there.
. "${AUDITOPT_SRCDIR:?}/tests/lib/cli.sh"

results=$AUDITOPT_SRCDIR/bench/RESULTS.md

for doc in "$AUDITOPT_SRCDIR"/docs/*.md; do
	sh "$AUDITOPT_SRCDIR/bench/quote-results.sh" "$results" "$doc" >quoted
	same quoted "$doc" "$doc shows other figures than bench/RESULTS.md"
	# A row that is no longer there would be left as it was.
	sed -n 's/^ *\(| .*| *[0-9]* |\)$/\1/p' "$doc" >rows
	while IFS= read -r row; do
		grep -qxF "$row" "$results" ||
			fail "$doc: not in bench/RESULTS.md: $row"
	done <rows
	# Links to files of the project.
	sed -n 's/^.*](\([^):#]*\)).*$/\1/p' "$doc" >links
	while IFS= read -r link; do
		[ -e "$(dirname "$doc")/$link" ] || fail "$doc: no $link"
	done <links
	# Manual pages: in backquotes, man and a name.
	sed -n 's/^.*.man \([a-z.-]*\).*$/\1/p' "$doc" >pages
	while IFS= read -r page; do
		ls "$AUDITOPT_SRCDIR/man/$page".[1-9] >/dev/null 2>&1 ||
			fail "$doc: no manual page $page"
	done <pages
done
grep -q '| neo23x0:-O2 |' "$AUDITOPT_SRCDIR/docs/questions.md" ||
	fail "docs/questions.md shows no figures"

finish
