/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BREAKPOINT_PROBE_ATTEMPT_H
#define ORCHD_BREAKPOINT_PROBE_ATTEMPT_H

/* One attempt of a probe: with so many packets, is the threshold crossed?
 *
 * An attempt begins with a buffer at rest and leaves it so, whatever happens,
 * so that the next one asks the same question of the same switch.  Where the
 * next attempt is made is for the search to say (probe.c).
 *
 * Internal to probing. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "breakpoint/probe_types.h"
#include "breakpoint/target.h"

struct arena;

/* Packets of one class that enter at one port. */
struct probe_group {
    const char *from;
    uint8_t dscp;
    unsigned int pg, queue; /* Where they go. */
    uint64_t room;          /* headroom-pool: packets after the pause. */
};

/* What an attempt saw. */
struct probe_outcome {
    bool crossed;
    struct probe_side side;
};

struct prober {
    struct target *target;
    const struct probe_options *options;
    struct probe_result *result;
    struct arena *arena; /* Of one reading. */
    struct probe_group groups[PROBE_GROUPS_MAX];
    size_t n_groups;
    uint8_t paused[PROBE_GROUPS_MAX]; /* By group: priorities that its port
                                       * pauses when the buffer is at rest. */
    uint64_t held;                    /* By all groups then. */

    /* What is looked for. */
    enum probe_kind kind;
    size_t first, end; /* headroom-pool: groups that take part. */
    uint64_t pause_at; /* xon: packets of the last pause. */
    size_t dropped;    /* headroom-pool: the group that lost a packet. */
};

/* Tries 'n' packets and fills '*outcome'.  Fails if the switch does, if the
 * buffer is not at rest before, or if packets are lost elsewhere. */
enum st probe_attempt_run(struct prober *prober, uint64_t n,
                          struct probe_outcome *outcome,
                          struct err *err) ST_WARN_UNUSED;

/* Sends 'n' packets of 'group' to the port 'to', at most so many with another
 * 'until' than COUNT. */
enum st probe_attempt_send(struct prober *prober,
                           const struct probe_group *group, const char *to,
                           enum target_until until, uint64_t n,
                           struct target_sent *sent,
                           struct err *err) ST_WARN_UNUSED;

/* Reads one object; what is read is valid until the next look. */
enum st probe_attempt_look(struct prober *prober,
                           const struct target_object *object,
                           struct target_reading *reading,
                           struct err *err) ST_WARN_UNUSED;

/* Returns the priority group that the packets of 'group' enter. */
struct target_object probe_attempt_pg(const struct probe_group *group);

/* Stores which priorities 'port' asks its peer to pause. */
enum st probe_attempt_paused(struct prober *prober, const char *port,
                             uint8_t *paused, struct err *err) ST_WARN_UNUSED;

/* Adds what all groups hold to 'side'; returns how much it is. */
enum st probe_attempt_add_groups(struct prober *prober, struct probe_side *side,
                                 struct err *err) ST_WARN_UNUSED;
uint64_t probe_attempt_side_bytes(const struct probe_side *side);

#endif /* breakpoint/probe_attempt.h */
