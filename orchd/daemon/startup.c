/* SPDX-License-Identifier: Apache-2.0 */

#include <config.h>

#include "orchd/daemon/startup.h"

#include <errno.h>
#include <grp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/check.h"
#include "base/text.h"
#include "base/view_path.h"
#include "orchd/control/control.h"
#include "orchd/control/protocol.h"
#include "orchd/daemon/clocks.h"
#include "orchd/daemon/provider.h"
#include "orchd/daemon/provider_kinds.h"
#include "orchd/daemon/settings.h"
#include "orchd/db/login.h"
#include "orchd/db/redis.h"
#include "orchd/db/spawn.h"
#include "orchd/history/history.h"
#include "process/call_filter.h"
#include "process/confinement.h"
#include "process/descriptors.h"
#include "process/log.h"
#include "process/loop.h"
#include "sai/loader/loader.h"
#include "sai/stack/fault_rules.h"
#include "sai/stack/faults.h"

enum st
startup_raise_descriptors(struct err *err)
{
    const uint64_t limit = descriptors_raise(DESCRIPTORS_WANTED);

    if (!limit || limit >= STARTUP_DESCRIPTORS) {
        return ST_OK;
    }
    err_set(err, ST_NO_RESOURCE, "descriptors",
            "orchd may have only %llu open files, and needs %d",
            (unsigned long long)limit, STARTUP_DESCRIPTORS);
    err_set_remedy(err, "raise the limit: ulimit -n 1024, or LimitNOFILE=1024 "
                        "in the unit");
    return ST_NO_RESOURCE;
}

void
startup_confine(const struct settings *settings, struct log *log,
                struct confinement *confinement)
{
    struct endpoint redis;
    struct err err;
    const bool spawns = settings->redis &&
                        !endpoint_parse(settings->redis, &redis, &err) &&
                        redis.kind == ENDPOINT_SPAWN;

    confinement_start(settings->redis_password_file != NULL);
    confinement_enter(settings->seccomp != SETTINGS_SECCOMP_OFF,
                      spawns ? CALLS_OF_PROGRAMS : 0, settings->sai,
                      confinement);
    log_write(log, confinement->failed ? LOG_WARN : LOG_INFO, "seccomp", "",
              "filter of system calls: %s", confinement->text);
}

/* Sets how to log in. */
static enum st
set_login(const struct settings *settings, struct endpoint *endpoint,
          struct err *err)
{
    char password[LOGIN_PASSWORD_SIZE];
    enum st status;

    if (!settings->redis_password_file) {
        if (!settings->redis_user) {
            return ST_OK;
        }
        err_set(err, ST_INVALID, "redis-login",
                "redis_user is set without redis_password_file");
        err_set_remedy(err,
                       "write the password of %s to a file: --set "
                       "redis_password_file=FILE",
                       settings->redis_user);
        return ST_INVALID;
    }
    /* A mistake shows now rather than with the first connection. */
    status = login_read(settings->redis_password_file, password, err);
    explicit_bzero(password, sizeof password);
    if (status && !*err->remedy) {
        err_set_remedy(err, "let the user of orchd read the file, or correct "
                            "the setting redis_password_file");
    }
    endpoint->user = settings->redis_user;
    endpoint->password_file = settings->redis_password_file;
    return status;
}

/* Finds the address of Redis when orchd does not start it: 'given', if the
 * settings have one. */
static void
find_redis(const struct settings *settings, const struct endpoint *given,
           const struct dbconfig *config, struct endpoint *endpoint)
{
    if (settings->redis) {
        *endpoint = *given;
    } else if (*config->unix_path && !access(config->unix_path, F_OK)) {
        text_copy(endpoint->path, sizeof endpoint->path, config->unix_path);
    } else {
        endpoint->kind = ENDPOINT_TCP;
        text_copy(endpoint->host, sizeof endpoint->host, config->host);
        endpoint->port = config->port;
    }
}

enum st
startup_dbconfig(const struct settings *settings, struct dbconfig *config,
                 struct err *err)
{
    dbconfig_init(config);
    if (settings->database_config) {
        return dbconfig_load(config, settings->database_config, err);
    }
    return access(SETTINGS_DATABASE_CONFIG, R_OK)
               ? ST_OK
               : dbconfig_load(config, SETTINGS_DATABASE_CONFIG, err);
}

enum st
startup_redis(const struct settings *settings, const struct dbconfig *config,
              struct loop *loop, struct log *log, struct endpoint *endpoint,
              struct spawn **spawn, struct err *err)
{
    struct endpoint given;
    enum st status = ST_OK;

