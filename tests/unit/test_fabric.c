/* SPDX-License-Identifier: Apache-2.0 */

/* A fabric: which ends can be connected, and a frame on its way from a host
 * through a switch to another host. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/picoseconds.h"
#include "twin/fabric/fabric.h"

enum { SPEED = 100000, METRES = 10, LENGTH = 976 };

/* 976 bytes, 1,000 on the wire: 80 ns.  10 m of cable: 50 ns. */
#define FRAME_PS INT64_C(80000)
#define CABLE_PS INT64_C(50000)

#define MAC(i) (UINT64_C(0x020000000000) + (i))

/* Two hosts at ports 0 and 1 of a switch. */
struct fixture {
    struct chip chip;
    struct fabric *fabric;
    struct sim *sim;
    struct host *hosts[2];
    struct link *links[2];
};

static const struct sim_port_config up = {
    .speed_mbps = SPEED, .admin_up = true, .tx_enabled = true};

static int
setup(void **state)
{
    struct fixture *f = test_calloc(1, sizeof *f);

    chip_init(&f->chip);
    f->chip.ports = 3;
    f->chip.memory_bytes = 1 << 20;
    f->fabric = fabric_create(1);
    f->sim = fabric_add_switch(f->fabric, &f->chip);
    for (uint32_t i = 0; i < 2; i++) {
        const struct host_config config = {.mac = MAC(i), .speed_mbps = SPEED};

        assert_int_equal(fabric_add_host(f->fabric, &config, &f->hosts[i]),
                         ST_OK);
        assert_int_equal(sim_port_add(f->sim, i, i, &up), ST_OK);
        assert_int_equal(sim_fdb_set(f->sim, MAC(i), i), ST_OK);
        assert_int_equal(
            fabric_connect(f->fabric,
                           (struct fabric_end[2]){{.host = f->hosts[i]},
                                                  {.sim = f->sim, .port = i}},
                           METRES, 1500, &f->links[i]),
            ST_OK);
    }
    *state = f;
    return 0;
}

static int
teardown(void **state)
{
    struct fixture *f = *state;

    fabric_destroy(f->fabric);
    test_free(f);
    return 0;
}

/* Sends 'n' frames of flow 'flow' from host 0 to host 1, from now on. */
static void
send(struct fixture *f, uint32_t flow, uint64_t n)
{
    const struct flow_config config = {
        .flow = flow,
        .pace = {.start_ps = engine_now_ps(fabric_engine(f->fabric)),
                 .n_frames = n,
                 .interval = {1, 1}},
        .frame = {.dst_mac = MAC(1), .length_bytes = LENGTH}};

    assert_int_equal(host_add_flow(f->hosts[0], &config), ST_OK);
}

static void
run(struct fixture *f)
{
    engine_run_until(fabric_engine(f->fabric), EVENT_NEVER);
}

static const struct receiver_flow *
received(struct fixture *f, uint32_t flow)
{
    return receiver_flow(host_receiver(f->hosts[1]), flow);
}

static void
test_frame_crosses_two_cables_and_a_switch(void **state)
{
    struct fixture *f = *state;

    send(f, 7, 2);
    run(f);
    assert_non_null(received(f, 7));
    assert_int_equal(received(f, 7)->frames, 2);
    assert_int_equal(received(f, 7)->first_ps, 2 * (FRAME_PS + CABLE_PS));
    assert_int_equal(received(f, 7)->last_ps,
                     2 * (FRAME_PS + CABLE_PS) + FRAME_PS);
}

static void
test_ends_must_exist_and_have_one_speed(void **state)
{
    struct fixture *f = *state;
    const struct host_config slow = {.mac = MAC(9), .speed_mbps = SPEED / 10};
    struct fabric_end ends[2] = {{.host = f->hosts[0]},
                                 {.sim = f->sim, .port = 2}};
    struct link *link = f->links[0];

    assert_int_equal(fabric_connect(f->fabric, ends, 1, 1500, &link),
                     ST_NOT_FOUND);
    assert_int_equal(sim_port_add(f->sim, 2, 2, &up), ST_OK);
    assert_int_equal(fabric_add_host(f->fabric, &slow, &ends[0].host), ST_OK);
    assert_int_equal(fabric_connect(f->fabric, ends, 1, 1500, &link),
                     ST_INVALID);
    assert_ptr_equal(link, f->links[0]);
}

