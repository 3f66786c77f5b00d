/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DB_REPLY_OBJECTS_H
#define ORCHD_DB_REPLY_OBJECTS_H

/* The objects of replies from Redis, for a reader of hiredis.
 *
 * hiredis allocates each element of a reply, its string and its list of
 * elements separately.  Reading 20,000 rows at the start makes half a million
 * allocations of that.  Here a reply and all its elements are in one arena; a
 * reply that is no array is one allocation.
 *
 * Set as 'fn' of a redisReader before the first reply.  Replies are the
 * redisReply of hiredis; only the reply as a whole can be freed, by
 * 'fn->freeObject', as hiredis itself does.
 *
 * Internal to db/. */

#include <hiredis/hiredis.h>

extern redisReplyObjectFunctions reply_objects;

#endif /* orchd/db/reply_objects.h */
