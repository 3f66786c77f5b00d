/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_CBFC_H
#define ORCHD_SOFTASIC_CBFC_H

/* Credit-based flow control (CBFC) of ports: an extension of SAI by
 * libsai-softasic.so.
 *
 * SAI 1.18.1, the release of this library, has no objects for CBFC; they are
 * proposed for a later one.  Until then this header has attributes and counters
 * of ports in ranges of its own, with the terms, units and defaults of that
 * proposal, so that CBFC can be tried through SAI.  They will be removed when
 * the library moves to a release that has it; programs that need something
 * stable do not use them.
 *
 * Discovery.  Get SAI_PORT_ATTR_SOFTASIC_CBFC_ENABLE: a library without the
 * extension answers SAI_STATUS_UNKNOWN_ATTRIBUTE_0.  So does this one when the
 * switch is in another process (softasicd).  Capability queries do not know the
 * extension, and attributes cannot be given to create_port().
 *
 * Model.  A port has SOFTASIC_CBFC_VCS virtual channels (VCs) in each
 * direction.  A queue sends on a VC, a traffic class is received on one.  A
 * frame costs ceil((length with FCS + overhead) / size) credits.  The sender
 * takes a frame out of a queue only while its VC and the port have the credits:
 * a VC has reserved ones, and a share of a pool.
 * VCs without credits are best effort.  The receiver counts what it has stored
 * and what has left its buffer, and reports that in CF updates, which are
 * ordered sets of the line; the sender reports what it has consumed in CC
 * updates, which are frames.  All counters of credits are modulo
 * SOFTASIC_CBFC_MODULUS.  Credits are not buffer: the headroom of the priority
 * group has to hold them.
 *
 * Order.  Set the other attributes while CBFC is disabled, then enable it at
 * both ends, while nothing is on the link.  Enabling starts all counters at 0;
 * disabling lets frames that wait for credits leave.
 *
 * Peers.  The hosts of softasic_ops and the generator of send() know no
 * credits: they send without them, which the port counts as a receiver, and
 * ignore its updates.  SAI_PORT_ATTR_SOFTASIC_CBFC_UPDATE stands for the update
 * of a peer that frees credits.  A port that is connected to a network
 * interface (a TAP, a real one) cannot have CBFC: an ordered set is no frame,
 * so it cannot pass an interface.  Between the switches of a fabric orchlab has
 * CBFC at both ends.
 *
 * Results of set_port_attribute(), besides those of SAI for the port:
 *
 *   SAI_STATUS_UNKNOWN_ATTRIBUTE_0        no attribute of this header.
 *   SAI_STATUS_INVALID_ATTR_VALUE_0       out of range; a key twice in a map.
 *   SAI_STATUS_OBJECT_IN_USE              CBFC is enabled: disable it first.
 *   SAI_STATUS_INSUFFICIENT_RESOURCES     ENABLE: VCs have reserved more than
 *                                         their pool has.
 *   SAI_STATUS_ATTR_NOT_SUPPORTED_0       the CPU port; ENABLE: a port of a
 *                                         chassis with VOQs, or one that is
 *                                         connected to a network interface.
 *   SAI_STATUS_ITEM_NOT_FOUND             UPDATE: CBFC is not enabled.
 *
 * After a failure nothing has changed.  get_port_attribute() has attributes of
 * this header or of SAI in a call, not both; lists follow SAI's rules
 * (SAI_STATUS_BUFFER_OVERFLOW).  Maps are read in the order of their keys. */

#include <sai.h>

enum {
    SOFTASIC_CBFC_VCS = 32,
    SOFTASIC_CBFC_QUEUES = 64, /* Keys of QUEUE_TO_VC: 0..63. */
    SOFTASIC_CBFC_TCS = 16,    /* Keys of TC_TO_VC: 0..15. */
    SOFTASIC_CBFC_POOLS = 8,
    SOFTASIC_CBFC_MODULUS = 1 << 20, /* Of all counters of credits. */
};

