/* SPDX-License-Identifier: Apache-2.0 */

/* A switch on a pipe, for tests that make frames in another language.
 *
 * It builds one switch through SAI (see build()), then reads lines
 *
 *   PORT HEX
 *
 * and lets that frame arrive at PORT (0..7).  The answer are the frames that
 * came out of it, a line in the same form each ("cpu" for what went to the
 * processor), and a line with a dot.  A line that is wrong, or a frame that is
 * refused, is answered by "?" before the dot. */

#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "tests/support/l3_setup.h"

enum { PORTS = 8, MAX_BYTES = 10000, VLAN = 100, SUB_VLAN = 200 };

/* Trimming. */
enum { TRIM_PORT = 7, TRIM_BYTES = 256, TRIM_DSCP = 48, TRIM_QUEUE = 6 };

#define MUST(call) orch_assert((call) == SAI_STATUS_SUCCESS)

struct switch_ {
    struct asic_setup *bench;
    sai_object_id_t ports[PORTS];
    sai_object_id_t cpu;
};

/* Returns the bridge port of 'port', or its membership in VLAN 1, which it has
 * from the start. */
static sai_object_id_t
find_bridge_port(const struct asic_setup *bench, sai_object_id_t port)
{
    sai_object_id_t oids[ASICRIG_MAX_PORTS];
    sai_attribute_t list = {SAI_BRIDGE_ATTR_PORT_LIST,
                            {.objlist = {ASICRIG_MAX_PORTS, oids}}};

    MUST(bench->bridge_api->get_bridge_attribute(
        l3_setup_switch_oid(bench, SAI_SWITCH_ATTR_DEFAULT_1Q_BRIDGE_ID), 1,
        &list));
    for (uint32_t i = 0; i < list.value.objlist.count; i++) {
        sai_attribute_t of = {.id = SAI_BRIDGE_PORT_ATTR_PORT_ID};

        MUST(bench->bridge_api->get_bridge_port_attribute(oids[i], 1, &of));
        if (of.value.oid == port) {
            return oids[i];
        }
    }
    return SAI_NULL_OBJECT_ID;
}

/* Takes all ports below 'n' out of VLAN 1. */
static void
leave_default_vlan(const struct switch_ *s, uint32_t n)
{
    sai_object_id_t oids[ASICRIG_MAX_PORTS];
    sai_attribute_t list = {SAI_VLAN_ATTR_MEMBER_LIST,
                            {.objlist = {ASICRIG_MAX_PORTS, oids}}};

    MUST(s->bench->vlan_api->get_vlan_attribute(
        l3_setup_switch_oid(s->bench, SAI_SWITCH_ATTR_DEFAULT_VLAN_ID), 1,
        &list));
    for (uint32_t i = 0; i < list.value.objlist.count; i++) {
        sai_attribute_t of = {.id = SAI_VLAN_MEMBER_ATTR_BRIDGE_PORT_ID};

        MUST(s->bench->vlan_api->get_vlan_member_attribute(oids[i], 1, &of));
        for (uint32_t p = 0; p < n; p++) {
            if (of.value.oid == find_bridge_port(s->bench, s->ports[p])) {
                MUST(s->bench->vlan_api->remove_vlan_member(oids[i]));
            }
        }
    }
}

/* Makes VLAN 100 with port 2 untagged and port 3 tagged. */
static sai_object_id_t
make_vlan(const struct switch_ *s)
{
    const sai_attribute_t number = {SAI_VLAN_ATTR_VLAN_ID, {.u16 = VLAN}};
    const sai_attribute_t own = {SAI_PORT_ATTR_PORT_VLAN_ID, {.u16 = VLAN}};
    sai_object_id_t vlan;
    sai_object_id_t member;

    MUST(s->bench->vlan_api->create_vlan(&vlan, s->bench->sw, 1, &number));
    for (uint32_t p = 2; p <= 3; p++) {
        const sai_attribute_t attributes[] = {
            {SAI_VLAN_MEMBER_ATTR_VLAN_ID, {.oid = vlan}},
            {SAI_VLAN_MEMBER_ATTR_BRIDGE_PORT_ID,
             {.oid = find_bridge_port(s->bench, s->ports[p])}},
            {SAI_VLAN_MEMBER_ATTR_VLAN_TAGGING_MODE,
             {.s32 = p == 2 ? SAI_VLAN_TAGGING_MODE_UNTAGGED
                            : SAI_VLAN_TAGGING_MODE_TAGGED}},
        };

        MUST(s->bench->vlan_api->create_vlan_member(&member, s->bench->sw, 3,
                                                    attributes));
    }
    MUST(s->bench->port_api->set_port_attribute(s->ports[2], &own));
    return vlan;
}

