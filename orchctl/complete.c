/* SPDX-License-Identifier: Apache-2.0 */

/* Completes command lines of orchctl. */

#include <config.h>

#include "orchctl/complete.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "command/complete.h"
#include "command/manual.h"
#include "orchctl/client.h"
#include "orchctl/member.h"
#include "orchctl/verb.h"
#include "orchd/control/protocol.h"
#include "orchd/daemon/settings.h"

/* What offers names. */
struct completion {
    const struct complete_tables *tables;
    const char *control; /* The socket of orchd; NULL: the usual one. */
};

/* Returns how many of the first words name a verb: two, but "report" alone. */
static size_t
words_of_verb(const char *const *words, size_t n)
{
    return n && verb_noun_of(words[0]) ? 1 : 2;
}

/* Returns the verb that the first words name, "report" alone as well. */
static const struct verb *
find_verb(const struct complete_tables *tables, const char *const *words,
          size_t n)
{
    const bool alone = words_of_verb(words, n) == 1;
    const char *noun = alone ? verb_noun_of(words[0]) : n ? words[0] : "";
    const char *name = alone ? words[0] : n > 1 ? words[1] : "";

    for (size_t i = 0; i < tables->n_lists; i++) {
        for (const struct verb *verb = tables->lists[i]; verb->noun; verb++) {
            if (!strcmp(verb->noun, noun) && !strcmp(verb->verb, name)) {
                return verb;
            }
        }
    }
    return NULL;
}

static const struct option *
options_of(const void *tables, const char *const *words, size_t n)
{
    const struct verb *verb = find_verb(tables, words, n);

    return verb ? verb->options : NULL;
}

/* Which request lists the names of a kind: the list in its reply, and the
 * member that is the name. */
static const struct kind {
    const char *kind, *noun, *verb, *list, *member;
} kinds[] = {
    {"PORT", "show", "ports", "ports", "name"},
    {"POOL", "show", "pools", "pools", "name"},
    {"PG", "show", "pgs", "pgs", "port"},
    {"QUEUE", "show", "queues", "queues", "port"},
    {"SCHEDULER", "show", "schedulers", "schedulers", "name"},
    {"MODULE", "log", "level", "levels", "module"},
    {"GENERATION", "config", "history", "generations", "generation"},
    {"N", "config", "history", "generations", "generation"},
    {"M", "config", "history", "generations", "generation"},
};

/* Asks orchd; returns the data of its reply, or NULL. */
static json_t *
ask(const char *control, const char *noun, const char *verb)
{
    char usual[256];
    struct client *client = NULL;
    struct reply reply = {0};
    struct err err;
    json_t *data = NULL;

    if (!control) {
        if (control_client_path(getenv("XDG_RUNTIME_DIR"), geteuid(),
                                CONTROL_SERVICE_PATH, usual, sizeof usual)) {
            return NULL;
        }
        control = usual;
    }
    if (!client_connect(control, COMPLETE_TIMEOUT_SECONDS, &client, &err) &&
        !client_call(client, noun, verb, NULL, &reply, &err)) {
        data = json_incref(reply.data);
        reply_fini(&reply);
    }
    client_close(client);
    return data;
}

/* Offers the members of a list: a name, a number, or the place PORT|INDEX. */
static void
offer_list(const json_t *list, const char *member,
           const struct complete_place *place)
{
    json_t *item;
    size_t i;

    json_array_foreach(list, i, item)
    {
        const json_t *value = json_object_get(item, member);
        const json_t *index = json_object_get(item, "index");
        char text[256];

        if (json_is_integer(value)) {
            text_format(text, sizeof text, "%lld",
                        (long long)json_integer_value(value));
        } else if (!strcmp(member, "port") && json_is_integer(index)) {
            text_format(text, sizeof text, "%s|%lld", member_text(item, member),
                        (long long)json_integer_value(index));
        } else {
            text_copy(text, sizeof text, member_text(item, member));
        }
        if (*text) {
            complete_offer(place, text);
        }
    }
}

/* Offers the rows of CONFIG_DB, or only its tables. */
static void
offer_rows(const char *control, bool rows, const struct complete_place *place)
{
    json_t *data = ask(control, "config", "save");
    const char *table, *key;
    json_t *keys, *fields;

    json_object_foreach(json_object_get(data, "tables"), table, keys)
    {
        char text[256];

        if (!rows) {
            complete_offer(place, table);
            continue;
        }
        json_object_foreach(keys, key, fields)
        {
            if (text_format(text, sizeof text, "%s|%s", table, key)) {
                complete_offer(place, text);
            }
        }
    }
    json_decref(data);
}

/* The operands of an object of the ASIC are two words: "pg 'Ethernet0|3'". */
static const struct {
    const char *word, *kind;
} objects[] = {
    {"port", "PORT"}, {"pg", "PG"}, {"queue", "QUEUE"}, {"pool", "POOL"}};

/* Implements settings_visit_fn: the beginning of an assignment. */
static void
offer_setting(void *place, const struct settings_row *row)
{
    char text[64];

    text_format(text, sizeof text, "%s=", row->key);
    complete_offer(place, text);
}

/* Offers the settings of orchd. */
static void
offer_settings(const struct complete_place *place)
{
    struct complete_place copy = *place;
    struct settings settings;

    settings_init(&settings);
    settings_each(&settings, offer_setting, &copy);
    settings_fini(&settings);
}

