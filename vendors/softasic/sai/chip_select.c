/* SPDX-License-Identifier: Apache-2.0 */

/* Selects the chip of the switch. */

#include <config.h>

#include "vendors/softasic/sai/chip_select.h"

#include <string.h>

#include "base/arena.h"
#include "base/parse.h"
#include "base/text.h"
#include "twin/chip/yaml/chip_file.h"
#include "twin/chip/yaml/other_chips.h"
#include "vendors/softasic/softasic.h"

#define DEFAULT_DIRECTORY PKGDATADIR "/chips"
#define DEFAULT_MODEL     "generic"

/* Returns the value of a key, NULL if it is absent or empty. */
static const char *
key(const sai_service_method_table_t *services, sai_switch_profile_id_t profile,
    const char *name)
{
    const char *value = services->profile_get_value
                            ? services->profile_get_value(profile, name)
                            : NULL;

    return value && *value ? value : NULL;
}

enum { LANE_DIGITS = 5 };

/* Refuses keys that this version does not support. */
static enum st
check_keys(const sai_service_method_table_t *services,
           sai_switch_profile_id_t profile, struct err *err)
{
    const char *clock = key(services, profile, "SOFTASIC_CLOCK");

    if (clock && strcmp(clock, "real") == 0) {
        return err_set(
            err, ST_UNSUPPORTED, "clock",
            "SOFTASIC_CLOCK=real is not supported yet; softasic_ops advances "
            "the time (SOFTASIC_CLOCK=manual)");
    }
    if (clock && strcmp(clock, "manual") != 0) {
        return err_set(err, ST_INVALID, "clock",
                       "SOFTASIC_CLOCK=%s is neither manual nor real", clock);
    }
    if (key(services, profile, "SOFTASIC_PORTS")) {
        return err_set(err, ST_UNSUPPORTED, "key",
                       "SOFTASIC_PORTS is not supported yet");
    }
    return ST_OK;
}

/* Loads the chip that the keys name.  A hardware SKU that no chip matches is
 * not an error: it gets "generic". */
static enum st
load(const sai_service_method_table_t *services,
     sai_switch_profile_id_t profile, struct chip **chip, struct err *err)
{
    const char *model = key(services, profile, "SOFTASIC_MODEL");
    const char *directory = key(services, profile, "SOFTASIC_MODEL_DIR");
    const char *hwsku = key(services, profile, "SONIC_HWSKU");
    enum st status = ST_NOT_FOUND;

    directory = directory ? directory : DEFAULT_DIRECTORY;
    if (model) {
        return chip_file_load(directory, model, chip, err);
    }
    if (hwsku) {
        status = chip_file_find(directory, hwsku, chip, err);
    }
    return status == ST_NOT_FOUND
               ? chip_file_load(directory, DEFAULT_MODEL, chip, err)
               : status;
}

/* Replaces '*chip' by the same chip with the overrides of the profile. */
static enum st
vary(const sai_service_method_table_t *services,
     sai_switch_profile_id_t profile, struct chip **chip, struct err *err)
{
    const char *keys = key(services, profile, "SOFTASIC_MODEL_SET");
    struct chip *varied;
    enum st status;

    if (!keys) {
        return ST_OK;
    }
    status = chip_file_vary(*chip, keys, "SOFTASIC_MODEL_SET", &varied, err);
    chip_file_destroy(*chip);
    *chip = status == ST_OK ? varied : NULL;
    return status;
}

/* Enables leak-out of 'chip' if the profile says so. */
static enum st
choose_leaks(const sai_service_method_table_t *services,
             sai_switch_profile_id_t profile, struct chip *chip,
             struct err *err)
{
    const char *value = key(services, profile, "SOFTASIC_LEAK_OUT");

    chip->leaks = value && strcmp(value, "on") == 0;
    return !value || chip->leaks || strcmp(value, "off") == 0
               ? ST_OK
               : err_set(err, ST_INVALID, "leak-out",
                         "SOFTASIC_LEAK_OUT=%s is neither on nor off", value);
}

/* Sets the dilation of lines if the profile has one. */
static enum st
choose_line_dilation(const sai_service_method_table_t *services,
                     sai_switch_profile_id_t profile, struct chip *chip,
                     struct err *err)
{
    const char *value = key(services, profile, "SOFTASIC_LINE_DILATION");
    uint64_t number = 1;

