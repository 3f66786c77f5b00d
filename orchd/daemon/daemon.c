/* SPDX-License-Identifier: Apache-2.0 */

/* Creates the parts, connects them with callbacks, and runs the turns.
 *
 * A switch that fails ends the parts: daemon_run() creates them again and
 * starts over.  The loop, the log, a private Redis and the notification queue
 * survive that. */

#include <config.h>

#include "orchd/daemon/daemon.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/check.h"
#include "base/status.h"
#include "orchd/control/control.h"
#include "orchd/daemon/apply_settings.h"
#include "orchd/daemon/chip_rows.h"
#include "orchd/daemon/clocks.h"
#include "orchd/daemon/counters_json.h"
#include "orchd/daemon/daemon_http.h"
#include "orchd/daemon/daemon_redis.h"
#include "orchd/daemon/daemon_reload.h"
#include "orchd/daemon/daemon_service.h"
#include "orchd/daemon/daemon_state.h"
#include "orchd/daemon/daemon_status.h"
#include "orchd/daemon/daemon_watchdog.h"
#include "orchd/daemon/drop_reasons.h"
#include "orchd/daemon/feed.h"
#include "orchd/daemon/provider.h"
#include "orchd/daemon/provider_kinds.h"
#include "orchd/daemon/settings.h"
#include "orchd/daemon/startup.h"
#include "orchd/daemon/tester_watch.h"
#include "orchd/daemon/writeback.h"
#include "orchd/db/redis.h"
#include "orchd/db/spawn.h"
#include "orchd/derive/derive.h"
#include "orchd/derive/dynamic_state.h"
#include "orchd/derive/explanation.h"
#include "orchd/history/burst.h"
#include "orchd/history/history.h"
#include "orchd/http/http_server.h"
#include "orchd/intent/schema.h"
#include "orchd/page/page.h"
#include "orchd/publish/publish.h"
#include "orchd/reconcile/agent.h"
#include "orchd/switch/switch_create.h"
#include "orchd/switch/switch_identity.h"
#include "orchd/telemetry/metrics/metrics.h"
#include "orchd/telemetry/polling/poller.h"
#include "orchd/telemetry/port_rates.h"
#include "orchd/watchdog/storm_rows.h"
#include "process/event_log.h"
#include "process/log.h"
#include "process/loop.h"
#include "process/notify.h"
#include "process/socket.h"
#include "process/user.h"
#include "process/wallclock.h"
#include "sai/stack/chain.h"
#include "sai/stack/notifications.h"
#include "twin/chip/chip.h"
#include "twin/chip/yaml/chip_file.h"
#include "vendors/softasic/softasic.h"

/* SAI calls per turn: enough that a plan is rarely split, few enough that orchd
 * serves Redis and orchctl in between. */
#define BUDGET 2000

/* How often in a row orchd starts over with a switch that it cannot use. */
#define MAX_UNUSABLE 5

/* Rows that are explained per turn. */
#define EXPLAIN_BUDGET 64

/* Counters and the watchdog for orchctl show; see struct control_services. */

static json_t *
list_pauses(void *daemon_, const char *name)
{
    struct daemon *daemon = daemon_;

    return counters_json_pauses(daemon->publisher, name);
}

static bool
is_recent(void *daemon_, sai_object_type_t type, sai_stat_id_t id)
{
    const struct daemon *daemon = daemon_;

    return daemon->provider->ops->is_recent(daemon->provider, type, id);
}

static json_t *
list_drops(void *daemon_, const char *name)
{
    struct daemon *daemon = daemon_;

    return counters_json_drops(daemon->publisher, name);
}

static json_t *
list_watchdog(void *daemon_, const char *name)
{
    const struct daemon *daemon = daemon_;

    return daemon_watchdog_list(daemon->watchdog, name);
}

static void
add_storms(void *daemon_, const char *port, unsigned int index,
           sai_object_id_t queue, json_t *counters)
{
    const struct daemon *daemon = daemon_;

    daemon_watchdog_add_counters(daemon->watchdog, port, index, queue,
                                 counters);
}

/* Returns what is wrong with the history, "" if nothing is. */
static const char *
describe_history(const struct daemon *daemon)
{
    const char *trouble =
        daemon->history ? history_trouble(daemon->history) : "";

    return *trouble ? trouble : daemon->history_trouble.reason;
}

