/* SPDX-License-Identifier: Apache-2.0 */

/* Keys in a hash table, requests and answers in queues. */

#include <config.h>

#include "tests/support/memory_redis.h"

#include <stdlib.h>
#include <string.h>

#include <uthash.h>

#include "base/check.h"
#include "base/text.h"
#include "orchd/db/redis.h"
#include "orchd/intent/field.h"

/* Keys per request of a walk. */
enum { BATCH = 40 };

/* A hash, or a set. */
struct entry {
    char *id; /* The database and the key: "1 LANES". */
    const char *key;
    enum database database;
    struct field *fields; /* Owned, with their texts. */
    size_t n;
    UT_hash_handle hh;
};

/* A walk over the keys that match a pattern. */
struct walk {
    redis_found_fn *found;
    void (*done)(void *context, enum st status);
    char **keys; /* Those that there were when it began. */
    size_t n, next;
};

enum verb {
    VERB_HSET,
    VERB_DEL,
    VERB_SADD,
    VERB_FETCH,
    VERB_MEMBERS,
    VERB_WALK,
};

/* A request, or its answer. */
struct item {
    struct item *next;
    enum verb verb;
    enum database database;
    char *key;
    struct field *fields;
    size_t n;
    bool more; /* The next one belongs to the same transaction. */
    redis_fetch_fn *fetched;
    redis_members_fn *members;
    struct walk *walk;
    void *context;
};

struct queue {
    struct item *first, **last;
};

struct redis {
    struct entry *entries;
    const struct redis_keys *watched;
    struct memory_redis_listener listener;
    bool connected;
    bool in_transaction;
    struct queue requests, answers, notifications;
};

/* --- Fields ------------------------------------------------------------- */

static struct field *
copy_fields(const struct field *fields, size_t n)
{
    struct field *copy = check_calloc(n + 1, sizeof *copy);

    for (size_t i = 0; i < n; i++) {
        copy[i].name = check_strdup(fields[i].name);
        copy[i].value = check_strdup(fields[i].value);
    }
    return copy;
}

static void
free_field(const struct field *field)
{
    free((char *)(uintptr_t)field->name);
    free((char *)(uintptr_t)field->value);
}

static void
free_fields(struct field *fields, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        free_field(&fields[i]);
    }
    free(fields);
}

/* --- Queues ------------------------------------------------------------- */

static struct item *
make_item(enum verb verb, enum database database, const char *key)
{
    struct item *item = check_calloc(1, sizeof *item);

    item->verb = verb;
    item->database = database;
    item->key = check_strdup(key);
    return item;
}

static void
free_walk(struct walk *walk)
{
    for (size_t i = 0; i < walk->n; i++) {
        free(walk->keys[i]);
    }
    free(walk->keys);
    free(walk);
}

static void
free_item(struct item *item)
{
    free_fields(item->fields, item->n);
    free(item->key);
    free(item);
}

static void
push(struct queue *queue, struct item *item)
{
    item->next = NULL;
    *queue->last = item;
    queue->last = &item->next;
}

static struct item *
pop(struct queue *queue)
{
    struct item *item = queue->first;

    if (item) {
        queue->first = item->next;
        if (!queue->first) {
            queue->last = &queue->first;
        }
    }
    return item;
}

/* Ends what is in 'queue' as a lost connection does. */
static void
drop(struct queue *queue)
{
    struct item *item;

    while ((item = pop(queue))) {
        if (item->walk) {
            item->walk->done(item->context, ST_IO);
            free_walk(item->walk);
        }
        free_item(item);
    }
}

/* --- Keys --------------------------------------------------------------- */

static void
make_id(struct text *id, enum database database, const char *key)
{
    text_addf(id, "%d %s", (int)database, key);
}

static struct entry *
find_entry(const struct redis *redis, enum database database, const char *key)
{
    struct text id = {0};
    struct entry *entry;

    make_id(&id, database, key);
    HASH_FIND_STR(redis->entries, text_string(&id), entry);
    text_fini(&id);
    return entry;
}

/* Returns whether 'key' matches 'pattern': a prefix and "*", or a key. */
static bool
matches(const char *pattern, const char *key)
{
    const size_t length = strcspn(pattern, "*");

    return !strncmp(pattern, key, length) && (pattern[length] || !key[length]);
}

static void
notify(struct redis *redis, enum database database, const char *key)
{
    for (const struct redis_keys *p = redis->watched; p->pattern; p++) {
        if (redis->connected && p->database == database &&
            matches(p->pattern, key)) {
            push(&redis->notifications, make_item(VERB_HSET, database, key));
            return;
        }
    }
}

static void
remove_entry(struct redis *redis, struct entry *entry)
{
    HASH_DEL(redis->entries, entry);
    free_fields(entry->fields, entry->n);
    free(entry->id);
    free(entry);
}

