/* SPDX-License-Identifier: Apache-2.0 */

/* Sessions: checks their permissions and answers each message. */

#include <config.h>

#include "sai/remote/sai_host.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/text.h"
#include "sai/remote/call.h"
#include "sai/remote/execute.h"
#include "sai/remote/notification.h"
#include "sai/remote/notification_queue.h"
#include "sai/remote/query.h"
#include "sai/remote/tester_rule.h"
#include "sai/remote/testers.h"

struct sai_host {
    struct host_library library;
    struct sai_host_watcher watcher;
    struct notification_callbacks callbacks; /* Ours, for the library. */
    struct notification_queue *notifications;
    struct session *sessions;
    struct session *writer; /* NULL: none. */
    struct testers *testers;
    bool allows_rescue;
};

struct session {
    struct sai_host *host;
    struct session *next, **link; /* In the list of the host. */
    struct wire_out *out;
    struct message_hello hello;       /* version 0: not let in, or not yet. */
    char refusal[MESSAGE_TEXT_BYTES]; /* Why not; "": it was no HELLO. */
    bool stopped;                     /* The last call has met an error. */
    const char *limit;                /* Why it may only read; NULL: it need
                                       * not. */
    struct tester *tester;            /* NULL: it is none. */
    uint64_t n_changes;
    struct session_last last;
};

/* The host of this process, for the callbacks. */
static struct sai_host *the_host;

/* Callbacks of the library ----------------------------------------------- */

/* Sends 'data' in notifications of limited length, which 'put' writes. */
#define IN_PARTS(put, n, data)                                                 \
    for (uint32_t at = 0; at < (n); at += MESSAGE_OBJECTS_MAX) {               \
        const uint32_t left = (n)-at;                                          \
        struct wire_out out = {0};                                             \
                                                                               \
        put(&out, left < MESSAGE_OBJECTS_MAX ? left : MESSAGE_OBJECTS_MAX,     \
            (data) + at);                                                      \
        notification_queue_put(the_host->notifications, &out);                 \
    }

static void
on_state(sai_object_id_t switch_id, sai_switch_oper_status_t status)
{
    struct wire_out out = {0};

    notification_put_state(&out, switch_id, status);
    notification_queue_put(the_host->notifications, &out);
}

static void
on_shutdown(sai_object_id_t switch_id)
{
    struct wire_out out = {0};

    notification_put_shutdown(&out, switch_id);
    notification_queue_put(the_host->notifications, &out);
}

static void
on_fdb(uint32_t n, const sai_fdb_event_notification_data_t *data)
{
    IN_PARTS(notification_put_fdb, n, data)
}

static void
on_ports(uint32_t n, const sai_port_oper_status_notification_t *data)
{
    IN_PARTS(notification_put_ports, n, data)
}

static void
on_queues(uint32_t n, const sai_queue_deadlock_notification_data_t *data)
{
    IN_PARTS(notification_put_queues, n, data)
}

/* The host ---------------------------------------------------------------- */

struct sai_host *
sai_host_create(const struct host_library *library,
                const struct sai_host_watcher *watcher)
{
    struct sai_host *host = check_calloc(1, sizeof *host);

    orch_assert(!the_host);
    host->library = *library;
    host->watcher = *watcher;
    host->callbacks = (struct notification_callbacks){
        on_state, on_shutdown, on_fdb, on_ports, on_queues, NULL};
    host->notifications = notification_queue_create();
    if (!host->notifications) {
        free(host);
        return NULL;
    }
    host->testers = testers_create(library->backend, library->objects);
    the_host = host;
    return host;
}

void
sai_host_allow_rescue(struct sai_host *host)
{
    host->allows_rescue = true;
}

void
sai_host_destroy(struct sai_host *host)
{
    if (host) {
        orch_assert(!host->sessions);
        the_host = NULL;
        notification_queue_destroy(host->notifications);
        testers_destroy(host->testers);
        free(host);
    }
}

unsigned int
sai_host_n_testers(const struct sai_host *host)
{
    return testers_n(host->testers);
}

int
sai_host_fd(const struct sai_host *host)
{
    return notification_queue_fd(host->notifications);
}

/* Returns the subscription that 'notice' needs. */
static uint8_t
subscription_of(const struct wire_out *notice)
{
    struct wire_in in = {notice->bytes, notice->length, false};

    return wire_get_u32(&in) == NOTIFICATION_TESTERS ? MESSAGE_SUBSCRIBE_TESTERS
                                                     : MESSAGE_SUBSCRIBE_SAI;
}

