/* SPDX-License-Identifier: Apache-2.0 */

/* Reads counters from the switch, and the values that the poller has stored. */

#include <config.h>

#include "orchd/daemon/counters_json.h"

#include <string.h>

#include "base/pfc.h"
#include "orchd/publish/publish.h"
#include "orchd/telemetry/polling/live_counters.h"
#include "orchd/telemetry/polling/watermarks.h"
#include "orchd/telemetry/port_rates.h"
#include "process/wallclock.h"

struct list_request {
    const struct publisher *publisher;
    const char *name; /* NULL: all. */
    json_t *list;
};

static bool
is_wanted(const struct list_request *request,
          const struct polled_object *object)
{
    return !request->name || !strcmp(request->name, object->id.name);
}

static bool
is_polled(const struct publisher *publisher, enum counter_group group)
{
    struct poller_figures figures;

    poller_figures(publisher_poller(publisher), group, &figures);
    return figures.enabled;
}

/* Returns 'value', null if it is not known. */
static json_t *
number(bool known, uint64_t value)
{
    return known ? json_integer((json_int_t)value) : json_null();
}

/* Adds to 'item' that 'group' is not polled, if so. */
static void
add_not_polled(const struct list_request *request, enum counter_group group,
               json_t *item)
{
    if (!is_polled(request->publisher, group)) {
        json_object_set_new(item, "not_polled",
                            json_string(counter_group_info(group)->name));
    }
}

/* Returns a histogram; null without a history. */
static json_t *
histogram_of(const struct pause_history *history)
{
    json_t *histogram = history ? json_array() : json_null();

    for (int i = 0; history && i < PAUSE_BUCKETS; i++) {
        json_array_append_new(histogram,
                              json_integer((json_int_t)history->buckets[i]));
    }
    return histogram;
}

/* Returns when the last pause of 'history' began, null if there was none. */
static json_t *
recent_at(const struct pause_history *history)
{
    char text[WALLCLOCK_SIZE];

    if (!history || !history->recent_ns) {
        return json_null();
    }
    wallclock_format(history->recent_ns, text);
    return json_string(text);
}

/* Adds the pauses of one priority in one direction; 'history' is NULL if they
 * are not polled. */
static void
add_pause(struct list_request *request, const struct live_reading *port,
          int priority, bool sent, const struct pause_history *history)
{
    static const struct pause_history none;
    const struct pause_history *polled = history ? history : &none;
    struct pause_reading now;
    const bool counted = port_rates_live(port, priority, sent, &now);
    json_t *item = json_object();

    json_object_set_new(item, "port", json_string(port->object->id.name));
    json_object_set_new(item, "priority", json_integer(priority));
    json_object_set_new(item, "direction",
                        json_string(sent ? "sent" : "received"));
    json_object_set_new(item, "frames", number(counted, now.frames));
    json_object_set_new(
        item, "paused_us",
        number(now.us_known || history, now.us_known ? now.us : polled->us));
    json_object_set_new(item, "pauses",
                        number(now.ends_known || history,
                               now.ends_known ? now.ends : polled->n));
    json_object_set_new(item, "longest_us",
                        number(history, polled->longest_us));
    json_object_set_new(item, "recent_us", number(history, polled->recent_us));
    json_object_set_new(item, "recent_at", recent_at(history));
    json_object_set_new(item, "share_ppm", number(history, polled->share_ppm));
    json_object_set_new(item, "estimated",
                        now.us_known ? json_false()
                        : history    ? json_boolean(polled->us_estimated)
                                     : json_null());
    json_object_set_new(item, "histogram", histogram_of(history));
    add_not_polled(request, COUNTER_GROUP_PORT, item);
    json_array_append_new(request->list, item);
}

static void
visit_port(void *request_, const struct live_reading *port)
{
    struct list_request *request = request_;
    const struct polled_reading *reading =
        polled_object_reading(port->object, COUNTER_GROUP_PORT);
    const struct port_sums *sums = NULL;

    if (reading && reading->known &&
        is_polled(request->publisher, COUNTER_GROUP_PORT)) {
        sums = port_rates_get(publisher_ports(request->publisher),
                              port->object->id.oid);
    }
    for (int i = 0; i < PFC_N_PRIORITIES; i++) {
        add_pause(request, port, i, false, sums ? &sums->received[i] : NULL);
        add_pause(request, port, i, true, sums ? &sums->sent[i] : NULL);
    }
}

json_t *
counters_json_pauses(const struct publisher *publisher, const char *name)
{
    struct list_request request = {publisher, name, json_array()};

    live_counters_read(publisher_poller(publisher), COUNTER_GROUP_PORT, name,
                       visit_port, &request);
    return request.list;
}

