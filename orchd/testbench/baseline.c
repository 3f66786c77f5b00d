/* SPDX-License-Identifier: Apache-2.0 */

/* Keeps readings by the names of their objects. */

#include <config.h>

#include "orchd/testbench/baseline.h"

#include <string.h>

#include <uthash.h>

#include "base/arena.h"
#include "orchd/switch/switch_query.h"

/* Room for "queue ", the name of a port and an index. */
#define NAME_SIZE 200

struct baseline_object {
    char name[NAME_SIZE];
    struct target_reading reading;
    UT_hash_handle hh;
};

void
baseline_note(struct baseline *baseline, const struct target_object *object,
              const struct target_reading *reading)
{
    struct target_stat *stats;
    struct baseline_object *then;

    if (!baseline->arena) {
        baseline->arena = arena_create(0);
    }
    then = arena_alloc(baseline->arena, 1, sizeof *then);
    stats = arena_alloc(baseline->arena, reading->n + 1, sizeof *stats);
    for (size_t i = 0; i < reading->n; i++) {
        stats[i].name = arena_strdup(baseline->arena, reading->stats[i].name);
        stats[i].value = reading->stats[i].value;
    }
    then->reading = (struct target_reading){reading->n, stats};
    target_object_text(object, then->name, sizeof then->name);
    HASH_ADD_STR(baseline->objects, name, then);
}

void
baseline_subtract(const struct baseline *baseline,
                  const struct target_object *object, struct target_stat *stats,
                  size_t n)
{
    char name[NAME_SIZE];
    struct baseline_object *then;

    target_object_text(object, name, sizeof name);
    HASH_FIND_STR(baseline->objects, name, then);
    for (size_t i = 0; then && i < n; i++) {
        const struct target_stat *was =
            target_reading_find(&then->reading, stats[i].name);

        if (was && was->value <= stats[i].value &&
            switch_query_counts(stats[i].name)) {
            stats[i].value -= was->value;
        }
    }
}

void
baseline_fini(struct baseline *baseline)
{
    HASH_CLEAR(hh, baseline->objects);
    arena_destroy(baseline->arena);
    *baseline = (struct baseline){NULL, NULL};
}
