/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_SAI_CAPABILITIES_H
#define ORCHD_SOFTASIC_SAI_CAPABILITIES_H

/* What this switch can do of what SAI describes, as it tells who asks for its
 * capabilities before configuring it.
 *
 * The metadata of SAI say of every attribute whether it may be given at
 * creation, set and read.  A switch implements a part of that: whole types are
 * only descriptions here, objects that a port brings with it cannot be made,
 * single attributes are kept but change nothing, and a few values of
 * enumerations are refused.  All of that is answered here, and what an object
 * then refuses when it is used agrees (tests/unit/test_sai_capabilities.c). */

#include <stdbool.h>
#include <stdint.h>

#include <sai.h>

struct daemon_switch;
struct metadata_attribute;

/* Says in '*able' what may be done with the attribute 'meta' of objects of
 * 'type': nothing if the type is not implemented. */
void capabilities_attribute(const struct daemon_switch *asic,
                            const struct metadata_attribute *meta,
                            sai_object_type_t type,
                            sai_attr_capability_t *able);

/* Returns whether attribute 'id', an enumeration, of objects of 'type' may be
 * 'value'. */
bool capabilities_value(sai_object_type_t type, sai_attr_id_t id,
                        int32_t value);

#endif /* vendors/softasic/sai/capabilities.h */
