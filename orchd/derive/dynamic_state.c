/* SPDX-License-Identifier: Apache-2.0 */

/* Queries of the state of the dynamic model. */

#include <config.h>

#include "orchd/derive/dynamic_state.h"

#include <string.h>

#include "base/parse.h"
#include "orchd/derive/generated_profile.h"
#include "orchd/intent/content.h"

enum {
    EIGHT_LANES = 8,
    FEWER_LANES = 4, /* Anything but 8: the formula makes no other
                      * distinction. */
};

bool
dynamic_state_shares(const struct dynamic_state *model)
{
    return model->platform->headroom->always_shared ||
           shp_mode(model->configured_xoff, model->ratio) != SHP_OFF;
}

struct headroom_rules
dynamic_state_rules(const struct dynamic_state *model)
{
    return (struct headroom_rules){.formula = model->platform->headroom,
                                   .asic = model->chip.asic,
                                   .traffic = model->traffic};
}

/* Returns a number that the schema has validated; 0 if the field is absent. */
static uint64_t
number_of(const struct content *content, const char *field)
{
    const char *text = content_find(content->fields, content->n, field);
    uint64_t value = 0;

    if (text && parse_u64(text, 0, INT64_MAX, &value)) {
        value = 0;
    }
    return value;
}

struct headroom
dynamic_state_headroom_of(const struct content *content)
{
    struct headroom headroom = {.size = number_of(content, "size")};

    if (content_find(content->fields, content->n, "xoff")) {
        headroom.xon = number_of(content, "xon");
        headroom.xoff = number_of(content, "xoff");
    }
    return headroom;
}

struct profile_summary
dynamic_state_profile(const struct dynamic_state *model, const char *name,
                      const struct generated_profile *generated)
{
    struct profile_summary summary = {.complete = true};
    const struct buffer_row *row, *pool = NULL;
    const struct content *content;
    const char *type, *pool_name;

    if (!name) {
        return summary;
    }
    if (generated) {
        summary.ingress = summary.lossless = true;
        summary.headroom = generated->headroom;
        summary.complete = buffer_rows_find(&model->rows, TABLE_BUFFER_POOL,
                                            LOSSLESS_POOL) != NULL;
        return summary;
    }
    row = buffer_rows_find(&model->rows, TABLE_BUFFER_PROFILE, name);
    content = row ? buffer_rows_content(row) : NULL;
    pool_name =
        content ? content_find(content->fields, content->n, "pool") : NULL;
    if (pool_name) {
        pool = buffer_rows_find(&model->rows, TABLE_BUFFER_POOL, pool_name);
    }
    summary.complete = pool != NULL;
    if (!content) {
        return summary;
    }
    type = pool ? buffer_rows_field(pool, "type") : NULL;
    summary.ingress = type && strcmp(type, "egress") != 0;
    summary.lossless =
        content_find(content->fields, content->n, "xoff") != NULL;
    summary.headroom = dynamic_state_headroom_of(content);
    return summary;
}

void
dynamic_state_headroom(const struct dynamic_state *model,
                       const struct profile_label *label, bool eight,
                       struct headroom *headroom, struct terms *terms)
{
    const struct headroom_rules rules = dynamic_state_rules(model);
    const struct headroom_port port = {
        .speed_mbps = label->speed_mbps,
        .cable_m = label->cable_m,
        .mtu = label->mtu,
        .lanes = eight ? EIGHT_LANES : FEWER_LANES,
        .gearbox_ns = model->chip.gearbox_ns,
    };

    headroom_compute(&rules, &port, dynamic_state_shares(model), headroom,
                     terms);
}
