/* SPDX-License-Identifier: Apache-2.0 */

/* Frames into and out of the switch: the generator behind send(), and frames
 * that leave.
 *
 * The generator sends on the wire of a port, back to back, and the twin ends
 * the series at the frame that causes the event.  So the reported number of
 * frames is exact, and the next call continues with the frame that would have
 * been next. */

#include <config.h>

#include "vendors/softasic/traffic/traffic.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/pfc.h"
#include "twin/qos/pause_frame.h"
#include "vendors/softasic/program/addresses.h"
#include "vendors/softasic/program/deadlocks.h"
#include "vendors/softasic/program/fdb_entries.h"
#include "vendors/softasic/program/port_lookup.h"
#include "vendors/softasic/traffic/frames.h"
#include "vendors/softasic/traffic/hostif_frames.h"
#include "vendors/softasic/traffic/watch.h"

enum {
    MAX_L2_ENTRIES = 65536,
    MAX_TRACED = 1 << 20,
    ECN_CE = 3,
    MAX_ECN = 3,
};

/* Egress -------------------------------------------------------------- */

/* Orders rows by DSCP, queue, CE, as softasic_ops promises. */
static int
compare_received(const struct softasic_received *a,
                 const struct softasic_received *b)
{
    if (a->dscp != b->dscp) {
        return a->dscp - b->dscp;
    }
    if (a->queue_index != b->queue_index) {
        return a->queue_index - b->queue_index;
    }
    return a->ce - b->ce;
}

/* Returns the row of 'port' with the properties of 'key'; adds it if there is
 * none.  There are few flows, so the rows are a sorted array. */
static struct softasic_received *
received_row(struct state_port *port, const struct softasic_received *key)
{
    uint32_t i = 0;

    while (i < port->n_received &&
           compare_received(&port->received[i], key) < 0) {
        i++;
    }
    if (i < port->n_received &&
        compare_received(&port->received[i], key) == 0) {
        return &port->received[i];
    }
    if (port->n_received == port->received_size) {
        port->received_size = port->received_size ? 2 * port->received_size : 4;
        port->received =
            check_realloc(port->received, port->received_size * sizeof *key);
    }
    memmove(&port->received[i + 1], &port->received[i],
            (port->n_received - i) * sizeof *key);
    port->n_received++;
    port->received[i] = *key;
    return &port->received[i];
}

/* Appends 'frame' to the trace of 'slot', if it is on. */
static void
trace(struct state_port *slot, const struct sim_frame *frame, int64_t now_ps)
{
    if (slot->n_traced == slot->trace_size) {
        return;
    }
    slot->traced[slot->n_traced++] = (struct softasic_departure){
        .now_ps = now_ps,
        .frame_bytes = frame->length_bytes,
        .dscp = frame->dscp,
        .ecn = frame->ecn,
        .queue_index = (uint8_t)frame->queue_index,
        .tc = frame->tc,
        .vlan = frame->tag,
        .pcp = frame->dot1p,
        .ip_id = frame->ip_id,
    };
}

/* Counts a frame that has left by 'slot'.  A frame that is not IP cannot come
 * from send(); its DSCP counts as 0. */
static void
book(struct state_port *slot, const struct sim_frame *frame)
{
    const struct softasic_received key = {
        .dscp = frame->dscp < 0 ? 0 : (uint8_t)frame->dscp,
        .queue_index = (uint8_t)frame->queue_index,
        .ce = frame->ecn == ECN_CE,
    };
    struct softasic_received *row = received_row(slot, &key);

    frames_left(slot, frame);
    row->n_frames++;
    row->n_bytes += frame->length_bytes;
}

/* A sim_listener_fn: a frame has left 'port' completely. */
static void
on_sent(void *context, uint32_t port, const struct sim_frame *frame,
        int64_t now_ps)
{
    struct asic *asic = context;

    book(&asic->ports[port], frame);
    trace(&asic->ports[port], frame, now_ps);
    if (asic->watch) {
        watch_sent(asic, port, frame, now_ps);
    }
}

