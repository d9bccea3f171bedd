# SPDX-License-Identifier: GPL-2.0-or-later
# nginx and PostgreSQL that run and have no work, for 60 seconds,
# and one round of df, find, ps, date and wc from a script, as a timer
# of systemd starts it. auid: unset, as both have it.
# Recorded 2026-11-30 by contrib/record-profile.sh with
# strace version 6.1, Linux 6.18.44 x86_64.
# nginx version: nginx/1.22.1, postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)
# call, how often, share that failed, share with auid unset
openat                          906 0.3565 1.0000
read                            643 0.0000 1.0000
close                           633 0.0016 1.0000
newfstatat                      426 0.2254 1.0000
epoll_wait                      386 0.0052 1.0000
mmap                            223 0.0000 1.0000
rt_sigaction                     52 0.0000 1.0000
fcntl                            47 0.0000 1.0000
mprotect                         38 0.0000 1.0000
brk                              34 0.0000 1.0000
rt_sigprocmask                   22 0.0000 1.0000
getdents64                       20 0.0000 1.0000
pread64                          20 0.0000 1.0000
statfs                           18 0.1111 1.0000
execve                           17 0.5294 1.0000
wait4                            15 0.3333 1.0000
munmap                           14 0.0000 1.0000
set_robust_list                  12 0.0000 1.0000
dup2                             11 0.0000 1.0000
lseek                            11 0.0909 1.0000
access                           10 0.9000 1.0000
getrandom                        10 0.0000 1.0000
rt_sigreturn                     10 0.5000 1.0000
getpid                            9 0.0000 1.0000
ioctl                             9 1.0000 1.0000
write                             9 0.0000 1.0000
arch_prctl                        8 0.0000 1.0000
futex                             8 0.0000 1.0000
prlimit64                         8 0.0000 1.0000
rseq                              8 0.0000 1.0000
set_tid_address                   8 0.0000 1.0000
prctl                             7 0.5714 1.0000
kill                              6 0.0000 1.0000
splice                            6 0.0000 1.0000
clone                             4 0.0000 1.0000
vfork                             4 0.0000 1.0000
geteuid                           3 0.0000 1.0000
epoll_ctl                         2 0.0000 1.0000
pselect6                          2 1.0000 1.0000
set_mempolicy                     2 0.0000 1.0000
uname                             2 0.0000 1.0000
epoll_create1                     1 0.0000 1.0000
fadvise64                         1 0.0000 1.0000
fchdir                            1 0.0000 1.0000
fdatasync                         1 0.0000 1.0000
fstatfs                           1 0.0000 1.0000
get_mempolicy                     1 0.0000 1.0000
getegid                           1 0.0000 1.0000
getgid                            1 0.0000 1.0000
getppid                           1 0.0000 1.0000
getuid                            1 0.0000 1.0000
pipe2                             1 0.0000 1.0000
pwrite64                          1 0.0000 1.0000
rt_sigsuspend                     1 1.0000 1.0000
sched_getaffinity                 1 0.0000 1.0000
setpgid                           1 0.0000 1.0000
setsid                            1 0.0000 1.0000
sigaltstack                       1 0.0000 1.0000
signalfd4                         1 0.0000 1.0000
timer_create                      1 0.0000 1.0000
timer_settime                     1 0.0000 1.0000
