/* SPDX-License-Identifier: Apache-2.0 */

/* Publishes the status of rows, their summary, and events; passes the rest on
 * to the other modules. */

#include <config.h>

#include "orchd/publish/publish.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/digest.h"
#include "base/hash_index.h"
#include "base/text.h"
#include "orchd/db/redis.h"
#include "orchd/publish/asic_maps.h"
#include "orchd/publish/asic_mirror.h"
#include "orchd/publish/buffer_tables.h"
#include "orchd/publish/drifts.h"
#include "orchd/publish/events.h"
#include "orchd/publish/explanations.h"
#include "orchd/publish/object_rows.h"
#include "orchd/publish/port_states.h"
#include "orchd/publish/port_table.h"
#include "orchd/publish/response.h"
#include "orchd/publish/switch_capabilities.h"
#include "orchd/reconcile/graph.h"
#include "orchd/telemetry/counters.h"
#include "orchd/telemetry/name_maps.h"
#include "process/log.h"
#include "process/loop.h"
#include "process/wallclock.h"

#define STATUS_PREFIX "ORCHD_STATUS|"
#define SUMMARY_KEY   "ORCHD_SUMMARY|global"

/* X(name, value of 'status').  The fields that a status may have besides state,
 * generation and updated; empty ones are left out. */
#define EXTRA_LIST(X)                                                          \
    X("code", status->err.code)                                                \
    X("reason", status->err.reason)                                            \
    X("field", status->err.field)                                              \
    X("value", status->err.value)                                              \
    X("allowed", status->err.allowed)                                          \
    X("remedy", status->err.remedy)                                            \
    X("blocked_by", status->blocked_by)                                        \
    X("referenced_by", status->referenced_by)                                  \
    X("warnings", status->warnings)

#define MAX_FIELDS    16
#define ATTEMPTS_SIZE 16 /* Digits, and the end. */

/* The published status of one row. */
struct record {
    uint64_t row;        /* Digest of "TABLE|key". */
    uint64_t seen;       /* The last audit that found it, or began before
                          * it. */
    unsigned int extras; /* Bit per extra field that it has. */
    enum row_state state : 16;
    bool pool : 1; /* The row is of BUFFER_POOL. */
};

struct publisher {
    struct loop *loop;
    struct log *log;
    struct redis *redis;
    struct listener listener;
    struct counters *counters;
    struct drifts *drifts;
    struct events *events;
    struct asic_mirror *mirror;
    struct asic_maps *asic_maps;
    bool attached; /* There is a switch. */
    struct name_maps *maps;
    struct buffer_tables *tables;
    struct object_rows *object_rows;
    struct port_states *port_states;
    struct port_table *port_table;
    struct explanations *explanations;
    struct switch_capabilities *capabilities;
    publisher_row_fn *row_listener; /* NULL: there is none. */
    void *row_listener_context;

    struct hash_index records; /* By row. */
    bool swept;                /* No status of a previous run is left. */
    uint64_t audits;           /* How many have begun. */
    size_t n_states[N_ROW_STATES];
    size_t n_pools, n_pools_applied; /* Rows of BUFFER_POOL. */
    char buffer_model[16];           /* In force, ... */
    bool shared_headroom;            /* ... and whether a pool has xoff. */
    char last_error[512];
    struct text key, number; /* Scratch. */

    struct text summary; /* The published one, without times. */
    int64_t started;
    int64_t stamped; /* Of 'stamp'. */
    char stamp[WALLCLOCK_SIZE];
};

/* Returns the time of this turn as text. */
static const char *
timestamp(struct publisher *publisher)
{
    int64_t wall = loop_wall(publisher->loop);

    if (wall != publisher->stamped) {
        publisher->stamped = wall;
        wallclock_format(wall, publisher->stamp);
    }
    return publisher->stamp;
}

/* Sets the scratch key to that of the status of a row, and returns it;
 * "TABLE|key" follows the prefix. */
static const char *
status_key(struct publisher *publisher, enum table table, const char *key)
{
    text_clear(&publisher->key);
    text_add(&publisher->key, STATUS_PREFIX);
    table_add_row(&publisher->key, table, key);
    return text_string(&publisher->key);
}

