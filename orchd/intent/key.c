/* SPDX-License-Identifier: Apache-2.0 */

/* A strict parser of keys. */

#include <config.h>

#include "orchd/intent/key.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/check.h"
#include "base/nearest.h"
#include "base/parse.h"
#include "base/text.h"

/* The form of each shape, for error messages. */
static const char *const key_forms[] = {
    [KEY_NAME] = "one name",
    [KEY_PORTS] = "port names separated by commas",
    [KEY_PORTS_RANGE] = "ports, '|' and an index or range: Ethernet0|3-4",
    [KEY_SYSTEM_PORT] = "device, ASIC and port: lc1|asic0|Ethernet0",
};

/* That of a row of queues of system ports. */
#define KEY_VOQ_FORM                                                           \
    "device, ASIC, ports, and an index or range: lc1|asic0|Ethernet0|3-4"

static bool key_can_be_voq(enum table table);
static bool key_is_voq(enum table table, const char *text);
static size_t key_count_parts(const char *text);

/* Returns the form of 'text', or both forms if it is neither. */
static const char *
key_form(enum table table, const char *text)
{
    if (key_is_voq(table, text)) {
        return KEY_VOQ_FORM;
    }
    return key_can_be_voq(table) && key_count_parts(text) >= KEY_N_PARTS
               ? "ports, '|' and an index or range: Ethernet0|3-4; in a "
                 "chassis also " KEY_VOQ_FORM
               : key_forms[table_key_shape(table)];
}

/* Fills 'err' for a bad key; 'what' completes the sentence "the key ...". */
static enum st
key_bad(struct err *err, enum table table, const char *text, const char *what)
{
    enum st status = err_set(err, ST_INVALID, "key", "the key of a %s row %s",
                             table_name(table), what);

    err_set_field(err, NULL, text, key_form(table, text));
    err_set_remedy(err, "delete the row and write it under a correct key");
    return status;
}

static int
key_compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Returns whether a name occurs twice among the 'n' at 'names'. */
static bool
key_has_duplicate(const char *const *names, size_t n)
{
    const char **sorted;
    bool found = false;

    if (n < 2) {
        return false;
    }
    sorted = check_calloc(n, sizeof *sorted);
    memcpy(sorted, names, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, key_compare_names);
    for (size_t i = 1; i < n && !found; i++) {
        found = !strcmp(sorted[i - 1], sorted[i]);
    }
    free(sorted);
    return found;
}

static size_t
key_count_items(const char *text, size_t length)
{
    size_t n = 1;

    for (size_t i = 0; i < length; i++) {
        n += text[i] == ',';
    }
    return n;
}

/* Parses the comma list in the first 'length' bytes of 'list'.  Each name gets
 * the first 'n_prefix' bytes of 'prefix' before it.  The names share an
 * allocation with the array of pointers to them.  Returns NULL, or what is
 * wrong. */
static const char *
key_parse_ports(const char *prefix, size_t n_prefix, const char *list,
                size_t length, struct key *key)
{
    size_t n = key_count_items(list, length);
    const char **ports;
    char *name;

    if (n > KEY_PORTS_MAX) {
        return "names too many ports";
    }
    ports = check_malloc(n * (sizeof *ports + n_prefix) + length + 1);
    name = (char *)(ports + n);
    key->ports = ports;
    key->n_ports = 0;
    for (size_t at = 0; at <= length;) {
        const char *comma = memchr(list + at, ',', length - at);
        const size_t n_item = (comma ? (size_t)(comma - list) : length) - at;

        if (!n_item) {
            return "has an empty item in its list of ports";
        }
        ports[key->n_ports++] = name;
        memcpy(name, prefix, n_prefix);
        memcpy(name + n_prefix, list + at, n_item);
        name[n_prefix + n_item] = '\0';
        name += n_prefix + n_item + 1;
        at += n_item + 1;
    }
    return key_has_duplicate(ports, n) ? "names a port twice" : NULL;
}

