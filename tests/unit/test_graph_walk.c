/* SPDX-License-Identifier: Apache-2.0 */

/* Walks over the objects and rows of an agent, and comparisons with the switch,
 * that are interrupted by changes. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "base/text.h"
#include "orchd/reconcile/graph.h"
#include "orchd/reconcile/graph_walk.h"
#include "orchd/report/differences.h"
#include "tests/support/agent_harness.h"

enum { N_PROFILES = 20 };

/* Writes profile 'i', or removes it. */
static void
put_profile(struct harness *harness, unsigned int i, bool present)
{
    char key[32];

    assert_true(text_format(key, sizeof key, "walk_%02u", i));
    harness_apply(harness, "BUFFER_PROFILE", key,
                  present ? "pool=ingress;size=0;dynamic_th=0" : NULL);
}

static void
put_profiles(struct harness *harness)
{
    for (unsigned int i = 0; i < N_PROFILES; i++) {
        put_profile(harness, i, true);
    }
}

/* Walks over all objects, and calls 'change' with the number of each profile
 * that it visits.  Counts these visits, and checks the order. */
static void
walk_objects(struct harness *harness, unsigned int visits[N_PROFILES],
             void (*change)(struct harness *harness, unsigned int i))
{
    struct graph_walk walk = {0};
    const struct object *object;
    struct object_name last = {0};
    char last_text[64] = "";

    while ((object = agent_walk_object(harness->agent, &walk))) {
        unsigned int i = N_PROFILES;

        assert_true(!last.name ||
                    object_name_compare(&last, &object->name) < 0);
        assert_true(text_copy(last_text, sizeof last_text, object->name.name));
        last = (struct object_name){last_text, object->name.table,
                                    object->name.index};
        if (sscanf(object->name.name, "walk_%u", &i) == 1) {
            visits[i]++;
            change(harness, i);
        }
    }
    graph_walk_fini(&walk);
}

static void
change_nothing(struct harness *harness, unsigned int i)
{
    (void)harness;
    (void)i;
}

static void
test_each_object_is_visited_once(void **state)
{
    unsigned int visits[N_PROFILES] = {0};

    put_profiles(*state);
    walk_objects(*state, visits, change_nothing);
    for (unsigned int i = 0; i < N_PROFILES; i++) {
        assert_int_equal(visits[i], 1);
    }
}

/* What was just visited goes, and so does what comes two steps later. */
static void
remove_some(struct harness *harness, unsigned int i)
{
    put_profile(harness, i, false);
    if (i % 4 == 0) {
        put_profile(harness, i + 2, false);
    }
}

static void
test_removed_objects_end_no_walk(void **state)
{
    unsigned int visits[N_PROFILES] = {0};

    put_profiles(*state);
    walk_objects(*state, visits, remove_some);
    for (unsigned int i = 0; i < N_PROFILES; i++) {
        assert_int_equal(visits[i], i % 4 == 2 ? 0 : 1);
    }
}

/* Objects come before and after the place of the walk. */
static void
create_some(struct harness *harness, unsigned int i)
{
    put_profile(harness, (i + N_PROFILES / 2) % N_PROFILES, true);
}

static void
test_created_objects_repeat_none(void **state)
{
    unsigned int visits[N_PROFILES] = {0};

    for (unsigned int i = 0; i < N_PROFILES; i += 2) {
        put_profile(*state, i, true);
    }
    walk_objects(*state, visits, create_some);
    for (unsigned int i = 0; i < N_PROFILES; i++) {
        assert_in_range(visits[i], i % 2 == 0, 1);
    }
}

static void
test_rows_are_visited_once_while_some_go(void **state)
{
    struct harness *harness = *state;
    struct graph_walk walk = {0};
    const struct row_status *row;
    unsigned int n = 0, i;

    put_profiles(harness);
    while ((row = agent_walk_row(harness->agent, &walk))) {
        if (sscanf(row->key, "walk_%u", &i) == 1) {
            n++;
            remove_some(harness, i);
        }
    }
    graph_walk_fini(&walk);
    assert_int_equal(n, N_PROFILES - N_PROFILES / 4);
}

/* Compares one attribute at a time, while profiles change: what the switch has
 * is always what is intended. */
static void
test_changes_during_a_comparison_are_no_differences(void **state)
{
    struct harness *harness = *state;
    struct differences *differences = differences_create();
    unsigned int n = 0;
    json_t *data;

    put_profiles(harness);
    while (differences_read(differences, harness->agent,
                            store_backend(harness->store), 1)) {
        put_profile(harness, n % N_PROFILES, n / N_PROFILES % 2);
        n++;
    }
    data = differences_end(differences);
    assert_true(n > N_PROFILES);
    assert_int_equal(json_array_size(json_object_get(data, "differences")), 0);
    assert_true(json_integer_value(json_object_get(data, "compared")) >
                (json_int_t)N_PROFILES);
    json_decref(data);
}

/* The sanitizers notice what would be left. */
static void
test_a_comparison_may_end_in_the_middle(void **state)
{
    struct harness *harness = *state;
    struct differences *differences = differences_create();

    assert_true(differences_read(differences, harness->agent,
                                 store_backend(harness->store), 1));
    differences_destroy(differences);
    differences_destroy(NULL);
}

#define WALK_TEST(name)                                                        \
    cmocka_unit_test_setup_teardown(name, harness_setup_applied,               \
                                    harness_teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        WALK_TEST(test_each_object_is_visited_once),
        WALK_TEST(test_removed_objects_end_no_walk),
        WALK_TEST(test_created_objects_repeat_none),
        WALK_TEST(test_rows_are_visited_once_while_some_go),
        WALK_TEST(test_changes_during_a_comparison_are_no_differences),
        WALK_TEST(test_a_comparison_may_end_in_the_middle),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
