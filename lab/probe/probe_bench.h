/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_PROBE_PROBE_BENCH_H
#define ORCHD_LAB_PROBE_PROBE_BENCH_H

/* A test bench for an adapter: a run whose packets are noted as they arrive.
 *
 * The bench is a switch of 400G with four hosts.  Host 0 or 1 has the adapter
 * under test, the others have known ones.  An experiment sees what a tap on the
 * wire would: when packets arrive, whether they are marked, how many CNPs reach
 * a sender; and what a program sees, when messages begin and end. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct nic_file;
struct run_options;

/* A packet with data that has arrived. */
struct probe_arrival {
    int64_t at_ps;
    uint32_t bytes; /* New payload, in order. */
    bool is_marked;
};

struct probe_message {
    uint32_t flow;
    int64_t start_ps, end_ps;
};

/* What was seen.  The lists are owned by the bench. */
struct probe_record {
    struct probe_arrival *arrivals; /* At host 1. */
    size_t n_arrivals;
    struct probe_arrival *others; /* At host 3. */
    size_t n_others;
    struct probe_message *messages;
    size_t n_messages;
    uint64_t cnps; /* That reached senders. */
    size_t n_arrivals_room, n_others_room, n_messages_room;
};

/* What an experiment adds to the bench, as keys of a scenario. */
struct probe_setup {
    const char *tested; /* The host with the adapter: "h-0-0". */
    const char *keys;   /* Of that host, besides 'nic', "" for none. */
    const char *peers;  /* Keys of all others. */
    const char *traffic;
    const char *faults; /* NULL: none. */
    uint32_t mtu_bytes; /* Of all, since queue pairs agree about it. */
    uint32_t length_m;  /* Of each link. */
    int64_t stop_ps;
};

/* Runs the experiment 'setup' with the adapter 'file' and stores what was seen
 * in '*record'; end with probe_record_fini(), also after a failure.
 * ST_INVALID: the file is wrong; 'err' says where. */
enum st probe_bench_run(const struct nic_file *file,
                        const struct run_options *options,
                        const struct probe_setup *setup,
                        struct probe_record *record,
                        struct err *err) ST_WARN_UNUSED;
void probe_record_fini(struct probe_record *record);

/* Stores the MTU of the adapter 'file'.  Fails likewise. */
enum st probe_bench_mtu(const struct nic_file *file, uint32_t *mtu_bytes,
                        struct err *err) ST_WARN_UNUSED;

#endif /* lab/probe/probe_bench.h */
