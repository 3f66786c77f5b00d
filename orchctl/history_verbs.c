/* SPDX-License-Identifier: Apache-2.0 */

/* "orchctl config history", "comment", "rollback" and "save": the configuration
 * as it was, and as it is. */

#include <config.h>

#include "orchctl/history_verbs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/parse.h"
#include "base/text.h"
#include "command/grid.h"
#include "orchctl/client.h"
#include "orchctl/member.h"
#include "orchctl/plan_verb.h"
#include "orchctl/verb.h"
#include "orchd/control/protocol.h"
#include "orchd/files/config_file.h"

/* Stores the number of a generation as argument 'name'. */
static enum st
take_generation(const struct invocation *invocation, const char *text,
                const char *name, struct err *err)
{
    uint64_t generation;

    if (parse_u64(text, 0, INT64_MAX, &generation)) {
        enum st status = err_set(err, ST_INVALID, "usage",
                                 "'%s' is not a generation number", text);

        err_set_remedy(err, "list the generations with orchctl config history");
        return status;
    }
    json_object_set_new(invocation->arguments, name,
                        json_integer((json_int_t)generation));
    return ST_OK;
}

/* Sends the request 'verb' with 'arguments', which it takes.  Returns the exit
 * code; 'reply' is to be ended in any case. */
static int
ask(const struct invocation *invocation, const char *verb, json_t *arguments,
    struct reply *reply, struct err *err)
{
    struct client *client = NULL;
    enum st status = client_connect(invocation->control,
                                    invocation->timeout_seconds, &client, err);

    if (status) {
        json_decref(arguments);
    } else {
        status = client_call(client, invocation->verb->noun, verb, arguments,
                             reply, err);
    }
    client_close(client);
    if (status) {
        return status == ST_INVALID ? CONTROL_USAGE : CONTROL_UNREACHABLE;
    }
    (void)reply_error(reply, err);
    return reply->exit;
}

/* --- Changes ------------------------------------------------------------ */

/* Prints the fields of 'row' that 'other' (null: no row) has not. */
static void
print_fields(const json_t *row, const json_t *other, char mark)
{
    const char *name;
    json_t *value;

    json_object_foreach((json_t *)(uintptr_t)row, name, value)
    {
        if (!json_equal(value, json_object_get(other, name))) {
            printf("    %c %s %s\n", mark, name, json_string_value(value));
        }
    }
}

/* Prints rows that differ, and the fields that do. */
static void
print_changes(const json_t *changes)
{
    size_t i;
    json_t *change;

    json_array_foreach(changes, i, change)
    {
        const json_t *before = json_object_get(change, "before");
        const json_t *after = json_object_get(change, "after");

        printf("%c %s\n",
               json_is_null(before)  ? '+'
               : json_is_null(after) ? '-'
                                     : '~',
               member_text(change, "row"));
        print_fields(before, after, '-');
        print_fields(after, before, '+');
    }
    if (!json_array_size(changes)) {
        printf("No row differs.\n");
    }
}

/* --- config history ----------------------------------------------------- */

/* "diff N [M]" becomes the arguments of another request. */
static enum st
prepare_history(const struct invocation *invocation, struct err *err)
{
    const char *const *words = invocation->operands;
    enum st status;

    if (strcmp(words[0], "diff") != 0 || invocation->n_operands < 2) {
        status = err_set(err, ST_INVALID, "usage",
                         "config history takes no operands, or 'diff N [M]'");
        err_set_remedy(err, "see orchctl config history --help");
        return status;
    }
    status = take_generation(invocation, words[1], "from", err);
    return status || invocation->n_operands < 3
               ? status
               : take_generation(invocation, words[2], "to", err);
}

/* Where the summary begins, and the width of a line. */
#define SUMMARY_COLUMN 40
#define LINE_WIDTH     80

/* Prints the items of 'summary', which are separated by ", ", on as many lines
 * as they need; the first has begun. */
