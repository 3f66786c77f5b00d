/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LIBSAI_FUNCTION_TABLES_H
#define ORCHD_LIBSAI_FUNCTION_TABLES_H

/* SAI's function tables.
 *
 * Modelled are the APIs switch, port, buffer, queue, qos_map, scheduler,
 * scheduler_group, wred, vlan, bridge, fdb, lag, virtual_router,
 * router_interface, neighbor, next_hop, next_hop_group, route and hostif: full
 * tables of release 1.18.1 in which every slot has a function of its type.
 * Objects of these APIs that do not exist here (port pools, connectors, serdes,
 * link-level retry profiles, switch tunnels, MDIO, counters of the switch, maps
 * of next hop groups, packets of host interfaces) answer
 * SAI_STATUS_NOT_IMPLEMENTED.
 *
 * Every other API of SAI has a table of stubs (stubs.h): of its own length and
 * forms, or, where these are not known here, of STUBS_N_ANY functions, more
 * than the longest table of the release (50, telemetry) has.
 *
 * Behind each table are some more stubs, for clients that were built with the
 * headers of a later release and look beyond the end. */

#include <sai.h>

/* Returns the table of 'api', NULL if that is no API of SAI.  Static. */
const void *function_tables_get(sai_api_t api);

#endif /* vendors/libsai/function_tables.h */
