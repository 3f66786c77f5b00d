/* SPDX-License-Identifier: Apache-2.0 */

/* The state machine that decides whether removals may be applied. */

#include <config.h>

#include "orchd/db/gate.h"

#include <string.h>

static const char *const sentences[] = {
#define X(member, sentence) sentence,
    GATE_REASON_LIST(X)
#undef X
};

enum gate_reason
gate_why(const struct gate *gate)
{
    return gate_next(gate) == INT64_MAX ? gate->reason : GATE_SETTLING;
}

const char *
gate_reason_sentence(enum gate_reason reason)
{
    return sentences[reason];
}

/* Closes the gate and resets what it knows of the database. */
static void
gate_close(struct gate *gate, enum gate_reason reason)
{
    gate->open = false;
    gate->reason = reason;
    gate->reading = false;
    gate->read = false;
    gate->initialized = false;
    gate->ports = false;
    gate->by_operator = false;
    gate->by_patience = false;
    gate->settling = false;
}

/* Patience begins when the contents of CONFIG_DB are known and have PORT rows:
 * before, there is nothing that a client could keep changing. */
static void
gate_settle(struct gate *gate, int64_t now)
{
    if (!gate->settling && gate->read && gate->ports) {
        gate->settling = true;
        gate->settling_since = now;
    }
}

void
gate_init(struct gate *gate, int64_t now)
{
    memset(gate, 0, sizeof *gate);
    gate->last_row = now;
    gate_close(gate, GATE_START);
}

void
gate_link_lost(struct gate *gate)
{
    gate_close(gate, GATE_LINK);
}

void
gate_flushed(struct gate *gate)
{
    gate_close(gate, GATE_FLUSHED);
}

void
gate_reading_begin(struct gate *gate)
{
    gate->reading = true;
}

void
gate_row(struct gate *gate, bool is_port, int64_t now)
{
    gate->last_row = now;
    gate->ports |= is_port;
    gate_settle(gate, now);
}

void
gate_initialized(struct gate *gate, bool initialized)
{
    gate->initialized = initialized;
}

void
gate_reading_end(struct gate *gate, bool initialized, bool ports, int64_t now)
{
    if (!gate->reading) {
        return;
    }
    gate->reading = false;
    gate->read = true;
    gate->initialized = initialized;
    gate->ports = ports;
    if (!initialized && !ports && !gate->by_operator) {
        /* CONFIG_DB still counts as read: its contents are complete, but
         * nothing confirms that they are intended. */
        gate->open = false;
        gate->reason = GATE_EMPTY;
        gate->by_patience = false;
        gate->settling = false;
    }
    gate_settle(gate, now);
}

void
gate_resume(struct gate *gate)
{
    gate->by_operator = true;
}

int64_t
gate_next(const struct gate *gate)
{
    int64_t quiet = gate->last_row + GATE_QUIET_NS;
    int64_t patience = gate->settling_since + GATE_PATIENCE_NS;

    if (gate->open || !gate->settling) {
        return INT64_MAX;
    }
    return quiet < patience ? quiet : patience;
}

bool
gate_open(struct gate *gate, int64_t now)
{
    const bool confirmed = gate->initialized || gate->by_operator;

    if (!gate->open && gate->read && (confirmed || now >= gate_next(gate))) {
        gate->open = true;
        gate->by_patience = !confirmed && now < gate->last_row + GATE_QUIET_NS;
    }
    return gate->open;
}

bool
gate_is_open_by_patience(const struct gate *gate)
{
    return gate->by_patience;
}
