/* SPDX-License-Identifier: Apache-2.0 */

/* Rules about pools and profiles against the memory and each other. */

#include <config.h>

#include <inttypes.h>

#include "orchd/lint/lint_buffer.h"
#include "orchd/lint/rules.h"
#include "twin/chip/chip.h"

/* --- Reservations ------------------------------------------------------- */

/* Returns what is reserved on one side. */
static uint64_t
reserved_bytes(const struct lint_input *input, bool ingress)
{
    uint64_t bytes = 0;

    for (size_t i = 0; i < input->n_profiles; i++) {
        const struct lint_profile *profile = &input->profiles[i];

        if (profile->pool->ingress == ingress) {
            bytes += profile->n_users * profile->size_bytes;
        }
    }
    for (size_t i = 0; ingress && i < input->n_pools; i++) {
        bytes += input->pools[i].xoff_bytes;
    }
    return bytes;
}

/* Returns the profile whose users reserve most on one side, or NULL. */
static const struct lint_profile *
largest_user(const struct lint_input *input, bool ingress)
{
    const struct lint_profile *largest = NULL;
    uint64_t most = 0;

    for (size_t i = 0; i < input->n_profiles; i++) {
        const struct lint_profile *profile = &input->profiles[i];
        uint64_t bytes = profile->n_users * profile->size_bytes;

        if (profile->pool->ingress == ingress && bytes > most) {
            most = bytes;
            largest = profile;
        }
    }
    return largest;
}

/* The reservations of a side must fit into the memory. */
static void
check_reserved(struct lint_run *run, bool ingress)
{
    uint64_t bytes = reserved_bytes(run->input, ingress);
    const struct lint_profile *profile = largest_user(run->input, ingress);

    if (run->memory_bytes && bytes > run->memory_bytes && profile) {
        lint_add(
            run->groups, LINT_RULE_RESERVED, "BUFFER_PROFILE", profile->name,
            -1, "reduce size of the profile, or xoff of the pool",
            "%" PRIu64 " bytes are reserved at %s, but the chip has %" PRIu64
            "; each of the users of this profile (%zu) reserves %" PRIu64,
            bytes, ingress ? "ingress" : "egress", run->memory_bytes,
            profile->n_users, profile->size_bytes);
    }
}

/* --- Pools -------------------------------------------------------------- */

/* Returns whether groups or queues use a profile of 'pool' that is, or is not,
 * lossless. */
static bool
is_used(const struct lint_input *input, const struct lint_pool *pool,
        bool lossless)
{
    for (size_t i = 0; i < input->n_profiles; i++) {
        const struct lint_profile *profile = &input->profiles[i];

        if (profile->pool == pool && profile->n_users &&
            (profile->xoff_bytes > 0) == lossless) {
            return true;
        }
    }
    return false;
}

/* Compares the numbers of a pool with the memory, and with each other. */
static void
check_pool(struct lint_run *run, const struct lint_pool *pool)
{
    const uint64_t memory = run->memory_bytes;
    const uint64_t size = pool->size_bytes, xoff = pool->xoff_bytes;

    if (memory && size > memory) {
        lint_add(run->groups, LINT_RULE_POOL_SIZE, "BUFFER_POOL", pool->name,
                 -1, "reduce size to at most the memory",
                 "size is %" PRIu64 ", but the chip has %" PRIu64 " bytes",
                 size, memory);
    } else if (memory && run->chip && run->chip->pools_reserve &&
               pool->ingress && xoff > memory - size) {
        lint_add(run->groups, LINT_RULE_POOL_TAKES_ALL, "BUFFER_POOL",
                 pool->name, -1,
                 "reduce size, so that size, xoff and the guarantees of all "
                 "groups fit",
                 "size and xoff add up to %" PRIu64
                 ", but the chip has %" PRIu64 " bytes",
                 size + xoff, memory);
    }
    if (size && xoff > size) {
        lint_add(run->groups, LINT_RULE_POOL_XOFF, "BUFFER_POOL", pool->name,
                 -1, "reduce xoff", "xoff is %" PRIu64 ", but size is %" PRIu64,
                 xoff, size);
    }
    if (!size && is_used(run->input, pool, true)) {
        lint_add(run->groups, LINT_RULE_POOL_EMPTY, "BUFFER_POOL", pool->name,
                 -1, "give the pool a size",
                 "size is 0, and lossless groups use the pool");
    }
}

