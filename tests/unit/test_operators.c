/* SPDX-License-Identifier: Apache-2.0 */

/* Operators by the group of a socket, and the tally of what they change. */

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
#include "process/operators.h"
#include "process/peer.h"

#define STRANGER ((uid_t)54321)

static void
test_who_is_an_operator(void **state)
{
    char path[] = "/tmp/orchd-test-XXXXXX";
    const int fd = mkstemp(path);
    gid_t inside[2], outside[] = {54320, 54319};
    const struct {
        const char *name;
        struct peer peer;
        bool operates;
    } cases[] = {
        {"root", {true, 0, 1, outside, 2}, true},
        {"the owner", {true, geteuid(), 1, outside, 2}, true},
        {"a member", {true, STRANGER, 1, inside, 2}, true},
        {"a stranger", {true, STRANGER, 1, outside, 2}, false},
        {"a user without groups", {true, STRANGER, 1, NULL, 0}, false},
        {"no credentials", {false, 0, 0, NULL, 0}, false},
    };
    struct operators operators;
    struct stat file;

    (void)state;
    assert_true(fd >= 0);
    assert_int_equal(fstat(fd, &file), 0);
    inside[0] = 54320;
    inside[1] = file.st_gid;
    operators_init(&operators, path);
    assert_int_equal(operators.gid, file.st_gid);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (operators_have(&operators, &cases[i].peer) != cases[i].operates) {
            fail_msg("%s", cases[i].name);
        }
    }
    close(fd);
    unlink(path);
}

static void
test_a_group_without_a_name_is_a_number(void **state)
{
    char path[] = "/tmp/orchd-test-XXXXXX";
    const int fd = mkstemp(path);
    struct operators operators;

    (void)state;
    assert_true(fd >= 0);
    if (geteuid() == 0) {
        assert_int_equal(fchown(fd, (uid_t)-1, 54318), 0);
        operators_init(&operators, path);
        assert_string_equal(operators.group, "54318");
    }
    close(fd);
    unlink(path);
    operators_init(&operators, path);
    assert_int_equal(operators.gid, getegid());
    assert_true(*operators.group);
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
test_the_first_call_is_a_line_and_the_others_a_number(void **state)
{
    const struct peer peer = {.known = true, .uid = STRANGER, .pid = 1};
    struct audit_tally tally = {NULL, 0};
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    struct log *log = log_create(stream, LOG_INFO, true);

    (void)state;
    for (int i = 0; i < 100; i++) {
        audit_tally_note(&tally, log, &peer, "set", "done");
        audit_tally_note(&tally, log, &peer, "set", "failed");
    }
    audit_tally_note(&tally, log, &peer, "create", "done");
    fflush(stream);
    assert_int_equal(count(text, "audit"), 3);
    assert_int_equal(count(text, "audit set: uid 54321"), 2);
    assert_int_equal(count(text, "failed"), 1);
    audit_tally_end(&tally, log, &peer);
    fflush(stream);
    assert_int_equal(count(text, "audit"), 5);
    assert_int_equal(count(text, "done, 99 more on this connection"), 1);
    assert_int_equal(count(text, "failed, 99 more on this connection"), 1);
    /* The next connection begins at 0. */
    audit_tally_note(&tally, log, &peer, "set", "done");
    audit_tally_end(&tally, log, &peer);
    fflush(stream);
    assert_int_equal(count(text, "audit"), 6);
    log_destroy(log);
    fclose(stream);
    free(text);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_who_is_an_operator),
        cmocka_unit_test(test_a_group_without_a_name_is_a_number),
        cmocka_unit_test(test_the_first_call_is_a_line_and_the_others_a_number),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
