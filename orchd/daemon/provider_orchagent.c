/* SPDX-License-Identifier: Apache-2.0 */

/* Connects intent, APPL_DB and ASIC_DB. */

#include <config.h>

#include "orchd/daemon/provider_orchagent.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/text.h"
#include "base/timeline.h"
#include "orchd/daemon/clocks.h"
#include "orchd/daemon/settings.h"
#include "orchd/db/redis.h"
#include "orchd/intent/intent.h"
#include "orchd/orchagent/appl_tables.h"
#include "orchd/orchagent/asic_reader.h"
#include "orchd/orchagent/asic_rows.h"
#include "orchd/orchagent/evidence.h"
#include "orchd/publish/publish.h"
#include "orchd/reconcile/agent.h"
#include "orchd/reconcile/row_status.h"
#include "orchd/switch/switch_create.h"
#include "orchd/switch/switch_identity.h"
#include "process/log.h"
#include "process/loop.h"
#include "sai/loader/loader.h"
#include "sai/stack/chain.h"
#include "sai/stack/recorder.h"
#include "twin/chip/chip.h"
#include "twin/chip/yaml/chip_file.h"

#define NS_PER_S (INT64_C(1000) * 1000 * 1000)

/* The keys that belong to buffermgrd, whose place orchd takes, and to orchd
 * itself.  orchagent and syncd own everything else. */
static const struct redis_keys owned[] = {
#define X(database, pattern) {database, pattern},
    APPL_TABLES_OWNED(X)
#undef X
        {STATE_DB, "ORCHD_*"},
    {STATE_DB, "BUFFER_POOL_TABLE|*"},
    {STATE_DB, "BUFFER_PROFILE_TABLE|*"},
    {STATE_DB, "ASIC_TABLE|*"},
    {STATE_DB, "PERIPHERAL_TABLE|*"},
    {STATE_DB, "PORT_PERIPHERAL_TABLE|*"},
    {STATE_DB, NULL},
};

struct provider_orchagent {
    struct provider provider;
    struct provider_options options;
    struct loader_options loader; /* Where chips are. */
    struct asic_rows *rows;
    struct asic_reader *reader;
    struct evidence *evidence;
    struct appl_tables *tables;
    struct chain *chain; /* NULL before the switch is usable. */
    bool read;           /* CONFIG_DB was read completely, once. */
    bool complete;       /* All rows of it were known, once. */
    bool reported;       /* What was pending at the start. */
    int64_t since;       /* When the switch was seen first; 0: it was not. */

    /* The epochs that the agent has judged by. */
    uint64_t rows_epoch, evidence_epoch;

    int64_t repeat_at;     /* When to publish unconfirmed rows again, ... */
    int64_t repeat_after;  /* ... and how long after the last time. */
    uint64_t repeat_epoch; /* Of the rows then. */
    struct timer timer;
};

static struct provider_orchagent *
orchagent(struct provider *provider)
{
    return (struct provider_orchagent *)provider;
}

static const struct provider_orchagent *
orchagent_const(const struct provider *provider)
{
    return (const struct provider_orchagent *)provider;
}

/* Wakes the loop; the turn that follows does the work. */
static void
on_timer(struct timer *timer, int64_t when)
{
    (void)timer;
    (void)when;
}

static void
provider_orchagent_destroy(struct provider *provider)
{
    struct provider_orchagent *self = orchagent(provider);

    timeline_cancel(loop_timeline(self->options.loop), &self->timer);
    chain_destroy(self->chain);
    appl_tables_destroy(self->tables);
    evidence_destroy(self->evidence);
    asic_reader_destroy(self->reader);
    asic_rows_destroy(self->rows);
    free(self);
}

static void
provider_orchagent_row(struct provider *provider, enum table table,
                       const char *key, const struct field *fields, size_t n)
{
    const char *lanes = NULL;

    if (table != TABLE_PORT) {
        return;
    }
    for (size_t i = 0; i < n; i++) {
        lanes = strcmp(fields[i].name, "lanes") ? lanes : fields[i].value;
    }
    evidence_set_lanes(orchagent(provider)->evidence, key, lanes);
}

