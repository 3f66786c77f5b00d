/* SPDX-License-Identifier: Apache-2.0 */

/* The rules of an RC queue pair, one packet at a time. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "twin/transport/rc.h"
#include "twin/transport/region.h"

#define US INT64_C(1000000)

enum { MTU = 1000, SEND_PSN = 0xfffffe, RECEIVE_PSN = 0x500 };

/* Queue pair 0 and its peer. */
struct pair {
    struct rc *rc;
    struct rc *peer;
    int64_t now_ps;
    struct rc_actions actions; /* Of the last packet given. */
};

static struct rc_config
make_config(enum rc_recovery recovery)
{
    struct rc_config config = rc_config_default;

    config.mtu_bytes = MTU;
    config.recovery = recovery;
    config.reorder_packets = 64;
    config.timeout_exponent = 4;
    config.ack_every = 4;
    return config;
}

static struct pair
make(const struct rc_config *config)
{
    struct err err = {0};

    if (rc_config_check(config, &err) != ST_OK) {
        fail_msg("%s", err.reason);
    }
    return (struct pair){
        .rc = rc_create(NULL, config, 7, SEND_PSN, RECEIVE_PSN),
        .peer = rc_create(NULL, config, 8, RECEIVE_PSN, SEND_PSN)};
}

static void
end(struct pair *pair)
{
    assert_null(rc_check(pair->rc));
    assert_null(rc_check(pair->peer));
    rc_destroy(pair->rc);
    rc_destroy(pair->peer);
}

static void
post(struct pair *pair, enum rc_operation operation, uint32_t length_bytes)
{
    const struct rc_request request = {.id = 40 + operation,
                                       .remote_address = 0x10000,
                                       .rkey = 5,
                                       .length_bytes = length_bytes,
                                       .immediate = 77,
                                       .operation = (uint8_t)operation};

    assert_int_equal(rc_post_send(pair->rc, &request), ST_OK);
}

/* Takes the next packet of 'rc', which must have one. */
static struct transport_packet
take(struct pair *pair, struct rc *rc)
{
    struct transport_packet packet;
    int64_t when_ps;

    assert_int_equal(rc_next(rc, pair->now_ps, &packet, &when_ps), RC_PACKET);
    return packet;
}

static void
assert_idle(struct pair *pair, struct rc *rc)
{
    struct transport_packet packet;
    int64_t when_ps;

    assert_int_equal(rc_next(rc, pair->now_ps, &packet, &when_ps), RC_IDLE);
    assert_int_equal(rc_peek_request(rc, pair->now_ps, &when_ps), RC_IDLE);
    assert_int_equal(rc_peek_response(rc), RC_NO_RESPONSE);
}

static void
give(struct pair *pair, struct rc *rc, struct transport_packet packet)
{
    rc_receive(rc, &packet, pair->now_ps, &pair->actions);
    assert_null(rc_check(rc));
}

/* Moves the next packet of the requester to its peer; returns it. */
static struct transport_packet
move(struct pair *pair)
{
    const struct transport_packet packet = take(pair, pair->rc);

    give(pair, pair->peer, packet);
    return packet;
}

/* The other way. */
static struct transport_packet
answer(struct pair *pair)
{
    const struct transport_packet packet = take(pair, pair->peer);

    give(pair, pair->rc, packet);
    return packet;
}

static struct rc_completion
poll(struct rc *rc)
{
    struct rc_completion completion = {0};

    assert_true(rc_poll(rc, &completion));
    return completion;
}

static void
assert_no_completion(struct rc *rc)
{
    struct rc_completion completion;

    assert_false(rc_poll(rc, &completion));
}

static void
assert_waits(struct pair *pair, struct rc *rc, int64_t until_ps)
{
    struct transport_packet packet;
    int64_t when_ps = 0;

    assert_int_equal(rc_next(rc, pair->now_ps, &packet, &when_ps), RC_WAIT);
    assert_int_equal(when_ps, until_ps);
}

static void
test_segmentation(void **state)
{
    static const struct {
        enum rc_operation operation;
        uint32_t length_bytes;
        uint8_t opcodes[4];
        uint16_t last_bytes;
    } cases[] = {
        {RC_SEND, 0, {TRANSPORT_SEND_ONLY}, 0},
        {RC_SEND, MTU, {TRANSPORT_SEND_ONLY}, MTU},
        {RC_SEND, MTU + 1, {TRANSPORT_SEND_FIRST, TRANSPORT_SEND_LAST}, 1},
        {RC_SEND_IMMEDIATE, 1, {TRANSPORT_SEND_ONLY_IMMEDIATE}, 1},
        {RC_SEND_IMMEDIATE,
         3 * MTU,
         {TRANSPORT_SEND_FIRST, TRANSPORT_SEND_MIDDLE,
          TRANSPORT_SEND_LAST_IMMEDIATE},
         MTU},
        {RC_SEND_INVALIDATE, 8, {TRANSPORT_SEND_ONLY_INVALIDATE}, 8},
        {RC_SEND_INVALIDATE,
         2 * MTU,
         {TRANSPORT_SEND_FIRST, TRANSPORT_SEND_LAST_INVALIDATE},
         MTU},
        {RC_WRITE, 5, {TRANSPORT_WRITE_ONLY}, 5},
        {RC_WRITE,
         4 * MTU,
         {TRANSPORT_WRITE_FIRST, TRANSPORT_WRITE_MIDDLE, TRANSPORT_WRITE_MIDDLE,
          TRANSPORT_WRITE_LAST},
         MTU},
        {RC_WRITE_IMMEDIATE, 9, {TRANSPORT_WRITE_ONLY_IMMEDIATE}, 9},
        {RC_WRITE_IMMEDIATE,
         2 * MTU,
         {TRANSPORT_WRITE_FIRST, TRANSPORT_WRITE_LAST_IMMEDIATE},
         MTU},
    };
    const struct rc_config config = make_config(RC_GO_BACK_N);

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const uint32_t n =
            cases[i].length_bytes ? (cases[i].length_bytes + MTU - 1) / MTU : 1;
        struct pair pair = make(&config);

        post(&pair, cases[i].operation, cases[i].length_bytes);
        for (uint32_t k = 0; k < n; k++) {
            const struct transport_packet packet = move(&pair);
            const bool is_last = k == n - 1;

            assert_int_equal(packet.opcode, cases[i].opcodes[k]);
            assert_int_equal(packet.psn, (SEND_PSN + k) & 0xffffff);
            assert_int_equal(packet.qp, 7);
            assert_int_equal(packet.payload_bytes,
                             is_last ? cases[i].last_bytes : MTU);
            assert_int_equal(packet.ack_request, is_last);
            if (k == 0 && cases[i].operation >= RC_WRITE) {
                assert_int_equal(packet.dma_length, cases[i].length_bytes);
                assert_int_equal(packet.rkey, 5);
            }
            if (cases[i].operation == RC_SEND_INVALIDATE) {
                assert_int_equal(packet.rkey, is_last ? 5 : 0);
            }
        }
        assert_idle(&pair, pair.rc);
        assert_int_equal(pair.actions.delivered_messages, 1);
        assert_int_equal(answer(&pair).msn, 1);
        assert_int_equal(poll(pair.rc).id, 40 + cases[i].operation);
        end(&pair);
    }
}

static void
test_acks_are_coalesced(void **state)
{
    const struct rc_config config = make_config(RC_GO_BACK_N);
    struct pair pair = make(&config);
    struct transport_packet ack;

    (void)state;
    post(&pair, RC_WRITE, 6 * MTU);
    for (int i = 0; i < 3; i++) {
        move(&pair);
        assert_idle(&pair, pair.peer);
    }
    move(&pair);
    ack = answer(&pair);
    assert_int_equal(ack.opcode, TRANSPORT_ACK);
    assert_int_equal(ack.syndrome, TRANSPORT_SYNDROME_ACK);
    assert_int_equal(ack.psn, (SEND_PSN + 3) & 0xffffff);
    assert_int_equal(rc_in_flight_bytes(pair.rc), 0);
    move(&pair);
    assert_idle(&pair, pair.peer);
    assert_no_completion(pair.rc);
    move(&pair);
    answer(&pair);
    assert_int_equal(poll(pair.rc).bytes, 6 * MTU);
    end(&pair);
}

