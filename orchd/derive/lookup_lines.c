/* SPDX-License-Identifier: Apache-2.0 */

#include <config.h>

#include "orchd/derive/lookup_lines.h"

#include <string.h>

#include "base/parse.h"
#include "orchd/derive/headroom.h"

static const char blanks[] = " \t\r";

enum st
lookup_lines_read(const char *text, const char *origin, lookup_lines_fn *read,
                  void *context, struct err *err)
{
    unsigned int number = 1;

    for (const char *at = text; *at; number++) {
        size_t length = strcspn(at, "\n");
        struct err cause = {0};

        if (read(context, at, length, &cause)) {
            err_set(err, ST_INVALID, "lookup", "%s:%u: %s", origin, number,
                    cause.reason);
            err_set_field(err, cause.field, cause.value, cause.allowed);
            return ST_INVALID;
        }
        at += length + (at[length] == '\n');
    }
    return ST_OK;
}

enum st
lookup_lines_split(const char *text, size_t length, char line[LOOKUP_LINE_SIZE],
                   char *columns[], size_t most, size_t *n, struct err *err)
{
    if (length >= LOOKUP_LINE_SIZE || memchr(text, '\0', length)) {
        return err_set(err, ST_INVALID, "lookup", "the line is too long");
    }
    memcpy(line, text, length);
    line[length] = '\0';
    line[strcspn(line, "#")] = '\0';
    *n = 0;
    for (char *at = line + strspn(line, blanks); *at && *n <= most;
         at += strspn(at, blanks)) {
        if (*n < most) {
            columns[*n] = at;
        }
        ++*n;
        at += strcspn(at, blanks);
        if (*at) {
            *at++ = '\0';
        }
    }
    return ST_OK;
}

enum st
lookup_lines_read_pair(const char *speed, const char *cable,
                       struct lookup_pair *pair, struct err *err)
{
    uint64_t mbps;

    if (!speed || parse_u64(speed, 1, HEADROOM_SPEED_MAX_MBPS, &mbps)) {
        return lookup_lines_refuse("speed", speed, "1..1600000 Mb/s", err);
    }
    pair->speed_mbps = (uint32_t)mbps;
    if (!cable || cable_parse(cable, &pair->cable_m)) {
        return lookup_lines_refuse("cable", cable, "a length like 40m", err);
    }
    return ST_OK;
}

enum st
lookup_lines_refuse(const char *column, const char *value, const char *allowed,
                    struct err *err)
{
    err_set(err, ST_INVALID, "lookup",
            value ? "%s must be %s, not '%s'" : "%s is missing: %s", column,
            allowed, value);
    err_set_field(err, column, value, allowed);
    return ST_INVALID;
}

enum st
cable_parse(const char *text, uint32_t *cable_m)
{
    char digits[16];
    size_t length = strlen(text);
    uint64_t value;

    if (length < 2 || length > sizeof digits || text[length - 1] != 'm') {
        return ST_INVALID;
    }
    memcpy(digits, text, length - 1);
    digits[length - 1] = '\0';
    if (parse_u64(digits, 0, HEADROOM_CABLE_MAX_M, &value)) {
        return ST_INVALID;
    }
    *cable_m = (uint32_t)value;
    return ST_OK;
}
