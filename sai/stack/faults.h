/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_STACK_FAULTS_H
#define ORCHD_SAI_STACK_FAULTS_H

/* Fault injection: a backend that wraps another and fails or delays some calls.
 *
 * Motivation: tests of what orchd does when a vendor library refuses a call,
 * runs out of resources, lacks an attribute or is slow need a vendor library
 * that does so on demand.
 *
 * A rule says which calls it matches (operation, object type, attribute; each
 * is optional), which of these it strikes (the n-th, every n-th, a percentage,
 * or all), and the effect: a status without a call of the vendor, a delay
 * before the call, or both.  The first striking rule with a status determines
 * the result; the delays of all striking rules add up.  Every rule counts all
 * its matching calls, also those that another rule fails.
 *
 * A status of a family with an index (ATTR_NOT_SUPPORTED_0) gets the index of
 * the rule's attribute in the call.  So a rule with an attribute, no operation
 * and that status simulates a vendor without the attribute.
 *
 * While there are rules, a bulk operation becomes one call per object, to which
 * the rules for OP_SET and so on apply. */

#include <stdbool.h>
#include <stdint.h>

#include "sai/core/backend.h"
#include "sai/core/op.h"

struct faults;

struct faults_rule {
    /* Which calls. */
    bool any_op;
    enum op op;             /* Of a single object. */
    sai_object_type_t type; /* SAI_OBJECT_TYPE_NULL: any. */
    bool any_attribute;
    sai_attr_id_t attribute; /* Given, set or asked by the call. */
    bool by_counter;
    sai_stat_id_t counter; /* Read by the call, which reads counters. */

    /* Which of these; at most one is not zero, all zero: each. */
    uint64_t nth;         /* That one only, counted from 1. */
    uint64_t every;       /* Each n-th. */
    unsigned int percent; /* By chance; 1..100. */
    uint64_t seed;        /* Of the chance. */

    /* What happens. */
    sai_status_t status; /* SAI_STATUS_SUCCESS: the call is made. */
    int64_t delay_ns;
};

/* A rule at work. */
struct faults_entry {
    unsigned int id; /* From 1, never used again. */
    struct faults_rule rule;
    uint64_t n_matches; /* Calls that it is about. */
    uint64_t n_strikes;
    uint64_t random; /* State of the chance. */
};

/* Waits for 'ns'. */
typedef void faults_sleep_fn(void *context, int64_t ns);

/* Returns a backend without rules around 'inner', which is borrowed.  Destroy
 * it with faults_destroy(). */
struct faults *faults_create(struct sai_backend *inner, faults_sleep_fn *sleep,
                             void *context);

/* Frees 'faults'.  Accepts NULL. */
void faults_destroy(struct faults *faults);

/* Returns the backend.  Borrowed. */
struct sai_backend *faults_backend(struct faults *faults);

/* Adds a copy of 'rule' behind all others and returns its id. */
unsigned int faults_add(struct faults *faults, const struct faults_rule *rule);

/* Removes rule 'id', or all.  Returns whether there was one. */
bool faults_remove(struct faults *faults, unsigned int id);
void faults_clear(struct faults *faults);

/* Returns the rules in order, and how many in '*n'.  Borrowed, until one is
 * added or removed. */
const struct faults_entry *faults_entries(const struct faults *faults,
                                          uint32_t *n);

#endif /* sai/stack/faults.h */
