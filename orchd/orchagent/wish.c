/* SPDX-License-Identifier: Apache-2.0 */

/* Handles, their wishes, and the comparison with ASIC_DB. */

#include <config.h>

#include "orchd/orchagent/wish.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/hash_index.h"
#include "base/text.h"
#include "orchd/orchagent/asic_rows.h"
#include "orchd/orchagent/port_lanes.h"
#include "orchd/translate/translate.h"
#include "sai/core/attr_value.h"
#include "sai/core/metadata.h"
#include "sai/core/serialize.h"

/* A draft that was not asked for this long belongs to a row that was removed:
 * the reconciler asks at least once a minute. */
#define DRAFT_AGE_NS (INT64_C(120) * 1000 * 1000 * 1000)

/* Marks ids that are not of ASIC_DB: orchagent counts up from 1. */
#define OWN_IDS (UINT64_C(1) << 39)

struct wishes {
    const struct asic_rows *rows;
    struct hash_index by_oid;
    struct hash_index parts;  /* By type, name and index. */
    struct hash_index drafts; /* By type and name. */
    struct port_lanes *lanes; /* Owned. */
    uint64_t epoch;
    uint64_t objects_epoch; /* The same, of wishes of objects alone, and of how
                             * many want a scheduler. */
    uint64_t reviewed_rows, reviewed_objects; /* Epochs of the last review. */
    uint64_t next_id;
};

/* The key of a part or a draft. */
struct key {
    sai_object_type_t type;
    const char *name;
    int index;
};

struct wishes *
wishes_create(const struct asic_rows *rows)
{
    struct wishes *wishes = check_calloc(1, sizeof *wishes);

    wishes->rows = rows;
    wishes->lanes = port_lanes_create(rows);
    return wishes;
}

static void
free_handle(struct handle *handle)
{
    for (size_t i = 0; i < handle->n; i++) {
        attr_value_fini(handle->wishes[i].meta->kind, &handle->wishes[i].value);
    }
    free(handle->wishes);
    free(handle->name);
    free(handle);
}

void
wishes_destroy(struct wishes *wishes)
{
    struct handle *handle;
    size_t place = 0;

    if (!wishes) {
        return;
    }
    while ((handle = hash_index_next(&wishes->by_oid, &place))) {
        free_handle(handle);
    }
    place = 0;
    while ((handle = hash_index_next(&wishes->drafts, &place))) {
        free_handle(handle);
    }
    hash_index_fini(&wishes->by_oid);
    hash_index_fini(&wishes->parts);
    hash_index_fini(&wishes->drafts);
    port_lanes_destroy(wishes->lanes);
    free(wishes);
}

const struct asic_rows *
wishes_rows(const struct wishes *wishes)
{
    return wishes->rows;
}

uint64_t
wishes_epoch(const struct wishes *wishes)
{
    return wishes->epoch;
}

void
wishes_set_lanes(struct wishes *wishes, const char *name, const char *text)
{
    port_lanes_set(wishes->lanes, name, text);
    wishes->epoch++;
}

const sai_u32_list_t *
wishes_lanes(struct wishes *wishes, const char *name)
{
    return port_lanes_get(wishes->lanes, name);
}

size_t
wishes_n_ports(const struct wishes *wishes, size_t *n_there, size_t *n_limited)
{
    return port_lanes_count(wishes->lanes, n_there, n_limited);
}

/* --- Handles ------------------------------------------------------------ */

/* A hash_index_equal_fn. */
static bool
handle_has_oid(const void *handle_, const void *oid)
{
    const struct handle *handle = handle_;

    return handle->oid == *(const sai_object_id_t *)oid;
}

struct handle *
wishes_find(const struct wishes *wishes, sai_object_id_t oid)
{
    return hash_index_find(&wishes->by_oid, hash_index_number(oid),
                           handle_has_oid, &oid);
}

/* A hash_index_equal_fn. */
static bool
handle_has_key(const void *handle_, const void *key_)
{
    const struct handle *handle = handle_;
    const struct key *key = key_;

    return handle->type == key->type && handle->index == key->index &&
           !strcmp(handle->name, key->name);
}

