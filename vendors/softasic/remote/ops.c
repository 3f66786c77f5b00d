/* SPDX-License-Identifier: Apache-2.0 */

/* The table of softasic.h for the switch of this process.
 *
 * Each generated function finds the switch, checks that no pointer is missing,
 * calls the module that carries the operation out (ops.def), and delivers the
 * notifications of what happened meanwhile. */

#include <config.h>

#include "vendors/softasic/softasic.h"

#include "vendors/remote/connection.h"
#include "vendors/softasic/program/notify.h"
#include "vendors/softasic/remote/marshal.h"
#include "vendors/softasic/remote/ops_remote.h"
#include "vendors/softasic/sai/gaps.h"
#include "vendors/softasic/sai/library.h"
#include "vendors/softasic/traffic/frames.h"
#include "vendors/softasic/traffic/inspect.h"
#include "vendors/softasic/traffic/peers.h"
#include "vendors/softasic/traffic/traffic.h"
#include "vendors/softasic/traffic/watch.h"

/* Operations that no other module has ------------------------------------ */

static sai_status_t
send_flow(struct asic *asic, const struct softasic_send *send,
          struct softasic_sent *sent)
{
    return traffic_send_ip(asic, send, NULL, sent);
}

static sai_status_t
run_for(struct asic *asic, int64_t duration_ps)
{
    const int64_t now_ps = sim_now_ps(asic->sim);

    if (duration_ps < 0 || duration_ps > INT64_MAX - now_ps) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    sim_run_until(asic->sim, now_ps + duration_ps);
    return SAI_STATUS_SUCCESS;
}

static sai_status_t
run_some(struct asic *asic, int64_t until_ps, uint64_t n_events,
         uint64_t *is_done)
{
    if (until_ps < 0 || !n_events || n_events > SOFTASIC_EVENTS_MAX) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    *is_done = sim_run_some(asic->sim, until_ps, n_events) < n_events;
    return SAI_STATUS_SUCCESS;
}

static sai_status_t
get_now(const struct asic *asic, int64_t *now_ps)
{
    *now_ps = sim_now_ps(asic->sim);
    return SAI_STATUS_SUCCESS;
}

static sai_status_t
step(struct asic *asic, uint64_t n_instants, uint64_t *n_done)
{
    uint64_t n = 0;

    while (n < n_instants && sim_next_ps(asic->sim) != EVENT_NEVER) {
        sim_run_until(asic->sim, sim_next_ps(asic->sim));
        n++;
    }
    if (n_done) {
        *n_done = n;
    }
    return SAI_STATUS_SUCCESS;
}

static sai_status_t
get_routed(const struct asic *asic, uint32_t reason, const char **text,
           uint64_t *n_packets)
{
    if (reason >= ROUTER_N_REASONS) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    *text = router_reason_text((enum router_reason)reason);
    *n_packets =
        router_count(sim_router(asic->sim), (enum router_reason)reason);
    return SAI_STATUS_SUCCESS;
}

static sai_status_t
set_deadlock(struct asic *asic, sai_object_id_t queue, bool dead)
{
    struct objects_item *item;
    sai_status_t status =
        objects_locate(asic->objects, SAI_OBJECT_TYPE_QUEUE, queue, &item);

    if (status == SAI_STATUS_SUCCESS &&
        !objects_number(item, SAI_QUEUE_ATTR_ENABLE_PFC_DLDR)) {
        status = SAI_STATUS_INVALID_PARAMETER;
    }
    if (status == SAI_STATUS_SUCCESS) {
        notify_deadlock(asic, queue, dead);
    }
    return status;
}

/* The table ---------------------------------------------------------------- */

/* Returns whether 'op' can be called with 'values'. */
static sai_status_t
check_call(enum marshal_op op, const union marshal_value values[])
{
    if (!library_get()->asic) {
        return SAI_STATUS_UNINITIALIZED;
    }
    if (marshal_effect(op) == MARSHAL_RUNS) {
        watch_look(library_get()->asic);
    }
    return marshal_is_complete(op, values) ? SAI_STATUS_SUCCESS
                                           : SAI_STATUS_INVALID_PARAMETER;
}

/* Delivers notifications at the end of a call with outcome 'status'. */
static sai_status_t
end_call(enum marshal_op op, sai_status_t status)
{
    if (marshal_effect(op) == MARSHAL_RUNS) {
        notify_deliver(library_get()->asic);
    }
    return status;
}

/* The name of a parameter. */
#define NAME(i, parameter)        NAME_ parameter
#define NAME_(kind, ...)          NAME_##kind(__VA_ARGS__)
#define NAME_NUMBER(type, name)   name
#define NAME_COUNT(name)          name
#define NAME_LENGTH(name)         name
#define NAME_BYTES(name)          name
#define NAME_MAC(name)            name
#define NAME_IN(name)             name
#define NAME_OUT(name)            name
#define NAME_RESULT(type, name)   name
#define NAME_OPTIONAL(type, name) name
#define NAME_TEXT(name)           name
#define NAME_CAPACITY(name)       name
#define NAME_ROWS(name)           name
#define NAME_BUFFER(name)         name

#define OP(member, effect, function, ...)                                      \
    static sai_status_t local_##member(                                        \
        MARSHAL_EACH(MARSHAL_DECLARE, __VA_ARGS__))                            \
    {                                                                          \
        const union marshal_value values[] = {                                 \
            MARSHAL_EACH(MARSHAL_VALUE, __VA_ARGS__)};                         \
        const sai_status_t status = check_call(MARSHAL_OP_##member, values);   \
                                                                               \
        return status != SAI_STATUS_SUCCESS                                    \
                   ? status                                                    \
                   : end_call(MARSHAL_OP_##member,                             \
                              function(library_get()->asic,                    \
                                       MARSHAL_EACH(NAME, __VA_ARGS__)));      \
    }
#define OP0(member, effect, function)                                          \
    static sai_status_t local_##member(void)                                   \
    {                                                                          \
        const sai_status_t status = check_call(MARSHAL_OP_##member, NULL);     \
                                                                               \
        return status != SAI_STATUS_SUCCESS                                    \
                   ? status                                                    \
                   : end_call(MARSHAL_OP_##member,                             \
                              function(library_get()->asic));                  \
    }
#include "vendors/softasic/remote/ops.def"
#undef OP

const struct softasic_ops *
softasic_ops(uint32_t version)
{
    static const struct softasic_ops ops = {
        .version = SOFTASIC_OPS_VERSION,
#define OP(member, ...) .member = local_##member,
#include "vendors/softasic/remote/ops.def"
#undef OP
    };

    if (version != SOFTASIC_OPS_VERSION) {
        return NULL;
    }
    return connection_client() ? ops_remote() : &ops;
}

sai_status_t
softasic_watch(const struct softasic_watcher *watcher)
{
    struct asic *asic = library_get()->asic;

    if (connection_client()) {
        return SAI_STATUS_NOT_SUPPORTED;
    }
    if (!asic) {
        return SAI_STATUS_UNINITIALIZED;
    }
    watch_start(asic, watcher);
    traffic_listen(asic, true);
    return SAI_STATUS_SUCCESS;
}
