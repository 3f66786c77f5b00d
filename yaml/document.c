/* SPDX-License-Identifier: Apache-2.0 */

/* Parses YAML with libfyaml, which keeps the position of every token. */

#include <config.h>

#include "yaml/document.h"

#include <libfyaml.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/digest.h"
#include "base/text.h"

/* One file. */
struct source {
    const char *file; /* For messages; in the arena. */
    struct fy_document *tree;
    char *text; /* The tree points into it; owned. */
    size_t length;
};

struct document {
    struct arena *arena; /* Borrowed; outlives the document. */
    struct source sources[DOCUMENT_FILES_MAX];
    size_t n_sources;
    struct document_cache *cache; /* Borrowed; NULL: none. */
    bool changed;                 /* The trees differ from the texts. */
};

/* Trees that no document uses, the latest last. */
struct document_cache {
    struct source sources[DOCUMENT_CACHE_TREES];
    size_t n;
};

static enum st place_fail(const char *file, unsigned int line,
                          unsigned int column, struct err *err,
                          const char *format, va_list args) ST_PRINTF(5, 0);

/* Fills 'err' with a message in the "file:line:column: text" form of compilers,
 * from which editors can jump to the position. */
static enum st
place_fail(const char *file, unsigned int line, unsigned int column,
           struct err *err, const char *format, va_list args)
{
    char reason[sizeof err->reason];

    text_vformat(reason, sizeof reason, format, args);
    return err_set(err, ST_INVALID, "scenario", "%s:%u:%u: %s", file, line,
                   column, reason);
}

/* Fills 'err' from the first error that libfyaml has collected. */
static enum st
syntax_fail(const char *file, struct fy_diag *diag, struct err *err)
{
    void *iterator = NULL;
    const struct fy_diag_error *error = fy_diag_errors_iterate(diag, &iterator);

    if (!error) {
        return err_set(err, ST_INVALID, "scenario",
                       "%s:1:1: expected exactly one YAML document: the file "
                       "is empty or has several",
                       file);
    }
    return err_set(err, ST_INVALID, "scenario", "%s:%d:%d: %s%s", file,
                   error->line, error->column, error->msg,
                   strstr(error->msg, "cannot start with '>'")
                       ? ": quote it if it is a key, \">\""
                       : "");
}

/* Refuses bytes that libfyaml cannot handle: it ignores everything after a NUL
 * byte, loops forever on some invalid UTF-8, and misparses some tabs. */
static enum st
check_plain(const char *file, const char *text, size_t length, struct err *err)
{
    size_t plain = text_plain_length(text, length);
    unsigned int line, column;
    const char *what = "this byte is not valid UTF-8";

    if (plain == length) {
        return ST_OK;
    }
    if (text[plain] == '\t') {
        what = "this is a tab: use blanks to indent and to separate";
    } else if (text[plain] >= 0 && text[plain] < ' ') {
        what = "this is a control character";
    }
    text_position(text, plain, &line, &column);
    return err_set(err, ST_INVALID, "scenario", "%s:%u:%u: %s", file, line,
                   column, what);
}

/* --- Trees that are used again ------------------------------------------- */

static void
source_fini(struct source *source)
{
    fy_document_destroy(source->tree);
    free(source->text);
}

struct document_cache *
document_cache_create(void)
{
    return check_calloc(1, sizeof(struct document_cache));
}

void
document_cache_destroy(struct document_cache *cache)
{
    for (size_t i = 0; cache && i < cache->n; i++) {
        source_fini(&cache->sources[i]);
    }
    free(cache);
}

/* Removes source 'i'. */
static void
cache_drop(struct document_cache *cache, size_t i)
{
    memmove(&cache->sources[i], &cache->sources[i + 1],
            (--cache->n - i) * sizeof cache->sources[0]);
}

