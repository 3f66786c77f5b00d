/* SPDX-License-Identifier: Apache-2.0 */

/* Frames of flows for which the switch knows what to do (flow_table.h).
 *
 * sim_flow_take__() does for such a frame what traps, router, bridge and
 * classification would do, counters included.  sim_flow_note__() makes the
 * entry after they have done it for a frame. */

#include <config.h>

#include "twin/forwarding/acl.h"
#include "twin/switch/sim_state.h"

#define ADDRESS_BITS UINT64_C(0xffffffffffff)

enum { NUMBER_SHIFT = 48 };

/* Packs an address and a number. */
static inline uint64_t
pack(uint64_t address, uint32_t number)
{
    return address | (uint64_t)number << NUMBER_SHIFT;
}

/* Returns the headers of 'frame' that classification may read, in one
 * number. */
static inline uint16_t
headers_of(const struct sim_frame *frame)
{
    return (uint16_t)((uint8_t)frame->dscp | frame->dot1p << 8 |
                      frame->exp << 11 | frame->has << 14);
}

/* Returns whether the decision of 'entry' holds for 'frame'. */
static inline bool
matches(const struct flow_entry *entry, const struct sim_port *in,
        const struct sim_frame *frame)
{
    const uint64_t src = entry->flags & FLOW_HAS_SOURCE ? frame->src_mac : 0;
    /* Not short-circuited: all are nearly always true. */
    const uint64_t differs =
        (entry->dst_and_tag ^ pack(frame->dst_mac, frame->tag)) |
        (entry->src_and_in ^ pack(src, in->id)) |
        (uint64_t)(entry->headers ^ headers_of(frame));

    return differs == 0 && frame->length_bytes <= entry->max_bytes &&
           (!(entry->flags & FLOW_TAKES_TTL) || frame->ttl > 1);
}

/* Returns the valid entry for 'frame' from 'in', NULL if there is none. */
static inline struct flow_entry *
find(struct sim_port *in, const struct sim_frame *frame)
{
    struct sim *sim = in->sim;
    const uint32_t number = frame_flow_number(frame);
    struct flow_entry *entry;

    if (!number) {
        return NULL;
    }
    if (sim->flows.changes != sim->changes) {
        flow_table_clear(&sim->flows, sim->changes);
        return NULL;
    }
    entry = flow_table_find(&sim->flows, number, in->id);
    return entry && matches(entry, in, frame) ? entry : NULL;
}

/* A flow_table_end_fn: counts the frames of 'entry' at bridge and router. */
static void
report(const struct flow_table *table, const struct flow_entry *entry)
{
    const struct sim *sim =
        (const void *)((const char *)table - offsetof(struct sim, flows));
    const struct sim_port *in = &sim->ports[entry->src_and_in >> NUMBER_SHIFT];

    if (entry->in_vlan) {
        bridge_note_in(sim->bridge, entry->in_vlan, sim_logical__(in),
                       entry->n_frames, entry->octets);
    }
    if (entry->flags & FLOW_IS_ROUTED) {
        router_note_forwarded(sim->router, entry->in_interface, entry->n_frames,
                              entry->octets);
    }
}

void
sim_flow_init__(struct sim *sim)
{
    sim->flows.memory = sim->pool->memory;
    sim->flows.end = report;
}

/* Counts 'frame', and keeps its source from ageing. */
static inline void
note_passage(struct sim_port *in, struct flow_entry *entry,
             const struct sim_frame *frame)
{
    struct sim *sim = in->sim;

    if (flow_entry_is_full(entry)) {
        flow_table_report(&sim->flows);
    }
    entry->n_frames++;
    entry->octets += frame->length_bytes;
    sim->flows.counts = true;
    if (entry->flags & FLOW_COUNTS) {
        const struct acl_trail *trail = flow_table_trail(&sim->flows, entry);

        for (uint32_t i = 0; i < trail->n; i++) {
            acl_count_add(trail->counts[i], frame->length_bytes);
        }
    }
    if (entry->flags & FLOW_HAS_SOURCE) {
        const struct fdb_entry *touched =
            sim->flows.touches[entry - sim->flows.entries];

        if (touched) {
            fdb_touch(bridge_fdb(sim->bridge), touched);
        }
    }
}

