/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_CONTROL_LOAD_H
#define ORCHD_CONTROL_LOAD_H

/* A config_db.json as rows of CONFIG_DB.
 *
 * The file is {TABLE: {KEY: {FIELD: VALUE}}}.  Values become what SONiC's
 * ConfigDBConnector would have stored: a string is itself, a number its
 * decimal text, and an array the comma list of its items under the name
 * "FIELD@". */

#include <jansson.h>
#include <stddef.h>

#include "base/status.h"
#include "orchd/db/redis.h"

struct arena;

/* Turns 'tables' into '*rows', '*n' of them, in 'arena'.  ST_INVALID: something
 * is neither; 'err' says where ("PORT|Ethernet0 lanes"). */
enum st load_rows(const json_t *tables, struct arena *arena,
                  struct redis_row **rows, size_t *n,
                  struct err *err) ST_WARN_UNUSED;

#endif /* orchd/control/load.h */
