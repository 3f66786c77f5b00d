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

/* Reads a counter, or also clears it. */
static uint64_t
read_stat(const struct asic_setup *bench, sai_object_id_t queue,
          sai_stat_id_t id, bool clears)
{
    uint64_t value = UINT64_MAX;

    OK(bench->queue_api->get_queue_stats_ext(
        queue, 1, &id,
        clears ? SAI_STATS_MODE_READ_AND_CLEAR : SAI_STATS_MODE_READ, &value));
    return value;
}

/* Returns a new profile of a new pool of 'type' that lets a queue have
 * 'static_bytes' of it. */
static sai_object_id_t
make_profile(struct asic_setup *bench, sai_buffer_pool_type_t type,
             uint64_t static_bytes)
{
    const sai_attribute_t pool[] = {
        {SAI_BUFFER_POOL_ATTR_TYPE, {.s32 = (sai_int32_t)type}},
        {SAI_BUFFER_POOL_ATTR_SIZE, {.u64 = 1000000}},
        {SAI_BUFFER_POOL_ATTR_THRESHOLD_MODE,
         {.s32 = SAI_BUFFER_POOL_THRESHOLD_MODE_STATIC}},
    };
    sai_attribute_t profile[] = {
        {.id = SAI_BUFFER_PROFILE_ATTR_POOL_ID},
        {SAI_BUFFER_PROFILE_ATTR_RESERVED_BUFFER_SIZE, {.u64 = 0}},
        {SAI_BUFFER_PROFILE_ATTR_THRESHOLD_MODE,
         {.s32 = SAI_BUFFER_PROFILE_THRESHOLD_MODE_STATIC}},
        {SAI_BUFFER_PROFILE_ATTR_SHARED_STATIC_TH, {.u64 = static_bytes}},
    };
    sai_object_id_t oid;

    OK(bench->buffer_api->create_buffer_pool(&profile[0].value.oid, bench->sw,
                                             N(pool), pool));
    OK(bench->buffer_api->create_buffer_profile(&oid, bench->sw, N(profile),
                                                profile));
    return oid;
}

/* Sets a profile of 'queue', and returns the status. */
static sai_status_t
set_queue(struct asic_setup *bench, sai_object_id_t queue, sai_attr_id_t id,
          sai_object_id_t profile)
{
    const sai_attribute_t attribute = {id, {.oid = profile}};

    return bench->queue_api->set_queue_attribute(queue, &attribute);
}

static void
test_voqs_take_profiles(void **state)
{
    struct asic_setup *bench = *state;
    const sai_attr_id_t id = SAI_QUEUE_ATTR_BUFFER_PROFILE_ID;
    sai_object_id_t oids[16], queues[16], profile;
    sai_attribute_t read[] = {{.id = SAI_QUEUE_ATTR_TYPE},
                              {.id = SAI_QUEUE_ATTR_INDEX},
                              {.id = SAI_QUEUE_ATTR_BUFFER_PROFILE_ID}};

    (void)list(bench, oids);
    assert_int_equal(voqs(oids[1], queues), N_VOQS);
    assert_int_equal(voqs(oids[2], queues), 4);
    profile = make_profile(bench, SAI_BUFFER_POOL_TYPE_EGRESS, 5000);
    OK(set_queue(bench, queues[3], id, profile));
    OK(bench->queue_api->get_queue_attribute(queues[3], 3, read));
    assert_int_equal(read[0].value.s32, SAI_QUEUE_TYPE_UNICAST_VOQ);
    assert_int_equal(read[1].value.u8, 3);
    assert_true(read[2].value.oid == profile);
    assert_int_equal(bench->buffer_api->remove_buffer_profile(profile),
                     SAI_STATUS_OBJECT_IN_USE);
    OK(set_queue(bench, queues[3], id, SAI_NULL_OBJECT_ID));
    OK(bench->buffer_api->remove_buffer_profile(profile));
}

/* VOQs are refused what other queues are: of ports of this ASIC, and of
 * others. */
