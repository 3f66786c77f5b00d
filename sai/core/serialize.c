/* SPDX-License-Identifier: Apache-2.0 */

/* Text forms by kind.
 *
 * One row per kind states its form.  A list or a range is written and parsed
 * part by part, each as a value of the kind of its parts;
 * sai/core/struct_json.h handles structures.  So there is one writer and one
 * parser per form, and none per attribute.
 *
 * The text may come from an untrusted source.  The parser checks lengths before
 * it allocates memory; a failed attempt leaves its memory in the arena. */

#include <config.h>

#include "sai/core/serialize.h"

#include <inttypes.h>
#include <string.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/parse.h"
#include "base/text.h"
#include "sai/core/compound_text.h"
#include "sai/core/ip.h"
#include "sai/core/struct_json.h"

/* The text form of a kind. */
enum form {
    FORM_NONE, /* It has no text. */
    FORM_BOOL,
    FORM_TEXT, /* Characters up to a NUL. */
    FORM_UNSIGNED,
    FORM_SIGNED, /* Enumerations too, by name where there is one. */
    FORM_POINTER,
    FORM_MAC,
    FORM_IP,
    FORM_OID,
    FORM_RANGE,  /* Two of 'part'. */
    FORM_LIST,   /* A count and that many of 'part'. */
    FORM_RECORD, /* A structure, as JSON. */
    FORM_BYTES,  /* A list of characters. */
    FORM_IP4,
    FORM_IP6,
    FORM_ACL,      /* A field or an action of an access list. */
    FORM_COMPOUND, /* Lists in something, see sai/core/compound_text.h. */
};

struct rule {
    enum form form;
    int64_t min;         /* Of numbers. */
    uint64_t max;        /* The same. */
    enum kind part;      /* Of the elements of a list or a range. */
    const char *allowed; /* For people. */
};

#define RECORD                                                                 \
    {                                                                          \
        .form = FORM_RECORD, .allowed = "JSON of this structure"               \
    }
#define LIST(kind)                                                             \
    {                                                                          \
        .form = FORM_LIST, .part = kind, .allowed = "N:item,item or 0:null"    \
    }

#define ACL(text)                                                              \
    {                                                                          \
        .form = FORM_ACL, .allowed = text                                      \
    }

