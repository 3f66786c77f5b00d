/* SPDX-License-Identifier: Apache-2.0 */

/* The arithmetic of credits_need.h, in picoseconds. */

#include <config.h>

#include "base/credits_need.h"

#include "base/cable.h"
#include "base/ethernet.h"

/* A byte at 1 Mb/s, in picoseconds. */
#define PS_PER_BYTE_MBPS INT64_C(8000000)

enum {
    PAUSE_BYTES = ETHERNET_MIN_BYTES,
};

static uint64_t
divide_up(int64_t a, int64_t b)
{
    return (uint64_t)((a + b - 1) / b);
}

/* Returns the time of 'bytes' of 'link'. */
static int64_t
bytes_to_ps(const struct credits_link *link, uint32_t bytes)
{
    return (int64_t)bytes * PS_PER_BYTE_MBPS / link->speed_mbps;
}

/* Returns the time of a frame of 'bytes' on the wire, rounded up. */
static int64_t
frame_to_ps(const struct credits_link *link, uint32_t bytes)
{
    return (int64_t)divide_up(
        (int64_t)(bytes + ETHERNET_WIRE_OVERHEAD_BYTES) * PS_PER_BYTE_MBPS,
        link->speed_mbps);
}

/* Returns the time of the cable of 'link' there and back. */
static int64_t
cable_ps(const struct credits_link *link)
{
    return INT64_C(2) * CABLE_PS_PER_METRE * link->cable_m;
}

uint64_t
credits_frames_after_xoff(const struct credits_link *link, int64_t wait_ps)
{
    return divide_up(
        wait_ps + frame_to_ps(link, PAUSE_BYTES) +
            cable_ps(link) + bytes_to_ps(link, link->response_bytes),
        frame_to_ps(link, link->frame_bytes));
}

void
credits_need(const struct credits_link *link, struct credits_need *need)
{
    const int64_t frame_ps = frame_to_ps(link, link->frame_bytes);
    const int64_t spacing_ps = bytes_to_ps(link, link->spacing_bytes);
    const uint64_t frame_bytes = (link->frame_bytes + link->cell_bytes - 1) /
                                 link->cell_bytes * (uint64_t)link->cell_bytes;

    need->headroom_frames = credits_frames_after_xoff(link, frame_ps);
    need->headroom_bytes = need->headroom_frames * frame_bytes;
    need->left_bytes = need->headroom_bytes;
    need->credit_frames = divide_up(
        frame_ps + cable_ps(link) + (frame_ps < spacing_ps ? spacing_ps : 0) +
            bytes_to_ps(link, CREDITS_UPDATE_BYTES),
        frame_ps);
    need->credit_bytes = need->credit_frames * frame_bytes;
}
