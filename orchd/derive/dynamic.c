/* SPDX-License-Identifier: Apache-2.0 */

/* Ports and their priority groups.
 *
 * A port is derived as a whole: what each of its groups requests, which of the
 * requests it has room for, and what it then contributes to the pools. Granting
 * a request swaps it with what the binding had.  At the end the requests hold
 * what is no longer needed, which is released; a profile needed before and
 * after is never removed in between. */

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

/* What a binding requests. */
struct request {
    struct binding *binding;
    char *name; /* Owned; NULL: nothing. */
    struct generated_profile *generated;
    bool eight;
    bool zero;
    bool settled; /* Granted, or impossible. */
    bool changed; /* The binding or its error has changed. */
    struct profile_label label;
    struct err err; /* If its status is not ST_OK: why it was not granted. */
};

void
dynamic_init(struct dynamic_state *model, struct port_inputs *inputs,
             struct derived_rows *derived_rows)
{
    *model = (struct dynamic_state){.inputs = inputs,
                                    .derived_rows = derived_rows,
                                    .platform = platform_find(NULL),
                                    .traffic = HEADROOM_TRAFFIC_DEFAULT};
}

/* Clears 'binding', which requests nothing any more. */
static void
binding_clear(struct dynamic_state *model, struct binding *binding)
{
    if (binding->generated) {
        generated_profiles_unref(model, binding->generated, binding->eight);
    }
    free(binding->name);
    free(binding->err);
    binding->name = NULL;
    binding->generated = NULL;
    binding->err = NULL;
    binding->zero = false;
}

static void
clear_bindings(struct dynamic_state *model, struct buffer_row *copy)
{
    for (size_t i = 0; i < copy->n_bindings; i++) {
        binding_clear(model, &copy->bindings[i]);
    }
}

void
dynamic_fini(struct dynamic_state *model)
{
    for (struct buffer_row *copy = model->rows.all; copy;
         copy = copy->hh.next) {
        clear_bindings(model, copy);
    }
    shut_ports_fini(model);
    buffer_rows_fini(&model->rows);
    free(model->completed);
}

/* --- Rows in ------------------------------------------------------------ */

/* Returns whether the model completes 'copy': rows of some tables always, of
 * others while they apply to a shut port. */
static bool
completes(const struct buffer_row *copy)
{
    bool zero = false;

    for (size_t i = 0; i < copy->n_bindings; i++) {
        zero |= copy->bindings[i].zero;
    }
    return zero || copy->table == TABLE_BUFFER_PG ||
           copy->table == TABLE_BUFFER_PROFILE ||
           copy->table == TABLE_BUFFER_POOL;
}

/* Marks the ports with a row that refers to the profile 'name' (NULL: any). */
static void
mark_users(struct dynamic_state *model, const char *name)
{
    for (struct buffer_row *row = model->rows.all; row; row = row->hh.next) {
        const char *profile = buffer_rows_field(row, "profile");
        const char *list = buffer_rows_field(row, "profile_list");
        bool refers = !name || (profile && !strcmp(profile, name)) ||
                      (list && strstr(list, name));

        for (size_t i = 0; i < row->n_bindings && refers; i++) {
            port_inputs_mark(model->inputs, row->bindings[i].port);
        }
    }
}

/* Reads the fields of the lossless pool that affect all ports. */
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

/* Marks what depends on a profile or a pool. */
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
    struct buffer_row *copy =
        buffer_rows_find(&model->rows, row->table, row->key);

    if (row->table == TABLE_DEFAULT_LOSSLESS_BUFFER_PARAMETER) {
        put_default(model, row);
        return false;
    }
    if (row->table == TABLE_LOSSLESS_TRAFFIC_PATTERN) {
        put_traffic(model, row);
        return false;
    }
    if (!model->on && !copy) {
        /* While the model is off it keeps no rows: see dynamic_switch().  The
         * fields of the lossless pool also affect the traditional model. */
        if (row->table == TABLE_BUFFER_POOL &&
            !strcmp(row->key, LOSSLESS_POOL)) {
            read_lossless_pool(model, row);
        }
        return false;
    }
    if (!row->present || !row->effective) {
        if (copy) {
            clear_bindings(model, copy);
            buffer_rows_remove(&model->rows, model->inputs, copy);
            mark_dependants(model, row);
        }
        return false;
    }
    copy = row->table == TABLE_BUFFER_PROFILE
               ? profile_growth_put(model, row)
               : buffer_rows_put(&model->rows, model->inputs, row);
    if (row->table == TABLE_BUFFER_POOL && row_field(row, "size") &&
        strcmp(row->key, LOSSLESS_POOL) != 0) {
        buffer_rows_reset(copy); /* It is user-owned from now on. */
    }
    mark_dependants(model, row);
    if (!completes(copy) || !(model->on || copy->instead)) {
        return false;
    }
    buffer_rows_mark(&model->rows, copy);
    return true;
}

