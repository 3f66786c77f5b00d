/* SPDX-License-Identifier: Apache-2.0 */

/* The headroom formula, in integers.
 *
 * All terms are kept in *grains* of 1/50,688,000 byte, the least common
 * multiple of the denominators that occur:
 *
 *     cable     L * S / 792, or 125 * L * S / 101,376
 *     gearbox   S * G / 4,096 (both directions)
 *     delays    thousandths of 1,024 bytes: 128 / 125
 *     tile      120 ns: S * 120 / 8,000
 *
 * The largest sum is that of 1,000 km at 1.6 Tb/s, 1.3e17 grains, which 64 bits
 * hold; its product with the occupancy takes 128. */

#include <config.h>

#include "orchd/derive/headroom.h"

#include <stddef.h>

#include "base/cable.h"
#include "base/check.h"
#include "orchd/derive/terms.h"

__extension__ typedef unsigned __int128 wide;

#define GRAINS_PER_BYTE UINT64_C(50688000)

enum {
    KB = 1024,
    SMALL_PACKET = 64,
    PAUSE_QUANTUM_BYTES = 64, /* 512 bit times. */
    SMALL_CELL = 128,         /* Up to here, a packet straddles two cells. */

    /* A cable of l m at s Mb/s holds l * s / 792 bytes in both directions. */
    ROUND_TRIP_DIVISOR = CABLE_FORMULA_KM_PER_S * 8 / (2 * 1000),
};

/* A fraction. */
struct ratio {
    uint64_t numerator;
    uint64_t denominator;
};

static uint64_t
round_up_kb(uint64_t bytes)
{
    return (bytes + KB - 1) / KB * KB;
}

static int64_t
grains_to_milli(uint64_t grains)
{
    return (int64_t)((wide)grains * 1000 / GRAINS_PER_BYTE);
}

/* 128/125 bytes each, which is a whole number of grains. */
static uint64_t
milli_kb_to_grains(uint32_t milli_kb)
{
    return milli_kb * (GRAINS_PER_BYTE / 125) * 128;
}

static uint64_t
cable_grains(const struct platform_headroom *formula,
             const struct headroom_port *port)
{
    uint64_t metre_mbps = (uint64_t)port->cable_m * port->speed_mbps;

    orch_assert(formula->wire_divisor == 8000 || formula->wire_divisor == 8192);
    return formula->wire_divisor == 8000
               ? metre_mbps * (GRAINS_PER_BYTE / ROUND_TRIP_DIVISOR)
               : metre_mbps * (GRAINS_PER_BYTE / (ROUND_TRIP_DIVISOR * 128)) *
                     125;
}

static uint64_t
peer_grains(const struct headroom_rules *rules,
            const struct headroom_port *port, struct terms *terms)
{
    const struct platform_headroom *formula = rules->formula;
    uint32_t speed_mbps = port->speed_mbps;
    bool slow = speed_mbps == formula->slow_peer_mbps;
    uint32_t quanta = speed_mbps <= formula->top_quanta_mbps
                          ? platform_pause_quanta(speed_mbps)
                          : 0;
    uint64_t grains = quanta * PAUSE_QUANTUM_BYTES * GRAINS_PER_BYTE;
    const char *how = slow ? "2 * pause_quanta * 64" : "pause_quanta * 64";

    if (port->peer_bytes) {
        term_add(terms, "peer", port->peer_bytes, "bytes", "", "given");
        return port->peer_bytes * GRAINS_PER_BYTE;
    }
    if (quanta) {
        term_add(terms, "pause_quanta", quanta, "", "", "IEEE 802.3 annex 31B");
    } else {
        grains = milli_kb_to_grains(rules->asic.peer_response_time_milli_kb);
        how = slow ? "2 * peer_response_time * 1024"
                   : "peer_response_time * 1024";
        term_add_milli(terms, "peer_response_time",
                       rules->asic.peer_response_time_milli_kb, "kB", "",
                       "ASIC_TABLE");
    }
    grains *= slow ? 2 : 1;
    term_add_milli(terms, "peer", grains_to_milli(grains), "bytes", how, "");
    return grains;
}

/* Returns w, the buffer space of a small packet in units of its length; rounded
 * up to whole units where the formula does so. */
static struct ratio
small_packet_cost(const struct headroom_rules *rules)
{
    uint64_t cell = rules->asic.cell_size_bytes;
    struct ratio w = {2 * cell, 1 + cell};

    if (cell > SMALL_CELL) {
        w = (struct ratio){cell, SMALL_PACKET};
    }
    if (rules->formula->whole_cells) {
        w.numerator = (w.numerator + w.denominator - 1) / w.denominator;
        w.denominator = 1;
    }
    return w;
}

