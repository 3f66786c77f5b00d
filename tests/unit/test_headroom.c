/* SPDX-License-Identifier: Apache-2.0 */

/* The headroom formula: against what the buffer scripts of SONiC give
 * (BEHAVIOUR 6.3), and what must hold of any such formula; and the limit of a
 * port (BEHAVIOUR 6.4). */

#include <config.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "orchd/derive/headroom.h"
#include "orchd/derive/headroom_limit.h"
#include "orchd/derive/terms.h"
#include "tests/support/asic_table.h"
#include "tests/support/seed.h"

static struct headroom_rules
rules_for(const char *platform, const char *chip, uint32_t mtu,
          uint32_t small_percent)
{
    struct headroom_rules rules = {
        platform_find(platform)->headroom, {0}, {mtu, small_percent}};

    assert_true(asic_table_find(chip, &rules.asic));
    return rules;
}

struct vector {
    const char *platform, *chip;
    uint32_t lossless_mtu, small_percent, ratio;
    struct headroom_port port; /* Speed, cable, mtu, lanes, gearbox. */
    struct headroom expected;  /* xon, xoff, size. */
};

#define VS          "vs", "VS-ASIC"
#define SPECTRUM(n) "mellanox", "MELLANOX-SPECTRUM-" #n
#define SPECTRUM_1  "mellanox", "MELLANOX-SPECTRUM"
#define TOFINO      "barefoot", "BAREFOOT-TOFINO-2"

static const struct vector vectors[] = {
    {VS, 1024, 100, 0, {100000, 5, 9100, 4, 0, 0, 0}, {18432, 72704, 91136}},
    {VS,
     1024,
     100,
     0,
     {100000, 300, 9100, 4, 0, 0, 0},
     {18432, 147456, 165888}},
    {VS, 1024, 100, 0, {40000, 5, 9100, 4, 0, 0, 0}, {18432, 36864, 55296}},
    {VS, 1024, 100, 0, {10000, 5, 9100, 1, 0, 0, 0}, {18432, 29696, 48128}},
    {VS, 1024, 100, 0, {50000, 15, 9100, 2, 0, 0, 0}, {18432, 41984, 60416}},
    {VS, 1024, 50, 0, {100000, 40, 9100, 4, 0, 0, 0}, {18432, 48128, 66560}},
    {VS, 1024, 100, 2, {100000, 5, 9100, 4, 0, 0, 0}, {18432, 72704, 18432}},
    {VS, 1024, 100, 0, {100000, 5, 1500, 4, 0, 0, 0}, {18432, 58368, 76800}},
    {VS, 1024, 100, 0, {400000, 5, 9100, 8, 0, 0, 0}, {36864, 142336, 188416}},
    {SPECTRUM(3),
     1024,
     100,
     0,
     {100000, 5, 9100, 4, 0, 0, 0},
     {19456, 108544, 128000}},
    {SPECTRUM(3),
     1024,
     100,
     0,
     {400000, 40, 9100, 8, 0, 0, 0},
     {38912, 265216, 313344}},
    {SPECTRUM(3),
     1024,
     50,
     0,
     {100000, 40, 9100, 4, 0, 0, 0},
     {19456, 53248, 72704}},
    {SPECTRUM(2),
     1024,
     100,
     0,
     {100000, 5, 9100, 4, 400, 0, 0},
     {19456, 138240, 157696}},
    {SPECTRUM(4),
     1024,
     100,
     0,
     {400000, 40, 9100, 4, 0, 0, 0},
     {19456, 283648, 303104}},
    {SPECTRUM(4),
     1024,
     100,
     2,
     {800000, 40, 9100, 8, 0, 0, 0},
     {38912, 362496, 38912}},
    {SPECTRUM(6),
     1024,
     100,
     2,
     {800000, 40, 9100, 8, 0, 0, 0},
     {86016, 452608, 86016}},
    {SPECTRUM_1,
     1024,
     100,
     0,
     {100000, 5, 9100, 4, 0, 0, 0},
     {19456, 72704, 92160}},
    {SPECTRUM_1,
     1024,
     100,
     0,
     {75000, 5, 9100, 4, 0, 0, 0},
     {19456, 29696, 49152}},
    {TOFINO,
     1024,
     100,
     0,
     {100000, 5, 9100, 4, 0, 0, 0},
     {69632, 100352, 69632}},
    {TOFINO,
     1024,
     100,
     0,
     {400000, 300, 9100, 8, 0, 0, 0},
     {69632, 754688, 69632}},
    {TOFINO,
     1024,
     50,
     0,
     {100000, 40, 9100, 4, 0, 0, 0},
     {69632, 76800, 69632}},
};

