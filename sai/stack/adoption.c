/* SPDX-License-Identifier: Apache-2.0 */

/* Finds objects by their names and contents.
 *
 * Cost: at the start each attribute of all objects of a type is read once, and
 * until the end each set also costs a get.  Both use one call for many objects
 * (sai/core/bulk_get.h).  A large switch has some hundred objects, so a linear
 * search suffices. */

#include <config.h>

#include "sai/stack/adoption.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "sai/core/attr_value.h"
#include "sai/core/bulk_get.h"
#include "sai/core/entry.h"
#include "sai/core/metadata.h"
#include "sai/stack/set_changed.h"

/* The objects of one type, by attribute. */
struct kin {
    const struct metadata_object *meta;
    struct bulk_get *columns; /* By index of the attribute. */
    bool unlisted;            /* The library cannot list them. */
};

/* One object that was on the switch at the start. */
struct found {
    sai_object_id_t oid;
    const struct kin *kin;
    uint32_t row; /* In the columns. */
    bool adopted;
    char *name;    /* In the previous run; owned; NULL: unknown. */
    bool disputed; /* It was said to have several. */
};

/* A restored name of an object that the library did not list. */
struct remembered {
    sai_object_type_t type;
    sai_object_id_t oid;
    char *name; /* Owned; NULL: the object is said to have several. */
};

/* A stale object, which stays while it is in use. */
struct kept {
    sai_object_type_t type;
    sai_object_id_t oid;
};

enum { N_TYPES = 6 };

struct adoption {
    struct sai_backend backend; /* First: it is cast back. */
    struct sai_backend *inner;
    adoption_uses_fn *uses; /* NULL: all. */
    struct kin kins[N_TYPES];
    struct found *found;
    struct remembered *remembered; /* Until they are read. */
    size_t n_remembered;
    struct kept *kept;          /* After the end; figures.n_kept of them. */
    const char *expected;       /* NULL: none. */
    adoption_wanted_fn *wanted; /* NULL: unknown. */
    void *wanted_context;
    bool active;
    struct adoption_figures figures;
};

static const sai_object_type_t types[N_TYPES] = {
    SAI_OBJECT_TYPE_BUFFER_POOL, SAI_OBJECT_TYPE_BUFFER_PROFILE,
    SAI_OBJECT_TYPE_QOS_MAP,     SAI_OBJECT_TYPE_SCHEDULER,
    SAI_OBJECT_TYPE_WRED,        SAI_OBJECT_TYPE_PORT_LLR_PROFILE,
};

bool
adoption_considers(sai_object_type_t type)
{
    for (size_t i = 0; i < N_TYPES; i++) {
        if (types[i] == type) {
            return true;
        }
    }
    return false;
}

/* Reading ---------------------------------------------------------------- */

/* Returns whether 'attribute' is compared. */
static bool
is_used(const struct adoption *adopt, sai_object_type_t type,
        const struct metadata_attribute *attribute)
{
    return !(attribute->flags & METADATA_FLAG_READ_ONLY) &&
           (!adopt->uses || adopt->uses(type, attribute->id));
}

/* Reads all attributes of the 'n' objects that a creation can give. */
static void
read_kin(struct adoption *adopt, struct kin *kin, sai_object_type_t type,
         uint32_t n, const sai_object_id_t *oids)
{
    kin->meta = metadata_object(type);
    kin->columns = check_calloc(kin->meta->n_attributes, sizeof *kin->columns);
    for (uint16_t i = 0; i < kin->meta->n_attributes; i++) {
        const struct metadata_attribute *attribute = &kin->meta->attributes[i];

        if (is_used(adopt, type, attribute)) {
            bulk_get_read(&kin->columns[i], adopt->inner, type, attribute->id,
                          n, oids);
        }
    }
}

/* Lists the objects of 'type'; the caller frees '*oids'.  Sets '*refused' if
 * the library cannot list them. */
static uint32_t
list_objects(const struct adoption_lister *lister, sai_object_type_t type,
             sai_object_id_t **oids, bool *refused)
{
    sai_object_key_t *keys = NULL;
    uint32_t n = 0;
    sai_status_t status;

    do {
        free(keys);
        keys = check_calloc((size_t)n + 1, sizeof *keys);
        status = lister->list(lister->context, type, &n, keys);
    } while (status == SAI_STATUS_BUFFER_OVERFLOW && n < KIND_LIST_MAX);
    n = status == SAI_STATUS_SUCCESS ? n : 0;
    *refused = status == SAI_STATUS_NOT_IMPLEMENTED ||
               status == SAI_STATUS_NOT_SUPPORTED;
    *oids = check_calloc((size_t)n + 1, sizeof **oids);
    for (uint32_t i = 0; i < n; i++) {
        (*oids)[i] = keys[i].key.object_id;
    }
    free(keys);
    return n;
}

