/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_FILES_ASIC_FILE_H
#define ORCHD_FILES_ASIC_FILE_H

/* Reads the chip parameters of the dynamic buffer model from a file in the form
 * that SONiC images have: a JSON list of objects, each with one row and
 * "OP": "SET".
 *
 *     [{"ASIC_TABLE:MELLANOX-SPECTRUM-3": {
 *           "cell_size": "144", "pipeline_latency": "19",
 *           "mac_phy_delay": "0.8", "peer_response_time": "3.8",
 *           "port_reserved_shp": "20", "port_max_shp": "8192"},
 *       "OP": "SET"},
 *      {"PERIPHERAL_TABLE:MELLANOX-GEARBOX-3800": {"gearbox_delay": "400"},
 *       "OP": "SET"},
 *      {"PORT_PERIPHERAL_TABLE:global": {
 *           "gearbox_model": "MELLANOX-GEARBOX-3800"}, "OP": "SET"}]
 *
 * Values may also be numbers.  cell_size is in bytes; latency, delay and time
 * are in kilobytes, with up to three decimals; the shares are in cells; the
 * delay of a gearbox is in nanoseconds.  Rows of other tables are ignored. */

#include "base/status.h"

struct dynamic_state_chip;

/* Reads the file 'path' into '*chip'.  ST_NOT_FOUND, ST_INVALID: the file
 * cannot be read, is malformed, or does not have exactly one row of ASIC_TABLE;
 * 'err' has the position, and '*chip' is unchanged. */
enum st asic_file_read(const char *path, struct dynamic_state_chip *chip,
                       struct err *err) ST_WARN_UNUSED;

#endif /* orchd/files/asic_file.h */
