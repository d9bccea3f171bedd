#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What loads optimised rules at boot, with an augenrules and an auditctl that are
# scripts and a kernel that is a file: whatever fails, the rules are loaded as they
# are, once, and the log says why.
# shellcheck source=tests/lib/boot.sh
. "${AUDITOPT_SRCDIR:?}/tests/lib/boot.sh"
boot_drop "$@"
. "$AUDITOPT_SRCDIR/tests/lib/cli.sh"
boot_host

rule() {
	printf '%s\n' "$@" >>"$root/etc/audit/rules.d/30-case.rules"
}

# What the drop-in of UNIT runs.
command_of() {
	sed -n 's/^ExecStart[Post]*=-*\(.\)/\1/p' "$root/share/boot/$1.conf"
}

# start: as the service would.
start() {
	eval "$(command_of "${1:-audit-rules}")" >out 2>err </dev/null
	status=$?
}

count() {
	grep -c "$1" "$2" 2>/dev/null
}

# stock NAME PATTERN: start loads the rules as they are, once; the log has PATTERN.
stock() {
	cp -Rp "$root/etc" saved
	kernel_before=$(cat "$root/kernel" "$root/enabled")
	"$root/bin/augenrules" --load >stock_out 2>/dev/null
	stock_status=$?
	cp "$root/kernel" stock_kernel
	cp "$root/enabled" stock_enabled
	rm -rf stock_etc
	mv "$root/etc" stock_etc
	mv saved "$root/etc"
	printf '%s\n' "$kernel_before" | sed '$d' | sed '/^$/d' >"$root/kernel"
	printf '%s\n' "$kernel_before" | tail -n 1 >"$root/enabled"
	rm -f "$root/log"
	start
	[ "$status" = "$stock_status" ] || fail "$1: status $status, not $stock_status"
	[ "$(count '^augenrules --load' "$root/log")" = 1 ] || fail "$1: $(count '^augenrules --load' "$root/log") stock loads"
	[ "$(grep '^augenrules\|^auditctl' "$root/log" | tail -n 2 | tr '\n' ' ')" = "augenrules --load auditctl -R audit.rules " ] ||
		fail "$1: the stock load is not the last"
	same stock_kernel "$root/kernel" "$1: the kernel holds other rules than after a stock load"
	same stock_enabled "$root/enabled" "$1: -e"
	# It may have been found out only after audit.rules was written.
	same stock_out out "$1: augenrules says something else"
	rm -rf "$root/etc/audit/auditopt" stock_etc/audit/auditopt
	diff -r stock_etc "$root/etc" >told || fail "$1: in /etc/audit: $(cat told)"
	grep -q -e "$2" err || {
		fail "$1: the log does not say $2"
		sed 's/^/    /' err
	}
	[ "$1" = "no hook" ] || grep -q -e "$2" "$root/syslog" || fail "$1: syslog does not say $2"
	[ -z "$(ls -d "$root"/etc/audit/auditopt/.new.* 2>/dev/null)" ] || fail "$1: something stayed behind"
}

# optimised NAME RULES: start loads that many, and nothing else.
optimised() {
	rm -f "$root/log"
	start
	[ "$status" = 0 ] || fail "$1: status $status"
	[ "$(count '^augenrules --load' "$root/log")" = 0 ] || fail "$1: there was a stock load"
	[ "$(count '^diff' "$root/log")" = 1 ] || fail "$1: the kernel's rules were not compared"
	[ "$(wc -l <"$root/kernel")" = "$2" ] || fail "$1: $(wc -l <"$root/kernel") rules are loaded, not $2"
	grep -q "^auditopt-boot: $2 rules in place of" err || {
		fail "$1: the log does not tell $2 rules"
		sed 's/^/    /' err
	}
	[ -z "$(ls -d "$root"/etc/audit/auditopt/.new.* 2>/dev/null)" ] || fail "$1: something stayed behind"
}

