/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_COMMAND_COMPLETE_H
#define ORCHD_COMMAND_COMPLETE_H

/* Completion of command lines for shells.
 *
 * The shell calls "PROGRAM --complete WORD...", where the last word is the one
 * to complete, perhaps empty.  The program prints the candidates, one per line;
 * the lines "@file" and "@dir" ask the shell to complete names of files or
 * directories as well.  Nothing else is printed, whatever the words are.
 *
 * What a word may be comes from the tables of verbs and options: operands
 * "PORT [FILE]", the value "xoff|drop" of an option.  A word in lower case is a
 * candidate itself; a word in upper case is a kind, which is a file or is
 * passed to the program, which may know names of this kind. */

#include <stddef.h>

#include "command/option.h"

/* Where the last word of a command line is. */
struct complete_place {
    const char *word;           /* What is typed of it. */
    const struct option *value; /* The option whose value it is; or NULL. */
    const char *prefix;         /* "--name=" before a value in one word. */
    const char **words;         /* The words that are no options. */
    size_t n_words;
};

/* Returns the options of the verb among the first 'n' words; NULL: none. */
typedef const struct option *
complete_options_fn(const void *context, const char *const *words, size_t n);

/* Prints the names of kind 'kind', such as "PORT", with complete_offer(). */
typedef void complete_names_fn(void *context, const char *kind,
                               const struct complete_place *place);

/* Finds the place of the last of 'argc' words.  'options' are those of all
 * verbs.  The caller frees 'place->words'. */
void complete_find(int argc, char **argv, const struct option *options,
                   complete_options_fn *own, const void *context,
                   struct complete_place *place);

/* Prints the options in the two lists (each may be NULL) that begin with the
 * word. */
void complete_options(const struct option *options, const struct option *own,
                      const struct complete_place *place);

/* Prints 'candidate' if it begins with the word. */
void complete_offer(const struct complete_place *place, const char *candidate);

/* Prints the candidates for operand number 'i' of 'operands', which is the text
 * of the help: "[PORT|QUEUE]", "FILE|DIR...". */
void complete_operand(const char *operands, size_t i,
                      const struct complete_place *place,
                      complete_names_fn *names, void *context);

/* The same for the value of the option of the place. */
void complete_value(const struct complete_place *place,
                    complete_names_fn *names, void *context);

#endif /* command/complete.h */
