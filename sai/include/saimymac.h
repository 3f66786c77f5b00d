/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_INCLUDE_SAIMYMAC_H
#define ORCHD_SAI_INCLUDE_SAIMYMAC_H

/* Addresses for which the router takes frames, besides those of interfaces. */

#include <saistatus.h>
#include <saitypes.h>

/* Attributes of such an address. */
#define SAI_OBJECT_FILE "my_mac.def"
#include "object/declare.def"
#undef SAI_OBJECT_FILE

/* Addresses. */
typedef sai_status_t (*sai_create_my_mac_fn)(sai_object_id_t *my_mac_id,
                                             sai_object_id_t switch_id,
                                             uint32_t attr_count,
                                             const sai_attribute_t *attr_list);
typedef sai_status_t (*sai_remove_my_mac_fn)(sai_object_id_t my_mac_id);
typedef sai_status_t (*sai_set_my_mac_attribute_fn)(
    sai_object_id_t my_mac_id, const sai_attribute_t *attr);
typedef sai_status_t (*sai_get_my_mac_attribute_fn)(sai_object_id_t my_mac_id,
                                                    uint32_t attr_count,
                                                    sai_attribute_t *attr_list);

/* SAI_API_MY_MAC.  The order of the members is the ABI. */
typedef struct _sai_my_mac_api_t {
    sai_create_my_mac_fn create_my_mac;
    sai_remove_my_mac_fn remove_my_mac;
    sai_set_my_mac_attribute_fn set_my_mac_attribute;
    sai_get_my_mac_attribute_fn get_my_mac_attribute;
} sai_my_mac_api_t;

#endif /* saimymac.h */
