/* SPDX-License-Identifier: Apache-2.0 */

/* Lists of system calls, and rules about arguments, for libseccomp. */

#include <config.h>

#include "process/call_filter.h"

#include <errno.h>
#include <string.h>

#ifdef HAVE_SECCOMP

#include <fcntl.h>
#include <linux/if_tun.h>
#include <linux/netlink.h>
#include <linux/sockios.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>

/* Which argument of clone() has the flags. */
#ifdef __s390__
#define CLONE_FLAGS SCMP_A1_64
#else
#define CLONE_FLAGS SCMP_A0_64
#endif

#define NAMESPACES                                                             \
    (CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC |             \
     CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET)

/* Of all processes; a machine has some of these.  What only another spelling of
 * a call is (32 bits, older kernels, newer C libraries) is beside it. */
static const int allowed[] = {
    /* Memory.  mmap and mprotect: add_memory(). */
    SCMP_SYS(brk),
    SCMP_SYS(madvise),
    SCMP_SYS(membarrier),
    SCMP_SYS(mincore),
    SCMP_SYS(mlock),
    SCMP_SYS(mlock2),
    SCMP_SYS(munlock),
    SCMP_SYS(mremap),
    SCMP_SYS(msync),
    SCMP_SYS(munmap),
    /* The process and its threads. */
    SCMP_SYS(arch_prctl),
    SCMP_SYS(capget),
    SCMP_SYS(capset), /* Which only gives capabilities up. */
    SCMP_SYS(exit),
    SCMP_SYS(exit_group),
    SCMP_SYS(futex),
    SCMP_SYS(futex_time64),
    SCMP_SYS(get_robust_list),
    SCMP_SYS(getcpu),
    SCMP_SYS(getegid),
    SCMP_SYS(getegid32),
    SCMP_SYS(geteuid),
    SCMP_SYS(geteuid32),
    SCMP_SYS(getgid),
    SCMP_SYS(getgid32),
    SCMP_SYS(getgroups),
    SCMP_SYS(getgroups32),
    SCMP_SYS(getpgid),
    SCMP_SYS(getpgrp),
    SCMP_SYS(getpid),
    SCMP_SYS(getppid),
    SCMP_SYS(getpriority),
    SCMP_SYS(getresgid),
    SCMP_SYS(getresgid32),
    SCMP_SYS(getresuid),
    SCMP_SYS(getresuid32),
    SCMP_SYS(getrlimit),
    SCMP_SYS(getrusage),
    SCMP_SYS(getsid),
    SCMP_SYS(gettid),
    SCMP_SYS(getuid),
    SCMP_SYS(getuid32),
    SCMP_SYS(pidfd_open),
    SCMP_SYS(prctl),
    SCMP_SYS(rseq),
    SCMP_SYS(sched_get_priority_max),
    SCMP_SYS(sched_get_priority_min),
    SCMP_SYS(sched_getaffinity),
    SCMP_SYS(sched_getparam),
    SCMP_SYS(sched_getscheduler),
    SCMP_SYS(sched_yield),
    SCMP_SYS(set_robust_list),
    SCMP_SYS(set_thread_area),
    SCMP_SYS(set_tid_address),
    SCMP_SYS(set_tls),
    SCMP_SYS(setrlimit),
    SCMP_SYS(sysinfo),
    SCMP_SYS(times),
    SCMP_SYS(ugetrlimit),
    SCMP_SYS(umask),
    SCMP_SYS(uname),
    SCMP_SYS(wait4),
    SCMP_SYS(waitid),
    SCMP_SYS(waitpid),
    /* Signals. */
    SCMP_SYS(kill),
    SCMP_SYS(pause),
    SCMP_SYS(pidfd_send_signal),
    SCMP_SYS(restart_syscall),
    SCMP_SYS(rt_sigaction),
    SCMP_SYS(rt_sigpending),
    SCMP_SYS(rt_sigprocmask),
    SCMP_SYS(rt_sigqueueinfo),
    SCMP_SYS(rt_sigreturn),
    SCMP_SYS(rt_sigsuspend),
    SCMP_SYS(rt_sigtimedwait),
    SCMP_SYS(rt_sigtimedwait_time64),
    SCMP_SYS(rt_tgsigqueueinfo),
    SCMP_SYS(sigaltstack),
    SCMP_SYS(signalfd),
    SCMP_SYS(signalfd4),
    SCMP_SYS(sigreturn),
    SCMP_SYS(tgkill),
    SCMP_SYS(tkill),
    /* Time. */
    SCMP_SYS(alarm),
    SCMP_SYS(clock_getres),
    SCMP_SYS(clock_getres_time64),
    SCMP_SYS(clock_gettime),
    SCMP_SYS(clock_gettime64),
    SCMP_SYS(clock_nanosleep),
    SCMP_SYS(clock_nanosleep_time64),
    SCMP_SYS(getitimer),
    SCMP_SYS(gettimeofday),
    SCMP_SYS(nanosleep),
    SCMP_SYS(setitimer),
    SCMP_SYS(time),
    SCMP_SYS(timer_create),
    SCMP_SYS(timer_delete),
    SCMP_SYS(timer_getoverrun),
    SCMP_SYS(timer_gettime),
    SCMP_SYS(timer_gettime64),
    SCMP_SYS(timer_settime),
    SCMP_SYS(timer_settime64),
    SCMP_SYS(timerfd_create),
    SCMP_SYS(timerfd_gettime),
    SCMP_SYS(timerfd_gettime64),
    SCMP_SYS(timerfd_settime),
    SCMP_SYS(timerfd_settime64),
    /* Descriptors, and waiting for them. */
    SCMP_SYS(_newselect),
    SCMP_SYS(close),
    SCMP_SYS(close_range),
    SCMP_SYS(dup),
    SCMP_SYS(dup2),
    SCMP_SYS(dup3),
    SCMP_SYS(epoll_create),
    SCMP_SYS(epoll_create1),
    SCMP_SYS(epoll_ctl),
    SCMP_SYS(epoll_pwait),
    SCMP_SYS(epoll_pwait2),
    SCMP_SYS(epoll_wait),
    SCMP_SYS(eventfd),
    SCMP_SYS(eventfd2),
    SCMP_SYS(fcntl),
    SCMP_SYS(fcntl64),
    SCMP_SYS(pipe),
    SCMP_SYS(pipe2),
    SCMP_SYS(poll),
    SCMP_SYS(ppoll),
    SCMP_SYS(ppoll_time64),
    SCMP_SYS(pselect6),
    SCMP_SYS(pselect6_time64),
    SCMP_SYS(select),
    /* Files. */
    SCMP_SYS(_llseek),
    SCMP_SYS(access),
    SCMP_SYS(chdir),
    SCMP_SYS(chmod),
    SCMP_SYS(chown),
    SCMP_SYS(chown32),
    SCMP_SYS(copy_file_range),
    SCMP_SYS(creat),
    SCMP_SYS(faccessat),
    SCMP_SYS(faccessat2),
    SCMP_SYS(fadvise64),
    SCMP_SYS(fadvise64_64),
    SCMP_SYS(fallocate),
    SCMP_SYS(fchdir),
    SCMP_SYS(fchmod),
    SCMP_SYS(fchmodat),
    SCMP_SYS(fchown),
    SCMP_SYS(fchown32),
    SCMP_SYS(fchownat),
    SCMP_SYS(fdatasync),
    SCMP_SYS(flock),
    SCMP_SYS(fstat),
    SCMP_SYS(fstat64),
    SCMP_SYS(fstatat64),
    SCMP_SYS(fstatfs),
    SCMP_SYS(fstatfs64),
    SCMP_SYS(fsync),
    SCMP_SYS(ftruncate),
    SCMP_SYS(ftruncate64),
    SCMP_SYS(getcwd),
    SCMP_SYS(getdents),
    SCMP_SYS(getdents64),
    SCMP_SYS(inotify_add_watch),
    SCMP_SYS(inotify_init),
    SCMP_SYS(inotify_init1),
    SCMP_SYS(inotify_rm_watch),
    SCMP_SYS(lchown),
    SCMP_SYS(lchown32),
    SCMP_SYS(link),
    SCMP_SYS(linkat),
    SCMP_SYS(lseek),
    SCMP_SYS(lstat),
    SCMP_SYS(lstat64),
    SCMP_SYS(mkdir),
    SCMP_SYS(mkdirat),
    SCMP_SYS(newfstatat),
    SCMP_SYS(open),
    SCMP_SYS(openat),
    SCMP_SYS(openat2),
    SCMP_SYS(pread64),
    SCMP_SYS(preadv),
    SCMP_SYS(preadv2),
    SCMP_SYS(pwrite64),
    SCMP_SYS(pwritev),
    SCMP_SYS(pwritev2),
    SCMP_SYS(read),
    SCMP_SYS(readahead),
    SCMP_SYS(readlink),
    SCMP_SYS(readlinkat),
    SCMP_SYS(readv),
    SCMP_SYS(rename),
    SCMP_SYS(renameat),
    SCMP_SYS(renameat2),
    SCMP_SYS(rmdir),
    SCMP_SYS(sendfile),
    SCMP_SYS(sendfile64),
    SCMP_SYS(stat),
    SCMP_SYS(stat64),
    SCMP_SYS(statfs),
    SCMP_SYS(statfs64),
    SCMP_SYS(statx),
    SCMP_SYS(sync_file_range),
    SCMP_SYS(truncate),
    SCMP_SYS(truncate64),
    SCMP_SYS(unlink),
    SCMP_SYS(unlinkat),
    SCMP_SYS(utime),
    SCMP_SYS(utimensat),
    SCMP_SYS(utimensat_time64),
    SCMP_SYS(utimes),
    SCMP_SYS(write),
    SCMP_SYS(writev),
    /* Sockets.  socket: add_sockets(). */
    SCMP_SYS(accept),
    SCMP_SYS(accept4),
    SCMP_SYS(bind),
    SCMP_SYS(connect),
    SCMP_SYS(getpeername),
    SCMP_SYS(getsockname),
    SCMP_SYS(getsockopt),
    SCMP_SYS(listen),
    SCMP_SYS(recv),
    SCMP_SYS(recvfrom),
    SCMP_SYS(recvmmsg),
    SCMP_SYS(recvmmsg_time64),
    SCMP_SYS(recvmsg),
    SCMP_SYS(send),
    SCMP_SYS(sendmmsg),
    SCMP_SYS(sendmsg),
    SCMP_SYS(sendto),
    SCMP_SYS(setsockopt),
    SCMP_SYS(shutdown),
    SCMP_SYS(socketpair),
    /* Random numbers. */
    SCMP_SYS(getrandom),
};

