/* SPDX-License-Identifier: Apache-2.0 */

/* What a helper with privileges answers to requests, most of them hostile. That
 * interfaces work is in tests/integration/test_ports.py. */

#include <config.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/random.h"
#include "netdev/privileged.h"
#include "netdev/privileged_channel.h"
#include "tests/support/descriptor_message.h"

/* Ends of the channel.  Messages wait in the kernel, so one process is both. */
struct pair {
    struct privileged *privileged;
    int requester, helper;
    int null; /* A descriptor of something that is no interface. */
};

static int
setup(void **state)
{
    static const char *const spaces[] = {NULL, NULL};
    static const char *const bound[] = {"no-such-port"};
    static struct pair pair;
    struct err err;

    assert_int_equal(
        privileged_create(spaces, 2, bound, 1, &pair.privileged, &err), ST_OK);
    assert_int_equal(
        privileged_channel_create(&pair.requester, &pair.helper, &err), ST_OK);
    pair.null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    assert_true(pair.null >= 0);
    *state = &pair;
    return 0;
}

static int
teardown(void **state)
{
    const struct pair *pair = *state;

    privileged_destroy(pair->privileged);
    (void)close(pair->requester);
    (void)close(pair->helper);
    (void)close(pair->null);
    return 0;
}

/* Returns how many descriptors this process has. */
static int
count_fds(void)
{
    DIR *folder = opendir("/proc/self/fd");
    int n = 0;

    assert_non_null(folder);
    while (readdir(folder)) {
        n++;
    }
    closedir(folder);
    return n;
}

/* Sends any bytes with copies of a descriptor; expects that the helper refuses
 * them with a reason that has 'words', and leaks no descriptor. */
static void
refuse_raw(const struct pair *pair, const void *bytes, size_t size,
           size_t n_fds, const char *words)
{
    const int before = count_fds();
    char answer[4096];
    ssize_t n;

    assert_true(descriptor_message_send(pair->requester, bytes, size,
                                        pair->null, n_fds));
    assert_true(privileged_channel_serve(pair->privileged, pair->helper));
    n = recv(pair->requester, answer, sizeof answer, MSG_DONTWAIT);
    assert_true(n > 0);
    assert_non_null(memmem(answer, (size_t)n, words, strlen(words)));
    assert_int_equal(count_fds(), before);
}

static void
refuse(const struct pair *pair, const struct privileged_request *request,
       size_t n_fds, const char *words)
{
    refuse_raw(pair, request, sizeof *request, n_fds, words);
}

static void
test_messages_of_a_wrong_size(void **state)
{
    static const uint8_t bytes[sizeof(struct privileged_request) + 5000];

    for (size_t n = 1; n < sizeof bytes; n += n < 200 ? 1 : 300) {
        if (n != sizeof(struct privileged_request)) {
            refuse_raw(*state, bytes, n, 0, "wrong size");
        }
    }
    refuse_raw(*state, bytes, 1, 1, "wrong size");
}

static void
test_an_empty_message_ends_the_helper(void **state)
{
    const struct pair *pair = *state;

    assert_int_equal(send(pair->requester, "", 0, 0), 0);
    assert_false(privileged_channel_serve(pair->privileged, pair->helper));
}

static void
test_the_end_of_the_requester(void **state)
{
    struct pair *pair = *state;

    (void)close(pair->requester);
    assert_false(privileged_channel_serve(pair->privileged, pair->helper));
    pair->requester = dup(pair->helper);
}

static void
test_descriptors_nobody_asked_for(void **state)
{
    static const size_t counts[] = {2, 3, 8, 9, 50, 100};
    struct privileged_request request = {.verb = PRIVILEGED_FIND};

    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        refuse(*state, &request, counts[i], "too many descriptors");
    }
    refuse(*state, &request, 0, "lacks a descriptor");
    refuse(*state, &request, 1, "not of a TAP");
    request.verb = PRIVILEGED_LINKS;
    refuse(*state, &request, 1, "no use for a descriptor");
}