void
dynamic_switch(struct dynamic_state *model, bool on)
{
    model->on = on;
    model->wants_rows = on;
    model->refresh = true;
    profile_growth_end(model);
    for (struct buffer_row *pool = model->rows.pools; pool;
         pool = pool->next_pool) {
        pool->unexplained = true;
    }
    for (struct buffer_row *row = model->rows.all; row; row = row->hh.next) {
        if (completes(row)) {
            buffer_rows_mark(&model->rows, row);
        }
        if (!on) {
            clear_bindings(model, row);
        }
    }
}

/* --- What a group requests ---------------------------------------------- */

/* Reports why no profile can be generated for 'port'. */
static enum st
check_port(const struct dynamic_state *model, const struct port_input *port,
           const struct row_value *other, bool has_cable, struct err *err)
{
    if (other) {
        port_input_contradict(port, other, err);
        return ST_INVALID;
    }
    if (!model->chip.known) {
        err_set(err, ST_NOT_FOUND, "no-asic-table",
                "the cell size and pipeline latency of this chip are unknown");
        err_set_remedy(err, "name a file with its ASIC_TABLE: --set "
                            "asic_table=FILE");
    } else if (!model->has_alpha) {
        err_set(err, ST_NOT_FOUND, "no-default-alpha",
                "no row DEFAULT_LOSSLESS_BUFFER_PARAMETER sets the alpha of "
                "generated profiles");
        err_set_remedy(err, "write DEFAULT_LOSSLESS_BUFFER_PARAMETER|AZURE "
                            "with default_dynamic_th");
    } else {
        return port_input_check(port, has_cable, err);
    }
    return ST_NOT_FOUND;
}

/* Requests a generated profile with 'alpha'. */
static void
request_generated(struct dynamic_state *model, struct request *request,
                  const int *alpha)
{
    const struct port_input *port = request->binding->port;
    const struct row_value *other = NULL;
    uint32_t cable_m = 0;
    bool has_cable = port_input_cable(port, &cable_m, &other);

    if (!port->exists || (has_cable && !other && !cable_m)) {
        return; /* No lossless group on this port. */
    }
    if (check_port(model, port, other, has_cable, &request->err) != ST_OK) {
        request->settled = true;
        return;
    }
    request->eight = port->n_lanes == EIGHT_LANES;
    request->label = (struct profile_label){
        .speed_mbps = port_input_speed(port),
        .cable_m = cable_m,
        .mtu = port->mtu,
        .alpha = alpha ? *alpha : model->alpha,
        .gearbox = *model->chip.gearbox ? model->chip.gearbox : NULL,
        .eight_lanes =
            model->platform->names_eight_lanes &&
            port_names_eight_lanes(model->model_number, port->n_lanes,
                                   port_input_speed(port)),
    };
    request->label.own_alpha = request->label.alpha != model->alpha;
    request->generated =
        generated_profiles_ref(model, &request->label, request->eight);
    request->name = check_strdup(request->generated->name);
}

/* Fills 'request' with what its row requests. */
static void
request_make(struct dynamic_state *model, struct request *request)
{
    const char *name = buffer_rows_field(request->binding->row, "profile");
    const struct buffer_row *profile;
    const char *type, *alpha;
    int64_t threshold;

    if (request->binding->port->shut) {
        request->zero = true;
        request->name = shut_ports_binding(model, request->binding);
        return;
    }
    if (!name || !strcmp(name, "NULL")) {
        request_generated(model, request, NULL);
        return;
    }
    profile = buffer_rows_find(&model->rows, TABLE_BUFFER_PROFILE, name);
    type = profile ? buffer_rows_field(profile, "headroom_type") : NULL;
    alpha = profile ? buffer_rows_field(profile, "dynamic_th") : NULL;
    if (type && !strcmp(type, "dynamic") && alpha &&
        parse_s64(alpha, INT32_MIN, INT32_MAX, &threshold) == ST_OK) {
        int own = (int)threshold;

        request_generated(model, request, &own);
    } else {
        request->name = check_strdup(name);
    }
}

