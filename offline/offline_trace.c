/* SPDX-License-Identifier: Apache-2.0 */

/* Names what the switch reports. */

#include <config.h>

#include "offline/offline_trace.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/text.h"
#include "breakpoint/trace.h"
#include "offline/pipeline.h"
#include "orchd/reconcile/agent.h"
#include "vendors/softasic/watch.h"

/* --- Names --------------------------------------------------------------- */

static const char *
find_name(const struct offline_trace *trace, sai_object_id_t oid)
{
    for (size_t i = 0; i < trace->n_names; i++) {
        if (trace->names[i].oid == oid) {
            return trace->names[i].name;
        }
    }
    return NULL;
}

static void
add_name(struct offline_trace *trace, sai_object_id_t oid, const char *name)
{
    trace->names = check_realloc(trace->names,
                                 (trace->n_names + 1) * sizeof *trace->names);
    trace->names[trace->n_names++] =
        (struct offline_trace_name){oid, check_strdup(name)};
}

/* Adds the name of 'object' if it is a port or a pool. */
static void
take_name(void *context, const struct object *object)
{
    struct offline_trace *trace = context;

    if ((object->type == SAI_OBJECT_TYPE_PORT ||
         object->type == SAI_OBJECT_TYPE_BUFFER_POOL) &&
        object->oid != SAI_NULL_OBJECT_ID && !find_name(trace, object->oid)) {
        add_name(trace, object->oid, object->name.name);
    }
}

/* Returns the name of port or pool 'oid'; one that no row defines has its id as
 * name. */
static const char *
name_of(struct offline_trace *trace, sai_object_id_t oid)
{
    char text[32];

    if (!find_name(trace, oid) && trace->pipeline) {
        agent_each_object(pipeline_agent(trace->pipeline), take_name, trace);
    }
    if (!find_name(trace, oid)) {
        text_format(text, sizeof text, "oid:0x%llx", (unsigned long long)oid);
        add_name(trace, oid, text);
    }
    return find_name(trace, oid);
}

/* --- Events -------------------------------------------------------------- */

static const char *
drop_word(enum softasic_drop why)
{
    static const char *const words[SOFTASIC_N_DROPS] = {
#define X(member, slug, is_egress) [SOFTASIC_DROP_##member] = slug,
        SOFTASIC_DROP_LIST(X)
#undef X
    };

    return words[why] ? words[why] : "";
}

/* Stores the kind of event and of object of 'change'. */
static void
set_kind(const struct softasic_change *change, struct trace_event *event)
{
    const bool begins = change->begins;

    event->kind = TRACE_LEVEL;
    event->object.kind = TARGET_PORT;
    switch (change->kind) {
    case SOFTASIC_CHANGE_PG:
        event->object.kind = TARGET_PG;
        break;
    case SOFTASIC_CHANGE_QUEUE:
        event->object.kind = TARGET_QUEUE;
        break;
    case SOFTASIC_CHANGE_POOL:
        event->object.kind = TARGET_POOL;
        break;
    case SOFTASIC_CHANGE_XOFF:
        event->kind = begins ? TRACE_XOFF : TRACE_XON;
        event->object.kind = TARGET_PG;
        break;
    case SOFTASIC_CHANGE_PAUSE_SENT:
        event->kind = begins ? TRACE_TX_PAUSE : TRACE_TX_RESUME;
        break;
    case SOFTASIC_CHANGE_PAUSE_RECEIVED:
        event->kind = begins ? TRACE_RX_PAUSE : TRACE_RX_RESUME;
        break;
    case SOFTASIC_CHANGE_MARK:
        event->kind = TRACE_MARK;
        event->object.kind = TARGET_QUEUE;
        break;
    case SOFTASIC_CHANGE_DROP:
        event->kind = TRACE_DROP;
        event->object.kind = change->is_egress ? TARGET_QUEUE : TARGET_PG;
        event->reason = drop_word(change->why);
        break;
    case SOFTASIC_CHANGE_DEADLOCK:
        event->kind = begins ? TRACE_DEADLOCK : TRACE_RECOVERED;
        event->object.kind = TARGET_QUEUE;
        break;
    }
}

