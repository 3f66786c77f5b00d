/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DAEMON_DAEMON_STATE_H
#define ORCHD_DAEMON_DAEMON_STATE_H

/* The parts of the daemon, which daemon.c creates and connects.  Internal to
 * daemon/. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "orchd/daemon/provider.h"
#include "orchd/switch/switch_identity.h"
#include "orchd/telemetry/metrics/metrics.h"
#include "process/confinement.h"

struct agent;
struct burst;
struct chip;
struct chip_rows;
struct control;
struct daemon_watchdog;
struct feed;
struct history;
struct http_server;
struct log;
struct loop;
struct notifications;
struct notify;
struct options;
struct page;
struct publisher;
struct redis;
struct schema;
struct settings;
struct softasic_ops;
struct spawn;
struct tester_watch;
struct writeback;

struct daemon {
    struct loop *loop;
    struct log *log;
    struct spawn *spawn; /* The private Redis, or NULL. */
    struct notifications *notifications;
    struct notify *notify; /* NULL: there is no service manager. */
    uint64_t generation;   /* Plans continue to count from here. */
    bool lost;             /* The switch has failed: start over. */
    bool uses_shipped; /* The log says that a shipped lookup table applies. */
    bool restarted;    /* It has done so before. */
    unsigned int n_unusable; /* Switches in a row whose ports it cannot read. */
    struct err disowned;     /* Another orchd works on Redis; else no status. */
    bool reading;            /* CONFIG_DB is being read completely. */
    bool read;               /* It was, once, */
    uint64_t read_generation; /* at this generation; */
    bool written;             /* since then rows have come from clients. */
    struct redis *redis;
    struct schema *schema;
    struct publisher *publisher;
    struct agent *agent;
    struct daemon_watchdog *watchdog;
    struct tester_watch *testers;
    const struct softasic_ops *soft; /* NULL: a foreign libsai. */
    const char *channels[8];         /* Redis channels to subscribe to. */
    struct feed *feed;
    struct provider *provider;
    struct control *control;
    struct page *page;        /* Exists with 'http'. */
    struct http_server *http; /* NULL: not set. */
    struct durations plans;
    int64_t started;                 /* Time of day. */
    struct history *history;         /* NULL: there is none. */
    struct err history_trouble;      /* Of its start; else no status. */
    struct burst *burst;             /* Exists with 'history'. */
    struct chip *chip;               /* NULL: unknown. */
    struct switch_identity identity; /* If there is a switch. */
    struct chip_rows *chip_rows;
    const struct options *options;
    struct settings *settings; /* In force. */
    struct settings
        *read_settings;          /* As read last, with what needs a restart. */
    struct writeback *writeback; /* NULL: disabled. */
    struct confinement confinement;
};

/* Returns the backends around the switch, NULL if there is none. */
static inline struct chain *
daemon_chain(const struct daemon *daemon)
{
    return daemon->provider->ops->chain(daemon->provider);
}

/* Returns the description of the switch, NULL if there is none. */
static inline const struct switch_identity *
daemon_identity(const struct daemon *daemon)
{
    return daemon_chain(daemon) ? &daemon->identity : NULL;
}

#endif /* orchd/daemon/daemon_state.h */
