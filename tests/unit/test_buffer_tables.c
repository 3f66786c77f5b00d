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

#include "tests/support/rig.h"

#define INGRESS_LIST "BUFFER_PORT_INGRESS_PROFILE_LIST"
#define EGRESS_LIST  "BUFFER_PORT_EGRESS_PROFILE_LIST"
#define LOSSY_TRIM   "pool=egress_lossy;size=1518;dynamic_th=3;" TRIM
#define TRIM         "packet_discard_action=trim"

/* Asserts that the row is in 'state' because of 'code', which the reason says
 * to be due to 'culprit'. */
static void
assert_because(const struct testbench *rig, const char *table, const char *key,
               const char *state, const char *code, const char *culprit)
{
    const struct row_status *status = rig_status(rig, table, key);

    rig_assert_state(rig, table, key, state);
    assert_string_equal(status->err.code, code);
    assert_string_equal(status->blocked_by, culprit);
    assert_string_not_equal(status->err.remedy, "");
}

/* Returns how many profiles the store has in a list of port 'name', and their
 * ids in 'oids'. */
static uint32_t
list_of(const struct testbench *rig, const char *name, sai_attr_id_t id,
        sai_object_id_t oids[4])
{
    struct sai_backend *backend = store_backend(rig->store);
    const struct object *port = agent_object(rig->agent, TABLE_PORT, name, -1);
    sai_attribute_t attribute = {.id = id,
                                 .value.objlist = {.count = 4, .list = oids}};

    assert_non_null(port);
    assert_int_equal(
        backend->ops->get(backend, port->type, port->oid, 1, &attribute),
        SAI_STATUS_SUCCESS);
    return attribute.value.objlist.count;
}

static sai_object_id_t
profile_oid(const struct testbench *rig, const char *name)
{
    const struct object *profile =
        agent_object(rig->agent, TABLE_BUFFER_PROFILE, name, -1);

    return profile ? profile->oid : SAI_NULL_OBJECT_ID;
}

/* Returns what a profile does with packets that do not fit, as the store has
 * it. */