/* Says that host 'last' of the VLAN is behind 'port'. */
static void
make_entry(const struct switch_ *s, sai_object_id_t vlan, uint8_t last,
           uint32_t port)
{
    const sai_attribute_t attributes[] = {
        {SAI_FDB_ENTRY_ATTR_TYPE, {.s32 = SAI_FDB_ENTRY_TYPE_STATIC}},
        {SAI_FDB_ENTRY_ATTR_BRIDGE_PORT_ID,
         {.oid = find_bridge_port(s->bench, s->ports[port])}},
    };
    const sai_fdb_entry_t key = {.switch_id = s->bench->sw,
                                 .bv_id = vlan,
                                 .mac_address = {2, 0, 0, 0, 0, last}};

    MUST(s->bench->fdb_api->create_fdb_entry(&key, 2, attributes));
}

static void
make_learning(const struct switch_ *s)
{
    const sai_attribute_t learn = {
        SAI_BRIDGE_PORT_ATTR_FDB_LEARNING_MODE,
        {.s32 = SAI_BRIDGE_PORT_FDB_LEARNING_MODE_HW}};

    for (uint32_t p = 0; p < PORTS; p++) {
        MUST(s->bench->bridge_api->set_bridge_port_attribute(
            find_bridge_port(s->bench, s->ports[p]), &learn));
    }
}

/* Makes a tunnel with pipes instead of uniform models, and ECN copied instead
 * of combined. */
static sai_object_id_t
make_tunnel(const struct switch_ *s, const sai_tunnel_api_t *api,
            sai_object_id_t overlay, bool pipes_ttl, bool pipes_dscp,
            bool copies_ecn)
{
    const sai_attribute_t attributes[] = {
        {SAI_TUNNEL_ATTR_TYPE, {.s32 = SAI_TUNNEL_TYPE_IPINIP}},
        {SAI_TUNNEL_ATTR_UNDERLAY_INTERFACE, {.oid = overlay}},
        {SAI_TUNNEL_ATTR_OVERLAY_INTERFACE, {.oid = overlay}},
        {SAI_TUNNEL_ATTR_DECAP_TTL_MODE,
         {.s32 = pipes_ttl ? SAI_TUNNEL_TTL_MODE_PIPE_MODEL
                           : SAI_TUNNEL_TTL_MODE_UNIFORM_MODEL}},
        {SAI_TUNNEL_ATTR_DECAP_DSCP_MODE,
         {.s32 = pipes_dscp ? SAI_TUNNEL_DSCP_MODE_PIPE_MODEL
                            : SAI_TUNNEL_DSCP_MODE_UNIFORM_MODEL}},
        {SAI_TUNNEL_ATTR_DECAP_ECN_MODE,
         {.s32 = copies_ecn ? SAI_TUNNEL_DECAP_ECN_MODE_COPY_FROM_OUTER
                            : SAI_TUNNEL_DECAP_ECN_MODE_STANDARD}},
    };
    sai_object_id_t tunnel;

    MUST(api->create_tunnel(&tunnel, s->bench->sw, N(attributes), attributes));
    return tunnel;
}

/* Ends 'tunnel' at 'address'; if 'source' is not NULL only packets from
 * there. */
