/* SPDX-License-Identifier: Apache-2.0 */

/* Profiles by id, and who has which. */

#include <config.h>

#include "orchd/telemetry/polled_scope.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "base/check.h"

#define ZERO_MARK "_zero_"

/* A place with its profile, or a zero profile. */
struct buffer_rows {
    sai_object_id_t oid;     /* Key. */
    sai_object_id_t profile; /* SAI_NULL_OBJECT_ID of zero profiles. */
    UT_hash_handle hh;
};

struct polled_scope {
    struct buffer_rows *places;
    struct buffer_rows *zeros;
    bool narrow;
    bool changed; /* While all are in scope, nobody's profile matters. */
};

struct polled_scope *
polled_scope_create(void)
{
    return check_calloc(1, sizeof(struct polled_scope));
}

static void
clear(struct buffer_rows **table)
{
    struct buffer_rows *known, *next;

    HASH_ITER(hh, *table, known, next)
    {
        HASH_DEL(*table, known);
        free(known);
    }
}

void
polled_scope_destroy(struct polled_scope *scope)
{
    if (scope) {
        clear(&scope->places);
        clear(&scope->zeros);
        free(scope);
    }
}

void
polled_scope_forget(struct polled_scope *scope)
{
    clear(&scope->places);
    clear(&scope->zeros);
    scope->changed |= scope->narrow;
}

void
polled_scope_narrow(struct polled_scope *scope, bool narrow)
{
    scope->changed |= scope->narrow != narrow;
    scope->narrow = narrow;
}

static struct buffer_rows *
find(struct buffer_rows *table, sai_object_id_t oid)
{
    struct buffer_rows *known;

    HASH_FIND(hh, table, &oid, sizeof oid, known);
    return known;
}

static struct buffer_rows *
get(struct buffer_rows **table, sai_object_id_t oid)
{
    struct buffer_rows *known = find(*table, oid);

    if (!known) {
        known = check_calloc(1, sizeof *known);
        known->oid = oid;
        HASH_ADD(hh, *table, oid, sizeof known->oid, known);
    }
    return known;
}

/* Returns whether it was there. */
static bool
forget(struct buffer_rows **table, sai_object_id_t oid)
{
    struct buffer_rows *known = find(*table, oid);

    if (known) {
        HASH_DEL(*table, known);
        free(known);
    }
    return known != NULL;
}

void
polled_scope_profile(struct polled_scope *scope, sai_object_id_t oid,
                     const char *name)
{
    if (strstr(name, ZERO_MARK)) {
        (void)get(&scope->zeros, oid);
        scope->changed |= scope->narrow;
    }
}

void
polled_scope_bind(struct polled_scope *scope, sai_object_id_t oid,
                  sai_object_id_t profile)
{
    if (profile == SAI_NULL_OBJECT_ID) {
        polled_scope_gone(scope, oid);
    } else {
        get(&scope->places, oid)->profile = profile;
        scope->changed |= scope->narrow;
    }
}

void
polled_scope_gone(struct polled_scope *scope, sai_object_id_t oid)
{
    const bool place = forget(&scope->places, oid);
    const bool zero = forget(&scope->zeros, oid);

    scope->changed |= (place || zero) && scope->narrow;
}

bool
polled_scope_has(const struct polled_scope *scope, sai_object_id_t oid)
{
    const struct buffer_rows *place;

    if (!scope->narrow) {
        return true;
    }
    place = find(scope->places, oid);
    return place && !find(scope->zeros, place->profile);
}

bool
polled_scope_changed(struct polled_scope *scope)
{
    const bool changed = scope->changed;

    scope->changed = false;
    return changed;
}
