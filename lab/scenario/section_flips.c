/* SPDX-License-Identifier: Apache-2.0 */

/* Reads 'flips' of traffic: where bits of data flip. */

#include <config.h>

#include <libfyaml.h>

#include "lab/scenario/sections.h"

#define AT(place) (TRAFFIC_FLIP_##place * sizeof(struct ratio))

static const struct field flips_fields[] = {
    {"client_memory", FIELD_RATIO, AT(CLIENT_MEMORY), "0..1", "0", NULL},
    {"client_nic", FIELD_RATIO, AT(CLIENT_NIC), "0..1", "0", NULL},
    {"switch", FIELD_RATIO, AT(SWITCH), "0..1", "0", NULL},
    {"server_nic", FIELD_RATIO, AT(SERVER_NIC), "0..1", "0", NULL},
    {"server_memory", FIELD_RATIO, AT(SERVER_MEMORY), "0..1", "0", NULL},
};

#undef AT

_Static_assert(sizeof flips_fields / sizeof flips_fields[0] ==
                   TRAFFIC_N_FLIP_PLACES,
               "all places are there");

enum st
section_flips(struct reader *reader, struct fy_node *node,
              struct ratio flips[TRAFFIC_N_FLIP_PLACES])
{
    double sum = 0;
    enum st st;

    fields_init(reader, flips_fields, N_FIELDS(flips_fields), flips);
    st = fields_read(reader, node, "'flips'", flips_fields,
                     N_FIELDS(flips_fields), flips, NULL);
    for (int i = 0; i < TRAFFIC_N_FLIP_PLACES; i++) {
        sum += (double)flips[i].numerator / (double)flips[i].denominator;
    }
    if (!st && sum > 1) {
        return document_fail(reader->document, node, reader->err,
                             "one bit of an I/O flips at most: 'flips' have to "
                             "be 1 or less together");
    }
    return st;
}
