/* SPDX-License-Identifier: Apache-2.0 */

/* Captures: the frames of a port as bytes, in files that tshark reads.
 *
 * A frame of the simulation is no bytes.  Its fields say everything that a
 * packet of RoCEv2 or TCP has but the content of its payload, which is zeros.
 * Queue pair n of an adapter is n + 2 in a file, because 0 and 1 are reserved
 * for management (InfiniBand, section 3.9.3).  A raw frame becomes a SEND, so
 * that it decodes as well.  Lengths are those of the headers as they really
 * are; a frame that the simulation makes longer is padded behind, and one that
 * a switch has trimmed ends where it was cut.
 *
 * The time of a packet is that at the port: when its last bit has left, or has
 * arrived.  The simulation shows a frame when its transmission starts, so it
 * waits in the queue of its direction until that time, and the two queues are
 * merged.  What has not arrived at the end of the run, or when the link goes
 * down, is not in the file. */

#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/ethernet.h"
#include "lab/exec/run.h"
#include "lab/exec/run_state.h"
#include "lab/measure/results.h"
#include "results/pcap_writer.h"
#include "results/rocev2.h"
#include "results/tcp_bytes.h"
#include "twin/transport/opcode.h"
#include "twin/transport/tcp.h"

enum { SNAP_BYTES = 65535, PAUSE_BYTES = 60, QUEUE_MIN = 64, MTU_BYTES = 9216 };

/* The number of the first queue pair that is not reserved. */
enum { QP_OFFSET = 2 };

/* Headers of a RoCEv2 packet without extension, and its ICRC. */
enum { HEADER_BYTES = 14 + 20 + 8 + 12, ICRC_BYTES = 4 };

/* A frame that has not left or arrived yet. */
struct waiting {
    int64_t t_ps;
    uint32_t length_bytes; /* In the simulation. */
    bool is_cut;           /* A switch has trimmed it. */
    enum { KIND_PAUSE, KIND_ROCE, KIND_TCP } kind;
    union {
        uint8_t pause[PAUSE_BYTES];
        struct rocev2_packet packet;
        struct {
            struct ip_header ip;
            struct tcp_bytes tcp;
        } segment;
    };
};

/* One direction of a capture; a ring by time, whose size is a power of two. */
struct run_capture_side {
    struct run_capture *capture;
    struct run_capture_side *next; /* Another one of the same direction: that
                                    * of the port at the other end. */
    bool is_incoming;
    struct waiting *ring;
    uint32_t first, n, size;
};

struct run_capture {
    struct run *run;
    struct pcap_writer *writer;
    uint32_t link, node, port;
    const bool *traffic; /* By item: whether its packets are wanted. */
    uint64_t n_written;
    uint64_t n_left_out; /* By the limit. */
    struct run_capture_side sides[2];
};

/* Packets ------------------------------------------------------------------ */

static uint32_t
address_of(const struct address *address)
{
    const uint8_t *bytes = address->bytes;

    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 |
           (uint32_t)bytes[2] << 8 | bytes[3];
}

/* Fills what the transport says. */
static void
describe_transport(const struct sim_frame *frame, struct rocev2_packet *packet)
{
    struct transport_packet from;

    nic_read_packet(frame, &from);
    packet->opcode = from.opcode;
    packet->qp = from.qp + QP_OFFSET;
    packet->psn = from.psn & TRANSPORT_PSN_MASK;
    packet->ack_request = from.ack_request;
    packet->becn = from.opcode == TRANSPORT_CNP || from.notify;
    packet->address = from.remote_address;
    packet->rkey = from.rkey;
    packet->dma_length = from.dma_length;
    packet->syndrome = from.syndrome;
    packet->msn = from.msn;
    packet->immediate = from.immediate;
    packet->payload_bytes = from.payload_bytes;
}

/* Returns the receive window of the connection of 'flow'. */
static uint32_t
window_of(const struct run *run, uint32_t flow)
{
    return flow == SINK_NONE ? 0
                             : run_host(run, run->flows[flow].source)
                                   ->profile->tcp.window_bytes;
}

