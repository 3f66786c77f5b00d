/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_PROCESS_CALL_FILTER_H
#define ORCHD_PROCESS_CALL_FILTER_H

/* The system calls that this process may make, as a filter in the kernel
 * (seccomp).  process/confinement.c decides whether there is one.
 *
 * Four answers, by what a call says about who makes it:
 *   - allowed: what orchd, softasicd and their libraries make, rare paths
 *     included: a longer list than a trace of one run would give, because a
 *     control plane that fails after a year, in a lookup of a group or in an
 *     allocation of memory, is worse than one that could make ten more
 *     harmless calls.
 *   - the process is killed: calls that no library has a reason for in such a
 *     process, and that an attacker needs to get further: other programs,
 *     ptrace, modules, mounts, namespaces, BPF.  The kernel logs that, and
 *     the supervisor starts the process again; the switch forwards meanwhile.
 *   - refused like by an old kernel, in the words that callers expect: an
 *     address family (EAFNOSUPPORT), memory that is writable and executable
 *     (EACCES), a child process (EPERM).
 *   - ENOSYS for all others, which libraries try first and then do without:
 *     what is newer than this list is refused as by a kernel that is older.
 *     EPERM would be taken for a final answer.
 *
 * The filter holds for all threads, and for programs that the process starts;
 * nothing removes it. */

#include "base/status.h"

/* What a process does that others do not. */
enum call_need {
    CALLS_OF_INTERFACES = 1 << 0, /* Uses TAPs and packet sockets, which its
                                   * helper opens. */
    CALLS_OF_PROGRAMS = 1 << 1,   /* Starts programs, also later. */
};

/* Loads the filter for a process with these needs, of enum call_need.
 * ST_IO: the kernel, or a filter that the process has already, takes none.
 * ST_UNSUPPORTED: this build has no filters. */
enum st call_filter_load(unsigned int needs, struct err *err) ST_WARN_UNUSED;

/* Loads the filter for a helper that opens interfaces for another process
 * (saihostd/interface_helper.h): TAPs, packet sockets, netlink, and entering
 * network namespaces, and hardly anything else: no file is created, no process
 * signalled, no connection made.  Outcomes as above. */
enum st call_filter_load_helper(struct err *err) ST_WARN_UNUSED;

#endif /* process/call_filter.h */
