/* SPDX-License-Identifier: Apache-2.0 */

/* Formats keys and values of counters. */

#include <config.h>

#include "orchd/telemetry/counter_rows.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "orchd/db/redis.h"
#include "orchd/telemetry/polling/rates.h"
#include "sai/core/metadata.h"
#include "sai/core/serialize.h"

#define DESCRIPTION_PREFIX "FLEX_COUNTER_TABLE:"
#define STORM_GROUP        "PFC_WD"

/* Sizes of keys and numbers as text. */
#define KEY_SIZE    128
#define NUMBER_SIZE 24

static void
number_text(uint64_t value, char *buffer)
{
    text_format(buffer, NUMBER_SIZE, "%" PRIu64, value);
}

/* Writes "PREFIX:oid:0x.." into 'key' of KEY_SIZE bytes. */
static void
object_key(char *key, const char *prefix, sai_object_id_t oid)
{
    text_format(key, KEY_SIZE, "%.80s:oid:0x%" PRIx64, prefix, oid);
}

void
counter_rows_values(struct redis *redis, sai_object_type_t type,
                    sai_object_id_t oid, const struct counter_list *list,
                    const uint64_t *values, const uint64_t *old)
{
    char key[KEY_SIZE], texts[COUNTERS_MAX][NUMBER_SIZE];
    struct field fields[COUNTERS_MAX];
    size_t n = 0;

    for (uint32_t i = 0; i < list->n; i++) {
        if (old && old[i] == values[i]) {
            continue;
        }
        number_text(values[i], texts[n]);
        fields[n].name = metadata_stat(type, list->ids[i])->name;
        fields[n].value = texts[n];
        n++;
    }
    if (n) {
        object_key(key, "COUNTERS", oid);
        redis_hset(redis, COUNTERS_DB, key, fields, n);
    }
}

void
counter_rows_watermark(struct redis *redis, enum watermark_table table,
                       sai_object_type_t type, sai_object_id_t oid,
                       sai_stat_id_t id, uint64_t value)
{
    char key[KEY_SIZE], prefix[32], text[NUMBER_SIZE];
    const struct field field = {metadata_stat(type, id)->name, text};

    text_format(prefix, sizeof prefix, "%s_WATERMARKS",
                watermark_table_name(table));
    object_key(key, prefix, oid);
    number_text(value, text);
    redis_hset(redis, COUNTERS_DB, key, &field, 1);
}

void
counter_rows_rates(struct redis *redis, sai_object_id_t oid,
                   const struct rates *rates, const struct rates *old)
{
    const struct {
        const char *name;
        double now, before;
    } all[] = {
        {"RX_BPS", rates->rx_bytes, old ? old->rx_bytes : 0},
        {"RX_PPS", rates->rx_packets, old ? old->rx_packets : 0},
        {"TX_BPS", rates->tx_bytes, old ? old->tx_bytes : 0},
        {"TX_PPS", rates->tx_packets, old ? old->tx_packets : 0},
    };
    char key[KEY_SIZE], texts[4][32], before[32];
    struct field fields[4];
    size_t n = 0;

    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        text_format(texts[n], sizeof texts[n], "%.2f", all[i].now);
        text_format(before, sizeof before, "%.2f", all[i].before);
        if (!old || strcmp(texts[n], before) != 0) {
            fields[n].name = all[i].name;
            fields[n].value = texts[n];
            n++;
        }
    }
    if (n) {
        object_key(key, "RATES", oid);
        redis_hset(redis, COUNTERS_DB, key, fields, n);
    }
}

static void
description_key(char *key, enum counter_group group, sai_object_id_t oid)
{
    char prefix[KEY_SIZE];

    text_format(prefix, sizeof prefix, DESCRIPTION_PREFIX "%s",
                counter_group_info(group)->flex_name);
    object_key(key, prefix, oid);
}

