/* SPDX-License-Identifier: Apache-2.0 */

/* Several objects, and entries, of a library: by its bulk functions, by single
 * ones where it has none, and what is made of doubtful answers.
 *
 * The library is a function table that does what the test says.  Objects of the
 * test are VLAN members, which are created and removed in bulk, queues, which
 * are set and read, and entries of the forwarding database. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "sai/core/capability.h"
#include "sai/loader/vendor.h"

#define N 4u
#define S SAI_STATUS_SUCCESS
#define F SAI_STATUS_FAILURE
#define E SAI_STATUS_NOT_EXECUTED
#define R SAI_STATUS_TABLE_FULL
#define X SAI_STATUS_NOT_SUPPORTED
#define I SAI_STATUS_NOT_IMPLEMENTED
#define U ((sai_status_t)1) /* The library leaves the status alone. */

/* What the library is to answer, and what it was asked. */
static struct {
    sai_status_t result;
    sai_status_t statuses[N]; /* U: untouched. */
    sai_object_id_t ids[N];   /* 0: untouched. */
    sai_status_t single;
    char calls[256];
    sai_fdb_entry_t entries[N];
    uint32_t counts[N];
} script;

static void
note(const char *what)
{
    const size_t length = strlen(script.calls);

    assert_true(text_format(script.calls + length, sizeof script.calls - length,
                            "%s%s", length ? " " : "", what));
}

static sai_status_t
answer(uint32_t n, sai_status_t *statuses)
{
    assert_int_equal(n, N);
    for (uint32_t i = 0; i < n; i++) {
        if (script.statuses[i] != U) {
            statuses[i] = script.statuses[i];
        }
    }
    return script.result;
}

static sai_status_t
create_members(sai_object_id_t switch_id, uint32_t n, const uint32_t *counts,
               const sai_attribute_t **lists, sai_bulk_op_error_mode_t mode,
               sai_object_id_t *oids, sai_status_t *statuses)
{
    (void)mode;
    note("CREATE");
    assert_int_equal(switch_id, 0x21);
    for (uint32_t i = 0; i < n; i++) {
        assert_int_equal(counts[i], i + 1);
        for (uint32_t k = 0; k < counts[i]; k++) {
            assert_int_equal(lists[i][k].value.u64, 10 * i + k);
        }
        oids[i] = script.ids[i] ? script.ids[i] : oids[i];
    }
    return answer(n, statuses);
}

static sai_status_t
remove_members(uint32_t n, const sai_object_id_t *oids,
               sai_bulk_op_error_mode_t mode, sai_status_t *statuses)
{
    (void)mode;
    note("REMOVE");
    assert_int_equal(oids[N - 1], N);
    return answer(n, statuses);
}

static sai_status_t
create_member(sai_object_id_t *oid, sai_object_id_t switch_id, uint32_t n,
              const sai_attribute_t *attributes)
{
    note("create");
    assert_int_equal(switch_id, 0x21);
    assert_int_equal(attributes[n - 1].value.u64, 10 * (n - 1) + n - 1);
    *oid = 100 + n;
    return script.single;
}

static sai_status_t
remove_member(sai_object_id_t oid)
{
    (void)oid;
    note("remove");
    return script.single;
}

static sai_status_t
create_entries(uint32_t n, const sai_fdb_entry_t *entries,
               const uint32_t *counts, const sai_attribute_t **lists,
               sai_bulk_op_error_mode_t mode, sai_status_t *statuses)
{
    (void)mode;
    (void)lists;
    note("CREATE");
    memcpy(script.entries, entries, n * sizeof *entries);
    memcpy(script.counts, counts, n * sizeof *counts);
    return answer(n, statuses);
}

static sai_status_t
get_entries(uint32_t n, const sai_fdb_entry_t *entries, const uint32_t *counts,
            sai_attribute_t **lists, sai_bulk_op_error_mode_t mode,
            sai_status_t *statuses)
{
    (void)mode;
    note("GET");
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < counts[i]; k++) {
            lists[i][k].value.u64 = entries[i].mac_address[5] * 16u + k;
        }
    }
    return answer(n, statuses);
}

static sai_status_t
create_entry(const sai_fdb_entry_t *entry, uint32_t n,
             const sai_attribute_t *attributes)
{
    (void)n;
    (void)attributes;
    note("create");
    script.entries[0] = *entry;
    return script.single;
}

