/* SPDX-License-Identifier: Apache-2.0 */

/* The consumer's script, and names in APPL_DB. */

#include <config.h>

#include "orchd/db/pending.h"

#include <string.h>

#include <hiredis/hiredis.h>

#include "base/check.h"
#include "base/text.h"
#include "orchd/db/link.h"

#define SUFFIX "_TABLE"

/* Returns how many keys it has consumed. */
static const char script[] =
    "local t = ARGV[1]\n"
    "local keys = redis.call('SPOP', t .. '_KEY_SET', 1000)\n"
    "for _, key in ipairs(keys) do\n"
    "  local pending, row = '_' .. t .. ':' .. key, t .. ':' .. key\n"
    "  if redis.call('SREM', t .. '_DEL_SET', key) > 0 then\n"
    "    redis.call('DEL', row)\n"
    "  end\n"
    "  local fields = redis.call('HGETALL', pending)\n"
    "  for i = 1, #fields, 2 do\n"
    "    redis.call('HSET', row, fields[i], fields[i + 1])\n"
    "  end\n"
    "  redis.call('DEL', pending)\n"
    "end\n"
    "return #keys\n";

bool
pending_has(enum table table)
{
    for (int i = 0; i < TABLE_N_BUFFERS; i++) {
        if (table_buffers[i] == table) {
            return true;
        }
    }
    return false;
}

/* Returns whether 'name' is the name of 'table' in APPL_DB followed by
 * 'end'. */
static bool
is_named(const char *name, enum table table, char end)
{
    const size_t length = strlen(table_name(table));
    const size_t suffix = strlen(SUFFIX);

    return !strncmp(name, table_name(table), length) &&
           !strncmp(name + length, SUFFIX, suffix) &&
           name[length + suffix] == end;
}

void
pending_take(struct link *link, int number, const char *channel)
{
    for (int i = 0; i < TABLE_N_BUFFERS; i++) {
        char name[64];

        if (!channel || is_named(channel, table_buffers[i], '_')) {
            text_format(name, sizeof name, "%s" SUFFIX,
                        table_name(table_buffers[i]));
            link_command(link, number, NULL, NULL, "EVAL", script, "0", name,
                         NULL);
        }
    }
}

char *
pending_row(const char *key, enum table *table)
{
    for (int i = 0; i < TABLE_N_BUFFERS; i++) {
        if (is_named(key, table_buffers[i], ':')) {
            char *row = check_strdup(strchr(key, ':') + 1);

            *table = table_buffers[i];
            for (char *c = row; *c; c++) {
                *c = *c == ':' ? '|' : *c;
            }
            return row;
        }
    }
    return NULL;
}
