/* SPDX-License-Identifier: Apache-2.0 */

/* The state of single objects for softasic_ops. */

#include <config.h>

#include "vendors/softasic/traffic/inspect.h"

#include <string.h>

#include "base/check.h"
#include "base/pfc.h"
#include "vendors/softasic/program/system_port_lookup.h"
#include "vendors/softasic/traffic/panel.h"

_Static_assert(SOFTASIC_N_PRIORITIES == (int)PFC_N_PRIORITIES,
               "softasic.h and base/pfc.h agree");

/* The reasons for drops in the twin, by those of softasic.h. */
static const enum mmu_drop drops[SOFTASIC_DROP_INTERFACE] = {
#define X(member, slug, is_egress) [SOFTASIC_DROP_##member] = MMU_##member,
    SOFTASIC_DROP_LIST(X)
#undef X
};

_Static_assert(SOFTASIC_DROP_INTERFACE == MMU_N_DROPS - 1,
               "all but MMU_ADMITTED");

/* Converts an amount of the twin, which is in cells, or the lack of a limit. */
static struct softasic_amount
amount(const struct asic *asic, uint64_t cells)
{
    if (cells == UINT64_MAX) {
        return (struct softasic_amount){SOFTASIC_NO_LIMIT, SOFTASIC_NO_LIMIT};
    }
    return (struct softasic_amount){cells,
                                    chip_cells_to_bytes(asic->chip, cells)};
}

/* Converts an amount that was configured in bytes. */
static struct softasic_amount
amount_of_bytes(const struct asic *asic, uint64_t bytes)
{
    return (struct softasic_amount){chip_bytes_to_cells(asic->chip, bytes),
                                    bytes};
}

sai_status_t
inspect_chip(const struct asic *asic, struct softasic_chip *chip)
{
    *chip = (struct softasic_chip){
        .name = asic->chip->name,
        .memory_bytes = asic->chip->memory_bytes,
        .cell_bytes =
            asic->chip->unit == CHIP_UNIT_BYTE ? 1 : asic->chip->cell_bytes,
        .overhead_bytes = asic->chip->packet_overhead_bytes,
        .n_partitions = asic->chip->partitions,
        .n_ports_max = asic->chip->ports,
        .queues_per_port = asic->chip->queues_per_port,
        .pgs_per_port = asic->chip->pgs_per_port,
    };
    return SAI_STATUS_SUCCESS;
}

sai_status_t
inspect_pg(const struct asic *asic, sai_object_id_t oid,
           struct softasic_pg_state *state)
{
    struct objects_item *item;
    struct mmu_pg_stats stats;
    const sai_status_t status = objects_locate(
        asic->objects, SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP, oid, &item);

    if (status == SAI_STATUS_SUCCESS) {
        mmu_pg_get(asic->mmu, item->handle, &stats);
        *state = (struct softasic_pg_state){
            .xoff = stats.is_xoff,
            .lossless = stats.headroom_limit > 0,
            .reserved = amount(asic, stats.reserved),
            .shared = amount(asic, stats.shared),
            .headroom = amount(asic, stats.headroom),
            .guarantee = amount(asic, stats.guarantee),
            .limit = amount(asic, stats.limit),
            .headroom_limit = amount(asic, stats.headroom_limit),
            .n_received = stats.packets,
            .n_dropped = stats.dropped_packets,
        };
    }
    return status;
}

sai_status_t
inspect_queue(const struct asic *asic, sai_object_id_t oid,
              struct softasic_queue_state *state)
{
    struct objects_item *item;
    const struct objects_item *queue;
    struct mmu_queue_stats stats;
    struct sim_queue_stats colors;
    struct sim_queue_delays delays;
    enum st found;
    const sai_status_t status =
        objects_locate(asic->objects, SAI_OBJECT_TYPE_QUEUE, oid, &item);

    *state = (struct softasic_queue_state){0};
    queue = status == SAI_STATUS_SUCCESS ? system_port_lookup_filled(asic, item)
                                         : NULL;
    if (queue) {
        mmu_queue_get(asic->mmu, queue->handle, &stats);
        *state = (struct softasic_queue_state){
            .reserved = amount(asic, stats.reserved),
            .shared = amount(asic, stats.shared),
            .guarantee = amount(asic, stats.guarantee),
            .limit = amount(asic, stats.limit),
            .n_frames = stats.queued_packets,
            .is_paused = sim_queue_is_paused(asic->sim, queue->parent->handle,
                                             queue->index),
        };
        found = sim_queue_get_stats(asic->sim, queue->parent->handle,
                                    queue->index, &colors);
        orch_assert(found == ST_OK); /* Every queue is in the twin. */
        for (int i = 0; i < CLASSIFY_COLORS; i++) {
            state->n_dropped += colors.colors[i].dropped_packets;
            state->n_wred_dropped += colors.colors[i].wred_dropped_packets;
            state->n_marked += colors.colors[i].marked_packets;
        }
        found = sim_queue_get_delays(asic->sim, queue->parent->handle,
                                     queue->index, &delays);
        orch_assert(found == ST_OK);
        state->has_delays = delays.is_known;
        state->p50_delay_ps = delays.p50_ps;
        state->p99_delay_ps = delays.p99_ps;
        state->max_delay_ps = delays.max_ps;
    }
    return status;
}

