/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_VERB_H
#define ORCHD_ORCHCTL_VERB_H

/* The verbs of orchctl as tables.
 *
 * Most verbs are just a row: orchctl sends their options and operands as the
 * arguments of the request of the same name, and prints the data of the reply
 * as tables.  Help, usage errors and --json need only the row. */

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "command/option.h"

struct verb;

/* How orchctl was called. */
struct invocation {
    const char *control; /* The socket's path. */
    unsigned int timeout_seconds;
    bool json;
    json_t *arguments; /* From options. */
    const char *const *operands;
    size_t n_operands;
    const struct verb *verb;
    const void *context; /* For use by the verb. */
};

struct verb {
    const char *noun, *verb;
    const char *operands; /* For help: "FILE", "[PORT]", or "". */
    size_t min_operands, max_operands;
    const struct option *options; /* NULL: none. */
    const char *summary;          /* One line, no full stop. */
    const char *details;          /* More help, or NULL. */

    /* Completes the arguments of the request, for example from the operands.
     * NULL: the options are the arguments.  ST_INVALID: usage error; others:
     * cannot be done.  Both fill 'err'. */
    enum st (*prepare)(struct invocation *invocation, struct err *err);

    /* Prints the data of the reply for people. */
    void (*print)(const struct invocation *invocation, const json_t *data);

    /* Runs the verb without the steps above and returns the exit code; NULL for
     * plain requests. */
    int (*run)(struct invocation *invocation);
};

/* The verbs of each noun; a list ends with one without a noun. */
extern const struct verb asic_verbs[];
extern const struct verb breakpoint_verbs[];
extern const struct verb config_file_verbs[];
extern const struct verb config_verbs[];
extern const struct verb headroom_verbs[];
extern const struct verb log_verbs[];
extern const struct verb sai_verbs[];
extern const struct verb show_verbs[];
extern const struct verb sweep_verbs[];
extern const struct verb twin_verbs[];

/* The verbs that need no noun, "orchctl status"; ends with one without a verb.
 */
struct verb_alone {
    const char *verb, *noun;
};
extern const struct verb_alone verbs_alone[];

/* Returns the noun of 'word', a verb that needs none; NULL: it needs one. */
const char *verb_noun_of(const char *word);

/* Common 'prepare' functions: the only operand, if any, becomes the argument
 * "name" or "row"; all operands become the argument "ports". */
enum st verb_operand_name(struct invocation *invocation, struct err *err);
enum st verb_operand_row(struct invocation *invocation, struct err *err);
enum st verb_operand_ports(struct invocation *invocation, struct err *err);

/* Sets the argument "seconds" to how long an answer may take (--timeout), and
 * waits for it a little longer: the daemon gives up first, so that it can say
 * why. */
void verb_let_wait(struct invocation *invocation);

/* Return the value of option 'name', or 'otherwise' if it is not given. */
const char *verb_option(const struct invocation *invocation, const char *name,
                        const char *otherwise);
int64_t verb_number(const struct invocation *invocation, const char *name,
                    int64_t otherwise);

/* Returns whether flag 'name' is given. */
bool verb_flag(const struct invocation *invocation, const char *name);

/* Prints "orchctl: reason" and the details of 'err' to stderr. */
void verb_complain(const struct err *err);

/* Sends the request of the verb once, passes the data of the reply to 'show',
 * prints errors, and returns the exit code. */
int verb_ask(const struct invocation *invocation,
             void (*show)(const struct invocation *invocation, json_t *data));

/* Prints 'data' as JSON on standard output. */
void verb_print_json(const json_t *data);

#endif /* orchctl/verb.h */