/* Of processes that start programs; these then have the filter, too. */
static const int allowed_programs[] = {
    SCMP_SYS(execve),
    SCMP_SYS(fork),
    SCMP_SYS(getxattr),
    SCMP_SYS(get_mempolicy),
    SCMP_SYS(sched_setaffinity),
    SCMP_SYS(setpgid),
    SCMP_SYS(setsid),
    SCMP_SYS(vfork),
};

/* The process is killed.  Without CALLS_OF_PROGRAMS, execve as well. */
static const int deadly[] = {
    SCMP_SYS(bpf),
    SCMP_SYS(chroot),
    SCMP_SYS(delete_module),
    SCMP_SYS(execveat),
    SCMP_SYS(finit_module),
    SCMP_SYS(fsconfig),
    SCMP_SYS(fsmount),
    SCMP_SYS(fsopen),
    SCMP_SYS(fspick),
    SCMP_SYS(init_module),
    SCMP_SYS(ioperm),
    SCMP_SYS(iopl),
    SCMP_SYS(kexec_file_load),
    SCMP_SYS(kexec_load),
    SCMP_SYS(mount),
    SCMP_SYS(move_mount),
    SCMP_SYS(open_tree),
    SCMP_SYS(perf_event_open),
    SCMP_SYS(pidfd_getfd),
    SCMP_SYS(pivot_root),
    SCMP_SYS(ptrace),
    SCMP_SYS(reboot),
    SCMP_SYS(swapoff),
    SCMP_SYS(swapon),
    SCMP_SYS(umount),
    SCMP_SYS(umount2),
    SCMP_SYS(unshare),
    SCMP_SYS(userfaultfd),
};

