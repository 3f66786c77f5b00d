/* SPDX-License-Identifier: Apache-2.0 */

/* The software switch of this process with all its tables. */

#include <config.h>

#include "tests/support/asic_setup.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/testhost.h"

/* What the profile says. */
static const char *model_name;
static const char *model_set;
static const char *line_dilation;

/* The switch in a process of its own, if the tests are run on one. */
static struct testhost *host;

static const char *
profile_get(sai_switch_profile_id_t id, const char *name)
{
    (void)id;
    if (strcmp(name, "SOFTASIC_SOCKET") == 0) {
        return host ? testhost_path(host) : getenv("ORCHD_TEST_SOCKET");
    }
    if (strcmp(name, "SOFTASIC_MODEL_DIR") == 0) {
        return TOP_SRCDIR "/chips";
    }
    if (strcmp(name, "SOFTASIC_LINE_DILATION") == 0) {
        return line_dilation;
    }
    if (strcmp(name, "SOFTASIC_MODEL_SET") == 0) {
        return model_set;
    }
    return strcmp(name, "SOFTASIC_MODEL") == 0 ? model_name : NULL;
}

void
asic_setup_dilate_lines(const char *dilation)
{
    line_dilation = dilation;
}

static void
query(sai_api_t api, const void *table)
{
    void *found = NULL;

    assert_int_equal(sai_api_query(api, &found), SAI_STATUS_SUCCESS);
    assert_non_null(found);
    memcpy((void *)(uintptr_t)table, &found, sizeof found);
}

