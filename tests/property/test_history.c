/* SPDX-License-Identifier: Apache-2.0 */

/* The status of each row depends on the rows that there are, not on how they
 * came to be:
 *
 *   - after any history that ends in rows whose references are all there, each
 *     row has the status that an agent has that saw only these rows, and the
 *     ASICs are the same;
 *   - when all rows have gone, nothing is left on the ASIC, and what is
 * reported of any rows after that, faulty ones included, is the same once more;
 *   - no row is ever without an answer, and nothing is left to do that no timer
 *     will be woken for, whatever the device refuses on the way.
 *
 * A failure prints the seed; HISTORY_SEED=n runs that one alone, and
 * HISTORY_SEEDS=n runs so many. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/check.h"
#include "base/text.h"
#include "sai/core/status.h"
#include "tests/support/agent_harness.h"
#include "tests/support/seed.h"
#include "tests/support/seeds.h"

#define SECOND_NS (INT64_C(1000) * 1000 * 1000)

enum { N_SEEDS = 100, N_PORTS = 3, N_STEPS = 60 };

/* Rows whose references can all be there, in several variants of a key.  They
 * overlap, move between pools, change what cannot be changed in place, reach
 * beyond the last queue and move to other lanes. */
static const struct harness_row sound[] = {
    {"PORT", "Ethernet0", "lanes=1,2,3,4;speed=100000"},
    {"PORT", "Ethernet0", "lanes=1,2,3,4;speed=40000;mtu=1500"},
    {"PORT", "Ethernet0", "lanes=1,2;speed=50000;admin_status=up"},
    {"PORT", "Ethernet4", "lanes=5,6,7,8;speed=100000;admin_status=up"},
    {"PORT", "Ethernet4", "lanes=21,22;speed=100000;admin_status=up"},
    {"BUFFER_POOL", "in", "type=ingress;mode=dynamic;size=1000000"},
    {"BUFFER_POOL", "in", "type=ingress;mode=dynamic;size=900000;xoff=7000"},
    {"BUFFER_POOL", "in", "type=ingress;mode=static;size=1000000"},
    {"BUFFER_POOL", "in", "type=both;mode=dynamic;size=1000000"},
    {"BUFFER_POOL", "in2", "type=ingress;mode=dynamic;size=5000"},
    {"BUFFER_POOL", "in2", "type=both;mode=dynamic;size=5000"},
    {"BUFFER_POOL", "out", "type=egress;mode=dynamic;size=1000000"},
    {"BUFFER_POOL", "out", "type=egress;mode=static;size=1000000"},
    {"BUFFER_PROFILE", "p", "pool=in;size=100;dynamic_th=0"},
    {"BUFFER_PROFILE", "p", "pool=in2;size=5;xon=7;xoff=100;dynamic_th=1"},
    {"BUFFER_PROFILE", "p", "pool=in;size=5000;static_th=77"},
    {"BUFFER_PROFILE", "q", "pool=in;size=10;dynamic_th=0"},
    {"BUFFER_PROFILE", "q", "pool=in2;size=900;static_th=1"},
    {"BUFFER_PROFILE", "e", "pool=out;size=0;dynamic_th=0"},
    {"BUFFER_PROFILE", "e", "pool=out;size=900;static_th=1"},
    {"BUFFER_PG", "Ethernet0|3", "profile=p"},
    {"BUFFER_PG", "Ethernet0|3", "profile=q"},
    {"BUFFER_PG", "Ethernet0|3-4", "profile=q"},
    {"BUFFER_PG", "Ethernet0|3-4", "profile=p"},
    {"BUFFER_PG", "Ethernet0,Ethernet4|4", "profile=p"},
    {"BUFFER_PG", "Ethernet0,Ethernet4|2-6", "profile=q"},
    {"BUFFER_PG", "Ethernet4|5-9", "profile=p"},
    {"BUFFER_QUEUE", "Ethernet0|0-2", "profile=e"},
    {"BUFFER_QUEUE", "Ethernet0,Ethernet4|1", "profile=e"},
    {"BUFFER_QUEUE", "Ethernet4|12", "profile=e"},
    {"DSCP_TO_TC_MAP", "M", "1=1"},
    {"DSCP_TO_TC_MAP", "M", "1=1;2=2"},
    {"TC_TO_QUEUE_MAP", "M", "1=1"},
    {"PORT_QOS_MAP", "global", "dscp_to_tc_map=M"},
    {"PORT_QOS_MAP", "Ethernet0", "dscp_to_tc_map=M;pfc_enable=3"},
    {"PORT_QOS_MAP", "Ethernet0", "pfc_enable=4;scheduler=s"},
    {"PORT_QOS_MAP", "Ethernet0", "tc_to_queue_map=M;pfc_enable=3,4"},
    {"PORT_QOS_MAP", "Ethernet0,Ethernet4", "tc_to_queue_map=M;pfc_enable=1"},
    {"PORT_QOS_MAP", "Ethernet4", "dscp_to_tc_map=M"},
    {"SCHEDULER", "s", "type=DWRR;weight=10"},
    {"SCHEDULER", "s", "type=STRICT;cir=10;pir=20"},
    {"SCHEDULER", "s", "cir=30;pir=40;cbs=1;pbs=1"},
    {"SCHEDULER", "t", "weight=3"},
    {"PORT", "Ethernet0", "lanes=1,2,3,4;speed=100000;pfc_asym=on"},
    {"PORT", "Ethernet4", "lanes=5,6,7,8;speed=100000;pfc_asym=off"},
    {"PFC_PRIORITY_TO_PRIORITY_GROUP_MAP", "M", "3=3"},
    {"TC_TO_DSCP_MAP", "M", "8=11"},
    {"PORT_QOS_MAP", "Ethernet4", "pfc_to_pg_map=M;tc_to_dscp_map=M"},
    {"WRED_PROFILE", "w",
     "wred_green_enable=true;green_min_threshold=1;green_max_threshold=2"},
    {"WRED_PROFILE", "w",
     "wred_red_enable=true;green_min_threshold=3;green_max_threshold=4"},
    {"WRED_PROFILE", "w", "ecn=ecn_all"},
    {"QUEUE", "Ethernet0|0", "scheduler=s"},
    {"QUEUE", "Ethernet0|0-1", "scheduler=t;wred_profile=w"},
    {"QUEUE", "Ethernet0,Ethernet4|1-2", "wred_profile=w"},
    {"QUEUE", "Ethernet4|2", "scheduler=t"},
    {"QUEUE", "Ethernet4|2", "scheduler=s"},
    {"QUEUE", "Ethernet4|9", "scheduler=s"},
};

