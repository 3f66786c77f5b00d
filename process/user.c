/* SPDX-License-Identifier: Apache-2.0 */

/* initgroups(), setresgid() and setresuid(). */

#include <config.h>

#include "process/user.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/nearest.h"
#include "process/capabilities.h"

enum { NAME_SIZE = 256 };

struct user {
    char name[NAME_SIZE];
    uid_t uid;
    gid_t gid;
};

/* Reports that there is no user of this name. */
static enum st
no_user(const char *name, struct err *err)
{
    struct choices choices;
    const struct passwd *entry;

    choices_init(&choices, name);
    setpwent();
    while ((entry = getpwent()) != NULL) {
        choices_add(&choices, entry->pw_name);
    }
    endpwent();
    err_set(err, ST_INVALID, "user", "--user: there is no user '%s'", name);
    err_set_remedy(err, "create it: useradd --system %s", name);
    return choices_explain(&choices, "user", err);
}

/* The same for a group. */
static enum st
no_group(const char *name, struct err *err)
{
    struct choices choices;
    const struct group *entry;

    choices_init(&choices, name);
    setgrent();
    while ((entry = getgrent()) != NULL) {
        choices_add(&choices, entry->gr_name);
    }
    endgrent();
    err_set(err, ST_INVALID, "user", "--user: there is no group '%s'", name);
    err_set_remedy(err, "create it: groupadd --system %s", name);
    return choices_explain(&choices, "user", err);
}

/* Parses "NAME" or "NAME:GROUP". */
static enum st
find(const char *text, struct user *user, struct err *err)
{
    const char *colon = strchr(text, ':');
    const size_t length = colon ? (size_t)(colon - text) : strlen(text);
    const struct passwd *entry;
    const struct group *group;

    if (!length || length >= sizeof user->name || (colon && !colon[1])) {
        return err_set(err, ST_INVALID, "user",
                       "--user: '%s' is not NAME or NAME:GROUP", text);
    }
    memcpy(user->name, text, length);
    user->name[length] = '\0';
    entry = getpwnam(user->name);
    if (!entry) {
        return no_user(user->name, err);
    }
    user->uid = entry->pw_uid;
    user->gid = entry->pw_gid;
    if (!colon) {
        return ST_OK;
    }
    group = getgrnam(colon + 1);
    if (!group) {
        return no_group(colon + 1, err);
    }
    user->gid = group->gr_gid;
    return ST_OK;
}

/* Reports that only root may do that. */
static enum st
not_root(const struct user *user, struct err *err)
{
    const struct passwd *entry = getpwuid(geteuid());

    err_set(err, ST_INVALID, "user",
            "--user %s: only root can change to another user or group, and "
            "this process belongs to uid %lu (%s)",
            user->name, (unsigned long)geteuid(),
            entry ? entry->pw_name : "without a name");
    err_set_remedy(err, "start it as root, or leave --user out");
    return ST_INVALID;
}

/* Returns whether all ids of this process, also those that it could go back to,
 * are those of 'user'. */
static bool
is_already(const struct user *user)
{
    uid_t uid, effective_uid, saved_uid;
    gid_t gid, effective_gid, saved_gid;

    return !getresuid(&uid, &effective_uid, &saved_uid) &&
           !getresgid(&gid, &effective_gid, &saved_gid) && uid == user->uid &&
           effective_uid == user->uid && saved_uid == user->uid &&
           gid == user->gid && effective_gid == user->gid &&
           saved_gid == user->gid;
}

enum st
user_become(const char *text, uint64_t kept, struct err *err)
{
    struct user user;
    enum st status = find(text, &user, err);

    if (status) {
        return status;
    }
    if (is_already(&user)) {
        return ST_OK;
    }
    if (geteuid() != 0) {
        return not_root(&user, err);
    }
    if ((kept && prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0)) ||
        initgroups(user.name, user.gid) ||
        setresgid(user.gid, user.gid, user.gid) ||
        setresuid(user.uid, user.uid, user.uid)) {
        return err_set(err, ST_IO, "user", "--user %s: %s", text,
                       strerror(errno));
    }
    (void)prctl(PR_SET_KEEPCAPS, 0, 0, 0, 0);
    return capabilities_keep(kept, err);
}
