/* SPDX-License-Identifier: Apache-2.0 */

/* What is refused before an interface is there; what there is then needs rights
 * and is in tests/integration/test_ports.py. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "netdev/netdev.h"
#include "netdev/privileged.h"

static void
on_frame(void *context, void *owner, const uint8_t *bytes, uint32_t n)
{
    (void)context;
    (void)owner;
    (void)bytes;
    (void)n;
    fail();
}

static void
on_link(void *context, void *owner, bool up)
{
    (void)context;
    (void)owner;
    (void)up;
    fail();
}

static void
on_note(void *context, void *owner, bool wrong, const char *text)
{
    (void)context;
    (void)owner;
    (void)wrong;
    fail_msg("%s", text);
}

static struct privileged *privileged;

static int
setup(void **state)
{
    static const char *const spaces[] = {NULL};
    static const char *const bound[] = {"no-such-port"};
    const struct netdev_listener listener = {NULL, on_frame, on_link, on_note};
    struct err err;

    return privileged_create(spaces, 1, bound, 1, &privileged, &err) ||
           netdevs_create(&listener, privileged, (struct netdevs **)state,
                          &err);
}

static int
teardown(void **state)
{
    netdevs_destroy(*state);
    privileged_destroy(privileged);
    return 0;
}

static void
test_names_that_no_interface_can_have(void **state)
{
    static const char *const names[] = {
        "", "sixteen-letters-", "a/b", "a b", "a:0", "eth%d", ".", "..", "a\n",
    };
    struct netdev *netdev = NULL;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct netdev_request place = {.name = names[i]};
        struct err err = {0};

        assert_int_equal(netdev_make_tap(*state, &place, &netdev, &err),
                         ST_INVALID);
        assert_non_null(strstr(err.reason, "is not an interface name"));
        assert_int_equal(netdev_bind(*state, &place, &netdev, &err),
                         ST_INVALID);
        assert_null(netdev);
    }
}

static void
test_a_namespace_that_is_not_there(void **state)
{
    static const char *const spaces[] = {NULL, "no-such-namespace"};
    struct privileged *none = NULL;
    struct err err = {0};

    (void)state;
    assert_int_equal(privileged_create(spaces, 2, NULL, 0, &none, &err),
                     ST_NOT_FOUND);
    assert_non_null(strstr(err.reason, "/run/netns/no-such-namespace"));
    assert_string_equal(err.remedy, "ip netns add no-such-namespace");
    assert_null(none);
}

static void
test_a_namespace_that_was_not_named_before(void **state)
{
    const struct netdev_request place = {.name = "port0",
                                         .namespace = "another"};
    struct netdev *netdev = NULL;
    struct err err = {0};

    assert_int_equal(netdev_make_tap(*state, &place, &netdev, &err),
                     ST_INVALID);
    assert_non_null(strstr(err.reason, "network namespace another"));
    assert_null(netdev);
}

static void
test_an_interface_that_is_not_there(void **state)
{
    const struct netdev_request place = {.name = "no-such-port"};
    struct netdev *netdev = NULL;
    struct err err = {0};
    const enum st status = netdev_bind(*state, &place, &netdev, &err);

    /* Without the privilege the error is another one. */
    assert_true(status == ST_NOT_FOUND || (status == ST_IO && geteuid() != 0));
    assert_non_null(strstr(err.reason, "no-such-port"));
    assert_null(netdev);
}

static void
test_nothing_happens_without_interfaces(void **state)
{
    assert_true(netdevs_fd(*state) >= 0);
    netdevs_poll(*state);
    netdevs_drain(*state);
    netdevs_flush(*state);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_names_that_no_interface_can_have),
        TEST(test_a_namespace_that_is_not_there),
        TEST(test_a_namespace_that_was_not_named_before),
        TEST(test_an_interface_that_is_not_there),
        TEST(test_nothing_happens_without_interfaces),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
