/* SPDX-License-Identifier: Apache-2.0 */

/* A table of the members of each entry, with one writer and one parser for all.
 *
 * A member is an id, an address, a prefix or a MAC address.  Each of these
 * kinds has one function per direction. */

#include <config.h>

#include "sai/core/entry.h"

#include <string.h>

#include <jansson.h>

#include "base/text.h"
#include "sai/core/ip.h"
#include "sai/core/metadata.h"
#include "sai/core/serialize.h"

/* The kind of a member. */
enum part { PART_OID, PART_MAC, PART_IP, PART_PREFIX };

struct member {
    const char *name;
    enum part part;
    size_t offset; /* In the entry. */
};

/* The largest number of members of an entry. */
#define MAX_MEMBERS 3

/* Sorted by name. */
struct form {
    sai_object_type_t type;
    size_t bytes; /* Of the entry. */
    struct member members[MAX_MEMBERS];
};

static const struct form forms[] = {
    {SAI_OBJECT_TYPE_FDB_ENTRY,
     sizeof(sai_fdb_entry_t),
     {{"bvid", PART_OID, offsetof(sai_fdb_entry_t, bv_id)},
      {"mac", PART_MAC, offsetof(sai_fdb_entry_t, mac_address)},
      {"switch_id", PART_OID, offsetof(sai_fdb_entry_t, switch_id)}}},
    {SAI_OBJECT_TYPE_NEIGHBOR_ENTRY,
     sizeof(sai_neighbor_entry_t),
     {{"ip", PART_IP, offsetof(sai_neighbor_entry_t, ip_address)},
      {"rif", PART_OID, offsetof(sai_neighbor_entry_t, rif_id)},
      {"switch_id", PART_OID, offsetof(sai_neighbor_entry_t, switch_id)}}},
    {SAI_OBJECT_TYPE_ROUTE_ENTRY,
     sizeof(sai_route_entry_t),
     {{"dest", PART_PREFIX, offsetof(sai_route_entry_t, destination)},
      {"switch_id", PART_OID, offsetof(sai_route_entry_t, switch_id)},
      {"vr", PART_OID, offsetof(sai_route_entry_t, vr_id)}}},
};

/* The value of a member of any kind. */
union value {
    sai_object_id_t oid;
    sai_mac_t mac;
    sai_ip_address_t ip;
    sai_ip_prefix_t prefix;
};

static const size_t sizes[] = {
    [PART_OID] = sizeof(sai_object_id_t),
    [PART_MAC] = sizeof(sai_mac_t),
    [PART_IP] = sizeof(sai_ip_address_t),
    [PART_PREFIX] = sizeof(sai_ip_prefix_t),
};

static const struct form *
find_form(sai_object_type_t type)
{
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        if (forms[i].type == type) {
            return &forms[i];
        }
    }
    return NULL;
}

bool
entry_is_key(sai_object_type_t type)
{
    return find_form(type) != NULL;
}

size_t
entry_key_bytes(sai_object_type_t type)
{
    const struct form *form = find_form(type);

    return form ? form->bytes : sizeof(sai_object_id_t);
}

/* Clears the bytes of an address that IPv4 does not use. */
static void
trim(sai_ip_addr_family_t family, sai_ip_addr_t *address)
{
    if (family == SAI_IP_ADDR_FAMILY_IPV4) {
        memset(address->ip6 + 4, 0, sizeof address->ip6 - 4);
    }
}

/* Returns the value of 'member' in 'key' with its unused bytes zeroed. */
static union value
load(const struct member *member, const sai_object_key_t *key)
{
    union value value;

    memset(&value, 0, sizeof value);
    memcpy(&value, (const char *)&key->key + member->offset,
           sizes[member->part]);
    if (member->part == PART_IP) {
        trim(value.ip.addr_family, &value.ip.addr);
    } else if (member->part == PART_PREFIX) {
        trim(value.prefix.addr_family, &value.prefix.addr);
        trim(value.prefix.addr_family, &value.prefix.mask);
    }
    return value;
}

static void
store(const struct member *member, const union value *value,
      sai_object_key_t *key)
{
    memcpy((char *)&key->key + member->offset, value, sizes[member->part]);
}

