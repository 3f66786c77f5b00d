/* SPDX-License-Identifier: Apache-2.0 */

/* Compares the buffer with what was reported last, after each packet.
 *
 * A packet changes its PG, its queue and their pools, and with the pools the
 * dynamic thresholds of all others.  So after each packet the watch looks at
 * the PG and the queue, at all PGs and queues that hold something, and at all
 * pools, and reports those that differ.  XOFF is part of what it looks at. */

#include <config.h>

#include "vendors/softasic/traffic/watch.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/pfc.h"
#include "vendors/softasic/traffic/frames.h"

/* What was reported last. */
struct level {
    uint64_t reserved_bytes, shared_bytes, headroom_bytes;
    uint64_t limit_bytes, headroom_limit_bytes;
    bool xoff;
    bool is_busy;   /* It holds something. */
    bool is_listed; /* It is in 'busy', perhaps no longer busy. */
};

/* All PGs or all queues. */
struct side {
    struct level *levels; /* By identity in the MMU. */
    uint32_t *busy;       /* Those that hold something. */
    uint32_t n_busy;
    uint32_t per_port;
};

struct watch {
    struct softasic_watcher watcher;
    struct side sides[2]; /* By enum mmu_direction. */
    /* In the order of the pools, with room for all that the chip can have. */
    struct level *pools;
    sai_object_id_t *pool_oids;
    uint16_t *pauses; /* By port: what was sent, and received << 8. */
    bool *all_pauses; /* By port. */
};

/* Reports -------------------------------------------------------------------
 */

static void
report(const struct asic *asic, struct softasic_change *change)
{
    const struct softasic_watcher *watcher = &asic->watch->watcher;

    change->now_ps = sim_now_ps(asic->sim);
    if (watcher->change) {
        watcher->change(watcher->context, change);
    }
}

/* Returns the id of the port in slot 'port'; null if it has none any more. */
static sai_object_id_t
port_oid(const struct asic *asic, uint32_t port)
{
    const struct objects_item *item = asic->ports[port].item;

    return item ? item->oid : SAI_NULL_OBJECT_ID;
}

/* Reports that something 'begins' or ends at 'index' of 'port'. */
static void
report_edge(const struct asic *asic, enum softasic_change_kind kind,
            uint32_t port, uint32_t index, bool begins)
{
    report(asic, &(struct softasic_change){.kind = kind,
                                           .object = port_oid(asic, port),
                                           .index = index,
                                           .begins = begins});
}

/* Reports 'level' of an object. */
static void
report_level(const struct asic *asic, enum softasic_change_kind kind,
             sai_object_id_t object, uint32_t index, const struct level *level)
{
    report(asic, &(struct softasic_change){
                     .kind = kind,
                     .object = object,
                     .index = index,
                     .reserved_bytes = level->reserved_bytes,
                     .shared_bytes = level->shared_bytes,
                     .headroom_bytes = level->headroom_bytes,
                     .limit_bytes = level->limit_bytes,
                     .headroom_limit_bytes = level->headroom_limit_bytes});
}

/* Levels --------------------------------------------------------------------
 */

/* Converts cells, or the lack of a limit. */
static uint64_t
to_bytes(const struct asic *asic, uint64_t cells)
{
    return cells == UINT64_MAX ? SOFTASIC_NO_LIMIT
                               : chip_cells_to_bytes(asic->chip, cells);
}

static struct level
read_pg(const struct asic *asic, uint32_t id)
{
    struct mmu_pg_stats stats;

    mmu_pg_get(asic->mmu, id, &stats);
    return (struct level){.reserved_bytes = to_bytes(asic, stats.reserved),
                          .shared_bytes = to_bytes(asic, stats.shared),
                          .headroom_bytes = to_bytes(asic, stats.headroom),
                          .limit_bytes = to_bytes(asic, stats.limit),
                          .headroom_limit_bytes =
                              to_bytes(asic, stats.headroom_limit),
                          .xoff = stats.is_xoff};
}