/* Returns whether a number in 'text' has a leading zero. */
static bool
key_has_leading_zero(const char *text)
{
    const char *dash = strchr(text, '-');

    return (text[0] == '0' && text[1] >= '0' && text[1] <= '9') ||
           (dash && dash[1] == '0' && dash[2] != '\0');
}

static const char *
key_parse_range(const char *text, struct key *key)
{
    const char *dash = strchr(text, '-');

    if (key_has_leading_zero(text)) {
        return "has an index with a leading zero";
    }
    if (parse_range(text, UINT32_MAX, &key->first, &key->last)) {
        return dash ? "needs a range L-H of whole numbers with L not above H"
                    : "needs an index, a whole number, after the '|'";
    }
    return key->last > KEY_INDEX_MAX ? "has an index that no port has" : NULL;
}

/* Returns how many parts 'text' has. */
static size_t
key_count_parts(const char *text)
{
    size_t n = 1;

    for (; *text; text++) {
        n += *text == '|';
    }
    return n;
}

/* Returns whether rows of 'table' can be of queues of system ports. */
static bool
key_can_be_voq(enum table table)
{
    return table == TABLE_BUFFER_QUEUE || table == TABLE_QUEUE;
}

/* Returns whether 'text' has the form "host|asic|ports|range", which names
 * queues of system ports. */
static bool
key_is_voq(enum table table, const char *text)
{
    return key_can_be_voq(table) &&
           key_count_parts(text) == KEY_N_PARTS + 1;
}

/* Returns whether one of the parts of 'text' is empty. */
static bool
key_has_empty_part(const char *text)
{
    return *text == '|' || strstr(text, "||") || text[strlen(text) - 1] == '|';
}

/* Parses the shapes that name ports: the list, then the range if there is
 * one. */
static const char *
key_parse_parts(enum table table, const char *text, struct key *key)
{
    const bool voq = key_is_voq(table, text);
    const char *ports = text;
    const char *bar;
    bool ranged = table_key_shape(table) == KEY_PORTS_RANGE;
    const char *wrong;

    if (voq) {
        if (key_has_empty_part(text)) {
            return "has an empty part";
        }
        ports = strchr(strchr(text, '|') + 1, '|') + 1;
    }
    bar = strchr(ports, '|');
    if (!bar != !ranged) {
        return ranged ? "needs a '|' and an index after the ports"
                      : "has too many parts";
    }
    wrong = key_parse_ports(text, (size_t)(ports - text), ports,
                            bar ? (size_t)(bar - ports) : strlen(ports), key);
    if (!wrong && bar) {
        wrong = key_parse_range(bar + 1, key);
    }
    return wrong;
}

/* Parses the name of a system port. */
static const char *
key_parse_system_port(const char *text, struct key *key)
{
    if (key_count_parts(text) != KEY_N_PARTS) {
        return "needs three parts: a device, an ASIC and a port";
    }
    key->name = text;
    return key_has_empty_part(text) ? "has an empty part" : NULL;
}

/* The counter groups that orchd polls.  SONiC has more, such as those of routes
 * and ACLs, which other programs poll. */
static const char key_groups[] =
    "PORT, PORT_RATES, PORT_BUFFER_DROP, QUEUE, QUEUE_WATERMARK, PG_WATERMARK, "
    "PG_DROP, BUFFER_POOL_WATERMARK, PFCWD, WRED_ECN_QUEUE, WRED_ECN_PORT, "
    "LLR, SWITCH";

/* Returns the keys with a meaning of their own in 'table', as a list; "" if
 * there are none. */
static const char *
key_words(enum table table)
{
    switch ((int)table) {
    case TABLE_FLEX_COUNTER_TABLE:
        return key_groups;
    case TABLE_PORT_QOS_MAP:
        return "global";
    case TABLE_PFC_WD:
        return "GLOBAL";
    default:
        return "";
    }
}

