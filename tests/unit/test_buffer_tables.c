/* SPDX-License-Identifier: Apache-2.0 */

/* Profile lists of ports, what goes together with what, and the tables that
 * are answered although nothing is programmed for them. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/agent_harness.h"

#define INGRESS_LIST "BUFFER_PORT_INGRESS_PROFILE_LIST"
#define EGRESS_LIST  "BUFFER_PORT_EGRESS_PROFILE_LIST"
#define LOSSY_TRIM   "pool=egress_lossy;size=1518;dynamic_th=3;" TRIM
#define TRIM         "packet_discard_action=trim"

/* Asserts that the row is in 'state' because of 'code', which the reason says
 * to be due to 'culprit'. */
static void
assert_because(const struct harness *harness, const char *table,
               const char *key, const char *state, const char *code,
               const char *culprit)
{
    const struct row_status *status = harness_status(harness, table, key);

    harness_assert_state(harness, table, key, state);
    assert_string_equal(status->err.code, code);
    assert_string_equal(status->blocked_by, culprit);
    assert_string_not_equal(status->err.remedy, "");
}

/* Returns how many profiles the store has in a list of port 'name', and their
 * ids in 'oids'. */
static uint32_t
list_of(const struct harness *harness, const char *name, sai_attr_id_t id,
        sai_object_id_t oids[4])
{
    struct sai_backend *backend = store_backend(harness->store);
    const struct object *port =
        agent_object(harness->agent, TABLE_PORT, name, -1);
    sai_attribute_t attribute = {.id = id,
                                 .value.objlist = {.count = 4, .list = oids}};

    assert_non_null(port);
    assert_int_equal(
        backend->ops->get(backend, port->type, port->oid, 1, &attribute),
        SAI_STATUS_SUCCESS);
    return attribute.value.objlist.count;
}

static sai_object_id_t
profile_oid(const struct harness *harness, const char *name)
{
    const struct object *profile =
        agent_object(harness->agent, TABLE_BUFFER_PROFILE, name, -1);

    return profile ? profile->oid : SAI_NULL_OBJECT_ID;
}

/* Returns what a profile does with packets that do not fit, as the store has
 * it. */
static int32_t
action_of(const struct harness *harness, const char *name)
{
    struct sai_backend *backend = store_backend(harness->store);
    sai_attribute_t attribute = {
        .id = SAI_BUFFER_PROFILE_ATTR_PACKET_ADMISSION_FAIL_ACTION};

    assert_int_equal(backend->ops->get(backend, SAI_OBJECT_TYPE_BUFFER_PROFILE,
                                       profile_oid(harness, name), 1,
                                       &attribute),
                     SAI_STATUS_SUCCESS);
    return attribute.value.s32;
}

enum {
    DROP = SAI_BUFFER_PROFILE_PACKET_ADMISSION_FAIL_ACTION_DROP,
    DROP_AND_TRIM =
        SAI_BUFFER_PROFILE_PACKET_ADMISSION_FAIL_ACTION_DROP_AND_TRIM,
};

/* --- Profile lists ------------------------------------------------------ */

static void
test_list_is_programmed_in_its_order_and_emptied_with_its_row(void **state)
{
    const sai_attr_id_t id = SAI_PORT_ATTR_QOS_EGRESS_BUFFER_PROFILE_LIST;
    sai_object_id_t oids[4];
    struct harness harness;

    (void)state;
    harness_init_applied(&harness);
    harness_apply(&harness, EGRESS_LIST, "Ethernet0,Ethernet4",
                  "profile_list=out_lossy,out_lossless");
    harness_assert_state(&harness, EGRESS_LIST, "Ethernet0,Ethernet4",
                         "applied");
    assert_int_equal(list_of(&harness, "Ethernet4", id, oids), 2);
    assert_true(oids[0] == profile_oid(&harness, "out_lossy"));
    assert_true(oids[1] == profile_oid(&harness, "out_lossless"));
    harness_apply(&harness, EGRESS_LIST, "Ethernet0,Ethernet4",
                  "profile_list=out_lossless,out_lossy");
    assert_int_equal(list_of(&harness, "Ethernet4", id, oids), 2);
    assert_true(oids[0] == profile_oid(&harness, "out_lossless"));
    harness_apply(&harness, EGRESS_LIST, "Ethernet0,Ethernet4", NULL);
    harness_assert_state(&harness, EGRESS_LIST, "Ethernet0,Ethernet4", "gone");
    assert_int_equal(list_of(&harness, "Ethernet4", id, oids), 0);
    assert_int_equal(list_of(&harness, "Ethernet0", id, oids), 0);
    harness_fini(&harness);
}

