/* SPDX-License-Identifier: Apache-2.0 */

/* Each step asks the buffer, then works out what it should have said. */

#include <config.h>

#include "tests/property/mmu_steps.h"

#include <stdio.h>

#include "base/check.h"
#include "tests/property/mmu_reference.h"

uint64_t steps_verdicts[MMU_N_DROPS];
uint64_t steps_passed;
bool steps_quiet;

static int
live_owner(void)
{
    int port = (int)reference_random(PORTS);

    for (int i = 0; i < PORTS && !m.live[port]; i++) {
        port = (port + 1) % PORTS;
    }
    return m.live[port] ? port * PER_PORT + (int)reference_random(PER_PORT)
                        : -1;
}

/* Returns PG 'pg' as the buffer tells of it; where ports share headroom with
 * what all PGs of its port have there. */
static struct mmu_pg_stats
tell_pg(int pg)
{
    struct mmu_pg_stats stats;
    struct mmu_pg_stats other;

    mmu_pg_get(m.mmu, (uint32_t)pg, &stats);
    for (int i = 0; i < PER_PORT; i++) {
        const int sibling = pg / PER_PORT * PER_PORT + i;

        if (sibling != pg && m.chip.headroom == CHIP_HEADROOM_PER_PORT_SHARE) {
            mmu_pg_get(m.mmu, (uint32_t)sibling, &other);
            stats.headroom += other.headroom;
        }
    }
    return stats;
}

/* Whether the buffer has kept what it promises, by what it tells of itself and
 * nothing else: what fits a guarantee is never refused for the sake of others,
 * and a lossless packet only when its headroom, or that of all, is used up.
 * 'before' is the PG before a packet of 'cells' came to it. */
static bool
promises_kept(const struct mmu_pg_stats *before, uint64_t cells,
              enum mmu_drop why)
{
    const bool is_of_headroom = why == MMU_HEADROOM || why == MMU_HEADROOM_POOL;

    if (why == MMU_ADMITTED || why == MMU_NO_BUFFER ||
        mmu_drop_is_egress(why)) {
        return true;
    }
    EXPECT(before->reserved + cells > before->guarantee);
    EXPECT(is_of_headroom == (before->headroom_limit > 0));
    EXPECT(why != MMU_HEADROOM ||
           before->headroom + cells > before->headroom_limit);
    return true;
}

/* Takes copy 'k' of packet 'i' out of the reference. */
static bool
take_copy(int i, int k)
{
    struct packet *p = &m.packets[i];
    bool last = true;

    reference_charge_remove(MMU_EGRESS, p->out[k], p->cells);
    p->queue[k] = -1;
    for (int j = 0; j < COPIES; j++) {
        last = last && p->queue[j] < 0;
    }
    if (last) {
        int pg = m.charges[MMU_INGRESS][p->in].owner;

        reference_charge_remove(MMU_INGRESS, p->in, p->cells - p->absorbed);
        if (pg >= 0 && p->in == reference_live_charge(MMU_INGRESS, pg)) {
            reference_try_release(pg);
        }
        *p = m.packets[--m.n_packets];
    }
    return last;
}

/* Finds the oldest packet of 'queue'. */
static bool
oldest(int queue, int *packet, int *copy)
{
    uint64_t best = UINT64_MAX;

    for (int i = 0; i < m.n_packets; i++) {
        for (int k = 0; k < COPIES; k++) {
            if (m.packets[i].queue[k] == queue &&
                m.packets[i].order[k] < best) {
                best = m.packets[i].order[k];
                *packet = i;
                *copy = k;
            }
        }
    }
    return best != UINT64_MAX;
}