static void
test_one_nak_per_gap(void **state)
{
    const struct rc_config config = make_config(RC_GO_BACK_N);
    struct pair pair = make(&config);
    struct transport_packet nak;

    (void)state;
    post(&pair, RC_WRITE, 6 * MTU);
    move(&pair);
    take(&pair, pair.rc); /* Lost. */
    move(&pair);
    nak = answer(&pair);
    assert_int_equal(nak.syndrome, TRANSPORT_SYNDROME_NAK_SEQUENCE);
    assert_int_equal(nak.psn, (SEND_PSN + 1) & 0xffffff);
    /* The NAK acknowledges what is before it, and the requester goes back. */
    assert_int_equal(rc_in_flight_bytes(pair.rc), 0);
    give(&pair, pair.peer,
         (struct transport_packet){.psn = (SEND_PSN + 3) & 0xffffff,
                                   .payload_bytes = MTU,
                                   .opcode = TRANSPORT_WRITE_MIDDLE});
    assert_idle(&pair, pair.peer);
    for (uint32_t k = 1; k < 6; k++) {
        const struct transport_packet packet = move(&pair);

        assert_int_equal(packet.psn, (SEND_PSN + k) & 0xffffff);
        assert_int_equal(packet.retransmit, k < 3);
    }
    answer(&pair);
    assert_int_equal(poll(pair.rc).status, RC_STATUS_OK);
    assert_int_equal(rc_counters(pair.peer)->naks_sent, 1);
    assert_int_equal(rc_counters(pair.peer)->out_of_order, 2);
    assert_int_equal(rc_counters(pair.rc)->retransmitted_packets, 2);
    end(&pair);
}

static void
test_recovery_delay(void **state)
{
    struct rc_config config = make_config(RC_GO_BACK_N);
    struct pair pair;

    (void)state;
    config.recovery_delay_ps = 300 * US;
    pair = make(&config);
    post(&pair, RC_WRITE, 3 * MTU);
    take(&pair, pair.rc);
    move(&pair);
    pair.now_ps = 10 * US;
    answer(&pair);
    assert_int_equal(rc_state(pair.rc), RC_RECOVERING);
    assert_waits(&pair, pair.rc, 310 * US);
    pair.now_ps = 310 * US;
    assert_int_equal(move(&pair).psn, SEND_PSN);
    end(&pair);
}

static void
test_duplicates_are_acknowledged(void **state)
{
    const struct rc_config config = make_config(RC_GO_BACK_N);
    struct pair pair = make(&config);
    struct transport_packet packet;

    (void)state;
    post(&pair, RC_SEND, 10);
    packet = move(&pair);
    take(&pair, pair.peer); /* The ACK is lost. */
    give(&pair, pair.peer, packet);
    assert_int_equal(pair.actions.delivered_bytes, 0);
    assert_int_equal(pair.actions.delivered_messages, 0);
    assert_int_equal(answer(&pair).psn, SEND_PSN);
    assert_int_equal(poll(pair.rc).status, RC_STATUS_OK);
    assert_int_equal(rc_counters(pair.peer)->duplicates, 1);
    end(&pair);
}

static void
test_go_back_0_restarts_the_message(void **state)
{
    static const struct {
        uint32_t chunk_bytes;
        uint32_t restart;
    } cases[] = {{0, 2}, {2 * MTU, 4}, {3 * MTU, 5}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct rc_config config = make_config(RC_GO_BACK_0);
        struct pair pair;

        config.go_back_chunk_bytes = cases[i].chunk_bytes;
        pair = make(&config);
        post(&pair, RC_WRITE, 2 * MTU);
        post(&pair, RC_WRITE, 6 * MTU);
        for (int k = 0; k < 5; k++) {
            move(&pair);
        }
        answer(&pair);
        take(&pair, pair.rc); /* PSN 5 is lost, the second message began at
                               * 2. */
        move(&pair);
        assert_int_equal(answer(&pair).psn,
                         (SEND_PSN + cases[i].restart) & 0xffffff);
        for (uint32_t k = cases[i].restart; k < 8; k++) {
            assert_int_equal(move(&pair).psn, (SEND_PSN + k) & 0xffffff);
        }
        /* Go-back-0 counts the payload at the end, once. */
        assert_int_equal(pair.actions.delivered_bytes, 6 * MTU);
        answer(&pair);
        poll(pair.rc);
        assert_int_equal(poll(pair.rc).bytes, 6 * MTU);
        end(&pair);
    }
}

/* The NAK of a message that the responder has dropped is lost: the timeout
 * starts the message, or its chunk, again. */
static void
test_go_back_0_timeout(void **state)
{
    static const struct {
        uint32_t chunk_bytes;
        uint32_t restart;
    } cases[] = {{0, 2}, {2 * MTU, 4}, {3 * MTU, 5}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct rc_config config = make_config(RC_GO_BACK_0);
        struct rc_actions actions;
        struct pair pair;

        config.go_back_chunk_bytes = cases[i].chunk_bytes;
        config.ack_every = 1;
        pair = make(&config);
        post(&pair, RC_WRITE, 2 * MTU);
        post(&pair, RC_WRITE, 6 * MTU);
        for (int k = 0; k < 5; k++) {
            move(&pair);
            answer(&pair);
        }
        take(&pair, pair.rc);
        move(&pair);
        take(&pair, pair.peer);
        pair.now_ps = rc_deadline_ps(pair.rc);
        rc_timeout(pair.rc, pair.now_ps, &actions);
        assert_null(rc_check(pair.rc));
        for (uint32_t k = cases[i].restart; k < 8; k++) {
            assert_int_equal(move(&pair).psn, (SEND_PSN + k) & 0xffffff);
        }
        answer(&pair);
        poll(pair.rc);
        assert_int_equal(poll(pair.rc).bytes, 6 * MTU);
        end(&pair);
    }
}

static void
test_selective_recovery_delay(void **state)
{
    struct rc_config config = make_config(RC_SELECTIVE);
    struct pair pair;

    (void)state;
    config.recovery_delay_ps = 2 * US;
    pair = make(&config);
    post(&pair, RC_WRITE, 5 * MTU);
    take(&pair, pair.rc);
    move(&pair);
    pair.now_ps = 7 * US;
    answer(&pair);
    assert_waits(&pair, pair.rc, 9 * US);
    pair.now_ps = 9 * US;
    assert_int_equal(move(&pair).psn, SEND_PSN);
    end(&pair);
}

static void
test_selective_fills_holes(void **state)
{
    const struct rc_config config = make_config(RC_SELECTIVE);
    struct pair pair = make(&config);
    struct transport_packet nak;

    (void)state;
    post(&pair, RC_WRITE, 7 * MTU);
    move(&pair);
    take(&pair, pair.rc);
    move(&pair);
    take(&pair, pair.rc);
    move(&pair);
    nak = answer(&pair);
    assert_int_equal(nak.psn, (SEND_PSN + 1) & 0xffffff);
    assert_int_equal(nak.immediate, (SEND_PSN + 2) & 0xffffff);
    assert_int_equal(nak.remote_address, 5); /* 2 and 4. */
    assert_int_equal(move(&pair).psn, (SEND_PSN + 1) & 0xffffff);
    assert_int_equal(pair.actions.delivered_bytes, 2 * MTU);
    assert_int_equal(move(&pair).psn, (SEND_PSN + 3) & 0xffffff);
    assert_int_equal(pair.actions.delivered_bytes, 2 * MTU);
    /* Then what is new. */
    assert_int_equal(move(&pair).psn, (SEND_PSN + 5) & 0xffffff);
    move(&pair);
    answer(&pair);
    assert_int_equal(poll(pair.rc).status, RC_STATUS_OK);
    assert_int_equal(rc_counters(pair.rc)->retransmitted_packets, 2);
    end(&pair);
}

