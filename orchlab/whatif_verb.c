/* SPDX-License-Identifier: Apache-2.0 */

/* "orchlab whatif": its options, its questions, and their figures. */

#include <config.h>

#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "base/text.h"
#include "orchlab/run_folders.h"
#include "orchlab/run_one.h"
#include "orchlab/verb.h"
#include "orchlab/whatif.h"
#include "process/places.h"
#include "results/database.h"
#include "results/draw.h"
#include "results/figure.h"

const struct option whatif_options[] = {
    {"each", OPTION_TEXT, "link|switch", 0, 0,
     "fail: what fails, one after the other (link)"},
    {"link", OPTION_TEXTS, "A.B", 0, 0,
     "fail: only this link between switches; may be repeated.  link: this "
     "link, "
     "and all of its level"},
    {"switch", OPTION_TEXTS, "NAME", 0, 0,
     "fail: only this switch; may be repeated"},
    {"at", OPTION_TEXT, "TIME", 0, 0,
     "fail: when (a quarter of the scenario's time)"},
    {"for", OPTION_TEXT, "TIME", 0, 0, "fail: how long (to the end)"},
    {"every", OPTION_TEXT, "TIME", 0, 0,
     "fail: interval in which hosts are looked at (a hundredth of the time "
     "left)"},
    {"length", OPTION_TEXT, "LENGTHS", 0, 0,
     "link: the new length, or several: 10km,40km or 10km..80km"},
    {"factor", OPTION_TEXT, "RATIOS", 0, 0,
     "headroom: that of all lossless profiles, times this or each of these"},
    {"ratio", OPTION_TEXT, "N", 0, 0,
     "headroom: shared by all priority groups, of which a pool has one Nth; or "
     "several: 1,4 or 1..16"},
    {"nic", OPTION_TEXT, "PROFILE", 0, 0, "nic: the profile of all adapters"},
    {"dcqcn", OPTION_TEXT, "PROFILE", 0, 0, "nic: their congestion control"},
    {"role", OPTION_TEXT, "ROLE", 0, 0, "model: of which switches"},
    {"chip", OPTION_TEXT, "NAME", 0, 0, "model: their chip file"},
    {"config", OPTION_TEXT, "NAME", 0, 0, "model: their configuration"},
    {"output", OPTION_TEXT, "FILE", 0, 0, "draw a figure, .svg, .png or .pdf"},
    {"figures", OPTION_TEXT, "FOLDER", 0, 0, "folder of templates"},
    {"seed", OPTION_TEXT, "N", 0, 0, "the seed"},
    {"set", OPTION_TEXTS, "PATH=VALUE", 0, 0,
     "put a value into the scenario; may be repeated"},
    {"only", OPTION_TEXT, "RUN", 0, 0, "the run with that number or label"},
    {"quiet", OPTION_FLAG, NULL, 0, 0, "print no progress"},
    RUN_FOLDERS_OPTIONS,
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL},
};

enum { OWN_OPTIONS_MAX = 6 };

static const struct question {
    const char *name;
    int (*answer)(const struct invocation *invocation);
    /* The options that not all questions have; NULL ends them. */
    const char *own[OWN_OPTIONS_MAX + 1];
} questions[] = {
    {"fail", whatif_fail, {"each", "link", "switch", "at", "for", "every"}},
    {"link", whatif_change, {"link", "length"}},
    {"headroom", whatif_change, {"factor", "ratio"}},
    {"nic", whatif_change, {"nic", "dcqcn"}},
    {"model", whatif_change, {"role", "chip", "config"}},
};

#define N_QUESTIONS (sizeof questions / sizeof *questions)

static bool
has_own(const struct question *question, const char *option)
{
    for (size_t i = 0; question->own[i]; i++) {
        if (strcmp(question->own[i], option) == 0) {
            return true;
        }
    }
    return false;
}