static int64_t
ratio_to_milli(struct ratio ratio)
{
    return (int64_t)(ratio.numerator * 1000 / ratio.denominator);
}

/* Returns the mean cost of a byte: 1 + share * (w - 1). */
static struct ratio
occupancy(const struct headroom_rules *rules, struct ratio w,
          struct terms *terms)
{
    static const char *const costs[][2] = {
        {"2 * cell_size / (1 + cell_size)", "cell_size / 64"},
        {"ceil(2 * cell_size / (1 + cell_size))", "ceil(cell_size / 64)"},
    };
    static const char *const shares[] = {
        [PLATFORM_MIX_PEER] = "64 / (64 * small_packets + lossless_mtu * (100 "
                              "% - small_packets))",
        [PLATFORM_MIX_BYTES] = "64 * small_packets / (64 * small_packets + "
                               "lossless_mtu * (100 % - small_packets))",
        [PLATFORM_MIX_PACKETS] = "small_packets",
    };
    const struct headroom_traffic *traffic = &rules->traffic;
    uint64_t p = traffic->small_percent;
    uint64_t all = p * SMALL_PACKET + (100 - p) * traffic->mtu;
    uint64_t extra = w.numerator - w.denominator;
    uint64_t share = 0;

    switch (rules->formula->mix) {
    case PLATFORM_MIX_PEER:
        share = UINT64_C(100) * SMALL_PACKET;
        break;
    case PLATFORM_MIX_BYTES:
        share = p * SMALL_PACKET;
        break;
    case PLATFORM_MIX_PACKETS:
        share = p;
        all = 100;
        break;
    }
    term_add(terms, "cell_size", rules->asic.cell_size_bytes, "bytes", "",
             "ASIC_TABLE");
    term_add_milli(terms, "cost", ratio_to_milli(w), "",
                   costs[rules->formula->whole_cells]
                        [rules->asic.cell_size_bytes > SMALL_CELL],
                   "");
    term_add_milli(terms, "share", ratio_to_milli((struct ratio){share, all}),
                   "", shares[rules->formula->mix], "");
    return (struct ratio){all * w.denominator + share * extra,
                          all * w.denominator};
}

/* Returns lossless mtu + prop * cost, in whole kilobytes. */
static uint64_t
buffer_bytes(const struct headroom_rules *rules, uint64_t prop,
             struct ratio cost)
{
    wide grains = (wide)prop * cost.numerator;
    wide unit = (wide)GRAINS_PER_BYTE * cost.denominator;

    return round_up_kb(rules->traffic.mtu +
                       (uint64_t)((grains + unit - 1) / unit));
}

/* Returns what arrives instead of 'prop' if the peer resends frames. */
static uint64_t
with_retry(const struct headroom_port *port, uint64_t prop, struct terms *terms)
{
    const uint64_t window = port->llr_bytes * GRAINS_PER_BYTE;

    if (!port->llr_bytes) {
        return prop;
    }
    term_add(terms, "llr_window", port->llr_bytes, "bytes", "", "given");
    prop = window > prop ? window : prop;
    term_add_milli(terms, "prop_llr", grains_to_milli(prop), "bytes",
                   "max(prop, llr_window)", "");
    return prop;
}

/* Returns what is in flight when the port decides to pause, in grains. */
static uint64_t
propagation(const struct headroom_rules *rules,
            const struct headroom_port *port, struct terms *terms)
{
    uint64_t speed = port->speed_mbps;
    uint64_t cable = cable_grains(rules->formula, port);
    uint64_t gearbox = speed * port->gearbox_ns * (GRAINS_PER_BYTE / 4096);
    uint64_t mac = milli_kb_to_grains(rules->asic.mac_phy_delay_milli_kb);
    uint64_t tile = speed * rules->asic.tile_ns * (GRAINS_PER_BYTE / 8000);
    uint64_t peer, prop;

    term_add(terms, "speed", speed, "Mb/s", "", "PORT");
    term_add(terms, "cable_length", port->cable_m, "m", "", "CABLE_LENGTH");
    term_add(terms, "mtu", port->mtu, "bytes", "", "PORT");
    term_add_milli(terms, "cable", grains_to_milli(cable), "bytes",
                   "2 * cable_length * speed / 198,000 km/s", "");
    term_add(terms, "gearbox_delay", port->gearbox_ns, "ns", "",
             "PERIPHERAL_TABLE");
    term_add_milli(terms, "gearbox", grains_to_milli(gearbox), "bytes",
                   "2 * gearbox_delay * speed", "");
    term_add_milli(terms, "mac_phy_delay", rules->asic.mac_phy_delay_milli_kb,
                   "kB", "", "ASIC_TABLE");
    term_add_milli(terms, "mac_phy", grains_to_milli(mac), "bytes",
                   "mac_phy_delay * 1024", "");
    peer = peer_grains(rules, port, terms);
    term_add(terms, "tile_delay", rules->asic.tile_ns, "ns", "", "ASIC_TABLE");
    term_add_milli(terms, "tile", grains_to_milli(tile), "bytes",
                   "tile_delay * speed", "");
    prop = port->mtu * GRAINS_PER_BYTE + cable + gearbox + mac + peer + tile;
    term_add_milli(terms, "prop", grains_to_milli(prop), "bytes",
                   "mtu + cable + gearbox + mac_phy + peer + tile", "");
    return with_retry(port, prop, terms);
}

