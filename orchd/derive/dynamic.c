/* SPDX-License-Identifier: Apache-2.0 */

/* Ports and their groups.
 *
 * A port is worked out as a whole: what each of its groups wishes, which of the
 * wishes it has room for, and what it then contributes to the pools.  A wish
 * that is granted is exchanged with what the place had, so that whatever is
 * left in the wishes at the end is let go, and a profile that is in both is
 * never seen to go. */

#include <config.h>

#include "orchd/derive/dynamic.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/parse.h"
#include "base/text.h"
#include "orchd/derive/generated_profiles.h"
#include "orchd/derive/headroom_check.h"
#include "orchd/derive/pool_sizing.h"
#include "orchd/derive/pool_users.h"
#include "orchd/derive/port_inputs.h"
#include "orchd/derive/port_state.h"
#include "orchd/derive/profile_growth.h"
#include "orchd/derive/shut_ports.h"

enum { EIGHT_LANES = 8 };

/* What a place asks for. */
struct wish {
    struct place *place;
    char *name; /* Owned; NULL: nothing. */
    struct generated_profiles *made;
    bool eight;
    bool zero;
    bool settled; /* Granted, or impossible. */
    bool changed; /* What is bound, or the error, is another one. */
    struct profile_label label;
    struct err err; /* If its status is not ST_OK: why it was not granted. */
};

void
dynamic_init(struct dynamic_state *model, struct port_inputs *facts,
             struct outcomes *outcomes)
{
    *model = (struct dynamic_state){.facts = facts,
                                    .outcomes = outcomes,
                                    .platform = platform_find(NULL),
                                    .traffic = HEADROOM_TRAFFIC_DEFAULT};
}

/* Empties 'place', which wishes for nothing any more. */
static void
place_clear(struct dynamic_state *model, struct place *place)
{
    if (place->made) {
        generated_profiles_unref(model, place->made, place->eight);
    }
    free(place->name);
    free(place->err);
    place->name = NULL;
    place->made = NULL;
    place->err = NULL;
    place->zero = false;
}

static void
clear_places(struct dynamic_state *model, struct buffer_rows *known)
{
    for (size_t i = 0; i < known->n_places; i++) {
        place_clear(model, &known->places[i]);
    }
}

void
dynamic_fini(struct dynamic_state *model)
{
    for (struct buffer_rows *known = model->rows.all; known;
         known = known->hh.next) {
        clear_places(model, known);
    }
    shut_ports_fini(model);
    buffer_rows_fini(&model->rows);
    free(model->completed);
}

/* --- Rows in ------------------------------------------------------------ */

/* Whether the model completes 'known': rows of some tables always, of others
 * while they are on a port that is shut. */
static bool
completes(const struct buffer_rows *known)
{
    bool zero = false;

    for (size_t i = 0; i < known->n_places; i++) {
        zero |= known->places[i].zero;
    }
    return zero || known->table == TABLE_BUFFER_PG ||
           known->table == TABLE_BUFFER_PROFILE ||
           known->table == TABLE_BUFFER_POOL;
}

/* Marks the ports with a row that refers to the profile 'name', or (NULL) to
 * any. */
static void
mark_users(struct dynamic_state *model, const char *name)
{
    for (struct buffer_rows *row = model->rows.all; row; row = row->hh.next) {
        const char *profile = buffer_rows_field(row, "profile");
        const char *list = buffer_rows_field(row, "profile_list");
        bool refers = !name || (profile && !strcmp(profile, name)) ||
                      (list && strstr(list, name));

        for (size_t i = 0; i < row->n_places && refers; i++) {
            port_inputs_mark(model->facts, row->places[i].port);
        }
    }
}

/* Takes over what the lossless pool says about all. */
static void
read_lossless_pool(struct dynamic_state *model, const struct row *row)
{
    const char *xoff = row_field(row, "xoff");
    const char *mode = row_field(row, "mode");
    bool static_pool = mode && !strcmp(mode, "static");
    uint64_t bytes = 0;

    if (xoff && parse_u64(xoff, 0, INT64_MAX, &bytes) != ST_OK) {
        bytes = 0;
    }
    if (bytes != model->configured_xoff || static_pool != model->static_pool) {
        model->configured_xoff = bytes;
        model->static_pool = static_pool;
        model->refresh = true;
    }
}

