/* SPDX-License-Identifier: Apache-2.0 */

/* Reads 'srd' of a host. */

#include <config.h>

#include <libfyaml.h>

#include "lab/scenario/sections.h"

static const char *const choices[] = {
#define X(member, name) name,
    SRD_CHOICES(X)
#undef X
        NULL,
};

static const char *const orders[] = {
#define X(member, name) name,
    SRD_ORDERS(X)
#undef X
        NULL,
};

#define AT(member) offsetof(struct srd_spec, member)

static const struct field srd_fields[] = {
    {"mtu", FIELD_BYTES, AT(mtu_bytes), "64..8928", "8928", NULL},
    {"paths", FIELD_COUNT, AT(paths), "1..256", "64", NULL},
    {"entropies", FIELD_COUNT, AT(entropies), "1..4096", "128", NULL},
    {"choice", FIELD_WORD, AT(choice), NULL, "steered", choices},
    {"order", FIELD_WORD, AT(order), NULL, "deliver", orders},
    {"initial_packets", FIELD_COUNT, AT(initial_packets), "1..1024", "10",
     NULL},
    {"increase", FIELD_COUNT, AT(increase_packets), "0..1024", "1", NULL},
    {"decrease_shift", FIELD_COUNT, AT(decrease_shift), "1..16", "4", NULL},
    {"queue", FIELD_TIME, AT(queue_ps), "0..1s", "1us", NULL},
    {"avoid_percent", FIELD_COUNT, AT(avoid_percent), "101..10000", "150",
     NULL},
    {"return_percent", FIELD_COUNT, AT(return_percent), "100..10000", "120",
     NULL},
    {"probe_every", FIELD_COUNT, AT(probe_packets), "1..65536", "64", NULL},
    {"dead", FIELD_TIME, AT(dead_ps), "1ns..1s", "100ms", NULL},
    {"min_rto", FIELD_TIME, AT(min_rto_ps), "1ns..1s", "100us", NULL},
    {"first_rto", FIELD_TIME, AT(first_rto_ps), "1ns..1s", "1ms", NULL},
    {"depth", FIELD_COUNT, AT(send_depth), "1..32768", "16", NULL},
    {"copy", FIELD_RATE, AT(copy_bps), "0..3.2T", "0", NULL},
};

#undef AT

void
section_srd_init(struct reader *reader, struct srd_spec *srd)
{
    fields_init(reader, srd_fields, N_FIELDS(srd_fields), srd);
}

enum st
section_srd(struct reader *reader, struct fy_node *node, struct srd_spec *srd)
{
    const char *wrong = NULL;
    enum st st = fields_read(reader, node, "'srd'", srd_fields,
                             N_FIELDS(srd_fields), srd, NULL);

    if (st) {
        return st;
    }
    if (srd->entropies < srd->paths) {
        wrong = "'srd' needs at least as many 'entropies' as 'paths'";
    } else if (srd->return_percent > srd->avoid_percent) {
        wrong = "'return_percent' of 'srd' has to be 'avoid_percent' at most";
    } else if (srd->first_rto_ps < srd->min_rto_ps) {
        wrong = "'srd' needs min_rto <= first_rto";
    }
    return wrong
               ? document_fail(reader->document, node, reader->err, "%s", wrong)
               : ST_OK;
}
