/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_INCLUDE_SAINEIGHBOR_H
#define ORCHD_SAI_INCLUDE_SAINEIGHBOR_H

/* Neighbors: the key of an entry.  The rest is not modelled here yet. */

#include <saitypes.h>

/* An entry is identified by what it says, not by an object id. */
typedef struct _sai_neighbor_entry_t {
    sai_object_id_t switch_id;
    sai_object_id_t rif_id;
    sai_ip_address_t ip_address;
} sai_neighbor_entry_t;

#endif /* saineighbor.h */
