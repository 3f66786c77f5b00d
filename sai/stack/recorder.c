/* SPDX-License-Identifier: Apache-2.0 */

/* Writes calls to a file and rotates files.
 *
 * The recorder sees calls before they are checked, because a record without
 * invalid calls would not explain what happened.  So it does not trust its
 * arguments: arrays may be missing, and a list may have a count but no
 * elements.
 *
 * Each piece is written with a write() of its own and is then in the kernel;
 * stdio would buffer the last lines, which matter most after a crash.
 *
 * The recorder replaces only files whose first line is that of a record.  The
 * path may come from the control socket, and permission to use the socket is
 * not permission to rename any file of the system. */

#include <config.h>

#include "sai/stack/recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/check.h"
#include "base/text.h"
#include "sai/core/metadata.h"
#include "sai/core/serialize.h"
#include "sai/trace/trace.h"

struct recorder {
    struct sai_backend backend; /* First: it is cast back. */
    struct sai_backend *inner;
    struct recorder_clock clock;

    int fd; /* -1: not recording. */
    char *path;
    char *error;
    struct text heading; /* What each part has behind its number. */
    char begun[TRACE_STAMP_SIZE];
    uint64_t max_bytes;
    unsigned int n_kept;
    unsigned int part;
    uint64_t n_bytes; /* Of this part. */
    uint64_t n_calls;

    /* For the call under way; kept for their memory. */
    struct text line;
    uint32_t *capacities;
    uint32_t n_capacities;
};

static const struct sai_backend_ops recorder_ops;

static void write_text(struct recorder *recorder);

struct recorder *
recorder_create(struct sai_backend *inner, const struct recorder_clock *clock)
{
    struct recorder *recorder = check_calloc(1, sizeof *recorder);

    recorder->backend.ops = &recorder_ops;
    recorder->backend.switch_id = inner->switch_id;
    recorder->inner = inner;
    recorder->clock = *clock;
    recorder->fd = -1;
    return recorder;
}

void
recorder_destroy(struct recorder *recorder)
{
    if (recorder) {
        recorder_stop(recorder);
        text_fini(&recorder->heading);
        text_fini(&recorder->line);
        free(recorder->capacities);
        free(recorder->path);
        free(recorder->error);
        free(recorder);
    }
}

struct sai_backend *
recorder_backend(struct recorder *recorder)
{
    return &recorder->backend;
}

void
recorder_status(const struct recorder *recorder, struct recorder_status *status)
{
    status->recording = recorder->fd >= 0;
    status->path = recorder->path;
    status->n_calls = recorder->n_calls;
    status->part = recorder->part;
    status->error = recorder->error;
}

/* Files --------------------------------------------------------------- */

/* Returns whether 'path' is a part of a record, or no file. */
static bool
is_ours(const char *path)
{
    char begin[sizeof RECORDER_MAGIC - 1];
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    ssize_t n;

    if (fd < 0) {
        return errno == ENOENT;
    }
    n = read(fd, begin, sizeof begin);
    close(fd);
    return n == (ssize_t)sizeof begin &&
           !memcmp(begin, RECORDER_MAGIC, sizeof begin);
}

/* Stores the file name of old part 'age', 0 for the current part, in 'name'. */
static void
part_name(const struct recorder *recorder, unsigned int age, struct text *name)
{
    text_clear(name);
    text_add(name, recorder->path);
    if (age) {
        text_addf(name, ".%u", age);
    }
}

/* Renames each part to the next older name and removes the oldest.  Stops at a
 * file that is not a record. */
static bool
make_room(const struct recorder *recorder)
{
    struct text from = {0}, to = {0};
    bool done = true;

    for (unsigned int age = 0; done && age <= recorder->n_kept; age++) {
        part_name(recorder, age, &from);
        done = is_ours(text_string(&from));
    }
    for (unsigned int age = recorder->n_kept; done && age-- > 0;) {
        part_name(recorder, age, &from);
        part_name(recorder, age + 1, &to);
        done = !rename(text_string(&from), text_string(&to)) || errno == ENOENT;
    }
    text_fini(&from);
    text_fini(&to);
    return done;
}

