/* SPDX-License-Identifier: Apache-2.0 */

/* Keeps a list with linear search: a scenario sets few attributes. */

#include <config.h>

#include "orchd/testbench/saved_attributes.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "orchd/switch/switch_query.h"
#include "sai/core/backend.h"

/* Returns the index of an attribute, or 'changes->n' if it was not set. */
static size_t
find(const struct saved_attributes *changes, sai_object_id_t oid,
     sai_attr_id_t id)
{
    size_t i = 0;

    while (i < changes->n &&
           (changes->list[i].oid != oid || changes->list[i].former.id != id)) {
        i++;
    }
    return i;
}

enum st
saved_attributes_set(struct saved_attributes *changes,
                     struct sai_backend *backend, sai_object_type_t type,
                     sai_object_id_t oid, const sai_attribute_t *attribute,
                     const char *what, struct err *err)
{
    struct change change = {type, oid, {.id = attribute->id}};
    const bool known = find(changes, oid, attribute->id) < changes->n;
    const bool readable =
        known || backend->ops->get(backend, type, oid, 1, &change.former) ==
                     SAI_STATUS_SUCCESS;
    enum st st;

    if (!readable && !changes->is_temporary) {
        return err_set(err, ST_UNSUPPORTED, "unsupported",
                       "%s: SAI cannot read its current value, so it could not "
                       "be restored",
                       what);
    }
    st = switch_query_status(backend->ops->set(backend, type, oid, attribute),
                             what, err);
    if (!st && readable && !known) {
        changes->list = check_realloc(changes->list,
                                      (changes->n + 1) * sizeof *changes->list);
        changes->list[changes->n++] = change;
    }
    return st;
}

/* Restores the attribute at index 'i'. */
static enum st
put_back(const struct saved_attributes *changes, struct sai_backend *backend,
         size_t i, struct err *err)
{
    const struct change *change = &changes->list[i];
    const sai_status_t status =
        backend->ops->set(backend, change->type, change->oid, &change->former);

    return status == SAI_STATUS_INVALID_OBJECT_ID ||
                   status == SAI_STATUS_ITEM_NOT_FOUND
               ? ST_OK
               : switch_query_status(status, "restore an attribute", err);
}

enum st
saved_attributes_undo(struct saved_attributes *changes,
                      struct sai_backend *backend, sai_object_id_t oid,
                      sai_attr_id_t id, struct err *err)
{
    const size_t i = find(changes, oid, id);
    enum st st = ST_OK;

    if (i < changes->n) {
        st = put_back(changes, backend, i, err);
        if (!st) {
            changes->n--;
            memmove(&changes->list[i], &changes->list[i + 1],
                    (changes->n - i) * sizeof *changes->list);
        }
    }
    return st;
}

enum st
saved_attributes_undo_all(struct saved_attributes *changes,
                          struct sai_backend *backend, struct err *err)
{
    enum st st = ST_OK;

    while (changes->n) {
        struct err another = {0};
        enum st now = put_back(changes, backend, --changes->n, &another);

        if (now && !st) {
            *err = another;
            st = now;
        }
    }
    return st;
}

void
saved_attributes_fini(struct saved_attributes *changes)
{
    free(changes->list);
    memset(changes, 0, sizeof *changes);
}
