/* SPDX-License-Identifier: Apache-2.0 */

/* Fields by name, and the message on the channel. */

#include <config.h>

#include "orchd/watchdog/storm_rows.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/parse.h"
#include "base/text.h"
#include "orchd/watchdog/detection/watchdog.h"
#include "orchd/watchdog/storm_store.h"
#include "sai/core/serialize.h"

#define STATS "PFC_WD_QUEUE_STATS_"

/* Longer than any valid message. */
#define PAYLOAD_MAX 1024

enum { VALUE_SIZE = 24 };

/* The field of each member of an account. */
static const struct {
    const char *name;
    size_t offset;
} statistics[] = {
    {STATS "DEADLOCK_DETECTED", offsetof(struct storm_account, detected)},
    {STATS "DEADLOCK_RESTORED", offsetof(struct storm_account, restored)},
    {STATS "TX_PACKETS", offsetof(struct storm_account, total.tx_packets)},
    {STATS "TX_DROPPED_PACKETS",
     offsetof(struct storm_account, total.tx_dropped)},
    {STATS "RX_PACKETS", offsetof(struct storm_account, total.rx_packets)},
    {STATS "RX_DROPPED_PACKETS",
     offsetof(struct storm_account, total.rx_dropped)},
    {STATS "TX_PACKETS_LAST", offsetof(struct storm_account, last.tx_packets)},
    {STATS "TX_DROPPED_PACKETS_LAST",
     offsetof(struct storm_account, last.tx_dropped)},
    {STATS "RX_PACKETS_LAST", offsetof(struct storm_account, last.rx_packets)},
    {STATS "RX_DROPPED_PACKETS_LAST",
     offsetof(struct storm_account, last.rx_dropped)},
};

enum { N_STATISTICS = sizeof statistics / sizeof *statistics };

/* The fields that only a watched queue has. */
static const char *const settings[] = {
    "PFC_WD_STATUS",           "PFC_WD_ACTION",    "PFC_WD_DETECTION_TIME",
    "PFC_WD_RESTORATION_TIME", "PFC_STAT_HISTORY", "BIG_RED_SWITCH_MODE",
};

enum { N_SETTINGS = sizeof settings / sizeof *settings };

const char *
storm_rows_key(sai_object_id_t oid, char *text)
{
    text_format(text, STORM_ROWS_KEY_SIZE, "COUNTERS:oid:0x%" PRIx64, oid);
    return text;
}

sai_object_id_t
storm_rows_parse_key(const char *key)
{
    const char *digits = strstr(key, "0x");

    return digits ? strtoull(digits + 2, NULL, 16) : SAI_NULL_OBJECT_ID;
}

/* Writes a time in microseconds; 0 becomes an empty text. */
static void
format_us(char *text, int64_t ns)
{
    *text = '\0';
    if (ns) {
        text_format(text, VALUE_SIZE, "%" PRId64, ns / 1000);
    }
}

void
storm_rows_write(struct storm_store *store, const struct storm_rows_ids *ids,
                 const struct watchdog_queue *queue)
{
    const struct detector_times *times = &queue->detector.times;
    struct field fields[N_STATISTICS + N_SETTINGS];
    char values[N_STATISTICS][VALUE_SIZE], detection[VALUE_SIZE];
    char restoration[VALUE_SIZE], key[STORM_ROWS_KEY_SIZE];
    size_t n = 0;

    for (size_t i = 0; i < N_STATISTICS; i++) {
        const uint64_t *value =
            (const uint64_t *)(const void *)((const char *)&queue->account +
                                             statistics[i].offset);

        text_format(values[i], VALUE_SIZE, "%" PRIu64, *value);
        fields[n++] = (struct field){statistics[i].name, values[i]};
    }
    format_us(detection, times->detection_ns);
    format_us(restoration, times->restoration_ns);
    fields[n++] = (struct field){
        settings[0], watchdog_stormed(queue) ? "stormed" : "operational"};
    fields[n++] =
        (struct field){settings[1], policy_action_word(queue->action)};
    fields[n++] = (struct field){settings[2], detection};
    fields[n++] = (struct field){settings[3], restoration};
    fields[n++] = (struct field){settings[4],
                                 queue->keeps_history ? "enable" : "disable"};
    if (queue->red) {
        fields[n++] = (struct field){settings[5], "enable"};
    }
    storm_rows_key(ids->queue, key);
    store->ops->set(store, COUNTERS_DB, key, fields, n);
    if (!queue->red) {
        store->ops->unset(store, COUNTERS_DB, key, settings[5]);
    }
}