/* A hash_index_equal_fn. */
static bool
is_of_row(const void *record_, const void *row)
{
    const struct record *record = record_;

    return record->row == *(const uint64_t *)row;
}

/* Returns the published status of 'row' ("TABLE|key"), or NULL. */
static struct record *
find_record(const struct publisher *publisher, const char *row)
{
    const uint64_t digest = digest_text(DIGEST_START, row);

    return hash_index_find(&publisher->records, hash_index_number(digest),
                           is_of_row, &digest);
}

/* Adds 'record' to the counts of the summary, or (-1) subtracts it. */
static void
count_record(struct publisher *publisher, const struct record *record, int by)
{
    bool applied = record->pool && record->state == ROW_STATE_APPLIED;

    publisher->n_states[record->state] += (size_t)by;
    publisher->n_pools += (size_t)(record->pool ? by : 0);
    publisher->n_pools_applied += (size_t)(applied ? by : 0);
}

static struct record *
add_record(struct publisher *publisher, const char *row, enum row_state state)
{
    struct record *record = check_calloc(1, sizeof *record);

    record->row = digest_text(DIGEST_START, row);
    record->pool = !strncmp(row, "BUFFER_POOL|", strlen("BUFFER_POOL|"));
    record->state = state;
    record->seen = publisher->audits;
    count_record(publisher, record, 1);
    hash_index_add(&publisher->records, hash_index_number(record->row), record);
    return record;
}

static void
remove_record(struct publisher *publisher, struct record *record)
{
    count_record(publisher, record, -1);
    hash_index_remove(&publisher->records, hash_index_number(record->row),
                      record);
    free(record);
}

/* Adds an event of a row, from states[0] to states[1]; "" means that the row
 * did not exist, or is removed. */
static void
add_event(struct publisher *publisher, enum table table, const char *key,
          const char *const states[2], const char *reason)
{
    const struct event event = {.time = timestamp(publisher),
                                .table = table_name(table),
                                .key = key,
                                .old = states[0],
                                .new = states[1],
                                .reason = reason};

    events_add(publisher->events, &event);
}

void
publisher_event(struct publisher *publisher, enum table table, const char *key,
                const char *from, const char *to, const char *reason)
{
    const char *const states[] = {from, to};

    add_event(publisher, table, key, states, reason);
}

/* Appends a field; the text is borrowed. */
static void
add_field(struct field *fields, size_t *n, const char *name, const char *value)
{
    orch_assert(*n < MAX_FIELDS);
    fields[*n].name = name;
    fields[*n].value = value;
    (*n)++;
}

/* Appends the extra fields: those that apply, and, unless the row is user-owned
 * and simply applied, its origin and 'attempts', as text.  Returns a bit per
 * extra field. */
static unsigned int
add_extras(const struct row_status *status, char attempts[ATTEMPTS_SIZE],
           struct field *fields, size_t *n)
{
    unsigned int extras = 0, bit = 1;

#define X(name, text)                                                          \
    if ((text) && *(text)) {                                                   \
        add_field(fields, n, name, text);                                      \
        extras |= bit;                                                         \
    }                                                                          \
    bit <<= 1;
    EXTRA_LIST(X)
#undef X
    if (extras || status->state != ROW_STATE_APPLIED ||
        strcmp(status->origin, "user")) {
        text_format(attempts, ATTEMPTS_SIZE, "%u", status->attempts);
        add_field(fields, n, "origin", status->origin);
        add_field(fields, n, "attempts", attempts);
        extras |= bit;
    }
    return extras;
}

/* Writes 'status' as the hash 'key'.  'old' is what the hash contains, NULL if
 * that is unknown.  Returns a bit per extra field. */