/* Marks whatever a change of a profile or a pool touches. */
static void
mark_dependants(struct dynamic_state *model, const struct row *row)
{
    if (row->table == TABLE_BUFFER_PROFILE) {
        mark_users(model, row->key);
    } else if (row->table == TABLE_BUFFER_POOL) {
        mark_users(model, NULL);
        shut_ports_review(model);
        model->resize = true;
        if (!strcmp(row->key, LOSSLESS_POOL)) {
            read_lossless_pool(model, row);
        }
    }
}

static void
put_default(struct dynamic_state *model, const struct row *row)
{
    const char *alpha = row_field(row, "default_dynamic_th");
    const char *ratio = row_field(row, "over_subscribe_ratio");
    int64_t threshold = 0;
    uint64_t number = 0;

    model->has_alpha =
        alpha && parse_s64(alpha, INT32_MIN, INT32_MAX, &threshold) == ST_OK;
    model->alpha = (int)threshold;
    if (ratio && parse_u64(ratio, 0, UINT32_MAX, &number) != ST_OK) {
        number = 0;
    }
    model->ratio = (uint32_t)number;
    model->refresh = true;
}

static void
put_traffic(struct dynamic_state *model, const struct row *row)
{
    const char *mtu = row_field(row, "mtu");
    const char *percent = row_field(row, "small_packet_percentage");
    const struct headroom_traffic absent = HEADROOM_TRAFFIC_DEFAULT;
    uint64_t number;

    model->traffic = absent;
    if (mtu && parse_u64(mtu, 1, UINT16_MAX, &number) == ST_OK) {
        model->traffic.mtu = (uint32_t)number;
    }
    if (percent && parse_u64(percent, 0, 100, &number) == ST_OK) {
        model->traffic.small_percent = (uint32_t)number;
    }
    model->refresh = true;
}

bool
dynamic_put_row(struct dynamic_state *model, const struct row *row)
{
    struct buffer_rows *known =
        buffer_rows_find(&model->rows, row->table, row->key);

    if (row->table == TABLE_DEFAULT_LOSSLESS_BUFFER_PARAMETER) {
        put_default(model, row);
        return false;
    }
    if (row->table == TABLE_LOSSLESS_TRAFFIC_PATTERN) {
        put_traffic(model, row);
        return false;
    }
    if (!model->on && !known) {
        /* Nothing of it is kept while the model is off: see dynamic_switch().
         * What the lossless pool says concerns the traditional model too. */
        if (row->table == TABLE_BUFFER_POOL &&
            !strcmp(row->key, LOSSLESS_POOL)) {
            read_lossless_pool(model, row);
        }
        return false;
    }
    if (!row->present || !row->effective) {
        if (known) {
            clear_places(model, known);
            buffer_rows_remove(&model->rows, model->facts, known);
            mark_dependants(model, row);
        }
        return false;
    }
    known = row->table == TABLE_BUFFER_PROFILE
                ? profile_growth_put(model, row)
                : buffer_rows_put(&model->rows, model->facts, row);
    if (row->table == TABLE_BUFFER_POOL && row_field(row, "size") &&
        strcmp(row->key, LOSSLESS_POOL) != 0) {
        buffer_rows_reset(known); /* It is the user's from now on. */
    }
    mark_dependants(model, row);
    if (!completes(known) || !(model->on || known->instead)) {
        return false;
    }
    buffer_rows_mark(&model->rows, known);
    return true;
}

void
dynamic_switch(struct dynamic_state *model, bool on)
{
    model->on = on;
    model->wants_rows = on;
    model->refresh = true;
    profile_growth_end(model);
    for (struct buffer_rows *pool = model->rows.pools; pool;
         pool = pool->next_pool) {
        pool->unexplained = true;
    }
    for (struct buffer_rows *row = model->rows.all; row; row = row->hh.next) {
        if (completes(row)) {
            buffer_rows_mark(&model->rows, row);
        }
        if (!on) {
            clear_places(model, row);
        }
    }
}

/* --- What a group wishes ------------------------------------------------ */

/* Explains why no profile can be generated for 'port'. */
static enum st
check_port(const struct dynamic_state *model, const struct port_facts *port,
           const struct saying *other, bool has_cable, struct err *err)
{
    if (other) {
        port_facts_contradict(port, other, err);
        return ST_INVALID;
    }
    if (!model->chip.known) {
        err_set(err, ST_NOT_FOUND, "no-asic-table",
                "the sizes of cells and pipelines of this chip are not known");
        err_set_remedy(err, "name a file with its ASIC_TABLE: --set "
                            "asic_table=FILE");
    } else if (!model->has_alpha) {
        err_set(err, ST_NOT_FOUND, "no-default-alpha",
                "no row DEFAULT_LOSSLESS_BUFFER_PARAMETER says the alpha of "
                "generated profiles");
        err_set_remedy(err, "write DEFAULT_LOSSLESS_BUFFER_PARAMETER|AZURE "
                            "with default_dynamic_th");
    } else if (!port_facts_speed(port)) {
        err_set(err, ST_NOT_FOUND, "no-speed", "the speed of %s is not known",
                port->name);
        err_set_remedy(err,
                       "write speed, or adv_speeds with autoneg, into "
                       "PORT|%s",
                       port->name);
    } else if (!has_cable) {
        err_set(err, ST_NOT_FOUND, "no-cable", "the cable of %s is not known",
                port->name);
        err_set_remedy(err, "write its length into CABLE_LENGTH|AZURE");
    } else {
        return ST_OK;
    }
    return ST_NOT_FOUND;
}

