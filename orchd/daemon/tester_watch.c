/* SPDX-License-Identifier: Apache-2.0 */

/* The last report about testers. */

#include <config.h>

#include "orchd/daemon/tester_watch.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/text.h"
#include "process/log.h"
#include "process/wallclock.h"
#include "sai/core/metadata.h"
#include "sai/core/serialize.h"
#include "sai/remote/tester_report.h"
#include "sai/remote/testers_table.h"
#include "sai/stack/notifications.h"

#define NS_PER_S INT64_C(1000000000)

/* Attributes left by testers in one round; more are not excused. */
enum { LEFT_MAX = 4096 };

/* An attribute that a tester has set. */
struct excuse {
    sai_object_id_t oid;
    sai_attr_id_t id;
};

struct excuses {
    struct excuse *list;
    size_t n, capacity;
};

struct tester_watch {
    struct log *log;
    const struct testers_table *table; /* NULL: no host. */
    json_t *connected;                 /* As tester_watch_json() says. */
    struct excuses held;               /* By testers that are connected. */
    struct excuses left;               /* By others, in this round. */
};

/* A report that is being read. */
struct reading {
    struct tester_watch *watch;
    json_t *connected;
    json_t *changes; /* Of the entry; NULL: it has disconnected. */
};

struct tester_watch *
tester_watch_create(struct log *log)
{
    struct tester_watch *watch = check_calloc(1, sizeof *watch);

    watch->log = log;
    watch->connected = json_array();
    return watch;
}

void
tester_watch_destroy(struct tester_watch *watch)
{
    if (watch) {
        json_decref(watch->connected);
        free(watch->held.list);
        free(watch->left.list);
        free(watch);
    }
}

void
tester_watch_attach(struct tester_watch *watch, void *symbol)
{
    testers_table_fn *get_table;

    watch->table = NULL;
    watch->held.n = watch->left.n = 0;
    json_array_clear(watch->connected);
    if (symbol) {
        memcpy(&get_table, &symbol, sizeof get_table);
        watch->table = get_table(TESTERS_TABLE_VERSION);
    }
    if (watch->table) {
        watch->table->watch(notifications_on_testers);
    }
}

static void
excuse(struct excuses *excuses, const struct tester_change *change)
{
    if (excuses->n == excuses->capacity) {
        excuses->capacity = excuses->capacity ? 2 * excuses->capacity : 16;
        excuses->list = check_realloc(excuses->list, excuses->capacity *
                                                         sizeof *excuses->list);
    }
    excuses->list[excuses->n++] =
        (struct excuse){change->oid, change->attribute};
}

/* A tester_entry_fn. */
static void
on_entry(void *reading_, const struct tester_entry *entry)
{
    struct reading *reading = reading_;
    char since[WALLCLOCK_SIZE];
    json_t *name = json_string(entry->name);

    reading->changes = NULL;
    if (!entry->connected) {
        log_write(reading->watch->log, entry->n_changes ? LOG_WARN : LOG_INFO,
                  "tester-gone", entry->name,
                  "the tester has disconnected; %u change%s of it stay%s, and "
                  "%s drift from now on",
                  entry->n_changes, text_plural(entry->n_changes),
                  entry->n_changes == 1 ? "s" : "",
                  entry->n_changes ? "count as" : "nothing is");
        json_decref(name);
        return;
    }
    wallclock_format((int64_t)entry->since_s * NS_PER_S, since);
    reading->changes = json_array();
    json_array_append_new(reading->connected,
                          json_pack("{s:o, s:s, s:o}", "name",
                                    name ? name : json_string("?"), "since",
                                    since, "changes", reading->changes));
}

/* A tester_change_fn. */
static void
on_change(void *reading_, const struct tester_change *change)
{
    struct reading *reading = reading_;
    struct tester_watch *watch = reading->watch;
    const struct metadata_attribute *meta =
        metadata_attribute(change->type, change->attribute);
    struct text text = {0};

    if (!change->is_object && reading->changes) {
        excuse(&watch->held, change);
    } else if (!change->is_object && watch->left.n < LEFT_MAX) {
        excuse(&watch->left, change);
    }
    if (reading->changes) {
        serialize_oid(change->oid, &text);
        if (change->is_object) {
            text_addf(&text, " %s created", metadata_type_name(change->type));
        } else {
            text_addf(&text, " %s=%s", meta ? meta->name : "?", change->after);
        }
        json_array_append_new(reading->changes,
                              json_string(text_string(&text)));
        text_fini(&text);
    }
}

/* Returns whether 'list' has the tester 'entry'. */
static bool
has_tester(const json_t *list, const json_t *entry)
{
    json_t *other;
    size_t i;

    json_array_foreach(list, i, other)
    {
        if (json_equal(json_object_get(other, "name"),
                       json_object_get(entry, "name")) &&
            json_equal(json_object_get(other, "since"),
                       json_object_get(entry, "since"))) {
            return true;
        }
    }
    return false;
}

/* Writes to the log which testers are new. */
static void
announce(const struct tester_watch *watch, const json_t *connected)
{
    json_t *entry;
    size_t i;

    json_array_foreach(connected, i, entry)
    {
        if (!has_tester(watch->connected, entry)) {
            log_write(watch->log, LOG_INFO, "tester-connected",
                      json_string_value(json_object_get(entry, "name")),
                      "a tester changes the switch beside orchd; what it sets "
                      "is not drift while it is connected");
        }
    }
}

void
tester_watch_update(struct tester_watch *watch)
{
    struct wire_out report = {0};
    struct reading reading = {.watch = watch};
    struct wire_in in;

    if (!watch->table || watch->table->report(&report) != SAI_STATUS_SUCCESS) {
        wire_out_fini(&report);
        return;
    }
    in = (struct wire_in){report.bytes, report.length, false};
    reading.connected = json_array();
    watch->held.n = 0;
    (void)tester_report_read(&in, on_entry, on_change, &reading);
    announce(watch, reading.connected);
    json_decref(watch->connected);
    watch->connected = reading.connected;
    wire_out_fini(&report);
}

static bool
has_excuse(const struct excuses *excuses, sai_object_id_t oid, sai_attr_id_t id)
{
    for (size_t i = 0; i < excuses->n; i++) {
        if (excuses->list[i].oid == oid && excuses->list[i].id == id) {
            return true;
        }
    }
    return false;
}

bool
tester_watch_excuses(void *watch_, sai_object_id_t oid, sai_attr_id_t id)
{
    struct tester_watch *watch = watch_;

    tester_watch_update(watch);
    return has_excuse(&watch->held, oid, id) ||
           has_excuse(&watch->left, oid, id);
}

void
tester_watch_end_round(struct tester_watch *watch)
{
    watch->left.n = 0;
}

json_t *
tester_watch_json(const struct tester_watch *watch)
{
    return json_incref(watch->connected);
}
