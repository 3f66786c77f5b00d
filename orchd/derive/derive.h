/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DERIVE_DERIVE_H
#define ORCHD_DERIVE_DERIVE_H

/* Rows that nobody wrote: what follows from speed, cable and PFC.
 *
 * The user says how long the cables are (CABLE_LENGTH) and which priorities are
 * lossless (PORT_QOS_MAP, pfc_enable).  In the traditional buffer model a
 * lossless profile for speed and cable is taken from the vendor's lookup table
 * and bound to these priority groups:
 *
 *     PORT|Ethernet0 speed 100000  \
 *     CABLE_LENGTH|AZURE    300m    >  BUFFER_PROFILE|pg_lossless_100000_300m_
 *     PORT_QOS_MAP pfc_enable 3,4  /                                   profile
 *                                      BUFFER_PG|Ethernet0|3-4
 *
 * The rows go the same way as those of the user, with 'generated' set; they are
 * not written to CONFIG_DB.  What the user writes under the same key wins.  If
 * the pair is not in the table, the row of the priority groups is there all the
 * same, withheld, and says why.
 *
 *   - No cable known, "0m", no speed, or no lossless priority: no row.
 *   - A port that is shut: no row where the platform unbinds, else as if up.
 *   - Two rows of CABLE_LENGTH that differ about a port: withheld.
 *   - No lookup table: no rows at all.
 *
 * In the dynamic model profiles are worked out instead, and what the user's
 * rows leave out is completed: see dynamic.h.
 *
 * Level-triggered, like everything between the database and the ASIC: rows are
 * handed in as they are (derive_put_row), each marks the ports that it touches,
 * and only these are derived again (derive_take).  The result does not depend
 * on the order.  Pure; what it is given besides rows, it is given as values. */

#include <stdbool.h>
#include <stdint.h>

#include "orchd/derive/platform.h"
#include "orchd/intent/intent.h"

struct completion;
struct derive;
struct explanation;
struct lookup;
struct dynamic_state_chip;
struct pool_outcome;
struct zero_profiles;

/* Returns a derivation that knows no row, no lookup table, and is of the
 * platform "generic". */
struct derive *derive_create(void);

/* Frees 'derive'.  Accepts NULL. */
void derive_destroy(struct derive *derive);

/* Gives it the lookup table, whose content it takes over; an empty one means
 * that there is none. */
void derive_set_lookup(struct derive *derive, struct lookup *lookup);

/* Says whose rules hold; NULL, as at first: those of the platform that
 * DEVICE_METADATA names. */
void derive_set_platform(struct derive *derive,
                         const struct platform *platform);

/* What is known of a port on the ASIC; 0: it does not tell. */
struct derive_port {
    bool is_up; /* Not shut, whatever its row says by now. */
    uint64_t max_headroom_bytes;
    uint32_t supported_mbps;     /* The highest. */
    uint32_t n_groups, n_queues; /* Priority groups. */
};

/* Says what the chip is (dynamic_state.h), how large its memory is, and what is
 * known of the port 'name' on it. */
void derive_set_chip(struct derive *derive,
                     const struct dynamic_state_chip *chip);
void derive_set_memory(struct derive *derive, uint64_t bytes);
void derive_set_port(struct derive *derive, const char *name,
                     const struct derive_port *observed);

/* Says which zero profiles there are for ports that are shut; takes over the
 * content of 'zeros'. */
void derive_set_zeros(struct derive *derive, struct zero_profiles *zeros);

/* Takes in a row as intent_take() returned it; rows of tables that nothing is
 * derived from are ignored.  Returns whether derive_take_completion() will say
 * what to make of the row; otherwise it is as it is. */
bool derive_put_row(struct derive *derive, const struct row *row);

/* Returns, once, whether all present rows are to be handed in again: a model
 * has begun that needs them. */
bool derive_wants_rows(struct derive *derive);

/* Returns the next derived row that is not what it was when last returned, NULL
 * when there is none.  See derived_rows.h. */
const struct row *derive_take(struct derive *derive);

/* Fills '*completion' (dynamic.h) with what is to be made of the next row of
 * the user's of which that has changed; false if there is none. */
bool derive_take_completion(struct derive *derive,
                            struct completion *completion);

/* Returns a derived row as it was returned last, or NULL; see
 * derived_rows_get().
 */
const struct row *derive_get(struct derive *derive, enum table table,
                             const char *key);

/* Returns what the dynamic model last worked out for the whole switch (pool.h);
 * NULL while it is off or has not got that far. */
const struct pool_outcome *derive_outcome(const struct derive *derive);

/* Returns a derived row even if the user has one of that key; see
 * derived_rows_wanted(). */
const struct row *derive_wanted(struct derive *derive, enum table table,
                                const char *key);

/* Explains the numbers of a row; see explanation_make(). */
bool derive_explain(const struct derive *derive, enum table table,
                    const char *key, size_t i, struct explanation *explanation);

/* Returns in '*table' and '*key' the next port or pool of which there may be
 * something else to explain since it was last returned here; false if there is
 * none.  derive_unexplain() makes that all of them. */
bool derive_take_unexplained(struct derive *derive, enum table *table,
                             const char **key);
void derive_unexplain(struct derive *derive);

#endif /* orchd/derive/derive.h */
