#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# auditopt diff: what differs in meaning, the call that shows it, exit status.
. "${AUDITOPT_SRCDIR:?}/tests/lib/cli.sh"

# What the machine is like that the test runs on must not matter.
fixed='--machine=x86_64 --kernel=6.12 --lsm=selinux'
mkdir root

# differ OLD NEW [OPTION...]: they must; leaves out.
differ() {
	old=$1 new=$2
	shift 2
	# shellcheck disable=SC2086 # words
	run 1 diff -q $fixed --root=root "$@" "$old" "$new"
	[ "$(wc -l <out)" -ge 1 ] || fail "diff -q $old $new: no last line"
	# shellcheck disable=SC2086
	run 1 diff $fixed --root=root "$@" "$old" "$new"
}

# alike OLD NEW [OPTION...]: proved to be the same.
alike() {
	old=$1 new=$2
	shift 2
	# shellcheck disable=SC2086
	run 0 diff $fixed --root=root "$@" "$old" "$new"
	out_has '^The same: proved for [0-9]+ classes of calls at level [012]\.$'
	out_lacks '^  old:'
}

# lines FILE LINE...: makes a file of rules.
lines() {
	file=$1
	shift
	printf '%s\n' "$@" >"$file"
}

# The same, though written in another way.
lines a.rules '-a always,exit -F arch=b64 -S chmod -k p' \
	'-a always,exit -F arch=b64 -S fchmod -k p'
lines b.rules '# one rule' '-a always,exit -F arch=b64 -S fchmod,chmod -k p'
alike a.rules a.rules
alike a.rules b.rules
alike b.rules a.rules
cp a.rules same.rules
alike a.rules same.rules

# Keys: the witness, the rules that decide, what each side records.
lines key.rules '-a always,exit -F arch=b64 -S chmod -k p' '' \
	'-a always,exit -F arch=b64 -S fchmod -k other'
differ a.rules key.rules
out_has '^system calls: fchmod$'
out_has '^  old: recorded, key p$'
out_has '^       decided by a\.rules:2: .*-S fchmod'
out_has '^  new: recorded, key other$'
out_has '^       decided by key\.rules:3: .*-k other$'
out_has '^    call: x86_64 fchmod \(91\)$'
out_has '^    who: auid=[0-9]+ uid=[0-9]+$'
out_has '^    result: (success|failure), '
out_lacks 'system calls: .*[ ,]chmod'
out_has 'classes of calls 1 differs, [0-9]+ are the same'
lines two-keys.rules '-a always,exit -F arch=b64 -S chmod -k p' \
	'-a always,exit -F arch=b64 -S fchmod -k p -k q'
differ a.rules two-keys.rules
out_has '^  new: recorded, keys p, q$'

# A rule lost, and the same seen from the other side.
lines lost.rules '-a always,exit -F arch=b64 -S chmod -k p'
differ a.rules lost.rules
out_has '^  old: recorded, key p$'
out_has '^  new: not recorded: no rule matches$'
differ lost.rules a.rules
out_has '^  old: not recorded: no rule matches$'
out_has '^  new: recorded, key p$'

# Other ABIs: the same name, another number.
lines b32.rules '-a always,exit -F arch=b32 -S chmod -k p' \
	'-a always,exit -F arch=b64 -S fchmod -k p'
differ a.rules b32.rules
out_has '^system calls: chmod$'
out_has '^system calls: chmod \(i386\)$'
out_has '^    call: x86_64 chmod \(90\)$'
out_has '^    call: i386 chmod \(15\)$'

# Who and the result are those that matter.
lines who.rules '-a always,exit -F arch=b64 -S chmod -F auid>=1000 -F auid!=unset -F exit=-EACCES -k p'
lines who2.rules '-a always,exit -F arch=b64 -S chmod -F auid>=2000 -F auid!=unset -F exit=-EACCES -k p'
differ who.rules who2.rules
auid=$(sed -n 's/^    who: auid=\([0-9]*\) .*/\1/p' out)
case $auid in
1[0-9][0-9][0-9]) ;;
*) fail "the witness has auid $auid, not 1000 to 1999" ;;
esac
out_has '^    result: failure, -EACCES$'
lines unset.rules '-a always,exit -F arch=b64 -S chmod -F auid>=1000 -F exit=-EACCES -k p'
differ who.rules unset.rules
out_has '^    who: auid=unset '

