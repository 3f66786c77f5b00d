/* SPDX-License-Identifier: Apache-2.0 */

/* Several objects of a type, created and removed in one call each: what becomes
 * of all when one in the middle is refused. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "sai/core/metadata.h"
#include "tests/support/agent_harness.h"

#define SECOND_NS (INT64_C(1000) * 1000 * 1000)

enum { N_PORTS = 6, ODD_ONE = 3 };

/* What the device answers to the n-th call of an operation on a type. */
struct fault {
    enum store_op op;
    sai_object_type_t type;
    unsigned int nth; /* Counted from 1. */
    sai_status_t status;
    sai_attr_id_t attribute; /* Of a status with an index: whose. */
    unsigned int seen;
};

static sai_status_t
refuse(void *context, const struct store_call *call)
{
    struct fault *fault = context;
    uint32_t i = 0;

    if (call->op != fault->op || call->type != fault->type ||
        ++fault->seen != fault->nth) {
        return SAI_STATUS_SUCCESS;
    }
    while (fault->attribute && call->attributes[i].id != fault->attribute) {
        i++;
    }
    return fault->status - (sai_status_t)i;
}

static const char *
port_name(unsigned int i)
{
    static char name[32];

    assert_true(text_format(name, sizeof name, "Ethernet%u", i));
    return name;
}

static void
put_ports(struct harness *harness)
{
    for (unsigned int i = 0; i < N_PORTS; i++) {
        char fields[64];

        assert_true(text_format(fields, sizeof fields,
                                "lanes=%u;speed=25000;mtu=9000", i + 1));
        harness_put(harness, "PORT", port_name(i), fields);
    }
    harness_settle(harness);
}

static void
assert_ports(const struct harness *harness, const char *odd_state)
{
    for (unsigned int i = 0; i < N_PORTS; i++) {
        assert_string_equal(harness_state(harness, "PORT", port_name(i)),
                            i == ODD_ONE ? odd_state : "applied");
    }
}

static void
test_ports_are_created_together(void **state)
{
    struct harness harness;

    (void)state;
    harness_init(&harness, 0);
    put_ports(&harness);
    assert_ports(&harness, "applied");
    assert_int_equal(store_calls(harness.store, STORE_CREATE), N_PORTS);
    /* One call, and one for each of five attributes of all that is read. */
    assert_int_equal(store_bulk_calls(harness.store), 1 + 5);
    harness_fini(&harness);
}

static void
test_one_that_is_refused_does_not_stop_the_others(void **state)
{
    struct harness harness;
    struct fault fault = {.op = STORE_CREATE,
                          .type = SAI_OBJECT_TYPE_PORT,
                          .nth = ODD_ONE + 1,
                          .status = SAI_STATUS_INSUFFICIENT_RESOURCES};

    (void)state;
    harness_init(&harness, 0);
    store_set_hook(harness.store, refuse, &fault);
    put_ports(&harness);
    assert_ports(&harness, "failed");
    assert_int_equal(store_count(harness.store, SAI_OBJECT_TYPE_PORT),
                     N_PORTS - 1);
    harness_pass(&harness, 2 * SECOND_NS);
    assert_ports(&harness, "applied");
    assert_int_equal(fault.seen, N_PORTS + 1);
    harness_fini(&harness);
}

