/* SPDX-License-Identifier: Apache-2.0 */

/* Thresholds by bisection. */

#include <config.h>

#include "breakpoint/probe.h"

#include <inttypes.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"

#define N_PRIORITIES 8
#define TTL          64

/* Packets of one class that enter at one port. */
struct group {
    const char *from;
    uint8_t dscp;
    unsigned int pg, queue; /* Where they go. */
    uint64_t room;          /* headroom-pool: packets after the pause. */
};

/* What an attempt saw. */
struct outcome {
    bool crossed;
    struct probe_side side;
};

struct prober {
    struct target *target;
    const struct probe_options *options;
    struct probe_result *result;
    struct arena *arena; /* Of one reading. */
    struct group groups[PROBE_GROUPS_MAX];
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

/* --- The switch ---------------------------------------------------------- */

/* Returns a counter, 0 if the object has none of that name. */
static uint64_t
stat_of(const struct target_reading *reading, const char *name)
{
    const struct target_stat *stat = target_reading_find(reading, name);

    return stat ? stat->value : 0;
}

/* Reads one object; what is read is valid until the next look. */
static enum st
look(struct prober *prober, const struct target_object *object,
     struct target_reading *reading, struct err *err)
{
    arena_reset(prober->arena);
    return prober->target->ops->read(prober->target, object, 1, prober->arena,
                                     reading, err);
}

static struct target_object
pg_of(const struct group *group)
{
    return (struct target_object){TARGET_PG, group->from, group->pg};
}

/* Adds what 'object' holds to '*side'. */
static enum st
add_held(struct prober *prober, const struct target_object *object,
         struct probe_side *side, struct err *err)
{
    struct target_reading reading;
    enum st st = look(prober, object, &reading, err);

    if (!st) {
        side->reserved_bytes += stat_of(&reading, "reserved_bytes");
        side->shared_bytes += stat_of(&reading, "shared_bytes");
        side->headroom_bytes += stat_of(&reading, "headroom_bytes");
    }
    return st;
}

/* Adds what all groups hold. */
static enum st
add_groups(struct prober *prober, struct probe_side *side, struct err *err)
{
    enum st st = ST_OK;

    for (size_t i = 0; !st && i < prober->n_groups; i++) {
        const struct target_object pg = pg_of(&prober->groups[i]);

        st = add_held(prober, &pg, side, err);
    }
    return st;
}

static uint64_t
side_bytes(const struct probe_side *side)
{
    return side->reserved_bytes + side->shared_bytes + side->headroom_bytes;
}

/* Stores which priorities 'port' asks its peer to pause. */
static enum st
paused_priorities(struct prober *prober, const char *port, uint8_t *paused,
                  struct err *err)
{
    const struct target_object object = {TARGET_PORT, port, 0};
    struct target_reading reading;
    enum st st = look(prober, &object, &reading, err);

    *paused = 0;
    for (unsigned int i = 0; !st && i < N_PRIORITIES; i++) {
        char name[sizeof "pfc_0_xoff"];

        text_format(name, sizeof name, "pfc_%u_xoff", i);
        if (stat_of(&reading, name)) {
            *paused = (uint8_t)(*paused | 1U << i);
        }
    }
    return st;
}

/* Stores whether the group and its port ask for a pause that they did not ask
 * for at rest.  A group that would, but may not, is an error. */
static enum st
group_paused(struct prober *prober, size_t i, bool *paused, struct err *err)
{
    const struct group *group = &prober->groups[i];
    const struct target_object pg = pg_of(group);
    struct target_reading reading;
    uint8_t priorities;
    enum st st = paused_priorities(prober, group->from, &priorities, err);

    *paused = (priorities & ~prober->paused[i]) != 0;
    st = st ? st : look(prober, &pg, &reading, err);
    if (!st && !*paused && stat_of(&reading, "xoff")) {
        st = err_set(err, ST_INVALID, "no-pfc",
                     "pg %s.%u would ask for a pause, but PFC is not enabled "
                     "for it",
                     group->from, group->pg);
        err_set_remedy(err, "pfc_enable of PORT_QOS_MAP|%s", group->from);
    }
    return st;
}

static enum st
send(struct prober *prober, const struct group *group, const char *to,
     enum target_until until, uint64_t n, struct target_sent *sent,
     struct err *err)
{
    const struct target_send wanted = {
        .from = group->from,
        .to = to,
        .until = until,
        .count = n,
        .size_bytes = prober->options->size_bytes,
        .dscp = group->dscp,
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
    const struct target_block block = {port, TARGET_BLOCK_TX_ENABLE, 0};

    return prober->target->ops->block(prober->target, &block, blocked, err);
}

/* --- One attempt --------------------------------------------------------- */

/* Complains of packets that are dropped where nobody asked, before what was
 * asked for: from there on the buffer does not fill any more. */
static enum st
fail_elsewhere(const struct group *group, bool egress, uint64_t n,
               struct err *err)
{
    const char *where = egress ? "egress" : "ingress";

