# SPDX-License-Identifier: GPL-2.0-or-later
# A host that loads its audit rules at boot, with an augenrules and an auditctl that
# are scripts and a kernel that is a file: for tests/cli_boot.sh and bench/boot; read
# with `.`. What fails is told with fail, which is the reader's.
# shellcheck shell=sh disable=SC2034,SC2154

# boot_drop ARGUMENT...: no real auditctl must ever be run here. None is on the PATH
# of boot_host, and where it can be had the script that calls this begins again
# without the capability that auditctl needs.
boot_drop() {
	if [ "$(id -u)" = 0 ] && [ -z "${BOOT_DROPPED:-}" ] && command -v setpriv >/dev/null 2>&1; then
		BOOT_DROPPED=yes
		export BOOT_DROPPED
		exec setpriv --bounding-set=-audit_control --inh-caps=-audit_control sh "$0" "$@"
	fi
}

# tools NAME...: what the scripts need, in a directory of its own.
tools() {
	mkdir -p "$root/bin" "$root/tools" "$root/dev"
	for tool in "$@"; do
		found=$(command -v "$tool") && ln -s "$found" "$root/tools/$tool"
	done
}

# install_boot: into $root, as make install would.
install_boot() {
	for to in auditopt-boot auditopt-augenrules boot-load audit-rules.conf auditd.conf; do
		bindir=$root/bin sbindir=$root/bin pkglibexecdir=$root/bin pkgdatadir=$root/share \
			systemdsystemconfdir=/units AUGENRULES=$root/bin/augenrules AUDITCTL=$root/bin/auditctl \
			sh "$boot/with-paths" "$boot/$to.in" "$root/bin/$to" || fail "with-paths $to"
	done
	mkdir -p "$root/share/boot"
	mv "$root"/bin/*.conf "$root/share/boot/"
}

# script NAME: a program of standard input.
script() {
	cat >"$root/bin/$1"
	chmod 755 "$root/bin/$1"
}

# The programs around it.
fakes() {
	script logger <<'END'
#!/bin/sh
cat >>"$FAKE_ROOT/syslog"
END
	# The kernel: a file of rules, and one of what -e was last.
	script auditctl <<'END'
#!/bin/sh
kernel=$FAKE_ROOT/kernel
enabled=$FAKE_ROOT/enabled
do_line() {
	[ "$(cat "$enabled")" != 2 ] || {
		[ "$1" != -s ] || return 0
		return 1
	}
	case $1 in
	-D) : >"$kernel" ;;
	-e) echo "$2" >"$enabled" ;;
	-[aAw])
		case $* in
		*refused-quietly*) ;;
		*refused*) return 1 ;;
		*) echo "$*" >>"$kernel" ;;
		esac
		;;
	esac
}
case $1 in
-s) echo "enabled $(cat "$enabled")" ;;
-l) if [ -s "$kernel" ]; then cat "$kernel"; else echo "No rules"; fi ;;
-R)
	echo "auditctl -R ${2##*/}" >>"$FAKE_ROOT/log"
	[ ! -e "$FAKE_ROOT/slow" ] || sleep 2
	while read -r line; do
		case $line in
		'' | '#'*) continue ;;
		esac
		do_line $line || exit 1
	done <"$2"
	;;
*) do_line "$@" ;;
esac
END
	script augenrules <<'END'
#!/bin/sh
rules=$FAKE_ROOT/etc/audit/audit.rules
echo "augenrules $*" >>"$FAKE_ROOT/log"
[ -d "$FAKE_ROOT/etc/audit/rules.d" ] || {
	echo "$0: No rules directory"
	[ "$1" != --load ] || "$FAKE_ROOT/bin/auditctl" -R "$rules"
	exit 1
}
{
	echo "## merged"
	cat "$FAKE_ROOT"/etc/audit/rules.d/*.rules 2>/dev/null | sed '/^#/d; /^$/d; /^-e/d'
	cat "$FAKE_ROOT"/etc/audit/rules.d/*.rules 2>/dev/null | grep '^-e'
} >"$FAKE_ROOT/merged"
if cmp -s "$FAKE_ROOT/merged" "$rules"; then
	echo "$0: No change"
elif [ "$1" = --check ]; then
	echo "$0: Rules have changed and should be updated"
	exit 0
else
	[ ! -f "$rules" ] || cp "$rules" "$rules.prev"
	cp "$FAKE_ROOT/merged" "$rules"
	chmod 640 "$rules"
fi
[ "$1" != --load ] || "$FAKE_ROOT/bin/auditctl" -R "$rules"
END
	cat >good_auditopt <<END
#!/bin/sh
if [ "\$1" = diff ]; then
	echo diff >>"$root/log"
	[ ! -e "$root/differs" ] || exit 1
	for rules in "\$@"; do :; done
	exec '$AUDITOPT' diff -q --root='$root' '$root/kernel' "\$rules"
fi
exec '$AUDITOPT' "\$@"
END
}

# fresh: a host before its boot.
fresh() {
	chmod -R u+w "$root/etc" 2>/dev/null
	rm -rf "${root:?}/etc" "$root/run" "$root/log" "$root/syslog" "$root/slow" "$root/differs"
	mkdir -p "$root/etc/audit/rules.d" "$root/watched" "$root/etc/x"
	: >"$root/kernel"
	: >"$root/syslog"
	echo 1 >"$root/enabled"
	script auditopt <good_auditopt
	cat >"$root/etc/audit/rules.d/10-base.rules" <<'END'
# the first
-D
-b 8192
-w /watched -p wa -k watch
-a always,exit -F arch=b64 -S adjtimex -k time
-a always,exit -F arch=b64 -S settimeofday -k time
END
	printf '%s\n' '-a always,exit -F arch=b64 -S sethostname -k name' \
		>"$root/etc/audit/rules.d/20-more.rules"
}

# boot_host: such a host in $work/root, and its PATH.
boot_host() {
	boot=$AUDITOPT_SRCDIR/contrib/boot
	root=$work/root
	AUDITOPT_BOOT_ROOT=$root
	AUDITOPT_BOOT_MEMORY=unlimited # sanitizers want terabytes
	FAKE_ROOT=$root
	export AUDITOPT_BOOT_ROOT AUDITOPT_BOOT_MEMORY FAKE_ROOT
	unset JOURNAL_STREAM
	tools sh awk basename cat chmod cmp cp cut date diff dirname env expr find flock grep head id ln ls mkdir mktemp \
		mount mv ps readlink rm rmdir sed seq sleep sort stat systemd-analyze tail timeout touch tr truncate umount wc
	PATH=$root/bin:$root/tools
	export PATH
	if command -v auditctl >/dev/null || command -v augenrules >/dev/null; then
		echo "a real auditctl is on the PATH"
		exit 99
	fi
	install_boot
	fakes
}
