# SPDX-License-Identifier: GPL-2.0-or-later
# Companions: what AppArmor refuses keeps the records of its call. At each level the
# kernel logs the same refusals and the same calls that rules ask for; up to -O1 the
# same of the calls that were refused, at -O2 some of them or none, or, where no rule is
# left that makes the kernel follow calls, less of each. Read by check.sh.
# shellcheck shell=sh disable=SC2154,SC2086,SC2034

# profile NAME FLAGS: one that lets /bin/NAME work in /open and nowhere else.
profile() {
	cat <<END
profile $1 /bin/$1 $2 {
	/ r,
	/open/** rwl,
	/{bin,dev,proc,t,tmp}/** r,
	/bin/$1 mr,
	network unix dgram,
}
END
}

companions_job() {
	cat <<'END'
echo 1 >/sys/kernel/rcu_expedited # deleting a rule waits for it
echo 0 >/proc/sys/kernel/randomize_va_space
mount -t securityfs none /sys/kernel/security
mkdir -p /open /secret/directory /bin
chmod 777 /open
for program in confined complaining; do
	cp /t/companions /bin/$program
	chmod 755 /bin/$program
done

# policy LETTER: a, to load it, or R, to remove it.
policy() {
	/t/apparmor/ld-linux-x86-64.so.2 --library-path /t/apparmor /t/apparmor/apparmor_parser \
		-K -I /t/apparmor -$1 /t/policy >/tmp/policy 2>&1 && return
	echo "bad the policy is not taken"
	sed 's/^/  /' /tmp/policy
}

# make: the calls and refusals that are recorded, sorted. A policy that is not new
# has told some refusals already and tells them no more.
make() {
	rm -rf /open/* /secret/*
	mkdir -p /secret/directory
	echo one >/open/file
	echo two >/secret/file
	cp /t/companions /secret/program
	chmod 666 /open/file /secret/file
	chmod 777 /secret /secret/*
	policy a
	/t/companions /bin/confined /bin/complaining | sort
	policy R
}

# records SET VARIANT: and what of them the rules did not ask for, and the rest
records() {
	load 4.0.2 /t/sets/$1/$2 || {
		echo "bad $1 $2 does not load"
		grep -B 1 '^There was' /tmp/told | sed 's/^/  /'
	}
	make >/tmp/$2
	auditctl 4.0.2 -D >/dev/null 2>&1
	grep '^bad' /tmp/$2 | sed "s/^bad/bad $1 $2/"
	grep ' own$' /tmp/$2 >/tmp/$2.own
	grep -v ' own$' /tmp/$2 >/tmp/$2.rules
}

differ() {
	diff $1 $2 | sed -n "s/^-\([^-]\)/  only of the original: \1/p
		s/^+\([^+]\)/  only of $3: \1/p" | head -n 12
}

# says_nothing SET: no refusal can be told with its call, for the set says so.
says_nothing() {
	grep -qE '^-a *(never,task|task,never) *$|^-a *(always,exclude|exclude,always) .*msgtype=(AVC|1400)' /t/sets/$1/original
}

# follows SET VARIANT: has rules for which the kernel keeps what a call does (it counts
# them, audit_n_rules); without, it begins with the first record that it makes itself.
follows() {
	grep '^-[aAw]' /t/sets/$1/$2 | grep -qvE '^-[aA] *([a-z]*,)?(exclude|user|filesystem)[, ]'
}

# less FOLLOWS: of the differences of what goes with refusals, on standard input, each
# call that is told with other records than in the original; "less N" for those that
# are told with some of them, which they may if FOLLOWS is no. Of PATH (1302) there may
# be more then: what has no name is not found again, so each step of a call adds one
# (__audit_inode_child).
less() {
	awk -v follows="$1" '
		function within(line, of, i, n, part, types, pair, most) {
			n = split(of, part, /[ ,]/)
			for (i = 1; i <= n; i++)
				if (split(part[i], pair, "x") == 2)
					most[pair[1]] = pair[2]
			n = split(line, types, /[ ,]/)
			for (i = 1; i <= n; i++)
				if (split(types[i], pair, "x") == 2 && pair[2] > most[pair[1]] + 0 &&
				    !(pair[1] == 1302 && most[1302]))
					return 0
			return 1
		}
		{ head = substr($0, 2); sub(/ with .*/, "", head); rest = $0; sub(/.* with /, "", rest) }
		/^-[^-]/ { original[++n] = rest; of[n] = head }
		/^[+][^+]/ { variant[++m] = rest; call[m] = head } END {
			for (i = 1; i <= m; i++) {
				found = 0
				for (j = 1; j <= n && !found && follows == "no"; j++)
					if (of[j] == call[i] && within(variant[i], original[j])) {
						found = 1
						of[j] = ""
						less++
					}
				if (!found)
					print "other " call[i] " with " variant[i]
			}
			print "less " less + 0
		}'
}

