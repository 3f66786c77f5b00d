/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DB_DBCONFIG_FILE_H
#define ORCHD_DB_DBCONFIG_FILE_H

/* The database_config.json of a private Redis, for SONiC's tools.
 *
 * They read /var/run/redis/sonic-db/database_config.json, so the file has this
 * place in the directory of the server: a tool that runs with the directory
 * mounted on /var/run/redis ("orchctl env") finds both. */

#include "base/status.h"

struct dbconfig;

/* The file in the directory of the server. */
#define DBCONFIG_FILE_DIRECTORY "sonic-db"
#define DBCONFIG_FILE_NAME      DBCONFIG_FILE_DIRECTORY "/database_config.json"

/* Where SONiC's programs connect by TCP.  A private Redis does not listen
 * there; "orchctl env" forwards it in a network namespace. */
#define DBCONFIG_FILE_HOST "127.0.0.1"
#define DBCONFIG_FILE_PORT 6379

/* Returns the text of a file for a Redis that has all databases and listens at
 * 'socket': those of orchd as 'config' has them, and the others that SONiC
 * configures for a switch without a chassis.  The caller frees it.  NULL:
 * 'socket' is not UTF-8, as JSON has to be. */
char *dbconfig_file_text(const struct dbconfig *config, const char *socket);

/* Writes the file into the directory behind 'fd' (which may be O_PATH), called
 * 'path' in errors, or replaces it in one step.  Creates sonic-db with mode
 * 0700 if it does not exist; the file has 0600.  ST_INVALID: sonic-db is a
 * symbolic link, no directory, or other users may write to it, or 'socket' is
 * not UTF-8.  ST_IO: a system call failed.  Then 'err' has the reason, and the
 * directory is as it was, but for an empty sonic-db. */
enum st dbconfig_file_write(int fd, const char *path,
                            const struct dbconfig *config, const char *socket,
                            struct err *err) ST_WARN_UNUSED;

/* Removes the file, and sonic-db unless something else is there. */
void dbconfig_file_remove(int fd);

#endif /* orchd/db/dbconfig_file.h */