    (void)err_set(err, ST_INVALID, egress ? "egress-first" : "ingress-first",
                  "of %" PRIu64
                  " packets from %s with DSCP %u some are dropped "
                  "at %s before that",
                  n, group->from, group->dscp, where);
    err_set_remedy(err, "probe %s", egress ? "egress-drop" : "drop");
    return ST_INVALID;
}

/* xoff, drop, egress-drop: 'n' packets into the blocked port. */
static enum st
try_fill(struct prober *prober, uint64_t n, struct outcome *outcome,
         struct err *err)
{
    const struct group *group = &prober->groups[0];
    const bool egress = prober->kind == PROBE_EGRESS_DROP;
    struct target_object object = pg_of(group);
    struct target_sent sent;
    enum st st = send(prober, group, prober->options->to, TARGET_UNTIL_COUNT, n,
                      &sent, err);

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
        st = fail_elsewhere(group, true, n, err);
    } else if (!st && !outcome->crossed && sent.dropped_ingress) {
        st = fail_elsewhere(group, false, n, err);
    }
    return st;
}

/* Sends until the group asks for a pause. */
static enum st
pause_group(struct prober *prober, const struct group *group, const char *to,
            struct target_sent *sent, struct err *err)
{
    enum st st = send(prober, group, to, TARGET_UNTIL_XOFF,
                      prober->options->limit, sent, err);

    if (!st && !sent->reached) {
        st = err_set(err, ST_NOT_FOUND, "limit",
                     "pg %s.%u did not ask for a pause within %" PRIu64
                     " packets",
                     group->from, group->pg, prober->options->limit);
        err_set_remedy(err, "--limit, or PFC of that priority at the port");
    }
    return st;
}

/* xon: of the packets of a pause, 'n' leave. */
static enum st
try_drain(struct prober *prober, uint64_t n, struct outcome *outcome,
          struct err *err)
{
    const struct probe_options *options = prober->options;
    const struct group *group = &prober->groups[0];
    const struct target_object pg = pg_of(group);
    struct target_sent left = {0};
    struct target_sent kept;
    bool paused = false;
    enum st st =
        send(prober, group, options->to, TARGET_UNTIL_COUNT, n, &left, err);

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

/* headroom-pool: all groups that take part are paused, then send 'n' packets,
 * each as many as it has room for, one after another. */
static enum st
try_headroom(struct prober *prober, uint64_t n, struct outcome *outcome,
             struct err *err)
{
    const char *to = prober->options->to;
    struct target_sent sent;
    enum st st = ST_OK;

