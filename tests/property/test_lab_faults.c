/* SPDX-License-Identifier: Apache-2.0 */

/* Faults of a scenario, and the books of the fabric while it suffers: no frame
 * is lost or duplicated but those that the links say. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "lab/exec/run_state.h"
#include "tests/support/lab_run.h"

#define US INT64_C(1000000)

/* Returns the frames that links have lost. */
static uint64_t
lost_by_links(const struct lab_run *lab)
{
    uint64_t lost = 0;

    for (uint32_t i = 0; i < lab->experiment.topology.n_links; i++) {
        for (unsigned int end = 0; end < 2; end++) {
            struct link_stats stats;

            link_get_stats(lab->run->links[i], end, &stats);
            lost += stats.lost;
        }
    }
    return lost;
}

/* Runs 'lab' to its end; checks the books every microsecond.  Returns how often
 * a pause frame was on a link then. */
static unsigned int
run_checked(struct lab_run *lab)
{
    unsigned int n_pauses = 0;
    enum run_state state;

    do {
        struct fabric_census census;
        struct fabric_balance balance;
        struct err err = {0};
        const char *wrong;

        state = run_until(lab->run, run_now(lab->run) + US);
        wrong = fabric_check(lab->run->fabric);
        if (!wrong && run_balance_check(lab->run, &err)) {
            wrong = err.reason;
        }
        if (wrong) {
            fail_msg("at %lld us: %s", (long long)(run_now(lab->run) / US),
                     wrong);
        }
        fabric_take_census(lab->run->fabric, &census);
        fabric_take_balance(lab->run->fabric, &balance);
        assert_true(census.in_flight >= balance.on_links.frames);
        n_pauses += census.in_flight > balance.on_links.frames;
    } while (state == RUN_RUNNING);
    assert_int_equal(state, RUN_STOPPED);
    lab_run_finish(lab);
    return n_pauses;
}

/* Congestion, pauses and drops of a full RX FIFO, losses, and links that go
 * down and up. */
static void
test_books(void **state)
{
    struct lab_run *lab = lab_run_create(
        "name: x\n"
        "fabric: {clos: {t0: 3, t1: 2, hosts: 4}, convergence: 30us}\n"
        "hosts:\n"
        "  default: {rc: {timeout: 5}}\n"
        "  groups:\n"
        "    slow: {of: h-0-0, pcie: gen3x4,\n"
        "      rx_fifo: {size: 64KiB, xoff: 20KB, xon: 10KB}}\n"
        "    weak: {of: h-2-3, pcie: gen3x4, pfc: {sends: []},\n"
        "      rx_fifo: {size: 64KiB, xoff: 64KiB, xon: 10KB}}\n"
        "traffic:\n"
        "  - {rc: {pattern: incast, from: 'h-[1..2]-*', to: h-0-0, "
        "size: 200KB, qps: 2}}\n"
        "  - {rc: {pattern: permutation, size: 300KB, verb: read}}\n"
        "  - {stop: 200us, raw: {pattern: pairs, from: h-0-2, to: h-2-3, "
        "rate: 60G}}\n"
        "  - {ping: {pattern: permutation, every: 11us, repeat: 20}}\n"
        "faults:\n"
        "  - {loss: 1%, link: t0-1.t1-0, at: 20us}\n"
        "  - {drop_every: 50, link: t0-2.t1-1, at: 30us, for: 100us}\n"
        "  - {down: true, link: t0-2.t1-0, at: 40us, for: 80us}\n"
        "  - {down: true, link: h-1-1.t0-1, at: 70us, for: 50us}\n"
        "  - {down: true, link: t0-0.t1-1, at: 60us, for: 10us}\n"
        "stop: 10ms\n");
    uint64_t in_fifos = 0;
    struct nic_stats stats;

    (void)state;
    (void)run_checked(lab);
    for (uint32_t i = 0; i < lab->experiment.topology.n_hosts; i++) {
        nic_get_stats(lab->run->hosts[i].nic, &stats);
        in_fifos += stats.dropped_packets;
    }
    assert_true(in_fifos > 0);
    assert_int_equal(lab->drops[SINK_DROP_RX_FIFO], in_fifos);
    assert_true(lab->n_pauses > 0);
    assert_int_equal(lab->n_pauses, lab->n_ended_pauses);
    assert_true(lab->drops[SINK_DROP_FAULT] > 0);
    assert_true(lab->drops[SINK_DROP_LINK_DOWN] > 0);
    assert_int_equal(lost_by_links(lab), lab->drops[SINK_DROP_FAULT] +
                                             lab->drops[SINK_DROP_LINK_DOWN]);
    lab_run_destroy(lab);
}

