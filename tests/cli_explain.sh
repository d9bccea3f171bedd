#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# auditopt explain: the walk, the rule that decides, before and after.
. "${AUDITOPT_SRCDIR:?}/tests/lib/cli.sh"

fixed='--machine=x86_64 --kernel=6.12 --lsm=selinux --root=root'
mkdir -p root/etc/audit root/var/log
: >root/etc/passwd
: >root/etc/shadow

# explain ARGUMENT...: with a good end.
explain() {
	# shellcheck disable=SC2086 # words
	run 0 explain $fixed "$@"
}

# before PATTERN, after PATTERN: a line of the first walk, of the second.
before() {
	sed '/^After auditopt/,$d' out | grep -qE -e "$1" ||
		fail "before: no line matches $1"
}

after() {
	sed -n '/^After auditopt/,$p' out | grep -qE -e "$1" ||
		fail "after: no line matches $1"
}

cat >a.rules <<'EOF'
-D
-a always,exit -F arch=b64 -S openat,open -F exit=-EACCES -F auid>=1000 -F auid!=unset -k access
-a always,exit -F arch=b32 -S open -F exit=-EACCES -k access32
-w /etc/passwd -p wa -k identity
-a never,exit -F arch=b64 -S chmod -F auid=unset
-a always,exit -F arch=b64 -S chmod,fchmod -k perm
-a always,exit -F arch=b64 -S chmod -F uid=0 -k never-reached
-a always,exit -F arch=b64 -S unlink -F dir=/etc -F exe=/usr/bin/rm -k gone
-a always,exclude -F msgtype=CWD
EOF

# What fails, where, and what the call has instead.
explain -S openat a.rules
out_has '^call: x86_64 openat \(257\)$'
out_has '^who: auid=1000 uid=1000$'
out_has '^result: success, 0$'
before '^The exit list:$'
before '^  a\.rules:2: -a always,exit '
before '^      fails at exit=-EACCES: it is 0$'
before '^  5 rules passed over: not for this call$'
before '^So it is not recorded: no rule matches\.$'
before '^6 rules walked, 1 of them entered\.$'
after '^After auditopt -O1:$'
after '^So it is not recorded: no rule matches\.$'
after '^The same comes of it before and after\.$'
out_has '^Not walked here: 1 rule of lists other than exit\. Those of exclude may still drop records\.$'

explain -S openat -F exit=-EACCES a.rules
out_has '^result: failure, -EACCES$'
before '^      MATCHES: the walk of the list ends, 5 rules behind it are not reached$'
before '^So it is recorded, key access\.$'
before '^Decided by a\.rules:2\.$'
after '^Decided by a\.rules:2\.$'

explain -S openat -F exit=-EACCES -F auid=unset a.rules
before 'fails at auid!=unset: it is unset$'
explain -S openat -F exit=-13 -F auid=500 a.rules
before 'fails at auid>=1000: it is 500$'
explain -S open -F success=0 a.rules
before 'fails at exit=-EACCES: it is -EPERM$'

# The other ABI has other numbers and other rules.
explain -S open -F arch=b32 -F exit=-EACCES a.rules
out_has '^call: i386 open \(5\)$'
before '^So it is recorded, key access32\.$'
before '^Decided by a\.rules:3\.$'

# A rule for a file, found behind the list; it depends on the flags.
explain -S open -F path=/etc/passwd a.rules
before '^The rules for /etc/passwd:$'
before '^      fails at perm=wa: the call counts as r$'
before '^So it is not recorded'
explain -S open -F path=/etc/passwd -F flags=O_WRONLY a.rules
out_has '^call: x86_64 open \(2\) a1=0x1$'
before '^Decided by a\.rules:4\.$'
before '^So it is recorded, key identity\.$'
after '^So it is recorded, key identity\.$'
explain -S openat,openat2 -F path=/etc/passwd -F flags=2 a.rules
out_has '^call: x86_64 openat \(257\) a2=0x2$'
out_has '^call: x86_64 openat2 \(437\) flags=0x2$'
[ "$(grep -c '^Decided by a\.rules:4\.$' out)" = 4 ] ||
	fail 'two calls, before and after, are not four decisions'
explain -S open -F a1=1 -F path=/etc/passwd a.rules
before '^So it is recorded, key identity\.$'

