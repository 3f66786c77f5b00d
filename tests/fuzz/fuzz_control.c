/* SPDX-License-Identifier: Apache-2.0 */

/* The control socket: a client that sends any bytes to a daemon without a
 * Redis, but with a switch and a small configuration.
 *
 * Lines that begin with a slash are the paths of an HTTP request instead, those
 * with two slashes of a viewer.  If the first byte is a control character, its
 * bits say what else is the case (enum form).
 *
 * Every line is answered by one line of JSON with an exit code, unless the
 * daemon still works on it, or waits for Redis, when the patience of this test
 * ends.  Time stands still. */

#include <config.h>

#include <event2/event.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/text.h"
#include "orchd/control/columns.h"
#include "orchd/control/control.h"
#include "orchd/control/request.h"
#include "orchd/db/redis.h"
#include "orchd/page/verb_path.h"
#include "orchd/reconcile/agent.h"
#include "process/loop.h"
#include "process/peer.h"
#include "sai/stack/chain.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/modules.h"
#include "tests/fuzz/snapshot.h"
#include "tests/fuzz/switch.h"
#include "vendors/softasic/sai/library.h"

enum { MAX_BYTES = 1 << 16, MAX_TURNS = 400, IDLE_TURNS = 6 };

/* What the first byte of an input may say. */
enum form {
    FORM_WITHHELD = 1,  /* Removals are held back. */
    FORM_TROUBLE = 2,   /* There is no switch, for a reason. */
    FORM_NO_SWITCH = 4, /* There is no switch. */
    FORM_LEAVES = 8,    /* The client disconnects before it is answered. */
    FORM_LONG = 16,     /* The first line is long. */
};

struct world {
    struct control_state state;
    size_t n_paths, n_path_answers;
    struct loop *loop;
    struct redis *redis;
    struct agent *agent;
    struct control *control;
    struct chain *chain;
    int64_t now;
    int client;
    struct text heard; /* What the client has received. */
    bool hung_up;
};

static struct world the_world;

/* Where the sockets are; removed at the end of the process. */
static char folder[] = "/tmp/orchd-fuzz-XXXXXX";
static char socket_path[sizeof folder + 8];

static void
remove_folder(void)
{
    if (the_world.control) { /* As a copy. */
        unlink(socket_path);
    }
    rmdir(folder);
}

/* Makes what all worlds share.  Libraries allocate as this program does, so
 * that their objects are part of a copy of the world. */
static void
prepare(void)
{
    static bool prepared;

    if (!prepared) {
        prepared = true;
        (void)modules();
        FUZZ_CHECK(mkdtemp(folder));
        atexit(remove_folder);
        event_set_mem_functions(malloc, realloc, free);
        json_set_alloc_funcs(malloc, free);
    }
}

/* No notifications ----------------------------------------------------- */

static void
no_row(void *context, enum table table, const char *key,
       const struct field *fields, size_t n)
{
    (void)context;
    (void)table;
    (void)key;
    (void)fields;
    (void)n;
}

static void
no_bad_row(void *context, enum table table, const char *key,
           const struct err *err)
{
    (void)context;
    (void)table;
    (void)key;
    (void)err;
}

static void
nothing(void *context)
{
    (void)context;
}

static void
no_reading(void *context, const struct redis_reading *reading)
{
    (void)context;
    (void)reading;
}

static void
no_flag(void *context, bool initialized)
{
    (void)context;
    (void)initialized;
}

static void
no_message(void *context, const char *channel, const char *payload)
{
    (void)context;
    (void)channel;
    (void)payload;
}

static void
no_reason(void *context, const char *reason)
{
    (void)context;
    (void)reason;
}

static json_t *
no_list(void *context)
{
    (void)context;
    return json_array();
}

static json_t *
no_settings(void *context)
{
    (void)context;
    return json_object();
}

/* The daemon ---------------------------------------------------------- */

static void
put(struct world *w, enum table table, const char *key,
    const struct field *fields, size_t n)
{
    /* Written long ago, so that bad content already has a verdict. */
    intent_put(agent_intent(w->agent), table, key, fields, n,
               w->now - INTENT_PATIENCE_NS);
}

