#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Odd inputs: a clear complaint, no crash, nothing lost.
. "${AUDITOPT_SRCDIR:?}/tests/lib/cli.sh"

echo '-w /etc/passwd -p wa -k identity' >one.rules
echo '-w /etc/group -p wa -k identity' >two.rules

# Standard input, named or not.
for operands in '-' ''; do
	# shellcheck disable=SC2086 # none or one word
	"$AUDITOPT" -q --no-comments $operands <one.rules >out 2>err ||
		fail "standard input: status $?"
	same one.rules out "standard input gives other rules"
done
"$AUDITOPT" -q - <one.rules >out
out_has 'standard input'

# Several files, in their order.
run 0 -q --no-comments two.rules one.rules
cat two.rules one.rules >wanted
same wanted out "several files"

# Empty: nothing in, nothing out.
: >empty.rules
run 0 -q --no-comments empty.rules
[ -s out ] && fail "rules out of nothing"
run 0 -q --no-comments /dev/null
printf '# only a comment' >comment.rules
run 0 comment.rules

# A line without an end.
printf '%s' '-w /etc/passwd -p wa -k identity' >no-newline.rules
run 0 -q --no-comments no-newline.rules
same one.rules out "a last line without newline"

# A directory, as augenrules reads it.
mkdir rules.d
cp one.rules rules.d/20-b.rules
cp two.rules rules.d/3-a.rules
echo '-e 2' >rules.d/1-first.rules
echo 'not a rule' >rules.d/README
run 0 -q --no-comments rules.d
cat two.rules one.rules rules.d/1-first.rules >wanted
same wanted out "a directory"
echo '-w' >>rules.d/20-b.rules
run 3 rules.d
err_has 'rules.d/20-b.rules:2'
mkdir empty.d
auditopt empty.d
[ "$status" -le 3 ] || fail "an empty directory: status $status"

# Not there, not readable, not a file.
run 3 no-such.rules
err_has 'no-such.rules'
run 3 --keep-going one.rules no-such.rules
[ -s out ] && fail "one of two files is missing and something was written"
run 3 -o out.rules one.rules no-such.rules
[ ! -e out.rules ] || fail "one of two files is missing and -o wrote"
run 3 one.rules/x
if [ "$(id -u)" = 0 ]; then
	echo "skipped: an unreadable file, root can read all"
else
	cp one.rules unreadable.rules
	chmod 0 unreadable.rules
	run 3 unreadable.rules
	err_has 'unreadable.rules'
fi
cp one.rules writable.rules
chmod 666 writable.rules
run 0 writable.rules
err_has 'warning.*writable'

# Names that a comment must not break on.
name=$(printf 'a\nb.rules')
cp one.rules "$name"
run 0 -q "$name"
rules_of out >got
same one.rules got "a file name with a newline"
long=$(printf '%0200d' 0).rules
cp one.rules "$long"
# shellcheck disable=SC2086 # many words
run 0 -q "$long" ./"$long" .//"$long" ././"$long" ./././"$long" ./././/"$long"
rules_of out >got
same one.rules got "long file names"

# NUL bytes, a carriage return, a byte order mark.
printf '%s\0%s\n' '-w /etc/passwd' ' -p wa -k x' >nul.rules
auditopt nul.rules
[ "$status" = 0 ] || [ "$status" = 3 ] || fail "a NUL byte: status $status"
err_has 'nul.rules:1:15:.*NUL'
printf '\357\273\277-w /etc/passwd -p wa\n' >bom.rules
run 3 bom.rules
err_has 'bom.rules:1'
printf '%s\r\n' '-w /etc/passwd -p wa -k identity' >crlf.rules
auditopt crlf.rules
[ "$status" -le 3 ] || fail "CRLF: status $status"