static void
test_link_can_be_taken_down_and_up(void **state)
{
    struct fixture *f = *state;
    struct link_stats stats;

    link_set_up(f->links[1], false);
    send(f, 1, 3);
    run(f);
    assert_null(received(f, 1));
    link_get_stats(f->links[1], 1, &stats);
    assert_int_equal(stats.lost, 3);
    link_set_up(f->links[1], true);
    send(f, 2, 3);
    run(f);
    assert_int_equal(received(f, 2)->frames, 3);
}

static void
test_port_that_is_down_loses_frames(void **state)
{
    struct fixture *f = *state;
    struct sim_port_config down = up;
    struct link_stats stats;

    down.admin_up = false;
    assert_int_equal(sim_port_set(f->sim, 0, &down), ST_OK);
    send(f, 1, 2);
    run(f);
    assert_null(received(f, 1));
    link_get_stats(f->links[0], 0, &stats);
    assert_int_equal(stats.sent, 2);
    assert_int_equal(stats.lost, 2);
}

/* Frames in flight and in the buffer are freed with the fabric. */
static void
test_fabric_ends_with_frames_under_way(void **state)
{
    struct fixture *f = *state;
    struct link_stats stats;

    send(f, 1, 100);
    engine_run_until(fabric_engine(f->fabric), 5 * FRAME_PS);
    link_get_stats(f->links[0], 0, &stats);
    assert_true(stats.in_flight > 0);
}

static void
test_seeds_depend_on_fabric_and_number(void **state)
{
    struct fixture *f = *state;
    struct fabric *same = fabric_create(1);
    struct fabric *other = fabric_create(2);

    for (uint64_t i = 0; i < 10; i++) {
        const uint64_t seed = fabric_seed(f->fabric, i);

        assert_true(seed == fabric_seed(same, i));
        assert_true(seed != fabric_seed(other, i));
        assert_true(seed != fabric_seed(f->fabric, i + 1));
    }
    fabric_destroy(same);
    fabric_destroy(other);
    fabric_destroy(NULL);
}

/* Ends of transmissions ---------------------------------------------------- */

/* When the first frame that is sent at time 0 begins to leave port 1 of the
 * switch, and when it has left. */
#define BEGIN_PS (FRAME_PS + CABLE_PS)
#define LEFT_PS  (2 * FRAME_PS + CABLE_PS)

static uint64_t
n_left(struct fixture *f)
{
    struct sim_port_stats port;

    assert_int_equal(sim_port_get_stats(f->sim, 1, &port), ST_OK);
    assert_int_equal(port.tx_octets, LENGTH * port.tx_ucast_packets);
    return port.tx_ucast_packets;
}

/* The same by the counters of the queue. */
static uint64_t
n_left_queue(struct fixture *f)
{
    struct sim_queue_stats queue;

    assert_int_equal(sim_queue_get_stats(f->sim, 1, 0, &queue), ST_OK);
    return queue.colors[CLASSIFY_GREEN].packets;
}

static void
run_to(struct fixture *f, int64_t until_ps)
{
    engine_run_until(fabric_engine(f->fabric), until_ps);
}

