/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_WATCHDOG_HARDWARE_RECOVERY_H
#define ORCHD_WATCHDOG_HARDWARE_RECOVERY_H

/* Has the switch itself detect storms and recover from them, where it can:
 * SAI's PFC deadlock detection (DLD) and recovery (DLR).
 *
 *   SAI_QUEUE_ATTR_ENABLE_PFC_DLDR           which queues
 *   SAI_..._ATTR_PFC_TC_DLD_INTERVAL, _DLR_  after how long; lists by traffic
 *                                            class, of the port or the switch
 *   SAI_..._ATTR_PFC_DLR_PACKET_ACTION       drop or forward, of the queue or
 *                                            the switch
 *
 * Where ports or queues have no attributes of their own, those of the switch
 * are for all: then the first queue that is in_hardware decides, and one that
 * wants something else is not in_hardware but watched as on any other switch;
 * its row is no worse for it.
 *
 * A guard is as a whole or not at all: if the switch refuses one of the
 * attributes, what was set before is taken back.
 *
 * The traffic class of queue n is n, as the tools of SONiC have it. */

#include <stdbool.h>
#include <stdint.h>

#include <sai.h>

#include "base/status.h"
#include "sai/core/backend.h"

struct interval_scope;

/* What a queue wants. */
struct hardware_recovery_settings {
    uint32_t detection_ms, recovery_ms;
    bool drops; /* Else it forwards. */
};

/* A queue.  Starts zeroed; the members are for reading. */
struct hardware_recovery {
    bool on;
    sai_object_id_t queue;
    unsigned int index;
    struct hardware_recovery_settings
        settings;                 /* While it is on, or as it was refused. */
    bool refused;                 /* Not tried again before it changes. */
    struct interval_scope *scope; /* Where its intervals are. */
};

/* A switch. */
struct hardware_recovery_switch {
    struct sai_backend *backend; /* Borrowed. */
    bool offered;                /* It can. */
    bool by_port, by_queue;      /* Intervals, actions. */
    uint32_t detection_min_ms, detection_max_ms;
    uint32_t recovery_min_ms, recovery_max_ms;

    /* The module's own. */
    struct interval_scope *scopes;
    uint32_t n_on;
    bool drops; /* All of these, unless 'by_queue'. */
};

/* Finds out what the switch behind 'backend' can, by 'port' and its 'queue'. */
void hardware_recovery_init(struct hardware_recovery_switch *hardware,
                            struct sai_backend *backend, sai_object_id_t port,
                            sai_object_id_t queue);

/* Frees what 'hardware' has; the switch goes on guarding. */
void hardware_recovery_fini(struct hardware_recovery_switch *hardware);

/* Guards queue 'index' of 'port', or changes how.  ST_UNSUPPORTED: the switch
 * cannot, or not with such times; ST_BUSY: other queues have other settings
 * that are for all; ST_DEVICE: it refused.  But for ST_OK it is not in_hardware
 * then. */
enum st hardware_recovery_set(
    struct hardware_recovery_switch *hardware,
    struct hardware_recovery *recovery, sai_object_id_t port,
    sai_object_id_t queue, unsigned int index,
    const struct hardware_recovery_settings *settings) ST_WARN_UNUSED;

/* Ends that, if it was. */
void hardware_recovery_clear(struct hardware_recovery_switch *hardware,
                             struct hardware_recovery *recovery);

/* Asks the switch whether 'guard', which is on, still is.  If somebody else has
 * ended it, it is not on any more. */
bool hardware_recovery_check(struct hardware_recovery_switch *hardware,
                             struct hardware_recovery *recovery);

/* The same as to clear it, of a queue that is gone. */
void hardware_recovery_forget(struct hardware_recovery_switch *hardware,
                              struct hardware_recovery *recovery);

#endif /* orchd/watchdog/hardware_recovery.h */
