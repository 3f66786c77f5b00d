/* SPDX-License-Identifier: Apache-2.0 */

/* The files of a switch vendor that orchd is started with: lossless profiles by
 * speed and cable, parameters of the chip, zero profiles.
 *
 * An input is each of them.  What is refused is explained with the name of the
 * file and leaves nothing; what is accepted holds what its header says. */

#include <config.h>

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/text.h"
#include "orchd/derive/dynamic_state.h"
#include "orchd/derive/headroom.h"
#include "orchd/derive/llr_lookup.h"
#include "orchd/derive/pg_profile_lookup.h"
#include "orchd/derive/shipped_lookups.h"
#include "orchd/derive/zero_profiles.h"
#include "orchd/files/asic_file.h"
#include "orchd/files/lookup_file.h"
#include "orchd/files/zero_file.h"
#include "orchd/intent/content.h"
#include "tests/fuzz/fuzz.h"

/* Real tables have some dozens. */
enum { MANY = 64 };

/* A refusal is explained. */
static void
check_refusal(enum st status, const struct err *err, const char *path)
{
    FUZZ_CHECK(status == ST_INVALID || status == ST_IO ||
               status == ST_NOT_FOUND);
    FUZZ_CHECK(err->status == status && err->code[0]);
    FUZZ_CHECK(strstr(err->reason, path) != NULL);
}

/* Writes 'lookup' in columns and reads that again. */
static void
check_columns(const struct pg_profile_lookup *lookup)
{
    struct pg_profile_lookup again = {0};
    struct text text = {0};
    struct err err = {0};

    for (size_t i = 0; i < lookup->n; i++) {
        const struct pg_profile_lookup_entry *entry = &lookup->entries[i];

        text_addf(&text,
                  "%" PRIu32 "\t%" PRIu32 "m %" PRIu64 " %" PRIu64 " %" PRIu64
                  "  %" PRId64,
                  entry->pair.speed_mbps, entry->pair.cable_m, entry->size,
                  entry->xon, entry->xoff, entry->threshold);
        if (entry->has_xon_offset) {
            text_addf(&text, " %" PRIu64, entry->xon_offset);
        }
        text_add(&text, " # row\r\n");
    }
    FUZZ_CHECK(pg_profile_lookup_parse(&again, text_string(&text), "t", &err) ==
               ST_OK);
    FUZZ_CHECK(again.n == lookup->n);
    for (size_t i = 0; i < again.n; i++) {
        const struct pg_profile_lookup_entry *a = &again.entries[i];
        const struct pg_profile_lookup_entry *b = &lookup->entries[i];

        FUZZ_CHECK(a->pair.speed_mbps == b->pair.speed_mbps &&
                   a->pair.cable_m == b->pair.cable_m);
        FUZZ_CHECK(a->size == b->size && a->xon == b->xon &&
                   a->xoff == b->xoff && a->threshold == b->threshold);
        FUZZ_CHECK(a->has_xon_offset == b->has_xon_offset &&
                   a->xon_offset == b->xon_offset);
    }
    text_fini(&text);
    pg_profile_lookup_fini(&again);
}

static void
check_lookup(const struct pg_profile_lookup *lookup)
{
    FUZZ_CHECK(lookup->n > 0);
    for (size_t i = 0; i < lookup->n && i < MANY; i++) {
        const struct pg_profile_lookup_entry *entry = &lookup->entries[i];
        const struct pg_profile_lookup_entry *next = entry + 1;
        struct err err = {0};

        FUZZ_CHECK(pg_profile_lookup_find(lookup, entry->pair.speed_mbps,
                                          entry->pair.cable_m) == entry);
        FUZZ_CHECK(entry->pair.cable_m <= HEADROOM_CABLE_MAX_M);
        FUZZ_CHECK(i + 1 == lookup->n ||
                   entry->pair.speed_mbps < next->pair.speed_mbps ||
                   (entry->pair.speed_mbps == next->pair.speed_mbps &&
                    entry->pair.cable_m < next->pair.cable_m));
        if (!pg_profile_lookup_find(lookup, entry->pair.speed_mbps,
                                    entry->pair.cable_m + 1)) {
            FUZZ_CHECK(pg_profile_lookup_explain_missing(
                           lookup, entry->pair.speed_mbps,
                           entry->pair.cable_m + 1, &err) == ST_NOT_FOUND);
            FUZZ_CHECK(!strcmp(err.code, "no-lookup") && err.reason[0]);
        }
    }
    check_columns(lookup);
}