static unsigned int
write_status(struct publisher *publisher, const char *key,
             const struct row_status *status, const struct record *old)
{
    struct field fields[MAX_FIELDS];
    char attempts[ATTEMPTS_SIZE];
    unsigned int extras;
    size_t n = 0;

    text_clear(&publisher->number);
    text_add_number(&publisher->number, status->generation);
    add_field(fields, &n, "state", row_state_name(status->state));
    add_field(fields, &n, "generation", text_string(&publisher->number));
    add_field(fields, &n, "updated", timestamp(publisher));
    extras = add_extras(status, attempts, fields, &n);
    if (old ? old->extras & ~extras : !publisher->swept) {
        redis_replace(publisher->redis, STATE_DB, key, fields, n);
    } else {
        redis_hset(publisher->redis, STATE_DB, key, fields, n);
    }
    return extras;
}

/* Returns whether a row in 'state' becomes the last error of the summary. */
static bool
is_bad(enum row_state state)
{
    return state == ROW_STATE_REJECTED || state == ROW_STATE_FAILED;
}

/* Notes the buffer model and shared headroom for the summary.  A row that is
 * removed has no fields. */
static void
note_buffers(struct publisher *publisher, const struct row_status *status)
{
    if (status->table == TABLE_DEVICE_METADATA) {
        const char *model = row_status_field(status, "buffer_model");

        text_copy(publisher->buffer_model, sizeof publisher->buffer_model,
                  model ? model : "traditional");
    } else if (status->table == TABLE_BUFFER_POOL &&
               !strcmp(status->key, "ingress_lossless_pool")) {
        const char *xoff = row_status_field(status, "xoff");

        publisher->shared_headroom = xoff && strcmp(xoff, "0") != 0;
    }
}

/* Publishes 'status'; 'event': adds an event if the state has changed. */
static void
publish_status(struct publisher *publisher, const struct row_status *status,
               bool event)
{
    const char *key = status_key(publisher, status->table, status->key);
    const char *row = key + strlen(STATUS_PREFIX);
    struct record *record = find_record(publisher, row);
    unsigned int extras = write_status(publisher, key, status, record);
    const char *old = record ? row_state_name(record->state) : "";

    if (is_bad(status->state)) {
        text_format(publisher->last_error, sizeof publisher->last_error,
                    "%s: %s", row, status->err.reason);
    }
    if (event && (!record || record->state != status->state)) {
        const char *const states[] = {old, row_state_name(status->state)};

        add_event(publisher, status->table, status->key, states,
                  status->err.reason);
    }
    if (!record) {
        record = add_record(publisher, row, status->state);
    }
    count_record(publisher, record, -1);
    record->state = status->state;
    count_record(publisher, record, 1);
    record->extras = extras;
    note_buffers(publisher, status);
    counters_row(publisher->counters, status);
    name_maps_row(publisher->maps, status);
    buffer_tables_row(publisher->tables, status);
    port_table_row(publisher->port_table, status);
    if (publisher->row_listener) {
        publisher->row_listener(publisher->row_listener_context, status, false);
    }
}

static void
on_row_status(void *publisher_, const struct row_status *status)
{
    struct publisher *publisher = publisher_;

    publish_status(publisher, status, true);
    response_send(publisher->redis, status);
}

void
publisher_resync_row(void *publisher, const struct row_status *status)
{
    publish_status(publisher, status, false);
}

/* Removes the status of a row that is removed, and adds an event. */
static void
on_row_gone(void *publisher_, enum table table, const char *key)
{
    struct publisher *publisher = publisher_;
    const struct row_status row = {.table = table, .key = key};
    const char *status = status_key(publisher, table, key);
    struct record *record =
        find_record(publisher, status + strlen(STATUS_PREFIX));

    redis_del(publisher->redis, STATE_DB, status);
    note_buffers(publisher, &row);
    counters_row_gone(publisher->counters, &row);
    name_maps_row(publisher->maps, &row);
    buffer_tables_gone(publisher->tables, &row);
    port_table_gone(publisher->port_table, &row);
    if (publisher->row_listener) {
        publisher->row_listener(publisher->row_listener_context, &row, true);
    }
    if (table == TABLE_BUFFER_POOL) {
        explanations_set(publisher->explanations, table, key, NULL);
    }
    response_send_gone(publisher->redis, &row);
    if (record) {
        const char *const states[] = {row_state_name(record->state), ""};

        add_event(publisher, table, key, states, "the row was removed");
        remove_record(publisher, record);
    }
}

