/* SPDX-License-Identifier: Apache-2.0 */

/* Pool sizes from sums. */

#include <config.h>

#include "orchd/derive/pool.h"

#include <inttypes.h>

#include "orchd/derive/terms.h"

enum {
    PRIVATE_BYTES = 10240, /* Per port with lossless groups. */
    MIRROR_BYTES = 10240,  /* Per port that is up. */
    MANAGEMENT_POOL_BYTES = 262144,
    DESCRIPTOR_BYTES = 33554432, /* On models from DESCRIPTOR_MODEL on. */
    DESCRIPTOR_MODEL = 6000,     /* A model number. */
    SHP_MINIMUM_BYTES = 655360,  /* If no size is configured. */
};

static const char *const shp_mode_names[] = {
#define X(member, text) text,
    SHP_MODES(X)
#undef X
};

void
pool_sums_add(struct pool_sums *sums, const struct pool_sums *more,
              int64_t times)
{
    sums->n_up += times * more->n_up;
    sums->n_up_8 += times * more->n_up_8;
    sums->n_lossless_ports += times * more->n_lossless_ports;
    sums->reserved_bytes += times * more->reserved_bytes;
    sums->excess_bytes += times * more->excess_bytes;
    sums->n_lossy += times * more->n_lossy;
    sums->n_lossy_8 += times * more->n_lossy_8;
}

void
pool_sums_refer(struct pool_sums *sums, const struct pool_reference *reference,
                uint64_t n)
{
    int64_t times = (int64_t)n;

    if (reference->lossy_ingress && reference->from_list) {
        return;
    }
    sums->reserved_bytes += times * (int64_t)reference->headroom.size;
    sums->excess_bytes +=
        times * (int64_t)headroom_excess(&reference->headroom);
    if (reference->lossy_ingress) {
        sums->n_lossy += times;
        sums->n_lossy_8 += reference->eight_lanes ? times : 0;
    }
}

const char *
shp_mode_name(enum shp_mode mode)
{
    return shp_mode_names[mode];
}

enum shp_mode
shp_mode(uint64_t configured_xoff, uint32_t ratio)
{
    return configured_xoff ? SHP_SIZE : ratio ? SHP_RATIO : SHP_OFF;
}

/* Sets the size of the shared headroom pool; 'private' is the private headroom
 * of lossless ports. */
static void
shared_headroom(const struct pool_switch *sw, const struct pool_sums *sums,
                uint64_t private, struct pool_outcome *outcome)
{
    uint64_t excess = (uint64_t)sums->excess_bytes;

    outcome->shp = shp_mode(sw->configured_xoff, sw->ratio);
    outcome->shp_forced = outcome->shp == SHP_OFF && excess > 0;
    outcome->shp_bytes = 0;
    excess = excess > private ? excess - private : 0;
    if (outcome->shp == SHP_SIZE) {
        outcome->shp_bytes = sw->configured_xoff;
    } else if (outcome->shp_forced || (outcome->shp == SHP_RATIO && !excess)) {
        outcome->shp_bytes = SHP_MINIMUM_BYTES;
    } else if (outcome->shp == SHP_RATIO) {
        outcome->shp_bytes = (excess + sw->ratio - 1) / sw->ratio;
    }
}

void
pool_occupied(const struct pool_switch *sw, const struct pool_sums *sums,
              struct pool_outcome *outcome, struct terms *terms)
{
    uint64_t latency = sw->asic.pipeline_latency_milli_kb;
    uint64_t lossy = latency * 1024 / 1000;
    uint64_t lossy_8 = latency ? (2 * latency - 1000) * 1024 / 1000 : 0;
    uint64_t n_up = (uint64_t)sums->n_up, n_up_8 = (uint64_t)sums->n_up_8;
    uint64_t private = PRIVATE_BYTES * (uint64_t)sums->n_lossless_ports;
    bool large = sw->model_number >= DESCRIPTOR_MODEL;
    uint64_t lossy_sum = lossy * (uint64_t)(sums->n_lossy - sums->n_lossy_8) +
                         lossy_8 * (uint64_t)sums->n_lossy_8;
    uint64_t management = (n_up - n_up_8) * lossy + n_up_8 * lossy_8;
    uint64_t mirror = large ? 0 : n_up * MIRROR_BYTES;
    uint64_t descriptors = large ? DESCRIPTOR_BYTES : 0;

