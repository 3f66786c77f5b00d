/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BREAKPOINT_SCENARIO_H
#define ORCHD_BREAKPOINT_SCENARIO_H

/* A breakpoint scenario: what to do to a switch, and what must be seen.
 *
 * The method is that of the public QoS test suites: block an egress port, send
 * an exact number of packets, look at the counters, send the few packets that
 * cross one threshold, look again.  docs/reference/breakpoints.md describes the
 * language; this is what is left of it after loading: parameters and arithmetic
 * are computed, names are resolved, and everything that can be wrong without a
 * switch has been found, with its place in the file. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "breakpoint/target.h"

struct arena;

/* X(member, verb).  "say" comes first: it goes with any other. */
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
    X(SAI, "sai")                                                              \
    X(PEER, "peer")                                                            \
    X(FLOW, "flow")                                                            \
    X(STOP, "stop")                                                            \
    X(STORM, "storm")                                                          \
    X(EXPECT, "expect")                                                        \
    X(EXPECT_PFC, "expect_pfc")                                                \
    X(EXPECT_RX, "expect_rx")

enum step_kind {
#define X(member, verb) STEP_##member,
    STEP_LIST(X)
#undef X
        N_STEP_KINDS
};

/* Returns the verb of 'kind', for example "expect_rx". */
const char *step_verb(enum step_kind kind);

/* Where something stands. */
struct place {
    const char *file;
    unsigned int line, column;
};

/* The values that pass, and how the scenario put it: "== 4898 +-2". */
struct range {
    int64_t low, high; /* Inclusive. */
    const char *text;
};

/* A claim about one counter of one object, taken when the step is reached, or
 * in a snapshot. */
struct claim {
    size_t object;     /* Index in the scenario's objects. */
    const char *stat;  /* As in target.h. */
    const char *at;    /* The snapshot in which it is; NULL: now. */
    const char *since; /* Subtract the value in this snapshot; NULL: do not. */
    struct range range;
    const char *text; /* For people, without the range. */
    struct place place;
};

/* What frames are meant: each member counts if its bit is in 'has'. */
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

/* Returns whether 'match' means the frames of 'row'. */
bool frame_matches(const struct frame_match *match,
                   const struct target_frames *row);

/* A claim about the frames that left a port since the scenario began, or since
 * a snapshot. */
struct rx_claim {
    const char *port;
    size_t rx_port;    /* Index in the scenario's rx_ports. */
    const char *since; /* NULL: all. */
    uint64_t first;    /* Only so many of them, the first ones, */
    uint64_t last;     /* or the last ones; 0: all. */
    struct frame_match where;

    /* Not how many match, but how many of a thousand of those that 'of' means,
     * rounded to the nearest. */
    bool is_share;
    struct frame_match of;

    /* Not how many match, but how many left after one that a later item means:
     * frames out of order; NULL: not this. */
    const struct frame_match *order;
    size_t n_order;

    struct range range;
    const char *text;
    struct place place;
};

/* A row of CONFIG_DB, and what is to become of it. */
struct config_row {
    struct target_row row;
    const char *expected; /* A state, or a code; NULL: "applied". */
    struct place place;
};

/* Returns whether 'answer' is what was expected: a state or a code, NULL for
 * "applied".  A row that was to be removed is as expected if nothing is said of
 * it (state ""). */
bool scenario_answer_is(const struct target_answer *answer,
                        const char *expected);

struct step {
    enum step_kind kind;
    const char *say; /* NULL if nothing. */
    struct place place;
    union {
        struct { /* STEP_BLOCK, STEP_UNBLOCK */
            const struct target_block *blocks;
            size_t n;
        } block;
        struct target_send send;
        uint64_t run_ns; /* STEP_RUN, STEP_WAIT */
        struct {         /* STEP_WAIT_UNTIL */
            const struct claim *claim;
            uint64_t limit_ns; /* At most so long, */
            uint64_t step_ns;  /* looking so often. */
        } until;
        struct {              /* STEP_SNAP */
            const char *name; /* NULL if it is only shown. */
            const size_t *objects;
            size_t n_objects;  /* To show, ... */
            const char *since; /* ... frames as they grew since; or NULL. */
        } snap;
        struct { /* STEP_CLEAR_WM */
            const struct target_object *objects;
            size_t n;
        } clear;
        struct { /* STEP_CFG */
            const struct config_row *rows;
            size_t n;
        } cfg;
        struct { /* STEP_SAI */
            struct target_object object;
            const char *attribute;
            const char *value;
        } sai;
        struct target_peer peer;
        struct target_flow flow;
        struct { /* STEP_STOP */
            const char *const *flows;
            size_t n_flows;
            const char *const *storms; /* Ports. */
            size_t n_storms;
        } stop;
        struct target_storm storm;
        struct { /* STEP_EXPECT, STEP_EXPECT_PFC */
            const struct claim *claims;
            size_t n;
        } expect;
        struct { /* STEP_EXPECT_RX */
            const struct rx_claim *claims;
            size_t n;
        } rx;
    };
};

/* A port of which the frames that leave are counted. */
struct rx_port {
    const char *name;
    bool traced; /* In their order and with all headers. */
};

struct scenario {
    struct arena *arena; /* Holds all of it, the struct included; owned. */
    const char *file;    /* As given. */
    const char *name;    /* "name" of the file, or the file's base name; with
                          * "[variant]" if it has several. */
    const char *about;   /* "about" of the file, or NULL. */
    const char *skipped; /* Why it is not to be run; NULL: it is. */
    const struct step *steps;
    size_t n_steps;

    /* All objects that any step looks at, without repetition. */
    const struct target_object *objects;
    size_t n_objects;

    const struct rx_port *rx_ports;
    size_t n_rx_ports;

    /* Where it runs; NULL if it was loaded without a bench.  Of the bench. */
    struct target *target;
};

/* Frees 'scenario' with all that it holds.  Accepts NULL. */
void scenario_destroy(struct scenario *scenario);

#endif /* breakpoint/scenario.h */
