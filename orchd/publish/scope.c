/* SPDX-License-Identifier: Apache-2.0 */

/* Profiles by id, and who has which. */

#include <config.h>

#include "orchd/publish/scope.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "base/check.h"

#define ZERO_MARK "_zero_"

/* A place with its profile, or a zero profile. */
struct known {
    sai_object_id_t oid;     /* Key. */
    sai_object_id_t profile; /* SAI_NULL_OBJECT_ID of zero profiles. */
    UT_hash_handle hh;
};

struct scope {
    struct known *places;
    struct known *zeros;
    bool narrow;
    bool changed; /* While all are in scope, nobody's profile matters. */
};

struct scope *
scope_create(void)
{
    return check_calloc(1, sizeof(struct scope));
}

static void
clear(struct known **table)
{
    struct known *known, *next;

    HASH_ITER(hh, *table, known, next)
    {
        HASH_DEL(*table, known);
        free(known);
    }
}

void
scope_destroy(struct scope *scope)
{
    if (scope) {
        clear(&scope->places);
        clear(&scope->zeros);
        free(scope);
    }
}

void
scope_forget(struct scope *scope)
{
    clear(&scope->places);
    clear(&scope->zeros);
    scope->changed |= scope->narrow;
}

void
scope_narrow(struct scope *scope, bool narrow)
{
    scope->changed |= scope->narrow != narrow;
    scope->narrow = narrow;
}

static struct known *
find(struct known *table, sai_object_id_t oid)
{
    struct known *known;

    HASH_FIND(hh, table, &oid, sizeof oid, known);
    return known;
}

static struct known *
get(struct known **table, sai_object_id_t oid)
{
    struct known *known = find(*table, oid);

    if (!known) {
        known = check_calloc(1, sizeof *known);
        known->oid = oid;
        HASH_ADD(hh, *table, oid, sizeof known->oid, known);
    }
    return known;
}

/* Returns whether it was there. */
static bool
forget(struct known **table, sai_object_id_t oid)
{
    struct known *known = find(*table, oid);

    if (known) {
        HASH_DEL(*table, known);
        free(known);
    }
    return known != NULL;
}

void
scope_profile(struct scope *scope, sai_object_id_t oid, const char *name)
{
    if (strstr(name, ZERO_MARK)) {
        (void)get(&scope->zeros, oid);
        scope->changed |= scope->narrow;
    }
}

void
scope_bind(struct scope *scope, sai_object_id_t oid, sai_object_id_t profile)
{
    if (profile == SAI_NULL_OBJECT_ID) {
        scope_gone(scope, oid);
    } else {
        get(&scope->places, oid)->profile = profile;
        scope->changed |= scope->narrow;
    }
}

void
scope_gone(struct scope *scope, sai_object_id_t oid)
{
    const bool place = forget(&scope->places, oid);
    const bool zero = forget(&scope->zeros, oid);

    scope->changed |= (place || zero) && scope->narrow;
}

bool
scope_has(const struct scope *scope, sai_object_id_t oid)
{
    const struct known *place;

    if (!scope->narrow) {
        return true;
    }
    place = find(scope->places, oid);
    return place && !find(scope->zeros, place->profile);
}

bool
scope_changed(struct scope *scope)
{
    const bool changed = scope->changed;

    scope->changed = false;
    return changed;
}
