/* SPDX-License-Identifier: Apache-2.0 */

/* Time that access lists cost per packet.
 *
 * A table has entries of a kind that operators write: IPv4 prefixes of four
 * (or more) lengths at both ends, some with a protocol and a port, 20 different
 * masks then; the last matches everything.  Measured are the search alone,
 * and the path of a frame through a switch: without access lists, with a table
 * at another port, with it at the port of the frames, and with an entry there
 * that keeps the switch from remembering what it found for a flow; and a
 * change, the removal and return of an entry.  These take turns, each for some
 * milliseconds; the result for paths is the median difference to the first.
 *
 * Prints one JSON object per line, with the number of masks first.  Usage:
 * bench_acl [ENTRIES [LENGTHS]], with 2 to 25 lengths of prefixes. */

#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/parse.h"
#include "base/random.h"
#include "tests/bench/measure.h"
#include "twin/forwarding/acl.h"
#include "twin/switch/sim.h"

enum {
    TURNS = 31,
    FRAMES = 20000, /* In a turn. */
    CHANGES = 1000, /* The same. */
    FLOWS = 64,
    PORTS = 3,
    FRAME_BYTES = 200,
    MAX_ENTRIES = 4096,
};

#define MAC(port) (UINT64_C(0x020000000000) + (port))

struct bench {
    struct chip chip;
    struct sim *sim;
    struct acl_table *table;
    const struct acl_table *tables[1];
    struct acl_set set;
    struct acl_rule *rules;
    struct acl_count count;
    struct sim_frame frames[FLOWS];
    union acl_key keys[FLOWS];
    int64_t now_ps;
};

static void
must(enum st status)
{
    orch_assert(status == ST_OK);
}

/* Requires the first 'bits' of an address at 'offset'. */
static void
require_prefix(struct acl_rule *rule, size_t offset, uint32_t address,
               unsigned int bits)
{
    uint8_t value[4], mask[4];
    const uint32_t ones = bits ? UINT32_MAX << (32 - bits) : 0;

    for (int i = 0; i < 4; i++) {
        value[i] = (uint8_t)(address >> (24 - 8 * i));
        mask[i] = (uint8_t)(ones >> (24 - 8 * i));
    }
    acl_rule_require(rule, offset, sizeof value, value, mask);
}

/* Returns the length of prefix 'i' of 'n_lengths'. */
static unsigned int
length_of(uint32_t i, uint32_t n_lengths)
{
    return 32 - i * (24 / (n_lengths - 1));
}

/* Makes 'n' entries; the last one, of the lowest priority, matches all. */
static void
make_table(struct bench *b, uint32_t n, uint32_t n_lengths)
{
    const uint16_t all = UINT16_MAX;
    struct random random;

    random_init(&random, 4711);
    b->rules = check_calloc(n, sizeof *b->rules);
    b->table = acl_table_create();
    for (uint32_t i = 0; i < n; i++) {
        struct acl_rule *rule = &b->rules[i];
        const uint32_t shape =
            (uint32_t)random_below(&random, n_lengths * n_lengths + n_lengths);
        const uint16_t port = (uint16_t)random_below(&random, 1000);
        const uint8_t protocol = 6;

        *rule = (struct acl_rule){.priority = n - i, .number = i};
        rule->count = &b->count;
        rule->actions = (struct acl_actions){.kinds = ACL_SETS_ACTION,
                                             .action = ACL_FORWARD};
        if (i + 1 < n) {
            require_prefix(rule, offsetof(struct acl_fields, src_ip),
                           (uint32_t)random_u64(&random),
                           length_of(shape % n_lengths, n_lengths));
            require_prefix(rule, offsetof(struct acl_fields, dst_ip),
                           (uint32_t)random_u64(&random),
                           length_of(shape / n_lengths % n_lengths, n_lengths));
            acl_rule_require_is(rule, ACL_IS_V4, ACL_IS_V4);
            if (shape >= n_lengths * n_lengths) {
                acl_rule_require(rule, offsetof(struct acl_fields, dst_port),
                                 sizeof port, &port, &all);
                acl_rule_require(rule, offsetof(struct acl_fields, protocol),
                                 sizeof protocol, &protocol, "\xff");
            }
        }
        acl_table_add(b->table, rule);
    }
    b->tables[0] = b->table;
    b->set = (struct acl_set){.n = 1, .tables = b->tables};
}

