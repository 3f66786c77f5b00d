/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHLAB_VERB_H
#define ORCHD_ORCHLAB_VERB_H

/* The verbs of orchlab as a table: help and usage errors need only their rows.
 *
 * Exit codes are those of orchctl. */

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "command/option.h"

enum lab_exit {
    LAB_DONE = 0,
    LAB_NO = 1,          /* An expectation failed, runs differ, or nothing is
                          * found. */
    LAB_USAGE = 2,       /* A wrong command line or a wrong file. */
    LAB_UNREACHABLE = 3, /* A file cannot be read or written. */
};

struct verb;

/* How orchlab was called. */
struct invocation {
    const char *folder; /* Of results files. */
    bool is_named;      /* By --results or ORCHLAB_RESULTS: it has to exist. */
    bool json;
    const json_t *arguments; /* From options. */
    const char *const *operands;
    size_t n_operands;
    const struct verb *verb;
};

struct verb {
    const char *name;     /* NULL ends a list. */
    const char *operands; /* For help: "FILE", "RUN [LIST]". */
    size_t min_operands, max_operands;
    const struct option *options; /* NULL: none. */
    const char *summary;          /* One line, no full stop. */
    const char *details;          /* More help, or NULL. */
    int (*run)(
        const struct invocation *invocation); /* Returns the exit code. */
};

extern const struct verb lab_verbs[];

/* What the verbs do. */
int run_verb(const struct invocation *invocation);
int list_verb(const struct invocation *invocation);
int show_verb(const struct invocation *invocation);
int explain_verb(const struct invocation *invocation);
int compare_verb(const struct invocation *invocation);
int plot_verb(const struct invocation *invocation);
int metric_verb(const struct invocation *invocation);
int whatif_verb(const struct invocation *invocation);
int tune_verb(const struct invocation *invocation);
int deadlock_verb(const struct invocation *invocation);
int papers_verb(const struct invocation *invocation);
int probe_verb(const struct invocation *invocation);

/* The options of these verbs, also for the table. */
extern const struct option run_options[];
extern const struct option show_options[];
extern const struct option plot_options[];
extern const struct option deadlock_options[];
extern const struct option whatif_options[];
extern const struct option tune_options[];
extern const struct option papers_options[];
extern const struct option probe_options[];

/* Return the value of option 'name', or 'otherwise' if it is not given. */
const char *verb_option(const struct invocation *invocation, const char *name,
                        const char *otherwise);
int64_t verb_number(const struct invocation *invocation, const char *name,
                    int64_t otherwise);
bool verb_flag(const struct invocation *invocation, const char *name);

/* A folder of files that verbs need. */
struct verb_folder {
    const char *option;    /* Names it: "chips". */
    const char *variable;  /* Of the environment, without the option. */
    const char *in_source; /* Without both, in a build tree: "chips". */
    const char *installed; /* Otherwise. */
};

/* Returns the path of a folder; 'path' has PLACES_PATH_SIZE bytes of room
 * (process/places.h) for it. */
const char *verb_folder(const struct invocation *invocation,
                        const struct verb_folder *folder, char *path);

/* Prints 'err' and returns the exit code for its status. */
int verb_fail(const struct err *err);

/* Prints 'data' as JSON on standard output and frees it. */
void verb_print_json(json_t *data);

#endif /* orchlab/verb.h */
