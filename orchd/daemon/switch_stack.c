/* SPDX-License-Identifier: Apache-2.0 */

#include <config.h>

#include "orchd/daemon/switch_stack.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/status.h"
#include "orchd/daemon/clocks.h"
#include "orchd/daemon/options.h"
#include "orchd/publish/publish.h"
#include "orchd/reconcile/adopted_values.h"
#include "orchd/reconcile/agent.h"
#include "process/log.h"
#include "sai/loader/loader.h"
#include "sai/stack/adoption.h"
#include "sai/stack/chain.h"
#include "sai/stack/fault_rules.h"
#include "sai/stack/recorder.h"

struct switch_stack {
    const struct options *options;
    struct log *log;
    struct agent *agent;
    struct adoption *adopt; /* NULL unless the switch is older than orchd. */
    struct adopted_values adopted;
    bool searched; /* What is left of rows that are gone was looked for. */
    struct chain *chain;
    bool record_failed; /* And that was told. */
};

/* The values that the agent asks for. */

static void
expect(void *adopt, const char *name)
{
    adoption_expect(adopt, name);
}

static const sai_attribute_value_t *
found(void *adopt, sai_object_id_t oid, sai_attr_id_t id)
{
    return adoption_found(adopt, oid, id);
}

/* What adoption has to know of names. */

static void
remember(void *adopt, const char *name, sai_object_type_t type,
         sai_object_id_t oid)
{
    adoption_remember(adopt, name, type, oid);
}

static bool
lacks(void *agent, const char *name)
{
    return agent_lacks(agent, name);
}

/* Returns the backend of 'loader': by way of adoption, if the switch was there
 * before. */
static struct sai_backend *
find_backend(struct switch_stack *takeover, struct loader *loader,
             const struct publisher *publisher)
{
    void *symbol = loader_symbol(loader, "sai_get_object_key");
    struct adoption_figures figures;
    adoption_list_fn list;

    if (!loader_is_connected(loader)) {
        return loader_backend(loader);
    }
    memcpy(&list, &symbol, sizeof list);
    takeover->adopt = adoption_create(loader_backend(loader), list, agent_uses);
    publisher_each_name(publisher, remember, takeover->adopt);
    adoption_ask(takeover->adopt, lacks, takeover->agent);
    takeover->adopted = (struct adopted_values){expect, found, takeover->adopt};
    agent_set_adopted_values(takeover->agent, &takeover->adopted);
    adoption_figures(takeover->adopt, &figures);
    log_write(takeover->log, LOG_INFO, "switch-resumed", takeover->options->sai,
              "the switch is older than orchd; %zu objects are there",
              figures.n_found);
    return adoption_backend(takeover->adopt);
}

/* Puts the chain before the library. */
static void
make_chain(struct switch_stack *takeover, struct loader *loader,
           const char *hwsku, const struct publisher *publisher)
{
    const struct options *options = takeover->options;
    const size_t n = options->n_profile;
    struct loader_pair *profile = check_calloc(n + 1, sizeof *profile);
    struct recorder_options record = {.path = options->record,
                                      .library = options->sai,
                                      .profile = profile,
                                      .n_profile = n};

    for (size_t i = 0; i < n; i++) {
        profile[i] = options->profile[i];
    }
    if (hwsku && *hwsku) {
        profile[record.n_profile++] =
            (struct loader_pair){"SONIC_HWSKU", hwsku};
    }
    takeover->chain = chain_create(find_backend(takeover, loader, publisher),
                                   &clocks_chain_system, &record);
    free(profile);
}

struct switch_stack *
switch_stack_create(const struct options *options, struct log *log,
                    struct loader *loader, const char *hwsku,
                    struct agent *agent, const struct publisher *publisher)
{
    struct switch_stack *takeover = check_calloc(1, sizeof *takeover);
    struct err err;

    takeover->options = options;
    takeover->log = log;
    takeover->agent = agent;
    make_chain(takeover, loader, hwsku, publisher);
    if (options->sai_faults && fault_rules_load(chain_faults(takeover->chain),
                                                options->sai_faults, &err)) {
        log_write(log, LOG_ERROR, err.code, "", "%s", err.reason);
    }
    if (options->record && chain_record(takeover->chain, NULL, false, &err)) {
        log_write(log, LOG_ERROR, err.code, options->record, "%s", err.reason);
    }
    return takeover;
}

void
switch_stack_destroy(struct switch_stack *takeover)
{
    if (takeover) {
        chain_destroy(takeover->chain);
        adoption_destroy(takeover->adopt);
        free(takeover);
    }
}

struct chain *
switch_stack_chain(const struct switch_stack *takeover)
{
    return takeover->chain;
}

bool
switch_stack_is_open(const struct switch_stack *takeover)
{
    return takeover->adopt && adoption_is_active(takeover->adopt);
}

bool
switch_stack_end(struct switch_stack *takeover)
{
    const char *library = takeover->options->sai;
    struct adoption_figures figures;

    if (!takeover->searched) {
        takeover->searched = true;
        if (agent_find_stale_objects(takeover->agent)) {
            return false;
        }
    }
    agent_set_adopted_values(takeover->agent, NULL);
    adoption_end(takeover->adopt);
    adoption_figures(takeover->adopt, &figures);
    log_write(takeover->log, LOG_INFO, "switch-adopted", library,
              "of what the switch held, %zu objects and %zu values are as "
              "wanted; %zu were created, %zu set and %zu removed",
              figures.n_adopted, figures.n_unneeded, figures.n_created,
              figures.n_set, figures.n_removed);
    if (figures.n_kept) {
        log_write(takeover->log, LOG_WARN, "switch-leftovers", library,
                  "%zu objects that no row wants are in use on the switch, by "
                  "what rows speak of that wait; they stay",
                  figures.n_kept);
    }
    return true;
}

void
switch_stack_watch_record(struct switch_stack *takeover)
{
    struct recorder_status status;

    recorder_status(chain_recorder(takeover->chain), &status);
    if (status.error && !takeover->record_failed) {
        log_write(takeover->log, LOG_ERROR, "record-ended", status.path,
                  "SAI calls are not recorded any more: %s", status.error);
    }
    takeover->record_failed = status.error != NULL;
}
