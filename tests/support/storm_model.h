/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TESTS_SUPPORT_STORM_MODEL_H
#define ORCHD_TESTS_SUPPORT_STORM_MODEL_H

/* One queue of a chip that receives pauses, with the counters that chips have:
 * the model that a detector is tested against.
 *
 * What is received is a list of spans: from 'begin' to 'end' pause frames come
 * so often that the queue is paused all the time, or (quanta of 0) never.  They
 * are obeyed while PFC is enabled.  There is always something to send, unless
 * the queue is said to be empty. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/random.h"
#include "orchd/watchdog/detection/detector.h"
#include "orchd/watchdog/detection/sample.h"

#define MS_NS (INT64_C(1000) * 1000)

enum { STORM_SPANS_MAX = 64 };

struct storm_span {
    int64_t begin_ns, end_ns;
    bool xon; /* Frames that end a pause, and only those. */
};

struct storm_model {
    struct storm_span spans[STORM_SPANS_MAX]; /* In order, apart. */
    size_t n_spans;
    bool empty;   /* Nothing wants to be sent. */
    bool freezes; /* With PFC disabled frames are not even counted. */
    bool pfc_off;
    bool link_down;
    bool forced;
    int64_t lag_ns; /* Counters show what was so long ago. */
    unsigned int measures;

    /* State at 'now_ns'. */
    int64_t now_ns;
    int64_t paused_ns, sending_ns;
    uint64_t frames, ends;
    bool is_paused;
};

/* Adds a span behind all others. */
void storm_model_add(struct storm_model *model, int64_t begin_ns,
                     int64_t end_ns, bool xon);

/* Lets time pass until 'to_ns'. */
void storm_model_run(struct storm_model *model, int64_t to_ns);

/* Reads the counters, now. */
struct storm_sample storm_model_sample(const struct storm_model *model);

/* Disables ('off') or enables PFC, now. */
void storm_model_set_off(struct storm_model *model, bool off);

/* How a watchdog polls: at multiples of the period, off by some jitter, and not
 * always. */
struct storm_poller {
    struct storm_model *model;
    struct detector *detector;
    struct random *random;
    int64_t poll_ns;
    unsigned int jitter_percent; /* Of the period, late or early. */
    unsigned int missed_percent;
    bool acts; /* A storm disables PFC, a restoration enables it. */

    /* State. */
    int64_t next_ns;       /* Of the period, as planned. */
    int64_t most_apart_ns; /* The longest time between two samples so far. */
    int64_t last_ns;
    uint64_t n_samples;
};

/* Polls until something follows from it, or until 'end_ns'; the time is that of
 * the model.  Verdicts about probes are carried out and not returned. */
enum detector_verdict storm_poller_run(struct storm_poller *poller,
                                       int64_t end_ns);

#endif /* tests/support/storm_model.h */