/* Makes room for 'n' more objects. */
static void
make_room(struct adoption *adopt, size_t n)
{
    adopt->found = check_realloc(
        adopt->found, (adopt->figures.n_found + n + 1) * sizeof *adopt->found);
}

/* Finds all objects of 'type'. */
static void
find_objects(struct adoption *adopt, const struct adoption_lister *lister,
             sai_object_type_t type, struct kin *kin)
{
    sai_object_id_t *oids;
    const uint32_t n = list_objects(lister, type, &oids, &kin->unlisted);

    if (!kin->unlisted) {
        read_kin(adopt, kin, type, n, oids);
        make_room(adopt, n);
        for (uint32_t i = 0; i < n; i++) {
            adopt->found[adopt->figures.n_found++] =
                (struct found){.oid = oids[i], .kin = kin, .row = i};
        }
    }
    free(oids);
}

/* Returns the object with that id, or NULL. */
static struct found *
find(const struct adoption *adopt, sai_object_id_t oid)
{
    for (size_t i = 0; adopt->found && i < adopt->figures.n_found; i++) {
        if (adopt->found[i].oid == oid) {
            return &adopt->found[i];
        }
    }
    return NULL;
}

/* Comparing --------------------------------------------------------------- */

/* Returns the value of attribute 'i' of the type of 'found', NULL if the
 * library did not report it. */
static const sai_attribute_value_t *
value_of(const struct found *found, uint16_t i)
{
    const struct bulk_get *column = &found->kin->columns[i];

    return column->n ? bulk_get_value(column, found->row) : NULL;
}

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

/* Returns whether the attributes of 'found' that have all 'flags' have the
 * values that a creation with these attributes gives them. */
static bool
is_same(const struct found *found, unsigned int flags, uint32_t n,
        const sai_attribute_t *attributes)
{
    for (uint16_t i = 0; i < found->kin->meta->n_attributes; i++) {
        const struct metadata_attribute *meta =
            &found->kin->meta->attributes[i];
        const sai_attribute_value_t *value = given(meta->id, n, attributes);
        const sai_attribute_value_t *there = value_of(found, i);
        sai_attribute_value_t usual;

        if ((meta->flags & flags) != flags ||
            (!value && (!there || !metadata_default(meta, &usual)))) {
            continue;
        }
        if (!there ||
            !attr_value_equal(meta->kind, there, value ? value : &usual)) {
            return false;
        }
    }
    return true;
}

/* Returns whether 'found' is reserved for the name that it had in the previous
 * run. */
static bool
is_kept(const struct adoption *adopt, const struct found *found)
{
    return found->name && adopt->wanted &&
           adopt->wanted(adopt->wanted_context, found->name);
}

/* Finds the object that a creation adopts. */
static struct found *
find_fitting(const struct adoption *adopt, sai_object_type_t type, uint32_t n,
             const sai_attribute_t *attributes)
{
    struct found *same = NULL;

    for (size_t i = 0; i < adopt->figures.n_found; i++) {
        struct found *found = &adopt->found[i];

        if (found->adopted || found->kin->meta->type != type) {
            continue;
        }
        if (found->name && adopt->expected &&
            !strcmp(found->name, adopt->expected) &&
            is_same(found, METADATA_FLAG_CREATE_ONLY, n, attributes)) {
            return found;
        }
        if (!same && is_same(found, 0, n, attributes) &&
            !is_kept(adopt, found)) {
            same = found;
        }
    }
    return same;
}

/* The verbs ---------------------------------------------------------------- */

static sai_status_t
pass_create(struct adoption *adopt, sai_object_type_t type, uint32_t n,
            const sai_attribute_t *attributes, sai_object_id_t *oid)
{
    const sai_status_t status =
        adopt->inner->ops->create(adopt->inner, type, n, attributes, oid);

    adopt->backend.switch_id = adopt->inner->switch_id;
    adopt->figures.n_created += adopt->active && status == SAI_STATUS_SUCCESS;
    return status;
}