static void
test_equals_the_scripts_to_the_byte(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        const struct vector *v = &vectors[i];
        struct headroom_rules rules =
            rules_for(v->platform, v->chip, v->lossless_mtu, v->small_percent);
        struct headroom got;

        headroom_compute(&rules, &v->port, v->ratio != 0, &got, NULL);
        if (memcmp(&got, &v->expected, sizeof got)) {
            fail_msg("vector %zu: xon %llu xoff %llu size %llu", i,
                     (unsigned long long)got.xon, (unsigned long long)got.xoff,
                     (unsigned long long)got.size);
        }
    }
}

/* The scripts, as they are: in floating point, with their order of steps. */
static void
script_compute(const struct headroom_rules *rules,
               const struct headroom_port *port, bool shared, double *before,
               struct headroom *out)
{
    const struct platform_headroom *f = rules->formula;
    double cell = rules->asic.cell_size_bytes, m = rules->traffic.mtu;
    double p = rules->traffic.small_percent, s = port->speed_mbps;
    double w = cell > 128 ? cell / 64 : 2 * cell / (1 + cell);
    double latency = rules->asic.pipeline_latency_milli_kb / 1000.0;
    uint32_t quanta = port->speed_mbps <= f->top_quanta_mbps
                          ? platform_pause_quanta(port->speed_mbps)
                          : 0;
    double peer = quanta
                      ? quanta * 64.0
                      : rules->asic.peer_response_time_milli_kb / 1000.0 * 1024;
    double cable = 2.0 * port->cable_m * s * 1e9 / 198000000 / f->wire_divisor;
    double gear = port->gearbox_ns ? s * port->gearbox_ns / (8 * 1024) : 0;
    double mac = rules->asic.mac_phy_delay_milli_kb / 1000.0 * 1024;
    double tile = s / 1000 * rules->asic.tile_ns / 8;
    double q, occ, prop, full;
    bool eight = f->eight_lanes && port->lanes == 8;

    w = f->whole_cells ? ceil(w) : w;
    q = f->mix == PLATFORM_MIX_PEER
            ? 100 * 64 / ((p * 64 + (100 - p) * m) / 100)
        : f->mix == PLATFORM_MIX_BYTES ? p * 64 * 100 / (p * 64 + (100 - p) * m)
                                       : p;
    occ = (100 - q + q * w) / 100;
    peer *= port->speed_mbps == f->slow_peer_mbps ? 2 : 1;
    prop = port->mtu + cable + 2 * gear + mac + peer + tile;
    *before = (m + prop * occ) / 1024;
    full = ceil((m + prop * w) / 1024) * 1024;
    out->xoff = (uint64_t)ceil(*before) * 1024 + rules->asic.extra_xoff_bytes;
    shared = shared || f->always_shared;
    if (!shared && p < 100 && (double)(out->xoff + f->fixup_bytes) < full) {
        out->xoff += f->fixup_bytes;
    }
    out->xon = (uint64_t)ceil(latency * (eight ? 2 : 1)) * 1024;
    out->size = shared
                    ? out->xon
                    : (out->xoff + out->xon + (eight ? port->mtu : 0) + 1023) /
                          1024 * 1024;
}

static const uint32_t speeds[] = {100,    1000,   10000,  25000,
                                  40000,  50000,  75000,  100000,
                                  200000, 400000, 800000, 1600000};
static const char *const chips[][2] = {
    {VS},          {SPECTRUM_1},  {SPECTRUM(2)},
    {SPECTRUM(3)}, {SPECTRUM(4)}, {SPECTRUM(5)},
    {SPECTRUM(6)}, {TOFINO},      {"generic", "VS-ASIC"},
};

#define N_OF(array) (sizeof(array) / sizeof((array)[0]))

static struct headroom_rules
random_rules(uint64_t *state)
{
    const char *const *chip = chips[seed_below(state, N_OF(chips))];

    return rules_for(chip[0], chip[1], 1 + (uint32_t)seed_below(state, 9216),
                     (uint32_t)seed_below(state, 101));
}