static void
put_notice(const struct session *session, const struct wire_out *notice)
{
    const size_t start = message_begin(session->out, MESSAGE_NOTIFICATION, 0);

    wire_put_bytes(session->out, notice->bytes, notice->length);
    (void)message_end(session->out, start);
}

/* Notifies that testers have come, left or changed something. */
static void
notify_testers(const struct sai_host *host)
{
    struct wire_out out = {0};

    notification_put_testers(&out);
    notification_queue_put(host->notifications, &out);
}

void
sai_host_notify(struct sai_host *host)
{
    struct wire_out notice = {0};

    while (notification_queue_take(host->notifications, &notice)) {
        const uint8_t kind = subscription_of(&notice);

        for (struct session *session = host->sessions; session;
             session = session->next) {
            if (session->hello.subscribe & kind) {
                put_notice(session, &notice);
            }
        }
        wire_out_fini(&notice);
    }
}

/* Sessions ---------------------------------------------------------------- */

struct session *
session_open(struct sai_host *host, struct wire_out *out)
{
    struct session *session = check_calloc(1, sizeof *session);

    session->host = host;
    session->out = out;
    session->next = host->sessions;
    session->link = &host->sessions;
    if (session->next) {
        session->next->link = &session->next;
    }
    host->sessions = session;
    return session;
}

static void
enter(const struct sai_host *host, bool limited)
{
    if (host->watcher.enter) {
        host->watcher.enter(host->watcher.context, limited);
    }
}

static void
leave(const struct sai_host *host)
{
    if (host->watcher.leave) {
        host->watcher.leave(host->watcher.context);
    }
}

/* A testers_note_fn. */
static void
note_tester(void *host_, bool warn, const char *name, const char *text)
{
    const struct sai_host *host = host_;

    if (host->watcher.tester) {
        host->watcher.tester(host->watcher.context, warn, name, text);
    }
}

static void
leave_tester(const struct session *session)
{
    enter(session->host, true);
    testers_leave(session->tester, note_tester, session->host);
    leave(session->host);
    notify_testers(session->host);
}

void
session_close(struct session *session)
{
    if (!session) {
        return;
    }
    if (session->host->writer == session) {
        session->host->writer = NULL;
    }
    if (session->tester) {
        leave_tester(session);
    }
    *session->link = session->next;
    if (session->next) {
        session->next->link = session->link;
    }
    free(session);
}

const char *
session_name(const struct session *session)
{
    return session->hello.name;
}

bool
session_is_established(const struct session *session)
{
    return session->hello.version != 0;
}

void
session_limit(struct session *session, const char *reason)
{
    session->limit = reason;
}

const char *
session_role(const struct session *session)
{
    return session->host->writer == session        ? "writer"
           : session->hello.role == MESSAGE_RESCUE ? "rescuer"
           : session->tester                       ? "tester"
                                                   : "reader";
}

uint64_t
session_changes(const struct session *session)
{
    return session->n_changes;
}

const struct session_last *
session_last(const struct session *session)
{
    return &session->last;
}

bool
session_subscribes(const struct session *session)
{
    return session->hello.subscribe != 0;
}

const char *
session_refusal(const struct session *session)
{
    return *session->refusal ? session->refusal
                             : "it does not speak the protocol of this host";
}

void
session_refuse(struct wire_out *out, unsigned int n_max)
{
    struct message_welcome welcome = {.version = MESSAGE_VERSION,
                                      .outcome = MESSAGE_BUSY};
    const size_t start = message_begin(out, MESSAGE_WELCOME, 0);

    (void)text_format(welcome.reason, sizeof welcome.reason,
                      "there are %u clients already", n_max);
    message_put_welcome(out, &welcome);
    (void)message_end(out, start);
}

/* Checks a HELLO and fills 'welcome'. */
static void
check_hello(struct session *session, const struct message_hello *hello,
            struct message_welcome *welcome)
{
    struct sai_host *host = session->host;

