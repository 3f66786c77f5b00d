/* SPDX-License-Identifier: Apache-2.0 */

/* Overlays by object and attribute.  Each has a want of its own that replaces
 * the want of a row. */

#include <config.h>

#include "orchd/reconcile/overlay.h"

#include <stdlib.h>
#include <uthash.h>

#include "base/check.h"
#include "orchd/reconcile/graph.h"

struct overlay {
    struct overlaid *overlaid;
    sai_attr_id_t id;
    bool is_flag;
    uint8_t
        bits; /* The bits to clear; 0: the overlay ends as soon as possible. */
    bool known;       /* 'base' is valid. */
    uint8_t base;     /* What rows last wanted. */
    struct want want; /* What is wanted instead. */
    struct overlay *next;
};

/* An object with overlays. */
struct overlaid {
    struct object *object; /* Key; mentioned. */
    struct overlay *overlays;
    UT_hash_handle hh;
};

static struct overlaid *
find_object(const struct graph *graph, const struct object *object)
{
    struct overlaid *overlaid;

    HASH_FIND_PTR(graph->overlaid, &object, overlaid);
    return overlaid;
}

static struct overlay *
find(const struct graph *graph, const struct object *object, sai_attr_id_t id)
{
    const struct overlaid *overlaid = find_object(graph, object);
    struct overlay *overlay = overlaid ? overlaid->overlays : NULL;

    while (overlay && overlay->id != id) {
        overlay = overlay->next;
    }
    return overlay;
}

static struct overlay *
make(struct graph *graph, struct object *object, sai_attr_id_t id)
{
    struct overlaid *overlaid = find_object(graph, object);
    struct overlay *overlay = find(graph, object, id);

    if (overlay) {
        return overlay;
    }
    if (!overlaid) {
        overlaid = check_calloc(1, sizeof *overlaid);
        overlaid->object = object;
        object->n_mentions++;
        HASH_ADD_PTR(graph->overlaid, object, overlaid);
    }
    overlay = check_calloc(1, sizeof *overlay);
    overlay->overlaid = overlaid;
    overlay->id = id;
    overlay->want.meta = metadata_attribute(object->type, id);
    overlay->want.type = object->type;
    overlay->want.field = "";
    orch_assert(overlay->want.meta != NULL);
    overlay->next = overlaid->overlays;
    overlaid->overlays = overlay;
    return overlay;
}

static void
end(struct overlay *overlay)
{
    struct overlaid *overlaid = overlay->overlaid;
    struct object *object = overlaid->object;
    struct slot *slot = object_slot(object, overlay->id);
    struct overlay **link = &overlaid->overlays;

    if (slot && slot->want == &overlay->want) {
        slot->want = NULL;
    }
    while (*link != overlay) {
        link = &(*link)->next;
    }
    *link = overlay->next;
    free(overlay);
    if (!overlaid->overlays) {
        HASH_DEL(object->graph->overlaid, overlaid);
        free(overlaid);
        object->n_mentions--;
    }
    graph_mark(object);
}

void
overlay_bit(struct graph *graph, const struct object_name *name,
            sai_attr_id_t id, unsigned int bit, bool on)
{
    struct object *object = graph_find_object(graph, name);
    struct overlay *overlay = object ? find(graph, object, id) : NULL;

    if (!on && !overlay) {
        return;
    }
    if (!overlay) {
        object = graph_make_object(graph, name);
        overlay = make(graph, object, id);
    }
    overlay->bits = (uint8_t)(on ? overlay->bits | 1u << bit
                                 : overlay->bits & ~(1u << bit));
    graph_mark(object);
}

void
overlay_flag(struct graph *graph, const struct object_name *name,
             sai_attr_id_t id, bool on)
{
    struct object *object = graph_find_object(graph, name);

    if (on) {
        object = object ? object : graph_make_object(graph, name);
        make(graph, object, id)->is_flag = true;
        graph_mark(object);
    } else if (object && find(graph, object, id)) {
        end(find(graph, object, id));
    }
}

/* No row wants anything of the attribute of a flag. */
static void
apply_flag(struct overlay *overlay)
{
    struct slot *slot;

    if (!overlay->overlaid->object->wanted) {
        return;
    }
    slot = object_slot_make(overlay->overlaid->object, overlay->want.meta);
    overlay->want.value.booldata = true;
    slot->want = &overlay->want;
    slot->source = NULL;
    slot->frozen = false;
}

/* Returns whether the overlay is still needed. */
static bool
apply_bits(struct overlay *overlay)
{
    struct slot *slot = object_slot(overlay->overlaid->object, overlay->id);

    if (slot && slot->want) {
        overlay->base = slot->want->value.u8;
        overlay->known = true;
        if (!overlay->bits) {
            return false;
        }
    } else if (slot && slot->frozen && slot->held) {
        /* The value on the ASIC is what was wanted, as long as no bit was
         * cleared. */
        if (!overlay->known) {
            overlay->base = slot->value.u8;
            overlay->known = true;
        }
        slot->frozen = false;
    } else {
        return overlay->bits != 0;
    }
    overlay->want.value.u8 = (uint8_t)(overlay->base & ~overlay->bits);
    slot->want = &overlay->want;
    return true;
}

void
overlay_apply(struct object *object)
{
    const struct overlaid *overlaid = find_object(object->graph, object);
    struct overlay *overlay = overlaid ? overlaid->overlays : NULL;
    struct overlay *next;

    for (; overlay; overlay = next) {
        next = overlay->next;
        if (overlay->is_flag) {
            apply_flag(overlay);
        } else if (!apply_bits(overlay)) {
            end(overlay);
        }
    }
}

void
overlay_end_all(struct graph *graph)
{
    while (graph->overlaid) {
        end(graph->overlaid->overlays);
    }
}
