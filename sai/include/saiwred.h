/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_INCLUDE_SAIWRED_H
#define ORCHD_SAI_INCLUDE_SAIWRED_H

/* WRED and ECN profiles: with which probability a queue of a given depth
 * drops or marks a packet, by color.
 *
 * Marking concerns ECN capable packets of the colors of ECN_MARK_MODE;
 * others are dropped, if drops are enabled for their color. */

#include <saistatus.h>
#include <saitypes.h>

#define SAI_ENUM_FILE "wred.def"
#include "enum/declare.def"
#undef SAI_ENUM_FILE

/* Attributes of a WRED profile.  The thresholds exist twice, with 32 and, as
 * _64, with 64 bits, and each again for marking, as ECN_. */
#define SAI_OBJECT_FILE "wred.def"
#include "object/declare.def"
#undef SAI_OBJECT_FILE

/* Profiles.  A profile to which a queue or a pool refers cannot be removed.  A
 * change applies to all users at once. */
typedef sai_status_t (*sai_create_wred_fn)(sai_object_id_t *wred_id,
                                           sai_object_id_t switch_id,
                                           uint32_t attr_count,
                                           const sai_attribute_t *attr_list);
typedef sai_status_t (*sai_remove_wred_fn)(sai_object_id_t wred_id);
typedef sai_status_t (*sai_set_wred_attribute_fn)(sai_object_id_t wred_id,
                                                  const sai_attribute_t *attr);
typedef sai_status_t (*sai_get_wred_attribute_fn)(sai_object_id_t wred_id,
                                                  uint32_t attr_count,
                                                  sai_attribute_t *attr_list);

/* SAI_API_WRED.  The order of the members is the ABI. */
typedef struct _sai_wred_api_t {
    sai_create_wred_fn create_wred;
    sai_remove_wred_fn remove_wred;
    sai_set_wred_attribute_fn set_wred_attribute;
    sai_get_wred_attribute_fn get_wred_attribute;
} sai_wred_api_t;

#endif /* saiwred.h */
