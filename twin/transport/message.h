/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_TRANSPORT_MESSAGE_H
#define ORCHD_TWIN_TRANSPORT_MESSAGE_H

/* The message layer above SRD: messages of any length, in order where
 * applications need it.
 *
 * Motivation: SRD delivers datagrams in any order (srd.h).  What has to be in
 * order only the application knows: in MPI the messages of one source with one
 * tag.  So this layer cuts messages into segments of a datagram each, which say
 * (source, tag, message, offset); puts them together however they arrive; and
 * delivers the messages of each (source, tag) in the order of sending.  A
 * message that is incomplete delays no message of another tag or source.
 *
 * Sending.  Messages that are not sent whole take turns, a segment each.  A
 * message ends at the sender when all its segments have; its status is that of
 * the first that failed, else SRD_OK.
 *
 * Copying.  Applications that want contiguous messages need a copy of each
 * segment, at 'copy_bps', one segment at a time.  A message is delivered when
 * its last copy is done.  0: no copy.
 *
 * Each end is pure: it takes the time, and says when it wants to be asked
 * again.
 *
 * Source: Shalev et al., IEEE Micro 2020, section 3.3.  Left out: rendezvous of
 * long messages, receives that are posted by the application, wildcards, and
 * the repair of messages with a segment that was refused. */

#include <stdbool.h>
#include <stdint.h>

#include "twin/transport/srd.h"

struct message_config {
    uint32_t segment_bytes; /* 1..SRD_MAX_MTU */
    int64_t copy_bps;       /* 0..2^42 */
};

/* A message that has ended. */
struct message_completion {
    uint64_t peer; /* As posted; of a received one: its source. */
    uint64_t id;   /* As posted; of a received one: its number, from 0. */
    uint64_t bytes;
    uint32_t tag;
    uint8_t status; /* enum srd_status */
    bool is_receive;
};

/* A segment to be sent. */
struct message_segment {
    uint64_t peer;
    uint64_t handle; /* For message_segment_ended(). */
    uint32_t length_bytes;
    struct srd_header header;
};

struct message_layer;

/* Returns the layer of a queue pair.  'config' is within its ranges and
 * outlives it.  End with message_layer_destroy(). */
struct message_layer *message_layer_create(const struct message_config *config);
void message_layer_destroy(struct message_layer *layer);

/* Posts a message of 'length_bytes' (0 is one empty segment) to 'peer'. */
void message_post(struct message_layer *layer, uint64_t peer, uint32_t tag,
                  uint64_t id, uint32_t length_bytes);

/* Takes the next segment.  Returns false if there is none. */
bool message_next(struct message_layer *layer, struct message_segment *segment);

/* Returns the id of the message whose segment 'handle' has not ended yet. */
uint64_t message_id(const struct message_layer *layer, uint64_t handle);

/* Notes that the segment 'handle' has ended. */
void message_segment_ended(struct message_layer *layer, uint64_t handle,
                           enum srd_status status);

/* Notes that a segment of 'length_bytes' has arrived from 'source', for the
 * first time.  Returns false, and ignores it, if its header makes no sense. */
bool message_arrived(struct message_layer *layer, uint64_t source,
                     uint32_t length_bytes, const struct srd_header *header,
                     int64_t now_ps);

/* Takes the next message that has ended by 'now_ps'.  Returns false if there is
 * none. */
bool message_poll(struct message_layer *layer, int64_t now_ps,
                  struct message_completion *completion);

/* Returns when message_poll() may have another one, INT64_MAX: not without
 * another segment. */
int64_t message_deadline_ps(const struct message_layer *layer);

/* Returns how many bytes of incomplete messages, and of complete ones that wait
 * for earlier ones of their tag, are there; the most there were. */
uint64_t message_held_bytes(const struct message_layer *layer);
uint64_t message_held_peak_bytes(const struct message_layer *layer);

#endif /* twin/transport/message.h */
