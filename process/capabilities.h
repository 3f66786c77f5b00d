/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_PROCESS_CAPABILITIES_H
#define ORCHD_PROCESS_CAPABILITIES_H

/* The capabilities of this process (capabilities(7)), as sets of bits: bit n is
 * capability n.  For processes with one thread: the kernel keeps them by
 * thread. */

#include <stdint.h>

#include "base/status.h"

#define CAPABILITY(n) (UINT64_C(1) << (n))

/* Room for the text of capabilities_describe(). */
enum { CAPABILITIES_TEXT_SIZE = 160 };

/* Returns the permitted capabilities, whether they are effective or not. */
uint64_t capabilities_permitted(void);

/* Gives up all capabilities but those in 'kept' permanently: they are no longer
 * effective, permitted, inheritable or ambient, nor, if the process may change
 * that (CAP_SETPCAP), in the bounding set.  Those that are kept become
 * effective.  Does nothing if there are none to give up.  ST_IO: the system
 * refuses, such as a filter of system calls without capset(). */
enum st capabilities_keep(uint64_t kept, struct err *err) ST_WARN_UNUSED;

/* Describes a set for a log: "CAP_NET_ADMIN CAP_NET_RAW", "none".  Others than
 * those of networks are a number. */
void capabilities_describe(uint64_t set, char text[CAPABILITIES_TEXT_SIZE]);

#endif /* process/capabilities.h */
