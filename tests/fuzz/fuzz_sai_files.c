/* SPDX-License-Identifier: Apache-2.0 */

/* The files of the SAI tools: a record to replay, and fault rules.
 *
 * The first byte chooses which of the two the rest is.  A refusal is explained
 * and names the file.  Of a record each line has a place, and its calls are
 * made on a switch that stores objects; a difference is described.  Accepted
 * rules are shown in a form that reads as the same rule. */

#include <config.h>

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/text.h"
#include "sai/replay/recording.h"
#include "sai/replay/replay.h"
#include "sai/stack/fault_rules.h"
#include "sai/stack/faults.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/snapshot.h"
#include "vendors/store/store.h"

static void
check_refusal(enum st status, const struct err *err, const char *path)
{
    FUZZ_CHECK(status == ST_INVALID || status == ST_IO ||
               status == ST_NOT_FOUND);
    FUZZ_CHECK(err->status == status && err->code[0] && err->reason[0]);
    FUZZ_CHECK(strstr(err->reason, path));
}

static struct store *store;

/* Makes the calls of a record. */
static void
try_replay(const struct recording *recording, bool skip_counters)
{
    const struct replay_options options = {recording->switch_id, skip_counters};
    struct replay_report report = {0};
    struct err err = {0};
    enum st status =
        replay_run(store_backend(store), &options, recording->lines,
                   recording->n_lines, &report, &err);

    FUZZ_CHECK(report.line <= recording->n_lines);
    FUZZ_CHECK(report.n_calls + report.n_skipped <= recording->n_lines);
    if (status) {
        FUZZ_CHECK(status == ST_INVALID || status == ST_NOT_FOUND);
        FUZZ_CHECK(err.status == status && err.code[0] && err.reason[0]);
    } else if (report.differs) {
        FUZZ_CHECK(report.what[0]);
        FUZZ_CHECK(strcmp(report.recorded, report.found) != 0);
    }
}

static void
try_record(const char *path, bool skip_counters)
{
    struct recording *recording = NULL;
    struct err err = {0};
    enum st status = recording_load(path, &recording, &err);

    if (status) {
        check_refusal(status, &err, path);
        FUZZ_CHECK(!recording);
        return;
    }
    for (size_t i = 0; i < recording->n_lines; i++) {
        FUZZ_CHECK(strstr(recording->places[i], path));
        FUZZ_CHECK(!strchr(recording->lines[i], '\n'));
    }
    try_replay(recording, skip_counters);
    recording_destroy(recording);
}

static void
no_sleep(void *context, int64_t ns)
{
    (void)context;
    (void)ns;
}

/* Reads what an active rule is shown as. */
static void
check_again(const struct faults_entry *entry)
{
    json_t *shown = fault_rules_show(entry);
    struct faults_rule again;
    struct err err = {0};

    FUZZ_CHECK(shown);
    json_object_del(shown, "id");
    json_object_del(shown, "matches");
    json_object_del(shown, "strikes");
    FUZZ_CHECK(!fault_rules_parse(shown, &again, &err));
    FUZZ_CHECK(again.status == entry->rule.status);
    FUZZ_CHECK(again.delay_ns == entry->rule.delay_ns);
    FUZZ_CHECK(again.type == entry->rule.type);
    FUZZ_CHECK(again.nth == entry->rule.nth);
    FUZZ_CHECK(again.every == entry->rule.every);
    json_decref(shown);
}

static void
try_rules(const char *path)
{
    struct sai_backend nothing = {0};
    struct faults *faults = faults_create(&nothing, no_sleep, NULL);
    const struct faults_entry *entries;
    struct err err = {0};
    enum st status = fault_rules_load(faults, path, &err);
    uint32_t n;

    entries = faults_entries(faults, &n);
    if (status) {
        check_refusal(status, &err, path);
        FUZZ_CHECK(!n);
    }
    for (uint32_t i = 0; i < n; i++) {
        check_again(&entries[i]);
    }
    faults_destroy(faults);
}

static void
make(void)
{
    const struct store_port ports[] = {{1, {1}}, {1, {2}}, {1, {3}}};
    const struct store_config config = {
        .ports = ports, .n_ports = 3, .n_queues = 2, .with_switch = true};

    store = store_create(&config);
}

static void
run(const uint8_t *data, size_t size)
{
    char path[64];
    int fd;

    if (!size) {
        return;
    }
    fd = memfd_create("sai", MFD_CLOEXEC);
    orch_assert(fd >= 0);
    orch_assert(write(fd, data + 1, size - 1) == (ssize_t)(size - 1));
    text_format(path, sizeof path, "/proc/self/fd/%d", fd);
    if (data[0] % 2) {
        try_rules(path);
    } else {
        try_record(path, data[0] & 2);
    }
    close(fd);
}

static void
end(void)
{
    store_destroy(store);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct snapshot_job job = {
        .make = make,
        .run = run,
        .end = end,
        .variables = {{&store, sizeof store}}};

    snapshot_run(&job, data, size);
    return 0;
}