/* Implements complete_names_fn. */
static void
offer_names(void *completion_, const char *kind,
            const struct complete_place *place)
{
    const struct completion *completion = completion_;
    const char *control = completion->control;
    const char *last = place->n_words ? place->words[place->n_words - 1] : "";
    const struct verb *verb =
        find_verb(completion->tables, place->words, place->n_words);
    json_t *data;

    if (!strcmp(kind, "OBJECT")) {
        for (size_t i = 0; i < sizeof objects / sizeof *objects; i++) {
            if (!strcmp(last, objects[i].word)) {
                offer_names(completion_, objects[i].kind, place);
                return;
            }
        }
        for (size_t i = 0; i < sizeof objects / sizeof *objects; i++) {
            complete_offer(place, objects[i].word);
        }
        return;
    }
    if (!strcmp(kind, "TABLE") || !strcmp(kind, "TABLE|KEY")) {
        offer_rows(control, strcmp(kind, "TABLE") != 0, place);
        return;
    }
    if (!strcmp(kind, "KEY=VALUE")) {
        offer_settings(place);
        return;
    }
    if (!strcmp(kind, "LEVEL")) {
        static const char *const levels[] = {"error", "warn", "info", "debug"};

        for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
            complete_offer(place, levels[i]);
        }
        return;
    }
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (!strcmp(kinds[i].kind, kind)) {
            data = ask(control, kinds[i].noun, kinds[i].verb);
            offer_list(json_object_get(data, kinds[i].list), kinds[i].member,
                       place);
            json_decref(data);
            return;
        }
    }
    /* "show profiles [PROFILE]", "show maps [NAME]": what it shows. */
    if (verb && !strcmp(verb->noun, "show") && !place->value) {
        data = ask(control, verb->noun, verb->verb);
        offer_list(json_object_get(data, verb->verb), "name", place);
        json_decref(data);
    }
}

/* Offers nouns, or the verbs of a noun. */
static void
offer_words(const struct complete_tables *tables, const char *noun,
            const struct complete_place *place)
{
    for (size_t i = 0; i < tables->n_lists; i++) {
        const struct verb *verb = tables->lists[i];

        if (!noun) {
            complete_offer(place, verb->noun);
            continue;
        }
        for (; verb->noun; verb++) {
            if (!strcmp(verb->noun, noun)) {
                complete_offer(place, verb->verb);
            }
        }
    }
    if (!noun) {
        for (size_t i = 0; verbs_alone[i].verb; i++) {
            complete_offer(place, verbs_alone[i].verb);
        }
    }
}

/* Returns the value of --control among the words, or NULL. */
static const char *
control_of(int argc, char **argv)
{
    static const char name[] = "--control";

    for (int i = 0; i + 1 < argc; i++) {
        if (!strncmp(argv[i], name, sizeof name - 1)) {
            const char *end = argv[i] + sizeof name - 1;

            if (*end == '=') {
                return end + 1;
            }
            return *end || i + 2 >= argc ? NULL : argv[i + 1];
        }
    }
    return NULL;
}

void
complete_print(const struct complete_tables *tables, int argc, char **argv)
{
    struct completion completion = {tables, control_of(argc, argv)};
    struct complete_place place;
    const struct verb *verb;
    size_t n_words;

    complete_find(argc, argv, tables->options, options_of, tables, &place);
    verb = find_verb(tables, place.words, place.n_words);
    n_words = words_of_verb(place.words, place.n_words);
    if (place.value) {
        complete_value(&place, offer_names, &completion);
    } else if (!strncmp(place.word, "-", 1)) {
        complete_options(tables->options, verb ? verb->options : NULL, &place);
    } else if (place.n_words < n_words) {
        offer_words(tables, place.n_words ? place.words[0] : NULL, &place);
    } else if (verb && place.n_words - n_words < verb->max_operands) {
        complete_operand(verb->operands, place.n_words - n_words, &place,
                         offer_names, &completion);
    }
    free(place.words);
}

void
complete_manual(const struct complete_tables *tables)
{
    json_t *verbs = json_array();

    for (size_t i = 0; i < tables->n_lists; i++) {
        for (const struct verb *verb = tables->lists[i]; verb->noun; verb++) {
            json_array_append_new(verbs,
                                  manual_verb(verb->noun, verb->verb,
                                              verb->operands, verb->summary,
                                              verb->details, verb->options));
        }
    }
    manual_print(json_pack(
        "{s:s, s:s, s:s, s:o, s:o, s:[{s:i, s:s}, {s:i, s:s}, {s:i, s:s}, "
        "{s:i, s:s}]}",
        "program", "orchctl", "purpose",
        "control and inspect orchd, the buffer and QoS control plane", "usage",
        "[--control SOCKET] [--json] NOUN VERB ...", "options",
        manual_options(tables->options), "verbs", verbs, "exits", "code",
        CONTROL_DONE, "meaning", "success", "code", CONTROL_NO, "meaning",
        "a check failed, the request was refused, or output could not be "
        "written",
        "code", CONTROL_USAGE, "meaning", "wrong usage", "code",
        CONTROL_UNREACHABLE, "meaning", "orchd cannot be reached"));
}