static const struct rule rules[KIND_N] = {
    [KIND_BOOL] = {.form = FORM_BOOL, .allowed = "true or false"},
    [KIND_CHARDATA] = {.form = FORM_TEXT, .allowed = "at most 31 characters"},
    [KIND_U8] = {FORM_UNSIGNED, 0, UINT8_MAX, 0, "0..255"},
    [KIND_S8] = {FORM_SIGNED, INT8_MIN, INT8_MAX, 0, "-128..127"},
    [KIND_U16] = {FORM_UNSIGNED, 0, UINT16_MAX, 0, "0..65535"},
    [KIND_U32] = {FORM_UNSIGNED, 0, UINT32_MAX, 0, "0..4294967295"},
    [KIND_S32] = {FORM_SIGNED, INT32_MIN, INT32_MAX, 0,
                  "-2147483648..2147483647"},
    [KIND_U64] = {FORM_UNSIGNED, 0, UINT64_MAX, 0, "0..18446744073709551615"},
    [KIND_POINTER] = {.form = FORM_POINTER, .allowed = "ptr:0xHEX"},
    [KIND_MAC] = {.form = FORM_MAC, .allowed = "XX:XX:XX:XX:XX:XX"},
    [KIND_IPADDR] = {.form = FORM_IP, .allowed = "an IPv4 or IPv6 address"},
    [KIND_IP4] = {.form = FORM_IP4, .allowed = "an IPv4 address"},
    [KIND_IP6] = {.form = FORM_IP6, .allowed = "an IPv6 address"},
    [KIND_ACLMASK] = {.form = FORM_IP6, .allowed = "an IPv6 address"},
    [KIND_ACLFIELD_BOOL] = ACL("disabled or DATA"),
    [KIND_ACLFIELD_U8] = ACL("disabled or DATA&mask:MASK"),
    [KIND_ACLFIELD_U16] = ACL("disabled or DATA&mask:MASK"),
    [KIND_ACLFIELD_U32] = ACL("disabled or DATA&mask:MASK"),
    [KIND_ACLFIELD_S32] = ACL("disabled or DATA&mask:MASK"),
    [KIND_ACLFIELD_U64] = ACL("disabled or DATA&mask:MASK"),
    [KIND_ACLFIELD_MAC] = ACL("disabled or DATA&mask:MASK"),
    [KIND_ACLFIELD_IP4] = ACL("disabled or DATA&mask:MASK"),
    [KIND_ACLFIELD_IP6] = ACL("disabled or DATA&mask:MASK"),
    [KIND_ACLFIELD_OID] = ACL("disabled or DATA"),
    [KIND_ACLFIELD_OBJLIST] = ACL("disabled or DATA"),
    [KIND_ACLFIELD_U8LIST] = ACL("disabled or DATA"),
    [KIND_ACLACTION_BOOL] = ACL("disabled or VALUE"),
    [KIND_ACLACTION_U8] = ACL("disabled or VALUE"),
    [KIND_ACLACTION_U16] = ACL("disabled or VALUE"),
    [KIND_ACLACTION_U32] = ACL("disabled or VALUE"),
    [KIND_ACLACTION_S32] = ACL("disabled or VALUE"),
    [KIND_ACLACTION_MAC] = ACL("disabled or VALUE"),
    [KIND_ACLACTION_IP4] = ACL("disabled or VALUE"),
    [KIND_ACLACTION_IP6] = ACL("disabled or VALUE"),
    [KIND_ACLACTION_OID] = ACL("disabled or VALUE"),
    [KIND_ACLACTION_IPADDR] = ACL("disabled or VALUE"),
    [KIND_ACLACTION_OBJLIST] = ACL("disabled or VALUE"),
    [KIND_OID] = {.form = FORM_OID, .allowed = "oid:0xHEX"},
    [KIND_JSON] = {.form = FORM_BYTES, .allowed = "JSON"},
    [KIND_ACLCAPABILITY] = {.form = FORM_COMPOUND,
                            .allowed = "mandatory:N:item,item:match:exact"},
    [KIND_PORTSERDESTAPS] = {.form = FORM_COMPOUND,
                             .allowed = "N:list;list or 0:null"},
    [KIND_U16RANGE] = {.form = FORM_RANGE,
                       .part = KIND_U16,
                       .allowed = "min,max"},
    [KIND_U32RANGE] = {.form = FORM_RANGE,
                       .part = KIND_U32,
                       .allowed = "min,max"},
    [KIND_OBJLIST] = LIST(KIND_OID),
    [KIND_U8LIST] = LIST(KIND_U8),
    [KIND_S8LIST] = LIST(KIND_S8),
    [KIND_U32LIST] = LIST(KIND_U32),
    [KIND_S32LIST] = LIST(KIND_S32),
    [KIND_PORTERROR] = LIST(KIND_S32),
    [KIND_QOSMAP] = RECORD,
    [KIND_MAPLIST] = RECORD,
    [KIND_ACLRESOURCE] = RECORD,
    [KIND_ACLCHAINLIST] = RECORD,
    [KIND_SYSPORTCONFIG] = RECORD,
    [KIND_SYSPORTCONFIGLIST] = RECORD,
    [KIND_PORTEYEVALUES] = RECORD,
    [KIND_PORTPAM4EYEVALUES] = RECORD,
    [KIND_PORTLANELATCHSTATUSLIST] = RECORD,
    [KIND_PORTFREQUENCYOFFSETPPMLIST] = RECORD,
    [KIND_PORTSNRLIST] = RECORD,
    [KIND_PRBS_RX_STATUS_LIST] = RECORD,
    [KIND_PRBS_RX_STATE_LIST] = RECORD,
    [KIND_PRBS_BER_LIST] = RECORD,
    [KIND_TIMESPEC] = RECORD,
    [KIND_RX_STATE] = RECORD,
    [KIND_REACHABILITY] = RECORD,
    [KIND_LATCHSTATUS] = RECORD,
};

