/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_REPLAY_RECORDING_H
#define ORCHD_SAI_REPLAY_RECORDING_H

/* Loads a record (sai/stack/recorder.h) from its files, oldest part first. */

#include <stdbool.h>
#include <stddef.h>

#include <sai.h>

#include "base/status.h"
#include "sai/loader/loader.h"

struct arena;

struct recording {
    struct arena *arena; /* Of all that follows. */
    const char *library; /* NULL: unknown. */
    struct loader_pair *profile;
    size_t n_profile;
    sai_object_id_t switch_id;

    /* The calls, and where each stands: "FILE.1:17". */
    size_t n_lines;
    const char **lines;
    const char **places;
    bool torn; /* The last line had no end and is not among them. */
};

/* Loads the record whose newest part is file 'path'; the names of older parts
 * follow from it.  On ST_OK the caller frees '*recording' with
 * recording_destroy().  ST_IO: a file cannot be read.  ST_INVALID: a file is
 * not a record.  ST_NOT_FOUND: an older part, with the beginning of the record,
 * is missing. */
enum st recording_load(const char *path, struct recording **recording,
                       struct err *err) ST_WARN_UNUSED;

/* Frees 'recording'.  Accepts NULL. */
void recording_destroy(struct recording *recording);

#endif /* sai/replay/recording.h */
