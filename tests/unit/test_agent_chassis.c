/* SPDX-License-Identifier: Apache-2.0 */

/* An ASIC of a chassis that a previous run has programmed. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "orchd/reconcile/chassis_ports.h"
#include "orchd/reconcile/row_status.h"
#include "sai/stack/adoption.h"
#include "tests/support/agent_harness.h"
#include "twin/chip/yaml/chip_file.h"
#include "vendors/softasic/sai/asic.h"
#include "vendors/softasic/sai/asic_backend.h"

#define N(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))
#define OK(call) assert_int_equal(call, SAI_STATUS_SUCCESS)

enum { ME = 0, OTHER = 2, N_VOQS = 8, QUEUE = 3 };

/* The ports of lc1|asic0, of lc2|asic0, and one that no row names. */
static sai_system_port_config_t configs[] = {
    {1, ME, 0, 1, 100000, N_VOQS},
    {2, OTHER, 0, 1, 100000, N_VOQS},
    {3, OTHER, 0, 2, 100000, N_VOQS},
};

struct chassis {
    struct asic *asic;
    struct asic_backend backend;
    struct harness harness;
};

/* Returns queue QUEUE of those that the switch has for configs['i']. */
static sai_object_id_t
voq(struct chassis *chassis, uint32_t i)
{
    struct sai_backend *backend = &chassis->backend.backend;
    sai_object_id_t ports[N(configs)], queues[N_VOQS];
    sai_attribute_t list = {SAI_SWITCH_ATTR_SYSTEM_PORT_LIST,
                            {.objlist = {N(configs), ports}}};
    sai_attribute_t info = {.id = SAI_SYSTEM_PORT_ATTR_CONFIG_INFO};
    sai_attribute_t children = {SAI_SYSTEM_PORT_ATTR_QOS_VOQ_LIST,
                                {.objlist = {N_VOQS, queues}}};

    OK(backend->ops->get(backend, SAI_OBJECT_TYPE_SWITCH, backend->switch_id, 1,
                         &list));
    for (uint32_t k = 0; k < N(configs); k++) {
        OK(backend->ops->get(backend, SAI_OBJECT_TYPE_SYSTEM_PORT, ports[k], 1,
                             &info));
        if (info.value.sysportconfig.port_id == configs[i].port_id) {
            OK(backend->ops->get(backend, SAI_OBJECT_TYPE_SYSTEM_PORT, ports[k],
                                 1, &children));
            return queues[QUEUE];
        }
    }
    fail_msg("no system port %u", (unsigned int)i);
    return SAI_NULL_OBJECT_ID;
}

/* Returns the buffer profile of that queue. */
static sai_object_id_t
profile_of(struct chassis *chassis, uint32_t i)
{
    struct sai_backend *backend = &chassis->backend.backend;
    sai_attribute_t profile = {.id = SAI_QUEUE_ATTR_BUFFER_PROFILE_ID};

    OK(backend->ops->get(backend, SAI_OBJECT_TYPE_QUEUE, voq(chassis, i), 1,
                         &profile));
    return profile.value.oid;
}

/* Binds a profile of a previous run to all these queues. */
static void
bind_all(struct chassis *chassis)
{
    struct sai_backend *backend = &chassis->backend.backend;
    const sai_attribute_t pool[] = {
        {SAI_BUFFER_POOL_ATTR_TYPE, {.s32 = SAI_BUFFER_POOL_TYPE_EGRESS}},
        {SAI_BUFFER_POOL_ATTR_SIZE, {.u64 = 1000000}},
    };
    sai_attribute_t profile[] = {
        {.id = SAI_BUFFER_PROFILE_ATTR_POOL_ID},
        {SAI_BUFFER_PROFILE_ATTR_RESERVED_BUFFER_SIZE, {.u64 = 0}},
        {SAI_BUFFER_PROFILE_ATTR_THRESHOLD_MODE,
         {.s32 = SAI_BUFFER_PROFILE_THRESHOLD_MODE_DYNAMIC}},
        {SAI_BUFFER_PROFILE_ATTR_SHARED_DYNAMIC_TH, {.s8 = 0}},
    };
    sai_attribute_t bound = {.id = SAI_QUEUE_ATTR_BUFFER_PROFILE_ID};

    OK(backend->ops->create(backend, SAI_OBJECT_TYPE_BUFFER_POOL, N(pool), pool,
                            &profile[0].value.oid));
    OK(backend->ops->create(backend, SAI_OBJECT_TYPE_BUFFER_PROFILE, N(profile),
                            profile, &bound.value.oid));
    for (uint32_t i = 0; i < N(configs); i++) {
        OK(backend->ops->set(backend, SAI_OBJECT_TYPE_QUEUE, voq(chassis, i),
                             &bound));
    }
}