static uint32_t
hash_of(const struct key *key)
{
    return hash_index_number((uint64_t)hash_index_text(key->name) << 32 |
                             (uint64_t)key->type << 16 | (uint16_t)key->index);
}

bool
handle_is_part(const struct handle *handle)
{
    switch (handle->type) {
    case SAI_OBJECT_TYPE_SWITCH:
    case SAI_OBJECT_TYPE_PORT:
    case SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP:
    case SAI_OBJECT_TYPE_QUEUE:
    case SAI_OBJECT_TYPE_SCHEDULER_GROUP:
        return true;
    default:
        return false;
    }
}

static struct handle *
make_handle(const struct key *key)
{
    struct handle *handle = check_calloc(1, sizeof *handle);

    handle->type = key->type;
    handle->name = check_strdup(key->name);
    handle->index = key->index;
    return handle;
}

/* Gives 'handle' an id: 'oid' of ASIC_DB if it has one that no handle has. */
static void
give_id(struct wishes *wishes, struct handle *handle, sai_object_id_t oid)
{
    handle->oid = oid;
    while (handle->oid == SAI_NULL_OBJECT_ID ||
           wishes_find(wishes, handle->oid)) {
        handle->oid =
            (uint64_t)handle->type << 48 | OWN_IDS | ++wishes->next_id;
    }
    hash_index_add(&wishes->by_oid, hash_index_number(handle->oid), handle);
}

sai_object_id_t
wishes_named_oid(const struct wishes *wishes, const struct handle *handle)
{
    const struct asic_rows *rows = wishes->rows;
    const char *separator;
    const struct asic_row *row;
    char name[288];
    size_t place = 0;

    switch (handle->type) {
    case SAI_OBJECT_TYPE_SWITCH:
        row = asic_rows_next(rows, SAI_OBJECT_TYPE_SWITCH, &place);
        return row ? asic_row_oid(row) : SAI_NULL_OBJECT_ID;
    case SAI_OBJECT_TYPE_PORT:
        return asic_rows_named(rows, ASIC_MAP_PORTS, handle->name);
    case SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP:
    case SAI_OBJECT_TYPE_QUEUE:
        text_format(name, sizeof name, "%s:%d", handle->name, handle->index);
        return asic_rows_named(rows,
                               handle->type == SAI_OBJECT_TYPE_QUEUE
                                   ? ASIC_MAP_QUEUES
                                   : ASIC_MAP_PGS,
                               name);
    case SAI_OBJECT_TYPE_BUFFER_POOL:
        separator = strchr(handle->name, '|');
        return asic_rows_named(rows, ASIC_MAP_POOLS,
                               separator ? separator + 1 : handle->name);
    default:
        return SAI_NULL_OBJECT_ID;
    }
}

struct handle *
wishes_part(struct wishes *wishes, sai_object_type_t type, const char *name,
            int index)
{
    const struct key key = {type, name, index};
    struct handle *handle =
        hash_index_find(&wishes->parts, hash_of(&key), handle_has_key, &key);

    if (!handle) {
        handle = make_handle(&key);
        give_id(wishes, handle, wishes_named_oid(wishes, handle));
        hash_index_add(&wishes->parts, hash_of(&key), handle);
    }
    return handle;
}

struct handle *
wishes_find_lanes(struct wishes *wishes, uint32_t n,
                  const sai_attribute_t *attributes)
{
    const sai_u32_list_t *wanted = NULL;
    const char *name;

    for (uint32_t i = 0; i < n; i++) {
        if (attributes[i].id == SAI_PORT_ATTR_HW_LANE_LIST) {
            wanted = &attributes[i].value.u32list;
        }
    }
    name = wanted ? port_lanes_find(wishes->lanes, wanted) : NULL;
    return name ? wishes_part(wishes, SAI_OBJECT_TYPE_PORT, name, -1) : NULL;
}

struct handle *
wishes_find_draft(const struct wishes *wishes, sai_object_type_t type,
                  const char *name)
{
    const struct key key = {type, name, -1};

    return hash_index_find(&wishes->drafts, hash_of(&key), handle_has_key,
                           &key);
}

/* Takes 'draft' out of the drafts. */
static void
undraft(struct wishes *wishes, struct handle *draft)
{
    const struct key key = {draft->type, draft->name, -1};

    hash_index_remove(&wishes->drafts, hash_of(&key), draft);
}

