/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_REPLAY_RECORDING_H
#define ORCHD_SAI_REPLAY_RECORDING_H

/* A record (sai/stack/recorder.h) read back from its files, the oldest part
 * first. */

#include <stdbool.h>
#include <stddef.h>

#include <sai.h>

#include "base/status.h"
#include "sai/loader/loader.h"

struct arena;

struct recording {
    struct arena *arena; /* Of all that follows. */
    const char *library; /* NULL: not told. */
    struct loader_pair *profile;
    size_t n_profile;
    sai_object_id_t switch_id;

    /* The calls, and where each stands: "FILE.1:17". */
    size_t n_lines;
    const char **lines;
    const char **places;
    bool torn; /* The last line had no end and is not among them. */
};

/* Reads the record whose newest part is file 'path'; older ones are found by
 * their names.  On ST_OK the caller ends '*recording' with recording_destroy().
 * ST_IO: a file cannot be read; ST_INVALID: it is no record; ST_NOT_FOUND: an
 * older part is missing, so that the record has no beginning any more. */
enum st recording_load(const char *path, struct recording **recording,
                       struct err *err) ST_WARN_UNUSED;

/* Frees 'recording'.  Accepts NULL. */
void recording_destroy(struct recording *recording);

#endif /* sai/replay/recording.h */