static void
on_object_appeared(void *publisher_, const struct object_view *object)
{
    struct publisher *publisher = publisher_;

    asic_mirror_appeared(publisher->mirror, object->type, object->oid);
    asic_maps_appeared(publisher->asic_maps, object->type, object->oid);
    object_rows_appeared(publisher->object_rows, object);
    name_maps_appeared(publisher->maps, object);
    port_states_appeared(publisher->port_states, object);
}

static void
on_object_attribute(void *publisher_, const struct object_view *object,
                    const struct metadata_attribute *attribute,
                    const sai_attribute_value_t *value)
{
    struct publisher *publisher = publisher_;

    asic_mirror_attribute(publisher->mirror, object->type, object->oid,
                          attribute, value);
    asic_maps_attribute(publisher->asic_maps, object->type, object->oid,
                        attribute->id, value);
    name_maps_attribute(publisher->maps, object, attribute, value);
    port_states_attribute(publisher->port_states, object, attribute, value);
    if (object->type == SAI_OBJECT_TYPE_PORT) {
        counters_port_attribute(publisher->counters, object->oid, attribute->id,
                                value);
    }
}

static void
on_object_gone(void *publisher_, const struct object_view *object)
{
    struct publisher *publisher = publisher_;
    const struct object_name name = {
        .table = object->table, .name = object->name, .index = object->index};
    struct text id = {0};

    object_name_add(&id, &name);
    drifts_gone(publisher->drifts, text_string(&id));
    text_fini(&id);
    name_maps_gone(publisher->maps, object);
    port_states_gone(publisher->port_states, object);
    object_rows_gone(publisher->object_rows, object);
    asic_mirror_gone(publisher->mirror, object->type, object->oid);
    asic_maps_gone(publisher->asic_maps, object->type, object->oid);
}

const char *
publisher_last_error(const struct publisher *publisher)
{
    return publisher->last_error;
}

bool
publisher_names_known(const struct publisher *publisher)
{
    return object_rows_known(publisher->object_rows);
}

void
publisher_each_name(const struct publisher *publisher, publisher_name_fn *fn,
                    void *context)
{
    object_rows_each_previous(publisher->object_rows, fn, context);
}

void
publisher_settled(struct publisher *publisher)
{
    object_rows_settled(publisher->object_rows);
}

const char *
publisher_link(struct publisher *publisher, sai_object_id_t port, bool up)
{
    return port_states_link(publisher->port_states, port, up);
}

struct publisher *
publisher_create(struct loop *loop, struct log *log, struct redis *redis)
{
    struct publisher *publisher = check_calloc(1, sizeof *publisher);

    publisher->loop = loop;
    publisher->log = log;
    publisher->redis = redis;
    publisher->listener = (struct listener){
        .row_status = on_row_status,
        .row_gone = on_row_gone,
        .object_appeared = on_object_appeared,
        .object_attribute = on_object_attribute,
        .object_gone = on_object_gone,
        .context = publisher,
    };
    publisher->drifts = drifts_create(redis);
    publisher->events = events_create(redis);
    publisher->mirror = asic_mirror_create(redis);
    publisher->asic_maps = asic_maps_create(redis);
    publisher->counters =
        counters_create(loop, log_get_module(log, "counters"), redis);
    publisher->maps = name_maps_create(redis, publisher->counters);
    publisher->tables = buffer_tables_create(redis);
    publisher->object_rows = object_rows_create(redis);
    publisher->port_table = port_table_create(redis);
    publisher->port_states = port_states_create(redis, publisher->port_table);
    publisher->explanations = explanations_create(redis);
    publisher->capabilities = switch_capabilities_create(redis);
    publisher->started = loop_now(loop);
    publisher->stamped = -1;
    text_copy(publisher->buffer_model, sizeof publisher->buffer_model,
              "traditional");
    return publisher;
}

/* Forgets all published statuses. */
static void
forget(struct publisher *publisher)
{
    struct record *record;
    size_t place = 0;

    while ((record = hash_index_next(&publisher->records, &place))) {
        count_record(publisher, record, -1);
        free(record);
    }
    hash_index_fini(&publisher->records);
    text_clear(&publisher->summary);
}

