#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Mixes the recorded profiles into the default one:
#
#   contrib/mix-profiles.sh            writes examples/profiles/default.profile
#                                      and src/profile/default_rows.inc
#   contrib/mix-profiles.sh DIRECTORY  writes both files there
#
# The mix stands here and nowhere else: of a hundred calls, so many are as each
# workload makes them. Audited hosts are servers most of all, where daemons make
# nearly all calls; the compiler stands for people who log in and run programs.
set -eu

mix="web-server 40
database 40
compiler 10
idle 10"

case ${1:-} in
-h | --help)
	sed -n '3,/^set /s/^# \{0,1\}//p' "$0"
	exit 0
	;;
-*)
	echo "mix-profiles.sh: no such option: $1 (-h tells how it is used)" >&2
	exit 2
	;;
esac
top=$(cd "$(dirname "$0")/.." && pwd)
profiles=$top/examples/profiles
text=${1:-$profiles}/default.profile
rows=${1:-$top/src/profile}/default_rows.inc
LC_ALL=C
export LC_ALL

# Each row with the share of its workload in front.
shared_rows() {
	echo "$mix" | while read -r name share; do
		awk -v share="$share" '
			/^#/ { next }
			NR == FNR { all += $2; next }
			{ printf "%d %d %s %d %s %s\n", share, all, $1, $2, $3, $4 }
		' "$profiles/$name.profile" "$profiles/$name.profile"
	done
}

# Calls in a million; a call that is made at all is made once.
mixed() {
	shared_rows | awk '
		{
			part = $1 / 100 * $4 / $2
			calls[$3] += part
			failed[$3] += part * $5
			unset[$3] += part * $6
		}
		END {
			for (name in calls) {
				count = int(calls[name] * 1000000 + 0.5)
				printf "%-24s %8d %.4f %.4f\n", name,
					count < 1 ? 1 : count,
					failed[name] / calls[name],
					unset[name] / calls[name]
			}
		}' | sort -k2,2nr -k1,1
}

{
	echo "# SPDX-License-Identifier: GPL-2.0-or-later"
	echo "# The default profile, made by contrib/mix-profiles.sh. Of a hundred calls:"
	echo "$mix" | while read -r name share; do
		echo "#   $share as in $name.profile"
	done
	echo "# call, how often in a million, share that failed, share with auid unset"
	mixed
} >"$text"
awk '
	BEGIN {
		print "/* SPDX-License-Identifier: GPL-2.0-or-later */"
		print "/* Made by contrib/mix-profiles.sh from examples/profiles; not to be edited. */"
	}
	/^#/ { next }
	{ printf "{\"%s\", %d, %d, %d},\n", $1, $2, $3 * 10000 + 0.5, $4 * 10000 + 0.5 }
' "$text" >"$rows"
