/* SPDX-License-Identifier: Apache-2.0 */

/* The configurations that the lab ships: each is accepted as a whole, is
 * lossless as it says, and costs little per switch. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "lab/builder/switch_default.h"
#include "lab/builder/switch_image_state.h"
#include "lab/builder/switch_routes.h"
#include "sai/core/backend.h"
#include "tests/support/image_setup.h"
#include "tests/support/switch_compare.h"
#include "twin/chip/chip.h"
#include "twin/event/engine.h"
#include "vendors/softasic/sai/asic.h"
#include "vendors/softasic/state.h"
#include "vendors/softasic/traffic/inspect.h"
#include "vendors/softasic/traffic/traffic.h"

enum { N_CONFIGS = 9 };

struct fixture {
    struct switch_images *images;
    struct engine *engine;
    const struct switch_default *configs;
    const struct switch_image *all[N_CONFIGS];
};

static int
setup(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    size_t n;

    f->images = image_setup_images();
    f->engine = engine_create();
    f->configs = switch_default_all(&n);
    assert_int_equal(n, N_CONFIGS);
    for (size_t i = 0; i < n; i++) {
        char path[128];

        (void)snprintf(path, sizeof path, "lab/configs/%s.json",
                       f->configs[i].name);
        f->all[i] = image_setup_image(f->images, path, NULL);
    }
    *state = f;
    return 0;
}

static int
teardown(void **state)
{
    struct fixture *f = *state;

    switch_images_destroy(f->images);
    engine_destroy(f->engine);
    free(f);
    return 0;
}

/* The images exist, so every row was applied. */
static void
test_each_has_its_chip_and_ports(void **state)
{
    const struct fixture *f = *state;

    assert_int_equal(switch_images_count(f->images), N_CONFIGS);
    for (size_t i = 0; i < N_CONFIGS; i++) {
        size_t n;
        const struct switch_image_port *ports =
            switch_image_ports(f->all[i], &n);

        assert_string_equal(switch_image_chip(f->all[i])->name,
                            f->configs[i].chip);
        assert_int_equal(n, f->configs[i].n_ports);
        for (size_t p = 0; p < n; p++) {
            assert_int_equal(ports[p].speed_mbps, f->configs[i].speed_mbps);
        }
    }
}

/* Returns the frames that 'asic' takes from port 0 to port 1 until 'until'. */
static uint64_t
send(struct asic *asic, const struct switch_image_port *ports,
     enum softasic_until until)
{
    const struct softasic_send look = {
        .from = ports[0].oid,
        .to = ports[1].oid,
        .n_frames = 10000000,
        .frame_bytes = 1086,
        .dscp = 3,
        .ecn = 2, /* ECN-capable: marked, not dropped. */
        .until = until,
    };
    struct softasic_sent sent;