void
publisher_destroy(struct publisher *publisher)
{
    if (publisher) {
        forget(publisher);
        drifts_destroy(publisher->drifts);
        events_destroy(publisher->events);
        counters_destroy(publisher->counters);
        asic_mirror_destroy(publisher->mirror);
        asic_maps_destroy(publisher->asic_maps);
        name_maps_destroy(publisher->maps);
        buffer_tables_destroy(publisher->tables);
        object_rows_destroy(publisher->object_rows);
        port_states_destroy(publisher->port_states);
        port_table_destroy(publisher->port_table);
        explanations_destroy(publisher->explanations);
        switch_capabilities_destroy(publisher->capabilities);
        text_fini(&publisher->key);
        text_fini(&publisher->number);
        text_fini(&publisher->summary);
        free(publisher);
    }
}

void
publisher_want_maps(struct publisher *publisher)
{
    asic_maps_want(publisher->asic_maps);
}

void
publisher_set_capabilities(struct publisher *publisher,
                           struct sai_backend *backend,
                           const struct trimming_capability *trimming,
                           const struct llr_capability *llr)
{
    switch_capabilities_attach(publisher->capabilities, backend, trimming, llr);
}

const struct listener *
publisher_listener(struct publisher *publisher)
{
    return &publisher->listener;
}

/* Removes what another program or run has left in ASIC_DB.  Without a switch
 * of its own orchd leaves it alone: it may be that of a running syncd. */
static void
restart_asic(struct publisher *publisher)
{
    asic_mirror_restart(publisher->mirror);
    asic_maps_restart(publisher->asic_maps);
}

void
publisher_attach(struct publisher *publisher, struct sai_backend *backend,
                 const struct drop_source *drops,
                 const struct poller_clock *clock)
{
    publisher->attached = true;
    restart_asic(publisher);
    asic_maps_attach(publisher->asic_maps, backend);
    counters_attach(publisher->counters, backend, drops, clock);
    name_maps_attach(publisher->maps, backend); /* Adds to the counters. */
    port_states_attach(publisher->port_states, backend);
}

/* A redis_keep_fn: keeps a status of a previous run if this run has published
 * one with the same key. */
static bool
keep_status(void *publisher, const char *key)
{
    return find_record(publisher, key + strlen(STATUS_PREFIX)) != NULL;
}

/* From now on a status that is new to orchd is new to Redis as well. */
static void
on_swept(void *publisher_)
{
    struct publisher *publisher = publisher_;

    publisher->swept = true;
}

void
publisher_resync_begin(struct publisher *publisher)
{
    forget(publisher);
    publisher->swept = false;
    redis_sweep(publisher->redis, STATE_DB, STATUS_PREFIX "*", keep_status,
                on_swept, publisher);
    redis_del(publisher->redis, STATE_DB, SUMMARY_KEY);
    object_rows_restart(publisher->object_rows);
    if (publisher->attached) {
        restart_asic(publisher);
    }
    name_maps_restart(publisher->maps);
    buffer_tables_restart(publisher->tables);
    port_states_restart(publisher->port_states);
    port_table_restart(publisher->port_table);
    counters_restart(publisher->counters);
    explanations_restart(publisher->explanations);
    switch_capabilities_restart(publisher->capabilities);
    drifts_restart(publisher->drifts);
}

/* Publishes everything again if 'n' keys are missing. */
static void
republish(struct publisher *publisher, size_t n, const char *what)
{
    if (n) {
        log_write(publisher->log, LOG_WARN, "redis-missing", what,
                  "another client has removed %zu key%s that orchd publishes; "
                  "orchd publishes everything again",
                  n, text_plural(n));
        redis_republish(publisher->redis);
    }
}

/* Implements asic_mirror_checked_fn. */
static void
on_objects_checked(void *publisher, size_t n)
{
    republish(publisher, n, "ASIC_STATE:*");
}

