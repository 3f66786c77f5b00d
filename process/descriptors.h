/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_PROCESS_DESCRIPTORS_H
#define ORCHD_PROCESS_DESCRIPTORS_H

/* How many descriptors this process may have. */

#include <stdint.h>

/* More than all listeners with all their connections, Redis and the switch ever
 * use together.  (select(), which a vendor's library may use, handles
 * descriptors below 1024 only; the limits of the listeners keep them there.) */
#define DESCRIPTORS_WANTED 4096

/* Raises the soft limit (RLIMIT_NOFILE) to 'wanted', as far as the hard limit
 * allows that; never lowers it.  Returns the limit that is in force, 0 if it is
 * not known. */
uint64_t descriptors_raise(uint64_t wanted);

#endif /* process/descriptors.h */