static json_t *
describe_status(void *daemon_)
{
    const struct daemon *daemon = daemon_;
    const struct daemon_status_sources sources = {
        .identity = daemon_identity(daemon),
        .publisher = daemon->publisher,
        .history = describe_history(daemon),
        .seccomp = daemon->confinement.text,
        .testers = daemon->testers,
        .uptime_ns = loop_wall(daemon->loop) - daemon->started,
    };

    return daemon_status_json(&sources);
}

static json_t *
list_watermarks(void *daemon_, const char *name)
{
    struct daemon *daemon = daemon_;

    return counters_json_watermarks(daemon->publisher, name);
}

/* "orchctl config resume". */
static void
on_resume(void *daemon_)
{
    struct daemon *daemon = daemon_;

    feed_resume(daemon->feed);
}

/* A pfcwd_clock_fn, and of a struct poller_clock: returns the time of the twin,
 * or of the host if the libsai is another one. */
static int64_t
switch_now(void *daemon_)
{
    const struct daemon *daemon = daemon_;
    int64_t now_ps = 0;

    if (!daemon->soft) {
        return clocks_read(CLOCK_MONOTONIC);
    }
    (void)daemon->soft->now(&now_ps);
    return now_ps / 1000;
}

/* The ports of the new switch cannot be read.  One that would report a failure
 * does that; else it has failed before it could be asked to, and orchd starts
 * over, though not again and again: the library may be wrong. */
static void
handle_unusable(struct daemon *daemon, bool reports)
{
    if (!reports && daemon->n_unusable < MAX_UNUSABLE) {
        daemon->n_unusable++;
        daemon->lost = true;
        loop_stop(daemon->loop);
    }
}

/* Attaches the new switch to all parts that work with it. */
static void
attach(struct daemon *daemon, const struct provider_switch *asic)
{
    struct provider *provider = daemon->provider;
    struct sai_backend *backend = chain_backend(asic->chain);
    const struct poller_clock clock = {switch_now, daemon};
    struct drop_source drops;
    struct err err;

    if (asic->reports_storms) {
        daemon_watchdog_use_hardware(daemon->watchdog);
    }
    drop_reasons_source(asic->soft, &drops);
    tester_watch_attach(daemon->testers, asic->testers_symbol);
    daemon->soft = asic->soft;
    publisher_attach(daemon->publisher, backend, &drops,
                     asic->soft ? &clock : NULL);
    /* Ongoing storms take effect before the first plan. */
    agent_take_in(daemon->agent, loop_now(daemon->loop));
    if (!provider_kinds_get(daemon->settings)->counted_by_others) {
        daemon_watchdog_attach(daemon->watchdog, backend,
                               settings_storm_rule(daemon->settings),
                               switch_now, daemon, asic->soft != NULL);
    }
    if (provider->ops->find_chip(provider, &daemon->chip, &err)) {
        log_write(daemon->log, LOG_INFO, "chip-unknown", "",
                  "config lint skips checks that need the chip description: "
                  "%s",
                  err.reason);
    }
    provider->ops->identify(provider, daemon->chip, &daemon->identity);
    daemon_status_announce(daemon->log, daemon->redis, daemon->agent,
                           &daemon->identity);
    if (daemon->chip && !chip_rows_have_base(daemon->chip_rows)) {
        struct dynamic_state_chip parameters;

        switch_create_parameters(daemon->chip, &parameters);
        chip_rows_set_base(daemon->chip_rows, &parameters, NULL);
    }
    agent_set_pools_reserve(daemon->agent,
                            daemon->chip && daemon->chip->pools_reserve);
    if (daemon->chip) {
        agent_set_trimming(daemon->agent, &daemon->chip->trimming);
    }
    control_attach(daemon->control, asic->chain, asic->soft, daemon->chip);
    agent_set_hwsku(daemon->agent, provider->ops->hwsku(provider));
    if (agent_attach(daemon->agent, backend, &err)) {
        log_write(daemon->log, LOG_ERROR, err.code, "", "%s", err.reason);
        handle_unusable(daemon, asic->reports_failure);
    } else {
        daemon->n_unusable = 0;
    }
}

