/* SPDX-License-Identifier: Apache-2.0 */

/* Lists the rows that use an object. */

#include <config.h>

#include "orchd/reconcile/references.h"

#include <string.h>

#include "base/text.h"
#include "orchd/reconcile/graph.h"

/* Further rows are only counted. */
enum { MAX_NAMED = 8 };

/* The first rows by name, so that the result does not depend on the order of
 * arrival. */
struct named {
    const char *ids[MAX_NAMED];
    size_t n; /* Including those that did not fit. */
};

static void
named_add(struct named *named, const char *id)
{
    size_t i = named->n < MAX_NAMED ? named->n : MAX_NAMED;

    named->n++;
    if (i == MAX_NAMED && strcmp(named->ids[--i], id) < 0) {
        return;
    }
    while (i > 0 && strcmp(named->ids[i - 1], id) > 0) {
        named->ids[i] = named->ids[i - 1];
        i--;
    }
    named->ids[i] = id;
}

static void
named_write(const struct named *named, struct text *text)
{
    for (size_t i = 0; i < named->n && i < MAX_NAMED; i++) {
        text_add_item(text, ",", named->ids[i]);
    }
    if (named->n > MAX_NAMED) {
        text_addf(text, ",and %zu more", named->n - MAX_NAMED);
    }
}

void
references_name(struct text *text, const struct object *object)
{
    struct named named = {.n = 0};

    for (const struct edge *edge = object->referrers; edge; edge = edge->next) {
        bool twice = edge->next && edge->next->source == edge->source;

        if (edge->source->n_claims > 0 &&
            !twice) { /* Rows without claims only mention it. */
            named_add(&named, edge->source->id);
        }
    }
    for (const struct object *child = object_children(object); child;
         child = child->sibling) {
        for (const struct claim *claim = child->claims; claim;
             claim = claim->next_on_object) {
            if (claim->wins && object_refers(child)) {
                named_add(&named, claim->source->id);
            }
        }
    }
    named_write(&named, text);
}
