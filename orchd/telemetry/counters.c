/* SPDX-License-Identifier: Apache-2.0 */

/* Configures the poller, and publishes what it reads. */

#include <config.h>

#include "orchd/telemetry/counters.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/parse.h"
#include "base/text.h"
#include "base/timeline.h"
#include "orchd/db/redis.h"
#include "orchd/reconcile/listener.h"
#include "orchd/telemetry/clear_request.h"
#include "orchd/telemetry/counter_capabilities.h"
#include "orchd/telemetry/counter_rows.h"
#include "orchd/telemetry/polling/poller.h"
#include "orchd/telemetry/polling/watermarks.h"
#include "orchd/telemetry/port_rates.h"
#include "process/log.h"
#include "process/loop.h"
#include "process/wallclock.h"
#include "sai/core/status.h"

#define NS_PER_MS INT64_C(1000000)
#define NS_PER_S  INT64_C(1000000000)

#define TELEMETRY_S    120
#define TELEMETRY_ROW  "TELEMETRY_INTERVAL"
#define RESET_TIME_KEY "WATERMARK_LAST_RESET_TIME"
#define RATES_KEY      "RATES:PORT"
#define STALE_KEYS     "FLEX_COUNTER_TABLE:*"

/* The rows that enable the group of the watchdog and set its interval. */
#define STORMS_SWITCH "PFCWD"
#define STORMS_TIMES  "GLOBAL"
#define STORMS_MS     100

/* A group as CONFIG_DB has it. */
struct setting {
    bool enabled;
    int64_t milliseconds;
    char bulk_chunk_size[16]; /* "": not set. */
    char bulk_chunk_size_per_prefix[256];
    char stale_since[WALLCLOCK_SIZE]; /* "": never disabled. */
};

struct counters {
    struct loop *loop;
    struct log *log;
    struct redis *redis;
    struct poller *poller;
    struct watermarks *watermarks;
    struct port_rates *ports;
    struct counter_capabilities *capabilities;
    struct setting settings[N_COUNTER_GROUPS];
    struct counter_rows_group storms; /* What the watchdog polls. */
    bool republish_pending;           /* Some values wait to be repeated. */
    bool republishing; /* The poller repeats values that were published. */

    int64_t telemetry;       /* Interval. */
    int64_t telemetry_start; /* When it was begun last. */
    struct timer periodic;   /* Pending while watermarks are polled. */
    struct timer due;        /* The next slice. */
};

/* Returns the time of day of this turn as text. */
static const char *
now_text(const struct counters *counters, char *buffer)
{
    wallclock_format(loop_wall(counters->loop), buffer);
    return buffer;
}

/* The listener of the poller ------------------------------------------- */

static bool
is_watermark(enum counter_group group)
{
    return group == COUNTER_GROUP_QUEUE_WATERMARK ||
           group == COUNTER_GROUP_PG_WATERMARK ||
           group == COUNTER_GROUP_BUFFER_POOL_WATERMARK;
}

static void
on_values(void *counters_, const struct polled_object *object,
          const struct counter_list *list, const uint64_t *values,
          const uint64_t *old, const struct polled_time *at,
          const struct polled_time *old_at)
{
    struct counters *counters = counters_;
    const struct polled_object_id *id = &object->id;

    if (id->type == SAI_OBJECT_TYPE_PORT) {
        port_rates_update(counters->ports, id->oid, list, values, old, at,
                          old_at);
    }
    if (list->group == COUNTER_GROUP_PORT_RATES) {
        return; /* Group PORT publishes the same counters. */
    }
    counter_rows_values(counters->redis, id->type, id->oid, list, values, old);
    if (!is_watermark(list->group)) {
        return;
    }
    if (counters->republishing) {
        watermarks_republish(counters->watermarks, id->oid);
    } else {
        for (uint32_t i = 0; i < list->n; i++) {
            watermarks_update(counters->watermarks, id->type, id->kind, id->oid,
                              list->ids[i], values[i]);
        }
    }
}

static void
on_described(void *counters_, const struct polled_object *object,
             const struct counter_list *list, sai_stats_mode_t mode)
{
    struct counters *counters = counters_;

    counter_rows_describe(counters->redis, object->id.type, object->id.oid,
                          list, mode);
}

static void
on_gone(void *counters_, const struct polled_object *object,
        enum counter_group group)
{
    struct counters *counters = counters_;

    counter_rows_undescribe(counters->redis, group, object->id.oid);
}

