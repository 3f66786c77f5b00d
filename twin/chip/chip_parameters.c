/* SPDX-License-Identifier: Apache-2.0 */

/* A table of the members of a chip. */

#include <config.h>

#include "twin/chip/chip_parameters.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/check.h"
#include "base/text.h"
#include "twin/chip/chip.h"

#define WORDS(list, X)                                                         \
    (const char *const[])                                                      \
    {                                                                          \
        list(X)                                                                \
    }
#define X(member, text) text,

/* One parameter: a number of 'size' bytes, or the number of a word. */
static const struct parameter {
    const char *name;
    size_t offset, size;
    const char *const *words;
} parameters[] = {
#define NUMBER(name, member)                                                   \
    {                                                                          \
        name, offsetof(struct chip, member), sizeof((struct chip *)0)->member, \
            NULL                                                               \
    }
#define WORD(name, member, list)                                               \
    {                                                                          \
        name, offsetof(struct chip, member), sizeof((struct chip *)0)->member, \
            WORDS(list, X)                                                     \
    }
    NUMBER("cell_bytes", cell_bytes),
    NUMBER("packet_overhead_bytes", packet_overhead_bytes),
    NUMBER("packet_round_bytes", packet_round_bytes),
    NUMBER("memory_bytes", memory_bytes),
    NUMBER("partitions", partitions),
    NUMBER("shared_fixed_bytes", shared_limit.fixed_bytes),
    NUMBER("shared_minus_shp", shared_limit.minus_shp),
    NUMBER("shared_minus_pg_size", shared_limit.minus_pg_size),
    NUMBER("shared_minus_pg_min", shared_limit.minus_pg_min),
    NUMBER("shared_per_port_cells", shared_limit.per_port_cells),
    NUMBER("shared_minus_extra", shared_limit.minus_extra),
    NUMBER("shared_divided", shared_limit.divided),
    NUMBER("extra_cells", extra_cells),
    NUMBER("pool_round_bytes", pool_round_bytes),
    NUMBER("egress_lag_cells", egress_lag_cells),
    NUMBER("egress_pg_absorbs_queue_min", egress_pg_absorbs_queue_min),
    NUMBER("voq_cap_bytes", voq_cap_bytes),
    NUMBER("voq_credit_bytes", voq.credit_bytes),
    NUMBER("voq_credit_rate_percent", voq.credit_rate_percent),
    NUMBER("voq_credit_rtt_ns", voq.credit_rtt_ns),
    NUMBER("voq_egress_bytes", voq.egress_bytes),
    NUMBER("voq_cell_payload_bytes", voq.cell_payload_bytes),
    NUMBER("voq_cell_header_bytes", voq.cell_header_bytes),
    NUMBER("voq_fabric_links", voq.fabric_links),
    NUMBER("voq_fabric_link_mbps", voq.fabric_link_mbps),
    NUMBER("voq_fabric_latency_ns", voq.fabric_latency_ns),
    NUMBER("voq_sram_bytes", voq.sram_bytes),
    NUMBER("voq_dram_mbps", voq.dram_mbps),
    NUMBER("voq_dram_latency_ns", voq.dram_latency_ns),
    NUMBER("packet_age_us", packet_age_us),
    NUMBER("pools_reserve", pools_reserve),
    NUMBER("static_zero_blocks", static_zero_blocks),
    NUMBER("headroom_watermark_factor", headroom_watermark_factor),
    NUMBER("watermark_with_reserved", watermark_with_reserved),
    NUMBER("xoff_by_others", xoff_by_others),
    NUMBER("ports", ports),
    NUMBER("default_ports", default_ports),
    NUMBER("lanes_per_port", lanes_per_port),
    NUMBER("first_lane", first_lane),
    NUMBER("last_lane", last_lane),
    NUMBER("port_speed_mbps", port_speed_mbps),
    NUMBER("queues_per_port", queues_per_port),
    NUMBER("unicast_queues_per_port", unicast_queues_per_port),
    NUMBER("pgs_per_port", pgs_per_port),
    NUMBER("cpu_queues", cpu_queues),
    NUMBER("tcs", tcs),
    NUMBER("acl_counters", acl_counters),
    NUMBER("trim_min_bytes", trimming.min_bytes),
    NUMBER("trim_max_bytes", trimming.max_bytes),
    NUMBER("trim_step_bytes", trimming.step_bytes),
    NUMBER("acl_egress_entries", egress_acl.entries),
    NUMBER("acl_egress_tables", egress_acl.tables),
    NUMBER("acl_entries", ingress_acl.entries),
    NUMBER("acl_tables", ingress_acl.tables),
    NUMBER("pools", pools),
    NUMBER("profiles", profiles),
    WORD("unit", unit, CHIP_UNITS),
    WORD("port_partition", port_partition, CHIP_PORT_PARTITIONS),
    WORD("pg_guarantee", pg_guarantee, CHIP_GUARANTEES),
    WORD("threshold", threshold, CHIP_THRESHOLDS),
    WORD("egress_threshold", egress_threshold, CHIP_THRESHOLDS),
    WORD("xoff", xoff, CHIP_XOFFS),
    WORD("xon", xon, CHIP_XONS),
    WORD("headroom", headroom, CHIP_HEADROOMS),
    WORD("port_alpha", port_alpha, CHIP_PORT_ALPHAS),
    WORD("admission", admission, CHIP_ADMISSIONS),
    WORD("ecn_mark_at", ecn_mark_at, CHIP_ECN_MARKS),
    WORD("egress_shared", egress_shared, CHIP_EGRESS_SHARED),
};
#undef X

