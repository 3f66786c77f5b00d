/* SPDX-License-Identifier: Apache-2.0 */

/* "orchlab run": carries out the runs of a scenario, one after the other. */

#include <config.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "command/folder.h"
#include "lab/exec/judge.h"
#include "lab/exec/proxy.h"
#include "lab/measure/merged.h"
#include "lab/measure/reader.h"
#include "lab/publish/publication.h"
#include "orchlab/checkpoint.h"
#include "orchlab/elsewhere.h"
#include "orchlab/ranks.h"
#include "orchlab/run_folders.h"
#include "orchlab/run_gather.h"
#include "orchlab/run_one.h"
#include "orchlab/run_plan.h"
#include "orchlab/run_report.h"
#include "orchlab/verb.h"
#include "results/csv.h"
#include "results/database.h"

enum { ARENA_BLOCK = 1 << 16 };

const struct option run_options[] = {
    {"seed", OPTION_TEXT, "N", 0, 0, "the seed, or several: 1..20"},
    {"set", OPTION_TEXTS, "PATH=VALUE", 0, 0,
     "put a value into the scenario; may be repeated"},
    {"only", OPTION_TEXT, "RUN", 0, 0,
     "only the run with that number or label, or those of a variant"},
    {"runs", OPTION_FLAG, NULL, 0, 0, "list the runs and carry out none"},
    {"again", OPTION_FLAG, NULL, 0, 0,
     "also runs whose results exist; so do --break and --interactive"},
    {"break", OPTION_TEXTS, "WHAT", 0, 0,
     "stand still at a time (2ms), drop, pause, mark, or 'flow N'"},
    {"interactive", OPTION_FLAG, NULL, 0, 0, "stand still at the start"},
    {"publish", OPTION_TEXT, "SWITCH", 0, 0,
     "publish this switch in Redis at each break, as 'publish' does"},
    {"redis", OPTION_TEXT, "ADDRESS", 0, 0,
     "where to: unix:PATH, tcp:HOST:PORT, spawn[:DIR] (spawn)"},
    {"csv", OPTION_TEXT, "FOLDER", 0, 0, "also write the lists as CSV there"},
    {"merge", OPTION_FLAG, NULL, 0, 0,
     "move the results of all runs into one file, NAME.sqlite"},
    {"executor", OPTION_TEXT, "WHERE", 0, 0,
     "several runs at a time: local, local:JOBS, ssh:HOST,..., slurm"},
    {"checkpoint", OPTION_TEXT, "every=TIME", 0, 0,
     "keep an image of the run each TIME of virtual time, from which the same "
     "command goes on"},
    {"ranks", OPTION_NUMBER, "N", 1, 4096,
     "with --executor, the ranks of each run, by mpirun or srun (1)"},
    {"quiet", OPTION_FLAG, NULL, 0, 0, "print no progress"},
    RUN_FOLDERS_OPTIONS,
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL},
};

/* Runs of a command, and what they have come to. */
struct session {
    const struct invocation *invocation;
    struct run_plan plan;
    struct run_manner manner;
    struct judge_file *files; /* Of the chosen runs. */
    size_t n_files;
    /* Of the chosen runs; NULL: they are carried out here. */
    const struct executor_end **ends;
    struct merged *merged; /* With --merge, once a run has ended. */
    json_t *list;
    size_t n_failed;
    bool interrupted;
};

static struct run_manner
make_manner(const struct invocation *invocation, struct run_folders *folders)
{
    const json_t *breaks = json_object_get(invocation->arguments, "break");
    const bool interactive = verb_flag(invocation, "interactive");
    struct run_manner manner = {
        .folder = invocation->folder,
        .redis = verb_option(invocation, "redis", "spawn"),
        .publish = verb_option(invocation, "publish", NULL),
        .breaks = breaks,
        .interactive = interactive,
        .stands = breaks || interactive,
        .again = verb_flag(invocation, "again"),
        .quiet = verb_flag(invocation, "quiet"),
        .json = invocation->json,
    };

    run_folders_find(invocation, folders, &manner.options);
    return manner;
}

/* Checks what decides where a run stands before anything is built. */
static enum st
check_breaks(const struct run_manner *manner, struct err *err)
{
    const json_t *breaks = manner->breaks;
    struct run_break condition;
    enum st st = publication_check_redis(manner->redis, err);

    if (!st && manner->stands && manner->options.comm &&
        !proxy_is(manner->options.comm)) {
        st = err_set(err, ST_UNSUPPORTED, "usage",
                     "a run on several ranks does not stand still");
        err_set_remedy(err, "leave out --break and --interactive, or mpirun");
    }
    if (!st && manner->publish && !manner->stands) {
        st = err_set(err, ST_INVALID, "usage",
                     "--publish needs a run that stands still");
        err_set_remedy(err, "add --break WHAT or --interactive");
    }
    for (size_t i = 0; !st && i < json_array_size(breaks); i++) {
        st = run_break_parse(json_string_value(json_array_get(breaks, i)),
                             &condition, err);
    }
    return st;
}

