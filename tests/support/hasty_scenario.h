/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TESTS_SUPPORT_HASTY_SCENARIO_H
#define ORCHD_TESTS_SUPPORT_HASTY_SCENARIO_H

/* A scenario for runs whose parts are at different times (ranks, lanes): what a
 * destination has counted when its flow is reported is less than what it has
 * counted at the end of the window. */

/* Queue pairs fail while their packets are still arriving, all marked. */
#define HASTY_SCENARIO                                                         \
    "name: hasty\n"                                                            \
    "fabric:\n"                                                                \
    "  clos: {t0: 6, hosts: 3, t1: 2, rate: 100G}\n"                           \
    "  links: {host: 300m, t0_t1: 300m}\n"                                     \
    "  switch:\n"                                                              \
    "    t0:\n"                                                                \
    "      config: t0-32x100g\n"                                               \
    "      set: {'WRED_PROFILE|AZURE_LOSSLESS':\n"                             \
    "              {green_min_threshold: '1000',\n"                            \
    "               green_max_threshold: '2000'}}\n"                           \
    "hosts: {default: {rc: {timeout: 1, retries: 0}}}\n"                       \
    "traffic:\n"                                                               \
    "  - {rc: {pattern: incast, from: 'h-[1..5]-*', to: h-0-0, size: "         \
    "100KB}}\n"                                                                \
    "stop: 4ms\n"                                                              \
    "stop_when_done: true\n"

#endif /* tests/support/hasty_scenario.h */
