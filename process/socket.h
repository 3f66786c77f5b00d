/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_PROCESS_SOCKET_H
#define ORCHD_PROCESS_SOCKET_H

/* Unix sockets to listen on.
 *
 * The file appears only when it can be connected to, with mode 0660 from the
 * first moment, in a directory that is made if it is missing.  One that nobody
 * listens to any more is replaced; at the end no other is removed than our
 * own. */

#include <stdbool.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "base/status.h"

/* How it is spoken of. */
struct socket_words {
    const char *name;   /* Codes begin with it: "control". */
    const char *owner;  /* "orchd". */
    const char *option; /* "--control". */
};

/* A socket that listens. */
struct socket_place {
    int fd; /* Of the caller. */
    struct sockaddr_un address;
    dev_t device; /* Of the file, */
    ino_t inode;  /* to remove no other. */
};

/* Listens on 'path' and fills in '*place'.  ST_EXISTS: somebody else does.
 * ST_INVALID: 'path' is too long, or is there and no socket.  ST_IO: the system
 * refused.  All fill 'err', with codes NAME-in-use, NAME-path, NAME-socket. */
enum st socket_listen(const char *path, int backlog,
                      const struct socket_words *words,
                      struct socket_place *place,
                      struct err *err) ST_WARN_UNUSED;

/* Removes the file of 'place'; its descriptor is left to the caller. */
void socket_remove(const struct socket_place *place);

#endif /* process/socket.h */