static void
test_list_waits_until_all_its_profiles_are_there(void **state)
{
    const sai_attr_id_t id = SAI_PORT_ATTR_QOS_INGRESS_BUFFER_PROFILE_LIST;
    sai_object_id_t oids[4];
    struct harness harness;

    (void)state;
    harness_init_applied(&harness);
    harness_apply(&harness, INGRESS_LIST, "Ethernet0",
                  "profile_list=in_lossy,late");
    assert_because(&harness, INGRESS_LIST, "Ethernet0", "waiting",
                   "missing-ref", "BUFFER_PROFILE|late");
    assert_int_equal(list_of(&harness, "Ethernet0", id, oids), 0);
    harness_put(&harness, "BUFFER_PROFILE", "late",
                "pool=ingress;size=0;dynamic_th=1");
    harness_settle(&harness);
    harness_assert_state(&harness, INGRESS_LIST, "Ethernet0", "applied");
    assert_int_equal(list_of(&harness, "Ethernet0", id, oids), 2);
    harness_fini(&harness);
}

static void
test_profile_in_a_list_stays_until_the_list_goes(void **state)
{
    struct harness harness;

    (void)state;
    harness_init_applied(&harness);
    harness_put(&harness, "BUFFER_PROFILE", "extra",
                "pool=ingress;size=0;dynamic_th=1");
    harness_apply(&harness, INGRESS_LIST, "Ethernet0", "profile_list=extra");
    harness_apply(&harness, "BUFFER_PROFILE", "extra", NULL);
    harness_assert_state(&harness, "BUFFER_PROFILE", "extra", "pending-delete");
    assert_string_equal(
        harness_status(&harness, "BUFFER_PROFILE", "extra")->referenced_by,
        INGRESS_LIST "|Ethernet0");
    harness_apply(&harness, INGRESS_LIST, "Ethernet0", NULL);
    harness_assert_state(&harness, "BUFFER_PROFILE", "extra", "gone");
    assert_int_equal(profile_oid(&harness, "extra"), SAI_NULL_OBJECT_ID);
    harness_fini(&harness);
}

static void
test_list_follows_a_profile_that_is_replaced(void **state)
{
    const sai_attr_id_t id = SAI_PORT_ATTR_QOS_INGRESS_BUFFER_PROFILE_LIST;
    sai_object_id_t oids[4], before;
    struct harness harness;

    (void)state;
    harness_init_applied(&harness);
    harness_apply(&harness, INGRESS_LIST, "Ethernet0", "profile_list=in_lossy");
    before = profile_oid(&harness, "in_lossy");
    harness_put(&harness, "BUFFER_PROFILE", "in_lossy",
                "pool=ingress;size=0;static_th=4096");
    harness_settle(&harness);
    harness_assert_state(&harness, "BUFFER_PROFILE", "in_lossy", "applied");
    assert_true(profile_oid(&harness, "in_lossy") != before);
    assert_int_equal(list_of(&harness, "Ethernet0", id, oids), 1);
    assert_true(oids[0] == profile_oid(&harness, "in_lossy"));
    harness_fini(&harness);
}

static void
test_row_for_fewer_ports_has_the_list(void **state)
{
    const sai_attr_id_t id = SAI_PORT_ATTR_QOS_EGRESS_BUFFER_PROFILE_LIST;
    sai_object_id_t oids[4];
    struct harness harness;

    (void)state;
    harness_init_applied(&harness);
    harness_put(&harness, EGRESS_LIST, "Ethernet0", "profile_list=out_lossy");
    harness_apply(&harness, EGRESS_LIST, "Ethernet0,Ethernet4",
                  "profile_list=out_lossless");
    assert_because(&harness, EGRESS_LIST, "Ethernet0,Ethernet4", "shadowed",
                   "shadowed", EGRESS_LIST "|Ethernet0");
    assert_int_equal(list_of(&harness, "Ethernet0", id, oids), 1);
    assert_true(oids[0] == profile_oid(&harness, "out_lossy"));
    assert_int_equal(list_of(&harness, "Ethernet4", id, oids), 1);
    assert_true(oids[0] == profile_oid(&harness, "out_lossless"));
    harness_apply(&harness, EGRESS_LIST, "Ethernet0", NULL);
    harness_assert_state(&harness, EGRESS_LIST, "Ethernet0,Ethernet4",
                         "applied");
    assert_int_equal(list_of(&harness, "Ethernet0", id, oids), 1);
    assert_true(oids[0] == profile_oid(&harness, "out_lossless"));
    harness_fini(&harness);
}

