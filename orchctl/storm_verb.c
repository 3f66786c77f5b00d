/* SPDX-License-Identifier: Apache-2.0 */

/* Connects to softasicd, finds the port, and calls softasic_ops. */

#include <config.h>

#include "orchctl/storm_verb.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/parse.h"
#include "orchd/control/protocol.h"
#include "sai/core/status.h"
#include "sai/loader/loader.h"
#include "vendors/softasic/softasic.h"

#define PS_PER_US INT64_C(1000000)

/* The longest interval: an hour, in microseconds. */
#define US_MAX 3600000000

const struct option storm_verb_options[] = {
    {"host", OPTION_TEXT, "SOCKET", 0, 0, "socket of softasicd; required"},
    {"sai", OPTION_TEXT, "LIBRARY", 0, 0, "path of the softasic library"},
    {"priorities", OPTION_TEXT, "N,...", 0, 0,
     "priorities to pause, or none to stop; required"},
    {"sent", OPTION_FLAG, NULL, 0, 0,
     "the port itself sends the frames, as far as it has PFC for these\n"
     "priorities; else they arrive there"},
    {"quanta", OPTION_NUMBER, "N", 0, 65535,
     "pause time in each frame that arrives (65535)"},
    {"interval_us", OPTION_NUMBER, "N", 1, US_MAX,
     "time between two frames that arrive (20)"},
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL},
};

/* What the user asks for. */
struct request {
    uint32_t lane;
    uint8_t priorities;
    bool sent;
    struct softasic_storm storm;
};

static enum st
read_request(const struct invocation *invocation, struct request *request,
             struct err *err)
{
    const char *priorities = verb_option(invocation, "priorities", "");
    const json_t *arguments = invocation->arguments;
    const json_t *quanta = json_object_get(arguments, "quanta");
    const json_t *interval = json_object_get(arguments, "interval_us");
    uint64_t lane = 0;

    *request = (struct request){.sent = verb_flag(invocation, "sent")};
    if (parse_u64(invocation->operands[0], 0, UINT32_MAX, &lane)) {
        return err_set(err, ST_INVALID, "usage",
                       "'%s' is not the number of a lane",
                       invocation->operands[0]);
    }
    if (!*priorities) {
        return err_set(err, ST_INVALID, "usage",
                       "--priorities N,... is required; none stops the storm");
    }
    if (parse_priorities(priorities, &request->priorities)) {
        return err_set(err, ST_INVALID, "usage",
                       "--priorities takes numbers from 0 to 7 with commas, or "
                       "none, not '%.40s'",
                       priorities);
    }
    request->lane = (uint32_t)lane;
    request->storm = (struct softasic_storm){
        .pause = {.priorities = request->priorities,
                  .quanta = quanta ? (uint16_t)json_integer_value(quanta)
                                   : UINT16_MAX},
        .interval_ps =
            (interval ? json_integer_value(interval) : 20) * PS_PER_US,
    };
    return ST_OK;
}

/* Connects to the switch of the host as a tester. */
static enum st
connect_host(const struct invocation *invocation, struct loader **loader,
             const struct softasic_ops **ops, struct err *err)
{
    const char *path = verb_option(invocation, "host", NULL);
    const struct loader_pair profile[] = {
        {"SOFTASIC_SOCKET", path},
        {"SAI_REMOTE_ROLE", "tester"},
    };
    const struct loader_options options = {
        .path = verb_option(invocation, "sai", PKGLIBDIR "/libsai-softasic.so"),
        .profile = profile,
        .n_profile = sizeof profile / sizeof *profile};
    const sai_attribute_t existing = {.id = SAI_SWITCH_ATTR_INIT_SWITCH,
                                      .value.booldata = false};
    softasic_ops_fn *get_ops = NULL;
    void *symbol;
    enum st st;

    if (!path) {
        return err_set(err, ST_INVALID, "usage", "--host SOCKET is required");
    }
    st = loader_open(&options, loader, err);
    st = st ? st : loader_create_switch(*loader, 1, &existing, err);
    if (st) {
        return st;
    }
    symbol = loader_symbol(*loader, SOFTASIC_OPS_SYMBOL);
    if (symbol) {
        memcpy(&get_ops, &symbol, sizeof get_ops);
        *ops = get_ops(SOFTASIC_OPS_VERSION);
    }
    return *ops ? ST_OK
                : err_set(err, ST_UNSUPPORTED, "not-softasic",
                          "%s is not the softasic library of this release, or "
                          "the switch of %s is none",
                          options.path, path);
}

