/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_LIVE_BENCH_H
#define ORCHD_ORCHCTL_LIVE_BENCH_H

/* The switch behind a running orchd as a bench (breakpoint/bench.h): each verb
 * is a request "breakpoint ..." over the control socket.
 *
 * Either it has the configuration that it has, and what a scenario configures
 * at its start is not applied to it; or that is all it has during the scenario.
 * Whatever is changed on the way, orchd puts back at the end, which comes at
 * the latest when the connection ends.  What $chip and $row() are, orchd says.
 */

#include <jansson.h>
#include <stdbool.h>

#include "breakpoint/bench.h"
#include "breakpoint/target.h"

struct arena;
struct client;

/* Returns a bench that asks through 'client', which is borrowed, and applies
 * what scenarios configure if it 'configures'.  The caller frees it with
 * live_bench_destroy(). */
struct bench *live_bench_create(struct client *client, bool configures);

/* Frees 'bench'.  Accepts NULL. */
void live_bench_destroy(struct bench *bench);

/* Turns the "stats" of an object into '*reading', allocated from 'arena'. */
void live_bench_reading(const json_t *stats, struct arena *arena,
                        struct target_reading *reading);

/* Returns {"kind", "name", "index"} of 'object'. */
json_t *live_bench_object(const struct target_object *object);

#endif /* orchctl/live_bench.h */