/* Handles a notification that the link of 'port' is up or down. */
static void
handle_link(struct daemon *daemon, sai_object_id_t port, bool up)
{
    const char *name = publisher_link(daemon->publisher, port, up);

    if (name) {
        log_write(daemon->log, LOG_INFO, up ? "link-up" : "link-down", name,
                  "the link is %s", up ? "up" : "down");
    }
}

/* Handles the notifications of the switch.  No SAI call can repair a switch
 * that has failed: the loop ends, and daemon_run() starts over. */
static void
handle_notifications(struct daemon *daemon)
{
    struct notification event;

    while (notifications_take(daemon->notifications, &event)) {
        if (event.kind == NOTIFICATION_SWITCH &&
            event.event == SAI_SWITCH_OPER_STATUS_FAILED && !daemon->lost) {
            daemon->lost = true;
            loop_stop(daemon->loop);
        } else if (event.kind == NOTIFICATION_PORT) {
            handle_link(daemon, event.oid,
                        event.event == SAI_PORT_OPER_STATUS_UP);
        } else if (event.kind == NOTIFICATION_QUEUE) {
            daemon_watchdog_deadlock(
                daemon->watchdog, event.oid,
                event.event == SAI_QUEUE_PFC_DEADLOCK_EVENT_TYPE_DETECTED);
        } else if (event.kind == NOTIFICATION_TESTER && !daemon->lost) {
            tester_watch_update(daemon->testers);
        }
    }
}

/* Returns whether the agent has programmed all rows, and no removals are held
 * back. */
static bool
is_settled(const struct daemon *daemon)
{
    return agent_settled(daemon->agent) &&
           !intent_withheld(agent_intent(daemon->agent));
}

/* Implements redis_done_fn.  Without a connection the rows of the next complete
 * reading continue the burst. */
static void
on_quiet_read(void *daemon_, enum st status, const struct err *err)
{
    const struct daemon *daemon = daemon_;

    (void)err;
    if (!status) {
        burst_read(daemon->burst);
    }
}

/* Implements burst_quiet_fn. */
static void
on_quiet(void *daemon_)
{
    struct daemon *daemon = daemon_;

    redis_barrier(daemon->redis, on_quiet_read, daemon);
}

/* Adds a generation to the history once all of it is programmed.  A change that
 * the agent has no use for, such as a field that orchd does not know, gets the
 * next number. */
static void
note_generation(struct daemon *daemon, uint64_t generation)
{
    char time[WALLCLOCK_SIZE];
    char *comment;
    struct err err;
    enum st status;

    if (!daemon->history || !burst_is_over(daemon->burst, is_settled(daemon))) {
        return;
    }
    if (generation <= history_generation(daemon->history)) {
        generation = history_generation(daemon->history) + 1;
        agent_set_generation(daemon->agent, generation);
    }
    comment = burst_take_comment(daemon->burst);
    wallclock_format(clocks_read(CLOCK_REALTIME), time);
    status = history_note(daemon->history, generation, time, &err);
    if (!status && comment) {
        status = history_comment(daemon->history, generation, comment, &err);
    }
    if (status) {
        log_write(daemon->log, LOG_ERROR, err.code, "", "%s", err.reason);
    }
    free(comment);
}

/* Returns the state that control commands report. */
static struct control_state
get_control_state(const struct daemon *daemon)
{
    struct control_state state = {
        .coming = daemon->provider->ops->is_coming(daemon->provider),
        .hold = feed_hold(daemon->feed),
        .withheld = intent_withheld(agent_intent(daemon->agent)),
        .trouble = daemon->provider->ops->trouble(daemon->provider),
        .refused = chip_rows_trouble(daemon->chip_rows),
        .written = daemon->written,
        .read_generation = daemon->read_generation,
        .poll_ns = daemon_watchdog_next(daemon->watchdog),
        .catching_up = daemon_watchdog_catching_up(daemon->watchdog),
    };

    state.coming |= state.withheld && feed_is_opening(daemon->feed);
    return state;
}

/* A row that a previous run has written is not user-owned: removes it from
 * intent and from the history. */
static void
on_adopted(void *daemon_, enum table table, const char *key)
{
    struct daemon *daemon = daemon_;

    feed_row(daemon->feed, table, key, NULL, 0);
    daemon_remember_row(daemon, table, key, NULL, 0);
}

/* Publishes the explanations of some rows that have changed, while there is
 * nothing more urgent to do.  Returns whether there may be more. */
