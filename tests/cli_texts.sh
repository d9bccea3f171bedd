#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What the texts say is true: heads, comments, the report's words, advice.
. "${AUDITOPT_SRCDIR:?}/tests/lib/cli.sh"

# What errors cost is told in the head, where it stood, and in both reports.
cat >faulty.rules <<'EOF'
-a always,exit -F arch=b64 -S chmod,no_such_call,stime -k perm
-a always,exit -F arch=b64 -S mount -k mount
-a always,exit -F arch=b64 -F nothing=1 -k none
EOF
run 0 --machine=x86_64 --keep-going faulty.rules
out_has '^# 1 line and 2 calls left out because of errors'
out_has 'the proof are of the rest\.$'
out_has '^# left out of faulty\.rules:1: "no_such_call" is no system call of x86_64'
out_has '^# no_such_call, stime$'
tr -d '\n#' <out >text
grep -q 'leave stime out of the rules for' text || fail "the second call's advice is lost"
err_has '^  1 line and 2 calls left out because of errors; the figures and the proof'
run 0 --machine=x86_64 --keep-going --report=- --report-format=json -o /dev/null faulty.rules
tr -d ' \n' <out >text
grep -q '"left_out":{"lines":1,"calls":2}' text || fail "no left_out in the JSON"
run 0 cost --machine=x86_64 --keep-going faulty.rules
out_has '^  1 line and 2 calls left out because of errors; the figures are of'
sed -n 2p faulty.rules >good.rules
run 0 --machine=x86_64 --keep-going good.rules
out_lacks 'left out'

# A call that the linked library is too old for is no call that is not there.
echo '-a always,exit -F arch=b64 -S fchmodat2,chmod' >young.rules
run 0 --machine=x86_64 --keep-going young.rules
if grep -q 'left out' out; then
	tr -d '\n#' <out >text
	grep -q 'does not know the system call fchmodat2 yet *(it is call 452: write the number)' text ||
		fail "fchmodat2 is said to be no call"
fi

# A tab in front of the first option is what is wrong with the line.
printf '\t-a always,exit -F arch=b64 -S chmod\n\t-w /etc/passwd -p wa\n \t -w /etc/group -k x\n' >tab.rules
run 3 --machine=x86_64 tab.rules
err_has 'tab.rules:1:1: error: a tab stands before -a: .*\[tab\]$'
err_has 'begin the line with -a, without the tab'
err_has 'tab.rules:2:1: error: a tab stands before -w: .*\[tab\]$'
err_has 'begin the line without the tab'
! grep -q 'needs -a\|needs a watch\|empty the line' err || fail "the tab is not named"

# Rules that are gone are listed, and the second run has nothing to list.
cat >gone.rules <<'EOF'
-a always,exit -F arch=b64 -S chmod -k a
-a always,exit -F arch=b64 -S chmod -F uid=5 -k b
-a always,exit -F arch=b64 -S ptrace -F uid<5 -F uid>9 -k c
EOF
run 0 -q --machine=x86_64 gone.rules
out_has '^# dropped: gone\.rules:2: shadowed by line 1$'
out_has '^# dropped: gone\.rules:3: no call can satisfy'
cp out once.rules
rules_of once.rules >wanted
run 0 -q --machine=x86_64 once.rules
out_lacks '^# dropped'
rules_of out >got
same wanted got "the comments change a second run"
run 0 -q --no-comments --machine=x86_64 gone.rules
same wanted out "comments in spite of --no-comments"

# Lines of a file that is replaced are those of the old file.
cp gone.rules place.rules
run 0 -q --machine=x86_64 --in-place place.rules
cp place.rules out
out_has '^# Rewritten in place'
out_has '^# line 1 of the old file$'
out_has '^# dropped: line 2 of the old file: shadowed by line 1$'
out_lacks 'place\.rules'
cp gone.rules place.rules
run 0 -q --machine=x86_64 -o place.rules place.rules
cp place.rules out
out_has '^# Rewritten in place'

# --backup keeps it, under either name, and comes to rest.
cp gone.rules place.rules
chmod 604 place.rules
run 0 -q --machine=x86_64 --in-place --backup place.rules
same gone.rules place.rules~ "--backup keeps something else"
[ "$(stat -c %a place.rules~)" = 604 ] || fail "the backup has another mode"
cp place.rules first.rules
run 0 -q --machine=x86_64 --in-place --backup=orig place.rules
same first.rules place.rules.orig "--backup=orig keeps something else"
same gone.rules place.rules~ "--backup=orig touches the other backup"
cp good.rules there.rules
run 0 -q --machine=x86_64 -o there.rules --backup gone.rules
same good.rules there.rules~ "-o --backup keeps something else"
run 0 -q --machine=x86_64 -o new.rules --backup gone.rules
[ ! -e new.rules~ ] || fail "a backup of nothing"
# as a run leaves it that is stopped between the two steps
cp gone.rules half.rules
ln half.rules half.rules~
run 0 -q --machine=x86_64 --in-place --backup half.rules
same gone.rules half.rules~ "a half-done backup is lost"
ln -s place.rules link.rules
cp gone.rules place.rules
run 0 -q --machine=x86_64 --in-place --backup link.rules
same gone.rules place.rules~ "the backup of a link"
[ -L link.rules ] || fail "the link was replaced"
cp gone.rules place.rules
mkdir place.rules.dir
run 4 -q --machine=x86_64 --in-place --backup=dir place.rules
same gone.rules place.rules "no backup, and the file was replaced all the same"
for file in .[!.]*; do
	[ ! -e "$file" ] || fail "left over: $file"
