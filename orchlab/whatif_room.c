/* SPDX-License-Identifier: Apache-2.0 */

/* The room for bursts that a change of headroom leaves. */

#include <config.h>

#include "orchlab/whatif_room.h"

#include <string.h>

#include "lab/builder/switch_image.h"
#include "lab/measure/metric.h"
#include "orchlab/verb.h"
#include "orchlab/whatif_rows.h"

struct room {
    const struct switch_instance *instance;
    const json_t *config;
    uint64_t bytes;
};

static void
add_pool(void *room_, const char *name, uint32_t pool)
{
    struct room *room = room_;

    if (whatif_rows_headroom(room->config, name)) {
        room->bytes += switch_instance_shared_bytes(room->instance, pool);
    }
}

uint64_t
whatif_room_bytes(const struct switch_instance *instance, const json_t *config)
{
    struct room room = {instance, config, 0};

    switch_instance_each_pool(instance, add_pool, &room);
    return room.bytes;
}

bool
whatif_room_is_asked(const struct whatif_inquiry *inquiry)
{
    return strcmp(inquiry->invocation->operands[0], "headroom") == 0;
}

void
whatif_room_say(const struct whatif_inquiry *inquiry, struct text *text)
{
    const struct whatif_variant *before = &inquiry->before;

    for (size_t i = 0; i < before->n_roles; i++) {
        const double from = (double)before->rooms[i];
        const double to = (double)inquiry->after.rooms[i];
        char a[METRIC_TEXT_SIZE], b[METRIC_TEXT_SIZE], c[METRIC_TEXT_SIZE];

        if (from != to) {
            text_addf(text,
                      "  Before the first pause, %s has room for bursts of %s "
                      "instead of %s: %s %s.",
                      before->roles[i], metric_text(to, METRIC_BYTES, a),
                      metric_text(from, METRIC_BYTES, b),
                      metric_text(to > from ? to - from : from - to,
                                  METRIC_BYTES, c),
                      to > from ? "more" : "less");
        }
    }
}

json_t *
whatif_room_describe(const struct whatif_inquiry *inquiry)
{
    const struct whatif_variant *before = &inquiry->before;
    json_t *rooms = json_object();

    for (size_t i = 0; i < before->n_roles; i++) {
        const json_int_t from = (json_int_t)before->rooms[i];
        const json_int_t to = (json_int_t)inquiry->after.rooms[i];

        json_object_set_new(rooms, before->roles[i],
                            json_pack("{s:I, s:I, s:I}", "before", from,
                                      "after", to, "gained", to - from));
    }
    return rooms;
}
