/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAIHOSTD_NAMES_H
#define ORCHD_SAIHOSTD_NAMES_H

/* Names of ports.  SAI identifies them by their lanes only.
 *
 * A config_db.json gives the names, by the lanes of its PORT rows, or a
 * port_config.ini of SONiC (sonic_files.h); the first character tells them
 * apart.  Without one the name is a prefix and the number of the first lane,
 * counted from 0, as in SONiC where lanes are in order: "Ethernet4" for lanes 5
 * to 8 of a chip that counts from 1. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct object_names;

/* Reads file 'path'; NULL: there is none.  ST_INVALID: 'err' says what is
 * wrong. */
enum st names_read(const char *path, struct object_names **names,
                   struct err *err) ST_WARN_UNUSED;

/* Accepts NULL. */
void object_names_destroy(struct object_names *names);

/* Writes the name of the port whose first lane is 'lane' into 'name' of 'size'
 * bytes: from the file, else 'prefix' (NULL: "Ethernet") and 'lane' minus
 * 'first_lane'. */
void names_find(const struct object_names *names, uint32_t lane,
                uint32_t first_lane, const char *prefix, char *name,
                size_t size);

/* Returns name 'i' of the file; NULL if there are no more, or no file. */
const char *names_at(const struct object_names *names, size_t i);

/* Returns whether 'name' is a valid name of a port: it is in the file or,
 * without a file, is 'prefix' and a number. */
bool names_can_be(const struct object_names *names, const char *prefix,
                  const char *name);

#endif /* saihostd/names.h */