done
wrong() {
	run 2 "$@"
	[ "$(wc -l <err)" = 2 ] || fail "auditopt $*: not two lines of complaint"
}
wrong --backup place.rules
wrong --backup -o - place.rules
wrong --in-place --backup= place.rules
wrong --in-place --backup=a/b place.rules
wrong --in-place --backup=rules place.rules
wrong --in-place --backup=old.rules place.rules
wrong --in-place --backup=txt --report=place.rules.txt place.rules
err_has 'the backup would overwrite place.rules.txt'
wrong cost --report=x place.rules
err_has -- '--report is an option of other commands'
wrong dump --report-format=json place.rules

# Calls that get dearer are told, and counted right.
cat >dearer.rules <<'EOF'
-a always,exit -F arch=b64 -S getpid -F uid=1 -k a
-a always,exit -F arch=b64 -S getppid -F uid=2 -k b
-a always,exit -F arch=b64 -S read -F exit=-13 -k c
-a always,exit -F arch=b64 -S write -F exit=-13 -k d
EOF
for level in 0 1 2; do
	run 0 -O$level --machine=x86_64 --report=report --report-format=json -o /dev/null dearer.rules
	run 0 -O$level --machine=x86_64 -o /dev/null dearer.rules
	if grep -q '"dearer": null' report; then
		! grep -q ' dearer (by at most' err || fail "-O$level: dearer calls in the text alone"
	else
		err_has '^  [0-9]+ kinds? of calls? gets? dearer \(by at most [0-9]+ instructions\), the worst: b'
	fi
done
run 0 -O0 --machine=x86_64 -o /dev/null dearer.rules
! grep -q ' dearer (by at most' err || fail "-O0 makes calls dearer"

# --abi=native: no row, no name and no mean of the other ABI; offered if not said.
i=0
while [ $i -lt 30 ]; do
	echo "-w /etc/file-$i -p wa -k k$i"
	echo "-a always,exit -F arch=b32 -S all -F auid=$i -k k"
	i=$((i + 1))
done >both.rules
run 0 --machine=x86_64 --root="$work" -o /dev/null both.rules
err_has '^  --abi=native: another [0-9]+ % over all calls, .* on b64 '
err_has 'calls of i386 programs'
run 0 --machine=x86_64 --root="$work" --abi=native -v -o /dev/null both.rules
! grep -q '^ *b32 \|--abi=native: another' err || fail "--abi=native tells of b32"
run 0 --machine=x86_64 --root="$work" --abi=native --report=- --report-format=json -o /dev/null both.rules
out_lacks '"abi": "i386"'
run 0 cost --machine=x86_64 --root="$work" --abi=native both.rules
out_lacks '^ *b32 '
run 0 cost --machine=x86_64 --root="$work" both.rules
out_has '^ *b32 '

# diff: what differs at level 1 alone is said to.
run 0 -q -O2 --machine=x86_64 -o new.rules both.rules --root="$work"
cat >logged.rules <<'EOF'
-a always,exit -F arch=b64 -S mount -k m
EOF
(echo '-a never,exit -F arch=b64 -S openat' && cat logged.rules) >ended.rules
run 1 diff --machine=x86_64 --lsm=selinux logged.rules ended.rules
out_has '^At level 2 they are the same \(--level=2\)'
run 1 diff --machine=x86_64 --lsm=selinux logged.rules dearer.rules
out_lacks '^At level 2'
run 0 diff --machine=x86_64 --level=2 logged.rules ended.rules
out_lacks '^At level 2'

# Who only reads writes nothing, and so does not say it.
for command in cost dump 'explain -S open' 'diff good.rules'; do
	# shellcheck disable=SC2086
	run 3 $command no-such.rules
	! grep -q 'nothing was written' err || fail "$command: nothing was to be written"
done

# Auditing off.
(cat good.rules && echo '-e 0') >off.rules
run 0 --machine=x86_64 off.rules
err_has 'off.rules:2:1: warning: -e 0 turns auditing off'
(cat good.rules && echo '-e 1') >on.rules
run 0 --machine=x86_64 on.rules
! grep -q 'auditing off' err || fail "-e 1 is warned of"

# A file's rule keeps its order.
echo '-a always,exit -F path=/usr/bin/x -F perm=x -F auid!=unset -k x' >path.rules
run 0 -q --no-comments --machine=x86_64 --auditctl=3.0.9 path.rules
out_has '^-a always,exit -S all -F path=/usr/bin/x -p x -F auid!=unset -k x$'

# Scripts tell what they are for, and do nothing else then.
for script in contrib/mix-profiles.sh contrib/record-profile.sh; do
	sh "$AUDITOPT_SRCDIR/$script" -h >out 2>err || fail "$script -h: status $?"
	out_has "^  $script"
	out_lacks 'set -eu'
done

finish
