/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DB_GATE_H
#define ORCHD_DB_GATE_H

/* Nothing destructive comes from silence: may removals be believed now?
 *
 * Problem: rows vanish because somebody deleted them, but also because Redis
 * came back without its data, because of FLUSHDB, which no notification
 * announces, or because whoever fills CONFIG_DB is not done yet.  To take the
 * latter for the former would wipe a switch that forwards traffic.
 *
 * Idea: the gate is closed at start, when the connection is lost, after a
 * flush, and when a full reading finds neither of the two signs that CONFIG_DB
 * is filled.  It opens only after a full reading, begun after it closed, and
 *   - CONFIG_DB_INITIALIZED is 1, or
 *   - there are PORT rows, and no row arrived for GATE_QUIET_NS, or
 *   - an operator says so (which holds until the connection is lost or the
 *     database is flushed again).
 * While it is closed, rows and changes are taken as always; only removals
 * wait.
 *
 * Pure: the owner tells what happened and when, and asks. */

#include <stdbool.h>
#include <stdint.h>

#define GATE_QUIET_NS (INT64_C(500) * 1000 * 1000)

/* X(member, name, sentence).  Why the gate is closed. */
#define GATE_REASON_LIST(X)                                                    \
    X(START, "CONFIG_DB was not read yet")                                     \
    X(LINK, "the connection to Redis is lost")                                 \
    X(FLUSHED, "a database was flushed")                                       \
    X(EMPTY, "CONFIG_DB has no PORT rows and CONFIG_DB_INITIALIZED is not 1")  \
    X(SETTLING,                                                                \
      "CONFIG_DB was not quiet for 500 ms yet and CONFIG_DB_INITIALIZED is "   \
      "not 1")

enum gate_reason {
#define X(member, sentence) GATE_##member,
    GATE_REASON_LIST(X)
#undef X
        N_GATE_REASONS
};

struct gate {
    bool open;
    enum gate_reason reason; /* Of the last closing. */
    bool reading;            /* A reading begun since closing is under way. */
    bool read;               /* ... and has ended. */
    bool initialized;        /* CONFIG_DB_INITIALIZED is 1. */
    bool ports;              /* PORT rows exist, as far as told. */
    bool by_operator;        /* Opened by the operator. */
    int64_t last_row;        /* When a row arrived last. */
};

/* Returns why 'gate', which is closed, is: what has closed it last, unless all
 * that is missing by now is quiet. */
enum gate_reason gate_why(const struct gate *gate);

/* Returns a sentence that explains 'reason'. */
const char *gate_reason_sentence(enum gate_reason reason);

/* Starts closed, because of GATE_START. */
void gate_init(struct gate *gate, int64_t now);

/* What happened.  A reading that breaks off is not ended; the next one begins
 * anew. */
void gate_link_lost(struct gate *gate);
void gate_flushed(struct gate *gate);
void gate_reading_begin(struct gate *gate);
void gate_row(struct gate *gate, bool is_port, int64_t now);
void gate_initialized(struct gate *gate, bool initialized);
void gate_reading_end(struct gate *gate, bool initialized, bool ports);

/* An operator says that what CONFIG_DB says now is meant.  Takes effect when a
 * reading has ended since the gate closed. */
void gate_resume(struct gate *gate);

/* Opens the gate if it may open at 'now'; returns whether it is open. */
bool gate_open(struct gate *gate, int64_t now);

/* Returns when gate_open() is worth asking again without news, INT64_MAX if
 * only news can open it. */
int64_t gate_next(const struct gate *gate);

#endif /* orchd/db/gate.h */
