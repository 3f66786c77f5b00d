/* SPDX-License-Identifier: Apache-2.0 */

/* Properties of the planner, over many random histories:
 *
 *   - any order of the same final rows gives the same ASIC;
 *   - so does any history that ends in these rows, bad values, removals and
 *     rewrites on the way included;
 *   - applying twice gives an empty plan, and comparing everything finds
 *     nothing that following the changes did not find;
 *   - interrupted at every single SAI call and resumed, whether or not the
 *     device has carried that out, it ends the same;
 *   - refused at random, it ends the same once the device gives in;
 *   - so does any history in which pools and profiles change between ingress
 *     and egress, on a device that binds neither side to the other, refused at
 *     random or not, and whether or not replacements may be disruptive;
 *   - a device that sets many objects at once sees the same, gives the same
 *     answers and is asked as often as one that sets them singly, refusals of
 *     some of them included;
 *   - on the way from one configuration to another, refused calls or not, no
 *     profile is ever left without the headroom that it has in both;
 *   - on the way from one configuration to another, the memory reserved never
 *     exceeds that of both, and no lossless priority group is ever unbound.
 *
 * A failure prints the seed; PLANNER_SEED=n runs that one alone, and
 * PLANNER_SEEDS=n runs so many. */

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
#include "orchd/reconcile/resources.h"
#include "tests/support/agent_harness.h"
#include "tests/support/seed.h"
#include "tests/support/seeds.h"

enum { N_SEEDS = 150, N_PORTS = 2 };

static void
put(struct harness *harness, size_t i)
{
    harness_put(harness, harness_rows[i].table, harness_rows[i].key,
                harness_rows[i].fields);
}

/* Lets a random little happen. */
static void
stir(struct harness *harness, uint64_t *seed)
{
    switch (seed_below(seed, 4)) {
    case 0:
        harness_pass(harness, 0);
        break;
    case 1:
        harness_pass(harness, (int64_t)seed_below(seed, 80) * 1000 * 1000);
        break;
    case 2:
        agent_turn(harness->agent, harness->now, 1 + seed_below(seed, 3));
        break;
    default:
        break;
    }
}

/* The ASIC after all rows, in their natural order.  The caller frees it. */
static char *
reference_dump(void)
{
    struct harness harness;
    char *dump;

    harness_init(&harness, N_PORTS);
    for (size_t i = 0; i < harness_n_rows; i++) {
        put(&harness, i);
    }
    harness_settle(&harness);
    dump = harness_dump(&harness);
    harness_fini(&harness);
    return dump;
}

/* Fails if a line of 'a' is not in 'b'.  Ports that no row names any more may
 * stay: they are removed only where their lanes are needed. */
static void
assert_same(const char *a, const char *b, const char *verb, uint64_t seed)
{
    char *copy = check_strdup(a), *save = NULL;

    for (char *line = strtok_r(copy, "\n", &save); line;
         line = strtok_r(NULL, "\n", &save)) {
        if (!strstr(b, line) &&
            (strncmp(line, "PORT{", 5) || strstr(line, "QOS_"))) {
            fail_msg("PLANNER_SEED=%llu: the ASIC %s\n%s",
                     (unsigned long long)seed, verb, line);
        }
    }
    free(copy);
}

static void
print_unapplied(void *context, const struct row_status *status)
{
    (void)context;
    if (status->state != ROW_STATE_APPLIED) {
        print_message("%s|%s is %s: %s\n", table_name(status->table),
                      status->key, row_state_name(status->state),
                      status->err.reason);
    }
}

static void
assert_converged(struct harness *harness, const char *reference, uint64_t seed)
{
    struct agent_figures figures;
    struct resources resources = {0};
    char *dump = harness_dump(harness);
    uint64_t changes;

    agent_each_row(harness->agent, print_unapplied, NULL);
    assert_same(reference, dump, "misses", seed);
    assert_same(dump, reference, "has beyond what it should", seed);
    free(dump);
    agent_figures(harness->agent, &figures);
    if (figures.n_rows[ROW_STATE_APPLIED] != harness_n_rows) {
        fail_msg("PLANNER_SEED=%llu: %zu of %zu rows applied",
                 (unsigned long long)seed, figures.n_rows[ROW_STATE_APPLIED],
                 harness_n_rows);
    }
    agent_each_object(harness->agent, resources_add, &resources);
    assert_int_equal(figures.occupied_bytes,
                     resources.ingress_reserved_bytes +
                         resources.egress_reserved_bytes +
                         resources.shared_headroom_bytes);
    assert_int_equal(figures.applied_generation, figures.generation);
    changes = harness_changes(harness);
    agent_compare_all(harness->agent);
    harness_settle(harness);
    if (harness_changes(harness) != changes) {
        fail_msg("PLANNER_SEED=%llu: the second plan is not empty",
                 (unsigned long long)seed);
    }
}