/* Wishes for a generated profile with 'alpha'. */
static void
wish_made(struct dynamic_state *model, struct wish *wish, const int *alpha)
{
    const struct port_facts *port = wish->place->port;
    const struct saying *other = NULL;
    uint32_t cable_m = 0;
    bool has_cable = port_facts_cable(port, &cable_m, &other);

    if (!port->exists || (has_cable && !other && !cable_m)) {
        return; /* Nothing lossless on this port. */
    }
    if (check_port(model, port, other, has_cable, &wish->err) != ST_OK) {
        wish->settled = true;
        return;
    }
    wish->eight = port->n_lanes == EIGHT_LANES;
    wish->label = (struct profile_label){
        .speed_mbps = port_facts_speed(port),
        .cable_m = cable_m,
        .mtu = port->mtu,
        .alpha = alpha ? *alpha : model->alpha,
        .gearbox = *model->chip.gearbox ? model->chip.gearbox : NULL,
        .eight_lanes =
            model->platform->names_eight_lanes &&
            port_names_eight_lanes(model->model_number, port->n_lanes,
                                   port_facts_speed(port)),
    };
    wish->label.own_alpha = wish->label.alpha != model->alpha;
    wish->made = generated_profiles_ref(model, &wish->label, wish->eight);
    wish->name = check_strdup(wish->made->name);
}

/* Fills 'wish' with what its row asks for. */
static void
wish_make(struct dynamic_state *model, struct wish *wish)
{
    const char *name = buffer_rows_field(wish->place->row, "profile");
    const struct buffer_rows *profile;
    const char *type, *alpha;
    int64_t threshold;

    if (wish->place->port->shut) {
        wish->zero = true;
        wish->name = shut_ports_binding(model, wish->place);
        return;
    }
    if (!name || !strcmp(name, "NULL")) {
        wish_made(model, wish, NULL);
        return;
    }
    profile = buffer_rows_find(&model->rows, TABLE_BUFFER_PROFILE, name);
    type = profile ? buffer_rows_field(profile, "headroom_type") : NULL;
    alpha = profile ? buffer_rows_field(profile, "dynamic_th") : NULL;
    if (type && !strcmp(type, "dynamic") && alpha &&
        parse_s64(alpha, INT32_MIN, INT32_MAX, &threshold) == ST_OK) {
        int own = (int)threshold;

        wish_made(model, wish, &own);
    } else {
        wish->name = check_strdup(name);
    }
}

/* --- What it is granted ------------------------------------------------- */

/* Exchanges what the place of 'wish' has with what it wishes. */
static void
exchange(struct wish *wish)
{
    struct place *place = wish->place;
    const struct place had = *place;

    place->name = wish->name;
    place->made = wish->made;
    place->eight = wish->eight;
    place->zero = wish->zero;
    wish->name = had.name;
    wish->made = had.made;
    wish->eight = had.eight;
    wish->zero = had.zero;
}

/* Grants 'wish' if its port has room for it.  What frees room is granted even
 * if the port remains over its limit. */
static bool
grant(const struct dynamic_state *model, struct wish *wish)
{
    const struct port_facts *port = wish->place->port;
    bool limited = port->max_headroom_bytes &&
                   model->platform->limits_headroom && !wish->zero;
    uint64_t before = limited ? headroom_check_used(model, port, NULL) : 0;
    bool same = wish->name && wish->place->name &&
                !strcmp(wish->name, wish->place->name);
    struct err err = {0};

    exchange(wish);
    if (same || !limited ||
        headroom_check_check(model, port, NULL, &err) == ST_OK ||
        headroom_check_used(model, port, NULL) <= before) {
        wish->settled = true;
        wish->changed |= !same && (wish->name || wish->place->name);
        wish->err.status = ST_OK;
        return true;
    }
    exchange(wish);
    wish->err = err;
    return false;
}

