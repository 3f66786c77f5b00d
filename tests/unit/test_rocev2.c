/* SPDX-License-Identifier: Apache-2.0 */

/* The bytes of RoCEv2 packets: against a packet of a real adapter, and as
 * tshark, which shares no code with us, decodes a capture. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/text.h"
#include "results/pcap_writer.h"
#include "results/rocev2.h"
#include "twin/host/pcap.h"
#include "twin/qos/pause_frame.h"

#define US INT64_C(1000000)

static char path[] = "/tmp/test_rocev2.XXXXXX";

/* A UC SEND_ONLY packet with its ICRC 78 f3 53 f3, as captured on an adapter;
 * the example of scapy's tests of RoCE. */
static void
test_icrc_of_a_known_packet(void **state)
{
    static const uint8_t payload[] = {0x46, 0x30, 0x81, 0x8b, 0xe2, 0x89,
                                      0x35, 0xd9, 0x0e, 0x9a, 0x95, 0x50,
                                      0x54, 0x01, 0xbe, 0x88, 0x5e, 0x50};
    static const struct rocev2_packet packet = {
        .ip = {.source_mac = UINT64_C(0x248a07a8fa22),
               .destination_mac = UINT64_C(0x248a07a8fa22),
               .source_ip = 0xc0a80007,
               .destination_ip = 0xc0a80007,
               .ip_id = 1144,
               .ecn = 1,
               .ttl = 64},
        .source_port = 49152,
        .opcode = 0x24,
        .qp = 211,
        .psn = 13571856,
        .payload_bytes = sizeof payload,
        .payload = payload,
    };
    /* From the IP header on. */
    static const uint8_t wanted[] = {
        0x45, 0x01, 0x00, 0x40, 0x04, 0x78, 0x40, 0x00, 0x40, 0x11, 0xb4,
        0xd5, 0xc0, 0xa8, 0x00, 0x07, 0xc0, 0xa8, 0x00, 0x07, 0xc0, 0x00,
        0x12, 0xb7, 0x00, 0x2c, 0x00, 0x00, 0x24, 0x60, 0xff, 0xff, 0x00,
        0x00, 0x00, 0xd3, 0x00, 0xcf, 0x17, 0x10, 0x46, 0x30, 0x81, 0x8b,
        0xe2, 0x89, 0x35, 0xd9, 0x0e, 0x9a, 0x95, 0x50, 0x54, 0x01, 0xbe,
        0x88, 0x5e, 0x50, 0x00, 0x00, 0x78, 0xf3, 0x53, 0xf3};
    uint8_t bytes[ROCEV2_MAX_BYTES];

    (void)state;
    memset(bytes, 0xff, sizeof bytes);
    assert_int_equal(rocev2_build(&packet, bytes), 14 + sizeof wanted);
    assert_memory_equal(bytes + 14, wanted, sizeof wanted);
}

/* What switches change on the way, they may change: the ICRC stays right. */
static void
test_icrc_ignores_what_the_way_changes(void **state)
{
    struct rocev2_packet packet = {.ip = {.ttl = 64, .dscp = 3},
                                   .opcode = 0x0a};
    uint8_t first[ROCEV2_MAX_BYTES], second[ROCEV2_MAX_BYTES];
    size_t n;

    (void)state;
    packet.payload_bytes = 5;
    n = rocev2_build(&packet, first);
    packet.ip.ttl = 61;
    packet.ip.ecn = 3;
    packet.ip.dscp = 46;
    packet.ip.tagged = true;
    packet.ip.vlan = 100;
    assert_int_equal(rocev2_build(&packet, second), n + 4);
    assert_memory_equal(first + n - 4, second + n, 4);
    packet.psn++;
    rocev2_build(&packet, second);
    assert_memory_not_equal(first + n - 4, second + n, 4);
}

/* LAB 2.2, without FCS: payload + 58, RETH 16 more, an ACK 62, a CNP 74. */
static void
test_lengths(void **state)
{
    static const struct {
        uint8_t opcode;
        uint16_t payload;
        size_t length;
    } cases[] = {
        {0x00, 1024, 1082}, {0x01, 1024, 1082}, {0x04, 0, 58},
        {0x04, 1, 62},      {0x05, 1024, 1086}, {0x06, 1024, 1098},
        {0x07, 1024, 1082}, {0x0a, 64, 138},    {0x0b, 64, 142},
        {0x0c, 0, 74},      {0x0d, 1024, 1086}, {0x0e, 1024, 1082},
        {0x10, 8, 70},      {0x11, 0, 62},      {0x81, 0, 74},
        {0x0b, 4096, 4174}, {0x16, 1024, 1086}, {0x17, 8, 70},
    };
    uint8_t bytes[ROCEV2_MAX_BYTES];

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct rocev2_packet packet = {.opcode = cases[i].opcode,
                                             .payload_bytes = cases[i].payload};

        assert_int_equal(rocev2_length(&packet), cases[i].length);
        assert_int_equal(rocev2_build(&packet, bytes), cases[i].length);
    }
}

