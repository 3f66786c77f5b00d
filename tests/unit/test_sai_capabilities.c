/* SPDX-License-Identifier: Apache-2.0 */

/* What a libsai says of itself, held against what it does, for all attributes
 * of objects of all types that are plain numbers; and what it answers clients
 * that come in a strange order or with strange ids.
 *
 * The libraries are loaded as any client loads them. */

#include <config.h>

#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

#include "sai/core/metadata.h"
#include "sai/loader/function_table.h"
#include "tests/unit/negative.h"

enum { MAX_VALUES = 64 };

typedef void any_fn(void);

struct queries {
    __typeof__(&sai_query_attribute_capability) attribute;
    __typeof__(&sai_query_attribute_enum_values_capability) values;
    /* NULL in a library that does not export them. */
    __typeof__(&sai_object_type_get_availability) availability;
    __typeof__(&sai_get_object_count) count;
};

static void
resolve(const struct negative_world *w, const char *name, void *function)
{
    void *symbol = dlsym(w->handle, name);

    memcpy(function, &symbol, sizeof symbol);
}

static struct queries
queries_of(const struct negative_world *w)
{
    struct queries q;

    resolve(w, "sai_query_attribute_capability", &q.attribute);
    resolve(w, "sai_query_attribute_enum_values_capability", &q.values);
    resolve(w, "sai_object_type_get_availability", &q.availability);
    resolve(w, "sai_get_object_count", &q.count);
    assert_non_null(q.attribute);
    assert_non_null(q.values);
    return q;
}

/* Returns the function for 'op' on objects of 'type', NULL if the library does
 * not have the API. */
static any_fn *
function_of(const struct negative_world *w, sai_object_type_t type, enum op op)
{
    const struct function_table_row *row = function_table_find(type);
    void *table = NULL;
    any_fn *function;

    if (!row || w->query(row->api, &table) != SAI_STATUS_SUCCESS) {
        return NULL;
    }
    memcpy(&function, (const char *)table + function_table_offset(row, op),
           sizeof function);
    assert_non_null(function);
    return function;
}

static sai_status_t
do_set(const struct negative_world *w, sai_object_type_t type,
       const sai_attribute_t *attribute)
{
    sai_set_port_attribute_fn set =
        (sai_set_port_attribute_fn)function_of(w, type, OP_SET);

    return set(w->objects[type], attribute);
}

static sai_status_t
do_get(const struct negative_world *w, sai_object_type_t type,
       sai_attribute_t *attribute)
{
    sai_get_port_attribute_fn get =
        (sai_get_port_attribute_fn)function_of(w, type, OP_GET);

    return get(w->objects[type], 1, attribute);
}

/* Makes an object of a type that negative_fill() leaves out; a library that
 * does not have the type says so. */
static void
add(struct negative_world *w, sai_object_type_t type, uint32_t n,
    const sai_attribute_t *list)
{
    sai_create_port_fn create =
        (sai_create_port_fn)function_of(w, type, OP_CREATE);
    sai_object_id_t oid = SAI_NULL_OBJECT_ID;

    if (create && create(&oid, w->sw, n, list) == SAI_STATUS_SUCCESS) {
        w->objects[type] = oid;
    }
}

