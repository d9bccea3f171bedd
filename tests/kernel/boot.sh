# SPDX-License-Identifier: GPL-2.0-or-later
# Boot: the command of auditopt's drop-ins, with augenrules and auditctl of Debian 12
# and 13: it loads what auditopt says it wrote, and whatever fails, the kernel then
# holds, and the service ends with, what augenrules --load alone gives. Read by
# check.sh.
# shellcheck shell=sh disable=SC2154,SC2086

# boot_auditopt: auditopt, as make install would, and what the job needs of the host's
# programs.
boot_auditopt() {
	mkdir -p "$guest/t/auditopt" "$guest/opt/auditopt"
	flock=$(command -v flock)
	cp -L "$AUDITOPT" "$build/tests/kernel/expect" "$flock" "$guest/t/auditopt/"
	ldd "$AUDITOPT" "$build/tests/kernel/expect" "$flock" |
		sed -n 's/^.* => \(\/[^ ]*\) .*/\1/p; s/^[[:space:]]*\(\/[^ ]*ld-linux[^ ]*\) .*/\1/p' | sort -u |
		while read -r library; do
			cp -L "$library" "$guest/t/auditopt/"
		done
	for to in auditopt-boot auditopt-augenrules boot-load audit-rules.conf auditd.conf; do
		bindir=/opt/auditopt sbindir=/opt/auditopt pkglibexecdir=/opt/auditopt pkgdatadir=/opt/auditopt \
			systemdsystemconfdir=/etc/systemd/system AUGENRULES=/sbin/augenrules AUDITCTL=/sbin/auditctl \
			sh "$AUDITOPT_SRCDIR/contrib/boot/with-paths" "$AUDITOPT_SRCDIR/contrib/boot/$to.in" \
			"$guest/opt/auditopt/$to" || fail "with-paths $to"
	done
	cat >"$guest/t/good" <<'END'
#!/bin/sh
exec /t/auditopt/ld-linux-x86-64.so.2 --library-path /t/auditopt /t/auditopt/auditopt "$@"
END
	chmod 755 "$guest/t/good"
}

# boot_install VERSION: all that of Debian's systems that is needed; flock, which this
# busybox may not have, is the host's.
boot_install() {
	mkdir -p "$guest/t/sets" "$guest/sbin" "$guest/usr/bin"
	boot_auditopt
	rm -f "$guest/sbin/augenrules" "$guest/sbin/auditctl"
	cp "$cache/augenrules-$1/augenrules" "$guest/sbin/augenrules"
	cat >"$guest/t/auditctl" <<END
#!/bin/sh
exec /t/auditctl-$1/ld-linux-x86-64.so.2 --library-path /t/auditctl-$1 /t/auditctl-$1/auditctl "\$@"
END
	cat >"$guest/usr/bin/flock" <<'END'
#!/bin/sh
exec /t/auditopt/ld-linux-x86-64.so.2 --library-path /t/auditopt /t/auditopt/flock "$@"
END
	chmod 755 "$guest/sbin/augenrules" "$guest/t/auditctl" "$guest/usr/bin/flock"
}

# boot_prepare VERSION: for two guests; what the first locks in the end is good, what
# the second does is bad.
boot_prepare() {
	boot_sets="$AUDITOPT_SRCDIR/tests/rules/stig-like.rules $AUDITOPT_SRCDIR/examples/web-server.rules"
	more=
	[ "$size" != full ] || more="neo23x0 so-stig userspace-30-ospp-v42"
	for set in $more; do
		file=$AUDITOPT_SRCDIR/../shared/corpus/$set.rules
		[ ! -e "$file" ] || boot_sets="$boot_sets $file"
	done
	sh "$here/tree.sh" "$work/tree" $boot_sets 2>/dev/null
	guest_new "$work/tree"
	guest_program rules "$here/guest/rules.c" "$here/guest/listed.c"
	cp "$work/rules" "$guest/t/"
	boot_install "$1"
	for file in $boot_sets; do
		{
			echo -D
			loadable "$file" "$1"
		} >"$guest/t/sets/$(basename "$file")"
	done
	{
		echo "version=$1"
		boot_job
		boot_job_cases
		boot_job_lock
	} >"$guest/t/job"
}

