/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_PROBE_NIC_PROBE_STATE_H
#define ORCHD_LAB_PROBE_NIC_PROBE_STATE_H

/* What the files of the probe share. */

#include "base/text.h"
#include "lab/probe/probe_bench.h"

#define PROBE_NS INT64_C(1000)
#define PROBE_US INT64_C(1000000)
#define PROBE_MS INT64_C(1000000000)

/* Less than this counts as nothing. */
#define PROBE_LEAST_PS (50 * PROBE_NS)

/* Keys of peers that send: they do not react to CNPs, but their packets can be
 * marked; and of those that receive, with one CNP per 's' of time. */
#define PROBE_STEADY "dcqcn: {profile: paper, min_rate: 400G}"

struct nic_probe;

/* A probe on its way. */
struct probe {
    const struct nic_file *file;
    const struct run_options *options;
    void (*progress)(void *context, uint32_t n_experiments); /* Or NULL. */
    void *context;
    struct nic_probe *found;
    uint32_t mtu_bytes;
    int64_t missed_ps, hit_ps; /* Of the question about cuts: the longest time
                                * between two CNPs of which the second did not
                                * cut, and the shortest where it did. */
    struct err *err;
};

/* Runs one experiment, and counts it. */
enum st probe_try__(struct probe *probe, const struct probe_setup *setup,
                    struct probe_record *record) ST_WARN_UNUSED;

/* What a bisection asks: stores whether 'value' is at least the limit. */
typedef enum st probe_question_fn(struct probe *probe, int64_t value,
                                  bool *reaches);

/* Finds the limit between 'low', which does not reach it, and 'high', which
 * does, to within NIC_PROBE_RESOLUTION; 'exact': to within 1.  '*limit' is the
 * least value known to reach it. */
enum st probe_bisect__(struct probe *probe, probe_question_fn *question,
                       int64_t low, int64_t high, bool exact,
                       int64_t *limit) ST_WARN_UNUSED;

/* nic_probe_rate.c: what a CNP does. */
enum st probe_rate__(struct probe *probe) ST_WARN_UNUSED;

#endif /* lab/probe/nic_probe_state.h */