/* Implements redis_found_fn for an audit. */
static void
on_status_found(void *publisher_, const char *key)
{
    const struct publisher *publisher = publisher_;
    struct record *record = find_record(publisher, key + strlen(STATUS_PREFIX));

    if (record) {
        record->seen = publisher->audits;
    }
}

/* All statuses were found: next come the objects. */
static void
on_statuses_found(void *publisher_, enum st status)
{
    struct publisher *publisher = publisher_;
    const struct record *record;
    size_t n = 0, place = 0;

    while ((record = hash_index_next(&publisher->records, &place))) {
        n += record->seen != publisher->audits;
    }
    if (!status && n) {
        republish(publisher, n, STATUS_PREFIX "*");
    } else {
        asic_mirror_audit(publisher->mirror, on_objects_checked, publisher);
    }
}

void
publisher_audit(struct publisher *publisher)
{
    publisher->audits++;
    port_table_audit(publisher->port_table);
    redis_find(publisher->redis, STATE_DB, STATUS_PREFIX "*", on_status_found,
               on_statuses_found, publisher);
}

/* Returns how the shared headroom pool is configured. */
static const char *
shared_headroom_name(const struct publisher *publisher,
                     const struct publisher_figures *figures)
{
    return figures->shared_headroom     ? figures->shared_headroom
           : publisher->shared_headroom ? "size"
                                        : "off";
}

/* A number of the summary, and memory for its text. */
struct number {
    const char *name;
    uint64_t value;
    char text[24];
};

static void
add_numbers(struct field *fields, size_t *n, struct number *numbers, size_t m)
{
    for (size_t i = 0; i < m; i++) {
        text_format(numbers[i].text, sizeof numbers[i].text, "%llu",
                    (unsigned long long)numbers[i].value);
        fields[(*n)++] = (struct field){numbers[i].name, numbers[i].text};
    }
}

/* Writes the summary: the 'n' fields, followed by those whose change alone does
 * not cause a write.  'fields' has room for them. */
static void
write_summary(struct publisher *publisher,
              const struct publisher_figures *figures, struct field *fields,
              size_t n)
{
    int64_t up = loop_now(publisher->loop) - publisher->started;
    struct number numbers[] = {
        {.name = "sai_calls", .value = figures->sai_calls},
        {.name = "sai_failures", .value = figures->sai_failures},
        {.name = "uptime", .value = (uint64_t)(up / 1000000000)},
    };

    add_numbers(fields, &n, numbers, 3);
    fields[n++] = (struct field){"updated", timestamp(publisher)};
    redis_hset(publisher->redis, STATE_DB, SUMMARY_KEY, fields, n);
}

void
publisher_listen_rows(struct publisher *publisher,
                      publisher_row_fn *row_listener, void *context)
{
    publisher->row_listener = row_listener;
    publisher->row_listener_context = context;
}

void
publisher_explain(struct publisher *publisher, enum table table,
                  const char *key, const struct explanation *explanation)
{
    explanations_set(publisher->explanations, table, key, explanation);
}

/* Writes the summary if it has changed. */
static void
publish_summary(struct publisher *publisher,
                const struct publisher_figures *figures)
{
    struct number counts[N_ROW_STATES];
    struct number numbers[] = {
        {.name = "config_generation", .value = figures->config_generation},
        {.name = "applied_generation", .value = figures->applied_generation},
        {.name = "mmu_size", .value = name_maps_mmu_size(publisher->maps)},
        {.name = "occupied", .value = figures->occupied_bytes},
    };
    bool ready = publisher->n_pools == publisher->n_pools_applied;
    struct field fields[N_ROW_STATES + 13];
    struct text said = {0};
    size_t n = 0;

    for (size_t i = 0; i < N_ROW_STATES; i++) {
        counts[i].name = row_state_name((enum row_state)i);
        counts[i].value = publisher->n_states[i];
    }
    add_numbers(fields, &n, counts, N_ROW_STATES);
    add_numbers(fields, &n, numbers, 4);
    fields[n++] = (struct field){"buffer_model", publisher->buffer_model};
    fields[n++] =
        (struct field){"shp", shared_headroom_name(publisher, figures)};
    fields[n++] = (struct field){"pools_ready", ready ? "true" : "false"};
    fields[n++] = (struct field){"last_error", publisher->last_error};
    fields[n++] = (struct field){"hold", figures->hold};
    for (size_t i = 0; i < n; i++) {
        text_add(&said, fields[i].value);
        text_add_char(&said, '\n');
    }
    if (strcmp(text_string(&said), text_string(&publisher->summary)) != 0) {
        write_summary(publisher, figures, fields, n);
        text_clear(&publisher->summary);
        text_add(&publisher->summary, text_string(&said));
    }
    text_fini(&said);
}

