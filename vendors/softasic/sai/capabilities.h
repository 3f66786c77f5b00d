/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_SAI_CAPABILITIES_H
#define ORCHD_SOFTASIC_SAI_CAPABILITIES_H

/* The capabilities of this switch, for clients that query them before they
 * configure it.
 *
 * The metadata of SAI say of every attribute whether it may be given at
 * creation, set and read.  A switch implements a part of that.  Here some types
 * are not implemented, the children of a port cannot be created, some
 * attributes are stored without effect, and a few values of enumerations are
 * refused.  These functions report all of that, and calls on objects agree with
 * them (tests/unit/test_sai_capabilities.c). */

#include <stdbool.h>
#include <stdint.h>

#include <sai.h>

struct asic;
struct metadata_attribute;

/* Returns whether 'type' is implemented; else there are only its metadata, and
 * objects of it cannot be created. */
bool capabilities_type(sai_object_type_t type);

/* Stores in '*able' what is implemented of attribute 'meta' of objects of
 * 'type': nothing if the type is not implemented. */
void capabilities_attribute(const struct asic *asic,
                            const struct metadata_attribute *meta,
                            sai_object_type_t type,
                            sai_attr_capability_t *able);

/* Returns whether attribute 'id' of objects of 'type', an enumeration, supports
 * 'value'. */
bool capabilities_value(const struct asic *asic, sai_object_type_t type,
                        sai_attr_id_t id, int32_t value);

#endif /* vendors/softasic/sai/capabilities.h */