/* Writes a short exchange: a WRITE with immediate, its ACK with CE, a READ
 * request, its response, a NAK, a CNP, two SENDs with invalidate and a PFC
 * frame. */
static void
write_capture(void)
{
    static const struct pause_frame pause = {
        .kind = PAUSE_FRAME_PFC, .priorities = 1 << 3, .quanta = {[3] = 65535}};
    struct rocev2_packet packets[] = {
        {.opcode = 0x0b,
         .ack_request = true,
         .qp = 0x11,
         .psn = 0xfffffe,
         .address = UINT64_C(0x123456789abc),
         .rkey = 0xcafe,
         .dma_length = 100,
         .immediate = 0xabcd,
         .payload_bytes = 99},
        {.opcode = 0x11,
         .ip = {.ecn = 3},
         .qp = 0x22,
         .psn = 0xfffffe,
         .syndrome = 0x1f,
         .msn = 1},
        {.opcode = 0x0c,
         .qp = 0x11,
         .psn = 0xffffff,
         .address = 0x1000,
         .rkey = 7,
         .dma_length = 4096},
        {.opcode = 0x10,
         .qp = 0x22,
         .psn = 0xffffff,
         .syndrome = 0x1f,
         .msn = 2,
         .payload_bytes = 512},
        {.opcode = 0x11, .qp = 0x22, .psn = 5, .syndrome = 0x60, .msn = 2},
        {.opcode = 0x81, .qp = 0x22, .becn = true, .ip = {.dscp = 48}},
        {.opcode = 0x16, .qp = 0x11, .rkey = 0x12345678, .payload_bytes = 12},
        {.opcode = 0x17,
         .ack_request = true,
         .qp = 0x11,
         .psn = 1,
         .rkey = 0xcafe,
         .payload_bytes = 8},
    };
    const size_t n = sizeof packets / sizeof packets[0];
    uint8_t bytes[ROCEV2_MAX_BYTES];
    struct pcap_writer *writer;

    assert_int_equal(pcap_writer_create(path, 65535, &writer, NULL), ST_OK);
    for (size_t i = 0; i < n; i++) {
        size_t length;

        packets[i].ip.source_ip = 0x0a000001;
        packets[i].ip.destination_ip = 0x0a000102;
        packets[i].source_port = 0xc123;
        packets[i].ip.ttl = 64;
        length = rocev2_build(&packets[i], bytes);
        pcap_writer_add(writer, (int64_t)i * US + 1999, bytes, length, length);
    }
    pause_frame_build(&pause, UINT64_C(0x020000000001), bytes);
    pcap_writer_add(writer, (int64_t)n * US, bytes, PAUSE_FRAME_BYTES,
                    PAUSE_FRAME_BYTES);
    assert_int_equal(pcap_writer_close(writer, NULL), ST_OK);
}

static void
test_captures_are_read_back(void **state)
{
    static uint8_t bytes[65536];
    FILE *file;
    struct pcap pcap;
    struct pcap_frame frame;
    size_t size;
    int n = 0;

    (void)state;
    write_capture();
    file = fopen(path, "rb");
    size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    assert_int_equal(pcap_open(&pcap, bytes, size, NULL), ST_OK);
    while (!pcap_next(&pcap, &frame, NULL)) {
        /* Relative to the first, at 1 ns; rounded down to ns. */
        assert_int_equal(frame.when_ps, n < 8 ? n * US : n * US - 1000);
        assert_int_equal(frame.n, frame.length_bytes);
        n++;
    }
    assert_int_equal(n, 9);
}

