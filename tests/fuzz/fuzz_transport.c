/* SPDX-License-Identifier: Apache-2.0 */

/* A queue pair and whatever arrives: any packet in any state, besides work
 * requests, timeouts and a peer that behaves.  After each step the invariants
 * hold; completions come once for each work request and in order; when the
 * queue pair fails, everything completes. */

#include <config.h>

#include <stdlib.h>

#include "tests/fuzz/fuzz.h"
#include "twin/transport/rc.h"
#include "twin/transport/region.h"

enum { N_WIRE = 32, LENGTH_BYTES = 4096 };

/* Packets of one direction that have not arrived. */
struct wire {
    struct transport_packet packets[N_WIRE];
    uint32_t first;
    uint32_t n;
};

struct test {
    struct bytes bytes;
    struct rc_config config;
    struct regions *regions;
    struct rc *ends[2];
    struct wire wires[2]; /* By sender. */
    int64_t now_ps;
    uint64_t n_posted[2];
    uint64_t n_completed[2];
    uint64_t n_receives_posted[2];
    uint64_t n_receives_completed[2];
};

static void
check(struct test *test)
{
    for (int end = 0; end < 2; end++) {
        struct rc_completion completion;

        FUZZ_CHECK(rc_check(test->ends[end]) == NULL);
        if (bytes_u8(&test->bytes) & 1) {
            continue;
        }
        while (rc_poll(test->ends[end], &completion)) {
            uint64_t *next = completion.is_receive
                                 ? &test->n_receives_completed[end]
                                 : &test->n_completed[end];

            FUZZ_CHECK(completion.id == (*next)++);
            FUZZ_CHECK(rc_status_name(completion.status) != NULL);
        }
        FUZZ_CHECK(test->n_completed[end] <= test->n_posted[end]);
        FUZZ_CHECK(test->n_receives_completed[end] <=
                   test->n_receives_posted[end]);
    }
}

static void
configure(struct test *test)
{
    struct bytes *bytes = &test->bytes;
    const struct region region = {1, REGION_REMOTE_READ | REGION_REMOTE_WRITE,
                                  0, 1 << 16};

    test->regions = regions_create();
    FUZZ_CHECK(regions_add(test->regions, &region) == ST_OK);
    test->config = (struct rc_config){
        .mtu_bytes = 1 + bytes_below(bytes, 2000),
        .recovery = (enum rc_recovery)bytes_below(bytes, 3),
        .reorder_packets = 64,
        .recovery_delay_ps = bytes_below(bytes, 4) * 1000000,
        .timeout_exponent = (uint8_t)bytes_below(bytes, 4),
        .retry_limit = bytes_u8(bytes),
        .rnr_retry_limit = bytes_u8(bytes),
        .rnr_timer = (uint8_t)bytes_below(bytes, 32),
        .ack_every = (uint16_t)(1 + bytes_below(bytes, 32)),
        .max_reads = (uint8_t)bytes_below(bytes, RC_MAX_READS + 1),
        .echo_ce = bytes_u8(bytes) & 1,
        .send_depth = 1U << bytes_below(bytes, 4),
        .receive_depth = bytes_u8(bytes) & 1 ? 4 : 0,
        .regions = bytes_u8(bytes) & 1 ? test->regions : NULL,
    };
    test->config.go_back_chunk_bytes =
        bytes_below(bytes, 3) * test->config.mtu_bytes;
    test->config.window_bytes =
        (uint64_t)bytes_below(bytes, 8) * test->config.mtu_bytes;
    FUZZ_CHECK(rc_config_check(&test->config, NULL) == ST_OK);
    test->ends[0] = rc_create(NULL, &test->config, 1, 0xfffffff0, 5);
    test->ends[1] = rc_create(NULL, &test->config, 2, 5, 0xfffffff0);
}

static void
post(struct test *test, int end)
{
    struct bytes *bytes = &test->bytes;
    const struct rc_request request = {
        .id = test->n_posted[end],
        .remote_address = bytes_u8(bytes),
        .rkey = bytes_below(bytes, 8) > 0,
        .length_bytes = bytes_below(bytes, LENGTH_BYTES),
        .operation = (uint8_t)bytes_below(bytes, RC_N_OPERATIONS + 1),
        .fence = (uint8_t)bytes_below(bytes, 4),
        .registers = bytes_u8(bytes) & 1,
        .posted_ps = test->now_ps,
        .region = {.rkey = bytes_below(bytes, 4),
                   .access = bytes_below(bytes, 4),
                   .address = bytes_number(bytes),
                   .length = bytes_number(bytes)},
    };

    if (rc_post_send(test->ends[end], &request) == ST_OK) {
        test->n_posted[end]++;
    }
    if (test->config.receive_depth > 0 && (bytes_u8(bytes) & 1) &&
        rc_post_receive(test->ends[end], test->n_receives_posted[end],
                        bytes_below(bytes, LENGTH_BYTES)) == ST_OK) {
        test->n_receives_posted[end]++;
    }
}