/* Rows that are wrong, or refer to what is not there, in the wrong direction or
 * to what another port has.  Which of two rows gets lanes that only one can
 * have depends on history, so no two rows want the same, but they may share
 * one. */
static const struct harness_row faulty[] = {
    {"PORT", "Ethernet0", "lanes=x;speed=100000"},
    {"PORT", "Ethernet8", "lanes=4;speed=10000"},
    {"BUFFER_POOL", "in", "type=egress;mode=dynamic;size=1000000"},
    {"BUFFER_POOL", "in", "type=sideways;mode=dynamic;size=1000000"},
    {"BUFFER_POOL", "out", "type=both;mode=dynamic;size=1000000"},
    {"BUFFER_PROFILE", "p", "pool=out;size=5;dynamic_th=1"},
    {"BUFFER_PROFILE", "p", "pool=none;size=5;dynamic_th=1"},
    {"BUFFER_PROFILE", "q", "pool=in;size=5;dynamic_th=99"},
    {"BUFFER_PROFILE", "e", "pool=in;size=5;dynamic_th=1"},
    {"BUFFER_PG", "Ethernet0|3", "profile=e"},
    {"BUFFER_PG", "Ethernet0|3-4", "profile=none"},
    {"BUFFER_PG", "Ethernet0|1", "profile=NULL"},
    {"BUFFER_PG", "Ethernet0,Ethernet10,Ethernet1|7", "profile=q"},
    {"BUFFER_PG", "Ethernet10|3-4", "profile=none"},
    {"BUFFER_QUEUE", "Ethernet0|0-2", "profile=p"},
    {"DSCP_TO_TC_MAP", "M", "99=1"},
    {"PORT_QOS_MAP", "Ethernet0", "dscp_to_tc_map=N;tc_to_queue_map=M"},
    {"SCHEDULER", "s", "cir=30;pir=20"},
    {"WRED_PROFILE", "w", "green_min_threshold=3;green_max_threshold=2"},
    {"QUEUE", "Ethernet0|0", "scheduler=none;wred_profile=w"},
    {"QUEUE", "Ethernet4|2", "scheduler=s;wred_profile=none"},
    {"QUEUE", "CPU|2", "scheduler=s"},
};

enum {
    N_SOUND = sizeof sound / sizeof *sound,
    N_FAULTY = sizeof faulty / sizeof *faulty,
};

