/* SPDX-License-Identifier: Apache-2.0 */

/* Intervals that several queues share, and the order in which hardware recovery
 * is enabled and disabled. */

#include <config.h>

#include "orchd/watchdog/hardware_recovery.h"

#include <stdlib.h>

#include <uthash.h>

#include "base/check.h"
#include "base/pfc.h"

/* The intervals of one port, or of the switch. */
struct interval_scope {
    sai_object_id_t oid; /* Key. */
    uint32_t detection_ms[PFC_N_PRIORITIES];
    uint32_t recovery_ms[PFC_N_PRIORITIES];
    uint32_t n_users[PFC_N_PRIORITIES];
    UT_hash_handle hh;
};

/* --- SAI ------------------------------------------------------------------ */

static bool
get(const struct hardware_recovery_switch *hardware, sai_object_type_t type,
    sai_object_id_t oid, sai_attribute_t *attribute)
{
    return hardware->backend->ops->get(hardware->backend, type, oid, 1,
                                       attribute) == SAI_STATUS_SUCCESS;
}

static bool
set(const struct hardware_recovery_switch *hardware, sai_object_type_t type,
    sai_object_id_t oid, const sai_attribute_t *attribute)
{
    return hardware->backend->ops->set(hardware->backend, type, oid,
                                       attribute) == SAI_STATUS_SUCCESS;
}