static struct headroom_port
random_port(uint64_t *state)
{
    static const uint32_t lanes[] = {1, 2, 4, 8};

    return (struct headroom_port){
        .speed_mbps = speeds[seed_below(state, N_OF(speeds))],
        .cable_m = (uint32_t)seed_below(state, 50000),
        .mtu = 68 + (uint32_t)seed_below(state, 9149),
        .lanes = lanes[seed_below(state, N_OF(lanes))],
        .gearbox_ns = seed_below(state, 2) ? 400 : 0,
    };
}

static void
test_equals_the_scripts_wherever_they_are_exact(void **state)
{
    uint64_t seed = UINT64_C(0x9e3779b97f4a7c15);
    size_t n_compared = 0;

    (void)state;
    for (size_t i = 0; i < 50000; i++) {
        uint64_t at = seed;
        struct headroom_rules rules = random_rules(&seed);
        struct headroom_port port = random_port(&seed);
        bool shared = seed_below(&seed, 2);
        struct headroom got, wanted;
        double before;

        headroom_compute(&rules, &port, shared, &got, NULL);
        script_compute(&rules, &port, shared, &before, &wanted);
        /* Next to a step, floating point may fall on either side. */
        if (fabs(before - round(before)) > 1e-6) {
            n_compared++;
            if (memcmp(&got, &wanted, sizeof got)) {
                fail_msg("seed %llx: xoff %llu, not %llu",
                         (unsigned long long)at, (unsigned long long)got.xoff,
                         (unsigned long long)wanted.xoff);
            }
        }
    }
    assert_true(n_compared > 49000);
}

static void
test_more_of_anything_never_needs_less(void **state)
{
    uint64_t seed = UINT64_C(0xd1b54a32d192ed03);

    (void)state;
    for (size_t i = 0; i < 20000; i++) {
        uint64_t at = seed;
        struct headroom_rules rules = random_rules(&seed);
        struct headroom_port port = random_port(&seed), more = port;
        struct headroom less_headroom, more_headroom;

        switch (seed_below(&seed, 3)) {
        case 0:
            more.cable_m += (uint32_t)seed_below(&seed, 50000);
            break;
        case 1:
            more.mtu += (uint32_t)seed_below(&seed, 9217 - port.mtu);
            break;
        default:
            /* Among the speeds with pause quanta. */
            port.speed_mbps = 100000;
            more.speed_mbps = seed_below(&seed, 2) ? 200000 : 400000;
            break;
        }
        headroom_compute(&rules, &port, false, &less_headroom, NULL);
        headroom_compute(&rules, &more, false, &more_headroom, NULL);
        if (more_headroom.xoff < less_headroom.xoff ||
            more_headroom.size < less_headroom.size) {
            fail_msg("seed %llx", (unsigned long long)at);
        }
        assert_int_equal(less_headroom.xoff % 1024, 0);
        assert_int_equal(less_headroom.size % 1024, 0);
        assert_true(less_headroom.xoff > rules.traffic.mtu);
    }
}

/* Twice the kilometres at half the speed is as many bytes on the cable. */
static void
test_cable_is_bandwidth_times_delay(void **state)
{
    struct headroom_rules rules = rules_for(VS, 1024, 100);
    struct headroom_port port = {100000, 10000, 9100, 4, 0, 0, 0};
    struct headroom headroom;
    struct terms near_terms = {.n = 0}, far_terms = {.n = 0};

    (void)state;
    headroom_compute(&rules, &port, true, &headroom, &near_terms);
    port.speed_mbps /= 2;
    port.cable_m *= 2;
    headroom_compute(&rules, &port, true, &headroom, &far_terms);
    assert_int_equal(terms_find(&near_terms, "cable")->value_milli,
                     terms_find(&far_terms, "cable")->value_milli);
    /* 2 * 10 km / 198,000 km/s = 101.01 us, of 100 Gb/s: 1,262,626.26 bytes. */
    assert_int_equal(terms_find(&near_terms, "cable")->value_milli, 1262626262);
}