static void
visit_drops(void *request_, const struct polled_object *port)
{
    struct list_request *request = request_;
    const struct drop_source *source =
        port_rates_drops(publisher_ports(request->publisher));
    uint64_t packets[PORT_RATES_REASONS];

    if (!source->n || !is_wanted(request, port) ||
        !source->read(source->context, port->id.oid, packets)) {
        return;
    }
    for (uint32_t i = 0; i < source->n; i++) {
        json_array_append_new(
            request->list,
            json_pack("{s:s, s:s, s:I}", "port", port->id.name, "reason",
                      source->names[i], "packets", (json_int_t)packets[i]));
    }
}

json_t *
counters_json_drops(const struct publisher *publisher, const char *name)
{
    struct list_request request = {publisher, name, json_array()};

    poller_each(publisher_poller(publisher), SAI_OBJECT_TYPE_PORT, visit_drops,
                &request);
    return request.list;
}

/* The counters that are watermarks, with their names in JSON. */
static const struct mark {
    enum counter_group group;
    sai_object_type_t type;
    sai_stat_id_t id;
    const char *kind, *class;
} marks[] = {
    {COUNTER_GROUP_PG_WATERMARK, SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP,
     SAI_INGRESS_PRIORITY_GROUP_STAT_SHARED_WATERMARK_BYTES, "pg", "shared"},
    {COUNTER_GROUP_PG_WATERMARK, SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP,
     SAI_INGRESS_PRIORITY_GROUP_STAT_XOFF_ROOM_WATERMARK_BYTES, "pg",
     "headroom"},
    {COUNTER_GROUP_QUEUE_WATERMARK, SAI_OBJECT_TYPE_QUEUE,
     SAI_QUEUE_STAT_SHARED_WATERMARK_BYTES, "queue", "shared"},
    {COUNTER_GROUP_BUFFER_POOL_WATERMARK, SAI_OBJECT_TYPE_BUFFER_POOL,
     SAI_BUFFER_POOL_STAT_WATERMARK_BYTES, "pool", "shared"},
    {COUNTER_GROUP_BUFFER_POOL_WATERMARK, SAI_OBJECT_TYPE_BUFFER_POOL,
     SAI_BUFFER_POOL_STAT_XOFF_ROOM_WATERMARK_BYTES, "pool", "headroom"},
};

/* Returns a watermark that orchd keeps; null if 'mark' is not polled. */
static json_t *
kept(const struct list_request *request, enum watermark_table table,
     const struct polled_object *object, const struct mark *mark)
{
    return number(is_polled(request->publisher, mark->group),
                  watermarks_get(publisher_watermarks(request->publisher),
                                 table, object->id.oid, mark->id));
}

/* Adds a watermark of 'object', which was 'last' when it was read. */
static void
add_watermark(struct list_request *request, const struct polled_object *object,
              const struct mark *mark, uint64_t last)
{
    const struct polled_object_id *id = &object->id;
    json_t *item = json_pack(
        "{s:s, s:s, s:s, s:I, s:o, s:o, s:o}", "name", id->name, "kind",
        mark->kind, "class", mark->class, "last", (json_int_t)last, "user",
        kept(request, WATERMARK_USER, object, mark), "persistent",
        kept(request, WATERMARK_PERSISTENT, object, mark), "periodic",
        kept(request, WATERMARK_PERIODIC, object, mark));

    if (id->type != SAI_OBJECT_TYPE_BUFFER_POOL) {
        json_object_set_new(item, "index", json_integer((json_int_t)id->index));
    }
    add_not_polled(request, mark->group, item);
    json_array_append_new(request->list, item);
}

#define N_MARKS (sizeof marks / sizeof *marks)

static void
visit_polled(void *request_, const struct polled_object *object)
{
    struct list_request *request = request_;

    for (size_t i = 0; is_wanted(request, object) && i < N_MARKS; i++) {
        uint64_t last;

        if (marks[i].type == object->id.type &&
            polled_object_value(object, marks[i].group, marks[i].id, &last)) {
            add_watermark(request, object, &marks[i], last);
        }
    }
}

static void
visit_live(void *request_, const struct live_reading *reading)
{
    struct list_request *request = request_;

    for (size_t i = 0; i < N_MARKS; i++) {
        uint64_t now;

        if (marks[i].type == reading->object->id.type &&
            live_counters_value(reading, marks[i].id, &now)) {
            add_watermark(request, reading->object, &marks[i], now);
        }
    }
}

json_t *
counters_json_watermarks(const struct publisher *publisher, const char *name)
{
    static const enum counter_group groups[] = {
        COUNTER_GROUP_BUFFER_POOL_WATERMARK, COUNTER_GROUP_PG_WATERMARK,
        COUNTER_GROUP_QUEUE_WATERMARK};
    const struct poller *poller = publisher_poller(publisher);
    struct list_request request = {publisher, name, json_array()};

    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        if (is_polled(publisher, groups[i])) {
            poller_each(poller, counter_group_info(groups[i])->type,
                        visit_polled, &request);
        } else {
            live_counters_read(poller, groups[i], name, visit_live, &request);
        }
    }
    return request.list;
}