static void
test_frame_counts_when_its_last_bit_has_left(void **state)
{
    struct fixture *f = *state;

    send(f, 1, 1);
    run_to(f, LEFT_PS - 1);
    assert_int_equal(n_left_queue(f), 0);
    assert_int_equal(n_left(f), 0);
    run_to(f, LEFT_PS);
    assert_int_equal(n_left_queue(f), 1);
    assert_int_equal(n_left(f), 1);
    send(f, 2, 1);
    run_to(f, LEFT_PS + LEFT_PS - 1);
    sim_port_clear_stats(f->sim, 1);
    run_to(f, LEFT_PS + LEFT_PS);
    assert_int_equal(n_left(f), 1);
    send(f, 3, 1);
    run(f);
    sim_port_clear_stats(f->sim, 1);
    assert_int_equal(n_left(f), 0);
    assert_int_equal(n_left_queue(f), 3);
    assert_int_equal(sim_settle(f->sim), 0);
}

static void
test_settling_ends_with_the_last_transmission(void **state)
{
    struct fixture *f = *state;

    send(f, 1, 1);
    run_to(f, BEGIN_PS);
    assert_int_equal(sim_settle(f->sim), 1);
    assert_int_equal(engine_now_ps(fabric_engine(f->fabric)), LEFT_PS);
}

/* A sim_listener_fn. */
static void
note_left(void *context, uint32_t port, const struct sim_frame *frame,
          int64_t now_ps)
{
    int64_t *left_ps = context;

    (void)frame;
    assert_int_equal(port, 1);
    *left_ps = now_ps;
}

static void
test_listener_hears_of_a_transmission_that_had_begun(void **state)
{
    struct fixture *f = *state;
    int64_t left_ps = 0;

    send(f, 1, 1);
    run_to(f, BEGIN_PS + 1);
    sim_set_listener(
        f->sim, &(struct sim_listener){.sent = note_left, .context = &left_ps});
    run(f);
    assert_int_equal(left_ps, LEFT_PS);
}

/* A frame on the wire is lost with its port, one that has left it is not. */
static void
test_removed_port_takes_only_what_it_was_sending(void **state)
{
    struct fixture *f = *state;

    send(f, 1, 1);
    run_to(f, LEFT_PS);
    assert_int_equal(sim_port_remove(f->sim, 1), ST_OK);
    run(f);
    assert_int_equal(received(f, 1)->frames, 1);
}

static void
test_removed_port_loses_what_it_was_sending(void **state)
{
    struct fixture *f = *state;

    send(f, 1, 1);
    run_to(f, LEFT_PS - 1);
    assert_int_equal(sim_port_remove(f->sim, 1), ST_OK);
    run(f);
    assert_null(received(f, 1));
}

/* What the listener of a link has heard. */
struct losses {
    uint32_t sequences[32];
    size_t n;
    unsigned int end;
};

/* A link_lost_fn. */
static void
note_loss(void *context, unsigned int end, enum link_loss why,
          const struct sim_frame *frame)
{
    struct losses *losses = context;

    assert_int_equal(why, LINK_LOSS_DOWN);
    assert_int_equal(end, losses->end);
    assert_in_range(losses->n, 0, 31);
    losses->sequences[losses->n++] = frame->sequence;
}

/* Sends 20 short frames, of which a cable holds several. */
static void
send_short(struct fixture *f)
{
    const struct flow_config config = {
        .flow = 1,
        .pace = {.n_frames = 20, .interval = {1, 1}},
        .frame = {.dst_mac = MAC(1), .length_bytes = 60}};

    assert_int_equal(host_add_flow(f->hosts[0], &config), ST_OK);
}

static void
test_a_cut_link_reports_what_was_on_it_in_order(void **state)
{
    struct fixture *f = *state;
    struct losses losses = {.end = 1};
    struct link_stats stats;

    send_short(f);
    link_set_listener(f->links[1], note_loss, &losses);
    run_to(f, 2 * CABLE_PS + 3 * FRAME_PS / 4);
    link_get_stats(f->links[1], 1, &stats);
    assert_in_range(stats.in_flight, 4, 12);
    link_set_up(f->links[1], false);
    assert_int_equal(losses.n, stats.in_flight);
    for (size_t i = 1; i < losses.n; i++) {
        assert_int_equal(losses.sequences[i], losses.sequences[0] + i);
    }
    run(f);
    link_get_stats(f->links[1], 1, &stats);
    assert_int_equal(losses.n, stats.lost);
    assert_int_equal(received(f, 1) ? received(f, 1)->frames : 0,
                     20 - losses.n);
}

