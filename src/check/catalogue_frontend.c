/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What reading, parsing, compiling and loading the input tell. */
#include "check/catalogue.h"

/* The severity, and whether the finding is of the host. */
#define FATAL DIAG_FATAL, false
#define ERROR DIAG_ERROR, false
#define WARNING DIAG_WARNING, false
#define NOTE DIAG_NOTE, false
#define ERROR_OF_HOST DIAG_ERROR, true
#define WARNING_OF_HOST DIAG_WARNING, true
#define NOTE_OF_HOST DIAG_NOTE, true

const struct catalogue_row catalogue_frontend[] = {
	/* The files */
	{"unreadable", FATAL, "input that cannot be read",
	 "A file or directory that was named cannot be read, so nothing can be "
	 "said of it.",
	 "Check the name, and that the user who runs the check may read it.",

	 "$ auditopt check no-such-file.rules", NULL},
	{"too-large", FATAL, "file too large for rules",
	 "The file is far larger than any rules file.", "Check the name.", NULL,
	 NULL},
	{"parser", FATAL, "no memory to parse the input",
	 "The parser ran out of memory.", "Check a smaller part of the input.",
	 NULL, NULL},
	{"line-too-long", WARNING, "line longer than auditctl reads",
	 "auditctl reads at most 6143 bytes of a line and takes the rest for a "
	 "line of its own, which is an error or another rule.",
	 "Make several rules of it.",
	 "$ printf '%s %06500d\\n' -k 0 >a.rules\n"
	 "$ auditopt check a.rules",
	 NULL},
	/* The output of auditctl -l, and the kernel */
	{"listing-form", WARNING,
	 "output of auditctl -l taken for a rules file",
	 "The file has no other lines than auditctl -l prints, and some of "
	 "them mean something else there than in a rules file: the names of "
	 "calls without arch are those of the arch printed last, perm= adds "
	 "no calls, and spaces are not escaped.",
	 "Say --listing if auditctl -l printed it.",
	 "$ echo '-a always,exit -F arch=b32 -S open' >a.rules\n"
	 "$ echo '-a always,exit -S open' >>a.rules\n"
	 "$ auditopt check a.rules",
	 "$ auditopt check --listing a.rules"},
	{"listing-watch", WARNING, "-w in the output of auditctl -l",
	 "auditctl -l prints -w for every rule with a path, permissions and "
	 "all calls, whether it says always or never.",
	 "Nothing if no never rule has a path and permissions; else read the "
	 "kernel itself, with --from-kernel.",
	 "$ echo '-w /etc/passwd -p wa' >a.rules\n"
	 "$ auditopt check --listing a.rules",
	 NULL},
	{"listing-exe", WARNING, "exe= in the output of auditctl -l",
	 "Before 4.0 auditctl -l prints exe= for exe!=, too.",
	 "Nothing if no rule has exe!=; else read the kernel itself, with "
	 "--from-kernel.",
	 "$ echo '-a always,exit -S all -F exe=/bin/sh' >a.rules\n"
	 "$ auditopt check --listing --auditctl=3.0.9 a.rules",
	 NULL},
	{"not-listed", ERROR, "line that auditctl -l does not print",
	 "With --listing the file is taken for what auditctl -l prints, and "
	 "this line is nothing of that.",
	 "Give all that auditctl -l printed, as it is, or leave --listing out.",
	 "$ printf '%s\\n' '-w /etc/passwd -p wa' -D >a.rules\n"
	 "$ auditopt check --listing a.rules",
	 NULL},
	{"no-listing", WARNING, "--listing, and no output of auditctl -l",
	 "No file that was read begins as the output of auditctl -l does, so "
	 "all were read as rules files.",
	 "Leave --listing out.",
	 "$ echo -D >a.rules\n"
	 "$ auditopt check --listing a.rules",
	 NULL},
	{"no-profile", FATAL, "profile that counts no call",
	 "The file of --profile was read, and no row of it counts a system "
	 "call "
	 "of the machine that the rules are for.",
	 "Give what strace -c, perf trace -s, syscount or a bpftrace map "
	 "prints, "
	 "or rows such as \"read 12345\": auditopt.profile(5).",
	 "$ echo nonsense >counts\n"
	 "$ echo -D >a.rules\n"
	 "$ auditopt cost --profile=counts a.rules",
	 NULL},
	{"profile-row", WARNING, "row of a profile that is not counted",
	 "The row has not the form of the others, or a number in it is none. "
	 "It "
	 "is left out, the others are taken.",
	 "Correct the row, or take it out.",
	 "$ printf '%s\\n' 'read 10' 'open often' >counts\n"
	 "$ echo -D >a.rules\n"
	 "$ auditopt cost --profile=counts a.rules",
	 NULL},
	{"kernel-untold", FATAL, "kernel that does not tell its rules",
	 "The kernel tells its rules only to root, and to no container; or it "
	 "has no audit.",
	 "Run it as root on the host itself, or give the rules as files.", NULL,
	 NULL},
	{"kernel-locked", WARNING, "kernel with locked rules",
	 "After -e 2 the kernel takes no other rules until the next boot.",
	 "Have what is made of its rules loaded then.", NULL, NULL},
	{"unknown-kernel-rule", ERROR, "rule in the kernel that is not known",
	 "The kernel holds a rule with a field or a value that is not "
	 "understood here.",
	 "A newer auditopt may know it.", NULL, NULL},
	{"no-line-gives-it", ERROR, "rule in the kernel that has no text",
	 "No line of auditctl gives that rule; another program has loaded it.",
	 "What loaded it must go on loading it.", NULL, NULL},
	{"nul-byte", ERROR, "NUL byte in a line",
	 "auditctl takes a NUL byte for the end of the line and drops the rest "
	 "without a word. Mostly the file is damaged or in UTF-16.",
	 "Save the file as plain text.",
	 "$ printf '%s\\0%s\\n' -D ' -k x' >a.rules\n"
	 "$ auditopt check a.rules",
	 NULL},
	{"not-regular", NOTE, "rules file that is no regular file",
	 "auditctl -R refuses to read what is not a regular file.",
	 "Name a regular file.", "$ auditopt check /dev/null", NULL},
	{"world-writable", WARNING_OF_HOST,
	 "rules file that everyone may write",
	 "auditctl -R refuses to read such a file, so that no rule is loaded.",
	 "Take the right away: chmod o-w FILE.",
	 "$ echo -D >a.rules\n"
	 "$ chmod o+w a.rules\n"
	 "$ auditopt check a.rules",
	 NULL},
	{"not-root", NOTE_OF_HOST, "rules file that root does not own",
	 "auditctl -R before 3.1.2 refuses to read the file.",
	 "Nothing in a working copy; where rules are installed, give the file "
	 "to root.",

	 "$ echo -D >a.rules\n"
	 "$ chown nobody a.rules\n"
	 "$ auditopt check a.rules",
	 NULL},
	{"joined-lines", WARNING, "file without a newline at its end",
	 "augenrules writes the files of rules.d one behind the other, so the "
	 "last line of this file and the first of the next become one, which "
	 "is refused or means something else.",
	 "End every file with a newline.",
	 "$ printf '%s' '-w /etc/passwd' >10-a.rules\n"
	 "$ echo '-w /etc/group' >20-b.rules\n"
	 "$ auditopt check .",
	 NULL},
	{"skipped-file", WARNING, "entry of rules.d that augenrules skips",
	 "A name ends in .rules and is no file that can be read; augenrules "
	 "goes on without it.",
	 "Remove the entry, or put the file where the link leads to.",
	 "$ mkdir 10-a.rules\n"
	 "$ auditopt check .",
	 NULL},
	{"blank-in-name", WARNING, "blank in the name of a rules file",
	 "augenrules before 4.2 does not read files whose names have a blank.",
	 "Rename the file.",
	 "$ echo '-w /etc/passwd' >'my own.rules'\n"
	 "$ auditopt check .",
	 NULL},
	{"replaced-option", WARNING, "option of which augenrules keeps one",
	 "Of -D, -b, -f and -e augenrules keeps the last line in all files of "
	 "rules.d and drops the others. It is a note where all say the same.",
	 "Leave the option in one file.",
	 "$ echo -b 64 >10-a.rules\n"
	 "$ echo -b 8192 >20-b.rules\n"
	 "$ auditopt check .",
	 NULL},
	{"awk-differs", WARNING, "line that augenrules reads in two ways",
	 "Blanks at the beginning of the line keep some awks from seeing what "
	 "it is: augenrules then leaves it where it stands, or leaves a "
	 "comment in.",
	 "Begin the line without blanks.",
	 "$ echo '  -e 2' >10-a.rules\n"
	 "$ auditopt check .",
	 NULL},
	{"no-rules", WARNING, "directory without rules",
	 "The directory has no file whose name ends in .rules; augenrules "
	 "makes an empty set of it.",
	 "Check the name.",
	 "$ mkdir empty\n"
	 "$ auditopt check empty",
	 NULL},

	/* Words */
	{"too-many-words", WARNING, "words that auditctl drops",
	 "auditctl before 4.2 has room for a third as many words as the line "
	 "has bytes, and drops the rest without a word: mostly calls at the "
	 "end of a line of many -S.",
	 "Join values by commas.",
	 "-a always,exit -S 1 -S 2 -S 3 -S 4 -S 5 -S 6 -S 7 -S 8 -S 9 -S 0 -k "
	 "a "
	 "-k b -k c -k d -k e",
	 "-a always,exit -S 1,2,3,4,5,6,7,8,9,0 -k a -k b -k c -k d -k e"},
	{"tab", ERROR, "tab where a space is meant",
	 "auditctl separates words by the space character alone. A tab is a "
	 "part of a word: mostly of an option that then does not exist, and "
	 "the load stops there. In a value it is only a warning.",
	 "Write spaces; leave lines that look empty really empty.",
	 "-a always,exit\t-F arch=b64 -S chmod",
	 "-a always,exit -F arch=b64 -S chmod"},
	{"carriage-return", ERROR, "carriage return (CRLF line ends)",
	 "auditctl ends lines at LF. The CR of a file from Windows is a part "
	 "of "
	 "the last value, which is then another key or no call at all, and a "
	 "line that looks empty is an error. In a value it is a warning.",
	 "Write the file with LF line ends: sed -i 's/\\r$//' FILE.",
	 "-w /etc/passwd -p wa -k identity\r\n\r",
	 "-w /etc/passwd -p wa -k identity"},
	{"quote", WARNING, "quote in a value",
	 "Quotes are not special to auditctl: they become a part of the value, "
	 "and do not keep words together. A key with quotes is not found by "
	 "ausearch -k without them.",
	 "Leave the quotes out; a space in a value is written with a "
	 "backslash before it.",
	 "-w /etc/passwd -p wa -k \"identity\"",
	 "-w /etc/passwd -p wa -k identity"},
	{"byte-order-mark", ERROR, "byte order mark",
	 "The file begins with a byte order mark, which auditctl takes for a "
	 "part of the first word: the load stops there.",
	 "Save the file as UTF-8 without a byte order mark.", "\xef\xbb\xbf-D",
	 "-D"},
	{"no-break-space", ERROR, "no-break space",
	 "A no-break space looks like a space and is a part of the word, as it "
	 "comes from web pages and word processors.",
	 "Write a plain space.", "-a always,exit \xc2\xa0-S chmod",
	 "-a always,exit -S chmod"},
	{"dash", ERROR, "typographic dash instead of -",
	 "A dash that a word processor made of a minus sign begins no option.",
	 "Write the plain \"-\".", "-a always,exit \xe2\x80\x93S chmod",
	 "-a always,exit -S chmod"},
	{"parameter", ERROR, "word that is no option",
	 "A word stands by itself: neither an option nor the value of one. "
	 "auditctl refuses the line.",
	 "Remove the word, or write the option that it belongs to; join calls "
	 "by commas without spaces.",
	 "-a always,exit -F arch=b64 -S chmod, fchmod",
	 "-a always,exit -F arch=b64 -S chmod,fchmod"},
	{"comment-after-rule", ERROR, "comment behind a rule",
	 "A comment is a whole line. Behind a rule it is words that are no "
	 "options, and the load stops there.",
	 "Put the comment on a line of its own.",
	 "-w /etc/passwd -p wa # accounts", "# accounts\n-w /etc/passwd -p wa"},
	{"escape-in-first-word", WARNING, "escape in the first word",
	 "auditctl undoes \"\\ \" and \"\\\\\" in all words but the first, "
	 "where "
	 "they become control bytes.",
	 "Put a space between the option and its value.",
	 "-w/srv/my\\ files -p wa", "-w /srv/my\\ files -p wa"},
	{"escape-byte", WARNING, "control byte 0x07 or 0x04",
	 "auditctl uses these two bytes for escaped spaces and backslashes, "
	 "and "
	 "takes one in the file for such.",
	 "Remove the byte.", "-w /srv/a\x07z -p wa", "-w /srv/a -p wa"},

	/* Options */
	{"unknown-option", ERROR, "unknown option",
	 "auditctl has no such option, and stops there.",
	 "Correct the option; auditctl(8) lists all.",
	 "-a always,exit -S chmod --keys x", "-a always,exit -S chmod -k x"},
	{"invalid-option", ERROR, "option that auditctl refuses",
	 "auditctl has no such option, and stops there.",
	 "Correct the option; auditctl(8) lists all.", NULL, NULL},
	{"ambiguous-option", ERROR, "abbreviated option with two meanings",
	 "Long options may be cut short as long as one alone begins so.",
	 "Write the whole name.", "--reset", "--reset-lost"},
	{"missing-value", ERROR, "option without its value",
	 "The option ends the line and needs a value.",
	 "Write the value, or leave the option out.", "-w /etc/passwd -p wa -k",
	 "-w /etc/passwd -p wa -k identity"},
	{"unwanted-value", ERROR, "value of an option that takes none",
	 "The option takes no value, and auditctl refuses one.",
	 "Leave out the \"=\" and what follows it.", "--reset-lost=1",
	 "--reset-lost"},
	{"option-as-value", ERROR, "option taken for a value",
	 "The option before it lacks its value, and so takes the next option "
	 "for it. Mostly what follows then makes no sense, and the load stops "
	 "there; else it is a warning.",
	 "Give the option its value, or leave it out.",
	 "-w /etc/passwd -k -p wa", "-w /etc/passwd -p wa -k identity"},
	{"option-count", ERROR, "options that cannot stand together",
	 "Some options end the line for auditctl, and nothing may follow them.",
	 "Write each command on a line of its own.", "-D -b 8192",
	 "-D\n-b 8192"},
	{"rest-ignored", WARNING, "rest of the line that is ignored",
	 "The option ends the line: what follows it, or the rule that was "
	 "begun "
	 "before it, is dropped without a word.",
	 "Write each command on a line of its own.", "-t -b 8192",
	 "-t\n-b 8192"},
	{"help", ERROR, "-h in a rules file",
	 "Before audit 4.1.4 -h counts as an error, and the load stops there.",
	 "Remove it.", "-h", NULL},
	{"nested-rules", ERROR, "-R in a rules file",
	 "A rules file cannot read another one.",
	 "Put both files into rules.d.", "-R /etc/audit/more.rules", NULL},
	{"bad-value", ERROR, "value that the option or field does not take",
	 "auditctl refuses the line, and stops there.",
	 "Correct the value; the message says what is taken.", "-f 3", "-f 1"},
	{"value-too-long", ERROR, "value that is too long",
	 "A value, or all keys of a rule together, are longer than the kernel "
	 "takes.",
	 "Shorten it; a key has at most 256 bytes.",
	 "$ printf '%s%0300d\\n' '-w /etc/passwd -k ' 0 >a.rules\n"
	 "$ auditopt check a.rules",
	 NULL},
	{"number-cut", WARNING, "number that auditctl cuts",
	 "What is written is no number, or does not fit in 32 bits; auditctl "
	 "takes another number without a word.",
	 "Write the number that is meant.",
	 "-a always,exit -F arch=b64 -S chmod -F pid=4294967297",
	 "-a always,exit -F arch=b64 -S chmod -F pid=1"},
	{"octal-number", WARNING, "number that is octal",
	 "A number that begins with 0 is octal: 0100 is 64.",
	 "Leave out the zero, or write the number that is meant.",
	 "-a always,exit -F arch=b64 -S chmod -F uid=0100",
	 "-a always,exit -F arch=b64 -S chmod -F uid=100"},

	/* Lists, watches, keys */
	{"bad-list", ERROR, "unknown list or action",
	 "-a takes a list (exit, task, user, exclude, filesystem, io_uring) "
	 "and "
	 "an action (always, never). The list entry is gone since Linux 2.6, "
	 "and auditctl stops there.",
	 "Write exit instead of entry; correct the word.",
	 "-a always,entry -S chmod", "-a always,exit -S chmod"},
	{"deprecated-possible", WARNING, "action possible",
	 "The action possible is gone: auditctl skips the line without an "
	 "error, so the rule does not exist.",
	 "Write always, or remove the line.", "-a exit,possible -S chmod",
	 "-a exit,always -S chmod"},
	{"second-list", ERROR, "two rules in one line",
	 "A line adds or deletes one rule.", "Write two lines.",
	 "-a always,exit -a never,exit -S chmod", "-a always,exit -S chmod"},
	{"rule-needs-list", ERROR, "rule without a list",
	 "Fields and calls need -a, -A, -d or -w before them.",
	 "Begin the line with -a always,exit.", "-S chmod",
	 "-a always,exit -S chmod"},
	{"calls-not-in-list", ERROR, "calls in a list that takes none",
	 "Only the lists exit and io_uring go by calls.", "Leave -S out.",
	 "-a never,task -S fork", "-a never,task -F uid=0"},
	{"field-not-in-list", ERROR, "field that the list does not take",
	 "The kernel evaluates the field in other lists only.",
	 "Use the list that has it; auditctl(8) says which.",
	 "-a always,exit -F msgtype=CWD -S chmod",
	 "-a always,exclude -F msgtype=CWD"},
	{"watch-position", ERROR, "watch in the middle of a rule",
	 "-w begins a rule of its own and cannot follow -a or fields.",
	 "Write the watch first, or -F path= or -F dir= instead of it.",
	 "-a always,exit -w /etc/passwd", "-w /etc/passwd -p wa"},
	{"perm-position", ERROR, "-p without a watch before it",
	 "-p says what kind of access a watch or a field of the same line is "
	 "about, and must stand behind it.",
	 "Write -p behind -w.", "-p wa -w /etc/passwd", "-w /etc/passwd -p wa"},
	{"key-position", ERROR, "key too early or without a rule",
	 "-k must stand behind a watch, or behind a call, path, dir, perm, exe "
	 "or fstype.",
	 "Write -k last.", "-a always,exit -k all -S all",
	 "-a always,exit -S all -k all"},
	{"key-separator", WARNING, "byte 0x01 in a key",
	 "The byte separates keys, so that it makes two of one. auditctl "
	 "refuses it since 4.2.0.",
	 "Remove the byte.", "-w /etc/passwd -p wa -k a\001z",
	 "-w /etc/passwd -p wa -k az"},
	{"bad-path", ERROR, "path that a watch does not take",
	 "A watch needs an absolute path that is not too long.",
	 "Begin the path with /.", "-w etc/passwd -p wa",
	 "-w /etc/passwd -p wa"},
	{"path-pattern", WARNING, "wildcard or \"..\" in a path",
	 "The kernel has no wildcards: * and ? stand for themselves, and "
	 "\"..\" is not resolved. The rule watches a file of that very name, "
	 "which does not exist.",
	 "Watch the directory, or write a rule for each path.",
	 "-w /home/*/.ssh -p wa -k ssh", "-w /root/.ssh -p wa -k ssh"},
	{"path-missing", WARNING_OF_HOST, "path whose directory does not exist",
	 "The kernel refuses a rule for a path whose directory (of dir=: the "
	 "directory itself) does not exist when the rule is loaded, or is "
	 "none. "
	 "auditctl stops there, and the lines after it are not loaded, unless "
	 "-i or -c came before it. It is an error where it is known to be so "
	 "when the rules are loaded: for rules in /etc/audit, and with "
	 "--root=DIR, for those below DIR.",
	 "Create what is missing, leave the rule to hosts that have it, or "
	 "begin the file with -c. Where other hosts are meant than this one, "
	 "--root=DIR looks in a tree like theirs.",
	 "-w /no/such/directory/file -p wa", "-w /file -p wa"},

	/* Fields */
	{"unknown-field", ERROR, "unknown field",
	 "auditctl has no field of that name.",
	 "Correct the name; auditctl(8) lists all.",
	 "-a always,exit -F arch=b64 -S chmod -F user=root",
	 "-a always,exit -F arch=b64 -S chmod -F auid=0"},
	{"bad-operator", ERROR, "operator that the field does not take",
	 "Fields that are no numbers take = and != alone, some only =.",
	 "Use an operator that the field takes.",
	 "-a always,exit -F arch>=b32 -S chmod",
	 "-a always,exit -F arch=b32 -S chmod"},
	{"too-many-fields", ERROR, "too many fields",
	 "A rule takes at most 63 fields.", "Make several rules of it.",
	 "$ { printf '%s' '-a always,exit -S 1'; printf ' -F pid!=%s' $(seq "
	 "70); } >a.rules\n"
	 "$ auditopt check a.rules",
	 NULL},
	{"bad-comparison", ERROR, "-C of things that cannot be compared",
	 "User ids compare with user ids, group ids with group ids.",
	 "Compare two ids of a kind.",
	 "-a always,exit -F arch=b64 -S execve -C uid!=gid",
	 "-a always,exit -F arch=b64 -S execve -C uid!=euid"},
	{"unknown-user", ERROR_OF_HOST, "unknown user",
	 "Names of users are looked up on the host that loads the rules. Where "
	 "there is no such user, auditctl stops there, and the lines after it "
	 "are not loaded.",
	 "Write the number, create the user, or keep the rule from hosts "
	 "without that user.",
	 "-a always,exit -F arch=b64 -S chmod -F uid=no_such_user",
	 "-a always,exit -F arch=b64 -S chmod -F uid=0"},
	{"unknown-group", ERROR_OF_HOST, "unknown group",
	 "Names of groups are looked up on the host that loads the rules. "
	 "Where "
	 "there is no such group, auditctl stops there.",
	 "Write the number, create the group, or keep the rule from hosts "
	 "without that group.",
	 "-a always,exit -F arch=b64 -S chmod -F gid=no_such_group",
	 "-a always,exit -F arch=b64 -S chmod -F gid=0"},
	{"positive-errno", WARNING, "error code without its minus",
	 "A call that fails returns a negative number: exit=EACCES is 13, "
	 "which "
	 "no failed call returns.",
	 "Write exit=-EACCES.",
	 "-a always,exit -F arch=b64 -S open -F exit=EACCES",
	 "-a always,exit -F arch=b64 -S open -F exit=-EACCES"},
	{"arch-after-syscall", ERROR, "arch behind the calls",
	 "Names of calls are looked up when -S is read, so arch must come "
	 "before it.",
	 "Write -F arch= before -S; a watch takes no arch.",
	 "-a always,exit -S chmod -F arch=b64",
	 "-a always,exit -F arch=b64 -S chmod"},
	{"unknown-arch", ERROR, "unknown or foreign architecture",
	 "The value of arch is no machine that a rule on this one can name.",
	 "Write b64 or b32; --machine=NAME says what machine is meant.",
	 "-a always,exit -F arch=b65 -S chmod",
	 "-a always,exit -F arch=b64 -S chmod"},

	/* Calls */
	{"unknown-syscall", ERROR_OF_HOST, "call that the ABI does not have",
	 "The name is no system call of the ABI, or too new for this libaudit. "
	 "auditctl refuses the rule with all its calls, and stops there. "
	 "umount, stime and socketcall are calls of 32-bit programs alone.",
	 "Take the name out of the rule for this ABI; where the call is too "
	 "new, write its number.",
	 "-a always,exit -F arch=b64 -S umount,umount2",
	 "-a always,exit -F arch=b64 -S umount2"},
	{"unknown-operation", ERROR, "unknown io_uring operation",
	 "The name is no operation of io_uring that this auditctl knows.",
	 "Correct the name.",
	 "$ echo '-a always,io_uring -S openaat' >a.rules\n"
	 "$ auditopt check --auditctl=4.0.2 a.rules",
	 "-a always,io_uring -S openat"},
	{"missing-arch", WARNING, "calls without arch",
	 "Without arch a rule goes by number. The names are looked up for "
	 "64-bit programs, and the same numbers are other calls in 32-bit "
	 "programs: these are caught, too, and the calls that were meant are "
	 "missed there.",
	 "Write the rule twice, with -F arch=b64 and -F arch=b32 before -S.",
	 "-a always,exit -S openat,unlinkat -F success=0 -k failed",
	 "-a always,exit -F arch=b64 -S openat,unlinkat -F success=0 -k "
	 "failed\n"
	 "-a always,exit -F arch=b32 -S openat,unlinkat -F success=0 -k "
	 "failed"},
	{"perm-adds-calls", WARNING_OF_HOST,
	 "perm that adds calls in newer versions",
	 "Since audit 3.1.3 -F perm= behind -F arch= adds the calls of that "
	 "permission to those of -S; before, it does not. So the same file "
	 "logs more on one distribution than on another.",
	 "Write perm before arch: then no version adds calls.",
	 "-a always,exit -F arch=b64 -S openat -F dir=/etc -F perm=wa -k etc",
	 "-a always,exit -F perm=wa -F arch=b64 -S openat -F dir=/etc -k etc"},
	{"perm-loses-calls", WARNING_OF_HOST,
	 "perm that loses calls in newer versions",
	 "Since audit 3.1.3 -F perm= behind -F arch= stands for a list of "
	 "calls "
	 "in libaudit, and that lacks some that the kernel counts as the "
	 "permission. It is a note where this auditctl does not do so.",
	 "Write perm before arch: then every version means all calls.",
	 "-a always,exit -F arch=b64 -F path=/etc/passwd -F perm=x",
	 "-a always,exit -F perm=x -F arch=b64 -F path=/etc/passwd"},
	{"perm-calls-missing", ERROR, "perm with calls that the ABI lacks",
	 "Audit 3.1.3 to 4.0.3 add calls for perm that this ABI does not have, "
	 "and then refuse the line.",
	 "Write perm before arch: then no version adds calls.",
	 "$ echo '-a always,exit -F arch=b64 -F path=/etc/passwd -F perm=wa' "
	 ">a.rules\n"
	 "$ auditopt check --machine=aarch64 --auditctl=3.1.3 a.rules",
	 "-a always,exit -F perm=wa -F arch=b64 -F path=/etc/passwd"},

	/* The load */
	{"refused-by-kernel", ERROR, "rule that the kernel refuses",
	 "auditctl sends the rule, the kernel answers that it is not valid, "
	 "and "
	 "auditctl stops there.",
	 "Correct what the message names.",
	 "-a always,exit -F arch=b64 -S open -F path=/etc/ -F perm=wa",
	 "-a always,exit -F arch=b64 -S open -F path=/etc/passwd -F perm=wa"},
	{"duplicate-rule", ERROR, "the same rule twice",
	 "The kernel refuses a rule that it has already, and auditctl stops "
	 "there: the lines after it are not loaded.",
	 "Remove one of the two lines.",
	 "-w /etc/group -p wa -k identity\n-w /etc/group -p wa -k identity",
	 "-w /etc/group -p wa -k identity"},
	{"no-such-rule", ERROR, "deletion of a rule that is not there",
	 "-d or -W names a rule that no line before it adds, and auditctl "
	 "stops "
	 "there.",
	 "Remove the line, or write the rule as it was added: the same fields "
	 "in the same order, and the same key.",
	 "-D\n-W /etc/passwd -p wa", "-D\n-w /etc/passwd -p wa"},
	{"after-lock", ERROR, "lines after -e 2",
	 "-e 2 locks the configuration until the next boot: the kernel refuses "
	 "every change after it.",
	 "Write -e 2 last.",
	 "-w /etc/sudoers -p wa -k sudo\n-e 2\n-w /etc/sudoers.d -p wa -k sudo",
	 "-w /etc/sudoers -p wa -k sudo\n-w /etc/sudoers.d -p wa -k sudo\n-e "
	 "2"},
	{"audit-off", WARNING, "-e 0 with rules",
	 "-e 0 turns auditing off: the rules are loaded and log nothing.",
	 "Write -e 1 or -e 2, or leave the line out.",
	 "-w /etc/passwd -p wa\n-e 0", "-w /etc/passwd -p wa\n-e 1"},
	{"task-never", WARNING, "task rule that turns all off",
	 "With -a never,task no new process is audited: all rules of the list "
	 "exit, watches among them, are without effect. Distributions ship the "
	 "line to turn auditing off.",
	 "Remove the line, unless system calls are not to be audited at all.",
	 "-a never,task\n-w /etc/shadow -p wa -k identity",
	 "-w /etc/shadow -p wa -k identity"},
	{"equivalent-with-calls", ERROR, "-q behind calls",
	 "-q makes a tree equivalent to another one and is no part of a rule.",
	 "Write it on a line of its own.",
	 "-a always,exit -S chmod -q /mnt,/srv", "-q /mnt,/srv"},
	{"prepend-after-equivalent", ERROR, "-A behind -q",
	 "-q changes the trees of the rules before it; a rule that -A puts in "
	 "front of them later makes an order that no file can write down.",
	 "Write the rule before -q.",
	 "-w /etc/ -p wa\n-q /mnt,/srv\n-A always,exit -F arch=b64 -S chmod",
	 "-A always,exit -F arch=b64 -S chmod\n-w /etc/ -p wa\n-q /mnt,/srv"},
	{"prepend-without-delete-all", WARNING, "-A without -D",
	 "-A puts a rule in front of those that the kernel holds already, and "
	 "what these are the file does not say.",
	 "Begin the file with -D, or write -a.",
	 "-A always,exit -F arch=b64 -S chmod",
	 "-D\n-A always,exit -F arch=b64 -S chmod"},
	{"prepend-deletes", WARNING_OF_HOST, "-A that deletes",
	 "In audit 4.0.4 to 4.1.0, -A deletes the rule instead of adding it.",
	 "Use -a, or another version of audit.",
	 "$ printf '%s\\n' -D '-A always,exit -F arch=b64 -S chmod' >a.rules\n"
	 "$ auditopt check --auditctl=4.0.4 a.rules",
	 "-D\n-a always,exit -F arch=b64 -S chmod"},
	{0}};
