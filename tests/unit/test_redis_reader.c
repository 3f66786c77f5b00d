/* SPDX-License-Identifier: Apache-2.0 */

/* Complete readings of a CONFIG_DB that is being filled.  The link is the
 * test's own, with a Redis that answers one command at a time. */

#include <config.h>

#include <hiredis/hiredis.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "orchd/db/gate.h"
#include "orchd/db/link.h"
#include "orchd/db/reader.h"
#include "orchd/db/redis_types.h"
#include "orchd/db/rows.h"

enum { N_ROWS = 2, MAX_COMMANDS = 64 };

static char *const keys[N_ROWS] = {"DEVICE_METADATA|localhost",
                                   "PORT|Ethernet0"};

struct command {
    char name[16], key[64];
    link_reply_fn *reply;
    void *context;
};

/* Redis and its connection. */
struct link {
    bool filled; /* It has all rows, and CONFIG_DB_INITIALIZED is 1. */
    struct command commands[MAX_COMMANDS];
    size_t n_sent, n_answered;
};

struct fixture {
    struct link link;
    struct reader *reader;
    struct gate gate;
    bool seen[N_ROWS];
};

void
link_command(struct link *link, int number, link_reply_fn *reply, void *context,
             ...)
{
    struct command *command = &link->commands[link->n_sent++];
    va_list words;

    assert_int_equal(number, 4);
    assert_true(link->n_sent <= MAX_COMMANDS);
    command->reply = reply;
    command->context = context;
    va_start(words, context);
    strcpy(command->name, va_arg(words, const char *));
    strcpy(command->key, va_arg(words, const char *));
    va_end(words);
}

bool
link_is_hash(const struct redisReply *reply)
{
    return reply->type == REDIS_REPLY_ARRAY;
}

/* Answers the oldest command, if there is one. */
static void
answer(struct fixture *f)
{
    static redisReply one = {.type = REDIS_REPLY_STRING, .str = "1", .len = 1};
    static redisReply null = {.type = REDIS_REPLY_NIL};
    static redisReply cursor = {
        .type = REDIS_REPLY_STRING, .str = "0", .len = 1};
    static redisReply names[N_ROWS];
    redisReply *fields[] = {&null, &null};
    redisReply *name_list[N_ROWS];
    redisReply list = {.type = REDIS_REPLY_ARRAY};
    redisReply *scanned[] = {&cursor, &list};
    redisReply array = {.type = REDIS_REPLY_ARRAY, .elements = 2};
    const struct command *command = &f->link.commands[f->link.n_answered];
    redisReply *reply = &array;

    if (f->link.n_answered == f->link.n_sent) {
        return;
    }
    f->link.n_answered++;
    if (!strcmp(command->name, "GET")) {
        assert_string_equal(command->key, ROWS_INITIALIZED_KEY);
        reply = f->link.filled ? &one : &null;
    } else if (!strcmp(command->name, "SCAN")) {
        for (size_t i = 0; i < N_ROWS; i++) {
            names[i] = (redisReply){.type = REDIS_REPLY_STRING,
                                    .str = keys[i],
                                    .len = strlen(keys[i])};
            name_list[i] = &names[i];
        }
        list.element = name_list;
        list.elements = f->link.filled ? N_ROWS : 0;
        array.element = scanned;
    } else {
        assert_string_equal(command->name, "HGETALL");
        fields[0] = fields[1] = &one;
        array.element = fields;
        array.elements = f->link.filled ? 2 : 0;
    }
    command->reply(command->context, reply);
    reader_flush(f->reader);
}

/* The listener: does what the daemon does.  No time passes, so only
 * CONFIG_DB_INITIALIZED opens the gate; and then all rows must be known. */

static void
check_gate(struct fixture *f)
{
    if (gate_open(&f->gate, 0)) {
        for (size_t i = 0; i < N_ROWS; i++) {
            assert_true(f->seen[i]);
        }
    }
}

