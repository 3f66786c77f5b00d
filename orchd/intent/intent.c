/* SPDX-License-Identifier: Apache-2.0 */

/* Rows with verdicts, and the settle timers of the verdicts that wait.
 *
 * Each entry has the newest content as the database has it, the effective
 * content, and at most one pending change: the removal of the row, content that
 * lacks a field in force, or a bad verdict.  The next write to the row replaces
 * the pending change, but not the time since which one is pending.  Cost: a put
 * is a hash lookup and a comparison with the newest content, and validation if
 * they differ; each pending entry has a timer. */

#include <config.h>

#include "orchd/intent/intent.h"

#include <stdlib.h>
#include <string.h>

#include <utlist.h>

#include "base/check.h"
#include "base/hash_index.h"
#include "base/text.h"
#include "base/timeline.h"
#include "orchd/intent/content.h"
#include "orchd/intent/key.h"
#include "orchd/intent/normalize.h"
#include "orchd/intent/partial.h"
#include "orchd/intent/schema.h"

enum pending {
    PENDING_REMOVAL, /* Of the row. */
    PENDING_SHRINK,  /* 'content' lacks a field in force. */
    PENDING_VERDICT, /* 'err' on the newest content. */
};

/* A change that does not take effect yet.  Few rows have one at a time. */
struct pending_change {
    enum pending pending;
    struct content *content; /* Owned, like the others; or NULL. */
    struct err *err;
    char *warnings;
    bool partial;  /* Like row.partial. */
    int64_t since; /* When the first change became pending. */
    struct timer timer;
    bool held; /* It is due, but intent is held. */
};

/* What is wrong with a row.  All owned; NULL: nothing. */
struct entry_trouble {
    struct err *key;     /* With its key. */
    struct err *bad;     /* Why there is no content to validate; the newest
                          * content is then empty. */
    struct err *verdict; /* On the newest content. */
    char *warnings;
};

struct entry {
    struct row row; /* What callers see; points to what is owned below. */
    struct intent *intent;

    struct entry_trouble *trouble; /* Owned; NULL for most rows. */

    /* NULL: CONFIG_DB has no such row. */
    struct content *newest;

    struct content *effective;     /* In force. */
    struct pending_change *change; /* NULL: nothing is pending. */

    uint64_t resync; /* The resync that last saw the row. */
    bool queued;     /* For intent_take(). */
    bool taken;      /* Its removal has to be reported. */
    struct entry *prev, *next;
    char key_text[]; /* Of 'row'. */
};

struct intent {
    struct schema *schema;
    struct timeline *timeline;
    bool strict;
    bool held;
    intent_base_fn *base; /* NULL: none. */
    void *base_context;
    struct hash_index tables[N_TABLES]; /* Entries by key. */
    struct entry *queue;                /* Changed rows, oldest change first. */
    struct entry *departed; /* Taken as not present; the next call frees it. */
    size_t n_pending;
    size_t n_withheld; /* Of these, those that only the hold keeps back. */
    uint64_t resync;
    bool resync_open;
    char *buffer_model; /* In force, or NULL. */
    char *own_ports;    /* What the names of the system ports of this ASIC begin
                         * with, "lc1|asic0|"; NULL: unknown. */
};

static void intent_mature(struct timer *timer, int64_t when);
static void intent_metadata_changed(struct intent *intent, int64_t now);

/* -- Entries ------------------------------------------------------------- */

static struct err *
intent_copy_err(const struct err *err)
{
    struct err *copy = check_malloc(sizeof *copy);

    *copy = *err;
    return copy;
}

/* Updates what callers see from the state of the entry. */
static void
entry_show(struct entry *entry)
{
    struct row *row = &entry->row;

    row->effective = entry->effective != NULL;
    row->fields = entry->effective ? entry->effective->fields : NULL;
    row->n_fields = entry->effective ? entry->effective->n : 0;
    row->content = entry->effective;
    row->warnings = entry->trouble && entry->trouble->warnings
                        ? entry->trouble->warnings
                        : "";
}

/* Returns where what is wrong with the row is kept. */
static struct entry_trouble *
entry_trouble(struct entry *entry)
{
    if (!entry->trouble) {
        entry->trouble = check_calloc(1, sizeof *entry->trouble);
    }
    return entry->trouble;
}

/* Sets why there is no content to validate; takes ownership of 'err', NULL if
 * there is one. */
static void
entry_set_bad(struct entry *entry, struct err *err)
{
    if (err || entry->trouble) {
        free(entry_trouble(entry)->bad);
        entry->trouble->bad = err;
    }
}

