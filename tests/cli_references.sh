#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The rule sets written by hand that bench/kernel measures log what their originals do.
. "${AUDITOPT_SRCDIR:?}/tests/lib/cli.sh"

reference=$AUDITOPT_SRCDIR/bench/reference
sh "$AUDITOPT_SRCDIR/tests/kernel/tree.sh" root "$reference"/*.rules
mkdir -p root/tmp/audit-bench

# alike ORIGINAL BY-HAND: proved, as auditctl of both kinds reads them.
alike() {
	for auditctl in 3.0.9 4.0.2; do
		run 0 diff --machine=x86_64 --kernel=6.12 --level=2 --root=root --auditctl=$auditctl "$1" "$2"
		out_has '^The same: proved for [0-9]+ classes of calls at level 2\.$'
	done
}

alike "$reference/stig.rules" "$reference/stig.by-hand"

echo '-a never,exit -F arch=b64 -S uname' >original
alike original "$reference/one-never.rules"

for i in 0 1 2 3 4 5 6 7 8 9; do
	# perm in front of arch: in this order no auditctl adds calls.
	echo "-a always,exit -F perm=wa -F arch=b64 -S unlinkat,linkat,renameat,openat,renameat2 -F dir=/tmp/audit-bench/$i"
done >original
alike original "$reference/ten-dirs.rules"

for call in acct adjtimex mount swapoff; do
	echo "-a always,exit -F arch=b64 -S $call -F uid=501 -k $call"
done >original
cat "$reference/unrelated.head" original >by-hand
alike original by-hand

# Both heads: where nobody asks for anything, and where people as root are asked for.
for head in hot-calls people; do
	cat "$reference/$head.head" "$examples/web-server.rules" >by-hand
	alike "$examples/web-server.rules" by-hand
done
echo '-a always,exit -S all -F uid=0 -F auid>=1000 -F auid!=unset -k root' >original
cat "$reference/people.head" original >by-hand
alike original by-hand
cat "$reference/hot-calls.head" original >by-hand
run 1 diff --machine=x86_64 --level=2 original by-hand

finish
