/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_BUILDER_SWITCH_CHECK_H
#define ORCHD_LAB_BUILDER_SWITCH_CHECK_H

/* Checks the peers and routes of a caller before any call of SAI, so that
 * messages name them as the caller does. */

#include <stddef.h>

#include "base/status.h"
#include "lab/builder/switch_routes.h"

/* Checks peer 'i' of 'peers', also against those before it.  ST_INVALID. */
enum st switch_check_peer(const struct switch_peer *peers, size_t i,
                          struct err *err) ST_WARN_UNUSED;

/* Checks a route of a switch with 'n_peers' peers.  ST_INVALID. */
enum st switch_check_route(const struct switch_route *route, size_t n_peers,
                           struct err *err) ST_WARN_UNUSED;

#endif /* lab/builder/switch_check.h */
