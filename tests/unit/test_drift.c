/* SPDX-License-Identifier: Apache-2.0 */

/* The ASIC is changed behind orchd's back, and orchd finds out. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "orchd/reconcile/drift.h"
#include "orchd/reconcile/graph.h"
#include "sai/core/backend.h"
#include "sai/core/metadata.h"
#include "tests/support/agent_harness.h"

#define SECOND INT64_C(1000000000)

/* The drift that was reported. */
struct noted {
    struct harness harness;
    struct text reported;
    size_t n_checked, n_rounds;
};

static void
on_differs(void *noted_, const struct compare_difference *difference,
           enum drift_remedy remedy)
{
    static const char *const remedies[] = {
        [DRIFT_LEFT] = "",
        [DRIFT_REPAIRED] = " repaired",
        [DRIFT_IMPOSSIBLE] = " impossible",
    };
    struct noted *noted = noted_;

    text_addf(&noted->reported, "%s %s%s%s; ", difference->object->id,
              difference->meta->name + strlen("SAI_"),
              difference->found ? "" : " missing", remedies[remedy]);
}

static void
on_checked(void *noted_, const struct object *object, size_t n, bool settled)
{
    struct noted *noted = noted_;

    (void)n;
    noted->n_checked++;
    if (!settled) {
        text_addf(&noted->reported, "%s unsettled; ", object->id);
    }
}

/* What a tester has set. */
struct excused_attribute {
    sai_object_id_t oid;
    sai_attr_id_t id;
};

static void
on_rounded(void *noted_)
{
    struct noted *noted = noted_;

    noted->n_rounds++;
}

/* Has all read back every ten seconds. */
static void
set_repair(struct noted *noted, bool repair)
{
    const struct drift_options options = {.interval_ns = 10 * SECOND,
                                          .repair = repair,
                                          .differs = on_differs,
                                          .checked = on_checked,
                                          .rounded = on_rounded,
                                          .context = noted};

    agent_set_drift(noted->harness.agent, &options);
    harness_pass(&noted->harness, 1);
}

/* Implements 'excuses': of one attribute. */
static bool
on_excuse(void *excused, sai_object_id_t oid, sai_attr_id_t id)
{
    const struct excused_attribute *attribute = excused;

    return attribute->oid == oid && attribute->id == id;
}

/* Sets up the small configuration, applied. */
static void
init(struct noted *noted, bool repair)
{
    memset(noted, 0, sizeof *noted);
    harness_init_applied(&noted->harness);
    set_repair(noted, repair);
}

static void
fini(struct noted *noted)
{
    text_fini(&noted->reported);
    harness_fini(&noted->harness);
}

static void
assert_noted(struct noted *noted, const char *expected)
{
    assert_string_equal(text_string(&noted->reported), expected);
    text_clear(&noted->reported);
}

/* Returns the object on the ASIC. */
static const struct object *
find(const struct noted *noted, enum table table, const char *name, int index)
{
    const struct object *object =
        agent_object(noted->harness.agent, table, name, index);

    assert_non_null(object);
    return object;
}

/* Sets an attribute, as another process would. */
static void
meddle(struct noted *noted, const struct object *object,
       const sai_attribute_t *attribute)
{
    struct sai_backend *backend = store_backend(noted->harness.store);

    assert_int_equal(
        backend->ops->set(backend, object->type, object->oid, attribute),
        SAI_STATUS_SUCCESS);
}

static sai_attribute_value_t
read_value(struct noted *noted, const struct object *object, sai_attr_id_t id)
{
    struct sai_backend *backend = store_backend(noted->harness.store);
    sai_attribute_t attribute = {.id = id};

    assert_int_equal(
        backend->ops->get(backend, object->type, object->oid, 1, &attribute),
        SAI_STATUS_SUCCESS);
    return attribute.value;
}

static void
test_what_is_as_it_was_made_has_not_drifted(void **state)
{
    struct noted noted;

    (void)state;
    init(&noted, true);
    harness_pass(&noted.harness, 9 * SECOND);
    assert_int_equal(noted.n_checked, 0);
    for (int i = 0; i < 22; i++) {
        harness_pass(&noted.harness, SECOND);
    }
    assert_noted(&noted, "");
    assert_in_range(noted.n_checked, 20, 1000);
    assert_in_range(noted.n_rounds, 1, 3);
    fini(&noted);
}

