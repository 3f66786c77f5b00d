/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_PROCESS_EVENT_LOG_H
#define ORCHD_PROCESS_EVENT_LOG_H

/* What libevent itself has to say, as lines of the log, which limits them.
 * Without this libevent writes to stderr as often as it likes. */

struct log;

/* Writes libevent's messages to 'log' (borrowed) with the code "libevent"; NULL
 * discards them.  One log per process, because libevent's callback has no
 * context. */
void event_log_follow(struct log *log);

#endif /* process/event_log.h */