static void
provider_orchagent_reading(struct provider *provider, bool ended)
{
    struct provider_orchagent *self = orchagent(provider);

    self->read |= ended;
}

static void
provider_orchagent_resync(struct provider *provider)
{
    struct provider_orchagent *self = orchagent(provider);

    asic_reader_restart(self->reader);
    appl_tables_restart(self->tables);
}

static void
provider_orchagent_watched_key(struct provider *provider,
                               enum database database, const char *key)
{
    asic_reader_key(orchagent(provider)->reader, database, key);
}

/* Implements graph_in_force_fn. */
static void
on_in_force(void *self_, enum table table, const char *key,
            const struct field *fields, size_t n)
{
    const struct provider_orchagent *self = self_;

    appl_tables_put(self->tables, table, key, fields, n);
}

/* Returns whether the switch can be handed over. */
static bool
is_usable(struct provider_orchagent *self, int64_t now)
{
    struct timer *timer = &self->timer;
    size_t n_there;
    size_t n = evidence_n_ports(self->evidence, &n_there);

    if (!asic_reader_complete(self->reader) ||
        !evidence_has_switch(self->evidence) || n_there == 0) {
        return false;
    }
    self->since = self->since ? self->since : now;
    if (n_there < n && now - self->since < PROVIDER_ORCHAGENT_PATIENCE_NS) {
        timeline_set(loop_timeline(self->options.loop), timer,
                     self->since + PROVIDER_ORCHAGENT_PATIENCE_NS);
        return false;
    }
    return true;
}

/* Builds the chain around the backend, and hands it over. */
static void
open_switch(struct provider_orchagent *self, struct provider_switch *result)
{
    const struct recorder_options record = {
        .path = self->options.settings->record, .library = "orchagent"};
    size_t n_there;
    const size_t n = evidence_n_ports(self->evidence, &n_there);

    self->chain = chain_create(evidence_backend(self->evidence),
                               &clocks_chain_system, &record);
    agent_set_confirmation(self->options.agent,
                           evidence_confirmation(self->evidence),
                           evidence_names(self->evidence));
    *result = (struct provider_switch){
        .chain = self->chain,
        .watched_by_others = true,
    };
    log_write(self->options.log, LOG_INFO, "switch-seen", "ASIC_DB",
              "orchagent has created the switch with %zu of the %zu ports of "
              "CONFIG_DB; orchd judges rows by ASIC_DB",
              n_there, n);
}

/* Lets the agent judge again if there is news. */
static bool
judge(struct provider_orchagent *self)
{
    struct agent *agent = self->options.agent;
    const uint64_t rows = asic_rows_epoch(self->rows);
    const uint64_t wishes = evidence_epoch(self->evidence);

    if (!self->chain || agent_is_planning(agent) ||
        (rows == self->rows_epoch && wishes == self->evidence_epoch)) {
        return false;
    }
    if (evidence_review(self->evidence)) {
        agent_doubt(agent, evidence_doubts, self->evidence);
        self->repeat_at =
            loop_now(self->options.loop) + PROVIDER_ORCHAGENT_REPEAT_LOST_NS;
    }
    agent_reconsider(agent);
    self->rows_epoch = rows;
    self->evidence_epoch = wishes;
    return true;
}

static bool
provider_orchagent_turn(struct provider *provider,
                        struct provider_switch *result)
{
    struct provider_orchagent *self = orchagent(provider);
    const int64_t now = loop_now(self->options.loop);

    evidence_set_now(self->evidence, now);
    asic_reader_turn(self->reader);
    if (self->chain) {
        (void)judge(self);
        return false;
    }
    if (!is_usable(self, now)) {
        return false;
    }
    open_switch(self, result);
    return true;
}

/* Publishes a row again unless it is confirmed. */
static void
repeat_row(void *self_, const struct row_status *status)
{
    const struct provider_orchagent *self = self_;

    if (status->state == ROW_STATE_WAITING ||
        status->state == ROW_STATE_FAILED ||
        status->state == ROW_STATE_PENDING_DELETE) {
        appl_tables_repeat(self->tables, status->table, status->key);
    }
}

/* Publishes unconfirmed rows again at 'when' at the latest. */
static void
bring_forward(struct provider_orchagent *self, int64_t when)
{
    if (self->repeat_at > when) {
        self->repeat_at = when;
    }
}