/* Opens the file of a new part and writes its heading.  On failure sets errno;
 * EEXIST if the path is another file. */
static bool
open_part(struct recorder *recorder)
{
    if (!make_room(recorder)) {
        errno = EEXIST;
        return false;
    }
    recorder->fd =
        open(recorder->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_APPEND,
             0640);
    if (recorder->fd < 0) {
        return false;
    }
    recorder->part++;
    recorder->n_bytes = 0;
    text_clear(&recorder->line);
    text_addf(&recorder->line, "%s# begun %s part %u\n%s", RECORDER_MAGIC,
              recorder->begun, recorder->part, text_string(&recorder->heading));
    write_text(recorder);
    return recorder->fd >= 0;
}

/* Ends the record because of 'reason'. */
static void
give_up(struct recorder *recorder, const char *reason)
{
    recorder_stop(recorder);
    free(recorder->error);
    recorder->error = check_strdup(reason);
}

/* Writes the line so far and empties it. */
static void
write_text(struct recorder *recorder)
{
    const char *next = text_string(&recorder->line);
    size_t left = recorder->line.length;

    recorder->n_bytes += left;
    while (left && recorder->fd >= 0) {
        const ssize_t n = write(recorder->fd, next, left);

        if (n > 0) {
            next += n;
            left -= (size_t)n;
        } else if (n == 0 || errno != EINTR) {
            give_up(recorder, n ? strerror(errno) : "nothing was written");
        }
    }
    text_clear(&recorder->line);
}

/* Formats the lines that each part begins with. */
static void
make_heading(struct recorder *recorder, const struct recorder_options *options)
{
    struct text *heading = &recorder->heading;

    text_clear(heading);
    text_add(heading, "");
    if (options->library) {
        text_add(heading, "# library ");
        trace_escape(options->library, heading);
        text_add_char(heading, '\n');
    }
    for (size_t i = 0; i < options->n_profile; i++) {
        text_add(heading, "# profile ");
        trace_escape(options->profile[i].key, heading);
        text_add_char(heading, '=');
        trace_escape(options->profile[i].value, heading);
        text_add_char(heading, '\n');
    }
    text_add(heading, "# switch ");
    serialize_oid(recorder->inner->switch_id, heading);
    text_add_char(heading, '\n');
}

enum st
recorder_start(struct recorder *recorder,
               const struct recorder_options *options, struct err *err)
{
    recorder_stop(recorder);
    free(recorder->error);
    recorder->error = NULL;
    free(recorder->path);
    recorder->path = check_strdup(options->path);
    recorder->max_bytes =
        options->max_bytes ? options->max_bytes : RECORDER_MAX_BYTES;
    recorder->n_kept = options->n_kept ? options->n_kept : RECORDER_N_KEPT;
    recorder->part = 0;
    recorder->n_calls = 0;
    recorder->clock.stamp(recorder->clock.context, recorder->begun);
    make_heading(recorder, options);
    if (open_part(recorder)) {
        return ST_OK;
    }
    if (errno == EEXIST) {
        err_set(err, ST_EXISTS, "not-a-record",
                "%s or an older part of it exists and is not a SAI record",
                recorder->path);
        err_set_remedy(err, "name a file that does not exist");
        return ST_EXISTS;
    }
    return err_set(err, ST_IO, "record-unwritable", "cannot write '%s': %s",
                   recorder->path, strerror(errno));
}

void
recorder_stop(struct recorder *recorder)
{
    const int fd = recorder->fd;

    recorder->fd = -1;
    /* Some file systems notice only now that the disk is full. */
    if (fd >= 0 && close(fd) && errno != EINTR) {
        free(recorder->error);
        recorder->error = check_strdup(strerror(errno));
    }
}