/* Attributes of a port. */
typedef enum softasic_cbfc_port_attr_t {
    SAI_PORT_ATTR_SOFTASIC_CBFC_START = 0x1000cb00,

    /* bool, false. */
    SAI_PORT_ATTR_SOFTASIC_CBFC_ENABLE = SAI_PORT_ATTR_SOFTASIC_CBFC_START,

    /* u32, bytes of a credit, 1..65535, 128. */
    SAI_PORT_ATTR_SOFTASIC_CBFC_CREDIT_SIZE,

    /* s32, bytes that each frame counts for more, -16..127, 0. */
    SAI_PORT_ATTR_SOFTASIC_CBFC_CREDIT_OVERHEAD,

    /* u32, credits of all VCs together that the port may use as a sender,
     * 0..1048575, 0: no limit. */
    SAI_PORT_ATTR_SOFTASIC_CBFC_SENDER_LIMIT,

    /* maplist, VC (0..31) to the credits that it has reserved as a sender,
     * 0..1048575; empty.  A VC that is not there is best effort.  One that has
     * a pool may use credits of that besides; one without sends nothing with
     * less than a frame. */
    SAI_PORT_ATTR_SOFTASIC_CBFC_SENDER_VC_CREDITS,

    /* u32, a bit per VC that is received by credits, 0. */
    SAI_PORT_ATTR_SOFTASIC_CBFC_RECEIVER_VCS,

    /* maplist, queue (0..63) to VC; one that is not there has VC queue modulo
     * 32.  Setting it replaces the map; reading it returns all queues. */
    SAI_PORT_ATTR_SOFTASIC_CBFC_QUEUE_TO_VC,

    /* maplist, traffic class (0..15) to VC, likewise. */
    SAI_PORT_ATTR_SOFTASIC_CBFC_TC_TO_VC,

    /* u32, microseconds between CC updates, 0..250000, 256; 0: none, so that
     * credits of frames that were lost are not freed. */
    SAI_PORT_ATTR_SOFTASIC_CBFC_CC_TIMER,

    /* u32, bytes of the line between CF updates, at least, 800..65535, 6400;
     * and at most, 16384..1048576, 262144. */
    SAI_PORT_ATTR_SOFTASIC_CBFC_CF_MIN_SPACING,
    SAI_PORT_ATTR_SOFTASIC_CBFC_CF_MAX_SPACING,

    /* maplist, write-only: a CF update of the peer arrives now, which maps VCs
     * to what it has freed, 0..1048575; that is at most what the VC has
     * consumed.  All of it is checked first. */
    SAI_PORT_ATTR_SOFTASIC_CBFC_UPDATE,

    /* maplist, pool (0..7) to its credits, 0..1048575, 0: what the VCs of the
     * pool have reserved, and what they share.  Setting it replaces all sizes;
     * reading it returns those of all pools.  ENABLE is refused if VCs have
     * reserved more. */
    SAI_PORT_ATTR_SOFTASIC_CBFC_SENDER_POOL_SIZE,

    /* maplist, read-only: pool to what its VCs share, the size without what
     * they have reserved; 0 if that is more. */
    SAI_PORT_ATTR_SOFTASIC_CBFC_SENDER_POOL_SHARED_SIZE,

    /* maplist, VC to its pool; empty.  A VC that is not there has none. */
    SAI_PORT_ATTR_SOFTASIC_CBFC_SENDER_VC_POOL,

    /* maplist, VC to the most of its pool that it may use beyond what it has
     * reserved: credits, 1..1048575; or n of 2^n of what is free in the pool,
     * -8..8; empty.  A VC that is in neither may use all.  Setting one of them
     * for a VC ends the other. */
    SAI_PORT_ATTR_SOFTASIC_CBFC_SENDER_VC_STATIC_TH,
    SAI_PORT_ATTR_SOFTASIC_CBFC_SENDER_VC_DYNAMIC_TH,

    SAI_PORT_ATTR_SOFTASIC_CBFC_END,
} softasic_cbfc_port_attr_t;

/* Counters of a port, for get_port_stats(), which has those of this header or
 * of SAI in a call; 0 while CBFC is disabled.  They cannot be cleared
 * (SAI_STATUS_NOT_SUPPORTED), because both ends count on them. */
typedef enum softasic_cbfc_port_stat_t {
    SAI_PORT_STAT_SOFTASIC_CBFC_START = 0x1000cb00,

    /* Credits of all VCs in use by the sender, now and at most. */
    SAI_PORT_STAT_SOFTASIC_CBFC_SENDER_USED = SAI_PORT_STAT_SOFTASIC_CBFC_START,
    SAI_PORT_STAT_SOFTASIC_CBFC_SENDER_USED_WATERMARK,

    /* Updates. */
    SAI_PORT_STAT_SOFTASIC_CBFC_CC_TX,
    SAI_PORT_STAT_SOFTASIC_CBFC_CF_TX,
    SAI_PORT_STAT_SOFTASIC_CBFC_CC_RX,
    SAI_PORT_STAT_SOFTASIC_CBFC_CF_RX,

    /* Of VC i: SOFTASIC_CBFC_VC_STAT(i, SOFTASIC_CBFC_VC_...). */
    SAI_PORT_STAT_SOFTASIC_CBFC_VC_START = 0x1000cc00,
} softasic_cbfc_port_stat_t;

/* Counters of a VC: credits in use, consumed, freed, in use at most, of the
 * sender; consumed and freed, of the receiver. */
typedef enum softasic_cbfc_vc_stat_t {
    SOFTASIC_CBFC_VC_SENDER_USED,
    SOFTASIC_CBFC_VC_SENDER_CONSUMED,
    SOFTASIC_CBFC_VC_SENDER_FREED,
    SOFTASIC_CBFC_VC_SENDER_USED_WATERMARK,
    SOFTASIC_CBFC_VC_RECEIVER_CONSUMED,
    SOFTASIC_CBFC_VC_RECEIVER_FREED,
    SOFTASIC_CBFC_VC_STATS,
} softasic_cbfc_vc_stat_t;

/* The id of counter 'stat' of VC 'vc'. */
#define SOFTASIC_CBFC_VC_STAT(vc, stat)                                        \
    ((sai_stat_id_t)SAI_PORT_STAT_SOFTASIC_CBFC_VC_START +                     \
     8 * (sai_stat_id_t)(vc) + (sai_stat_id_t)(stat))

#endif /* vendors/softasic/cbfc.h */
