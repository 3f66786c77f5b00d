/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_CONTROL_COMMAND_H
#define ORCHD_CONTROL_COMMAND_H

/* The commands of the daemon, as a table.
 *
 * A command is a row: noun, verb, its arguments with their types, the function
 * that answers, and what it does, from which follows who may call it.  Errors
 * that the row alone shows (no such verb, an argument that is missing, of the
 * wrong type, out of range or unknown) are answered here, so the function gets
 * valid arguments.
 *
 * A function answers by ending its call, now or later, exactly once, with one
 * of the call_...() functions.
 *
 * Rows wait while a function runs.  So what can take longer than 10 ms works in
 * slices, one in each turn of the loop (call_each_turn()); and so does what
 * ends a call: a long answer is written, and freed with the arguments of its
 * call, in slices (json_writer.h).  If the client disconnects meanwhile, its
 * call ends in the next turn. */

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "base/text.h"
#include "base/timeline.h"
#include "orchd/control/arguments.h"
#include "orchd/control/moment.h"
#include "orchd/control/state.h"
#include "orchd/control/sync_point.h"

struct access;
struct audit;
struct row_answers;
struct call;
struct chain;
struct chip;
struct columns;
struct json_reader;
struct json_writer;
struct live;
struct loop;
struct request;
struct sai_backend;
struct session;
struct softasic_ops;

/* What commands work with. */
struct command_context {
    struct loop *loop;
    struct control_services services;
    struct control_state state;

    /* The ASIC; NULL while there is none.  'softasic' is NULL also on a foreign
     * libsai. */
    struct sai_backend *backend;
    const struct softasic_ops *softasic;
    struct chain *chain;     /* sai/stack/chain.h; exists with 'backend'. */
    const struct chip *chip; /* NULL: unknown. */

    struct switch_query *query; /* orchd/switch/switch_query.h */
    struct live *live;          /* live.h */
    unsigned int live_resets;   /* How often another switch has come. */
    struct session *session;    /* session.h */
    struct sync_point synced;
    struct moment moment;
    struct call *settling;   /* Calls that wait for the agent to settle. */
    struct call *working;    /* Calls that have more work to do. */
    struct call *connecting; /* Calls that wait for Redis. */
    struct timer patience;   /* Pending while calls wait for Redis. */
    struct call *watching;   /* Calls that look again in each turn. */
    struct timer deadline;   /* The earliest time at which one gives up. */
    bool settled;            /* The agent was, in this turn. */
    bool ending;             /* Calls end with the error orchd-ended. */
    struct audit *audit;     /* audit.h */
};

typedef void command_fn(struct call *call);

/* What a command does, which says who may call it: viewers only what views. */
enum command_effect {
    COMMAND_CHANGES, /* The switch, CONFIG_DB or orchd; also by taking what can
                      * be read once. */
    COMMAND_SETS,    /* The same with arguments; views without. */
    COMMAND_VIEWS,
};

struct command {
    const char *noun, *verb;
    command_fn *fn;
    const struct argument *arguments; /* NULL: none. */
    enum command_effect effect;
};

/* A list of commands ends with one without a noun. */
extern const struct command asic_commands[];       /* asic_commands.c */
extern const struct command breakpoint_commands[]; /* breakpoint_commands.c */
extern const struct command config_commands[];     /* config_commands.c */
extern const struct command history_commands[];    /* history_commands.c */
extern const struct command live_commands[];       /* live_commands.c */
extern const struct command log_commands[];        /* log_commands.c */
extern const struct command sai_commands[];        /* sai_commands.c */
extern const struct command save_commands[];       /* save_commands.c */
extern const struct command settings_commands[];   /* settings_commands.c */
extern const struct command show_commands[];       /* show_commands.c */
extern const struct command snapshot_commands[];   /* snapshot_commands.c */
extern const struct command sync_commands[];       /* sync_commands.c */
extern const struct command twin_commands[];       /* twin_commands.c */

/* Returns list 'i' of those above, or NULL after the last one. */
const struct command *command_list(size_t i);

/* A request in progress. */
struct call {
    struct command_context *context;
    const struct command *command; /* NULL: the request was none. */
    json_t *arguments;             /* Checked; an object. */

    /* For commands that take several turns: owned memory, freed with the call,
     * and the function that continues. */
    void *state;
    void (*forget)(struct call *call); /* NULL, or frees what 'state' owns. */
    void (*resume)(struct call *call);
    struct call *next; /* In a list of the context. */

    /* The same for a part that several commands have (find_rows.h); NULL: none
     * is in progress. */
    void *work;
    void (*forget_work)(void *work);

    /* Of command.c, while a long request is being parsed: the parser, and what
     * its client may do. */
    struct json_reader *reader;
    const struct access *access;

    /* Of command.c, once the call has ended: the answer that is being written,
     * and its writer, which then frees the arguments. */
    struct text reply;
    struct json_writer *writer;

    /* Of call_when_settled(). */
    int64_t patience_end; /* When it stops waiting for a turn without work, */
    int64_t confirm_end;  /* and for what another program makes. */
    uint64_t generation;  /* Of the agent when it began to wait. */
    bool unsettled;       /* There was no such turn. */

