/* SPDX-License-Identifier: Apache-2.0 */

/* Reads the values that the poller has stored. */

#include <config.h>

#include "orchd/daemon/counters_json.h"

#include <string.h>

#include "base/pfc.h"
#include "orchd/publish/publish.h"
#include "orchd/telemetry/polling/poller.h"
#include "orchd/telemetry/polling/watermarks.h"
#include "orchd/telemetry/port_rates.h"

struct list_request {
    const struct publisher *publisher;
    const char *name; /* NULL: all. */
    json_t *list;
};

static json_t *
run(const struct publisher *publisher, const char *name,
    const sai_object_type_t *types, size_t n,
    void (*visit)(void *request, const struct polled_object *object))
{
    struct list_request request = {publisher, name, json_array()};

    for (size_t i = 0; i < n; i++) {
        poller_each(publisher_poller(publisher), types[i], visit, &request);
    }
    return request.list;
}

static bool
is_wanted(const struct list_request *request,
          const struct polled_object *object)
{
    return !request->name || !strcmp(request->name, object->id.name);
}

static void
add_pause(struct list_request *request, const struct polled_object *port,
          int priority, bool sent, const struct pause_history *history)
{
    json_t *histogram = json_array();
    uint64_t frames = 0;

    (void)port_rates_frames(port, priority, sent, &frames);
    for (int i = 0; i < PAUSE_BUCKETS; i++) {
        json_array_append_new(histogram,
                              json_integer((json_int_t)history->buckets[i]));
    }
    json_array_append_new(
        request->list,
        json_pack("{s:s, s:i, s:s, s:I, s:I, s:I, s:I, s:I, s:b, s:o}", "port",
                  port->id.name, "priority", priority, "direction",
                  sent ? "sent" : "received", "frames", (json_int_t)frames,
                  "paused_us", (json_int_t)history->us, "pauses",
                  (json_int_t)history->n, "longest_us",
                  (json_int_t)history->longest_us, "share_ppm",
                  (json_int_t)history->share_ppm, "estimated",
                  (int)history->us_estimated, "histogram", histogram));
}

static void
visit_port(void *request_, const struct polled_object *port)
{
    struct list_request *request = request_;
    const struct port_sums *sums =
        port_rates_get(publisher_ports(request->publisher), port->id.oid);

    if (!sums || !is_wanted(request, port)) {
        return;
    }
    for (int i = 0; i < PFC_N_PRIORITIES; i++) {
        add_pause(request, port, i, false, &sums->received[i]);
        add_pause(request, port, i, true, &sums->sent[i]);
    }
}

static void
visit_drops(void *request_, const struct polled_object *port)
{
    struct list_request *request = request_;
    const struct port_rates *port_rates = publisher_ports(request->publisher);
    const struct drop_source *source = port_rates_drops(port_rates);
    const struct port_sums *sums = port_rates_get(port_rates, port->id.oid);

    for (uint32_t i = 0; sums && is_wanted(request, port) && i < source->n;
         i++) {
        json_array_append_new(
            request->list,
            json_pack("{s:s, s:s, s:I}", "port", port->id.name, "reason",
                      source->names[i], "packets", (json_int_t)sums->drops[i]));
    }
}

json_t *
counters_json_drops(const struct publisher *publisher, const char *name)
{
    static const sai_object_type_t types[] = {SAI_OBJECT_TYPE_PORT};

    return run(publisher, name, types, 1, visit_drops);
}

json_t *
counters_json_pauses(const struct publisher *publisher, const char *name)
{
    static const sai_object_type_t types[] = {SAI_OBJECT_TYPE_PORT};

    return run(publisher, name, types, 1, visit_port);
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

static json_int_t
watermark(const struct list_request *request, enum watermark_table table,
          const struct polled_object *object, sai_stat_id_t id)
{
    return (json_int_t)watermarks_get(publisher_watermarks(request->publisher),
                                      table, object->id.oid, id);
}

static void
visit_object(void *request_, const struct polled_object *object)
{
    struct list_request *request = request_;
    const struct polled_object_id *id = &object->id;

    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        const struct mark *mark = &marks[i];
        uint64_t last;
        json_t *json;

        if (mark->type != id->type || !is_wanted(request, object) ||
            !polled_object_value(object, mark->group, mark->id, &last)) {
            continue;
        }
        json = json_pack(
            "{s:s, s:s, s:s, s:I, s:I, s:I, s:I}", "name", id->name, "kind",
            mark->kind, "class", mark->class, "last", (json_int_t)last, "user",
            watermark(request, WATERMARK_USER, object, mark->id), "persistent",
            watermark(request, WATERMARK_PERSISTENT, object, mark->id),
            "periodic",
            watermark(request, WATERMARK_PERIODIC, object, mark->id));
        if (id->type != SAI_OBJECT_TYPE_BUFFER_POOL) {
            json_object_set_new(json, "index",
                                json_integer((json_int_t)id->index));
        }
        json_array_append_new(request->list, json);
    }
}

json_t *
counters_json_watermarks(const struct publisher *publisher, const char *name)
{
    static const sai_object_type_t types[] = {
        SAI_OBJECT_TYPE_BUFFER_POOL, SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP,
        SAI_OBJECT_TYPE_QUEUE};

    return run(publisher, name, types, 3, visit_object);
}
