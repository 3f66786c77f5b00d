/* SPDX-License-Identifier: Apache-2.0 */

/* Messages of clients that mean no good.
 *
 * An input is a stream as it would come from a socket, of which each message is
 * handed to a host with softasic behind it.  A byte before each says how its
 * header is made, so that a mutation need not guess lengths: 0 to 7 for a kind
 * of message with as many bytes as the next two say; 8 for a header as it is.
 * Whatever the host answers must be messages of the protocol. */

#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "sai/remote/sai_host.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/snapshot.h"
#include "tests/fuzz/switch.h"
#include "vendors/softasic/remote/marshal.h"
#include "vendors/softasic/remote/ops_host.h"
#include "vendors/softasic/sai/library.h"

enum { MAX_MESSAGES = 64, MAX_SHORT = 64 };

/* Takes one message out of the input; false if there is none. */
static bool
next_message(struct bytes *input, struct message_header *header,
             const uint8_t **body)
{
    const uint8_t form = bytes_u8(input);
    uint8_t raw[MESSAGE_HEADER_BYTES] = {0};

    if (form < MESSAGE_END) {
        header->kind = form ? (enum message_kind)form : MESSAGE_CALL;
        header->sequence = form;
        header->n_bytes = bytes_u8(input);
        header->n_bytes |= (uint32_t)bytes_u8(input) << 8;
    } else {
        memcpy(raw, input->next,
               input->left < sizeof raw ? input->left : sizeof raw);
        input->next += input->left < sizeof raw ? input->left : sizeof raw;
        input->left -= input->left < sizeof raw ? input->left : sizeof raw;
        if (!message_header(raw, header)) {
            return false;
        }
    }
    if (header->n_bytes > input->left) {
        header->n_bytes = (uint32_t)input->left;
    }
    *body = input->next;
    input->next += header->n_bytes;
    input->left -= header->n_bytes;
    return true;
}

/* Looks whether all that was answered is messages. */
static void
check_answers(struct wire_out *out)
{
    struct message_header header;
    size_t at = 0;

    while (at < out->length) {
        FUZZ_CHECK(out->length - at >= MESSAGE_HEADER_BYTES);
        FUZZ_CHECK(message_header(out->bytes + at, &header));
        at += MESSAGE_HEADER_BYTES + header.n_bytes;
    }
    FUZZ_CHECK(at == out->length);
    out->length = 0;
}

/* Sends HELLO as a writer. */
static void
send_hello(struct session *session)
{
    const struct message_hello hello = {
        .version = MESSAGE_VERSION, .role = MESSAGE_WRITER, .subscribe = true};
    struct wire_out out = {0};
    struct message_header header = {.kind = MESSAGE_HELLO};

    message_put_hello(&out, &hello);
    header.n_bytes = (uint32_t)out.length;
    FUZZ_CHECK(session_message(session, &header, out.bytes));
    wire_out_fini(&out);
}

/* Returns the body of a message, in 'copy' (MAX_SHORT bytes) with a smaller
 * number if it asks for time to pass: the switch then simulates as long as it
 * is asked to, which may be years. */
static const uint8_t *
bounded(const struct message_header *header, const uint8_t *body, uint8_t *copy)
{
    enum { NUMBER = 4, LOW_BYTES = 3 };
    const bool is_short = header->kind == MESSAGE_EXTRA &&
                          header->n_bytes >= NUMBER + sizeof(uint64_t) &&
                          header->n_bytes <= MAX_SHORT;

    if (!is_short ||
        (body[0] != MARSHAL_OP_run && body[0] != MARSHAL_OP_step)) {
        return body;
    }
    memcpy(copy, body, header->n_bytes);
    memset(copy + NUMBER + LOW_BYTES, 0, sizeof(uint64_t) - LOW_BYTES);
    return copy;
}

static struct sai_backend *backend;

static void
make(void)
{
    backend = switch_begin();
}

static void
run(const uint8_t *data, size_t size)
{
    struct bytes input = {data, size};
    const bool with_hello = bytes_u8(&input) != 0;
    struct host_extras extras;
    const struct sai_host_watcher watcher = {0};
    struct host_library library = {
        .backend = backend,
        .release = SAI_API_VERSION,
        .sai_object_type_query = sai_object_type_query,
        .sai_get_object_count = sai_get_object_count,
        .sai_get_object_key = sai_get_object_key,
        .sai_object_type_get_availability = sai_object_type_get_availability,
        .sai_query_attribute_capability = sai_query_attribute_capability,
        .sai_query_attribute_enum_values_capability =
            sai_query_attribute_enum_values_capability,
        .sai_query_stats_capability = sai_query_stats_capability,
        .sai_query_object_stage = sai_query_object_stage,
        .extras = &extras,
    };
    struct message_header header;
    struct wire_out out = {0};
    uint8_t copy[MAX_SHORT];
    struct session *session;
    const uint8_t *body;
    struct sai_host *host;

    ops_host_init(&extras, softasic_ops(SOFTASIC_OPS_VERSION));
    host = sai_host_create(&library, &watcher);
    FUZZ_CHECK(host);
    session = session_open(host, &out);
    if (with_hello) {
        send_hello(session);
    }
    for (int i = 0; i < MAX_MESSAGES && bytes_more(&input); i++) {
        if (!next_message(&input, &header, &body) ||
            !session_message(session, &header, bounded(&header, body, copy))) {
            break;
        }
        sai_host_notify(host);
        check_answers(&out);
    }
    check_answers(&out);
    session_close(session);
    sai_host_destroy(host);
    wire_out_fini(&out);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct snapshot_job job = {
        .make = make,
        .run = run,
        .end = switch_end,
        .variables = {{library_get(), sizeof *library_get()},
                      {&backend, sizeof backend}}};

    snapshot_run(&job, data, size);
    return 0;
}
