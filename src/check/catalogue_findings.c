/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the checks find in rules that auditctl takes. */
#include "check/catalogue.h"

/* The severity, and whether the finding is of the host. */
#define WARNING DIAG_WARNING, false
#define NOTE DIAG_NOTE, false
#define WARNING_OF_HOST DIAG_WARNING, true
#define NOTE_OF_HOST DIAG_NOTE, true

#define STIG "-a always,exit -F arch="

const struct catalogue_row catalogue_findings[] = {
	{"shadowed-rule", WARNING, "rule that never decides anything",
	 "The first rule that matches a call decides, and earlier rules match "
	 "all calls that this one could: it logs nothing, and its key is never "
	 "found.",
	 "Put the narrower rule first, or remove it.",
	 "-a always,exit -F arch=b32 -S all -k 32bit-abi\n"
	 "-a always,exit -F arch=b32 -S chmod -k perm_mod",
	 "-a always,exit -F arch=b32 -S chmod -k perm_mod\n"
	 "-a always,exit -F arch=b32 -S all -k 32bit-abi"},
	{"partly-shadowed", NOTE, "rule that does not see all of its calls",
	 "Earlier rules decide some of its calls, whatever their arguments: "
	 "these get another key, or are not logged.",
	 "Leave these calls out of one of the rules, or put the narrower rule "
	 "first.",
	 "-a always,exit -F arch=b64 -S setuid -k ids\n"
	 "-a always,exit -F arch=b64 -S setuid,setgid -k privilege",
	 "-a always,exit -F arch=b64 -S setuid -k ids\n"
	 "-a always,exit -F arch=b64 -S setgid -k privilege"},
	{"nested-path", NOTE, "path in a tree that an earlier rule has",
	 "An earlier rule has a directory that this path lies in, and asks for "
	 "no more: it decides first, and the key of this rule is never found. "
	 "That cannot be proved: a file system of its own may be mounted "
	 "there.",
	 "Put the rule for the inner path first.",
	 "-w /bin/ -p wa -k programs\n-w /bin/sh -p wa -k shell",
	 "-w /bin/sh -p wa -k shell\n-w /bin/ -p wa -k programs"},
	{"redundant-rule", NOTE, "rule that adds nothing",
	 "Earlier rules with the same action and key match all that this one "
	 "could. Nothing is lost, but each of its calls pays for it.",
	 "Remove one of them.",
	 "-a always,exit -F arch=b64 -S chmod,fchmod -k perm\n"
	 "-a always,exit -F arch=b64 -S fchmod -F uid=0 -k perm",
	 "-a always,exit -F arch=b64 -S chmod,fchmod -k perm"},
	{"late-never", WARNING, "exclusion that comes too late",
	 "The first rule that matches a call decides. What this never rule is "
	 "to "
	 "exclude has been logged by the rules before it. It is a note where "
	 "that holds for some of its calls.",
	 "Move the exclusion in front of the rules that it is to exclude from.",
	 "-a always,exit -F arch=b64 -S execve -k exec\n"
	 "-a never,exit -F arch=b64 -S execve -F exe=/usr/sbin/cron",
	 "-a never,exit -F arch=b64 -S execve -F exe=/usr/sbin/cron\n"
	 "-a always,exit -F arch=b64 -S execve -k exec"},
	{"useless-never", NOTE, "exclusion that excludes nothing",
	 "No rule after it could log one of its calls. All that it does is to "
	 "end "
	 "the walk for them, and to take the companions from records that the "
	 "kernel makes by itself.",
	 "Remove it, or move it in front of what it is to exclude from.",
	 "-a always,exit -F arch=b64 -S chmod -k perm\n"
	 "-a never,exit -F arch=b64 -S mount",
	 "-a never,exit -F arch=b64 -S mount -F uid=0\n"
	 "-a always,exit -F arch=b64 -S mount -k mounts"},
	{"unsatisfiable-rule", WARNING, "rule that no call can match",
	 "All conditions of a rule must hold together, and these never do.",
	 "For \"or\" write two rules; else correct the condition.",
	 "-a always,exit -F arch=b64 -S open -F exit=-EACCES -F exit=-EPERM",
	 "-a always,exit -F arch=b64 -S open -F exit=-EACCES\n"
	 "-a always,exit -F arch=b64 -S open -F exit=-EPERM"},
	{"missing-unset-test", WARNING, "auid>= without auid!=unset",
	 "auid is 4294967295 for everything that no login has started, such as "
	 "daemons. That is above any bound, so the rule also logs (or "
	 "excludes) "
	 "what daemons do.",
	 "Add -F auid!=unset, unless daemons are meant.",
	 STIG "b64 -S chmod -F auid>=1000 -k perm",
	 STIG "b64 -S chmod -F auid>=1000 -F auid!=unset -k perm"},
	{"exit-without-sign", WARNING, "order of results that mixes errors in",
	 "The kernel compares exit without sign, so that the errors, -1 to "
	 "-4095, are above all other results: exit>=0 is always true, and "
	 "exit<=-1, too.",
	 "Write success=0 for calls that fail, success=1 for the others, or "
	 "exit= with one result.",
	 "-a always,exit -F arch=b64 -S open -F exit>=0",
	 "-a always,exit -F arch=b64 -S open -F success=1"},
	{"missing-abi-twin", WARNING_OF_HOST, "rule for one ABI alone",
	 "A 64-bit kernel runs 32-bit programs, too, and a 64-bit program can "
	 "make 32-bit calls. A rule with arch=b64 does not see these, and a "
	 "rule "
	 "with arch=b32 sees nothing else.",
	 "Write the rule for both ABIs, or one rule that logs every 32-bit "
	 "call. "
	 "Where no 32-bit program can run, say --abi=native.",
	 STIG "b64 -S init_module -k modules",
	 STIG "b64 -S init_module -k modules\n" STIG
	      "b32 -S init_module -k modules"},
	{"abi-twin-differs", WARNING, "rules for two ABIs that differ",
	 "Two rules with the same key, for b64 and for b32, are alike but for "
	 "some calls or conditions, so that one ABI is watched less than the "
	 "other. Mostly one of them was forgotten in a change.",
	 "Let both ask for the same; calls that one ABI does not have are not "
	 "counted.",
	 STIG "b64 -S setxattr,lsetxattr -k perm\n" STIG
	      "b32 -S setxattr -k perm",
	 STIG "b64 -S setxattr,lsetxattr -k perm\n" STIG
	      "b32 -S setxattr,lsetxattr -k perm"},
	{"abi-variant-missing", NOTE, "newer names of 32-bit calls missing",
	 "On i386 many calls exist twice: the first with 16-bit ids or 32-bit "
	 "sizes, and a newer one with 32, 64 or _time64 at the end of its "
	 "name, "
	 "which is what the C library calls. A rule with the first alone sees "
	 "next to nothing.",
	 "Add the newer names to the rule for arch=b32.",
	 STIG "b32 -S chown -k perm\n" STIG "b64 -S chown -k perm",
	 STIG "b32 -S chown,chown32 -k perm\n" STIG "b64 -S chown -k perm"},
	{"path-absent", NOTE_OF_HOST, "path that does not exist",
	 "The file or program is not there now. That is normal where it comes "
	 "and goes, and a misspelling elsewhere.",
	 "Check the spelling. Where other hosts are meant than this one, "
	 "--root=DIR looks in a tree like theirs.",
	 "-w /etc/paswd -p wa -k identity", "-w /etc/passwd -p wa -k identity"},
	{"watch-form", NOTE, "watch in the old form",
	 "-w is deprecated since audit 3.1.3. It is a rule over all system "
	 "calls; "
	 "of a directory it is entered by every call of the machine.",
	 "Write a rule with path= or dir= and perm=, or let auditopt narrow "
	 "its "
	 "calls.",
	 "-w /bin/ -p wa -k programs",
	 "-a always,exit -F dir=/bin -F perm=wa -F key=programs"},
	{"dir-on-hot-calls", NOTE, "dir= asked of calls that it cannot match",
	 "A rule with dir= stands in the list that every system call walks. "
	 "Entered by calls that it cannot match, such as read, it costs them "
	 "time for nothing.",
	 "Give the rule perm= and all calls of that permission, for both ABIs, "
	 "or let auditopt narrow it.",
	 "-a always,exit -F dir=/bin -F perm=x -k run",
	 "-a always,exit -F perm=x -F arch=b64 -S execve,execveat -F dir=/bin "
	 "-k run\n"
	 "-a always,exit -F perm=x -F arch=b32 -S execve,execveat -F dir=/bin "
	 "-k run"},
	{"backlog-small", WARNING, "backlog too small for the rules",
	 "-b is how many records may wait for auditd. One event is three to "
	 "eight records, so a burst soon fills a small queue: records are "
	 "lost, "
	 "or calls wait. It is a note where the limit is doubtful, not tiny.",
	 "Write -b 8192 or more.",
	 "-D\n-b 64\n-a always,exit -F arch=b64 -S execve -k exec",
	 "-D\n-b 8192\n-a always,exit -F arch=b64 -S execve -k exec"},
	{"version-dependent", WARNING_OF_HOST,
	 "line that other versions read otherwise",
	 "Another version of auditctl refuses the line (a note), and the lines "
	 "after it are not loaded there, or takes it for another rule.",
	 "Write it so that all versions agree, or keep it from hosts with such "
	 "a version.",
	 "-D\n-A always,exit -F arch=b64 -S chmod",
	 "-D\n-a always,exit -F arch=b64 -S chmod"},
	{"bad-suppression", WARNING, "comment that check does not understand",
	 "A comment begins with auditopt-check: and names no identifier that "
	 "exists, or no way to disable it.",
	 "Write disable=ID, disable-block=ID or disable-file=ID behind it; "
	 "--explain=list names all identifiers.",
	 "# auditopt-check: disable=watchform\n-w /bin/sh -p wa",
	 "# auditopt-check: disable=watch-form reviewed\n-w /bin/sh -p wa"},
	{"unused-suppression", NOTE, "comment that disables nothing",
	 "A comment takes findings back that are not there (any more).",
	 "Remove the identifier from the comment.",
	 "# auditopt-check: disable=late-never\n-w /bin/sh -p wa",
	 "# auditopt-check: disable=watch-form\n-w /bin/sh -p wa"},
	{0}};
