/* SPDX-License-Identifier: Apache-2.0 */

/* Wrong calls on VLANs, bridges, entries of the forwarding database, and the
 * switch: each has one exact status and changes nothing.
 *
 * All cases run on every libsai of this project, through nothing but what they
 * export.  That nothing has changed is judged by the library's own dump. */

#include <config.h>

#include <string.h>

#include "tests/unit/negative.h"

/* Returns the table of an API, or NULL if the library does not bridge. */
static const void *
table_of(const struct negative_world *w, sai_api_t api)
{
    void *table = NULL;

    return w->query(api, &table) == SAI_STATUS_SUCCESS ? table : NULL;
}

/* --- VLANs and bridges -------------------------------------------------- */

/* A creation whose attribute at 'index' is wrong. */
struct wrong_creation {
    sai_object_type_t type;
    uint32_t n;
    sai_attribute_t list[4];
    sai_status_t status;
};

static void
wrong_creations(const struct negative_world *w)
{
    const sai_object_id_t vlan = w->objects[SAI_OBJECT_TYPE_VLAN];
    const sai_object_id_t bridge_port = w->objects[SAI_OBJECT_TYPE_BRIDGE_PORT];
    const sai_object_id_t port = w->objects[SAI_OBJECT_TYPE_PORT];
    const struct wrong_creation wrong[] = {
        /* VLAN identifiers are 1..4094, and each exists once. */
        {SAI_OBJECT_TYPE_VLAN,
         1,
         {{SAI_VLAN_ATTR_VLAN_ID, {.u16 = 0}}},
         SAI_STATUS_INVALID_ATTR_VALUE_0},
        {SAI_OBJECT_TYPE_VLAN,
         1,
         {{SAI_VLAN_ATTR_VLAN_ID, {.u16 = 4095}}},
         SAI_STATUS_INVALID_ATTR_VALUE_0},
        {SAI_OBJECT_TYPE_VLAN,
         1,
         {{SAI_VLAN_ATTR_VLAN_ID, {.u16 = 1}}},
         SAI_STATUS_ITEM_ALREADY_EXISTS},
        {SAI_OBJECT_TYPE_VLAN,
         2,
         {{SAI_VLAN_ATTR_VLAN_ID, {.u16 = 7}},
          {SAI_VLAN_ATTR_VLAN_ID, {.u16 = 8}}},
         SAI_STATUS_INVALID_ATTRIBUTE_0 - 1},
        {SAI_OBJECT_TYPE_VLAN_MEMBER,
         2,
         {{SAI_VLAN_MEMBER_ATTR_VLAN_ID, {.oid = w->stale}},
          {SAI_VLAN_MEMBER_ATTR_BRIDGE_PORT_ID, {.oid = bridge_port}}},
         SAI_STATUS_INVALID_ATTR_VALUE_0},
        {SAI_OBJECT_TYPE_VLAN_MEMBER,
         2,
         {{SAI_VLAN_MEMBER_ATTR_VLAN_ID, {.oid = vlan}},
          {SAI_VLAN_MEMBER_ATTR_BRIDGE_PORT_ID, {.oid = port}}},
         SAI_STATUS_INVALID_ATTR_VALUE_0 - 1},
        {SAI_OBJECT_TYPE_VLAN_MEMBER,
         1,
         {{SAI_VLAN_MEMBER_ATTR_VLAN_ID, {.oid = vlan}}},
         SAI_STATUS_MANDATORY_ATTRIBUTE_MISSING},
        {SAI_OBJECT_TYPE_VLAN_MEMBER,
         3,
         {{SAI_VLAN_MEMBER_ATTR_VLAN_ID, {.oid = vlan}},
          {SAI_VLAN_MEMBER_ATTR_BRIDGE_PORT_ID, {.oid = bridge_port}},
          {SAI_VLAN_MEMBER_ATTR_VLAN_TAGGING_MODE, {.s32 = 77}}},
         SAI_STATUS_INVALID_ATTR_VALUE_0 - 2},
        {SAI_OBJECT_TYPE_BRIDGE,
         1,
         {{SAI_BRIDGE_ATTR_TYPE, {.s32 = 77}}},
         SAI_STATUS_INVALID_ATTR_VALUE_0},
        {SAI_OBJECT_TYPE_BRIDGE_PORT,
         1,
         {{SAI_BRIDGE_PORT_ATTR_TYPE, {.s32 = SAI_BRIDGE_PORT_TYPE_PORT}}},
         SAI_STATUS_MANDATORY_ATTRIBUTE_MISSING},
        {SAI_OBJECT_TYPE_BRIDGE_PORT,
         2,
         {{SAI_BRIDGE_PORT_ATTR_TYPE, {.s32 = SAI_BRIDGE_PORT_TYPE_PORT}},
          {SAI_BRIDGE_PORT_ATTR_PORT_ID, {.oid = w->stale}}},
         SAI_STATUS_INVALID_ATTR_VALUE_0 - 1},
    };

    if (!vlan) {
        return;
    }
    for (size_t i = 0; i < COUNT(wrong); i++) {
        sai_object_id_t made = UNTOUCHED;

        print_message("  case %zu\n", i);
        assert_int_equal(negative_create(w, negative_row_of(wrong[i].type),
                                         &made, w->sw, wrong[i].n,
                                         wrong[i].list),
                         wrong[i].status);
        assert_int_equal(made, UNTOUCHED);
    }
}

