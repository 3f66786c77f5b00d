/* SPDX-License-Identifier: Apache-2.0 */

/* Reads link-level retry of a link. */

#include <config.h>

#include <libfyaml.h>

#include "base/arena.h"
#include "lab/scenario/sections.h"

static const char *const actions[] = {
#define X(member, name) name,
    LLR_ACTIONS(X)
#undef X
        NULL,
};

#define AT(member) offsetof(struct llr_spec, member)

static const struct field llr_fields[] = {
    {"window", FIELD_BYTES, AT(window_bytes), "0..4GB", "0", NULL},
    {"frames", FIELD_COUNT, AT(window_frames), "1..524288", "524288", NULL},
    {"timer", FIELD_TIME, AT(timer_ps), "0..65535ns", "0", NULL},
    {"replays", FIELD_COUNT, AT(replays), "1..255", "255", NULL},
    {"spacing", FIELD_BYTES, AT(spacing_bytes), "400B..16384B", "2048B", NULL},
    {"init", FIELD_WORD, AT(in_init), NULL, "best_effort", actions},
    {"flush", FIELD_WORD, AT(in_flush), NULL, "best_effort", actions},
    {"reinit", FIELD_BOOL, AT(reinit), NULL, "true", NULL},
};

#undef AT

/* The longest frame of a fabric with FCS: below that, none is accepted. */
enum { LEAST_WINDOW_BYTES = 9216 + 4 };

enum st
section_llr(struct reader *reader, struct fy_node *node,
            const struct llr_spec **made)
{
    struct llr_spec *llr = arena_alloc(reader->arena, 1, sizeof *llr);
    bool is_on = false;
    enum st st = fields_on_off(reader, node, "'llr'", &is_on);

    fields_init(reader, llr_fields, N_FIELDS(llr_fields), llr);
    *made = is_on ? llr : NULL;
    if (!st && fy_node_is_mapping(node)) {
        st = fields_read(reader, node, "'llr'", llr_fields,
                         N_FIELDS(llr_fields), llr, NULL);
    }
    if (!st && llr->window_bytes && llr->window_bytes < LEAST_WINDOW_BYTES) {
        st = document_fail(reader->document, node, reader->err,
                           "'window' of %lld bytes lets no frame pass; allowed "
                           "is 0, or %d (the longest frame with FCS) and more",
                           (long long)llr->window_bytes, LEAST_WINDOW_BYTES);
    }
    return st;
}

enum st
section_check_errors(struct reader *reader, struct fy_node *node)
{
    struct fy_node *burst =
        fy_node_mapping_lookup_by_string(node, "burst", FY_NT);

    if (!burst || fy_node_mapping_lookup_by_string(node, "ber", FY_NT)) {
        return ST_OK;
    }
    return document_fail(reader->document, burst, reader->err,
                         "'burst' says how long bursts of bit errors are, but "
                         "without 'ber' there are none");
}
