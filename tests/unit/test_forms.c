/* SPDX-License-Identifier: Apache-2.0 */

/* What softasic.h has besides SAI arrives in another process as it was sent. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "vendors/softasic/remote/forms.h"
#include "vendors/softasic/remote/marshal.h"
#include "vendors/softasic/softasic.h"

/* A request with something in every member. */
static const struct softasic_send all = {
    .from = 1,
    .to = 2,
    .destination = {3, 4, 5, 6, 7, 8},
    .n_frames = 9,
    .frame_bytes = 10,
    .dscp = 11,
    .ecn = 1,
    .until = SOFTASIC_UNTIL_DROP,
    .has_tag = true,
    .vlan = 13,
    .pcp = 4,
    .is_not_ip = true,
    .ip_id = 15,
};

static void
test_every_member_arrives(void **state)
{
    struct softasic_flow flow, again;
    struct softasic_send send;
    struct wire_out out = {0};
    struct wire_in in;

    (void)state;
    memset(&flow, 0, sizeof flow); /* The padding, too: it is compared. */
    flow.number = 16;
    memcpy(&flow.look, &all, sizeof all);
    flow.n_burst = 1;
    forms_put(&out, &forms_send, &all);
    forms_put(&out, &forms_flow, &flow);
    in = (struct wire_in){out.bytes, (uint32_t)out.length, false};
    forms_get(&in, &forms_send, &send);
    forms_get(&in, &forms_flow, &again);
    assert_true(wire_ended(&in));
    assert_memory_equal(&send, &all, sizeof all);
    assert_memory_equal(&again, &flow, sizeof flow);
    wire_out_fini(&out);
}

static void
test_the_name_says_which_forms_these_are(void **state)
{
    char name[FORMS_NAME_BYTES], again[FORMS_NAME_BYTES];

    (void)state;
    forms_name(name);
    forms_name(again);
    assert_int_equal(strlen(name), strlen("softasic/01234567"));
    assert_memory_equal(name, "softasic/", 9);
    assert_string_equal(name, again);
}

/* Sends a request for 'op' with 'values' and reads it back into '*got'. */
static void
pass_request(enum marshal_op op, const union marshal_value values[],
             union marshal_value got[MARSHAL_PARAMETERS_MAX])
{
    struct wire_out out = {0};
    struct wire_in in;

    assert_true(marshal_is_complete(op, values));
    assert_true(marshal_put_request(&out, op, values));
    in = (struct wire_in){out.bytes, out.length, false};
    assert_true(marshal_get_request(&in, op, got));
    wire_out_fini(&out);
}

/* Sends the reply to a call with 'results' and reads it into 'values'. */
static bool
pass_reply(enum marshal_op op, sai_status_t status,
           const union marshal_value results[],
           const union marshal_value values[])
{
    struct wire_out out = {0};
    struct wire_in in;
    bool good;

    marshal_put_reply(&out, op, status, results);
    in = (struct wire_in){out.bytes, out.length, false};
    assert_int_equal(wire_get_u32(&in), (uint32_t)status);
    good = marshal_get_reply(&in, op, status, values);
    wire_out_fini(&out);
    return good;
}

static void
test_a_list_comes_back_with_its_length(void **state)
{
    uint32_t n = 3;
    struct softasic_received rows[3] = {{0}};
    const union marshal_value values[] = {
        {.number = 7}, {.out = &n}, {.out = rows}};
    union marshal_value host[MARSHAL_PARAMETERS_MAX];
    struct softasic_received *host_rows;

    (void)state;
    pass_request(MARSHAL_OP_received, values, host);
    assert_int_equal(host[0].number, 7);
    assert_int_equal(*(uint32_t *)host[1].out, 3);
    host_rows = host[2].out;
    host_rows[1] = (struct softasic_received){.dscp = 8, .n_bytes = 9};

    /* Too little room: the caller learns how much it needs, and no more. */
    *(uint32_t *)host[1].out = 5;
    assert_true(pass_reply(MARSHAL_OP_received, SAI_STATUS_BUFFER_OVERFLOW,
                           host, values));
    assert_int_equal(n, 5);
    assert_int_equal(rows[1].dscp, 0);

    n = 3;
    *(uint32_t *)host[1].out = 2;
    assert_true(
        pass_reply(MARSHAL_OP_received, SAI_STATUS_SUCCESS, host, values));
    assert_int_equal(n, 2);
    assert_int_equal(rows[1].dscp, 8);
    assert_int_equal(rows[1].n_bytes, 9);

    /* More rows than were asked for. */
    n = 1;
    assert_false(
        pass_reply(MARSHAL_OP_received, SAI_STATUS_SUCCESS, host, values));
    assert_int_equal(n, 1);
    marshal_free(MARSHAL_OP_received, host);
}

static void
test_a_failure_leaves_results_alone(void **state)
{
    uint64_t n_done = 1;
    uint64_t n_host = 2;
    const union marshal_value values[] = {{.number = 4}, {.out = &n_done}};
    const union marshal_value host[] = {{.number = 4}, {.out = &n_host}};
    const union marshal_value nothing[] = {{.number = 4}, {.out = NULL}};

    (void)state;
    assert_true(pass_reply(MARSHAL_OP_step, SAI_STATUS_FAILURE, host, values));
    assert_int_equal(n_done, 1);
    assert_true(pass_reply(MARSHAL_OP_step, SAI_STATUS_SUCCESS, host, values));
    assert_int_equal(n_done, 2);
    assert_true(marshal_is_complete(MARSHAL_OP_step, nothing));
    assert_true(pass_reply(MARSHAL_OP_step, SAI_STATUS_SUCCESS, host, nothing));
}

static void
test_requests_are_checked(void **state)
{
    const union marshal_value trace[] = {{.number = 1},
                                         {.number = FORMS_ROWS_MAX + 1}};
    const union marshal_value unknown[] = {{.number = 1}, {.out = NULL}};
    union marshal_value got[MARSHAL_PARAMETERS_MAX];
    struct wire_out out = {0};
    struct wire_in in;

    (void)state;
    assert_false(marshal_put_request(&out, MARSHAL_OP_trace, trace));
    assert_false(marshal_is_complete(MARSHAL_OP_pg_state, unknown));
    wire_out_fini(&out);

    /* A boolean that is neither 0 nor 1. */
    out = (struct wire_out){0};
    wire_put_u64(&out, 1);
    wire_put_u64(&out, 2);
    in = (struct wire_in){out.bytes, out.length, false};
    assert_false(marshal_get_request(&in, MARSHAL_OP_capture, got));
    marshal_free(MARSHAL_OP_capture, got);
    wire_out_fini(&out);
}

static void
test_texts_stay_where_they_are(void **state)
{
    struct wire_out out = {0};
    struct wire_in in;
    const char *first;

    (void)state;
    wire_put_text(&out, "td2");
    wire_put_text(&out, "td3");
    wire_put_text(&out, "td2");
    in = (struct wire_in){out.bytes, out.length, false};
    first = forms_get_text(&in);
    assert_string_equal(first, "td2");
    assert_string_equal(forms_get_text(&in), "td3");
    assert_ptr_equal(forms_get_text(&in), first);
    assert_true(wire_ended(&in));
    wire_out_fini(&out);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_member_arrives),
        cmocka_unit_test(test_the_name_says_which_forms_these_are),
        cmocka_unit_test(test_a_list_comes_back_with_its_length),
        cmocka_unit_test(test_a_failure_leaves_results_alone),
        cmocka_unit_test(test_requests_are_checked),
        cmocka_unit_test(test_texts_stay_where_they_are),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
