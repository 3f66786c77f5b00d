/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DAEMON_SETTINGS_TEXT_H
#define ORCHD_DAEMON_SETTINGS_TEXT_H

/* The settings as text: for --help, as a configuration file, and where a value
 * comes from. */

#include <stddef.h>
#include <stdio.h>

#include "orchd/daemon/settings.h"

/* Prints each setting as an option: "  --KEY ALLOWED", then its help, indented,
 * with the default in parentheses at the end. */
void settings_text_help(FILE *stream);

/* Prints a configuration file with a paragraph for each setting.  Lines of
 * settings that have their default are comments, so without any other setting
 * the file is a sample to start from; the other lines have the values and, in
 * the comment before, where they come from. */
void settings_text_file(const struct settings *settings, FILE *stream);

/* Writes where a value comes from to 'buffer': "default", "orchd.conf:12",
 * "ORCHD_REDIS", "--redis". */
void settings_text_source(const struct settings_source *source, char *buffer,
                          size_t size);

/* Writes the option of the setting 'key' to 'buffer', without the dashes at its
 * beginning: "audit-seconds". */
void settings_text_option(const char *key, char *buffer, size_t size);

#endif /* orchd/daemon/settings_text.h */
