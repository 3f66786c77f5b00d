/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_COMPARE_H
#define ORCHD_RECONCILE_COMPARE_H

/* What is meant to be on the ASIC against what is there, read back.
 *
 * The reconciler believes what SAI accepted.  Somebody else may have changed it
 * since, a device may have done something else than it said, and what it
 * refused it does not have: only reading tells.
 *
 * Compared is each attribute of which some row wants something, or that the
 * reconciler has set.  One that the device does not tell is named as well:
 * nobody knows what it holds. */

#include <stdbool.h>
#include <stddef.h>

#include <sai.h>

struct metadata_attribute;
struct object;
struct sai_backend;

/* One attribute that is not what it is meant to be, or of which that is not
 * known.  All borrowed for the call. */
struct compare_difference {
    const struct object *object;
    const struct metadata_attribute *meta;
    const sai_attribute_value_t *intended;
    const sai_attribute_value_t *found; /* NULL: it cannot be read, ... */
    sai_status_t unread;                /* ... and what SAI said. */
    sai_status_t refused; /* What SAI said when it was last set, if it did. */
};

typedef void compare_fn(void *context,
                        const struct compare_difference *difference);

/* Reads back the attributes of 'object', which is on the ASIC behind
 * 'backend', and tells those that differ or cannot be read.  Returns how many
 * were compared. */
size_t compare_object(const struct object *object, struct sai_backend *backend,
                      compare_fn *fn, void *context);

/* Returns whether 'status', with which a reading failed, says that there is no
 * such object: then it is gone, other than with attributes that are merely not
 * told. */
bool compare_is_missing(sai_status_t status);

/* Reads one attribute back into '*value', whose list, if its kind has one, the
 * caller ends with attr_value_fini().  Returns what SAI said; unless that is
 * success,
 * '*value' is left alone. */
sai_status_t compare_read(const struct object *object,
                          const struct metadata_attribute *meta,
                          struct sai_backend *backend,
                          sai_attribute_value_t *value);

#endif /* orchd/reconcile/compare.h */
