/* SPDX-License-Identifier: Apache-2.0 */

/* Rows in memory: what takes effect when, and what is reported. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/check.h"
#include "base/text.h"
#include "base/timeline.h"
#include "orchd/intent/intent.h"
#include "orchd/intent/schema.h"
#include "tests/support/seed.h"

#define N(array) (sizeof(array) / sizeof *(array))
#define MS       INT64_C(1000000)

static struct schema *schema;

/* An intent with its timeline, at a time of its own. */
struct world {
    struct timeline *timeline;
    struct intent *intent;
    int64_t now;
};

static int
setup(void **state)
{
    struct world *world = check_calloc(1, sizeof *world);

    world->timeline = timeline_create();
    world->intent = intent_create(schema, world->timeline, false);
    world->now = 1000 * MS;
    *state = world;
    return 0;
}

static int
teardown(void **state)
{
    struct world *world = *state;

    intent_destroy(world->intent);
    assert_true(timeline_next(world->timeline) == TIMELINE_NEVER);
    timeline_destroy(world->timeline);
    free(world);
    return 0;
}

static void
pass(struct world *world, int64_t ms)
{
    world->now += ms * MS;
    timeline_run(world->timeline, world->now);
}

/* Puts a row from "field=value field=value". */
static void
put(struct world *world, enum table table, const char *key, const char *text)
{
    char *copy = check_strdup(text), *save = NULL;
    struct field fields[8];
    size_t n = 0;

    for (char *item = strtok_r(copy, " ", &save); item;
         item = strtok_r(NULL, " ", &save)) {
        char *value = strchr(item, '=');

        *value = '\0';
        fields[n++] = (struct field){item, value + 1};
    }
    intent_put(world->intent, table, key, fields, n, world->now);
    free(copy);
}

static void
profile(struct world *world, const char *text)
{
    put(world, TABLE_BUFFER_PROFILE, "f", text);
}

/* Writes a row as "key + field=value ..." or, for a bad verdict, "key !code +
 * field=value ..."; without the plus where nothing is in force; "key -" if it
 * is not present. */
static void
describe(const struct row *row, struct text *text)
{
    text_addf(text, "%s", row->key);
    if (!row->present) {
        text_add(text, " -");
        return;
    }
    if (row->verdict != ROW_ACCEPTED) {
        text_addf(text, " !%s", row->err ? row->err->code : "undecided");
    }
    text_add(text, row->effective ? " +" : "");
    for (size_t i = 0; i < row->n_fields; i++) {
        text_addf(text, " %s=%s", row->fields[i].name, row->fields[i].value);
    }
    if (*row->warnings) {
        text_addf(text, " (%s)", row->warnings);
    }
}

/* Asserts that exactly the rows 'expected' are taken, separated by "; ". */
static void
expect(struct world *world, const char *expected)
{
    struct text text = {0};
    const struct row *row;

    while ((row = intent_take(world->intent))) {
        text_add(&text, text.length ? "; " : "");
        describe(row, &text);
    }
    if (strcmp(text_string(&text), expected) != 0) {
        fail_msg("\"%s\", not \"%s\"", text_string(&text), expected);
    }
    text_fini(&text);
}

#define GOOD "dynamic_th=1 pool=p size=1"

static void
test_good_row_takes_effect_at_once(void **state)
{
    struct world *world = *state;

    profile(world, GOOD);
    assert_false(intent_unsettled(world->intent));
    expect(world, "f + " GOOD);
    expect(world, "");
    profile(world, "dynamic_th=2 pool=p size=1");
    expect(world, "f + dynamic_th=2 pool=p size=1");
    profile(world, "dynamic_th=2 pool=p size=1 xon=7");
    expect(world, "f + dynamic_th=2 pool=p size=1 xon=7");
}

static void
test_repetition_is_no_change(void **state)
{
    struct world *world = *state;

    profile(world, GOOD);
    expect(world, "f + " GOOD);
    profile(world, "size=1 dynamic_th=1 pool=p");
    expect(world, "");
    profile(world, "size=01 dynamic_th=1 pool=p");
    expect(world, "");
}