/* The property that runs, and the dump that it compares with. */
static void (*property)(uint64_t seed, const char *reference);
static char *property_reference;

static void
run_property(uint64_t seed)
{
    property(seed, property_reference);
}

static void
with_reference(void (*run)(uint64_t seed, const char *reference))
{
    property = run;
    property_reference = reference_dump();
    for_seeds("PLANNER", N_SEEDS, run_property);
    free(property_reference);
}

static void
put_shuffled(struct harness *harness, uint64_t *seed)
{
    size_t order[64];

    assert_true(harness_n_rows <= 64);
    for (size_t i = 0; i < harness_n_rows; i++) {
        size_t j = seed_below(seed, i + 1);

        order[i] = order[j];
        order[j] = i;
    }
    for (size_t i = 0; i < harness_n_rows; i++) {
        put(harness, order[i]);
        stir(harness, seed);
    }
}

static void
any_order(uint64_t seed, const char *reference)
{
    struct harness harness;
    uint64_t random = seed;

    harness_init(&harness, N_PORTS);
    put_shuffled(&harness, &random);
    harness_settle(&harness);
    assert_converged(&harness, reference, seed);
    harness_fini(&harness);
}

/* Rows that are not in the end: other contents of the same keys, bad values,
 * rows that overlap or that no other row uses. */
static const struct harness_row detours[] = {
    {"PORT", "Ethernet0", "lanes=1,2;speed=50000;admin_status=down"},
    {"PORT", "Ethernet0", "lanes=9,10,11,12;speed=100000"},
    {"PORT", "Ethernet8", "lanes=1,2,3,4;speed=100000"},
    {"BUFFER_POOL", "ingress", "type=ingress;mode=static;size=5000000"},
    {"BUFFER_POOL", "ingress",
     "type=ingress;mode=dynamic;size=10000000;xoff=1000000"},
    {"BUFFER_POOL", "ingress", "type=sideways;mode=dynamic;size=1"},
    {"BUFFER_POOL", "egress_lossy", "type=egress;mode=static;size=1"},
    {"BUFFER_POOL", "other", "type=both;mode=dynamic;size=1000"},
    {"BUFFER_PROFILE", "in_lossy", "pool=other;size=0;dynamic_th=1"},
    {"BUFFER_PROFILE", "in_lossy", "pool=ingress;size=10;static_th=99"},
    {"BUFFER_PROFILE", "in_lossless", "pool=ingress;size=20;dynamic_th=0"},
    {"BUFFER_PROFILE", "in_lossless", "pool=ingress;size=x;dynamic_th=0"},
    {"BUFFER_PROFILE", "out_lossy", "pool=missing;size=20;dynamic_th=0"},
    {"BUFFER_PROFILE", "extra", "pool=ingress;size=7;dynamic_th=0"},
    {"BUFFER_PG", "Ethernet0|3", "profile=extra"},
    {"BUFFER_PG", "Ethernet0|0", "profile=extra"},
    {"BUFFER_PG", "Ethernet0|0", "profile=missing"},
    {"BUFFER_PG", "Ethernet0,Ethernet4|3-5", "profile=in_lossy"},
    {"BUFFER_PG", "Ethernet0|9", "profile=in_lossy"},
    {"BUFFER_QUEUE", "Ethernet4|1", "profile=out_lossless"},
    {"DSCP_TO_TC_MAP", "AZURE", "1=1"},
    {"DSCP_TO_TC_MAP", "OTHER", "1=1"},
    {"DSCP_TO_TC_MAP", "AZURE", "64=1"},
    {"PORT_QOS_MAP", "Ethernet0", "dscp_to_tc_map=OTHER;pfc_enable=1"},
    {"PORT_QOS_MAP", "Ethernet0,Ethernet4", "pfc_enable=2"},
    {"PORT_QOS_MAP", "global", "dscp_to_tc_map=OTHER"},
    {"PORT", "Ethernet4", "lanes=5,6,7,8;speed=100000;pfc_asym=on"},
    {"PORT_QOS_MAP", "Ethernet4", "scheduler=missing;pfc_enable=5"},
    {"MAP_PFC_PRIORITY_TO_QUEUE", "AZURE", "7=7"},
    {"TC_TO_DSCP_MAP", "OTHER", "8=11"},
    {"SCHEDULER", "scheduler.0", "type=STRICT"},
    {"SCHEDULER", "scheduler.1", "cir=3000;pir=4000;weight=1"},
    {"SCHEDULER", "scheduler.1", "cir=5000;pir=4000"},
    {"SCHEDULER", "other", "type=WRR;weight=100"},
    {"WRED_PROFILE", "AZURE_LOSSLESS",
     "green_min_threshold=3000000;green_max_threshold=4000000"},
    {"WRED_PROFILE", "AZURE_LOSSLESS",
     "ecn=ecn_green;green_min_threshold=3;green_max_threshold=2"},
    {"WRED_PROFILE", "other", "ecn=ecn_all"},
    {"QUEUE", "Ethernet0|3-4", "scheduler=other"},
    {"QUEUE", "Ethernet0|3", "wred_profile=other"},
    {"QUEUE", "Ethernet0|4", "scheduler=missing;wred_profile=other"},
    {"QUEUE", "Ethernet4|2", "scheduler=scheduler.1"},
    {"QUEUE", "Ethernet4|9", "scheduler=scheduler.1"},
    {"QUEUE", "Ethernet8|0-7", "scheduler=scheduler.1"},
};

