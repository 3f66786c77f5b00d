/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BASE_PICOSECONDS_H
#define ORCHD_BASE_PICOSECONDS_H

/* Units of virtual time, which is int64 picoseconds: one byte at 800 Gb/s takes
 * 10, and 2^63 of them are 106 days.  Multiply an int64 by these; a product of
 * another number of seconds than a few may need 128 bits. */

#include <stdint.h>

#define PS_PER_NS INT64_C(1000)
#define PS_PER_US INT64_C(1000000)
#define PS_PER_MS INT64_C(1000000000)
#define PS_PER_S  INT64_C(1000000000000)

#endif /* base/picoseconds.h */
