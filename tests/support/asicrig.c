/* SPDX-License-Identifier: Apache-2.0 */

/* The software switch of this process with all its tables. */

#include <config.h>

#include "tests/support/asicrig.h"

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
    if (strcmp(name, "SOFTASIC_MODEL_SET") == 0) {
        return model_set;
    }
    return strcmp(name, "SOFTASIC_MODEL") == 0 ? model_name : NULL;
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
asicrig_setup(void **state, const char *model, const char *set)
{
    static const sai_service_method_table_t services = {.profile_get_value =
                                                            profile_get};
    const sai_attribute_t init = {SAI_SWITCH_ATTR_INIT_SWITCH,
                                  {.booldata = true}};
    struct asicrig *rig = calloc(1, sizeof *rig);
    sai_attribute_t list = {SAI_SWITCH_ATTR_PORT_LIST,
                            {.objlist = {ASICRIG_MAX_PORTS, rig->ports}}};

    model_name = model;
    model_set = set;
    host = !set && testhost_wanted() ? testhost_start(model) : NULL;
    assert_int_equal(sai_api_initialize(0, &services), SAI_STATUS_SUCCESS);
    query(SAI_API_SWITCH, &rig->switch_api);
    query(SAI_API_PORT, &rig->port_api);
    query(SAI_API_BUFFER, &rig->buffer_api);
    query(SAI_API_QUEUE, &rig->queue_api);
    query(SAI_API_QOS_MAP, &rig->map_api);
    query(SAI_API_SCHEDULER, &rig->scheduler_api);
    query(SAI_API_SCHEDULER_GROUP, &rig->group_api);
    query(SAI_API_WRED, &rig->wred_api);
    query(SAI_API_VLAN, &rig->vlan_api);
    query(SAI_API_BRIDGE, &rig->bridge_api);
    query(SAI_API_FDB, &rig->fdb_api);
    query(SAI_API_VIRTUAL_ROUTER, &rig->router_api);
    query(SAI_API_ROUTER_INTERFACE, &rig->interface_api);
    query(SAI_API_NEIGHBOR, &rig->neighbor_api);
    query(SAI_API_NEXT_HOP, &rig->hop_api);
    query(SAI_API_NEXT_HOP_GROUP, &rig->hop_group_api);
    query(SAI_API_ROUTE, &rig->route_api);
    query(SAI_API_LAG, &rig->lag_api);
    query(SAI_API_HOSTIF, &rig->hostif_api);
    rig->ops = softasic_ops(SOFTASIC_OPS_VERSION);
    assert_non_null(rig->ops);
    assert_int_equal(rig->switch_api->create_switch(&rig->sw, 1, &init),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(rig->switch_api->get_switch_attribute(rig->sw, 1, &list),
                     SAI_STATUS_SUCCESS);
    rig->n_ports = list.value.objlist.count;
    *state = rig;
    return 0;
}

int
asicrig_setup_td2(void **state)
{
    return asicrig_setup(state, "td2", NULL);
}

int
asicrig_setup_generic(void **state)
{
    return asicrig_setup(state, "generic", NULL);
}

int
asicrig_teardown(void **state)
{
    assert_int_equal(sai_api_uninitialize(), SAI_STATUS_SUCCESS);
    testhost_stop(host);
    host = NULL;
    free(*state);
    return 0;
}

sai_object_id_t
asicrig_child(struct asicrig *rig, sai_object_id_t port, sai_attr_id_t list,
              uint32_t index)
{
    sai_object_id_t oids[ASICRIG_MAX_CHILDREN];
    sai_attribute_t attribute = {list,
                                 {.objlist = {ASICRIG_MAX_CHILDREN, oids}}};

    assert_int_equal(rig->port_api->get_port_attribute(port, 1, &attribute),
                     SAI_STATUS_SUCCESS);
    assert_true(index < attribute.value.objlist.count);
    return oids[index];
}

sai_object_id_t
asicrig_add_port(struct asicrig *rig, uint32_t lane)
{
    const sai_attribute_t attributes[] = {
        {SAI_PORT_ATTR_HW_LANE_LIST, {.u32list = {1, &lane}}},
        {SAI_PORT_ATTR_SPEED, {.u32 = 100000}},
    };
    sai_object_id_t port = SAI_NULL_OBJECT_ID;

    assert_int_equal(
        rig->port_api->create_port(&port, rig->sw, N(attributes), attributes),
        SAI_STATUS_SUCCESS);
    return port;
}

void
asicrig_port_bool(struct asicrig *rig, sai_object_id_t port, sai_attr_id_t id,
                  bool on)
{
    const sai_attribute_t attribute = {id, {.booldata = on}};

    assert_int_equal(rig->port_api->set_port_attribute(port, &attribute),
                     SAI_STATUS_SUCCESS);
}