struct handle *
wishes_draft(struct wishes *wishes, sai_object_type_t type, const char *name,
             int64_t now)
{
    const struct key key = {type, name, -1};
    struct handle *draft = wishes_find_draft(wishes, type, name);

    if (draft && now - draft->asked > DRAFT_AGE_NS) {
        undraft(wishes, draft);
        free_handle(draft);
        draft = NULL;
    }
    if (!draft) {
        draft = make_handle(&key);
        draft->since = now;
        hash_index_add(&wishes->drafts, hash_of(&key), draft);
        wishes->epoch++;
    }
    draft->asked = now;
    return draft;
}

sai_object_id_t
wishes_adopt(struct wishes *wishes, struct handle *handle)
{
    if (handle->oid == SAI_NULL_OBJECT_ID) {
        undraft(wishes, handle);
        give_id(wishes, handle, handle->seen);
        wishes->objects_epoch++;
    }
    return handle->oid;
}

/* Counts that a scheduler group wants a scheduler, or (-1) no longer does. */
static void
count_wanting(struct wishes *wishes, const struct handle *group,
              const struct wish *wish, int by)
{
    struct handle *target = group->type == SAI_OBJECT_TYPE_SCHEDULER_GROUP &&
                                    wish->meta->kind == KIND_OID
                                ? wishes_find(wishes, wish->value.oid)
                                : NULL;

    if (target) {
        target->n_wanting += (size_t)by;
        wishes->objects_epoch++;
    }
}

/* Notes that a wish of 'handle' has changed. */
static void
note_change(struct wishes *wishes, struct handle *handle)
{
    handle->epoch++;
    wishes->epoch++;
    wishes->objects_epoch += !handle_is_part(handle);
}

struct wish *
handle_wish(const struct handle *handle, sai_attr_id_t id)
{
    for (size_t i = 0; i < handle->n; i++) {
        if (handle->wishes[i].meta->id == id) {
            return &handle->wishes[i];
        }
    }
    return NULL;
}

void
wishes_keep(struct wishes *wishes, struct handle *handle, uint32_t n,
            const sai_attribute_t *attributes, int64_t now)
{
    for (size_t i = handle->n; i-- > 0;) {
        struct wish *wish = &handle->wishes[i];
        uint32_t k = 0;

        while (k < n && attributes[k].id != wish->meta->id) {
            k++;
        }
        if (k == n) {
            attr_value_fini(wish->meta->kind, &wish->value);
            *wish = handle->wishes[--handle->n];
            handle->since = now;
            note_change(wishes, handle);
        }
    }
}

void
wishes_set(struct wishes *wishes, struct handle *handle,
           const sai_attribute_t *attribute, int64_t now)
{
    const struct metadata_attribute *meta =
        metadata_attribute(handle->type, attribute->id);
    struct wish *wish = handle_wish(handle, attribute->id);

    if (!meta || (wish && attr_value_equal(meta->kind, &wish->value,
                                           &attribute->value))) {
        return;
    }
    if (wish) {
        count_wanting(wishes, handle, wish, -1);
        attr_value_fini(meta->kind, &wish->value);
    } else {
        handle->wishes =
            check_realloc(handle->wishes, (handle->n + 1) * sizeof *wish);
        wish = &handle->wishes[handle->n++];
    }
    memset(wish, 0, sizeof *wish);
    wish->meta = meta;
    attr_value_copy(meta->kind, &attribute->value, &wish->value);
    wish->since = now;
    handle->since = now;
    count_wanting(wishes, handle, wish, 1);
    note_change(wishes, handle);
}

int64_t
handle_since(const struct handle *handle, const struct wish *wish)
{
    return handle_is_part(handle) ? wish->since : handle->since;
}

/* --- Comparison --------------------------------------------------------- */

/* Returns a number that changes with each change of ASIC_DB that can change how
 * an object, or a reference to one, compares. */