static void
add_routing(struct negative_world *w)
{
    sai_attribute_t list[3] = {0};

    add(w, SAI_OBJECT_TYPE_VIRTUAL_ROUTER, 0, NULL);
    add(w, SAI_OBJECT_TYPE_LAG, 0, NULL);
    add(w, SAI_OBJECT_TYPE_HOSTIF_TRAP_GROUP, 0, NULL);
    list[0].id = SAI_ROUTER_INTERFACE_ATTR_VIRTUAL_ROUTER_ID;
    list[0].value.oid = w->objects[SAI_OBJECT_TYPE_VIRTUAL_ROUTER];
    list[1].id = SAI_ROUTER_INTERFACE_ATTR_TYPE;
    list[1].value.s32 = SAI_ROUTER_INTERFACE_TYPE_PORT;
    list[2].id = SAI_ROUTER_INTERFACE_ATTR_PORT_ID;
    list[2].value.oid = w->objects[SAI_OBJECT_TYPE_PORT];
    add(w, SAI_OBJECT_TYPE_ROUTER_INTERFACE, 3, list);
    memset(list, 0, sizeof list);
    list[0].id = SAI_NEXT_HOP_ATTR_TYPE;
    list[0].value.s32 = SAI_NEXT_HOP_TYPE_IP;
    list[1].id = SAI_NEXT_HOP_ATTR_ROUTER_INTERFACE_ID;
    list[1].value.oid = w->objects[SAI_OBJECT_TYPE_ROUTER_INTERFACE];
    list[2].id = SAI_NEXT_HOP_ATTR_IP;
    list[2].value.ipaddr.addr.ip4 = 0x0100000a;
    add(w, SAI_OBJECT_TYPE_NEXT_HOP, 3, list);
    memset(list, 0, sizeof list);
    list[0].id = SAI_NEXT_HOP_GROUP_ATTR_TYPE;
    list[0].value.s32 = SAI_NEXT_HOP_GROUP_TYPE_DYNAMIC_UNORDERED_ECMP;
    add(w, SAI_OBJECT_TYPE_NEXT_HOP_GROUP, 1, list);
    list[0].id = SAI_NEXT_HOP_GROUP_MEMBER_ATTR_NEXT_HOP_GROUP_ID;
    list[0].value.oid = w->objects[SAI_OBJECT_TYPE_NEXT_HOP_GROUP];
    list[1].id = SAI_NEXT_HOP_GROUP_MEMBER_ATTR_NEXT_HOP_ID;
    list[1].value.oid = w->objects[SAI_OBJECT_TYPE_NEXT_HOP];
    add(w, SAI_OBJECT_TYPE_NEXT_HOP_GROUP_MEMBER, 2, list);
    memset(list, 0, sizeof list);
    list[0].id = SAI_HOSTIF_TRAP_ATTR_TRAP_TYPE;
    list[0].value.s32 = SAI_HOSTIF_TRAP_TYPE_LLDP;
    list[1].id = SAI_HOSTIF_TRAP_ATTR_PACKET_ACTION;
    list[1].value.s32 = SAI_PACKET_ACTION_TRAP;
    add(w, SAI_OBJECT_TYPE_HOSTIF_TRAP, 2, list);
}

static bool
is_plain(const struct metadata_attribute *meta)
{
    switch ((int)meta->kind) {
    case KIND_BOOL:
    case KIND_U8:
    case KIND_S8:
    case KIND_U16:
    case KIND_U32:
    case KIND_S32:
    case KIND_U64:
        return true;
    default:
        return false;
    }
}

/* Fills 'values' with some that the attribute may have, and returns how many;
 * of an enumeration those that the library says it has. */
static uint32_t
legal_values(const struct negative_world *w, const struct queries *q,
             sai_object_type_t type, const struct metadata_attribute *meta,
             int64_t *values)
{
    int32_t members[MAX_VALUES];
    sai_s32_list_t list = {MAX_VALUES, members};
    uint32_t n = 0;

    if (meta->kind == KIND_S32 && meta->enumeration) {
        if (q->values(w->sw, type, meta->id, &list) != SAI_STATUS_SUCCESS) {
            return 0;
        }
        for (uint32_t i = 0; i < list.count; i++) {
            values[n++] = members[i];
        }
    } else if (meta->has_range) {
        values[n++] = meta->min;
        values[n++] = meta->max;
    } else if (type == SAI_OBJECT_TYPE_PORT &&
               meta->id == SAI_PORT_ATTR_SPEED) {
        values[n++] = 1000; /* Mb/s, which every port can do. */
    } else if (type == SAI_OBJECT_TYPE_SWITCH &&
               meta->id == SAI_SWITCH_ATTR_PACKET_TRIM_SIZE) {
        values[n++] = 256; /* Bytes; a few are no packet. */
    } else {
        values[n++] = 1;
        values[n++] = 0;
    }
    return n;
}

