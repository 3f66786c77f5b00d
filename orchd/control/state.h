/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_CONTROL_STATE_H
#define ORCHD_CONTROL_STATE_H

/* What the daemon passes to the control socket: services at its creation, and
 * the state at the end of each turn, which commands that wait use. */

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sai.h>

struct agent;
struct burst;
struct err;
struct history;
struct log;
struct redis;

/* What the commands need from the daemon.  All pointers are borrowed and
 * outlive the control. */
struct control_services {
    struct agent *agent;
    struct redis *redis;
    struct history *history;           /* NULL: orchd keeps none, */
    const struct err *history_trouble; /* because of this; no status: because it
                                        * has no --state-dir. */
    const char *state_dir;             /* NULL: none. */
    struct burst *burst;               /* Exists with 'history'. */
    struct log *log; /* Whose levels "log level" shows and sets. */

    /* The operator confirms that CONFIG_DB is complete: orchd may remove from
     * the ASIC what CONFIG_DB lacks. */
    void (*resume)(void *context);

    /* Returns a new list of the settings of orchd, "KEY=VALUE", for a dry
     * run. */
    json_t *(*settings)(void *context);

    /* Returns a new object: all settings, where they come from and which of
     * them wait for a restart.  Reads the configuration again, and returns what
     * has changed, or the problems (orchd/daemon/daemon_reload.h). */
    json_t *(*show_settings)(void *context);
    json_t *(*reload)(void *context);

    /* Return a new list about the port or pool 'name' (NULL: all): packets
     * dropped by reason, pauses by priority, watermarks, and queues that the
     * PFC watchdog watches.  A NULL function: there are no such counters; of
     * the watchdog: it is another program's, which describes its queues in
     * COUNTERS_DB. */
    json_t *(*drops)(void *context, const char *name);
    json_t *(*pauses)(void *context, const char *name);
    json_t *(*watermarks)(void *context, const char *name);
    json_t *(*watchdog)(void *context, const char *name);

    /* Another program polls counters: COUNTERS_DB has those of objects, and
     * their watermarks.  The function returns whether the values there of
     * counter 'id' of objects of 'type' are recent; it is not NULL then. */
    bool counted_by_others;
    bool (*is_recent)(void *context, sai_object_type_t type, sai_stat_id_t id);

    /* Adds what the PFC watchdog has published about queue 'index' of 'port',
     * 'queue' on the switch, to an object of counters.  NULL: nothing. */
    void (*storms)(void *context, const char *port, unsigned int index,
                   sai_object_id_t queue, json_t *counters);

    /* Returns a new object that describes orchd and the switch
     * (daemon_status.h); a NULL function: there is nothing to say. */
    json_t *(*status)(void *context);
    void *context;
};

struct control_state {
    bool coming;      /* Rows wait for something that will happen by itself: the
                       * switch will be created, or a hold ends. */
    const char *hold; /* Why removals are held back, "" if they are not. */
    size_t withheld;  /* How many removals are held back. */
    const struct err *trouble; /* Why there is no ASIC, or NULL. */
    const struct err *refused; /* Why the chip rows in STATE_DB are refused, or
                                * NULL. */
    bool written; /* A client has written rows since CONFIG_DB was */
    uint64_t read_generation; /* read first, which was at this generation. */

    /* When the PFC watchdog polls next, by the clock of the switch, INT64_MAX:
     * never; and whether the effects of the last poll are not on the switch
     * yet.  Time that commands let pass stops there. */
    int64_t poll_ns;
    bool catching_up;
};

#endif /* orchd/control/state.h */
