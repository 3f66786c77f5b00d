/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_REMOTE_STREAM_H
#define ORCHD_SAI_REMOTE_STREAM_H

/* A client's connection: messages out, messages in, and never waiting longer
 * than it may.
 *
 * Both directions move at once, so that neither side waits for the other to
 * read.  After any error the stream is lost, and stays so. */

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "sai/remote/message.h"
#include "sai/remote/wire.h"

struct stream;

/* Connects to the Unix socket 'path'.  ST_INVALID: that cannot be a path;
 * ST_NOT_FOUND: nobody listens there; ST_IO.  All fill 'err'. */
enum st stream_open(const char *path, struct stream **stream,
                    struct err *err) ST_WARN_UNUSED;

/* Closes it.  Accepts NULL. */
void stream_close(struct stream *stream);

/* What is to be sent: messages are appended by whoever has some. */
struct wire_out *stream_out(struct stream *stream);

/* Sends what there is and waits at most 'timeout_ms' (negative: for ever) for a
 * message.  Returns false if the stream is lost: closed, late, or not a
 * message.
 * '*body' is borrowed until the next call. */
bool stream_receive(struct stream *stream, int timeout_ms,
                    struct message_header *header, const uint8_t **body);

/* Ends a stream_receive() of another thread, and all later ones. */
void stream_interrupt(struct stream *stream);

/* Returns why the stream is lost: one phrase; NULL if it is not. */
const char *stream_trouble(const struct stream *stream);

/* Gives the stream up, for a reason that is static. */
void stream_fail(struct stream *stream, const char *why);

#endif /* sai/remote/stream.h */
