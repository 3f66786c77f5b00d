/* SPDX-License-Identifier: Apache-2.0 */

/* Lines of a recording, and its files. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/text.h"
#include "sai/core/attr_value.h"
#include "sai/core/metadata.h"
#include "sai/core/serialize.h"
#include "sai/core/status.h"
#include "sai/stack/guard.h"
#include "sai/stack/record_snapshot.h"
#include "sai/stack/recorder.h"
#include "sai/trace/trace_parse.h"
#include "tests/support/tempfile.h"
#include "vendors/store/store.h"

#define N(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))

#define POOL  SAI_OBJECT_TYPE_BUFFER_POOL
#define WRED  SAI_OBJECT_TYPE_WRED
#define PORT  SAI_OBJECT_TYPE_PORT
#define STAMP "2026-01-02T03:04:05.678Z"

struct fixture {
    char directory[64];
    char path[96];
    struct store *store;
    struct guard *guard;
    struct recorder *recorder;
    struct sai_backend *backend; /* The recorder around the guard. */
    int64_t now_ns;
    struct arena *arena;
};

static int64_t
clock_ns(void *context)
{
    struct fixture *f = context;

    return f->now_ns += 1250;
}

static void
stamp(void *context, char *buffer)
{
    (void)context;
    (void)text_copy(buffer, TRACE_STAMP_SIZE, STAMP);
}

static int
setup(void **state)
{
    static const struct store_port ports[] = {{2, {1, 2}}, {2, {3, 4}}};
    const struct store_config config = {.ports = ports,
                                        .n_ports = N(ports),
                                        .n_queues = 2,
                                        .n_pgs = 2,
                                        .with_switch = true};
    struct fixture *f = calloc(1, sizeof *f);
    const struct recorder_clock clock = {f, clock_ns, stamp};

    strcpy(f->directory, "/tmp/orchd-recorder-XXXXXX");
    assert_non_null(mkdtemp(f->directory));
    (void)text_format(f->path, sizeof f->path, "%s/record", f->directory);
    f->store = store_create(&config);
    f->guard = guard_create(store_backend(f->store));
    f->recorder = recorder_create(guard_backend(f->guard), &clock);
    f->backend = recorder_backend(f->recorder);
    f->arena = arena_create(0);
    *state = f;
    return 0;
}

static int
teardown(void **state)
{
    struct fixture *f = *state;
    char name[128];

    recorder_destroy(f->recorder);
    guard_destroy(f->guard);
    store_destroy(f->store);
    arena_destroy(f->arena);
    unlink(f->path);
    for (int i = 1; i < 10; i++) {
        (void)text_format(name, sizeof name, "%s.%d", f->path, i);
        unlink(name);
    }
    assert_int_equal(rmdir(f->directory), 0);
    free(f);
    return 0;
}

/* Returns what is in old part 'age' of the record; a piece of the arena, NULL
 * if there is no such file. */
static char *
content(struct fixture *f, int age)
{
    char name[128];
    struct text text = {0};
    FILE *file;
    char *copy;
    int c;

    (void)text_format(name, sizeof name, age ? "%s.%d" : "%s", f->path, age);
    file = fopen(name, "r");
    if (!file) {
        return NULL;
    }
    while ((c = getc(file)) != EOF) {
        text_add_char(&text, (char)c);
    }
    fclose(file);
    copy = arena_strdup(f->arena, text_string(&text));
    text_fini(&text);
    return copy;
}

/* Returns the last line, without its end. */
static char *
last_line(struct fixture *f)
{
    char *text = content(f, 0);
    const size_t length = strlen(text);
    char *begin;

    assert_int_equal(text[length - 1], '\n');
    text[length - 1] = '\0';
    begin = strrchr(text, '\n');
    return begin ? begin + 1 : text;
}

static void
start(struct fixture *f, uint64_t max_bytes)
{
    static const struct loader_pair profile[] = {{"KEY", "a b%"}};
    const struct recorder_options options = {.path = f->path,
                                             .library = "/lib/x.so",
                                             .profile = profile,
                                             .n_profile = 1,
                                             .max_bytes = max_bytes,
                                             .n_kept = 2};
    struct err err;

    assert_int_equal(recorder_start(f->recorder, &options, &err), ST_OK);
}