static void
test_list_of_an_unknown_port_waits_and_serves_the_known_one(void **state)
{
    sai_object_id_t oids[4];
    struct harness harness;

    (void)state;
    harness_init_applied(&harness);
    harness_apply(&harness, EGRESS_LIST, "Ethernet0,Ethernet99",
                  "profile_list=out_lossy");
    assert_because(&harness, EGRESS_LIST, "Ethernet0,Ethernet99", "waiting",
                   "missing-ref", "PORT|Ethernet99");
    assert_int_equal(list_of(&harness, "Ethernet0",
                             SAI_PORT_ATTR_QOS_EGRESS_BUFFER_PROFILE_LIST,
                             oids),
                     1);
    harness_fini(&harness);
}

static void
test_port_with_a_list_can_go_and_come_back(void **state)
{
    const sai_attr_id_t id = SAI_PORT_ATTR_QOS_EGRESS_BUFFER_PROFILE_LIST;
    sai_object_id_t oids[4];
    struct harness harness;

    (void)state;
    harness_init_applied(&harness);
    harness_apply(&harness, EGRESS_LIST, "Ethernet4", "profile_list=out_lossy");
    harness_apply(&harness, "PORT", "Ethernet4", NULL);
    harness_assert_state(&harness, "PORT", "Ethernet4", "gone");
    harness_assert_state(&harness, EGRESS_LIST, "Ethernet4", "waiting");
    harness_put(&harness, "PORT", "Ethernet4",
                "lanes=5,6,7,8;speed=100000;admin_status=up");
    harness_settle(&harness);
    harness_assert_state(&harness, EGRESS_LIST, "Ethernet4", "applied");
    assert_int_equal(list_of(&harness, "Ethernet4", id, oids), 1);
    harness_fini(&harness);
}

/* --- What goes together ------------------------------------------------- */

static void
test_list_of_the_other_direction_is_rejected(void **state)
{
    static const struct {
        const char *table, *fields, *culprit;
    } cases[] = {
        {INGRESS_LIST, "profile_list=in_lossy,out_lossy",
         "BUFFER_PROFILE|out_lossy"},
        {EGRESS_LIST, "profile_list=out_lossy,in_lossy",
         "BUFFER_PROFILE|in_lossy"},
    };
    sai_object_id_t oids[4];
    struct harness harness;

    (void)state;
    harness_init_applied(&harness);
    for (size_t i = 0; i < 2; i++) {
        harness_apply(&harness, cases[i].table, "Ethernet0", cases[i].fields);
        assert_because(&harness, cases[i].table, "Ethernet0", "rejected",
                       "wrong-direction", cases[i].culprit);
    }
    assert_int_equal(list_of(&harness, "Ethernet0",
                             SAI_PORT_ATTR_QOS_INGRESS_BUFFER_PROFILE_LIST,
                             oids),
                     0);
    /* What is good of both is no list either. */
    assert_int_equal(list_of(&harness, "Ethernet0",
                             SAI_PORT_ATTR_QOS_EGRESS_BUFFER_PROFILE_LIST,
                             oids),
                     0);
    harness_fini(&harness);
}

static void
test_pool_does_not_turn_round_under_a_list(void **state)
{
    struct harness harness;

    (void)state;
    harness_init_applied(&harness);
    harness_put(&harness, "BUFFER_POOL", "own",
                "type=egress;mode=dynamic;size=1000");
    harness_put(&harness, "BUFFER_PROFILE", "own",
                "pool=own;size=0;dynamic_th=0");
    harness_apply(&harness, EGRESS_LIST, "Ethernet0", "profile_list=own");
    harness_assert_state(&harness, EGRESS_LIST, "Ethernet0", "applied");
    harness_put(&harness, "BUFFER_POOL", "own",
                "type=ingress;mode=dynamic;size=1000");
    harness_settle(&harness);
    harness_assert_state(&harness, EGRESS_LIST, "Ethernet0", "rejected");
    harness_assert_state(&harness, "BUFFER_POOL", "own", "waiting");
    assert_string_equal(
        harness_status(&harness, "BUFFER_POOL", "own")->err.code, "in-use");
    harness_apply(&harness, EGRESS_LIST, "Ethernet0", NULL);
    harness_assert_state(&harness, "BUFFER_POOL", "own", "applied");
    harness_fini(&harness);
}

static void
test_lossless_profile_needs_an_ingress_pool(void **state)
{
    struct harness harness;

    (void)state;
    harness_init_applied(&harness);
    harness_put(&harness, "BUFFER_PROFILE", "odd",
                "pool=egress_lossy;size=10;dynamic_th=0;xoff=0");
    harness_settle(&harness);
    assert_because(&harness, "BUFFER_PROFILE", "odd", "rejected",
                   "wrong-direction", "BUFFER_POOL|egress_lossy");
    assert_int_equal(profile_oid(&harness, "odd"), SAI_NULL_OBJECT_ID);
    harness_put(&harness, "BUFFER_POOL", "both",
                "type=both;mode=dynamic;size=1000");
    harness_put(&harness, "BUFFER_PROFILE", "odd",
                "pool=both;size=10;dynamic_th=0;xoff=0");
    harness_settle(&harness);
    harness_assert_state(&harness, "BUFFER_PROFILE", "odd", "applied");
    harness_fini(&harness);
}

