/* SPDX-License-Identifier: Apache-2.0 */

/* Computes the expected packet from the rows in force. */

#include <config.h>

#include "orchctl/probe_prediction.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "breakpoint/bench.h"
#include "breakpoint/thresholds.h"

#define N_PLACES       8
#define NAME_SIZE      128
#define DYNAMIC_TH_MAX 7 /* Alpha is 2^dynamic_th on every chip up to here. */

/* The inputs gathered from rows and the switch. */
struct findings {
    struct bench *bench;
    struct text *basis;
    char profile[NAME_SIZE];
    char pool[NAME_SIZE];
    struct thresholds_chip chip;
    struct thresholds_group group;
};

/* Copies a field of a row.  Returns false if there is none. */
static bool
field(struct bench *bench, const char *table, const char *key, const char *name,
      char value[NAME_SIZE])
{
    struct err ignored;
    char row[2 * NAME_SIZE];
    const char *text;

    return text_format(row, sizeof row, "%s|%s", table, key) &&
           !bench->ops->row_field(bench, row, name, &text, &ignored) &&
           text_copy(value, NAME_SIZE, text);
}

/* Returns a field as a number, or 0 if there is none. */
static uint64_t
amount(struct bench *bench, const char *table, const char *key,
       const char *name)
{
    char value[NAME_SIZE];

    return field(bench, table, key, name, value) ? strtoull(value, NULL, 10)
                                                 : 0;
}

/* Finds the row of "Ethernet0|3" or of a range "Ethernet0|3-4" that contains
 * it, and copies its profile. */
static bool
find_profile(struct bench *bench, const char *table, const char *port,
             unsigned int index, char key[NAME_SIZE], char profile[NAME_SIZE])
{
    for (unsigned int low = 0; low <= index; low++) {
        for (unsigned int high = index; high < N_PLACES; high++) {
            if (low == high) {
                text_format(key, NAME_SIZE, "%s|%u", port, low);
            } else {
                text_format(key, NAME_SIZE, "%s|%u-%u", port, low, high);
            }
            if (field(bench, table, key, "profile", profile)) {
                return true;
            }
        }
    }
    return false;
}

/* Gathers the values of the profile of 'object'.  Returns false if it has none
 * or its threshold is neither static nor dynamic. */
static bool
gather_profile(struct findings *found, const struct target_object *object)
{
    static const char table[] = "BUFFER_PROFILE";
    const bool egress = object->kind == TARGET_QUEUE;
    const char *places = egress ? "BUFFER_QUEUE" : "BUFFER_PG";
    struct bench *bench = found->bench;
    struct thresholds_group *group = &found->group;
    struct thresholds_limit *limit = &group->limit;
    char key[NAME_SIZE];
    char th[NAME_SIZE];

    if (!find_profile(bench, places, object->name, object->index, key,
                      found->profile) ||
        !field(bench, table, found->profile, "pool", found->pool)) {
        return false;
    }
    group->size_bytes = amount(bench, table, found->profile, "size");
    group->xoff_bytes = amount(bench, table, found->profile, "xoff");
    group->xon_bytes = amount(bench, table, found->profile, "xon");
    group->xon_offset_bytes =
        amount(bench, table, found->profile, "xon_offset");
    group->pool_xoff_bytes = amount(bench, "BUFFER_POOL", found->pool, "xoff");
    limit->static_th_bytes = amount(bench, table, found->profile, "static_th");
    limit->is_static = !field(bench, table, found->profile, "dynamic_th", th);
    limit->dynamic_th = limit->is_static ? 0 : atoi(th);
    if (limit->is_static) {
        text_format(th, sizeof th, "%llu",
                    (unsigned long long)limit->static_th_bytes);
    }
    text_addf(found->basis, "%s|%s: %s, size %llu, xoff %llu, %s %s", places,
              key, found->profile, (unsigned long long)group->size_bytes,
              (unsigned long long)group->xoff_bytes,
              limit->is_static ? "static_th" : "dynamic_th", th);
    return limit->is_static ? limit->static_th_bytes >= found->chip.unit_bytes
                            : abs(limit->dynamic_th) <= DYNAMIC_TH_MAX;
}