/* Sets a field, or adds a member with the value "". */
static void
put(struct redis *redis, enum database database, const char *key,
    const struct field *field)
{
    struct entry *entry = find_entry(redis, database, key);
    struct text id = {0};
    size_t i = 0;

    if (!entry) {
        entry = check_calloc(1, sizeof *entry);
        make_id(&id, database, key);
        entry->id = text_take(&id);
        entry->key = strchr(entry->id, ' ') + 1;
        entry->database = database;
        HASH_ADD_KEYPTR(hh, redis->entries, entry->id, strlen(entry->id),
                        entry);
    }
    while (i < entry->n && strcmp(entry->fields[i].name, field->name) != 0) {
        i++;
    }
    if (i < entry->n) {
        free_field(&entry->fields[i]);
    } else {
        entry->fields = check_realloc(entry->fields,
                                      (entry->n + 1) * sizeof *entry->fields);
        entry->n++;
    }
    entry->fields[i] =
        (struct field){check_strdup(field->name), check_strdup(field->value)};
}

void
memory_redis_put(struct redis *redis, enum database database, const char *key,
                 const char *field, const char *value)
{
    put(redis, database, key, &(struct field){field, value});
    notify(redis, database, key);
}

void
memory_redis_unset(struct redis *redis, enum database database, const char *key,
                   const char *field)
{
    struct entry *entry = find_entry(redis, database, key);

    for (size_t i = 0; entry && i < entry->n; i++) {
        if (!strcmp(entry->fields[i].name, field)) {
            free_field(&entry->fields[i]);
            entry->fields[i] = entry->fields[--entry->n];
            notify(redis, database, key);
            break;
        }
    }
    if (entry && entry->n == 0) {
        remove_entry(redis, entry);
    }
}

void
memory_redis_remove(struct redis *redis, enum database database,
                    const char *key)
{
    struct entry *entry = find_entry(redis, database, key);

    if (entry) {
        notify(redis, database, key);
        remove_entry(redis, entry);
    }
}

void
memory_redis_flush(struct redis *redis, enum database database)
{
    struct entry *entry, *next;

    HASH_ITER(hh, redis->entries, entry, next)
    {
        if (entry->database == database) {
            remove_entry(redis, entry);
        }
    }
    if (redis->connected) {
        push(&redis->notifications, make_item(VERB_DEL, database, ""));
    }
}

const struct field *
memory_redis_fields(const struct redis *redis, enum database database,
                    const char *key, size_t *n)
{
    const struct entry *entry = find_entry(redis, database, key);

    *n = entry ? entry->n : 0;
    return entry ? entry->fields : NULL;
}

const char *
memory_redis_get(const struct redis *redis, enum database database,
                 const char *key, const char *field)
{
    size_t n;
    const struct field *fields = memory_redis_fields(redis, database, key, &n);

    for (size_t i = 0; i < n; i++) {
        if (!strcmp(fields[i].name, field)) {
            return fields[i].value;
        }
    }
    return NULL;
}

void
memory_redis_each(const struct redis *redis, enum database database,
                  const char *prefix,
                  void (*visit)(void *context, const char *key), void *context)
{
    struct entry *entry, *next;

    HASH_ITER(hh, redis->entries, entry, next)
    {
        if (entry->database == database &&
            !strncmp(entry->key, prefix, strlen(prefix))) {
            visit(context, entry->key);
        }
    }
}

/* --- The connection ----------------------------------------------------- */

struct redis *
memory_redis_create(const struct redis_keys *watched,
                    const struct memory_redis_listener *listener)
{
    struct redis *redis = check_calloc(1, sizeof *redis);

    redis->watched = watched;
    redis->listener = *listener;
    redis->requests.last = &redis->requests.first;
    redis->answers.last = &redis->answers.first;
    redis->notifications.last = &redis->notifications.first;
    return redis;
}

void
memory_redis_destroy(struct redis *redis)
{
    struct entry *entry, *next;

    memory_redis_break(redis);
    HASH_ITER(hh, redis->entries, entry, next)
    {
        remove_entry(redis, entry);
    }
    free(redis);
}

void
memory_redis_connect(struct redis *redis)
{
    redis->connected = true;
    redis->listener.resync(redis->listener.context);
}

void
memory_redis_break(struct redis *redis)
{
    redis->connected = false;
    drop(&redis->notifications);
    drop(&redis->answers);
    drop(&redis->requests);
}

bool
memory_redis_is_connected(const struct redis *redis)
{
    return redis->connected;
}

/* Fills the answer to a read of a key. */
static void
read_entry(const struct redis *redis, struct item *item)
{
    const struct entry *entry = find_entry(redis, item->database, item->key);

    if (entry) {
        item->fields = copy_fields(entry->fields, entry->n);
        item->n = entry->n;
    }
}

/* Notes the keys of a walk that begins. */
static void
begin_walk(const struct redis *redis, const struct item *item)
{
    struct walk *walk = item->walk;
    struct entry *entry, *next;

    if (walk->keys) {
        return;
    }
    walk->keys =
        check_calloc(HASH_COUNT(redis->entries) + 1, sizeof *walk->keys);
    HASH_ITER(hh, redis->entries, entry, next)
    {
        if (entry->database == item->database &&
            matches(item->key, entry->key)) {
            walk->keys[walk->n++] = check_strdup(entry->key);
        }
    }
}