static void
test_profile_that_a_priority_group_has_does_not_trim(void **state)
{
    const char *in_lossy = "pool=ingress;size=0;dynamic_th=3;" TRIM;
    struct harness harness;

    (void)state;
    harness_init_applied(&harness);
    harness_apply(&harness, "BUFFER_PROFILE", "in_lossy", in_lossy);
    harness_assert_state(&harness, "BUFFER_PROFILE", "in_lossy", "rejected");
    assert_string_equal(
        harness_status(&harness, "BUFFER_PROFILE", "in_lossy")->err.code,
        "trim");
    assert_int_equal(action_of(&harness, "in_lossy"), DROP);
    harness_assert_state(&harness, "BUFFER_PG", "Ethernet0|0", "applied");
    /* Allowed as soon as no object uses it. */
    harness_put(&harness, "BUFFER_PG", "Ethernet0|0", NULL);
    harness_apply(&harness, "BUFFER_PG", "Ethernet4|0", NULL);
    harness_assert_state(&harness, "BUFFER_PROFILE", "in_lossy", "applied");
    assert_int_equal(action_of(&harness, "in_lossy"), DROP_AND_TRIM);
    harness_fini(&harness);
}

static void
test_profile_in_a_list_does_not_trim(void **state)
{
    struct harness harness;

    (void)state;
    harness_init_applied(&harness);
    harness_apply(&harness, EGRESS_LIST, "Ethernet0", "profile_list=out_lossy");
    harness_apply(&harness, "BUFFER_PROFILE", "out_lossy", LOSSY_TRIM);
    assert_because(&harness, "BUFFER_PROFILE", "out_lossy", "rejected", "trim",
                   "PORT|Ethernet0");
    assert_int_equal(action_of(&harness, "out_lossy"), DROP);
    harness_apply(&harness, EGRESS_LIST, "Ethernet0",
                  "profile_list=out_lossless");
    harness_assert_state(&harness, "BUFFER_PROFILE", "out_lossy", "applied");
    assert_int_equal(action_of(&harness, "out_lossy"), DROP_AND_TRIM);
    harness_fini(&harness);
}

static void
test_only_queues_are_bound_to_a_profile_that_trims(void **state)
{
    sai_object_id_t oids[4];
    struct harness harness;

    (void)state;
    harness_init_applied(&harness);
    harness_put(&harness, "BUFFER_PROFILE", "out_lossy", LOSSY_TRIM);
    harness_put(&harness, "BUFFER_PROFILE", "in_trim",
                "pool=ingress;size=0;dynamic_th=3;" TRIM);
    harness_put(&harness, EGRESS_LIST, "Ethernet0",
                "profile_list=out_lossless,out_lossy");
    harness_apply(&harness, "BUFFER_PG", "Ethernet0|1", "profile=in_trim");
    harness_assert_state(&harness, "BUFFER_PROFILE", "out_lossy", "applied");
    harness_assert_state(&harness, "BUFFER_QUEUE", "Ethernet0,Ethernet4|0-2",
                         "applied");
    assert_because(&harness, EGRESS_LIST, "Ethernet0", "rejected", "trim",
                   "BUFFER_PROFILE|out_lossy");
    assert_because(&harness, "BUFFER_PG", "Ethernet0|1", "rejected", "trim",
                   "BUFFER_PROFILE|in_trim");
    assert_int_equal(list_of(&harness, "Ethernet0",
                             SAI_PORT_ATTR_QOS_EGRESS_BUFFER_PROFILE_LIST,
                             oids),
                     0);
    harness_put(&harness, "BUFFER_PROFILE", "out_lossy",
                "pool=egress_lossy;size=1518;dynamic_th=3");
    harness_settle(&harness);
    harness_assert_state(&harness, EGRESS_LIST, "Ethernet0", "applied");
    harness_fini(&harness);
}

/* --- Order -------------------------------------------------------------- */

/* Notes the order of calls, and refuses changes of one attribute. */
struct trace {
    char calls[256];
    size_t n;
    sai_object_type_t type; /* Of the attribute that is refused. */
    sai_attr_id_t id;
    sai_status_t status;
};

