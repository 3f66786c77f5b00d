/* SPDX-License-Identifier: Apache-2.0 */

/* A lanemap.ini and a port_config.ini of any bytes: refusals name the file and
 * a line or say that there is no port; of what is accepted no name and no lane
 * is there twice. */

#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "saihostd/sonic_files.h"
#include "tests/fuzz/fuzz.h"

/* Checks what was parsed. */
static void
check(enum st status, struct sonic_ports *ports, const struct err *err)
{
    if (status != ST_OK) {
        FUZZ_CHECK(ports->n == 0 && !ports->rows);
        FUZZ_CHECK(!strncmp(err->reason, "file", 4));
        return;
    }
    FUZZ_CHECK(ports->n > 0);
    for (size_t i = 0; i < ports->n; i++) {
        const struct sonic_port *port = &ports->rows[i];

        FUZZ_CHECK(*port->name && strlen(port->name) < SONIC_NAME_BYTES);
        FUZZ_CHECK(port->n_lanes >= 1 && port->n_lanes <= SONIC_LANES_MAX);
        for (size_t j = 0; j < i; j++) {
            FUZZ_CHECK(strcmp(port->name, ports->rows[j].name) != 0);
            FUZZ_CHECK(port->lanes[0] != ports->rows[j].lanes[0]);
        }
    }
    sonic_ports_fini(ports);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* In a block of its own, so that a read behind its end is seen. */
    char *text = check_malloc(size + !size);
    struct sonic_ports ports;
    struct err err = {0};
    enum st status;

    memcpy(text, data, size);
    status = sonic_lanemap_parse("file", text, size, &ports, &err);
    check(status, &ports, &err);
    status = sonic_port_config_parse("file", text, size, &ports, &err);
    check(status, &ports, &err);
    free(text);
    return 0;
}