/* Puts the next packet of 'end' on its wire, or loses it. */
static void
send(struct test *test, int end)
{
    struct wire *wire = &test->wires[end];
    struct transport_packet packet;
    int64_t when_ps = test->now_ps;
    const enum rc_next next =
        rc_next(test->ends[end], test->now_ps, &packet, &when_ps);

    if (next == RC_WAIT) {
        FUZZ_CHECK(when_ps > test->now_ps);
        return;
    }
    if (next == RC_PACKET) {
        FUZZ_CHECK(packet.payload_bytes <= test->config.mtu_bytes);
        FUZZ_CHECK(packet.psn <= TRANSPORT_PSN_MASK);
        if (wire->n < N_WIRE) {
            wire->packets[(wire->first + wire->n++) % N_WIRE] = packet;
        }
    }
}

/* Delivers a packet of 'end', sometimes not the first one, or twice. */
static void
deliver(struct test *test, int end)
{
    struct wire *wire = &test->wires[end];
    struct rc_actions actions;
    const uint32_t which = bytes_u8(&test->bytes);

    if (wire->n == 0) {
        return;
    }
    rc_receive(
        test->ends[!end],
        &wire->packets[(wire->first + (which < 200 ? 0 : which % wire->n)) %
                       N_WIRE],
        test->now_ps, &actions);
    if (which % 8) {
        wire->first++;
        wire->n--;
    }
}

/* Delivers a packet that nobody has sent, with a PSN near what is expected. */
static void
invent(struct test *test, int end)
{
    struct bytes *bytes = &test->bytes;
    const uint32_t near = end ? 5 : 0xfffff0;
    struct rc_actions actions;
    struct transport_packet packet = {
        .psn = (near + bytes_below(bytes, 128) - 16) & TRANSPORT_PSN_MASK,
        .remote_address = bytes_number(bytes),
        .rkey = bytes_below(bytes, 8) > 0,
        .dma_length = (uint32_t)bytes_number(bytes),
        .immediate = (near + bytes_below(bytes, 128)) & TRANSPORT_PSN_MASK,
        .payload_bytes = (uint16_t)bytes_number(bytes),
        .syndrome = bytes_u8(bytes),
        .ack_request = bytes_u8(bytes) & 1,
        .ce = bytes_u8(bytes) & 1,
    };

    packet.opcode = bytes_u8(bytes);
    if (packet.opcode < 0xf0) {
        packet.opcode %= TRANSPORT_SEND_ONLY_INVALIDATE + 1;
    }
    rc_receive(test->ends[end], &packet, test->now_ps, &actions);
}

static void
step(struct test *test)
{
    const uint8_t what = bytes_u8(&test->bytes);
    const int end = what >> 7;
    struct rc_actions actions;

    switch (what & 15) {
    case 0:
    case 1:
        post(test, end);
        break;
    case 2:
        invent(test, end);
        break;
    case 3:
        test->now_ps += (int64_t)bytes_below(&test->bytes, 1000) * 100000;
        break;
    case 4:
        rc_timeout(test->ends[end], test->now_ps, &actions);
        break;
    case 5:
        if (bytes_u8(&test->bytes) == 0) {
            rc_fail(test->ends[end], &actions);
        }
        break;
    case 6:
    case 7:
    case 8:
    case 9:
    case 10:
        send(test, end);
        break;
    default:
        deliver(test, end);
    }
    check(test);
}

/* A queue pair that fails completes everything. */
static void
end_test(struct test *test)
{
    for (int end = 0; end < 2; end++) {
        struct rc_completion completion;
        struct rc_actions actions;

        rc_fail(test->ends[end], &actions);
        while (rc_poll(test->ends[end], &completion)) {
            (*(completion.is_receive ? &test->n_receives_completed[end]
                                     : &test->n_completed[end]))++;
        }
        FUZZ_CHECK(test->n_completed[end] == test->n_posted[end]);
        FUZZ_CHECK(test->n_receives_completed[end] ==
                   test->n_receives_posted[end]);
        FUZZ_CHECK(rc_in_flight_bytes(test->ends[end]) == 0);
        rc_destroy(test->ends[end]);
    }
    regions_destroy(test->regions);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct test test = {.bytes = {.next = data, .left = size}};

    configure(&test);
    while (bytes_more(&test.bytes)) {
        step(&test);
    }
    end_test(&test);
    return 0;
}