enum { N_DETOURS = sizeof detours / sizeof *detours };

static bool
is_final(const struct harness_row *row)
{
    for (size_t i = 0; i < harness_n_rows; i++) {
        if (!strcmp(harness_rows[i].table, row->table) &&
            !strcmp(harness_rows[i].key, row->key)) {
            return true;
        }
    }
    return false;
}

static void
wander(struct harness *harness, uint64_t *seed)
{
    for (int i = 0; i < 60; i++) {
        const struct harness_row *row = &detours[seed_below(seed, N_DETOURS)];

        switch (seed_below(seed, 3)) {
        case 0:
            put(harness, seed_below(seed, harness_n_rows));
            break;
        case 1:
            harness_put(harness, row->table, row->key, row->fields);
            break;
        default:
            row = seed_below(seed, 2)
                      ? row
                      : &harness_rows[seed_below(seed, harness_n_rows)];
            harness_put(harness, row->table, row->key, NULL);
            break;
        }
        stir(harness, seed);
    }
}

/* Removes what is not in the end and writes what is. */
static void
come_home(struct harness *harness, uint64_t *seed)
{
    for (size_t i = 0; i < N_DETOURS; i++) {
        if (!is_final(&detours[i])) {
            harness_put(harness, detours[i].table, detours[i].key, NULL);
            stir(harness, seed);
        }
    }
    put_shuffled(harness, seed);
}

static void
any_history(uint64_t seed, const char *reference)
{
    struct harness harness;
    uint64_t random = seed;

    harness_init(&harness, N_PORTS);
    wander(&harness, &random);
    come_home(&harness, &random);
    harness_settle(&harness);
    assert_converged(&harness, reference, seed);
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
        SAI_STATUS_OBJECT_IN_USE, SAI_STATUS_TABLE_FULL};
    struct mood *mood = context;

    if (!mood->bad || call->op == STORE_GET || seed_below(&mood->seed, 3)) {
        return SAI_STATUS_SUCCESS;
    }
    return statuses[seed_below(&mood->seed, 4)];
}

static void
any_refusals(uint64_t seed, const char *reference)
{
    struct harness harness;
    struct mood mood = {seed * 7 + 1, true};
    uint64_t random = seed;

    harness_init(&harness, N_PORTS);
    store_set_hook(harness.store, moody, &mood);
    wander(&harness, &random);
    come_home(&harness, &random);
    harness_pass(&harness, INT64_C(20) * 1000 * 1000 * 1000);
    mood.bad = false;
    harness_pass(&harness, INT64_C(200) * 1000 * 1000 * 1000);
    assert_converged(&harness, reference, seed);
    harness_fini(&harness);
}

static void
add_status(void *context, const struct row_status *status)
{
    text_addf(context, "%s|%s %s %s\n", table_name(status->table), status->key,
              row_state_name(status->state), status->err.reason);
}

/* Returns all that can be seen of 'harness'.  The caller frees it. */
static char *
picture(const struct harness *harness)
{
    struct agent_figures figures;
    struct text text = {0};
    char *dump = harness_dump(harness);

    agent_figures(harness->agent, &figures);
    text_addf(&text, "%llu calls, %llu failed\n%s",
              (unsigned long long)figures.sai_calls,
              (unsigned long long)figures.sai_failures, dump);
    agent_each_row(harness->agent, add_status, &text);
    free(dump);
    return text_take(&text);
}

/* Lets one history happen on a device in a bad mood.  Returns what is seen
 * then; '*n_bulk' is how many bulk calls there were. */