/* The longest text of one element of a list. */
#define ITEM_SIZE 128

/* Returns the enumeration of the numbers in 'attribute', NULL for plain
 * numbers. */
static const struct metadata_enum *
enumeration_of(const struct metadata_attribute *attribute)
{
    return attribute->kind == KIND_PORTERROR
               ? metadata_enum("sai_port_err_status_t")
               : attribute->enumeration;
}

/* Writes a number, or its name in 'enumeration'. */
static void
write_number(enum kind kind, const struct metadata_enum *enumeration,
             const sai_attribute_value_t *value, struct text *text)
{
    int64_t number = metadata_number(kind, value);
    const char *name =
        enumeration ? metadata_enum_name(enumeration, (int32_t)number) : NULL;

    if (name) {
        text_add(text, name);
    } else if (rules[kind].form == FORM_UNSIGNED) {
        text_addf(text, "%" PRIu64, (uint64_t)number);
    } else {
        text_addf(text, "%" PRId64, number);
    }
}

void
serialize_mac(const sai_mac_t mac, struct text *text)
{
    text_addf(text, "%02X:%02X:%02X:%02X:%02X:%02X", mac[0], mac[1], mac[2],
              mac[3], mac[4], mac[5]);
}

/* Writes an address that has no family of its own. */
static void
write_address(enum kind kind, const sai_attribute_value_t *value,
              struct text *text)
{
    sai_ip_address_t address = {.addr_family = kind == KIND_IP4
                                                   ? SAI_IP_ADDR_FAMILY_IPV4
                                                   : SAI_IP_ADDR_FAMILY_IPV6};

    memcpy(&address.addr, value, kind_layout(kind)->size);
    ip_write(&address, text);
}

/* Writes a value that is neither a list nor a range nor a record. */
static void
write_scalar(enum kind kind, const struct metadata_enum *enumeration,
             const sai_attribute_value_t *value, struct text *text)
{
    switch ((int)rules[kind].form) {
    case FORM_BOOL:
        text_add(text, metadata_number(KIND_BOOL, value) ? "true" : "false");
        break;
    case FORM_TEXT:
        text_add_bytes(text, value->chardata,
                       strnlen(value->chardata, sizeof value->chardata));
        break;
    case FORM_POINTER:
        text_addf(text, "ptr:0x%" PRIxPTR, (uintptr_t)value->ptr);
        break;
    case FORM_MAC:
        serialize_mac(value->mac, text);
        break;
    case FORM_IP:
        ip_write(&value->ipaddr, text);
        break;
    case FORM_IP4:
    case FORM_IP6:
        write_address(kind, value, text);
        break;
    case FORM_OID:
        serialize_oid(value->oid, text);
        break;
    default:
        write_number(kind, enumeration, value, text);
        break;
    }
}

/* Writes the 'n' parts of 'size' bytes at 'parts', separated by commas.  Every
 * member of the union begins at its start, so a copy of a part to the start of
 * a value is a value of its own. */
static void
write_parts(enum kind part, const struct metadata_enum *enumeration,
            const char *parts, uint32_t n, struct text *text)
{
    size_t size = kind_layout(part)->size;

    for (uint32_t i = 0; i < n; i++) {
        sai_attribute_value_t value;

        memset(&value, 0, sizeof value);
        memcpy(&value, parts + i * size, size);
        if (i > 0) {
            text_add_char(text, ',');
        }
        write_scalar(part, enumeration, &value, text);
    }
}

static void
write_list(const struct metadata_attribute *attribute,
           const sai_attribute_value_t *value, struct text *text)
{
    uint32_t n = kind_list_count(attribute->kind, value);

    text_addf(text, "%" PRIu32 ":", n);
    if (n == 0) {
        text_add(text, "null");
        return;
    }
    write_parts(rules[attribute->kind].part, enumeration_of(attribute),
                kind_list_elements(attribute->kind, value), n, text);
}