static struct level
read_queue(const struct asic *asic, uint32_t id)
{
    struct mmu_queue_stats stats;

    mmu_queue_get(asic->mmu, id, &stats);
    return (struct level){.reserved_bytes = to_bytes(asic, stats.reserved),
                          .shared_bytes = to_bytes(asic, stats.shared),
                          .limit_bytes = to_bytes(asic, stats.limit),
                          .headroom_limit_bytes = SOFTASIC_NO_LIMIT};
}

static struct level
read_pool(const struct asic *asic, uint32_t handle)
{
    struct mmu_pool_stats stats;
    const enum st found = mmu_pool_get(asic->mmu, handle, &stats);

    orch_assert(found == ST_OK); /* Every pool is in the MMU. */
    return (struct level){
        .reserved_bytes = to_bytes(asic, stats.reserved),
        .shared_bytes = to_bytes(asic, stats.shared),
        .headroom_bytes = to_bytes(asic, stats.headroom),
        .limit_bytes = to_bytes(asic, stats.shared_size),
        .headroom_limit_bytes =
            stats.headroom_limit == UINT64_MAX
                ? SOFTASIC_NO_LIMIT
                : to_bytes(asic, stats.headroom_limit * asic->chip->partitions),
    };
}

static bool
holds(const struct level *level)
{
    return level->reserved_bytes || level->shared_bytes ||
           level->headroom_bytes || level->xoff;
}

static bool
differs(const struct level *a, const struct level *b)
{
    return a->reserved_bytes != b->reserved_bytes ||
           a->shared_bytes != b->shared_bytes ||
           a->headroom_bytes != b->headroom_bytes ||
           a->limit_bytes != b->limit_bytes ||
           a->headroom_limit_bytes != b->headroom_limit_bytes;
}

/* Reports PG or queue 'id' if it has changed. */
static void
look_at(const struct asic *asic, enum mmu_direction direction, uint32_t id)
{
    struct side *side = &asic->watch->sides[direction];
    struct level *last = &side->levels[id];
    const bool is_pg = direction == MMU_INGRESS;
    const uint32_t port = id / side->per_port, index = id % side->per_port;
    struct level now = is_pg ? read_pg(asic, id) : read_queue(asic, id);
    const bool was_busy = last->is_busy, was_xoff = last->xoff;
    const bool reports = differs(&now, last) && (was_busy || holds(&now));

    now.is_busy = holds(&now);
    now.is_listed = last->is_listed || now.is_busy;
    if (now.is_listed && !last->is_listed) {
        side->busy[side->n_busy++] = id;
    }
    if (now.is_busy || was_busy) {
        *last = now;
    }
    if (reports) {
        report_level(asic, is_pg ? SOFTASIC_CHANGE_PG : SOFTASIC_CHANGE_QUEUE,
                     port_oid(asic, port), index, &now);
    }
    if (now.xoff != was_xoff) {
        report_edge(asic, SOFTASIC_CHANGE_XOFF, port, index, now.xoff);
    }
}

/* Looks at all PGs or queues that hold something, and forgets those that do not
 * any more. */
static void
look_at_busy(const struct asic *asic, enum mmu_direction direction)
{
    struct side *side = &asic->watch->sides[direction];
    uint32_t n = 0;

    for (uint32_t i = 0; i < side->n_busy; i++) {
        const uint32_t id = side->busy[i];

        look_at(asic, direction, id);
        side->levels[id].is_listed = side->levels[id].is_busy;
        if (side->levels[id].is_busy) {
            side->busy[n++] = id;
        }
    }
    side->n_busy = n;
}

static void
look_at_pools(const struct asic *asic)
{
    struct watch *watch = asic->watch;
    uint32_t n = 0;

    for (const struct objects_item *item =
             objects_first(asic->objects, SAI_OBJECT_TYPE_BUFFER_POOL);
         item && n < asic->chip->pools;
         item = objects_next(asic->objects, item)) {
        const struct level now = read_pool(asic, item->handle);

        /* Removed pools may have moved the others. */
        if (watch->pool_oids[n] != item->oid ||
            differs(&now, &watch->pools[n])) {
            report_level(asic, SOFTASIC_CHANGE_POOL, item->oid, 0, &now);
        }
        watch->pool_oids[n] = item->oid;
        watch->pools[n++] = now;
    }
}