/* Refuses what the command line has for other questions, which would do
 * nothing, and a figure that cannot be drawn after all runs. */
static enum st
check_options(const struct invocation *invocation,
              const struct question *question, struct err *err)
{
    const char *output = verb_option(invocation, "output", NULL);

    for (size_t i = 0; i < N_QUESTIONS; i++) {
        for (size_t k = 0; questions[i].own[k]; k++) {
            const char *option = questions[i].own[k];

            if (json_object_get(invocation->arguments, option) &&
                !has_own(question, option)) {
                struct text own = {0};

                for (size_t n = 0; question->own[n]; n++) {
                    text_addf(&own, "%s--%s", n ? ", " : "", question->own[n]);
                }
                (void)err_set(err, ST_INVALID, "usage",
                              "whatif %s has no option --%s, which belongs to "
                              "whatif %s",
                              question->name, option, questions[i].name);
                err_set_field(err, option, NULL, text_string(&own));
                text_fini(&own);
                return ST_INVALID;
            }
        }
    }
    return output ? figure_check_output(output, err) : ST_OK;
}

int
whatif_verb(const struct invocation *invocation)
{
    const char *name = invocation->operands[0];
    struct choices choices;
    struct err err = {0};

    for (size_t i = 0; i < N_QUESTIONS; i++) {
        if (strcmp(questions[i].name, name) == 0) {
            return check_options(invocation, &questions[i], &err)
                       ? verb_fail(&err)
                       : questions[i].answer(invocation);
        }
    }
    choices_init(&choices, name);
    for (size_t i = 0; i < N_QUESTIONS; i++) {
        choices_add(&choices, questions[i].name);
    }
    (void)err_set(&err, ST_INVALID, "usage", "whatif has no question '%.40s'",
                  name);
    (void)choices_explain(&choices, "question", &err);
    return verb_fail(&err);
}

/* Creates the table of the values of a figure. */
static enum st
fill(struct database *database, const struct whatif_value *values, size_t n,
     struct err *err)
{
    enum st st = database_run(
        database, "CREATE TABLE answer (run, number, kind, name, value)", err);
    struct query *query =
        st ? NULL
           : query_create(database, "INSERT INTO answer VALUES (1, ?1, ?2, ?3, "
                                    "?4)");

    for (size_t i = 0; !st && i < n; i++) {
        query_set_number(query, 1, (int64_t)i);
        query_set_text(query, 2, values[i].group);
        query_set_text(query, 3, values[i].name);
        query_set_real(query, 4, values[i].value);
        st = query_execute(query, err);
    }
    query_finish(query);
    return st;
}

void
whatif_set_manner(const struct invocation *invocation,
                  struct run_folders *folders, struct run_manner *manner)
{
    *manner = (struct run_manner){.folder = invocation->folder,
                                  .redis = "spawn",
                                  .quiet = verb_flag(invocation, "quiet"),
                                  .json = true};
    run_folders_find(invocation, folders, &manner->options);
}

enum st
whatif_draw(const struct invocation *invocation, const char *figure,
            const char *caption, const struct whatif_value *values, size_t n,
            struct err *err)
{
    const char *output = verb_option(invocation, "output", NULL);
    char folder[PLACES_PATH_SIZE];
    char path[PLACES_PATH_SIZE + 16];
    struct database *database = NULL;
    struct figure loaded;
    enum st st;

    if (!output) {
        return ST_OK;
    }
    (void)snprintf(path, sizeof path, "%s/whatif",
                   run_folders_figures(invocation, folder));
    st = draw_load(path, figure, &loaded, err);
    if (st) {
        return st;
    }
    st = database_create_temporary(&database, err);
    st = st ? st : fill(database, values, n, err);
    if (!st) {
        const struct figure_source source = {
            .database = database, .run = 1, .caption = caption};

        st = draw_figure(&loaded, &source, output, err);
    }
    database_close(database);
    figure_fini(&loaded);
    return st;
}
