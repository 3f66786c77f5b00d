/* SPDX-License-Identifier: Apache-2.0 */

#include <config.h>

#include "orchctl/status_verb.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "orchctl/member.h"

/* Prints "LABEL   text", unless 'text' is empty. */
static void
print_item(const char *label, const char *text)
{
    if (*text) {
        printf("%-11s %s\n", label, text);
    }
}

/* "1 d 02:03:04" */
static void
print_uptime(const json_t *data)
{
    const json_int_t seconds = member_number(data, "uptime_seconds");
    char text[64];

    text_format(text, sizeof text, "%lld d %02d:%02d:%02d",
                (long long)(seconds / 86400), (int)(seconds / 3600 % 24),
                (int)(seconds / 60 % 60), (int)(seconds % 60));
    print_item("Up", text);
}

static void
print_switch(const json_t *data)
{
    const json_t *found = json_object_get(data, "switch");
    struct text text = {0};

    if (!json_is_object(found)) {
        print_item("Switch", *member_text(data, "trouble")
                                 ? member_text(data, "trouble")
                                 : "none until CONFIG_DB names the hwsku or "
                                   "has PORT rows");
        return;
    }
    text_addf(&text, "%s%s",
              json_is_true(json_object_get(found, "simulated"))
                  ? "SIMULATED, by "
                  : "",
              member_text(found, "library"));
    print_item("Switch", text_string(&text));
    text_clear(&text);
    text_addf(&text, "%s, by %s",
              *member_text(found, "chip") ? member_text(found, "chip")
                                          : "unknown",
              member_text(found, "chosen"));
    print_item("Chip", text_string(&text));
    print_item("Warning", member_text(found, "warning"));
    text_fini(&text);
}

static void
print_redis(const json_t *redis)
{
    const bool up = json_is_true(json_object_get(redis, "up"));
    struct text text = {0};

    text_addf(&text, "%s, %s", member_text(redis, "endpoint"),
              up ? "connected" : "not connected");
    if (*member_text(redis, "reason")) {
        text_addf(&text, ": %s", member_text(redis, "reason"));
    }
    print_item("Redis", text_string(&text));
    text_fini(&text);
}

/* "235 applied, 1 waiting" */
static void
print_rows(json_t *rows)
{
    struct text text = {0};
    const char *state;
    json_t *n;

    json_object_foreach(rows, state, n)
    {
        char item[64];

        if (json_integer_value(n)) {
            text_format(item, sizeof item, "%lld %s",
                        (long long)json_integer_value(n), state);
            text_add_item(&text, ", ", item);
        }
    }
    print_item("Rows", text.length ? text.bytes : "none");
    text_fini(&text);
}

static void
print_counters(const json_t *counters)
{
    struct text text = {0};
    json_t *group;
    size_t i;

    json_array_foreach(counters, i, group)
    {
        char item[96];

        text_format(item, sizeof item, "%s (%lld ms)",
                    member_text(group, "group"),
                    (long long)member_number(group, "milliseconds"));
        text_add_item(&text, ", ", item);
    }
    print_item("Counters",
               text.length ? text.bytes
                           : "not polled: enable rows of FLEX_COUNTER_TABLE");
    text_fini(&text);
}

static void
print_watchdog(const json_t *watchdog)
{
    const json_int_t n = member_number(watchdog, "queues");
    char text[96];

    text_format(text, sizeof text, "%lld queue%s watched, %lld in a storm",
                (long long)n, n == 1 ? "" : "s",
                (long long)member_number(watchdog, "stormed"));
    print_item("Watchdog", text);
}

/* "process 7 since 2026-01-02T03:04:05.000Z, 2 changes" for each. */
static void
print_testers(const json_t *testers)
{
    json_t *tester;
    size_t i;

    json_array_foreach(testers, i, tester)
    {
        const size_t n = json_array_size(json_object_get(tester, "changes"));
        struct text text = {0};

        text_addf(&text, "%s since %s, %zu change%s",
                  member_text(tester, "name"), member_text(tester, "since"), n,
                  text_plural(n));
        print_item("Tester", text_string(&text));
        text_fini(&text);
    }
}

void
status_verb_print(const struct invocation *invocation, const json_t *data)
{
    char text[96];

    (void)invocation;
    text_format(text, sizeof text, "%s, process %lld",
                member_text(data, "version"),
                (long long)member_number(data, "pid"));
    print_item("orchd", text);
    print_uptime(data);
    print_switch(data);
    print_redis(json_object_get(data, "redis"));
    print_rows(json_object_get(data, "rows"));
    print_item("Held back", member_text(data, "hold"));
    print_item("History", member_text(data, "history"));
    print_item("Last error", *member_text(data, "last_error")
                                 ? member_text(data, "last_error")
                                 : "none");
    print_item("Seccomp", member_text(data, "seccomp"));
    print_testers(json_object_get(data, "testers"));
    print_counters(json_object_get(data, "counters"));
    print_watchdog(json_object_get(data, "watchdog"));
}
