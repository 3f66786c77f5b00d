/* SPDX-License-Identifier: Apache-2.0 */

/* Hosts that speak another protocol or version: the client reports it and
 * keeps running. */

#include <config.h>

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/text.h"
#include "sai/remote/client.h"

enum { TIMEOUT_MS = 30000 };

/* A server that sends a fixed text, whatever it receives. */
struct fake {
    char directory[32];
    struct sockaddr_un address;
    int fd;
    struct wire_out says;
    pthread_t thread;
};

/* Sends the text to the client, reads until it ends, and disconnects. */
static void *
serve(void *fake_)
{
    struct fake *fake = fake_;
    const int fd = accept(fake->fd, NULL, NULL);
    uint8_t heard[1024];

    assert_true(fd >= 0);
    assert_int_equal(send(fd, fake->says.bytes, fake->says.length, 0),
                     (ssize_t)fake->says.length);
    (void)shutdown(fd, SHUT_WR);
    while (recv(fd, heard, sizeof heard, 0) > 0) {
    }
    close(fd);
    return NULL;
}

static int
setup(void **state)
{
    struct fake *fake = calloc(1, sizeof *fake);

    strcpy(fake->directory, "/tmp/orchd-fake-XXXXXX");
    assert_non_null(mkdtemp(fake->directory));
    fake->address.sun_family = AF_UNIX;
    assert_true(text_format(fake->address.sun_path,
                            sizeof fake->address.sun_path, "%s/socket",
                            fake->directory));
    fake->fd = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_int_equal(
        bind(fake->fd, (struct sockaddr *)&fake->address, sizeof fake->address),
        0);
    assert_int_equal(listen(fake->fd, 1), 0);
    *state = fake;
    return 0;
}

static int
teardown(void **state)
{
    struct fake *fake = *state;

    close(fake->fd);
    unlink(fake->address.sun_path);
    rmdir(fake->directory);
    wire_out_fini(&fake->says);
    free(fake);
    return 0;
}

/* Connects to what has been written to 'fake->says'. */
static enum st
connect_to(struct fake *fake, struct client **client, struct err *err)
{
    const struct client_options options = {fake->address.sun_path, "the test",
                                           MESSAGE_WRITER, TIMEOUT_MS};

    *client = NULL;
    memset(err, 0, sizeof *err);
    assert_int_equal(pthread_create(&fake->thread, NULL, serve, fake), 0);
    return client_open(&options, client, err);
}

static void
leave(struct fake *fake, struct client *client)
{
    client_close(client);
    assert_int_equal(pthread_join(fake->thread, NULL), 0);
    fake->says.length = 0;
}

static void
say_welcome(struct fake *fake, uint32_t version)
{
    const struct message_welcome welcome = {.version = version,
                                            .outcome = MESSAGE_GRANTED,
                                            .release = SAI_API_VERSION,
                                            .extras = "softasic/other"};
    const size_t start = message_begin(&fake->says, MESSAGE_WELCOME, 1);

    message_put_welcome(&fake->says, &welcome);
    assert_true(message_end(&fake->says, start));
}

static void
test_a_host_of_another_version_is_named(void **state)
{
    struct client *client;
    struct err err;

    say_welcome(*state, MESSAGE_VERSION + 6);
    assert_int_equal(connect_to(*state, &client, &err), ST_UNSUPPORTED);
    assert_string_equal(err.code, "sai-host-version");
    assert_non_null(strstr(err.reason, "version 7"));
    assert_non_null(strstr(err.reason, "version 1"));
    assert_non_null(strstr(err.remedy, "one release"));
    assert_null(client);
    leave(*state, client);
}

static void
test_who_is_no_host_is_not_believed(void **state)
{
    static const char web[] = "HTTP/1.1 400 Bad Request\r\n\r\n";
    static const uint8_t huge[] = {0xff, 0xff, 0xff, 0x7f, 2, 0,
                                   0,    0,    1,    0,    0, 0};
    struct fake *fake = *state;
    struct client *client;
    struct err err;

    for (int i = 0; i < 5; i++) {
        switch (i) {
        case 0: /* Nothing at all. */
            break;
        case 1:
            wire_put_bytes(&fake->says, web, sizeof web);
            break;
        case 2:
            wire_put_bytes(&fake->says, huge, sizeof huge);
            break;
        case 3: /* A welcome that is cut. */
            say_welcome(fake, MESSAGE_VERSION);
            fake->says.length -= 3;
            break;
        default: /* No welcome. */
            assert_true(message_end(
                &fake->says,
                message_begin(&fake->says, MESSAGE_NOTIFICATION, 1)));
            break;
        }
        assert_int_equal(connect_to(fake, &client, &err), ST_IO);
        assert_string_equal(err.code, "sai-host");
        assert_non_null(strstr(err.reason, fake->address.sun_path));
        leave(fake, client);
    }
}

/* Reads an attribute; the host answers with 'kind', 'sequence' and 'n' bytes.
 */
static void
check_answer(struct fake *fake, enum message_kind kind, uint32_t sequence,
             size_t n, const char *trouble)
{
    sai_object_id_t ports[2] = {1, 2};
    sai_attribute_t attribute = {SAI_SWITCH_ATTR_PORT_LIST,
                                 {.objlist = {2, ports}}};
    struct sai_backend *backend;
    struct client *client;
    struct err err;
    size_t start;

    say_welcome(fake, MESSAGE_VERSION);
    start = message_begin(&fake->says, kind, sequence);
    for (size_t i = 0; i < n; i++) {
        wire_put_bytes(&fake->says, "\xff", 1);
    }
    assert_true(message_end(&fake->says, start));
    assert_int_equal(connect_to(fake, &client, &err), ST_OK);
    assert_string_equal(client_extras(client), "softasic/other");
    backend = client_backend(client);
    for (int again = 0; again < 2; again++) {
        assert_int_equal(backend->ops->get(backend, SAI_OBJECT_TYPE_SWITCH, 1,
                                           1, &attribute),
                         SAI_STATUS_FAILURE);
        assert_string_equal(client_trouble(client), trouble);
    }
    assert_int_equal(ports[0], 1);
    leave(fake, client);
}

static void
test_an_answer_that_makes_no_sense_ends_it(void **state)
{
    static const char nonsense[] = "the host has sent a malformed answer";

    check_answer(*state, MESSAGE_CALL, 1, 64, nonsense);
    check_answer(*state, MESSAGE_CALL, 1, 0, nonsense);
    check_answer(*state, MESSAGE_CALL, 9, 64, nonsense);
    check_answer(*state, MESSAGE_EXTRA, 1, 64, nonsense);
    check_answer(*state, MESSAGE_CALL, 1, 100000, nonsense);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_a_host_of_another_version_is_named),
        TEST(test_who_is_no_host_is_not_believed),
        TEST(test_an_answer_that_makes_no_sense_ends_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