static void
on_refused(void *counters_, const struct polled_object *object,
           enum counter_group group, const char *names)
{
    struct counters *counters = counters_;
    const sai_object_type_t type = object->id.type;
    const bool of_port = type == SAI_OBJECT_TYPE_QUEUE ||
                         type == SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP;
    char index[12] = "";

    if (of_port) {
        text_format(index, sizeof index, ":%u", object->id.index);
    }
    log_write(counters->log, LOG_INFO, "counters-refused",
              counter_group_info(group)->name,
              "the switch does not support these counters for %s%s and similar "
              "objects, so orchd stops reading them: %s",
              object->id.name, index, names);
}

static void
on_failed(void *counters_, const struct polled_object *object,
          enum counter_group group, sai_status_t status)
{
    struct counters *counters = counters_;
    char name[STATUS_NAME_SIZE];

    log_write(counters->log, LOG_WARN, "counters-failed",
              counter_group_info(group)->name,
              "cannot read the counters of %s: %s; orchd tries again in the "
              "next round",
              object->id.name, status_name(status, name, sizeof name));
}

/* Watermarks ----------------------------------------------------------- */

static void
on_watermark(void *counters_, enum watermark_table table,
             sai_object_type_t type, sai_object_id_t oid, sai_stat_id_t id,
             uint64_t value)
{
    struct counters *counters = counters_;

    counter_rows_watermark(counters->redis, table, type, oid, id, value);
}

/* Publishes that watermarks were cleared now. */
static void
note_reset(struct counters *counters, const char *which)
{
    char now[WALLCLOCK_SIZE];
    const struct field field = {which, now_text(counters, now)};

    redis_hset(counters->redis, COUNTERS_DB, RESET_TIME_KEY, &field, 1);
}

static void
start_telemetry(struct counters *counters, int64_t now)
{
    counters->telemetry_start = now;
    timeline_set(loop_timeline(counters->loop), &counters->periodic,
                 now + counters->telemetry);
}

static void
on_periodic(struct timer *timer, int64_t when)
{
    struct counters *counters = timer->owner;

    watermarks_restart(counters->watermarks, WATERMARK_PERIODIC);
    note_reset(counters, watermark_table_name(WATERMARK_PERIODIC));
    start_telemetry(counters, when);
}

/* Runs the timer while the groups of watermarks are enabled. */
static void
switch_telemetry(struct counters *counters)
{
    const bool wanted =
        counters->settings[COUNTER_GROUP_QUEUE_WATERMARK].enabled ||
        counters->settings[COUNTER_GROUP_PG_WATERMARK].enabled;

    if (!wanted) {
        timeline_cancel(loop_timeline(counters->loop), &counters->periodic);
    } else if (!timer_pending(&counters->periodic)) {
        start_telemetry(counters, loop_now(counters->loop));
    }
}

/* Sets the interval; it also applies to the current interval, from its start.
 */
static void
set_telemetry(struct counters *counters, int64_t seconds)
{
    counters->telemetry = seconds * NS_PER_S;
    if (timer_pending(&counters->periodic)) {
        timeline_set(loop_timeline(counters->loop), &counters->periodic,
                     counters->telemetry_start + counters->telemetry);
    }
}

void
counters_clear_request(struct counters *counters, const char *payload)
{
    enum watermark_table table;
    enum watermark_class class;
    char which[64];
    struct err err;

    if (clear_request_parse(payload, &table, &class, &err)) {
        log_write(counters->log, LOG_WARN, err.code, COUNTERS_CLEAR_CHANNEL,
                  "%s; %s", err.reason, err.remedy);
        return;
    }
    watermarks_clear(counters->watermarks, table, class);
    text_format(which, sizeof which, "%s:%s", watermark_table_name(table),
                watermark_class_name(class));
    note_reset(counters, which);
}

/* Rows of CONFIG_DB ---------------------------------------------------- */

static void
publish_group(struct counters *counters, enum counter_group group)
{
    const struct setting *setting = &counters->settings[group];
    const struct counter_rows_group row = {
        .enabled = setting->enabled,
        .milliseconds = setting->milliseconds,
        .bulk_chunk_size =
            *setting->bulk_chunk_size ? setting->bulk_chunk_size : NULL,
        .bulk_chunk_size_per_prefix = *setting->bulk_chunk_size_per_prefix
                                          ? setting->bulk_chunk_size_per_prefix
                                          : NULL,
        .stale_since = *setting->stale_since ? setting->stale_since : NULL,
    };

    counter_rows_group(counters->redis, group, &row);
}