static bool
entry_is_bad(const struct entry *entry)
{
    return entry->trouble && entry->trouble->bad;
}

/* Returns whether the row is about system ports of this ASIC: those of a key
 * are all of one ASIC. */
static bool
entry_is_own(const struct entry *entry)
{
    const char *own = entry->intent->own_ports;

    return own && entry->row.n_ports &&
           !strncmp(entry->row.ports[0], own, strlen(own));
}

/* Adds an entry without content.  The key is parsed once; a bad key is reported
 * like any other bad verdict as soon as the row has content. */
static struct entry *
entry_create(struct intent *intent, enum table table, const char *key)
{
    const size_t length = strlen(key);
    struct entry *entry = check_calloc(1, sizeof *entry + length + 1);
    struct key parsed = {0};
    struct err err;

    entry->intent = intent;
    memcpy(entry->key_text, key, length);
    if (key_parse(table, key, &parsed, &err)) {
        entry_trouble(entry)->key = intent_copy_err(&err);
    }
    entry->row.table = table;
    entry->row.key = entry->key_text;
    entry->row.ports = parsed.ports; /* Owned by the row from here on. */
    entry->row.n_ports = parsed.n_ports;
    entry->row.first = parsed.first;
    entry->row.last = parsed.last;
    entry->row.is_own = entry_is_own(entry);
    entry->row.verdict = ROW_UNDECIDED;
    entry_show(entry);
    hash_index_add(&intent->tables[table], hash_index_bytes(key, length),
                   entry);
    return entry;
}

/* A hash_index_equal_fn. */
static bool
entry_has_key(const void *entry_, const void *key)
{
    const struct entry *entry = entry_;

    return !strcmp(entry->key_text, key);
}

/* Returns the entry, NULL if there is none. */
static struct entry *
entry_find(const struct intent *intent, enum table table, const char *key)
{
    return hash_index_find(&intent->tables[table], hash_index_text(key),
                           entry_has_key, key);
}

/* Returns the key as entry_create() parsed it. */
static struct key
entry_key(const struct entry *entry)
{
    const struct row *row = &entry->row;

    return (struct key){row->ports ? NULL : row->key, row->ports, row->n_ports,
                        row->first, row->last};
}

/* Drops the pending change. */
static void
entry_settle(struct entry *entry)
{
    struct pending_change *change = entry->change;

    if (change) {
        entry->change = NULL;
        entry->intent->n_pending--;
        entry->intent->n_withheld -= change->held;
        timeline_cancel(entry->intent->timeline, &change->timer);
        content_unref(change->content);
        free(change->err);
        free(change->warnings);
        free(change);
    }
}

/* Frees an entry that is no longer in the hash. */
static void
entry_free(struct entry *entry)
{
    struct key key = entry_key(entry);

    entry_settle(entry);
    key_fini(&key);
    content_unref(entry->newest);
    content_unref(entry->effective);
    if (entry->trouble) {
        free(entry->trouble->key);
        free(entry->trouble->bad);
        free(entry->trouble->verdict);
        free(entry->trouble->warnings);
        free(entry->trouble);
    }
    free(entry);
}

/* Puts the entry at the end of the queue, unless it is in it. */
static void
entry_enqueue(struct entry *entry)
{
    if (!entry->queued) {
        entry->queued = true;
        DL_APPEND(entry->intent->queue, entry);
    }
}

static void
entry_dequeue(struct entry *entry)
{
    if (entry->queued) {
        entry->queued = false;
        DL_DELETE(entry->intent->queue, entry);
    }
}

/* Takes the entry out of the hash and the queue. */
static void
entry_unlink(struct entry *entry)
{
    struct intent *intent = entry->intent;

    entry_dequeue(entry);
    hash_index_remove(&intent->tables[entry->row.table],
                      hash_index_text(entry->key_text), entry);
}

/* -- What takes effect -------------------------------------------------- */

/* Returns whether the row is the one with the buffer model. */
static bool
entry_is_metadata(const struct entry *entry)
{
    return entry->row.table == TABLE_DEVICE_METADATA &&
           !strcmp(entry->row.key, "localhost");
}

/* Sets the verdict of the row; takes ownership of 'err' (or NULL) and
 * 'warnings'. */
