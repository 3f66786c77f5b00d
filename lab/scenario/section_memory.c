/* SPDX-License-Identifier: Apache-2.0 */

/* Reads 'memory' of a host: what its programs register for RDMA. */

#include <config.h>

#include <libfyaml.h>

#include "lab/scenario/sections.h"

#define AT(member) offsetof(struct memory_spec, member)

static const struct field memory_fields[] = {
    {"slab", FIELD_BYTES, AT(slab_bytes), "4KiB..1GiB", "2MiB", NULL},
    {"limit", FIELD_BYTES, AT(limit_bytes), "4KiB..1024GiB", "256MiB", NULL},
    {"kept", FIELD_COUNT, AT(kept_slabs), "0..65536", "4", NULL},
    {"register", FIELD_TIME, AT(register_ps), "0..10ms", "0", NULL},
    {"copy", FIELD_RATE, AT(copy_bps), "0..3.2T", "0", NULL},
};

#undef AT

enum st
section_memory(struct reader *reader, struct fy_node *node,
               struct memory_spec *memory)
{
    bool is_on = true;
    enum st st = fields_on_off(reader, node, "'memory'", &is_on);

    if (st || !is_on) {
        *memory = (struct memory_spec){.enabled = false};
        return st;
    }
    if (!memory->enabled) {
        fields_init(reader, memory_fields, N_FIELDS(memory_fields), memory);
        memory->enabled = true;
    }
    if (fy_node_is_mapping(node)) {
        st = fields_read(reader, node, "'memory'", memory_fields,
                         N_FIELDS(memory_fields), memory, NULL);
    }
    if (!st && memory->slab_bytes & (memory->slab_bytes - 1)) {
        return document_fail(reader->document, node, reader->err,
                             "'slab' has to be a power of 2");
    }
    if (!st && memory->limit_bytes < memory->slab_bytes) {
        return document_fail(reader->document, node, reader->err,
                             "'limit' has to be 'slab' or more");
    }
    return st;
}