void
watch_look(struct asic *asic)
{
    if (asic->watch) {
        look_at_busy(asic, MMU_INGRESS);
        look_at_busy(asic, MMU_EGRESS);
        look_at_pools(asic);
    }
}

/* A mmu_watch_fn. */
static void
on_packet(void *asic_, uint32_t pg, uint32_t queue)
{
    struct asic *asic = asic_;

    look_at(asic, MMU_INGRESS, pg);
    look_at(asic, MMU_EGRESS, queue);
    watch_look(asic);
}

/* Pauses, marks, drops ------------------------------------------------------
 */

/* Reports the bits in which 'now' differs from 'before'. */
static void
report_bits(const struct asic *asic, enum softasic_change_kind kind,
            uint32_t port, unsigned int before, unsigned int now)
{
    for (unsigned int left = before ^ now; left; left &= left - 1) {
        const uint32_t priority = (uint32_t)__builtin_ctz(left);

        report_edge(asic, kind, port, priority, now >> priority & 1);
    }
}

/* A sim_pauses_fn. */
static void
on_pauses(void *asic_, uint32_t port, uint8_t sent, uint8_t received, bool all,
          int64_t now_ps)
{
    struct asic *asic = asic_;
    struct watch *watch = asic->watch;
    const unsigned int before = watch->pauses[port];
    const struct side *side = &watch->sides[MMU_INGRESS];

    (void)now_ps;
    watch->pauses[port] = (uint16_t)(sent | received << 8);
    if (sent != (before & 0xff)) {
        /* First what the PGs hold, which is why. */
        for (uint32_t i = 0; i < side->per_port; i++) {
            look_at(asic, MMU_INGRESS, port * side->per_port + i);
        }
    }
    report_bits(asic, SOFTASIC_CHANGE_PAUSE_SENT, port, before & 0xff, sent);
    report_bits(asic, SOFTASIC_CHANGE_PAUSE_RECEIVED, port, before >> 8,
                received);
    if (all != watch->all_pauses[port]) {
        watch->all_pauses[port] = all;
        report_edge(asic, SOFTASIC_CHANGE_PAUSE_RECEIVED, port,
                    SOFTASIC_PRIORITY_ALL, all);
    }
}

/* A sim_mark_fn. */
static void
on_mark(void *asic_, uint32_t port, uint32_t index,
        const struct sim_frame *frame, uint64_t depth_bytes, int64_t now_ps)
{
    const struct asic *asic = asic_;

    (void)depth_bytes;
    (void)now_ps;
    report(asic, &(struct softasic_change){.kind = SOFTASIC_CHANGE_MARK,
                                           .object = port_oid(asic, port),
                                           .index = index,
                                           .frame_bytes = frame->length_bytes});
}

void
watch_dropped(struct asic *asic, uint32_t port, enum mmu_drop why,
              const struct sim_frame *frame, int64_t now_ps)
{
    static const enum softasic_drop reasons[MMU_N_DROPS] = {
#define X(member, slug, is_egress) [MMU_##member] = SOFTASIC_DROP_##member,
        SOFTASIC_DROP_LIST(X)
#undef X
    };
    const struct classify_rules *base = sim_rules(asic->sim);
    const struct classify_rules *rules = sim_port_rules(asic->sim, port);
    const bool is_egress = mmu_drop_is_egress(why);

    (void)now_ps;
    report(asic, &(struct softasic_change){
                     .kind = SOFTASIC_CHANGE_DROP,
                     .object = port_oid(asic, port),
                     .index = is_egress ? classify_queue(base, rules, frame->tc)
                                        : classify_pg(base, rules, frame->tc),
                     .frame_bytes = frame->length_bytes,
                     .why = reasons[why],
                     .is_egress = is_egress});
}

void
watch_deadlock(struct asic *asic, uint32_t port, uint32_t index, bool dead)
{
    report_edge(asic, SOFTASIC_CHANGE_DEADLOCK, port, index, dead);
}

/* Frames --------------------------------------------------------------------
 */

