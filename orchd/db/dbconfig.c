/* SPDX-License-Identifier: Apache-2.0 */

/* Reads database_config.json. */

#include <config.h>

#include "orchd/db/dbconfig.h"

#include <jansson.h>
#include <string.h>

#include "base/text.h"

#define NUMBER_MAX 1023

static const struct {
    const char *name;
    int number;
    char separator;
} usual[] = {
#define X(member, number, separator) {#member, number, separator},
    DATABASE_LIST(X)
#undef X
};

const char *
database_name(enum database database)
{
    return usual[database].name;
}

void
dbconfig_init(struct dbconfig *config)
{
    memset(config, 0, sizeof *config);
    for (size_t i = 0; i < N_DATABASES; i++) {
        config->databases[i].number = usual[i].number;
        config->databases[i].separator = usual[i].separator;
    }
    text_copy(config->unix_path, sizeof config->unix_path,
              "/var/run/redis/redis.sock");
    text_copy(config->host, sizeof config->host, "127.0.0.1");
    config->port = 6379;
}

/* Reports what is wrong at 'where' in the file. */
static enum st
bad(struct err *err, const char *path, const char *where, const char *allowed)
{
    err_set(err, ST_INVALID, "database-config", "%s: %s must be %s", path,
            where, allowed);
    err_set_field(err, where, NULL, allowed);
    return ST_INVALID;
}

/* Reads one entry of DATABASES into 'config'. */
static enum st
load_database(struct dbconfig *config, enum database database,
              const json_t *entry, const char *path, struct err *err)
{
    const json_t *id = json_object_get(entry, "id");
    const json_t *separator = json_object_get(entry, "separator");
    char where[64];

    text_format(where, sizeof where, "DATABASES.%s", database_name(database));
    if (!json_is_object(entry)) {
        return bad(err, path, where, "an object");
    }
    if (!json_is_integer(id) || json_integer_value(id) < 0 ||
        json_integer_value(id) > NUMBER_MAX) {
        text_format(where, sizeof where, "DATABASES.%s.id",
                    database_name(database));
        return bad(err, path, where, "a number in 0..1023");
    }
    if (separator &&
        (!json_is_string(separator) || json_string_length(separator) != 1)) {
        text_format(where, sizeof where, "DATABASES.%s.separator",
                    database_name(database));
        return bad(err, path, where, "one character");
    }
    config->databases[database].number = (int)json_integer_value(id);
    if (separator) {
        config->databases[database].separator = json_string_value(separator)[0];
    }
    return ST_OK;
}

/* Reads the instance called 'name'. */
static enum st
load_instance(struct dbconfig *config, const json_t *instances,
              const char *name, const char *path, struct err *err)
{
    const json_t *instance = json_object_get(instances, name);
    const json_t *host, *port, *socket;
    char where[128];

    text_format(where, sizeof where, "INSTANCES.%s", name);
    if (!json_is_object(instance)) {
        return bad(err, path, where, "an object");
    }
    host = json_object_get(instance, "hostname");
    port = json_object_get(instance, "port");
    socket = json_object_get(instance, "unix_socket_path");
    if ((host && !json_is_string(host)) ||
        (socket && !json_is_string(socket)) ||
        (port && (!json_is_integer(port) || json_integer_value(port) < 1 ||
                  json_integer_value(port) > 65535))) {
        return bad(err, path, where,
                   "an object with hostname, port and unix_socket_path");
    }
    config->port = port ? (int)json_integer_value(port) : 0;
    if (!text_copy(config->host, sizeof config->host,
                   host ? json_string_value(host) : "") ||
        !text_copy(config->unix_path, sizeof config->unix_path,
                   socket ? json_string_value(socket) : "")) {
        return bad(err, path, where, "shorter");
    }
    return ST_OK;
}

/* Returns the instance of all databases of orchd, "" if the file does not give
 * one, NULL (with 'err') if they are on several. */
static const char *
find_instance(const json_t *databases, const char *path, struct err *err)
{
    const char *found = "";
    const char *of = "";

    for (size_t i = 0; i < N_DATABASES; i++) {
        const json_t *entry = json_object_get(databases, usual[i].name);
        const char *name =
            json_string_value(json_object_get(entry, "instance"));

        if (!name) {
            continue;
        }
        if (*found && strcmp(found, name) != 0) {
            err_set(err, ST_INVALID, "database-config",
                    "%s: %s is on instance %s but %s on %s", path,
                    usual[i].name, name, of, found);
            err_set_remedy(err, "put the databases of orchd on one instance");
            return NULL;
        }
        found = name;
        of = usual[i].name;
    }
    return found;
}

/* Reads the whole document into 'config'. */
static enum st
load_root(struct dbconfig *config, const json_t *root, const char *path,
          struct err *err)
{
    const json_t *databases = json_object_get(root, "DATABASES");
    const char *instance;

    if (!json_is_object(databases)) {
        return bad(err, path, "DATABASES", "an object");
    }
    for (size_t i = 0; i < N_DATABASES; i++) {
        const json_t *entry = json_object_get(databases, usual[i].name);
        enum st status = ST_OK;

        if (entry) {
            status = load_database(config, (enum database)i, entry, path, err);
        }
        if (status) {
            return status;
        }
    }
    instance = find_instance(databases, path, err);
    if (!instance) {
        return ST_INVALID;
    }
    return *instance ? load_instance(config, json_object_get(root, "INSTANCES"),
                                     instance, path, err)
                     : ST_OK;
}

enum st
dbconfig_load(struct dbconfig *config, const char *path, struct err *err)
{
    struct dbconfig loaded = *config;
    json_error_t error;
    json_t *root = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    enum st status;

    if (!root) {
        bool unreadable =
            json_error_code(&error) == json_error_cannot_open_file;

        status = unreadable ? ST_NOT_FOUND : ST_INVALID;
        if (unreadable) {
            return err_set(err, status, "database-config", "%s", error.text);
        }
        return err_set(err, status, "database-config", "%s:%d:%d: %s", path,
                       error.line, error.column, error.text);
    }
    status = load_root(&loaded, root, path, err);
    json_decref(root);
    if (!status) {
        *config = loaded;
    }
    return status;
}
