#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The Ansible role, run against this machine with programs of its own in place of
# auditctl, augenrules and what asks the kernel: no rule is loaded. Each case is a
# host of its own, a directory below $work/hosts, so that few runs do for all.
# Needs AUDITOPT, the built program, and AUDITOPT_SRCDIR; exit status 77 where
# Ansible is not here.
. "${AUDITOPT_SRCDIR:?}/tests/lib/cli.sh"
command -v ansible-playbook >/dev/null 2>&1 || skip "ansible-playbook is not here (package ansible-core)"

### The control host: it has a locale with UTF-8, and settings of no one else

LC_ALL=C.UTF-8
HOME=$work
PATH=$AUDITOPT_SRCDIR/tests/ansible:$PATH
ANSIBLE_CONFIG=$work/ansible.cfg
export LC_ALL HOME PATH ANSIBLE_CONFIG
ansible=$AUDITOPT_SRCDIR/contrib/ansible
cat >"$ANSIBLE_CONFIG" <<END
[defaults]
roles_path = $ansible/roles
local_tmp = $work/local
remote_tmp = $work/remote
localhost_warning = False
nocolor = True
forks = $(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
pipelining = True
END
cat >play.yml <<END
- hosts: all
  gather_facts: false
  environment:
    AUDITOPT_FAKE: "{{ fake }}"
  roles: [auditopt]
END
cat >inventory <<END
[all:vars]
ansible_connection=local
ansible_python_interpreter=$(command -v python3)
fake=$work/hosts/{{ inventory_hostname }}
auditopt_rules_dir={{ fake }}/etc/rules.d
auditopt_merged_file={{ fake }}/etc/audit.rules
auditopt_boot_file={{ fake }}/etc/boot.rules
auditopt_state_dir={{ fake }}/kept
auditopt_host_options=['--machine=x86_64']
[all]
END

### Hosts

# of HOST: what follows is about it; its files are below $fake.
of() {
	fake=$work/hosts/$1
	host=$1
	AUDITOPT_FAKE=$fake
	export AUDITOPT_FAKE
}

# host NAME [VARIABLE=VALUE...]: one that has loaded its rules.d by augenrules and
# that the role has never seen.
host() {
	of "$1"
	echo "$@" >>inventory
	mkdir -p "$fake/etc/rules.d"
	echo 1 >"$fake/enabled"
	: >"$fake/rules"
	cat >"$fake/etc/rules.d/10-base.rules" <<'END'
-D
-b 8192
-a always,exit -F arch=b64 -S adjtimex -k time
-a always,exit -F arch=b64 -S settimeofday -k time
-a always,exit -F arch=b64 -S mount -F euid=0 -k mount{{7*7}}
-a never,exit -F arch=b64 -S mount -F euid=0 -F exe=/usr/bin/snap
END
	augenrules --load
	cp "$fake/rules" "$fake/stock"
}

rule_more() {
	echo "-a always,exit -F arch=b64 -S $1 -k more" >"$fake/etc/rules.d/20-$1.rules"
}

# play WHAT HOSTS [OPTION...]: runs the role there.
play() {
	what=$1
	hosts=$2
	shift 2
	[ "$hosts" != all ] || hosts=$(cd hosts && echo * | tr ' ' ,)
	for each in $(echo "$hosts" | tr , ' '); do
		cp "hosts/$each/rules" "hosts/$each/before"
		: >"hosts/$each/log"
	done
	ansible-playbook -i inventory -l "$hosts" play.yml "$@" >out 2>&1 </dev/null
}

# ended HOST good|failed CHANGED OUTCOME [TEXT]: how it ended there, and that its
# last message has that outcome and text.
ended() {
	of "$1"
	case $2 in
	good) failed=0 ;;
	*) failed=1 ;;
	esac
	grep -q "^$host  *: ok=[0-9]* *changed=$3 .*unreachable=0 .*failed=$failed " out ||
		fail "$what, $host: not $2, changed=$3: $(grep "^$host  *: " out)"
	grep -A 1 "^ok: \[$host\] => {" out | grep "\"msg\": \"$4: .*${5:-}" >said ||
		fail "$what, $host: not '$4: ...${5:-}': $(grep -A 1 "^ok: \[$host\] => {" out | grep msg)"
}

holds() {
	same "$1" "$fake/rules" "$what, $host: the kernel holds other rules"
}

means() {
	"$AUDITOPT" diff -q --machine=x86_64 "$1" "$fake/rules" >/dev/null ||
		fail "$what, $host: the kernel's rules mean something else"
}

never_called() {
	! grep -e "$1" "$fake/log" >called || fail "$what, $host: called: $(cat called)"
}

