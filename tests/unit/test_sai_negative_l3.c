/* SPDX-License-Identifier: Apache-2.0 */

/* Wrong calls to the APIs of routing, LAGs and host interfaces: each has one
 * exact status and changes nothing.  The same as test_sai_negative.c for the
 * APIs that only softasic serves. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/text.h"
#include "sai/core/metadata.h"
#include "tests/support/l3_setup.h"

#define NO_SUCH_OBJECT    UINT64_C(0xdeadbeefcafe)
#define NO_SUCH_ATTRIBUTE 0x00777777u

/* The four functions on objects of a type, as offsets in the table of its API,
 * an attribute that can be read, and one that cannot be set. */
static const struct row {
    sai_object_type_t type;
    sai_api_t api;
    size_t create, remove, set, get;
    sai_attr_id_t readable;
    sai_attr_id_t fixed; /* NO_SUCH_ATTRIBUTE: all can be set. */
    bool has_mandatory;
} rows[] = {
#define ROW(TYPE, API, table, name, readable, fixed, has_mandatory)            \
    {                                                                          \
        SAI_OBJECT_TYPE_##TYPE, SAI_API_##API, offsetof(table, create_##name), \
            offsetof(table, remove_##name),                                    \
            offsetof(table, set_##name##_attribute),                           \
            offsetof(table, get_##name##_attribute), readable, fixed,          \
            has_mandatory                                                      \
    }
    ROW(VIRTUAL_ROUTER, VIRTUAL_ROUTER, sai_virtual_router_api_t,
        virtual_router, SAI_VIRTUAL_ROUTER_ATTR_ADMIN_V4_STATE,
        NO_SUCH_ATTRIBUTE, false),
    ROW(ROUTER_INTERFACE, ROUTER_INTERFACE, sai_router_interface_api_t,
        router_interface, SAI_ROUTER_INTERFACE_ATTR_MTU,
        SAI_ROUTER_INTERFACE_ATTR_TYPE, true),
    ROW(NEXT_HOP, NEXT_HOP, sai_next_hop_api_t, next_hop,
        SAI_NEXT_HOP_ATTR_TYPE, SAI_NEXT_HOP_ATTR_IP, true),
    ROW(NEXT_HOP_GROUP, NEXT_HOP_GROUP, sai_next_hop_group_api_t,
        next_hop_group, SAI_NEXT_HOP_GROUP_ATTR_TYPE,
        SAI_NEXT_HOP_GROUP_ATTR_NEXT_HOP_COUNT, true),
    ROW(NEXT_HOP_GROUP_MEMBER, NEXT_HOP_GROUP, sai_next_hop_group_api_t,
        next_hop_group_member, SAI_NEXT_HOP_GROUP_MEMBER_ATTR_WEIGHT,
        SAI_NEXT_HOP_GROUP_MEMBER_ATTR_NEXT_HOP_GROUP_ID, true),
    ROW(LAG, LAG, sai_lag_api_t, lag, SAI_LAG_ATTR_PORT_VLAN_ID,
        SAI_LAG_ATTR_PORT_LIST, false),
    ROW(LAG_MEMBER, LAG, sai_lag_api_t, lag_member,
        SAI_LAG_MEMBER_ATTR_EGRESS_DISABLE, SAI_LAG_MEMBER_ATTR_PORT_ID, true),
    ROW(HASH, HASH, sai_hash_api_t, hash, SAI_HASH_ATTR_NATIVE_HASH_FIELD_LIST,
        NO_SUCH_ATTRIBUTE, false),
    ROW(HOSTIF, HOSTIF, sai_hostif_api_t, hostif, SAI_HOSTIF_ATTR_TYPE,
        SAI_HOSTIF_ATTR_NAME, true),
    ROW(HOSTIF_TABLE_ENTRY, HOSTIF, sai_hostif_api_t, hostif_table_entry,
        SAI_HOSTIF_TABLE_ENTRY_ATTR_TYPE,
        SAI_HOSTIF_TABLE_ENTRY_ATTR_CHANNEL_TYPE, true),
    ROW(HOSTIF_TRAP_GROUP, HOSTIF, sai_hostif_api_t, hostif_trap_group,
        SAI_HOSTIF_TRAP_GROUP_ATTR_QUEUE,
        SAI_HOSTIF_TRAP_GROUP_ATTR_OBJECT_STAGE, false),
    ROW(HOSTIF_TRAP, HOSTIF, sai_hostif_api_t, hostif_trap,
        SAI_HOSTIF_TRAP_ATTR_PACKET_ACTION, SAI_HOSTIF_TRAP_ATTR_TRAP_TYPE,
        true),
    ROW(HOSTIF_USER_DEFINED_TRAP, HOSTIF, sai_hostif_api_t,
        hostif_user_defined_trap, SAI_HOSTIF_USER_DEFINED_TRAP_ATTR_TYPE,
        SAI_HOSTIF_USER_DEFINED_TRAP_ATTR_TYPE, true),
#undef ROW
};

/* A switch with one object of each of these types, and one that was removed. */
struct world {
    struct asic_setup *bench;
    sai_object_id_t ports[2];
    sai_object_id_t objects[SAI_OBJECT_TYPE_MAX];
    sai_object_id_t stale;
    char *before; /* What the objects were at the last look. */
};

typedef void any_fn(void);

static any_fn *
function_at(const struct row *row, size_t offset)
{
    void *table = NULL;
    any_fn *function;

    assert_int_equal(sai_api_query(row->api, &table), SAI_STATUS_SUCCESS);
    memcpy(&function, (const char *)table + offset, sizeof function);
    return function;
}

static sai_status_t
create(const struct row *row, sai_object_id_t *oid, sai_object_id_t sw,
       uint32_t n, const sai_attribute_t *attributes)
{
    return ((sai_create_lag_fn)function_at(row, row->create))(oid, sw, n,
                                                              attributes);
}

static sai_status_t
remove_object(const struct row *row, sai_object_id_t oid)
{
    return ((sai_remove_lag_fn)function_at(row, row->remove))(oid);
}

static sai_status_t
set(const struct row *row, sai_object_id_t oid,
    const sai_attribute_t *attribute)
{
    return ((sai_set_lag_attribute_fn)function_at(row, row->set))(oid,
                                                                  attribute);
}

static sai_status_t
get(const struct row *row, sai_object_id_t oid, uint32_t n,
    sai_attribute_t *attributes)
{
    return ((sai_get_lag_attribute_fn)function_at(row, row->get))(oid, n,
                                                                  attributes);
}

/* Returns all that can be read of objects. */
static char *
picture(void)
{
    char path[] = "/tmp/negative-XXXXXX";
    const int fd = mkstemp(path);
    char bytes[4096];
    struct text text = {0};
    ssize_t n;

    assert_return_code(fd, 0);
    assert_int_equal(sai_dbg_generate_dump(path), SAI_STATUS_SUCCESS);
    while ((n = read(fd, bytes, sizeof bytes)) > 0) {
        text_add_bytes(&text, bytes, (size_t)n);
    }
    close(fd);
    unlink(path);
    return text_take(&text);
}

/* Make a picture; compare with it. */
static void
look(struct world *w)
{
    w->before = picture();
}

static void
expect_unchanged(struct world *w)
{
    char *after = picture();

    assert_string_equal(w->before, after);
    free(after);
    free(w->before);
    w->before = NULL;
}

static void
make(struct world *w, sai_object_type_t type, uint32_t n,
     const sai_attribute_t *attributes)
{
    for (uint32_t i = 0; i < N(rows); i++) {
        if (rows[i].type == type) {
            assert_int_equal(create(&rows[i], &w->objects[type], w->bench->sw,
                                    n, attributes),
                             SAI_STATUS_SUCCESS);
        }
    }
}

static void
furnish(struct world *w, struct asic_setup *bench)
{
    const sai_attribute_t group = {
        SAI_NEXT_HOP_GROUP_ATTR_TYPE,
        {.s32 = SAI_NEXT_HOP_GROUP_TYPE_DYNAMIC_UNORDERED_ECMP}};
    const sai_attribute_t fd[] = {
        {SAI_HOSTIF_ATTR_TYPE, {.s32 = SAI_HOSTIF_TYPE_FD}}};
    const sai_attribute_t wild[] = {
        {SAI_HOSTIF_TABLE_ENTRY_ATTR_TYPE,
         {.s32 = SAI_HOSTIF_TABLE_ENTRY_TYPE_WILDCARD}},
        {SAI_HOSTIF_TABLE_ENTRY_ATTR_CHANNEL_TYPE,
         {.s32 = SAI_HOSTIF_TABLE_ENTRY_CHANNEL_TYPE_CB}}};
    const sai_attribute_t user = {
        SAI_HOSTIF_USER_DEFINED_TRAP_ATTR_TYPE,
        {.s32 = SAI_HOSTIF_USER_DEFINED_TRAP_TYPE_ROUTER}};
    sai_attribute_t pair[2];

    memset(w, 0, sizeof *w);
    w->bench = bench;
    w->ports[0] = asic_setup_add_port(bench, 1000);
    w->ports[1] = asic_setup_add_port(bench, 1001);
    w->objects[SAI_OBJECT_TYPE_ROUTER_INTERFACE] =
        l3_setup_interface(bench, w->ports[0], 0);
    w->objects[SAI_OBJECT_TYPE_NEXT_HOP] =
        l3_setup_next_hop(bench, w->objects[SAI_OBJECT_TYPE_ROUTER_INTERFACE],
                          l3_setup_v4(10, 0, 0, 2));
    w->objects[SAI_OBJECT_TYPE_HOSTIF_TRAP] =
        l3_setup_trap(bench, SAI_HOSTIF_TRAP_TYPE_LLDP, SAI_PACKET_ACTION_TRAP);
    make(w, SAI_OBJECT_TYPE_VIRTUAL_ROUTER, 0, NULL);
    make(w, SAI_OBJECT_TYPE_NEXT_HOP_GROUP, 1, &group);
    make(w, SAI_OBJECT_TYPE_LAG, 0, NULL);
    make(w, SAI_OBJECT_TYPE_HASH, 0, NULL);
    make(w, SAI_OBJECT_TYPE_HOSTIF, 1, fd);
    make(w, SAI_OBJECT_TYPE_HOSTIF_TABLE_ENTRY, 2, wild);
    make(w, SAI_OBJECT_TYPE_HOSTIF_TRAP_GROUP, 0, NULL);
    make(w, SAI_OBJECT_TYPE_HOSTIF_USER_DEFINED_TRAP, 1, &user);
    pair[0] =
        (sai_attribute_t){SAI_NEXT_HOP_GROUP_MEMBER_ATTR_NEXT_HOP_GROUP_ID,
                          {.oid = w->objects[SAI_OBJECT_TYPE_NEXT_HOP_GROUP]}};
    pair[1] = (sai_attribute_t){SAI_NEXT_HOP_GROUP_MEMBER_ATTR_NEXT_HOP_ID,
                                {.oid = w->objects[SAI_OBJECT_TYPE_NEXT_HOP]}};
    make(w, SAI_OBJECT_TYPE_NEXT_HOP_GROUP_MEMBER, 2, pair);
    pair[0] = (sai_attribute_t){SAI_LAG_MEMBER_ATTR_LAG_ID,
                                {.oid = w->objects[SAI_OBJECT_TYPE_LAG]}};
    pair[1] =
        (sai_attribute_t){SAI_LAG_MEMBER_ATTR_PORT_ID, {.oid = w->ports[1]}};
    make(w, SAI_OBJECT_TYPE_LAG_MEMBER, 2, pair);
    assert_int_equal(bench->lag_api->create_lag(&w->stale, bench->sw, 0, NULL),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(bench->lag_api->remove_lag(w->stale), SAI_STATUS_SUCCESS);
}

/* Objects -------------------------------------------------------------- */

static void
test_wrong_objects_are_distinguished(void **state)
{
    struct world w;

    furnish(&w, *state);
    look(&w);
    for (uint32_t i = 0; i < N(rows); i++) {
        const struct row *row = &rows[i];
        const struct {
            sai_object_id_t oid;
            sai_status_t status;
        } cases[] = {
            {SAI_NULL_OBJECT_ID, SAI_STATUS_INVALID_OBJECT_ID},
            {NO_SUCH_OBJECT, SAI_STATUS_INVALID_OBJECT_ID},
            {UINT64_MAX, SAI_STATUS_INVALID_OBJECT_ID},
            {w.stale, SAI_STATUS_INVALID_OBJECT_ID},
            {w.objects[row->type] + 1, SAI_STATUS_INVALID_OBJECT_ID},
            {w.bench->sw, SAI_STATUS_INVALID_OBJECT_TYPE},
            {w.ports[0], SAI_STATUS_INVALID_OBJECT_TYPE},
        };

        for (uint32_t c = 0; c < N(cases); c++) {
            sai_attribute_t attribute = {.id = row->readable};

            assert_int_equal(remove_object(row, cases[c].oid), cases[c].status);
            assert_int_equal(set(row, cases[c].oid, &attribute),
                             cases[c].status);
            assert_int_equal(get(row, cases[c].oid, 1, &attribute),
                             cases[c].status);
        }
    }
    expect_unchanged(&w);
}

static void
test_missing_memory_and_wrong_switch(void **state)
{
    struct world w;

    furnish(&w, *state);
    look(&w);
    for (uint32_t i = 0; i < N(rows); i++) {
        const struct row *row = &rows[i];
        const sai_object_id_t one = w.objects[row->type];
        sai_attribute_t attribute = {.id = row->readable};
        sai_object_id_t oid = NO_SUCH_OBJECT;

        assert_int_equal(create(row, NULL, w.bench->sw, 0, NULL),
                         SAI_STATUS_INVALID_PARAMETER);
        assert_int_equal(create(row, &oid, w.bench->sw, 1, NULL),
                         SAI_STATUS_INVALID_PARAMETER);
        assert_int_equal(create(row, &oid, w.bench->sw, UINT32_MAX, NULL),
                         SAI_STATUS_INVALID_PARAMETER);
        assert_int_equal(create(row, &oid, one, 0, NULL),
                         SAI_STATUS_INVALID_OBJECT_ID);
        assert_int_equal(create(row, &oid, SAI_NULL_OBJECT_ID, 0, NULL),
                         SAI_STATUS_INVALID_OBJECT_ID);
        assert_int_equal(set(row, one, NULL), SAI_STATUS_INVALID_PARAMETER);
        assert_int_equal(get(row, one, 0, &attribute),
                         SAI_STATUS_INVALID_PARAMETER);
        assert_int_equal(get(row, one, 1, NULL), SAI_STATUS_INVALID_PARAMETER);
        assert_true(oid == NO_SUCH_OBJECT);
    }
    expect_unchanged(&w);
}

static void
test_wrong_attributes_are_named(void **state)
{
    struct world w;

    furnish(&w, *state);
    look(&w);
    for (uint32_t i = 0; i < N(rows); i++) {
        const struct row *row = &rows[i];
        const sai_object_id_t one = w.objects[row->type];
        sai_attribute_t two[] = {{.id = row->readable},
                                 {.id = NO_SUCH_ATTRIBUTE}};
        sai_attribute_t fixed = {.id = row->fixed};
        sai_object_id_t oid;

        assert_int_equal(get(row, one, 2, two),
                         SAI_STATUS_UNKNOWN_ATTRIBUTE_0 - 1);
        assert_int_equal(set(row, one, &two[1]),
                         SAI_STATUS_UNKNOWN_ATTRIBUTE_0);
        assert_int_equal(create(row, &oid, w.bench->sw, 1, &two[1]),
                         SAI_STATUS_UNKNOWN_ATTRIBUTE_0);
        if (row->fixed != NO_SUCH_ATTRIBUTE) {
            assert_int_equal(set(row, one, &fixed),
                             SAI_STATUS_INVALID_ATTRIBUTE_0);
        }
        if (row->has_mandatory) {
            assert_int_equal(create(row, &oid, w.bench->sw, 0, NULL),
                             SAI_STATUS_MANDATORY_ATTRIBUTE_MISSING);
        }
    }
    expect_unchanged(&w);
}

/* Values that the metadata, or the switch, refuses. */
static void
test_wrong_values_change_nothing(void **state)
{
    struct world w;

    furnish(&w, *state);
    {
        const sai_object_id_t rif = w.objects[SAI_OBJECT_TYPE_ROUTER_INTERFACE];
        const struct {
            const char *name;
            sai_object_type_t type;
            sai_attribute_t attribute;
            sai_status_t status;
        } cases[] = {
            {"action beyond the enumeration",
             SAI_OBJECT_TYPE_HOSTIF_TRAP,
             {SAI_HOSTIF_TRAP_ATTR_PACKET_ACTION, {.s32 = 99}},
             SAI_STATUS_INVALID_ATTR_VALUE_0},
            {"trap group of another type",
             SAI_OBJECT_TYPE_HOSTIF_TRAP,
             {SAI_HOSTIF_TRAP_ATTR_TRAP_GROUP, {.oid = rif}},
             SAI_STATUS_INVALID_ATTR_VALUE_0},
            {"next hop that is gone",
             SAI_OBJECT_TYPE_NEXT_HOP_GROUP_MEMBER,
             {SAI_NEXT_HOP_GROUP_MEMBER_ATTR_NEXT_HOP_ID, {.oid = w.stale}},
             SAI_STATUS_INVALID_ATTR_VALUE_0},
            {"null next hop",
             SAI_OBJECT_TYPE_NEXT_HOP_GROUP_MEMBER,
             {SAI_NEXT_HOP_GROUP_MEMBER_ATTR_NEXT_HOP_ID, {.oid = 0}},
             SAI_STATUS_INVALID_ATTR_VALUE_0},
            {"group in a group",
             SAI_OBJECT_TYPE_NEXT_HOP_GROUP_MEMBER,
             {SAI_NEXT_HOP_GROUP_MEMBER_ATTR_NEXT_HOP_ID,
              {.oid = w.objects[SAI_OBJECT_TYPE_NEXT_HOP_GROUP]}},
             SAI_STATUS_ATTR_NOT_SUPPORTED_0},
            {"address of a group",
             SAI_OBJECT_TYPE_VIRTUAL_ROUTER,
             {SAI_VIRTUAL_ROUTER_ATTR_SRC_MAC_ADDRESS, {.mac = {1}}},
             SAI_STATUS_INVALID_ATTR_VALUE_0},
            {"no address",
             SAI_OBJECT_TYPE_ROUTER_INTERFACE,
             {SAI_ROUTER_INTERFACE_ATTR_SRC_MAC_ADDRESS, {.mac = {0}}},
             SAI_STATUS_INVALID_ATTR_VALUE_0},
            {"zone of address translation",
             SAI_OBJECT_TYPE_ROUTER_INTERFACE,
             {SAI_ROUTER_INTERFACE_ATTR_NAT_ZONE_ID, {.u8 = 1}},
             SAI_STATUS_ATTR_NOT_SUPPORTED_0},
            {"VLAN of a LAG beyond its range",
             SAI_OBJECT_TYPE_LAG,
             {SAI_LAG_ATTR_PORT_VLAN_ID, {.u16 = 4096}},
             SAI_STATUS_INVALID_ATTR_VALUE_0},
            {"frames with a tag are not dropped",
             SAI_OBJECT_TYPE_LAG,
             {SAI_LAG_ATTR_DROP_TAGGED, {.booldata = true}},
             SAI_STATUS_ATTR_NOT_SUPPORTED_0},
        };

        look(&w);
        for (uint32_t c = 0; c < N(cases); c++) {
            for (uint32_t i = 0; i < N(rows); i++) {
                if (rows[i].type == cases[c].type) {
                    print_message("%s\n", cases[c].name);
                    assert_int_equal(set(&rows[i], w.objects[cases[c].type],
                                         &cases[c].attribute),
                                     cases[c].status);
                }
            }
        }
        expect_unchanged(&w);
    }
}

static void
test_wrong_creations_change_nothing(void **state)
{
    struct world w;
    sai_object_id_t oid;
    sai_attribute_t rif[] = {
        {SAI_ROUTER_INTERFACE_ATTR_VIRTUAL_ROUTER_ID, {0}},
        {SAI_ROUTER_INTERFACE_ATTR_TYPE,
         {.s32 = SAI_ROUTER_INTERFACE_TYPE_PORT}},
        {SAI_ROUTER_INTERFACE_ATTR_PORT_ID, {0}},
        {SAI_ROUTER_INTERFACE_ATTR_OUTER_VLAN_ID, {0}},
    };
    const sai_attribute_t again[] = {
        {SAI_HOSTIF_TRAP_ATTR_TRAP_TYPE, {.s32 = SAI_HOSTIF_TRAP_TYPE_LLDP}},
        {SAI_HOSTIF_TRAP_ATTR_PACKET_ACTION, {.s32 = SAI_PACKET_ACTION_TRAP}}};
    sai_attribute_t hop[] = {
        {SAI_NEXT_HOP_ATTR_TYPE, {.s32 = SAI_NEXT_HOP_TYPE_IP}},
        {SAI_NEXT_HOP_ATTR_ROUTER_INTERFACE_ID, {0}},
        {SAI_NEXT_HOP_ATTR_IP, {.ipaddr = {.addr_family = 9}}},
    };

    furnish(&w, *state);
    look(&w);
    rif[0].value.oid = w.objects[SAI_OBJECT_TYPE_VIRTUAL_ROUTER];
    rif[2].value.oid = w.ports[0];
#define CREATE(n) create(&rows[1], &oid, w.bench->sw, n, rif)
    assert_int_equal(rows[1].type, SAI_OBJECT_TYPE_ROUTER_INTERFACE);
    assert_int_equal(CREATE(3), SAI_STATUS_ITEM_ALREADY_EXISTS);
    assert_int_equal(CREATE(2), SAI_STATUS_MANDATORY_ATTRIBUTE_MISSING);
    /* A tag does not exist on an interface without one. */
    assert_int_equal(CREATE(4), SAI_STATUS_INVALID_PARAMETER);
    rif[1].value.s32 = SAI_ROUTER_INTERFACE_TYPE_SUB_PORT;
    assert_int_equal(CREATE(4), SAI_STATUS_INVALID_ATTR_VALUE_0 - 3);
    rif[3].value.u16 = 4095;
    assert_int_equal(CREATE(4), SAI_STATUS_INVALID_ATTR_VALUE_0 - 3);
    rif[1].value.s32 = SAI_ROUTER_INTERFACE_TYPE_PORT;
    rif[2].value.oid = w.ports[1]; /* A member of a LAG. */
    assert_int_equal(CREATE(3), SAI_STATUS_OBJECT_IN_USE);
    rif[2].value.oid = l3_setup_switch_oid(w.bench, SAI_SWITCH_ATTR_CPU_PORT);
    assert_int_equal(CREATE(3), SAI_STATUS_INVALID_ATTR_VALUE_0 - 2);
    rif[2].value.oid = w.objects[SAI_OBJECT_TYPE_NEXT_HOP];
    assert_int_equal(CREATE(3), SAI_STATUS_INVALID_ATTR_VALUE_0 - 2);
    rif[1].value.s32 = SAI_ROUTER_INTERFACE_TYPE_MPLS_ROUTER;
    assert_int_equal(CREATE(2), SAI_STATUS_ATTR_NOT_SUPPORTED_0 - 1);
#undef CREATE
    assert_int_equal(
        w.bench->hostif_api->create_hostif_trap(&oid, w.bench->sw, 2, again),
        SAI_STATUS_ITEM_ALREADY_EXISTS);
    hop[1].value.oid = w.objects[SAI_OBJECT_TYPE_ROUTER_INTERFACE];
    assert_int_equal(
        w.bench->hop_api->create_next_hop(&oid, w.bench->sw, 3, hop),
        SAI_STATUS_INVALID_ATTR_VALUE_0 - 2);
    expect_unchanged(&w);
}

/* Entries -------------------------------------------------------------- */

static void
test_wrong_keys_of_routes(void **state)
{
    struct world w;
    sai_route_entry_t good;
    sai_attribute_t action = {SAI_ROUTE_ENTRY_ATTR_PACKET_ACTION,
                              {.s32 = SAI_PACKET_ACTION_DROP}};

    furnish(&w, *state);
    good = l3_setup_route_key(w.bench, l3_setup_v4(10, 0, 0, 0), 8);
    look(&w);
    for (int i = 0; i < 8; i++) {
        static const sai_status_t wanted[] = {
            SAI_STATUS_INVALID_OBJECT_ID,   SAI_STATUS_INVALID_OBJECT_ID,
            SAI_STATUS_INVALID_OBJECT_TYPE, SAI_STATUS_INVALID_PARAMETER,
            SAI_STATUS_INVALID_PARAMETER,   SAI_STATUS_INVALID_PARAMETER,
            SAI_STATUS_INVALID_OBJECT_ID,   SAI_STATUS_INVALID_PARAMETER};
        sai_route_entry_t key = good;

        switch (i) {
        case 0:
            key.switch_id = SAI_NULL_OBJECT_ID;
            break;
        case 1:
            key.vr_id = w.stale;
            break;
        case 2:
            key.vr_id = w.ports[0];
            break;
        case 3:
            key.destination.addr_family = (sai_ip_addr_family_t)7;
            break;
        case 4: /* A mask with a hole. */
            key.destination.mask.ip6[2] = 0xff;
            break;
        case 5: /* A bit behind the mask. */
            key.destination.addr.ip6[3] = 1;
            break;
        case 6:
            key.vr_id = NO_SUCH_OBJECT;
            break;
        default:
            break;
        }
        assert_int_equal(w.bench->route_api->create_route_entry(
                             i == 7 ? NULL : &key, 1, &action),
                         wanted[i]);
        assert_int_equal(
            w.bench->route_api->remove_route_entry(i == 7 ? NULL : &key),
            wanted[i]);
        assert_int_equal(w.bench->route_api->set_route_entry_attribute(
                             i == 7 ? NULL : &key, &action),
                         wanted[i]);
        assert_int_equal(w.bench->route_api->get_route_entry_attribute(
                             i == 7 ? NULL : &key, 1, &action),
                         wanted[i]);
    }
    assert_int_equal(w.bench->route_api->remove_route_entry(&good),
                     SAI_STATUS_ITEM_NOT_FOUND);
    expect_unchanged(&w);
}

static void
test_wrong_attributes_of_entries(void **state)
{
    struct world w;
    sai_route_entry_t route;
    sai_neighbor_entry_t neighbor;
    sai_attribute_t a = {SAI_ROUTE_ENTRY_ATTR_NEXT_HOP_ID, {0}};
    sai_attribute_t group = {SAI_NEIGHBOR_ENTRY_ATTR_DST_MAC_ADDRESS,
                             {.mac = {1}}};
    sai_attribute_t list[2];
    uint32_t n;

    furnish(&w, *state);
    route = l3_setup_route_key(w.bench, l3_setup_v4(10, 0, 0, 0), 8);
    look(&w);
    a.value.oid = w.ports[0]; /* Only the processor's is a target. */
    assert_int_equal(w.bench->route_api->create_route_entry(&route, 1, &a),
                     SAI_STATUS_INVALID_ATTR_VALUE_0);
    a.value.oid = w.stale;
    assert_int_equal(w.bench->route_api->create_route_entry(&route, 1, &a),
                     SAI_STATUS_INVALID_ATTR_VALUE_0);
    a.id = NO_SUCH_ATTRIBUTE;
    assert_int_equal(w.bench->route_api->create_route_entry(&route, 1, &a),
                     SAI_STATUS_UNKNOWN_ATTRIBUTE_0);
    list[0] = (sai_attribute_t){SAI_ROUTE_ENTRY_ATTR_PACKET_ACTION, {0}};
    list[1] = (sai_attribute_t){SAI_ROUTE_ENTRY_ATTR_META_DATA, {.u32 = 5}};
    assert_int_equal(w.bench->route_api->create_route_entry(&route, 2, list),
                     SAI_STATUS_ATTR_NOT_SUPPORTED_0 - 1);
    assert_int_equal(w.bench->route_api->create_route_entry(&route, 1, NULL),
                     SAI_STATUS_INVALID_PARAMETER);
    neighbor = l3_setup_neighbor_key(
        w.bench, w.objects[SAI_OBJECT_TYPE_ROUTER_INTERFACE],
        l3_setup_v4(10, 0, 0, 2));
    assert_int_equal(
        w.bench->neighbor_api->create_neighbor_entry(&neighbor, 0, NULL),
        SAI_STATUS_MANDATORY_ATTRIBUTE_MISSING);
    assert_int_equal(
        w.bench->neighbor_api->create_neighbor_entry(&neighbor, 1, &group),
        SAI_STATUS_INVALID_ATTR_VALUE_0);
    group.value.mac[0] = 2;
    neighbor.ip_address = l3_setup_v4(224, 0, 0, 5);
    assert_int_equal(
        w.bench->neighbor_api->create_neighbor_entry(&neighbor, 1, &group),
        SAI_STATUS_INVALID_PARAMETER);
    neighbor.rif_id = w.ports[0];
    assert_int_equal(
        w.bench->neighbor_api->create_neighbor_entry(&neighbor, 1, &group),
        SAI_STATUS_INVALID_OBJECT_TYPE);
    assert_int_equal(
        w.bench->neighbor_api->remove_all_neighbor_entries(w.ports[0]),
        SAI_STATUS_INVALID_OBJECT_ID);
    assert_int_equal(
        sai_get_object_count(w.bench->sw, SAI_OBJECT_TYPE_ROUTE_ENTRY, &n),
        SAI_STATUS_SUCCESS);
    assert_int_equal(n, 0);
    expect_unchanged(&w);
}

/* Bulk calls and counters ---------------------------------------------- */

static void
test_wrong_bulk_calls(void **state)
{
    const sai_bulk_op_error_mode_t stop = SAI_BULK_OP_ERROR_MODE_STOP_ON_ERROR;
    struct world w;
    sai_status_t status = 77;
    const uint32_t one = 1;
    const sai_attribute_t attribute = {0};
    const sai_attribute_t *lists[] = {&attribute};
    sai_attribute_t got = {0};
    sai_attribute_t *gots[] = {&got};
    sai_object_id_t oid = SAI_NULL_OBJECT_ID;
    sai_route_entry_t route = {0};
    const sai_hostif_api_t *hostif;
    uint64_t value;
    const sai_stat_id_t wrong = 0x777;

    furnish(&w, *state);
    hostif = w.bench->hostif_api;
    look(&w);
#define WRONG(call) assert_int_equal(call, SAI_STATUS_INVALID_PARAMETER)
    WRONG(w.bench->route_api->create_route_entries(0, &route, &one, lists, stop,
                                                   &status));
    WRONG(w.bench->route_api->create_route_entries(1, NULL, &one, lists, stop,
                                                   &status));
    WRONG(w.bench->route_api->create_route_entries(1, &route, NULL, lists, stop,
                                                   &status));
    WRONG(w.bench->route_api->create_route_entries(1, &route, &one, NULL, stop,
                                                   &status));
    WRONG(w.bench->route_api->create_route_entries(1, &route, &one, lists, stop,
                                                   NULL));
    WRONG(w.bench->route_api->remove_route_entries(1, &route, stop, NULL));
    WRONG(w.bench->route_api->set_route_entries_attribute(1, &route, NULL, stop,
                                                          &status));
    WRONG(w.bench->route_api->get_route_entries_attribute(1, &route, NULL, gots,
                                                          stop, &status));
    WRONG(w.bench->hop_api->create_next_hops(w.bench->sw, 0, &one, lists, stop,
                                             &oid, &status));
    WRONG(w.bench->hop_api->remove_next_hops(1, NULL, stop, &status));
    WRONG(w.bench->lag_api->create_lag_members(w.bench->sw, 1, &one, lists,
                                               stop, NULL, &status));
    assert_int_equal(status, 77);
    WRONG(w.bench->interface_api->get_router_interface_stats(
        w.objects[SAI_OBJECT_TYPE_ROUTER_INTERFACE], 1, &wrong, &value));
    WRONG(w.bench->interface_api->get_router_interface_stats(
        w.objects[SAI_OBJECT_TYPE_ROUTER_INTERFACE], 0, &wrong, &value));
    assert_int_equal(w.bench->interface_api->get_router_interface_stats(
                         w.ports[0], 1, &wrong, &value),
                     SAI_STATUS_INVALID_OBJECT_TYPE);
#undef WRONG
    assert_int_equal(hostif->send_hostif_packet(oid, 0, NULL, 0, NULL),
                     SAI_STATUS_NOT_IMPLEMENTED);
    assert_int_equal(hostif->recv_hostif_packet(oid, NULL, NULL, NULL, NULL),
                     SAI_STATUS_NOT_IMPLEMENTED);
    assert_int_equal(hostif->allocate_hostif_packet(oid, 0, NULL, 0, NULL),
                     SAI_STATUS_NOT_IMPLEMENTED);
    assert_int_equal(hostif->free_hostif_packet(oid, NULL),
                     SAI_STATUS_NOT_IMPLEMENTED);
    expect_unchanged(&w);
}

int
main(void)
{
#define TEST(name)                                                             \
    cmocka_unit_test_setup_teardown(name, asic_setup_setup_generic,            \
                                    asic_setup_teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_wrong_objects_are_distinguished),
        TEST(test_missing_memory_and_wrong_switch),
        TEST(test_wrong_attributes_are_named),
        TEST(test_wrong_values_change_nothing),
        TEST(test_wrong_creations_change_nothing),
        TEST(test_wrong_keys_of_routes),
        TEST(test_wrong_attributes_of_entries),
        TEST(test_wrong_bulk_calls),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
