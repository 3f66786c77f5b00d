/* SPDX-License-Identifier: Apache-2.0 */

/* Random traffic and configuration against a slow, obvious buffer.
 *
 * The reference keeps a list of packets and, per PG or queue and pool, the
 * sum of what is charged; everything else it recomputes by adding up, at every
 * step.  After each step all levels, limits, flow states and verdicts must
 * agree, and mmu_check() must be content.
 *
 * Usage: test_mmu_model [SEED [RUNS]].  A failure prints the seed of the run
 * that failed. */

#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/parse.h"
#include "twin/mmu/mmu.h"

enum {
    PORTS = 4,
    PER_PORT = 3, /* PGs, and queues. */
    OWNERS = PORTS * PER_PORT,
    POOLS = 6,
    PROFILES = 12,
    MAX_PACKETS = 4000,
    MAX_CHARGES = 2000,
    STEPS = 2500,
    SETUP = 160,
    COPIES = PORTS,
};

/* What one PG or queue has charged to one pool (NO_POOL: to none). */
struct charge {
    int owner; /* -1: of a port that is gone. */
    int pool;
    int part;
    uint64_t total;
    uint64_t headroom;
    uint64_t guarantee;
    uint32_t packets;
};

enum { NO_POOL = -1 };

struct packet {
    uint32_t id; /* Of the MMU. */
    int in;      /* Charges. */
    int out[COPIES];
    int queue[COPIES]; /* -1: left. */
    uint64_t order[COPIES];
    uint32_t length;
    uint64_t cells;
};

struct model {
    struct chip chip;
    struct mmu *mmu;
    uint64_t random;

    bool live[PORTS];
    struct {
        bool exists;
        struct mmu_pool_config config;
        uint32_t handle;
    } pools[POOLS];
    struct {
        bool exists;
        int pool;
        struct mmu_profile_config config;
        uint32_t handle;
    } profiles[PROFILES];
    int profile[2][OWNERS]; /* -1: none. */

    struct charge charges[2][MAX_CHARGES];
    int n_charges[2];
    struct packet packets[MAX_PACKETS];
    int n_packets;
    uint64_t next_order;

    bool xoff[OWNERS];
    uint64_t resume[OWNERS];
    bool told[OWNERS]; /* What the MMU said. */
};

static struct model m;

/* Over all runs: a test in which something never happens says little. */
static uint64_t verdicts[MMU_N_DROPS];
static uint64_t flows;

