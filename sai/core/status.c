/* SPDX-License-Identifier: Apache-2.0 */

/* One row per status code: its name and its 'enum st'.
 *
 * The 'enum st' says only what the caller can do.  That is why a full table and
 * a lack of memory have the same one, as have attributes that the hardware does
 * not support, that the library does not implement and that it does not know.
 * The name of the code keeps the difference. */

#include <config.h>

#include "sai/core/status.h"

#include <inttypes.h>
#include <string.h>

#include "base/parse.h"
#include "base/text.h"

struct code {
    sai_status_t status;
    enum st meaning;
    const char *name;
};

#define CODE(name, meaning)                                                    \
    {                                                                          \
        SAI_STATUS_##name, ST_##meaning, "SAI_STATUS_" #name                   \
    }

static const struct code codes[] = {
    CODE(SUCCESS, OK),
    CODE(FAILURE, DEVICE),
    CODE(NOT_SUPPORTED, UNSUPPORTED),
    CODE(NO_MEMORY, NO_RESOURCE),
    CODE(INSUFFICIENT_RESOURCES, NO_RESOURCE),
    CODE(INVALID_PARAMETER, INVALID),
    CODE(ITEM_ALREADY_EXISTS, EXISTS),
    CODE(ITEM_NOT_FOUND, NOT_FOUND),
    CODE(BUFFER_OVERFLOW, DEVICE),
    CODE(INVALID_PORT_NUMBER, INVALID),
    CODE(INVALID_PORT_MEMBER, INVALID),
    CODE(INVALID_VLAN_ID, INVALID),
    CODE(UNINITIALIZED, DEVICE),
    CODE(TABLE_FULL, NO_RESOURCE),
    CODE(MANDATORY_ATTRIBUTE_MISSING, INVALID),
    CODE(NOT_IMPLEMENTED, UNSUPPORTED),
    CODE(ADDR_NOT_FOUND, NOT_FOUND),
    CODE(OBJECT_IN_USE, BUSY),
    CODE(INVALID_OBJECT_TYPE, INVALID),
    CODE(INVALID_OBJECT_ID, INVALID),
    CODE(INVALID_NV_STORAGE, INVALID),
    CODE(NV_STORAGE_FULL, NO_RESOURCE),
    CODE(SW_UPGRADE_VERSION_MISMATCH, DEVICE),
    CODE(NOT_EXECUTED, DEVICE),
    CODE(STAGE_MISMATCH, INVALID),
};

/* Families of codes; their names lack the "0" of the name of the base code. */
#define FAMILY(name, meaning)                                                  \
    {                                                                          \
        SAI_STATUS_##name##_0, ST_##meaning, "SAI_STATUS_" #name "_"           \
    }

static const struct code families[] = {
    FAMILY(INVALID_ATTRIBUTE, INVALID),
    FAMILY(INVALID_ATTR_VALUE, INVALID),
    FAMILY(ATTR_NOT_IMPLEMENTED, UNSUPPORTED),
    FAMILY(UNKNOWN_ATTRIBUTE, UNSUPPORTED),
    FAMILY(ATTR_NOT_SUPPORTED, UNSUPPORTED),
};

#define FAMILY_SIZE 0x10000

static const struct code *
find_code(sai_status_t status)
{
    /* The index in the table is the negated code; a test checks this. */
    int64_t index = -(int64_t)status;

    if (index >= 0 && index < (int64_t)(sizeof codes / sizeof codes[0])) {
        return &codes[index];
    }
    return NULL;
}

/* Returns the family of 'status' and its index in '*index'; NULL if none. */
static const struct code *
find_family(sai_status_t status, uint32_t *index)
{
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++) {
        int64_t offset = (int64_t)families[i].status - status;

        if (offset >= 0 && offset < FAMILY_SIZE) {
            *index = (uint32_t)offset;
            return &families[i];
        }
    }
    return NULL;
}

const char *
status_name(sai_status_t status, char *buffer, size_t size)
{
    const struct code *code = find_code(status);
    uint32_t index;

    if (code) {
        (void)text_copy(buffer, size, code->name);
    } else if ((code = find_family(status, &index))) {
        (void)text_format(buffer, size, "%s%" PRIu32, code->name, index);
    } else {
        (void)text_format(buffer, size, "SAI_STATUS_UNKNOWN_%" PRId32, status);
    }
    return buffer;
}

bool
status_find(const char *name, sai_status_t *status)
{
    static const char unknown[] = "SAI_STATUS_UNKNOWN_";
    int64_t number;
    uint64_t index;

    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        if (!strcmp(codes[i].name, name)) {
            *status = codes[i].status;
            return true;
        }
    }
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++) {
        const size_t length = strlen(families[i].name);

        if (!strncmp(families[i].name, name, length) &&
            !parse_u64(name + length, 0, FAMILY_SIZE - 1, &index)) {
            *status = families[i].status - (sai_status_t)index;
            return true;
        }
    }
    if (!strncmp(name, unknown, sizeof unknown - 1) &&
        !parse_s64(name + sizeof unknown - 1, INT32_MIN, INT32_MAX, &number)) {
        *status = (sai_status_t)number;
        return true;
    }
    return false;
}

bool
status_attribute_index(sai_status_t status, uint32_t *index)
{
    return find_family(status, index) != NULL;
}

enum st
st_from_sai(sai_status_t status)
{
    const struct code *code = find_code(status);
    uint32_t index;

    if (!code) {
        code = find_family(status, &index);
    }
    return code ? code->meaning : ST_DEVICE;
}
