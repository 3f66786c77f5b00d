/* SPDX-License-Identifier: Apache-2.0 */

/* Writes the arguments of each function and reads the answer; see ops_host.c
 * for the other end. */

#include <config.h>

#include "vendors/softasic/remote/ops_remote.h"

#include <stddef.h>
#include <string.h>

#include "sai/remote/client.h"
#include "vendors/remote/connection.h"
#include "vendors/softasic/remote/forms.h"
#include "vendors/softasic/sai/library.h"

/* Returns from the function if an argument is missing. */
#define REQUIRE(condition)                                                     \
    do {                                                                       \
        if (!(condition)) {                                                    \
            return SAI_STATUS_INVALID_PARAMETER;                               \
        }                                                                      \
    } while (0)

/* Sends 'request', which ends with that, and returns the status; '*rest' is the
 * answer. */
static sai_status_t
ask(enum forms_op op, struct wire_out *request, struct wire_in *rest)
{
    struct client *client = connection_client();
    sai_status_t status = SAI_STATUS_UNINITIALIZED;

    *rest = (struct wire_in){0};
    if (client) {
        status = client_extra(client, (uint32_t)op, request, rest);
    }
    wire_out_fini(request);
    return status;
}

/* Returns the status of a call whose answer was read: it is lost if that made
 * no sense. */
static sai_status_t
judged(sai_status_t status, const struct wire_in *rest)
{
    if (status == SAI_STATUS_SUCCESS && !wire_ended(rest)) {
        client_fail(connection_client());
        return SAI_STATUS_FAILURE;
    }
    return status;
}

/* Asks, and reads '*answer' if there is one. */
static sai_status_t
ask_for(enum forms_op op, struct wire_out *request, const struct form *form,
        size_t size, void *answer)
{
    struct wire_in rest;
    sai_status_t status = ask(op, request, &rest);
    char copy[512];

    if (status == SAI_STATUS_SUCCESS && form) {
        forms_get(&rest, form, copy);
    }
    status = judged(status, &rest);
    if (status == SAI_STATUS_SUCCESS && form) {
        memcpy(answer, copy, size);
    }
    return status;
}

/* Asks for a number, which may be wanted by nobody. */
static sai_status_t
ask_number(enum forms_op op, struct wire_out *request, uint64_t *number)
{
    struct wire_in rest;
    sai_status_t status = ask(op, request, &rest);
    const uint64_t value =
        status == SAI_STATUS_SUCCESS ? wire_get_u64(&rest) : 0;

    status = judged(status, &rest);
    if (status == SAI_STATUS_SUCCESS && number) {
        *number = value;
    }
    return status;
}

/* Begins a request about one object. */
static struct wire_out
about(sai_object_id_t oid)
{
    struct wire_out request = {0};

    wire_put_u64(&request, oid);
    return request;
}

/* The chip and its parts ------------------------------------------------- */

static sai_status_t
remote_chip(struct softasic_chip *chip)
{
    /* As in the process, the name lives longer than the call. */
    static char name[FORMS_TEXT_BYTES];
    struct wire_out request = {0};
    struct softasic_chip copy;
    struct wire_in rest;
    sai_status_t status;

    REQUIRE(chip);
    status = ask(FORMS_OP_chip, &request, &rest);
    if (status == SAI_STATUS_SUCCESS) {
        forms_get(&rest, &forms_chip, &copy);
        wire_get_text(&rest, name, sizeof name);
        copy.name = name;
    }
    status = judged(status, &rest);
    if (status == SAI_STATUS_SUCCESS) {
        *chip = copy;
    }
    return status;
}

#define STATE(name)                                                            \
    static sai_status_t remote_##name(sai_object_id_t oid,                     \
                                      struct softasic_##name *state)           \
    {                                                                          \
        struct wire_out request = about(oid);                                  \
                                                                               \
        if (!state) {                                                          \
            wire_out_fini(&request);                                           \
            return SAI_STATUS_INVALID_PARAMETER;                               \
        }                                                                      \
        return ask_for(FORMS_OP_##name, &request, &forms_##name,               \
                       sizeof *state, state);                                  \
    }
STATE(pg_state)
STATE(queue_state)
STATE(pool_state)
STATE(port_state)
STATE(peer_state)

static sai_status_t
remote_classify(sai_object_id_t from, sai_object_id_t to, uint8_t dscp,
                struct softasic_class *class)
{
    struct wire_out request;

    REQUIRE(class);
    request = about(from);
    wire_put_u64(&request, to);
    wire_put_u8(&request, dscp);
    return ask_for(FORMS_OP_classify, &request, &forms_class, sizeof *class,
                   class);
}

