/* SPDX-License-Identifier: Apache-2.0 */

/* Frames with several copies, through SAI: what their priority group and their
 * queues hold, and what a port that goes down gives back. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/asic_setup.h"

enum { PORTS = 3, FRAME = 600, FRAMES = 5 };

struct fixture {
    struct asic_setup *bench;
    sai_object_id_t ports[PORTS];
};

/* Ports 1 and 2 keep what is to leave them. */
static void
use(struct fixture *f, struct asic_setup *bench)
{
    f->bench = bench;
    for (uint32_t i = 0; i < PORTS; i++) {
        f->ports[i] = asic_setup_add_port(bench, 1000 + i);
        asic_setup_port_bool(bench, f->ports[i], SAI_PORT_ATTR_ADMIN_STATE,
                             true);
        asic_setup_port_bool(bench, f->ports[i], SAI_PORT_ATTR_PKT_TX_ENABLE,
                             i == 0);
    }
}

/* Sends frames to a group into port 0. */
static void
inject(struct fixture *f)
{
    static const uint8_t addresses[12] = {1, 0, 0x5e, 0, 0, 7,
                                          2, 0, 0,    0, 0, 1};
    uint8_t bytes[FRAME] = {0};

    memcpy(bytes, addresses, sizeof addresses);
    bytes[12] = 0x88; /* A type of experiments. */
    bytes[13] = 0xb5;
    for (uint32_t i = 0; i < FRAMES; i++) {
        assert_int_equal(f->bench->ops->inject(f->ports[0], FRAME, bytes),
                         SAI_STATUS_SUCCESS);
    }
    assert_int_equal(f->bench->ops->settle(NULL), SAI_STATUS_SUCCESS);
}

/* Returns what all priority groups of 'port' hold. */
static uint64_t
ingress_bytes(struct fixture *f, uint32_t port)
{
    const sai_stat_id_t id =
        SAI_INGRESS_PRIORITY_GROUP_STAT_CURR_OCCUPANCY_BYTES;
    uint64_t sum = 0;

    for (uint32_t i = 0; i < 8; i++) {
        uint64_t value;

        assert_int_equal(
            f->bench->buffer_api->get_ingress_priority_group_stats(
                asic_setup_child(f->bench, f->ports[port],
                                 SAI_PORT_ATTR_INGRESS_PRIORITY_GROUP_LIST, i),
                1, &id, &value),
            SAI_STATUS_SUCCESS);
        sum += value;
    }
    return sum;
}

/* Returns the sum of counter 'id' of the first queues of 'port'. */
static uint64_t
queues(struct fixture *f, uint32_t port, sai_stat_id_t id)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < 8; i++) {
        uint64_t value;

        assert_int_equal(f->bench->queue_api->get_queue_stats(
                             asic_setup_child(f->bench, f->ports[port],
                                              SAI_PORT_ATTR_QOS_QUEUE_LIST, i),
                             1, &id, &value),
                         SAI_STATUS_SUCCESS);
        sum += value;
    }
    return sum;
}

static uint64_t
egress_bytes(struct fixture *f, uint32_t port)
{
    return queues(f, port, SAI_QUEUE_STAT_CURR_OCCUPANCY_BYTES);
}

static void
test_copies_count_once_at_ingress_and_per_queue_at_egress(void **state)
{
    struct fixture f;
    uint64_t held;

    use(&f, *state);
    inject(&f);
    held = ingress_bytes(&f, 0);
    assert_in_range(held, FRAMES * FRAME, 2 * FRAMES * FRAME - 1);
    assert_int_equal(egress_bytes(&f, 0), 0);
    assert_int_equal(egress_bytes(&f, 1), held);
    assert_int_equal(egress_bytes(&f, 2), held);

    /* The last copy gives the ingress side back. */
    asic_setup_port_bool(f.bench, f.ports[1], SAI_PORT_ATTR_PKT_TX_ENABLE,
                         true);
    assert_int_equal(f.bench->ops->settle(NULL), SAI_STATUS_SUCCESS);
    assert_int_equal(egress_bytes(&f, 1), 0);
    assert_int_equal(egress_bytes(&f, 2), held);
    assert_int_equal(ingress_bytes(&f, 0), held);
    asic_setup_port_bool(f.bench, f.ports[2], SAI_PORT_ATTR_PKT_TX_ENABLE,
                         true);
    assert_int_equal(f.bench->ops->settle(NULL), SAI_STATUS_SUCCESS);
    assert_int_equal(egress_bytes(&f, 2), 0);
    assert_int_equal(ingress_bytes(&f, 0), 0);
    for (uint32_t i = 1; i < PORTS; i++) {
        assert_int_equal(queues(&f, i, SAI_QUEUE_STAT_PACKETS), FRAMES);
        assert_int_equal(queues(&f, i, SAI_QUEUE_STAT_DROPPED_PACKETS), 0);
    }
}

static void
test_port_that_goes_down_gives_its_copies_back(void **state)
{
    struct fixture f;
    uint64_t held;

    use(&f, *state);
    inject(&f);
    held = ingress_bytes(&f, 0);
    asic_setup_port_bool(f.bench, f.ports[1], SAI_PORT_ATTR_ADMIN_STATE, false);
    assert_int_equal(egress_bytes(&f, 1), 0);
    assert_int_equal(egress_bytes(&f, 2), held);
    assert_int_equal(ingress_bytes(&f, 0), held);
    /* Nor is anything kept for it while it is down. */
    inject(&f);
    assert_int_equal(egress_bytes(&f, 1), 0);
    assert_int_equal(egress_bytes(&f, 2), 2 * held);
    asic_setup_port_bool(f.bench, f.ports[2], SAI_PORT_ATTR_ADMIN_STATE, false);
    assert_int_equal(egress_bytes(&f, 2), 0);
    assert_int_equal(ingress_bytes(&f, 0), 0);
}

int
main(void)
{
#define GENERIC(name)                                                          \
    cmocka_unit_test_setup_teardown(name, asic_setup_setup_generic,            \
                                    asic_setup_teardown)
    const struct CMUnitTest tests[] = {
        GENERIC(test_copies_count_once_at_ingress_and_per_queue_at_egress),
        GENERIC(test_port_that_goes_down_gives_its_copies_back),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