/* Returns a profile with a large limit in a pool of its own. */
static uint32_t
make_profile(struct mmu *mmu, enum mmu_direction direction)
{
    const struct mmu_pool_config pool = {.direction = direction,
                                         .size_bytes = 8 << 20};
    struct mmu_profile_config profile = {.is_static = true,
                                         .static_bytes = 1 << 20};
    struct err err;
    uint32_t id;

    must(mmu_pool_create(mmu, &pool, &profile.pool, &err));
    must(mmu_profile_create(mmu, &profile, &id, &err));
    return id;
}

/* Makes a switch with ports, of which one sends what another receives. */
static void
make_switch(struct bench *b)
{
    const struct sim_port_config port = {.speed_mbps = 100000,
                                         .mac = MAC(99),
                                         .admin_up = true,
                                         .tx_enabled = true};
    struct mmu *mmu;
    struct err err;

    chip_init(&b->chip);
    b->chip.ports = PORTS;
    b->sim = sim_create(&b->chip);
    for (uint32_t i = 0; i < PORTS; i++) {
        must(sim_port_add(b->sim, i, i, &port));
        must(sim_fdb_set(b->sim, MAC(i), i));
    }
    mmu = sim_mmu(b->sim);
    must(mmu_pg_attach(mmu, mmu_pg_id(mmu, 0, 0),
                       make_profile(mmu, MMU_INGRESS), &err));
    must(mmu_queue_attach(mmu, mmu_queue_id(mmu, 1, 0),
                          make_profile(mmu, MMU_EGRESS), &err));
}

/* Makes flows of UDP packets from port 0 to port 1, and their keys. */
static void
make_flows(struct bench *b)
{
    for (uint32_t i = 0; i < FLOWS; i++) {
        const struct packet packet = {
            .dst_mac = MAC(1),
            .src_mac = MAC(0),
            .type = 0x0800,
            .kind = PACKET_IPV4,
            .src = address_v4(0x0a000000u + i * 77777),
            .dst = address_v4(0x0b000000u + i * 55555),
            .ttl = 64,
            .protocol = PACKET_UDP,
            .has_ports = true,
            .src_port = (uint16_t)(1000 + i),
            .dst_port = 4791,
        };
        struct acl_fields *fields = &b->keys[i].fields;

        b->frames[i] = (struct sim_frame){
            .dst_mac = MAC(1),
            .src_mac = MAC(0),
            .payload = sim_payload_describe(&packet),
            .length_bytes = FRAME_BYTES,
            .ttl = 64,
            .borrows = true,
        };
        *fields =
            (struct acl_fields){.dst_mac = MAC(1),
                                .src_mac = MAC(0),
                                .type = packet.type,
                                .src_port = packet.src_port,
                                .dst_port = packet.dst_port,
                                .protocol = packet.protocol,
                                .is = ACL_IS_IP | ACL_IS_V4 | ACL_HAS_PORTS,
                                .length_bytes = FRAME_BYTES};
        memcpy(fields->src_ip, packet.src.bytes, sizeof fields->src_ip);
        memcpy(fields->dst_ip, packet.dst.bytes, sizeof fields->dst_ip);
    }
}

/* Returns the time of a frame through the switch. */
static double
turn(struct bench *b)
{
    /* The next frame arrives when the last one has left. */
    const int64_t step_ps =
        INT64_C(80) * (FRAME_BYTES + ETHERNET_WIRE_OVERHEAD_BYTES);
    const double start = measure_cpu_ns();

    for (uint32_t i = 0; i < FRAMES; i++) {
        must(sim_receive(b->sim, 0, &b->frames[i % FLOWS]));
        b->now_ps += step_ps;
        sim_run_until(b->sim, b->now_ps);
    }
    return (measure_cpu_ns() - start) / FRAMES;
}

