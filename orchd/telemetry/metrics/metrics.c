/* SPDX-License-Identifier: Apache-2.0 */

/* The daemon itself: rows, plans, SAI, Redis, polling, drift. */

#include <config.h>

#include "orchd/telemetry/metrics/metrics.h"

#include <string.h>

#include "base/text.h"
#include "orchd/db/redis.h"
#include "orchd/publish/publish.h"
#include "orchd/reconcile/agent.h"
#include "orchd/telemetry/metrics/exposition.h"
#include "orchd/telemetry/polling/poller.h"
#include "orchd/watchdog/detection/watchdog.h"
#include "sai/core/metadata.h"

#define NS_PER_S 1e9

static void
counter(struct text *text, const char *name, const char *help, uint64_t value)
{
    exposition_family(text, name, EXPOSITION_COUNTER, help);
    exposition_count(text, name, NULL, 0, value);
}

static void
gauge(struct text *text, const char *name, const char *help, double value)
{
    exposition_family(text, name, EXPOSITION_GAUGE, help);
    exposition_number(text, name, NULL, 0, value);
}

static void
print_agent(struct text *text, const struct metrics_sources *sources)
{
    static const char rows[] = "orchd_rows";
    struct agent_figures figures;

    agent_figures(sources->agent, &figures);
    exposition_family(text, rows, EXPOSITION_GAUGE,
                      "Rows of CONFIG_DB by state.");
    for (int i = 0; i < N_ROW_STATES; i++) {
        const struct label state = {"state", row_state_name((enum row_state)i)};

        exposition_count(text, rows, &state, 1, figures.n_rows[i]);
    }
    counter(text, "orchd_plans_total", "Plans that changed something.",
            figures.n_plans);
    counter(text, "orchd_plan_sai_calls_total", "SAI calls of plans.",
            figures.sai_calls);
    counter(text, "orchd_plan_sai_failures_total",
            "SAI calls of plans that failed.", figures.sai_failures);
    exposition_family(text, "orchd_plan_duration_seconds", EXPOSITION_HISTOGRAM,
                      "Duration of turns that made a plan.");
    durations_print(text, "orchd_plan_duration_seconds", NULL, 0,
                    sources->plans);
    gauge(text, "orchd_drifted_objects",
          "Objects on the ASIC that differ from what orchd set.",
          (double)publisher_n_drifted(sources->publisher));
}

static void
print_redis(struct text *text, const struct metrics_sources *sources)
{
    struct redis_status status;

    redis_status(sources->redis, &status);
    gauge(text, "orchd_redis_up",
          "Whether Redis is connected and CONFIG_DB was read.", status.up);
    counter(text, "orchd_redis_connects_total", "Connections made to Redis.",
            status.n_connects);
    counter(text, "orchd_redis_writes_total", "Commands written to Redis.",
            status.n_writes);
    counter(text, "orchd_redis_dropped_total",
            "Commands not written because Redis was not reachable.",
            status.n_dropped);
    counter(text, "orchd_redis_errors_total", "Commands that Redis refused.",
            status.n_errors);
}

/* The output for SAI calls, and which of the two families is being printed. */
struct calls {
    struct text *text;
    bool failures;
};

static void
print_calls(void *calls_, const struct meter_line *line)
{
    const struct calls *calls = calls_;
    const char *type = metadata_type_name(line->type);
    const struct label labels[] = {{"operation", op_name(line->op)},
                                   {"type", type ? type : "unknown"}};
    struct durations durations = {.count = line->n_calls,
                                  .sum_ns = line->total_ns};

    if (calls->failures) {
        exposition_count(calls->text, "orchd_sai_failures_total", labels, 2,
                         line->n_failures);
        return;
    }
    memcpy(durations.within, line->within, sizeof durations.within);
    durations_print(calls->text, "orchd_sai_call_duration_seconds", labels, 2,
                    &durations);
}