# Files.
lines watch.rules '-a always,exit -F arch=b64 -S open -F path=/etc/passwd -F perm=w -k p'
lines watch2.rules '-a always,exit -F arch=b64 -S open -F path=/etc/passwd -F perm=r -k p'
mkdir root/etc
differ watch.rules watch2.rules
out_has '^    file: /etc/passwd$'
out_has '^    call: x86_64 open \(2\) a1=0x1$'
lines tree.rules '-a always,exit -F arch=b64 -S open -F dir=/etc -F perm=w -k p'
differ watch.rules tree.rules
out_has '^    a file in the tree /etc$'
# -w where nobody knows whether it is a file or a directory
lines w1.rules '-w /opt/thing -p wa -k p'
lines w2.rules '-w /opt/thing -p wa -k q'
differ w1.rules w2.rules
out_has '^  old: recorded, key p$'
out_has '^  new: recorded, key q$'
alike w1.rules w1.rules

# A key that an earlier rule lends; control characters are not shown raw.
lines esc.rules "$(printf -- '-a always,exit -F arch=b64 -S chmod -k a\033b')"
auditopt diff lost.rules esc.rules
! grep -q "$(printf '\033')" out || fail 'an escape goes to the terminal'

# perm: calls that only some kernels count are not proved, and the reason is
# the kernel.
lines wa.rules '-a always,exit -F arch=b64 -S all -F path=/etc/passwd -F perm=wa -k p'
lines onlyw.rules '-a always,exit -F arch=b64 -S all -F path=/etc/passwd -F perm=w -k p'
differ wa.rules onlyw.rules
out_has '^system calls: .*chmod'
out_has '^not proved, .*: which perm they count under depends on the kernel$'

# never or nothing: at level 1 where such calls can log by themselves.
lines one.rules '-a always,exit -F arch=b64 -S getpid -k x'
lines never-chmod.rules '-a always,exit -F arch=b64 -S getpid -k x' \
	'-a never,exit -F arch=b64 -S chmod'
lines never-getppid.rules '-a always,exit -F arch=b64 -S getpid -k x' \
	'-a never,exit -F arch=b64 -S getppid'
for level in '' --level=1 --level=0 -O1; do
	# shellcheck disable=SC2086 # none or one
	differ one.rules never-chmod.rules $level
	out_has '^  new: not recorded: a never rule matches'
	out_has '^system calls: chmod$'
	# shellcheck disable=SC2086
	alike one.rules never-getppid.rules $level
done
alike one.rules never-chmod.rules --level=2
alike one.rules never-chmod.rules -O2
differ never-chmod.rules one.rules
# Nothing at all or a lone never: companions of what the kernel logs.
: >none.rules
lines lone.rules '-a never,exit -F arch=b64 -S getpid'
differ none.rules lone.rules
out_has 'no rule is loaded'
alike none.rules lone.rules --level=2
differ none.rules one.rules --level=2
# What a rule records is told first.
differ none.rules one.rules
[ "$(sed -n 3p out)" = '  new: recorded, key x' ] || fail 'records are not told first'

# The filters without calls.
lines ex1.rules '-a always,exclude -F msgtype=CWD'
lines ex2.rules '-a always,exclude -F msgtype=PATH'
differ ex1.rules ex2.rules
out_has '^the exclude filter$'
out_has '^  old: the record is dropped$'
out_has '^  new: the record is kept$'
out_has '^    a record of type 1307 \(CWD\)'
alike ex1.rules ex1.rules
lines ex3.rules '-a always,exclude -F msgtype=CWD -F uid=0'
differ ex1.rules ex3.rules
out_has ' uid=1000$'
lines user1.rules '-a never,user -F uid=0'
lines user2.rules '-a never,user -F uid>0'
differ user1.rules user2.rules
out_has '^the user filter$'
lines user3.rules '-a always,user -F uid=5'
differ user3.rules none.rules
out_has '^not proved, the user filter: '
lines task1.rules '-a never,task'
lines task2.rules '-a never,task -F uid=1000' '-a always,task -F uid=5'
differ task1.rules task2.rules --level=2
out_has '^the task filter$'
out_has '^  old: no call of the new process is audited$'
out_has '^    a fork by: .* uid=5'
lines fs1.rules '-a never,filesystem -F fstype=tracefs'
lines fs2.rules '-a never,filesystem -F fstype=debugfs'
differ fs1.rules fs2.rules
out_has '^    a file system with magic 0x74726163 \(tracefs\)$'

