/* SPDX-License-Identifier: Apache-2.0 */

/* Converts statuses to messages of SONiC. */

#include <config.h>

#include "orchd/publish/response.h"

#include <string.h>

#include "base/text.h"
#include "orchd/db/redis.h"
#include "orchd/intent/key.h"
#include "orchd/reconcile/listener.h"

/* Returns SONiC's name of 'st'. */
static const char *
code_of(enum st st)
{
    switch (st) {
    case ST_OK:
        return "SWSS_RC_SUCCESS";
    case ST_INVALID:
        return "SWSS_RC_INVALID_PARAM";
    case ST_NOT_FOUND:
        return "SWSS_RC_NOT_FOUND";
    case ST_EXISTS:
        return "SWSS_RC_EXISTS";
    case ST_BUSY:
        return "SWSS_RC_IN_USE";
    case ST_NO_RESOURCE:
        return "SWSS_RC_FULL";
    case ST_UNSUPPORTED:
        return "SWSS_RC_UNIMPLEMENTED";
    case ST_DEVICE:
    case ST_IO:
        break;
    }
    return "SWSS_RC_INTERNAL";
}

/* Returns whether APPL_DB has 'table', under a name of its own. */
static bool
is_in_appl_db(enum table table)
{
    return table == TABLE_PORT || table == TABLE_PFC_WD ||
           !strncmp(table_name(table), "BUFFER_", strlen("BUFFER_"));
}

static void
add_string(struct text *message, const char *string)
{
    text_add_char(message, ',');
    text_add_json(message, string);
}

static void
send(struct redis *redis, const struct row_status *status, const char *code,
     const char *origin, size_t n_fields)
{
    struct text channel = {0}, message = {0}, text = {0};

    if (key_is_internal(status->key)) {
        return; /* No other program knows internal rows. */
    }
    text_add(&channel, "APPL_DB_");
    text_add(&channel, table_name(status->table));
    text_add(&channel, is_in_appl_db(status->table) ? "_TABLE" : "");
    text_add(&channel, "_RESPONSE_CHANNEL");
    text_add_char(&message, '[');
    text_add_json(&message, code);
    text_add(&text, status->key);
    if (text.length) {
        key_separate(text.bytes, ':');
    }
    add_string(&message, text_string(&text));
    add_string(&message, "err_str");
    text_clear(&text);
    if (*origin) {
        text_add(&text, origin);
        text_add(&text, status->err.reason);
    }
    add_string(&message, text_string(&text));
    for (size_t i = 0; i < n_fields; i++) {
        add_string(&message, status->fields[i].name);
        add_string(&message, status->fields[i].value);
    }
    text_add_char(&message, ']');
    redis_publish(redis, text_string(&channel), text_string(&message));
    text_fini(&channel);
    text_fini(&message);
    text_fini(&text);
}

void
response_send(struct redis *redis, const struct row_status *status)
{
    bool sai = !strncmp(status->err.code, "sai:", strlen("sai:"));

    switch (status->state) {
    case ROW_STATE_APPLIED:
        send(redis, status, code_of(ST_OK), "",
             status->fields ? status->n_fields : 0);
        break;
    case ROW_STATE_FAILED:
    case ROW_STATE_REJECTED:
    case ROW_STATE_UNSUPPORTED:
        send(redis, status, code_of(status->err.status),
             sai ? "[SAI] " : "[OrchAgent] ", 0);
        break;
    default:
        break;
    }
}

void
response_send_gone(struct redis *redis, const struct row_status *status)
{
    send(redis, status, code_of(ST_OK), "", 0);
}
