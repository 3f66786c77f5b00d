/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_REMOTE_CLIENT_H
#define ORCHD_SAI_REMOTE_CLIENT_H

/* The client of the protocol: a backend, and the queries of SAI that backends
 * do not have.
 *
 * A call on many objects is sent in several messages, some of which are
 * outstanding at a time.  If the host disconnects, exceeds its time or sends a
 * malformed answer, the call and all later ones are SAI_STATUS_FAILURE; the
 * client does not know whether the switch has executed outstanding calls.  Open
 * another client then.
 *
 * Callbacks among the attributes of the switch stay in the client.  The first
 * callback that is set starts a thread, which receives notifications on a
 * connection of its own and calls the callbacks, as threads of any libsai do.
 * When either connection ends, the callback for the state of the switch is
 * called with SAI_SWITCH_OPER_STATUS_FAILED.
 *
 * Use a client from one thread only. */

#include <stdbool.h>
#include <stdint.h>

#include <sai.h>

#include "base/status.h"
#include "sai/core/backend.h"
#include "sai/remote/message.h"
#include "sai/remote/notification.h"
#include "sai/remote/query.h"
#include "sai/remote/wire.h"

/* The default timeouts: for an answer, for the answer to the creation or
 * removal of a switch, and for the WELCOME.  They are short because a client
 * that waits does nothing else. */
#define CLIENT_TIMEOUT_MS        10000
#define CLIENT_SWITCH_TIMEOUT_MS 60000
#define CLIENT_WELCOME_MS        5000

struct client;

struct client_options {
    const char *path; /* Of the socket. */
    const char *name; /* Sent to the host, for people. */
    enum message_role role;
    int timeout_ms; /* Replaces all timeouts; 0: the defaults. */
};

/* Connects and performs the handshake.  Returns the results of stream_open();
 * ST_BUSY, after retries for a second, if another client writes; ST_UNSUPPORTED
 * if the host has another version of the protocol; ST_IO if the peer is not a
 * host. All fill 'err'. */
enum st client_open(const struct client_options *options,
                    struct client **client, struct err *err) ST_WARN_UNUSED;

/* Disconnects.  Does not change the switch.  Accepts NULL. */
void client_close(struct client *client);

/* Returns the backend.  Its 'switch_id' is set when the client has created a
 * switch or connected to one.  Borrowed. */
struct sai_backend *client_backend(struct client *client);

/* Returns why the connection was lost; NULL if it exists. */
const char *client_trouble(const struct client *client);

/* Return the SAI release of the host's library, and the name of its extensions,
 * "" if it has none.  Borrowed. */
uint64_t client_release(const struct client *client);
const char *client_extras(const struct client *client);

/* Reads 'n_stats' counters of each of 'n' objects into 'counters' and stores
 * all statuses. */
sai_status_t client_stats(struct client *client, sai_object_type_t type,
                          uint32_t n, const sai_object_key_t *keys,
                          uint32_t n_stats, const sai_stat_id_t *stats,
                          sai_stats_mode_t mode, sai_status_t *statuses,
                          uint64_t *counters);

/* Sends 'query' with 'n' attributes.  See query_get_answer() for '*answer'.
 * Returns the status of the answer. */
sai_status_t client_ask(struct client *client, const struct query *query,
                        uint32_t n, const sai_attribute_t *attributes,
                        struct query_answer *answer);

/* Calls 'fn' in the thread of the callbacks when testers have connected,
 * disconnected or changed something (sai/remote/testers.h), and once at first;
 * never if the host is of a release without testers. */
void client_watch_testers(struct client *client, notification_testers_fn *fn);

/* Appends the report about testers (tester_report.h) to 'report', after the
 * first call of that 'fn'; before, and without one, NOT_SUPPORTED. */
sai_status_t client_testers(struct client *client, struct wire_out *report);

/* Calls extension function 'number' with 'n' bytes of arguments.  Returns the
 * status with which the answer begins; '*rest' is the rest of the answer,
 * borrowed until the next call, and empty without an answer.  There is no
 * timeout. */
sai_status_t client_extra(struct client *client, uint32_t number,
                          const struct wire_out *bytes, struct wire_in *rest);

/* Gives up the connection after a malformed answer. */
void client_fail(struct client *client);

#endif /* sai/remote/client.h */