static void
test_drift_is_reported_in_each_round(void **state)
{
    const sai_attribute_t other = {.id = SAI_BUFFER_PROFILE_ATTR_XOFF_TH,
                                   .value.u64 = 12345};
    struct noted noted;
    const struct object *profile;

    (void)state;
    init(&noted, false);
    profile = find(&noted, TABLE_BUFFER_PROFILE, "in_lossless", -1);
    meddle(&noted, profile, &other);
    harness_pass(&noted.harness, 20 * SECOND);
    assert_noted(&noted,
                 "BUFFER_PROFILE|in_lossless BUFFER_PROFILE_ATTR_XOFF_TH; ");
    harness_pass(&noted.harness, 10 * SECOND);
    assert_noted(&noted,
                 "BUFFER_PROFILE|in_lossless BUFFER_PROFILE_ATTR_XOFF_TH; ");
    assert_int_equal(
        read_value(&noted, profile, SAI_BUFFER_PROFILE_ATTR_XOFF_TH).u64,
        12345);
    /* It is set back. */
    {
        sai_attribute_t own = {.id = SAI_BUFFER_PROFILE_ATTR_XOFF_TH};

        for (size_t i = 0; i < profile->n_slots; i++) {
            if (profile->slots[i].meta->id == own.id) {
                own.value = profile->slots[i].value;
            }
        }
        meddle(&noted, profile, &own);
    }
    harness_pass(&noted.harness, 20 * SECOND);
    assert_noted(&noted, "");
    fini(&noted);
}

static void
test_what_a_tester_has_set_is_left_alone(void **state)
{
    const sai_attribute_t other = {.id = SAI_BUFFER_PROFILE_ATTR_XOFF_TH,
                                   .value.u64 = 12345};
    struct excused_attribute excused = {.id = SAI_BUFFER_PROFILE_ATTR_XOFF_TH};
    struct noted noted;
    struct drift_options options = {.interval_ns = 10 * SECOND,
                                    .repair = true,
                                    .excuses = on_excuse,
                                    .excuses_context = &excused,
                                    .differs = on_differs,
                                    .checked = on_checked,
                                    .rounded = on_rounded,
                                    .context = &noted};
    const struct object *profile;

    (void)state;
    init(&noted, true);
    profile = find(&noted, TABLE_BUFFER_PROFILE, "in_lossless", -1);
    excused.oid = profile->oid;
    agent_set_drift(noted.harness.agent, &options);
    meddle(&noted, profile, &other);
    harness_pass(&noted.harness, 30 * SECOND);
    assert_noted(&noted, "");
    assert_int_equal(
        read_value(&noted, profile, SAI_BUFFER_PROFILE_ATTR_XOFF_TH).u64,
        12345);
    /* It has left. */
    excused.oid = SAI_NULL_OBJECT_ID;
    harness_pass(&noted.harness, 20 * SECOND);
    harness_settle(&noted.harness);
    assert_noted(&noted, "BUFFER_PROFILE|in_lossless "
                         "BUFFER_PROFILE_ATTR_XOFF_TH repaired; ");
    assert_int_not_equal(
        read_value(&noted, profile, SAI_BUFFER_PROFILE_ATTR_XOFF_TH).u64,
        12345);
    fini(&noted);
}

static void
test_repair_sets_again_what_was_meant(void **state)
{
    struct noted noted;
    const struct object *profile, *pg;
    sai_attribute_t attribute = {.id = SAI_BUFFER_PROFILE_ATTR_XOFF_TH};
    sai_attribute_value_t xoff, bound;

    (void)state;
    init(&noted, true);
    profile = find(&noted, TABLE_BUFFER_PROFILE, "in_lossless", -1);
    pg = find(&noted, TABLE_BUFFER_PG, "Ethernet0", 3);
    xoff = read_value(&noted, profile, SAI_BUFFER_PROFILE_ATTR_XOFF_TH);
    attribute.value.u64 = xoff.u64 + 1;
    meddle(&noted, profile, &attribute);
    bound =
        read_value(&noted, pg, SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE);
    attribute.id = SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE;
    attribute.value.oid = SAI_NULL_OBJECT_ID;
    meddle(&noted, pg, &attribute);
    harness_pass(&noted.harness, 20 * SECOND);
    harness_settle(&noted.harness);
    assert_non_null(strstr(text_string(&noted.reported),
                           "BUFFER_PROFILE_ATTR_XOFF_TH repaired; "));
    assert_non_null(
        strstr(text_string(&noted.reported),
               "BUFFER_PG|Ethernet0|3 "
               "INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE repaired; "));
    assert_int_equal(
        read_value(&noted, profile, SAI_BUFFER_PROFILE_ATTR_XOFF_TH).u64,
        xoff.u64);
    assert_true(
        read_value(&noted, pg, SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE)
            .oid == bound.oid);
    text_clear(&noted.reported);
    harness_pass(&noted.harness, 20 * SECOND);
    assert_noted(&noted, "");
    harness_assert_state(&noted.harness, "BUFFER_PROFILE", "in_lossless",
                         "applied");
    fini(&noted);
}