static void
end_tunnel(const struct switch_ *s, const sai_tunnel_api_t *api,
           sai_object_id_t tunnel, sai_ip_address_t address,
           const sai_ip_address_t *source)
{
#define TERM(NAME) SAI_TUNNEL_TERM_TABLE_ENTRY_ATTR_##NAME
    const sai_attribute_t attributes[] = {
        {TERM(VR_ID),
         {.oid = l3_setup_switch_oid(
              s->bench, SAI_SWITCH_ATTR_DEFAULT_VIRTUAL_ROUTER_ID)}},
        {TERM(TYPE),
         {.s32 = source ? SAI_TUNNEL_TERM_TABLE_ENTRY_TYPE_P2P
                        : SAI_TUNNEL_TERM_TABLE_ENTRY_TYPE_P2MP}},
        {TERM(TUNNEL_TYPE), {.s32 = SAI_TUNNEL_TYPE_IPINIP}},
        {TERM(ACTION_TUNNEL_ID), {.oid = tunnel}},
        {TERM(DST_IP), {.ipaddr = address}},
        {TERM(SRC_IP), {.ipaddr = source ? *source : address}},
    };
    sai_object_id_t entry;

    MUST(api->create_tunnel_term_table_entry(&entry, s->bench->sw,
                                             source ? 6 : 5, attributes));
#undef TERM
}

static void
make_tunnels(const struct switch_ *s)
{
    const sai_ip_address_t peer = l3_setup_v4(10, 0, 0, 9);
    const sai_attribute_t attributes[] = {
        {SAI_ROUTER_INTERFACE_ATTR_VIRTUAL_ROUTER_ID,
         {.oid = l3_setup_switch_oid(
              s->bench, SAI_SWITCH_ATTR_DEFAULT_VIRTUAL_ROUTER_ID)}},
        {SAI_ROUTER_INTERFACE_ATTR_TYPE,
         {.s32 = SAI_ROUTER_INTERFACE_TYPE_LOOPBACK}},
    };
    sai_object_id_t overlay;
    sai_object_id_t tunnel;
    void *api;

    MUST(sai_api_query(SAI_API_TUNNEL, &api));
    MUST(s->bench->interface_api->create_router_interface(
        &overlay, s->bench->sw, N(attributes), attributes));
    tunnel = make_tunnel(s, api, overlay, false, false, false);
    end_tunnel(s, api, tunnel, l3_setup_v4(10, 1, 0, 1), NULL);
    end_tunnel(s, api, tunnel, l3_setup_v6(1, 0xf1), NULL);
    tunnel = make_tunnel(s, api, overlay, true, true, true);
    end_tunnel(s, api, tunnel, l3_setup_v4(10, 1, 0, 2), NULL);
    end_tunnel(s, api, tunnel, l3_setup_v6(1, 0xf2), NULL);
    tunnel = make_tunnel(s, api, overlay, true, false, true);
    end_tunnel(s, api, tunnel, l3_setup_v4(10, 1, 0, 3), &peer);
}

/* Has queue 0 of port TRIM_PORT admit nothing and trim all. */
static void
make_trimming(const struct switch_ *s)
{
    const sai_attribute_t sw[] = {
        {SAI_SWITCH_ATTR_PACKET_TRIM_SIZE, {.u32 = TRIM_BYTES}},
        {SAI_SWITCH_ATTR_PACKET_TRIM_DSCP_VALUE, {.u8 = TRIM_DSCP}},
        {SAI_SWITCH_ATTR_PACKET_TRIM_QUEUE_INDEX, {.u8 = TRIM_QUEUE}},
    };
    const sai_attribute_t pool_attributes[] = {
        {SAI_BUFFER_POOL_ATTR_SIZE, {.u64 = 0}},
        {SAI_BUFFER_POOL_ATTR_TYPE, {.s32 = SAI_BUFFER_POOL_TYPE_EGRESS}},
    };
    sai_object_id_t pool, profile;

    for (uint32_t i = 0; i < N(sw); i++) {
        MUST(s->bench->switch_api->set_switch_attribute(s->bench->sw, &sw[i]));
    }
    MUST(s->bench->buffer_api->create_buffer_pool(
        &pool, s->bench->sw, N(pool_attributes), pool_attributes));
    const sai_attribute_t attributes[] = {
        {SAI_BUFFER_PROFILE_ATTR_POOL_ID, {.oid = pool}},
        {SAI_BUFFER_PROFILE_ATTR_RESERVED_BUFFER_SIZE, {.u64 = 0}},
        {SAI_BUFFER_PROFILE_ATTR_THRESHOLD_MODE,
         {.s32 = SAI_BUFFER_PROFILE_THRESHOLD_MODE_DYNAMIC}},
        {SAI_BUFFER_PROFILE_ATTR_SHARED_DYNAMIC_TH, {.s8 = -8}},
        {SAI_BUFFER_PROFILE_ATTR_PACKET_ADMISSION_FAIL_ACTION,
         {.s32 =
              SAI_BUFFER_PROFILE_PACKET_ADMISSION_FAIL_ACTION_DROP_AND_TRIM}},
    };
    MUST(s->bench->buffer_api->create_buffer_profile(
        &profile, s->bench->sw, N(attributes), attributes));
    const sai_attribute_t bound = {SAI_QUEUE_ATTR_BUFFER_PROFILE_ID,
                                   {.oid = profile}};
    MUST(s->bench->queue_api->set_queue_attribute(
        asic_setup_child(s->bench, s->ports[TRIM_PORT],
                         SAI_PORT_ATTR_QOS_QUEUE_LIST, 0),
        &bound));
}

