/* SPDX-License-Identifier: Apache-2.0 */

/* Sends the flows one after another, in parts as equal as possible. */

#include <config.h>

#include "orchd/testbench/sending.h"

#include <string.h>

#include "orchd/switch/switch_query.h"

/* Frames without another condition are sent in one call. */
static const enum softasic_until untils[N_TARGET_UNTIL] = {
    [TARGET_UNTIL_COUNT] = SOFTASIC_UNTIL_COUNT,
    [TARGET_UNTIL_XOFF] = SOFTASIC_UNTIL_XOFF,
    [TARGET_UNTIL_DROP] = SOFTASIC_UNTIL_DROP,
    [TARGET_UNTIL_XON] = SOFTASIC_UNTIL_COUNT,
};

/* Finds the ports of a send, and the PG and queue of its frames. */
static enum st
prepare(struct sending *sending, struct switch_query *query,
        const struct target_send *wanted, struct err *err)
{
    struct softasic_send *send = &sending->send;
    struct softasic_class class;
    enum st st = switch_query_check_soft(query, err);

    st = st ? st : switch_query_port(query, wanted->from, &send->from, err);
    st = st ? st : switch_query_port(query, wanted->to, &send->to, err);
    if (!st && send->from == send->to) {
        st = err_set(err, ST_INVALID, "usage",
                     "packets cannot leave by the port they enter, %s",
                     wanted->to);
    }
    st = st ? st
            : switch_query_status(
                  sending->softasic->classify(send->from, send->to,
                                              wanted->dscp, &class),
                  "classify", err);
    if (!st) {
        sending->sent.tc = class.tc;
        sending->sent.pg = class.pg_index;
        sending->sent.queue = class.queue_index;
    }
    return st;
}

enum st
sending_begin(struct sending *sending, const struct softasic_ops *softasic,
              struct switch_query *query, const struct target_send *wanted,
              struct err *err)
{
    *sending = (struct sending){
        .softasic = softasic,
        .send = {.frame_bytes = wanted->size_bytes,
                 .dscp = wanted->dscp,
                 .ecn = wanted->ecn,
                 .until = untils[wanted->until],
                 .has_tag = wanted->header.has_tag,
                 .vlan = wanted->header.vlan,
                 .pcp = wanted->header.pcp,
                 .is_not_ip = wanted->header.is_not_ip,
                 .ip_id = wanted->header.ip_id},
        .ip = {.source = {SAI_IP_ADDR_FAMILY_IPV4, {.ip4 = 0x0100000a}},
               .destination = {SAI_IP_ADDR_FAMILY_IPV4, {.ip4 = 0x0200000a}},
               .ttl = wanted->header.ttl,
               .protocol = 17,
               .destination_port = 4791},
        .until = wanted->until,
        .count = wanted->count,
        .flows = wanted->flows > 1 ? wanted->flows : 1,
    };
    return prepare(sending, query, wanted, err);
}

/* Sends 'n' frames of the current flow and adds the result to 'sent'. */
static enum st
send_part(struct sending *sending, uint64_t n, struct softasic_sent *part,
          struct err *err)
{
    struct target_sent *sent = &sending->sent;
    sai_status_t status;
    enum st st;

    sending->send.n_frames = n;
    if (sending->flows > 1) {
        sending->ip.source_port = (uint16_t)(49152 + sending->flow);
        status = sending->softasic->send_ip(&sending->send, &sending->ip, part);
    } else {
        status = sending->softasic->send(&sending->send, part);
    }
    st = switch_query_status(status, "send (is the port up?)", err);
    if (!st) {
        sending->n_flow += part->n_frames;
        sent->sent += part->n_frames;
        sent->dropped_ingress += part->n_dropped_ingress;
        sent->dropped_egress += part->n_dropped_egress;
        sent->reached = part->event == sending->send.until;
        sent->xoff = part->xoff;
    }
    return st;
}

/* Sends single frames until the PG is in XON. */
static enum st
send_until_xon(struct sending *sending, uint64_t n, bool *is_done,
               struct err *err)
{
    struct target_sent *sent = &sending->sent;
    struct softasic_sent part;
    enum st st = ST_OK;

    if (!sending->asked) {
        sending->asked = true;
        st = send_part(sending, 0, &part, err);
    }
    for (; !st && n && sent->xoff && sent->sent < sending->count; n--) {
        st = send_part(sending, 1, &part, err);
    }
    sent->reached = !sent->xoff;
    *is_done = !sent->xoff || sent->sent >= sending->count;
    return st;
}

/* Returns how many frames the current flow has. */
static uint64_t
flow_frames(const struct sending *sending)
{
    return sending->count / sending->flows +
           (sending->flow < sending->count % sending->flows);
}

enum st
sending_continue(struct sending *sending, uint64_t n, bool *is_done,
                 struct err *err)
{
    struct softasic_sent part;
    enum st st = ST_OK;

    if (sending->until == TARGET_UNTIL_XON && sending->flows == 1) {
        return send_until_xon(sending, n, is_done, err);
    }
    while (!st && n && sending->flow < sending->flows) {
        const uint64_t left = flow_frames(sending) - sending->n_flow;
        const uint64_t now = left < n ? left : n;

        st = send_part(sending, now, &part, err);
        n -= now ? now : 1;
        if (!st && (now == left || part.event != SOFTASIC_UNTIL_COUNT)) {
            sending->flow++;
            sending->n_flow = 0;
        }
    }
    *is_done = sending->flow == sending->flows;
    return st;
}
