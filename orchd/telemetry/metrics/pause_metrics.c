/* SPDX-License-Identifier: Apache-2.0 */

/* Metrics of PFC frames and of pauses. */

#include <config.h>

#include "base/pfc.h"
#include "base/text.h"
#include "orchd/publish/publish.h"
#include "orchd/telemetry/metrics/exposition.h"
#include "orchd/telemetry/metrics/metrics.h"
#include "orchd/telemetry/polling/poller.h"
#include "orchd/telemetry/port_rates.h"

#define US_PER_S 1e6

/* The metrics of a history. */
enum part { SECONDS, PAUSES, LONGEST, RATIO, HISTOGRAM, N_PARTS };

static const struct {
    const char *name, *help;
    enum exposition_type type;
} families[N_PARTS] = {
    [SECONDS] = {"orchd_port_pause_seconds_total",
                 "Time for which a priority was paused.", EXPOSITION_COUNTER},
    [PAUSES] = {"orchd_port_pauses_total", "Pauses that ended.",
                EXPOSITION_COUNTER},
    [LONGEST] = {"orchd_port_pause_longest_seconds", "The longest pause.",
                 EXPOSITION_GAUGE},
    [RATIO] = {"orchd_port_pause_ratio",
               "Share of the last polling interval that was paused.",
               EXPOSITION_GAUGE},
    [HISTOGRAM] = {"orchd_port_pause_duration_seconds",
                   "Durations of pauses; those that ended in the same "
                   "polling interval count as their mean.",
                   EXPOSITION_HISTOGRAM},
};

struct metric_output {
    struct text *text;
    const struct port_rates *ports;
    enum part part;
};

static void
print_histogram(struct text *text, const char *name, const struct label *labels,
                size_t n, const struct pause_history *history)
{
    static const uint64_t bounds_us[PAUSE_BUCKETS - 1] = PAUSE_BOUNDS_US;
    double bounds[PAUSE_BUCKETS - 1];
    uint64_t within[PAUSE_BUCKETS - 1], sum = 0;
    const struct exposition_histogram histogram = {
        bounds, within, PAUSE_BUCKETS - 1, history->n,
        (double)history->sum_us / US_PER_S};

    for (int i = 0; i < PAUSE_BUCKETS - 1; i++) {
        bounds[i] = (double)bounds_us[i] / US_PER_S;
        sum += history->buckets[i];
        within[i] = sum;
    }
    exposition_histogram(text, name, labels, n, &histogram);
}

/* Prints one metric of one history if there was any pause. */
static void
print_history(const struct metric_output *output, const char *port,
              int priority, const char *direction,
              const struct pause_history *history)
{
    const char *name = families[output->part].name;
    char number[4];
    const struct label labels[] = {
        {"port", port},
        {"priority", number},
        {"direction", direction},
        {"estimated", history->us_estimated ? "true" : "false"},
    };

    if (!history->recent_ns) {
        return;
    }
    text_format(number, sizeof number, "%d", priority);
    switch (output->part) {
    case SECONDS:
        exposition_number(output->text, name, labels, 4,
                          (double)history->us / US_PER_S);
        break;
    case PAUSES:
        exposition_count(output->text, name, labels, 4, history->n);
        break;
    case LONGEST:
        exposition_number(output->text, name, labels, 4,
                          (double)history->longest_us / US_PER_S);
        break;
    case RATIO:
        exposition_number(output->text, name, labels, 4,
                          (double)history->share_ppm / 1e6);
        break;
    case HISTOGRAM:
        print_histogram(output->text, name, labels, 4, history);
        break;
    case N_PARTS:
        break;
    }
}

static void
print_port(void *output_, const struct polled_object *port)
{
    const struct metric_output *output = output_;
    const struct port_sums *sums = port_rates_get(output->ports, port->id.oid);

    for (int i = 0; sums && i < PFC_N_PRIORITIES; i++) {
        print_history(output, port->id.name, i, "received", &sums->received[i]);
        print_history(output, port->id.name, i, "sent", &sums->sent[i]);
    }
}

/* Prints how many PFC frames a port has received and sent, if any. */
static void
print_frames(void *text, const struct polled_object *port)
{
    static const char *const directions[] = {"received", "sent"};

    for (int i = 0; i < 2 * PFC_N_PRIORITIES; i++) {
        const bool sent = i % 2;
        char number[4];
        const struct label labels[] = {{"port", port->id.name},
                                       {"priority", number},
                                       {"direction", directions[sent]}};
        uint64_t value;

        text_format(number, sizeof number, "%d", i / 2);
        if (port_rates_frames(port, i / 2, sent, &value) && value) {
            exposition_count(text, "orchd_port_pfc_frames_total", labels, 3,
                             value);
        }
    }
}

void
metrics_print_pauses(struct text *text, const struct metrics_sources *sources)
{
    const struct poller *poller = publisher_poller(sources->publisher);
    struct metric_output output = {text, publisher_ports(sources->publisher),
                                   SECONDS};

    exposition_family(text, "orchd_port_pfc_frames_total", EXPOSITION_COUNTER,
                      "PFC frames that begin or end pauses.");
    poller_each(poller, SAI_OBJECT_TYPE_PORT, print_frames, text);
    for (int i = 0; i < N_PARTS; i++) {
        output.part = (enum part)i;
        exposition_family(text, families[i].name, families[i].type,
                          families[i].help);
        poller_each(poller, SAI_OBJECT_TYPE_PORT, print_port, &output);
    }
}
