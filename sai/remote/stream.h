/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_REMOTE_STREAM_H
#define ORCHD_SAI_REMOTE_STREAM_H

/* The connection of a client, which sends and receives messages with timeouts.
 *
 * It sends and receives at the same time, so that neither side blocks because
 * the other does not read.  After any error the stream is unusable. */

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "sai/remote/message.h"
#include "sai/remote/wire.h"

struct stream;

/* Connects to the Unix socket 'path' or, if the user may not do that and
 * 'views', to the socket for viewers beside it (base/view_path.h).  ST_INVALID:
 * the path is empty or too long. ST_NOT_FOUND: no process listens on it.
 * ST_IO: another error.  All fill 'err'. */
enum st stream_open(const char *path, bool views, struct stream **stream,
                    struct err *err) ST_WARN_UNUSED;

/* Closes the stream.  Accepts NULL. */
void stream_close(struct stream *stream);

/* Returns the output, to which callers append messages. */
struct wire_out *stream_out(struct stream *stream);

/* Sends the output and waits at most 'timeout_ms' (negative: no limit) for a
 * message.  Returns false if the stream is lost: closed, timed out, or
 * malformed.
 * '*body' is borrowed until the next call. */
bool stream_receive(struct stream *stream, int timeout_ms,
                    struct message_header *header, const uint8_t **body);

/* Interrupts a stream_receive() of another thread, and all later ones. */
void stream_interrupt(struct stream *stream);

/* Returns why the stream is lost: one phrase; NULL if it is not. */
const char *stream_trouble(const struct stream *stream);

/* Makes the stream lost because of 'why', which is static. */
void stream_fail(struct stream *stream, const char *why);

#endif /* sai/remote/stream.h */
