/* SPDX-License-Identifier: Apache-2.0 */

/* Whether what was asked for is in ASIC_DB, hash by hash. */

#include <config.h>

#include "orchd/orchagent/evidence.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/status.h"
#include "base/text.h"
#include "orchd/intent/field.h"
#include "orchd/orchagent/asic_rows.h"
#include "orchd/orchagent/asic_states.h"
#include "orchd/reconcile/adopted_values.h"
#include "orchd/reconcile/confirmation.h"
#include "sai/core/backend.h"
#include "sai/core/metadata.h"
#include "sai/core/serialize.h"

#define PATIENCE_NS 1000

#define SWITCH_ID    0x21000000000000
#define PORT_ID      0x1000000000002
#define PG_ID        0x1a000000000003
#define POOL_ID      0x18000000000010
#define SCHEDULER_ID 0x16000000000020
#define PROFILE_ID   0x19000000000011
#define OTHER_ID     0x19000000000012
#define MAP_ID       0x14000000000013

#define PROFILE(name) "SAI_BUFFER_PROFILE_ATTR_" name
#define POOL(name)    "SAI_BUFFER_POOL_ATTR_" name
#define N(fields)     (sizeof(fields) / sizeof *(fields))

static const struct field nothing[] = {{"NULL", "NULL"}};

static const struct field pool_row[] = {
    {POOL("TYPE"), "SAI_BUFFER_POOL_TYPE_INGRESS"},
    {POOL("THRESHOLD_MODE"), "SAI_BUFFER_POOL_THRESHOLD_MODE_DYNAMIC"},
    {POOL("SIZE"), "1000000"},
};

static const struct field profile_row[] = {
    {PROFILE("POOL_ID"), "oid:0x18000000000010"},
    {PROFILE("RESERVED_BUFFER_SIZE"), "1248"},
    {PROFILE("THRESHOLD_MODE"), "SAI_BUFFER_PROFILE_THRESHOLD_MODE_DYNAMIC"},
    {PROFILE("SHARED_DYNAMIC_TH"), "-3"},
    {PROFILE("XOFF_TH"), "35776"},
};

/* A switch with one port, one priority group and one pool. */
struct fixture {
    struct asic_rows *rows;
    struct evidence *evidence;
    struct sai_backend *backend;
    const struct adopted_values *names;
    sai_object_id_t pool, profile, pg;
};

static void
put(struct fixture *fixture, sai_object_type_t type, sai_object_id_t oid,
    const struct field *fields, size_t n)
{
    asic_rows_put(fixture->rows, type, oid, fields, n);
}

static sai_status_t
create(struct fixture *fixture, sai_object_type_t type, const char *name,
       const sai_attribute_t *attributes, uint32_t n, sai_object_id_t *oid)
{
    fixture->names->expect(fixture->names->context, name);
    return fixture->backend->ops->create(fixture->backend, type, n, attributes,
                                         oid);
}

static sai_status_t
create_pool(struct fixture *fixture)
{
    const sai_attribute_t attributes[] = {
        {SAI_BUFFER_POOL_ATTR_TYPE, {.s32 = SAI_BUFFER_POOL_TYPE_INGRESS}},
        {SAI_BUFFER_POOL_ATTR_SIZE, {.u64 = 1000000}},
        {SAI_BUFFER_POOL_ATTR_THRESHOLD_MODE,
         {.s32 = SAI_BUFFER_POOL_THRESHOLD_MODE_DYNAMIC}},
    };

    return create(fixture, SAI_OBJECT_TYPE_BUFFER_POOL, "BUFFER_POOL|in",
                  attributes, N(attributes), &fixture->pool);
}