static void
test_voqs_refuse_profiles_of_ingress_pools(void **state)
{
    struct asic_setup *bench = *state;
    const sai_object_id_t profile =
        make_profile(bench, SAI_BUFFER_POOL_TYPE_INGRESS, 5000);
    sai_attribute_t read = {.id = SAI_QUEUE_ATTR_BUFFER_PROFILE_ID};
    sai_object_id_t oids[16], queues[16];

    (void)list(bench, oids);
    for (uint32_t i = 0; i < N(configs); i++) {
        (void)voqs(oids[i], queues);
        assert_int_equal(set_queue(bench, queues[0], read.id, profile),
                         SAI_STATUS_INVALID_ATTR_VALUE_0);
        OK(bench->queue_api->get_queue_attribute(queues[0], 1, &read));
        assert_true(read.value.oid == SAI_NULL_OBJECT_ID);
    }
    OK(bench->buffer_api->remove_buffer_profile(profile));
}

enum { BURST = 50, FRAME_BYTES = 1000 };

/* Sends BURST frames to 'to', which are to wait for each other, lets them
 * leave, and returns how many were dropped at egress. */
static uint64_t
dropped_to(struct asic_setup *bench, sai_object_id_t to)
{
    const struct softasic_send frames = {.from = bench->ports[0],
                                         .to = to,
                                         .n_frames = BURST,
                                         .frame_bytes = FRAME_BYTES};
    struct softasic_sent sent;
    uint64_t n;

    asic_setup_port_bool(bench, frames.from, SAI_PORT_ATTR_ADMIN_STATE, true);
    asic_setup_port_bool(bench, to, SAI_PORT_ATTR_ADMIN_STATE, true);
    asic_setup_port_bool(bench, to, SAI_PORT_ATTR_PKT_TX_ENABLE, false);
    OK(bench->ops->send(&frames, &sent));
    asic_setup_port_bool(bench, to, SAI_PORT_ATTR_PKT_TX_ENABLE, true);
    OK(bench->ops->settle(&n));
    assert_int_equal(sent.n_frames, BURST);
    return sent.n_dropped_egress;
}

/* Frames wait in the VOQ: its profile decides, and that of the queue of the
 * port only if the VOQ has none. */
static void
test_the_profile_of_the_voq_decides(void **state)
{
    struct asic_setup *bench = *state;
    const sai_attr_id_t id = SAI_QUEUE_ATTR_BUFFER_PROFILE_ID;
    const sai_object_id_t port = bench->ports[2];
    const sai_object_id_t small =
        make_profile(bench, SAI_BUFFER_POOL_TYPE_EGRESS, 5000);
    const sai_object_id_t large =
        make_profile(bench, SAI_BUFFER_POOL_TYPE_EGRESS, 500000);
    const sai_object_id_t queue =
        asic_setup_child(bench, port, SAI_PORT_ATTR_QOS_QUEUE_LIST, 0);
    const struct {
        sai_object_id_t of_queue, of_voq, of_other;
        bool drops;
    } cases[] = {
        {SAI_NULL_OBJECT_ID, SAI_NULL_OBJECT_ID, small, false},
        {small, SAI_NULL_OBJECT_ID, SAI_NULL_OBJECT_ID, true},
        {small, large, SAI_NULL_OBJECT_ID, false},
        {large, small, large, true},
        {large, SAI_NULL_OBJECT_ID, small, false},
        {SAI_NULL_OBJECT_ID, small, SAI_NULL_OBJECT_ID, true},
    };
    sai_object_id_t oids[16], here[16], there[16];

    (void)list(bench, oids);
    (void)voqs(oids[1], here);
    (void)voqs(oids[2], there);
    for (size_t i = 0; i < N(cases); i++) {
        OK(set_queue(bench, here[0], id, cases[i].of_voq));
        OK(set_queue(bench, queue, id, cases[i].of_queue));
        OK(set_queue(bench, here[1], id, cases[i].of_other));
        OK(set_queue(bench, there[0], id, cases[i].of_other));
        /* Of 50,000 bytes that wait, 5,000 fit. */
        assert_int_equal(dropped_to(bench, port) > BURST / 2, cases[i].drops);
    }
    /* A change of the profile itself is one for the VOQ. */
    OK(bench->buffer_api->set_buffer_profile_attribute(
        small, &(sai_attribute_t){SAI_BUFFER_PROFILE_ATTR_SHARED_STATIC_TH,
                                  {.u64 = 500000}}));
    assert_int_equal(dropped_to(bench, port), 0);
}