static void
test_changes_before_a_take_are_reported_once(void **state)
{
    struct world *world = *state;

    profile(world, GOOD);
    put(world, TABLE_BUFFER_PG, "e|3", "profile=f");
    profile(world, "dynamic_th=2 pool=p size=1");
    expect(world, "f + dynamic_th=2 pool=p size=1; e|3 + profile=f");
}

static void
test_bad_verdict_waits_for_quiet(void **state)
{
    struct world *world = *state;

    profile(world, GOOD);
    expect(world, "f + " GOOD);
    profile(world, "dynamic_th=9 pool=p size=1");
    assert_true(intent_unsettled(world->intent));
    pass(world, 49);
    expect(world, "");
    pass(world, 1);
    assert_false(intent_unsettled(world->intent));
    expect(world, "f !range + " GOOD);
    assert_string_equal(
        intent_get(world->intent, TABLE_BUFFER_PROFILE, "f")->err->value, "9");
    profile(world, GOOD);
    expect(world, "f + " GOOD);
    assert_null(intent_get(world->intent, TABLE_BUFFER_PROFILE, "f")->err);
}

static void
test_first_content_written_field_by_field(void **state)
{
    struct world *world = *state;
    const struct row *row;

    profile(world, "pool=p");
    row = intent_get(world->intent, TABLE_BUFFER_PROFILE, "f");
    assert_int_equal(row->verdict, ROW_UNDECIDED);
    assert_false(row->present);
    pass(world, 10);
    profile(world, "pool=p size=1");
    pass(world, 10);
    profile(world, GOOD);
    expect(world, "f + " GOOD);
    assert_false(intent_unsettled(world->intent));
    pass(world, 1000);
    expect(world, "");
}

static void
test_first_content_that_stays_bad_is_rejected(void **state)
{
    struct world *world = *state;

    profile(world, "pool=p");
    pass(world, 50);
    expect(world, "f !mandatory");
    profile(world, GOOD);
    expect(world, "f + " GOOD);
}

static void
test_removed_field_waits_for_quiet(void **state)
{
    struct world *world = *state;

    profile(world, GOOD " xon=7");
    expect(world, "f + " GOOD " xon=7");
    profile(world, "dynamic_th=2 pool=p size=1");
    pass(world, 49);
    expect(world, "");
    pass(world, 1);
    expect(world, "f + dynamic_th=2 pool=p size=1");
}

static void
test_one_threshold_for_the_other_field_by_field(void **state)
{
    struct world *world = *state;

    profile(world, GOOD);
    expect(world, "f + " GOOD);
    profile(world, "pool=p size=1");
    pass(world, 20);
    profile(world, "pool=p size=1 static_th=5");
    expect(world, "");
    pass(world, 50);
    expect(world, "f + pool=p size=1 static_th=5");
}

static void
test_removed_row_waits_for_quiet(void **state)
{
    struct world *world = *state;

    profile(world, GOOD);
    expect(world, "f + " GOOD);
    intent_remove(world->intent, TABLE_BUFFER_PROFILE, "f", world->now);
    pass(world, 20);
    intent_remove(world->intent, TABLE_BUFFER_PROFILE, "f", world->now);
    pass(world, 29);
    expect(world, "");
    pass(world, 1);
    expect(world, "f -");
    assert_null(intent_get(world->intent, TABLE_BUFFER_PROFILE, "f"));
    intent_remove(world->intent, TABLE_BUFFER_PROFILE, "f", world->now);
    assert_false(intent_unsettled(world->intent));
}

static void
test_row_without_fields_is_no_row(void **state)
{
    struct world *world = *state;

    profile(world, "");
    assert_null(intent_get(world->intent, TABLE_BUFFER_PROFILE, "f"));
    profile(world, GOOD);
    expect(world, "f + " GOOD);
    profile(world, "");
    pass(world, 50);
    expect(world, "f -");
}

