/* SPDX-License-Identifier: Apache-2.0 */

/* Wrong calls to a libsai as a client of it makes them, on objects of all
 * types: each has one exact status and changes nothing.
 *
 * All cases run on every libsai of this project, through nothing but what they
 * export.  That nothing has changed is judged by the library's own dump. */

#include <config.h>

#include <string.h>

#include "sai/core/metadata.h"
#include "tests/support/tempfile.h"
#include "tests/unit/negative.h"

/* --- Objects ------------------------------------------------------------ */

/* Returns an object of another type than 'type'. */
static sai_object_id_t
another(const struct negative_world *w, sai_object_type_t type)
{
    return w->objects[type == SAI_OBJECT_TYPE_WRED ? SAI_OBJECT_TYPE_SCHEDULER
                                                   : SAI_OBJECT_TYPE_WRED];
}

static void
wrong_objects(const struct negative_world *w)
{
    const struct negative_row *row;

    for (size_t i = 0; (row = negative_row(w, i)) != NULL; i++) {
        const struct {
            sai_object_id_t oid;
            sai_status_t status;
        } wrong[] = {
            {SAI_NULL_OBJECT_ID, SAI_STATUS_INVALID_OBJECT_ID},
            {w->stale, SAI_STATUS_INVALID_OBJECT_ID},
            {NO_SUCH_OBJECT, SAI_STATUS_INVALID_OBJECT_ID},
            {UINT64_MAX, SAI_STATUS_INVALID_OBJECT_ID},
            {another(w, row->type), SAI_STATUS_INVALID_OBJECT_TYPE},
            {w->sw, SAI_STATUS_INVALID_OBJECT_TYPE},
        };

        negative_tell(row);
        for (size_t j = 0; j < COUNT(wrong); j++) {
            sai_attribute_t good = {.id = row->good};
            const sai_stat_id_t id = 0;
            uint64_t value = UNTOUCHED;

            assert_int_equal(negative_remove(w, row, wrong[j].oid),
                             wrong[j].status);
            assert_int_equal(negative_set(w, row, wrong[j].oid, &good),
                             wrong[j].status);
            assert_int_equal(negative_get(w, row, wrong[j].oid, 1, &good),
                             wrong[j].status);
            if (row->stats) {
                assert_int_equal(
                    negative_stats(w, row, wrong[j].oid, 1, &id, &value),
                    wrong[j].status);
                assert_int_equal(value, UNTOUCHED);
            }
        }
    }
    assert_int_equal(w->switches->remove_switch(w->stale),
                     SAI_STATUS_INVALID_OBJECT_ID);
    assert_int_equal(
        w->switches->remove_switch(w->objects[SAI_OBJECT_TYPE_PORT]),
        SAI_STATUS_INVALID_OBJECT_TYPE);
    assert_int_equal(w->object_type(w->stale), SAI_OBJECT_TYPE_NULL);
    assert_int_equal(w->object_type(SAI_NULL_OBJECT_ID), SAI_OBJECT_TYPE_NULL);
    assert_true(w->switch_of(w->stale) == SAI_NULL_OBJECT_ID);
    assert_true(w->switch_of(w->sw) == w->sw);
    for (size_t i = 0; (row = negative_row(w, i)) != NULL; i++) {
        assert_int_equal(w->object_type(w->objects[row->type]), row->type);
    }
}

static void
test_wrong_objects_are_distinguished(void **state)
{
    (void)state;
    negative_on_each(wrong_objects);
}

/* --- Memory and counts -------------------------------------------------- */