static uint64_t
rows_epoch(const struct wishes *wishes)
{
    static const sai_object_type_t types[] = {
        SAI_OBJECT_TYPE_BUFFER_POOL,
        SAI_OBJECT_TYPE_BUFFER_PROFILE,
        SAI_OBJECT_TYPE_QOS_MAP,
        SAI_OBJECT_TYPE_SCHEDULER,
        SAI_OBJECT_TYPE_WRED,
        SAI_OBJECT_TYPE_SCHEDULER_GROUP,
        SAI_OBJECT_TYPE_PORT_LLR_PROFILE,
    };
    uint64_t newest = asic_rows_maps_epoch(wishes->rows);

    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        const uint64_t epoch = asic_rows_epoch_of(wishes->rows, types[i]);

        newest = epoch > newest ? epoch : newest;
    }
    return newest;
}

/* Returns wishes_named_oid(), which only the maps change but for the switch. */
static sai_object_id_t
part_oid(const struct wishes *wishes, struct handle *handle)
{
    const uint64_t epoch = asic_rows_maps_epoch(wishes->rows);

    if (handle->type == SAI_OBJECT_TYPE_SWITCH) {
        return wishes_named_oid(wishes, handle);
    }
    if (handle->named_at != epoch) {
        handle->named = wishes_named_oid(wishes, handle);
        handle->named_at = epoch;
    }
    return handle->named;
}

static bool object_matches(const struct wishes *wishes, struct handle *handle,
                           const struct asic_row *row);

/* Returns whether 'oid' of ASIC_DB is what 'wanted', a handle, stands for. */
static bool
reference_matches(const struct wishes *wishes, sai_object_id_t wanted,
                  sai_object_id_t oid)
{
    struct handle *handle = wishes_find(wishes, wanted);
    const struct asic_row *row = asic_rows_get(wishes->rows, oid);

    if (wanted == SAI_NULL_OBJECT_ID || oid == SAI_NULL_OBJECT_ID) {
        return wanted == oid;
    }
    if (!handle || !row || asic_row_type(row) != handle->type) {
        return false;
    }
    return handle_is_part(handle) ? part_oid(wishes, handle) == oid
                                  : object_matches(wishes, handle, row);
}

/* Returns whether both lists have the same elements in any order: syncd lists
 * the entries of a map in the order in which orchagent read them. */
static bool
maps_match(const sai_qos_map_list_t *a, const sai_qos_map_list_t *b)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < a->count; i++) {
        const sai_attribute_value_t one = {.qosmap = {1, &a->list[i]}};

        for (uint32_t k = 0; k < b->count; k++) {
            const sai_attribute_value_t other = {.qosmap = {1, &b->list[k]}};

            if (attr_value_equal(KIND_QOSMAP, &one, &other)) {
                n++;
                break;
            }
        }
    }
    return a->count == b->count && n == a->count;
}

/* Returns whether 'found' of ASIC_DB is 'wanted'. */
static bool
value_matches(const struct wishes *wishes,
              const struct metadata_attribute *meta,
              const sai_attribute_value_t *wanted,
              const sai_attribute_value_t *found)
{
    bool same;

    switch (meta->kind) {
    case KIND_OID:
        return reference_matches(wishes, wanted->oid, found->oid);
    case KIND_OBJLIST:
        same = wanted->objlist.count == found->objlist.count;
        for (uint32_t i = 0; same && i < wanted->objlist.count; i++) {
            same = reference_matches(wishes, wanted->objlist.list[i],
                                     found->objlist.list[i]);
        }
        return same;
    case KIND_QOSMAP:
        return maps_match(&wanted->qosmap, &found->qosmap);
    default:
        return attr_value_equal(meta->kind, wanted, found);
    }
}

bool
wishes_agree(const struct wishes *wishes, const struct asic_row *row,
             const struct metadata_attribute *meta,
             const sai_attribute_value_t *wanted)
{
    const sai_attribute_value_t *found = asic_row_value(row, meta->id);
    sai_attribute_value_t value;

    if (!found && metadata_default(meta, &value)) {
        found = &value;
    }
    return found && value_matches(wishes, meta, wanted, found);
}

/* Returns whether an attribute of 'row' for which 'handle' has no wish has its
 * default, if some row of CONFIG_DB could set it.  'found' NULL: it has
 * something that is no value. */
