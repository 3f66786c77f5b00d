/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_REMOTE_CLIENT_H
#define ORCHD_SAI_REMOTE_CLIENT_H

/* The side of the protocol that has no library: a backend like any other, and
 * what SAI can be asked besides.
 *
 * A call on many objects is sent in several messages, some of which are under
 * way at a time.  When the host is gone, late or makes no sense, the call and
 * all after it are SAI_STATUS_FAILURE; whether the switch has done what was
 * under way is not known.  Open another client then.
 *
 * Callbacks among the attributes of the switch stay here.  The first one that
 * is set starts a thread that listens on a connection of its own and calls
 * them, as the threads of any libsai do.  When either connection ends, the
 * callback for the state of the switch is called with
 * SAI_SWITCH_OPER_STATUS_FAILED.
 *
 * From one thread. */

#include <stdbool.h>
#include <stdint.h>

#include <sai.h>

#include "base/status.h"
#include "sai/core/backend.h"
#include "sai/remote/message.h"
#include "sai/remote/query.h"
#include "sai/remote/wire.h"

/* How long a host may take unless told otherwise: for one answer, for that to
 * the making or ending of a switch, and for its welcome.  Who waits does
 * nothing else, so they are short. */
#define CLIENT_TIMEOUT_MS        10000
#define CLIENT_SWITCH_TIMEOUT_MS 60000
#define CLIENT_WELCOME_MS        5000

struct client;

struct client_options {
    const char *path; /* Of the socket. */
    const char *name; /* Told to the host, for people. */
    enum message_role role;
    int timeout_ms; /* For all of it; 0: as above. */
};

/* Connects and greets.  As stream_open(); ST_BUSY, after a second of trying:
 * another client writes; ST_UNSUPPORTED: the host speaks another version;
 * ST_IO: it is no host.  All fill 'err'. */
enum st client_open(const struct client_options *options,
                    struct client **client, struct err *err) ST_WARN_UNUSED;

/* Disconnects; the switch stays as it is.  Accepts NULL. */
void client_close(struct client *client);

/* The verbs.  Its 'switch_id' is that of the switch once one was created or
 * connected to.  Borrowed. */
struct sai_backend *client_backend(struct client *client);

/* Returns why there is no connection any more; NULL if there is one. */
const char *client_trouble(const struct client *client);

/* The release of SAI that the library of the host is made for, and the name of
 * its extras, "" if it has none.  Borrowed. */
uint64_t client_release(const struct client *client);
const char *client_extras(const struct client *client);

/* Reads 'n_stats' counters of each of 'n' objects into 'counters'; fills in all
 * statuses. */
sai_status_t client_stats(struct client *client, sai_object_type_t type,
                          uint32_t n, const sai_object_key_t *keys,
                          uint32_t n_stats, const sai_stat_id_t *stats,
                          sai_stats_mode_t mode, sai_status_t *statuses,
                          uint64_t *counters);

/* Asks 'query' with 'n' attributes; see query_get_answer() for '*answer'.
 * Returns its status. */
sai_status_t client_ask(struct client *client, const struct query *query,
                        uint32_t n, const sai_attribute_t *attributes,
                        struct query_answer *answer);

/* Asks for extra 'number' with 'n' bytes.  Returns the status with which the
 * answer begins; '*rest' is what follows it, borrowed until the next call, and
 * empty without an answer.  There is no limit of time. */
sai_status_t client_extra(struct client *client, uint32_t number,
                          const struct wire_out *bytes, struct wire_in *rest);

/* Gives up a connection on which an answer made no sense. */
void client_fail(struct client *client);

#endif /* sai/remote/client.h */