boot_job() {
	cat <<'JOB'
# What scripts find on a host. Of busybox, but not what its shell would take for itself.
for applet in $(busybox --list); do
	ln -sf /t/busybox /usr/bin/$applet
done
for applet in sh ls cat; do
	ln -sf /t/busybox /bin/$applet
done
rm -f /usr/bin/auditctl /usr/bin/augenrules
PATH=/usr/sbin:/usr/bin:/sbin:/bin
mkdir -p /run /watched /etc/audit
echo 1 >/sys/kernel/rcu_expedited # deleting a rule waits for it
AUDITOPT_BOOT_SECONDS=200 # emulated, so slow
AUDITOPT_BOOT_LIMIT=600
export AUDITOPT_BOOT_SECONDS AUDITOPT_BOOT_LIMIT
case $version in
3.*) drop_in=auditd property=ExecStartPost=- ;;
*) drop_in=audit-rules property=ExecStart= ;;
esac
service=$(sed -n "s/^$property\(.\)/\1/p" /opt/auditopt/$drop_in.conf)

auditopt_is() {
	rm -f /opt/auditopt/auditopt
	cat >/opt/auditopt/auditopt
	chmod 755 /opt/auditopt/auditopt
}

auditctl_is() {
	rm -f /sbin/auditctl
	cat >/sbin/auditctl
	chmod 755 /sbin/auditctl
}

# what is in rules.d
rules_are() {
	rm -rf /etc/audit/rules.d
	mkdir -p /etc/audit/rules.d
	cat >/etc/audit/rules.d/10-test.rules
}

base() {
	cat <<'END'
-D
-b 4096
-f 1
-w /watched -p wa -k watch
-a always,exit -F arch=b64 -S adjtimex -k time
-a always,exit -F arch=b64 -S settimeofday -k time
-a always,exit -F arch=b64 -S chmod,fchmod -F auid>=1000 -F auid!=unset -k perm
END
}

# What every case begins with: some other rule is loaded, nothing is merged.
fresh() {
	/t/auditctl -D >/dev/null 2>&1
	/t/auditctl -a always,exit -F arch=b64 -S getppid -k stray >/dev/null
	/t/auditctl -b 100 >/dev/null
	umount /etc/audit/auditopt 2>/dev/null
	rm -rf /etc/audit/audit.rules* /etc/audit/auditopt /run/auditopt
}

whole() {
	auditopt_is </t/good
	auditctl_is <<'END'
#!/bin/sh
exec /t/auditctl "$@"
END
	AUDITOPT_BOOT_MEMORY=1048576
	AUDITOPT_BOOT_OPTIONS=
	export AUDITOPT_BOOT_MEMORY AUDITOPT_BOOT_OPTIONS
}

kernel_state() {
	/t/auditctl -l
	/t/auditctl -s | grep -E '^(enabled|failure|backlog_limit|rate_limit) '
}

start() {
	eval "$service" >/tmp/out 2>/tmp/err </dev/null
}

verdict() {
	if [ -z "$wrong" ]; then
		echo "good $version $1"
	else
		echo "bad $version $1:$wrong"
		sed 's/^/  /' /tmp/err /tmp/diff | head -n 12
	fi
	case $1 in
	*KILL) rm -rf /etc/audit/auditopt/.new.* ;; # another run does, an hour later
	esac
	[ -z "$(ls -d /etc/audit/auditopt/.new.* 2>/dev/null)" ] || echo "bad $version $1: something stayed behind"
}

# What auditctl -R shows of the status has numbers that are never twice the same.
says_same() {
	grep '^/sbin' /tmp/stock_out >/tmp/stock_says
	grep '^/sbin' /tmp/out | cmp -s - /tmp/stock_says || wrong="$wrong augenrules says something else;"
}