static void
on_change(void *context, const struct softasic_change *change)
{
    struct offline_trace *trace = context;
    struct trace_event event = {
        .now_ps = change->now_ps,
        .priority = TRACE_NO_PRIORITY,
        .reserved_bytes = change->reserved_bytes,
        .shared_bytes = change->shared_bytes,
        .headroom_bytes = change->headroom_bytes,
        .threshold_bytes = change->limit_bytes,
        .headroom_limit_bytes = change->headroom_limit_bytes,
        .frame_bytes = change->frame_bytes,
        .reason = "",
    };

    if (!*trace->sink || change->object == SAI_NULL_OBJECT_ID) {
        return; /* The trace has ended, or the port is being removed. */
    }
    set_kind(change, &event);
    event.object.name = name_of(trace, change->object);
    if (event.object.kind == TARGET_PORT) {
        event.priority = change->index == SOFTASIC_PRIORITY_ALL
                             ? TRACE_ALL_PRIORITY
                             : (int)change->index;
    } else {
        event.object.index = change->index;
    }
    (*trace->sink)->event((*trace->sink)->context, &event);
}

static void
on_frame(void *context, const struct softasic_frame *frame)
{
    const struct offline_trace *trace = context;
    const struct trace_frame passed = {
        .now_ps = frame->now_ps,
        .length_bytes = frame->length_bytes,
        .bytes = frame->bytes,
        .n_bytes = frame->n_bytes,
        .source_mac = frame->source_mac,
        .destination_mac = frame->destination_mac,
        .dscp = frame->dscp,
        .ecn = frame->ecn,
        .ttl = frame->ttl,
        .ip_id = frame->ip_id,
        .has_tag = frame->has_tag,
        .vlan = frame->vlan,
        .pcp = frame->pcp,
        .source_port = frame->source_port,
    };

    if (*trace->sink) {
        (*trace->sink)->frame((*trace->sink)->context, &passed);
    }
}

void
offline_trace_storm(const struct offline_trace *trace, int64_t now_ps,
                    const char *port, unsigned int index, bool begins,
                    const char *action)
{
    const struct trace_event event = {
        .kind = begins ? TRACE_STORM : TRACE_RESTORED,
        .now_ps = now_ps,
        .object = {TARGET_QUEUE, port, index},
        .priority = TRACE_NO_PRIORITY,
        .reason = begins ? action : "",
    };

    if (trace->sink && *trace->sink && (*trace->sink)->event) {
        (*trace->sink)->event((*trace->sink)->context, &event);
    }
}

enum st
offline_trace_start(struct offline_trace *trace,
                    const struct trace_sink *const *sink,
                    struct pipeline *pipeline, struct err *err)
{
    const struct softasic_watcher watcher = {
        .change = (*sink)->event ? on_change : NULL,
        .frame = (*sink)->frame ? on_frame : NULL,
        .context = trace};
    void *symbol = pipeline_symbol(pipeline, SOFTASIC_WATCH_SYMBOL);
    softasic_watch_fn *watch;

    trace->sink = sink;
    trace->pipeline = pipeline;
    if (symbol) {
        memcpy(&watch, &symbol, sizeof watch);
    }
    if (!symbol || watch(&watcher) != SAI_STATUS_SUCCESS) {
        return err_set(err, ST_UNSUPPORTED, "no-trace",
                       "the switch reports no changes of its buffer: a trace "
                       "needs softasic in this process");
    }
    return ST_OK;
}

void
offline_trace_stop(struct offline_trace *trace)
{
    static const struct trace_sink *const nobody = NULL;

    trace->sink = &nobody;
    trace->pipeline = NULL;
}

void
offline_trace_fini(struct offline_trace *trace)
{
    for (size_t i = 0; i < trace->n_names; i++) {
        free(trace->names[i].name);
    }
    free(trace->names);
    *trace = (struct offline_trace){0};
}