static sai_object_id_t
make_wred(struct fixture *f)
{
    const sai_attribute_t green = {SAI_WRED_ATTR_GREEN_ENABLE,
                                   {.booldata = true}};
    sai_object_id_t oid = 0;

    assert_int_equal(f->backend->ops->create(f->backend, WRED, 1, &green, &oid),
                     SAI_STATUS_SUCCESS);
    return oid;
}

/* Returns 'format' with two numbers filled in; a piece of the arena. */
static const char *
expand(struct fixture *f, const char *format, uint64_t first, uint64_t second)
{
    struct text text = {0};
    const char *expanded;

    for (; *format; format++) {
        if (*format == '@') {
            serialize_oid(first, &text);
            first = second;
        } else {
            text_add_char(&text, *format);
        }
    }
    expanded = arena_strdup(f->arena, text_string(&text));
    text_fini(&text);
    return expanded;
}

static void
test_a_call_is_one_readable_line(void **state)
{
    struct fixture *f = *state;
    sai_object_id_t oid;

    start(f, 0);
    assert_string_equal(content(f, 0),
                        expand(f,
                               RECORDER_MAGIC "# begun " STAMP " part 1\n"
                                              "# library /lib/x.so\n"
                                              "# profile KEY=a%20b%25\n"
                                              "# switch @\n",
                               f->backend->switch_id, 0));
    oid = make_wred(f);
    assert_string_equal(
        last_line(f),
        expand(f,
               STAMP
               " create SAI_OBJECT_TYPE_WRED SAI_WRED_ATTR_GREEN_ENABLE=true"
               " => SAI_STATUS_SUCCESS @ 1.250us",
               oid, 0));
    assert_int_equal(f->backend->ops->remove(f->backend, WRED, 7),
                     SAI_STATUS_INVALID_OBJECT_ID);
    assert_string_equal(last_line(f),
                        STAMP " remove SAI_OBJECT_TYPE_WRED oid:0x7"
                              " => SAI_STATUS_INVALID_OBJECT_ID 1.250us");
}

static void
test_lists_tell_capacity_need_and_elements(void **state)
{
    struct fixture *f = *state;
    sai_object_id_t ports[8];
    sai_attribute_t attribute = {SAI_SWITCH_ATTR_PORT_LIST, {.u64 = 0}};
    const sai_object_id_t oid = f->backend->switch_id;

    start(f, 0);
    assert_int_equal(f->backend->ops->get(f->backend, SAI_OBJECT_TYPE_SWITCH,
                                          oid, 1, &attribute),
                     SAI_STATUS_BUFFER_OVERFLOW);
    assert_non_null(strstr(last_line(f), " SAI_SWITCH_ATTR_PORT_LIST[0] => "
                                         "SAI_STATUS_BUFFER_OVERFLOW "
                                         "SAI_SWITCH_ATTR_PORT_LIST=#2 "));
    attribute.value.objlist.count = N(ports);
    attribute.value.objlist.list = ports;
    assert_int_equal(f->backend->ops->get(f->backend, SAI_OBJECT_TYPE_SWITCH,
                                          oid, 1, &attribute),
                     SAI_STATUS_SUCCESS);
    assert_non_null(
        strstr(last_line(f), expand(f,
                                    " SAI_SWITCH_ATTR_PORT_LIST[8] => "
                                    "SAI_STATUS_SUCCESS "
                                    "SAI_SWITCH_ATTR_PORT_LIST=2:@,@ ",
                                    ports[0], ports[1])));
}

/* A hook that looks at the record while a call is under way. */
static sai_status_t
look_at_record(void *context, const struct store_call *call)
{
    struct fixture *f = context;
    const char *text = content(f, 0);
    const char *tail = " create SAI_OBJECT_TYPE_WRED"
                       " SAI_WRED_ATTR_GREEN_ENABLE=true";

    (void)call;
    assert_string_equal(text + strlen(text) - strlen(tail), tail);
    return SAI_STATUS_SUCCESS;
}

static void
test_a_call_is_in_the_file_before_it_is_made(void **state)
{
    struct fixture *f = *state;

    start(f, 0);
    store_set_hook(f->store, look_at_record, f);
    make_wred(f);
}

