/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TESTS_SUPPORT_LAB_RESULTS_H
#define ORCHD_TESTS_SUPPORT_LAB_RESULTS_H

/* A small synthetic run for tests of results: two racks, four hosts, an incast
 * that pauses, drops and marks.
 *
 *     h-0-0 -- t0-0 -- t1-0 -- t0-1 -- h-1-0
 *     h-0-1 --/                   \-- h-1-1
 *
 * Nodes 0 t1-0, 1 t0-0, 2 t0-1, 3..6 the hosts.  Group 0 "read": flows 0..9
 * with completion times of 10, 20, ... 100 us and 1 MB each, all but the last
 * done, which fails; group 1 "probe": flow 10 runs on.  Three drops of flow 3,
 * one of priority 0; two pauses of h-0-0 by t0-0, the second of which lasts,
 * caused by a pause of t0-0 by t1-0. */

#include <stdint.h>

#include "lab/measure/results.h"

enum {
    LAB_FLOWS = 11,
    LAB_END_US = 200,
};

/* Creates 'path' with what is known before the run. */
struct results *lab_results_start(const char *path);

/* Records the run; call it once. */
void lab_results_record(struct results *results);

/* Records 'n' messages of flow 10 with latencies of 1, 2, ... 100 us, again and
 * again; each thousandth is lost. */
void lab_results_messages(struct results *results, uint64_t n);

/* Ends it as complete. */
void lab_results_finish(struct results *results);

#endif /* tests/support/lab_results.h */
