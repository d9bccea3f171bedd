# SPDX-License-Identifier: GPL-2.0-or-later
# Language: each line of the rule files, changed ones and generated ones, one at a
# time: auditctl accepts what auditopt accepts, and the kernel lists the rule that
# auditopt says. Read by check.sh.
# shellcheck shell=sh disable=SC2154,SC2086

# Values that mean nothing to the kernel: it takes what audit_field_valid() would
# refuse if it saw them.
odd_lines() {
	for value in 0 1 25 26 999 4294967295; do
		for operator in = !=; do
			echo "-a always,exit -S open -F field_compare$operator$value -k odd"
		done
	done
	for value in 0 45 46 47 999; do
		echo "-a always,exit -S bind -F saddr_fam=$value -k odd"
	done
	echo "-a always,exit -S open -F loginuid_set=2"
	echo "-a always,exit -S open -F perm=16"
	echo "-a always,exit -S open -F filetype=1"
}

language_prepare() {
	sh "$here/tree.sh" "$work/tree" $rule_files 2>/dev/null
	# as in the guest
	mkdir -p "$work/tree/proc/self"
	: >"$work/tree/dev/null"
	guest_new "$work/tree"
	guest_program lines "$here/guest/lines.c" "$here/guest/listed.c"
	cp "$work/lines" "$guest/t/"
	odd_lines >"$work/odd.rules"
	for version in $auditctls; do
		"$build/tests/kernel/lines" "$work/tree" "$version" "$1" \
			"$work/odd.rules" $rule_files >"$guest/t/lines-$version" 2>"$work/errors" ||
			fail "lines $version: $(cat "$work/errors")"
		echo "language, auditctl $version: $(cat "$work/errors")"
	done
	cat >"$guest/t/job" <<'END'
echo 1 >/sys/kernel/rcu_expedited # deleting a rule waits for it
n=0
for version in 3.0.9 4.0.2; do
	n=$((n + 1))
	[ $((n % guests)) = $guest ] || continue
	lines /t/auditctl-$version /t/lines-$version
done
END
}

language() {
	count=100
	[ "$size" != full ] || count=2500
	language_prepare $count
	guests_boot $shares 3000 || fail "language: not all guests came to their end"
	for kernel in $kernels; do
		results language "$kernel"
	done
}
