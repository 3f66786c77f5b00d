/* SPDX-License-Identifier: Apache-2.0 */

/* The breakpoints of real chips, row by row, if the data are at hand.
 *
 * Every row of the calibration table is run as the hardware test was: packets
 * one by one into a PG whose egress is blocked, until PFC, a drop or the end
 * of PFC.  TD2 and TH are the shipped chips; TH2 and TD3 differ from these in
 * numbers only, which are given here.  The table is looked for in
 * $ORCHD_SHARED/data/calibration, else beside the source tree; without it the
 * test is skipped. */

#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/text.h"
#include "twin/chip/chip.h"
#include "twin/mmu/mmu.h"

enum {
    MAX_COLUMNS = 64,
    MAX_LINE = 8192,
    LOSSLESS_PER_PORT = 2,
    EXIT_SKIP = 77,
    DEFAULT_MARGIN = 2,
};

struct row {
    char *names[MAX_COLUMNS]; /* Shared by all rows. */
    char *values[MAX_COLUMNS];
    int n;
};

struct bench {
    struct mmu *mmu;
    uint32_t lossless_queue;
    uint32_t lossy_pg;
    uint32_t lossy_queue;
    uint32_t length_bytes;
    uint32_t n_pgs; /* Of the same partition, for the test. */
    uint32_t pgs[64];
};

static const char th2[] =
    "{name: th2, cell_bytes: 208, memory_bytes: 44040192, partitions: 4, "
    "shared_limit: [pool, divided by partitions], egress_lag_cells: 2, "
    "ports: 128}";
static const char td3[] =
    "{name: td3, cell_bytes: 256, memory_bytes: 33554432, "
    "shared_limit: [pool, minus shp, minus pg_min], ports: 128}";

/* Cuts 'line' into fields in place (RFC 4180). */
static int
csv_split(char *line, char **fields)
{
    int n = 0;
    char *in = line;

    while (in && n < MAX_COLUMNS) {
        bool quoted = *in == '"';
        char *out = in + quoted;

        fields[n++] = out;
        for (in = out; *in && (quoted || *in != ','); in++) {
            if (quoted && *in == '"' && *++in != '"') {
                quoted = false;
                in--;
                continue;
            }
            *out++ = *in;
        }
        in = *in == ',' ? in + 1 : NULL;
        *out = '\0';
    }
    return n;
}

static const char *
text_of(const struct row *row, const char *name)
{
    for (int i = 0; i < row->n; i++) {
        if (strcmp(row->names[i], name) == 0) {
            return row->values[i];
        }
    }
    return "";
}

static int64_t
number_of(const struct row *row, const char *name, int64_t absent)
{
    const char *text = text_of(row, name);

    return text[0] ? strtoll(text, NULL, 10) : absent;
}

static struct chip *
chip_of(const struct row *row)
{
    const char *asic = text_of(row, "asic");
    struct chip *chip = NULL;
    enum st status;

    if (strcmp(asic, "th2") == 0 || strcmp(asic, "td3") == 0) {
        status = chip_parse(asic[1] == 'h' ? th2 : td3, asic, &chip, NULL);
    } else {
        status = chip_load(TOP_SRCDIR "/chips", asic, &chip, NULL);
    }
    orch_assert(status == ST_OK);
    if (number_of(row, "extra_reserved", 0)) {
        chip->extra_cells = (uint64_t)number_of(row, "extra_reserved", 0);
    }
    if (number_of(row, "shared_limit_cells_cfg", 0)) {
        chip->shared_limit = (struct model_shared_limit){
            .fixed_bytes = model_cells_to_bytes(
                chip, (uint64_t)number_of(row, "shared_limit_cells_cfg", 0))};
    }
    return chip;
}

static uint32_t
pool(struct mmu *mmu, enum mmu_direction direction, int64_t size, int64_t xoff)
{
    uint32_t id = MMU_NONE;

    orch_assert(
        mmu_pool_create(mmu,
                        &(struct mmu_pool_config){.direction = direction,
                                                  .size_bytes = (uint64_t)size,
                                                  .xoff_bytes = (uint64_t)xoff},
                        &id, NULL) == ST_OK);
    return id;
}

