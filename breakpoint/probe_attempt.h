/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BREAKPOINT_PROBE_ATTEMPT_H
#define ORCHD_BREAKPOINT_PROBE_ATTEMPT_H

/* One attempt of a probe: does this number of packets cross the threshold?
 *
 * An attempt starts with a buffer at rest and leaves it at rest, also after a
 * failure, so that all attempts see the same switch.  The search (probe.c)
 * decides how many packets the next attempt sends.
 *
 * Internal to probing. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "breakpoint/probe_types.h"
#include "breakpoint/target.h"

struct arena;

/* The packets of one class that enter at one port. */
struct probe_group {
    const char *from;
    uint8_t dscp;
    unsigned int pg, queue; /* That they enter. */
    uint64_t wred_dropped;  /* By their queue, before the attempts. */
    uint64_t room;          /* headroom-pool: packets that fit after the
                             * pause. */
};

/* The outcome of an attempt. */
struct probe_outcome {
    bool crossed;
    struct probe_side side;
};

struct prober {
    struct target *target;
    const struct probe_options *options;
    struct probe_result *result;
    struct arena *arena; /* Holds one reading. */
    struct probe_group groups[PROBE_GROUPS_MAX];
    size_t n_groups;
    uint8_t paused[PROBE_GROUPS_MAX]; /* By group: the priorities that its port
                                       * pauses when the buffer is at rest. */
    uint64_t held;                    /* Bytes that all groups hold then. */

    /* The threshold in question. */
    enum probe_kind kind;
    size_t first, end; /* headroom-pool: the participating groups. */
    uint64_t pause_at; /* xon: packets sent up to the last pause. */
    size_t dropped;    /* headroom-pool: the group that lost a packet. */
};

/* Makes an attempt with 'n' packets and fills '*outcome'.  Fails if the switch
 * fails, if the buffer is not at rest before the attempt, or if packets are
 * dropped at another place. */
enum st probe_attempt_run(struct prober *prober, uint64_t n,
                          struct probe_outcome *outcome,
                          struct err *err) ST_WARN_UNUSED;

/* Sends 'n' packets of 'group' to the port 'to'; with an 'until' other than
 * COUNT, at most 'n'. */
enum st probe_attempt_send(struct prober *prober,
                           const struct probe_group *group, const char *to,
                           enum target_until until, uint64_t n,
                           struct target_sent *sent,
                           struct err *err) ST_WARN_UNUSED;

/* Reads one object.  The reading is valid until the next call. */
enum st probe_attempt_look(struct prober *prober,
                           const struct target_object *object,
                           struct target_reading *reading,
                           struct err *err) ST_WARN_UNUSED;

/* Returns the priority group that the packets of 'group' enter. */
struct target_object probe_attempt_pg(const struct probe_group *group);

/* Stores the mask of priorities that 'port' asks its peer to pause. */
enum st probe_attempt_paused(struct prober *prober, const char *port,
                             uint8_t *paused, struct err *err) ST_WARN_UNUSED;

/* Adds the bytes that all groups hold to 'side'.  probe_attempt_side_bytes()
 * returns the total. */
enum st probe_attempt_add_groups(struct prober *prober, struct probe_side *side,
                                 struct err *err) ST_WARN_UNUSED;
uint64_t probe_attempt_side_bytes(const struct probe_side *side);

#endif /* breakpoint/probe_attempt.h */