static void
end(struct chassis *chassis)
{
    harness_fini(&chassis->harness);
    asic_destroy(chassis->asic);
}

/* Writes a row of a queue of lc1|asic0|Ethernet0, and what it names. */
static void
put_queue(struct chassis *chassis)
{
    struct harness *harness = &chassis->harness;

    harness_put(harness, "PORT", "Ethernet0",
                "lanes=1,2;speed=100000;admin_status=up");
    harness_put(harness, "BUFFER_POOL", "out",
                "type=egress;mode=dynamic;size=2000000");
    harness_put(harness, "BUFFER_PROFILE", "wanted",
                "pool=out;size=0;dynamic_th=1");
    harness_put(harness, "BUFFER_QUEUE", "lc1|asic0|Ethernet0|3",
                "profile=wanted");
}

static void
make(struct chassis *chassis)
{
    const sai_attribute_t attributes[] = {
        {SAI_SWITCH_ATTR_INIT_SWITCH, {.booldata = true}},
        {SAI_SWITCH_ATTR_TYPE, {.s32 = SAI_SWITCH_TYPE_VOQ}},
        {SAI_SWITCH_ATTR_SWITCH_ID, {.u32 = ME}},
        {SAI_SWITCH_ATTR_MAX_SYSTEM_CORES, {.u32 = 16}},
        {SAI_SWITCH_ATTR_SYSTEM_PORT_CONFIG_LIST,
         {.sysportconfiglist = {N(configs), configs}}},
    };
    struct chip *chip;
    struct err err;

    assert_int_equal(chip_file_load(CHIPS, "jr2-chassis", &chip, &err), ST_OK);
    OK(asic_create(chip, N(attributes), attributes, NULL, &chassis->asic,
                   &err));
    asic_backend_init(&chassis->backend, chassis->asic);
    bind_all(chassis);
    harness_init_backend(&chassis->harness, &chassis->backend.backend);
}

/* Writes a row of SYSTEM_PORT with the numbers of configs['i']. */
static void
put_system_port(struct chassis *chassis, const char *key, uint32_t i)
{
    struct text row = {0};

    text_addf(&row,
              "core_index=0;core_port_index=%u;speed=100000;num_voq=8;"
              "system_port_id=%u;switch_id=%u",
              (unsigned int)configs[i].attached_core_port_index,
              (unsigned int)configs[i].port_id,
              (unsigned int)configs[i].attached_switch_id);
    harness_put(&chassis->harness, "SYSTEM_PORT", key, text_string(&row));
    text_fini(&row);
}

/* What a previous run bound to VOQs is reset where no row wants it, also at
 * ports that no row names; what a row wants is not. */
static void
test_voqs_of_a_previous_run_are_reset(void **state)
{
    struct chassis chassis;

    (void)state;
    make(&chassis);
    put_queue(&chassis);
    put_system_port(&chassis, "lc1|asic0|Ethernet0", 0);
    put_system_port(&chassis, "lc2|asic0|Ethernet0", 1);
    harness_settle(&chassis.harness);
    harness_assert_state(&chassis.harness, "SYSTEM_PORT", "lc2|asic0|Ethernet0",
                         "applied");
    assert_int_equal(agent_find_stale_objects(chassis.harness.agent), 1);
    harness_settle(&chassis.harness);
    assert_true(profile_of(&chassis, 0) != SAI_NULL_OBJECT_ID);
    assert_true(profile_of(&chassis, 1) == SAI_NULL_OBJECT_ID);
    assert_true(profile_of(&chassis, 2) == SAI_NULL_OBJECT_ID);
    assert_int_equal(agent_find_stale_objects(chassis.harness.agent), 0);
    end(&chassis);
}