    if (hello->version != MESSAGE_VERSION) {
        welcome->outcome = MESSAGE_OTHER_VERSION;
        (void)text_format(welcome->reason, sizeof welcome->reason,
                          "the client speaks version %u of the protocol and "
                          "the host version %u; use both from one release",
                          hello->version, MESSAGE_VERSION);
    } else if (session->limit && hello->role != MESSAGE_READER) {
        welcome->outcome = MESSAGE_DENIED;
        (void)text_copy(welcome->reason, sizeof welcome->reason,
                        session->limit);
    } else if (hello->role == MESSAGE_WRITER && host->writer) {
        welcome->outcome = MESSAGE_BUSY;
        (void)text_format(welcome->reason, sizeof welcome->reason,
                          "another client writes already: %s",
                          host->writer->hello.name);
    } else if (hello->role == MESSAGE_RESCUE && !host->allows_rescue) {
        welcome->outcome = MESSAGE_BUSY;
        (void)text_copy(welcome->reason, sizeof welcome->reason,
                        "it was not started with --rescue, so only one client "
                        "may write");
    } else {
        session->hello = *hello;
        if (hello->role == MESSAGE_WRITER) {
            host->writer = session;
        } else if (hello->role == MESSAGE_TESTER) {
            session->tester = testers_join(host->testers, hello->name);
            note_tester(host, false, hello->name, NULL);
            notify_testers(host);
        } else if (hello->role == MESSAGE_RESCUE && host->watcher.rescue) {
            host->watcher.rescue(host->watcher.context, hello->name,
                                 host->writer ? host->writer->hello.name : "");
        }
    }
}

/* Answers a HELLO.  Returns whether the client is accepted. */
static bool
do_hello(struct session *session, uint32_t sequence, struct wire_in *in)
{
    const struct host_library *library = &session->host->library;
    struct message_welcome welcome = {.version = MESSAGE_VERSION,
                                      .release = library->release};
    struct message_hello hello = {0};
    size_t start;

    if (session->hello.version || !message_get_hello(in, &hello)) {
        return false;
    }
    if (library->extras) {
        (void)text_copy(welcome.extras, sizeof welcome.extras,
                        library->extras->name);
    }
    check_hello(session, &hello, &welcome);
    if (welcome.outcome != MESSAGE_GRANTED) {
        (void)text_copy(session->hello.name, sizeof session->hello.name,
                        hello.name);
        (void)text_copy(session->refusal, sizeof session->refusal,
                        welcome.reason);
    }
    start = message_begin(session->out, MESSAGE_WELCOME, sequence);
    message_put_welcome(session->out, &welcome);
    if (!message_end(session->out, start) ||
        welcome.outcome != MESSAGE_GRANTED) {
        return false;
    }
    if (session->hello.subscribe & MESSAGE_SUBSCRIBE_TESTERS) {
        struct wire_out notice = {0};

        notification_put_testers(&notice);
        put_notice(session, &notice);
        wire_out_fini(&notice);
    }
    return true;
}

/* Returns whether the session may change state. */
static bool
may_write(const struct session *session)
{
    return session->host->writer == session ||
           session->hello.role == MESSAGE_RESCUE;
}

/* Notes that the session does 'verb', which changes something, or may not
 * because of 'why'.  Returns whether it may. */
static bool
begin_change(struct session *session, const char *verb, const char *why)
{
    session->last = (struct session_last){
        why ? SESSION_DENIED : SESSION_CHANGED, verb, SAI_STATUS_SUCCESS, why};
    session->n_changes += !why;
    return !why;
}

/* Returns why the session may not change anything; NULL if it may.  A tester
 * may, if 'of_tester' is NULL. */
static const char *
refusal_of(const struct session *session, const char *of_tester)
{
    return may_write(session) ? NULL
           : session->tester  ? of_tester
                              : "a reader changes nothing";
}

/* Refuses all objects of a call, because its session may only read. */
static void
refuse_call(struct arena *arena, const struct call *call,
            struct call_answer *answer)
{
    memset(answer, 0, sizeof *answer);
    answer->result = SAI_STATUS_OBJECT_IN_USE;
    answer->statuses = arena_alloc(arena, call->n, sizeof *answer->statuses);
    answer->oids = arena_alloc(arena, call->n, sizeof *answer->oids);
    for (uint32_t i = 0; i < call->n; i++) {
        answer->statuses[i] = SAI_STATUS_OBJECT_IN_USE;
    }
}

