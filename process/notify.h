/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_PROCESS_NOTIFY_H
#define ORCHD_PROCESS_NOTIFY_H

/* Reports the state of a daemon to the service manager that has started it.
 *
 * The protocol is that of sd_notify(3): datagrams of lines "NAME=VALUE" to the
 * Unix socket that $NOTIFY_SOCKET names ("@" begins an abstract address).
 * systemd speaks it, as do other supervisors and container engines.
 *
 *   READY=1         the daemon does what it is for; once
 *   STATUS=TEXT     one line for people, "systemctl status" shows it; at most
 *                   once per second, and only if it has changed
 *   RELOADING=1     it reads its configuration again, READY=1 follows
 *   STOPPING=1      it ends
 *   WATCHDOG=1      the loop turns; twice per $WATCHDOG_USEC
 *
 * Nothing here waits: the manager must not be able to stop the daemon.  What a
 * full socket refuses is sent again after NOTIFY_RETRY_NS.  Another error is
 * logged once (notify-failed), and its datagram is lost.
 *
 * This is not libsystemd because the protocol is this small, and because orchd
 * also runs where that library is absent. */

#include <stddef.h>
#include <stdint.h>

#define NOTIFY_STATUS_NS (INT64_C(1000) * 1000 * 1000)
#define NOTIFY_RETRY_NS  (INT64_C(100) * 1000 * 1000)

/* The longest STATUS text, with its terminator. */
#define NOTIFY_STATUS_SIZE 256

struct log;
struct notify;
struct timeline;

/* Writes one line about the state of the daemon into 'buffer' of 'size'
 * bytes. */
typedef void notify_describe_fn(void *context, char *buffer, size_t size);

/* Reads NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID from the environment and
 * removes them, so that no process started later reports in place of this one.
 * 'timeline' (in nanoseconds of CLOCK_MONOTONIC) and 'log' are borrowed and
 * outlive the result.  Returns NULL if there is no NOTIFY_SOCKET or it is not a
 * Unix socket; all functions below accept NULL and then do nothing. */
struct notify *notify_create(struct timeline *timeline, struct log *log,
                             int64_t now);

/* Cancels what is not sent yet, and frees 'notify'. */
void notify_destroy(struct notify *notify);

/* Sets the function that describes the state; NULL for none. */
void notify_describe(struct notify *notify, notify_describe_fn *describe,
                     void *context);

/* The state may have changed: describes it now, or as soon as a second has
 * passed since the last time.  Cheap enough for every turn of a loop. */
void notify_changed(struct notify *notify, int64_t now);

/* The daemon is ready.  Does nothing after the first call. */
void notify_ready(struct notify *notify, int64_t now);

/* The daemon begins, and ends, to read its configuration again.  Do nothing
 * before notify_ready(). */
void notify_reloading(struct notify *notify, int64_t now);
void notify_reloaded(struct notify *notify, int64_t now);

/* The daemon ends in order. */
void notify_stopping(struct notify *notify, int64_t now);

#endif /* process/notify.h */