    for (size_t i = prober->first; !st && i < prober->end; i++) {
        st = pause_group(prober, &prober->groups[i], to, &sent, err);
    }
    for (size_t i = prober->first; !st && n && i < prober->end; i++) {
        const struct group *group = &prober->groups[i];
        const uint64_t part = n < group->room ? n : group->room;

        if (!part) {
            continue;
        }
        st = send(prober, group, to, TARGET_UNTIL_COUNT, part, &sent, err);
        n -= part;
        if (!st && sent.dropped_ingress && !outcome->crossed) {
            outcome->crossed = true;
            prober->dropped = i;
        } else if (!st && sent.dropped_egress) {
            st = fail_elsewhere(group, true, part, err);
        }
    }
    return st ? st : add_groups(prober, &outcome->side, err);
}

/* Checks that the buffer starts as it did at first. */
static enum st
check_rest(struct prober *prober, struct err *err)
{
    struct probe_side side = {0};
    enum st st = add_groups(prober, &side, err);

    if (!st && side_bytes(&side) != prober->held) {
        st = err_set(err, ST_DEVICE, "not-at-rest",
                     "the groups held %" PRIu64 " bytes before the first "
                     "attempt and %" PRIu64 " before another",
                     prober->held, side_bytes(&side));
        err_set_remedy(err, "stop other traffic to and from these ports");
    }
    return st;
}

/* Lets all ports transmit and waits until the buffer is empty; keeps 'st', the
 * first thing that has gone wrong. */
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

static enum st
attempt(struct prober *prober, uint64_t n, struct outcome *outcome,
        struct err *err)
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

/* --- The search ---------------------------------------------------------- */

/* Notes an attempt, unless an earlier one contradicts it. */
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
                           "%" PRIu64 " packets have crossed the threshold in "
                           "one attempt and not in another",
                           n);
        }
        if (crossed == (n < trial->packets)) {
            const uint64_t less = crossed ? n : trial->packets;
            const uint64_t more = crossed ? trial->packets : n;

            return err_set(err, ST_DEVICE, "not-monotonic",
                           "%" PRIu64 " packets have crossed the threshold, "
                           "%" PRIu64 " have not",
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
try_note(struct prober *prober, uint64_t n, struct outcome *outcome,
         struct err *err)
{
    enum st st = attempt(prober, n, outcome, err);

    return st ? st : note(prober->result, n, outcome->crossed, err);
}

/* Doubles from 1 until the threshold is crossed.  '*below' does not cross it,
 * '*at' does; if nothing up to 'limit' does, both are 'limit'. */
static enum st
bracket(struct prober *prober, uint64_t limit, uint64_t *below, uint64_t *at,
        struct err *err)
{
    struct outcome outcome = {0};
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

/* Halves the interval until its ends are neighbours. */
static enum st
bisect(struct prober *prober, uint64_t below, uint64_t *at, struct err *err)
{
    enum st st = ST_OK;

    while (!st && *at - below > 1) {
        const uint64_t middle = below + (*at - below) / 2;
        struct outcome outcome;

        st = try_note(prober, middle, &outcome, err);
        *(outcome.crossed ? at : &below) = middle;
    }
    return st;
}

/* Makes one of the attempts at the threshold again, and notes what is held. */
static enum st
repeat(struct prober *prober, uint64_t n, struct probe_side *side,
       struct err *err)
{
    struct outcome outcome;
    enum st st = n ? try_note(prober, n, &outcome, err) : ST_OK;

    if (!st && n) {
        *side = outcome.side;
    }
    return st;
}

/* Tries some points that are far from the threshold 'at', and repeats the two
 * attempts there, at least once as they tell what is held.  Their order
 * changes, so that what comes and goes by turns does not go unnoticed. */
static enum st
confirm(struct prober *prober, uint64_t at, uint64_t limit, struct err *err)
{
    struct probe_result *result = prober->result;
    const uint64_t far[] = {at / 4, at / 2, at - at / 4, at + at / 2, 2 * at};
    const unsigned int n = prober->options->repeats;
    struct outcome outcome;
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

/* Finds the least number up to 'limit' that crosses the threshold; 0: none. */
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
    (void)err_set(err, ST_NOT_FOUND, "limit",
                  "%" PRIu64 " packets from %s to %s do not reach it",
                  prober->options->limit, prober->options->from[0],
                  prober->options->to);
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
                     "pg %s.%u still asks for a pause when all %" PRIu64
                     " packets have left",
                     prober->groups[0].from, prober->groups[0].pg, pause_at);
    }
    result->pause_at = prober->pause_at;
    return st;
}

/* Finds how much the groups of one port, 'first' to 'end', can take alone. */
static enum st
measure_port(struct prober *prober, size_t first, size_t end, struct err *err)
{
    uint64_t before = 0;
    enum st st = ST_OK;

    prober->first = first;
    prober->end = end;
    for (size_t i = first; !st && i < end; i++) {
        struct group *group = &prober->groups[i];
        uint64_t at = 0;

        group->room = UINT64_MAX;
        st = search(prober, prober->options->limit, &at, err);
        if (!st && !at) {
            st = fail_limit(prober, err);
        } else if (!st) {
            /* What is before it has room for that much, by measurement. */
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
                     " packets, at a time",
                     prober->n_groups, result->alone);
        err_set_remedy(err, "more --from or --dscp; or there is no shared "
                            "headroom pool");
    }
    return st;
}

/* --- The beginning ------------------------------------------------------- */

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
        wrong = "these are more than 64 groups";
    } else if ((options->kind == PROBE_XON) != (options->other != NULL)) {
        wrong = "xon needs a second port to send to, and only xon does";
    } else if (options->other && !strcmp(options->other, options->to)) {
        wrong = "xon needs two different ports to send to";
    } else if (options->limit < 2 || options->repeats > PROBE_REPEATS_MAX) {
        wrong = "the limit is at least 2 packets, repeats are at most 50";
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
    enum st st = look(prober, &object, &reading, err);

    if (st) {
        return st;
    }
    enabled = target_reading_find(&reading, "tx_enabled");
    if (enabled && !enabled->value) {
        st = err_set(err, ST_INVALID, "blocked",
                     "%s does not transmit already: a probe would unblock it",
                     port);
        err_set_remedy(err, "orchctl asic unblock %s", port);
    }
    return st;
}