static void
test_selective_window(void **state)
{
    const struct rc_config config = make_config(RC_SELECTIVE);
    struct pair pair = make(&config);

    (void)state;
    post(&pair, RC_WRITE, 200 * MTU);
    for (int i = 0; i < 64; i++) {
        /* The last one before the pause asks for an ACK. */
        assert_int_equal(take(&pair, pair.rc).ack_request, i == 63);
    }
    assert_idle(&pair, pair.rc);
    end(&pair);
}

/* A packet with a PSN inside a READ makes no sense, and is dropped. */
static void
test_selective_packet_inside_read(void **state)
{
    const struct rc_config config = make_config(RC_SELECTIVE);
    struct pair pair = make(&config);

    (void)state;
    post(&pair, RC_READ, 3 * MTU);
    post(&pair, RC_WRITE, 70 * MTU);
    give(&pair, pair.peer,
         (struct transport_packet){.opcode = TRANSPORT_SEND_MIDDLE,
                                   .psn = (SEND_PSN + 1) & 0xffffff,
                                   .payload_bytes = MTU});
    take(&pair, pair.peer); /* The NAK. */
    move(&pair);
    for (int i = 0; i < 3; i++) {
        answer(&pair);
    }
    assert_int_equal(poll(pair.rc).id, 40 + RC_READ);
    for (int i = 0; i < 70; i++) {
        assert_false(move(&pair).retransmit);
        while (rc_peek_response(pair.peer) != RC_NO_RESPONSE) {
            assert_int_equal(answer(&pair).syndrome, TRANSPORT_SYNDROME_ACK);
        }
    }
    assert_int_equal(poll(pair.rc).status, RC_STATUS_OK);
    end(&pair);
}

/* A READ longer than the window blocks what is behind it until its first
 * response shows that it has arrived. */
static void
test_selective_long_read(void **state)
{
    const struct rc_config config = make_config(RC_SELECTIVE);
    struct pair pair = make(&config);

    (void)state;
    post(&pair, RC_READ, 100 * MTU);
    post(&pair, RC_WRITE, 1);
    move(&pair);
    assert_int_equal(rc_peek_request(pair.rc, 0, &(int64_t){0}), RC_IDLE);
    answer(&pair);
    assert_int_equal(move(&pair).psn, (SEND_PSN + 100) & 0xffffff);
    end(&pair);
}

static void
test_timeout_and_retries(void **state)
{
    struct rc_config config = make_config(RC_GO_BACK_N);
    const int64_t timeout_ps = 4096000 * 16;
    struct rc_actions actions;
    struct pair pair;

    (void)state;
    config.retry_limit = 2;
    pair = make(&config);
    assert_int_equal(rc_deadline_ps(pair.rc), INT64_MAX);
    post(&pair, RC_SEND, 10);
    post(&pair, RC_WRITE, 10);
    pair.now_ps = 5;
    take(&pair, pair.rc);
    take(&pair, pair.rc);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(rc_deadline_ps(pair.rc), pair.now_ps + timeout_ps);
        rc_timeout(pair.rc, pair.now_ps + timeout_ps - 1, &actions);
        assert_false(actions.send);
        pair.now_ps += timeout_ps;
        rc_timeout(pair.rc, pair.now_ps, &actions);
        assert_true(actions.send);
        assert_int_equal(take(&pair, pair.rc).psn, SEND_PSN);
        assert_int_equal(take(&pair, pair.rc).psn, SEND_PSN + 1);
    }
    rc_timeout(pair.rc, pair.now_ps + timeout_ps, &actions);
    assert_true(actions.error && actions.completion);
    assert_int_equal(rc_state(pair.rc), RC_ERROR);
    assert_int_equal(poll(pair.rc).status, RC_STATUS_RETRY_EXCEEDED);
    assert_int_equal(rc_counters(pair.rc)->timeouts, 3);
    assert_int_equal(poll(pair.rc).status, RC_STATUS_FLUSHED);
    /* Later requests are flushed, and nothing is sent. */
    post(&pair, RC_SEND, 1);
    assert_int_equal(poll(pair.rc).status, RC_STATUS_FLUSHED);
    assert_idle(&pair, pair.rc);
    assert_int_equal(rc_deadline_ps(pair.rc), INT64_MAX);
    end(&pair);
}

/* Progress restarts the timeout and forgives retries. */
static void
test_progress_restarts_timeout(void **state)
{
    struct rc_config config = make_config(RC_GO_BACK_N);
    const int64_t timeout_ps = 4096000 * 16;
    struct rc_actions actions;
    struct pair pair;

    (void)state;
    config.retry_limit = 1;
    pair = make(&config);
    post(&pair, RC_WRITE, 8 * MTU);
    for (int i = 0; i < 5; i++) {
        move(&pair);
    }
    rc_timeout(pair.rc, timeout_ps, &actions);
    pair.now_ps = timeout_ps + 9;
    answer(&pair); /* Of all five. */
    assert_int_equal(take(&pair, pair.rc).psn, (SEND_PSN + 5) & 0xffffff);
    assert_int_equal(rc_deadline_ps(pair.rc), pair.now_ps + timeout_ps);
    pair.now_ps += timeout_ps;
    rc_timeout(pair.rc, pair.now_ps, &actions);
    assert_false(actions.error);
    end(&pair);
}

static void
test_receive_not_ready(void **state)
{
    struct rc_config config = make_config(RC_GO_BACK_N);
    struct rc_completion completion;
    struct pair pair;

    (void)state;
    config.receive_depth = 4;
    config.rnr_retry_limit = 2;
    pair = make(&config);
    post(&pair, RC_SEND, 1500);
    post(&pair, RC_WRITE, 1);
    move(&pair);
    assert_int_equal(answer(&pair).syndrome,
                     TRANSPORT_SYNDROME_RNR | config.rnr_timer);
    assert_int_equal(rc_state(pair.rc), RC_RNR_WAITING);
    assert_waits(&pair, pair.rc, 640 * US);
    pair.now_ps = 640 * US;
    assert_int_equal(rc_post_receive(pair.peer, 9, 1500), ST_OK);
    move(&pair);
    move(&pair);
    answer(&pair);
    assert_int_equal(poll(pair.rc).status, RC_STATUS_OK);
    completion = poll(pair.peer);
    assert_true(completion.is_receive);
    assert_int_equal(completion.id, 9);
    assert_int_equal(completion.bytes, 1500);
    move(&pair); /* A WRITE needs no receive request ... */
    answer(&pair);
    poll(pair.rc);
    assert_no_completion(pair.peer);
    post(&pair, RC_WRITE_IMMEDIATE, 1); /* ... but immediate data do. */
    post(&pair, RC_WRITE, 1);
    for (int i = 0; i < 3; i++) {
        move(&pair);
        answer(&pair);
        pair.now_ps += 640 * US;
    }
    assert_true(pair.actions.error);
    assert_int_equal(poll(pair.rc).status, RC_STATUS_RNR_EXCEEDED);
    assert_int_equal(poll(pair.rc).status, RC_STATUS_FLUSHED);
    assert_int_equal(rc_counters(pair.peer)->rnr_naks_sent, 4);
    end(&pair);
}

