/* SPDX-License-Identifier: Apache-2.0 */

/* Every query adds everything up again. */

#include <config.h>

#include "tests/property/mmu_reference.h"

#include "base/check.h"

struct dynamic_state m;

uint64_t
reference_random(uint64_t n)
{
    m.random ^= m.random << 13;
    m.random ^= m.random >> 7;
    m.random ^= m.random << 17;
    return (m.random >> 20) % n;
}

uint64_t
reference_up(uint64_t bytes)
{
    return (bytes + m.chip.cell_bytes - 1) / m.chip.cell_bytes;
}

uint64_t
reference_down(uint64_t bytes)
{
    return bytes / m.chip.cell_bytes;
}

uint64_t
reference_less(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0;
}

uint64_t
reference_guarantee_of(int direction, int profile)
{
    const struct mmu_profile_config *c = &m.profiles[profile].config;
    bool has_shp = m.pools[m.profiles[profile].pool].config.xoff_bytes != 0;
    bool inside = m.chip.headroom == CHIP_HEADROOM_PER_PORT_SHARE
                      ? !has_shp
                      : m.chip.pg_guarantee == CHIP_GUARANTEE_SIZE_MINUS_XOFF;

    if (direction == MMU_EGRESS) {
        return reference_up(c->reserved_bytes);
    }
    if (m.chip.pg_guarantee == CHIP_GUARANTEE_NONE) {
        return 0;
    }
    return reference_up(inside
                            ? reference_less(c->reserved_bytes, c->xoff_bytes)
                            : c->reserved_bytes);
}

/* What PG 'pg' may have in headroom on its own. */
uint64_t
reference_own_headroom(int pg)
{
    int profile = m.profile[MMU_INGRESS][pg];
    uint64_t cells;

    if (profile < 0) {
        return 0;
    }
    cells = reference_up(m.profiles[profile].config.xoff_bytes);
    return m.pools[m.profiles[profile].pool].config.xoff_bytes
               ? cells
               : reference_less(cells,
                                m.speed[pg / PER_PORT] >= 400000 ? 9 : 2);
}

uint64_t
reference_reserved(const struct charge *c)
{
    return c->total < c->guarantee ? c->total : c->guarantee;
}

uint64_t
reference_shared(const struct charge *c)
{
    return c->total - reference_reserved(c) - c->headroom;
}

/* What the partition 'part' of 'pool' shares. */
static uint64_t
used(int direction, int pool, int part)
{
    uint64_t sum = 0;

    for (int i = 0; i < m.n_charges[direction]; i++) {
        const struct charge *c = &m.charges[direction][i];

        if (c->pool == pool && (pool == NO_POOL || c->part == part)) {
            sum += reference_shared(c);
        }
    }
    return sum;
}

/* What 'port' has in 'pool': shared, or headroom. */
static uint64_t
port_used(int direction, int port, int pool, bool headroom)
{
    uint64_t sum = 0;

    for (int i = 0; i < m.n_charges[direction]; i++) {
        const struct charge *c = &m.charges[direction][i];

        if (c->pool == pool && c->owner >= 0 && c->owner / PER_PORT == port) {
            sum += headroom ? c->headroom : reference_shared(c);
        }
    }
    return sum;
}

