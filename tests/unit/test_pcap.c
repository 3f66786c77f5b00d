/* SPDX-License-Identifier: Apache-2.0 */

/* Captures, written in all four ways; and what is none. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "twin/fabric/fabric.h"
#include "twin/host/pcap.h"

enum { MAX_BYTES = 4096, HEADER = 24, RECORD = 16 };

/* A file under construction. */
struct file {
    bool is_big_endian;
    bool is_ns;
    uint8_t bytes[MAX_BYTES];
    size_t n;
};

static void
put_at(struct file *file, size_t at, unsigned int n_bytes, uint32_t value)
{
    for (unsigned int i = 0; i < n_bytes; i++) {
        unsigned int k = file->is_big_endian ? n_bytes - 1 - i : i;

        file->bytes[at + k] = (uint8_t)(value >> 8 * i);
    }
}

static void
put(struct file *file, unsigned int n_bytes, uint32_t value)
{
    assert_true(file->n + n_bytes <= MAX_BYTES);
    put_at(file, file->n, n_bytes, value);
    file->n += n_bytes;
}

static void
begin(struct file *file, bool is_big_endian, bool is_ns)
{
    *file = (struct file){.is_big_endian = is_big_endian, .is_ns = is_ns};
    put(file, 4, is_ns ? 0xa1b23c4d : 0xa1b2c3d4);
    put(file, 2, 2);
    put(file, 2, 4);
    put(file, 4, 0);
    put(file, 4, 0);
    put(file, 4, 2000);
    put(file, 4, 1);
}

/* A frame to 02:00:00:00:00:02, of which 'captured' bytes are there. */
static void
put_frame(struct file *file, uint32_t seconds, uint32_t fraction,
          uint32_t captured, uint32_t length)
{
    static const uint8_t head[] = {2, 0, 0, 0, 0, 2, 2,    0,
                                   0, 0, 0, 1, 8, 0, 0x45, 0xb8};

    put(file, 4, seconds);
    put(file, 4, fraction);
    put(file, 4, captured);
    put(file, 4, length);
    for (uint32_t i = 0; i < captured; i++) {
        put(file, 1, i < sizeof head ? head[i] : 0);
    }
}

static void
test_all_four_ways_are_read(void **state)
{
    (void)state;
    for (int way = 0; way < 4; way++) {
        struct file file;
        struct pcap pcap;
        struct pcap_frame frame;
        struct err err;

        begin(&file, way & 1, way & 2);
        put_frame(&file, 1700000000, 999999, 60, 60);
        put_frame(&file, 1700000001, 5, 14, 1514);
        assert_int_equal(pcap_open(&pcap, file.bytes, file.n, &err), ST_OK);
        assert_int_equal(pcap_next(&pcap, &frame, &err), ST_OK);
        assert_int_equal(frame.when_ps, 0);
        assert_int_equal(frame.length_bytes, 60);
        assert_int_equal(frame.n, 60);
        assert_ptr_equal(frame.bytes, file.bytes + HEADER + RECORD);
        assert_int_equal(pcap_next(&pcap, &frame, &err), ST_OK);
        assert_true(frame.when_ps ==
                    (way & 2 ? INT64_C(999000006000) : INT64_C(6000000)));
        assert_int_equal(frame.length_bytes, 1514);
        assert_int_equal(frame.n, 14);
        assert_int_equal(pcap_next(&pcap, &frame, &err), ST_NOT_FOUND);
        assert_int_equal(pcap_next(&pcap, &frame, &err), ST_NOT_FOUND);
    }
}

static void
test_time_does_not_go_back(void **state)
{
    static const struct {
        uint32_t seconds;
        uint32_t fraction;
        int64_t when_ps;
    } frames[] = {{10, 500, 0},
                  {10, 700, 200000000},
                  {10, 600, 200000000},
                  {9, 999999, 200000000},
                  {11, 0, 999500000000}};
    struct file file;
    struct pcap pcap;
    struct pcap_frame frame;

    (void)state;
    begin(&file, false, false);
    for (size_t i = 0; i < 5; i++) {
        put_frame(&file, frames[i].seconds, frames[i].fraction, 60, 60);
    }
    assert_int_equal(pcap_open(&pcap, file.bytes, file.n, NULL), ST_OK);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(pcap_next(&pcap, &frame, NULL), ST_OK);
        assert_true(frame.when_ps == frames[i].when_ps);
    }
}

static void
test_wrong_headers_are_refused(void **state)
{
    static const struct {
        size_t at;
        unsigned int n_bytes;
        uint32_t value;
        enum st status;
    } wrong[] = {
        {0, 4, 0xa1b2c3d5, ST_INVALID}, {0, 4, 0x0a0d0d0a, ST_INVALID},
        {4, 2, 3, ST_UNSUPPORTED},      {6, 2, 3, ST_UNSUPPORTED},
        {20, 4, 113, ST_UNSUPPORTED},   {20, 4, 0x14000001, ST_UNSUPPORTED},
    };
    struct pcap pcap;
    struct file file;

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct err err = {0};

        begin(&file, true, false);
        put_at(&file, wrong[i].at, wrong[i].n_bytes, wrong[i].value);
        assert_int_equal(pcap_open(&pcap, file.bytes, file.n, &err),
                         wrong[i].status);
        assert_int_equal(err.status, wrong[i].status);
    }
    begin(&file, true, false);
    for (size_t n = 0; n < HEADER; n++) {
        assert_int_equal(pcap_open(&pcap, file.bytes, n, NULL), ST_INVALID);
    }
    assert_int_equal(pcap_open(&pcap, file.bytes, HEADER, NULL), ST_OK);
}

