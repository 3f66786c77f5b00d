/* SPDX-License-Identifier: Apache-2.0 */

/* Reads 'cpu' of a host: its cores, and what messages cost there. */

#include <config.h>

#include <libfyaml.h>

#include "lab/scenario/sections.h"

#define AT(member) offsetof(struct cpu_spec, member)

static const struct field cpu_fields[] = {
    {"cores", FIELD_COUNT, AT(cores), "1..256", "16", NULL},
    {"background", FIELD_RATIO, AT(background), "0..0.95", "0", NULL},
    {"background_job", FIELD_TIME, AT(background_job_ps), "1ns..1s", "10us",
     NULL},
    {"tcp_op", FIELD_TIME, AT(tcp.op_ps), "0..1ms", "1us", NULL},
    {"tcp_batch", FIELD_TIME, AT(tcp.batch_ps), "0..1ms", "1us", NULL},
    {"tcp_byte", FIELD_TIME, AT(tcp.byte_ps), "0..100ns", "500ps", NULL},
    {"tcp_delay", FIELD_TIME, AT(tcp.delay_ps), "0..1s", "8us", NULL},
    {"tcp_spread", FIELD_RATIO, AT(tcp.spread), "0..1", "1/4", NULL},
    {"tcp_stall", FIELD_RATIO, AT(tcp.stall), "0..1", "0", NULL},
    {"tcp_stall_time", FIELD_TIME, AT(tcp.stall_ps), "0..1s", "0", NULL},
    {"rdma_op", FIELD_TIME, AT(rdma.op_ps), "0..1ms", "300ns", NULL},
    {"rdma_delay", FIELD_TIME, AT(rdma.delay_ps), "0..1s", "2us", NULL},
    {"rdma_spread", FIELD_RATIO, AT(rdma.spread), "0..1", "1/4", NULL},
    {"rdma_stall", FIELD_RATIO, AT(rdma.stall), "0..1", "0", NULL},
    {"rdma_stall_time", FIELD_TIME, AT(rdma.stall_ps), "0..1s", "0", NULL},
    {"io_op", FIELD_TIME, AT(io_ps), "0..10ms", "0", NULL},
};

#undef AT

/* Bits of keys in what fields_read() has seen: their places in the table. */
#define SEEN_BACKGROUND      (UINT64_C(1) << 1)
#define SEEN_BACKGROUND_JOB  (UINT64_C(1) << 2)
#define SEEN_TCP_STALL       (UINT64_C(1) << 8)
#define SEEN_TCP_STALL_TIME  (UINT64_C(1) << 9)
#define SEEN_RDMA_STALL      (UINT64_C(1) << 13)
#define SEEN_RDMA_STALL_TIME (UINT64_C(1) << 14)

/* Returns what is wrong if 'cpu' has a stall without its time, or if a key of
 * 'seen' does nothing, as what it is of is 0 without being given; NULL if
 * nothing is. */
static const char *
find_wrong(const struct cpu_spec *cpu, uint64_t seen)
{
    const struct {
        uint64_t key, of;
        bool is_there;
        const char *wrong;
    } idle[] = {
        {SEEN_BACKGROUND_JOB, SEEN_BACKGROUND, cpu->background.numerator > 0,
         "'background_job' is of other work, of which there is none: set "
         "'background', for example to 50%"},
        {SEEN_TCP_STALL_TIME, SEEN_TCP_STALL, cpu->tcp.stall.numerator > 0,
         "'tcp_stall_time' is of stalls, of which there are none: set "
         "'tcp_stall', for example to 1%"},
        {SEEN_RDMA_STALL_TIME, SEEN_RDMA_STALL, cpu->rdma.stall.numerator > 0,
         "'rdma_stall_time' is of stalls, of which there are none: set "
         "'rdma_stall', for example to 1%"},
    };

    if ((cpu->tcp.stall.numerator && !cpu->tcp.stall_ps) ||
        (cpu->rdma.stall.numerator && !cpu->rdma.stall_ps)) {
        return "a stall needs its mean time: set 'tcp_stall_time' with "
               "'tcp_stall', and 'rdma_stall_time' with 'rdma_stall'";
    }
    for (size_t i = 0; i < N_FIELDS(idle); i++) {
        if (seen & idle[i].key && !(seen & idle[i].of) && !idle[i].is_there) {
            return idle[i].wrong;
        }
    }
    return NULL;
}

enum st
section_cpu(struct reader *reader, struct fy_node *node, struct cpu_spec *cpu)
{
    const char *wrong;
    uint64_t seen = 0;
    bool is_on = true;
    enum st st = fields_on_off(reader, node, "'cpu'", &is_on);

    if (st || !is_on) {
        *cpu = (struct cpu_spec){.enabled = false};
        return st;
    }
    if (!cpu->enabled) {
        fields_init(reader, cpu_fields, N_FIELDS(cpu_fields), cpu);
        cpu->enabled = true;
    }
    if (fy_node_is_mapping(node)) {
        st = fields_read(reader, node, "'cpu'", cpu_fields,
                         N_FIELDS(cpu_fields), cpu, &seen);
    }
    wrong = st ? NULL : find_wrong(cpu, seen);
    return wrong
               ? document_fail(reader->document, node, reader->err, "%s", wrong)
               : st;
}