static void
complain(const struct metadata_attribute *meta, int64_t value, const char *said,
         sai_status_t status)
{
    fail_msg("%s = %lld: said to be %s, answered %d", meta->name,
             (long long)value, said, status);
}

/* Sets what is said to be settable; it is read back as it was set.  A value may
 * still be beyond the chip, or have no place on this very object. */
static bool
check_settable(const struct negative_world *w, sai_object_type_t type,
               const struct metadata_attribute *meta, int64_t value)
{
    sai_attribute_t attribute = {.id = meta->id}, got = {.id = meta->id};
    const bool conditional = meta->condition == METADATA_REQUIRED_IF_ANY ||
                             meta->condition == METADATA_REQUIRED_IF_ALL;
    sai_status_t status;

    metadata_set_number(meta->kind, value, &attribute.value);
    status = do_set(w, type, &attribute);
    if (status == SAI_STATUS_SUCCESS) {
        assert_int_equal(do_get(w, type, &got), SAI_STATUS_SUCCESS);
        if (metadata_number(meta->kind, &got.value) != value) {
            complain(meta, value, "settable, but is not read back", status);
        }
        return true;
    }
    if (status != SAI_STATUS_INVALID_ATTR_VALUE_0 &&
        !(conditional && status == SAI_STATUS_INVALID_PARAMETER)) {
        complain(meta, value, "settable", status);
    }
    return conditional;
}

/* What is said not to be settable is refused with the right code; only that it
 * be what it is may be asked for. */
static void
check_not_settable(const struct negative_world *w, sai_object_type_t type,
                   const struct metadata_attribute *meta, int64_t value)
{
    const bool fixed =
        meta->flags & (METADATA_FLAG_READ_ONLY | METADATA_FLAG_CREATE_ONLY);
    sai_attribute_t attribute = {.id = meta->id}, now = {.id = meta->id};
    const bool known = do_get(w, type, &now) == SAI_STATUS_SUCCESS;
    sai_status_t status;

    metadata_set_number(meta->kind, value, &attribute.value);
    status = do_set(w, type, &attribute);
    if (fixed ? status == SAI_STATUS_INVALID_ATTRIBUTE_0
              : status == SAI_STATUS_ATTR_NOT_SUPPORTED_0 ||
                    status == SAI_STATUS_ATTR_NOT_IMPLEMENTED_0 ||
                    (status == SAI_STATUS_SUCCESS && known &&
                     metadata_number(meta->kind, &now.value) == value)) {
        return;
    }
    complain(meta, value, "not settable", status);
}

/* Returns how many values were tried. */
static uint32_t
check_attribute(const struct negative_world *w, const struct queries *q,
                sai_object_type_t type, const struct metadata_attribute *meta)
{
    sai_attr_capability_t said;
    int64_t values[MAX_VALUES];
    uint32_t n;
    bool any = false;

    if (q->attribute(w->sw, type, meta->id, &said) != SAI_STATUS_SUCCESS) {
        return 0; /* An old library: it does not know the attribute. */
    }
    n = legal_values(w, q, type, meta, values);
    for (uint32_t i = 0; i < n; i++) {
        if (!said.set_implemented) {
            check_not_settable(w, type, meta, values[i]);
        } else {
            any |= check_settable(w, type, meta, values[i]);
        }
    }
    if (said.set_implemented && n && !any) {
        complain(meta, values[0], "settable, but to nothing", 0);
    }
    return n;
}

/* Returns whether setting the attribute ends or disturbs the test. */
static bool
is_harmful(sai_object_type_t type, sai_attr_id_t id)
{
    return type == SAI_OBJECT_TYPE_SWITCH &&
           (id == SAI_SWITCH_ATTR_INIT_SWITCH ||
            id == SAI_SWITCH_ATTR_RESTART_WARM);
}