static void
test_terms_add_up_to_the_result(void **state)
{
    struct headroom_rules rules = rules_for(SPECTRUM(4), 1024, 100);
    struct headroom_port port = {400000, 40, 9100, 4, 400, 0, 0};
    static const char *const summands[] = {"mtu",     "cable", "gearbox",
                                           "mac_phy", "peer",  "tile"};
    struct headroom headroom;
    struct terms terms = {.n = 0};
    int64_t sum = 0;
    char text[TERM_TEXT_SIZE];

    (void)state;
    headroom_compute(&rules, &port, false, &headroom, &terms);
    for (size_t i = 0; i < N_OF(summands); i++) {
        sum += terms_find(&terms, summands[i])->value_milli;
    }
    assert_true(terms_find(&terms, "prop")->value_milli - sum <
                (int64_t)N_OF(summands));
    assert_int_equal(terms_find(&terms, "tile")->value_milli, 6000000);
    assert_int_equal(terms_find(&terms, "gearbox")->value_milli, 39062500);
    assert_int_equal(terms_find(&terms, "xoff")->value_milli,
                     (int64_t)headroom.xoff * 1000);
    assert_string_equal(term_text(terms_find(&terms, "mac_phy"), text),
                        "819.200");
    assert_string_equal(term_text(terms_find(&terms, "speed"), text), "400000");
    assert_string_equal(terms_find(&terms, "pause_quanta")->source,
                        "IEEE 802.3 annex 31B");
    assert_null(terms_find(&terms, "no such"));
}

/* Returns whether a word of a formula is a function or a unit. */
static bool
is_no_term(const char *word, size_t length)
{
    static const char *const words[] = {"roundup", "ceil", "km", "s"};

    for (size_t i = 0; i < N_OF(words); i++) {
        if (strlen(words[i]) == length && !strncmp(words[i], word, length)) {
            return true;
        }
    }
    return false;
}

/* Asserts that 'term' is an input with a source, or follows from terms before
 * it, all of which are there. */
static void
assert_explained(const struct terms *terms, const struct term *term)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz_";
    const char *at = term->formula;

    if (!*at) {
        assert_true(*term->source);
        return;
    }
    for (at += strcspn(at, letters); *at; at += strcspn(at, letters)) {
        const size_t length = strspn(at, letters);
        bool found = is_no_term(at, length);

        for (const struct term *t = terms->items; t < term; t++) {
            found |= strlen(t->name) == length && !strncmp(t->name, at, length);
        }
        if (!found) {
            fail_msg("%s = %s: there is no %.*s", term->name, term->formula,
                     (int)length, at);
        }
        at += length;
    }
}

/* Each term of each formula is there, with its source. */
static void
test_every_term_is_explained(void **state)
{
    static const char *const platforms[] = {"vs", "mellanox", "barefoot",
                                            "generic"};
    static const char *const asics[] = {"VS-ASIC", "MELLANOX-SPECTRUM-4",
                                        "BAREFOOT-TOFINO-2"};
    static const struct headroom_port ports[] = {
        {100000, 40, 9100, 4, 400, 0, 0}, {400000, 40, 9100, 8, 0, 0, 0},
        {75000, 40, 9100, 4, 0, 0, 0},    {400000, 40, 9100, 4, 0, 5000, 0},
        {800000, 40, 1500, 8, 0, 0, 0},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(platforms) * N_OF(asics) * N_OF(ports) * 4;
         i++) {
        const size_t port = i / 4 % N_OF(ports);
        const size_t asic = i / 4 / N_OF(ports) % N_OF(asics);
        struct headroom_rules rules =
            rules_for(platforms[i / 4 / N_OF(ports) / N_OF(asics)], asics[asic],
                      1024, i & 1 ? 50 : 100);
        struct headroom headroom;
        struct terms terms = {.n = 0};

        headroom_compute(&rules, &ports[port], i & 2, &headroom, &terms);
        for (size_t j = 0; j < terms.n; j++) {
            assert_explained(&terms, &terms.items[j]);
        }
    }
}

/* A packet of 64 bytes takes part of two cells of up to 128 bytes, else one
 * cell. */
static void
test_cost_of_a_small_packet_changes_above_cells_of_128(void **state)
{
    static const struct {
        uint32_t cell_bytes;
        int64_t cost_milli;
    } cases[] = {{127, 1984}, {128, 1984}, {129, 2015}};

    (void)state;
    for (size_t i = 0; i < N_OF(cases); i++) {
        struct headroom_rules rules = rules_for(TOFINO, 1024, 100);
        struct headroom_port port = {100000, 40, 9100, 4, 0, 0, 0};
        struct headroom headroom;
        struct terms terms = {.n = 0};

        rules.asic.cell_size_bytes = cases[i].cell_bytes;
        headroom_compute(&rules, &port, false, &headroom, &terms);
        assert_int_equal(terms_find(&terms, "cost")->value_milli,
                         cases[i].cost_milli);
    }
}

/* PEER_BUGS D5: the share of small packets lacks a factor in the scripts; the
 * generic rule has it. */