void
publisher_drifted(void *publisher_, const struct compare_difference *difference,
                  enum drift_remedy remedy)
{
    struct publisher *publisher = publisher_;

    drifts_add(publisher->drifts, difference, remedy);
}

void
publisher_object_checked(void *publisher_, const struct object *object,
                         size_t n, bool settled)
{
    struct publisher *publisher = publisher_;
    static const char *const remedies[] = {
        [DRIFT_LEFT] = "",
        [DRIFT_REPAIRED] = "; orchd repairs it",
        [DRIFT_IMPOSSIBLE] = ("; orchd cannot repair it: only the device "
                              "creates such objects"),
    };
    const char *remedy = remedies[drifts_remedy(publisher->drifts)];
    const enum drifts_news news =
        drifts_end(publisher->drifts, object, settled, timestamp(publisher));
    static const char *const states[][2] = {
        [DRIFTS_BEGUN] = {"as-intended", "drifted"},
        [DRIFTS_OVER] = {"drifted", "as-intended"},
    };
    struct event event = {.time = timestamp(publisher),
                          .table = table_name(object->name.table)};
    char reason[192];

    if (news == DRIFTS_NOTHING_NEW) {
        return;
    }
    text_format(reason, sizeof reason,
                "%zu attribute%s on the ASIC differ%s from what orchd set%s", n,
                n == 1 ? "" : "s", n == 1 ? "s" : "", remedy);
    event.key = object->id + strlen(event.table) + 1;
    event.old = states[news][0];
    event.new = states[news][1];
    event.reason = n ? reason : "the ASIC is as intended again";
    events_add(publisher->events, &event);
    log_write(publisher->log, n ? LOG_WARN : LOG_INFO, "drift", object->id,
              "%s", event.reason);
}

void
publisher_round_checked(void *publisher_)
{
    struct publisher *publisher = publisher_;

    drifts_end_round(publisher->drifts);
}

const struct poller *
publisher_poller(const struct publisher *publisher)
{
    return counters_poller(publisher->counters);
}

const struct port_rates *
publisher_ports(const struct publisher *publisher)
{
    return counters_ports(publisher->counters);
}

const struct watermarks *
publisher_watermarks(const struct publisher *publisher)
{
    return counters_watermarks(publisher->counters);
}

size_t
publisher_n_drifted(const struct publisher *publisher)
{
    return drifts_count(publisher->drifts);
}

const char *const publisher_channels[] = {COUNTERS_CLEAR_CHANNEL, NULL};

void
publisher_message(struct publisher *publisher, const char *channel,
                  const char *payload)
{
    if (!strcmp(channel, COUNTERS_CLEAR_CHANNEL)) {
        counters_clear_request(publisher->counters, payload);
    }
}

/* Returns whether the set of ports is known. */
static enum port_states_knowledge
knowledge_of(const struct publisher_figures *figures)
{
    return figures->no_switch ? PORT_STATES_NO_SWITCH
           : !*figures->hold &&
                   figures->config_generation == figures->applied_generation
               ? PORT_STATES_COMPLETE
               : PORT_STATES_UNKNOWN;
}

bool
publisher_turn(struct publisher *publisher,
               const struct publisher_figures *figures)
{
    asic_mirror_flush(publisher->mirror);
    asic_maps_flush(publisher->asic_maps);
    name_maps_turn(publisher->maps);
    events_flush(publisher->events);
    publish_summary(publisher, figures);
    port_states_turn(publisher->port_states, knowledge_of(figures));
    return counters_turn(publisher->counters, loop_now(publisher->loop));
}
