/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_HOST_CAPTURE_H
#define ORCHD_TWIN_HOST_CAPTURE_H

/* A capture as frames that a host can send, with the times between them.
 *
 * pcap.h reads the file; here each captured frame becomes one of the simulator
 * that carries its bytes.  What was cut off when it was captured is zeros, so
 * that the frame is as long as it was. */

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "twin/forwarding/frame.h"

/* Zeroed: no frames. */
struct capture {
    struct sim_frame *frames; /* Each holds its payload. */
    int64_t *times_ps;        /* From the first one on. */
    uint64_t n;
};

/* Reads all frames of the 'n' bytes of a pcap file at 'bytes' into 'capture',
 * which is zeroed: as flow 'flow', numbered from 0.  ST_INVALID if it is none,
 * if a frame in it cannot be sent, or if there is no frame in it.  End with
 * capture_fini(), also after a failure. */
enum st capture_read(struct capture *capture, const uint8_t *bytes, size_t n,
                     uint32_t flow, struct err *err) ST_WARN_UNUSED;

void capture_fini(struct capture *capture);

#endif /* twin/host/capture.h */