static void
test_wrong_creations_change_nothing(void **state)
{
    (void)state;
    negative_on_each(wrong_creations);
}

/* What others refer to stays, and so does what was there from the start. */
static void
used_objects(const struct negative_world *w)
{
    static const struct {
        sai_object_type_t type;
        sai_status_t status;
    } used[] = {
        {SAI_OBJECT_TYPE_BRIDGE, SAI_STATUS_NOT_SUPPORTED},
        {SAI_OBJECT_TYPE_BRIDGE_PORT, SAI_STATUS_OBJECT_IN_USE},
        {SAI_OBJECT_TYPE_VLAN, SAI_STATUS_NOT_SUPPORTED},
    };

    for (size_t i = 0; i < COUNT(used) && w->objects[used[i].type]; i++) {
        assert_int_equal(negative_remove(w, negative_row_of(used[i].type),
                                         w->objects[used[i].type]),
                         used[i].status);
    }
}

static void
test_objects_in_use_stay(void **state)
{
    (void)state;
    negative_on_each(used_objects);
}

/* --- Entries ------------------------------------------------------------ */

static void
wrong_entries(const struct negative_world *w)
{
    const sai_fdb_api_t *fdb = table_of(w, SAI_API_FDB);
    const sai_attribute_t type = {SAI_FDB_ENTRY_ATTR_TYPE,
                                  {.s32 = SAI_FDB_ENTRY_TYPE_STATIC}};
    const sai_attribute_t bad[] = {type, {.id = NO_SUCH_ATTRIBUTE}};
    const sai_attribute_t twice[] = {type, type};
    const sai_attribute_t enumerator = {SAI_FDB_ENTRY_ATTR_TYPE, {.s32 = 77}};
    sai_attribute_t answer = {.id = SAI_FDB_ENTRY_ATTR_TYPE};
    const sai_fdb_entry_t good = {
        w->sw, {2, 0, 0, 0, 0, 1}, w->objects[SAI_OBJECT_TYPE_VLAN]};
    sai_fdb_entry_t entry = good;

    if (!fdb) {
        return;
    }
    assert_int_equal(fdb->create_fdb_entry(NULL, 1, &type),
                     SAI_STATUS_INVALID_PARAMETER);
    assert_int_equal(fdb->create_fdb_entry(&good, 1, NULL),
                     SAI_STATUS_INVALID_PARAMETER);
    assert_int_equal(fdb->create_fdb_entry(&good, UINT32_MAX, &type),
                     SAI_STATUS_INVALID_PARAMETER);
    assert_int_equal(fdb->create_fdb_entry(&good, 0, NULL),
                     SAI_STATUS_MANDATORY_ATTRIBUTE_MISSING);
    assert_int_equal(fdb->create_fdb_entry(&good, 2, bad),
                     SAI_STATUS_UNKNOWN_ATTRIBUTE_0 - 1);
    assert_int_equal(fdb->create_fdb_entry(&good, 2, twice),
                     SAI_STATUS_INVALID_ATTRIBUTE_0 - 1);
    assert_int_equal(fdb->create_fdb_entry(&good, 1, &enumerator),
                     SAI_STATUS_INVALID_ATTR_VALUE_0);
    assert_int_equal(fdb->remove_fdb_entry(NULL), SAI_STATUS_INVALID_PARAMETER);
    assert_int_equal(fdb->remove_fdb_entry(&good), SAI_STATUS_ITEM_NOT_FOUND);
    assert_int_equal(fdb->set_fdb_entry_attribute(&good, &type),
                     SAI_STATUS_ITEM_NOT_FOUND);
    assert_int_equal(fdb->set_fdb_entry_attribute(&good, NULL),
                     SAI_STATUS_INVALID_PARAMETER);
    assert_int_equal(fdb->get_fdb_entry_attribute(&good, 1, &answer),
                     SAI_STATUS_ITEM_NOT_FOUND);
    entry.switch_id = NO_SUCH_OBJECT;
    assert_int_equal(fdb->create_fdb_entry(&entry, 1, &type),
                     SAI_STATUS_INVALID_OBJECT_ID);
    entry = good;
    entry.bv_id = w->stale;
    assert_int_equal(fdb->create_fdb_entry(&entry, 1, &type),
                     SAI_STATUS_INVALID_OBJECT_ID);
    entry.bv_id = w->objects[SAI_OBJECT_TYPE_PORT];
    assert_int_equal(fdb->create_fdb_entry(&entry, 1, &type),
                     SAI_STATUS_INVALID_OBJECT_TYPE);
    /* One that is there. */
    assert_int_equal(fdb->create_fdb_entry(&good, 1, &type),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(fdb->create_fdb_entry(&good, 1, &type),
                     SAI_STATUS_ITEM_ALREADY_EXISTS);
    assert_int_equal(fdb->get_fdb_entry_attribute(&good, 1, NULL),
                     SAI_STATUS_INVALID_PARAMETER);
    assert_int_equal(fdb->get_fdb_entry_attribute(&good, 0, &answer),
                     SAI_STATUS_INVALID_PARAMETER);
    assert_int_equal(fdb->get_fdb_entry_attribute(&good, UINT32_MAX, &answer),
                     SAI_STATUS_INVALID_PARAMETER);
    assert_int_equal(fdb->set_fdb_entry_attribute(&good, &enumerator),
                     SAI_STATUS_INVALID_ATTR_VALUE_0);
    assert_int_equal(fdb->get_fdb_entry_attribute(&good, 1, &answer),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(answer.value.s32, SAI_FDB_ENTRY_TYPE_STATIC);
    assert_int_equal(fdb->remove_fdb_entry(&good), SAI_STATUS_SUCCESS);
    assert_int_equal(fdb->flush_fdb_entries(NO_SUCH_OBJECT, 0, NULL),
                     SAI_STATUS_INVALID_OBJECT_ID);
    assert_int_equal(fdb->flush_fdb_entries(w->sw, 1, NULL),
                     SAI_STATUS_INVALID_PARAMETER);
}

static void
test_wrong_entries_change_nothing(void **state)
{
    (void)state;
    negative_on_each(wrong_entries);
}

/* --- The switch --------------------------------------------------------- */

static void
wrong_switch_calls(const struct negative_world *w)
{
    const sai_attribute_t unknown = {.id = NO_SUCH_ATTRIBUTE};
    const sai_attribute_t read_only = {SAI_SWITCH_ATTR_PORT_NUMBER, {.u32 = 3}};
    const sai_attribute_t create_only = {SAI_SWITCH_ATTR_SWITCH_PROFILE_ID,
                                         {.u32 = 3}};
    const sai_object_id_t wred = w->objects[SAI_OBJECT_TYPE_WRED];
    sai_attribute_t two[] = {{.id = SAI_SWITCH_ATTR_PORT_NUMBER},
                             {.id = NO_SUCH_ATTRIBUTE}};
    const sai_switch_api_t *api = w->switches;

    assert_int_equal(api->set_switch_attribute(w->sw, NULL),
                     SAI_STATUS_INVALID_PARAMETER);
    assert_int_equal(api->set_switch_attribute(w->sw, &unknown),
                     SAI_STATUS_UNKNOWN_ATTRIBUTE_0);
    assert_int_equal(api->set_switch_attribute(w->sw, &read_only),
                     SAI_STATUS_INVALID_ATTRIBUTE_0);
    assert_int_equal(api->set_switch_attribute(w->sw, &create_only),
                     SAI_STATUS_INVALID_ATTRIBUTE_0);
    assert_int_equal(api->set_switch_attribute(NO_SUCH_OBJECT, &read_only),
                     SAI_STATUS_INVALID_OBJECT_ID);
    assert_int_equal(api->set_switch_attribute(wred, &read_only),
                     SAI_STATUS_INVALID_OBJECT_TYPE);
    assert_int_equal(api->get_switch_attribute(w->sw, 2, two),
                     SAI_STATUS_UNKNOWN_ATTRIBUTE_0 - 1);
    assert_int_equal(api->get_switch_attribute(w->sw, 1, NULL),
                     SAI_STATUS_INVALID_PARAMETER);
    assert_int_equal(api->get_switch_attribute(w->sw, 0, two),
                     SAI_STATUS_INVALID_PARAMETER);
    assert_int_equal(api->get_switch_attribute(w->sw, UINT32_MAX, two),
                     SAI_STATUS_INVALID_PARAMETER);
    assert_int_equal(api->get_switch_attribute(w->stale, 1, two),
                     SAI_STATUS_INVALID_OBJECT_ID);
    assert_int_equal(api->get_switch_attribute(wred, 1, two),
                     SAI_STATUS_INVALID_OBJECT_TYPE);
    assert_int_equal(api->remove_switch(SAI_NULL_OBJECT_ID),
                     SAI_STATUS_INVALID_OBJECT_ID);
}

static void
test_wrong_calls_on_the_switch_change_nothing(void **state)
{
    (void)state;
    negative_on_each(wrong_switch_calls);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong_creations_change_nothing),
        cmocka_unit_test(test_objects_in_use_stay),
        cmocka_unit_test(test_wrong_entries_change_nothing),
        cmocka_unit_test(test_wrong_calls_on_the_switch_change_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