static sai_status_t
adoption_create_object(struct sai_backend *backend, sai_object_type_t type,
                       uint32_t n, const sai_attribute_t *attributes,
                       sai_object_id_t *oid)
{
    struct adoption *adopt = (struct adoption *)backend;
    struct found *found =
        adopt->active ? find_fitting(adopt, type, n, attributes) : NULL;

    if (!found) {
        return pass_create(adopt, type, n, attributes, oid);
    }
    found->adopted = true;
    adopt->figures.n_adopted++;
    *oid = found->oid;
    return SAI_STATUS_SUCCESS;
}

/* Records that 'oid' was removed: the switch may reuse the id. */
static void
note_gone(struct adoption *adopt, sai_object_id_t oid)
{
    struct found *found = find(adopt, oid);

    if (found) {
        found->oid = SAI_NULL_OBJECT_ID;
        found->adopted = true; /* It is done with. */
    }
}

static sai_status_t
adoption_remove(struct sai_backend *backend, sai_object_type_t type,
                sai_object_id_t oid)
{
    struct adoption *adopt = (struct adoption *)backend;
    const sai_status_t status =
        adopt->inner->ops->remove(adopt->inner, type, oid);

    adopt->backend.switch_id = adopt->inner->switch_id;
    if (status == SAI_STATUS_SUCCESS) {
        note_gone(adopt, oid);
    }
    return status;
}

/* Sets the values that differ, and counts. */
static sai_status_t
set_some(struct adoption *adopt, const struct backend_many *call)
{
    uint32_t n_same, n_done = 0;
    const sai_status_t status = set_changed_set(adopt->inner, call, &n_same);

    for (uint32_t i = 0; i < call->n; i++) {
        n_done += call->statuses[i] == SAI_STATUS_SUCCESS;
    }
    adopt->figures.n_unneeded += n_same;
    adopt->figures.n_set += n_done - n_same;
    return status;
}

static sai_status_t
adoption_set(struct sai_backend *backend, sai_object_type_t type,
             sai_object_id_t oid, const sai_attribute_t *attribute)
{
    struct adoption *adopt = (struct adoption *)backend;
    sai_object_key_t key = {.key.object_id = oid};
    sai_status_t status;
    const struct backend_many call = {
        .op = OP_SET_MANY,
        .type = type,
        .mode = SAI_BULK_OP_ERROR_MODE_STOP_ON_ERROR,
        .n = 1,
        .keys = &key,
        .attributes = (sai_attribute_t *)(uintptr_t)attribute, /* Only read. */
        .statuses = &status,
    };

    return adopt->active && !entry_is_key(type)
               ? set_some(adopt, &call)
               : adopt->inner->ops->set(adopt->inner, type, oid, attribute);
}

static sai_status_t
adoption_get(struct sai_backend *backend, sai_object_type_t type,
             sai_object_id_t oid, uint32_t n, sai_attribute_t *attributes)
{
    struct sai_backend *inner = ((struct adoption *)backend)->inner;

    return inner->ops->get(inner, type, oid, n, attributes);
}

static sai_status_t
adoption_get_stats(struct sai_backend *backend, sai_object_type_t type,
                   sai_object_id_t oid, uint32_t n, const sai_stat_id_t *ids,
                   sai_stats_mode_t mode, uint64_t *values)
{
    struct sai_backend *inner = ((struct adoption *)backend)->inner;

    return inner->ops->get_stats(inner, type, oid, n, ids, mode, values);
}

static sai_status_t
adoption_get_stats_many(struct sai_backend *backend,
                        const struct backend_stats *call)
{
    return backend_get_stats_many(((struct adoption *)backend)->inner, call);
}

static sai_status_t
adoption_many(struct sai_backend *backend, const struct backend_many *call)
{
    struct adoption *adopt = (struct adoption *)backend;

    if (!adopt->active || entry_is_key(call->type)) {
        return backend_do_many(adopt->inner, call);
    }
    if (call->op == OP_SET_MANY &&
        call->mode == SAI_BULK_OP_ERROR_MODE_IGNORE_ERROR) {
        return set_some(adopt, call);
    }
    if (call->op == OP_SET_MANY || call->op == OP_REMOVE_MANY ||
        (call->op == OP_CREATE_MANY && adoption_considers(call->type))) {
        return backend_do_apart(backend, call, backend_do_one);
    }
    return backend_do_many(adopt->inner, call);
}

