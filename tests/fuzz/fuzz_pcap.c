/* SPDX-License-Identifier: Apache-2.0 */

/* A capture of any bytes: nothing beyond them is read, time does not go back,
 * and what the reader accepts a host replays, or says why not. */

#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "twin/fabric/fabric.h"
#include "twin/host/pcap.h"

/* Replays the capture over a cable. */
static void
replay(const uint8_t *bytes, size_t n)
{
    const struct host_config config = {.mac = 2, .speed_mbps = 400000};
    const struct replay_config capture = {.bytes = bytes, .n = n};
    struct fabric *fabric = fabric_create(1);
    struct fabric_end ends[2] = {{.host = NULL}, {.host = NULL}};
    struct host_stats stats;
    struct err err = {0};

    for (int i = 0; i < 2; i++) {
        FUZZ_CHECK(fabric_add_host(fabric, &config, &ends[i].host) == ST_OK);
    }
    FUZZ_CHECK(fabric_connect(fabric, ends, 1, 65535, NULL) == ST_OK);
    if (host_add_replay(ends[0].host, &capture, &err) == ST_OK) {
        engine_run_until(fabric_engine(fabric), EVENT_NEVER);
        host_get_stats(ends[0].host, &stats);
        FUZZ_CHECK(stats.sent + stats.pauses_sent > 0);
        FUZZ_CHECK(stats.sent == host_receiver(ends[1].host)->frames);
    } else {
        FUZZ_CHECK(err.status != ST_OK && err.reason[0]);
    }
    fabric_destroy(fabric);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* In a block of its own, so that a read behind its end is seen. */
    uint8_t *bytes = check_malloc(size + !size);
    struct pcap_frame frame = {0};
    struct pcap pcap;
    int64_t last_ps = 0;

    memcpy(bytes, data, size);
    if (pcap_open(&pcap, bytes, size, NULL) == ST_OK) {
        while (pcap_next(&pcap, &frame, NULL) == ST_OK) {
            FUZZ_CHECK(frame.when_ps >= last_ps);
            FUZZ_CHECK(frame.n <= frame.length_bytes);
            FUZZ_CHECK(frame.bytes >= bytes &&
                       frame.bytes + frame.n <= bytes + size);
            last_ps = frame.when_ps;
        }
    }
    replay(bytes, size);
    free(bytes);
    return 0;
}