/* Takes the source with 'text' out of 'cache'; returns false if it has none. */
static bool
cache_take(struct document_cache *cache, const char *text, size_t length,
           struct source *source)
{
    for (size_t i = cache->n; i--;) {
        *source = cache->sources[i];
        if (source->length == length && !memcmp(source->text, text, length)) {
            cache_drop(cache, i);
            return true;
        }
    }
    return false;
}

/* Gives 'source' to 'cache'. */
static void
cache_give(struct document_cache *cache, const struct source *source)
{
    if (cache->n == DOCUMENT_CACHE_TREES) {
        source_fini(&cache->sources[0]);
        cache_drop(cache, 0);
    }
    cache->sources[cache->n] = *source;
    cache->sources[cache->n++].file = NULL; /* In the arena of the giver. */
}

void
document_use_cache(struct document *document, struct document_cache *cache)
{
    document->cache = cache;
}

void
document_changes(struct document *document)
{
    document->changed = true;
}

/* --- Documents ----------------------------------------------------------- */

const char *
document_file(const struct document *document, struct fy_node *node)
{
    struct fy_document *tree = node ? fy_node_document(node) : NULL;

    for (size_t i = 0; i < document->n_sources; i++) {
        if (document->sources[i].tree == tree) {
            return document->sources[i].file;
        }
    }
    return document->n_sources ? document->sources[0].file : "";
}

struct document *
document_create(struct arena *arena)
{
    struct document *document = check_calloc(1, sizeof *document);

    document->arena = arena;
    return document;
}

/* Parses 'text' into '*source'. */
static enum st
source_parse(struct source *source, const char *file, const char *text,
             size_t length, struct err *err)
{
    struct fy_diag_cfg diag_cfg;
    struct fy_parse_cfg cfg = {.flags = FYPCF_QUIET | FYPCF_COLLECT_DIAG};
    struct fy_document *tree = NULL, *rest = NULL;
    struct fy_parser *parser;
    struct fy_diag *diag;
    char *copy;
    enum st st = ST_OK;

    fy_diag_cfg_default(&diag_cfg);
    diag = fy_diag_create(&diag_cfg);
    orch_assert(diag);
    fy_diag_set_collect_errors(diag, true);
    cfg.diag = diag;
    parser = fy_parser_create(&cfg);
    orch_assert(parser);
    copy = check_malloc(length + 1);
    memcpy(copy, text, length);
    if (!fy_parser_set_string(parser, copy, length)) {
        tree = fy_parse_load_document(parser);
        rest = tree ? fy_parse_load_document(parser) : NULL;
    }
    if (rest || (tree && fy_parser_get_stream_error(parser))) {
        /* A file is one scenario: a second document is an error, not
         * ignored. */
        fy_document_destroy(rest);
        fy_document_destroy(tree);
        tree = NULL;
    }
    if (tree) {
        *source = (struct source){NULL, tree, copy, length};
    } else {
        st = syntax_fail(file, diag, err);
    }
    fy_parser_destroy(parser);
    fy_diag_destroy(diag);
    if (st) {
        free(copy);
    }
    return st;
}

enum st
document_add(struct document *document, const char *file, const char *text,
             size_t length, struct fy_node **root, struct err *err)
{
    struct source source = {0};
    enum st st = check_plain(file, text, length, err);

    if (!st && document->n_sources == DOCUMENT_FILES_MAX) {
        st = err_set(err, ST_INVALID, "scenario",
                     "%s:1:1: more than %d files in one scenario", file,
                     DOCUMENT_FILES_MAX);
    }
    if (!st && !(document->cache &&
                 cache_take(document->cache, text, length, &source))) {
        st = source_parse(&source, file, text, length, err);
    }
    if (!st) {
        source.file = arena_strdup(document->arena, file);
        document->sources[document->n_sources++] = source;
        *root = fy_document_root(source.tree);
    }
    return st;
}

void
document_destroy(struct document *document)
{
    for (size_t i = 0; document && i < document->n_sources; i++) {
        if (document->cache && !document->changed) {
            cache_give(document->cache, &document->sources[i]);
        } else {
            source_fini(&document->sources[i]);
        }
    }
    free(document);
}

