/* SPDX-License-Identifier: Apache-2.0 */

/* Carries out one run of a plan. */

#include <config.h>

#include "orchlab/run_one.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/text.h"
#include "command/executor.h"
#include "command/folder.h"
#include "lab/exec/communicator.h"
#include "lab/exec/launch.h"
#include "lab/exec/proxy.h"
#include "lab/measure/merged.h"
#include "lab/measure/reader.h"
#include "lab/measure/sink.h"
#include "orchlab/drive.h"
#include "orchlab/ranks.h"
#include "orchlab/run_lock.h"
#include "orchlab/run_publish.h"
#include "orchlab/verb.h"
#include "process/huge_pages.h"
#include "process/wallclock.h"
#include "results/database.h"

#define NS_PER_S INT64_C(1000000000)

#define RESULTS_SUFFIX ".sqlite"

/* The shortest piece on several ranks, 10 us: each ends with a report to rank
 * 0, and a signal ends it early. */
#define RANKS_PIECE_PS INT64_C(10000000)

enum { ARENA_BLOCK = 1 << 16 };

/* Everything of a run while it goes on. */
struct lab_run {
    const struct run_manner *manner;
    struct experiment *experiment;
    struct results *results;
    struct run *run;
    struct run_publish *publish;
    struct run_lock *lock;  /* Of the results. */
    const uint32_t *owners; /* By node, if there are several ranks. */
};

static int64_t
read_clock(clockid_t clock)
{
    struct timespec time = {0};

    (void)clock_gettime(clock, &time);
    return (int64_t)time.tv_sec * NS_PER_S + time.tv_nsec;
}

/* Results -------------------------------------------------------------------
 */

static enum st
judge_file(const struct scenario *scenario, struct arena *arena,
           struct run_outcome *outcome, struct err *err)
{
    struct reader *reader;
    enum st st = reader_open(outcome->path, &reader, err);

    if (!st) {
        st = judge_run(scenario, reader, arena, &outcome->judgements, err);
        reader_close(reader);
    }
    return st;
}

/* Reads how many messages were not posted or lost in all. */
static void
read_messages(struct reader *reader, struct run_progress *progress)
{
    struct query *query = reader_query(
        reader, "SELECT coalesce(sum(skipped), 0), coalesce(sum(lost), 0)"
                " FROM flows WHERE run = ?1");
    bool row = false;

    if (!query_next(query, &row, NULL) && row) {
        progress->skipped = (uint64_t)query_number(query, 0);
        progress->lost = (uint64_t)query_number(query, 1);
    }
    query_finish(query);
}

/* Returns the state that is called 'name'. */
static enum results_state
state_of(const char *name)
{
    static const enum results_state states[] = {
#define X(member, name) RESULTS_##member,
        RESULTS_STATES(X)
#undef X
    };

    for (size_t i = 0; i < sizeof states / sizeof states[0]; i++) {
        if (!strcmp(name, results_state_name(states[i]))) {
            return states[i];
        }
    }
    return RESULTS_INCOMPLETE;
}

/* Takes the outcome from the results at its path.  Returns whether they are of
 * a complete run with this key. */
static bool
take_file(struct run_outcome *outcome)
{
    struct reader *reader;
    const struct reader_run *run;
    bool is_complete;

    if (reader_open(outcome->path, &reader, NULL)) {
        return false;
    }
    run = reader_run(reader);
    outcome->state = !strcmp(run->key, outcome->key) ? state_of(run->state)
                                                     : RESULTS_INCOMPLETE;
    is_complete = outcome->state == RESULTS_COMPLETE;
    outcome->skipped = is_complete;
    outcome->wall_ns = run->wall_ns;
    outcome->progress = (struct run_progress){
        .now_ps = run->virtual_ps,
        .stop_ps = run->stop_ps,
        .hops = (uint64_t)run->hops,
        .drops = (uint64_t)run->drops,
        .pauses = (uint64_t)run->pauses,
        .marks = (uint64_t)run->marks,
    };
    if (outcome->state == RESULTS_FAILED) {
        err_set(&outcome->failure, ST_IO, "failed", "%s",
                run->reason ? run->reason : "");
    }
    read_messages(reader, &outcome->progress);
    text_copy(outcome->hash, sizeof outcome->hash, run->hash);
    reader_close(reader);
    return is_complete;
}

