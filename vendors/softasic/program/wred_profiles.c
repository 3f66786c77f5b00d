/* SPDX-License-Identifier: Apache-2.0 */

/* WRED profiles. */

#include <config.h>

#include "vendors/softasic/program/wred_profiles.h"

#include <stdlib.h>

#include "base/check.h"
#include "sai/core/attr_value.h"
#include "sai/core/metadata.h"
#include "twin/qos/wred.h"
#include "vendors/softasic/program/system_port_lookup.h"

/* The attributes of one curve. */
struct curve_row {
    sai_attr_id_t min;
    sai_attr_id_t max;
    sai_attr_id_t percent;
};

/* The attributes of one color. */
struct color_row {
    sai_attr_id_t enable;
    struct curve_row drop;
    struct curve_row mark;
    uint32_t modes; /* A bit per sai_ecn_mark_mode_t that names the color. */
};

#define MODE(NAME) (1u << SAI_ECN_MARK_MODE_##NAME)
#define CURVE(PREFIX, KIND)                                                    \
    {                                                                          \
        SAI_WRED_ATTR_##PREFIX##_MIN_THRESHOLD,                                \
            SAI_WRED_ATTR_##PREFIX##_MAX_THRESHOLD,                            \
            SAI_WRED_ATTR_##PREFIX##_##KIND##_PROBABILITY                      \
    }
