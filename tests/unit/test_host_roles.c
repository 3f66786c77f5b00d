/* SPDX-License-Identifier: Apache-2.0 */

/* Who may change the switch of a host, and the audit log of that. */

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

#include "process/audit_tally.h"
#include "process/log.h"
#include "process/peer.h"
#include "sai/remote/sai_host.h"
#include "saihostd/audit.h"
#include "saihostd/roles.h"

#define STRANGER ((uid_t)54321)

static void
test_who_may_write(void **state)
{
    char path[] = "/tmp/orchd-test-XXXXXX";
    const int fd = mkstemp(path);
    gid_t inside[2], outside[] = {54320, 54319};
    const struct {
        const char *name;
        struct peer peer;
        bool writes;
    } cases[] = {
        {"a member", {true, STRANGER, 1, inside, 2}, true},
        {"a stranger", {true, STRANGER, 1, outside, 2}, false},
    };
    struct roles roles;
    struct stat file;

    (void)state;
    assert_true(fd >= 0);
    assert_int_equal(fstat(fd, &file), 0);
    inside[0] = 54320;
    inside[1] = file.st_gid;
    roles_init(&roles, path);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct peer *peer = &cases[i].peer;
        char text[ROLES_TEXT_SIZE] = "";

        if (roles_refuse(&roles, peer, false, text) == cases[i].writes) {
            fail_msg("%s", cases[i].name);
        }
        assert_int_equal(*text == '\0', cases[i].writes);
        assert_true(cases[i].writes || strstr(text, roles.operators.group));
        /* Nobody writes on the socket for viewers; a member may elsewhere. */
        assert_true(roles_refuse(&roles, peer, true, text));
        assert_non_null(strstr(text, roles.operators.group));
        assert_int_equal(strstr(text, path) != NULL, cases[i].writes);
    }
    close(fd);
    unlink(path);
}

static void
test_the_path_of_the_socket_may_be_gone(void **state)
{
    const struct peer peer = {.known = false};
    struct roles roles;
    char text[ROLES_TEXT_SIZE];

    (void)state;
    roles_init(&roles, "/no/such/socket");
    assert_int_equal(roles.operators.gid, getegid());
    assert_true(roles_refuse(&roles, &peer, false, text));
    assert_non_null(strstr(text, "an unknown user is not a member"));
}

/* Returns how often 'word' is in 'text'. */
static int
count(const char *text, const char *word)
{
    int n = 0;

    while ((text = strstr(text, word)) != NULL) {
        text += strlen(word);
        n++;
    }
    return n;
}

static void
test_changes_are_counted_and_refusals_are_lines(void **state)
{
    static const struct session_last
        set = {SESSION_CHANGED, "set", SAI_STATUS_SUCCESS, NULL},
        failed = {SESSION_CHANGED, "set", SAI_STATUS_FAILURE, NULL},
        create = {SESSION_CHANGED, "create", SAI_STATUS_SUCCESS, NULL},
        denied = {SESSION_DENIED, "remove", SAI_STATUS_SUCCESS, "a reason"},
        read = {SESSION_READ, NULL, SAI_STATUS_FAILURE, NULL};
    const struct peer peer = {.known = true, .uid = STRANGER, .pid = 1};
    struct audit_tally audit = {NULL, 0};
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    struct log *log = log_create(stream, LOG_INFO, true);

    (void)state;
    for (int i = 0; i < 2; i++) {
        audit_note(&audit, log, &peer, &set);
        audit_note(&audit, log, &peer, &failed);
        audit_note(&audit, log, &peer, &read);
    }
    audit_note(&audit, log, &peer, &create);
    audit_note(&audit, log, &peer, &denied);
    fflush(stream);
    assert_int_equal(count(text, "audit"), 3);
    assert_int_equal(count(text, "denied remove: uid 54321"), 1);
    assert_int_equal(count(text, "refused, a reason"), 1);
    assert_int_equal(count(text, "failed"), 1);
    audit_tally_end(&audit, log, &peer);
    fflush(stream);
    assert_int_equal(count(text, "audit"), 5);
    log_destroy(log);
    fclose(stream);
    free(text);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_who_may_write),
        cmocka_unit_test(test_the_path_of_the_socket_may_be_gone),
        cmocka_unit_test(test_changes_are_counted_and_refusals_are_lines),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