/* Copies of an RNR NAK count once. */
static void
test_repeated_rnr_nak(void **state)
{
    struct rc_config config = make_config(RC_GO_BACK_N);
    struct transport_packet nak;
    struct pair pair;

    (void)state;
    config.receive_depth = 4;
    pair = make(&config);
    post(&pair, RC_SEND, 1);
    move(&pair);
    nak = answer(&pair);
    pair.now_ps = 5;
    give(&pair, pair.rc, nak);
    assert_int_equal(rc_counters(pair.rc)->rnr_naks_received, 1);
    assert_waits(&pair, pair.rc, 640 * US);
    end(&pair);
}

/* Selective: only the refused packet is sent again; what is behind it is
 * held. */
static void
test_selective_receive_not_ready(void **state)
{
    struct rc_config config = make_config(RC_SELECTIVE);
    struct pair pair;

    (void)state;
    config.receive_depth = 4;
    pair = make(&config);
    post(&pair, RC_SEND, 1);
    post(&pair, RC_WRITE, 3 * MTU);
    move(&pair);
    answer(&pair);
    assert_int_equal(rc_state(pair.rc), RC_RNR_WAITING);
    pair.now_ps = 640 * US;
    assert_int_equal(rc_post_receive(pair.peer, 0, 1), ST_OK);
    assert_int_equal(move(&pair).psn, SEND_PSN);
    answer(&pair);
    for (int i = 0; i < 3; i++) {
        move(&pair);
    }
    answer(&pair);
    poll(pair.rc);
    assert_int_equal(poll(pair.rc).status, RC_STATUS_OK);
    assert_int_equal(rc_counters(pair.rc)->retransmitted_packets, 1);
    end(&pair);
}

static void
test_read(void **state)
{
    const struct rc_config config = make_config(RC_GO_BACK_N);
    struct pair pair = make(&config);
    struct transport_packet packet;

    (void)state;
    post(&pair, RC_READ, 2 * MTU + 1);
    post(&pair, RC_WRITE, 1);
    packet = move(&pair);
    assert_int_equal(packet.opcode, TRANSPORT_READ_REQUEST);
    assert_int_equal(packet.dma_length, 2 * MTU + 1);
    /* The READ takes three PSNs. */
    assert_int_equal(move(&pair).psn, (SEND_PSN + 3) & 0xffffff);
    /* The responses go before the ACK of the WRITE. */
    assert_int_equal(rc_peek_response(pair.peer), RC_RESPONSE_READ);
    packet = answer(&pair);
    assert_int_equal(packet.opcode, TRANSPORT_READ_RESPONSE_FIRST);
    assert_int_equal(packet.psn, SEND_PSN);
    assert_int_equal(packet.payload_bytes, MTU);
    assert_int_equal(pair.actions.delivered_bytes, MTU);
    assert_int_equal(answer(&pair).opcode, TRANSPORT_READ_RESPONSE_MIDDLE);
    assert_no_completion(pair.rc);
    packet = answer(&pair);
    assert_int_equal(packet.opcode, TRANSPORT_READ_RESPONSE_LAST);
    assert_int_equal(packet.payload_bytes, 1);
    assert_int_equal(poll(pair.rc).id, 40 + RC_READ);
    give(&pair, pair.rc, packet);
    assert_int_equal(rc_counters(pair.rc)->duplicates, 1);
    assert_int_equal(pair.actions.delivered_bytes, 0);
    assert_int_equal(rc_peek_response(pair.peer), RC_RESPONSE_ACK);
    answer(&pair);
    assert_int_equal(poll(pair.rc).id, 40 + RC_WRITE);
    end(&pair);
}

/* A lost response: the rest of the READ is requested again, once. */
static void
test_read_is_repeated(void **state)
{
    const struct rc_config config = make_config(RC_GO_BACK_N);
    struct pair pair = make(&config);
    struct transport_packet packet;

    (void)state;
    post(&pair, RC_READ, 4 * MTU);
    move(&pair);
    answer(&pair);
    take(&pair, pair.peer); /* Lost. */
    answer(&pair);
    answer(&pair);
    packet = move(&pair);
    assert_int_equal(packet.opcode, TRANSPORT_READ_REQUEST);
    assert_int_equal(packet.psn, (SEND_PSN + 1) & 0xffffff);
    assert_int_equal(packet.remote_address, 0x10000 + MTU);
    assert_int_equal(packet.dma_length, 3 * MTU);
    assert_true(packet.retransmit);
    assert_idle(&pair, pair.rc);
    /* All but the first response are sent for the second time. */
    packet = answer(&pair);
    assert_int_equal(packet.opcode, TRANSPORT_READ_RESPONSE_FIRST);
    assert_true(packet.retransmit);
    assert_true(answer(&pair).retransmit);
    assert_true(answer(&pair).retransmit);
    assert_int_equal(rc_counters(pair.peer)->retransmitted_packets, 3);
    assert_int_equal(poll(pair.rc).status, RC_STATUS_OK);
    end(&pair);
}

/* Of several responses behind a lost one, only the first causes a request. */
static void
test_read_is_repeated_once(void **state)
{
    const struct rc_config config = make_config(RC_GO_BACK_N);
    struct pair pair = make(&config);

    (void)state;
    post(&pair, RC_READ, 4 * MTU);
    move(&pair);
    take(&pair, pair.peer); /* Lost. */
    answer(&pair);
    assert_int_equal(take(&pair, pair.rc).psn, SEND_PSN);
    answer(&pair);
    answer(&pair);
    assert_idle(&pair, pair.rc);
    assert_int_equal(rc_counters(pair.rc)->retransmitted_packets, 1);
    assert_int_equal(rc_counters(pair.rc)->out_of_order, 3);
    end(&pair);
}

/* An ACK of PSNs before the end of a READ says nothing about its responses; one
 * of all of them shows that they are lost, since it comes after them. */
static void
test_acks_around_a_read(void **state)
{
    const struct rc_config config = make_config(RC_GO_BACK_N);
    struct transport_packet ack = {.opcode = TRANSPORT_ACK,
                                   .syndrome = TRANSPORT_SYNDROME_ACK};
    struct pair pair = make(&config);

    (void)state;
    post(&pair, RC_WRITE, 1);
    post(&pair, RC_READ, 2 * MTU);
    post(&pair, RC_WRITE, 1);
    for (int i = 0; i < 3; i++) {
        take(&pair, pair.rc);
    }
    for (uint32_t k = 0; k < 2; k++) {
        ack.psn = (SEND_PSN + k) & 0xffffff;
        give(&pair, pair.rc, ack);
        assert_idle(&pair, pair.rc);
    }
    assert_int_equal(poll(pair.rc).id, 40 + RC_WRITE);
    assert_no_completion(pair.rc);
    ack.psn = (SEND_PSN + 2) & 0xffffff;
    give(&pair, pair.rc, ack);
    assert_int_equal(take(&pair, pair.rc).psn, (SEND_PSN + 1) & 0xffffff);
    end(&pair);
}

/* 2^22 PSNs and 2^22 more would be too many. */
static void
test_outstanding_psns(void **state)
{
    struct rc_config config = make_config(RC_GO_BACK_N);
    struct rc_request request = {.operation = RC_READ,
                                 .length_bytes = 64U << 22};
    struct pair pair;

    (void)state;
    config.mtu_bytes = 64;
    pair = make(&config);
    assert_int_equal(rc_post_send(pair.rc, &request), ST_OK);
    request.length_bytes -= 64;
    assert_int_equal(rc_post_send(pair.rc, &request), ST_OK);
    request.length_bytes = 1;
    assert_int_equal(rc_post_send(pair.rc, &request), ST_OK);
    request.length_bytes = (64U << 22) + 1;
    assert_int_equal(rc_post_send(pair.rc, &request), ST_INVALID);
    take(&pair, pair.rc);
    assert_int_equal(take(&pair, pair.rc).psn,
                     (SEND_PSN + (1 << 22)) & 0xffffff);
    assert_idle(&pair, pair.rc);
    end(&pair);
}

/* Go-back-0 drops what it has of a READ; the responder changes its place in the
 * READ that it is answering. */
