/* SPDX-License-Identifier: Apache-2.0 */

/* Counts the frames of a fabric, and checks that none is missing. */

#include <config.h>

#include "twin/fabric/fabric_state.h"
#include "twin/forwarding/frame_pool.h"
#include "twin/qos/pause_frame.h"

static void
count_link(const struct link *link, struct fabric_census *census)
{
    struct link_stats stats;

    for (unsigned int end = 0; end < 2; end++) {
        link_get_stats(link, end, &stats);
        census->hops += stats.sent;
        census->replayed += stats.replayed;
        census->lost += stats.lost;
        census->in_flight += stats.in_flight;
    }
}

static void
count_nic(const struct nic *nic, struct fabric_census *census)
{
    struct nic_stats stats;

    nic_get_stats(nic, &stats);
    census->sent += stats.sent_packets;
    census->received += stats.received_packets;
    census->dropped += stats.dropped_packets;
    census->waiting += stats.fifo_packets + stats.waiting_answers;
}

static void
count_switch(struct sim *sim, struct fabric_census *census)
{
    const uint32_t n_ports = mmu_chip(sim_mmu(sim))->ports;
    struct sim_port_stats stats;

    for (uint32_t port = 0; port < n_ports; port++) {
        if (sim_port_get_stats(sim, port, &stats) == ST_OK) {
            census->entered +=
                stats.rx_ucast_packets + stats.rx_non_ucast_packets;
            census->copied += stats.rx_copied;
            census->left += stats.tx_ucast_packets + stats.tx_non_ucast_packets;
            census->discarded += stats.rx_dropped + stats.rx_filtered +
                                 stats.tx_dropped + stats.tx_flushed;
        }
    }
}

void
fabric_take_census(const struct fabric *fabric, struct fabric_census *census)
{
    *census = (struct fabric_census){0};
    for (size_t i = 0; i < fabric->links.n; i++) {
        count_link(fabric->links.items[i], census);
    }
    for (size_t i = 0; i < fabric->nics.n; i++) {
        count_nic(fabric->nics.items[i], census);
    }
    for (size_t i = 0; i < fabric->switches.n; i++) {
        count_switch(fabric->switches.items[i], census);
    }
    for (size_t i = 0; i < fabric->adopted.n; i++) {
        count_switch(fabric->adopted.items[i], census);
    }
    census->pauses =
        census->hops - census->replayed - census->sent - census->left;
    census->frames = frame_pool_in_use(frame_pool_of(fabric->engine));
}

/* The balance ------------------------------------------------------------- */

static void
add(struct fabric_amount *amount, uint64_t frames, uint64_t bytes)
{
    amount->frames += frames;
    amount->bytes += bytes;
}

/* The frames among all posts. */
struct visit {
    const struct frame_pool *pool;
    struct fabric_amount on_links; /* Data. */
    uint64_t n_lost;               /* Exist until they would have arrived. */
};

/* A wheel_visit_fn. */
static void
add_post(void *context, const struct post *post)
{
    struct visit *visit = context;
    const enum event_class class = event_class(post->order);
    const struct sim_frame *frame;

    if (class != EVENT_ARRIVE && class != EVENT_NIC_ARRIVE) {
        return;
    }
    frame = frame_at(visit->pool, event_arg(post->order));
    /* A frame that its link has lost is on no wire. */
    if (!frame->wire) {
        visit->n_lost++;
    } else if (frame->dst_mac != PAUSE_FRAME_ADDRESS) {
        add(&visit->on_links, 1, frame->length_bytes);
    }
}

/* Counts the frames that link-level retry has numbered once each, from when
 * they were accepted until they are delivered or given up. */
static void
add_llr(struct link *link, struct fabric_balance *balance)
{
    struct llr_amounts amounts;

    for (unsigned int end = 0; end < 2; end++) {
        llr_get_amounts(link_llr(link), end, &amounts);
        add(&balance->on_links, amounts.owed_frames - amounts.air_frames,
            amounts.owed_bytes - amounts.air_bytes);
    }
}