static bool
explain(struct daemon *daemon)
{
    enum table table;
    const char *key;

    for (size_t i = 0; i < EXPLAIN_BUDGET; i++) {
        struct explanation explanation;

        if (!agent_take_unexplained(daemon->agent, &table, &key)) {
            return false;
        }
        publisher_explain(
            daemon->publisher, table, key,
            agent_explain(daemon->agent, table, key, 0, &explanation)
                ? &explanation
                : NULL);
    }
    return true;
}

/* "orchctl config-file reload" and "orchctl show settings". */
static json_t *
reload_settings(void *daemon_)
{
    return daemon_reload(daemon_);
}

static json_t *
show_settings(void *daemon_)
{
    return daemon_reload_show(daemon_);
}

/* SIGHUP: reads the configuration file, and the files that the settings name,
 * again.  The next turn uses what they contain. */
static void
on_hangup(void *daemon_)
{
    struct daemon *daemon = daemon_;

    notify_reloading(daemon->notify, loop_now(daemon->loop));
    json_decref(daemon_reload(daemon));
    notify_reloaded(daemon->notify, loop_now(daemon->loop));
}

/* Logs once that lossless profiles come from a table that the user has not
 * configured. */
static void
note_lookup(struct daemon *daemon)
{
    struct derive_lookup lookup;
    bool shipped;

    agent_get_lookup(daemon->agent, &lookup);
    shipped = lookup.shipped && !lookup.dynamic;
    if (shipped && !daemon->uses_shipped) {
        log_write(daemon->log, LOG_INFO, "lookup-shipped", lookup.hwsku,
                  "lossless profiles come from the lookup table that orchd "
                  "has for this hwsku (%zu entries); --set lookup_file=FILE "
                  "uses another one",
                  lookup.n);
    }
    daemon->uses_shipped = shipped;
}

/* Lets the agent work, and measures the turns in which it makes a plan. Returns
 * whether it has more to do. */
static bool
work(struct daemon *daemon, int64_t now)
{
    const int64_t begin = clocks_read(CLOCK_MONOTONIC);
    struct agent_figures before, after;
    bool more;

    agent_figures(daemon->agent, &before);
    more = agent_turn(daemon->agent, now, BUDGET);
    agent_figures(daemon->agent, &after);
    if (after.n_plans != before.n_plans) {
        durations_add(&daemon->plans, clocks_read(CLOCK_MONOTONIC) - begin);
    }
    return more;
}

/* Runs one turn.  The order matters: the publisher writes what the agent did in
 * this turn, and only then control answers the clients that waited for it. */
static bool
on_turn(void *daemon_, int64_t now)
{
    struct daemon *daemon = daemon_;
    struct agent_figures agent;
    struct publisher_figures figures;
    struct provider *provider = daemon->provider;
    struct provider_switch asic;
    struct control_state state;
    const struct err *absence;
    bool more;

    handle_notifications(daemon);
    if (daemon->lost) {
        return false;
    }
    redis_turn(daemon->redis);
    /* A plan of a part of CONFIG_DB would derive values that the rest of it
     * changes again, on a switch that forwards. */
    if (daemon->read && chip_rows_known(daemon->chip_rows) &&
        publisher_names_known(daemon->publisher) &&
        daemon_watchdog_know_past(daemon->watchdog) &&
        provider->ops->turn(provider, &asic)) {
        attach(daemon, &asic);
    }
    absence = provider->ops->absence(provider);
    agent_set_absence(daemon->agent, absence);
    more = work(daemon, now);
    note_lookup(daemon);
    more |= daemon_watchdog_turn(daemon->watchdog, more);
    agent_figures(daemon->agent, &agent);
    figures.config_generation = agent.generation;
    figures.applied_generation = agent.applied_generation;
    figures.occupied_bytes = agent.occupied_bytes;
    figures.shared_headroom = agent.shared_headroom;
    figures.sai_calls = agent.sai_calls;
    figures.sai_failures = agent.sai_failures;
    figures.hold = feed_hold(daemon->feed);
    figures.no_switch = absence != NULL;
    note_generation(daemon, agent.generation);
    more |= provider->ops->turn_end(provider, !*feed_hold(daemon->feed) &&
                                                  is_settled(daemon));
    if (daemon->writeback && agent_settled(daemon->agent)) {
        writeback_adopt(daemon->writeback, daemon->agent, on_adopted, daemon);
    }
    more = more || explain(daemon);
    more |= publisher_turn(daemon->publisher, &figures);
    redis_flush(daemon->redis);
    state = get_control_state(daemon);
    more |= control_turn(daemon->control, &state);
    daemon_service_turn(daemon, &state, now);
    return more;
}

