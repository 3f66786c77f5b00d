/* SPDX-License-Identifier: Apache-2.0 */

/* Any message, with any number of descriptors, to the helper that has the
 * privileges of softasicd: it is answered by one message, no descriptor stays
 * open, and nothing of it succeeds, because its only namespace is none.  That
 * also keeps this target from creating interfaces when root runs it.
 *
 * The first byte says how many descriptors there are; the rest is the message,
 * with zeros up to the size of a request if its highest bit is set. */

#include <config.h>

#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "netdev/privileged.h"
#include "netdev/privileged_channel.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/descriptor_message.h"

enum { MESSAGE_MAX = 1024, FDS_MAX = 12, ANSWER_MAX = 8192 };

static struct {
    struct privileged *privileged;
    int requester, helper;
    int null;
} the_pair;

/* Makes what all inputs use. */
static void
begin(void)
{
    static const char *const spaces[] = {"/dev/null"};
    static const char *const bound[] = {"eth0", "lo"};
    struct err err;

    FUZZ_CHECK(privileged_create(spaces, 1, bound, 2, &the_pair.privileged,
                                 &err) == ST_OK);
    FUZZ_CHECK(privileged_channel_create(&the_pair.requester, &the_pair.helper,
                                         &err) == ST_OK);
    the_pair.null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    FUZZ_CHECK(the_pair.null >= 0);
}

/* Returns the lowest free descriptor: another one if any stayed open. */
static int
lowest_free(void)
{
    const int fd = dup(the_pair.null);

    FUZZ_CHECK(fd >= 0);
    (void)close(fd);
    return fd;
}

/* Performs the message, if it has the size of a request, without a socket. */
static void
perform(const uint8_t *message, size_t size, int fd)
{
    struct privileged_request request;
    struct privileged_answer answer;
    struct err err = {0};

    if (size == sizeof request) {
        memcpy(&request, message, sizeof request);
        FUZZ_CHECK(privileged_perform(the_pair.privileged, &request, fd,
                                      &answer, &err) != ST_OK);
        FUZZ_CHECK(*err.reason);
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t message[MESSAGE_MAX] = {0};
    uint8_t answer[ANSWER_MAX];
    size_t n;
    int before;

    if (size < 2 || size - 1 > sizeof message) {
        return 0;
    }
    if (!the_pair.privileged) {
        begin();
    }
    n = size - 1;
    memcpy(message, data + 1, n);
    if ((data[0] & 0x80) && n < sizeof(struct privileged_request)) {
        n = sizeof(struct privileged_request);
    }
    before = lowest_free();
    FUZZ_CHECK(descriptor_message_send(the_pair.requester, message, n,
                                       the_pair.null,
                                       (data[0] & 0x7f) % FDS_MAX));
    FUZZ_CHECK(privileged_channel_serve(the_pair.privileged, the_pair.helper));
    FUZZ_CHECK(recv(the_pair.requester, answer, sizeof answer, MSG_DONTWAIT) >
               (ssize_t)sizeof(struct err));
    FUZZ_CHECK(recv(the_pair.requester, answer, sizeof answer, MSG_DONTWAIT) <
               0);
    perform(message, n, (data[0] & 1) ? the_pair.null : -1);
    FUZZ_CHECK(lowest_free() == before);
    return 0;
}