/* Pause frames are in no balance, also while they are on long links. */
static void
test_pauses_on_links(void **state)
{
    struct lab_run *lab = lab_run_create(
        "name: x\n"
        "fabric: {star: {hosts: 8}, links: {host: 300m},\n"
        "  switch: {t0: {config: star-32x100g}}}\n"
        "hosts: {groups: {slow: {of: h-0-0, pcie: gen3x4,\n"
        "  rx_fifo: {size: 512KB, xoff: 20KB, xon: 10KB}}}}\n"
        "traffic:\n"
        "  - {raw: {pattern: incast, from: 'h-0-[1..4]', to: h-0-0}}\n"
        "  - {rc: {pattern: incast, from: 'h-0-[5..7]', to: h-0-0, "
        "size: 200KB}}\n"
        "stop: 400us\n");

    (void)state;
    assert_in_range(run_checked(lab), 50, 400);
    assert_true(lab->n_pauses_by_hosts > 0);
    assert_true(lab->n_pauses > lab->n_pauses_by_hosts);
    assert_int_equal(lab->n_drops, 0);
    lab_run_destroy(lab);
}

/* What a fault loses is reported frame by frame, and nothing else is lost. */
static void
test_losses(void **state)
{
    static const char *const faults[] = {"loss: 1%",
                                         "loss: 1/3",
                                         "drop_every: 1000",
                                         "drop_every: 7",
                                         "drop_every: 1",
                                         "drop_every: 10, direction: forward",
                                         "drop_every: 10, direction: backward"};

    (void)state;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        struct lab_run *lab;
        char text[1024];
        uint64_t n_sent[2], lost;

        (void)snprintf(
            text, sizeof text,
            "name: x\n"
            "fabric: {star: {hosts: 2}}\n"
            "traffic:\n"
            "  - {raw: {pattern: pairs, from: h-0-0, to: h-0-1, rate: 20G, "
            "frames: 3000}}\n"
            "  - {raw: {pattern: pairs, from: h-0-1, to: h-0-0, rate: 10G, "
            "frames: 2000}}\n"
            "faults: [{link: h-0-0.t0-0, %s}]\n"
            "stop: 10ms\n",
            faults[i]);
        lab = lab_run_create(text);
        (void)run_checked(lab);
        lost = lab->drops[SINK_DROP_FAULT];
        n_sent[0] = lab->flows[0].packets;
        n_sent[1] = lab->flows[1].packets;
        assert_int_equal(n_sent[0], 3000);
        assert_int_equal(n_sent[1], 2000);
        assert_int_equal(lost, lost_by_links(lab));
        assert_int_equal(
            nic_received(run_host(lab->run, lab->flows[0].destination)->nic,
                         lab->run->flows[0].peer_qp)
                    ->packets +
                nic_received(run_host(lab->run, lab->flows[1].destination)->nic,
                             lab->run->flows[1].peer_qp)
                    ->packets,
            5000 - lost);
        switch (i) {
        case 0:
            assert_in_range(lost, 50 - 35, 50 + 35); /* 5 sigma. */
            break;
        case 1:
            assert_in_range(lost, 1667 - 167, 1667 + 167);
            break;
        case 2:
            assert_int_equal(lost, 5);
            break;
        case 3:
            assert_int_equal(lost, 3000 / 7 + 2000 / 7);
            break;
        case 4:
            assert_int_equal(lost, 5000);
            break;
        case 5:
            assert_int_equal(lost, 300);
            break;
        default:
            assert_int_equal(lost, 200);
        }
        lab_run_destroy(lab);
    }
}

/* Returns the frames that 'node' has sent by the port to 'peer'. */
static uint64_t
sent_to(const struct lab_run *lab, const char *node, const char *peer)
{
    const struct topology *topology = &lab->experiment.topology;
    const uint32_t number = topology_find(topology, node);
    struct run_switch *sw = &lab->run->switches[number];
    struct sim_port_stats stats = {0};

    for (uint32_t p = 0; p < topology->nodes[number].n_ports; p++) {
        if (topology_port(topology, number, p)->peer ==
            topology_find(topology, peer)) {
            assert_int_equal(
                sim_port_get_stats(switch_instance_sim(sw->instance),
                                   sw->slots[p], &stats),
                ST_OK);
        }
    }
    return stats.tx_ucast_packets;
}

/* A link goes down while a flow uses it.  The switch at its lower end takes the
 * other link at once.  A switch further away sends packets into the dead end
 * until the convergence; the flow repeats what was lost, and ends. */