/* Returns the first lane of 'port'; UINT32_MAX if that cannot be read. */
static uint32_t
lane_of(struct sai_backend *backend, sai_object_id_t port)
{
    enum { LANES_MAX = 32 };
    uint32_t lanes[LANES_MAX];
    sai_attribute_t list = {.id = SAI_PORT_ATTR_HW_LANE_LIST,
                            .value.u32list = {LANES_MAX, lanes}};

    return backend->ops->get(backend, SAI_OBJECT_TYPE_PORT, port, 1, &list) ==
                       SAI_STATUS_SUCCESS &&
                   list.value.u32list.count
               ? lanes[0]
               : UINT32_MAX;
}

/* Finds the port whose first lane is 'lane'. */
static enum st
find_port(struct sai_backend *backend, uint32_t lane, sai_object_id_t *port,
          struct err *err)
{
    enum { PORTS_MAX = 1 << 16 }; /* More is a mistake of the library. */
    sai_attribute_t list = {.id = SAI_SWITCH_ATTR_PORT_LIST};
    sai_object_id_t *ports = NULL;
    sai_status_t status;
    uint32_t room = 128;

    do {
        ports = check_realloc(ports, room * sizeof *ports);
        list.value.objlist = (sai_object_list_t){room, ports};
        status = backend->ops->get(backend, SAI_OBJECT_TYPE_SWITCH,
                                   backend->switch_id, 1, &list);
        room = list.value.objlist.count;
    } while (status == SAI_STATUS_BUFFER_OVERFLOW && room <= PORTS_MAX);
    *port = SAI_NULL_OBJECT_ID;
    for (uint32_t i = 0; status == SAI_STATUS_SUCCESS && i < room; i++) {
        if (lane_of(backend, ports[i]) == lane) {
            *port = ports[i];
        }
    }
    free(ports);
    if (status != SAI_STATUS_SUCCESS) {
        char name[STATUS_NAME_SIZE];

        return err_set(err, ST_DEVICE, "ports",
                       "the ports of the switch cannot be read: %s",
                       status_name(status, name, sizeof name));
    }
    return *port ? ST_OK
                 : err_set(err, ST_NOT_FOUND, "not-found",
                           "no port of the switch begins with lane %u",
                           (unsigned int)lane);
}

/* Starts the storm, or stops both kinds. */
static sai_status_t
apply(const struct softasic_ops *ops, sai_object_id_t port,
      const struct request *request)
{
    struct softasic_peer_state state;
    sai_status_t status = SAI_STATUS_SUCCESS;

    if (request->sent || !request->priorities) {
        status = ops->storm_sent(port, request->priorities);
    }
    if (status || (request->sent && request->priorities)) {
        return status;
    }
    /* Without a peer there is none to stop. */
    if (ops->peer_state(port, &state) == SAI_STATUS_SUCCESS) {
        status = ops->storm_stop(port);
    }
    return status || !request->priorities ? status
                                          : ops->storm(port, &request->storm);
}

int
storm_verb_run(struct invocation *invocation)
{
    const struct softasic_ops *ops = NULL;
    struct loader *loader = NULL;
    struct request request;
    sai_object_id_t port = SAI_NULL_OBJECT_ID;
    struct err err = {0};
    char name[STATUS_NAME_SIZE];
    sai_status_t status;
    enum st st = read_request(invocation, &request, &err);

    st = st ? st : connect_host(invocation, &loader, &ops, &err);
    st = st ? st : find_port(loader_backend(loader), request.lane, &port, &err);
    status = st ? SAI_STATUS_SUCCESS : apply(ops, port, &request);
    if (status) {
        st =
            err_set(&err, ST_DEVICE, "storm", "softasicd refuses the storm: %s",
                    status_name(status, name, sizeof name));
    }
    if (st) {
        verb_complain(&err);
    }
    loader_close(loader);
    return !st ? CONTROL_DONE : st == ST_INVALID ? CONTROL_USAGE : CONTROL_NO;
}