/* Asserts which of the queues have profile 'wanted'; others have none, or that
 * of the previous run. */
static void
assert_profiles(struct chassis *chassis, bool first, bool second, bool third)
{
    const bool expected[N(configs)] = {first, second, third};

    (void)agent_find_stale_objects(chassis->harness.agent);
    harness_settle(&chassis->harness);
    for (uint32_t i = 0; i < N(configs); i++) {
        if ((profile_of(chassis, i) != SAI_NULL_OBJECT_ID) != expected[i]) {
            fail_msg("the queue of system port %u is %sto have a profile",
                     (unsigned int)i, expected[i] ? "" : "not ");
        }
    }
}

/* Asserts that the row 'key' has its system port; or that it has none, as
 * 'rival' names the same. */
static void
assert_owner(struct chassis *chassis, const char *key, const char *rival)
{
    const struct row_status *status;

    harness_settle(&chassis->harness);
    harness_assert_state(&chassis->harness, "SYSTEM_PORT", key,
                         rival ? "unsupported" : "applied");
    status = harness_status(&chassis->harness, "SYSTEM_PORT", key);
    if (rival) {
        assert_string_equal(status->err.code, "no-system-port");
        assert_non_null(strstr(status->err.reason, rival));
    }
}

/* Of two rows with the same numbers, the one whose key is less has the system
 * port, whichever comes first. */
static void
test_rows_with_equal_numbers(void **state)
{
    struct chassis chassis;

    (void)state;
    make(&chassis);
    put_queue(&chassis);
    put_system_port(&chassis, "lc1|asic0|Ethernet0", 0);
    assert_owner(&chassis, "lc1|asic0|Ethernet0", NULL);
    assert_true(profile_of(&chassis, 0) != SAI_NULL_OBJECT_ID);
    put_system_port(&chassis, "lc2|asic0|Ethernet0", 0);
    assert_owner(&chassis, "lc2|asic0|Ethernet0", "lc1|asic0|Ethernet0");
    assert_owner(&chassis, "lc1|asic0|Ethernet0", NULL);
    put_system_port(&chassis, "lc0|asic0|Ethernet0", 0);
    assert_owner(&chassis, "lc0|asic0|Ethernet0", NULL);
    assert_owner(&chassis, "lc1|asic0|Ethernet0", "lc0|asic0|Ethernet0");
    end(&chassis);
}

/* A system port that its row has left is free for another one. */
static void
test_a_row_with_new_numbers(void **state)
{
    struct chassis chassis;

    (void)state;
    make(&chassis);
    put_queue(&chassis);
    put_system_port(&chassis, "lc2|asic0|Ethernet0", 1);
    assert_owner(&chassis, "lc2|asic0|Ethernet0", NULL);
    put_system_port(&chassis, "lc2|asic0|Ethernet0", 2);
    assert_owner(&chassis, "lc2|asic0|Ethernet0", NULL);
    put_system_port(&chassis, "lc3|asic0|Ethernet0", 1);
    assert_owner(&chassis, "lc3|asic0|Ethernet0", NULL);
    assert_owner(&chassis, "lc2|asic0|Ethernet0", NULL);
    harness_apply(&chassis.harness, "SYSTEM_PORT", "lc3|asic0|Ethernet0", NULL);
    put_system_port(&chassis, "lc4|asic0|Ethernet0", 1);
    assert_owner(&chassis, "lc4|asic0|Ethernet0", NULL);
    end(&chassis);
}

/* The profile of a queue follows the system port of its row: to the VOQ of the
 * numbers that this has now, away from the one that it had. */
