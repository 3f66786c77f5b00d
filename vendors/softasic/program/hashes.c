/* SPDX-License-Identifier: Apache-2.0 */

/* Programs the flow hashes of the twin. */

#include <config.h>

#include "vendors/softasic/program/hashes.h"

#include "sai/core/metadata.h"
#include "twin/forwarding/flow_hash.h"
#include "vendors/softasic/program/supported_attributes.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum {
    V4 = 1 << ADDRESS_V4,
    V6 = 1 << ADDRESS_V6,
    ANY = 1 << ADDRESS_NONE | V4 | V6,
};

/* The supported fields, and the families of packets to which they apply. */
static const struct {
    sai_native_hash_field_t name;
    uint16_t field;
    uint8_t families;
} fields[] = {
    {SAI_NATIVE_HASH_FIELD_SRC_IP, FLOW_SRC_IP, V4 | V6},
    {SAI_NATIVE_HASH_FIELD_DST_IP, FLOW_DST_IP, V4 | V6},
    {SAI_NATIVE_HASH_FIELD_SRC_IPV4, FLOW_SRC_IP, V4},
    {SAI_NATIVE_HASH_FIELD_DST_IPV4, FLOW_DST_IP, V4},
    {SAI_NATIVE_HASH_FIELD_SRC_IPV6, FLOW_SRC_IP, V6},
    {SAI_NATIVE_HASH_FIELD_DST_IPV6, FLOW_DST_IP, V6},
    {SAI_NATIVE_HASH_FIELD_IP_PROTOCOL, FLOW_PROTOCOL, V4 | V6},
    {SAI_NATIVE_HASH_FIELD_L4_SRC_PORT, FLOW_SRC_PORT, V4 | V6},
    {SAI_NATIVE_HASH_FIELD_L4_DST_PORT, FLOW_DST_PORT, V4 | V6},
    {SAI_NATIVE_HASH_FIELD_SRC_MAC, FLOW_SRC_MAC, ANY},
    {SAI_NATIVE_HASH_FIELD_DST_MAC, FLOW_DST_MAC, ANY},
    {SAI_NATIVE_HASH_FIELD_ETHERTYPE, FLOW_ETHERTYPE, ANY},
    {SAI_NATIVE_HASH_FIELD_VLAN_ID, FLOW_VLAN, ANY},
    {SAI_NATIVE_HASH_FIELD_NONE, 0, 0},
};

static const struct {
    sai_hash_algorithm_t name;
    enum flow_hash_algorithm algorithm;
} algorithms[] = {
    {SAI_HASH_ALGORITHM_CRC, FLOW_HASH_CRC_32},
    {SAI_HASH_ALGORITHM_XOR, FLOW_HASH_XOR},
    {SAI_HASH_ALGORITHM_CRC_32LO, FLOW_HASH_CRC_32_LOW},
    {SAI_HASH_ALGORITHM_CRC_32HI, FLOW_HASH_CRC_32_HIGH},
    {SAI_HASH_ALGORITHM_CRC_CCITT, FLOW_HASH_CRC_CCITT},
};

/* The attributes of the switch for one use of a hash. */
struct use {
    sai_attr_id_t algorithm;
    sai_attr_id_t seed;
    sai_attr_id_t offset;
    sai_attr_id_t ipv4;
    sai_attr_id_t ipv6;
};

#define USE(NAME)                                                              \
    {                                                                          \
        SAI_SWITCH_ATTR_##NAME##_DEFAULT_HASH_ALGORITHM,                       \
            SAI_SWITCH_ATTR_##NAME##_DEFAULT_HASH_SEED,                        \
            SAI_SWITCH_ATTR_##NAME##_DEFAULT_HASH_OFFSET,                      \
            SAI_SWITCH_ATTR_##NAME##_HASH_IPV4,                                \
            SAI_SWITCH_ATTR_##NAME##_HASH_IPV6                                 \
    }

static const struct use ecmp = USE(ECMP);
static const struct use lag = USE(LAG);

/* Fields --------------------------------------------------------------- */

static const sai_s32_list_t *
list_of(const struct objects_item *hash)
{
    static const sai_s32_list_t none;
    const sai_attribute_value_t *value =
        objects_value(hash, SAI_HASH_ATTR_NATIVE_HASH_FIELD_LIST);

    return value ? &value->s32list : &none;
}

/* Returns the row of field 'name' in 'fields', or their number. */
static size_t
find_field(int32_t name)
{
    size_t i = 0;

    while (i < COUNT(fields) && (int32_t)fields[i].name != name) {
        i++;
    }
    return i;
}

/* Refuses fields that the twin does not hash, and repetitions. */
static sai_status_t
check_fields(const struct objects_item *hash, struct err *err)
{
    const sai_s32_list_t *list = list_of(hash);

    for (uint32_t i = 0; i < list->count; i++) {
        const char *name = metadata_enum_name(
            metadata_enum("sai_native_hash_field_t"), list->list[i]);

        if (find_field(list->list[i]) == COUNT(fields)) {
            err_set(err, ST_UNSUPPORTED, "hash-field",
                    "this switch does not hash %s: it hashes addresses, "
                    "protocol and ports of IP, MAC addresses, type and VLAN",
                    name ? name : "that");
            return SAI_STATUS_ATTR_NOT_SUPPORTED_0;
        }
        for (uint32_t k = 0; k < i; k++) {
            if (list->list[k] == list->list[i]) {
                err_set(err, ST_INVALID, "hash-field",
                        "the list names %s twice", name ? name : "a field");
                return SAI_STATUS_INVALID_ATTR_VALUE_0;
            }
        }
    }
    return SAI_STATUS_SUCCESS;
}

