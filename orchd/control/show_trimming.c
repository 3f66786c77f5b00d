/* SPDX-License-Identifier: Apache-2.0 */

/* Reads the counters of trimming. */

#include <config.h>

#include "orchd/control/show_trimming.h"

#include "orchd/control/command.h"
#include "orchd/control/show_walk.h"
#include "orchd/reconcile/graph.h"
#include "orchd/switch/switch_query.h"

/* The counters of a type; -1: it has none. */
struct ids {
    sai_object_type_t type;
    int64_t trimmed, sent, dropped;
};

static const struct ids switch_ids = {SAI_OBJECT_TYPE_SWITCH, -1,
                                      SAI_SWITCH_STAT_TX_TRIM_PACKETS,
                                      SAI_SWITCH_STAT_DROPPED_TRIM_PACKETS};

static const struct ids port_ids = {
    SAI_OBJECT_TYPE_PORT, SAI_PORT_STAT_TRIM_PACKETS,
    SAI_PORT_STAT_TX_TRIM_PACKETS, SAI_PORT_STAT_DROPPED_TRIM_PACKETS};

static const struct ids queue_ids = {
    SAI_OBJECT_TYPE_QUEUE, SAI_QUEUE_STAT_TRIM_PACKETS,
    SAI_QUEUE_STAT_TX_TRIM_PACKETS, SAI_QUEUE_STAT_DROPPED_TRIM_PACKETS};

/* The same as show_counter(); false, too, if 'id' is -1. */
static bool
read_counter(const struct show *show, const struct ids *ids,
             sai_object_id_t oid, int64_t id, uint64_t *value)
{
    return id >= 0 &&
           show_counter(show, ids->type, oid, (sai_stat_id_t)id, value);
}

/* Adds the counters of one object, called 'of', to the list; of a queue only if
 * it has trimmed. */
static void
add(const struct show *show, const struct ids *ids, sai_object_id_t oid,
    const char *of, int index)
{
    uint64_t trimmed = 0, sent = 0, dropped = 0;
    const bool has_trimmed =
        read_counter(show, ids, oid, ids->trimmed, &trimmed);
    const bool has_sent = read_counter(show, ids, oid, ids->sent, &sent);
    const bool has_dropped =
        read_counter(show, ids, oid, ids->dropped, &dropped);
    json_t *item;

    if (index >= 0 && !trimmed) {
        return;
    }
    item = json_pack("{s:s}", "of", of);
    json_object_set_new(item, "queue",
                        index >= 0 ? json_integer(index) : json_null());
    json_object_set_new(item, "trimmed", show_count(has_trimmed, trimmed));
    json_object_set_new(item, "sent", show_count(has_sent, sent));
    json_object_set_new(item, "dropped", show_count(has_dropped, dropped));
    json_object_set_new(item, "waiting",
                        show_count(has_trimmed && has_sent && has_dropped &&
                                       trimmed >= sent &&
                                       trimmed - sent >= dropped,
                                   trimmed - sent - dropped));
    json_array_append_new(show->list, item);
}

static void
visit(void *context, const struct object *object)
{
    const struct show *show = context;
    sai_object_id_t oids[SWITCH_QUERY_CHILDREN_MAX];
    uint32_t n;

    if (object->type == SAI_OBJECT_TYPE_SWITCH) {
        add(show, &switch_ids, object->oid, "switch", -1);
        return;
    }
    add(show, &port_ids, object->oid, object->name.name, -1);
    n = switch_query_children(show->context->query, object->oid,
                              SWITCH_QUERY_QUEUE, oids);
    for (uint32_t i = 0; i < n; i++) {
        add(show, &queue_ids, oids[i], object->name.name, (int)i);
    }
}

void
show_trimming(struct call *call)
{
    static const enum table all[] = {TABLE_DEVICE_METADATA, TABLE_PORT};
    static const enum table ports[] = {TABLE_PORT};
    const char *only = call_text(call, "name", NULL);
    const struct show show = {.context = call->context,
                              .only = only,
                              .tables = only ? ports : all,
                              .n_tables = only ? 1 : 2};
    struct err err = {0};

    if (switch_query_check(call->context->query, &err)) {
        call_end(call, &err, NULL);
        return;
    }
    show_run(call, &show, "trimming", visit);
}
