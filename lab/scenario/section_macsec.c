/* SPDX-License-Identifier: Apache-2.0 */

/* Reads MACsec of a link. */

#include <config.h>

#include <libfyaml.h>
#include <string.h>

#include "base/arena.h"
#include "lab/scenario/sections.h"

static const char *const forms[] = {
#define X(member, name) name,
    MACSEC_FORMS(X)
#undef X
        NULL,
};

static const char *const accepts[] = {
#define X(name, bits) name,
    MACSEC_ACCEPTS(X)
#undef X
        NULL,
};

#define AT(member) offsetof(struct macsec_spec, member)

static const struct field macsec_fields[] = {
    {"lower_sends", FIELD_WORD, AT(sends[0]), NULL, "clear", forms},
    {"lower_accepts", FIELD_WORD, AT(accepts[0]), NULL, "both", accepts},
    {"upper_sends", FIELD_WORD, AT(sends[1]), NULL, "clear", forms},
    {"upper_accepts", FIELD_WORD, AT(accepts[1]), NULL, "both", accepts},
};

#undef AT

enum st
section_macsec(struct reader *reader, struct fy_node *node,
               const struct macsec_spec **made)
{
    struct macsec_spec *macsec = arena_alloc(reader->arena, 1, sizeof *macsec);
    bool is_on = false;
    enum st st = fields_on_off(reader, node, "'macsec'", &is_on);

    fields_init(reader, macsec_fields, N_FIELDS(macsec_fields), macsec);
    *made = is_on ? macsec : NULL;
    if (!st && fy_node_is_mapping(node)) {
        st = fields_read(reader, node, "'macsec'", macsec_fields,
                         N_FIELDS(macsec_fields), macsec, NULL);
    }
    return st;
}
