/* SPDX-License-Identifier: Apache-2.0 */

/* Checks the peers and routes of a caller. */

#include <config.h>

#include "lab/builder/switch_check.h"

static enum st
refuse_peer(const struct switch_peer *peer, size_t i, const char *what,
            struct err *err)
{
    return err_set(err, ST_INVALID, "peer", "peer %zu on port %u: %s", i,
                   peer->slot, what);
}

enum st
switch_check_peer(const struct switch_peer *peers, size_t i, struct err *err)
{
    const struct switch_peer *peer = &peers[i];

    if (peer->address.family == ADDRESS_NONE ||
        address_is_group(&peer->address) ||
        address_is_bad_destination(&peer->address)) {
        return refuse_peer(peer, i, "its address is not that of a host", err);
    }
    if (peer->mac == 0 || peer->mac >> 48 || peer->mac >> 40 & 1) {
        return refuse_peer(peer, i, "its MAC address is not that of a station",
                           err);
    }
    for (size_t k = 0; k < i; k++) {
        if (address_equal(&peers[k].address, &peer->address)) {
            return refuse_peer(peer, i, "another peer has its address", err);
        }
    }
    return ST_OK;
}

enum st
switch_check_route(const struct switch_route *route, size_t n_peers,
                   struct err *err)
{
    const unsigned int bits =
        address_bits((enum address_family)route->prefix.family);
    struct address masked;

    if (bits == 0 || route->length > bits) {
        return err_set(err, ST_INVALID, "prefix",
                       "a prefix of %u bits of an address of %u", route->length,
                       bits);
    }
    masked = address_mask(&route->prefix, route->length);
    if (!address_equal(&masked, &route->prefix)) {
        return err_set(err, ST_INVALID, "prefix",
                       "a prefix has bits behind its %u", route->length);
    }
    for (uint32_t i = 0; i < route->n_peers; i++) {
        if (route->peers[i] >= n_peers) {
            return err_set(err, ST_INVALID, "peer",
                           "a route names peer %u; there are %zu",
                           route->peers[i], n_peers);
        }
        for (uint32_t k = 0; k < i; k++) {
            if (route->peers[k] == route->peers[i]) {
                return err_set(err, ST_INVALID, "peer",
                               "a route names peer %u twice", route->peers[i]);
            }
        }
    }
    return ST_OK;
}