/* A sim_trap_fn: a frame goes to the CPU port. */
static void
on_trapped(void *context, uint32_t port, const struct sim_frame *frame)
{
    struct asic *asic = context;

    book(&asic->cpu, frame);
    hostif_frames_trapped(asic, port, frame);
}

/* A sim_drop_fn: counts drops for the current send().  Only arriving frames are
 * dropped for lack of buffer. */
static void
on_drop(void *context, uint32_t port, enum mmu_drop why,
        const struct sim_frame *frame, int64_t now_ps)
{
    struct asic *asic = context;

    if (asic->watch) {
        watch_dropped(asic, port, why, frame, now_ps);
    }
    if (mmu_drop_is_egress(why)) {
        asic->n_dropped_egress++;
    } else {
        asic->n_dropped_ingress++;
    }
}

/* A sim_deadlock_fn. */
static void
on_deadlock(void *context, uint32_t port, uint32_t index, bool dead)
{
    struct asic *asic = context;

    if (asic->watch) {
        watch_deadlock(asic, port, index, dead);
    }
    deadlocks_on_event(asic, port, index, dead);
}

void
traffic_listen(struct asic *asic, bool keeps_frames)
{
    struct sim_listener listener = {.sent = keeps_frames ? on_sent : NULL,
                                    .drop = on_drop,
                                    .learned = fdb_entries_learned,
                                    .aged = fdb_entries_aged,
                                    .trapped = keeps_frames ? on_trapped : NULL,
                                    .deadlock = on_deadlock,
                                    .context = asic};

    watch_listen(asic, &listener);
    sim_set_listener(asic->sim, &listener);
}

sai_status_t
traffic_received(struct asic *asic, sai_object_id_t port, uint32_t *n,
                 struct softasic_received *rows)
{
    struct objects_item *item;
    struct state_port *slot;
    const sai_status_t status =
        objects_locate(asic->objects, SAI_OBJECT_TYPE_PORT, port, &item);

    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    slot = item == asic->cpu_port ? &asic->cpu : &asic->ports[item->handle];
    if (*n < slot->n_received) {
        *n = slot->n_received;
        return SAI_STATUS_BUFFER_OVERFLOW;
    }
    *n = slot->n_received;
    if (*n) {
        memcpy(rows, slot->received, *n * sizeof *rows);
    }
    slot->n_received = 0; /* The caller has them now; keep the memory. */
    return SAI_STATUS_SUCCESS;
}

/* Ingress ------------------------------------------------------------- */

/* Finds class, PG and queue of a frame as the twin does; 'to' may be NULL. */
static void
classify(const struct asic *asic, const struct objects_item *from,
         const struct objects_item *to, const struct classify_headers *headers,
         struct softasic_class *class)
{
    const struct classify_rules *base = sim_rules(asic->sim);
    const struct classify_rules *in = sim_port_rules(asic->sim, from->handle);
    const struct objects_item *child;

    memset(class, 0, sizeof *class);
    class->tc = classify_frame(base, in, headers).tc;
    class->pg_index = classify_pg(base, in, class->tc);
    child = objects_child(from, SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP,
                          class->pg_index);
    class->pg = child ? child->oid : SAI_NULL_OBJECT_ID;
    if (to) {
        class->queue_index = classify_queue(
            base, sim_port_rules(asic->sim, to->handle), class->tc);
        child = objects_child(to, SAI_OBJECT_TYPE_QUEUE, class->queue_index);
        class->queue = child ? child->oid : SAI_NULL_OBJECT_ID;
    }
}