static void
entry_set_verdict(struct entry *entry, enum row_verdict verdict,
                  struct err *err, char *warnings)
{
    if (err || warnings || entry->trouble) {
        struct entry_trouble *trouble = entry_trouble(entry);

        free(trouble->verdict);
        free(trouble->warnings);
        trouble->verdict = err;
        trouble->warnings = warnings;
    }
    entry->row.verdict = verdict;
    entry->row.err = err;
    entry->row.present = true;
}

/* Makes 'content' effective, which is completed from a derived row if
 * 'partial'; takes ownership of both pointers. */
static void
entry_accept(struct entry *entry, struct content *content, char *warnings,
             bool partial, int64_t now)
{
    bool same = entry->effective && content_equal(entry->effective, content);
    bool quiet = same && entry->row.partial == partial && entry->row.present &&
                 entry->row.verdict == ROW_ACCEPTED &&
                 !strcmp(entry->row.warnings, warnings ? warnings : "");

    entry_settle(entry);
    entry_set_verdict(entry, ROW_ACCEPTED, NULL, warnings);
    content_unref(entry->effective);
    entry->effective = content;
    entry->row.partial = partial;
    entry_show(entry);
    if (!quiet) {
        entry_enqueue(entry);
    }
    if (!same && entry_is_metadata(entry)) {
        intent_metadata_changed(entry->intent, now);
    }
}

/* Publishes a bad verdict; takes ownership of both. */
static void
entry_reject(struct entry *entry, struct err *err, char *warnings)
{
    entry_settle(entry);
    entry_set_verdict(entry, ROW_REJECTED, err, warnings);
    entry_show(entry);
    entry_enqueue(entry);
}

/* Reports that the row is unsupported.  This does not wait for the row to
 * settle, because no content could change it. */
static void
entry_refuse(struct entry *entry, const struct err *err)
{
    bool known = entry->row.present && entry->row.verdict == ROW_UNSUPPORTED;

    entry_settle(entry);
    entry_set_verdict(entry, ROW_UNSUPPORTED, NULL, NULL);
    entry->row.err = err;
    entry_show(entry);
    if (!known) {
        entry_enqueue(entry);
    }
}

/* The row was removed.  A row that was never reported is freed at once. */
static void
entry_depart(struct entry *entry, int64_t now)
{
    struct intent *intent = entry->intent;
    bool metadata = entry_is_metadata(entry) && entry->effective;

    entry_settle(entry);
    if (entry->taken) {
        entry_set_verdict(entry, ROW_ACCEPTED, NULL, NULL);
        entry->row.present = false;
        content_unref(entry->effective);
        entry->effective = NULL;
        entry_show(entry);
        entry_enqueue(entry);
    } else {
        entry_unlink(entry);
        entry_free(entry);
    }
    if (metadata) {
        intent_metadata_changed(intent, now);
    }
}

/* -- Pending changes ---------------------------------------------------- */

/* Replaces the pending change and restarts the settle timer.  The caller fills
 * in the rest of the result. */
static struct pending_change *
entry_pend(struct entry *entry, enum pending pending, int64_t now)
{
    struct intent *intent = entry->intent;
    struct pending_change *change = check_calloc(1, sizeof *change);
    int64_t since = entry->change ? entry->change->since : now;
    int64_t quiet = now + INTENT_QUIET_NS;
    int64_t patience = since + INTENT_PATIENCE_NS;

    entry_settle(entry);
    entry->change = change;
    change->pending = pending;
    change->since = since;
    change->timer.fire = intent_mature;
    change->timer.owner = entry;
    intent->n_pending++;
    timeline_set(intent->timeline, &change->timer,
                 quiet < patience ? quiet : patience);
    return change;
}

/* Applies the pending change now. */
static void
entry_mature(struct entry *entry, int64_t now)
{
    struct pending_change *change = entry->change;
    struct content *content = change->content;
    struct err *err = change->err;
    char *warnings = change->warnings;

    /* Moved: what follows frees the pending change. */
    change->content = NULL;
    change->err = NULL;
    change->warnings = NULL;
    switch (change->pending) {
    case PENDING_REMOVAL:
        entry_depart(entry, now);
        break;
    case PENDING_SHRINK:
        entry_accept(entry, content, warnings, change->partial, now);
        break;
    case PENDING_VERDICT:
        entry_reject(entry, err, warnings);
        break;
    }
}

/* The row has settled, or has been pending for INTENT_PATIENCE_NS. */
static void
intent_mature(struct timer *timer, int64_t when)
{
    struct entry *entry = timer->owner;

    if (entry->intent->held && entry->change->pending != PENDING_VERDICT) {
        entry->change->held = true;
        entry->intent->n_withheld++;
    } else {
        entry_mature(entry, when);
    }
}

