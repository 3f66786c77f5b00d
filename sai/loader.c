/* SPDX-License-Identifier: Apache-2.0 */

/* dlopen(), SAI's start-up protocol, and the dispatch from object types to the
 * functions of a library.
 *
 * The functions of different object types have different types in C but the
 * same signature for the same verb.  So a row per object type with the offsets
 * of its functions in their table is all that distinguishes them, and a verb
 * is one function here.
 *
 * What a library returns is not trusted further than needed: tables are read
 * up to the length that its release is known to have, and an object that it
 * claims to have created must have an id. */

#include <config.h>

#include "sai/loader.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/text.h"
#include "sai/capability.h"
#include "sai/metadata.h"
#include "sai/status.h"

#define VERSION_OLDEST      SAI_VERSION(1, 9, 0)
#define VERSION_UNVERSIONED SAI_VERSION(1, 9, 0)
#define VERSION_STRUCTURES  SAI_VERSION(1, 12, 0)

/* More than any release has. */
#define MAX_API  256
#define MAX_TYPE 256 /* Of the object types that have a route. */

struct loader {
    struct sai_backend backend; /* First: it is cast back. */

    /* Set by loader_open(). */
    void *handle; /* Of dlopen(). */
    char *path;
    struct loader_pair *profile; /* Owned with its strings. */
    size_t n_profile;
    size_t next_pair; /* Of the enumeration that the library walks. */
    uint64_t version;
    bool initialized;
    const void *tables[MAX_API]; /* NULL: none. */

    /* Entry points. */
    __typeof__(&sai_api_initialize) initialize;
    __typeof__(&sai_api_query) query;
    __typeof__(&sai_api_uninitialize) uninitialize;
    __typeof__(&sai_query_api_version) query_version; /* NULL before 1.10. */

    /* Learned since. */
    struct capability *capability;
    bool refuses_bulk[MAX_TYPE]; /* By object type. */
};

/* The library that is open.  profile_get_value() and its companion are called
 * without a context, so they find it here. */
static struct loader *active;

/* Function tables: what each release has.  Sorted by API and release. */
static const struct {
    sai_api_t api;
    uint64_t since;
    size_t n_slots;
} slots[] = {
    {SAI_API_SWITCH, SAI_VERSION(1, 9, 0), 13},
    {SAI_API_SWITCH, SAI_VERSION(1, 11, 0), 15},
    {SAI_API_PORT, SAI_VERSION(1, 9, 0), 23},
    {SAI_API_PORT, SAI_VERSION(1, 10, 2), 27},
    {SAI_API_PORT, SAI_VERSION(1, 13, 0), 31},
    {SAI_API_PORT, SAI_VERSION(1, 18, 0), 35},
    {SAI_API_WRED, SAI_VERSION(1, 9, 0), 4},
    {SAI_API_QOS_MAP, SAI_VERSION(1, 9, 0), 4},
    {SAI_API_QUEUE, SAI_VERSION(1, 9, 0), 7},
    {SAI_API_QUEUE, SAI_VERSION(1, 15, 0), 9},
    {SAI_API_SCHEDULER, SAI_VERSION(1, 9, 0), 4},
    {SAI_API_SCHEDULER_GROUP, SAI_VERSION(1, 9, 0), 4},
    {SAI_API_BUFFER, SAI_VERSION(1, 9, 0), 18},
    {SAI_API_BUFFER, SAI_VERSION(1, 15, 0), 20},
};

/* The functions of an object type: offsets in the table of its API. */
struct route {
    sai_object_type_t type;
    sai_api_t api;
    size_t create, remove, set, get;
    size_t get_stats, get_stats_ext; /* NO_SLOT if it has no counters. */
    size_t set_many;                 /* NO_SLOT if SAI has none. */
};

#define NO_SLOT SIZE_MAX

