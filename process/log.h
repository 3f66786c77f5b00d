/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_PROCESS_LOG_H
#define ORCHD_PROCESS_LOG_H

/* The log, for operators.  (Answers for clients go to STATE_DB.)
 *
 * One line per event: level, a stable code, the thing it is about, a sentence:
 *
 *   WARN redis-lost unix:/run/redis.sock: the connection was closed; ...
 *
 * ERROR and WARN mean that an operator should act, INFO is a change of state
 * that is seen once, DEBUG is the rest.  Codes are documented with cause and
 * remedy in docs/reference/log.md.
 *
 * The modules of a process ("redis", "watchdog") write to one stream, and each
 * has a level of its own, which can be changed at run time.
 *
 * Whatever a row or a peer can trigger is limited: each code may print
 * LOG_BURST lines at once and one every LOG_REFILL_NS after that; the
 * lines held back are counted, and the next line of that code reports how
 * many. */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"

#define LOG_BURST     10
#define LOG_REFILL_NS (INT64_C(1000) * 1000 * 1000)

/* X(member, name, journald priority). */
#define LOG_LEVEL_LIST(X)                                                      \
    X(ERROR, "error", 3)                                                       \
    X(WARN, "warn", 4)                                                         \
    X(INFO, "info", 6)                                                         \
    X(DEBUG, "debug", 7)

enum log_level {
#define X(member, name, priority) LOG_##member,
    LOG_LEVEL_LIST(X)
#undef X
        N_LOG_LEVELS
};

struct log;
struct loop;

/* Creates a log that writes lines of 'level' and worse to 'stream', which is
 * borrowed.  With 'journald' each line starts with its priority ("<4>"), as
 * journald understands it, and has no time of its own. */
struct log *log_create(FILE *stream, enum log_level level, bool journald);

/* Returns whether file descriptor 'fd' is the journal that 'journal_stream',
 * the value of $JOURNAL_STREAM or NULL, describes. */
bool log_is_journal(int fd, const char *journal_stream);

/* Frees 'log'.  Accepts NULL. */
void log_destroy(struct log *log);

/* Makes the log ask 'loop', which is borrowed, for the time (NULL: no more). */
void log_follow(struct log *log, struct loop *loop);

/* Tells a log that follows no loop what time it is. */
void log_tick(struct log *log, int64_t now, int64_t wall);

/* Returns the log of the module 'name' (borrowed), which writes to the stream
 * of 'log' and belongs to it.  Its level is at first the one that log_create()
 * got.  A second call with the same name returns the same log; NULL returns
 * NULL. */
struct log *log_get_module(struct log *log, const char *name);

/* Returns the module after 'module'; the first one is what log_create()
 * returned, which is called "daemon".  NULL: there are no more. */
struct log *log_next_module(struct log *module);
const char *log_module_name(const struct log *module);

/* Return and change the level of a module. */
enum log_level log_get_level(const struct log *module);
void log_set_level(struct log *module, enum log_level level);

/* Returns the name of 'level': "error". */
const char *log_level_name(enum log_level level);

/* Finds the level called 'name'.  Returns false, and leaves '*level' alone, if
 * there is none. */
bool log_level_find(const char *name, enum log_level *level);

/* Writes one line.  'object' is a row, an object or a peer; "" if the line is
 * about orchd as a whole.  Control characters in either become '?'.  A NULL
 * 'module' swallows the line. */
void log_write(struct log *module, enum log_level level, const char *code,
               const char *object, const char *format, ...) ST_PRINTF(5, 6);

/* Writes one line like log_write(), but is never limited: only for lines that
 * no row, peer or stranger can trigger, such as those of the audit. */
void log_write_always(struct log *module, enum log_level level,
                      const char *code, const char *object, const char *format,
                      ...) ST_PRINTF(5, 6);

/* Returns how many lines of 'level' there were, held back or not. */
uint64_t log_count(const struct log *log, enum log_level level);

#endif /* process/log.h */
