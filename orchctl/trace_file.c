/* SPDX-License-Identifier: Apache-2.0 */

/* Writes traces as CSV or pcap. */

#include <config.h>

#include "orchctl/trace_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/check.h"
#include "base/text.h"
#include "results/csv.h"
#include "results/pcap_writer.h"
#include "results/rocev2.h"

enum {
    SNAP_BYTES = 65535,
    HEADER_BYTES = 14, /* Of Ethernet. */
    TAG_BYTES = 4,
    TYPE_TAG = 0x8100,
    TYPE_LOCAL = 0x88b5,      /* For experiments (IEEE 802). */
    ROCE_BYTES = 20 + 8 + 12, /* IP, UDP, BTH, ... */
    ROCE_END_BYTES = 4,       /* ... ICRC. */
    WRITE_MIDDLE = 0x07,      /* No extended header, no message to decode. */
    FIRST_QP = 2,             /* Below are those of management. */
    FIRST_FLOW_PORT = 0xc000, /* A source port, if none is known. */
    IP_NET = 10 << 24,
};

enum format { FORMAT_CSV, FORMAT_PCAP, N_FORMATS };

static const char *const suffixes[] = {".csv", ".pcap"};

struct trace_file {
    char *path;
    struct trace_sink sink;
    FILE *csv;                /* NULL: a pcap. */
    struct pcap_writer *pcap; /* NULL: a CSV. */
    int error;                /* The first; 0: none. */
};

/* --- Paths --------------------------------------------------------------- */

/* Returns the format of 'path', N_FORMATS: it has no known suffix. */
static enum format
format_of(const char *path)
{
    const char *dot = strrchr(path, '.');
    size_t i = 0;

    while (i < N_FORMATS && (!dot || strcmp(dot, suffixes[i]) != 0)) {
        i++;
    }
    return (enum format)i;
}

enum st
trace_file_check(const char *path, struct err *err)
{
    if (format_of(path) != N_FORMATS) {
        return ST_OK;
    }
    (void)err_set(err, ST_INVALID, "usage",
                  "--trace-file %s: the suffix chooses the format", path);
    err_set_field(err, "trace-file", path, ".csv, .pcap");
    return ST_INVALID;
}

char *
trace_file_path(const char *path, size_t number, size_t n)
{
    const char *dot = strrchr(path, '.');
    struct text text = {0};

    if (n <= 1 || !dot) {
        return check_strdup(path);
    }
    text_add_bytes(&text, path, (size_t)(dot - path));
    text_addf(&text, "-%zu%s", number, dot);
    return text_take(&text);
}

/* --- CSV ----------------------------------------------------------------- */

/* Writes 'value' and a comma; nothing but the comma if it does not apply. */
static void
write_number(FILE *file, bool applies, uint64_t value)
{
    if (applies && value != TRACE_NO_LIMIT) {
        fprintf(file, "%" PRIu64, value);
    }
    putc(',', file);
}

static void
write_priority(FILE *file, int priority)
{
    if (priority == TRACE_ALL_PRIORITY) {
        fputs("all", file);
    } else if (priority != TRACE_NO_PRIORITY) {
        fprintf(file, "%d", priority);
    }
    putc(',', file);
}

/* Of a struct trace_sink. */
static void
write_event(void *context, const struct trace_event *event)
{
    struct trace_file *trace = context;
    FILE *file = trace->csv;
    const bool is_level = event->kind == TRACE_LEVEL;
    const bool is_frame =
        event->kind == TRACE_MARK || event->kind == TRACE_DROP;
    char object[256] = "";

    if (event->object.name) {
        target_object_text(&event->object, object, sizeof object);
    }
    fprintf(file, "%" PRId64 ",%s,", event->now_ps,
            trace_kind_word(event->kind));
    csv_write_text(object, file);
    putc(',', file);
    write_priority(file, event->priority);
    write_number(file, is_level, event->reserved_bytes);
    write_number(file, is_level, event->shared_bytes);
    write_number(file, is_level && event->object.kind != TARGET_QUEUE,
                 event->headroom_bytes);
    write_number(file, is_level, event->threshold_bytes);
    write_number(file, is_level, event->headroom_limit_bytes);
    write_number(file, is_frame, event->frame_bytes);
    csv_write_text(event->reason ? event->reason : "", file);
    putc('\n', file);
    if (ferror(file) && !trace->error) {
        trace->error = errno ? errno : EIO;
    }
}

/* --- pcap ---------------------------------------------------------------- */

static void
put_number(uint8_t *bytes, uint64_t number, unsigned int n)
{
    for (unsigned int i = 0; i < n; i++) {
        bytes[i] = (uint8_t)(number >> 8 * (n - 1 - i));
    }
}

/* Writes a frame of zeros with the headers of 'frame', which is no IP or too
 * short for RoCE, and returns its length. */
static size_t
build_plain(const struct trace_frame *frame, uint8_t *bytes)
{
    uint8_t *at = bytes + 12;

    memset(bytes, 0, frame->length_bytes);
    put_number(bytes, frame->destination_mac, 6);
    put_number(bytes + 6, frame->source_mac, 6);
    if (frame->has_tag) {
        put_number(at, TYPE_TAG, 2);
        put_number(at + 2, (uint64_t)(frame->pcp << 13 | frame->vlan), 2);
        at += TAG_BYTES;
    }
    put_number(at, TYPE_LOCAL, 2);
    return frame->length_bytes;
}

/* Returns how many bytes of a RoCEv2 packet with the headers of 'frame' are not
 * payload. */
static uint32_t
around_payload(const struct trace_frame *frame)
{
    return HEADER_BYTES + ROCE_BYTES + ROCE_END_BYTES +
           (frame->has_tag ? TAG_BYTES : 0u);
}