/* Changes 'frame' to the one to be sent. */
static inline void
change(const struct flow_entry *entry, struct sim_frame *frame)
{
    frame->dst_mac = entry->dst_and_vlan & ADDRESS_BITS;
    if (entry->flags & FLOW_IS_ROUTED) {
        frame->src_mac = entry->src_and_out & ADDRESS_BITS;
    }
    frame->vlan = (uint16_t)(entry->dst_and_vlan >> NUMBER_SHIFT);
    frame->ttl = (uint8_t)(frame->ttl - !!(entry->flags & FLOW_TAKES_TTL));
    frame->is_routed = (entry->flags & FLOW_IS_ROUTED) != 0;
    frame->leaves_port = (entry->flags & FLOW_LEAVES_PORT) != 0;
    frame->tc = entry->tc;
    frame->color = entry->color;
}

/* Stores in '*way' where 'entry' sends frames. */
static inline void
locate(const struct flow_entry *entry, struct sim_way *way)
{
    way->interface = entry->interface;
    way->port = (uint32_t)(entry->src_and_out >> NUMBER_SHIFT);
    way->queue = entry->queue;
    way->pg = entry->pg;
    way->stays_whole = false;
}

bool
sim_flow_take__(struct sim_port *in, struct sim_frame *frame,
                struct sim_way *way)
{
    struct flow_entry *entry = find(in, frame);

    if (!entry || in->sim->checks) {
        return false;
    }
    size_runs_count(&in->rx, &in->cold->rx_ucast, frame->length_bytes);
    note_passage(in, entry, frame);
    change(entry, frame);
    locate(entry, way);
    return true;
}

/* Returns whether the result of the full path, 'way', will be the same for
 * other frames of the flow; 'was' is the frame as it arrived. */
static bool
is_lasting(struct sim_port *in, const struct sim_frame *was,
           const struct sim_frame *frame, uint32_t changes,
           const struct sim_way *way)
{
    const struct sim *sim = in->sim;

    return !sim->passage.is_special && changes == sim->changes &&
           frame->payload && frame->payload->length == 0 &&
           !fdb_mac_is_group(was->dst_mac) && was->tag <= SIM_MAX_VLAN &&
           (!sim->passage.is_listed ||
            (sim->passage.trail.n <= ACL_TRAIL_COUNTS &&
             !sim_access_varies__(in, &sim->ports[way->port], frame->vlan)));
}

/* Returns the longest frame to which the decision on 'frame' applies. */
static uint16_t
limit_of(const struct sim *sim, const struct sim_frame *was)
{
    const struct router_interface *out =
        router_interface_get(sim->router, sim->passage.interface);
    const uint32_t limit = was->payload->packet.ip_bytes == 0
                               ? out->mtu_bytes + (was->tag ? SIM_TAG_BYTES : 0)
                               : UINT16_MAX;

    return limit < UINT16_MAX ? (uint16_t)limit : UINT16_MAX;
}

/* Fills '*entry', whose position is 'at', for frames like 'was', which became
 * 'frame'. */
static void
fill(struct sim_port *in, const struct sim_frame *was,
     const struct sim_frame *frame, const struct sim_way *way,
     struct flow_entry *entry)
{
    const struct sim *sim = in->sim;
    const bool has_source =
        sim->passage.is_bridged ||
        (sim->passage.is_listed && sim_access_reads_source__(in));
    unsigned int flags = has_source ? FLOW_HAS_SOURCE : 0;

