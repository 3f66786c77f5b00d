/* SPDX-License-Identifier: Apache-2.0 */

/* QPs that are SRD contexts: their packets as frames, and back; and the SRD
 * queue pairs above them ("endpoints" here), each with its message layer.
 *
 * A context takes the turns of a QP, and its rate is that of the pacer.  An
 * endpoint posts segments of its messages to the contexts of their peers, as
 * long as its send queue has room.
 *
 * A QP of kind NIC_MESSAGES is one end of a flow of messages: an endpoint with
 * one peer.  Its messages have the number of the QP at the other end as tag,
 * and its own number in the upper half of their id.
 *
 * What a datagram says beyond the headers of its path is behind a copy of
 * these, as in nic_frame.c.  Acknowledgements have the class of the data. */

#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/line_pool.h"
#include "twin/nic/nic_state.h"
#include "twin/transport/message.h"

enum {
    FCS_BYTES = 4,
    LEAST_BYTES = 60, /* Of a frame without FCS. */
    KIND_MASK = 3,    /* In 'transport_flags': enum srd_kind. */
};

/* In 'aeth': what is left is the entropy. */
enum { PATH_SHIFT = 24, ATTEMPT_SHIFT = 16, STATUS_SHIFT = 12 };

struct extension {
    uint32_t source_qp;
    uint32_t dest_qp;
    struct srd_header header;
};
_Static_assert(sizeof(struct extension) <= NIC_EXTENSION_BYTES, "it fits");

/* Frames ------------------------------------------------------------------- */

/* Returns 'headers' with what 'request' says. */
static struct sim_payload *
extend(const struct sim_payload *headers, const struct srd_request *request)
{
    const struct extension extension = {.source_qp = request->source_qp,
                                        .dest_qp = request->dest_qp,
                                        .header = request->header};

    return nic_extend(headers, &extension, sizeof extension);
}

/* Returns a new frame with 'packet' of 'qp'. */
static uint32_t
make_frame(struct nic *nic, const struct qp *qp,
           const struct srd_packet *packet)
{
    const uint32_t index = frame_take(nic->pool);
    struct sim_frame *frame = frame_at(nic->pool, index);
    struct sim_payload *headers = qp->entropies[packet->entropy];
    const uint32_t bytes =
        packet->request.length_bytes + SRD_OVERHEAD_BYTES - FCS_BYTES;

    *frame = qp->frame;
    frame->flow_number = headers->number;
    frame->sequence = packet->sequence;
    frame->length_bytes = bytes < LEAST_BYTES ? LEAST_BYTES : bytes;
    frame->ecn = 0;
    frame->opcode = TRANSPORT_SRD + 1;
    frame->transport_bytes = (uint16_t)packet->request.length_bytes;
    frame->transport_flags = packet->kind;
    frame->aeth = (uint32_t)packet->path << PATH_SHIFT |
                  (uint32_t)packet->attempt << ATTEMPT_SHIFT |
                  (uint32_t)packet->status << STATUS_SHIFT | packet->entropy;
    frame->payload = headers;
    if (packet->kind == SRD_DATA) {
        frame->payload = extend(headers, &packet->request);
        frame->borrows = false;
    }
    return index;
}

bool
nic_has_datagram(const struct sim_frame *frame)
{
    return frame->opcode == TRANSPORT_SRD + 1;
}

uint32_t
nic_datagram_flow(const struct sim_frame *frame)
{
    struct srd_packet packet;

    nic_read_datagram(frame, &packet);
    return packet.kind == SRD_DATA ? packet.request.header.words[0]
                                   : frame->flow;
}

