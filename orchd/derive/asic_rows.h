/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DERIVE_ASIC_ROWS_H
#define ORCHD_DERIVE_ASIC_ROWS_H

/* The inputs of the dynamic buffer model as rows: in STATE_DB, and in files
 * that come with a switch.
 *
 *     ASIC_TABLE            NAME    cell_size (bytes), pipeline_latency,
 *                                   mac_phy_delay, peer_response_time (kB, with
 *                                   up to three decimals), port_reserved_shp,
 *                                   port_max_shp (cells; optional)
 *     PORT_PERIPHERAL_TABLE global  gearbox_model: of all ports
 *     PERIPHERAL_TABLE      MODEL   gearbox_delay (ns)
 *
 * ASIC_TABLE has exactly one row; its NAME tells the generation of some chips
 * (platform_infer_generation()). The other rows exist where there is a gearbox.
 * Other fields are ignored. */

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

/* If 'key', "TABLE" 'separator' "name", is a row of one of these tables, fills
 * '*table' and returns its name; else returns NULL. */
const char *asic_rows_split(const char *key, char separator,
                            const char **table);

/* Parses 'n' rows, in any order, into '*chip'. Returns ST_INVALID if a value is
 * wrong or missing, ASIC_TABLE does not have exactly one row, or a gearbox has
 * no row; 'err' says what is allowed, and '*chip' is untouched. */
enum st asic_rows_read(const struct asic_row *rows, size_t n,
                       struct dynamic_state_chip *chip,
                       struct err *err) ST_WARN_UNUSED;

/* Calls 'write' for each row of 'chip', which is known. asic_rows_read() reads
 * them back unchanged. */
typedef void asic_rows_write_fn(void *context, const struct asic_row *row);
void asic_rows_write(const struct dynamic_state_chip *chip,
                     asic_rows_write_fn *write, void *context);

/* Returns whether both have the same rows. */
bool asic_rows_equal(const struct dynamic_state_chip *a,
                     const struct dynamic_state_chip *b);

#endif /* orchd/derive/asic_rows.h */
