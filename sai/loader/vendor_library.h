/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_LOADER_VENDOR_LIBRARY_H
#define ORCHD_SAI_LOADER_VENDOR_LIBRARY_H

/* What a libsai has: its tables, and what it lacks.
 *
 * Tables are read up to the length that the release of the library is known to
 * have.  Attributes that are younger than it, or that it says it lacks, are
 * answered here; see sai/loader/loader.h for the rules. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sai.h>

#include "sai/core/backend.h"

struct capability;

/* More than any release has. */
enum { VENDOR_MAX_API = 256, VENDOR_MAX_TYPE = 256 };

/* Lists of counters that are remembered as refused: more than orchd reads. */
enum { VENDOR_MAX_REFUSALS = 64 };

/* A list of counters that the library does not read of several objects. */
struct vendor_refusal {
    sai_object_type_t type;
    sai_stats_mode_t mode;
    uint32_t n_ids;
    uint64_t digest; /* Of the ids. */
};

/* Is told what the library does not do, and that it is done in another way:
 * once each, with a stable code. */
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

    /* Learned: the operations that the library has no bulk function for, a bit
     * (1 << op) each, by object type; and lists of counters, of which more than
     * there is room for push out the oldest. */
    uint16_t refused[VENDOR_MAX_TYPE];
    struct vendor_refusal refusals[VENDOR_MAX_REFUSALS];
    size_t n_refusals; /* Ever. */

    vendor_note_fn *note; /* NULL: nobody wants to know. */
    void *note_context;
};

/* Takes over the table of 'api', of which the release, which is known, says the
 * length. */
void vendor_library_add(struct vendor *vendor, sai_api_t api,
                        const void *table);

/* Returns the function at 'offset' of the table of 'api'; NULL if there is
 * none, or if the release does not reach that far. */
vendor_any_fn *vendor_library_find(const struct vendor *vendor, sai_api_t api,
                                   size_t offset);

/* Returns the code for the first of 'n' attributes that need not be sent: it is
 * younger than the library, or the library has said that it lacks 'flag' (of
 * sai/core/capability.h; 0: not asked for).  SAI_STATUS_SUCCESS if there is
 * none. Attributes that we do not know may be the vendor's own. */
sai_status_t vendor_library_check(const struct vendor *vendor,
                                  sai_object_type_t type, uint32_t n,
                                  const sai_attribute_t *list,
                                  unsigned int flag);

#endif /* sai/loader/vendor_library.h */
