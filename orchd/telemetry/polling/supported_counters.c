/* SPDX-License-Identifier: Apache-2.0 */

/* Reads the whole list without clearing, then each counter alone. */

#include <config.h>

#include "orchd/telemetry/polling/supported_counters.h"

#include <string.h>

#include "base/text.h"
#include "sai/core/backend.h"
#include "sai/core/metadata.h"

bool
supported_counters_is_refusal(sai_status_t status)
{
    return status == SAI_STATUS_NOT_SUPPORTED ||
           status == SAI_STATUS_NOT_IMPLEMENTED ||
           status == SAI_STATUS_INVALID_PARAMETER;
}

sai_status_t
supported_counters_read(struct poller *poller,
                        const struct polled_object *object,
                        const struct polled_reading *reading, uint32_t n,
                        const sai_stat_id_t *ids, uint64_t *values)
{
    return poller->backend->ops->get_stats(poller->backend, object->id.type,
                                           object->id.oid, n, ids,
                                           reading->mode, values);
}

/* Returns whether the refusal of counter 'id' by objects of 'group' was not
 * reported yet, and marks it as reported. */
static bool
is_news(struct poller *poller, enum counter_group group, sai_stat_id_t id)
{
    const struct counter_group_info *info = counter_group_info(group);
    uint32_t i = 0;
    bool news;

    while (info->ids[i] != id) {
        i++;
    }
    news = !poller->walks[group].reported[i];
    poller->walks[group].reported[i] = true;
    return news;
}

/* Reports the counters of 'list' that are not in 'kept', except for those that
 * were reported before. */
static void
report_refused(struct poller *poller, const struct polled_object *object,
               const struct counter_list *list, const struct counter_list *kept)
{
    struct text names = {0};
    uint32_t k = 0;

    for (uint32_t i = 0; i < list->n; i++) {
        const struct metadata_stat *stat;

        if (k < kept->n && kept->ids[k] == list->ids[i]) {
            k++;
            continue;
        }
        if (is_news(poller, list->group, list->ids[i])) {
            stat = metadata_stat(object->id.type, list->ids[i]);
            text_add_item(&names, ",", stat->name);
        }
    }
    if (*text_string(&names)) {
        poller->listener.refused(poller->listener.context, object, list->group,
                                 text_string(&names));
    }
    text_fini(&names);
}

/* Reads the counters of 'list' one by one, and stores those that the object has
 * in '*kept' and 'values'.  If a counter can be read but not cleared, the
 * object is only read from then on.  Returns the first failure that is not a
 * refusal.
 */
static sai_status_t
probe(struct poller *poller, const struct polled_object *object,
      struct polled_reading *reading, const struct counter_list *list,
      struct counter_list *kept, uint64_t *values)
{
    kept->group = list->group;
    kept->n = 0;
    for (uint32_t i = 0; i < list->n; i++) {
        const sai_stats_mode_t mode = reading->mode;
        sai_status_t status = supported_counters_read(
            poller, object, reading, 1, &list->ids[i], &values[kept->n]);

        if (supported_counters_is_refusal(status) &&
            mode != SAI_STATS_MODE_READ) {
            reading->mode = SAI_STATS_MODE_READ;
            status = supported_counters_read(poller, object, reading, 1,
                                             &list->ids[i], &values[kept->n]);
            reading->mode = status ? mode : SAI_STATS_MODE_READ;
        }
        if (status == SAI_STATUS_SUCCESS) {
            kept->ids[kept->n++] = list->ids[i];
        } else if (!supported_counters_is_refusal(status)) {
            return status;
        }
    }
    return SAI_STATUS_SUCCESS;
}

sai_status_t
supported_counters_list(struct poller *poller,
                        const struct polled_object *object,
                        struct polled_reading *reading, uint64_t *values)
{
    struct group_walk *walk;
    const struct counter_list *list;
    struct counter_list kept, *made;
    sai_status_t status;
    const sai_stats_mode_t mode = reading->mode;

    list = reading->list;
    walk = &poller->walks[list->group];
    if (mode != SAI_STATS_MODE_READ) {
        reading->mode = SAI_STATS_MODE_READ;
        status = supported_counters_read(poller, object, reading, list->n,
                                         list->ids, values);
        if (!supported_counters_is_refusal(status)) {
            reading->mode = status ? mode : reading->mode;
            return status;
        }
        reading->mode = mode;
    }
    status = probe(poller, object, reading, list, &kept, values);
    if (status) {
        return status;
    }
    if (kept.n < list->n) {
        report_refused(poller, object, list, &kept);
    }
    if (kept.n == 0) {
        reading->mute = true;
        return SAI_STATUS_NOT_SUPPORTED;
    }
    if (kept.n < list->n) {
        made = poller_add_list(poller, kept.group);
        made->n = kept.n;
        memcpy(made->ids, kept.ids, kept.n * sizeof *kept.ids);
        walk->lists[poller_class_of(object)] = made;
        reading->list = made;
    }
    return SAI_STATUS_SUCCESS;
}
