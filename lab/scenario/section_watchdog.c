/* SPDX-License-Identifier: Apache-2.0 */

/* Reads the watchdogs of PFC: 'watchdog' of a switch, 'card' of a host. */

#include <config.h>

#include <libfyaml.h>
#include <string.h>

#include "base/picoseconds.h"
#include "lab/scenario/sections.h"

static const char *const actions[] = {
#define X(member, name) name,
    WATCHDOG_ACTIONS(X)
#undef X
        NULL,
};

static const char *const ports[] = {
#define X(member, name) name,
    WATCHDOG_PORTS(X)
#undef X
        NULL,
};

#define AT(member) offsetof(struct watchdog_spec, member)

/* Those of a card come first.  Times have the ranges of CONFIG_DB. */
static const struct field watchdog_fields[] = {
    {"detection", FIELD_TIME, AT(detection_ps), "100ms..5s", "200ms", NULL},
    {"restoration", FIELD_TIME, AT(restoration_ps), "100ms..60s", "400ms",
     NULL},
    {"poll", FIELD_TIME, AT(poll_ps), "100ms..3s", "100ms", NULL},
    {"priorities", FIELD_BITS, AT(priorities), "0..7", "3, 4", NULL},
    {"action", FIELD_WORD, AT(action), NULL, "drop", actions},
    {"ports", FIELD_WORD, AT(ports), NULL, "hosts", ports},
};

enum { N_CARD_FIELDS = 4 };

#undef AT

void
section_watchdog_init(struct reader *reader, struct watchdog_spec *watchdog)
{
    *watchdog = (struct watchdog_spec){.enabled = false};
    fields_init(reader, watchdog_fields, N_FIELDS(watchdog_fields), watchdog);
}

enum st
section_watchdog(struct reader *reader, struct fy_node *node, bool is_card,
                 struct watchdog_spec *watchdog)
{
    const char *what = is_card ? "'card'" : "'watchdog'";
    const size_t n = is_card ? N_CARD_FIELDS : N_FIELDS(watchdog_fields);
    enum st st = fields_on_off(reader, node, what, &watchdog->enabled);

    if (st || !fy_node_is_mapping(node)) {
        return st;
    }
    st = fields_read(reader, node, what, watchdog_fields, n, watchdog, NULL);
    if (!st && (watchdog->detection_ps % PS_PER_MS ||
                watchdog->restoration_ps % PS_PER_MS ||
                watchdog->poll_ps % PS_PER_MS)) {
        st = document_fail(reader->document, node, reader->err,
                           "the times of %s are whole milliseconds, as in "
                           "CONFIG_DB",
                           what);
    }
    return st;
}