static void
test_one_that_needs_a_second_try_gets_it_alone(void **state)
{
    struct harness harness;
    struct fault fault = {.op = STORE_CREATE,
                          .type = SAI_OBJECT_TYPE_PORT,
                          .nth = ODD_ONE + 1,
                          .status = SAI_STATUS_ATTR_NOT_SUPPORTED_0,
                          .attribute = SAI_PORT_ATTR_MTU};
    sai_attribute_t mtu = {.id = SAI_PORT_ATTR_MTU};
    const struct object *port;
    struct sai_backend *backend;

    (void)state;
    harness_init(&harness, 0);
    backend = store_backend(harness.store);
    store_set_hook(harness.store, refuse, &fault);
    put_ports(&harness);
    assert_int_equal(store_count(harness.store, SAI_OBJECT_TYPE_PORT), N_PORTS);
    assert_int_equal(fault.seen, N_PORTS + 1);
    for (unsigned int i = 0; i < N_PORTS; i++) {
        port = agent_object(harness.agent, TABLE_PORT, port_name(i), -1);
        assert_non_null(port);
        assert_int_equal(backend->ops->get(backend, SAI_OBJECT_TYPE_PORT,
                                           port->oid, 1, &mtu),
                         SAI_STATUS_SUCCESS);
        assert_int_equal(mtu.value.u32 >= 9000, i != ODD_ONE);
    }
    assert_string_not_equal(harness_state(&harness, "PORT", port_name(ODD_ONE)),
                            "applied");
    assert_string_equal(harness_state(&harness, "PORT", port_name(0)),
                        "applied");
    harness_fini(&harness);
}

static void
put_profiles(struct harness *harness, const char *fields)
{
    static const char *const names[] = {"a", "b", "c", "d"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        harness_put(harness, "BUFFER_PROFILE", names[i], fields);
    }
    harness_settle(harness);
}

static void
test_objects_are_removed_together_and_a_refused_one_later(void **state)
{
    struct harness harness;
    struct fault fault = {.op = STORE_REMOVE,
                          .type = SAI_OBJECT_TYPE_BUFFER_PROFILE,
                          .nth = 2,
                          .status = SAI_STATUS_FAILURE};
    uint64_t n_bulk;

    (void)state;
    harness_init(&harness, 0);
    harness_put(&harness, "BUFFER_POOL", "in",
                "type=ingress;mode=dynamic;size=1000");
    put_profiles(&harness, "pool=in;size=0;dynamic_th=3");
    assert_int_equal(store_count(harness.store, SAI_OBJECT_TYPE_BUFFER_PROFILE),
                     4);
    store_set_hook(harness.store, refuse, &fault);
    n_bulk = store_bulk_calls(harness.store);
    put_profiles(&harness, NULL);
    assert_int_equal(store_bulk_calls(harness.store), n_bulk + 1);
    assert_int_equal(store_count(harness.store, SAI_OBJECT_TYPE_BUFFER_PROFILE),
                     1);
    assert_string_equal(harness_state(&harness, "BUFFER_PROFILE", "a"), "gone");
    assert_string_equal(harness_state(&harness, "BUFFER_PROFILE", "b"),
                        "pending-delete");
    assert_string_equal(harness_state(&harness, "BUFFER_PROFILE", "d"), "gone");
    harness_pass(&harness, 2 * SECOND_NS);
    assert_string_equal(harness_state(&harness, "BUFFER_PROFILE", "b"), "gone");
    harness_fini(&harness);
}

/* Two rows that want the same lanes are in one plan: the second waits. */
static void
test_second_of_two_with_the_same_lanes_waits(void **state)
{
    struct harness harness;

    (void)state;
    harness_init(&harness, 0);
    harness_put(&harness, "PORT", "Ethernet0", "lanes=1,2;speed=50000");
    harness_put(&harness, "PORT", "Ethernet1", "lanes=1,2;speed=50000");
    harness_put(&harness, "PORT", "Ethernet2", "lanes=3,4;speed=50000");
    harness_settle(&harness);
    assert_string_equal(harness_state(&harness, "PORT", "Ethernet0"),
                        "applied");
    assert_string_equal(harness_state(&harness, "PORT", "Ethernet1"),
                        "waiting");
    assert_string_equal(harness_status(&harness, "PORT", "Ethernet1")->err.code,
                        "lanes-in-use");
    assert_string_equal(harness_state(&harness, "PORT", "Ethernet2"),
                        "applied");
    harness_fini(&harness);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ports_are_created_together),
        cmocka_unit_test(test_one_that_is_refused_does_not_stop_the_others),
        cmocka_unit_test(test_one_that_needs_a_second_try_gets_it_alone),
        cmocka_unit_test(
            test_objects_are_removed_together_and_a_refused_one_later),
        cmocka_unit_test(test_second_of_two_with_the_same_lanes_waits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