static uint32_t
profile(struct mmu *mmu, const struct mmu_profile_config *config)
{
    uint32_t id = MMU_NONE;

    orch_assert(mmu_profile_create(mmu, config, &id, NULL) == ST_OK);
    return id;
}

/* Attaches the lossless profile to as many PGs as the row says.  Those of the
 * first ports come first, which is one partition for long enough. */
static void
attach_lossless(struct bench *bench, const struct row *row, uint32_t id)
{
    int64_t filled = number_of(row, "n_pgs_filled", 1);
    int64_t n = number_of(row, "n_lossless_pgs", filled);
    uint32_t count = 0;

    bench->n_pgs = (uint32_t)filled;
    for (uint32_t port = 0; count < (uint32_t)n; port++) {
        for (uint32_t i = 0; i < LOSSLESS_PER_PORT && count < (uint32_t)n;
             i++) {
            uint32_t pg = mmu_pg_id(bench->mmu, port, 3 + i);

            orch_assert(mmu_pg_attach(bench->mmu, pg, id, NULL) == ST_OK);
            if (count < bench->n_pgs) {
                bench->pgs[count] = pg;
            }
            count++;
        }
    }
}

static void
bench_init(struct bench *bench, const struct chip *chip, const struct row *row)
{
    struct mmu *mmu = mmu_create(chip, NULL);
    int64_t memory = (int64_t)chip->memory_bytes;
    uint32_t in =
        pool(mmu, MMU_INGRESS, number_of(row, "ingress_pool_size", memory),
             number_of(row, "shp_xoff", 0));
    uint32_t lossy =
        pool(mmu, MMU_EGRESS, number_of(row, "egress_pool_size", memory), 0);
    uint32_t lossless = pool(mmu, MMU_EGRESS, memory, 0);

    *bench = (struct bench){.mmu = mmu,
                            .length_bytes =
                                (uint32_t)number_of(row, "packet_size", 64)};
    for (uint32_t port = 0; port < 64; port++) {
        orch_assert(mmu_port_add(mmu, port, port / (64 / chip->partitions)) ==
                    ST_OK);
    }
    attach_lossless(
        bench, row,
        profile(mmu,
                &(struct mmu_profile_config){
                    .pool = in,
                    .reserved_bytes = (uint64_t)number_of(row, "pg_size", 0),
                    .dynamic_th = (int)number_of(row, "pg_dynamic_th", 0),
                    .xoff_bytes = (uint64_t)number_of(row, "pg_xoff", 0),
                    .xon_bytes = (uint64_t)number_of(row, "pg_xon", 0),
                    .xon_offset_bytes =
                        (uint64_t)number_of(row, "pg_xon_offset", 0)}));
    bench->lossy_pg = mmu_pg_id(mmu, 0, 0);
    bench->lossy_queue = mmu_queue_id(mmu, 63, 0);
    bench->lossless_queue = mmu_queue_id(mmu, 63, 3);
    orch_assert(mmu_pg_attach(mmu, bench->lossy_pg,
                              profile(mmu,
                                      &(struct mmu_profile_config){
                                          .pool = in, .is_static = true}),
                              NULL) == ST_OK);
    orch_assert(
        mmu_queue_attach(mmu, bench->lossy_queue,
                         profile(mmu,
                                 &(struct mmu_profile_config){
                                     .pool = lossy,
                                     .reserved_bytes = (uint64_t)number_of(
                                         row, "egress_q_size", 0),
                                     .dynamic_th = (int)number_of(
                                         row, "egress_q_dynamic_th", 0)}),
                         NULL) == ST_OK);
    orch_assert(
        mmu_queue_attach(mmu, bench->lossless_queue,
                         profile(mmu,
                                 &(struct mmu_profile_config){
                                     .pool = lossless,
                                     .reserved_bytes = (uint64_t)number_of(
                                         row, "egress_lossless_q_size", 0),
                                     .is_static = true,
                                     .static_bytes = (uint64_t)memory}),
                         NULL) == ST_OK);
}