/* Passes 'frame' at 'port' on, with the bytes that it has. */
static void
pass_frame(const struct asic *asic, uint32_t port,
           const struct sim_frame *frame, bool received, bool is_control,
           int64_t now_ps)
{
    const struct softasic_watcher *watcher = &asic->watch->watcher;
    const struct sim_payload *payload = frame->payload;
    const bool has_bytes = payload && payload->length;
    uint8_t *bytes =
        has_bytes ? check_malloc(payload->length + SIM_TAG_BYTES) : NULL;
    struct softasic_frame seen = {
        .now_ps = now_ps,
        .port = port_oid(asic, port),
        .received = received,
        .length_bytes = frame->length_bytes,
        .bytes = bytes,
        .source_mac = frame->src_mac,
        .destination_mac = frame->dst_mac,
        .dscp = frame->dscp,
        .ecn = frame->ecn,
        .ttl = frame->ttl,
        .ip_id = frame->ip_id,
        .has_tag = frame->tag || (frame->has & SIM_HAS_TAG),
        .vlan = frame->tag,
        .pcp = frame->dot1p,
        .source_port = payload ? payload->packet.src_port : 0,
    };

    if (has_bytes && is_control) {
        memcpy(bytes, payload->bytes, payload->length);
        seen.n_bytes = payload->length;
    } else if (has_bytes) {
        seen.n_bytes = frames_write(frame, bytes);
    }
    watcher->frame(watcher->context, &seen);
    free(bytes);
}

void
watch_sent(struct asic *asic, uint32_t port, const struct sim_frame *frame,
           int64_t now_ps)
{
    if (asic->watch->watcher.frame) {
        pass_frame(asic, port, frame, false, false, now_ps);
    }
}

/* A sim_control_fn. */
static void
on_control(void *asic_, uint32_t port, const struct sim_frame *frame,
           bool received, int64_t now_ps)
{
    pass_frame(asic_, port, frame, received, true, now_ps);
}

/* Begin and end -------------------------------------------------------------
 */

void
watch_listen(const struct asic *asic, struct sim_listener *listener)
{
    if (asic->watch) {
        listener->marked = on_mark;
        listener->pauses = on_pauses;
        listener->control = asic->watch->watcher.frame ? on_control : NULL;
    }
}

static void
side_init(struct side *side, uint32_t n_ports, uint32_t per_port)
{
    const size_t n = (size_t)n_ports * per_port;

    side->levels = check_calloc(n, sizeof *side->levels);
    side->busy = check_calloc(n, sizeof *side->busy);
    side->per_port = per_port;
}

static void
end(struct asic *asic)
{
    struct watch *watch = asic->watch;

    if (watch) {
        for (unsigned int i = 0; i < 2; i++) {
            free(watch->sides[i].levels);
            free(watch->sides[i].busy);
        }
        free(watch->pools);
        free(watch->pool_oids);
        free(watch->pauses);
        free(watch->all_pauses);
        free(watch);
        asic->watch = NULL;
    }
}

/* Reports what the switch holds already. */
static void
look_at_all(struct asic *asic)
{
    for (unsigned int direction = 0; direction < 2; direction++) {
        const uint32_t n =
            asic->n_ports * asic->watch->sides[direction].per_port;

        for (uint32_t id = 0; id < n; id++) {
            look_at(asic, (enum mmu_direction)direction, id);
        }
    }
    look_at_pools(asic);
}

void
watch_start(struct asic *asic, const struct softasic_watcher *watcher)
{
    const struct chip *chip = asic->chip;

    end(asic);
    if (watcher) {
        struct watch *watch = check_calloc(1, sizeof *watch);

        watch->watcher = *watcher;
        side_init(&watch->sides[MMU_INGRESS], chip->ports, chip->pgs_per_port);
        side_init(&watch->sides[MMU_EGRESS], chip->ports,
                  chip->queues_per_port);
        watch->pools = check_calloc(chip->pools, sizeof *watch->pools);
        watch->pool_oids = check_calloc(chip->pools, sizeof *watch->pool_oids);
        watch->pauses = check_calloc(chip->ports, sizeof *watch->pauses);
        watch->all_pauses =
            check_calloc(chip->ports, sizeof *watch->all_pauses);
        asic->watch = watch;
        look_at_all(asic);
    }
    mmu_set_watch(asic->mmu, watcher ? on_packet : NULL, asic);
}
