#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# quickstart on what it cannot read, and on hosts where packages are missing:
# those have no tool but the shell's, and an apt-get or a dnf that only notes
# how it was called.
. "${AUDITOPT_SRCDIR:?}/tests/lib/cli.sh"

# What it cannot read
sh "$AUDITOPT_SRCDIR/quickstart" "$work/no such" >out 2>err && fail "quickstart takes a missing file"
err_has 'quickstart: no such file'
mkdir closed
echo '-a always,exit -F arch=b64 -S mount -k mount' >'closed/x y'
chmod 700 closed
chmod 711 .
as_nobody='setpriv --reuid=65534 --regid=65534 --clear-groups'
if [ "$(id -u)" = 0 ] && $as_nobody test -r "$AUDITOPT_SRCDIR/quickstart" 2>/dev/null; then
	for rules in "$work/closed/x y" "$work/closed/none"; do
		$as_nobody sh "$AUDITOPT_SRCDIR/quickstart" "$rules" >out 2>err &&
			fail "quickstart takes what it cannot read"
		err_has 'permission denied .*sudo ./quickstart'
	done
	$as_nobody sh "$AUDITOPT_SRCDIR/quickstart" "$work/closed/x y" >out 2>err
	err_has "sudo ./quickstart '$work/closed/x y'\$"
else
	echo "skipped: quickstart without leave to read, only root can try"
fi

# A host without anything
mkdir bare
for tool in sh cat chmod dirname env find getconf grep id ln mkdir rm sed tail uname; do
	ln -s "$(command -v $tool)" bare/$tool
done
cat >manager <<'EOF'
#!/bin/sh
echo "$*" >>"$CALLS"
exit "${MANAGER_STATUS:-0}"
EOF
chmod +x manager
CALLS=$work/calls
export CALLS

# quickstart_with MANAGER STATUS [ARGUMENT]: that package manager alone is
# there, and ends with STATUS.
quickstart_with() {
	cp -r bare host
	[ "$1" = none ] || cp manager "host/$1"
	[ "$(id -u)" = 0 ] || printf '#!/bin/sh\nexec "$@"\n' >host/sudo
	[ "$(id -u)" = 0 ] || chmod +x host/sudo
	: >calls
	manager_status=$2
	shift 2
	PATH=$work/host MANAGER_STATUS=$manager_status \
		"$work/host/sh" "$AUDITOPT_SRCDIR/quickstart" "$@" >out 2>err </dev/null
	status=$?
	rm -rf host
}

# called PATTERN: the package manager was called so.
called() {
	grep -qE -e "$1" calls || {
		fail "no call of the package manager matches $1"
		sed 's/^/    /' calls
	}
}

quickstart_with dnf 0
[ "$status" = 1 ] || fail "status $status though nothing was installed"
out_has '^== Missing here: cc make autoreconf .*libaudit\.h'
called '^install -y (.* )?gcc (.* )?audit-libs-devel jansson-devel uthash-devel$'
err_has '^quickstart: still missing: cc '
quickstart_with dnf 0 check
called '^install -y (.* )?audit-libs-devel (.* )?check-devel (.* )?libasan libubsan '
quickstart_with dnf 1
[ "$status" = 1 ] || fail "status $status though dnf failed"
err_has '^quickstart: dnf failed; .*EPEL and CRB'
quickstart_with apt-get 0 check
called '^update -q$'
called '^install -q -y --no-install-recommends (.* )?libaudit-dev (.* )?check '
quickstart_with apt-get 1
[ "$status" != 0 ] || fail "apt-get fails, and quickstart does not"
quickstart_with none 0
err_has '^quickstart: neither apt-get nor dnf is here'
[ ! -s calls ] || fail "a package manager that is not there was called"

finish
