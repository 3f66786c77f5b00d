/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_INCLUDE_SAIROUTE_H
#define ORCHD_SAI_INCLUDE_SAIROUTE_H

/* Routes: the key of an entry.  The rest is not modelled here yet. */

#include <saitypes.h>

/* An entry is identified by what it says, not by an object id. */
typedef struct _sai_route_entry_t {
    sai_object_id_t switch_id;
    sai_object_id_t vr_id;
    sai_ip_prefix_t destination;
} sai_route_entry_t;

#endif /* sairoute.h */
