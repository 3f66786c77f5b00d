/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_FILES_ZERO_FILE_H
#define ORCHD_FILES_ZERO_FILE_H

/* Reads the vendor's zero profiles, for ports that are shut down, from a file
 * in the form that SONiC images have: a JSON list of objects, each with one row
 * and "OP": "SET".
 *
 *     [{"BUFFER_POOL_TABLE:ingress_zero_pool": {
 *           "type": "ingress", "mode": "static", "size": "0"}, "OP": "SET"},
 *      {"BUFFER_PROFILE_TABLE:ingress_lossy_pg_zero_profile": {
 *           "pool": "ingress_zero_pool", "size": "0", "static_th": "0"},
 *       "OP": "SET"},
 *      {"control_fields": {
 *           "pgs_to_apply_zero_profile": "0",
 *           "ingress_zero_profile": "ingress_lossy_pg_zero_profile",
 *           "queues_to_apply_zero_profile": "0-7",
 *           "egress_zero_profile": "egress_lossy_zero_profile",
 *           "support_removing_buffer_items": "yes"}, "OP": "SET"}]
 *
 * Numbers may also be JSON numbers.  All control fields are optional; see
 * orchd/derive/zero_profiles.h.  Anything else in the file is an error: a
 * misspelt name would otherwise leave reservations on ports that are shut
 * down. */

#include "base/status.h"

struct zero_profiles;

/* Reads the file 'path' into '*zeros', which is empty before and which the
 * caller frees with zero_profiles_fini().  ST_NOT_FOUND, ST_INVALID: the file
 * cannot be read or is malformed; 'err' has the position, and '*zeros' stays
 * empty. */
enum st zero_file_read(const char *path, struct zero_profiles *zeros,
                       struct err *err) ST_WARN_UNUSED;

#endif /* orchd/files/zero_file.h */
