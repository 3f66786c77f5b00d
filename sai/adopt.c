/* SPDX-License-Identifier: Apache-2.0 */

/* Finding objects by their content.
 *
 * Cost: at the start every attribute of every object is read once, which are
 * some thousand calls on a large switch.  Until the end each set is a get
 * besides. */

#include <config.h>

#include "sai/adopt.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "sai/deep.h"
#include "sai/entry.h"
#include "sai/metadata.h"

/* Elements of a list for which there is room at first. */
enum { FIRST_ROOM = 256 };

/* What an object has.  NULL: it could not be read. */
struct found {
    sai_object_type_t type;
    sai_object_id_t oid;
    bool adopted;
    const struct metadata_object *meta;
    sai_attribute_value_t *values; /* By index of the attribute. */
    bool *is_read;
};

struct adopt {
    struct sai_backend backend; /* First: it is cast back. */
    struct sai_backend *inner;
    struct found *found;
    bool active;
    struct adopt_figures figures;
};

static const sai_object_type_t types[] = {
    SAI_OBJECT_TYPE_BUFFER_POOL, SAI_OBJECT_TYPE_BUFFER_PROFILE,
    SAI_OBJECT_TYPE_QOS_MAP,     SAI_OBJECT_TYPE_SCHEDULER,
    SAI_OBJECT_TYPE_WRED,
};

enum { N_TYPES = sizeof types / sizeof types[0] };

static bool
is_considered(sai_object_type_t type)
{
    for (size_t i = 0; i < N_TYPES; i++) {
        if (types[i] == type) {
            return true;
        }
    }
    return false;
}

/* Reading ---------------------------------------------------------------- */

/* Reads an attribute into '*value', which ends with deep_fini(). */
static bool
read_value(struct sai_backend *inner, sai_object_type_t type,
           sai_object_id_t oid, const struct metadata_attribute *meta,
           sai_attribute_value_t *value)
{
    const bool has_list = kind_has_list(meta->kind);
    const size_t size = kind_layout(meta->kind)->element_size;
    sai_attribute_t attribute;
    uint32_t room = FIRST_ROOM;
    sai_status_t status;

    if (meta->kind == KIND_PORTSERDESTAPS || meta->kind == KIND_POINTER) {
        return false; /* Lists of lists, and what is of this process. */
    }
    for (;;) {
        void *elements = has_list ? check_calloc(room, size) : NULL;

        memset(&attribute, 0, sizeof attribute);
        attribute.id = meta->id;
        if (has_list) {
            kind_list_set(meta->kind, &attribute.value, room, elements);
        }
        status = inner->ops->get(inner, type, oid, 1, &attribute);
        if (status == SAI_STATUS_SUCCESS) {
            deep_copy(meta->kind, &attribute.value, value);
        }
        free(elements);
        if (status != SAI_STATUS_BUFFER_OVERFLOW || !has_list ||
            kind_list_count(meta->kind, &attribute.value) <= room) {
            return status == SAI_STATUS_SUCCESS;
        }
        room = kind_list_count(meta->kind, &attribute.value);
    }
}

/* Reads all that could have been given when the object was made. */
static void
read_object(struct sai_backend *inner, struct found *found)
{
    const struct metadata_object *meta = found->meta;

    found->values = check_calloc(meta->n_attributes, sizeof *found->values);
    found->is_read = check_calloc(meta->n_attributes, sizeof *found->is_read);
    for (uint16_t i = 0; i < meta->n_attributes; i++) {
        const struct metadata_attribute *attribute = &meta->attributes[i];

        found->is_read[i] = !(attribute->flags & METADATA_FLAG_READ_ONLY) &&
                            read_value(inner, found->type, found->oid,
                                       attribute, &found->values[i]);
    }
}

/* Finds all objects of 'type'. */
static void
find_objects(struct adopt *adopt, adopt_list_fn list, sai_object_type_t type)
{
    sai_object_key_t *keys = NULL;
    uint32_t n = 0;
    sai_status_t status;

    do {
        free(keys);
        keys = check_calloc((size_t)n + 1, sizeof *keys);
        status = list(adopt->inner->switch_id, type, &n, keys);
    } while (status == SAI_STATUS_BUFFER_OVERFLOW && n < KIND_LIST_MAX);
    n = status == SAI_STATUS_SUCCESS ? n : 0;
    adopt->found = check_realloc(
        adopt->found, (adopt->figures.n_found + n + 1) * sizeof *adopt->found);
    for (uint32_t i = 0; i < n; i++) {
        struct found *found = &adopt->found[adopt->figures.n_found++];

        *found = (struct found){.type = type,
                                .oid = keys[i].key.object_id,
                                .meta = metadata_object(type)};
        read_object(adopt->inner, found);
    }
    free(keys);
}

