/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_STORAGE_IO_H
#define ORCHD_LAB_STORAGE_IO_H

/* The way of an I/O of a disk through a storage cluster, as a graph of steps.
 *
 * A disk of a virtual machine (the client) is files of a storage cluster.  A
 * front end or partition server (the server) turns an I/O into one of a file,
 * whose data are on extent nodes (the nodes), in copies.
 *
 *     write   client -> server -> node 0 -> nodes 1.. n-1; each of them writes
 *             its copy; those that did answer node 0, and when it has all
 *             answers and has written its own copy, it answers the server,
 *             which answers the client;
 *     read    client -> server -> one node, which reads, and back.
 *
 * A step is a message from one place to another, work of a processor, or an
 * access of a disk.  It can begin when the steps that it needs have ended.  A
 * plan says which steps there are; an I/O, which of them have begun and ended,
 * and when.  What a step costs is not known here.
 *
 * Source: "Empowering Azure Storage with RDMA" (NSDI 2023), section 2.2: data
 * are appended to the active extent, which has three copies; the server answers
 * when all nodes have; reads are from any of them.  That the first node passes
 * data on to the others is as in "Windows Azure Storage" (SOSP 2011), section
 * 4.3. */

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

/* X(member, name): kinds of steps.  The messages are REQUEST to REPLY. */
#define IO_STEPS(X)                                                            \
    X(REQUEST, "request") /* Client to server. */                              \
    X(COMMAND, "command") /* Server to node 0. */                              \
    X(COPY, "copy")       /* Node 0 to another. */                             \
    X(STORED, "stored")   /* The answer to that. */                            \
    X(ANSWER, "answer")   /* Node 0 to server. */                              \
    X(REPLY, "reply")     /* Server to client. */                              \
    X(WORK, "work")       /* Of a processor. */                                \
    X(DISK, "disk")       /* A node reads or writes. */

enum io_kind {
#define X(member, name) IO_##member,
    IO_STEPS(X)
#undef X
        IO_N_KINDS,
    IO_N_MESSAGES = IO_WORK,
};

enum io_verb { IO_READ, IO_WRITE };

/* Places: the client, the server, node 0, node 1, ... */
enum { IO_CLIENT, IO_SERVER, IO_NODE };

enum {
    IO_COPIES_MAX = 6,
    IO_PLACES_MAX = IO_NODE + IO_COPIES_MAX,
    IO_STEPS_MAX = 32,
};

struct io_step {
    enum io_kind kind;
    uint8_t from, to; /* Places; equal but for messages. */
    uint32_t needs;   /* A bit per step. */
};

struct io_plan {
    enum io_verb verb;
    uint32_t n_copies; /* Nodes that take part. */
    uint32_t n_steps;
    struct io_step steps[IO_STEPS_MAX];
};

/* Fills '*plan' with the steps of a write of 'n_copies' copies, or of a read
 * (from one node).  ST_INVALID: 'n_copies' is not 1..IO_COPIES_MAX. */
enum st io_plan_make(struct io_plan *plan, enum io_verb verb, uint32_t n_copies,
                     struct err *err) ST_WARN_UNUSED;

/* Returns whether messages of 'kind' have the data; the others have a header
 * only. */
bool io_carries_data(enum io_verb verb, enum io_kind kind);

/* Returns the name of 'kind': "request". */
const char *io_kind_name(enum io_kind kind);

/* An I/O. */
struct io {
    const struct io_plan *plan;
    uint32_t begun, ended; /* A bit per step. */
    int64_t start_ps[IO_STEPS_MAX], end_ps[IO_STEPS_MAX];
};

/* Starts an I/O of 'plan', which outlives it. */
void io_init(struct io *io, const struct io_plan *plan);

/* Begins the next step that can begin at 'now_ps', and stores its number.
 * Returns false if there is none. */
bool io_next(struct io *io, int64_t now_ps, uint32_t *number);

/* Ends step 'number', which has begun. */
void io_end(struct io *io, uint32_t number, int64_t now_ps);

/* Returns whether all steps have ended. */
bool io_is_over(const struct io *io);

/* Returns when the last copy was read or written, of an I/O that is over. */
int64_t io_stored_ps(const struct io *io);

#endif /* lab/storage/io.h */