# io_uring.
lines ring1.rules '-a always,io_uring -S 18 -k x'
lines ring2.rules '-a always,io_uring -S 18 -k y'
differ ring1.rules ring2.rules --auditctl=4.0.2
out_has '^io_uring operations: 18$'
out_has '^    operation: io_uring 18$'
out_has '^  new: recorded, key y$'
alike ring1.rules ring1.rules --auditctl=4.0.2

# What auditopt makes of the examples is the same, at the level it was made for.
for file in first-look web-server workstation; do
	for level in 0 1 2; do
		# shellcheck disable=SC2086
		run 0 -q $fixed --root=root -O$level -o made.rules "$examples/$file.rules"
		alike "$examples/$file.rules" made.rules --level=$level
		awk '/^-a always/ && !cut { cut = 1; next } { print }' made.rules >cut.rules
		differ "$examples/$file.rules" cut.rules --level=$level
	done
done

# -e 0: no rule logs anything. The others change nothing as long as nothing is
# dropped: they are told, and that is all.
lines on.rules -D '-a always,exit -F arch=b64 -S chmod -k p' '-e 1'
lines off.rules -D '-a always,exit -F arch=b64 -S chmod -k p' '-e 0'
lines unsaid.rules -D '-a always,exit -F arch=b64 -S chmod -k p'
lines locked.rules -D '-a always,exit -F arch=b64 -S chmod -k p' '-e 2'
for given in on unsaid locked; do
	differ $given.rules off.rules
	out_has '^auditing as a whole$'
	out_has '^  new: off \(-e 0\): no rule logs anything$'
	out_has '^Not the same: -e\. The rules are: proved for [0-9]+ classes'
	out_lacks '^The same'
	differ off.rules $given.rules --level=2
	out_has '^  old: off \(-e 0\): no rule logs anything$'
	alike $given.rules $given.rules
	out_lacks '^They also differ'
done
differ off.rules a.rules
out_has '^They also differ in -e\.$'
out_has 'classes of calls [0-9]+ differs?,'
alike off.rules off.rules
alike on.rules locked.rules
out_has '^They also differ in these commands'
out_has '^  -e: old: 1, new: 2$'
alike unsaid.rules on.rules -q
out_has '^  -e: old: not given, new: 1$'
control() {
	lines with.rules "$1" '-a always,exit -F arch=b64 -S chmod -k p'
	lines without.rules '-a always,exit -F arch=b64 -S chmod -k p'
	alike without.rules with.rules
	out_has "^  $2\$"
	[ "$(grep -c '^  -' out)" = 1 ] || fail "$1: more than $2"
	alike with.rules with.rules
	out_lacks '^  -'
}
control -D '-D: old: not given, new: given'
control '-b 8192' '-b: old: not given, new: 8192'
control '-f 2' '-f: old: not given, new: 2'
control '-r 100' '-r: old: not given, new: 100'
control '--backlog_wait_time 0' '--backlog_wait_time: old: not given, new: 0'
control --loginuid-immutable '--loginuid-immutable: old: not given, new: given'
control -i '-i: old: not given, new: given'
control -c '-c: old: not given, new: given'
control -t '-t: old: not given, new: given'
control '-m hello' '-m: old: not given, new: hello'
control '--signal USR1' '--signal: old: not given, new: USR1'
control --reset-lost '--reset-lost: old: not given, new: given'
# no tree is there that it could add to
control '-q /srv/a,/opt' '-q: old: not given, new: /srv/a,/opt'

