/* SPDX-License-Identifier: Apache-2.0 */

/* A frame of any bytes that is to be cut: nothing beyond it is read, its pieces
 * together are its payload, and each is a frame that needs no more cutting. */

#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "netdev/segment.h"
#include "tests/fuzz/fuzz.h"

enum { HEAD = 4, ROOM = 65536 };

/* Lets the lengths of an IPv4 or IPv6 packet without tag be those of the frame,
 * which random bytes rarely are. */
static void
set_lengths(uint8_t *frame, uint32_t n, bool is_udp)
{
    const bool is_v6 = n > 12 && frame[12] == 0x86;
    const uint32_t transport = 14 + (is_v6 ? 40 : 20);

    if (n >= transport + 8) {
        const uint32_t total = is_v6 ? n - 54 : n - 14;

        frame[is_v6 ? 18 : 16] = (uint8_t)(total >> 8);
        frame[is_v6 ? 19 : 17] = (uint8_t)total;
        if (is_udp) {
            frame[transport + 4] = (uint8_t)((n - transport) >> 8);
            frame[transport + 5] = (uint8_t)(n - transport);
        }
    }
}

static void
cut(const struct segment_plan *plan, const uint8_t *frame)
{
    uint8_t *piece = check_malloc(segment_longest(plan));
    uint32_t at = plan->payload;

    for (uint32_t i = 0; i < plan->n_pieces; i++) {
        const uint32_t n = segment_write(plan, frame, i, piece);
        const uint32_t bytes = n - plan->payload;
        struct segment_plan again;

        FUZZ_CHECK(n <= segment_longest(plan) && bytes > 0);
        FUZZ_CHECK(!memcmp(piece + plan->payload, frame + at, bytes));
        FUZZ_CHECK(
            segment_plan(piece, n, plan->is_udp, plan->piece_bytes, &again));
        FUZZ_CHECK(again.n_pieces == 1 && again.payload == plan->payload);
        at += bytes;
    }
    FUZZ_CHECK(at == plan->n);
    free(piece);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint32_t n = size > HEAD ? (uint32_t)size - HEAD : 0;
    struct segment_plan plan;
    uint8_t *frame;

    if (n == 0 || n > ROOM) {
        return 0;
    }
    frame = check_malloc(n); /* Exactly, so that reading on is seen. */
    memcpy(frame, data + HEAD, n);
    if (data[0] & 2) {
        set_lengths(frame, n, data[0] & 1);
    }
    if (segment_plan(frame, n, data[0] & 1, data[1] + 1U, &plan)) {
        cut(&plan, frame);
    }
    segment_complete(frame, n, data[2], data[3]);
    free(frame);
    return 0;
}
