/* SPDX-License-Identifier: Apache-2.0 */

/* Keys without ids, addresses and prefixes: their text, and what is equal. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "sai/core/entry.h"
#include "sai/core/ip.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void
test_keys_survive_text(void **state)
{
    static const char *const keys[] = {
        "SAI_OBJECT_TYPE_QUEUE:oid:0x15000000000001",
        "SAI_OBJECT_TYPE_VLAN:oid:0x0",
        "SAI_OBJECT_TYPE_ROUTE_ENTRY:{\"dest\":\"10.0.0.0/8\","
        "\"switch_id\":\"oid:0x21000000000000\",\"vr\":\"oid:"
        "0x3000000000022\"}",
        "SAI_OBJECT_TYPE_ROUTE_ENTRY:{\"dest\":\"::/0\","
        "\"switch_id\":\"oid:0x21000000000000\",\"vr\":\"oid:"
        "0x3000000000022\"}",
        "SAI_OBJECT_TYPE_ROUTE_ENTRY:{\"dest\":\"fc00:0:0:1::/64\","
        "\"switch_id\":\"oid:0x1\",\"vr\":\"oid:0x2\"}",
        "SAI_OBJECT_TYPE_NEIGHBOR_ENTRY:{\"ip\":\"10.0.0.1\","
        "\"rif\":\"oid:0x6000000000001\",\"switch_id\":\"oid:"
        "0x21000000000000\"}",
        "SAI_OBJECT_TYPE_FDB_ENTRY:{\"bvid\":\"oid:0x26000000000001\","
        "\"mac\":\"02:00:00:00:00:AB\",\"switch_id\":\"oid:0x21000000000000\"}",
    };

    (void)state;
    for (size_t i = 0; i < COUNT(keys); i++) {
        sai_object_type_t type;
        sai_object_key_t key;
        struct text text = {0};

        assert_int_equal(entry_parse(keys[i], &type, &key), ST_OK);
        entry_write(type, &key, &text);
        assert_string_equal(text_string(&text), keys[i]);
        assert_int_equal(entry_is_key(type), strchr(keys[i], '{') != NULL);
        text_fini(&text);
    }
}

/* An array of keys is walked by this: one byte off, and each but the first is
 * another. */
static void
test_keys_have_the_sizes_of_sai(void **state)
{
    (void)state;
    assert_int_equal(entry_key_bytes(SAI_OBJECT_TYPE_FDB_ENTRY),
                     sizeof(sai_fdb_entry_t));
    assert_int_equal(entry_key_bytes(SAI_OBJECT_TYPE_NEIGHBOR_ENTRY),
                     sizeof(sai_neighbor_entry_t));
    assert_int_equal(entry_key_bytes(SAI_OBJECT_TYPE_ROUTE_ENTRY),
                     sizeof(sai_route_entry_t));
    assert_int_equal(entry_key_bytes(SAI_OBJECT_TYPE_QUEUE),
                     sizeof(sai_object_id_t));
}

static void
test_members_come_in_any_order(void **state)
{
    sai_object_type_t type;
    sai_object_key_t key;

    (void)state;
    assert_int_equal(
        entry_parse("SAI_OBJECT_TYPE_ROUTE_ENTRY:{\"vr\":\"oid:0x2\","
                    "\"dest\":\"10.1.0.0/16\",\"switch_id\":\"oid:0x1\"}",
                    &type, &key),
        ST_OK);
    assert_int_equal(type, SAI_OBJECT_TYPE_ROUTE_ENTRY);
    assert_int_equal(key.key.route_entry.vr_id, 2);
    assert_memory_equal(&key.key.route_entry.destination.addr, "\x0a\x01\0\0",
                        4);
    assert_memory_equal(&key.key.route_entry.destination.mask, "\xff\xff\0\0",
                        4);
}

