/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_TRANSPORT_BOUNDS_H
#define ORCHD_TWIN_TRANSPORT_BOUNDS_H

/* The ranges of the settings of transports. */

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* A setting and its range, both ends included. */
struct bound {
    const char *field;
    int64_t value;
    int64_t low;
    int64_t high;
};

/* Returns ST_OK if all 'n' values are in their ranges.  ST_INVALID: 'err' names
 * the first that is not, and its range. */
enum st bounds_check(const struct bound *bounds, size_t n,
                     struct err *err) ST_WARN_UNUSED;

#endif /* twin/transport/bounds.h */
