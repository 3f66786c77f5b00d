/* SPDX-License-Identifier: Apache-2.0 */

/* Keeps Redis hashes in memory. */

#include <config.h>

#include "orchd/watchdog/memory_store.h"

#include <stdlib.h>
#include <string.h>

#include <uthash.h>

#include "base/check.h"
#include "base/text.h"

struct stored_hash {
    char *name; /* Database and key, as name_of() formats it. */
    struct field *fields;
    size_t n;
    UT_hash_handle hh;
};

/* Returns the name of a hash in the table; the caller frees it. */
static char *
name_of(enum database database, const char *key)
{
    struct text text = {0};

    text_addf(&text, "%d/%s", (int)database, key);
    return text_take(&text);
}

static struct stored_hash *
find(const struct memory_store *memory, enum database database, const char *key)
{
    char *name = name_of(database, key);
    struct stored_hash *hash;

    HASH_FIND_STR(memory->hashes, name, hash);
    free(name);
    return hash;
}

/* Returns the index of a field in 'hash', or 'hash->n' if there is none. */
static size_t
find_field(const struct stored_hash *hash, const char *name)
{
    size_t i = 0;

    while (i < hash->n && strcmp(hash->fields[i].name, name)) {
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
free_hash(struct memory_store *memory, struct stored_hash *hash)
{
    HASH_DEL(memory->hashes, hash);
    for (size_t i = 0; i < hash->n; i++) {
        free_field(&hash->fields[i]);
    }
    free(hash->fields);
    free(hash->name);
    free(hash);
}

/* Removes a field, and the hash if it was the last one. */
static void
drop_field(struct memory_store *memory, struct stored_hash *hash, size_t i)
{
    free_field(&hash->fields[i]);
    hash->fields[i] = hash->fields[--hash->n];
    if (!hash->n) {
        free_hash(memory, hash);
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
    struct memory_store *memory = memory_store_of(store);
    struct stored_hash *hash = find(memory, database, key);

    if (!hash) {
        hash = check_calloc(1, sizeof *hash);
        hash->name = name_of(database, key);
        HASH_ADD_KEYPTR(hh, memory->hashes, hash->name, strlen(hash->name),
                        hash);
    }
    hash->fields =
        check_realloc(hash->fields, (hash->n + n) * sizeof *hash->fields);
    for (size_t i = 0; i < n; i++) {
        size_t at = find_field(hash, fields[i].name);

        if (at == hash->n) {
            hash->n++;
        } else {
            free_field(&hash->fields[at]);
        }
        hash->fields[at] = (struct field){check_strdup(fields[i].name),
                                          check_strdup(fields[i].value)};
    }
}

static void
unset(struct storm_store *store, enum database database, const char *key,
      const char *field)
{
    struct memory_store *memory = memory_store_of(store);
    struct stored_hash *hash = find(memory, database, key);
    size_t at = hash ? find_field(hash, field) : 0;

    if (hash && at < hash->n) {
        drop_field(memory, hash, at);
    }
}

static void
fetch(struct storm_store *store, enum database database, const char *key,
      storm_hash_fn *found, void *context)
{
    size_t n;
    const struct field *fields =
        memory_store_get(memory_store_of(store), database, key, &n);

    found(context, key, fields, n);
}

static void
fetch_all(struct storm_store *store, enum database database, const char *prefix,
          storm_hash_fn *found, void (*done)(void *context), void *context)
{
    char *name = name_of(database, prefix);
    const size_t length = strlen(name);

    for (const struct stored_hash *hash = memory_store_of(store)->hashes; hash;
         hash = hash->hh.next) {
        if (!strncmp(hash->name, name, length)) {
            found(context, strchr(hash->name, '/') + 1, hash->fields, hash->n);
        }
    }
    free(name);
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
memory_store_init(struct memory_store *memory)
{
    static const struct storm_store_ops ops = {
        .set = set,
        .unset = unset,
        .fetch = fetch,
        .fetch_all = fetch_all,
        .publish = publish,
    };

    *memory = (struct memory_store){{&ops}, NULL};
}

void
memory_store_fini(struct memory_store *memory)
{
    struct stored_hash *hash, *next;

    HASH_ITER(hh, memory->hashes, hash, next)
    {
        free_hash(memory, hash);
    }
}

const struct field *
memory_store_get(const struct memory_store *memory, enum database database,
                 const char *key, size_t *n)
{
    const struct stored_hash *hash = find(memory, database, key);

    *n = hash ? hash->n : 0;
    return hash ? hash->fields : NULL;
}