static bool
is_unset(const struct handle *handle, const struct metadata_attribute *meta,
         const sai_attribute_value_t *found)
{
    sai_attribute_value_t value;

    return handle_wish(handle, meta->id) ||
           !translate_may_want(handle->type, meta->id, NULL) ||
           !metadata_default(meta, &value) ||
           (found && attr_value_equal(meta->kind, &value, found));
}

static bool
is_reference(const struct wish *wish)
{
    return wish->meta->kind == KIND_OID || wish->meta->kind == KIND_OBJLIST;
}

/* Returns whether 'handle' refers to other objects. */
static bool
refers(const struct handle *handle)
{
    for (size_t i = 0; i < handle->n; i++) {
        if (is_reference(&handle->wishes[i])) {
            return true;
        }
    }
    return false;
}

/* Returns whether 'wish' asks for the default of its attribute. */
static bool
is_reset(const struct wish *wish)
{
    sai_attribute_value_t value;

    return metadata_default(wish->meta, &value) &&
           attr_value_equal(wish->meta->kind, &value, &wish->value);
}

/* Returns whether 'row' has all that was asked for; 'but_resets': except for
 * defaults. */
static bool
has_wishes(const struct wishes *wishes, const struct handle *handle,
           const struct asic_row *row, bool but_resets)
{
    for (size_t i = 0; i < handle->n; i++) {
        const struct wish *wish = &handle->wishes[i];

        if (!(but_resets && is_reset(wish)) &&
            !wishes_agree(wishes, row, wish->meta, &wish->value)) {
            return false;
        }
    }
    return true;
}

/* Compares all attributes of 'row' with those of 'handle'. */
static bool
compare_all(const struct wishes *wishes, const struct handle *handle,
            const struct asic_row *row)
{
    const struct metadata_attribute *meta;

    if (!has_wishes(wishes, handle, row, false)) {
        return false;
    }
    for (size_t i = 0; (meta = asic_row_each(row, i)); i++) {
        if (!is_unset(handle, meta, asic_row_value(row, meta->id))) {
            return false;
        }
    }
    return true;
}

/* All ports refer to the same few profiles, and maps of 64 entries, so the last
 * comparison is kept. */
static bool
object_matches(const struct wishes *wishes, struct handle *handle,
               const struct asic_row *row)
{
    /* What an object that refers to none depends on is in its epochs. */
    const bool far = refers(handle);
    const uint64_t others_rows = far ? rows_epoch(wishes) : 0;
    const uint64_t others_own = far ? wishes->objects_epoch : 0;

    if (handle->type == SAI_OBJECT_TYPE_BUFFER_POOL &&
        part_oid(wishes, handle) != asic_row_oid(row)) {
        return false;
    }
    if (handle->compared_row != asic_row_epoch(row) ||
        handle->compared_own != handle->epoch ||
        handle->compared_others_rows != others_rows ||
        handle->compared_others_own != others_own) {
        handle->compared_equal = compare_all(wishes, handle, row);
        handle->compared_row = asic_row_epoch(row);
        handle->compared_own = handle->epoch;
        handle->compared_others_rows = others_rows;
        handle->compared_others_own = others_own;
    }
    return handle->compared_equal;
}

/* Returns a row of ASIC_DB that is as 'handle' wants, or NULL; preferably the
 * one that was last seen. */
static const struct asic_row *
find_match(const struct wishes *wishes, struct handle *handle)
{
    const struct asic_row *row = asic_rows_get(wishes->rows, handle->seen);
    size_t place = 0;

    if (row && asic_row_type(row) == handle->type &&
        object_matches(wishes, handle, row)) {
        return row;
    }
    while ((row = asic_rows_next(wishes->rows, handle->type, &place))) {
        if (object_matches(wishes, handle, row)) {
            return row;
        }
    }
    return NULL;
}

/* Returns whether as many scheduler groups of ASIC_DB have the scheduler 'oid'
 * as want it. */