#define VERBS(table, object)                                                   \
    .create = offsetof(table, create_##object),                                \
    .remove = offsetof(table, remove_##object),                                \
    .set = offsetof(table, set_##object##_attribute),                          \
    .get = offsetof(table, get_##object##_attribute)
#define STATS(table, object)                                                   \
    .get_stats = offsetof(table, get_##object##_stats),                        \
    .get_stats_ext = offsetof(table, get_##object##_stats_ext)
#define NO_STATS .get_stats = NO_SLOT, .get_stats_ext = NO_SLOT
#define BULK(table, object)                                                    \
    .set_many = offsetof(table, set_##object##s_attribute)
#define NO_BULK .set_many = NO_SLOT
#define ROUTE(TYPE, API, table, object, stats, bulk)                           \
    {                                                                          \
        .type = SAI_OBJECT_TYPE_##TYPE, .api = SAI_API_##API,                  \
        VERBS(table, object), stats, bulk                                      \
    }

static const struct route routes[] = {
    ROUTE(SWITCH, SWITCH, sai_switch_api_t, switch,
          STATS(sai_switch_api_t, switch), NO_BULK),
    ROUTE(PORT, PORT, sai_port_api_t, port, STATS(sai_port_api_t, port),
          BULK(sai_port_api_t, port)),
    ROUTE(BUFFER_POOL, BUFFER, sai_buffer_api_t, buffer_pool,
          STATS(sai_buffer_api_t, buffer_pool), NO_BULK),
    ROUTE(BUFFER_PROFILE, BUFFER, sai_buffer_api_t, buffer_profile, NO_STATS,
          NO_BULK),
    ROUTE(INGRESS_PRIORITY_GROUP, BUFFER, sai_buffer_api_t,
          ingress_priority_group,
          STATS(sai_buffer_api_t, ingress_priority_group),
          BULK(sai_buffer_api_t, ingress_priority_group)),
    ROUTE(QUEUE, QUEUE, sai_queue_api_t, queue, STATS(sai_queue_api_t, queue),
          BULK(sai_queue_api_t, queue)),
    ROUTE(QOS_MAP, QOS_MAP, sai_qos_map_api_t, qos_map, NO_STATS, NO_BULK),
    ROUTE(SCHEDULER, SCHEDULER, sai_scheduler_api_t, scheduler, NO_STATS,
          NO_BULK),
    ROUTE(SCHEDULER_GROUP, SCHEDULER_GROUP, sai_scheduler_group_api_t,
          scheduler_group, NO_STATS, NO_BULK),
    ROUTE(WRED, WRED, sai_wred_api_t, wred, NO_STATS, NO_BULK),
};

/* The functions of all types have these signatures; only a switch is created
 * without naming one. */
typedef sai_create_switch_fn create_switch_fn;
typedef sai_create_port_fn create_fn;
typedef sai_remove_port_fn remove_fn;
typedef sai_set_port_attribute_fn set_fn;
typedef sai_get_port_attribute_fn get_fn;
typedef sai_get_port_stats_fn get_stats_fn;
typedef sai_get_port_stats_ext_fn get_stats_ext_fn;
typedef sai_bulk_object_set_attribute_fn set_many_fn;

/* Any function; cast to its type before the call. */
typedef void any_fn(void);

size_t
loader_n_slots(sai_api_t api, uint64_t version)
{
    size_t n = 0;

    for (size_t i = 0; i < sizeof slots / sizeof slots[0]; i++) {
        if (slots[i].api == api && slots[i].since <= version) {
            n = slots[i].n_slots;
        }
    }
    return n;
}

/* Returns how to reach objects of 'type', or NULL. */
static const struct route *
find_route(sai_object_type_t type)
{
    for (size_t i = 0; i < sizeof routes / sizeof routes[0]; i++) {
        if (routes[i].type == type) {
            return &routes[i];
        }
    }
    return NULL;
}

/* Returns the function at 'offset' of the table of 'api'; NULL if there is
 * none or if the release does not reach that far. */
static any_fn *
function_at(const struct loader *loader, sai_api_t api, size_t offset)
{
    const char *table = loader->tables[api];
    any_fn *function;

    if (!table || offset == NO_SLOT ||
        offset / sizeof function >= loader_n_slots(api, loader->version)) {
        return NULL;
    }
    memcpy(&function, table + offset, sizeof function);
    return function;
}

/* Returns whether the library says that it lacks what 'flag' stands for, on an
 * attribute for which SAI has it.  Creation without a mandatory attribute is
 * not possible, so no library can mean that. */
static bool
is_denied(const struct loader *loader, sai_object_type_t type,
          const struct metadata_attribute *attribute, unsigned int flag)
{
    unsigned int illegal = METADATA_FLAG_READ_ONLY;
    unsigned int flags;

    illegal |= flag == CAPABILITY_CREATE ? METADATA_FLAG_MANDATORY_ON_CREATE
                                         : METADATA_FLAG_CREATE_ONLY;
    if (attribute->flags & illegal) {
        return false;
    }
    flags = capability_flags(loader->capability, loader->backend.switch_id,
                             type, attribute->id);
    return (flags & CAPABILITY_KNOWN) && !(flags & flag);
}

/* Returns the code for the first of 'n' attributes that need not be sent: it is
 * younger than the library, or the library has said that it lacks 'flag' (0:
 * not asked for).  SAI_STATUS_SUCCESS if there is none.  Attributes that we do
 * not know may be the vendor's own. */
static sai_status_t
check_known(const struct loader *loader, sai_object_type_t type, uint32_t n,
            const sai_attribute_t *list, unsigned int flag)
{
    for (uint32_t i = 0; i < n; i++) {
        const struct metadata_attribute *attribute =
            metadata_attribute(type, list[i].id);

        if (attribute && (attribute->since > loader->version ||
                          (flag && is_denied(loader, type, attribute, flag)))) {
            return SAI_STATUS_ATTR_NOT_IMPLEMENTED_0 -
                   (sai_status_t)(i < 0xffff ? i : 0xffff);
        }
    }
    return SAI_STATUS_SUCCESS;
}

/* Returns the outcome of a creation.  Success without an object, from a library
 * with a bug, is a failure: the id would stand for "none" everywhere else. */
static sai_status_t
accept_new(sai_status_t status, sai_object_id_t created)
{
    return status == SAI_STATUS_SUCCESS && created == SAI_NULL_OBJECT_ID
               ? SAI_STATUS_FAILURE
               : status;
}

/* Creates the switch, of which there can be one. */
static sai_status_t
create_switch(struct loader *loader, const struct route *route, uint32_t n,
              const sai_attribute_t *attributes, sai_object_id_t *oid)
{
    create_switch_fn create =
        (create_switch_fn)function_at(loader, route->api, route->create);
    sai_object_id_t created = SAI_NULL_OBJECT_ID;
    sai_status_t status;

    if (!create) {
        return SAI_STATUS_NOT_IMPLEMENTED;
    }
    if (loader->backend.switch_id != SAI_NULL_OBJECT_ID) {
        return SAI_STATUS_ITEM_ALREADY_EXISTS;
    }
    status = create(&created, n, attributes);
    status = accept_new(status, created);
    if (status == SAI_STATUS_SUCCESS) {
        loader->backend.switch_id = created;
        *oid = created;
    }
    return status;
}

static sai_status_t
backend_create(struct sai_backend *backend, sai_object_type_t type, uint32_t n,
               const sai_attribute_t *attributes, sai_object_id_t *oid)
{
    struct loader *loader = (struct loader *)backend;
    const struct route *route = find_route(type);
    sai_object_id_t created = SAI_NULL_OBJECT_ID;
    sai_status_t status =
        check_known(loader, type, n, attributes, CAPABILITY_CREATE);
    create_fn create;

    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    if (!route) {
        return SAI_STATUS_NOT_IMPLEMENTED;
    }
    if (type == SAI_OBJECT_TYPE_SWITCH) {
        return create_switch(loader, route, n, attributes, oid);
    }
    create = (create_fn)function_at(loader, route->api, route->create);
    if (!create) {
        return SAI_STATUS_NOT_IMPLEMENTED;
    }
    status = create(&created, backend->switch_id, n, attributes);
    status = accept_new(status, created);
    if (status == SAI_STATUS_SUCCESS) {
        *oid = created;
    }
    return status;
}

static sai_status_t
backend_remove(struct sai_backend *backend, sai_object_type_t type,
               sai_object_id_t oid)
{
    struct loader *loader = (struct loader *)backend;
    const struct route *route = find_route(type);
    remove_fn remove =
        route ? (remove_fn)function_at(loader, route->api, route->remove)
              : NULL;
    sai_status_t status;

    if (!remove) {
        return SAI_STATUS_NOT_IMPLEMENTED;
    }
    status = remove(oid);
    if (status == SAI_STATUS_SUCCESS && oid == backend->switch_id) {
        backend->switch_id = SAI_NULL_OBJECT_ID;
        capability_forget(loader->capability);
    }
    return status;
}

static sai_status_t
backend_set(struct sai_backend *backend, sai_object_type_t type,
            sai_object_id_t oid, const sai_attribute_t *attribute)
{
    struct loader *loader = (struct loader *)backend;
    const struct route *route = find_route(type);
    set_fn set =
        route ? (set_fn)function_at(loader, route->api, route->set) : NULL;
    sai_status_t status =
        check_known(loader, type, 1, attribute, CAPABILITY_SET);

    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    return set ? set(oid, attribute) : SAI_STATUS_NOT_IMPLEMENTED;
}

static sai_status_t
backend_get(struct sai_backend *backend, sai_object_type_t type,
            sai_object_id_t oid, uint32_t n, sai_attribute_t *attributes)
{
    struct loader *loader = (struct loader *)backend;
    const struct route *route = find_route(type);
    get_fn get =
        route ? (get_fn)function_at(loader, route->api, route->get) : NULL;
    sai_status_t status = check_known(loader, type, n, attributes, 0);

    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    return get ? get(oid, n, attributes) : SAI_STATUS_NOT_IMPLEMENTED;
}

/* Returns whether one of 'n' counters is younger than the library. */
static bool
stats_too_young(const struct loader *loader, sai_object_type_t type, uint32_t n,
                const sai_stat_id_t *ids)
{
    for (uint32_t i = 0; i < n; i++) {
        const struct metadata_stat *stat = metadata_stat(type, ids[i]);

        if (stat && stat->since > loader->version) {
            return true;
        }
    }
    return false;
}

/* Reading without clearing has a function of its own, which is the one that
 * every library has; the extended one is needed to clear. */
static sai_status_t
backend_get_stats(struct sai_backend *backend, sai_object_type_t type,
                  sai_object_id_t oid, uint32_t n, const sai_stat_id_t *ids,
                  sai_stats_mode_t mode, uint64_t *values)
{
    struct loader *loader = (struct loader *)backend;
    const struct route *route = find_route(type);
    get_stats_fn plain;
    get_stats_ext_fn extended;

    if (!route || stats_too_young(loader, type, n, ids)) {
        return SAI_STATUS_NOT_IMPLEMENTED;
    }
    plain = (get_stats_fn)function_at(loader, route->api, route->get_stats);
    extended =
        (get_stats_ext_fn)function_at(loader, route->api, route->get_stats_ext);
    if (mode == SAI_STATS_MODE_READ && plain) {
        return plain(oid, n, ids, values);
    }
    return extended ? extended(oid, n, ids, mode, values)
                    : SAI_STATUS_NOT_IMPLEMENTED;
}

/* Several objects at once. */

/* Returns the bulk function of 'type', NULL if there is none that may be
 * called with these attributes. */
static set_many_fn
find_set_many(const struct loader *loader, sai_object_type_t type, uint32_t n,
              const sai_attribute_t *attributes)
{
    const struct route *route = find_route(type);

    if (!route || loader->refuses_bulk[type] ||
        check_known(loader, type, n, attributes, CAPABILITY_SET) !=
            SAI_STATUS_SUCCESS) {
        return NULL;
    }
    return (set_many_fn)function_at(loader, route->api, route->set_many);
}

static bool
is_unsupported(sai_status_t status)
{
    return status == SAI_STATUS_NOT_SUPPORTED ||
           status == SAI_STATUS_NOT_IMPLEMENTED;
}

/* Returns whether a library that answered so has no such bulk function: it may
 * say so for the call, or for each of the objects. */
static bool
bulk_is_refused(sai_status_t result, uint32_t n, const sai_status_t *statuses)
{
    if (result == SAI_STATUS_SUCCESS || is_unsupported(result)) {
        return result != SAI_STATUS_SUCCESS;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (!is_unsupported(statuses[i])) {
            return false;
        }
    }
    return true;
}

/* Completes what a bulk call that returned 'result' has left open: objects that
 * it passed over although it was not to stop, or all if it failed without
 * saying where.  Setting something twice does no harm. */
static sai_status_t
complete_bulk(struct sai_backend *backend, sai_object_type_t type, uint32_t n,
              const sai_object_id_t *oids, const sai_attribute_t *attributes,
              sai_status_t result, sai_status_t *statuses)
{
    uint32_t n_good = 0;
    bool failed = false;

    for (uint32_t i = 0; i < n; i++) {
        if (statuses[i] == SAI_STATUS_NOT_EXECUTED &&
            result == SAI_STATUS_SUCCESS) {
            statuses[i] = SAI_STATUS_SUCCESS; /* It filled nothing in. */
        }
        n_good += statuses[i] == SAI_STATUS_SUCCESS;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (statuses[i] == SAI_STATUS_NOT_EXECUTED ||
            (result != SAI_STATUS_SUCCESS && n_good == n)) {
            statuses[i] =
                backend->ops->set(backend, type, oids[i], &attributes[i]);
        }
        failed |= statuses[i] != SAI_STATUS_SUCCESS;
    }
    return failed ? SAI_STATUS_FAILURE : SAI_STATUS_SUCCESS;
}

/* The statuses are preset, because not every library fills them.  With
 * STOP_ON_ERROR what is not executed stays so, and the answer is the
 * library's. */
static sai_status_t
set_many(struct sai_backend *backend, sai_object_type_t type, uint32_t n,
         const sai_object_id_t *oids, const sai_attribute_t *attributes,
         sai_bulk_op_error_mode_t mode, sai_status_t *statuses)
{
    struct loader *loader = (struct loader *)backend;
    set_many_fn set = n > 1 ? find_set_many(loader, type, n, attributes) : NULL;
    sai_status_t result;

    if (set) {
        for (uint32_t i = 0; i < n; i++) {
            statuses[i] = SAI_STATUS_NOT_EXECUTED;
        }
        result = set(n, oids, attributes, mode, statuses);
        if (!bulk_is_refused(result, n, statuses)) {
            if (result != SAI_STATUS_SUCCESS &&
                mode == SAI_BULK_OP_ERROR_MODE_STOP_ON_ERROR) {
                return SAI_STATUS_FAILURE;
            }
            return complete_bulk(backend, type, n, oids, attributes, result,
                                 statuses);
        }
        loader->refuses_bulk[type] = true;
    }
    return backend_set_singly(backend, type, n, oids, attributes, mode,
                              statuses);
}

static const struct sai_backend_ops backend_ops = {
    .create = backend_create,
    .remove = backend_remove,
    .set = backend_set,
    .get = backend_get,
    .get_stats = backend_get_stats,
    .set_many = set_many,
};

/* The profile, as the library asks for it.  The library may keep the strings
 * until it is uninitialised, so they live as long as the loader.  Profile ids
 * do not matter: there is one switch and one profile. */

static const char *
profile_get_value(sai_switch_profile_id_t profile_id, const char *variable)
{
    (void)profile_id;
    if (!active || !variable) {
        return NULL;
    }
    for (size_t i = active->n_profile; i > 0; i--) {
        if (!strcmp(active->profile[i - 1].key, variable)) {
            return active->profile[i - 1].value;
        }
    }
    return NULL;
}

static int
profile_get_next_value(sai_switch_profile_id_t profile_id,
                       const char **variable, const char **value)
{
    (void)profile_id;
    if (!active) {
        return -1;
    }
    if (!value) {
        active->next_pair = 0;
        return 0;
    }
    if (!variable || active->next_pair >= active->n_profile) {
        return -1;
    }
    *variable = active->profile[active->next_pair].key;
    *value = active->profile[active->next_pair].value;
    active->next_pair++;
    return 0;
}

static const sai_service_method_table_t services = {
    .profile_get_value = profile_get_value,
    .profile_get_next_value = profile_get_next_value,
};

/* Opening, step by step. */

/* Returns a loader with copies of 'options', not opened yet. */
static struct loader *
new_loader(const struct loader_options *options)
{
    struct loader *loader = check_calloc(1, sizeof *loader);

    loader->backend.ops = &backend_ops;
    loader->backend.switch_id = SAI_NULL_OBJECT_ID;
    loader->path = check_strdup(options->path);
    loader->n_profile = options->n_profile;
    loader->profile =
        check_calloc(options->n_profile + 1, sizeof *loader->profile);
    for (size_t i = 0; i < options->n_profile; i++) {
        loader->profile[i].key = check_strdup(options->profile[i].key);
        loader->profile[i].value = check_strdup(options->profile[i].value);
    }
    return loader;
}

enum st
loader_probe(const char *path, struct err *err)
{
    static const char magic[] = {0x7f, 'E', 'L', 'F'};
    char head[sizeof magic] = {0};
    FILE *file;

    if (!strchr(path, '/')) {
        return ST_OK;
    }
    file = fopen(path, "rb");
    if (!file) {
        (void)err_set(err, ST_NOT_FOUND, "sai-missing",
                      "there is no SAI library %s that can be read", path);
        err_set_remedy(err, "check the path given with --sai");
        return ST_NOT_FOUND;
    }
    (void)!fread(head, 1, sizeof head, file); /* Short: not the magic. */
    fclose(file);
    if (memcmp(head, magic, sizeof magic)) {
        (void)err_set(err, ST_INVALID, "sai-load", "%s is not a shared library",
                      path);
        err_set_remedy(err, "name the libsai of the switch with --sai");
        return ST_INVALID;
    }
    return ST_OK;
}

/* Loads the file.  All symbols are bound now, so that what is missing shows
 * here and not in the middle of a plan; none become visible to others. */
static enum st
load(struct loader *loader, struct err *err)
{
    enum st status = loader_probe(loader->path, err);

    if (status != ST_OK) {
        return status;
    }
    loader->handle = dlopen(loader->path, RTLD_NOW | RTLD_LOCAL);
    if (!loader->handle) {
        const char *reason = dlerror();

        (void)err_set(err, ST_INVALID, "sai-load", "cannot load %s: %s",
                      loader->path, reason ? reason : "unknown reason");
        err_set_remedy(err, "install what it depends on (see ldd), or name "
                            "a library for this machine");
        return ST_INVALID;
    }
    return ST_OK;
}

/* Stores symbol 'name' in the function pointer at 'function', whose type
 * varies; dlsym() gives an object pointer, which has the same form. */
static void
resolve(const struct loader *loader, const char *name, void *function)
{
    void *symbol = dlsym(loader->handle, name);

    memcpy(function, &symbol, sizeof symbol);
}

static enum st
find_entry_points(struct loader *loader, struct err *err)
{
    struct capability_queries queries;

    resolve(loader, "sai_api_initialize", &loader->initialize);
    resolve(loader, "sai_api_query", &loader->query);
    resolve(loader, "sai_api_uninitialize", &loader->uninitialize);
    resolve(loader, "sai_query_api_version", &loader->query_version);
    resolve(loader, "sai_query_attribute_capability", &queries.attribute);
    resolve(loader, "sai_query_attribute_enum_values_capability",
            &queries.enum_values);
    loader->capability = capability_create(&queries);
    if (loader->initialize && loader->query && loader->uninitialize) {
        return ST_OK;
    }
    (void)err_set(err, ST_INVALID, "sai-not-sai",
                  "%s is not a SAI library: it lacks %s", loader->path,
                  !loader->initialize ? "sai_api_initialize"
                  : !loader->query    ? "sai_api_query"
                                      : "sai_api_uninitialize");
    err_set_remedy(err, "name the libsai of the vendor with --sai");
    return ST_INVALID;
}

/* Finds out the release and whether it can be used. */
static enum st
check_version(struct loader *loader, bool allow_unversioned, struct err *err)
{
    sai_api_version_t version = 0;

    if (!loader->query_version) {
        if (allow_unversioned) {
            loader->version = VERSION_UNVERSIONED;
            return ST_OK;
        }
        (void)err_set(err, ST_UNSUPPORTED, "sai-unversioned",
                      "%s does not tell which SAI release it implements",
                      loader->path);
        err_set_remedy(err, "use a library of SAI 1.10.0 or later, or "
                            "--sai-unversioned if this one is known to be 1.9");
        return ST_UNSUPPORTED;
    }
    if (loader->query_version(&version) != SAI_STATUS_SUCCESS ||
        version < VERSION_OLDEST) {
        (void)err_set(err, ST_UNSUPPORTED, "sai-too-old",
                      "%s implements SAI release number %llu, which uses "
                      "other numbers for attributes",
                      loader->path, (unsigned long long)version);
        err_set_field(err, "version", NULL, "10900 (SAI 1.9.0) or later");
        err_set_remedy(err, "use a library of SAI 1.9.0 or later");
        return ST_UNSUPPORTED;
    }
    loader->version = version;
    return ST_OK;
}

/* Initialises the library, which reads the profile meanwhile. */
static enum st
initialize(struct loader *loader, struct err *err)
{
    sai_status_t status;

    active = loader;
    status = loader->initialize(0, &services);
    if (status != SAI_STATUS_SUCCESS) {
        char name[STATUS_NAME_SIZE];

        (void)err_set(err, ST_DEVICE, "sai-refused",
                      "%s refused to initialise: %s", loader->path,
                      status_name(status, name, sizeof name));
        err_set_remedy(err, "check the profile (--profile KEY=VALUE) and the "
                            "library's own log");
        return ST_DEVICE;
    }
    loader->initialized = true;
    return ST_OK;
}

/* Fetches the tables of all routes.  Without ports there is nothing to do; the
 * other tables may be missing, and their objects are then not implemented. */
static enum st
query_tables(struct loader *loader, struct err *err)
{
    for (size_t i = 0; i < sizeof routes / sizeof routes[0]; i++) {
        void *table = NULL;

        if (loader->query(routes[i].api, &table) == SAI_STATUS_SUCCESS) {
            loader->tables[routes[i].api] = table;
        }
    }
    if (loader->tables[SAI_API_SWITCH] && loader->tables[SAI_API_PORT]) {
        return ST_OK;
    }
    (void)err_set(err, ST_DEVICE, "sai-no-tables", "%s has no %s functions",
                  loader->path,
                  loader->tables[SAI_API_SWITCH] ? "port" : "switch");
    err_set_remedy(err, "check that the library is made for a switch");
    return ST_DEVICE;
}

enum st
loader_open(const struct loader_options *options, struct loader **loader,
            struct err *err)
{
    struct loader *opened;
    enum st status;

    if (active) {
        (void)err_set(err, ST_BUSY, "sai-in-use",
                      "a SAI library is in use already: %s", active->path);
        err_set_remedy(err, "close it first: a process has one SAI library");
        return ST_BUSY;
    }
    opened = new_loader(options);
    status = load(opened, err);
    if (status == ST_OK) {
        status = find_entry_points(opened, err);
    }
    if (status == ST_OK) {
        status = check_version(opened, options->allow_unversioned, err);
    }
    if (status == ST_OK) {
        status = initialize(opened, err);
    }
    if (status == ST_OK) {
        status = query_tables(opened, err);
    }
    if (status != ST_OK) {
        loader_close(opened);
        return status;
    }
    *loader = opened;
    return ST_OK;
}

void
loader_close(struct loader *loader)
{
    if (!loader) {
        return;
    }
    if (loader->initialized) {
        (void)loader->uninitialize();
    }
    if (loader == active) {
        active = NULL;
    }
    if (loader->handle) {
        dlclose(loader->handle);
    }
    for (size_t i = 0; i < loader->n_profile; i++) {
        /* Ours, although the pair is made for borrowed strings. */
        free((void *)(uintptr_t)loader->profile[i].key);
        free((void *)(uintptr_t)loader->profile[i].value);
    }
    capability_destroy(loader->capability);
    free(loader->profile);
    free(loader->path);
    free(loader);
}

enum st
loader_create_switch(struct loader *loader, uint32_t n,
                     const sai_attribute_t *list, struct err *err)
{
    sai_attribute_t *all = check_calloc((size_t)n + 1, sizeof *all);
    sai_object_id_t oid;
    char name[STATUS_NAME_SIZE];
    sai_status_t status;

    all[0].id = SAI_SWITCH_ATTR_INIT_SWITCH;
    all[0].value.booldata = true;
    if (n > 0) {
        memcpy(all + 1, list, n * sizeof *list);
    }
    status = backend_create(&loader->backend, SAI_OBJECT_TYPE_SWITCH, n + 1,
                            all, &oid);
    free(all);
    if (status == SAI_STATUS_SUCCESS) {
        return ST_OK;
    }
    (void)err_set(err, st_from_sai(status), "sai-switch",
                  "%s did not create the switch: %s", loader->path,
                  status_name(status, name, sizeof name));
    err_set_remedy(err, "check the profile and the library's own log");
    return st_from_sai(status);
}

struct sai_backend *
loader_backend(struct loader *loader)
{
    return &loader->backend;
}

uint64_t
loader_version(const struct loader *loader)
{
    return loader->version;
}

bool
loader_is_dated(const struct loader *loader)
{
    return loader->version < VERSION_STRUCTURES;
}

unsigned int
loader_capability(struct loader *loader, sai_object_type_t type,
                  sai_attr_id_t id)
{
    return capability_flags(loader->capability, loader->backend.switch_id, type,
                            id);
}

const int32_t *
loader_enum_values(struct loader *loader, sai_object_type_t type,
                   sai_attr_id_t id, uint32_t *n)
{
    return capability_enum_values(loader->capability, loader->backend.switch_id,
                                  type, id, n);
}

void *
loader_symbol(struct loader *loader, const char *name)
{
    return dlsym(loader->handle, name);
}
