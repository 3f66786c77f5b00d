/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_EXECUTOR_H
#define ORCHD_RECONCILE_EXECUTOR_H

/* The context in which the steps of a plan are carried out, shared by execute.h
 * and create.h. */

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

/* All pointers are borrowed. */
struct executor {
    struct graph *graph;
    struct sai_backend *backend;
    struct ports *ports;
    struct timeline *timeline;
    const struct listener *listener;
    const struct adopted_values
        *adopted;     /* NULL: no adoption is in progress. */
    uint64_t n_calls; /* Each object of a bulk call counts as one. */
    uint64_t n_refused;
    bool freed; /* A step has freed resources since the owner last cleared this.
                 */
};

/* Records that SAI refused what 'refusal' stands for: the creation, replacement
 * or removal of 'object', or a change of one of its slots. */
void executor_refuse(struct executor *executor, struct object *object,
                     struct refusal *refusal, sai_status_t status, int64_t now);

#endif /* orchd/reconcile/executor.h */
