/* SPDX-License-Identifier: Apache-2.0 */

/* The sparklines of "show live --watch". */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "orchctl/live_history.h"

/* Returns a list of one queue that holds 'used'. */
static json_t *
queue(int used)
{
    return json_pack("[{s:s, s:s, s:i, s:i}]", "kind", "queue", "name",
                     "Ethernet0", "index", 3, "used", used);
}

/* Notes a picture, which is freed, and returns the history of its first item,
 * NULL if it has none; valid until the next call. */
static const char *
note(json_t *histories, json_t *list)
{
    static json_t *last;

    json_decref(last);
    last = list;
    live_history_note(histories, list, false);
    return json_string_value(
        json_object_get(json_array_get(list, 0), "history"));
}

static void
test_a_history_has_a_character_per_picture(void **state)
{
    json_t *histories = json_object();

    (void)state;
    assert_string_equal(note(histories, queue(5)), "_");
    assert_string_equal(note(histories, queue(9)), "_#");
    assert_string_equal(note(histories, queue(5)), "_#_");
    (void)note(histories, json_array());
    json_decref(histories);
}

static void
test_an_object_that_is_not_listed_holds_nothing(void **state)
{
    json_t *histories = json_object();

    (void)state;
    (void)note(histories, queue(9));
    assert_null(note(histories, json_array()));
    assert_string_equal(note(histories, queue(9)), "#_#");
    (void)note(histories, json_array());
    json_decref(histories);
}

static void
test_only_the_last_pictures_count(void **state)
{
    json_t *histories = json_object();

    (void)state;
    (void)note(histories, queue(9));
    for (int i = 0; i < LIVE_HISTORY_MAX; i++) {
        assert_null(note(histories, json_array()));
    }
    /* It has become idle, and is forgotten. */
    assert_int_equal(json_object_size(histories), 0);
    for (int i = 0; i < LIVE_HISTORY_MAX + 5; i++) {
        (void)note(histories, queue(i % 2 + 1));
    }
    assert_int_equal(strlen(note(histories, queue(1))), LIVE_HISTORY_MAX);
    (void)note(histories, json_array());
    json_decref(histories);
}

static void
test_objects_have_histories_of_their_own(void **state)
{
    json_t *histories = json_object();
    json_t *list = queue(1);

    (void)state;
    json_array_append_new(list, json_pack("{s:s, s:s, s:i, s:i}", "kind", "pg",
                                          "name", "Ethernet0", "index", 3,
                                          "used", 7));
    (void)note(histories, list);
    assert_int_equal(json_object_size(histories), 2);
    /* What is not known is no amount. */
    assert_null(note(histories, json_pack("[{s:s, s:s}]", "kind", "pool",
                                          "name", "shared")));
    assert_int_equal(json_object_size(histories), 2);
    (void)note(histories, json_array());
    json_decref(histories);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_history_has_a_character_per_picture),
        cmocka_unit_test(test_an_object_that_is_not_listed_holds_nothing),
        cmocka_unit_test(test_only_the_last_pictures_count),
        cmocka_unit_test(test_objects_have_histories_of_their_own),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