# A never rule; the rules behind the match.
explain -S chmod -F auid=unset a.rules
before '^So it is not recorded: a never rule matches'
before '^Decided by a\.rules:5\.$'
explain -S chmod a.rules
before '^      fails at auid=unset: it is 1000$'
before '^Decided by a\.rules:6\.$'
explain -S chmod -F uid=0 a.rules
before '^Decided by a\.rules:6\.$'
out_lacks 'a\.rules:7:'

# Trees, programs.
explain -S unlink -F path=/etc/motd a.rules
before '^      fails at exe=/usr/bin/rm: it is another program$'
explain -S unlink -F path=/var/log/x -F exe=/usr/bin/rm a.rules
before '^      fails at dir=/etc: no file of the call is in that tree$'
explain -S unlink -F path=/etc/motd -F exe=/usr/bin/rm a.rules
before '^So it is recorded, key gone\.$'
explain -S unlink -F dir=/etc -F exe=/usr/bin/rm a.rules
before '^So it is recorded, key gone\.$'

# An earlier rule for a file overrides the list and takes its key over; a later
# one cannot.
cat >lent.rules <<'EOF'
-a always,exit -F arch=b64 -S open -F path=/etc/passwd
-a never,exit -F arch=b64 -S open -k lent
-a always,exit -F arch=b64 -S open -F path=/etc/shadow -k late
EOF
explain -S open -F path=/etc/passwd lent.rules
before '^So it is recorded, key lent\.$'
before '^Decided by lent\.rules:1\.$'
before '^That rule has no key: '
explain -S open -F path=/etc/shadow lent.rules
before '^      cannot override the earlier rule that matched$'
before '^Decided by lent\.rules:2\.$'

# Calls that never return have no result to compare.
cat >exit.rules <<'EOF'
-a always,exit -F arch=b64 -S exit_group -F success=1 -k gone
EOF
explain -S exit_group exit.rules
out_has '^result: none, it never returns$'
before '^      fails at success=1: the call never returns$'
run 2 explain -S exit_group -F exit=0 exit.rules
err_has 'never returns: leave -F exit= out'

# -O2 may end walks early; what a rule records stays.
i=0
while [ $i -lt 12 ]; do
	echo "-a always,exit -F arch=b64 -S read,write -F auid>=1000 -F auid!=unset -F uid=$((i * 2)) -k k$i"
	i=$((i + 1))
done >many.rules
explain -S read -F auid=unset -O2 many.rules
before '^12 rules walked, 12 of them entered\.$'
after '^After auditopt -O2:$'
entered=$(sed -n 's/.* walked, \([0-9]*\) of them entered\.$/\1/p' out | tail -n 1)
[ "${entered:-99}" -lt 6 ] || fail "-O2 still enters $entered rules"
explain -S read -F uid=4 -O2 many.rules
before '^Decided by many\.rules:3\.$'
after '^So it is recorded, key k2\.$'
# -O0 keeps the walk as it is.
explain -S read -F auid=unset -O0 many.rules
after '^12 rules walked, 12 of them entered\.$'

# What it costs, and what it must cost: three trees that decide alone, one of
# them in another (it may be moved out), a program, files of this call and of another.
cat >bound.rules <<'EOF'
-a always,exit -F arch=b64 -S chmod -F dir=/etc -k one
-a always,exit -F arch=b64 -S chmod -F dir=/etc/audit -k one
-a always,exit -F arch=b64 -S chmod -F dir=/var/log -k two
-a always,exit -F arch=b64 -S chmod -F exe=/usr/bin/x -k three
-a always,exit -F arch=b64 -S chmod -F path=/etc/passwd -k four
-a always,exit -F arch=b64 -S unlink -F path=/etc/shadow -k five
EOF
explain -O2 -S chmod bound.rules
out_has '^In estimated instructions, above the same call without rules: [0-9]* before, [0-9]* after\.$'
out_has '^No rules that log the same \(-O2\) can do it below [0-9]*:$'
out_has '^ +276  for 3 rules of the list that must be entered and fail, for one$'
out_has '^ +directory each that alone decides: dir=/etc, dir=/etc/audit, dir=/var/log$'
out_has '^ +[0-9]+  for tests of what else decides alone, as in: exe=/usr/bin/x$'
out_has '^ +26  for a rule that ends the walk, or the list.s end$'
out_has ': 1 whose$'
out_has '^ +file decides this call, 1 for other calls$'
out_has '^Of what is above one rule that ends all walks \(1400\), [0-9]+ % can be saved at most,$'
out_has '^and [0-9]+ % are\.$'
printf '%s\n' '-a always,exit -F arch=b32 -S all -k b32' \
	'-a always,exit -F dir=/home -F uid=0 -F auid>=1000 -F auid!=unset -k abuse' >besides.rules
