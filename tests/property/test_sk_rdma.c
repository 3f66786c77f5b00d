/* SPDX-License-Identifier: Apache-2.0 */

/* Whatever the order of events, each I/O of sK-RDMA ends once, its key lives
 * from its request to its answer, no SEND meets an empty receive queue, all
 * credits come back, and nothing stands still.
 *
 * A client and a server do I/Os over queue pairs that keep their order, with
 * random limits, a disk that ends them in any order, and data that are damaged
 * now and then; which of the next events comes first is random.
 * SK_RDMA_SEEDS=n runs more seeds, SK_RDMA_SEED=n one. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "lab/storage/integrity.h"
#include "lab/storage/sk_rdma.h"
#include "twin/transport/region.h"

enum { N_IOS = 100, N_WORKS = 4 * N_IOS, N_SEEDS = 3000, GOOD = 7, BAD = 8 };

struct direction {
    struct sk_work works[N_WORKS];
    uint32_t posted, arrived, completed;
};

struct connection {
    uint64_t seed;
    struct random random;
    struct sk_config config;
    struct sk_client *client;
    struct sk_server *server;
    struct direction ways[2]; /* Of the client, of the server. */
    uint32_t receives[2];     /* Posted at each of them. */
    struct regions *regions;  /* Of the client. */
    struct sk_request disk[SK_MAX_CREDITS];
    uint32_t n_disk;
    bool is_bad[SK_MAX_DEPTH]; /* By slot: its data will be damaged. */
    uint32_t n_bad, n_bad_answers;
    uint32_t n_posted, n_ended;
    uint32_t moved[SK_MAX_DEPTH]; /* By slot. */
    uint32_t keys[SK_MAX_DEPTH];  /* The last one of a slot. */
};

static void
expect(const struct connection *connection, bool holds, const char *text)
{
    if (!holds) {
        fail_msg("seed %llu: %s", (unsigned long long)connection->seed, text);
    }
}

static void
check(const struct connection *connection)
{
    const char *wrong = sk_client_check(connection->client);

    wrong = wrong ? wrong : sk_server_check(connection->server);
    expect(connection, !wrong, wrong ? wrong : "");
}

static bool
post(struct connection *connection)
{
    const bool is_read = random_below(&connection->random, 2);
    uint32_t slot;

    if (connection->n_posted == N_IOS ||
        sk_client_post(connection->client, is_read,
                       1 + (uint32_t)random_below(&connection->random, 99999),
                       GOOD, &slot)) {
        return false;
    }
    connection->n_posted++;
    connection->is_bad[slot] = random_below(&connection->random, 8) == 0;
    connection->n_bad += connection->is_bad[slot] && !is_read;
    connection->moved[slot] = 0;
    return true;
}

/* The client asks for work, when its receive buffers are posted again, and its
 * adapter registers the memory. */
static bool
ask_client(struct connection *connection)
{
    struct direction *way = &connection->ways[0];
    struct sk_work *work = &way->works[way->posted];
    struct region region;

    connection->receives[0] = connection->config.credits;
    if (!sk_client_next(connection->client, work)) {
        return false;
    }
    region = (struct region){.rkey = work->request.key,
                             .access = REGION_REMOTE_READ | REGION_REMOTE_WRITE,
                             .length = work->request.bytes};
    expect(connection, regions_add(connection->regions, &region) == ST_OK,
           "a key is used twice at a time");
    expect(connection,
           connection->keys[work->request.slot] != work->request.key,
           "a slot has the key again that it had before");
    connection->keys[work->request.slot] = work->request.key;
    way->posted++;
    expect(connection,
           way->posted - way->completed <=
               sk_client_most_work(&connection->config),
           "more work is outstanding at the client than announced");
    return true;
}

static bool
ask_server(struct connection *connection)
{
    struct direction *way = &connection->ways[1];

    connection->receives[1] = connection->config.credits;
    if (!sk_server_next(connection->server, &way->works[way->posted])) {
        return false;
    }
    way->posted++;
    expect(connection,
           way->posted - way->completed <=
               sk_server_most_work(&connection->config),
           "more work is outstanding at the server than announced");
    return true;
}

