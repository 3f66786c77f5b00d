/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_HOST_CAPTURE_H
#define ORCHD_TWIN_HOST_CAPTURE_H

/* A capture, as frames that a host can send with the original intervals.
 *
 * pcap.h reads the file.  This module turns each captured frame into a frame of
 * the simulator that carries its bytes.  Bytes that were cut off when it was
 * captured are zeros, so the frame has its original length. */

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "twin/forwarding/frame.h"

/* Zero-initialised: no frames. */
struct capture {
    struct sim_frame *frames; /* Each has a reference to its payload. */
    int64_t *times_ps;        /* Relative to the first frame. */
    uint64_t n;
};

/* Reads all frames of a pcap file, 'n' bytes at 'bytes', into 'capture', which
 * must be zero-initialised, as frames of flow 'flow' with sequence numbers from
 * 0.  ST_INVALID if it is not a pcap file, has no frames, or has a frame that
 * cannot be sent.  End with capture_fini(), even after a failure. */
enum st capture_read(struct capture *capture, const uint8_t *bytes, size_t n,
                     uint32_t flow, struct err *err) ST_WARN_UNUSED;

void capture_fini(struct capture *capture);

#endif /* twin/host/capture.h */
