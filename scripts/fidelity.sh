#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Writes docs/explanation/fidelity.md from what calibrate says of the public table.
# Usage: fidelity.sh CALIBRATE CSV >docs/explanation/fidelity.md; "make fidelity" does it.
set -eu

calibrate=$1
csv=$2
out=$(mktemp)
trap 'rm -f "$out"' EXIT
GLIBC_TUNABLES=glibc.malloc.hugetlb=1 "$calibrate" "$csv" >"$out"

cat <<'TEXT'
# How well the twin reproduces real switches

Written by `make fidelity`; do not edit.

Public QoS test suites say at which packet real switches pause, drop and resume. `calibrate`
(tests/bench) runs each of those numbers, with the configuration it was taken on, as the
hardware test does: a softasic of that family, programmed through SAI, one egress port
blocked, packets sent one by one. Nothing is computed from the inputs. A prediction is

- *exact*, *within margin* of the hardware test (2 packets unless it says otherwise), within
  1 % or 5 %, or *off*;
- *unsupported* if the family has no chip file.

Rows that are *suspect* contradict others, were rounded by hand, or belong to another
configuration; they are run and listed below, and do not count. `measured` rows are
hardware; `vendor_formula` rows (spc1, spc3, spc4) come from a vendor's own generator.

TEXT
awk '
/^family / { table = 1; next }
!table || !NF { next }
{
    # The classes are the last seven columns; names have no blanks.
    family = $1; role = $2
    if (!head) {
        head = 1
        print "| family | what is counted | exact | within margin | <= 1 % |" \
            " <= 5 % | off | unsupported | suspect |"
        print "|---|---|---|---|---|---|---|---|---|"
    }
    bold = role == "all" ? "**" : ""
    printf "| %s%s%s | %s%s%s |", bold, family, bold, bold, role, bold
    for (i = 3; i <= NF; i++)
        printf " %s |", $i
    print ""
}' "$out"

cat <<'TEXT'

## What is not reproduced

TEXT
awk -F, '
$9 == "suspect" || $5 == "off" || $5 == "unsupported" || $5 ~ /^<=/ {
    if ($5 == "exact" || $5 == "within margin" || $1 == "row_id")
        next
    key = $6 "," $7 "," $2 "," $3 "," $5
    if (!(key in n))
        order[++m] = key
    n[key]++
    suspect[key] = $9 == "suspect" ? "yes" : "**no**"
}
END {
    print "| family | what is counted | hardware | predicted | class | rows |" \
        " suspect |"
    print "|---|---|---|---|---|---|---|"
    for (i = 1; i <= m; i++) {
        split(order[i], f, ",")
        printf "| %s | %s | %s | %s | %s | %d | %s |\n", f[1], f[2], f[3],
            f[4] == "" ? "-" : f[4], f[5], n[order[i]], suspect[order[i]]
    }
}' "$out"

cat <<'TEXT'

Why, as far as is known:

- *egr_drop of jr2 and j2c+ near 2,180,000.* The bound on virtual output queues (256 MiB)
  explains 2,396,745, and no other input of these rows explains a smaller number. Another
  limit of the queue must have been configured.
- *th6.* The numbers were rounded by hand to about 500 packets. The mechanisms are those of
  its relatives.
- *th2, fill_egr_min 16.* The same configuration gives 8 in another test.
- *j2c+, hdrm_partial.* Two were rounded or belong to an older profile; one is the number of
  another cable.
- *spc3, xon 165,962.* It contains a margin of 16 that the generator adds for itself.
- *th6, shared_res.* The bytes are those of one packet more than the row counts.
- *pac.* No chip file: its accounting is of another kind.

## What rows decide although they allow more

- *XON of chips that compare bytes* (Spectrum) is not rounded up to cells: a PG goes on when its
  whole cells, in bytes, are at most `xon`. So all 10 rows are exact; with `xon` rounded up each
  would be one packet less, which is within their margin of 4, and none exact.

## Assumptions that no row decides

- On chips that compare cells an `xon` that is no multiple of a cell is rounded down. No row has
  one that matters: there XON follows from the offset.
- Cells in headroom are not part of U.
- A lossy PG that absorbs the guarantee of its queue does so per packet: what was absorbed
  leaves with the packet that brought it.
- With several partitions, and priority groups in more than one, a row says when the last of
  these partitions pauses somebody.
- Packets in FIFOs outside the buffer (`leak_out`) are compensated, as in the rows:
  `SOFTASIC_LEAK_OUT` is off, its default (docs/reference/chips.md).
- A row may need more memory than the chip file has, for its pools and what is reserved beside
  them: the chip gets that memory for the row. Where `cell_size`, `n_partitions` or `internal_hdr`
  of a row are not those of the chip file, the row is right.

## Beyond the table

`tests/bench/check_theory.py` draws chips that never were, with any combination of the mechanisms
of chip files, and configurations for them, and works out what each kind of row should count
from formulas that share nothing with the twin. In `make check` 120 such chips have some 1,400 rows,
and all have to agree, to the packet but for XON where two limits are as good; by hand,
`--chips 4000 --seed 77` tries 47,000 rows, with the same result. Without any single key of the chip files (except those that no
row depends on: names, ports, `leak_out`) rows disagree.
TEXT