/* Publishes unconfirmed rows again if that is due. */
static void
repeat(struct provider_orchagent *self, int64_t now)
{
    static const enum table buffers[] = {
        TABLE_BUFFER_POOL,
        TABLE_BUFFER_PROFILE,
        TABLE_BUFFER_PG,
        TABLE_BUFFER_QUEUE,
        TABLE_BUFFER_PORT_INGRESS_PROFILE_LIST,
        TABLE_BUFFER_PORT_EGRESS_PROFILE_LIST,
    };
    const uint64_t epoch = asic_rows_epoch(self->rows);
    struct agent_figures figures;

    agent_figures(self->options.agent, &figures);
    if (!self->chain || figures.n_rows[ROW_STATE_WAITING] +
                                figures.n_rows[ROW_STATE_FAILED] +
                                figures.n_rows[ROW_STATE_PENDING_DELETE] ==
                            0) {
        self->repeat_at = 0;
        self->repeat_after = PROVIDER_ORCHAGENT_REPEAT_MIN_NS;
        timeline_cancel(loop_timeline(self->options.loop), &self->timer);
        return;
    }
    if (epoch != self->repeat_epoch) {
        /* Progress, or news: it does not have to be waited for so long. */
        self->repeat_epoch = epoch;
        self->repeat_after = PROVIDER_ORCHAGENT_REPEAT_MIN_NS;
        bring_forward(self, now + self->repeat_after);
    }
    if (!self->repeat_at) {
        self->repeat_at = now + self->repeat_after;
    } else if (now >= self->repeat_at) {
        agent_each_row_of(self->options.agent, buffers,
                          sizeof buffers / sizeof *buffers, repeat_row, self);
        self->repeat_after *= 2;
        if (self->repeat_after > PROVIDER_ORCHAGENT_REPEAT_MAX_NS) {
            self->repeat_after = PROVIDER_ORCHAGENT_REPEAT_MAX_NS;
        }
        self->repeat_at = now + self->repeat_after;
    }
    timeline_set(loop_timeline(self->options.loop), &self->timer,
                 self->repeat_at);
}

/* Reports what a previous producer has left to orchagent. */
static void
report_pending(struct provider_orchagent *self)
{
    size_t n;

    if (self->reported || !appl_tables_known(self->tables, &n)) {
        return;
    }
    self->reported = true;
    if (n) {
        log_write(self->options.log, LOG_INFO, "rows-pending", "APPL_DB",
                  "orchagent has not taken %zu row%s of a previous producer "
                  "yet; orchd keeps what is as wanted, and replaces the rest",
                  n, n == 1 ? "" : "s");
    }
}

static bool
provider_orchagent_turn_end(struct provider *provider, bool settled)
{
    struct provider_orchagent *self = orchagent(provider);
    const int64_t now = loop_now(self->options.loop);

    if (!self->read) {
        return false;
    }
    report_pending(self);
    repeat(self, now);
    self->complete |= settled;
    (void)appl_tables_turn(self->tables, self->complete);
    return judge(self);
}

static struct chain *
provider_orchagent_chain(const struct provider *provider)
{
    return orchagent_const(provider)->chain;
}

/* orchagent has created the switch, whatever CONFIG_DB says now. */
static const char *
provider_orchagent_hwsku(const struct provider *provider)
{
    (void)provider;
    return NULL;
}

static bool
provider_orchagent_is_coming(const struct provider *provider)
{
    const struct provider_orchagent *self = orchagent_const(provider);

    return !self->chain && self->since;
}

static const struct err *
provider_orchagent_trouble(const struct provider *provider)
{
    (void)provider;
    return NULL;
}

static const struct err *
provider_orchagent_absence(const struct provider *provider)
{
    static const struct err absence = {
        .status = ST_NOT_FOUND,
        .code = "no-switch",
        .reason = "ASIC_DB and COUNTERS_DB do not show a switch with the ports "
                  "of CONFIG_DB yet: orchagent has not created it",
        .remedy = "check that orchagent and syncd run; orchd has published the "
                  "buffer tables in APPL_DB, and judges rows once there is a "
                  "switch",
    };
    const struct provider_orchagent *self = orchagent_const(provider);

    return self->chain || !asic_reader_complete(self->reader) || self->since
               ? NULL
               : &absence;
}

