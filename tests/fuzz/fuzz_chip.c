/* SPDX-License-Identifier: Apache-2.0 */

/* Chip files.
 *
 * What is refused says why, and where.  What is accepted is a chip that a
 * switch can be made of: its arithmetic works at its own limits, and a buffer
 * of it takes a port and a packet. */

#include <config.h>

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/text.h"
#include "tests/fuzz/fuzz.h"
#include "twin/chip/yaml/chip_file.h"
#include "twin/switch/sim.h"

/* Larger chips are legitimate but take their time. */
enum { MAX_CELLS = 1 << 16, MAX_PLACES = 1 << 12, MAX_PARTS = 1 << 12 };

static void
check_arithmetic(const struct chip *chip)
{
    FUZZ_CHECK(chip_packet_cells(chip, 0) >= 1);
    FUZZ_CHECK(chip_packet_cells(chip, 65535) >= 1);
    FUZZ_CHECK(chip_cells_to_bytes(chip, chip_memory_cells(chip)) <=
               chip->memory_bytes);
    for (int i = -200; i <= 200; i++) {
        int exponent = chip_alpha_exponent(chip, i);

        FUZZ_CHECK(exponent >= -128 && exponent <= 127);
    }
    for (uint32_t i = 0; i < 200; i++) {
        FUZZ_CHECK(chip_partition(chip, i % chip->ports, i * 7) <
                   chip->partitions);
        (void)chip_leak_out(chip, i * 5000);
    }
    for (size_t i = 0; i < chip->n_hwskus; i++) {
        (void)chip_matches(chip, "Force10-S6000");
        (void)chip_matches(chip, chip->hwskus[i]);
    }
}

static void
check_switch(const struct chip *chip)
{
    static const struct sim_port_config up = {
        .speed_mbps = 10000, .admin_up = true, .tx_enabled = true};
    static const struct sim_frame frame = {.length_bytes = 1000};
    struct sim *sim = sim_create(chip);

    FUZZ_CHECK(sim_port_add(sim, 0, chip->first_lane, &up) == ST_OK);
    if (chip->ports > 1) {
        FUZZ_CHECK(sim_port_add(sim, chip->ports - 1, 65535, &up) == ST_OK);
    }
    FUZZ_CHECK(sim_send(sim, 0, &frame, 3, 0, NULL) == ST_OK);
    (void)sim_settle(sim);
    FUZZ_CHECK(mmu_check(sim_mmu(sim)) == NULL);
    sim_destroy(sim);
}

/* Reads what a chip is to differ in. */
static void
try_variation(const struct chip *base, const char *text)
{
    struct chip *chip = NULL;
    struct err err = {0};
    enum st st = chip_file_vary(base, text, "more.yaml", &chip, &err);

    if (st == ST_OK) {
        check_arithmetic(chip);
        chip_file_destroy(chip);
    } else {
        FUZZ_CHECK(st == ST_INVALID || st == ST_UNSUPPORTED);
        FUZZ_CHECK(err.status == st && err.code[0] && err.reason[0]);
    }
}

/* The same text is refused or accepted as a file. */
static void
check_file(const char *text, enum st wanted)
{
    const int fd = memfd_create("chip", MFD_CLOEXEC);
    const size_t size = strlen(text);
    struct chip *chip = NULL;
    struct err err = {0};
    char path[64];

    orch_assert(fd >= 0);
    orch_assert(write(fd, text, size) == (ssize_t)size);
    text_format(path, sizeof path, "/proc/self/fd/%d", fd);
    FUZZ_CHECK(chip_file_load_file(path, &chip, &err) == wanted);
    FUZZ_CHECK(wanted == ST_OK || strstr(err.reason, path));
    chip_file_destroy(chip);
    close(fd);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = bytes_text(data, size);
    char *more = strstr(text, "#more\n");
    struct chip *chip = NULL;
    struct err err = {0};
    enum st st;

    if (more) {
        *more = '\0';
        more += strlen("#more\n");
    }
    st = chip_file_parse(text, "input.yaml", &chip, &err);
    if (fuzz_is_due(data, size, 8)) {
        check_file(text, st);
    }
    if (st == ST_OK) {
        try_variation(chip, more ? more : "");
        check_arithmetic(chip);
        if (chip_memory_cells(chip) <= MAX_CELLS &&
            chip->ports * (chip->pgs_per_port + chip->queues_per_port) <=
                MAX_PLACES &&
            chip->partitions * (chip->pools + 1) <= MAX_PARTS) {
            check_switch(chip);
        }
        chip_file_destroy(chip);
    } else {
        FUZZ_CHECK(st == ST_INVALID || st == ST_UNSUPPORTED);
        FUZZ_CHECK(err.status == st && err.code[0] && err.reason[0]);
        FUZZ_CHECK(chip == NULL);
    }
    free(text);
    return 0;
}