/* Returns the fields of 'hash' for packets of 'family'. */
static uint16_t
fields_of(const struct objects_item *hash, enum address_family family)
{
    const sai_s32_list_t *list = list_of(hash);
    uint16_t result = 0;

    for (uint32_t i = 0; i < list->count; i++) {
        const size_t row = find_field(list->list[i]);

        if (fields[row].families >> family & 1) {
            result |= fields[row].field;
        }
    }
    return result;
}

/* Programming ---------------------------------------------------------- */

/* Returns the hash for packets of one family: the one that attribute 'id' of
 * the switch names, else 'otherwise'. */
static const struct objects_item *
hash_for(const struct asic *asic, sai_attr_id_t id,
         const struct objects_item *otherwise)
{
    const struct objects_item *hash =
        objects_referent(asic->objects, asic->sw, id);

    return hash ? hash : otherwise;
}

static struct flow_hash_config
config_of(const struct asic *asic, const struct use *use,
          const struct objects_item *hash)
{
    const int64_t name = objects_number(asic->sw, use->algorithm);
    struct flow_hash_config config = {
        .seed = (uint32_t)objects_number(asic->sw, use->seed),
        .offset = (uint8_t)objects_number(asic->sw, use->offset),
        .fields = {[ADDRESS_NONE] = fields_of(hash, ADDRESS_NONE),
                   [ADDRESS_V4] =
                       fields_of(hash_for(asic, use->ipv4, hash), ADDRESS_V4),
                   [ADDRESS_V6] =
                       fields_of(hash_for(asic, use->ipv6, hash), ADDRESS_V6)}};

    for (size_t i = 0; i < COUNT(algorithms); i++) {
        if (algorithms[i].name == name) {
            config.algorithm = algorithms[i].algorithm;
        }
    }
    return config;
}

static void
program(struct asic *asic)
{
    const struct flow_hash_config for_ecmp =
        config_of(asic, &ecmp, asic->ecmp_hash);
    const struct flow_hash_config for_lags =
        config_of(asic, &lag, asic->lag_hash);

    router_set_hash(sim_router(asic->sim), &for_ecmp);
    sim_lag_set_hash(asic->sim, &for_lags);
}

void
hashes_start(struct asic *asic)
{
    int32_t names[] = {
        SAI_NATIVE_HASH_FIELD_SRC_IP,      SAI_NATIVE_HASH_FIELD_DST_IP,
        SAI_NATIVE_HASH_FIELD_IP_PROTOCOL, SAI_NATIVE_HASH_FIELD_L4_SRC_PORT,
        SAI_NATIVE_HASH_FIELD_L4_DST_PORT,
    };
    const sai_attribute_t attribute = {
        .id = SAI_HASH_ATTR_NATIVE_HASH_FIELD_LIST,
        .value.s32list = {.count = COUNT(names), .list = names}};

    asic->ecmp_hash =
        objects_add(asic->objects, SAI_OBJECT_TYPE_HASH, 1, &attribute);
    asic->lag_hash =
        objects_add(asic->objects, SAI_OBJECT_TYPE_HASH, 1, &attribute);
    program(asic);
}

void
hashes_start_shared(struct asic *asic, const struct asic *image)
{
    asic->ecmp_hash = objects_find(asic->objects, image->ecmp_hash->oid);
    asic->lag_hash = objects_find(asic->objects, image->lag_hash->oid);
    program(asic);
}

bool
hashes_handles_type(sai_object_type_t type)
{
    return type == SAI_OBJECT_TYPE_HASH;
}

sai_status_t
hashes_create(struct asic *asic, struct objects_item *item,
              sai_attr_id_t *blame, struct err *err)
{
    const sai_status_t status =
        supported_attributes_check_all(item, blame, err);

    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    /* The new one is already counted. */
    if (objects_count(asic->objects, SAI_OBJECT_TYPE_HASH) > HASHES_MAX) {
        return SAI_STATUS_INSUFFICIENT_RESOURCES;
    }
    *blame = SAI_HASH_ATTR_NATIVE_HASH_FIELD_LIST;
    return check_fields(item, err);
}

sai_status_t
hashes_set(struct asic *asic, struct objects_item *item, sai_attr_id_t id,
           struct err *err)
{
    sai_status_t status = supported_attributes_check(item, id, err);

    if (status == SAI_STATUS_SUCCESS) {
        status = check_fields(item, err);
    }
    if (status == SAI_STATUS_SUCCESS) {
        program(asic);
    }
    return status;
}

sai_status_t
hashes_remove(struct asic *asic, struct objects_item *item)
{
    return item == asic->ecmp_hash || item == asic->lag_hash
               ? SAI_STATUS_NOT_SUPPORTED
               : SAI_STATUS_SUCCESS;
}

bool
hashes_concern(sai_attr_id_t id)
{
    const struct use *const uses[] = {&ecmp, &lag};

    for (size_t i = 0; i < COUNT(uses); i++) {
        if (id == uses[i]->algorithm || id == uses[i]->seed ||
            id == uses[i]->offset || id == uses[i]->ipv4 ||
            id == uses[i]->ipv6) {
            return true;
        }
    }
    return false;
}

sai_status_t
hashes_set_switch(struct asic *asic, const struct objects_item *sw,
                  sai_attr_id_t id, struct err *err)
{
    if ((id == ecmp.offset || id == lag.offset) &&
        objects_number(sw, id) > FLOW_HASH_MAX_OFFSET) {
        err_set(err, ST_INVALID, "hash-offset",
                "the offset of a hash is 0 to %d", FLOW_HASH_MAX_OFFSET);
        return SAI_STATUS_INVALID_ATTR_VALUE_0;
    }
    if (asic->ecmp_hash) { /* Else the switch is being created. */
        program(asic);
    }
    return SAI_STATUS_SUCCESS;
}
