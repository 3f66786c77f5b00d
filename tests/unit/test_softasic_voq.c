/* SPDX-License-Identifier: Apache-2.0 */

/* A VOQ switch: system ports and their virtual output queues. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/asic_setup.h"

#define OK(call) assert_int_equal(call, SAI_STATUS_SUCCESS)

enum { ME = 2, OTHER = 4, N_VOQS = 8 };

static sai_system_port_config_t configs[] = {
    {.port_id = 1,
     .attached_switch_id = ME,
     .attached_core_port_index = 0,
     .speed = 400000,
     .num_voq = N_VOQS},
    {.port_id = 2,
     .attached_switch_id = ME,
     .attached_core_port_index = 3,
     .speed = 40000,
     .num_voq = N_VOQS},
    {.port_id = 9,
     .attached_switch_id = OTHER,
     .attached_core_port_index = 3,
     .speed = 40000,
     .num_voq = 4},
};

static sai_attribute_t switch_attributes[] = {
    {SAI_SWITCH_ATTR_INIT_SWITCH, {.booldata = true}},
    {SAI_SWITCH_ATTR_TYPE, {.s32 = SAI_SWITCH_TYPE_VOQ}},
    {SAI_SWITCH_ATTR_SWITCH_ID, {.u32 = ME}},
    {SAI_SWITCH_ATTR_MAX_SYSTEM_CORES, {.u32 = 8}},
    {SAI_SWITCH_ATTR_SYSTEM_PORT_CONFIG_LIST,
     {.sysportconfiglist = {N(configs), configs}}},
};

/* Replaces the switch of 'bench' by a VOQ switch. */
static void
make_voq(struct asic_setup *bench)
{
    OK(bench->switch_api->remove_switch(bench->sw));
    OK(bench->switch_api->create_switch(&bench->sw, N(switch_attributes),
                                        switch_attributes));
}

static int
setup(void **state)
{
    const int failed = asic_setup_setup_td2(state);

    if (!failed) {
        make_voq(*state);
    }
    return failed;
}

static const sai_system_port_api_t *
system_ports(void)
{
    void *table;

    OK(sai_api_query(SAI_API_SYSTEM_PORT, &table));
    return table;
}

/* Returns the system ports of 'bench'. */
static uint32_t
list(const struct asic_setup *bench, sai_object_id_t *oids)
{
    sai_attribute_t attribute = {.id = SAI_SWITCH_ATTR_SYSTEM_PORT_LIST,
                                 .value.objlist = {16, oids}};
    sai_attribute_t count = {.id = SAI_SWITCH_ATTR_NUMBER_OF_SYSTEM_PORTS};

    OK(bench->switch_api->get_switch_attribute(bench->sw, 1, &attribute));
    OK(bench->switch_api->get_switch_attribute(bench->sw, 1, &count));
    assert_int_equal(count.value.u32, attribute.value.objlist.count);
    return attribute.value.objlist.count;
}

static sai_attribute_value_t
get(sai_object_id_t oid, sai_attr_id_t id)
{
    sai_attribute_t attribute = {.id = id};

    OK(system_ports()->get_system_port_attribute(oid, 1, &attribute));
    return attribute.value;
}

/* Stores the VOQs of 'oid' in 'queues', and returns how many there are. */
static uint32_t
voqs(sai_object_id_t oid, sai_object_id_t *queues)
{
    sai_attribute_t attribute = {.id = SAI_SYSTEM_PORT_ATTR_QOS_VOQ_LIST,
                                 .value.objlist = {16, queues}};

    OK(system_ports()->get_system_port_attribute(oid, 1, &attribute));
    assert_int_equal(get(oid, SAI_SYSTEM_PORT_ATTR_QOS_NUMBER_OF_VOQS).u32,
                     attribute.value.objlist.count);
    return attribute.value.objlist.count;
}

