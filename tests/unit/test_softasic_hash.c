/* SPDX-License-Identifier: Apache-2.0 */

/* Hashes through SAI: what can be set, what is refused, and by which path
 * packets leave. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/l3_setup.h"
#include "twin/forwarding/flow_hash.h"
#include "twin/forwarding/packet.h"
#include "vendors/softasic/program/hashes.h"

enum { PATHS = 4, FRAME_BYTES = 100, DESTINATION_PORT = 4791 };

#define OK(call) assert_int_equal(call, SAI_STATUS_SUCCESS)

/* 50.0.0.0/8 and 2000::/16 have PATHS paths, by ports 1 to PATHS. */
struct fixture {
    struct asic_setup *bench;
    const sai_hash_api_t *hash_api;
    sai_object_id_t ports[PATHS + 1];
    sai_mac_t mac; /* Of the router. */
};

static void
use(struct fixture *f, struct asic_setup *bench)
{
    sai_attribute_t mac = {.id = SAI_SWITCH_ATTR_SRC_MAC_ADDRESS};
    sai_object_id_t hops[PATHS];
    sai_object_id_t group;
    void *table;

    OK(sai_api_query(SAI_API_HASH, &table));
    f->hash_api = table;
    f->bench = bench;
    for (uint32_t i = 0; i <= PATHS; i++) {
        sai_object_id_t interface;

        f->ports[i] = asic_setup_add_port(bench, 1000 + i);
        asic_setup_port_bool(bench, f->ports[i], SAI_PORT_ATTR_ADMIN_STATE,
                             true);
        interface = l3_setup_interface(bench, f->ports[i], 0);
        if (i) {
            const sai_ip_address_t address = l3_setup_v4(10, 0, (uint8_t)i, 2);

            l3_setup_neighbor(bench, interface, address, (uint8_t)i);
            hops[i - 1] = l3_setup_next_hop(bench, interface, address);
        }
    }
    group = l3_setup_group(bench, PATHS, hops);
    l3_setup_route(bench, l3_setup_v4(50, 0, 0, 0), 8, group);
    l3_setup_route(bench, l3_setup_v6(2, 0), 16, group);
    OK(bench->switch_api->get_switch_attribute(bench->sw, 1, &mac));
    memcpy(f->mac, mac.value.mac, sizeof f->mac);
}

static sai_status_t
set_switch(const struct fixture *f, sai_attr_id_t id,
           sai_attribute_value_t value)
{
    const sai_attribute_t attribute = {.id = id, .value = value};

    return f->bench->switch_api->set_switch_attribute(f->bench->sw, &attribute);
}

static sai_attribute_value_t
get_switch(const struct fixture *f, sai_attr_id_t id)
{
    sai_attribute_t attribute = {.id = id};

    OK(f->bench->switch_api->get_switch_attribute(f->bench->sw, 1, &attribute));
    return attribute.value;
}

/* An attribute with a list of fields. */
static sai_attribute_t
list_of(uint32_t n, const int32_t *fields)
{
    static int32_t copy[40];

    memcpy(copy, fields, n * sizeof *fields);
    return (sai_attribute_t){.id = SAI_HASH_ATTR_NATIVE_HASH_FIELD_LIST,
                             .value.s32list = {.count = n, .list = copy}};
}

#define LIST(...)                                                              \
    list_of(N(((const int32_t[]){__VA_ARGS__})), (const int32_t[]){__VA_ARGS__})

static sai_status_t
set_fields(const struct fixture *f, sai_object_id_t hash,
           sai_attribute_t attribute)
{
    return f->hash_api->set_hash_attribute(hash, &attribute);
}

/* Sends a packet of flow 'flow'.  Returns the number of the port by which it
 * leaves. */
static uint32_t
path_of(const struct fixture *f, uint16_t flow, bool is_v6)
{
    struct softasic_send send = {
        .from = f->ports[0], .n_frames = 1, .frame_bytes = FRAME_BYTES};
    const struct softasic_ip ip = {
        .source = is_v6 ? l3_setup_v6(1, 9) : l3_setup_v4(10, 0, 0, 9),
        .destination = is_v6 ? l3_setup_v6(2, 7) : l3_setup_v4(50, 0, 0, 1),
        .ttl = 64,
        .protocol = PACKET_UDP,
        .source_port = flow,
        .destination_port = DESTINATION_PORT};
    struct softasic_sent sent;
    uint32_t path = 0;

    memcpy(send.destination, f->mac, sizeof f->mac);
    OK(f->bench->ops->send_ip(&send, &ip, &sent));
    OK(f->bench->ops->settle(NULL));
    for (uint32_t i = 1; i <= PATHS; i++) {
        struct softasic_received rows[8];
        uint32_t n = N(rows);

        OK(f->bench->ops->received(f->ports[i], &n, rows));
        if (n) {
            assert_int_equal(path, 0);
            path = i;
        }
    }
    assert_int_not_equal(path, 0);
    return path;
}

