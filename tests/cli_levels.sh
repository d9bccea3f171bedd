#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What stands beside -O: --verbatim, --lsm, --abi, --kernel, and what the report
# says of the next level.
. "${AUDITOPT_SRCDIR:?}/tests/lib/cli.sh"

# Every rule of a --verbatim result is a line of its source, or one that was
# added, or one of which the comment says why not.
texts_changed() {
	if [ -d "$1" ]; then cat "$1"/*.rules; else cat "$1"; fi |
		sed 's/[[:space:]]*$//' | sort -u >texts
	awk '
		BEGIN { while ((getline line < "texts") > 0) known[line] = 1 }
		/^# added: / || /^# its text was not kept: / { free = 1 }
		/^#/ { next }
		/^-[aAw] / {
			sub(/[ \t\r]*$/, "")
			if (!($0 in known) && !free) print
		}
		{ free = 0 }' "$2"
}

for file in "$examples"/*.rules "$examples"/rules.d "$shared"/corpus/*.rules \
	"$shared"/cases/*.rules; do
	[ -e "$file" ] || {
		echo "skipped: $file"
		continue
	}
	name=$(basename "$file")
	for level in 0 1 2; do
		run 0 -q --keep-going --verbatim -O$level "$file"
		cp out kept
		texts_changed "$file" kept >changed
		[ -s changed ] && {
			fail "$name -O$level --verbatim: changed texts"
			head -n 3 changed
		}
		grep -q '^# Left as it came' kept &&
			fail "$name -O$level --verbatim: not proved"
		rules_of kept >once
		run 0 -q --no-comments --verbatim -O$level once
		same once out "$name -O$level --verbatim: a second run changes something"
	done
	run 0 -q --keep-going --lsm=none --abi=native "$file"
	rules_of out >once
	run 0 -q --no-comments --lsm=none --abi=native once
	same once out "$name --lsm=none --abi=native: a second run changes something"
done

# The texts are the user's own, blanks and order and all.
cat >odd.rules <<'EOF'
-a exit,always -F arch=x86_64  -S chmod -S fchmod -F auid>=1000 -F key=perm
-w /etc/passwd -k identity -p aw
-a always,exit -F arch=b64 -S mount -F uid=0 -k m
-a always,exit -F arch=b64 -S mount -F uid=0 -F gid=5 -k other
EOF
sed -i '3s/$/   /' odd.rules
for level in 1 2; do
	run 0 -q --no-comments --verbatim -O$level --machine=x86_64 odd.rules
	sed 's/ *$//' out >texts
	for line in 1 2 3; do
		sed -n "${line}s/ *\$//p" odd.rules | grep -qxF -f - texts ||
			fail "-O$level --verbatim: line $line is not there"
	done
	out_lacks other
done
run 0 -q --machine=x86_64 odd.rules
out_lacks 'exit,always'
run 0 -q --verbatim --machine=x86_64 odd.rules
out_has '^# Level -O1 --verbatim,'
out_has '^# line.* odd.rules:1$'
out_has '^# Proved to mean the same'

# What cannot stay is said.
echo '-a exit,always -F arch=b64 -S chmod,no_such_call -k t' >part.rules
run 0 -q --verbatim --keep-going --machine=x86_64 part.rules
out_has '^# its text was not kept: '
out_has '^-a always,exit -F arch=b64 -S chmod .*-k t *$'

# It is written as the given auditctl reads it; if others do not, that is said.
printf -- '-D\n-A always,exit -F arch=b64 -S execve -F dir=/etc -F perm=r -k k1\n-w /usr/bin/sudo -k k4\n' >front.rules
run 0 -q --verbatim --machine=x86_64 --auditctl=3.0.9 front.rules
err_has 'warning: a line whose text cannot be kept means something else to auditctl 4'
out_has '^# auditctl 3\.0\.9 reads them; to auditctl 4[0-9.]* some mean something else\.$'
sed -i 's/ -F perm=r//' front.rules
run 0 -q --verbatim --machine=x86_64 --auditctl=3.0.9 front.rules
out_lacks 'something else'
[ ! -s err ] || fail 'something is said of a line that all read alike'

# --lsm: fstat asks nobody but security modules, read and unlink may log all by
# themselves.
i=0
while [ $i -lt 100 ]; do
	echo "-a always,exit -F arch=b64 -S mount -F auid=$i -k k$i"
	i=$((i + 1))
done >many.rules
# walks CALL OPTION...: how many rules that call is walked past at -O1.
walks() {
	call=$1
	shift
	"$AUDITOPT" explain --machine=x86_64 -O1 -v -S "$call" "$@" many.rules \
		2>/dev/null </dev/null | sed -n '/^After/,$p' |
		grep -c 'passed over: not for this call'
}
[ "$(walks fstat --lsm=selinux)" -ge 100 ] || fail "fstat ends early under selinux"
[ "$(walks fstat --lsm=apparmor)" -ge 100 ] || fail "fstat ends early under apparmor"
[ "$(walks fstat --lsm=none)" -lt 5 ] || fail "fstat walks on under none"
[ "$(walks fstat --lsm=yama,capability,bpf)" -lt 5 ] || fail "fstat walks on under yama"
[ "$(walks getpgid --lsm=apparmor,yama)" -lt 5 ] || fail "getpgid walks on under apparmor"
[ "$(walks getpgid --lsm=selinux,yama)" -ge 100 ] || fail "getpgid ends early under selinux"
for call in read write openat unlink close execve stat; do
	[ "$(walks $call --lsm=none)" -ge 100 ] || fail "$call ends early under none"
done
run 0 -q --machine=x86_64 --lsm=none many.rules
out_has '^# Holds where no security modules'
cp out many.none
run 0 -q --machine=x86_64 --lsm=selinux many.rules
out_lacks '^# Holds where no security modules'
# Under none the two are the same, elsewhere they are not.
run 0 diff -q --machine=x86_64 --lsm=none many.rules many.none
run 1 diff -q --machine=x86_64 --lsm=selinux many.rules many.none
run 0 explain -q --machine=x86_64 --lsm=none -S fstat many.rules
out_has 'makes no record of this call by itself'
run 0 explain -q --machine=x86_64 --lsm=smack -S fstat many.rules
out_lacks 'makes no record of this call by itself'

# --abi
cat >abi.rules <<'EOF'
-a always,exit -F arch=b32 -S all -k foreign
-a always,exit -F arch=b64 -S mount -k native
-a always,exit -F dir=/srv -F perm=w -k either
EOF
for level in 0 1 2; do
	run 0 -O$level --machine=x86_64 --abi=native -v abi.rules
	out_lacks foreign
	out_has '-k native$'
	out_has '-k either$'
	out_has '^# Holds where no i386 programs run'
	err_has 'foreign_abi: abi.rules:1: dropped'
	err_has 'note: i386 programs do not count'
done
cp out abi.native
run 0 -q --machine=x86_64 abi.rules
out_has foreign
run 0 -q --machine=x86_64 --abi=all abi.rules
out_has foreign
run 1 diff -q --machine=x86_64 abi.rules abi.native
run 0 diff -q --machine=x86_64 --abi=native --level=2 abi.rules abi.native
# A machine without a second ABI, or another one than this.
run 0 -q --machine=ppc64le --abi=native many.rules
out_lacks '^# Holds where no'
run 0 -q --machine=s390x --abi=auto many.rules
out_lacks '^# Holds where no'
run 0 -q --machine=x86_64 --abi=auto --root="$work" abi.rules
out_has foreign

# --kernel: for other commands too
run 0 diff -q --kernel=6.1 odd.rules odd.rules
run 0 explain -q --kernel=any -O1 -S open odd.rules

# What the next level could do
run 0 --machine=x86_64 --lsm=selinux many.rules
err_has '^What more could be saved'
err_has '^  --lsm=none: another [0-9]+ % over all calls'
err_has '^  -O2: another [0-9]+ % over all calls, [0-9]+ % on b64 [a-z_0-9]+ by a (daemon|user) \('
err_has 'price: '
run 0 --machine=x86_64 --lsm=none many.rules
err_has '^  -O2: another'
! grep -q '^  --lsm=none: another' err || fail "--lsm=none is offered though it is given"
run 0 --machine=x86_64 -O2 many.rules
! grep -q '^What more' err || fail "-O2 offers more"
run 0 --machine=x86_64 -O0 "$examples/workstation.rules"
err_has '^  -O1: another'
run 0 --machine=x86_64 --report=- --report-format=json -o /dev/null many.rules
out_has '"offers": \[$'
out_has '"option": "-O2"'
run 0 --report-format=json --report=- -o /dev/null -O2 many.rules
out_has '"offers": \[\]'

# Nonsense
wrong() {
	run 2 "$@"
	[ "$(wc -l <err)" = 2 ] || fail "auditopt $*: not two lines of complaint"
	[ -s out ] && fail "auditopt $*: output in spite of wrong usage"
}
wrong --lsm= odd.rules
wrong --lsm=selinx odd.rules
err_has "'selinx' is not known; known are auto, none, selinux"
wrong --lsm=none,nothing odd.rules
wrong --lsm=none,auto odd.rules
wrong --lsm
wrong --abi=b64 odd.rules
wrong --abi= odd.rules
wrong --verbatim=yes odd.rules
wrong cost --verbatim odd.rules
wrong cost --lsm=none odd.rules
wrong dump --abi=native odd.rules
wrong diff --verbatim odd.rules odd.rules

finish