/* Returns the attribute of which the data of a field or an action are a value
 * of their own. */
static struct metadata_attribute
acl_part_of(const struct metadata_attribute *attribute)
{
    return (struct metadata_attribute){
        .name = attribute->name,
        .kind = kind_acl_part(attribute->kind),
        .enumeration = attribute->enumeration,
    };
}

/* Returns whether fields of this kind have a mask that is a plain number or
 * address. */
static bool
has_acl_mask(const struct metadata_attribute *attribute)
{
    const enum kind part = kind_acl_part(attribute->kind);

    return kind_is_acl_field(attribute->kind) && part != KIND_BOOL &&
           part != KIND_OID && !kind_has_list(part);
}

/* Writes the mask of a field: numbers in hexadecimal. */
static void
write_acl_mask(enum kind part, const sai_attribute_value_t *value,
               struct text *text)
{
    sai_attribute_value_t mask = {.u64 = 0};
    const size_t size = kind_layout(part)->size;

    memcpy(&mask, (const char *)value + KIND_ACL_MASK_OFFSET, size);
    text_add(text, "&mask:");
    if (rules[part].form == FORM_UNSIGNED || rules[part].form == FORM_SIGNED) {
        text_addf(text, "0x%" PRIx64, mask.u64);
    } else {
        write_scalar(part, NULL, &mask, text);
    }
}

/* Writes a field or an action of an access list. */
static void
write_acl(const struct metadata_attribute *attribute,
          const sai_attribute_value_t *value, struct text *text)
{
    const struct metadata_attribute part = acl_part_of(attribute);
    const bool is_field = kind_is_acl_field(attribute->kind);
    sai_attribute_value_t data = {.u64 = 0};

    if (value->u8 == 0) {
        text_add(text, "disabled");
        return;
    }
    memcpy(&data,
           (const char *)value +
               (is_field ? KIND_ACL_FIELD_OFFSET : KIND_ACL_ACTION_OFFSET),
           kind_layout(part.kind)->size);
    if (kind_has_list(part.kind)) {
        write_list(&part, &data, text);
    } else {
        write_scalar(part.kind, part.enumeration, &data, text);
    }
    if (has_acl_mask(attribute)) {
        write_acl_mask(part.kind, value, text);
    }
}

enum st
serialize_value(const struct metadata_attribute *attribute,
                const sai_attribute_value_t *value, struct text *text)
{
    const struct rule *rule = &rules[attribute->kind];

    switch (rule->form) {
    case FORM_NONE:
        return ST_UNSUPPORTED;
    case FORM_RECORD:
        struct_json_write(attribute->kind, value, text);
        break;
    case FORM_LIST:
        write_list(attribute, value, text);
        break;
    case FORM_RANGE:
        write_parts(rule->part, NULL, (const char *)value, 2, text);
        break;
    case FORM_BYTES:
        if (kind_list_count(attribute->kind, value) > 0) {
            text_add_bytes(text, kind_list_elements(attribute->kind, value),
                           kind_list_count(attribute->kind, value));
        }
        break;
    case FORM_ACL:
        write_acl(attribute, value, text);
        break;
    case FORM_COMPOUND:
        compound_text_write(attribute->kind, value, text);
        break;
    default:
        write_scalar(attribute->kind, attribute->enumeration, value, text);
        break;
    }
    return ST_OK;
}

/* Parses "0x..." with 1 to 'digits' digits and nothing else. */
static enum st
parse_hex(const char *string, size_t digits, uint64_t *value)
{
    uint64_t number = 0;
    size_t n;

    if (strncmp(string, "0x", 2) != 0) {
        return ST_INVALID;
    }
    string += 2;
    for (n = 0; string[n]; n++) {
        static const char values[] = "0123456789abcdef0123456789ABCDEF";
        const char *digit = strchr(values, string[n]);

        if (!digit || n == digits) {
            return ST_INVALID;
        }
        number = number << 4 | (uint64_t)((digit - values) & 15);
    }
    if (n == 0) {
        return ST_INVALID;
    }
    *value = number;
    return ST_OK;
}