static void
add_nic(const struct nic *nic, struct fabric_balance *balance)
{
    struct nic_stats stats;

    nic_get_stats(nic, &stats);
    add(&balance->sent, stats.sent_packets, stats.sent_bytes);
    add(&balance->received, stats.received_packets, stats.received_bytes);
    add(&balance->in_adapters, stats.fifo_packets, stats.fifo_bytes);
}

static void
add_switch(struct sim *sim, struct fabric_balance *balance)
{
    const uint32_t n_ports = mmu_chip(sim_mmu(sim))->ports;
    struct sim_port_stats stats;
    uint64_t frames, bytes;

    for (uint32_t port = 0; port < n_ports; port++) {
        if (sim_port_get_stats(sim, port, &stats) == ST_OK) {
            add(&balance->copied, stats.rx_copied, stats.rx_copied_octets);
        }
    }
    sim_count_held(sim, &frames, &bytes);
    add(&balance->in_switches, frames, bytes);
}

void
fabric_take_balance(const struct fabric *fabric, struct fabric_balance *balance)
{
    struct visit visit = {.pool = frame_pool_of(fabric->engine)};

    *balance = (struct fabric_balance){0};
    engine_visit(fabric->engine, add_post, &visit);
    balance->on_links = visit.on_links;
    for (size_t i = 0; i < fabric->links.n; i++) {
        if (link_has_llr(fabric->links.items[i])) {
            add_llr(fabric->links.items[i], balance);
        }
    }
    for (size_t i = 0; i < fabric->nics.n; i++) {
        add_nic(fabric->nics.items[i], balance);
    }
    for (size_t i = 0; i < fabric->switches.n; i++) {
        add_switch(fabric->switches.items[i], balance);
    }
    for (size_t i = 0; i < fabric->adopted.n; i++) {
        add_switch(fabric->adopted.items[i], balance);
    }
}

/* Checks ------------------------------------------------------------------ */

/* Returns whether the two directions of 'link' balance. */
static bool
is_link_balanced(const struct link *link)
{
    struct link_stats stats;
    bool balances = true;

    for (unsigned int end = 0; end < 2; end++) {
        link_get_stats(link, end, &stats);
        balances &=
            stats.sent == stats.delivered + stats.lost + stats.in_flight;
    }
    return balances;
}

/* Returns what is wrong with 'census'. */
static const char *
check_census(const struct fabric_census *census, uint64_t n_links)
{
    const uint64_t found = census->in_flight + census->waiting +
                           census->entered + census->copied -
                           census->discarded - census->left;
    const uint64_t starting = found - census->frames;

    /* Unsigned: a frame too few wraps around. */
    if (starting > 2 * n_links) {
        return found < census->frames ? "a frame exists that nobody has"
                                      : "a frame is missing";
    }
    if (census->in_flight == 0 && starting != 0) {
        return "a frame is counted and does not exist";
    }
    if (census->frames == 0 && census->sent + census->copied -
                                       census->received - census->dropped -
                                       census->discarded >
                                   census->lost) {
        return "what was sent is not what was received and lost";
    }
    return NULL;
}

const char *
fabric_check(const struct fabric *fabric)
{
    struct visit visit = {.pool = frame_pool_of(fabric->engine)};
    struct fabric_census census;
    const char *wrong = NULL;

    for (size_t i = 0; i < fabric->links.n; i++) {
        if (!is_link_balanced(fabric->links.items[i])) {
            return "the statistics of a link do not balance";
        }
    }
    for (size_t i = 0; i < fabric->trees.n && !wrong; i++) {
        wrong = pcie_tree_check(fabric->trees.items[i]);
    }
    for (size_t i = 0; i < fabric->nics.n && !wrong; i++) {
        wrong = nic_check(fabric->nics.items[i]);
    }
    for (size_t i = 0; i < fabric->switches.n && !wrong; i++) {
        wrong = mmu_check(sim_mmu(fabric->switches.items[i]));
    }
    for (size_t i = 0; i < fabric->adopted.n && !wrong; i++) {
        wrong = mmu_check(sim_mmu(fabric->adopted.items[i]));
    }
    if (wrong) {
        return wrong;
    }
    fabric_take_census(fabric, &census);
    engine_visit(fabric->engine, add_post, &visit);
    census.frames -= visit.n_lost;
    return check_census(&census, fabric->links.n);
}