    assert_int_equal(traffic_send_ip(asic, &look, NULL, &sent),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(sent.event, until);
    assert_int_equal(sent.n_dropped_egress, 0);
    return sent.n_frames;
}

/* Returns the xoff of the profile of a PG. */
static uint64_t
xoff_of(struct switch_instance *instance, sai_object_id_t pg)
{
    struct sai_backend *backend = switch_instance_backend(instance);
    sai_attribute_t profile = {
        .id = SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE};
    sai_attribute_t xoff = {.id = SAI_BUFFER_PROFILE_ATTR_XOFF_TH};

    assert_int_equal(backend->ops->get(backend,
                                       SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP,
                                       pg, 1, &profile),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(backend->ops->get(backend, SAI_OBJECT_TYPE_BUFFER_PROFILE,
                                       profile.value.oid, 1, &xoff),
                     SAI_STATUS_SUCCESS);
    return xoff.value.u64;
}

/* Behind a port that is blocked, PFC comes before any loss, ECN marks long
 * before PFC, and the headroom is as large as the profile says. */
static void
test_each_is_lossless(void **state)
{
    const struct fixture *f = *state;

    for (size_t i = 0; i < N_CONFIGS; i++) {
        size_t n;
        const struct switch_image_port *ports =
            switch_image_ports(f->all[i], &n);
        struct switch_instance *instance =
            image_setup_instance(f->all[i], f->engine, 0, 0);
        struct asic *asic = switch_instance_asic(instance);
        const sai_attribute_t block = {SAI_PORT_ATTR_PKT_TX_ENABLE,
                                       {.booldata = false}};
        struct softasic_pg_state pg;
        const struct objects_item *item;
        uint64_t n_before, n_after;
        struct err err = {0};

        assert_int_equal(
            asic_set(asic, SAI_OBJECT_TYPE_PORT, ports[1].oid, &block, &err),
            SAI_STATUS_SUCCESS);
        n_before = send(asic, ports, SOFTASIC_UNTIL_XOFF);
        item = objects_child(asic->ports[ports[0].slot].item,
                             SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP, 3);
        assert_int_equal(inspect_pg(asic, item->oid, &pg), SAI_STATUS_SUCCESS);
        assert_true(pg.lossless && pg.xoff);
        assert_int_equal(pg.n_dropped, 0);
        /* ECN marks from 1 KB per Gb/s on. */
        assert_true(n_before * 1086 > 2 * f->configs[i].speed_mbps);
        n_after = send(asic, ports, SOFTASIC_UNTIL_DROP);
        assert_int_equal(inspect_pg(asic, item->oid, &pg), SAI_STATUS_SUCCESS);
        assert_int_equal(pg.n_dropped, 1);
        print_message("%s: PFC at %llu frames, %llu more fit\n",
                      f->configs[i].name, (unsigned long long)n_before,
                      (unsigned long long)n_after - 1);
        /* The headroom is the profile's, and full but for less than a frame
         * with what the chip adds to it. */
        assert_true(pg.headroom_limit.bytes >= xoff_of(instance, item->oid) &&
                    pg.headroom_limit.bytes - pg.headroom.bytes < 1536);
        switch_instance_destroy(instance);
    }
}

/* Sends the same traffic through 'asic' as through any other: 300 bursts of
 * random length, class and size between random ports, some of them blocked. */
static void
send_mix(struct asic *asic, const struct switch_image_port *ports, size_t n)
{
    struct random random;
    struct err err = {0};

    random_init(&random, 23);
    for (int i = 0; i < 300; i++) {
        const size_t from = random_below(&random, n);
        const size_t to = (from + 1 + random_below(&random, n - 1)) % n;
        const sai_attribute_t transmit = {
            SAI_PORT_ATTR_PKT_TX_ENABLE,
            {.booldata = random_below(&random, 3) != 0}};
        const struct softasic_pause pause = {
            .priorities = (uint8_t)random_below(&random, 256),
            .quanta = (uint16_t)random_below(&random, 65536)};
        const struct softasic_send look = {
            .from = ports[from].oid,
            .to = ports[to].oid,
            .n_frames = 1 + random_below(&random, 2000),
            .frame_bytes = 64 + (uint32_t)random_below(&random, 1455),
            .dscp = (uint8_t)random_below(&random, 64),
            .ecn = (uint8_t)random_below(&random, 3)};
        struct softasic_sent sent;

        assert_int_equal(asic_set(asic, SAI_OBJECT_TYPE_PORT, ports[to].oid,
                                  &transmit, &err),
                         SAI_STATUS_SUCCESS);
        assert_int_equal(traffic_pause(asic, ports[to].oid, &pause),
                         SAI_STATUS_SUCCESS);
        assert_int_equal(traffic_send_ip(asic, &look, NULL, &sent),
                         SAI_STATUS_SUCCESS);
    }
}

/* The same traffic leaves the same counters, watermarks and buffers in an
 * instance as in the switch that the pipeline has programmed. */
static void
test_an_instance_of_each_behaves_as_a_box(void **state)
{
    const struct fixture *f = *state;
    struct switch_images *others = image_setup_images();

    for (size_t i = 0; i < N_CONFIGS; i++) {
        size_t n;
        const struct switch_image_port *ports =
            switch_image_ports(f->all[i], &n);
        struct engine *engine = engine_create();
        struct switch_instance *instance =
            image_setup_instance(f->all[i], engine, 0, 0);
        struct asic *asic = switch_instance_asic(instance);
        struct asic *box;
        char path[128];

        (void)snprintf(path, sizeof path, "lab/configs/%s.json",
                       f->configs[i].name);
        /* Nothing shares this image, so it may change. */
        box = image_setup_image(others, path, NULL)->asic;
        switch_compare_buffers(asic, box);
        send_mix(asic, ports, n);
        send_mix(box, ports, n);
        switch_compare_buffers(asic, box);
        switch_compare_counters(asic, box);
        switch_instance_destroy(instance);
        engine_destroy(engine);
    }
    switch_images_destroy(others);
}

/* Each port has a peer, and there are 48 routes by all of them. */
static void
test_a_further_switch_costs_at_most_64_kb(void **state)
{
    const struct fixture *f = *state;

    for (size_t i = 0; i < N_CONFIGS; i++) {
        size_t n;
        const struct switch_image_port *ports =
            switch_image_ports(f->all[i], &n);
        struct switch_instance *instance =
            image_setup_instance(f->all[i], f->engine, 0, 0);
        const size_t bytes = switch_instance_bytes(instance);
        struct switch_peer *peers = calloc(n, sizeof *peers);
        uint32_t *all = calloc(n, sizeof *all);
        struct switch_routes *routes;
        struct err err = {0};

        for (uint32_t p = 0; p < n; p++) {
            const uint8_t address[] = {100, 64, (uint8_t)(p >> 7),
                                       (uint8_t)(2 * p + 1)};

            peers[p] = (struct switch_peer){
                .slot = ports[p].slot,
                .address = address_make(ADDRESS_V4, address),
                .mac = UINT64_C(0x020000000001) + p};
            all[p] = p;
        }
        assert_int_equal(
            switch_routes_create(instance, peers, n, &routes, &err), ST_OK);
        for (uint8_t r = 0; r < 48; r++) {
            const uint8_t prefix[] = {10, r, 0, 0};
            const struct switch_route route = {address_make(ADDRESS_V4, prefix),
                                               16, all, (uint32_t)n};

            assert_int_equal(switch_routes_set(routes, &route, 1, &err), ST_OK);
        }
        print_message("%s: %zu bytes, %zu with routes\n", f->configs[i].name,
                      bytes, switch_instance_bytes(instance));
        assert_in_range(bytes, 1, 64 * 1024);
        assert_true(n > 64 || switch_instance_bytes(instance) <= 64 * 1024);
        switch_routes_destroy(routes);
        switch_instance_destroy(instance);
        free(peers);
        free(all);
    }
}

/* Asserts which configuration a switch gets. */
static void
assert_choice(uint32_t n_ports, uint32_t speed_mbps, uint32_t cable_m,
              const char *name, bool is_short)
{
    const struct switch_default *chosen = NULL;
    bool short_one = !is_short;
    struct err err = {0};

    assert_int_equal(switch_default_choose(n_ports, speed_mbps, cable_m,
                                           &chosen, &short_one, &err),
                     ST_OK);
    assert_string_equal(chosen->name, name);
    assert_int_equal(short_one, is_short);
    assert_ptr_equal(switch_default_find(name), chosen);
}

static void
test_a_switch_gets_one_that_fits(void **state)
{
    const struct switch_default *chosen = NULL;
    bool is_short = false;
    struct err err = {0};

    (void)state;
    assert_choice(32, 100000, 5, "star-32x100g", false);
    assert_choice(8, 100000, 6, "t0-32x100g", false);
    assert_choice(33, 100000, 5, "rh-36x100g", false);
    assert_choice(32, 100000, 41, "rh-36x100g", false);
    assert_choice(40, 100000, 300, "t1-64x100g", false);
    assert_choice(65, 100000, 5, "star-128x100g", false);
    assert_choice(65, 100000, 6, "star-256x100g", false);
    assert_choice(40, 100000, 1000, "t1-64x100g", true);
    assert_choice(28, 40000, 20, "t0-32x40g", false);
    assert_choice(28, 40000, 1000, "t1-64x40g", true);
    assert_choice(64, 400000, 3, "t1-64x400g", false);
    assert_int_equal(
        switch_default_choose(257, 100000, 1, &chosen, &is_short, &err),
        ST_NOT_FOUND);
    assert_non_null(strstr(err.reason, "the most is 256"));
    assert_int_equal(
        switch_default_choose(2, 25000, 1, &chosen, &is_short, &err),
        ST_NOT_FOUND);
    assert_non_null(strstr(err.reason, "100000 Mb/s, 40000 Mb/s, 400000 Mb/s"));
    assert_null(chosen);
    assert_null(switch_default_find("t9"));
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_has_its_chip_and_ports),
        cmocka_unit_test(test_each_is_lossless),
        cmocka_unit_test(test_an_instance_of_each_behaves_as_a_box),
        cmocka_unit_test(test_a_further_switch_costs_at_most_64_kb),
        cmocka_unit_test(test_a_switch_gets_one_that_fits),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
