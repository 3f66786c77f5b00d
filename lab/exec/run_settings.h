/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_EXEC_RUN_SETTINGS_H
#define ORCHD_LAB_EXEC_RUN_SETTINGS_H

/* What the caller of a run decides: where its files are, and when it stops for
 * a look. */

#include <stdint.h>

struct communicator; /* lab/exec/communicator.h */
struct line_pool_source;

/* Where a run finds what it needs. */
struct run_options {
    const char *yang_dir;    /* YANG modules of CONFIG_DB. */
    const char *chips_dir;   /* Chip files. */
    const char *configs_dir; /* Configurations with a name but no path. */
    const char *nics_dir;    /* Files of adapters.  A run does not read them:
                              * its scenario has what they say. */
    const char *captures;    /* Captures are called "CAPTURES.PORT.pcap"; NULL:
                              * none are written. */
    const struct line_pool_source *memory; /* For the state of a large fabric
                                            * (base/line_pool.h); NULL:
                                            * calloc(). */
    struct communicator *comm; /* The ranks that share the run; NULL: it has
                                * one. */
    const uint32_t *owners;    /* With several ranks: which has each node. */
    uint32_t lanes; /* The most parts of the fabric that take turns; 0: what
                     * suits its size, 1: it is not divided (run_lanes.c). */
};

/* What a break waits for. */
enum run_break_kind {
    RUN_BREAK_TIME,  /* Virtual time 'when_ps'. */
    RUN_BREAK_DROP,  /* The next drop. */
    RUN_BREAK_PAUSE, /* The next pause. */
    RUN_BREAK_MARK,  /* The next mark. */
    RUN_BREAK_FLOW,  /* The end of flow 'flow'. */
};

struct run_break {
    enum run_break_kind kind;
    int64_t when_ps;
    uint32_t flow;
};

#endif /* lab/exec/run_settings.h */