static void
missing_memory(const struct negative_world *w)
{
    const struct negative_row *row;

    for (size_t i = 0; (row = negative_row(w, i)) != NULL; i++) {
        const sai_object_id_t oid = w->objects[row->type];
        sai_attribute_t good = {.id = row->good};
        const sai_stat_id_t id = 0;
        uint64_t value = UNTOUCHED;
        sai_object_id_t made = UNTOUCHED;

        negative_tell(row);
        assert_int_equal(negative_create(w, row, NULL, w->sw, 1, &good),
                         SAI_STATUS_INVALID_PARAMETER);
        assert_int_equal(negative_create(w, row, &made, w->sw, 1, NULL),
                         SAI_STATUS_INVALID_PARAMETER);
        /* The list has one element; the library must not read a second one. */
        assert_int_equal(
            negative_create(w, row, &made, w->sw, UINT32_MAX, &good),
            SAI_STATUS_INVALID_PARAMETER);
        assert_int_equal(made, UNTOUCHED);
        assert_int_equal(negative_set(w, row, oid, NULL),
                         SAI_STATUS_INVALID_PARAMETER);
        assert_int_equal(negative_get(w, row, oid, 0, &good),
                         SAI_STATUS_INVALID_PARAMETER);
        assert_int_equal(negative_get(w, row, oid, 1, NULL),
                         SAI_STATUS_INVALID_PARAMETER);
        assert_int_equal(negative_get(w, row, oid, UINT32_MAX, &good),
                         SAI_STATUS_INVALID_PARAMETER);
        if (row->stats) {
            assert_int_equal(negative_stats(w, row, oid, 1, NULL, &value),
                             SAI_STATUS_INVALID_PARAMETER);
            assert_int_equal(negative_stats(w, row, oid, 1, &id, NULL),
                             SAI_STATUS_INVALID_PARAMETER);
            assert_int_equal(
                negative_stats(w, row, oid, UINT32_MAX, &id, &value),
                SAI_STATUS_INVALID_PARAMETER);
            assert_int_equal(value, UNTOUCHED);
        }
    }
}

static void
test_missing_memory_and_absurd_counts(void **state)
{
    (void)state;
    negative_on_each(missing_memory);
}

/* Reads one attribute of an object of 'type', which may be the switch. */
static sai_status_t
read_list(const struct negative_world *w, sai_object_type_t type,
          sai_object_id_t oid, sai_attribute_t *list)
{
    return type == SAI_OBJECT_TYPE_SWITCH
               ? w->switches->get_switch_attribute(oid, 1, list)
               : negative_get(w, negative_row_of(type), oid, 1, list);
}

/* A list that is short gets the count and nothing else. */
static void
short_lists(const struct negative_world *w)
{
    static const struct {
        sai_object_type_t type;
        sai_attr_id_t id;
    } lists[] = {
        {SAI_OBJECT_TYPE_SWITCH, SAI_SWITCH_ATTR_PORT_LIST},
        {SAI_OBJECT_TYPE_PORT, SAI_PORT_ATTR_QOS_QUEUE_LIST},
        {SAI_OBJECT_TYPE_PORT, SAI_PORT_ATTR_INGRESS_PRIORITY_GROUP_LIST},
        {SAI_OBJECT_TYPE_PORT, SAI_PORT_ATTR_HW_LANE_LIST},
    };

    for (size_t i = 0; i < COUNT(lists); i++) {
        const sai_object_id_t oid = w->objects[lists[i].type];
        const sai_object_type_t type = lists[i].type;
        unsigned char memory[16], untouched[16];
        sai_attribute_t list = {.id = lists[i].id};
        uint32_t needed;

        memset(memory, UNTOUCHED, sizeof memory);
        memset(untouched, UNTOUCHED, sizeof untouched);
        assert_int_equal(read_list(w, type, oid, &list),
                         SAI_STATUS_BUFFER_OVERFLOW);
        needed = list.value.objlist.count;
        assert_true(needed > 1);
        list.value.objlist.count = 1;
        list.value.objlist.list = (sai_object_id_t *)(void *)memory;
        assert_int_equal(read_list(w, type, oid, &list),
                         SAI_STATUS_BUFFER_OVERFLOW);
        assert_int_equal(list.value.objlist.count, needed);
        assert_memory_equal(memory, untouched, sizeof memory);
        list.value.objlist.count = UINT32_MAX;
        list.value.objlist.list = NULL;
        assert_int_equal(read_list(w, type, oid, &list),
                         SAI_STATUS_BUFFER_OVERFLOW);
        assert_int_equal(list.value.objlist.count, needed);
    }
}

