/* SPDX-License-Identifier: Apache-2.0 */

/* Headroom formulas against the twin: who loses, who wastes, and what a pool
 * that promises more than it has does.
 *
 *     headroom_proof               one JSON object per line, and per case
 *     headroom_proof --markdown    the tables of docs/explanation/headroom.md
 *
 * Everything is drawn from fixed seeds, so the tables are the same everywhere;
 * simulated frames per second are in the JSON only. */

#include <config.h>

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/check.h"
#include "tests/bench/headroom_case.h"
#include "tests/bench/headroom_crowd.h"
#include "tests/bench/headroom_far.h"
#include "twin/chip/yaml/chip_file.h"

#define N_OF(array) (sizeof(array) / sizeof((array)[0]))

enum { MTU = 9100, LOSSLESS_MTU = 1024, N_PRIORITIES = 2 };

typedef unsigned long long ull;

/* A formula on a chip. */
struct setup {
    const char *platform;
    const char *chip;
    const char *vary; /* In what it differs from its file, or NULL. */
    bool shared;
};

static const struct setup setups[] = {
    {"vs", "generic",
     "{cell_bytes: 128, headroom_params: {cell_size: 128, "
     "pipeline_latency: 18, mac_phy_delay: 0.8, "
     "peer_response_time: 3.8}}",
     false},
    {"mellanox", "spc1", NULL, false},
    {"mellanox", "spc1", NULL, true},
    {"mellanox", "spc3", NULL, false},
    {"mellanox", "spc3", NULL, true},
    {"mellanox", "spc4", NULL, false},
    {"barefoot", "tofino2", NULL, true},
    {"generic", "generic", NULL, false},
    {"generic", "th", NULL, false},
};

/* The traffic that the formula assumes, and the traffic that arrives. */
struct promise {
    uint32_t small_percent;
    unsigned int traffics; /* A bit per enum proof_traffic. */
    const char *text;
};

static const struct promise promises[] = {
    {100,
     1 << PROOF_SMALL | 1 << PROOF_STRADDLE | 1 << PROOF_LONG |
         1 << PROOF_CHANGE,
     "any"},
    {50, 1 << PROOF_LONG, "1,024 B only"},
    {50, 1 << PROOF_SMALL, "64 B in a row"},
    {0, 1 << PROOF_LONG, "1,024 B only"},
};

static const uint32_t speeds[] = {10000, 25000, 100000, 400000, 800000};

static const struct {
    uint32_t length_m;
    uint32_t mtu; /* Of the port. */
} cables[] = {{5, MTU}, {40, 1500}, {300, MTU}, {2000, MTU}};

struct crowd_row {
    const char *chip;
    struct headroom_port port;
    uint32_t small_percent;
    uint32_t ratio;
    uint32_t n_runs;
    uint32_t lengths[CROWD_LENGTHS_MAX + 1]; /* Ends with 0. */
    const char *text;
    uint32_t counts[12]; /* Of PGs; ends with 0. */
};

#define PORT_100G                                                              \
    {                                                                          \
        .speed_mbps = 100000, .cable_m = 300, .mtu = MTU, .lanes = 4           \
    }
#define PORT_800G                                                              \
    {                                                                          \
        .speed_mbps = 800000, .cable_m = 40, .mtu = MTU, .lanes = 8            \
    }

static const struct crowd_row crowd_rows[] = {
    {"th", PORT_100G, 100, 4, 25, {60}, "64 B", {4, 8, 12, 16, 20, 24, 28, 32}},
    {"th",
     PORT_100G,
     0,
     4,
     100,
     {1024},
     "1,024 B",
     {4, 6, 8, 10, 12, 16, 20, 24, 32}},
    {"spc4",
     PORT_800G,
     100,
     8,
     25,
     {256, 512, 1024},
     "256 to 1,024 B",
     {16, 32, 40, 41, 42, 43, 44, 46, 48, 64}},
};

