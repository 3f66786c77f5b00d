/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHLAB_RUN_KEY_H
#define ORCHD_ORCHLAB_RUN_KEY_H

/* The key of a run: a digest of everything that its results follow from, in
 * hexadecimal.  That is the scenario of this run, its topology, all chip files
 * and configurations, and the version of the program. */

#include <stdint.h>

#include "base/status.h"

struct experiment;
struct run_options;

enum { RUN_KEY_SIZE = 17 };

/* Returns a digest of the version and of the chip files and configurations of
 * 'options' in '*digest'.  ST_IO: one cannot be read. */
enum st run_key_models(const struct run_options *options, uint64_t *digest,
                       struct err *err) ST_WARN_UNUSED;

/* Writes the key of 'experiment' into 'key'; 'models' is from run_key_models().
 * ST_IO: a configuration that it names by its path cannot be read. */
enum st run_key(uint64_t models, const struct experiment *experiment,
                char key[RUN_KEY_SIZE], struct err *err) ST_WARN_UNUSED;

#endif /* orchlab/run_key.h */