static bool
same_key(const struct harness_row *a, const struct harness_row *b)
{
    return !strcmp(a->table, b->table) && !strcmp(a->key, b->key);
}

/* Lets a random little happen. */
static void
stir(struct harness *harness, uint64_t *seed)
{
    switch (seed_below(seed, 4)) {
    case 0:
        harness_pass(harness, (int64_t)seed_below(seed, 80) * 1000 * 1000);
        break;
    case 1:
        agent_turn(harness->agent, harness->now, 1 + seed_below(seed, 3));
        break;
    default:
        break;
    }
}

/* --- Reported status --------------------------------------------------------
 */

struct telling {
    const struct harness *harness;
    struct text text;
    size_t n;
};

/* Writes down a row, and checks that its status was reported. */
static void
write_row(void *context, const struct row_status *status)
{
    struct telling *telling = context;
    const char *table = table_name(status->table);
    const struct row_status *reported =
        harness_status(telling->harness, table, status->key);

    assert_string_equal(harness_state(telling->harness, table, status->key),
                        row_state_name(status->state));
    assert_string_equal(reported->blocked_by, status->blocked_by);
    assert_string_equal(reported->err.code, status->err.code);
    text_addf(&telling->text, "%s|%s: %s (%s %s %s) blocked by %s, used by %s",
              table, status->key, row_state_name(status->state),
              status->err.code, status->err.field, status->err.value,
              status->blocked_by, status->referenced_by);
    text_addf(&telling->text, ", warned of %s\n", status->warnings);
    telling->n++;
}

/* Returns all that is reported, as text that the caller frees, and the number
 * of rows in '*n'. */
static char *
telling_of(const struct harness *harness, size_t *n)
{
    struct telling telling = {harness, {0}, 0};

    text_add(&telling.text, "");
    agent_each_row(harness->agent, write_row, &telling);
    *n = telling.n;
    return text_take(&telling.text);
}

/* --- Worlds ------------------------------------------------------------- */

/* Rows that are there in the end, at most one of each key. */
struct world {
    const struct harness_row *rows[N_SOUND + N_FAULTY];
    size_t n;
};

static const struct harness_row *
world_find(const struct world *world, const struct harness_row *row)
{
    for (size_t i = 0; i < world->n; i++) {
        if (same_key(world->rows[i], row)) {
            return world->rows[i];
        }
    }
    return NULL;
}

/* Chooses among the first 'n' of 'rows', in random order. */
static void
world_choose(struct world *world, const struct harness_row *rows, size_t n,
             uint64_t *seed)
{
    const struct harness_row *order[N_SOUND + N_FAULTY];

    for (size_t i = 0; i < n; i++) {
        size_t j = seed_below(seed, i + 1);

        order[i] = order[j];
        order[j] = &rows[i];
    }
    for (size_t i = 0; i < n; i++) {
        if (!world_find(world, order[i])) {
            world->rows[world->n++] = order[i];
        }
    }
}

/* Drops some bindings: what others refer to stays. */
static void
world_thin(struct world *world, uint64_t *seed)
{
    size_t n = 0;

    for (size_t i = 0; i < world->n; i++) {
        bool binding = strchr(world->rows[i]->key, '|') ||
                       !strcmp(world->rows[i]->table, "PORT_QOS_MAP");

        if (!binding || seed_below(seed, 3)) {
            world->rows[n++] = world->rows[i];
        }
    }
    world->n = n;
}

static void
put_world(struct harness *harness, const struct world *world, uint64_t *seed)
{
    for (size_t i = 0; i < world->n; i++) {
        harness_put(harness, world->rows[i]->table, world->rows[i]->key,
                    world->rows[i]->fields);
        if (seed) {
            stir(harness, seed);
        }
    }
}

static void
put_rows(struct harness *harness, const struct harness_row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        harness_put(harness, rows[i].table, rows[i].key, rows[i].fields);
    }
}

/* Removes the rows of 'rows' that 'world' (NULL: nothing) does not have. */
static void
remove_others(struct harness *harness, const struct harness_row *rows, size_t n,
              const struct world *world, uint64_t *seed)
{
    for (size_t i = 0; i < n; i++) {
        if (!world || !world_find(world, &rows[i])) {
            harness_put(harness, rows[i].table, rows[i].key, NULL);
            stir(harness, seed);
        }
    }
}

