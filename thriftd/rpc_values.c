/* SPDX-License-Identifier: Apache-2.0 */

/* Fields of sai_thrift_attribute_value_t by the kind of an attribute. */

#include <config.h>

#include "thriftd/rpc_values.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "sai/core/kind.h"
#include "sai/core/metadata.h"

/* Fields of sai_thrift_attribute_t. */
enum { ATTRIBUTE_ID = 1, ATTRIBUTE_VALUE = 2 };

/* Fields of sai_thrift_attribute_value_t. */
enum {
    VALUE_U32 = 7,
    VALUE_S32 = 8,
    VALUE_MAC = 11,
    VALUE_OBJLIST = 16,
    VALUE_U32LIST = 20
};

/* The fields that are numbers. */
static const struct {
    enum kind kind;
    enum tbinary_type type;
    int16_t field;
    const char *name;
} numbers[] = {
    {KIND_BOOL, TBINARY_BOOL, 1, "booldata"},
    {KIND_U8, TBINARY_BYTE, 3, "u8"},
    {KIND_S8, TBINARY_BYTE, 4, "s8"},
    {KIND_U16, TBINARY_I16, 5, "u16"},
    {KIND_U32, TBINARY_I32, VALUE_U32, "u32"},
    {KIND_S32, TBINARY_I32, VALUE_S32, "s32"},
    {KIND_U64, TBINARY_I64, 9, "u64"},
    {KIND_OID, TBINARY_I64, 12, "oid"},
};

static enum st
lacks_field(const struct metadata_attribute *meta, const char *field,
            struct err *err)
{
    return err_set(err, ST_INVALID, "value", "%s needs the field value.%s",
                   meta->name, field);
}

/* Reads "aa:bb:cc:dd:ee:ff". */
static bool
parse_mac(const struct tbinary_value *text, sai_mac_t mac)
{
    char copy[18];
    unsigned int bytes[6];
    int n = 0;

    if (text->n != sizeof copy - 1) {
        return false;
    }
    memcpy(copy, text->string, sizeof copy - 1);
    copy[sizeof copy - 1] = '\0';
    if (sscanf(copy, "%2x:%2x:%2x:%2x:%2x:%2x%n", &bytes[0], &bytes[1],
               &bytes[2], &bytes[3], &bytes[4], &bytes[5], &n) != 6 ||
        n != sizeof copy - 1) {
        return false;
    }
    for (unsigned int i = 0; i < 6; i++) {
        mac[i] = (uint8_t)bytes[i];
    }
    return true;
}

enum st
rpc_values_get(const struct tbinary_value *value, sai_object_type_t type,
               sai_attribute_t *attribute, struct err *err)
{
    const struct tbinary_value *id =
        tbinary_field(value, ATTRIBUTE_ID, TBINARY_I32);
    const struct tbinary_value *fields =
        tbinary_field(value, ATTRIBUTE_VALUE, TBINARY_STRUCT);
    const struct metadata_attribute *meta =
        id ? metadata_attribute(type, (sai_attr_id_t)id->number) : NULL;
    const struct tbinary_value *found;

    memset(attribute, 0, sizeof *attribute);
    if (!meta) {
        return err_set(err, ST_INVALID, "value",
                       id ? "%s has no attribute %lld"
                          : "an attribute of %s has no id (%lld)",
                       metadata_type_name(type),
                       id ? (long long)id->number : 0LL);
    }
    attribute->id = meta->id;
    if (meta->kind == KIND_MAC) {
        found = tbinary_field(fields, VALUE_MAC, TBINARY_STRING);
        return found && parse_mac(found, attribute->value.mac)
                   ? ST_OK
                   : err_set(err, ST_INVALID, "value",
                             "%s needs the field value.mac as "
                             "\"aa:bb:cc:dd:ee:ff\"",
                             meta->name);
    }
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        if (numbers[i].kind == meta->kind) {
            found = tbinary_field(fields, numbers[i].field, numbers[i].type);
            if (!found) {
                return lacks_field(meta, numbers[i].name, err);
            }
            if (meta->kind == KIND_OID) {
                attribute->value.oid = (sai_object_id_t)found->number;
            } else {
                metadata_set_number(meta->kind, found->number,
                                    &attribute->value);
            }
            return ST_OK;
        }
    }
    return err_set(err, ST_UNSUPPORTED, "value",
                   "a value of %s cannot be set by this server", meta->name);
}

/* Writing ------------------------------------------------------------------ */

/* Begins an attribute whose value has the field 'field' of 'type'. */
static void
begin(struct text *out, sai_attr_id_t id, enum tbinary_type type, int16_t field)
{
    tbinary_put_field(out, TBINARY_I32, ATTRIBUTE_ID);
    tbinary_put_i32(out, (int32_t)id);
    tbinary_put_field(out, TBINARY_STRUCT, ATTRIBUTE_VALUE);
    tbinary_put_field(out, type, field);
}

/* Ends the value and the attribute. */
static void
end(struct text *out)
{
    tbinary_put_stop(out);
    tbinary_put_stop(out);
}

void
rpc_values_put_list(struct text *out, const struct metadata_attribute *meta,
                    uint32_t n, const void *list)
{
    const bool of_objects = meta->kind == KIND_OBJLIST;

    begin(out, meta->id, TBINARY_STRUCT,
          of_objects ? VALUE_OBJLIST : VALUE_U32LIST);
    tbinary_put_field(out, TBINARY_I32, 1);
    tbinary_put_i32(out, (int32_t)n);
    tbinary_put_field(out, TBINARY_LIST, 2);
    tbinary_put_list(out, of_objects ? TBINARY_I64 : TBINARY_I32, n);
    for (uint32_t i = 0; i < n; i++) {
        if (of_objects) {
            tbinary_put_i64(out, (int64_t)((const sai_object_id_t *)list)[i]);
        } else {
            tbinary_put_i32(out, (int32_t)((const uint32_t *)list)[i]);
        }
    }
    tbinary_put_stop(out);
    end(out);
}

void
rpc_values_put_s32(struct text *out, sai_attr_id_t id, int32_t value)
{
    begin(out, id, TBINARY_I32, VALUE_S32);
    tbinary_put_i32(out, value);
    end(out);
}

void
rpc_values_put_u32(struct text *out, sai_attr_id_t id, uint32_t value)
{
    begin(out, id, TBINARY_I32, VALUE_U32);
    tbinary_put_i32(out, (int32_t)value);
    end(out);
}
