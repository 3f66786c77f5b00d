/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_LOADER_LOADER_H
#define ORCHD_SAI_LOADER_LOADER_H

/* A vendor's libsai as a backend.
 *
 * loader_open() loads the library, checks its release, passes it a profile,
 * initialises it and gets its function tables; loader_create_switch() creates
 * the switch.  After that the operations of sai/core/backend.h find the
 * function for an object type in a table of offsets.
 *
 * The loader supports libraries of other releases.  It never reads a table
 * beyond the length of its release, and an empty slot is
 * SAI_STATUS_NOT_IMPLEMENTED.  For an attribute or counter that is newer than
 * the library, the loader itself returns ATTR_NOT_IMPLEMENTED or
 * NOT_IMPLEMENTED.  It does the same if the library reports that it cannot
 * create or set an attribute (sai/core/capability.h), but it always tries to
 * read, which is harmless.  For several objects the loader uses the library's
 * bulk function.  If the library refuses that function for an object type and
 * operation, the loader uses one call per object from then on.  It refuses
 * releases before 1.9.0, which use other numbers.  Releases before 1.10.0
 * cannot report their release; the loader treats them as 1.9.0 if the caller
 * allows it.
 *
 * There is one library at a time, because SAI is initialised once per process
 * and the functions by which a library reads its profile have no context
 * argument. They are the reason for the one static variable of this module.
 *
 * The module is not thread-safe.  Callbacks that the caller sets as attributes
 * may run in threads of the library. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sai.h>

#include "base/status.h"
#include "sai/core/backend.h"

struct loader;

/* A key of the profile and its value, for example SAI_KEY_INIT_CONFIG_FILE. */
struct loader_pair {
    const char *key;
    const char *value;
};

struct loader_options {
    const char *path; /* As for dlopen(): a name without '/' is searched. */
    const struct loader_pair *profile; /* Later pairs win over earlier ones. */
    size_t n_profile;
    bool allow_unversioned; /* Take a library without a release as 1.9.0. */

    /* Pass calls to the library that it reports as not supported: for a process
     * that passes on the calls of clients, which query the capabilities
     * themselves. */
    bool pass_on;

    /* Called once for each function that the library refuses and that the
     * loader replaces by others; may be NULL. */
    void (*note)(void *context, const char *code, const char *text);
    void *note_context;
};

/* Checks whether 'path' is a shared library, without loading it, so that a
 * wrong path is reported at once and not when the library is needed.
 * ST_NOT_FOUND or ST_INVALID fills 'err' as loader_open() does.  Does not check
 * a name without
 * '/', which dlopen() searches. */
enum st loader_probe(const char *path, struct err *err) ST_WARN_UNUSED;

/* Loads and initialises the library of 'options', which are copied.  On ST_OK
 * the caller owns '*loader' and closes it with loader_close().  Otherwise
 * '*loader' is unchanged, nothing stays loaded, and '*err' has one of these
 * codes:
 *
 *   sai-missing      ST_NOT_FOUND    there is no such file
 *   sai-load         ST_INVALID      the system cannot load it
 *   sai-not-sai      ST_INVALID      it lacks SAI's entry points
 *   sai-too-old      ST_UNSUPPORTED  its release is before 1.9.0
 *   sai-unversioned  ST_UNSUPPORTED  it does not report its release
 *   sai-refused      ST_DEVICE       its initialisation failed
 *   sai-owned        ST_DEVICE       the same: another program has the switch
 *   sai-no-tables    ST_DEVICE       it has no switch or no port functions
 *   sai-in-use       ST_BUSY         another library is open */
enum st loader_open(const struct loader_options *options,
                    struct loader **loader, struct err *err) ST_WARN_UNUSED;

/* Uninitialises and unloads the library; all borrowed pointers into it become
 * invalid.  Does not remove the switch before: what happens to the hardware
 * then depends on the library.  Accepts NULL. */
void loader_close(struct loader *loader);

/* Creates the switch with INIT_SWITCH true and the 'n' attributes of 'list',
 * which are borrowed for the call.  Before, the backend has no switch and
 * creates no objects.  If the switch exists already, because it outlives its
 * clients, the loader connects to it with INIT_SWITCH false.  ST_EXISTS if this
 * loader has a switch; another failure of the library has code "sai-switch". */
enum st loader_create_switch(struct loader *loader, uint32_t n,
                             const sai_attribute_t *list,
                             struct err *err) ST_WARN_UNUSED;

/* Returns whether the switch existed before, possibly with objects. */
bool loader_is_connected(const struct loader *loader);

/* Returns the backend.  Borrowed; valid until loader_close(). */
struct sai_backend *loader_backend(struct loader *loader);

/* Returns the release that the library was built with, as SAI_VERSION(). */
uint64_t loader_version(const struct loader *loader);

/* Returns whether the release is so old that structures have changed since
 * (before 1.12.0): worth a warning. */
bool loader_is_dated(const struct loader *loader);

/* Returns the capabilities that the library reports, as capability_flags() of
 * sai/core/capability.h does. */
unsigned int loader_capability(struct loader *loader, sai_object_type_t type,
                               sai_attr_id_t id);

/* Returns exported symbol 'name' of the library, or NULL: for extensions beyond
 * SAI. */
void *loader_symbol(struct loader *loader, const char *name);

/* Any function; cast to its type before the call. */
typedef void loader_any_fn(void);

/* Returns the function at 'offset' of the table of 'api', or NULL if the
 * library does not have it: for SAI functions that backends do not have. */
loader_any_fn *loader_function(struct loader *loader, sai_api_t api,
                               size_t offset);

#endif /* sai/loader/loader.h */
