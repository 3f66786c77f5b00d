/* SPDX-License-Identifier: Apache-2.0 */

/* Sums over the priority groups of one port. */

#include <config.h>

#include "orchd/derive/headroom_limit.h"

#include <inttypes.h>

#include "orchd/derive/terms.h"

enum {
    EIGHT_LANES = 8,
    FIXED_BYTES = 4096,
    MIRROR_BYTES = 20480,
};

/* What a lossy group takes regardless of its profile: the packets of the
 * pipeline; those of both pipelines, less 1 kB, on a port of 8 lanes. */
static uint64_t
lossy_bytes(const struct chip_headroom_params *asic, uint32_t lanes)
{
    uint64_t latency = asic->pipeline_latency_milli_kb;

    return (lanes == EIGHT_LANES ? 2 * latency - 1000 : latency) * 1024 / 1000;
}

uint64_t
headroom_limit_used(const struct chip_headroom_params *asic,
                    const struct headroom_limit_port *port, struct terms *terms)
{
    uint64_t lossy = lossy_bytes(asic, port->lanes);
    uint64_t mirror = MIRROR_BYTES * (port->lanes == EIGHT_LANES ? 2u : 1u);
    uint64_t groups = 0;

    for (size_t i = 0; i < port->n_uses; i++) {
        const struct headroom_limit_use *use = &port->uses[i];

        groups +=
            use->n_pgs * (use->headroom.size ? use->headroom.size : lossy);
    }
    term_add(terms, "fixed", FIXED_BYTES, "bytes", "", "chip");
    term_add(terms, "management", lossy, "bytes",
             "pipeline_latency * 1024; of both pipes on 8 lanes", "ASIC_TABLE");
    term_add(terms, "mirror", mirror, "bytes", "", "chip");
    term_add(terms, "groups", groups, "bytes",
             "sum of size, or of management where size is 0", "BUFFER_PG");
    term_add(terms, "headroom_used", FIXED_BYTES + lossy + mirror + groups,
             "bytes", "fixed + management + mirror + groups", "");
    return FIXED_BYTES + lossy + mirror + groups;
}

static enum st
check_shared(const struct chip_headroom_params *asic,
             const struct headroom_limit_port *port, struct err *err)
{
    uint64_t cells = asic->port_reserved_shp_cells;
    uint64_t limit, used = 0;

    if (!asic->port_max_shp_cells) {
        return ST_OK;
    }
    cells =
        cells * (port->lanes == EIGHT_LANES ? 2 : 1) + asic->port_max_shp_cells;
    limit = cells * asic->cell_size_bytes;
    for (size_t i = 0; i < port->n_uses; i++) {
        used += port->uses[i].n_pgs * headroom_excess(&port->uses[i].headroom);
    }
    if (used <= limit) {
        return ST_OK;
    }
    err_set(err, ST_NO_RESOURCE, "headroom-exceeded",
            "shared headroom %" PRIu64 " > limit %" PRIu64 " on %s", used,
            limit, port->name);
    err_set_remedy(err, "give the port fewer lossless priorities or a shorter "
                        "cable");
    return ST_NO_RESOURCE;
}

enum st
headroom_limit_check(const struct platform *platform,
                     const struct chip_headroom_params *asic,
                     const struct headroom_limit_port *port, bool shared,
                     struct err *err)
{
    uint64_t limit = port->max_headroom_bytes;
    uint64_t used;

    if (!platform->limits_headroom || !limit) {
        return ST_OK;
    }
    used = headroom_limit_used(asic, port, NULL);
    if (used >= limit) {
        err_set(err, ST_NO_RESOURCE, "headroom-exceeded",
                "headroom %" PRIu64 " >= limit %" PRIu64 " on %s", used, limit,
                port->name);
        err_set_remedy(err, "give the port fewer lossless priorities or a "
                            "shorter cable");
        return ST_NO_RESOURCE;
    }
    return shared ? check_shared(asic, port, err) : ST_OK;
}