static void
print_sai(struct text *text, const struct meter *meter)
{
    struct calls calls = {text, false};

    exposition_family(text, "orchd_sai_call_duration_seconds",
                      EXPOSITION_HISTOGRAM, "Duration of SAI calls.");
    meter_each(meter, print_calls, &calls);
    calls.failures = true;
    exposition_family(text, "orchd_sai_failures_total", EXPOSITION_COUNTER,
                      "SAI calls that failed.");
    meter_each(meter, print_calls, &calls);
}

/* Returns one of the statistics of a group. */
static double
poll_number(const struct poller_figures *figures, int which)
{
    switch (which) {
    case 0:
        return figures->enabled ? (double)figures->interval_ns / NS_PER_S : 0;
    case 1:
        return (double)figures->n_rounds;
    case 2:
        return (double)figures->n_reads;
    default:
        return (double)figures->n_failures;
    }
}

static void
print_polling(struct text *text, const struct poller *poller)
{
    static const struct {
        const char *name, *help;
        enum exposition_type type;
    } families[] = {
        {"orchd_poll_interval_seconds",
         "Polling interval of a group of counters; 0: it is disabled.",
         EXPOSITION_GAUGE},
        {"orchd_poll_rounds_total", "Complete rounds over a group.",
         EXPOSITION_COUNTER},
        {"orchd_poll_reads_total", "Objects read of a group.",
         EXPOSITION_COUNTER},
        {"orchd_poll_failures_total", "Objects that could not be read.",
         EXPOSITION_COUNTER},
    };

    for (int f = 0; f < 4; f++) {
        exposition_family(text, families[f].name, families[f].type,
                          families[f].help);
        for (int i = 0; i < N_COUNTER_GROUPS; i++) {
            const enum counter_group group = (enum counter_group)i;
            const struct label label = {"group",
                                        counter_group_info(group)->name};
            struct poller_figures figures;

            poller_figures(poller, group, &figures);
            exposition_number(text, families[f].name, &label, 1,
                              poll_number(&figures, f));
        }
    }
}

/* Prints a family of the watchdog, for queues that were ever in a storm. */
static void
print_storms(struct text *text, struct watchdog *watchdog, bool count)
{
    const char *name =
        count ? "orchd_pfc_storms_total" : "orchd_pfc_storm_active";

    exposition_family(
        text, name, count ? EXPOSITION_COUNTER : EXPOSITION_GAUGE,
        count ? "Storms that the PFC watchdog or the switch has detected."
              : "Whether the PFC watchdog sees a queue in a storm.");
    for (const struct watchdog_queue *queue = watchdog_queues(watchdog); queue;
         queue = queue->next) {
        const bool active = watchdog_stormed(queue);
        char index[12];
        const struct label labels[] = {{"port", queue->port}, {"queue", index}};

        if (queue->account.detected || active) {
            text_format(index, sizeof index, "%u", queue->index);
            exposition_count(text, name, labels, 2,
                             count ? queue->account.detected : active);
        }
    }
}

void
metrics_print(struct text *text, const struct metrics_sources *sources)
{
    const struct label version = {"version", PACKAGE_VERSION};

    exposition_family(text, "orchd_build_info", EXPOSITION_GAUGE,
                      "Always 1; the label has the version.");
    exposition_count(text, "orchd_build_info", &version, 1, 1);
    gauge(text, "orchd_start_time_seconds", "When orchd started.",
          (double)sources->started / NS_PER_S);
    print_agent(text, sources);
    print_redis(text, sources);
    gauge(text, "orchd_switch_up",
          "Whether there is a switch; while there is none, rows wait.",
          sources->meter != NULL);
    if (sources->meter) {
        print_sai(text, sources->meter);
    }
    print_polling(text, publisher_poller(sources->publisher));
    metrics_print_counters(text, sources);
    metrics_print_pauses(text, sources);
    print_storms(text, agent_watchdog(sources->agent), true);
    print_storms(text, agent_watchdog(sources->agent), false);
}
