/* SPDX-License-Identifier: Apache-2.0 */

/* Roles by the credentials of peers, and the paths of the sockets. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/view_path.h"
#include "orchd/control/access.h"
#include "orchd/control/protocol.h"
#include "process/peer.h"

#define STRANGER ((uid_t)54321)

static void
test_who_may_change(void **state)
{
    char path[] = "/tmp/orchd-test-XXXXXX";
    const int fd = mkstemp(path);
    struct access control, view;
    struct stat file;
    gid_t inside[2], outside[] = {54320, 54319};
    const struct {
        const char *name;
        struct peer peer;
        bool changes;
    } cases[] = {
        {"a member", {true, STRANGER, 1, inside, 2}, true},
        {"a stranger", {true, STRANGER, 1, outside, 2}, false},
    };

    (void)state;
    assert_true(fd >= 0);
    assert_int_equal(fstat(fd, &file), 0);
    inside[0] = 54320;
    inside[1] = file.st_gid;
    access_init(&control, path, false);
    access_init(&view, path, true);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct err err = {0};
        enum st st =
            access_check(&control, &cases[i].peer, "config", "load", &err);

        if (st != (cases[i].changes ? ST_OK : ST_UNSUPPORTED)) {
            fail_msg("%s: %d", cases[i].name, (int)st);
        }
        if (st) {
            assert_string_equal(err.code, "denied");
            assert_non_null(strstr(err.reason, "config load"));
            assert_non_null(strstr(
                err.remedy, file.st_gid ? control.operators.group : "sudo"));
            /* Nobody is advised to join group root. */
            assert_int_equal(strstr(err.remedy, "usermod") != NULL,
                             file.st_gid != 0);
        }
        assert_int_equal(
            access_check(&view, &cases[i].peer, "config", "load", &err),
            ST_UNSUPPORTED);
        assert_non_null(strstr(err.reason, control.operators.group));
    }
    close(fd);
    unlink(path);
}

static void
test_the_path_of_the_view_socket(void **state)
{
    static const struct {
        const char *control, *view;
    } cases[] = {
        {"/run/orchd/control.sock", "/run/orchd/view.sock"},
        {"control.sock", "view.sock"},
        {"/run/user/1000/orchd.sock", "/run/user/1000/orchd-view.sock"},
        {"/tmp/a.b/socket", "/tmp/a.b/socket-view.sock"},
        {"x", "x-view.sock"},
    };
    char path[108], small[10];

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(view_path(cases[i].control, path, sizeof path), ST_OK);
        assert_string_equal(path, cases[i].view);
    }
    assert_int_equal(view_path("/long/control.sock", small, sizeof small),
                     ST_INVALID);
}

static void
test_the_path_that_a_client_uses(void **state)
{
    char folder[] = "/tmp/test_access.XXXXXX";
    char own[64], service[64], path[108], small[10];
    FILE *file;

    (void)state;
    assert_non_null(mkdtemp(folder));
    (void)snprintf(own, sizeof own, "%s/orchd.sock", folder);
    (void)snprintf(service, sizeof service, "%s/service", folder);
    /* Nothing is there: the default, which the error message names. */
    assert_int_equal(
        control_client_path(folder, 1000, service, path, sizeof path), ST_OK);
    assert_string_equal(path, own);
    file = fopen(service, "w");
    assert_non_null(file);
    fclose(file);
    assert_int_equal(
        control_client_path(folder, 1000, service, path, sizeof path), ST_OK);
    assert_string_equal(path, service);
    file = fopen(own, "w");
    assert_non_null(file);
    fclose(file);
    assert_int_equal(
        control_client_path(folder, 1000, service, path, sizeof path), ST_OK);
    assert_string_equal(path, own);
    assert_int_equal(
        control_client_path(folder, 1000, service, small, sizeof small),
        ST_INVALID);
    unlink(own);
    unlink(service);
    rmdir(folder);
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_path_that_a_client_uses),
        cmocka_unit_test(test_who_may_change),
        cmocka_unit_test(test_the_path_of_the_view_socket),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
