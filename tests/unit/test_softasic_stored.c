/* SPDX-License-Identifier: Apache-2.0 */

/* Objects that are accepted but not simulated, and what a control plane asks
 * about them. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/l3_setup.h"
#include "vendors/softasic/program/stored.h"

#define OK(call) assert_int_equal(call, SAI_STATUS_SUCCESS)

/* Returns the function table of 'api'. */
static void *
table_of(sai_api_t api)
{
    void *table;

    OK(sai_api_query(api, &table));
    return table;
}

static void
test_mirror_session_is_stored_but_no_port_uses_it(void **state)
{
    struct asic_setup *bench = *state;
    const sai_mirror_api_t *api = table_of(SAI_API_MIRROR);
    const sai_object_id_t port = asic_setup_add_port(bench, 1000);
    const sai_attribute_t attributes[] = {
        {SAI_MIRROR_SESSION_ATTR_TYPE, {.s32 = SAI_MIRROR_SESSION_TYPE_LOCAL}},
        {SAI_MIRROR_SESSION_ATTR_MONITOR_PORT, {.oid = port}},
    };
    sai_object_id_t session;
    sai_attribute_t read = {.id = SAI_MIRROR_SESSION_ATTR_MONITOR_PORT};
    sai_attribute_t use = {.id = SAI_PORT_ATTR_INGRESS_MIRROR_SESSION,
                           .value.objlist = {1, &session}};
    uint64_t room;

    assert_int_equal(
        api->create_mirror_session(&session, bench->sw, 1, attributes),
        SAI_STATUS_MANDATORY_ATTRIBUTE_MISSING);
    OK(sai_object_type_get_availability(
        bench->sw, SAI_OBJECT_TYPE_MIRROR_SESSION, 0, NULL, &room));
    assert_int_equal(room, STORED_MAX);
    OK(api->create_mirror_session(&session, bench->sw, N(attributes),
                                  attributes));
    OK(api->get_mirror_session_attribute(session, 1, &read));
    assert_true(read.value.oid == port);
    assert_int_equal(bench->port_api->set_port_attribute(port, &use),
                     SAI_STATUS_ATTR_NOT_SUPPORTED_0);
    assert_int_equal(bench->port_api->remove_port(port),
                     SAI_STATUS_OBJECT_IN_USE);
    OK(api->remove_mirror_session(session));
}

/* As for decapsulation of IP in IP. */
static void
test_tunnel_and_its_entry_are_stored(void **state)
{
    struct asic_setup *bench = *state;
    const sai_tunnel_api_t *api = table_of(SAI_API_TUNNEL);
    const sai_object_id_t port = asic_setup_add_port(bench, 1000);
    const sai_object_id_t interface = l3_setup_interface(bench, port, 0);
    const sai_object_id_t router =
        l3_setup_switch_oid(bench, SAI_SWITCH_ATTR_DEFAULT_VIRTUAL_ROUTER_ID);
    const sai_attribute_t attributes[] = {
        {SAI_TUNNEL_ATTR_TYPE, {.s32 = SAI_TUNNEL_TYPE_IPINIP}},
        {SAI_TUNNEL_ATTR_UNDERLAY_INTERFACE, {.oid = interface}},
        {SAI_TUNNEL_ATTR_OVERLAY_INTERFACE, {.oid = interface}},
        {SAI_TUNNEL_ATTR_DECAP_DSCP_MODE,
         {.s32 = SAI_TUNNEL_DSCP_MODE_PIPE_MODEL}},
    };
    sai_attribute_t entry[] = {
        {SAI_TUNNEL_TERM_TABLE_ENTRY_ATTR_VR_ID, {.oid = router}},
        {SAI_TUNNEL_TERM_TABLE_ENTRY_ATTR_TYPE,
         {.s32 = SAI_TUNNEL_TERM_TABLE_ENTRY_TYPE_P2MP}},
        {SAI_TUNNEL_TERM_TABLE_ENTRY_ATTR_DST_IP,
         {.ipaddr = l3_setup_v4(10, 1, 0, 32)}},
        {SAI_TUNNEL_TERM_TABLE_ENTRY_ATTR_TUNNEL_TYPE,
         {.s32 = SAI_TUNNEL_TYPE_IPINIP}},
        {.id = SAI_TUNNEL_TERM_TABLE_ENTRY_ATTR_ACTION_TUNNEL_ID},
    };
    sai_object_id_t tunnel, term;

    OK(api->create_tunnel(&tunnel, bench->sw, N(attributes), attributes));
    entry[4].value.oid = tunnel;
    OK(api->create_tunnel_term_table_entry(&term, bench->sw, N(entry), entry));
    assert_int_equal(api->remove_tunnel(tunnel), SAI_STATUS_OBJECT_IN_USE);
    OK(api->remove_tunnel_term_table_entry(term));
    OK(api->remove_tunnel(tunnel));
}

