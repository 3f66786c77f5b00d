/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DERIVE_DERIVE_H
#define ORCHD_DERIVE_DERIVE_H

/* Derived rows: what follows from speed, cable and PFC.
 *
 * The user configures cable lengths (CABLE_LENGTH) and lossless priorities
 * (PORT_QOS_MAP, pfc_enable).  In the traditional buffer model a lossless
 * profile for speed and cable comes from the vendor's lookup table and is bound
 * to these priority groups:
 *
 *     PORT|Ethernet0 speed 100000  \
 *     CABLE_LENGTH|AZURE    300m    >  BUFFER_PROFILE|pg_lossless_100000_300m_
 *     PORT_QOS_MAP pfc_enable 3,4  /                                   profile
 *                                      BUFFER_PG|Ethernet0|3-4
 *
 * Derived rows take the same path as those of the user, with 'generated' set;
 * they are not written to CONFIG_DB.  A row that the user writes under the same
 * key wins.  If the table lacks the pair, the row of the priority groups exists
 * nevertheless, withheld, and reports why.
 *
 *   - No cable known, "0m", no speed, or no lossless priority: no row.
 *   - A port that is shut: no row where the platform unbinds, else as if up.
 *   - Two rows of CABLE_LENGTH that differ about a port: withheld.
 *   - No lookup table, of the user or shipped for the hwsku: no rows at all.
 *
 * In the dynamic model profiles are computed instead, and what the user's rows
 * leave out is filled in: see dynamic.h.  In both, ports with link-level retry
 * get profiles from a table of their own: see llr_ports.h.
 *
 * Level-triggered, like everything between the database and the ASIC: rows are
 * handed in as they are (derive_put_row), each marks the ports that it affects,
 * and only these are derived again (derive_take). The result does not depend on
 * the order.  Pure; all inputs other than rows are passed as values. */

#include <stdbool.h>
#include <stdint.h>

#include "orchd/derive/platform.h"
#include "orchd/intent/intent.h"

struct completion;
struct derive;
struct explanation;
struct llr_lookup;
struct pg_profile_lookup;
struct dynamic_state_chip;
struct pool_outcome;
struct shipped_lookups;
struct zero_profiles;

/* Returns a derivation without rows and lookup table, for the platform
 * "generic". */
struct derive *derive_create(void);

/* Frees 'derive'.  Accepts NULL. */
void derive_destroy(struct derive *derive);

/* Sets the lookup table and takes ownership of its content; an empty table
 * means none. */
void derive_set_lookup(struct derive *derive, struct pg_profile_lookup *lookup);

/* Sets the tables that are shipped with orchd and takes ownership of their
 * content.  Without a lookup table of the user, the one of the hwsku in
 * DEVICE_METADATA applies. */
void derive_set_shipped(struct derive *derive, struct shipped_lookups *shipped);

/* Sets the lookup table of link-level retry (llr_ports.h) and takes ownership
 * of its content; an empty table means none. */
void derive_set_llr_lookup(struct derive *derive, struct llr_lookup *lookup);

/* Where lossless profiles come from. */
struct derive_lookup {
    bool dynamic;      /* They are computed: the dynamic model is on. */
    size_t n;          /* Entries of the table in use; 0: there is none. */
    bool shipped;      /* It is the shipped one of 'hwsku'. */
    const char *hwsku; /* Of DEVICE_METADATA, "" if it has none; borrowed until
                        * the next row of that table. */
};
void derive_get_lookup(const struct derive *derive,
                       struct derive_lookup *lookup);

/* Sets the platform whose rules apply; NULL (the default): the one that
 * DEVICE_METADATA names. */
void derive_set_platform(struct derive *derive,
                         const struct platform *platform);

/* A port as the ASIC reports it; 0: not reported. */
struct derive_port {
    bool is_up; /* Not shut, whatever its row says. */
    uint64_t max_headroom_bytes;
    uint32_t supported_mbps;     /* The highest. */
    uint32_t n_groups, n_queues; /* Priority groups. */
};

/* Sets the chip (dynamic_state.h), the size of its memory, and what the ASIC
 * reports about the port 'name'. */
void derive_set_chip(struct derive *derive,
                     const struct dynamic_state_chip *chip);
void derive_set_memory(struct derive *derive, uint64_t bytes);
void derive_set_port(struct derive *derive, const char *name,
                     const struct derive_port *observed);

/* Sets the zero profiles for shut ports and takes ownership of the content of
 * 'zeros'. */
void derive_set_zeros(struct derive *derive, struct zero_profiles *zeros);

/* Hands in a row as intent_take() returned it; rows of tables without derived
 * rows are ignored.  Returns true if derive_take_completion() will return the
 * row with its completion; otherwise the row applies unchanged. */
bool derive_put_row(struct derive *derive, const struct row *row);

/* Returns, once, whether the caller has to hand in all present rows again,
 * because a model that needs them was switched on. */
bool derive_wants_rows(struct derive *derive);

/* Returns the next derived row that differs from what was last returned, or
 * NULL.  See derived_rows.h. */
const struct row *derive_take(struct derive *derive);

/* Fills '*completion' (dynamic.h) for the next of the user's rows whose
 * completion has changed; false if there is none. */
bool derive_take_completion(struct derive *derive,
                            struct completion *completion);

/* Returns a derived row as it was last returned, or NULL; see
 * derived_rows_get(). */
const struct row *derive_get(struct derive *derive, enum table table,
                             const char *key);

/* Returns the last result of the dynamic model for the whole switch (pool.h);
 * NULL while it is off or before the first computation. */
const struct pool_outcome *derive_outcome(const struct derive *derive);

/* Returns a derived row even if the user has one of that key; see
 * derived_rows_wanted(). */
const struct row *derive_wanted(struct derive *derive, enum table table,
                                const char *key);

/* Returns the derived content of a row that some port needs, and the next
 * profile whose content may have changed beneath the user's row; see
 * derived_rows_base() and derived_rows_take_overridden(). */
const struct row *derive_base(struct derive *derive, enum table table,
                              const char *key);
const char *derive_take_overridden(struct derive *derive);

/* Explains the numbers of a row; see explanation_make(). */
bool derive_explain(const struct derive *derive, enum table table,
                    const char *key, size_t i, struct explanation *explanation);

/* Returns in '*table' and '*key' the next port or pool whose explanation may
 * have changed since it was last returned here; false if there is none.
 * derive_unexplain() marks all of them. */
bool derive_take_unexplained(struct derive *derive, enum table *table,
                             const char **key);
void derive_unexplain(struct derive *derive);

#endif /* orchd/derive/derive.h */