    struct request *request; /* Owned by command.c. */
};

/* Answers the 'length' bytes of 'line' to 'request', now or later, as far as
 * 'access' allows its client that. */
void command_run(struct command_context *context, const struct access *access,
                 struct request *request, const char *line, size_t length);

/* The same for a request whose arguments are texts without types
 * (arguments.h). */
struct command_texts {
    const char *noun, *verb;
    const struct argument_text *arguments;
    size_t n_arguments;
};
void command_run_texts(struct command_context *context,
                       const struct access *access, struct request *request,
                       const struct command_texts *texts);

/* Fixed answers of the server; JSON. */
extern const char command_text_too_long[];
extern const char command_text_too_many[];

/* Return an argument; 'otherwise' if it is not given. */
const char *call_text(const struct call *call, const char *name,
                      const char *otherwise);
int64_t call_number(const struct call *call, const char *name,
                    int64_t otherwise);
bool call_flag(const struct call *call, const char *name);

/* End 'call' with CONTROL_DONE, with CONTROL_NO, a reason and possibly data, or
 * with CONTROL_USAGE.  They take ownership of 'data', which may be NULL.
 * call_end() chooses one of them by the status of 'err'. */
void call_done(struct call *call, json_t *data);
void call_no(struct call *call, const struct err *err, json_t *data);
void call_usage(struct call *call, const struct err *err);
void call_end(struct call *call, const struct err *err, json_t *data);

/* Ends 'call' with CONTROL_DONE and columns, which it takes ownership of. */
void call_done_columns(struct call *call, struct columns *columns);

/* Ends 'call' because there is no switch yet. */
void call_no_asic(struct call *call, json_t *data);

/* Ends 'call' with the status of rows in 'answers': CONTROL_NO if one of them
 * is not applied. */
void call_answers(struct call *call, const struct row_answers *answers,
                  json_t *data);

/* Does the same for all rows: CONTROL_NO also if removals are held back. */
void call_answers_all(struct call *call, const struct row_answers *answers,
                      json_t *data);

/* Call 'resume' when the agent has settled, not before the end of its next
 * turn; or at the end of this turn of the loop.
 *
 * While clients never stop writing, there is always something left to do.  So
 * after COMMAND_SETTLE_NS call_when_settled() waits only until what was read
 * before the call is carried out and published, and sets call->unsettled.
 *
 * Where another program makes the changes (orchd/reconcile/confirmation.h),
 * call_when_confirmed() also waits until no row has to wait for it any more,
 * for as long as the argument "seconds" of the call says:
 * COMMAND_CONFIRM_SECONDS by default, less than clients wait. */
#define COMMAND_SETTLE_NS       (INT64_C(6) * 1000 * 1000 * 1000)
#define COMMAND_CONFIRM_SECONDS 50
void call_when_settled(struct call *call, void (*resume)(struct call *call));
void call_when_confirmed(struct call *call, void (*resume)(struct call *call));
void call_each_turn(struct call *call, void (*resume)(struct call *call));

/* Calls 'resume' at the end of the next turn, at 'deadline' at the latest. */
void call_next_turn(struct call *call, int64_t deadline,
                    void (*resume)(struct call *call));

/* What a call reads in several turns may change meanwhile.  Where it does not
 * read a copy that was made in one turn, its answer says so: call_generation()
 * returns the generation of the configuration, and call_add_generations() adds
 * that at the begin, 'first', and the present one to 'data', as
 * "first_generation" and "generation".  They differ if orchd has acted on a
 * change in between. */
uint64_t call_generation(const struct call *call);
void call_add_generations(const struct call *call, uint64_t first,
                          json_t *data);

/* Adds the error that removals are held back to 'err'. */
void call_fail_held(const struct call *call, struct err *err);

/* Calls 'resume' when Redis is connected, at once if it already is, or after
 * COMMAND_PATIENCE_NS without a connection.  So commands work while orchd is
 * still starting. */
#define COMMAND_PATIENCE_NS (INT64_C(5) * 1000 * 1000 * 1000)
void call_when_connected(struct call *call, void (*resume)(struct call *call));

/* Resumes waiting calls after a turn of the agent, which has 'settled' or not.
 * Returns whether some have more work. */
bool command_turn(struct command_context *context, bool settled);

/* Returns the state of the database, which explains most surprises, as a new
 * object: {"up": true, "notified": true, "endpoint": "unix:/...", "reason":
 * ""}. */
json_t *command_redis_json(const struct command_context *context);

/* Ends all calls, because orchd ends or starts over: those that have not done
 * their work with an error (orchd-ended). */
void command_abandon(struct command_context *context);

/* Appends the ranges of the numbers that the commands of 'noun' take, for
 * clients that ask a user for them, as JSON: {"run": {"ns": [0,
 * 3600000000000]},
 * ...}. */
void command_add_ranges(const char *noun, struct text *json);

#endif /* orchd/control/command.h */