/* Takes the outcome from existing results, wherever they are. */
static bool
take_existing(struct run_outcome *outcome, struct arena *arena)
{
    struct text path = {0};
    int64_t number;

    if (take_file(outcome)) {
        return true;
    }
    number = merged_find(outcome->merged, outcome->key);
    if (!number) {
        return false;
    }
    text_addf(&path, "%s#%" PRId64, outcome->merged, number);
    outcome->path = arena_strdup(arena, text_string(&path));
    text_fini(&path);
    return take_file(outcome);
}

/* Judges complete results, which can be moved meanwhile. */
static enum st
judge_existing(const struct scenario *scenario, struct arena *arena,
               struct run_outcome *outcome, struct err *err)
{
    enum st st = judge_file(scenario, arena, outcome, err);

    if (st == ST_NOT_FOUND && take_existing(outcome, arena)) {
        st = judge_file(scenario, arena, outcome, err);
    }
    return st;
}

/* Removes what an earlier run has left at 'path'. */
static enum st
remove_results(const char *path, struct err *err)
{
    static const char *const endings[] = {"", "-wal", "-shm"};
    enum st st = ST_OK;

    for (size_t i = 0; !st && i < sizeof endings / sizeof endings[0]; i++) {
        struct text name = {0};

        text_addf(&name, "%s%s", path, endings[i]);
        if (unlink(text_string(&name)) && errno != ENOENT) {
            st = err_set(err, ST_IO, "unwritable", "cannot replace %s: %s",
                         path, strerror(errno));
        }
        text_fini(&name);
    }
    return st;
}

static enum st
create_results(struct lab_run *lab, const struct run_outcome *outcome,
               struct err *err)
{
    const struct scenario *scenario = &lab->experiment->scenario;
    char started[WALLCLOCK_SIZE];
    const struct results_about about = {
        .key = outcome->key,
        .name = scenario->name,
        .scenario = scenario->text,
        .path = scenario->file,
        .version = PACKAGE_VERSION,
        .started = started,
        .seed = scenario->run.seed,
        .stop_ps = scenario->stop_ps,
    };
    enum st st = remove_results(outcome->path, err);

    wallclock_format(read_clock(CLOCK_REALTIME), started);
    return st ? st : results_create(outcome->path, &about, &lab->results, err);
}

/* Driving -------------------------------------------------------------------
 */

static enum run_state
target_until(void *context, int64_t until_ps)
{
    return run_until(((struct lab_run *)context)->run, until_ps);
}

static enum run_state
target_step(void *context, uint64_t n)
{
    return run_step(((struct lab_run *)context)->run, n);
}

static int64_t
target_now_ps(void *context)
{
    return run_now(((struct lab_run *)context)->run);
}

static void
target_get_progress(void *context, struct run_progress *progress)
{
    run_get_progress(((struct lab_run *)context)->run, progress);
}

static const char *
target_break_reason(void *context)
{
    return run_break_reason(((struct lab_run *)context)->run);
}

static enum st
target_add_break(void *context, const char *text, struct err *err)
{
    struct run_break condition;
    const enum st st = run_break_parse(text, &condition, err);

    if (!st) {
        run_break(((struct lab_run *)context)->run, &condition);
    }
    return st;
}

static enum st
target_set(void *context, const char *text, struct err *err)
{
    return run_set(((struct lab_run *)context)->run, text, err);
}

static enum st
target_publish(void *context, const char *name, struct err *err)
{
    struct lab_run *lab = context;

    return run_publish_set(lab->publish, lab->run, name, err);
}

static enum st
target_stand(void *context, struct err *err)
{
    struct lab_run *lab = context;

    return run_publish_again(lab->publish, lab->run, err);
}

static enum st
target_release(void *context, const struct run_progress *progress,
               struct err *err)
{
    struct lab_run *lab = context;
    const enum st st =
        lab->results ? results_release(lab->results, progress->now_ps,
                                       progress->hops, err)
                     : ST_OK;

    return ranks_agree(lab->manner->options.comm, st, err);
}

static enum st
target_reopen(void *context, struct err *err)
{
    struct lab_run *lab = context;

    return ranks_agree(lab->manner->options.comm,
                       lab->results ? results_reopen(lab->results, err)
                                    : ST_OK,
                       err);
}

static enum st
target_save(void *context, const struct run_progress *progress, struct err *err)
{
    struct lab_run *lab = context;
    const enum st st = lab->results
                           ? results_progress(lab->results, progress->now_ps,
                                              progress->hops, err)
                           : ST_OK;

    if (!st || !lab->manner->options.comm) {
        return st;
    }
    run_fail(lab->run, err); /* So that other ranks stop, too. */
    return ST_OK;
}

static int64_t
monotonic_ns(void *clock)
{
    (void)clock;
    return read_clock(CLOCK_MONOTONIC);
}

