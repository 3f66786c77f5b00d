/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_STACK_RECORDER_H
#define ORCHD_SAI_STACK_RECORDER_H

/* A backend that wraps another and writes each call into a file.
 *
 * The form of a line is that of sai/trace/trace.h.  A call is written before it
 * is made and its outcome behind it, each with a write() of its own: whatever
 * happens to the process, the file says which call was the last.  (It is not
 * made sure that it survives the machine.)
 *
 * A record begins with lines that start with '#':
 *
 *   # orchd SAI record 1
 *   # begun 2026-01-02T03:04:05.678Z part 1
 *   # library /usr/lib/orchd/libsai-softasic.so
 *   # profile SOFTASIC_MODEL=td2
 *   # switch oid:0x2100000001
 *
 * When a file is full it is renamed to FILE.1, that to FILE.2 and so on, and
 * the next part of the record begins in a new one; the oldest is removed.  A
 * record that was in FILE when another begins moves away in the same manner.
 * Anything else that is there is not touched: the start is refused.
 *
 * A disk that is full ends the record, not the switch: recorder_status() tells.
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

/* What tells the time; 'now_ns' never goes back, 'stamp' writes the time of day
 * into a buffer of TRACE_STAMP_SIZE (sai/trace/trace.h). */
struct recorder_clock {
    void *context;
    int64_t (*now_ns)(void *context);
    void (*stamp)(void *context, char *buffer);
};

struct recorder_options {
    const char *path;
    const char *library;               /* Of the switch; NULL: not told. */
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

/* Returns a recorder around 'inner', which is borrowed, not recording.  End
 * with recorder_destroy(). */
struct recorder *recorder_create(struct sai_backend *inner,
                                 const struct recorder_clock *clock);

/* Ends the record and frees 'recorder'.  Accepts NULL. */
void recorder_destroy(struct recorder *recorder);

/* The recorder as a backend.  Borrowed. */
struct sai_backend *recorder_backend(struct recorder *recorder);

/* Begins a record as 'options' say, which are copied; one under way ends.
 * ST_IO or ST_EXISTS with a reason if the file cannot be had; then nothing is
 * recorded. */
enum st recorder_start(struct recorder *recorder,
                       const struct recorder_options *options,
                       struct err *err) ST_WARN_UNUSED;

/* Writes 'call', which is not made, if something is recorded: what introduces
 * objects that are there already. */
void recorder_write(struct recorder *recorder, struct trace_call *call);

/* Ends the record under way, if there is one. */
void recorder_stop(struct recorder *recorder);

void recorder_status(const struct recorder *recorder,
                     struct recorder_status *status);

#endif /* sai/stack/recorder.h */