/* Adds up the headroom of all groups of a port. */
static uint64_t
port_headroom(struct bench *bench, const char *port)
{
    uint64_t bytes = 0;

    for (unsigned int i = 0; i < N_PLACES; i++) {
        char key[NAME_SIZE];
        char profile[NAME_SIZE];

        if (find_profile(bench, "BUFFER_PG", port, i, key, profile)) {
            bytes += amount(bench, "BUFFER_PROFILE", profile, "xoff");
        }
    }
    return bytes;
}

/* Reads the shared size of the pool from the switch, less what is in use. */
static bool
gather_shared(struct findings *found, struct target *target)
{
    const struct target_object pool = {TARGET_POOL, found->pool, 0};
    struct arena *arena = arena_create(0);
    const struct target_stat *size = NULL;
    const struct target_stat *used = NULL;
    struct target_reading reading;
    struct err ignored;
    bool known = false;

    if (!target->ops->read(target, &pool, 1, arena, &reading, &ignored)) {
        size = target_reading_find(&reading, "shared_size_bytes");
        used = target_reading_find(&reading, "shared_bytes");
    }
    /* The partition of the memory in use is unknown. */
    if (size && used && used->value <= size->value &&
        (!used->value || found->chip.partitions == 1)) {
        found->group.shared =
            (size->value - used->value) / found->chip.unit_bytes;
        text_addf(found->basis, "; %s shares %llu bytes of %llu", found->pool,
                  (unsigned long long)(size->value - used->value),
                  (unsigned long long)amount(found->bench, "BUFFER_POOL",
                                             found->pool, "size"));
        known = true;
    }
    arena_destroy(arena);
    return known;
}

/* Returns whether the groups or queues of a port have another limit, too: that
 * of the port itself, or for queues that of another pool. */
static bool
is_bounded(struct bench *bench, const struct target_object *object)
{
    char list[NAME_SIZE];
    struct err ignored;
    const char *text;

    if (object->kind == TARGET_QUEUE &&
        (bench->ops->chip_fact(bench, "egress_shared", &text, &ignored) ||
         strcmp(text, "own_pool") != 0)) {
        return true;
    }
    return field(bench,
                 object->kind == TARGET_QUEUE
                     ? "BUFFER_PORT_EGRESS_PROFILE_LIST"
                     : "BUFFER_PORT_INGRESS_PROFILE_LIST",
                 object->name, "profile_list", list);
}

/* Returns the number of the packet that exhausts a headroom pool. */
static uint64_t
pool_packet(const struct findings *found, size_t n_groups,
            const struct thresholds_result *thresholds)
{
    const uint64_t room = found->group.pool_xoff_bytes /
                          found->chip.unit_bytes / found->chip.partitions;
    const uint64_t paused = n_groups * thresholds->in_headroom;

    return room < paused ? 0 : (room - paused) / thresholds->packet + 1;
}

bool
probe_prediction_packet(struct bench *bench, struct target *target,
                        const struct probe_options *options,
                        const struct probe_result *result, struct text *basis,
                        uint64_t *packet)
{
    struct findings found = {.bench = bench, .basis = basis};
    struct thresholds_result thresholds;
    struct err ignored;

    if (thresholds_chip_read(bench, &found.chip, &ignored) ||
        !gather_profile(&found, &result->object) ||
        !gather_shared(&found, target) || is_bounded(bench, &result->object)) {
        return false;
    }
    found.group.port_headroom_bytes = port_headroom(bench, result->object.name);
    thresholds_of_group(&found.chip, &found.group, options->size_bytes,
                        &thresholds);
    switch (options->kind) {
    case PROBE_XOFF:
        *packet = thresholds.pause_at;
        return true;
    case PROBE_DROP:
        *packet = thresholds.drop_at;
        return found.group.xoff_bytes > 0;
    case PROBE_XON:
        *packet = thresholds.leave;
        return true;
    case PROBE_EGRESS_DROP:
        *packet = thresholds_queue_drop(&found.chip, found.group.size_bytes,
                                        &found.group.limit, found.group.shared,
                                        options->size_bytes);
        return true;
    case PROBE_HEADROOM_POOL:
        *packet = pool_packet(&found, result->n_groups, &thresholds);
        return found.group.pool_xoff_bytes > 0;
    case N_PROBE_KINDS:
    default:
        return false;
    }
}
