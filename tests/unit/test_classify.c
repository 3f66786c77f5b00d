/* SPDX-License-Identifier: Apache-2.0 */

/* Classification: which header is trusted, which map wins, what is written
 * back, and the maps of PFC. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/pfc.h"
#include "twin/qos/classify.h"

#define N(array) (sizeof(array) / sizeof((array)[0]))

enum { DSCP = 1, EXP = 2, DOT1P = 4, COLORS = 8 };

/* Maps whose entries say where they come from. */
static struct classify_map dscp_tc, exp_tc, dot1p_tc, port_tc;
static struct classify_map dscp_color, exp_color, dot1p_color;

static int
setup(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < CLASSIFY_DSCPS; i++) {
        dscp_tc.entries[i] = (uint8_t)(100 + i);
        exp_tc.entries[i] = (uint8_t)(180 + i);
        dot1p_tc.entries[i] = (uint8_t)(190 + i);
        port_tc.entries[i] = (uint8_t)(i ^ 1);
        dscp_color.entries[i] = CLASSIFY_RED;
        exp_color.entries[i] = CLASSIFY_YELLOW;
        dot1p_color.entries[i] = CLASSIFY_YELLOW;
    }
    return 0;
}

static struct classify_rules
rules_of(unsigned int maps)
{
    return (struct classify_rules){
        .dscp_to_tc = maps & DSCP ? &dscp_tc : NULL,
        .exp_to_tc = maps & EXP ? &exp_tc : NULL,
        .dot1p_to_tc = maps & DOT1P ? &dot1p_tc : NULL,
        .dscp_to_color = maps & COLORS ? &dscp_color : NULL,
        .exp_to_color = maps & COLORS ? &exp_color : NULL,
        .dot1p_to_color = maps & COLORS ? &dot1p_color : NULL,
        .default_tc = 7,
    };
}

static void
test_headers_are_trusted_in_order(void **state)
{
    static const struct {
        const char *name;
        unsigned int maps;
        struct classify_headers headers;
        uint8_t tc;
        uint8_t color;
    } cases[] = {
        {"nothing", DSCP | EXP | DOT1P, {-1, -1, -1}, 7, CLASSIFY_GREEN},
        {"ip", DSCP | EXP | DOT1P, {46, -1, -1}, 146, CLASSIFY_GREEN},
        {"ip with tag", DSCP | DOT1P, {46, -1, 5}, 146, CLASSIFY_GREEN},
        {"ip with tag, dscp not trusted", DOT1P, {46, -1, 5}, 195, 0},
        {"ip, dscp not trusted", DOT1P, {46, -1, -1}, 7, CLASSIFY_GREEN},
        {"mpls with tag", DSCP | EXP | DOT1P, {-1, 3, 5}, 183, 0},
        {"mpls with tag, exp not trusted", DSCP | DOT1P, {-1, 3, 5}, 195, 0},
        {"tag", DSCP | EXP | DOT1P, {-1, -1, 6}, 196, CLASSIFY_GREEN},
        {"color without tc", COLORS, {46, -1, -1}, 7, CLASSIFY_RED},
        {"color of ip", DSCP | COLORS, {0, 0, 0}, 100, CLASSIFY_RED},
        {"tc by tag, color by dscp", DOT1P | COLORS, {9, -1, 2}, 192, 2},
        {"color of a tag", DOT1P | COLORS, {-1, -1, 0}, 190, 1},
        {"color of a label", EXP | COLORS, {-1, 0, -1}, 180, 1},
        {"no dscp is that large", DSCP | DOT1P, {64, -1, 5}, 195, 0},
        {"no exp is that large", EXP | DOT1P, {-1, 8, 5}, 195, 0},
        {"no pcp is that large", DOT1P, {-1, -1, 8}, 7, CLASSIFY_GREEN},
    };
    static const struct classify_rules none;

    (void)state;
    for (size_t i = 0; i < N(cases); i++) {
        const struct classify_rules rules = rules_of(cases[i].maps);
        const struct classify_verdict of_switch =
            classify_frame(&rules, &none, &cases[i].headers);
        const struct classify_verdict of_port =
            classify_frame(&none, &rules, &cases[i].headers);

        if (of_switch.tc != cases[i].tc || of_switch.color != cases[i].color) {
            fail_msg("%s: %u %u", cases[i].name, of_switch.tc, of_switch.color);
        }
        assert_int_equal(of_port.tc, of_switch.tc);
        assert_int_equal(of_port.color, of_switch.color);
    }
}

/* The TC of an IP frame without tag and label. */
static uint8_t
tc_of(const struct classify_rules *base, const struct classify_rules *port,
      int8_t dscp)
{
    const struct classify_headers headers = {dscp, -1, -1};

    return classify_frame(base, port, &headers).tc;
}

static void
test_map_of_the_port_wins(void **state)
{
    const struct classify_rules base = {
        .dscp_to_tc = &dscp_tc, .tc_to_pg = &dscp_tc, .tc_to_queue = &exp_tc};
    const struct classify_rules port = {
        .dscp_to_tc = &port_tc, .tc_to_pg = &port_tc, .tc_to_queue = &port_tc};
    static const struct classify_rules none;

    (void)state;
    assert_int_equal(tc_of(&base, &port, 8), 9);
    assert_int_equal(tc_of(&base, &none, 8), 108);
    assert_int_equal(classify_pg(&base, &port, 4), 5);
    assert_int_equal(classify_pg(&base, &none, 4), 104);
    assert_int_equal(classify_pg(&none, &none, 4), 0);
    assert_int_equal(classify_queue(&base, &port, 4), 5);
    assert_int_equal(classify_queue(&base, &none, 4), 184);
    assert_int_equal(classify_queue(&none, &none, 4), 0);
}