/* Comparing --------------------------------------------------------------- */

/* Returns the value that is given for an attribute, or NULL. */
static const sai_attribute_value_t *
given(sai_attr_id_t id, uint32_t n, const sai_attribute_t *attributes)
{
    for (uint32_t i = 0; i < n; i++) {
        if (attributes[i].id == id) {
            return &attributes[i].value;
        }
    }
    return NULL;
}

/* Returns whether 'found' is what a creation with these attributes makes. */
static bool
is_same(const struct found *found, uint32_t n,
        const sai_attribute_t *attributes)
{
    for (uint16_t i = 0; i < found->meta->n_attributes; i++) {
        const struct metadata_attribute *meta = &found->meta->attributes[i];
        const sai_attribute_value_t *value = given(meta->id, n, attributes);
        sai_attribute_value_t usual;

        if (!value && (!found->is_read[i] || !metadata_default(meta, &usual))) {
            continue;
        }
        if (!found->is_read[i] || !deep_equal(meta->kind, &found->values[i],
                                              value ? value : &usual)) {
            return false;
        }
    }
    return true;
}

/* Finds an object that nobody has asked for yet. */
static struct found *
find_same(const struct adopt *adopt, sai_object_type_t type, uint32_t n,
          const sai_attribute_t *attributes)
{
    for (size_t i = 0; i < adopt->figures.n_found; i++) {
        struct found *found = &adopt->found[i];

        if (!found->adopted && found->type == type &&
            is_same(found, n, attributes)) {
            return found;
        }
    }
    return NULL;
}

/* Returns whether object 'oid' has that value already. */
static bool
is_set(const struct adopt *adopt, sai_object_type_t type, sai_object_id_t oid,
       const sai_attribute_t *attribute)
{
    const struct metadata_attribute *meta =
        metadata_attribute(type, attribute->id);
    sai_attribute_value_t value;
    bool same = false;

    if (meta && !entry_is_key(type) &&
        read_value(adopt->inner, type, oid, meta, &value)) {
        same = deep_equal(meta->kind, &value, &attribute->value);
        deep_fini(meta->kind, &value);
    }
    return same;
}

/* The verbs ---------------------------------------------------------------- */

static sai_status_t
pass_create(struct adopt *adopt, sai_object_type_t type, uint32_t n,
            const sai_attribute_t *attributes, sai_object_id_t *oid)
{
    const sai_status_t status =
        adopt->inner->ops->create(adopt->inner, type, n, attributes, oid);

    adopt->backend.switch_id = adopt->inner->switch_id;
    adopt->figures.n_created += adopt->active && status == SAI_STATUS_SUCCESS;
    return status;
}

static sai_status_t
adopt_create_object(struct sai_backend *backend, sai_object_type_t type,
                    uint32_t n, const sai_attribute_t *attributes,
                    sai_object_id_t *oid)
{
    struct adopt *adopt = (struct adopt *)backend;
    struct found *found =
        adopt->active ? find_same(adopt, type, n, attributes) : NULL;

    if (!found) {
        return pass_create(adopt, type, n, attributes, oid);
    }
    found->adopted = true;
    adopt->figures.n_adopted++;
    *oid = found->oid;
    return SAI_STATUS_SUCCESS;
}

static sai_status_t
adopt_remove(struct sai_backend *backend, sai_object_type_t type,
             sai_object_id_t oid)
{
    struct adopt *adopt = (struct adopt *)backend;
    const sai_status_t status =
        adopt->inner->ops->remove(adopt->inner, type, oid);

    adopt->backend.switch_id = adopt->inner->switch_id;
    return status;
}

static sai_status_t
adopt_set(struct sai_backend *backend, sai_object_type_t type,
          sai_object_id_t oid, const sai_attribute_t *attribute)
{
    struct adopt *adopt = (struct adopt *)backend;

    if (adopt->active && is_set(adopt, type, oid, attribute)) {
        adopt->figures.n_unneeded++;
        return SAI_STATUS_SUCCESS;
    }
    adopt->figures.n_set += adopt->active;
    return adopt->inner->ops->set(adopt->inner, type, oid, attribute);
}