/* Of all processes: what stdio and libevent ask a descriptor. */
static const unsigned long ioctls[] = {
    FIOCLEX, FIONBIO, FIONCLEX, FIONREAD, TCGETS, TIOCGWINSZ,
};

static const unsigned long ioctls_interfaces[] = {
    SIOCGSTAMP,
    TUNGETIFF,
};

/* Of the helper that opens interfaces.  open, socket, setns and ioctl: by
 * arguments. */
static const int allowed_helper[] = {
    /* Memory, and the end. */
    SCMP_SYS(brk),
    SCMP_SYS(exit),
    SCMP_SYS(exit_group),
    SCMP_SYS(futex),
    SCMP_SYS(futex_time64),
    SCMP_SYS(madvise),
    SCMP_SYS(mremap),
    SCMP_SYS(munmap),
    /* A failed assertion, which is written and aborts. */
    SCMP_SYS(getpid),
    SCMP_SYS(gettid),
    SCMP_SYS(rt_sigaction),
    SCMP_SYS(rt_sigprocmask),
    SCMP_SYS(rt_sigreturn),
    SCMP_SYS(sigreturn),
    SCMP_SYS(tgkill),
    SCMP_SYS(write),
    SCMP_SYS(writev),
    /* Time and random numbers: of messages of netlink, and of malloc(). */
    SCMP_SYS(clock_gettime),
    SCMP_SYS(clock_gettime64),
    SCMP_SYS(getrandom),
    SCMP_SYS(gettimeofday),
    SCMP_SYS(restart_syscall),
    SCMP_SYS(time),
    /* Its channel, and what it opens. */
    SCMP_SYS(bind),
    SCMP_SYS(capget),
    SCMP_SYS(close),
    SCMP_SYS(fcntl),
    SCMP_SYS(fcntl64),
    SCMP_SYS(fstat),
    SCMP_SYS(fstat64),
    SCMP_SYS(fstatat64),
    SCMP_SYS(getsockname),
    SCMP_SYS(getsockopt),
    SCMP_SYS(newfstatat),
    SCMP_SYS(poll),
    SCMP_SYS(ppoll),
    SCMP_SYS(ppoll_time64),
    SCMP_SYS(recv),
    SCMP_SYS(recvfrom),
    SCMP_SYS(recvmsg),
    SCMP_SYS(sendmsg),
    SCMP_SYS(sendto),
    SCMP_SYS(setsockopt),
    SCMP_SYS(statx),
};

