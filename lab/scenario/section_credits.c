/* SPDX-License-Identifier: Apache-2.0 */

/* Reads credit-based flow control of a link. */

#include <config.h>

#include <libfyaml.h>

#include "base/arena.h"
#include "lab/scenario/sections.h"

/* Word i is 2^(i - CREDIT_SPEC_ALPHA_ONE), but for the first one. */
static const char *const alphas[] = {
    "all", "1/256", "1/128", "1/64", "1/32", "1/16", "1/8", "1/4", "1/2", "1",
    "2",   "4",     "8",     "16",   "32",   "64",   "128", "256", NULL};

#define AT(member) offsetof(struct credit_spec, member)

static const struct field credit_fields[] = {
    {"priorities", FIELD_BITS, AT(priorities), "0..7", "3, 4", NULL},
    {"limit", FIELD_BYTES, AT(limit_bytes), "0..1GB", "0", NULL},
    {"total", FIELD_BYTES, AT(total_bytes), "0..1GB", "0", NULL},
    {"shared", FIELD_BYTES, AT(shared_bytes), "0..1GB", "0", NULL},
    {"share", FIELD_BYTES, AT(share_bytes), "0..1GB", "0", NULL},
    {"alpha", FIELD_WORD, AT(alpha), NULL, "all", alphas},
    {"frame", FIELD_BYTES, AT(frame_bytes), "64..9216", "1518B", NULL},
    {"size", FIELD_BYTES, AT(size_bytes), "1..65535", "128B", NULL},
    {"overhead", FIELD_COUNT, AT(overhead_bytes), "0..127", "0", NULL},
    {"cf_min", FIELD_BYTES, AT(cf_min_bytes), "800..65535", "6400B", NULL},
    {"cf_max", FIELD_BYTES, AT(cf_max_bytes), "16KiB..1MiB", "256KiB", NULL},
    {"cc_timer", FIELD_TIME, AT(cc_timer_ps), "0..250ms", "256us", NULL},
};

#undef AT

/* The values of SAI and of the twin. */
enum { PS_PER_US = 1000000, MAX_CREDITS = (1 << 20) - 1 };

/* Returns the key of the shared credits whose value does not fit the others;
 * NULL: all do.  '*wrong' is what is wrong about it. */
static const char *
find_wrong_share(const struct credit_spec *credits, const char **wrong)
{
    if (credits->shared_bytes / credits->size_bytes > MAX_CREDITS) {
        *wrong = "'shared' is more than 1,048,575 credits of 'size'; make "
                 "'size' greater";
        return "shared";
    }
    if (credits->shared_bytes && credits->shared_bytes < credits->size_bytes) {
        *wrong = "'shared' is less than one credit ('size'), so nothing is "
                 "shared; allowed is 0 (nothing), or 'size' and more";
        return "shared";
    }
    if (!credits->shared_bytes && (credits->share_bytes || credits->alpha)) {
        *wrong = "this limits a share of 'shared', which is 0; remove it, or "
                 "set 'shared'";
        return credits->alpha ? "alpha" : "share";
    }
    if (credits->share_bytes && credits->alpha) {
        *wrong = "'alpha' is a dynamic limit and 'share' a static one; "
                 "allowed is one of them";
        return "alpha";
    }
    if (credits->share_bytes && credits->share_bytes < credits->size_bytes) {
        *wrong = "'share' is less than one credit ('size'), so nothing is "
                 "shared; allowed is 0 (all of 'shared'), or 'size' and more";
        return "share";
    }
    return NULL;
}

/* Returns the key of 'credits' whose value does not fit the others; NULL: all
 * do. '*wrong' is what is wrong about it. */
static const char *
find_wrong(const struct credit_spec *credits, const char **wrong)
{
    if (!credits->priorities) {
        *wrong = "'priorities' is empty, so nothing is sent by credits; "
                 "allowed is at least one of 0..7, or 'credits: off'";
        return "priorities";
    }
    if (credits->limit_bytes && credits->limit_bytes < credits->size_bytes) {
        *wrong = "'limit' is less than one credit ('size'), so nothing is "
                 "ever sent; allowed is 0 (what a full rate takes), or 'size' "
                 "and more";
        return "limit";
    }
    if (credits->limit_bytes / credits->size_bytes > MAX_CREDITS) {
        *wrong = "'limit' is more than 1,048,575 credits of 'size'; make "
                 "'size' greater";
        return "limit";
    }
    if (credits->total_bytes && credits->total_bytes < credits->size_bytes) {
        *wrong = "'total' is less than one credit ('size'), so nothing is "
                 "ever sent; allowed is 0 (no limit), or 'size' and more";
        return "total";
    }
    if (credits->total_bytes / credits->size_bytes > MAX_CREDITS) {
        *wrong = "'total' is more than 1,048,575 credits of 'size'; make "
                 "'size' greater";
        return "total";
    }
    if (credits->cc_timer_ps % PS_PER_US) {
        *wrong = "'cc_timer' is not a whole number of microseconds, as SAI "
                 "counts it";
        return "cc_timer";
    }
    return find_wrong_share(credits, wrong);
}

enum st
section_credits(struct reader *reader, struct fy_node *node,
                const struct credit_spec **made)
{
    struct credit_spec *credits =
        arena_alloc(reader->arena, 1, sizeof *credits);
    const char *key, *wrong = NULL;
    bool is_on = false;
    enum st st = fields_on_off(reader, node, "'credits'", &is_on);

    fields_init(reader, credit_fields, N_FIELDS(credit_fields), credits);
    *made = is_on ? credits : NULL;
    if (st || !fy_node_is_mapping(node)) {
        return st;
    }
    st = fields_read(reader, node, "'credits'", credit_fields,
                     N_FIELDS(credit_fields), credits, NULL);
    key = st ? NULL : find_wrong(credits, &wrong);
    if (key) {
        struct fy_node *value =
            fy_node_mapping_lookup_by_string(node, key, FY_NT);

        st = document_fail(reader->document, value ? value : node, reader->err,
                           "%s", wrong);
    }
    return st;
}
