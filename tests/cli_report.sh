#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# --report-format=html and csv: what is in them, that they are what browsers and
# spreadsheets take, the same each time, and in colours that can be told apart.
# shellcheck source=tests/lib/cli.sh
. "$AUDITOPT_SRCDIR/tests/lib/cli.sh"

cp "$examples/first-look.rules" first.rules

# page NAME ARGUMENT...: the page NAME, made twice.
page() {
	name=$1
	shift
	run 0 -q --machine=x86_64 --report="$name" --report-format=html -o rules.out "$@"
	cp "$name" again.html
	run 0 -q --machine=x86_64 --report="$name" --report-format=html -o rules.out "$@"
	same "$name" again.html "$name: another page the second time"
}

page_has() {
	grep -qF -e "$2" "$1" || fail "$1: no $2"
}

# tidy knows neither the name of details nor an empty i.
valid() {
	command -v tidy >/dev/null 2>&1 || return 0
	tidy -q -e --drop-empty-elements no "$1" 2>&1 |
		grep -v -e 'proprietary attribute "name"' >complaints
	[ ! -s complaints ] || {
		fail "$1: tidy complains"
		head -n 5 complaints
	}
}

command -v tidy >/dev/null 2>&1 || echo "tidy is not here: pages are not validated"

### A page

page first.html first.rules
valid first.html
for part in summary proof totals dearest walks classes passes idle input result; do
	page_has first.html "<section id=\"$part\""
