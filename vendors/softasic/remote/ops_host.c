/* SPDX-License-Identifier: Apache-2.0 */

/* Reads the arguments of each function, calls it, and writes what it says.
 *
 * An answer is the status and, if that is a success, what was asked for; where
 * the room was too small, how much is needed. */

#include <config.h>

#include "vendors/softasic/remote/ops_host.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "vendors/softasic/remote/forms.h"

/* What a call is about. */
struct extra {
    const struct softasic_ops *ops;
    struct wire_in *in;
    struct wire_out *out;
};

/* Writes the status and, after a success, '*answer'. */
static void
put_answer(const struct extra *extra, sai_status_t status,
           const struct form *form, const void *answer)
{
    wire_put_u32(extra->out, (uint32_t)status);
    if (status == SAI_STATUS_SUCCESS && form) {
        forms_put(extra->out, form, answer);
    }
}

/* Writes the status and, after a success, a number. */
static void
put_number(const struct extra *extra, sai_status_t status, uint64_t number)
{
    wire_put_u32(extra->out, (uint32_t)status);
    if (status == SAI_STATUS_SUCCESS) {
        wire_put_u64(extra->out, number);
    }
}

/* The chip and its parts ------------------------------------------------- */

static void
do_chip(const struct extra *extra, enum forms_op op)
{
    struct softasic_chip chip = {0};
    const sai_status_t status = extra->ops->chip(&chip);

    (void)op;
    put_answer(extra, status, &forms_chip, &chip);
    if (status == SAI_STATUS_SUCCESS) {
        wire_put_text(extra->out, chip.name);
    }
}

/* Those that tell the state of one object. */
static void
do_state(const struct extra *extra, enum forms_op op)
{
    const struct softasic_ops *ops = extra->ops;
    const sai_object_id_t oid = wire_get_u64(extra->in);
    union {
        struct softasic_pg_state pg;
        struct softasic_queue_state queue;
        struct softasic_pool_state pool;
        struct softasic_port_state port;
    } state;

    memset(&state, 0, sizeof state);
    switch ((int)op) {
    case FORMS_OP_pg_state:
        put_answer(extra, ops->pg_state(oid, &state.pg), &forms_pg_state,
                   &state);
        break;
    case FORMS_OP_queue_state:
        put_answer(extra, ops->queue_state(oid, &state.queue),
                   &forms_queue_state, &state);
        break;
    case FORMS_OP_pool_state:
        put_answer(extra, ops->pool_state(oid, &state.pool), &forms_pool_state,
                   &state);
        break;
    default:
        put_answer(extra, ops->port_state(oid, &state.port), &forms_port_state,
                   &state);
    }
}

static void
do_classify(const struct extra *extra, enum forms_op op)
{
    const sai_object_id_t from = wire_get_u64(extra->in);
    const sai_object_id_t to = wire_get_u64(extra->in);
    const uint8_t dscp = wire_get_u8(extra->in);
    struct softasic_class class = {0};

    (void)op;
    put_answer(extra, extra->ops->classify(from, to, dscp, &class),
               &forms_class, &class);
}

static void
do_routed(const struct extra *extra, enum forms_op op)
{
    const uint32_t reason = wire_get_u32(extra->in);
    const char *text = "";
    uint64_t n = 0;
    const sai_status_t status = extra->ops->routed(reason, &text, &n);

    (void)op;
    put_number(extra, status, n);
    if (status == SAI_STATUS_SUCCESS) {
        wire_put_text(extra->out, text);
    }
}

/* Time ------------------------------------------------------------------- */

static void
do_time(const struct extra *extra, enum forms_op op)
{
    const uint64_t amount =
        op == FORMS_OP_run || op == FORMS_OP_step ? wire_get_u64(extra->in) : 0;
    uint64_t n = 0;
    int64_t now_ps = 0;
    sai_status_t status;

    if (extra->in->bad) {
        return;
    }
    switch ((int)op) {
    case FORMS_OP_run:
        put_answer(extra, extra->ops->run((int64_t)amount), NULL, NULL);
        return;
    case FORMS_OP_settle:
        status = extra->ops->settle(&n);
        break;
    case FORMS_OP_step:
        status = extra->ops->step(amount, &n);
        break;
    default:
        status = extra->ops->now(&now_ps);
        n = (uint64_t)now_ps;
    }
    put_number(extra, status, n);
}

/* Traffic ----------------------------------------------------------------- */