static sai_status_t
set_entry(const sai_fdb_entry_t *entry, const sai_attribute_t *attribute)
{
    (void)attribute;
    note("set");
    script.entries[0] = *entry;
    return script.single;
}

static sai_status_t
get_member(sai_object_id_t oid, uint32_t n, sai_attribute_t *attributes)
{
    (void)oid;
    note("get");
    attributes[n - 1].value.u64 = 7;
    return script.single;
}

/* The exported function, which reads objects of all types. */
static sai_status_t
get_any(sai_object_id_t switch_id, sai_object_type_t type, uint32_t n,
        const sai_object_key_t *keys, uint32_t *counts, sai_attribute_t **lists,
        sai_status_t *statuses)
{
    note("ANY");
    assert_int_equal(switch_id, 0x21);
    assert_int_equal(type, SAI_OBJECT_TYPE_VLAN_MEMBER);
    for (uint32_t i = 0; i < n; i++) {
        assert_int_equal(counts[i], i + 1);
        lists[i][i].value.u64 = keys[i].key.object_id;
    }
    return answer(n, statuses);
}

static const sai_vlan_api_t vlans = {.create_vlan_member = create_member,
                                     .get_vlan_member_attribute = get_member,
                                     .remove_vlan_member = remove_member,
                                     .create_vlan_members = create_members,
                                     .remove_vlan_members = remove_members};
static const sai_fdb_api_t fdb = {.create_fdb_entry = create_entry,
                                  .set_fdb_entry_attribute = set_entry,
                                  .create_fdb_entries = create_entries,
                                  .get_fdb_entries_attribute = get_entries};

struct fixture {
    struct vendor vendor;
    sai_object_key_t keys[N];
    sai_attribute_t attributes[10]; /* 1, 2, 3 and 4 of them. */
    uint32_t counts[N];
    sai_status_t statuses[N];
    struct backend_many many;
};

static int
setup(void **state)
{
    static struct fixture f;
    uint32_t next = 0;

    memset(&f, 0, sizeof f);
    memset(&script, 0, sizeof script);
    vendor_init(&f.vendor);
    f.vendor.version = SAI_API_VERSION;
    f.vendor.capability = capability_create(NULL);
    f.vendor.backend.switch_id = 0x21;
    vendor_library_add(&f.vendor, SAI_API_VLAN, &vlans);
    vendor_library_add(&f.vendor, SAI_API_FDB, &fdb);
    for (uint32_t i = 0; i < N; i++) {
        f.counts[i] = i + 1;
        for (uint32_t k = 0; k <= i; k++) {
            f.attributes[next].id = 0x10000000; /* The vendor's own. */
            f.attributes[next++].value.u64 = 10 * i + k;
        }
    }
    f.many = (struct backend_many){.type = SAI_OBJECT_TYPE_VLAN_MEMBER,
                                   .mode = SAI_BULK_OP_ERROR_MODE_IGNORE_ERROR,
                                   .n = N,
                                   .keys = f.keys,
                                   .counts = f.counts,
                                   .attributes = f.attributes,
                                   .statuses = f.statuses};
    *state = &f;
    return 0;
}

static int
teardown(void **state)
{
    struct fixture *f = *state;

    capability_destroy(f->vendor.capability);
    return 0;
}

/* Statuses are letters, one for each object: S, F, E, R, X, I and U above; ids
 * are digits. */
