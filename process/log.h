/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_PROCESS_LOG_H
#define ORCHD_PROCESS_LOG_H

/* The log, for operators.  (Clients read their results from STATE_DB.)
 *
 * One line per event: level, a stable code, the object it is about, a sentence:
 *
 *   WARN redis-lost unix:/run/redis.sock: the connection was closed; ...
 *
 * ERROR and WARN mean that an operator should act, INFO reports a change of
 * state once, DEBUG is the rest.  docs/log.md documents each code with cause
 * and remedy.
 *
 * Each module, a folder of orchd/, has a level of its own, which can change at
 * run time.  All others have the level that the log was created with.
 *
 * Rows and peers can cause lines, so each code is rate-limited: it may print
 * LOG_BURST lines at once and one per LOG_REFILL_NS after that.  The next line
 * of the code reports how many lines were suppressed. */

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

/* X(folder): the modules of orchd that log. */
#define LOG_MODULE_LIST(X)                                                     \
    X(daemon)                                                                  \
    X(db)                                                                      \
    X(publish)                                                                 \
    X(telemetry)

struct log;
struct loop;

/* Creates a log that writes lines of 'level' and worse to 'stream', which is
 * borrowed.  With 'journald' each line starts with its priority ("<4>"), which
 * journald understands, instead of the time. */
struct log *log_create(FILE *stream, enum log_level level, bool journald);

/* Returns whether file descriptor 'fd' is the journal that 'journal_stream',
 * the value of $JOURNAL_STREAM or NULL, describes. */
bool log_is_journal(int fd, const char *journal_stream);

/* Frees 'log'.  Accepts NULL. */
void log_destroy(struct log *log);

/* Makes the log get the time from 'loop', which is borrowed; NULL: no longer.
 */
void log_follow(struct log *log, struct loop *loop);

/* Sets the time of a log that follows no loop. */
void log_tick(struct log *log, int64_t now, int64_t wall);

/* Sets the level of 'module', or of all modules if it is "all", by its name.
 * ST_INVALID if either name is unknown; 'err' then has code "unknown-module" or
 * "unknown-level", the allowed names, and the nearest one as remedy. */
enum st log_set_level(struct log *log, const char *module, const char *level,
                      struct err *err) ST_WARN_UNUSED;

/* Returns the name of module 'i', counted from 0, and stores the name of its
 * level in '*level'.  Returns NULL if there is no such module.  Both are
 * static. */
const char *log_module(const struct log *log, size_t i, const char **level);

/* Finds the level called 'name'.  Returns false, and leaves '*level' unchanged,
 * if there is none. */
bool log_level_find(const char *name, enum log_level *level);

/* Writes one line from the module of the calling file.  'object' is a row, an
 * object or a peer; "" if the line is about the program as a whole.  Control
 * characters in the object and in the sentence become '?'.  Does nothing if
 * 'log' is NULL. */
#define log_write(log, level, ...)                                             \
    log_write_from(log, __FILE__, level, __VA_ARGS__)
void log_write_from(struct log *log, const char *file, enum log_level level,
                    const char *code, const char *object, const char *format,
                    ...) ST_PRINTF(6, 7);

/* Returns how many lines of 'level' there were, printed or not. */
uint64_t log_count(const struct log *log, enum log_level level);

#endif /* process/log.h */