bool
step_enqueue(void)
{
    struct mmu_pg_stats before;
    int pg = live_owner();
    uint32_t queues[COPIES];
    enum mmu_drop drops[COPIES];
    enum mmu_drop want;
    uint32_t n = 0;
    uint32_t admitted = 0;
    uint32_t got;
    uint32_t id = MMU_NONE;
    uint32_t length =
        (uint32_t)(1 + reference_random(reference_random(2) ? 200 : 2000));
    uint64_t cells =
        chip_packet_cells(&m.chip, length + m.extra[pg / PER_PORT]);
    uint64_t absorbed = 0;
    uint64_t before_shared;
    bool in_headroom = false;
    bool lossy;
    bool passes;
    int packet;
    int copy;
    struct packet *p = &m.packets[m.n_packets];

    if (pg < 0 || m.n_packets == MAX_PACKETS) {
        return true;
    }
    for (int port = 0; port < PORTS; port++) {
        if (m.live[port] && (n == 0 || reference_random(3) == 0)) {
            queues[n++] =
                (uint32_t)(port * PER_PORT + (int)reference_random(PER_PORT));
        }
    }
    if (n > 1 && reference_random(2)) {
        queues[0] = queues[n - 1];
        n = 1;
    }
    before = tell_pg(pg);
    passes = n == 1 && reference_random(4) == 0 &&
             mmu_pass(m.mmu, (uint32_t)pg, queues[0], length);
    if (passes) {
        EXPECT(!oldest((int)queues[0], &packet, &copy));
        drops[0] = MMU_ADMITTED;
        got = 1;
        steps_passed++;
    } else if (n == 1) {
        drops[0] = mmu_enqueue(m.mmu, (uint32_t)pg, queues[0], length, &id);
        got = drops[0] == MMU_ADMITTED;
    } else {
        got = mmu_enqueue_copies(m.mmu, (uint32_t)pg, queues, n, length, &id,
                                 drops);
    }
    EXPECT(promises_kept(&before, cells, drops[0]));

    lossy = reference_own_headroom(pg) == 0;
    if (n == 1 && lossy && m.chip.egress_pg_absorbs_queue_min) {
        const struct charge *out =
            &m.charges[MMU_EGRESS]
                      [reference_live_charge(MMU_EGRESS, (int)queues[0])];

        absorbed = out->guarantee - reference_reserved(out);
        absorbed = absorbed < cells ? absorbed : cells;
    }
    want =
        reference_memory_used() + cells > reference_down(m.chip.memory_bytes)
            ? MMU_NO_BUFFER
            : reference_judge(MMU_INGRESS, pg, cells - absorbed, &in_headroom);
    if (want != MMU_ADMITTED) {
        EXPECT(got == 0);
        steps_verdicts[want]++;
        for (uint32_t i = 0; i < n; i++) {
            EXPECT(drops[i] == want);
        }
        if (want != MMU_NO_BUFFER) {
            reference_try_assert(pg, 0, true);
        }
        return true;
    }
    *p = (struct packet){
        .id = id, .length = length, .cells = cells, .absorbed = absorbed};
    for (uint32_t i = 0; i < COPIES; i++) {
        bool unused;

        p->queue[i] = -1;
        if (i >= n) {
            continue;
        }
        want =
            lossy && reference_beyond_voq((int)queues[i], cells)
                ? MMU_EGRESS_VOQ
                : reference_judge(MMU_EGRESS, (int)queues[i], cells, &unused);
        EXPECT(drops[i] == want);
        steps_verdicts[want]++;
        if (want == MMU_ADMITTED) {
            p->queue[i] = (int)queues[i];
            p->order[i] = m.next_order++;
            p->out[i] = reference_live_charge(MMU_EGRESS, (int)queues[i]);
            reference_charge_add(MMU_EGRESS, p->out[i], cells, false);
            admitted++;
        }
    }
    EXPECT(got == admitted);
    if (admitted) {
        m.n_packets++;
        p->in = reference_live_charge(MMU_INGRESS, pg);
        before_shared = reference_shared(&m.charges[MMU_INGRESS][p->in]);
        reference_charge_add(MMU_INGRESS, p->in, cells - absorbed, in_headroom);
        reference_try_assert(pg, cells - absorbed, in_headroom);
        if (reference_shared(&m.charges[MMU_INGRESS][p->in]) > before_shared) {
            reference_assert_others(pg);
        }
    }
    if (passes) {
        EXPECT(take_copy(m.n_packets - 1, 0));
    }
    return true;
}

bool
step_dequeue(void)
{
    int queue = live_owner();
    struct mmu_departure departure;
    int packet = 0;
    int copy = 0;

    if (queue < 0) {
        return true;
    }
    if (!oldest(queue, &packet, &copy)) {
        EXPECT(!mmu_dequeue(m.mmu, (uint32_t)queue, &departure));
        return true;
    }
    EXPECT(mmu_dequeue(m.mmu, (uint32_t)queue, &departure));
    EXPECT(departure.packet == m.packets[packet].id);
    EXPECT(departure.length_bytes == m.packets[packet].length);
    EXPECT(take_copy(packet, copy) == departure.is_last);
    return true;
}

static void
flush(int port)
{
    for (int q = port * PER_PORT; q < (port + 1) * PER_PORT; q++) {
        int packet = 0;
        int copy = 0;

        while (oldest(q, &packet, &copy)) {
            take_copy(packet, copy);
        }
    }
}

