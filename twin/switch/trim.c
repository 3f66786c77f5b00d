/* SPDX-License-Identifier: Apache-2.0 */

/* Trimming: what a queue does not admit leaves by another, cut short. */

#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "twin/switch/sim_state.h"

struct sim_trim {
    struct sim_trim_config config;
    uint64_t *queues;             /* By port, a bit for each that trims. */
    struct sim_trim_stats *stats; /* By queue of the MMU. */
    struct sim_trim_stats all;    /* Since the switch was made. */
    uint32_t *origins; /* By packet index of the MMU: the queue that refused
                        * it, plus 1; 0: it was not trimmed. */
    uint32_t n_origins;
};

/* Returns the trimming of 'sim', which is made if it has none. */
static struct sim_trim *
need_trim(struct sim *sim)
{
    if (!sim->trim) {
        const size_t n_ports = sim->chip->ports;

        sim->trim = check_calloc(1, sizeof *sim->trim);
        sim->trim->config.size_bytes =
            chip_trimming_has_size(&sim->chip->trimming, SIM_TRIM_DEFAULT_BYTES)
                ? SIM_TRIM_DEFAULT_BYTES
                : sim->chip->trimming.min_bytes;
        sim->trim->queues = check_calloc(n_ports, sizeof *sim->trim->queues);
        sim->trim->stats = check_calloc(n_ports * sim->chip->queues_per_port,
                                        sizeof *sim->trim->stats);
        sim->trims = true;
    }
    return sim->trim;
}

void
sim_trim_destroy__(struct sim_trim *trim)
{
    if (trim) {
        free(trim->queues);
        free(trim->stats);
        free(trim->origins);
        free(trim);
    }
}

void
sim_trim_forget__(struct sim *sim, uint32_t port)
{
    const uint32_t n = sim->chip->queues_per_port;

    sim->trim->queues[port] = 0;
    memset(&sim->trim->stats[mmu_queue_id(sim->mmu, port, 0)], 0,
           n * sizeof *sim->trim->stats);
}

enum st
sim_set_trimming(struct sim *sim, const struct sim_trim_config *config)
{
    if (!chip_trimming_has_size(&sim->chip->trimming, config->size_bytes) ||
        config->dscp >= CLASSIFY_DSCPS ||
        config->queue >= sim->chip->queues_per_port) {
        return ST_INVALID;
    }
    need_trim(sim)->config = *config;
    return ST_OK;
}

enum st
sim_queue_set_trim(struct sim *sim, uint32_t port, uint32_t index, bool trims)
{
    if (!sim_port_find__(sim, port) || index >= sim->chip->queues_per_port) {
        return ST_NOT_FOUND;
    }
    if (trims || sim->trim) {
        uint64_t *queues = &need_trim(sim)->queues[port];
        const uint64_t bit = UINT64_C(1) << index;

        *queues = trims ? *queues | bit : *queues & ~bit;
    }
    return ST_OK;
}

enum st
sim_queue_get_trims(const struct sim *sim, uint32_t port, uint32_t index,
                    struct sim_trim_stats *stats)
{
    if (!sim_port_find__(sim, port) || index >= sim->chip->queues_per_port) {
        return ST_NOT_FOUND;
    }
    *stats = sim->trim ? sim->trim->stats[mmu_queue_id(sim->mmu, port, index)]
                       : (struct sim_trim_stats){0};
    return ST_OK;
}

struct sim_trim_stats
sim_trims(const struct sim *sim)
{
    return sim->trim ? sim->trim->all : (struct sim_trim_stats){0};
}

/* Returns whether queue 'id' of 'port' trims 'frame', which it has refused. */
static bool
is_trimmed(const struct sim_trim *trim, const struct sim_port *port,
           uint32_t id, const struct sim_frame *frame)
{
    return (trim->queues[port->id] >> (id - port->first_queue) & 1) &&
           frame->dscp >= 0 && !fdb_mac_is_group(frame->dst_mac);
}

/* Cuts 'frame' to 'length_bytes'.  Bytes that it shares with other frames stay
 * as they are. */
static void
cut(struct sim_frame *frame, uint32_t length_bytes)
{
    struct sim_payload *whole = frame->payload;

    frame->length_bytes = length_bytes;
    frame->transport_flags |= SIM_CUT;
    if (whole && whole->length > length_bytes) {
        struct sim_payload *part = sim_payload_cut(whole, length_bytes);

        if (!frame->borrows) {
            sim_payload_unref(whole);
        }
        frame->payload = part;
        frame->borrows = false;
    }
}

/* Gives 'frame', which leaves by 'port', the DSCP of trimmed frames, and
 * returns the queue for it. */
static uint32_t
reclassify(const struct sim *sim, const struct sim_port *port,
           struct sim_frame *frame)
{
    const struct sim_trim_config *config = &sim->trim->config;
    struct classify_headers headers = sim_headers__(frame);
    uint32_t index = config->queue;

    if (config->dscp_from_tc) {
        classify_rewrite(&sim->rules, &port->cold->rules,
                         (struct classify_verdict){config->tc, CLASSIFY_GREEN},
                         &headers);
        frame->dscp = headers.dscp;
    } else {
        frame->dscp = (int8_t)config->dscp;
    }
    if (config->queue_from_dscp) {
        headers = sim_headers__(frame);
        frame->tc =
            classify_frame(&sim->rules, &port->cold->rules, &headers).tc;
        index = classify_queue(&sim->rules, &port->cold->rules, frame->tc);
    }
    return port->first_queue + (index < sim->chip->queues_per_port ? index : 0);
}

/* Remembers that 'packet' is what is left of a frame that 'queue' refused. */
static void
note_origin(struct sim_trim *trim, uint32_t packet, uint32_t queue)
{
    if (packet >= trim->n_origins) {
        const uint32_t n = trim->n_origins;

        trim->n_origins = packet + packet / 2 + 64;
        trim->origins = check_realloc(trim->origins,
                                      trim->n_origins * sizeof *trim->origins);
        memset(trim->origins + n, 0,
               (trim->n_origins - n) * sizeof *trim->origins);
    }
    trim->origins[packet] = queue + 1;
}

bool
sim_trim_refused__(struct sim *sim, uint32_t index, const struct sim_way *way,
                   uint32_t *packet)
{
    struct sim_trim *trim = sim->trim;
    const struct sim_port *port = &sim->ports[way->port];
    struct sim_frame *frame = sim_frame__(sim, index);
    struct sim_trim_stats *stats = &trim->stats[way->queue];

    if (way->stays_whole || !is_trimmed(trim, port, way->queue, frame)) {
        return false;
    }
    stats->trimmed++;
    trim->all.trimmed++;
    if (frame->length_bytes > trim->config.size_bytes) {
        cut(frame, trim->config.size_bytes);
    }
    if (!mmu_requeue(sim->mmu, way->pg, reclassify(sim, port, frame),
                     frame->length_bytes, packet)) {
        stats->dropped++;
        trim->all.dropped++;
        return false;
    }
    note_origin(trim, *packet, way->queue);
    return true;
}

bool
sim_trim_left__(struct sim *sim, uint32_t packet, bool is_sent)
{
    struct sim_trim *trim = sim->trim;
    struct sim_trim_stats *stats;

    if (packet >= trim->n_origins || !trim->origins[packet]) {
        return false;
    }
    stats = &trim->stats[trim->origins[packet] - 1];
    stats->sent += is_sent;
    stats->dropped += !is_sent;
    trim->all.sent += is_sent;
    trim->all.dropped += !is_sent;
    trim->origins[packet] = 0;
    return true;
}