void
nic_read_datagram(const struct sim_frame *frame, struct srd_packet *packet)
{
    struct extension extension = {0};

    *packet = (struct srd_packet){
        .kind = frame->transport_flags & KIND_MASK,
        .status = frame->aeth >> STATUS_SHIFT & 0xf,
        .attempt = (uint8_t)(frame->aeth >> ATTEMPT_SHIFT),
        .path = (uint16_t)(frame->aeth >> PATH_SHIFT),
        .entropy = frame->aeth & (SRD_MAX_ENTROPIES - 1),
        .sequence = frame->sequence,
    };
    if (packet->kind == SRD_DATA) {
        memcpy(&extension, frame->payload->bytes, sizeof extension);
    }
    packet->request = (struct srd_request){
        .source_qp = extension.source_qp,
        .dest_qp = extension.dest_qp,
        .length_bytes = frame->transport_bytes,
        .header = extension.header,
    };
}

/* Endpoints ---------------------------------------------------------------- */

enum { NUMBER_SHIFT = 32 };

/* Returns the source of datagrams of queue pair 'qp' at the other end of
 * 'context', for the message layer. */
static uint64_t
source_of(uint32_t context, uint32_t qp)
{
    return (uint64_t)context << NUMBER_SHIFT | qp;
}

/* Tells the listener of a datagram of QP 'number'. */
static void
note_datagram(const struct nic *nic, uint32_t number, uint32_t bytes,
              bool is_receive)
{
    if (nic->datagram_listener) {
        nic->datagram_listener(nic->datagram_context, number, bytes, is_receive,
                               engine_now_ps(nic->engine));
    }
}

void
nic_set_datagram_listener(struct nic *nic, nic_datagram_fn *fn, void *context)
{
    nic->datagram_listener = fn;
    nic->datagram_context = context;
}

/* Notes that a segment of 'endpoint' has ended. */
static void
end_segment(struct nic *nic, struct endpoint *endpoint, uint64_t handle,
            uint32_t length_bytes, uint32_t attempts, enum srd_status status)
{
    const int64_t now_ps = engine_now_ps(nic->engine);
    const uint32_t number =
        (uint32_t)(message_id(endpoint->layer, handle) >> NUMBER_SHIFT);
    struct nic_flow *sent = &nic->qps[number].sent;

    sent->first_ps = sent->first_ps < 0 ? now_ps : sent->first_ps;
    sent->last_ps = now_ps;
    sent->packets += attempts;
    sent->again += attempts ? attempts - 1 : 0;
    sent->bytes += (uint64_t)attempts * length_bytes;
    note_datagram(nic, number, length_bytes, false);
    message_segment_ended(endpoint->layer, handle, status);
}

/* Posts segments of endpoint 'number' while its send queue has room. */
static void
pump(struct nic *nic, uint32_t number)
{
    struct endpoint *endpoint = &nic->endpoints[number];
    struct message_segment segment;

    while (endpoint->qp.n_sends < endpoint->qp.send_depth &&
           message_next(endpoint->layer, &segment)) {
        const struct qp *qp = &nic->qps[segment.peer];
        struct srd_request request = {.id = segment.handle,
                                      .dest_qp = qp->peer_endpoint,
                                      .length_bytes = segment.length_bytes,
                                      .header = segment.header};
        enum srd_status status;

        orch_assert(srd_qp_post(&endpoint->qp, nic->qps[qp->context].srd,
                                SRD_MAX_MTU, &request, &status) == ST_OK);
        if (status != SRD_OK) {
            end_segment(nic, endpoint, segment.handle, segment.length_bytes, 0,
                        status);
        }
        nic_ready__(nic, qp->context);
    }
}

/* Reports the messages of endpoint 'number' that have ended. */
static void
report(struct nic *nic, uint32_t number)
{
    const int64_t now_ps = engine_now_ps(nic->engine);
    struct message_completion from;

    while (message_poll(nic->endpoints[number].layer, now_ps, &from)) {
        const struct rc_completion completion = {
            .id = (uint32_t)from.id,
            .bytes = (uint32_t)from.bytes,
            .status =
                from.status == SRD_OK ? RC_STATUS_OK : RC_STATUS_REMOTE_INVALID,
            .operation = RC_SEND,
            .is_receive = from.is_receive};

        if (nic->listener) {
            nic->listener(nic->listener_context,
                          from.is_receive ? from.tag
                                          : (uint32_t)(from.id >> NUMBER_SHIFT),
                          &completion, now_ps);
        }
    }
}

