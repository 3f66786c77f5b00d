/* SPDX-License-Identifier: Apache-2.0 */

/* "orchctl config lint": prints findings about a file or about orchd. */

#include <config.h>

#include "orchctl/lint_verb.h"

#include <stdio.h>
#include <string.h>

#include "offline/pipeline.h"
#include "orchctl/client.h"
#include "orchctl/member.h"
#include "orchctl/offline_config.h"
#include "orchd/control/protocol.h"
#include "orchd/report/findings.h"
#include "orchd/report/row_answers.h"
#include "sai/stack/journal.h"
#include "twin/chip/yaml/chip_file.h"

static void
print_finding(const json_t *finding, bool explain)
{
    json_int_t n_more = member_number(finding, "n_more");

    printf("\n%s: %s (%s)\n", member_text(finding, "row"),
           member_text(finding, "code"), member_text(finding, "level"));
    if (n_more) {
        printf("  and %lld more\n", (long long)n_more);
    }
    printf("  found       %s\n", member_text(finding, "reason"));
    if (explain) {
        printf("  means       %s\n", member_text(finding, "explanation"));
    }
    printf("  remedy      %s\n", member_text(finding, "remedy"));
}

/* Prints the explanation of a rule only with its first finding. */
static void
print_findings(const json_t *data)
{
    const json_t *chip = json_object_get(data, "chip");
    const char *last = "";
    size_t i;
    json_t *finding;

    printf("Warnings: %lld, notes: %lld", member_number(data, "warnings"),
           member_number(data, "notes"));
    if (json_is_string(chip)) {
        printf(", for chip %s.\n", json_string_value(chip));
    } else {
        printf("; the chip is unknown, so rules that need it were skipped.\n");
    }
    json_array_foreach(json_object_get(data, "findings"), i, finding)
    {
        const char *code = member_text(finding, "code");

        print_finding(finding, strcmp(code, last) != 0);
        last = code;
    }
}

/* Prints 'data'; returns the exit code. */
static int
finish(const struct invocation *invocation, const json_t *data)
{
    if (invocation->json) {
        verb_print_json(data);
    } else {
        print_findings(data);
        if (member_number(data, "first_generation") !=
            member_number(data, "generation")) {
            printf("The configuration has changed meanwhile, from generation "
                   "%lld to %lld.\n",
                   member_number(data, "first_generation"),
                   member_number(data, "generation"));
        }
    }
    return member_number(data, "warnings") ? CONTROL_NO : CONTROL_DONE;
}

/* Checks a file. */
static enum st
lint_file(const struct invocation *invocation, int *code, struct err *err)
{
    struct offline_config config;
    struct chip *chip = NULL;
    struct err no_chip;
    enum st status = offline_config_open(invocation, NULL, &config, err);
    json_t *data;

    status = status ? status
                    : offline_config_load(&config, invocation->operands[0],
                                          NULL, err);
    if (!status) {
        if (pipeline_chip(config.pipeline, &chip, &no_chip)) {
            chip = NULL;
        }
        data = findings_find(pipeline_agent(config.pipeline),
                             journal_backend(pipeline_journal(config.pipeline)),
                             chip);
        *code = finish(invocation, data);
        json_decref(data);
        chip_file_destroy(chip);
    }
    offline_config_close(&config);
    return status;
}

/* Lets orchd check the configuration in force. */
static int
lint_running(struct invocation *invocation)
{
    struct client *client = NULL;
    struct reply reply = {0};
    struct err err = {0};
    int code = CONTROL_UNREACHABLE;
    enum st status = client_connect(invocation->control,
                                    invocation->timeout_seconds, &client, &err);

    status = status ? status
                    : client_call(client, "config", "lint", json_object(),
                                  &reply, &err);
    if (status) {
        verb_complain(&err);
    } else if (!reply.data) {
        (void)reply_error(&reply, &err);
        verb_complain(&err);
        code = CONTROL_NO;
    } else {
        code = finish(invocation, reply.data);
    }
    reply_fini(&reply);
    client_close(client);
    return code;
}

int
config_lint(struct invocation *invocation)
{
    struct err err = {0};
    int code = CONTROL_NO;
    enum st status;

    if (!invocation->n_operands) {
        return lint_running(invocation);
    }
    status = lint_file(invocation, &code, &err);
    if (status) {
        verb_complain(&err);
        return status == ST_INVALID || status == ST_NOT_FOUND ? CONTROL_USAGE
                                                              : CONTROL_NO;
    }
    return code;
}