/* The WRED profile of the VOQ is that of its frames in the same way. */
static void
test_the_wred_profile_of_the_voq_decides(void **state)
{
    struct asic_setup *bench = *state;
    const sai_attr_id_t id = SAI_QUEUE_ATTR_WRED_PROFILE_ID;
    const sai_object_id_t queue = asic_setup_child(
        bench, bench->ports[2], SAI_PORT_ATTR_QOS_QUEUE_LIST, 0);
    sai_attribute_t attributes[] = {
        {SAI_WRED_ATTR_GREEN_ENABLE, {.booldata = true}},
        {SAI_WRED_ATTR_GREEN_MIN_THRESHOLD, {.u32 = 5000}},
        {SAI_WRED_ATTR_GREEN_MAX_THRESHOLD, {.u32 = 5001}},
        {SAI_WRED_ATTR_GREEN_DROP_PROBABILITY, {.u32 = 100}},
    };
    sai_object_id_t oids[16], here[16], drops, keeps;

    (void)list(bench, oids);
    (void)voqs(oids[1], here);
    OK(bench->wred_api->create_wred(&drops, bench->sw, N(attributes),
                                    attributes));
    attributes[0].value.booldata = false;
    OK(bench->wred_api->create_wred(&keeps, bench->sw, N(attributes),
                                    attributes));
    OK(set_queue(bench, here[0], id, drops));
    OK(set_queue(bench, queue, id, keeps));
    dropped_to(bench, bench->ports[2]);
    assert_true(read_stat(bench, here[0], SAI_QUEUE_STAT_WRED_DROPPED_PACKETS,
                          true) > BURST / 2);
    OK(set_queue(bench, queue, id, drops));
    OK(set_queue(bench, here[0], id, keeps));
    dropped_to(bench, bench->ports[2]);
    assert_int_equal(read_stat(bench, here[0],
                               SAI_QUEUE_STAT_WRED_DROPPED_PACKETS, true),
                     0);
    OK(set_queue(bench, here[0], id, SAI_NULL_OBJECT_ID));
    OK(bench->wred_api->remove_wred(keeps));
    dropped_to(bench, bench->ports[2]);
    assert_true(read_stat(bench, here[0], SAI_QUEUE_STAT_WRED_DROPPED_PACKETS,
                          true) > BURST / 2);
}

/* Profiles follow the VOQ when another port is that of its system port, and
 * end with it. */
static void
test_profiles_follow_the_port(void **state)
{
    struct asic_setup *bench = *state;
    const sai_object_id_t small =
        make_profile(bench, SAI_BUFFER_POOL_TYPE_EGRESS, 5000);
    sai_object_id_t oids[16], here[16];

    (void)list(bench, oids);
    (void)voqs(oids[1], here);
    OK(set_queue(bench, here[0], SAI_QUEUE_ATTR_BUFFER_PROFILE_ID, small));
    assert_true(dropped_to(bench, bench->ports[2]) > 0);
    /* The third port of the core is the fourth one now. */
    OK(asic_setup_remove_port(bench->sw, bench->ports[1]));
    assert_int_equal(dropped_to(bench, bench->ports[2]), 0);
    assert_true(dropped_to(bench, bench->ports[3]) > 0);
    OK(system_ports()->remove_system_port(oids[1]));
    assert_int_equal(dropped_to(bench, bench->ports[3]), 0);
    OK(bench->buffer_api->remove_buffer_profile(small));
}

/* A frame for a local port waits in the VOQ of that port, which is the queue of
 * the port; those of other ASICs stay empty. */
