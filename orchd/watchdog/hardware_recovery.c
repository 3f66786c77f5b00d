/* SPDX-License-Identifier: Apache-2.0 */

/* Intervals that several queues share, and the order in which a guard is made
 * and ended. */

#include <config.h>

#include "orchd/watchdog/hardware_recovery.h"

#include <stdlib.h>

#include <uthash.h>

#include "base/check.h"
#include "base/pfc.h"

/* The intervals of one port, or of the switch. */
struct guard_scope {
    sai_object_id_t oid; /* Key. */
    uint32_t detection_ms[PFC_N_PRIORITIES];
    uint32_t recovery_ms[PFC_N_PRIORITIES];
    uint32_t n_users[PFC_N_PRIORITIES];
    UT_hash_handle hh;
};

/* --- SAI ------------------------------------------------------------------ */

static bool
get(const struct storm_guards *guards, sai_object_type_t type,
    sai_object_id_t oid, sai_attribute_t *attribute)
{
    return guards->backend->ops->get(guards->backend, type, oid, 1,
                                     attribute) == SAI_STATUS_SUCCESS;
}

static bool
set(const struct storm_guards *guards, sai_object_type_t type,
    sai_object_id_t oid, const sai_attribute_t *attribute)
{
    return guards->backend->ops->set(guards->backend, type, oid, attribute) ==
           SAI_STATUS_SUCCESS;
}

static bool
enable(const struct storm_guards *guards, sai_object_id_t queue, bool on)
{
    const sai_attribute_t attribute = {SAI_QUEUE_ATTR_ENABLE_PFC_DLDR,
                                       {.booldata = on}};

    return set(guards, SAI_OBJECT_TYPE_QUEUE, queue, &attribute);
}

/* The attributes with lists of intervals, of a port or of the switch. */
struct interval_ids {
    sai_attr_id_t of_port, of_switch;
};

static const struct interval_ids detection_ids = {
    SAI_PORT_ATTR_PFC_TC_DLD_INTERVAL, SAI_SWITCH_ATTR_PFC_TC_DLD_INTERVAL};
static const struct interval_ids recovery_ids = {
    SAI_PORT_ATTR_PFC_TC_DLR_INTERVAL, SAI_SWITCH_ATTR_PFC_TC_DLR_INTERVAL};

static sai_object_type_t
scope_type(const struct storm_guards *guards)
{
    return guards->by_port ? SAI_OBJECT_TYPE_PORT : SAI_OBJECT_TYPE_SWITCH;
}

/* Returns an attribute with 'maps' as its list, which has 'count' entries. */
static sai_attribute_t
interval_list(const struct storm_guards *guards, const struct interval_ids *ids,
              sai_map_t *maps, uint32_t count)
{
    return (sai_attribute_t){
        .id = guards->by_port ? ids->of_port : ids->of_switch,
        .value = {.maplist = {.count = count, .list = maps}}};
}

/* Writes a list of intervals of 'scope'. */
static bool
write_list(const struct storm_guards *guards, const struct guard_scope *scope,
           const uint32_t *ms, const struct interval_ids *ids)
{
    sai_map_t maps[PFC_N_PRIORITIES];
    sai_attribute_t attribute = interval_list(guards, ids, maps, 0);

    for (int i = 0; i < PFC_N_PRIORITIES; i++) {
        if (scope->n_users[i]) {
            maps[attribute.value.maplist.count++] =
                (sai_map_t){.key = (sai_uint32_t)i, .value = (int32_t)ms[i]};
        }
    }
    return set(guards, scope_type(guards), scope->oid, &attribute);
}

static bool
write_intervals(const struct storm_guards *guards,
                const struct guard_scope *scope)
{
    return write_list(guards, scope, scope->detection_ms, &detection_ids) &&
           write_list(guards, scope, scope->recovery_ms, &recovery_ids);
}

/* Returns whether the switch has an interval of 'scope' already.  An earlier
 * run may have left those of queues that are not guarded yet, or not any more:
 * they have no effect. */
