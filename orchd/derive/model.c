/* SPDX-License-Identifier: Apache-2.0 */

/* Questions to the state of the model. */

#include <config.h>

#include "orchd/derive/model.h"

#include <string.h>

#include "base/parse.h"
#include "orchd/derive/generated.h"

enum {
    EIGHT_LANES = 8,
    FEWER_LANES = 4, /* Whatever is not eight: the formula asks no more. */
};

bool
model_shares(const struct model *model)
{
    return model->platform->headroom->always_shared ||
           shp_mode(model->configured_xoff, model->ratio) != SHP_OFF;
}

struct headroom_rules
model_rules(const struct model *model)
{
    return (struct headroom_rules){.formula = model->platform->headroom,
                                   .asic = model->chip.asic,
                                   .traffic = model->traffic};
}

/* Returns a number that the schema has judged; 0 if it is not there. */
static uint64_t
number_of(const struct known *row, const char *field)
{
    const char *text = known_field(row, field);
    uint64_t value = 0;

    if (text && parse_u64(text, 0, INT64_MAX, &value)) {
        value = 0;
    }
    return value;
}

struct profile_facts
model_profile(const struct model *model, const char *name,
              const struct made *made)
{
    struct profile_facts facts = {.complete = true};
    const struct known *row, *pool = NULL;
    const char *type;

    if (!name) {
        return facts;
    }
    if (made) {
        facts.ingress = facts.lossless = true;
        facts.headroom = made->headroom;
        facts.complete =
            known_find(&model->rows, TABLE_BUFFER_POOL, LOSSLESS_POOL) != NULL;
        return facts;
    }
    row = known_find(&model->rows, TABLE_BUFFER_PROFILE, name);
    if (row && known_field(row, "pool")) {
        pool = known_find(&model->rows, TABLE_BUFFER_POOL,
                          known_field(row, "pool"));
    }
    facts.complete = pool != NULL;
    if (!row) {
        return facts;
    }
    type = pool ? known_field(pool, "type") : NULL;
    facts.ingress = type && strcmp(type, "egress") != 0;
    facts.lossless = known_field(row, "xoff") != NULL;
    facts.headroom = (struct headroom){.size = number_of(row, "size")};
    if (facts.lossless) {
        facts.headroom.xon = number_of(row, "xon");
        facts.headroom.xoff = number_of(row, "xoff");
    }
    return facts;
}

void
model_headroom(const struct model *model, const struct profile_label *label,
               bool eight, struct headroom *headroom, struct terms *terms)
{
    const struct headroom_rules rules = model_rules(model);
    const struct headroom_port port = {
        .speed_mbps = label->speed_mbps,
        .cable_m = label->cable_m,
        .mtu = label->mtu,
        .lanes = eight ? EIGHT_LANES : FEWER_LANES,
        .gearbox_ns = model->chip.gearbox_ns,
    };

    headroom_compute(&rules, &port, model_shares(model), headroom, terms);
}
