/* SPDX-License-Identifier: Apache-2.0 */

/* Changes of a fabric that stands still: rows of switches, links, and adapters.
 *
 * A row of a switch goes the way of a box: the configuration with the new value
 * is checked, derived, translated, planned and programmed
 * (run_switch_set()).  How fast a switch obeys pauses is no row, but a
 * property of the device.  A link gets a fault, or loses one, as by 'faults:'
 * of the scenario.  A value of a host or a switch is read as in the scenario
 * (scenario_set_host(), scenario_parse_pfc_response()). */

#include <config.h>

#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "base/nearest.h"
#include "base/text.h"
#include "lab/exec/run.h"
#include "lab/exec/run_state.h"

enum { WORDS_MAX = 6, TEXT_SIZE = 512 };

#define LINK_FORM   "set link NODE NODE up|down|loss RATIO|drop_every N"
#define HOST_FORM   "set host HOSTS KEY VALUE"
#define SWITCH_FORM "set SWITCH TABLE|KEY FIELD VALUE"
#define PAUSE_FORM  "set SWITCH " PAUSE_KEY " TIME"

/* The key of a switch's role that can be changed. */
#define PAUSE_KEY "pfc_response"

/* The words of a command; the last has the rest of the line. */
struct words {
    char text[TEXT_SIZE];
    const char *list[WORDS_MAX];
    size_t n;
};

/* Splits 'text' into at most 'most' words.  False: it is too long. */
static bool
split(const char *text, size_t most, struct words *words)
{
    char *at = words->text;

    words->n = 0;
    if (!text_copy(words->text, sizeof words->text, text)) {
        return false;
    }
    while (*(at += strspn(at, " ")) && words->n < most) {
        words->list[words->n++] = at;
        at += words->n < most ? strcspn(at, " ") : strlen(at);
        if (*at) {
            *at++ = '\0';
        }
    }
    return true;
}

static enum st
fail_form(const char *form, struct err *err)
{
    return err_set(err, ST_INVALID, "usage", "expected: %s", form);
}

/* Switches ----------------------------------------------------------------- */

/* Returns 'value', or NULL if it is the word for none. */
static const char *
value_of(const char *value)
{
    return strcmp(value, "null") ? value : NULL;
}

/* Makes the time in which a switch obeys pauses that arrive from now on the
 * last of 'words'. */
static enum st
set_pause_response(struct run *run, const struct words *words, struct err *err)
{
    struct switch_instance *instance;
    int64_t response_ps;
    enum st st;

    if (words->n != 3) {
        return fail_form(PAUSE_FORM, err);
    }
    st = run_find_switch(run, words->list[0], &instance, err);
    st = st ? st
            : scenario_parse_pfc_response(words->list[2], &response_ps, err);
    if (!st) {
        sim_set_pause_response(switch_instance_sim(instance), response_ps);
    }
    return st;
}

static enum st
set_row(struct run *run, const struct words *words, struct err *err)
{
    struct switch_instance *instance;
    struct switch_set set = {0};
    enum st st;

    if (words->n < 3 || !strchr(words->list[1], '|') ||
        (words->n == 3 && value_of(words->list[2]))) {
        return fail_form(SWITCH_FORM, err);
    }
    st = run_find_switch(run, words->list[0], &instance, err);
    if (st) {
        return st;
    }
    set.row = words->list[1];
    if (words->n == 4) {
        set.field = words->list[2];
        set.value = value_of(words->list[3]);
    }
    return run_switch_set(run, topology_find(run->topology, words->list[0]),
                          &set, 1, err);
}

static enum st
set_switch(struct run *run, const char *text, struct err *err)
{
    struct words words;

    if (!split(text, 4, &words)) {
        return fail_form(SWITCH_FORM, err);
    }
    return words.n > 1 && !strcmp(words.list[1], PAUSE_KEY)
               ? set_pause_response(run, &words, err)
               : set_row(run, &words, err);
}

/* Links -------------------------------------------------------------------- */

/* What can be set of a link. */
static const struct {
    const char *name;
    enum fault_kind kind;
    bool has_value;
    bool ends; /* A fault of this kind. */
} link_settings[] = {
    {"up", FAULT_DOWN, false, true},
    {"down", FAULT_DOWN, false, false},
    {"loss", FAULT_LOSS, true, false},
    {"drop_every", FAULT_DROP_EVERY, true, false},
};

#define N_SETTINGS (sizeof link_settings / sizeof link_settings[0])

/* Reads the value of setting 'which' into '*fault'. */
static enum st
read_value(size_t which, const char *value, struct fault_spec *fault,
           struct err *err)
{
    static const struct ratio one = {1, 1};
    enum st st = ST_OK;

