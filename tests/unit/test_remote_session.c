/* SPDX-License-Identifier: Apache-2.0 */

/* The host's side without a socket: values of every attribute on their way
 * there and back, and clients that do not keep to the protocol. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/text.h"
#include "sai/core/attr_value.h"
#include "sai/core/metadata.h"
#include "sai/remote/call.h"
#include "sai/remote/query.h"
#include "sai/remote/sai_host.h"
#include "sai/remote/tester_report.h"
#include "sai/remote/testers.h"
#include "sai/remote/values.h"
#include "vendors/store/store.h"

#define N(array) (sizeof(array) / sizeof(array)[0])

/* Values ------------------------------------------------------------------ */

enum { ELEMENTS = 3, ELEMENT_BYTES = 64 };

/* What a list of 'value' lies in. */
union storage {
    char bytes[ELEMENTS * ELEMENT_BYTES];
    sai_s32_list_t inner[ELEMENTS];
};

/* Makes a value of which all bytes that mean something are set. */
static void
fill(enum kind kind, sai_attribute_value_t *value, union storage *storage)
{
    static int32_t numbers[] = {-1, 7, 1 << 30};

    memset(value, 0x5a, sizeof *value);
    memset(storage, 0xa5, sizeof *storage);
    if (kind == KIND_BOOL) {
        value->booldata = true;
    } else if (kind == KIND_ACLFIELD_BOOL) {
        value->aclfield.data.booldata = true;
    } else if (kind == KIND_ACLACTION_BOOL) {
        value->aclaction.parameter.booldata = true;
    } else if (kind == KIND_PORTSERDESTAPS) {
        for (uint32_t i = 0; i < ELEMENTS; i++) {
            storage->inner[i] = (sai_s32_list_t){i, numbers};
        }
    }
    if (kind_has_list(kind)) {
        assert_true(kind_layout(kind)->element_size <= ELEMENT_BYTES);
        kind_list_set(kind, value, ELEMENTS, storage);
    }
}

static void
check_there(sai_object_type_t type, const struct metadata_attribute *meta)
{
    struct arena *arena = arena_create(0);
    sai_attribute_t attribute = {.id = meta->id};
    union storage storage;
    struct wire_out out = {0};
    struct values values;
    struct wire_in in;

    fill(meta->kind, &attribute.value, &storage);
    values_put(&out, type, 1, &attribute);
    in = (struct wire_in){out.bytes, out.length, false};
    values_get(&in, arena, type, &values);
    assert_true(wire_ended(&in));
    assert_int_equal(values.status, SAI_STATUS_SUCCESS);
    assert_int_equal(values.n, 1);
    assert_true(attr_value_equal(meta->kind, &attribute.value,
                                 &values.attributes[0].value));
    /* Wherever it is cut, it is noticed. */
    for (size_t n = 0; n < out.length; n++) {
        in = (struct wire_in){out.bytes, n, false};
        values_get(&in, arena, type, &values);
        assert_false(wire_ended(&in));
    }
    wire_out_fini(&out);
    arena_destroy(arena);
}

/* Reads an attribute: the room goes there, what there is comes back. */
static void
check_back(sai_object_type_t type, const struct metadata_attribute *meta,
           uint32_t room)
{
    struct arena *arena = arena_create(0);
    sai_attribute_t stored = {.id = meta->id}, asked = {.id = meta->id};
    union storage storage, memory;
    int32_t inner[ELEMENTS][ELEMENTS];
    size_t budget = 100000;
    struct wire_out out = {0};
    struct values values;
    struct wire_in in;
    uint32_t rooms[1];
    sai_status_t status;

    fill(meta->kind, &stored.value, &storage);
    memset(&memory, 0, sizeof memory);
    if (meta->kind == KIND_PORTSERDESTAPS) {
        for (uint32_t i = 0; i < ELEMENTS; i++) {
            memory.inner[i] = (sai_s32_list_t){ELEMENTS, inner[i]};
        }
    }
    if (kind_has_list(meta->kind)) {
        kind_list_set(meta->kind, &asked.value, room, &memory);
    }
    values_put_room(&out, type, 1, &asked);
    in = (struct wire_in){out.bytes, out.length, false};
    values_get_room(&in, arena, type, &budget, &values);
    assert_true(wire_ended(&in));
    rooms[0] = values_room(type, &values.attributes[0]);
    assert_int_equal(rooms[0], kind_has_list(meta->kind) ? room : 0);
    status =
        attr_value_get(meta->kind, &stored.value, &values.attributes[0].value);
    out.length = 0;
    values_put_answer(&out, type, 1, values.attributes, rooms);
    in = (struct wire_in){out.bytes, out.length, false};
    values_get_answer(&in, type, 1, &asked);
    assert_true(wire_ended(&in));
    if (status == SAI_STATUS_SUCCESS) {
        assert_true(attr_value_equal(meta->kind, &stored.value, &asked.value));
    } else {
        assert_int_equal(status, SAI_STATUS_BUFFER_OVERFLOW);
        assert_int_equal(kind_list_capacity(meta->kind, &asked.value),
                         ELEMENTS);
        assert_ptr_equal(kind_list_elements(meta->kind, &asked.value), &memory);
    }
    wire_out_fini(&out);
    arena_destroy(arena);
}

