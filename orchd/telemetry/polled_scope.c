/* SPDX-License-Identifier: Apache-2.0 */

/* Keeps the profile of each queue and priority group, and the zero profiles. */

#include <config.h>

#include "orchd/telemetry/polled_scope.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/hash_index.h"

#define ZERO_MARK "_zero_"

/* A queue or priority group with its profile, or a zero profile. */
struct scope_entry {
    sai_object_id_t oid;     /* Key. */
    sai_object_id_t profile; /* SAI_NULL_OBJECT_ID of zero profiles. */
};

struct polled_scope {
    struct hash_index bound, zeros; /* By id. */
    bool restricted;
    bool changed; /* Not set by profiles while the scope has all objects. */
};

struct polled_scope *
polled_scope_create(void)
{
    return check_calloc(1, sizeof(struct polled_scope));
}

static void
clear(struct hash_index *table)
{
    struct scope_entry *entry;
    size_t place = 0;

    while ((entry = hash_index_next(table, &place))) {
        free(entry);
    }
    hash_index_fini(table);
}

void
polled_scope_destroy(struct polled_scope *scope)
{
    if (scope) {
        clear(&scope->bound);
        clear(&scope->zeros);
        free(scope);
    }
}

void
polled_scope_forget(struct polled_scope *scope)
{
    clear(&scope->bound);
    clear(&scope->zeros);
    scope->changed |= scope->restricted;
}

void
polled_scope_restrict(struct polled_scope *scope, bool restricted)
{
    scope->changed |= scope->restricted != restricted;
    scope->restricted = restricted;
}

/* A hash_index_equal_fn. */
static bool
has_oid(const void *entry_, const void *oid)
{
    const struct scope_entry *entry = entry_;

    return entry->oid == *(const sai_object_id_t *)oid;
}

static struct scope_entry *
find(const struct hash_index *table, sai_object_id_t oid)
{
    return hash_index_find(table, hash_index_number(oid), has_oid, &oid);
}

static struct scope_entry *
get(struct hash_index *table, sai_object_id_t oid)
{
    struct scope_entry *entry = find(table, oid);

    if (!entry) {
        entry = check_calloc(1, sizeof *entry);
        entry->oid = oid;
        hash_index_add(table, hash_index_number(oid), entry);
    }
    return entry;
}

/* Removes 'oid' from 'table'.  Returns whether it was there. */
static bool
forget(struct hash_index *table, sai_object_id_t oid)
{
    struct scope_entry *entry = find(table, oid);

    if (entry) {
        hash_index_remove(table, hash_index_number(oid), entry);
        free(entry);
    }
    return entry != NULL;
}

void
polled_scope_profile(struct polled_scope *scope, sai_object_id_t oid,
                     const char *name)
{
    if (strstr(name, ZERO_MARK)) {
        (void)get(&scope->zeros, oid);
        scope->changed |= scope->restricted;
    }
}

void
polled_scope_bind(struct polled_scope *scope, sai_object_id_t oid,
                  sai_object_id_t profile)
{
    if (profile == SAI_NULL_OBJECT_ID) {
        polled_scope_gone(scope, oid);
    } else {
        get(&scope->bound, oid)->profile = profile;
        scope->changed |= scope->restricted;
    }
}

void
polled_scope_gone(struct polled_scope *scope, sai_object_id_t oid)
{
    const bool entry = forget(&scope->bound, oid);
    const bool zero = forget(&scope->zeros, oid);

    scope->changed |= (entry || zero) && scope->restricted;
}

bool
polled_scope_has(const struct polled_scope *scope, sai_object_id_t oid)
{
    const struct scope_entry *entry;

    if (!scope->restricted) {
        return true;
    }
    entry = find(&scope->bound, oid);
    return entry && !find(&scope->zeros, entry->profile);
}

bool
polled_scope_changed(struct polled_scope *scope)
{
    const bool changed = scope->changed;

    scope->changed = false;
    return changed;
}
