/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHLAB_FAILURE_EFFECT_H
#define ORCHD_ORCHLAB_FAILURE_EFFECT_H

/* What a failure has done, from the results of a run that sampled
 * hosts.affected from the time of the failure on. */

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct failure_effect {
    int64_t *affected; /* Hosts by sample.  Owned. */
    size_t n_samples;
    int64_t end_ps; /* Of the last flow; that of the run if one goes on. */
    double failed;  /* Flows. */
    double drops;   /* Packets. */
    double bytes;   /* Payload that has arrived, of all flows. */
    double p99_s;   /* Of flow completion, seconds; 0: no flow was. */

    /* Of failure_effect_compare(). */
    int64_t most;     /* Hosts that are affected at a time, */
    int64_t lasts_ps; /* and how long any was. */
};

/* Reads the results at 'path' into '*effect', which is zero.  ST_IO,
 * ST_NOT_FOUND: they cannot be read.  End with failure_effect_fini(), also
 * after a failure. */
enum st failure_effect_read(const char *path, struct failure_effect *effect,
                            struct err *err) ST_WARN_UNUSED;
void failure_effect_fini(struct failure_effect *effect);

/* Counts how many more hosts are affected in each sample of 'effect' than in
 * that of 'usual', the same run without the failure; 'n_hosts' are there, and
 * samples are 'every_ps' apart.  A sample that only 'effect' has counts for
 * nothing. */
void failure_effect_compare(struct failure_effect *effect,
                            const struct failure_effect *usual,
                            uint32_t n_hosts, int64_t every_ps);

#endif /* orchlab/failure_effect.h */