/* Creates the PFC watchdog. */
static void
create_watchdog(struct daemon *daemon)
{
    const struct daemon_watchdog_options options = {
        .loop = daemon->loop,
        .log = log_get_module(daemon->log, "watchdog"),
        .redis = daemon->redis,
        .agent = daemon->agent,
        .publisher = daemon->publisher,
        .orders = daemon->settings->input == SETTINGS_INPUT_APPL_DB,
    };

    daemon->watchdog = daemon_watchdog_create(&options);
}

/* Collects the Redis channels that the parts listen to. */
static const char *const *
all_channels(struct daemon *daemon)
{
    size_t n = 0;

    for (; publisher_channels[n]; n++) {
        orch_assert(n + 2 < sizeof daemon->channels / sizeof(char *));
        daemon->channels[n] = publisher_channels[n];
    }
    daemon->channels[n] = STORM_ROWS_CHANNEL;
    return daemon->channels;
}

/* Opens what the parts need: files, schema, database, history. */
static enum st
open_sources(struct daemon *daemon, struct redis_options *redis,
             struct err *err)
{
    const struct settings *settings = daemon->settings;
    enum st status = startup_check_files(settings, err);

    if (!status) {
        status = schema_create(settings->yang_dir, &daemon->schema, err);
    }
    if (!status) {
        status = startup_dbconfig(settings, &redis->dbconfig, err);
    }
    if (!status) {
        status = startup_redis(settings, &redis->dbconfig, daemon->loop,
                               log_get_module(daemon->log, "redis"),
                               &redis->endpoint, &daemon->spawn, err);
        redis->is_private = daemon->spawn != NULL;
    }
    if (!status && settings->state_dir) {
        startup_history(settings->state_dir, daemon->log, &daemon->history,
                        &daemon->history_trouble);
    }
    if (daemon->history) {
        daemon->burst = burst_create(loop_timeline(daemon->loop),
                                     daemon->history, on_quiet, daemon);
    }
    return status;
}

/* A vendor_note_fn. */
static void
on_library_note(void *daemon_, const char *code, const char *text)
{
    struct daemon *daemon = daemon_;

    log_write(daemon->log, LOG_INFO, code, daemon->settings->sai, "%s", text);
}

/* Creates the parts between the database and SAI, and the publisher. */
static enum st
make_flow(struct daemon *daemon, const struct redis_options *redis,
          struct err *err)
{
    const struct settings *settings = daemon->settings;
    const struct loader_options loader = {
        .path = daemon->settings->sai,
        .profile = settings->profile.list,
        .n_profile = settings->profile.n,
        .allow_unversioned = settings->sai_unversioned,
        .note = on_library_note,
        .note_context = daemon,
    };
    struct dynamic_state_chip parameters = {0};
    enum st status;

    daemon->reading = daemon->read = daemon->written = false;
    daemon->redis =
        redis_create(daemon->loop, log_get_module(daemon->log, "redis"), redis,
                     &daemon_redis_listener, daemon);
    daemon->publisher = publisher_create(
        daemon->loop, log_get_module(daemon->log, "publish"), daemon->redis);
    if (settings->compat) {
        publisher_want_maps(daemon->publisher);
    }
    if (settings->writeback) {
        daemon->writeback = writeback_create(daemon->redis);
        publisher_listen_rows(daemon->publisher, writeback_status,
                              daemon->writeback);
    }
    daemon->agent =
        agent_create(daemon->schema, loop_timeline(daemon->loop),
                     publisher_listener(daemon->publisher), settings->strict);
    if (daemon->history && !daemon->generation) {
        daemon->generation = history_generation(daemon->history);
    }
    agent_set_generation(daemon->agent, daemon->generation);
    daemon->testers = tester_watch_create(log_get_module(daemon->log, "sai"));
    daemon_reload_drift(daemon);
    create_watchdog(daemon);
    daemon->chip_rows = chip_rows_create(daemon->loop, daemon->log,
                                         daemon->redis, daemon->agent);
    status = settings_apply(settings, switch_create_chips(&loader),
                            daemon->agent, &parameters, err);
    if (status) {
        return status;
    }
    if (parameters.known) {
        chip_rows_set_base(daemon->chip_rows, &parameters,
                           settings->asic_table);
    }
    daemon->feed =
        feed_create(daemon->loop, daemon->log, agent_intent(daemon->agent));
    daemon->provider =
        provider_kinds_get(settings)->create(&(struct provider_options){
            .settings = settings,
            .loader = &loader,
            .loop = daemon->loop,
            .log = log_get_module(daemon->log, "sai"),
            .agent = daemon->agent,
            .publisher = daemon->publisher,
            .redis = daemon->redis,
            .notifications = daemon->notifications,
        });
    return ST_OK;
}