# -q adds to the trees that are there when it comes; rules share them by path.
chmod='-a always,exit -F arch=b64 -S chmod -F dir=/srv -k p'
chown='-a always,exit -F arch=b64 -S chown -F dir=/srv -k p'
both='-a always,exit -F arch=b64 -S chmod,chown -F dir=/srv -k p'
other='-a always,exit -F arch=b64 -S chown -F dir=/opt -k p'
lines q0.rules "$chmod"
lines q1.rules "$chmod" '-q /srv/a,/mnt'
lines q2.rules '-q /srv/a,/mnt' "$chmod"
lines q3.rules "$chmod" '-q /srv/a,/home'
differ q0.rules q1.rules
out_has '^the tree /srv$'
out_has '^  old: no such -q after it was made$'
out_has '^  new: -q /srv/a,/mnt adds to it'
out_has '^Not the same: -q\. The rules are: proved'
differ q1.rules q0.rules
out_has '^  old: -q /srv/a,/mnt adds to it'
differ q1.rules q2.rules
out_lacks '^They also differ'
differ q2.rules q1.rules
differ q1.rules q3.rules
[ "$(grep -c '^the tree /srv$' out)" = 2 ] || fail 'two -q are not told'
alike q0.rules q2.rules
alike q2.rules q0.rules
alike q1.rules q1.rules
lines q4.rules "$chmod" '-q /srv/a,/mnt' '-q /srv/b,/home'
lines q5.rules "$chmod" '-q /srv/b,/home' '-q /srv/a,/mnt'
alike q4.rules q5.rules # the order of two is of no matter
differ q1.rules q4.rules
lines q6.rules "$chmod" '-q /srv/a,/mnt' "$chown"
lines q7.rules "$both" '-q /srv/a,/mnt'
alike q6.rules q7.rules # the second rule finds the tree of the first
alike q7.rules q6.rules
lines q8.rules "$chmod" '-q /srv/a,/mnt' "$other"
lines q9.rules "$chmod" "$other" '-q /srv/a,/mnt'
differ q8.rules q9.rules
out_has '^the tree /opt$'
out_lacks '^the tree /srv$'
differ q9.rules q8.rules
# a watch may be a tree, a path is none
lines qw0.rules '-w /no/such -p wa -k p'
lines qw1.rules '-w /no/such -p wa -k p' '-q /no/such/a,/mnt'
differ qw0.rules qw1.rules
lines qp0.rules '-a always,exit -F arch=b64 -S chmod -F path=/etc/passwd -k p'
lines qp1.rules '-a always,exit -F arch=b64 -S chmod -F path=/etc/passwd -k p' \
	'-q /etc,/mnt'
alike qp0.rules qp1.rules
# other rules as well
differ q1.rules a.rules
lines q10.rules "$chmod" "$other"
differ q1.rules q10.rules
out_has '^They also differ in -q\.$'
# what is deleted may have made the tree
lines qd.rules "$chmod" '-q /srv/a,/mnt' "$both" \
	"$(printf '%s' "$chmod" | sed 's/^-a/-d/')"
differ qd.rules qd.rules
out_has '^not proved: rules are deleted behind a -q'
out_has '^Not proved to be the same: -q\.'

# What auditopt makes of rules has -q and the rest where they were.
lines keeps.rules -D '-b 100' "$chmod" "$chown" '-q /srv/a,/mnt' "$other" \
	'-a always,exit -F arch=b64 -S fchown -F dir=/opt -k p' \
	'-q /opt/a,/home' "$both" '-w /srv/ -p wa -k late' '-f 2' '-e 0'
for level in 0 1 2; do
	# shellcheck disable=SC2086
	run 0 -q $fixed --root=root -O$level -o made.rules keeps.rules
	alike keeps.rules made.rules --level=$level
	out_lacks '^They also differ'
	awk '/^-q/ { q = q "\n" $0; next } { print } END { print substr(q, 2) }' \
		made.rules >moved.rules
	differ keeps.rules moved.rules --level=$level
	sed '/^-q .opt/d' made.rules >moved.rules
	differ keeps.rules moved.rules --level=$level
done

# Directories, standard input.
mkdir d e
cp a.rules d/10.rules
head -n 1 a.rules >e/10.rules
tail -n 1 a.rules >e/20.rules
alike d e
alike d a.rules
cp key.rules e/20.rules
differ d e
out_has 'decided by e/20\.rules:3: '
"$AUDITOPT" diff - key.rules <a.rules >out 2>err
[ $? = 1 ] || fail 'diff - FILE'
out_has 'decided by .*:2: .*-S fchmod'
"$AUDITOPT" diff a.rules - <b.rules >out 2>err || fail 'diff FILE -'

