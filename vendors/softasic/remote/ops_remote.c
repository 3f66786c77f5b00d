/* SPDX-License-Identifier: Apache-2.0 */

/* Sends the parameters of each operation to the host and reads the reply
 * (marshal.h); ops_host.c is the other end. */

#include <config.h>

#include "vendors/softasic/remote/ops_remote.h"

#include <string.h>

#include "sai/remote/client.h"
#include "vendors/remote/connection.h"
#include "vendors/softasic/remote/marshal.h"
#include "vendors/softasic/sai/library.h"

/* Some milliseconds of work for the host. */
#define EVENTS_PER_PART 8192

/* Calls 'op' on the host.  A reply that makes no sense ends the connection. */
static sai_status_t
remote_call(enum marshal_op op, const union marshal_value values[])
{
    struct client *client = connection_client();
    struct wire_out request = {0};
    struct wire_in reply = {0};
    sai_status_t status;

    if (!marshal_is_complete(op, values)) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    if (!marshal_put_request(&request, op, values)) {
        status = SAI_STATUS_INVALID_PARAMETER;
    } else if (!client) {
        status = SAI_STATUS_UNINITIALIZED;
    } else {
        status = client_extra(client, (uint32_t)op, &request, &reply);
        if (!marshal_get_reply(&reply, op, status, values) &&
            status == SAI_STATUS_SUCCESS) {
            client_fail(client);
            status = SAI_STATUS_FAILURE;
        }
    }
    wire_out_fini(&request);
    return status;
}

#define OP(member, effect, function, ...)                                      \
    static sai_status_t remote_##member(                                       \
        MARSHAL_EACH(MARSHAL_DECLARE, __VA_ARGS__))                            \
    {                                                                          \
        const union marshal_value values[] = {                                 \
            MARSHAL_EACH(MARSHAL_VALUE, __VA_ARGS__)};                         \
                                                                               \
        return remote_call(MARSHAL_OP_##member, values);                       \
    }
#include "vendors/softasic/remote/ops.def"
#undef OP

/* Operations in parts ------------------------------------------------------ */

/* The host serves nobody else during a call, so it refuses those that may take
 * long (ops_host.c).  These make several of them. */

/* Sends the frames in parts, with the header 'ip' if that is not NULL. */
static sai_status_t
send_parts(const struct softasic_send *send, const struct softasic_ip *ip,
           struct softasic_sent *sent)
{
    struct softasic_send part = *send;
    struct softasic_sent sum = {0}, now;
    sai_status_t status;

    do {
        const uint64_t left = send->n_frames - sum.n_frames;

        part.n_frames = left < SOFTASIC_FRAMES_MAX ? left : SOFTASIC_FRAMES_MAX;
        status =
            ip ? remote_send_ip(&part, ip, &now) : remote_send(&part, &now);
        if (status != SAI_STATUS_SUCCESS) {
            return status;
        }
        now.n_frames += sum.n_frames;
        now.n_dropped_ingress += sum.n_dropped_ingress;
        now.n_dropped_egress += sum.n_dropped_egress;
        sum = now;
    } while (sum.n_frames < send->n_frames &&
             sum.event == SOFTASIC_UNTIL_COUNT);
    *sent = sum;
    return SAI_STATUS_SUCCESS;
}

static sai_status_t
send_in_parts(const struct softasic_send *send, struct softasic_sent *sent)
{
    return send && sent ? send_parts(send, NULL, sent)
                        : SAI_STATUS_INVALID_PARAMETER;
}

static sai_status_t
send_ip_in_parts(const struct softasic_send *send, const struct softasic_ip *ip,
                 struct softasic_sent *sent)
{
    return send && ip && sent ? send_parts(send, ip, sent)
                              : SAI_STATUS_INVALID_PARAMETER;
}

static sai_status_t
run_in_parts(int64_t duration_ps)
{
    uint64_t is_done = 0;
    int64_t now_ps;
    sai_status_t status = remote_now(&now_ps);

    if (status == SAI_STATUS_SUCCESS &&
        (duration_ps < 0 || duration_ps > INT64_MAX - now_ps)) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    while (status == SAI_STATUS_SUCCESS && !is_done) {
        status =
            remote_run_some(now_ps + duration_ps, EVENTS_PER_PART, &is_done);
    }
    return status;
}

static sai_status_t
settle_in_parts(uint64_t *n_sent)
{
    uint64_t sum = 0, is_done = 0;

    while (!is_done) {
        uint64_t n;
        const sai_status_t status =
            remote_settle_some(EVENTS_PER_PART, &n, &is_done);

        if (status != SAI_STATUS_SUCCESS) {
            return status;
        }
        sum += n;
    }
    if (n_sent) {
        *n_sent = sum;
    }
    return SAI_STATUS_SUCCESS;
}

static sai_status_t
step_in_parts(uint64_t n_instants, uint64_t *n_done)
{
    uint64_t sum = 0, asked, n;

    do {
        sai_status_t status;

        asked = n_instants - sum < EVENTS_PER_PART ? n_instants - sum
                                                   : EVENTS_PER_PART;
        status = remote_step(asked, &n);
        if (status != SAI_STATUS_SUCCESS) {
            return status;
        }
        sum += n;
    } while (n == asked && sum < n_instants);
    if (n_done) {
        *n_done = sum;
    }
    return SAI_STATUS_SUCCESS;
}

const struct softasic_ops *
ops_remote(void)
{
    static const struct softasic_ops as_they_are = {
        .version = SOFTASIC_OPS_VERSION,
#define OP(member, ...) .member = remote_##member,
#include "vendors/softasic/remote/ops.def"
#undef OP
    };
    static struct softasic_ops ops;
    static bool logged;
    struct client *client = connection_client();
    char name[FORMS_NAME_BYTES];

    if (!client) {
        return NULL;
    }
    forms_name(name);
    if (strcmp(client_extras(client), name) != 0) {
        if (!logged) {
            library_log(
                SAI_API_SWITCH, SAI_LOG_LEVEL_WARN,
                "the host of the switch is from another build (%s, this is "
                "%s): SAI works; the operations beside SAI, which orchctl asic "
                "uses, do not until softasicd is restarted",
                *client_extras(client) ? client_extras(client) : "not softasic",
                name);
        }
        logged = true;
        return NULL;
    }
    ops = as_they_are;
    ops.send = send_in_parts;
    ops.send_ip = send_ip_in_parts;
    ops.run = run_in_parts;
    ops.settle = settle_in_parts;
    ops.step = step_in_parts;
    return &ops;
}