static const unsigned long ioctls_helper[] = {
    SIOCETHTOOL,    SIOCGIFINDEX, SIOCGIFNAME,
    TUNGETDEVNETNS, TUNGETIFF,    TUNSETIFF,
};

/* A filter that is being made; 'error' is the first one, negative. */
struct maker {
    scmp_filter_ctx filter;
    int error;
};

static void
note(struct maker *maker, int result)
{
    if (result && !maker->error) {
        maker->error = result;
    }
}

/* Adds a rule for a call with all arguments.  One that this machine does not
 * have needs none. */
static void
add(struct maker *maker, uint32_t action, int call)
{
    const int result =
        seccomp_rule_add_array(maker->filter, action, call, 0, NULL);

    note(maker, result == -EDOM ? 0 : result);
}

/* The same for a call whose argument 'comparison' describes. */
static void
add_if(struct maker *maker, uint32_t action, int call,
       struct scmp_arg_cmp comparison)
{
    const int result =
        seccomp_rule_add_array(maker->filter, action, call, 1, &comparison);

    note(maker, result == -EDOM ? 0 : result);
}

#define ADD_ALL(maker, action, list)                                           \
    do {                                                                       \
        for (size_t i_ = 0; i_ < sizeof(list) / sizeof *(list); i_++) {        \
            add(maker, action, (list)[i_]);                                    \
        }                                                                      \
    } while (0)

/* Compares the argument 'i' of a call with one value. */
static struct scmp_arg_cmp
argument(unsigned int i, enum scmp_compare how, scmp_datum_t value)
{
    return (struct scmp_arg_cmp){.arg = i, .op = how, .datum_a = value};
}