/* Returns whether a RoCEv2 packet can be as long as 'frame'. */
static bool
fits_roce(const struct trace_frame *frame)
{
    const uint32_t around = around_payload(frame);

    return frame->dscp >= 0 && frame->length_bytes >= around &&
           frame->length_bytes - around <= ROCEV2_MAX_PAYLOAD;
}

/* Writes 'frame' as a RoCEv2 packet, and returns its length. */
static size_t
build_roce(const struct trace_frame *frame, uint8_t *bytes)
{
    const uint32_t payload =
        (frame->length_bytes - around_payload(frame)) / 4 * 4;
    const struct rocev2_packet packet = {
        .ip = {.source_mac = frame->source_mac,
               .destination_mac = frame->destination_mac,
               .source_ip = IP_NET | (uint32_t)(frame->source_mac & 0xffff),
               .destination_ip =
                   IP_NET | (uint32_t)(frame->destination_mac & 0xffff),
               .ip_id = frame->ip_id,
               .dscp = (uint8_t)frame->dscp,
               .ecn = frame->ecn,
               .ttl = frame->ttl ? frame->ttl : 64,
               .tagged = frame->has_tag,
               .vlan = frame->vlan,
               .pcp = frame->pcp},
        .source_port =
            frame->source_port ? frame->source_port : FIRST_FLOW_PORT,
        .opcode = WRITE_MIDDLE,
        .qp = FIRST_QP,
        .payload_bytes = (uint16_t)payload,
    };
    size_t n = rocev2_build(&packet, bytes);

    if (n < frame->length_bytes) {
        memset(bytes + n, 0, frame->length_bytes - n);
        n = frame->length_bytes;
    }
    return n;
}

/* Of a struct trace_sink. */
static void
write_frame(void *context, const struct trace_frame *frame)
{
    static uint8_t bytes[SNAP_BYTES + 1];
    const struct trace_file *trace = context;
    size_t n;

    if (frame->bytes) {
        const uint32_t length = frame->length_bytes > frame->n_bytes
                                    ? frame->length_bytes
                                    : frame->n_bytes;

        pcap_writer_add(trace->pcap, frame->now_ps, frame->bytes,
                        frame->n_bytes, length);
        return;
    }
    if (frame->length_bytes < HEADER_BYTES + TAG_BYTES ||
        frame->length_bytes > SNAP_BYTES) {
        return; /* No frame of the twin has such a length. */
    }
    n = fits_roce(frame) ? build_roce(frame, bytes) : build_plain(frame, bytes);
    pcap_writer_add(trace->pcap, frame->now_ps, bytes, n, n);
}

/* --- Files --------------------------------------------------------------- */

/* Creates the file, which must not exist. */
static enum st
claim(const char *path, struct err *err)
{
    const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

    if (fd >= 0) {
        close(fd);
        return ST_OK;
    }
    if (errno == EEXIST) {
        err_set(err, ST_EXISTS, "exists", "'%s' exists", path);
        err_set_remedy(err, "remove it, or give --trace-file another name");
        return ST_EXISTS;
    }
    return err_set(err, ST_IO, "unwritable", "cannot create '%s': %s", path,
                   strerror(errno));
}

static void
destroy(struct trace_file *file)
{
    free(file->path);
    free(file);
}

/* Opens the file, which exists, for its format. */
static enum st
open_format(struct trace_file *file, struct err *err)
{
    file->sink.context = file;
    if (format_of(file->path) == FORMAT_PCAP) {
        file->sink.frame = write_frame;
        return pcap_writer_create(file->path, SNAP_BYTES, &file->pcap, err);
    }
    file->sink.event = write_event;
    file->csv = fopen(file->path, "we");
    if (!file->csv) {
        return err_set(err, ST_IO, "unwritable", "cannot write '%s': %s",
                       file->path, strerror(errno));
    }
    fputs(TRACE_FILE_COLUMNS "\n", file->csv);
    return ST_OK;
}

enum st
trace_file_create(const char *path, struct trace_file **result,
                  const struct trace_sink **sink, struct err *err)
{
    struct trace_file *file;
    enum st st = trace_file_check(path, err);

    st = st ? st : claim(path, err);
    if (st) {
        return st;
    }
    file = check_calloc(1, sizeof *file);
    file->path = check_strdup(path);
    st = open_format(file, err);
    if (st) {
        (void)unlink(path);
        destroy(file);
        return st;
    }
    *result = file;
    *sink = &file->sink;
    return ST_OK;
}

/* Closes what is open. */
static enum st
close_format(struct trace_file *file, struct err *err)
{
    if (file->pcap) {
        return pcap_writer_close(file->pcap, err);
    }
    if (fclose(file->csv) && !file->error) {
        file->error = errno ? errno : EIO;
    }
    return file->error
               ? err_set(err, ST_IO, "unwritable", "cannot write '%s': %s",
                         file->path, strerror(file->error))
               : ST_OK;
}

enum st
trace_file_finish(struct trace_file *file, int64_t now_ps, struct err *err)
{
    enum st st;

    if (file->csv) {
        write_event(file, &(struct trace_event){.kind = TRACE_END,
                                                .now_ps = now_ps,
                                                .priority = TRACE_NO_PRIORITY});
    }
    st = close_format(file, err);
    if (st) {
        (void)unlink(file->path);
        err_set_remedy(err, "the incomplete trace was removed; make room, or "
                            "trace a shorter part with --until");
    }
    destroy(file);
    return st;
}

void
trace_file_abandon(struct trace_file *file)
{
    struct err unused;

    if (file) {
        (void)!close_format(file, &unused);
        (void)unlink(file->path);
        destroy(file);
    }
}
