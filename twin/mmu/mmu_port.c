/* SPDX-License-Identifier: Apache-2.0 */

/* Lays out the memory of the buffer, and adds and removes its ports.
 *
 * What packets need is dense (mmu_state.h).  The system provides the block of
 * all other tables zeroed and on demand, so unused slots take no memory: a chip
 * of a thousand ports with thirty in use is as small as one of thirty. */

#include <config.h>

#include "twin/mmu/mmu.h"

#include <stdlib.h>

#include "base/line_pool.h"
#include "twin/mmu/mmu_account.h"
#include "twin/mmu/mmu_load.h"

enum {
    COPY_DESCS = 65536,  /* Descriptors for further copies of packets. */
    MAX_DESCS = 1 << 24, /* For chips whose cells are bytes. */
    ACCOUNTS_PER_OWNER = 4,
    MIN_LENGTH_BYTES = 14,
    FIRST_DESCS = 64,
};

/* Returns a number of descriptors that cannot run out before the memory does: a
 * packet has at least one cell, or as many as the shortest occupies. Copies
 * need one more each. */
static uint32_t
default_descs(const struct chip *chip)
{
    uint64_t n =
        chip_memory_cells(chip) / chip_packet_cells(chip, MIN_LENGTH_BYTES) +
        COPY_DESCS;

    return n < MAX_DESCS ? (uint32_t)n : MAX_DESCS;
}

/* Reserves 'n' times 'size' bytes at the end of a block of '*total' bytes.
 * Returns their offset. */
static size_t
layout_add(size_t *total, size_t n, size_t size)
{
    size_t offset =
        (*total + LINE_POOL_LINE - 1) / LINE_POOL_LINE * LINE_POOL_LINE;

    orch_assert(n <= (SIZE_MAX / 4) / size);
    *total = offset + n * size;
    return offset;
}

/* Cuts what packets need out of one piece of 'memory', which starts with
 * 'struct mmu' itself. */
static struct mmu *
layout_hot(const struct chip *chip, struct line_pool *memory)
{
    const size_t n_pgs = (size_t)chip->ports * chip->pgs_per_port;
    const size_t n_queues = (size_t)chip->ports * chip->queues_per_port;
    size_t total = sizeof(struct mmu);
    const size_t parts = layout_add(
        &total, (chip->pools + 2) * chip->partitions, sizeof(struct part));
    const size_t live_pgs = layout_add(&total, n_pgs, sizeof(uint32_t));
    const size_t live_queues = layout_add(&total, n_queues, sizeof(uint32_t));
    const size_t backlogs = layout_add(&total, chip->ports, sizeof(uint64_t));
    const size_t lossless =
        layout_add(&total, n_pgs / 64 + 1, sizeof(uint64_t));
    unsigned char *base = line_pool_take(memory, total);
    struct mmu *mmu = (struct mmu *)(void *)base;

    mmu->lines = memory;
    mmu->hot_bytes = total;
    mmu->parts = (struct part *)(void *)(base + parts);
    mmu->accounts[MMU_INGRESS].live = (uint32_t *)(void *)(base + live_pgs);
    mmu->accounts[MMU_EGRESS].live = (uint32_t *)(void *)(base + live_queues);
    mmu->front.backlogs = (uint64_t *)(void *)(base + backlogs);
    mmu->lossless = (uint64_t *)(void *)(base + lossless);
    mmu->n_pgs = (uint32_t)n_pgs;
    mmu->n_queues = (uint32_t)n_queues;
    return mmu;
}

