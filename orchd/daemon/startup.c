/* SPDX-License-Identifier: Apache-2.0 */

#include <config.h>

#include "orchd/daemon/startup.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/check.h"
#include "base/text.h"
#include "orchd/daemon/clocks.h"
#include "orchd/daemon/settings.h"
#include "orchd/db/redis.h"
#include "orchd/db/spawn.h"
#include "process/log.h"
#include "process/loop.h"
#include "sai/loader/loader.h"
#include "sai/stack/fault_rules.h"
#include "sai/stack/faults.h"

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
        status = spawn_create(loop, log, given.path, spawn, err);
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
    if (settings->redis) {
        *endpoint = given;
    } else if (*config->unix_path && !access(config->unix_path, F_OK)) {
        text_copy(endpoint->path, sizeof endpoint->path, config->unix_path);
    } else {
        endpoint->kind = ENDPOINT_TCP;
        text_copy(endpoint->host, sizeof endpoint->host, config->host);
        endpoint->port = config->port;
    }
    return ST_OK;
}

void
startup_run_directory(const char *socket)
{
    static const char run[] = "/run/orchd";

    if (!strncmp(socket, run, sizeof run - 1)) {
        mkdir(run, 0755);
    }
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
        status = loader_probe(settings->sai, err);
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
