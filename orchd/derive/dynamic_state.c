/* SPDX-License-Identifier: Apache-2.0 */

/* Questions to the state of the model. */

#include <config.h>

#include "orchd/derive/dynamic_state.h"

#include <string.h>

#include "base/parse.h"
#include "orchd/derive/generated.h"
#include "orchd/intent/content.h"

enum {
    EIGHT_LANES = 8,
    FEWER_LANES = 4, /* Whatever is not eight: the formula asks no more. */
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

/* Returns a number that the schema has judged; 0 if it is not there. */
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

struct profile_facts
dynamic_state_profile(const struct dynamic_state *model, const char *name,
                      const struct generated_profiles *made)
{
    struct profile_facts facts = {.complete = true};
    const struct buffer_rows *row, *pool = NULL;
    const struct content *content;
    const char *type, *pool_name;

    if (!name) {
        return facts;
    }
    if (made) {
        facts.ingress = facts.lossless = true;
        facts.headroom = made->headroom;
        facts.complete = buffer_rows_find(&model->rows, TABLE_BUFFER_POOL,
                                          LOSSLESS_POOL) != NULL;
        return facts;
    }
    row = buffer_rows_find(&model->rows, TABLE_BUFFER_PROFILE, name);
    content = row ? buffer_rows_content(row) : NULL;
    pool_name =
        content ? content_find(content->fields, content->n, "pool") : NULL;
    if (pool_name) {
        pool = buffer_rows_find(&model->rows, TABLE_BUFFER_POOL, pool_name);
    }
    facts.complete = pool != NULL;
    if (!content) {
        return facts;
    }
    type = pool ? buffer_rows_field(pool, "type") : NULL;
    facts.ingress = type && strcmp(type, "egress") != 0;
    facts.lossless = content_find(content->fields, content->n, "xoff") != NULL;
    facts.headroom = dynamic_state_headroom_of(content);
    return facts;
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
