/* SPDX-License-Identifier: Apache-2.0 */

/* A Patricia trie.
 *
 * Invariants: the prefix of a node is a proper prefix of those below it, and
 * the bit after it selects the child; so siblings never overlap.  A node
 * without a value has two children.  So a removal makes at most two nodes
 * superfluous: the one that lost its value, and the fork above it. */

#include <config.h>

#include "twin/forwarding/lpm.h"

#include <stdlib.h>

#include "base/check.h"

enum { BYTE_BITS = 8 };

struct node {
    struct address key;       /* Masked to 'length'. */
    uint8_t length;           /* In bits, 0 for the default route. */
    void *value;              /* NULL: a fork. */
    struct node *children[2]; /* By the bit after the prefix; or NULL. */
};

struct lpm {
    struct node *root; /* NULL: the table is empty. */
    size_t n;          /* Number of values; forks do not count. */
};

struct lpm *
lpm_create(void)
{
    return check_calloc(1, sizeof(struct lpm));
}

/* Depth is bounded by the bits of an address. */
static void
free_nodes(struct node *node)
{
    if (node) {
        free_nodes(node->children[0]);
        free_nodes(node->children[1]);
        free(node);
    }
}

void
lpm_destroy(struct lpm *lpm)
{
    if (lpm) {
        free_nodes(lpm->root);
        free(lpm);
    }
}

/* Returns bit 'at' of 'address'; bit 0 is the first on the wire. */
static unsigned int
bit(const struct address *address, unsigned int at)
{
    return address->bytes[at / BYTE_BITS] >> (BYTE_BITS - 1 - at % BYTE_BITS) &
           1;
}

/* Returns how many of their first 'limit' bits two addresses share. */
static unsigned int
common(const struct address *a, const struct address *b, unsigned int limit)
{
    for (unsigned int i = 0; i * BYTE_BITS < limit; i++) {
        const unsigned int differ = a->bytes[i] ^ b->bytes[i];

        if (differ) {
            const unsigned int at =
                i * BYTE_BITS + (unsigned int)__builtin_clz(differ) - 24;

            return at < limit ? at : limit;
        }
    }
    return limit;
}

/* Returns whether 'address' begins with the prefix of 'node'. */
static bool
covers(const struct node *node, const struct address *address)
{
    return common(&node->key, address, node->length) == node->length;
}

/* Returns a new node for the prefix, without children. */
static struct node *
make(const struct address *address, unsigned int length, void *value)
{
    struct node *node = check_calloc(1, sizeof *node);

    node->key = address_mask(address, length);
    node->length = (uint8_t)length;
    node->value = value;
    return node;
}

/* Inserts 'made' above the node at '*link', with which it shares 'shared'
 * bits. */
static void
split(struct node **link, struct node *made, unsigned int shared)
{
    struct node *below = *link;
    struct node *fork = made;

    if (shared < made->length) {
        fork = make(&made->key, shared, NULL);
        fork->children[bit(&made->key, shared)] = made;
    }
    fork->children[bit(&below->key, shared)] = below;
    *link = fork;
}

bool
lpm_insert(struct lpm *lpm, const struct address *address, unsigned int length,
           void *value)
{
    struct node **link = &lpm->root;
    unsigned int shared = 0;

    orch_assert(value && length <= address_bits(address->family));
    while (*link) {
        struct node *node = *link;
        const unsigned int limit =
            length < node->length ? length : node->length;

        shared = common(&node->key, address, limit);
        if (shared < node->length) {
            break;
        }
        if (node->length == length) {
            if (node->value) {
                return false;
            }
            node->value = value; /* The node was a fork. */
            lpm->n++;
            return true;
        }
        link = &node->children[bit(address, node->length)];
    }
    if (*link) {
        split(link, make(address, length, value), shared);
    } else {
        *link = make(address, length, value);
    }
    lpm->n++;
    return true;
}

/* Removes the node at '*link' if it has neither a value nor two children. */
static void
prune(struct node **link)
{
    struct node *node = *link;

    if (!node->value && !(node->children[0] && node->children[1])) {
        *link = node->children[0] ? node->children[0] : node->children[1];
        free(node);
    }
}

void *
lpm_remove(struct lpm *lpm, const struct address *address, unsigned int length)
{
    struct node **above = NULL;
    struct node **link = &lpm->root;
    void *value;

    while (*link && (*link)->length < length && covers(*link, address)) {
        above = link;
        link = &(*link)->children[bit(address, (*link)->length)];
    }
    if (!*link || (*link)->length != length || !covers(*link, address) ||
        !(*link)->value) {
        return NULL;
    }
    value = (*link)->value;
    (*link)->value = NULL;
    lpm->n--;
    prune(link);
    if (above) {
        prune(above); /* It may have been the fork to the removed node. */
    }
    return value;
}

void *
lpm_find(const struct lpm *lpm, const struct address *address,
         unsigned int length)
{
    const struct node *node = lpm->root;

    while (node && node->length < length && covers(node, address)) {
        node = node->children[bit(address, node->length)];
    }
    return node && node->length == length && covers(node, address) ? node->value
                                                                   : NULL;
}

void *
lpm_lookup(const struct lpm *lpm, const struct address *address)
{
    const unsigned int bits = address_bits(address->family);
    const struct node *node = lpm->root;
    void *best = NULL;

    while (node && covers(node, address)) {
        if (node->value) {
            best = node->value;
        }
        if (node->length == bits) {
            break;
        }
        node = node->children[bit(address, node->length)];
    }
    return best;
}

size_t
lpm_count(const struct lpm *lpm)
{
    return lpm->n;
}

/* Visits 'node' and the nodes below it, in the order of lpm_each(). */
static void
visit(const struct node *node, lpm_each_fn *each, void *context)
{
    if (node) {
        if (node->value) {
            each(context, node->value);
        }
        visit(node->children[0], each, context);
        visit(node->children[1], each, context);
    }
}

void
lpm_each(const struct lpm *lpm, lpm_each_fn *each, void *context)
{
    visit(lpm->root, each, context);
}
