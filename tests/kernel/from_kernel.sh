# SPDX-License-Identifier: GPL-2.0-or-later
# From the kernel: of each rule set that a guest has loaded, what --from-kernel
# reads loads again and leaves the kernel with the same rules; what it makes of them
# at -O2 loads, and is read again; and what auditctl -l prints is read as the same
# rules.
# Read by check.sh.
# shellcheck shell=sh disable=SC2154,SC2086

# from_kernel_set NAME FILE
from_kernel_set() {
	for version in $auditctls; do
		loadable "$2" "$version" >"$guest/t/sets/$1.$version"
		"$AUDITOPT" dump -q --root="$work/tree" --auditctl="$version" -o "$work/dump" \
			"$guest/t/sets/$1.$version" 2>"$work/errors" &&
			"$build/tests/kernel/expect" "$work/dump" "$guest/t/want/$1.$version" && continue
		fail "from_kernel: auditopt dump --auditctl=$version $1"
		head -n 5 "$work/errors"
	done
}

from_kernel_prepare() {
	sh "$here/tree.sh" "$work/tree" $rule_files 2>/dev/null
	guest_new "$work/tree"
	guest_program rules "$here/guest/rules.c" "$here/guest/listed.c"
	cp "$work/rules" "$guest/t/"
	guest_auditopt
	mkdir -p "$guest/t/sets" "$guest/t/want"
	for file in $rule_files; do
		case $file in
		*/cases/*) [ "$size" = full ] || continue ;;
		esac
		from_kernel_set "$(basename "$(dirname "$file")")-$(basename "$file" .rules)" "$file"
	done
	# What auditctl -l prints otherwise than it is read.
	cat >"$work/odd" <<'END'
-a always,exit -F arch=b32 -S open,chmod -F exit=-EAGAIN -F key=b32
-a always,exit -S getpid -F a1&0x3 -F filetype=dir -F key=names\ of\ b32
-a always,exit -F auid>=1000 -F arch=b64 -S open -F perm=wa -F key=perm
-a always,exit -S open -F perm=wa -F key=perm
-a always,exit -F gid!=4294967294 -F uid=4294967294 -F auid!=unset -F sessionid!=unset
-a always,exit -F perm=wa -F path=/etc/passwd -F key=perm\ first
-a always,exit -S all -F perm=x -F key=everything
-a always,exit -F dir=/etc/ -F perm=r -F key=slash
-w /etc/a\ b\\c -p rwxa -k key\ with\ space -k two
-a always,exit -F arch=b64 -S mount -C auid!=obj_uid -F a0&=0x80000001 -F inode=4000000000
-a never,exit -F arch=b64 -S mount -F exe=/usr/bin/x -F subj_type=some\ type
-a always,exclude -F msgtype=USER_AVC -F auid=5
-a never,task -F uid=77
-a never,filesystem -F fstype=0x9fa0
END
	mkdir -p "$guest/usr/bin" "$guest/etc"
	: >"$guest/usr/bin/x"
	: >"$guest/etc/a b\\c"
	from_kernel_set odd "$work/odd"
	from_kernel_job >"$guest/t/job"
}

from_kernel_job() {
	echo "program='$guest_auditopt_command'"
	cat <<'JOB'
echo 1 >/sys/kernel/rcu_expedited # deleting a rule waits for it

# tell NAME WHAT FILE...
tell() {
	echo "bad $1: $2"
	shift 2
	head -n 12 "$@" | sed 's/^/  /'
}

# check NAME VERSION: of what is loaded.
check() {
	$program --from-kernel -q --no-comments --report=none -O0 -o /tmp/made 2>/tmp/err || {
		tell $1 "--from-kernel -O0" /tmp/err
		return
	}
	$program --from-kernel -q --no-comments --report=none -O2 -o /tmp/fast 2>/tmp/err || {
		tell $1 "--from-kernel -O2" /tmp/err
		return
	}
	auditctl $2 -l >/tmp/listing
	$program diff --listing --level=1 --from-kernel /tmp/listing >/tmp/same 2>/tmp/err || {
		tell $1 "auditctl -l" /tmp/same /tmp/err
		return
	}
	$program diff -q --level=1 --auditctl=$2 --from-kernel /t/sets/$1 >/tmp/same 2>/tmp/err || {
		tell $1 "diff --from-kernel" /tmp/same /tmp/err
		return
	}
	if ! load $2 /tmp/made || ! rules /t/want/$1 >/tmp/same; then
		tell $1 "-O0, loaded again" /tmp/same /tmp/told
		return
	fi
	if ! load $2 /tmp/fast || ! $program diff -q --level=1 --from-kernel /tmp/fast >/tmp/same 2>&1; then
		tell $1 "-O2, loaded" /tmp/same /tmp/told
		return
	fi
	echo "good $1"
}

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
	check $name $version
done

# The status comes back; an empty list is one, too.
auditctl 3.0.9 -D >/dev/null
auditctl 3.0.9 -b 1234 >/dev/null
auditctl 3.0.9 -r 17 >/dev/null
auditctl 3.0.9 --backlog_wait_time 99 >/dev/null
$program --from-kernel -q --no-comments >/tmp/made
printf -- '-D\n-b 1234\n-f 1\n-r 17\n--backlog_wait_time 99\n-e 1\n' >/tmp/wanted
if cmp -s /tmp/made /tmp/wanted; then echo "good status"; else tell status made /tmp/made; fi
auditctl 4.0.2 -l | $program -q --no-comments >/tmp/made 2>&1
if [ -s /tmp/made ]; then tell "no rules" made /tmp/made; else echo "good no rules"; fi
auditctl 3.0.9 -r 0 >/dev/null
auditctl 4.0.2 --loginuid-immutable >/dev/null
auditctl 3.0.9 -e 2 >/dev/null
$program --from-kernel --no-comments --report=none >/tmp/made 2>/tmp/err
if grep -q kernel-locked /tmp/err && grep -q '^--loginuid-immutable' /tmp/made &&
	[ "$(tail -n 1 /tmp/made)" = '-e 2' ]; then
	echo "good locked"
else
	tell locked made /tmp/made /tmp/err
fi
JOB
}

from_kernel() {
	from_kernel_prepare
	guests_boot $shares 1800 || fail "from_kernel: not all guests came to their end"
	for kernel in $kernels; do
		results from_kernel "$kernel"
	done
}
