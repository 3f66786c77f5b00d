/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DERIVE_ASIC_ROWS_H
#define ORCHD_DERIVE_ASIC_ROWS_H

/* What the dynamic buffer model computes with, as rows: in STATE_DB, and in the
 * files that switches are delivered with.
 *
 *     ASIC_TABLE            NAME    cell_size (bytes), pipeline_latency,
 *                                   mac_phy_delay, peer_response_time (kB, with
 *                                   up to three decimals), port_reserved_shp,
 *                                   port_max_shp (cells; may be absent)
 *     PORT_PERIPHERAL_TABLE global  gearbox_model: that all ports have
 *     PERIPHERAL_TABLE      MODEL   gearbox_delay (ns)
 *
 * There is exactly one row ASIC_TABLE; its NAME tells the generation of some
 * chips (platform_infer_generation()).  The other rows are there where there is
 * a gearbox.  Fields that are not named here are passed over. */

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "orchd/intent/field.h"

struct dynamic_state_chip;

enum { ASIC_ROWS_NUMBER_SIZE = 24 };

struct asic_row {
    const char *table;
    const char *name;
    const struct field *fields;
    size_t n_fields;
};

/* Returns where in 'key', "TABLE" 'separator' "name", the name begins if that
 * is one of these tables, and fills '*table'; else NULL. */
const char *asic_rows_split(const char *key, char separator,
                            const char **table);

/* Reads 'n' rows, in any order, into '*chip'.  ST_INVALID: a value is wrong or
 * missing, there is not exactly one row ASIC_TABLE, or a gearbox has no row;
 * 'err' says what is allowed, and '*chip' is untouched. */
enum st asic_rows_read(const struct asic_row *rows, size_t n,
                       struct dynamic_state_chip *chip,
                       struct err *err) ST_WARN_UNUSED;

/* Calls 'write' for each row that 'chip', which is known, makes.  Those that it
 * reads are equal. */
typedef void asic_rows_write_fn(void *context, const struct asic_row *row);
void asic_rows_write(const struct dynamic_state_chip *chip,
                     asic_rows_write_fn *write, void *context);

/* Returns whether the same rows say both. */
bool asic_rows_equal(const struct dynamic_state_chip *a,
                     const struct dynamic_state_chip *b);

#endif /* orchd/derive/asic_rows.h */
