/* SPDX-License-Identifier: Apache-2.0 */

/* Applies the rules to each call.
 *
 * Rules are few; each call walks all of them in the order in which they were
 * added.  A rule also counts calls that another rule fails: the third create is
 * the third create whatever the result of the second, so that a test does not
 * depend on the other rules.
 *
 * Without rules the cost is one comparison. */

#include <config.h>

#include "sai/stack/faults.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "sai/core/status.h"

struct faults {
    struct sai_backend backend; /* First: it is cast back. */
    struct sai_backend *inner;
    faults_sleep_fn *sleep;
    void *context;
    struct faults_entry *entries;
    uint32_t n_entries;
    unsigned int last_id;
};

/* A call that is about to be made. */
struct faults_call {
    enum op op;
    sai_object_type_t type;
    uint32_t n;
    const sai_attribute_t *attributes;
    uint32_t n_counters;
    const sai_stat_id_t *counters;
};

static const struct sai_backend_ops faults_ops;

struct faults *
faults_create(struct sai_backend *inner, faults_sleep_fn *sleep, void *context)
{
    struct faults *faults = check_calloc(1, sizeof *faults);

    faults->backend.ops = &faults_ops;
    faults->backend.switch_id = inner->switch_id;
    faults->inner = inner;
    faults->sleep = sleep;
    faults->context = context;
    return faults;
}

void
faults_destroy(struct faults *faults)
{
    if (faults) {
        free(faults->entries);
        free(faults);
    }
}

struct sai_backend *
faults_backend(struct faults *faults)
{
    return &faults->backend;
}

unsigned int
faults_add(struct faults *faults, const struct faults_rule *rule)
{
    struct faults_entry *entry;

    faults->entries = check_realloc(
        faults->entries, (faults->n_entries + 1) * sizeof *faults->entries);
    entry = &faults->entries[faults->n_entries++];
    *entry = (struct faults_entry){
        .id = ++faults->last_id, .rule = *rule, .random = rule->seed};
    return entry->id;
}

bool
faults_remove(struct faults *faults, unsigned int id)
{
    for (uint32_t i = 0; i < faults->n_entries; i++) {
        if (faults->entries[i].id == id) {
            faults->n_entries--;
            memmove(&faults->entries[i], &faults->entries[i + 1],
                    (faults->n_entries - i) * sizeof *faults->entries);
            return true;
        }
    }
    return false;
}

void
faults_clear(struct faults *faults)
{
    faults->n_entries = 0;
}

const struct faults_entry *
faults_entries(const struct faults *faults, uint32_t *n)
{
    *n = faults->n_entries;
    return faults->entries;
}

/* Returns the next number of a sequence (splitmix64, Steele et al. 2014). */
static uint64_t
next_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static bool
reads(const struct faults_call *call, sai_stat_id_t counter)
{
    for (uint32_t i = 0; i < call->n_counters; i++) {
        if (call->counters[i] == counter) {
            return true;
        }
    }
    return false;
}

/* Returns whether the rule matches 'call', and the index of its attribute in
 * '*index'. */
static bool
matches(const struct faults_rule *rule, const struct faults_call *call,
        uint32_t *index)
{
    *index = 0;
    if ((!rule->any_op && rule->op != call->op) ||
        (rule->type != SAI_OBJECT_TYPE_NULL && rule->type != call->type)) {
        return false;
    }
    if (rule->by_counter && !reads(call, rule->counter)) {
        return false;
    }
    if (rule->any_attribute) {
        return true;
    }
    for (; call->attributes && *index < call->n; ++*index) {
        if (call->attributes[*index].id == rule->attribute) {
            return true;
        }
    }
    return false;
}

/* Returns whether a rule strikes a call that it matches. */
static bool
strikes(struct faults_entry *entry)
{
    const struct faults_rule *rule = &entry->rule;

    entry->n_matches++;
    if (rule->nth) {
        return entry->n_matches == rule->nth;
    }
    if (rule->every) {
        return entry->n_matches % rule->every == 0;
    }
    if (rule->percent) {
        return next_random(&entry->random) % 100 < rule->percent;
    }
    return true;
}

/* Applies all rules to 'call'.  Returns SAI_STATUS_SUCCESS if the call is to be
 * made, else its result. */
static sai_status_t
begin(struct faults *faults, const struct faults_call *call)
{
    sai_status_t status = SAI_STATUS_SUCCESS;
    int64_t delay_ns = 0;
    uint32_t index, unused;

    for (uint32_t i = 0; i < faults->n_entries; i++) {
        struct faults_entry *entry = &faults->entries[i];

        if (!matches(&entry->rule, call, &index) || !strikes(entry)) {
            continue;
        }
        entry->n_strikes++;
        delay_ns += entry->rule.delay_ns;
        if (status == SAI_STATUS_SUCCESS) {
            status = entry->rule.status;
            if (status_attribute_index(status, &unused)) {
                status -= (sai_status_t)(index < 0xffff ? index : 0xffff);
            }
        }
    }
    if (delay_ns) {
        faults->sleep(faults->context, delay_ns);
    }
    return status;
}