/* Cuts all other tables out of one zeroed block. */
static void
layout(struct mmu *mmu, const struct chip *chip)
{
    const size_t n_pools = chip->pools + 2;
    const size_t n_in = (size_t)mmu->n_pgs * ACCOUNTS_PER_OWNER + 1;
    const size_t n_out = (size_t)mmu->n_queues * ACCOUNTS_PER_OWNER + 1;
    size_t total = 0;
    const size_t pgs = layout_add(&total, mmu->n_pgs, sizeof(struct owner));
    const size_t queues =
        layout_add(&total, mmu->n_queues, sizeof(struct owner));
    const size_t in = layout_add(&total, n_in, sizeof(struct account_more));
    const size_t out = layout_add(&total, n_out, sizeof(struct account_more));
    const size_t pools = layout_add(&total, n_pools, sizeof(struct pool));
    const size_t ports = layout_add(&total, chip->ports, sizeof(struct port));
    const size_t profiles =
        layout_add(&total, chip->profiles, sizeof(struct profile));
    const size_t shares =
        layout_add(&total, chip->ports * n_pools, sizeof(struct share));
    unsigned char *base = check_calloc(1, total);

    mmu->block = base;
    mmu->block_bytes = total;
    mmu->accounts[MMU_INGRESS].owners = (struct owner *)(void *)(base + pgs);
    mmu->accounts[MMU_EGRESS].owners = (struct owner *)(void *)(base + queues);
    mmu->accounts[MMU_INGRESS].more =
        (struct account_more *)(void *)(base + in);
    mmu->accounts[MMU_EGRESS].more =
        (struct account_more *)(void *)(base + out);
    mmu->pools = (struct pool *)(void *)(base + pools);
    mmu->ports = (struct port *)(void *)(base + ports);
    mmu->profiles = (struct profile *)(void *)(base + profiles);
    mmu->shares = (struct share *)(void *)(base + shares);
}

void
mmu_extend_descs__(struct mmu *mmu)
{
    const uint32_t room =
        mmu->desc_room ? 2 * mmu->desc_room : (uint32_t)FIRST_DESCS;

    mmu->descs = line_pool_extend(mmu->lines, mmu->descs,
                                  mmu->desc_room * sizeof *mmu->descs,
                                  room * sizeof *mmu->descs);
    mmu->desc_room = room;
}

void
mmu_judge_path__(struct mmu *mmu)
{
    const struct chip *chip = mmu->chip;
    const bool is_full = mmu->counts_shares || mmu->tells_lossy ||
                         mmu->early_xoff || mmu->cell_factor != 1 ||
                         mmu->memory > UINT32_MAX ||
                         chip->watermark_with_reserved;

    if (mmu->reports || mmu->cell_inverse == 0 ||
        (mmu->counts_shares && (chip->partitions > 1 || mmu->by_others))) {
        mmu->path = MMU_PATH_NONE;
    } else if (is_full) {
        mmu->path = MMU_PATH_FULL;
    } else {
        mmu->path = mmu->by_others ? MMU_PATH_OTHERS : MMU_PATH_PLAIN;
    }
}

/* Computes how packets become cells without a division, where the unit that a
 * packet is rounded up to is whole cells. */
static void
set_unit(struct mmu *mmu)
{
    const struct chip *chip = mmu->chip;
    const uint32_t unit = chip->packet_round_bytes > 1
                              ? chip->packet_round_bytes
                              : chip->cell_bytes;

    if (unit % chip->cell_bytes == 0) {
        mmu->cell_bias = chip->packet_overhead_bytes + unit - 1;
        mmu->cell_inverse = (UINT64_C(1) << CELL_SHIFT) / unit + 1;
        mmu->cell_factor = unit / chip->cell_bytes;
    }
}

/* Sets whether the chip lets the levels of 'direction' reach thresholds. */
static void
set_strict(struct mmu *mmu, enum mmu_direction direction)
{
    const struct chip *chip = mmu->chip;

    mmu->strict[direction] =
        (direction == MMU_INGRESS ? chip->threshold : chip->egress_threshold) !=
        CHIP_THRESHOLD_CHECK_THEN_CHARGE;
}

static uint32_t
n_owners(const struct mmu *mmu, enum mmu_direction direction)
{
    return direction == MMU_INGRESS ? mmu->n_pgs : mmu->n_queues;
}