#define COLOR(NAME, modes)                                                     \
    {                                                                          \
        SAI_WRED_ATTR_##NAME##_ENABLE, CURVE(NAME, DROP),                      \
            CURVE(ECN_##NAME, MARK), modes                                     \
    }

static const struct color_row colors[WRED_COLORS] = {
    COLOR(GREEN,
          MODE(GREEN) | MODE(GREEN_YELLOW) | MODE(GREEN_RED) | MODE(ALL)),
    COLOR(YELLOW,
          MODE(YELLOW) | MODE(GREEN_YELLOW) | MODE(YELLOW_RED) | MODE(ALL)),
    COLOR(RED, MODE(RED) | MODE(GREEN_RED) | MODE(YELLOW_RED) | MODE(ALL)),
};

static const struct curve_row unaware = CURVE(ECN_COLOR_UNAWARE, MARK);

/* Thresholds and the same in 64 bits. */
static const struct {
    sai_attr_id_t narrow;
    sai_attr_id_t wide;
} twins[] = {
#define TWINS(PREFIX)                                                          \
    {SAI_WRED_ATTR_##PREFIX##_MIN_THRESHOLD,                                   \
     SAI_WRED_ATTR_##PREFIX##_MIN_THRESHOLD_64},                               \
    {                                                                          \
        SAI_WRED_ATTR_##PREFIX##_MAX_THRESHOLD,                                \
            SAI_WRED_ATTR_##PREFIX##_MAX_THRESHOLD_64                          \
    }
    TWINS(GREEN),
    TWINS(YELLOW),
    TWINS(RED),
    TWINS(ECN_GREEN),
    TWINS(ECN_YELLOW),
    TWINS(ECN_RED),
    TWINS(ECN_COLOR_UNAWARE),
};

enum { N_TWINS = sizeof twins / sizeof twins[0] };

/* Copies attribute 'id' to its variant in 32 or 64 bits, if it has one. */
static void
mirror(struct asic *asic, struct objects_item *wred, sai_attr_id_t id)
{
    for (size_t i = 0; i < N_TWINS; i++) {
        const uint64_t number = (uint64_t)objects_number(wred, id);
        sai_attribute_t attribute = {0};
        const sai_attribute_value_t *stored;

        if (id == twins[i].narrow) {
            attribute.id = twins[i].wide;
            attribute.value.u64 = number;
        } else if (id == twins[i].wide) {
            attribute.id = twins[i].narrow;
            attribute.value.u32 =
                number < UINT32_MAX ? (uint32_t)number : UINT32_MAX;
        } else {
            continue;
        }
        stored = objects_value(wred, attribute.id);
        if (!stored || !attr_value_equal(
                           metadata_attribute(wred->type, attribute.id)->kind,
                           stored, &attribute.value)) {
            objects_put(asic->objects, wred, &attribute);
        }
        return;
    }
}

/* Returns threshold 'id', of 32 bits, from its variant in 64 bits. */
static uint64_t
threshold(const struct objects_item *wred, sai_attr_id_t id)
{
    for (size_t i = 0; i < N_TWINS; i++) {
        if (twins[i].narrow == id) {
            return (uint64_t)objects_number(wred, twins[i].wide);
        }
    }
    return 0;
}

/* Returns a threshold in bytes for the twin: 0 becomes the whole memory. */
static uint64_t
limit(const struct asic *asic, uint64_t bytes)
{
    if (bytes == 0) {
        return asic->chip->memory_bytes;
    }
    return bytes < WRED_NEVER ? bytes : WRED_NEVER;
}

/* Returns the curve of 'row'; attributes that are not set are those of
 * 'otherwise'. */
static struct wred_curve
curve_of(const struct asic *asic, const struct objects_item *wred,
         const struct curve_row *row, const struct wred_curve *otherwise)
{
    struct wred_curve curve = *otherwise;
    const uint64_t min = threshold(wred, row->min);
    const uint64_t max = threshold(wred, row->max);

    if (min) {
        curve.min_bytes = limit(asic, min);
    }
    if (max) {
        curve.max_bytes = limit(asic, max);
    }
    if (objects_value(wred, row->percent)) {
        curve.percent = (uint32_t)objects_number(wred, row->percent);
    }
    return curve;
}

/* Returns the curve by which 'color' marks. */
static struct wred_curve
marking_curve(const struct asic *asic, const struct objects_item *wred,
              const struct color_row *row, const struct wred_curve *drop)
{
    const bool is_all =
        objects_number(wred, SAI_WRED_ATTR_ECN_MARK_MODE) ==
            SAI_ECN_MARK_MODE_ALL &&
        (threshold(wred, unaware.min) || threshold(wred, unaware.max));

    if (!asic->sw ||
        !objects_number(asic->sw, SAI_SWITCH_ATTR_ECN_ECT_THRESHOLD_ENABLE)) {
        return *drop;
    }
    return curve_of(asic, wred, is_all ? &unaware : &row->mark, drop);
}

/* Fills the profile of 'wred' from its attributes. */
static void
fill(const struct asic *asic, const struct objects_item *wred)
{
    struct wred_profile *profile = wred->data;
    const int64_t mode = objects_number(wred, SAI_WRED_ATTR_ECN_MARK_MODE);
    const struct wred_curve none = {limit(asic, 0), limit(asic, 0), 100};

    profile->weight = (uint8_t)objects_number(wred, SAI_WRED_ATTR_WEIGHT);
    for (int i = 0; i < WRED_COLORS; i++) {
        struct wred_color *color = &profile->colors[i];

        color->drops = objects_number(wred, colors[i].enable) != 0;
        color->marks = colors[i].modes >> mode & 1;
        color->drop = curve_of(asic, wred, &colors[i].drop, &none);
        color->mark = marking_curve(asic, wred, &colors[i], &color->drop);
    }
    wred_prepare(profile);
}

void
wred_profiles_program(struct asic *asic, struct objects_item *wred,
                      sai_attr_id_t id)
{
    if (!wred->data) {
        wred->data = check_calloc(1, sizeof(struct wred_profile));
        /* Those of 64 bits first, so that they win if both are set. */
        for (size_t i = 0; i < N_TWINS; i++) {
            if (objects_value(wred, twins[i].wide)) {
                mirror(asic, wred, twins[i].wide);
            } else if (objects_value(wred, twins[i].narrow)) {
                mirror(asic, wred, twins[i].narrow);
            }
        }
    } else {
        mirror(asic, wred, id);
    }
    fill(asic, wred);
}

void
wred_profiles_program_all(struct asic *asic)
{
    for (struct objects_item *i =
             objects_first(asic->objects, SAI_OBJECT_TYPE_WRED);
         i; i = objects_next(asic->objects, i)) {
        fill(asic, i);
    }
}

void
wred_profiles_attach(struct asic *asic, const struct objects_item *queue)
{
    const struct objects_item *wred;
    enum st status;

    queue = system_port_lookup_filled(asic, queue);
    if (!queue) {
        return;
    }
    wred =
        system_port_lookup_profile(asic, queue, SAI_QUEUE_ATTR_WRED_PROFILE_ID);
    status = sim_queue_set_wred(asic->sim, queue->parent->handle, queue->index,
                                wred ? wred->data : NULL);
    orch_assert(status == ST_OK); /* Every queue is in the twin. */
}

void
wred_profiles_free(struct objects_item *wred)
{
    free(wred->data);
    wred->data = NULL;
}