static void
test_read_restarts(void **state)
{
    const struct rc_config config = make_config(RC_GO_BACK_0);
    struct pair pair = make(&config);
    struct transport_packet packet;

    (void)state;
    post(&pair, RC_READ, 5 * MTU);
    move(&pair);
    answer(&pair);
    take(&pair, pair.peer); /* Lost. */
    answer(&pair);
    packet = move(&pair);
    assert_int_equal(packet.psn, SEND_PSN);
    assert_int_equal(packet.dma_length, 5 * MTU);
    for (uint32_t k = 0; k < 5; k++) {
        packet = answer(&pair);
        assert_int_equal(packet.psn, (SEND_PSN + k) & 0xffffff);
        assert_int_equal(pair.actions.delivered_bytes, k < 4 ? 0 : 5 * MTU);
    }
    assert_int_equal(poll(pair.rc).status, RC_STATUS_OK);
    assert_idle(&pair, pair.peer);
    end(&pair);
}

static void
test_limit_of_reads(void **state)
{
    struct rc_config config = make_config(RC_GO_BACK_N);
    struct pair pair;

    (void)state;
    config.max_reads = 2;
    pair = make(&config);
    for (int i = 0; i < 3; i++) {
        post(&pair, RC_READ, 1);
    }
    move(&pair);
    move(&pair);
    assert_idle(&pair, pair.rc);
    answer(&pair);
    assert_int_equal(move(&pair).opcode, TRANSPORT_READ_REQUEST);
    end(&pair);
}

static void
test_fences(void **state)
{
    const struct rc_config config = make_config(RC_GO_BACK_N);
    struct rc_request request = {.length_bytes = 1, .operation = RC_WRITE};
    struct pair pair = make(&config);

    (void)state;
    post(&pair, RC_READ, 1);
    post(&pair, RC_WRITE, 1);
    request.fence = RC_FENCE_READS;
    assert_int_equal(rc_post_send(pair.rc, &request), ST_OK);
    request.fence = RC_FENCE_ALL;
    assert_int_equal(rc_post_send(pair.rc, &request), ST_OK);
    move(&pair);
    move(&pair);
    assert_idle(&pair, pair.rc);
    answer(&pair); /* The READ is complete: the first fence opens. */
    assert_int_equal(move(&pair).opcode, TRANSPORT_WRITE_ONLY);
    assert_idle(&pair, pair.rc);
    answer(&pair); /* Everything is complete: the second one opens. */
    assert_int_equal(move(&pair).opcode, TRANSPORT_WRITE_ONLY);
    end(&pair);
}

/* Posts a WRITE of one packet that needs a registration. */
static void
post_registering(struct pair *pair)
{
    const struct rc_request request = {.length_bytes = 1,
                                       .operation = RC_WRITE,
                                       .registers = true,
                                       .posted_ps = pair->now_ps};

    assert_int_equal(rc_post_send(pair->rc, &request), ST_OK);
}

/* The next request of the requester has to wait until 'until_ps'. */
static void
assert_registers(struct pair *pair, int64_t until_ps)
{
    int64_t when_ps = 0;

    assert_waits(pair, pair->rc, until_ps);
    assert_int_equal(rc_peek_request(pair->rc, pair->now_ps, &when_ps),
                     RC_WAIT);
    assert_int_equal(when_ps, until_ps);
}

/* Registrations follow each other, beside the packets. */
static void
test_registrations_overlap_with_messages(void **state)
{
    struct rc_config config = make_config(RC_GO_BACK_N);
    struct pair pair;

    (void)state;
    config.registration_ps = 2 * US;
    pair = make(&config);
    pair.now_ps = 10 * US;
    post(&pair, RC_WRITE, 1);
    post_registering(&pair);
    post_registering(&pair);
    post(&pair, RC_WRITE, 1);
    move(&pair);
    assert_registers(&pair, 12 * US);
    pair.now_ps = 12 * US;
    move(&pair);
    assert_registers(&pair, 14 * US);
    pair.now_ps = 14 * US;
    move(&pair);
    move(&pair); /* Without a registration. */
    assert_idle(&pair, pair.rc);
    /* One that is posted late begins then; nothing had to be acknowledged. */
    pair.now_ps = 20 * US;
    post_registering(&pair);
    assert_registers(&pair, 22 * US);
    end(&pair);
}

/* With the fence a registration begins when all before it is acknowledged, so
 * there is one message per round trip. */
static void
test_registration_fence(void **state)
{
    struct rc_config config = make_config(RC_GO_BACK_N);
    struct pair pair;

    (void)state;
    config.registration_ps = 2 * US;
    config.registration_fence = true;
    pair = make(&config);
    post_registering(&pair);
    post_registering(&pair);
    post(&pair, RC_WRITE, 1);
    assert_registers(&pair, 2 * US);
    pair.now_ps = 2 * US;
    move(&pair);
    for (pair.now_ps = 3 * US; pair.now_ps < 100 * US; pair.now_ps += 10 * US) {
        assert_idle(&pair, pair.rc);
    }
    answer(&pair);
    assert_true(pair.actions.send);
    assert_registers(&pair, pair.now_ps + 2 * US);
    pair.now_ps += 2 * US;
    move(&pair);
    /* The fence is before a registration, not behind it. */
    move(&pair);
    assert_idle(&pair, pair.rc);
    post_registering(&pair);
    assert_idle(&pair, pair.rc);
    answer(&pair); /* Of both. */
    assert_registers(&pair, pair.now_ps + 2 * US);
    end(&pair);
}

/* A packet that is sent again needs no second registration. */
static void
test_registration_is_not_repeated(void **state)
{
    struct rc_config config = make_config(RC_GO_BACK_N);
    struct pair pair;

    (void)state;
    config.registration_ps = 2 * US;
    config.registration_fence = true;
    pair = make(&config);
    post_registering(&pair);
    pair.now_ps = 2 * US;
    (void)take(&pair, pair.rc);
    pair.now_ps = rc_deadline_ps(pair.rc);
    rc_timeout(pair.rc, pair.now_ps, &pair.actions);
    assert_true(move(&pair).retransmit);
    answer(&pair);
    assert_int_equal(poll(pair.rc).status, RC_STATUS_OK);
    end(&pair);
}

static void
test_window(void **state)
{
    struct rc_config config = make_config(RC_GO_BACK_N);
    struct pair pair;

    (void)state;
    config.window_bytes = 2500;
    pair = make(&config);
    post(&pair, RC_WRITE, 2 * MTU + 500);
    post(&pair, RC_WRITE, 1);
    assert_false(move(&pair).ack_request);
    assert_false(move(&pair).ack_request);
    assert_true(move(&pair).ack_request);
    assert_int_equal(rc_in_flight_bytes(pair.rc), 2500);
    assert_idle(&pair, pair.rc);
    answer(&pair);
    move(&pair);
    assert_int_equal(rc_in_flight_bytes(pair.rc), 1);
    end(&pair);
}