static void
test_deleted_and_rewritten_row_is_not_disturbed(void **state)
{
    struct world *world = *state;

    profile(world, GOOD);
    expect(world, "f + " GOOD);
    intent_remove(world->intent, TABLE_BUFFER_PROFILE, "f", world->now);
    pass(world, 10);
    profile(world, "pool=p");
    pass(world, 10);
    profile(world, "pool=p size=1");
    pass(world, 10);
    profile(world, GOOD);
    pass(world, 1000);
    expect(world, "");
}

static void
test_patience_ends(void **state)
{
    struct world *world = *state;
    int64_t waited = 0;

    profile(world, GOOD);
    expect(world, "f + " GOOD);
    for (int i = 0; i < 100; i++) {
        const struct row *row =
            intent_get(world->intent, TABLE_BUFFER_PROFILE, "f");

        profile(world, i % 2 ? "pool=p" : "pool=p size=1");
        if (row->verdict == ROW_REJECTED) {
            break;
        }
        pass(world, 40);
        waited += 40;
    }
    assert_true(waited >= 500 && waited <= 540);
    expect(world, "f !mandatory + " GOOD);
    /* A new wait has a new patience. */
    pass(world, 50);
    expect(world, "f !mandatory + " GOOD);
}

static void
test_row_gone_before_anybody_knew_goes_silently(void **state)
{
    struct world *world = *state;

    profile(world, GOOD);
    intent_remove(world->intent, TABLE_BUFFER_PROFILE, "f", world->now);
    pass(world, 50);
    expect(world, "");
    assert_null(intent_get(world->intent, TABLE_BUFFER_PROFILE, "f"));
    profile(world, "pool=p");
    pass(world, 10);
    intent_remove(world->intent, TABLE_BUFFER_PROFILE, "f", world->now);
    pass(world, 50);
    expect(world, "");
    assert_false(intent_unsettled(world->intent));
}

static void
test_row_back_before_its_end_was_taken(void **state)
{
    struct world *world = *state;

    profile(world, GOOD);
    expect(world, "f + " GOOD);
    intent_remove(world->intent, TABLE_BUFFER_PROFILE, "f", world->now);
    pass(world, 50);
    profile(world, GOOD);
    expect(world, "f + " GOOD);
    intent_remove(world->intent, TABLE_BUFFER_PROFILE, "f", world->now);
    pass(world, 50);
    profile(world, "pool=p");
    expect(world, "f -");
    assert_non_null(intent_get(world->intent, TABLE_BUFFER_PROFILE, "f"));
    pass(world, 50);
    expect(world, "f !mandatory");
    intent_remove(world->intent, TABLE_BUFFER_PROFILE, "f", world->now);
    pass(world, 50);
    expect(world, "f -");
}

static void
test_taken_row_without_presence_lives_until_the_next_call(void **state)
{
    struct world *world = *state;
    const struct row *row;

    profile(world, GOOD);
    expect(world, "f + " GOOD);
    intent_remove(world->intent, TABLE_BUFFER_PROFILE, "f", world->now);
    pass(world, 50);
    row = intent_take(world->intent);
    assert_non_null(row);
    assert_string_equal(row->key, "f");
    assert_int_equal(row->n_fields, 0);
    assert_null(row_field(row, "pool"));
    assert_null(intent_take(world->intent));
}

static void
test_hold_keeps_what_would_go(void **state)
{
    struct world *world = *state;

    profile(world, GOOD " xon=7");
    put(world, TABLE_BUFFER_PG, "e|3", "profile=f");
    put(world, TABLE_BUFFER_PG, "e|4", "profile=f");
    expect(world, "f + " GOOD " xon=7; e|3 + profile=f; e|4 + profile=f");
    intent_hold(world->intent, true, world->now);
    profile(world, GOOD);
    intent_remove(world->intent, TABLE_BUFFER_PG, "e|3", world->now);
    put(world, TABLE_BUFFER_PG, "e|4", "profile=[x]");
    assert_true(intent_unsettled(world->intent));
    assert_int_equal(intent_withheld(world->intent), 0);
    pass(world, 10000);
    expect(world, "e|4 !reference + profile=f");
    /* Nothing waits for these two: they may never become valid. */
    assert_false(intent_unsettled(world->intent));
    assert_int_equal(intent_withheld(world->intent), 2);
    /* What is new takes effect even so. */
    put(world, TABLE_BUFFER_PG, "e|5", "profile=f");
    expect(world, "e|5 + profile=f");
    intent_hold(world->intent, false, world->now);
    assert_false(intent_unsettled(world->intent));
    assert_int_equal(intent_withheld(world->intent), 0);
    expect(world, "f + " GOOD "; e|3 -");
}