# A line of 10 MB: told, cut in the showing, and quick.
(printf '%s' '-w /' && head -c 10000000 /dev/zero | tr '\0' a && echo) >long-line.rules
run 3 long-line.rules
err_has 'long-line.rules:1'
[ "$(wc -c <err)" -lt 2000000 ] || fail "10 MB of input make too many messages"
(printf '#' && head -c 10000000 /dev/zero | tr '\0' a && echo && cat one.rules) >long-comment.rules
auditopt long-comment.rules
[ "$status" -le 3 ] || fail "a comment of 10 MB: status $status"
(head -c 3000000 /dev/zero | tr '\0' '\n' && cat one.rules) >empty-lines.rules
run 0 -q --no-comments empty-lines.rules
same one.rules out "3 million empty lines"

# Truncated anywhere: accepted or complained of, never more than that.
size=$(wc -c <"$examples/web-server.rules")
at=1
while [ "$at" -lt "$size" ]; do
	head -c "$at" "$examples/web-server.rules" >cut.rules
	auditopt -q cut.rules
	case $status in
	0 | 3) ;;
	*) fail "cut at $at: status $status" ;;
	esac
	at=$((at + 61))
done

# A signal by the name that every auditctl knows.
while read -r word name; do
	echo "--signal $word" >signal.rules
	run 0 -q --no-comments --auditctl=4.2.1 signal.rules
	[ "$(cat out)" = "--signal $name" ] || fail "--signal $word: $(cat out)"
done <<-'EOF'
	stop TERM
	term TERM
	Reload HUP
	rotate USR1
	resume USR2
	state CONT
EOF

# JSON has no byte that a terminal could obey, whatever a key holds.
printf -- '-w /etc/passwd -p wa -k caf\303\251\302\233\n' >bytes.rules
for options in dump 'cost --report-format=json' '-o /dev/null --report=- --report-format=json'; do
	# shellcheck disable=SC2086 # words
	run 0 $options bytes.rules
	[ -s out ] || fail "$options: no JSON"
	! grep -q '[^ -~]' out || fail "$options: other bytes than ASCII"
done

# A link that leads to itself is no worse than one that leads nowhere.
mkdir links.d
cp one.rules links.d/1.rules
ln -s nowhere.rules links.d/2.rules
ln -s 3.rules links.d/3.rules
run 0 --no-comments links.d
same one.rules out 'links that lead nowhere'
err_has 'links.d/2.rules is a link to nothing'
err_has 'links.d/3.rules is a link in a loop'

# Perm behind arch on exclude: the calls that it adds are not looked at.
echo '-a always,exclude -F uid=1 -F arch=b64 -F perm=wa' >perm.rules
echo '-a always,exclude -F uid=1 -F arch=b64 -F perm=wa -F perm=r' >perms.rules
for version in 3.1.2 3.1.3 4.2.1; do
	run 0 -q --no-comments --machine=x86_64 --auditctl=$version perm.rules
	out_has '^-a always,exclude -F uid=1 -F arch=b64 -p wa$'
	run 0 -q --no-comments --machine=x86_64 --auditctl=$version perms.rules
	same perms.rules out "two perms read as $version"
done

# Bytes without sense, the same on each run.
i=0
while [ $i -lt 20 ]; do
	i=$((i + 1))
	awk -v seed=$i 'BEGIN { srand(seed); for (i = 0; i < 2000; i++)
		printf "%c", 1 + int(rand() * 254) }' >random.rules
	for option in '--keep-going' '-q'; do
		auditopt $option random.rules
		case $status in
		0 | 3) ;;
		*) fail "random bytes, seed $i: status $status" ;;
		esac
	done
	# Rules' own words in an order without sense.
	awk -v seed=$i 'BEGIN { srand(seed)
		n = split("-a|-A|-w|-F|-S|-k|-p|-D|-e|always,exit|never,task|exclude,always|arch=b64|auid>=1000|perm=wa|dir=/etc|/etc/passwd|open|all|2|x|uid=0|-C|uid!=euid|path=/x/|exit=-EPERM|msgtype=CWD|\\", word, "|")
		for (l = 0; l < 60; l++) {
			line = ""
			for (w = 0; w < 8; w++)
				line = line word[1 + int(rand() * n)] " "
			print line
		} }' >words.rules
	auditopt --keep-going words.rules
	case $status in
	0) ;;
	*) fail "words without sense, seed $i: status $status" && sed 's/^/    /' err | tail -n 3 ;;
	esac
done

finish
