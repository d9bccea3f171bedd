# SPDX-License-Identifier: GPL-2.0-or-later
# Events: the same system calls, under several identities and both ABIs, make the
# same records whatever auditopt did to the rules. Read by check.sh.
# shellcheck shell=sh disable=SC2154,SC2086,SC2046

# some_paths COUNT FILE: COUNT of the paths that the rules in FILE name, evenly
# spread, and one that is not there.
some_paths() {
	mkdir -p "$work/named"
	sh "$here/tree.sh" -n "$work/named" "$2" | sed -n 's/^[dp] //p' |
		grep -vE '^/(proc|sys|dev|t)(/|$)' | grep -v '[[:space:]]' |
		awk -v count="$1" '
			{ path[NR] = $0 }
			END {
				step = NR > count ? NR / count : 1
				for (i = 1; i <= NR; i += step)
					print path[int(i)]
			}'
	echo /etc/is-not-there
}

# options_of VARIANT
options_of() {
	case $1 in
	O?) echo "-$1" ;;
	verbatim) echo "-O1 --verbatim" ;;
	profile) echo "-O2 --profile=$AUDITOPT_SRCDIR/examples/profiles/web-server.profile" ;;
	esac
}

# add_set NAME FILE PATHS MORE: the set as it is and as auditopt makes it, each
# without what auditctl refuses, and the paths to work on.
add_set() {
	to=$guest/t/sets/$1
	mkdir -p "$to"
	loadable "$2" 3.0.9 >"$to/original"
	cp "$3" "$to/paths"
	echo "$4" >"$to/more"
	for variant in $variants; do
		"$AUDITOPT" -q $(options_of $variant) --no-comments --report=none \
			--root="$work/tree" --auditctl=3.0.9 "$to/original" \
			>"$to/$variant" 2>"$work/errors" || {
			fail "auditopt $(options_of $variant) $1"
			head -n 5 "$work/errors"
		}
	done
}

# One that is not the same: if it is not told, nothing is.
add_broken() {
	to=$guest/t/sets/broken
	mkdir -p "$to"
	echo /etc/passwd >"$to/paths"
	: >"$to/more"
	echo '-a always,exit -S chmod -F auid>=1000 -F auid!=unset -k perm' >"$to/original"
	for variant in $variants; do
		cp "$to/original" "$to/$variant"
	done
	echo '-a always,exit -S chmod -F auid>1000 -F auid!=unset -k perm' >"$to/O1"
}

events_job() {
	cat <<'END'
echo 1 >/sys/kernel/rcu_expedited # deleting a rule waits for it
echo 0 >/proc/sys/kernel/randomize_va_space
cp -a /etc /t/etc
chown -R 1000:1000 /home /d 2>/dev/null
cp /t/events /bin/x
chmod 755 /bin/x
printf '%s\n' /a /b /d >/tmp/paths
# So that inode and session numbers are past those that random rules name.
/bin/x /tmp/paths >/dev/null

# records SET VARIANT
records() {
	cp /t/etc/passwd /t/etc/group /etc/
	load 3.0.9 /t/sets/$1/$2 || {
		echo "bad $1 $2 does not load"
		grep -B 1 '^There was' /tmp/told | sed 's/^/  /'
	}
	# Sorted: a parent and its child race.
	/bin/x /t/sets/$1/paths $(cat /t/sets/$1/more) | sort >/tmp/$2
	auditctl 3.0.9 -D >/dev/null 2>&1
	grep '^bad' /tmp/$2 | sed "s/^bad/bad $1 $2/"
}

# What the kernel logs by itself may lose the records that go with it at -O2.
rules_only() {
	grep -v '(null) own$' /tmp/$1 >/tmp/$1.rules
}

for set in $(ls /t/sets); do
	records $set original
	rules_only original
	for variant in $(cat /t/variants); do
		records $set $variant
		rules_only $variant
		of=
		case $variant in
		O2 | profile) of=.rules ;;
		esac
		word=good
		cmp -s /tmp/original$of /tmp/$variant$of || word=bad
		if [ $set = broken ] && [ $variant = O1 ]; then
			case $word in
			bad) word=good ;;
			*) word=bad ;;
			esac
		fi
		echo "$word $set $variant, $(wc -l </tmp/original) records"
		[ $word = good ] || diff /tmp/original$of /tmp/$variant$of |
			grep '^[-+][^-+]' | head -n 8 | sed 's/^/  /'
	done
done
END
}

events_prepare() {
	mkdir -p "$work/random"
	"$build/tests/kernel/sets" "$work/random" "$1" || fail "no random sets"
	sh "$here/tree.sh" "$work/tree" $rule_files 2>/dev/null
	mkdir -p "$work/tree/a"
	: >"$work/tree/a/c"
	: >"$work/tree/b"
	mkdir -p "$work/tree/d"
	: >"$work/tree/bin/x"
	: >"$work/tree/bin/y"
	guest_new "$work/tree"
	guest_program events "$here/guest/events.c" "$here/guest/steps.c"
	cp "$work/events" "$guest/t/"
	mkdir -p "$guest/t/sets"
	printf '%s\n' /a /b /a/c /d /e >"$work/paths"
	for file in "$work"/random/*.rules; do
		add_set "$(basename "$file" .rules)" "$file" "$work/paths" ""
	done
	for file in $rule_files; do
		some_paths "$2" "$file" >"$work/paths"
		add_set "$(basename "$(dirname "$file")")-$(basename "$file" .rules)" "$file" \
			"$work/paths" "$3"
	done
	add_broken
	echo "$variants" >"$guest/t/variants"
	events_job >"$guest/t/job"
}

events() {
	variants="O1 O2 verbatim"
	[ "$size" != full ] || variants="O0 O1 O2 verbatim profile"
	if [ "$size" = full ]; then
		events_prepare 150 16 all
	else
		events_prepare 12 2 ""
	fi
	for kernel in $kernels; do
		guest_boot "$kernel" 3000 || fail "events: kernel $kernel"
		results events "$kernel"
		grep '^good' "$work/out" | awk -F'[ ,]+' '{ n += $4 } END { print "   " n " records compared" }'
	done
}