/* A smaller window lets nothing new out until it has room. */
static void
test_settings_change_while_packets_are_in_flight(void **state)
{
    struct rc_config config = make_config(RC_GO_BACK_N);
    struct rc_config other = config;
    struct pair pair;

    (void)state;
    config.timeout_exponent = 0;
    other.timeout_exponent = 3;
    other.window_bytes = 2 * MTU;
    other.ack_every = 1;
    pair = make(&config);
    post(&pair, RC_WRITE, 4 * MTU);
    post(&pair, RC_WRITE, 4 * MTU);
    for (int i = 0; i < 4; i++) {
        take(&pair, pair.rc);
    }
    assert_int_equal(rc_deadline_ps(pair.rc), INT64_MAX);
    pair.now_ps = 1000;
    assert_int_equal(rc_configure(pair.rc, &other, pair.now_ps), ST_OK);
    assert_null(rc_check(pair.rc));
    assert_int_equal(rc_deadline_ps(pair.rc), 1000 + 4096000 * 8);
    assert_idle(&pair, pair.rc);
    /* The timeout sends again: what the window has room for. */
    pair.now_ps = rc_deadline_ps(pair.rc);
    rc_timeout(pair.rc, pair.now_ps, &pair.actions);
    assert_int_equal(rc_configure(pair.peer, &other, pair.now_ps), ST_OK);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(move(&pair).psn, (SEND_PSN + i) & 0xffffff);
    }
    assert_idle(&pair, pair.rc);
    assert_int_equal(answer(&pair).psn, (SEND_PSN + 1) & 0xffffff);
    move(&pair);
    assert_int_equal(answer(&pair).psn, (SEND_PSN + 2) & 0xffffff);
    move(&pair);
    move(&pair);
    assert_idle(&pair, pair.rc);
    answer(&pair);
    /* Without a timeout again. */
    assert_int_equal(rc_configure(pair.rc, &config, pair.now_ps), ST_OK);
    assert_int_equal(rc_deadline_ps(pair.rc), INT64_MAX);
    move(&pair);
    assert_int_equal(rc_deadline_ps(pair.rc), INT64_MAX);
    end(&pair);
}

static void
test_settings_that_cannot_change(void **state)
{
    const struct rc_config config = make_config(RC_GO_BACK_N);
    struct rc_config others[] = {config, config, config, config, config};
    struct pair pair = make(&config);

    (void)state;
    others[0].mtu_bytes /= 2;
    others[1].recovery = RC_SELECTIVE;
    others[2].send_depth *= 2;
    others[3].max_reads = 1;
    others[4].ack_every = 0;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        assert_int_equal(rc_configure(pair.rc, &others[i], 0), ST_INVALID);
    }
    end(&pair);
}

static void
test_refused_access(void **state)
{
    static const struct {
        struct region region;
        enum rc_operation operation;
        uint8_t syndrome;
    } cases[] = {
        {{5, REGION_REMOTE_WRITE, 0x10000, 100}, RC_WRITE, 0},
        {{5, REGION_REMOTE_READ, 0x10000, 100}, RC_READ, 0},
        {{6, REGION_REMOTE_WRITE, 0x10000, 100},
         RC_WRITE,
         TRANSPORT_SYNDROME_NAK_ACCESS},
        {{5, REGION_REMOTE_READ, 0x10000, 100},
         RC_WRITE,
         TRANSPORT_SYNDROME_NAK_ACCESS},
        {{5, REGION_REMOTE_WRITE, 0x10000, 100},
         RC_READ,
         TRANSPORT_SYNDROME_NAK_ACCESS},
        {{5, REGION_REMOTE_WRITE, 0x10000, 99},
         RC_WRITE,
         TRANSPORT_SYNDROME_NAK_ACCESS},
        {{5, REGION_REMOTE_WRITE, 0x10001, 100},
         RC_WRITE,
         TRANSPORT_SYNDROME_NAK_ACCESS},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct rc_config config = make_config(RC_GO_BACK_N);
        struct regions *regions = regions_create();
        struct pair pair;

        assert_int_equal(regions_add(regions, &cases[i].region), ST_OK);
        config.regions = regions;
        pair = make(&config);
        post(&pair, cases[i].operation, 100);
        move(&pair);
        if (cases[i].syndrome) {
            assert_true(pair.actions.error);
            assert_int_equal(rc_state(pair.peer), RC_ERROR);
            assert_int_equal(answer(&pair).syndrome, cases[i].syndrome);
            assert_true(pair.actions.error);
            assert_int_equal(poll(pair.rc).status, RC_STATUS_REMOTE_ACCESS);
        } else {
            answer(&pair);
            assert_int_equal(poll(pair.rc).status, RC_STATUS_OK);
        }
        end(&pair);
        regions_destroy(regions);
    }
}

/* Posts a SEND at 'rc' that registers 1,000 bytes for WRITEs with key 5. */
static void
post_region(struct pair *pair, struct rc *rc)
{
    const struct rc_request request = {.length_bytes = 100,
                                       .operation = RC_SEND,
                                       .registers = true,
                                       .posted_ps = pair->now_ps,
                                       .region = {.rkey = 5,
                                                  .access = REGION_REMOTE_WRITE,
                                                  .address = 0x10000,
                                                  .length = 1000}};

    assert_int_equal(rc_post_send(rc, &request), ST_OK);
}

/* A key lives from the end of its registration to a SEND that names it. */
static void
test_invalidation(void **state)
{
    struct rc_config config = make_config(RC_GO_BACK_N);
    struct rc_completion completion;
    struct pair pair;

    (void)state;
    config.regions = regions_create();
    config.registration_ps = 2 * US;
    config.receive_depth = 4;
    pair = make(&config);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(rc_post_receive(pair.rc, 70, 1000), ST_OK);
        assert_int_equal(rc_post_receive(pair.peer, 80, 1000), ST_OK);
    }
    post_region(&pair, pair.peer);
    assert_waits(&pair, pair.peer, 2 * US);
    assert_false(regions_have(config.regions, 5));
    pair.now_ps = 2 * US;
    answer(&pair);
    assert_true(regions_have(config.regions, 5));
    give(&pair, pair.peer, take(&pair, pair.rc)); /* The ACK. */
    post(&pair, RC_WRITE, 1000);
    post(&pair, RC_SEND_INVALIDATE, 8);
    post(&pair, RC_WRITE, 1000);
    move(&pair);
    assert_true(regions_have(config.regions, 5));
    assert_int_equal(poll(pair.peer).operation, RC_SEND);
    move(&pair);
    assert_false(regions_have(config.regions, 5));
    completion = poll(pair.peer);
    assert_true(completion.is_receive);
    assert_int_equal(completion.operation, RC_SEND_INVALIDATE);
    assert_int_equal(completion.immediate, 5);
    assert_int_equal(completion.bytes, 8);
    move(&pair);
    assert_true(pair.actions.error);
    assert_int_equal(answer(&pair).syndrome, TRANSPORT_SYNDROME_NAK_ACCESS);
    assert_int_equal(poll(pair.rc).status, RC_STATUS_OK);
    assert_int_equal(poll(pair.rc).operation, RC_SEND_INVALIDATE);
    assert_int_equal(poll(pair.rc).status, RC_STATUS_REMOTE_ACCESS);
    end(&pair);
    regions_destroy(config.regions);
}

/* A key that is not there cannot be invalidated. */
static void
test_invalidation_of_no_key(void **state)
{
    struct rc_config config = make_config(RC_GO_BACK_N);
    struct pair pair;

    (void)state;
    config.regions = regions_create();
    pair = make(&config);
    post(&pair, RC_SEND_INVALIDATE, 2 * MTU);
    move(&pair);
    assert_false(pair.actions.error);
    move(&pair);
    assert_true(pair.actions.error);
    assert_int_equal(answer(&pair).syndrome, TRANSPORT_SYNDROME_NAK_ACCESS);
    assert_int_equal(poll(pair.rc).status, RC_STATUS_REMOTE_ACCESS);
    end(&pair);
    regions_destroy(config.regions);
}

/* A SEND whose ACK is lost is repeated, its registration is not. */
static void
test_repeated_send_revives_no_key(void **state)
{
    struct rc_config config = make_config(RC_GO_BACK_N);
    struct pair pair;

    (void)state;
    config.regions = regions_create();
    pair = make(&config);
    post_region(&pair, pair.rc);
    move(&pair);
    take(&pair, pair.peer); /* The ACK is lost. */
    assert_int_equal(regions_remove(config.regions, 5), ST_OK);
    pair.now_ps = rc_deadline_ps(pair.rc);
    rc_timeout(pair.rc, pair.now_ps, &pair.actions);
    assert_true(move(&pair).retransmit);
    assert_false(regions_have(config.regions, 5));
    answer(&pair);
    /* The key can be used again, for something else. */
    post_region(&pair, pair.rc);
    move(&pair);
    assert_true(
        regions_allow(config.regions, 5, REGION_REMOTE_WRITE, 0x10000, 1000));
    end(&pair);
    regions_destroy(config.regions);
}

