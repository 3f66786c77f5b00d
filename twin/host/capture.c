/* SPDX-License-Identifier: Apache-2.0 */

/* Reads a capture frame by frame, because a pcap file does not say in advance
 * how many frames it has. */

#include <config.h>

#include "twin/host/capture.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "twin/host/pcap.h"

/* Converts 'captured' to '*frame'.  Returns whether it can be sent. */
static bool
make_frame(const struct pcap_frame *captured, uint32_t flow, uint64_t sequence,
           struct sim_frame *frame)
{
    uint8_t *bytes = check_calloc(captured->length_bytes, 1);

    memcpy(bytes, captured->bytes, captured->n);
    *frame =
        frame_of_payload(sim_payload_create(captured->length_bytes, bytes));
    free(bytes);
    frame->flow = flow;
    frame->sequence = (uint32_t)sequence;
    return frame_is_valid(frame);
}

/* Appends 'captured' to 'capture'. */
static enum st
add(struct capture *capture, const struct pcap_frame *captured, uint32_t flow,
    struct err *err)
{
    const uint64_t i = capture->n++;

    capture->frames =
        check_realloc(capture->frames, capture->n * sizeof *capture->frames);
    capture->times_ps = check_realloc(capture->times_ps,
                                      capture->n * sizeof *capture->times_ps);
    capture->times_ps[i] = captured->when_ps;
    return make_frame(captured, flow, i, &capture->frames[i])
               ? ST_OK
               : err_set(err, ST_INVALID, "pcap", "frame %llu cannot be sent",
                         (unsigned long long)capture->n);
}

enum st
capture_read(struct capture *capture, const uint8_t *bytes, size_t n,
             uint32_t flow, struct err *err)
{
    struct pcap_frame captured;
    struct pcap pcap;
    enum st status = pcap_open(&pcap, bytes, n, err);

    while (status == ST_OK) {
        status = pcap_next(&pcap, &captured, err);
        if (status == ST_OK) {
            status = add(capture, &captured, flow, err);
        }
    }
    if (status != ST_NOT_FOUND) {
        return status;
    }
    return capture->n
               ? ST_OK
               : err_set(err, ST_INVALID, "pcap", "the capture has no frames");
}

void
capture_fini(struct capture *capture)
{
    for (uint64_t i = 0; i < capture->n; i++) {
        sim_payload_unref(capture->frames[i].payload);
    }
    free(capture->frames);
    free(capture->times_ps);
}