static void
test_hold_that_ends_early_leaves_the_quiet(void **state)
{
    struct world *world = *state;

    profile(world, GOOD);
    expect(world, "f + " GOOD);
    intent_hold(world->intent, true, world->now);
    intent_remove(world->intent, TABLE_BUFFER_PROFILE, "f", world->now);
    pass(world, 20);
    intent_hold(world->intent, false, world->now);
    pass(world, 29);
    expect(world, "");
    pass(world, 1);
    expect(world, "f -");
}

static void
test_row_that_returns_during_a_hold_stays(void **state)
{
    struct world *world = *state;

    profile(world, GOOD);
    expect(world, "f + " GOOD);
    intent_hold(world->intent, true, world->now);
    intent_remove(world->intent, TABLE_BUFFER_PROFILE, "f", world->now);
    pass(world, 1000);
    profile(world, GOOD);
    intent_hold(world->intent, false, world->now);
    pass(world, 1000);
    expect(world, "");
}

static void
test_reading_removes_what_it_did_not_find(void **state)
{
    struct world *world = *state;

    profile(world, GOOD);
    put(world, TABLE_BUFFER_PG, "e|3", "profile=f");
    put(world, TABLE_BUFFER_PG, "e|4", "profile=f");
    expect(world, "f + " GOOD "; e|3 + profile=f; e|4 + profile=f");
    intent_resync_begin(world->intent);
    profile(world, GOOD);
    put(world, TABLE_BUFFER_PG, "e|3", "profile=g");
    intent_resync_end(world->intent, world->now);
    expect(world, "e|3 + profile=g");
    pass(world, 50);
    expect(world, "e|4 -");
    /* An end without a beginning means nothing. */
    intent_resync_end(world->intent, world->now);
    pass(world, 50);
    expect(world, "");
}

static void
test_reading_that_was_broken_off_removes_nothing(void **state)
{
    struct world *world = *state;

    profile(world, GOOD);
    put(world, TABLE_BUFFER_PG, "e|3", "profile=f");
    expect(world, "f + " GOOD "; e|3 + profile=f");
    intent_resync_begin(world->intent);
    profile(world, GOOD);
    intent_resync_begin(world->intent);
    put(world, TABLE_BUFFER_PG, "e|3", "profile=f");
    profile(world, GOOD);
    intent_resync_end(world->intent, world->now);
    pass(world, 1000);
    expect(world, "");
}

static void
test_unsupported_rows_are_answered(void **state)
{
    struct world *world = *state;
    const struct row *row;

    put(world, TABLE_FLEX_COUNTER_TABLE, "ACL", "POLL_INTERVAL=500");
    expect(world, "ACL !other-group");
    put(world, TABLE_FLEX_COUNTER_TABLE, "ACL", "POLL_INTERVAL=1000");
    expect(world, "");
    row = intent_get(world->intent, TABLE_FLEX_COUNTER_TABLE, "ACL");
    assert_int_equal(row->verdict, ROW_UNSUPPORTED);
    assert_int_equal(row->err->status, ST_UNSUPPORTED);
    assert_int_equal(row->n_fields, 0);
    intent_remove(world->intent, TABLE_FLEX_COUNTER_TABLE, "ACL", world->now);
    pass(world, 50);
    expect(world, "ACL -");
}

