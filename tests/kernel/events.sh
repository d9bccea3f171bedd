# SPDX-License-Identifier: GPL-2.0-or-later
# Events: the same system calls, under several identities and both ABIs, make the
# same records whatever auditopt did to the rules. Where there are two kernels, each
# runs every file, and half of the random sets.
# Read by check.sh.
# shellcheck shell=sh disable=SC2154,SC2086,SC2046,SC2094

# named_paths FILE: the paths that the rules in FILE name, and that can be worked on.
named_paths() {
	mkdir -p "$work/named"
	sh "$here/tree.sh" -n "$work/named" "$1" | sed -n 's/^[dp] //p' |
		grep -vE '^/(proc|sys|dev|t)(/|$)' | grep -v '[[:space:]]' | sort -u
}

# some_paths COUNT: COUNT lines of standard input, evenly spread, and a path that is
# not there.
some_paths() {
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
	modules) echo "-O1 --lsm=apparmor" ;;
	profile) echo "-O2 --profile=$AUDITOPT_SRCDIR/examples/profiles/web-server.profile" ;;
	esac
}

# make_variants NAME: of $guest/t/sets/NAME/original, as auditopt makes it. One that
# says the same to the letter as one before it is not run again; VARIANT.as says
# which.
make_variants() {
	(
		cd "$guest/t/sets/$1" || exit
		before=
		for variant in $variants; do
			"$AUDITOPT" -q $(options_of $variant) --no-comments --report=none \
				--root="$work/tree" --auditctl=4.0.2 original \
				>$variant 2>"$work/errors" || {
				echo "auditopt $(options_of $variant) $1: $(head -n 5 "$work/errors")"
			}
			for like in $before; do
				! cmp -s $like $variant || {
					echo $like >$variant.as
					break
				}
			done
			[ -e $variant.as ] || before="$before $variant"
		done
	) >"$work/told"
	[ ! -s "$work/told" ] || fail "$(cat "$work/told")"
}

# add_set NAME FILE PATHS TOUCHED MORE: the set as it is and as auditopt makes it,
# each without what auditctl refuses, and the paths to work on.
add_set() {
	to=$guest/t/sets/$1
	mkdir -p "$to"
	loadable "$2" 4.0.2 >"$to/original"
	cp "$3" "$to/paths"
	cp "$4" "$to/touched"
	echo "$5" >"$to/more"
	make_variants "$1"
}

# Sets that are not the same: if that is not told, nothing is. Each line is SET,
# the rules as they are and those that take their place, which say less, more, lend
# another key, or make the kernel tell of more changes; it must be told of O1, and only of it.
broken_sets='broken-value|-a always,exit -S chmod -F auid>=1000 -F auid!=unset -k perm|-a always,exit -S chmod -F auid>1000 -F auid!=unset -k perm
broken-key|-a always,exit -F path=/etc/passwd -F perm=wa -k one|-a always,exit -F path=/etc/passwd -F perm=wa -k two
broken-abi|-a always,exit -F arch=b64 -S openat -F success=0 ; -a always,exit -F arch=b32 -S openat -F success=0|-a always,exit -F arch=b64 -S openat -F success=0
broken-more|-a always,exit -S rename -F uid=33|-a always,exit -S rename -F uid<=33
broken-ring|-a always,io_uring -S openat -F uid=1000 -k ring|-a always,io_uring -S openat -F uid=1001 -k ring
broken-exit|-a always,exit -S exit_group -F auid=500|-a always,exit -S exit_group -F auid=500 -F success!=2
broken-group|-a always,exit -S chown -F gid=27 -k group|-a always,exit -S chown -F sgid=27 -k group
broken-order|-a never,exit -S mkdir -F uid=0 ; -a always,exit -S mkdir -k b|-a always,exit -S mkdir -k b ; -a never,exit -S mkdir -F uid=0
broken-change|-a always,exit -F path=/etc/passwd -F perm=a|-a always,exit -F path=/etc/passwd -F perm=a ; -a never,exit -F dir=/etc/passwd -F exit=-77
broken-parts|-a always,exit -S kill -F auid=1000|-a always,exit -S kill -F auid=1000 ; -a always,exclude -F msgtype=OBJ_PID'