/* Returns how many paths 60 flows take that differ in the source port. */
static int
count_paths(const struct fixture *f, bool is_v6)
{
    uint32_t used = 0;

    for (uint16_t flow = 0; flow < 60; flow++) {
        used |= 1u << path_of(f, flow, is_v6);
    }
    return __builtin_popcount(used);
}

static void
test_defaults(void **state)
{
    struct fixture f;
    int32_t fields[8];
    sai_attribute_t list = {.id = SAI_HASH_ATTR_NATIVE_HASH_FIELD_LIST,
                            .value.s32list = {N(fields), fields}};
    sai_object_id_t hash;

    use(&f, *state);
    hash = get_switch(&f, SAI_SWITCH_ATTR_ECMP_HASH).oid;
    assert_int_equal(sai_object_type_query(hash), SAI_OBJECT_TYPE_HASH);
    assert_true(hash != get_switch(&f, SAI_SWITCH_ATTR_LAG_HASH).oid);
    OK(f.hash_api->get_hash_attribute(hash, 1, &list));
    assert_int_equal(list.value.s32list.count, 5);
    assert_int_equal(fields[0], SAI_NATIVE_HASH_FIELD_SRC_IP);
    assert_int_equal(fields[4], SAI_NATIVE_HASH_FIELD_L4_DST_PORT);
    assert_int_equal(f.hash_api->remove_hash(hash), SAI_STATUS_NOT_SUPPORTED);
    assert_true(get_switch(&f, SAI_SWITCH_ATTR_ECMP_HASH_IPV4).oid ==
                SAI_NULL_OBJECT_ID);
    assert_int_equal(
        get_switch(&f, SAI_SWITCH_ATTR_ECMP_DEFAULT_HASH_ALGORITHM).s32,
        SAI_HASH_ALGORITHM_CRC);
    assert_int_equal(count_paths(&f, false), PATHS);
    assert_int_equal(count_paths(&f, true), PATHS);
}

static void
test_fields_decide(void **state)
{
    struct fixture f;
    sai_object_id_t hash;

    use(&f, *state);
    hash = get_switch(&f, SAI_SWITCH_ATTR_ECMP_HASH).oid;
    OK(set_fields(
        &f, hash,
        LIST(SAI_NATIVE_HASH_FIELD_SRC_IP, SAI_NATIVE_HASH_FIELD_DST_IP)));
    assert_int_equal(count_paths(&f, false), 1);
    OK(set_fields(&f, hash, LIST(SAI_NATIVE_HASH_FIELD_L4_SRC_PORT)));
    assert_int_equal(count_paths(&f, false), PATHS);
    /* Fields of one family do not apply to the other. */
    OK(set_fields(
        &f, hash,
        LIST(SAI_NATIVE_HASH_FIELD_SRC_IPV6, SAI_NATIVE_HASH_FIELD_NONE)));
    assert_int_equal(count_paths(&f, false), 1);
}

static void
test_families_have_hashes_of_their_own(void **state)
{
    struct fixture f;
    const sai_attribute_t list = LIST(SAI_NATIVE_HASH_FIELD_DST_IP);
    sai_object_id_t hash;

    use(&f, *state);
    OK(f.hash_api->create_hash(&hash, f.bench->sw, 1, &list));
    OK(set_switch(&f, SAI_SWITCH_ATTR_ECMP_HASH_IPV4,
                  (sai_attribute_value_t){.oid = hash}));
    assert_int_equal(count_paths(&f, false), 1);
    assert_int_equal(count_paths(&f, true), PATHS);
    assert_int_equal(f.hash_api->remove_hash(hash), SAI_STATUS_OBJECT_IN_USE);
    OK(set_switch(&f, SAI_SWITCH_ATTR_ECMP_HASH_IPV6,
                  (sai_attribute_value_t){.oid = hash}));
    OK(set_switch(&f, SAI_SWITCH_ATTR_ECMP_HASH_IPV4,
                  (sai_attribute_value_t){.oid = SAI_NULL_OBJECT_ID}));
    assert_int_equal(count_paths(&f, false), PATHS);
    assert_int_equal(count_paths(&f, true), 1);
    OK(set_switch(&f, SAI_SWITCH_ATTR_ECMP_HASH_IPV6,
                  (sai_attribute_value_t){.oid = SAI_NULL_OBJECT_ID}));
    OK(f.hash_api->remove_hash(hash));
}

