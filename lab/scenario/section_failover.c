/* SPDX-License-Identifier: Apache-2.0 */

/* Reads 'failover' of traffic: how connections change between RDMA and TCP. */

#include <config.h>

#include <libfyaml.h>

#include "lab/scenario/sections.h"

#define AT(member) offsetof(struct failover_spec, member)

static const struct field failover_fields[] = {
    {"at", FIELD_TIME, AT(at_ps), "0..inf", "inf", NULL},
    {"back", FIELD_TIME, AT(back_ps), "0..inf", "inf", NULL},
    {"every", FIELD_TIME, AT(every_ps), "1us..100s", "1ms", NULL},
    {"share", FIELD_RATIO, AT(share), "1/1000000..1", "10%", NULL},
    {"most", FIELD_RATIO, AT(most), "0..1", "1", NULL},
    {"setup", FIELD_TIME, AT(setup_ps), "0..10s", "100us", NULL},
    {"timeout", FIELD_TIME, AT(timeout_ps), "1us..inf", "inf", NULL},
    {"heal", FIELD_TIME, AT(heal_ps), "0..inf", "inf", NULL},
    {"hold", FIELD_RATIO, AT(hold), "0..1", "1", NULL},
    {"priority", FIELD_COUNT, AT(priority), "0..7", "0", NULL},
};

#undef AT

enum st
section_failover(struct reader *reader, struct fy_node *node,
                 struct failover_spec *failover)
{
    enum st st;

    fields_init(reader, failover_fields, N_FIELDS(failover_fields), failover);
    failover->enabled = true;
    st = fields_read(reader, node, "'failover'", failover_fields,
                     N_FIELDS(failover_fields), failover, NULL);
    if (!st && failover->back_ps != QUANTITY_INFINITE &&
        failover->back_ps <= failover->at_ps) {
        return document_fail(reader->document, node, reader->err,
                             "connections go 'back' after they have gone to "
                             "TCP: 'back' has to be later than 'at'");
    }
    return st;
}
