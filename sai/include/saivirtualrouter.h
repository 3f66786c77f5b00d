/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_INCLUDE_SAIVIRTUALROUTER_H
#define ORCHD_SAI_INCLUDE_SAIVIRTUALROUTER_H

/* Virtual routers: separate routing tables on one switch. */

#include <saistatus.h>
#include <saitypes.h>

/* Attributes of a virtual router. */
typedef enum _sai_virtual_router_attr_t {
    SAI_VIRTUAL_ROUTER_ATTR_START,
#define SAI_ATTR(name, id, kind, flags, default_value, condition, ...)         \
    name = id,
#define SAI_ATTR_ALIAS(alias, name) alias = name,
#include "attr/virtual_router.def"
#undef SAI_ATTR
#undef SAI_ATTR_ALIAS
    SAI_VIRTUAL_ROUTER_ATTR_END,
    SAI_VIRTUAL_ROUTER_ATTR_CUSTOM_RANGE_START = 0x10000000,
    SAI_VIRTUAL_ROUTER_ATTR_CUSTOM_RANGE_END
} sai_virtual_router_attr_t;

/* Routers.  One that has interfaces or routes cannot be removed. */
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
