/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_LOADER_VENDOR_LIBRARY_H
#define ORCHD_SAI_LOADER_VENDOR_LIBRARY_H

/* A libsai: its function tables and its capabilities.
 *
 * Tables are read only up to the length that the release of the library has.
 * Attributes that are newer than the library, or that it does not support, are
 * refused here; see sai/loader/loader.h for the rules. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sai.h>

#include "sai/core/backend.h"

struct capability;

/* Larger than the numbers of any release. */
enum { VENDOR_MAX_API = 256, VENDOR_MAX_TYPE = 256 };

/* The number of refused lists of counters that are stored; orchd reads fewer.
 */
enum { VENDOR_MAX_REFUSALS = 64 };

/* A list of counters that the library cannot read by its bulk function. */
struct vendor_refusal {
    sai_object_type_t type;
    sai_stats_mode_t mode;
    uint32_t n_ids;
    uint64_t digest; /* Of the ids. */
};

/* Called once, with a stable code, for each function that the library refuses
 * and that is replaced by others. */
typedef void vendor_note_fn(void *context, const char *code, const char *text);

/* Any function; cast to its type before the call. */
typedef void vendor_any_fn(void);

struct vendor {
    struct sai_backend backend;         /* First: it is cast back. */
    uint64_t version;                   /* The release, as SAI_VERSION(). */
    const void *tables[VENDOR_MAX_API]; /* NULL: none. */
    size_t n_slots[VENDOR_MAX_API];     /* Of them that the release has. */
    struct capability *capability;      /* Borrowed. */

    __typeof__(&sai_bulk_object_get_stats) get_stats_many; /* NULL: none. */

    /* For types whose table has no such function; NULL: none. */
    __typeof__(&sai_bulk_get_attribute) get_many;

    /* Learned: the operations for which the library refuses its bulk function,
     * a bit (1 << op) each, by object type; and lists of counters, of which the
     * newest VENDOR_MAX_REFUSALS are kept. */
    uint16_t refused[VENDOR_MAX_TYPE];
    struct vendor_refusal refusals[VENDOR_MAX_REFUSALS];
    size_t n_refusals; /* Ever. */

    vendor_note_fn *note; /* May be NULL. */
    void *note_context;
};

/* Stores the table of 'api', whose length follows from the release.  The
 * release must be set before. */
void vendor_library_add(struct vendor *vendor, sai_api_t api,
                        const void *table);

/* Returns the function at 'offset' of the table of 'api'; NULL if it is empty
 * or beyond the end of the table. */
vendor_any_fn *vendor_library_find(const struct vendor *vendor, sai_api_t api,
                                   size_t offset);

/* Returns the status of the first of 'n' attributes that the library does not
 * support: it is newer than the library, or the library reports that it lacks
 * the capability 'flag' (sai/core/capability.h; 0: not checked).
 * SAI_STATUS_SUCCESS if there is none.  Unknown attributes are not refused,
 * because they may be the vendor's own. */
sai_status_t vendor_library_check(const struct vendor *vendor,
                                  sai_object_type_t type, uint32_t n,
                                  const sai_attribute_t *list,
                                  unsigned int flag);

#endif /* sai/loader/vendor_library.h */
