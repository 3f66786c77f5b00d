/* SPDX-License-Identifier: Apache-2.0 */

/* Parses lanemap.ini and port_config.ini of SONiC, line by line. */

#include <config.h>

#include "saihostd/sonic_files.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/parse.h"
#include "base/text.h"

enum { LINE_MAX_BYTES = 1024, COLUMNS_MAX = 32 };

/* A file that is being parsed. */
struct parser {
    const char *path;
    struct sonic_ports *ports;
    struct err *err;
    unsigned int line;
    int name_column; /* Of port_config.ini. */
    int lanes_column;
};

/* Handles one line without blanks at its ends, which is not empty. */
typedef enum st line_fn(struct parser *parser, char *line);

void
sonic_ports_fini(struct sonic_ports *ports)
{
    free(ports->rows);
    *ports = (struct sonic_ports){0};
}

static enum st
fail(const struct parser *parser, const char *what, const char *word)
{
    return err_set(parser->err, ST_INVALID, "sonic-file", "%s:%u: %s%s%.60s%s",
                   parser->path, parser->line, what, word ? " '" : "",
                   word ? word : "", word ? "'" : "");
}

/* Adding rows ---------------------------------------------------------- */

/* Returns the row that has 'lane', NULL if none has. */
static const struct sonic_port *
find_lane(const struct sonic_ports *ports, uint32_t lane)
{
    for (size_t i = 0; i < ports->n; i++) {
        for (uint32_t k = 0; k < ports->rows[i].n_lanes; k++) {
            if (ports->rows[i].lanes[k] == lane) {
                return &ports->rows[i];
            }
        }
    }
    return NULL;
}

/* Returns whether 'port' has 'lane'. */
static bool
has_lane(const struct sonic_port *port, uint32_t lane)
{
    for (uint32_t i = 0; i < port->n_lanes; i++) {
        if (port->lanes[i] == lane) {
            return true;
        }
    }
    return false;
}

/* Parses "29,30,31,32" into 'port'. */
static enum st
parse_lanes(const struct parser *parser, char *text, struct sonic_port *port)
{
    char *rest = text;
    char *word;
    uint64_t lane;

    while ((word = strsep(&rest, ",")) != NULL) {
        const struct sonic_port *other;

        if (parse_u64(word, 0, UINT16_MAX, &lane) != ST_OK) {
            return fail(parser, "lanes are numbers such as 29,30,31,32, not",
                        word);
        }
        if (port->n_lanes == SONIC_LANES_MAX) {
            return fail(parser, "a port has at most 16 lanes", NULL);
        }
        other = has_lane(port, (uint32_t)lane)
                    ? port
                    : find_lane(parser->ports, (uint32_t)lane);
        if (other) {
            return err_set(parser->err, ST_INVALID, "sonic-file",
                           "%s:%u: lane %u belongs to %s, line %u",
                           parser->path, parser->line, (unsigned int)lane,
                           other->name, other->line);
        }
        port->lanes[port->n_lanes++] = (uint32_t)lane;
    }
    return ST_OK;
}

/* Adds the row 'name' with 'lanes'. */
static enum st
add_row(struct parser *parser, const char *name, char *lanes)
{
    struct sonic_ports *ports = parser->ports;
    struct sonic_port port = {.line = parser->line};
    enum st status;

    if (!*name || strchr(name, '/') ||
        !text_copy(port.name, sizeof port.name, name)) {
        return fail(parser, "this is not the name of an interface:", name);
    }
    for (size_t i = 0; i < ports->n; i++) {
        if (!strcmp(ports->rows[i].name, name)) {
            return err_set(parser->err, ST_INVALID, "sonic-file",
                           "%s:%u: %s is already in line %u", parser->path,
                           parser->line, name, ports->rows[i].line);
        }
    }
    if (ports->n == SONIC_PORTS_MAX) {
        return fail(parser, "there are more than 4096 ports", NULL);
    }
    status = parse_lanes(parser, lanes, &port);
    if (status != ST_OK) {
        return status;
    }
    ports->rows =
        check_realloc(ports->rows, (ports->n + 1) * sizeof *ports->rows);
    ports->rows[ports->n++] = port;
    return ST_OK;
}

/* Lines ---------------------------------------------------------------- */

/* Handles a line of lanemap.ini. */
static enum st
take_lanemap(struct parser *parser, char *line)
{
    char *lanes = line;
    const char *name;

    if (*line == '#') {
        return ST_OK;
    }
    name = strsep(&lanes, ":");
    if (!lanes) {
        return fail(parser,
                    "a line is INTERFACE:LANES, such as eth1:1,2,3,4, "
                    "not",
                    line);
    }
    return add_row(parser, name, lanes);
}

/* Splits 'line' at its blanks into 'words', and returns their number. */
static int
split(char *line, char **words)
{
    char *rest = line;
    char *word;
    int n = 0;

    while (n < COLUMNS_MAX && (word = strsep(&rest, " \t")) != NULL) {
        if (*word) {
            words[n++] = word;
        }
    }
    return n;
}