static char *
moody_history(uint64_t seed, bool bulk, uint64_t *n_bulk)
{
    struct harness harness;
    struct mood mood = {seed * 7 + 1, true};
    struct sai_backend_ops single;
    struct sai_backend *backend;
    uint64_t n_before; /* When the ports were read. */
    char *seen;

    harness_init(&harness, N_PORTS);
    n_before = store_bulk_calls(harness.store);
    backend = store_backend(harness.store);
    single = *backend->ops;
    single.many = NULL;
    if (!bulk) {
        backend->ops = &single;
    }
    store_set_hook(harness.store, moody, &mood);
    wander(&harness, &seed);
    come_home(&harness, &seed);
    harness_pass(&harness, INT64_C(20) * 1000 * 1000 * 1000);
    seen = picture(&harness);
    *n_bulk = store_bulk_calls(harness.store) - n_before;
    harness_fini(&harness);
    return seen;
}

static void
bulk_or_not(uint64_t seed, const char *reference)
{
    uint64_t n_bulk, n_none;
    char *many = moody_history(seed, true, &n_bulk);
    char *singly = moody_history(seed, false, &n_none);

    (void)reference;
    if (strcmp(many, singly)) {
        fail_msg("PLANNER_SEED=%llu: in bulk\n%s\nsingly\n%s",
                 (unsigned long long)seed, many, singly);
    }
    assert_true(n_bulk > 0);
    assert_true(n_none == 0);
    free(many);
    free(singly);
}

/* Stops the device at its 'at'th change: before it, or (unless it is a
 * creation, whose id would be lost) after it. */
struct stop {
    uint64_t n, at;
    bool after;
};

static sai_status_t
stop_at(void *context, const struct store_call *call)
{
    struct stop *stop = context;

    if (call->op == STORE_GET || ++stop->n != stop->at) {
        return SAI_STATUS_SUCCESS;
    }
    return stop->after && call->op != STORE_CREATE ? STORE_STOP_AFTER
                                                   : STORE_STOP_BEFORE;
}

/* Other contents of rows, in which pools and profiles change sides. */
static const struct harness_row turns[] = {
    {"BUFFER_POOL", "ingress", "type=egress;mode=dynamic;size=10000000"},
    {"BUFFER_POOL", "ingress", "type=both;mode=dynamic;size=10000000"},
    {"BUFFER_POOL", "egress_lossy", "type=ingress;mode=dynamic;size=8000000"},
    {"BUFFER_POOL", "egress_lossless",
     "type=ingress;mode=dynamic;size=9000000"},
    {"BUFFER_PROFILE", "in_lossy", "pool=egress_lossy;size=0;dynamic_th=3"},
    {"BUFFER_PROFILE", "in_lossy", "pool=egress_lossless;size=0;dynamic_th=3"},
    {"BUFFER_PROFILE", "in_lossless",
     "pool=egress_lossless;size=1248;xon=2288;xoff=35776;dynamic_th=-3"},
    {"BUFFER_PROFILE", "out_lossless", "pool=ingress;size=0;static_th=9000"},
    {"BUFFER_PROFILE", "out_lossy", "pool=ingress;size=1518;dynamic_th=3"},
    {"BUFFER_PROFILE", "out_lossy", "pool=ingress;size=1518;static_th=3000"},
    {"BUFFER_PG", "Ethernet0|0", "profile=out_lossy"},
    {"BUFFER_PG", "Ethernet4|3-4", "profile=in_lossy"},
    {"BUFFER_QUEUE", "Ethernet0,Ethernet4|0-2", "profile=in_lossy"},
    {"BUFFER_QUEUE", "Ethernet0,Ethernet4|3-4", "profile=out_lossy"},
};

/* Returns the value of attribute 'id' of an object. */
static sai_attribute_value_t
device_value(struct sai_backend *backend, sai_object_type_t type,
             sai_object_id_t oid, sai_attr_id_t id)
{
    sai_attribute_t attribute = {.id = id};

    assert_int_equal(backend->ops->get(backend, type, oid, 1, &attribute),
                     SAI_STATUS_SUCCESS);
    return attribute.value;
}

/* Refuses to bind a priority group to a profile of an egress pool, and a queue
 * to one of an ingress pool, as switches do. */
