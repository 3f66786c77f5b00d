/* SPDX-License-Identifier: Apache-2.0 */

/* A list of calls, whose attributes live in an arena. */

#include <config.h>

#include "sai/stack/journal.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/check.h"
#include "sai/core/attr_value.h"
#include "sai/core/metadata.h"

struct journal {
    struct sai_backend backend; /* First: what callers hold. */
    struct sai_backend *inner;
    struct arena *arena;
    struct journal_call *calls;
    size_t n, size;
};

static struct journal *
journal_of(struct sai_backend *backend)
{
    return (struct journal *)(void *)backend;
}

/* Copies the attributes.  Of an attribute that is unknown, or given twice, only
 * the id is kept, because the guard refuses it. */
static const sai_attribute_t *
copy_attributes(struct journal *journal, sai_object_type_t type, uint32_t n,
                const sai_attribute_t *attributes)
{
    sai_attribute_t *copy = arena_alloc(journal->arena, n + 1u, sizeof *copy);

    for (uint32_t i = 0; i < n; i++) {
        const struct metadata_attribute *meta =
            metadata_attribute(type, attributes[i].id);

        copy[i].id = attributes[i].id;
        if (meta) {
            attr_value_copy_to_arena(journal->arena, meta->kind,
                                     &attributes[i].value, &copy[i].value);
        }
    }
    return copy;
}

/* Adds a call; the caller stores its result. */
static struct journal_call *
add(struct journal *journal, enum op op, sai_object_type_t type, uint32_t n,
    const sai_attribute_t *attributes)
{
    struct journal_call *call;

    if (journal->n == journal->size) {
        journal->size = journal->size ? 2 * journal->size : 256;
        journal->calls = check_realloc(journal->calls,
                                       journal->size * sizeof *journal->calls);
    }
    call = &journal->calls[journal->n++];
    *call = (struct journal_call){
        .op = op,
        .type = type,
        .attributes = copy_attributes(journal, type, n, attributes),
        .n = n};
    return call;
}

static sai_status_t
journal_create_object(struct sai_backend *backend, sai_object_type_t type,
                      uint32_t n, const sai_attribute_t *attributes,
                      sai_object_id_t *oid)
{
    struct journal *journal = journal_of(backend);
    struct journal_call *call = add(journal, OP_CREATE, type, n, attributes);

    call->status =
        journal->inner->ops->create(journal->inner, type, n, attributes, oid);
    call->oid = call->status == SAI_STATUS_SUCCESS ? *oid : SAI_NULL_OBJECT_ID;
    return call->status;
}

static sai_status_t
journal_remove(struct sai_backend *backend, sai_object_type_t type,
               sai_object_id_t oid)
{
    struct journal *journal = journal_of(backend);
    struct journal_call *call = add(journal, OP_REMOVE, type, 0, NULL);

    call->oid = oid;
    call->status = journal->inner->ops->remove(journal->inner, type, oid);
    return call->status;
}

static sai_status_t
journal_set(struct sai_backend *backend, sai_object_type_t type,
            sai_object_id_t oid, const sai_attribute_t *attribute)
{
    struct journal *journal = journal_of(backend);
    struct journal_call *call = add(journal, OP_SET, type, 1, attribute);

    call->oid = oid;
    call->status =
        journal->inner->ops->set(journal->inner, type, oid, attribute);
    return call->status;
}

static sai_status_t
journal_get(struct sai_backend *backend, sai_object_type_t type,
            sai_object_id_t oid, uint32_t n, sai_attribute_t *attributes)
{
    struct sai_backend *inner = journal_of(backend)->inner;

    return inner->ops->get(inner, type, oid, n, attributes);
}

static sai_status_t
journal_get_stats(struct sai_backend *backend, sai_object_type_t type,
                  sai_object_id_t oid, uint32_t n, const sai_stat_id_t *ids,
                  sai_stats_mode_t mode, uint64_t *values)
{
    struct sai_backend *inner = journal_of(backend)->inner;

    return inner->ops->get_stats(inner, type, oid, n, ids, mode, values);
}

/* Without bulk operations callers make single calls, which are easier to read.
 */
static const struct sai_backend_ops ops = {
    .create = journal_create_object,
    .remove = journal_remove,
    .set = journal_set,
    .get = journal_get,
    .get_stats = journal_get_stats,
};

struct journal *
journal_create(struct sai_backend *inner)
{
    struct journal *journal = check_calloc(1, sizeof *journal);

    journal->backend.ops = &ops;
    journal->backend.switch_id = inner->switch_id;
    journal->inner = inner;
    journal->arena = arena_create(0);
    return journal;
}

void
journal_destroy(struct journal *journal)
{
    if (journal) {
        arena_destroy(journal->arena);
        free(journal->calls);
        free(journal);
    }
}

struct sai_backend *
journal_backend(struct journal *journal)
{
    return &journal->backend;
}

const struct journal_call *
journal_calls(const struct journal *journal, size_t *n)
{
    *n = journal->n;
    return journal->calls;
}

void
journal_clear(struct journal *journal)
{
    journal->n = 0;
    arena_reset(journal->arena);
}
