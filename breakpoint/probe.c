/* SPDX-License-Identifier: Apache-2.0 */

/* Finds thresholds by bisection. */

#include <config.h>

#include "breakpoint/probe.h"

#include <inttypes.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "breakpoint/probe_attempt.h"
#include "breakpoint/send_cause.h"

static const char *const kind_words[N_PROBE_KINDS] = {
#define X(member, word) word,
    PROBE_KIND_LIST(X)
#undef X
};

const char *
probe_kind_word(enum probe_kind kind)
{
    return kind < N_PROBE_KINDS ? kind_words[kind] : "?";
}

bool
probe_kind_find(const char *word, enum probe_kind *kind)
{
    for (size_t i = 0; i < N_PROBE_KINDS; i++) {
        if (!strcmp(word, kind_words[i])) {
            *kind = (enum probe_kind)i;
            return true;
        }
    }
    return false;
}

/* --- The search ---------------------------------------------------------- */

/* Records an attempt.  Fails if an earlier attempt contradicts it. */
static enum st
note(struct probe_result *result, uint64_t n, bool crossed, struct err *err)
{
    for (size_t i = 0; i < result->n_trials; i++) {
        const struct probe_trial *trial = &result->trials[i];

        if (trial->crossed == crossed) {
            continue;
        }
        if (trial->packets == n) {
            return err_set(err, ST_DEVICE, "not-repeatable",
                           "%" PRIu64 " packets cross the threshold in one "
                           "attempt but not in another",
                           n);
        }
        if (crossed == (n < trial->packets)) {
            const uint64_t less = crossed ? n : trial->packets;
            const uint64_t more = crossed ? trial->packets : n;

            return err_set(err, ST_DEVICE, "not-monotonic",
                           "%" PRIu64
                           " packets cross the threshold, but %" PRIu64
                           " do not",
                           less, more);
        }
    }
    if (result->n_trials == PROBE_TRIALS_MAX) {
        return err_set(err, ST_NO_RESOURCE, "limit",
                       "no threshold was found in %d attempts",
                       PROBE_TRIALS_MAX);
    }
    result->trials[result->n_trials++] = (struct probe_trial){n, crossed};
    return ST_OK;
}

static enum st
try_note(struct prober *prober, uint64_t n, struct probe_outcome *outcome,
         struct err *err)
{
    enum st st = probe_attempt_run(prober, n, outcome, err);

    return st ? st : note(prober->result, n, outcome->crossed, err);
}

/* Doubles the number of packets from 1 until they cross the threshold.
 * '*below' packets do not cross it, '*at' packets do.  If 'limit' packets do
 * not cross it, both are 'limit'. */
static enum st
bracket(struct prober *prober, uint64_t limit, uint64_t *below, uint64_t *at,
        struct err *err)
{
    struct probe_outcome outcome = {0};
    enum st st = ST_OK;

    *below = 0;
    *at = 0;
    while (!st && *at < limit && !outcome.crossed) {
        *below = *at;
        *at = !*at ? 1 : *at > limit / 2 ? limit : *at * 2;
        st = try_note(prober, *at, &outcome, err);
    }
    if (!st && !outcome.crossed) {
        *below = limit;
    }
    return st;
}

/* Halves the interval until its ends differ by 1. */
static enum st
bisect(struct prober *prober, uint64_t below, uint64_t *at, struct err *err)
{
    enum st st = ST_OK;

    while (!st && *at - below > 1) {
        const uint64_t middle = below + (*at - below) / 2;
        struct probe_outcome outcome;

        st = try_note(prober, middle, &outcome, err);
        *(outcome.crossed ? at : &below) = middle;
    }
    return st;
}

/* Repeats one of the attempts at the threshold and records what the buffer
 * holds. */
static enum st
repeat(struct prober *prober, uint64_t n, struct probe_side *side,
       struct err *err)
{
    struct probe_outcome outcome;
    enum st st = n ? try_note(prober, n, &outcome, err) : ST_OK;

    if (!st && n) {
        *side = outcome.side;
    }
    return st;
}

/* Tries some points far from the threshold 'at', and repeats the two attempts
 * at the threshold, at least once because they show what the buffer holds.
 * Alternates their order to detect effects that alternate. */
static enum st
confirm(struct prober *prober, uint64_t at, uint64_t limit, struct err *err)
{
    struct probe_result *result = prober->result;
    const uint64_t far[] = {at / 4, at / 2, at - at / 4, at + at / 2, 2 * at};
    const unsigned int n = prober->options->repeats;
    struct probe_outcome outcome;
    enum st st = ST_OK;

    for (size_t i = 0; !st && n && i < sizeof far / sizeof far[0]; i++) {
        if (far[i] && far[i] <= limit) {
            st = try_note(prober, far[i], &outcome, err);
        }
    }
    for (unsigned int i = 0; !st && i < (n ? n : 1); i++) {
        if (i % 2) {
            st = repeat(prober, at, &result->at, err);
        }
        st = st ? st : repeat(prober, at - 1, &result->below, err);
        if (!st && !(i % 2)) {
            st = repeat(prober, at, &result->at, err);
        }
    }
    return st;
}

