/* SPDX-License-Identifier: Apache-2.0 */

/* Lets the agent judge when there is news, and publishes again what is not
 * confirmed. */

#include <config.h>

#include "orchd/orchagent/delivery.h"

#include <stdlib.h>

#include "base/check.h"
#include "base/text.h"
#include "base/timeline.h"
#include "orchd/db/redis.h"
#include "orchd/orchagent/appl_tables.h"
#include "orchd/orchagent/asic_reader.h"
#include "orchd/orchagent/asic_rows.h"
#include "orchd/orchagent/evidence.h"
#include "orchd/reconcile/agent.h"
#include "orchd/reconcile/row_status.h"
#include "orchd/translate/translate.h"

struct delivery {
    struct delivery_options options;
    struct asic_rows *rows;
    struct asic_reader *reader;
    struct evidence *evidence;
    struct appl_tables *tables;
    bool usable;    /* The switch was handed over. */
    bool read;      /* CONFIG_DB was read completely, once. */
    bool complete;  /* All rows of it were known, once. */
    int64_t since;  /* When the switch was seen first; 0: it was not. */
    bool has_ports; /* As of then: that was with a port. */
    bool coming;    /* Its ports, or their limits, are waited for. */

    /* The epochs that the agent has judged by. */
    uint64_t rows_epoch, evidence_epoch;

    int64_t repeat_at;     /* When to publish unconfirmed rows again, ... */
    int64_t repeat_after;  /* ... and how long after the last time. */
    uint64_t repeat_epoch; /* Of the rows then. */
    struct timer timer;
};

/* Implements graph_in_force_fn. */
static void
on_in_force(void *delivery_, enum table table, const char *key,
            const struct field *fields, size_t n)
{
    const struct delivery *delivery = delivery_;

    appl_tables_put(delivery->tables, table, key, fields, n);
}

/* Publishes what has changed, without waiting for the end of the turn. */
static void
publish(struct delivery *delivery)
{
    if (delivery->read &&
        appl_tables_turn(delivery->tables, delivery->complete)) {
        redis_send(delivery->options.redis);
    }
}

/* Rows were taken in: orchagent need not wait until they were judged. */
static void
on_taken_in(void *delivery)
{
    publish(delivery);
}

struct delivery *
delivery_create(const struct delivery_options *options)
{
    struct delivery *delivery = check_calloc(1, sizeof *delivery);

    delivery->options = *options;
    delivery->rows = asic_rows_create();
    delivery->reader = asic_reader_create(options->redis, delivery->rows);
    delivery->evidence = evidence_create(delivery->rows, options->confirm_ns);
    delivery->tables = appl_tables_create(options->redis);
    delivery->repeat_after = DELIVERY_REPEAT_MIN_NS;
    delivery->timer.fire = timer_wake;
    agent_listen_in_force(options->agent, on_in_force, on_taken_in, delivery);
    return delivery;
}

void
delivery_destroy(struct delivery *delivery)
{
    if (delivery) {
        timeline_cancel(delivery->options.timeline, &delivery->timer);
        appl_tables_destroy(delivery->tables);
        evidence_destroy(delivery->evidence);
        asic_reader_destroy(delivery->reader);
        asic_rows_destroy(delivery->rows);
        free(delivery);
    }
}

void
delivery_begin_reading(struct delivery *delivery)
{
    asic_reader_refresh(delivery->reader);
}

void
delivery_note_reading(struct delivery *delivery)
{
    delivery->read = true;
}

void
delivery_resync(struct delivery *delivery)
{
    asic_reader_restart(delivery->reader);
    appl_tables_restart(delivery->tables);
}

void
delivery_key(struct delivery *delivery, enum database database, const char *key)
{
    asic_reader_key(delivery->reader, database, key);
}

/* Returns whether the switch can be handed over. */
static bool
is_usable(struct delivery *delivery, int64_t now)
{
    size_t n_there, n_limited;
    const size_t n = evidence_n_ports(delivery->evidence, &n_there, &n_limited);

    if (!asic_reader_complete(delivery->reader) ||
        !evidence_has_switch(delivery->evidence)) {
        return false;
    }
    if (!delivery->since || delivery->has_ports != (n_there > 0)) {
        delivery->since = now;
        delivery->has_ports = n_there > 0;
    }
    delivery->coming =
        n_limited < n && now - delivery->since < DELIVERY_PATIENCE_NS;
    if (delivery->coming) {
        timeline_set(delivery->options.timeline, &delivery->timer,
                     delivery->since + DELIVERY_PATIENCE_NS);
    }
    return !delivery->coming && (n == 0 || n_there > 0);
}