static void
test_profiles_follow_the_numbers(void **state)
{
    struct chassis chassis;

    (void)state;
    make(&chassis);
    put_queue(&chassis);
    harness_put(&chassis.harness, "BUFFER_QUEUE", "lc2|asic0|Ethernet0|3",
                "profile=wanted");
    put_system_port(&chassis, "lc2|asic0|Ethernet0", 1);
    assert_owner(&chassis, "lc2|asic0|Ethernet0", NULL);
    assert_profiles(&chassis, false, true, false);
    put_system_port(&chassis, "lc2|asic0|Ethernet0", 2);
    assert_owner(&chassis, "lc2|asic0|Ethernet0", NULL);
    assert_profiles(&chassis, false, false, true);
    /* Nothing else is on the other VOQ, so the profile can go. */
    harness_apply(&chassis.harness, "BUFFER_QUEUE", "lc2|asic0|Ethernet0|3",
                  NULL);
    assert_profiles(&chassis, false, false, false);
    harness_apply(&chassis.harness, "BUFFER_QUEUE", "lc1|asic0|Ethernet0|3",
                  NULL);
    harness_apply(&chassis.harness, "BUFFER_PROFILE", "wanted", NULL);
    assert_string_equal(
        harness_state(&chassis.harness, "BUFFER_PROFILE", "wanted"), "gone");
    end(&chassis);
}

/* A row that has waited for the numbers of another one gets the system port
 * when that leaves it: by its removal, and by other numbers.  The profiles that
 * the first one had there do not stay. */
static void
test_a_row_gets_what_another_one_leaves(void **state)
{
    static const char first[] = "lc2|asic0|Ethernet0";
    static const char second[] = "lc3|asic0|Ethernet0";

    (void)state;
    for (int removed = 0; removed < 2; removed++) {
        struct chassis chassis;
        struct harness *harness = &chassis.harness;

        make(&chassis);
        put_queue(&chassis);
        harness_put(harness, "BUFFER_QUEUE", "lc2|asic0|Ethernet0|3",
                    "profile=wanted");
        put_system_port(&chassis, first, 1);
        put_system_port(&chassis, second, 1);
        assert_owner(&chassis, first, NULL);
        assert_owner(&chassis, second, first);
        assert_profiles(&chassis, false, true, false);
        if (removed) {
            harness_apply(harness, "SYSTEM_PORT", first, NULL);
        } else {
            put_system_port(&chassis, first, 2);
        }
        assert_owner(&chassis, second, NULL);
        assert_profiles(&chassis, false, false, !removed);
        harness_assert_state(harness, "BUFFER_QUEUE", "lc2|asic0|Ethernet0|3",
                             removed ? "waiting" : "applied");
        harness_apply(harness, "BUFFER_QUEUE", "lc3|asic0|Ethernet0|3",
                      "profile=wanted");
        assert_profiles(&chassis, false, true, !removed);
        end(&chassis);
    }
}

/* Rows about the VOQs of a system port wait when its row is removed, and what
 * they bind does not stay.  They are applied when it is back. */
static void
test_rows_wait_for_a_row_that_is_removed(void **state)
{
    static const char port[] = "lc2|asic0|Ethernet0";
    static const char queue[] = "lc2|asic0|Ethernet0|3";
    struct chassis chassis;
    struct harness *harness = &chassis.harness;

    (void)state;
    make(&chassis);
    put_queue(&chassis);
    harness_put(harness, "BUFFER_QUEUE", queue, "profile=wanted");
    put_system_port(&chassis, port, 1);
    assert_owner(&chassis, port, NULL);
    assert_profiles(&chassis, false, true, false);
    harness_assert_state(harness, "BUFFER_QUEUE", queue, "applied");
    harness_apply(harness, "SYSTEM_PORT", port, NULL);
    harness_assert_state(harness, "BUFFER_QUEUE", queue, "waiting");
    assert_string_equal(
        harness_status(harness, "BUFFER_QUEUE", queue)->blocked_by,
        "SYSTEM_PORT|lc2|asic0|Ethernet0");
    assert_profiles(&chassis, false, false, false);
    put_system_port(&chassis, port, 1);
    assert_owner(&chassis, port, NULL);
    harness_assert_state(harness, "BUFFER_QUEUE", queue, "applied");
    assert_profiles(&chassis, false, true, false);
    end(&chassis);
}