/* Code is loaded from files (dlopen()), never made. */
static void
add_memory(struct maker *maker)
{
    const int maps[] = {SCMP_SYS(mmap), SCMP_SYS(mmap2)};

    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
        add_if(maker, SCMP_ACT_ALLOW, maps[i],
               SCMP_A2_64(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
        add_if(
            maker, SCMP_ACT_ALLOW, maps[i],
            SCMP_A2_64(SCMP_CMP_MASKED_EQ, PROT_EXEC | PROT_WRITE, PROT_EXEC));
        add_if(maker, SCMP_ACT_ERRNO(EACCES), maps[i],
               SCMP_A2_64(SCMP_CMP_MASKED_EQ, PROT_EXEC | PROT_WRITE,
                          PROT_EXEC | PROT_WRITE));
    }
    add_if(maker, SCMP_ACT_ALLOW, SCMP_SYS(mprotect),
           SCMP_A2_64(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
    add_if(maker, SCMP_ACT_ERRNO(EACCES), SCMP_SYS(mprotect),
           SCMP_A2_64(SCMP_CMP_MASKED_EQ, PROT_EXEC, PROT_EXEC));
}

/* Threads, and processes if it starts programs.  clone3() has its flags in
 * memory, where no filter sees them; without it the C library uses clone(). */
static void
add_clone(struct maker *maker, bool programs)
{
    const int call = SCMP_SYS(clone);

    if (programs) {
        add_if(maker, SCMP_ACT_ALLOW, call,
               CLONE_FLAGS(SCMP_CMP_MASKED_EQ, NAMESPACES, 0));
    } else {
        add_if(maker, SCMP_ACT_ALLOW, call,
               CLONE_FLAGS(SCMP_CMP_MASKED_EQ, CLONE_THREAD | NAMESPACES,
                           CLONE_THREAD));
        add_if(maker, SCMP_ACT_ERRNO(EPERM), call,
               CLONE_FLAGS(SCMP_CMP_MASKED_EQ, CLONE_THREAD | NAMESPACES, 0));
    }
    for (scmp_datum_t flag = 1; flag <= NAMESPACES; flag <<= 1) {
        if (flag & NAMESPACES) {
            add_if(maker, SCMP_ACT_KILL_PROCESS, call,
                   CLONE_FLAGS(SCMP_CMP_MASKED_EQ, flag, flag));
        }
    }
}

/* Address families.  The C library asks rtnetlink for the addresses of this
 * machine when it resolves names. */
static void
add_sockets(struct maker *maker, bool internet, bool packets)
{
    const int call = SCMP_SYS(socket);

    for (int family = 0; family <= AF_PACKET; family++) {
        const bool used =
            family == AF_UNIX ||
            (internet && (family == AF_INET || family == AF_INET6)) ||
            (packets && family == AF_PACKET);

        if (family != AF_NETLINK) {
            add_if(maker, used ? SCMP_ACT_ALLOW : SCMP_ACT_ERRNO(EAFNOSUPPORT),
                   call, argument(0, SCMP_CMP_EQ, (scmp_datum_t)family));
        }
    }
    add_if(maker, SCMP_ACT_ERRNO(EAFNOSUPPORT), call,
           argument(0, SCMP_CMP_GT, AF_PACKET));
    note(maker, seccomp_rule_add(maker->filter, SCMP_ACT_ALLOW, call, 2,
                                 argument(0, SCMP_CMP_EQ, AF_NETLINK),
                                 argument(2, SCMP_CMP_EQ, NETLINK_ROUTE)));
    note(maker, seccomp_rule_add(maker->filter, SCMP_ACT_ERRNO(EPROTONOSUPPORT),
                                 call, 2, argument(0, SCMP_CMP_EQ, AF_NETLINK),
                                 argument(2, SCMP_CMP_NE, NETLINK_ROUTE)));
}

static void
add_ioctls(struct maker *maker, const unsigned long *list, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        add_if(maker, SCMP_ACT_ALLOW, SCMP_SYS(ioctl),
               argument(1, SCMP_CMP_EQ, list[i]));
    }
}

/* Entering a namespace, of networks only: an interface may be moved into one at
 * any time. */
static void
add_network_namespaces(struct maker *maker)
{
    add_if(maker, SCMP_ACT_ALLOW, SCMP_SYS(setns),
           argument(1, SCMP_CMP_EQ, CLONE_NEWNET));
    add_if(maker, SCMP_ACT_KILL_PROCESS, SCMP_SYS(setns),
           argument(1, SCMP_CMP_NE, CLONE_NEWNET));
}

static void
add_rules(struct maker *maker, unsigned int needs)
{
    const bool programs = needs & CALLS_OF_PROGRAMS;
    const bool interfaces = needs & CALLS_OF_INTERFACES;

    ADD_ALL(maker, SCMP_ACT_ALLOW, allowed);
    ADD_ALL(maker, SCMP_ACT_KILL_PROCESS, deadly);
    if (programs) {
        ADD_ALL(maker, SCMP_ACT_ALLOW, allowed_programs);
    } else {
        add(maker, SCMP_ACT_KILL_PROCESS, SCMP_SYS(execve));
    }
    add_memory(maker);
    add_clone(maker, programs);
    add_sockets(maker, true, false);
    add_ioctls(maker, ioctls, sizeof ioctls / sizeof *ioctls);
    if (interfaces) {
        add_ioctls(maker, ioctls_interfaces,
                   sizeof ioctls_interfaces / sizeof *ioctls_interfaces);
    }
    add(maker, SCMP_ACT_KILL_PROCESS, SCMP_SYS(setns));
    /* Limits of this process, not of another. */
    add_if(maker, SCMP_ACT_ALLOW, SCMP_SYS(prlimit64),
           argument(0, SCMP_CMP_EQ, 0));
}

/* The rules of a helper.  It opens files, and creates none. */
static void
add_helper_rules(struct maker *maker)
{
    ADD_ALL(maker, SCMP_ACT_ALLOW, allowed_helper);
    ADD_ALL(maker, SCMP_ACT_KILL_PROCESS, deadly);
    add(maker, SCMP_ACT_KILL_PROCESS, SCMP_SYS(execve));
    add_if(maker, SCMP_ACT_ALLOW, SCMP_SYS(open),
           SCMP_A1_64(SCMP_CMP_MASKED_EQ, O_CREAT | O_TRUNC | O_APPEND, 0));
    add_if(maker, SCMP_ACT_ALLOW, SCMP_SYS(openat),
           SCMP_A2_64(SCMP_CMP_MASKED_EQ, O_CREAT | O_TRUNC | O_APPEND, 0));
    add_memory(maker);
    add_sockets(maker, false, true);
    add_ioctls(maker, ioctls_helper,
               sizeof ioctls_helper / sizeof *ioctls_helper);
    add_network_namespaces(maker);
}

/* Starts a filter.  ST_IO. */
static enum st
begin(struct maker *maker, struct err *err)
{
    *maker = (struct maker){.filter = seccomp_init(SCMP_ACT_ERRNO(ENOSYS))};
    if (!maker->filter) {
        return err_set(err, ST_IO, "seccomp",
                       "libseccomp does not work on this machine");
    }
    /* Another instruction set (32-bit calls) would evade the rules. */
    note(maker, seccomp_attr_set(maker->filter, SCMP_FLTATR_ACT_BADARCH,
                                 SCMP_ACT_KILL_PROCESS));
    return ST_OK;
}

/* Loads a filter, and frees it.  ST_IO. */
static enum st
load(struct maker *maker, struct err *err)
{
    /* Older kernels and libraries lack these, and do without: a search tree; no
     * defence against code in this process that may not read its memory, of
     * which there is none; and all threads, of which there are more in tests
     * only. */
    (void)seccomp_attr_set(maker->filter, SCMP_FLTATR_CTL_OPTIMIZE, 2);
    (void)seccomp_attr_set(maker->filter, SCMP_FLTATR_CTL_SSB, 1);
    (void)seccomp_attr_set(maker->filter, SCMP_FLTATR_CTL_TSYNC, 1);
    if (!maker->error) {
        maker->error = seccomp_load(maker->filter);
    }
    seccomp_release(maker->filter);
    return maker->error ? err_set(err, ST_IO, "seccomp",
                                  "the kernel takes no such filter (%s)",
                                  strerror(-maker->error))
                        : ST_OK;
}

enum st
call_filter_load(unsigned int needs, struct err *err)
{
    struct maker maker;
    const enum st status = begin(&maker, err);

    if (status) {
        return status;
    }
    add_rules(&maker, needs);
    return load(&maker, err);
}

enum st
call_filter_load_helper(struct err *err)
{
    struct maker maker;
    const enum st status = begin(&maker, err);

    if (status) {
        return status;
    }
    add_helper_rules(&maker);
    return load(&maker, err);
}

#else /* !HAVE_SECCOMP */

enum st
call_filter_load(unsigned int needs, struct err *err)
{
    (void)needs;
    return err_set(err, ST_UNSUPPORTED, "seccomp",
                   "this build has no filter of system calls");
}

enum st
call_filter_load_helper(struct err *err)
{
    return call_filter_load(0, err);
}

#endif /* HAVE_SECCOMP */