static void
do_send(const struct extra *extra, enum forms_op op)
{
    const bool with_ip = op == FORMS_OP_send_ip;
    struct softasic_sent sent = {0};
    struct softasic_send send;
    struct softasic_ip ip = {0};

    forms_get(extra->in, &forms_send, &send);
    if (with_ip) {
        forms_get(extra->in, &forms_ip, &ip);
    }
    if (!extra->in->bad) {
        put_answer(extra,
                   with_ip ? extra->ops->send_ip(&send, &ip, &sent)
                           : extra->ops->send(&send, &sent),
                   &forms_sent, &sent);
    }
}

static void
do_inject(const struct extra *extra, enum forms_op op)
{
    const sai_object_id_t port = wire_get_u64(extra->in);
    const uint32_t n = wire_get_count(extra->in, SOFTASIC_FRAME_BYTES_MAX);
    uint8_t *bytes = check_calloc((size_t)n + 1, 1);

    (void)op;
    wire_get_bytes(extra->in, bytes, n);
    if (!extra->in->bad) {
        put_answer(extra, extra->ops->inject(port, n, bytes), NULL, NULL);
    }
    free(bytes);
}

static void
do_pause(const struct extra *extra, enum forms_op op)
{
    const sai_object_id_t port = wire_get_u64(extra->in);
    struct softasic_pause pause;

    (void)op;
    forms_get(extra->in, &forms_pause, &pause);
    if (!extra->in->bad) {
        put_answer(extra, extra->ops->pause(port, &pause), NULL, NULL);
    }
}

static void
do_l2_set(const struct extra *extra, enum forms_op op)
{
    const sai_object_id_t port = wire_get_u64(extra->in);
    sai_mac_t mac;

    (void)op;
    wire_get_bytes(extra->in, mac, sizeof mac);
    if (!extra->in->bad) {
        put_answer(extra, extra->ops->l2_set(mac, port), NULL, NULL);
    }
}

/* Those with an object and a number. */
static void
do_switch_on(const struct extra *extra, enum forms_op op)
{
    const sai_object_id_t oid = wire_get_u64(extra->in);
    const uint32_t number = wire_get_u32(extra->in);
    sai_status_t status;

    if (extra->in->bad) {
        return;
    }
    switch ((int)op) {
    case FORMS_OP_capture:
        status = extra->ops->capture(oid, number != 0);
        break;
    case FORMS_OP_trace:
        status = extra->ops->trace(oid, number);
        break;
    default:
        status = extra->ops->queue_deadlock(oid, number != 0);
    }
    put_answer(extra, status, NULL, NULL);
}

/* Peers ------------------------------------------------------------------- */

static void
do_peer(const struct extra *extra, enum forms_op op)
{
    const sai_object_id_t port = wire_get_u64(extra->in);
    struct softasic_peer_state state = {0};
    struct softasic_storm storm;
    struct softasic_peer peer;
    sai_status_t status;

    if (op == FORMS_OP_peer_state) {
        status = extra->ops->peer_state(port, &state);
        put_answer(extra, status, &forms_peer_state, &state);
    } else if (op == FORMS_OP_peer_remove) {
        put_answer(extra, extra->ops->peer_remove(port), NULL, NULL);
    } else if (op == FORMS_OP_storm_stop) {
        put_answer(extra, extra->ops->storm_stop(port), NULL, NULL);
    } else if (op == FORMS_OP_storm) {
        forms_get(extra->in, &forms_storm, &storm);
        if (!extra->in->bad) {
            put_answer(extra, extra->ops->storm(port, &storm), NULL, NULL);
        }
    } else {
        forms_get(extra->in, &forms_peer, &peer);
        if (!extra->in->bad) {
            put_answer(extra, extra->ops->peer(port, &peer), NULL, NULL);
        }
    }
}

static void
do_flow(const struct extra *extra, enum forms_op op)
{
    struct softasic_flow_state state = {0};
    struct softasic_flow flow;
    sai_status_t status;

    if (op == FORMS_OP_flow) {
        forms_get(extra->in, &forms_flow, &flow);
        if (!extra->in->bad) {
            put_answer(extra, extra->ops->flow(&flow), NULL, NULL);
        }
    } else if (op == FORMS_OP_flow_stop) {
        put_answer(extra, extra->ops->flow_stop(wire_get_u32(extra->in)), NULL,
                   NULL);
    } else {
        status = extra->ops->flow_state(wire_get_u32(extra->in), &state);
        put_answer(extra, status, &forms_flow_state, &state);
    }
}

/* Lists ------------------------------------------------------------------- */

