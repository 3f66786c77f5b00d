/* SPDX-License-Identifier: Apache-2.0 */

/* Rows in a list; numbers in texts. */

#include <config.h>

#include "orchd/document/asic_file.h"

#include <jansson.h>
#include <string.h>

#include "base/parse.h"
#include "base/text.h"
#include "orchd/derive/headroom.h"
#include "orchd/derive/model.h"

enum {
    NUMBER_SIZE = 32,
    MILLI_DIGITS = 3,
    MILLI_KB_MAX = 1000000000,
    CELL_MAX = 65536,
    CELLS_MAX = 100000000,
};

/* What a file says, while it is read. */
struct reading {
    const char *path;
    struct model_chip chip;
    const char *gearbox; /* That all ports have; borrowed, or NULL. */
    size_t n_asics;
    struct err *err;
};

/* Returns a value as text, in 'buffer' if it is a number; NULL if neither. */
static const char *
value_text(const json_t *value, char buffer[NUMBER_SIZE])
{
    if (json_is_integer(value)) {
        text_format(buffer, NUMBER_SIZE, "%" JSON_INTEGER_FORMAT,
                    json_integer_value(value));
    } else if (json_is_real(value)) {
        text_format(buffer, NUMBER_SIZE, "%.3f", json_real_value(value));
    } else {
        return json_string_value(value);
    }
    return buffer;
}

/* Reads "3", "0.8" or "3.812" as thousandths. */
static enum st
parse_milli(const char *text, uint64_t most, uint64_t *milli)
{
    const char *point = strchr(text, '.');
    size_t length = point ? (size_t)(point - text) : strlen(text);
    size_t decimals = point ? strlen(point + 1) : 0;
    char digits[NUMBER_SIZE];

    if (length == 0 || (point && decimals == 0) || decimals > MILLI_DIGITS ||
        length + MILLI_DIGITS >= sizeof digits) {
        return ST_INVALID;
    }
    memcpy(digits, text, length);
    memcpy(digits + length, "000", MILLI_DIGITS + 1);
    if (point) {
        memcpy(digits + length, point + 1, decimals);
    }
    return parse_u64(digits, 0, most, milli);
}

/* A field of a row. */
struct number {
    const char *field;
    bool milli; /* It may have decimals, and is kept in thousandths. */
    bool optional;
    uint64_t least, most;
    uint32_t *value;
};

static enum st
read_numbers(const struct reading *reading, const char *key,
             const json_t *fields, const struct number *numbers, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct number *number = &numbers[i];
        char buffer[NUMBER_SIZE];
        const json_t *json = json_object_get(fields, number->field);
        const char *text = value_text(json, buffer);
        uint64_t value;
        enum st status = ST_INVALID;

        if (!json && number->optional) {
            continue;
        }
        if (text) {
            status = number->milli
                         ? parse_milli(text, number->most, &value)
                         : parse_u64(text, number->least, number->most, &value);
        }
        if (status) {
            err_set(reading->err, ST_INVALID, "asic-table",
                    "%s: %s: %s is no number in its range", reading->path, key,
                    number->field);
            err_set_field(reading->err, number->field, text ? text : "", "");
            return ST_INVALID;
        }
        *number->value = (uint32_t)value;
    }
    return ST_OK;
}

static enum st
read_asic(struct reading *reading, const char *key, const json_t *fields)
{
    struct platform_asic *asic = &reading->chip.asic;
    const struct number numbers[] = {
        {"cell_size", false, false, 1, CELL_MAX, &asic->cell_bytes},
        {"pipeline_latency", true, false, 0, MILLI_KB_MAX,
         &asic->pipeline_latency_milli_kb},
        {"mac_phy_delay", true, false, 0, MILLI_KB_MAX,
         &asic->mac_phy_delay_milli_kb},
        {"peer_response_time", true, false, 0, MILLI_KB_MAX,
         &asic->peer_response_time_milli_kb},
        {"port_reserved_shp", false, true, 0, CELLS_MAX,
         &asic->port_reserved_shp_cells},
        {"port_max_shp", false, true, 0, CELLS_MAX, &asic->port_max_shp_cells},
    };

    reading->n_asics++;
    platform_asic_infer(strchr(key, ':') + 1, asic);
    return read_numbers(reading, key, fields, numbers,
                        sizeof numbers / sizeof numbers[0]);
}

static bool
is_of(const char *key, const char *table)
{
    size_t length = strlen(table);

    return !strncmp(key, table, length) && key[length] == ':';
}

/* Reads the rows of a list; of those of gearboxes, the one of 'gearbox'. */
static enum st
read_rows(struct reading *reading, const json_t *list, bool gearboxes)
{
    size_t index;
    json_t *item, *fields;
    const char *key;
    enum st status = ST_OK;

    json_array_foreach(list, index, item)
    {
        json_object_foreach(item, key, fields)
        {
            const struct number delay = {"gearbox_delay",
                                         false,
                                         false,
                                         0,
                                         HEADROOM_GEARBOX_MAX_NS,
                                         &reading->chip.gearbox_ns};

            if (status) {
                continue;
            }
            if (!gearboxes && is_of(key, "ASIC_TABLE")) {
                status = read_asic(reading, key, fields);
            } else if (!gearboxes && is_of(key, "PORT_PERIPHERAL_TABLE")) {
                reading->gearbox =
                    json_string_value(json_object_get(fields, "gearbox_model"));
            } else if (gearboxes && reading->gearbox &&
                       is_of(key, "PERIPHERAL_TABLE") &&
                       !strcmp(strchr(key, ':') + 1, reading->gearbox)) {
                status = read_numbers(reading, key, fields, &delay, 1);
            }
        }
    }
    return status;
}

enum st
asic_file_read(const char *path, struct model_chip *chip, struct err *err)
{
    struct reading reading = {.path = path, .err = err};
    json_error_t cause;
    json_t *list = json_load_file(path, JSON_REJECT_DUPLICATES, &cause);
    enum st status;

    if (!list && cause.line < 0) {
        return err_set(err, ST_NOT_FOUND, "asic-table", "%s", cause.text);
    }
    if (!list) {
        return err_set(err, ST_INVALID, "asic-table", "%s:%d:%d: %s", path,
                       cause.line, cause.column, cause.text);
    }
    status = read_rows(&reading, list, false);
    if (!status && reading.n_asics != 1) {
        status = err_set(err, ST_INVALID, "asic-table",
                         "%s has %zu rows of ASIC_TABLE, not one", path,
                         reading.n_asics);
    }
    if (!status) {
        status = read_rows(&reading, list, true);
    }
    if (!status) {
        reading.chip.known = true;
        if (reading.gearbox && reading.chip.gearbox_ns) {
            text_copy(reading.chip.gearbox, sizeof reading.chip.gearbox,
                      reading.gearbox);
        }
        *chip = reading.chip;
    }
    json_decref(list);
    return status;
}