/* --- What is granted ---------------------------------------------------- */

/* Swaps what the binding of 'request' has with what it requests. */
static void
exchange(struct request *request)
{
    struct binding *binding = request->binding;
    const struct binding had = *binding;

    binding->name = request->name;
    binding->generated = request->generated;
    binding->eight = request->eight;
    binding->zero = request->zero;
    request->name = had.name;
    request->generated = had.generated;
    request->eight = had.eight;
    request->zero = had.zero;
}

/* Grants 'request' if its port has room for it.  A request that frees room is
 * granted even if the port remains over its limit. */
static bool
grant(const struct dynamic_state *model, struct request *request)
{
    const struct port_input *port = request->binding->port;
    bool limited = port->max_headroom_bytes &&
                   model->platform->limits_headroom && !request->zero;
    uint64_t before = limited ? headroom_check_used(model, port, NULL) : 0;
    bool same = request->name && request->binding->name &&
                !strcmp(request->name, request->binding->name);
    struct err err = {0};

    exchange(request);
    if (same || !limited ||
        headroom_check_port(model, port, NULL, &err) == ST_OK ||
        headroom_check_used(model, port, NULL) <= before) {
        request->settled = true;
        request->changed |= !same && (request->name || request->binding->name);
        request->err.status = ST_OK;
        return true;
    }
    exchange(request);
    request->err = err;
    return false;
}

/* Reports the longest cable that would fit. */
static void
advise(const struct dynamic_state *model, struct request *request)
{
    uint32_t longest_m;

    err_set_field(&request->err, "profile", request->name, NULL);
    if (request->generated &&
        headroom_check_longest_cable(model, request->binding, &request->label,
                                     request->eight, &longest_m)) {
        err_set_remedy(&request->err,
                       "use a cable of at most %" PRIu32
                       " m, or give the port fewer lossless priorities",
                       longest_m);
    }
}

/* Records why 'binding' is not as its row asks; returns whether that has
 * changed. */
static bool
binding_set_error(struct binding *binding, const struct err *err)
{
    const char *old = binding->err ? binding->err->reason : "";
    const char *remedy = binding->err ? binding->err->remedy : "";
    bool failed = err->status != ST_OK;

    if (strcmp(old, failed ? err->reason : "") == 0 &&
        (!failed || !strcmp(remedy, err->remedy))) {
        return false;
    }
    free(binding->err);
    binding->err = NULL;
    if (failed) {
        binding->err = check_malloc(sizeof *err);
        *binding->err = *err;
    }
    return true;
}

/* Grants requests while there is room, until no more can be granted. */
static void
grant_all(const struct dynamic_state *model, struct request *requests, size_t n)
{
    bool progress = true;

    while (progress) {
        progress = false;
        for (size_t i = 0; i < n; i++) {
            progress |= !requests[i].settled && grant(model, &requests[i]);
        }
    }
    for (size_t i = 0; i < n; i++) {
        if (!requests[i].settled) {
            advise(model, &requests[i]);
        } else if (requests[i].binding->zero) {
            (void)shut_ports_check_binding(model, requests[i].binding,
                                           &requests[i].err);
        }
        requests[i].changed |=
            binding_set_error(requests[i].binding, &requests[i].err);
    }
}

static int
request_compare(const void *a, const void *b)
{
    const struct request *x = a, *y = b;

    return strcmp(x->binding->row->key, y->binding->row->key);
}

static void
grant_port(struct dynamic_state *model, struct port_input *port)
{
    struct request *requests;
    size_t n = 0;

    for (struct binding *binding = port->bindings; binding;
         binding = binding->next) {
        n += binding->row->table == TABLE_BUFFER_PG;
    }
    requests = check_calloc(n + 1, sizeof *requests);
    n = 0;
    for (struct binding *binding = port->bindings; binding;
         binding = binding->next) {
        if (binding->row->table == TABLE_BUFFER_PG) {
            requests[n].binding = binding;
            request_make(model, &requests[n++]);
            if (port->fresh) {
                binding_clear(model, binding);
            }
        }
    }
    port->fresh = false;
    qsort(requests, n, sizeof *requests, request_compare);
    grant_all(model, requests, n);
    for (size_t i = 0; i < n; i++) {
        if (requests[i].changed) {
            buffer_rows_mark(&model->rows, requests[i].binding->row);
        }
        if (requests[i].generated) {
            generated_profiles_unref(model, requests[i].generated,
                                     requests[i].eight);
        }
        free(requests[i].name);
    }
    free(requests);
}