static void
check_pools(struct lint_run *run)
{
    for (size_t i = 0; i < run->input->n_pools; i++) {
        check_pool(run, &run->input->pools[i]);
    }
}

/* The pool and the other reservations must fit: otherwise shared use can take
 * the memory that headroom relies on. */
static void
check_room_for_headroom(struct lint_run *run)
{
    for (size_t i = 0; i < run->input->n_pools; i++) {
        const struct lint_pool *pool = &run->input->pools[i];
        uint64_t bytes;

        if (!run->buffer || !pool->ingress ||
            !is_used(run->input, pool, true)) {
            continue;
        }
        bytes = lint_buffer_ingress_bytes(run->buffer, pool);
        if (bytes > run->memory_bytes) {
            lint_add(run->groups, LINT_RULE_NO_HEADROOM, "BUFFER_POOL",
                     pool->name, -1,
                     "reduce size of the pool by the difference",
                     "what its groups share, their guarantees and their "
                     "headroom add up to %" PRIu64
                     " bytes, but the chip has %" PRIu64,
                     bytes, run->memory_bytes);
        }
    }
}

/* Returns the ingress pool with the largest capacity that has lossless, or
 * lossy, groups; NULL if there is none. */
static const struct lint_pool *
largest_ingress_pool(const struct lint_run *run, bool lossless,
                     uint64_t *capacity)
{
    const struct lint_pool *largest = NULL;

    *capacity = 0;
    for (size_t i = 0; i < run->input->n_pools; i++) {
        const struct lint_pool *pool = &run->input->pools[i];
        uint64_t bytes;

        if (!pool->ingress || !is_used(run->input, pool, lossless)) {
            continue;
        }
        bytes = run->buffer ? lint_buffer_ingress_bytes(run->buffer, pool)
                            : pool->size_bytes;
        if (bytes > *capacity) {
            *capacity = bytes;
            largest = pool;
        }
    }
    return largest;
}

/* Returns whether a queue that should (not) be lossless uses 'pool'. */
static bool
has_queues(const struct lint_input *input, const struct lint_pool *pool,
           bool lossless)
{
    for (size_t i = 0; i < input->n_ports + input->n_system_ports; i++) {
        const struct lint_port *port = &input->ports[i];

        for (size_t q = 0; q < LINT_QUEUES; q++) {
            if (port->queues[q] && port->queues[q]->pool == pool &&
                (port->lossless_queues >> q & 1) == lossless) {
                return true;
            }
        }
    }
    return false;
}

/* Lossy queues together may hold as much as their pool. */
static void
check_lossy_egress(struct lint_run *run)
{
    uint64_t capacity;
    const struct lint_pool *ingress =
        largest_ingress_pool(run, false, &capacity);

    for (size_t i = 0; ingress && i < run->input->n_pools; i++) {
        const struct lint_pool *pool = &run->input->pools[i];

        if (!pool->ingress && pool->size_bytes > ingress->size_bytes &&
            has_queues(run->input, pool, false) &&
            !has_queues(run->input, pool, true)) {
            lint_add(run->groups, LINT_RULE_LOSSY_EGRESS, "BUFFER_POOL",
                     pool->name, -1,
                     "reduce size of the egress pool to at most that",
                     "it has %" PRIu64 " bytes, but %s, which admits lossy "
                     "traffic at ingress, has %" PRIu64,
                     pool->size_bytes, ingress->name, ingress->size_bytes);
        }
    }
}

/* A queue must be able to hold what ingress has admitted for it, which is
 * everything if all traffic goes there. */
static void
check_lossless_egress(struct lint_run *run)
{
    const size_t n = run->input->n_ports + run->input->n_system_ports;
    uint64_t capacity;

    if (!run->buffer || !largest_ingress_pool(run, true, &capacity)) {
        return;
    }
    for (size_t i = 0; i < n; i++) {
        const struct lint_port *port = &run->input->ports[i];

        for (int q = 0; q < LINT_QUEUES; q++) {
            const struct lint_profile *profile = port->queues[q];
            uint64_t limit;

            if (!profile || !(port->lossless_queues >> q & 1)) {
                continue;
            }
            limit = lint_buffer_alone_bytes(run->buffer, profile);
            if (limit < capacity) {
                lint_add(run->groups, LINT_RULE_LOSSLESS_EGRESS, "BUFFER_QUEUE",
                         port->name, q,
                         "raise the pool and the threshold of the profile to "
                         "what ingress admits, or to the chip's memory, so "
                         "that they are never reached",
                         "%s lets this queue hold %" PRIu64
                         " bytes, but ingress may admit %" PRIu64
                         " lossless bytes",
                         profile->name, limit, capacity);
            }
        }
    }
}