static const struct {
    const char *name;
    enum op op;
    sai_bulk_op_error_mode_t mode;
    /* What the library answers: to the bulk call, to each single one. */
    char result;
    char single;
    const char *statuses;
    const char *ids;
    /* Expected. */
    char sum;
    const char *outcomes;
    const char *calls;
} answers[] = {
#define STOP   SAI_BULK_OP_ERROR_MODE_STOP_ON_ERROR
#define IGNORE SAI_BULK_OP_ERROR_MODE_IGNORE_ERROR
#define MAKE   OP_CREATE_MANY
#define DROP   OP_REMOVE_MANY
    {"all is well", MAKE, IGNORE, 'S', 'F', "SSSS", "1234", 'S', "SSSS",
     "CREATE"},
    {"one is refused, and has an id left over", MAKE, IGNORE, 'F', 'F', "SRSS",
     "1934", 'F', "SRSS", "CREATE"},
    {"success without statuses", MAKE, IGNORE, 'S', 'F', "UUUU", "1234", 'S',
     "SSSS", "CREATE"},
    {"success without an id is none", MAKE, IGNORE, 'S', 'F', "SSSS", "1034",
     'F', "SFSS", "CREATE"},
    {"neither status nor id: made singly", MAKE, IGNORE, 'F', 'S', "SRUU",
     "1000", 'F', "SRSS", "CREATE create create"},
    {"nothing is made twice", MAKE, IGNORE, 'F', 'F', "SSSS", "1234", 'S',
     "SSSS", "CREATE"},
    {"it stops where it should", MAKE, STOP, 'F', 'S', "SREU", "1000", 'F',
     "SREE", "CREATE"},
    {"no such function", MAKE, IGNORE, 'I', 'S', "UUUU", "0000", 'S', "SSSS",
     "CREATE create create create create"},
    {"no such function, says each", MAKE, STOP, 'F', 'R', "XXXX", "0000", 'F',
     "REEE", "CREATE create"},
    {"all are removed", DROP, IGNORE, 'S', 'F', "SSSS", "0000", 'S', "SSSS",
     "REMOVE"},
    {"what failed without a place is tried singly", DROP, IGNORE, 'F', 'S',
     "UUUU", "0000", 'S', "SSSS", "REMOVE remove remove remove remove"},
    {"what was removed is not removed twice", DROP, IGNORE, 'F', 'F', "SSSS",
     "0000", 'S', "SSSS", "REMOVE"},
    {"removal is not supported in bulk", DROP, IGNORE, 'X', 'S', "UUUU", "0000",
     'S', "SSSS", "REMOVE remove remove remove remove"},
    {"removal stops", DROP, STOP, 'F', 'S', "RUUU", "0000", 'F', "REEE",
     "REMOVE"},
};

static sai_status_t
status_of(char letter)
{
    static const struct {
        char letter;
        sai_status_t status;
    } letters[] = {{'S', S}, {'F', F}, {'E', E}, {'R', R},
                   {'X', X}, {'I', I}, {'U', U}};

    for (size_t i = 0; i < sizeof letters / sizeof letters[0]; i++) {
        if (letters[i].letter == letter) {
            return letters[i].status;
        }
    }
    fail_msg("no status is called %c", letter);
    return F;
}

static void
test_answers_are_true(void **state)
{
    for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++) {
        struct fixture *f = *state;

        print_message("%s\n", answers[i].name);
        teardown(state);
        setup(state);
        for (uint32_t k = 0; k < N && answers[i].op == DROP; k++) {
            f->keys[k].key.object_id = k + 1;
            f->many.counts = NULL;
            f->many.attributes = NULL;
        }
        f->many.op = answers[i].op;
        f->many.mode = answers[i].mode;
        script.result = status_of(answers[i].result);
        script.single = status_of(answers[i].single);
        for (uint32_t k = 0; k < N; k++) {
            script.statuses[k] = status_of(answers[i].statuses[k]);
            script.ids[k] = (sai_object_id_t)(answers[i].ids[k] - '0');
        }
        assert_int_equal(backend_do_many(&f->vendor.backend, &f->many),
                         status_of(answers[i].sum));
        for (uint32_t k = 0; k < N; k++) {
            assert_int_equal(f->statuses[k], status_of(answers[i].outcomes[k]));
        }
        assert_string_equal(script.calls, answers[i].calls);
        for (uint32_t k = 0; k < N && answers[i].op == MAKE; k++) {
            assert_int_equal(f->keys[k].key.object_id != SAI_NULL_OBJECT_ID,
                             f->statuses[k] == S);
        }
    }
}

/* A refusal holds for one operation of one type, permanently. */
static void
test_a_refusal_is_remembered(void **state)
{
    struct fixture *f = *state;

    f->many.op = OP_CREATE_MANY;
    script.result = I;
    script.single = S;
    memset(script.statuses, 0, sizeof script.statuses);
    (void)backend_do_many(&f->vendor.backend, &f->many);
    assert_string_equal(script.calls, "CREATE create create create create");
    script.calls[0] = '\0';
    (void)backend_do_many(&f->vendor.backend, &f->many);
    assert_string_equal(script.calls, "create create create create");
    script.calls[0] = '\0';
    for (uint32_t k = 0; k < N; k++) {
        f->keys[k].key.object_id = k + 1;
    }
    script.result = S;
    f->many.op = OP_REMOVE_MANY;
    f->many.counts = NULL;
    (void)backend_do_many(&f->vendor.backend, &f->many);
    assert_string_equal(script.calls, "REMOVE");
}