# optimised NAME: the kernel holds what auditopt says that it wrote; audit.rules is
# what it would be.
optimised() {
	whole
	fresh
	/sbin/augenrules >/dev/null 2>&1
	cp /etc/audit/audit.rules /tmp/merge
	fresh
	start
	status=$?
	wrong=
	[ $status = 0 ] || wrong=" status $status;"
	grep -q 'rules in place of .* loaded' /tmp/err || wrong="$wrong nothing optimised was loaded;"
	cmp -s /tmp/merge /etc/audit/audit.rules || wrong="$wrong audit.rules is another;"
	[ "$(stat -c %a /etc/audit/audit.rules /etc/audit/auditopt/audit.rules | sort -u)" = 640 ] || wrong="$wrong modes;"
	/opt/auditopt/auditopt dump -q -o /tmp/dump /etc/audit/auditopt/audit.rules &&
		/t/auditopt/ld-linux-x86-64.so.2 --library-path /t/auditopt /t/auditopt/expect /tmp/dump /tmp/want
	/t/rules /tmp/want >/tmp/diff 2>&1
	grep -q ^same /tmp/diff || wrong="$wrong the kernel holds something else;"
	verdict "$1"
}

# stock NAME PATTERN: as augenrules --load alone; the log says why.
stock() {
	fresh
	/sbin/augenrules >/dev/null 2>&1
	$before
	/sbin/augenrules --load >/tmp/stock_out 2>/dev/null
	stock_status=$?
	kernel_state >/tmp/stock
	fresh
	/sbin/augenrules >/dev/null 2>&1
	$before
	start
	status=$?
	kernel_state >/tmp/ours
	wrong=
	[ $status = $stock_status ] || wrong=" status $status, not $stock_status;"
	diff /tmp/stock /tmp/ours >/tmp/diff || wrong="$wrong the kernel holds something else;"
	says_same
	grep -q "$2" /tmp/err || wrong="$wrong the log does not say $2;"
	verdict "$1"
	whole
	before=:
}

auditopt_writes() {
	{
		printf '#!/bin/sh\n[ "$1" != diff ] || exec /t/good "$@"\nwhile [ "$1" != -o ]; do shift; done\ncat >"$2" <<X\n'
		cat
		echo X
	} | auditopt_is
}

now() {
	sed 's/ .*//' /proc/uptime
}

before=:
last=good
[ $guest = 0 ] || last=bad
JOB
}

# All but the lock, which can be done once a boot.
boot_job_cases() {
	cat <<'JOB'
if [ $last = good ]; then
whole
for set in /t/sets/*; do
	rules_are <"$set"
	optimised "${set##*/}"
	a=$(now)
	/sbin/augenrules --load >/dev/null 2>&1
	b=$(now)
	start
	c=$(now)
	echo "time ${set##*/}: as they are $(awk "BEGIN { print $b - $a }") s, optimised $(awk "BEGIN { print $c - $b }") s"
done

# Twice; changed; the wrapper.
base | rules_are
optimised "base"
kernel_state >/tmp/first
start
kernel_state >/tmp/second
cmp -s /tmp/first /tmp/second && echo "good $version twice" || echo "bad $version twice"
[ "$(head -n 1 /tmp/out)" = "/sbin/augenrules: No change" ] && echo "good $version says no change" || echo "bad $version no change: $(cat /tmp/out)"
{ base; echo '-a always,exit -F arch=b64 -S mount -k mount'; } | rules_are
start
/t/auditctl -l | grep -q mount && ! grep -q mount /etc/audit/audit.rules.prev && grep -q time /etc/audit/audit.rules.prev &&
	echo "good $version changed" || echo "bad $version changed"
fresh
/opt/auditopt/auditopt-boot load >/tmp/out 2>/tmp/err && grep -q 'loaded;' /tmp/err &&
	echo "good $version auditopt-boot load" || echo "bad $version auditopt-boot load"
/opt/auditopt/auditopt-boot status | grep -q 'loaded: optimised' && echo "good $version status" || echo "bad $version status"

# What stock auditctl loses is loaded.
{ base; echo '-a always,exit -F arch=b64 -S nosuchcall -k bad'; echo '-w /etc/passwd -p wa -k behind'; } | rules_are
optimised "behind an unknown call"
grep -q 'left out: /etc/audit/rules.d/10-test.rules:8: .*nosuchcall' /tmp/err &&
	grep -q 'behind an error: -w /etc/passwd' /tmp/err && /t/auditctl -l | grep -q behind &&
	echo "good $version it is named" || { echo "bad $version it is not named"; sed 's/^/  /' /tmp/err; }
