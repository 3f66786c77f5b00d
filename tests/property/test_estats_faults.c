/* SPDX-License-Identifier: Apache-2.0 */

/* The side that RDMA Estats names is that of the fault which was injected.
 *
 * A connection between two hosts under a star of six, with probes of one packet
 * in both directions.  Each case injects one fault of random strength, with a
 * random operation and size, at the sender, the network or the receiver; the
 * rule sees what hosts see (lab/estats/side.h).  At least 95 % of the cases
 * have to name the right side, and healthy connections none.
 *
 * ESTATS_SEED=n takes another first seed, ESTATS_SEEDS=n more cases of each
 * fault.  What is wrong is printed with its scenario. */

#include <config.h>

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "base/text.h"
#include "lab/exec/run_estats_state.h"
#include "lab/measure/results.h"
#include "tests/support/lab_run.h"

enum { SEED = 1, SEEDS = 7, WANTED_PERCENT = 95 };

enum verb { WRITE, SEND, READ, ANY };

/* A case while its scenario is written. */
struct scene {
    struct random random;
    enum verb verb;
    uint32_t size_kib, depth;
    uint32_t stop_ms;
    char keys[3][512];  /* Of all hosts, of the requester, of the responder. */
    char traffic[1024]; /* More of it. */
    char faults[256];
};

enum { ALL, REQUESTER, RESPONDER };

/* Returns the end that sends, or receives, the payload. */
static int
sender_of(const struct scene *scene)
{
    return scene->verb == READ ? RESPONDER : REQUESTER;
}

static int
receiver_of(const struct scene *scene)
{
    return scene->verb == READ ? REQUESTER : RESPONDER;
}

static uint32_t
draw(struct scene *scene, uint32_t low, uint32_t high)
{
    return low + (uint32_t)random_below(&scene->random, high - low + 1);
}

#define KEYS(scene, end, ...)                                                  \
    text_format((scene)->keys[end], sizeof(scene)->keys[end], __VA_ARGS__)
#define TRAFFIC(scene, ...)                                                    \
    text_format((scene)->traffic, sizeof(scene)->traffic, __VA_ARGS__)
#define FAULTS(scene, ...)                                                     \
    text_format((scene)->faults, sizeof(scene)->faults, __VA_ARGS__)

/* Faults ------------------------------------------------------------------- */

static void
healthy(struct scene *scene)
{
    (void)scene;
}

static void
slow_posts(struct scene *scene)
{
    KEYS(scene, REQUESTER, "cpu: {cores: 4, rdma_op: %uus}",
         (unsigned int)draw(scene, 80, 300));
}

static void
busy_cores(struct scene *scene)
{
    KEYS(scene, REQUESTER,
         "cpu: {cores: 4, background: %u%%, background_job: %uus}",
         (unsigned int)draw(scene, 80, 94),
         (unsigned int)draw(scene, 100, 300));
}

static void
slow_polls(struct scene *scene)
{
    KEYS(scene, REQUESTER, "cpu: {cores: 4, rdma_delay: %uus}",
         (unsigned int)draw(scene, 300, 900));
}

/* The adapter of the sender gets more than its PCIe can take: acknowledgements,
 * or requests of READ, wait. */
static void
full_pcie_of_sender(struct scene *scene)
{
    const int end = sender_of(scene);

    KEYS(scene, ALL, "dcqcn: off");
    KEYS(scene, end, "pcie: {generation: 3, lanes: %u}",
         (unsigned int)(1u << draw(scene, 0, 1)));
    TRAFFIC(scene,
            "  - {name: other, priority: 3, rc: {pattern: pairs, from: h-0-2, "
            "to: %s, size: inf, qps: %u}}\n",
            end == REQUESTER ? "h-0-0" : "h-0-1",
            (unsigned int)draw(scene, 1, 4));
}

/* Another flow of the sender is slow, and holds up all in a shared FIFO. */
static void
shared_fifo(struct scene *scene)
{
    const int end = sender_of(scene);

    KEYS(scene, end, "shared_fifo: true");
    TRAFFIC(scene,
            "  - {name: other, priority: 3, rc: {pattern: incast, from: ["
            "h-0-2, h-0-3, h-0-4, %s], to: h-0-5, size: inf, qps: %u}}\n",
            end == REQUESTER ? "h-0-0" : "h-0-1",
            (unsigned int)draw(scene, 2, 4));
}

