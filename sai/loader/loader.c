/* SPDX-License-Identifier: Apache-2.0 */

/* Loads a library with dlopen() and follows SAI's start-up sequence. */

#include <config.h>

#include "sai/loader/loader.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/text.h"
#include "sai/core/capability.h"
#include "sai/core/metadata.h"
#include "sai/core/status.h"
#include "sai/loader/vendor.h"

#define VERSION_OLDEST      SAI_VERSION(1, 9, 0)
#define VERSION_UNVERSIONED SAI_VERSION(1, 9, 0)
#define VERSION_STRUCTURES  SAI_VERSION(1, 12, 0)

struct loader {
    struct vendor vendor;

    /* Set by loader_open(). */
    void *handle; /* Of dlopen(). */
    char *path;
    struct loader_pair *profile; /* Owned with its strings. */
    size_t n_profile;
    size_t next_pair; /* Of the enumeration that the library walks. */
    bool initialized;
    bool connected; /* The switch existed before. */

    /* Entry points. */
    __typeof__(&sai_api_initialize) initialize;
    __typeof__(&sai_api_query) query;
    __typeof__(&sai_api_uninitialize) uninitialize;
    __typeof__(&sai_query_api_version) query_version; /* NULL before 1.10. */
    struct capability *capability;
};

/* The open library, for profile_get_value() and profile_get_next_value(), which
 * get no context. */
static struct loader *active;

/* The functions by which the library reads the profile.  The library may keep
 * the strings until it is uninitialised, so they live as long as the loader.
 * The profile id is ignored, because there is one switch and one profile. */

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

    vendor_init(&loader->vendor);
    loader->vendor.note = options->note;
    loader->vendor.note_context = options->note_context;
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
                      "there is no readable SAI library %s", path);
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

/* Loads the file.  Binds all symbols now, so that a missing symbol is reported
 * here and not in the middle of a plan.  Its symbols stay local. */
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
        err_set_remedy(err, "install its dependencies (see ldd), or name "
                            "a library for this machine");
        return ST_INVALID;
    }
    return ST_OK;
}

/* Stores symbol 'name' in the function pointer at 'function', whose type
 * varies. POSIX guarantees that the result of dlsym() converts to a function
 * pointer. */
static void
resolve(const struct loader *loader, const char *name, void *function)
{
    void *symbol = dlsym(loader->handle, name);

    memcpy(function, &symbol, sizeof symbol);
}

static enum st
find_entry_points(struct loader *loader, bool pass_on, struct err *err)
{
    capability_query_fn *query = NULL;

    resolve(loader, "sai_api_initialize", &loader->initialize);
    resolve(loader, "sai_api_query", &loader->query);
    resolve(loader, "sai_api_uninitialize", &loader->uninitialize);
    resolve(loader, "sai_query_api_version", &loader->query_version);
    if (!pass_on) {
        resolve(loader, "sai_query_attribute_capability", &query);
    }
    loader->capability = capability_create(query);
    loader->vendor.capability = loader->capability;
    resolve(loader, "sai_bulk_object_get_stats",
            &loader->vendor.get_stats_many);
    resolve(loader, "sai_bulk_get_attribute", &loader->vendor.get_many);
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

/* Gets the release of the library and checks whether it is supported. */
static enum st
check_version(struct loader *loader, bool allow_unversioned, struct err *err)
{
    sai_api_version_t version = 0;

    if (!loader->query_version) {
        if (allow_unversioned) {
            loader->vendor.version = VERSION_UNVERSIONED;
            return ST_OK;
        }
        (void)err_set(err, ST_UNSUPPORTED, "sai-unversioned",
                      "%s does not report which SAI release it implements",
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
    loader->vendor.version = version;
    return ST_OK;
}

/* Initialises the library, which reads the profile during the call. */
static enum st
initialize(struct loader *loader, struct err *err)
{
    sai_status_t status;

    active = loader;
    status = loader->initialize(0, &services);
    if (status != SAI_STATUS_SUCCESS) {
        const bool in_use = status == SAI_STATUS_OBJECT_IN_USE;
        char name[STATUS_NAME_SIZE];

        (void)err_set(err, ST_DEVICE, in_use ? "sai-owned" : "sai-refused",
                      "%s refused to initialise: %s%s", loader->path,
                      status_name(status, name, sizeof name),
                      in_use ? ": another program has the switch" : "");
        err_set_remedy(err, "check the profile (--profile KEY=VALUE) and the "
                            "library's own log");
        return ST_DEVICE;
    }
    loader->initialized = true;
    return ST_OK;
}

/* Fetches the function tables of all known object types.  Switches and ports
 * are indispensable; objects of another table that is missing are not
 * implemented. */
static enum st
query_tables(struct loader *loader, struct err *err)
{
    size_t n;
    const struct metadata_object *objects = metadata_objects(&n);

    for (size_t i = 0; i < n; i++) {
        const sai_api_t api = objects[i].api;
        void *table = NULL;

        if (!loader->vendor.tables[api] &&
            loader->query(api, &table) == SAI_STATUS_SUCCESS) {
            vendor_library_add(&loader->vendor, api, table);
        }
    }
    if (loader->vendor.tables[SAI_API_SWITCH] &&
        loader->vendor.tables[SAI_API_PORT]) {
        return ST_OK;
    }
    (void)err_set(err, ST_DEVICE, "sai-no-tables", "%s has no %s functions",
                  loader->path,
                  loader->vendor.tables[SAI_API_SWITCH] ? "port" : "switch");
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
        status = find_entry_points(opened, options->pass_on, err);
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
        /* Owned here, although the type of the pair has borrowed strings. */
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
    status = vendor_create(&loader->vendor.backend, SAI_OBJECT_TYPE_SWITCH,
                           n + 1, all, &oid);
    if ((status == SAI_STATUS_ITEM_ALREADY_EXISTS ||
         status == SAI_STATUS_OBJECT_IN_USE) &&
        loader->vendor.backend.switch_id == SAI_NULL_OBJECT_ID) {
        /* The switch existed before this process, or a client that may not
         * create one asks: connect to it. */
        all[0].value.booldata = false;
        status = vendor_create(&loader->vendor.backend, SAI_OBJECT_TYPE_SWITCH,
                               n + 1, all, &oid);
        loader->connected = status == SAI_STATUS_SUCCESS;
    }
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

bool
loader_is_connected(const struct loader *loader)
{
    return loader->connected;
}

struct sai_backend *
loader_backend(struct loader *loader)
{
    return &loader->vendor.backend;
}

uint64_t
loader_version(const struct loader *loader)
{
    return loader->vendor.version;
}

bool
loader_is_dated(const struct loader *loader)
{
    return loader->vendor.version < VERSION_STRUCTURES;
}

unsigned int
loader_capability(struct loader *loader, sai_object_type_t type,
                  sai_attr_id_t id)
{
    return capability_flags(loader->capability,
                            loader->vendor.backend.switch_id, type, id);
}

void *
loader_symbol(struct loader *loader, const char *name)
{
    return dlsym(loader->handle, name);
}

loader_any_fn *
loader_function(struct loader *loader, sai_api_t api, size_t offset)
{
    return vendor_library_find(&loader->vendor, api, offset);
}
