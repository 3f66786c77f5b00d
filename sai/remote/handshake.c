/* SPDX-License-Identifier: Apache-2.0 */

/* Sends HELLO and receives WELCOME. */

#include <config.h>

#include "sai/remote/handshake.h"

#include <poll.h>
#include <string.h>

#include "base/text.h"
#include "sai/remote/stream.h"

/* The number of retries while another client writes, and the wait between them:
 * the host may not have noticed yet that the writer has ended. */
enum { BUSY_TRIES = 50, BUSY_WAIT_MS = 20 };

/* Fills 'err' with the reason of the host for its refusal. */
static enum st
refused(const char *path, const struct message_welcome *welcome,
        struct err *err)
{
    static const struct {
        enum st status;
        const char *code, *remedy;
    } refusals[MESSAGE_N_OUTCOMES] = {
        [MESSAGE_BUSY] = {ST_BUSY, "sai-host-busy",
                          "end the other client, connect as a reader or "
                          "tester, or start the host with --rescue"},
        [MESSAGE_OTHER_VERSION] = {ST_UNSUPPORTED, "sai-host-version",
                                   "use client and host from one release"},
        [MESSAGE_DENIED] = {ST_UNSUPPORTED, "sai-host-denied",
                            "connect as a reader, or ask an administrator for "
                            "the group"},
    };
    char versions[96];

    (void)text_format(versions, sizeof versions,
                      "it speaks version %u of the protocol, and this client "
                      "version %u",
                      welcome->version, MESSAGE_VERSION);
    (void)err_set(err, refusals[welcome->outcome].status,
                  refusals[welcome->outcome].code,
                  "the host of the switch at %s refused: %s", path,
                  *welcome->reason ? welcome->reason : versions);
    err_set_remedy(err, "%s", refusals[welcome->outcome].remedy);
    return refusals[welcome->outcome].status;
}

/* Connects and performs the handshake once. */
static enum st
try_handshake(const char *path, const struct message_hello *hello,
              int timeout_ms, struct stream **stream,
              struct message_welcome *welcome, struct err *err)
{
    struct message_header header;
    struct stream *opened = NULL;
    const uint8_t *body;
    size_t start;
    enum st status =
        stream_open(path, hello->role == MESSAGE_READER, &opened, err);

    if (status) {
        return status;
    }
    start = message_begin(stream_out(opened), MESSAGE_HELLO, 1);
    message_put_hello(stream_out(opened), hello);
    (void)message_end(stream_out(opened), start);
    if (stream_receive(opened, timeout_ms, &header, &body)) {
        struct wire_in in = {body, header.n_bytes, false};

        if (header.kind != MESSAGE_WELCOME ||
            !message_get_welcome(&in, welcome)) {
            stream_fail(opened, "it is not a SAI host");
        }
    }
    if (stream_trouble(opened)) {
        status = err_set(err, ST_IO, "sai-host", "no handshake at %s: %s", path,
                         stream_trouble(opened));
    } else if (welcome->outcome != MESSAGE_GRANTED) {
        status = refused(path, welcome, err);
    }
    if (status) {
        stream_close(opened);
        return status;
    }
    *stream = opened;
    return ST_OK;
}

enum st
handshake_connect(const char *path, struct message_hello *hello, int timeout_ms,
                  struct stream **stream, struct message_welcome *welcome,
                  struct err *err)
{
    enum st status;
    int tries = 0;

    hello->version = MESSAGE_VERSION;
    memset(welcome, 0, sizeof *welcome);
    while ((status = try_handshake(path, hello, timeout_ms, stream, welcome,
                                   err)) == ST_BUSY &&
           ++tries < BUSY_TRIES) {
        (void)poll(NULL, 0, BUSY_WAIT_MS);
    }
    return status;
}
