/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_OFFLINE_TWIN_REPORT_H
#define ORCHD_OFFLINE_TWIN_REPORT_H

/* What the hardware will do with a configuration: measures the thresholds of
 * each class of ports on the simulated switch of a pipeline.
 *
 * Ports with the same speed, cable, profiles, maps and PFC behave alike, so one
 * of them is measured for all.  A probe (breakpoint/probe.h) sends packets from
 * it to another port that is blocked, while nothing else is in the buffer:
 *
 *   xoff         where a lossless priority group asks its peer for a pause
 *   drop         where it drops the packets of a peer that does not pause
 *   egress-drop  where a lossy queue drops
 *
 * Where ECN marks comes from the WRED profile.  Other traffic in the pool
 * lowers dynamic thresholds: these are the highest that a single sender finds.
 *
 * The result:
 *
 *   {"packet_bytes", "classes": [{
 *      "ports": [NAME, ...], "speed_mbps", "cable_m", "up",
 *      "groups": [{"pgs": [3, 4], "profile", "queue", "xoff": MEASURED,
 *                  "drop": MEASURED, "mark_from_bytes", "pfc_before_ecn"}],
 *      "queues": [{"queues": [0], "profile", "drop": MEASURED,
 *                  "mark_from_bytes"}]}]}
 *
 * MEASURED is {"packets", "reserved_bytes", "shared_bytes", "headroom_bytes",
 * "bytes"}: what the group or queue holds when it crosses the threshold (for a
 * drop, just before); or {"reason"} if there is no such threshold.  The drop of
 * a lossy queue has "by": "queue", or "pg" if its packets are dropped at
 * ingress before that; the bytes are those that their priority group holds
 * then. "mark_from_bytes" is null where nothing marks, "cable_m" if unknown,
 * "pfc_before_ecn" unless both are known. */

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct pipeline;

/* Called before each measurement: its number from 1, the port from which
 * packets are sent, and the kind of threshold.  One takes minutes where a
 * buffer is deep and packets are small. */
struct twin_report_progress {
    void (*begin)(void *context, size_t number, const char *port,
                  const char *kind);
    void *context;
};

/* Measures with packets of 'packet_bytes' without FCS, and tells 'progress',
 * which may be NULL.  The pipeline has been started and has settled; afterwards
 * its buffer is empty, but counters have increased.  ST_UNSUPPORTED: its switch
 * is not simulated.  The caller releases '*report'. */
enum st twin_report_make(struct pipeline *pipeline, uint32_t packet_bytes,
                         const struct twin_report_progress *progress,
                         json_t **report, struct err *err) ST_WARN_UNUSED;

#endif /* offline/twin_report.h */
