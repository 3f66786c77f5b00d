/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BASE_CREDITS_NEED_H
#define ORCHD_BASE_CREDITS_NEED_H

/* The buffer that a lossless class needs behind a cable: with priority flow
 * control (PFC), and with credits (CBFC, twin/qos/credit.h).
 *
 * All frames are equally long, and F is the time of one on the wire, with
 * preamble and gap; D is the delay of the cable.
 *
 * PFC.  After the receiver has decided to pause,
 *
 *     N = ceil((F + P + 2 D + R) / F)
 *
 * frames still arrive: its own wire may just have begun a frame, the pause
 * frame takes P, and the sender responds within R (IEEE 802.1Q-2018 annex O).
 * That is the headroom.  As long passes from the decision to resume until the
 * next frame is there, so N frames must be left then if the wire behind is not
 * to fall idle.
 *
 * Credits.  Nothing can be lost with any number of them.  For a full rate a
 * frame must find credits when the one before it has left, and those of a frame
 * come back after it has arrived, the receiver has sent the next update, and
 * that has travelled:
 *
 *     M = ceil((F + 2 D + S + U) / F)
 *
 * with the distance of updates S and the time U of an update.  If frames are
 * longer than S, no update has to wait, and S does not count.
 *
 * tests/unit/test_fabric_headroom.c and test_port_credit.c run both in the
 * twin: these frames are enough, and one cell, or one frame, less is not. Pure.
 */

#include <stdint.h>

enum {
    CREDITS_UPDATE_BYTES = 8, /* A CF update; it has no preamble and gap. */
    CREDITS_DEFAULT_SPACING_BYTES = 6400,
    CREDITS_MIN_SPACING_BYTES = 800,
    CREDITS_MAX_SPACING_BYTES = 65535,
};

/* A cable and the frames on it.  Lengths of frames are without FCS. */
struct credits_link {
    uint32_t speed_mbps;
    uint32_t cable_m;
    uint32_t frame_bytes;
    uint32_t cell_bytes;     /* Of the receiver. */
    uint32_t response_bytes; /* R: what the sender sends until it pauses. */
    uint32_t spacing_bytes;  /* S. */
};

/* What a class needs; the bytes are those of whole cells. */
struct credits_need {
    uint64_t headroom_frames; /* With PFC: N. */
    uint64_t headroom_bytes;
    uint64_t left_bytes;    /* Besides, when it resumes, for a full rate. */
    uint64_t credit_frames; /* With credits: M. */
    uint64_t credit_bytes;
};

/* Computes what 'link' needs. */
void credits_need(const struct credits_link *link, struct credits_need *need);

/* Returns how many frames arrive behind 'link' after the decision to pause if
 * the wire of the receiver is taken for 'wait_ps' more: N for a 'wait_ps' of
 * F. */
uint64_t credits_frames_after_xoff(const struct credits_link *link,
                                   int64_t wait_ps);

#endif /* base/credits_need.h */