static bool
enough_have(const struct wishes *wishes, sai_object_id_t oid)
{
    struct handle *scheduler = wishes_find(wishes, oid);
    const uint64_t epoch = rows_epoch(wishes);
    const struct asic_row *row;
    size_t place = 0;

    if (!scheduler) {
        return oid == SAI_NULL_OBJECT_ID;
    }
    if (scheduler->rows_epoch != epoch ||
        scheduler->own_epoch != scheduler->epoch) {
        scheduler->rows_epoch = epoch;
        scheduler->own_epoch = scheduler->epoch;
        scheduler->n_having = 0;
        while ((row = asic_rows_next(
                    wishes->rows, SAI_OBJECT_TYPE_SCHEDULER_GROUP, &place))) {
            const sai_attribute_value_t *found = asic_row_value(
                row, SAI_SCHEDULER_GROUP_ATTR_SCHEDULER_PROFILE_ID);

            scheduler->n_having +=
                found && reference_matches(wishes, oid, found->oid);
        }
    }
    return scheduler->n_having >= scheduler->n_wanting;
}

/* Compares a wish of a part. */
static bool
check_part(const struct wishes *wishes, struct handle *handle,
           const struct wish *wish)
{
    const struct asic_row *row;

    if (handle->type == SAI_OBJECT_TYPE_SCHEDULER_GROUP) {
        return enough_have(wishes, wish->value.oid);
    }
    if (handle->type == SAI_OBJECT_TYPE_PORT &&
        wish->meta->id == SAI_PORT_ATTR_HW_LANE_LIST) {
        return true; /* It was found by them. */
    }
    row = asic_rows_get(wishes->rows, part_oid(wishes, handle));
    return row && wishes_agree(wishes, row, wish->meta, &wish->value);
}

bool
wishes_check(struct wishes *wishes, struct handle *handle, struct wish *wish)
{
    const struct asic_row *row;

    if (handle_is_part(handle)) {
        wish->confirmed = check_part(wishes, handle, wish);
        wish->doubted &= !wish->confirmed;
        return wish->confirmed;
    }
    row = find_match(wishes, handle);
    handle->confirmed = row != NULL;
    handle->doubted &= !row;
    handle->seen = row ? asic_row_oid(row) : handle->seen;
    return handle->confirmed;
}

bool
wishes_is_there(const struct wishes *wishes, struct handle *handle)
{
    if (handle->type == SAI_OBJECT_TYPE_SCHEDULER_GROUP) {
        return true;
    }
    return handle_is_part(handle)
               ? asic_rows_get(wishes->rows,
                               wishes_named_oid(wishes, handle)) != NULL
               : find_match(wishes, handle) != NULL;
}

bool
wishes_reset_is_over(const struct wishes *wishes, const struct handle *handle,
                     const struct wish *wish)
{
    return handle_is_part(handle) && handle->type != SAI_OBJECT_TYPE_SWITCH &&
           !port_lanes_has_row(wishes->lanes, handle->name) &&
           asic_rows_named(wishes->rows, ASIC_MAP_PORTS, handle->name) ==
               SAI_NULL_OBJECT_ID &&
           is_reset(wish);
}

const sai_attribute_value_t *
wishes_seen(const struct wishes *wishes, const struct handle *handle,
            const struct metadata_attribute *meta)
{
    const struct asic_row *row = asic_rows_get(
        wishes->rows, handle_is_part(handle) ? wishes_named_oid(wishes, handle)
                                             : handle->seen);

    return row ? asic_row_value(row, meta->id) : NULL;
}

/* Returns the handle of the object 'name', confirmed or not, or NULL. */
static struct handle *
find_object(const struct wishes *wishes, sai_object_type_t type,
            const char *name)
{
    struct handle *handle = wishes_find_draft(wishes, type, name);
    size_t place = 0;

    while (!handle && (handle = hash_index_next(&wishes->by_oid, &place))) {
        if (handle->type != type || strcmp(handle->name, name) != 0) {
            handle = NULL;
        }
    }
    return handle;
}

