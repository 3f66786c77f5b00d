/* SPDX-License-Identifier: Apache-2.0 */

/* Hashes in memory. */

#include <config.h>

#include "offline/memory_store.h"

#include <stdlib.h>
#include <string.h>

#include <uthash.h>

#include "base/check.h"
#include "base/text.h"

struct note {
    char *place; /* Database and key, as place_of() writes it. */
    struct field *fields;
    size_t n;
    UT_hash_handle hh;
};

/* Returns the name under which a hash is kept; the caller frees it. */
static char *
place_of(enum database database, const char *key)
{
    struct text text = {0};

    text_addf(&text, "%d/%s", (int)database, key);
    return text_take(&text);
}

static struct note *
find(const struct memory_store *notes, enum database database, const char *key)
{
    char *place = place_of(database, key);
    struct note *note;

    HASH_FIND_STR(notes->notes, place, note);
    free(place);
    return note;
}

/* Returns the place of a field in 'note', 'note->n' if it has none such. */
static size_t
find_field(const struct note *note, const char *name)
{
    size_t i = 0;

    while (i < note->n && strcmp(note->fields[i].name, name)) {
        i++;
    }
    return i;
}

static void
free_field(const struct field *field)
{
    free((void *)(uintptr_t)field->name);
    free((void *)(uintptr_t)field->value);
}

static void
free_note(struct memory_store *notes, struct note *note)
{
    HASH_DEL(notes->notes, note);
    for (size_t i = 0; i < note->n; i++) {
        free_field(&note->fields[i]);
    }
    free(note->fields);
    free(note->place);
    free(note);
}

/* Drops one field, and a hash that has no other. */
static void
drop_field(struct memory_store *notes, struct note *note, size_t i)
{
    free_field(&note->fields[i]);
    note->fields[i] = note->fields[--note->n];
    if (!note->n) {
        free_note(notes, note);
    }
}

/* --- The operations ------------------------------------------------------ */

static struct memory_store *
memory_store_of(struct storm_store *store)
{
    return (struct memory_store *)(void *)store;
}

static void
set(struct storm_store *store, enum database database, const char *key,
    const struct field *fields, size_t n)
{
    struct memory_store *notes = memory_store_of(store);
    struct note *note = find(notes, database, key);

    if (!note) {
        note = check_calloc(1, sizeof *note);
        note->place = place_of(database, key);
        HASH_ADD_KEYPTR(hh, notes->notes, note->place, strlen(note->place),
                        note);
    }
    note->fields =
        check_realloc(note->fields, (note->n + n) * sizeof *note->fields);
    for (size_t i = 0; i < n; i++) {
        size_t at = find_field(note, fields[i].name);

        if (at == note->n) {
            note->n++;
        } else {
            free_field(&note->fields[at]);
        }
        note->fields[at] = (struct field){check_strdup(fields[i].name),
                                          check_strdup(fields[i].value)};
    }
}

static void
unset(struct storm_store *store, enum database database, const char *key,
      const char *field)
{
    struct memory_store *notes = memory_store_of(store);
    struct note *note = find(notes, database, key);
    size_t at = note ? find_field(note, field) : 0;

    if (note && at < note->n) {
        drop_field(notes, note, at);
    }
}

static void
fetch(struct storm_store *store, enum database database, const char *key,
      storm_hash_fn *told, void *context)
{
    size_t n;
    const struct field *fields =
        memory_store_get(memory_store_of(store), database, key, &n);

    told(context, key, fields, n);
}

static void
fetch_all(struct storm_store *store, enum database database, const char *prefix,
          storm_hash_fn *told, void (*done)(void *context), void *context)
{
    char *place = place_of(database, prefix);
    const size_t length = strlen(place);

    for (const struct note *note = memory_store_of(store)->notes; note;
         note = note->hh.next) {
        if (!strncmp(note->place, place, length)) {
            told(context, strchr(note->place, '/') + 1, note->fields, note->n);
        }
    }
    free(place);
    done(context);
}

static void
publish(struct storm_store *store, const char *channel, const char *message)
{
    (void)store;
    (void)channel;
    (void)message;
}

void
memory_store_init(struct memory_store *notes)
{
    static const struct storm_store_ops ops = {
        .set = set,
        .unset = unset,
        .fetch = fetch,
        .fetch_all = fetch_all,
        .publish = publish,
    };

    *notes = (struct memory_store){{&ops}, NULL};
}

void
memory_store_fini(struct memory_store *notes)
{
    struct note *note, *next;

    HASH_ITER(hh, notes->notes, note, next)
    {
        free_note(notes, note);
    }
}

const struct field *
memory_store_get(const struct memory_store *notes, enum database database,
                 const char *key, size_t *n)
{
    const struct note *note = find(notes, database, key);

    *n = note ? note->n : 0;
    return note ? note->fields : NULL;
}