static void
test_short_lists_get_the_count_only(void **state)
{
    (void)state;
    negative_on_each(short_lists);
}

/* --- Attributes --------------------------------------------------------- */

static void
wrong_attributes(const struct negative_world *w)
{
    const struct negative_row *row;

    for (size_t i = 0; (row = negative_row(w, i)) != NULL; i++) {
        const sai_object_id_t oid = w->objects[row->type];
        const struct metadata_object *meta = metadata_object(row->type);
        const sai_attribute_t unknown = {.id = NO_SUCH_ATTRIBUTE};
        sai_attribute_t two[] = {{.id = row->good}, unknown};
        sai_object_id_t made = UNTOUCHED;

        negative_tell(row);
        assert_int_equal(negative_set(w, row, oid, &unknown),
                         SAI_STATUS_UNKNOWN_ATTRIBUTE_0);
        assert_int_equal(negative_create(w, row, &made, w->sw, 1, &unknown),
                         SAI_STATUS_UNKNOWN_ATTRIBUTE_0);
        assert_int_equal(negative_get(w, row, oid, 1, &two[1]),
                         SAI_STATUS_UNKNOWN_ATTRIBUTE_0);
        assert_int_equal(negative_get(w, row, oid, 2, two),
                         SAI_STATUS_UNKNOWN_ATTRIBUTE_0 - 1);
        if (row->needs_attributes) {
            assert_int_equal(negative_create(w, row, &made, w->sw, 0, NULL),
                             SAI_STATUS_MANDATORY_ATTRIBUTE_MISSING);
        }
        assert_int_equal(
            negative_create(w, row, &made, NO_SUCH_OBJECT, 0, NULL),
            SAI_STATUS_INVALID_OBJECT_ID);
        assert_int_equal(
            negative_create(w, row, &made, SAI_NULL_OBJECT_ID, 0, NULL),
            SAI_STATUS_INVALID_OBJECT_ID);
        for (uint32_t a = 0; a < meta->n_attributes; a++) {
            const struct metadata_attribute *attribute = &meta->attributes[a];
            const sai_attribute_t given = {.id = attribute->id};

            if (attribute->since > 10900) {
                continue; /* Not every library knows it. */
            }
            if (!(attribute->flags & METADATA_FLAG_CREATE_AND_SET)) {
                assert_int_equal(negative_set(w, row, oid, &given),
                                 SAI_STATUS_INVALID_ATTRIBUTE_0);
            }
            if (attribute->flags & METADATA_FLAG_READ_ONLY) {
                assert_int_equal(
                    negative_create(w, row, &made, w->sw, 1, &given),
                    SAI_STATUS_INVALID_ATTRIBUTE_0);
            }
        }
        assert_int_equal(made, UNTOUCHED);
    }
}

static void
test_wrong_attributes_are_named(void **state)
{
    (void)state;
    negative_on_each(wrong_attributes);
}

/* --- The library -------------------------------------------------------- */

