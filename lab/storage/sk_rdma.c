/* SPDX-License-Identifier: Apache-2.0 */

#include <config.h>

#include "lab/storage/sk_rdma.h"

#include <stdlib.h>

#include "base/check.h"

enum { KEY_BITS = 8, KEY_MASK = 0xff, REQUESTS_PER_ANSWER = 2 };

enum io_state { IO_FREE, IO_POSTED, IO_SENT };

struct io {
    struct sk_request request;
    enum io_state state;
    uint8_t n_keys; /* That its slot has had. */
};

struct sk_client {
    struct sk_config config;
    struct io *ios;       /* By slot. */
    uint32_t *free_slots; /* A stack of 'n_free'. */
    uint32_t n_free;
    uint32_t *posted; /* A ring of slots, by number modulo 'depth'. */
    uint64_t first_posted, end_posted;
    uint32_t credits;
    uint32_t n_sent; /* Requests without an answer. */
    uint32_t n_work; /* Outstanding. */
    uint64_t n_waits;
    bool is_waiting; /* The next request, for a credit. */
};

/* A ring of 'credits' requests, or twice as many. */
struct queue {
    struct sk_work *items;
    uint64_t first, end;
    uint32_t room;
};

struct sk_server {
    struct sk_config config;
    struct queue wanted; /* To be taken. */
    struct queue works;  /* Taken, not complete. */
    struct queue disk;
    uint32_t n_requests; /* Without an answer that was taken. */
};

enum st
sk_config_check(const struct sk_config *config, struct err *err)
{
    const char *wrong = !config->depth || config->depth > SK_MAX_DEPTH
                            ? "1 to 4096 I/Os are outstanding"
                        : !config->credits || config->credits > SK_MAX_CREDITS
                            ? "a server gives 1 to 4096 credits"
                            : NULL;

    if (wrong) {
        err_set(err, ST_INVALID, "sk_rdma", "%s", wrong);
        return ST_INVALID;
    }
    return ST_OK;
}

uint32_t
sk_client_most_work(const struct sk_config *config)
{
    return config->depth < config->credits ? config->depth : config->credits;
}

uint32_t
sk_server_most_work(const struct sk_config *config)
{
    return REQUESTS_PER_ANSWER * config->credits;
}

/* The client --------------------------------------------------------------- */

struct sk_client *
sk_client_create(const struct sk_config *config)
{
    struct sk_client *client = check_calloc(1, sizeof *client);

    orch_assert(sk_config_check(config, NULL) == ST_OK);
    client->config = *config;
    client->credits = config->credits;
    client->ios = check_calloc(config->depth, sizeof *client->ios);
    client->free_slots =
        check_calloc(config->depth, sizeof *client->free_slots);
    client->posted = check_calloc(config->depth, sizeof *client->posted);
    for (uint32_t i = 0; i < config->depth; i++) {
        client->free_slots[client->n_free++] = config->depth - 1 - i;
    }
    return client;
}

void
sk_client_destroy(struct sk_client *client)
{
    if (client) {
        free(client->ios);
        free(client->free_slots);
        free(client->posted);
        free(client);
    }
}

enum st
sk_client_post(struct sk_client *client, bool is_read, uint32_t bytes,
               uint32_t crc, uint32_t *slot)
{
    struct io *io;

    if (!client->n_free) {
        return ST_NO_RESOURCE;
    }
    if (!bytes || bytes > SK_MAX_IO_BYTES) {
        return ST_INVALID;
    }
    *slot = client->free_slots[--client->n_free];
    io = &client->ios[*slot];
    io->state = IO_POSTED;
    io->n_keys++;
    io->request = (struct sk_request){.slot = *slot,
                                      .key = (*slot + 1) << KEY_BITS |
                                             (io->n_keys & KEY_MASK),
                                      .bytes = bytes,
                                      .crc = is_read ? 0 : crc,
                                      .is_read = is_read};
    client->posted[client->end_posted++ % client->config.depth] = *slot;
    return ST_OK;
}

bool
sk_client_next(struct sk_client *client, struct sk_work *work)
{
    struct io *io;

    if (client->first_posted == client->end_posted) {
        return false;
    }
    if (!client->credits) {
        client->n_waits += !client->is_waiting;
        client->is_waiting = true;
        return false;
    }
    /* An answer can overtake the acknowledgement of its request. */
    if (client->n_work == sk_client_most_work(&client->config)) {
        return false;
    }
    io = &client->ios[client->posted[client->first_posted++ %
                                     client->config.depth]];
    io->state = IO_SENT;
    client->is_waiting = false;
    client->credits--;
    client->n_sent++;
    client->n_work++;
    *work = (struct sk_work){.operation = SK_OP_REQUEST,
                             .bytes = SK_MESSAGE_BYTES,
                             .request = io->request};
    return true;
}

