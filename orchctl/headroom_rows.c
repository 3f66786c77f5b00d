/* SPDX-License-Identifier: Apache-2.0 */

/* Builds rows as JSON objects of strings. */

#include <config.h>

#include "orchctl/headroom_rows.h"

#include <inttypes.h>

#include "base/text.h"
#include "orchd/derive/port_state.h"

#define INGRESS_POOL "ingress_lossless_pool"
#define EGRESS_POOL  "egress_lossless_pool"
#define EGRESS_QUEUE "egress_lossless_profile"

enum { KEY_SIZE = 48 };

/* Returns a row of a table; creates row and table if they do not exist. */
static json_t *
row_of(json_t *tables, const char *table, const char *key)
{
    json_t *rows = json_object_get(tables, table);
    json_t *row = json_object_get(rows, key);

    if (!rows) {
        rows = json_object();
        json_object_set_new(tables, table, rows);
    }
    if (!row) {
        row = json_object();
        json_object_set_new(rows, key, row);
    }
    return row;
}

static void
set_text(json_t *row, const char *field, const char *value)
{
    json_object_set_new(row, field, json_string(value));
}

static void
set_number(json_t *row, const char *field, int64_t value)
{
    char text[KEY_SIZE];

    text_format(text, sizeof text, "%" PRId64, value);
    set_text(row, field, text);
}

static void
emit_pools(json_t *tables, const struct plan_answer *answer)
{
    json_t *pool = row_of(tables, "BUFFER_POOL", INGRESS_POOL);
    json_t *profile = row_of(tables, "BUFFER_PROFILE", EGRESS_QUEUE);

    set_text(pool, "type", "ingress");
    set_text(pool, "mode", "dynamic");
    set_number(pool, "size", (int64_t)answer->pool_size_bytes);
    if (answer->pool_xoff_bytes) {
        set_number(pool, "xoff", (int64_t)answer->pool_xoff_bytes);
    }
    /* Only ingress limits the admission of lossless traffic. */
    pool = row_of(tables, "BUFFER_POOL", EGRESS_POOL);
    set_text(pool, "type", "egress");
    set_text(pool, "mode", "static");
    set_number(pool, "size", (int64_t)answer->memory_bytes);
    set_text(profile, "pool", EGRESS_POOL);
    set_number(profile, "size", 0);
    set_number(profile, "static_th", (int64_t)answer->memory_bytes);
}

static void
emit_profile(json_t *tables, const struct plan_question *question,
             const struct plan_group_answer *answer, const char *name,
             int dynamic_th)
{
    const struct chip *chip = question->chip;
    json_t *row = row_of(tables, "BUFFER_PROFILE", name);
    uint64_t size = answer->guarantee_bytes;

    if (chip->pg_guarantee == CHIP_GUARANTEE_SIZE_MINUS_XOFF) {
        size += answer->xoff_bytes;
    }
    set_text(row, "pool", INGRESS_POOL);
    set_number(row, "size", (int64_t)size);
    set_number(row, "xon", (int64_t)answer->headroom.xon);
    set_number(row, "xoff", (int64_t)answer->xoff_bytes);
    if (chip->xon != CHIP_XON_ABSOLUTE) {
        set_number(row, "xon_offset", (int64_t)answer->headroom.xon);
    }
    set_number(row, "dynamic_th", dynamic_th);
}

/* Adds the rows of one port: its cable length, lossless groups and queues. */
static void
emit_port(json_t *tables, const char *port, const char *cable,
          const char *profile, uint32_t priorities)
{
    struct run runs[32];
    size_t n = runs_of_mask(priorities, runs);

    set_text(row_of(tables, "CABLE_LENGTH", "AZURE"), port, cable);
    for (size_t i = 0; i < n; i++) {
        char key[KEY_SIZE];

        text_format(key, sizeof key, "%s|%u", port, runs[i].first);
        if (runs[i].last > runs[i].first) {
            text_format(key, sizeof key, "%s|%u-%u", port, runs[i].first,
                        runs[i].last);
        }
        set_text(row_of(tables, "BUFFER_PG", key), "profile", profile);
        set_text(row_of(tables, "BUFFER_QUEUE", key), "profile", EGRESS_QUEUE);
    }
}

static void
emit_ecn(json_t *tables, const struct plan_answer *answer)
{
    json_t *row = row_of(tables, "WRED_PROFILE", "AZURE_LOSSLESS");

    set_text(row, "ecn", "ecn_all");
    set_text(row, "wred_green_enable", "true");
    set_number(row, "green_min_threshold", (int64_t)answer->kmin_bytes);
    set_number(row, "green_max_threshold", (int64_t)answer->pfc_bytes);
    set_number(row, "green_drop_probability", 100);
}

json_t *
headroom_rows(const struct plan_question *question,
              const struct plan_answer *answer, int dynamic_th,
              uint32_t priorities)
{
    json_t *tables = json_object();
    uint32_t lane = 0;

    emit_pools(tables, answer);
    for (size_t i = 0; i < question->n_groups; i++) {
        const struct plan_group *group = &question->groups[i];
        struct profile_label label = {.speed_mbps = group->port.speed_mbps,
                                      .cable_m = group->port.cable_m,
                                      .mtu = group->port.mtu,
                                      .eight_lanes = group->port.lanes == 8};
        char name[PROFILE_NAME_SIZE], cable[KEY_SIZE];

        profile_label_name(&label, name);
        text_format(cable, sizeof cable, "%um", group->port.cable_m);
        emit_profile(tables, question, &answer->groups[i], name, dynamic_th);
        for (uint32_t j = 0; j < group->n_ports; j++) {
            char port[KEY_SIZE];

            text_format(port, sizeof port, "Ethernet%u", lane);
            emit_port(tables, port, cable, name, priorities);
            lane += group->port.lanes;
        }
    }
    if (answer->kmin_bytes) {
        emit_ecn(tables, answer);
    }
    return tables;
}
