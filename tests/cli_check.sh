#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# auditopt check: findings as text, JSON and SARIF, what is wanted of them,
# comments that take them back, exit status, manual page, pre-commit hook.
. "${AUDITOPT_SRCDIR:?}/tests/lib/cli.sh"

mkdir root root/etc root/etc/sudoers.d
: >root/etc/passwd
fixed='--machine=x86_64 --auditctl=3.0.9 --root=root'

# check STATUS ARGUMENT...: findings of what does not depend on this machine.
check() {
	wanted=$1
	shift
	# shellcheck disable=SC2086 # words
	run "$wanted" check $fixed "$@"
}

lines() {
	file=$1
	shift
	printf '%s\n' "$@" >"$file"
}

# Exit status: errors by default, or what --fail-on says.
lines none.rules '-D' '-b 8192' '-a always,exit -F path=/etc/passwd -F perm=wa -k i'
lines note.rules '-w /etc/passwd -p wa -k identity'
lines warning.rules '-a always,exit -F arch=b64 -S chmod -F auid>=1000 -k p' \
	'-a always,exit -F arch=b32 -S chmod -F auid>=1000 -k p'
lines error.rules '-w /etc/passwd -p wa' '-w /etc/passwd -p wa'
check 0 --fail-on=note none.rules
[ ! -s out ] || fail 'findings in none.rules'
err_has '^auditopt: no findings$'
check 0 note.rules
check 0 --fail-on=warning note.rules
check 1 --fail-on=note note.rules
check 0 --fail-on=never error.rules
check 0 warning.rules
check 1 --fail-on=warning warning.rules
err_has '^auditopt: [0-9]+ warnings?'
check 1 error.rules
check 1 --fail-on=error error.rules
out_has '^error\.rules:2:1: error: .*\[duplicate-rule\]$'
out_has 'auditctl stops here$'
out_has '^error\.rules:1:1: note: first added here$'
check 1 -q error.rules
[ ! -s err ] || fail '-q says something'
check 3 no-such-file.rules
err_has 'cannot read no-such-file.rules'
check 0 -
check 2 --fail-on=fatal note.rules
check 2 --format=xml note.rules
check 2 --disable=nonsense note.rules
check 2 --disable=late-nevre note.rules
err_has "did you mean 'late-never'"
check 2 --keep-going note.rules
err_has 'option of other commands'
run 2 --fail-on=note note.rules
check 4 -o /dev/full note.rules

# What is told.
check 0 --severity=warning note.rules
[ ! -s out ] || fail '--severity=warning tells a note'
check 0 --fail-on=note --severity=warning note.rules
check 0 --disable=missing-unset-test warning.rules
out_lacks 'missing-unset-test'
check 0 --disable=missing-unset-test,watch-form --disable=late-never warning.rules
check 0 --enable=watch-form warning.rules
out_lacks 'missing-unset-test'
check 0 --enable=watch-form note.rules
out_has 'watch-form'
check 0 -o told.txt note.rules
[ ! -s out ] || fail '-o: something on standard output'
grep -q 'watch-form' told.txt || fail '-o: the finding is not in the file'
check 0 --color=always note.rules
grep -q "$(printf '\033')" out || fail 'no colour'

# Twins, and what says that there are none.
lines b64.rules '-a always,exit -F arch=b64 -S mount -k mounts'
check 0 b64.rules
out_has 'no rule has the same calls of arch=b32 \(mount\)'
check 0 --abi=native b64.rules
out_lacks 'missing-abi-twin'
lines b32.rules '-a always,exit -F arch=b32 -S mount -k mounts'
check 0 b32.rules
out_has 'no rule has the same calls of arch=b64 \(mount\)'
check 0 --machine=i386 b32.rules
out_lacks 'missing-abi-twin'

# Comments.
lines next.rules '# auditopt-check: disable=watch-form,path-absent an agent' \
	'# more words' '' '-w /etc/agent -p wa' '-w /etc/other -p wa'
check 0 next.rules
out_lacks '^next\.rules:4:'
out_has '^next\.rules:5:1: .*watch-form'
out_has '^next\.rules:5:4: .*path-absent'
lines block.rules '# auditopt-check: disable-block=watch-form' \
	'-w /etc/passwd -p wa' '-w /etc/group -p wa' '' '-w /etc/sudoers.d -p wa'
check 0 --enable=watch-form block.rules
out_lacks '^block\.rules:[23]:'
out_has '^block\.rules:5:'
lines file.rules '-w /etc/passwd -p wa' '' '-w /etc/sudoers.d -p wa' \
	'   # auditopt-check: disable-file=watch-form'
check 0 --enable=watch-form file.rules
[ ! -s out ] || fail 'disable-file= disables nothing'
lines unused.rules '# auditopt-check: disable=late-never,watch-form x' \
	'-w /etc/passwd -p wa'
