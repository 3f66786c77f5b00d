/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TESTS_BENCH_CALIBRATE_CSV_H
#define ORCHD_TESTS_BENCH_CALIBRATE_CSV_H

/* The table of calibration rows: one breakpoint of one switch per line.
 *
 * A CSV file (RFC 4180) whose first line names the columns, in any order.  All
 * columns of CALIBRATE_TEXTS and CALIBRATE_NUMBERS are known; those that are
 * missing are blank in every row, but a table without row_id, asic, role and
 * hw_value is none.  A column that is not known is reported and ignored. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* X(column) */
#define CALIBRATE_TEXTS(X)                                                     \
    X(row_id)                                                                  \
    X(asic)                                                                    \
    X(vendor)                                                                  \
    X(hwsku)                                                                   \
    X(topo)                                                                    \
    X(speed_cable)                                                             \
    X(variant)                                                                 \
    X(testcase)                                                                \
    X(metric)                                                                  \
    X(role)                                                                    \
    X(hw_kind)                                                                 \
    X(suspect)                                                                 \
    X(input_status)                                                            \
    X(input_note)                                                              \
    X(hw_src)                                                                  \
    X(cfg_src)

#define CALIBRATE_NUMBERS(X)                                                   \
    X(hw_value)                                                                \
    X(test_margin)                                                             \
    X(packet_size)                                                             \
    X(cell_size)                                                               \
    X(cells_per_pkt)                                                           \
    X(internal_hdr)                                                            \
    X(ingress_pool_size)                                                       \
    X(shp_xoff)                                                                \
    X(n_partitions)                                                            \
    X(pg_size)                                                                 \
    X(pg_xon)                                                                  \
    X(pg_xoff)                                                                 \
    X(pg_xon_offset)                                                           \
    X(pg_dynamic_th)                                                           \
    X(pg_static_th)                                                            \
    X(port_dynamic_th)                                                         \
    X(egress_pool_size)                                                        \
    X(egress_q_size)                                                           \
    X(egress_q_dynamic_th)                                                     \
    X(egress_lossless_q_size)                                                  \
    X(n_ports)                                                                 \
    X(n_lossless_pgs)                                                          \
    X(extra_reserved)                                                          \
    X(n_pgs_filled)                                                            \
    X(fill_index)                                                              \
    X(n_lossless_pgs_src_port)                                                 \
    X(shared_limit_cells_cfg)

/* A number, or nothing. */
struct calibrate_number {
    bool is_given;
    int64_t value; /* 0 if not given. */
};

/* One row.  Texts are never NULL; they live as long as the table. */
struct calibrate_row {
#define X(column) const char *column;
    CALIBRATE_TEXTS(X)
#undef X
#define X(column) struct calibrate_number column;
    CALIBRATE_NUMBERS(X)
#undef X
    unsigned int line; /* Of the file. */
};

struct calibrate_table {
    struct calibrate_row *rows;
    size_t n;
    size_t n_bad; /* Lines that were left out; each was reported. */
    char *text;   /* Owns all texts. */
};

/* Called for every line and column that is left out, with the reason. */
typedef void calibrate_report_fn(void *context, const char *message);

/* Reads the file 'path'.  Lines that are cut, and such with a number that is
 * none, are reported, counted and left out.  ST_NOT_FOUND, ST_IO, ST_INVALID
 * (the header); '*err' says why.  End with calibrate_table_fini(). */
enum st calibrate_table_read(const char *path, calibrate_report_fn *report,
                             void *context, struct calibrate_table *table,
                             struct err *err) ST_WARN_UNUSED;

void calibrate_table_fini(struct calibrate_table *table);

/* Returns the value of 'number', 'otherwise' if it is not given. */
int64_t calibrate_or(const struct calibrate_number *number, int64_t otherwise);

#endif /* tests/bench/calibrate_csv.h */
