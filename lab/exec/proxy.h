/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_EXEC_PROXY_H
#define ORCHD_LAB_EXEC_PROXY_H

/* A communicator for a process without MPI: another one, its server, carries
 * out the calls.
 *
 * A checkpoint is an image of a process (process/process_image.h), which cannot
 * have the state of MPI: that is in sockets, in memory that other ranks map,
 * and in the launcher.  So a rank with checkpoints consists of two processes.
 * The server has MPI.  Its child, the client, has the run, and a communicator
 * whose functions hand their arguments to the server and wait for the answer.
 *
 * Arguments and answers are in memory that both map.  In the client it is
 * always at the same address, so that it is where an image expects it; the
 * image does not have its contents, because it is shared.  It is as large as
 * all that one exchange of MPI can have; only what was used takes memory.
 *
 * A byte wakes the other process: PROXY_REQUEST in the output of the client,
 * which the server reads anyway, and any byte in its input.  So each of them
 * sees the end of the other as the end of a file. */

#include <stdbool.h>

#include "base/status.h"

struct communicator;
struct proxy_server;

/* The last byte of the output of a client that waits for its server. */
#define PROXY_REQUEST '\5'

/* An environment variable of a client: the descriptor of the memory. */
#define PROXY_VARIABLE "ORCHLAB_PROXY"

/* Stores a server in '*server' that carries out calls of 'comm', borrowed, for
 * one client at a time.  ST_IO: there is no memory to share. */
enum st proxy_server_create(struct communicator *comm,
                            struct proxy_server **server,
                            struct err *err) ST_WARN_UNUSED;

/* Accepts NULL. */
void proxy_server_destroy(struct proxy_server *server);

/* Returns the descriptor of the memory, for the client; borrowed.  It is closed
 * when a program is executed. */
int proxy_server_file(const struct proxy_server *server);

/* Carries out what the client asks for, and wakes it by a byte to 'answers',
 * unless it asks for nothing. */
void proxy_server_answer(struct proxy_server *server, int answers);

/* Returns whether the client has called proxy_close(). */
bool proxy_server_has_left(const struct proxy_server *server);

/* In the client: stores the communicator in '*comm'.  'file' is the descriptor
 * of the memory, which is closed.  Requests go to 'requests', and answers come
 * from 'answers'; a stream of that descriptor must not have read ahead.  If the
 * server has ended, functions of '*comm' end the process without a word.
 * ST_INVALID: 'file' is something else; ST_IO: it cannot be mapped. */
enum st proxy_open(int file, int requests, int answers,
                   struct communicator **comm, struct err *err) ST_WARN_UNUSED;

/* Returns whether 'comm', which may be NULL, is from proxy_open(). */
bool proxy_is(const struct communicator *comm);

/* Ends 'comm', and notes that for the server. */
void proxy_close(struct communicator *comm);

#endif /* lab/exec/proxy.h */