check 0 unused.rules
out_has '^unused\.rules:1:27: note: .*"late-never".*\[unused-suppression\]$'
out_lacks '"watch-form"'
lines host.rules '# auditopt-check: disable=path-absent' '-w /etc/passwd -p wa'
check 0 host.rules
out_lacks 'unused-suppression'
lines bad.rules '# auditopt-check: disable=wach-form' \
	'# auditopt-check: ignore=watch-form' '-w /etc/passwd -p wa'
check 1 --fail-on=warning bad.rules
out_has '^bad\.rules:1:27: warning: .*\[bad-suppression\]$'
out_has 'did you mean "watch-form"'
out_has '^bad\.rules:2:19: warning: .*\[bad-suppression\]$'
# A directory, whose comments augenrules drops.
mkdir rules.d
lines rules.d/10-a.rules '# auditopt-check: disable=watch-form' \
	'-w /etc/passwd -p wa' '-w /etc/sudoers.d -p wa'
lines rules.d/20-b.rules '# auditopt-check: disable=watch-form,late-never' \
	'-w /etc/group -p wa'
check 0 --disable=path-absent rules.d
out_has '^rules\.d/10-a\.rules:3:1: note: .*\[watch-form\]$'
out_lacks '^rules\.d/(10-a|20-b)\.rules:2'
out_has '^rules\.d/20-b\.rules:1:38: note: there is no finding "late-never"'
lines rules.d/30-c.rules '# auditopt-check: disable=wach-form' '-w /etc/passwd -p wa -k c'
check 0 --disable=path-absent rules.d
out_has '^rules\.d/30-c\.rules:1:27: warning: .*\[bad-suppression\]$'
check 0 --format=json rules.d
tr -d '\n ' <out >joined
grep -q '"id":"unused-suppression","severity":"note","message":"[^}]*","file":"rules.d/20-b.rules","line":1,"column":38,' joined ||
	fail 'a comment that is dropped by the merge has no place in JSON'
check 0 --format=sarif rules.d
tr -d '\n ' <out >joined
grep -q '"ruleId":"bad-suppression",[^}]*"message":{[^}]*},"locations":\[{"physicalLocation":{"artifactLocation":{"uri":"rules.d/30-c.rules","uriBaseId":"[^"]*"},"region":{"startLine":1,' joined ||
	fail 'a comment that is dropped by the merge has no place in SARIF'
rm rules.d/30-c.rules

# A directory that is missing stops the load where it is known to be missing: below
# --root, and not where -i or -c goes on. Here it may be another host's.
mkdir -p host/etc host/closed/in
: >host/etc/passwd
lines missing.rules '-w /etc/new -p wa' '-w /no-such-dir/x -p wa' '-w /etc/passwd -p wa'
run 1 check --root=host missing.rules
out_has '^missing\.rules:2:4: error: .*/no-such-dir/x \[path-missing\]$'
out_has 'auditctl stops here and never loads the line after it'
out_lacks '/etc/new .path-missing'
lines going.rules -c '-w /no-such-dir/x -p wa'
run 0 check --root=host going.rules
out_has '^going\.rules:2:4: warning: .*\[path-missing\]$'
run 0 check missing.rules
out_has '^missing\.rules:2:4: warning: .*\[path-missing\]$'
out_has 'while it is missing, auditctl stops at the rule'
lines below.rules '-w /etc/passwd/x -p wa' '-w /etc -p wa' '-a always,exit -F arch=b64 -S open -F dir=/etc/gone -k d'
run 1 check --root=host --enable=path-missing below.rules
out_has 'missing here: /etc/passwd/x, /etc/gone \[path-missing\]$'
# An arch that the machine lacks is no misspelling.
lines b64.rules '-a always,exit -F arch=b64 -S open -k k'
run 1 check --machine=i386 b64.rules
out_has '^ *= leave the rule out: that machine has no such calls$'
out_lacks 'did you mean'
lines b46.rules '-a always,exit -F arch=b46 -S open -k k'
run 1 check --machine=i386 b46.rules
out_has 'did you mean b(32|64)\?'

# Neither links in a circle nor names that are too long lead to anything.
ln -s loop host/loop
long=$(printf '%0300d' 0)
lines circle.rules '-w /loop/x -p wa'
lines tree.rules '-a always,exit -F arch=b64 -S open -F dir=/loop/y -k d'
lines long.rules "-w /$long/x -p wa"
for name in circle tree long; do
	run 1 check --root=host $name.rules
	out_has "^$name\\.rules:1:[0-9]+: error: .*\\[path-missing\\]\$"
