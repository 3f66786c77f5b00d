/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_SAI_CHIP_SELECT_H
#define ORCHD_SOFTASIC_SAI_CHIP_SELECT_H

/* Selects the chip of the switch by the keys of the client's profile:
 *
 *   SOFTASIC_MODEL      name of a chip file without ".yaml"
 *   SOFTASIC_MODEL_DIR  where the chip files are; default PKGDATADIR/chips
 *   SONIC_HWSKU         else: the chip with a matching pattern
 *   SOFTASIC_MODEL_SET  keys of a chip file that override those of the chip:
 *                       "memory_bytes: 33554432" or "{ports: 8, partitions: 2}"
 *   SOFTASIC_LEAK_OUT   "on": a blocked port takes packets out of the
 *                       buffer, as 'leak_out' of the chip says; "off"
 *                       (default): the buffer keeps all, as if tests had
 *                       compensated for it
 *   SOFTASIC_LINE_DILATION  1 (default) to 1,000: how many times slower the
 *                       lines of ports are than their SPEED, so that frames
 *                       and pause quanta last as many times longer; thresholds
 *                       and leak-out follow SPEED
 *   SOFTASIC_FCS        "all", or "0,4,...": the ports whose packets take the
 *                       FCS (4 bytes) in the buffer, too, by the numbers of
 *                       their first lanes, counted from 0; default: none
 *   SOFTASIC_CLOCK      "manual" (default)
 *
 * Without a model or a match the chip is "generic".  SOFTASIC_CLOCK=real and
 * SOFTASIC_PORTS are refused, as this version does not support them.
 *
 *   SOFTASIC_SOCKET     the switch is in softasicd, which listens on this
 * socket (vendors/remote/remote.h); its own options name the chip, so the keys
 * above are ignored */

#include <sai.h>

#include "base/status.h"

struct chip;

/* Loads the chip into '*chip', which the caller frees with chip_file_destroy().
 * SAI_STATUS_ITEM_NOT_FOUND if there is no such chip,
 * SAI_STATUS_INVALID_PARAMETER if its file or a key is wrong,
 * SAI_STATUS_NOT_SUPPORTED; '*err' explains. */
sai_status_t chip_select_chip(const sai_service_method_table_t *services,
                              sai_switch_profile_id_t profile,
                              struct chip **chip, struct err *err);

/* Returns the socket of the process with the switch, NULL if it is this one. */
const char *chip_select_socket(const sai_service_method_table_t *services);

/* Stores why 'chip', which chip_select_chip() has selected, is not the chip of
 * the hwsku in the profile, or "". */
void chip_select_explain(const sai_service_method_table_t *services,
                         sai_switch_profile_id_t profile,
                         const struct chip *chip, char *text, size_t size);

#endif /* vendors/softasic/sai/chip_select.h */