static void
test_wrong_frames_are_refused(void **state)
{
    static const struct {
        const char *name;
        uint32_t fields[4];
        enum st status;
    } cases[] = {
        {"as it should be", {10, 0, 60, 60}, ST_OK},
        {"a second of microseconds", {10, 1000000, 60, 60}, ST_INVALID},
        {"more than there was", {10, 0, 60, 59}, ST_INVALID},
        {"no Ethernet header", {10, 0, 13, 13}, ST_INVALID},
        {"longer than any frame", {10, 0, 60, 65536}, ST_INVALID},
        {"behind the end", {10, 0, 61, 61}, ST_INVALID},
        {"far behind the end", {10, 0, 0xffffffff, 0xffffffff}, ST_INVALID},

        {"fifty days later", {4320010, 0, 60, 60}, ST_OK},
        {"fifty days and a second", {4320011, 0, 60, 60}, ST_INVALID},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct file file;
        struct pcap pcap;
        struct pcap_frame frame;
        struct err err = {0};

        begin(&file, false, false);
        put_frame(&file, 10, 0, 60, 60);
        put_frame(&file, 10, 0, 60, 60);
        for (size_t k = 0; k < 4; k++) {
            put_at(&file, HEADER + RECORD + 60 + 4 * k, 4, cases[i].fields[k]);
        }
        assert_int_equal(pcap_open(&pcap, file.bytes, file.n, &err), ST_OK);
        assert_int_equal(pcap_next(&pcap, &frame, &err), ST_OK);
        if (pcap_next(&pcap, &frame, &err) != cases[i].status) {
            fail_msg("%s", cases[i].name);
        }
    }
}

static void
test_file_may_end_only_between_frames(void **state)
{
    struct file file;
    struct pcap pcap;
    struct pcap_frame frame;

    (void)state;
    begin(&file, false, true);
    put_frame(&file, 10, 0, 60, 60);
    for (size_t n = HEADER; n <= file.n; n++) {
        enum st want = n == HEADER   ? ST_NOT_FOUND
                       : n == file.n ? ST_OK
                                     : ST_INVALID;

        assert_int_equal(pcap_open(&pcap, file.bytes, n, NULL), ST_OK);
        assert_int_equal(pcap_next(&pcap, &frame, NULL), want);
    }
}

/* Two hosts; the one replays a capture to the other. */
struct pair {
    struct fabric *fabric;
    struct host *from;
    struct host *to;
};

static struct pair
make_pair(void)
{
    struct host_config config = {.mac = UINT64_C(0x020000000001),
                                 .speed_mbps = 100000};
    struct pair pair = {.fabric = fabric_create(1)};
    struct fabric_end ends[2] = {{0}, {0}};

    assert_int_equal(fabric_add_host(pair.fabric, &config, &pair.from), ST_OK);
    config.mac++;
    assert_int_equal(fabric_add_host(pair.fabric, &config, &pair.to), ST_OK);
    ends[0].host = pair.from;
    ends[1].host = pair.to;
    assert_int_equal(fabric_connect(pair.fabric, ends, 1, 9216, NULL), ST_OK);
    return pair;
}

static void
test_replay_keeps_times_and_headers(void **state)
{
    struct pair pair = make_pair();
    const struct receiver_flow *flow;
    struct file file;

    (void)state;
    begin(&file, false, true);
    put_frame(&file, 7, 100, 60, 60);
    put_frame(&file, 7, 350, 34, 976);
    put_frame(&file, 7, 1100, 60, 60);
    assert_int_equal(
        host_add_replay(
            pair.from,
            &(struct replay_config){
                .flow = 4, .start_ps = 5000, .bytes = file.bytes, .n = file.n},
            NULL),
        ST_OK);
    engine_run_until(fabric_engine(pair.fabric), EVENT_NEVER);
    flow = receiver_flow(host_receiver(pair.to), 4);
    assert_int_equal(flow->frames, 3);
    assert_int_equal(flow->bytes, 60 + 976 + 60);
    assert_int_equal(flow->first_ps, 5000 + 6720 + 5000);
    assert_int_equal(flow->last_ps, 5000 + 1000000 + 6720 + 5000);
    /* Class 0xb8 is DSCP 46. */
    assert_int_equal(host_receiver(pair.to)->by_dscp[46], 3);
    assert_int_equal(flow->missing + flow->late + flow->duplicates, 0);
    fabric_destroy(pair.fabric);
}

/* A bad frame at the end: nothing of the file is sent. */
static void
test_replay_is_all_or_nothing(void **state)
{
    struct pair pair = make_pair();
    struct err err = {0};
    struct replay_config config = {.start_ps = 0};
    struct file file;

    (void)state;
    begin(&file, false, true);
    put_frame(&file, 7, 100, 60, 60);
    config.bytes = file.bytes;
    config.n = file.n + 1;
    assert_int_equal(host_add_replay(pair.from, &config, &err), ST_INVALID);
    assert_int_equal(err.status, ST_INVALID);
    config.n = HEADER;
    assert_int_equal(host_add_replay(pair.from, &config, &err), ST_INVALID);
    config.n = file.n;
    config.priority = 8;
    assert_int_equal(host_add_replay(pair.from, &config, &err), ST_INVALID);
    assert_true(engine_next_ps(fabric_engine(pair.fabric)) == EVENT_NEVER);
    config.priority = 7;
    assert_int_equal(host_add_replay(pair.from, &config, &err), ST_OK);
    fabric_destroy(pair.fabric);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_four_ways_are_read),
        cmocka_unit_test(test_time_does_not_go_back),
        cmocka_unit_test(test_wrong_headers_are_refused),
        cmocka_unit_test(test_wrong_frames_are_refused),
        cmocka_unit_test(test_file_may_end_only_between_frames),
        cmocka_unit_test(test_replay_keeps_times_and_headers),
        cmocka_unit_test(test_replay_is_all_or_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