    shared_headroom(sw, sums, private, outcome);
    if (!outcome->shp_bytes) {
        private = 0;
    }
    outcome->occupied_bytes =
        (uint64_t)sums->reserved_bytes + lossy_sum + private + management +
        mirror + MANAGEMENT_POOL_BYTES + descriptors + outcome->shp_bytes;
    term_add(terms, "memory", sw->memory_bytes, "bytes", "", "ASIC");
    term_add(terms, "profiles", (uint64_t)sums->reserved_bytes, "bytes",
             "sum of references * size",
             "BUFFER_PG, BUFFER_QUEUE, BUFFER_PORT_*_PROFILE_LIST");
    term_add(terms, "lossy_groups", lossy_sum, "bytes",
             "lossy ingress references * pipeline_latency * 1024",
             "ASIC_TABLE");
    term_add(terms, "private_headroom", private, "bytes",
             "10240 * ports with a lossless group", "BUFFER_PG");
    term_add(terms, "management_groups", management, "bytes",
             "ports that are up * pipeline_latency * 1024", "ASIC_TABLE");
    term_add(terms, "mirror", mirror, "bytes", "10240 * ports that are up",
             "PORT");
    term_add(terms, "management_pool", MANAGEMENT_POOL_BYTES, "bytes", "",
             "chip");
    term_add(terms, "descriptors", descriptors, "bytes", "", "chip");
    term_add(terms, "excess", (uint64_t)sums->excess_bytes, "bytes",
             "sum of references * (xon + xoff - size)", "BUFFER_PG");
    term_add(terms, "shared_headroom", outcome->shp_bytes, "bytes",
             "configured xoff, or (excess - private_headroom) / ratio",
             shp_mode_name(outcome->shp));
    term_add(terms, "occupied", outcome->occupied_bytes, "bytes",
             "profiles + lossy_groups + private_headroom + management_groups + "
             "mirror + management_pool + descriptors + shared_headroom",
             "");
}

static enum st
check_room(const struct pool_switch *sw, const struct pool_outcome *outcome,
           struct err *err)
{
    if (outcome->shp == SHP_SIZE && sw->configured_xoff > sw->memory_bytes) {
        err_set(err, ST_INVALID, "range",
                "the shared headroom pool of %" PRIu64
                " bytes is larger than the buffer of %" PRIu64,
                sw->configured_xoff, sw->memory_bytes);
        err_set_field(err, "xoff", NULL, NULL);
        return ST_INVALID;
    }
    if (outcome->occupied_bytes > sw->memory_bytes) {
        err_set(err, ST_NO_RESOURCE, "pool-exhausted",
                "%" PRIu64 " bytes are reserved, the buffer has %" PRIu64,
                outcome->occupied_bytes, sw->memory_bytes);
        err_set_remedy(err, "share the headroom (over_subscribe_ratio), or "
                            "have fewer lossless priorities");
        return ST_NO_RESOURCE;
    }
    return ST_OK;
}

enum st
pool_compute(const struct pool_switch *sw, const struct pool_sums *sums,
             const struct unsized_pool *unsized, size_t n, uint64_t *sizes,
             struct pool_outcome *outcome, struct err *err)
{
    uint64_t cell = sw->asic.cell_size_bytes;
    uint64_t most = sw->memory_bytes / cell * cell;
    uint64_t available, each;
    size_t n_ingress = 0;
    enum st st;

    if (!sw->platform->sizes_pools) {
        *outcome = (struct pool_outcome){.shp = SHP_SIZE};
        outcome->shp_bytes =
            sw->n_ports * (uint64_t)sw->platform->shp_port_cells * cell;
        return n == 0 ? ST_OK
                      : err_set(err, ST_INVALID, "mandatory",
                                "platform %s does not compute sizes of pools",
                                sw->platform->name);
    }
    pool_occupied(sw, sums, outcome, NULL);
    st = check_room(sw, outcome, err);
    if (st) {
        return st;
    }
    available = sw->memory_bytes - outcome->occupied_bytes;
    for (size_t i = 0; i < n; i++) {
        n_ingress += unsized[i].ingress;
    }
    each = n_ingress == 1 ? available : (available + 1) / 2;
    for (size_t i = 0; i < n; i++) {
        uint64_t size = each;

        if (unsized[i].has_percentage) {
            size = available / 100 * unsized[i].percentage +
                   (available % 100 * unsized[i].percentage + 99) / 100;
        }
        sizes[i] = size < most ? size : most;
    }
    return ST_OK;
}