### It works
fresh
cp -R "$root/etc/audit/rules.d" rules.d
optimised "first time" 3
diff -r rules.d "$root/etc/audit/rules.d" >/dev/null || fail "rules.d has changed"
grep -q '^-a.*adjtimex,settimeofday' "$root/kernel" || fail "the rules are not the optimised ones"
[ "$(grep -c '^-' "$root/etc/audit/audit.rules")" = 6 ] || fail "audit.rules is not the merge"
[ "$(stat -c %a "$root/etc/audit/audit.rules")" = 640 ] || fail "mode of audit.rules"
[ "$(stat -c %a "$root/etc/audit/auditopt/audit.rules")" = 640 ] || fail "mode of what was loaded"
[ "$(stat -c %a "$root/etc/audit/auditopt")" = 750 ] || fail "mode of the directory"
[ ! -s out ] || fail "the first time says something that augenrules does not"
cp "$root/kernel" first
cp "$root/etc/audit/auditopt/audit.rules" first_set
optimised "second time" 3
same first "$root/kernel" "the second time other rules are loaded"
same first_set "$root/etc/audit/auditopt/audit.rules" "the second time another set is kept"
[ "$(cat out)" = "$root/bin/augenrules: No change" ] || fail "the second time does not say what augenrules says"
rule '-a always,exit -F arch=b64 -S mount -k mount'
optimised "changed" 4
[ "$(grep -c '^-' "$root/etc/audit/audit.rules.prev")" = 6 ] || fail "the old merge is not kept"

# The other unit, the wrapper.
start auditd
[ "$status" = 0 ] || fail "auditd.service: status $status"
rm "$root/log"
auditopt-augenrules --load >out 2>err || fail "auditopt-augenrules --load"
[ "$(count '^augenrules --load' "$root/log")" = 0 ] || fail "the wrapper loads the rules as they are"
rm "$root/log"
auditopt-augenrules --check >out 2>err || fail "auditopt-augenrules --check"
[ "$(cat "$root/log")" = "augenrules --check" ] || fail "the wrapper does more than --check"
rm "$root/bin/auditopt"
auditopt-augenrules --load >out 2>err || fail "auditopt-augenrules --load without auditopt"
[ "$(count '^augenrules --load' "$root/log")" = 1 ] || fail "the wrapper does not load the rules as they are"

# A lock comes last, when all is well.
fresh
rule '-e 2'
optimised "lock" 3
[ "$(cat "$root/enabled")" = 2 ] || fail "-e 2 was not done"
stock "locked" 'locked (-e 2)'

# Nothing but control lines; -i.
fresh
rm "$root/etc/audit/rules.d/20-more.rules"
printf '%s\n' -D '-b 8192' >"$root/etc/audit/rules.d/10-base.rules"
optimised "no rules but a -D" 0
fresh
rule -i '-w /no/such/file -p wa -k gone' '-a always,exit -F arch=b64 -S mount -k mount'
optimised "-i and a missing path" 4
err_has 'left out, what it watches is missing: -w /no/such/file'

# What is lost behind an error is loaded, and named.
fresh
rule '-a always,exit -F arch=b64 -S nosuchcall -k bad' '-w /no/such/file -p wa -k gone' \
	'-a always,exit -F arch=b64 -S mount -k mount' '-e 2'
optimised "behind an error" 4
err_has 'left out: .*/rules.d/30-case.rules:1: .*nosuchcall'
err_has 'would have stopped at .*/rules.d/30-case.rules:1: '
err_has 'loaded, though behind an error: .*-S mount'
err_has 'loaded, though behind an error: -e 2'
! grep -q 'behind an error: .*no/such\|behind an error: .*adjtimex' err || fail "too much is named"
[ "$(cat "$root/enabled")" = 2 ] || fail "-e 2 behind an error was not done"

