/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_OFFLINE_OFFLINE_TRACE_H
#define ORCHD_OFFLINE_OFFLINE_TRACE_H

/* Turns what softasic reports about itself (vendors/softasic/watch.h) into what
 * a trace says (breakpoint/trace.h): ids of objects become names.  Private to
 * this folder. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sai.h>

#include "base/status.h"

struct pipeline;
struct trace_sink;

struct offline_trace_name {
    sai_object_id_t oid;
    char *name;
};

/* Zeroed, it traces nothing. */
struct offline_trace {
    /* Where the sink is, which may become NULL at any time; borrowed. */
    const struct trace_sink *const *sink;
    struct pipeline *pipeline; /* NULL: names are not looked up. */

    /* The ports and pools seen so far; on the heap. */
    struct offline_trace_name *names;
    size_t n_names;
};

/* Starts to report the switch of 'pipeline', which must have one, to '*sink'.
 * ST_UNSUPPORTED: its library is not softasic of this build, or its switch is
 * in another process. */
enum st offline_trace_start(struct offline_trace *trace,
                            const struct trace_sink *const *sink,
                            struct pipeline *pipeline,
                            struct err *err) ST_WARN_UNUSED;

/* Reports a storm of the watchdog, or its end; arguments as of the listener of
 * orchd/watchdog/pfcwd.h. */
void offline_trace_storm(const struct offline_trace *trace, int64_t now_ps,
                         const char *port, unsigned int index, bool begins,
                         const char *action);

/* Ends the trace, though the switch may still report. */
void offline_trace_stop(struct offline_trace *trace);

/* Frees the names.  The switch must be gone. */
void offline_trace_fini(struct offline_trace *trace);

#endif /* offline/offline_trace.h */