/* Finds where the packets of a group go, with one that may pass. */
static enum st
find_group(struct prober *prober, const char *from, uint8_t dscp,
           struct err *err)
{
    const enum probe_kind kind = prober->kind;
    struct group *group = &prober->groups[prober->n_groups];
    const struct target_stat *lossless;
    struct target_reading reading;
    struct target_object pg;
    struct target_sent sent;
    enum st st;

    *group = (struct group){.from = from, .dscp = dscp};
    st = send(prober, group, prober->options->to, TARGET_UNTIL_COUNT, 1, &sent,
              err);
    st = st ? st : prober->target->ops->settle(prober->target, err);
    if (st) {
        return st;
    }
    group->pg = sent.pg;
    group->queue = sent.queue;
    pg = pg_of(group);
    st = look(prober, &pg, &reading, err);
    lossless = st ? NULL : target_reading_find(&reading, "lossless");
    if (lossless && !lossless->value && kind != PROBE_DROP &&
        kind != PROBE_EGRESS_DROP) {
        st = err_set(err, ST_INVALID, "lossy",
                     "pg %s.%u, where DSCP %u goes, is lossy: it has no "
                     "headroom and asks for no pause",
                     from, group->pg, dscp);
        err_set_remedy(err, "a --dscp of a lossless group; or probe drop, or "
                            "egress-drop");
    }
    st = st ? st
            : paused_priorities(prober, from, &prober->paused[prober->n_groups],
                                err);
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
    st = st ? st : add_groups(prober, &side, err);
    prober->held = side_bytes(&side);
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
    const struct group *group = &prober.groups[0];
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
    result->object = pg_of(group);
    if (options->kind == PROBE_EGRESS_DROP) {
        result->object =
            (struct target_object){TARGET_QUEUE, options->to, group->queue};
    }
    arena_destroy(prober.arena);
    return st;
}