static sai_status_t
faults_do_create(struct sai_backend *backend, sai_object_type_t type,
                 uint32_t n, const sai_attribute_t *attributes,
                 sai_object_id_t *oid)
{
    struct faults *faults = (struct faults *)backend;
    const struct faults_call call = {OP_CREATE, type, n, attributes, 0, NULL};
    sai_status_t status = begin(faults, &call);

    if (status == SAI_STATUS_SUCCESS) {
        status =
            faults->inner->ops->create(faults->inner, type, n, attributes, oid);
        backend->switch_id = faults->inner->switch_id;
    }
    return status;
}

static sai_status_t
faults_do_remove(struct sai_backend *backend, sai_object_type_t type,
                 sai_object_id_t oid)
{
    struct faults *faults = (struct faults *)backend;
    const struct faults_call call = {OP_REMOVE, type, 0, NULL, 0, NULL};
    sai_status_t status = begin(faults, &call);

    if (status == SAI_STATUS_SUCCESS) {
        status = faults->inner->ops->remove(faults->inner, type, oid);
        backend->switch_id = faults->inner->switch_id;
    }
    return status;
}

static sai_status_t
faults_do_set(struct sai_backend *backend, sai_object_type_t type,
              sai_object_id_t oid, const sai_attribute_t *attribute)
{
    struct faults *faults = (struct faults *)backend;
    const struct faults_call call = {OP_SET, type, 1, attribute, 0, NULL};
    const sai_status_t status = begin(faults, &call);

    return status == SAI_STATUS_SUCCESS
               ? faults->inner->ops->set(faults->inner, type, oid, attribute)
               : status;
}

static sai_status_t
faults_do_get(struct sai_backend *backend, sai_object_type_t type,
              sai_object_id_t oid, uint32_t n, sai_attribute_t *attributes)
{
    struct faults *faults = (struct faults *)backend;
    const struct faults_call call = {OP_GET, type, n, attributes, 0, NULL};
    const sai_status_t status = begin(faults, &call);

    return status == SAI_STATUS_SUCCESS
               ? faults->inner->ops->get(faults->inner, type, oid, n,
                                         attributes)
               : status;
}

static sai_status_t
faults_do_get_stats(struct sai_backend *backend, sai_object_type_t type,
                    sai_object_id_t oid, uint32_t n, const sai_stat_id_t *ids,
                    sai_stats_mode_t mode, uint64_t *values)
{
    struct faults *faults = (struct faults *)backend;
    const struct faults_call call = {OP_GET_STATS, type, 0, NULL, n, ids};
    const sai_status_t status = begin(faults, &call);

    return status == SAI_STATUS_SUCCESS
               ? faults->inner->ops->get_stats(faults->inner, type, oid, n, ids,
                                               mode, values)
               : status;
}

/* Applies the rules to each object. */
static sai_status_t
faults_do_get_stats_many(struct sai_backend *backend,
                         const struct backend_stats *call)
{
    struct faults *faults = (struct faults *)backend;

    return faults->n_entries ? backend_get_stats_singly(backend, call)
                             : backend_get_stats_many(faults->inner, call);
}

/* Applies the rules to the only object of 'call' and makes the call unless they
 * fail it: a backend_one_fn. */
static sai_status_t
faults_do_one(struct sai_backend *backend, const struct backend_many *many)
{
    struct faults *faults = (struct faults *)backend;
    const struct faults_call call = {
        op_single(many->op), many->type, backend_count(many, 0),
        many->attributes,    0,          NULL};
    const sai_status_t status = begin(faults, &call);

    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    (void)backend_do_many(faults->inner, many);
    return many->statuses[0];
}

static sai_status_t
faults_do_many(struct sai_backend *backend, const struct backend_many *call)
{
    struct faults *faults = (struct faults *)backend;
    const sai_status_t status =
        faults->n_entries ? backend_do_apart(backend, call, faults_do_one)
                          : backend_do_many(faults->inner, call);

    backend->switch_id = faults->inner->switch_id;
    return status;
}

static const struct sai_backend_ops faults_ops = {
    .create = faults_do_create,
    .remove = faults_do_remove,
    .set = faults_do_set,
    .get = faults_do_get,
    .get_stats = faults_do_get_stats,
    .get_stats_many = faults_do_get_stats_many,
    .many = faults_do_many,
};