/* Returns whether 'text' is in 'words', with 'compare' of strncmp()'s form. */
static bool
key_is_among(const char *words, const char *text,
             int (*compare)(const char *a, const char *b, size_t n))
{
    const size_t length = strlen(text);

    while (*words) {
        const size_t n = strcspn(words, ",");

        if (n == length && !compare(words, text, n)) {
            return true;
        }
        words += n + strspn(words + n, ", ");
    }
    return false;
}

/* Refuses a key that differs from one of 'words' only in the case of its
 * letters. */
static enum st
key_check_case(enum table table, const char *words, const char *text,
               struct err *err)
{
    struct choices choices;

    if (key_is_among(words, text, strncmp) ||
        !key_is_among(words, text, strncasecmp)) {
        return ST_OK;
    }
    choices_init(&choices, text);
    choices_add_list(&choices, words);
    err_set(err, ST_INVALID, "key",
            "the key of a %s row is %.64s, in the wrong case",
            table_name(table), text);
    (void)choices_explain(&choices, NULL, err);
    err_set_remedy(err, "delete the row and write it under a correct key");
    return ST_INVALID;
}

/* Fills 'err' for a group that orchd does not poll. */
static enum st
key_other_group(const char *text, struct err *err)
{
    struct choices choices;

    choices_init(&choices, text);
    choices_add_list(&choices, key_groups);
    err_set(err, ST_UNSUPPORTED, "other-group",
            "orchd does not poll the counter group %.64s", text);
    (void)choices_explain(&choices, NULL, err);
    err_set_remedy(err, "leave the row to the program that polls this group, "
                        "or name one of the groups that orchd polls");
    return ST_UNSUPPORTED;
}

/* Detects keys that are well-formed but name something unsupported, or are in
 * the wrong case. */
static enum st
key_check_support(enum table table, const char *text, struct err *err)
{
    enum st status = key_check_case(table, key_words(table), text, err);

    if (!status && table == TABLE_FLEX_COUNTER_TABLE && *text &&
        !key_is_among(key_groups, text, strncmp)) {
        status = key_other_group(text, err);
    }
    return status;
}

enum st
key_parse(enum table table, const char *text, struct key *key, struct err *err)
{
    const enum st status = key_check_support(table, text, err);
    const char *wrong = NULL;

    memset(key, 0, sizeof *key);
    if (status) {
        return status;
    }
    if (!*text) {
        wrong = "is empty";
    } else if (text[strcspn(text, " \t\r\n")]) {
        wrong = "contains a blank";
    } else if (table_key_shape(table) == KEY_NAME) {
        wrong = strchr(text, '|') ? "has too many parts" : NULL;
        key->name = text;
    } else if (table_key_shape(table) == KEY_SYSTEM_PORT) {
        wrong = key_parse_system_port(text, key);
    } else {
        wrong = key_parse_parts(table, text, key);
    }
    if (wrong) {
        key_fini(key);
        return key_bad(err, table, text, wrong);
    }
    return ST_OK;
}

void
key_fini(struct key *key)
{
    free((void *)(uintptr_t)key->ports);
    memset(key, 0, sizeof *key);
}

bool
key_is_system_port(const char *port)
{
    return strchr(port, '|') != NULL;
}

void
key_get_part(const char *port, enum key_part part, char *buffer, size_t size)
{
    size_t n;

    for (int i = 0; i < (int)part; i++) {
        port = strchr(port, '|') + 1;
    }
    n = strcspn(port, "|");
    text_format(buffer, size, "%.*s", (int)n, port);
}

void
key_separate(char *text, char separator)
{
    char *c = text;

    if (key_count_parts(text) >= KEY_N_PARTS) {
        c = strchr(strchr(text, '|') + 1, '|') + 1;
    }
    for (; *c; c++) {
        if (*c == '|') {
            *c = separator;
        }
    }
}

bool
key_is_internal(const char *text)
{
    return strchr(text, ' ') != NULL;
}