explain -O2 -S write -F auid=unset -F uid=0 besides.rules
out_has '^ +[0-9]+  for tests of what else decides alone, as in: arch=b32$'
out_has '^ +and for one test more, telling it from calls with its number that$'
out_has '^ +besides\.rules:2 records$'
explain -O2 -v -S chmod bound.rules
out_has '^ +dir=/var/log \(bound\.rules:3\)$'
# The sum is that of its parts, and not above what the rules cost.
sed -n '/^In est/,$p' out >figures
sed -n 's/^ *\([0-9][0-9]*\)  .*/\1/p' figures >parts
sum=0
while read -r part; do
	sum=$((sum + part))
done <parts
bound=$(sed -n 's/.* can do it below \([0-9]*\):$/\1/p' figures)
off=$((sum - bound))
[ "${off#-}" -le 2 ] || fail "the bound is $bound, its parts are $sum"
cost=$(sed -n 's/.* without rules: .* before, \([0-9]*\) after\.$/\1/p' figures)
[ "$bound" -le "$cost" ] || fail "the bound is $bound, but $cost suffice"
# A file that the rules name, one in a tree of theirs.
for file in /etc/passwd /var/log/x; do
	explain -S chmod -F path=$file bound.rules
	out_has '^ +\(What depends on its files is not counted: '
	out_lacks 'rules of the list that must be entered'
done
# Where no 32-bit program runs, rules for them bound nothing; where rules of files
# alone suffice, it is said what is saved of what can be.
echo '-a never,exit -F arch=b32 -S all' >no32.rules
explain -O2 --abi=native -S getpid no32.rules
out_lacks 'can do it below'
echo '-a never,exit -F arch=b64 -S uname' >no64.rules
explain -O1 -S getpid no64.rules
out_lacks '(1[0-9][1-9]|[2-9][0-9][0-9]) % are'
# The other ABI's call of that number; another call with the same one.
echo '-a always,exit -F arch=b32 -S 110 -F uid=0 -F auid=5 -k iopl' >near.rules
explain -O2 -S getppid near.rules
out_has 'for telling it from calls with its number of the other ABI that$'
out_has '^ +near\.rules:1 records$'
# What is the same is stricter at -O1.
echo '-a always,exit -S chmod -F dir=/var -k var' >never.rules
echo '-a never,exit -S chmod -F dir=/etc' >>never.rules
explain -O1 -S chmod never.rules
out_has '\(-O1\)'
out_has ' for 2 rules of the list that must be entered'
explain -O2 -S chmod never.rules
out_has ' for 1 rule of the list that must be entered'

# Processes under a task rule have no walk at all.
echo '-a never,task' >task.rules
explain -S open task.rules
out_has 'a task rule says never for every new process'

# -v shows each rule that is passed over.
explain -v -S chmod a.rules
before '^  a\.rules:3: '
before '^      passed over: not for this call$'
[ "$(sed '/^After/,$d' out | grep -c 'passed over: not for this call$')" = 2 ] ||
	fail '-v: not two rules passed over'

# Paths with a space; an error without its sign; a call of 32 bits only.
printf '%s\n' '-a always,exit -F arch=b64 -S open -F path=/etc/a\ b -k spaced' >space.rules
explain -S open -F 'path=/etc/a b' space.rules
before '^So it is recorded, key spaced\.$'
explain -S open -F exit=EACCES a.rules
out_has '^result: success, 13$'
err_has 'one that fails has exit=-EACCES'
run 2 explain --machine=x86_64 -S umount a.rules
err_has 'b32 has: say -F arch=b32'

