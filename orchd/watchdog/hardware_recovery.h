/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_WATCHDOG_HARDWARE_RECOVERY_H
#define ORCHD_WATCHDOG_HARDWARE_RECOVERY_H

/* Lets the switch detect storms and recover from them in hardware, where it
 * can: SAI's PFC deadlock detection (DLD) and recovery (DLR).
 *
 *   SAI_QUEUE_ATTR_ENABLE_PFC_DLDR           which queues
 *   SAI_..._ATTR_PFC_TC_DLD_INTERVAL, _DLR_  times; lists by traffic class, of
 *                                            the port or the switch
 *   SAI_..._ATTR_PFC_DLR_PACKET_ACTION       drop or forward, of the queue or
 *                                            the switch
 *
 * If ports or queues have no attributes of their own, those of the switch apply
 * to all.  Then the first queue in hardware recovery decides, and a queue with
 * other settings is watched in software instead; its row is not affected.
 *
 * Hardware recovery of a queue is enabled completely or not at all: if the
 * switch refuses one of the attributes, the earlier ones are undone.
 *
 * The traffic class of queue n is n, as in SONiC's tools. */

#include <stdbool.h>
#include <stdint.h>

#include <sai.h>

#include "base/status.h"
#include "sai/core/backend.h"

struct interval_scope;

/* The settings for a queue. */
struct hardware_recovery_settings {
    uint32_t detection_ms, recovery_ms;
    bool drops; /* Otherwise it forwards. */
};

/* The hardware recovery of one queue.  Zero-initialise; for reading only. */
struct hardware_recovery {
    bool on;
    sai_object_id_t queue;
    unsigned int index;

    /* In force while it is on; or those that the switch refused. */
    struct hardware_recovery_settings settings;
    bool refused; /* Not tried again until the settings change. */
    struct interval_scope *scope; /* The intervals that it uses. */
};

/* The hardware recovery of a switch. */
struct hardware_recovery_switch {
    struct sai_backend *backend; /* Borrowed. */
    bool offered;                /* Supported. */
    bool by_port, by_queue;      /* The intervals; the actions. */
    uint32_t detection_min_ms, detection_max_ms;
    uint32_t recovery_min_ms, recovery_max_ms;

    /* Private. */
    struct interval_scope *scopes;
    uint32_t n_on;
    bool drops; /* All of them, unless 'by_queue'. */
};

/* Determines what the switch behind 'backend' supports, using 'port' and its
 * 'queue'. */
void hardware_recovery_init(struct hardware_recovery_switch *hardware,
                            struct sai_backend *backend, sai_object_id_t port,
                            sai_object_id_t queue);

/* Frees what 'hardware' holds; the switch keeps its settings. */
void hardware_recovery_fini(struct hardware_recovery_switch *hardware);

/* Enables hardware recovery for queue 'index' of 'port', or changes its
 * settings. ST_UNSUPPORTED: the switch cannot do it, or not with these times;
 * ST_BUSY: other queues have different values of common settings; ST_DEVICE:
 * the switch refused. Unless ST_OK, the queue is not in hardware recovery. */
enum st hardware_recovery_set(
    struct hardware_recovery_switch *hardware,
    struct hardware_recovery *recovery, sai_object_id_t port,
    sai_object_id_t queue, unsigned int index,
    const struct hardware_recovery_settings *settings) ST_WARN_UNUSED;

/* Disables it if it is on. */
void hardware_recovery_clear(struct hardware_recovery_switch *hardware,
                             struct hardware_recovery *recovery);

/* Asks the switch whether 'recovery', which is on, still is.  If another client
 * has disabled it, marks it as off. */
bool hardware_recovery_check(struct hardware_recovery_switch *hardware,
                             struct hardware_recovery *recovery);

/* Forgets the state of a queue that is gone from the switch. */
void hardware_recovery_forget(struct hardware_recovery_switch *hardware,
                              struct hardware_recovery *recovery);

#endif /* orchd/watchdog/hardware_recovery.h */
