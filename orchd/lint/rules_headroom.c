/* SPDX-License-Identifier: Apache-2.0 */

/* Rules about headroom, and about ECN, which should make it unnecessary. */

#include <config.h>

#include <inttypes.h>

#include "base/pfc.h"
#include "base/text.h"
#include "orchd/derive/headroom.h"
#include "orchd/derive/port_state.h"
#include "orchd/lint/lint_buffer.h"
#include "orchd/lint/rules.h"
#include "twin/chip/chip.h"

/* A shared headroom pool is too small if fewer groups than this may pause at
 * once, or less than this part of all of them. */
#define AT_ONCE_MIN   2
#define SHARE_DIVISOR 16

/* Of the words about link-level retry. */
#define RETRIED_SIZE 80

/* --- Headroom of one group ---------------------------------------------- */

/* What a group needs if all packets are large: with a peer that takes as long
 * to stop as the standard allows, and with one that stops as fast as the chip's
 * own parameter says.  With link-level retry it is at least what the peer may
 * resend. */
struct needed {
    uint64_t slow_peer, fast_peer;
    uint64_t llr_bytes; /* Of the peer; 0: no link-level retry. */
};

/* Computes both as the control plane would (orchd/derive/headroom.h), from
 * speed, cable and MTU of the port and the parameters of the chip. */
static struct needed
needed_bytes(const struct chip *chip, const struct lint_port *port)
{
    const struct platform *generic = platform_find(NULL);
    uint32_t mtu = port->mtu ? port->mtu : PORT_DEFAULT_MTU;
    const struct headroom_rules rules = {
        .formula = generic->headroom,
        .asic = platform_headroom_params(generic, chip),
        .traffic = {.mtu = mtu > 9216 ? 9216 : mtu, .small_percent = 0},
    };
    struct headroom_port link = {.speed_mbps = port->speed_mbps,
                                 .cable_m = port->cable_m,
                                 .mtu = mtu,
                                 .lanes = port->lanes};
    uint64_t slow = platform_pause_quanta(port->speed_mbps) * UINT64_C(64);
    uint64_t fast =
        rules.asic.peer_response_time_milli_kb * UINT64_C(1024) / 1000;
    struct needed needed;
    struct headroom headroom;

    headroom_compute(&rules, &link, false, &headroom, NULL);
    needed.slow_peer = needed.fast_peer = headroom.xoff;
    if (slow > fast && fast) {
        needed.fast_peer -= slow - fast;
    }
    needed.llr_bytes = port->llr_peer_bytes < HEADROOM_LLR_MAX_BYTES
                           ? port->llr_peer_bytes
                           : HEADROOM_LLR_MAX_BYTES;
    if (needed.llr_bytes) {
        link.llr_bytes = (uint32_t)needed.llr_bytes;
        headroom_compute(&rules, &link, false, &headroom, NULL);
        needed.slow_peer = headroom.xoff;
        link.peer_bytes = (uint32_t)(slow > fast ? fast : 0);
        headroom_compute(&rules, &link, false, &headroom, NULL);
        needed.fast_peer = headroom.xoff;
    }
    return needed;
}

/* Returns what the chip deducts from the headroom of 'profile', which is
 * nothing if that is shared. */
static uint64_t
taken_bytes(const struct chip *chip, const struct lint_port *port,
            const struct lint_profile *profile)
{
    return profile->pool->xoff_bytes
               ? 0
               : chip_cells_to_bytes(
                     chip,
                     chip_at_speed(&chip->headroom_overhead, port->speed_mbps));
}

/* Returns whether all is known that tells what a group of 'port' needs, and
 * counts what is not. */
static bool
can_judge(struct lint_run *run, const struct lint_port *port)
{
    const bool has_cable = port->cable_known && port->cable_m;

    run->headroom.n_no_chip += !run->chip;
    run->headroom.n_no_speed += !port->speed_mbps;
    run->headroom.n_no_cable += !has_cable;
    return run->chip && port->speed_mbps && has_cable;
}