static void
test_malformed_calls_are_recorded_and_do_no_harm(void **state)
{
    struct fixture *f = *state;
    struct sai_backend *b = f->backend;
    const sai_attribute_t map = {SAI_QOS_MAP_ATTR_MAP_TO_VALUE_LIST,
                                 {.qosmap = {1000000, NULL}}};
    const sai_attribute_t unknown = {0x7000000, {.u64 = 1}};
    sai_object_id_t oid;

    start(f, 0);
    b->ops->create(b, SAI_OBJECT_TYPE_QOS_MAP, 1, &map, &oid);
    assert_non_null(strstr(last_line(f), "_VALUE_LIST=? => "));
    b->ops->create(b, SAI_OBJECT_TYPE_QOS_MAP, 3, NULL, &oid);
    b->ops->set(b, POOL, 1, &unknown);
    assert_non_null(strstr(last_line(f), " 117440512=? => "));
    b->ops->set(b, POOL, 1, NULL);
    b->ops->get(b, POOL, 1, 2, NULL);
    b->ops->get_stats(b, PORT, 1, 2, NULL, SAI_STATS_MODE_READ, NULL);
    backend_set_many(b, POOL, 2, NULL, NULL,
                     SAI_BULK_OP_ERROR_MODE_IGNORE_ERROR, NULL);
    b->ops->remove(b, (sai_object_type_t)0x20000001, 5);
    assert_non_null(strstr(last_line(f), " remove 536870913 oid:0x5 => "));
}

static void
test_parts_rotate_and_the_oldest_goes(void **state)
{
    struct fixture *f = *state;
    struct recorder_status status;

    start(f, 300);
    for (int i = 0; i < 20; i++) {
        make_wred(f);
    }
    recorder_status(f->recorder, &status);
    assert_true(status.part > 3);
    assert_int_equal(status.n_calls, 20);
    assert_null(content(f, 3));
    for (int age = 0; age <= 2; age++) {
        char expected[128];

        (void)text_format(expected, sizeof expected,
                          RECORDER_MAGIC "# begun " STAMP " part %u\n",
                          status.part - (unsigned int)age);
        assert_int_equal(strncmp(content(f, age), expected, strlen(expected)),
                         0);
        assert_int_equal(content(f, age)[strlen(content(f, age)) - 1], '\n');
    }
}

static void
test_a_second_record_moves_the_first_away(void **state)
{
    struct fixture *f = *state;

    start(f, 0);
    make_wred(f);
    start(f, 0);
    assert_non_null(strstr(content(f, 1), " create "));
    assert_null(strstr(content(f, 0), " create "));
}

static void
test_foreign_files_are_not_touched(void **state)
{
    struct fixture *f = *state;
    const struct recorder_options options = {.path = f->path};
    char missing[TEMPFILE_SIZE];
    const struct recorder_options nowhere = {.path = missing};
    struct recorder_status status;
    struct err err;
    FILE *file = fopen(f->path, "w");

    fputs("precious\n", file);
    fclose(file);
    assert_int_equal(recorder_start(f->recorder, &options, &err), ST_EXISTS);
    assert_string_equal(err.code, "not-a-record");
    assert_string_equal(content(f, 0), "precious\n");
    recorder_status(f->recorder, &status);
    assert_false(status.recording);
    make_wred(f);
    assert_string_equal(content(f, 0), "precious\n");
    tempfile_missing(missing, "x");
    assert_int_equal(recorder_start(f->recorder, &nowhere, &err), ST_IO);
    assert_non_null(strstr(err.reason, missing));
}

static void
test_a_device_is_not_recorded_to(void **state)
{
    struct fixture *f = *state;
    const struct recorder_options options = {.path = "/dev/full"};
    struct recorder_status status;
    struct err err;

    /* A device is no record; through a link that is refused, too. */
    assert_int_equal(recorder_start(f->recorder, &options, &err), ST_EXISTS);
    recorder_status(f->recorder, &status);
    assert_false(status.recording);
    make_wred(f);
}