static void
test_verbs_and_namespaces_that_do_not_exist(void **state)
{
    static const uint32_t verbs[] = {N_PRIVILEGED, 99, 0x80000000, UINT32_MAX};
    static const uint32_t spaces[] = {1, 2, 4, 99, 0x80000000, UINT32_MAX};

    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
        refuse(*state, &(struct privileged_request){.verb = verbs[i]}, 0,
               "none of this kind");
    }
    /* The second one at the start was the same as the first. */
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++) {
        refuse(*state,
               &(struct privileged_request){.verb = PRIVILEGED_LINKS,
                                            .space = spaces[i]},
               0, "not named at the start");
    }
}

static void
test_hostile_names(void **state)
{
    static const char *const names[] = {
        "", "/", "../x", ".", "..", "a/b", "tap%d", "a b", "a:1", "a\n", "\x7f",
    };
    static const uint32_t verbs[] = {PRIVILEGED_TAP, PRIVILEGED_PACKET,
                                     PRIVILEGED_CHANGE_BOUND};
    struct privileged_request request = {0};

    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
        request = (struct privileged_request){
            .verb = verbs[i], .change = {.up = 0, .carrier = -1}};
        if (verbs[i] != PRIVILEGED_CHANGE_BOUND) {
            memset(&request.change, 0, sizeof request.change);
        }
        for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
            memset(request.name, 0, sizeof request.name);
            memcpy(request.name, names[k], strlen(names[k]));
            refuse(*state, &request, 0, "is not an interface name");
        }
        memset(request.name, 'x', sizeof request.name);
        refuse(*state, &request, 0, "name is too long");
    }
    request =
        (struct privileged_request){.verb = PRIVILEGED_LINKS, .name = "eth0"};
    refuse(*state, &request, 0, "no use for a name");
    request.name[0] = '\0'; /* Nor for what is behind its end. */
    refuse(*state, &request, 0, "no use for a name");
}

static void
test_interfaces_outside_of_the_scope(void **state)
{
    struct privileged_request request = {.verb = PRIVILEGED_PACKET,
                                         .name = "lo"};

    refuse(*state, &request, 0, "not named at the start");
    request.verb = PRIVILEGED_CHANGE_BOUND;
    request.change = (struct privileged_change){.up = 0, .carrier = -1};
    refuse(*state, &request, 0, "is not bound");
    /* In the scope, but not bound. */
    memcpy(request.name, "no-such-port", sizeof "no-such-port");
    refuse(*state, &request, 0, "is not bound");
}

static void
test_values_that_make_no_sense(void **state)
{
    static const struct privileged_change changes[] = {
        {.up = 2},
        {.up = -2},
        {.carrier = 2},
        {.has_mac = 2},
        {.mac = {0, 0, 1}},
        {.unused = {1}},
        {.unused = {0, 0, 1}},
    };
    static const struct privileged_change not_for_bound[] = {
        {.carrier = 0},
        {.carrier = -1, .queue = 1},
        {.carrier = -1, .has_mac = 1}};
    struct privileged_request request = {.verb = PRIVILEGED_CHANGE_BOUND,
                                         .name = "no-such-port"};

    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        request.change = changes[i];
        refuse(*state, &request, 0, "its values are wrong");
    }
    for (size_t i = 0; i < sizeof not_for_bound / sizeof *not_for_bound; i++) {
        request.change = not_for_bound[i];
        refuse(*state, &request, 0, "keeps its address, queue and carrier");
    }
    memset(&request, 0, sizeof request);
    request.verb = PRIVILEGED_LINKS;
    request.change.mtu = 9000;
    refuse(*state, &request, 0, "no use for values");
    request.verb = PRIVILEGED_FIND;
    refuse(*state, &request, 1, "no use for values");
}

/* A helper in a process of its own; returns its pid. */
static pid_t
start_helper(struct pair *pair)
{
    const pid_t child = fork();

    assert_true(child >= 0);
    if (child == 0) {
        (void)close(pair->requester);
        while (privileged_channel_serve(pair->privileged, pair->helper)) {
        }
        _exit(0);
    }
    (void)close(pair->helper);
    pair->helper = dup(pair->null);
    privileged_delegate(pair->privileged, privileged_channel_ask,
                        pair->requester);
    return child;
}

