/* SPDX-License-Identifier: Apache-2.0 */

/* Chooses what to measure, and runs the probes. */

#include <config.h>

#include "offline/twin_report.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "breakpoint/probe.h"
#include "offline/pipeline.h"
#include "offline/port_classes.h"
#include "orchd/switch/switch_query.h"
#include "orchd/testbench/testbench.h"
#include "sai/stack/journal.h"

/* No switch buffers as many packets. */
#define MAX_PACKETS 8000000

#define ECN_CAPABLE 2

/* The measurement of one class. */
struct session {
    struct agent *agent;
    struct target *target;
    uint32_t packet_bytes;
    const struct twin_report_progress *progress; /* May be NULL. */
    size_t n_begun;
    const struct lint_port *port; /* Packets enter here, ... */
    const char *to;               /* ... and are kept back here. */
    struct probe_result result;
};

static json_t *
reason_json(const char *reason)
{
    return json_pack("{s:s}", "reason", reason);
}

/* Returns what 'side' holds. */
static json_t *
side_json(const struct probe_result *result, const struct probe_side *side)
{
    return json_pack("{s:I, s:I, s:I, s:I, s:I}", "packets",
                     (json_int_t)result->packets, "reserved_bytes",
                     (json_int_t)side->reserved_bytes, "shared_bytes",
                     (json_int_t)side->shared_bytes, "headroom_bytes",
                     (json_int_t)side->headroom_bytes, "bytes",
                     (json_int_t)(side->reserved_bytes + side->shared_bytes +
                                  side->headroom_bytes));
}

/* Runs a probe with packets of traffic class 'tc'. */
static json_t *
measure(struct session *session, enum probe_kind kind, unsigned int tc)
{
    const struct probe_result *result = &session->result;
    struct err err = {0};
    unsigned int number;
    uint8_t dscp;
    const struct probe_options options = {
        .kind = kind,
        .from = &session->port->name,
        .n_from = 1,
        .dscps = &dscp,
        .n_dscps = 1,
        .to = session->to,
        .size_bytes = session->packet_bytes,
        .ecn = kind == PROBE_EGRESS_DROP ? 0 : ECN_CAPABLE,
        .limit = MAX_PACKETS,
    };

    if (!session->to) {
        return reason_json("no other port is up that could be congested");
    }
    if (!port_classes_dscp(session->agent, session->port->name, tc, &number)) {
        return reason_json("no DSCP is mapped to its traffic class");
    }
    dscp = (uint8_t)number;
    session->n_begun++;
    if (session->progress) {
        session->progress->begin(session->progress->context, session->n_begun,
                                 session->port->name, probe_kind_word(kind));
    }
    if (probe_run(session->target, &options, &session->result, &err)) {
        return reason_json(err.reason);
    }
    return side_json(result, kind == PROBE_XOFF ? &result->at : &result->below);
}

/* Finds a traffic class that 'map' of the port leads to 'place'. */
static bool
find_tc(const struct lint_port *port, const uint8_t *map, unsigned int place,
        unsigned int *tc)
{
    for (unsigned int i = 0; i < LINT_TCS; i++) {
        if (lint_port_has_tc(port, i) && map[i] == place) {
            *tc = i;
            return true;
        }
    }
    return false;
}

/* Returns where a queue begins to mark; null if it does not. */
static json_t *
mark_from(const struct lint_port *port, unsigned int queue)
{
    const struct lint_wred *wred =
        queue < LINT_QUEUES ? port->wreds[queue] : NULL;

    return wred && wred->marks ? json_integer((json_int_t)wred->green_min_bytes)
                               : json_null();
}

/* Returns whether the pause comes before the first mark: the packets of a
 * single sender fill the group and the queue alike. */
static json_t *
pfc_before_ecn(const json_t *xoff, const json_t *mark)
{
    const json_t *bytes = json_object_get(xoff, "bytes");

    return json_is_integer(bytes) && json_is_integer(mark)
               ? json_boolean(json_integer_value(bytes) <=
                              json_integer_value(mark))
               : json_null();
}

/* Returns whether groups or queues with these profiles belong together. */
static bool
is_first(const struct lint_profile *const *profiles, unsigned int i,
         uint64_t mask)
{
    for (unsigned int k = 0; k < i; k++) {
        if (profiles[k] == profiles[i] && mask >> k & 1) {
            return false;
        }
    }
    return true;
}

/* Returns the indexes from 'i' on that have the profile of 'i' and are in
 * 'mask'. */
static json_t *
like(const struct lint_profile *const *profiles, unsigned int i, unsigned int n,
     uint64_t mask)
{
    json_t *list = json_array();

    for (unsigned int k = i; k < n; k++) {
        if (profiles[k] == profiles[i] && mask >> k & 1) {
            json_array_append_new(list, json_integer((json_int_t)k));
        }
    }
    return list;
}

/* Measures the lossless group 'i' for all that have its profile. */
static json_t *
measure_group(struct session *session, unsigned int i)
{
    const struct lint_port *port = session->port;
    unsigned int tc = 0;
    const bool found = find_tc(port, port->tc_to_pg, i, &tc);
    const unsigned int queue = found ? port->tc_to_queue[tc] : LINT_UNMAPPED;
    json_t *mark = mark_from(port, queue);
    json_t *xoff, *drop;

    if (found) {
        xoff = measure(session, PROBE_XOFF, tc);
        drop = measure(session, PROBE_DROP, tc);
    } else {
        xoff = reason_json("no traffic class is mapped to it");
        drop = json_incref(xoff);
    }
    return json_pack("{s:o, s:s, s:I, s:o, s:o, s:o, s:o, s:o}", "pgs",
                     like(port->pgs, i, PFC_N_PRIORITIES, port->lossless_pgs),
                     "profile", port->pgs[i]->name, "xoff_bytes",
                     (json_int_t)port->pgs[i]->xoff_bytes, "queue",
                     queue == LINT_UNMAPPED ? json_null()
                                            : json_integer((json_int_t)queue),
                     "pfc_before_ecn", pfc_before_ecn(xoff, mark), "xoff", xoff,
                     "drop", drop, "mark_from_bytes", mark);
}