done
# What may not be looked at is not missing.
chmod 0 host/closed
lines closed.rules '-w /closed/in/x -p wa'
if [ "$(id -u)" != 0 ]; then
	run 0 check --root=host closed.rules
	out_lacks 'path-(missing|absent)'
elif command -v setpriv >/dev/null 2>&1; then
	chmod 755 .
	setpriv --reuid=65534 --clear-groups --inh-caps=-all "$AUDITOPT" check --root=host closed.rules >out 2>err
	out_lacks 'path-(missing|absent)'
	out_has 'watch-form'
fi
chmod 755 host/closed

# The same finding on many lines is one, with all lines.
lines many.rules '-w /etc/passwd -p wa -k a' '-w /etc/group -p wa -k b' \
	'-w /etc/shadow -p wa -k c'
check 0 --enable=watch-form many.rules
[ "$(grep -c 'watch-form' out)" = 1 ] || fail 'watches are not told as one'
out_has 'and the like in 2 more lines'
out_has 'see also many\.rules:2, 3$'

run 0 check --help
awk 'length > 80' out | grep -q . && fail '--help has long lines'
for s in 0 1 2 3 4; do out_has "^  $s  "; done
[ -s err ] && fail '--help writes to standard error'

# Explanations, and the manual page that has the same.
run 0 check --explain=late-never
out_has '^late-never \(warning\): '
out_has '^For example:$'
cp out explained
run 0 check --help=late-never
same explained out '--help=ID and --explain=ID differ'
run 2 check --explain=late-nevre
err_has "did you mean 'late-never'"
run 0 check --explain=list
[ "$(wc -l <out)" -gt 80 ] || fail '--explain=list is too short'
LC_ALL=C sort -c out || fail '--explain=list is not in order'
cut -d ' ' -f 1 out >listed
manual=$AUDITOPT_SRCDIR/man/auditopt-check.8
printer=$(dirname "$AUDITOPT")/tests/manual
if [ -x "$printer" ]; then
	"$printer" >printed
	sed -n '/^\.\\" Begin of what tests/,/^\.\\" End of what tests/p' \
		"$manual" | sed '1d;$d' >in-manual
	same printed in-manual 'man/auditopt-check.8 is old: make manual'
else
	echo 'tests/manual was not built: the manual page was not compared'