struct far_row {
    const char *chip;
    uint32_t speed_mbps;
    uint32_t small_percent;
    uint32_t frame_bytes;
    const char *text;
};

static const struct far_row far_rows[] = {
    {"th", 100000, 100, 60, "64 B"},       {"th", 100000, 0, 1024, "1,024 B"},
    {"spc3", 400000, 100, 60, "64 B"},     {"jr2", 100000, 100, 60, "64 B"},
    {"jr2", 400000, 100, 60, "64 B"},      {"j2c+", 400000, 100, 60, "64 B"},
    {"j2c+", 400000, 50, 1024, "1,024 B"}, {"j2c+", 400000, 0, 1024, "1,024 B"},
};

static double
cpu_s(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Loads a chip; 'vary' may be NULL. */
static struct chip *
load(const char *name, const char *vary)
{
    struct chip *chip = NULL;
    struct chip *varied = NULL;

    orch_assert(chip_file_load(CHIPS_DIR, name, &chip, NULL) == ST_OK);
    if (!vary) {
        return chip;
    }
    orch_assert(chip_file_vary(chip, vary, name, &varied, NULL) == ST_OK);
    chip_file_destroy(chip);
    return varied;
}

static int64_t
excess(const struct proof *proof)
{
    return (int64_t)(proof->xoff_bytes - proof->needed_bytes);
}

/* Formulas ------------------------------------------------------------- */

/* An extreme of a row. */
struct extreme {
    struct proof_case c;
    struct proof proof;
};

struct summary {
    uint32_t n;
    uint32_t n_lossless;
    struct extreme least; /* By bytes. */
    struct extreme most;  /* By fraction of what is needed. */
};

static void
summarise(struct summary *summary, const struct extreme *now)
{
    const struct proof *most = &summary->most.proof;

    if (summary->n == 0 ||
        excess(&now->proof) < excess(&summary->least.proof)) {
        summary->least = *now;
    }
    if (summary->n == 0 ||
        excess(&now->proof) * (int64_t)most->needed_bytes >
            excess(most) * (int64_t)now->proof.needed_bytes) {
        summary->most = *now;
    }
    summary->n++;
    summary->n_lossless += now->proof.lost_packets == 0;
}

static void
print_extreme(const struct extreme *extreme)
{
    int64_t needed = (int64_t)extreme->proof.needed_bytes;

    printf(" %lld (%+lld %%): %s, %uG, %u m |",
           (long long)excess(&extreme->proof),
           (long long)(excess(&extreme->proof) * 100 / needed),
           proof_traffic_name(extreme->c.traffic),
           (unsigned int)extreme->c.port.speed_mbps / 1000,
           (unsigned int)extreme->c.port.cable_m);
}

static void
print_case(const struct setup *setup, const struct extreme *e)
{
    printf("{\"bench\":\"headroom-proof\",\"params\":{\"platform\":\"%s\","
           "\"chip\":\"%s\",\"shared\":%s,\"small_percent\":%u,"
           "\"traffic\":\"%s\",\"speed_mbps\":%u,\"cable_m\":%u,\"mtu\":%u,"
           "\"response_ps\":%lld},\"xoff\":%llu,\"lost\":%llu,"
           "\"value\":%llu,\"unit\":\"bytes\"}\n",
           setup->platform, setup->chip, setup->shared ? "true" : "false",
           (unsigned int)e->c.mix.small_percent,
           proof_traffic_name(e->c.traffic), (unsigned int)e->c.port.speed_mbps,
           (unsigned int)e->c.port.cable_m, (unsigned int)e->c.port.mtu,
           (long long)e->proof.response_ps, (ull)e->proof.xoff_bytes,
           (ull)e->proof.lost_packets, (ull)e->proof.needed_bytes);
}

/* Tries all that 'promise' allows over all speeds and cables.  Returns the
 * frames. */
static uint64_t
try_promise(const struct setup *setup, const struct promise *promise,
            const struct chip *chip, bool markdown, struct summary *summary)
{
    uint64_t frames = 0;

    for (size_t i = 0; i < N_OF(speeds) * N_OF(cables) * PROOF_N_TRAFFICS;
         i++) {
        struct extreme e = {
            .c = {
                .chip = chip,
                .platform = platform_find(setup->platform),
                .port = {.speed_mbps = speeds[i / N_OF(cables) % N_OF(speeds)],
                         .cable_m = cables[i % N_OF(cables)].length_m,
                         .mtu = cables[i % N_OF(cables)].mtu,
                         .lanes = 4},
                .mix = {LOSSLESS_MTU, promise->small_percent},
                .shared = setup->shared,
                .traffic =
                    (enum proof_traffic)(i / N_OF(cables) / N_OF(speeds))}};

        if (promise->traffics & 1u << e.c.traffic) {
            proof_find(&e.c, &e.proof);
            summarise(summary, &e);
            frames += e.proof.frames;
            if (!markdown) {
                print_case(setup, &e);
            }
        }
    }
    return frames;
}

static uint64_t
prove_formulas(bool markdown)
{
    uint64_t frames = 0;

    if (markdown) {
        printf("| formula | chip, headroom | small, %% | what comes | lose "
               "nothing | least excess, bytes | greatest excess |\n"
               "|---|---|---|---|---|---|---|\n");
    }
    for (size_t i = 0; i < N_OF(setups); i++) {
        struct chip *chip = load(setups[i].chip, setups[i].vary);

        for (size_t j = 0; j < N_OF(promises); j++) {
            struct summary summary = {.n = 0};

            frames +=
                try_promise(&setups[i], &promises[j], chip, markdown, &summary);
            if (markdown) {
                printf(
                    "| %s | %s, %s | %u | %s | %u of %u |", setups[i].platform,
                    setups[i].vary ? "VS-ASIC" : setups[i].chip,
                    setups[i].shared ? "shared" : "private",
                    (unsigned int)promises[j].small_percent, promises[j].text,
                    (unsigned int)summary.n_lossless, (unsigned int)summary.n);
                print_extreme(&summary.least);
                print_extreme(&summary.most);
                printf("\n");
            }
        }
        chip_file_destroy(chip);
    }
    return frames;
}

/* Pools ---------------------------------------------------------------- */

static void
print_crowd(const struct crowd_row *row, uint32_t k, const struct crowd *crowd,
            bool markdown)
{
    uint32_t percent = crowd->n_lossy * 100 / row->n_runs;
    ull mean = crowd->n_lossy ? crowd->lost_packets / crowd->n_lossy : 0;

    printf(markdown
               ? "| %s | %s | %u | %u | %u %% | %llu | %llu | %llu |\n"
               : "{\"bench\":\"headroom-crowd\",\"params\":{\"chip\":\"%s\","
                 "\"frames\":\"%s\",\"at_once\":%u,\"paused\":%u},"
                 "\"value\":%u,\"unit\":\"%%\",\"mean_lost\":%llu,"
                 "\"most_lost\":%llu,\"most_lost_bytes\":%llu}\n",
           row->chip, row->text, (unsigned int)crowd->n_at_once,
           (unsigned int)k, (unsigned int)percent, mean,
           (ull)crowd->most_packets, (ull)crowd->most_bytes);
}

static uint64_t
prove_pools(bool markdown)
{
    uint64_t frames = 0;

    if (markdown) {
        printf("| chip | frames | promised | paused at once | runs with loss "
               "| packets lost in these, mean | at most | bytes, at most |\n"
               "|---|---|---|---|---|---|---|---|\n");
    }
    for (size_t i = 0; i < N_OF(crowd_rows); i++) {
        const struct crowd_row *row = &crowd_rows[i];
        struct chip *chip = load(row->chip, NULL);
        struct crowd_config config = {
            .question = {.chip = chip,
                         .platform = platform_find(chip->platform),
                         .traffic = {LOSSLESS_MTU, row->small_percent},
                         .n_priorities = N_PRIORITIES,
                         .ratio = row->ratio,
                         .n_congested = 1,
                         .fan_out = 1,
                         .groups = {{chip->default_ports, row->port}},
                         .n_groups = 1},
            .n_runs = row->n_runs};

        for (; row->lengths[config.n_lengths]; config.n_lengths++) {
            config.lengths[config.n_lengths] = row->lengths[config.n_lengths];
        }
        for (const uint32_t *k = row->counts; *k; k++) {
            struct crowd crowd;

            crowd_find(&config, *k, &crowd);
            print_crowd(row, *k, &crowd, markdown);
            frames += crowd.frames;
        }
        chip_file_destroy(chip);
    }
    return frames;
}

/* Regional links ------------------------------------------------------- */

static uint64_t
prove_links(bool markdown)
{
    enum { KM_40 = 40000 };
    uint64_t frames = 0;

    if (markdown) {
        printf("| chip | speed | small, %% | frames | plan | xoff, bytes | "
               "headroom | used | packets lost |\n"
               "|---|---|---|---|---|---|---|---|---|\n");
    }
    for (size_t i = 0; i < N_OF(far_rows); i++) {
        const struct far_row *row = &far_rows[i];
        struct chip *chip = load(row->chip, NULL);
        struct plan_question question = {
            .chip = chip,
            .platform = platform_find(chip->platform),
            .traffic = {LOSSLESS_MTU, row->small_percent},
            .n_priorities = 1,
            .n_congested = 1,
            .fan_out = 1,
            .groups = {{.n_ports = 1,
                        .port = {.speed_mbps = row->speed_mbps,
                                 .cable_m = KM_40,
                                 .mtu = MTU,
                                 .lanes = 4}}},
            .n_groups = 1};
        struct peer_switch far;

        far_find(&question, row->frame_bytes, &far);
        printf(
            markdown
                ? "| %s | %uG | %u | %s | %s | %llu | %llu | %llu | %llu "
                  "of %llu |\n"
                : "{\"bench\":\"headroom-far\",\"params\":{\"chip\":\"%s\","
                  "\"speed_gbps\":%u,\"small_percent\":%u,\"frames\":\"%s\"},"
                  "\"plan\":\"%s\",\"xoff\":%llu,\"headroom\":%llu,\"value\":"
                  "%llu,\"unit\":\"bytes\",\"lost\":%llu,\"sent\":%llu}\n",
            row->chip, (unsigned int)row->speed_mbps / 1000,
            (unsigned int)row->small_percent, row->text,
            far.fits ? "yes" : "no", (ull)far.xoff_bytes,
            (ull)far.headroom_bytes, (ull)far.used_bytes, (ull)far.lost_packets,
            (ull)far.frames);
        frames += far.frames;
        chip_file_destroy(chip);
    }
    return frames;
}

/* Runs one part, and says what it cost. */
static void
part(const char *name, uint64_t (*prove)(bool markdown), bool markdown)
{
    double start = cpu_s();
    uint64_t frames;

    if (markdown) {
        printf("<!-- begin %s -->\n", name);
    }
    frames = prove(markdown);
    if (markdown) {
        printf("<!-- end %s -->\n", name);
    } else {
        printf("{\"bench\":\"headroom-cost\",\"params\":{\"part\":\"%s\","
               "\"frames\":%llu},\"value\":%.0f,\"unit\":\"frames/s\"}\n",
               name, (ull)frames, (double)frames / (cpu_s() - start));
    }
}

int
main(int argc, char **argv)
{
    bool markdown = argc == 2 && !strcmp(argv[1], "--markdown");

    if (argc > 1 && !markdown) {
        fprintf(stderr, "usage: headroom_proof [--markdown]\n");
        return 2;
    }
    part("formulas", prove_formulas, markdown);
    part("pools", prove_pools, markdown);
    part("links", prove_links, markdown);
    return 0;
}
