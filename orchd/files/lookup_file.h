/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_FILES_LOOKUP_FILE_H
#define ORCHD_FILES_LOOKUP_FILE_H

/* Reads the vendor's tables of profiles from files.
 *
 * Of lossless profiles the first character distinguishes two forms: the columns
 * of pg_profile_lookup.ini (orchd/derive/pg_profile_lookup.h), and one JSON
 * object
 *
 *     {"100000|40m": {"size": "1248", "xon": "2288", "xoff": "177632",
 *                     "threshold": "0", "xon_offset": "2288"}, ...}
 *
 * whose values may also be numbers. */

#include "base/status.h"

struct llr_lookup;
struct pg_profile_lookup;
struct shipped_lookups;

/* Reads the file 'path' into '*lookup', which is empty before and which the
 * caller frees with pg_profile_lookup_fini().  ST_INVALID, ST_NOT_FOUND, ST_IO:
 * the file cannot be read or is malformed; 'err' has the position, and
 * '*lookup' stays empty. */
enum st lookup_file_read(const char *path, struct pg_profile_lookup *lookup,
                         struct err *err) ST_WARN_UNUSED;

/* Reads the tables that are shipped in 'directory' (pg_lookup.ini, see
 * orchd/derive/shipped_lookups.h) into '*shipped', which is empty before and
 * which the caller frees with shipped_lookups_fini().  A directory without that
 * file has no tables, which is no error.  Fails as lookup_file_read() does. */
enum st lookup_file_read_shipped(const char *directory,
                                 struct shipped_lookups *shipped,
                                 struct err *err) ST_WARN_UNUSED;

/* Does the same for profiles of link-level retry, which have columns only
 * (orchd/derive/llr_lookup.h); the caller frees '*lookup' with
 * llr_lookup_fini(). */
enum st lookup_file_read_llr(const char *path, struct llr_lookup *lookup,
                             struct err *err) ST_WARN_UNUSED;

#endif /* orchd/files/lookup_file.h */