/* --- Lossy traffic at ingress ------------------------------------------- */

/* Returns the smallest limit of a lossy queue of any port, and its profile. */
static const struct lint_profile *
tightest_lossy_queue(const struct lint_run *run, uint64_t *limit)
{
    const struct lint_profile *tightest = NULL;

    *limit = UINT64_MAX;
    for (size_t i = 0; i < run->input->n_profiles; i++) {
        const struct lint_profile *profile = &run->input->profiles[i];
        uint64_t bytes;

        if (profile->pool->ingress || !profile->n_users ||
            has_queues(run->input, profile->pool, true)) {
            continue;
        }
        bytes = lint_buffer_alone_bytes(run->buffer, profile);
        if (bytes < *limit) {
            *limit = bytes;
            tightest = profile;
        }
    }
    return tightest;
}

/* Ingress must not limit lossy traffic before its queue does: it drops traffic
 * to all destinations, not only to the congested one. */
static void
check_lossy_ingress(struct lint_run *run)
{
    const struct lint_profile *queue;
    uint64_t limit;

    queue = run->buffer ? tightest_lossy_queue(run, &limit) : NULL;
    for (size_t i = 0; queue && i < run->input->n_profiles; i++) {
        const struct lint_profile *profile = &run->input->profiles[i];
        uint64_t bytes;

        if (!profile->pool->ingress || profile->xoff_bytes ||
            !profile->n_users) {
            continue;
        }
        bytes = lint_buffer_alone_bytes(run->buffer, profile);
        if (bytes < limit) {
            lint_add(run->groups, LINT_RULE_LOSSY_INGRESS, "BUFFER_PROFILE",
                     profile->name, -1,
                     "give the ingress profile a static_th of the memory, or "
                     "a larger dynamic_th",
                     "it lets a group hold %" PRIu64
                     " bytes, but %s, the tightest of the lossy queues, "
                     "%" PRIu64,
                     bytes, queue->name, limit);
        }
    }
}

void
lint_memory_rules(struct lint_run *run)
{
    check_reserved(run, true);
    check_reserved(run, false);
    check_pools(run);
    check_room_for_headroom(run);
    check_lossy_egress(run);
    check_lossless_egress(run);
    check_lossy_ingress(run);
}

/* --- Profiles ----------------------------------------------------------- */

/* Compares a profile with its pool, and its numbers with each other. */
static void
check_profile(struct lint_run *run, const struct lint_profile *profile)
{
    const struct lint_pool *pool = profile->pool;

    if (!profile->dynamic && profile->static_bytes > pool->size_bytes) {
        lint_add(run->groups, LINT_RULE_STATIC_ABOVE, "BUFFER_PROFILE",
                 profile->name, -1, "lower static_th if it is meant to limit",
                 "static_th is %" PRIu64 ", but %s has only %" PRIu64 " bytes",
                 profile->static_bytes, pool->name, pool->size_bytes);
    }
    if (profile->dynamic != pool->dynamic) {
        lint_add(run->groups, LINT_RULE_MODE_MISMATCH, "BUFFER_PROFILE",
                 profile->name, -1,
                 "use the kind of threshold of the pool's mode",
                 "it has a %s threshold, but %s is %s",
                 profile->dynamic ? "dynamic" : "static", pool->name,
                 pool->dynamic ? "dynamic" : "static");
    }
    if (profile->xoff_bytes && !pool->xoff_bytes &&
        profile->size_bytes < profile->xon_bytes) {
        lint_add(run->groups, LINT_RULE_SIZE_BELOW, "BUFFER_PROFILE",
                 profile->name, -1,
                 "make size at least xon, and xon + xoff if headroom is "
                 "private",
                 "size is %" PRIu64 ", but xon is %" PRIu64,
                 profile->size_bytes, profile->xon_bytes);
    }
}

void
lint_profile_rules(struct lint_run *run)
{
    for (size_t i = 0; i < run->input->n_profiles; i++) {
        check_profile(run, &run->input->profiles[i]);
    }
}