/* The run that a signal interrupts. */
static struct run *volatile signalled;

static void
take_signal(int number)
{
    (void)number;
    run_interrupt(signalled);
}

/* Drives the run while signals interrupt it; with one rank the second of a kind
 * ends the process, with more only the launcher can. */
static enum st
drive_with_signals(struct lab_run *lab, enum run_state *state, struct err *err)
{
    const struct run_manner *manner = lab->manner;
    const struct drive_target target = {
        .context = lab,
        .until = target_until,
        .step = target_step,
        .now_ps = target_now_ps,
        .get_progress = target_get_progress,
        .break_reason = target_break_reason,
        .add_break = target_add_break,
        .set = target_set,
        .publish = target_publish,
        .stand = target_stand,
        .release = target_release,
        .reopen = target_reopen,
        .save = target_save,
    };
    const struct drive_options options = {
        .now_ns = monotonic_ns,
        .progress = manner->quiet || !lab->results ? NULL : stderr,
        .terminal = isatty(STDERR_FILENO),
        .input = stdin,
        .output = manner->json ? stderr : stdout,
        .interactive = manner->interactive,
        .piece_ps = manner->options.comm ? RANKS_PIECE_PS : 0,
    };
    struct sigaction action = {.sa_handler = take_signal};
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    struct sigaction before[2];
    bool is_late;
    enum st st;

    lab->publish = run_publish_create(&(struct run_publish_options){
        .redis = manner->redis,
        .name = manner->publish,
        .files = &manner->options,
        .scenario = &lab->experiment->scenario,
        .output = options.output,
    });
    /* Without SA_RESTART a signal ends waiting for a command, too; but ranks
     * that get commands from elsewhere all end at the next one. */
    if (proxy_is(manner->options.comm)) {
        action.sa_flags = SA_RESTART;
    } else if (!manner->options.comm) {
        action.sa_flags = (int)SA_RESETHAND;
    }
    signalled = lab->run;
    (void)sigaction(SIGINT, &action, &before[0]);
    (void)sigaction(SIGTERM, &action, &before[1]);
    st = drive(&target, &options, state, err);
    /* The signal of one rank interrupts all.  Those of the others can come
     * later, and must not end a rank before all have recorded the end. */
    is_late = manner->options.comm && !st && *state == RUN_INTERRUPTED;
    (void)sigaction(SIGINT, is_late ? &ignore : &before[0], NULL);
    (void)sigaction(SIGTERM, is_late ? &ignore : &before[1], NULL);
    run_publish_destroy(lab->publish);
    return st;
}

static enum st
add_breaks(struct lab_run *lab, struct err *err)
{
    const json_t *breaks = lab->manner->breaks;
    enum st st = ST_OK;

    for (size_t i = 0; !st && i < json_array_size(breaks); i++) {
        st = target_add_break(lab, json_string_value(json_array_get(breaks, i)),
                              err);
    }
    return st;
}

/* The end ------------------------------------------------------------------ */

/* Stores in '*outcome' that the run has failed, if it has. */
static void
note_failure(const struct lab_run *lab, struct run_outcome *outcome)
{
    const struct err *failure = run_failure(lab->run);

    if (failure) {
        outcome->state = RESULTS_FAILED;
        outcome->failure = *failure;
    }
}

/* Stores how the run has ended in '*outcome'. */
static void
note_end(const struct lab_run *lab, enum run_state state,
         struct run_outcome *outcome)
{
    run_get_progress(lab->run, &outcome->progress);
    outcome->state = state == RUN_INTERRUPTED ? RESULTS_INTERRUPTED
                     : run_changes(lab->run)  ? RESULTS_CHANGED
                                              : RESULTS_COMPLETE;
    note_failure(lab, outcome);
}

/* Records the end, judges, and closes the results. */
static enum st
finish(struct lab_run *lab, struct arena *arena, struct run_outcome *outcome,
       struct err *err)
{
    struct results_end end = {
        .virtual_ps = outcome->progress.now_ps,
        .hops = outcome->progress.hops,
        .wall_ns = outcome->wall_ns,
    };
    enum st st;