enum st
nic_post_srd__(struct nic *nic, uint32_t number,
               const struct rc_request *request)
{
    const struct qp *qp = &nic->qps[number];

    if (request->operation != RC_SEND || qp->kind != NIC_MESSAGES) {
        return ST_INVALID;
    }
    message_post(nic->endpoints[qp->endpoint].layer, number, qp->peer_qp,
                 (uint64_t)number << NUMBER_SHIFT | (uint32_t)request->id,
                 request->length_bytes);
    pump(nic, qp->endpoint);
    nic_kick__(nic);
    return ST_OK;
}

/* Implements an event of copies that are done. */
static void
on_copied(struct event *event, int64_t now_ps)
{
    struct nic *nic = EVENT_OWNER(event, struct nic, copied);
    int64_t next_ps = INT64_MAX;

    nic->copied_ps = INT64_MAX;
    (void)now_ps;
    for (uint32_t i = 0; i < nic->n_endpoints; i++) {
        int64_t deadline_ps;

        report(nic, i);
        deadline_ps = message_deadline_ps(nic->endpoints[i].layer);
        next_ps = deadline_ps < next_ps ? deadline_ps : next_ps;
    }
    if (next_ps != INT64_MAX) {
        nic->copied_ps = next_ps;
        engine_schedule(nic->engine, &nic->copied, next_ps);
    }
    nic_kick__(nic);
}

/* Plans to look at endpoint 'number' when its copies are done. */
static void
watch_copies(struct nic *nic, uint32_t number)
{
    const int64_t deadline_ps =
        message_deadline_ps(nic->endpoints[number].layer);

    if (deadline_ps < nic->copied_ps) {
        nic->copied_ps = deadline_ps;
        engine_schedule(nic->engine, &nic->copied, deadline_ps);
    }
}

enum st
nic_add_endpoint(struct nic *nic, const struct nic_endpoint_config *config,
                 uint32_t *number)
{
    struct endpoint *endpoint;

    if (nic->n_endpoints == nic->endpoints_room) {
        const uint32_t room = nic->endpoints_room ? 2 * nic->endpoints_room : 4;

        nic->endpoints =
            check_realloc(nic->endpoints, room * sizeof *nic->endpoints);
        nic->endpoints_room = room;
    }
    endpoint = &nic->endpoints[nic->n_endpoints];
    if (srd_qp_init(&endpoint->qp, nic->n_endpoints, config->send_depth,
                    config->receive_depth)) {
        return ST_INVALID;
    }
    if (!nic->n_endpoints) {
        nic->copied =
            event_make(EVENT_TIMER_SEND, nic->entity, NIC_NONE, on_copied);
        nic->copied_ps = INT64_MAX;
    }
    endpoint->layer = message_layer_create(config->messages);
    *number = nic->n_endpoints++;
    return ST_OK;
}

uint32_t
nic_n_endpoints(const struct nic *nic)
{
    return nic->n_endpoints;
}

void
nic_srd_fini__(struct nic *nic)
{
    if (nic->n_endpoints) {
        engine_cancel(nic->engine, &nic->copied);
    }
    for (uint32_t i = 0; i < nic->n_endpoints; i++) {
        srd_qp_fini(&nic->endpoints[i].qp);
        message_layer_destroy(nic->endpoints[i].layer);
    }
    free(nic->endpoints);
}

const struct srd *
nic_srd(const struct nic *nic, uint32_t qp)
{
    return nic->qps[qp].srd;
}

/* The context ---------------------------------------------------------------
 */

__attribute__((noinline)) bool
nic_peek_srd__(const struct nic *nic, const struct qp *qp)
{
    return srd_peek(qp->srd, engine_now_ps(nic->engine));
}

