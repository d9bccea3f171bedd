# SPDX-License-Identifier: GPL-2.0-or-later
# Outputs: what auditopt writes loads without an error under both auditctl, and
# what the kernel then lists is what auditopt says it wrote. The same for the
# originals, whose faulty lines both must agree on. Read by check.sh.
# shellcheck shell=sh disable=SC2154,SC2086

# want FILE VERSION TO: the rules that the kernel must list.
want() {
	"$AUDITOPT" dump -q --root="$work/tree" --auditctl="$2" -o "$work/dump" "$1" 2>"$work/errors" &&
		"$build/tests/kernel/expect" "$work/dump" "$3" && return 0
	fail "auditopt dump --auditctl=$2 $(basename "$1")"
	head -n 5 "$work/errors"
}

# original NAME FILE: with its faulty lines.
original() {
	for version in $auditctls; do
		loadable "$2" "$version" >"$work/good"
		want "$work/good" "$version" "$guest/t/want/$1.$version"
		cp "$work/loadable" "$guest/t/sets/$1.$version"
		sort -nu "$work/faulty" | tr '\n' ' ' >"$guest/t/want/$1.$version.faulty"
	done
}

# made NAME FILE: what auditopt makes of it at each level, read as the old auditctl
# reads it (in full: as each does); all of it must mean the same to both.
made() {
	versions=3.0.9
	levels="1 2"
	[ "$size" != full ] || {
		versions=$auditctls
		levels="0 1 2"
	}
	for version in $versions; do
		for level in $levels; do
			to=$guest/t/sets/$1-O$level-from-$version
			"$AUDITOPT" -q -O$level --keep-going --report=none --root="$work/tree" \
				--auditctl="$version" "$2" >"$work/made" 2>"$work/errors" || {
				fail "auditopt -O$level --auditctl=$version $1"
				head -n 5 "$work/errors"
				continue
			}
			sed '/^-[ef]/d; /^-[ic]$/d; /^-b/d; /^-r/d' "$work/made" >"$to"
			for reader in $auditctls; do
				want "$to" "$reader" "$guest/t/want/${to##*/}.$reader"
				: >"$guest/t/want/${to##*/}.$reader.faulty"
				ln "$to" "$to.$reader"
			done
			rm "$to"
		done
	done
}

outputs_prepare() {
	sh "$here/tree.sh" "$work/tree" $rule_files 2>/dev/null
	guest_new "$work/tree"
	guest_program rules "$here/guest/rules.c" "$here/guest/listed.c"
	cp "$work/rules" "$guest/t/"
	mkdir -p "$guest/t/sets" "$guest/t/want"
	for file in $rule_files; do
		name=$(basename "$(dirname "$file")")-$(basename "$file" .rules)
		original "$name" "$file"
		made "$name" "$file"
	done
	cat >"$guest/t/job" <<'END'
echo 1 >/sys/kernel/rcu_expedited # deleting a rule waits for it
n=0
for file in /t/sets/*; do
	n=$((n + 1))
	[ $((n % guests)) = $guest ] || continue
	name=${file##*/}
	case $name in
	*.3.0.9) version=3.0.9 ;;
	*) version=4.0.2 ;;
	esac
	load $version "$file"
	case $name in
	*-O[0-2]-from-*) ! grep 'Rule exists' /tmp/told >>/tmp/faulty ;;
	esac
	rules "/t/want/$name" >/tmp/same
	if cmp -s /tmp/faulty "/t/want/$name.faulty" && grep -q ^same /tmp/same; then
		echo "good $name $(tail -n 1 /tmp/same)"
	else
		echo "bad $name"
		echo "  auditctl refuses lines $(cat /tmp/faulty); auditopt: $(cat "/t/want/$name.faulty")"
		sed 's/^/  /' /tmp/same
		grep -B 1 '^There was an error' /tmp/told | head -n 6 | sed 's/^/  /'
	fi
done
END
}

outputs() {
	outputs_prepare
	guests_boot $shares 3000 || fail "outputs: not all guests came to their end"
	for kernel in $kernels; do
		results outputs "$kernel"
	done
}