static void
try_lookup(const char *path)
{
    struct pg_profile_lookup lookup = {0};
    struct err err = {0};
    enum st status = lookup_file_read(path, &lookup, &err);

    if (status) {
        check_refusal(status, &err, path);
        FUZZ_CHECK(!lookup.n && !lookup.entries);
    } else {
        check_lookup(&lookup);
    }
    pg_profile_lookup_fini(&lookup);
}

/* What a table has, rows of LLR_PROFILE can have. */
static void
try_llr(const char *path)
{
    struct llr_lookup lookup = {0};
    struct err err = {0};
    enum st status = lookup_file_read_llr(path, &lookup, &err);

    if (status) {
        check_refusal(status, &err, path);
        FUZZ_CHECK(!lookup.n && !lookup.entries);
    } else {
        FUZZ_CHECK(lookup.n > 0);
    }
    for (size_t i = 0; i < lookup.n && i < MANY; i++) {
        const struct llr_lookup_entry *entry = &lookup.entries[i];
        struct field fields[LLR_LOOKUP_FIELDS];
        size_t n = llr_lookup_fields(entry, fields);

        FUZZ_CHECK(llr_lookup_find(&lookup, entry->pair) == entry);
        FUZZ_CHECK(content_search(fields, n, "max_outstanding_frames"));
        FUZZ_CHECK(content_search(fields, n, "max_outstanding_bytes"));
    }
    llr_lookup_fini(&lookup);
}

static void
try_chip(const char *path)
{
    struct dynamic_state_chip chip = {.gearbox_ns = 7};
    struct err err = {0};
    enum st status = asic_file_read(path, &chip, &err);

    if (status) {
        check_refusal(status, &err, path);
        FUZZ_CHECK(!chip.known && chip.gearbox_ns == 7);
    } else {
        FUZZ_CHECK(chip.known && chip.asic.cell_size_bytes > 0);
        /* A gearbox may have no delay; without one there is none. */
        FUZZ_CHECK(chip.gearbox_ns <=
                   (*chip.gearbox ? HEADROOM_GEARBOX_MAX_NS : 0u));
    }
}

static void
try_zeros(const char *path)
{
    struct zero_profiles zeros = {0};
    struct err err = {0};
    enum st status = zero_file_read(path, &zeros, &err);

    if (status) {
        check_refusal(status, &err, path);
        FUZZ_CHECK(!zeros.n && !zeros.rows && !zeros.named[ZERO_INGRESS]);
    }
    for (size_t i = 0; i < zeros.n; i++) {
        const struct zero_row *row = &zeros.rows[i];

        FUZZ_CHECK(zero_profiles_find(&zeros, row->table, row->key) == row);
        FUZZ_CHECK(!strcmp(zero_field(row, "size"), "0"));
    }
    zero_profiles_fini(&zeros);
}

/* Reads the tables that come with chips, from a folder whose file is a link to
 * that at 'path', which is the same for all inputs. */
static void
try_shipped(const char *path)
{
    static const char name[] = "pg_lookup.ini";
    const char *folder = fuzz_folder(name);
    struct shipped_lookups shipped = {0};
    struct err err = {0};
    char link[128];
    enum st status;

    text_format(link, sizeof link, "%s/%s", folder, name);
    orch_assert(!symlink(path, link) || errno == EEXIST);
    status = lookup_file_read_shipped(folder, &shipped, &err);
    if (status) {
        check_refusal(status, &err, link);
        FUZZ_CHECK(!shipped.n && !shipped.tables);
    } else {
        FUZZ_CHECK(!shipped_lookups_find(&shipped, "no hwsku"));
    }
    shipped_lookups_fini(&shipped);
}

/* Returns a file with 'data', the same one for all inputs: the link of
 * try_shipped() names it by its number. */
static int
file_with(const uint8_t *data, size_t size)
{
    static int fd = -1;

    if (fd < 0) {
        fd = memfd_create("vendor", MFD_CLOEXEC);
        orch_assert(fd >= 0);
    }
    orch_assert(!ftruncate(fd, 0));
    orch_assert(pwrite(fd, data, size, 0) == (ssize_t)size);
    return fd;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[64];

    text_format(path, sizeof path, "/proc/self/fd/%d", file_with(data, size));
    try_lookup(path);
    try_llr(path);
    try_shipped(path);
    try_chip(path);
    try_zeros(path);
    return 0;
}