/* Parses what was written and compares all of it. */
static void
check_round_trip(struct fixture *f, const struct trace_call *call)
{
    struct text text = {0};
    struct trace_call parsed;
    struct err err;
    char *line;

    trace_write_call(STAMP, call, &text);
    trace_write_result(call, &text);
    line = arena_strndup(f->arena, text_string(&text), text.length - 1);
    if (trace_parse(f->arena, line, &parsed, &err)) {
        fail_msg("%s: %s", line, err.reason);
    }
    assert_true(parsed.finished);
    assert_int_equal(parsed.n, call->n);
    text_clear(&text);
    trace_write_call(STAMP, &parsed, &text);
    parsed.latency_ns = call->latency_ns;
    trace_write_result(&parsed, &text);
    text.bytes[text.length - 1] = '\0';
    assert_string_equal(text_string(&text), line);
    text_fini(&text);
}

static void
test_every_attribute_survives_the_line(void **state)
{
    struct fixture *f = *state;
    size_t n_objects;
    const struct metadata_object *objects = metadata_objects(&n_objects);

    for (size_t o = 0; o < n_objects; o++) {
        for (size_t i = 0; i < objects[o].n_attributes; i++) {
            const struct metadata_attribute *meta = &objects[o].attributes[i];
            sai_attribute_t attribute = {.id = meta->id};
            struct trace_call call = {.op = OP_SET,
                                      .type = objects[o].type,
                                      .oid = 0x1234,
                                      .n = 1,
                                      .attributes = &attribute,
                                      .status = SAI_STATUS_SUCCESS,
                                      .latency_ns = 1};

            if (meta->kind == KIND_CHARDATA) {
                strcpy(attribute.value.chardata, "a b=%\n\xff[");
            }
            if (meta->kind != KIND_ACLCAPABILITY) {
                check_round_trip(f, &call);
            }
        }
    }
}

static void
test_every_operation_survives_the_line(void **state)
{
    struct fixture *f = *state;
    uint32_t lanes[] = {5, 6};
    const sai_attribute_t attributes[] = {
        {SAI_PORT_ATTR_HW_LANE_LIST, {.u32list = {2, lanes}}},
        {SAI_PORT_ATTR_SPEED, {.u32 = 100000}},
    };
    const uint32_t capacities[] = {1, 0};
    const uint32_t counts[] = {1, 1};
    sai_object_key_t keys[] = {{.key.object_id = 1}, {.key.object_id = 2}};
    const sai_stat_id_t stats[] = {SAI_PORT_STAT_IF_IN_OCTETS, 0x7777777};
    const uint64_t counters[] = {UINT64_MAX, 0, 7, 8}; /* Two of two. */
    const sai_status_t statuses[] = {SAI_STATUS_SUCCESS,
                                     SAI_STATUS_INVALID_ATTR_VALUE_0 - 7};
    struct trace_call call = {.type = PORT,
                              .oid = 3,
                              .n = 2,
                              .attributes = attributes,
                              .capacities = capacities,
                              .keys = keys,
                              .counts = counts,
                              .stats = stats,
                              .n_stats = 2,
                              .stats_mode = SAI_STATS_MODE_READ_AND_CLEAR,
                              .created = 9,
                              .answers = attributes,
                              .counters = counters,
                              .statuses = statuses,
                              .latency_ns = 123456};
    static const sai_status_t outcomes[] = {
        SAI_STATUS_SUCCESS, SAI_STATUS_FAILURE, SAI_STATUS_BUFFER_OVERFLOW,
        SAI_STATUS_ATTR_NOT_SUPPORTED_0 - 3, -4711};

    for (int op = 0; op < N_OPS; op++) {
        for (size_t i = 0; i < N(outcomes); i++) {
            call.op = (enum op)op;
            call.counts =
                op == OP_REMOVE_MANY || op == OP_GET_STATS_MANY ? NULL : counts;
            call.n = op == OP_SET ? 1 : op == OP_REMOVE ? 0 : 2;
            call.status = outcomes[i];
            check_round_trip(f, &call);
        }
    }
}