sai_status_t
traffic_classify(const struct asic *asic, sai_object_id_t from,
                 sai_object_id_t to, uint8_t dscp, struct softasic_class *class)
{
    struct objects_item *in;
    struct objects_item *out = NULL;
    sai_status_t status = port_lookup_locate_port(asic, from, &in);

    if (status == SAI_STATUS_SUCCESS && to != SAI_NULL_OBJECT_ID) {
        status = port_lookup_locate_port(asic, to, &out);
    }
    if (status == SAI_STATUS_SUCCESS && dscp >= CLASSIFY_DSCPS) {
        status = SAI_STATUS_INVALID_PARAMETER;
    }
    if (status == SAI_STATUS_SUCCESS) {
        classify(asic, in, out,
                 &(struct classify_headers){(int8_t)dscp, -1, -1}, class);
    }
    return status;
}

/* Finds the ports of 'send'; '*to' is NULL if the address decides. */
static sai_status_t
check_send(const struct asic *asic, const struct softasic_send *send,
           struct objects_item **from, struct objects_item **to)
{
    sai_status_t status = port_lookup_locate_port(asic, send->from, from);

    *to = NULL;
    if (status == SAI_STATUS_SUCCESS && send->to != SAI_NULL_OBJECT_ID) {
        status = port_lookup_locate_port(asic, send->to, to);
    }
    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    if (send->from == send->to || send->dscp >= CLASSIFY_DSCPS ||
        send->ecn > MAX_ECN || send->until > SOFTASIC_UNTIL_DROP ||
        send->frame_bytes < SOFTASIC_FRAME_BYTES_MIN ||
        send->frame_bytes > SOFTASIC_FRAME_BYTES_MAX ||
        send->vlan > BRIDGE_MAX_VLAN || send->pcp >= PFC_N_PRIORITIES ||
        !sim_port_get(asic->sim, (*from)->handle)->admin_up) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    return SAI_STATUS_SUCCESS;
}

static bool
is_tagged(const struct softasic_send *send)
{
    return send->has_tag || send->vlan != 0;
}

/* Returns whether 'port' pauses its peer for the PG. */
static bool
is_pausing(const struct asic *asic, const struct objects_item *port,
           uint8_t pg_index)
{
    const uint8_t priorities = classify_pg_priorities(
        sim_port_rules(asic->sim, port->handle), pg_index);

    return (sim_port_get(asic->sim, port->handle)->pfc_tx_enabled &
            priorities) != 0 &&
           mmu_pg_is_xoff(asic->mmu,
                          mmu_pg_id(asic->mmu, port->handle, pg_index));
}

/* Sends until the event of 'send', and returns what ended the send. */
static enum softasic_until
send_until(struct asic *asic, const struct softasic_send *send,
           const struct objects_item *from, uint8_t pg_index,
           const struct sim_frame *frame, uint64_t *n_sent)
{
    static const unsigned int stops[] = {
        [SOFTASIC_UNTIL_COUNT] = 0,
        [SOFTASIC_UNTIL_XOFF] = SIM_STOP_XOFF,
        [SOFTASIC_UNTIL_DROP] = SIM_STOP_DROP,
    };
    struct sim_send_result result;
    enum st status;

    *n_sent = 0;
    for (;;) {
        if (send->until == SOFTASIC_UNTIL_XOFF &&
            is_pausing(asic, from, pg_index)) {
            return SOFTASIC_UNTIL_XOFF;
        }
        if (*n_sent == send->n_frames) {
            return SOFTASIC_UNTIL_COUNT;
        }
        /* If another priority group caused the pause, continue. */
        status =
            sim_send(asic->sim, from->handle, frame, send->n_frames - *n_sent,
                     stops[send->until], &result);
        orch_assert(status == ST_OK); /* Frame and port were checked. */
        *n_sent += result.sent;
        if (result.stops & stops[send->until] & SIM_STOP_DROP) {
            return SOFTASIC_UNTIL_DROP;
        }
    }
}

/* Fills in the packet of 'ip' and 'send'.  Returns false if they are not
 * valid. */