static void
test_bad_key_is_rejected(void **state)
{
    struct world *world = *state;
    const struct row *row;

    put(world, TABLE_BUFFER_PG, "e|9-3", "profile=x");
    pass(world, 50);
    expect(world, "e|9-3 !key");
    row = intent_get(world->intent, TABLE_BUFFER_PG, "e|9-3");
    assert_null(row->ports);
    put(world, TABLE_BUFFER_PG, "e,f|3-4", "profile=x");
    row = intent_get(world->intent, TABLE_BUFFER_PG, "e,f|3-4");
    assert_int_equal(row->n_ports, 2);
    assert_string_equal(row->ports[1], "f");
    assert_int_equal(row->first, 3);
    assert_int_equal(row->last, 4);
    expect(world, "e,f|3-4 + profile=x");
}

static void
test_warnings_are_reported(void **state)
{
    struct world *world = *state;

    put(world, TABLE_BUFFER_PG, "e|3", "profile=f");
    expect(world, "e|3 + profile=f");
    put(world, TABLE_BUFFER_PG, "e|3", "profile=f pg=1");
    expect(world, "e|3 + profile=f (unknown-field pg)");
    put(world, TABLE_BUFFER_PG, "e|3", "profile=f");
    expect(world, "e|3 + profile=f");
}

static void
test_strict_rejects_unknown_fields(void **state)
{
    struct world *world = *state;

    intent_destroy(world->intent);
    world->intent = intent_create(schema, world->timeline, true);
    put(world, TABLE_BUFFER_PG, "e|3", "profile=f pg=1");
    pass(world, 50);
    expect(world, "e|3 !unknown-field");
}

static void
test_buffer_model_judges_pools_anew(void **state)
{
    struct world *world = *state;

    put(world, TABLE_BUFFER_POOL, "p", "type=ingress mode=dynamic");
    pass(world, 50);
    expect(world, "p !mandatory");
    put(world, TABLE_DEVICE_METADATA, "localhost", "buffer_model=dynamic");
    expect(world, "localhost + buffer_model=dynamic; p + mode=dynamic "
                  "type=ingress");
    put(world, TABLE_DEVICE_METADATA, "localhost", "buffer_model=traditional");
    pass(world, 50);
    expect(world, "localhost + buffer_model=traditional; "
                  "p !mandatory + mode=dynamic type=ingress");
    put(world, TABLE_DEVICE_METADATA, "localhost", "buffer_model=dynamic");
    expect(world, "localhost + buffer_model=dynamic; p + mode=dynamic "
                  "type=ingress");
    intent_remove(world->intent, TABLE_DEVICE_METADATA, "localhost",
                  world->now);
    pass(world, 50);
    pass(world, 50);
    expect(world, "localhost -; p !mandatory + mode=dynamic type=ingress");
}

static void
test_unusable_metadata_keeps_what_is_in_force(void **state)
{
    struct world *world = *state;

    put(world, TABLE_DEVICE_METADATA, "localhost",
        "buffer_model=dynamic hwsku=a");
    expect(world, "localhost + buffer_model=dynamic hwsku=a");
    put(world, TABLE_DEVICE_METADATA, "localhost",
        "buffer_model=quick hwsku=b");
    expect(world, "localhost + buffer_model=dynamic hwsku=b "
                  "(unusable-field buffer_model (allowed: "
                  "dynamic|traditional))");
}

static void
add_name(const struct row *row, void *context)
{
    text_addf(context, "%s|%s ", table_name(row->table), row->key);
}

static void
test_each_visits_in_order(void **state)
{
    struct world *world = *state;
    struct text text = {0};

    put(world, TABLE_BUFFER_PG, "e|4", "profile=f");
    put(world, TABLE_BUFFER_PG, "e|3", "profile=f");
    put(world, TABLE_BUFFER_POOL, "p", "pool=");
    put(world, TABLE_PORT, "b", "lanes=1 speed=1");
    put(world, TABLE_PORT, "a", "lanes=1 speed=1");
    intent_each(world->intent, add_name, &text);
    assert_string_equal(text_string(&text),
                        "PORT|a PORT|b BUFFER_POOL|p BUFFER_PG|e|3 "
                        "BUFFER_PG|e|4 ");
    text_fini(&text);
}

