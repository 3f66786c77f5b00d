/* SPDX-License-Identifier: Apache-2.0 */

/* Lines of the log, and a token bucket per code. */

#include <config.h>

#include "process/log.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <uthash.h>

#include "base/check.h"
#include "base/text.h"
#include "process/loop.h"
#include "process/wallclock.h"

static const struct {
    const char *name;
    const char *upper;
    int priority;
} levels[] = {
#define X(member, name, priority) {name, #member, priority},
    LOG_LEVEL_LIST(X)
#undef X
};

/* How much one code may still print. */
struct bucket {
    char *code; /* Key. */
    int tokens;
    int64_t refilled; /* Up to when tokens were given. */
    uint64_t n_held;  /* Lines held back since the last one. */
    UT_hash_handle hh;
};

struct log {
    struct log *root; /* That log_create() returned; itself, in that one. */
    struct log *next; /* Module. */
    const char *name;
    enum log_level level;

    /* Used in the root only. */
    FILE *stream;
    struct loop *loop; /* NULL: log_tick() says what time it is. */
    bool journald;
    int64_t now;
    int64_t wall;
    struct bucket *buckets;
    uint64_t counts[N_LOG_LEVELS];
};

struct log *
log_create(FILE *stream, enum log_level level, bool journald)
{
    struct log *log = check_calloc(1, sizeof *log);

    log->root = log;
    log->name = "daemon";
    log->stream = stream;
    log->level = level;
    log->journald = journald;
    return log;
}

bool
log_is_journal(int fd, const char *journal_stream)
{
    struct stat file;
    char text[64];

    if (!journal_stream || fstat(fd, &file)) {
        return false;
    }
    text_format(text, sizeof text, "%llu:%llu", (unsigned long long)file.st_dev,
                (unsigned long long)file.st_ino);
    return !strcmp(text, journal_stream);
}

void
log_destroy(struct log *log)
{
    struct bucket *bucket, *next;

    if (!log) {
        return;
    }
    HASH_ITER(hh, log->buckets, bucket, next)
    {
        HASH_DEL(log->buckets, bucket);
        free(bucket->code);
        free(bucket);
    }
    while (log) {
        struct log *module = log;

        log = log->next;
        free(module);
    }
}

void
log_follow(struct log *log, struct loop *loop)
{
    log->loop = loop;
}

void
log_tick(struct log *log, int64_t now, int64_t wall)
{
    log->now = now;
    log->wall = wall;
}

struct log *
log_get_module(struct log *log, const char *name)
{
    struct log *root = log ? log->root : NULL;
    struct log **module = &root;

    if (!root) {
        return NULL;
    }
    for (; *module; module = &(*module)->next) {
        if (!strcmp((*module)->name, name)) {
            return *module;
        }
    }
    *module = check_calloc(1, sizeof **module);
    (*module)->root = log->root;
    (*module)->name = name;
    (*module)->level = log->root->level;
    return *module;
}

struct log *
log_next_module(struct log *module)
{
    return module->next;
}

const char *
log_module_name(const struct log *module)
{
    return module->name;
}

enum log_level
log_get_level(const struct log *module)
{
    return module->level;
}

void
log_set_level(struct log *module, enum log_level level)
{
    module->level = level;
}

const char *
log_level_name(enum log_level level)
{
    return levels[level].name;
}

bool
log_level_find(const char *name, enum log_level *level)
{
    for (size_t i = 0; i < N_LOG_LEVELS; i++) {
        if (!strcmp(levels[i].name, name)) {
            *level = (enum log_level)i;
            return true;
        }
    }
    return false;
}

/* Returns the bucket of a code, full if the code is new. */
static struct bucket *
bucket_get(struct log *log, const char *code)
{
    struct bucket *bucket;

    HASH_FIND_STR(log->buckets, code, bucket);
    if (!bucket) {
        bucket = check_calloc(1, sizeof *bucket);
        bucket->code = check_strdup(code);
        bucket->tokens = LOG_BURST;
        bucket->refilled = log->now;
        HASH_ADD_KEYPTR(hh, log->buckets, bucket->code, strlen(bucket->code),
                        bucket);
    }
    return bucket;
}

/* Takes a token.  Returns false if there is none. */
static bool
bucket_take(struct bucket *bucket, int64_t now)
{
    int64_t n = (now - bucket->refilled) / LOG_REFILL_NS;

    if (n >= LOG_BURST - bucket->tokens) {
        bucket->tokens = LOG_BURST;
        bucket->refilled = now;
    } else if (n > 0) {
        bucket->tokens += (int)n;
        bucket->refilled += n * LOG_REFILL_NS;
    }
    if (!bucket->tokens) {
        bucket->n_held++;
        return false;
    }
    bucket->tokens--;
    return true;
}

/* Appends 'string' with control characters as '?', so that what came from a
 * database cannot forge lines or drive a terminal. */
static void
add_printable(struct text *line, const char *string)
{
    for (const char *p = string; *p; p++) {
        bool control = (unsigned char)*p < 0x20 || *p == 0x7f;

        text_add_char(line, control ? '?' : *p);
    }
}

/* Appends what journald wants, or what a person at a terminal wants. */
static void
add_prefix(const struct log *log, struct text *line, enum log_level level)
{
    if (log->journald) {
        text_addf(line, "<%d>", levels[level].priority);
    } else {
        char time[WALLCLOCK_SIZE];

        wallclock_format(log->wall, time);
        text_addf(line, "%s ", time);
    }
}

/* Counts a line of 'level', and brings the time up to date.  Returns whether
 * the line is wanted. */
static bool
is_wanted(const struct log *module, enum log_level level)
{
    struct log *log = module->root;

    log->counts[level]++;
    if (level > module->level) {
        return false;
    }
    if (log->loop) {
        log_tick(log, loop_now(log->loop), loop_wall(log->loop));
    }
    return true;
}

/* Prints one line; 'n_held' similar ones were held back before. */
static void ST_PRINTF(6, 0)
    print_line(const struct log *log, enum log_level level, const char *code,
               const char *object, uint64_t n_held, const char *format,
               va_list args)
{
    struct text line = {0};
    char sentence[1024];

    text_vformat(sentence, sizeof sentence, format, args);
    add_prefix(log, &line, level);
    text_addf(&line, "%s %s", levels[level].upper, code);
    if (*object) {
        text_add_char(&line, ' ');
        add_printable(&line, object);
    }
    text_add(&line, ": ");
    add_printable(&line, sentence);
    if (n_held) {
        text_addf(&line, " (and %llu more of this kind before)",
                  (unsigned long long)n_held);
    }
    text_add_char(&line, '\n');
    fputs(text_string(&line), log->stream);
    fflush(log->stream);
    text_fini(&line);
}

void
log_write(struct log *module, enum log_level level, const char *code,
          const char *object, const char *format, ...)
{
    struct bucket *bucket;
    va_list args;

    if (!module || !is_wanted(module, level)) {
        return;
    }
    bucket = bucket_get(module->root, code);
    if (!bucket_take(bucket, module->root->now)) {
        return;
    }
    va_start(args, format);
    print_line(module->root, level, code, object, bucket->n_held, format, args);
    va_end(args);
    bucket->n_held = 0;
}

void
log_write_always(struct log *module, enum log_level level, const char *code,
                 const char *object, const char *format, ...)
{
    va_list args;

    if (module && is_wanted(module, level)) {
        va_start(args, format);
        print_line(module->root, level, code, object, 0, format, args);
        va_end(args);
    }
}

uint64_t
log_count(const struct log *log, enum log_level level)
{
    return log->counts[level];
}
