/* SPDX-License-Identifier: Apache-2.0 */

/* What the PFC watchdog costs on a large switch: 512 ports with two watched
 * queues each, polled every 100 ms of the time of softasic, with all that a
 * poll is in the daemon but Redis, to which nothing is written while nothing
 * happens.  SAI calls, and what the switch does in them, are part of it; the
 * time that passes in between is not. */

#include <config.h>

#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "base/text.h"
#include "offline/offline_watchdog.h"
#include "offline/pipeline.h"
#include "orchd/reconcile/agent.h"
#include "orchd/watchdog/pfcwd.h"
#include "sai/stack/journal.h"
#include "tests/bench/measure.h"
#include "vendors/softasic/softasic.h"

enum { N_PORTS = 512, N_POLLS = 200, POLL_MS = 100 };

#define PS_PER_MS INT64_C(1000000000)

static void
print(const char *mode, const char *what, double value, const char *unit)
{
    printf("{\"bench\": \"pfcwd\", \"params\": {\"ports\": %d, \"queues\": %d, "
           "\"detection\": \"%s\", \"figure\": \"%s\"}, \"value\": %.3f, "
           "\"unit\": \"%s\"}\n",
           N_PORTS, 2 * N_PORTS, mode, what, value, unit);
}

static void
must(enum st status, const struct err *err)
{
    if (status) {
        fprintf(stderr, "bench_pfcwd: %s\n", err->reason);
    }
    orch_assert(status == ST_OK);
}

static void
put(struct pipeline *local, const char *table, unsigned int port,
    const struct field *fields, size_t n)
{
    char key[64];
    const struct field_row row = {key, fields, n};

    text_format(key, sizeof key, "%s|Ethernet%u", table, port);
    orch_assert(pipeline_put_row(local, &row));
}

static void
put_rows(struct pipeline *local)
{
    static const struct field map[] = {{"pfc_enable", "3,4"},
                                       {"pfcwd_sw_enable", "3,4"}};
    static const struct field watch[] = {{"action", "drop"},
                                         {"detection_time", "200"},
                                         {"restoration_time", "400"}};

    for (unsigned int i = 0; i < N_PORTS; i++) {
        char lane[16];
        const struct field port[] = {
            {"admin_status", "up"}, {"lanes", lane}, {"speed", "100000"}};

        text_format(lane, sizeof lane, "%u", i + 1);
        put(local, "PORT", i, port, 3);
        put(local, "PORT_QOS_MAP", i, map, 2);
        put(local, "PFC_WD", i, watch, 3);
    }
}

/* Polls, and prints what that takes. */
static void
measure(const char *mode, struct offline_watchdog *watch,
        const struct softasic_ops *softasic)
{
    static double polls_ns[N_POLLS];
    double all_ns = 0, begin_ns;

    for (int i = 0; i < N_POLLS; i++) {
        orch_assert(!softasic->run(POLL_MS * PS_PER_MS));
        begin_ns = measure_cpu_ns();
        offline_watchdog_catch_up(watch);
        polls_ns[i] = measure_cpu_ns() - begin_ns;
        all_ns += polls_ns[i];
    }
    print(mode, "poll", measure_median(polls_ns, N_POLLS) / 1e6, "ms");
    print(mode, "share of a core", all_ns / N_POLLS / (POLL_MS * 1e6) * 100,
          "%");
}

static void
bench(bool guarded)
{
    const struct loader_pair profile[] = {{"SOFTASIC_MODEL", "generic"},
                                          {"SOFTASIC_MODEL_DIR", CHIPS}};
    const struct pipeline_options options = {.yang_dir = SCHEMA_DIR,
                                             .sai = LIBSAI,
                                             .profile = profile,
                                             .n_profile = 2};
    struct offline_watchdog watch = {0};
    struct pipeline *local;
    struct err err;

    must(pipeline_create(&options, &local, &err), &err);
    put_rows(local);
    must(pipeline_start(local, &err), &err);
    offline_watchdog_start(&watch, local,
                           journal_backend(pipeline_journal(local)),
                           pipeline_softasic(local), NULL);
    if (guarded) {
        pfcwd_use_hardware(watch.pfcwd);
    }
    offline_watchdog_settle(&watch);
    measure(guarded ? "hardware" : "software", &watch,
            pipeline_softasic(local));
    offline_watchdog_fini(&watch);
    pipeline_destroy(local);
}

int
main(void)
{
    bench(false);
    bench(true);
    return 0;
}