/* A request reaches the server. */
static bool
arrive_at_server(struct connection *connection)
{
    struct direction *way = &connection->ways[0];

    if (way->arrived == way->posted) {
        return false;
    }
    expect(connection, connection->receives[1] > 0,
           "a request meets an empty receive queue");
    connection->receives[1]--;
    sk_server_received(connection->server, &way->works[way->arrived++].request);
    return true;
}

static void
receive_answer(struct connection *connection, const struct sk_work *work)
{
    const struct sk_answer *answer = &work->answer;

    expect(connection, connection->receives[0] > 0,
           "an answer meets an empty receive queue");
    connection->receives[0]--;
    expect(connection,
           regions_remove(connection->regions, answer->key) == ST_OK,
           "a key that is not there is invalidated");
    expect(connection, sk_client_received(connection->client, answer),
           "an answer is of no request");
    expect(connection, !sk_client_received(connection->client, answer),
           "an answer counts twice");
    expect(connection, connection->moved[answer->slot] == work->request.bytes,
           "an I/O ends whose data were not moved once");
    connection->n_bad_answers += answer->is_bad;
    connection->n_ended++;
}

/* What the server has posted reaches the client. */
static bool
arrive_at_client(struct connection *connection)
{
    struct direction *way = &connection->ways[1];
    const struct sk_work *work = &way->works[way->arrived];

    if (way->arrived == way->posted) {
        return false;
    }
    way->arrived++;
    if (work->operation == SK_OP_ANSWER) {
        receive_answer(connection, work);
        return true;
    }
    expect(connection,
           regions_allow(connection->regions, work->request.key,
                         work->operation == SK_OP_READ ? REGION_REMOTE_READ
                                                       : REGION_REMOTE_WRITE,
                         0, work->bytes),
           "data are accessed with a key that is not valid");
    connection->moved[work->request.slot] += work->bytes;
    return true;
}

static bool
complete_client(struct connection *connection)
{
    struct direction *way = &connection->ways[0];

    if (way->completed == way->arrived) {
        return false;
    }
    way->completed++;
    sk_client_completed(connection->client);
    return true;
}

static bool
complete_server(struct connection *connection)
{
    struct direction *way = &connection->ways[1];
    struct sk_request request;

    if (way->completed == way->arrived) {
        return false;
    }
    way->completed++;
    if (sk_server_completed(connection->server, &request)) {
        sk_server_checked(connection->server, &request,
                          connection->is_bad[request.slot] ? BAD : GOOD);
    }
    return true;
}

static bool
start_disk(struct connection *connection)
{
    struct sk_request *request = &connection->disk[connection->n_disk];

    if (!sk_server_next_disk(connection->server, request)) {
        return false;
    }
    expect(connection, request->is_read || !connection->is_bad[request->slot],
           "damaged data reach the disk");
    connection->n_disk++;
    return true;
}

static bool
end_disk(struct connection *connection)
{
    uint32_t i;
    struct sk_request request;

    if (!connection->n_disk) {
        return false;
    }
    i = (uint32_t)random_below(&connection->random, connection->n_disk);
    request = connection->disk[i];
    connection->disk[i] = connection->disk[--connection->n_disk];
    sk_server_stored(connection->server, &request, GOOD);
    return true;
}

/* Lets one of the possible events happen.  Returns false if there is none. */
static bool
step(struct connection *connection)
{
    static bool (*const events[])(struct connection *) = {post,
                                                          ask_client,
                                                          ask_server,
                                                          start_disk,
                                                          arrive_at_client,
                                                          arrive_at_server,
                                                          complete_client,
                                                          complete_server,
                                                          end_disk};
    const size_t n = sizeof events / sizeof events[0];
    const size_t first = (size_t)random_below(&connection->random, n);

    for (size_t i = 0; i < n; i++) {
        if (events[(first + i) % n](connection)) {
            return true;
        }
    }
    return false;
}