static void
test_down(void **state)
{
    char text[1024];
    struct lab_run *lab;
    uint64_t before;

    (void)state;
    (void)snprintf(text, sizeof text,
                   "name: x\n"
                   "fabric: {clos: {t0: 2, t1: 2, hosts: 1}, "
                   "convergence: 200us}\n"
                   "hosts: {default: {rc: {timeout: 4}}}\n"
                   "traffic: [{rc: {pattern: pairs, from: h-0-0, to: h-1-0, "
                   "size: 4MB, qps: 8}}]\n"
                   "faults: [{down: true, link: t0-1.t1-0, at: 100us}]\n"
                   "stop: 1s\n");
    lab = lab_run_create(text);
    assert_int_equal(run_until(lab->run, 99 * US), RUN_RUNNING);
    /* Both paths are in use. */
    assert_true(sent_to(lab, "t0-0", "t1-0") > 0);
    assert_true(sent_to(lab, "t0-0", "t1-1") > 0);
    assert_int_equal(lost_by_links(lab), 0);

    /* Before the convergence, packets still go to the switch without a way
     * down. */
    assert_int_equal(run_until(lab->run, 105 * US), RUN_RUNNING);
    before = sent_to(lab, "t0-0", "t1-0");
    assert_int_equal(run_until(lab->run, 299 * US), RUN_RUNNING);
    assert_true(sent_to(lab, "t0-0", "t1-0") > before);

    /* After it, none do. */
    assert_int_equal(run_until(lab->run, 310 * US), RUN_RUNNING);
    before = sent_to(lab, "t0-0", "t1-0");
    (void)run_checked(lab);
    assert_int_equal(sent_to(lab, "t0-0", "t1-0"), before);
    for (uint32_t i = 0; i < lab->experiment.flows.n; i++) {
        assert_int_equal(lab->flows[i].state, SINK_FLOW_DONE);
        assert_int_equal(lab->flows[i].bytes, 4000000);
    }
    /* What was on the link, and what came to the switch without a way down. */
    assert_true(lab->drops[SINK_DROP_LINK_DOWN] > 0);
    assert_int_equal(lab->drops[SINK_DROP_LINK_DOWN], lost_by_links(lab));
    assert_true(lab->drops[SINK_DROP_NO_ROUTE] > 0);
    lab_run_destroy(lab);
}

/* Frames on a long cable are lost at the instant when it goes down, also if the
 * run ends before they would have arrived. */
static void
test_in_flight(void **state)
{
    struct lab_run *lab = lab_run_create(
        "name: x\n"
        "fabric: {star: {hosts: 2, rate: 100G}, links: {host: 10km}}\n"
        "traffic: [{raw: {pattern: pairs, from: h-0-0, to: h-0-1, "
        "frame: 1000, rate: 100G}}]\n"
        "faults: [{down: true, link: h-0-0.t0-0, at: 20us}]\n"
        "stop: 25us\n");
    /* A frame of 1,000 bytes and 20 more takes 81.6 ns: 246 have started by
     * 20 us, and those that start later are lost, too. */
    const uint64_t n = 25 * US / 81600 + 1;

    (void)state;
    assert_int_equal(run_until(lab->run, 20 * US), RUN_RUNNING);
    assert_int_equal(lab->drops[SINK_DROP_LINK_DOWN], 20 * US / 81600 + 1);
    (void)run_checked(lab);
    assert_int_equal(lab->drops[SINK_DROP_LINK_DOWN], n);
    assert_int_equal(lab->run->dropped[SINK_DROP_LINK_DOWN].bytes, n * 996);
    lab_run_destroy(lab);
}

/* The MTU of a port of SONiC is 9,100 bytes. */
static void
test_mtu(void **state)
{
    struct lab_run *lab = lab_run_create(
        "name: x\n"
        "fabric: {star: {hosts: 3}}\n"
        "traffic:\n"
        "  - {raw: {pattern: pairs, from: h-0-0, to: h-0-1, frame: 9216, "
        "rate: 10G, frames: 20}}\n"
        "  - {raw: {pattern: pairs, from: h-0-2, to: h-0-1, frame: 9000, "
        "rate: 10G, frames: 30}}\n"
        "stop: 1ms\n");

    (void)state;
    (void)run_checked(lab);
    assert_int_equal(lab->drops[SINK_DROP_MTU], 20);
    assert_int_equal(lab->flows[0].bytes, 0);
    assert_int_equal(lab->n_drops, 20);
    lab_run_destroy(lab);
}