static void
test_entries_survive_the_line(void **state)
{
    struct fixture *f = *state;
    sai_attribute_t attributes[] = {
        {SAI_FDB_ENTRY_ATTR_TYPE, {.s32 = SAI_FDB_ENTRY_TYPE_STATIC}},
        {SAI_FDB_ENTRY_ATTR_BRIDGE_PORT_ID, {.oid = 77}},
        {SAI_FDB_ENTRY_ATTR_TYPE, {.s32 = SAI_FDB_ENTRY_TYPE_DYNAMIC}},
    };
    const uint32_t capacities[] = {0, 0, 0};
    const uint32_t counts[] = {2, 0, 1};
    static const uint32_t ones[] = {1, 1, 1};
    sai_object_key_t keys[3];
    const sai_status_t statuses[] = {SAI_STATUS_ITEM_ALREADY_EXISTS,
                                     SAI_STATUS_NOT_EXECUTED,
                                     SAI_STATUS_SUCCESS};
    struct trace_call call = {.type = SAI_OBJECT_TYPE_FDB_ENTRY,
                              .n = 3,
                              .attributes = attributes,
                              .capacities = capacities,
                              .keys = keys,
                              .answers = attributes,
                              .statuses = statuses,
                              .latency_ns = 1};

    memset(keys, 0, sizeof keys);
    for (uint8_t i = 0; i < N(keys); i++) {
        keys[i].key.fdb_entry =
            (sai_fdb_entry_t){0x21, {0, 1, 2, 3, 4, i}, 0x26};
    }
    for (int op = OP_CREATE_MANY; op <= OP_GET_MANY; op++) {
        for (int good = 0; good < 2; good++) {
            call.op = (enum op)op;
            call.counts = op == OP_REMOVE_MANY ? NULL
                          : op == OP_SET_MANY  ? ones
                                               : counts;
            call.status = good ? SAI_STATUS_SUCCESS : SAI_STATUS_FAILURE;
            check_round_trip(f, &call);
        }
    }
}

static void
test_a_torn_line_parses_as_unfinished_wherever_it_was_cut(void **state)
{
    struct fixture *f = *state;
    struct trace_call call;
    struct err err;
    char *line;

    start(f, 0);
    make_wred(f);
    line = last_line(f);
    for (size_t length = strlen(line) - 1; length > 0; length--) {
        line[length] = '\0';
        assert_int_equal(trace_parse(f->arena, line, &call, &err), ST_OK);
        assert_false(call.finished);
    }
}

static void
test_lines_that_are_wrong_are_refused_with_a_reason(void **state)
{
    static const char *const lines[] = {
        "S forget SAI_OBJECT_TYPE_WRED oid:0x1 => SAI_STATUS_SUCCESS 1us",
        "S remove SAI_OBJECT_TYPE_NIX oid:0x1 => SAI_STATUS_SUCCESS 1us",
        "S remove SAI_OBJECT_TYPE_WRED 0x1 => SAI_STATUS_SUCCESS 1us",
        "S remove SAI_OBJECT_TYPE_WRED oid:0x1 => SAI_STATUS_NIX 1us",
        "S remove SAI_OBJECT_TYPE_WRED oid:0x1 => SAI_STATUS_SUCCESS x 1us",
        "S create SAI_OBJECT_TYPE_WRED => SAI_STATUS_SUCCESS 1us",
        "S create_many SAI_OBJECT_TYPE_WRED 0 #1 => SAI_STATUS_FAILURE 1us",
        "S create_many SAI_OBJECT_TYPE_WRED 0 #9 => SAI_STATUS_FAILURE 1us",
        "S create_many SAI_OBJECT_TYPE_WRED 0 0 => SAI_STATUS_FAILURE 1us",
        "S create_many SAI_OBJECT_TYPE_WRED 0 #0 => SAI_STATUS_SUCCESS 1us",
        "S remove_many SAI_OBJECT_TYPE_WRED 0 oid:0x1 => SAI_STATUS_FAILURE "
        "1us",
        "S remove_many SAI_OBJECT_TYPE_FDB_ENTRY 0 oid:0x1 => "
        "SAI_STATUS_SUCCESS 1us",
        "S get_many SAI_OBJECT_TYPE_WRED 0 oid:0x1 => SAI_STATUS_SUCCESS 1us",
        "S create SAI_OBJECT_TYPE_WRED SAI_PORT_ATTR_SPEED=1 => "
        "SAI_STATUS_FAILURE 1us",
        "S set SAI_OBJECT_TYPE_PORT oid:0x1 SAI_PORT_ATTR_SPEED=fast => "
        "SAI_STATUS_FAILURE 1us",
        "S get SAI_OBJECT_TYPE_PORT oid:0x1 SAI_PORT_ATTR_SPEED[ => "
        "SAI_STATUS_FAILURE 1us",
        "S get SAI_OBJECT_TYPE_PORT oid:0x1 SAI_PORT_ATTR_SPEED => "
        "SAI_STATUS_SUCCESS 1us",
        "S get_stats SAI_OBJECT_TYPE_PORT oid:0x1 x => SAI_STATUS_SUCCESS 1us",
    };
    struct fixture *f = *state;
    struct trace_call call;
    struct err err;

    for (size_t i = 0; i < N(lines); i++) {
        memset(&err, 0, sizeof err);
        assert_int_equal(trace_parse(f->arena, lines[i], &call, &err),
                         ST_INVALID);
        assert_true(err.reason[0]);
    }
}

