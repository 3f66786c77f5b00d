/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_INCLUDE_SAIVERSION_H
#define ORCHD_SAI_INCLUDE_SAIVERSION_H

/* The release that these headers follow, and how to ask a library for its
 * own. */

#include <saistatus.h>
#include <saitypes.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SAI_MAJOR    1
#define SAI_MINOR    18
#define SAI_REVISION 1

/* A release as one number that grows with it. */
#define SAI_VERSION(major, minor, revision)                                    \
    (10000 * (major) + 100 * (minor) + (revision))

#define SAI_API_VERSION SAI_VERSION(SAI_MAJOR, SAI_MINOR, SAI_REVISION)

typedef uint64_t sai_api_version_t;

/* Stores the release that the library was built with in '*version'.  Absent
 * from libraries older than 1.10.0. */
sai_status_t sai_query_api_version(sai_api_version_t *version);

#ifdef __cplusplus
}
#endif

#endif /* saiversion.h */
