/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_NOTIFY_LISTENER_H
#define ORCHD_RECONCILE_NOTIFY_LISTENER_H

/* Tells an observer (listener.h) what has become of an object on the ASIC. */

#include <sai.h>

struct metadata_attribute;
struct object;
struct listener;

/* 'object' is on the ASIC now. */
void notify_listener_appeared(const struct listener *observer,
                              const struct object *object);

/* What was 'object' there, under the id 'oid', is no more, or not ours. */
void notify_listener_gone(const struct listener *observer,
                          const struct object *object, sai_object_id_t oid);

/* Attribute 'meta' of 'object' has 'value' now. */
void notify_listener_attribute(const struct listener *observer,
                               const struct object *object,
                               const struct metadata_attribute *meta,
                               const sai_attribute_value_t *value);

#endif /* orchd/reconcile/notify_listener.h */