void
counter_rows_describe(struct redis *redis, sai_object_type_t type,
                      sai_object_id_t oid, const struct counter_list *list,
                      sai_stats_mode_t mode)
{
    const struct counter_group_info *info = counter_group_info(list->group);
    struct text names = {0};
    struct field fields[2];
    char key[KEY_SIZE];
    size_t n = 0;

    for (uint32_t i = 0; i < list->n; i++) {
        text_add_item(&names, ",", metadata_stat(type, list->ids[i])->name);
    }
    fields[n++] = (struct field){info->list_name, text_string(&names)};
    if (mode != info->mode) {
        fields[n++] = (struct field){"STATS_MODE", counter_mode_name(mode)};
    }
    description_key(key, list->group, oid);
    redis_replace(redis, FLEX_COUNTER_DB, key, fields, n);
    text_fini(&names);
}

void
counter_rows_undescribe(struct redis *redis, enum counter_group group,
                        sai_object_id_t oid)
{
    char key[KEY_SIZE];

    description_key(key, group, oid);
    redis_del(redis, FLEX_COUNTER_DB, key);
}

void
counter_rows_remove(struct redis *redis, sai_object_id_t oid)
{
    static const char *const tables[] = {"COUNTERS", "USER_WATERMARKS",
                                         "PERSISTENT_WATERMARKS",
                                         "PERIODIC_WATERMARKS", "RATES"};
    char key[KEY_SIZE];

    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        object_key(key, tables[i], oid);
        redis_del(redis, COUNTERS_DB, key);
    }
}

/* Describes the group that FLEX_COUNTER_DB calls 'name'. */
static void
write_group(struct redis *redis, const char *name, sai_stats_mode_t mode,
            const struct counter_rows_group *row)
{
    char key[KEY_SIZE], interval[NUMBER_SIZE];
    struct field fields[6];
    size_t n = 0;

    number_text((uint64_t)row->milliseconds, interval);
    fields[n++] = (struct field){"POLL_INTERVAL", interval};
    fields[n++] = (struct field){"STATS_MODE", counter_mode_name(mode)};
    fields[n++] = (struct field){"FLEX_COUNTER_STATUS",
                                 row->enabled ? "enable" : "disable"};
    if (row->bulk_chunk_size) {
        fields[n++] = (struct field){"BULK_CHUNK_SIZE", row->bulk_chunk_size};
    }
    if (row->bulk_chunk_size_per_prefix) {
        fields[n++] = (struct field){"BULK_CHUNK_SIZE_PER_PREFIX",
                                     row->bulk_chunk_size_per_prefix};
    }
    if (row->stale_since) {
        fields[n++] = (struct field){"stale_since", row->stale_since};
    }
    text_format(key, sizeof key, "FLEX_COUNTER_GROUP_TABLE:%s", name);
    redis_replace(redis, FLEX_COUNTER_DB, key, fields, n);
}

void
counter_rows_group(struct redis *redis, enum counter_group group,
                   const struct counter_rows_group *row)
{
    const struct counter_group_info *info = counter_group_info(group);

    write_group(redis, info->flex_name, info->mode, row);
}

void
counter_rows_storms(struct redis *redis, const struct counter_rows_group *row)
{
    write_group(redis, STORM_GROUP, SAI_STATS_MODE_READ, row);
}

sai_object_id_t
counter_rows_parse_storm(const char *key)
{
    static const char prefix[] = DESCRIPTION_PREFIX STORM_GROUP ":";
    sai_object_id_t oid;

    return !strncmp(key, prefix, sizeof prefix - 1) &&
                   serialize_parse_oid(key + sizeof prefix - 1, &oid) == ST_OK
               ? oid
               : SAI_NULL_OBJECT_ID;
}

bool
counter_rows_parse(const char *key, enum counter_group *group,
                   sai_object_id_t *oid)
{
    const size_t prefix = strlen(DESCRIPTION_PREFIX);
    const char *id = strstr(key, ":oid:0x");

    if (strncmp(key, DESCRIPTION_PREFIX, prefix) != 0 || !id) {
        return false;
    }
    key += prefix;
    for (int i = 0; i < N_COUNTER_GROUPS; i++) {
        const char *name = counter_group_info((enum counter_group)i)->flex_name;

        if (strlen(name) == (size_t)(id - key) &&
            !strncmp(name, key, strlen(name))) {
            *group = (enum counter_group)i;
            return serialize_parse_oid(id + 1, oid) == ST_OK;
        }
    }
    return false;
}
