/* SPDX-License-Identifier: Apache-2.0 */

/* Reads 'ssd' of a host: how long its disk takes. */

#include <config.h>

#include <libfyaml.h>

#include "lab/scenario/sections.h"

#define AT(member) offsetof(struct ssd_spec, member)

static const struct field ssd_fields[] = {
    {"channels", FIELD_COUNT, AT(channels), "1..256", "32", NULL},
    {"read_latency", FIELD_TIME, AT(latency_ps[0]), "0..1s", "100us", NULL},
    {"write_latency", FIELD_TIME, AT(latency_ps[1]), "0..1s", "100us", NULL},
    {"spread", FIELD_RATIO, AT(spread), "0..1", "0.3", NULL},
    {"read_rate", FIELD_RATE, AT(rate_bps[0]), "1M..3.2T", "24G", NULL},
    {"write_rate", FIELD_RATE, AT(rate_bps[1]), "1M..3.2T", "24G", NULL},
};

#undef AT

enum st
section_ssd(struct reader *reader, struct fy_node *node, struct ssd_spec *ssd)
{
    bool is_on = true;
    enum st st = fields_on_off(reader, node, "'ssd'", &is_on);

    if (st || !is_on) {
        *ssd = (struct ssd_spec){.enabled = false};
        return st;
    }
    if (!ssd->enabled) {
        fields_init(reader, ssd_fields, N_FIELDS(ssd_fields), ssd);
        ssd->enabled = true;
    }
    return fy_node_is_mapping(node)
               ? fields_read(reader, node, "'ssd'", ssd_fields,
                             N_FIELDS(ssd_fields), ssd, NULL)
               : ST_OK;
}