/* A link_lost_fn. */
static void
count_macsec(void *context, unsigned int end, enum link_loss why,
             const struct sim_frame *frame)
{
    uint32_t *n = context;

    assert_int_equal(why, LINK_LOSS_MACSEC);
    assert_int_equal(end, 1);
    assert_int_equal(frame->length_bytes, 60);
    ++*n;
}

/* Returns whether the host at port 1 refuses the pauses of the switch, which
 * sends them as 'sends' says, where it accepts 'accepts'. */
static bool
refuses(struct fixture *f, enum link_pause_form sends, uint8_t accepts)
{
    const struct link_macsec macsec = {
        .ends = {{LINK_PAUSE_CLEAR, accepts}, {sends, 1}}};
    const int64_t now_ps = engine_now_ps(fabric_engine(f->fabric));
    uint32_t n = 0;

    link_set_macsec(f->links[1], &macsec);
    link_set_listener(f->links[1], count_macsec, &n);
    assert_int_equal(sim_port_set_storm(f->sim, 1, 1 << 3), ST_OK);
    run_to(f, now_ps + PS_PER_US);
    assert_int_equal(sim_port_set_storm(f->sim, 1, 0), ST_OK);
    run(f);
    link_set_listener(f->links[1], NULL, NULL);
    assert_true(n == 0 || n == 2); /* XOFF and XON. */
    return n > 0;
}

static void
test_macsec_refuses_pauses_in_another_form(void **state)
{
    struct fixture *f = *state;
    struct sim_port_config config = up;

    config.pfc_tx_enabled = 1 << 3;
    assert_int_equal(sim_port_set(f->sim, 1, &config), ST_OK);
    assert_false(refuses(f, LINK_PAUSE_CLEAR, 1 << LINK_PAUSE_CLEAR));
    assert_true(refuses(f, LINK_PAUSE_CLEAR, 1 << LINK_PAUSE_PROTECTED));
    assert_false(refuses(f, LINK_PAUSE_CLEAR, 3));
    assert_true(refuses(f, LINK_PAUSE_PROTECTED, 1 << LINK_PAUSE_CLEAR));
    assert_false(refuses(f, LINK_PAUSE_PROTECTED, 1 << LINK_PAUSE_PROTECTED));
    assert_false(refuses(f, LINK_PAUSE_PROTECTED, 3));
    /* Nothing else is refused, and nothing without MACsec. */
    assert_true(refuses(f, LINK_PAUSE_CLEAR, 1 << LINK_PAUSE_PROTECTED));
    send(f, 7, 2);
    run(f);
    assert_int_equal(received(f, 7)->frames, 2);
    link_set_macsec(f->links[1], NULL);
    assert_int_equal(sim_port_set_storm(f->sim, 1, 1 << 3), ST_OK);
    assert_null(fabric_check(f->fabric));
}

static void
test_macsec_takes_time_on_the_wire(void **state)
{
    struct fixture *f = *state;
    const int64_t extra_ps = LINK_MACSEC_BYTES * (FRAME_PS / 1000);

    assert_int_equal(sim_port_set_macsec_bytes(f->sim, 9, 1, true),
                     ST_NOT_FOUND);
    assert_int_equal(
        sim_port_set_macsec_bytes(f->sim, 1, LINK_MACSEC_BYTES, true), ST_OK);
    send(f, 7, 2);
    run(f);
    assert_int_equal(received(f, 7)->first_ps,
                     2 * (FRAME_PS + CABLE_PS) + extra_ps);
    assert_int_equal(received(f, 7)->last_ps,
                     2 * (FRAME_PS + CABLE_PS) + FRAME_PS + 2 * extra_ps);
    /* A change of the port keeps it, and the counters do not see it. */
    assert_int_equal(sim_port_set(f->sim, 1, &up), ST_OK);
    send(f, 8, 1);
    run(f);
    assert_int_equal(received(f, 8)->last_ps - received(f, 7)->last_ps,
                     2 * (FRAME_PS + CABLE_PS) + extra_ps);
}