struct mmu *
mmu_create(const struct chip *chip, const struct mmu_options *options)
{
    uint32_t n_descs =
        NO_DESC + 1 +
        (options && options->packets ? options->packets : default_descs(chip));
    struct line_pool *own =
        options && options->memory ? NULL : line_pool_create(NULL);
    struct mmu *mmu = layout_hot(chip, own ? own : options->memory);

    layout(mmu, chip);
    mmu->owns_lines = own != NULL;
    mmu->chip = chip;
    set_unit(mmu);
    mmu->memory = chip_memory_cells(chip);
    mmu->free_cells = mmu->memory;
    mmu->counts_shares = chip->headroom == CHIP_HEADROOM_PER_PORT_SHARE;
    /* Strictly below the bound. */
    mmu->voq_max = chip->voq_cap_bytes
                       ? (chip->voq_cap_bytes - 1) / chip->cell_bytes
                       : UINT64_MAX;
    mmu->tells_lossy =
        chip->voq_cap_bytes != 0 || chip->egress_pg_absorbs_queue_min;
    mmu->absorbs = chip->egress_pg_absorbs_queue_min;
    mmu->early_xoff = chip->threshold == CHIP_THRESHOLD_CHECK_THEN_CHARGE &&
                      chip->xoff == CHIP_XOFF_BEFORE_HEADROOM;
    mmu->by_others = chip->xoff_by_others;
    mmu_judge_path__(mmu);
    mmu->n_descs = n_descs;
    mmu->fresh_desc = NO_DESC + 1;
    mmu_extend_descs__(mmu);
    if (options) {
        mmu->flow = options->flow;
        mmu->flow_context = options->context;
    }
    for (int i = MMU_INGRESS; i <= MMU_EGRESS; i++) {
        enum mmu_direction direction = (enum mmu_direction)i;

        set_strict(mmu, direction);
        mmu_accounts_init__(mmu, direction,
                            ACCOUNTS_PER_OWNER * n_owners(mmu, direction) + 1);
        mmu->pools[mmu_unclaimed_pool(mmu, direction)].exists = true;
        mmu_refresh_unclaimed__(mmu, direction);
    }
    return mmu;
}

void
mmu_destroy(struct mmu *mmu)
{
    if (!mmu) {
        return;
    }
    mmu_load_destroy__(mmu->load);
    free(mmu->block);
    if (mmu->owns_lines) {
        line_pool_destroy(mmu->lines);
        return;
    }
    for (int i = MMU_INGRESS; i <= MMU_EGRESS; i++) {
        line_pool_give(mmu->lines, mmu->accounts[i].items,
                       mmu_account_room__(&mmu->accounts[i]) *
                           sizeof *mmu->accounts[i].items);
    }
    line_pool_give(mmu->lines, mmu->descs, mmu->desc_room * sizeof *mmu->descs);
    line_pool_give(mmu->lines, mmu, mmu->hot_bytes);
}

uint32_t
mmu_pg_id(const struct mmu *mmu, uint32_t port, uint32_t index)
{
    return port * mmu->chip->pgs_per_port + index;
}

uint32_t
mmu_queue_id(const struct mmu *mmu, uint32_t port, uint32_t index)
{
    return port * mmu->chip->queues_per_port + index;
}

enum st
mmu_port_add(struct mmu *mmu, uint32_t port, uint32_t partition)
{
    const struct chip *chip = mmu->chip;
    struct account_table *in = &mmu->accounts[MMU_INGRESS];
    struct account_table *out = &mmu->accounts[MMU_EGRESS];

    if (port >= chip->ports || partition >= chip->partitions) {
        return ST_INVALID;
    }
    if (mmu->ports[port].exists) {
        return ST_EXISTS;
    }
    if (mmu_accounts_left__(in) < chip->pgs_per_port ||
        mmu_accounts_left__(out) < chip->queues_per_port) {
        return ST_BUSY;
    }
    mmu->ports[port] = (struct port){.partition = partition, .exists = true};
    mmu->front.backlogs[port] = 0;
    in->n_promised += chip->pgs_per_port;
    out->n_promised += chip->queues_per_port;
    mmu->n_ports_live++;
    mmu_refresh_all__(mmu);
    return ST_OK;
}