static void
test_default_tc_of_the_port_wins_unless_zero(void **state)
{
    const struct classify_rules seven = {.default_tc = 7};
    const struct classify_rules three = {.default_tc = 3};
    static const struct classify_rules zero;

    (void)state;
    assert_int_equal(tc_of(&seven, &three, 8), 3);
    assert_int_equal(tc_of(&seven, &zero, 8), 7);
    assert_int_equal(tc_of(&zero, &zero, -1), 0);
}

static void
test_rewriting_spares_what_is_absent_or_unlisted(void **state)
{
    struct classify_remark dscp;
    struct classify_remark other;
    struct classify_rules base = {.to_dscp = &dscp, .to_dot1p = &other};
    struct classify_rules port = {.to_exp = &other};
    struct classify_headers all = {1, 2, 3};
    struct classify_headers ip = {1, -1, -1};
    struct classify_headers unlisted = {1, 2, 3};

    (void)state;
    memset(&dscp, CLASSIFY_UNLISTED, sizeof dscp);
    memset(&other, CLASSIFY_UNLISTED, sizeof other);
    dscp.entries[9][CLASSIFY_YELLOW] = 63;
    other.entries[9][CLASSIFY_YELLOW] = 7;
    classify_rewrite(&base, &port,
                     (struct classify_verdict){9, CLASSIFY_YELLOW}, &all);
    assert_int_equal(all.dscp, 63);
    assert_int_equal(all.exp, 7);
    assert_int_equal(all.dot1p, 7);
    classify_rewrite(&base, &port,
                     (struct classify_verdict){9, CLASSIFY_YELLOW}, &ip);
    assert_int_equal(ip.dscp, 63);
    assert_int_equal(ip.exp, -1);
    assert_int_equal(ip.dot1p, -1);
    classify_rewrite(&base, &port, (struct classify_verdict){9, CLASSIFY_GREEN},
                     &unlisted);
    assert_int_equal(unlisted.dscp, 1);
    assert_int_equal(unlisted.exp, 2);
    assert_int_equal(unlisted.dot1p, 3);
}

static void
test_pfc_is_the_identity_without_maps(void **state)
{
    static const struct classify_rules none;

    (void)state;
    for (unsigned int i = 0; i < PFC_N_PRIORITIES; i++) {
        assert_int_equal(classify_priority_pg(&none, i), i);
        assert_int_equal(classify_pg_priorities(&none, i), 1u << i);
        assert_int_equal(classify_paused_queues(&none, (uint8_t)(1u << i)),
                         1u << i);
    }
    assert_int_equal(classify_pg_priorities(&none, PFC_N_PRIORITIES), 0);
    assert_int_equal(classify_paused_queues(&none, 0), 0);
}

static void
test_pfc_maps_share_and_leave_out(void **state)
{
    struct classify_map to_pg;
    struct classify_map to_queue;
    const struct classify_rules port = {.pfc_to_pg = &to_pg,
                                        .pfc_to_queue = &to_queue};

    (void)state;
    memset(&to_pg, CLASSIFY_UNLISTED, sizeof to_pg);
    memset(&to_queue, CLASSIFY_UNLISTED, sizeof to_queue);
    to_pg.entries[2] = 3;
    to_pg.entries[3] = 3;
    to_queue.entries[3] = 63;
    to_queue.entries[4] = 0;
    to_queue.entries[5] = 64; /* No queue has this number. */
    assert_int_equal(classify_pg_priorities(&port, 3), 0x0c);
    assert_int_equal(classify_pg_priorities(&port, 2), 0);
    assert_int_equal(classify_priority_pg(&port, 4), -1);
    assert_true(classify_paused_queues(&port, 0xff) == (UINT64_C(1) << 63 | 1));
    assert_true(classify_paused_queues(&port, 0x10) == 1);
    assert_true(classify_paused_queues(&port, 0x27) == 0);
}

/* An entry that does not fit into a header leaves it unchanged. */
static void
test_remark_beyond_the_header_is_ignored(void **state)
{
    static const struct classify_remark remark = {
        .entries = {[1] = {PFC_N_PRIORITIES}}};
    const struct classify_rules rules = {
        .to_dscp = &remark, .to_exp = &remark, .to_dot1p = &remark};
    const struct classify_rules none = {0};
    struct classify_headers headers = {.dscp = 1, .exp = 2, .dot1p = 3};

    (void)state;
    classify_rewrite(&none, &rules, (struct classify_verdict){.tc = 1},
                     &headers);
    assert_int_equal(headers.dscp, PFC_N_PRIORITIES);
    assert_int_equal(headers.exp, 2);
    assert_int_equal(headers.dot1p, 3);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_headers_are_trusted_in_order),
        cmocka_unit_test(test_map_of_the_port_wins),
        cmocka_unit_test(test_default_tc_of_the_port_wins_unless_zero),
        cmocka_unit_test(test_rewriting_spares_what_is_absent_or_unlisted),
        cmocka_unit_test(test_pfc_is_the_identity_without_maps),
        cmocka_unit_test(test_pfc_maps_share_and_leave_out),
        cmocka_unit_test(test_remark_beyond_the_header_is_ignored),
    };

    return cmocka_run_group_tests(tests, setup, NULL);
}