/* Returns the path of flow 'flow' by the hash itself. */
static uint32_t
expected_path(const struct flow_hash_config *config, uint16_t flow)
{
    const struct packet packet = {.src = {ADDRESS_V4, {10, 0, 0, 9}},
                                  .dst = {ADDRESS_V4, {50, 0, 0, 1}},
                                  .protocol = PACKET_UDP,
                                  .src_port = flow,
                                  .dst_port = DESTINATION_PORT};
    struct flow_hash hash;

    flow_hash_init(&hash, config);
    return 1 + flow_hash(&hash, &packet) % PATHS;
}

static void
test_algorithm_seed_and_offset_decide(void **state)
{
    static const struct {
        int32_t name;
        enum flow_hash_algorithm algorithm;
        uint32_t seed;
        uint8_t offset;
    } cases[] = {
        {SAI_HASH_ALGORITHM_CRC, FLOW_HASH_CRC_32, 0, 0},
        {SAI_HASH_ALGORITHM_CRC, FLOW_HASH_CRC_32, 7, 0},
        {SAI_HASH_ALGORITHM_CRC, FLOW_HASH_CRC_32, 7, 31},
        {SAI_HASH_ALGORITHM_XOR, FLOW_HASH_XOR, 2, 3},
        {SAI_HASH_ALGORITHM_CRC_32LO, FLOW_HASH_CRC_32_LOW, 1, 5},
        {SAI_HASH_ALGORITHM_CRC_32HI, FLOW_HASH_CRC_32_HIGH, 1, 5},
        {SAI_HASH_ALGORITHM_CRC_CCITT, FLOW_HASH_CRC_CCITT, 0xffff, 9},
    };
    struct fixture f;

    use(&f, *state);
    for (uint32_t i = 0; i < N(cases); i++) {
        struct flow_hash_config config = flow_hash_default();

        config.algorithm = cases[i].algorithm;
        config.seed = cases[i].seed;
        config.offset = cases[i].offset;
        OK(set_switch(&f, SAI_SWITCH_ATTR_ECMP_DEFAULT_HASH_ALGORITHM,
                      (sai_attribute_value_t){.s32 = cases[i].name}));
        OK(set_switch(&f, SAI_SWITCH_ATTR_ECMP_DEFAULT_HASH_SEED,
                      (sai_attribute_value_t){.u32 = cases[i].seed}));
        OK(set_switch(&f, SAI_SWITCH_ATTR_ECMP_DEFAULT_HASH_OFFSET,
                      (sai_attribute_value_t){.u8 = cases[i].offset}));
        assert_int_equal(
            get_switch(&f, SAI_SWITCH_ATTR_ECMP_DEFAULT_HASH_OFFSET).u8,
            cases[i].offset);
        for (uint16_t flow = 49152; flow < 49172; flow++) {
            assert_int_equal(path_of(&f, flow, false),
                             expected_path(&config, flow));
        }
    }
}