static void
test_every_attribute_arrives_as_it_was_sent(void **state)
{
    const struct metadata_object *objects;
    size_t n;

    (void)state;
    objects = metadata_objects(&n);
    for (size_t i = 0; i < n; i++) {
        for (uint16_t k = 0; k < objects[i].n_attributes; k++) {
            const struct metadata_attribute *meta = &objects[i].attributes[k];

            check_there(objects[i].type, meta);
            check_back(objects[i].type, meta, ELEMENTS);
            check_back(objects[i].type, meta, ELEMENTS - 1);
        }
    }
}

static void
test_what_the_host_does_not_know_is_answered_by_its_index(void **state)
{
    struct arena *arena = arena_create(0);
    const sai_attribute_t attributes[] = {{SAI_QUEUE_ATTR_TYPE, {.s32 = 1}},
                                          {0x7000000, {.s32 = 1}},
                                          {SAI_QUEUE_ATTR_INDEX, {.u8 = 3}}};
    struct wire_out out = {0};
    struct values values;
    struct wire_in in;

    (void)state;
    values_put(&out, SAI_OBJECT_TYPE_QUEUE, N(attributes), attributes);
    in = (struct wire_in){out.bytes, out.length, false};
    values_get(&in, arena, SAI_OBJECT_TYPE_QUEUE, &values);
    assert_true(wire_ended(&in));
    assert_int_equal(values.status, SAI_STATUS_UNKNOWN_ATTRIBUTE_0 - 1);
    assert_int_equal(values.attributes[2].value.u8, 3);
    wire_out_fini(&out);
    arena_destroy(arena);
}

/* Sessions ------------------------------------------------------------------
 */

struct testbench {
    struct store *store;
    struct sai_host *host;
    struct session *session;
    struct wire_out out;
    struct text notes; /* About testers: a line each, "name: text". */
};

/* Of a struct sai_host_watcher. */
static void
note_of_tester(void *bench_, bool warn, const char *name, const char *text)
{
    struct testbench *bench = bench_;

    text_addf(&bench->notes, "%s%s: %s\n", warn ? "! " : "", name,
              text ? text : "connected");
}

static int
setup(void **state)
{
    static const uint32_t n_lanes = 4;
    struct store_port port = {.n_lanes = n_lanes, .lanes = {1, 2, 3, 4}};
    const struct store_config config = {.n_ports = 1, .ports = &port};
    struct testbench *bench = calloc(1, sizeof *bench);
    struct host_library library = {.release = 7};
    const struct sai_host_watcher watcher = {.context = bench,
                                             .tester = note_of_tester};

    assert_non_null(bench);
    bench->store = store_create(&config);
    library.backend = store_backend(bench->store);
    bench->host = sai_host_create(&library, &watcher);
    assert_non_null(bench->host);
    bench->session = session_open(bench->host, &bench->out);
    *state = bench;
    return 0;
}

static int
teardown(void **state)
{
    struct testbench *bench = *state;

    session_close(bench->session);
    sai_host_destroy(bench->host);
    store_destroy(bench->store);
    wire_out_fini(&bench->out);
    text_fini(&bench->notes);
    free(bench);
    return 0;
}

/* Hands the message in 'out' to 'session'. */
static bool
hand(struct session *session, const struct wire_out *out)
{
    struct message_header header;

    assert_true(message_header(out->bytes, &header));
    return session_message(session, &header, out->bytes + MESSAGE_HEADER_BYTES);
}

static bool
send_hello(struct session *session, uint32_t version, enum message_role role)
{
    const struct message_hello hello = {
        .version = version, .role = role, .name = "x"};
    struct wire_out out = {0};
    const size_t start = message_begin(&out, MESSAGE_HELLO, 5);
    bool stays;

    message_put_hello(&out, &hello);
    assert_true(message_end(&out, start));
    stays = hand(session, &out);
    wire_out_fini(&out);
    return stays;
}

/* Reads the welcome that is all there is in 'out'. */
static void
read_welcome(const struct wire_out *out, struct message_welcome *welcome)
{
    struct message_header header;
    struct wire_in in;

    assert_true(out->length > MESSAGE_HEADER_BYTES);
    assert_true(message_header(out->bytes, &header));
    assert_int_equal(header.kind, MESSAGE_WELCOME);
    assert_int_equal(header.sequence, 5);
    assert_int_equal(header.n_bytes, out->length - MESSAGE_HEADER_BYTES);
    in = (struct wire_in){out->bytes + MESSAGE_HEADER_BYTES, header.n_bytes,
                          false};
    assert_true(message_get_welcome(&in, welcome));
}

static void
test_another_version_is_answered_with_ours(void **state)
{
    struct testbench *bench = *state;
    struct message_welcome welcome;

    assert_false(
        send_hello(bench->session, MESSAGE_VERSION + 1, MESSAGE_WRITER));
    read_welcome(&bench->out, &welcome);
    assert_int_equal(welcome.outcome, MESSAGE_OTHER_VERSION);
    assert_int_equal(welcome.version, MESSAGE_VERSION);
    assert_non_null(strstr(welcome.reason, "version 2"));
}

static void
test_the_writer_makes_room_when_it_goes(void **state)
{
    struct testbench *bench = *state;
    struct wire_out out = {0};
    struct session *second = session_open(bench->host, &out);
    struct message_welcome welcome;

    assert_true(send_hello(bench->session, MESSAGE_VERSION, MESSAGE_WRITER));
    read_welcome(&bench->out, &welcome);
    assert_int_equal(welcome.outcome, MESSAGE_GRANTED);
    assert_int_equal(welcome.release, 7);
    assert_false(send_hello(second, MESSAGE_VERSION, MESSAGE_WRITER));
    read_welcome(&out, &welcome);
    assert_int_equal(welcome.outcome, MESSAGE_BUSY);
    session_close(second);
    session_close(bench->session);
    bench->out.length = 0;
    bench->session = session_open(bench->host, &bench->out);
    assert_true(send_hello(bench->session, MESSAGE_VERSION, MESSAGE_WRITER));
    wire_out_fini(&out);
}

