/* SPDX-License-Identifier: Apache-2.0 */

/* Prints settings. */

#include <config.h>

#include "orchd/daemon/settings_text.h"

#include <string.h>

#include "base/text.h"

void
settings_text_option(const char *key, char *buffer, size_t size)
{
    text_copy(buffer, size, key);
    for (char *c = buffer; *c; c++) {
        *c = *c == '_' ? '-' : *c;
    }
}

void
settings_text_source(const struct settings_source *source, char *buffer,
                     size_t size)
{
    if (source->line) {
        text_format(buffer, size, "%s:%u", source->name, source->line);
    } else if (source->origin == SETTINGS_FROM_DEFAULT) {
        text_copy(buffer, size, "default");
    } else {
        text_copy(buffer, size, source->name ? source->name : "option");
    }
}

/* Prints the lines of 'help', each after 'prefix', but not the end of the last
 * line. */
static void
print_lines(FILE *stream, const char *prefix, const char *help)
{
    for (const char *end; (end = strchr(help, '\n')); help = end + 1) {
        fprintf(stream, "%s%.*s\n", prefix, (int)(end - help), help);
    }
    fprintf(stream, "%s%s", prefix, help);
}

static void
print_help(void *stream_, const struct settings_row *row)
{
    FILE *stream = stream_;
    char option[64];

    settings_text_option(row->key, option, sizeof option);
    fprintf(stream, "  --%s%s%s\n", option, row->flag ? "" : " ",
            row->flag ? "" : row->allowed);
    print_lines(stream, "        ", row->help);
    if (row->flag) {
        fputc('\n', stream);
    } else {
        fprintf(stream, "\n        (default: %s)\n",
                row->initial ? row->initial : "none");
    }
}

void
settings_text_help(FILE *stream)
{
    struct settings settings;

    settings_init(&settings);
    settings_each(&settings, print_help, stream);
    settings_fini(&settings);
}

static void
print_setting(void *stream_, const struct settings_row *row)
{
    FILE *stream = stream_;
    const bool given = row->source.origin != SETTINGS_FROM_DEFAULT;
    char source[512];

    fputc('\n', stream);
    print_lines(stream, "# ", row->help);
    fprintf(stream, "\n# Allowed: %s.  Default: %s.\n", row->allowed,
            row->initial ? row->initial : "none");
    if (row->reloaded) {
        fputs("# orchd takes a change over when it reads this file again.\n",
              stream);
    }
    if (given) {
        settings_text_source(&row->source, source, sizeof source);
        fprintf(stream, "# From %s:\n", source);
    }
    fprintf(stream, "%s%s = %s\n", given ? "" : "#", row->key,
            given          ? row->value
            : row->initial ? row->initial
                           : row->allowed);
}

void
settings_text_file(const struct settings *settings, FILE *stream)
{
    fputs("# Settings of orchd, one line \"key = value\" each; see "
          "orchd.conf(5).\n"
          "# Lines that begin with '#' are comments; values have no quotes.\n"
          "# An environment variable (ORCHD_REDIS) overrides a line, and an "
          "option of\n"
          "# the command line (--redis) overrides both.  \"orchd "
          "--check-config\" reports\n"
          "# all errors; SIGHUP or \"orchctl config-file reload\" reads the "
          "file again.\n",
          stream);
    settings_each(settings, print_setting, stream);
}
