/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_INCLUDE_SAIVIRTUALROUTER_H
#define ORCHD_SAI_INCLUDE_SAIVIRTUALROUTER_H

/* Virtual routers: separate routing tables on one switch. */

#include <saistatus.h>
#include <saitypes.h>

/* Attributes of a virtual router. */
#define SAI_OBJECT_FILE "virtual_router.def"
#include "object/declare.def"
#undef SAI_OBJECT_FILE

/* Routers.  A router with interfaces or routes cannot be removed. */
typedef sai_status_t (*sai_create_virtual_router_fn)(
    sai_object_id_t *virtual_router_id, sai_object_id_t switch_id,
    uint32_t attr_count, const sai_attribute_t *attr_list);
typedef sai_status_t (*sai_remove_virtual_router_fn)(
    sai_object_id_t virtual_router_id);
typedef sai_status_t (*sai_set_virtual_router_attribute_fn)(
    sai_object_id_t virtual_router_id, const sai_attribute_t *attr);
typedef sai_status_t (*sai_get_virtual_router_attribute_fn)(
    sai_object_id_t virtual_router_id, uint32_t attr_count,
    sai_attribute_t *attr_list);

/* SAI_API_VIRTUAL_ROUTER.  The order of the members is the ABI. */
typedef struct _sai_virtual_router_api_t {
    sai_create_virtual_router_fn create_virtual_router;
    sai_remove_virtual_router_fn remove_virtual_router;
    sai_set_virtual_router_attribute_fn set_virtual_router_attribute;
    sai_get_virtual_router_attribute_fn get_virtual_router_attribute;
} sai_virtual_router_api_t;

#endif /* saivirtualrouter.h */
