/* SPDX-License-Identifier: Apache-2.0 */

/* Sets the hash of a switch through SAI. */

#include <config.h>

#include "lab/builder/switch_hash.h"

#include <sai.h>

#include "lab/builder/switch_image.h"
#include "sai/core/backend.h"
#include "sai/core/status.h"

/* By enum ecmp_algorithm. */
static const int32_t algorithms[] = {
    [ECMP_ALGORITHM_CRC] = SAI_HASH_ALGORITHM_CRC,
    [ECMP_ALGORITHM_XOR] = SAI_HASH_ALGORITHM_XOR,
    [ECMP_ALGORITHM_CRC_32LO] = SAI_HASH_ALGORITHM_CRC_32LO,
    [ECMP_ALGORITHM_CRC_32HI] = SAI_HASH_ALGORITHM_CRC_32HI,
    [ECMP_ALGORITHM_CRC_CCITT] = SAI_HASH_ALGORITHM_CRC_CCITT,
};

/* By enum ecmp_field. */
static const int32_t fields[] = {
    [ECMP_FIELD_SRC_IP] = SAI_NATIVE_HASH_FIELD_SRC_IP,
    [ECMP_FIELD_DST_IP] = SAI_NATIVE_HASH_FIELD_DST_IP,
    [ECMP_FIELD_IP_PROTOCOL] = SAI_NATIVE_HASH_FIELD_IP_PROTOCOL,
    [ECMP_FIELD_L4_SRC_PORT] = SAI_NATIVE_HASH_FIELD_L4_SRC_PORT,
    [ECMP_FIELD_L4_DST_PORT] = SAI_NATIVE_HASH_FIELD_L4_DST_PORT,
    [ECMP_FIELD_SRC_MAC] = SAI_NATIVE_HASH_FIELD_SRC_MAC,
    [ECMP_FIELD_DST_MAC] = SAI_NATIVE_HASH_FIELD_DST_MAC,
    [ECMP_FIELD_ETHERTYPE] = SAI_NATIVE_HASH_FIELD_ETHERTYPE,
    [ECMP_FIELD_IN_PORT] = SAI_NATIVE_HASH_FIELD_IN_PORT,
};

/* Sets 'attribute' of an object. */
static enum st
set(struct sai_backend *backend, sai_object_type_t type, sai_object_id_t oid,
    const sai_attribute_t *attribute, const char *what, struct err *err)
{
    const sai_status_t status =
        backend->ops->set(backend, type, oid, attribute);
    char name[STATUS_NAME_SIZE];

    return status == SAI_STATUS_SUCCESS
               ? ST_OK
               : err_set(err, st_from_sai(status), "sai",
                         "%s of the ECMP hash: the switch says %s", what,
                         status_name(status, name, sizeof name));
}

/* Sets the fields of the hash of 'backend'. */
static enum st
set_fields(struct sai_backend *backend, uint32_t mask, struct err *err)
{
    sai_attribute_t hash = {.id = SAI_SWITCH_ATTR_ECMP_HASH};
    sai_attribute_t list = {.id = SAI_HASH_ATTR_NATIVE_HASH_FIELD_LIST};
    int32_t values[ECMP_N_FIELDS];
    uint32_t n = 0;

    if (backend->ops->get(backend, SAI_OBJECT_TYPE_SWITCH, backend->switch_id,
                          1, &hash) != SAI_STATUS_SUCCESS) {
        return err_set(err, ST_NOT_FOUND, "sai", "the switch has no ECMP hash");
    }
    for (uint32_t i = 0; i < ECMP_N_FIELDS; i++) {
        if (mask >> i & 1) {
            values[n++] = fields[i];
        }
    }
    list.value.s32list.count = n;
    list.value.s32list.list = values;
    return set(backend, SAI_OBJECT_TYPE_HASH, hash.value.oid, &list, "fields",
               err);
}

enum st
switch_hash_set(struct switch_instance *instance, const struct ecmp_spec *ecmp,
                struct err *err)
{
    struct sai_backend *backend = switch_instance_backend(instance);
    const sai_object_id_t oid = backend->switch_id;
    const sai_attribute_t algorithm = {
        .id = SAI_SWITCH_ATTR_ECMP_DEFAULT_HASH_ALGORITHM,
        .value.s32 = algorithms[ecmp->algorithm]};
    const sai_attribute_t offset = {
        .id = SAI_SWITCH_ATTR_ECMP_DEFAULT_HASH_OFFSET,
        .value.u8 = (uint8_t)ecmp->offset};
    enum st st =
        set(backend, SAI_OBJECT_TYPE_SWITCH, oid, &algorithm, "algorithm", err);

    if (!st) {
        st = set(backend, SAI_OBJECT_TYPE_SWITCH, oid, &offset, "offset", err);
    }
    return st ? st : set_fields(backend, ecmp->fields, err);
}