/* CSV -----------------------------------------------------------------------
 */

/* Writes one list to FOLDER/RUN.LIST.csv. */
static enum st
write_list(struct reader *reader, enum reader_list list, const char *folder,
           const char *run, struct err *err)
{
    const struct reader_choice choice = {.list = list, .limit = -1};
    struct query *query = reader_list(reader, &choice, err);
    struct text path = {0};
    FILE *file;
    enum st st = ST_IO;

    text_addf(&path, "%s/%s.%s.csv", folder, run, reader_list_name(list));
    file = query ? fopen(text_string(&path), "we") : NULL;
    if (file) {
        const enum st written = csv_write(query, ',', file, err);
        const bool failed = ferror(file) != 0;

        st = fclose(file) || failed ? ST_IO : ST_OK;
        st = st ? err_set(err, st, "unwritable", "cannot write '%s'",
                          text_string(&path))
                : written;
    } else if (query) {
        (void)err_set(err, ST_IO, "unwritable", "cannot write '%s': %s",
                      text_string(&path), strerror(errno));
    }
    if (query) {
        query_finish(query);
    }
    text_fini(&path);
    return st;
}

/* Writes all lists of the results of a run of the scenario 'name'. */
static enum st
write_csv(const struct run_outcome *outcome, const char *name,
          const char *folder, struct err *err)
{
    struct reader *reader;
    struct text run = {0};
    enum st st;

    st = folder_make(folder, "--csv", err);
    st = st ? st : reader_open(outcome->path, &reader, err);
    if (st) {
        return st;
    }
    text_addf(&run, "%s-%.*s", name, RUN_KEY_IN_NAME, outcome->key);
    for (int i = 0; !st && i < READER_N_LISTS; i++) {
        st = write_list(reader, (enum reader_list)i, folder, text_string(&run),
                        err);
    }
    text_fini(&run);
    reader_close(reader);
    return st;
}

/* Runs ----------------------------------------------------------------------
 */

/* Carries out and reports the run with place 'i' among the chosen ones. */
static enum st
carry_out(struct session *session, size_t i, struct err *err)
{
    const size_t number = session->plan.chosen[i];
    const struct scenario_run *run = &session->plan.plan.runs[number];
    const char *csv = verb_option(session->invocation, "csv", NULL);
    struct communicator *comm = session->manner.options.comm;
    struct arena *arena = arena_create(ARENA_BLOCK);
    const struct executor_end *end = session->ends ? session->ends[i] : NULL;
    struct run_outcome outcome;
    enum st st = end ? run_one_collect(&session->manner, &session->plan, number,
                                       end, arena, &outcome, err)
                     : run_one(&session->manner, &session->plan, number, arena,
                               &outcome, err);

    if (!st && csv && ranks_leads(comm)) {
        st = write_csv(&outcome, session->plan.plan.name, csv, err);
    }
    if (!st && verb_flag(session->invocation, "merge") && ranks_leads(comm)) {
        st = run_gather(&session->merged, &session->plan, number, arena,
                        &outcome, err);
    }
    st = ranks_agree(comm, st, err);
    if (!st) {
        session->files[session->n_files++] = (struct judge_file){
            run, outcome.state == RESULTS_COMPLETE
                     ? arena_strdup(session->plan.arena, outcome.path)
                     : NULL};
        session->n_failed += outcome.judgements.n_failed;
        session->n_failed += outcome.state == RESULTS_FAILED;
        session->interrupted |= outcome.state == RESULTS_INTERRUPTED;
        json_array_append_new(session->list, run_report_json(run, &outcome));
        if (!session->invocation->json && ranks_leads(comm)) {
            run_report_print(session->plan.plan.name, run, &outcome,
                             session->plan.n_chosen);
        }
    }
    arena_destroy(arena);
    return st;
}

/* Returns whether the command ends early: a run that is interrupted here ends
 * it; when one of an executor was, there are still the others to report. */
static bool
ends_early(const struct session *session)
{
    return session->interrupted && !session->ends;
}

/* Judges what compares runs. */
static enum st
judge_plan(struct session *session, struct judge_comparisons *comparisons,
           struct err *err)
{
    struct arena *arena = session->plan.arena;
    enum st st = ST_OK;

    for (size_t i = 0; !st && i < session->n_files; i++) {
        struct scenario *scenario = arena_alloc(arena, 1, sizeof *scenario);

        st = run_plan_parse(&session->plan, session->files[i].run->number,
                            arena, scenario, err);
        if (!st) {
            st = judge_across(scenario, session->files, session->n_files, arena,
                              comparisons, err);
        }
    }
    session->n_failed += comparisons->n_failed;
    return st;
}

/* Prints what is known of all runs. */
static void
report_all(struct session *session, const struct judge_comparisons *comparisons)
{
    if (session->invocation->json) {
        verb_print_json(json_pack(
            "{s:s, s:O, s:o, s:I}", "name", session->plan.plan.name, "runs",
            session->list, "across", run_report_across_json(comparisons),
            "across_left_out", (json_int_t)comparisons->n_incomplete));
    } else {
        run_report_print_across(comparisons);
    }
}

