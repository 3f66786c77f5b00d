/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_TRIMMING_LIMITS_H
#define ORCHD_RECONCILE_TRIMMING_LIMITS_H

/* The sizes, traffic classes and queues that a switch has for trimmed
 * packets. */

#include <stdbool.h>
#include <stdint.h>

#include "twin/chip/chip_trimming.h"

struct sai_backend;
struct text;
struct want;

/* What is 0 is not known. */
struct trimming_limits {
    uint32_t n_tcs;
    uint32_t n_queues; /* Unicast queues of a port. */
    struct chip_trimming chip;
};

/* Reads the numbers that SAI reports. */
void trimming_limits_read(struct trimming_limits *limits,
                          struct sai_backend *backend);

/* Returns whether the switch is known to lack what 'want' asks for.  Appends
 * what it has to 'allowed', unless that is NULL. */
bool trimming_limits_lack(const struct trimming_limits *limits,
                          const struct want *want, struct text *allowed);

#endif /* orchd/reconcile/trimming_limits.h */