/* Congestion is over soon, but the sender does not recover. */
static void
slow_recovery(struct scene *scene)
{
    const int end = sender_of(scene);

    KEYS(scene, end,
         "dcqcn: {profile: paper, timer: 1s, byte_reset: 0, ai: 1Mbps}");
    scene->stop_ms = 20;
    TRAFFIC(scene,
            "  - {name: other, priority: 3, rc: {pattern: incast, from: "
            "'h-0-[2..5]', to: %s, size: %uKiB, qps: 2}}\n",
            end == REQUESTER ? "h-0-1" : "h-0-0",
            (unsigned int)draw(scene, 128, 300));
}

static void
incast(struct scene *scene)
{
    TRAFFIC(scene,
            "  - {name: other, priority: 3, rc: {pattern: incast, from: "
            "'h-0-[2..%u]', to: %s, size: inf, qps: %u}}\n",
            (unsigned int)draw(scene, 3, 5),
            receiver_of(scene) == RESPONDER ? "h-0-1" : "h-0-0",
            (unsigned int)draw(scene, 2, 6));
}

static void
incast_with_pauses(struct scene *scene)
{
    incast(scene);
    KEYS(scene, ALL, "dcqcn: off");
}

static void
loss(struct scene *scene)
{
    FAULTS(scene, "{link: h-0-%u.t0-0, loss: 1/%u, at: 1ms}",
           (unsigned int)draw(scene, 0, 1), (unsigned int)draw(scene, 20, 120));
}

static void
damage(struct scene *scene)
{
    FAULTS(scene, "{link: h-0-%u.t0-0, corrupt: 1/%u, at: 1ms}",
           (unsigned int)draw(scene, 0, 1), (unsigned int)draw(scene, 20, 120));
}

static void
delay(struct scene *scene)
{
    FAULTS(scene, "{link: h-0-%u.t0-0, delay: %uus, at: 1ms}",
           (unsigned int)draw(scene, 0, 1), (unsigned int)draw(scene, 80, 400));
}

static void
slow_pcie(struct scene *scene)
{
    KEYS(scene, receiver_of(scene), "pcie: {generation: 3, lanes: %u}",
         (unsigned int)(1u << draw(scene, 0, 1)));
}

static void
misses(struct scene *scene)
{
    KEYS(scene, receiver_of(scene),
         "pcie: {generation: 3, lanes: 8, read_latency: %uns}, "
         "caches: {mtt: 1024, page: 4KiB, region: 1GiB, overlap: 1}",
         (unsigned int)draw(scene, 3000, 6000));
}

static void
no_receives(struct scene *scene)
{
    KEYS(scene, RESPONDER,
         "rc: {receives: %u, rnr_timer: %u, timeout: 8, ack_every: 16, "
         "window: 256KB, rnr_retries: 7}, cpu: {cores: 4, rdma_delay: %uus}",
         (unsigned int)draw(scene, 1, 2), (unsigned int)draw(scene, 8, 13),
         (unsigned int)draw(scene, 200, 600));
    scene->depth = 4;
}

static void
slow_delivery(struct scene *scene)
{
    KEYS(scene, RESPONDER,
         "rc: {receives: 512, timeout: 8, ack_every: 16, window: 256KB}, "
         "cpu: {cores: 4, rdma_delay: %uus}",
         (unsigned int)draw(scene, 400, 900));
}

static void
loopback(struct scene *scene)
{
    const int end = receiver_of(scene);

    KEYS(scene, end, "pcie: {generation: 3, lanes: 4}");
    TRAFFIC(scene,
            "  - {name: other, priority: 3, rc: {pattern: loopback, from: %s, "
            "size: inf, qps: %u}}\n",
            end == REQUESTER ? "h-0-0" : "h-0-1",
            (unsigned int)draw(scene, 2, 6));
}

enum where { NOWHERE, AT_REQUESTER, AT_SENDER, IN_NETWORK, AT_RECEIVER };