/* Compares what a lossless group has with what its cable needs. */
static void
check_headroom(struct lint_run *run, const struct lint_port *port, int index)
{
    const struct lint_profile *profile = port->pgs[index];
    char retried[RETRIED_SIZE] = "";
    struct needed needed;
    uint64_t taken;

    if (!profile || !profile->xoff_bytes) {
        return;
    }
    run->headroom.n_groups++;
    if (!can_judge(run, port)) {
        return;
    }
    run->headroom.n_judged++;
    needed = needed_bytes(run->chip, port);
    taken = taken_bytes(run->chip, port, profile);
    if (profile->xoff_bytes < needed.slow_peer + taken) {
        bool small = profile->xoff_bytes < needed.fast_peer + taken;

        if (needed.llr_bytes) {
            text_format(retried, sizeof retried,
                        " and a window of %" PRIu64
                        " bytes that the peer may resend",
                        needed.llr_bytes);
        }
        run->headroom.n_small += small;
        lint_add(run->groups,
                 small ? LINT_RULE_HEADROOM_SMALL : LINT_RULE_HEADROOM_TIGHT,
                 "BUFFER_PG", port->name, index,
                 small ? "raise xoff of the profile, or shorten the cable"
                       : "raise xoff of the profile unless the peers are "
                         "known to stop that soon",
                 "%s has xoff %" PRIu64 " (of which the chip takes %" PRIu64
                 "), and %" PRIu32 " Mb/s over %" PRIu32
                 " m with frames of %" PRIu32 " bytes%s need %" PRIu64
                 " even if all packets are large, with a peer that takes %s "
                 "to stop",
                 profile->name, profile->xoff_bytes, taken, port->speed_mbps,
                 port->cable_m, port->mtu ? port->mtu : PORT_DEFAULT_MTU,
                 retried, small ? needed.fast_peer : needed.slow_peer,
                 small ? "as long as the chip's parameter says"
                       : "as long as IEEE 802.3 allows");
    }
}

/* --- Shared headroom ---------------------------------------------------- */

/* What the groups of one pool may request. */
struct demand {
    uint64_t bytes;
    uint64_t largest;
    size_t n;
};

/* Adds up the headroom of all groups that take it from the pool. */
static struct demand
demand_of(const struct lint_input *input, const struct lint_pool *pool)
{
    struct demand demand = {0, 0, 0};

    for (size_t i = 0; i < input->n_profiles; i++) {
        const struct lint_profile *profile = &input->profiles[i];

        if (profile->pool == pool && profile->xoff_bytes && profile->n_users) {
            demand.bytes += profile->n_users * profile->xoff_bytes;
            demand.n += profile->n_users;
            demand.largest = profile->xoff_bytes > demand.largest
                                 ? profile->xoff_bytes
                                 : demand.largest;
        }
    }
    return demand;
}

/* Reports by how much the shared headroom pool is oversubscribed. */
static void
check_shared(struct lint_run *run, const struct lint_pool *pool)
{
    uint32_t partitions = run->chip ? run->chip->partitions : 1;
    struct demand demand = demand_of(run->input, pool);
    uint64_t part = pool->xoff_bytes / partitions, at_once;

    if (!pool->xoff_bytes || !demand.n) {
        return;
    }
    at_once = part / demand.largest;
    if (part >= demand.bytes ||
        (at_once >= AT_ONCE_MIN &&
         pool->xoff_bytes >= demand.bytes / SHARE_DIVISOR)) {
        return;
    }
    lint_add(run->groups, LINT_RULE_HEADROOM_SHARED, "BUFFER_POOL", pool->name,
             -1, "raise xoff of the pool, or lower over_subscribe_ratio",
             "xoff is %" PRIu64 " (in %" PRIu32 " parts), and %zu groups may "
             "need %" PRIu64 " (%" PRIu64 " to 1); groups of %" PRIu64
             " that can pause at once: %" PRIu64,
             pool->xoff_bytes, partitions, demand.n, demand.bytes,
             demand.bytes / pool->xoff_bytes, demand.largest, at_once);
}

void
lint_headroom_rules(struct lint_run *run)
{
    for (size_t i = 0; i < run->input->n_ports; i++) {
        for (int j = 0; j < PFC_N_PRIORITIES; j++) {
            check_headroom(run, &run->input->ports[i], j);
        }
    }
    for (size_t i = 0; i < run->input->n_pools; i++) {
        check_shared(run, &run->input->pools[i]);
    }
}

/* --- ECN ---------------------------------------------------------------- */

/* Returns the largest number of groups that can be congested together while ECN
 * still marks before PFC starts, by bisection: the more groups, the earlier PFC
 * starts. */
static size_t
groups_in_time(struct lint_buffer *buffer, const struct lint_profile *profile,
               uint64_t kmin)
{
    size_t good = 0, bad = lint_buffer_n_groups(buffer, profile) + 1;

    while (bad - good > 1) {
        size_t middle = good + (bad - good) / 2;

        if (lint_buffer_pfc_bytes(buffer, profile, middle) > kmin) {
            good = middle;
        } else {
            bad = middle;
        }
    }
    return good;
}