static sai_status_t
create_profile(struct fixture *fixture)
{
    const sai_attribute_t attributes[] = {
        {SAI_BUFFER_PROFILE_ATTR_POOL_ID, {.oid = fixture->pool}},
        {SAI_BUFFER_PROFILE_ATTR_RESERVED_BUFFER_SIZE, {.u64 = 1248}},
        {SAI_BUFFER_PROFILE_ATTR_THRESHOLD_MODE,
         {.s32 = SAI_BUFFER_PROFILE_THRESHOLD_MODE_DYNAMIC}},
        {SAI_BUFFER_PROFILE_ATTR_SHARED_DYNAMIC_TH, {.s8 = -3}},
        {SAI_BUFFER_PROFILE_ATTR_XOFF_TH, {.u64 = 35776}},
    };

    return create(fixture, SAI_OBJECT_TYPE_BUFFER_PROFILE, "BUFFER_PROFILE|a",
                  attributes, N(attributes), &fixture->profile);
}

static sai_status_t
bind(struct fixture *fixture)
{
    const sai_attribute_t binding = {
        SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE,
        {.oid = fixture->profile}};

    return fixture->backend->ops->set(fixture->backend,
                                      SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP,
                                      fixture->pg, &binding);
}

/* Sets a map to one entry. */
static void
name_id(struct fixture *fixture, enum asic_map map, const char *name,
        const char *oid)
{
    const struct field field = {name, oid};

    asic_rows_put_map(fixture->rows, map, &field, 1);
}

/* Lets the row of the group say that 'oid' is bound. */
static void
put_binding(struct fixture *fixture, sai_object_id_t pg, const char *oid)
{
    const struct field binding = {
        "SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE", oid};

    put(fixture, SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP, pg, &binding, 1);
}

