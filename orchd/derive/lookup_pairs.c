/* SPDX-License-Identifier: Apache-2.0 */

/* A sorted array; a table has a few dozen entries. */

#include <config.h>

#include "orchd/derive/lookup_pairs.h"

#include <string.h>

#include "base/check.h"
#include "base/text.h"

static const struct lookup_pair *
pair_at(const struct lookup_pairs *pairs, size_t i)
{
    const void *entry = (const char *)pairs->entries + i * pairs->size;

    return entry;
}

/* Returns the position of the entry of 'pair', or where to insert it. */
static size_t
find_slot(const struct lookup_pairs *pairs, struct lookup_pair pair)
{
    size_t i = 0;

    while (i < pairs->n && (pair_at(pairs, i)->speed_mbps < pair.speed_mbps ||
                            (pair_at(pairs, i)->speed_mbps == pair.speed_mbps &&
                             pair_at(pairs, i)->cable_m < pair.cable_m))) {
        i++;
    }
    return i;
}

const void *
lookup_pairs_find(const struct lookup_pairs *pairs, struct lookup_pair pair)
{
    size_t i = find_slot(pairs, pair);
    const struct lookup_pair *found = i < pairs->n ? pair_at(pairs, i) : NULL;

    return found && found->speed_mbps == pair.speed_mbps &&
                   found->cable_m == pair.cable_m
               ? found
               : NULL;
}

enum st
lookup_pairs_insert(struct lookup_pairs *pairs, const void *entry,
                    struct err *err)
{
    const struct lookup_pair *pair = entry;
    size_t slot = find_slot(pairs, *pair);
    char *at;

    if (lookup_pairs_find(pairs, *pair)) {
        return err_set(err, ST_EXISTS, "lookup", "%u|%um occurs twice",
                       pair->speed_mbps, pair->cable_m);
    }
    pairs->entries =
        check_realloc(pairs->entries, (pairs->n + 1) * pairs->size);
    at = (char *)pairs->entries + slot * pairs->size;
    memmove(at + pairs->size, at, (pairs->n - slot) * pairs->size);
    memcpy(at, entry, pairs->size);
    pairs->n++;
    return ST_OK;
}

/* Lists the cable lengths at the speed of 'pair' next to its own:
 * "5m, 300m". */
static void
list_lengths(const struct lookup_pairs *pairs, struct lookup_pair pair,
             struct text *text)
{
    size_t at = find_slot(pairs, pair);

    if (at > 0 && pair_at(pairs, at - 1)->speed_mbps == pair.speed_mbps) {
        text_addf(text, "%um", pair_at(pairs, at - 1)->cable_m);
    }
    if (at < pairs->n && pair_at(pairs, at)->speed_mbps == pair.speed_mbps) {
        text_addf(text, "%s%um", text->length ? ", " : "",
                  pair_at(pairs, at)->cable_m);
    }
}

static void
list_speeds(const struct lookup_pairs *pairs, struct text *text)
{
    for (size_t i = 0; i < pairs->n; i++) {
        if (i == 0 || pair_at(pairs, i)->speed_mbps !=
                          pair_at(pairs, i - 1)->speed_mbps) {
            text_addf(text, "%s%u", text->length ? ", " : "",
                      pair_at(pairs, i)->speed_mbps);
        }
    }
}

enum st
lookup_pairs_explain_missing(const struct lookup_pairs *pairs,
                             struct lookup_pair pair, struct err *err)
{
    struct text lengths = {0};
    char text[64];

    text_format(text, sizeof text, "%u|%um", pair.speed_mbps, pair.cable_m);
    list_lengths(pairs, pair, &lengths);
    if (lengths.length) {
        err_set(err, ST_NOT_FOUND, "no-lookup",
                "the lookup table has no entry for speed %u Mb/s and cable "
                "%um; the nearest lengths at that speed are %s",
                pair.speed_mbps, pair.cable_m, text_string(&lengths));
    } else {
        list_speeds(pairs, &lengths);
        err_set(err, ST_NOT_FOUND, "no-lookup",
                "the lookup table has no entry for speed %u Mb/s; it has %s",
                pair.speed_mbps,
                lengths.length ? text_string(&lengths) : "none");
    }
    err_set_field(err, "cable", text, text_string(&lengths));
    err_set_remedy(err,
                   "set CABLE_LENGTH to a length in the table that is not "
                   "shorter than the cable, or set %s to a table that has the "
                   "pair",
                   pairs->setting);
    text_fini(&lengths);
    return ST_NOT_FOUND;
}
