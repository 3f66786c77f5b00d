/* SPDX-License-Identifier: Apache-2.0 */

/* One attempt of a probe: blocks the egress port, sends packets, reads the
 * counters, unblocks the port. */

#include <config.h>

#include "breakpoint/probe_attempt.h"

#include <inttypes.h>
#include <string.h>

#include "base/arena.h"
#include "base/pfc.h"
#include "base/text.h"
#include "breakpoint/send_cause.h"

#define TTL 64

/* --- The switch ---------------------------------------------------------- */

/* Returns the value of the counter 'name', or 0 if the object has no such
 * counter. */
static uint64_t
stat_of(const struct target_reading *reading, const char *name)
{
    const struct target_stat *stat = target_reading_find(reading, name);

    return stat ? stat->value : 0;
}

enum st
probe_attempt_look(struct prober *prober, const struct target_object *object,
                   struct target_reading *reading, struct err *err)
{
    arena_reset(prober->arena);
    return prober->target->ops->read(prober->target, object, 1, prober->arena,
                                     reading, err);
}

struct target_object
probe_attempt_pg(const struct probe_group *group)
{
    return (struct target_object){TARGET_PG, group->from, group->pg};
}

/* Adds what 'object' holds to '*side'. */
static enum st
add_held(struct prober *prober, const struct target_object *object,
         struct probe_side *side, struct err *err)
{
    struct target_reading reading;
    enum st st = probe_attempt_look(prober, object, &reading, err);

    if (!st) {
        side->reserved_bytes += stat_of(&reading, "reserved_bytes");
        side->shared_bytes += stat_of(&reading, "shared_bytes");
        side->headroom_bytes += stat_of(&reading, "headroom_bytes");
    }
    return st;
}

enum st
probe_attempt_add_groups(struct prober *prober, struct probe_side *side,
                         struct err *err)
{
    enum st st = ST_OK;

    for (size_t i = 0; !st && i < prober->n_groups; i++) {
        const struct target_object pg = probe_attempt_pg(&prober->groups[i]);

        st = add_held(prober, &pg, side, err);
    }
    return st;
}

uint64_t
probe_attempt_side_bytes(const struct probe_side *side)
{
    return side->reserved_bytes + side->shared_bytes + side->headroom_bytes;
}

enum st
probe_attempt_paused(struct prober *prober, const char *port, uint8_t *paused,
                     struct err *err)
{
    const struct target_object object = {TARGET_PORT, port, 0};
    struct target_reading reading;
    enum st st = probe_attempt_look(prober, &object, &reading, err);

    *paused = 0;
    for (unsigned int i = 0; !st && i < PFC_N_PRIORITIES; i++) {
        char name[sizeof "pfc_0_xoff"];

        text_format(name, sizeof name, "pfc_%u_xoff", i);
        if (stat_of(&reading, name)) {
            *paused = (uint8_t)(*paused | 1U << i);
        }
    }
    return st;
}

/* Stores whether the group's port asks for a pause that it does not ask for
 * when the buffer is at rest.  It is an error if the group reaches XOFF but PFC
 * is not enabled for it. */
static enum st
group_paused(struct prober *prober, size_t i, bool *paused, struct err *err)
{
    const struct probe_group *group = &prober->groups[i];
    const struct target_object pg = probe_attempt_pg(group);
    struct target_reading reading;
    uint8_t priorities;
    enum st st = probe_attempt_paused(prober, group->from, &priorities, err);

    *paused = (priorities & ~prober->paused[i]) != 0;
    st = st ? st : probe_attempt_look(prober, &pg, &reading, err);
    if (!st && !*paused && stat_of(&reading, "xoff")) {
        st = err_set(err, ST_INVALID, "no-pfc",
                     "pg %s|%u would ask for a pause, but PFC is not enabled "
                     "for it",
                     group->from, group->pg);
        err_set_remedy(err, "pfc_enable of PORT_QOS_MAP|%s", group->from);
    }
    return st;
}

enum st
probe_attempt_send(struct prober *prober, const struct probe_group *group,
                   const char *to, enum target_until until, uint64_t n,
                   struct target_sent *sent, struct err *err)
{
    const struct target_send wanted = {
        .from = group->from,
        .to = to,
        .until = until,
        .count = n,
        .size_bytes = prober->options->size_bytes,
        .dscp = group->dscp,
        .ecn = prober->options->ecn,
        .header.ttl = TTL,
        .flows = 1,
    };
    enum st st = prober->target->ops->send(prober->target, &wanted, sent, err);

