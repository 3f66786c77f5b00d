/* SPDX-License-Identifier: Apache-2.0 */

/* A buffer of commands per database. */

#include <config.h>

#include "orchd/db/outbox.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/text.h"
#include "orchd/db/link.h"

/* Above this size, waiting for more commands saves nothing. */
#define FULL_BYTES ((size_t)64 * 1024)

/* The memory that a tray keeps: enough for a change, less than for a complete
 * load. */
#define KEPT_BYTES ((size_t)4 * 1024)

enum { N_TRAYS = OUTBOX_MESSAGES + 1 };

/* The commands for one database, one after the other. */
struct tray {
    struct text bytes;
    size_t *ends; /* The end of each command in 'bytes'. */
    size_t n, size;
};

struct outbox {
    struct tray trays[N_TRAYS];
    size_t n_bytes; /* Sum over all trays. */
};

/* The order in which they are sent. */
static const enum database order[] = {
    ASIC_DB, COUNTERS_DB,   FLEX_COUNTER_DB, CONFIG_DB,
    APPL_DB, APPL_STATE_DB, STATE_DB,        (enum database)OUTBOX_MESSAGES,
};

_Static_assert(sizeof order / sizeof *order == N_TRAYS,
               "the order lists all trays");

struct outbox *
outbox_create(void)
{
    return check_calloc(1, sizeof(struct outbox));
}

void
outbox_destroy(struct outbox *outbox)
{
    if (outbox) {
        for (size_t i = 0; i < N_TRAYS; i++) {
            text_fini(&outbox->trays[i].bytes);
            free(outbox->trays[i].ends);
        }
        free(outbox);
    }
}

/* The most bytes of a mark, a number and the end of a line. */
#define COUNT_MAX 23

/* Writes 'mark', a number and the end of the line to 'to', and returns what
 * follows. */
static char *
write_count(char *to, char mark, size_t count)
{
    char digits[20]; /* Of UINT64_MAX. */
    char *start = digits + sizeof digits;

    do {
        *--start = (char)('0' + count % 10);
        count /= 10;
    } while (count > 0);
    *to++ = mark;
    while (start < digits + sizeof digits) {
        *to++ = *start++;
    }
    *to++ = '\r';
    *to++ = '\n';
    return to;
}

void
outbox_add(struct outbox *outbox, enum database database,
           const struct link_args *args)
{
    struct tray *tray = &outbox->trays[database];
    size_t before = tray->bytes.length;
    char *to = write_count(text_room(&tray->bytes, COUNT_MAX), '*', args->n);

    text_use_room(&tray->bytes, to);
    for (size_t i = 0; i < args->n; i++) {
        const size_t length = strlen(args->strings[i]);

        to = text_room(&tray->bytes, COUNT_MAX + length + 2);
        to = write_count(to, '$', length);
        memcpy(to, args->strings[i], length);
        to += length;
        *to++ = '\r';
        *to++ = '\n';
        text_use_room(&tray->bytes, to);
    }
    if (tray->n == tray->size) {
        tray->size = tray->size ? 2 * tray->size : 64;
        tray->ends = check_realloc(tray->ends, tray->size * sizeof *tray->ends);
    }
    tray->ends[tray->n++] = tray->bytes.length;
    outbox->n_bytes += tray->bytes.length - before;
}

bool
outbox_empty(const struct outbox *outbox)
{
    return outbox->n_bytes == 0;
}

bool
outbox_full(const struct outbox *outbox)
{
    return outbox->n_bytes >= FULL_BYTES;
}

void
outbox_flush(struct outbox *outbox, outbox_send_fn *send, void *context)
{
    for (size_t i = 0; i < N_TRAYS; i++) {
        const struct tray *tray = &outbox->trays[order[i]];
        const char *bytes = text_string(&tray->bytes);
        size_t start = 0;

        for (size_t j = 0; j < tray->n; j++) {
            send(context, order[i], bytes + start, tray->ends[j] - start);
            start = tray->ends[j];
        }
    }
    outbox_clear(outbox);
}

void
outbox_clear(struct outbox *outbox)
{
    for (size_t i = 0; i < N_TRAYS; i++) {
        struct tray *tray = &outbox->trays[i];

        text_clear(&tray->bytes);
        tray->n = 0;
        if (tray->bytes.size > KEPT_BYTES) {
            text_fini(&tray->bytes);
            free(tray->ends);
            tray->ends = NULL;
            tray->size = 0;
        }
    }
    outbox->n_bytes = 0;
}
