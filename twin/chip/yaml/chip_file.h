/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_CHIP_YAML_CHIP_FILE_H
#define ORCHD_TWIN_CHIP_YAML_CHIP_FILE_H

/* Reads chip files: chips/NAME.yaml -> 'struct chip'.
 *
 * This is the only part of the twin that reads files.  A file is a YAML mapping
 * with the keys in docs/reference/chips.md; all but 'name' have defaults
 * (chip_init()). Nothing is ignored: an unknown key, a value of the wrong type
 * or out of range, and a mechanism that this version does not support are
 * errors, reported with file, line, column, field and what is allowed.
 * ST_INVALID: the file is wrong; ST_UNSUPPORTED: it needs a mechanism that this
 * version does not support; ST_NOT_FOUND: the file does not exist. */

#include "base/status.h"
#include "twin/chip/chip.h"

/* Loads the chip file 'path' into '*chip', which the caller frees with
 * chip_file_destroy().  On failure '*chip' is untouched and '*err' (may be
 * NULL) says where and why. */
enum st chip_file_load_file(const char *path, struct chip **chip,
                            struct err *err) ST_WARN_UNUSED;

/* Loads DIRECTORY/NAME.yaml; if it does not exist, 'err' lists the chips.
 * 'name' consists of letters, digits, '-', '_', '+' and '.'; anything else is
 * ST_INVALID, so that it cannot leave 'directory'. */
enum st chip_file_load(const char *directory, const char *name,
                       struct chip **chip, struct err *err) ST_WARN_UNUSED;

/* Loads the chip of 'directory' that has a pattern matching 'hwsku'; of several
 * the first in order of file names.  Returns ST_NOT_FOUND if none matches; if a
 * file is broken and no other one matches, returns its error. */
enum st chip_file_find(const char *directory, const char *hwsku,
                       struct chip **chip, struct err *err) ST_WARN_UNUSED;

/* Parses 'text' (of a file that messages call 'origin') like
 * chip_file_load_file().
 */
enum st chip_file_parse(const char *text, const char *origin,
                        struct chip **chip, struct err *err) ST_WARN_UNUSED;

/* Creates '*chip' as a copy of the loaded 'base' with the keys of 'text'
 * replaced (a mapping as in a chip file, without 'name' if that does not
 * change): "what if this chip had more memory?".  'base' does not change. */
enum st chip_file_vary(const struct chip *base, const char *text,
                       const char *origin, struct chip **chip,
                       struct err *err) ST_WARN_UNUSED;

/* Frees a loaded chip.  Accepts NULL. */
void chip_file_destroy(struct chip *chip);

#endif /* twin/chip/yaml/chip_file.h */