void
sk_client_completed(struct sk_client *client)
{
    orch_assert(client->n_work);
    client->n_work--;
}

bool
sk_client_received(struct sk_client *client, const struct sk_answer *answer)
{
    struct io *io =
        answer->slot < client->config.depth ? &client->ios[answer->slot] : NULL;

    if (!io || io->state != IO_SENT || io->request.key != answer->key) {
        return false;
    }
    io->state = IO_FREE;
    client->free_slots[client->n_free++] = answer->slot;
    client->n_sent--;
    client->credits += answer->credits;
    return true;
}

uint64_t
sk_client_waits(const struct sk_client *client)
{
    return client->n_waits;
}

uint32_t
sk_client_credits(const struct sk_client *client)
{
    return client->credits;
}

const char *
sk_client_check(const struct sk_client *client)
{
    uint32_t n[IO_SENT + 1] = {0};

    for (uint32_t i = 0; i < client->config.depth; i++) {
        n[client->ios[i].state]++;
    }
    return n[IO_FREE] != client->n_free ? "slots are lost"
           : n[IO_POSTED] != client->end_posted - client->first_posted
               ? "I/Os are lost"
           : n[IO_SENT] != client->n_sent ? "requests are lost"
           : client->credits + client->n_sent != client->config.credits
               ? "credits are not as many as requests have left"
               : NULL;
}

/* The server --------------------------------------------------------------- */

static void
make_queue(struct queue *queue, uint32_t room)
{
    *queue = (struct queue){.items = check_calloc(room, sizeof *queue->items),
                            .room = room};
}

static void
add(struct queue *queue, const struct sk_work *work)
{
    orch_assert(queue->end - queue->first < queue->room);
    queue->items[queue->end++ % queue->room] = *work;
}

static bool
take(struct queue *queue, struct sk_work *work)
{
    if (queue->first == queue->end) {
        return false;
    }
    *work = queue->items[queue->first++ % queue->room];
    return true;
}

struct sk_server *
sk_server_create(const struct sk_config *config)
{
    struct sk_server *server = check_calloc(1, sizeof *server);

    orch_assert(sk_config_check(config, NULL) == ST_OK);
    server->config = *config;
    make_queue(&server->wanted, sk_server_most_work(config));
    make_queue(&server->works, sk_server_most_work(config));
    make_queue(&server->disk, config->credits);
    return server;
}

void
sk_server_destroy(struct sk_server *server)
{
    if (server) {
        free(server->wanted.items);
        free(server->works.items);
        free(server->disk.items);
        free(server);
    }
}

void
sk_server_received(struct sk_server *server, const struct sk_request *request)
{
    const struct sk_work work = {
        .operation = SK_OP_READ, .bytes = request->bytes, .request = *request};

    server->n_requests++;
    add(request->is_read ? &server->disk : &server->wanted, &work);
}

bool
sk_server_next(struct sk_server *server, struct sk_work *work)
{
    if (server->works.end - server->works.first == server->works.room ||
        !take(&server->wanted, work)) {
        return false;
    }
    server->n_requests -= work->operation == SK_OP_ANSWER;
    add(&server->works, work);
    return true;
}

bool
sk_server_completed(struct sk_server *server, struct sk_request *request)
{
    struct sk_work work = {.bytes = 0};

    orch_assert(take(&server->works, &work));
    *request = work.request;
    return work.operation == SK_OP_READ;
}

bool
sk_server_next_disk(struct sk_server *server, struct sk_request *request)
{
    struct sk_work work;

    if (!take(&server->disk, &work)) {
        return false;
    }
    *request = work.request;
    return true;
}

/* Has the answer of '*request' sent. */
static void
answer(struct sk_server *server, const struct sk_request *request, uint32_t crc,
       bool is_bad)
{
    const struct sk_work work = {.operation = SK_OP_ANSWER,
                                 .bytes = SK_MESSAGE_BYTES,
                                 .request = *request,
                                 .answer = {.slot = request->slot,
                                            .key = request->key,
                                            .crc = crc,
                                            .is_bad = is_bad,
                                            .credits = 1}};

    add(&server->wanted, &work);
}

void
sk_server_checked(struct sk_server *server, const struct sk_request *request,
                  uint32_t crc)
{
    if (crc != request->crc) {
        answer(server, request, crc, true);
    } else {
        add(&server->disk, &(struct sk_work){.request = *request});
    }
}

void
sk_server_stored(struct sk_server *server, const struct sk_request *request,
                 uint32_t crc)
{
    const struct sk_work work = {
        .operation = SK_OP_WRITE, .bytes = request->bytes, .request = *request};

    if (request->is_read) {
        add(&server->wanted, &work);
    }
    answer(server, request, crc, false);
}

const char *
sk_server_check(const struct sk_server *server)
{
    return server->n_requests > server->config.credits
               ? "more requests have no answer than there are credits"
               : NULL;
}