static const struct {
    const char *name;
    void (*inject)(struct scene *scene);
    enum where where;
    enum verb verb;
} cases[] = {
    {"healthy", healthy, NOWHERE, ANY},
    {"slow posts", slow_posts, AT_REQUESTER, ANY},
    {"busy cores", busy_cores, AT_REQUESTER, ANY},
    {"slow polls", slow_polls, AT_REQUESTER, ANY},
    {"full PCIe of the sender", full_pcie_of_sender, AT_SENDER, ANY},
    {"shared FIFO", shared_fifo, AT_SENDER, ANY},
    {"slow recovery", slow_recovery, AT_SENDER, ANY},
    {"incast", incast, IN_NETWORK, ANY},
    {"incast, PFC only", incast_with_pauses, IN_NETWORK, ANY},
    {"loss", loss, IN_NETWORK, ANY},
    {"damaged frames", damage, IN_NETWORK, ANY},
    {"delay", delay, IN_NETWORK, ANY},
    {"slow PCIe", slow_pcie, AT_RECEIVER, ANY},
    {"MTT misses", misses, AT_RECEIVER, ANY},
    {"no receives", no_receives, AT_RECEIVER, SEND},
    {"slow delivery", slow_delivery, AT_RECEIVER, SEND},
    {"loopback", loopback, AT_RECEIVER, ANY},
};

#define N_CASES (sizeof cases / sizeof cases[0])

/* Runs --------------------------------------------------------------------- */

static const char *const verbs[] = {"write", "send", "read"};

static const char *
expected(size_t kind, enum verb verb)
{
    switch (cases[kind].where) {
    case NOWHERE:
        return "none";
    case AT_REQUESTER:
        return verb == READ ? "receiver" : "sender";
    case AT_SENDER:
        return "sender";
    case IN_NETWORK:
        return "network";
    default:
        return "receiver";
    }
}

/* Writes the scenario of case 'kind' with 'seed' into 'text'. */
static enum verb
write_scenario(size_t kind, uint64_t seed, struct text *text)
{
    struct scene scene = {.stop_ms = 5};

    random_init(&scene.random, seed * N_CASES + kind);
    scene.verb = cases[kind].verb == ANY
                     ? (enum verb)random_below(&scene.random, ANY)
                     : cases[kind].verb;
    scene.size_kib = 8u << draw(&scene, 0, 3);
    scene.depth = 1u << draw(&scene, 1, 3);
    KEYS(&scene, ALL, "dcqcn: paper");
    cases[kind].inject(&scene);
    text_addf(
        text,
        "name: x\nseed: %" PRIu64 "\n"
        "fabric: {star: {hosts: 6, rate: 40G}, switch: {t0: {config: "
        "t0-32x40g}}}\n"
        "hosts:\n"
        "  default: {cpu: {cores: 4}, pcie: {generation: 3, lanes: 8}, %s,\n"
        "    rx_fifo: {size: 1MB, xoff: 128KB, xon: 64KB},\n"
        "    rc: {timeout: 8, ack_every: 16, window: 256KB}}\n"
        "  groups:\n"
        "    requester: {of: h-0-0%s%s}\n"
        "    responder: {of: h-0-1%s%s}\n"
        "traffic:\n"
        "  - {name: load, priority: 3, rc: {pattern: pairs, from: h-0-0, to: "
        "h-0-1, verb: %s, size: %uKiB, depth: %u, repeat: inf}}\n"
        "  - {name: there, priority: 3, rc: {pattern: pairs, from: h-0-0, to: "
        "h-0-1, size: 64, every: 90us, repeat: inf}}\n"
        "  - {name: back, priority: 3, rc: {pattern: pairs, from: h-0-1, to: "
        "h-0-0, size: 64, every: 70us, repeat: inf}}\n"
        "%sfaults: [%s]\nstop: %ums\n"
        "stop_when_done: false\n"
        "record: {estats: {interval: 1ms, sync: 1ms, drift: 100}}\n",
        seed, scene.keys[ALL], *scene.keys[REQUESTER] ? ", " : "",
        scene.keys[REQUESTER], *scene.keys[RESPONDER] ? ", " : "",
        scene.keys[RESPONDER], verbs[scene.verb], (unsigned int)scene.size_kib,
        (unsigned int)scene.depth, scene.traffic, scene.faults,
        (unsigned int)scene.stop_ms);
    return scene.verb;
}