/* Takes the columns of a title; other comments change nothing. */
static void
take_title(struct parser *parser, char *line)
{
    char *words[COLUMNS_MAX];
    const int n = split(line + strspn(line, "#"), words);
    int name = -1;
    int lanes = -1;

    for (int i = 0; i < n; i++) {
        name = strcmp(words[i], "name") ? name : i;
        lanes = strcmp(words[i], "lanes") ? lanes : i;
    }
    if (name >= 0 && lanes >= 0) {
        parser->name_column = name;
        parser->lanes_column = lanes;
    }
}

/* Handles a line of port_config.ini. */
static enum st
take_port_config(struct parser *parser, char *line)
{
    char *words[COLUMNS_MAX];
    int n;

    if (*line == '#') {
        take_title(parser, line);
        return ST_OK;
    }
    n = split(line, words);
    if (n <= parser->name_column || n <= parser->lanes_column) {
        return fail(parser,
                    "a line has the columns of the title (name lanes alias "
                    "index), not only",
                    words[0]);
    }
    return add_row(parser, words[parser->name_column],
                   words[parser->lanes_column]);
}

/* Returns whether the 'n' bytes are printable, or tabs. */
static bool
is_text(const char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (bytes[i] != '\t' && !isprint((unsigned char)bytes[i])) {
            return false;
        }
    }
    return true;
}

/* Handles the line of 'n' bytes at 'bytes'. */
static enum st
take_line(struct parser *parser, const char *bytes, size_t n, line_fn *take)
{
    char line[LINE_MAX_BYTES];

    while (n && isspace((unsigned char)*bytes)) {
        bytes++;
        n--;
    }
    while (n && isspace((unsigned char)bytes[n - 1])) {
        n--;
    }
    if (n == 0) {
        return ST_OK;
    }
    if (n >= sizeof line || !is_text(bytes, n)) {
        return fail(parser, "the line is too long, or no ASCII text", NULL);
    }
    memcpy(line, bytes, n);
    line[n] = '\0';
    return take(parser, line);
}

/* Handles all lines of a file. */
static enum st
parse(struct parser *parser, const char *text, size_t length, line_fn *take)
{
    enum st status = ST_OK;

    *parser->ports = (struct sonic_ports){0};
    while (length && status == ST_OK) {
        const char *end = memchr(text, '\n', length);
        const size_t n = end ? (size_t)(end - text) : length;

        parser->line++;
        status = take_line(parser, text, n, take);
        text += n + (end != NULL);
        length -= n + (end != NULL);
    }
    if (status == ST_OK && parser->ports->n == 0) {
        status = err_set(parser->err, ST_INVALID, "sonic-file",
                         "%s has no port", parser->path);
    }
    if (status != ST_OK) {
        sonic_ports_fini(parser->ports);
    }
    return status;
}

enum st
sonic_lanemap_parse(const char *path, const char *text, size_t length,
                    struct sonic_ports *ports, struct err *err)
{
    struct parser parser = {.path = path, .ports = ports, .err = err};

    return parse(&parser, text, length, take_lanemap);
}

enum st
sonic_port_config_parse(const char *path, const char *text, size_t length,
                        struct sonic_ports *ports, struct err *err)
{
    struct parser parser = {.path = path,
                            .ports = ports,
                            .err = err,
                            .name_column = 0,
                            .lanes_column = 1};

    return parse(&parser, text, length, take_port_config);
}

/* Files ---------------------------------------------------------------- */

enum st
sonic_file_read(const char *option, const char *path, char **text,
                size_t *length, struct err *err)
{
    FILE *file = fopen(path, "re");
    enum st status = ST_OK;
    size_t n = 0;
    char *bytes;

    if (!file) {
        return err_set(err, ST_IO, "sonic-file", "%s: cannot read %s: %s",
                       option, path, strerror(errno));
    }
    bytes = check_malloc(SONIC_FILE_MAX + 1);
    n = fread(bytes, 1, SONIC_FILE_MAX + 1, file);
    if (ferror(file)) {
        status = err_set(err, ST_IO, "sonic-file", "%s: cannot read %s: %s",
                         option, path, strerror(errno));
    } else if (n > SONIC_FILE_MAX) {
        status = err_set(err, ST_INVALID, "sonic-file",
                         "%s: %s is larger than 1 MiB, as no such file is",
                         option, path);
    }
    (void)fclose(file);
    if (status != ST_OK) {
        free(bytes);
        return status;
    }
    *text = bytes;
    *length = n;
    return ST_OK;
}

enum st
sonic_lanemap_read(const char *path, struct sonic_ports *ports, struct err *err)
{
    char *text;
    size_t length;
    enum st status = sonic_file_read("--lanemap", path, &text, &length, err);

    if (status == ST_OK) {
        status = sonic_lanemap_parse(path, text, length, ports, err);
        free(text);
    }
    return status;
}
