/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_INCLUDE_SAISYSTEMPORT_H
#define ORCHD_SAI_INCLUDE_SAISYSTEMPORT_H

/* Ports of a chassis with virtual output queues. */

#include <saistatus.h>
#include <saitypes.h>

#define SAI_ENUM_FILE "systemport.def"
#include "enum/declare.def"
#undef SAI_ENUM_FILE

/* Attributes of such a port. */
#define SAI_OBJECT_FILE "system_port.def"
#include "object/declare.def"
#undef SAI_OBJECT_FILE

/* Ports of a chassis. */
typedef sai_status_t (*sai_create_system_port_fn)(
    sai_object_id_t *system_port_id, sai_object_id_t switch_id,
    uint32_t attr_count, const sai_attribute_t *attr_list);
typedef sai_status_t (*sai_remove_system_port_fn)(
    sai_object_id_t system_port_id);
typedef sai_status_t (*sai_set_system_port_attribute_fn)(
    sai_object_id_t system_port_id, const sai_attribute_t *attr);
typedef sai_status_t (*sai_get_system_port_attribute_fn)(
    sai_object_id_t system_port_id, uint32_t attr_count,
    sai_attribute_t *attr_list);

/* SAI_API_SYSTEM_PORT.  The order of the members is the ABI. */
typedef struct _sai_system_port_api_t {
    sai_create_system_port_fn create_system_port;
    sai_remove_system_port_fn remove_system_port;
    sai_set_system_port_attribute_fn set_system_port_attribute;
    sai_get_system_port_attribute_fn get_system_port_attribute;
} sai_system_port_api_t;

#endif /* saisystemport.h */