static sai_status_t
one_sided(void *harness_, const struct store_call *call)
{
    const struct harness *harness = harness_;
    struct sai_backend *backend = store_backend(harness->store);
    const bool pg = call->type == SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP;
    const sai_attr_id_t binding =
        pg ? SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE
           : SAI_QUEUE_ATTR_BUFFER_PROFILE_ID;
    sai_object_id_t pool;

    if (call->op != STORE_SET || (!pg && call->type != SAI_OBJECT_TYPE_QUEUE) ||
        call->attributes->id != binding ||
        call->attributes->value.oid == SAI_NULL_OBJECT_ID) {
        return SAI_STATUS_SUCCESS;
    }
    pool = device_value(backend, SAI_OBJECT_TYPE_BUFFER_PROFILE,
                        call->attributes->value.oid,
                        SAI_BUFFER_PROFILE_ATTR_POOL_ID)
               .oid;
    return device_value(backend, SAI_OBJECT_TYPE_BUFFER_POOL, pool,
                        SAI_BUFFER_POOL_ATTR_TYPE)
                       .s32 == (pg ? SAI_BUFFER_POOL_TYPE_EGRESS
                                   : SAI_BUFFER_POOL_TYPE_INGRESS)
               ? SAI_STATUS_INVALID_ATTR_VALUE_0
               : SAI_STATUS_SUCCESS;
}

struct turning {
    struct harness harness;
    struct mood mood;
};

static sai_status_t
one_sided_and_moody(void *turning_, const struct store_call *call)
{
    struct turning *turning = turning_;
    const sai_status_t status = moody(&turning->mood, call);

    return status == SAI_STATUS_SUCCESS ? one_sided(&turning->harness, call)
                                        : status;
}

/* Lets pools and profiles change sides, then writes the final rows. */
static void
turn(struct harness *harness, uint64_t *random)
{
    for (size_t i = 0; i < harness_n_rows; i++) {
        put(harness, i);
    }
    for (int i = 0; i < 40; i++) {
        const struct harness_row *row =
            &turns[seed_below(random, sizeof turns / sizeof *turns)];

        if (seed_below(random, 4) == 0) {
            put(harness, seed_below(random, harness_n_rows));
        } else {
            harness_put(harness, row->table, row->key,
                        seed_below(random, 8) ? row->fields : NULL);
        }
        stir(harness, random);
    }
    put_shuffled(harness, random);
}

static void
any_turns(uint64_t seed, const char *reference)
{
    struct harness harness;
    uint64_t random = seed;

    harness_init(&harness, N_PORTS);
    store_set_hook(harness.store, one_sided, &harness);
    turn(&harness, &random);
    harness_settle(&harness);
    assert_converged(&harness, reference, seed);
    harness_fini(&harness);
}

static void
refused_turns(uint64_t seed, bool disruptive, const char *reference)
{
    struct turning turning = {.mood = {seed * 7 + 1, true}};
    uint64_t random = seed;

    harness_init(&turning.harness, N_PORTS);
    agent_allow_disruptive(turning.harness.agent, disruptive);
    store_set_hook(turning.harness.store, one_sided_and_moody, &turning);
    turn(&turning.harness, &random);
    harness_pass(&turning.harness, INT64_C(20) * 1000 * 1000 * 1000);
    turning.mood.bad = false;
    harness_pass(&turning.harness, INT64_C(200) * 1000 * 1000 * 1000);
    assert_converged(&turning.harness, reference, seed);
    harness_fini(&turning.harness);
}

static void
any_refused_turns(uint64_t seed, const char *reference)
{
    refused_turns(seed, false, reference);
}

static void
any_disruptive_turns(uint64_t seed, const char *reference)
{
    refused_turns(seed, true, reference);
}

static void
put_all(struct harness *harness)
{
    for (size_t i = 0; i < harness_n_rows; i++) {
        put(harness, i);
    }
}

/* Another configuration, from which and to which much has to be replaced,
 * moved and removed. */
static void
put_others(struct harness *harness)
{
    static const struct harness_row others[] = {
        {"PORT", "Ethernet4", "lanes=9,10;speed=50000"},
        {"BUFFER_POOL", "ingress", "type=both;mode=static;size=5000000"},
        {"BUFFER_POOL", "other", "type=egress;mode=dynamic;size=1000"},
        {"BUFFER_PROFILE", "in_lossy", "pool=ingress;size=10;static_th=99"},
        {"BUFFER_PROFILE", "out_lossy", "pool=other;size=0;dynamic_th=0"},
        {"BUFFER_PROFILE", "in_lossless", "pool=ingress;size=2;dynamic_th=0"},
        {"BUFFER_PG", "Ethernet0|3-4", NULL},
        {"BUFFER_PG", "Ethernet0|3", "profile=in_lossy"},
        {"DSCP_TO_TC_MAP", "AZURE", NULL},
        {"PORT_QOS_MAP", "Ethernet4", "pfc_enable=3"},
        {"PORT", "Ethernet0", "lanes=1,2,3,4;speed=100000;pfc_asym=on"},
        {"SCHEDULER", "scheduler.0", NULL},
        {"SCHEDULER", "scheduler.1", "cir=3000;pir=4000"},
        {"WRED_PROFILE", "AZURE_LOSSLESS",
         "green_min_threshold=3000000;green_max_threshold=4000000"},
        {"QUEUE", "Ethernet0|3-4", "scheduler=shaper"},
        {"QUEUE", "Ethernet0,Ethernet4|0-2", NULL},
    };

    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        harness_put(harness, others[i].table, others[i].key, others[i].fields);
    }
}

