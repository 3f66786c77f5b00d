/* SPDX-License-Identifier: Apache-2.0 */

#include <config.h>

#include "orchd/daemon/daemon_status.h"

#include <unistd.h>

#include "orchd/daemon/tester_watch.h"
#include "orchd/db/redis.h"
#include "orchd/publish/publish.h"
#include "orchd/reconcile/agent.h"
#include "orchd/switch/switch_identity.h"
#include "orchd/telemetry/polling/counter_group.h"
#include "orchd/telemetry/polling/poller.h"
#include "process/log.h"

#define SWITCH_KEY "ORCHD_SWITCH|global"

/* Returns a text that a user may have given, in any encoding. */
static json_t *
text_json(const char *text)
{
    json_t *json = json_string(text);

    return json ? json : json_string("(not UTF-8)");
}

static json_t *
switch_json(const struct switch_identity *identity)
{
    if (!identity) {
        return json_null();
    }
    return json_pack("{s:b, s:o, s:s, s:o, s:o}", "simulated",
                     identity->simulated, "library",
                     text_json(identity->library), "chip", identity->chip,
                     "chosen", text_json(identity->chosen), "warning",
                     text_json(identity->warning));
}

/* Lists the groups of counters that are polled. */
static json_t *
counters_json(const struct publisher *publisher)
{
    json_t *list = json_array();

    for (size_t i = 0; i < N_COUNTER_GROUPS; i++) {
        const enum counter_group group = (enum counter_group)i;
        struct poller_figures figures;

        poller_figures(publisher_poller(publisher), group, &figures);
        if (figures.enabled) {
            json_array_append_new(
                list, json_pack("{s:s, s:I}", "group",
                                counter_group_info(group)->name, "milliseconds",
                                (json_int_t)(figures.interval_ns / 1000000)));
        }
    }
    return list;
}

json_t *
daemon_status_json(const struct daemon_status_sources *sources)
{
    return json_pack(
        "{s:s, s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:o}", "version",
        PACKAGE_VERSION, "pid", (json_int_t)getpid(), "uptime_seconds",
        (json_int_t)(sources->uptime_ns / 1000000000), "switch",
        switch_json(sources->identity), "last_error",
        text_json(publisher_last_error(sources->publisher)), "counters",
        counters_json(sources->publisher), "history",
        text_json(sources->history), "seccomp", text_json(sources->seccomp),
        "testers", tester_watch_json(sources->testers));
}

void
daemon_status_publish(struct redis *redis,
                      const struct switch_identity *identity)
{
    if (identity) {
        const struct field fields[] = {
            {"kind", identity->simulated ? "SIMULATED" : "libsai"},
            {"library", identity->library},
            {"chip", identity->chip},
            {"chosen", identity->chosen},
            {"warning", identity->warning},
        };

        redis_replace(redis, STATE_DB, SWITCH_KEY, fields,
                      sizeof fields / sizeof *fields);
    } else {
        redis_del(redis, STATE_DB, SWITCH_KEY);
    }
}

void
daemon_status_announce(struct log *log, struct redis *redis,
                       struct agent *agent,
                       const struct switch_identity *identity)
{
    log_write(log, LOG_INFO, "switch-identity", identity->library,
              "%s; chip %s, by %s",
              identity->simulated ? "this switch is SIMULATED"
                                  : "the switch of this libsai",
              *identity->chip ? identity->chip : "unknown", identity->chosen);
    if (*identity->warning) {
        log_write(log, LOG_WARN, "chip-fallback", identity->library, "%s; %s",
                  identity->warning, switch_identity_remedy());
    }
    agent_set_chip_warning(agent, identity->warning);
    daemon_status_publish(redis, identity);
}
