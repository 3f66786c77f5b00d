/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_COMMAND_FILE_DIGEST_H
#define ORCHD_COMMAND_FILE_DIGEST_H

/* Digests (base/digest.h) of files: of what results follow from, so that they
 * are not taken for those of another version of it. */

#include <stdint.h>

#include "base/status.h"

/* Extends '*digest' by the contents of 'path'.  ST_IO: it cannot be read. */
enum st file_digest(const char *path, uint64_t *digest,
                    struct err *err) ST_WARN_UNUSED;

/* Extends '*digest' by names and contents of the models in 'folder': the files
 * that end in ".yaml" or ".json", in the order of their names.  ST_IO: the
 * folder or a file cannot be read. */
enum st file_digest_models(const char *folder, uint64_t *digest,
                           struct err *err) ST_WARN_UNUSED;

#endif /* command/file_digest.h */
