/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_VENDOR_H
#define ORCHD_SAI_VENDOR_H

/* The function tables of a libsai as a backend.
 *
 * sai/loader.h loads a library, asks for its tables and fills in this
 * structure; from then on the verbs of sai/backend.h find their way by
 * sai/routes.h.  sai/vendor_many.h is the part for several objects.
 *
 * Attributes and counters that are younger than the library, or that it says it
 * lacks, are answered here; see sai/loader.h for the rules. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sai.h>

#include "sai/backend.h"

struct capability;

/* More than any release has. */
enum { VENDOR_MAX_API = 256, VENDOR_MAX_TYPE = 256 };

/* Any function; cast to its type before the call. */
typedef void vendor_any_fn(void);

struct vendor {
    struct sai_backend backend;         /* First: it is cast back. */
    uint64_t version;                   /* The release, as SAI_VERSION(). */
    const void *tables[VENDOR_MAX_API]; /* NULL: none. */
    struct capability *capability;      /* Borrowed. */

    /* Learned: the operations that the library has no bulk function for, a bit
     * (1 << op) each, by object type. */
    uint16_t refused[VENDOR_MAX_TYPE];
};

/* Makes 'vendor' a backend of no tables. */
void vendor_init(struct vendor *vendor);

/* Returns the function at 'offset' of the table of 'api'; NULL if there is
 * none, or if the release does not reach that far. */
vendor_any_fn *vendor_function(const struct vendor *vendor, sai_api_t api,
                               size_t offset);

/* Returns the code for the first of 'n' attributes that need not be sent: it is
 * younger than the library, or the library has said that it lacks 'flag' (of
 * sai/capability.h; 0: not asked for).  SAI_STATUS_SUCCESS if there is none.
 * Attributes that we do not know may be the vendor's own. */
sai_status_t vendor_check(const struct vendor *vendor, sai_object_type_t type,
                          uint32_t n, const sai_attribute_t *list,
                          unsigned int flag);

/* Creates an object, as sai/backend.h says. */
sai_status_t vendor_create(struct sai_backend *backend, sai_object_type_t type,
                           uint32_t n, const sai_attribute_t *attributes,
                           sai_object_id_t *oid);

#endif /* sai/vendor.h */
