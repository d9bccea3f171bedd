# SPDX-License-Identifier: GPL-2.0-or-later
# systemd: auditopt's drop-ins under the systemd of Debian 12 and 13, on auditd.service
# of audit 3.0.9 and audit-rules.service of 4.0.2 as these are shipped. Three boots each:
# the first begins without auditopt-boot and sees it enabled, each failure, and disabled;
# the second begins with what that enabled, an error in rules.d and a lock; in the third
# auditopt crashes before a lock. In size quick, and on all kernels but the first, the
# second alone: what is tested is systemd's and not the kernel's. Read by check.sh.
# shellcheck shell=sh disable=SC2154,SC2086,SC2030,SC2031

# What is not of use here, and slow where each instruction is emulated.
systemd_masked="systemd-journal-flush systemd-update-utmp systemd-random-seed systemd-sysctl
	systemd-modules-load systemd-binfmt systemd-logind systemd-user-sessions systemd-remount-fs
	systemd-firstboot systemd-sysusers systemd-machine-id-commit systemd-ask-password-wall.path
	systemd-ask-password-console.path systemd-pcrphase systemd-pcrphase-sysinit
	systemd-pcrextend systemd-update-utmp-runlevel systemd-boot-random-seed systemd-repart
	systemd-hibernate-clear systemd-hwdb-update systemd-battery-check systemd-journald-audit.socket
	getty@tty1 console-getty systemd-tpm2-setup systemd-tpm2-setup-early getty.target timers.target
	dev-hugepages.mount dev-mqueue.mount sys-kernel-debug.mount sys-kernel-tracing.mount
	sys-kernel-config.mount sys-fs-fuse-connections.mount proc-sys-fs-binfmt_misc.automount
	systemd-initctl.socket remote-fs.target slices.target ldconfig systemd-journal-catalog-update
	systemd-update-done systemd-hostnamed.socket graphical.target"

# systemd_overlay VERSION: what is laid over the userland, in $guest: what the scripts
# of its packages would have made, auditopt, and the unit that tests.
systemd_overlay() {
	root=$cache/systemd-$1/root
	rm -rf "$guest"
	mkdir -p "$guest/etc/systemd/system/multi-user.target.wants" "$guest/usr/bin" "$guest/t" "$guest/watched" \
		"$guest/etc/systemd/system-generators" "$guest/var" "$guest/usr/lib/systemd/system"
	ln -s /run "$guest/var/run"
	ln -s /run/lock "$guest/var/lock"
	for name in passwd group; do
		cp "$root/usr/share/base-passwd/$name.master" "$guest/etc/$name"
	done
	ln -s mawk "$guest/usr/bin/awk"
	echo 0123456789abcdef0123456789abcdef >"$guest/etc/machine-id"
	units=$guest/etc/systemd/system
	for unit in $systemd_masked; do
		case $unit in
		*.*) ln -s /dev/null "$units/$unit" ;;
		*) ln -s /dev/null "$units/$unit.service" ;;
		esac 2>/dev/null
	done
	for generator in "$root"/usr/lib/systemd/system-generators/*; do
		ln -s /dev/null "$guest/etc/systemd/system-generators/${generator##*/}"
	done
	for unit in auditd.service audit-rules.service; do
		[ ! -e "$root/usr/lib/systemd/system/$unit" ] ||
			ln -s "/usr/lib/systemd/system/$unit" "$units/multi-user.target.wants/$unit"
	done
	cat >"$units/job.service" <<'END'
[Unit]
After=auditd.service audit-rules.service multi-user.target
[Service]
Type=exec
ExecStart=/bin/sh -c 'stty -F /dev/ttyS1 raw -echo; . /t/job >/dev/ttyS1 2>&1; echo "== end" >/dev/ttyS1; exec /t/busybox poweroff -f'
END
	ln -s ../job.service "$units/multi-user.target.wants/job.service"
	cp "$cache/busybox/busybox" "$guest/t/"
	for unit in auditd audit-rules; do # emulated, so slow
		mkdir "$guest/usr/lib/systemd/system/$unit.service.d"
		cat >"$guest/usr/lib/systemd/system/$unit.service.d/90-slow.conf" <<'END'
