/* SPDX-License-Identifier: Apache-2.0 */

/* Time of a derivation after one cable changed, on a switch with many ports:
 * the rows of the traditional model, and headroom with the sizes of the pools
 * from sums.  Prints one JSON object per line.  Usage: bench_derive [PORTS]. */

#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/check.h"
#include "base/parse.h"
#include "base/text.h"
#include "orchd/derive/derive.h"
#include "orchd/derive/headroom.h"
#include "orchd/derive/pg_profile_lookup.h"
#include "orchd/derive/pool.h"
#include "tests/support/asic_table.h"

enum {
    PORTS = 514,
    ROUNDS = 500,
    NAME_SIZE = 32,
    PGS = 2,
};

static double
cpu_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void
report(const char *bench, size_t n_ports, double start)
{
    printf("{\"bench\": \"%s\", \"params\": {\"ports\": %zu}, \"value\": %.2f, "
           "\"unit\": \"us\"}\n",
           bench, n_ports, (cpu_ns() - start) / ROUNDS / 1e3);
}

static void
put(struct derive *derive, enum table table, const char *key,
    const struct field *fields, size_t n)
{
    const char *const ports[] = {key};
    struct row row = {.table = table,
                      .key = key,
                      .ports = ports,
                      .n_ports = 1,
                      .present = true,
                      .effective = true,
                      .fields = fields,
                      .n_fields = n};

    derive_put_row(derive, &row);
}

static size_t
take_all(struct derive *derive)
{
    size_t n = 0;

    while (derive_take(derive)) {
        n++;
    }
    return n;
}

/* One row CABLE_LENGTH with all ports, of which one cable changes. */
static void
bench_rows(size_t n_ports)
{
    static const struct field port_fields[] = {{"admin_status", "up"},
                                               {"speed", "100000"}};
    static const struct field qos_fields[] = {{"pfc_enable", "3,4"}};
    static const char *const lengths[] = {"5m", "40m"};
    char(*names)[NAME_SIZE] = check_calloc(n_ports, NAME_SIZE);
    struct field *cables = check_calloc(n_ports, sizeof *cables);
    struct derive *derive = derive_create();
    struct pg_profile_lookup lookup = {0};
    enum st st = pg_profile_lookup_parse(
        &lookup, "100000 5m 1 2 3 0\n100000 40m 1 2 4 0", "bench", NULL);
    size_t n_rows;
    double start;

    orch_assert(st == ST_OK);
    derive_set_lookup(derive, &lookup);
    for (size_t i = 0; i < n_ports; i++) {
        text_format(names[i], NAME_SIZE, "Ethernet%zu", i);
        cables[i] = (struct field){names[i], lengths[0]};
        put(derive, TABLE_PORT, names[i], port_fields, 2);
        put(derive, TABLE_PORT_QOS_MAP, names[i], qos_fields, 1);
    }
    put(derive, TABLE_CABLE_LENGTH, "AZURE", cables, n_ports);
    n_rows = take_all(derive);
    orch_assert(n_rows == n_ports + 1);
    start = cpu_ns();
    for (size_t i = 0; i < ROUNDS; i++) {
        cables[i % n_ports].value = lengths[(i / n_ports + 1) % 2];
        put(derive, TABLE_CABLE_LENGTH, "AZURE", cables, n_ports);
        n_rows = take_all(derive);
        orch_assert(n_rows >= 1 && n_rows <= 3);
    }
    report("derive_cable_rows", n_ports, start);
    derive_destroy(derive);
    free(cables);
    free(names);
}

/* What one port with a cable of so many metres contributes to the sums. */
static struct pool_sums
contribution(const struct headroom_rules *rules, uint32_t cable_m)
{
    const struct headroom_port port = {
        .speed_mbps = 100000, .cable_m = cable_m, .mtu = 9100, .lanes = 4};
    struct pool_sums sums = {.n_up = 1, .n_lossless_ports = 1};
    struct pool_reference reference = {.lossy_ingress = false};

    headroom_compute(rules, &port, true, &reference.headroom, NULL);
    pool_sums_refer(&sums, &reference, PGS);
    return sums;
}

/* Headroom of one port again, the sums, and the pools. */
static void
bench_pools(size_t n_ports)
{
    static const struct unsized_pool unsized[] = {{true, false, 0},
                                                  {false, false, 0}};
    struct pool_switch sw = {.platform = platform_find("mellanox"),
                             .memory_bytes = UINT64_C(1) << 30,
                             .ratio = 2};
    struct headroom_rules rules = {sw.platform->headroom, {0}, {1024, 100}};
    struct pool_sums all = {0};
    uint64_t sizes[2];
    double start;
    bool known = asic_table_find("MELLANOX-SPECTRUM-3", &sw.asic);

    orch_assert(known);
    rules.asic = sw.asic;
    for (size_t i = 0; i < n_ports; i++) {
        struct pool_sums sums = contribution(&rules, 5);

        pool_sums_add(&all, &sums, 1);
    }
    start = cpu_ns();
    for (uint32_t i = 0; i < ROUNDS; i++) {
        struct pool_sums before = contribution(&rules, 5 + i);
        struct pool_sums after = contribution(&rules, 6 + i);
        struct pool_outcome outcome;
        enum st st;

        pool_sums_add(&all, &before, -1);
        pool_sums_add(&all, &after, 1);
        st = pool_compute(&sw, &all, unsized, 2, sizes, &outcome, NULL);
        orch_assert(st == ST_OK);
    }
    report("derive_cable_pools", n_ports, start);
}

int
main(int argc, char **argv)
{
    uint64_t n_ports = PORTS;

    if (argc > 1 && parse_u64(argv[1], 1, 100000, &n_ports)) {
        fprintf(stderr, "usage: bench_derive [PORTS]\n");
        return 2;
    }
    bench_rows(n_ports);
    bench_pools(n_ports);
    return 0;
}