/* Parses a number in the range of its kind, or a name in 'enumeration'. Numbers
 * that are not in the enumeration are accepted, because the writer writes
 * values without a name so; sai/core/validate.h checks them. */
static enum st
parse_number(enum kind kind, const struct metadata_enum *enumeration,
             const char *string, sai_attribute_value_t *value)
{
    const struct rule *rule = &rules[kind];
    int64_t number;
    uint64_t positive;
    int32_t member;

    if (enumeration && metadata_enum_value(enumeration, string, &member)) {
        metadata_set_number(kind, member, value);
        return ST_OK;
    }
    if (rule->form == FORM_UNSIGNED) {
        if (parse_u64(string, 0, rule->max, &positive)) {
            return ST_INVALID;
        }
        number = (int64_t)positive;
    } else if (parse_s64(string, rule->min, (int64_t)rule->max, &number)) {
        return ST_INVALID;
    }
    metadata_set_number(kind, number, value);
    return ST_OK;
}

static enum st
parse_bool(const char *string, bool *value)
{
    if (strcmp(string, "true") != 0 && strcmp(string, "false") != 0) {
        return ST_INVALID;
    }
    *value = string[0] == 't';
    return ST_OK;
}

static enum st
parse_pointer(const char *string, sai_pointer_t *pointer)
{
    uint64_t number;

    if (strncmp(string, "ptr:", 4) != 0 || parse_hex(string + 4, 16, &number)) {
        return ST_INVALID;
    }
    *pointer = (sai_pointer_t)(uintptr_t)number;
    return ST_OK;
}

/* Parses an address of the family of 'kind'. */
static enum st
parse_address(enum kind kind, const char *string, sai_attribute_value_t *value)
{
    sai_ip_address_t address;
    const int32_t family =
        kind == KIND_IP4 ? SAI_IP_ADDR_FAMILY_IPV4 : SAI_IP_ADDR_FAMILY_IPV6;

    memset(&address, 0, sizeof address);
    if (ip_parse(string, &address) || (int32_t)address.addr_family != family) {
        return ST_INVALID;
    }
    memcpy(value, &address.addr, kind_layout(kind)->size);
    return ST_OK;
}

/* Parses a value that is neither a list nor a range nor a record into
 * '*value', which is all zeros. */
static enum st
parse_scalar(enum kind kind, const struct metadata_enum *enumeration,
             const char *string, sai_attribute_value_t *value)
{
    switch ((int)rules[kind].form) {
    case FORM_BOOL:
        return parse_bool(string, &value->booldata);
    case FORM_TEXT:
        return text_copy(value->chardata, sizeof value->chardata, string)
                   ? ST_OK
                   : ST_INVALID;
    case FORM_POINTER:
        return parse_pointer(string, &value->ptr);
    case FORM_MAC:
        return serialize_parse_mac(string, value->mac);
    case FORM_IP:
        return ip_parse(string, &value->ipaddr);
    case FORM_IP4:
    case FORM_IP6:
        return parse_address(kind, string, value);
    case FORM_OID:
        return serialize_parse_oid(string, &value->oid);
    default:
        return parse_number(kind, enumeration, string, value);
    }
}

/* Parses exactly 'n' parts, separated by commas, into 'parts'. */
static enum st
parse_parts(enum kind part, const struct metadata_enum *enumeration,
            const char *string, uint32_t n, char *parts)
{
    size_t size = kind_layout(part)->size;
    const char *cursor = string;
    const char *item;
    size_t length;
    uint32_t i = 0;

    while (parse_list_next(&cursor, &item, &length)) {
        char buffer[ITEM_SIZE];
        sai_attribute_value_t value;

        if (i == n || length >= sizeof buffer) {
            return ST_INVALID;
        }
        memcpy(buffer, item, length);
        buffer[length] = '\0';
        memset(&value, 0, sizeof value);
        if (parse_scalar(part, enumeration, buffer, &value)) {
            return ST_INVALID;
        }
        memcpy(parts + i * size, &value, size);
        i++;
    }
    return i == n ? ST_OK : ST_INVALID;
}

