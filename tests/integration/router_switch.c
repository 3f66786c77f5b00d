/* SPDX-License-Identifier: Apache-2.0 */

/* Makes a router of the first two ports of the switch behind
 * $ORCHD_TEST_SOCKET, and leaves: the switch goes on.
 *
 *   port 0   10.0.1.1/24 and 2001::1/64, the host ...2 at 02:00:00:00:00:01
 *   port 1   10.0.2.1/24 and 2002::1/64, the host ...2 at 02:00:00:00:00:02
 *
 * Behind the switch is a host with interfaces Router0 and Router1, to which go
 * ARP, neighbor discovery, and what is for the router itself. */

#include <config.h>

#include "base/check.h"
#include "tests/support/l3_setup.h"

enum { HOSTS = 2 };

/* Gives port 'i' an interface of the host behind the switch. */
static void
make_host(const struct asic_setup *bench, uint8_t i)
{
    sai_attribute_t attributes[] = {
        {SAI_HOSTIF_ATTR_TYPE, {.s32 = SAI_HOSTIF_TYPE_NETDEV}},
        {SAI_HOSTIF_ATTR_OBJ_ID, {.oid = bench->ports[i]}},
        {SAI_HOSTIF_ATTR_NAME, {.chardata = "Router0"}},
        {SAI_HOSTIF_ATTR_OPER_STATUS, {.booldata = true}},
    };
    sai_object_id_t oid;

    attributes[2].value.chardata[6] = (char)('0' + i);
    orch_assert(bench->hostif_api->create_hostif(
                    &oid, bench->sw, 4, attributes) == SAI_STATUS_SUCCESS);
}

/* Leads to the host what is for it: ARP, and packets to the router. */
static void
lead_to_host(const struct asic_setup *bench)
{
    const sai_attribute_t attributes[] = {
        {SAI_HOSTIF_TABLE_ENTRY_ATTR_TYPE,
         {.s32 = SAI_HOSTIF_TABLE_ENTRY_TYPE_WILDCARD}},
        {SAI_HOSTIF_TABLE_ENTRY_ATTR_CHANNEL_TYPE,
         {.s32 = SAI_HOSTIF_TABLE_ENTRY_CHANNEL_TYPE_NETDEV_PHYSICAL_PORT}},
    };
    sai_object_id_t oid;

    orch_assert(bench->hostif_api->create_hostif_table_entry(
                    &oid, bench->sw, 2, attributes) == SAI_STATUS_SUCCESS);
    l3_setup_trap(bench, SAI_HOSTIF_TRAP_TYPE_ARP_REQUEST,
                  SAI_PACKET_ACTION_TRAP);
    l3_setup_trap(bench, SAI_HOSTIF_TRAP_TYPE_ARP_RESPONSE,
                  SAI_PACKET_ACTION_TRAP);
    l3_setup_trap(bench, SAI_HOSTIF_TRAP_TYPE_IPV6_NEIGHBOR_DISCOVERY,
                  SAI_PACKET_ACTION_TRAP);
}

int
main(void)
{
    struct asic_setup *bench;
    void *state;

    orch_assert(asic_setup_setup_td2(&state) == 0);
    bench = state;
    for (uint8_t i = 0; i < HOSTS; i++) {
        const sai_object_id_t cpu =
            l3_setup_switch_oid(bench, SAI_SWITCH_ATTR_CPU_PORT);
        const uint8_t net = (uint8_t)(i + 1);
        sai_object_id_t interface;

        asic_setup_port_bool(bench, bench->ports[i], SAI_PORT_ATTR_ADMIN_STATE,
                             true);
        interface = l3_setup_interface(bench, bench->ports[i], 0);
        l3_setup_neighbor(bench, interface, l3_setup_v4(10, 0, net, 2), net);
        l3_setup_route(bench, l3_setup_v4(10, 0, net, 1), 32, cpu);
        l3_setup_neighbor(bench, interface, l3_setup_v6(net, 2), net);
        l3_setup_route(bench, l3_setup_v6(net, 1), 128, cpu);
        make_host(bench, i);
    }
    lead_to_host(bench);
    return asic_setup_teardown(&state);
}