static void
wander(struct harness *harness, uint64_t *seed)
{
    for (int i = 0; i < N_STEPS; i++) {
        const struct harness_row *row =
            seed_below(seed, 3) ? &sound[seed_below(seed, N_SOUND)]
                                : &faulty[seed_below(seed, N_FAULTY)];

        harness_put(harness, row->table, row->key,
                    seed_below(seed, 3) ? row->fields : NULL);
        stir(harness, seed);
    }
}

/* Fails if a line of 'a' is not in 'b'.  Of ports only those count of which a
 * row wants something: others may stay, or have been in the way. */
static void
assert_lines_in(char *a, const char *b, uint64_t seed)
{
    char *copy = check_strdup(a), *save = NULL;

    for (char *line = strtok_r(copy, "\n", &save); line;
         line = strtok_r(NULL, "\n", &save)) {
        if (!strstr(b, line) &&
            (strncmp(line, "PORT{", 5) || strstr(line, "QOS_"))) {
            fail_msg("HISTORY_SEED=%llu: only one of the two ASICs has\n%s",
                     (unsigned long long)seed, line);
        }
    }
    free(copy);
}

static void
assert_same_asic(const struct harness *a, const struct harness *b,
                 uint64_t seed)
{
    char *dump_a = harness_dump(a), *dump_b = harness_dump(b);

    assert_lines_in(dump_a, dump_b, seed);
    assert_lines_in(dump_b, dump_a, seed);
    free(dump_a);
    free(dump_b);
}

/* Fails unless 'harness' tells what an agent tells that knows only 'world' and,
 * if 'asic', has done the same with the ASIC. */
static void
assert_as_if_fresh(struct harness *harness, const struct world *world,
                   bool asic, uint64_t seed)
{
    struct harness fresh;
    size_t n, n_fresh;
    char *reported, *reported_fresh;

    harness_init(&fresh, N_PORTS);
    put_world(&fresh, world, NULL);
    harness_settle(&fresh);
    reported = telling_of(harness, &n);
    reported_fresh = telling_of(&fresh, &n_fresh);
    if (n != world->n || strcmp(reported, reported_fresh)) {
        fail_msg("HISTORY_SEED=%llu: %zu rows; reported\n%s\nbut a fresh agent "
                 "tells\n%s",
                 (unsigned long long)seed, world->n, reported, reported_fresh);
    }
    free(reported);
    free(reported_fresh);
    if (asic) {
        assert_same_asic(harness, &fresh, seed);
    }
    harness_fini(&fresh);
}

/* --- Properties --------------------------------------------------------- */

static void
any_history_of_sound_rows(uint64_t seed)
{
    struct world world = {.n = 0};
    uint64_t random = seed;
    struct harness harness;

    harness_init(&harness, N_PORTS);
    wander(&harness, &random);
    world_choose(&world, sound, N_SOUND, &random);
    world_thin(&world, &random);
    remove_others(&harness, sound, N_SOUND, &world, &random);
    remove_others(&harness, faulty, N_FAULTY, &world, &random);
    put_world(&harness, &world, &random);
    harness_settle(&harness);
    assert_as_if_fresh(&harness, &world, true, seed);
    harness_fini(&harness);
}

/* Refuses calls at random while 'mood' is bad. */
struct mood {
    uint64_t seed;
    bool bad;
};

static sai_status_t
moody(void *context, const struct store_call *call)
{
    static const sai_status_t statuses[] = {
        SAI_STATUS_INSUFFICIENT_RESOURCES, SAI_STATUS_FAILURE,
        SAI_STATUS_OBJECT_IN_USE,          SAI_STATUS_TABLE_FULL,
        SAI_STATUS_ITEM_ALREADY_EXISTS,    SAI_STATUS_ITEM_NOT_FOUND,
        SAI_STATUS_INVALID_PARAMETER,      SAI_STATUS_NOT_SUPPORTED,
        SAI_STATUS_NOT_IMPLEMENTED,        SAI_STATUS_INVALID_ATTR_VALUE_0,
        SAI_STATUS_ATTR_NOT_SUPPORTED_0,   SAI_STATUS_ATTR_NOT_IMPLEMENTED_0,
        SAI_STATUS_UNKNOWN_ATTRIBUTE_0,    -4711,
    };
    struct mood *mood = context;
    sai_status_t status;
    uint32_t index;

    if (!mood->bad || call->op == STORE_GET || seed_below(&mood->seed, 4)) {
        return SAI_STATUS_SUCCESS;
    }
    status =
        statuses[seed_below(&mood->seed, sizeof statuses / sizeof *statuses)];
    if (status == SAI_STATUS_ITEM_NOT_FOUND && call->op == STORE_REMOVE) {
        return SAI_STATUS_FAILURE; /* That would be taken as done. */
    }
    if (status_attribute_index(status, &index) && call->n) {
        status -= (sai_status_t)seed_below(&mood->seed, call->n);
    }
    return status;
}