void
storm_rows_write_history(struct storm_store *store,
                         const struct storm_rows_ids *ids,
                         const struct watchdog_queue *queue)
{
    static const char *const suffixes[] = {"RX_PAUSE_DURATION_US",
                                           "RECENT_PAUSE_TIME_US",
                                           "RECENT_PAUSE_TIMESTAMP"};
    const uint64_t numbers[] = {queue->total_us, queue->recent_us,
                                (uint64_t)queue->recent_wall_ns / 1000};
    char names[3][64], values[3][VALUE_SIZE], key[STORM_ROWS_KEY_SIZE];
    struct field fields[3];

    for (int i = 0; i < 3; i++) {
        text_format(names[i], sizeof names[i], "EST_PORT_STAT_PFC_%u_%s",
                    queue->index, suffixes[i]);
        text_format(values[i], VALUE_SIZE, "%" PRIu64, numbers[i]);
        fields[i] = (struct field){names[i], values[i]};
    }
    store->ops->set(store, COUNTERS_DB, storm_rows_key(ids->port, key), fields,
                    queue->total_us ? 3 : 1);
}

void
storm_rows_remove(struct storm_store *store, const struct storm_rows_ids *ids,
                  const struct watchdog_queue *queue)
{
    char key[STORM_ROWS_KEY_SIZE];

    storm_rows_key(ids->queue, key);
    for (size_t i = 0; i < N_SETTINGS; i++) {
        store->ops->unset(store, COUNTERS_DB, key, settings[i]);
    }
    storm_rows_in_storm(store, queue->port, queue->index, false, false);
}

static void
put_note(struct storm_store *store, const char *key, const struct field *field,
         bool there)
{
    if (there) {
        store->ops->set(store, APPL_DB, key, field, 1);
    } else {
        store->ops->unset(store, APPL_DB, key, field->name);
    }
}

void
storm_rows_in_storm(struct storm_store *store, const char *port,
                    unsigned int index, bool stormed, bool dead)
{
    struct text key = {0};
    char name[VALUE_SIZE], by[VALUE_SIZE];
    const struct field storm = {name, STORM_ROWS_STORM};
    const struct field switch_field = {by, STORM_ROWS_SWITCH};

    text_format(name, sizeof name, "%u", index);
    text_format(by, sizeof by, "%u" STORM_ROWS_BY, index);
    text_addf(&key, STORM_ROWS_IN_STORM "%s", port);
    put_note(store, text_string(&key), &storm, stormed);
    put_note(store, text_string(&key), &switch_field, stormed && dead);
    text_fini(&key);
}

void
storm_rows_publish(struct storm_store *store, const struct storm_rows_ids *ids,
                   bool stormed)
{
    struct text message = {0};

    text_addf(&message, "[\"oid:0x%" PRIx64 "\",\"%s\",\"origin\",\"orchd\"]",
              ids->queue, stormed ? "storm" : "restore");
    store->ops->publish(store, STORM_ROWS_CHANNEL, text_string(&message));
    text_fini(&message);
}

static const char *
word(const json_t *array, size_t i)
{
    const char *text = json_string_value(json_array_get(array, i));

    return text ? text : "";
}

bool
storm_rows_parse(const char *payload, sai_object_id_t *queue, bool *stormed)
{
    json_t *array = strlen(payload) <= PAYLOAD_MAX
                        ? json_loads(payload, JSON_REJECT_DUPLICATES, NULL)
                        : NULL;
    const char *oid = word(array, 0), *event = word(array, 1);
    bool ours = !strcmp(word(array, 2), "origin");
    bool valid =
        !ours && (!strcmp(event, "storm") || !strcmp(event, "restore"));

    if (valid) {
        valid = !strncmp(oid, "oid:0x", 6) && strlen(oid) > 6 &&
                strspn(oid + 6, "0123456789abcdef") == strlen(oid + 6) &&
                strlen(oid + 6) <= 16;
    }
    if (valid) {
        *queue = strtoull(oid + 6, NULL, 16);
        *stormed = !strcmp(event, "storm");
    }
    json_decref(array);
    return valid;
}

void
storm_rows_read_account(const struct field *fields, size_t n,
                        struct storm_account *account)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < N_STATISTICS; k++) {
            uint64_t value;

            if (!strcmp(fields[i].name, statistics[k].name) &&
                !parse_u64(fields[i].value, 0, UINT64_MAX, &value)) {
                memcpy((char *)account + statistics[k].offset, &value,
                       sizeof value);
            }
        }
    }
}