static uint64_t
queued(int port)
{
    uint64_t n = 0;

    for (int i = 0; i < m.n_packets; i++) {
        for (int k = 0; k < COPIES; k++) {
            n += m.packets[i].queue[k] / PER_PORT == port &&
                 m.packets[i].queue[k] >= 0;
        }
    }
    return n;
}

bool
step_port(void)
{
    int port = (int)reference_random(PORTS);
    uint32_t part = (uint32_t)port % m.chip.partitions;

    if (m.live[port] && reference_random(2)) {
        EXPECT(queued(port) ==
               mmu_port_flush(m.mmu, (uint32_t)port, MMU_FLUSHED));
        flush(port);
        return true;
    }
    EXPECT(mmu_port_add(m.mmu, (uint32_t)port, part) ==
           (m.live[port] ? ST_EXISTS : ST_OK));
    if (m.live[port]) {
        EXPECT(mmu_port_remove(m.mmu, (uint32_t)port) == ST_OK);
        flush(port);
    }
    for (int d = 0; d < 2; d++) {
        for (int o = port * PER_PORT; o < (port + 1) * PER_PORT; o++) {
            for (int i = 0; i < m.n_charges[d]; i++) {
                if (m.charges[d][i].owner == o) {
                    m.charges[d][i].owner = -1;
                }
            }
            m.profile[d][o] = -1;
            if (!m.live[port]) {
                orch_assert(m.n_charges[d] < MAX_CHARGES);
                m.charges[d][m.n_charges[d]++] = (struct charge){
                    .owner = o, .pool = NO_POOL, .part = (int)part};
            }
            m.xoff[o] = false;
        }
    }
    for (int i = 0; i < POOLS; i++) {
        m.port_profile[port][i] = -1;
    }
    m.speed[port] = 0;
    m.extra[port] = 0;
    m.live[port] = !m.live[port];
    return true;
}

/* Changes the speed of a port, on which private headroom depends. */
bool
step_speed(void)
{
    int port = (int)reference_random(PORTS);
    uint32_t speed = reference_random(2) ? 100000 : 400000;

    mmu_port_set_speed(m.mmu, (uint32_t)port, speed);
    if (!m.live[port] || m.speed[port] == speed) {
        return true;
    }
    m.speed[port] = speed;
    for (int o = port * PER_PORT; o < (port + 1) * PER_PORT; o++) {
        if (m.profile[MMU_INGRESS][o] >= 0) {
            reference_reapply(MMU_INGRESS, o);
            reference_rejudge(o);
        }
    }
    return true;
}

/* Changes what packets of a port take beside their length. */
bool
step_extra(void)
{
    const int port = (int)reference_random(PORTS);
    const uint8_t bytes = (uint8_t)reference_random(256);

    mmu_port_set_extra(m.mmu, (uint32_t)port, bytes);
    if (m.live[port]) {
        m.extra[port] = bytes;
    }
    return true;
}

static uint64_t
reservations(int direction)
{
    uint64_t sum = 0;

    for (int i = 0; i < POOLS; i++) {
        if (m.pools[i].exists &&
            (int)m.pools[i].config.direction == direction) {
            sum += reference_up(m.pools[i].config.xoff_bytes);
        }
    }
    for (int i = 0; i < OWNERS; i++) {
        if (m.profile[direction][i] >= 0) {
            sum += reference_up(
                m.profiles[m.profile[direction][i]].config.reserved_bytes);
        }
    }
    for (int i = 0; i < PORTS * POOLS; i++) {
        int profile = m.port_profile[i / POOLS][i % POOLS];

        if (profile >= 0 &&
            (int)m.pools[i % POOLS].config.direction == direction) {
            sum += reference_up(m.profiles[profile].config.reserved_bytes);
        }
    }
    return sum;
}

static bool
fits(int direction, uint64_t before)
{
    uint64_t now = reservations(direction);

    return now <= before || now <= reference_down(m.chip.memory_bytes) +
                                       1024 / m.chip.cell_bytes;
}

