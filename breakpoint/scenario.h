/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BREAKPOINT_SCENARIO_H
#define ORCHD_BREAKPOINT_SCENARIO_H

/* A breakpoint scenario: actions on a switch and their expected results.
 *
 * The method is that of the public QoS test suites: block an egress port, send
 * an exact number of packets, read the counters, send the few packets that
 * cross one threshold, read the counters again. docs/reference/breakpoints.md
 * describes the language.  This is a scenario after loading: parameters and
 * arithmetic are computed, names are resolved, and all errors that can be found
 * without a switch have been reported with their position in the file. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "breakpoint/target.h"

struct arena;

/* X(member, verb).  "say" comes first, as it can be combined with any other.
 * TARGET_STEP_LIST has the steps that are one operation of the target. */
#define STEP_LIST(X)                                                           \
    X(SAY, "say")                                                              \
    X(BLOCK, "block")                                                          \
    X(UNBLOCK, "unblock")                                                      \
    X(SEND, "send")                                                            \
    X(SETTLE, "settle")                                                        \
    X(RESTART, "restart")                                                      \
    X(RUN, "run")                                                              \
    X(WAIT, "wait")                                                            \
    X(WAIT_UNTIL, "wait_until")                                                \
    X(CLEAR_WM, "clear_wm")                                                    \
    X(SNAP, "snap")                                                            \
    X(CFG, "cfg")                                                              \
    X(STOP, "stop")                                                            \
    X(EXPECT, "expect")                                                        \
    X(EXPECT_PFC, "expect_pfc")                                                \
    X(EXPECT_RX, "expect_rx")

enum step_kind {
#define X(member, verb) STEP_##member,
    STEP_LIST(X)
#undef X
#define X(member, operation, name, verb) STEP_##member,
        TARGET_STEP_LIST(X)
#undef X
            N_STEP_KINDS
};

/* Returns the verb of 'kind', for example "expect_rx". */
const char *step_verb(enum step_kind kind);

/* A position in a scenario, for messages. */
struct file_position {
    const char *file;
    unsigned int line, column;
};

/* The values that pass, and the text in messages: "== 4898 +-2". */
struct range {
    int64_t low, high; /* Inclusive. */
    const char *text;
};

/* A claim about one counter of one object, read when the step runs or taken
 * from a snapshot. */
struct claim {
    size_t object;     /* Index in the scenario's objects. */
    const char *stat;  /* As in target.h. */
    const char *at;    /* The snapshot to take it from; NULL: now. */
    const char *since; /* The snapshot whose value to subtract, or NULL. */
    struct range range;
    const char *text; /* For messages, without the range. */
    struct file_position place;
};

/* Selects frames: 'values[i]' has to match if bit i is in 'has'. */
struct frame_match {
    uint32_t has; /* Of enum frame_key. */
    int64_t values[8];
};

/* X(member, key, low, high). */
#define FRAME_KEY_LIST(X)                                                      \
    X(DSCP, "dscp", 0, 63)                                                     \
    X(QUEUE, "queue", 0, 255)                                                  \
    X(CE, "ce", 0, 1)                                                          \
    X(ECN, "ecn", 0, 3)                                                        \
    X(PCP, "pcp", 0, 7)                                                        \
    X(VLAN, "vlan", 0, 4094)                                                   \
    X(IP_ID, "ip_id", 0, 65535)                                                \
    X(SIZE, "size", 0, 65535)

enum frame_key {
#define X(member, key, low, high) FRAME_##member,
    FRAME_KEY_LIST(X)
#undef X
        N_FRAME_KEYS
};

/* Returns whether 'match' selects the frames of 'row'. */
bool frame_matches(const struct frame_match *match,
                   const struct target_frames *row);

/* A claim about the frames that left a port since the scenario began, or since
 * a snapshot. */
struct rx_claim {
    const char *port;
    size_t rx_port;    /* Index in the scenario's rx_ports. */
    const char *since; /* NULL: all. */
    uint64_t first;    /* Only this many, from the beginning, */
    uint64_t last;     /* or from the end; 0: all. */
    struct frame_match where;

    /* Instead of the number of matching frames, their share of the frames that
     * 'of' selects, in permille rounded to the nearest. */
    bool is_share;
    struct frame_match of;

    /* Instead of the number of matching frames, the number of frames out of
     * order: those that left after a frame that a later item selects.  NULL:
     * not this. */
    const struct frame_match *order;
    size_t n_order;

    struct range range;
    const char *text;
    struct file_position place;
};

/* A row of CONFIG_DB and its expected answer. */
struct config_row {
    struct target_row row;
    const char *expected; /* A state or a code; NULL: "applied". */
    struct file_position place;
};

/* Returns whether 'answer' is as expected: a state or a code, NULL for
 * "applied".  The answer to a removed row is empty (state ""), which is as
 * expected, too. */
bool scenario_answer_is(const struct target_answer *answer,
                        const char *expected);

struct step {
    enum step_kind kind;
    const char *say; /* NULL: nothing. */
    struct file_position place;
    union {
        struct { /* STEP_BLOCK, STEP_UNBLOCK */
            const struct target_block *blocks;
            size_t n;
        } block;
        struct target_send send;
        uint64_t run_ns; /* STEP_RUN, STEP_WAIT */
        struct {         /* STEP_WAIT_UNTIL */
            const struct claim *claim;
            uint64_t limit_ns; /* Give up after this time; */
            uint64_t step_ns;  /* read after each of these. */
        } until;
        struct {              /* STEP_SNAP */
            const char *name; /* NULL: only shown, not kept. */
            const size_t *objects;
            size_t n_objects;  /* To show; */
            const char *since; /* frames are those since this snapshot, or
                                * NULL. */
        } snap;
        struct { /* STEP_CLEAR_WM */
            const struct target_object *objects;
            size_t n;
        } clear;
        struct { /* STEP_CFG */
            const struct config_row *rows;
            size_t n;
        } cfg;
        struct { /* STEP_STOP */
            const char *const *flows;
            size_t n_flows;
            const char *const *storms; /* Ports. */
            size_t n_storms;
        } stop;
        struct { /* STEP_EXPECT, STEP_EXPECT_PFC */
            const struct claim *claims;
            size_t n;
        } expect;
        struct { /* STEP_EXPECT_RX */
            const struct rx_claim *claims;
            size_t n;
        } rx;
#define X(member, operation, name, verb) struct target_##name name;
        TARGET_STEP_LIST(X)
#undef X
    };
};

/* A port whose outgoing frames are counted. */
struct rx_port {
    const char *name;
    bool traced; /* In order and with all headers. */
};

struct scenario {
    struct arena *arena; /* Holds everything, this struct included; owned. */
    const char *file;    /* As given by the user. */
    const char *name;    /* "name" of the file, or the base name of the file;
                          * with "[variant]" if it has several. */
    const char *about;   /* "about" of the file, or NULL. */
    const char *skipped; /* Why it must not be run; NULL: run it. */
    const struct step *steps;
    size_t n_steps;

    /* All objects that the steps refer to, without duplicates. */
    const struct target_object *objects;
    size_t n_objects;

    const struct rx_port *rx_ports;
    size_t n_rx_ports;

    /* The target it runs on, owned by the bench; NULL if it was loaded without
     * one. */
    struct target *target;
};

/* Frees 'scenario'.  Accepts NULL. */
void scenario_destroy(struct scenario *scenario);

#endif /* breakpoint/scenario.h */