static bool
do_call(struct session *session, struct arena *arena, struct wire_in *in)
{
    struct sai_host *host = session->host;
    struct call_answer answer;
    struct call call;

    if (!call_get(in, arena, &call)) {
        return false;
    }
    if (call_writes(&call) &&
        !begin_change(
            session, op_name(call.op),
            refusal_of(session, session->tester
                                    ? testers_refuse(session->tester, &call)
                                    : NULL))) {
        refuse_call(arena, &call, &answer);
    } else {
        const bool recorded =
            session->tester && call_writes(&call) && call.op != OP_GET_STATS;

        enter(host, true);
        if (recorded) {
            testers_before(session->tester, &call);
        }
        execute_call(&host->library, &host->callbacks, arena, &call,
                     &session->stopped, &answer);
        if (recorded) {
            testers_after(session->tester, &call, &answer);
        }
        testers_follow(host->testers, &call, &answer);
        if (recorded) {
            notify_testers(host);
        }
        leave(host);
        session->last.status = answer.result;
    }
    call_put_answer(session->out, &call, &answer);
    return true;
}

/* Answers with the report about testers, if it fits. */
static void
answer_testers(const struct session *session, struct arena *arena,
               const struct query *query, struct query_answer *answer)
{
    struct wire_out report = {0};

    testers_put(session->host->testers, &report);
    answer->count = (uint32_t)report.length;
    answer->status = SAI_STATUS_BUFFER_OVERFLOW;
    if (report.length <= query->room) {
        answer->status = SAI_STATUS_SUCCESS;
        answer->list = arena_alloc(arena, report.length + 1, 1);
        memcpy(answer->list, report.bytes ? (const void *)report.bytes : "",
               report.length);
        if (session->host->writer == session) {
            testers_forget(session->host->testers);
        }
    }
    wire_out_fini(&report);
}

static bool
do_query(struct session *session, struct arena *arena, struct wire_in *in)
{
    struct sai_host *host = session->host;
    struct query_answer answer = {.status = SAI_STATUS_OBJECT_IN_USE};
    struct query query;

    if (!query_get(in, arena, &query)) {
        return false;
    }
    if (query.kind == QUERY_TESTERS) {
        answer_testers(session, arena, &query, &answer);
    } else if (!query_writes(query.kind) ||
               begin_change(session, "query",
                            refusal_of(session, query.kind == QUERY_CLEAR_PORT
                                                    ? NULL
                                                    : tester_rule_text()))) {
        enter(host, true);
        execute_query(&host->library, arena, &query, &answer);
        leave(host);
        session->last.status = answer.status;
    }
    query_put_answer(session->out, &query, &answer);
    return true;
}

static bool
do_extra(struct session *session, struct wire_in *in)
{
    struct sai_host *host = session->host;
    const struct host_extras *extras = host->library.extras;
    const uint32_t number = wire_get_u32(in);
    bool understood;

    if (in->bad) {
        return false;
    }
    if (!extras) {
        wire_put_u32(session->out, (uint32_t)SAI_STATUS_NOT_SUPPORTED);
        return true;
    }
    if (extras->writes(extras->context, number) &&
        !begin_change(
            session, "asic",
            refusal_of(session, extras->is_of_testers(extras->context, number)
                                    ? NULL
                                    : tester_rule_text()))) {
        wire_put_u32(session->out, (uint32_t)SAI_STATUS_OBJECT_IN_USE);
        return true;
    }
    enter(host, false);
    understood = extras->call(extras->context, number, in, session->out);
    leave(host);
    return understood;
}

bool
session_message(struct session *session, const struct message_header *header,
                const uint8_t *body)
{
    struct wire_in in = {body, header->n_bytes, false};
    struct arena *arena;
    size_t start;
    bool good = false;

    memset(&session->last, 0, sizeof session->last);
    if (header->kind == MESSAGE_HELLO) {
        return do_hello(session, header->sequence, &in);
    }
    if (!session->hello.version) {
        return false;
    }
    arena = arena_create(0);
    start = message_begin(session->out, header->kind, header->sequence);
    if (header->kind == MESSAGE_CALL) {
        good = do_call(session, arena, &in);
    } else if (header->kind == MESSAGE_QUERY) {
        good = do_query(session, arena, &in);
    } else if (header->kind == MESSAGE_EXTRA) {
        good = do_extra(session, &in);
    }
    if (!good) {
        session->out->length = start; /* Remove the partial answer. */
    }
    arena_destroy(arena);
    return good && message_end(session->out, start);
}