static sai_status_t
adopt_get(struct sai_backend *backend, sai_object_type_t type,
          sai_object_id_t oid, uint32_t n, sai_attribute_t *attributes)
{
    struct sai_backend *inner = ((struct adopt *)backend)->inner;

    return inner->ops->get(inner, type, oid, n, attributes);
}

static sai_status_t
adopt_get_stats(struct sai_backend *backend, sai_object_type_t type,
                sai_object_id_t oid, uint32_t n, const sai_stat_id_t *ids,
                sai_stats_mode_t mode, uint64_t *values)
{
    struct sai_backend *inner = ((struct adopt *)backend)->inner;

    return inner->ops->get_stats(inner, type, oid, n, ids, mode, values);
}

static sai_status_t
adopt_get_stats_many(struct sai_backend *backend,
                     const struct backend_stats *call)
{
    return backend_get_stats_many(((struct adopt *)backend)->inner, call);
}

/* While something may be there already, each object is looked at by itself. */
static sai_status_t
adopt_many(struct sai_backend *backend, const struct backend_many *call)
{
    struct adopt *adopt = (struct adopt *)backend;
    const bool mine =
        (call->op == OP_CREATE_MANY && is_considered(call->type)) ||
        (call->op == OP_SET_MANY && !entry_is_key(call->type));

    return adopt->active && mine
               ? backend_do_apart(backend, call, backend_do_one)
               : backend_do_many(adopt->inner, call);
}

static const struct sai_backend_ops adopt_ops = {
    .create = adopt_create_object,
    .remove = adopt_remove,
    .set = adopt_set,
    .get = adopt_get,
    .get_stats = adopt_get_stats,
    .get_stats_many = adopt_get_stats_many,
    .many = adopt_many,
};

/* Life -------------------------------------------------------------------- */

struct adopt *
adopt_create(struct sai_backend *inner, adopt_list_fn list)
{
    struct adopt *adopt = check_calloc(1, sizeof *adopt);

    adopt->backend.ops = &adopt_ops;
    adopt->backend.switch_id = inner->switch_id;
    adopt->inner = inner;
    adopt->active = true;
    for (size_t i = 0; list && i < N_TYPES; i++) {
        find_objects(adopt, list, types[i]);
    }
    return adopt;
}

/* Frees what was found. */
static void
forget(struct adopt *adopt)
{
    for (size_t i = 0; adopt->found && i < adopt->figures.n_found; i++) {
        struct found *found = &adopt->found[i];

        for (uint16_t k = 0; k < found->meta->n_attributes; k++) {
            if (found->is_read[k]) {
                deep_fini(found->meta->attributes[k].kind, &found->values[k]);
            }
        }
        free(found->values);
        free(found->is_read);
    }
    free(adopt->found);
    adopt->found = NULL;
}

void
adopt_destroy(struct adopt *adopt)
{
    if (adopt) {
        forget(adopt);
        free(adopt);
    }
}

struct sai_backend *
adopt_backend(struct adopt *adopt)
{
    return &adopt->backend;
}

/* Removes what nobody asked for and nobody uses.  Returns how much. */
static size_t
remove_rest(struct adopt *adopt)
{
    size_t n = 0;

    for (size_t i = 0; i < adopt->figures.n_found; i++) {
        struct found *found = &adopt->found[i];

        if (!found->adopted &&
            adopt->inner->ops->remove(adopt->inner, found->type, found->oid) ==
                SAI_STATUS_SUCCESS) {
            found->adopted = true; /* It is done with. */
            n++;
        }
    }
    return n;
}

void
adopt_end(struct adopt *adopt)
{
    size_t n;

    if (!adopt->active) {
        return;
    }
    adopt->active = false;
    /* One may free another: again while that helps. */
    while ((n = remove_rest(adopt)) > 0) {
        adopt->figures.n_removed += n;
    }
    adopt->figures.n_kept = adopt->figures.n_found - adopt->figures.n_adopted -
                            adopt->figures.n_removed;
    forget(adopt);
}

bool
adopt_is_active(const struct adopt *adopt)
{
    return adopt->active;
}

void
adopt_figures(const struct adopt *adopt, struct adopt_figures *figures)
{
    *figures = adopt->figures;
}
