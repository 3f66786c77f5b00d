/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_WATCHDOG_STORM_READER_H
#define ORCHD_WATCHDOG_STORM_READER_H

/* Reads what the watchdog needs about queues, through SAI.
 *
 * Counters are read for several dozen queues at a time, in one call for the
 * queues and one for the ports of each priority.  The pause status of queues
 * and the operational status of ports are attributes, read in one call for all
 * queues.  If the switch has no bulk calls, these become several calls
 * (sai/core/backend.h). Which counters a switch lacks is determined once, by
 * reading each counter of one queue alone, because not all libraries report
 * that beforehand. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sai.h>

#include "orchd/watchdog/detection/sample.h"
#include "sai/core/backend.h"

struct text;

/* The ids of a queue on the switch. */
struct reader_ids {
    sai_object_id_t port, queue, pg;
    unsigned int priority; /* 0..7, and the index of the queue. */
};

/* One queue to read. */
struct reader_item {
    struct reader_ids ids;
    bool counts_wanted; /* Also read the packet counts for its statistics. */

    /* The result; 'measures' of the sample are 0 if nothing could be read. */
    struct storm_sample sample;
    bool counted;
    struct storm_counts counts;
};

struct storm_reader {
    struct sai_backend *backend; /* Borrowed. */
    unsigned int offered;        /* What it offers, of enum storm_measure. */
    uint64_t n_calls;            /* SAI calls made. */
};

/* Initialises '*reader' for 'backend', and determines with queue 'ids'
 * what the switch offers. */
void storm_reader_init(struct storm_reader *reader, struct sai_backend *backend,
                       const struct reader_ids *ids);

/* Reads 'measures' of 'n' queues.  Calls 'clock' for the time of each sample.
 */
typedef int64_t reader_clock_fn(void *context);
void storm_reader_read(struct storm_reader *reader, unsigned int measures,
                       struct reader_item *items, size_t n,
                       reader_clock_fn *clock, void *context);

/* Append, as comma-separated lists, what 'measures' are read from: the counters
 * of a port for 'priorities' (bits); the counters and attributes of a queue. */
void storm_reader_port_names(unsigned int measures, unsigned int priorities,
                             struct text *names);
void storm_reader_queue_names(unsigned int measures, struct text *counters,
                              struct text *attributes);

/* Reads the packet counts of one queue; returns false if that fails. */
bool storm_reader_counts(struct storm_reader *reader,
                         const struct reader_ids *ids,
                         struct storm_counts *counts);

#endif /* orchd/watchdog/storm_reader.h */