/* Parses "N:item,item" or "0:null". */
static enum st
parse_list(struct arena *arena, const struct metadata_attribute *attribute,
           const char *string, sai_attribute_value_t *value)
{
    enum kind part = rules[attribute->kind].part;
    const char *colon = strchr(string, ':');
    char digits[16];
    uint64_t n;
    char *elements;

    if (!colon || (size_t)(colon - string) >= sizeof digits) {
        return ST_INVALID;
    }
    memcpy(digits, string, (size_t)(colon - string));
    digits[colon - string] = '\0';
    if (parse_u64(digits, 0, KIND_LIST_MAX, &n)) {
        return ST_INVALID;
    }
    if (n == 0) {
        return strcmp(colon + 1, "null") ? ST_INVALID : ST_OK;
    }
    /* An element has at least one character: check before allocating. */
    if (n > strlen(colon + 1)) {
        return ST_INVALID;
    }
    elements = arena_alloc(arena, n, kind_layout(part)->size);
    if (parse_parts(part, enumeration_of(attribute), colon + 1, (uint32_t)n,
                    elements)) {
        return ST_INVALID;
    }
    kind_list_set(attribute->kind, value, (uint32_t)n, elements);
    return ST_OK;
}

/* Copies 'string' unchanged. */
static enum st
parse_bytes(struct arena *arena, enum kind kind, const char *string,
            sai_attribute_value_t *value)
{
    size_t n = strlen(string);

    if (n > KIND_LIST_MAX) {
        return ST_INVALID;
    }
    kind_list_set(kind, value, (uint32_t)n,
                  n ? arena_strdup(arena, string) : NULL);
    return ST_OK;
}

/* Parses the mask of a field of 'part' into '*value'. */
static enum st
parse_acl_mask(enum kind part, const char *string, sai_attribute_value_t *value)
{
    const size_t size = kind_layout(part)->size;
    sai_attribute_value_t mask = {.u64 = 0};
    const bool is_number =
        rules[part].form == FORM_UNSIGNED || rules[part].form == FORM_SIGNED;
    const enum st status = is_number ? parse_hex(string, 2 * size, &mask.u64)
                                     : parse_scalar(part, NULL, string, &mask);

    if (status == ST_OK) {
        memcpy((char *)value + KIND_ACL_MASK_OFFSET, &mask, size);
    }
    return status;
}

/* Parses a field or an action of an access list. */
static enum st
parse_acl(struct arena *arena, const struct metadata_attribute *attribute,
          const char *string, sai_attribute_value_t *value)
{
    const struct metadata_attribute part = acl_part_of(attribute);
    const char *mask =
        has_acl_mask(attribute) ? strstr(string, "&mask:") : NULL;
    const size_t length = mask ? (size_t)(mask - string) : strlen(string);
    char buffer[ITEM_SIZE];
    sai_attribute_value_t data = {.u64 = 0};
    enum st status;

    if (strcmp(string, "disabled") == 0) {
        return ST_OK;
    }
    if (kind_has_list(part.kind)) {
        status = parse_list(arena, &part, string, &data);
    } else if (length >= sizeof buffer || (has_acl_mask(attribute) && !mask)) {
        return ST_INVALID;
    } else {
        memcpy(buffer, string, length);
        buffer[length] = '\0';
        status = parse_scalar(part.kind, part.enumeration, buffer, &data);
    }
    if (status != ST_OK) {
        return status;
    }
    value->u8 = true;
    memcpy((char *)value + (kind_is_acl_field(attribute->kind)
                                ? KIND_ACL_FIELD_OFFSET
                                : KIND_ACL_ACTION_OFFSET),
           &data, kind_layout(part.kind)->size);
    return mask ? parse_acl_mask(part.kind, mask + strlen("&mask:"), value)
                : ST_OK;
}