static void
print_summary(const char *summary)
{
    size_t column = SUMMARY_COLUMN;

    while (*summary) {
        const char *end = strstr(summary, ", ");
        const size_t length =
            end ? (size_t)(end - summary) + 1 : strlen(summary);

        if (column > SUMMARY_COLUMN && column + 1 + length > LINE_WIDTH) {
            printf("\n%*s", SUMMARY_COLUMN, "");
            column = SUMMARY_COLUMN;
        } else if (column > SUMMARY_COLUMN) {
            putchar(' ');
            column++;
        }
        printf("%.*s", (int)length, summary);
        column += length;
        summary += length + (end != NULL);
    }
    putchar('\n');
}

/* Prints one generation.  Its time is to the second: "2026-01-02 03:04:05". */
static void
print_entry(const json_t *entry)
{
    const char *time = member_text(entry, "time");
    char rows[GRID_NUMBER_SIZE] = "-";

    if (json_object_get(entry, "rows_changed")) {
        grid_group(member_number(entry, "rows_changed"), rows);
    }
    printf("%10lld %.10s %.8s %8s ", member_number(entry, "generation"), time,
           strlen(time) > 11 ? time + 11 : "", rows);
    print_summary(json_object_get(entry, "summary")
                      ? member_text(entry, "summary")
                      : "(not recorded)");
    if (*member_text(entry, "comment")) {
        printf("%10s \"%s\"\n", "", member_text(entry, "comment"));
    }
}

static void
print_history(const json_t *data)
{
    const json_int_t n_since = member_number(data, "rows_since");
    size_t i;
    json_t *entry;

    printf("%10s %-19s %8s %s\n", "GENERATION", "TIME (UTC)", "ROWS",
           "SUMMARY");
    json_array_foreach(json_object_get(data, "generations"), i, entry)
    {
        print_entry(entry);
    }
    if (n_since) {
        printf("Not a generation yet, because CONFIG_DB is changing: %lld "
               "row%s.\n",
               (long long)n_since, text_plural((uint64_t)n_since));
    }
}

int
config_history(struct invocation *invocation)
{
    const bool diff = invocation->n_operands > 0;
    struct reply reply = {0};
    struct err err = {0};
    int code = CONTROL_USAGE;

    if (diff && prepare_history(invocation, &err)) {
        verb_complain(&err);
        return code;
    }
    code = ask(invocation, diff ? "history-diff" : "history",
               json_incref(invocation->arguments), &reply, &err);
    if (code) {
        verb_complain(&err);
    } else if (invocation->json) {
        verb_print_json(reply.data);
    } else if (diff) {
        print_changes(json_object_get(reply.data, "changes"));
    } else {
        print_history(reply.data);
    }
    reply_fini(&reply);
    return code;
}

/* --- config comment ----------------------------------------------------- */

enum st
history_prepare_comment(struct invocation *invocation, struct err *err)
{
    const size_t last = invocation->n_operands - 1;
    json_t *comment = json_string(invocation->operands[last]);

    if (!comment) {
        return err_set(err, ST_INVALID, "usage", "the comment is not UTF-8");
    }
    json_object_set_new(invocation->arguments, "comment", comment);
    return last ? take_generation(invocation, invocation->operands[0],
                                  "generation", err)
                : ST_OK;
}

void
history_print_comment(const struct invocation *invocation, const json_t *data)
{
    (void)invocation;
    printf("Commented on generation %lld.\n",
           member_number(data, "generation"));
}

/* --- config rollback ---------------------------------------------------- */

/* Returns the rows after the changes. */
static json_t *
apply_changes(json_t *rows, const json_t *changes)
{
    json_t *result = json_copy(rows), *change;
    size_t i;

    json_array_foreach(changes, i, change)
    {
        json_t *after = json_object_get(change, "after");

        if (json_is_null(after)) {
            json_object_del(result, member_text(change, "row"));
        } else {
            json_object_set(result, member_text(change, "row"), after);
        }
    }
    return result;
}

/* Makes the switch of the dry run that of orchd, as far as the options do not
 * say otherwise. */
