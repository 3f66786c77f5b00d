/* SPDX-License-Identifier: Apache-2.0 */

/* Connects the switch, its stack and adoption. */

#include <config.h>

#include "orchd/daemon/provider_sai.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "orchd/daemon/daemon_switch.h"
#include "orchd/daemon/settings.h"
#include "orchd/daemon/switch_stack.h"
#include "orchd/publish/publish.h"
#include "orchd/reconcile/agent.h"
#include "orchd/switch/llr_capability.h"
#include "orchd/switch/trimming_capability.h"
#include "process/log.h"
#include "sai/loader/loader.h"
#include "sai/remote/testers_table.h"
#include "sai/stack/notifications.h"
#include "vendors/softasic/softasic.h"

struct provider_sai {
    struct provider provider;
    struct provider_options options;
    struct daemon_switch *asic;
    struct loader *loader;      /* Borrowed; NULL before the switch exists. */
    struct switch_stack *stack; /* NULL before the switch exists. */
    bool converged;             /* Adoption has ended. */
};

static struct provider_sai *
sai(struct provider *provider)
{
    return (struct provider_sai *)provider;
}

static const struct provider_sai *
sai_const(const struct provider *provider)
{
    return (const struct provider_sai *)provider;
}

static void
provider_sai_destroy(struct provider *provider)
{
    struct provider_sai *self = sai(provider);

    switch_stack_destroy(self->stack);
    daemon_switch_destroy(self->asic);
    free(self);
}

static void
provider_sai_row(struct provider *provider, enum table table, const char *key,
                 const struct field *fields, size_t n)
{
    (void)key;
    (void)fields;
    if (n) {
        daemon_switch_row(sai(provider)->asic, table);
    }
}

static void
provider_sai_reading(struct provider *provider, bool ended)
{
    daemon_switch_reading(sai(provider)->asic, ended);
}

/* Subscribes to the notifications of the switch. */
static void
subscribe(const struct provider_sai *self, struct provider_switch *result)
{
    const struct provider_options *options = &self->options;
    const unsigned int queues = 1u << NOTIFICATION_QUEUE;
    const bool use_hardware =
        options->settings->storm_detection == SETTINGS_STORM_DETECTION_HARDWARE;
    const unsigned int subscribed = notifications_subscribe(
        options->notifications, loader_backend(self->loader),
        1u << NOTIFICATION_SWITCH | 1u << NOTIFICATION_PORT |
            (use_hardware ? queues : 0));

    result->reports_failure = subscribed & 1u << NOTIFICATION_SWITCH;
    result->reports_storms = subscribed & queues;
}

/* No other program has a part in a switch that orchd drives itself. */
static void
provider_sai_resync(struct provider *provider)
{
    (void)provider;
}

static void
provider_sai_watched_key(struct provider *provider, enum database database,
                         const char *key)
{
    (void)provider;
    (void)database;
    (void)key;
}

static void
provider_sai_end(struct provider *provider)
{
    (void)provider;
}

static bool
provider_sai_is_recent(const struct provider *provider, sai_object_type_t type,
                       sai_stat_id_t id)
{
    (void)provider;
    (void)type;
    (void)id;
    return false;
}

static bool
provider_sai_turn(struct provider *provider, struct provider_switch *result)
{
    struct provider_sai *self = sai(provider);
    const struct provider_options *options = &self->options;
    struct loader *loader = daemon_switch_turn(self->asic);
    struct trimming_capability trimming;
    struct llr_capability llr;
    softasic_ops_fn *get_ops;
    void *symbol;

    if (!loader) {
        return false;
    }
    self->loader = loader;
    self->stack = switch_stack_create(options->settings, options->log, loader,
                                      daemon_switch_hwsku(self->asic),
                                      options->agent, options->publisher);
    memset(result, 0, sizeof *result);
    result->chain = switch_stack_chain(self->stack);
    result->testers_symbol = loader_symbol(loader, TESTERS_TABLE_SYMBOL);
    symbol = loader_symbol(loader, SOFTASIC_OPS_SYMBOL);
    if (symbol) {
        memcpy(&get_ops, &symbol, sizeof get_ops);
        result->soft = get_ops(SOFTASIC_OPS_VERSION);
    }
    subscribe(self, result);
    trimming_capability_read(loader, &trimming);
    llr_capability_read(loader, &llr);
    publisher_set_capabilities(options->publisher, loader_backend(loader),
                               &trimming, &llr);
    agent_set_lacks_llr(options->agent, llr.lacking);
    return true;
}

/* Ends adoption once the initial configuration is programmed. */
static bool
provider_sai_turn_end(struct provider *provider, bool settled)
{
    struct provider_sai *self = sai(provider);

    if (!self->stack) {
        return false;
    }
    switch_stack_watch_record(self->stack);
    if (!settled) {
        return false;
    }
    if (self->converged) {
        return switch_stack_tidy(self->stack);
    }
    self->converged =
        !switch_stack_is_open(self->stack) || switch_stack_end(self->stack);
    if (self->converged) {
        publisher_settled(self->options.publisher);
    }
    return !self->converged;
}

static struct chain *
provider_sai_chain(const struct provider *provider)
{
    const struct switch_stack *stack = sai_const(provider)->stack;

    return stack ? switch_stack_chain(stack) : NULL;
}

static const char *
provider_sai_hwsku(const struct provider *provider)
{
    return daemon_switch_hwsku(sai_const(provider)->asic);
}

static bool
provider_sai_is_coming(const struct provider *provider)
{
    return daemon_switch_is_coming(sai_const(provider)->asic);
}

static const struct err *
provider_sai_trouble(const struct provider *provider)
{
    return daemon_switch_trouble(sai_const(provider)->asic);
}

static const struct err *
provider_sai_absence(const struct provider *provider)
{
    return daemon_switch_absence(sai_const(provider)->asic);
}

static enum st
provider_sai_find_chip(const struct provider *provider, struct chip **chip,
                       struct err *err)
{
    return daemon_switch_chip(sai_const(provider)->asic, chip, err);
}

static void
provider_sai_identify(const struct provider *provider, const struct chip *chip,
                      struct switch_identity *identity)
{
    const struct provider_sai *self = sai_const(provider);

    daemon_switch_identify(self->asic, self->loader, chip, identity);
}

static const struct provider_ops provider_sai_ops = {
    .destroy = provider_sai_destroy,
    .row = provider_sai_row,
    .reading = provider_sai_reading,
    .resync = provider_sai_resync,
    .watched_key = provider_sai_watched_key,
    .turn = provider_sai_turn,
    .turn_end = provider_sai_turn_end,
    .end = provider_sai_end,
    .is_recent = provider_sai_is_recent,
    .chain = provider_sai_chain,
    .hwsku = provider_sai_hwsku,
    .is_coming = provider_sai_is_coming,
    .trouble = provider_sai_trouble,
    .absence = provider_sai_absence,
    .find_chip = provider_sai_find_chip,
    .identify = provider_sai_identify,
};

static struct provider *
provider_sai_create(const struct provider_options *options)
{
    struct provider_sai *self = check_calloc(1, sizeof *self);

    self->provider.ops = &provider_sai_ops;
    self->options = *options;
    self->asic =
        daemon_switch_create(options->loop, options->log,
                             agent_intent(options->agent), options->loader);
    return &self->provider;
}

const struct provider_kind provider_sai = {
    .loads_library = true,
    .create = provider_sai_create,
};