done
page_has first.html 'Proved to mean the same at level 1'
page_has first.html 'aria-label="before, '
# Each line of the input and of the result is in it.
[ "$(grep -c '<tr id="i' first.html)" = "$(wc -l <first.rules)" ] || fail "lines of the input are missing"
[ "$(grep -c '<tr id="o' first.html)" = "$(wc -l <rules.out)" ] || fail "lines of the result are missing"
# A line of the result and the line of the input that it stands for, and back.
grep -n '^-[aw]' rules.out | head -n 1 >line
number=$(cut -d: -f1 line)
grep -q "<tr id=\"o$number\".*<a href=\"#i[0-9]*\">" first.html || fail "no way from the result to the input"
grep -q "<tr id=\"i[0-9]*\".*<a href=\"#o$number\">" first.html || fail "no way from the input to the result"
# Nothing is loaded from anywhere.
! grep -oE '(src|href)="[^#"][^"]*"' first.html | grep -v '"data:,"' ||
	fail "the page refers to something outside"
grep -q "default-src 'none'" first.html || fail "no policy that forbids loading"
! grep -oE 'url\(|@import|https?://' first.html | grep . >/dev/null ||
	fail "the page names something outside"

# cost: the same without an after.
run 0 cost -q --machine=x86_64 --report-format=html -o cost.html first.rules
valid cost.html
page_has cost.html 'What the audit rules cost'
! grep -q 'id="result"' cost.html || fail "cost: a result"

# With a calibration also in nanoseconds.
printf '%s\n' '{"format": "auditopt-calibration", "version": 1, "auditopt": "0",' \
	'"date": "2026-01-02T03:04:05Z", "kernel": "6.1.0-<x>", "build": "b",' \
	'"machine": "x86_64", "call_nanoseconds": 50, "constants": [' \
	'{"name": "context_in_use", "nanoseconds": 1000, "spread": 0},' \
	'{"name": "rule_passed", "nanoseconds": 7, "spread": 0},' \
	'{"name": "rule_matched", "nanoseconds": 40, "spread": 0}]}' >host.calibration
page timed.html --calibration=host.calibration first.rules
valid timed.html
page_has timed.html 'Linux 6.1.0-&lt;x&gt;'
page_has timed.html 'a user, instructions and ns'
grep -qE '</span> ns</span></td>' timed.html || fail "no nanoseconds"
! grep -q ' ns</span>' first.html || fail "nanoseconds without a calibration"
run 0 cost -q --machine=x86_64 --calibration=host.calibration --report-format=csv -o timed.csv first.rules
tr -d '\r' <timed.csv | awk -F, 'NR > 1 && ($13 == "" || $15 == "" || $14 != "") { bad = 1 } END { exit bad || NR < 2 }' ||
	fail "no nanoseconds in the table"

### What stands in the input is text

printf '%s\n' '-a always,exit -F arch=b64 -S chmod -F auid>=1000 -k <script>alert(1)</script>' \
	'-w /tmp/<img/src=x> -p wa -k "&amp;' "# $(printf '\033')[2J </td></table> \"'" >'a"><b>.rules'
page hostile.html 'a"><b>.rules'
valid hostile.html
! grep -qF -e '<script>alert' -e '<img' -e '"><b>.rules' hostile.html || fail "the page has elements of the input"
page_has hostile.html '&lt;script&gt;alert(1)&lt;/script&gt;'
page_has hostile.html 'a&quot;&gt;&lt;b&gt;.rules'
page_has hostile.html '&amp;amp;'
page_has hostile.html '\x1b[2J'
! grep -q "$(printf '\033')" hostile.html || fail "the page has a raw escape"

### Errors

printf '%s\n' '-a always,exit -S nosuchcall -k a' '-w /etc/passwd -p wa -k b' >bad.rules
run 3 -q --machine=x86_64 --report=bad.html --report-format=html -o none.rules bad.rules
valid bad.html
page_has bad.html 'The input has errors'
page_has bad.html 'unknown-syscall'
[ ! -e none.rules ] || fail "rules in spite of errors"
run 3 -q --machine=x86_64 --report=bad.csv --report-format=csv bad.rules
[ ! -e bad.csv ] || fail "a table in spite of errors"
page kept.html --keep-going bad.rules
valid kept.html
page_has kept.html '<section id="left-out"'
page_has kept.html '<b>left out</b>'

### A table

# table FILE WHAT: each record as many cells as the first; python's reader where
# it is, and awk everywhere.
table() {
	[ "$(tr -dc '\r' <"$1" | wc -c)" = "$(wc -l <"$1")" ] || fail "$2: rows do not end in CR LF"
	tr -d '\r' <"$1" | awk '
	{
		cells = 1; quoted = 0
		for (i = 1; i <= length($0); i++) {
			c = substr($0, i, 1)
			if (c == "\"") quoted = !quoted
			else if (c == "," && !quoted) cells++
		}
		if (NR == 1) wanted = cells
		if (cells != wanted || quoted) { print NR ": " cells; bad = 1 }
	}
	END { exit bad || NR < 300 }' || fail "$2: rows that differ"
	command -v python3 >/dev/null 2>&1 || return 0
	python3 - "$1" <<-'END' || fail "$2: python cannot read it"
		import csv, sys
		rows = list(csv.reader(open(sys.argv[1], newline=""), strict=True))
		assert len({len(row) for row in rows}) == 1
		for row in rows[1:]:
		    for cell in row[2:24]:
		        assert cell == "" or float(cell) is not None
		    for cell in row[:2] + row[24:]:
		        assert cell == "" or cell[0] not in "=+-@", cell
	END
}

cp first.rules '=1+2, "x".rules'
run 0 -q --machine=x86_64 --report=table.csv --report-format=csv -o rules.out '=1+2, "x".rules'
table table.csv "the table"
run 0 cost -q --machine=x86_64 --report-format=csv -o cost.csv -- '=1+2, "x".rules'
table cost.csv "the table of costs"
run 0 -q --machine=x86_64 --report=again.csv --report-format=csv -o rules.out '=1+2, "x".rules'
same table.csv again.csv "another table the second time"
# The same figures as in JSON.
run 0 -q --machine=x86_64 --report=r.json --report-format=json -o rules.out '=1+2, "x".rules'
call=$(awk '/"dearest"/ { on = 1 } on && /"name"/ { gsub(/[",]/, ""); print $2; exit }' r.json)
[ -n "$call" ] || fail "no dearest call in the JSON"
dear=$(awk '/"dearest"/ { on = 1 } on && /"user"/ { user = 1 }
	user && /"instructions"/ { gsub(/[",]/, ""); print $2 + 0; exit }' r.json)
grep -q "^[a-z0-9_]*,$call,[0-9]*,[0-9]*,[0-9]*,[0-9.e-]*,$dear," table.csv ||
	fail "the table has not $dear for $call as the JSON has"

### Colours, by the contrast of WCAG 2.1

# colours SCHEME <STYLE: those of the first block, or of the second over it.
colours() {
	awk -v scheme="$1" '
	/^\t*:root/ { block++ }
	/--[a-z]+: #/ && (block == 1 || scheme == "dark") {
		name = $1; sub(/--/, "", name); sub(/:/, "", name)
		value[name] = substr($2, 2, 6)
	}
	function channel(text, v) {
		v = (index(digits, substr(text, 1, 1)) - 1) * 16 + index(digits, substr(text, 2, 1)) - 1
		v /= 255
		return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ^ 2.4
	}
	function luminance(c) {
		return 0.2126 * channel(substr(c, 1, 2)) + 0.7152 * channel(substr(c, 3, 2)) + 0.0722 * channel(substr(c, 5, 2))
	}
	function contrast(a, b, la, lb) {
		la = luminance(value[a]); lb = luminance(value[b])
		return la > lb ? (la + 0.05) / (lb + 0.05) : (lb + 0.05) / (la + 0.05)
	}
	function wants(a, b, least) {
		if (!(a in value) || !(b in value) || contrast(a, b) < least) {
			printf "%s: %s on %s: %.2f, not %s\n", scheme, a, b, contrast(a, b), least
			bad = 1
		}
	}
	BEGIN { digits = "0123456789abcdef" }
	END {
		split("text quiet link less more bad", words, " ")
		for (i in words) {
			wants(words[i], "page", 4.5)
			wants(words[i], "panel", 4.5)
			wants(words[i], "mark", 4.5)
		}
		split("was is fixed passed entered match buckets", parts, " ")
		for (i in parts) wants(parts[i], "page", 3)
		exit bad
	}' "$AUDITOPT_SRCDIR/src/report/html_style.css" || fail "colours of the $1 scheme"
}
colours light
colours dark

### Published rules

if [ -d "$shared/corpus" ]; then
	for file in "$shared"/corpus/*.rules; do
		page corpus.html -O2 --keep-going "$file"
		valid corpus.html
		[ "$(wc -c <corpus.html)" -lt 2000000 ] || fail "$file: a page over 2 MB"
	done
else
	echo "no published rules beside the source: left out"
fi

finish