static int
setup(void **state)
{
    static struct fixture fixture;
    sai_object_id_t oids[16];
    sai_attribute_t list = {SAI_SWITCH_ATTR_PORT_LIST, {.objlist = {16, oids}}};

    memset(&fixture, 0, sizeof fixture);
    fixture.rows = asic_rows_create();
    fixture.evidence = evidence_create(fixture.rows, PATIENCE_NS);
    fixture.backend = evidence_backend(fixture.evidence);
    fixture.names = evidence_names(fixture.evidence);
    assert_false(evidence_has_switch(fixture.evidence));
    put(&fixture, SAI_OBJECT_TYPE_SWITCH, SWITCH_ID, nothing, 1);
    put(&fixture, SAI_OBJECT_TYPE_PORT, PORT_ID, nothing, 1);
    put(&fixture, SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP, PG_ID, nothing, 1);
    name_id(&fixture, ASIC_MAP_PORTS, "Ethernet0", "oid:0x1000000000002");
    name_id(&fixture, ASIC_MAP_PGS, "Ethernet0:0", "oid:0x1a000000000003");
    evidence_set_lanes(fixture.evidence, "Ethernet0", "4,3,2,1");
    assert_true(evidence_has_switch(fixture.evidence));
    assert_int_equal(
        fixture.backend->ops->get(fixture.backend, SAI_OBJECT_TYPE_SWITCH,
                                  fixture.backend->switch_id, 1, &list),
        SAI_STATUS_SUCCESS);
    assert_int_equal(list.value.objlist.count, 1);
    list = (sai_attribute_t){SAI_PORT_ATTR_INGRESS_PRIORITY_GROUP_LIST,
                             {.objlist = {16, oids}}};
    assert_int_equal(fixture.backend->ops->get(fixture.backend,
                                               SAI_OBJECT_TYPE_PORT, PORT_ID, 1,
                                               &list),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(list.value.objlist.count, 1);
    fixture.pg = oids[0];
    *state = &fixture;
    return 0;
}

static int
teardown(void **state)
{
    struct fixture *fixture = *state;

    evidence_destroy(fixture->evidence);
    asic_rows_destroy(fixture->rows);
    return 0;
}

/* Brings pool, profile and binding into ASIC_DB, and has them confirmed. */
static void
confirm_all(struct fixture *fixture)
{
    put(fixture, SAI_OBJECT_TYPE_BUFFER_POOL, POOL_ID, pool_row, N(pool_row));
    name_id(fixture, ASIC_MAP_POOLS, "in", "oid:0x18000000000010");
    put(fixture, SAI_OBJECT_TYPE_BUFFER_PROFILE, PROFILE_ID, profile_row,
        N(profile_row));
    put_binding(fixture, PG_ID, "oid:0x19000000000011");
    assert_int_equal(create_pool(fixture), SAI_STATUS_SUCCESS);
    assert_int_equal(create_profile(fixture), SAI_STATUS_SUCCESS);
    assert_int_equal(bind(fixture), SAI_STATUS_SUCCESS);
    assert_false(evidence_review(fixture->evidence));
}

/* --- The tests ---------------------------------------------------------- */

static void
test_lanes_have_the_order_of_the_row(void **state)
{
    struct fixture *fixture = *state;
    const struct field lanes[] = {
        {"1", "oid:0x7"}, {"2", "oid:0x7"}, {"3", "oid:0x7"}, {"4", "oid:0x7"}};
    uint32_t list[8];
    sai_attribute_t attribute = {SAI_PORT_ATTR_HW_LANE_LIST,
                                 {.u32list = {8, list}}};

    asic_rows_put_map(fixture->rows, ASIC_MAP_LANES, lanes, N(lanes));
    name_id(fixture, ASIC_MAP_RIDS, "oid:0x7", "oid:0x1000000000002");
    assert_int_equal(fixture->backend->ops->get(fixture->backend,
                                                SAI_OBJECT_TYPE_PORT, PORT_ID,
                                                1, &attribute),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(attribute.value.u32list.count, 4);
    assert_int_equal(list[0], 4);
    /* syncd knows better than a row with other lanes. */
    evidence_set_lanes(fixture->evidence, "Ethernet0", "5,6,7,8");
    attribute.value.u32list.count = 8;
    assert_int_equal(fixture->backend->ops->get(fixture->backend,
                                                SAI_OBJECT_TYPE_PORT, PORT_ID,
                                                1, &attribute),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(list[0], 1);
}

/* orchagent writes the limits of a new port a bit later than the port. */
static void
test_a_new_port_waits_for_its_limits(void **state)
{
    const struct field groups = {"max_priority_groups", "8"};
    struct fixture *fixture = *state;
    uint32_t list[] = {4, 3, 2, 1};
    const sai_attribute_t lanes = {SAI_PORT_ATTR_HW_LANE_LIST,
                                   {.u32list = {N(list), list}}};
    const struct field row = {"SAI_PORT_ATTR_HW_LANE_LIST", "4:4,3,2,1"};
    sai_object_id_t port;

    put(fixture, SAI_OBJECT_TYPE_PORT, PORT_ID, &row, 1);
    for (int64_t now = 0; now < 2; now++) {
        evidence_set_now(fixture->evidence, now * (EVIDENCE_LIMITS_NS - 1));
        assert_int_equal(create(fixture, SAI_OBJECT_TYPE_PORT, "PORT|Ethernet0",
                                &lanes, 1, &port),
                         SAI_STATUS_NOT_EXECUTED);
    }
    asic_rows_put_state(fixture->rows, ASIC_STATES_LIMITS "Ethernet0", &groups,
                        1);
    assert_int_equal(create(fixture, SAI_OBJECT_TYPE_PORT, "PORT|Ethernet0",
                            &lanes, 1, &port),
                     SAI_STATUS_SUCCESS);
    asic_rows_put_state(fixture->rows, ASIC_STATES_LIMITS "Ethernet0", NULL, 0);
    evidence_set_now(fixture->evidence, EVIDENCE_LIMITS_NS);
    assert_int_equal(create(fixture, SAI_OBJECT_TYPE_PORT, "PORT|Ethernet0",
                            &lanes, 1, &port),
                     SAI_STATUS_SUCCESS);
}

static void
test_a_pool_needs_its_name(void **state)
{
    struct fixture *fixture = *state;

    put(fixture, SAI_OBJECT_TYPE_BUFFER_POOL, POOL_ID, pool_row, N(pool_row));
    assert_int_equal(create_pool(fixture), SAI_STATUS_NOT_EXECUTED);
    name_id(fixture, ASIC_MAP_POOLS, "in", "oid:0x18000000000010");
    assert_int_equal(create_pool(fixture), SAI_STATUS_SUCCESS);
}

static void
test_a_partial_row_is_no_confirmation(void **state)
{
    struct fixture *fixture = *state;

    put(fixture, SAI_OBJECT_TYPE_BUFFER_POOL, POOL_ID, pool_row, N(pool_row));
    name_id(fixture, ASIC_MAP_POOLS, "in", "oid:0x18000000000010");
    assert_int_equal(create_pool(fixture), SAI_STATUS_SUCCESS);
    for (size_t n = 0; n < N(profile_row); n++) {
        put(fixture, SAI_OBJECT_TYPE_BUFFER_PROFILE, PROFILE_ID, profile_row,
            n);
        assert_int_equal(create_profile(fixture), SAI_STATUS_NOT_EXECUTED);
    }
    put(fixture, SAI_OBJECT_TYPE_BUFFER_PROFILE, PROFILE_ID, profile_row,
        N(profile_row));
    assert_int_equal(create_profile(fixture), SAI_STATUS_SUCCESS);
}

static void
test_what_nobody_wants_has_its_default(void **state)
{
    struct fixture *fixture = *state;
    struct field fields[N(pool_row) + 1];

    memcpy(fields, pool_row, sizeof pool_row);
    fields[N(pool_row)] = (struct field){POOL("XOFF_SIZE"), "5"};
    put(fixture, SAI_OBJECT_TYPE_BUFFER_POOL, POOL_ID, fields, N(fields));
    name_id(fixture, ASIC_MAP_POOLS, "in", "oid:0x18000000000010");
    assert_int_equal(create_pool(fixture), SAI_STATUS_NOT_EXECUTED);
    fields[N(pool_row)].value = "0";
    put(fixture, SAI_OBJECT_TYPE_BUFFER_POOL, POOL_ID, fields, N(fields));
    assert_int_equal(create_pool(fixture), SAI_STATUS_SUCCESS);
}

static void
test_text_that_is_no_value_is_no_default(void **state)
{
    struct fixture *fixture = *state;
    struct field fields[N(pool_row) + 1];

    memcpy(fields, pool_row, sizeof pool_row);
    fields[N(pool_row)] = (struct field){POOL("XOFF_SIZE"), "nothing"};
    put(fixture, SAI_OBJECT_TYPE_BUFFER_POOL, POOL_ID, fields, N(fields));
    name_id(fixture, ASIC_MAP_POOLS, "in", "oid:0x18000000000010");
    assert_int_equal(create_pool(fixture), SAI_STATUS_NOT_EXECUTED);
}

/* A row that changes while its object is not confirmed. */
static void
test_a_draft_forgets_what_its_row_no_longer_says(void **state)
{
    struct fixture *fixture = *state;
    const sai_attribute_t with[] = {
        {SAI_BUFFER_POOL_ATTR_TYPE, {.s32 = SAI_BUFFER_POOL_TYPE_INGRESS}},
        {SAI_BUFFER_POOL_ATTR_SIZE, {.u64 = 1000000}},
        {SAI_BUFFER_POOL_ATTR_THRESHOLD_MODE,
         {.s32 = SAI_BUFFER_POOL_THRESHOLD_MODE_DYNAMIC}},
        {SAI_BUFFER_POOL_ATTR_XOFF_SIZE, {.u64 = 5000}},
    };
    sai_object_id_t oid;

    put(fixture, SAI_OBJECT_TYPE_BUFFER_POOL, POOL_ID, pool_row, N(pool_row));
    name_id(fixture, ASIC_MAP_POOLS, "in", "oid:0x18000000000010");
    assert_int_equal(create(fixture, SAI_OBJECT_TYPE_BUFFER_POOL,
                            "BUFFER_POOL|in", with, N(with), &oid),
                     SAI_STATUS_NOT_EXECUTED);
    assert_int_equal(create_pool(fixture), SAI_STATUS_SUCCESS);
}

static void
test_an_object_without_attributes_has_to_be_there(void **state)
{
    struct fixture *fixture = *state;
    sai_object_id_t oid;

    assert_int_equal(create(fixture, SAI_OBJECT_TYPE_SCHEDULER, "SCHEDULER|s",
                            NULL, 0, &oid),
                     SAI_STATUS_NOT_EXECUTED);
    put(fixture, SAI_OBJECT_TYPE_SCHEDULER, SCHEDULER_ID, nothing, 1);
    assert_int_equal(create(fixture, SAI_OBJECT_TYPE_SCHEDULER, "SCHEDULER|s",
                            NULL, 0, &oid),
                     SAI_STATUS_SUCCESS);
}

/* Two objects of equal content: the removal of one is seen by their number. */
static void
test_a_removal_beside_an_equal_object(void **state)
{
    struct fixture *fixture = *state;
    const struct sai_backend_ops *ops = fixture->backend->ops;
    sai_object_id_t first, second;

    put(fixture, SAI_OBJECT_TYPE_SCHEDULER, SCHEDULER_ID, nothing, 1);
    put(fixture, SAI_OBJECT_TYPE_SCHEDULER, SCHEDULER_ID + 1, nothing, 1);
    assert_int_equal(create(fixture, SAI_OBJECT_TYPE_SCHEDULER, "SCHEDULER|a",
                            NULL, 0, &first),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(create(fixture, SAI_OBJECT_TYPE_SCHEDULER, "SCHEDULER|b",
                            NULL, 0, &second),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(
        ops->remove(fixture->backend, SAI_OBJECT_TYPE_SCHEDULER, first),
        SAI_STATUS_NOT_EXECUTED);
    put(fixture, SAI_OBJECT_TYPE_SCHEDULER, SCHEDULER_ID + 1, NULL, 0);
    assert_int_equal(
        ops->remove(fixture->backend, SAI_OBJECT_TYPE_SCHEDULER, first),
        SAI_STATUS_SUCCESS);
}

static void
test_patience_ends(void **state)
{
    struct fixture *fixture = *state;
    struct confirmation_request request = {.type = SAI_OBJECT_TYPE_BUFFER_POOL,
                                           .name = "BUFFER_POOL|in",
                                           .whole = true,
                                           .status = SAI_STATUS_NOT_EXECUTED};
    const struct confirmation *confirmation =
        evidence_confirmation(fixture->evidence);
    struct err err;

    assert_int_equal(create_pool(fixture), SAI_STATUS_NOT_EXECUTED);
    assert_true(confirmation->explain(confirmation->context, &request, &err));
    assert_string_equal(err.code, "unconfirmed");
    evidence_set_now(fixture->evidence, PATIENCE_NS - 1);
    assert_int_equal(create_pool(fixture), SAI_STATUS_NOT_EXECUTED);
    evidence_set_now(fixture->evidence, PATIENCE_NS);
    assert_int_equal(create_pool(fixture), SAI_STATUS_FAILURE);
    request.status = SAI_STATUS_FAILURE;
    assert_true(confirmation->explain(confirmation->context, &request, &err));
    assert_string_equal(err.code, "not-applied");
    assert_non_null(strstr(err.reason, "COUNTERS_BUFFER_POOL_NAME_MAP"));
    request.status = SAI_STATUS_INVALID_PARAMETER;
    assert_false(confirmation->explain(confirmation->context, &request, &err));
}

static void
test_a_binding_is_confirmed_by_content(void **state)
{
    struct fixture *fixture = *state;
    struct field other[N(profile_row)];

    confirm_all(fixture);
    memcpy(other, profile_row, sizeof other);
    other[1].value = "1249";
    put(fixture, SAI_OBJECT_TYPE_BUFFER_PROFILE, OTHER_ID, other, N(other));
    put_binding(fixture, PG_ID, "oid:0x19000000000012");
    assert_int_equal(bind(fixture), SAI_STATUS_NOT_EXECUTED);
    /* An object with the same content does the same. */
    put(fixture, SAI_OBJECT_TYPE_BUFFER_PROFILE, OTHER_ID, profile_row,
        N(profile_row));
    assert_int_equal(bind(fixture), SAI_STATUS_SUCCESS);
}

static void
test_a_confirmation_is_not_final(void **state)
{
    struct fixture *fixture = *state;

    confirm_all(fixture);
    put_binding(fixture, PG_ID, "oid:0x0");
    assert_true(evidence_review(fixture->evidence));
    assert_true(
        evidence_doubts(fixture->evidence, fixture->pg,
                        SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE));
    assert_false(evidence_doubts(fixture->evidence, fixture->pool,
                                 SAI_BUFFER_POOL_ATTR_SIZE));
    /* What is doubted once is asked for again, not doubted again. */
    assert_false(evidence_review(fixture->evidence));
    assert_int_equal(bind(fixture), SAI_STATUS_NOT_EXECUTED);
    put_binding(fixture, PG_ID, "oid:0x19000000000011");
    assert_int_equal(bind(fixture), SAI_STATUS_SUCCESS);
    assert_false(
        evidence_doubts(fixture->evidence, fixture->pg,
                        SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE));
}

static void
test_new_ids_after_a_restart(void **state)
{
    struct fixture *fixture = *state;
    const sai_object_id_t pg = 0x1a0000000000ff, profile = 0x190000000000fe;

    confirm_all(fixture);
    put(fixture, SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP, PG_ID, NULL, 0);
    put(fixture, SAI_OBJECT_TYPE_BUFFER_PROFILE, PROFILE_ID, NULL, 0);
    assert_true(evidence_review(fixture->evidence));
    name_id(fixture, ASIC_MAP_PGS, "Ethernet0:0", "oid:0x1a0000000000ff");
    put_binding(fixture, pg, "oid:0x190000000000fe");
    assert_int_equal(bind(fixture), SAI_STATUS_NOT_EXECUTED);
    put(fixture, SAI_OBJECT_TYPE_BUFFER_PROFILE, profile, profile_row,
        N(profile_row));
    assert_int_equal(bind(fixture), SAI_STATUS_SUCCESS);
}

static void
test_a_removal_is_over_when_the_row_is_gone(void **state)
{
    struct fixture *fixture = *state;
    const struct sai_backend_ops *ops = fixture->backend->ops;

    confirm_all(fixture);
    assert_int_equal(ops->remove(fixture->backend,
                                 SAI_OBJECT_TYPE_BUFFER_PROFILE,
                                 fixture->profile),
                     SAI_STATUS_NOT_EXECUTED);
    put(fixture, SAI_OBJECT_TYPE_BUFFER_PROFILE, PROFILE_ID, NULL, 0);
    assert_int_equal(ops->remove(fixture->backend,
                                 SAI_OBJECT_TYPE_BUFFER_PROFILE,
                                 fixture->profile),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(ops->remove(fixture->backend,
                                 SAI_OBJECT_TYPE_BUFFER_PROFILE,
                                 fixture->profile),
                     SAI_STATUS_ITEM_NOT_FOUND);
}

/* What is said of a removal is not what is said of other changes. */
static void
test_a_removal_is_explained(void **state)
{
    struct fixture *fixture = *state;
    const struct confirmation *confirmation =
        evidence_confirmation(fixture->evidence);
    struct confirmation_request request = {
        .type = SAI_OBJECT_TYPE_BUFFER_PROFILE,
        .name = "BUFFER_PROFILE|a",
        .attribute = SAI_BUFFER_PROFILE_ATTR_XOFF_TH,
        .whole = true,
        .status = SAI_STATUS_NOT_EXECUTED};
    struct err err;

    confirm_all(fixture);
    request.oid = fixture->profile;
    assert_int_equal(
        fixture->backend->ops->remove(
            fixture->backend, SAI_OBJECT_TYPE_BUFFER_PROFILE, fixture->profile),
        SAI_STATUS_NOT_EXECUTED);
    assert_true(confirmation->explain(confirmation->context, &request, &err));
    assert_non_null(
        strstr(err.reason, "waiting for orchagent to remove BUFFER_PROFILE|a"));
    request.status = SAI_STATUS_FAILURE;
    assert_true(confirmation->explain(confirmation->context, &request, &err));
    assert_non_null(
        strstr(err.reason, "orchagent has not removed BUFFER_PROFILE|a"));
    /* One attribute of it is another question. */
    request.whole = false;
    assert_true(confirmation->explain(confirmation->context, &request, &err));
    assert_non_null(
        strstr(err.reason, "orchagent has not applied BUFFER_PROFILE|a"));
}

/* Returns whether orchagent has left the field "xoff" of a profile. */
static bool
left_over(const struct fixture *fixture)
{
    return evidence_left_over(fixture->evidence, SAI_OBJECT_TYPE_BUFFER_PROFILE,
                              "BUFFER_PROFILE|a",
                              SAI_BUFFER_PROFILE_ATTR_XOFF_TH);
}

/* A profile is to have the default of what it once had.  Which object it is
 * shows by all else that is wanted of it, other defaults aside. */
static void
test_what_orchagent_leaves_of_a_profile(void **state)
{
    struct fixture *fixture = *state;
    sai_attribute_t attributes[] = {
        {SAI_BUFFER_PROFILE_ATTR_POOL_ID, {.oid = 0}},
        {SAI_BUFFER_PROFILE_ATTR_RESERVED_BUFFER_SIZE, {.u64 = 1248}},
        {SAI_BUFFER_PROFILE_ATTR_THRESHOLD_MODE,
         {.s32 = SAI_BUFFER_PROFILE_THRESHOLD_MODE_DYNAMIC}},
        {SAI_BUFFER_PROFILE_ATTR_SHARED_DYNAMIC_TH, {.s8 = -3}},
        {SAI_BUFFER_PROFILE_ATTR_XOFF_TH, {.u64 = 0}},
        {SAI_BUFFER_PROFILE_ATTR_XON_TH, {.u64 = 0}},
    };
    struct field row[N(profile_row) + 1];
    const size_t xon = N(profile_row);

    assert_false(left_over(fixture));
    memcpy(row, profile_row, sizeof profile_row);
    row[xon] = (struct field){PROFILE("XON_TH"), "7"};
    put(fixture, SAI_OBJECT_TYPE_BUFFER_POOL, POOL_ID, pool_row, N(pool_row));
    name_id(fixture, ASIC_MAP_POOLS, "in", "oid:0x18000000000010");
    assert_int_equal(create_pool(fixture), SAI_STATUS_SUCCESS);
    attributes[0].value.oid = fixture->pool;
    put(fixture, SAI_OBJECT_TYPE_BUFFER_PROFILE, PROFILE_ID, row, N(row));
    assert_int_equal(create(fixture, SAI_OBJECT_TYPE_BUFFER_PROFILE,
                            "BUFFER_PROFILE|a", attributes, N(attributes),
                            &fixture->profile),
                     SAI_STATUS_NOT_EXECUTED);
    assert_true(left_over(fixture));
    row[N(profile_row) - 1].value = "0";
    put(fixture, SAI_OBJECT_TYPE_BUFFER_PROFILE, PROFILE_ID, row, N(row));
    assert_false(left_over(fixture));
    row[N(profile_row) - 1].value = "35776";
    row[1].value = "1249"; /* Another object. */
    put(fixture, SAI_OBJECT_TYPE_BUFFER_PROFILE, PROFILE_ID, row, N(row));
    assert_false(left_over(fixture));
    /* Nothing is no default where there is none. */
    attributes[1].value.u64 = 0;
    assert_int_equal(create(fixture, SAI_OBJECT_TYPE_BUFFER_PROFILE,
                            "BUFFER_PROFILE|a", attributes, N(attributes),
                            &fixture->profile),
                     SAI_STATUS_NOT_EXECUTED);
    assert_false(left_over(fixture));
}

static void
test_the_order_of_a_map_does_not_matter(void **state)
{
    struct fixture *fixture = *state;
    sai_qos_map_t entries[] = {{.key.dscp = 3, .value.tc = 4},
                               {.key.dscp = 5, .value.tc = 6}};
    sai_qos_map_t turned[] = {entries[1], entries[0]};
    const sai_attribute_t attributes[] = {
        {SAI_QOS_MAP_ATTR_TYPE, {.s32 = SAI_QOS_MAP_TYPE_DSCP_TO_TC}},
        {SAI_QOS_MAP_ATTR_MAP_TO_VALUE_LIST, {.qosmap = {2, entries}}},
    };
    const sai_attribute_value_t other = {.qosmap = {2, turned}};
    struct text text = {0};
    struct field row[] = {
        {"SAI_QOS_MAP_ATTR_TYPE", "SAI_QOS_MAP_TYPE_DSCP_TO_TC"},
        {"SAI_QOS_MAP_ATTR_MAP_TO_VALUE_LIST", NULL}};
    sai_object_id_t oid;

    assert_int_equal(
        serialize_value(metadata_attribute_by_name(row[1].name, NULL), &other,
                        &text),
        ST_OK);
    row[1].value = text_string(&text);
    put(fixture, SAI_OBJECT_TYPE_QOS_MAP, MAP_ID, row, N(row));
    assert_int_equal(create(fixture, SAI_OBJECT_TYPE_QOS_MAP,
                            "DSCP_TO_TC_MAP|AZURE", attributes, N(attributes),
                            &oid),
                     SAI_STATUS_SUCCESS);
    text_fini(&text);
}

/* What STATE_DB no longer says at the end of a reading is forgotten. */
static void
test_limits_that_are_gone(void **state)
{
    const struct field size = {"mmu_size", "1000"};
    const struct field groups = {"max_priority_groups", "8"};
    struct asic_rows *rows = asic_rows_create();
    uint64_t epoch, moment;

    (void)state;
    asic_rows_put_state(rows, ASIC_STATES_LIMITS "global", &size, 1);
    asic_rows_put_state(rows, ASIC_STATES_LIMITS "Ethernet0", &groups, 1);
    moment = asic_rows_moment(rows);
    epoch = asic_rows_epoch(rows);
    asic_rows_put_state(rows, ASIC_STATES_LIMITS "Ethernet4", &groups, 1);
    assert_true(asic_rows_epoch(rows) > epoch);
    epoch = asic_rows_epoch(rows);
    asic_rows_put_state(rows, ASIC_STATES_LIMITS "Ethernet4", &groups, 1);
    assert_true(asic_rows_epoch(rows) == epoch);
    assert_int_equal(asic_states_memory(asic_rows_states(rows)), 1000);
    asic_rows_sweep(rows, moment);
    assert_int_equal(asic_states_memory(asic_rows_states(rows)), 0);
    assert_int_equal(
        asic_states_limits(asic_rows_states(rows), "Ethernet0").n_pgs, 0);
    assert_int_equal(
        asic_states_limits(asic_rows_states(rows), "Ethernet4").n_pgs, 8);
    asic_rows_destroy(rows);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_lanes_have_the_order_of_the_row),
        TEST(test_a_new_port_waits_for_its_limits),
        TEST(test_a_pool_needs_its_name),
        TEST(test_a_partial_row_is_no_confirmation),
        TEST(test_what_nobody_wants_has_its_default),
        TEST(test_text_that_is_no_value_is_no_default),
        TEST(test_a_draft_forgets_what_its_row_no_longer_says),
        TEST(test_an_object_without_attributes_has_to_be_there),
        TEST(test_a_removal_beside_an_equal_object),
        TEST(test_patience_ends),
        TEST(test_a_binding_is_confirmed_by_content),
        TEST(test_a_confirmation_is_not_final),
        TEST(test_new_ids_after_a_restart),
        TEST(test_a_removal_is_over_when_the_row_is_gone),
        TEST(test_a_removal_is_explained),
        TEST(test_what_orchagent_leaves_of_a_profile),
        TEST(test_the_order_of_a_map_does_not_matter),
        cmocka_unit_test(test_limits_that_are_gone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