static sai_status_t
remote_routed(uint32_t reason, const char **text, uint64_t *n_packets)
{
    enum { MAX_REASONS = 64 };
    static char texts[MAX_REASONS][FORMS_TEXT_BYTES];
    struct wire_out request = {0};
    struct wire_in rest;
    uint64_t n = 0;
    sai_status_t status;

    REQUIRE(text && n_packets && reason < MAX_REASONS);
    wire_put_u32(&request, reason);
    status = ask(FORMS_OP_routed, &request, &rest);
    if (status == SAI_STATUS_SUCCESS) {
        n = wire_get_u64(&rest);
        wire_get_text(&rest, texts[reason], sizeof texts[reason]);
    }
    status = judged(status, &rest);
    if (status == SAI_STATUS_SUCCESS) {
        *text = texts[reason];
        *n_packets = n;
    }
    return status;
}

/* Time ------------------------------------------------------------------- */

static sai_status_t
remote_run(int64_t duration_ps)
{
    struct wire_out request = {0};

    wire_put_u64(&request, (uint64_t)duration_ps);
    return ask_for(FORMS_OP_run, &request, NULL, 0, NULL);
}

static sai_status_t
remote_settle(uint64_t *n_sent)
{
    struct wire_out request = {0};

    return ask_number(FORMS_OP_settle, &request, n_sent);
}

static sai_status_t
remote_now(int64_t *now_ps)
{
    struct wire_out request = {0};
    uint64_t now = 0;
    sai_status_t status;

    REQUIRE(now_ps);
    status = ask_number(FORMS_OP_now, &request, &now);
    if (status == SAI_STATUS_SUCCESS) {
        *now_ps = (int64_t)now;
    }
    return status;
}

static sai_status_t
remote_step(uint64_t n_instants, uint64_t *n_done)
{
    struct wire_out request = {0};

    wire_put_u64(&request, n_instants);
    return ask_number(FORMS_OP_step, &request, n_done);
}

/* Traffic ------------------------------------------------------------------ */

static sai_status_t
remote_send(const struct softasic_send *send, struct softasic_sent *sent)
{
    struct wire_out request = {0};

    REQUIRE(send && sent);
    forms_put(&request, &forms_send, send);
    return ask_for(FORMS_OP_send, &request, &forms_sent, sizeof *sent, sent);
}

static sai_status_t
remote_send_ip(const struct softasic_send *send, const struct softasic_ip *ip,
               struct softasic_sent *sent)
{
    struct wire_out request = {0};

    REQUIRE(send && ip && sent);
    forms_put(&request, &forms_send, send);
    forms_put(&request, &forms_ip, ip);
    return ask_for(FORMS_OP_send_ip, &request, &forms_sent, sizeof *sent, sent);
}

static sai_status_t
remote_inject(sai_object_id_t port, uint32_t n_bytes, const uint8_t *bytes)
{
    struct wire_out request;

    REQUIRE(bytes && n_bytes <= SOFTASIC_FRAME_BYTES_MAX);
    request = about(port);
    wire_put_u32(&request, n_bytes);
    wire_put_bytes(&request, bytes, n_bytes);
    return ask_for(FORMS_OP_inject, &request, NULL, 0, NULL);
}

static sai_status_t
remote_pause(sai_object_id_t port, const struct softasic_pause *pause)
{
    struct wire_out request;

    REQUIRE(pause);
    request = about(port);
    forms_put(&request, &forms_pause, pause);
    return ask_for(FORMS_OP_pause, &request, NULL, 0, NULL);
}

static sai_status_t
remote_l2_set(const sai_mac_t mac, sai_object_id_t port)
{
    struct wire_out request;

    REQUIRE(mac);
    request = about(port);
    wire_put_bytes(&request, mac, sizeof(sai_mac_t));
    return ask_for(FORMS_OP_l2_set, &request, NULL, 0, NULL);
}

static sai_status_t
remote_l2_clear(void)
{
    struct wire_out request = {0};

    return ask_for(FORMS_OP_l2_clear, &request, NULL, 0, NULL);
}

/* Those with an object and a number. */
static sai_status_t
switch_on(enum forms_op op, sai_object_id_t oid, uint32_t number)
{
    struct wire_out request = about(oid);

    wire_put_u32(&request, number);
    return ask_for(op, &request, NULL, 0, NULL);
}

static sai_status_t
remote_capture(sai_object_id_t port, bool on)
{
    return switch_on(FORMS_OP_capture, port, on);
}

static sai_status_t
remote_trace(sai_object_id_t port, uint32_t n_frames)
{
    REQUIRE(n_frames <= FORMS_ROOM_MAX);
    return switch_on(FORMS_OP_trace, port, n_frames);
}

static sai_status_t
remote_queue_deadlock(sai_object_id_t queue, bool dead)
{
    return switch_on(FORMS_OP_queue_deadlock, queue, dead);
}

/* Peers ----------------------------------------------------------------------
 */

