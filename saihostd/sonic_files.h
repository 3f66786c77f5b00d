/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAIHOSTD_SONIC_FILES_H
#define ORCHD_SAIHOSTD_SONIC_FILES_H

/* The files of a hardware SKU in a SONiC image that say which lanes a port has.
 *
 *   lanemap.ini      which interface of a virtual switch is which lanes:
 *                    "eth1:29,30,31,32"
 *   port_config.ini  the ports: a title "# name lanes alias index", which may
 *                    have its columns in any order, and a line for each port
 *
 * Blank lines and lines that begin with '#' are comments, except for the title;
 * without a title the columns are "name lanes alias index".  Errors name the
 * file and the line. */

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

enum {
    SONIC_NAME_BYTES = 32,
    SONIC_LANES_MAX = 16,     /* Of a port. */
    SONIC_PORTS_MAX = 4096,   /* Of a file. */
    SONIC_FILE_MAX = 1 << 20, /* Bytes. */
};

struct sonic_port {
    char name[SONIC_NAME_BYTES]; /* Of the interface, or of the port. */
    uint32_t lanes[SONIC_LANES_MAX];
    uint32_t n_lanes; /* At least 1. */
    unsigned int line;
};

/* The rows of a file, in its order.  Empty if it is 0. */
struct sonic_ports {
    struct sonic_port *rows;
    size_t n;
};

/* Frees what 'ports' owns. */
void sonic_ports_fini(struct sonic_ports *ports);

/* Parse 'length' bytes of a file, which 'path' names in errors, into '*ports'.
 * ST_INVALID: 'err' has the line and what is wrong: a word that is no name or
 * lane, a name or a lane twice, no port at all; '*ports' is empty. */
enum st sonic_lanemap_parse(const char *path, const char *text, size_t length,
                            struct sonic_ports *ports,
                            struct err *err) ST_WARN_UNUSED;
enum st sonic_port_config_parse(const char *path, const char *text,
                                size_t length, struct sonic_ports *ports,
                                struct err *err) ST_WARN_UNUSED;

/* Reads lanemap.ini 'path', the file of --lanemap.  ST_IO: it cannot be read;
 * ST_INVALID: it is too large, or as sonic_lanemap_parse() says. */
enum st sonic_lanemap_read(const char *path, struct sonic_ports *ports,
                           struct err *err) ST_WARN_UNUSED;

/* Reads the file 'path' into '*text', which the caller frees, and its length
 * into '*length'.  ST_IO: it cannot be read; ST_INVALID: it is too large; 'err'
 * names 'option', by which the user has given the file: "--names". */
enum st sonic_file_read(const char *option, const char *path, char **text,
                        size_t *length, struct err *err) ST_WARN_UNUSED;

#endif /* saihostd/sonic_files.h */
