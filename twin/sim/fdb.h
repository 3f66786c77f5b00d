/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_SIM_FDB_H
#define ORCHD_TWIN_SIM_FDB_H

/* Static forwarding entries: from MAC address to port.
 *
 * Addresses are the low 48 bits of a number; ports are numbers that mean
 * nothing here.  Cost: a hash table. */

#include <stdbool.h>
#include <stdint.h>

/* No such entry. */
#define FDB_NONE UINT32_MAX

struct fdb;

/* Returns a new, empty table.  End with fdb_destroy(). */
struct fdb *fdb_create(void);

/* Frees 'fdb'.  Accepts NULL. */
void fdb_destroy(struct fdb *fdb);

/* Returns whether 'mac' fits in 48 bits; whether it is a group address. */
bool fdb_mac_is_valid(uint64_t mac);
bool fdb_mac_is_group(uint64_t mac);

/* Sets or replaces the entry for 'mac'. */
void fdb_set(struct fdb *fdb, uint64_t mac, uint32_t port);

/* Removes the entry for 'mac'.  Returns whether there was one. */
bool fdb_remove(struct fdb *fdb, uint64_t mac);

/* Removes all entries for 'port'. */
void fdb_forget_port(struct fdb *fdb, uint32_t port);

/* Returns the port of the entry for 'mac', FDB_NONE if there is none. */
uint32_t fdb_get(const struct fdb *fdb, uint64_t mac);

#endif /* twin/sim/fdb.h */