/* Of a link_tap: notes when the first frame ends. */
static void
note_end(void *context, const struct sim_frame *frame, int64_t end_ps,
         int64_t delay_ps, bool is_lost)
{
    int64_t *first_ps = context;

    (void)frame;
    (void)delay_ps;
    (void)is_lost;
    if (*first_ps < 0) {
        *first_ps = end_ps;
    }
}

/* Returns how long a pause of port 1 takes on the wire. */
static int64_t
pause_ps(struct fixture *f)
{
    const int64_t now_ps = engine_now_ps(fabric_engine(f->fabric));
    int64_t end_ps = -1;

    link_set_tap(f->links[1], 1, &(struct link_tap){note_end, &end_ps, false});
    assert_int_equal(sim_port_set_storm(f->sim, 1, 1 << 3), ST_OK);
    assert_int_equal(sim_port_set_storm(f->sim, 1, 0), ST_OK);
    run(f);
    link_set_tap(f->links[1], 1, NULL);
    return end_ps - now_ps;
}

static void
test_macsec_takes_no_time_of_clear_pauses(void **state)
{
    struct fixture *f = *state;
    struct sim_port_config config = up;
    int64_t clear_ps;

    config.pfc_tx_enabled = 1 << 3;
    assert_int_equal(sim_port_set(f->sim, 1, &config), ST_OK);
    clear_ps = pause_ps(f);
    assert_int_equal(
        sim_port_set_macsec_bytes(f->sim, 1, LINK_MACSEC_BYTES, false), ST_OK);
    assert_int_equal(pause_ps(f), clear_ps);
    assert_int_equal(
        sim_port_set_macsec_bytes(f->sim, 1, LINK_MACSEC_BYTES, true), ST_OK);
    assert_int_equal(pause_ps(f),
                     clear_ps + LINK_MACSEC_BYTES * (FRAME_PS / 1000));
}

/* Also if the calendar of events, a ring of 33.6 us, begins again while they
 * are on the way, so that they are in no order there. */
static void
test_a_long_link_reports_what_was_on_it_in_order(void **state)
{
    enum { N = 27, FAR_M = 6000 };
    struct fixture *f = *state;
    struct losses losses = {.end = 0};
    struct fabric_end ends[2] = {{.host = NULL}, {.host = NULL}};
    int64_t times_ps[N];
    struct flow_config flow = {
        .flow = 1,
        .pace = {.kind = PACING_LIST, .n_frames = N, .times_ps = times_ps},
        .frame = {.dst_mac = MAC(6), .length_bytes = 60}};
    struct link *link;

    for (uint32_t i = 0; i < 2; i++) {
        const struct host_config config = {.mac = MAC(5 + i),
                                           .speed_mbps = SPEED};

        assert_int_equal(fabric_add_host(f->fabric, &config, &ends[i].host),
                         ST_OK);
    }
    assert_int_equal(fabric_connect(f->fabric, ends, FAR_M, 1500, &link),
                     ST_OK);
    for (int i = 0; i < N; i++) {
        times_ps[i] = i * INT64_C(1100000);
    }
    assert_int_equal(host_add_flow(ends[0].host, &flow), ST_OK);
    link_set_listener(link, note_loss, &losses);
    run_to(f, times_ps[N - 1] + FRAME_PS);
    link_set_up(link, false);
    assert_int_equal(losses.n, N);
    for (size_t i = 0; i < losses.n; i++) {
        assert_int_equal(losses.sequences[i], i);
    }
}