/* Sends one packet of PG number 'i'.  Returns whether it was admitted. */
static bool
send_one(struct bench *bench, uint32_t i)
{
    uint32_t packet;

    return mmu_enqueue(bench->mmu, bench->pgs[i], bench->lossless_queue,
                       bench->length_bytes, &packet) == MMU_ADMITTED;
}

/* Sends until PG number 'i' is XOFF.  Returns the packets it took. */
static int64_t
fill_to_pfc(struct bench *bench, uint32_t i)
{
    int64_t n = 0;

    while (!mmu_pg_is_xoff(bench->mmu, bench->pgs[i])) {
        orch_assert(send_one(bench, i));
        n++;
    }
    return n;
}

static int64_t
fill_to_drop(struct bench *bench, uint32_t i)
{
    int64_t n = 0;

    while (send_one(bench, i)) {
        n++;
    }
    return n;
}

static int64_t
role_pfc(struct bench *bench)
{
    return fill_to_pfc(bench, 0);
}

static int64_t
role_ingr_drop(struct bench *bench)
{
    return fill_to_drop(bench, 0) + 1;
}

static int64_t
role_hdrm(struct bench *bench)
{
    fill_to_pfc(bench, 0);
    return fill_to_drop(bench, 0) + 1;
}

static int64_t
role_pfc_n(struct bench *bench)
{
    for (int64_t round = 0;; round++) {
        for (uint32_t i = 0; i < bench->n_pgs; i++) {
            orch_assert(send_one(bench, i));
        }
        for (uint32_t i = 0; i < bench->n_pgs; i++) {
            if (mmu_pg_is_xoff(bench->mmu, bench->pgs[i])) {
                return round;
            }
        }
    }
}

static int64_t
role_hdrm_full(struct bench *bench)
{
    fill_to_pfc(bench, 0);
    return fill_to_drop(bench, 0);
}

static int64_t
role_hdrm_partial(struct bench *bench)
{
    int64_t n = 0;

    for (uint32_t i = 0; i < bench->n_pgs; i++) {
        fill_to_pfc(bench, i);
    }
    for (uint32_t i = 0; i < bench->n_pgs; i++) {
        n = fill_to_drop(bench, i);
    }
    return n;
}

static int64_t
role_xon(struct bench *bench)
{
    struct mmu_departure departure;
    int64_t n = 0;

    fill_to_pfc(bench, 0);
    while (mmu_pg_is_xoff(bench->mmu, bench->pgs[0])) {
        orch_assert(mmu_dequeue(bench->mmu, bench->lossless_queue, &departure));
        n++;
    }
    return n;
}

static int64_t
role_egr_drop(struct bench *bench)
{
    int64_t n = 1;
    uint32_t packet;

    while (mmu_enqueue(bench->mmu, bench->lossy_pg, bench->lossy_queue,
                       bench->length_bytes, &packet) == MMU_ADMITTED) {
        n++;
    }
    return n;
}

/* Returns the packets that a PG takes before its shared counter moves. */
static int64_t
ingress_min(struct bench *bench, uint32_t pg, uint32_t queue)
{
    struct mmu_pg_stats stats;
    uint32_t packet;

    for (int64_t n = 0;; n++) {
        orch_assert(mmu_enqueue(bench->mmu, pg, queue, bench->length_bytes,
                                &packet) == MMU_ADMITTED);
        mmu_pg_get(bench->mmu, pg, &stats);
        if (stats.shared) {
            return n;
        }
    }
}

static int64_t
egress_min(struct bench *bench, uint32_t pg, uint32_t queue)
{
    struct mmu_queue_stats stats;
    uint32_t packet;

    for (int64_t n = 0;; n++) {
        orch_assert(mmu_enqueue(bench->mmu, pg, queue, bench->length_bytes,
                                &packet) == MMU_ADMITTED);
        mmu_queue_get(bench->mmu, queue, &stats);
        if (stats.shared) {
            return n;
        }
    }
}

static int64_t
role_fill_ing_min(struct bench *bench)
{
    return ingress_min(bench, bench->pgs[0], bench->lossless_queue);
}

