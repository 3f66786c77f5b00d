/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_REMOTE_HANDSHAKE_H
#define ORCHD_SAI_REMOTE_HANDSHAKE_H

/* How a connection begins, seen from the client. */

#include "base/status.h"
#include "sai/remote/message.h"

struct stream;

/* Connects to 'path' and says 'hello', whose version is filled in here; fills
 * in '*welcome' when granted.  See client_open() for the outcomes; on ST_OK the
 * caller closes '*stream'. */
enum st greet(const char *path, struct message_hello *hello, int timeout_ms,
              struct stream **stream, struct message_welcome *welcome,
              struct err *err) ST_WARN_UNUSED;

#endif /* sai/remote/handshake.h */