/* Calls --------------------------------------------------------------- */

/* Returns whether a bulk call has all arrays that it needs. */
static bool
has_arrays_of_many(const struct trace_call *call)
{
    if (!call->keys || !call->statuses) {
        return false;
    }
    switch (call->op) {
    case OP_REMOVE_MANY:
        return true;
    case OP_GET_STATS_MANY:
        return call->stats && call->counters;
    case OP_SET_MANY:
        return call->attributes != NULL;
    default:
        return call->counts && call->attributes;
    }
}

/* Returns whether a call, which is not checked yet, has all arrays that it
 * needs. */
static bool
has_arrays(const struct trace_call *call)
{
    if (op_is_many(call->op)) {
        return has_arrays_of_many(call);
    }
    return call->op == OP_GET_STATS ? call->stats && call->counters
                                    : call->attributes != NULL;
}

/* Saves the capacities of the caller's lists, which the result overwrites. */
static void
keep_capacities(struct recorder *recorder, struct trace_call *call)
{
    const uint32_t n = trace_total(call);

    if (n > recorder->n_capacities) {
        recorder->n_capacities = n;
        recorder->capacities = check_realloc(recorder->capacities,
                                             n * sizeof *recorder->capacities);
    }
    for (uint32_t i = 0; i < n; i++) {
        const sai_attribute_t *attribute = &call->attributes[i];
        const struct metadata_attribute *meta =
            metadata_attribute(call->type, attribute->id);

        recorder->capacities[i] =
            meta && kind_has_list(meta->kind) &&
                    kind_list_elements(meta->kind, &attribute->value)
                ? kind_list_capacity(meta->kind, &attribute->value)
                : 0;
    }
    call->capacities = recorder->capacities;
}

/* Writes a call that is about to be made. */
static void
begin(struct recorder *recorder, struct trace_call *call)
{
    char stamp[TRACE_STAMP_SIZE];

    if (recorder->fd < 0) {
        return;
    }
    if (!has_arrays(call)) {
        call->n = 0;
    }
    if (op_single(call->op) == OP_GET) {
        keep_capacities(recorder, call);
    }
    if (recorder->n_bytes >= recorder->max_bytes) {
        recorder_stop(recorder);
        if (!open_part(recorder)) {
            give_up(recorder, strerror(errno));
            return;
        }
    }
    recorder->n_calls++;
    recorder->clock.stamp(recorder->clock.context, stamp);
    trace_write_call(stamp, call, &recorder->line);
    write_text(recorder);
    call->latency_ns = recorder->clock.now_ns(recorder->clock.context);
}

/* Writes the result and returns 'status'. */
static sai_status_t
finish(struct recorder *recorder, struct trace_call *call, sai_status_t status)
{
    recorder->backend.switch_id = recorder->inner->switch_id;
    if (recorder->fd >= 0) {
        const int64_t now = recorder->clock.now_ns(recorder->clock.context);

        call->latency_ns = now - call->latency_ns;
        call->status = status;
        trace_write_result(call, &recorder->line);
        write_text(recorder);
    }
    return status;
}

static sai_status_t
recorder_do_create(struct sai_backend *backend, sai_object_type_t type,
                   uint32_t n, const sai_attribute_t *attributes,
                   sai_object_id_t *oid)
{
    struct recorder *recorder = (struct recorder *)backend;
    struct trace_call call = {
        .op = OP_CREATE, .type = type, .n = n, .attributes = attributes};
    sai_status_t status;

    begin(recorder, &call);
    status =
        recorder->inner->ops->create(recorder->inner, type, n, attributes, oid);
    call.created = status == SAI_STATUS_SUCCESS ? *oid : SAI_NULL_OBJECT_ID;
    return finish(recorder, &call, status);
}

