/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_STORAGE_SK_RDMA_H
#define ORCHD_LAB_STORAGE_SK_RDMA_H

/* sK-RDMA: disk I/O of virtual machines on storage servers, over a queue pair
 * of the reliable connection service.
 *
 * These are the two ends of a connection, state machines without queue pair,
 * clock and memory.  The caller posts I/Os to the client, takes the work
 * requests that the ends want to post with sk_client_next() and
 * sk_server_next(), and says which of them have completed and what has arrived.
 * Work requests of an end must complete in the order in which they were taken,
 * and what is sent must arrive in order, as the service guarantees.
 *
 *     client                          server
 *     FMR, SEND request  ---------->
 *                        <----------  READ of the data       (disk write)
 *                                     disk
 *                        <----------  WRITE of the data      (disk read)
 *                        <----------  SEND with invalidate: the answer
 *
 * Each request has a key of its own, which its FMR makes valid and its answer
 * ends.  A slot is reused with another key: the last 8 bits count, as in those
 * of InfiniBand.
 *
 * Credits.  A credit is a receive buffer that the server has posted.  A request
 * takes one, and its answer returns it, when the buffer is posted again.  So
 * at most 'credits' requests have no answer, and as many receive buffers of the
 * client are enough: no SEND meets an empty receive queue (RNR).
 *
 * CRC.  Of a disk write the client sends the CRC32C of the data in the request,
 * and the server that of the data which it has READ in the answer; of a disk
 * read the server sends it in the answer.  Who has both compares them.  The
 * caller calculates them, as it has the data.
 *
 * Source: "Empowering Azure Storage with RDMA" (NSDI 2023), section 4.2 and
 * figure 5.  Ours: sizes of messages, one credit per answer, key numbers. */

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

enum {
    SK_MESSAGE_BYTES = 64, /* Of a request, and of an answer. */
    SK_MAX_CREDITS = 4096,
    SK_MAX_DEPTH = 4096,
};

#define SK_MAX_IO_BYTES UINT32_C(0x7fffffff)

/* Of both ends alike. */
struct sk_config {
    uint32_t depth;   /* I/Os that are posted at most: 1..SK_MAX_DEPTH. */
    uint32_t credits; /* 1..SK_MAX_CREDITS */
};

struct sk_request {
    uint32_t slot; /* Of the I/O at the client, below 'depth'. */
    uint32_t key;
    uint32_t bytes;
    uint32_t crc; /* Of a disk write. */
    bool is_read; /* A disk read. */
};

struct sk_answer {
    uint32_t slot;
    uint32_t key; /* It ends this one. */
    uint32_t crc; /* Of the data that the server has. */
    bool is_bad;  /* Of a disk write: it is not that of the request, and the
                   * disk has nothing of the data. */
    uint32_t credits;
};

enum sk_operation {
    SK_OP_REQUEST, /* FMR of 'request.key', and a SEND. */
    SK_OP_READ,
    SK_OP_WRITE,
    SK_OP_ANSWER, /* SEND that invalidates 'answer.key'. */
};

/* A work request. */
struct sk_work {
    enum sk_operation operation;
    uint32_t bytes; /* That it moves. */
    struct sk_request request;
    struct sk_answer answer; /* Of SK_OP_ANSWER. */
};

struct sk_client;
struct sk_server;

/* Returns ST_OK, or ST_INVALID and the reason in '*err' (may be NULL). */
enum st sk_config_check(const struct sk_config *config,
                        struct err *err) ST_WARN_UNUSED;

/* Return how many work requests can be outstanding at an end. */
uint32_t sk_client_most_work(const struct sk_config *config);
uint32_t sk_server_most_work(const struct sk_config *config);

/* Return an end whose receive buffers, 'credits' of them, are posted; 'config'
 * is valid.  End with the function of its name, which accepts NULL. */
struct sk_client *sk_client_create(const struct sk_config *config);
void sk_client_destroy(struct sk_client *client);
struct sk_server *sk_server_create(const struct sk_config *config);
void sk_server_destroy(struct sk_server *server);

/* Posts an I/O of 'bytes', not 0 and at most SK_MAX_IO_BYTES; 'crc' is that of
 * a disk write.  Stores its slot in '*slot'.  ST_NO_RESOURCE: 'depth' are
 * posted. */
enum st sk_client_post(struct sk_client *client, bool is_read, uint32_t bytes,
                       uint32_t crc, uint32_t *slot) ST_WARN_UNUSED;

/* Takes the next work request.  Returns false if there is none. */
bool sk_client_next(struct sk_client *client, struct sk_work *work);

/* Notes that the oldest work request has completed. */
void sk_client_completed(struct sk_client *client);

/* Notes that '*answer' has arrived: the I/O of its slot has ended, and the slot
 * is free.  Its receive buffer has to be posted again before sk_client_next().
 * Returns false if it answers no request: then nothing has changed. */
bool sk_client_received(struct sk_client *client,
                        const struct sk_answer *answer) ST_WARN_UNUSED;

/* Returns how many requests waited for a credit. */
uint64_t sk_client_waits(const struct sk_client *client);

/* Returns how many credits the client has. */
uint32_t sk_client_credits(const struct sk_client *client);

/* Notes that '*request' has arrived.  Its receive buffer has to be posted again
 * before sk_server_next(). */
void sk_server_received(struct sk_server *server,
                        const struct sk_request *request);

/* As above.  If a READ has completed, returns true and stores the request whose
 * data are there. */
bool sk_server_next(struct sk_server *server, struct sk_work *work);
bool sk_server_completed(struct sk_server *server, struct sk_request *request);

/* Takes the next I/O for the disk, in '*request'.  Returns false if there is
 * none: the data of a disk write are there when sk_server_checked() says so. */
bool sk_server_next_disk(struct sk_server *server, struct sk_request *request);

/* Notes that the data of '*request', a disk write, have CRC 'crc'.  If that is
 * not the one of the request, it is answered without the disk. */
void sk_server_checked(struct sk_server *server,
                       const struct sk_request *request, uint32_t crc);

/* Notes that the disk is done with '*request'; 'crc' is that of the data. */
void sk_server_stored(struct sk_server *server,
                      const struct sk_request *request, uint32_t crc);

/* Return NULL if all invariants hold, else a sentence about one that does not.
 * For tests. */
const char *sk_client_check(const struct sk_client *client);
const char *sk_server_check(const struct sk_server *server);

#endif /* lab/storage/sk_rdma.h */