static void
test_debug_counters_have_indices_of_their_own(void **state)
{
    struct asic_setup *bench = *state;
    const sai_debug_counter_api_t *api = table_of(SAI_API_DEBUG_COUNTER);
    int32_t reasons[] = {SAI_IN_DROP_REASON_L2_ANY, SAI_IN_DROP_REASON_TTL};
    const sai_attribute_t attributes[] = {
        {SAI_DEBUG_COUNTER_ATTR_TYPE,
         {.s32 = SAI_DEBUG_COUNTER_TYPE_PORT_IN_DROP_REASONS}},
        {SAI_DEBUG_COUNTER_ATTR_IN_DROP_REASON_LIST,
         {.s32list = {N(reasons), reasons}}},
    };
    sai_attribute_t index = {.id = SAI_DEBUG_COUNTER_ATTR_INDEX};
    sai_object_id_t counters[3];

    for (uint32_t i = 0; i < N(counters); i++) {
        OK(api->create_debug_counter(&counters[i], bench->sw, N(attributes),
                                     attributes));
        OK(api->get_debug_counter_attribute(counters[i], 1, &index));
        assert_int_equal(index.value.u32, i);
    }
    OK(api->remove_debug_counter(counters[1]));
    OK(api->create_debug_counter(&counters[1], bench->sw, N(attributes),
                                 attributes));
    OK(api->get_debug_counter_attribute(counters[1], 1, &index));
    assert_int_equal(index.value.u32, 1);
}

static void
test_sampler_and_address_are_stored(void **state)
{
    struct asic_setup *bench = *state;
    const sai_samplepacket_api_t *samplers = table_of(SAI_API_SAMPLEPACKET);
    const sai_my_mac_api_t *addresses = table_of(SAI_API_MY_MAC);
    const sai_attribute_t rate = {SAI_SAMPLEPACKET_ATTR_SAMPLE_RATE,
                                  {.u32 = 400000}};
    const sai_attribute_t mac = {SAI_MY_MAC_ATTR_MAC_ADDRESS,
                                 {.mac = {2, 0, 0, 0, 0, 1}}};
    sai_object_id_t oid;

    OK(samplers->create_samplepacket(&oid, bench->sw, 1, &rate));
    OK(samplers->remove_samplepacket(oid));
    OK(addresses->create_my_mac(&oid, bench->sw, 1, &mac));
    OK(addresses->remove_my_mac(oid));
}

/* Returns how many objects have gap 'attribute' of 'type'. */
static uint64_t
gap(const struct asic_setup *bench, sai_object_type_t type, uint32_t attribute)
{
    static struct softasic_gap rows[512];
    uint32_t n = 0;
    uint64_t found = UINT64_MAX;

    assert_int_equal(bench->ops->gaps(&n, rows), SAI_STATUS_BUFFER_OVERFLOW);
    assert_in_range(n, 10, N(rows));
    OK(bench->ops->gaps(&n, rows));
    for (uint32_t i = 0; i < n; i++) {
        if (rows[i].type == (uint32_t)type && rows[i].attribute == attribute) {
            assert_true(found == UINT64_MAX);
            found = rows[i].n;
        }
    }
    assert_true(found != UINT64_MAX);
    return found;
}