/* Goes from nothing, or ('away') from the reference, to others, to where the
 * device stops, and then to the reference.  Returns whether it stopped. */
static bool
interrupted(struct stop *stop, bool away, const char *reference)
{
    struct harness harness;
    bool stopped;

    harness_init(&harness, N_PORTS);
    if (away) {
        put_all(&harness);
        harness_settle(&harness);
    }
    stop->n = 0;
    store_set_hook(harness.store, stop_at, stop);
    if (away) {
        put_others(&harness);
    } else {
        put_all(&harness);
    }
    harness_pass(&harness, INT64_C(5) * 1000 * 1000 * 1000);
    stopped = store_stopped(harness.store);
    store_set_hook(harness.store, NULL, NULL);
    store_resume(harness.store);
    harness_put(&harness, "BUFFER_POOL", "other", NULL);
    harness_put(&harness, "BUFFER_PG", "Ethernet0|3", NULL);
    put_all(&harness);
    harness_pass(&harness, INT64_C(200) * 1000 * 1000 * 1000);
    assert_converged(&harness, reference, stop->at);
    harness_fini(&harness);
    return stopped;
}

static void
test_interrupted_after_every_call_and_resumed(void **state)
{
    char *reference = reference_dump();

    (void)state;
    for (int i = 0; i < 4; i++) {
        struct stop stop = {0, 0, i % 2};

        do {
            stop.at++;
        } while (interrupted(&stop, i / 2, reference));
        assert_true(stop.at > 30);
    }
    free(reference);
}

/* --- On the way --------------------------------------------------------- */

struct promised {
    struct sai_backend *backend;
    uint64_t bytes;
};

/* Adds what a priority group has reserved by the profile that it is bound to,
 * as the store has both: a profile that was replaced counts as it was. */
static void
add_reserved(void *context, const struct object *object)
{
    struct promised *reserved = context;
    struct sai_backend *backend = reserved->backend;
    sai_attribute_t bound = {
        .id = SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE};
    sai_attribute_t size = {.id = SAI_BUFFER_PROFILE_ATTR_RESERVED_BUFFER_SIZE};

    if (object->type != SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP) {
        return;
    }
    assert_int_equal(
        backend->ops->get(backend, object->type, object->oid, 1, &bound),
        SAI_STATUS_SUCCESS);
    if (bound.value.oid != SAI_NULL_OBJECT_ID) {
        assert_int_equal(backend->ops->get(backend,
                                           SAI_OBJECT_TYPE_BUFFER_PROFILE,
                                           bound.value.oid, 1, &size),
                         SAI_STATUS_SUCCESS);
        reserved->bytes += size.value.u64;
    }
}

static uint64_t
reserved(const struct harness *harness)
{
    struct promised sum = {store_backend(harness->store), 0};

    agent_each_object(harness->agent, add_reserved, &sum);
    return sum.bytes;
}

/* Writes sizes and bindings at random, all at once.  A change of the threshold
 * mode replaces the profile. */
static void
put_random_sizes(struct harness *harness, uint64_t *seed)
{
    static const char *const profiles[] = {"in_lossy", "in_lossless", "a", "b"};
    struct text fields = {0}, key = {0};

    for (size_t i = 0; i < 4; i++) {
        text_clear(&fields);
        text_addf(&fields, "pool=ingress;size=%zu;xoff=1000;%s",
                  seed_below(seed, 100000),
                  seed_below(seed, 3) ? "dynamic_th=0" : "static_th=0");
        harness_put(harness, "BUFFER_PROFILE", profiles[i],
                    text_string(&fields));
    }
    for (size_t i = 0; i < 8; i++) {
        text_clear(&fields);
        text_clear(&key);
        text_addf(&key, "Ethernet%zu|%zu", i / 4 * 4, i % 4 + 1);
        text_addf(&fields, "profile=%s", profiles[seed_below(seed, 4)]);
        harness_put(harness, "BUFFER_PG", text_string(&key),
                    text_string(&fields));
    }
    text_fini(&fields);
    text_fini(&key);
}