static const struct sai_backend_ops adoption_ops = {
    .create = adoption_create_object,
    .remove = adoption_remove,
    .set = adoption_set,
    .get = adoption_get,
    .get_stats = adoption_get_stats,
    .get_stats_many = adoption_get_stats_many,
    .many = adoption_many,
};

/* Creation and end --------------------------------------------------------- */

/* The context of a lister for a library. */
struct library_list {
    adoption_list_fn list;
    sai_object_id_t switch_id;
};

static sai_status_t
list_of_library(void *context, sai_object_type_t type, uint32_t *n,
                sai_object_key_t *keys)
{
    const struct library_list *library = context;

    return library->list(library->switch_id, type, n, keys);
}

struct adoption *
adoption_create(struct sai_backend *inner, adoption_list_fn list,
                adoption_uses_fn *uses)
{
    struct library_list library = {list, inner->switch_id};
    const struct adoption_lister lister = {list_of_library, &library};

    return adoption_create_listed(inner, list ? &lister : NULL, uses);
}

struct adoption *
adoption_create_listed(struct sai_backend *inner,
                       const struct adoption_lister *lister,
                       adoption_uses_fn *uses)
{
    struct adoption *adopt = check_calloc(1, sizeof *adopt);

    adopt->backend.ops = &adoption_ops;
    adopt->backend.switch_id = inner->switch_id;
    adopt->inner = inner;
    adopt->uses = uses;
    adopt->active = true;
    for (size_t i = 0; i < N_TYPES; i++) {
        adopt->kins[i].unlisted = true;
        if (lister) {
            find_objects(adopt, lister, types[i], &adopt->kins[i]);
        }
    }
    return adopt;
}

static void
forget_remembered(struct adoption *adopt)
{
    for (size_t i = 0; i < adopt->n_remembered; i++) {
        free(adopt->remembered[i].name);
    }
    free(adopt->remembered);
    adopt->remembered = NULL;
    adopt->n_remembered = 0;
}

/* Frees all that was read from the switch. */
static void
forget(struct adoption *adopt)
{
    for (size_t i = 0; adopt->found && i < adopt->figures.n_found; i++) {
        free(adopt->found[i].name);
    }
    for (size_t i = 0; i < N_TYPES; i++) {
        struct kin *kin = &adopt->kins[i];

        for (uint16_t k = 0; kin->columns && k < kin->meta->n_attributes; k++) {
            bulk_get_fini(&kin->columns[k]);
        }
        free(kin->columns);
        kin->columns = NULL;
    }
    free(adopt->found);
    adopt->found = NULL;
    forget_remembered(adopt);
}

void
adoption_destroy(struct adoption *adopt)
{
    if (adopt) {
        forget(adopt);
        free(adopt->kept);
        free(adopt);
    }
}

struct sai_backend *
adoption_backend(struct adoption *adopt)
{
    return &adopt->backend;
}

/* Returns whether the library cannot list objects of 'type'. */
static bool
is_unlisted(const struct adoption *adopt, sai_object_type_t type)
{
    for (size_t i = 0; i < N_TYPES; i++) {
        if (types[i] == type) {
            return adopt->kins[i].unlisted;
        }
    }
    return false;
}

/* Notes the name until adoption_read_remembered(). */
static void
remember_unlisted(struct adoption *adopt, const char *name,
                  sai_object_type_t type, sai_object_id_t oid)
{
    for (size_t i = 0; i < adopt->n_remembered; i++) {
        struct remembered *other = &adopt->remembered[i];

        if (other->oid == oid) {
            free(other->name);
            other->name = NULL;
            return;
        }
    }
    adopt->remembered =
        check_realloc(adopt->remembered,
                      (adopt->n_remembered + 1) * sizeof *adopt->remembered);
    adopt->remembered[adopt->n_remembered++] =
        (struct remembered){type, oid, check_strdup(name)};
}

/* Returns whether the switch has reported any attribute of 'found'. */
static bool
exists(const struct found *found)
{
    for (uint16_t i = 0; i < found->kin->meta->n_attributes; i++) {
        if (value_of(found, i)) {
            return true;
        }
    }
    return false;
}