/* Returns the first token of 'node' that has a position; maps begin with their
 * first key. */
static const struct fy_mark *
node_mark(struct fy_node *node)
{
    for (unsigned int depth = 0; node && depth < 16; depth++) {
        struct fy_node_pair *pair;

        if (fy_node_is_scalar(node)) {
            struct fy_token *token = fy_node_get_scalar_token(node);

            return token ? fy_token_start_mark(token) : NULL;
        }
        if (fy_node_is_sequence(node)) {
            node = fy_node_sequence_get_by_index(node, 0);
        } else {
            pair = fy_node_mapping_get_by_index(node, 0);
            node = pair ? fy_node_pair_key(pair) : NULL;
        }
    }
    return NULL;
}

uint64_t
document_digest(const struct document *document, uint64_t digest)
{
    for (size_t i = 0; i < document->n_sources; i++) {
        digest = digest_bytes(digest, document->sources[i].text,
                              document->sources[i].length);
        digest = digest_text(digest, "");
    }
    return digest;
}

void
document_position(const struct document *document, struct fy_node *node,
                  unsigned int *line, unsigned int *column)
{
    const struct fy_mark *mark = NULL;

    (void)document;
    /* An empty value has no token: use the position of its key. */
    while (node && !mark) {
        mark = node_mark(node);
        node = fy_node_get_parent(node);
    }
    *line = mark ? (unsigned int)mark->line + 1 : 1;
    *column = mark ? (unsigned int)mark->column + 1 : 1;
}

enum st
document_fail(const struct document *document, struct fy_node *node,
              struct err *err, const char *format, ...)
{
    unsigned int line, column;
    va_list args;

    document_position(document, node, &line, &column);
    va_start(args, format);
    place_fail(document_file(document, node), line, column, err, format, args);
    va_end(args);
    return ST_INVALID;
}

enum st
document_fail_at(const struct document *document, struct fy_node *node,
                 size_t offset, struct err *err, const char *format, ...)
{
    unsigned int line, column;
    va_list args;

    document_position(document, node, &line, &column);
    va_start(args, format);
    place_fail(document_file(document, node), line,
               column + (unsigned int)offset, err, format, args);
    va_end(args);
    return ST_INVALID;
}

enum st
document_scalar(const struct document *document, struct fy_node *node,
                const char *what, const char **text, struct err *err)
{
    const char *bytes;
    size_t length = 0;

    if (!node || !fy_node_is_scalar(node) || fy_node_is_alias(node)) {
        return document_fail(document, node, err, "expected one value for %s",
                             what);
    }
    bytes = fy_node_get_scalar(node, &length);
    if (!bytes || !length) {
        return document_fail(document, node, err, "expected a value for %s",
                             what);
    }
    *text = arena_strndup(document->arena, bytes, length);
    return ST_OK;
}

bool
document_is_none(struct fy_node *node)
{
    size_t length = 0;
    const char *bytes;

    if (!node || !fy_node_is_scalar(node) || fy_node_is_alias(node) ||
        fy_node_get_style(node) != FYNS_PLAIN) {
        return false;
    }
    bytes = fy_node_get_scalar(node, &length);
    return bytes && ((length == 4 && !memcmp(bytes, "null", 4)) ||
                     (length == 1 && *bytes == '~'));
}

struct fy_node *
document_member(struct fy_node *node, const char *name)
{
    struct fy_node_pair *pair;
    void *iterator = NULL;

    if (!node || !fy_node_is_mapping(node)) {
        return NULL;
    }
    while ((pair = fy_node_mapping_iterate(node, &iterator))) {
        struct fy_node *key = fy_node_pair_key(pair);
        size_t length = 0;
        const char *text = key && fy_node_is_scalar(key)
                               ? fy_node_get_scalar(key, &length)
                               : NULL;

        if (text && length == strlen(name) && !memcmp(text, name, length)) {
            return fy_node_pair_value(pair);
        }
    }
    return NULL;
}
