/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_CORE_STATUS_H
#define ORCHD_SAI_CORE_STATUS_H

/* The names of SAI's status codes and their translation to 'enum st'.
 *
 * A code is a small negative number, or one of five families that carry the
 * index of an attribute in the list of the call (saistatus.h). */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <saistatus.h>

#include "base/status.h"

/* Room for any name that status_name() makes. */
#define STATUS_NAME_SIZE 64

/* Writes the name of 'status' into 'buffer' of 'size' bytes and returns
 * 'buffer': "SAI_STATUS_OBJECT_IN_USE"; for attribute 2 of a list
 * "SAI_STATUS_INVALID_ATTR_VALUE_2"; for a number that is no SAI code
 * "SAI_STATUS_UNKNOWN_-4711". */
const char *status_name(sai_status_t status, char *buffer, size_t size);

/* Finds a status by the name that status_name() gives it.  Returns false, and
 * stores nothing, if there is none. */
bool status_find(const char *name, sai_status_t *status);

/* Stores the index of the attribute that 'status' refers to in '*index'.
 * Returns false, and stores nothing, if it refers to none. */
bool status_attribute_index(sai_status_t status, uint32_t *index);

/* Translates 'status' into what the caller should do:
 *
 *   SUCCESS                                        ST_OK
 *   ITEM_ALREADY_EXISTS                            ST_EXISTS
 *   ITEM_NOT_FOUND, ADDR_NOT_FOUND                 ST_NOT_FOUND
 *   OBJECT_IN_USE                                  ST_BUSY
 *   INSUFFICIENT_RESOURCES, TABLE_FULL, NO_MEMORY,
 *   NV_STORAGE_FULL                                ST_NO_RESOURCE
 *   NOT_SUPPORTED, NOT_IMPLEMENTED, and of one
 *   attribute also UNKNOWN                         ST_UNSUPPORTED
 *   INVALID_*, MANDATORY_ATTRIBUTE_MISSING,
 *   STAGE_MISMATCH                                 ST_INVALID
 *   all others                                     ST_DEVICE */
enum st st_from_sai(sai_status_t status);

#endif /* sai/core/status.h */
