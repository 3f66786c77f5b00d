/* SPDX-License-Identifier: Apache-2.0 */

/* Writes pcap files.
 *
 * The format is 24 bytes and 16 for each packet, and the project reads it with
 * code of its own; libpcap would add a dependency of the whole build, and its
 * writer does not say why it failed. */

#include <config.h>

#include "results/pcap_writer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/picoseconds.h"

#define MAGIC_NS      UINT32_C(0xa1b23c4d)
#define LINK_ETHERNET 1

struct pcap_writer {
    FILE *file;
    char *path;
    uint32_t snap_bytes;
    int error; /* The first; 0: none. */
};

/* Writes numbers of 32 bits, least significant byte first. */
static void
write_numbers(struct pcap_writer *writer, const uint32_t *numbers, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const uint8_t bytes[4] = {
            (uint8_t)numbers[i], (uint8_t)(numbers[i] >> 8),
            (uint8_t)(numbers[i] >> 16), (uint8_t)(numbers[i] >> 24)};

        if (fwrite(bytes, sizeof bytes, 1, writer->file) != 1 &&
            !writer->error) {
            writer->error = errno ? errno : EIO;
        }
    }
}

static enum st
fail(const char *path, int error, struct err *err)
{
    return err_set(err, ST_IO, "unwritable", "cannot write '%s': %s", path,
                   strerror(error));
}

enum st
pcap_writer_create(const char *path, uint32_t snap_bytes,
                   struct pcap_writer **result, struct err *err)
{
    /* Version 2.4, in one word; no time zone, no accuracy. */
    const uint32_t header[] = {MAGIC_NS, 4u << 16 | 2, 0,
                               0,        snap_bytes,   LINK_ETHERNET};
    struct pcap_writer *writer;
    FILE *file = fopen(path, "wbe");

    orch_assert(snap_bytes && snap_bytes <= 65535);
    if (!file) {
        return fail(path, errno, err);
    }
    writer = check_calloc(1, sizeof *writer);
    writer->file = file;
    writer->path = check_strdup(path);
    writer->snap_bytes = snap_bytes;
    write_numbers(writer, header, sizeof header / sizeof header[0]);
    *result = writer;
    return ST_OK;
}

void
pcap_writer_add(struct pcap_writer *writer, int64_t t_ps, const uint8_t *bytes,
                size_t n, size_t length)
{
    const size_t kept = n < writer->snap_bytes ? n : writer->snap_bytes;
    const uint32_t header[] = {(uint32_t)(t_ps / PS_PER_S),
                               (uint32_t)(t_ps % PS_PER_S / PS_PER_NS),
                               (uint32_t)kept, (uint32_t)length};

    orch_assert(t_ps >= 0 && n <= length);
    write_numbers(writer, header, sizeof header / sizeof header[0]);
    if (kept && fwrite(bytes, kept, 1, writer->file) != 1 && !writer->error) {
        writer->error = errno ? errno : EIO;
    }
}

enum st
pcap_writer_close(struct pcap_writer *writer, struct err *err)
{
    enum st st;

    if (fclose(writer->file) && !writer->error) {
        writer->error = errno ? errno : EIO;
    }
    st = writer->error ? fail(writer->path, writer->error, err) : ST_OK;
    free(writer->path);
    free(writer);
    return st;
}
