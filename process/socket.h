/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_PROCESS_SOCKET_H
#define ORCHD_PROCESS_SOCKET_H

/* Unix sockets that listen.
 *
 * The socket file appears, with its group and mode 0660, only when clients can
 * connect to it.
 * socket_listen() creates its directory if it is missing, and replaces a socket
 * file on which no process listens.  socket_remove() removes only the file that
 * socket_listen() created. */

#include <stdbool.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "base/status.h"

/* Room for the path of a socket that socket_listen() takes: sun_path without
 * the suffix that the file has until the socket listens. */
#define SOCKET_PATH_SIZE 104

/* Words for codes and messages about a socket. */
struct socket_words {
    const char *name;   /* Codes begin with it: "control". */
    const char *owner;  /* The program: "orchd". */
    const char *option; /* "--control". */
};

/* A socket that listens. */
struct listening_socket {
    int fd; /* Owned by the caller. */
    struct sockaddr_un address;
    dev_t device; /* Identify the file, so that no other is removed. */
    ino_t inode;
};

/* Listens on 'path' and fills '*listening'.  The file belongs to 'group' if
 * that exists and this process may give files to it; else (or if it is NULL) to
 * the group of the process.  ST_EXISTS: another process listens
 * on it.  ST_INVALID: 'path' is too long, or is a file other than a socket.
 * ST_IO: a system call failed.  All fill 'err', with codes NAME-in-use,
 * NAME-path and NAME-socket. */
enum st socket_listen(const char *path, int backlog, const char *group,
                      const struct socket_words *words,
                      struct listening_socket *listening,
                      struct err *err) ST_WARN_UNUSED;

/* Returns whether a process listens on the Unix socket 'path': it connects, and
 * closes the connection.  A file alone does not say so: its process may have
 * ended, or not listen yet. */
bool socket_is_served(const char *path);

/* Removes the file of 'listening'.  The caller closes its descriptor. */
void socket_remove(const struct listening_socket *listening);

#endif /* process/socket.h */
