/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_INCLUDE_SAIMIRROR_H
#define ORCHD_SAI_INCLUDE_SAIMIRROR_H

/* Mirror sessions: destinations of copies of packets. */

#include <saistatus.h>
#include <saitypes.h>

#define SAI_ENUM_FILE "mirror.def"
#include "enum/declare.def"
#undef SAI_ENUM_FILE

/* Attributes of a mirror session. */
#define SAI_OBJECT_FILE "mirror_session.def"
#include "object/declare.def"
#undef SAI_OBJECT_FILE

/* Sessions. */
typedef sai_status_t (*sai_create_mirror_session_fn)(
    sai_object_id_t *mirror_session_id, sai_object_id_t switch_id,
    uint32_t attr_count, const sai_attribute_t *attr_list);
typedef sai_status_t (*sai_remove_mirror_session_fn)(
    sai_object_id_t mirror_session_id);
typedef sai_status_t (*sai_set_mirror_session_attribute_fn)(
    sai_object_id_t mirror_session_id, const sai_attribute_t *attr);
typedef sai_status_t (*sai_get_mirror_session_attribute_fn)(
    sai_object_id_t mirror_session_id, uint32_t attr_count,
    sai_attribute_t *attr_list);

/* SAI_API_MIRROR.  The order of the members is the ABI. */
typedef struct _sai_mirror_api_t {
    sai_create_mirror_session_fn create_mirror_session;
    sai_remove_mirror_session_fn remove_mirror_session;
    sai_set_mirror_session_attribute_fn set_mirror_session_attribute;
    sai_get_mirror_session_attribute_fn get_mirror_session_attribute;
} sai_mirror_api_t;

#endif /* saimirror.h */
