/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_COMPARE_H
#define ORCHD_RECONCILE_COMPARE_H

/* Compares the intended state of the ASIC with what it reads back.
 *
 * The reconciler relies on what SAI accepted.  But another client may have
 * changed the ASIC since, a device may have done something other than it
 * reported, and it does not hold what it refused.  Only reading it back shows
 * that.
 *
 * Each attribute that some row wants, or that the reconciler has set, is
 * compared. An attribute that the device does not report is listed as well,
 * because its value is unknown. */

#include <stdbool.h>
#include <stddef.h>

#include <sai.h>

struct metadata_attribute;
struct object;
struct sai_backend;

/* One attribute that differs from its intended value, or cannot be read.  All
 * borrowed for the call. */
struct compare_difference {
    const struct object *object;
    const struct metadata_attribute *meta;
    const sai_attribute_value_t *intended;
    const sai_attribute_value_t *found; /* NULL: it cannot be read, ... */
    sai_status_t unread;                /* ... with this SAI status. */
    sai_status_t refused; /* The SAI status of the last refused set, if any. */
};

typedef void compare_fn(void *context,
                        const struct compare_difference *difference);

/* Reads back the attributes of 'object', which is on the ASIC behind 'backend',
 * and calls 'fn' for each that differs or cannot be read.  Returns how many
 * were compared. */
size_t compare_object(const struct object *object, struct sai_backend *backend,
                      compare_fn *fn, void *context);

/* Returns whether 'status', with which a read failed, means that the object
 * does not exist, rather than that the attribute cannot be read. */
bool compare_is_missing(sai_status_t status);

/* Reads one attribute back into '*value'.  If its kind has a list, the caller
 * frees it with attr_value_fini().  Returns the SAI status; '*value' is
 * unchanged unless that is success. */
sai_status_t compare_read(const struct object *object,
                          const struct metadata_attribute *meta,
                          struct sai_backend *backend,
                          sai_attribute_value_t *value);

#endif /* orchd/reconcile/compare.h */