/* Reads back what the row wants of a profile that was recreated. */
static void
assert_made_again(struct noted *noted, const char *name, sai_object_id_t before)
{
    struct sai_backend *backend = store_backend(noted->harness.store);
    const struct object *profile = find(noted, TABLE_BUFFER_PROFILE, name, -1);
    sai_attribute_t size = {.id = SAI_BUFFER_PROFILE_ATTR_RESERVED_BUFFER_SIZE};

    assert_true(profile->oid != before);
    assert_int_equal(store_type_of(noted->harness.store, before),
                     SAI_OBJECT_TYPE_NULL);
    assert_int_equal(
        backend->ops->get(backend, profile->type, profile->oid, 1, &size),
        SAI_STATUS_SUCCESS);
    assert_int_equal(size.value.u64, 1248);
    text_clear(&noted->reported);
    harness_pass(&noted->harness, 20 * SECOND);
    assert_noted(noted, "");
    harness_assert_state(&noted->harness, "BUFFER_PROFILE", name, "applied");
    harness_assert_state(&noted->harness, "BUFFER_PG", "Ethernet0|3-4",
                         "applied");
}

/* Unbinds the places of a profile behind orchd's back and removes it. */
static sai_object_id_t
steal(struct noted *noted)
{
    struct sai_backend *backend = store_backend(noted->harness.store);
    const struct object *profile =
        find(noted, TABLE_BUFFER_PROFILE, "in_lossless", -1);
    const sai_attribute_t none = {
        .id = SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE,
        .value.oid = SAI_NULL_OBJECT_ID};

    for (int port = 0; port < 2; port++) {
        for (int index = 0; index < 8; index++) {
            const struct object *pg =
                agent_object(noted->harness.agent, TABLE_BUFFER_PG,
                             port ? "Ethernet4" : "Ethernet0", index);

            if (pg && pg->oid != SAI_NULL_OBJECT_ID) {
                (void)backend->ops->set(backend, pg->type, pg->oid, &none);
            }
        }
    }
    assert_int_equal(backend->ops->remove(backend, profile->type, profile->oid),
                     SAI_STATUS_SUCCESS);
    return profile->oid;
}

static void
test_what_is_gone_is_reported(void **state)
{
    struct noted noted;
    sai_object_id_t oid;

    (void)state;
    init(&noted, false);
    oid = steal(&noted);
    harness_pass(&noted.harness, 20 * SECOND);
    assert_non_null(strstr(text_string(&noted.reported),
                           "BUFFER_PROFILE|in_lossless "
                           "BUFFER_PROFILE_ATTR_POOL_ID missing; "));
    assert_true(find(&noted, TABLE_BUFFER_PROFILE, "in_lossless", -1)->oid ==
                oid);
    /* Until a repair is requested. */
    set_repair(&noted, true);
    harness_pass(&noted.harness, 20 * SECOND);
    harness_pass(&noted.harness, 60 * SECOND);
    assert_made_again(&noted, "in_lossless", oid);
    fini(&noted);
}

static void
test_what_is_gone_is_made_again(void **state)
{
    struct noted noted;
    sai_object_id_t oid;

    (void)state;
    init(&noted, true);
    oid = steal(&noted);
    harness_pass(&noted.harness, 20 * SECOND);
    harness_settle(&noted.harness);
    assert_non_null(strstr(text_string(&noted.reported),
                           "BUFFER_PROFILE|in_lossless "
                           "BUFFER_PROFILE_ATTR_POOL_ID missing repaired; "));
    harness_pass(&noted.harness, 60 * SECOND);
    assert_made_again(&noted, "in_lossless", oid);
    fini(&noted);
}

/* Removes a port behind orchd's back. */
static sai_object_id_t
steal_port(struct noted *noted, const char *name)
{
    struct sai_backend *backend = store_backend(noted->harness.store);
    const struct object *port = find(noted, TABLE_PORT, name, -1);
    const sai_object_id_t oid = port->oid;

    assert_int_equal(
        backend->ops->remove(backend, SAI_OBJECT_TYPE_PORT, port->oid),
        SAI_STATUS_SUCCESS);
    return oid;
}