static uint64_t
xoff_bytes(const struct headroom_rules *rules, const struct headroom_port *port,
           bool shared, struct terms *terms)
{
    const struct headroom_traffic *traffic = &rules->traffic;
    struct ratio w = small_packet_cost(rules);
    uint64_t prop = propagation(rules, port, terms);
    uint64_t fixup = rules->formula->fixup_bytes;
    struct ratio cost;
    uint64_t xoff;

    term_add(terms, "lossless_mtu", traffic->mtu, "bytes", "",
             "LOSSLESS_TRAFFIC_PATTERN");
    term_add(terms, "small_packets", traffic->small_percent, "%", "",
             "LOSSLESS_TRAFFIC_PATTERN");
    cost = occupancy(rules, w, terms);
    xoff = buffer_bytes(rules, prop, cost) + rules->asic.extra_xoff_bytes;
    if (shared || traffic->small_percent == 100 ||
        xoff + fixup >= buffer_bytes(rules, prop, w)) {
        fixup = 0;
    }
    term_add_milli(terms, "occupancy", ratio_to_milli(cost), "",
                   "1 + share * (cost - 1)", "");
    term_add(terms, "extra", rules->asic.extra_xoff_bytes + fixup, "bytes", "",
             "generation of the chip, rounding of the mix");
    term_add(terms, "xoff", xoff + fixup, "bytes",
             "roundup(lossless_mtu + prop * occupancy, 1024) + extra", "");
    return xoff + fixup;
}

void
headroom_compute(const struct headroom_rules *rules,
                 const struct headroom_port *port, bool shared,
                 struct headroom *headroom, struct terms *terms)
{
    bool eight = rules->formula->eight_lanes && port->lanes == 8;
    uint64_t latency =
        (uint64_t)rules->asic.pipeline_latency_milli_kb * (eight ? 2 : 1) * KB;

    orch_assert(rules->asic.cell_size_bytes > 0);
    orch_assert(port->speed_mbps <= HEADROOM_SPEED_MAX_MBPS &&
                port->cable_m <= HEADROOM_CABLE_MAX_M &&
                port->gearbox_ns <= HEADROOM_GEARBOX_MAX_NS &&
                port->peer_bytes <= HEADROOM_PEER_MAX_BYTES &&
                port->llr_bytes <= HEADROOM_LLR_MAX_BYTES);
    shared = shared || rules->formula->always_shared;
    headroom->xoff = xoff_bytes(rules, port, shared, terms);
    headroom->xon = round_up_kb((latency + 999) / 1000);
    headroom->size = headroom->xon;
    if (!shared) {
        headroom->size = round_up_kb(headroom->xoff + headroom->xon +
                                     (eight ? port->mtu : 0));
    }
    term_add_milli(terms, "pipeline_latency",
                   rules->asic.pipeline_latency_milli_kb, "kB", "",
                   "ASIC_TABLE");
    term_add(terms, "xon", headroom->xon, "bytes",
             eight ? "roundup(2 * pipeline_latency * 1024, 1024)"
                   : "roundup(pipeline_latency * 1024, 1024)",
             "");
    term_add(terms, "size", headroom->size, "bytes",
             shared  ? "xon"
             : eight ? "roundup(xon + xoff + mtu, 1024)"
                     : "roundup(xon + xoff, 1024)",
             shared ? "shared headroom pool" : "");
}

uint64_t
headroom_excess(const struct headroom *headroom)
{
    uint64_t needed = headroom->xon + headroom->xoff;

    return needed > headroom->size ? needed - headroom->size : 0;
}

bool
headroom_longest_cable(headroom_fits_fn *fits, void *context, uint32_t limit_m,
                       uint32_t *cable_m)
{
    uint32_t low = 0, high = limit_m;

    if (!fits(context, 0)) {
        return false;
    }
    while (low < high) {
        uint32_t middle = low + (high - low + 1) / 2;

        if (fits(context, middle)) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    *cable_m = low;
    return true;
}
