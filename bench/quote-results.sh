#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Prints the document FILE with the rows of its tables as they are today in the
# first table of RESULTS that begins with the columns rules, null, read.
# Usage: sh bench/quote-results.sh RESULTS FILE
set -eu
[ $# = 2 ] || {
	echo "usage: sh bench/quote-results.sh RESULTS FILE" >&2
	exit 2
}
awk -F ' *[|] *' '
	FNR == 1 { file++ }
	file == 1 && /^[|] rules [|] null [|] read [|]/ && !begun {
		begun = inside = 1
		next
	}
	file == 1 && inside && !/^ *[|]/ { inside = 0 }
	file == 1 && inside { row[$2] = $0 }
	file == 1 { next }
	/^ *[|]/ && ($2 in row) {
		match($0, /^ */)
		print substr($0, 1, RLENGTH) row[$2]
		next
	}
	{ print }
' "$1" "$2"
