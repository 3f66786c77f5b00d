/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SWITCH_SWITCH_CREATE_H
#define ORCHD_SWITCH_SWITCH_CREATE_H

/* Loads a libsai and creates its switch, as the chip that CONFIG_DB names.
 *
 * A libsai learns first of all which chip it drives: from its own profile
 * (SOFTASIC_MODEL), or from SONIC_HWSKU, which is the hwsku of
 * DEVICE_METADATA|localhost. */

#include <stdbool.h>
#include <stdint.h>

#include <sai.h>

#include "base/status.h"
#include "sai/loader/loader.h"

struct chip;
struct dynamic_state_chip;

/* Returns whether the profile of 'options' determines the chip: by name, or by
 * a softasicd, which has one. */
bool switch_create_names_chip(const struct loader_options *options);

/* Return entries of the profile: the chip that the user names (SOFTASIC_MODEL),
 * or NULL; the directory of chip files; and the socket of the process that
 * hosts the switch, NULL if the library itself does. */
const char *switch_create_model(const struct loader_options *options);
const char *switch_create_chips(const struct loader_options *options);
const char *switch_create_host(const struct loader_options *options);

/* Opens the library of 'options' with 'hwsku' (NULL: unknown) before its
 * profile, so that the user's profile wins, and creates the switch with 'n'
 * attributes besides those that each switch needs.  On ST_OK
 * '*loader' belongs to the caller.  Fails as loader_open() and
 * loader_create_switch() do, and then leaves '*loader' alone. */
enum st switch_create_open(const struct loader_options *options,
                           const char *hwsku, uint32_t n,
                           const sai_attribute_t *attributes,
                           struct loader **loader,
                           struct err *err) ST_WARN_UNUSED;

/* Finds the description of the chip behind 'loader': the one that softasic
 * reports, else the one whose patterns match 'hwsku' (NULL: unknown), in the
 * directory that the profile of 'options' names, else in the installed one.
 * Otherwise returns ST_NOT_FOUND or what chip_file_find() returns.  The caller
 * ends '*chip' with chip_file_destroy(). */
enum st switch_create_chip(const struct loader_options *options,
                           struct loader *loader, const char *hwsku,
                           struct chip **chip, struct err *err) ST_WARN_UNUSED;

/* Fills '*parameters' with the inputs of the dynamic buffer model from
 * 'chip'. */
void switch_create_parameters(const struct chip *chip,
                              struct dynamic_state_chip *parameters);

#endif /* orchd/switch/switch_create.h */
