/* SPDX-License-Identifier: Apache-2.0 */

/* Reading back finds what another process changed, and nothing else. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "orchd/reconcile/compare.h"
#include "orchd/reconcile/graph.h"
#include "tests/support/agent_harness.h"

/* What was found. */
struct found {
    struct harness *harness;
    size_t n, n_compared, n_unread;
    sai_status_t
        unread; /* The answer for the last one that could not be read. */
    char object[64];
    char attribute[96];
    sai_attribute_value_t intended, value;
};

static void
on_difference(void *found_, const struct compare_difference *difference)
{
    struct found *found = found_;

    if (!difference->found) {
        found->n_unread++;
        found->unread = difference->unread;
        return;
    }
    found->n++;
    text_copy(found->object, sizeof found->object, difference->object->id);
    text_copy(found->attribute, sizeof found->attribute,
              difference->meta->name);
    found->intended = *difference->intended;
    found->value = *difference->found;
}

static void
visit(void *found_, const struct object *object)
{
    struct found *found = found_;

    found->n_compared += compare_object(
        object, store_backend(found->harness->store), on_difference, found);
}

static void
look(struct harness *harness, struct found *found)
{
    memset(found, 0, sizeof *found);
    found->harness = harness;
    agent_each_object(harness->agent, visit, found);
}

static void
load(struct harness *harness)
{
    harness_init(harness, 2);
    for (size_t i = 0; i < harness_n_rows; i++) {
        harness_put(harness, harness_rows[i].table, harness_rows[i].key,
                    harness_rows[i].fields);
    }
    harness_settle(harness);
}

/* Sets an attribute as if orchd was not there. */
static void
meddle(struct harness *harness, const struct object *object,
       const sai_attribute_t *attribute)
{
    struct sai_backend *backend = store_backend(harness->store);

    assert_non_null(object);
    assert_int_equal(
        backend->ops->set(backend, object->type, object->oid, attribute),
        SAI_STATUS_SUCCESS);
}

static void
test_nothing_differs_after_a_plan(void **state)
{
    struct found found;
    struct harness harness;

    (void)state;
    load(&harness);
    look(&harness, &found);
    assert_int_equal(found.n, 0);
    assert_true(found.n_compared > 40);
    harness_fini(&harness);
}

static void
test_a_number_that_another_client_changed(void **state)
{
    sai_attribute_t xoff = {.id = SAI_BUFFER_PROFILE_ATTR_XOFF_TH,
                            .value.u64 = 77};
    struct found found;
    struct harness harness;

    (void)state;
    load(&harness);
    meddle(&harness,
           agent_object(harness.agent, TABLE_BUFFER_PROFILE, "in_lossless", -1),
           &xoff);
    look(&harness, &found);
    assert_int_equal(found.n, 1);
    assert_string_equal(found.object, "BUFFER_PROFILE|in_lossless");
    assert_string_equal(found.attribute, "SAI_BUFFER_PROFILE_ATTR_XOFF_TH");
    assert_int_equal(found.intended.u64, 35776);
    assert_int_equal(found.value.u64, 77);
    harness_fini(&harness);
}

/* Attributes that orchd has set back to their default are not compared. */
static void
test_what_nobody_wants_is_not_compared(void **state)
{
    sai_attribute_t offset = {.id = SAI_BUFFER_PROFILE_ATTR_XON_OFFSET_TH,
                              .value.u64 = 77};
    struct found found;
    struct harness harness;

    (void)state;
    load(&harness);
    harness_put(&harness, "BUFFER_POOL", "mine",
                "type=ingress;mode=dynamic;size=1");
    harness_put(&harness, "BUFFER_PROFILE", "mine",
                "pool=mine;size=0;dynamic_th=0;xon_offset=5");
    harness_settle(&harness);
    harness_put(&harness, "BUFFER_PROFILE", "mine",
                "pool=mine;size=0;dynamic_th=0");
    harness_settle(&harness);
    meddle(&harness,
           agent_object(harness.agent, TABLE_BUFFER_PROFILE, "mine", -1),
           &offset);
    look(&harness, &found);
    assert_int_equal(found.n, 0);
    harness_fini(&harness);
}

static sai_status_t
refuse_xoff(void *context, const struct store_call *call)
{
    (void)context;
    return call->op == STORE_GET &&
                   call->type == SAI_OBJECT_TYPE_BUFFER_PROFILE &&
                   call->attributes[0].id == SAI_BUFFER_PROFILE_ATTR_XOFF_TH
               ? SAI_STATUS_NOT_IMPLEMENTED
               : SAI_STATUS_SUCCESS;
}

static void
test_what_the_switch_does_not_tell_is_said(void **state)
{
    struct found found;
    struct harness harness;
    size_t n_compared;

    (void)state;
    load(&harness);
    look(&harness, &found);
    assert_int_equal(found.n_unread, 0);
    n_compared = found.n_compared;
    store_set_hook(harness.store, refuse_xoff, NULL);
    look(&harness, &found);
    store_set_hook(harness.store, NULL, NULL);
    assert_true(found.n_unread > 0);
    assert_int_equal(found.unread, SAI_STATUS_NOT_IMPLEMENTED);
    assert_int_equal(found.n_compared + found.n_unread, n_compared);
    assert_int_equal(found.n, 0);
    harness_fini(&harness);
}

static void
test_a_map_of_another_length(void **state)
{
    sai_qos_map_t entries[100];
    sai_attribute_t map = {.id = SAI_QOS_MAP_ATTR_MAP_TO_VALUE_LIST};
    struct found found;
    struct harness harness;

    (void)state;
    load(&harness);
    memset(entries, 0, sizeof entries);
    for (size_t i = 0; i < 100; i++) {
        entries[i].key.dscp = (uint8_t)(i % 64);
    }
    /* More than is read at first. */
    map.value.qosmap = (sai_qos_map_list_t){100, entries};
    meddle(&harness,
           agent_object(harness.agent, TABLE_DSCP_TO_TC_MAP, "AZURE", -1),
           &map);
    look(&harness, &found);
    assert_int_equal(found.n, 1);
    assert_int_equal(found.intended.qosmap.count, 4);
    assert_int_equal(found.value.qosmap.count, 100);
    harness_fini(&harness);
}

static void
test_a_binding_that_is_gone(void **state)
{
    sai_attribute_t none = {.id =
                                SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE};
    struct found found;
    struct harness harness;

    (void)state;
    load(&harness);
    meddle(&harness,
           agent_object(harness.agent, TABLE_BUFFER_PG, "Ethernet0", 3), &none);
    look(&harness, &found);
    assert_int_equal(found.n, 1);
    assert_string_equal(found.object, "BUFFER_PG|Ethernet0|3");
    assert_true(found.value.oid == SAI_NULL_OBJECT_ID);
    meddle(
        &harness, agent_object(harness.agent, TABLE_BUFFER_PG, "Ethernet0", 3),
        &(sai_attribute_t){.id = SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE,
                           .value.oid = found.intended.oid});
    look(&harness, &found);
    assert_int_equal(found.n, 0);
    harness_fini(&harness);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_differs_after_a_plan),
        cmocka_unit_test(test_a_number_that_another_client_changed),
        cmocka_unit_test(test_what_nobody_wants_is_not_compared),
        cmocka_unit_test(test_what_the_switch_does_not_tell_is_said),
        cmocka_unit_test(test_a_map_of_another_length),
        cmocka_unit_test(test_a_binding_that_is_gone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
