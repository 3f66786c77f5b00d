/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DAEMON_TESTER_WATCH_H
#define ORCHD_DAEMON_TESTER_WATCH_H

/* What testers change on the switch beside orchd (sai/remote/testers.h).
 *
 * orchd asks the host of the switch for the report when the host notifies it,
 * and again before it calls a difference drift: the answer then includes every
 * change that the reading can have seen, whatever the order of notifications.
 * What a tester has left is excused until the end of the round of drift
 * detection in which it has disconnected, for the same reason; then it is drift
 * like any other.
 *
 * Without a host, or with one of a release without testers, there are none. */

#include <stdbool.h>

#include <jansson.h>
#include <sai.h>

struct log;
struct tester_watch;

/* Creates a watch without a switch; 'log' is borrowed. */
struct tester_watch *tester_watch_create(struct log *log);

/* Accepts NULL. */
void tester_watch_destroy(struct tester_watch *watch);

/* Attaches the switch of a library whose exported function 'symbol', which may
 * be NULL, is TESTERS_TABLE_SYMBOL.  The notifications go to
 * notifications_on_testers(). */
void tester_watch_attach(struct tester_watch *watch, void *symbol);

/* Asks for the report, and writes to the log who has connected or
 * disconnected. */
void tester_watch_update(struct tester_watch *watch);

/* Implements 'excuses' of struct drift_options. */
bool tester_watch_excuses(void *watch, sai_object_id_t oid, sai_attr_id_t id);

/* Call at the end of each round of drift detection. */
void tester_watch_end_round(struct tester_watch *watch);

/* Returns the connected testers as a new array: [{"name": "process 7",
 * "since": "2026-01-02T03:04:05.000Z", "changes": ["oid:0x1000000000001
 * SAI_PORT_ATTR_PKT_TX_ENABLE=false"]}]. */
json_t *tester_watch_json(const struct tester_watch *watch);

#endif /* orchd/daemon/tester_watch.h */