# Of what the kernel refuses, each kind alone, and with -i as augenrules has it.
for refused in '-w /no/such/file -p wa -k gone' '-a always,exit -F dir=/no/such -F perm=wa -k gone' \
	'-a always,exit -F path=/no/such/file -F perm=wa -k gone' '-a always,exit -F arch=b64 -S execve -F exe=/no/such/program -k gone'; do
	{ echo -i; base; echo "$refused"; echo '-w /etc/passwd -p wa -k behind'; } | rules_are
	whole
	fresh
	/sbin/augenrules --load >/dev/null 2>&1
	/t/auditctl -l | grep -c gone >/tmp/stock
	start
	/t/auditctl -l | grep -c gone >/tmp/ours
	wrong=
	cmp -s /tmp/stock /tmp/ours || wrong=" $(cat /tmp/ours) are loaded, stock auditctl loads $(cat /tmp/stock);"
	/t/auditctl -l | grep -q behind || wrong="$wrong what is behind is not loaded;"
	grep -q 'rules in place of' /tmp/err || wrong="$wrong nothing optimised was loaded;"
	: >/tmp/diff
	verdict "refused: $refused"
done

### What augenrules does by itself
whole
base | rules_are
rm /etc/audit/rules.d/*
stock "empty rules.d" 'no rules in'
base >/etc/audit/old
before="cp /etc/audit/old /etc/audit/audit.rules"
rm -r /etc/audit/rules.d
stock "no rules.d" 'no directory'
base | sed 1d | rules_are
stock "no -D" 'no -D'
# With -i a rule that is there twice is no end.
{ echo -i; base; base | tail -n 1; } | rules_are
optimised "twice the same rule, -i"

### Each failure
base | rules_are
rm -f /opt/auditopt/auditopt
stock "no auditopt" 'is missing'
auditopt_is <<'END'
#!/no/such/interpreter
END
stock "no interpreter" 'cannot be run'
mv /t/auditopt/libaudit.so.1 /t/
stock "no libaudit" 'cannot be run'
mv /t/libaudit.so.1 /t/auditopt/
auditopt_is <<'END'
#!/bin/sh
kill -SEGV $$
END
stock "crash" 'ended by signal 11'
auditopt_is <<'END'
#!/bin/sh
kill -KILL $$
END
stock "killed" 'ended by signal 9'
for status in 3 4; do
	auditopt_is <<END
#!/bin/sh
echo "error: no proof" >&2
exit $status
END
	stock "exit $status" 'no proof'
done
AUDITOPT_BOOT_SECONDS=2
auditopt_is <<'END'
#!/bin/sh
sleep 1000
END
stock "timeout" 'more than 2 seconds\|ended by signal'
AUDITOPT_BOOT_SECONDS=200
AUDITOPT_BOOT_MEMORY=3000
stock "out of memory" 'auditopt'
AUDITOPT_BOOT_OPTIONS=--nonsense
stock "options" 'AUDITOPT_BOOT_OPTIONS'
full() {
	mkdir -p /etc/audit/auditopt
	mount -t tmpfs -o size=16k none /etc/audit/auditopt
	cat /dev/zero >/etc/audit/auditopt/filler 2>/dev/null
}
before=full
stock "full disk" 'No space\|no room\|no directory'
mkdir -p /noexec
mount -t tmpfs none /noexec
cp /t/good /noexec/auditopt
mount -o remount,noexec /noexec
rm -f /opt/auditopt/auditopt
ln -s /noexec/auditopt /opt/auditopt/auditopt
stock "may not be run" 'is missing or may not be run\|cannot be run'
mv /opt/auditopt/boot-load /t/
stock "no boot-load" 'boot-load'
printf '#!/bin/sh\nif\n' >/opt/auditopt/boot-load
chmod 755 /opt/auditopt/boot-load
stock "boot-load is no script" 'boot-load'
rm -f /opt/auditopt/boot-load
mv /t/boot-load /opt/auditopt/boot-load

# In the middle of the load.
{ echo -D; echo '-a never,exit -S all -k ours'; echo '-a always,exit -S nosuchcall -k ours'; } | auditopt_writes
stock "auditctl stops halfway" 'auditctl -R failed'
{ echo -D; echo '-a never,exit -S all -k ours'; echo '-w /no\ such/x/y -p wa -k ours'; } | auditopt_writes
stock "the kernel refuses a rule" 'auditctl -R failed'
{ echo -D; echo '-a never,exit -S all -k ours'; echo '-D'; } | auditopt_writes
stock "the kernel holds less" 'holds 0 rules of the 1'
{ echo -D; echo '-a never,exit -S all -k ours'; } | auditopt_writes
sed -i 's|exec /t/good|exit 1|' /opt/auditopt/auditopt
stock "the kernel's list differs" 'not shown to hold'
auditctl_is <<'END'
#!/bin/sh
case "$*" in
*/load)
	head -n 4 "$2" >/tmp/part
	/t/auditctl -R /tmp/part
	kill -SEGV $$
	;;