static void
add_setting(void *list, const struct settings_row *row)
{
    if (row->value) {
        json_array_append_new(list,
                              json_sprintf("%s=%s", row->key, row->value));
    }
}

/* Returns all settings as "KEY=VALUE". */
static json_t *
list_settings(void *daemon_)
{
    const struct daemon *daemon = daemon_;
    json_t *list = json_array();

    settings_each(daemon->settings, add_setting, list);
    return list;
}

/* Creates the listening sockets: for orchctl, and for HTTP. */
static enum st
make_sockets(struct daemon *daemon, struct err *err)
{
    const struct control_services services = {
        .agent = daemon->agent,
        .redis = daemon->redis,
        .history = daemon->history,
        .history_trouble = &daemon->history_trouble,
        .burst = daemon->burst,
        .log = daemon->log,
        .resume = on_resume,
        .settings = list_settings,
        .show_settings = show_settings,
        .reload = reload_settings,
        .drops = list_drops,
        .pauses = list_pauses,
        .watermarks = list_watermarks,
        .watchdog = provider_kinds_get(daemon->settings)->counted_by_others
                        ? NULL
                        : list_watchdog,
        .storms = add_storms,
        .counted_by_others =
            provider_kinds_get(daemon->settings)->counted_by_others,
        .is_recent = is_recent,
        .status = describe_status,
        .state_dir = daemon->settings->state_dir,
        .context = daemon,
    };
    struct control_sockets sockets;
    char view[SOCKET_PATH_SIZE];
    enum st status = startup_sockets(daemon->settings, view, &sockets, err);

    if (!status) {
        status = control_create(daemon->loop, &sockets, &services,
                                &daemon->control, err);
    }
    return status ? status : daemon_http_create(daemon, err);
}

/* Creates all parts.  After a failure end_parts() frees those that exist. */
static enum st
make_parts(struct daemon *daemon, struct err *err)
{
    struct redis_options redis = {
        .audit_ns = daemon->settings->audit_seconds * NS_PER_S,
        .control = daemon->settings->control,
        .force_owner = daemon->settings->force_owner && !daemon->restarted,
        .buffers_pushed = daemon->settings->input == SETTINGS_INPUT_APPL_DB,
        .channels = all_channels(daemon),
        .state_keys = chip_rows_keys,
        .watched = provider_kinds_get(daemon->settings)->watched,
        .owned = provider_kinds_get(daemon->settings)->owned,
    };
    enum st status = startup_raise_descriptors(err);

    status = status ? status : open_sources(daemon, &redis, err);

    if (!status) {
        status = make_flow(daemon, &redis, err);
    }
    return status ? status : make_sockets(daemon, err);
}

/* Frees all parts, and keeps what outlives a switch.  control_stop() first
 * writes back what a scenario has changed; then Redis ends, which ends the
 * requests that control waits for. */