fi
# Every identifier that the program has in its source is explained.
for source in "$AUDITOPT_SRCDIR"/src/frontend/*.c \
	"$AUDITOPT_SRCDIR"/src/check/*.c; do
	tr '\n\t' '  ' <"$source" | grep -oE \
		'(DIAG_(NOTE|WARNING|ERROR|FATAL), *|builder_(fault|fault_part|warn)\( *b, *|->id = *)"[a-z]+(-[a-z]+)*"' |
		grep -oE '"[a-z-]+"$' | tr -d '"'
done | sort -u >used
[ "$(wc -l <used)" -gt 60 ] || fail 'identifiers were not found in the source'
run 0 check --explain=list
while read -r id; do
	grep -q "^$id " out || fail "$id is not explained"
done <used

# Examples of commands show what they are for; the others are run by
# tests/check_catalogue.c.
examples_run=0
while read -r id; do
	"$AUDITOPT" check --explain="$id" |
		sed -n '/^For example:$/,/^Better:$/s/^    \$ //p' >commands
	[ -s commands ] || continue
	examples_run=$((examples_run + 1))
	mkdir example
	(
		cd example || exit 1
		PATH=$(dirname "$AUDITOPT"):$PATH
		export PATH
		sh ../commands
	) >out 2>&1 </dev/null
	grep -q "\[$id\]$" out || {
		fail "the example of $id does not show it"
		head -n 5 out
	}
	rm -rf example
done <listed
[ "$examples_run" -ge 13 ] || fail "only $examples_run examples of commands"

# Programs.
check 1 --format=json error.rules
cp out first.json
check 1 --format=json error.rules
same first.json out 'JSON differs from run to run'
check 1 --format=sarif error.rules
cp out first.sarif
check 1 --format=sarif error.rules
same first.sarif out 'SARIF differs from run to run'

# Fingerprints stay when lines come before.
{ echo '# a comment'; cat error.rules; } >moved
mkdir moved.d
cp error.rules moved.d/a.rules
check 1 --format=json --enable=duplicate-rule moved.d/a.rules
grep fingerprint out >before
cp moved moved.d/a.rules
check 1 --format=json --enable=duplicate-rule moved.d/a.rules
grep fingerprint out >after
same before after 'a fingerprint changes with the number of its line'

if command -v python3 >/dev/null 2>&1; then
	lines 'odd name%.rules' "$(printf -- '-w /etc/p\303\244th -p wa -k \377\t')" \
		"$(printf -- '-a always,exit -F arch=b64 -S ch\303\244')" '-b 1' \
		"$(printf 'caf\303\251 -D')"
	lines twice.rules '-a always,exit -F arch=b64 -S nosuch1,nosuch2'
	python3 "$AUDITOPT_SRCDIR/tests/sarif.py" "$AUDITOPT" \
		error.rules note.rules none.rules warning.rules rules.d \
		next.rules many.rules twice.rules 'odd name%.rules' \
		"$work/warning.rules" >python.out 2>&1 ||
		{ fail 'JSON or SARIF'; head -n 20 python.out; }
	grep '^note:' python.out
else
	echo 'python3 is missing: JSON and SARIF were not read'
fi

# The hook for pre-commit.
hooks=$AUDITOPT_SRCDIR/.pre-commit-hooks.yaml
for line in '- id: auditopt-check' '  entry: auditopt check' \
	'  language: system'; do
	grep -qxFe "$line" "$hooks" || fail ".pre-commit-hooks.yaml lacks $line"
done
grep -qE '^  name: .+' "$hooks" || fail '.pre-commit-hooks.yaml lacks a name'
files=$(sed -n 's/^  files: //p' "$hooks")
for path in audit.rules etc/audit/rules.d/10-base.rules auditd/web.rules; do
	echo "$path" | grep -qEe "$files" || fail ".pre-commit-hooks.yaml is not for $path"
done
for path in etc/udev/rules.d/60-disk.rules firewall.rules audit.rules.md; do
	! echo "$path" | grep -qEe "$files" || fail ".pre-commit-hooks.yaml is for $path"
done

# The cases and sets beside the tree.
if [ -d "$shared/cases" ]; then
	# case_is FILE PATTERN...: a finding for each.
	case_is() {
		name=$1
		shift
		auditopt check --machine=x86_64 --auditctl=3.0.9 --root=root \
			"$shared/cases/$name"
		for pattern; do
			out_has "$pattern"
		done
	}
	case_is 01-exact-duplicate.rules ':7:1: error: .*duplicate-rule' ':5:1: note: first'
	case_is 02-tab-line.rules ':3:1: error: .*\[tab\]' 'empty the line'
	case_is 03-call-missing-on-abi.rules 'umount.*unknown-syscall' 'stime.*unknown-syscall'
	case_is 04-unknown-user.rules 'chronyd.*unknown-user'
	case_is 05-abi-catch-all-first.rules ':5:1: .*rules:4 decides.*shadowed-rule' \
		':7:1: .*rules:4 decides.*shadowed-rule'
	case_is 06-no-arch.rules 'remap_file_pages.*missing-arch'
	case_is 07-late-never.rules ':3:1: warning: .*late-never'
	case_is 08-task-never.rules ':3:1: warning: .*task-never'
	case_is 10-perm-and-call.rules 'perm-adds-calls'
	case_is 11-after-lock.rules ':4:1: error: .*after-lock'
	case_is 09-pairs.rules
	out_lacks '(warning|error):'
	# What public sets were found to have, each read by eye and right.
	mkdir -p tree/etc/pam.d tree/etc/systemd/system-generators \
		tree/etc/systemd/user-generators \
		tree/usr/lib/systemd/system-generators
	: >tree/etc/pam.d/common-password
	while read -r name wanted; do
		auditopt check -q --machine=x86_64 --auditctl=3.0.9 --root=tree \
			--fail-on=never "--enable=shadowed-rule,partly-shadowed,redundant-rule,late-never,useless-never,unsatisfiable-rule,missing-unset-test,missing-abi-twin,abi-twin-differs,nested-path,backlog-small,version-dependent" \
			"$shared/corpus/$name.rules"
		told=$(grep -oE '\[[a-z-]+\]$' out | tr -d '[]' | sort | uniq -c |
			awk '{ printf "%s%s=%s", sep, $2, $1; sep = " " }')
		[ "$told" = "$wanted" ] ||
			fail "$name.rules: found are $told, not $wanted"
	done <<-EOF
		bfuzzy-attack missing-abi-twin=1 nested-path=1 redundant-rule=6
		gnxsecurity partly-shadowed=2 redundant-rule=2
		neo23x0 nested-path=3 partly-shadowed=1
		rhel7-stig-template missing-abi-twin=1 shadowed-rule=3
		sekoia missing-abi-twin=1 nested-path=3 partly-shadowed=1
		so-stig missing-abi-twin=1
		userspace-20-dont-audit
		userspace-21-no32bit
		userspace-22-ignore-chrony
		userspace-30-ospp-v42
		userspace-30-pci-dss-v31
		userspace-30-stig
		userspace-42-injection missing-abi-twin=1 shadowed-rule=3
		userspace-43-module-load
		userspace-44-installers
		userspace-71-networking missing-abi-twin=1
	EOF
else
	echo 'shared/cases is missing: the cases were not checked'
fi

finish