static void
test_d5_generic_rule_counts_small_packets_right(void **state)
{
    struct headroom_rules rules = rules_for("generic", "VS-ASIC", 1024, 0);
    struct headroom_port port = {100000, 40, 9100, 4, 0, 0, 0};
    struct headroom headroom;
    struct terms terms = {.n = 0};

    (void)state;
    headroom_compute(&rules, &port, false, &headroom, &terms);
    assert_int_equal(terms_find(&terms, "occupancy")->value_milli, 1000);
    assert_int_equal(terms_find(&terms, "extra")->value_milli, 0);
    rules.traffic.small_percent = 50;
    terms.n = 0;
    headroom_compute(&rules, &port, false, &headroom, &terms);
    /* 64 of 1,088 bytes: 5.88 %. */
    assert_int_equal(terms_find(&terms, "occupancy")->value_milli, 1058);
    rules.formula = platform_find("vs")->headroom;
    terms.n = 0;
    headroom_compute(&rules, &port, false, &headroom, &terms);
    assert_int_equal(terms_find(&terms, "occupancy")->value_milli, 1117);
}

/* What is known of a peer replaces what its speed allows it. */
static void
test_known_peer_counts_as_given(void **state)
{
    struct headroom_rules rules = rules_for(VS, 1024, 0);
    struct headroom_port port = {100000, 40, 9100, 4, 0, 50000, 0};
    struct headroom headroom;
    struct terms terms = {.n = 0};

    (void)state;
    headroom_compute(&rules, &port, false, &headroom, &terms);
    assert_int_equal(terms_find(&terms, "peer")->value_milli, 50000000);
    assert_string_equal(terms_find(&terms, "peer")->source, "given");
}

struct budget {
    struct headroom_rules rules;
    struct headroom_port port;
    uint64_t limit;
};

static bool
fits(void *context, uint32_t cable_m)
{
    struct budget *budget = context;
    struct headroom headroom;

    budget->port.cable_m = cable_m;
    headroom_compute(&budget->rules, &budget->port, false, &headroom, NULL);
    return headroom.size <= budget->limit;
}

static void
test_longest_cable_fits_and_one_metre_more_does_not(void **state)
{
    uint64_t seed = UINT64_C(0xbf58476d1ce4e5b9);
    size_t n_found = 0;

    (void)state;
    for (size_t i = 0; i < 2000; i++) {
        struct budget budget = {random_rules(&seed), random_port(&seed),
                                seed_below(&seed, 10000000)};
        uint32_t longest = 0;

        if (!headroom_longest_cable(fits, &budget, HEADROOM_CABLE_MAX_M,
                                    &longest)) {
            assert_false(fits(&budget, 0));
            continue;
        }
        assert_true(fits(&budget, longest));
        if (longest < HEADROOM_CABLE_MAX_M) {
            n_found++;
            assert_false(fits(&budget, longest + 1));
        }
    }
    assert_true(n_found > 500);
}

/* BEHAVIOUR 6.4: SPC3, 4 lanes, PG 0 lossy of size 0, PG 3-4 of 128,000. */
static const struct headroom_limit_use limit_uses[] = {
    {1, {0, 0, 0}},
    {2, {19456, 108544, 128000}},
};

static void
test_port_limit_is_strict(void **state)
{
    static const struct {
        const char *platform;
        uint64_t limit;
        enum st expected;
    } cases[] = {
        {"mellanox", 300000, ST_NO_RESOURCE},
        {"mellanox", 319488, ST_NO_RESOURCE},
        {"mellanox", 319489, ST_OK},
        {"mellanox", 320000, ST_OK},
        {"mellanox", 0, ST_OK}, /* The chip does not tell. */
        {"barefoot", 300000, ST_OK},
    };
    struct chip_headroom_params asic;
    struct err err = {0};

    (void)state;
    assert_true(asic_table_find("MELLANOX-SPECTRUM-3", &asic));
    for (size_t i = 0; i < N_OF(cases); i++) {
        struct headroom_limit_port port = {"Ethernet0", 4, cases[i].limit,
                                           limit_uses, 2};

        assert_int_equal(headroom_limit_used(&asic, &port, NULL), 319488);
        assert_int_equal(headroom_limit_check(platform_find(cases[i].platform),
                                              &asic, &port, false, &err),
                         cases[i].expected);
    }
    assert_string_equal(err.code, "headroom-exceeded");
    assert_string_equal(err.reason,
                        "headroom 319488 >= limit 319488 on Ethernet0");
}