static void
test_what_has_no_effect_is_counted(void **state)
{
    struct asic_setup *bench = *state;
    const sai_samplepacket_api_t *samplers = table_of(SAI_API_SAMPLEPACKET);
    const sai_tunnel_api_t *tunnels = table_of(SAI_API_TUNNEL);
    const sai_object_id_t port = asic_setup_add_port(bench, 1000);
    const sai_object_id_t interface = l3_setup_interface(bench, port, 0);
    const sai_attribute_t rate = {SAI_SAMPLEPACKET_ATTR_SAMPLE_RATE,
                                  {.u32 = 400000}};
    sai_attribute_t attributes[] = {
        {SAI_TUNNEL_ATTR_TYPE, {.s32 = SAI_TUNNEL_TYPE_IPINIP_GRE}},
        {SAI_TUNNEL_ATTR_UNDERLAY_INTERFACE, {.oid = interface}},
        {SAI_TUNNEL_ATTR_OVERLAY_INTERFACE, {.oid = interface}},
    };
    sai_attribute_t fec = {SAI_PORT_ATTR_FEC_MODE,
                           {.s32 = SAI_PORT_FEC_MODE_RS}};
    sai_object_id_t sampler, gre, ipinip;

    assert_int_equal(
        gap(bench, SAI_OBJECT_TYPE_SAMPLEPACKET, SOFTASIC_GAP_OBJECTS), 0);
    OK(samplers->create_samplepacket(&sampler, bench->sw, 1, &rate));
    assert_int_equal(
        gap(bench, SAI_OBJECT_TYPE_SAMPLEPACKET, SOFTASIC_GAP_OBJECTS), 1);
    OK(samplers->remove_samplepacket(sampler));
    assert_int_equal(
        gap(bench, SAI_OBJECT_TYPE_SAMPLEPACKET, SOFTASIC_GAP_OBJECTS), 0);

    /* Of tunnels only those that are not simulated. */
    OK(tunnels->create_tunnel(&gre, bench->sw, N(attributes), attributes));
    attributes[0].value.s32 = SAI_TUNNEL_TYPE_IPINIP;
    OK(tunnels->create_tunnel(&ipinip, bench->sw, N(attributes), attributes));
    assert_int_equal(gap(bench, SAI_OBJECT_TYPE_TUNNEL, SOFTASIC_GAP_OBJECTS),
                     1);
    OK(tunnels->remove_tunnel(gre));
    OK(tunnels->remove_tunnel(ipinip));

    /* Of attributes those that do not have their default. */
    assert_int_equal(gap(bench, SAI_OBJECT_TYPE_PORT, SAI_PORT_ATTR_FEC_MODE),
                     0);
    OK(bench->port_api->set_port_attribute(port, &fec));
    assert_int_equal(gap(bench, SAI_OBJECT_TYPE_PORT, SAI_PORT_ATTR_FEC_MODE),
                     1);
    fec.value.s32 = SAI_PORT_FEC_MODE_NONE;
    OK(bench->port_api->set_port_attribute(port, &fec));
    assert_int_equal(gap(bench, SAI_OBJECT_TYPE_PORT, SAI_PORT_ATTR_FEC_MODE),
                     0);
}

/* Enumerations whose values orchagent reads. */
static void
test_enumerations_can_be_queried(void **state)
{
    struct asic_setup *bench = *state;
    int32_t values[8];
    sai_s32_list_t list = {N(values), values};

    OK(sai_query_attribute_enum_values_capability(
        bench->sw, SAI_OBJECT_TYPE_TUNNEL, SAI_TUNNEL_ATTR_PEER_MODE, &list));
    assert_int_equal(list.count, 2);
    list.count = N(values);
    OK(sai_query_attribute_enum_values_capability(
        bench->sw, SAI_OBJECT_TYPE_DEBUG_COUNTER, SAI_DEBUG_COUNTER_ATTR_TYPE,
        &list));
    assert_int_equal(list.count, 4);
}

#define TEST(name)                                                             \
    cmocka_unit_test_setup_teardown(name, asic_setup_setup_generic,            \
                                    asic_setup_teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_mirror_session_is_stored_but_no_port_uses_it),
        TEST(test_tunnel_and_its_entry_are_stored),
        TEST(test_debug_counters_have_indices_of_their_own),
        TEST(test_sampler_and_address_are_stored),
        TEST(test_what_has_no_effect_is_counted),
        TEST(test_enumerations_can_be_queried),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
