/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TESTBENCH_SAVED_ATTRIBUTES_H
#define ORCHD_TESTBENCH_SAVED_ATTRIBUTES_H

/* SAI attributes that were set past the configuration, and what they were
 * before, so that they can be put back.
 *
 * Only the first former value of an attribute is kept, however often it is set.
 * An attribute that SAI does not tell in one piece (a list, one that can only
 * be written) could not be put back, so it is not set, unless the switch goes
 * away with what is done to it. */

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
    bool is_temporary; /* Nothing will have to be put back. */
};

/* Sets an attribute; 'what' says which, for people. */
enum st saved_attributes_set(struct saved_attributes *changes,
                             struct sai_backend *backend,
                             sai_object_type_t type, sai_object_id_t oid,
                             const sai_attribute_t *attribute, const char *what,
                             struct err *err) ST_WARN_UNUSED;

/* Puts one attribute back; ST_OK also if it was not set. */
enum st saved_attributes_undo(struct saved_attributes *changes,
                              struct sai_backend *backend, sai_object_id_t oid,
                              sai_attr_id_t id, struct err *err) ST_WARN_UNUSED;

/* Puts all of them back, the last one first, and forgets them.  An object that
 * is gone by then has nothing to be put back.  Tries all, and fails with the
 * first failure. */
enum st saved_attributes_undo_all(struct saved_attributes *changes,
                                  struct sai_backend *backend,
                                  struct err *err) ST_WARN_UNUSED;

/* Frees what it holds; the switch keeps its state. */
void saved_attributes_fini(struct saved_attributes *changes);

#endif /* orchd/testbench/saved_attributes.h */