static void
configure(struct world *w)
{
    static const struct field pool[] = {
        {"type", "ingress"}, {"mode", "dynamic"}, {"size", "20000"}};
    static const struct field profile[] = {{"pool", "in"},
                                           {"size", "100"},
                                           {"xoff", "1000"},
                                           {"dynamic_th", "-1"}};
    static const struct field bind[] = {{"profile", "p"}};
    static const struct field port[] = {{"lanes", "1,2"}, {"speed", "40000"}};
    static const struct field peer[] = {{"lanes", "3,4"}, {"speed", "40000"}};
    static const struct field bad[] = {{"type", "sideways"}};
    static const struct field waits[] = {
        {"pool", "out"}, {"size", "1"}, {"dynamic_th", "1"}};

    put(w, TABLE_PORT, "Ethernet0", port, 2);
    put(w, TABLE_PORT, "Ethernet4", peer, 2);
    put(w, TABLE_BUFFER_POOL, "in", pool, 3);
    put(w, TABLE_BUFFER_POOL, "bad\xff", bad, 1);
    put(w, TABLE_BUFFER_PROFILE, "p", profile, 4);
    put(w, TABLE_BUFFER_PROFILE, "q", waits, 3);
    put(w, TABLE_BUFFER_PG, "Ethernet0|3", bind, 1);
}

static void
hear(struct world *w)
{
    char buffer[4096];
    ssize_t n;

    while ((n = recv(w->client, buffer, sizeof buffer, 0)) > 0) {
        text_add_bytes(&w->heard, buffer, (size_t)n);
    }
    w->hung_up |= n == 0;
}

/* Lets the daemon work until nothing happens any more.  Returns whether that
 * came about. */
static bool
pump(struct world *w)
{
    int idle = 0;

    for (int i = 0; i < MAX_TURNS && idle < IDLE_TURNS; i++) {
        size_t before = w->heard.length;
        bool more;

        event_base_loop(loop_base(w->loop), EVLOOP_ONCE | EVLOOP_NONBLOCK);
        timeline_run(loop_timeline(w->loop), w->now);
        redis_turn(w->redis);
        more = agent_turn(w->agent, w->now, 100);
        more |= control_turn(w->control, &w->state);
        hear(w);
        idle = more || w->heard.length != before ? 0 : idle + 1;
    }
    return idle >= IDLE_TURNS;
}

/* Time does not pass between calls: runs are to be the same. */

static int64_t
no_time(void *context)
{
    (void)context;
    return 0;
}

static void
no_stamp(void *context, char *buffer)
{
    (void)context;
    buffer[0] = '\0';
}

static void
no_sleep(void *context, int64_t ns)
{
    (void)context;
    (void)ns;
}

static const struct chain_system chain_system = {
    .clock = {.now_ns = no_time, .stamp = no_stamp}, .sleep = no_sleep};

static void
begin(struct world *w)
{
    static const struct listener observer = {.context = NULL};
    static const struct redis_listener listener = {.row = no_row,
                                                   .bad_row = no_bad_row,
                                                   .reading_begin = nothing,
                                                   .reading_end = no_reading,
                                                   .initialized = no_flag,
                                                   .flushed = nothing,
                                                   .resync = nothing,
                                                   .audit = nothing,
                                                   .message = no_message,
                                                   .state_key = no_reason,
                                                   .link_down = no_reason};
    struct redis_options options = {
        .endpoint = {.kind = ENDPOINT_UNIX, .path = "/nowhere/at/all"},
        .audit_ns = INT64_MAX / 4};
    struct control_services services = {.resume = nothing,
                                        .settings = no_list,
                                        .show_settings = no_settings,
                                        .reload = no_settings};
    const struct control_sockets sockets = {.operators = socket_path};
    const struct recorder_options record = {.path = NULL};
    struct err err = {0};

    /* Another world may be there, as a copy. */
    FUZZ_CHECK(text_format(socket_path, sizeof socket_path, "%s/a", folder));
    if (access(socket_path, F_OK) == 0) {
        FUZZ_CHECK(
            text_format(socket_path, sizeof socket_path, "%s/b", folder));
    }
    dbconfig_init(&options.dbconfig);
    w->state.hold = "";
    w->client = -1;
    w->loop = loop_create();
    w->now = loop_now(w->loop);
    w->redis = redis_create(w->loop, NULL, &options, &listener, NULL);
    w->agent =
        agent_create(modules(), loop_timeline(w->loop), &observer, false);
    services.agent = w->agent;
    services.redis = w->redis;
    FUZZ_CHECK(control_create(w->loop, &sockets, &services, &w->control,
                              &err) == ST_OK);
    w->chain = chain_create(switch_begin(), &chain_system, &record);
    FUZZ_CHECK(agent_attach(w->agent, chain_backend(w->chain), &err) == ST_OK);
    control_attach(w->control, w->chain, softasic_ops(SOFTASIC_OPS_VERSION),
                   NULL);
    configure(w);
}