static bool
has_interval(const struct storm_guards *guards, const struct guard_scope *scope,
             unsigned int index, uint32_t ms, const struct interval_ids *ids)
{
    sai_map_t maps[PFC_N_PRIORITIES];
    sai_attribute_t held = interval_list(guards, ids, maps, PFC_N_PRIORITIES);

    if (!get(guards, scope_type(guards), scope->oid, &held)) {
        return false;
    }
    for (uint32_t i = 0; i < held.value.maplist.count && i < PFC_N_PRIORITIES;
         i++) {
        if (maps[i].key == index) {
            return maps[i].value == (int32_t)ms;
        }
    }
    return false;
}

static bool
has_intervals(const struct storm_guards *guards,
              const struct guard_scope *scope, unsigned int index)
{
    return has_interval(guards, scope, index, scope->detection_ms[index],
                        &detection_ids) &&
           has_interval(guards, scope, index, scope->recovery_ms[index],
                        &recovery_ids);
}

/* Says what recovery does, to 'queue' or to the switch. */
static bool
write_action(const struct storm_guards *guards, sai_object_id_t queue,
             bool drops)
{
    const sai_attribute_t attribute = {
        guards->by_queue ? (sai_attr_id_t)SAI_QUEUE_ATTR_PFC_DLR_PACKET_ACTION
                         : (sai_attr_id_t)SAI_SWITCH_ATTR_PFC_DLR_PACKET_ACTION,
        {.s32 = drops ? SAI_PACKET_ACTION_DROP : SAI_PACKET_ACTION_FORWARD}};

    return guards->by_queue
               ? set(guards, SAI_OBJECT_TYPE_QUEUE, queue, &attribute)
               : set(guards, SAI_OBJECT_TYPE_SWITCH, guards->backend->switch_id,
                     &attribute);
}

/* --- What there is ------------------------------------------------------- */

static bool
get_range(const struct storm_guards *guards, sai_attr_id_t id, uint32_t *min_ms,
          uint32_t *max_ms)
{
    sai_attribute_t range = {.id = id};

    if (!get(guards, SAI_OBJECT_TYPE_SWITCH, guards->backend->switch_id,
             &range)) {
        return false;
    }
    *min_ms = range.value.u32range.min;
    *max_ms = range.value.u32range.max;
    return true;
}

void
storm_guards_init(struct storm_guards *guards, struct sai_backend *backend,
                  sai_object_id_t port, sai_object_id_t queue)
{
    sai_attribute_t of_port = {.id = SAI_PORT_ATTR_PFC_TC_DLD_INTERVAL_RANGE};
    sai_attribute_t of_queue = {.id = SAI_QUEUE_ATTR_PFC_DLR_PACKET_ACTION};
    sai_attribute_t enabled = {.id = SAI_QUEUE_ATTR_ENABLE_PFC_DLDR};

    *guards = (struct storm_guards){.backend = backend};
    guards->offered =
        get_range(guards, SAI_SWITCH_ATTR_PFC_TC_DLD_INTERVAL_RANGE,
                  &guards->detection_min_ms, &guards->detection_max_ms) &&
        get_range(guards, SAI_SWITCH_ATTR_PFC_TC_DLR_INTERVAL_RANGE,
                  &guards->recovery_min_ms, &guards->recovery_max_ms) &&
        get(guards, SAI_OBJECT_TYPE_QUEUE, queue, &enabled);
    guards->by_port =
        guards->offered && get(guards, SAI_OBJECT_TYPE_PORT, port, &of_port);
    guards->by_queue =
        guards->offered && get(guards, SAI_OBJECT_TYPE_QUEUE, queue, &of_queue);
}

void
storm_guards_fini(struct storm_guards *guards)
{
    struct guard_scope *scope, *next;

    HASH_ITER(hh, guards->scopes, scope, next)
    {
        HASH_DEL(guards->scopes, scope);
        free(scope);
    }
}

/* --- Guards --------------------------------------------------------------- */

static struct guard_scope *
scope_of(struct storm_guards *guards, sai_object_id_t port)
{
    const sai_object_id_t oid =
        guards->by_port ? port : guards->backend->switch_id;
    struct guard_scope *scope;

    HASH_FIND(hh, guards->scopes, &oid, sizeof oid, scope);
    if (!scope) {
        scope = check_calloc(1, sizeof *scope);
        scope->oid = oid;
        HASH_ADD(hh, guards->scopes, oid, sizeof scope->oid, scope);
    }
    return scope;
}