static void
test_port_of_eight_lanes_needs_twice_the_overhead(void **state)
{
    struct chip_headroom_params asic;
    struct headroom_limit_port port = {"Ethernet0", 8, 1, NULL, 0};
    struct terms terms = {.n = 0};

    (void)state;
    assert_true(asic_table_find("MELLANOX-SPECTRUM-3", &asic));
    assert_int_equal(headroom_limit_used(&asic, &port, &terms),
                     4096 + 37 * 1024 + 2 * 20480);
    assert_int_equal(terms_find(&terms, "management")->value_milli, 37888000);
}

/* The limit is (8192 + 20) * 144 = 1,182,528 bytes on 4 lanes, 2,880 more on
 * 8: 10 groups of 118,252 fit, and one byte more each does not. */
static void
test_port_limit_of_shared_headroom(void **state)
{
    struct chip_headroom_params asic;
    struct headroom_limit_use use = {10, {19456, 118252, 19456}};
    struct headroom_limit_use exact = {2, {19456, 591264, 19456}};
    struct headroom_limit_port port = {"Ethernet0", 4, 100000000, &use, 1};
    const struct platform *platform = platform_find("mellanox");
    struct err err = {0};

    (void)state;
    assert_true(asic_table_find("MELLANOX-SPECTRUM-3", &asic));
    assert_int_equal(headroom_limit_check(platform, &asic, &port, true, &err),
                     ST_OK);
    use.headroom.xoff++;
    assert_int_equal(headroom_limit_check(platform, &asic, &port, true, &err),
                     ST_NO_RESOURCE);
    assert_non_null(strstr(err.reason, "1182530 > limit 1182528"));
    assert_int_equal(headroom_limit_check(platform, &asic, &port, false, &err),
                     ST_OK);
    port.uses = &exact; /* All of it. */
    assert_int_equal(headroom_limit_check(platform, &asic, &port, true, &err),
                     ST_OK);
    port.uses = &use;
    port.lanes = 8;
    assert_int_equal(headroom_limit_check(platform, &asic, &port, true, &err),
                     ST_OK);
    use.headroom.xoff += 288;
    assert_int_equal(headroom_limit_check(platform, &asic, &port, true, &err),
                     ST_NO_RESOURCE);
    asic.port_max_shp_cells = 0;
    assert_int_equal(headroom_limit_check(platform, &asic, &port, true, &err),
                     ST_OK);
}

static void
test_platforms_are_data(void **state)
{
    struct chip_headroom_params asic = {0};

    (void)state;
    assert_string_equal(platform_find("mellanox")->name, "mellanox");
    assert_string_equal(platform_find("broadcom")->name, "generic");
    assert_string_equal(platform_find(NULL)->name, "generic");
    platform_infer_generation("", &asic);
    assert_int_equal(asic.tile_ns, 0);
    platform_infer_generation("X-5", &asic);
    assert_int_equal(asic.tile_ns, 120);
    platform_infer_generation("X-6", &asic);
    assert_int_equal(asic.tile_ns, 0);
    assert_int_equal(asic.extra_xoff_bytes, 18432);
    assert_int_equal(platform_model_number("x86_64-mlnx_msn2700-r0"), 2700);
    assert_int_equal(platform_model_number("x86_64-nvidia_sn5640-r0"), 5640);
    assert_int_equal(platform_model_number("snsn"), 0);
    assert_int_equal(platform_model_number("snowsn12"), 12);
    assert_int_equal(platform_model_number(""), 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equals_the_scripts_to_the_byte),
        cmocka_unit_test(test_equals_the_scripts_wherever_they_are_exact),
        cmocka_unit_test(test_more_of_anything_never_needs_less),
        cmocka_unit_test(test_cable_is_bandwidth_times_delay),
        cmocka_unit_test(test_terms_add_up_to_the_result),
        cmocka_unit_test(test_every_term_is_explained),
        cmocka_unit_test(
            test_cost_of_a_small_packet_changes_above_cells_of_128),
        cmocka_unit_test(test_d5_generic_rule_counts_small_packets_right),
        cmocka_unit_test(test_known_peer_counts_as_given),
        cmocka_unit_test(test_longest_cable_fits_and_one_metre_more_does_not),
        cmocka_unit_test(test_port_limit_is_strict),
        cmocka_unit_test(test_port_of_eight_lanes_needs_twice_the_overhead),
        cmocka_unit_test(test_port_limit_of_shared_headroom),
        cmocka_unit_test(test_platforms_are_data),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
