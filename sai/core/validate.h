/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_CORE_VALIDATE_H
#define ORCHD_SAI_CORE_VALIDATE_H

/* Checks the attributes of a SAI call by the metadata, before the call is
 * executed.
 *
 * Every backend must refuse malformed calls with the same codes.  These
 * functions return SAI's exact codes.  Per-attribute codes carry the index in
 * the list; if several attributes are wrong, the code is that of the first.  In
 * this order, per attribute:
 *
 *   - an id that does not exist: UNKNOWN_ATTRIBUTE;
 *   - read-only in create or set, create-only in set, or twice in one list:
 *     INVALID_ATTRIBUTE;
 *   - a number that is no member of its enumeration, a list with elements but
 *     no memory or longer than KIND_LIST_MAX, text without an end, an address
 *     of no family, a number out of the range of its attribute, an entry that
 *     a QoS map of this type cannot have (sai/core/qos_map_entry.h), an object
 *     that does not exist or has the wrong type, null where that is not
 * allowed: INVALID_ATTR_VALUE.
 *
 * An attribute list without memory, or with more elements than the type has
 * attributes, is INVALID_PARAMETER and is not read.
 *
 * Then for the whole list: MANDATORY_ATTRIBUTE_MISSING if a mandatory attribute
 * whose condition (if any) holds is missing; INVALID_PARAMETER if an attribute
 * is given that does not exist because its condition does not hold.
 *
 * The ranges are those that hold for every switch (a weight of 1..255).  The
 * backend that executes the call checks limits of the chip (the number of
 * queues). */

#include <stdbool.h>
#include <stdint.h>

#include <sai.h>

/* Queries about the state of the switch.  Each function may be NULL; the checks
 * that need it are then omitted. */
struct validate_env {
    void *context;

    /* Returns the type of object 'oid', SAI_OBJECT_TYPE_NULL if there is no
     * such object.  'oid' is not null. */
    sai_object_type_t (*type_of)(void *context, sai_object_id_t oid);

    /* For validate_set(): stores the current value, as a number, of attribute
     * 'id' of the object in '*value' and returns true, or returns false if the
     * value is unknown. */
    bool (*current)(void *context, sai_attr_id_t id, int64_t *value);
};

/* Checks the creation of an object of 'type' with the 'n' attributes in 'list'.
 * A type that is not modelled is SAI_STATUS_INVALID_OBJECT_TYPE. */
sai_status_t validate_create(sai_object_type_t type, uint32_t n,
                             const sai_attribute_t *list,
                             const struct validate_env *env);

/* Checks a set of one attribute of an object of 'type'; the index in the result
 * is 0. */
sai_status_t validate_set(sai_object_type_t type,
                          const sai_attribute_t *attribute,
                          const struct validate_env *env);

/* Checks a read of 'n' attributes: there must be one at least, and their ids
 * must exist. */
sai_status_t validate_get(sai_object_type_t type, uint32_t n,
                          const sai_attribute_t *list);

#endif /* sai/core/validate.h */