static bool
describe(const struct softasic_send *send, const struct softasic_ip *ip,
         const struct sim_frame *frame, struct packet *packet)
{
    *packet = (struct packet){
        .dst_mac = frame->dst_mac,
        .src_mac = frame->src_mac,
        .src = addresses_ip(&ip->source),
        .dst = addresses_ip(&ip->destination),
        .tag = send->vlan,
        .n_tags = is_tagged(send),
        .pcp = send->pcp,
        .ip_bytes = send->frame_bytes - PACKET_MIN_BYTES -
                    (is_tagged(send) ? PACKET_TAG_BYTES : 0),
        .class_byte = (uint8_t)(send->dscp << 2 | send->ecn),
        .ttl = ip->ttl,
        .protocol = ip->protocol,
        .has_ports = ip->protocol == PACKET_TCP || ip->protocol == PACKET_UDP,
        .src_port = ip->source_port,
        .dst_port = ip->destination_port,
    };
    packet->kind = packet->dst.family == ADDRESS_V4 ? PACKET_IPV4 : PACKET_IPV6;
    return !send->is_not_ip && packet->dst.family != ADDRESS_NONE &&
           packet->src.family == packet->dst.family;
}

sai_status_t
traffic_send_ip(struct asic *asic, const struct softasic_send *send,
                const struct softasic_ip *ip, struct softasic_sent *sent)
{
    struct objects_item *from;
    struct objects_item *to;
    struct softasic_class class;
    struct classify_headers headers;
    struct sim_frame frame = {0};
    struct packet packet;
    const sai_status_t status = check_send(asic, send, &from, &to);

    /* Classify by the current rules: time stands still until the frame
     * arrives. */
    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    headers = (struct classify_headers){
        .dscp = send->is_not_ip ? -1 : (int8_t)send->dscp,
        .exp = -1,
        .dot1p = is_tagged(send) ? (int8_t)send->pcp : -1,
    };
    classify(asic, from, to, &headers, &class);
    frame.dst_mac = to ? STATE_HOST_MAC | to->handle
                       : port_lookup_mac_number(send->destination);
    frame.src_mac = STATE_HOST_MAC | from->handle;
    frame.length_bytes = send->frame_bytes;
    frame.dscp = headers.dscp;
    frame.ecn = send->is_not_ip ? 0u : send->ecn & 3u;
    frame.ip_id = send->is_not_ip ? 0 : send->ip_id;
    frame.tag = send->vlan;
    frame.dot1p = send->pcp & 7u;
    frame.has = is_tagged(send) ? SIM_HAS_TAG : 0;
    if (ip) {
        if (!describe(send, ip, &frame, &packet)) {
            return SAI_STATUS_INVALID_PARAMETER;
        }
        frame.ttl = ip->ttl;
        frame.payload = sim_payload_describe(&packet);
    }

    memset(sent, 0, sizeof *sent);
    asic->n_dropped_ingress = 0;
    asic->n_dropped_egress = 0;
    sent->event =
        send_until(asic, send, from, class.pg_index, &frame, &sent->n_frames);
    sim_payload_unref(frame.payload);
    sent->n_dropped_ingress = asic->n_dropped_ingress;
    sent->n_dropped_egress = asic->n_dropped_egress;
    sent->pg = class.pg;
    sent->queue = class.queue;
    sent->xoff = mmu_pg_is_xoff(
        asic->mmu, mmu_pg_id(asic->mmu, from->handle, class.pg_index));
    sent->now_ps = sim_now_ps(asic->sim);
    return SAI_STATUS_SUCCESS;
}

/* Order --------------------------------------------------------------- */

sai_status_t
traffic_trace(struct asic *asic, sai_object_id_t port, uint32_t n_frames)
{
    struct objects_item *item;
    struct state_port *slot;
    const sai_status_t status = port_lookup_locate_port(asic, port, &item);

    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    if (n_frames > MAX_TRACED) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    slot = &asic->ports[item->handle];
    free(slot->traced);
    slot->traced =
        n_frames ? check_calloc(n_frames, sizeof *slot->traced) : NULL;
    slot->trace_size = n_frames;
    slot->n_traced = 0;
    return SAI_STATUS_SUCCESS;
}