/* -- Validation --------------------------------------------------------- */

/* Returns 'content', or the newest content if both are equal, which is the
 * common case. */
static struct content *
entry_share(const struct entry *entry, struct content *content)
{
    if (content_equal(content, entry->newest)) {
        content_unref(content);
        content = content_ref(entry->newest);
    }
    return content;
}

/* Validates 'input', which lacks a mandatory field, completed from the derived
 * row of the same key.  Without one fills 'err', and returns ST_NOT_FOUND. */
static enum st
entry_complete(const struct entry *entry, struct normalize_input *input,
               struct content **content, struct text *text, struct err *err)
{
    const struct intent *intent = entry->intent;
    const struct row *base =
        intent->base(intent->base_context, entry->row.table, entry->row.key);
    struct content *completed;
    enum st status;

    if (!base) {
        char remedy[sizeof err->remedy];

        (void)text_copy(remedy, sizeof remedy, err->remedy);
        err_set_remedy(err,
                       "%s; only a row over a derived profile may lack fields, "
                       "and orchd derives no profile of this name now",
                       remedy);
        return ST_NOT_FOUND;
    }
    completed = partial_complete(input->raw, base->fields, base->n_fields);
    input->raw = completed;
    text_clear(text);
    status = normalize_row(intent->schema, input, content, text, err);
    content_unref(completed);
    return status;
}

/* Validates the newest content against the schema. */
static void
entry_validate_content(struct entry *entry, int64_t now)
{
    struct intent *intent = entry->intent;
    const struct key key = entry_key(entry);
    struct normalize_input input = {entry->row.table,     &key,
                                    entry->newest,        entry->effective,
                                    intent->buffer_model, intent->strict};
    struct content *content = NULL;
    struct text text = {0};
    struct pending_change *change;
    struct err err;
    enum st status =
        normalize_row(intent->schema, &input, &content, &text, &err);
    bool partial = status && intent->base &&
                   entry->row.table == TABLE_BUFFER_PROFILE &&
                   !strcmp(err.code, "mandatory");
    char *warnings;

    if (partial) {
        status = entry_complete(entry, &input, &content, &text, &err);
    }
    warnings = text.length ? text_take(&text) : NULL;
    text_fini(&text);
    if (status) {
        change = entry_pend(entry, PENDING_VERDICT, now);
        change->err = intent_copy_err(&err);
        change->warnings = warnings;
        return;
    }
    content = entry_share(entry, content);
    if (entry->effective && !content_covers(content, entry->effective)) {
        change = entry_pend(entry, PENDING_SHRINK, now);
        change->content = content;
        change->warnings = warnings;
        change->partial = partial;
    } else {
        entry_accept(entry, content, warnings, partial, now);
    }
}

/* Validates the newest content.  An unsupported key decides without it. */
static void
entry_validate(struct entry *entry, int64_t now)
{
    const struct err *key_err = entry->trouble ? entry->trouble->key : NULL;

    if (entry_is_bad(entry)) {
        entry_pend(entry, PENDING_VERDICT, now)->err =
            intent_copy_err(entry->trouble->bad);
    } else if (!key_err) {
        entry_validate_content(entry, now);
    } else if (key_err->status == ST_UNSUPPORTED) {
        entry_refuse(entry, key_err);
    } else {
        entry_pend(entry, PENDING_VERDICT, now)->err = intent_copy_err(key_err);
    }
}

/* Notes which system ports are those of this ASIC, and reports the rows about
 * these again. */
static void
intent_find_own(struct intent *intent, const struct row *metadata)
{
    const char *host = metadata ? row_field(metadata, "hostname") : NULL;
    const char *asic = metadata ? row_field(metadata, "asic_name") : NULL;
    struct text own = {0};

    free(intent->own_ports);
    intent->own_ports = NULL;
    if (host && asic) {
        text_addf(&own, "%s|%s|", host, asic);
        intent->own_ports = text_take(&own);
    }
    for (int table = 0; table < N_TABLES; table++) {
        struct entry *entry;
        size_t place = 0;

        while ((entry = hash_index_next(&intent->tables[table], &place))) {
            const bool is_own = entry_is_own(entry);

            if (is_own != entry->row.is_own) {
                entry->row.is_own = is_own;
                if (entry->taken) {
                    entry_enqueue(entry);
                }
            }
        }
    }
}

/* Validates all rows whose verdict depends on the buffer model, if 'metadata'
 * has another one. */