/* Explains how far the cable could reach. */
static void
advise(const struct dynamic_state *model, struct wish *wish)
{
    uint32_t longest_m;

    err_set_field(&wish->err, "profile", wish->name, NULL);
    if (wish->made &&
        headroom_check_longest_cable(model, wish->place, &wish->label,
                                     wish->eight, &longest_m)) {
        err_set_remedy(&wish->err,
                       "use a cable of at most %" PRIu32
                       " m, or give the port fewer lossless priorities",
                       longest_m);
    }
}

/* Says why 'place' is not as its row asks; returns whether that is news. */
static bool
place_set_error(struct place *place, const struct err *err)
{
    const char *old = place->err ? place->err->reason : "";
    bool failed = err->status != ST_OK;

    if (strcmp(old, failed ? err->reason : "") == 0 &&
        (!failed || !strcmp(place->err->remedy, err->remedy))) {
        return false;
    }
    free(place->err);
    place->err = NULL;
    if (failed) {
        place->err = check_malloc(sizeof *err);
        *place->err = *err;
    }
    return true;
}

/* Grants what there is room for, until nothing more helps. */
static void
grant_all(const struct dynamic_state *model, struct wish *wishes, size_t n)
{
    bool progress = true;

    while (progress) {
        progress = false;
        for (size_t i = 0; i < n; i++) {
            progress |= !wishes[i].settled && grant(model, &wishes[i]);
        }
    }
    for (size_t i = 0; i < n; i++) {
        if (!wishes[i].settled) {
            advise(model, &wishes[i]);
        } else if (wishes[i].place->zero) {
            (void)shut_ports_doubts(model, wishes[i].place, &wishes[i].err);
        }
        wishes[i].changed |= place_set_error(wishes[i].place, &wishes[i].err);
    }
}

static int
wish_compare(const void *a, const void *b)
{
    const struct wish *x = a, *y = b;

    return strcmp(x->place->row->key, y->place->row->key);
}

static void
grant_port(struct dynamic_state *model, struct port_facts *port)
{
    struct wish *wishes;
    size_t n = 0;

    for (struct place *place = port->places; place; place = place->next) {
        n += place->row->table == TABLE_BUFFER_PG;
    }
    wishes = check_calloc(n + 1, sizeof *wishes);
    n = 0;
    for (struct place *place = port->places; place; place = place->next) {
        if (place->row->table == TABLE_BUFFER_PG) {
            wishes[n].place = place;
            wish_make(model, &wishes[n++]);
            if (port->fresh) {
                place_clear(model, place);
            }
        }
    }
    port->fresh = false;
    qsort(wishes, n, sizeof *wishes, wish_compare);
    grant_all(model, wishes, n);
    for (size_t i = 0; i < n; i++) {
        if (wishes[i].changed) {
            buffer_rows_mark(&model->rows, wishes[i].place->row);
        }
        if (wishes[i].made) {
            generated_profiles_unref(model, wishes[i].made, wishes[i].eight);
        }
        free(wishes[i].name);
    }
    free(wishes);
}

/* --- A port as a whole -------------------------------------------------- */

/* Works out what queues and lists have while 'port' is shut; otherwise they
 * have what their rows say. */
static void
bind_rest(struct dynamic_state *model, const struct port_facts *port)
{
    for (struct place *place = port->places; place; place = place->next) {
        bool was = place->zero;
        struct err err = {0};
        bool news;
        char *name;

        if (place->row->table == TABLE_BUFFER_PG || (!was && !port->shut)) {
            continue;
        }
        name = port->shut ? shut_ports_binding(model, place) : NULL;
        if (port->shut) {
            (void)shut_ports_doubts(model, place, &err);
        }
        news = place_set_error(place, &err);
        if (news || was != port->shut || !name != !place->name ||
            (name && strcmp(name, place->name) != 0)) {
            buffer_rows_mark(&model->rows, place->row);
        }
        free(place->name);
        place->name = name;
        place->zero = port->shut;
    }
}

void
dynamic_port(struct dynamic_state *model, struct port_facts *port)
{
    pool_sums_add(&model->sums, &port->sums, -1);
    model->n_incomplete -= port->incomplete;
    model->shut.n_ports -= port->shut;
    port->shut = shut_ports_applies(model, port);
    model->shut.n_ports += port->shut;
    if (model->on) {
        grant_port(model, port);
        bind_rest(model, port);
        pool_users_port(model, port);
    } else {
        port->sums = (struct pool_sums){0};
        port->incomplete = false;
    }
    port_inputs_unexplain(model->facts, port);
    pool_sums_add(&model->sums, &port->sums, 1);
    model->n_incomplete += port->incomplete;
    model->resize = true;
}