# What is wrong, with what to say instead. Two lines, nothing else.
wrong() {
	pattern=$1
	shift
	run 2 explain "$@" a.rules
	err_has "$pattern"
	[ "$(wc -l <err)" = 2 ] || fail "explain $*: not two lines of complaint"
	[ -s out ] && fail "explain $*: output in spite of wrong usage"
}
wrong '-S CALL is wanted' -F uid=0
wrong 'flags=O_RDONLY' -S open -F perm=w
wrong 'a call has no key' -S open -F key=x
wrong 'say -F auid= and that value' -S open -F 'auid>=1000'
wrong 'say -F uid= and that value' -S open -F 'uid!=0'
wrong 'x86_64 or i386' --machine=x86_64 -S open -F arch=aarch64
wrong 'not a record' -S open -F msgtype=CWD
wrong 'name the calls' -S all
wrong 'has no such call' -S nonsense
wrong 'has no such call' -S 99999
wrong 'has no such call' -S open,nonsense
wrong 'another call' -S chmod -F flags=1
wrong 'is wanted' -S open -F flags=O_NONSENSE
wrong 'contradict' -S open -F exit=-EACCES -F success=1
wrong 'contradict' -S open -F exit=3 -F success=0
wrong 'contradict each other: a call has one auid' -S open -F auid=unset -F auid=1000
wrong 'contradict each other: a call has one success' -S open -F success=1 -F success=0
wrong 'contradict each other: a call has one a0' -S open -F a0=1 -F uid=0 -F a0=2
wrong 'contradict each other: a call has one subj_user' -S open -F subj_user=a_u -F subj_user=b_u
wrong 'contradict each other: a file has one obj_uid' -S open -F path=/a -F obj_uid=0 -F obj_uid=1
wrong 'contradict each other: a call has one arch' --machine=x86_64 -S open -F arch=b32 -F arch=b64
wrong 'other flags' -S open -F flags=O_RDONLY -F flags=O_WRONLY
wrong 'is wanted' -S open -F flags=1 -F flags=xyz
wrong 'is wanted' -S open -F flags=0 -F flags=
wrong 'is wanted' -S open -F 'flags= -1'
wrong 'is wanted' -S open -F flags=99999999999999999999999
explain -S open -F flags=0 -F flags=O_RDONLY -F uid=0 -F uid=0 -F auid=unset -F auid=-1 a.rules
explain -S rename -F path=/a -F obj_uid=0 -F path=/b -F obj_uid=1 a.rules
echo '-a always,exit -F arch=b64 -S open -F uid=1001 -F euid=0 -k e' >euid.rules
explain -S open -F euid=0 -F uid=1001 euid.rules
before '^So it is recorded, key e'
run 2 explain -S open -F nonsense=1 a.rules
err_has 'there is no field "nonsense"'
run 3 explain -S open no-such-file
run 3 explain -S open nosuchword
err_has 'No such file'

# -o, standard input, several files.
run 0 explain -o result -S chmod a.rules
grep -q '^Decided by a\.rules:6\.$' result || fail '-o'
"$AUDITOPT" explain -S chmod <a.rules >out 2>err || fail 'standard input'
out_has '^Decided by .*:6\.$'
echo '-a always,exit -F arch=b64 -S mkdir -k second' >b.rules
explain -S mkdir a.rules b.rules
before '^Decided by b\.rules:1\.$'

# Calls that collect no names of files: what asks for one cannot match.
cat >nameless.rules <<'EOF'
-a always,exit -S all -F dir=/etc -k tree
-a always,exit -S all -F obj_uid=0 -k owner
-a always,exit -S all -C uid!=obj_uid -k other
-a always,exit -S all -F filetype!=file -F uid=0 -k none
EOF
explain -S getppid nameless.rules
before '^      fails at dir=/etc: getppid collects no names of files, it reads or sets ids of tasks$'
before '^      fails at obj_uid=0: getppid collects no names of files'
before '^      fails at uid!=obj_uid: getppid collects no names of files'
before '^      fails at uid=0: it is 1000$'
explain -S openat nameless.rules
before '^      fails at dir=/etc: no file of the call is in that tree$'
explain -S getppid -F uid=0 nameless.rules
before '^So it is recorded, key none\.$'
after '^So it is recorded, key none\.$'
for fact in path=/etc/passwd dir=/etc obj_uid=0 filetype=file; do
	# shellcheck disable=SC2086 # words
	run 2 explain $fixed -S getppid -F "$fact" nameless.rules
	err_has "-S getppid collects no names of files, it reads or sets ids of tasks: leave -F $fact out"
done
explain -S openat -F path=/etc/passwd nameless.rules
before '^So it is recorded, key tree\.$'

# The least that a call can return.
echo '-a always,exit -F arch=b64 -S open -F exit=-2147483648 -k least' >least.rules
explain -S open -F exit=-2147483648 least.rules
before '^So it is recorded, key least\.$'

# Auditing is off: what the walk says holds for nobody.
for number in 0 1; do
	printf '%s\n' '-a always,exit -F arch=b64 -S chmod -k p' "-e $number" >off$number.rules
done
run 0 explain --machine=x86_64 -S chmod off0.rules
out_has '^But -e 0 turns auditing off'
run 0 explain --machine=x86_64 -S chmod off1.rules
out_lacks 'turns auditing off'

finish