/* Writes the status, how many there are, and after a success 'n' elements of
 * 'size' bytes; without a form they are bytes. */
static void
put_list(const struct extra *extra, sai_status_t status, uint32_t n,
         const struct form *form, size_t size, const void *list)
{
    wire_put_u32(extra->out, (uint32_t)status);
    wire_put_u32(extra->out, n);
    for (uint32_t i = 0; status == SAI_STATUS_SUCCESS && form && i < n; i++) {
        forms_put(extra->out, form, (const char *)list + i * size);
    }
    if (status == SAI_STATUS_SUCCESS && !form) {
        wire_put_bytes(extra->out, list, n);
    }
}

static void
do_list(const struct extra *extra, enum forms_op op)
{
    const sai_object_id_t port = wire_get_u64(extra->in);
    uint32_t n = wire_get_count(extra->in, FORMS_ROOM_MAX);
    const size_t size =
        op == FORMS_OP_received ? sizeof(struct softasic_received)
        : op == FORMS_OP_traced ? sizeof(struct softasic_departure)
                                : 1;
    void *list = check_calloc((size_t)n + 1, size);
    sai_status_t status;

    if (extra->in->bad) {
        free(list);
        return;
    }
    switch ((int)op) {
    case FORMS_OP_received:
        status = extra->ops->received(port, &n, list);
        put_list(extra, status, n, &forms_received, size, list);
        break;
    case FORMS_OP_traced:
        status = extra->ops->traced(port, &n, list);
        put_list(extra, status, n, &forms_departure, size, list);
        break;
    default:
        status = extra->ops->captured(port, &n, list);
        put_list(extra, status, n, NULL, size, list);
    }
    free(list);
}

/* All ---------------------------------------------------------------------- */

static bool
host_writes(const void *context, uint32_t number)
{
    static const bool writes[] = {
#define X(member, does) does,
        FORMS_OPS(X)
#undef X
    };

    (void)context;
    return number >= FORMS_N_OPS || writes[number];
}

static void
do_l2_clear(const struct extra *extra, enum forms_op op)
{
    (void)op;
    put_answer(extra, extra->ops->l2_clear(), NULL, NULL);
}

/* Carries out one operation: reads what it takes, writes what it gives. */
typedef void do_fn(const struct extra *extra, enum forms_op op);

static do_fn *const calls[FORMS_N_OPS] = {
    [FORMS_OP_chip] = do_chip,         [FORMS_OP_pg_state] = do_state,
    [FORMS_OP_queue_state] = do_state, [FORMS_OP_pool_state] = do_state,
    [FORMS_OP_port_state] = do_state,  [FORMS_OP_classify] = do_classify,
    [FORMS_OP_routed] = do_routed,     [FORMS_OP_run] = do_time,
    [FORMS_OP_settle] = do_time,       [FORMS_OP_step] = do_time,
    [FORMS_OP_now] = do_time,          [FORMS_OP_send] = do_send,
    [FORMS_OP_send_ip] = do_send,      [FORMS_OP_inject] = do_inject,
    [FORMS_OP_pause] = do_pause,       [FORMS_OP_l2_set] = do_l2_set,
    [FORMS_OP_l2_clear] = do_l2_clear, [FORMS_OP_capture] = do_switch_on,
    [FORMS_OP_trace] = do_switch_on,   [FORMS_OP_queue_deadlock] = do_switch_on,
    [FORMS_OP_peer] = do_peer,         [FORMS_OP_peer_state] = do_peer,
    [FORMS_OP_storm] = do_peer,        [FORMS_OP_storm_stop] = do_peer,
    [FORMS_OP_flow] = do_flow,         [FORMS_OP_flow_stop] = do_flow,
    [FORMS_OP_flow_state] = do_flow,   [FORMS_OP_received] = do_list,
    [FORMS_OP_traced] = do_list,       [FORMS_OP_captured] = do_list,
    [FORMS_OP_peer_remove] = do_peer,
};

static bool
host_call(const void *context, uint32_t number, struct wire_in *in,
          struct wire_out *out)
{
    const struct extra extra = {context, in, out};

    if (number >= FORMS_N_OPS || !calls[number]) {
        return false;
    }
    calls[number](&extra, (enum forms_op)number);
    return wire_ended(in);
}

void
ops_host_init(struct host_extras *extras, const struct softasic_ops *ops)
{
    *extras = (struct host_extras){
        .context = ops, .writes = host_writes, .call = host_call};
    forms_name(extras->name);
}