static const struct {
    sai_object_type_t type;
    sai_attr_id_t id;
    char letter;
} traced[] = {
    {SAI_OBJECT_TYPE_BUFFER_POOL, SAI_BUFFER_POOL_ATTR_SIZE, 'P'},
    {SAI_OBJECT_TYPE_BUFFER_POOL, SAI_BUFFER_POOL_ATTR_XOFF_SIZE, 'S'},
    {SAI_OBJECT_TYPE_BUFFER_PROFILE,
     SAI_BUFFER_PROFILE_ATTR_RESERVED_BUFFER_SIZE, 's'},
    {SAI_OBJECT_TYPE_BUFFER_PROFILE, SAI_BUFFER_PROFILE_ATTR_XON_TH, 'n'},
    {SAI_OBJECT_TYPE_BUFFER_PROFILE, SAI_BUFFER_PROFILE_ATTR_XOFF_TH, 'f'},
    {SAI_OBJECT_TYPE_BUFFER_PROFILE, SAI_BUFFER_PROFILE_ATTR_SHARED_DYNAMIC_TH,
     't'},
};

static sai_status_t
trace_call(void *context, const struct store_call *call)
{
    struct trace *trace = context;

    if (call->op != STORE_SET) {
        return SAI_STATUS_SUCCESS;
    }
    if (call->type == trace->type && call->attributes->id == trace->id &&
        trace->status != SAI_STATUS_SUCCESS) {
        return trace->status;
    }
    for (size_t i = 0; i < sizeof traced / sizeof *traced; i++) {
        if (traced[i].type == call->type &&
            traced[i].id == call->attributes->id) {
            assert_true(trace->n + 1 < sizeof trace->calls);
            trace->calls[trace->n++] = traced[i].letter;
        }
    }
    return SAI_STATUS_SUCCESS;
}

#define PRIVATE  "pool=ingress;dynamic_th=-3;size=40000;xon=2288;xoff=35776"
#define SHARED   "pool=ingress;dynamic_th=-3;size=2288;xon=2288;xoff=35776"
#define NO_POOL  "type=ingress;mode=dynamic;size=10000000;xoff=0"
#define POOL     "type=ingress;mode=dynamic;size=10000000;xoff=100000"
#define LOSSLESS "BUFFER_PROFILE", "in_lossless"

/* Writes a pool and a profile at once, and returns the calls that came. */
static const char *
calls_for(struct harness *harness, struct trace *trace, const char *pool,
          const char *profile)
{
    memset(trace->calls, 0, sizeof trace->calls);
    trace->n = 0;
    harness_put(harness, LOSSLESS, profile);
    harness_apply(harness, "BUFFER_POOL", "ingress", pool);
    return trace->calls;
}

static void
test_sizes_and_thresholds_change_in_a_safe_order(void **state)
{
    static const struct {
        const char *pool, *profile, *calls;
    } cases[] = {
        /* The row now names an xoff of 0, which is set though it is the
           default. */
        {NO_POOL, PRIVATE, "Ss"},
        /* Shared headroom first, then those who count on it; and back. */
        {POOL, SHARED, "Ss"},
        {NO_POOL, PRIVATE, "sS"},
        /* The size before what it has to hold, and after. */
        {NO_POOL, "pool=ingress;dynamic_th=-2;size=50000;xon=3000;xoff=47000",
         "stfn"},
        {NO_POOL, PRIVATE, "fnts"},
        /* What shrinks before what grows. */
        {NO_POOL, "pool=ingress;dynamic_th=-3;size=40000;xon=10000;xoff=30000",
         "fn"},
        {NO_POOL, "pool=ingress;dynamic_th=-3;size=40000;xon=4000;xoff=36000",
         "nf"},
        /* Pools grow before profiles and shrink after them. */
        {"type=ingress;mode=dynamic;size=20000000;xoff=0",
         "pool=ingress;dynamic_th=-3;size=60000;xon=4000;xoff=36000", "Ps"},
        {NO_POOL, "pool=ingress;dynamic_th=-3;size=40000;xon=4000;xoff=36000",
         "sP"},
    };
    struct trace trace = {.status = SAI_STATUS_SUCCESS};
    struct harness harness;

    (void)state;
    harness_init_applied(&harness);
    store_set_hook(harness.store, trace_call, &trace);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *calls =
            calls_for(&harness, &trace, cases[i].pool, cases[i].profile);

        if (strcmp(calls, cases[i].calls)) {
            fail_msg("case %zu: %s, not %s", i, calls, cases[i].calls);
        }
    }
    harness_fini(&harness);
}

