/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_BUILDER_SWITCH_DRIFT_H
#define ORCHD_LAB_BUILDER_SWITCH_DRIFT_H

/* Values on a switch that something else than its control plane has changed,
 * and the audit that finds them.
 *
 * The audit is orchd's: it reads back each attribute that a row wants, or that
 * was set, and compares it with what is intended
 * (orchd/reconcile/compare.h).  Object ids of an instance are those of its
 * image, so the agent of the image knows what is intended for all instances
 * that have none of their own. */

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct random;
struct switch_instance;

/* Which value has changed. */
struct switch_drift {
    uint64_t oid;
    uint32_t attribute; /* Its SAI id. */
};

/* A value that differs from what is intended.  Texts are borrowed for the
 * call. */
struct switch_difference {
    struct switch_drift of;
    const char *row;       /* "BUFFER_PROFILE|x". */
    const char *attribute; /* "SAI_BUFFER_PROFILE_ATTR_XOFF_TH" */
    const char *found;     /* "nothing" if the object does not exist. */
    const char *intended;
};

typedef void switch_difference_fn(void *context,
                                  const struct switch_difference *difference);

/* Changes one value of 'instance' through SAI, behind the back of its control
 * plane: an entry of a map of DSCPs, alpha or headroom of a buffer profile, a
 * priority with PFC of a port, a threshold of WRED, or the weight of a
 * scheduler.  Which of them, and where, is drawn from '*random'.  Stores it in
 * '*made'.  ST_NOT_FOUND: the switch has none of them. */
enum st switch_drift_make(struct switch_instance *instance,
                          struct random *random, struct switch_drift *made,
                          struct err *err) ST_WARN_UNUSED;

/* Audits 'instance': calls 'fn' for each value that differs.  Returns how many
 * were compared. */
size_t switch_drift_audit(struct switch_instance *instance,
                          switch_difference_fn *fn, void *context);

#endif /* lab/builder/switch_drift.h */