    prober->result->n_packets += st ? 0 : sent->sent;
    return st;
}

static enum st
set_blocked(struct prober *prober, const char *port, bool blocked,
            struct err *err)
{
    const struct target_block block = {port, TARGET_BLOCK_TX_ENABLE, 0,
                                       blocked};

    return prober->target->ops->block(prober->target, &block, err);
}

/* --- One attempt --------------------------------------------------------- */

/* Reports that packets are dropped at another place before the threshold in
 * question is crossed.  From then on the buffer does not fill any further. */
static enum st
fail_dropped_elsewhere(struct prober *prober, const struct probe_group *group,
                       bool egress, uint64_t n, struct err *err)
{
    const char *where = egress ? "egress" : "ingress";
    const char *to = prober->options->to;
    const uint64_t by_wred =
        egress ? send_cause_wred(prober->target, to, group->queue) -
                     group->wred_dropped
               : 0;

    if (by_wred) {
        (void)err_set(err, ST_INVALID, "wred-first",
                      "WRED dropped %" PRIu64
                      " packets at queue %s|%u before that, the last time of "
                      "%" PRIu64 " packets from %s with DSCP %u and ecn %u",
                      by_wred, to, group->queue, n, group->from, group->dscp,
                      prober->options->ecn);
        err_set_remedy(err, prober->options->ecn
                                ? "probe without the WRED profile of the queue"
                                : "--ecn 2: WRED marks packets that are "
                                  "ECN-capable, as those of RoCE are, and "
                                  "drops others");
        return ST_INVALID;
    }
    (void)err_set(err, ST_INVALID, egress ? "egress-first" : "ingress-first",
                  "some of %" PRIu64
                  " packets from %s with DSCP %u are dropped at %s before that",
                  n, group->from, group->dscp, where);
    err_set_remedy(err, "probe %s", egress ? "egress-drop" : "drop");
    return ST_INVALID;
}

/* xoff, drop, egress-drop: sends 'n' packets to the blocked port. */
static enum st
try_fill(struct prober *prober, uint64_t n, struct probe_outcome *outcome,
         struct err *err)
{
    const struct probe_group *group = &prober->groups[0];
    const bool egress = prober->kind == PROBE_EGRESS_DROP;
    struct target_object object = probe_attempt_pg(group);
    struct target_sent sent;
    enum st st = probe_attempt_send(prober, group, prober->options->to,
                                    TARGET_UNTIL_COUNT, n, &sent, err);

    if (egress) {
        object = (struct target_object){TARGET_QUEUE, prober->options->to,
                                        group->queue};
    }
    st = st ? st : add_held(prober, &object, &outcome->side, err);
    if (!st && prober->kind == PROBE_XOFF) {
        st = group_paused(prober, 0, &outcome->crossed, err);
    } else if (!st) {
        outcome->crossed =
            (egress ? sent.dropped_egress : sent.dropped_ingress) > 0;
    }
    if (!st && !outcome->crossed && sent.dropped_egress) {
        st = fail_dropped_elsewhere(prober, group, true, n, err);
    } else if (!st && !outcome->crossed && sent.dropped_ingress) {
        st = fail_dropped_elsewhere(prober, group, false, n, err);
    }
    return st;
}

/* Sends until the group asks for a pause. */
static enum st
pause_group(struct prober *prober, const struct probe_group *group,
            const char *to, struct target_sent *sent, struct err *err)
{
    enum st st = probe_attempt_send(prober, group, to, TARGET_UNTIL_XOFF,
                                    prober->options->limit, sent, err);

    if (!st && sent->dropped_egress) {
        st = fail_dropped_elsewhere(prober, group, true, sent->sent, err);
    } else if (!st && !sent->reached) {
        st = err_set(err, ST_NOT_FOUND, "limit",
                     "pg %s|%u did not ask for a pause within %" PRIu64
                     " packets",
                     group->from, group->pg, prober->options->limit);
        err_set_remedy(err, "--limit, or PFC of that priority at the port");
    }
    return st;
}