    if (fault->kind == FAULT_LOSS) {
        st = quantity_parse_ratio(value, &fault->loss, err);
        if (!st && ratio_compare(&fault->loss, &one) > 0) {
            st = err_set(err, ST_INVALID, "range",
                         "loss is a number in 0..1, not '%.40s'", value);
        }
    } else if (link_settings[which].has_value) {
        st = quantity_parse(QUANTITY_COUNT, value, &fault->every, err);
        if (!st && (fault->every < 1 || fault->every > UINT32_MAX)) {
            st = err_set(err, ST_INVALID, "range",
                         "drop_every is a number in 1..4294967295, not "
                         "'%.40s'",
                         value);
        }
    }
    return st;
}

/* Finds setting 'name' of links. */
static enum st
find_setting(const char *name, size_t *which, struct err *err)
{
    struct choices choices;

    for (size_t i = 0; i < N_SETTINGS; i++) {
        if (!strcmp(link_settings[i].name, name)) {
            *which = i;
            return ST_OK;
        }
    }
    choices_init(&choices, name);
    for (size_t i = 0; i < N_SETTINGS; i++) {
        choices_add(&choices, link_settings[i].name);
    }
    err_set(err, ST_INVALID, "usage", "a link has no '%.40s'", name);
    return choices_explain(&choices, "setting", err);
}

/* Finds the link that the first words name, "A B" or "A.B", and stores how many
 * these are in '*n'. */
static enum st
find_link(struct run *run, const struct words *words, uint32_t *link, size_t *n,
          struct err *err)
{
    static const struct scenario_place nowhere;
    unsigned int end;
    char name[2 * TEXT_SIZE];

    *n = words->n && strchr(words->list[0], '.') ? 1 : 2;
    if (words->n <= *n) {
        return fail_form(LINK_FORM, err);
    }
    text_format(name, sizeof name, "%s%s%s", words->list[0], *n == 2 ? "." : "",
                *n == 2 ? words->list[1] : "");
    return references_link(run->scenario, run->topology, name, &nowhere,
                           run->arena, link, &end, err);
}

static enum st
set_link(struct run *run, const char *text, struct err *err)
{
    struct fault_spec fault = {.direction = FAULT_BOTH,
                               .for_ps = QUANTITY_INFINITE};
    struct words words;
    uint32_t link;
    size_t at, which;
    enum st st;

    if (!split(text, WORDS_MAX, &words)) {
        return fail_form(LINK_FORM, err);
    }
    st = find_link(run, &words, &link, &at, err);
    st = st ? st : find_setting(words.list[at], &which, err);
    if (st) {
        return st;
    }
    if (words.n != at + 1 + link_settings[which].has_value) {
        return fail_form(LINK_FORM, err);
    }
    fault.kind = link_settings[which].kind;
    st = read_value(which, words.list[words.n - 1], &fault, err);
    if (st) {
        return st;
    }
    return link_settings[which].ends ||
                   (fault.kind == FAULT_LOSS && fault.loss.numerator == 0)
               ? run_fault_end(run, link, fault.kind, err)
               : run_fault_begin(run, link, &fault, err);
}

/* Hosts -------------------------------------------------------------------- */

static enum st
set_host(struct run *run, const char *text, struct err *err)
{
    struct words words;

    if (!split(text, 3, &words) || words.n != 3) {
        return fail_form(HOST_FORM, err);
    }
    return run_hosts_set(run, words.list[0], words.list[1], words.list[2], err);
}

/* -------------------------------------------------------------------------- */

/* Returns whether 'word' is the first of 'text'. */
static bool
begins_with(const char *text, const char *word)
{
    return strcspn(text, " ") == strlen(word) &&
           !strncmp(text, word, strlen(word));
}

enum st
run_set(struct run *run, const char *text, struct err *err)
{
    enum st st;

    text += strspn(text, " ");
    if (!*text) {
        err_set(err, ST_INVALID, "usage", "set needs what to change");
        err_set_remedy(err, "%s; %s; %s; or %s", SWITCH_FORM, PAUSE_FORM,
                       LINK_FORM, HOST_FORM);
        return ST_INVALID;
    }
    st = begins_with(text, "link")   ? set_link(run, text + 4, err)
         : begins_with(text, "host") ? set_host(run, text + 4, err)
                                     : set_switch(run, text, err);
    if (!st && run->has_failed) {
        *err = run->failure;
        st = run->failure.status;
    }
    if (!st) {
        const struct sink_change change = {.number =
                                               run->n_notes + run->n_changes++,
                                           .t_ps = run_now(run),
                                           .text = text};

        if (run->sink->changed) {
            run->sink->changed(run->sink->context, &change);
        }
    }
    return st;
}

uint32_t
run_changes(const struct run *run)
{
    return run->n_changes;
}
