/* SPDX-License-Identifier: Apache-2.0 */

/* One table of numbers, for parsing and formatting. */

#include <config.h>

#include "orchd/derive/asic_rows.h"

#include <inttypes.h>
#include <string.h>

#include "base/parse.h"
#include "base/text.h"
#include "orchd/derive/dynamic_state.h"
#include "orchd/derive/headroom.h"

enum {
    MILLI = 1000,
    MILLI_DIGITS = 3,
    KB_MAX = 1000000,
    CELL_MAX = 65536,
    CELLS_MAX = 100000000,
    N_NUMBERS = 6,
};

static const char *const tables[] = {"ASIC_TABLE", "PERIPHERAL_TABLE",
                                     "PORT_PERIPHERAL_TABLE"};
enum { ASIC, PERIPHERAL, PORT_PERIPHERAL, N_KINDS };

/* A number in a row. */
struct number {
    const char *field;
    bool milli; /* May have decimals; stored in thousandths. */
    bool optional;
    uint64_t least, most;
    uint32_t *value;
};

/* Fills 'numbers' with those of a row of ASIC_TABLE. */
static void
list_numbers(struct chip_headroom_params *asic,
             struct number numbers[N_NUMBERS])
{
    const struct number list[N_NUMBERS] = {
        {"cell_size", false, false, 1, CELL_MAX, &asic->cell_size_bytes},
        {"pipeline_latency", true, false, 0, KB_MAX,
         &asic->pipeline_latency_milli_kb},
        {"mac_phy_delay", true, false, 0, KB_MAX,
         &asic->mac_phy_delay_milli_kb},
        {"peer_response_time", true, false, 0, KB_MAX,
         &asic->peer_response_time_milli_kb},
        {"port_reserved_shp", false, true, 0, CELLS_MAX,
         &asic->port_reserved_shp_cells},
        {"port_max_shp", false, true, 0, CELLS_MAX, &asic->port_max_shp_cells},
    };

    memcpy(numbers, list, sizeof list);
}

const char *
asic_rows_split(const char *key, char separator, const char **table)
{
    const char *end = strchr(key, separator);

    for (size_t i = 0; end && i < N_KINDS; i++) {
        size_t length = strlen(tables[i]);

        if ((size_t)(end - key) == length && !memcmp(key, tables[i], length)) {
            *table = tables[i];
            return end + 1;
        }
    }
    return NULL;
}

/* Returns the value of a field, or NULL. */
static const char *
field_of(const struct asic_row *row, const char *name)
{
    for (size_t i = 0; i < row->n_fields; i++) {
        if (!strcmp(row->fields[i].name, name)) {
            return row->fields[i].value;
        }
    }
    return NULL;
}

/* Parses "3", "0.8" or "3.812" into thousandths. */
static enum st
parse_milli(const char *text, uint64_t most, uint64_t *milli)
{
    const char *point = strchr(text, '.');
    size_t length = point ? (size_t)(point - text) : strlen(text);
    size_t decimals = point ? strlen(point + 1) : 0;
    char digits[ASIC_ROWS_NUMBER_SIZE];

    if (length == 0 || (point && decimals == 0) || decimals > MILLI_DIGITS ||
        length + MILLI_DIGITS >= sizeof digits) {
        return ST_INVALID;
    }
    memcpy(digits, text, length);
    memcpy(digits + length, "000", MILLI_DIGITS + 1);
    if (point) {
        memcpy(digits + length, point + 1, decimals);
    }
    return parse_u64(digits, 0, most * MILLI, milli);
}

static enum st
read_number(const struct asic_row *row, const struct number *number,
            struct err *err)
{
    const char *text = field_of(row, number->field);
    char allowed[64];
    uint64_t value = 0;
    enum st status = ST_INVALID;

    if (!text && number->optional) {
        *number->value = 0;
        return ST_OK;
    }
    if (text) {
        status = number->milli
                     ? parse_milli(text, number->most, &value)
                     : parse_u64(text, number->least, number->most, &value);
    }
    if (status) {
        text_format(allowed, sizeof allowed, "%" PRIu64 "..%" PRIu64 "%s",
                    number->least, number->most,
                    number->milli ? ", up to three decimals" : "");
        err_set(err, ST_INVALID, text ? "range" : "mandatory",
                text ? "%s|%s: %s = '%.64s' is not a number in %s"
                     : "%s|%s has no %s%.0s, a number in %s",
                row->table, row->name, number->field, text ? text : "",
                allowed);
        err_set_field(err, number->field, text, allowed);
        return ST_INVALID;
    }
    *number->value = (uint32_t)value;
    return ST_OK;
}

/* Reads the one row ASIC_TABLE. */
static enum st
read_asic(const struct asic_row *row, struct dynamic_state_chip *chip,
          struct err *err)
{
    struct number numbers[N_NUMBERS];
    enum st status = ST_OK;

    if (!*row->name || strlen(row->name) >= sizeof chip->name) {
        err_set(err, ST_INVALID, "key",
                "ASIC_TABLE|%.64s: the name of a chip has 1 to %zu characters",
                row->name, sizeof chip->name - 1);
        return ST_INVALID;
    }
    text_copy(chip->name, sizeof chip->name, row->name);
    list_numbers(&chip->asic, numbers);
    for (size_t i = 0; i < N_NUMBERS && !status; i++) {
        status = read_number(row, &numbers[i], err);
    }
    platform_infer_generation(row->name, &chip->asic);
    return status;
}

