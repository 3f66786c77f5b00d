/* SPDX-License-Identifier: Apache-2.0 */

/* A second SAI program beside orchd: reads the counters of one port, or stops
 * and starts its transmitter.
 *
 *   sai-client SOCKET ROLE LANE [on|off]
 *
 * SOCKET is that of softasicd or saihostd, ROLE is reader or rescue, LANE is a
 * lane of the port.  Any SAI program connects in the same way: the profile has
 * the socket and the role, and INIT_SWITCH is false. */

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sai.h>

enum { PORTS_MAX = 1024, LANES_MAX = 16, QUEUE = 3 };

static const char *my_socket, *my_role;

static const char *
profile_value(sai_switch_profile_id_t id, const char *key)
{
    (void)id;
    return !strcmp(key, "SAI_REMOTE_SOCKET") ? my_socket
           : !strcmp(key, "SAI_REMOTE_ROLE") ? my_role
                                             : NULL;
}

/* Ends the program if a call has failed. */
static void
must(const char *what, sai_status_t status)
{
    if (status != SAI_STATUS_SUCCESS) {
        fprintf(stderr, "sai-client: %s: SAI status %d\n", what, (int)status);
        exit(1);
    }
}

/* Returns the table of an API. */
static void *
api_of(sai_api_t api)
{
    void *table = NULL;

    must("sai_api_query", sai_api_query(api, &table));
    return table;
}

/* Connects to the switch that exists already. */
static sai_object_id_t
connect_switch(const sai_switch_api_t *switches)
{
    const sai_attribute_t init = {.id = SAI_SWITCH_ATTR_INIT_SWITCH,
                                  .value = {.booldata = false}};
    sai_object_id_t oid;

    must("create_switch", switches->create_switch(&oid, 1, &init));
    return oid;
}

/* Returns the port that has 'lane'. */
static sai_object_id_t
find_port(const sai_switch_api_t *switches, const sai_port_api_t *ports,
          sai_object_id_t switch_id, uint32_t lane)
{
    static sai_object_id_t oids[PORTS_MAX];
    sai_attribute_t list = {.id = SAI_SWITCH_ATTR_PORT_LIST,
                            .value = {.objlist = {PORTS_MAX, oids}}};

    must("PORT_LIST", switches->get_switch_attribute(switch_id, 1, &list));
    for (uint32_t i = 0; i < list.value.objlist.count; i++) {
        uint32_t lanes[LANES_MAX];
        sai_attribute_t of = {.id = SAI_PORT_ATTR_HW_LANE_LIST,
                              .value = {.u32list = {LANES_MAX, lanes}}};

        must("HW_LANE_LIST", ports->get_port_attribute(oids[i], 1, &of));
        for (uint32_t k = 0; k < of.value.u32list.count; k++) {
            if (lanes[k] == lane) {
                return oids[i];
            }
        }
    }
    fprintf(stderr, "sai-client: no port has lane %" PRIu32 "\n", lane);
    exit(1);
}

/* Prints what a port has received and sent, and the most that a queue of it has
 * held. */
static void
print_counters(const sai_port_api_t *ports, sai_object_id_t port)
{
    static const sai_stat_id_t of_port[] = {SAI_PORT_STAT_IF_IN_UCAST_PKTS,
                                            SAI_PORT_STAT_IF_OUT_UCAST_PKTS};
    static const sai_stat_id_t of_queue[] = {SAI_QUEUE_STAT_WATERMARK_BYTES};
    const sai_queue_api_t *queues = api_of(SAI_API_QUEUE);
    sai_object_id_t oids[64];
    sai_attribute_t list = {.id = SAI_PORT_ATTR_QOS_QUEUE_LIST,
                            .value = {.objlist = {64, oids}}};
    uint64_t packets[2], peak;

    must("QOS_QUEUE_LIST", ports->get_port_attribute(port, 1, &list));
    must("port counters", ports->get_port_stats(port, 2, of_port, packets));
    must("queue counters",
         queues->get_queue_stats(oids[QUEUE], 1, of_queue, &peak));
    printf("%" PRIu64 " packets in, %" PRIu64 " out, queue %d had at most "
           "%" PRIu64 " bytes\n",
           packets[0], packets[1], QUEUE, peak);
}

int
main(int argc, char **argv)
{
    const sai_service_method_table_t services = {.profile_get_value =
                                                     profile_value};
    sai_attribute_t transmit = {.id = SAI_PORT_ATTR_PKT_TX_ENABLE};
    const sai_switch_api_t *switches;
    const sai_port_api_t *ports;
    sai_object_id_t port;

    if (argc < 4) {
        fputs("Usage: sai-client SOCKET ROLE LANE [on|off]\n", stderr);
        return 2;
    }
    my_socket = argv[1];
    my_role = argv[2];
    must("sai_api_initialize", sai_api_initialize(0, &services));
    switches = api_of(SAI_API_SWITCH);
    ports = api_of(SAI_API_PORT);
    port = find_port(switches, ports, connect_switch(switches),
                     (uint32_t)strtoul(argv[3], NULL, 10));
    if (argc > 4) {
        transmit.value.booldata = !strcmp(argv[4], "on");
        must("PKT_TX_ENABLE", ports->set_port_attribute(port, &transmit));
    } else {
        print_counters(ports, port);
    }
    /* Without remove_switch(): the switch is orchd's. */
    must("sai_api_uninitialize", sai_api_uninitialize());
    return 0;
}