static void
test_wrong_keys_are_refused(void **state)
{
    static const char *const keys[] = {
        "",
        "SAI_OBJECT_TYPE_ROUTE_ENTRY",
        "SAI_OBJECT_TYPE_ROUTE_ENTRY:",
        "SAI_OBJECT_TYPE_ROUTE_ENTRY:{}",
        "SAI_OBJECT_TYPE_ROUTE_ENTRY:oid:0x1",
        "SAI_OBJECT_TYPE_ROUTE_ENTRY:[1,2,3]",
        "SAI_OBJECT_TYPE_ROUTE_ENTRY:{\"dest\":\"10.0.0.0\","
        "\"switch_id\":\"oid:0x1\",\"vr\":\"oid:0x2\"}",
        "SAI_OBJECT_TYPE_ROUTE_ENTRY:{\"dest\":\"10.0.0.0/8\","
        "\"switch_id\":\"oid:0x1\",\"vr\":2}",
        "SAI_OBJECT_TYPE_ROUTE_ENTRY:{\"dest\":\"10.0.0.0/8\","
        "\"switch_id\":\"oid:0x1\",\"rif\":\"oid:0x2\"}",
        "SAI_OBJECT_TYPE_ROUTE_ENTRY:{\"dest\":\"10.0.0.0/8\","
        "\"switch_id\":\"oid:0x1\",\"vr\":\"oid:0x2\",\"x\":\"oid:0x2\"}",
        "SAI_OBJECT_TYPE_FDB_ENTRY:{\"bvid\":\"oid:0x1\",\"mac\":\"02\","
        "\"switch_id\":\"oid:0x1\"}",
        "SAI_OBJECT_TYPE_NO_SUCH:oid:0x1",
    };

    (void)state;
    for (size_t i = 0; i < COUNT(keys); i++) {
        sai_object_type_t type = SAI_OBJECT_TYPE_NULL;
        sai_object_key_t key;

        memset(&key, 0x55, sizeof key);
        assert_int_equal(entry_parse(keys[i], &type, &key), ST_INVALID);
        assert_int_equal(type, SAI_OBJECT_TYPE_NULL);
        assert_int_equal(key.key.opaque[0], 0x5555555555555555);
    }
}

/* Damages good keys at random: what is still accepted must come out of its own
 * text unchanged. */
static void
test_damaged_keys_do_no_harm(void **state)
{
    static const char *const keys[] = {
        "SAI_OBJECT_TYPE_ROUTE_ENTRY:{\"dest\":\"10.0.0.0/8\","
        "\"switch_id\":\"oid:0x1\",\"vr\":\"oid:0x2\"}",
        "SAI_OBJECT_TYPE_NEIGHBOR_ENTRY:{\"ip\":\"fc00::1\","
        "\"rif\":\"oid:0x6\",\"switch_id\":\"oid:0x1\"}",
        "SAI_OBJECT_TYPE_FDB_ENTRY:{\"bvid\":\"oid:0x26\","
        "\"mac\":\"02:00:00:00:00:AB\",\"switch_id\":\"oid:0x1\"}",
    };
    static const char alphabet[] = "0129afx:./{}[]\",\\ ";
    uint32_t random = 20261120;
    size_t n_accepted = 0;

    (void)state;
    for (int i = 0; i < 20000; i++) {
        char string[256];
        sai_object_type_t type;
        sai_object_key_t key;
        sai_object_key_t back;
        struct text text = {0};

        assert_true(text_copy(string, sizeof string, keys[i % 3]));
        for (int n = 0; n <= i % 4; n++) {
            random = random * 1664525 + 1013904223;
            string[(random >> 8) % strlen(keys[i % 3])] =
                alphabet[(random >> 24) % (sizeof alphabet - 1)];
        }
        if (entry_parse(string, &type, &key) == ST_OK) {
            n_accepted++;
            entry_write(type, &key, &text);
            assert_int_equal(entry_parse(text_string(&text), &type, &back),
                             ST_OK);
            assert_true(entry_equal(type, &key, &back));
        }
        text_fini(&text);
    }
    assert_in_range(n_accepted, 100, 10000);
}

/* Fills everything that an IPv4 route does not use with 'noise'. */
static void
make_route(int noise, sai_object_key_t *key)
{
    sai_route_entry_t *route = &key->key.route_entry;

    memset(key, noise, sizeof *key);
    route->switch_id = 1;
    route->vr_id = 2;
    route->destination.addr_family = SAI_IP_ADDR_FAMILY_IPV4;
    memcpy(&route->destination.addr, "\x0a\0\0\0", 4);
    memcpy(&route->destination.mask, "\xff\0\0\0", 4);
}

