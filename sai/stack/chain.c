/* SPDX-License-Identifier: Apache-2.0 */

/* Wraps backends around each other.
 *
 * The chain always has all its parts.  An idle part costs a call through a
 * pointer; in return, it can be switched on later without a change of the
 * pointer that the callers have. */

#include <config.h>

#include "sai/stack/chain.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "sai/stack/faults.h"
#include "sai/stack/guard.h"
#include "sai/stack/meter.h"
#include "sai/stack/record_snapshot.h"

struct chain {
    struct faults *faults;
    struct guard *guard;
    struct meter *meter;
    struct recorder *recorder;
    struct recorder_options record; /* The profile is owned, as an array. */
    char *path;                     /* NULL: none was named. */
};

struct chain *
chain_create(struct sai_backend *vendor, const struct chain_system *system,
             const struct recorder_options *record)
{
    struct chain *chain = check_calloc(1, sizeof *chain);
    struct loader_pair *profile =
        check_calloc(record->n_profile + 1, sizeof *profile);

    if (record->n_profile) {
        memcpy(profile, record->profile, record->n_profile * sizeof *profile);
    }
    chain->record = *record;
    chain->record.profile = profile;
    chain->path = check_strdup(record->path);
    chain->faults = faults_create(vendor, system->sleep, system->clock.context);
    chain->guard = guard_create(faults_backend(chain->faults));
    chain->meter = meter_create(guard_backend(chain->guard),
                                system->clock.now_ns, system->clock.context);
    chain->recorder =
        recorder_create(meter_backend(chain->meter), &system->clock);
    return chain;
}

void
chain_destroy(struct chain *chain)
{
    if (chain) {
        recorder_destroy(chain->recorder);
        meter_destroy(chain->meter);
        guard_destroy(chain->guard);
        faults_destroy(chain->faults);
        free((struct loader_pair *)(uintptr_t)chain->record.profile);
        free(chain->path);
        free(chain);
    }
}

struct sai_backend *
chain_backend(struct chain *chain)
{
    return recorder_backend(chain->recorder);
}

struct recorder *
chain_recorder(struct chain *chain)
{
    return chain->recorder;
}

struct meter *
chain_meter(struct chain *chain)
{
    return chain->meter;
}

struct guard *
chain_guard(struct chain *chain)
{
    return chain->guard;
}

struct faults *
chain_faults(struct chain *chain)
{
    return chain->faults;
}

enum st
chain_record(struct chain *chain, const char *path, bool late, struct err *err)
{
    enum st st;

    if (path) {
        char *copy = check_strdup(path);

        free(chain->path);
        chain->path = copy;
    }
    if (!chain->path) {
        err_set(err, ST_INVALID, "usage", "there is no file to record to");
        err_set_remedy(err, "name one: orchctl sai trace on FILE");
        return ST_INVALID;
    }
    chain->record.path = chain->path;
    st = recorder_start(chain->recorder, &chain->record, err);
    if (!st && late) {
        record_snapshot(chain->recorder, chain->guard);
    }
    return st;
}