/* Sends a message of 'kind' with 'n' bytes. */
static bool
send_bytes(struct testbench *bench, enum message_kind kind, size_t n,
           const uint8_t *bytes)
{
    struct wire_out out = {0};
    const size_t start = message_begin(&out, kind, 9);
    bool stays;

    wire_put_bytes(&out, bytes, n);
    assert_true(message_end(&out, start));
    stays = hand(bench->session, &out);
    wire_out_fini(&out);
    return stays;
}

static void
test_clients_without_hello_are_disconnected(void **state)
{
    struct testbench *bench = *state;
    struct wire_out call = {0};

    call_put_stats(&call, SAI_OBJECT_TYPE_PORT, 0, NULL, 0, NULL,
                   SAI_STATS_MODE_READ);
    assert_false(send_bytes(bench, MESSAGE_CALL, call.length, call.bytes));
    assert_int_equal(bench->out.length, 0);
    assert_true(send_hello(bench->session, MESSAGE_VERSION, MESSAGE_WRITER));
    assert_false(send_hello(bench->session, MESSAGE_VERSION, MESSAGE_WRITER));
    wire_out_fini(&call);
}

/* Writes a call to create the switch. */
static void
put_creation(struct wire_out *out)
{
    sai_attribute_t init = {SAI_SWITCH_ATTR_INIT_SWITCH, {.booldata = true}};
    const uint32_t n = 1;
    sai_object_key_t key = {0};
    sai_status_t status;
    const struct backend_many many = {.op = OP_CREATE,
                                      .type = SAI_OBJECT_TYPE_SWITCH,
                                      .n = 1,
                                      .keys = &key,
                                      .counts = &n,
                                      .attributes = &init,
                                      .statuses = &status};

    call_put(out, &many, 0, 1, &init);
}

/* Has 'session' create the switch; returns the status. */
static sai_status_t
create_switch(struct session *session, struct wire_out *answers)
{
    struct wire_out out = {0};
    const size_t start = message_begin(&out, MESSAGE_CALL, 9);
    struct wire_in in;

    put_creation(&out);
    assert_true(message_end(&out, start));
    answers->length = 0;
    assert_true(hand(session, &out));
    wire_out_fini(&out);
    in = (struct wire_in){answers->bytes + MESSAGE_HEADER_BYTES,
                          answers->length - MESSAGE_HEADER_BYTES, false};
    (void)wire_get_u32(&in); /* Of the call; then that of the object. */
    return (sai_status_t)wire_get_u32(&in);
}

/* Keeps the owner that a rescue reports. */
static void
note_rescue(void *reported, const char *name, const char *owner)
{
    (void)name;
    assert_true(text_format(reported, 64, "behind '%s'", owner));
}