/* Ports 0 and 1 are router ports; 2 (untagged) and 3 (tagged) are VLAN 100,
 * which has an interface; 4 has one for tag 200; 5 and 6 are in VLAN 1; 7 is a
 * router port whose packets are trimmed.
 *
 *   neighbor                port   MAC ends in
 *   10.0.0.9                0      09
 *   10.0.1.2, 2001::2       1      02, 22
 *   10.0.100.4              2      04
 *   10.0.100.3, 2064::3     3      03, 33
 *   10.0.200.5              4      05
 *   10.0.7.7, 2007::7       7      07, 77
 *
 *   route                   to
 *   20/8, 2002::/16         10.0.1.2, 2001::2
 *   21/8, 22/8, 23/8        10.0.100.3, 10.0.100.4, 10.0.200.5
 *   24/8, 2008::/16         10.0.7.7, 2007::7
 *   10.0.0.1                the processor
 *
 *   tunnel to               models of TTL, DSCP, ECN
 *   10.1.0.1, 2001::f1      uniform, uniform, RFC 6040
 *   10.1.0.2, 2001::f2      pipe, pipe, copy
 *   10.1.0.3 from 10.0.0.9  pipe, uniform, copy */
static void
build(struct switch_ *s)
{
    sai_object_id_t in[2];
    sai_object_id_t vlan;
    sai_object_id_t on_vlan;
    sai_object_id_t on_tag;
    sai_object_id_t trimmed;

    for (uint32_t i = 0; i < PORTS; i++) {
        s->ports[i] = asic_setup_add_port(s->bench, 1000 + i);
        asic_setup_port_bool(s->bench, s->ports[i], SAI_PORT_ATTR_ADMIN_STATE,
                             true);
        MUST(s->bench->ops->capture(s->ports[i], true));
    }
    s->cpu = l3_setup_switch_oid(s->bench, SAI_SWITCH_ATTR_CPU_PORT);
    MUST(s->bench->ops->capture(s->cpu, true));
    make_learning(s);
    leave_default_vlan(s, 5);
    make_trimming(s);
    vlan = make_vlan(s);
    make_entry(s, vlan, 3, 3);
    make_entry(s, vlan, 33, 3);
    make_entry(s, vlan, 4, 2);
    in[0] = l3_setup_interface(s->bench, s->ports[0], 0);
    in[1] = l3_setup_interface(s->bench, s->ports[1], 0);
    on_vlan = l3_setup_vlan_interface(s->bench, vlan);
    on_tag = l3_setup_interface(s->bench, s->ports[4], SUB_VLAN);
    l3_setup_neighbor(s->bench, in[0], l3_setup_v4(10, 0, 0, 9), 9);
    l3_setup_neighbor(s->bench, in[1], l3_setup_v4(10, 0, 1, 2), 2);
    l3_setup_neighbor(s->bench, in[1], l3_setup_v6(1, 2), 22);
    l3_setup_neighbor(s->bench, on_vlan, l3_setup_v4(10, 0, 100, 3), 3);
    l3_setup_neighbor(s->bench, on_vlan, l3_setup_v4(10, 0, 100, 4), 4);
    l3_setup_neighbor(s->bench, on_vlan, l3_setup_v6(0x64, 3), 33);
    l3_setup_neighbor(s->bench, on_tag, l3_setup_v4(10, 0, 200, 5), 5);
    l3_setup_route(
        s->bench, l3_setup_v4(20, 0, 0, 0), 8,
        l3_setup_next_hop(s->bench, in[1], l3_setup_v4(10, 0, 1, 2)));
    l3_setup_route(s->bench, l3_setup_v6(2, 0), 16,
                   l3_setup_next_hop(s->bench, in[1], l3_setup_v6(1, 2)));
    l3_setup_route(
        s->bench, l3_setup_v4(21, 0, 0, 0), 8,
        l3_setup_next_hop(s->bench, on_vlan, l3_setup_v4(10, 0, 100, 3)));
    l3_setup_route(
        s->bench, l3_setup_v4(22, 0, 0, 0), 8,
        l3_setup_next_hop(s->bench, on_vlan, l3_setup_v4(10, 0, 100, 4)));
    l3_setup_route(
        s->bench, l3_setup_v4(23, 0, 0, 0), 8,
        l3_setup_next_hop(s->bench, on_tag, l3_setup_v4(10, 0, 200, 5)));
    trimmed = l3_setup_interface(s->bench, s->ports[TRIM_PORT], 0);
    l3_setup_neighbor(s->bench, trimmed, l3_setup_v4(10, 0, 7, 7), 7);
    l3_setup_neighbor(s->bench, trimmed, l3_setup_v6(7, 7), 77);
    l3_setup_route(
        s->bench, l3_setup_v4(24, 0, 0, 0), 8,
        l3_setup_next_hop(s->bench, trimmed, l3_setup_v4(10, 0, 7, 7)));
    l3_setup_route(s->bench, l3_setup_v6(8, 0), 16,
                   l3_setup_next_hop(s->bench, trimmed, l3_setup_v6(7, 7)));
    l3_setup_route(s->bench, l3_setup_v4(10, 0, 0, 1), 32, s->cpu);
    make_tunnels(s);
}