/* Fills the transport of a raw frame, which has none. */
static void
describe_raw(const struct sim_frame *frame, struct rocev2_packet *packet)
{
    const uint32_t least = HEADER_BYTES + ICRC_BYTES;

    packet->opcode = TRANSPORT_SEND_ONLY;
    packet->qp = frame->flow + QP_OFFSET;
    packet->psn = frame->sequence & TRANSPORT_PSN_MASK;
    packet->payload_bytes =
        (uint16_t)(frame->length_bytes > least
                       ? (frame->length_bytes - least) / 4 * 4
                       : 0);
}

_Static_assert((int)TCP_MAX_SACKS == (int)TCP_BYTES_MAX_SACKS,
               "all blocks have room");

/* Returns the headers of 'frame', which has a payload. */
static struct ip_header
headers_of(const struct sim_frame *frame)
{
    const struct packet *headers = &frame->payload->packet;

    return (struct ip_header){
        .source_mac = frame->src_mac,
        .destination_mac = frame->dst_mac,
        .source_ip = address_of(&headers->src),
        .destination_ip = address_of(&headers->dst),
        .dscp = (uint8_t)frame->dscp,
        .ecn = frame->ecn,
        .ttl = frame->ttl,
    };
}

/* Fills a segment of TCP. */
static void
describe_segment(const struct run_capture *capture,
                 const struct sim_frame *frame, struct waiting *waiting)
{
    const struct packet *headers = &frame->payload->packet;
    const uint32_t flow = run_flow_of(capture->run, frame);
    struct tcp_segment from;

    nic_read_segment(frame, &from);
    waiting->kind = KIND_TCP;
    waiting->segment.ip = headers_of(frame);
    waiting->segment.tcp =
        (struct tcp_bytes){.source_port = headers->src_port,
                           .destination_port = headers->dst_port,
                           .sequence = from.sequence,
                           .acknowledgement = from.acknowledgement,
                           .window_bytes = window_of(capture->run, flow),
                           .push = from.push,
                           .ece = from.ece,
                           .cwr = from.cwr,
                           .n_sacks = from.n_sacks,
                           .payload_bytes = from.payload_bytes};
    for (uint32_t i = 0; i < from.n_sacks; i++) {
        waiting->segment.tcp.sacks[i][0] = from.sacks[i].begin;
        waiting->segment.tcp.sacks[i][1] = from.sacks[i].end;
    }
}

static void
describe(const struct run_capture *capture, const struct sim_frame *frame,
         struct waiting *waiting)
{
    waiting->length_bytes = frame->length_bytes;
    waiting->is_cut = frame->transport_flags & SIM_CUT;
    if (nic_has_segment(frame)) {
        describe_segment(capture, frame, waiting);
        return;
    }
    waiting->kind = frame->dscp < 0 ? KIND_PAUSE : KIND_ROCE;
    if (waiting->kind == KIND_PAUSE) {
        orch_assert(frame->payload->length == PAUSE_BYTES);
        memcpy(waiting->pause, frame->payload->bytes, PAUSE_BYTES);
        return;
    }
    waiting->packet =
        (struct rocev2_packet){.ip = headers_of(frame),
                               .source_port = frame->payload->packet.src_port};
    if (frame->opcode && !nic_has_datagram(frame)) {
        describe_transport(frame, &waiting->packet);
    } else {
        describe_raw(frame, &waiting->packet);
    }
}

static void
write_packet(struct run_capture *capture, const struct waiting *waiting)
{
    static const uint8_t zeros[MTU_BYTES];
    uint8_t bytes[ROCEV2_MAX_BYTES + sizeof zeros];
    size_t n;

    if (waiting->kind == KIND_PAUSE) {
        pcap_writer_add(capture->writer, waiting->t_ps, waiting->pause,
                        PAUSE_BYTES, PAUSE_BYTES);
        return;
    }
    n = waiting->kind == KIND_TCP
            ? tcp_bytes_build(&waiting->segment.ip, &waiting->segment.tcp,
                              bytes)
            : rocev2_build(&waiting->packet, bytes);
    if (n < waiting->length_bytes && waiting->length_bytes <= sizeof bytes) {
        memset(bytes + n, 0, waiting->length_bytes - n);
        n = waiting->length_bytes;
    } else if (waiting->is_cut && n > waiting->length_bytes) {
        n = waiting->length_bytes;
        ip_header_set_length(bytes + ETHERNET_HEADER_BYTES,
                             (uint32_t)n - ETHERNET_HEADER_BYTES);
    }
    pcap_writer_add(capture->writer, waiting->t_ps, bytes, n, n);
}

