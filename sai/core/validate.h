/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_CORE_VALIDATE_H
#define ORCHD_SAI_CORE_VALIDATE_H

/* Judges the attributes of a SAI call by the metadata, before it is carried
 * out.
 *
 * Every backend owes its clients the same answers to malformed calls.  These
 * functions give them with SAI's exact codes; per-attribute codes carry the
 * index in the list, and where several attributes are wrong the first one is
 * reported.  In this order, per attribute:
 *
 *   - an id that does not exist: UNKNOWN_ATTRIBUTE;
 *   - read-only in create or set, create-only in set, or a second time in one
 *     list: INVALID_ATTRIBUTE;
 *   - a number that is no member of its enumeration, a list with elements but
 *     no memory or longer than KIND_LIST_MAX, text without an end, an address
 *     of no family, a number out of the range of its attribute, an entry that
 *     a QoS map of this type cannot have (sai/core/qos_map_entry.h), an object
 * that does not exist or has the wrong type, null where that is not allowed:
 *     INVALID_ATTR_VALUE.
 *
 * A list without memory, or longer than the type has attributes, is
 * INVALID_PARAMETER and not looked at.
 *
 * Then for the whole list: MANDATORY_ATTRIBUTE_MISSING if one is missing whose
 * condition (if any) holds; INVALID_PARAMETER if one is given that does not
 * exist because its condition does not hold.
 *
 * Ranges are those that hold for every switch (a weight of 1..255).  What
 * depends on the chip (how many queues there are) is the business of whoever
 * carries the call out. */

#include <stdbool.h>
#include <stdint.h>

#include <sai.h>

/* What must be asked from elsewhere.  Each function may be NULL, and then
 * what it would tell is not checked. */
struct validate_env {
    void *context;

    /* Returns the type of object 'oid', SAI_OBJECT_TYPE_NULL if there is no
     * such object.  'oid' is not null. */
    sai_object_type_t (*type_of)(void *context, sai_object_id_t oid);

    /* In validate_set(): stores in '*value' the present value, as a number, of
     * attribute 'id' of the object that is being changed, and returns true; or
     * returns false if it is not known. */
    bool (*current)(void *context, sai_attr_id_t id, int64_t *value);
};

/* Judges the creation of an object of 'type' from the 'n' attributes in
 * 'list'.  A type that is not modelled is SAI_STATUS_INVALID_OBJECT_TYPE. */
sai_status_t validate_create(sai_object_type_t type, uint32_t n,
                             const sai_attribute_t *list,
                             const struct validate_env *env);

/* Judges setting one attribute of an object of 'type'; the index in the
 * result is 0. */
sai_status_t validate_set(sai_object_type_t type,
                          const sai_attribute_t *attribute,
                          const struct validate_env *env);

/* Judges reading 'n' attributes: that there are some and that their ids
 * exist. */
sai_status_t validate_get(sai_object_type_t type, uint32_t n,
                          const sai_attribute_t *list);

#endif /* sai/core/validate.h */