    memset(endpoint, 0, sizeof *endpoint);
    if (settings->redis) {
        status = endpoint_parse(settings->redis, &given, err);
    }
    if (status) {
        return status;
    }
    if (*spawn) {
        text_copy(endpoint->path, sizeof endpoint->path, spawn_socket(*spawn));
        return ST_OK;
    }
    if (settings->redis && given.kind == ENDPOINT_SPAWN) {
        status = spawn_create(loop, log, config, given.path, spawn, err);
        if (!status) {
            text_copy(endpoint->path, sizeof endpoint->path,
                      spawn_socket(*spawn));
            log_write(log, LOG_INFO, "redis-spawned", endpoint->path,
                      "started a private redis-server; try: redis-cli -s %s "
                      "-n %d keys '*'",
                      endpoint->path, config->databases[CONFIG_DB].number);
        }
        return status;
    }
    find_redis(settings, &given, config, endpoint);
    return set_login(settings, endpoint, err);
}

void
startup_history(const char *directory, struct log *log,
                struct history **history, struct err *trouble)
{
    struct err cause, err;
    enum st status = history_open(directory, history, &cause);
    char path[256];

    if (!status) {
        return;
    }
    if (status == ST_INVALID &&
        !history_set_aside(directory, path, sizeof path, &err)) {
        status = history_open(directory, history, &err);
    }
    if (!status) {
        err_set(trouble, ST_INVALID, "history-set-aside",
                "%s; the file is now %s, and a new history has begun",
                cause.reason, path);
    } else {
        err_set(trouble, ST_IO, "history-off",
                "%s; orchd keeps no history of CONFIG_DB", cause.reason);
        if (*cause.remedy) {
            err_set_remedy(trouble, "%s", cause.remedy);
        } else {
            err_set_remedy(trouble,
                           "make %s writable for orchd, and restart it",
                           directory);
        }
    }
    log_write(log, LOG_WARN, trouble->code, directory, "%s", trouble->reason);
}

/* Returns whether this process may give files to 'group'. */
static bool
may_give_to(gid_t group)
{
    gid_t groups[1024];
    const int n = getgroups(sizeof groups / sizeof *groups, groups);

    for (int i = 0; i < n; i++) {
        if (groups[i] == group) {
            return true;
        }
    }
    return geteuid() == 0 || getegid() == group;
}

enum st
startup_group(const char *key, const char *name, const char *usual,
              const char **chosen, struct err *err)
{
    const struct group *group = name ? getgrnam(name) : NULL;

    *chosen = name ? name : usual;
    if (name && !group) {
        err_set(err, ST_INVALID, "group", "%s: there is no group '%s'", key,
                name);
        err_set_remedy(err,
                       "create it: sudo groupadd --system %s; or remove "
                       "the setting",
                       name);
        return ST_INVALID;
    }
    if (group && !may_give_to(group->gr_gid)) {
        err_set(err, ST_INVALID, "group",
                "%s: orchd (uid %lu) cannot give its socket to group '%s', of "
                "which it is not a member",
                key, (unsigned long)geteuid(), name);
        err_set_remedy(err, "let it run with this group, for example by "
                            "SupplementaryGroups= of its unit");
        return ST_INVALID;
    }
    return ST_OK;
}

enum st
startup_sockets(const struct settings *settings, char view[SOCKET_PATH_SIZE],
                struct control_sockets *sockets, struct err *err)
{
    enum st status;

    if (settings->view_socket
            ? !text_copy(view, SOCKET_PATH_SIZE, settings->view_socket)
            : view_path(settings->control, view, SOCKET_PATH_SIZE)) {
        err_set(err, ST_INVALID, "view-path",
                "the path of the socket for viewers is longer than %d bytes",
                SOCKET_PATH_SIZE - 1);
        err_set_remedy(err, "give a shorter one: --set view_socket=PATH");
        return ST_INVALID;
    }
    sockets->operators = settings->control;
    sockets->viewers = view;
    status = startup_group("control_group", settings->control_group, "orchd",
                           &sockets->operators_group, err);
    return status ? status
                  : startup_group("view_group", settings->view_group,
                                  "orchd-view", &sockets->viewers_group, err);
}

/* Checks a file of fault rules; orchd applies it when the switch exists. */
static enum st
check_faults(const char *path, struct err *err)
{
    struct sai_backend nothing = {0};
    struct faults *faults;
    enum st status = ST_OK;

    if (path) {
        faults = faults_create(&nothing, clocks_chain_system.sleep, NULL);
        status = fault_rules_load(faults, path, err);
        faults_destroy(faults);
    }
    return status;
}

enum st
startup_check_files(const struct settings *settings, struct err *err)
{
    enum st status = check_faults(settings->sai_faults, err);
    char *directory, *slash;

    if (!status) {
        status = provider_kinds_get(settings)->loads_library
                     ? loader_probe(settings->sai, err)
                     : ST_OK;
    }
    if (status || !settings->record) {
        return status;
    }
    directory = check_strdup(settings->record);
    slash = strrchr(directory, '/');
    if (slash) {
        slash[slash == directory] = '\0';
    }
    if (access(slash ? directory : ".", W_OK | X_OK)) {
        status = err_set(err, ST_INVALID, "record",
                         "a record cannot be written at %s: %s",
                         settings->record, strerror(errno));
        err_set_remedy(err, "use --record FILE with a file in a directory "
                            "that exists and is writable");
    }
    free(directory);
    return status;
}