static void
end_parts(struct daemon *daemon)
{
    struct agent_figures figures = {.generation = daemon->generation};
    struct daemon kept;

    if (daemon->agent) {
        agent_figures(daemon->agent, &figures);
    }
    http_server_destroy(daemon->http);
    page_destroy(daemon->page);
    control_stop(daemon->control);
    if (daemon->provider) {
        daemon->provider->ops->end(daemon->provider);
    }
    redis_destroy(daemon->redis);
    writeback_destroy(daemon->writeback);
    control_destroy(daemon->control);
    burst_destroy(daemon->burst);
    history_close(daemon->history);
    if (daemon->provider) {
        daemon->provider->ops->destroy(daemon->provider);
    }
    chip_file_destroy(daemon->chip);
    feed_destroy(daemon->feed);
    daemon_watchdog_destroy(daemon->watchdog);
    tester_watch_destroy(daemon->testers);
    daemon->testers = NULL;
    chip_rows_destroy(daemon->chip_rows);
    agent_destroy(daemon->agent);
    publisher_destroy(daemon->publisher);
    schema_destroy(daemon->schema);
    kept = (struct daemon){.loop = daemon->loop,
                           .log = daemon->log,
                           .spawn = daemon->spawn,
                           .notifications = daemon->notifications,
                           .notify = daemon->notify,
                           .generation = figures.generation,
                           .history_trouble = daemon->history_trouble,
                           .restarted = true,
                           .n_unusable = daemon->n_unusable,
                           .plans = daemon->plans,
                           .started = daemon->started,
                           .confinement = daemon->confinement,
                           .options = daemon->options,
                           .settings = daemon->settings,
                           .read_settings = daemon->read_settings};
    *daemon = kept;
}

/* Runs the loop until a signal stops it, the switch is lost, or another orchd
 * has the lock of Redis, which is a failure.  Sets '*again' if the switch is
 * lost. */
static enum st
run_parts(struct daemon *daemon, bool *again, struct err *err)
{
    loop_run(daemon->loop);
    *again = daemon->lost && !daemon->disowned.status;
    if (daemon->disowned.status) {
        *err = daemon->disowned;
        log_write(daemon->log, LOG_ERROR, err->code, "", "%s", err->reason);
    } else if (daemon->lost) {
        log_write(
            daemon->log, LOG_ERROR, "switch-lost", daemon->settings->sai,
            "the library reports that the switch has failed; orchd starts "
            "over from CONFIG_DB");
    } else {
        notify_stopping(daemon->notify, loop_now(daemon->loop));
        log_write(daemon->log, LOG_INFO, "stopped", "",
                  "orchd exits; a switch in another process keeps its "
                  "configuration");
    }
    return daemon->disowned.status;
}

/* Creates what outlives a switch. */
static enum st
daemon_init(struct daemon *daemon, struct err *err)
{
    const char *user = daemon->settings->user;
    enum st status = user ? user_become(user, 0, err) : ST_OK;

    if (status) {
        return status;
    }
    daemon->loop = loop_create();
    if (!daemon->loop) {
        return err_set(err, ST_IO, "loop",
                       "the system has no mechanism to wait for events");
    }
    daemon->log =
        log_create(stderr, (enum log_level)daemon->settings->log_level,
                   log_is_journal(STDERR_FILENO, getenv("JOURNAL_STREAM")));
    log_follow(daemon->log, daemon->loop);
    event_log_follow(daemon->log);
    daemon->started = loop_wall(daemon->loop);
    startup_confine(daemon->settings, daemon->log, &daemon->confinement);
    status = notifications_create(&daemon->notifications, err);
    if (status) {
        return status;
    }
    loop_wake_on(daemon->loop, notifications_fd(daemon->notifications));
    loop_on_turn(daemon->loop, on_turn, daemon);
    daemon->notify = notify_create(loop_timeline(daemon->loop), daemon->log,
                                   loop_now(daemon->loop));
    notify_describe(daemon->notify, daemon_service_describe, daemon);
    loop_on_hangup(daemon->loop, on_hangup, daemon);
    return ST_OK;
}

static void
daemon_fini(struct daemon *daemon)
{
    daemon_reload_end(daemon);
    spawn_destroy(daemon->spawn);
    notify_destroy(daemon->notify);
    event_log_follow(NULL);
    log_destroy(daemon->log);
    loop_destroy(daemon->loop);
    notifications_destroy(daemon->notifications);
}

enum st
daemon_run(const struct options *options, struct settings *settings,
           struct err *err)
{
    struct daemon daemon = {.options = options, .settings = settings};
    enum st status = daemon_init(&daemon, err);
    bool again = !status;

    if (again) {
        log_write(daemon.log, LOG_INFO, "started", "", "orchd %s, process %ld",
                  PACKAGE_VERSION, (long)getpid());
    }
    while (again) {
        status = make_parts(&daemon, err);
        again = false;
        status = status ? status : run_parts(&daemon, &again, err);
        end_parts(&daemon);
    }
    daemon_fini(&daemon);
    return status;
}
