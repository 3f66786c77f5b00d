/* SPDX-License-Identifier: Apache-2.0 */

/* Prints what the twin's TCP sends if chosen segments are lost, to be compared
 * with another TCP: a JSON object per segment, with the time in milliseconds,
 * the number of the segment in the stream, and the window in segments.  Losses
 * are found by RACK, and each segment is acknowledged.
 *
 * Usage: trace_tcp CONTROL SEGMENTS DELAY_MS [LOST ...]
 * CONTROL is reno or cubic, LOST the number of a segment in the order of
 * sending, from 1.  The link has no limit of speed, and the delay in each
 * direction. */

#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/parse.h"
#include "tests/support/tcp_pair.h"

#define MS INT64_C(1000000000)

enum { MAX_SEGMENTS = 100000, MAX_DELAY_MS = 1000 };

static void
on_sent(void *context, int end, const struct tcp_segment *segment)
{
    const struct tcp_pair *pair = context;
    const struct tcp *tcp = pair->ends[0];
    const uint32_t mss = tcp_config_default.mss_bytes;

    if (end == 0) {
        printf("{\"ms\":%.1f,\"segment\":%u,\"again\":%s,\"cwnd\":%.1f}\n",
               (double)pair->now_ps / 1e9,
               (segment->sequence - TCP_PAIR_SEQUENCE) / mss,
               segment->retransmit ? "true" : "false",
               (double)tcp_congestion_of(tcp)->cwnd_bytes / mss);
    }
}

static uint32_t
number(const char *text, uint64_t most)
{
    uint64_t value = 0;

    if (parse_u64(text, 1, most, &value) != ST_OK) {
        fprintf(stderr, "trace_tcp: '%s' is not a number of 1..%" PRIu64 "\n",
                text, most);
        exit(2);
    }
    return (uint32_t)value;
}

int
main(int argc, char **argv)
{
    struct tcp_config config = tcp_config_default;
    struct tcp_pair_config link = {.seed = 1};
    struct tcp_pair pair;
    uint32_t *drops;
    uint32_t n;

    if (argc < 4 ||
        (strcmp(argv[1], "reno") != 0 && strcmp(argv[1], "cubic") != 0)) {
        fprintf(stderr,
                "usage: trace_tcp reno|cubic SEGMENTS DELAY_MS [LOST ...]\n");
        return 2;
    }
    n = number(argv[2], MAX_SEGMENTS);
    link.delay_ps = number(argv[3], MAX_DELAY_MS) * MS;
    link.n_drops = (uint32_t)argc - 4;
    drops = check_calloc((size_t)argc, sizeof *drops);
    for (uint32_t i = 0; i < link.n_drops; i++) {
        drops[i] = number(argv[4 + i], MAX_SEGMENTS);
    }
    link.drops = drops;
    config.algorithm = strcmp(argv[1], "reno") == 0 ? TCP_RENO : TCP_CUBIC;
    config.detection = TCP_RACK;
    config.ack_delay_ps = 0;
    tcp_pair_init(&pair, &link, &config);
    pair.sent = on_sent;
    pair.context = &pair;
    orch_assert(tcp_post(pair.ends[0], 0, n * config.mss_bytes) == ST_OK);
    while (tcp_pair_step(&pair, INT64_MAX - 1)) {
    }
    tcp_pair_fini(&pair);
    free(drops);
    return 0;
}