static void
end(struct world *w)
{
    if (w->client >= 0) {
        close(w->client);
    }
    text_fini(&w->heard);
    redis_destroy(w->redis);
    control_destroy(w->control);
    chain_destroy(w->chain);
    agent_destroy(w->agent);
    loop_destroy(w->loop);
    switch_end();
}

/* The client ---------------------------------------------------------- */

static void
dial(struct world *w)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};

    w->client = socket(AF_UNIX, SOCK_STREAM, 0);
    FUZZ_CHECK(w->client >= 0);
    FUZZ_CHECK(
        text_copy(address.sun_path, sizeof address.sun_path, socket_path));
    FUZZ_CHECK(
        connect(w->client, (struct sockaddr *)&address, sizeof address) == 0);
    FUZZ_CHECK(fcntl(w->client, F_SETFL, O_NONBLOCK) == 0);
}

static void
check_answer(const char *line)
{
    json_error_t error;
    json_t *answer = json_loads(line, 0, &error);
    json_int_t exit_code = -1;

    FUZZ_CHECK(json_is_object(answer));
    exit_code = json_integer_value(json_object_get(answer, "exit"));
    FUZZ_CHECK(json_is_integer(json_object_get(answer, "exit")));
    FUZZ_CHECK(exit_code >= 0 && exit_code <= 2);
    FUZZ_CHECK(exit_code == 0 || json_object_get(answer, "error") ||
               json_object_get(answer, "data"));
    json_decref(answer);
}

/* Checks all answers.  Returns how many. */
static size_t
check_answers(struct world *w)
{
    size_t n = 0;
    char *line = w->heard.bytes;
    char *newline;

    while (line && (newline = strchr(line, '\n'))) {
        *newline = '\0';
        check_answer(line);
        line = newline + 1;
        n++;
    }
    FUZZ_CHECK(!line || !*line);
    return n;
}

/* Returns whether a request may be there that waits for Redis, which does not
 * come: those of "config", and those that read what orchagent has written,
 * however they are written. */
static bool
may_wait(const uint8_t *data, size_t size)
{
    static const char *const words[] = {"config", "watchdog", "watermarks"};
    bool waits = memchr(data, '\\', size) != NULL;

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        waits |= memmem(data, size, words[i], strlen(words[i])) != NULL;
    }
    return waits;
}

/* Paths ---------------------------------------------------------------- */

/* A request for a path, freed when it is answered. */
struct path_request {
    struct request request;
    struct world *world;
};

static void
answer_path(struct request *request)
{
    struct path_request *path = (struct path_request *)request;

    path->world->n_path_answers++;
    free(path);
}

static void
path_reply(struct request *request, const char *text)
{
    check_answer(text);
    answer_path(request);
}

static void
path_value(struct request *request, struct json_t *answer)
{
    FUZZ_CHECK(json_is_integer(json_object_get(answer, "exit")));
    json_decref(answer);
    answer_path(request);
}

static void
path_columns(struct request *request, struct columns *columns)
{
    json_t *json = columns_json(columns);

    FUZZ_CHECK(json_is_object(json));
    json_decref(json);
    columns_destroy(columns);
    answer_path(request);
}

static bool
path_is_gone(const struct request *request)
{
    (void)request;
    return false;
}

/* Runs the verb that a path without its first slash names. */
static void
run_path(struct world *w, char *line)
{
    static const struct request_ops texts = {.reply = path_reply,
                                             .is_gone = path_is_gone};
    static const struct request_ops values = {.reply = path_reply,
                                              .value = path_value,
                                              .columns = path_columns,
                                              .is_gone = path_is_gone};
    static const struct peer peer = {.known = false};
    const bool views_only = *line == '/';
    char *query = strchr(line, '?');
    struct path_request *request;
    struct verb_path verb;

    if (query) {
        *query++ = '\0';
    }
    if (verb_path_parse(line + views_only, query ? query : "", &verb) ==
        ST_OK) {
        request = check_calloc(1, sizeof *request);
        request->request.ops = views_only ? &values : &texts;
        request->request.peer = &peer;
        request->world = w;
        w->n_paths++;
        control_run(w->control, views_only, &request->request, &verb.texts);
    }
    verb_path_fini(&verb);
}