called() {
	grep -q -e "$1" "$fake/log" || fail "$what, $host: not called: $1"
}

nothing_changed() {
	holds "$fake/before"
	never_called 'auditctl -[Rem]'
	never_called augenrules
}

enabled_is() {
	[ "$(cat "$fake/enabled")" = "$1" ] || fail "$what, $host: enabled is not $1"
}

host fresh
host bad
rule_more nosuchcall
host locked
echo 2 >"$fake/enabled"
host no-audit
touch "$fake/gone"
host mute
touch "$fake/mute"
host no-program auditopt_program=no-such-program
host no-rules
mv "$fake/etc/rules.d/10-base.rules" "$fake/etc/rules.d/10-base"
host by-hand
echo '-a always,exit -F arch=b64 -S init_module -k by-hand' >>"$fake/rules"
# Without a -D, as augenrules puts one in front by itself.
host may-go auditopt_foreign_rules=replace
sed -i 1d "$fake/etc/rules.d/10-base.rules"
echo '-a always,exit -F arch=b64 -S init_module -k by-hand' >>"$fake/rules"
host stops
echo 9 >"$fake/stop-at"
host forgets
echo once >"$fake/forget"
host neither
printf '3\n3\n' >"$fake/stop-at"
host lost
printf '3\n3\n3\n' >"$fake/stop-at"
host doubt-and-lock
rule_more sethostname
echo '-e 2' >"$fake/etc/rules.d/99-lock.rules"
echo once >"$fake/forget"
host lock auditopt_at_boot=enabled
echo '-e 2' >"$fake/etc/rules.d/99-lock.rules"
host odd "auditopt_state_dir=$work/hosts/odd/rules/kept"
host no-hook auditopt_at_boot=enabled auditopt_boot_program=no-such-hook
host no-hook-needed auditopt_at_boot=disabled auditopt_boot_program=no-such-hook
host hook-fails auditopt_at_boot=enabled
touch "$fake/at-boot-fails"

### It is Ansible, and as those who write Ansible like it

ansible-playbook -i inventory --syntax-check "$ansible/fleet.yml" >out 2>&1 || {
	fail "fleet.yml"
	cat out
}

### Check mode changes nothing and tells what would be

play "check mode" fresh,lock --check --diff
ended fresh good 2 'would load' '2 rules in place of 4'
nothing_changed
[ ! -e "$fake/kept" ] || fail "check mode: something was kept"
grep -q '^+-a .*-S adjtimex,settimeofday' out || fail "check mode: --diff does not show the rules"
ended lock good 2 'would load'
nothing_changed
enabled_is 1
[ ! -e "$fake/at-boot" ] || fail "check mode: enabled at boot"

### The first run

play "first run" all
ended fresh good 4 loaded '2 rules in place of 4'
grep '^-a' "$fake/kept/result.rules" >optimised
holds optimised
means "$fake/stock"
[ "$(wc -l <optimised)" = 2 ] || fail "first run: not two rules"
grep -q 'mount{{7\*7}}$' optimised || fail "first run: a key with braces is not kept"
same "$fake/stock" "$fake/before" "first run: the fake kernel had other rules"
called 'auditctl -m auditopt: optimised rules loaded, 2 in place of 4'

ended bad failed 0 'faulty rules' '20-nosuchcall.rules:1'
nothing_changed
ended locked good 0 locked 'holds other rules'
nothing_changed
ended no-audit good 0 'no audit' 'audit support not in kernel'
nothing_changed
ended mute good 0 'no audit' 'the kernel does not answer'
nothing_changed
ended no-program failed 0 'no program' 'no-such-program'
nothing_changed
ended no-rules good 0 'no rules'
nothing_changed
ended by-hand failed 0 'foreign rules' '1 of 5'
nothing_changed
ended may-go good 4 loaded
holds optimised

ended stops failed 3 'rolled back' 'There was an error in line 9'
means "$fake/before"
[ ! -e "$fake/kept/result.rules" ] || fail "first run, stops: the result is kept"
never_called 'auditctl -m'
never_called augenrules
ended forgets failed 4 'rolled back' 'other rules than were loaded: 1 where 2'
means "$fake/before"
never_called 'auditctl -m'
ended neither failed 4 'rolled back' 'has loaded rules.d as it is'
called 'augenrules --load'
holds "$fake/before"
ended lost failed 4 lost 'look at once'
ended doubt-and-lock failed 4 'rolled back'
means "$fake/before"
enabled_is 1
ended lock good 6 loaded
holds optimised
enabled_is 2
[ -e "$fake/at-boot" ] || fail "first run, lock: not enabled at boot"
ended no-hook failed 0 'no program' 'no-such-hook status'
nothing_changed
ended no-hook-needed good 4 loaded
holds optimised
ended hook-fails failed 4 failed 'loaded: 2 rules .*; but then: Have it enabled'
holds optimised
ended odd failed 0 failed 'Make a directory for what is kept'
nothing_changed