static sai_status_t
never_unbind(void *context, const struct store_call *call)
{
    (void)context;
    if (call->op == STORE_SET &&
        call->type == SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP) {
        assert_true(call->attributes->value.oid != SAI_NULL_OBJECT_ID);
    }
    return SAI_STATUS_SUCCESS;
}

static void
any_transition(uint64_t seed, const char *reference)
{
    struct harness harness;
    uint64_t random = seed;

    (void)reference;
    harness_init(&harness, N_PORTS);
    harness_put(&harness, "PORT", "Ethernet0", "lanes=1,2,3,4;speed=100000");
    harness_put(&harness, "PORT", "Ethernet4", "lanes=5,6,7,8;speed=100000");
    harness_put(&harness, "BUFFER_POOL", "ingress",
                "type=ingress;mode=dynamic;size=10000000");
    put_random_sizes(&harness, &random);
    harness_settle(&harness);
    store_set_hook(harness.store, never_unbind, NULL);
    for (int i = 0; i < 5; i++) {
        uint64_t before = reserved(&harness), most = 0, after;

        put_random_sizes(&harness, &random);
        harness.now += INTENT_QUIET_NS; /* For fields that are gone. */
        timeline_run(harness.timeline, harness.now);
        while (agent_turn(harness.agent, harness.now, 1)) {
            uint64_t now = reserved(&harness);

            most = now > most ? now : most;
        }
        harness_settle(&harness);
        after = reserved(&harness);
        if (most > before && most > after) {
            fail_msg("PLANNER_SEED=%llu: %llu bytes on the way from %llu to "
                     "%llu",
                     (unsigned long long)seed, (unsigned long long)most,
                     (unsigned long long)before, (unsigned long long)after);
        }
    }
    harness_fini(&harness);
}

static void
test_reservations_never_exceed_those_of_both_ends(void **state)
{
    (void)state;
    with_reference(any_transition);
}

/* --- Headroom on the way ------------------------------------------------ */

enum { N_PROFILES = 4 };

static const char *const profile_names[N_PROFILES] = {"a", "b", "c", "d"};

/* What the store has of one attribute, all of which are sizes. */
static uint64_t
size_in_store(const struct harness *harness, enum table table, const char *name,
              sai_attr_id_t id)
{
    struct sai_backend *backend = store_backend(harness->store);
    const struct object *object = agent_object(harness->agent, table, name, -1);
    sai_attribute_t attribute = {.id = id};

    assert_non_null(object);
    assert_int_equal(
        backend->ops->get(backend, object->type, object->oid, 1, &attribute),
        SAI_STATUS_SUCCESS);
    return attribute.value.u64;
}

/* Writes sizes at random, so that each profile has its headroom, from the pool
 * or of its own. */
static void
put_sound_sizes(struct harness *harness, uint64_t *seed)
{
    static const char *const pools[] = {"", ";xoff=0", ";xoff=50000",
                                        ";xoff=70000"};
    size_t pool = seed_below(seed, 4);
    struct text fields = {0};

    text_addf(&fields, "type=ingress;mode=dynamic;size=%zu%s",
              1000000 + seed_below(seed, 1000), pools[pool]);
    harness_put(harness, "BUFFER_POOL", "ingress", text_string(&fields));
    for (size_t i = 0; i < N_PROFILES; i++) {
        size_t xon = seed_below(seed, 3) * 1000,
               xoff = seed_below(seed, 4) * 9000;
        size_t size = xon + (pool < 2 ? xoff : 0) + seed_below(seed, 2) * 500;

        text_clear(&fields);
        text_addf(&fields, "pool=ingress;size=%zu;xon=%zu;xoff=%zu;", size, xon,
                  xoff);
        text_addf(&fields, "dynamic_th=%zu", seed_below(seed, 4));
        harness_put(harness, "BUFFER_PROFILE", profile_names[i],
                    text_string(&fields));
    }
    text_fini(&fields);
}

static void
assert_sound(const struct harness *harness, uint64_t seed)
{
    uint64_t shared = size_in_store(harness, TABLE_BUFFER_POOL, "ingress",
                                    SAI_BUFFER_POOL_ATTR_XOFF_SIZE);

    for (size_t i = 0; i < N_PROFILES; i++) {
        const char *name = profile_names[i];
        uint64_t size =
            size_in_store(harness, TABLE_BUFFER_PROFILE, name,
                          SAI_BUFFER_PROFILE_ATTR_RESERVED_BUFFER_SIZE);
        uint64_t xon = size_in_store(harness, TABLE_BUFFER_PROFILE, name,
                                     SAI_BUFFER_PROFILE_ATTR_XON_TH);
        uint64_t xoff = size_in_store(harness, TABLE_BUFFER_PROFILE, name,
                                      SAI_BUFFER_PROFILE_ATTR_XOFF_TH);

        if (size < xon + (shared ? 0 : xoff)) {
            fail_msg("PLANNER_SEED=%llu: %s has %llu bytes for XON %llu, XOFF "
                     "%llu and a shared headroom of %llu",
                     (unsigned long long)seed, name, (unsigned long long)size,
                     (unsigned long long)xon, (unsigned long long)xoff,
                     (unsigned long long)shared);
        }
    }
}