bool
dynamic_settle(struct dynamic_state *model)
{
    if (model->refresh) {
        /* Names may be others, too: all ports are asked again. */
        model->refresh = false;
        model->resize = true;
        if (model->chip.known) {
            generated_profiles_refresh_all(model, false);
        }
        port_inputs_mark_all(model->facts);
        return model->facts->changed_first != NULL;
    }
    generated_profiles_refresh_all(model, true);
    if (profile_growth_settle(model) || model->facts->changed_first) {
        return true;
    }
    if (model->resize && model->on) {
        pool_sizing_update(model);
    }
    model->resize = false;
    shut_ports_settle(model);
    return false;
}

/* --- Rows out ----------------------------------------------------------- */

/* Returns what 'place' binds, by its field 'field'. */
static const char *
bound(const struct place *place, const char *field)
{
    return place->zero || place->row->table == TABLE_BUFFER_PG
               ? place->name
               : buffer_rows_field(place->row, field);
}

/* Fills 'model->fields' with what the ports of 'row' bind by its field 'field':
 * one field for all ports if they agree, else one for each. */
static void
complete_places(struct dynamic_state *model, const struct buffer_rows *row,
                const char *field, struct completion *completion)
{
    const char *first = bound(&row->places[0], field);
    bool agree = true;

    for (size_t i = 1; i < row->n_places; i++) {
        const char *name = bound(&row->places[i], field);

        agree &= name == first || (name && first && !strcmp(name, first));
    }
    completion->kind = COMPLETION_FIELDS;
    free(model->completed);
    model->completed = check_calloc(row->n_places + 1, sizeof(struct field));
    for (size_t i = 0; i < (agree ? 1 : row->n_places); i++) {
        const char *name = bound(&row->places[i], field);

        if (name) {
            model->completed[completion->n_fields++] =
                (struct field){agree ? field : row->places[i].port->name, name};
        }
    }
    completion->fields = model->completed;
    for (size_t i = 0; i < row->n_places && !completion->err; i++) {
        completion->err = row->places[i].err;
    }
}

static void
complete_pool(const struct buffer_rows *row, struct completion *completion)
{
    if (row->instead) {
        completion->kind = COMPLETION_FIELDS;
        completion->fields = row->instead->fields;
        completion->n_fields = row->instead->n;
    } else if (!buffer_rows_field(row, "size")) {
        completion->kind = COMPLETION_ABSENT;
    }
    completion->err = row->err;
}

static void
complete_profile(const struct buffer_rows *row, struct completion *completion)
{
    const char *type = buffer_rows_field(row, "headroom_type");

    if (row->held) {
        completion->kind = row->instead ? COMPLETION_FIELDS : COMPLETION_ABSENT;
        completion->fields = row->instead ? row->instead->fields : NULL;
        completion->n_fields = row->instead ? row->instead->n : 0;
        completion->err = row->err;
    } else if (type && !strcmp(type, "dynamic")) {
        completion->kind = COMPLETION_IDLE;
    }
}

/* Forgets the rows of a model that was switched off, all of which were handed
 * on as they are, but for pools that keep a size that was worked out. */
static void
forget_rows(struct dynamic_state *model)
{
    struct buffer_rows *known, *next;

    HASH_ITER(hh, model->rows.all, known, next)
    {
        if (!known->instead) {
            buffer_rows_remove(&model->rows, model->facts, known);
        }
    }
}

bool
dynamic_wants_rows(struct dynamic_state *model)
{
    bool wants = model->wants_rows;

    model->wants_rows = false;
    return wants;
}

bool
dynamic_take(struct dynamic_state *model, struct completion *completion)
{
    const struct buffer_rows *row = buffer_rows_take(&model->rows);

    if (!row) {
        if (!model->on) {
            forget_rows(model);
        }
        return false;
    }
    *completion = (struct completion){.table = row->table, .key = row->key};
    if (row->table == TABLE_BUFFER_POOL) {
        if (model->on || !buffer_rows_field(row, "size")) {
            complete_pool(row, completion);
        }
    } else if (row->n_places && model->on && completes(row)) {
        bool list = buffer_rows_field(row, "profile_list") != NULL;

        complete_places(model, row, list ? "profile_list" : "profile",
                        completion);
    } else if (row->table == TABLE_BUFFER_PROFILE && model->on) {
        complete_profile(row, completion);
    }
    return true;
}