static void
test_what_means_nothing_is_ignored(void **state)
{
    sai_object_key_t a;
    sai_object_key_t b;

    (void)state;
    make_route(0x11, &a);
    make_route(0x22, &b);
    assert_true(entry_equal(SAI_OBJECT_TYPE_ROUTE_ENTRY, &a, &b));
    entry_normalise(SAI_OBJECT_TYPE_ROUTE_ENTRY, &a, &a);
    assert_int_equal(a.key.route_entry.destination.addr.ip6[4], 0);
    assert_int_equal(a.key.opaque[7], 0);
    b.key.route_entry.destination.mask.ip6[1] = 0x80;
    assert_false(entry_equal(SAI_OBJECT_TYPE_ROUTE_ENTRY, &a, &b));
    make_route(0x22, &b);
    b.key.route_entry.vr_id = 3;
    assert_false(entry_equal(SAI_OBJECT_TYPE_ROUTE_ENTRY, &a, &b));

    memset(&a, 0x11, sizeof a);
    memset(&b, 0x22, sizeof b);
    a.key.object_id = b.key.object_id = 7;
    assert_true(entry_equal(SAI_OBJECT_TYPE_QUEUE, &a, &b));
    memcpy(b.key.fdb_entry.mac_address, a.key.fdb_entry.mac_address, 6);
    b.key.fdb_entry.bv_id = a.key.fdb_entry.bv_id;
    assert_true(entry_equal(SAI_OBJECT_TYPE_FDB_ENTRY, &a, &b));
}

static void
test_prefixes(void **state)
{
    static const struct {
        const char *in;
        const char *out; /* NULL: no prefix. */
    } cases[] = {
        {"0.0.0.0/0", "0.0.0.0/0"},
        {"10.1.2.3/32", "10.1.2.3/32"},
        {"10.1.2.3/24", "10.1.2.3/24"},
        {"10.0.0.0/255.255.128.0", "10.0.0.0/17"},
        {"10.0.0.0/255.0.255.0", "10.0.0.0/255.0.255.0"},
        {"FC00:0::1/128", "fc00::1/128"},
        {"fc00::/ffff:ffff::", "fc00::/32"},
        {"10.0.0.0/33", NULL},
        {"10.0.0.0/-1", NULL},
        {"10.0.0.0/", NULL},
        {"10.0.0.0", NULL},
        {"10.0.0.0/ffff::", NULL},
        {"/8", NULL},
        {"::/129", NULL},
        {"1234567890123456789012345678901234567890123456789/1", NULL},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        sai_ip_prefix_t prefix;
        struct text text = {0};
        enum st status = ip_parse_prefix(cases[i].in, &prefix);

        if ((status == ST_OK) != (cases[i].out != NULL)) {
            fail_msg("%s", cases[i].in);
        }
        if (cases[i].out) {
            ip_write_prefix(&prefix, &text);
            assert_string_equal(text_string(&text), cases[i].out);
        }
        text_fini(&text);
    }
}

static void
test_address_of_no_family_is_said_to_be_one(void **state)
{
    sai_ip_address_t address;
    sai_ip_prefix_t prefix;
    struct text text = {0};
    unsigned int length;

    (void)state;
    memset(&address, 0, sizeof address);
    memset(&prefix, 0, sizeof prefix);
    address.addr_family = (sai_ip_addr_family_t)7;
    prefix.addr_family = (sai_ip_addr_family_t)7;
    ip_write(&address, &text);
    assert_string_equal(text_string(&text), "family:7");
    assert_false(ip_prefix_length(&prefix, &length));
    text_fini(&text);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keys_survive_text),
        cmocka_unit_test(test_keys_have_the_sizes_of_sai),
        cmocka_unit_test(test_members_come_in_any_order),
        cmocka_unit_test(test_wrong_keys_are_refused),
        cmocka_unit_test(test_damaged_keys_do_no_harm),
        cmocka_unit_test(test_what_means_nothing_is_ignored),
        cmocka_unit_test(test_prefixes),
        cmocka_unit_test(test_address_of_no_family_is_said_to_be_one),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
