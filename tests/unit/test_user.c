/* SPDX-License-Identifier: Apache-2.0 */

/* The user of a daemon, as root starts it.  Each case is a process of its own,
 * since no one comes back from another user. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <grp.h>
#include <pwd.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process/capabilities.h"
#include "process/user.h"

#define USER "nobody"

struct ids {
    uid_t uid;
    gid_t gid;
};

/* Runs 'fn' in a process of its own, and checks that it returns true there. */
static void
check_apart(bool (*fn)(const struct ids *user))
{
    const struct passwd *entry = getpwnam(USER);
    struct ids user;
    int status;
    pid_t child;

    if (geteuid() || !entry) {
        skip();
    }
    user = (struct ids){entry->pw_uid, entry->pw_gid};
    child = fork();
    assert_true(child >= 0);
    if (!child) {
        _exit(fn(&user) ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

/* Returns whether nothing of this process is of another user. */
static bool
is_all_of(const struct ids *user)
{
    uid_t uid, effective_uid, saved_uid;
    gid_t gid, effective_gid, saved_gid, groups[64];
    const int n = getgroups(64, groups);
    bool is = n >= 0;

    for (int i = 0; i < n; i++) {
        is &= groups[i] != 0;
    }
    return is && !getresuid(&uid, &effective_uid, &saved_uid) &&
           !getresgid(&gid, &effective_gid, &saved_gid) && uid == user->uid &&
           effective_uid == user->uid && saved_uid == user->uid &&
           gid == user->gid && effective_gid == user->gid &&
           saved_gid == user->gid;
}

static bool
become(const struct ids *user)
{
    struct err err = {0};
    const gid_t before[] = {0, 1};

    return !setgroups(2, before) && !user_become(USER, 0, &err) &&
           is_all_of(user) && !capabilities_permitted() && setuid(0) &&
           /* Again it changes nothing. */
           !user_become(USER, 0, &err) && is_all_of(user);
}

/* A process that could go back to root is not one of the user yet. */
static bool
refuse_a_mask(const struct ids *user)
{
    struct err err = {0};

    return !setresgid(user->gid, user->gid, user->gid) &&
           !setresuid(0, user->uid, 0) &&
           user_become(USER, 0, &err) == ST_INVALID &&
           strstr(err.reason, "only root") != NULL;
}

static bool
change_the_group_of_root(const struct ids *user)
{
    struct err err = {0};
    const struct group *group = getgrgid(user->gid);
    char text[128] = "root:";

    strncat(text, group ? group->gr_name : "", sizeof text - 6);
    return group && !user_become(text, 0, &err) && !getuid() &&
           getgid() == user->gid && !capabilities_permitted();
}

static void
test_root_becomes_a_user_for_good(void **state)
{
    (void)state;
    check_apart(become);
}

static void
test_a_user_that_can_go_back_is_refused(void **state)
{
    (void)state;
    check_apart(refuse_a_mask);
}

static void
test_root_in_another_group_has_no_capability(void **state)
{
    (void)state;
    check_apart(change_the_group_of_root);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_root_becomes_a_user_for_good),
        cmocka_unit_test(test_a_user_that_can_go_back_is_refused),
        cmocka_unit_test(test_root_in_another_group_has_no_capability),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