/* The deduction from private headroom, at the initial speed of ports. */
#define OVERHEAD "headroom_overhead_cells"

/* Returns the number at 'member' of 'size' bytes. */
static uint64_t
number_at(const void *member, size_t size)
{
    uint64_t u64;
    uint32_t u32;
    uint8_t u8;

    switch (size) {
    case sizeof u64:
        memcpy(&u64, member, size);
        return u64;
    case sizeof u32:
        memcpy(&u32, member, size);
        return u32;
    default:
        orch_assert(size == sizeof u8);
        memcpy(&u8, member, size);
        return u8;
    }
}

const char *
chip_parameter_name(size_t i)
{
    static const char *const texts[] = {"name", "platform", OVERHEAD};
    const size_t n_texts = sizeof texts / sizeof *texts;

    if (i < n_texts) {
        return texts[i];
    }
    i -= n_texts;
    return i < sizeof parameters / sizeof *parameters ? parameters[i].name
                                                      : NULL;
}

/* Reports that there is no such parameter, and lists the parameters. */
static enum st
fail_no_parameter(const char *name, struct err *err)
{
    struct text names = {0};
    enum st st = err_set(err, ST_NOT_FOUND, "no-fact",
                         "a chip has no parameter '%s'", name);

    for (size_t i = 0; chip_parameter_name(i); i++) {
        text_add_item(&names, ", ", chip_parameter_name(i));
    }
    err_set_field(err, "chip", name, text_string(&names));
    text_fini(&names);
    return st;
}

enum st
chip_parameter_get(const struct chip *chip, const char *name, struct text *text,
                   struct err *err)
{
    if (!strcmp(name, "name") || !strcmp(name, "platform")) {
        text_add(text, name[0] == 'n' ? chip->name : chip->platform);
        return ST_OK;
    }
    if (!strcmp(name, OVERHEAD)) {
        text_addf(text, "%u",
                  (unsigned int)chip_at_speed(&chip->headroom_overhead,
                                              chip->port_speed_mbps));
        return ST_OK;
    }
    for (size_t i = 0; i < sizeof parameters / sizeof *parameters; i++) {
        const struct parameter *parameter = &parameters[i];
        uint64_t number;

        if (strcmp(parameter->name, name)) {
            continue;
        }
        number =
            number_at((const char *)chip + parameter->offset, parameter->size);
        if (parameter->words) {
            text_add(text, parameter->words[number]);
        } else {
            text_addf(text, "%llu", (unsigned long long)number);
        }
        return ST_OK;
    }
    return fail_no_parameter(name, err);
}
