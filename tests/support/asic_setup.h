/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TESTS_SUPPORT_ASIC_SETUP_H
#define ORCHD_TESTS_SUPPORT_ASIC_SETUP_H

/* The software switch of this process with all its tables, for unit tests; or
 * that behind $ORCHD_TEST_SOCKET, for programs of integration tests. */

#include <stdint.h>

#include <sai.h>

#include "vendors/softasic/softasic.h"

#define N(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))

enum { ASICRIG_MAX_PORTS = 600, ASICRIG_MAX_CHILDREN = 64 };

struct asic_setup {
    const sai_switch_api_t *switch_api;
    const sai_port_api_t *port_api;
    const sai_buffer_api_t *buffer_api;
    const sai_queue_api_t *queue_api;
    const sai_qos_map_api_t *map_api;
    const sai_scheduler_api_t *scheduler_api;
    const sai_scheduler_group_api_t *group_api;
    const sai_wred_api_t *wred_api;
    const sai_vlan_api_t *vlan_api;
    const sai_bridge_api_t *bridge_api;
    const sai_fdb_api_t *fdb_api;
    const sai_virtual_router_api_t *router_api;
    const sai_router_interface_api_t *interface_api;
    const sai_neighbor_api_t *neighbor_api;
    const sai_next_hop_api_t *hop_api;
    const sai_next_hop_group_api_t *hop_group_api;
    const sai_route_api_t *route_api;
    const sai_lag_api_t *lag_api;
    const sai_hostif_api_t *hostif_api;
    const struct softasic_ops *ops;
    sai_object_id_t sw;
    sai_object_id_t ports[ASICRIG_MAX_PORTS];
    uint32_t n_ports;
};

/* Set up (for cmocka) a switch of a model, with the attributes that it needs;
 * tear it down. */
int asic_setup_setup_td2(void **state);
int asic_setup_setup_generic(void **state);
int asic_setup_teardown(void **state);

/* The same with a model that 'set' (NULL: nothing) overrides keys of, in this
 * process. */
int asic_setup_setup(void **state, const char *model, const char *set);

/* Makes the lines of the switches that are set up next 'dilation' times slower,
 * a number as text; NULL: no more. */
void asic_setup_dilate_lines(const char *dilation);

/* Returns object 'index' of a list attribute of 'port'. */
sai_object_id_t asic_setup_child(struct asic_setup *bench, sai_object_id_t port,
                                 sai_attr_id_t list, uint32_t index);

/* Creates a port with one lane; the test fails if that does. */
sai_object_id_t asic_setup_add_port(struct asic_setup *bench, uint32_t lane);

/* Removes the member of the default VLAN and the bridge port that 'port' of
 * switch 'sw' has from the start; or the port as well.  Return the status of
 * the first call that fails. */
sai_status_t asic_setup_leave_bridge(sai_object_id_t sw, sai_object_id_t port);
sai_status_t asic_setup_remove_port(sai_object_id_t sw, sai_object_id_t port);

/* Sets a boolean of a port; the test fails if that does. */
void asic_setup_port_bool(struct asic_setup *bench, sai_object_id_t port,
                          sai_attr_id_t id, bool on);

#endif /* tests/support/asic_setup.h */
