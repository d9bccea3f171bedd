# SPDX-License-Identifier: GPL-2.0-or-later
# nginx under load from ab: four pages (600 bytes to 300 KB, one through
# a proxy), 6000 requests each with and without keep-alive, 16 at a
# time, and a twentieth of that for a page that is missing. Only nginx is
# counted. auid: unset, as daemons have it.
# Recorded 2026-11-30 by contrib/record-profile.sh with
# strace version 6.1, Linux 6.18.44 x86_64.
# nginx version: nginx/1.22.1, This is ApacheBench, Version 2.3
# call, how often, share that failed, share with auid unset
close                         96430 0.0000 1.0000
recvfrom                      72680 0.0000 1.0000
writev                        72600 0.0000 1.0000
write                         61200 0.0000 1.0000
readv                         59310 0.0000 1.0000
epoll_ctl                     58960 0.0000 1.0000
openat                        48630 0.0123 1.0000
newfstatat                    48038 0.0000 1.0000
sendfile                      48000 0.0000 1.0000
accept4                       36382 0.0001 1.0000
epoll_wait                    33027 0.0000 1.0000
ioctl                         24008 0.0000 1.0000
socket                        12006 0.0000 1.0000
connect                       12004 1.0000 1.0000
getsockopt                    12000 0.0000 1.0000
gettid                          600 0.0000 1.0000
setsockopt                       82 0.0000 1.0000
mmap                             58 0.0000 1.0000
read                             30 0.0000 1.0000
futex                            19 0.0000 1.0000
brk                              15 0.0000 1.0000
mprotect                         14 0.0000 1.0000
prctl                            14 0.5714 1.0000
rt_sigaction                     12 0.0000 1.0000
fcntl                             8 0.0000 1.0000
rt_sigprocmask                    7 0.0000 1.0000
recvmsg                           6 0.5000 1.0000
chown                             5 0.0000 1.0000
lseek                             5 0.0000 1.0000
mkdir                             5 0.0000 1.0000
listen                            4 0.0000 1.0000
socketpair                        4 0.0000 1.0000
epoll_create                      3 0.0000 1.0000
geteuid                           3 0.0000 1.0000
getpid                            3 0.0000 1.0000
munmap                            3 0.0000 1.0000
pread64                           3 0.0000 1.0000
prlimit64                         3 0.0000 1.0000
sendmsg                           3 0.0000 1.0000
set_robust_list                   3 0.0000 1.0000
wait4                             3 0.3333 1.0000
bind                              2 0.0000 1.0000
clone                             2 0.0000 1.0000
eventfd2                          2 0.0000 1.0000
rt_sigreturn                      2 1.0000 1.0000
rt_sigsuspend                     2 1.0000 1.0000
setgid                            2 0.0000 1.0000
setgroups                         2 0.0000 1.0000
setuid                            2 0.0000 1.0000
uname                             2 0.0000 1.0000
access                            1 1.0000 1.0000
arch_prctl                        1 0.0000 1.0000
dup2                              1 0.0000 1.0000
execve                            1 0.0000 1.0000
getppid                           1 0.0000 1.0000
getrandom                         1 0.0000 1.0000
pwrite64                          1 0.0000 1.0000
rseq                              1 0.0000 1.0000
set_tid_address                   1 0.0000 1.0000
sysinfo                           1 0.0000 1.0000
unlink                            1 0.0000 1.0000