/* Prints the frames that have left 'port', which is called 'name'. */
static void
print_captured(const struct switch_ *s, sai_object_id_t port, const char *name)
{
    static uint8_t bytes[MAX_BYTES + 4];

    for (;;) {
        uint32_t n = sizeof bytes;

        MUST(s->bench->ops->captured(port, &n, bytes));
        if (n == 0) {
            return;
        }
        (void)printf("%s ", name);
        for (uint32_t i = 0; i < n; i++) {
            (void)printf("%02x", bytes[i]);
        }
        (void)printf("\n");
    }
}

/* Reads "PORT HEX" into '*port' and 'bytes'.  Returns the number of bytes, 0 if
 * the line is wrong. */
static uint32_t
read_line(const char *line, unsigned long *port, uint8_t *bytes)
{
    char *rest;
    uint32_t n = 0;

    *port = strtoul(line, &rest, 10);
    if (*rest++ != ' ' || *port >= PORTS) {
        return 0;
    }
    for (; n < MAX_BYTES && rest[0] && rest[0] != '\n' && rest[1]; rest += 2) {
        const char pair[] = {rest[0], rest[1], 0};
        char *end;

        bytes[n++] = (uint8_t)strtoul(pair, &end, 16);
        if (*end) {
            return 0;
        }
    }
    return n;
}

int
main(void)
{
    static char line[2 * MAX_BYTES + 16];
    static uint8_t bytes[MAX_BYTES];
    struct switch_ s;
    void *state;

    orch_assert(asic_setup_setup_generic(&state) == 0);
    s.bench = state;
    build(&s);
    while (fgets(line, sizeof line, stdin)) {
        unsigned long port = 0;
        const uint32_t n = read_line(line, &port, bytes);

        if (n == 0 || s.bench->ops->inject(s.ports[port], n, bytes) !=
                          SAI_STATUS_SUCCESS) {
            (void)printf("?\n");
        }
        MUST(s.bench->ops->settle(NULL));
        for (uint32_t i = 0; i < PORTS; i++) {
            const char name[] = {(char)('0' + i), 0};

            print_captured(&s, s.ports[i], name);
        }
        print_captured(&s, s.cpu, "cpu");
        (void)printf(".\n");
        (void)fflush(stdout);
    }
    return asic_setup_teardown(&state);
}