[Unit]
StartLimitIntervalSec=0
[Service]
TimeoutStartSec=infinity
Environment=AUDITOPT_BOOT_SECONDS=200 AUDITOPT_BOOT_LIMIT=400
END
	done
	boot_auditopt
	cp "$guest/t/good" "$guest/opt/auditopt/auditopt"
	mkdir -p "$guest/etc/audit/rules.d" "$guest/opt/auditopt/boot"
	mv "$guest"/opt/auditopt/*.conf "$guest/opt/auditopt/boot/"
	cp "$root/usr/sbin/auditctl" "$root/etc/audit/rules.d/audit.rules" "$guest/t/"
	guest_program rules "$here/guest/rules.c" "$here/guest/listed.c"
	cp "$work/rules" "$guest/t/"
}

# systemd_sets: what is in rules.d beside what the package brings.
systemd_sets() {
	mkdir -p "$guest/t/sets"
	cat >"$guest/t/sets/base" <<'END'
-b 4096
-w /watched -p wa -k watch
-a always,exit -F arch=b64 -S adjtimex -k time
-a always,exit -F arch=b64 -S settimeofday -k time
-a always,exit -F arch=b64 -S chmod,fchmod -F auid>=1000 -F auid!=unset -k perm
END
	{
		cat "$guest/t/sets/base"
		echo '-a always,exit -F arch=b64 -S nosuchcall -k bad'
		echo '-w /etc/passwd -p wa -k behind'
	} >"$guest/t/sets/faulty"
	for set in base faulty; do
		{
			cat "$guest/t/sets/$set"
			echo '-e 2'
		} >"$guest/t/sets/$set-lock"
	done
	: >"$guest/t/sets/package"
}

# What the jobs have in common.
systemd_job() {
	cat <<'JOB'
PATH=/opt/auditopt:/usr/sbin:/usr/bin
export PATH
mkdir -p /tmp/is
case $version in
3.*) unit=auditd ;;
*) unit=audit-rules ;;
esac
condition=/run/systemd/system/$unit.service.d/95-condition.conf

auditopt_is() {
	rm -f /opt/auditopt/auditopt
	cat >/opt/auditopt/auditopt
	chmod 755 /opt/auditopt/auditopt
}

auditctl_is() {
	rm -f /usr/sbin/auditctl
	cat >/usr/sbin/auditctl
	chmod 755 /usr/sbin/auditctl
}

# under NAME: how the service runs, as lines of its section [Service].
under() {
	under=$1
	mkdir -p ${condition%/*}
	{
		echo '[Service]'
		cat
	} >$condition
	systemctl daemon-reload
}

whole() {
	auditopt_is </t/good
	auditctl_is </t/auditctl
	under=
	[ ! -e $condition ] || {
		rm $condition
		systemctl daemon-reload
	}
}

# rules_are SET: in rules.d, with what the package brings there.
rules_are() {
	rm -rf /etc/audit/rules.d
	mkdir -p /etc/audit/rules.d
	[ $1 != none ] || return
	cp /t/audit.rules /etc/audit/rules.d/
	cp /t/sets/$1 /etc/audit/rules.d/test.rules
}

# is NAME: what the kernel holds is now known by that.
is() {
	/t/rules -w /tmp/is/$1
	/t/auditctl -s | grep -E '^(enabled|failure|backlog_limit|rate_limit|backlog_wait_time) ' >/tmp/is/$1.status
}

# told [OPTION...]: what the journal has of the service since its last start.
told() {
	journalctl --sync
	journalctl -q -b -o cat "_SYSTEMD_INVOCATION_ID=$(systemctl show -P InvocationID $unit)" "$@"
}

# Other rules are loaded and those in audit.rules are old.
restart() {
	systemctl is-active -q auditd || systemctl restart auditd # or it will not be started
	/t/auditctl -D >/dev/null 2>&1
	/t/auditctl -a always,exit -F arch=b64 -S getppid -k stray >/dev/null
	/t/auditctl -b 100 >/dev/null
	rm -rf /etc/audit/audit.rules* /etc/audit/auditopt /run/auditopt
	printf '%s\n' -D '-w /watched -p r -k old' >/etc/audit/audit.rules
	systemctl restart $unit 2>/tmp/systemctl
	status=$?
	# auditd.service of audit 4.x, which requires the other, is started again then.
	while systemctl list-jobs | grep -q '\.service'; do
		sleep 1
	done
	status="$status $(systemctl show -P Result $unit) $(systemctl is-active auditd)"
}

verdict() {
	if [ -z "$wrong" ]; then
		echo "good $version $1"
	else
		echo "bad $version $1:$wrong"
		told | tail -n 15 | cat /tmp/diff - | sed 's/^/  /'
	fi
}

same_as() {
	/t/rules /tmp/is/$1 >/tmp/diff
	grep -q ^same /tmp/diff || wrong="$wrong the kernel holds something else;"
	is now
	diff /tmp/is/$1.status /tmp/is/now.status >>/tmp/diff || wrong="$wrong auditctl -s tells something else;"
}

# as_file FILE: the kernel holds what is written there.
as_file() {
	/t/good dump -q -o /tmp/dump $1 &&
		/t/auditopt/ld-linux-x86-64.so.2 --library-path /t/auditopt /t/auditopt/expect /tmp/dump /tmp/want
	/t/rules /tmp/want >/tmp/diff 2>&1
	grep -q ^same /tmp/diff || wrong="$wrong the kernel does not hold what $1 has;"
}

# optimised NAME: the kernel holds what auditopt says that it wrote.
optimised() {
	wrong=
	[ "$status" = "0 success active" ] || wrong=" status $status;"
	told | grep -q '^auditopt-boot: .* rules in place of .* loaded' || wrong="$wrong the journal does not say it;"
	as_file /etc/audit/auditopt/audit.rules
	[ "$(auditopt-boot status | grep -c "^enabled in $unit.service\|loaded: optimised")" = 2 ] ||
		wrong="$wrong auditopt-boot status: $(auditopt-boot status);"
	verdict "$1"
}

# stock SET: what is known by that, and as UNDER, without auditopt.
stock() {
	rules_are $1
	restart
	is $1-$under
	echo $status >/tmp/is/$1-$under.result
}

# falls_back SET NAME PATTERN [PRIORITY]: the same is loaded with auditopt, and the
# journal has PATTERN.
falls_back() {
	rules_are $1
	restart
	wrong=
	same_as $1-$under
	[ "$status" = "$(cat /tmp/is/$1-$under.result)" ] || wrong="$wrong status $status, not $(cat /tmp/is/$1-$under.result);"
	told -p ${4:-err} | grep -q "$3" || wrong="$wrong the journal does not say $3;"
	verdict "$2"
	whole
}

# What sysinit.target waits for.
in_time() {
	case $unit in
	auditd) loaded=$(systemctl show -P ActiveEnterTimestampMonotonic auditd) ;;
	*) loaded=$(systemctl show -P ExecMainExitTimestampMonotonic audit-rules) ;;
	esac
	sysinit=$(systemctl show -P ActiveEnterTimestampMonotonic sysinit.target)
	[ "$loaded" -gt 0 ] && [ "$loaded" -le "$sysinit" ] || wrong="$wrong not loaded before sysinit.target;"
	echo "time the audit service has ended or is up at $((loaded / 1000000)) s, sysinit.target at $((sysinit / 1000000)) s"
}
JOB
}

# The first boot, without auditopt-boot.
systemd_job_first() {
	cat <<'JOB'
wrong=
[ "$(systemctl is-active auditd)" = active ] || wrong=" auditd is $(systemctl is-active auditd);"
in_time
is boot
augenrules --load >/dev/null 2>&1
same_as boot
as_file /etc/audit/audit.rules
! told | grep -q auditopt || wrong="$wrong auditopt was there;"
verdict "switched off, at boot"

### Without auditopt
no_tmp() {
	away=/tmp
	[ $unit = auditd ] || away="/tmp /var" # auditd itself writes there
	under no-tmp <<END
InaccessiblePaths=$away
END
}
read_only() {
	under read-only <<'END'
ReadOnlyPaths=/etc
END
}
little() {
	under little-memory <<'END'
MemoryMax=120M
MemorySwapMax=0
END
}
auditctl_sleeps() {
	auditctl_is <<'END'
#!/bin/sh
[ "$1" != -s ] || [ -e /tmp/slept ] || { : >/tmp/slept; sleep 1000; }
exec /t/auditctl "$@"
END
	rm -f /tmp/slept
}
whole
for set in base faulty package none; do
	stock $set
done
for condition_is in no_tmp read_only little; do
	$condition_is
	stock base
done
whole

### With it
find /etc/systemd | sort >/tmp/before
auditopt-boot enable >/tmp/out 2>&1 && grep -q "^enabled: $unit.service" /tmp/out &&
	echo "good $version enable" || { echo "bad $version enable"; sed 's/^/  /' /tmp/out; }
find /etc/systemd -lname '*auditopt*' -printf 'link %p %l\n'
[ "$(systemctl show -P OOMPolicy $unit)" = continue ] || echo "bad $version OOMPolicy"
rules_are base
restart
optimised base
[ -z "$(told -p err)" ] && told -p info | grep -q '^auditopt-boot: .*loaded' && echo "good $version priorities" || echo "bad $version priorities"
rules_are faulty
restart
optimised faulty
told -p warning >/tmp/told
grep -q '^auditopt-boot: left out: /etc/audit/rules.d/test.rules:6: .*nosuchcall' /tmp/told &&
	told | grep -q '^auditopt-boot: .*behind an error: -w /etc/passwd' && auditctl -l | grep -q behind &&
	echo "good $version it is named" || { echo "bad $version it is not named"; told | sed 's/^/  /'; }
rules_are package
restart
optimised "nothing but what the package brings"
falls_back none "no rules" 'no rules in' info

auditopt_is <<'END'
#!/bin/sh
kill -SEGV $$
END
falls_back base "crash" 'ended by signal 11'
auditopt_is <<'END'
#!/bin/sh
kill -KILL $$
END
falls_back faulty "killed" 'ended by signal 9'
chmod 644 /opt/auditopt/auditopt
falls_back base "may not be run" 'may not be run'
rm /opt/auditopt/auditopt
falls_back base "no auditopt" 'is missing'
mv /opt/auditopt/boot-load /t/
falls_back base "no boot-load" 'boot-load' info
mv /t/boot-load /opt/auditopt/
auditopt_is <<'END'
#!/bin/sh
sleep 1000
END
under slow <<'END'
Environment=AUDITOPT_BOOT_SECONDS=2
END
under=
falls_back base "auditopt does not end" 'more than 2 seconds'
auditctl_sleeps
under slow <<'END'
Environment=AUDITOPT_BOOT_LIMIT=5
END
under=
falls_back base "auditctl does not end" 'took more than 5 seconds'
auditopt_is <<'END'
#!/bin/sh
exec tail /dev/zero
END
little
falls_back base "no memory left in the unit" 'ended by signal 9'
no_tmp
falls_back base "no /tmp (nor /var, where auditd can do without)" 'augenrules'
read_only
falls_back base "/etc is read-only" 'no directory can be made'

# as_before NAME: the service is what it was.
as_before() {
	restart
	wrong=
	same_as faulty-
	[ "$status" = "$(cat /tmp/is/faulty-.result)" ] || wrong="$wrong status $status;"
	! told | grep -q auditopt || wrong="$wrong auditopt was there;"
	verdict "$1"
}

### No longer
rules_are faulty
mv /opt/auditopt/boot /t/
systemctl daemon-reload
as_before "auditopt is removed without disable"
mv /t/boot /opt/auditopt/
systemctl daemon-reload
auditopt-boot disable >/tmp/out 2>&1 && grep -q "^disabled" /tmp/out || echo "bad $version disable"
find /etc/systemd | sort | cmp -s - /tmp/before || echo "bad $version something stayed in /etc/systemd"
as_before "disabled"
JOB
}

# The second boot, with what "auditopt-boot enable" made, an error and a lock.
systemd_job_second() {
	cat <<'JOB'
status="0 success $(systemctl is-active auditd)"
in_time
optimised "at boot"
wrong=
auditctl -l | grep -q behind || wrong=" what is behind the error is not loaded;"
[ "$(auditctl -s | sed -n 's/^enabled //p')" = 2 ] || wrong="$wrong not locked;"
told -p warning | grep -q 'left out: .*nosuchcall' || wrong="$wrong the error is not named;"
verdict "at boot, an error and the lock"
is locked
systemctl restart $unit
wrong=
same_as locked
told | grep -q 'auditopt-boot: .*locked (-e 2)' || wrong="$wrong the journal does not say it;"
verdict "restarted when locked"
JOB
}

# The third boot, enabled, and auditopt crashes.
systemd_job_third() {
	cat <<'JOB'
wrong=
in_time
as_file /etc/audit/audit.rules
[ "$(auditctl -s | sed -n 's/^enabled //p')" = 2 ] || wrong="$wrong not locked;"
told -p err | grep -q 'auditopt-boot: .*signal 11' || wrong="$wrong the journal does not say it;"
[ "$(systemctl is-active auditd)" = active ] || wrong="$wrong auditd is $(systemctl is-active auditd);"
verdict "at boot, auditopt crashes, lock"
JOB
}

# systemd_boot VERSION KERNEL NAME SET: one of the boots, with that in rules.d.
systemd_boot() {
	cp "$guest/t/sets/$4" "$guest/etc/audit/rules.d/test.rules"
	{
		echo "version=$1"
		systemd_job
		"systemd_job_$3"
		echo "echo time $3 boot, all of it: \$(cut -d' ' -f1 /proc/uptime) s"
	} >"$guest/t/job"
	{
		(cd "$cache/systemd-$1/root" && find . | cpio --quiet -o -H newc -R 0:0)
		(cd "$guest" && find . | cpio --quiet -o -H newc -R 0:0)
	} >"$work/initrd"
	guest_run "$2" 1200 "$work/out-$1-$3" "rdinit=/usr/lib/systemd/systemd systemd.unit=multi-user.target" -m 1536 ||
		fail "systemd: $3 boot, audit $1"
}

# systemd_enable VERSION: what "auditopt-boot enable" made in the first boot, if there
# was one, is there from the next on.
systemd_enable() {
	unit=audit-rules
	case $1 in
	3.*) unit=auditd ;;
	esac
	links="/etc/systemd/system/$unit.service.d/50-auditopt.conf /opt/auditopt/boot/$unit.conf"
	[ ! -e "$work/out-$1-first" ] || links=$(sed -n 's/^link //p' "$work/out-$1-first")
	printf '%s\n' "$links" | while read -r link to; do
		mkdir -p "$guest${link%/*}"
		ln -s "$to" "$guest$link"
	done
}

# systemd_boots VERSION KERNEL: one after the other.
systemd_boots() {
	some=all
	[ "$size" != quick ] && [ "$2" = "${kernels%% *}" ] || some=second
	systemd_overlay "$1"
	systemd_sets
	[ $some = second ] || systemd_boot "$1" "$2" first base
	systemd_enable "$1"
	systemd_boot "$1" "$2" second faulty-lock
	[ $some = all ] || return
	printf '#!/bin/sh\nkill -SEGV $$\n' >"$guest/opt/auditopt/auditopt"
	systemd_boot "$1" "$2" third base-lock
}

systemd() {
	sh "$here/fetch.sh" systemd >/dev/null
	case $? in
	0) ;;
	77) # said why
		echo "systemd was not tested"
		return
		;;
	*)
		fail "systemd: fetch.sh systemd failed"
		return
		;;
	esac
	for version in $auditctls; do
		grep -E '^(systemd|auditd|dash|coreutils) ' "$cache/systemd-$version/versions" | sed "s/^/   systemd-$version: /"
	done
	for kernel in $kernels; do
		running=
		for version in $auditctls; do
			mkdir -p "$work/systemd-$version"
			rm -f "$work/systemd-$version"/out-*
			(
				work=$work/systemd-$version
				guest=$work/guest
				systemd_boots "$version" "$kernel" >"$work/failed" 2>&1
			) &
			running="$running $!"
		done
		wait $running
		for version in $auditctls; do
			cat "$work/systemd-$version/failed"
			failures=$((failures + $(grep -c '^FAILED' "$work/systemd-$version/failed")))
			cat "$work/systemd-$version/out-$version"-first "$work/systemd-$version/out-$version"-second \
				"$work/systemd-$version/out-$version"-third >"$work/out-$kernel" 2>/dev/null
			results "systemd, audit $version" "$kernel"
			sed -n 's/^time /   /p' "$work/out-$kernel"
		done
	done
}
