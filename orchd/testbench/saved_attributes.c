/* SPDX-License-Identifier: Apache-2.0 */

/* Keeps a list with linear search: a scenario sets few attributes. */

#include <config.h>

#include "orchd/testbench/saved_attributes.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "orchd/switch/switch_query.h"
#include "sai/core/backend.h"

/* Returns the index of an attribute, or 'saved->n' if it was not set. */
static size_t
find(const struct saved_attributes *saved, sai_object_id_t oid,
     sai_attr_id_t id)
{
    size_t i = 0;

    while (i < saved->n &&
           (saved->list[i].oid != oid || saved->list[i].former.id != id)) {
        i++;
    }
    return i;
}

enum st
saved_attributes_set(struct saved_attributes *saved,
                     struct sai_backend *backend, sai_object_type_t type,
                     sai_object_id_t oid, const sai_attribute_t *attribute,
                     const char *what, struct err *err)
{
    struct change change = {type, oid, {.id = attribute->id}};
    const bool known = find(saved, oid, attribute->id) < saved->n;
    const bool readable =
        known || backend->ops->get(backend, type, oid, 1, &change.former) ==
                     SAI_STATUS_SUCCESS;
    enum st st;

    if (!readable && !saved->is_temporary) {
        return err_set(err, ST_UNSUPPORTED, "unsupported",
                       "%s: SAI cannot read its current value, so it could not "
                       "be restored",
                       what);
    }
    st = switch_query_status(backend->ops->set(backend, type, oid, attribute),
                             what, err);
    if (!st && readable && !known) {
        saved->list =
            check_realloc(saved->list, (saved->n + 1) * sizeof *saved->list);
        saved->list[saved->n++] = change;
    }
    return st;
}

/* Restores the attribute at index 'i'. */
static enum st
put_back(const struct saved_attributes *saved, struct sai_backend *backend,
         size_t i, struct err *err)
{
    const struct change *change = &saved->list[i];
    const sai_status_t status =
        backend->ops->set(backend, change->type, change->oid, &change->former);

    return status == SAI_STATUS_INVALID_OBJECT_ID ||
                   status == SAI_STATUS_ITEM_NOT_FOUND
               ? ST_OK
               : switch_query_status(status, "restore an attribute", err);
}

enum st
saved_attributes_undo(struct saved_attributes *saved,
                      struct sai_backend *backend, sai_object_id_t oid,
                      sai_attr_id_t id, struct err *err)
{
    const size_t i = find(saved, oid, id);
    enum st st = ST_OK;

    if (i < saved->n) {
        st = put_back(saved, backend, i, err);
        if (!st) {
            saved->n--;
            memmove(&saved->list[i], &saved->list[i + 1],
                    (saved->n - i) * sizeof *saved->list);
        }
    }
    return st;
}

enum st
saved_attributes_undo_all(struct saved_attributes *saved,
                          struct sai_backend *backend, struct err *err)
{
    enum st st = ST_OK;

    while (saved->n) {
        struct err another = {0};
        enum st now = put_back(saved, backend, --saved->n, &another);

        if (now && !st) {
            *err = another;
            st = now;
        }
    }
    return st;
}

void
saved_attributes_fini(struct saved_attributes *saved)
{
    free(saved->list);
    memset(saved, 0, sizeof *saved);
}
