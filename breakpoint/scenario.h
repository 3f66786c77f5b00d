/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BREAKPOINT_SCENARIO_H
#define ORCHD_BREAKPOINT_SCENARIO_H

/* A breakpoint scenario: what to do to a switch, and what must be seen.
 *
 * The method is that of the public QoS test suites: block an egress port, send
 * an exact number of packets, look at the counters, send the few packets that
 * cross one threshold, look again.  docs/breakpoint.md describes the language;
 * this is what is left of it after loading: parameters and arithmetic are
 * computed, names are resolved, and everything that can be wrong without a
 * switch has been found, with its place in the file. */

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "breakpoint/target.h"

struct arena;

/* X(member, verb). */
#define STEP_LIST(X)                                                           \
    X(SAY, "say")                                                              \
    X(BLOCK, "block")                                                          \
    X(UNBLOCK, "unblock")                                                      \
    X(SEND, "send")                                                            \
    X(SETTLE, "settle")                                                        \
    X(RUN, "run")                                                              \
    X(CLEAR_WM, "clear_wm")                                                    \
    X(SNAP, "snap")                                                            \
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

/* The values that pass, and how the scenario put it: "== 4898 +-2". */
struct range {
    int64_t low, high; /* Inclusive. */
    const char *text;
};

/* A claim about one counter of one object, taken when the step is reached. */
struct claim {
    size_t object;     /* Index in the scenario's objects. */
    const char *stat;  /* As in target.h. */
    const char *since; /* Subtract the value in this snapshot; NULL: do not. */
    struct range range;
    const char *text; /* For people, without the range. */
    unsigned int line, column;
};

/* A claim about the frames that left a port since the scenario began. */
struct rx_claim {
    const char *port;
    size_t rx_port; /* Index in the scenario's rx_ports. */
    int dscp;       /* Of these frames; -1 for any. */
    int queue;
    int ce;
    struct range range;
    const char *text;
    unsigned int line, column;
};

struct step {
    enum step_kind kind;
    const char *say; /* NULL if nothing. */
    unsigned int line, column;
    union {
        struct { /* STEP_BLOCK, STEP_UNBLOCK */
            const char *const *names;
            size_t n;
        } ports;
        struct target_send send;
        uint64_t run_ns;
        struct {              /* STEP_SNAP */
            const char *name; /* NULL if it is only shown. */
            const size_t *objects;
            size_t n_objects; /* To show. */
        } snap;
        struct { /* STEP_CLEAR_WM */
            const struct target_object *objects;
            size_t n;
        } clear;
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

struct scenario {
    struct arena *arena; /* Holds all of it, the struct included; owned. */
    const char *file;    /* As given. */
    const char *name;    /* "name" of the file, or the file's base name. */
    const char *about;   /* "about" of the file, or NULL. */
    const struct step *steps;
    size_t n_steps;

    /* All objects that any step looks at, without repetition. */
    const struct target_object *objects;
    size_t n_objects;

    /* All ports of which the frames that leave are counted. */
    const char *const *rx_ports;
    size_t n_rx_ports;
};

/* Frees 'scenario' with all that it holds.  Accepts NULL. */
void scenario_destroy(struct scenario *scenario);

#endif /* breakpoint/scenario.h */
