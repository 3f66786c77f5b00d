/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_INCLUDE_SAIHOSTIF_H
#define ORCHD_SAI_INCLUDE_SAIHOSTIF_H

/* Host interfaces: the notification of packets for the CPU.  The rest is not
 * modelled here yet. */

#include <saitypes.h>

/* SAI_SWITCH_ATTR_PACKET_EVENT_NOTIFY: a packet for the CPU; 'buffer' ends
 * with the callback. */
typedef void (*sai_packet_event_notification_fn)(
    sai_object_id_t switch_id, sai_size_t buffer_size, const void *buffer,
    uint32_t attr_count, const sai_attribute_t *attr_list);

#endif /* saihostif.h */