/* Returns whether the library says anything of attributes. */
static bool
answers(const struct negative_world *w, const struct queries *q)
{
    sai_attr_capability_t said;

    return q->attribute(w->sw, SAI_OBJECT_TYPE_PORT, SAI_PORT_ATTR_SPEED,
                        &said) == SAI_STATUS_SUCCESS;
}

static void
capabilities(struct negative_world *w)
{
    const struct queries q = queries_of(w);
    const struct metadata_object *objects;
    size_t n, n_types = 0, n_values = 0;

    negative_fill(w);
    add_routing(w);
    objects = metadata_objects(&n);
    for (size_t i = 0; i < n; i++) {
        const sai_object_type_t type = objects[i].type;

        if (w->objects[type] == SAI_NULL_OBJECT_ID) {
            continue;
        }
        n_types++;
        for (uint32_t a = 0; a < objects[i].n_attributes; a++) {
            if (is_plain(&objects[i].attributes[a]) &&
                !is_harmful(type, objects[i].attributes[a].id)) {
                n_values +=
                    check_attribute(w, &q, type, &objects[i].attributes[a]);
            }
        }
    }
    assert_true(n_types >= 9); /* What the smallest of them has. */
    print_message("  %zu types, %zu values\n", n_types, n_values);
    /* One of them says nothing of itself, as old libraries do. */
    assert_true(n_values >= 1000 || !answers(w, &q));
}

static void
test_what_is_said_of_attributes_is_what_happens(void **state)
{
    (void)state;
    negative_on_each_bare(capabilities);
}

/* Strange ids ------------------------------------------------------------ */

/* An id that differs in one bit is nothing, or another object of that switch;
 * nothing is done to what is not there. */
static void
garbage(struct negative_world *w)
{
    sai_attribute_t speed = {.id = SAI_PORT_ATTR_SPEED};

    negative_fill(w);
    for (int type = 1; type < SAI_OBJECT_TYPE_MAX; type++) {
        for (unsigned int bit = 0; w->objects[type] && bit < 64; bit++) {
            const sai_object_id_t oid = w->objects[type] ^ UINT64_C(1) << bit;
            const sai_object_type_t found = w->object_type(oid);

            assert_true(
                w->switch_of(oid) ==
                (found == SAI_OBJECT_TYPE_NULL ? SAI_NULL_OBJECT_ID : w->sw));
            if (found != SAI_OBJECT_TYPE_PORT) {
                sai_get_port_attribute_fn get =
                    (sai_get_port_attribute_fn)function_of(
                        w, SAI_OBJECT_TYPE_PORT, OP_GET);

                assert_int_equal(get(oid, 1, &speed),
                                 found == SAI_OBJECT_TYPE_NULL
                                     ? SAI_STATUS_INVALID_OBJECT_ID
                                     : SAI_STATUS_INVALID_OBJECT_TYPE);
            }
        }
    }
}

static void
test_strange_ids_are_nothing(void **state)
{
    (void)state;
    negative_on_each_bare(garbage);
}