uint32_t
mmu_port_partition(const struct mmu *mmu, uint32_t port)
{
    return mmu->ports[port].partition;
}

void
mmu_port_set_speed(struct mmu *mmu, uint32_t port, uint32_t speed_mbps)
{
    if (port < mmu->chip->ports && mmu->ports[port].exists &&
        mmu->ports[port].speed_mbps != speed_mbps) {
        mmu->ports[port].speed_mbps = speed_mbps;
        mmu_port_reapply__(mmu, port, MMU_NONE);
    }
}

void
mmu_port_set_extra(struct mmu *mmu, uint32_t port, uint8_t bytes)
{
    const struct account_table *in = &mmu->accounts[MMU_INGRESS];
    const uint32_t n = mmu->chip->pgs_per_port;

    if (port >= mmu->chip->ports || !mmu->ports[port].exists) {
        return;
    }
    mmu->ports[port].extra_bytes = bytes;
    for (uint32_t pg = port * n; pg < (port + 1) * n; pg++) {
        if (in->live[pg] != NO_ACCOUNT) {
            in->items[in->live[pg]].extra = bytes;
        }
    }
}

/* Ends the accounts of 'owner'.  Those that hold packets drain without an
 * owner. */
static void
disown(struct mmu *mmu, enum mmu_direction direction, uint32_t owner)
{
    struct account_table *table = &mmu->accounts[direction];
    uint32_t *head = &table->live[owner];

    if (*head == NO_ACCOUNT) {
        table->n_promised--;
        return;
    }
    while (*head != MMU_NONE) {
        const uint32_t id = *head;

        mmu_account_release__(mmu, &table->items[id]);
        mmu_port_limit_leave__(mmu, direction, &table->items[id]);
        if (account_is_live(&table->items[id])) {
            mmu_account_retire__(table, &table->items[id]);
        }
        if (table->items[id].packets == 0) {
            mmu_account_free__(mmu, direction, id);
        } else {
            *head = table->more[id].next;
            table->more[id].owner = MMU_NONE;
            table->more[id].next = MMU_NONE;
        }
    }
    *head = NO_ACCOUNT;
    if (direction == MMU_INGRESS) {
        mmu->lossless[owner / 64] &= ~(UINT64_C(1) << owner % 64);
    }
    table->owners[owner] = (struct owner){0};
    if (mmu->load) {
        mmu_load_forget__(mmu, direction, owner);
    }
}

enum st
mmu_port_remove(struct mmu *mmu, uint32_t port)
{
    if (port >= mmu->chip->ports || !mmu->ports[port].exists) {
        return ST_NOT_FOUND;
    }
    mmu_port_flush(mmu, port, MMU_FLUSHED);
    for (uint32_t i = 0; i < mmu->chip->queues_per_port; i++) {
        mmu_profile_forget__(mmu, MMU_EGRESS, mmu_queue_id(mmu, port, i));
        disown(mmu, MMU_EGRESS, mmu_queue_id(mmu, port, i));
    }
    for (uint32_t i = 0; i < mmu->chip->pgs_per_port; i++) {
        mmu_profile_forget__(mmu, MMU_INGRESS, mmu_pg_id(mmu, port, i));
        disown(mmu, MMU_INGRESS, mmu_pg_id(mmu, port, i));
    }
    mmu_port_limit_forget__(mmu, port);
    mmu->ports[port].exists = false;
    mmu->n_ports_live--;
    mmu_refresh_all__(mmu);
    return ST_OK;
}
