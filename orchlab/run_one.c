/* SPDX-License-Identifier: Apache-2.0 */

/* Carries out one run of a plan. */

#include <config.h>

#include "orchlab/run_one.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/digest.h"
#include "base/text.h"
#include "lab/measure/reader.h"
#include "lab/measure/sink.h"
#include "orchlab/drive.h"
#include "orchlab/run_publish.h"
#include "process/huge_pages.h"
#include "process/wallclock.h"
#include "results/database.h"

#define NS_PER_S INT64_C(1000000000)

#define RESULTS_SUFFIX ".sqlite"

enum { KEY_IN_NAME = 8 };

/* Everything of a run while it goes on. */
struct lab_run {
    const struct run_manner *manner;
    struct experiment *experiment;
    struct results *results;
    struct run *run;
    struct run_publish *publish;
};

static int64_t
read_clock(clockid_t clock)
{
    struct timespec time = {0};

    (void)clock_gettime(clock, &time);
    return (int64_t)time.tv_sec * NS_PER_S + time.tv_nsec;
}

/* Key -----------------------------------------------------------------------
 */

static enum st
digest_file(const char *path, uint64_t *digest, struct err *err)
{
    FILE *file = fopen(path, "re");
    char buffer[4096];
    size_t n;

    if (!file) {
        return err_set(err, ST_IO, "unreadable", "cannot read '%s': %s", path,
                       strerror(errno));
    }
    while ((n = fread(buffer, 1, sizeof buffer, file))) {
        *digest = digest_bytes(*digest, buffer, n);
    }
    (void)fclose(file);
    return ST_OK;
}

static int
is_model(const struct dirent *entry)
{
    const char *ending = strrchr(entry->d_name, '.');

    return ending && (!strcmp(ending, ".yaml") || !strcmp(ending, ".json"));
}

static enum st
digest_folder(const char *folder, uint64_t *digest, struct err *err)
{
    struct dirent **entries;
    const int n = scandir(folder, &entries, is_model, alphasort);
    enum st st = ST_OK;

    if (n < 0) {
        return err_set(err, ST_IO, "unreadable", "cannot read folder %s: %s",
                       folder, strerror(errno));
    }
    for (int i = 0; i < n; i++) {
        struct text path = {0};

        text_addf(&path, "%s/%s", folder, entries[i]->d_name);
        *digest = digest_text(*digest, entries[i]->d_name);
        st = st ? st : digest_file(text_string(&path), digest, err);
        text_fini(&path);
        free(entries[i]);
    }
    free(entries);
    return st;
}

enum st
run_one_models(const struct run_options *options, uint64_t *digest,
               struct err *err)
{
    enum st st;

    *digest = digest_text(DIGEST_START, PACKAGE_VERSION);
    st = digest_folder(options->chips_dir, digest, err);
    st = st ? st : digest_folder(options->configs_dir, digest, err);
    if (st) {
        err_set_remedy(err, "see --chips and --configs in orchlab run --help");
    }
    return st;
}

