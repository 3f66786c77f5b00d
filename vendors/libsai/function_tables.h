/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LIBSAI_FUNCTION_TABLES_H
#define ORCHD_LIBSAI_FUNCTION_TABLES_H

/* SAI's function tables.
 *
 * The modelled APIs are switch, port, buffer, queue, qos_map, scheduler,
 * scheduler_group, wred, vlan, bridge, fdb, lag, virtual_router,
 * router_interface, neighbor, next_hop, next_hop_group, route and hostif.
 * Their tables are those of release 1.18.1, and every slot has a function of
 * its type.  For objects of these APIs that are not modelled (port pools,
 * connectors, serdes, link-level retry profiles, switch tunnels, MDIO, counters
 * of the switch, maps of next hop groups, packets of host interfaces), the
 * functions return SAI_STATUS_NOT_IMPLEMENTED.
 *
 * Every other API of SAI has a table of stubs (stubs.h): as many slots and of
 * the same types as in the release; or, where these are not known here,
 * STUBS_N_ANY functions, more than the longest table of the release (50,
 * telemetry) has.
 *
 * Some more stubs follow each table, for clients that were built with the
 * headers of a later release and read beyond the end. */

#include <sai.h>

/* Returns the table of 'api', or NULL if SAI has no such API.  Static. */
const void *function_tables_get(sai_api_t api);

#endif /* vendors/libsai/function_tables.h */