static void
wrong_entries(const struct negative_world *w)
{
    char nowhere[TEMPFILE_SIZE];
    const sai_attribute_t init = {SAI_SWITCH_ATTR_INIT_SWITCH,
                                  {.booldata = true}};
    sai_object_id_t oid = UNTOUCHED;
    void *table = NULL;

    assert_int_equal(w->initialize(0, &negative_services), SAI_STATUS_FAILURE);
    assert_int_equal(w->initialize(1, &negative_services),
                     SAI_STATUS_INVALID_PARAMETER);
    assert_int_equal(w->initialize(0, NULL), SAI_STATUS_INVALID_PARAMETER);
    assert_int_equal(w->query(SAI_API_PORT, NULL),
                     SAI_STATUS_INVALID_PARAMETER);
    assert_int_equal(w->query(SAI_API_UNSPECIFIED, &table),
                     SAI_STATUS_INVALID_PARAMETER);
    assert_int_equal(w->query((sai_api_t)12345, &table),
                     SAI_STATUS_INVALID_PARAMETER);
    assert_null(table);
    assert_int_equal(w->query_version(NULL), SAI_STATUS_INVALID_PARAMETER);
    assert_int_equal(w->log_set((sai_api_t)12345, SAI_LOG_LEVEL_WARN),
                     SAI_STATUS_INVALID_PARAMETER);
    assert_int_equal(w->log_set(SAI_API_PORT, (sai_log_level_t)99),
                     SAI_STATUS_INVALID_PARAMETER);
    assert_int_equal(w->dump(NULL), SAI_STATUS_INVALID_PARAMETER);
    tempfile_missing(nowhere, "dump");
    assert_int_equal(w->dump(nowhere), SAI_STATUS_INVALID_PARAMETER);
    assert_int_equal(w->switches->create_switch(&oid, 1, &init),
                     SAI_STATUS_ITEM_ALREADY_EXISTS);
    assert_int_equal(w->switches->create_switch(NULL, 1, &init),
                     SAI_STATUS_INVALID_PARAMETER);
    assert_int_equal(oid, UNTOUCHED);
}

static void
test_wrong_calls_of_entry_points(void **state)
{
    (void)state;
    negative_on_each(wrong_entries);
}

/* Before there is a switch, and before there is anything. */
static void
early(struct negative_world *w)
{
    static const sai_object_type_t types[] = {
        SAI_OBJECT_TYPE_PORT,           SAI_OBJECT_TYPE_BUFFER_POOL,
        SAI_OBJECT_TYPE_BUFFER_PROFILE, SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP,
        SAI_OBJECT_TYPE_QUEUE,          SAI_OBJECT_TYPE_QOS_MAP,
        SAI_OBJECT_TYPE_SCHEDULER,      SAI_OBJECT_TYPE_SCHEDULER_GROUP,
        SAI_OBJECT_TYPE_WRED,           SAI_OBJECT_TYPE_VLAN,
        SAI_OBJECT_TYPE_VLAN_MEMBER,    SAI_OBJECT_TYPE_BRIDGE,
        SAI_OBJECT_TYPE_BRIDGE_PORT,
    };
    void *table = NULL;

    assert_int_equal(w->query(SAI_API_PORT, &table), SAI_STATUS_UNINITIALIZED);
    assert_null(table);
    assert_int_equal(w->uninitialize(), SAI_STATUS_UNINITIALIZED);
    assert_int_equal(w->object_type(1), SAI_OBJECT_TYPE_NULL);
    assert_int_equal(w->initialize(0, &negative_services), SAI_STATUS_SUCCESS);
    for (size_t i = 0; i < COUNT(types); i++) {
        const struct negative_row *row = negative_row_of(types[i]);
        sai_attribute_t good = {.id = row->good};
        sai_object_id_t oid;

        if (w->query(row->api, &table) != SAI_STATUS_SUCCESS) {
            continue; /* This library does not have the API. */
        }
        assert_int_equal(negative_create(w, row, &oid, 1, 1, &good),
                         SAI_STATUS_UNINITIALIZED);
        /* There is no object, whatever its id. */
        assert_int_equal(negative_remove(w, row, 1),
                         SAI_STATUS_INVALID_OBJECT_ID);
        assert_int_equal(negative_set(w, row, 1, &good),
                         SAI_STATUS_INVALID_OBJECT_ID);
        assert_int_equal(negative_get(w, row, 1, 1, &good),
                         SAI_STATUS_INVALID_OBJECT_ID);
    }
}

static void
test_calls_that_come_too_early(void **state)
{
    (void)state;
    negative_on_each_bare(early);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong_objects_are_distinguished),
        cmocka_unit_test(test_missing_memory_and_absurd_counts),
        cmocka_unit_test(test_short_lists_get_the_count_only),
        cmocka_unit_test(test_wrong_attributes_are_named),
        cmocka_unit_test(test_wrong_calls_of_entry_points),
        cmocka_unit_test(test_calls_that_come_too_early),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