/* Fails if a row of 'world' has no answer. */
static void
assert_all_answered(const struct harness *harness, const struct world *world,
                    uint64_t seed)
{
    size_t n;
    char *reported = telling_of(harness, &n);
    struct text id = {0};

    for (size_t i = 0; i < world->n; i++) {
        text_clear(&id);
        text_addf(&id, "%s|%s: ", world->rows[i]->table, world->rows[i]->key);
        if (!strstr(reported, text_string(&id))) {
            fail_msg("HISTORY_SEED=%llu: no answer to %s",
                     (unsigned long long)seed, text_string(&id));
        }
    }
    text_fini(&id);
    free(reported);
}

/* Everything refused must still be answered; and when the device gives in, and
 * each row is written once more and removed (what was refused permanently is
 * not tried before its row changes), the refusals have left no trace; but for
 * what a port had that the device would not take back, when it was let go. */
static void
any_refusals_of_sound_rows(uint64_t seed)
{
    struct mood mood = {seed * 7 + 1, true};
    struct world world = {.n = 0};
    uint64_t random = seed;
    struct harness harness;

    harness_init(&harness, N_PORTS);
    store_set_hook(harness.store, moody, &mood);
    wander(&harness, &random);
    world_choose(&world, sound, N_SOUND, &random);
    remove_others(&harness, sound, N_SOUND, &world, &random);
    remove_others(&harness, faulty, N_FAULTY, &world, &random);
    put_world(&harness, &world, &random);
    harness_pass(&harness, 20 * SECOND_NS);
    assert_all_answered(&harness, &world, seed);
    mood.bad = false;
    for (int i = 0; i < 3; i++) {
        put_rows(&harness, sound, N_SOUND);
        put_rows(&harness, faulty, N_FAULTY);
        harness_pass(&harness, 200 * SECOND_NS);
        remove_others(&harness, sound, N_SOUND, NULL, &random);
        remove_others(&harness, faulty, N_FAULTY, NULL, &random);
        harness_pass(&harness, 200 * SECOND_NS);
    }
    put_world(&harness, &world, &random);
    harness_pass(&harness, 200 * SECOND_NS);
    assert_as_if_fresh(&harness, &world, false, seed);
    harness_fini(&harness);
}

static void
any_rows_after_all_have_gone(uint64_t seed)
{
    struct world world = {.n = 0};
    uint64_t random = seed;
    struct harness harness;

    harness_init(&harness, N_PORTS);
    wander(&harness, &random);
    remove_others(&harness, sound, N_SOUND, NULL, &random);
    remove_others(&harness, faulty, N_FAULTY, NULL, &random);
    harness_settle(&harness);
    harness_pass(&harness, 100 * SECOND_NS);
    if (store_count(harness.store, SAI_OBJECT_TYPE_BUFFER_POOL) ||
        store_count(harness.store, SAI_OBJECT_TYPE_BUFFER_PROFILE) ||
        store_count(harness.store, SAI_OBJECT_TYPE_QOS_MAP)) {
        fail_msg("HISTORY_SEED=%llu: something is left",
                 (unsigned long long)seed);
    }
    world_choose(&world, faulty, N_FAULTY, &random);
    world_choose(&world, sound, N_SOUND, &random);
    world_thin(&world, &random);
    put_world(&harness, &world, NULL);
    harness_settle(&harness);
    assert_as_if_fresh(&harness, &world, true, seed);
    harness_fini(&harness);
}

static void
test_answers_do_not_depend_on_history(void **state)
{
    (void)state;
    for_seeds("HISTORY", N_SEEDS, any_history_of_sound_rows);
}

static void
test_refusals_are_answered_and_leave_no_trace(void **state)
{
    (void)state;
    for_seeds("HISTORY", N_SEEDS, any_refusals_of_sound_rows);
}

static void
test_nothing_is_left_of_rows_that_are_gone(void **state)
{
    (void)state;
    for_seeds("HISTORY", N_SEEDS, any_rows_after_all_have_gone);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers_do_not_depend_on_history),
        cmocka_unit_test(test_nothing_is_left_of_rows_that_are_gone),
        cmocka_unit_test(test_refusals_are_answered_and_leave_no_trace),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