static void
test_private_headroom_stays_until_the_shared_one_is_there_d2(void **state)
{
    struct trace trace = {.status = SAI_STATUS_SUCCESS,
                          .type = SAI_OBJECT_TYPE_BUFFER_POOL,
                          .id = SAI_BUFFER_POOL_ATTR_XOFF_SIZE};
    struct harness harness;

    (void)state;
    harness_init_applied(&harness);
    store_set_hook(harness.store, trace_call, &trace);
    (void)calls_for(&harness, &trace, NO_POOL, PRIVATE);
    trace.status = SAI_STATUS_INSUFFICIENT_RESOURCES;
    assert_string_equal(calls_for(&harness, &trace, POOL, SHARED), "");
    harness_assert_state(&harness, "BUFFER_POOL", "ingress", "failed");
    assert_because(&harness, LOSSLESS, "waiting", "shared-headroom",
                   "BUFFER_POOL|ingress");
    /* A new profile cannot count on it either. */
    harness_put(&harness, "BUFFER_PROFILE", "new", SHARED);
    harness_apply(&harness, "BUFFER_PG", "Ethernet0|6", "profile=new");
    assert_because(&harness, "BUFFER_PROFILE", "new", "waiting",
                   "shared-headroom", "BUFFER_POOL|ingress");
    assert_because(&harness, "BUFFER_PG", "Ethernet0|6", "waiting",
                   "missing-ref", "BUFFER_PROFILE|new");
    trace.status = SAI_STATUS_SUCCESS;
    harness_pass(&harness, INT64_C(61) * 1000 * 1000 * 1000);
    assert_string_equal(trace.calls, "Ss");
    harness_assert_state(&harness, LOSSLESS, "applied");
    harness_assert_state(&harness, "BUFFER_PG", "Ethernet0|6", "applied");
    harness_fini(&harness);
}

static void
test_shared_headroom_stays_until_nobody_needs_it_d2(void **state)
{
    struct trace trace = {.status = SAI_STATUS_SUCCESS,
                          .type = SAI_OBJECT_TYPE_BUFFER_PROFILE,
                          .id = SAI_BUFFER_PROFILE_ATTR_RESERVED_BUFFER_SIZE};
    struct harness harness;

    (void)state;
    harness_init_applied(&harness);
    store_set_hook(harness.store, trace_call, &trace);
    (void)calls_for(&harness, &trace, POOL, SHARED);
    trace.status = SAI_STATUS_INSUFFICIENT_RESOURCES;
    assert_string_equal(calls_for(&harness, &trace, NO_POOL, PRIVATE), "");
    harness_assert_state(&harness, LOSSLESS, "failed");
    assert_because(&harness, "BUFFER_POOL", "ingress", "waiting",
                   "shared-headroom", "BUFFER_PROFILE|in_lossless");
    trace.status = SAI_STATUS_SUCCESS;
    harness_pass(&harness, INT64_C(61) * 1000 * 1000 * 1000);
    assert_string_equal(trace.calls, "sS");
    harness_assert_state(&harness, "BUFFER_POOL", "ingress", "applied");
    harness_fini(&harness);
}

/* Refuses a threshold until the XON of the profile has changed. */
static sai_status_t
refuse_until_xon(void *context, const struct store_call *call)
{
    bool *changed = context;

    if (call->op != STORE_SET || call->type != SAI_OBJECT_TYPE_BUFFER_PROFILE) {
        return SAI_STATUS_SUCCESS;
    }
    *changed |= call->attributes->id == SAI_BUFFER_PROFILE_ATTR_XON_TH;
    return call->attributes->id == SAI_BUFFER_PROFILE_ATTR_SHARED_DYNAMIC_TH &&
                   !*changed
               ? SAI_STATUS_INVALID_PARAMETER
               : SAI_STATUS_SUCCESS;
}

static void
test_what_was_refused_is_tried_again_when_the_rest_is_done(void **state)
{
    bool changed = false;
    struct harness harness;

    (void)state;
    harness_init_applied(&harness);
    harness_apply(&harness, LOSSLESS, PRIVATE);
    store_set_hook(harness.store, refuse_until_xon, &changed);
    harness_put(&harness, LOSSLESS,
                "pool=ingress;dynamic_th=1;size=40000;xon=3000;xoff=35776");
    harness_settle(&harness);
    assert_true(changed);
    harness_assert_state(&harness, LOSSLESS, "applied");
    harness_fini(&harness);
}

/* --- No room for two ---------------------------------------------------- */

/* An ASIC that has no more than 'most' pools and profiles. */
struct room {
    int now, most;
};

static sai_status_t
limit_room(void *context, const struct store_call *call)
{
    struct room *room = context;

    if (call->type != SAI_OBJECT_TYPE_BUFFER_POOL &&
        call->type != SAI_OBJECT_TYPE_BUFFER_PROFILE) {
        return SAI_STATUS_SUCCESS;
    }
    if (call->op == STORE_CREATE && room->now >= room->most) {
        return SAI_STATUS_INSUFFICIENT_RESOURCES;
    }
    room->now += (call->op == STORE_CREATE) - (call->op == STORE_REMOVE);
    return SAI_STATUS_SUCCESS;
}

