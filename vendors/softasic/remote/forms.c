/* SPDX-License-Identifier: Apache-2.0 */

/* The forms, one row for each member of a structure. */

#include <config.h>

#include "vendors/softasic/remote/forms.h"

#include <inttypes.h>
#include <string.h>

#include "base/digest.h"
#include "base/text.h"
#include "vendors/softasic/softasic.h"

enum {
    MAX_MEMBERS = 24,
    MAX_TEXTS = 128,
};

/* Which values of a member are valid. */
enum part {
    PART_NUMBERS, /* Any bytes: numbers, or a structure of them. */
    PART_BOOL,
    PART_UNTIL,  /* enum softasic_until. */
    PART_PACE,   /* enum softasic_pace. */
    PART_FAMILY, /* An IP address, which begins with its family. */
    PART_TEXT,   /* A pointer to a static text. */
};

struct form {
    size_t size; /* Of the structure. */
    struct {
        uint16_t offset;
        uint16_t size; /* 0: there are no more. */
        enum part part;
        const char *name;
    } members[MAX_MEMBERS];
};

#define MEMBER(name, member, PART)                                             \
    {                                                                          \
        offsetof(struct softasic_##name, member),                              \
            sizeof(((struct softasic_##name *)NULL)->member), PART_##PART,     \
            #member                                                            \
    }

const struct form forms_chip = {
    sizeof(struct softasic_chip),
    {MEMBER(chip, name, TEXT), MEMBER(chip, memory_bytes, NUMBERS),
     MEMBER(chip, cell_bytes, NUMBERS), MEMBER(chip, overhead_bytes, NUMBERS),
     MEMBER(chip, n_partitions, NUMBERS), MEMBER(chip, n_ports_max, NUMBERS),
     MEMBER(chip, queues_per_port, NUMBERS),
     MEMBER(chip, pgs_per_port, NUMBERS)}};

const struct form forms_send = {
    sizeof(struct softasic_send),
    {MEMBER(send, from, NUMBERS), MEMBER(send, to, NUMBERS),
     MEMBER(send, destination, NUMBERS), MEMBER(send, n_frames, NUMBERS),
     MEMBER(send, frame_bytes, NUMBERS), MEMBER(send, dscp, NUMBERS),
     MEMBER(send, ecn, NUMBERS), MEMBER(send, until, UNTIL),
     MEMBER(send, has_tag, BOOL), MEMBER(send, vlan, NUMBERS),
     MEMBER(send, pcp, NUMBERS), MEMBER(send, is_not_ip, BOOL),
     MEMBER(send, ip_id, NUMBERS)}};

const struct form forms_sent = {
    sizeof(struct softasic_sent),
    {MEMBER(sent, n_frames, NUMBERS), MEMBER(sent, event, UNTIL),
     MEMBER(sent, n_dropped_ingress, NUMBERS),
     MEMBER(sent, n_dropped_egress, NUMBERS), MEMBER(sent, pg, NUMBERS),
     MEMBER(sent, queue, NUMBERS), MEMBER(sent, xoff, BOOL),
     MEMBER(sent, now_ps, NUMBERS)}};

const struct form forms_pause = {
    sizeof(struct softasic_pause),
    {MEMBER(pause, all, BOOL), MEMBER(pause, priorities, NUMBERS),
     MEMBER(pause, quanta, NUMBERS), MEMBER(pause, source, NUMBERS)}};

const struct form forms_departure = {
    sizeof(struct softasic_departure),
    {MEMBER(departure, now_ps, NUMBERS),
     MEMBER(departure, frame_bytes, NUMBERS), MEMBER(departure, dscp, NUMBERS),
     MEMBER(departure, ecn, NUMBERS), MEMBER(departure, queue_index, NUMBERS),
     MEMBER(departure, tc, NUMBERS), MEMBER(departure, vlan, NUMBERS),
     MEMBER(departure, ip_id, NUMBERS), MEMBER(departure, pcp, NUMBERS)}};

const struct form forms_ip = {
    sizeof(struct softasic_ip),
    {MEMBER(ip, source, FAMILY), MEMBER(ip, destination, FAMILY),
     MEMBER(ip, ttl, NUMBERS), MEMBER(ip, protocol, NUMBERS),
     MEMBER(ip, source_port, NUMBERS), MEMBER(ip, destination_port, NUMBERS)}};

const struct form forms_class = {
    sizeof(struct softasic_class),
    {MEMBER(class, tc, NUMBERS), MEMBER(class, pg_index, NUMBERS),
     MEMBER(class, queue_index, NUMBERS), MEMBER(class, pg, NUMBERS),
     MEMBER(class, queue, NUMBERS)}};

const struct form forms_pg_state = {
    sizeof(struct softasic_pg_state),
    {MEMBER(pg_state, xoff, BOOL), MEMBER(pg_state, lossless, BOOL),
     MEMBER(pg_state, reserved, NUMBERS), MEMBER(pg_state, shared, NUMBERS),
     MEMBER(pg_state, headroom, NUMBERS), MEMBER(pg_state, guarantee, NUMBERS),
     MEMBER(pg_state, limit, NUMBERS),
     MEMBER(pg_state, headroom_limit, NUMBERS),
     MEMBER(pg_state, n_received, NUMBERS),
     MEMBER(pg_state, n_dropped, NUMBERS)}};

const struct form forms_queue_state = {
    sizeof(struct softasic_queue_state),
    {MEMBER(queue_state, reserved, NUMBERS),
     MEMBER(queue_state, shared, NUMBERS),
     MEMBER(queue_state, guarantee, NUMBERS),
     MEMBER(queue_state, limit, NUMBERS),
     MEMBER(queue_state, n_frames, NUMBERS),
     MEMBER(queue_state, n_dropped, NUMBERS),
     MEMBER(queue_state, n_wred_dropped, NUMBERS),
     MEMBER(queue_state, n_marked, NUMBERS),
     MEMBER(queue_state, is_paused, BOOL),
     MEMBER(queue_state, has_delays, BOOL),
     MEMBER(queue_state, p50_delay_ps, NUMBERS),
     MEMBER(queue_state, p99_delay_ps, NUMBERS),
     MEMBER(queue_state, max_delay_ps, NUMBERS)}};

const struct form forms_pool_state = {
    sizeof(struct softasic_pool_state),
    {MEMBER(pool_state, size, NUMBERS),
     MEMBER(pool_state, headroom_size, NUMBERS),
     MEMBER(pool_state, shared_size, NUMBERS),
     MEMBER(pool_state, n_partitions, NUMBERS),
     MEMBER(pool_state, used, NUMBERS), MEMBER(pool_state, reserved, NUMBERS),
     MEMBER(pool_state, shared, NUMBERS),
     MEMBER(pool_state, headroom, NUMBERS)}};

const struct form forms_port_state = {
    sizeof(struct softasic_port_state),
    {MEMBER(port_state, up, BOOL), MEMBER(port_state, tx_enabled, BOOL),
     MEMBER(port_state, xoff_mask, NUMBERS),
     MEMBER(port_state, n_rx_frames, NUMBERS),
     MEMBER(port_state, n_tx_frames, NUMBERS),
     MEMBER(port_state, n_rx_dropped, NUMBERS),
     MEMBER(port_state, n_rx_filtered, NUMBERS),
     MEMBER(port_state, n_tx_dropped, NUMBERS),
     MEMBER(port_state, n_queued, NUMBERS),
     MEMBER(port_state, n_pfc_tx, NUMBERS),
     MEMBER(port_state, n_drops, NUMBERS)}};

const struct form forms_received = {
    sizeof(struct softasic_received),
    {MEMBER(received, dscp, NUMBERS), MEMBER(received, queue_index, NUMBERS),
     MEMBER(received, ce, BOOL), MEMBER(received, n_frames, NUMBERS),
     MEMBER(received, n_bytes, NUMBERS)}};

const struct form forms_gap = {sizeof(struct softasic_gap),
                               {MEMBER(gap, type, NUMBERS),
                                MEMBER(gap, attribute, NUMBERS),
                                MEMBER(gap, n, NUMBERS)}};

const struct form forms_peer = {
    sizeof(struct softasic_peer),
    {MEMBER(peer, cable_m, NUMBERS), MEMBER(peer, obeys_priorities, NUMBERS),
     MEMBER(peer, obeys_all, BOOL), MEMBER(peer, response_ps, NUMBERS),
     MEMBER(peer, n_hosts, NUMBERS)}};

const struct form forms_peer_state = {
    sizeof(struct softasic_peer_state),
    {MEMBER(peer_state, n_sent, NUMBERS),
     MEMBER(peer_state, n_received, NUMBERS),
     MEMBER(peer_state, n_pauses_sent, NUMBERS),
     MEMBER(peer_state, n_pauses_received, NUMBERS),
     MEMBER(peer_state, paused, NUMBERS),
     MEMBER(peer_state, all_paused, BOOL)}};

const struct form forms_flow = {sizeof(struct softasic_flow),
                                {MEMBER(flow, number, NUMBERS),
                                 MEMBER(flow, look.from, NUMBERS),
                                 MEMBER(flow, look.to, NUMBERS),
                                 MEMBER(flow, look.destination, NUMBERS),
                                 MEMBER(flow, look.n_frames, NUMBERS),
                                 MEMBER(flow, look.frame_bytes, NUMBERS),
                                 MEMBER(flow, look.dscp, NUMBERS),
                                 MEMBER(flow, look.ecn, NUMBERS),
                                 MEMBER(flow, look.until, UNTIL),
                                 MEMBER(flow, look.has_tag, BOOL),
                                 MEMBER(flow, look.vlan, NUMBERS),
                                 MEMBER(flow, look.pcp, NUMBERS),
                                 MEMBER(flow, look.is_not_ip, BOOL),
                                 MEMBER(flow, look.ip_id, NUMBERS),
                                 MEMBER(flow, pace, PACE),
                                 MEMBER(flow, bits_per_s, NUMBERS),
                                 MEMBER(flow, n_frames, NUMBERS),
                                 MEMBER(flow, delay_ps, NUMBERS),
                                 MEMBER(flow, n_burst, NUMBERS),
                                 MEMBER(flow, on_ps, NUMBERS),
                                 MEMBER(flow, off_ps, NUMBERS),
                                 MEMBER(flow, priority, NUMBERS),
                                 MEMBER(flow, from_host, NUMBERS),
                                 MEMBER(flow, to_host, NUMBERS)}};

const struct form forms_flow_state = {
    sizeof(struct softasic_flow_state),
    {MEMBER(flow_state, n_sent, NUMBERS),
     MEMBER(flow_state, n_received, NUMBERS),
     MEMBER(flow_state, n_received_bytes, NUMBERS),
     MEMBER(flow_state, n_marked, NUMBERS), MEMBER(flow_state, n_late, NUMBERS),
     MEMBER(flow_state, n_duplicates, NUMBERS),
     MEMBER(flow_state, min_ps, NUMBERS), MEMBER(flow_state, mean_ps, NUMBERS),
     MEMBER(flow_state, max_ps, NUMBERS), MEMBER(flow_state, p50_ps, NUMBERS),
     MEMBER(flow_state, p99_ps, NUMBERS), MEMBER(flow_state, first_ps, NUMBERS),
     MEMBER(flow_state, last_ps, NUMBERS)}};

const struct form forms_storm = {
    sizeof(struct softasic_storm),
    {MEMBER(storm, pause.all, BOOL), MEMBER(storm, pause.priorities, NUMBERS),
     MEMBER(storm, pause.quanta, NUMBERS), MEMBER(storm, pause.source, NUMBERS),
     MEMBER(storm, zero_source, BOOL), MEMBER(storm, interval_ps, NUMBERS),
     MEMBER(storm, n_frames, NUMBERS)}};

static uint64_t
digest_form(uint64_t digest, const struct form *form)
{
    for (size_t i = 0; i < MAX_MEMBERS && form->members[i].size; i++) {
        digest = digest_text(digest, form->members[i].name);
        digest = digest_bytes(digest, &form->members[i].size,
                              sizeof form->members[i].size);
    }
    return digest;
}

void
forms_name(char name[FORMS_NAME_BYTES])
{
    uint64_t digest = DIGEST_START;

#define OP(...) digest = digest_text(digest, #__VA_ARGS__);
#include "vendors/softasic/remote/ops.def"
#undef OP
#define X(structure) digest = digest_form(digest, &forms_##structure);
    FORMS_STRUCTURES(X)
#undef X
    (void)text_format(name, FORMS_NAME_BYTES, "softasic/%08" PRIx32,
                      (uint32_t)(digest ^ digest >> 32));
}

size_t
forms_size(const struct form *form)
{
    return form->size;
}

const char *
forms_get_text(struct wire_in *in)
{
    static char texts[MAX_TEXTS][FORMS_TEXT_BYTES];
    static size_t n_texts;
    char text[FORMS_TEXT_BYTES];

    wire_get_text(in, text, sizeof text);
    for (size_t i = 0; i < n_texts; i++) {
        if (!strcmp(texts[i], text)) {
            return texts[i];
        }
    }
    if (n_texts == MAX_TEXTS) {
        in->bad = true;
        return "";
    }
    memcpy(texts[n_texts], text, sizeof text);
    return texts[n_texts++];
}

void
forms_put(struct wire_out *out, const struct form *form, const void *from)
{
    for (size_t i = 0; i < MAX_MEMBERS && form->members[i].size; i++) {
        const void *member = (const char *)from + form->members[i].offset;

        if (form->members[i].part == PART_TEXT) {
            wire_put_text(out, *(const char *const *)member);
        } else {
            wire_put_bytes(out, member, form->members[i].size);
        }
    }
}

/* Returns whether the value of 'member' is valid. */
static bool
is_sound(enum part part, const void *member)
{
    uint32_t number = 0;
    uint8_t byte;

    switch (part) {
    case PART_BOOL:
        memcpy(&byte, member, sizeof byte);
        return byte <= 1;
    case PART_UNTIL:
        memcpy(&number, member, sizeof number);
        return number <= SOFTASIC_UNTIL_DROP;
    case PART_PACE:
        memcpy(&number, member, sizeof number);
        return number <= SOFTASIC_PACE_POISSON;
    case PART_FAMILY:
        memcpy(&number, member, sizeof number);
        return number <= SAI_IP_ADDR_FAMILY_IPV6;
    default:
        return true;
    }
}

void
forms_get(struct wire_in *in, const struct form *form, void *to)
{
    memset(to, 0, form->size);
    for (size_t i = 0; i < MAX_MEMBERS && form->members[i].size; i++) {
        char *member = (char *)to + form->members[i].offset;

        if (form->members[i].part == PART_TEXT) {
            *(const char **)(void *)member = forms_get_text(in);
            continue;
        }
        wire_get_bytes(in, member, form->members[i].size);
        if (!is_sound(form->members[i].part, member)) {
            memset(member, 0, form->members[i].size);
            in->bad = true;
        }
    }
}