n=0
for set in $(ls /t/sets); do
	n=$((n + 1))
	[ $((n % guests)) = $guest ] || continue
	make >/dev/null
	records $set original
	if [ -s /tmp/original.own ]; then
		echo "tells $set"
	elif says_nothing $set; then
		echo "note $set: by itself it lets nothing be told of refused calls"
	else
		echo "bad $set original: nothing was refused"
	fi
	for variant in $(cat /t/variants); do
		[ -e /t/sets/$set/$variant ] || continue
		[ ! -e /t/sets/$set/$variant.as ] || {
			echo "good $set $variant as $(cat /t/sets/$set/$variant.as)"
			continue
		}
		records $set $variant
		more="$(grep -c ^own /tmp/$variant) refusals, $(wc -l </tmp/original.own) calls with them"
		word=good
		case $variant in
		O2 | profile)
			cmp -s /tmp/original.rules /tmp/$variant.rules || word=bad
			followed=yes
			follows $set $variant || followed=no
			diff /tmp/original.own /tmp/$variant.own >/tmp/own
			less $followed </tmp/own >/tmp/less
			! grep -q ^other /tmp/less || word=bad
			fewer=$(sed -n 's/^less //p' /tmp/less)
			more="$more, $(($(grep -c '^-[^-]' /tmp/own) - fewer)) lost, $fewer less"
			[ $word = good ] || {
				differ /tmp/original.rules /tmp/$variant.rules $variant >/tmp/differ
				sed -n "s/^other /  only of $variant: /p" /tmp/less | head -n 5 >>/tmp/differ
			}
			;;
		*)
			cmp -s /tmp/original /tmp/$variant || word=bad
			differ /tmp/original /tmp/$variant $variant >/tmp/differ
			;;
		esac
		case $set-$variant in
		broken-*)
			case $word in
			bad) word=good ;;
			*) word=bad ;;
			esac
			: >/tmp/differ
			;;
		esac
		echo "$word $set $variant, $more"
		[ $word = good ] || cat /tmp/differ
	done
done
END
}

# If these are not told, nothing is: companions that are lost at -O1, the refusals
# themselves at -O2, and there more of them than the original has.
add_broken_companions() {
	for variant in O1 O2; do
		mkdir -p "$guest/t/sets/broken-$variant"
		echo '-a always,exit -F arch=b64 -S getpid -F auid=1000 -k seen' >"$guest/t/sets/broken-$variant/original"
	done
	{
		cat "$guest/t/sets/broken-O1/original"
		echo '-a never,exit -F arch=b64 -S chmod'
	} >"$guest/t/sets/broken-O1/O1"
	{
		cat "$guest/t/sets/broken-O2/original"
		echo '-a always,exclude -F msgtype=AVC -F uid=33'
	} >"$guest/t/sets/broken-O2/O2"
	mkdir -p "$guest/t/sets/broken-more"
	echo '-a never,user -F uid=78' >"$guest/t/sets/broken-more/original"
	echo '-a always,exit -F arch=b64 -S getpid -F auid=4242' >"$guest/t/sets/broken-more/O2"
}

companions_prepare() {
	sh "$here/tree.sh" "$work/tree" $rule_files 2>/dev/null
	guest_new "$work/tree"
	cp -R "$cache/apparmor" "$guest/t/"
	guest_program companions "$here/guest/companions.c" "$here/guest/heard.c" "$here/guest/make_call.c"
	cp "$work/companions" "$guest/t/"
	{
		echo 'abi <abi/3.0>,'
		profile confined ""
		profile complaining "flags=(complain)"
	} >"$guest/t/policy"
	mkdir -p "$guest/t/sets"
	: >"$work/paths"
	for file in $1; do
		add_set "$(basename "$(dirname "$file")")-$(basename "$file" .rules)" "$file" \
			"$work/paths" "$work/paths" ""
	done
	add_broken_companions
	echo "$variants" >"$guest/t/variants"
	companions_job >"$guest/t/job"
}

companions() {
	variants="O1 verbatim modules O2 profile"
	some='neo23x0|so-stig|web-server|first-look|userspace-30-ospp-v42'
	case $size in
	full)
		variants="O0 $variants"
		some='.*'
		;;
	quick) some='neo23x0|first-look' ;;
	esac
	files=$(echo "$rule_files" | tr ' ' '\n' | grep -E "/($some)\.rules$")
	companions_prepare "$files"
	guest_words="apparmor=1 security=apparmor"
	guests_boot $shares 3000 || fail "companions: not all guests came to their end"
	guest_words=
	for kernel in $kernels; do
		results companions "$kernel"
		awk -F'[ ,]+' '/^good [^b]/ { for (i = 4; i < NF; i++) {
				if ($(i + 1) == "refusals") told += $i
				if ($(i + 1) == "calls") calls += $i
				if ($(i + 1) == "lost") lost += $i
				if ($(i + 1) == "less") less += $i
			} }
			/^tells [^b]/ { tells++ }
			/^note / { notes++; sub(/^note /, "   "); print }
			END {
				print "   " told + 0 " refusals, " calls + 0 " calls with them; of those at -O2 " \
					lost + 0 " lost, " less + 0 " with less"
				exit !lost || tells < 4 * notes
			}' "$work/out-$kernel" || fail "companions: few sets tell of refusals, or nothing is lost at -O2, so that little was tested"
	done
}
