/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BASE_ETHERNET_H
#define ORCHD_BASE_ETHERNET_H

/* Sizes of Ethernet frames that more than one module needs. */

enum {
    /* Destination and source address and the type (IEEE 802.3-2018 clause
     * 3.1.1). */
    ETHERNET_HEADER_BYTES = 14,
    ETHERNET_TAG_BYTES = 4, /* A VLAN tag (IEEE 802.1Q-2018 clause 9). */
    ETHERNET_FCS_BYTES = 4,

    /* The shortest frame, without the FCS (clause 4.4.2). */
    ETHERNET_MIN_BYTES = 60,

    /* Preamble and start of frame delimiter, 8, and the gap between packets, 12
     * (IEEE 802.3-2018 clauses 3.1.1 and 4.4.2). */
    ETHERNET_PREAMBLE_AND_GAP_BYTES = 20,

    /* What a frame takes on the wire beyond the length that counters and
     * buffers see, which is without the FCS. */
    ETHERNET_WIRE_OVERHEAD_BYTES =
        ETHERNET_FCS_BYTES + ETHERNET_PREAMBLE_AND_GAP_BYTES,

    /* The MTU of a SAI port counts the whole tagged frame, that of CONFIG_DB
     * and of the Linux interface only its payload: the first is larger by
     * this. */
    ETHERNET_FRAME_OVERHEAD_BYTES =
        ETHERNET_HEADER_BYTES + ETHERNET_TAG_BYTES + ETHERNET_FCS_BYTES,
};

#endif /* base/ethernet.h */