static void
intent_follow_model(struct intent *intent, const struct row *metadata,
                    int64_t now)
{
    const char *model = metadata ? row_field(metadata, "buffer_model") : NULL;

    if (!model == !intent->buffer_model &&
        (!model || !strcmp(model, intent->buffer_model))) {
        return;
    }
    free(intent->buffer_model);
    intent->buffer_model = check_strdup(model);
    for (int table = 0; table < N_TABLES; table++) {
        struct entry *entry;
        size_t place = 0;

        if (!schema_needs_model(intent->schema, (enum table)table)) {
            continue;
        }
        while ((entry = hash_index_next(&intent->tables[table], &place))) {
            if (entry->newest) {
                entry_validate(entry, now);
            }
        }
    }
}

/* DEVICE_METADATA|localhost has changed. */
static void
intent_metadata_changed(struct intent *intent, int64_t now)
{
    const struct entry *entry =
        entry_find(intent, TABLE_DEVICE_METADATA, "localhost");
    const struct row *metadata = entry ? &entry->row : NULL;

    intent_find_own(intent, metadata);
    intent_follow_model(intent, metadata, now);
}

/* -- Interface ----------------------------------------------------------- */

struct intent *
intent_create(struct schema *schema, struct timeline *timeline, bool strict)
{
    struct intent *intent = check_calloc(1, sizeof *intent);

    intent->schema = schema;
    intent->timeline = timeline;
    intent->strict = strict;
    return intent;
}

enum st
intent_check_field(const struct intent *intent, enum table table,
                   const char *field, struct err *err)
{
    return schema_check_name(intent->schema, table, field, err);
}

void
intent_set_base(struct intent *intent, intent_base_fn *base, void *context)
{
    intent->base = base;
    intent->base_context = context;
}

/* Returns whether the pending change would only repeat the verdict. */
static bool
entry_repeats_verdict(const struct entry *entry)
{
    const struct pending_change *change = entry->change;
    const struct err *err = entry->trouble ? entry->trouble->verdict : NULL;

    return change && change->pending == PENDING_VERDICT && err &&
           entry->row.verdict == ROW_REJECTED &&
           !strcmp(change->err->code, err->code) &&
           !strcmp(change->err->field, err->field) &&
           !strcmp(change->err->value, err->value) &&
           !strcmp(change->err->reason, err->reason);
}

bool
intent_base_changed(struct intent *intent, enum table table, const char *key,
                    int64_t now)
{
    struct entry *entry = entry_find(intent, table, key);

    if (!entry || !entry->newest) {
        return false;
    }
    entry_validate(entry, now);
    if (entry_repeats_verdict(entry)) {
        entry_settle(entry);
    }
    return entry->queued;
}

/* Frees the row that was returned as not present. */
static void
intent_free_departed(struct intent *intent)
{
    if (intent->departed) {
        entry_free(intent->departed);
        intent->departed = NULL;
    }
}

void
intent_destroy(struct intent *intent)
{
    if (!intent) {
        return;
    }
    intent_free_departed(intent);
    for (size_t table = 0; table < N_TABLES; table++) {
        struct entry *entry;
        size_t place = 0;

        while ((entry = hash_index_next(&intent->tables[table], &place))) {
            entry_free(entry);
        }
        hash_index_fini(&intent->tables[table]);
    }
    free(intent->buffer_model);
    free(intent->own_ports);
    free(intent);
}

void
intent_put(struct intent *intent, enum table table, const char *key,
           const struct field *fields, size_t n, int64_t now)
{
    struct entry *entry;
    struct content *raw;

    if (!n) {
        intent_remove(intent, table, key, now);
        return;
    }
    intent_free_departed(intent);
    entry = entry_find(intent, table, key);
    if (!entry) {
        entry = entry_create(intent, table, key);
    }
    entry->resync = intent->resync;
    raw = content_create(fields, n);
    if (entry->newest && content_equal(entry->newest, raw)) {
        content_unref(raw);
        return;
    }
    entry_set_bad(entry, NULL);
    content_unref(entry->newest);
    entry->newest = raw;
    entry_validate(entry, now);
}

void
intent_put_bad(struct intent *intent, enum table table, const char *key,
               const struct err *err, int64_t now)
{
    struct entry *entry;

    intent_free_departed(intent);
    entry = entry_find(intent, table, key);
    if (!entry) {
        entry = entry_create(intent, table, key);
    }
    entry->resync = intent->resync;
    if (entry->newest && entry_is_bad(entry)) {
        return;
    }
    entry_set_bad(entry, intent_copy_err(err));
    content_unref(entry->newest);
    entry->newest = content_create(NULL, 0);
    entry_validate(entry, now);
}