# The journal takes a level from the line, and hands it to syslog itself.
fresh
rm "$root/bin/auditopt"
: >err
JOURNAL_STREAM=$(stat -L -c %d:%i err)
export JOURNAL_STREAM
start
unset JOURNAL_STREAM
grep -q '^<3>auditopt-boot: .*is missing' err || fail "no line for the journal"
[ ! -s "$root/syslog" ] || fail "a line for the journal also went to syslog"

# merged: a host whose audit.rules is up to date. Where it is not, augenrules --load
# says "No change" behind a hook that gave up, for the hook has had it written.
merged() {
	"$root/bin/augenrules" >/dev/null
}

### What augenrules does by itself
fresh
rm -r "$root/etc/audit/rules.d"
printf '%s\n' -D '-w /watched -p wa -k old' >"$root/etc/audit/audit.rules"
stock "no rules.d" 'no directory'
[ "$status" = 1 ] || fail "no rules.d: status $status"
fresh
rm "$root"/etc/audit/rules.d/*
stock "empty rules.d" 'no rules in'
fresh
sed -i '/^-D/d' "$root/etc/audit/rules.d/10-base.rules"
merged
stock "no -D" 'no -D'

### What can fail
# broken NAME PATTERN: an auditopt of standard input.
broken() {
	fresh
	rule '-e 2'
	merged
	script auditopt
	stock "$1" "$2"
}

fresh
rm "$root/bin/auditopt"
stock "no auditopt" 'is missing or may not be run'
fresh
chmod 644 "$root/bin/auditopt"
stock "not executable" 'is missing or may not be run'
broken "no interpreter" 'cannot be run' <<'END'
#!/no/such/interpreter
END
broken "no library" 'cannot be run.*libaudit' <<'END'
#!/bin/sh
echo "auditopt: error while loading shared libraries: libaudit.so.1: cannot open" >&2
exit 127
END
for status_text in '1:failed (status 1)' '2:options amiss' '3:cannot read the rules: x.rules:1:1: error: why' \
	'4:refused its own result or could not write it' '126:cannot be run'; do
	broken "status ${status_text%%:*}" "${status_text#*:}" <<END
#!/bin/sh
echo "x.rules:1:1: error: why" >&2
exit ${status_text%%:*}
END
done
for signal in SEGV ABRT KILL TERM BUS; do
	broken "signal $signal" 'ended by signal' <<END
#!/bin/sh
kill -$signal \$\$
END
done
AUDITOPT_BOOT_SECONDS=1
export AUDITOPT_BOOT_SECONDS
broken "too slow" 'more than 1 second' <<'END'
#!/bin/sh
exec sleep 30
END
broken "too slow and stubborn" 'signal 9\|more than 1 second' <<'END'
#!/bin/sh
trap '' TERM
while :; do sleep 1; done
END
unset AUDITOPT_BOOT_SECONDS
broken "endless output" 'signal' <<'END'
#!/bin/sh
while [ "$1" != -o ]; do shift; done
exec cat /dev/zero >"$2"
END
# writes TEXT: an auditopt whose result is these lines.
writes() {
	cat <<END
#!/bin/sh
while [ "\$1" != -o ]; do shift; done
cat >"\$2" <<X
$1
X
END
}
writes '' >bad
broken "empty result" 'no -D' <bad
printf '#!/bin/sh\nexit 0\n' >bad
broken "no result" 'the result cannot be read' <bad
two='-D
-a always,exit -S mount -k one'
writes "$two
-a always,exit -S refused -k two
-e 2" >bad
broken "stops halfway" 'auditctl -R failed' <bad
writes "$two
-a always,exit -S refused-quietly -k two
-e 2" >bad
broken "the kernel holds less" 'holds 1 rules of the 2' <bad
writes "-D
-e 2
-a always,exit -S mount -k one" >bad
broken "lock too early" 'not the last line' <bad
writes "$two
-e 1
-e 2" >bad
broken "two locks" 'more than one -e' <bad
AUDITOPT_BOOT_OPTIONS=--no-such-option
export AUDITOPT_BOOT_OPTIONS
fresh
merged
stock "bad options" 'options amiss.*AUDITOPT_BOOT_OPTIONS'
unset AUDITOPT_BOOT_OPTIONS

fresh
merged
: >"$root/differs"
stock "the kernel holds something else" 'not shown to hold'

# A hook that is gone, or not even a script.
fresh
mv "$root/bin/boot-load" hook
stock "no hook" 'boot-load'
printf '#!/bin/sh\nif\n' | script boot-load
stock "no hook" 'boot-load'
script boot-load <<'END'
#!/bin/sh
kill -9 $$
END
stock "no hook" ''
mv hook "$root/bin/boot-load"

# auditctl missing or silent; the directory cannot be made; augenrules fails.
fresh
mv "$root/bin/auditctl" real_auditctl
auditctl_without() {
	script auditctl <<END
#!/bin/sh
[ "\$1" != "$1" ] || exit 1
exec "$work/real_auditctl" "\$@"
END
}
auditctl_without -s
stock "auditctl -s fails" 'auditctl -s failed'
auditctl_without -l
fresh
merged
stock "auditctl -l fails" 'auditctl -l failed'
fresh
auditctl_without -e
rule '-e 2'
merged
stock "auditctl -e fails" 'auditctl -e 2 failed'

# What does not end is ended, with what it has started, before the other load begins.
AUDITOPT_BOOT_LIMIT=2
export AUDITOPT_BOOT_LIMIT
for never in '-s' '-R'; do
	fresh
	script auditctl <<END
#!/bin/sh
case "\$*" in
$never | -R\ */load) [ $never != "\$1" ] || {
		trap '' TERM
		echo \$\$ >"$work/stubborn"
		sleep 100
	} ;;