    flags |= sim->passage.trail.n ? FLOW_COUNTS : 0;
    if (frame->is_routed) {
        flags |= FLOW_IS_ROUTED | (frame->leaves_port ? FLOW_LEAVES_PORT : 0) |
                 (frame->ttl != was->ttl ? FLOW_TAKES_TTL : 0);
    }
    *entry = (struct flow_entry){
        .number = frame->payload->number,
        .interface = way->interface,
        .dst_and_tag = pack(was->dst_mac, was->tag),
        .src_and_in = pack(has_source ? was->src_mac : 0, in->id),
        .dst_and_vlan = pack(frame->dst_mac, frame->vlan),
        .src_and_out = pack(frame->src_mac, way->port),
        .in_interface = sim->passage.in_interface,
        .queue = way->queue,
        .pg = (uint16_t)way->pg,
        .max_bytes = frame->is_routed ? limit_of(sim, was) : UINT16_MAX,
        .headers = headers_of(was),
        .in_vlan = sim->passage.in_vlan,
        .tc = frame->tc,
        .color = frame->color,
        .flags = flags & 63u,
    };
}

/* Aborts unless the rules that counted the frame of the passage are those of
 * 'entry'. */
static void
check_trail(const struct sim *sim, const struct flow_entry *entry)
{
    const struct acl_trail *trail = &sim->passage.trail;
    const struct acl_trail *known = entry->flags & FLOW_COUNTS
                                        ? flow_table_trail(&sim->flows, entry)
                                        : NULL;

    orch_assert((known ? known->n : 0) == trail->n);
    for (uint32_t i = 0; i < trail->n; i++) {
        orch_assert(known->counts[i] == trail->counts[i]);
    }
}

/* Aborts unless 'frame', which was 'was', is what the entry for it says. */
static void
check(struct sim_port *in, const struct sim_frame *was,
      const struct sim_frame *frame, const struct sim_way *way)
{
    const struct flow_entry *entry = find(in, was);
    struct sim_frame same = *was;
    struct sim_way known;

    if (!entry) {
        return;
    }
    change(entry, &same);
    locate(entry, &known);
    orch_assert(!in->sim->passage.is_special);
    orch_assert(same.dst_mac == frame->dst_mac);
    orch_assert(same.src_mac == frame->src_mac);
    orch_assert(same.vlan == frame->vlan && same.ttl == frame->ttl);
    orch_assert(same.is_routed == frame->is_routed &&
                same.leaves_port == frame->leaves_port);
    orch_assert(same.tc == frame->tc && same.color == frame->color);
    orch_assert(known.port == way->port && known.queue == way->queue &&
                known.pg == way->pg);
    orch_assert(!frame->is_routed || known.interface == way->interface);
    orch_assert(entry->in_vlan == in->sim->passage.in_vlan);
    check_trail(in->sim, entry);
    in->sim->n_checked++;
}

void
sim_flow_note__(struct sim_port *in, const struct sim_frame *was,
                const struct sim_frame *frame, uint32_t changes,
                const struct sim_way *way)
{
    struct sim *sim = in->sim;
    const struct fdb_entry *touched = NULL;
    struct flow_entry *entry;
    uint32_t at;

    if (sim->checks) {
        check(in, was, frame, way);
    }
    if (!is_lasting(in, was, frame, changes, way)) {
        return;
    }
    if (sim->passage.is_bridged &&
        !bridge_knows(sim->bridge, sim_logical__(in), was->src_mac, was->tag,
                      &touched)) {
        return;
    }
    if (!frame->payload->number) {
        frame->payload->number = frame_pool_flow(sim->pool);
    }
    if (sim->flows.changes != sim->changes) {
        flow_table_clear(&sim->flows, sim->changes);
    }
    entry = flow_table_add(&sim->flows, frame->payload->number, in->id, &at);
    fill(in, was, frame, way, entry);
    sim->flows.touches[at] = touched;
    if (entry->flags & FLOW_COUNTS) {
        flow_table_set_trail(&sim->flows, at, &sim->passage.trail);
    }
}

void
sim_set_check(struct sim *sim, bool on)
{
    sim->checks = on;
}

uint64_t
sim_n_checked(const struct sim *sim)
{
    return sim->n_checked;
}