/* What was found about the load. */
struct found {
    char side[16], reason[80];
    struct text log; /* A line for each interval. */
};

static void
on_side(void *context, const struct sink_side *side)
{
    struct found *found = context;

    if (side->flow != 0) {
        return;
    }
    text_copy(found->side, sizeof found->side, side->side);
    text_copy(found->reason, sizeof found->reason, side->reason);
    text_addf(&found->log,
              "# %d %s (%s) n %u, %.1f us: ideal %.1f, sender %.1f, network "
              "%.1f, receiver %.1f; cnps %u, naks %u, timeouts %u, rnr %u\n",
              (int)side->interval, side->side, side->reason,
              (unsigned int)side->n, (double)side->latency_ps * 1e-6,
              (double)side->ideal_ps * 1e-6, (double)side->sender_ps * 1e-6,
              (double)side->network_ps * 1e-6, (double)side->receiver_ps * 1e-6,
              (unsigned int)side->cnps, (unsigned int)side->naks,
              (unsigned int)side->timeouts, (unsigned int)side->rnr_naks);
}

static void
ignore_counter(void *context, uint32_t node, uint32_t port, uint32_t priority,
               const char *name, uint64_t value)
{
    (void)context;
    (void)node;
    (void)port;
    (void)priority;
    /* T5 is within its bound, in every run. */
    if (!strcmp(name, "clock_beyond")) {
        assert_int_equal(value, 0);
    }
}

/* Runs a case, and returns whether the right side was named. */
static bool
try(size_t kind, uint64_t seed)
{
    struct text text = {0};
    struct found found = {0};
    const enum verb verb = write_scenario(kind, seed, &text);
    const char *wanted = expected(kind, verb);
    struct lab_run *lab = lab_run_create(text_string(&text));
    struct results *results = results_create_forward(
        &(struct results_forward){.counter = ignore_counter});
    bool is_right;

    lab_run_all(lab, 0);
    lab->sink = (struct sink){.side_found = on_side, .context = &found};
    run_estats_report(lab->run, results);
    is_right = !strcmp(found.side, wanted);
    if (!is_right) {
        printf("%s#### %s, seed %" PRIu64 ": %s is named, wanted is %s\n%s\n",
               text_string(&text), cases[kind].name, seed, found.side, wanted,
               text_string(&found.log));
    }
    results_abandon(results);
    lab_run_destroy(lab);
    text_fini(&text);
    text_fini(&found.log);
    return is_right;
}

static uint64_t
setting(const char *name, uint64_t usual)
{
    const char *text = getenv(name);

    return text ? strtoull(text, NULL, 10) : usual;
}

static void
test_the_right_side_is_named(void **state)
{
    const uint64_t first = setting("ESTATS_SEED", SEED);
    const uint64_t seeds = setting("ESTATS_SEEDS", SEEDS);
    uint64_t n_right = 0;

    (void)state;
    for (size_t kind = 1; kind < N_CASES; kind++) {
        uint64_t right = 0;

        for (uint64_t seed = first; seed < first + seeds; seed++) {
            right += try(kind, seed);
        }
        printf("%-24s %3" PRIu64 " of %" PRIu64 "\n", cases[kind].name, right,
               seeds);
        n_right += right;
        /* No kind of fault is beyond the rule. */
        assert_true(right * 3 >= seeds * 2);
    }
    printf("%" PRIu64 " of %" PRIu64 " faults\n", n_right,
           (N_CASES - 1) * seeds);
    assert_true(n_right * 100 >= WANTED_PERCENT * (N_CASES - 1) * seeds);
}

static void
test_nothing_is_named_without_a_fault(void **state)
{
    const uint64_t first = setting("ESTATS_SEED", SEED);
    const uint64_t seeds = setting("ESTATS_SEEDS", SEEDS);

    (void)state;
    for (uint64_t seed = first; seed < first + seeds; seed++) {
        assert_true(try(0, seed));
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_right_side_is_named),
        cmocka_unit_test(test_nothing_is_named_without_a_fault),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