esac
exec "$work/real_auditctl" "\$@"
END
	merged
	stock "auditctl $never does not end" 'took more than 2 seconds'
	case $(ps -o stat= -p "$(cat stubborn)") in
	'' | Z*) ;; # gone, or not yet asked for its status
	*) fail "auditctl $never still runs" ;;
	esac
done
AUDITOPT_BOOT_LIMIT=soon
fresh
stock "a limit that is none" 'AUDITOPT_BOOT_LIMIT'
unset AUDITOPT_BOOT_LIMIT

# One at a time: the second waits until the first has ended.
fresh
mv real_auditctl "$root/bin/auditctl"
mkdir -p "$root/run/auditopt"
flock "$root/run/auditopt/lock" sleep 2 &
first=$!
optimised "two at once" 3
! kill -0 $first 2>/dev/null || fail "two at once: the second did not wait"
wait
mv "$root/bin/auditctl" real_auditctl

# Behind the lock nothing is given up: not for a signal, nor if -s fails from then on.
# shellcheck disable=SC2016 # expanded in the fake
for then in 'kill -TERM $PPID' 'kill -TERM $(ps -o ppid= -p $(ps -o ppid= -p $PPID)); sleep 1' ': >"$FAKE_ROOT/mute"'; do
	fresh
	script auditctl <<END
#!/bin/sh
case \$1 in
-s) [ ! -e "\$FAKE_ROOT/mute" ] || exit 1 ;;
-e)
	"$work/real_auditctl" "\$@"
	$then
	exit 0
	;;
esac
exec "$work/real_auditctl" "\$@"
END
	rule '-e 2'
	optimised "locked, then $then" 3
	[ "$(cat "$root/enabled")" = 2 ] || fail "$then: -e 2 was not done"
	rm -f "$root/mute"
