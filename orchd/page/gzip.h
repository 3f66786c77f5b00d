/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_PAGE_GZIP_H
#define ORCHD_PAGE_GZIP_H

/* Bytes in the format of gzip (RFC 1952), as browsers take files.
 *
 * The same bytes always come out the same: there is neither a name nor a time
 * in the header. */

#include <stdbool.h>
#include <stddef.h>

/* Compresses 'length' bytes, as small as it gets.  Returns false, and leaves
 * the outputs alone, if that would be no smaller; the caller owns '*packed'. */
bool gzip_pack(const char *bytes, size_t length, char **packed, size_t *n);

#endif /* orchd/page/gzip.h */