uint32_t
entry_oids(sai_object_type_t type, sai_object_key_t *key,
           sai_object_id_t **oids)
{
    switch ((int)type) {
    case SAI_OBJECT_TYPE_FDB_ENTRY:
        oids[0] = &key->key.fdb_entry.switch_id;
        oids[1] = &key->key.fdb_entry.bv_id;
        return 2;
    case SAI_OBJECT_TYPE_NEIGHBOR_ENTRY:
        oids[0] = &key->key.neighbor_entry.switch_id;
        oids[1] = &key->key.neighbor_entry.rif_id;
        return 2;
    case SAI_OBJECT_TYPE_ROUTE_ENTRY:
        oids[0] = &key->key.route_entry.switch_id;
        oids[1] = &key->key.route_entry.vr_id;
        return 2;
    default:
        oids[0] = &key->key.object_id;
        return 1;
    }
}

void
entry_normalise(sai_object_type_t type, const sai_object_key_t *from,
                sai_object_key_t *to)
{
    const struct form *form = find_form(type);
    sai_object_key_t key;

    memset(&key, 0, sizeof key);
    if (!form) {
        key.key.object_id = from->key.object_id;
    }
    for (size_t i = 0; form && i < MAX_MEMBERS; i++) {
        union value value = load(&form->members[i], from);

        store(&form->members[i], &value, &key);
    }
    /* An assignment need not copy the padding, which entry_equal() compares. */
    memcpy(to, &key, sizeof key);
}

bool
entry_equal(sai_object_type_t type, const sai_object_key_t *a,
            const sai_object_key_t *b)
{
    sai_object_key_t one;
    sai_object_key_t other;

    entry_normalise(type, a, &one);
    entry_normalise(type, b, &other);
    return !memcmp(&one, &other, sizeof one);
}

static void
write_member(const struct member *member, const sai_object_key_t *key,
             struct text *text)
{
    union value value = load(member, key);

    text_addf(text, "\"%s\":\"", member->name);
    switch (member->part) {
    case PART_OID:
        serialize_oid(value.oid, text);
        break;
    case PART_MAC:
        serialize_mac(value.mac, text);
        break;
    case PART_IP:
        ip_write(&value.ip, text);
        break;
    case PART_PREFIX:
        ip_write_prefix(&value.prefix, text);
        break;
    }
    text_add_char(text, '"');
}

void
entry_write(sai_object_type_t type, const sai_object_key_t *key,
            struct text *text)
{
    const struct form *form = find_form(type);

    if (!form) {
        serialize_key(type, key->key.object_id, text);
        return;
    }
    text_addf(text, "%s:", metadata_type_name(type));
    for (size_t i = 0; i < MAX_MEMBERS; i++) {
        text_add_char(text, i ? ',' : '{');
        write_member(&form->members[i], key, text);
    }
    text_add_char(text, '}');
}

static enum st
parse_member(const struct member *member, const json_t *json,
             sai_object_key_t *key)
{
    const char *string = json_string_value(json);
    enum st status = ST_INVALID;
    union value value;

    memset(&value, 0, sizeof value);
    if (!string) {
        return ST_INVALID;
    }
    switch (member->part) {
    case PART_OID:
        status = serialize_parse_oid(string, &value.oid);
        break;
    case PART_MAC:
        status = serialize_parse_mac(string, value.mac);
        break;
    case PART_IP:
        status = ip_parse(string, &value.ip);
        break;
    case PART_PREFIX:
        status = ip_parse_prefix(string, &value.prefix);
        break;
    }
    store(member, &value, key);
    return status;
}

/* Parses the JSON of an entry. */
static enum st
parse_form(const struct form *form, const char *string, sai_object_key_t *key)
{
    json_t *root = json_loads(string, JSON_REJECT_DUPLICATES, NULL);
    enum st status = json_object_size(root) == MAX_MEMBERS ? ST_OK : ST_INVALID;

    for (size_t i = 0; i < MAX_MEMBERS && status == ST_OK; i++) {
        const struct member *member = &form->members[i];

        status = parse_member(member, json_object_get(root, member->name), key);
    }
    json_decref(root);
    return status;
}

enum st
entry_parse(const char *string, sai_object_type_t *type, sai_object_key_t *key)
{
    sai_object_key_t parsed;
    enum st status;

    memset(&parsed, 0, sizeof parsed);
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        const char *name = metadata_type_name(forms[i].type);
        size_t length = strlen(name);

        if (!strncmp(string, name, length) && string[length] == ':') {
            status = parse_form(&forms[i], string + length + 1, &parsed);
            if (status == ST_OK) {
                *type = forms[i].type;
                *key = parsed;
            }
            return status;
        }
    }
    status = serialize_parse_key(string, type, &parsed.key.object_id);
    if (status == ST_OK) {
        *key = parsed;
    }
    return status;
}
