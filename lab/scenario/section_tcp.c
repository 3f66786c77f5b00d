/* SPDX-License-Identifier: Apache-2.0 */

/* Reads 'tcp' of a host. */

#include <config.h>

#include <libfyaml.h>

#include "lab/scenario/sections.h"

static const char *const controls[] = {
#define X(member, name) name,
    TCP_CONTROLS(X)
#undef X
        NULL,
};

static const char *const detections[] = {
#define X(member, name) name,
    TCP_DETECTIONS(X)
#undef X
        NULL,
};

#define AT(member) offsetof(struct tcp_spec, member)

/* Bit of 'ecn' in what fields_read() has seen: its place in the table. */
#define SEEN_ECN UINT64_C(1)

static const struct field tcp_fields[] = {
    {"ecn", FIELD_BOOL, AT(ecn), NULL, "false", NULL},
    {"control", FIELD_WORD, AT(control), NULL, "cubic", controls},
    {"loss", FIELD_WORD, AT(detection), NULL, "sack", detections},
    {"mss", FIELD_BYTES, AT(mss_bytes), "64..9160", "1460", NULL},
    {"window", FIELD_BYTES, AT(window_bytes), "4KiB..1GiB", "4MiB", NULL},
    {"initial_window", FIELD_COUNT, AT(initial_segments), "1..1000", "10",
     NULL},
    {"count_limit", FIELD_COUNT, AT(abc_segments), "0..1000", "0", NULL},
    {"min_rto", FIELD_TIME, AT(min_rto_ps), "1us..10s", "200ms", NULL},
    {"max_rto", FIELD_TIME, AT(max_rto_ps), "1us..200s", "120s", NULL},
    {"first_rto", FIELD_TIME, AT(first_rto_ps), "1us..100s", "1s", NULL},
    {"handshake", FIELD_TIME, AT(handshake_ps), "0..1s", "0", NULL},
    {"ack_every", FIELD_COUNT, AT(ack_every), "1..65535", "2", NULL},
    {"ack_delay", FIELD_TIME, AT(ack_delay_ps), "0..1s", "40ms", NULL},
    {"quick_acks", FIELD_COUNT, AT(quick_acks), "0..1000", "0", NULL},
    {"tso", FIELD_BYTES, AT(tso_bytes), "0..256KiB", "64KiB", NULL},
};

#undef AT

void
section_tcp_init(struct reader *reader, struct tcp_spec *tcp)
{
    fields_init(reader, tcp_fields, N_FIELDS(tcp_fields), tcp);
}

enum st
section_tcp(struct reader *reader, struct fy_node *node, struct tcp_spec *tcp)
{
    const char *wrong = NULL;
    uint64_t seen = 0;
    enum st st = fields_read(reader, node, "'tcp'", tcp_fields,
                             N_FIELDS(tcp_fields), tcp, &seen);

    if (st) {
        return st;
    }
    if (tcp->window_bytes < 2 * tcp->mss_bytes) {
        wrong = "'window' has to be twice 'mss' or more";
    } else if (tcp->min_rto_ps > tcp->first_rto_ps ||
               tcp->first_rto_ps > tcp->max_rto_ps) {
        wrong = "'tcp' needs min_rto <= first_rto <= max_rto";
    } else if ((seen & SEEN_ECN) && !tcp->ecn &&
               tcp->control == TCP_CONTROL_DCTCP) {
        wrong = "'control: dctcp' always uses ECN: remove 'ecn: false', or "
                "choose reno or cubic";
    }
    return wrong
               ? document_fail(reader->document, node, reader->err, "%s", wrong)
               : ST_OK;
}
