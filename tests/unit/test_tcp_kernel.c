/* SPDX-License-Identifier: Apache-2.0 */

/* What kernels do and RFCs allow: acknowledgements that are not delayed, and a
 * round-trip time that the handshake has measured. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/tcp_trace.h"
#include "twin/transport/tcp.h"

/* A receiver with 'quick' acknowledgements at the start. */
static void
begin_receiver(struct trace *trace, uint16_t quick)
{
    struct tcp_config config = config_of(TCP_RENO, TCP_SACK, 10);

    config.quick_acks = quick;
    begin(trace, &config, 0);
}

static void
test_first_acks_are_not_delayed(void **state)
{
    struct trace trace;

    (void)state;
    begin_receiver(&trace, 3);
    for (uint32_t i = 1; i <= 3; i++) {
        receive(&trace, i, false, false);
        acks(&trace, i, false);
    }
    receive(&trace, 4, false, false);
    acks_nothing(&trace);
    assert_int_equal(tcp_deadline_ps(trace.tcp), 40 * MS);
    receive(&trace, 5, false, false);
    acks(&trace, 5, false);
    end(&trace);
}

/* The RTO of the receiver is 1 s, as it has no sample. */
static void
test_acks_after_silence_are_not_delayed(void **state)
{
    for (int64_t extra_ps = 0; extra_ps <= 1; extra_ps++) {
        struct trace trace;

        (void)state;
        begin_receiver(&trace, 1);
        receive(&trace, 1, false, false);
        acks(&trace, 1, false);
        trace.now_ps = 1000 * MS + extra_ps;
        receive(&trace, 2, false, false);
        if (extra_ps) {
            acks(&trace, 2, false);
        } else {
            acks_nothing(&trace);
        }
        end(&trace);
    }
}

static void
test_acks_after_a_duplicate_are_not_delayed(void **state)
{
    struct trace trace;
    struct tcp_segment segment;

    (void)state;
    begin_receiver(&trace, 2);
    for (uint32_t i = 1; i <= 2; i++) {
        receive(&trace, i, false, false);
        acks(&trace, i, false);
    }
    receive(&trace, 2, false, false); /* Uses one of two itself. */
    assert_true(tcp_next_ack(trace.tcp, &segment));
    receive(&trace, 3, false, false);
    acks(&trace, 3, false);
    receive(&trace, 4, false, false);
    acks_nothing(&trace);
    end(&trace);
}

/* RFC 6298, 2.2: RTTVAR is half of it. */
static void
test_handshake_is_the_first_sample(void **state)
{
    struct tcp_config config = config_of(TCP_RENO, TCP_SACK, 10);
    struct trace trace;

    (void)state;
    config.handshake_ps = 100 * MS;
    begin(&trace, &config, 100);
    assert_int_equal(tcp_srtt_ps(trace.tcp), 100 * MS);
    assert_int_equal(tcp_rto_ps(trace.tcp), 300 * MS);
    sends(&trace, 1, 10);
    trace.now_ps = 20 * MS;
    ack(&trace, 10);
    assert_int_equal(tcp_srtt_ps(trace.tcp), 90 * MS);
    end(&trace);
}

/* With it the loss of a whole first window is probed after two round trips, as
 * RFC 8985 says, and without it after 1 s. */
static void
test_handshake_times_the_first_probe(void **state)
{
    struct tcp_config config = config_of(TCP_RENO, TCP_RACK, 10);
    struct trace trace;

    (void)state;
    config.handshake_ps = 10 * MS;
    begin(&trace, &config, 10);
    sends_only(&trace, 1, 10);
    expires(&trace, 20 * MS);
    sends_only(&trace, 10, 10);
    end(&trace);
    config.handshake_ps = 0;
    config.first_rto_ps = 3000 * MS;
    begin(&trace, &config, 10);
    sends_only(&trace, 1, 10);
    expires(&trace, 1000 * MS);
    sends_only(&trace, 10, 10);
    end(&trace);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_acks_are_not_delayed),
        cmocka_unit_test(test_acks_after_silence_are_not_delayed),
        cmocka_unit_test(test_acks_after_a_duplicate_are_not_delayed),
        cmocka_unit_test(test_handshake_is_the_first_sample),
        cmocka_unit_test(test_handshake_times_the_first_probe),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