/* Finds the smallest number of packets up to 'limit' that crosses the
 * threshold; 0: none. */
static enum st
search(struct prober *prober, uint64_t limit, uint64_t *at, struct err *err)
{
    uint64_t below;
    enum st st;

    prober->result->n_trials = 0;
    st = bracket(prober, limit, &below, at, err);
    if (!st && below == *at) {
        *at = 0;
        return ST_OK;
    }
    st = st ? st : bisect(prober, below, at, err);
    return st ? st : confirm(prober, *at, limit, err);
}

/* --- The probes ---------------------------------------------------------- */

static enum st
fail_limit(const struct prober *prober, struct err *err)
{
    (void)err_set(
        err, ST_NOT_FOUND, "limit",
        "%" PRIu64 " packets from %s to %s do not reach the threshold",
        prober->options->limit, prober->options->from[0], prober->options->to);
    err_set_remedy(err, "--limit, or another --dscp");
    return ST_NOT_FOUND;
}

static enum st
probe_fill(struct prober *prober, struct err *err)
{
    struct probe_result *result = prober->result;
    enum st st = search(prober, prober->options->limit, &result->packets, err);

    if (!st && !result->packets) {
        st = fail_limit(prober, err);
    }
    return st;
}

static enum st
probe_xon(struct prober *prober, struct err *err)
{
    struct probe_result *result = prober->result;
    uint64_t pause_at = 0;
    enum st st;

    prober->kind = PROBE_XOFF;
    st = probe_fill(prober, err);
    pause_at = result->packets;
    prober->kind = PROBE_XON;
    st = st ? st : search(prober, pause_at, &result->packets, err);
    if (!st && !result->packets) {
        st = err_set(err, ST_NOT_FOUND, "limit",
                     "pg %s|%u still asks for a pause after all %" PRIu64
                     " packets have left",
                     prober->groups[0].from, prober->groups[0].pg, pause_at);
    }
    result->pause_at = prober->pause_at;
    return st;
}

/* Finds how many packets the groups of one port, 'first' to 'end', can take
 * while the other ports send nothing. */
static enum st
measure_port(struct prober *prober, size_t first, size_t end, struct err *err)
{
    uint64_t before = 0;
    enum st st = ST_OK;

    prober->first = first;
    prober->end = end;
    for (size_t i = first; !st && i < end; i++) {
        struct probe_group *group = &prober->groups[i];
        uint64_t at = 0;

        group->room = UINT64_MAX;
        st = search(prober, prober->options->limit, &at, err);
        if (!st && !at) {
            st = fail_limit(prober, err);
        } else if (!st) {
            /* The groups before it have room for that many, as measured. */
            group->room = at > before ? at - 1 - before : 0;
            before = at - 1;
        }
    }
    return st;
}

static enum st
probe_pool(struct prober *prober, struct err *err)
{
    struct probe_result *result = prober->result;
    const size_t n_dscps = prober->options->n_dscps;
    enum st st = ST_OK;

    for (size_t i = 0; !st && i < prober->n_groups; i += n_dscps) {
        st = measure_port(prober, i, i + n_dscps, err);
    }
    prober->first = 0;
    prober->end = prober->n_groups;
    for (size_t i = 0; i < prober->n_groups; i++) {
        result->alone += prober->groups[i].room;
    }
    if (!st && result->alone) {
        st = search(prober, result->alone, &result->packets, err);
    }
    if (!st && !result->packets) {
        st = err_set(err, ST_NOT_FOUND, "not-exhausted",
                     "%zu groups can use all of their headroom, %" PRIu64
                     " packets, at the same time",
                     prober->n_groups, result->alone);
        err_set_remedy(err, "give more --from or --dscp, unless there is no "
                            "shared headroom pool");
    }
    return st;
}

/* --- Preparation --------------------------------------------------------- */