sai_status_t
traffic_traced(struct asic *asic, sai_object_id_t port, uint32_t *n,
               struct softasic_departure *departures)
{
    struct objects_item *item;
    struct state_port *slot;
    uint32_t room = *n;
    const sai_status_t status = port_lookup_locate_port(asic, port, &item);

    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    slot = &asic->ports[item->handle];
    *n = slot->n_traced;
    if (room < slot->n_traced) {
        return SAI_STATUS_BUFFER_OVERFLOW;
    }
    if (*n) {
        memcpy(departures, slot->traced, *n * sizeof *departures);
    }
    slot->n_traced = 0;
    return SAI_STATUS_SUCCESS;
}

/* Pauses -------------------------------------------------------------- */

sai_status_t
traffic_pause(struct asic *asic, sai_object_id_t port,
              const struct softasic_pause *pause)
{
    struct pause_frame frame = {.kind = pause->all ? PAUSE_FRAME_ALL
                                                   : PAUSE_FRAME_PFC,
                                .priorities = pause->priorities};
    uint8_t bytes[PAUSE_FRAME_BYTES];

    for (int i = 0; i < PFC_N_PRIORITIES; i++) {
        frame.quanta[i] = pause->quanta;
    }
    pause_frame_build(&frame, port_lookup_mac_number(pause->source), bytes);
    return frames_inject(asic, port, sizeof bytes, bytes);
}

/* Addresses ----------------------------------------------------------- */

/* Returns the index of 'mac' among the added entries, 'n_macs' if absent. */
static size_t
find_mac(const struct asic *asic, uint64_t mac)
{
    size_t i = 0;

    while (i < asic->n_macs && asic->macs[i] != mac) {
        i++;
    }
    return i;
}

/* Entries of removed ports are gone already, which is not an error. */
static void
forget_entry(struct asic *asic, uint64_t mac)
{
    if (sim_fdb_remove(asic->sim, mac) != ST_OK) {
        return;
    }
}

/* Removes the entry for 'mac' if l2_set() has added one. */
static sai_status_t
l2_remove(struct asic *asic, uint64_t mac)
{
    const size_t i = find_mac(asic, mac);

    if (i < asic->n_macs) {
        forget_entry(asic, mac);
        asic->macs[i] = asic->macs[--asic->n_macs];
    }
    return SAI_STATUS_SUCCESS;
}

sai_status_t
traffic_l2_set(struct asic *asic, const sai_mac_t mac, sai_object_id_t port)
{
    const uint64_t number = port_lookup_mac_number(mac);
    struct objects_item *item;
    sai_status_t status;

    if ((mac[0] & 1) || (number & ~UINT64_C(0xffff)) == STATE_HOST_MAC) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    if (port == SAI_NULL_OBJECT_ID) {
        return l2_remove(asic, number);
    }
    status = port_lookup_locate_port(asic, port, &item);
    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    if (find_mac(asic, number) == asic->n_macs) {
        if (asic->n_macs == MAX_L2_ENTRIES) {
            return SAI_STATUS_INSUFFICIENT_RESOURCES;
        }
        asic->macs =
            check_realloc(asic->macs, (asic->n_macs + 1) * sizeof *asic->macs);
        asic->macs[asic->n_macs++] = number;
    }
    return sim_fdb_set(asic->sim, number, item->handle) == ST_OK
               ? SAI_STATUS_SUCCESS
               : SAI_STATUS_FAILURE;
}

sai_status_t
traffic_l2_clear(struct asic *asic)
{
    for (size_t i = 0; i < asic->n_macs; i++) {
        forget_entry(asic, asic->macs[i]);
    }
    asic->n_macs = 0;
    return SAI_STATUS_SUCCESS;
}
