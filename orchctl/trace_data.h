/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_TRACE_DATA_H
#define ORCHD_ORCHCTL_TRACE_DATA_H

/* Makes the tables of figures from a trace (orchctl/trace_table.h).
 *
 * Times of the tables are in the unit of the picture.  A curve of many changes
 * is thinned: of each part of the time that is narrower than a pixel its first,
 * lowest, highest and last level remain, so no peak is lost. */

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct database;
struct text;

enum { TRACE_DATA_OBJECTS_MAX = 8, TRACE_DATA_LANES_MAX = 48 };

/* What to draw. */
struct trace_data_choice {
    const char *const *objects; /* "pg Ethernet0|3" */
    size_t n_objects;           /* 0: by default. */
    const char *window;         /* "10us..2.5ms"; NULL: all of it. */
};

/* The axis of time. */
struct trace_data_time {
    const char *unit; /* "us" */
    double unit_ps;
    int64_t from_ps, to_ps;
};

/* Makes the tables "levels" (object, position, t, held, threshold, drop_limit)
 * and "points" (object, kind, t, held) of the chosen PGs, queues and pools:
 * what they hold without guarantees, and XOFF, XON, marks and drops.  By
 * default it is the PG with the first XOFF, else the object that held most.  A
 * threshold far above what is held would flatten the curves: it becomes NULL,
 * and a line of 'note' says so.
 *
 * ST_INVALID: the trace has no such object, or no object at all. */
enum st trace_data_levels(struct database *database,
                          const struct trace_data_choice *choice,
                          struct trace_data_time *time, struct text *note,
                          struct err *err) ST_WARN_UNUSED;

/* Makes the tables "lanes" (lane, label), "spans" (lane, kind, t0, t1, label)
 * and "ticks" (lane, t) of pauses, storms, deadlocks, and of drops at queues
 * with a storm.  An object is a port, with its queues, or a queue; by default
 * all.  Stores the number of lanes.
 *
 * ST_INVALID: the trace has none of it, or more lanes than a figure has room
 * for. */
enum st trace_data_spans(struct database *database,
                         const struct trace_data_choice *choice,
                         struct trace_data_time *time, unsigned int *n_lanes,
                         struct err *err) ST_WARN_UNUSED;

#endif /* orchctl/trace_data.h */