static enum st
check_options(const struct probe_options *options, struct err *err)
{
    const bool pool = options->kind == PROBE_HEADROOM_POOL;
    const char *wrong = NULL;

    if (!options->n_from || !options->n_dscps || !options->to) {
        wrong = "a probe needs a port to send from, one to send to, and a DSCP";
    } else if (!pool && (options->n_from > 1 || options->n_dscps > 1)) {
        wrong = "only headroom-pool sends from several ports or with several "
                "DSCPs";
    } else if (pool && options->n_from < 2) {
        wrong = "headroom-pool sends from at least two ports: what the groups "
                "of one share may be less than the pool";
    } else if (options->n_from * options->n_dscps > PROBE_GROUPS_MAX) {
        wrong = "more than 64 groups are given";
    } else if ((options->kind == PROBE_XON) != (options->other != NULL)) {
        wrong =
            "xon needs a second port to send to; other probes take only one";
    } else if (options->other && !strcmp(options->other, options->to)) {
        wrong = "xon needs two different ports to send to";
    } else if (options->limit < 2 || options->repeats > PROBE_REPEATS_MAX) {
        wrong = "the limit must be at least 2 packets, and repeats at most 50";
    }
    return wrong ? err_set(err, ST_INVALID, "usage", "%s", wrong) : ST_OK;
}

/* Checks that 'port' transmits. */
static enum st
check_port(struct prober *prober, const char *port, struct err *err)
{
    const struct target_object object = {TARGET_PORT, port, 0};
    const struct target_stat *enabled;
    struct target_reading reading;
    enum st st = probe_attempt_look(prober, &object, &reading, err);

    if (st) {
        return st;
    }
    enabled = target_reading_find(&reading, "tx_enabled");
    if (enabled && !enabled->value) {
        st = err_set(err, ST_INVALID, "blocked",
                     "%s is blocked already, and a probe would unblock it",
                     port);
        err_set_remedy(err, "orchctl asic unblock %s", port);
    }
    return st;
}

/* Finds the PG and the queue of a group by sending one packet through. */
static enum st
find_group(struct prober *prober, const char *from, uint8_t dscp,
           struct err *err)
{
    const enum probe_kind kind = prober->kind;
    struct probe_group *group = &prober->groups[prober->n_groups];
    const struct target_stat *lossless;
    struct target_reading reading;
    struct target_object pg;
    struct target_sent sent;
    enum st st;

    *group = (struct probe_group){.from = from, .dscp = dscp};
    st = probe_attempt_send(prober, group, prober->options->to,
                            TARGET_UNTIL_COUNT, 1, &sent, err);
    st = st ? st : prober->target->ops->settle(prober->target, err);
    if (st) {
        return st;
    }
    group->pg = sent.pg;
    group->queue = sent.queue;
    group->wred_dropped =
        send_cause_wred(prober->target, prober->options->to, group->queue);
    pg = probe_attempt_pg(group);
    st = probe_attempt_look(prober, &pg, &reading, err);
    lossless = st ? NULL : target_reading_find(&reading, "lossless");
    if (lossless && !lossless->value && kind != PROBE_DROP &&
        kind != PROBE_EGRESS_DROP) {
        st = err_set(err, ST_INVALID, "lossy",
                     "pg %s|%u, which DSCP %u maps to, is lossy: it has no "
                     "headroom and never asks for a pause",
                     from, group->pg, dscp);
        err_set_remedy(err, "a --dscp of a lossless group; or probe drop, or "
                            "egress-drop");
    }
    st = st ? st
            : probe_attempt_paused(prober, from,
                                   &prober->paused[prober->n_groups], err);
    prober->n_groups++;
    return st;
}

static enum st
prepare(struct prober *prober, struct err *err)
{
    const struct probe_options *options = prober->options;
    struct probe_side side = {0};
    enum st st = check_port(prober, options->to, err);

    if (!st && options->other) {
        st = check_port(prober, options->other, err);
    }
    for (size_t i = 0; !st && i < options->n_from; i++) {
        for (size_t k = 0; !st && k < options->n_dscps; k++) {
            st = find_group(prober, options->from[i], options->dscps[k], err);
        }
    }
    st = st ? st : probe_attempt_add_groups(prober, &side, err);
    prober->held = probe_attempt_side_bytes(&side);
    return st;
}

enum st
probe_run(struct target *target, const struct probe_options *options,
          struct probe_result *result, struct err *err)
{
    struct prober prober = {.target = target,
                            .options = options,
                            .result = result,
                            .kind = options->kind};
    const struct probe_group *group = &prober.groups[0];
    enum st st = check_options(options, err);

    memset(result, 0, sizeof *result);
    if (st) {
        return st;
    }
    prober.arena = arena_create(0);
    st = prepare(&prober, err);
    if (!st && options->kind == PROBE_HEADROOM_POOL) {
        st = probe_pool(&prober, err);
        group = &prober.groups[prober.dropped];
    } else if (!st && options->kind == PROBE_XON) {
        st = probe_xon(&prober, err);
    } else if (!st) {
        st = probe_fill(&prober, err);
    }
    result->n_groups = prober.n_groups;
    result->object = probe_attempt_pg(group);
    if (options->kind == PROBE_EGRESS_DROP) {
        result->object =
            (struct target_object){TARGET_QUEUE, options->to, group->queue};
    }
    arena_destroy(prober.arena);
    return st;
}