static void
test_a_rescue_writes_beside_the_writer_where_it_may(void **state)
{
    char reported[64] = "";
    struct testbench *bench = *state;
    const struct host_library library = {.backend =
                                             store_backend(bench->store)};
    const struct sai_host_watcher noting = {.context = reported,
                                            .rescue = note_rescue};
    struct wire_out out = {0};
    struct message_welcome welcome;
    struct session *second;

    session_close(bench->session);
    sai_host_destroy(bench->host);
    bench->host = sai_host_create(&library, &noting);
    bench->session = session_open(bench->host, &bench->out);
    second = session_open(bench->host, &out);
    assert_true(send_hello(bench->session, MESSAGE_VERSION, MESSAGE_WRITER));
    /* It has no permission. */
    assert_false(send_hello(second, MESSAGE_VERSION, MESSAGE_RESCUE));
    read_welcome(&out, &welcome);
    assert_int_equal(welcome.outcome, MESSAGE_BUSY);
    assert_non_null(strstr(welcome.reason, "--rescue"));
    assert_string_equal(reported, "");
    session_close(second);
    sai_host_allow_rescue(bench->host);
    out.length = 0;
    second = session_open(bench->host, &out);
    assert_true(send_hello(second, MESSAGE_VERSION, MESSAGE_RESCUE));
    assert_string_equal(reported, "behind 'x'");
    /* Both calls come through; a reader still does not. */
    assert_int_equal(create_switch(bench->session, &bench->out),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(create_switch(second, &out),
                     SAI_STATUS_ITEM_ALREADY_EXISTS);
    session_close(second);
    out.length = 0;
    second = session_open(bench->host, &out);
    assert_true(send_hello(second, MESSAGE_VERSION, MESSAGE_READER));
    assert_int_equal(create_switch(second, &out), SAI_STATUS_OBJECT_IN_USE);
    session_close(second);
    wire_out_fini(&out);
}

/* Has 'session' make 'many'; returns the result. */
static sai_status_t
call_many(struct session *session, struct wire_out *answers,
          const struct backend_many *many)
{
    struct wire_out out = {0};
    const size_t start = message_begin(&out, MESSAGE_CALL, 9);
    sai_status_t result;
    struct wire_in in;

    call_put(&out, many, 0, many->n, many->attributes);
    assert_true(message_end(&out, start));
    answers->length = 0;
    assert_true(hand(session, &out));
    wire_out_fini(&out);
    in = (struct wire_in){answers->bytes + MESSAGE_HEADER_BYTES,
                          answers->length - MESSAGE_HEADER_BYTES, false};
    assert_true(
        call_get_answer(&in, many, 0, many->n, many->attributes, &result));
    return result;
}

/* Has 'session' make a call on one object with 'n' attributes; returns the
 * status, and stores the id of what it has created. */
static sai_status_t
call_one(struct session *session, struct wire_out *answers, enum op op,
         sai_object_type_t type, sai_object_id_t *oid, uint32_t n,
         sai_attribute_t *attributes)
{
    sai_object_key_t key = {.key.object_id = *oid};
    sai_status_t status;
    const struct backend_many many = {.op = op,
                                      .type = type,
                                      .n = 1,
                                      .keys = &key,
                                      .counts = &n,
                                      .attributes = attributes,
                                      .statuses = &status};
    const sai_status_t result = call_many(session, answers, &many);

    *oid = key.key.object_id;
    return result;
}

/* What a report says. */
struct report {
    struct text text;
};

static void
tell_entry(void *report_, const struct tester_entry *entry)
{
    struct report *report = report_;

    text_addf(&report->text, "%s%s%s,%u",
              *text_string(&report->text) ? "; " : "", entry->name,
              entry->connected ? "" : " gone", entry->n_changes);
}

static void
tell_change(void *report_, const struct tester_change *change)
{
    struct report *report = report_;

    text_addf(&report->text, " %u:%u:%s>%s", (unsigned int)change->type,
              change->is_object ? 999 : change->attribute, change->before,
              change->after);
}

/* Asks for the report about testers; returns it as text, for text_fini(). */
static struct text
ask_report(struct session *session, struct wire_out *answers)
{
    const struct query query = {.kind = QUERY_TESTERS, .room = 4096};
    struct query_answer answer = {.list = malloc(4096)};
    struct wire_out out = {0};
    const size_t start = message_begin(&out, MESSAGE_QUERY, 3);
    struct report found = {0};
    struct wire_in in;

    query_put(&out, &query, 0, NULL);
    assert_true(message_end(&out, start));
    answers->length = 0;
    assert_true(hand(session, &out));
    wire_out_fini(&out);
    in = (struct wire_in){answers->bytes + MESSAGE_HEADER_BYTES,
                          answers->length - MESSAGE_HEADER_BYTES, false};
    assert_true(query_get_answer(&in, &query, &answer));
    assert_int_equal(answer.status, SAI_STATUS_SUCCESS);
    in = (struct wire_in){answer.list, answer.count, false};
    assert_true(tester_report_read(&in, tell_entry, tell_change, &found));
    /* Wherever a report is cut, it is noticed, or ends with an entry. */
    for (uint32_t n = 1; n < answer.count; n++) {
        struct report ignored = {0};

        in = (struct wire_in){answer.list, n, false};
        (void)tester_report_read(&in, tell_entry, tell_change, &ignored);
        text_fini(&ignored.text);
    }
    free(answer.list);
    return found.text;
}

static void
assert_report(struct testbench *bench, const char *expected)
{
    struct text report = ask_report(bench->session, &bench->out);

    assert_string_equal(text_string(&report), expected);
    text_fini(&report);
}

static void
test_a_tester_changes_a_little_and_is_recorded(void **state)
{
    struct testbench *bench = *state;
    sai_attribute_t mac = {SAI_SWITCH_ATTR_SRC_MAC_ADDRESS,
                           {.mac = {0, 1, 2, 3, 4, 5}}};
    sai_attribute_t aging = {SAI_SWITCH_ATTR_FDB_AGING_TIME, {.u32 = 1}};
    sai_attribute_t init = {SAI_SWITCH_ATTR_INIT_SWITCH, {.booldata = false}};
    sai_object_id_t sw = 0, made = 0, foreign = 0, none = 0;
    struct wire_out out = {0};
    struct session *tester;
    char expected[96];

    assert_true(send_hello(bench->session, MESSAGE_VERSION, MESSAGE_WRITER));
    assert_int_equal(create_switch(bench->session, &bench->out),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(call_one(bench->session, &bench->out, OP_CREATE,
                              SAI_OBJECT_TYPE_SCHEDULER, &foreign, 0, NULL),
                     SAI_STATUS_SUCCESS);
    tester = session_open(bench->host, &out);
    assert_true(send_hello(tester, MESSAGE_VERSION, MESSAGE_TESTER));
    assert_string_equal(session_role(tester), "tester");
    assert_int_equal(sai_host_n_testers(bench->host), 1);
    assert_report(bench, "x,0");
    /* It connects, sets, creates; its first value before is recorded. */
    assert_int_equal(call_one(tester, &out, OP_CREATE, SAI_OBJECT_TYPE_SWITCH,
                              &sw, 1, &init),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(
        call_one(tester, &out, OP_SET, SAI_OBJECT_TYPE_SWITCH, &sw, 1, &mac),
        SAI_STATUS_SUCCESS);
    mac.value.mac[5] = 6;
    assert_int_equal(
        call_one(tester, &out, OP_SET, SAI_OBJECT_TYPE_SWITCH, &sw, 1, &mac),
        SAI_STATUS_SUCCESS);
    assert_int_equal(call_one(tester, &out, OP_CREATE,
                              SAI_OBJECT_TYPE_SCHEDULER, &made, 0, NULL),
                     SAI_STATUS_SUCCESS);
    (void)snprintf(expected, sizeof expected,
                   "x,2 33:83:?>00:01:02:03:04:06 %u:999:>",
                   (unsigned int)SAI_OBJECT_TYPE_SCHEDULER);
    assert_report(bench, expected);
    /* What others have created it does not remove, nor set anything else. */
    assert_int_equal(call_one(tester, &out, OP_REMOVE,
                              SAI_OBJECT_TYPE_SCHEDULER, &foreign, 0, NULL),
                     SAI_STATUS_OBJECT_IN_USE);
    assert_int_equal(session_last(tester)->effect, SESSION_DENIED);
    assert_non_null(strstr(session_last(tester)->why, "role writer"));
    assert_int_equal(
        call_one(tester, &out, OP_CREATE, SAI_OBJECT_TYPE_WRED, &none, 0, NULL),
        SAI_STATUS_OBJECT_IN_USE);
    assert_int_equal(
        call_one(tester, &out, OP_SET, SAI_OBJECT_TYPE_SWITCH, &sw, 1, &aging),
        SAI_STATUS_OBJECT_IN_USE);
    assert_int_equal(session_last(tester)->effect, SESSION_DENIED);
    /* It leaves the address, and not the scheduler; it is reported once. */
    session_close(tester);
    assert_int_equal(sai_host_n_testers(bench->host), 0);
    assert_non_null(strstr(text_string(&bench->notes),
                           "is 00:01:02:03:04:06 and was ? before\n"
                           "x: disconnected; attributes set: 1, not as before:"
                           " 1; objects left: 1, not removed: 0\n"));
    assert_report(bench, "x gone,1 "
                         "33:83:?>00:01:02:03:04:06");
    assert_report(bench, "");
    assert_int_not_equal(call_one(bench->session, &bench->out, OP_REMOVE,
                                  SAI_OBJECT_TYPE_SCHEDULER, &made, 0, NULL),
                         SAI_STATUS_SUCCESS);
    assert_int_equal(call_one(bench->session, &bench->out, OP_REMOVE,
                              SAI_OBJECT_TYPE_SCHEDULER, &foreign, 0, NULL),
                     SAI_STATUS_SUCCESS);
    wire_out_fini(&out);
}

/* Lets a writer create the switch, and returns a tester beside it. */
static struct session *
open_tester(struct testbench *bench, struct wire_out *out)
{
    struct session *tester = session_open(bench->host, out);

    assert_true(send_hello(bench->session, MESSAGE_VERSION, MESSAGE_WRITER));
    assert_int_equal(create_switch(bench->session, &bench->out),
                     SAI_STATUS_SUCCESS);
    assert_true(send_hello(tester, MESSAGE_VERSION, MESSAGE_TESTER));
    return tester;
}

/* Of a call that sets several attributes, the record has those that were set; a
 * call with one that a tester may not set sets none. */
static void
test_a_tester_sets_several_attributes_in_a_call(void **state)
{
    struct testbench *bench = *state;
    struct wire_out out = {0};
    struct session *tester = open_tester(bench, &out);
    sai_object_id_t sw = 0, port = 0;
    sai_attribute_t init = {SAI_SWITCH_ATTR_INIT_SWITCH, {.booldata = false}};
    sai_attribute_t list = {SAI_SWITCH_ATTR_PORT_LIST,
                            {.objlist = {.count = 1, .list = &port}}};
    sai_attribute_t attributes[2] = {
        {SAI_PORT_ATTR_ADMIN_STATE, {.booldata = true}},
        {SAI_PORT_ATTR_MTU, {.u32 = 9100}}};
    sai_object_key_t keys[2];
    sai_status_t statuses[2];
    const struct backend_many many = {.op = OP_SET_MANY,
                                      .type = SAI_OBJECT_TYPE_PORT,
                                      .mode =
                                          SAI_BULK_OP_ERROR_MODE_IGNORE_ERROR,
                                      .n = 2,
                                      .keys = keys,
                                      .attributes = attributes,
                                      .statuses = statuses};

    assert_int_equal(call_one(tester, &out, OP_CREATE, SAI_OBJECT_TYPE_SWITCH,
                              &sw, 1, &init),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(
        call_one(tester, &out, OP_GET, SAI_OBJECT_TYPE_SWITCH, &sw, 1, &list),
        SAI_STATUS_SUCCESS);
    keys[0].key.object_id = keys[1].key.object_id = port;
    assert_int_equal(call_many(tester, &out, &many), SAI_STATUS_OBJECT_IN_USE);
    assert_int_equal(session_last(tester)->effect, SESSION_DENIED);
    assert_report(bench, "x,0");
    /* The second object does not exist. */
    attributes[1] = attributes[0];
    keys[1].key.object_id = sw + port;
    assert_int_equal(call_many(tester, &out, &many), SAI_STATUS_FAILURE);
    assert_int_equal(statuses[0], SAI_STATUS_SUCCESS);
    assert_int_not_equal(statuses[1], SAI_STATUS_SUCCESS);
    assert_report(bench, "x,1 1:34:false>true");
    /* Set back, it is as before. */
    attributes[0].value.booldata = false;
    (void)call_many(tester, &out, &many);
    session_close(tester);
    assert_string_equal(text_string(&bench->notes),
                        "x: connected\nx: disconnected; attributes set: 1, not"
                        " as before: 0; objects left: 0, not removed: 0\n");
    wire_out_fini(&out);
}

/* A call removes several objects, if testers have created all of them. */
static void
test_a_tester_removes_several_objects_in_a_call(void **state)
{
    struct testbench *bench = *state;
    struct wire_out out = {0};
    struct session *tester = open_tester(bench, &out);
    sai_object_id_t foreign = 0;
    sai_object_key_t keys[3];
    sai_status_t statuses[3];
    const uint32_t counts[3] = {0};
    struct backend_many many = {.op = OP_CREATE_MANY,
                                .type = SAI_OBJECT_TYPE_SCHEDULER,
                                .n = 2,
                                .keys = keys,
                                .counts = counts,
                                .statuses = statuses};

    assert_int_equal(call_one(bench->session, &bench->out, OP_CREATE,
                              SAI_OBJECT_TYPE_SCHEDULER, &foreign, 0, NULL),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(call_many(tester, &out, &many), SAI_STATUS_SUCCESS);
    keys[2].key.object_id = foreign;
    many.op = OP_REMOVE_MANY;
    many.n = 3;
    assert_int_equal(call_many(tester, &out, &many), SAI_STATUS_OBJECT_IN_USE);
    many.n = 2;
    assert_int_equal(call_many(tester, &out, &many), SAI_STATUS_SUCCESS);
    assert_report(bench, "x,0");
    session_close(tester);
    wire_out_fini(&out);
}

/* Testers have room for so many records together, and may remove objects
 * without one; leaving makes room. */
static void
test_testers_have_room_for_so_many_records(void **state)
{
    static sai_object_key_t keys[TESTERS_RECORDS_MAX];
    static sai_status_t statuses[TESTERS_RECORDS_MAX];
    static const uint32_t counts[MESSAGE_OBJECTS_MAX];
    struct testbench *bench = *state;
    struct wire_out out = {0};
    struct session *tester = open_tester(bench, &out);
    sai_object_id_t made = 0;
    struct backend_many many = {.op = OP_CREATE_MANY,
                                .type = SAI_OBJECT_TYPE_SCHEDULER,
                                .n = MESSAGE_OBJECTS_MAX,
                                .counts = counts};

    for (uint32_t i = 0; i < TESTERS_RECORDS_MAX; i += many.n) {
        many.keys = keys + i;
        many.statuses = statuses + i;
        assert_int_equal(call_many(tester, &out, &many), SAI_STATUS_SUCCESS);
    }
    assert_int_equal(call_one(tester, &out, OP_CREATE,
                              SAI_OBJECT_TYPE_SCHEDULER, &made, 0, NULL),
                     SAI_STATUS_OBJECT_IN_USE);
    assert_non_null(strstr(session_last(tester)->why, "too much"));
    assert_int_equal(call_one(tester, &out, OP_REMOVE,
                              SAI_OBJECT_TYPE_SCHEDULER, &keys[7].key.object_id,
                              0, NULL),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(call_one(tester, &out, OP_CREATE,
                              SAI_OBJECT_TYPE_SCHEDULER, &made, 0, NULL),
                     SAI_STATUS_SUCCESS);
    session_close(tester);
    assert_non_null(strstr(text_string(&bench->notes),
                           "objects left: 8192, not removed: 0\n"));
    tester = session_open(bench->host, &out);
    assert_true(send_hello(tester, MESSAGE_VERSION, MESSAGE_TESTER));
    assert_int_equal(call_one(tester, &out, OP_CREATE,
                              SAI_OBJECT_TYPE_SCHEDULER, &made, 0, NULL),
                     SAI_STATUS_SUCCESS);
    session_close(tester);
    wire_out_fini(&out);
}

/* Ids come again: what the writer removes is no longer a tester's. */
static void
test_what_the_writer_removes_is_no_longer_of_a_tester(void **state)
{
    struct testbench *bench = *state;
    sai_object_id_t made = 0, again = 0;
    struct wire_out out = {0};
    struct session *tester;

    tester = open_tester(bench, &out);
    assert_int_equal(call_one(tester, &out, OP_CREATE,
                              SAI_OBJECT_TYPE_SCHEDULER, &made, 0, NULL),
                     SAI_STATUS_SUCCESS);
    again = made;
    assert_int_equal(call_one(bench->session, &bench->out, OP_REMOVE,
                              SAI_OBJECT_TYPE_SCHEDULER, &again, 0, NULL),
                     SAI_STATUS_SUCCESS);
    assert_report(bench, "x,0");
    assert_int_equal(call_one(tester, &out, OP_REMOVE,
                              SAI_OBJECT_TYPE_SCHEDULER, &made, 0, NULL),
                     SAI_STATUS_OBJECT_IN_USE);
    assert_int_equal(session_last(tester)->effect, SESSION_DENIED);
    session_close(tester);
    wire_out_fini(&out);
}

static void
test_subscribers_hear_of_testers_if_they_want(void **state)
{
    struct testbench *bench = *state;
    struct wire_out outs[2] = {{0}}, out = {0};
    struct session *subscribers[2], *tester;

    for (uint8_t i = 0; i < 2; i++) {
        /* One of an earlier release, and one of this. */
        const struct message_hello hello = {.version = MESSAGE_VERSION,
                                            .role = MESSAGE_READER,
                                            .subscribe = i ? 3 : 1};
        struct wire_out hello_out = {0};
        const size_t start = message_begin(&hello_out, MESSAGE_HELLO, 5);

        message_put_hello(&hello_out, &hello);
        assert_true(message_end(&hello_out, start));
        subscribers[i] = session_open(bench->host, &outs[i]);
        assert_true(hand(subscribers[i], &hello_out));
        wire_out_fini(&hello_out);
    }
    /* The host says that it knows testers; the earlier one would not read it.
     */
    assert_true(outs[1].length > outs[0].length);
    outs[0].length = outs[1].length = 0;
    tester = session_open(bench->host, &out);
    assert_true(send_hello(tester, MESSAGE_VERSION, MESSAGE_TESTER));
    sai_host_notify(bench->host);
    assert_int_equal(outs[0].length, 0);
    assert_int_equal(outs[1].length, MESSAGE_HEADER_BYTES + 4);
    session_close(tester);
    sai_host_notify(bench->host);
    assert_int_equal(outs[1].length, 2 * (MESSAGE_HEADER_BYTES + 4));
    for (size_t i = 0; i < 2; i++) {
        session_close(subscribers[i]);
        wire_out_fini(&outs[i]);
    }
    wire_out_fini(&out);
}

static void
test_a_limited_session_only_reads(void **state)
{
    struct testbench *bench = *state;
    struct message_welcome welcome;
    struct wire_out out = {0};
    struct session *second;

    sai_host_allow_rescue(bench->host);
    for (unsigned int role = MESSAGE_WRITER; role <= MESSAGE_TESTER; role++) {
        out.length = 0;
        second = session_open(bench->host, &out);
        session_limit(second, "only members may write");
        assert_false(send_hello(second, MESSAGE_VERSION, role));
        read_welcome(&out, &welcome);
        assert_int_equal(welcome.outcome, MESSAGE_DENIED);
        assert_string_equal(welcome.reason, "only members may write");
        assert_string_equal(session_refusal(second), welcome.reason);
        session_close(second);
    }
    out.length = 0;
    second = session_open(bench->host, &out);
    session_limit(second, "only members may write");
    assert_true(send_hello(second, MESSAGE_VERSION, MESSAGE_READER));
    assert_string_equal(session_role(second), "reader");
    assert_int_equal(session_last(second)->effect, SESSION_READ);
    assert_int_equal(create_switch(second, &out), SAI_STATUS_OBJECT_IN_USE);
    assert_int_equal(session_last(second)->effect, SESSION_DENIED);
    assert_string_equal(session_last(second)->verb, "create");
    assert_int_equal(session_changes(second), 0);
    session_close(second);
    assert_true(send_hello(bench->session, MESSAGE_VERSION, MESSAGE_WRITER));
    assert_string_equal(session_role(bench->session), "writer");
    assert_int_equal(create_switch(bench->session, &bench->out),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(session_changes(bench->session), 1);
    assert_int_equal(session_last(bench->session)->effect, SESSION_CHANGED);
    assert_string_equal(session_last(bench->session)->verb, "create");
    assert_int_equal(session_last(bench->session)->status, SAI_STATUS_SUCCESS);
    wire_out_fini(&out);
}

static void
test_what_is_no_message_ends_the_session_and_says_nothing(void **state)
{
    struct testbench *bench = *state;
    struct wire_out call = {0};
    uint8_t byte;

    assert_true(send_hello(bench->session, MESSAGE_VERSION, MESSAGE_WRITER));
    bench->out.length = 0;
    put_creation(&call);
    /* Cut anywhere, or one byte too long. */
    for (size_t n = 0; n < call.length; n++) {
        assert_false(send_bytes(bench, MESSAGE_CALL, n, call.bytes));
    }
    byte = 0;
    wire_put_bytes(&call, &byte, 1);
    assert_false(send_bytes(bench, MESSAGE_CALL, call.length, call.bytes));
    call.length--;
    assert_false(send_bytes(bench, MESSAGE_QUERY, call.length, call.bytes));
    assert_false(send_bytes(bench, MESSAGE_NOTIFICATION, 0, NULL));
    assert_int_equal(bench->out.length, 0);
    assert_int_equal(store_backend(bench->store)->switch_id,
                     SAI_NULL_OBJECT_ID);
    assert_true(send_bytes(bench, MESSAGE_CALL, call.length, call.bytes));
    assert_int_not_equal(store_backend(bench->store)->switch_id,
                         SAI_NULL_OBJECT_ID);
    wire_out_fini(&call);
}

static void
test_a_header_that_promises_too_much_is_none(void **state)
{
    struct wire_out out = {0};
    struct message_header header;

    (void)state;
    wire_put_u32(&out, MESSAGE_BODY_MAX + 1);
    wire_put_u32(&out, MESSAGE_CALL);
    wire_put_u32(&out, 1);
    assert_false(message_header(out.bytes, &header));
    wire_patch_u32(&out, 0, MESSAGE_BODY_MAX);
    assert_true(message_header(out.bytes, &header));
    wire_patch_u32(&out, 4, MESSAGE_END);
    assert_false(message_header(out.bytes, &header));
    wire_patch_u32(&out, 4, 0);
    assert_false(message_header(out.bytes, &header));
    wire_out_fini(&out);
}

/* Elements beyond the room that was offered are not stored. */
static void
test_an_answer_larger_than_its_room_is_refused(void **state)
{
    sai_object_id_t ports[3] = {1, 2, 3}, memory[3] = {0};
    const sai_attribute_t held = {SAI_SWITCH_ATTR_PORT_LIST,
                                  {.objlist = {3, ports}}};

    (void)state;
    for (uint32_t room = 2; room <= 3; room++) {
        sai_attribute_t asked = {SAI_SWITCH_ATTR_PORT_LIST,
                                 {.objlist = {room, memory}}};
        struct wire_out out = {0};
        struct wire_in in;

        values_put(&out, SAI_OBJECT_TYPE_SWITCH, 1, &held);
        in = (struct wire_in){out.bytes, out.length, false};
        values_get_answer(&in, SAI_OBJECT_TYPE_SWITCH, 1, &asked);
        assert_int_equal(wire_ended(&in), room == 3);
        assert_int_equal(memory[2], room == 3 ? 3 : 0);
        wire_out_fini(&out);
    }
}

/* A list is never longer than SAI's are, however much memory there is. */
static void
test_a_room_longer_than_any_list_is_refused(void **state)
{
    sai_object_id_t port = 0;

    (void)state;
    for (uint32_t more = 0; more < 2; more++) {
        const sai_attribute_t asked = {
            SAI_SWITCH_ATTR_PORT_LIST,
            {.objlist = {KIND_LIST_MAX + more, &port}}};
        struct arena *arena = arena_create(0);
        size_t budget = (KIND_LIST_MAX + (size_t)1) * sizeof port;
        struct wire_out out = {0};
        struct values values;
        struct wire_in in;

        values_put_room(&out, SAI_OBJECT_TYPE_SWITCH, 1, &asked);
        in = (struct wire_in){out.bytes, out.length, false};
        values_get_room(&in, arena, SAI_OBJECT_TYPE_SWITCH, &budget, &values);
        assert_int_equal(wire_ended(&in), more == 0);
        wire_out_fini(&out);
        arena_destroy(arena);
    }
}

static void
test_a_room_larger_than_an_answer_is_refused(void **state)
{
    struct arena *arena = arena_create(0);
    struct wire_out out = {0};
    sai_object_id_t memory[1];
    const sai_attribute_t list = {SAI_SWITCH_ATTR_PORT_LIST,
                                  {.objlist = {KIND_LIST_MAX, memory}}};
    struct values values;
    struct wire_in in;
    size_t budget = KIND_LIST_MAX * sizeof(sai_object_id_t);

    (void)state;
    values_put_room(&out, SAI_OBJECT_TYPE_SWITCH, 1, &list);
    for (int i = 0; i < 2; i++) {
        in = (struct wire_in){out.bytes, out.length, false};
        values_get_room(&in, arena, SAI_OBJECT_TYPE_SWITCH, &budget, &values);
        assert_int_equal(wire_ended(&in), i == 0);
    }
    wire_out_fini(&out);
    arena_destroy(arena);
}

/* A callback of another process is an address in this one. */
static void
test_no_address_of_a_client_reaches_the_library(void **state)
{
    struct testbench *bench = *state;
    struct sai_backend *backend = store_backend(bench->store);
    sai_attribute_t notify = {SAI_SWITCH_ATTR_PORT_STATE_CHANGE_NOTIFY,
                              {.ptr = (void *)(uintptr_t)0xdead}};
    sai_object_key_t key = {0};
    sai_status_t status;
    struct backend_many many = {.op = OP_SET_MANY,
                                .type = SAI_OBJECT_TYPE_SWITCH,
                                .n = 1,
                                .keys = &key,
                                .attributes = &notify,
                                .statuses = &status};
    struct wire_out call = {0};

    assert_true(send_hello(bench->session, MESSAGE_VERSION, MESSAGE_WRITER));
    put_creation(&call);
    assert_true(send_bytes(bench, MESSAGE_CALL, call.length, call.bytes));
    key.key.object_id = backend->switch_id;
    call.length = 0;
    call_put(&call, &many, 0, 1, &notify);
    assert_true(send_bytes(bench, MESSAGE_CALL, call.length, call.bytes));
    notify.value.ptr = NULL;
    assert_int_equal(backend->ops->get(backend, SAI_OBJECT_TYPE_SWITCH,
                                       backend->switch_id, 1, &notify),
                     SAI_STATUS_SUCCESS);
    assert_non_null(notify.value.ptr);
    assert_ptr_not_equal(notify.value.ptr, (void *)(uintptr_t)0xdead);
    wire_out_fini(&call);
}

#define WITH_SESSION(test)                                                     \
    cmocka_unit_test_setup_teardown(test, setup, teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_attribute_arrives_as_it_was_sent),
        cmocka_unit_test(
            test_what_the_host_does_not_know_is_answered_by_its_index),
        cmocka_unit_test(test_a_header_that_promises_too_much_is_none),
        cmocka_unit_test(test_a_room_larger_than_an_answer_is_refused),
        cmocka_unit_test(test_an_answer_larger_than_its_room_is_refused),
        cmocka_unit_test(test_a_room_longer_than_any_list_is_refused),
        WITH_SESSION(test_another_version_is_answered_with_ours),
        WITH_SESSION(test_the_writer_makes_room_when_it_goes),
        WITH_SESSION(test_a_rescue_writes_beside_the_writer_where_it_may),
        WITH_SESSION(test_a_tester_changes_a_little_and_is_recorded),
        WITH_SESSION(test_a_tester_sets_several_attributes_in_a_call),
        WITH_SESSION(test_a_tester_removes_several_objects_in_a_call),
        WITH_SESSION(test_testers_have_room_for_so_many_records),
        WITH_SESSION(test_what_the_writer_removes_is_no_longer_of_a_tester),
        WITH_SESSION(test_subscribers_hear_of_testers_if_they_want),
        WITH_SESSION(test_a_limited_session_only_reads),
        WITH_SESSION(test_clients_without_hello_are_disconnected),
        WITH_SESSION(test_what_is_no_message_ends_the_session_and_says_nothing),
        WITH_SESSION(test_no_address_of_a_client_reaches_the_library),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