bool
step_pool(void)
{
    int i = (int)reference_random(POOLS);
    bool in_use = false;
    int direction = i % 2;
    uint64_t before = reservations(direction);
    struct mmu_pool_config old = m.pools[i].config;
    bool existed = m.pools[i].exists;
    struct mmu_pool_config config = {
        .direction = (enum mmu_direction)direction,
        .size_bytes = reference_random(m.chip.memory_bytes / 2),
        .xoff_bytes = direction == MMU_INGRESS && reference_random(2)
                          ? reference_random(m.chip.memory_bytes / 8)
                          : 0};

    for (int p = 0; p < PROFILES; p++) {
        in_use = in_use || (m.profiles[p].exists && m.profiles[p].pool == i);
    }
    if (existed && reference_random(4) == 0) {
        EXPECT(mmu_pool_remove(m.mmu, m.pools[i].handle, NULL) ==
               (in_use ? ST_BUSY : ST_OK));
        if (!in_use) {
            m.pools[i].exists = false;
            /* What it still holds is in a pool that has no name any more. */
            for (int c = 0; c < m.n_charges[direction]; c++) {
                struct charge *charge = &m.charges[direction][c];

                if (charge->pool == i) {
                    charge->pool = -100;
                    charge->owner = -1;
                }
            }
        }
        return true;
    }
    m.pools[i].config = config;
    m.pools[i].exists = true;
    if (!fits(direction, before)) {
        m.pools[i].config = old;
        m.pools[i].exists = existed;
        EXPECT((existed ? mmu_pool_set(m.mmu, m.pools[i].handle, &config, NULL)
                        : mmu_pool_create(m.mmu, &config, &m.pools[i].handle,
                                          NULL)) == ST_NO_RESOURCE);
        return true;
    }
    EXPECT((existed ? mmu_pool_set(m.mmu, m.pools[i].handle, &config, NULL)
                    : mmu_pool_create(m.mmu, &config, &m.pools[i].handle,
                                      NULL)) == ST_OK);
    /* Limits may have changed with the shared headroom. */
    for (int o = 0; o < OWNERS && existed && direction == MMU_INGRESS &&
                    !old.xoff_bytes != !config.xoff_bytes;
         o++) {
        int p = m.profile[MMU_INGRESS][o];

        if (p >= 0 && m.profiles[p].pool == i) {
            reference_reapply(MMU_INGRESS, o);
            reference_rejudge(o);
        }
    }
    return true;
}

static struct mmu_profile_config
random_profile(int pool)
{
    bool ingress = m.pools[pool].config.direction == MMU_INGRESS;
    bool lossless = ingress && reference_random(2);

    return (struct mmu_profile_config){
        .pool = m.pools[pool].handle,
        .reserved_bytes = reference_random(3)
                              ? reference_random(m.chip.cell_bytes * 12 + 500)
                              : 0,
        .is_static = reference_random(4) == 0,
        .dynamic_th = (int)reference_random(8) - 5,
        .static_bytes =
            reference_random(3) ? reference_random(m.chip.memory_bytes / 4) : 0,
        .xoff_bytes = lossless ? reference_random(m.chip.memory_bytes / 16) : 0,
        .xon_bytes =
            lossless && reference_random(2) ? reference_random(2000) : 0,
        .xon_offset_bytes =
            lossless && reference_random(2) ? reference_random(3000) : 0};
}

/* Judges the PGs of 'port' again if it has 'profile' in 'pool'. */
static void
rejudge_port(int port, int pool, int profile)
{
    for (int o = port * PER_PORT; o < (port + 1) * PER_PORT; o++) {
        if (m.port_profile[port][pool] == profile) {
            reference_rejudge(o);
        }
    }
}

static bool
step_profile_set(int i)
{
    int direction = (int)m.pools[m.profiles[i].pool].config.direction;
    uint64_t before = reservations(direction);
    struct mmu_profile_config old = m.profiles[i].config;
    struct mmu_profile_config config = random_profile(m.profiles[i].pool);
    bool ok;

    m.profiles[i].config = config;
    ok = fits(direction, before);
    EXPECT(mmu_profile_set(m.mmu, m.profiles[i].handle, &config, NULL) ==
           (ok ? ST_OK : ST_NO_RESOURCE));
    if (!ok) {
        m.profiles[i].config = old;
        return true;
    }
    /* One after another: what an earlier one gives back, a later one sees. */
    for (int o = 0; o < OWNERS; o++) {
        if (m.profile[direction][o] == i) {
            reference_reapply(direction, o);
            if (direction == MMU_INGRESS) {
                reference_rejudge(o);
            }
        }
    }
    for (int port = 0; port < PORTS; port++) {
        rejudge_port(port, m.profiles[i].pool, i);
    }
    return true;
}