    run_finish(lab->run, lab->results);
    note_failure(lab, outcome);
    if (!lab->results) {
        return ST_OK; /* Rank 0 has them. */
    }
    end.state = outcome->state;
    end.reason =
        outcome->state == RESULTS_FAILED ? outcome->failure.reason : NULL;
    outcome->captured = run_captured(lab->run);
    st = run_close_captures(lab->run, err);
    text_copy(outcome->hash, sizeof outcome->hash, results_hash(lab->results));
    st =
        st ? st : results_progress(lab->results, end.virtual_ps, end.hops, err);
    if (!st &&
        (end.state == RESULTS_COMPLETE || end.state == RESULTS_CHANGED)) {
        st = judge_file(&lab->experiment->scenario, arena, outcome, err);
    }
    if (!st) {
        judge_record(&outcome->judgements, results_sink(lab->results));
        st = results_finish(lab->results, &end, err);
        lab->results = NULL;
    }
    return st;
}

/* Says what the ranks of a run have exchanged, as rank 0 sees it. */
static void
report_ranks(const struct lab_run *lab, int64_t wall_ns)
{
    struct launch_stats stats;

    if (!lab->manner->options.comm || proxy_is(lab->manner->options.comm)) {
        return;
    }
    launch_take_stats(lab->manner->options.comm, &stats);
    if (lab->results && !lab->manner->quiet && stats.windows) {
        fprintf(stderr,
                "%u ranks: %" PRIu64 " windows, %.0f bytes sent by rank 0 in "
                "each, %.1f %% of the time in communication\n",
                (unsigned int)lab->manner->options.comm->n_ranks, stats.windows,
                (double)stats.bytes / (double)stats.windows,
                100.0 * (double)stats.ns / (double)wall_ns);
    }
}

/* Runs what is built. */
static enum st
carry_out(struct lab_run *lab, struct arena *arena, struct run_outcome *outcome,
          struct err *err)
{
    const int64_t start_ns = read_clock(CLOCK_MONOTONIC);
    enum run_state state;
    enum st st = add_breaks(lab, err);

    if (!st) {
        run_describe(lab->run, lab->results);
        st = drive_with_signals(lab, &state, err);
    }
    if (!st) {
        outcome->wall_ns = read_clock(CLOCK_MONOTONIC) - start_ns;
        report_ranks(lab, outcome->wall_ns);
        note_end(lab, state, outcome);
        st = finish(lab, arena, outcome, err);
    }
    return st;
}

/* Of a rank that records nothing. */
static const struct sink no_sink;

/* Builds the fabric and runs it. */
static enum st
build_and_run(struct lab_run *lab, struct arena *arena,
              struct run_outcome *outcome, struct err *err)
{
    struct run_options options = lab->manner->options;
    enum st st;

    options.captures = outcome->captures;
    options.memory = &huge_pages;
    options.owners = lab->owners;
    st = ranks_leads(options.comm) ? create_results(lab, outcome, err) : ST_OK;
    st = ranks_agree(options.comm, st, err);
    if (!st) {
        st = run_create(lab->experiment, &options,
                        lab->results ? results_sink(lab->results) : &no_sink,
                        &lab->run, err);
        st = ranks_agree(options.comm, st, err);
        if (!st && lab->manner->publish) {
            struct switch_instance *ignored;

            st = run_find_switch(lab->run, lab->manner->publish, &ignored, err);
            if (st) {
                st = err->status = ST_INVALID; /* A wrong option. */
            }
        }
        if (st) {
            /* There is no run to keep results of. */
            if (lab->results) {
                results_abandon(lab->results);
                (void)remove_results(outcome->path, NULL);
            }
            lab->results = NULL;
        }
    }
    if (!st) {
        st = carry_out(lab, arena, outcome, err);
    }
    run_destroy(lab->run);
    results_abandon(lab->results);
    return st;
}

/* Loads run 'number' and finds where its results are. */
static enum st
locate(struct lab_run *lab, const struct run_plan *plan, size_t number,
       struct arena *arena, struct run_outcome *outcome, struct err *err)
{
    const struct run_manner *manner = lab->manner;
    struct text path = {0}, merged = {0};
    enum st st;

    *outcome = (struct run_outcome){.state = RESULTS_INCOMPLETE};
    lab->experiment = arena_alloc(arena, 1, sizeof *lab->experiment);
    st = run_plan_load(plan, number, arena, lab->experiment, err);
    if (!st) {
        st = run_key(manner->models, lab->experiment, outcome->key, err);
    }
    st = ranks_agree(manner->options.comm, st, err);
    if (st) {
        return st;
    }
    text_addf(&path, "%s/%s-%.*s" RESULTS_SUFFIX, manner->folder,
              lab->experiment->scenario.name, RUN_KEY_IN_NAME, outcome->key);
    outcome->path = arena_strdup(arena, text_string(&path));
    text_addf(&merged, "%s/%s" RESULTS_SUFFIX, manner->folder,
              lab->experiment->scenario.name);
    outcome->progress.stop_ps = lab->experiment->scenario.stop_ps;
    outcome->merged = arena_strdup(arena, text_string(&merged));
    text_fini(&merged);
    if (lab->experiment->scenario.record.pcap.at.n) {
        path.bytes[path.length - strlen(RESULTS_SUFFIX)] = '\0';
        outcome->captures = arena_strdup(arena, path.bytes);
    }
    text_fini(&path);
    return ST_OK;
}

