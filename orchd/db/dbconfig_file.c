/* SPDX-License-Identifier: Apache-2.0 */

/* Writes database_config.json. */

#include <config.h>

#include "orchd/db/dbconfig_file.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/check.h"
#include "orchd/db/dbconfig.h"

#define FILE_NAME     "database_config.json"
#define FILE_NAME_NEW FILE_NAME ".new"
#define INSTANCE      "redis"

/* Databases that orchd does not use, but tools open: some open all that the
 * file has.  SONiC's numbers and separators. */
static const struct {
    const char *name;
    int number;
    char separator;
} others[] = {
    {"LOGLEVEL_DB", 3, ':'},     {"SNMP_OVERLAY_DB", 7, '|'},
    {"RESTAPI_DB", 8, '|'},      {"GB_ASIC_DB", 9, ':'},
    {"GB_COUNTERS_DB", 10, ':'}, {"GB_FLEX_COUNTER_DB", 11, ':'},
    {"PROFILE_DB", 15, '|'},
};

/* Adds a database to DATABASES. */
static void
add_database(json_t *databases, const char *name, int number, char separator)
{
    const char text[] = {separator, '\0'};
    json_t *entry = json_pack("{s:i, s:s, s:s}", "id", number, "separator",
                              text, "instance", INSTANCE);

    orch_assert(entry);
    json_object_set_new(databases, name, entry);
}

char *
dbconfig_file_text(const struct dbconfig *config, const char *socket)
{
    json_t *databases = json_object();
    json_t *root;
    char *text;

    for (size_t i = 0; i < N_DATABASES; i++) {
        add_database(databases, database_name((enum database)i),
                     config->databases[i].number,
                     config->databases[i].separator);
    }
    /* An older name of the same database, which tools still use. */
    add_database(databases, "PFC_WD_DB",
                 config->databases[FLEX_COUNTER_DB].number,
                 config->databases[FLEX_COUNTER_DB].separator);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        add_database(databases, others[i].name, others[i].number,
                     others[i].separator);
    }
    root = json_pack("{s:{s:{s:s, s:i, s:s}}, s:o, s:s}", "INSTANCES", INSTANCE,
                     "hostname", DBCONFIG_FILE_HOST, "port", DBCONFIG_FILE_PORT,
                     "unix_socket_path", socket, "DATABASES", databases,
                     "VERSION", "1.0");
    text = root ? json_dumps(root, JSON_INDENT(4)) : NULL;
    json_decref(root);
    return text;
}

/* Reports that 'what' failed at DIRECTORY/sonic-db. */
static enum st
fail(const char *path, const char *what, struct err *err)
{
    return err_set(err, ST_IO, "redis-spawn", "cannot %s %s/%s: %s", what, path,
                   DBCONFIG_FILE_DIRECTORY, strerror(errno));
}

/* Opens sonic-db, and creates it if it does not exist. */
static enum st
open_directory(int parent, const char *path, int *fd, struct err *err)
{
    const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    struct stat found;

    if (mkdirat(parent, DBCONFIG_FILE_DIRECTORY, 0700) && errno != EEXIST) {
        return fail(path, "create", err);
    }
    *fd = openat(parent, DBCONFIG_FILE_DIRECTORY, flags);
    if (*fd < 0 && errno != ENOTDIR && errno != ELOOP) {
        return fail(path, "open", err);
    }
    if (*fd >= 0 && fstat(*fd, &found)) {
        const enum st status = fail(path, "read", err);

        close(*fd);
        return status;
    }
    if (*fd >= 0 && found.st_uid == geteuid() && !(found.st_mode & 022)) {
        return ST_OK;
    }
    if (*fd >= 0) {
        close(*fd);
    }
    err_set(err, ST_INVALID, "redis-spawn",
            "--redis spawn: %s/%s is not a directory that only its user can "
            "change",
            path, DBCONFIG_FILE_DIRECTORY);
    err_set_remedy(err, "remove it, or use another directory");
    return ST_INVALID;
}

/* Writes 'text' to a new file, and renames that.  Returns 0 or an errno. */
static int
replace(int directory, const char *text)
{
    const int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    FILE *file;
    int problem = 0;
    int fd;

    unlinkat(directory, FILE_NAME_NEW, 0); /* Of a run that was killed. */
    fd = openat(directory, FILE_NAME_NEW, flags, 0600);
    if (fd < 0) {
        return errno;
    }
    file = fdopen(fd, "w");
    orch_assert(file);
    if (fprintf(file, "%s\n", text) < 0) {
        problem = errno;
    }
    if (fclose(file) && !problem) {
        problem = errno;
    }
    if (!problem && renameat(directory, FILE_NAME_NEW, directory, FILE_NAME)) {
        problem = errno;
    }
    if (problem) {
        unlinkat(directory, FILE_NAME_NEW, 0);
    }
    return problem;
}

enum st
dbconfig_file_write(int fd, const char *path, const struct dbconfig *config,
                    const char *socket, struct err *err)
{
    int directory = -1, problem;
    enum st status = open_directory(fd, path, &directory, err);
    char *text;

    if (status) {
        return status;
    }
    text = dbconfig_file_text(config, socket);
    if (!text) {
        close(directory);
        return err_set(err, ST_INVALID, "redis-spawn",
                       "--redis spawn: the path %s is not UTF-8", path);
    }
    problem = replace(directory, text);
    free(text);
    close(directory);
    errno = problem;
    return problem ? fail(path, "write " FILE_NAME " in", err) : ST_OK;
}

void
dbconfig_file_remove(int fd)
{
    const int directory = openat(fd, DBCONFIG_FILE_DIRECTORY,
                                 O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

    if (directory < 0) {
        return;
    }
    unlinkat(directory, FILE_NAME, 0);
    close(directory);
    unlinkat(fd, DBCONFIG_FILE_DIRECTORY, AT_REMOVEDIR);
}