static enum st
parse_value(struct arena *arena, const struct metadata_attribute *attribute,
            const char *string, sai_attribute_value_t *value)
{
    const struct rule *rule = &rules[attribute->kind];

    switch (rule->form) {
    case FORM_NONE:
        return ST_UNSUPPORTED;
    case FORM_RECORD:
        return struct_json_parse(arena, attribute->kind, string, value);
    case FORM_LIST:
        return parse_list(arena, attribute, string, value);
    case FORM_RANGE:
        return parse_parts(rule->part, NULL, string, 2, (char *)value);
    case FORM_BYTES:
        return parse_bytes(arena, attribute->kind, string, value);
    case FORM_ACL:
        return parse_acl(arena, attribute, string, value);
    case FORM_COMPOUND:
        return compound_text_parse(arena, attribute->kind, string, value);
    default:
        return parse_scalar(attribute->kind, attribute->enumeration, string,
                            value);
    }
}

/* Fills 'err': 'string' is not a value of 'attribute'. */
static void
explain(const struct metadata_attribute *attribute, const char *string,
        enum st status, struct err *err)
{
    const char *allowed = rules[attribute->kind].allowed;
    struct text names = {0};

    if (status == ST_UNSUPPORTED) {
        (void)err_set(err, status, "no-text-form",
                      "values of %s have no text form", attribute->name);
        return;
    }
    if (attribute->enumeration && attribute->kind == KIND_S32) {
        for (size_t i = 0; i < attribute->enumeration->n_members; i++) {
            text_add_item(&names, ", ",
                          attribute->enumeration->members[i].name);
        }
        allowed = text_string(&names);
    }
    (void)err_set(err, status, "attribute-value", "this is no value of %s",
                  attribute->name);
    err_set_field(err, attribute->name, string, allowed);
    text_fini(&names);
}

enum st
serialize_parse_value(struct arena *arena,
                      const struct metadata_attribute *attribute,
                      const char *string, sai_attribute_value_t *value,
                      struct err *err)
{
    sai_attribute_value_t parsed;
    enum st status;

    memset(&parsed, 0, sizeof parsed);
    status = parse_value(arena, attribute, string, &parsed);
    if (status != ST_OK) {
        explain(attribute, string, status, err);
        return status;
    }
    *value = parsed;
    return ST_OK;
}

enum st
serialize_parse_mac(const char *string, sai_mac_t mac)
{
    sai_mac_t parsed;

    if (strlen(string) != 17) {
        return ST_INVALID;
    }
    for (size_t i = 0; i < 6; i++) {
        char octet[] = {'0', 'x', string[3 * i], string[3 * i + 1], '\0'};
        uint64_t value;

        if (parse_hex(octet, 2, &value) ||
            string[3 * i + 2] != (i < 5 ? ':' : '\0')) {
            return ST_INVALID;
        }
        parsed[i] = (uint8_t)value;
    }
    memcpy(mac, parsed, sizeof parsed);
    return ST_OK;
}

void
serialize_oid(sai_object_id_t oid, struct text *text)
{
    text_add(text, "oid:0x");
    text_add_hex(text, oid);
}

enum st
serialize_parse_oid(const char *string, sai_object_id_t *oid)
{
    if (strncmp(string, "oid:", 4) != 0) {
        return ST_INVALID;
    }
    return parse_hex(string + 4, 16, oid);
}

void
serialize_key(sai_object_type_t type, sai_object_id_t oid, struct text *text)
{
    const char *name = metadata_type_name(type);

    orch_assert(name);
    text_add(text, name);
    text_add_char(text, ':');
    serialize_oid(oid, text);
}

enum st
serialize_parse_key(const char *string, sai_object_type_t *type,
                    sai_object_id_t *oid)
{
    const char *colon = strchr(string, ':');
    char name[ITEM_SIZE];
    sai_object_type_t found;

    if (!colon || (size_t)(colon - string) >= sizeof name) {
        return ST_INVALID;
    }
    memcpy(name, string, (size_t)(colon - string));
    name[colon - string] = '\0';
    found = metadata_type_by_name(name);
    if (found == SAI_OBJECT_TYPE_NULL || serialize_parse_oid(colon + 1, oid)) {
        return ST_INVALID;
    }
    *type = found;
    return ST_OK;
}