static void
replace_without_room(bool allowed, const char *table, const char *key,
                     const char *fields)
{
    struct room room = {7, 7}; /* What harness_init_applied() makes. */
    const char *state = allowed ? "applied" : "failed";
    struct harness harness;
    sai_object_id_t before;

    harness_init_applied(&harness);
    before = profile_oid(&harness, "in_lossy");
    agent_allow_disruptive(harness.agent, allowed);
    store_set_hook(harness.store, limit_room, &room);
    harness_apply(&harness, table, key, fields);
    harness_settle(&harness);
    harness_assert_state(&harness, table, key, state);
    assert_true((profile_oid(&harness, "in_lossy") != before) == allowed);
    harness_assert_state(&harness, "BUFFER_PG", "Ethernet0|0", "applied");
    harness_assert_state(&harness, "BUFFER_PG", "Ethernet4|3-4", "applied");
    assert_true(agent_object(harness.agent, TABLE_BUFFER_PG, "Ethernet4", 0) !=
                NULL);
    assert_int_equal(room.now, 7);
    harness_fini(&harness);
}

static void
test_what_has_no_room_is_replaced_only_if_that_is_allowed(void **state)
{
    (void)state;
    for (int allowed = 0; allowed < 2; allowed++) {
        replace_without_room(allowed, "BUFFER_PROFILE", "in_lossy",
                             "pool=ingress;size=0;static_th=4096");
        /* With a pool, its profiles go as well. */
        replace_without_room(allowed, "BUFFER_POOL", "ingress",
                             "type=ingress;mode=static;size=10000000");
    }
}

/* --- Rows that only inform ---------------------------------------------- */

static void
test_cables_are_answered_and_wait_for_their_ports(void **state)
{
    struct harness harness;
    uint64_t changes;

    (void)state;
    harness_init_applied(&harness);
    changes = harness_changes(&harness);
    harness_put(&harness, "CABLE_LENGTH", "AZURE", "Ethernet0=5m;Ethernet4=0m");
    harness_put(&harness, "DEFAULT_LOSSLESS_BUFFER_PARAMETER", "AZURE",
                "default_dynamic_th=0;over_subscribe_ratio=2");
    harness_put(&harness, "LOSSLESS_TRAFFIC_PATTERN", "AZURE",
                "mtu=1024;small_packet_percentage=100");
    harness_settle(&harness);
    harness_assert_state(&harness, "CABLE_LENGTH", "AZURE", "applied");
    harness_assert_state(&harness, "DEFAULT_LOSSLESS_BUFFER_PARAMETER", "AZURE",
                         "applied");
    harness_assert_state(&harness, "LOSSLESS_TRAFFIC_PATTERN", "AZURE",
                         "applied");
    assert_true(harness_changes(&harness) == changes);

    harness_put(&harness, "CABLE_LENGTH", "AZURE",
                "Ethernet0=5m;Ethernet4=0m;Ethernet8=1m");
    harness_settle(&harness);
    assert_because(&harness, "CABLE_LENGTH", "AZURE", "waiting", "missing-ref",
                   "PORT|Ethernet8");
    harness_put(&harness, "PORT", "Ethernet8", "lanes=9,10;speed=50000");
    harness_settle(&harness);
    harness_assert_state(&harness, "CABLE_LENGTH", "AZURE", "applied");
    harness_apply(&harness, "PORT", "Ethernet8", NULL);
    harness_assert_state(&harness, "PORT", "Ethernet8", "gone");
    harness_assert_state(&harness, "CABLE_LENGTH", "AZURE", "waiting");
    harness_apply(&harness, "CABLE_LENGTH", "AZURE", NULL);
    harness_assert_state(&harness, "CABLE_LENGTH", "AZURE", "gone");
    harness_fini(&harness);
}