/* Reports the worst case of a pair of profiles, once. */
static void
check_pair(struct lint_run *run, const struct lint_profile *profile,
           const struct lint_wred *wred)
{
    size_t n_groups = lint_buffer_n_groups(run->buffer, profile);
    uint64_t kmin = wred->green_min_bytes;
    size_t in_time = groups_in_time(run->buffer, profile, kmin);
    uint64_t pfc = lint_buffer_pfc_bytes(run->buffer, profile, in_time + 1);

    if (in_time >= n_groups) {
        return;
    }
    if (in_time == 0) {
        lint_add(run->groups, LINT_RULE_ECN_LATE, "WRED_PROFILE", wred->name,
                 -1,
                 "lower green_min_threshold below that, or raise dynamic_th "
                 "of the lossless profile",
                 "Kmin is %" PRIu64 " bytes, and a group with %s pauses its "
                 "sender at about %" PRIu64 " even if it is the only one",
                 kmin, profile->name, pfc);
    } else {
        lint_add(run->groups, LINT_RULE_ECN_LATE_MANY, "WRED_PROFILE",
                 wred->name, -1,
                 "lower green_min_threshold if so many may be congested",
                 "Kmin is %" PRIu64 " bytes: ECN marks first while at most "
                 "%zu group%s with %s %s congested; with %zu each pauses at "
                 "about %" PRIu64,
                 kmin, in_time, in_time == 1 ? "" : "s", profile->name,
                 in_time == 1 ? "is" : "are", in_time + 1, pfc);
    }
}

/* Returns whether a group of 'port' with 'profile' feeds a queue with 'wred',
 * or a VOQ: frames of all ports may wait in each of these. */
static bool
is_fed(const struct lint_port *port, const struct lint_profile *profile,
       const struct lint_wred *wred)
{
    for (unsigned int tc = 0; tc < PFC_N_PRIORITIES; tc++) {
        uint8_t pg = port->tc_to_pg[tc], queue = port->tc_to_queue[tc];

        pg = pg == LINT_UNMAPPED ? (uint8_t)tc : pg;
        queue = queue == LINT_UNMAPPED ? (uint8_t)tc : queue;
        if (lint_tc_is_lossless(port, tc) && pg < PFC_N_PRIORITIES &&
            queue < LINT_QUEUES && port->pgs[pg] == profile &&
            (port->wreds[queue] == wred || (wred->voqs >> queue & 1))) {
            return true;
        }
    }
    return false;
}

/* The same for any port. */
static bool
is_fed_anywhere(const struct lint_input *input,
                const struct lint_profile *profile,
                const struct lint_wred *wred)
{
    for (size_t i = 0; i < input->n_ports; i++) {
        if (is_fed(&input->ports[i], profile, wred)) {
            return true;
        }
    }
    return false;
}

/* Compares a WRED profile that marks with each lossless profile whose packets
 * wait in its queues. */
static void
check_wred(struct lint_run *run, const struct lint_wred *wred)
{
    if (!wred->drops && !wred->marks) {
        lint_add(run->groups, LINT_RULE_WRED_IDLE, "WRED_PROFILE", wred->name,
                 -1, "enable a colour, set ecn, or remove the profile",
                 "no colour is enabled, and ecn is ecn_none");
    }
    for (size_t i = 0; i < run->input->n_profiles; i++) {
        const struct lint_profile *profile = &run->input->profiles[i];

        if (run->buffer && wred->marks && profile->xoff_bytes &&
            is_fed_anywhere(run->input, profile, wred)) {
            check_pair(run, profile, wred);
        }
    }
}

void
lint_ecn_rules(struct lint_run *run)
{
    const struct lint_input *input = run->input;

    for (size_t i = 0; i < input->n_wreds; i++) {
        check_wred(run, &input->wreds[i]);
    }
    for (size_t i = 0; i < input->n_ports + input->n_system_ports; i++) {
        const struct lint_port *port = &input->ports[i];

        for (int q = 0; q < LINT_QUEUES; q++) {
            if ((port->lossless_queues >> q & 1) && port->wreds[q] &&
                port->wreds[q]->drops) {
                lint_add(
                    run->groups, LINT_RULE_WRED_DROPS, "QUEUE", port->name, q,
                    "disable the colours of the profile if the queue "
                    "carries packets without ECN",
                    "%s drops packets that are not ECN-capable above %" PRIu64
                    " bytes, and PFC is enabled for the queue",
                    port->wreds[q]->name, port->wreds[q]->green_min_bytes);
            }
        }
    }
}