static void
test_a_port_that_is_down_reports_what_arrives(void **state)
{
    struct fixture *f = *state;
    struct losses losses = {.end = 0};
    struct sim_port_config down = up;
    struct link_stats stats;

    send_short(f);
    link_set_listener(f->links[0], note_loss, &losses);
    run_to(f, CABLE_PS);
    down.admin_up = false;
    assert_int_equal(sim_port_set(f->sim, 0, &down), ST_OK);
    run(f);
    link_get_stats(f->links[0], 0, &stats);
    assert_in_range(losses.n, 4, 20);
    assert_int_equal(losses.n, stats.lost);
}

/* In single steps: a command between two events of one instant. */
static void
test_transmission_ends_in_the_order_of_events(void **state)
{
    struct fixture *f = *state;
    struct engine *engine = fabric_engine(f->fabric);
    uint64_t before;

    /* The second frame arrives at the instant at which the first has left. */
    send(f, 1, 2);
    while (received(f, 1) == NULL) {
        before = n_left(f);
        assert_true(engine_step(engine));
        assert_true(n_left(f) == (engine_now_ps(engine) >= LEFT_PS));
        assert_true(n_left(f) >= before);
    }
    run(f);
    assert_int_equal(n_left(f), 2);
    assert_int_equal(received(f, 1)->last_ps,
                     2 * (FRAME_PS + CABLE_PS) + FRAME_PS);
}

/* What a tap has seen: ECN, and when each frame arrives. */
struct seen {
    size_t n;
    uint8_t ecn[40];
    int64_t arrives_ps[40];
    int64_t end_ps[40];
};

static void
see(void *context, const struct sim_frame *frame, int64_t end_ps,
    int64_t delay_ps, bool is_lost)
{
    struct seen *seen = context;

    assert_false(is_lost);
    assert_true(seen->n < sizeof seen->ecn);
    seen->ecn[seen->n] = frame->ecn;
    seen->end_ps[seen->n] = end_ps;
    seen->arrives_ps[seen->n++] = end_ps + delay_ps;
}

/* Only CE becomes ECT(0), and only of IP. */
static void
test_a_fault_clears_marks(void **state)
{
    struct fixture *f = *state;
    struct seen seen = {0};

    link_set_fault(f->links[1], 1, &(struct link_fault){.clears_ce = true});
    link_set_tap(f->links[1], 1, &(struct link_tap){see, &seen, false});
    for (uint8_t ecn = 0; ecn <= 4; ecn++) {
        struct sim_frame frame = {.dst_mac = MAC(1),
                                  .src_mac = MAC(0),
                                  .length_bytes = LENGTH,
                                  .dscp = ecn == 4 ? -1 : 3};

        frame.ecn = ecn == 4 ? 3 : ecn & 3u;
        assert_int_equal(sim_receive(f->sim, 0, &frame), ST_OK);
    }
    run(f);
    assert_int_equal(seen.n, 5);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(seen.ecn[i], i == 3 ? 2 : i);
    }
    assert_int_equal(seen.ecn[4], 3);
}

/* What a tap takes has been sent and delivered, and nothing is left of it. */
static void
test_a_tap_takes_frames(void **state)
{
    struct fixture *f = *state;
    struct engine *engine = fabric_engine(f->fabric);
    struct seen seen = {0};
    struct sim_port_stats port;
    struct link_stats stats;

    link_set_tap(f->links[1], 1, &(struct link_tap){see, &seen, true});
    send(f, 1, 3);
    engine_run_until(engine, PS_PER_US);
    assert_int_equal(seen.n, 3);
    for (int64_t i = 0; i < 3; i++) {
        assert_int_equal(seen.end_ps[i], CABLE_PS + (2 + i) * FRAME_PS);
        assert_int_equal(seen.arrives_ps[i], seen.end_ps[i] + CABLE_PS);
    }
    assert_null(received(f, 1));
    assert_int_equal(sim_port_get_stats(f->sim, 1, &port), ST_OK);
    assert_int_equal(port.tx_ucast_packets, 3);
    link_get_stats(f->links[1], 1, &stats);
    assert_int_equal(stats.sent, 3);
    assert_int_equal(stats.delivered, 3);
    assert_int_equal(stats.lost, 0);
    assert_int_equal(stats.in_flight, 0);
    assert_int_equal(frame_pool_in_use(frame_pool_of(engine)), 0);
    link_set_tap(f->links[1], 1, NULL);
    send(f, 2, 1);
    run(f);
    assert_int_equal(received(f, 2)->frames, 1);
}