static sai_status_t
recorder_do_remove(struct sai_backend *backend, sai_object_type_t type,
                   sai_object_id_t oid)
{
    struct recorder *recorder = (struct recorder *)backend;
    struct trace_call call = {.op = OP_REMOVE, .type = type, .oid = oid};

    begin(recorder, &call);
    return finish(recorder, &call,
                  recorder->inner->ops->remove(recorder->inner, type, oid));
}

static sai_status_t
recorder_do_set(struct sai_backend *backend, sai_object_type_t type,
                sai_object_id_t oid, const sai_attribute_t *attribute)
{
    struct recorder *recorder = (struct recorder *)backend;
    struct trace_call call = {.op = OP_SET,
                              .type = type,
                              .oid = oid,
                              .n = 1,
                              .attributes = attribute};

    begin(recorder, &call);
    return finish(
        recorder, &call,
        recorder->inner->ops->set(recorder->inner, type, oid, attribute));
}

static sai_status_t
recorder_do_get(struct sai_backend *backend, sai_object_type_t type,
                sai_object_id_t oid, uint32_t n, sai_attribute_t *attributes)
{
    struct recorder *recorder = (struct recorder *)backend;
    struct trace_call call = {.op = OP_GET,
                              .type = type,
                              .oid = oid,
                              .n = n,
                              .attributes = attributes,
                              .answers = attributes};

    begin(recorder, &call);
    return finish(
        recorder, &call,
        recorder->inner->ops->get(recorder->inner, type, oid, n, attributes));
}

static sai_status_t
recorder_do_get_stats(struct sai_backend *backend, sai_object_type_t type,
                      sai_object_id_t oid, uint32_t n, const sai_stat_id_t *ids,
                      sai_stats_mode_t mode, uint64_t *values)
{
    struct recorder *recorder = (struct recorder *)backend;
    struct trace_call call = {.op = OP_GET_STATS,
                              .type = type,
                              .oid = oid,
                              .n = n,
                              .stats = ids,
                              .stats_mode = mode,
                              .counters = values};

    begin(recorder, &call);
    return finish(recorder, &call,
                  recorder->inner->ops->get_stats(recorder->inner, type, oid, n,
                                                  ids, mode, values));
}

static sai_status_t
recorder_do_get_stats_many(struct sai_backend *backend,
                           const struct backend_stats *stats)
{
    struct recorder *recorder = (struct recorder *)backend;
    struct trace_call call = {
        .op = OP_GET_STATS_MANY,
        .type = stats->type,
        .n = stats->n,
        .keys = (sai_object_key_t *)(uintptr_t)stats->keys, /* Only read. */
        .n_stats = stats->n_ids,
        .stats = stats->ids,
        .stats_mode = stats->mode,
        .counters = stats->values,
        .statuses = stats->statuses};

    begin(recorder, &call);
    return finish(recorder, &call,
                  backend_get_stats_many(recorder->inner, stats));
}

static sai_status_t
recorder_do_many(struct sai_backend *backend, const struct backend_many *many)
{
    struct recorder *recorder = (struct recorder *)backend;
    struct trace_call call = {.op = many->op,
                              .type = many->type,
                              .n = many->n,
                              .keys = many->keys,
                              .counts = many->counts,
                              .attributes = many->attributes,
                              .answers = many->attributes,
                              .bulk_mode = many->mode,
                              .statuses = many->statuses};

    begin(recorder, &call);
    return finish(recorder, &call, backend_do_many(recorder->inner, many));
}

static const struct sai_backend_ops recorder_ops = {
    .create = recorder_do_create,
    .remove = recorder_do_remove,
    .set = recorder_do_set,
    .get = recorder_do_get,
    .get_stats = recorder_do_get_stats,
    .get_stats_many = recorder_do_get_stats_many,
    .many = recorder_do_many,
};

void
recorder_write(struct recorder *recorder, struct trace_call *call)
{
    begin(recorder, call);
    (void)finish(recorder, call, call->status);
}
