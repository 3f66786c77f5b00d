/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_THRIFTD_RPC_SWITCH_H
#define ORCHD_THRIFTD_RPC_SWITCH_H

/* The switch of a SAI host as a tester sees it: a connection that is made when
 * it is needed, and the ports with their names.
 *
 * Each client of the server has one, so that the host knows which test has
 * changed what, and when it is over. */

#include <stdbool.h>
#include <stdint.h>

#include <sai.h>

#include "base/status.h"
#include "sai/core/backend.h"

struct client;
struct object_names;
struct rpc_switch;

/* A port of the switch. */
struct rpc_port {
    sai_object_id_t oid;
    uint32_t lane; /* The first. */
    char name[32];
};

/* Prepares a connection to 'socket' with the name 'name' (copied); the others
 * are borrowed.  'names': of ports, see saihostd/names.h. */
struct rpc_switch *rpc_switch_create(const char *socket,
                                     const struct object_names *names,
                                     const char *name);

/* Disconnects.  Accepts NULL. */
void rpc_switch_destroy(struct rpc_switch *rpc);

/* Connects if there is no connection, or if it was lost.  ST_OK: the functions
 * below can be called.  Other outcomes as of client_open(); ST_NOT_FOUND also
 * if the host has no switch yet. */
enum st rpc_switch_connect(struct rpc_switch *rpc,
                           struct err *err) ST_WARN_UNUSED;

/* Return the client and its backend, which are connected.  Borrowed. */
struct client *rpc_switch_client(struct rpc_switch *rpc);
struct sai_backend *rpc_switch_backend(struct rpc_switch *rpc);

/* Reads attribute 'id' of 'oid', a list of objects or of 32-bit numbers,
 * whatever its length.  On success the caller frees '*list'. */
sai_status_t rpc_switch_list(struct rpc_switch *rpc, sai_object_type_t type,
                             sai_object_id_t oid, sai_attr_id_t id, uint32_t *n,
                             void **list);

/* Reads the ports in the order of the numbers in their names.  On success the
 * caller frees '*ports'. */
sai_status_t rpc_switch_ports(struct rpc_switch *rpc, uint32_t *n,
                              struct rpc_port **ports);

#endif /* thriftd/rpc_switch.h */
