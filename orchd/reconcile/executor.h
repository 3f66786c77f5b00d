/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_EXECUTOR_H
#define ORCHD_RECONCILE_EXECUTOR_H

/* What those share who carry out the steps of a plan (execute.h). */

#include <stdbool.h>
#include <stdint.h>

#include <sai.h>

#include "orchd/reconcile/listener.h"
#include "orchd/reconcile/ports.h"
#include "sai/core/backend.h"

struct graph;
struct adopted_values;
struct object;
struct refusal;
struct timeline;

/* What carrying out needs.  All pointers are borrowed. */
struct executor {
    struct graph *graph;
    struct sai_backend *backend;
    struct ports *ports;
    struct timeline *timeline;
    const struct listener *listener;
    const struct adopted_values *adopted; /* NULL: there is none (any more). */
    uint64_t n_calls; /* An object that is set with others counts as one. */
    uint64_t n_refused;
    bool freed; /* A step has freed resources since the owner reset this. */
};

/* Notes that 'object' was refused what 'refusal' is about: itself, or one of
 * its slots. */
void executor_refuse(struct executor *executor, struct object *object,
                     struct refusal *refusal, sai_status_t status, int64_t now);

#endif /* orchd/reconcile/executor.h */