static const struct asic_row *
find_row(const struct asic_row *rows, size_t n, const char *table,
         const char *name)
{
    for (size_t i = 0; i < n; i++) {
        if (!strcmp(rows[i].table, table) &&
            (!name || !strcmp(rows[i].name, name))) {
            return &rows[i];
        }
    }
    return NULL;
}

/* Reads the rows of the gearbox, if there is one. */
static enum st
read_gearbox(const struct asic_row *rows, size_t n,
             struct dynamic_state_chip *chip, struct err *err)
{
    const struct asic_row *ports =
        find_row(rows, n, tables[PORT_PERIPHERAL], "global");
    const char *name = ports ? field_of(ports, "gearbox_model") : NULL;
    const struct asic_row *gearbox;
    const struct number delay = {
        "gearbox_delay",  false, false, 0, HEADROOM_GEARBOX_MAX_NS,
        &chip->gearbox_ns};

    if (!name || !*name) {
        return ST_OK;
    }
    gearbox = find_row(rows, n, tables[PERIPHERAL], name);
    if (!gearbox || strlen(name) >= sizeof chip->gearbox) {
        err_set(err, ST_INVALID, "missing-ref",
                gearbox ? "the name '%.64s' of a gearbox is too long"
                        : "PORT_PERIPHERAL_TABLE|global: the row "
                          "PERIPHERAL_TABLE|%.64s with the delay of the "
                          "gearbox does not exist",
                name);
        err_set_field(err, "gearbox_model", name, NULL);
        return ST_INVALID;
    }
    text_copy(chip->gearbox, sizeof chip->gearbox, name);
    return read_number(gearbox, &delay, err);
}

/* Reports the rows of ASIC_TABLE where exactly one is required. */
static enum st
refuse_rows(const struct asic_row *rows, size_t n, size_t n_asics,
            struct err *err)
{
    struct text names = {0};

    for (size_t i = 0; i < n; i++) {
        if (!strcmp(rows[i].table, tables[ASIC])) {
            text_addf(&names, "%s%.64s", names.length ? ", " : ": ",
                      rows[i].name);
        }
    }
    err_set(err, ST_INVALID, "asic-table",
            "ASIC_TABLE must have exactly 1 row, found %zu%.128s", n_asics,
            text_string(&names));
    text_fini(&names);
    return ST_INVALID;
}

enum st
asic_rows_read(const struct asic_row *rows, size_t n,
               struct dynamic_state_chip *chip, struct err *err)
{
    struct dynamic_state_chip read = {.known = true};
    size_t n_asics = 0;
    enum st status;

    for (size_t i = 0; i < n; i++) {
        n_asics += !strcmp(rows[i].table, tables[ASIC]);
    }
    if (n_asics != 1) {
        return refuse_rows(rows, n, n_asics, err);
    }
    status = read_asic(find_row(rows, n, tables[ASIC], NULL), &read, err);
    if (!status) {
        status = read_gearbox(rows, n, &read, err);
    }
    if (!status) {
        *chip = read;
    }
    return status;
}

/* Formats a number as the parser reads it. */
static void
format_number(const struct number *number, char buffer[ASIC_ROWS_NUMBER_SIZE])
{
    const uint32_t value = *number->value;

    if (number->milli && value % MILLI) {
        size_t length;

        text_format(buffer, ASIC_ROWS_NUMBER_SIZE, "%" PRIu32 ".%03" PRIu32,
                    value / MILLI, value % MILLI);
        for (length = strlen(buffer); buffer[length - 1] == '0';) {
            buffer[--length] = '\0';
        }
    } else {
        text_format(buffer, ASIC_ROWS_NUMBER_SIZE, "%" PRIu32,
                    number->milli ? value / MILLI : value);
    }
}

void
asic_rows_write(const struct dynamic_state_chip *chip,
                asic_rows_write_fn *write, void *context)
{
    struct chip_headroom_params asic = chip->asic;
    struct number numbers[N_NUMBERS];
    char texts[N_NUMBERS][ASIC_ROWS_NUMBER_SIZE];
    struct field fields[N_NUMBERS];
    const struct field model = {"gearbox_model", chip->gearbox};
    const struct field delay = {"gearbox_delay", texts[0]};

    list_numbers(&asic, numbers);
    for (size_t i = 0; i < N_NUMBERS; i++) {
        format_number(&numbers[i], texts[i]);
        fields[i] = (struct field){numbers[i].field, texts[i]};
    }
    write(context,
          &(struct asic_row){tables[ASIC], chip->name, fields, N_NUMBERS});
    if (*chip->gearbox) {
        text_format(texts[0], sizeof texts[0], "%" PRIu32, chip->gearbox_ns);
        write(context,
              &(struct asic_row){tables[PERIPHERAL], chip->gearbox, &delay, 1});
        write(context,
              &(struct asic_row){tables[PORT_PERIPHERAL], "global", &model, 1});
    }
}

bool
asic_rows_equal(const struct dynamic_state_chip *a,
                const struct dynamic_state_chip *b)
{
    struct chip_headroom_params x = a->asic, y = b->asic;
    struct number left[N_NUMBERS], right[N_NUMBERS];

    list_numbers(&x, left);
    list_numbers(&y, right);
    for (size_t i = 0; i < N_NUMBERS; i++) {
        if (*left[i].value != *right[i].value) {
            return false;
        }
    }
    return a->known == b->known && !strcmp(a->name, b->name) &&
           !strcmp(a->gearbox, b->gearbox) && a->gearbox_ns == b->gearbox_ns;
}