esac
exec /t/auditctl "$@"
END
stock "auditctl crashes halfway" 'auditctl -R failed on the optimised rules (status 139'
auditctl_is <<'END'
#!/bin/sh
[ "$1" != -l ] || exit 1
exec /t/auditctl "$@"
END
stock "auditctl -l fails" 'auditctl -l failed'
# boot-load itself is killed while auditctl loads; auditctl comes to its end first.
for signal in TERM KILL; do
	auditctl_is <<END
#!/bin/sh
case "\$*" in
*/load)
	/t/auditctl "\$@"
	kill -$signal \$(pidof boot-load) 2>/dev/null || kill -$signal \$(ps -o pid,args | awk '/[b]oot-load/ && !/\|\|/ && !/awk/ { print \$1 }')
	;;
*) exec /t/auditctl "\$@" ;;
esac
END
	case $signal in
	TERM) stock "boot-load gets TERM" 'ended by a signal' ;;
	*) stock "boot-load gets $signal" "" ;;
	esac
done
fi
JOB
}

boot_job_lock() {
	cat <<'JOB'
whole
{ base; echo '-e 2'; } | rules_are
if [ $last = good ]; then
	optimised "lock"
else
	sed -i '/^-e/d' /etc/audit/rules.d/*
	fresh
	/sbin/augenrules --load >/dev/null 2>&1
	kernel_state | sed 's/^enabled 1/enabled 2/' >/tmp/stock
	{ base; echo '-e 2'; } | rules_are
	{ echo -D; echo '-a never,exit -S all -k ours'; echo '-a always,exit -S nosuchcall -k ours'; echo '-e 2'; } | auditopt_writes
	fresh
	start
	kernel_state >/tmp/ours
	wrong=
	diff /tmp/stock /tmp/ours >/tmp/diff || wrong=" the kernel holds something else;"
	verdict "stops halfway, then the lock"
	whole
fi
[ "$(/t/auditctl -s | awk '$1 == "enabled" { print $2 }')" = 2 ] && echo "good $version locked" || echo "bad $version not locked"
kernel_state >/tmp/locked
/sbin/augenrules --load >/tmp/stock_out 2>/dev/null
stock_status=$?
start
status=$?
kernel_state >/tmp/ours
wrong=
[ $status = $stock_status ] || wrong=" status $status, not $stock_status;"
says_same
grep -q 'locked (-e 2)' /tmp/err || wrong="$wrong the log does not say it;"
diff /tmp/locked /tmp/ours >/tmp/diff || wrong="$wrong the rules have changed;"
verdict "when locked"
JOB
}

boot() {
	for version in $auditctls; do
		boot_prepare "$version"
		guests_boot 2 1800 || fail "boot: not all guests came to their end"
		for kernel in $kernels; do
			results "boot, auditctl $version" "$kernel"
			sed -n 's/^time /   /p' "$work/out-$kernel"
		done
	done
}