/* CONFIG_DB no longer has the row. */
static void
entry_remove(struct entry *entry, int64_t now)
{
    if (entry->newest) {
        content_unref(entry->newest);
        entry->newest = NULL;
        (void)entry_pend(entry, PENDING_REMOVAL, now);
    }
}

void
intent_remove(struct intent *intent, enum table table, const char *key,
              int64_t now)
{
    struct entry *entry;

    intent_free_departed(intent);
    entry = entry_find(intent, table, key);
    if (entry) {
        entry_remove(entry, now);
    }
}

void
intent_resync_begin(struct intent *intent)
{
    intent_free_departed(intent);
    intent->resync++;
    intent->resync_open = true;
}

void
intent_resync_end(struct intent *intent, int64_t now)
{
    intent_free_departed(intent);
    if (!intent->resync_open) {
        return;
    }
    intent->resync_open = false;
    for (size_t table = 0; table < N_TABLES; table++) {
        struct entry *entry;
        size_t place = 0;

        while ((entry = hash_index_next(&intent->tables[table], &place))) {
            if (entry->resync != intent->resync) {
                entry_remove(entry, now);
            }
        }
    }
}

bool
intent_is_resyncing(const struct intent *intent)
{
    return intent->resync_open;
}

/* Applies the changes of a table that only the hold has kept back.  They may
 * remove entries from it, so it is not walked meanwhile. */
static void
intent_mature_held(const struct hash_index *table, int64_t now)
{
    struct entry **held = check_calloc(table->n + 1, sizeof *held);
    struct entry *entry;
    size_t n = 0, place = 0;

    while ((entry = hash_index_next(table, &place))) {
        if (entry->change && entry->change->held) {
            held[n++] = entry;
        }
    }
    for (size_t i = 0; i < n; i++) {
        /* The row that selects the buffer model settles others. */
        if (held[i]->change && held[i]->change->held) {
            entry_mature(held[i], now);
        }
    }
    free(held);
}

void
intent_hold(struct intent *intent, bool held, int64_t now)
{
    intent_free_departed(intent);
    intent->held = held;
    for (size_t table = 0; table < N_TABLES && !held; table++) {
        intent_mature_held(&intent->tables[table], now);
    }
}

const struct row *
intent_take(struct intent *intent)
{
    struct entry *entry = intent->queue;

    intent_free_departed(intent);
    if (!entry) {
        return NULL;
    }
    entry_dequeue(entry);
    entry->taken = entry->row.present;
    /* With new content, the row is back already and awaits its verdict. */
    if (!entry->row.present && !entry->newest) {
        entry_unlink(entry);
        intent->departed = entry;
    }
    return &entry->row;
}

bool
intent_unsettled(const struct intent *intent)
{
    return intent->n_pending > intent->n_withheld;
}

size_t
intent_withheld(const struct intent *intent)
{
    return intent->n_withheld;
}

const struct row *
intent_get(const struct intent *intent, enum table table, const char *key)
{
    const struct entry *entry = entry_find(intent, table, key);

    return entry ? &entry->row : NULL;
}

static int
intent_compare_keys(const void *a, const void *b)
{
    return strcmp((*(const struct entry *const *)a)->row.key,
                  (*(const struct entry *const *)b)->row.key);
}

/* Visits the rows of one table in order. */
static void
intent_each_of(const struct hash_index *table,
               void (*visit)(const struct row *row, void *context),
               void *context)
{
    const size_t n = table->n;
    const struct entry **sorted, *entry;
    size_t i = 0, place = 0;

    if (!n) {
        return;
    }
    sorted = check_calloc(n, sizeof *sorted);
    while ((entry = hash_index_next(table, &place))) {
        sorted[i++] = entry;
    }
    qsort(sorted, n, sizeof *sorted, intent_compare_keys);
    for (i = 0; i < n; i++) {
        visit(&sorted[i]->row, context);
    }
    free(sorted);
}

void
intent_each(const struct intent *intent,
            void (*visit)(const struct row *row, void *context), void *context)
{
    for (size_t table = 0; table < N_TABLES; table++) {
        intent_each_of(&intent->tables[table], visit, context);
    }
}

const char *
row_field(const struct row *row, const char *name)
{
    return content_find(row->fields, row->n_fields, name);
}