static void
make_entries(struct fixture *f)
{
    f->many.type = SAI_OBJECT_TYPE_FDB_ENTRY;
    for (uint8_t k = 0; k < N; k++) {
        memset(&f->keys[k], 0, sizeof f->keys[k]);
        f->keys[k].key.fdb_entry =
            (sai_fdb_entry_t){0x21, {2, 0, 0, 0, 0, k}, 0x26};
    }
}

static void
test_entries_go_with_their_keys(void **state)
{
    struct fixture *f = *state;
    uint32_t next = 0;

    make_entries(f);
    f->many.op = OP_CREATE_MANY;
    script.result = S;
    assert_int_equal(backend_do_many(&f->vendor.backend, &f->many), S);
    for (uint32_t k = 0; k < N; k++) {
        assert_memory_equal(&script.entries[k], &f->keys[k],
                            sizeof script.entries[k]);
    }
    assert_memory_equal(script.counts, f->counts, sizeof f->counts);
    f->many.op = OP_GET_MANY;
    assert_int_equal(backend_do_many(&f->vendor.backend, &f->many), S);
    for (uint32_t i = 0; i < N; i++) {
        for (uint32_t k = 0; k < f->counts[i]; k++) {
            assert_int_equal(f->attributes[next++].value.u64, 16 * i + k);
        }
    }
    assert_string_equal(script.calls, "CREATE GET");
}

static void
test_one_entry_is_no_bulk(void **state)
{
    struct fixture *f = *state;

    make_entries(f);
    f->many.n = 1;
    f->many.op = OP_CREATE_MANY;
    script.single = R;
    assert_int_equal(backend_do_many(&f->vendor.backend, &f->many), F);
    assert_int_equal(f->statuses[0], R);
    f->keys[0].key.fdb_entry.mac_address[0] = 6;
    f->many.op = OP_SET_MANY;
    script.single = S;
    assert_int_equal(backend_do_many(&f->vendor.backend, &f->many), S);
    assert_int_equal(script.entries[0].mac_address[0], 6);
    assert_string_equal(script.calls, "create set");
    /* This library cannot remove any, nor can a release without the table. */
    f->many.op = OP_REMOVE_MANY;
    assert_int_equal(backend_do_many(&f->vendor.backend, &f->many), F);
    assert_int_equal(f->statuses[0], I);
    f->vendor.version = 10800;
    vendor_library_add(&f->vendor, SAI_API_FDB, f->vendor.tables[SAI_API_FDB]);
    f->many.op = OP_CREATE_MANY;
    assert_int_equal(backend_do_many(&f->vendor.backend, &f->many), F);
    assert_int_equal(f->statuses[0], I);
    assert_string_equal(script.calls, "create set");
}

static void
test_objects_without_a_bulk_function_are_read_by_the_exported_one(void **state)
{
    struct fixture *f = *state;
    const uint32_t last[N] = {0, 2, 5, 9};

    f->many.op = OP_GET_MANY;
    for (uint32_t i = 0; i < N; i++) {
        f->keys[i].key.object_id = 50 + i;
    }
    assert_int_equal(backend_do_many(&f->vendor.backend, &f->many), S);
    assert_string_equal(script.calls, "get get get get");
    f->vendor.get_many = get_any;
    script.result = F;
    script.statuses[2] = R;
    assert_int_equal(backend_do_many(&f->vendor.backend, &f->many), F);
    for (uint32_t i = 0; i < N; i++) {
        assert_int_equal(f->statuses[i], i == 2 ? R : S);
        assert_int_equal(f->attributes[last[i]].value.u64, 50 + i);
    }
    /* One that does nothing is not asked again. */
    script.result = X;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(backend_do_many(&f->vendor.backend, &f->many), S);
    }
    assert_string_equal(script.calls,
                        "get get get get ANY ANY get get get get get get get "
                        "get");
}

int
main(void)
{
#define T(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
    const struct CMUnitTest tests[] = {
        T(test_answers_are_true),
        T(test_a_refusal_is_remembered),
        T(test_entries_go_with_their_keys),
        T(test_one_entry_is_no_bulk),
        T(test_objects_without_a_bulk_function_are_read_by_the_exported_one),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