static void
test_regions(void **state)
{
    struct regions *regions = regions_create();
    struct region region = {
        .rkey = 5, .access = REGION_REMOTE_READ, .address = 10, .length = 5};

    (void)state;
    assert_int_equal(regions_replace(regions, &region), ST_OK);
    assert_int_equal(regions_add(regions, &region), ST_EXISTS);
    region.address = 20;
    assert_int_equal(regions_replace(regions, &region), ST_OK);
    assert_false(regions_allow(regions, 5, REGION_REMOTE_READ, 10, 5));
    assert_true(regions_allow(regions, 5, REGION_REMOTE_READ, 20, 5));
    region.address = UINT64_MAX - 3;
    assert_int_equal(regions_replace(regions, &region), ST_INVALID);
    assert_true(regions_allow(regions, 5, REGION_REMOTE_READ, 20, 5));
    assert_int_equal(regions_remove(regions, 5), ST_OK);
    assert_false(regions_have(regions, 5));
    regions_destroy(regions);
}

/* What a requester must not send. */
static void
test_invalid_requests(void **state)
{
    static const struct transport_packet packets[] = {
        {.opcode = TRANSPORT_SEND_MIDDLE, .payload_bytes = MTU},
        {.opcode = TRANSPORT_WRITE_LAST, .payload_bytes = 1},
        {.opcode = TRANSPORT_SEND_FIRST, .payload_bytes = MTU - 1},
        {.opcode = TRANSPORT_SEND_ONLY, .payload_bytes = MTU + 1},
        {.opcode = TRANSPORT_WRITE_ONLY, .payload_bytes = 2, .dma_length = 1},
        {.opcode = TRANSPORT_WRITE_FIRST,
         .payload_bytes = MTU,
         .dma_length = MTU},
        {.opcode = TRANSPORT_READ_REQUEST, .payload_bytes = 1},
        {.opcode = TRANSPORT_READ_REQUEST, .dma_length = UINT32_MAX},
    };
    const struct rc_config config = make_config(RC_GO_BACK_N);

    (void)state;
    for (size_t i = 0; i < sizeof packets / sizeof packets[0]; i++) {
        struct transport_packet packet = packets[i];
        struct pair pair = make(&config);

        packet.psn = SEND_PSN;
        post(&pair, RC_SEND, 1);
        take(&pair, pair.rc);
        give(&pair, pair.peer, packet);
        assert_true(pair.actions.error);
        assert_int_equal(answer(&pair).syndrome,
                         TRANSPORT_SYNDROME_NAK_INVALID);
        assert_int_equal(poll(pair.rc).status, RC_STATUS_REMOTE_INVALID);
        end(&pair);
    }
}

static void
test_send_longer_than_receive(void **state)
{
    struct rc_config config = make_config(RC_GO_BACK_N);
    struct pair pair;

    (void)state;
    config.receive_depth = 2;
    pair = make(&config);
    assert_int_equal(rc_post_receive(pair.peer, 1, 1999), ST_OK);
    assert_int_equal(rc_post_receive(pair.peer, 2, 1999), ST_OK);
    assert_int_equal(rc_post_receive(pair.peer, 3, 1999), ST_NO_RESOURCE);
    post(&pair, RC_SEND, 2000);
    move(&pair);
    move(&pair);
    assert_int_equal(poll(pair.peer).status, RC_STATUS_LOCAL_LENGTH);
    assert_int_equal(poll(pair.peer).status, RC_STATUS_FLUSHED);
    answer(&pair);
    assert_int_equal(poll(pair.rc).status, RC_STATUS_REMOTE_INVALID);
    end(&pair);
}

static void
test_bad_response(void **state)
{
    const struct rc_config config = make_config(RC_GO_BACK_N);
    struct pair pair = make(&config);
    struct transport_packet packet;

    (void)state;
    post(&pair, RC_READ, 10);
    move(&pair);
    packet = take(&pair, pair.peer);
    packet.payload_bytes = 11;
    give(&pair, pair.rc, packet);
    assert_int_equal(poll(pair.rc).status, RC_STATUS_BAD_RESPONSE);
    end(&pair);
}

/* ACKs of what was never sent, and NAKs of the past, change nothing. */
static void
test_implausible_acks_are_ignored(void **state)
{
    const struct rc_config config = make_config(RC_GO_BACK_N);
    struct pair pair = make(&config);

    (void)state;
    post(&pair, RC_WRITE, 3 * MTU);
    move(&pair);
    move(&pair);
    give(&pair, pair.rc,
         (struct transport_packet){.opcode = TRANSPORT_ACK,
                                   .syndrome = TRANSPORT_SYNDROME_ACK,
                                   .psn = (SEND_PSN + 2) & 0xffffff});
    give(&pair, pair.rc,
         (struct transport_packet){.opcode = TRANSPORT_ACK,
                                   .syndrome = TRANSPORT_SYNDROME_NAK_SEQUENCE,
                                   .psn = SEND_PSN - 1});
    give(&pair, pair.rc,
         (struct transport_packet){.opcode = TRANSPORT_READ_RESPONSE_ONLY,
                                   .psn = SEND_PSN});
    give(&pair, pair.rc,
         (struct transport_packet){.opcode = TRANSPORT_READ_RESPONSE_ONLY,
                                   .psn = (SEND_PSN + 2) & 0xffffff});
    for (uint8_t low = 0; low < 8; low++) {
        /* Of the next packet, which has not been sent; and reserved ones. */
        give(&pair, pair.rc,
             (struct transport_packet){.opcode = TRANSPORT_ACK,
                                       .syndrome = (uint8_t)(0x60 | low),
                                       .psn = (SEND_PSN + 2) & 0xffffff});
        give(&pair, pair.rc,
             (struct transport_packet){.opcode = TRANSPORT_ACK,
                                       .syndrome = (uint8_t)(0x40 | low),
                                       .psn = SEND_PSN});
    }
    assert_int_equal(rc_in_flight_bytes(pair.rc), 0);
    assert_int_equal(rc_state(pair.rc), RC_READY);
    assert_int_equal(move(&pair).psn, (SEND_PSN + 2) & 0xffffff);
    end(&pair);
}

/* A late NAK, when nothing is outstanding. */
static void
test_late_naks_are_ignored(void **state)
{
    static const enum rc_recovery ways[] = {RC_GO_BACK_N, RC_GO_BACK_0,
                                            RC_SELECTIVE};

    (void)state;
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        const struct rc_config config = make_config(ways[i]);
        struct pair pair = make(&config);

        post(&pair, RC_WRITE, 1);
        move(&pair);
        answer(&pair);
        poll(pair.rc);
        for (uint8_t low = 0; low < 4; low++) {
            give(&pair, pair.rc,
                 (struct transport_packet){.opcode = TRANSPORT_ACK,
                                           .syndrome = (uint8_t)(0x60 | low),
                                           .psn = SEND_PSN});
        }
        assert_int_equal(rc_state(pair.rc), RC_READY);
        assert_idle(&pair, pair.rc);
        end(&pair);
    }
}