static void
test_unsupported_hashes_are_refused(void **state)
{
    static const int32_t fields[] = {SAI_NATIVE_HASH_FIELD_INNER_SRC_IP,
                                     SAI_NATIVE_HASH_FIELD_IN_PORT,
                                     SAI_NATIVE_HASH_FIELD_MPLS_LABEL_0,
                                     SAI_NATIVE_HASH_FIELD_IPV6_FLOW_LABEL,
                                     SAI_NATIVE_HASH_FIELD_RDMA_BTH_OPCODE,
                                     SAI_NATIVE_HASH_FIELD_RDMA_BTH_DEST_QP};
    static const int32_t algorithms[] = {
        SAI_HASH_ALGORITHM_RANDOM,     SAI_HASH_ALGORITHM_CRC_XOR,
        SAI_HASH_ALGORITHM_NONE,       SAI_HASH_ALGORITHM_ROUND_ROBIN,
        SAI_HASH_ALGORITHM_JENKINS_LO, SAI_HASH_ALGORITHM_JENKINS_HI};
    static const sai_attr_id_t hashes[] = {
        SAI_SWITCH_ATTR_ECMP_HASH_IPV4_IN_IPV4,
        SAI_SWITCH_ATTR_ECMP_HASH_IPV4_RDMA,
        SAI_SWITCH_ATTR_ECMP_HASH_IPV6_RDMA,
        SAI_SWITCH_ATTR_LAG_HASH_IPV4_IN_IPV4,
        SAI_SWITCH_ATTR_LAG_HASH_IPV4_RDMA,
        SAI_SWITCH_ATTR_LAG_HASH_IPV6_RDMA};
    struct fixture f;
    sai_object_id_t hash;
    sai_object_id_t made;

    use(&f, *state);
    hash = get_switch(&f, SAI_SWITCH_ATTR_ECMP_HASH).oid;
    for (uint32_t i = 0; i < N(fields); i++) {
        const sai_attribute_t list = list_of(1, &fields[i]);

        assert_int_equal(set_fields(&f, hash, list),
                         SAI_STATUS_ATTR_NOT_SUPPORTED_0);
        assert_int_equal(f.hash_api->create_hash(&made, f.bench->sw, 1, &list),
                         SAI_STATUS_ATTR_NOT_SUPPORTED_0);
    }
    assert_int_equal(set_fields(&f, hash,
                                LIST(SAI_NATIVE_HASH_FIELD_DST_IP,
                                     SAI_NATIVE_HASH_FIELD_DST_IP)),
                     SAI_STATUS_INVALID_ATTR_VALUE_0);
    for (uint32_t i = 0; i < N(algorithms); i++) {
        const sai_attribute_value_t value = {.s32 = algorithms[i]};

        assert_int_equal(
            set_switch(&f, SAI_SWITCH_ATTR_ECMP_DEFAULT_HASH_ALGORITHM, value),
            SAI_STATUS_ATTR_NOT_SUPPORTED_0);
        assert_int_equal(
            set_switch(&f, SAI_SWITCH_ATTR_LAG_DEFAULT_HASH_ALGORITHM, value),
            SAI_STATUS_ATTR_NOT_SUPPORTED_0);
    }
    for (uint32_t i = 0; i < N(hashes); i++) {
        assert_int_equal(
            set_switch(&f, hashes[i], (sai_attribute_value_t){.oid = hash}),
            SAI_STATUS_ATTR_NOT_SUPPORTED_0);
    }
    assert_int_equal(set_switch(&f, SAI_SWITCH_ATTR_ECMP_DEFAULT_SYMMETRIC_HASH,
                                (sai_attribute_value_t){.booldata = true}),
                     SAI_STATUS_ATTR_NOT_SUPPORTED_0);
    assert_int_equal(set_switch(&f, SAI_SWITCH_ATTR_LAG_DEFAULT_HASH_OFFSET,
                                (sai_attribute_value_t){.u8 = 32}),
                     SAI_STATUS_INVALID_ATTR_VALUE_0);
    /* Nothing has changed. */
    assert_int_equal(get_switch(&f, SAI_SWITCH_ATTR_LAG_DEFAULT_HASH_OFFSET).u8,
                     0);
    assert_int_equal(count_paths(&f, false), PATHS);
}

static void
test_number_of_hashes_is_limited(void **state)
{
    struct fixture f;
    sai_object_id_t hash;
    uint64_t room;

    use(&f, *state);
    OK(sai_object_type_get_availability(f.bench->sw, SAI_OBJECT_TYPE_HASH, 0,
                                        NULL, &room));
    assert_int_equal(room, HASHES_MAX - 2);
    for (; room > 0; room--) {
        OK(f.hash_api->create_hash(&hash, f.bench->sw, 0, NULL));
    }
    assert_int_equal(f.hash_api->create_hash(&hash, f.bench->sw, 0, NULL),
                     SAI_STATUS_INSUFFICIENT_RESOURCES);
}

static void
test_parts_of_fields_are_not_implemented(void **state)
{
    struct fixture f;
    sai_object_id_t field;

    use(&f, *state);
    assert_int_equal(f.hash_api->create_fine_grained_hash_field(
                         &field, f.bench->sw, 0, NULL),
                     SAI_STATUS_NOT_IMPLEMENTED);
}

int
main(void)
{
#define TEST(name)                                                             \
    cmocka_unit_test_setup_teardown(name, asic_setup_setup_generic,            \
                                    asic_setup_teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_defaults),
        TEST(test_fields_decide),
        TEST(test_families_have_hashes_of_their_own),
        TEST(test_algorithm_seed_and_offset_decide),
        TEST(test_unsupported_hashes_are_refused),
        TEST(test_number_of_hashes_is_limited),
        TEST(test_parts_of_fields_are_not_implemented),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