# Many differences: the first, and how many more.
i=0
while [ $i -lt 40 ]; do
	echo "-a always,exit -F arch=b64 -S $((i * 3)) -k old$i" >&3
	echo "-a always,exit -F arch=b64 -S $((i * 3)) -k new$i" >&4
	i=$((i + 1))
done 3>many1.rules 4>many2.rules
differ many1.rules many2.rules
shown=$(grep -c '^  as in$' out)
more=$(sed -n 's/^and \([0-9]*\) more differences (-v shows them all)$/\1/p' out)
[ "$shown" -gt 0 ] || fail 'none of 40 shown'
[ "$shown" -lt 40 ] || fail "$shown of 40 shown"
[ "$((shown + ${more:-0}))" = 40 ] || fail "$shown shown and '$more' more"
differ many1.rules many2.rules -v
[ "$(grep -c '^  as in$' out)" = 40 ] || fail '-v does not show all'

# Calls that collect no names of files: rules that ask for one do not match.
lines named.rules '-a always,exit -F arch=b64 -S openat -F dir=/etc -k tree' \
	'-a always,exit -F arch=b64 -S chmod -k p'
lines nameless.rules \
	'-a always,exit -F arch=b64 -S openat,getppid,umask -F dir=/etc -k tree' \
	'-a always,exit -F arch=b64 -S chmod -k p'
alike named.rules nameless.rules
differ a.rules nameless.rules
out_has '^    call: x86_64 openat \(257\)$'
out_lacks 'call: x86_64 (getppid|umask)'
lines label.rules '-a always,exit -F arch=b64 -S getppid -F filetype!=file -k t' \
	'-a always,exit -F arch=b64 -S chmod,fchmod -k p'
differ a.rules label.rules
out_has '^    call: x86_64 getppid \(110\)$'
out_lacks '^    (file|directory|a file in)'

# --listing: one of the two may be none.
lines rules.listing '-a always,exit -F arch=b64 -S chmod -F key=p' \
	'-a always,exit -F arch=b64 -S fchmod -F key=p'
lines empty.listing 'No rules'
lines q.listing '-a always,exit -F arch=b64 -S chmod -F dir=/srv -F key=p'
{ echo '-b 8192' && cat a.rules && echo '-e 2'; } >locked-a.rules
for given in 'a.rules rules.listing' 'rules.listing a.rules' \
	'rules.listing rules.listing'; do
	# shellcheck disable=SC2086
	run 0 diff --listing $given
	[ -s err ] && fail "--listing $given: $(cat err)"
done
# a listing holds rules alone
# shellcheck disable=SC2086
run 0 diff --listing $fixed rules.listing locked-a.rules
out_lacks '^They also differ'
# shellcheck disable=SC2086
run 1 diff --listing $fixed --root=root q.listing q1.rules
out_has '^not proved: auditctl -l does not tell'
run 1 diff --listing empty.listing a.rules
[ -s err ] && fail "--listing empty.listing: $(cat err)"
run 0 diff --listing b.rules b.rules
err_has 'warning: --listing: neither of the two .*\[no-listing\]$'
run 0 diff --listing -q b.rules b.rules
[ -s err ] && fail "--listing -q: $(cat err)"

# -o, and what is wrong.
run 1 diff -o result a.rules key.rules
grep -q '^  new: recorded, key other$' result || fail '-o'
[ -s out ] && fail 'output besides -o'
run 3 diff a.rules no-such-file
err_has 'no-such-file: No such file'
run 3 diff nosuchword a.rules
err_has 'nosuchword: No such file'
run 3 diff no-1 no-2
err_has 'no-1'
err_has 'no-2'
echo '-a always,exit -S nonsense' >bad.rules
run 3 diff a.rules bad.rules
err_has 'bad\.rules:1:'
run 1 diff --keep-going a.rules bad.rules
run 2 diff a.rules
err_has 'two files or directories are wanted'
run 2 diff a.rules b.rules key.rules
run 2 diff - -
run 2 diff --level=3 a.rules b.rules
run 2 diff --in-place a.rules b.rules

finish