/* Writes the key of a run into 'key'. */
static enum st
make_key(const struct run_manner *manner, const struct experiment *experiment,
         char key[RUN_KEY_SIZE], struct err *err)
{
    const uint64_t topology = topology_digest(&experiment->topology);
    const struct fabric_spec *fabric = &experiment->scenario.fabric;
    uint64_t digest = digest_text(manner->models, experiment->scenario.text);
    enum st st = ST_OK;

    digest = digest_bytes(digest, &topology, sizeof topology);
    for (size_t i = 0; !st && i < fabric->n_roles; i++) {
        const char *config = fabric->roles[i].config;

        if (config && (strchr(config, '/') || strstr(config, ".json"))) {
            st = digest_file(config, &digest, err);
        }
    }
    text_format(key, RUN_KEY_SIZE, "%016" PRIx64, digest);
    return st;
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

/* Takes the outcome from existing results.  Returns whether they are of a
 * complete run with this key. */
static bool
take_existing(struct run_outcome *outcome)
{
    struct reader *reader;
    const struct reader_run *run;
    bool is_complete;

    if (reader_open(outcome->path, &reader, NULL)) {
        return false;
    }
    run = reader_run(reader);
    is_complete = !strcmp(run->state, results_state_name(RESULTS_COMPLETE)) &&
                  !strcmp(run->key, outcome->key);
    outcome->skipped = is_complete;
    outcome->state = RESULTS_COMPLETE;
    outcome->wall_ns = run->wall_ns;
    outcome->progress = (struct run_progress){
        .now_ps = run->virtual_ps,
        .stop_ps = run->stop_ps,
        .hops = (uint64_t)run->hops,
        .drops = (uint64_t)run->drops,
        .pauses = (uint64_t)run->pauses,
        .marks = (uint64_t)run->marks,
    };
    read_messages(reader, &outcome->progress);
    text_copy(outcome->hash, sizeof outcome->hash, run->hash);
    reader_close(reader);
    return is_complete;
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
target_save(void *context, const struct run_progress *progress, struct err *err)
{
    return results_progress(((struct lab_run *)context)->results,
                            progress->now_ps, progress->hops, err);
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

/* Drives the run while signals interrupt it. */
static enum st
drive_with_signals(struct lab_run *lab, enum run_state *state, struct err *err)
{
    const struct run_manner *manner = lab->manner;
    const struct drive_target target = {
        .context = lab,
        .until = target_until,
        .step = target_step,
        .get_progress = target_get_progress,
        .break_reason = target_break_reason,
        .add_break = target_add_break,
        .set = target_set,
        .publish = target_publish,
        .stand = target_stand,
        .save = target_save,
    };
    const struct drive_options options = {
        .now_ns = monotonic_ns,
        .progress = manner->quiet ? NULL : stderr,
        .terminal = isatty(STDERR_FILENO),
        .input = stdin,
        .output = manner->json ? stderr : stdout,
        .interactive = manner->interactive,
    };
    /* Without SA_RESTART, so that waiting for a command ends, too. */
    struct sigaction action = {.sa_handler = take_signal,
                               .sa_flags = (int)SA_RESETHAND};
    struct sigaction before[2];
    enum st st;

    lab->publish = run_publish_create(&(struct run_publish_options){
        .redis = manner->redis,
        .name = manner->publish,
        .files = &manner->options,
        .scenario = &lab->experiment->scenario,
        .output = options.output,
    });
    signalled = lab->run;
    (void)sigaction(SIGINT, &action, &before[0]);
    (void)sigaction(SIGTERM, &action, &before[1]);
    st = drive(&target, &options, state, err);
    (void)sigaction(SIGINT, &before[0], NULL);
    (void)sigaction(SIGTERM, &before[1], NULL);
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

/* The end -------------------------------------------------------------------
 */

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
        note_end(lab, state, outcome);
        st = finish(lab, arena, outcome, err);
    }
    return st;
}

/* Builds the fabric and runs it. */
static enum st
build_and_run(struct lab_run *lab, struct arena *arena,
              struct run_outcome *outcome, struct err *err)
{
    struct run_options options = lab->manner->options;
    enum st st;

    options.captures = outcome->captures;
    options.memory = &huge_pages;
    if (mkdir(lab->manner->folder, 0777) && errno != EEXIST) {
        return err_set(err, ST_IO, "unwritable", "cannot create folder %s: %s",
                       lab->manner->folder, strerror(errno));
    }
    st = create_results(lab, outcome, err);
    if (!st) {
        st = run_create(lab->experiment, &options, results_sink(lab->results),
                        &lab->run, err);
        if (!st && lab->manner->publish) {
            struct switch_instance *ignored;

            st = run_find_switch(lab->run, lab->manner->publish, &ignored, err);
            if (st) {
                st = err->status = ST_INVALID; /* A wrong option. */
            }
        }
        if (st) {
            /* There is no run to keep results of. */
            results_abandon(lab->results);
            lab->results = NULL;
            (void)remove_results(outcome->path, NULL);
        }
    }
    if (!st) {
        st = carry_out(lab, arena, outcome, err);
    }
    run_destroy(lab->run);
    results_abandon(lab->results);
    return st;
}

enum st
run_one(const struct run_manner *manner, const struct run_plan *plan,
        size_t number, struct arena *arena, struct run_outcome *outcome,
        struct err *err)
{
    struct lab_run lab = {.manner = manner};
    struct text path = {0};
    enum st st;

    *outcome = (struct run_outcome){.state = RESULTS_INCOMPLETE};
    lab.experiment = arena_alloc(arena, 1, sizeof *lab.experiment);
    st = run_plan_load(plan, number, arena, lab.experiment, err);
    if (!st) {
        st = make_key(manner, lab.experiment, outcome->key, err);
    }
    if (st) {
        return st;
    }
    text_addf(&path, "%s/%s-%.*s" RESULTS_SUFFIX, manner->folder,
              lab.experiment->scenario.name, KEY_IN_NAME, outcome->key);
    outcome->path = arena_strdup(arena, text_string(&path));
    if (lab.experiment->scenario.record.pcap.at.n) {
        path.bytes[path.length - strlen(RESULTS_SUFFIX)] = '\0';
        outcome->captures = arena_strdup(arena, path.bytes);
    }
    text_fini(&path);
    if (!manner->again && !manner->stands && take_existing(outcome)) {
        return judge_file(&lab.experiment->scenario, arena, outcome, err);
    }
    return build_and_run(&lab, arena, outcome, err);
}