/* A host whose bus is slow asks for pauses; they cause those of the switch. */
static void
test_host_pauses(void **state)
{
    struct lab_run *lab = lab_run_create(
        "name: x\n"
        "fabric: {star: {hosts: 3, rate: 100G}}\n"
        "hosts:\n"
        "  groups: {slow: {of: h-0-0, pcie: gen3x4,\n"
        "    rx_fifo: {size: 64KiB, xoff: 20KB, xon: 10KB}}}\n"
        "traffic: [{rc: {pattern: incast, from: [h-0-1, h-0-2], to: h-0-0, "
        "size: 4MB}}]\n"
        "stop: 10ms\n");
    const uint32_t slow = topology_find(&lab->experiment.topology, "h-0-0");
    struct nic_stats stats;

    (void)state;
    (void)run_checked(lab);
    nic_get_stats(run_host(lab->run, slow)->nic, &stats);
    assert_int_equal(lab->first_pause.by_node, slow);
    assert_int_equal(lab->first_pause.node, 0);
    assert_int_equal(lab->first_pause.congested_port, SINK_NONE);
    assert_true(lab->n_pauses_by_hosts > 0);
    assert_true(lab->n_pauses_by_hosts <= stats.pauses_sent);
    assert_true(lab->n_pauses > lab->n_pauses_by_hosts);
    /* Its root is a pause of the host. */
    assert_int_not_equal(lab->first_switch_pause.cause, SINK_NO_PAUSE);
    assert_int_equal(lab->n_pauses, lab->n_ended_pauses);
    assert_int_equal(lab->n_drops, 0);
    lab_run_destroy(lab);
}

/* A loss that nothing reports is found, with figures. */
static void
test_balance(void **state)
{
    struct lab_run *lab = lab_run_create(
        "name: x\n"
        "fabric: {star: {hosts: 2}}\n"
        "traffic: [{raw: {pattern: pairs, from: h-0-0, to: h-0-1, rate: 10G, "
        "frame: 1000, frames: 100}}]\n"
        "faults: [{drop_every: 10, link: h-0-0.t0-0}]\n"
        "stop: 1ms\n");
    struct err err = {0};

    (void)state;
    (void)run_checked(lab);
    assert_int_equal(lab->n_drops, 10);
    assert_int_equal(run_balance_check(lab->run, &err), ST_OK);
    lab->run->dropped[SINK_DROP_FAULT].frames -= 2;
    lab->run->dropped[SINK_DROP_FAULT].bytes -= 2 * 996;
    assert_int_equal(run_balance_check(lab->run, &err), ST_DEVICE);
    assert_string_equal(
        err.reason,
        "2 frames and 1992 bytes are not accounted for at the end: 100 frames "
        "sent, 0 copied; 90 received, 8 reported as dropped, 0 on links, 0 in "
        "adapters, 0 in switches");
    lab->run->dropped[SINK_DROP_FAULT].frames += 2;
    assert_int_equal(run_balance_check(lab->run, &err), ST_DEVICE);
    lab_run_destroy(lab);
}

/* A link that comes back is used again, after the convergence. */
static void
test_up(void **state)
{
    struct lab_run *lab = lab_run_create(
        "name: x\n"
        "fabric: {clos: {t0: 2, t1: 2, hosts: 1}, convergence: 50us}\n"
        "hosts: {default: {rc: {timeout: 4}}}\n"
        "traffic: [{rc: {pattern: pairs, from: h-0-0, to: h-1-0, "
        "size: inf, qps: 8}}]\n"
        "faults: [{down: true, link: t0-0.t1-0, at: 10us, for: 200us}]\n"
        "stop: 1ms\n");
    uint64_t before;

    (void)state;
    assert_int_equal(run_until(lab->run, 11 * US), RUN_RUNNING);
    before = sent_to(lab, "t0-0", "t1-0");
    assert_int_equal(run_until(lab->run, 209 * US), RUN_RUNNING);
    assert_int_equal(sent_to(lab, "t0-0", "t1-0"), before);
    (void)run_checked(lab);
    assert_true(sent_to(lab, "t0-0", "t1-0") > before);
    lab_run_destroy(lab);
}

/* A queue pair gives up when nothing comes back. */
static void
test_give_up(void **state)
{
    struct lab_run *lab = lab_run_create(
        "name: x\n"
        "fabric: {star: {hosts: 2}}\n"
        "hosts: {default: {rc: {timeout: 3, retries: 2}}}\n"
        "traffic: [{rc: {pattern: pairs, from: h-0-0, to: h-0-1, "
        "size: 100KB}}]\n"
        "faults: [{down: true, link: h-0-1.t0-0, at: 3us}]\n"
        "stop: 1s\n");

    (void)state;
    (void)run_checked(lab);
    assert_int_equal(lab->flows[0].state, SINK_FLOW_FAILED);
    assert_int_not_equal(lab->flows[0].error, 0);
    assert_true(lab->flows[0].end_ps < 1000 * US);
    lab_run_destroy(lab);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_books),   cmocka_unit_test(test_pauses_on_links),
        cmocka_unit_test(test_books),   cmocka_unit_test(test_losses),
        cmocka_unit_test(test_down),    cmocka_unit_test(test_up),
        cmocka_unit_test(test_give_up), cmocka_unit_test(test_in_flight),
        cmocka_unit_test(test_mtu),     cmocka_unit_test(test_host_pauses),
        cmocka_unit_test(test_balance),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