/* Measures where packets to the lossy queue 'i' are dropped: by the queue, or
 * before that by their group. */
static json_t *
measure_lossy(struct session *session, unsigned int i)
{
    const struct lint_port *port = session->port;
    unsigned int tc = 0;
    const char *by = "queue";
    json_t *drop;

    if (!find_tc(port, port->tc_to_queue, i, &tc)) {
        return reason_json("no traffic class is mapped to it");
    }
    drop = measure(session, PROBE_EGRESS_DROP, tc);
    if (json_object_get(drop, "reason")) {
        json_t *ingress = measure(session, PROBE_DROP, tc);

        if (json_object_get(ingress, "reason")) {
            json_decref(ingress);
            return drop;
        }
        by = "pg";
        json_decref(drop);
        drop = ingress;
    }
    json_object_set_new(drop, "by", json_string(by));
    return drop;
}

/* Measures the lossy queue 'i' for all that have its profile. */
static json_t *
measure_queue(struct session *session, unsigned int i, uint64_t mask)
{
    const struct lint_port *port = session->port;
    json_t *drop = measure_lossy(session, i);

    return json_pack("{s:o, s:s, s:o, s:o}", "queues",
                     like(port->queues, i, LINT_QUEUES, mask), "profile",
                     port->queues[i]->name, "drop", drop, "mark_from_bytes",
                     mark_from(port, i));
}

static json_t *
measure_groups(struct session *session)
{
    const struct lint_port *port = session->port;
    const uint64_t mask = port->lossless_pgs;
    json_t *list = json_array();

    for (unsigned int i = 0; i < PFC_N_PRIORITIES; i++) {
        if (mask >> i & 1 && port->pgs[i] && is_first(port->pgs, i, mask)) {
            json_array_append_new(list, measure_group(session, i));
        }
    }
    return list;
}

static json_t *
measure_queues(struct session *session)
{
    const struct lint_port *port = session->port;
    json_t *list = json_array();
    uint64_t mask = 0;
    unsigned int tc;

    for (unsigned int i = 0; i < LINT_QUEUES; i++) {
        mask |=
            (uint64_t)(!(port->lossless_queues >> i & 1) && port->queues[i] &&
                       find_tc(port, port->tc_to_queue, i, &tc))
            << i;
    }
    for (unsigned int i = 0; i < LINT_QUEUES; i++) {
        if (mask >> i & 1 && is_first(port->queues, i, mask)) {
            json_array_append_new(list, measure_queue(session, i, mask));
        }
    }
    return list;
}

/* Finds a port to congest: one of the class if possible. */
static const char *
find_other(const struct port_classes *classes, const struct port_class *class)
{
    if (class->n > 1) {
        return class->ports[1]->name;
    }
    for (size_t i = 0; i < classes->n; i++) {
        if (&classes->classes[i] != class && classes->classes[i].up) {
            return classes->classes[i].ports[0]->name;
        }
    }
    return NULL;
}

static json_t *
measure_class(struct session *session, const struct port_classes *classes,
              const struct port_class *class)
{
    const struct lint_port *port = class->ports[0];
    json_t *names = json_array();
    json_t *groups, *queues;

    session->port = port;
    session->to = find_other(classes, class);
    groups = class->up ? measure_groups(session) : json_array();
    queues = class->up ? measure_queues(session) : json_array();
    for (size_t i = 0; i < class->n; i++) {
        json_array_append_new(names, json_string(class->ports[i]->name));
    }
    return json_pack("{s:o, s:I, s:o, s:b, s:o, s:o}", "ports", names,
                     "speed_mbps", (json_int_t)port->speed_mbps, "cable_m",
                     port->cable_known ? json_integer((json_int_t)port->cable_m)
                                       : json_null(),
                     "up", (int)class->up, "groups", groups, "queues", queues);
}

enum st
twin_report_make(struct pipeline *pipeline, uint32_t packet_bytes,
                 const struct twin_report_progress *progress, json_t **report,
                 struct err *err)
{
    struct testbench testbench = {
        .target = {&testbench_target_ops},
        .agent = pipeline_agent(pipeline),
        .backend = journal_backend(pipeline_journal(pipeline)),
        .softasic = pipeline_softasic(pipeline),
    };
    struct session *session;
    struct port_classes classes;
    json_t *list;

    if (!testbench.softasic) {
        return err_set(err, ST_UNSUPPORTED, "not-softasic",
                       "the library is not softasic: it cannot send packets");
    }
    testbench.query = switch_query_create(testbench.agent, testbench.backend,
                                          testbench.softasic);
    session = check_calloc(1, sizeof *session);
    session->agent = testbench.agent;
    session->target = &testbench.target;
    session->packet_bytes = packet_bytes;
    session->progress = progress;
    list = json_array();
    port_classes_init(&classes, testbench.agent);
    for (size_t i = 0; i < classes.n; i++) {
        json_array_append_new(
            list, measure_class(session, &classes, &classes.classes[i]));
    }
    port_classes_fini(&classes);
    free(session);
    switch_query_destroy(testbench.query);
    testbench_fini(&testbench);
    *report = json_pack("{s:I, s:o}", "packet_bytes", (json_int_t)packet_bytes,
                        "classes", list);
    return ST_OK;
}
