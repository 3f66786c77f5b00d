/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_COMMAND_LINE_H
#define ORCHD_COMMAND_LINE_H

/* A command line of words and options: what orchctl and orchlab have in common
 * between main() and their verbs.
 *
 * The first words choose a command, which may be shortened to a unique
 * beginning; the others are its operands.  Options of all commands are accepted
 * anywhere, those of a command behind it.  "--" ends the options. */

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "command/option.h"

/* What is the same for all commands of a program. */
struct line_program {
    const char *name;             /* "orchctl" */
    const char *usage;            /* "[--control SOCKET] [--json]" */
    const struct option *options; /* Of every command. */
};

/* A command as far as reading and help need it; all borrowed. */
struct line_command {
    const char *name;     /* "config load"; "": not known yet. */
    const char *operands; /* For help: "FILE", "[PORT]", or "". */
    size_t min_operands, max_operands;
    const struct option *options; /* NULL: none. */
    const char *summary;          /* One line, no full stop. */
    const char *details;          /* More help, or NULL. */
};

/* The part of a command line that has been read. */
struct line {
    const struct line_program *program;
    struct line_command command; /* Filled by 'take'. */
    json_t *global, *own;        /* Values of options. */
    const char **words;          /* The command and its operands. */
    size_t n_words;

    /* Takes 'word' at the end of 'words', and fills 'command' as soon as it is
     * known. */
    void (*take)(struct line *line, const char *word);
    void *context; /* For 'take'. */
};

/* Makes '*line' an empty one with room for 'argc' words and one more.  End with
 * line_fini(). */
void line_init(struct line *line, int argc, const struct line_program *program,
               void (*take)(struct line *line, const char *word),
               void *context);
void line_fini(struct line *line);

/* Reads all of 'argv'.  ST_INVALID: an option is wrong. */
enum st line_read(struct line *line, int argc, char **argv,
                  struct err *err) ST_WARN_UNUSED;

/* Checks the number of operands, which begin at word 'first'. */
enum st line_check_operands(const struct line *line, size_t first,
                            struct err *err) ST_WARN_UNUSED;

/* A command that a program has. */
struct line_choice {
    const char *name;             /* "config load" */
    const struct option *options; /* NULL: none. */
};

/* Stores the 'i'th command in '*choice', whose name lasts until the next call.
 * Returns false after the last. */
typedef bool line_choice_fn(void *context, size_t i,
                            struct line_choice *choice);

/* To be called if line_read() has failed and no command was known yet: if an
 * option of 'argv' is one of commands, 'err' says of which, and where it has to
 * be written. */
void line_explain_early_option(const struct line *line, int argc, char **argv,
                               line_choice_fn *choice_at, void *context,
                               struct err *err);

/* Refers to the help of the command, or to that of the program. */
void line_refer_to_help(const struct line *line, struct err *err);

/* Prints the help of the command, which is known. */
void line_print_help(const struct line *line);

/* Returns the 'i'th name of a list, NULL after the last. */
typedef const char *line_name_fn(const void *context, size_t i);

/* Returns the name that is 'word', or the only one that begins with it; NULL if
 * there is none or there are several. */
const char *line_find_name(line_name_fn *name_at, const void *context,
                           const char *word);

#endif /* command/line.h */
