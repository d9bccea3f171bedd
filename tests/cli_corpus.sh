#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Public rule sets and the cases go through whole, at every level, and what
# comes out comes out of itself again. The examples too, so that something is
# left to test where the others are not.
. "${AUDITOPT_SRCDIR:?}/tests/lib/cli.sh"

for file in "$examples"/*.rules "$examples"/rules.d "$shared"/corpus/*.rules \
	"$shared"/cases/*.rules; do
	[ -e "$file" ] || {
		echo "skipped: $file"
		continue
	}
	name=$(basename "$file")
	for level in 0 1 2; do
		run 0 -q --keep-going -O$level --no-comments "$file"
		cp out once
		run 0 -q -O$level --no-comments once
		same once out "$name -O$level: a second run changes something"
	done
	[ "$(awk '{ if (length($0) > m) m = length($0) } END { print m + 0 }' once)" -lt 4000 ] ||
		fail "$name: a line of 4000 bytes or more"
	run 0 -q --keep-going "$file"
	rules_of out >rules
	run 0 -q --keep-going --no-comments "$file"
	rules_of out >plain
	same plain rules "$name: comments change the rules"
	cp out once
	for version in 3.0.9 3.1.3 4.0.2 4.2.1; do
		run 0 -q --no-comments --auditctl=$version once
		same once out "$name: another meaning under auditctl $version"
	done
	run 0 cost -q --keep-going "$file"
	run 0 cost -q --keep-going --report-format=json "$file"
	run 0 dump -q --keep-going "$file"
	case $file in
	*/corpus/*)
		for machine in i386 aarch64 ppc64le s390x; do
			run 0 -q --keep-going --machine=$machine "$file"
		done
		;;
	esac
done

finish
