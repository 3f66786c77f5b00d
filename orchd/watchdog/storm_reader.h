/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_WATCHDOG_STORM_READER_H
#define ORCHD_WATCHDOG_STORM_READER_H

/* Reads what the watchdog wants to know of queues, through SAI.
 *
 * Counters are read for some dozens of queues at a time, by one call for the
 * queues and one for the ports of each priority; whether a queue is paused and
 * a port up are attributes, read for all queues in one call.  Where the switch
 * has no bulk calls these are several (sai/core/backend.h).  What a switch does
 * not have is found out once, by asking for each counter of one queue alone,
 * because not all libraries tell beforehand. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sai.h>

#include "orchd/watchdog/detection/sample.h"
#include "sai/core/backend.h"

struct text;

/* Where a queue is on the switch. */
struct reader_place {
    sai_object_id_t port, queue, pg;
    unsigned int priority; /* 0..7, and the index of the queue. */
};

/* One queue to be read. */
struct reader_item {
    struct reader_place place;
    bool counts_wanted; /* Also the packets of its statistics. */

    /* The answer; 'measures' of the sample are 0 if nothing could be read. */
    struct storm_sample sample;
    bool counted;
    struct storm_counts counts;
};

struct storm_reader {
    struct sai_backend *backend; /* Borrowed. */
    unsigned int offered;        /* What it has, of enum storm_measure. */
    uint64_t n_calls;            /* SAI calls made. */
};

/* Makes '*reader' one of 'backend', and finds out by the queue at 'place' what
 * the switch can tell. */
void storm_reader_init(struct storm_reader *reader, struct sai_backend *backend,
                       const struct reader_place *place);

/* Reads 'n' queues, of which only 'measures' are wanted.  'clock' is asked what
 * time it is for each. */
typedef int64_t reader_clock_fn(void *context);
void storm_reader_read(struct storm_reader *reader, unsigned int measures,
                       struct reader_item *items, size_t n,
                       reader_clock_fn *clock, void *context);

/* Appends, as comma lists, what 'measures' are read by: the counters of a port
 * for 'priorities', a bit each; the counters and attributes of a queue. */
void storm_reader_port_names(unsigned int measures, unsigned int priorities,
                             struct text *names);
void storm_reader_queue_names(unsigned int measures, struct text *counters,
                              struct text *attributes);

/* Reads the packets of one queue; false if that cannot be. */
bool storm_reader_counts(struct storm_reader *reader,
                         const struct reader_place *place,
                         struct storm_counts *counts);

#endif /* orchd/watchdog/storm_reader.h */