/* Returns the hwsku of CONFIG_DB, NULL if it has none. */
static const char *
find_hwsku(const struct provider_orchagent *self)
{
    const struct row *row = intent_get(agent_intent(self->options.agent),
                                       TABLE_DEVICE_METADATA, "localhost");

    return row && row->present ? row_field(row, "hwsku") : NULL;
}

static enum st
provider_orchagent_find_chip(const struct provider *provider,
                             struct chip **chip, struct err *err)
{
    const struct provider_orchagent *self = orchagent_const(provider);
    const char *hwsku = find_hwsku(self);

    if (!hwsku) {
        return err_set(err, ST_NOT_FOUND, "chip",
                       "DEVICE_METADATA|localhost has no hwsku");
    }
    return chip_file_find(switch_create_chips(self->options.loader), hwsku,
                          chip, err);
}

static void
provider_orchagent_identify(const struct provider *provider,
                            const struct chip *chip,
                            struct switch_identity *identity)
{
    const char *hwsku = find_hwsku(orchagent_const(provider));

    memset(identity, 0, sizeof *identity);
    text_copy(identity->library, sizeof identity->library,
              "orchagent, by APPL_DB and ASIC_DB");
    text_copy(identity->chip, sizeof identity->chip, chip ? chip->name : "");
    if (chip && hwsku) {
        text_format(identity->chosen, sizeof identity->chosen, "hwsku %.160s",
                    hwsku);
    }
}

static const struct provider_ops provider_orchagent_ops = {
    .destroy = provider_orchagent_destroy,
    .row = provider_orchagent_row,
    .reading = provider_orchagent_reading,
    .resync = provider_orchagent_resync,
    .watched_key = provider_orchagent_watched_key,
    .turn = provider_orchagent_turn,
    .turn_end = provider_orchagent_turn_end,
    .chain = provider_orchagent_chain,
    .hwsku = provider_orchagent_hwsku,
    .is_coming = provider_orchagent_is_coming,
    .trouble = provider_orchagent_trouble,
    .absence = provider_orchagent_absence,
    .find_chip = provider_orchagent_find_chip,
    .identify = provider_orchagent_identify,
};

/* Leaves to orchagent and syncd what they do by rows of CONFIG_DB without
 * SAI objects that ASIC_DB would show. */
static void
leave_tables(struct agent *agent)
{
    static const struct err watchdog = {
        .status = ST_UNSUPPORTED,
        .code = "other-owner",
        .reason = "orchagent's PFC watchdog acts on this row; orchd only "
                  "checks it",
        .remedy = "see the state of its queues with show pfcwd stats",
    };
    static const struct err counters = {
        .status = ST_UNSUPPORTED,
        .code = "other-owner",
        .reason = "syncd polls counters as this row says; orchd only checks it",
        .remedy = "read the counters with the tools of SONiC",
    };

    agent_leave_table(agent, TABLE_PFC_WD, &watchdog);
    agent_leave_table(agent, TABLE_FLEX_COUNTER_TABLE, &counters);
    agent_leave_table(agent, TABLE_WATERMARK_TABLE, &counters);
}

static struct provider *
provider_orchagent_create(const struct provider_options *options)
{
    struct provider_orchagent *self = check_calloc(1, sizeof *self);

    self->provider.ops = &provider_orchagent_ops;
    self->options = *options;
    self->loader = *options->loader;
    self->options.loader = &self->loader;
    self->rows = asic_rows_create();
    self->reader = asic_reader_create(options->redis, self->rows);
    self->evidence = evidence_create(
        self->rows, options->settings->confirm_seconds * NS_PER_S);
    self->tables = appl_tables_create(options->redis);
    self->repeat_after = PROVIDER_ORCHAGENT_REPEAT_MIN_NS;
    self->timer.fire = on_timer;
    agent_listen_in_force(options->agent, on_in_force, self);
    leave_tables(options->agent);
    return &self->provider;
}

const struct provider_kind provider_orchagent = {
    .watched = asic_reader_keys,
    .owned = owned,
    .create = provider_orchagent_create,
};
