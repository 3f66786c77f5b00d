#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Writes docs/explanation/fidelity.md from the output of calibrate for the public
# table.
# Usage: fidelity.sh CALIBRATE CSV >docs/explanation/fidelity.md; "make fidelity" does it.
set -eu

calibrate=$1
csv=$2
out=$(mktemp)
trap 'rm -f "$out"' EXIT
GLIBC_TUNABLES=glibc.malloc.hugetlb=1 "$calibrate" "$csv" >"$out"

cat <<'TEXT'
# How well the twin reproduces real switches

`make fidelity` generates this page; do not edit it.

Public QoS test suites state at which packet real switches pause, drop and resume. `calibrate`
(tests/bench) tests each of those numbers, with its configuration, as the hardware test does: on
a softasic of that family, programmed through SAI, with one egress port blocked, and packets sent
one by one. Nothing is calculated from the inputs. A prediction is

- *exact*, *within margin* of the hardware test (2 packets unless it says otherwise), within
  1 % or 5 %, or *off*;
- *unsupported* if the family has no chip file.

*Suspect* rows contradict others, were rounded by hand, or belong to another
configuration. They are run and listed below, but do not count. `measured` rows come from
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

The known reasons:

- *egr_drop of jr2 and j2c+ near 2,180,000.* The bound on virtual output queues (256 MiB)
  explains 2,396,745, and no other input of these rows explains a smaller number. The queue
  must have had another limit.
- *th6.* The numbers were rounded by hand to about 500 packets. The mechanisms are those of
  its relatives.
- *th2, fill_egr_min 16.* The same configuration gives 8 in another test.
- *j2c+, hdrm_partial.* Two were rounded or belong to an older profile; one belongs to another
  cable.
- *spc3, xon 165,962.* It contains a margin of 16 that the generator adds for itself.
- *th6, shared_res.* The bytes are those of one packet more than the row counts.
- *pac.* No chip file: its accounting works differently.

## Decisions within the margins

- *XON of chips that compare bytes* (Spectrum) is not rounded up to cells: a PG resumes when its
  whole cells, in bytes, are at most `xon`. This makes all 10 rows exact. With `xon` rounded up each
  would be one packet less, which is within their margin of 4, but not exact.

## Assumptions that no row tests

- On chips that compare cells an `xon` that is no multiple of a cell is rounded down. No row depends on
  that: in all of them XON follows from the offset.
- Cells in headroom do not belong to U.
- A lossy PG that absorbs the guarantee of its queue does so per packet: the absorbed cells
  leave with their packet.
- With several partitions, and priority groups in more than one, a row states when the last of
  these partitions pauses a sender.
- Packets in FIFOs outside the buffer (`leak_out`) are compensated, as in the rows:
  `SOFTASIC_LEAK_OUT` is off, its default ([leak-out](buffer-model.md#leak-out)).
- A row may need more memory than the chip file has, for its pools and the other
  reservations: the chip gets that memory for the row. Where `cell_size`, `n_partitions` or
  `internal_hdr` of a row differ from the chip file, the row takes precedence.

## Beyond the table

`tests/bench/check_theory.py` draws random chips, with any combination of the mechanisms of chip files,
and configurations for them. It calculates what each kind of row should count from formulas that share
nothing with the twin. In `make check` 120 such chips have some 1,400 rows. All have to agree to the
packet, except for XON where two limits are equally good. By hand, `--chips 4000 --seed 77` tests
47,000 rows, with the same result. If any single key of the chip files is removed (except those that
no row depends on: names, ports, `leak_out`), rows disagree.
TEXT