/* --- A port as a whole -------------------------------------------------- */

/* Sets what queues and lists bind while 'port' is shut; otherwise they bind
 * what their rows say. */
static void
bind_rest(struct dynamic_state *model, const struct port_input *port)
{
    for (struct binding *binding = port->bindings; binding;
         binding = binding->next) {
        bool was = binding->zero;
        struct err err = {0};
        bool news;
        char *name;

        if (binding->row->table == TABLE_BUFFER_PG || (!was && !port->shut)) {
            continue;
        }
        name = port->shut ? shut_ports_binding(model, binding) : NULL;
        if (port->shut) {
            (void)shut_ports_check_binding(model, binding, &err);
        }
        news = binding_set_error(binding, &err);
        if (news || was != port->shut || !name != !binding->name ||
            (name && strcmp(name, binding->name) != 0)) {
            buffer_rows_mark(&model->rows, binding->row);
        }
        free(binding->name);
        binding->name = name;
        binding->zero = port->shut;
    }
}

void
dynamic_port(struct dynamic_state *model, struct port_input *port)
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
    port_inputs_unexplain(model->inputs, port);
    pool_sums_add(&model->sums, &port->sums, 1);
    model->n_incomplete += port->incomplete;
    model->resize = true;
}

bool
dynamic_settle(struct dynamic_state *model)
{
    if (model->refresh) {
        /* Names may change too, so all ports are derived again. */
        model->refresh = false;
        model->resize = true;
        if (model->chip.known) {
            generated_profiles_refresh_all(model, false);
        }
        port_inputs_mark_all(model->inputs);
        return model->inputs->changed_first != NULL;
    }
    generated_profiles_refresh_all(model, true);
    if (profile_growth_settle(model) || model->inputs->changed_first) {
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

/* Returns what 'binding' binds through its field 'field'. */
static const char *
bound(const struct binding *binding, const char *field)
{
    return binding->zero || binding->row->table == TABLE_BUFFER_PG
               ? binding->name
               : buffer_rows_field(binding->row, field);
}

/* Fills 'model->completed' with what the ports of 'row' bind through its field
 * 'field': one field for all ports if they agree, else one for each. */
static void
complete_bindings(struct dynamic_state *model, const struct buffer_row *row,
                  const char *field, struct completion *completion)
{
    const char *first = bound(&row->bindings[0], field);
    bool agree = true;

    for (size_t i = 1; i < row->n_bindings; i++) {
        const char *name = bound(&row->bindings[i], field);

        agree &= name == first || (name && first && !strcmp(name, first));
    }
    completion->kind = COMPLETION_FIELDS;
    free(model->completed);
    model->completed = check_calloc(row->n_bindings + 1, sizeof(struct field));
    for (size_t i = 0; i < (agree ? 1 : row->n_bindings); i++) {
        const char *name = bound(&row->bindings[i], field);

        if (name) {
            model->completed[completion->n_fields++] = (struct field){
                agree ? field : row->bindings[i].port->name, name};
        }
    }
    completion->fields = model->completed;
    for (size_t i = 0; i < row->n_bindings && !completion->err; i++) {
        completion->err = row->bindings[i].err;
    }
}

static void
complete_pool(const struct buffer_row *row, struct completion *completion)
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
complete_profile(const struct buffer_row *row, struct completion *completion)
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

/* Drops the rows of a model that was switched off.  All of them were handed on
 * unchanged, except pools that keep a computed size. */
static void
forget_rows(struct dynamic_state *model)
{
    struct buffer_row *copy, *next;

    HASH_ITER(hh, model->rows.all, copy, next)
    {
        if (!copy->instead) {
            buffer_rows_remove(&model->rows, model->inputs, copy);
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
    const struct buffer_row *row = buffer_rows_take(&model->rows);

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
    } else if (row->n_bindings && model->on && completes(row)) {
        bool list = buffer_rows_field(row, "profile_list") != NULL;

        complete_bindings(model, row, list ? "profile_list" : "profile",
                          completion);
    } else if (row->table == TABLE_BUFFER_PROFILE && model->on) {
        complete_profile(row, completion);
    }
    return true;
}
