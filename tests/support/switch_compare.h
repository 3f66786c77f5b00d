/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TESTS_SUPPORT_SWITCH_COMPARE_H
#define ORCHD_TESTS_SUPPORT_SWITCH_COMPARE_H

/* Compares two switches with objects of the same ids, for cmocka: the test
 * fails at the first difference. */

struct asic;

/* Compares all counters and watermarks of ports, queues, priority groups and
 * pools. */
void switch_compare_counters(struct asic *a, struct asic *b);

/* Compares occupancy, reservations and limits of all priority groups and
 * queues. */
void switch_compare_buffers(struct asic *a, struct asic *b);

#endif /* tests/support/switch_compare.h */
