/* SPDX-License-Identifier: Apache-2.0 */

/* Names and meanings of SAI's status codes. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sai/core/status.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define NO_INDEX UINT32_MAX

static const struct {
    sai_status_t status;
    const char *name;
    enum st meaning;
    uint32_t index;
} cases[] = {
    {SAI_STATUS_SUCCESS, "SAI_STATUS_SUCCESS", ST_OK, NO_INDEX},
    {SAI_STATUS_FAILURE, "SAI_STATUS_FAILURE", ST_DEVICE, NO_INDEX},
    {SAI_STATUS_NO_MEMORY, "SAI_STATUS_NO_MEMORY", ST_NO_RESOURCE, NO_INDEX},
    {SAI_STATUS_INSUFFICIENT_RESOURCES, "SAI_STATUS_INSUFFICIENT_RESOURCES",
     ST_NO_RESOURCE, NO_INDEX},
    {SAI_STATUS_TABLE_FULL, "SAI_STATUS_TABLE_FULL", ST_NO_RESOURCE, NO_INDEX},
    {SAI_STATUS_NV_STORAGE_FULL, "SAI_STATUS_NV_STORAGE_FULL", ST_NO_RESOURCE,
     NO_INDEX},
    {SAI_STATUS_ITEM_ALREADY_EXISTS, "SAI_STATUS_ITEM_ALREADY_EXISTS",
     ST_EXISTS, NO_INDEX},
    {SAI_STATUS_ITEM_NOT_FOUND, "SAI_STATUS_ITEM_NOT_FOUND", ST_NOT_FOUND,
     NO_INDEX},
    {SAI_STATUS_OBJECT_IN_USE, "SAI_STATUS_OBJECT_IN_USE", ST_BUSY, NO_INDEX},
    {SAI_STATUS_NOT_IMPLEMENTED, "SAI_STATUS_NOT_IMPLEMENTED", ST_UNSUPPORTED,
     NO_INDEX},
    {SAI_STATUS_MANDATORY_ATTRIBUTE_MISSING,
     "SAI_STATUS_MANDATORY_ATTRIBUTE_MISSING", ST_INVALID, NO_INDEX},
    {SAI_STATUS_STAGE_MISMATCH, "SAI_STATUS_STAGE_MISMATCH", ST_INVALID,
     NO_INDEX},
    {SAI_STATUS_INVALID_ATTRIBUTE_0, "SAI_STATUS_INVALID_ATTRIBUTE_0",
     ST_INVALID, 0},
    {SAI_STATUS_INVALID_ATTR_VALUE_0 - 12, "SAI_STATUS_INVALID_ATTR_VALUE_12",
     ST_INVALID, 12},
    {SAI_STATUS_ATTR_NOT_IMPLEMENTED_0 - 1, "SAI_STATUS_ATTR_NOT_IMPLEMENTED_1",
     ST_UNSUPPORTED, 1},
    {SAI_STATUS_UNKNOWN_ATTRIBUTE_0 - 3, "SAI_STATUS_UNKNOWN_ATTRIBUTE_3",
     ST_UNSUPPORTED, 3},
    {SAI_STATUS_ATTR_NOT_SUPPORTED_MAX, "SAI_STATUS_ATTR_NOT_SUPPORTED_65535",
     ST_UNSUPPORTED, 65535},
    /* What no library should return. */
    {1, "SAI_STATUS_UNKNOWN_1", ST_DEVICE, NO_INDEX},
    {-25, "SAI_STATUS_UNKNOWN_-25", ST_DEVICE, NO_INDEX},
    {-0x60000, "SAI_STATUS_UNKNOWN_-393216", ST_DEVICE, NO_INDEX},
    {INT32_MIN, "SAI_STATUS_UNKNOWN_-2147483648", ST_DEVICE, NO_INDEX},
    {INT32_MAX, "SAI_STATUS_UNKNOWN_2147483647", ST_DEVICE, NO_INDEX},
};