/* The caller learns from the actions when to look again. */
static void
test_actions(void **state)
{
    struct rc_config config = make_config(RC_GO_BACK_N);
    struct rc_actions actions;
    struct pair pair;

    (void)state;
    config.receive_depth = 1;
    pair = make(&config);
    assert_int_equal(rc_post_receive(pair.peer, 4, 10), ST_OK);
    post(&pair, RC_SEND, 10);
    post(&pair, RC_WRITE, 2 * MTU);
    move(&pair);
    assert_true(pair.actions.send && pair.actions.completion);
    assert_false(pair.actions.error || pair.actions.notify);
    answer(&pair);
    assert_true(pair.actions.send && pair.actions.completion);
    assert_int_equal(pair.actions.delivered_bytes, 0);
    move(&pair);
    assert_false(pair.actions.send || pair.actions.completion);
    assert_int_equal(pair.actions.delivered_bytes, MTU);
    poll(pair.peer);
    /* Only a receive request is left. */
    assert_int_equal(rc_post_receive(pair.peer, 5, 10), ST_OK);
    rc_fail(pair.peer, &actions);
    assert_true(actions.error && actions.completion);
    assert_false(actions.send);
    assert_int_equal(poll(pair.peer).id, 5);
    rc_fail(pair.peer, &actions);
    assert_false(actions.completion);
    end(&pair);
    /* A refused request is answered by a queue pair that has failed. */
    pair = make(&config);
    give(&pair, pair.peer,
         (struct transport_packet){.opcode = TRANSPORT_SEND_LAST,
                                   .psn = SEND_PSN});
    assert_true(pair.actions.error && pair.actions.send);
    end(&pair);
}

static void
test_marks_are_echoed(void **state)
{
    struct rc_config config = make_config(RC_GO_BACK_N);
    struct transport_packet packet;
    struct pair pair;

    (void)state;
    config.echo_ce = true;
    config.ack_every = 1;
    pair = make(&config);
    post(&pair, RC_WRITE, 2 * MTU);
    packet = take(&pair, pair.rc);
    packet.ce = true;
    give(&pair, pair.peer, packet);
    assert_true(answer(&pair).notify);
    assert_true(pair.actions.notify);
    move(&pair);
    assert_false(answer(&pair).notify);
    assert_false(pair.actions.notify);
    end(&pair);
}

static void
test_full_queue_and_bad_requests(void **state)
{
    struct rc_config config = make_config(RC_GO_BACK_N);
    struct rc_request request = {.operation = RC_READ, .length_bytes = 1};
    struct pair pair;

    (void)state;
    config.send_depth = 2;
    config.max_reads = 0;
    pair = make(&config);
    assert_int_equal(rc_post_send(pair.rc, &request), ST_INVALID);
    request.operation = RC_N_OPERATIONS;
    assert_int_equal(rc_post_send(pair.rc, &request), ST_INVALID);
    request.operation = RC_WRITE;
    request.fence = 3;
    assert_int_equal(rc_post_send(pair.rc, &request), ST_INVALID);
    request.fence = RC_FENCE_NONE;
    request.length_bytes = (UINT32_C(1) << 31) + 1;
    assert_int_equal(rc_post_send(pair.rc, &request), ST_INVALID);
    post(&pair, RC_WRITE, 1);
    post(&pair, RC_WRITE, 1);
    request.length_bytes = 1;
    assert_int_equal(rc_post_send(pair.rc, &request), ST_NO_RESOURCE);
    move(&pair);
    answer(&pair);
    /* The place is free when the completion is polled. */
    assert_int_equal(rc_post_send(pair.rc, &request), ST_NO_RESOURCE);
    poll(pair.rc);
    assert_int_equal(rc_post_send(pair.rc, &request), ST_OK);
    end(&pair);
}

static void
test_bad_configurations_are_explained(void **state)
{
    const struct rc_config good = make_config(RC_GO_BACK_N);
    struct rc_config bad[12];
    struct err err;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        bad[i] = good;
    }
    bad[0].mtu_bytes = 0;
    bad[1].mtu_bytes = 65536;
    bad[2].timeout_exponent = 32;
    bad[3].ack_every = 0;
    bad[4].max_reads = 17;
    bad[5].send_depth = 3;
    bad[6].receive_depth = 3;
    bad[7].recovery = RC_SELECTIVE;
    bad[7].reorder_packets = 65;
    bad[8].recovery = RC_GO_BACK_0;
    bad[8].go_back_chunk_bytes = MTU + 1;
    bad[9].window_bytes = MTU - 1;
    bad[10].recovery_delay_ps = -1;
    bad[11].rnr_timer = 32;
    assert_int_equal(rc_config_check(&rc_config_default, NULL), ST_OK);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        err = (struct err){0};
        assert_int_equal(rc_config_check(&bad[i], &err), ST_INVALID);
        assert_true(err.reason[0] != '\0');
    }
}

static void
test_failing_flushes(void **state)
{
    struct rc_config config = make_config(RC_GO_BACK_N);
    struct rc_actions actions;
    struct pair pair;

    (void)state;
    config.receive_depth = 1;
    pair = make(&config);
    post(&pair, RC_WRITE, 5 * MTU);
    take(&pair, pair.rc);
    assert_int_equal(rc_post_receive(pair.rc, 3, 1), ST_OK);
    rc_fail(pair.rc, &actions);
    assert_true(actions.error && actions.completion && !actions.send);
    assert_int_equal(poll(pair.rc).status, RC_STATUS_FLUSHED);
    assert_int_equal(poll(pair.rc).id, 3);
    assert_string_equal(rc_status_name(RC_STATUS_FLUSHED), "flushed");
    rc_fail(pair.rc, &actions);
    assert_false(actions.error);
    end(&pair);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_segmentation),
        cmocka_unit_test(test_acks_are_coalesced),
        cmocka_unit_test(test_one_nak_per_gap),
        cmocka_unit_test(test_recovery_delay),
        cmocka_unit_test(test_duplicates_are_acknowledged),
        cmocka_unit_test(test_go_back_0_restarts_the_message),
        cmocka_unit_test(test_selective_fills_holes),
        cmocka_unit_test(test_selective_window),
        cmocka_unit_test(test_timeout_and_retries),
        cmocka_unit_test(test_progress_restarts_timeout),
        cmocka_unit_test(test_receive_not_ready),
        cmocka_unit_test(test_read),
        cmocka_unit_test(test_read_is_repeated),
        cmocka_unit_test(test_limit_of_reads),
        cmocka_unit_test(test_fences),
        cmocka_unit_test(test_registrations_overlap_with_messages),
        cmocka_unit_test(test_registration_fence),
        cmocka_unit_test(test_registration_is_not_repeated),
        cmocka_unit_test(test_window),
        cmocka_unit_test(test_settings_change_while_packets_are_in_flight),
        cmocka_unit_test(test_settings_that_cannot_change),
        cmocka_unit_test(test_refused_access),
        cmocka_unit_test(test_invalidation),
        cmocka_unit_test(test_invalidation_of_no_key),
        cmocka_unit_test(test_repeated_send_revives_no_key),
        cmocka_unit_test(test_regions),
        cmocka_unit_test(test_invalid_requests),
        cmocka_unit_test(test_send_longer_than_receive),
        cmocka_unit_test(test_bad_response),
        cmocka_unit_test(test_implausible_acks_are_ignored),
        cmocka_unit_test(test_marks_are_echoed),
        cmocka_unit_test(test_full_queue_and_bad_requests),
        cmocka_unit_test(test_bad_configurations_are_explained),
        cmocka_unit_test(test_read_is_repeated_once),
        cmocka_unit_test(test_acks_around_a_read),
        cmocka_unit_test(test_outstanding_psns),
        cmocka_unit_test(test_repeated_rnr_nak),
        cmocka_unit_test(test_selective_receive_not_ready),
        cmocka_unit_test(test_late_naks_are_ignored),
        cmocka_unit_test(test_actions),
        cmocka_unit_test(test_go_back_0_timeout),
        cmocka_unit_test(test_selective_recovery_delay),
        cmocka_unit_test(test_read_restarts),
        cmocka_unit_test(test_selective_packet_inside_read),
        cmocka_unit_test(test_selective_long_read),
        cmocka_unit_test(test_failing_flushes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
