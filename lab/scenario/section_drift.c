/* SPDX-License-Identifier: Apache-2.0 */

/* Reads 'drift:'. */

#include <config.h>

#include "lab/scenario/sections.h"

#define AT(member) offsetof(struct drift_spec, member)

static const struct field drift_fields[] = {
    {"switches", FIELD_COUNT, AT(switches), "0..8192", "1", NULL},
    {"at", FIELD_TIME, AT(at_ps), "1ns..1000s", field_required, NULL},
    {"audit", FIELD_TIME, AT(audit_ps), "1ns..1000s", field_required, NULL},
};

#undef AT

enum st
section_drift(struct reader *reader, struct fy_node *node,
              struct scenario *scenario)
{
    struct drift_spec *drift = &scenario->drift;
    enum st st;

    *drift = (struct drift_spec){0};
    if (!node) {
        return ST_OK;
    }
    fields_init(reader, drift_fields, N_FIELDS(drift_fields), drift);
    drift->place = fields_place(reader, node);
    st = fields_read(reader, node, "'drift'", drift_fields,
                     N_FIELDS(drift_fields), drift, NULL);
    if (!st && (drift->audit_ps <= drift->at_ps ||
                drift->audit_ps >= scenario->stop_ps)) {
        st = document_fail(reader->document, node, reader->err,
                           "'audit' is after 'at', and before the run ends "
                           "('stop')");
    }
    return st;
}