/* -- Any history with the same end has the same end ----------------------- */

static const struct {
    enum table table;
    const char *key;
    const char *good[3];
    const char *bad[2];
} random_rows[] = {
    {TABLE_BUFFER_POOL,
     "p",
     {"type=ingress mode=dynamic size=1", "type=ingress mode=static size=2",
      "type=egress mode=dynamic size=3 xoff=4"},
     {"type=ingress", "type=x mode=static size=1"}},
    {TABLE_BUFFER_PROFILE,
     "f",
     {"pool=p size=1 dynamic_th=1", "pool=p size=1 static_th=1",
      "pool=q size=1 dynamic_th=1 xon=1 xoff=2"},
     {"pool=p", "pool=p size=1 dynamic_th=1 static_th=1"}},
    {TABLE_BUFFER_PG,
     "e|3",
     {"profile=f", "profile=NULL", "NULL=NULL"},
     {"profile=[", "profile=a,b"}},
    {TABLE_DSCP_TO_TC_MAP,
     "m",
     {"1=1 2=2", "1=2", "3=3 4=4 5=5"},
     {"64=1", "1=16"}},
    {TABLE_PORT_QOS_MAP,
     "e",
     {"dscp_to_tc_map=m pfc_enable=3,4", "pfc_enable=", "tc_to_pg_map=n"},
     {"pfc_enable=8", "dscp_to_tc_map=[X|y]"}},
    {TABLE_CABLE_LENGTH, "AZURE", {"e=5m", "e=40m", "f=5m"}, {"e=1", "e=2km"}},
    {TABLE_FLEX_COUNTER_TABLE, "ACL", {"e=5", "e=40", "f=5"}, {"e=1", "e=2"}},
};

#define N_ROWS N(random_rows)

/* What a reader of all results of intent_take() knows. */
struct follower {
    char *rows[N_ROWS]; /* As describe() has it; NULL if not present. */
};

/* Takes all rows, checks each, and brings 'follower' up to date. */
static void
follow(struct world *world, struct follower *follower)
{
    const struct row *row;

    while ((row = intent_take(world->intent))) {
        struct text text = {0};
        size_t i = 0;

        while (strcmp(random_rows[i].key, row->key) != 0) {
            i++;
        }
        assert_int_not_equal(row->verdict, ROW_UNDECIDED);
        assert_true((row->verdict == ROW_ACCEPTED) == (row->err == NULL));
        assert_true(row->present || (!row->effective && !row->n_fields));
        for (size_t j = 1; j < row->n_fields; j++) {
            assert_true(strcmp(row->fields[j - 1].name, row->fields[j].name) <
                        0);
        }
        describe(row, &text);
        free(follower->rows[i]);
        follower->rows[i] = row->present ? text_take(&text) : NULL;
        text_fini(&text);
    }
}

/* Asserts that 'follower' knows exactly what is in memory. */
static void
check_follower(const struct world *world, const struct follower *follower)
{
    for (size_t i = 0; i < N_ROWS; i++) {
        const struct row *row =
            intent_get(world->intent, random_rows[i].table, random_rows[i].key);
        struct text text = {0};

        if (row && row->present) {
            describe(row, &text);
            assert_non_null(follower->rows[i]);
            assert_string_equal(follower->rows[i], text_string(&text));
        } else {
            assert_null(follower->rows[i]);
        }
        text_fini(&text);
    }
}

static void
put_random(struct world *world, size_t row, uint64_t choice)
{
    const char *text = choice < 3 ? random_rows[row].good[choice]
                                  : random_rows[row].bad[choice - 3];

    put(world, random_rows[row].table, random_rows[row].key, text);
}