static void
take_switch(const struct invocation *invocation, const json_t *data)
{
    json_t *own = json_object_get(invocation->arguments, "set");
    json_t *settings = json_copy(json_object_get(data, "settings"));

    if (!json_object_get(invocation->arguments, "model") &&
        json_object_get(data, "model")) {
        json_object_set(invocation->arguments, "model",
                        json_object_get(data, "model"));
    }
    if (!json_object_get(invocation->arguments, "config")) {
        json_array_extend(settings, own);
        json_object_set(invocation->arguments, "set", settings);
    }
    json_decref(settings);
}

/* Shows the rows and the SAI calls of a rollback. */
static int
show_rollback(const struct invocation *invocation, json_t *data)
{
    const json_t *changes = json_object_get(data, "changes");
    json_t *before = json_object_get(data, "rows");
    json_t *after = apply_changes(before, changes);
    json_t *from = config_file_tables(before);
    json_t *to = config_file_tables(after);
    json_t *plan = NULL;
    struct err err = {0};
    enum st status;

    take_switch(invocation, data);
    status = plan_verb_make(invocation, from, to, &plan, &err);
    if (invocation->json) {
        json_object_del(data, "rows");
        json_object_del(data, "settings");
        json_object_set(data, "plan", plan ? plan : json_null());
        verb_print_json(data);
    } else {
        printf("Rows to write to restore generation %lld:\n",
               member_number(data, "generation"));
        print_changes(changes);
        putchar('\n');
    }
    if (!status && !invocation->json) {
        plan_verb_print(plan);
    }
    if (status) {
        fflush(stdout);
        verb_complain(&err);
    }
    json_decref(plan);
    json_decref(from);
    json_decref(to);
    json_decref(after);
    return status ? CONTROL_NO : CONTROL_DONE;
}

/* Asks whether to continue.  Returns the answer; no without a terminal. */
static bool
confirm(const json_t *data)
{
    char number[GRID_NUMBER_SIZE], answer[16];

    if (!isatty(STDIN_FILENO)) {
        return false;
    }
    printf("This removes %s rows.  Continue? [y/N] ",
           grid_group(member_number(data, "rows_removed"), number));
    fflush(stdout);
    return fgets(answer, sizeof answer, stdin) &&
           (!strcmp(answer, "y\n") || !strcmp(answer, "yes\n"));
}

static void
print_rollback(const json_t *data, uint64_t wanted)
{
    const json_int_t n_written = member_number(data, "rows_written");
    const json_int_t generation = member_number(data, "generation");

    printf("Restored generation %lld", (long long)generation);
    if ((uint64_t)generation != wanted) {
        printf(" (the last one up to %llu)", (unsigned long long)wanted);
    }
    printf(": %lld row%s written, %lld removed.\n", (long long)n_written,
           text_plural((uint64_t)n_written),
           member_number(data, "rows_removed"));
    config_print_answers(data);
}

/* Asks for a rollback; see ask(). */
static int
ask_rollback(const struct invocation *invocation, uint64_t generation, bool yes,
             struct reply *reply, struct err *err)
{
    json_t *arguments =
        json_pack("{s:I, s:O}", "generation", (json_int_t)generation, "seconds",
                  json_object_get(invocation->arguments, "seconds"));

    if (yes) {
        json_object_set_new(arguments, "yes", json_true());
    }
    return ask(invocation, "rollback", arguments, reply, err);
}

/* Rolls back, if need be after a question. */
static int
roll_back(struct invocation *invocation, uint64_t generation)
{
    struct reply reply = {0};
    struct err err = {0};
    int code;

    verb_let_wait(invocation);
    code = ask_rollback(invocation, generation, verb_flag(invocation, "yes"),
                        &reply, &err);
    if (!strcmp(err.code, "removes-rows") && !invocation->json &&
        confirm(reply.data)) {
        reply_fini(&reply);
        memset(&err, 0, sizeof err);
        code = ask_rollback(invocation, generation, true, &reply, &err);
    }
    if (reply.data && invocation->json) {
        verb_print_json(reply.data);
    } else if (json_object_get(reply.data, "counts")) {
        print_rollback(reply.data, generation);
    }
    if (code) {
        fflush(stdout);
        verb_complain(&err);
    }
    reply_fini(&reply);
    return code;
}

