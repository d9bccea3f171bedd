# SPDX-License-Identifier: GPL-2.0-or-later
# A guest with a kernel of its own, for tests/kernel/check.sh and bench/kernel;
# read with `.`. Wants $here (this directory), $work (an empty directory),
# $cache (what fetch.sh printed).
# shellcheck shell=sh disable=SC2154,SC2034

skip() {
	echo "skipped: $*"
	exit 77
}

# Ends with 77 where no guest can be had.
guest_needs() {
	for tool in qemu-system-x86_64 cpio gzip timeout flock; do
		command -v $tool >/dev/null 2>&1 || skip "no $tool here (packages qemu-system-x86, cpio)"
	done
	cache=$(sh "$here/fetch.sh") || exit $?
	guest=$work/guest
}

# guest_program NAME SOURCE...: a static program for the guest's /t, in $work.
# Not a PIE: its memory then lies where 32-bit calls can point to.
guest_program() {
	name=$1
	shift
	for libraries in "-laudit -lcap-ng" -laudit; do
		# shellcheck disable=SC2086 # a list of words
		${CC:-cc} -std=gnu17 -D_GNU_SOURCE -O2 -Wall -Wextra -static -no-pie -I "$here" \
			-o "$work/$name" "$@" $libraries >"$work/cc.log" 2>&1 && return
	done
	tail -n 5 "$work/cc.log" >&2
	skip "$name cannot be linked statically here"
}

# guest_new [TREE]: the guest's files: those of TREE, and in /t busybox and both
# auditctl.
guest_new() {
	rm -rf "$guest"
	mkdir -p "$guest"
	[ $# = 0 ] || cp -a "$1/." "$guest/"
	mkdir -p "$guest/t"
	cp -a "$cache"/auditctl-* "$cache/busybox/busybox" "$guest/t/"
	cp "$here/init" "$guest/init"
	chmod 755 "$guest/init"
}

# guest_auditopt: the built program for the guest, with its libraries, in
# /t/auditopt; guest_auditopt_command is what runs it there.
guest_auditopt() {
	mkdir -p "$guest/t/auditopt"
	cp "$AUDITOPT" "$guest/t/auditopt/auditopt"
	ldd "$AUDITOPT" | sed -n 's/^.* => \(\/[^ ]*\) .*/\1/p; s/^[[:space:]]*\(\/[^ ]*ld-linux[^ ]*\) .*/\1/p' |
		while read -r library; do
			cp -L "$library" "$guest/t/auditopt/"
		done
}
guest_auditopt_command="/t/auditopt/ld-linux-x86-64.so.2 --library-path /t/auditopt /t/auditopt/auditopt"

# guest_pack: what the guest starts with, of $guest.
guest_pack() {
	(cd "$guest" && find . | cpio --quiet -o -H newc -R 0:0) | gzip -1 >"$work/initrd"
}

# The processor that is emulated. One without wide vectors and five levels of pages,
# which cost more to emulate than they are of use; what is measured in instructions
# is measured on the one that has all, for the figures in the repository are.
guest_processor=max

# guest_run KERNEL SECONDS TO WORDS [QEMU ARGUMENT...]: runs what was packed, the
# guest's /t/job, to its end; what it printed is then in the file TO. WORDS go to
# the kernel, and NAME=VALUE of them are variables for the job. False when it did
# not end.
guest_run() {
	kernel=$1
	seconds=$2
	to=$3
	words=$4
	shift 4
	rm -f "$to"
	timeout "$seconds" qemu-system-x86_64 -accel tcg -cpu "$guest_processor" -m 1024 -smp 1 \
		-display none -monitor none -nic none -no-reboot \
		-serial "file:$to.console" -serial "file:$to" \
		-kernel "$cache/$kernel/vmlinuz" -initrd "$work/initrd" "$@" \
		-append "console=ttyS0 quiet loglevel=1 panic=-1 no_timer_check audit=1 audit_backlog_limit=65000 mitigations=off $words" \
		</dev/null >"$to.qemu" 2>&1
	[ "$(tail -n 1 "$to" 2>/dev/null)" = "== end" ] && return 0
	echo "the guest ($kernel) did not come to its end:"
	tail -n 5 "$to.console" "$to.qemu" "$to"
	return 1
}

# guest_boot KERNEL SECONDS [QEMU ARGUMENT...]: packs and runs one guest; what it
# printed is then in $work/out and in $work/out-KERNEL.
guest_boot() {
	on_kernel=$1
	for_seconds=$2
	shift 2
	guest_pack
	guest_run "$on_kernel" "$for_seconds" "$work/out" "" "$@"
	ended=$?
	cp "$work/out" "$work/out-$on_kernel"
	return $ended
}

# guests_boot GUESTS SECONDS [QEMU ARGUMENT...]: packs, and runs that many guests on
# each of $kernels at once; each job knows its $guest (0, 1 ...) of $guests, and $kernel
# (0, 1 ...) of $kernels. What those of a kernel printed is then in $work/out-KERNEL.
# The kernel gets $guest_words, too. False when one did not end.
guests_boot() {
	guests=$1
	for_seconds=$2
	shift 2
	guest_pack
	running=
	kernel_number=0
	all_kernels=$(echo "$kernels" | wc -w)
	for on_kernel in $kernels; do
		rm -f "$work/out-$on_kernel"-[0-9] # of more guests, before
		for number in $(seq 0 $((guests - 1))); do
			guest_run "$on_kernel" "$for_seconds" "$work/out-$on_kernel-$number" \
				"guest=$number guests=$guests kernel=$kernel_number kernels=$all_kernels ${guest_words:-}" \
				"$@" &
			running="$running $!"
		done
		kernel_number=$((kernel_number + 1))
	done
	all_ended=0
	for process in $running; do
		wait "$process" || all_ended=1
	done
	for on_kernel in $kernels; do
		cat "$work/out-$on_kernel"-[0-9] >"$work/out-$on_kernel" 2>/dev/null
	done
	return $all_ended
}

# loadable FILE VERSION: FILE without the lines that auditctl VERSION refuses, and
# without those that lock, stop or choke the guest. Leaves in $work/loadable what
# still has the refused ones, and in $work/faulty their numbers. Lines with calls
# that the linked libaudit has no name for are left out of both: there the other
# auditctl may know more. Needs $AUDITOPT and $guest.
loadable() {
	sed '/^ *-[efribRs]/d; /^ *-c *$/d; /^ *-D *$/d; /^ *--/d; s/\r$//' "$1" >"$work/known"
	refused_lines known "$2" | sed -n 's/:.*this libaudit does not know.*/d/p' >"$work/unknown"
	sed -f "$work/unknown" "$work/known" >"$work/loadable"
	refused_lines loadable "$2" | sed 's/:.*//' >"$work/faulty"
	sed 's/$/d/' "$work/faulty" | sed -f - "$work/loadable"
}

# refused_lines NAME VERSION: those of $work/NAME, each as NUMBER: and why.
refused_lines() {
	"$AUDITOPT" dump --root="$guest" --auditctl="$2" -o /dev/null "$work/$1" 2>"$work/errors"
	sed -n "s/^.*$1:\([0-9]*\):[0-9]*: error: \(.*\)/\1: \2/p" "$work/errors"
}

# Counted instructions instead of time.
icount="-icount shift=0,sleep=off"
