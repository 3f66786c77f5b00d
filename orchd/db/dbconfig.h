/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DB_DBCONFIG_H
#define ORCHD_DB_DBCONFIG_H

/* The numbers of the logical databases, and the address of Redis.
 *
 * SONiC installs a database_config.json with them; without one, SONiC's default
 * numbers apply.  orchd uses one Redis instance for all its databases. */

#include "base/status.h"

/* X(member, number, separator between the parts of a key). */
#define DATABASE_LIST(X)                                                       \
    X(APPL_DB, 0, ':')                                                         \
    X(ASIC_DB, 1, ':')                                                         \
    X(COUNTERS_DB, 2, ':')                                                     \
    X(CONFIG_DB, 4, '|')                                                       \
    X(FLEX_COUNTER_DB, 5, ':')                                                 \
    X(STATE_DB, 6, '|')                                                        \
    X(APPL_STATE_DB, 14, ':')

enum database {
#define X(member, number, separator) member,
    DATABASE_LIST(X)
#undef X
        N_DATABASES
};

struct dbconfig {
    struct {
        int number;
        char separator;
    } databases[N_DATABASES];

    /* The instance with CONFIG_DB; "" and 0 if not given. */
    char unix_path[108];
    char host[64];
    int port;
};

/* Returns the name of 'database', for example "CONFIG_DB". */
const char *database_name(enum database database);

/* Fills 'config' with the default numbers and addresses. */
void dbconfig_init(struct dbconfig *config);

/* Overrides 'config' with the contents of a database_config.json.  A database
 * that the file does not name keeps its values.  Returns ST_NOT_FOUND if the
 * file cannot be read.  Returns ST_INVALID unless every number is below 1024,
 * every separator is one character and every instance exists, and all databases
 * are on one instance; then 'err' has the reason and its position, and 'config'
 * is left alone. */
enum st dbconfig_load(struct dbconfig *config, const char *path,
                      struct err *err) ST_WARN_UNUSED;

#endif /* orchd/db/dbconfig.h */
