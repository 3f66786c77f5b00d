/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_STORE_LIBRARY_H
#define ORCHD_STORE_LIBRARY_H

/* The attribute store as a vendor would ship it: libsai-store.so.
 *
 * Motivation: a program that runs on one libsai only probably depends on its
 * behaviour.  This library differs from softasic wherever SAI permits:
 *
 *   - it is of an old release, and its function tables are exactly as long as
 *     in that release: a client that reads on reads beyond an allocation;
 *   - object ids reveal neither the type nor the order of creation, and use all
 *     64 bits;
 *   - bulk functions are refused, or their slots are NULL;
 *   - unused slots are NULL, capability queries are not implemented, and some
 *     read-only attributes cannot be read;
 *   - the optional attributes that the profile names are missing;
 *   - there are no packets.
 *
 * Keys of the profile:
 *
 *   STORE_PORTS       lanes of the ports that exist from the start, as
 *                     "1,2,3,4;5,6,7,8"
 *   STORE_QUEUES      per port; 8 by default
 *   STORE_QUEUE_TYPES instead: the type of each queue of a port, as numbers of
 *                     sai_queue_type_t, "1,1,3,3"
 *   STORE_PGS         priority groups per port; 8 by default
 *   STORE_BRIDGE      "initial": there are the default VLAN and bridge, and the
 *                     ports that exist from the start are members
 *   STORE_COUNTERS    "ids": each counter is its own id of SAI; without it all
 *                     are 0
 *   STORE_LACKS       names of attributes, separated by commas: the first,
 *                     third ... answer ATTR_NOT_SUPPORTED, the others
 *                     ATTR_NOT_IMPLEMENTED
 *   STORE_BULK        "refuse" (default): bulk functions answer
 *                     NOT_IMPLEMENTED; "absent": their slots are NULL
 *   STORE_CAPABILITY  "tell": capability queries are implemented
 *   STORE_CRASH       name of an object type; creating one crashes the
 *                     process, for tests of hosts
 *   STORE_HANG        name of an object type; creating one never returns
 *
 * The release is "1.10.0", or the value of $STORE_VERSION: clients query it
 * before there is a profile.
 *
 * As in every libsai there is one instance per process, so there is one static
 * variable in library.c. */

#include <stdbool.h>
#include <stdint.h>

#include <sai.h>

#include "vendors/store/store.h"

enum { LIBRARY_MAX_LACKS = 32 };

/* A missing attribute. */
struct library_lack {
    sai_object_type_t type;
    sai_attr_id_t id;
    sai_status_t status; /* With index 0. */
};

struct function_tables;

struct library {
    sai_api_version_t version;
    struct store *store; /* NULL before initialisation. */
    struct library_lack lacks[LIBRARY_MAX_LACKS];
    uint32_t n_lacks;
    bool bulk_absent;
    struct function_tables *tables; /* Owned by exports.c. */
    bool answers_capabilities;
    sai_object_type_t crash, hang; /* SAI_OBJECT_TYPE_NULL: none. */
};

/* Returns the library. */
struct library *library_get(void);

/* Stores the release in '*version'.  Returns false if $STORE_VERSION is
 * invalid. */
bool library_version(sai_api_version_t *version);

/* Sets the library up by the profile of 'services'.  Returns
 * SAI_STATUS_INVALID_PARAMETER if the value of a key is invalid. */
sai_status_t library_open(const sai_service_method_table_t *services);

/* Frees the store and resets the library. */
void library_close(void);

/* Convert a client's object id to the store's, and the reverse. */
sai_object_id_t library_in(sai_object_id_t oid);
sai_object_id_t library_out(sai_object_id_t oid);

/* Returns the status of attribute 'id' of 'type' that does not depend on the
 * call: UNKNOWN_ATTRIBUTE if it is newer than the library, the status of a
 * missing attribute, or SAI_STATUS_SUCCESS.  Codes have index 0. */
sai_status_t library_check_attribute(sai_object_type_t type, sai_attr_id_t id);

/* Returns whether a read-only attribute cannot be read in this library. */
bool library_is_unreadable(sai_object_type_t type, sai_attr_id_t id);

/* The verbs, with the ids of clients.  SAI_STATUS_UNINITIALIZED before there is
 * a switch. */
sai_status_t library_create(sai_object_type_t type, sai_object_id_t *oid,
                            sai_object_id_t switch_id, uint32_t n,
                            const sai_attribute_t *attributes);
sai_status_t library_remove(sai_object_type_t type, sai_object_id_t oid);
sai_status_t library_set(sai_object_type_t type, sai_object_id_t oid,
                         const sai_attribute_t *attribute);
sai_status_t library_get_attributes(sai_object_type_t type, sai_object_id_t oid,
                                    uint32_t n, sai_attribute_t *attributes);
sai_status_t library_stats(sai_object_type_t type, sai_object_id_t oid,
                           uint32_t n, const sai_stat_id_t *ids,
                           sai_stats_mode_t mode, uint64_t *values);

#endif /* vendors/store/library.h */
