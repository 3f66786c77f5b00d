/* SPDX-License-Identifier: Apache-2.0 */

/* Names of ports by their first lanes. */

#include <config.h>

#include "saihostd/names.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/check.h"
#include "base/parse.h"
#include "base/text.h"
#include "saihostd/sonic_files.h"

struct object_names {
    json_t *ports; /* NAME: {"lanes": "1,2,3,4"}; NULL: no file. */
};

/* Reads the number of the first lane of 'row'.  Returns false if it has none.
 */
static bool
first_lane_of(const json_t *row, uint64_t *lane)
{
    const char *lanes = json_string_value(json_object_get(row, "lanes"));
    char first[16];

    if (!lanes) {
        return false;
    }
    (void)text_copy(first, sizeof first, lanes);
    first[strcspn(first, ",")] = '\0';
    return parse_u64(first, 0, UINT32_MAX, lane) == ST_OK;
}

/* Checks that each row of 'names' has lanes. */
static enum st
check_rows(const struct object_names *names, const char *path, struct err *err)
{
    const char *name;
    json_t *row;
    uint64_t lane;

    json_object_foreach(names->ports, name, row)
    {
        if (!first_lane_of(row, &lane)) {
            return err_set(err, ST_INVALID, "names",
                           "%s: PORT|%s has no lanes, such as \"1,2,3,4\"",
                           path, name);
        }
    }
    return ST_OK;
}

/* Returns whether 'path' can be read and does not begin as JSON does. */
static bool
is_port_config(const char *path)
{
    struct err err;
    size_t length;
    bool found = false;
    char *text;

    if (sonic_file_read("--names", path, &text, &length, &err) == ST_OK) {
        for (size_t i = 0; i < length && !found; i++) {
            if (!strchr(" \t\r\n", text[i])) {
                found = text[i] != '{' && text[i] != '[';
                break;
            }
        }
        free(text);
    }
    return found;
}

/* Reads port_config.ini 'path'. */
static enum st
read_port_config(const char *path, struct object_names *names, struct err *err)
{
    struct sonic_ports ports;
    size_t length;
    char *text;
    enum st status = sonic_file_read("--names", path, &text, &length, err);

    if (status != ST_OK) {
        return status;
    }
    status = sonic_port_config_parse(path, text, length, &ports, err);
    free(text);
    if (status != ST_OK) {
        return status;
    }
    names->ports = json_object();
    for (size_t i = 0; i < ports.n; i++) {
        char lanes[16];

        (void)text_format(lanes, sizeof lanes, "%u", ports.rows[i].lanes[0]);
        (void)json_object_set_new(names->ports, ports.rows[i].name,
                                  json_pack("{s:s}", "lanes", lanes));
    }
    sonic_ports_fini(&ports);
    return ST_OK;
}

enum st
names_read(const char *path, struct object_names **names, struct err *err)
{
    struct object_names *made = check_calloc(1, sizeof *made);
    enum st status = ST_OK;
    json_error_t error;
    struct stat file;

    if (path && !stat(path, &file) && S_ISDIR(file.st_mode)) {
        status = err_set(err, ST_INVALID, "names",
                         "--names: %s is a directory; it should be a "
                         "config_db.json or a port_config.ini",
                         path);
    } else if (path && is_port_config(path)) {
        status = read_port_config(path, made, err);
    } else if (path) {
        json_t *tables = json_load_file(path, 0, &error);
        json_t *ports = json_object_get(tables, "PORT");

        if (!tables) {
            status = error.line < 0
                         ? err_set(err, ST_INVALID, "names", "--names: %s",
                                   error.text)
                         : err_set(err, ST_INVALID, "names", "%s:%d:%d: %s",
                                   path, error.line, error.column, error.text);
        } else if (!json_is_object(ports)) {
            status = err_set(err, ST_INVALID, "names",
                             "%s has no table PORT; it should be a "
                             "config_db.json",
                             path);
        } else {
            made->ports = json_incref(ports);
            status = check_rows(made, path, err);
        }
        json_decref(tables);
    }
    if (status) {
        object_names_destroy(made);
    } else {
        *names = made;
    }
    return status;
}

void
object_names_destroy(struct object_names *names)
{
    if (names) {
        json_decref(names->ports);
        free(names);
    }
}

void
names_find(const struct object_names *names, uint32_t lane, uint32_t first_lane,
           const char *prefix, char *name, size_t size)
{
    const char *key;
    json_t *row;

    json_object_foreach(names->ports, key, row)
    {
        uint64_t first;

        if (first_lane_of(row, &first) && first == lane) {
            (void)text_copy(name, size, key);
            return;
        }
    }
    (void)text_format(name, size, "%s%u", prefix ? prefix : "Ethernet",
                      lane > first_lane ? lane - first_lane : 0);
}

const char *
names_at(const struct object_names *names, size_t i)
{
    void *at = json_object_iter(names->ports);

    while (at && i--) {
        at = json_object_iter_next(names->ports, at);
    }
    return at ? json_object_iter_key(at) : NULL;
}

bool
names_can_be(const struct object_names *names, const char *prefix,
             const char *name)
{
    const size_t n = strlen(prefix);
    uint64_t number;

    return names->ports
               ? json_object_get(names->ports, name) != NULL
               : !strncmp(name, prefix, n) &&
                     parse_u64(name + n, 0, UINT16_MAX, &number) == ST_OK;
}