sai_status_t
inspect_pool(const struct asic *asic, sai_object_id_t oid,
             struct softasic_pool_state *state)
{
    struct objects_item *item;
    struct mmu_pool_stats stats;
    enum st found;
    const sai_status_t status =
        objects_locate(asic->objects, SAI_OBJECT_TYPE_BUFFER_POOL, oid, &item);

    if (status == SAI_STATUS_SUCCESS) {
        found = mmu_pool_get(asic->mmu, item->handle, &stats);
        orch_assert(found == ST_OK); /* Every pool is in the MMU. */
        *state = (struct softasic_pool_state){
            .size = amount_of_bytes(asic, (uint64_t)objects_number(
                                              item, SAI_BUFFER_POOL_ATTR_SIZE)),
            .headroom_size = amount_of_bytes(
                asic,
                (uint64_t)objects_number(item, SAI_BUFFER_POOL_ATTR_XOFF_SIZE)),
            .shared_size = amount(asic, stats.shared_limit),
            .n_partitions = asic->chip->partitions,
            .used =
                amount(asic, stats.reserved + stats.shared + stats.headroom),
            .reserved = amount(asic, stats.reserved),
            .shared = amount(asic, stats.shared),
            .headroom = amount(asic, stats.headroom),
        };
    }
    return status;
}

/* Adds the state of the children of 'port' to 'state'. */
static void
add_children(const struct asic *asic, const struct objects_item *port,
             uint8_t pfc_enabled, struct softasic_port_state *state)
{
    uint32_t n;
    const struct objects_item *children = objects_children(port, &n);

    for (uint32_t i = 0; i < n; i++) {
        const struct objects_item *c = &children[i];

        if (c->type == SAI_OBJECT_TYPE_QUEUE) {
            struct mmu_queue_stats stats;

            mmu_queue_get(asic->mmu, c->handle, &stats);
            state->n_queued += stats.queued_packets;
        } else if (c->type == SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP) {
            if (mmu_pg_is_xoff(asic->mmu, c->handle)) {
                state->xoff_mask |=
                    classify_pg_priorities(
                        sim_port_rules(asic->sim, port->handle), c->index) &
                    pfc_enabled;
            }
        }
    }
}

sai_status_t
inspect_port(const struct asic *asic, sai_object_id_t oid,
             struct softasic_port_state *state)
{
    struct objects_item *item;
    struct sim_port_stats stats;
    const struct sim_port_config *config;
    enum st found;
    const sai_status_t status =
        objects_locate(asic->objects, SAI_OBJECT_TYPE_PORT, oid, &item);

    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    *state = (struct softasic_port_state){0};
    if (item->handle == MMU_NONE) {
        return SAI_STATUS_SUCCESS; /* The CPU port: down and empty. */
    }
    config = sim_port_get(asic->sim, item->handle);
    found = sim_port_get_stats(asic->sim, item->handle, &stats);
    orch_assert(found == ST_OK); /* Every port but the CPU port has one. */
    state->up = config->admin_up;
    state->tx_enabled = config->tx_enabled;
    state->n_rx_frames = stats.rx_ucast_packets + stats.rx_non_ucast_packets;
    state->n_tx_frames = stats.tx_ucast_packets + stats.tx_non_ucast_packets;
    state->n_rx_dropped = stats.rx_dropped;
    state->n_rx_filtered = stats.rx_filtered;
    state->n_tx_dropped = stats.tx_dropped + stats.tx_flushed;
    memcpy(state->n_pfc_tx, stats.pfc_tx, sizeof state->n_pfc_tx);
    for (int i = 0; i < SOFTASIC_DROP_INTERFACE; i++) {
        state->n_drops[i] =
            mmu_port_drops(sim_mmu(asic->sim), item->handle, drops[i]);
    }
    state->n_drops[SOFTASIC_DROP_INTERFACE] = panel_missed(asic, item->handle);
    add_children(asic, item, config->pfc_tx_enabled, state);
    return SAI_STATUS_SUCCESS;
}