/* Runs the lines of an input that are paths. */
static void
run_paths(struct world *w, const uint8_t *data, size_t size)
{
    char *text = bytes_text(data, size), *save = NULL;

    for (char *line = strtok_r(text, "\n", &save); line;
         line = strtok_r(NULL, "\n", &save)) {
        if (*line == '/') {
            run_path(w, line + 1);
            (void)pump(w);
        }
    }
    free(text);
    FUZZ_CHECK(w->n_path_answers <= w->n_paths);
}

static void
make(void)
{
    begin(&the_world);
    (void)pump(&the_world);
}

/* Takes the form from the start of the input. */
static unsigned int
take_form(struct world *w, const uint8_t **data, size_t *size)
{
    static const struct err trouble = {.status = ST_DEVICE,
                                       .code = "no-library",
                                       .reason = "there is no library"};
    unsigned int form = 0;

    if (*size && **data < ' ' && **data != '\n') {
        form = *(*data)++;
        --*size;
    }
    w->state.withheld = form & FORM_WITHHELD ? 2 : 0;
    w->state.hold = form & FORM_WITHHELD ? "the database is incomplete" : "";
    w->state.trouble = form & FORM_TROUBLE ? &trouble : NULL;
    if (form & (FORM_TROUBLE | FORM_NO_SWITCH)) {
        control_attach(w->control, NULL, NULL, NULL);
    }
    return form;
}

/* Sends 'size' bytes.  Returns how many the daemon has taken. */
static size_t
send_all(struct world *w, const uint8_t *data, size_t size)
{
    size_t sent = 0;

    while (sent < size) {
        ssize_t n = send(w->client, data + sent, size - sent, MSG_NOSIGNAL);

        if (n <= 0) {
            break; /* The daemon does not read on; it is busy. */
        }
        sent += (size_t)n;
        (void)pump(w);
    }
    return sent;
}

/* Sends white space, more than is parsed in one turn. */
static void
send_space(struct world *w)
{
    uint8_t space[4096];

    memset(space, ' ', sizeof space);
    for (size_t i = 0; i < MAX_BYTES + sizeof space; i += sizeof space) {
        FUZZ_CHECK(send_all(w, space, sizeof space) == sizeof space);
    }
}

static void
hang_up(struct world *w)
{
    close(w->client);
    w->client = -1;
    w->hung_up = true;
    (void)pump(w);
}

static void
run(const uint8_t *data, size_t size)
{
    struct world *w = &the_world;
    size_t n_lines = 0, n_answers, sent;
    const unsigned int form = take_form(w, &data, &size);
    bool idle;

    size = size < MAX_BYTES ? size : MAX_BYTES;
    if (size && *data == '/') {
        run_paths(w, data, size);
        return;
    }
    dial(w);
    (void)pump(w);
    if (form & FORM_LONG) {
        send_space(w);
    }
    if (form & FORM_LEAVES) {
        (void)send(w->client, data, size, MSG_NOSIGNAL);
        hang_up(w);
        return;
    }
    sent = send_all(w, data, size);
    for (size_t i = 0; i < sent; i++) {
        n_lines += data[i] == '\n';
    }
    idle = pump(w);
    n_answers = check_answers(w);
    FUZZ_CHECK(n_answers <= n_lines);
    FUZZ_CHECK(!idle || w->hung_up || may_wait(data, size) ||
               n_answers == n_lines);
}

static void
finish(void)
{
    end(&the_world);
    FUZZ_CHECK(the_world.n_path_answers == the_world.n_paths);
    the_world.control = NULL;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct snapshot_job job = {
        .make = make,
        .run = run,
        .leave = modules_forget,
        .end = finish,
        .variables = {{&the_world, sizeof the_world},
                      {library_get(), sizeof *library_get()},
                      {socket_path, sizeof socket_path}}};

    prepare();
    snapshot_run(&job, data, size);
    return 0;
}