static int32_t
action_of(const struct testbench *rig, const char *name)
{
    struct sai_backend *backend = store_backend(rig->store);
    sai_attribute_t attribute = {
        .id = SAI_BUFFER_PROFILE_ATTR_PACKET_ADMISSION_FAIL_ACTION};

    assert_int_equal(backend->ops->get(backend, SAI_OBJECT_TYPE_BUFFER_PROFILE,
                                       profile_oid(rig, name), 1, &attribute),
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
    struct testbench rig;

    (void)state;
    rig_init_applied(&rig);
    rig_apply(&rig, EGRESS_LIST, "Ethernet0,Ethernet4",
              "profile_list=out_lossy,out_lossless");
    rig_assert_state(&rig, EGRESS_LIST, "Ethernet0,Ethernet4", "applied");
    assert_int_equal(list_of(&rig, "Ethernet4", id, oids), 2);
    assert_true(oids[0] == profile_oid(&rig, "out_lossy"));
    assert_true(oids[1] == profile_oid(&rig, "out_lossless"));
    rig_apply(&rig, EGRESS_LIST, "Ethernet0,Ethernet4",
              "profile_list=out_lossless,out_lossy");
    assert_int_equal(list_of(&rig, "Ethernet4", id, oids), 2);
    assert_true(oids[0] == profile_oid(&rig, "out_lossless"));
    rig_apply(&rig, EGRESS_LIST, "Ethernet0,Ethernet4", NULL);
    rig_assert_state(&rig, EGRESS_LIST, "Ethernet0,Ethernet4", "gone");
    assert_int_equal(list_of(&rig, "Ethernet4", id, oids), 0);
    assert_int_equal(list_of(&rig, "Ethernet0", id, oids), 0);
    testbench_fini(&rig);
}

static void
test_list_waits_until_all_its_profiles_are_there(void **state)
{
    const sai_attr_id_t id = SAI_PORT_ATTR_QOS_INGRESS_BUFFER_PROFILE_LIST;
    sai_object_id_t oids[4];
    struct testbench rig;

    (void)state;
    rig_init_applied(&rig);
    rig_apply(&rig, INGRESS_LIST, "Ethernet0", "profile_list=in_lossy,late");
    assert_because(&rig, INGRESS_LIST, "Ethernet0", "waiting", "missing-ref",
                   "BUFFER_PROFILE|late");
    assert_int_equal(list_of(&rig, "Ethernet0", id, oids), 0);
    rig_put(&rig, "BUFFER_PROFILE", "late", "pool=ingress;size=0;dynamic_th=1");
    rig_settle(&rig);
    rig_assert_state(&rig, INGRESS_LIST, "Ethernet0", "applied");
    assert_int_equal(list_of(&rig, "Ethernet0", id, oids), 2);
    testbench_fini(&rig);
}

static void
test_profile_in_a_list_stays_until_the_list_goes(void **state)
{
    struct testbench rig;

    (void)state;
    rig_init_applied(&rig);
    rig_put(&rig, "BUFFER_PROFILE", "extra",
            "pool=ingress;size=0;dynamic_th=1");
    rig_apply(&rig, INGRESS_LIST, "Ethernet0", "profile_list=extra");
    rig_apply(&rig, "BUFFER_PROFILE", "extra", NULL);
    rig_assert_state(&rig, "BUFFER_PROFILE", "extra", "pending-delete");
    assert_string_equal(
        rig_status(&rig, "BUFFER_PROFILE", "extra")->referenced_by,
        INGRESS_LIST "|Ethernet0");
    rig_apply(&rig, INGRESS_LIST, "Ethernet0", NULL);
    rig_assert_state(&rig, "BUFFER_PROFILE", "extra", "gone");
    assert_int_equal(profile_oid(&rig, "extra"), SAI_NULL_OBJECT_ID);
    testbench_fini(&rig);
}

static void
test_list_follows_a_profile_that_is_replaced(void **state)
{
    const sai_attr_id_t id = SAI_PORT_ATTR_QOS_INGRESS_BUFFER_PROFILE_LIST;
    sai_object_id_t oids[4], before;
    struct testbench rig;

    (void)state;
    rig_init_applied(&rig);
    rig_apply(&rig, INGRESS_LIST, "Ethernet0", "profile_list=in_lossy");
    before = profile_oid(&rig, "in_lossy");
    rig_put(&rig, "BUFFER_PROFILE", "in_lossy",
            "pool=ingress;size=0;static_th=4096");
    rig_settle(&rig);
    rig_assert_state(&rig, "BUFFER_PROFILE", "in_lossy", "applied");
    assert_true(profile_oid(&rig, "in_lossy") != before);
    assert_int_equal(list_of(&rig, "Ethernet0", id, oids), 1);
    assert_true(oids[0] == profile_oid(&rig, "in_lossy"));
    testbench_fini(&rig);
}

static void
test_row_for_fewer_ports_has_the_list(void **state)
{
    const sai_attr_id_t id = SAI_PORT_ATTR_QOS_EGRESS_BUFFER_PROFILE_LIST;
    sai_object_id_t oids[4];
    struct testbench rig;

    (void)state;
    rig_init_applied(&rig);
    rig_put(&rig, EGRESS_LIST, "Ethernet0", "profile_list=out_lossy");
    rig_apply(&rig, EGRESS_LIST, "Ethernet0,Ethernet4",
              "profile_list=out_lossless");
    assert_because(&rig, EGRESS_LIST, "Ethernet0,Ethernet4", "shadowed",
                   "shadowed", EGRESS_LIST "|Ethernet0");
    assert_int_equal(list_of(&rig, "Ethernet0", id, oids), 1);
    assert_true(oids[0] == profile_oid(&rig, "out_lossy"));
    assert_int_equal(list_of(&rig, "Ethernet4", id, oids), 1);
    assert_true(oids[0] == profile_oid(&rig, "out_lossless"));
    rig_apply(&rig, EGRESS_LIST, "Ethernet0", NULL);
    rig_assert_state(&rig, EGRESS_LIST, "Ethernet0,Ethernet4", "applied");
    assert_int_equal(list_of(&rig, "Ethernet0", id, oids), 1);
    assert_true(oids[0] == profile_oid(&rig, "out_lossless"));
    testbench_fini(&rig);
}

static void
test_list_of_an_unknown_port_waits_and_serves_the_known_one(void **state)
{
    sai_object_id_t oids[4];
    struct testbench rig;

    (void)state;
    rig_init_applied(&rig);
    rig_apply(&rig, EGRESS_LIST, "Ethernet0,Ethernet99",
              "profile_list=out_lossy");
    assert_because(&rig, EGRESS_LIST, "Ethernet0,Ethernet99", "waiting",
                   "missing-ref", "PORT|Ethernet99");
    assert_int_equal(list_of(&rig, "Ethernet0",
                             SAI_PORT_ATTR_QOS_EGRESS_BUFFER_PROFILE_LIST,
                             oids),
                     1);
    testbench_fini(&rig);
}

static void
test_port_with_a_list_can_go_and_come_back(void **state)
{
    const sai_attr_id_t id = SAI_PORT_ATTR_QOS_EGRESS_BUFFER_PROFILE_LIST;
    sai_object_id_t oids[4];
    struct testbench rig;

    (void)state;
    rig_init_applied(&rig);
    rig_apply(&rig, EGRESS_LIST, "Ethernet4", "profile_list=out_lossy");
    rig_apply(&rig, "PORT", "Ethernet4", NULL);
    rig_assert_state(&rig, "PORT", "Ethernet4", "gone");
    rig_assert_state(&rig, EGRESS_LIST, "Ethernet4", "waiting");
    rig_put(&rig, "PORT", "Ethernet4",
            "lanes=5,6,7,8;speed=100000;admin_status=up");
    rig_settle(&rig);
    rig_assert_state(&rig, EGRESS_LIST, "Ethernet4", "applied");
    assert_int_equal(list_of(&rig, "Ethernet4", id, oids), 1);
    testbench_fini(&rig);
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
    struct testbench rig;

    (void)state;
    rig_init_applied(&rig);
    for (size_t i = 0; i < 2; i++) {
        rig_apply(&rig, cases[i].table, "Ethernet0", cases[i].fields);
        assert_because(&rig, cases[i].table, "Ethernet0", "rejected",
                       "wrong-direction", cases[i].culprit);
    }
    assert_int_equal(list_of(&rig, "Ethernet0",
                             SAI_PORT_ATTR_QOS_INGRESS_BUFFER_PROFILE_LIST,
                             oids),
                     0);
    /* What is good of both is no list either. */
    assert_int_equal(list_of(&rig, "Ethernet0",
                             SAI_PORT_ATTR_QOS_EGRESS_BUFFER_PROFILE_LIST,
                             oids),
                     0);
    testbench_fini(&rig);
}

static void
test_pool_does_not_turn_round_under_a_list(void **state)
{
    struct testbench rig;

    (void)state;
    rig_init_applied(&rig);
    rig_put(&rig, "BUFFER_POOL", "own", "type=egress;mode=dynamic;size=1000");
    rig_put(&rig, "BUFFER_PROFILE", "own", "pool=own;size=0;dynamic_th=0");
    rig_apply(&rig, EGRESS_LIST, "Ethernet0", "profile_list=own");
    rig_assert_state(&rig, EGRESS_LIST, "Ethernet0", "applied");
    rig_put(&rig, "BUFFER_POOL", "own", "type=ingress;mode=dynamic;size=1000");
    rig_settle(&rig);
    rig_assert_state(&rig, EGRESS_LIST, "Ethernet0", "rejected");
    rig_assert_state(&rig, "BUFFER_POOL", "own", "waiting");
    assert_string_equal(rig_status(&rig, "BUFFER_POOL", "own")->err.code,
                        "in-use");
    rig_apply(&rig, EGRESS_LIST, "Ethernet0", NULL);
    rig_assert_state(&rig, "BUFFER_POOL", "own", "applied");
    testbench_fini(&rig);
}

static void
test_lossless_profile_needs_an_ingress_pool(void **state)
{
    struct testbench rig;

    (void)state;
    rig_init_applied(&rig);
    rig_put(&rig, "BUFFER_PROFILE", "odd",
            "pool=egress_lossy;size=10;dynamic_th=0;xoff=0");
    rig_settle(&rig);
    assert_because(&rig, "BUFFER_PROFILE", "odd", "rejected", "wrong-direction",
                   "BUFFER_POOL|egress_lossy");
    assert_int_equal(profile_oid(&rig, "odd"), SAI_NULL_OBJECT_ID);
    rig_put(&rig, "BUFFER_POOL", "both", "type=both;mode=dynamic;size=1000");
    rig_put(&rig, "BUFFER_PROFILE", "odd",
            "pool=both;size=10;dynamic_th=0;xoff=0");
    rig_settle(&rig);
    rig_assert_state(&rig, "BUFFER_PROFILE", "odd", "applied");
    testbench_fini(&rig);
}

static void
test_profile_that_a_priority_group_has_does_not_trim(void **state)
{
    const char *in_lossy = "pool=ingress;size=0;dynamic_th=3;" TRIM;
    struct testbench rig;

    (void)state;
    rig_init_applied(&rig);
    rig_apply(&rig, "BUFFER_PROFILE", "in_lossy", in_lossy);
    rig_assert_state(&rig, "BUFFER_PROFILE", "in_lossy", "rejected");
    assert_string_equal(
        rig_status(&rig, "BUFFER_PROFILE", "in_lossy")->err.code, "trim");
    assert_int_equal(action_of(&rig, "in_lossy"), DROP);
    rig_assert_state(&rig, "BUFFER_PG", "Ethernet0|0", "applied");
    /* As soon as nobody has it any more, it may. */
    rig_put(&rig, "BUFFER_PG", "Ethernet0|0", NULL);
    rig_apply(&rig, "BUFFER_PG", "Ethernet4|0", NULL);
    rig_assert_state(&rig, "BUFFER_PROFILE", "in_lossy", "applied");
    assert_int_equal(action_of(&rig, "in_lossy"), DROP_AND_TRIM);
    testbench_fini(&rig);
}

static void
test_profile_in_a_list_does_not_trim(void **state)
{
    struct testbench rig;

    (void)state;
    rig_init_applied(&rig);
    rig_apply(&rig, EGRESS_LIST, "Ethernet0", "profile_list=out_lossy");
    rig_apply(&rig, "BUFFER_PROFILE", "out_lossy", LOSSY_TRIM);
    assert_because(&rig, "BUFFER_PROFILE", "out_lossy", "rejected", "trim",
                   "PORT|Ethernet0");
    assert_int_equal(action_of(&rig, "out_lossy"), DROP);
    rig_apply(&rig, EGRESS_LIST, "Ethernet0", "profile_list=out_lossless");
    rig_assert_state(&rig, "BUFFER_PROFILE", "out_lossy", "applied");
    assert_int_equal(action_of(&rig, "out_lossy"), DROP_AND_TRIM);
    testbench_fini(&rig);
}

static void
test_only_queues_are_bound_to_a_profile_that_trims(void **state)
{
    sai_object_id_t oids[4];
    struct testbench rig;

    (void)state;
    rig_init_applied(&rig);
    rig_put(&rig, "BUFFER_PROFILE", "out_lossy", LOSSY_TRIM);
    rig_put(&rig, "BUFFER_PROFILE", "in_trim",
            "pool=ingress;size=0;dynamic_th=3;" TRIM);
    rig_put(&rig, EGRESS_LIST, "Ethernet0",
            "profile_list=out_lossless,out_lossy");
    rig_apply(&rig, "BUFFER_PG", "Ethernet0|1", "profile=in_trim");
    rig_assert_state(&rig, "BUFFER_PROFILE", "out_lossy", "applied");
    rig_assert_state(&rig, "BUFFER_QUEUE", "Ethernet0,Ethernet4|0-2",
                     "applied");
    assert_because(&rig, EGRESS_LIST, "Ethernet0", "rejected", "trim",
                   "BUFFER_PROFILE|out_lossy");
    assert_because(&rig, "BUFFER_PG", "Ethernet0|1", "rejected", "trim",
                   "BUFFER_PROFILE|in_trim");
    assert_int_equal(list_of(&rig, "Ethernet0",
                             SAI_PORT_ATTR_QOS_EGRESS_BUFFER_PROFILE_LIST,
                             oids),
                     0);
    rig_put(&rig, "BUFFER_PROFILE", "out_lossy",
            "pool=egress_lossy;size=1518;dynamic_th=3");
    rig_settle(&rig);
    rig_assert_state(&rig, EGRESS_LIST, "Ethernet0", "applied");
    testbench_fini(&rig);
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
calls_for(struct testbench *rig, struct trace *trace, const char *pool,
          const char *profile)
{
    memset(trace->calls, 0, sizeof trace->calls);
    trace->n = 0;
    rig_put(rig, LOSSLESS, profile);
    rig_apply(rig, "BUFFER_POOL", "ingress", pool);
    return trace->calls;
}

static void
test_sizes_and_thresholds_change_in_a_safe_order(void **state)
{
    static const struct {
        const char *pool, *profile, *calls;
    } cases[] = {
        {NO_POOL, PRIVATE, "s"},
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
    struct testbench rig;

    (void)state;
    rig_init_applied(&rig);
    store_set_hook(rig.store, trace_call, &trace);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *calls =
            calls_for(&rig, &trace, cases[i].pool, cases[i].profile);

        if (strcmp(calls, cases[i].calls)) {
            fail_msg("case %zu: %s, not %s", i, calls, cases[i].calls);
        }
    }
    testbench_fini(&rig);
}

static void
test_private_headroom_stays_until_the_shared_one_is_there_d2(void **state)
{
    struct trace trace = {.status = SAI_STATUS_SUCCESS,
                          .type = SAI_OBJECT_TYPE_BUFFER_POOL,
                          .id = SAI_BUFFER_POOL_ATTR_XOFF_SIZE};
    struct testbench rig;

    (void)state;
    rig_init_applied(&rig);
    store_set_hook(rig.store, trace_call, &trace);
    (void)calls_for(&rig, &trace, NO_POOL, PRIVATE);
    trace.status = SAI_STATUS_INSUFFICIENT_RESOURCES;
    assert_string_equal(calls_for(&rig, &trace, POOL, SHARED), "");
    rig_assert_state(&rig, "BUFFER_POOL", "ingress", "failed");
    assert_because(&rig, LOSSLESS, "waiting", "shared-headroom",
                   "BUFFER_POOL|ingress");
    /* A new profile cannot count on it either. */
    rig_put(&rig, "BUFFER_PROFILE", "new", SHARED);
    rig_apply(&rig, "BUFFER_PG", "Ethernet0|6", "profile=new");
    assert_because(&rig, "BUFFER_PROFILE", "new", "waiting", "shared-headroom",
                   "BUFFER_POOL|ingress");
    assert_because(&rig, "BUFFER_PG", "Ethernet0|6", "waiting", "missing-ref",
                   "BUFFER_PROFILE|new");
    trace.status = SAI_STATUS_SUCCESS;
    rig_pass(&rig, INT64_C(61) * 1000 * 1000 * 1000);
    assert_string_equal(trace.calls, "Ss");
    rig_assert_state(&rig, LOSSLESS, "applied");
    rig_assert_state(&rig, "BUFFER_PG", "Ethernet0|6", "applied");
    testbench_fini(&rig);
}

static void
test_shared_headroom_stays_until_nobody_needs_it_d2(void **state)
{
    struct trace trace = {.status = SAI_STATUS_SUCCESS,
                          .type = SAI_OBJECT_TYPE_BUFFER_PROFILE,
                          .id = SAI_BUFFER_PROFILE_ATTR_RESERVED_BUFFER_SIZE};
    struct testbench rig;

    (void)state;
    rig_init_applied(&rig);
    store_set_hook(rig.store, trace_call, &trace);
    (void)calls_for(&rig, &trace, POOL, SHARED);
    trace.status = SAI_STATUS_INSUFFICIENT_RESOURCES;
    assert_string_equal(calls_for(&rig, &trace, NO_POOL, PRIVATE), "");
    rig_assert_state(&rig, LOSSLESS, "failed");
    assert_because(&rig, "BUFFER_POOL", "ingress", "waiting", "shared-headroom",
                   "BUFFER_PROFILE|in_lossless");
    trace.status = SAI_STATUS_SUCCESS;
    rig_pass(&rig, INT64_C(61) * 1000 * 1000 * 1000);
    assert_string_equal(trace.calls, "sS");
    rig_assert_state(&rig, "BUFFER_POOL", "ingress", "applied");
    testbench_fini(&rig);
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
    struct testbench rig;

    (void)state;
    rig_init_applied(&rig);
    rig_apply(&rig, LOSSLESS, PRIVATE);
    store_set_hook(rig.store, refuse_until_xon, &changed);
    rig_put(&rig, LOSSLESS,
            "pool=ingress;dynamic_th=1;size=40000;xon=3000;xoff=35776");
    rig_settle(&rig);
    assert_true(changed);
    rig_assert_state(&rig, LOSSLESS, "applied");
    testbench_fini(&rig);
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
    struct room room = {7, 7}; /* What rig_init_applied() makes. */
    const char *state = allowed ? "applied" : "failed";
    struct testbench rig;
    sai_object_id_t before;

    rig_init_applied(&rig);
    before = profile_oid(&rig, "in_lossy");
    agent_allow_disruptive(rig.agent, allowed);
    store_set_hook(rig.store, limit_room, &room);
    rig_apply(&rig, table, key, fields);
    rig_settle(&rig);
    rig_assert_state(&rig, table, key, state);
    assert_true((profile_oid(&rig, "in_lossy") != before) == allowed);
    rig_assert_state(&rig, "BUFFER_PG", "Ethernet0|0", "applied");
    rig_assert_state(&rig, "BUFFER_PG", "Ethernet4|3-4", "applied");
    assert_true(agent_object(rig.agent, TABLE_BUFFER_PG, "Ethernet4", 0) !=
                NULL);
    assert_int_equal(room.now, 7);
    testbench_fini(&rig);
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
    struct testbench rig;
    uint64_t changes;

    (void)state;
    rig_init_applied(&rig);
    changes = rig_changes(&rig);
    rig_put(&rig, "CABLE_LENGTH", "AZURE", "Ethernet0=5m;Ethernet4=0m");
    rig_put(&rig, "DEFAULT_LOSSLESS_BUFFER_PARAMETER", "AZURE",
            "default_dynamic_th=0;over_subscribe_ratio=2");
    rig_put(&rig, "LOSSLESS_TRAFFIC_PATTERN", "AZURE",
            "mtu=1024;small_packet_percentage=100");
    rig_settle(&rig);
    rig_assert_state(&rig, "CABLE_LENGTH", "AZURE", "applied");
    rig_assert_state(&rig, "DEFAULT_LOSSLESS_BUFFER_PARAMETER", "AZURE",
                     "applied");
    rig_assert_state(&rig, "LOSSLESS_TRAFFIC_PATTERN", "AZURE", "applied");
    assert_true(rig_changes(&rig) == changes);

    rig_put(&rig, "CABLE_LENGTH", "AZURE",
            "Ethernet0=5m;Ethernet4=0m;Ethernet8=1m");
    rig_settle(&rig);
    assert_because(&rig, "CABLE_LENGTH", "AZURE", "waiting", "missing-ref",
                   "PORT|Ethernet8");
    rig_put(&rig, "PORT", "Ethernet8", "lanes=9,10;speed=50000");
    rig_settle(&rig);
    rig_assert_state(&rig, "CABLE_LENGTH", "AZURE", "applied");
    rig_apply(&rig, "PORT", "Ethernet8", NULL);
    rig_assert_state(&rig, "PORT", "Ethernet8", "gone");
    rig_assert_state(&rig, "CABLE_LENGTH", "AZURE", "waiting");
    rig_apply(&rig, "CABLE_LENGTH", "AZURE", NULL);
    rig_assert_state(&rig, "CABLE_LENGTH", "AZURE", "gone");
    testbench_fini(&rig);
}

static void
test_cables_that_contradict_are_rejected_in_both_rows(void **state)
{
    struct testbench rig;

    (void)state;
    rig_init_applied(&rig);
    rig_put(&rig, "CABLE_LENGTH", "a", "Ethernet0=5m");
    rig_put(&rig, "CABLE_LENGTH", "b", "Ethernet0=05m;Ethernet4=40m");
    rig_settle(&rig);
    rig_assert_state(&rig, "CABLE_LENGTH", "a", "applied");
    rig_assert_state(&rig, "CABLE_LENGTH", "b", "applied");
    rig_put(&rig, "CABLE_LENGTH", "b", "Ethernet0=50m;Ethernet4=40m");
    rig_settle(&rig);
    assert_because(&rig, "CABLE_LENGTH", "a", "rejected", "contradiction",
                   "CABLE_LENGTH|b");
    assert_because(&rig, "CABLE_LENGTH", "b", "rejected", "contradiction",
                   "CABLE_LENGTH|a");
    assert_string_equal(rig_status(&rig, "CABLE_LENGTH", "b")->err.field,
                        "Ethernet0");
    assert_string_equal(rig_status(&rig, "CABLE_LENGTH", "b")->err.value,
                        "50m");
    rig_put(&rig, "CABLE_LENGTH", "b", "Ethernet0=5m;Ethernet4=40m");
    rig_settle(&rig);
    rig_assert_state(&rig, "CABLE_LENGTH", "a", "applied");
    rig_assert_state(&rig, "CABLE_LENGTH", "b", "applied");
    rig_apply(&rig, "CABLE_LENGTH", "b", "Ethernet4=40m");
    rig_assert_state(&rig, "CABLE_LENGTH", "a", "applied");
    rig_assert_state(&rig, "CABLE_LENGTH", "b", "applied");
    rig_apply(&rig, "CABLE_LENGTH", "b", "Ethernet0=0m");
    rig_assert_state(&rig, "CABLE_LENGTH", "a", "rejected");
    rig_apply(&rig, "CABLE_LENGTH", "b", NULL);
    rig_assert_state(&rig, "CABLE_LENGTH", "a", "applied");
    testbench_fini(&rig);
}

static void
test_priority_group_to_be_computed_waits_in_the_traditional_model(void **state)
{
    struct testbench rig;

    (void)state;
    rig_init_applied(&rig);
    rig_put(&rig, "BUFFER_PG", "Ethernet0|5", "profile=NULL");
    rig_apply(&rig, "BUFFER_PG", "Ethernet0|6", "NULL=NULL");
    for (const char *key = "Ethernet0|5"; key;
         key = strcmp(key, "Ethernet0|5") ? NULL : "Ethernet0|6") {
        assert_because(&rig, "BUFFER_PG", key, "waiting", "needs-dynamic-model",
                       "DEVICE_METADATA|localhost");
    }
    rig_apply(&rig, "BUFFER_PG", "Ethernet0|5", "profile=in_lossy");
    rig_assert_state(&rig, "BUFFER_PG", "Ethernet0|5", "applied");
    rig_apply(&rig, "BUFFER_PG", "Ethernet0|5", "profile=NULL");
    rig_assert_state(&rig, "BUFFER_PG", "Ethernet0|5", "waiting");
    rig_apply(&rig, "BUFFER_PG", "Ethernet0|5", NULL);
    rig_assert_state(&rig, "BUFFER_PG", "Ethernet0|5", "gone");
    testbench_fini(&rig);
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