/* Whatever a file has, reading it ends in an answer. */
static void
test_damaged_lines_do_no_harm(void **state)
{
    struct fixture *f = *state;
    uint64_t seed = 4711;
    const char *text;
    struct err err;

    start(f, 0);
    make_wred(f);
    record_snapshot(f->recorder, f->guard);
    text = content(f, 0);
    for (int i = 0; i < 5000; i++) {
        const char *begin = text;
        struct trace_call call;
        char line[512];
        size_t length;

        for (int n = i % 10; n > 0 && strchr(begin, '\n')[1]; n--) {
            begin = strchr(begin, '\n') + 1;
        }
        length = strcspn(begin, "\n");
        length = length < sizeof line - 1 ? length : sizeof line - 1;
        memcpy(line, begin, length);
        line[length] = '\0';
        for (int n = 0; n < 3 && length; n++) {
            static const char bytes[] = " =%[]#:,x0?\xff";

            seed = seed * UINT64_C(6364136223846793005) + 1;
            line[(seed >> 33) % (length - 2)] =
                bytes[(seed >> 20) % (sizeof bytes - 1)];
        }
        if (trace_parse(f->arena, line, &call, &err) == ST_INVALID) {
            assert_true(err.reason[0]);
        }
    }
}

static void
test_every_status_is_found_by_its_name(void **state)
{
    (void)state;
    for (sai_status_t status = -0x60000; status < 100; status++) {
        char name[STATUS_NAME_SIZE];
        sai_status_t found = 1234567;

        assert_true(
            status_find(status_name(status, name, sizeof name), &found));
        assert_int_equal(found, status);
    }
}

static void
test_introduction_names_ports_and_what_they_have(void **state)
{
    struct fixture *f = *state;
    const char *text;

    start(f, 0);
    record_snapshot(f->recorder, f->guard);
    text = content(f, 0);
    assert_non_null(strstr(text, " snapshot SAI_OBJECT_TYPE_PORT oid:"));
    assert_non_null(strstr(text, "SAI_PORT_ATTR_HW_LANE_LIST=2:3,4 "));
    assert_non_null(strstr(text, "SAI_PORT_ATTR_QOS_QUEUE_LIST=2:"));
    assert_non_null(
        strstr(text, "SAI_PORT_ATTR_INGRESS_PRIORITY_GROUP_LIST=2:"));
}

int
main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        T(test_a_call_is_one_readable_line),
        T(test_lists_tell_capacity_need_and_elements),
        T(test_a_call_is_in_the_file_before_it_is_made),
        T(test_malformed_calls_are_recorded_and_do_no_harm),
        T(test_parts_rotate_and_the_oldest_goes),
        T(test_a_second_record_moves_the_first_away),
        T(test_foreign_files_are_not_touched),
        T(test_a_device_is_not_recorded_to),
        T(test_every_attribute_survives_the_line),
        T(test_every_operation_survives_the_line),
        T(test_entries_survive_the_line),
        T(test_a_torn_line_parses_as_unfinished_wherever_it_was_cut),
        T(test_lines_that_are_wrong_are_refused_with_a_reason),
        T(test_damaged_lines_do_no_harm),
        T(test_every_status_is_found_by_its_name),
        T(test_introduction_names_ports_and_what_they_have),
    };
#undef T

    return cmocka_run_group_tests(tests, NULL, NULL);
}