int
config_rollback(struct invocation *invocation)
{
    struct reply reply = {0};
    struct err err = {0};
    uint64_t generation;
    int code;

    if (take_generation(invocation, invocation->operands[0], "generation",
                        &err)) {
        verb_complain(&err);
        return CONTROL_USAGE;
    }
    generation = (uint64_t)verb_number(invocation, "generation", 0);
    if (!verb_flag(invocation, "dry-run")) {
        return roll_back(invocation, generation);
    }
    code = ask(invocation, "rollback-plan",
               json_pack("{s:I}", "generation", (json_int_t)generation), &reply,
               &err);
    if (code) {
        verb_complain(&err);
    } else {
        code = show_rollback(invocation, reply.data);
    }
    reply_fini(&reply);
    return code;
}

/* --- config save -------------------------------------------------------- */

/* Returns whether 'path' is a device or a pipe, which is written to, while a
 * file is replaced. */
static bool
is_special(const char *path)
{
    struct stat file;

    return !stat(path, &file) && !S_ISREG(file.st_mode);
}

/* Writes 'tables' to 'path', so that the file is complete at any moment.  Of a
 * symbolic link the file behind it is replaced. */
static enum st
write_file(const char *path, const json_t *tables, struct err *err)
{
    const bool special = is_special(path);
    char *real = special ? NULL : realpath(path, NULL);
    const char *target = real ? real : path;
    struct text other = {0};
    FILE *file;
    bool good;
    int cause;

    text_addf(&other, "%s%s", target, special ? "" : ".new");
    file = fopen(text_string(&other), "we");
    good = file && !json_dumpf(tables, file, JSON_INDENT(4) | JSON_SORT_KEYS) &&
           fputc('\n', file) != EOF && !fflush(file);
    cause = errno;
    if (file && fclose(file) && good) {
        good = false;
        cause = errno;
    }
    if (good && !special && rename(text_string(&other), target)) {
        good = false;
        cause = errno;
    }
    if (!good && file && !special) {
        unlink(text_string(&other));
    }
    text_fini(&other);
    free(real);
    return good ? ST_OK
                : err_set(err, ST_IO, "file", "%s cannot be written: %s", path,
                          strerror(cause));
}

/* Prints the rows that were not saved as they are in CONFIG_DB. */
static void
print_notes(const json_t *notes)
{
    size_t i;
    json_t *note;

    json_array_foreach(notes, i, note)
    {
        const char *saved = member_text(note, "saved");
        const bool left_out = !strcmp(saved, "no");

        printf("%s %s%s, because it is %s", left_out ? "Left out:" : "Saved",
               member_text(note, "row"), left_out ? "" : " ",
               member_text(note, "state"));
        if (*member_text(note, "reason")) {
            printf(" (%s)", member_text(note, "reason"));
        }
        printf("%s%s.\n", left_out ? "" : ": ", left_out ? "" : saved);
    }
}

int
config_save(struct invocation *invocation)
{
    const char *path = invocation->operands[0];
    struct reply reply = {0};
    struct err err = {0};
    const json_t *tables;
    json_int_t n;
    int code = ask(invocation, "save", json_incref(invocation->arguments),
                   &reply, &err);

    tables = json_object_get(reply.data, "tables");
    if (!code && write_file(path, tables, &err)) {
        code = CONTROL_NO;
    }
    if (code) {
        verb_complain(&err);
    } else {
        n = member_number(reply.data, "rows");
        json_object_del(reply.data, "tables");
        if (invocation->json) {
            verb_print_json(reply.data);
        } else {
            printf("Saved %lld row%s to %s.\n", (long long)n,
                   text_plural((uint64_t)n), path);
            print_notes(json_object_get(reply.data, "notes"));
            if (member_number(reply.data, "first_generation") !=
                member_number(reply.data, "generation")) {
                printf("The configuration has changed meanwhile, so rows may "
                       "be of different moments.\n");
            }
        }
    }
    reply_fini(&reply);
    return code;
}