__attribute__((noinline)) uint32_t
nic_next_srd__(struct nic *nic, uint32_t number)
{
    struct qp *qp = &nic->qps[number];
    struct srd_packet packet;
    uint32_t index;

    if (!srd_next(qp->srd, engine_now_ps(nic->engine), &packet)) {
        return FRAME_NONE;
    }
    index = make_frame(nic, qp, &packet);
    qp->sent.again += packet.attempt > 1;
    nic_note_sent__(nic, qp, frame_at(nic->pool, index)->length_bytes,
                    packet.kind == SRD_DATA ? packet.request.length_bytes : 0);
    nic_watch__(nic, number);
    return index;
}

/* Counts a datagram for the QP of its flow, and returns whether there is one
 * and it makes sense. */
static bool
accept(struct nic *nic, uint32_t context, const struct srd_request *datagram)
{
    const int64_t now_ps = engine_now_ps(nic->engine);
    const uint32_t number = datagram->header.words[0];

    if (number >= nic->n_qps || nic->qps[number].kind != NIC_MESSAGES ||
        nic->qps[number].endpoint != datagram->dest_qp ||
        !message_arrived(nic->endpoints[datagram->dest_qp].layer,
                         source_of(context, datagram->source_qp),
                         datagram->length_bytes, &datagram->header, now_ps)) {
        return false;
    }
    nic_note_received__(nic, number, datagram->length_bytes, false, true,
                        now_ps);
    note_datagram(nic, number, datagram->length_bytes, true);
    return true;
}

/* Hands datagrams that have arrived at context 'number' to their endpoints. */
static void
deliver(struct nic *nic, uint32_t number)
{
    struct srd_request datagram;

    while (srd_take(nic->qps[number].srd, &datagram)) {
        if (!accept(nic, number, &datagram)) {
            nic->stats.unknown_packets++;
        }
        report(nic, datagram.dest_qp);
        watch_copies(nic, datagram.dest_qp);
    }
}

/* Ends the requests of context 'number' that have completed. */
static void
complete(struct nic *nic, uint32_t number)
{
    struct srd_completion completion;

    while (srd_poll(nic->qps[number].srd, &completion)) {
        struct endpoint *endpoint = &nic->endpoints[completion.source_qp];

        srd_qp_completed(&endpoint->qp);
        end_segment(nic, endpoint, completion.id, completion.length_bytes,
                    completion.attempts, (enum srd_status)completion.status);
        pump(nic, completion.source_qp);
        report(nic, completion.source_qp);
    }
}

/* Does what context 'number' wants after 'actions'. */
static void
follow(struct nic *nic, uint32_t number, const struct srd_actions *actions)
{
    if (actions->has_reply) {
        nic->stats.acks_sent++;
        nic_answer__(nic, ANSWER_TCP,
                     make_frame(nic, &nic->qps[number], &actions->reply));
    }
    if (actions->delivery) {
        deliver(nic, number);
    }
    if (actions->completion) {
        complete(nic, number);
    }
    if (actions->send) {
        nic_ready__(nic, number);
    }
    nic_watch__(nic, number);
}

__attribute__((noinline)) void
nic_deliver_srd__(struct nic *nic, uint32_t number, uint32_t index)
{
    struct qp *qp = &nic->qps[number];
    struct srd_packet packet;
    struct srd_actions actions;
    enum srd_status status = SRD_OK;

    nic_read_datagram(frame_at(nic->pool, index), &packet);
    frame_give(nic->pool, index);
    if (srd_is_new(qp->srd, &packet)) {
        struct endpoint *endpoint =
            packet.request.dest_qp < nic->n_endpoints
                ? &nic->endpoints[packet.request.dest_qp]
                : NULL;

        status = srd_qp_admit(endpoint ? &endpoint->qp : NULL,
                              packet.request.length_bytes);
    }
    srd_receive(qp->srd, &packet, status, engine_now_ps(nic->engine), &actions);
    follow(nic, number, &actions);
}

__attribute__((noinline)) void
nic_expire_srd__(struct nic *nic, uint32_t number)
{
    struct srd_actions actions;

    srd_timeout(nic->qps[number].srd, engine_now_ps(nic->engine), &actions);
    follow(nic, number, &actions);
    nic_kick__(nic);
}