add_broken() {
	echo "$broken_sets" >"$work/broken"
	while IFS='|' read -r name before after; do
		to=$guest/t/sets/$name
		mkdir -p "$to"
		echo /etc/passwd >"$to/paths"
		: >"$to/touched"
		: >"$to/more"
		echo "$before" | sed 's/ ; /\n/g' >"$to/original"
		for variant in $variants; do
			cp "$to/original" "$to/$variant"
		done
		echo "$after" | sed 's/ ; /\n/g' >"$to/O1"
	done <"$work/broken"
}

events_job() {
	cat <<'END'
echo 1 >/sys/kernel/rcu_expedited # deleting a rule waits for it
echo 0 >/proc/sys/kernel/randomize_va_space
cp -a /etc /t/etc
chown -R 1000:1000 /home /d 2>/dev/null
chmod 1777 /tmp
cp /t/events /bin/x
cp /t/events /bin/y
chmod 755 /bin/x /bin/y

# make SET: the calls that are recorded, sorted, for processes race.
make() {
	cp /t/etc/passwd /t/etc/group /etc/
	/bin/x /t/sets/$1/paths /t/sets/$1/touched $(cat /t/sets/$1/more) | sort
}

# load_set SET VARIANT: and what the kernel then holds, in /tmp/VARIANT.held.
load_set() {
	load 4.0.2 /t/sets/$1/$2 || {
		echo "bad $1 $2 does not load"
		grep -B 1 '^There was' /tmp/told | sed 's/^/  /'
	}
	rules -w /tmp/$2.held
	grep '^-q' /t/sets/$1/$2 >>/tmp/$2.held # is in no list
}

# same_rules SET VARIANT: says which variant before it has left the same rules in the
# kernel, in the same order: the same records are certain then.
same_rules() {
	case $1 in
	broken-*) return 1 ;; # to know that the same calls make the same records
	esac
	for like in $before; do
		! cmp -s /tmp/$like.held /tmp/$2.held || {
			echo "good $1 $2, the kernel holds what it holds of $like"
			return
		}
	done
	return 1
}

# records SET VARIANT: of what is loaded
records() {
	make $1 >/tmp/$2
	auditctl 4.0.2 -D >/dev/null 2>&1
	grep '^bad' /tmp/$2 | sed "s/^bad/bad $1 $2/"
}

# What goes with what the kernel logs by itself may be lost at -O2. It logs, too, that
# a rule is changed because its file was replaced, or removed because its directory is
# gone: once for each rule, so of rules that were dropped or united it tells less, and
# a call that is recorded for nothing else is recorded no more.
parts_of() {
	sed 's/ change$//' /tmp/$1 | sort >/tmp/$1.calls
	grep -v ' own$' /tmp/$1.calls >/tmp/$1.rules
	grep '^change\| change$' /tmp/$1 | sed 's/ change$//' >/tmp/$1.changes
	echo none >>/tmp/$1.changes
}

# same_records VARIANT PART: nothing more than the original, and nothing less but such
# changes.
same_records() {
	diff /tmp/original$2 /tmp/$1$2 >/tmp/differences
	! grep -q '^+[^+]' /tmp/differences &&
		! sed -n 's/^-\([^-]\)/\1/p' /tmp/differences | grep -v -F -x -q -f /tmp/original.changes
}

# differ SET VARIANT A B: what only one of them has, and what the paths are.
differ() {
	diff $3 $4 | sed -n "s/^-\([^-]\)/  only of the original: \1/p
		s/^+\([^+]\)/  only of $2: \1/p" | head -n 12 >/tmp/differ
	cat /tmp/differ
	sed -n 's|.*"[a-z]*/\(t*[0-9][0-9]*\)".*|\1|p' /tmp/differ | sort -u | while read -r place; do
		case $place in
		t*) echo "  $place is $(sed -n ${place#t}p /t/sets/$1/touched)" ;;
		*) echo "  $place is $(sed -n ${place}p /t/sets/$1/paths)" ;;
		esac
	done
}