bool
wishes_left_over(const struct wishes *wishes, sai_object_type_t type,
                 const char *name, sai_attr_id_t id)
{
    const struct metadata_attribute *meta = metadata_attribute(type, id);
    const struct handle *handle = find_object(wishes, type, name);
    const struct wish *wish = handle ? handle_wish(handle, id) : NULL;
    const struct asic_row *row;
    sai_attribute_value_t value;
    size_t place = 0;
    bool found = false;

    if (!handle || handle->leaving || (wish && !is_reset(wish)) ||
        !metadata_default(meta, &value)) {
        return false;
    }
    while (!found && (row = asic_rows_next(wishes->rows, type, &place))) {
        const sai_attribute_value_t *seen = asic_row_value(row, id);
        const bool mine =
            type == SAI_OBJECT_TYPE_BUFFER_POOL
                ? wishes_named_oid(wishes, handle) == asic_row_oid(row)
                : has_wishes(wishes, handle, row, true);

        found = mine && seen && !attr_value_equal(meta->kind, &value, seen);
    }
    return found;
}

bool
wishes_gone(const struct wishes *wishes, struct handle *handle)
{
    const struct asic_row *row = asic_rows_get(wishes->rows, handle->seen);
    struct handle *other;
    size_t n_wanted = 0, n_found = 0;
    size_t place = 0;

    if (!row || asic_row_type(row) != handle->type) {
        return true;
    }
    while ((other = hash_index_next(&wishes->by_oid, &place))) {
        n_wanted += other != handle && other->type == handle->type &&
                    !other->leaving && object_matches(wishes, other, row);
    }
    place = 0;
    while (n_wanted &&
           (row = asic_rows_next(wishes->rows, handle->type, &place))) {
        n_found += object_matches(wishes, handle, row);
    }
    return n_wanted && n_found <= n_wanted;
}

void
wishes_forget(struct wishes *wishes, struct handle *handle)
{
    for (size_t i = 0; i < handle->n; i++) {
        struct wish *wish = &handle->wishes[i];

        count_wanting(wishes, handle, wish, -1);
        attr_value_fini(wish->meta->kind, &wish->value);
    }
    handle->n = 0;
    handle->leaving = false;
    note_change(wishes, handle);
}

void
wishes_drop(struct wishes *wishes, struct handle *handle)
{
    hash_index_remove(&wishes->by_oid, hash_index_number(handle->oid), handle);
    note_change(wishes, handle);
    free_handle(handle);
}

/* Reviews one handle; 'all': also its wishes that are no references.  Returns
 * whether something of it is newly doubted. */
static bool
review(struct wishes *wishes, struct handle *handle, bool all, int64_t now)
{
    bool any = false;

    if (!handle_is_part(handle)) {
        const bool was_confirmed = handle->confirmed && !handle->leaving;

        if (was_confirmed && !wishes_check(wishes, handle, NULL)) {
            handle->doubted = any = true;
            handle->since = now;
        }
        return any;
    }
    for (size_t i = 0; i < handle->n; i++) {
        struct wish *wish = &handle->wishes[i];

        if (wish->confirmed && (all || is_reference(wish)) &&
            !wishes_check(wishes, handle, wish)) {
            wish->doubted = any = true;
            wish->since = now;
        }
    }
    return any;
}

/* Returns whether a part, or its row, has changed since the last review. */
static bool
has_changed(const struct wishes *wishes, struct handle *handle)
{
    const struct asic_row *row;
    uint64_t epoch;

    if (!handle_is_part(handle) || handle->n == 0) {
        return false;
    }
    row = asic_rows_get(wishes->rows, part_oid(wishes, handle));
    epoch = row ? asic_row_epoch(row) : 0;
    if (epoch == handle->reviewed_row &&
        handle->epoch == handle->reviewed_own) {
        return false;
    }
    handle->reviewed_row = epoch;
    handle->reviewed_own = handle->epoch;
    return true;
}

/* Objects, and references to them, are compared only if something of an object
 * has changed; other wishes of a part only if the part has. */
bool
wishes_review(struct wishes *wishes, int64_t now)
{
    const uint64_t rows = rows_epoch(wishes);
    const bool all = rows != wishes->reviewed_rows ||
                     wishes->objects_epoch != wishes->reviewed_objects;
    struct handle *handle;
    size_t place = 0;
    bool any = false;

    wishes->reviewed_rows = rows;
    wishes->reviewed_objects = wishes->objects_epoch;
    while ((handle = hash_index_next(&wishes->by_oid, &place))) {
        const bool changed = has_changed(wishes, handle);

        if (changed || all) {
            any |= review(wishes, handle, changed, now);
        }
    }
    return any;
}