static void
any_headroom(uint64_t seed, const char *reference)
{
    struct mood mood = {seed * 7 + 1, false};
    struct agent_figures figures;
    uint64_t random = seed;
    struct harness harness;

    (void)reference;
    harness_init(&harness, N_PORTS);
    put_sound_sizes(&harness, &random);
    harness_settle(&harness);
    store_set_hook(harness.store, moody, &mood);
    for (int i = 0; i < 6; i++) {
        mood.bad = seed_below(&random, 3) > 0;
        put_sound_sizes(&harness, &random);
        for (int j = 0; j < 6; j++) {
            while (agent_turn(harness.agent, harness.now, 1)) {
                assert_sound(&harness, seed);
            }
            harness.now += (int64_t)seed_below(&random, 3) * 1000 * 1000 * 1000;
            timeline_run(harness.timeline, harness.now);
        }
        assert_sound(&harness, seed);
    }
    mood.bad = false;
    harness_pass(&harness, INT64_C(200) * 1000 * 1000 * 1000);
    assert_sound(&harness, seed);
    agent_figures(harness.agent, &figures);
    if (figures.n_rows[ROW_STATE_APPLIED] != N_PROFILES + 1) {
        agent_each_row(harness.agent, print_unapplied, NULL);
        fail_msg("PLANNER_SEED=%llu: %zu rows applied",
                 (unsigned long long)seed, figures.n_rows[ROW_STATE_APPLIED]);
    }
    harness_fini(&harness);
}

static void
test_no_profile_is_ever_without_its_headroom(void **state)
{
    (void)state;
    with_reference(any_headroom);
}

static void
test_any_order_gives_the_same_asic(void **state)
{
    (void)state;
    with_reference(any_order);
}

static void
test_any_history_gives_the_same_asic(void **state)
{
    (void)state;
    with_reference(any_history);
}

static void
test_any_refusals_give_the_same_asic_in_the_end(void **state)
{
    (void)state;
    with_reference(any_refusals);
}

static void
test_any_changes_of_sides_give_the_same_asic(void **state)
{
    (void)state;
    with_reference(any_turns);
}

static void
test_any_refused_changes_of_sides_give_the_same_asic(void **state)
{
    (void)state;
    with_reference(any_refused_turns);
}

static void
test_any_disruptive_changes_of_sides_give_the_same_asic(void **state)
{
    (void)state;
    with_reference(any_disruptive_turns);
}

/* Rare histories: a binding to a profile that itself has to change sides first
 * is refused while its former pool is replaced; queues and priority groups swap
 * profiles; a value is refused that is no longer that of the row; a profile has
 * to be replaced while a former version of it is still in use; what a profile
 * refers to is a former version of its pool. */
static void
test_rare_changes_of_sides_give_the_same_asic(void **state)
{
    static const uint64_t seeds[] = {
        UINT64_C(594593610464), UINT64_C(188464939031), UINT64_C(722006526992),
        UINT64_C(2577457123931), UINT64_C(14931201155625)};
    char *reference = reference_dump();

    (void)state;
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) {
        any_turns(seeds[i], reference);
    }
    free(reference);
}

static void
test_bulk_calls_make_no_difference(void **state)
{
    (void)state;
    with_reference(bulk_or_not);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_order_gives_the_same_asic),
        cmocka_unit_test(test_any_history_gives_the_same_asic),
        cmocka_unit_test(test_interrupted_after_every_call_and_resumed),
        cmocka_unit_test(test_reservations_never_exceed_those_of_both_ends),
        cmocka_unit_test(test_no_profile_is_ever_without_its_headroom),
        cmocka_unit_test(test_any_refusals_give_the_same_asic_in_the_end),
        cmocka_unit_test(test_any_changes_of_sides_give_the_same_asic),
        cmocka_unit_test(test_any_refused_changes_of_sides_give_the_same_asic),
        cmocka_unit_test(
            test_any_disruptive_changes_of_sides_give_the_same_asic),
        cmocka_unit_test(test_rare_changes_of_sides_give_the_same_asic),
        cmocka_unit_test(test_bulk_calls_make_no_difference),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