    if (value && parse_u64(value, 1, SOFTASIC_LINE_DILATION_MAX, &number)) {
        return err_set(err, ST_INVALID, "line-dilation",
                       "SOFTASIC_LINE_DILATION=%s is not a number from 1 to %d",
                       value, SOFTASIC_LINE_DILATION_MAX);
    }
    chip->line_dilation = (uint32_t)number;
    return ST_OK;
}

/* Notes the ports in 'value', the numbers of their first lanes. */
static enum st
choose_fcs_lanes(const char *value, struct chip *chip, struct err *err)
{
    uint32_t *lanes =
        arena_alloc(chip->arena, strlen(value) / 2 + 1, sizeof *lanes);
    const char *cursor = value;
    const char *item;
    size_t length;

    chip->fcs_lanes = lanes;
    while (parse_list_next(&cursor, &item, &length)) {
        char digits[LANE_DIGITS + 1] = "";
        uint64_t number;

        if (length > LANE_DIGITS ||
            parse_u64(memcpy(digits, item, length), 0, UINT16_MAX, &number)) {
            return err_set(
                err, ST_INVALID, "fcs",
                "SOFTASIC_FCS=%s is neither all nor a list of ports: the "
                "numbers of their first lanes, as in Ethernet0, with commas",
                value);
        }
        if (chip->last_lane && number > chip->last_lane - chip->first_lane) {
            return err_set(err, ST_INVALID, "fcs",
                           "SOFTASIC_FCS=%s names port %s, and the lanes of "
                           "%s, counted from 0, end at %u",
                           value, digits, chip->name,
                           (unsigned int)(chip->last_lane - chip->first_lane));
        }
        lanes[chip->n_fcs_lanes++] = (uint32_t)number;
    }
    return ST_OK;
}

/* Notes for which ports the FCS is in the buffer, if the profile has some. */
static enum st
choose_fcs(const sai_service_method_table_t *services,
           sai_switch_profile_id_t profile, struct chip *chip, struct err *err)
{
    const char *value = key(services, profile, "SOFTASIC_FCS");

    chip->fcs_everywhere = value && strcmp(value, "all") == 0;
    return !value || chip->fcs_everywhere ? ST_OK
                                          : choose_fcs_lanes(value, chip, err);
}

const char *
chip_select_socket(const sai_service_method_table_t *services)
{
    return key(services, 0, "SOFTASIC_SOCKET");
}

sai_status_t
chip_select_chip(const sai_service_method_table_t *services,
                 sai_switch_profile_id_t profile, struct chip **chip,
                 struct err *err)
{
    enum st status = check_keys(services, profile, err);
    struct chip *found = NULL;

    if (status == ST_OK) {
        status = load(services, profile, &found, err);
    }
    if (status == ST_OK) {
        status = vary(services, profile, &found, err);
    }
    if (status == ST_OK) {
        status = choose_leaks(services, profile, found, err);
    }
    if (status == ST_OK) {
        status = choose_line_dilation(services, profile, found, err);
    }
    if (status == ST_OK) {
        status = choose_fcs(services, profile, found, err);
    }
    if (status != ST_OK) {
        chip_file_destroy(found);
    }
    switch (status) {
    case ST_OK:
        *chip = found;
        return SAI_STATUS_SUCCESS;
    case ST_NOT_FOUND:
        return SAI_STATUS_ITEM_NOT_FOUND;
    case ST_UNSUPPORTED:
        return SAI_STATUS_NOT_SUPPORTED;
    default:
        return SAI_STATUS_INVALID_PARAMETER;
    }
}

void
chip_select_explain(const sai_service_method_table_t *services,
                    sai_switch_profile_id_t profile, const struct chip *chip,
                    char *text, size_t size)
{
    const char *directory = key(services, profile, "SOFTASIC_MODEL_DIR");
    const char *hwsku = key(services, profile, "SONIC_HWSKU");

    text_copy(text, size, "");
    if (hwsku && !key(services, profile, "SOFTASIC_MODEL") &&
        !chip_matches(chip, hwsku)) {
        other_chips_explain(directory ? directory : DEFAULT_DIRECTORY, hwsku,
                            chip->name, text, size);
    }
}
