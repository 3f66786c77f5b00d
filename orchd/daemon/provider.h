/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DAEMON_PROVIDER_H
#define ORCHD_DAEMON_PROVIDER_H

/* What brings the desired objects to a switch.
 *
 * The setting "output" selects one of the providers:
 *
 *   provider_sai.h        loads a libsai, creates its switch, and makes the
 *                         calls that a plan consists of
 *   provider_orchagent.h  publishes the buffer tables for orchagent, and judges
 *                         by ASIC_DB what became of them
 *
 * A provider hands the switch over as a backend (sai/core/backend.h).  The
 * agent plans for it and judges rows by what it answers, whichever provider it
 * comes from.  The daemon calls a provider only through this interface, so no
 * other code depends on the setting. */

#include <stdbool.h>
#include <stddef.h>

#include <sai.h>

#include "base/status.h"
#include "orchd/db/redis_types.h"
#include "orchd/intent/table.h"

struct agent;
struct chain;
struct chip;
struct field;
struct loader_options;
struct log;
struct loop;
struct notifications;
struct provider;
struct publisher;
struct redis;
struct settings;
struct softasic_ops;
struct switch_identity;

/* A switch, as a provider hands it over.  All is borrowed from the provider. */
struct provider_switch {
    struct chain *chain; /* Around its backend (sai/stack/chain.h). */
    const struct softasic_ops *soft; /* NULL: it is not simulated. */

    /* The notifications that it sends to the queue of the daemon: that it has
     * failed, and of storms. */
    bool reports_failure;
    bool reports_storms;

    void *testers_symbol; /* Of its library, for tester_watch_attach(). */
};

struct provider_ops {
    /* Frees the provider, and ends the use of the switch. */
    void (*destroy)(struct provider *provider);

    /* A row of CONFIG_DB is now as given; no fields: it was removed. */
    void (*row)(struct provider *provider, enum table table, const char *key,
                const struct field *fields, size_t n);

    /* A complete reading of CONFIG_DB has begun or 'ended'. */
    void (*reading)(struct provider *provider, bool ended);

    /* Redis has become reachable, or may have lost data; a key of 'watched' of
     * its kind was written or removed. */
    void (*resync)(struct provider *provider);
    void (*watched_key)(struct provider *provider, enum database database,
                        const char *key);

    /* Fills 'result' and returns true if the switch has become usable in this
     * call, which the daemon makes once per turn, as soon as it has read all
     * that a first plan depends on. */
    bool (*turn)(struct provider *provider, struct provider_switch *result);

    /* Called at the end of each turn of the agent; 'settled': the initial
     * configuration is complete, and the agent has nothing left to do. Returns
     * whether the agent has work again. */
    bool (*turn_end)(struct provider *provider, bool settled);

    /* Ends what other programs do for orchd; Redis is still connected. */
    void (*end)(struct provider *provider);

    /* Returns whether what COUNTERS_DB has of counter 'id' of objects of 'type'
     * was read by another program a moment ago, and goes on being read. */
    bool (*is_recent)(const struct provider *provider, sai_object_type_t type,
                      sai_stat_id_t id);

    /* Returns the chain of the switch, NULL before it is usable. */
    struct chain *(*chain)(const struct provider *provider);

    /* Returns the hwsku that the switch was created with, "" if it has none,
     * and NULL if there is no switch or its model does not depend on the
     * hwsku. */
    const char *(*hwsku)(const struct provider *provider);

    /* Returns whether the switch will be usable soon, unless more rows arrive
     * or it refuses. */
    bool (*is_coming)(const struct provider *provider);

    /* Returns why the last attempt to use the switch failed, NULL if none
     * failed or it is usable. */
    const struct err *(*trouble)(const struct provider *provider);

    /* Returns why there is no switch, for the status of rows; NULL if it is
     * usable or will be soon. */
    const struct err *(*absence)(const struct provider *provider);

    /* Finds the description of the chip of a usable switch.  The caller ends
     * '*chip' with chip_file_destroy(). */
    enum st (*find_chip)(const struct provider *provider, struct chip **chip,
                         struct err *err);

    /* Describes a usable switch; 'chip' is its description, NULL if
     * unknown. */
    void (*identify)(const struct provider *provider, const struct chip *chip,
                     struct switch_identity *identity);
};

/* A provider embeds this as its first member. */
struct provider {
    const struct provider_ops *ops;
};

/* What a provider works with.  All is borrowed for as long as it exists, but
 * 'loader' itself only for its creation. */
struct provider_options {
    const struct settings *settings;
    const struct loader_options *loader;
    struct loop *loop;
    struct log *log;
    struct agent *agent;
    struct publisher *publisher;
    struct redis *redis;
    struct notifications *notifications;
};

/* One kind of provider. */
struct provider_kind {
    bool loads_library;     /* That of the setting "sai". */
    bool counted_by_others; /* Another program polls counters and handles PFC
                             * storms; COUNTERS_DB has both. */
    const struct redis_keys *watched; /* See redis_options.  NULL: none. */
    const struct redis_keys *owned;   /* See redis_options.  NULL: all. */

    /* Returns a provider; its 'destroy' frees it. */
    struct provider *(*create)(const struct provider_options *options);
};

#endif /* orchd/daemon/provider.h */