done
rm "$root/bin/auditctl" "$root/log"
start
[ "$status" != 0 ] || fail "no auditctl: status 0"
[ "$(count '^augenrules --load' "$root/log")" = 1 ] || fail "no auditctl: stock loads"
mv real_auditctl "$root/bin/auditctl"
fresh
: >"$root/etc/audit/auditopt"
stock "no directory" 'no directory can be made'
fresh
mv "$root/bin/augenrules" real_augenrules
script augenrules <<END
#!/bin/sh
[ \$# != 0 ] || exit 0
exec "$work/real_augenrules" "\$@"
END
sed -i "s|\\\$0|$root/bin/augenrules|" real_augenrules
stock "augenrules writes nothing" 'did not write .* whole'
mv real_augenrules "$root/bin/augenrules"
fakes

# A full disk: nothing is touched before the rules are loaded as they are.
if [ "$(id -u)" = 0 ] && fresh && mkdir "$root/etc/audit/auditopt" &&
	mount -t tmpfs -o size=16k none "$root/etc/audit/auditopt" 2>/dev/null; then
	trap 'umount "$root/etc/audit/auditopt"; rm -rf "$work"' EXIT
	head -c 12288 /dev/zero >"$root/etc/audit/auditopt/filler"
	start
	err_has 'No space left|no directory'
	[ "$(count '^augenrules --load' "$root/log")" = 1 ] || fail "full disk: stock loads"
	[ "$(wc -l <"$root/kernel")" = 4 ] || fail "full disk: $(wc -l <"$root/kernel") rules"
	umount "$root/etc/audit/auditopt"

	# full_host COMMAND: room for the copy of the old audit.rules alone.
	full_host() {
		umount "$root/etc/audit" 2>/dev/null
		fresh
		mount -t tmpfs -o size=64k none "$root/etc/audit"
		mkdir "$root/etc/audit/rules.d"
		printf '%s\n' -D '-w /watched -p wa -k watch' >"$root/etc/audit/rules.d/10-base.rules"
		merged
		for number in $(seq 200); do
			echo "-a always,exit -F arch=b64 -S mount -F auid=$number -k mount"
		done >"$root/etc/audit/rules.d/20-more.rules"
		cat /dev/zero >"$root/etc/audit/filler" 2>/dev/null
		truncate -s -4096 "$root/etc/audit/filler"
		"$@" 2>err
		wc -l <"$root/kernel"
		cat "$root/etc/audit/audit.rules" "$root/etc/audit/audit.rules.prev"
	}
	trap 'umount "$root/etc/audit"; rm -rf "$work"' EXIT
	full_host "$root/bin/augenrules" --load >wanted
	full_host start >got
	same wanted got "full disk: not what augenrules does alone"
	umount "$root/etc/audit"
	trap 'rm -rf "$work"' EXIT
else
	echo "left out: no file system can be mounted here"
fi
broken "full disk, auditopt" 'could not write it.*No space left' <<END
#!/bin/sh
exec '$AUDITOPT' "\$@" -o /dev/full
END

# A signal while standard error is auditopt's.
broken "signal in diff" 'ended by a signal' <<END
#!/bin/sh
[ "\$1" = diff ] || exec '$AUDITOPT' "\$@"
kill -TERM \$(ps -o ppid= -p \$PPID)
sleep 0.2
END

# A signal while it loads: first that load ends, then the other begins.
fresh
: >"$root/slow"
"$root/bin/auditopt-augenrules" --load >out 2>err &
sleep 1
tries=0
until grep -q '^auditctl -R load' "$root/log" 2>/dev/null || [ $tries = 100 ]; do
	tries=$((tries + 1))
	sleep 0.1
done
hook=$(ps -o pid= --ppid $! 2>/dev/null | head -n 1)
if [ -n "$hook" ]; then
	# shellcheck disable=SC2086 # a number
	kill -TERM $hook
	wait $!
	err_has 'ended by a signal'
	[ "$(wc -l <"$root/kernel")" = 4 ] || fail "signal: $(wc -l <"$root/kernel") rules"
	[ "$(count '^augenrules --load' "$root/log")" = 1 ] || fail "signal: stock loads"
else
	wait $!
	echo "left out: no ps that knows --ppid here"
fi

### enable, disable, status
# A systemctl that knows the units in $root/units.
script systemctl <<'END'
#!/bin/sh
case $1 in
daemon-reload) echo reload >>"$FAKE_ROOT/log" ;;
show)
	unit=$FAKE_ROOT/units/$4
	[ -e "$unit" ] || exit 0
	# A drop-in that begins with an empty one takes its place.
	for file in "$unit" "$unit.d"/*.conf; do
		[ -e "$file" ] || continue
		! grep -q "^$3=\$" "$file" || : >"$FAKE_ROOT/commands"
		sed -n "s/^$3=\(..*\)/$3={ path=\1 ; argv[]=\1 ; }/p" "$file" >>"$FAKE_ROOT/commands"
	done
	cat "$FAKE_ROOT/commands"
	rm -f "$FAKE_ROOT/commands"
	;;
esac
END
boot_command() {
	wanted=$1
	shift
	auditopt-boot "$@" >out 2>err </dev/null
	status=$?
	[ "$status" = "$wanted" ] || {
		fail "auditopt-boot $*: status $status, not $wanted"
		sed 's/^/    /' out err
	}
}
for unit in audit-rules:ExecStart auditd:ExecStartPost; do
	property=${unit#*:}
	unit=${unit%:*}
	fresh
	rm -rf "$root/units"
	mkdir "$root/units"
	printf '[Service]\nExecStart=/sbin/auditd\n' >"$root/units/auditd.service"
	printf '[Service]\n%s=-/sbin/augenrules --load\n' "$property" >"$root/units/$unit.service"
	find "$root/units" >units_before
	boot_command 1 status
	out_has '^disabled$'
	boot_command 0 enable
	link=$root/units/$unit.service.d/50-auditopt.conf
	[ "$(readlink "$link")" = "$root/share/boot/$unit.conf" ] || fail "$unit: no link"
	boot_command 0 status
	out_has "^enabled in $unit.service"
	out_has 'last time: none'
	find "$root/units" >units_after
	boot_command 0 enable
	find "$root/units" >again
	same units_after again "$unit: enable twice"
	start "$unit"
	boot_command 0 status
	out_has 'last time: loaded: optimised'
	boot_command 0 disable
	find "$root/units" >again
	same units_before again "$unit: disable leaves something"
	boot_command 0 disable
	boot_command 1 status
	boot_command 0 load
	[ "$(wc -l <"$root/kernel")" = 3 ] || fail "load"
done
printf 'ExecStartPost=/bin/true\n' >>"$root/units/auditd.service"
boot_command 1 enable
err_has 'more than one ExecStartPost'
printf '[Service]\nExecStartPost=/sbin/auditctl -R /etc/audit/audit.rules\n' >"$root/units/auditd.service"
boot_command 1 enable
err_has 'neither audit-rules.service nor auditd.service'
rm "$root/units/auditd.service"
boot_command 1 enable
[ -z "$(find "$root/units" -mindepth 1)" ] || fail "enable without a unit leaves something"
boot_command 2
boot_command 2 nonsense
boot_command 2 enable now

# systemd itself takes the drop-ins.
if command -v systemd-analyze >/dev/null 2>&1; then
	for unit in audit-rules:oneshot:ExecStart auditd:forking:ExecStartPost; do
		name=${unit%%:*}
		kind=${unit#*:}
		mkdir -p "verify/$name.service.d"
		printf '[Unit]\nDescription=x\nDefaultDependencies=no\n[Service]\nType=%s\nExecStart=/bin/true\n%s=/bin/false\n' \
			"${kind%:*}" "${kind#*:}" | awk '!seen[$0]++' >"verify/$name.service"
		cp "$root/share/boot/$name.conf" "verify/$name.service.d/50-auditopt.conf"
		SYSTEMD_UNIT_PATH=$work/verify: systemd-analyze verify --man=no "$work/verify/$name.service" >told 2>&1 ||
			fail "systemd-analyze verify $name: $(grep -v 'Cannot\|permission' told | head -n 3)"
		! grep -q "50-auditopt\|$name.service" told || fail "systemd-analyze complains: $(grep "50-auditopt\|$name.service" told)"
	done
else
	echo "left out: no systemd-analyze here"
fi

finish