static void
test_cables_that_contradict_are_rejected_in_both_rows(void **state)
{
    struct harness harness;

    (void)state;
    harness_init_applied(&harness);
    harness_put(&harness, "CABLE_LENGTH", "a", "Ethernet0=5m");
    harness_put(&harness, "CABLE_LENGTH", "b", "Ethernet0=05m;Ethernet4=40m");
    harness_settle(&harness);
    harness_assert_state(&harness, "CABLE_LENGTH", "a", "applied");
    harness_assert_state(&harness, "CABLE_LENGTH", "b", "applied");
    harness_put(&harness, "CABLE_LENGTH", "b", "Ethernet0=50m;Ethernet4=40m");
    harness_settle(&harness);
    assert_because(&harness, "CABLE_LENGTH", "a", "rejected", "contradiction",
                   "CABLE_LENGTH|b");
    assert_because(&harness, "CABLE_LENGTH", "b", "rejected", "contradiction",
                   "CABLE_LENGTH|a");
    assert_string_equal(
        harness_status(&harness, "CABLE_LENGTH", "b")->err.field, "Ethernet0");
    assert_string_equal(
        harness_status(&harness, "CABLE_LENGTH", "b")->err.value, "50m");
    harness_put(&harness, "CABLE_LENGTH", "b", "Ethernet0=5m;Ethernet4=40m");
    harness_settle(&harness);
    harness_assert_state(&harness, "CABLE_LENGTH", "a", "applied");
    harness_assert_state(&harness, "CABLE_LENGTH", "b", "applied");
    harness_apply(&harness, "CABLE_LENGTH", "b", "Ethernet4=40m");
    harness_assert_state(&harness, "CABLE_LENGTH", "a", "applied");
    harness_assert_state(&harness, "CABLE_LENGTH", "b", "applied");
    harness_apply(&harness, "CABLE_LENGTH", "b", "Ethernet0=0m");
    harness_assert_state(&harness, "CABLE_LENGTH", "a", "rejected");
    harness_apply(&harness, "CABLE_LENGTH", "b", NULL);
    harness_assert_state(&harness, "CABLE_LENGTH", "a", "applied");
    harness_fini(&harness);
}

static void
test_priority_group_to_be_computed_waits_in_the_traditional_model(void **state)
{
    struct harness harness;

    (void)state;
    harness_init_applied(&harness);
    harness_put(&harness, "BUFFER_PG", "Ethernet0|5", "profile=NULL");
    harness_apply(&harness, "BUFFER_PG", "Ethernet0|6", "NULL=NULL");
    for (const char *key = "Ethernet0|5"; key;
         key = strcmp(key, "Ethernet0|5") ? NULL : "Ethernet0|6") {
        assert_because(&harness, "BUFFER_PG", key, "waiting",
                       "needs-dynamic-model", "DEVICE_METADATA|localhost");
    }
    harness_apply(&harness, "BUFFER_PG", "Ethernet0|5", "profile=in_lossy");
    harness_assert_state(&harness, "BUFFER_PG", "Ethernet0|5", "applied");
    harness_apply(&harness, "BUFFER_PG", "Ethernet0|5", "profile=NULL");
    harness_assert_state(&harness, "BUFFER_PG", "Ethernet0|5", "waiting");
    harness_apply(&harness, "BUFFER_PG", "Ethernet0|5", NULL);
    harness_assert_state(&harness, "BUFFER_PG", "Ethernet0|5", "gone");
    harness_fini(&harness);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            test_list_is_programmed_in_its_order_and_emptied_with_its_row),
        cmocka_unit_test(test_list_waits_until_all_its_profiles_are_there),
        cmocka_unit_test(test_profile_in_a_list_stays_until_the_list_goes),
        cmocka_unit_test(test_list_follows_a_profile_that_is_replaced),
        cmocka_unit_test(test_row_for_fewer_ports_has_the_list),
        cmocka_unit_test(
            test_list_of_an_unknown_port_waits_and_serves_the_known_one),
        cmocka_unit_test(test_port_with_a_list_can_go_and_come_back),
        cmocka_unit_test(test_list_of_the_other_direction_is_rejected),
        cmocka_unit_test(test_pool_does_not_turn_round_under_a_list),
        cmocka_unit_test(test_lossless_profile_needs_an_ingress_pool),
        cmocka_unit_test(test_profile_that_a_priority_group_has_does_not_trim),
        cmocka_unit_test(test_profile_in_a_list_does_not_trim),
        cmocka_unit_test(test_only_queues_are_bound_to_a_profile_that_trims),
        cmocka_unit_test(test_sizes_and_thresholds_change_in_a_safe_order),
        cmocka_unit_test(
            test_private_headroom_stays_until_the_shared_one_is_there_d2),
        cmocka_unit_test(test_shared_headroom_stays_until_nobody_needs_it_d2),
        cmocka_unit_test(
            test_what_was_refused_is_tried_again_when_the_rest_is_done),
        cmocka_unit_test(
            test_what_has_no_room_is_replaced_only_if_that_is_allowed),
        cmocka_unit_test(test_cables_are_answered_and_wait_for_their_ports),
        cmocka_unit_test(test_cables_that_contradict_are_rejected_in_both_rows),
        cmocka_unit_test(
            test_priority_group_to_be_computed_waits_in_the_traditional_model),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
