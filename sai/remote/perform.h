/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_REMOTE_PERFORM_H
#define ORCHD_SAI_REMOTE_PERFORM_H

/* Doing what a client asks, on the library: calls and questions as they were
 * read, answers as they will be written.
 *
 * Nothing here trusts the client: what was read has the right form, and whether
 * it makes sense the library says. */

#include "sai/remote/call.h"
#include "sai/remote/library.h"
#include "sai/remote/notice.h"
#include "sai/remote/query.h"

struct arena;

/* Does 'call' on the library; callbacks of clients are replaced by those of
 * 'callbacks'.  The answer is made of 'arena'.  '*stopped' says whether an
 * earlier part of the same call has stopped at an error, and is updated. */
void perform_call(const struct host_library *library,
                  const struct notice_callbacks *callbacks, struct arena *arena,
                  struct call *call, bool *stopped, struct call_answer *answer);

/* Answers 'query'. */
void perform_query(const struct host_library *library, struct arena *arena,
                   const struct query *query, struct query_answer *answer);

#endif /* sai/remote/perform.h */