bool
memory_redis_execute(struct redis *redis)
{
    bool more = true;
    struct item *item;

    if (!redis->requests.first) {
        return false;
    }
    while (more && (item = pop(&redis->requests))) {
        more = item->more;
        switch (item->verb) {
        case VERB_HSET:
        case VERB_SADD:
            for (size_t i = 0; i < item->n; i++) {
                put(redis, item->database, item->key, &item->fields[i]);
            }
            notify(redis, item->database, item->key);
            free_item(item);
            break;
        case VERB_DEL:
            memory_redis_remove(redis, item->database, item->key);
            free_item(item);
            break;
        case VERB_WALK:
            begin_walk(redis, item);
            push(&redis->answers, item);
            break;
        case VERB_FETCH:
        case VERB_MEMBERS:
            read_entry(redis, item);
            push(&redis->answers, item);
            break;
        }
    }
    return true;
}

/* Passes on some keys of a walk; asks for the next ones. */
static void
answer_walk(struct redis *redis, struct item *item)
{
    struct walk *walk = item->walk;

    for (int i = 0; i < BATCH && walk->next < walk->n; i++) {
        walk->found(item->context, walk->keys[walk->next++]);
    }
    if (walk->next < walk->n) {
        push(&redis->requests, item);
        return;
    }
    walk->done(item->context, ST_OK);
    free_walk(walk);
    free_item(item);
}

static void
answer_members(const struct item *item)
{
    const char **names = check_calloc(item->n + 1, sizeof *names);

    for (size_t i = 0; i < item->n; i++) {
        names[i] = item->fields[i].name;
    }
    item->members(item->context, item->key, names, item->n);
    free(names);
}

bool
memory_redis_answer(struct redis *redis)
{
    struct item *item = pop(&redis->answers);

    if (!item) {
        return false;
    }
    if (item->verb == VERB_WALK) {
        answer_walk(redis, item);
        return true;
    }
    if (item->verb == VERB_MEMBERS) {
        answer_members(item);
    } else {
        item->fetched(item->context, item->key, item->fields, item->n);
    }
    free_item(item);
    return true;
}

bool
memory_redis_notify(struct redis *redis)
{
    struct item *item = pop(&redis->notifications);

    if (!item) {
        return false;
    }
    if (item->verb == VERB_DEL) {
        redis->listener.resync(redis->listener.context);
    } else {
        redis->listener.key(redis->listener.context, item->database, item->key);
    }
    free_item(item);
    return true;
}

/* --- redis.h ------------------------------------------------------------ */

static struct item *
request(struct redis *redis, enum verb verb, enum database database,
        const char *key)
{
    struct item *item;

    if (!redis->connected) {
        return NULL;
    }
    item = make_item(verb, database, key);
    item->more = redis->in_transaction;
    push(&redis->requests, item);
    return item;
}

void
redis_begin(struct redis *redis, enum database database)
{
    (void)database;
    redis->in_transaction = true;
}

void
redis_commit(struct redis *redis)
{
    struct item *item = redis->requests.first;

    redis->in_transaction = false;
    while (item && item->next) {
        item = item->next;
    }
    if (item) {
        item->more = false;
    }
}

void
redis_hset(struct redis *redis, enum database database, const char *key,
           const struct field *fields, size_t n)
{
    struct item *item = request(redis, VERB_HSET, database, key);

    if (item) {
        item->fields = copy_fields(fields, n);
        item->n = n;
    }
}

void
redis_del(struct redis *redis, enum database database, const char *key)
{
    (void)request(redis, VERB_DEL, database, key);
}

void
redis_sadd(struct redis *redis, enum database database, const char *key,
           const char *member)
{
    struct item *item = request(redis, VERB_SADD, database, key);

    if (item) {
        item->fields = copy_fields(&(struct field){member, ""}, 1);
        item->n = 1;
    }
}

/* A consumer of the tests looks whenever it runs. */
void
redis_wake(struct redis *redis, enum database database, const char *name)
{
    (void)redis;
    (void)database;
    (void)name;
}

/* Requests wait for memory_redis_execute(). */
void
redis_send(struct redis *redis)
{
    (void)redis;
}

void
redis_fetch(struct redis *redis, enum database database, const char *key,
            redis_fetch_fn *fetched, void *context)
{
    struct item *item = request(redis, VERB_FETCH, database, key);

    if (item) {
        item->fetched = fetched;
        item->context = context;
    }
}

void
redis_members(struct redis *redis, enum database database, const char *key,
              redis_members_fn *members, void *context)
{
    struct item *item = request(redis, VERB_MEMBERS, database, key);

    if (item) {
        item->members = members;
        item->context = context;
    }
}

void
redis_list(struct redis *redis, enum database database, const char *pattern,
           redis_found_fn *found, void (*done)(void *context, enum st status),
           void *context)
{
    struct item *item = request(redis, VERB_WALK, database, pattern);

    if (!item) {
        done(context, ST_IO);
        return;
    }
    item->walk = check_calloc(1, sizeof *item->walk);
    item->walk->found = found;
    item->walk->done = done;
    item->context = context;
}