/* Frames are sent each 160 ns.  The first ten come 1 us late; after that, none
 * comes earlier than the time of a frame after the last one, until there is
 * nothing to catch up with. */
static void
test_a_fault_delays(void **state)
{
    enum { N = 40, N_LATE = 10, BYTE_PS = 80 };
    struct fixture *f = *state;
    struct seen seen = {0};
    const struct flow_config config = {
        .flow = 1,
        .pace = {.n_frames = N, .interval = {2 * FRAME_PS, 1}},
        .frame = {.dst_mac = MAC(1), .length_bytes = LENGTH}};
    const struct link_fault late = {.delay_ps = PS_PER_US, .byte_ps = BYTE_PS};
    int64_t last_ps = 0;

    assert_int_equal(host_add_flow(f->hosts[0], &config), ST_OK);
    link_set_tap(f->links[1], 1, &(struct link_tap){see, &seen, false});
    link_set_fault(f->links[1], 1, &late);
    while (seen.n < N_LATE) {
        assert_true(engine_step(fabric_engine(f->fabric)));
    }
    link_set_fault(f->links[1], 1, NULL);
    run(f);
    assert_int_equal(seen.n, N);
    for (size_t i = 0; i < N; i++) {
        const int64_t at_ps =
            seen.end_ps[i] + CABLE_PS + (i < N_LATE ? PS_PER_US : 0);

        assert_int_equal(seen.arrives_ps[i], at_ps > last_ps + FRAME_PS
                                                 ? at_ps
                                                 : last_ps + FRAME_PS);
        last_ps = seen.arrives_ps[i];
    }
    assert_int_equal(seen.arrives_ps[N - 1], seen.end_ps[N - 1] + CABLE_PS);
    assert_int_equal(received(f, 1)->frames, N);
}

#define FABRIC_TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        FABRIC_TEST(test_frame_crosses_two_cables_and_a_switch),
        FABRIC_TEST(test_ends_must_exist_and_have_one_speed),
        FABRIC_TEST(test_link_can_be_taken_down_and_up),
        FABRIC_TEST(test_port_that_is_down_loses_frames),
        FABRIC_TEST(test_fabric_ends_with_frames_under_way),
        FABRIC_TEST(test_frame_counts_when_its_last_bit_has_left),
        FABRIC_TEST(test_settling_ends_with_the_last_transmission),
        FABRIC_TEST(test_listener_hears_of_a_transmission_that_had_begun),
        FABRIC_TEST(test_removed_port_takes_only_what_it_was_sending),
        FABRIC_TEST(test_removed_port_loses_what_it_was_sending),
        FABRIC_TEST(test_a_cut_link_reports_what_was_on_it_in_order),
        FABRIC_TEST(test_a_long_link_reports_what_was_on_it_in_order),
        FABRIC_TEST(test_a_port_that_is_down_reports_what_arrives),
        FABRIC_TEST(test_macsec_refuses_pauses_in_another_form),
        FABRIC_TEST(test_macsec_takes_time_on_the_wire),
        FABRIC_TEST(test_macsec_takes_no_time_of_clear_pauses),
        FABRIC_TEST(test_transmission_ends_in_the_order_of_events),
        FABRIC_TEST(test_seeds_depend_on_fabric_and_number),
        FABRIC_TEST(test_a_fault_clears_marks),
        FABRIC_TEST(test_a_tap_takes_frames),
        FABRIC_TEST(test_a_fault_delays),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
