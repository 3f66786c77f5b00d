/* SPDX-License-Identifier: Apache-2.0 */

/* A client of the host, and reading of lists. */

#include <config.h>

#include "thriftd/rpc_switch.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/parse.h"
#include "base/text.h"
#include "sai/core/kind.h"
#include "sai/core/metadata.h"
#include "sai/remote/client.h"
#include "saihostd/names.h"

/* How long an answer of the host may take: the server does nothing else. */
#define TIMEOUT_MS 5000

/* The most elements of a list. */
enum { LIST_MAX = 4096 };

struct rpc_switch {
    const char *socket;
    const struct object_names *names;
    char name[MESSAGE_TEXT_BYTES];
    struct client *client; /* NULL: not connected. */
};

struct rpc_switch *
rpc_switch_create(const char *socket, const struct object_names *names,
                  const char *name)
{
    struct rpc_switch *rpc = check_calloc(1, sizeof *rpc);

    rpc->socket = socket;
    rpc->names = names;
    (void)text_copy(rpc->name, sizeof rpc->name, name);
    return rpc;
}

static void
disconnect(struct rpc_switch *rpc)
{
    client_close(rpc->client);
    rpc->client = NULL;
}

void
rpc_switch_destroy(struct rpc_switch *rpc)
{
    if (rpc) {
        disconnect(rpc);
        free(rpc);
    }
}

enum st
rpc_switch_connect(struct rpc_switch *rpc, struct err *err)
{
    const struct client_options options = {.path = rpc->socket,
                                           .name = rpc->name,
                                           .role = MESSAGE_TESTER,
                                           .timeout_ms = TIMEOUT_MS};
    const sai_attribute_t existing = {.id = SAI_SWITCH_ATTR_INIT_SWITCH,
                                      .value.booldata = false};
    struct sai_backend *backend;
    sai_object_id_t oid;
    enum st status;

    if (rpc->client && !client_trouble(rpc->client)) {
        return ST_OK;
    }
    disconnect(rpc);
    status = client_open(&options, &rpc->client, err);
    if (status) {
        rpc->client = NULL;
        return status;
    }
    backend = client_backend(rpc->client);
    if (backend->ops->create(backend, SAI_OBJECT_TYPE_SWITCH, 1, &existing,
                             &oid) != SAI_STATUS_SUCCESS) {
        disconnect(rpc);
        return err_set(err, ST_NOT_FOUND, "no-switch",
                       "the host at %s has no switch yet: its control plane "
                       "has not created it",
                       rpc->socket);
    }
    return ST_OK;
}

struct client *
rpc_switch_client(struct rpc_switch *rpc)
{
    return rpc->client;
}

struct sai_backend *
rpc_switch_backend(struct rpc_switch *rpc)
{
    return client_backend(rpc->client);
}

sai_status_t
rpc_switch_list(struct rpc_switch *rpc, sai_object_type_t type,
                sai_object_id_t oid, sai_attr_id_t id, uint32_t *n, void **list)
{
    struct sai_backend *backend = client_backend(rpc->client);
    const struct metadata_attribute *meta = metadata_attribute(type, id);
    const size_t element = kind_layout(meta->kind)->element_size;
    uint32_t room, wanted = 128;
    void *found = NULL;
    sai_attribute_t attribute;
    sai_status_t status;

    do {
        room = wanted;
        found = check_realloc(found, room * element);
        memset(&attribute, 0, sizeof attribute);
        attribute.id = id;
        kind_list_set(meta->kind, &attribute.value, room, found);
        status = backend->ops->get(backend, type, oid, 1, &attribute);
        wanted = kind_list_capacity(meta->kind, &attribute.value);
    } while (status == SAI_STATUS_BUFFER_OVERFLOW && wanted > room &&
             wanted <= LIST_MAX);
    if (status != SAI_STATUS_SUCCESS) {
        free(found);
        return status;
    }
    *n = wanted;
    *list = found;
    return SAI_STATUS_SUCCESS;
}

/* Returns the number at the end of a name, as "Ethernet12" has. */
static uint64_t
number_of(const char *name)
{
    const size_t prefix = strcspn(name, "0123456789");
    uint64_t number;

    return parse_u64(name + prefix, 0, UINT32_MAX, &number) ? UINT64_MAX
                                                            : number;
}

static int
compare_ports(const void *a_, const void *b_)
{
    const struct rpc_port *a = a_, *b = b_;
    const uint64_t x = number_of(a->name), y = number_of(b->name);

    return x != y ? (x > y) - (x < y)
                  : (a->lane > b->lane) - (a->lane < b->lane);
}

/* Fills the ports with their lanes. */
static sai_status_t
read_lanes(struct rpc_switch *rpc, uint32_t n, const sai_object_id_t *oids,
           struct rpc_port *ports)
{
    for (uint32_t i = 0; i < n; i++) {
        uint32_t n_lanes;
        void *lanes;
        const sai_status_t status =
            rpc_switch_list(rpc, SAI_OBJECT_TYPE_PORT, oids[i],
                            SAI_PORT_ATTR_HW_LANE_LIST, &n_lanes, &lanes);

        if (status != SAI_STATUS_SUCCESS) {
            return status;
        }
        ports[i].oid = oids[i];
        ports[i].lane = n_lanes ? *(const uint32_t *)lanes : 0;
        free(lanes);
    }
    return SAI_STATUS_SUCCESS;
}

sai_status_t
rpc_switch_ports(struct rpc_switch *rpc, uint32_t *n, struct rpc_port **ports)
{
    const sai_object_id_t oid = client_backend(rpc->client)->switch_id;
    struct rpc_port *found;
    uint32_t first_lane = 1;
    void *oids;
    sai_status_t status = rpc_switch_list(rpc, SAI_OBJECT_TYPE_SWITCH, oid,
                                          SAI_SWITCH_ATTR_PORT_LIST, n, &oids);

    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    found = check_calloc(*n + 1, sizeof *found);
    status = read_lanes(rpc, *n, oids, found);
    free(oids);
    if (status != SAI_STATUS_SUCCESS) {
        free(found);
        return status;
    }
    for (uint32_t i = 0; i < *n; i++) {
        first_lane = found[i].lane < first_lane ? found[i].lane : first_lane;
    }
    for (uint32_t i = 0; i < *n; i++) {
        names_find(rpc->names, found[i].lane, first_lane, NULL, found[i].name,
                   sizeof found[i].name);
    }
    qsort(found, *n, sizeof *found, compare_ports);
    *ports = found;
    return SAI_STATUS_SUCCESS;
}