/* Asserts that Ethernet0 is there again, with what rows want of it. */
static void
assert_port_again(struct noted *noted, sai_object_id_t before)
{
    const struct object *port = find(noted, TABLE_PORT, "Ethernet0", -1);
    const struct object *pg = find(noted, TABLE_BUFFER_PG, "Ethernet0", 3);
    const struct object *profile =
        find(noted, TABLE_BUFFER_PROFILE, "in_lossless", -1);

    assert_true(port->oid != before && port->oid != SAI_NULL_OBJECT_ID);
    assert_true(
        read_value(noted, pg, SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE)
            .oid == profile->oid);
    harness_assert_state(&noted->harness, "PORT", "Ethernet0", "applied");
    harness_assert_state(&noted->harness, "BUFFER_PG", "Ethernet0|3-4",
                         "applied");
    text_clear(&noted->reported);
    harness_pass(&noted->harness, 20 * SECOND);
    assert_noted(noted, "");
}

/* What the store really says. */
static const struct sai_backend_ops *truth;

static sai_status_t
refuse(struct sai_backend *backend, sai_object_type_t type, sai_object_id_t oid,
       const sai_attribute_t *attribute)
{
    return attribute->id == SAI_BUFFER_PROFILE_ATTR_XOFF_TH &&
                   type == SAI_OBJECT_TYPE_BUFFER_PROFILE
               ? SAI_STATUS_INSUFFICIENT_RESOURCES
               : truth->set(backend, type, oid, attribute);
}

/* A row that has come to lack its profile keeps what it had, and so does
 * repair. */
static void
test_repair_of_a_row_that_waits(void **state)
{
    const sai_attr_id_t id = SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE;
    const sai_attribute_t none = {.id = id, .value.oid = SAI_NULL_OBJECT_ID};
    struct noted noted;
    const struct object *pg;
    sai_object_id_t bound;

    (void)state;
    init(&noted, true);
    pg = find(&noted, TABLE_BUFFER_PG, "Ethernet0", 3);
    bound = read_value(&noted, pg, id).oid;
    harness_apply(&noted.harness, "BUFFER_PG", "Ethernet0|3-4",
                  "profile=never");
    harness_assert_state(&noted.harness, "BUFFER_PG", "Ethernet0|3-4",
                         "waiting");
    assert_true(read_value(&noted, pg, id).oid == bound);
    meddle(&noted, pg, &none);
    harness_pass(&noted.harness, 20 * SECOND);
    harness_settle(&noted.harness);
    assert_true(read_value(&noted, pg, id).oid == bound);
    fini(&noted);
}

/* A repair that the device refuses leaves nothing as it is meant to be. */
static void
test_a_repair_that_is_refused_is_not_over(void **state)
{
    const sai_attribute_t other = {.id = SAI_BUFFER_PROFILE_ATTR_XOFF_TH,
                                   .value.u64 = 12345};
    struct noted noted;
    struct sai_backend *backend;
    struct sai_backend_ops refusing;

    (void)state;
    init(&noted, true);
    meddle(&noted, find(&noted, TABLE_BUFFER_PROFILE, "in_lossless", -1),
           &other);
    backend = store_backend(noted.harness.store);
    truth = backend->ops;
    refusing = *truth;
    refusing.set = refuse;
    refusing.many = NULL;
    backend->ops = &refusing;
    harness_pass(&noted.harness, 20 * SECOND);
    harness_settle(&noted.harness);
    assert_non_null(strstr(text_string(&noted.reported), "XOFF_TH repaired; "));
    text_clear(&noted.reported);
    harness_pass(&noted.harness, 20 * SECOND);
    assert_noted(&noted, "BUFFER_PROFILE|in_lossless unsettled; ");
    backend->ops = truth;
    harness_pass(&noted.harness, 600 * SECOND);
    harness_settle(&noted.harness);
    text_clear(&noted.reported);
    harness_pass(&noted.harness, 20 * SECOND);
    assert_noted(&noted, "");
    fini(&noted);
}