static int64_t
role_fill_ing_min_lossy(struct bench *bench)
{
    return ingress_min(bench, bench->lossy_pg, bench->lossy_queue);
}

static int64_t
role_fill_egr_min(struct bench *bench)
{
    return egress_min(bench, bench->lossy_pg, bench->lossy_queue);
}

static int64_t
role_fill_egr_min_lossless(struct bench *bench)
{
    return egress_min(bench, bench->pgs[0], bench->lossless_queue);
}

static const struct {
    const char *name;
    int64_t (*run)(struct bench *bench);
} roles[] = {
    {"pfc", role_pfc},
    {"ingr_drop", role_ingr_drop},
    {"hdrm", role_hdrm},
    {"pfc_n", role_pfc_n},
    {"hdrm_full", role_hdrm_full},
    {"hdrm_partial", role_hdrm_partial},
    {"xon", role_xon},
    {"egr_drop", role_egr_drop},
    {"fill_ing_min", role_fill_ing_min},
    {"fill_ing_min_lossy", role_fill_ing_min_lossy},
    {"fill_egr_min", role_fill_egr_min},
    {"fill_egr_min_lossless", role_fill_egr_min_lossless},
};

struct score {
    int exact;
    int within;
    int off;
    int suspect;
};

/* Runs 'row' if it is of a chip that is known here. */
static void
run_row(const struct row *row, struct score *score)
{
    static const char known[] = " td2 th th2 td3 ";
    const char *role = text_of(row, "role");
    char asic[32];
    int64_t margin = number_of(row, "test_margin", DEFAULT_MARGIN);
    int64_t wanted = number_of(row, "hw_value", 0);
    int64_t got = -1;
    const char *wrong;
    struct chip *chip;
    struct bench bench;

    text_format(asic, sizeof asic, " %s ", text_of(row, "asic"));
    if (!strstr(known, asic)) {
        return;
    }
    if (text_of(row, "suspect")[0]) {
        score->suspect++;
        return;
    }
    chip = chip_of(row);
    bench_init(&bench, chip, row);
    for (size_t i = 0; i < sizeof roles / sizeof roles[0]; i++) {
        if (strcmp(roles[i].name, role) == 0) {
            got = roles[i].run(&bench);
        }
    }
    wrong = mmu_check(bench.mmu);
    if (got == wanted && !wrong) {
        score->exact++;
    } else if (llabs(got - wanted) <= margin && !wrong) {
        score->within++;
        printf("row %s %s %s: %lld, hardware %lld: within margin\n",
               text_of(row, "row_id"), asic, role, (long long)got,
               (long long)wanted);
    } else {
        score->off++;
        printf("row %s %s %s: %lld, hardware %lld: OFF %s\n",
               text_of(row, "row_id"), asic, role, (long long)got,
               (long long)wanted, wrong ? wrong : "");
    }
    mmu_destroy(bench.mmu);
    chip_destroy(chip);
}

int
main(void)
{
    const char *shared = getenv("ORCHD_SHARED");
    static char header[MAX_LINE];
    static char line[MAX_LINE];
    char path[4096];
    struct row row = {0};
    struct score score = {0};
    FILE *file;

    text_format(path, sizeof path, "%s/data/calibration/given.csv",
                shared ? shared : TOP_SRCDIR "/../shared");
    file = fopen(path, "re");
    if (!file) {
        printf("SKIP: there is no %s\n", path);
        return EXIT_SKIP;
    }
    if (fgets(header, sizeof header, file)) {
        header[strcspn(header, "\r\n")] = '\0';
        row.n = csv_split(header, row.names);
    }
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\r\n")] = '\0';
        if (csv_split(line, row.values) == row.n) {
            run_row(&row, &score);
        } else {
            score.off++;
            printf("a line is cut: %.60s\n", line);
        }
    }
    fclose(file);
    printf("%d exact, %d within margin, %d off, %d suspect and left out\n",
           score.exact, score.within, score.off, score.suspect);
    return score.off || score.exact == 0;
}