/* Returns the time of a search. */
static double
search(struct bench *b)
{
    const double start = measure_cpu_ns();

    for (uint32_t i = 0; i < FRAMES; i++) {
        struct acl_actions actions = {0};

        struct acl_trail trail = {0};

        acl_set_apply(&b->set, &b->keys[i % FLOWS], &actions, &trail);
        orch_assert(actions.kinds);
    }
    return (measure_cpu_ns() - start) / FRAMES;
}

/* Returns the time to remove an entry and to add it again. */
static double
exchange(struct bench *b, uint32_t n)
{
    const double start = measure_cpu_ns();

    for (uint32_t i = 0; i < CHANGES; i++) {
        struct acl_rule *rule = &b->rules[i * 7919u % n];

        acl_table_remove(b->table, rule);
        acl_table_add(b->table, rule);
    }
    return (measure_cpu_ns() - start) / CHANGES;
}

static void
print(const char *kind, uint32_t n, double value)
{
    printf("{\"bench\":\"acl\",\"params\":{\"kind\":\"%s\",\"entries\":%u},"
           "\"value\":%.1f,\"unit\":\"ns\"}\n",
           kind, (unsigned int)n, value);
}

int
main(int argc, char **argv)
{
    static struct bench b;
    double none[TURNS], other[TURNS], bound[TURNS], each[TURNS], alone[TURNS];
    double changed[TURNS];
    struct acl_rule varying = {.number = MAX_ENTRIES + 1};
    const uint8_t one = 1;
    struct sim_port_stats stats;
    uint64_t n = 1000, n_lengths = 4;

    if (argc > 3 ||
        (argc > 1 && parse_u64(argv[1], 1, MAX_ENTRIES, &n) != ST_OK) ||
        (argc > 2 && parse_u64(argv[2], 2, 25, &n_lengths) != ST_OK)) {
        fprintf(stderr, "usage: bench_acl [ENTRIES [LENGTHS]]\n");
        return 2;
    }
    make_table(&b, (uint32_t)n, (uint32_t)n_lengths);
    make_switch(&b);
    make_flows(&b);
    acl_rule_require(&varying, offsetof(struct acl_fields, ttl), sizeof one,
                     &one, "\xff");
    (void)turn(&b);
    for (int i = 0; i < TURNS; i++) {
        none[i] = turn(&b);
        sim_set_acl(b.sim, SIM_INGRESS, 2, &b.set);
        other[i] = turn(&b) - none[i];
        sim_set_acl(b.sim, SIM_INGRESS, 2, NULL);
        sim_set_acl(b.sim, SIM_INGRESS, 0, &b.set);
        bound[i] = turn(&b) - none[i];
        acl_table_add(b.table, &varying);
        sim_change_acl(b.sim);
        each[i] = turn(&b) - none[i];
        acl_table_remove(b.table, &varying);
        sim_set_acl(b.sim, SIM_INGRESS, 0, NULL);
        alone[i] = search(&b);
        changed[i] = exchange(&b, (uint32_t)n);
    }
    must(sim_port_get_stats(b.sim, 1, &stats));
    orch_assert(stats.tx_ucast_packets == (uint64_t)FRAMES * (4 * TURNS + 1));
    orch_assert(b.count.packets == (uint64_t)FRAMES * 3 * TURNS);
    printf("{\"bench\":\"acl\",\"params\":{\"kind\":\"masks\",\"entries\":%u},"
           "\"value\":%u,\"unit\":\"masks\"}\n",
           (unsigned int)n, (unsigned int)acl_table_n_masks(b.table));
    print("frame-without-lists", (uint32_t)n, measure_median(none, TURNS));
    print("more-when-bound-elsewhere", (uint32_t)n,
          measure_median(other, TURNS));
    print("more-when-bound", (uint32_t)n, measure_median(bound, TURNS));
    print("more-when-each-is-searched", (uint32_t)n,
          measure_median(each, TURNS));
    print("search", (uint32_t)n, measure_median(alone, TURNS));
    print("change", (uint32_t)n, measure_median(changed, TURNS));
    sim_destroy(b.sim);
    acl_table_destroy(b.table);
    free(b.rules);
    for (uint32_t i = 0; i < FLOWS; i++) {
        sim_payload_unref(b.frames[i].payload);
    }
    return 0;
}