static void
test_a_port_that_is_gone_is_reported(void **state)
{
    struct noted noted;
    sai_object_id_t oid;

    (void)state;
    init(&noted, false);
    oid = steal_port(&noted, "Ethernet0");
    harness_pass(&noted.harness, 20 * SECOND);
    assert_non_null(strstr(text_string(&noted.reported),
                           "PORT|Ethernet0 PORT_ATTR_SPEED missing; "));
    assert_non_null(
        strstr(text_string(&noted.reported), "BUFFER_PG|Ethernet0|3 "));
    assert_null(strstr(text_string(&noted.reported), "Ethernet4"));
    assert_true(find(&noted, TABLE_PORT, "Ethernet0", -1)->oid == oid);
    set_repair(&noted, true);
    harness_pass(&noted.harness, 20 * SECOND);
    harness_settle(&noted.harness);
    assert_port_again(&noted, oid);
    fini(&noted);
}

static void
test_a_port_that_is_gone_is_made_again(void **state)
{
    struct noted noted;
    sai_object_id_t oid;

    (void)state;
    init(&noted, true);
    oid = steal_port(&noted, "Ethernet0");
    harness_pass(&noted.harness, 20 * SECOND);
    harness_settle(&noted.harness);
    assert_non_null(
        strstr(text_string(&noted.reported), " missing repaired; "));
    assert_null(strstr(text_string(&noted.reported), "impossible"));
    assert_port_again(&noted, oid);
    /* The other port is still taken. */
    harness_apply(&noted.harness, "PORT", "Ethernet8",
                  "lanes=5,6,7,8;speed=100000;admin_status=up");
    assert_string_equal(
        harness_status(&noted.harness, "PORT", "Ethernet8")->blocked_by,
        "PORT|Ethernet4");
    fini(&noted);
}

/* Another process created another port with the same lanes: orchd uses it. */
static void
test_a_port_in_the_place_of_another_is_adopted(void **state)
{
    struct noted noted;
    struct sai_backend *backend;
    sai_u32_list_t lanes;
    uint32_t list[8];
    sai_attribute_t attributes[2] = {{.id = SAI_PORT_ATTR_HW_LANE_LIST},
                                     {.id = SAI_PORT_ATTR_SPEED}};
    sai_object_id_t oid, other;

    (void)state;
    init(&noted, true);
    backend = store_backend(noted.harness.store);
    attributes[0].value.u32list = (sai_u32_list_t){8, list};
    assert_int_equal(
        backend->ops->get(backend, SAI_OBJECT_TYPE_PORT,
                          find(&noted, TABLE_PORT, "Ethernet0", -1)->oid, 2,
                          attributes),
        SAI_STATUS_SUCCESS);
    lanes = attributes[0].value.u32list;
    assert_in_range(lanes.count, 1, 8);
    oid = steal_port(&noted, "Ethernet0");
    assert_int_equal(backend->ops->create(backend, SAI_OBJECT_TYPE_PORT, 2,
                                          attributes, &other),
                     SAI_STATUS_SUCCESS);
    harness_pass(&noted.harness, 20 * SECOND);
    harness_settle(&noted.harness);
    assert_true(find(&noted, TABLE_PORT, "Ethernet0", -1)->oid == other);
    assert_port_again(&noted, oid);
    fini(&noted);
}

/* A place that the device does not know although its port is there. */
static sai_object_id_t absent;

static sai_status_t
deny(struct sai_backend *backend, sai_object_type_t type, sai_object_id_t oid,
     uint32_t n, sai_attribute_t *attributes)
{
    return oid == absent ? SAI_STATUS_ITEM_NOT_FOUND
                         : truth->get(backend, type, oid, n, attributes);
}

static void
test_objects_of_the_device_are_reported_as_beyond_repair(void **state)
{
    struct noted noted;
    struct sai_backend *backend;
    struct sai_backend_ops denying;

    (void)state;
    init(&noted, true);
    backend = store_backend(noted.harness.store);
    truth = backend->ops;
    denying = *truth;
    denying.get = deny;
    backend->ops = &denying;
    absent = find(&noted, TABLE_BUFFER_PG, "Ethernet0", 3)->oid;
    harness_pass(&noted.harness, 20 * SECOND);
    harness_settle(&noted.harness);
    assert_noted(&noted, "BUFFER_PG|Ethernet0|3 "
                         "INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE missing "
                         "impossible; ");
    assert_true(find(&noted, TABLE_BUFFER_PG, "Ethernet0", 3)->oid == absent);
    /* Nor is a port removed that the device lists, whatever else it says. */
    absent = find(&noted, TABLE_PORT, "Ethernet0", -1)->oid;
    harness_pass(&noted.harness, 20 * SECOND);
    harness_settle(&noted.harness);
    assert_non_null(
        strstr(text_string(&noted.reported), " missing impossible; "));
    assert_null(strstr(text_string(&noted.reported), "repaired"));
    assert_true(find(&noted, TABLE_PORT, "Ethernet0", -1)->oid == absent);
    assert_int_equal(store_type_of(noted.harness.store, absent),
                     SAI_OBJECT_TYPE_PORT);
    backend->ops = truth;
    fini(&noted);
}