static bool
enable(const struct hardware_recovery_switch *hardware, sai_object_id_t queue,
       bool on)
{
    const sai_attribute_t attribute = {SAI_QUEUE_ATTR_ENABLE_PFC_DLDR,
                                       {.booldata = on}};

    return set(hardware, SAI_OBJECT_TYPE_QUEUE, queue, &attribute);
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
scope_type(const struct hardware_recovery_switch *hardware)
{
    return hardware->by_port ? SAI_OBJECT_TYPE_PORT : SAI_OBJECT_TYPE_SWITCH;
}

/* Returns an attribute with 'maps', of 'count' entries, as its list. */
static sai_attribute_t
interval_list(const struct hardware_recovery_switch *hardware,
              const struct interval_ids *ids, sai_map_t *maps, uint32_t count)
{
    return (sai_attribute_t){
        .id = hardware->by_port ? ids->of_port : ids->of_switch,
        .value = {.maplist = {.count = count, .list = maps}}};
}

/* Writes a list of intervals of 'scope'. */
static bool
write_list(const struct hardware_recovery_switch *hardware,
           const struct interval_scope *scope, const uint32_t *ms,
           const struct interval_ids *ids)
{
    sai_map_t maps[PFC_N_PRIORITIES];
    sai_attribute_t attribute = interval_list(hardware, ids, maps, 0);

    for (int i = 0; i < PFC_N_PRIORITIES; i++) {
        if (scope->n_users[i]) {
            maps[attribute.value.maplist.count++] =
                (sai_map_t){.key = (sai_uint32_t)i, .value = (int32_t)ms[i]};
        }
    }
    return set(hardware, scope_type(hardware), scope->oid, &attribute);
}

static bool
write_intervals(const struct hardware_recovery_switch *hardware,
                const struct interval_scope *scope)
{
    return write_list(hardware, scope, scope->detection_ms, &detection_ids) &&
           write_list(hardware, scope, scope->recovery_ms, &recovery_ids);
}

/* Returns whether the switch already has an interval of 'scope'.  A previous
 * run may have left those of queues that are not, or not any more, in hardware
 * recovery: they have no effect. */
static bool
has_interval(const struct hardware_recovery_switch *hardware,
             const struct interval_scope *scope, unsigned int index,
             uint32_t ms, const struct interval_ids *ids)
{
    /* A libsai may succeed without a change to the list or its count. */
    sai_map_t maps[PFC_N_PRIORITIES] = {{0}};
    sai_attribute_t held = interval_list(hardware, ids, maps, PFC_N_PRIORITIES);

    if (!get(hardware, scope_type(hardware), scope->oid, &held)) {
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
has_intervals(const struct hardware_recovery_switch *hardware,
              const struct interval_scope *scope, unsigned int index)
{
    return has_interval(hardware, scope, index, scope->detection_ms[index],
                        &detection_ids) &&
           has_interval(hardware, scope, index, scope->recovery_ms[index],
                        &recovery_ids);
}

/* Sets the action of the recovery, for 'queue' or the switch. */
static bool
write_action(const struct hardware_recovery_switch *hardware,
             sai_object_id_t queue, bool drops)
{
    const sai_attribute_t attribute = {
        hardware->by_queue
            ? (sai_attr_id_t)SAI_QUEUE_ATTR_PFC_DLR_PACKET_ACTION
            : (sai_attr_id_t)SAI_SWITCH_ATTR_PFC_DLR_PACKET_ACTION,
        {.s32 = drops ? SAI_PACKET_ACTION_DROP : SAI_PACKET_ACTION_FORWARD}};

    return hardware->by_queue
               ? set(hardware, SAI_OBJECT_TYPE_QUEUE, queue, &attribute)
               : set(hardware, SAI_OBJECT_TYPE_SWITCH,
                     hardware->backend->switch_id, &attribute);
}

/* --- Capabilities ------------------------------------------------------- */

static bool
get_range(const struct hardware_recovery_switch *hardware, sai_attr_id_t id,
          uint32_t *min_ms, uint32_t *max_ms)
{
    sai_attribute_t range = {.id = id};

    if (!get(hardware, SAI_OBJECT_TYPE_SWITCH, hardware->backend->switch_id,
             &range)) {
        return false;
    }
    *min_ms = range.value.u32range.min;
    *max_ms = range.value.u32range.max;
    return true;
}

void
hardware_recovery_init(struct hardware_recovery_switch *hardware,
                       struct sai_backend *backend, sai_object_id_t port,
                       sai_object_id_t queue)
{
    sai_attribute_t of_port = {.id = SAI_PORT_ATTR_PFC_TC_DLD_INTERVAL_RANGE};
    sai_attribute_t of_queue = {.id = SAI_QUEUE_ATTR_PFC_DLR_PACKET_ACTION};
    sai_attribute_t enabled = {.id = SAI_QUEUE_ATTR_ENABLE_PFC_DLDR};

    *hardware = (struct hardware_recovery_switch){.backend = backend};
    hardware->offered =
        get_range(hardware, SAI_SWITCH_ATTR_PFC_TC_DLD_INTERVAL_RANGE,
                  &hardware->detection_min_ms, &hardware->detection_max_ms) &&
        get_range(hardware, SAI_SWITCH_ATTR_PFC_TC_DLR_INTERVAL_RANGE,
                  &hardware->recovery_min_ms, &hardware->recovery_max_ms) &&
        get(hardware, SAI_OBJECT_TYPE_QUEUE, queue, &enabled);
    hardware->by_port = hardware->offered &&
                        get(hardware, SAI_OBJECT_TYPE_PORT, port, &of_port);
    hardware->by_queue = hardware->offered &&
                         get(hardware, SAI_OBJECT_TYPE_QUEUE, queue, &of_queue);
}

void
hardware_recovery_fini(struct hardware_recovery_switch *hardware)
{
    struct interval_scope *scope, *next;

    HASH_ITER(hh, hardware->scopes, scope, next)
    {
        HASH_DEL(hardware->scopes, scope);
        free(scope);
    }
}

/* --- Queues ------------------------------------------------------------- */

static struct interval_scope *
scope_of(struct hardware_recovery_switch *hardware, sai_object_id_t port)
{
    const sai_object_id_t oid =
        hardware->by_port ? port : hardware->backend->switch_id;
    struct interval_scope *scope;

    HASH_FIND(hh, hardware->scopes, &oid, sizeof oid, scope);
    if (!scope) {
        scope = check_calloc(1, sizeof *scope);
        scope->oid = oid;
        HASH_ADD(hh, hardware->scopes, oid, sizeof scope->oid, scope);
    }
    return scope;
}

static bool
same_settings(const struct hardware_recovery_settings *a,
              const struct hardware_recovery_settings *b)
{
    return a->detection_ms == b->detection_ms &&
           a->recovery_ms == b->recovery_ms && a->drops == b->drops;
}

/* Returns whether other queues need a different value of a setting that is
 * common to 'scope' or to the switch. */
static bool
conflicts(const struct hardware_recovery_switch *hardware,
          const struct interval_scope *scope,
          const struct hardware_recovery *recovery, unsigned int index,
          const struct hardware_recovery_settings *settings)
{
    const uint32_t own = recovery->on;

    return (scope->n_users[index] > own &&
            (scope->detection_ms[index] != settings->detection_ms ||
             scope->recovery_ms[index] != settings->recovery_ms)) ||
           (!hardware->by_queue && hardware->n_on > own &&
            hardware->drops != settings->drops);
}

static bool
in_range(const struct hardware_recovery_switch *hardware,
         const struct hardware_recovery_settings *settings)
{
    return settings->detection_ms >= hardware->detection_min_ms &&
           settings->detection_ms <= hardware->detection_max_ms &&
           settings->recovery_ms >= hardware->recovery_min_ms &&
           settings->recovery_ms <= hardware->recovery_max_ms;
}

/* Records that 'recovery' is on or off. */
static void
count(struct hardware_recovery_switch *hardware,
      struct hardware_recovery *recovery, bool on)
{
    if (recovery->on != on) {
        recovery->on = on;
        hardware->n_on += on ? 1u : (uint32_t)-1;
        recovery->scope->n_users[recovery->index] += on ? 1u : (uint32_t)-1;
    }
}

/* Configures the switch as 'recovery', which its scope counts, wants.  The
 * queue comes last, so that it never uses the intervals of others. */
static bool
carry_out(const struct hardware_recovery_switch *hardware,
          const struct hardware_recovery *recovery)
{
    return (has_intervals(hardware, recovery->scope, recovery->index) ||
            write_intervals(hardware, recovery->scope)) &&
           write_action(hardware, recovery->queue, recovery->settings.drops) &&
           enable(hardware, recovery->queue, true);
}

void
hardware_recovery_clear(struct hardware_recovery_switch *hardware,
                        struct hardware_recovery *recovery)
{
    if (recovery->on) {
        /* Drift detection reports what cannot be disabled. */
        (void)enable(hardware, recovery->queue, false);
        count(hardware, recovery, false);
    }
    recovery->refused = false;
}

bool
hardware_recovery_check(struct hardware_recovery_switch *hardware,
                        struct hardware_recovery *recovery)
{
    sai_attribute_t enabled = {.id = SAI_QUEUE_ATTR_ENABLE_PFC_DLDR};

    /* If it cannot be read now, it will be later. */
    if (get(hardware, SAI_OBJECT_TYPE_QUEUE, recovery->queue, &enabled) &&
        !enabled.value.booldata) {
        count(hardware, recovery, false);
    }
    return recovery->on;
}

void
hardware_recovery_forget(struct hardware_recovery_switch *hardware,
                         struct hardware_recovery *recovery)
{
    if (recovery->on) {
        count(hardware, recovery, false);
    }
    *recovery = (struct hardware_recovery){0};
}

enum st
hardware_recovery_set(struct hardware_recovery_switch *hardware,
                      struct hardware_recovery *recovery, sai_object_id_t port,
                      sai_object_id_t queue, unsigned int index,
                      const struct hardware_recovery_settings *settings)
{
    struct interval_scope *scope;

    if ((recovery->on || recovery->refused) &&
        same_settings(&recovery->settings, settings)) {
        return recovery->on ? ST_OK : ST_DEVICE;
    }
    if (!hardware->offered || index >= PFC_N_PRIORITIES ||
        !in_range(hardware, settings)) {
        hardware_recovery_clear(hardware, recovery);
        return ST_UNSUPPORTED;
    }
    scope = scope_of(hardware, port);
    if (conflicts(hardware, scope, recovery, index, settings)) {
        hardware_recovery_clear(hardware, recovery);
        return ST_BUSY;
    }
    recovery->queue = queue;
    recovery->index = index;
    recovery->settings = *settings;
    recovery->scope = scope;
    count(hardware, recovery, true);
    hardware->drops = settings->drops;
    scope->detection_ms[index] = settings->detection_ms;
    scope->recovery_ms[index] = settings->recovery_ms;
    if (carry_out(hardware, recovery)) {
        recovery->refused = false;
        return ST_OK;
    }
    hardware_recovery_clear(hardware, recovery);
    (void)write_intervals(hardware, scope); /* Without this queue. */
    recovery->refused = true;
    return ST_DEVICE;
}