/* Locks the results for this process.  Sets '*exists' if another process has
 * completed them meanwhile. */
static enum st
lock_results(struct lab_run *lab, struct arena *arena,
             struct run_outcome *outcome, bool *exists, struct err *err)
{
    bool waited = false;
    enum st st = folder_make(lab->manner->folder, "--results", err);

    *exists = false;
    st = st ? st : run_lock_take(outcome->path, &lab->lock, &waited, err);
    if (!st && waited && !lab->manner->again && !lab->manner->stands) {
        *exists = take_existing(outcome, arena);
    }
    return st;
}

enum st
run_one(const struct run_manner *manner, const struct run_plan *plan,
        size_t number, struct arena *arena, struct run_outcome *outcome,
        struct err *err)
{
    struct communicator *comm = manner->options.comm;
    const bool leads = ranks_leads(comm);
    struct lab_run lab = {.manner = manner};
    bool exists = false;
    enum st st = locate(&lab, plan, number, arena, outcome, err);

    if (st) {
        return st;
    }
    if (leads) {
        exists =
            !manner->again && !manner->stands && take_existing(outcome, arena);
        st = exists ? ST_OK : lock_results(&lab, arena, outcome, &exists, err);
    }
    st = ranks_agree(comm, st, err);
    if (!st && ranks_follow(comm, exists)) {
        st = leads ? judge_existing(&lab.experiment->scenario, arena, outcome,
                                    err)
                   : ST_OK;
    } else if (!st) {
        outcome->failure = (struct err){0}; /* Of what is replaced. */
        if (comm) {
            st = launch_divide(comm, lab.experiment, arena, &lab.owners, err);
        }
        st = st ? st : build_and_run(&lab, arena, outcome, err);
    }
    run_lock_give(lab.lock);
    return st;
}

enum st
run_one_locate(const struct run_manner *manner, const struct run_plan *plan,
               size_t number, struct arena *arena, struct run_outcome *outcome,
               struct err *err)
{
    struct lab_run lab = {.manner = manner};

    return locate(&lab, plan, number, arena, outcome, err);
}

enum st
run_one_exists(const struct run_manner *manner, const struct run_plan *plan,
               size_t number, bool *exists, struct err *err)
{
    struct arena *arena = arena_create(ARENA_BLOCK);
    struct lab_run lab = {.manner = manner};
    struct run_outcome outcome;
    const enum st st = locate(&lab, plan, number, arena, &outcome, err);

    *exists = !st && take_existing(&outcome, arena);
    arena_destroy(arena);
    return st;
}

/* Says why a run has no complete results. */
static void
explain_end(const struct executor_end *end, struct err *failure)
{
    if (!end->ended) {
        err_set(failure, ST_IO, "killed",
                "its process was killed, or never started");
    } else if (*end->reason) {
        err_set(failure, ST_IO, "executor", "on %s: %s", end->host,
                end->reason);
    } else {
        err_set(failure, ST_IO, "executor", "on %s: exit code %d", end->host,
                end->code);
    }
}

enum st
run_one_collect(const struct run_manner *manner, const struct run_plan *plan,
                size_t number, const struct executor_end *end,
                struct arena *arena, struct run_outcome *outcome,
                struct err *err)
{
    struct lab_run lab = {.manner = manner};
    enum st st = locate(&lab, plan, number, arena, outcome, err);

    if (st) {
        return st;
    }
    if (!ranks_leads(manner->options.comm)) {
        outcome->state = RESULTS_COMPLETE; /* Rank 0 knows better. */
        return ST_OK;
    }
    if (take_existing(outcome, arena)) {
        outcome->skipped = false; /* It was carried out for this command. */
        return judge_existing(&lab.experiment->scenario, arena, outcome, err);
    }
    if (outcome->state == RESULTS_INTERRUPTED && end->ended &&
        end->code == LAB_NO) {
        return ST_OK; /* By a signal. */
    }
    if (outcome->state != RESULTS_FAILED) {
        outcome->state = RESULTS_FAILED;
        explain_end(end, &outcome->failure);
    }
    return ST_OK;
}