static void
strange_types(struct negative_world *w)
{
    static const int apis[] = {-1, 0, SAI_API_MAX, 4711, INT32_MAX, INT32_MIN};
    static const int types[] = {-1, 0, SAI_OBJECT_TYPE_MAX, 4711, INT32_MAX};
    const struct queries q = queries_of(w);
    sai_attr_capability_t said;
    sai_status_t wrong;
    void *table = NULL;
    uint64_t room = 0;
    uint32_t n = 0;

    negative_fill(w);
    wrong = answers(w, &q) ? SAI_STATUS_INVALID_PARAMETER
                           : SAI_STATUS_NOT_IMPLEMENTED;
    for (size_t i = 0; i < COUNT(apis); i++) {
        assert_int_equal(w->query((sai_api_t)apis[i], &table),
                         SAI_STATUS_INVALID_PARAMETER);
        assert_null(table);
    }
    assert_int_equal(w->query(SAI_API_PORT, NULL),
                     SAI_STATUS_INVALID_PARAMETER);
    for (size_t i = 0; i < COUNT(types); i++) {
        const sai_object_type_t type = (sai_object_type_t)types[i];

        assert_int_equal(q.attribute(w->sw, type, 0, &said), wrong);
        if (q.availability && q.count) {
            assert_int_equal(q.availability(w->sw, type, 0, NULL, &room),
                             SAI_STATUS_INVALID_PARAMETER);
            assert_int_equal(q.count(w->sw, type, &n),
                             SAI_STATUS_INVALID_PARAMETER);
        }
    }
    if (!q.availability || !q.count) {
        return;
    }
    assert_int_equal(q.attribute(w->sw, SAI_OBJECT_TYPE_PORT, 0, NULL),
                     SAI_STATUS_INVALID_PARAMETER);
    assert_int_equal(q.availability(w->sw, SAI_OBJECT_TYPE_PORT, 0, NULL, NULL),
                     SAI_STATUS_INVALID_PARAMETER);
    assert_int_equal(q.count(w->sw, SAI_OBJECT_TYPE_PORT, NULL),
                     SAI_STATUS_INVALID_PARAMETER);
}

static void
test_strange_types_and_apis_are_refused(void **state)
{
    (void)state;
    negative_on_each_bare(strange_types);
}

/* Strange orders --------------------------------------------------------- */

static void
lives(struct negative_world *w)
{
    const sai_attribute_t init = {SAI_SWITCH_ATTR_INIT_SWITCH,
                                  {.booldata = true}};
    sai_attribute_t speed = {.id = SAI_PORT_ATTR_SPEED};
    sai_attribute_t number = {.id = SAI_SWITCH_ATTR_NUMBER_OF_ACTIVE_PORTS};
    sai_object_id_t second = UNTOUCHED;
    void *table = NULL;

    for (int life = 0; life < 3; life++) {
        negative_fill(w);
        assert_int_equal(w->initialize(0, &negative_services),
                         SAI_STATUS_FAILURE);
        assert_int_equal(w->switches->create_switch(&second, 1, &init),
                         SAI_STATUS_ITEM_ALREADY_EXISTS);
        assert_int_equal(second, UNTOUCHED);
        /* With all that is on it, and then nothing of it is left. */
        if (life != 1) {
            assert_int_equal(w->switches->remove_switch(w->sw),
                             SAI_STATUS_SUCCESS);
            assert_int_equal(w->switches->remove_switch(w->sw),
                             SAI_STATUS_INVALID_OBJECT_ID);
            assert_int_equal(do_get(w, SAI_OBJECT_TYPE_PORT, &speed),
                             SAI_STATUS_INVALID_OBJECT_ID);
            assert_int_equal(
                w->switches->get_switch_attribute(w->sw, 1, &number),
                SAI_STATUS_INVALID_OBJECT_ID);
            assert_int_equal(w->object_type(w->sw), SAI_OBJECT_TYPE_NULL);
        }
        assert_int_equal(w->uninitialize(), SAI_STATUS_SUCCESS);
        assert_int_equal(w->uninitialize(), SAI_STATUS_UNINITIALIZED);
        /* Its tables are not to be used any more. */
        assert_int_equal(w->query(SAI_API_SWITCH, &table),
                         SAI_STATUS_UNINITIALIZED);
        assert_int_equal(w->object_type(w->sw), SAI_OBJECT_TYPE_NULL);
        memset(w->objects, 0, sizeof w->objects);
    }
}

static void
test_a_library_lives_more_than_once(void **state)
{
    (void)state;
    negative_on_each_bare(lives);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_said_of_attributes_is_what_happens),
        cmocka_unit_test(test_strange_ids_are_nothing),
        cmocka_unit_test(test_strange_types_and_apis_are_refused),
        cmocka_unit_test(test_a_library_lives_more_than_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