/* Returns the number in field 'name', or 'otherwise' if there is none. */
static int64_t
number_of(const struct row_status *status, const char *name, int64_t otherwise)
{
    int64_t number = otherwise;

    const char *text = row_status_field(status, name);

    return text && !parse_s64(text, 0, INT32_MAX, &number) ? number : otherwise;
}

/* Returns a field in force, "" if there is none. */
static const char *
field_of(const struct row_status *status, const char *name)
{
    const char *text = row_status_field(status, name);

    return text ? text : "";
}

/* Applies a row about the group of the watchdog, which is enabled by default.
 */
static void
set_storms(struct counters *counters, const struct row_status *status)
{
    if (status->table == TABLE_PFC_WD) {
        counters->storms.milliseconds =
            number_of(status, "POLL_INTERVAL", STORMS_MS);
    } else {
        counters->storms.enabled =
            strcmp(field_of(status, "FLEX_COUNTER_STATUS"), "disable") != 0;
    }
    counter_rows_storms(counters->redis, &counters->storms);
}

/* Applies the row of a group; without fields, its removal. */
static void
set_group(struct counters *counters, const struct row_status *status)
{
    enum counter_group group;
    struct setting *setting;
    bool enabled;

    if (!counter_group_find(status->key, &group)) {
        return; /* Another program polls this group. */
    }
    setting = &counters->settings[group];
    enabled = !strcmp(field_of(status, "FLEX_COUNTER_STATUS"), "enable");
    if (enabled) {
        *setting->stale_since = '\0';
    } else if (setting->enabled) {
        now_text(counters, setting->stale_since);
    }
    setting->enabled = enabled;
    setting->milliseconds = number_of(status, "POLL_INTERVAL",
                                      counter_group_info(group)->milliseconds);
    text_copy(setting->bulk_chunk_size, sizeof setting->bulk_chunk_size,
              field_of(status, "BULK_CHUNK_SIZE"));
    text_copy(setting->bulk_chunk_size_per_prefix,
              sizeof setting->bulk_chunk_size_per_prefix,
              field_of(status, "BULK_CHUNK_SIZE_PER_PREFIX"));
    poller_set(counters->poller, group, enabled,
               setting->milliseconds * NS_PER_MS, loop_now(counters->loop));
    poller_set_slice(counters->poller, group,
                     (uint32_t)number_of(status, "BULK_CHUNK_SIZE", 0));
    publish_group(counters, group);
    switch_telemetry(counters);
}

void
counters_row(struct counters *counters, const struct row_status *status)
{
    if ((status->table == TABLE_FLEX_COUNTER_TABLE &&
         !strcmp(status->key, STORMS_SWITCH)) ||
        (status->table == TABLE_PFC_WD && !strcmp(status->key, STORMS_TIMES))) {
        set_storms(counters, status);
    } else if (status->table == TABLE_FLEX_COUNTER_TABLE) {
        set_group(counters, status);
    } else if (status->table == TABLE_WATERMARK_TABLE &&
               !strcmp(status->key, TELEMETRY_ROW)) {
        set_telemetry(counters, number_of(status, "interval", TELEMETRY_S));
    }
}

void
counters_row_gone(struct counters *counters, const struct row_status *status)
{
    const struct row_status empty = {.table = status->table,
                                     .key = status->key};

    counters_row(counters, &empty);
}

/* Creation and turns ---------------------------------------------------- */

/* Wakes the loop; the turn that follows reads. */
static void
on_due(struct timer *timer, int64_t when)
{
    (void)timer;
    (void)when;
}

struct counters *
counters_create(struct loop *loop, struct log *log, struct redis *redis)
{
    struct counters *counters = check_calloc(1, sizeof *counters);
    const struct poller_listener listener = {.values = on_values,
                                             .described = on_described,
                                             .gone = on_gone,
                                             .refused = on_refused,
                                             .failed = on_failed,
                                             .context = counters};

    counters->loop = loop;
    counters->log = log;
    counters->redis = redis;
    counters->ports = port_rates_create(loop, redis);
    counters->capabilities = counter_capabilities_create(redis);
    counters->poller = poller_create(&listener);
    counters->watermarks = watermarks_create(on_watermark, counters);
    counters->storms =
        (struct counter_rows_group){.enabled = true, .milliseconds = STORMS_MS};
    counters->telemetry = TELEMETRY_S * NS_PER_S;
    counters->periodic.fire = on_periodic;
    counters->periodic.owner = counters;
    counters->due.fire = on_due;
    for (int i = 0; i < N_COUNTER_GROUPS; i++) {
        counters->settings[i].milliseconds =
            counter_group_info((enum counter_group)i)->milliseconds;
    }
    return counters;
}