static void
run(uint64_t seed)
{
    static struct connection connection; /* Large. */

    memset(&connection, 0, sizeof connection);
    connection.seed = seed;
    random_init(&connection.random, seed);
    connection.config = (struct sk_config){
        .depth = 1 + (uint32_t)random_below(&connection.random, 40),
        .credits = 1 + (uint32_t)random_below(&connection.random, 40)};
    connection.client = sk_client_create(&connection.config);
    connection.server = sk_server_create(&connection.config);
    connection.regions = regions_create();
    connection.receives[0] = connection.receives[1] = connection.config.credits;
    while (step(&connection)) {
        check(&connection);
    }
    expect(&connection, connection.n_posted == N_IOS, "a client stands still");
    expect(&connection, connection.n_ended == N_IOS, "I/Os are lost");
    expect(&connection,
           sk_client_credits(connection.client) == connection.config.credits,
           "credits are lost");
    expect(&connection, connection.n_bad == connection.n_bad_answers,
           "damaged writes are not all refused");
    sk_client_destroy(connection.client);
    sk_server_destroy(connection.server);
    regions_destroy(connection.regions);
}

static void
test_each_once(void **state)
{
    const char *one = getenv("SK_RDMA_SEED");
    const char *many = getenv("SK_RDMA_SEEDS");
    const uint64_t n = many ? strtoull(many, NULL, 10) : N_SEEDS;

    (void)state;
    if (one) {
        run(strtoull(one, NULL, 10));
        return;
    }
    for (uint64_t seed = 1; seed <= n; seed++) {
        run(seed);
    }
}

static void
test_refusals(void **state)
{
    const struct sk_config bad[] = {
        {0, 1}, {1, 0}, {SK_MAX_DEPTH + 1, 1}, {1, SK_MAX_CREDITS + 1}};
    const struct sk_config good = {.depth = 1, .credits = 1};
    struct sk_client *client = sk_client_create(&good);
    struct sk_answer answer = {.slot = 0};
    struct sk_work work;
    struct err err = {0};
    uint32_t slot;

    (void)state;
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(sk_config_check(&bad[i], &err), ST_INVALID);
        assert_true(err.reason[0]);
    }
    assert_int_equal(sk_client_post(client, true, 0, 0, &slot), ST_INVALID);
    assert_int_equal(sk_client_post(client, true, 1, 0, &slot), ST_OK);
    assert_int_equal(sk_client_post(client, true, 1, 0, &slot), ST_NO_RESOURCE);
    assert_true(sk_client_next(client, &work));
    answer.key = work.request.key + 1;
    assert_false(sk_client_received(client, &answer));
    answer.slot = 1;
    assert_false(sk_client_received(client, &answer));
    sk_client_destroy(client);
}

/* RFC 3720, appendix B.4. */
static void
test_crc32c(void **state)
{
    static struct crc32c crc;
    uint8_t bytes[32] = {0};

    (void)state;
    crc32c_init(&crc);
    assert_int_equal(crc32c_of(&crc, "123456789", 9), 0xe3069283);
    assert_int_equal(crc32c_of(&crc, bytes, 32), 0x8a9136aa);
    memset(bytes, 0xff, 32);
    assert_int_equal(crc32c_of(&crc, bytes, 32), 0x62a8ab43);
    for (uint8_t i = 0; i < 32; i++) {
        bytes[i] = i;
    }
    assert_int_equal(crc32c_of(&crc, bytes, 32), 0x46dd794e);
    for (uint8_t i = 0; i < 32; i++) {
        bytes[i] = (uint8_t)(31 - i);
    }
    assert_int_equal(crc32c_of(&crc, bytes, 32), 0x113fdb5c);
}

/* Each bit, in each place. */
static void
test_flips_are_located(void **state)
{
    enum { N = 61 };
    static struct crc32c crc;
    uint8_t bytes[N];
    uint32_t crcs[INTEGRITY_CRCS];

    (void)state;
    crc32c_init(&crc);
    for (uint64_t bit = 0; bit < 8 * N; bit++) {
        for (unsigned int place = 0; place <= INTEGRITY_PLACES; place++) {
            integrity_fill(bytes, N, 1, bit);
            integrity_move(&crc, bytes, N, place, bit, crcs);
            assert_int_equal(integrity_locate(crcs), place);
            assert_int_equal(crcs[0] == crcs[INTEGRITY_PLACES],
                             place == INTEGRITY_PLACES);
        }
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_once),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_crc32c),
        cmocka_unit_test(test_flips_are_located),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