static void
test_switch_has_the_system_ports_of_its_list(void **state)
{
    struct asic_setup *bench = *state;
    sai_attribute_t ports = {
        .id = SAI_SWITCH_ATTR_PORT_LIST,
        .value.objlist = {ASICRIG_MAX_PORTS, bench->ports}};
    sai_attribute_t back = {.id = SAI_PORT_ATTR_SYSTEM_PORT};
    sai_object_id_t oids[16];

    assert_int_equal(list(bench, oids), N(configs));
    for (uint32_t i = 0; i < N(configs); i++) {
        const sai_attribute_value_t info =
            get(oids[i], SAI_SYSTEM_PORT_ATTR_CONFIG_INFO);

        assert_memory_equal(&info.sysportconfig, &configs[i],
                            sizeof configs[i]);
        assert_int_equal(sai_object_type_query(oids[i]),
                         SAI_OBJECT_TYPE_SYSTEM_PORT);
    }
    assert_int_equal(get(oids[0], SAI_SYSTEM_PORT_ATTR_TYPE).s32,
                     SAI_SYSTEM_PORT_TYPE_LOCAL);
    assert_int_equal(get(oids[2], SAI_SYSTEM_PORT_ATTR_TYPE).s32,
                     SAI_SYSTEM_PORT_TYPE_REMOTE);
    /* Port 0 of a core is inside of the chassis, others are on the panel. */
    OK(bench->switch_api->get_switch_attribute(bench->sw, 1, &ports));
    assert_true(get(oids[0], SAI_SYSTEM_PORT_ATTR_PORT).oid ==
                SAI_NULL_OBJECT_ID);
    assert_true(get(oids[1], SAI_SYSTEM_PORT_ATTR_PORT).oid == bench->ports[2]);
    assert_true(get(oids[2], SAI_SYSTEM_PORT_ATTR_PORT).oid ==
                SAI_NULL_OBJECT_ID);
    OK(bench->port_api->get_port_attribute(bench->ports[2], 1, &back));
    assert_true(back.value.oid == oids[1]);
    OK(bench->port_api->get_port_attribute(bench->ports[3], 1, &back));
    assert_true(back.value.oid == SAI_NULL_OBJECT_ID);
}

static void
test_voqs_take_profiles_and_count_nothing(void **state)
{
    struct asic_setup *bench = *state;
    const sai_attribute_t pool_attributes[] = {
        {SAI_BUFFER_POOL_ATTR_TYPE, {.s32 = SAI_BUFFER_POOL_TYPE_EGRESS}},
        {SAI_BUFFER_POOL_ATTR_SIZE, {.u64 = 1000000}},
    };
    sai_attribute_t profile_attributes[] = {
        {.id = SAI_BUFFER_PROFILE_ATTR_POOL_ID},
        {SAI_BUFFER_PROFILE_ATTR_RESERVED_BUFFER_SIZE, {.u64 = 0}},
        {SAI_BUFFER_PROFILE_ATTR_THRESHOLD_MODE,
         {.s32 = SAI_BUFFER_PROFILE_THRESHOLD_MODE_DYNAMIC}},
        {SAI_BUFFER_PROFILE_ATTR_SHARED_DYNAMIC_TH, {.s8 = 0}},
    };
    const sai_stat_id_t id = SAI_QUEUE_STAT_CREDIT_WD_DELETED_PACKETS;
    const sai_stat_id_t packets = SAI_QUEUE_STAT_PACKETS;
    sai_object_id_t oids[16], queues[16], pool, profile;
    sai_attribute_t read[] = {{.id = SAI_QUEUE_ATTR_TYPE},
                              {.id = SAI_QUEUE_ATTR_INDEX},
                              {.id = SAI_QUEUE_ATTR_BUFFER_PROFILE_ID}};
    sai_attribute_t set = {.id = SAI_QUEUE_ATTR_BUFFER_PROFILE_ID};
    uint64_t value = 1;

    (void)list(bench, oids);
    assert_int_equal(voqs(oids[1], queues), N_VOQS);
    assert_int_equal(voqs(oids[2], queues), 4);
    OK(bench->buffer_api->create_buffer_pool(
        &pool, bench->sw, N(pool_attributes), pool_attributes));
    profile_attributes[0].value.oid = pool;
    OK(bench->buffer_api->create_buffer_profile(
        &profile, bench->sw, N(profile_attributes), profile_attributes));
    set.value.oid = profile;
    OK(bench->queue_api->set_queue_attribute(queues[3], &set));
    OK(bench->queue_api->get_queue_attribute(queues[3], 3, read));
    assert_int_equal(read[0].value.s32, SAI_QUEUE_TYPE_UNICAST_VOQ);
    assert_int_equal(read[1].value.u8, 3);
    assert_true(read[2].value.oid == profile);
    assert_int_equal(bench->buffer_api->remove_buffer_profile(profile),
                     SAI_STATUS_OBJECT_IN_USE);
    assert_int_equal(
        bench->queue_api->get_queue_stats(queues[3], 1, &packets, &value),
        SAI_STATUS_NOT_SUPPORTED);
    assert_int_equal(
        bench->queue_api->get_queue_stats(queues[3], 1, &id, &value),
        SAI_STATUS_NOT_SUPPORTED);
    set.value.oid = SAI_NULL_OBJECT_ID;
    OK(bench->queue_api->set_queue_attribute(queues[3], &set));
    OK(bench->buffer_api->remove_buffer_profile(profile));
}

