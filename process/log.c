/* SPDX-License-Identifier: Apache-2.0 */

/* Formats the lines of the log, with a token bucket per code. */

#include <config.h>

#include "process/log.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <uthash.h>

#include "base/check.h"
#include "base/nearest.h"
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

static const char *const modules[] = {
#define X(folder) #folder,
    LOG_MODULE_LIST(X)
#undef X
};
#define N_MODULES (sizeof modules / sizeof modules[0])

/* How many lines of one code may still be printed. */
struct bucket {
    char *code; /* Key. */
    int tokens;
    int64_t refilled;      /* When it was last refilled. */
    uint64_t n_suppressed; /* Lines since the last one that was printed. */
    UT_hash_handle hh;
};

struct log {
    FILE *stream;
    struct loop *loop;    /* NULL: log_tick() sets the time. */
    enum log_level level; /* Of files that are in no module. */
    enum log_level module_levels[N_MODULES];
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

    log->stream = stream;
    log->level = level;
    for (size_t i = 0; i < N_MODULES; i++) {
        log->module_levels[i] = level;
    }
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
    free(log);
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

/* Fills 'err': 'name' is none of the 'n' names at 'known' of a 'what'. */
static enum st
fail_unknown(const char *what, const char *name, const char *const *known,
             size_t n, struct err *err)
{
    struct nearest nearest;
    struct text allowed = {0};
    char code[sizeof err->code];

    nearest_init(&nearest, name, strlen(name));
    for (size_t i = 0; i < n; i++) {
        nearest_try(&nearest, known[i]);
        text_add_item(&allowed, ", ", known[i]);
    }
    text_format(code, sizeof code, "unknown-%s", what);
    (void)err_set(err, ST_INVALID, code, "there is no log %s '%s'", what, name);
    err_set_field(err, what, name, text_string(&allowed));
    if (nearest_get(&nearest)) {
        err_set_remedy(err, "did you mean '%s'?", nearest_get(&nearest));
    }
    text_fini(&allowed);
    return ST_INVALID;
}

enum st
log_set_level(struct log *log, const char *module, const char *level,
              struct err *err)
{
    static const char *const module_names[] = {"all",
#define X(folder) #folder,
                                               LOG_MODULE_LIST(X)
#undef X
    };
    static const char *const level_names[] = {
#define X(member, name, priority) name,
        LOG_LEVEL_LIST(X)
#undef X
    };
    const bool all = !strcmp(module, module_names[0]);
    enum log_level wanted;
    bool found = false;

    if (!log_level_find(level, &wanted)) {
        return fail_unknown("level", level, level_names, N_LOG_LEVELS, err);
    }
    for (size_t i = 0; i < N_MODULES; i++) {
        if (all || !strcmp(module, modules[i])) {
            log->module_levels[i] = wanted;
            found = true;
        }
    }
    if (!found) {
        return fail_unknown("module", module, module_names, N_MODULES + 1, err);
    }
    if (all) {
        log->level = wanted;
    }
    return ST_OK;
}

const char *
log_module(const struct log *log, size_t i, const char **level)
{
    if (i >= N_MODULES) {
        return NULL;
    }
    *level = levels[log->module_levels[i]].name;
    return modules[i];
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
        bucket->n_suppressed++;
        return false;
    }
    bucket->tokens--;
    return true;
}

/* Appends 'string' with '?' for control characters, so that text from a
 * database cannot forge lines or control a terminal. */
static void
add_printable(struct text *line, const char *string)
{
    for (const char *p = string; *p; p++) {
        bool control = (unsigned char)*p < 0x20 || *p == 0x7f;

        text_add_char(line, control ? '?' : *p);
    }
}

/* Appends the priority for journald, or the time for a person at a terminal. */
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

/* Returns the level of the module to which 'file' belongs: the one whose name
 * the folder of the file has. */
static enum log_level
level_of_file(const struct log *log, const char *file)
{
    const char *slash = strrchr(file, '/');
    const char *start = slash;

    while (start && start > file && start[-1] != '/') {
        start--;
    }
    for (size_t i = 0; start && i < N_MODULES; i++) {
        const size_t length = strlen(modules[i]);

        if (length == (size_t)(slash - start) &&
            !memcmp(start, modules[i], length)) {
            return log->module_levels[i];
        }
    }
    return log->level;
}

void
log_write_from(struct log *log, const char *file, enum log_level level,
               const char *code, const char *object, const char *format, ...)
{
    struct text line = {0};
    struct bucket *bucket;
    char sentence[1024];
    va_list args;

    if (!log) {
        return;
    }
    log->counts[level]++;
    if (level > level_of_file(log, file)) {
        return;
    }
    if (log->loop) {
        log_tick(log, loop_now(log->loop), loop_wall(log->loop));
    }
    bucket = bucket_get(log, code);
    if (!bucket_take(bucket, log->now)) {
        return;
    }
    va_start(args, format);
    text_vformat(sentence, sizeof sentence, format, args);
    va_end(args);

    add_prefix(log, &line, level);
    text_addf(&line, "%s %s", levels[level].upper, code);
    if (*object) {
        text_add_char(&line, ' ');
        add_printable(&line, object);
    }
    text_add(&line, ": ");
    add_printable(&line, sentence);
    if (bucket->n_suppressed) {
        text_addf(&line, " (and %llu more of this kind before)",
                  (unsigned long long)bucket->n_suppressed);
        bucket->n_suppressed = 0;
    }
    text_add_char(&line, '\n');
    fputs(text_string(&line), log->stream);
    fflush(log->stream);
    text_fini(&line);
}

uint64_t
log_count(const struct log *log, enum log_level level)
{
    return log->counts[level];
}
