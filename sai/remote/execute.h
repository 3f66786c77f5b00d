/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_REMOTE_EXECUTE_H
#define ORCHD_SAI_REMOTE_EXECUTE_H

/* Executes the calls and queries of clients on the library.
 *
 * The parser has checked only the form of a request; the library decides
 * whether it is valid. */

#include "sai/remote/call.h"
#include "sai/remote/library.h"
#include "sai/remote/notification.h"
#include "sai/remote/query.h"

struct arena;

/* Executes 'call' on the library.  Replaces callbacks of the client by
 * 'callbacks'.  Allocates the answer from 'arena'.  '*stopped' is whether an
 * earlier part of the same call has stopped at an error; it is updated. */
void execute_call(const struct host_library *library,
                  const struct notification_callbacks *callbacks,
                  struct arena *arena, struct call *call, bool *stopped,
                  struct call_answer *answer);

/* Executes 'query'. */
void execute_query(const struct host_library *library, struct arena *arena,
                   const struct query *query, struct query_answer *answer);

#endif /* sai/remote/execute.h */
