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
    const struct softasic_flow flow = {.number = 16, .look = all, .n_burst = 1};
    struct softasic_send send;
    struct softasic_flow again;
    struct wire_out out = {0};
    struct wire_in in;

    (void)state;
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

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_member_arrives),
        cmocka_unit_test(test_the_name_says_which_forms_these_are),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