static void
test_name_meaning_and_index(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        char name[STATUS_NAME_SIZE];
        uint32_t index = NO_INDEX;

        assert_string_equal(status_name(cases[i].status, name, sizeof name),
                            cases[i].name);
        assert_int_equal(st_from_sai(cases[i].status), cases[i].meaning);
        assert_int_equal(status_attribute_index(cases[i].status, &index),
                         cases[i].index != NO_INDEX);
        assert_int_equal(index, cases[i].index);
    }
}

static void
test_every_plain_code_is_in_its_place(void **state)
{
    static const struct {
        sai_status_t status;
        const char *name;
    } all[] = {
#define ROW(name) {SAI_STATUS_##name, "SAI_STATUS_" #name}
        ROW(SUCCESS),
        ROW(FAILURE),
        ROW(NOT_SUPPORTED),
        ROW(NO_MEMORY),
        ROW(INSUFFICIENT_RESOURCES),
        ROW(INVALID_PARAMETER),
        ROW(ITEM_ALREADY_EXISTS),
        ROW(ITEM_NOT_FOUND),
        ROW(BUFFER_OVERFLOW),
        ROW(INVALID_PORT_NUMBER),
        ROW(INVALID_PORT_MEMBER),
        ROW(INVALID_VLAN_ID),
        ROW(UNINITIALIZED),
        ROW(TABLE_FULL),
        ROW(MANDATORY_ATTRIBUTE_MISSING),
        ROW(NOT_IMPLEMENTED),
        ROW(ADDR_NOT_FOUND),
        ROW(OBJECT_IN_USE),
        ROW(INVALID_OBJECT_TYPE),
        ROW(INVALID_OBJECT_ID),
        ROW(INVALID_NV_STORAGE),
        ROW(NV_STORAGE_FULL),
        ROW(SW_UPGRADE_VERSION_MISMATCH),
        ROW(NOT_EXECUTED),
        ROW(STAGE_MISMATCH),
    };

    (void)state;
    for (size_t i = 0; i < COUNT(all); i++) {
        char name[STATUS_NAME_SIZE];

        assert_string_equal(status_name(all[i].status, name, sizeof name),
                            all[i].name);
    }
}

static void
test_family_helpers_hold_at_every_index(void **state)
{
    (void)state;
    for (sai_status_t i = 0; i < 0x10000; i += 0xfff) {
        assert_true(SAI_STATUS_IS_INVALID_ATTRIBUTE(
            SAI_STATUS_INVALID_ATTRIBUTE_0 - i));
        assert_true(SAI_STATUS_IS_INVALID_ATTR_VALUE(
            SAI_STATUS_INVALID_ATTR_VALUE_0 - i));
        assert_true(SAI_STATUS_IS_ATTR_NOT_IMPLEMENTED(
            SAI_STATUS_ATTR_NOT_IMPLEMENTED_0 - i));
        assert_true(SAI_STATUS_IS_UNKNOWN_ATTRIBUTE(
            SAI_STATUS_UNKNOWN_ATTRIBUTE_0 - i));
        assert_true(SAI_STATUS_IS_ATTR_NOT_SUPPORTED(
            SAI_STATUS_ATTR_NOT_SUPPORTED_0 - i));
        assert_false(SAI_STATUS_IS_ATTR_NOT_SUPPORTED(
            SAI_STATUS_UNKNOWN_ATTRIBUTE_0 - i));
    }
    assert_false(SAI_STATUS_IS_INVALID_ATTRIBUTE(SAI_STATUS_SUCCESS));
    assert_false(SAI_STATUS_IS_INVALID_ATTRIBUTE(SAI_STATUS_STAGE_MISMATCH));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_name_meaning_and_index),
        cmocka_unit_test(test_every_plain_code_is_in_its_place),
        cmocka_unit_test(test_family_helpers_hold_at_every_index),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
