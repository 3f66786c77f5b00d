/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TESTS_SUPPORT_QOS_SETUP_H
#define ORCHD_TESTS_SUPPORT_QOS_SETUP_H

/* Three ports of the switch of asic_setup.h, and short words for what they do
 * with traffic: tests of classes, buffers, schedulers and PFC begin here.
 *
 * Frames go from port 0, or another, to port 1, which is watched: what leaves
 * there is noted with its time.  A test blocks it, sends, unblocks and looks at
 * the notes:
 *
 *     qos_setup_block(f, true);
 *     ...
 *     qos_setup_watch(f);
 *     qos_setup_block(f, false);
 *     qos_setup_drain(f);
 *     assert_int_equal(f->left[0].queue_index, 5);
 *
 * Queues are those of port 1.  Whatever fails here fails the test. */

#include <stdbool.h>
#include <stdint.h>

#include <sai.h>

#include "tests/support/asic_setup.h"
#include "vendors/softasic/softasic.h"

enum {
    QOSRIG_PORTS = 3,
    QOSRIG_FRAMES = 20000, /* Noted at most. */
};

struct qos_setup {
    struct asic_setup *bench;
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
 * overrides keys, with ports that are up.  qos_setup_setup() also puts DSCP n <
 * 8 into TC, PG and queue n; the other leaves classes as they are. */
int qos_setup_setup(void **state, const char *set);
int qos_setup_setup_plain(void **state, const char *set);
int qos_setup_teardown(void **state);

/* Create a map of 'type': from 'pairs', or from n to n for n < 8. */
sai_object_id_t qos_setup_map(struct qos_setup *f, sai_qos_map_type_t type,
                              uint32_t n, const sai_qos_map_t *pairs);
sai_object_id_t qos_setup_map_same(struct qos_setup *f,
                                   sai_qos_map_type_t type);

/* Set one attribute of port, or queue, 'index'. */
void qos_setup_set_port(struct qos_setup *f, uint32_t index, sai_attr_id_t id,
                        sai_attribute_value_t value);
void qos_setup_set_queue(struct qos_setup *f, uint32_t index, sai_attr_id_t id,
                         sai_attribute_value_t value);

sai_object_id_t qos_setup_queue(struct qos_setup *f, uint32_t index);

/* Return a counter of port, or queue, 'index'. */
uint64_t qos_setup_port_stat(struct qos_setup *f, uint32_t index,
                             sai_stat_id_t id);
uint64_t qos_setup_queue_stat(struct qos_setup *f, uint32_t index,
                              sai_stat_id_t id);

/* Keeps port 1 from sending, or lets it. */
void qos_setup_block(struct qos_setup *f, bool blocked);

/* Notes from now on what leaves by port 1. */
void qos_setup_watch(struct qos_setup *f);

/* Lets everything leave that may, and takes the notes. */
void qos_setup_drain(struct qos_setup *f);

/* Returns how many of the 'n' frames from 'first' on left by 'queue'. */
uint32_t qos_setup_count(const struct qos_setup *f, uint32_t first, uint32_t n,
                         uint32_t queue);

#endif /* tests/support/qos_setup.h */