/* Writes rows that bind 'wanted' to the queues of two system ports. */
static void
put_two(struct chassis *chassis)
{
    put_queue(chassis);
    harness_put(&chassis->harness, "BUFFER_QUEUE", "lc2|asic0|Ethernet0|3",
                "profile=wanted");
    put_system_port(chassis, "lc1|asic0|Ethernet0", 0);
    put_system_port(chassis, "lc2|asic0|Ethernet0", 1);
    assert_owner(chassis, "lc2|asic0|Ethernet0", NULL);
    harness_assert_state(&chassis->harness, "BUFFER_QUEUE",
                         "lc2|asic0|Ethernet0|3", "applied");
}

/* After a warm restart the VOQs have what they had, and nothing is bound
 * again. */
static void
test_voqs_are_adopted(void **state)
{
    struct chassis chassis;
    struct adoption_figures figures;
    struct adoption *adoption;
    sai_object_id_t had;

    (void)state;
    make(&chassis);
    put_two(&chassis);
    had = profile_of(&chassis, 1);
    harness_fini(&chassis.harness);
    adoption = adoption_create_listed(
        &chassis.backend.backend,
        &(struct adoption_lister){asic_backend_list, &chassis.backend},
        agent_uses);
    harness_init_backend(&chassis.harness, adoption_backend(adoption));
    put_two(&chassis);
    adoption_figures(adoption, &figures);
    assert_int_equal(figures.n_adopted, 2);
    assert_int_equal(figures.n_created, 0);
    assert_int_equal(figures.n_set, 0);
    assert_true(figures.n_unneeded >= 2);
    assert_true(profile_of(&chassis, 0) == had);
    assert_true(profile_of(&chassis, 1) == had);
    harness_fini(&chassis.harness);
    adoption_destroy(adoption);
    asic_destroy(chassis.asic);
}

/* VOQs are queues: they cannot use a profile of an ingress pool. */
static void
test_voqs_need_an_egress_profile(void **state)
{
    static const char key[] = "lc1|asic0|Ethernet0|3";
    struct chassis chassis;
    struct harness *harness = &chassis.harness;

    (void)state;
    make(&chassis);
    put_queue(&chassis);
    put_system_port(&chassis, "lc1|asic0|Ethernet0", 0);
    harness_put(harness, "BUFFER_POOL", "in",
                "type=ingress;mode=dynamic;size=2000000");
    harness_put(harness, "BUFFER_PROFILE", "other",
                "pool=in;size=0;dynamic_th=1");
    harness_apply(harness, "BUFFER_QUEUE", key, "profile=other");
    harness_assert_state(harness, "BUFFER_QUEUE", key, "rejected");
    assert_string_equal(harness_status(harness, "BUFFER_QUEUE", key)->err.code,
                        "wrong-direction");
    harness_apply(harness, "BUFFER_QUEUE", key, "profile=wanted");
    harness_assert_state(harness, "BUFFER_QUEUE", key, "applied");
    end(&chassis);
}

/* A chassis has one system port of each number, and one at each place. */
static void
test_system_ports_in_conflict(void **state)
{
    const sai_system_port_config_t port = {7, OTHER, 1, 3, 100000, N_VOQS};
    const struct {
        sai_system_port_config_t other;
        bool conflict;
    } cases[] = {
        {{7, ME, 0, 1, 100000, N_VOQS}, true},
        {{8, OTHER, 1, 3, 400000, N_VOQS}, true},
        {{8, ME, 1, 3, 100000, N_VOQS}, false},
        {{8, OTHER, 0, 3, 100000, N_VOQS}, false},
        {{8, OTHER, 1, 2, 100000, N_VOQS}, false},
    };

    (void)state;
    for (size_t i = 0; i < N(cases); i++) {
        assert_int_equal(chassis_ports_conflict(&port, &cases[i].other),
                         cases[i].conflict);
    }
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_voqs_of_a_previous_run_are_reset),
        cmocka_unit_test(test_rows_with_equal_numbers),
        cmocka_unit_test(test_a_row_with_new_numbers),
        cmocka_unit_test(test_profiles_follow_the_numbers),
        cmocka_unit_test(test_a_row_gets_what_another_one_leaves),
        cmocka_unit_test(test_rows_wait_for_a_row_that_is_removed),
        cmocka_unit_test(test_voqs_are_adopted),
        cmocka_unit_test(test_voqs_need_an_egress_profile),
        cmocka_unit_test(test_system_ports_in_conflict),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