/* A switch that has another threshold mode than orchd programmed. */
static sai_object_id_t liar;

static sai_status_t
lie(struct sai_backend *backend, sai_object_type_t type, sai_object_id_t oid,
    uint32_t n, sai_attribute_t *attributes)
{
    const sai_status_t status = truth->get(backend, type, oid, n, attributes);

    for (uint32_t i = 0; oid == liar && i < n; i++) {
        if (attributes[i].id == SAI_BUFFER_PROFILE_ATTR_THRESHOLD_MODE) {
            attributes[i].value.s32 = SAI_BUFFER_PROFILE_THRESHOLD_MODE_STATIC;
        }
    }
    return status;
}

static void
test_what_cannot_be_set_is_replaced(void **state)
{
    struct noted noted;
    struct sai_backend *backend;
    struct sai_backend_ops lying;
    const char mode[] = "BUFFER_PROFILE|in_lossless "
                        "BUFFER_PROFILE_ATTR_THRESHOLD_MODE repaired; ";

    (void)state;
    init(&noted, true);
    backend = store_backend(noted.harness.store);
    truth = backend->ops;
    lying = *truth;
    lying.get = lie;
    backend->ops = &lying;
    liar = find(&noted, TABLE_BUFFER_PROFILE, "in_lossless", -1)->oid;
    harness_pass(&noted.harness, 20 * SECOND);
    harness_settle(&noted.harness);
    assert_non_null(strstr(text_string(&noted.reported), mode));
    assert_made_again(&noted, "in_lossless", liar);
    backend->ops = truth;
    fini(&noted);
}

/* Waiting rows and refusals show in the status of the row, not as drift. */
static void
test_a_change_of_ours_is_no_drift(void **state)
{
    struct noted noted;

    (void)state;
    init(&noted, true);
    for (int i = 0; i < 200; i++) {
        harness_put(
            &noted.harness, "BUFFER_PROFILE", "in_lossless",
            i % 2 ? "pool=ingress;size=1248;xon=2288;xoff=35776;dynamic_th=-3"
                  : "pool=ingress;size=1248;xon=2288;xoff=35776;dynamic_th=-2");
        harness_pass(&noted.harness, SECOND / 4);
    }
    assert_noted(&noted, "");
    fini(&noted);
}

/* The slices of a round are spread evenly, the first one at its start. */
static void
test_slices_are_spread_over_the_interval(void **state)
{
    struct drift drift = {.options.interval_ns = 1000};
    struct graph *graph = graph_create();

    (void)state;
    assert_int_equal(graph->objects_by_name.n, 2);
    drift_start(&drift, 500);
    assert_int_equal(drift_next(&drift, graph), 1500);
    drift.cursor = 1;
    assert_int_equal(drift_next(&drift, graph), 2000);
    graph_destroy(graph);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slices_are_spread_over_the_interval),
        cmocka_unit_test(test_what_is_as_it_was_made_has_not_drifted),
        cmocka_unit_test(test_drift_is_reported_in_each_round),
        cmocka_unit_test(test_what_a_tester_has_set_is_left_alone),
        cmocka_unit_test(test_repair_sets_again_what_was_meant),
        cmocka_unit_test(test_what_is_gone_is_reported),
        cmocka_unit_test(test_what_is_gone_is_made_again),
        cmocka_unit_test(test_repair_of_a_row_that_waits),
        cmocka_unit_test(test_a_repair_that_is_refused_is_not_over),
        cmocka_unit_test(test_a_port_that_is_gone_is_reported),
        cmocka_unit_test(test_a_port_that_is_gone_is_made_again),
        cmocka_unit_test(test_a_port_in_the_place_of_another_is_adopted),
        cmocka_unit_test(
            test_objects_of_the_device_are_reported_as_beyond_repair),
        cmocka_unit_test(test_what_cannot_be_set_is_replaced),
        cmocka_unit_test(test_a_change_of_ours_is_no_drift),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
