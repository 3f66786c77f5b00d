/* SPDX-License-Identifier: Apache-2.0 */

/* Internal rows, overlays, and whether SAI accepted them. */

#include <config.h>

#include "orchd/reconcile/watchdog_effects.h"

#include <stddef.h>
#include <string.h>

#include "base/text.h"
#include "orchd/intent/intent.h"
#include "orchd/reconcile/graph.h"
#include "orchd/reconcile/overlay.h"
#include "orchd/reconcile/source.h"
#include "orchd/watchdog/detection/watchdog.h"

/* The space makes them keys that no user-owned row can have. */
static const char zero_pool[] = "pfc-watchdog pool";
static const char zero_profile[] = "pfc-watchdog profile";

/* All attributes of a port that may hold a mask of priorities: which ones apply
 * depends on whether its PFC is asymmetric. */
static const sai_attr_id_t masks[] = {
    SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL,
    SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL_RX,
    SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL_TX,
};

enum { N_MASKS = sizeof masks / sizeof *masks };

/* Adds or removes an internal row, unless that was done already. */
static void
put(struct graph *graph, const struct row *template, bool there, int64_t now_ns)
{
    const struct source *source =
        graph_find_source(graph, template->table, template->key);
    struct row row = *template;

    if (there == (source && source->present)) {
        return;
    }
    row.present = row.effective = there;
    row.verdict = ROW_ACCEPTED;
    row.warnings = "";
    row.generated = true;
    row.form = ROW_OVERRIDING;
    if (!there) {
        row.fields = NULL;
        row.n_fields = 0;
    }
    source_put_row(graph, &row, now_ns);
}

/* Adds or removes the profile that admits nothing. */
static void
put_zero(struct graph *graph, bool there, int64_t now_ns)
{
    /* Sorted by name, as all fields in force. */
    static const struct field pool_fields[] = {
        {"mode", "dynamic"}, {"size", "0"}, {"type", "egress"}};
    static const struct field profile_fields[] = {
        {"dynamic_th", "-8"}, {"pool", zero_pool}, {"size", "0"}};
    const struct row pool = {.table = TABLE_BUFFER_POOL,
                             .key = zero_pool,
                             .fields = pool_fields,
                             .n_fields = 3};
    const struct row profile = {.table = TABLE_BUFFER_PROFILE,
                                .key = zero_profile,
                                .fields = profile_fields,
                                .n_fields = 3};

    put(graph, &pool, there, now_ns);
    put(graph, &profile, there, now_ns);
}

static void
put_binding(struct graph *graph, const struct watchdog_queue *queue,
            int64_t now_ns)
{
    static const struct field fields[] = {{"profile", zero_profile}};
    struct text key = {0};
    struct row row = {.table = TABLE_BUFFER_QUEUE,
                      .ports = &queue->port,
                      .n_ports = 1,
                      .first = queue->index,
                      .last = queue->index,
                      .fields = fields,
                      .n_fields = 1};

    text_addf(&key, "%s|%u pfc-watchdog", queue->port, queue->index);
    row.key = text_string(&key);
    put(graph, &row, queue->effect.zero_buffer, now_ns);
    text_fini(&key);
}

static struct object_name
queue_name(const struct watchdog_queue *queue)
{
    return (struct object_name){queue->port, TABLE_BUFFER_QUEUE,
                                (int)queue->index};
}

void
watchdog_effects_apply(struct watchdog *watchdog, struct graph *graph,
                       int64_t now_ns)
{
    put_zero(graph, watchdog_needs_zero(watchdog), now_ns);
    for (const struct watchdog_queue *queue = watchdog_queues(watchdog); queue;
         queue = queue->next) {
        const struct object_name port = {queue->port, TABLE_PORT, -1};
        const struct object_name name = queue_name(queue);

        for (int i = 0; i < N_MASKS; i++) {
            overlay_bit(graph, &port, masks[i], queue->index,
                        queue->effect.pfc_off);
        }
        overlay_flag(graph, &name, SAI_QUEUE_ATTR_PFC_DLR_INIT,
                     queue->effect.recovery);
        put_binding(graph, queue, now_ns);
    }
}

static const struct object *
find(const struct graph *graph, const struct object_name *name)
{
    const struct object *object = graph_find_object(graph, name);

    return object && object_exists(object) ? object : NULL;
}

/* Returns whether a mask of the port of 'queue' has the bit of its priority. */
static bool
has_bit(const struct graph *graph, const struct watchdog_queue *queue)
{
    const struct object_name name = {queue->port, TABLE_PORT, -1};
    const struct object *port = find(graph, &name);

    for (int i = 0; port && i < N_MASKS; i++) {
        const sai_attribute_value_t *value = object_value(port, masks[i]);

        if (value && value->u8 >> queue->index & 1) {
            return true;
        }
    }
    return false;
}

/* Returns whether 'queue' is bound to the profile that admits nothing. */
static bool
is_zero(const struct object *queue)
{
    const struct object *profile =
        object_target(queue, SAI_QUEUE_ATTR_BUFFER_PROFILE_ID);

    return profile && !strcmp(profile->name.name, zero_profile);
}

static bool
recovers(const struct object *queue)
{
    const sai_attribute_value_t *value =
        object_value(queue, SAI_QUEUE_ATTR_PFC_DLR_INIT);

    return value && value->booldata;
}

bool
watchdog_effects_check(struct watchdog *watchdog, const struct graph *graph)
{
    bool refused = false;

    for (struct watchdog_queue *queue = watchdog_queues(watchdog); queue;
         queue = queue->next) {
        const struct object_name name = queue_name(queue);
        const struct object *object = find(graph, &name);

        if (!object) {
            continue; /* Its port does not exist: nothing was tried. */
        }
        if ((queue->effect.zero_buffer && !is_zero(object)) ||
            (queue->effect.recovery && !recovers(object))) {
            watchdog_refuse(watchdog, queue, false);
            refused = true;
        } else if (queue->effect.pfc_off && has_bit(graph, queue)) {
            watchdog_refuse(watchdog, queue, true);
            refused = true;
        }
    }
    return refused;
}

bool
watchdog_effects_pfc_is_off(const struct graph *graph,
                            const struct watchdog_queue *queue)
{
    return queue->effect.pfc_off && !has_bit(graph, queue);
}

bool
watchdog_effects_are_undone(const struct graph *graph,
                            const struct watchdog_queue *queue)
{
    const struct object_name name = queue_name(queue);
    const struct object *object = find(graph, &name);

    return !object || (!is_zero(object) && !recovers(object));
}