void
counters_destroy(struct counters *counters)
{
    if (!counters) {
        return;
    }
    timeline_cancel(loop_timeline(counters->loop), &counters->periodic);
    timeline_cancel(loop_timeline(counters->loop), &counters->due);
    port_rates_destroy(counters->ports);
    counter_capabilities_destroy(counters->capabilities);
    watermarks_destroy(counters->watermarks);
    poller_destroy(counters->poller);
    free(counters);
}

void
counters_attach(struct counters *counters, struct sai_backend *backend,
                const struct drop_source *drops,
                const struct poller_clock *clock)
{
    port_rates_set_drops(counters->ports, drops);
    poller_attach(counters->poller, backend);
    poller_set_clock(counters->poller, clock);
    counter_capabilities_attach(counters->capabilities, backend);
}

/* A redis_keep_fn: keeps the descriptions of existing objects.  The values of
 * other objects are removed with their descriptions. */
static bool
keep_description(void *counters_, const char *key)
{
    struct counters *counters = counters_;
    enum counter_group group;
    sai_object_id_t oid = counter_rows_parse_storm(key);

    if (oid != SAI_NULL_OBJECT_ID) {
        return poller_find(counters->poller, oid) != NULL;
    }
    if (!counter_rows_parse(key, &group, &oid)) {
        return true;
    }
    if (poller_find(counters->poller, oid)) {
        return true;
    }
    counter_rows_remove(counters->redis, oid);
    return false;
}

static void
on_swept(void *counters)
{
    (void)counters;
}

void
counters_restart(struct counters *counters)
{
    static const struct field smoothing[] = {{"PORT_SMOOTH_INTERVAL", "10"},
                                             {"PORT_ALPHA", "0.18"}};

    redis_sweep(counters->redis, FLEX_COUNTER_DB, STALE_KEYS, keep_description,
                on_swept, counters);
    redis_hset(counters->redis, COUNTERS_DB, RATES_KEY, smoothing, 2);
    for (int i = 0; i < N_COUNTER_GROUPS; i++) {
        publish_group(counters, (enum counter_group)i);
    }
    counter_rows_storms(counters->redis, &counters->storms);
    counter_capabilities_restart(counters->capabilities);
    poller_republish_begin(counters->poller);
    counters->republish_pending = true;
}

/* Writes the known values of another slice of objects. */
static void
republish_pending(struct counters *counters)
{
    counters->republishing = true;
    counters->republish_pending = poller_republish(counters->poller);
    counters->republishing = false;
}

void
counters_add(struct counters *counters, const struct polled_object_id *id)
{
    (void)poller_add(counters->poller, id);
    counter_capabilities_object(counters->capabilities, id->type, id->oid);
}

void
counters_remove(struct counters *counters, sai_object_id_t oid)
{
    port_rates_gone(counters->ports, oid);
    poller_remove(counters->poller, oid);
    watermarks_gone(counters->watermarks, oid);
    counter_rows_remove(counters->redis, oid);
}

bool
counters_turn(struct counters *counters, int64_t now)
{
    bool more;

    if (counters->republish_pending) {
        republish_pending(counters);
    }
    more = poller_turn(counters->poller, now) || counters->republish_pending;
    if (!more) {
        const int64_t next = poller_next(counters->poller);

        if (next == TIMELINE_NEVER) {
            timeline_cancel(loop_timeline(counters->loop), &counters->due);
        } else {
            timeline_set(loop_timeline(counters->loop), &counters->due, next);
        }
    }
    return more;
}

const struct poller *
counters_poller(const struct counters *counters)
{
    return counters->poller;
}

const struct watermarks *
counters_watermarks(const struct counters *counters)
{
    return counters->watermarks;
}

const struct port_rates *
counters_ports(const struct counters *counters)
{
    return counters->ports;
}

void
counters_port_attribute(struct counters *counters, sai_object_id_t oid,
                        sai_attr_id_t id, const sai_attribute_value_t *value)
{
    port_rates_attribute(counters->ports, oid, id, value);
}
