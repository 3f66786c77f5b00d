/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_LIVE_BENCH_H
#define ORCHD_ORCHCTL_LIVE_BENCH_H

/* A bench (breakpoint/bench.h) on the switch behind a running orchd: each
 * operation is a request "breakpoint ..." over the control socket.
 *
 * Either the switch keeps its configuration, and the initial configuration of a
 * scenario is not applied; or the latter replaces the former during the
 * scenario. orchd restores all changes at the end, at the latest when the
 * connection closes. orchd also provides the values of $chip and $row(). */

#include <jansson.h>
#include <stdbool.h>

#include "breakpoint/bench.h"
#include "breakpoint/target.h"

struct arena;
struct client;

/* Creates a bench that sends requests through 'client', which is borrowed, and
 * applies the configuration of scenarios if 'configures'.  End with
 * live_bench_destroy(). */
struct bench *live_bench_create(struct client *client, bool configures);

/* Frees 'bench'.  Accepts NULL. */
void live_bench_destroy(struct bench *bench);

/* Converts the "stats" of an object to '*reading', allocated from 'arena'. */
void live_bench_reading(const json_t *stats, struct arena *arena,
                        struct target_reading *reading);

/* Returns {"kind", "name", "index"} of 'object'. */
json_t *live_bench_object(const struct target_object *object);

#endif /* orchctl/live_bench.h */