static void
test_snap_length_cuts(void **state)
{
    static const uint8_t bytes[100] = {1, 2, 3};
    struct pcap_writer *writer;
    uint8_t file_bytes[200];
    struct pcap pcap;
    struct pcap_frame frame;
    size_t size;
    FILE *file;

    (void)state;
    assert_int_equal(pcap_writer_create(path, 64, &writer, NULL), ST_OK);
    pcap_writer_add(writer, 0, bytes, 100, 1082);
    assert_int_equal(pcap_writer_close(writer, NULL), ST_OK);
    file = fopen(path, "rb");
    size = fread(file_bytes, 1, sizeof file_bytes, file);
    fclose(file);
    assert_int_equal(size, 24 + 16 + 64);
    /* Magic, version, time zone, accuracy, snap length, link type. */
    assert_memory_equal(
        file_bytes,
        "\x4d\x3c\xb2\xa1\2\0\4\0\0\0\0\0\0\0\0\0\x40\0\0\0\1\0\0\0", 24);
    assert_int_equal(pcap_open(&pcap, file_bytes, size, NULL), ST_OK);
    assert_int_equal(pcap_next(&pcap, &frame, NULL), ST_OK);
    assert_int_equal(frame.n, 64);
    assert_int_equal(frame.length_bytes, 1082);
}

static void
test_errors_of_files(void **state)
{
    struct pcap_writer *writer = NULL;
    struct err err = {0};

    (void)state;
    assert_int_equal(pcap_writer_create("/nowhere/x", 64, &writer, &err),
                     ST_IO);
    assert_non_null(strstr(err.reason, "/nowhere/x"));
    if (access("/dev/full", W_OK)) {
        return;
    }
    assert_int_equal(pcap_writer_create("/dev/full", 64, &writer, &err), ST_OK);
    assert_int_equal(pcap_writer_close(writer, &err), ST_IO);
    assert_non_null(strstr(err.reason, "/dev/full"));
}

/* Runs 'command' and returns its output in 'output'; false if it fails. */
static bool
run(const char *command, char *output, size_t size)
{
    FILE *pipe = popen(command, "r");
    size_t n;

    assert_non_null(pipe);
    n = fread(output, 1, size - 1, pipe);
    output[n] = '\0';
    return pclose(pipe) == 0;
}

static void
test_tshark_decodes(void **state)
{
    static const char wanted[] =
        "4791,11,1,0x000011,16777214,0x0000123456789abc,0x0000cafe,100,,,"
        "0000abcd,,0,0,,\n"
        "4791,17,0,0x000022,16777214,,,,31,1,,,3,0,,\n"
        "4791,12,0,0x000011,16777215,0x0000000000001000,0x00000007,4096,,,,"
        ",0,0,,\n"
        "4791,16,0,0x000022,16777215,,,,31,2,,,0,0,,\n"
        "4791,17,0,0x000022,5,,,,96,2,,,0,0,,\n"
        "4791,129,0,0x000022,0,,,,,,,,0,48,,\n"
        "4791,22,0,0x000011,0,,,,,,,12345678,0,0,,\n"
        "4791,23,1,0x000011,1,,,,,,,0000cafe,0,0,,\n"
        ",,,,,,,,,,,,,,0x0101,65535\n";
    char output[4096], command[1024];

    (void)state;
    if (!run("command -v tshark", output, sizeof output)) {
        print_message("tshark is not installed\n");
        skip();
    }
    write_capture();
    text_format(command, sizeof command,
                "tshark -n -r %s -T fields -E separator=, -E occurrence=f -e "
                "udp.dstport"
                " -e infiniband.bth.opcode -e infiniband.bth.a"
                " -e infiniband.bth.destqp -e infiniband.bth.psn"
                " -e infiniband.reth.va -e infiniband.reth.r_key"
                " -e infiniband.reth.dmalen -e infiniband.aeth.syndrome"
                " -e infiniband.aeth.msn -e infiniband.immdt"
                " -e infiniband.ieth -e ip.dsfield.ecn"
                " -e ip.dsfield.dscp -e macc.opcode -e macc.cbfc.pause_time.c3"
                " 2>/dev/null",
                path);
    assert_true(run(command, output, sizeof output));
    assert_string_equal(output, wanted);
}

static int
make_file(void **state)
{
    const int file = mkstemp(path);

    (void)state;
    return file < 0 ? -1 : close(file);
}

static int
remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_icrc_of_a_known_packet),
        cmocka_unit_test(test_icrc_ignores_what_the_way_changes),
        cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_captures_are_read_back),
        cmocka_unit_test(test_snap_length_cuts),
        cmocka_unit_test(test_errors_of_files),
        cmocka_unit_test(test_tshark_decodes),
    };

    return cmocka_run_group_tests(tests, make_file, remove_file);
}