/* Queues ------------------------------------------------------------------- */

static struct waiting *
waiting_at(const struct run_capture_side *side, uint32_t i)
{
    return &side->ring[(side->first + i) & (side->size - 1)];
}

/* Returns room for a frame at the end of the queue. */
static struct waiting *
append(struct run_capture_side *side)
{
    if (side->n == side->size) {
        const uint32_t size = side->size ? 2 * side->size : QUEUE_MIN;
        struct waiting *ring = check_calloc(size, sizeof *ring);

        for (uint32_t i = 0; i < side->n; i++) {
            ring[i] = *waiting_at(side, i);
        }
        free(side->ring);
        side->ring = ring;
        side->size = size;
        side->first = 0;
    }
    return waiting_at(side, side->n++);
}

/* Returns when the first frame of 'side' is due. */
static int64_t
next_ps(const struct run_capture_side *side)
{
    return side->n ? waiting_at(side, 0)->t_ps : INT64_MAX;
}

/* Writes the frames that are due now; of one moment, those that arrive first.
 */
static void
write_due(struct run_capture *capture)
{
    const int64_t limit = capture->run->scenario->record.pcap.limit;

    for (;;) {
        struct run_capture_side *side =
            &capture->sides[next_ps(&capture->sides[0]) <
                                    next_ps(&capture->sides[1])
                                ? 0
                                : 1];

        if (next_ps(side) > run_now(capture->run)) {
            return;
        }
        if (capture->n_written < (uint64_t)limit) {
            write_packet(capture, waiting_at(side, 0));
            capture->n_written++;
        } else {
            capture->n_left_out++;
        }
        side->first = (side->first + 1) & (side->size - 1);
        side->n--;
    }
}

/* Frames ------------------------------------------------------------------- */

/* Returns whether 'frame' is to be captured. */
static bool
is_wanted(const struct run_capture *capture, const struct sim_frame *frame)
{
    const struct pcap_spec *spec = &capture->run->scenario->record.pcap;
    uint32_t flow;

    if (!frame->payload) {
        return false;
    }
    if (frame->dscp < 0) {
        return spec->pauses && frame->payload->length == PAUSE_BYTES;
    }
    if (spec->flow < 0 && !spec->traffic.n) {
        return true;
    }
    flow = run_flow_of(capture->run, frame);
    return flow != SINK_NONE && (spec->flow < 0 || flow == spec->flow) &&
           (!spec->traffic.n ||
            capture->traffic[capture->run->experiment->flows.flows[flow].item]);
}

/* Of a struct link_tap. */
static void
on_sent(void *context, const struct sim_frame *frame, int64_t end_ps,
        int64_t delay_ps, bool is_lost)
{
    for (struct run_capture_side *side = context; side; side = side->next) {
        struct waiting *waiting;

        write_due(side->capture);
        if ((side->is_incoming && is_lost) ||
            !is_wanted(side->capture, frame)) {
            continue;
        }
        waiting = append(side);
        waiting->t_ps = side->is_incoming ? end_ps + delay_ps : end_ps;
        describe(side->capture, frame, waiting);
    }
}

/* Captures ----------------------------------------------------------------- */

/* Returns which items of 'traffic' are to be captured. */
static const bool *
find_traffic(const struct run *run)
{
    const struct scenario *scenario = run->scenario;
    const struct selector *names = &scenario->record.pcap.traffic;
    bool *wanted =
        arena_alloc(run->arena, scenario->n_traffic + 1, sizeof *wanted);

    for (size_t i = 0; i < scenario->n_traffic; i++) {
        wanted[i] = false;
        for (size_t k = 0; k < names->n; k++) {
            wanted[i] |= !strcmp(scenario->traffic[i].name, names->items[k]);
        }
    }
    return wanted;
}

/* Shows the frames that end 'end' of its link sends to 'side', and to those
 * that see them already. */
