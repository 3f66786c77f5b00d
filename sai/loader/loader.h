/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_LOADER_LOADER_H
#define ORCHD_SAI_LOADER_LOADER_H

/* A vendor's libsai as a backend.
 *
 * loader_open() loads the library, looks at its release, hands it a profile,
 * initialises it and fetches its function tables; loader_create_switch() makes
 * the switch.  After that the verbs of sai/core/backend.h find the function for
 * an object type by a table of offsets.
 *
 * Libraries of other releases are used with care: a table is never read beyond
 * what its release has, an empty slot is SAI_STATUS_NOT_IMPLEMENTED, and an
 * attribute or counter that is younger than the library is answered here as
 * ATTR_NOT_IMPLEMENTED or NOT_IMPLEMENTED.  So is an attribute that the library
 * itself says it cannot set or create (sai/core/capability.h); reading does no
 * harm and is simply tried.  Several objects are created, removed, set or read
 * by the library's bulk function; one that refuses is not asked again for that
 * object type and operation, and it is done one by one.  Releases before 1.9.0
 * use other numbers and are refused.  Those before 1.10.0 cannot tell their
 * release; they are taken as 1.9.0 if the caller insists.
 *
 * One library at a time: SAI's initialisation is of the whole process, and the
 * functions by which a library reads its profile have no context argument.
 * That is the one static variable here.
 *
 * Nothing here is thread-safe; callbacks that the caller sets as attributes
 * may come from the library's threads. */

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

    /* Let the library itself refuse what it says it lacks: for those who pass
     * on calls of others, who ask for themselves. */
    bool pass_on;

    /* Is told once of each thing that the library refuses and that is done in
     * another way; NULL: nobody is. */
    void (*note)(void *context, const char *code, const char *text);
    void *note_context;
};

/* Looks whether 'path' can be a library at all, without loading it: so that a
 * wrong path is told to whoever gave it, long before the library is needed.
 * ST_NOT_FOUND or ST_INVALID fills 'err' as loader_open() would.  A name
 * without '/' is left to dlopen(). */
enum st loader_probe(const char *path, struct err *err) ST_WARN_UNUSED;

/* Loads and initialises the library of 'options', which are copied.  On ST_OK
 * the caller owns '*loader' and ends it with loader_close().  Else '*loader'
 * is untouched, nothing stays loaded, and '*err' has one of these codes:
 *
 *   sai-missing      ST_NOT_FOUND    there is no such file
 *   sai-load         ST_INVALID      the system cannot load it
 *   sai-not-sai      ST_INVALID      it lacks SAI's entry points
 *   sai-too-old      ST_UNSUPPORTED  its release is before 1.9.0
 *   sai-unversioned  ST_UNSUPPORTED  it does not tell its release
 *   sai-refused      ST_DEVICE       its initialisation failed
 *   sai-owned        ST_DEVICE       the same: somebody else has the switch
 *   sai-no-tables    ST_DEVICE       it has no switch or no port functions
 *   sai-in-use       ST_BUSY         another library is open */
enum st loader_open(const struct loader_options *options,
                    struct loader **loader, struct err *err) ST_WARN_UNUSED;

/* Uninitialises and unloads the library; all borrowed pointers into it end.
 * The switch is not removed first: what the hardware does then is up to the
 * library.  Accepts NULL. */
void loader_close(struct loader *loader);

/* Creates the switch with INIT_SWITCH true and the 'n' attributes of 'list',
 * which are borrowed for the call.  Until then the backend has no switch and
 * creates nothing.  Where the switch outlives its clients and is there already
 * it is connected to, with INIT_SWITCH false.  ST_EXISTS if this loader has
 * one; what the library says otherwise, with code "sai-switch". */
enum st loader_create_switch(struct loader *loader, uint32_t n,
                             const sai_attribute_t *list,
                             struct err *err) ST_WARN_UNUSED;

/* Returns whether the switch was there before, with whatever it holds. */
bool loader_is_connected(const struct loader *loader);

/* Returns the backend.  Borrowed; ends with the loader. */
struct sai_backend *loader_backend(struct loader *loader);

/* Returns the release that the library was built with, as SAI_VERSION(). */
uint64_t loader_version(const struct loader *loader);

/* Returns whether the release is so old that structures have changed since
 * (before 1.12.0): worth a warning. */
bool loader_is_dated(const struct loader *loader);

/* Return what the library says of itself, as capability_flags() and
 * capability_enum_values() of sai/core/capability.h do. */
unsigned int loader_capability(struct loader *loader, sai_object_type_t type,
                               sai_attr_id_t id);
const int32_t *loader_enum_values(struct loader *loader, sai_object_type_t type,
                                  sai_attr_id_t id, uint32_t *n);

/* Returns exported symbol 'name' of the library, or NULL: for what a library
 * offers beyond SAI. */
void *loader_symbol(struct loader *loader, const char *name);

/* Any function; cast to its type before the call. */
typedef void loader_any_fn(void);

/* Returns the function at 'offset' of the table of 'api', or NULL if the
 * library does not have it: for what SAI has beside the verbs. */
loader_any_fn *loader_function(struct loader *loader, sai_api_t api,
                               size_t offset);

#endif /* sai/loader/loader.h */