#define EXPECT(condition)                                                      \
    do {                                                                       \
        if (!(condition)) {                                                    \
            printf("line %d: %s\n", __LINE__, #condition);                     \
            return false;                                                      \
        }                                                                      \
    } while (0)

static uint64_t
rnd(uint64_t n)
{
    m.random ^= m.random << 13;
    m.random ^= m.random >> 7;
    m.random ^= m.random << 17;
    return (m.random >> 20) % n;
}

static void
on_flow(void *context, uint32_t pg, bool xoff)
{
    (void)context;
    orch_assert(m.told[pg] != xoff);
    m.told[pg] = xoff;
    flows++;
}

/* The reference ------------------------------------------------------- */

static uint64_t
up(uint64_t bytes)
{
    return (bytes + m.chip.cell_bytes - 1) / m.chip.cell_bytes;
}

static uint64_t
down(uint64_t bytes)
{
    return bytes / m.chip.cell_bytes;
}

static uint64_t
less(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0;
}

static void reapply(int direction, int owner);
static void rejudge(int pg);

static uint64_t
guarantee_of(int direction, int profile)
{
    const struct mmu_profile_config *c = &m.profiles[profile].config;

    if (direction == MMU_EGRESS ||
        m.chip.pg_guarantee == MODEL_GUARANTEE_SIZE) {
        return up(c->reserved_bytes);
    }
    return m.chip.pg_guarantee == MODEL_GUARANTEE_NONE
               ? 0
               : up(less(c->reserved_bytes, c->xoff_bytes));
}

static uint64_t
reserved(const struct charge *c)
{
    return c->total < c->guarantee ? c->total : c->guarantee;
}

static uint64_t
shared(const struct charge *c)
{
    return c->total - reserved(c) - c->headroom;
}

/* What the partition 'part' of 'pool' shares. */
static uint64_t
used(int direction, int pool, int part)
{
    uint64_t sum = 0;

    for (int i = 0; i < m.n_charges[direction]; i++) {
        const struct charge *c = &m.charges[direction][i];

        if (c->pool == pool && (pool == NO_POOL || c->part == part)) {
            sum += shared(c);
        }
    }
    return sum;
}

static uint64_t
headroom_used(int pool, int part)
{
    uint64_t sum = 0;

    for (int i = 0; i < m.n_charges[MMU_INGRESS]; i++) {
        const struct charge *c = &m.charges[MMU_INGRESS][i];

        sum += c->pool == pool && c->part == part ? c->headroom : 0;
    }
    return sum;
}

static uint64_t
memory_used(void)
{
    uint64_t sum = 0;

    for (int i = 0; i < m.n_packets; i++) {
        sum += m.packets[i].cells;
    }
    return sum;
}

static uint64_t
unclaimed(int direction)
{
    uint64_t sum = 0;
    uint64_t most = 0;

    for (int i = 0; i < POOLS; i++) {
        uint64_t cells;

        if (!m.pools[i].exists ||
            (int)m.pools[i].config.direction != direction) {
            continue;
        }
        cells = down(m.pools[i].config.size_bytes);
        if (!m.chip.shared_limit.minus_shp) {
            cells += down(m.pools[i].config.xoff_bytes);
        }
        sum += cells;
        most = cells > most ? cells : most;
    }
    return less(down(m.chip.memory_bytes),
                direction == MMU_INGRESS ? sum : most);
}

static uint64_t
pool_limit(int direction, int pool)
{
    uint64_t cells = down(m.pools[pool].config.size_bytes);

    if (direction == MMU_EGRESS) {
        return cells / m.chip.partitions;
    }
    if (m.chip.shared_limit.minus_shp) {
        cells = less(cells, up(m.pools[pool].config.xoff_bytes));
    }
    for (int i = 0; i < OWNERS; i++) {
        int profile = m.profile[MMU_INGRESS][i];

        if (profile < 0 || m.profiles[profile].pool != pool) {
            continue;
        }
        if (m.chip.shared_limit.minus_pg_size) {
            cells = less(cells, up(m.profiles[profile].config.reserved_bytes));
        }
        if (m.chip.shared_limit.minus_pg_min) {
            cells = less(cells, guarantee_of(MMU_INGRESS, profile));
        }
    }
    for (int i = 0; i < PORTS; i++) {
        cells = less(cells, m.live[i] ? m.chip.shared_limit.per_port_cells : 0);
    }
    return m.chip.shared_limit.divided ? cells / m.chip.partitions : cells;
}

/* The threshold of a user of 'profile' when 'free' cells are free. */
static uint64_t
threshold(int profile, uint64_t free)
{
    const struct mmu_profile_config *c = &m.profiles[profile].config;

    if (c->is_static) {
        return c->static_bytes || m.chip.static_zero_blocks
                   ? down(c->static_bytes)
                   : UINT64_MAX;
    }
    for (int i = 0; i < c->dynamic_th; i++) {
        free *= 2;
    }
    for (int i = 0; i > c->dynamic_th; i--) {
        free /= 2;
    }
    return free;
}

static int
live_charge(int direction, int owner)
{
    int profile = m.profile[direction][owner];
    int pool = profile < 0 ? NO_POOL : m.profiles[profile].pool;

    for (int i = 0; i < m.n_charges[direction]; i++) {
        const struct charge *c = &m.charges[direction][i];

        if (c->owner == owner && c->pool == pool) {
            return i;
        }
    }
    return -1;
}

/* Decides for one side.  Returns the verdict; '*headroom' whether the cells
 * beyond the guarantee go there. */
static enum mmu_drop
judge(int direction, int owner, uint64_t cells, bool *headroom)
{
    const struct charge *c =
        &m.charges[direction][live_charge(direction, owner)];
    int profile = m.profile[direction][owner];
    bool after = (direction == MMU_INGRESS ? m.chip.threshold
                                           : m.chip.egress_threshold) ==
                 MODEL_THRESHOLD_CHECK_THEN_CHARGE;
    uint64_t room = c->guarantee - reserved(c);
    uint64_t rest = less(cells, room);
    uint64_t now;
    uint64_t size;
    uint64_t cap;
    uint64_t pool_cap;

    *headroom = false;
    if (rest == 0) {
        return MMU_ADMITTED;
    }
    now = used(direction, c->pool, c->part);
    if (profile < 0) {
        if (now + rest <= unclaimed(direction)) {
            return MMU_ADMITTED;
        }
        return direction == MMU_INGRESS ? MMU_NO_BUFFER : MMU_EGRESS_QUEUE;
    }
    size = pool_limit(direction, c->pool) +
           (direction == MMU_EGRESS ? m.chip.egress_lag_cells : 0);
    if (after ? shared(c) + rest <= threshold(profile, less(size, now + rest))
              : shared(c) < threshold(profile, less(size, now))) {
        return MMU_ADMITTED;
    }
    size = pool_limit(direction, c->pool);
    if (direction == MMU_EGRESS) {
        return now >= size && !m.profiles[profile].config.is_static
                   ? MMU_EGRESS_POOL
                   : MMU_EGRESS_QUEUE;
    }
    cap = up(m.profiles[profile].config.xoff_bytes);
    pool_cap =
        m.pools[c->pool].config.xoff_bytes
            ? down(m.pools[c->pool].config.xoff_bytes) / m.chip.partitions
            : UINT64_MAX;
    if (cap == 0) {
        return now >= size && !m.profiles[profile].config.is_static
                   ? MMU_INGRESS_POOL
                   : MMU_INGRESS_PG;
    }
    if (c->headroom + rest > cap) {
        return MMU_HEADROOM;
    }
    if (rest > less(pool_cap, headroom_used(c->pool, c->part))) {
        return MMU_HEADROOM_POOL;
    }
    *headroom = true;
    return MMU_ADMITTED;
}

static void
charge_add(int direction, int index, uint64_t cells, bool headroom)
{
    struct charge *c = &m.charges[direction][index];
    uint64_t rest = less(cells, c->guarantee - reserved(c));

    c->total += cells;
    c->headroom += headroom ? rest : 0;
    c->packets++;
}

static void
charge_remove(int direction, int index, uint64_t cells)
{
    struct charge *c = &m.charges[direction][index];

    c->headroom = less(c->headroom, cells);
    c->total -= cells;
    c->packets--;
}

static uint64_t
limit_now(int pg)
{
    const struct charge *c =
        &m.charges[MMU_INGRESS][live_charge(MMU_INGRESS, pg)];

    return threshold(m.profile[MMU_INGRESS][pg],
                     less(pool_limit(MMU_INGRESS, c->pool),
                          used(MMU_INGRESS, c->pool, c->part)));
}

static void
latch(int pg)
{
    const struct mmu_profile_config *c =
        &m.profiles[m.profile[MMU_INGRESS][pg]].config;
    uint64_t limit = limit_now(pg);
    uint64_t offset = up(c->xon_offset_bytes);

    m.resume[pg] = down(c->xon_bytes);
    if (m.chip.xon == MODEL_XON_ABSOLUTE) {
        return;
    }
    if (limit == UINT64_MAX) {
        m.resume[pg] = UINT64_MAX;
    } else if (limit >= offset) {
        uint64_t level = guarantee_of(MMU_INGRESS, m.profile[MMU_INGRESS][pg]) +
                         limit - offset;

        m.resume[pg] = level > m.resume[pg] ? level : m.resume[pg];
    }
}

static void
try_release(int pg)
{
    const struct charge *c =
        &m.charges[MMU_INGRESS][live_charge(MMU_INGRESS, pg)];

    if (m.xoff[pg] && c->headroom == 0 && c->total <= m.resume[pg]) {
        m.xoff[pg] = false;
    }
}

/* After a packet of 'pg' was charged ('headroom': there) or refused. */
static void
try_assert(int pg, bool overflowed)
{
    const struct charge *c =
        &m.charges[MMU_INGRESS][live_charge(MMU_INGRESS, pg)];

    if (m.profile[MMU_INGRESS][pg] < 0 || m.xoff[pg] ||
        reserved(c) < c->guarantee || c->total == 0) {
        return;
    }
    if (m.chip.threshold == MODEL_THRESHOLD_CHARGE_THEN_CHECK) {
        overflowed = overflowed || shared(c) >= limit_now(pg);
    }
    if (overflowed) {
        m.xoff[pg] = true;
        latch(pg);
    }
}

/* Steps ----------------------------------------------------------------- */

static int
live_owner(void)
{
    int port = (int)rnd(PORTS);

    for (int i = 0; i < PORTS && !m.live[port]; i++) {
        port = (port + 1) % PORTS;
    }
    return m.live[port] ? port * PER_PORT + (int)rnd(PER_PORT) : -1;
}

static bool
step_enqueue(void)
{
    int pg = live_owner();
    uint32_t queues[COPIES];
    enum mmu_drop drops[COPIES];
    enum mmu_drop want;
    uint32_t n = 0;
    uint32_t admitted = 0;
    uint32_t got;
    uint32_t id = MMU_NONE;
    uint32_t length = (uint32_t)(1 + rnd(rnd(2) ? 200 : 2000));
    uint64_t cells = model_packet_cells(&m.chip, length);
    bool in_headroom = false;
    struct packet *p = &m.packets[m.n_packets];

    if (pg < 0 || m.n_packets == MAX_PACKETS) {
        return true;
    }
    for (int port = 0; port < PORTS; port++) {
        if (m.live[port] && (n == 0 || rnd(3) == 0)) {
            queues[n++] = (uint32_t)(port * PER_PORT + (int)rnd(PER_PORT));
        }
    }
    if (n > 1 && rnd(2)) {
        queues[0] = queues[n - 1];
        n = 1;
    }
    if (n == 1) {
        drops[0] = mmu_enqueue(m.mmu, (uint32_t)pg, queues[0], length, &id);
        got = drops[0] == MMU_ADMITTED;
    } else {
        got = mmu_enqueue_copies(m.mmu, (uint32_t)pg, queues, n, length, &id,
                                 drops);
    }

    want = memory_used() + cells > down(m.chip.memory_bytes)
               ? MMU_NO_BUFFER
               : judge(MMU_INGRESS, pg, cells, &in_headroom);
    if (want != MMU_ADMITTED) {
        EXPECT(got == 0);
        verdicts[want]++;
        for (uint32_t i = 0; i < n; i++) {
            EXPECT(drops[i] == want);
        }
        if (want != MMU_NO_BUFFER) {
            try_assert(pg, true);
        }
        return true;
    }
    *p = (struct packet){.id = id, .length = length, .cells = cells};
    for (uint32_t i = 0; i < COPIES; i++) {
        bool unused;

        p->queue[i] = -1;
        if (i >= n) {
            continue;
        }
        want = judge(MMU_EGRESS, (int)queues[i], cells, &unused);
        EXPECT(drops[i] == want);
        verdicts[want]++;
        if (want == MMU_ADMITTED) {
            p->queue[i] = (int)queues[i];
            p->order[i] = m.next_order++;
            p->out[i] = live_charge(MMU_EGRESS, (int)queues[i]);
            charge_add(MMU_EGRESS, p->out[i], cells, false);
            admitted++;
        }
    }
    EXPECT(got == admitted);
    if (admitted) {
        m.n_packets++;
        p->in = live_charge(MMU_INGRESS, pg);
        charge_add(MMU_INGRESS, p->in, cells, in_headroom);
        try_assert(pg, in_headroom);
    }
    return true;
}

/* Takes copy 'k' of packet 'i' out of the reference. */
static bool
take_copy(int i, int k)
{
    struct packet *p = &m.packets[i];
    bool last = true;

    charge_remove(MMU_EGRESS, p->out[k], p->cells);
    p->queue[k] = -1;
    for (int j = 0; j < COPIES; j++) {
        last = last && p->queue[j] < 0;
    }
    if (last) {
        int pg = m.charges[MMU_INGRESS][p->in].owner;

        charge_remove(MMU_INGRESS, p->in, p->cells);
        if (pg >= 0 && p->in == live_charge(MMU_INGRESS, pg)) {
            try_release(pg);
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

static bool
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

static bool
step_port(void)
{
    int port = (int)rnd(PORTS);
    uint32_t part = (uint32_t)port % m.chip.partitions;

    if (m.live[port] && rnd(2)) {
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
    m.live[port] = !m.live[port];
    return true;
}

static uint64_t
reservations(int direction)
{
    uint64_t sum = 0;

    for (int i = 0; i < POOLS; i++) {
        if (m.pools[i].exists &&
            (int)m.pools[i].config.direction == direction) {
            sum += up(m.pools[i].config.xoff_bytes);
        }
    }
    for (int i = 0; i < OWNERS; i++) {
        if (m.profile[direction][i] >= 0) {
            sum +=
                up(m.profiles[m.profile[direction][i]].config.reserved_bytes);
        }
    }
    return sum;
}

static bool
fits(int direction, uint64_t before)
{
    uint64_t now = reservations(direction);

    return now <= before ||
           now <= down(m.chip.memory_bytes) + 1024 / m.chip.cell_bytes;
}

static bool
step_pool(void)
{
    int i = (int)rnd(POOLS);
    bool in_use = false;
    int direction = i % 2;
    uint64_t before = reservations(direction);
    struct mmu_pool_config old = m.pools[i].config;
    bool existed = m.pools[i].exists;
    struct mmu_pool_config config = {.direction = (enum mmu_direction)direction,
                                     .size_bytes = rnd(m.chip.memory_bytes / 2),
                                     .xoff_bytes =
                                         direction == MMU_INGRESS && rnd(2)
                                             ? rnd(m.chip.memory_bytes / 8)
                                             : 0};

    for (int p = 0; p < PROFILES; p++) {
        in_use = in_use || (m.profiles[p].exists && m.profiles[p].pool == i);
    }
    if (existed && rnd(4) == 0) {
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
            reapply(MMU_INGRESS, o);
            rejudge(o);
        }
    }
    return true;
}

static struct mmu_profile_config
random_profile(int pool)
{
    bool ingress = m.pools[pool].config.direction == MMU_INGRESS;
    bool lossless = ingress && rnd(2);

    return (struct mmu_profile_config){
        .pool = m.pools[pool].handle,
        .reserved_bytes = rnd(3) ? rnd(m.chip.cell_bytes * 12 + 500) : 0,
        .is_static = rnd(4) == 0,
        .dynamic_th = (int)rnd(8) - 5,
        .static_bytes = rnd(3) ? rnd(m.chip.memory_bytes / 4) : 0,
        .xoff_bytes = lossless ? rnd(m.chip.memory_bytes / 16) : 0,
        .xon_bytes = lossless && rnd(2) ? rnd(2000) : 0,
        .xon_offset_bytes = lossless && rnd(2) ? rnd(3000) : 0};
}

/* Brings the charge of 'owner' and its flow state in line with a changed
 * profile. */
static void
reapply(int direction, int owner)
{
    struct charge *c = &m.charges[direction][live_charge(direction, owner)];
    int profile = m.profile[direction][owner];

    c->guarantee = profile < 0 ? 0 : guarantee_of(direction, profile);
    if (c->headroom > c->total - reserved(c)) {
        c->headroom = c->total - reserved(c);
    }
}

static void
rejudge(int pg)
{
    if (m.xoff[pg]) {
        latch(pg);
        try_release(pg);
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
            reapply(direction, o);
            if (direction == MMU_INGRESS) {
                rejudge(o);
            }
        }
    }
    return true;
}

static bool
step_profile(void)
{
    int i = (int)rnd(PROFILES);
    int pool = (int)rnd(POOLS);
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
    if (rnd(4)) {
        return step_profile_set(i);
    }
    for (int d = 0; d < 2; d++) {
        for (int o = 0; o < OWNERS; o++) {
            in_use = in_use || m.profile[d][o] == i;
        }
    }
    EXPECT(mmu_profile_remove(m.mmu, m.profiles[i].handle, NULL) ==
           (in_use ? ST_BUSY : ST_OK));
    m.profiles[i].exists = in_use;
    return true;
}

static bool
step_attach(void)
{
    int direction = (int)rnd(2);
    int owner = live_owner();
    int next = rnd(16) ? (int)rnd(PROFILES) : -1;
    int old;
    uint64_t before = reservations(direction);
    enum st want = ST_OK;
    enum st got;

    /* Mostly one of the right direction. */
    for (int i = 0; i < PROFILES && next >= 0; i++) {
        if (m.profiles[next].exists &&
            (m.profiles[next].pool % 2 == direction || rnd(20) == 0)) {
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
    if (live_charge(direction, owner) < 0) {
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
    reapply(direction, owner);
    if (direction == MMU_INGRESS) {
        rejudge(owner);
    }
    return true;
}

/* Comparison ---------------------------------------------------------- */

static struct charge
sum_of(int direction, int owner)
{
    struct charge sum = {0};

    for (int i = 0; i < m.n_charges[direction]; i++) {
        const struct charge *c = &m.charges[direction][i];

        if (c->owner == owner) {
            sum.total += c->total;
            sum.headroom += c->headroom;
            sum.guarantee += reserved(c);
        }
    }
    return sum;
}

static bool
compare_owners(void)
{
    for (int o = 0; o < OWNERS; o++) {
        struct mmu_pg_stats pg;
        struct mmu_queue_stats queue;
        struct charge in = sum_of(MMU_INGRESS, o);
        struct charge out = sum_of(MMU_EGRESS, o);

        if (!m.live[o / PER_PORT]) {
            continue;
        }
        mmu_pg_get(m.mmu, (uint32_t)o, &pg);
        mmu_queue_get(m.mmu, (uint32_t)o, &queue);
        EXPECT(pg.is_xoff == m.xoff[o]);
        EXPECT(m.told[o] == m.xoff[o]);
        /* A pool that was removed under load hides the older charges of the
         * reference; levels are then compared by mmu_check() alone. */
        EXPECT(pg.reserved + pg.shared + pg.headroom >= in.total);
        EXPECT(queue.reserved + queue.shared >= out.total);
        if (pg.reserved + pg.shared + pg.headroom == in.total) {
            EXPECT(pg.reserved == in.guarantee);
            EXPECT(pg.headroom == in.headroom);
        }
        EXPECT(pg.shared_watermark >= pg.shared);
        EXPECT(pg.headroom_watermark >= pg.headroom);
    }
    return true;
}

static bool
compare(void)
{
    const char *wrong = mmu_check(m.mmu);

    if (wrong) {
        printf("mmu_check: %s\n", wrong);
        return false;
    }
    EXPECT(mmu_used_cells(m.mmu) == memory_used());
    for (int i = 0; i < POOLS; i++) {
        struct mmu_pool_stats stats;
        struct charge sum = {0};
        int direction = (int)m.pools[i].config.direction;

        if (!m.pools[i].exists) {
            continue;
        }
        EXPECT(mmu_pool_get(m.mmu, m.pools[i].handle, &stats) == ST_OK);
        for (int c = 0; c < m.n_charges[direction]; c++) {
            const struct charge *charge = &m.charges[direction][c];

            if (charge->pool == i) {
                sum.total += charge->total;
                sum.headroom += charge->headroom;
                sum.guarantee += reserved(charge);
            }
        }
        EXPECT(stats.shared_limit == pool_limit(direction, i));
        EXPECT(stats.headroom == sum.headroom);
        EXPECT(stats.reserved == sum.guarantee);
        EXPECT(stats.shared == sum.total - sum.headroom - sum.guarantee);
    }
    EXPECT(mmu_unclaimed_cells(m.mmu, MMU_INGRESS) == unclaimed(MMU_INGRESS));
    EXPECT(mmu_unclaimed_cells(m.mmu, MMU_EGRESS) == unclaimed(MMU_EGRESS));
    return compare_owners();
}

/* Drops charges without packets that nobody will use again. */
static void
collect(void)
{
    for (int d = 0; d < 2; d++) {
        for (int i = 0; i < m.n_charges[d]; i++) {
            const struct charge *c = &m.charges[d][i];
            int last = m.n_charges[d] - 1;

            if (c->packets ||
                (c->owner >= 0 && live_charge(d, c->owner) == i)) {
                continue;
            }
            m.charges[d][i] = m.charges[d][last];
            for (int p = 0; p < m.n_packets; p++) {
                for (int k = 0; k < COPIES; k++) {
                    if (d == MMU_EGRESS && m.packets[p].out[k] == last) {
                        m.packets[p].out[k] = i;
                    }
                }
                if (d == MMU_INGRESS && m.packets[p].in == last) {
                    m.packets[p].in = i;
                }
            }
            m.n_charges[d]--;
            i--;
        }
    }
}

static void
random_chip(void)
{
    struct chip *chip = &m.chip;

    model_init(chip);
    chip->cell_bytes = (uint32_t[]){1, 64, 208, 256}[rnd(4)];
    chip->memory_bytes = 40000 + rnd(200000);
    chip->partitions = (uint32_t)(1 + rnd(3));
    chip->threshold = rnd(2) ? MODEL_THRESHOLD_CHARGE_THEN_CHECK
                             : MODEL_THRESHOLD_CHECK_THEN_CHARGE;
    chip->egress_threshold = rnd(2) ? MODEL_THRESHOLD_CHARGE_THEN_CHECK
                                    : MODEL_THRESHOLD_CHECK_THEN_CHARGE;
    chip->egress_lag_cells = (uint32_t)rnd(3);
    chip->pg_guarantee = (enum model_guarantee)rnd(3);
    chip->xon = rnd(3) ? MODEL_XON_RELATIVE_LATCHED : MODEL_XON_ABSOLUTE;
    chip->static_zero_blocks = rnd(3) == 0;
    chip->packet_overhead_bytes = rnd(2) ? (uint32_t)rnd(60) : 0;
    chip->packet_round_bytes = rnd(3) ? 1 : 16;
    chip->shared_limit =
        (struct model_shared_limit){.minus_shp = rnd(2),
                                    .minus_pg_size = rnd(3) == 0,
                                    .minus_pg_min = rnd(2),
                                    .per_port_cells = (uint32_t)rnd(4),
                                    .divided = rnd(3) != 0};
    chip->ports = PORTS;
    chip->pgs_per_port = PER_PORT;
    chip->queues_per_port = PER_PORT;
    chip->pools = 64;
    chip->profiles = PROFILES;
}

static bool
step(void)
{
    uint64_t what = rnd(100);

    if (what < 52) {
        return step_enqueue();
    }
    if (what < 86) {
        return step_dequeue();
    }
    if (what < 88) {
        return rnd(3) ? true : step_port();
    }
    return what < 91 ? step_pool() : what < 95 ? step_profile() : step_attach();
}

/* The first steps make a switch on which there is something to see. */
static bool
setup(int i)
{
    if (i < PORTS * 4) {
        return m.live[i / 4] || step_port();
    }
    return i < SETUP / 4   ? step_pool()
           : i < SETUP / 2 ? step_profile()
                           : step_attach();
}

static bool
run(uint64_t seed)
{
    bool ok = true;

    memset(&m, 0, sizeof m);
    m.random = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
    random_chip();
    memset(m.profile, 0xff, sizeof m.profile);
    m.mmu = mmu_create(&m.chip, &(struct mmu_options){.flow = on_flow});
    for (int i = 0; i < STEPS && ok; i++) {
        ok = i < SETUP ? setup(i) : step();
        collect();
        ok = ok && compare();
        if (!ok) {
            printf("seed %llu, step %d\n", (unsigned long long)seed, i);
        }
    }
    mmu_destroy(m.mmu);
    return ok;
}

/* Returns whether 'drop' is a verdict that this test can meet. */
static bool
can_happen(int drop)
{
    return drop <= MMU_INGRESS_PG || drop == MMU_INGRESS_POOL ||
           drop == MMU_HEADROOM || drop == MMU_HEADROOM_POOL ||
           drop == MMU_EGRESS_QUEUE || drop == MMU_EGRESS_POOL ||
           drop == MMU_NO_BUFFER;
}

int
main(int argc, char **argv)
{
    uint64_t seed = 1;
    uint64_t runs = 40;

    if (argc > 3 ||
        (argc > 1 && parse_u64(argv[1], 0, UINT32_MAX, &seed) != ST_OK) ||
        (argc > 2 && parse_u64(argv[2], 1, UINT32_MAX, &runs) != ST_OK)) {
        printf("usage: test_mmu_model [SEED [RUNS]]\n");
        return 2;
    }
    for (uint64_t i = 0; i < runs; i++) {
        if (!run(seed + i)) {
            return 1;
        }
    }
    printf("%llu runs of %d steps from seed %llu agree:",
           (unsigned long long)runs, STEPS, (unsigned long long)seed);
    for (int i = 0; i < MMU_N_DROPS; i++) {
        printf(" %llu %s,", (unsigned long long)verdicts[i],
               mmu_drop_name((enum mmu_drop)i));
        orch_assert(runs < 40 || verdicts[i] > 0 || !can_happen(i));
    }
    printf(" %llu changes of XOFF\n", (unsigned long long)flows);
    orch_assert(runs < 40 || flows > 0);
    return 0;
}
