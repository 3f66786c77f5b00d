/* SPDX-License-Identifier: Apache-2.0 */

/* Drives orchd's PFC watchdog on a switch of a fabric. */

#include <config.h>

#include "lab/builder/switch_watchdog.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/pfc.h"
#include "base/picoseconds.h"
#include "lab/builder/switch_image.h"
#include "orchd/watchdog/memory_store.h"
#include "orchd/watchdog/pfcwd.h"
#include "twin/event/engine.h"

enum {
    TEXT_SIZE = 96,
    FIELDS_PER_PORT = 3,
    FIELDS_OF_ALL = 2, /* Poll interval and queues. */

    /* Of the timer: after those of deadlocks of queues, at the same port. */
    TIMER = 1 << 10,
};

struct switch_watchdog {
    struct switch_instance *instance;
    struct engine *engine;
    struct memory_store store;
    struct pfcwd *pfcwd;
    struct event timer;
    switch_watchdog_fn *storm;
    void *context;
};

/* Rows -------------------------------------------------------------------- */

/* The rows while they are collected. */
struct rows {
    struct arena *arena;
    struct switch_set *list;
    size_t n;
};

/* Adds a field; the texts are copied. */
static void
add(struct rows *rows, const char *row, const char *field, const char *value)
{
    rows->list[rows->n++] =
        (struct switch_set){arena_strdup(rows->arena, row), field,
                            arena_strdup(rows->arena, value)};
}

static void
add_number(struct rows *rows, const char *row, const char *field,
           uint32_t value)
{
    char text[TEXT_SIZE];

    (void)snprintf(text, sizeof text, "%u", (unsigned int)value);
    add(rows, row, field, text);
}

/* Writes the priorities as CONFIG_DB has them, "3,4". */
static void
write_priorities(uint8_t priorities, char text[TEXT_SIZE])
{
    int n = 0;

    text[0] = '\0';
    for (int p = 0; p < PFC_N_PRIORITIES; p++) {
        if (priorities >> p & 1) {
            n += snprintf(text + n, (size_t)(TEXT_SIZE - n), "%s%d",
                          n ? "," : "", p);
        }
    }
}

/* Returns the name of the port in 'slot'. */
static const char *
port_name(const struct switch_image *image, uint32_t slot)
{
    size_t n;
    const struct switch_image_port *ports = switch_image_ports(image, &n);

    for (size_t i = 0; i < n; i++) {
        if (ports[i].slot == slot) {
            return ports[i].name;
        }
    }
    check_failed("a port of the image", __FILE__, __LINE__);
}

/* Collects the rows that make orchd watch. */
static void
make_rows(const struct switch_image *image,
          const struct switch_watchdog_config *config, struct rows *rows)
{
    char text[TEXT_SIZE];

    rows->list = arena_alloc(rows->arena,
                             config->n_slots * FIELDS_PER_PORT + FIELDS_OF_ALL,
                             sizeof *rows->list);
    add_number(rows, "PFC_WD|GLOBAL", "POLL_INTERVAL", config->poll_ms);
    write_priorities(config->priorities, text);
    add(rows, "PORT_QOS_MAP|*", "pfcwd_sw_enable", text);
    for (size_t i = 0; i < config->n_slots; i++) {
        (void)snprintf(text, sizeof text, "PFC_WD|%s",
                       port_name(image, config->slots[i]));
        add_number(rows, text, "detection_time", config->detection_ms);
        add_number(rows, text, "restoration_time", config->restoration_ms);
        add(rows, text, "action", config->action);
    }
}

/* Driving ----------------------------------------------------------------- */

/* A pfcwd_clock_fn. */
static int64_t
now_ns(void *context)
{
    const struct switch_watchdog *watchdog = context;

    return engine_now_ps(watchdog->engine) / PS_PER_NS;
}

/* Of a struct pfcwd_listener. */
static void
on_storm(void *context, const char *port, unsigned int index, bool begins,
         const char *action)
{
    const struct switch_watchdog *watchdog = context;
    const struct switch_image_port *found =
        switch_image_find_port(switch_instance_image(watchdog->instance), port);

    (void)action;
    orch_assert(found);
    watchdog->storm(watchdog->context, found->slot, index, begins);
}

/* Runs watchdog and pipeline until they are idle, and waits for the next
 * poll. */
static void
turn(struct switch_watchdog *watchdog)
{
    int64_t next_ns;

    do {
        switch_instance_settle(watchdog->instance);
    } while (pfcwd_turn(watchdog->pfcwd, now_ns(watchdog)));
    next_ns = pfcwd_next(watchdog->pfcwd);
    if (next_ns <= now_ns(watchdog)) {
        next_ns = now_ns(watchdog) + 1;
    }
    if (next_ns < INT64_MAX / PS_PER_NS) {
        engine_schedule(watchdog->engine, &watchdog->timer,
                        next_ns * PS_PER_NS);
    }
}

static void
on_poll(struct event *event, int64_t now_ps)
{
    (void)now_ps;
    turn(EVENT_OWNER(event, struct switch_watchdog, timer));
}

enum st
switch_watchdog_create(struct switch_instance *instance, struct engine *engine,
                       const struct switch_watchdog_config *config,
                       struct switch_watchdog **made, struct err *err)
{
    struct rows rows = {.arena = arena_create(0)};
    struct switch_watchdog *watchdog;
    struct pfcwd_listener listener = {.storm = on_storm};
    enum st st;

    make_rows(switch_instance_image(instance), config, &rows);
    st = switch_instance_set(instance, rows.list, rows.n, err);
    arena_destroy(rows.arena);
    if (st) {
        return st;
    }
    watchdog = check_calloc(1, sizeof *watchdog);
    watchdog->instance = instance;
    watchdog->engine = engine;
    watchdog->storm = config->storm;
    watchdog->context = config->context;
    watchdog->timer =
        event_make(EVENT_TIMER_WATCH, config->entity, TIMER, on_poll);
    memory_store_init(&watchdog->store);
    listener.context = watchdog;
    watchdog->pfcwd = pfcwd_create(switch_instance_agent(instance),
                                   &watchdog->store.store, &listener);
    pfcwd_resync(watchdog->pfcwd);
    pfcwd_attach(watchdog->pfcwd, switch_instance_backend(instance), NULL,
                 now_ns, watchdog);
    turn(watchdog);
    *made = watchdog;
    return ST_OK;
}

void
switch_watchdog_destroy(struct switch_watchdog *watchdog)
{
    if (watchdog) {
        engine_cancel(watchdog->engine, &watchdog->timer);
        pfcwd_destroy(watchdog->pfcwd);
        memory_store_fini(&watchdog->store);
        free(watchdog);
    }
}