static void
on_row(void *fixture, enum table table, const char *key,
       const struct field *fields, size_t n)
{
    struct fixture *f = fixture;
    const bool is_port = table == TABLE_PORT;

    (void)fields;
    assert_string_equal(key, is_port ? "Ethernet0" : "localhost");
    f->seen[is_port] = n > 0;
    if (n) {
        gate_row(&f->gate, is_port, 0);
    }
    check_gate(f);
}

static void
on_reading_begin(void *fixture)
{
    gate_reading_begin(&((struct fixture *)fixture)->gate);
}

static void
on_reading_end(void *fixture, const struct redis_reading *reading)
{
    struct fixture *f = fixture;

    gate_reading_end(&f->gate, reading->initialized, reading->n_ports > 0, 0);
    check_gate(f);
}

static void
on_initialized(void *fixture, bool initialized)
{
    struct fixture *f = fixture;

    gate_initialized(&f->gate, initialized);
    check_gate(f);
}

static void
on_ended(void *fixture)
{
    (void)fixture;
}

static void
on_refused(void *fixture, const char *error)
{
    (void)fixture;
    fail_msg("refused: %s", error);
}

static const struct redis_listener listener = {
    .row = on_row,
    .reading_begin = on_reading_begin,
    .reading_end = on_reading_end,
    .initialized = on_initialized,
};

static void
set_up(struct fixture *f, bool filled)
{
    const struct reader_listener owner = {on_ended, on_refused, f};
    struct redis_options options = {0};

    memset(f, 0, sizeof *f);
    dbconfig_init(&options.dbconfig);
    gate_init(&f->gate, 0);
    f->link.filled = filled;
    f->reader = reader_create(NULL, &options, &listener, f, &owner);
    reader_attach(f->reader, &f->link);
    (void)reader_start(f->reader);
}

static void
answer_all(struct fixture *f)
{
    while (f->link.n_answered < f->link.n_sent) {
        answer(f);
    }
}

/* Notifications of what fills CONFIG_DB arrive, in the order of its writes. */
static void
notify(struct fixture *f)
{
    for (size_t i = 0; i < N_ROWS; i++) {
        reader_dirty(f->reader, keys[i]);
    }
    reader_dirty(f->reader, ROWS_INITIALIZED_KEY);
    reader_flush(f->reader);
}

/* CONFIG_DB is filled at once, after each number of answers, and its
 * notifications arrive after each number of further answers. */
static void
test_a_filling_during_a_reading(void **state)
{
    enum { MAX_ANSWERS = 8 };
    struct fixture f;

    (void)state;
    for (size_t before = 0; before < MAX_ANSWERS; before++) {
        for (size_t between = 0; between < MAX_ANSWERS; between++) {
            set_up(&f, false);
            for (size_t i = 0; i < before; i++) {
                answer(&f);
            }
            f.link.filled = true;
            for (size_t i = 0; i < between; i++) {
                answer(&f);
            }
            notify(&f);
            answer_all(&f);
            assert_true(gate_open(&f.gate, 0));
            reader_destroy(f.reader);
        }
    }
}

/* Without notifications the next reading says so. */
static void
test_the_next_reading_finds_it(void **state)
{
    struct fixture f;

    (void)state;
    for (size_t before = 0; before < 4; before++) {
        set_up(&f, false);
        for (size_t i = 0; i < before; i++) {
            answer(&f);
        }
        f.link.filled = true;
        answer_all(&f);
        assert_int_equal(gate_open(&f.gate, 0), before == 0);
        (void)reader_start(f.reader);
        answer_all(&f);
        assert_true(gate_open(&f.gate, 0));
        reader_destroy(f.reader);
    }
}

/* What is emptied during a reading was not initialized to its end. */
static void
test_an_emptied_database_is_not_initialized(void **state)
{
    struct fixture f;

    (void)state;
    set_up(&f, true);
    answer(&f);
    f.link.filled = false;
    answer_all(&f);
    assert_false(gate_open(&f.gate, 0));
    reader_destroy(f.reader);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_filling_during_a_reading),
        cmocka_unit_test(test_the_next_reading_finds_it),
        cmocka_unit_test(test_an_emptied_database_is_not_initialized),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
