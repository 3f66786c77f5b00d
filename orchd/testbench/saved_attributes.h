/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TESTBENCH_SAVED_ATTRIBUTES_H
#define ORCHD_TESTBENCH_SAVED_ATTRIBUTES_H

/* SAI attributes that a scenario sets directly, with their former values, to
 * restore them later.
 *
 * Only the value before the first set of an attribute is kept.  An attribute
 * whose value cannot be read as one value (a list, a write-only attribute)
 * could not be restored, so setting it fails, unless the switch is
 * temporary. */

#include <stdbool.h>
#include <stddef.h>

#include <sai.h>

#include "base/status.h"

struct sai_backend;

struct change {
    sai_object_type_t type;
    sai_object_id_t oid;
    sai_attribute_t former;
};

/* Zeroed, it is empty. */
struct saved_attributes {
    struct change *list;
    size_t n;
    bool is_temporary; /* The switch is destroyed later: nothing to restore. */
};

/* Sets an attribute; 'what' names the action in messages. */
enum st saved_attributes_set(struct saved_attributes *saved,
                             struct sai_backend *backend,
                             sai_object_type_t type, sai_object_id_t oid,
                             const sai_attribute_t *attribute, const char *what,
                             struct err *err) ST_WARN_UNUSED;

/* Restores one attribute; ST_OK also if it was not set. */
enum st saved_attributes_undo(struct saved_attributes *saved,
                              struct sai_backend *backend, sai_object_id_t oid,
                              sai_attr_id_t id, struct err *err) ST_WARN_UNUSED;

/* Restores all attributes, the last one first, and empties the list.  Skips
 * objects that no longer exist.  Tries all, and returns the first failure. */
enum st saved_attributes_undo_all(struct saved_attributes *saved,
                                  struct sai_backend *backend,
                                  struct err *err) ST_WARN_UNUSED;

/* Frees the contents; the switch keeps its state. */
void saved_attributes_fini(struct saved_attributes *saved);

#endif /* orchd/testbench/saved_attributes.h */
