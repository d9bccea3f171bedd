# SPDX-License-Identifier: GPL-2.0-or-later
# make auditopt: gcc, as and ld for its source, flex and bison.
# auid: set, as a user who has logged in has it.
# Recorded 2026-11-30 by contrib/record-profile.sh with
# strace version 6.1, Linux 6.18.44 x86_64.
# gcc (Debian 12.2.0-14+deb12u1) 12.2.0, GNU Make 4.3
# call, how often, share that failed, share with auid unset
readlink                     141556 0.9966 0.0000
openat                       108155 0.7409 0.0000
newfstatat                    45184 0.2204 0.0000
rt_sigaction                  34411 0.0000 0.0000
read                          33912 0.0000 0.0000
mmap                          31172 0.0000 0.0000
close                         31107 0.0090 0.0000
lseek                         14959 0.0005 0.0000
write                         12134 0.0000 0.0000
brk                            8443 0.0000 0.0000
rt_sigprocmask                 8424 0.0000 0.0000
futex                          7193 0.0000 0.0000
access                         6152 0.6838 0.0000
mprotect                       5780 0.0000 0.0000
prlimit64                      1970 0.0000 0.0000
munmap                         1894 0.0000 0.0000
execve                         1851 0.5397 0.0000
ioctl                          1781 1.0000 0.0000
pread64                        1734 0.0000 0.0000
wait4                          1587 0.3239 0.0000
set_robust_list                1505 0.0000 0.0000
getgid                         1389 0.0000 0.0000
getuid                         1389 0.0000 0.0000
geteuid                        1306 0.0000 0.0000
getpid                         1241 0.0000 0.0000
fcntl                          1214 0.0016 0.0000
getegid                        1194 0.0000 0.0000
stat                            891 0.3648 0.0000
getrandom                       863 0.0000 0.0000
arch_prctl                      852 0.0000 0.0000
rseq                            852 0.0000 0.0000
set_tid_address                 852 0.0000 0.0000
clone                           653 0.0000 0.0000
getppid                         591 0.0000 0.0000
statfs                          554 1.0000 0.0000
sysinfo                         532 0.0000 0.0000
rt_sigreturn                    510 0.0000 0.0000
pipe2                           503 0.0000 0.0000
dup2                            475 0.0000 0.0000
getcwd                          354 0.0000 0.0000
dup                             352 0.0000 0.0000
vfork                           224 0.0000 0.0000
getpgrp                         197 0.0000 0.0000
uname                           197 0.0000 0.0000
clone3                          196 0.0000 0.0000
getpeername                     195 1.0000 0.0000
setresgid                       195 0.0000 0.0000
setresuid                       195 0.0000 0.0000
getdents64                      144 0.0000 0.0000
unlink                          134 0.0000 0.0000
faccessat2                      114 0.0000 0.0000
getrusage                       112 0.0000 0.0000
renameat2                       112 0.9911 0.0000
renameat                        111 0.0000 0.0000
mkdir                            58 0.9655 0.0000
umask                            50 0.0000 0.0000
chdir                            38 0.0000 0.0000
unlinkat                         16 0.6875 0.0000
fadvise64                         4 1.0000 0.0000
fstatfs                           2 0.0000 0.0000
sigaltstack                       2 0.0000 0.0000
chmod                             1 0.0000 0.0000
dup3                              1 0.0000 0.0000
