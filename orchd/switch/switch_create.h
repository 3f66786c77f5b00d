/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SWITCH_SWITCH_CREATE_H
#define ORCHD_SWITCH_SWITCH_CREATE_H

/* Loading a libsai and creating its switch, as the model that CONFIG_DB says.
 *
 * A libsai learns before anything else which chip it drives: from its own
 * profile (SOFTASIC_MODEL), or from SONIC_HWSKU, which is the hwsku of
 * DEVICE_METADATA|localhost. */

#include <stdbool.h>

#include "base/status.h"
#include "sai/loader/loader.h"

struct chip;
struct dynamic_state_chip;

/* Returns whether the profile of 'options' says which model it is: by name, or
 * by a softasicd, which knows. */
bool switch_create_has_model(const struct loader_options *options);

/* Opens the library of 'options' with 'hwsku' (NULL: not known) before its
 * profile, so that the user has the last word, and creates the switch.  On
 * ST_OK '*loader' belongs to the caller.  Fails as loader_open() and
 * loader_create_switch() do, and then leaves '*loader' alone. */
enum st switch_create_open(const struct loader_options *options,
                           const char *hwsku, struct loader **loader,
                           struct err *err) ST_WARN_UNUSED;

/* Finds the description of the chip behind 'loader': the one that softasic
 * says it is, else the one whose patterns match 'hwsku' (NULL: not known), in
 * the directory that the profile of 'options' names, else in the installed one.
 * ST_NOT_FOUND and what chip_file_find() says otherwise.  The caller ends
 * '*chip' with chip_file_destroy(). */
enum st switch_create_chip(const struct loader_options *options,
                           struct loader *loader, const char *hwsku,
                           struct chip **chip, struct err *err) ST_WARN_UNUSED;

/* Fills '*parameters' with what the dynamic buffer model has to know of
 * 'chip'. */
void switch_create_parameters(const struct chip *chip,
                              struct dynamic_state_chip *parameters);

#endif /* orchd/switch/switch_create.h */