/* xon: fills the group until it pauses, then lets 'n' of its packets leave. */
static enum st
try_drain(struct prober *prober, uint64_t n, struct probe_outcome *outcome,
          struct err *err)
{
    const struct probe_options *options = prober->options;
    const struct probe_group *group = &prober->groups[0];
    const struct target_object pg = probe_attempt_pg(group);
    struct target_sent left = {0};
    struct target_sent kept;
    bool paused = false;
    enum st st = probe_attempt_send(prober, group, options->to,
                                    TARGET_UNTIL_COUNT, n, &left, err);

    if (!st && left.dropped_egress) {
        st = fail_dropped_elsewhere(prober, group, true, n, err);
    }
    st = st ? st : pause_group(prober, group, options->other, &kept, err);
    st = st ? st : set_blocked(prober, options->to, false, err);
    st = st ? st : prober->target->ops->settle(prober->target, err);
    st = st ? st : group_paused(prober, 0, &paused, err);
    st = st ? st : add_held(prober, &pg, &outcome->side, err);
    if (!st) {
        outcome->crossed = !paused;
        prober->pause_at = left.sent + kept.sent;
    }
    return st;
}

/* headroom-pool: pauses all participating groups, then sends 'n' more packets,
 * group after group, each as many as it has room for. */
static enum st
try_headroom(struct prober *prober, uint64_t n, struct probe_outcome *outcome,
             struct err *err)
{
    const char *to = prober->options->to;
    struct target_sent sent;
    enum st st = ST_OK;

    for (size_t i = prober->first; !st && i < prober->end; i++) {
        st = pause_group(prober, &prober->groups[i], to, &sent, err);
    }
    for (size_t i = prober->first; !st && n && i < prober->end; i++) {
        const struct probe_group *group = &prober->groups[i];
        const uint64_t part = n < group->room ? n : group->room;

        if (!part) {
            continue;
        }
        st = probe_attempt_send(prober, group, to, TARGET_UNTIL_COUNT, part,
                                &sent, err);
        n -= part;
        if (!st && sent.dropped_ingress && !outcome->crossed) {
            outcome->crossed = true;
            prober->dropped = i;
        } else if (!st && sent.dropped_egress) {
            st = fail_dropped_elsewhere(prober, group, true, part, err);
        }
    }
    return st ? st : probe_attempt_add_groups(prober, &outcome->side, err);
}

/* Checks that the buffer holds as much as it did before the first attempt. */
static enum st
check_rest(struct prober *prober, struct err *err)
{
    struct probe_side side = {0};
    enum st st = probe_attempt_add_groups(prober, &side, err);

    if (!st && probe_attempt_side_bytes(&side) != prober->held) {
        st = err_set(err, ST_DEVICE, "not-at-rest",
                     "the groups held %" PRIu64 " bytes before the first "
                     "attempt and %" PRIu64 " before another",
                     prober->held, probe_attempt_side_bytes(&side));
        err_set_remedy(err, "stop other traffic to and from these ports");
    }
    return st;
}

/* Unblocks all ports and waits until the buffer is empty.  Returns 'st', the
 * first failure, if it is not ST_OK. */
static enum st
put_in_order(struct prober *prober, enum st st, struct err *err)
{
    const char *const ports[] = {prober->options->to, prober->options->other};
    struct err ignored;

    for (size_t i = 0; i < 2; i++) {
        if (ports[i]) {
            const enum st mine =
                set_blocked(prober, ports[i], false, st ? &ignored : err);

            st = st ? st : mine;
        }
    }
    if (st) {
        (void)prober->target->ops->settle(prober->target, &ignored);
        return st;
    }
    return prober->target->ops->settle(prober->target, err);
}

enum st
probe_attempt_run(struct prober *prober, uint64_t n,
                  struct probe_outcome *outcome, struct err *err)
{
    const struct probe_options *options = prober->options;
    enum st st = check_rest(prober, err);

    memset(outcome, 0, sizeof *outcome);
    if (st) {
        return st;
    }
    prober->result->n_attempts++;
    st = set_blocked(prober, options->to, true, err);
    if (!st && options->other) {
        st = set_blocked(prober, options->other, true, err);
    }
    if (!st && prober->kind == PROBE_XON) {
        st = try_drain(prober, n, outcome, err);
    } else if (!st && prober->kind == PROBE_HEADROOM_POOL) {
        st = try_headroom(prober, n, outcome, err);
    } else if (!st) {
        st = try_fill(prober, n, outcome, err);
    }
    return put_in_order(prober, st, err);
}
