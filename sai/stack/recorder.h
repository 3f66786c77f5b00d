/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_STACK_RECORDER_H
#define ORCHD_SAI_STACK_RECORDER_H

/* A backend that wraps another and writes each call to a file.
 *
 * sai/trace/trace.h defines the form of a line.  The recorder writes a call
 * before it is made and the result after it, each with a write() of its own, so
 * that the file has the last call even if the process crashes.  (It does not
 * sync the file, which may lose lines if the machine crashes.)
 *
 * A record begins with lines that start with '#':
 *
 *   # orchd SAI record 1
 *   # begun 2026-01-02T03:04:05.678Z part 1
 *   # library /usr/lib/orchd/libsai-softasic.so
 *   # profile SOFTASIC_MODEL=td2
 *   # switch oid:0x2100000001
 *
 * When a file is full, the recorder renames it to FILE.1, that to FILE.2 and so
 * on, removes the oldest, and begins the next part of the record in a new file.
 * It also renames a record that is in FILE when another begins.  It never
 * touches a file that is not a record: recorder_start() then fails.
 *
 * A full disk ends the record but does not affect the calls; recorder_status()
 * reports it.
 *
 * Cost when nothing is recorded: one comparison per call. */

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "sai/core/backend.h"
#include "sai/loader/loader.h"

/* The first line of every part. */
#define RECORDER_MAGIC "# orchd SAI record 1\n"

struct recorder;
struct trace_call;

/* The clock: 'now_ns' is monotonic; 'stamp' writes the time of day into a
 * buffer of TRACE_STAMP_SIZE (sai/trace/trace.h). */
struct recorder_clock {
    void *context;
    int64_t (*now_ns)(void *context);
    void (*stamp)(void *context, char *buffer);
};

struct recorder_options {
    const char *path;
    const char *library;               /* Of the switch; NULL: unknown. */
    const struct loader_pair *profile; /* That the library was given. */
    size_t n_profile;
    uint64_t max_bytes;  /* Of a part; 0: RECORDER_MAX_BYTES. */
    unsigned int n_kept; /* Old parts; 0: RECORDER_N_KEPT. */
};

#define RECORDER_MAX_BYTES (UINT64_C(16) * 1024 * 1024)
#define RECORDER_N_KEPT    4

struct recorder_status {
    bool recording;
    const char *path; /* Borrowed; NULL before the first record. */
    uint64_t n_calls; /* In this record. */
    unsigned int part;
    const char *error; /* Why the record ended before its time, or NULL. */
};

/* Returns a recorder around 'inner', which is borrowed.  Recording is off.
 * Destroy it with recorder_destroy(). */
struct recorder *recorder_create(struct sai_backend *inner,
                                 const struct recorder_clock *clock);

/* Ends the record and frees 'recorder'.  Accepts NULL. */
void recorder_destroy(struct recorder *recorder);

/* Returns the recorder as a backend.  Borrowed. */
struct sai_backend *recorder_backend(struct recorder *recorder);

/* Ends the current record and begins another with 'options', which are copied.
 * ST_IO or ST_EXISTS with a reason if the file cannot be created; nothing is
 * then recorded. */
enum st recorder_start(struct recorder *recorder,
                       const struct recorder_options *options,
                       struct err *err) ST_WARN_UNUSED;

/* Writes 'call', a line of a snapshot, without making it.  Does nothing while
 * recording is off. */
void recorder_write(struct recorder *recorder, struct trace_call *call);

/* Ends the current record, if there is one. */
void recorder_stop(struct recorder *recorder);

void recorder_status(const struct recorder *recorder,
                     struct recorder_status *status);

#endif /* sai/stack/recorder.h */
