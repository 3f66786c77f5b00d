/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DB_GATE_H
#define ORCHD_DB_GATE_H

/* Decides whether removals may be applied now: missing data must not wipe the
 * switch.
 *
 * Problem: rows are missing because a user deleted them, but also because Redis
 * restarted without its data, because of FLUSHDB, which no notification
 * announces, or because the program that fills CONFIG_DB has not finished.  To
 * treat the latter as deletions would wipe a switch that forwards traffic.
 *
 * Idea: the gate is closed at start, when the connection is lost, after a
 * flush, and when a full reading finds neither of the two signs that CONFIG_DB
 * is filled.  It opens only after a full reading, begun after it closed, and
 *   - CONFIG_DB_INITIALIZED is 1, or
 *   - there are PORT rows, and no row arrived for GATE_QUIET_NS, or
 *     GATE_PATIENCE_NS passed since PORT rows and a full reading were both
 *     there: clients that never stop writing must not hold back removals
 *     without an end, or
 *   - an operator confirms it (valid until the connection is lost or the
 *     database is flushed again).
 * While it is closed, new and changed rows are applied as always; only removals
 * wait.
 *
 * Pure: the owner reports events with their times, and asks. */

#include <stdbool.h>
#include <stdint.h>

#define GATE_QUIET_NS    (INT64_C(500) * 1000 * 1000)
#define GATE_PATIENCE_NS (INT64_C(5) * 1000 * 1000 * 1000)

/* X(member, name, sentence).  Why the gate is closed. */
#define GATE_REASON_LIST(X)                                                    \
    X(START, "CONFIG_DB has not been read yet")                                \
    X(LINK, "the connection to Redis is lost")                                 \
    X(FLUSHED, "a database was flushed")                                       \
    X(EMPTY, "CONFIG_DB has no PORT rows and CONFIG_DB_INITIALIZED is not 1")  \
    X(SETTLING,                                                                \
      "CONFIG_DB is still changing (waiting for 500 ms without writes, at "    \
      "most 5 s) and CONFIG_DB_INITIALIZED is not 1")

enum gate_reason {
#define X(member, sentence) GATE_##member,
    GATE_REASON_LIST(X)
#undef X
        N_GATE_REASONS
};

struct gate {
    bool open;
    enum gate_reason reason; /* Of the last time it closed. */
    bool reading;            /* A reading that started after it closed is in
                              * progress ... */
    bool read;               /* ... and has ended. */
    bool initialized;        /* CONFIG_DB_INITIALIZED is 1. */
    bool ports;              /* PORT rows exist, as far as reported. */
    bool by_operator;        /* Opened by the operator. */
    bool by_patience;        /* Opened although CONFIG_DB was not quiet. */
    int64_t last_row;        /* When the last row arrived. */
    bool settling;           /* Read, and there are PORT rows, ... */
    int64_t settling_since;  /* ... since then. */
};

/* Returns why 'gate' is closed: the last event that closed it, or GATE_SETTLING
 * if only the quiet time is missing. */
enum gate_reason gate_why(const struct gate *gate);

/* Returns a sentence that explains 'reason'. */
const char *gate_reason_sentence(enum gate_reason reason);

/* Starts closed, because of GATE_START. */
void gate_init(struct gate *gate, int64_t now);

/* Report events.  An aborted reading does not end; the next one begins from the
 * start. */
void gate_link_lost(struct gate *gate);
void gate_flushed(struct gate *gate);
void gate_reading_begin(struct gate *gate);
void gate_row(struct gate *gate, bool is_port, int64_t now);
void gate_initialized(struct gate *gate, bool initialized);
void gate_reading_end(struct gate *gate, bool initialized, bool ports,
                      int64_t now);

/* An operator confirms the present contents of CONFIG_DB.  Takes effect when a
 * reading that started after the gate closed has ended. */
void gate_resume(struct gate *gate);

/* Opens the gate if it may open at 'now'.  Returns whether it is open. */
bool gate_open(struct gate *gate, int64_t now);

/* Returns whether 'gate' is open only because GATE_PATIENCE_NS have passed:
 * CONFIG_DB was neither quiet nor marked as complete. */
bool gate_is_open_by_patience(const struct gate *gate);

/* Returns when to call gate_open() again without another event, INT64_MAX if
 * only an event can open the gate. */
int64_t gate_next(const struct gate *gate);

#endif /* orchd/db/gate.h */
