/* SPDX-License-Identifier: Apache-2.0 */

/* Makes a router of the first two ports of the switch behind
 * $ORCHD_TEST_SOCKET, and leaves: the switch goes on.
 *
 *   port 0   10.0.1.0/24, the host 10.0.1.2 at 02:00:00:00:00:01
 *   port 1   10.0.2.0/24, the host 10.0.2.2 at 02:00:00:00:00:02
 *
 * Prints the MAC address of the router. */

#include <config.h>

#include <stdio.h>

#include "base/check.h"
#include "tests/support/l3rig.h"

enum { HOSTS = 2 };

int
main(void)
{
    sai_attribute_t mac = {.id = SAI_SWITCH_ATTR_SRC_MAC_ADDRESS};
    const sai_uint8_t *m = mac.value.mac;
    struct asicrig *rig;
    void *state;

    orch_assert(asicrig_setup_td2(&state) == 0);
    rig = state;
    for (uint8_t i = 0; i < HOSTS; i++) {
        sai_object_id_t interface;

        asicrig_port_bool(rig, rig->ports[i], SAI_PORT_ATTR_ADMIN_STATE, true);
        interface = l3rig_interface(rig, rig->ports[i], 0);
        l3rig_neighbor(rig, interface, l3rig_v4(10, 0, (uint8_t)(i + 1), 2),
                       (uint8_t)(i + 1));
    }
    orch_assert(rig->switch_api->get_switch_attribute(rig->sw, 1, &mac) ==
                SAI_STATUS_SUCCESS);
    printf("%02x:%02x:%02x:%02x:%02x:%02x\n", m[0], m[1], m[2], m[3], m[4],
           m[5]);
    return asicrig_teardown(&state);
}
