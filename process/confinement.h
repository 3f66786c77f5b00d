/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_PROCESS_CONFINEMENT_H
#define ORCHD_PROCESS_CONFINEMENT_H

/* Rights that a process gives up at its start, under any supervisor.
 *
 * A unit of systemd takes the same and more.  This holds for a daemon that is
 * started by hand, in a container or by another supervisor, too, and is tighter
 * where the program knows more than a unit: which address families it uses now,
 * and whether it starts other programs at all. */

#include <stdbool.h>

/* The filter of system calls, for people. */
struct confinement {
    bool on;
    bool failed;    /* It is wanted and possible, but the kernel has none. */
    char text[256]; /* "on", "on; ...", "off: ...". */
};

/* Lets no program that this process starts gain privileges (set-user-id files),
 * and no other user read files that it creates; what the umask already takes
 * stays taken.  With 'secret', the memory of the process is neither written to
 * a core dump nor open to debuggers of the same user.  Call it once, at the
 * start. */
void confinement_start(bool secret);

/* Limits the system calls of this process to what it needs, unless
 *   - 'wanted' is false: the administrator does not want that, or
 *   - 'library', the libsai that this process loads, is not of this project:
 *     its file, behind all links, is not called libsai-softasic.so or
 *     libsai-remote.so (nobody knows which calls another one makes when; NULL:
 *     it loads none), or
 *   - this build or the kernel has no filters.
 * 'needs' is of enum call_need (process/call_filter.h).  Call it before the
 * process has clients. */
void confinement_enter(bool wanted, unsigned int needs, const char *library,
                       struct confinement *confinement);

#endif /* process/confinement.h */