int
asic_setup_setup(void **state, const char *model, const char *set)
{
    static const sai_service_method_table_t services = {.profile_get_value =
                                                            profile_get};
    const sai_attribute_t init = {SAI_SWITCH_ATTR_INIT_SWITCH,
                                  {.booldata = true}};
    struct asic_setup *bench = calloc(1, sizeof *bench);
    sai_attribute_t list = {SAI_SWITCH_ATTR_PORT_LIST,
                            {.objlist = {ASICRIG_MAX_PORTS, bench->ports}}};

    model_name = model;
    model_set = set;
    host = !set && !line_dilation && testhost_wanted() ? testhost_start(model)
                                                       : NULL;
    assert_int_equal(sai_api_initialize(0, &services), SAI_STATUS_SUCCESS);
    query(SAI_API_SWITCH, &bench->switch_api);
    query(SAI_API_PORT, &bench->port_api);
    query(SAI_API_BUFFER, &bench->buffer_api);
    query(SAI_API_QUEUE, &bench->queue_api);
    query(SAI_API_QOS_MAP, &bench->map_api);
    query(SAI_API_SCHEDULER, &bench->scheduler_api);
    query(SAI_API_SCHEDULER_GROUP, &bench->group_api);
    query(SAI_API_WRED, &bench->wred_api);
    query(SAI_API_VLAN, &bench->vlan_api);
    query(SAI_API_BRIDGE, &bench->bridge_api);
    query(SAI_API_FDB, &bench->fdb_api);
    query(SAI_API_VIRTUAL_ROUTER, &bench->router_api);
    query(SAI_API_ROUTER_INTERFACE, &bench->interface_api);
    query(SAI_API_NEIGHBOR, &bench->neighbor_api);
    query(SAI_API_NEXT_HOP, &bench->hop_api);
    query(SAI_API_NEXT_HOP_GROUP, &bench->hop_group_api);
    query(SAI_API_ROUTE, &bench->route_api);
    query(SAI_API_LAG, &bench->lag_api);
    query(SAI_API_HOSTIF, &bench->hostif_api);
    bench->ops = softasic_ops(SOFTASIC_OPS_VERSION);
    assert_non_null(bench->ops);
    assert_int_equal(bench->switch_api->create_switch(&bench->sw, 1, &init),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(
        bench->switch_api->get_switch_attribute(bench->sw, 1, &list),
        SAI_STATUS_SUCCESS);
    bench->n_ports = list.value.objlist.count;
    *state = bench;
    return 0;
}

int
asic_setup_setup_td2(void **state)
{
    return asic_setup_setup(state, "td2", NULL);
}

int
asic_setup_setup_generic(void **state)
{
    return asic_setup_setup(state, "generic", NULL);
}

int
asic_setup_teardown(void **state)
{
    assert_int_equal(sai_api_uninitialize(), SAI_STATUS_SUCCESS);
    testhost_stop(host);
    host = NULL;
    free(*state);
    return 0;
}

sai_object_id_t
asic_setup_child(struct asic_setup *bench, sai_object_id_t port,
                 sai_attr_id_t list, uint32_t index)
{
    sai_object_id_t oids[ASICRIG_MAX_CHILDREN];
    sai_attribute_t attribute = {list,
                                 {.objlist = {ASICRIG_MAX_CHILDREN, oids}}};

    assert_int_equal(bench->port_api->get_port_attribute(port, 1, &attribute),
                     SAI_STATUS_SUCCESS);
    assert_true(index < attribute.value.objlist.count);
    return oids[index];
}

sai_object_id_t
asic_setup_add_port(struct asic_setup *bench, uint32_t lane)
{
    const sai_attribute_t attributes[] = {
        {SAI_PORT_ATTR_HW_LANE_LIST, {.u32list = {1, &lane}}},
        {SAI_PORT_ATTR_SPEED, {.u32 = 100000}},
    };
    sai_object_id_t port = SAI_NULL_OBJECT_ID;

    assert_int_equal(bench->port_api->create_port(&port, bench->sw,
                                                  N(attributes), attributes),
                     SAI_STATUS_SUCCESS);
    return port;
}

void
asic_setup_port_bool(struct asic_setup *bench, sai_object_id_t port,
                     sai_attr_id_t id, bool on)
{
    const sai_attribute_t attribute = {id, {.booldata = on}};

    assert_int_equal(bench->port_api->set_port_attribute(port, &attribute),
                     SAI_STATUS_SUCCESS);
}

static const void *
table_of(sai_api_t api)
{
    const void *table = NULL;

    query(api, &table);
    return table;
}

enum { MAX_MEMBERS = 2 * ASICRIG_MAX_PORTS };

/* Returns the object in a list of 'group' whose attribute 'owner_id' is
 * 'owner', SAI_NULL_OBJECT_ID if there is none. */
static sai_object_id_t
find_member(sai_status_t (*get_group)(sai_object_id_t, uint32_t,
                                      sai_attribute_t *),
            sai_object_id_t group, sai_attr_id_t list_id,
            sai_status_t (*get_member)(sai_object_id_t, uint32_t,
                                       sai_attribute_t *),
            sai_attr_id_t owner_id, sai_object_id_t owner)
{
    sai_object_id_t oids[MAX_MEMBERS];
    sai_attribute_t list = {list_id, {.objlist = {MAX_MEMBERS, oids}}};

    assert_int_equal(get_group(group, 1, &list), SAI_STATUS_SUCCESS);
    for (uint32_t i = 0; i < list.value.objlist.count; i++) {
        sai_attribute_t of = {owner_id, {0}};

        assert_int_equal(get_member(oids[i], 1, &of), SAI_STATUS_SUCCESS);
        if (of.value.oid == owner) {
            return oids[i];
        }
    }
    return SAI_NULL_OBJECT_ID;
}

sai_status_t
asic_setup_leave_bridge(sai_object_id_t sw, sai_object_id_t port)
{
    const sai_vlan_api_t *vlan_api = table_of(SAI_API_VLAN);
    const sai_bridge_api_t *bridge_api = table_of(SAI_API_BRIDGE);
    const sai_switch_api_t *switch_api = table_of(SAI_API_SWITCH);
    sai_attribute_t of[] = {{SAI_SWITCH_ATTR_DEFAULT_1Q_BRIDGE_ID, {0}},
                            {SAI_SWITCH_ATTR_DEFAULT_VLAN_ID, {0}}};
    sai_object_id_t bridge_port, member;
    sai_status_t status = SAI_STATUS_SUCCESS;

    assert_int_equal(switch_api->get_switch_attribute(sw, N(of), of),
                     SAI_STATUS_SUCCESS);
    bridge_port = find_member(bridge_api->get_bridge_attribute, of[0].value.oid,
                              SAI_BRIDGE_ATTR_PORT_LIST,
                              bridge_api->get_bridge_port_attribute,
                              SAI_BRIDGE_PORT_ATTR_PORT_ID, port);
    if (bridge_port != SAI_NULL_OBJECT_ID) {
        member = find_member(vlan_api->get_vlan_attribute, of[1].value.oid,
                             SAI_VLAN_ATTR_MEMBER_LIST,
                             vlan_api->get_vlan_member_attribute,
                             SAI_VLAN_MEMBER_ATTR_BRIDGE_PORT_ID, bridge_port);
        status = member == SAI_NULL_OBJECT_ID
                     ? SAI_STATUS_SUCCESS
                     : vlan_api->remove_vlan_member(member);
        if (status == SAI_STATUS_SUCCESS) {
            status = bridge_api->remove_bridge_port(bridge_port);
        }
    }
    return status;
}

sai_status_t
asic_setup_remove_port(sai_object_id_t sw, sai_object_id_t port)
{
    const sai_port_api_t *port_api = table_of(SAI_API_PORT);
    const sai_status_t status = asic_setup_leave_bridge(sw, port);

    return status == SAI_STATUS_SUCCESS ? port_api->remove_port(port) : status;
}
