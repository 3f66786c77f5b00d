/* SPDX-License-Identifier: Apache-2.0 */

/* Completes command lines of orchlab. */

#include <config.h>

#include "orchlab/complete.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/complete.h"
#include "command/manual.h"
#include "orchlab/run_files.h"
#include "orchlab/verb.h"

/* Returns the verb that the first word names, or NULL. */
static const struct verb *
find_verb(const char *const *words, size_t n)
{
    for (const struct verb *verb = lab_verbs; n && verb->name; verb++) {
        if (!strcmp(verb->name, words[0])) {
            return verb;
        }
    }
    return NULL;
}

static const struct option *
options_of(const void *context, const char *const *words, size_t n)
{
    const struct verb *verb = find_verb(words, n);

    (void)context;
    return verb ? verb->options : NULL;
}

/* Implements complete_names_fn: names of runs, each once. */
static void
offer_names(void *folder, const char *kind, const struct complete_place *place)
{
    struct run_files files;
    struct err err;

    if (strcmp(kind, "RUN") != 0 && strcmp(kind, "A") != 0 &&
        strcmp(kind, "B") != 0) {
        return;
    }
    complete_offer(place, "last");
    if (run_files_load(folder, &files, &err)) {
        return;
    }
    for (size_t i = 0; i < files.n; i++) {
        size_t k = 0;

        while (strcmp(files.list[k].name, files.list[i].name) != 0) {
            k++;
        }
        if (k == i) {
            complete_offer(place, files.list[i].name);
        }
    }
    run_files_fini(&files);
}

/* Returns the folder of results: that of --results, of the environment, or the
 * usual one. */
static const char *
folder_of(int argc, char **argv)
{
    const char *usual = getenv("ORCHLAB_RESULTS");

    for (int i = 0; i + 2 < argc; i++) {
        if (!strcmp(argv[i], "--results")) {
            return argv[i + 1];
        }
    }
    return usual && *usual ? usual : "results";
}

void
complete_print(const struct option *options, int argc, char **argv)
{
    void *folder = (void *)(uintptr_t)folder_of(argc, argv);
    struct complete_place place;
    const struct verb *verb;

    complete_find(argc, argv, options, options_of, NULL, &place);
    verb = find_verb(place.words, place.n_words);
    if (place.value) {
        complete_value(&place, offer_names, folder);
    } else if (!strncmp(place.word, "-", 1)) {
        complete_options(options, verb ? verb->options : NULL, &place);
    } else if (!place.n_words) {
        for (verb = lab_verbs; verb->name; verb++) {
            complete_offer(&place, verb->name);
        }
    } else if (verb && place.n_words - 1 < verb->max_operands) {
        complete_operand(verb->operands, place.n_words - 1, &place, offer_names,
                         folder);
    }
    free(place.words);
}

void
complete_manual(const struct option *options)
{
    json_t *verbs = json_array();

    for (const struct verb *verb = lab_verbs; verb->name; verb++) {
        json_array_append_new(verbs, manual_verb(NULL, verb->name,
                                                 verb->operands, verb->summary,
                                                 verb->details, verb->options));
    }
    manual_print(json_pack(
        "{s:s, s:s, s:s, s:o, s:o, s:[{s:i, s:s}, {s:i, s:s}, {s:i, s:s}, "
        "{s:i, s:s}]}",
        "program", "orchlab", "purpose",
        "run experiments on simulated fabrics and read their results", "usage",
        "[--results FOLDER] [--json] VERB ...", "options",
        manual_options(options), "verbs", verbs, "exits", "code", LAB_DONE,
        "meaning", "success", "code", LAB_NO, "meaning",
        "an expectation failed, runs differ, or output could not be written",
        "code", LAB_USAGE, "meaning", "wrong usage, or a wrong file", "code",
        LAB_UNREACHABLE, "meaning", "a file cannot be read or written"));
}
