/* SPDX-License-Identifier: Apache-2.0 */

/* Connects intent, APPL_DB and ASIC_DB. */

#include <config.h>

#include "orchd/daemon/provider_orchagent.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/text.h"
#include "orchd/daemon/clocks.h"
#include "orchd/daemon/settings.h"
#include "orchd/intent/content.h"
#include "orchd/intent/intent.h"
#include "orchd/orchagent/appl_tables.h"
#include "orchd/orchagent/asic_reader.h"
#include "orchd/orchagent/delivery.h"
#include "orchd/orchagent/evidence.h"
#include "orchd/orchagent/syncd_polling.h"
#include "orchd/publish/publish.h"
#include "orchd/reconcile/agent.h"
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
#define MS_PER_S 1000

/* What orchagent and syncd write. */
static const struct redis_keys watched[] = {
#define X(database, pattern) {database, pattern},
    ASIC_READER_WATCHED(X) SYNCD_POLLING_WATCHED(X)
#undef X
        {STATE_DB, NULL},
};

/* The keys that belong to buffermgrd, whose place orchd takes, and to orchd
 * itself.  orchagent and syncd own everything else. */
static const struct redis_keys owned[] = {
#define X(database, pattern) {database, pattern},
    APPL_TABLES_OWNED(X)
#undef X
#define X(database, pattern) {database, pattern},
        SYNCD_POLLING_OWNED(X)
#undef X
            {STATE_DB, "ORCHD_*"},
    {CONFIG_DB, "BUFFER_PG|*"}, /* With "writeback". */
    {CONFIG_DB, "BUFFER_PROFILE|*"},
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
    struct delivery *delivery;
    struct evidence *evidence; /* Its own. */
    struct syncd_polling *polling;
    struct chain *chain; /* NULL before the switch is usable. */
    bool reported;       /* What was pending at the start. */
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

static void
provider_orchagent_destroy(struct provider *provider)
{
    struct provider_orchagent *self = orchagent(provider);

    chain_destroy(self->chain);
    syncd_polling_destroy(self->polling);
    delivery_destroy(self->delivery);
    free(self);
}

static void
provider_orchagent_row(struct provider *provider, enum table table,
                       const char *key, const struct field *fields, size_t n)
{
    if (table == TABLE_PORT) {
        evidence_set_lanes(orchagent(provider)->evidence, key,
                           content_search(fields, n, "lanes"));
    }
}

static void
provider_orchagent_reading(struct provider *provider, bool ended)
{
    struct delivery *delivery = orchagent(provider)->delivery;

    if (ended) {
        delivery_note_reading(delivery);
    } else {
        delivery_begin_reading(delivery);
    }
}

static void
provider_orchagent_resync(struct provider *provider)
{
    delivery_resync(orchagent(provider)->delivery);
    syncd_polling_restart(orchagent(provider)->polling);
}

static void
provider_orchagent_watched_key(struct provider *provider,
                               enum database database, const char *key)
{
    struct provider_orchagent *self = orchagent(provider);

    if (!syncd_polling_key(self->polling, database, key,
                           loop_now(self->options.loop))) {
        delivery_key(self->delivery, database, key);
    }
}

/* Builds the chain around the backend, and hands it over. */
static void
open_switch(struct provider_orchagent *self, struct provider_switch *result)
{
    const struct recorder_options record = {
        .path = self->options.settings->record, .library = "orchagent"};
    size_t n_there, n_limited;
    const size_t n = evidence_n_ports(self->evidence, &n_there, &n_limited);
    struct err err;

    self->chain = chain_create(evidence_backend(self->evidence),
                               &clocks_chain_system, &record);
    if (record.path && chain_record(self->chain, NULL, false, &err)) {
        log_write(self->options.log, LOG_ERROR, err.code, record.path, "%s",
                  err.reason);
    }
    agent_set_confirmation(self->options.agent,
                           evidence_confirmation(self->evidence),
                           evidence_names(self->evidence));
    *result = (struct provider_switch){
        .chain = self->chain,
    };
    log_write(self->options.log, LOG_INFO, "switch-seen", "ASIC_DB",
              "orchagent has created the switch with %zu of the %zu ports of "
              "CONFIG_DB; orchd judges rows by ASIC_DB",
              n_there, n);
}

static bool
provider_orchagent_turn(struct provider *provider,
                        struct provider_switch *result)
{
    struct provider_orchagent *self = orchagent(provider);

    if (!delivery_turn(self->delivery, loop_now(self->options.loop))) {
        return false;
    }
    open_switch(self, result);
    return true;
}

/* Reports what a previous producer has left to orchagent. */
static void
report_pending(struct provider_orchagent *self)
{
    size_t n;

    if (self->reported || !delivery_appl_known(self->delivery, &n)) {
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

    report_pending(self);
    if (delivery_asic_read(self->delivery)) {
        syncd_polling_turn(self->polling, loop_now(self->options.loop));
    }
    return delivery_turn_end(self->delivery, loop_now(self->options.loop),
                             settled);
}

static void
provider_orchagent_end(struct provider *provider)
{
    syncd_polling_end(orchagent(provider)->polling);
}

static bool
provider_orchagent_is_recent(const struct provider *provider,
                             sai_object_type_t type, sai_stat_id_t id)
{
    const struct provider_orchagent *self = orchagent_const(provider);

    return syncd_polling_is_recent(self->polling, type, id,
                                   loop_now(self->options.loop));
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
    return delivery_asic_coming(orchagent_const(provider)->delivery);
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

    return self->chain || !delivery_asic_read(self->delivery) ||
                   delivery_asic_coming(self->delivery)
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
    .end = provider_orchagent_end,
    .is_recent = provider_orchagent_is_recent,
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
        .remedy = "orchctl show watchdog lists its queues, and their state",
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
    self->delivery = delivery_create(&(struct delivery_options){
        .agent = options->agent,
        .redis = options->redis,
        .timeline = loop_timeline(options->loop),
        .confirm_ns = options->settings->confirm_seconds * NS_PER_S,
    });
    self->evidence = delivery_evidence(self->delivery);
    self->polling = syncd_polling_create(&(struct syncd_polling_options){
        .redis = options->redis,
        .timeline = loop_timeline(options->loop),
        .rows = delivery_rows(self->delivery),
        .interval_ms = (uint32_t)(options->settings->poll_seconds * MS_PER_S),
    });
    leave_tables(options->agent);
    return &self->provider;
}

const struct provider_kind provider_orchagent = {
    .counted_by_others = true,
    .watched = watched,
    .owned = owned,
    .create = provider_orchagent_create,
};