static void
show(struct run *run, struct run_capture_side *side, unsigned int end)
{
    const struct link_tap seen = {on_sent, side, false};
    const uint32_t link = side->capture->link;

    for (size_t i = 0; &run->captures[i] != side->capture; i++) {
        struct run_capture *other = &run->captures[i];

        if (other->link == link) {
            /* What is incoming here is outgoing at the other end. */
            side->next = &other->sides[!side->is_incoming];
        }
    }
    link_set_tap(run->links[link], end, &seen);
}

/* Opens the capture of port 'item'. */
static enum st
open_capture(struct run *run, struct run_capture *capture, const char *item,
             struct err *err)
{
    const struct pcap_spec *spec = &run->scenario->record.pcap;
    char name[128], path[512];
    unsigned int end;
    enum st st;

    capture->run = run;
    st = references_link(run->scenario, run->topology, item, &spec->at.place,
                         run->arena, &capture->link, &end, err);
    if (st) {
        return st;
    }
    capture->traffic = find_traffic(run);
    capture->node = run->topology->links[capture->link].node[end];
    capture->port = run->topology->links[capture->link].port[end];
    for (const struct run_capture *other = run->captures; other != capture;
         other++) {
        if (other->node == capture->node && other->port == capture->port) {
            return scenario_fail(run->scenario, &spec->at.place, err,
                                 "'%s' is there twice", item);
        }
    }
    (void)snprintf(path, sizeof path, "%s.%s.pcap", run->options.captures,
                   run_name_port(run, capture->node, capture->port,
                                 RUN_PRIORITIES, name, sizeof name));
    st = pcap_writer_create(path, SNAP_BYTES, &capture->writer, err);
    for (unsigned int i = 0; !st && i < 2; i++) {
        struct run_capture_side *side = &capture->sides[i];

        side->capture = capture;
        side->is_incoming = i == 1;
        show(run, side, i == 0 ? end : 1 - end);
    }
    return st;
}

enum st
run_captures_create(struct run *run, struct err *err)
{
    const struct pcap_spec *spec = &run->scenario->record.pcap;
    const struct selector *at = &spec->at;
    const size_t n_flows = run->experiment->flows.n;
    enum st st = ST_OK;

    if (!run->options.captures) {
        return ST_OK;
    }
    if (at->n && spec->flow >= (int64_t)n_flows) {
        return scenario_fail(
            run->scenario, &at->place, err,
            "'flow' is %lld, and the run has %zu flows, from 0",
            (long long)spec->flow, n_flows);
    }
    run->captures = arena_alloc(run->arena, at->n + 1, sizeof *run->captures);
    memset(run->captures, 0, (at->n + 1) * sizeof *run->captures);
    for (size_t i = 0; !st && i < at->n; i++) {
        run->n_captures = i + 1;
        st = open_capture(run, &run->captures[i], at->items[i], err);
    }
    return st;
}

void
run_captures_link_down(struct run *run, uint32_t link)
{
    for (size_t i = 0; i < run->n_captures; i++) {
        struct run_capture *capture = &run->captures[i];

        if (capture->link == link) {
            write_due(capture);
            capture->sides[0].n = 0;
            capture->sides[1].n = 0;
        }
    }
}

void
run_captures_finish(struct run *run, struct results *results)
{
    for (size_t i = 0; i < run->n_captures; i++) {
        struct run_capture *capture = &run->captures[i];

        write_due(capture);
        results_add_counter(results, capture->node, capture->port, SINK_NONE,
                            "captured_packets", capture->n_written);
        if (capture->n_left_out) {
            results_add_counter(results, capture->node, capture->port,
                                SINK_NONE, "captured_packets_left_out",
                                capture->n_left_out);
        }
    }
}

uint64_t
run_captured(const struct run *run)
{
    uint64_t n = 0;

    for (size_t i = 0; i < run->n_captures; i++) {
        n += run->captures[i].n_written;
    }
    return n;
}

enum st
run_close_captures(struct run *run, struct err *err)
{
    enum st st = ST_OK;

    for (size_t i = 0; i < run->n_captures; i++) {
        struct run_capture *capture = &run->captures[i];
        struct err why = {0};

        if (capture->writer && pcap_writer_close(capture->writer, &why) &&
            !st) {
            st = why.status;
            *err = why;
        }
        free(capture->sides[0].ring);
        free(capture->sides[1].ring);
    }
    run->n_captures = 0;
    return st;
}
