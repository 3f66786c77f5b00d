/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_TRAFFIC_TRAFFIC_H
#define ORCHD_SOFTASIC_TRAFFIC_TRAFFIC_H

/* Frames into and out of the switch: the generator, its addresses, and the
 * record of frames that left.
 *
 * Functions with a counterpart in softasic_ops do what softasic.h says; they
 * look up the object ids. */

#include <sai.h>

#include "vendors/softasic/softasic.h"
#include "vendors/softasic/state.h"

/* Registers the listener of the twin of 'asic'.  If 'keeps_frames', it keeps
 * the frames that the twin sends and traps, which the functions below
 * return. */
void traffic_listen(struct asic *asic, bool keeps_frames);

/* Implements 'classify' of softasic_ops. */
sai_status_t traffic_classify(const struct asic *asic, sai_object_id_t from,
                              sai_object_id_t to, uint8_t dscp,
                              struct softasic_class *class);

/* 'ip' may be NULL. */
sai_status_t traffic_send_ip(struct asic *asic,
                             const struct softasic_send *send,
                             const struct softasic_ip *ip,
                             struct softasic_sent *sent);
sai_status_t traffic_received(struct asic *asic, sai_object_id_t port,
                              uint32_t *n, struct softasic_received *rows);
sai_status_t traffic_trace(struct asic *asic, sai_object_id_t port,
                           uint32_t n_frames);
sai_status_t traffic_traced(struct asic *asic, sai_object_id_t port,
                            uint32_t *n, struct softasic_departure *departures);
sai_status_t traffic_pause(struct asic *asic, sai_object_id_t port,
                           const struct softasic_pause *pause);
sai_status_t traffic_l2_set(struct asic *asic, const sai_mac_t mac,
                            sai_object_id_t port);
sai_status_t traffic_l2_clear(struct asic *asic);

#endif /* vendors/softasic/traffic/traffic.h */