/* Has the chosen runs carried out that have no complete results. */
static enum st
run_elsewhere(struct session *session, struct err *err)
{
    const struct invocation *invocation = session->invocation;
    const struct elsewhere elsewhere = {
        .where = verb_option(invocation, "executor", NULL),
        .manner = &session->manner,
        .plan = &session->plan,
        .file = invocation->operands[0],
        .sets = json_object_get(invocation->arguments, "set"),
        .seed = verb_option(invocation, "seed", NULL),
        .ranks = (unsigned int)verb_number(invocation, "ranks", 1)};
    const char *checkpoint = verb_option(invocation, "checkpoint", NULL);
    int64_t every_ps;
    enum st st;

    if (checkpoint && (elsewhere.where || session->manner.stands)) {
        return err_set(err, ST_UNSUPPORTED, "usage",
                       "--checkpoint cannot be combined with --executor, "
                       "--break and --interactive");
    }
    if (checkpoint) {
        st = checkpoint_parse(checkpoint, &every_ps, err);
        return st ? st
                  : checkpoint_carry_out(&elsewhere, every_ps, &session->ends,
                                         err);
    }
    return elsewhere_carry_out(&elsewhere, &session->ends, err);
}

/* Checks before the first run that results can be moved where they have to. */
static enum st
check_merged(const struct session *session, struct err *err)
{
    const struct run_manner *manner = &session->manner;
    struct text path = {0};
    enum st st = ST_OK;

    if (verb_flag(session->invocation, "merge") &&
        ranks_leads(manner->options.comm)) {
        text_addf(&path, "%s/%s.sqlite", manner->folder,
                  session->plan.plan.name);
        st = merged_check(text_string(&path), err);
        text_fini(&path);
    }
    return st;
}

static enum st
carry_out_all(struct session *session, struct err *err)
{
    struct run_plan *plan = &session->plan;
    struct judge_comparisons comparisons = {0};
    const struct invocation *invocation = session->invocation;
    enum st st = check_breaks(&session->manner, err);

    if (!st && verb_number(invocation, "ranks", 0) &&
        !verb_option(invocation, "executor", NULL)) {
        st = err_set(err, ST_INVALID, "usage", "--ranks needs --executor");
        err_set_remedy(err, "start orchlab by mpirun to share one run among "
                            "ranks");
    }

    if (!st) {
        st = run_key_models(&session->manner.options, &session->manner.models,
                            err);
    }
    st = st ? st : check_merged(session, err);
    st = ranks_agree(session->manner.options.comm, st, err);
    session->files =
        arena_alloc(plan->arena, plan->n_chosen, sizeof *session->files);
    if (!st && (verb_option(invocation, "executor", NULL) ||
                verb_option(invocation, "checkpoint", NULL))) {
        st = ranks_agree(session->manner.options.comm,
                         run_elsewhere(session, err), err);
    }
    for (size_t i = 0; !st && !ends_early(session) && i < plan->n_chosen; i++) {
        st = carry_out(session, i, err);
    }
    if (!ranks_leads(session->manner.options.comm)) {
        return st; /* Rank 0 has all results. */
    }
    if (!st && !ends_early(session)) {
        st = judge_plan(session, &comparisons, err);
    }
    if (!st) {
        report_all(session, &comparisons);
    }
    return st;
}

static void
list_plan(const struct session *session)
{
    const struct run_plan *plan = &session->plan;

    if (session->invocation->json) {
        verb_print_json(
            run_report_plan_json(&plan->plan, plan->chosen, plan->n_chosen));
    } else {
        run_report_print_plan(&plan->plan, plan->chosen, plan->n_chosen);
    }
}

int
run_verb(const struct invocation *invocation)
{
    struct run_plan_options options = {
        .sets = json_object_get(invocation->arguments, "set"),
        .seed = verb_option(invocation, "seed", NULL),
        .only = verb_option(invocation, "only", NULL),
    };
    struct run_folders folders;
    struct session session = {.invocation = invocation,
                              .manner = make_manner(invocation, &folders)};
    struct err err = {0};
    struct communicator *comm;
    enum st st = ranks_join(&comm, &err);
    int code;

    session.manner.options.comm = comm;
    options.nics = session.manner.options.nics_dir;
    session.list = json_array();
    if (!st) {
        st = run_plan_read(invocation->operands[0], &options, &session.plan,
                           &err);
        st = ranks_agree(comm, st, &err);
    }
    if (!st && verb_flag(invocation, "runs")) {
        if (ranks_leads(comm)) {
            list_plan(&session);
        }
    } else if (!st) {
        st = carry_out_all(&session, &err);
    }
    code = st && ranks_is_silent(comm, &err)         ? LAB_DONE
           : st                                      ? verb_fail(&err)
           : session.n_failed || session.interrupted ? LAB_NO
                                                     : LAB_DONE;
    ranks_leave(comm);
    json_decref(session.list);
    merged_close(session.merged);
    run_plan_fini(&session.plan);
    return code;
}