/* Reads the remembered objects of one type, and keeps those that exist. */
static void
read_remembered(struct adoption *adopt, sai_object_type_t type, struct kin *kin)
{
    sai_object_id_t *oids = check_calloc(adopt->n_remembered + 1, sizeof *oids);
    char **names = check_calloc(adopt->n_remembered + 1, sizeof *names);
    uint32_t n = 0;

    for (size_t i = 0; i < adopt->n_remembered; i++) {
        struct remembered *remembered = &adopt->remembered[i];

        if (remembered->type == type) {
            oids[n] = remembered->oid;
            names[n++] = remembered->name;
            remembered->name = NULL;
        }
    }
    read_kin(adopt, kin, type, n, oids);
    make_room(adopt, n);
    for (uint32_t i = 0; i < n; i++) {
        const struct found found = {.oid = oids[i],
                                    .kin = kin,
                                    .row = i,
                                    .name = names[i],
                                    .disputed = !names[i]};

        if (exists(&found)) {
            adopt->found[adopt->figures.n_found++] = found;
        } else {
            free(names[i]);
        }
    }
    free(names);
    free(oids);
}

void
adoption_read_remembered(struct adoption *adopt)
{
    for (size_t i = 0; i < N_TYPES; i++) {
        if (adopt->kins[i].unlisted && !adopt->kins[i].columns) {
            read_remembered(adopt, types[i], &adopt->kins[i]);
        }
    }
    forget_remembered(adopt);
}

void
adoption_remember(struct adoption *adopt, const char *name,
                  sai_object_type_t type, sai_object_id_t oid)
{
    struct found *found = find(adopt, oid);

    if (is_unlisted(adopt, type)) {
        remember_unlisted(adopt, name, type, oid);
        return;
    }
    if (!found || found->kin->meta->type != type) {
        return;
    }
    found->disputed |= found->name != NULL;
    free(found->name);
    found->name = found->disputed ? NULL : check_strdup(name);
}

void
adoption_ask(struct adoption *adopt, adoption_wanted_fn *wanted, void *context)
{
    adopt->wanted = wanted;
    adopt->wanted_context = context;
}

void
adoption_expect(struct adoption *adopt, const char *name)
{
    adopt->expected = name;
}

const sai_attribute_value_t *
adoption_found(const struct adoption *adopt, sai_object_id_t oid,
               sai_attr_id_t id)
{
    const struct found *found = find(adopt, oid);

    for (uint16_t i = 0;
         found && found->adopted && i < found->kin->meta->n_attributes; i++) {
        if (found->kin->meta->attributes[i].id == id) {
            return value_of(found, i);
        }
    }
    return NULL;
}

/* Notes the stale objects, to remove them. */
static void
keep_rest(struct adoption *adopt)
{
    adopt->kept = check_calloc(adopt->figures.n_found + 1, sizeof *adopt->kept);
    for (size_t i = 0; i < adopt->figures.n_found; i++) {
        const struct found *found = &adopt->found[i];

        if (!found->adopted) {
            adopt->kept[adopt->figures.n_kept++] =
                (struct kept){found->kin->meta->type, found->oid};
        }
    }
}

/* Removes the stale objects that are not in use.  Returns how many. */
static size_t
remove_kept(struct adoption *adopt)
{
    const size_t n = adopt->figures.n_kept;
    size_t n_left = 0;

    for (size_t i = 0; i < n; i++) {
        const struct kept kept = adopt->kept[i];

        if (adopt->inner->ops->remove(adopt->inner, kept.type, kept.oid) !=
            SAI_STATUS_SUCCESS) {
            adopt->kept[n_left++] = kept;
        }
    }
    adopt->figures.n_kept = n_left;
    return n - n_left;
}

void
adoption_end(struct adoption *adopt)
{
    if (adopt->active) {
        adopt->active = false;
        keep_rest(adopt);
        forget(adopt);
        (void)adoption_retry(adopt);
    }
}

size_t
adoption_retry(struct adoption *adopt)
{
    size_t n_removed = 0, n;

    /* Removing one may release another: repeat while that helps. */
    while ((n = remove_kept(adopt)) > 0) {
        n_removed += n;
    }
    adopt->figures.n_removed += n_removed;
    return n_removed;
}

bool
adoption_is_active(const struct adoption *adopt)
{
    return adopt->active;
}

void
adoption_figures(const struct adoption *adopt, struct adoption_figures *figures)
{
    *figures = adopt->figures;
}