### The second run finds all done; after a boot, or with another rule, it is not

of may-go
augenrules --load
host more
rule_more sethostname
play "second run" fresh,may-go,lock,more,doubt-and-lock,stops,forgets,neither,lost
for each in stops forgets neither lost; do
	of "$each"
	holds optimised
done
ended fresh good 0 unchanged
holds optimised
never_called 'auditctl -[Rem]'
ended lock good 0 locked 'holds the optimised rules'
never_called 'auditctl -[Rem]'
ended may-go good 2 loaded
holds optimised
ended more good 4 loaded '3 rules in place of 5'
ended doubt-and-lock good 3 loaded '3 rules in place of 5'
enabled_is 2

### A fleet, its table, and no further than the first host that ends badly

sed -e "s|hosts: all|hosts: more,bad,by-hand|" \
	-e 's|become: true|environment: {AUDITOPT_FAKE: "{{ fake }}"}|' \
	-e "s|serial:.*|serial: [2, 1]|" "$ansible/fleet.yml" >fleet.yml
of more
rule_more unshare
ansible-playbook -i inventory fleet.yml -e "{auditopt_table: $work/table, auditopt_reports_dir: $work/reports, auditopt_table_hosts: [more, bad, by-hand, lost]}" >out 2>&1 </dev/null &&
	fail "fleet: a bad host does not make it fail"
cat >wanted <<'END'
host,outcome,rules_before,rules_after,idle_rules,level_proved
"more","loaded",6,3,1,1
"bad","faulty rules",,,,
"by-hand","not reached",,,,
"lost","not reached",,,,
END
cut -d, -f1-6 table.csv >got
same wanted got "fleet: another table"
grep -q '^| more | loaded | 6 → 3 | 1 | 1 | [0-9]* → [0-9]* (-[0-9]* %) |' table.md || {
	fail "fleet: another table in Markdown"
	cat table.md
}
grep -q '"format": "auditopt-report"' reports/more.json || fail "fleet: no report of more"
[ ! -e reports/bad.json ] || fail "fleet: a report of bad"

### Away again, and back to the optimised rules where that does not go well

of forgets
echo once >"$fake/forget"
of stops
echo 3 >"$fake/stop-at"
of neither
printf '3\n3\n' >"$fake/stop-at"
of lost
printf '3\n3\n3\n' >"$fake/stop-at"
of no-program
mkdir "$fake/kept"
touch "$fake/kept/result.rules"
play "away" fresh,lock,by-hand,no-program,forgets,stops,neither,lost,may-go -e auditopt_state=absent -e auditopt_at_boot=disabled
ended fresh good 3 absent 'loaded as it is and compared'
holds "$fake/stock"
[ ! -e "$fake/kept/result.rules" ] || fail "away: the result is still kept"
[ ! -e "$fake/kept/before.rules" ] || fail "away: the rules of before are still kept"
ended lock good 1 locked
[ ! -e "$fake/at-boot" ] || fail "away: still enabled at boot"
ended by-hand good 0 absent 'nothing of the role'
nothing_changed
ended no-program failed 0 'no program' 'nothing else compares'
nothing_changed
ended forgets failed 3 'rolled back' 'status 0 .* holds other rules than rules.d has: 3;.* loaded again'
means "$fake/before"
[ -e "$fake/kept/result.rules" ] || fail "away, forgets: the result is no longer kept"
ended stops failed 3 'rolled back' 'status 1 .*error in line 3'
means "$fake/before"
ended neither failed 4 'rolled back' 'has loaded rules.d as it is'
holds "$fake/stock"
ended lost failed 4 lost 'look at once'
[ -e "$fake/kept/before.rules" ] || fail "away, lost: the rules of before are not kept"

### Nor is a fleet without its table then, in the directory where it is started

of stops
echo 3 >"$fake/stop-at"
fleet_of() {
	mkdir "$1"
	sed "s/hosts: more,bad,by-hand/hosts: $1/" fleet.yml >fleet-of.yml
	(cd "$1" && ansible-playbook -i ../inventory ../fleet-of.yml -e "{auditopt_state: $2, auditopt_table_hosts: [$1]}") >out 2>&1 </dev/null &&
		fail "fleet, $1: a bad host does not make it fail"
}
fleet_of stops absent
fleet_of odd present
grep -q '^"stops","rolled back",' stops/auditopt-fleet.csv || fail "fleet, absent: another table"
grep -q '^"odd","failed",' odd/auditopt-fleet.csv || fail "fleet, failed: another table"

finish
