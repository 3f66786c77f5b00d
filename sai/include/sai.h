/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_INCLUDE_SAI_H
#define ORCHD_SAI_INCLUDE_SAI_H

/* The entry points of a SAI library.
 *
 * A host loads the library, calls sai_api_initialize(), asks for function
 * tables with sai_api_query(), creates a switch and then works on its
 * objects with four verbs that every object type has: create (attributes
 * given once; the new id is stored), remove, set (one attribute) and get
 * (several, into the caller's list).  Tables only ever grow at their end; a
 * host must not read beyond what the release of the library has
 * (saiversion.h). */

#include <saiacl.h>
#include <saibridge.h>
#include <saibuffer.h>
#include <saidebugcounter.h>
#include <saifdb.h>
#include <saihash.h>
#include <saihostif.h>
#include <sailag.h>
#include <saimirror.h>
#include <saimymac.h>
#include <saineighbor.h>
#include <sainexthop.h>
#include <sainexthopgroup.h>
#include <saiobject.h>
#include <saipolicer.h>
#include <saiport.h>
#include <saiqosmap.h>
#include <saiqueue.h>
#include <sairoute.h>
#include <sairouterinterface.h>
#include <saisamplepacket.h>
#include <saischeduler.h>
#include <saischedulergroup.h>
#include <saistatus.h>
#include <saiswitch.h>
#include <saisystemport.h>
#include <saitunnel.h>
#include <saitypes.h>
#include <saiversion.h>
#include <saivirtualrouter.h>
#include <saivlan.h>
#include <saiwred.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SAI_ENUM_FILE "api.def"
#include "enum/declare.def"
#undef SAI_ENUM_FILE

/* The profile: keys and values that a host passes to the library for
 * 'profile_id' (a switch's SAI_SWITCH_ATTR_SWITCH_PROFILE_ID).  The
 * functions carry no context of the host's.
 *
 * The first returns the value of 'variable', or NULL.  The library may keep
 * it until it is uninitialised. */
typedef const char *(*sai_profile_get_value_fn)(
    sai_switch_profile_id_t profile_id, const char *variable);

/* Enumerates the profile: with a null 'value' it only starts over; else it
 * stores the next pair and returns 0, or returns -1 at the end. */
typedef int (*sai_profile_get_next_value_fn)(sai_switch_profile_id_t profile_id,
                                             const char **variable,
                                             const char **value);

typedef struct _sai_service_method_table_t {
    sai_profile_get_value_fn profile_get_value;
    sai_profile_get_next_value_fn profile_get_next_value;
} sai_service_method_table_t;

/* Prepares the library.  'flags' must be 0.  'services' and what it points
 * to must outlive the library's use. */
sai_status_t sai_api_initialize(uint64_t flags,
                                const sai_service_method_table_t *services);

/* Stores the function table of 'api' in '*api_method_table'.  It is valid
 * until sai_api_uninitialize(). */
sai_status_t sai_api_query(sai_api_t api, void **api_method_table);

/* Ends the use of the library: all objects are gone. */
sai_status_t sai_api_uninitialize(void);

/* Sets the least severe level of messages that concern 'api'. */
sai_status_t sai_log_set(sai_api_t api, sai_log_level_t log_level);

/* Returns the type of an object; SAI_OBJECT_TYPE_NULL if it does not exist. */
sai_object_type_t sai_object_type_query(sai_object_id_t object_id);

/* Returns the switch of an object: itself for a switch, SAI_NULL_OBJECT_ID
 * if it does not exist. */
sai_object_id_t sai_switch_id_query(sai_object_id_t object_id);

/* Writes a dump of the library's state to a file. */
sai_status_t sai_dbg_generate_dump(const char *dump_file_name);

/* Stores in '*count' how many more objects of 'object_type', with attributes
 * like these, can be created. */
sai_status_t sai_object_type_get_availability(sai_object_id_t switch_id,
                                              sai_object_type_t object_type,
                                              uint32_t attr_count,
                                              const sai_attribute_t *attr_list,
                                              uint64_t *count);

/* Fetches collected telemetry; '*buffer_size' is the capacity of 'buffer' on
 * entry and the size of the data after. */
sai_status_t sai_tam_telemetry_get_data(sai_object_id_t switch_id,
                                        sai_object_list_t obj_list,
                                        bool clear_on_read,
                                        sai_size_t *buffer_size, void *buffer);

#ifdef __cplusplus
}
#endif

#endif /* sai.h */
