/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TESTS_SUPPORT_QOSRIG_H
#define ORCHD_TESTS_SUPPORT_QOSRIG_H

/* Three ports of the switch of asicrig.h, and short words for what they do with
 * traffic: tests of classes, buffers, schedulers and PFC begin here.
 *
 * Frames go from port 0, or another, to port 1, which is watched: what leaves
 * there is noted with its time.  A test blocks it, sends, unblocks and looks at
 * the notes:
 *
 *     qosrig_block(f, true);
 *     ...
 *     qosrig_watch(f);
 *     qosrig_block(f, false);
 *     qosrig_drain(f);
 *     assert_int_equal(f->left[0].queue_index, 5);
 *
 * Queues are those of port 1.  Whatever fails here fails the test. */

#include <stdbool.h>
#include <stdint.h>

#include <sai.h>

#include "tests/support/asicrig.h"
#include "vendors/softasic/softasic.h"

enum {
    QOSRIG_PORTS = 3,
    QOSRIG_FRAMES = 20000, /* Noted at most. */
};

struct qosrig {
    struct asicrig *rig;
    sai_object_id_t ports[QOSRIG_PORTS];
    struct softasic_departure left[QOSRIG_FRAMES];
    uint32_t n_left;
    sai_object_id_t in; /* Pools, of tests that make one each way. */
    sai_object_id_t out;
};

/* What attributes are set to, by type. */
#define OID(x)  ((sai_attribute_value_t){.oid = (x)})
#define BOOL(x) ((sai_attribute_value_t){.booldata = (x)})
#define S32(x)  ((sai_attribute_value_t){.s32 = (x)})
#define U8(x)   ((sai_attribute_value_t){.u8 = (x)})
#define U32(x)  ((sai_attribute_value_t){.u32 = (x)})
#define U64(x)  ((sai_attribute_value_t){.u64 = (x)})

#define OK(call) assert_int_equal(call, SAI_STATUS_SUCCESS)

/* Set up (for cmocka) a generic switch, of whose chip 'set' (NULL: nothing)
 * overrides keys, with ports that are up.  qosrig_setup() also puts DSCP n < 8
 * into TC, PG and queue n; the other leaves classes as they are. */
int qosrig_setup(void **state, const char *set);
int qosrig_setup_plain(void **state, const char *set);
int qosrig_teardown(void **state);

/* Create a map of 'type': from 'pairs', or from n to n for n < 8. */
sai_object_id_t qosrig_map(struct qosrig *f, sai_qos_map_type_t type,
                           uint32_t n, const sai_qos_map_t *pairs);
sai_object_id_t qosrig_map_same(struct qosrig *f, sai_qos_map_type_t type);

/* Set one attribute of port, or queue, 'index'. */
void qosrig_set_port(struct qosrig *f, uint32_t index, sai_attr_id_t id,
                     sai_attribute_value_t value);
void qosrig_set_queue(struct qosrig *f, uint32_t index, sai_attr_id_t id,
                      sai_attribute_value_t value);

sai_object_id_t qosrig_queue(struct qosrig *f, uint32_t index);

/* Return a counter of port, or queue, 'index'. */
uint64_t qosrig_port_stat(struct qosrig *f, uint32_t index, sai_stat_id_t id);
uint64_t qosrig_queue_stat(struct qosrig *f, uint32_t index, sai_stat_id_t id);

/* Keeps port 1 from sending, or lets it. */
void qosrig_block(struct qosrig *f, bool blocked);

/* Notes from now on what leaves by port 1. */
void qosrig_watch(struct qosrig *f);

/* Lets everything leave that may, and takes the notes. */
void qosrig_drain(struct qosrig *f);

/* Returns how many of the 'n' frames from 'first' on left by 'queue'. */
uint32_t qosrig_count(const struct qosrig *f, uint32_t first, uint32_t n,
                      uint32_t queue);

#endif /* tests/support/qosrig.h */