/* The headroom of all PGs of 'port' in 'pool'. */
static uint64_t
port_headroom(int port, int pool)
{
    uint64_t sum = 0;

    for (int o = port * PER_PORT; o < (port + 1) * PER_PORT; o++) {
        int profile = m.profile[MMU_INGRESS][o];

        if (profile >= 0 && m.profiles[profile].pool == pool) {
            sum += reference_up(m.profiles[profile].config.xoff_bytes);
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

uint64_t
reference_memory_used(void)
{
    uint64_t sum = 0;

    for (int i = 0; i < m.n_packets; i++) {
        sum += m.packets[i].cells;
    }
    return sum;
}

uint64_t
reference_unclaimed(int direction)
{
    uint64_t sum = 0;
    uint64_t most = 0;

    for (int i = 0; i < POOLS; i++) {
        uint64_t cells;

        if (!m.pools[i].exists ||
            (int)m.pools[i].config.direction != direction) {
            continue;
        }
        cells = reference_down(m.pools[i].config.size_bytes);
        if (!m.chip.shared_limit.minus_shp) {
            cells += reference_down(m.pools[i].config.xoff_bytes);
        }
        sum += cells;
        most = cells > most ? cells : most;
    }
    return reference_less(reference_down(m.chip.memory_bytes),
                          direction == MMU_INGRESS ? sum : most);
}

uint64_t
reference_pool_limit(int direction, int pool)
{
    uint64_t cells = reference_down(m.pools[pool].config.size_bytes);
    uint64_t most = 0;
    bool any = false;

    if (direction == MMU_EGRESS) {
        if (!m.chip.voq_cap_bytes) {
            cells /= m.chip.partitions;
        }
        for (int i = 0; i < POOLS && m.chip.egress_shared ==
                                         CHIP_EGRESS_SHARED_INGRESS_SHARED;
             i++) {
            if (m.pools[i].exists &&
                m.pools[i].config.direction == MMU_INGRESS) {
                uint64_t limit = reference_pool_limit(MMU_INGRESS, i);

                most = limit > most ? limit : most;
                any = true;
            }
        }
        /* A pool without size shares nothing on any chip. */
        return any && cells ? most : cells;
    }
    if (m.chip.pool_round_bytes > 1) {
        uint64_t size = m.pools[pool].config.size_bytes;

        while (size % m.chip.pool_round_bytes) {
            size++;
        }
        cells = reference_down(size);
    }
    if (m.chip.shared_limit.minus_shp) {
        cells = reference_less(cells,
                               reference_up(m.pools[pool].config.xoff_bytes));
    }
    for (int i = 0; i < OWNERS; i++) {
        int profile = m.profile[MMU_INGRESS][i];

        if (profile < 0 || m.profiles[profile].pool != pool) {
            continue;
        }
        if (m.chip.shared_limit.minus_pg_size) {
            cells = reference_less(
                cells, reference_up(m.profiles[profile].config.reserved_bytes));
        }
        if (m.chip.shared_limit.minus_pg_min) {
            cells = reference_less(
                cells, reference_guarantee_of(MMU_INGRESS, profile));
        }
    }
    for (int i = 0; i < PORTS; i++) {
        cells = reference_less(
            cells, m.live[i] ? m.chip.shared_limit.per_port_cells : 0);
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
                   ? reference_down(c->static_bytes)
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

/* The limit that the profile of 'port' sets in 'pool' when 'free' cells are
 * free; UINT64_MAX: none. */
static uint64_t
port_threshold(int port, int pool, uint64_t free)
{
    int profile = pool < 0 ? -1 : m.port_profile[port][pool];

    if (profile < 0 || (!m.profiles[profile].config.is_static &&
                        m.chip.port_alpha == CHIP_PORT_ALPHA_NONE)) {
        return UINT64_MAX;
    }
    return threshold(profile, free);
}

/* The threshold of 'owner' when 'free' cells are free and 'more' are to be
 * added: its own, within its port's. */
static uint64_t
threshold_in_port(int direction, int owner, uint64_t free, uint64_t more)
{
    int profile = m.profile[direction][owner];
    int pool = m.profiles[profile].pool;
    int port = owner / PER_PORT;
    const struct charge *c =
        &m.charges[direction][reference_live_charge(direction, owner)];
    uint64_t limit = port_threshold(port, pool, free);
    uint64_t held = port_used(direction, port, pool, false) + more;
    uint64_t own = threshold(profile, free);

    if (limit == UINT64_MAX) {
        return own;
    }
    if (held > limit) {
        return 0;
    }
    if (!m.profiles[m.port_profile[port][pool]].config.is_static &&
        !m.profiles[profile].config.is_static &&
        m.chip.port_alpha == CHIP_PORT_ALPHA_NESTED) {
        return threshold(profile, limit - held);
    }
    limit = reference_shared(c) + more + (limit - held);
    return own < limit ? own : limit;
}

int
reference_live_charge(int direction, int owner)
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

/* Why 'rest' cells do not fit what 'owner' may share. */
static enum mmu_drop
refusal(int direction, int owner, uint64_t rest)
{
    const struct charge *c =
        &m.charges[direction][reference_live_charge(direction, owner)];
    int profile = m.profile[direction][owner];
    bool ingress = direction == MMU_INGRESS;
    uint64_t now = used(direction, c->pool, c->part);
    uint64_t size = reference_pool_limit(direction, c->pool);

    if (now >= size && !m.profiles[profile].config.is_static) {
        return ingress ? MMU_INGRESS_POOL : MMU_EGRESS_POOL;
    }
    if (port_used(direction, owner / PER_PORT, c->pool, false) + rest >
        port_threshold(owner / PER_PORT, c->pool, reference_less(size, now))) {
        return ingress ? MMU_INGRESS_PORT : MMU_EGRESS_PORT;
    }
    return ingress ? MMU_INGRESS_PG : MMU_EGRESS_QUEUE;
}

/* Whether 'rest' cells may go to the headroom of 'pg'. */
static enum mmu_drop
judge_headroom(int pg, uint64_t rest)
{
    const struct charge *c =
        &m.charges[MMU_INGRESS][reference_live_charge(MMU_INGRESS, pg)];
    uint64_t shp = m.pools[c->pool].config.xoff_bytes;
    bool by_port = shp && m.chip.headroom == CHIP_HEADROOM_PER_PORT_SHARE;
    uint64_t held = by_port
                        ? port_used(MMU_INGRESS, pg / PER_PORT, c->pool, true)
                        : c->headroom;
    uint64_t cap = by_port ? port_headroom(pg / PER_PORT, c->pool)
                           : reference_own_headroom(pg);

    if (held + rest > cap) {
        return MMU_HEADROOM;
    }
    return shp && rest > reference_less(reference_down(shp) / m.chip.partitions,
                                        headroom_used(c->pool, c->part))
               ? MMU_HEADROOM_POOL
               : MMU_ADMITTED;
}

/* Whether 'cells' of a lossy packet are too many for virtual output queue
 * 'queue'. */
bool
reference_beyond_voq(int queue, uint64_t cells)
{
    const struct charge *c =
        &m.charges[MMU_EGRESS][reference_live_charge(MMU_EGRESS, queue)];

    return m.chip.voq_cap_bytes &&
           (c->total + cells) * m.chip.cell_bytes >= m.chip.voq_cap_bytes;
}

/* Decides for one side.  Returns the verdict; '*headroom' whether the cells
 * beyond the guarantee go there. */
enum mmu_drop
reference_judge(int direction, int owner, uint64_t cells, bool *headroom)
{
    const struct charge *c =
        &m.charges[direction][reference_live_charge(direction, owner)];
    enum chip_threshold rule =
        direction == MMU_INGRESS ? m.chip.threshold : m.chip.egress_threshold;
    bool after = rule != CHIP_THRESHOLD_CHARGE_THEN_CHECK;
    uint64_t taken;
    uint64_t room = c->guarantee - reference_reserved(c);
    uint64_t rest = reference_less(cells, room);
    uint64_t now;
    uint64_t size;
    enum mmu_drop drop;

    *headroom = false;
    if (rest == 0) {
        return MMU_ADMITTED;
    }
    now = used(direction, c->pool, c->part);
    if (m.profile[direction][owner] < 0) {
        if (now + rest <= reference_unclaimed(direction)) {
            return MMU_ADMITTED;
        }
        return direction == MMU_INGRESS ? MMU_NO_BUFFER : MMU_EGRESS_QUEUE;
    }
    size = reference_pool_limit(direction, c->pool) +
           (direction == MMU_EGRESS ? m.chip.egress_lag_cells : 0);
    taken = rule == CHIP_THRESHOLD_CHECK_BEFORE ? now : now + rest;
    if (after ? reference_shared(c) + rest <=
                    threshold_in_port(direction, owner,
                                      reference_less(size, taken), rest)
              : reference_shared(c) <
                    threshold_in_port(direction, owner,
                                      reference_less(size, now), 0)) {
        return MMU_ADMITTED;
    }
    if (direction == MMU_EGRESS || reference_own_headroom(owner) == 0) {
        return refusal(direction, owner, rest);
    }
    drop = judge_headroom(owner, rest);
    *headroom = drop == MMU_ADMITTED;
    return drop;
}

void
reference_charge_add(int direction, int index, uint64_t cells, bool headroom)
{
    struct charge *c = &m.charges[direction][index];
    uint64_t rest = reference_less(cells, c->guarantee - reference_reserved(c));

    c->total += cells;
    c->headroom += headroom ? rest : 0;
    c->packets++;
}

void
reference_charge_remove(int direction, int index, uint64_t cells)
{
    struct charge *c = &m.charges[direction][index];

    c->headroom = reference_less(c->headroom, cells);
    c->total -= cells;
    c->packets--;
}

static uint64_t
limit_now(int pg)
{
    const struct charge *c =
        &m.charges[MMU_INGRESS][reference_live_charge(MMU_INGRESS, pg)];

    return threshold_in_port(
        MMU_INGRESS, pg,
        reference_less(reference_pool_limit(MMU_INGRESS, c->pool),
                       used(MMU_INGRESS, c->pool, c->part)),
        0);
}

static void
latch(int pg)
{
    const struct mmu_profile_config *c =
        &m.profiles[m.profile[MMU_INGRESS][pg]].config;
    uint64_t limit = limit_now(pg);
    uint64_t offset = reference_up(c->xon_offset_bytes);

    m.resume[pg] = reference_down(c->xon_bytes);
    if (m.chip.xon == CHIP_XON_ABSOLUTE) {
        return;
    }
    if (limit == UINT64_MAX) {
        m.resume[pg] = UINT64_MAX;
    } else if (limit >= offset) {
        uint64_t level =
            reference_guarantee_of(MMU_INGRESS, m.profile[MMU_INGRESS][pg]) +
            limit - offset;

        m.resume[pg] = level > m.resume[pg] ? level : m.resume[pg];
    }
}

void
reference_try_release(int pg)
{
    const struct charge *c =
        &m.charges[MMU_INGRESS][reference_live_charge(MMU_INGRESS, pg)];

    if (m.xoff[pg] && m.chip.xon == CHIP_XON_RELATIVE) {
        latch(pg);
    }
    if (m.xoff[pg] && c->headroom == 0 && c->total <= m.resume[pg]) {
        m.xoff[pg] = false;
    }
}

/* After a packet of 'cells' of 'pg' was charged, or one was refused; it
 * 'overflowed' if the shared part had no room for it. */
void
reference_try_assert(int pg, uint64_t cells, bool overflowed)
{
    const struct charge *c =
        &m.charges[MMU_INGRESS][reference_live_charge(MMU_INGRESS, pg)];

    if (m.profile[MMU_INGRESS][pg] < 0 || m.xoff[pg] ||
        reference_reserved(c) < c->guarantee || c->packets == 0) {
        return;
    }
    if (m.chip.threshold != CHIP_THRESHOLD_CHECK_THEN_CHARGE) {
        overflowed = overflowed || reference_shared(c) >= limit_now(pg);
    } else if (m.chip.xoff == CHIP_XOFF_BEFORE_HEADROOM) {
        uint64_t free =
            reference_less(reference_pool_limit(MMU_INGRESS, c->pool),
                           used(MMU_INGRESS, c->pool, c->part) + cells);

        overflowed =
            overflowed || reference_shared(c) + cells >
                              threshold_in_port(MMU_INGRESS, pg, free, cells);
    }
    if (overflowed) {
        m.xoff[pg] = true;
        latch(pg);
    }
}

/* After the shared cells of 'pg' grew: others may be at their limits now. */
void
reference_assert_others(int pg)
{
    const struct charge *grown =
        &m.charges[MMU_INGRESS][reference_live_charge(MMU_INGRESS, pg)];

    for (int i = 0; i < OWNERS && m.chip.xoff_by_others; i++) {
        int live = reference_live_charge(MMU_INGRESS, i);
        const struct charge *c;

        if (live < 0) {
            continue;
        }
        c = &m.charges[MMU_INGRESS][live];
        if (m.profile[MMU_INGRESS][i] >= 0 && c->pool == grown->pool &&
            c->part == grown->part && reference_own_headroom(i) && !m.xoff[i] &&
            c->packets && reference_reserved(c) == c->guarantee &&
            reference_shared(c) >= limit_now(i)) {
            m.xoff[i] = true;
            latch(i);
        }
    }
}

/* Brings the charge of 'owner' and its flow state in line with a changed
 * profile. */
void
reference_reapply(int direction, int owner)
{
    struct charge *c =
        &m.charges[direction][reference_live_charge(direction, owner)];
    int profile = m.profile[direction][owner];

    c->guarantee = profile < 0 ? 0 : reference_guarantee_of(direction, profile);
    if (c->headroom > c->total - reference_reserved(c)) {
        c->headroom = c->total - reference_reserved(c);
    }
}

void
reference_rejudge(int pg)
{
    if (m.xoff[pg]) {
        latch(pg);
        reference_try_release(pg);
    }
}