static void
test_voqs_count_what_waits_for_local_ports(void **state)
{
    enum { FRAMES = 10, FRAME = 1000 };
    const sai_stat_id_t watermark = SAI_QUEUE_STAT_SHARED_WATERMARK_BYTES;
    static const sai_stat_id_t counters[] = {
        SAI_QUEUE_STAT_PACKETS,
        SAI_QUEUE_STAT_BYTES,
        SAI_QUEUE_STAT_DROPPED_PACKETS,
        SAI_QUEUE_STAT_DROPPED_BYTES,
        SAI_QUEUE_STAT_CURR_OCCUPANCY_BYTES,
        SAI_QUEUE_STAT_WATERMARK_BYTES,
        SAI_QUEUE_STAT_CREDIT_WD_DELETED_PACKETS,
    };
    struct asic_setup *bench = *state;
    sai_object_id_t oids[16], here[16], there[16], queue;
    struct softasic_queue_state waiting;
    struct softasic_sent sent;
    uint64_t n;

    (void)list(bench, oids);
    (void)voqs(oids[1], here);
    (void)voqs(oids[2], there);
    queue = asic_setup_child(bench, bench->ports[2],
                             SAI_PORT_ATTR_QOS_QUEUE_LIST, 0);
    for (int i = 0; i < 4; i += 2) {
        asic_setup_port_bool(bench, bench->ports[i], SAI_PORT_ATTR_ADMIN_STATE,
                             true);
    }
    asic_setup_port_bool(bench, bench->ports[2], SAI_PORT_ATTR_PKT_TX_ENABLE,
                         false);
    OK(bench->ops->send(&(struct softasic_send){.from = bench->ports[0],
                                                .to = bench->ports[2],
                                                .n_frames = FRAMES,
                                                .frame_bytes = FRAME},
                        &sent));
    OK(bench->ops->queue_state(here[0], &waiting));
    assert_int_equal(waiting.n_frames, FRAMES);
    OK(bench->ops->queue_state(there[0], &waiting));
    assert_int_equal(waiting.n_frames, 0);
    assert_true(read_stat(bench, here[0], SAI_QUEUE_STAT_CURR_OCCUPANCY_BYTES,
                          false) >= FRAMES * FRAME);
    asic_setup_port_bool(bench, bench->ports[2], SAI_PORT_ATTR_PKT_TX_ENABLE,
                         true);
    OK(bench->ops->settle(&n));
    assert_int_equal(read_stat(bench, here[0], SAI_QUEUE_STAT_PACKETS, false),
                     FRAMES);
    assert_int_equal(read_stat(bench, here[0], SAI_QUEUE_STAT_BYTES, false),
                     FRAMES * FRAME);
    for (size_t i = 0; i < N(counters); i++) {
        assert_int_equal(read_stat(bench, here[0], counters[i], false),
                         read_stat(bench, queue, counters[i], false));
        assert_int_equal(read_stat(bench, here[1], counters[i], false), 0);
        assert_int_equal(read_stat(bench, there[0], counters[i], false), 0);
    }
    /* Each is cleared under one name only. */
    for (int i = 0; i < 2; i++) {
        sai_object_id_t cleared = i ? queue : here[0],
                        other = i ? here[0] : queue;
        uint64_t peak = read_stat(bench, other, watermark, false);

        assert_int_equal(
            read_stat(bench, cleared, SAI_QUEUE_STAT_PACKETS, true), FRAMES);
        assert_int_equal(
            read_stat(bench, cleared, SAI_QUEUE_STAT_PACKETS, false), 0);
        assert_true(read_stat(bench, cleared, watermark, true) >=
                    FRAMES * FRAME);
        assert_int_equal(read_stat(bench, cleared, watermark, false), 0);
        assert_int_equal(read_stat(bench, other, watermark, false), peak);
    }
    assert_int_equal(read_stat(bench, there[0], watermark, true), 0);
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
        TEST(test_voqs_take_profiles, setup),
        TEST(test_voqs_refuse_profiles_of_ingress_pools, setup),
        TEST(test_the_profile_of_the_voq_decides, setup),
        TEST(test_the_wred_profile_of_the_voq_decides, setup),
        TEST(test_profiles_follow_the_port, setup),
        TEST(test_voqs_count_what_waits_for_local_ports, setup),
        TEST(test_voqs_are_listed, setup),
        TEST(test_system_ports_come_and_go, setup),
        TEST(test_list_is_checked_when_the_switch_is_created, setup),
        TEST(test_other_switches_have_no_system_ports, asic_setup_setup_td2),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
