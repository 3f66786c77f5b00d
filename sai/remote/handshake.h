/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_REMOTE_HANDSHAKE_H
#define ORCHD_SAI_REMOTE_HANDSHAKE_H

/* The client's side of the handshake: HELLO and WELCOME. */

#include "base/status.h"
#include "sai/remote/message.h"

struct stream;

/* Connects to 'path' and sends 'hello' with the version of this client.  Stores
 * the answer in '*welcome' if the host accepts the client.  See client_open()
 * for the results; on ST_OK the caller closes '*stream'. */
enum st handshake_connect(const char *path, struct message_hello *hello,
                          int timeout_ms, struct stream **stream,
                          struct message_welcome *welcome,
                          struct err *err) ST_WARN_UNUSED;

#endif /* sai/remote/handshake.h */