static bool
same_wish(const struct guard_wish *a, const struct guard_wish *b)
{
    return a->detection_ms == b->detection_ms &&
           a->recovery_ms == b->recovery_ms && a->drops == b->drops;
}

/* Returns whether others than 'guard' want what is for all of 'scope', or of
 * the switch, to be something else. */
static bool
conflicts(const struct storm_guards *guards, const struct guard_scope *scope,
          const struct hardware_recovery *guard, unsigned int index,
          const struct guard_wish *wish)
{
    const uint32_t own = guard->on;

    return (scope->n_users[index] > own &&
            (scope->detection_ms[index] != wish->detection_ms ||
             scope->recovery_ms[index] != wish->recovery_ms)) ||
           (!guards->by_queue && guards->n_on > own &&
            guards->drops != wish->drops);
}

static bool
in_range(const struct storm_guards *guards, const struct guard_wish *wish)
{
    return wish->detection_ms >= guards->detection_min_ms &&
           wish->detection_ms <= guards->detection_max_ms &&
           wish->recovery_ms >= guards->recovery_min_ms &&
           wish->recovery_ms <= guards->recovery_max_ms;
}

/* Notes that 'guard' is on or no longer. */
static void
count(struct storm_guards *guards, struct hardware_recovery *guard, bool on)
{
    if (guard->on != on) {
        guard->on = on;
        guards->n_on += on ? 1u : (uint32_t)-1;
        guard->scope->n_users[guard->index] += on ? 1u : (uint32_t)-1;
    }
}

/* Brings the switch to what 'guard', whose scope counts it, wants.  The queue
 * comes last, so that it never has the intervals of others. */
static bool
carry_out(const struct storm_guards *guards,
          const struct hardware_recovery *guard)
{
    return (has_intervals(guards, guard->scope, guard->index) ||
            write_intervals(guards, guard->scope)) &&
           write_action(guards, guard->queue, guard->wish.drops) &&
           enable(guards, guard->queue, true);
}

void
hardware_recovery_clear(struct storm_guards *guards,
                        struct hardware_recovery *guard)
{
    if (guard->on) {
        /* What cannot be disabled is told by the reading back of all. */
        (void)enable(guards, guard->queue, false);
        count(guards, guard, false);
    }
    guard->refused = false;
}

bool
hardware_recovery_check(struct storm_guards *guards,
                        struct hardware_recovery *guard)
{
    sai_attribute_t enabled = {.id = SAI_QUEUE_ATTR_ENABLE_PFC_DLDR};

    /* Who cannot be asked now is asked again later. */
    if (get(guards, SAI_OBJECT_TYPE_QUEUE, guard->queue, &enabled) &&
        !enabled.value.booldata) {
        count(guards, guard, false);
    }
    return guard->on;
}

void
hardware_recovery_forget(struct storm_guards *guards,
                         struct hardware_recovery *guard)
{
    if (guard->on) {
        count(guards, guard, false);
    }
    *guard = (struct hardware_recovery){0};
}

enum st
hardware_recovery_set(struct storm_guards *guards,
                      struct hardware_recovery *guard, sai_object_id_t port,
                      sai_object_id_t queue, unsigned int index,
                      const struct guard_wish *wish)
{
    struct guard_scope *scope;

    if ((guard->on || guard->refused) && same_wish(&guard->wish, wish)) {
        return guard->on ? ST_OK : ST_DEVICE;
    }
    if (!guards->offered || index >= PFC_N_PRIORITIES ||
        !in_range(guards, wish)) {
        hardware_recovery_clear(guards, guard);
        return ST_UNSUPPORTED;
    }
    scope = scope_of(guards, port);
    if (conflicts(guards, scope, guard, index, wish)) {
        hardware_recovery_clear(guards, guard);
        return ST_BUSY;
    }
    guard->queue = queue;
    guard->index = index;
    guard->wish = *wish;
    guard->scope = scope;
    count(guards, guard, true);
    guards->drops = wish->drops;
    scope->detection_ms[index] = wish->detection_ms;
    scope->recovery_ms[index] = wish->recovery_ms;
    if (carry_out(guards, guard)) {
        guard->refused = false;
        return ST_OK;
    }
    hardware_recovery_clear(guards, guard);
    (void)write_intervals(guards, scope); /* Without it. */
    guard->refused = true;
    return ST_DEVICE;
}