static void
test_links_by_a_helper(void **state)
{
    const struct privileged_request request = {.verb = PRIVILEGED_LINKS};
    const struct privileged_request wrong = {.verb = PRIVILEGED_LINKS,
                                             .space = 1};
    struct pair *pair = *state;
    const pid_t helper = start_helper(pair);
    const int before = count_fds();
    struct privileged_answer answer;
    struct err err = {0};

    assert_int_equal(
        privileged_call(pair->privileged, &wrong, -1, &answer, &err),
        ST_INVALID);
    assert_int_equal(err.status, ST_INVALID);
    assert_non_null(strstr(err.reason, "not named at the start"));
    for (int i = 0; i < 3; i++) {
        assert_int_equal(
            privileged_call(pair->privileged, &request, -1, &answer, &err),
            ST_OK);
        assert_int_equal(answer.n_fds, 2);
        for (int k = 0; k < 2; k++) {
            int domain = 0;
            socklen_t size = sizeof domain;

            assert_int_equal(getsockopt(answer.fds[k], SOL_SOCKET, SO_DOMAIN,
                                        &domain, &size),
                             0);
            assert_int_equal(domain, AF_NETLINK);
            assert_true(fcntl(answer.fds[k], F_GETFD) & FD_CLOEXEC);
        }
        privileged_answer_close(&answer);
    }
    assert_int_equal(count_fds(), before);
    (void)close(pair->requester);
    pair->requester = dup(pair->null);
    assert_int_equal(waitpid(helper, NULL, 0), helper); /* It ends by itself. */
}

static void
test_a_helper_that_was_killed(void **state)
{
    const struct privileged_request request = {.verb = PRIVILEGED_LINKS};
    struct pair *pair = *state;
    const pid_t helper = start_helper(pair);
    struct privileged_answer answer;
    struct err err = {0};

    (void)kill(helper, SIGKILL);
    assert_int_equal(waitpid(helper, NULL, 0), helper);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(
            privileged_call(pair->privileged, &request, -1, &answer, &err),
            ST_IO);
        assert_non_null(strstr(err.reason, "has ended"));
    }
}

/* An answer of a helper that is not of this program. */
static void
test_an_answer_of_the_wrong_size(void **state)
{
    const struct privileged_request request = {.verb = PRIVILEGED_LINKS};
    const struct pair *pair = *state;
    struct privileged_answer answer;
    struct err err = {0};

    assert_int_equal(send(pair->helper, "what?", 5, 0), 5);
    assert_int_equal(
        privileged_channel_ask(pair->requester, &request, -1, &answer, &err),
        ST_IO);
    assert_non_null(strstr(err.reason, "sends nonsense"));
    assert_int_equal(
        privileged_channel_ask(pair->requester, &request, -1, &answer, &err),
        ST_IO);
    assert_non_null(strstr(err.reason, "has ended"));
}

/* Random bytes in the form of requests; names can only be those of nothing. */
static void
test_random_requests(void **state)
{
    const struct pair *pair = *state;
    const int before = count_fds();
    struct random random;

    random_init(&random, 1);
    for (int i = 0; i < 20000; i++) {
        uint8_t bytes[sizeof(struct privileged_request)];
        struct privileged_request request;
        struct privileged_answer answer;
        struct err err;
        const int fd = random_below(&random, 2) ? pair->null : -1;

        for (size_t k = 0; k < sizeof bytes; k++) {
            bytes[k] = random_below(&random, 3)
                           ? 0
                           : (uint8_t)random_below(&random, 256);
        }
        memcpy(&request, bytes, sizeof request);
        request.verb %= 2 * N_PRIVILEGED;
        request.name[0] = '/';
        if (request.verb != PRIVILEGED_TAP && random_below(&random, 2)) {
            memset(request.name, 0, sizeof request.name);
        }
        if (privileged_perform(pair->privileged, &request, fd, &answer, &err) ==
            ST_OK) {
            assert_int_equal(request.verb, PRIVILEGED_LINKS);
            privileged_answer_close(&answer);
        }
    }
    assert_int_equal(count_fds(), before);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_messages_of_a_wrong_size),
        TEST(test_an_empty_message_ends_the_helper),
        TEST(test_the_end_of_the_requester),
        TEST(test_descriptors_nobody_asked_for),
        TEST(test_verbs_and_namespaces_that_do_not_exist),
        TEST(test_hostile_names),
        TEST(test_interfaces_outside_of_the_scope),
        TEST(test_values_that_make_no_sense),
        TEST(test_links_by_a_helper),
        TEST(test_a_helper_that_was_killed),
        TEST(test_an_answer_of_the_wrong_size),
        TEST(test_random_requests),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