/* One random step.  No removal may mature while 'held'. */
static void
step(struct world *world, uint64_t *seed, bool *held)
{
    size_t row = seed_next(seed) % N_ROWS;

    switch (seed_next(seed) % 10) {
    case 0:
    case 1:
        intent_remove(world->intent, random_rows[row].table,
                      random_rows[row].key, world->now);
        break;
    case 2:
        *held = !*held;
        intent_hold(world->intent, *held, world->now);
        break;
    case 3:
        intent_resync_begin(world->intent);
        put_random(world, row, seed_next(seed) % 5);
        intent_resync_end(world->intent, world->now);
        break;
    default:
        put_random(world, row, seed_next(seed) % 5);
        break;
    }
    pass(world, (int64_t)(seed_next(seed) % 80));
}

static void
random_history(struct world *world, uint64_t seed)
{
    struct follower follower = {{NULL}}, fresh_follower = {{NULL}};
    struct world *fresh;
    bool held = false;

    setup((void **)&fresh);
    for (int i = 0; i < 200; i++) {
        step(world, &seed, &held);
        if (seed_next(&seed) % 4 == 0) {
            follow(world, &follower);
            check_follower(world, &follower);
        }
        assert_true(intent_unsettled(world->intent) || held ||
                    timeline_next(world->timeline) == TIMELINE_NEVER);
    }
    for (size_t i = 0; i < N_ROWS; i++) {
        uint64_t last = seed_next(&seed) % 4;

        if (last == 3) {
            intent_remove(world->intent, random_rows[i].table,
                          random_rows[i].key, world->now);
        } else {
            put_random(world, i, last);
            put_random(fresh, i, last);
        }
    }
    intent_hold(world->intent, false, world->now);
    pass(world, 500);
    assert_false(intent_unsettled(world->intent));
    follow(world, &follower);
    check_follower(world, &follower);
    follow(fresh, &fresh_follower);
    for (size_t i = 0; i < N_ROWS; i++) {
        const char *a = follower.rows[i], *b = fresh_follower.rows[i];

        if (!a != !b || (a && strcmp(a, b) != 0)) {
            fail_msg("%s, not %s", a ? a : "nothing", b ? b : "nothing");
        }
        free(follower.rows[i]);
        free(fresh_follower.rows[i]);
    }
    teardown((void **)&fresh);
}

static void
test_any_history_ends_like_its_last_state(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        struct world *world;

        setup((void **)&world);
        random_history(world, seed * 0x9e3779b97f4a7c15u);
        teardown((void **)&world);
    }
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_good_row_takes_effect_at_once),
        TEST(test_repetition_is_no_change),
        TEST(test_changes_before_a_take_are_reported_once),
        TEST(test_bad_verdict_waits_for_quiet),
        TEST(test_first_content_written_field_by_field),
        TEST(test_first_content_that_stays_bad_is_rejected),
        TEST(test_removed_field_waits_for_quiet),
        TEST(test_one_threshold_for_the_other_field_by_field),
        TEST(test_removed_row_waits_for_quiet),
        TEST(test_row_without_fields_is_no_row),
        TEST(test_deleted_and_rewritten_row_is_not_disturbed),
        TEST(test_patience_ends),
        TEST(test_row_gone_before_anybody_knew_goes_silently),
        TEST(test_row_back_before_its_end_was_taken),
        TEST(test_taken_row_without_presence_lives_until_the_next_call),
        TEST(test_hold_keeps_what_would_go),
        TEST(test_hold_that_ends_early_leaves_the_quiet),
        TEST(test_row_that_returns_during_a_hold_stays),
        TEST(test_reading_removes_what_it_did_not_find),
        TEST(test_reading_that_was_broken_off_removes_nothing),
        TEST(test_unsupported_rows_are_answered),
        TEST(test_bad_key_is_rejected),
        TEST(test_warnings_are_reported),
        TEST(test_strict_rejects_unknown_fields),
        TEST(test_buffer_model_judges_pools_anew),
        TEST(test_unusable_metadata_keeps_what_is_in_force),
        TEST(test_each_visits_in_order),
        cmocka_unit_test(test_any_history_ends_like_its_last_state),
    };
    struct err err;
    int failed;

    if (schema_create(SCHEMA_DIR, &schema, &err)) {
        print_error("%s\n", err.reason);
        return 1;
    }
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    schema_destroy(schema);
    return failed;
}
