/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/passes_cases.h"

#include <stddef.h>

#define NL "\n"
#define DUPLICATES &pass_duplicates
#define UNSATISFIABLE &pass_unsatisfiable
#define SHADOWED &pass_shadowed
#define USELESS &pass_useless_never
#define MERGE &pass_merge

static const struct passes_case cases[] = {
	/* duplicates */
	{DUPLICATES, 0, "the same to the letter",
	 "arch=b64 calls=open auid=5 key=a" NL
	 "arch=b64 calls=open auid=5 key=a",
	 "arch=b64 calls=open auid=5 key=a"},
	{DUPLICATES, 0, "tests in another order",
	 "arch=b64 calls=open auid=5 success=0 key=a" NL
	 "arch=b64 calls=chmod key=b" NL
	 "success=0 arch=b64 calls=open auid=5 key=a",
	 "arch=b64 calls=open auid=5 success=0 key=a" NL
	 "arch=b64 calls=chmod key=b"},
	{DUPLICATES, 0, "three of them",
	 "arch=b64 calls=open auid=5 success=0" NL
	 "arch=b64 calls=open success=0 auid=5" NL
	 "success=0 arch=b64 calls=open auid=5",
	 "arch=b64 calls=open auid=5 success=0"},
	{DUPLICATES, 0, "another key is another outcome",
	 "calls=open auid=5 success=0 key=a" NL
	 "calls=open success=0 auid=5 key=b",
	 NULL},
	{DUPLICATES, 0, "no key is another outcome than a key",
	 "calls=open auid=5 success=0 key=a" NL "calls=open success=0 auid=5",
	 NULL},
	{DUPLICATES, 0, "another action",
	 "calls=open auid=5 success=0" NL "never calls=open success=0 auid=5",
	 NULL},
	{DUPLICATES, 0, "other calls",
	 "calls=open auid=5 success=0" NL "calls=open,creat success=0 auid=5",
	 NULL},
	{DUPLICATES, 0, "the other ABI",
	 "arch=b64 calls=56 auid=5" NL "arch=b32 calls=56 auid=5", NULL},
	{DUPLICATES, 0, "any ABI is not one ABI",
	 "arch=b64 calls=56 auid=5" NL "calls=56 auid=5", NULL},
	{DUPLICATES, 0, "other filters: what the kernel refuses",
	 "exclude msgtype=CWD" NL "exclude msgtype=EOE" NL
	 "exclude msgtype=CWD",
	 "exclude msgtype=CWD" NL "exclude msgtype=EOE"},
	{DUPLICATES, 0, "other filters: nothing but that",
	 "user uid=0 pid=1" NL "user pid=1 uid=0", NULL},
	{DUPLICATES, 0, "an unsettled watch twice",
	 "watch unsettled path=/x perm=wa key=a" NL
	 "watch unsettled path=/x perm=wa key=a",
	 "watch unsettled path=/x perm=wa key=a"},
	{DUPLICATES, 0, "unsettled: nothing but what the kernel refuses",
	 "unsettled path=/x perm=wa uid=1 key=a" NL
	 "unsettled path=/x uid=1 perm=wa key=a",
	 NULL},
	{DUPLICATES, 0, "classes of calls are not known",
	 "calls=none classes=1 uid=1 gid=1" NL
	 "calls=none classes=1 gid=1 uid=1",
	 NULL},
	{DUPLICATES, 0, "the same file",
	 "path=/x perm=wa key=a" NL "arch=b64 calls=getpid key=b" NL
	 "perm=wa path=/x key=a",
	 "path=/x perm=wa key=a" NL "arch=b64 calls=getpid key=b"},
	{DUPLICATES, 0, "a replaced file's rules are turned round",
	 "path=/x perm=wa key=a" NL "path=/x perm=w key=b" NL
	 "perm=wa path=/x key=a",
	 NULL},
	{DUPLICATES, 0, "a list rule between, when they are turned round",
	 "path=/x perm=wa key=a" NL "arch=b64 calls=open key=b" NL
	 "perm=wa path=/x key=a",
	 NULL},
	{DUPLICATES, 0, "another file",
	 "path=/x perm=wa key=a" NL "perm=wa path=/y key=a", NULL},
	{DUPLICATES, 0, "audit_match_signal looks at the last arch",
	 "arch!=b32 calls=62 key=a" NL "arch=b64 calls=62 key=a", NULL},

	/* unsatisfiable */
	{UNSATISFIABLE, 1, "an empty interval",
	 "calls=open key=a" NL "calls=creat auid>=1000 auid<500",
	 "calls=open key=a"},
	{UNSATISFIABLE, 1, "two values",
	 "calls=open key=a" NL "calls=creat uid=0 uid=1", "calls=open key=a"},
	{UNSATISFIABLE, 1, "in a bucket",
	 "calls=open key=a" NL "calls=creat path=/x uid=0 uid=1",
	 "calls=open key=a"},
	{UNSATISFIABLE, 1, "calls that perm never lets through",
	 "calls=open key=a" NL "arch=b64 calls=getpid perm=wa",
	 "calls=open key=a"},
	{UNSATISFIABLE, 1, "calls that never name a file",
	 "calls=open key=a" NL "arch=b64 calls=getpid,futex dir=/x key=b" NL
	 "arch=b64 calls=getpid path=/x key=b" NL
	 "arch=b64 calls=getpid obj_uid!=5 key=b" NL
	 "unsettled arch=b64 calls=getpid path=/x key=b",
	 "calls=open key=a"},
	{UNSATISFIABLE, 1, "such calls, and one that may",
	 "calls=open key=a" NL "arch=b64 calls=getpid,poll dir=/x key=b", NULL},
	{UNSATISFIABLE, 1, "such calls, of one ABI",
	 "calls=open key=a" NL "calls=39 dir=/x key=b", NULL},
	{UNSATISFIABLE, 1, "such calls, without a file of that type",
	 "calls=open key=a" NL "arch=b64 calls=getpid filetype!=file key=b",
	 NULL},
	{UNSATISFIABLE, 1, "both arches",
	 "calls=open key=a" NL "arch=b64 arch=b32 calls=1", "calls=open key=a"},
	{UNSATISFIABLE, 1, "in io_uring",
	 "calls=open key=a" NL "io_uring calls=1 uid=0 uid=1",
	 "calls=open key=a"},
	{UNSATISFIABLE, 1, "auid unset is above any limit",
	 "calls=open key=a" NL "calls=creat auid>=1000 auid=unset", NULL},
	{UNSATISFIABLE, 1, "supplementary groups",
	 "calls=open key=a" NL "calls=creat gid=5 gid=6", NULL},
	{UNSATISFIABLE, 1, "two names have two owners",
	 "calls=open key=a" NL "calls=creat obj_uid=0 obj_uid=1", NULL},
	{UNSATISFIABLE, 1, "neither arch, but io_uring has none",
	 "calls=open key=a" NL "arch!=b64 arch!=b32 calls=0,1 path=/x key=b",
	 NULL},
	{UNSATISFIABLE, 1, "neither arch, and call 0 not in the mask",
	 "calls=open key=a" NL "arch!=b64 arch!=b32 calls=1,2 path=/x key=b",
	 "calls=open key=a"},
	{UNSATISFIABLE, 1, "an unsettled watch may get other fields",
	 "key=a" NL "unsettled path=/x perm=wa uid=0 uid=1", NULL},
	{UNSATISFIABLE, 1, "classes of calls are not known",
	 "calls=open key=a" NL "calls=none classes=1 uid=0 uid=1", NULL},
	{UNSATISFIABLE, 1, "other filters stay as they came",
	 "calls=open key=a" NL "user uid=0 uid=1", NULL},
	{UNSATISFIABLE, 1, "without a counted rule contexts are dummies",
	 "exclude msgtype=CWD" NL "calls=creat uid=0 uid=1", NULL},
	{UNSATISFIABLE, 1, "a task rule counts",
	 "task uid=5" NL "calls=creat uid=0 uid=1", "task uid=5"},
	{UNSATISFIABLE, 2, "dummies do not matter at level 2",
	 "exclude msgtype=CWD calls=none" NL "calls=creat uid=0 uid=1",
	 "exclude msgtype=CWD calls=none"},
	{UNSATISFIABLE, 1, "the only rule with kill: no OBJ_PID without it",
	 "arch=b64 calls=open key=a" NL "arch=b64 calls=kill uid=0 uid=1",
	 NULL},
	{UNSATISFIABLE, 1, "another rule with kill",
	 "arch=b64 calls=kill key=a" NL "arch=b64 calls=kill uid=0 uid=1",
	 "arch=b64 calls=kill key=a"},
	{UNSATISFIABLE, 1, "arch!=b32 with kill does not count",
	 "arch!=b32 calls=62 key=a" NL "arch=b64 calls=62 uid=0 uid=1", NULL},
	{UNSATISFIABLE, 1, "-q extends trees that exist",
	 "calls=open dir=/x uid=0 uid=1" NL "calls=open dir=/x epoch=1", NULL},
	{UNSATISFIABLE, 1, "no tree after -q",
	 "calls=open dir=/x uid=0 uid=1" NL "calls=open epoch=1",
	 "calls=open epoch=1"},

	/* shadowed */
	{SHADOWED, 1, "all calls of an ABI",
	 "arch=b32 key=32bit" NL "arch=b32 calls=init_module key=modules" NL
	 "arch=b64 calls=init_module key=modules" NL
	 "arch=b32 calls=chmod auid>=1000 auid!=unset key=perm",
	 "arch=b32 key=32bit" NL "arch=b64 calls=init_module key=modules"},
	{SHADOWED, 1, "a never rule that comes too late",
	 "arch=b64 calls=execve key=exec" NL
	 "never arch=b64 calls=execve exe=/usr/sbin/cron",
	 "arch=b64 calls=execve key=exec"},
	{SHADOWED, 1, "a wider interval",
	 "arch=b64 calls=open auid>=1000 key=a" NL
	 "arch=b64 calls=open auid>=2000 success=0 key=b",
	 "arch=b64 calls=open auid>=1000 key=a"},
	{SHADOWED, 1, "another key, else the same",
	 "arch=b64 calls=open auid=5 key=a" NL
	 "arch=b64 calls=open auid=5 key=b",
	 "arch=b64 calls=open auid=5 key=a"},
	{SHADOWED, 1, "in the list neither credentials nor keys are a hurdle",
	 "arch=b64 calls=open path=/x" NL "arch=b64 calls=open uid=0" NL
	 "arch=b64 calls=open uid=0 success=0 key=b",
	 "arch=b64 calls=open path=/x" NL "arch=b64 calls=open uid=0"},
	{SHADOWED, 1, "several rules together",
	 "arch=b64 calls=open key=a" NL "arch=b64 calls=creat auid=5 key=b" NL
	 "never arch=b64 calls=open,creat auid=5",
	 "arch=b64 calls=open key=a" NL "arch=b64 calls=creat auid=5 key=b"},
	{SHADOWED, 1, "two ABIs together",
	 "arch=b64 calls=7 key=a" NL "arch=b32 calls=7 key=b" NL
	 "calls=7 auid=5 key=c",
	 "arch=b64 calls=7 key=a" NL "arch=b32 calls=7 key=b"},
	{SHADOWED, 1, "calls of a rule",
	 "arch=b64 calls=open,creat key=a" NL
	 "arch=b64 calls=open,chmod auid=5 key=b",
	 "arch=b64 calls=open,creat key=a" NL
	 "arch=b64 calls=chmod auid=5 key=b"},
	{SHADOWED, 1, "a number that the other ABI needs",
	 "arch=b64 calls=7 key=a" NL "calls=7,8 auid=5 key=b", NULL},
	{SHADOWED, 1, "what the first matches is less",
	 "arch=b64 calls=open auid>=1000 auid!=unset key=a" NL
	 "arch=b64 calls=open auid>=1000 key=b",
	 NULL},
	{SHADOWED, 1, "two halves are not asked for",
	 "arch=b64 calls=open auid<1000 key=a" NL
	 "arch=b64 calls=open auid>=1000 key=a" NL "arch=b64 calls=open key=b",
	 NULL},
	{SHADOWED, 1, "a long list instead of all",
	 "calls=open,creat key=a" NL "auid=5 key=b", NULL},
	{SHADOWED, 1, "a list rule behind a bucket rule",
	 "arch=b64 calls=open path=/x key=a" NL "arch=b64 calls=open key=b",
	 NULL},
	{SHADOWED, 1, "a bucket rule behind a list rule",
	 "arch=b64 calls=open,creat key=a" NL
	 "arch=b64 calls=open path=/x success=0 key=b",
	 "arch=b64 calls=open,creat key=a"},
	{SHADOWED, 1, "a bucket rule that lends its key when the file goes",
	 "arch=b64 calls=open,creat" NL "arch=b64 calls=open path=/x key=b",
	 NULL},
	{SHADOWED, 1, "that lends it to another rule than the one that shadows",
	 "arch=b64 calls=open uid=0" NL "arch=b64 calls=open key=a" NL
	 "arch=b64 calls=open path=/x key=b",
	 NULL},
	{SHADOWED, 1, "credentials are not the same when a file goes",
	 "arch=b64 calls=open uid=0 key=a" NL
	 "arch=b64 calls=open path=/x uid=0 key=b",
	 NULL},
	{SHADOWED, 1, "auid is",
	 "arch=b64 calls=open auid=5 key=a" NL
	 "arch=b64 calls=open path=/x auid=5 uid=0 key=b",
	 "arch=b64 calls=open auid=5 key=a"},
	{SHADOWED, 1, "a bucket rule that wins when the file goes",
	 "arch=b64 calls=open path=/y" NL "arch=b64 calls=open key=a" NL
	 "arch=b64 calls=open path=/x key=b",
	 NULL},
	{SHADOWED, 1, "an unsettled watch that wins when the file goes",
	 "unsettled path=/y perm=w key=c" NL "key=a" NL "path=/x perm=w key=b",
	 NULL},
	{SHADOWED, 1, "a rule that may be one, too",
	 "calls=none classes=1" NL "arch=b64 calls=open key=a" NL
	 "arch=b64 calls=open path=/x key=b",
	 NULL},
	{SHADOWED, 1, "io_uring sees buckets but not the list",
	 "key=a" NL "calls=0,1,2 path=/x key=b",
	 "key=a" NL "calls=0 path=/x key=b"},
	{SHADOWED, 1, "io_uring has no arch",
	 "key=a" NL "arch=b64 calls=0,1,2 path=/x key=b", "key=a"},
	{SHADOWED, 1, "perm never lets call 0 through",
	 "key=a" NL "path=/x perm=wa key=b", "key=a"},
	{SHADOWED, 1, "io_uring has neither ABI's arch",
	 "arch=b64 calls=0 path=/x key=a" NL "arch=b32 calls=0 path=/x key=a" NL
	 "calls=0 path=/x key=a",
	 NULL},
	{SHADOWED, 1, "two rules of a file",
	 "path=/x perm=wa key=a" NL "arch=b64 calls=open path=/x perm=w key=a",
	 "path=/x perm=wa key=a"},
	{SHADOWED, 1, "two rules of an inode",
	 "inode=7 perm=wa key=a" NL "inode=7 perm=w key=a",
	 "inode=7 perm=wa key=a"},
	{SHADOWED, 1, "two rules of a file, turned round",
	 "path=/x perm=wa key=a" NL "path=/x perm=w key=b", NULL},
	{SHADOWED, 1, "a third one between, turned round",
	 "path=/x perm=wa key=a" NL "path=/x perm=w uid=5 key=b" NL
	 "path=/x perm=w key=a",
	 NULL},
	{SHADOWED, 1, "what would be left of the last one is there already",
	 "never key=a" NL "path=/x key=b" NL "never path=/x key=b" NL
	 "calls=0,1 path=/x key=b",
	 "never key=a" NL "calls=0 path=/x key=b" NL
	 "never calls=0 path=/x key=b" NL "calls=0,1 path=/x key=b"},
	{SHADOWED, 1, "two files",
	 "path=/x perm=wa key=a" NL "path=/y perm=w key=a", NULL},
	{SHADOWED, 1, "path= is no more than a name",
	 "dir=/etc perm=wa key=a" NL "path=/etc/x perm=w key=a", NULL},
	{SHADOWED, 1, "an unsettled watch is no shadow of a file",
	 "unsettled path=/x perm=wa key=a" NL "path=/x perm=wa key=a", NULL},
	{SHADOWED, 1, "nor of a list rule",
	 "unsettled path=/x perm=wa key=a" NL "dir=/x perm=wa key=a", NULL},
	{SHADOWED, 1, "an unsettled watch is shadowed either way",
	 "key=a" NL "watch unsettled path=/x perm=wa key=b", "key=a"},
	{SHADOWED, 1, "an unsettled watch may be a bucket rule",
	 "path=/y perm=w key=a" NL "key=a" NL
	 "watch unsettled path=/x perm=wa key=b",
	 NULL},
	{SHADOWED, 1, "an unsettled watch over the other calls stays whole",
	 "arch=b64 calls=open key=a" NL
	 "unsettled calls=open,creat path=/x perm=wa key=b",
	 NULL},
	{SHADOWED, 1, "classes of calls shadow nothing",
	 "calls=all classes=1 key=a" NL "arch=b64 calls=open key=b", NULL},
	{SHADOWED, 1, "classes of calls are not known",
	 "key=a" NL "calls=open classes=1 key=b", NULL},
	{SHADOWED, 1, "other filters stay as they came",
	 "user uid=0 key=a" NL "user uid=0 pid=1 key=b", NULL},
	{SHADOWED, 1, "an operation",
	 "io_uring calls=18,19 key=a" NL "io_uring calls=18,28 uid=5 key=b",
	 "io_uring calls=18,19 key=a" NL "io_uring calls=28 uid=5 key=b"},
	{SHADOWED, 1, "calls are no operations",
	 "key=a" NL "io_uring calls=18 key=b", NULL},
	{SHADOWED, 1, "calls are no operations, with the same conditions",
	 "io_uring calls=1 key=a" NL "calls=18 key=b" NL
	 "io_uring calls=18 key=c",
	 NULL},
	{SHADOWED, 1, "operations are no calls",
	 "io_uring key=a" NL "calls=18 key=b", NULL},
	{SHADOWED, 1, "an io_uring rule in a bucket is asked by calls",
	 "io_uring path=/x key=a" NL "io_uring calls=18 path=/x uid=5 key=a",
	 NULL},
	{SHADOWED, 1, "the only rule that audit_match_signal counts",
	 "arch!=b32 calls=62 key=a" NL "arch=b64 calls=62 key=b", NULL},
	{SHADOWED, 1, "that call of the only rule",
	 "arch!=b32 calls=62 key=a" NL "arch=b64 calls=2,62 key=b", NULL},
	{SHADOWED, 1, "-q extends trees that exist",
	 "calls=open key=a" NL "calls=open dir=/x key=b" NL
	 "calls=creat dir=/x key=b epoch=1",
	 NULL},

	/* useless_never */
	{USELESS, 1, "nothing behind it",
	 "arch=b64 calls=open key=a" NL "never arch=b64 calls=getpid",
	 "arch=b64 calls=open key=a"},
	{USELESS, 1, "other calls behind it",
	 "never arch=b64 calls=getpid" NL "arch=b64 calls=open key=a",
	 "arch=b64 calls=open key=a"},
	{USELESS, 1, "other users behind it",
	 "never arch=b64 calls=getpid uid=5" NL
	 "arch=b64 calls=getpid uid=6 key=a",
	 "arch=b64 calls=getpid uid=6 key=a"},
	{USELESS, 1, "never rules behind each other",
	 "arch=b64 calls=open" NL "never arch=b64 calls=getpid uid=5" NL
	 "never arch=b64 calls=getpid",
	 "arch=b64 calls=open"},
	{USELESS, 1, "a part of its calls",
	 "never arch=b64 calls=getpid,getuid" NL
	 "arch=b64 calls=getuid uid=6 key=a",
	 "never arch=b64 calls=getuid" NL "arch=b64 calls=getuid uid=6 key=a"},
	{USELESS, 1, "calls that can log by themselves",
	 "arch=b64 calls=open key=a" NL "never arch=b64 calls=openat", NULL},
	{USELESS, 2, "... do not count at level 2",
	 "arch=b64 calls=open key=a" NL "never arch=b64 calls=openat",
	 "arch=b64 calls=open key=a"},
	{USELESS, 1, "those stay",
	 "arch=b64 calls=open key=a" NL "never arch=b64 calls=getpid,openat",
	 "arch=b64 calls=open key=a" NL "never arch=b64 calls=openat"},
	{USELESS, 1, "39 is getpid here and mkdir there",
	 "arch=b64 calls=open key=a" NL "never calls=39", NULL},
	{USELESS, 2, "all calls to those that are needed",
	 "never auid=unset" NL "arch=b64 calls=open,creat key=a",
	 "never calls=2,85 auid=unset" NL "arch=b64 calls=open,creat key=a"},
	{USELESS, 1, "all calls to a long list",
	 "never auid=unset" NL "arch=b64 calls=open,creat key=a", NULL},
	{USELESS, 1, "a rule behind it",
	 "never arch=b64 calls=getpid uid=5" NL "arch=b64 calls=getpid key=a",
	 NULL},
	{USELESS, 1, "supplementary groups",
	 "never arch=b64 calls=getpid gid=5" NL
	 "arch=b64 calls=getpid gid=6 key=a",
	 NULL},
	{USELESS, 2, "a bucket rule behind it",
	 "never arch=b64 calls=openat" NL "arch=b64 calls=openat path=/x key=a",
	 NULL},
	{USELESS, 1, "a bucket rule behind it, of a call that names no file",
	 "never arch=b64 calls=getpid" NL "arch=b64 calls=getpid path=/x key=a",
	 "arch=b64 calls=getpid path=/x key=a"},
	{USELESS, 1, "a tree behind it, of a call that names no file",
	 "never arch=b64 calls=getpid" NL
	 "arch=b64 calls=getpid,open dir=/x key=a",
	 "arch=b64 calls=getpid,open dir=/x key=a"},
	{USELESS, 1, "files of another type behind it, or none",
	 "never arch=b64 calls=getpid" NL
	 "arch=b64 calls=getpid,open filetype!=file key=a",
	 NULL},
	{USELESS, 1, "labels behind it, which not only files have",
	 "never arch=b64 calls=getpid" NL
	 "arch=b64 calls=getpid,open obj_type=t key=a",
	 NULL},
	{USELESS, 2, "an unsettled watch behind it",
	 "never arch=b64 calls=openat" NL "unsettled calls=257 path=/x key=a",
	 NULL},
	{USELESS, 1, "an unsettled watch behind it, of a call that names none",
	 "never arch=b64 calls=getpid" NL
	 "unsettled arch=b64 calls=getpid path=/x key=a",
	 "unsettled arch=b64 calls=getpid path=/x key=a"},
	{USELESS, 1, "classes of calls behind it",
	 "never arch=b64 calls=getpid" NL "calls=none classes=1 key=a", NULL},
	{USELESS, 2, "another user's bucket rule, but whose credentials?",
	 "never arch=b64 calls=openat uid=5" NL
	 "arch=b64 calls=openat path=/x uid=6 key=a",
	 NULL},
	{USELESS, 2, "another login's bucket rule",
	 "never arch=b64 calls=openat auid=5" NL
	 "arch=b64 calls=openat path=/x auid=6 key=a",
	 "arch=b64 calls=openat path=/x auid=6 key=a"},
	{USELESS, 2, "another user's rule, but several walks in one call",
	 "never arch=b64 calls=io_uring_enter uid=5" NL
	 "arch=b64 calls=io_uring_enter uid=6 key=a",
	 NULL},
	{USELESS, 2, "io_uring behind it",
	 "never arch=b64 calls=openat" NL "io_uring calls=18 key=a", NULL},
	{USELESS, 2, "io_uring in front of it",
	 "io_uring calls=18 key=a" NL "never arch=b64 calls=openat",
	 "io_uring calls=18 key=a"},
	{USELESS, 2, "a key that a bucket rule inherits",
	 "arch=b64 calls=openat path=/x" NL
	 "never arch=b64 calls=openat key=lent",
	 NULL},
	{USELESS, 1, "a key that no bucket rule can inherit",
	 "arch=b64 calls=getpid path=/x" NL
	 "never arch=b64 calls=getpid key=lent",
	 "arch=b64 calls=getpid path=/x"},
	{USELESS, 2, "a key that nobody inherits",
	 "arch=b64 calls=openat path=/x key=a" NL "arch=b64 calls=openat" NL
	 "never arch=b64 calls=openat key=lent",
	 "arch=b64 calls=openat path=/x key=a" NL "arch=b64 calls=openat"},
	{USELESS, 2, "no key to inherit",
	 "arch=b64 calls=openat path=/x" NL "never arch=b64 calls=openat",
	 "arch=b64 calls=openat path=/x"},
	{USELESS, 2, "a key that an unsettled watch may inherit",
	 "unsettled calls=257 path=/x" NL
	 "never arch=b64 calls=openat key=lent",
	 NULL},
	{USELESS, 2, "a key that a list rule inherits in a later walk",
	 "arch=b64 calls=io_uring_enter uid=6" NL
	 "never arch=b64 calls=io_uring_enter key=lent",
	 NULL},
	{USELESS, 2, "a key that io_uring inherits",
	 "io_uring calls=18" NL "never arch=b64 calls=openat key=lent", NULL},
	{USELESS, 1, "without a counted rule contexts are dummies",
	 "never arch=b64 calls=getpid", NULL},
	{USELESS, 2, "dummies do not matter at level 2",
	 "never arch=b64 calls=openat", ""},
	{USELESS, 1, "bucket rules",
	 "arch=b64 calls=open" NL "never arch=b64 calls=getpid path=/x", NULL},
	{USELESS, 1, "unsettled watches",
	 "arch=b64 calls=open" NL "never unsettled calls=39 path=/x", NULL},
	{USELESS, 1, "operations may log",
	 "arch=b64 calls=open" NL "never io_uring calls=39", NULL},
	{USELESS, 2, "an operation",
	 "arch=b64 calls=open" NL "never io_uring calls=39",
	 "arch=b64 calls=open"},
	{USELESS, 2, "an operation, and rules for other calls behind it",
	 "never io_uring calls=39" NL "arch=b64 calls=open", NULL},
	{USELESS, 1, "always rules", "arch=b64 calls=getpid", NULL},
	{USELESS, 2, "other filters", "never user pid=5", NULL},
	{USELESS, 2, "classes of calls are not known",
	 "never calls=none classes=1", NULL},

	/* merge */
	{MERGE, 1, "two rules",
	 "arch=b64 calls=open auid=5 key=a" NL
	 "auid=5 arch=b64 calls=creat key=a",
	 "arch=b64 calls=open,creat auid=5 key=a"},
	{MERGE, 1, "never rules",
	 "never arch=b64 calls=open exe=/x" NL
	 "never arch=b64 calls=creat exe=/x",
	 "never arch=b64 calls=open,creat exe=/x"},
	{MERGE, 1, "over a rule for other calls",
	 "arch=b64 calls=open key=a" NL "never arch=b64 calls=chmod" NL
	 "arch=b64 calls=creat key=a",
	 "arch=b64 calls=open,creat key=a" NL "never arch=b64 calls=chmod"},
	{MERGE, 1, "over a rule for the first one's calls",
	 "arch=b64 calls=open key=a" NL "never arch=b64 calls=open uid=5" NL
	 "arch=b64 calls=creat key=a",
	 "arch=b64 calls=open,creat key=a" NL
	 "never arch=b64 calls=open uid=5"},
	{MERGE, 1, "over a rule for other users",
	 "arch=b64 calls=open uid=6 key=a" NL
	 "never arch=b64 calls=creat uid=5" NL
	 "arch=b64 calls=creat uid=6 key=a",
	 "arch=b64 calls=open,creat uid=6 key=a" NL
	 "never arch=b64 calls=creat uid=5"},
	{MERGE, 1, "over a rule with the same outcome",
	 "arch=b64 calls=open uid=6 key=a" NL
	 "arch=b64 calls=creat gid=5 key=a" NL
	 "arch=b64 calls=creat uid=6 key=a",
	 "arch=b64 calls=open,creat uid=6 key=a" NL
	 "arch=b64 calls=creat gid=5 key=a"},
	{MERGE, 1, "a rule with another outcome between",
	 "arch=b64 calls=open key=a" NL "never arch=b64 calls=creat uid=5" NL
	 "arch=b64 calls=creat key=a",
	 NULL},
	{MERGE, 1, "a rule with another key between",
	 "arch=b64 calls=open key=a" NL "arch=b64 calls=creat uid=5 key=b" NL
	 "arch=b64 calls=creat key=a",
	 NULL},
	{MERGE, 1, "the nearest one that it can reach",
	 "arch=b64 calls=open key=a" NL "never arch=b64 calls=creat uid=5" NL
	 "arch=b64 calls=creat key=a" NL "arch=b64 calls=chmod key=a",
	 "arch=b64 calls=open key=a" NL "never arch=b64 calls=creat uid=5" NL
	 "arch=b64 calls=creat,chmod key=a"},
	{MERGE, 1, "the first name decides: no bucket rule between",
	 "arch=b64 calls=open key=a" NL "arch=b64 calls=creat path=/x key=a" NL
	 "arch=b64 calls=creat key=a",
	 NULL},
	{MERGE, 1, "a bucket rule for other calls",
	 "arch=b64 calls=open key=a" NL "arch=b64 calls=chmod path=/x key=b" NL
	 "arch=b64 calls=creat key=a",
	 "arch=b64 calls=open,creat key=a" NL
	 "arch=b64 calls=chmod path=/x key=b"},
	{MERGE, 1, "a bucket rule for another user, but whose credentials?",
	 "arch=b64 calls=open uid=5 key=a" NL
	 "arch=b64 calls=creat path=/x uid=6 key=a" NL
	 "arch=b64 calls=creat uid=5 key=a",
	 NULL},
	{MERGE, 1, "an unsettled watch between",
	 "arch=b64 calls=open key=a" NL "unsettled calls=85 path=/x key=a" NL
	 "arch=b64 calls=creat key=a",
	 NULL},
	{MERGE, 1, "classes of calls between",
	 "arch=b64 calls=open key=a" NL "calls=none classes=1 key=a" NL
	 "arch=b64 calls=creat key=a",
	 NULL},
	{MERGE, 1, "classes of calls between, for another login",
	 "arch=b64 calls=open auid=5 key=a" NL
	 "calls=none classes=1 auid=6 key=b" NL
	 "arch=b64 calls=creat auid=5 key=a",
	 NULL},
	{MERGE, 1, "io_uring between",
	 "arch=b64 calls=open key=a" NL "io_uring calls=18 key=b" NL
	 "arch=b64 calls=creat key=a",
	 NULL},
	{MERGE, 1, "other filters between",
	 "arch=b64 calls=open key=a" NL "exclude msgtype=CWD" NL
	 "arch=b64 calls=creat key=a",
	 "arch=b64 calls=open,creat key=a" NL "exclude msgtype=CWD"},
	{MERGE, 1, "another user's rule, but several walks in one call",
	 "arch=b64 calls=open uid=5 key=a" NL
	 "never arch=b64 calls=io_uring_enter uid=6" NL
	 "arch=b64 calls=io_uring_enter uid=5 key=a",
	 NULL},
	{MERGE, 1, "another key",
	 "arch=b64 calls=open key=a" NL "arch=b64 calls=creat key=b", NULL},
	{MERGE, 1, "no key",
	 "arch=b64 calls=open key=a" NL "arch=b64 calls=creat", NULL},
	{MERGE, 1, "another action",
	 "arch=b64 calls=open" NL "never arch=b64 calls=creat", NULL},
	{MERGE, 1, "the other ABI",
	 "arch=b64 calls=open key=a" NL "arch=b32 calls=creat key=a", NULL},
	{MERGE, 1, "other conditions",
	 "arch=b64 calls=open auid>=1000 key=a" NL
	 "arch=b64 calls=creat auid>=1000 auid!=unset key=a",
	 NULL},
	{MERGE, 1, "a -q between",
	 "arch=b64 calls=open dir=/x key=a" NL
	 "arch=b64 calls=creat dir=/x key=a epoch=1",
	 NULL},
	{MERGE, 1, "audit_match_signal looks at the last arch",
	 "arch!=b32 calls=2 key=a" NL "arch=b64 calls=62 key=a", NULL},
	{MERGE, 1, "two rules of a file",
	 "arch=b64 calls=open path=/x key=a" NL
	 "arch=b64 calls=creat path=/x key=a",
	 "arch=b64 calls=open,creat path=/x key=a"},
	{MERGE, 1, "two rules of a file, others with the same outcome between",
	 "arch=b64 calls=open path=/x key=a" NL
	 "arch=b64 calls=creat path=/y key=a" NL
	 "arch=b64 calls=creat path=/x key=a",
	 "arch=b64 calls=open,creat path=/x key=a" NL
	 "arch=b64 calls=creat path=/y key=a"},
	{MERGE, 1, "another name of the file between",
	 "arch=b64 calls=open path=/x key=a" NL
	 "arch=b64 calls=creat path=/y key=b" NL
	 "arch=b64 calls=creat path=/x key=a",
	 NULL},
	{MERGE, 1, "a list rule between two of a file",
	 "arch=b64 calls=open path=/x key=a" NL
	 "arch=b64 calls=creat uid=5 key=a" NL
	 "arch=b64 calls=creat path=/x key=a",
	 NULL},
	{MERGE, 1, "what the two would be is there already",
	 "arch=b64 calls=open,creat path=/x key=a" NL
	 "never arch=b64 calls=creat path=/x" NL
	 "arch=b64 calls=creat path=/x key=a" NL
	 "arch=b64 calls=open path=/x key=a",
	 NULL},
	{MERGE, 1, "two files",
	 "arch=b64 calls=open path=/x key=a" NL
	 "arch=b64 calls=creat path=/y key=a",
	 NULL},
	{MERGE, 1, "arch!=b32 lets io_uring through, arch=b64 does not",
	 "arch=b64 arch!=b32 calls=2 path=/x key=a" NL
	 "arch!=b32 calls=0 path=/x key=a",
	 NULL},
	{MERGE, 1, "unsettled watches",
	 "unsettled calls=2 path=/x key=a" NL
	 "unsettled calls=85 path=/x key=a",
	 NULL},
	{MERGE, 1, "classes of calls are not known",
	 "calls=none classes=1 key=a" NL "calls=none classes=2 key=a", NULL},
	{MERGE, 1, "operations",
	 "io_uring calls=18 uid=5 key=a" NL "io_uring calls=28 uid=5 key=a",
	 "io_uring calls=18,28 uid=5 key=a"},
	{MERGE, 1, "a rule for other operations between: one call runs many",
	 "io_uring calls=18 key=a" NL "io_uring calls=19 key=b" NL
	 "io_uring calls=28 key=a",
	 NULL},
	{MERGE, 1, "operations and calls",
	 "io_uring calls=18 key=a" NL "calls=19 key=a", NULL},
	{MERGE, 1, "other filters",
	 "user uid=5 pid=5" NL "user uid=5 pid=5 key=a", NULL},
};

const struct passes_case *passes_case(int i)
{
	if (i < 0 || (size_t)i >= sizeof(cases) / sizeof(cases[0]))
		return NULL;
	return &cases[i];
}
