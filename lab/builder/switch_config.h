/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_BUILDER_SWITCH_CONFIG_H
#define ORCHD_LAB_BUILDER_SWITCH_CONFIG_H

/* The configuration of a switch, reduced to what an image depends on.
 *
 * Tables that orchd does not read, and fields that describe only this one box
 * (its host name and addresses, what is plugged into a port), are removed.
 * What remains has one text for equal contents: members sorted, no spaces.  So
 * two switches of a fabric that differ only in names have the same text. */

#include "base/status.h"
#include "lab/builder/switch_image.h"
#include "orchd/intent/field.h"

struct arena;

struct switch_config {
    const char *text;  /* Canonical. */
    const char *hwsku; /* Of DEVICE_METADATA|localhost, or NULL. */
    struct field_row *rows;
    size_t n_rows;
};

/* Fills '*config' from '*request', in 'arena'.  ST_INVALID: no JSON, not of the
 * form {TABLE: {KEY: {FIELD: VALUE}}}, or a row of 'sets' that has no '|' or a
 * table that orchd does not read. */
enum st switch_config_read(const struct switch_request *request,
                           struct arena *arena, struct switch_config *config,
                           struct err *err) ST_WARN_UNUSED;

#endif /* lab/builder/switch_config.h */
