/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_FILES_ASIC_FILE_H
#define ORCHD_FILES_ASIC_FILE_H

/* What the dynamic buffer model computes with, from a file in the form in which
 * switches are delivered with it: a JSON list of objects, each with one row and
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
 * Values may be numbers as well.  cell_size is bytes; latency, delay and time
 * are kilobytes, with up to three decimals; the shares are cells; the delay of
 * a gearbox is nanoseconds.  Rows of other tables are passed over. */

#include "base/status.h"

struct dynamic_state_chip;

/* Reads the file 'path' into '*chip'.  ST_NOT_FOUND, ST_INVALID: it cannot be
 * read, is wrong, or has not exactly one row of ASIC_TABLE; 'err' says where,
 * and
 * '*chip' is untouched. */
enum st asic_file_read(const char *path, struct dynamic_state_chip *chip,
                       struct err *err) ST_WARN_UNUSED;

#endif /* orchd/files/asic_file.h */