static sai_status_t
remote_peer(sai_object_id_t port, const struct softasic_peer *peer)
{
    struct wire_out request;

    REQUIRE(peer);
    request = about(port);
    forms_put(&request, &forms_peer, peer);
    return ask_for(FORMS_OP_peer, &request, NULL, 0, NULL);
}

static sai_status_t
remote_flow(const struct softasic_flow *flow)
{
    struct wire_out request = {0};

    REQUIRE(flow);
    forms_put(&request, &forms_flow, flow);
    return ask_for(FORMS_OP_flow, &request, NULL, 0, NULL);
}

static sai_status_t
remote_flow_stop(uint32_t number)
{
    struct wire_out request = {0};

    wire_put_u32(&request, number);
    return ask_for(FORMS_OP_flow_stop, &request, NULL, 0, NULL);
}

static sai_status_t
remote_flow_state(uint32_t number, struct softasic_flow_state *state)
{
    struct wire_out request = {0};

    REQUIRE(state);
    wire_put_u32(&request, number);
    return ask_for(FORMS_OP_flow_state, &request, &forms_flow_state,
                   sizeof *state, state);
}

static sai_status_t
remote_storm(sai_object_id_t port, const struct softasic_storm *storm)
{
    struct wire_out request;

    REQUIRE(storm);
    request = about(port);
    forms_put(&request, &forms_storm, storm);
    return ask_for(FORMS_OP_storm, &request, NULL, 0, NULL);
}

static sai_status_t
remote_storm_stop(sai_object_id_t port)
{
    struct wire_out request = about(port);

    return ask_for(FORMS_OP_storm_stop, &request, NULL, 0, NULL);
}

static sai_status_t
remote_peer_remove(sai_object_id_t port)
{
    struct wire_out request = about(port);

    return ask_for(FORMS_OP_peer_remove, &request, NULL, 0, NULL);
}

/* Lists ----------------------------------------------------------------------
 */

/* Asks for at most '*n' elements of 'size' bytes into 'list'; without a form
 * they are bytes. */
static sai_status_t
ask_list(enum forms_op op, sai_object_id_t port, uint32_t *n,
         const struct form *form, size_t size, void *list)
{
    struct wire_out request;
    struct wire_in rest;
    uint32_t room, there;
    sai_status_t status;

    REQUIRE(n && (*n == 0 || list));
    room = *n < FORMS_ROOM_MAX ? *n : FORMS_ROOM_MAX;
    request = about(port);
    wire_put_u32(&request, room);
    status = ask(op, &request, &rest);
    there = wire_get_u32(&rest);
    if (status == SAI_STATUS_SUCCESS && there > room) {
        rest.bad = true;
    } else if (status == SAI_STATUS_SUCCESS && !form && there) {
        wire_get_bytes(&rest, list, there);
    }
    for (uint32_t i = 0;
         status == SAI_STATUS_SUCCESS && form && i < there && !rest.bad; i++) {
        forms_get(&rest, form, (char *)list + i * size);
    }
    status = judged(status, &rest);
    if (status == SAI_STATUS_SUCCESS || status == SAI_STATUS_BUFFER_OVERFLOW) {
        *n = there;
    }
    return status;
}

static sai_status_t
remote_received(sai_object_id_t port, uint32_t *n,
                struct softasic_received *rows)
{
    return ask_list(FORMS_OP_received, port, n, &forms_received, sizeof *rows,
                    rows);
}

static sai_status_t
remote_traced(sai_object_id_t port, uint32_t *n,
              struct softasic_departure *departures)
{
    return ask_list(FORMS_OP_traced, port, n, &forms_departure,
                    sizeof *departures, departures);
}

static sai_status_t
remote_captured(sai_object_id_t port, uint32_t *n_bytes, uint8_t *bytes)
{
    return ask_list(FORMS_OP_captured, port, n_bytes, NULL, 1, bytes);
}

const struct softasic_ops *
ops_remote(void)
{
    static const struct softasic_ops ops = {.version = SOFTASIC_OPS_VERSION,
#define X(member, writes) .member = remote_##member,
                                            FORMS_OPS(X)
#undef X
    };
    static bool told;
    struct client *client = connection_client();
    char name[FORMS_NAME_BYTES];

    if (!client) {
        return NULL;
    }
    forms_name(name);
    if (strcmp(client_extras(client), name) != 0) {
        if (!told) {
            library_log(
                SAI_API_SWITCH, SAI_LOG_LEVEL_WARN,
                "the host of the switch is of another build (%s, this "
                "is %s): SAI works, but not what softasic has besides, "
                "as orchctl asic needs it, until softasicd is restarted",
                *client_extras(client) ? client_extras(client) : "not softasic",
                name);
        }
        told = true;
        return NULL;
    }
    return &ops;
}
