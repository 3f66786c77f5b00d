/* SPDX-License-Identifier: Apache-2.0 */

/* One call of zlib, whose room is what would be no smaller. */

#include <config.h>

#include "orchd/page/gzip.h"

#include <stdlib.h>
#include <zlib.h>

#include "base/check.h"

/* The largest window, in a gzip header instead of one of zlib. */
#define WINDOW_BITS (15 + 16)

/* How much memory a search takes: zlib's own default. */
#define MEMORY_LEVEL 8

bool
gzip_pack(const char *bytes, size_t length, char **packed, size_t *n)
{
    z_stream stream = {0};
    unsigned char *room;
    bool fits;

    if (!length || length > (uInt)-1) {
        return false;
    }
    room = check_calloc(1, length);
    orch_assert(deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED,
                             WINDOW_BITS, MEMORY_LEVEL,
                             Z_DEFAULT_STRATEGY) == Z_OK);
    stream.next_in = (z_const Bytef *)bytes;
    stream.avail_in = (uInt)length;
    stream.next_out = room;
    stream.avail_out = (uInt)length - 1;
    fits = deflate(&stream, Z_FINISH) == Z_STREAM_END;
    if (fits) {
        *n = stream.total_out;
        *packed = check_realloc(room, *n);
    } else {
        free(room);
    }
    (void)deflateEnd(&stream);
    return fits;
}