# another_kernel SET: it is one of those that another kernel runs.
another_kernel() {
	case $1 in
	random-*) [ $((${1#random-} % kernels)) != $kernel ] ;;
	*) return 1 ;;
	esac
}

n=0
for set in $(ls /t/sets); do
	! another_kernel $set || continue
	n=$((n + 1))
	[ $((n % guests)) = $guest ] || continue
	make $set >/dev/null # files replaced once are as they are when replaced twice
	load_set $set original
	records $set original
	parts_of original
	before=original
	some=$(cat /t/variants)
	case $set in
	broken-*) some="O1 O2" ;; # the latter is as it was
	esac
	for variant in $some; do
		[ ! -e /t/sets/$set/$variant.as ] || {
			echo "good $set $variant as $(cat /t/sets/$set/$variant.as)"
			continue
		}
		load_set $set $variant
		! same_rules $set $variant || continue
		before="$before $variant"
		records $set $variant
		parts_of $variant
		word=good
		case $variant in
		O0)
			of=
			cmp -s /tmp/original /tmp/O0 || word=bad
			;;
		O2 | profile)
			of=.rules
			same_records $variant $of || word=bad
			;;
		*)
			of=.calls
			same_records $variant $of || word=bad
			;;
		esac
		case $set-$variant in
		broken-*-O1)
			case $word in
			bad) word=good ;;
			*) word=bad ;;
			esac
			;;
		esac
		echo "$word $set $variant, $(grep -c '^call\|^ring' /tmp/original) records"
		[ $word = good ] || differ $set $variant /tmp/original$of /tmp/$variant$of
	done
done
END
}

# events_prepare RANDOM PATHS TOUCHED MORE FILES
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
	guest_program events "$here"/guest/events.c "$here"/guest/heard.c "$here"/guest/steps*.c \
		"$here"/guest/every_call.c "$here"/guest/make_call.c
	guest_program rules "$here/guest/rules.c" "$here/guest/listed.c"
	cp "$work/events" "$work/rules" "$guest/t/"
	mkdir -p "$guest/t/sets"
	printf '%s\n' /a /b /a/c /d /e >"$work/paths"
	: >"$work/touched"
	for file in "$work"/random/*.rules; do
		add_set "$(basename "$file" .rules)" "$file" "$work/paths" "$work/touched" ""
	done
	for file in $5; do
		named_paths "$file" >"$work/all-paths"
		some_paths "$2" <"$work/all-paths" >"$work/paths"
		head -n "$3" "$work/all-paths" >"$work/touched"
		add_set "$(basename "$(dirname "$file")")-$(basename "$file" .rules)" "$file" \
			"$work/paths" "$work/touched" "$4"
	done
	add_broken
	echo "$variants" >"$guest/t/variants"
	events_job >"$guest/t/job"
}

events() {
	variants="O1 O2 verbatim profile"
	case $size in
	full)
		variants="O0 $variants"
		events_prepare 100 2 512 all "$rule_files"
		;;
	some) events_prepare 10 1 10 "" "$rule_files" ;;
	quick)
		variants="O1 O2 profile"
		events_prepare 5 1 5 "" "$(echo "$rule_files" | tr ' ' '\n' | grep -E '/(first-look|workstation|neo23x0|so-stig|sekoia|userspace-[234][0-9].*)\.rules$')"
		;;
	esac
	guests_boot $shares 3000 || fail "events: not all guests came to their end"
	for kernel in $kernels; do
		results events "$kernel"
		grep '^good' "$work/out-$kernel" | awk -F'[ ,]+' '{ n += $4 } END { print "   " n " records compared" }'
	done
}
