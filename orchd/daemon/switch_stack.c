/* SPDX-License-Identifier: Apache-2.0 */

/* Builds the stack, and ends adoption. */

#include <config.h>

#include "orchd/daemon/switch_stack.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/status.h"
#include "orchd/daemon/clocks.h"
#include "orchd/daemon/settings.h"
#include "orchd/publish/publish.h"
#include "orchd/reconcile/adopted_values.h"
#include "orchd/reconcile/agent.h"
#include "orchd/reconcile/row_status.h"
#include "process/log.h"
#include "sai/loader/loader.h"
#include "sai/stack/adoption.h"
#include "sai/stack/chain.h"
#include "sai/stack/fault_rules.h"
#include "sai/stack/recorder.h"

struct switch_stack {
    const struct settings *settings;
    struct log *log;
    struct agent *agent;
    struct adoption *adopt; /* NULL unless this is a warm restart. */
    struct adopted_values adopted;
    bool searched; /* agent_find_stale_objects() was called. */

    /* After the adoption. */
    bool untidy;   /* Stale settings or objects may be left. */
    bool undoing;  /* The agent undoes stale settings. */
    size_t n_open; /* Rows that stood in the way at the last search. */
    size_t n_undone;
    struct chain *chain;
    bool record_failed; /* The error of the recorder was logged. */
};

/* What the agent needs of adoption. */

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

/* What adoption needs to know about names. */

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

/* Returns the backend of 'loader', with adoption on top of it in a warm
 * restart. */
static struct sai_backend *
find_backend(struct switch_stack *stack, struct loader *loader,
             const struct publisher *publisher)
{
    void *symbol = loader_symbol(loader, "sai_get_object_key");
    struct adoption_figures figures;
    adoption_list_fn list;

    if (!loader_is_connected(loader)) {
        return loader_backend(loader);
    }
    memcpy(&list, &symbol, sizeof list);
    stack->adopt = adoption_create(loader_backend(loader), list, agent_uses);
    publisher_each_name(publisher, remember, stack->adopt);
    adoption_read_remembered(stack->adopt);
    adoption_ask(stack->adopt, lacks, stack->agent);
    stack->adopted = (struct adopted_values){expect, found, stack->adopt};
    agent_set_adopted_values(stack->agent, &stack->adopted);
    adoption_figures(stack->adopt, &figures);
    log_write(stack->log, LOG_INFO, "switch-resumed", stack->settings->sai,
              "the switch was running before orchd (warm restart) and holds "
              "%zu object%s",
              figures.n_found, figures.n_found == 1 ? "" : "s");
    return adoption_backend(stack->adopt);
}

/* Builds the chain on top of the library. */
static void
make_chain(struct switch_stack *stack, struct loader *loader, const char *hwsku,
           const struct publisher *publisher)
{
    const struct settings *settings = stack->settings;
    const size_t n = settings->profile.n;
    struct loader_pair *profile = check_calloc(n + 1, sizeof *profile);
    struct recorder_options record = {.path = settings->record,
                                      .library = settings->sai,
                                      .profile = profile,
                                      .n_profile = n};

    for (size_t i = 0; i < n; i++) {
        profile[i] = settings->profile.list[i];
    }
    if (hwsku && *hwsku) {
        profile[record.n_profile++] =
            (struct loader_pair){"SONIC_HWSKU", hwsku};
    }
    stack->chain = chain_create(find_backend(stack, loader, publisher),
                                &clocks_chain_system, &record);
    free(profile);
}

struct switch_stack *
switch_stack_create(const struct settings *settings, struct log *log,
                    struct loader *loader, const char *hwsku,
                    struct agent *agent, const struct publisher *publisher)
{
    struct switch_stack *stack = check_calloc(1, sizeof *stack);
    struct err err;

    stack->settings = settings;
    stack->log = log;
    stack->agent = agent;
    make_chain(stack, loader, hwsku, publisher);
    if (settings->sai_faults && fault_rules_load(chain_faults(stack->chain),
                                                 settings->sai_faults, &err)) {
        log_write(log, LOG_ERROR, err.code, "", "%s", err.reason);
    }
    if (settings->record && chain_record(stack->chain, NULL, false, &err)) {
        log_write(log, LOG_ERROR, err.code, settings->record, "%s", err.reason);
    }
    return stack;
}

void
switch_stack_destroy(struct switch_stack *stack)
{
    if (stack) {
        chain_destroy(stack->chain);
        adoption_destroy(stack->adopt);
        free(stack);
    }
}

struct chain *
switch_stack_chain(const struct switch_stack *stack)
{
    return stack->chain;
}

bool
switch_stack_is_open(const struct switch_stack *stack)
{
    return stack->adopt && adoption_is_active(stack->adopt);
}

/* Counts the rows of which it is not known what they mean for the ASIC. */
static size_t
count_open(const struct agent *agent)
{
    struct agent_figures figures;

    agent_figures(agent, &figures);
    return figures.n_rows[ROW_STATE_WAITING] +
           figures.n_rows[ROW_STATE_REJECTED] +
           figures.n_rows[ROW_STATE_FAILED] +
           figures.n_rows[ROW_STATE_PENDING_DELETE];
}

bool
switch_stack_end(struct switch_stack *stack)
{
    const char *library = stack->settings->sai;
    struct adoption_figures figures;

    if (!stack->searched) {
        stack->searched = true;
        if (agent_find_stale_objects(stack->agent)) {
            return false;
        }
    }
    agent_set_adopted_values(stack->agent, NULL);
    adoption_end(stack->adopt);
    adoption_figures(stack->adopt, &figures);
    log_write(stack->log, LOG_INFO, "switch-adopted", library,
              "adopted %zu objects and %zu values as they were; created %zu, "
              "set %zu and removed %zu",
              figures.n_adopted, figures.n_unneeded, figures.n_created,
              figures.n_set, figures.n_removed);
    if (figures.n_kept) {
        log_write(stack->log, LOG_WARN, "switch-stale-objects", library,
                  "%zu stale objects stay on the switch because objects of "
                  "waiting rows use them",
                  figures.n_kept);
    }
    stack->n_open = count_open(stack->agent);
    stack->untidy = figures.n_kept > 0 || stack->n_open > 0;
    return true;
}

bool
switch_stack_tidy(struct switch_stack *stack)
{
    const size_t n_before = stack->n_open;
    size_t n_removed;

    if (!stack->untidy) {
        return false;
    }
    stack->n_open = count_open(stack->agent);
    if (!stack->undoing) {
        if (stack->n_open >= n_before && stack->n_open > 0) {
            return false;
        }
        stack->n_undone = agent_find_stale_objects(stack->agent);
        stack->undoing = true;
        if (stack->n_undone) {
            return true;
        }
    }
    stack->undoing = false;
    stack->untidy = stack->n_open > 0;
    n_removed = adoption_retry(stack->adopt);
    if (stack->n_undone || n_removed) {
        log_write(stack->log, LOG_INFO, "switch-tidied", stack->settings->sai,
                  "rows that stood in the way are in force or gone: set %zu "
                  "stale values to their defaults and removed %zu stale "
                  "objects",
                  stack->n_undone, n_removed);
        agent_note_release(stack->agent);
        return true;
    }
    return false;
}

void
switch_stack_watch_record(struct switch_stack *stack)
{
    struct recorder_status status;

    recorder_status(chain_recorder(stack->chain), &status);
    if (status.error && !stack->record_failed) {
        log_write(stack->log, LOG_ERROR, "record-ended", status.path,
                  "stopped recording SAI calls: %s", status.error);
    }
    stack->record_failed = status.error != NULL;
}