/* All VOQs are among the queues of the switch, each with an id of its own. */
static void
test_voqs_are_listed(void **state)
{
    struct asic_setup *bench = *state;
    sai_object_id_t oids[16], queues[16];
    sai_object_key_t keys[2048];
    uint32_t n = N(keys), found = 0;

    (void)list(bench, oids);
    OK(sai_get_object_key(bench->sw, SAI_OBJECT_TYPE_QUEUE, &n, keys));
    for (uint32_t s = 0; s < N(configs); s++) {
        const uint32_t n_voqs = voqs(oids[s], queues);

        for (uint32_t q = 0; q < n_voqs; q++) {
            for (uint32_t k = 0; k < n; k++) {
                found += keys[k].key.object_id == queues[q];
            }
        }
    }
    assert_int_equal(found, 2 * N_VOQS + 4);
    OK(sai_get_object_count(bench->sw, SAI_OBJECT_TYPE_QUEUE, &found));
    assert_int_equal(found, n);
}

static void
test_system_ports_come_and_go(void **state)
{
    struct asic_setup *bench = *state;
    const sai_system_port_api_t *api = system_ports();
    sai_attribute_t info = {SAI_SYSTEM_PORT_ATTR_CONFIG_INFO,
                            {.sysportconfig = {.port_id = 10,
                                               .attached_switch_id = OTHER,
                                               .attached_core_port_index = 4,
                                               .speed = 100000,
                                               .num_voq = 8}}};
    const sai_attribute_t up = {SAI_SYSTEM_PORT_ATTR_ADMIN_STATE,
                                {.booldata = true}};
    sai_object_id_t oids[16], oid;

    assert_int_equal(api->create_system_port(&oid, bench->sw, 0, NULL),
                     SAI_STATUS_MANDATORY_ATTRIBUTE_MISSING);
    OK(api->create_system_port(&oid, bench->sw, 1, &info));
    assert_int_equal(list(bench, oids), N(configs) + 1);
    OK(api->set_system_port_attribute(oid, &up));
    assert_true(get(oid, SAI_SYSTEM_PORT_ATTR_ADMIN_STATE).booldata);
    assert_int_equal(api->set_system_port_attribute(oid, &info),
                     SAI_STATUS_INVALID_ATTRIBUTE_0);
    /* The number in the chassis, and the place there, are taken. */
    info.value.sysportconfig.attached_core_port_index = 5;
    assert_int_equal(api->create_system_port(&oids[0], bench->sw, 1, &info),
                     SAI_STATUS_ITEM_ALREADY_EXISTS);
    info.value.sysportconfig.port_id = 11;
    info.value.sysportconfig.attached_core_port_index = 4;
    assert_int_equal(api->create_system_port(&oids[0], bench->sw, 1, &info),
                     SAI_STATUS_ITEM_ALREADY_EXISTS);
    OK(api->remove_system_port(oid));
    info.value.sysportconfig.num_voq = 0;
    assert_int_equal(api->create_system_port(&oid, bench->sw, 1, &info),
                     SAI_STATUS_INVALID_ATTR_VALUE_0);
    info.value.sysportconfig.num_voq = 65;
    assert_int_equal(api->create_system_port(&oid, bench->sw, 1, &info),
                     SAI_STATUS_INVALID_ATTR_VALUE_0);
    assert_int_equal(list(bench, oids), N(configs));
}

static void
test_list_is_checked_when_the_switch_is_created(void **state)
{
    struct asic_setup *bench = *state;
    const sai_system_port_config_t good = configs[2];
    sai_object_id_t sw;

    OK(bench->switch_api->remove_switch(bench->sw));
    /* A VOQ switch needs its numbers and its list. */
    assert_int_equal(
        bench->switch_api->create_switch(&sw, 2, switch_attributes),
        SAI_STATUS_MANDATORY_ATTRIBUTE_MISSING);
    configs[2].port_id = configs[1].port_id;
    assert_int_not_equal(bench->switch_api->create_switch(
                             &sw, N(switch_attributes), switch_attributes),
                         SAI_STATUS_SUCCESS);
    configs[2] = good;
    OK(bench->switch_api->create_switch(&bench->sw, N(switch_attributes),
                                        switch_attributes));
}

static void
test_other_switches_have_no_system_ports(void **state)
{
    struct asic_setup *bench = *state;
    const sai_attribute_t info = {SAI_SYSTEM_PORT_ATTR_CONFIG_INFO,
                                  {.sysportconfig = configs[2]}};
    sai_object_id_t oids[16], oid;

    assert_int_equal(list(bench, oids), 0);
    assert_int_equal(
        system_ports()->create_system_port(&oid, bench->sw, 1, &info),
        SAI_STATUS_NOT_SUPPORTED);
}

#define TEST(name, prepared)                                                   \
    cmocka_unit_test_setup_teardown(name, prepared, asic_setup_teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_switch_has_the_system_ports_of_its_list, setup),
        TEST(test_voqs_take_profiles_and_count_nothing, setup),
        TEST(test_voqs_are_listed, setup),
        TEST(test_system_ports_come_and_go, setup),
        TEST(test_list_is_checked_when_the_switch_is_created, setup),
        TEST(test_other_switches_have_no_system_ports, asic_setup_setup_td2),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