/* Lets the agent judge again if there is news. */
static bool
judge(struct delivery *delivery, int64_t now)
{
    struct agent *agent = delivery->options.agent;
    const uint64_t rows = asic_rows_epoch(delivery->rows);
    const uint64_t wishes = evidence_epoch(delivery->evidence);

    if (!delivery->usable || agent_is_planning(agent) ||
        (rows == delivery->rows_epoch && wishes == delivery->evidence_epoch)) {
        return false;
    }
    if (evidence_review(delivery->evidence)) {
        agent_doubt(agent, evidence_doubts, delivery->evidence);
        delivery->repeat_at = now + DELIVERY_REPEAT_LOST_NS;
    }
    agent_reconsider(agent);
    delivery->rows_epoch = rows;
    delivery->evidence_epoch = wishes;
    return true;
}

bool
delivery_turn(struct delivery *delivery, int64_t now)
{
    evidence_set_now(delivery->evidence, now);
    asic_reader_turn(delivery->reader);
    if (delivery->usable) {
        return false; /* Judged at the end: what is new is published first. */
    }
    delivery->usable = is_usable(delivery, now);
    return delivery->usable;
}

/* Implements appl_tables_kept_fn: returns whether orchagent has left a field as
 * it was, when a previous producer or run dropped it. */
static bool
is_kept(void *delivery_, enum table table, const char *key, const char *field)
{
    const struct delivery *delivery = delivery_;
    struct text name = {0};
    bool kept;

    table_add_row(&name, table, key);
    kept = evidence_left_over(delivery->evidence, translate_object_type(table),
                              text_string(&name),
                              translate_field_attribute(table, field));
    text_fini(&name);
    return kept;
}

/* Publishes a row again unless it is confirmed. */
static void
repeat_row(void *delivery_, const struct row_status *status)
{
    struct delivery *delivery = delivery_;

    if (status->state == ROW_STATE_WAITING ||
        status->state == ROW_STATE_FAILED ||
        status->state == ROW_STATE_PENDING_DELETE) {
        appl_tables_reset(delivery->tables, status->table, status->key, is_kept,
                          delivery);
        appl_tables_repeat(delivery->tables, status->table, status->key);
    }
}

/* Publishes unconfirmed rows again at 'when' at the latest. */
static void
bring_forward(struct delivery *delivery, int64_t when)
{
    if (delivery->repeat_at > when) {
        delivery->repeat_at = when;
    }
}

/* Publishes unconfirmed rows again if that is due. */
static void
repeat(struct delivery *delivery, int64_t now)
{
    const uint64_t epoch = asic_rows_epoch(delivery->rows);
    struct agent_figures figures;

    if (!delivery->usable) {
        return; /* The timer is that of the patience with its ports. */
    }
    agent_figures(delivery->options.agent, &figures);
    if (figures.n_rows[ROW_STATE_WAITING] + figures.n_rows[ROW_STATE_FAILED] +
            figures.n_rows[ROW_STATE_PENDING_DELETE] ==
        0) {
        delivery->repeat_at = 0;
        delivery->repeat_after = DELIVERY_REPEAT_MIN_NS;
        timeline_cancel(delivery->options.timeline, &delivery->timer);
        return;
    }
    if (epoch != delivery->repeat_epoch) {
        /* Progress, or news: it does not have to be waited for so long. */
        delivery->repeat_epoch = epoch;
        delivery->repeat_after = DELIVERY_REPEAT_MIN_NS;
        bring_forward(delivery, now + delivery->repeat_after);
    }
    if (!delivery->repeat_at) {
        delivery->repeat_at = now + delivery->repeat_after;
    } else if (now >= delivery->repeat_at) {
        agent_each_row_of(delivery->options.agent, table_buffers,
                          TABLE_N_BUFFERS, repeat_row, delivery);
        delivery->repeat_after *= 2;
        if (delivery->repeat_after > DELIVERY_REPEAT_MAX_NS) {
            delivery->repeat_after = DELIVERY_REPEAT_MAX_NS;
        }
        delivery->repeat_at = now + delivery->repeat_after;
    }
    timeline_set(delivery->options.timeline, &delivery->timer,
                 delivery->repeat_at);
}

bool
delivery_turn_end(struct delivery *delivery, int64_t now, bool settled)
{
    if (!delivery->read) {
        return false;
    }
    repeat(delivery, now);
    delivery->complete |= settled;
    publish(delivery);
    return judge(delivery, now);
}

struct evidence *
delivery_evidence(const struct delivery *delivery)
{
    return delivery->evidence;
}

const struct asic_rows *
delivery_rows(const struct delivery *delivery)
{
    return delivery->rows;
}

bool
delivery_asic_read(const struct delivery *delivery)
{
    return asic_reader_complete(delivery->reader);
}

bool
delivery_asic_coming(const struct delivery *delivery)
{
    return delivery->coming;
}

bool
delivery_appl_known(const struct delivery *delivery, size_t *n_pending)
{
    return appl_tables_known(delivery->tables, n_pending);
}