bool
step_profile(void)
{
    int i = (int)reference_random(PROFILES);
    int pool = (int)reference_random(POOLS);
    bool in_use = false;

    if (!m.profiles[i].exists) {
        struct mmu_profile_config config;

        if (!m.pools[pool].exists) {
            return true;
        }
        config = random_profile(pool);
        EXPECT(mmu_profile_create(m.mmu, &config, &m.profiles[i].handle,
                                  NULL) == ST_OK);
        m.profiles[i].exists = true;
        m.profiles[i].pool = pool;
        m.profiles[i].config = config;
        return true;
    }
    if (reference_random(4)) {
        return step_profile_set(i);
    }
    for (int d = 0; d < 2; d++) {
        for (int o = 0; o < OWNERS; o++) {
            in_use = in_use || m.profile[d][o] == i;
        }
    }
    for (int p = 0; p < PORTS * POOLS; p++) {
        in_use = in_use || m.port_profile[p / POOLS][p % POOLS] == i;
    }
    EXPECT(mmu_profile_remove(m.mmu, m.profiles[i].handle, NULL) ==
           (in_use ? ST_BUSY : ST_OK));
    m.profiles[i].exists = in_use;
    return true;
}

bool
step_attach(void)
{
    int direction = (int)reference_random(2);
    int owner = live_owner();
    int next = reference_random(16) ? (int)reference_random(PROFILES) : -1;
    int old;
    uint64_t before = reservations(direction);
    enum st want = ST_OK;
    enum st got;

    /* Mostly one of the right direction. */
    for (int i = 0; i < PROFILES && next >= 0; i++) {
        if (m.profiles[next].exists &&
            (m.profiles[next].pool % 2 == direction ||
             reference_random(20) == 0)) {
            break;
        }
        next = (next + 1) % PROFILES;
    }
    if (owner < 0 || (next >= 0 && !m.profiles[next].exists)) {
        return true;
    }
    old = m.profile[direction][owner];
    if (next >= 0 &&
        (int)m.pools[m.profiles[next].pool].config.direction != direction) {
        want = ST_INVALID;
    } else {
        m.profile[direction][owner] = next;
        if (next >= 0 && !fits(direction, before)) {
            m.profile[direction][owner] = old;
            want = ST_NO_RESOURCE;
        }
    }
    got =
        direction == MMU_INGRESS
            ? mmu_pg_attach(m.mmu, (uint32_t)owner,
                            next < 0 ? MMU_NONE : m.profiles[next].handle, NULL)
            : mmu_queue_attach(m.mmu, (uint32_t)owner,
                               next < 0 ? MMU_NONE : m.profiles[next].handle,
                               NULL);
    if (got == ST_BUSY && want == ST_OK) {
        m.profile[direction][owner] = old;
        return true;
    }
    EXPECT(got == want);
    if (want != ST_OK) {
        return true;
    }
    if (reference_live_charge(direction, owner) < 0) {
        orch_assert(m.n_charges[direction] < MAX_CHARGES);
        m.charges[direction][m.n_charges[direction]++] =
            (struct charge){.owner = owner,
                            .pool = next < 0 ? NO_POOL : m.profiles[next].pool,
                            .part = owner / PER_PORT % (int)m.chip.partitions};
    }
    if (direction == MMU_INGRESS &&
        (next < 0 || old < 0 ||
         m.profiles[next].pool != m.profiles[old].pool)) {
        m.xoff[owner] = false;
    }
    reference_reapply(direction, owner);
    if (direction == MMU_INGRESS) {
        reference_rejudge(owner);
    }
    return true;
}

/* Gives a port a profile, or takes it. */
bool
step_port_attach(void)
{
    int port = (int)reference_random(PORTS);
    int next = reference_random(4) ? (int)reference_random(PROFILES) : -1;
    int pool = next >= 0 && reference_random(8) ? m.profiles[next].pool
                                                : (int)reference_random(POOLS);
    int direction = (int)m.pools[pool].config.direction;
    uint64_t before = reservations(direction);
    int old = m.port_profile[port][pool];
    enum st want = ST_OK;

    if (!m.pools[pool].exists || (next >= 0 && !m.profiles[next].exists)) {
        return true;
    }
    if (!m.live[port] || (next >= 0 && m.profiles[next].pool != pool)) {
        want = ST_INVALID;
    } else {
        m.port_profile[port][pool] = next;
        want = fits(direction, before) ? ST_OK : ST_NO_RESOURCE;
    }
    if (want == ST_NO_RESOURCE) {
        m.port_profile[port][pool] = old;
    }
    EXPECT((mmu_port_attach(m.mmu, (uint32_t)port, m.pools[pool].handle,
                            next < 0 ? MMU_NONE : m.profiles[next].handle,
                            NULL) == ST_OK) == (want == ST_OK));
    if (want == ST_OK) {
        rejudge_port(port, pool, next);
    }
    return true;
}
