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

- *exact*, *within margin* of the hardware test (2 packets unless it says otherwise, and never more
  than 1 % or 2 packets), within 1 % or 5 %, or *off*;
- *unsupported* if the family has no chip file.

*Suspect* rows contradict others, were rounded by hand, or belong to another
configuration. They are run and listed below, but do not count. `measured` rows come from
hardware; `vendor_formula` rows (spc1, spc3, spc4) come from a vendor's own generator. Many rows
repeat a number of another configuration: *values* are the different numbers that rows which count
state for the same thing, and *exact values* those that are exact in all their rows.

TEXT
awk '
/^family / { table = 1; next }
!table || !NF { next }
{
    # Names have no blanks.
    family = $1; role = $2
    if (!head) {
        head = 1
        print "| family | what is counted | exact | within margin | <= 1 % |" \
            " <= 5 % | off | unsupported | suspect | values | exact values |"
        print "|---|---|---|---|---|---|---|---|---|---|---|"
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
- *th6.* The numbers were rounded by hand to about 500 packets, and contradict each other by 1 %.
  The mechanisms are those of its relatives. The 32 cells that each port takes off the pool come from
  tests of pools that are not in this table: the rows here would be nearer without them.
- *th3, xon 13.* The offset is 10 cells.
- *th3, pfc_n 2634.* 37 priority groups give 2694: two digits may be exchanged.
- *th3, fill_ing_min_lossy 0.* The priority group shows 7 (the guarantee of the queue), the pool 0. In
  the twin both show 7.
- *q3d, pfc_n 32,312.* The row states what one priority group alone has in its partition. Two groups of one
  port are in one partition, and have 31,822 each.
- *th2, fill_egr_min 16.* The same configuration gives 8 in another test, as in the twin: 8 cells are
  the 1,664 bytes of the profile.
- *th2, pfc_n 1490 and hdrm_partial 47.* These two rows (19 priority groups) do not follow from one packet
  to each in turn, which is what calibrate sends. They do follow from `xoff_by_others`, below.
- *j2c+, hdrm_partial.* Two were rounded or belong to an older profile; one belongs to another
  cable.
- *spc3, xon 165,962.* It contains a margin of 16 that the generator adds for itself.
- *th6, shared_res.* The bytes are those of one packet more than the row counts.
- *pac.* No chip file: its accounting works differently.

## Decisions within the margins

- *XOFF by others* (`xoff_by_others`, th and th2). A hardware test of the headroom pool sends each
  priority group the packets that it can share, then one at a time until it is XOFF, then fills headroom.
  On th the first group needs one packet (2,620 + 1), which lowers the limit to the 2,614 cells that
  the others share. The pool has 5,041 = 3 * 1,292 + 1,165 cells of headroom, which are the numbers of the
  test: so the others were XOFF without a packet of their own, which would have gone to headroom. On th2
  with 14 groups 13 * 682 + 542 fills the pool of 9,408 likewise; with 19 groups of 1,490 packets all
  are XOFF, the last with one cell in headroom, and 47 = 9,408 - 18 * 520 - 1. No row of this table
  depends on it, since calibrate counts what the first XOFF needs. td2 and td3, which also charge first,
  have no test that tells; there it is off. `tests/unit/test_mmu_families.c` has the three tests.
- *XOFF of th5 and th3* (`xoff: before_headroom`). On th5 the first drop is xoff + 1 packets behind XOFF,
  which is exact in 5 of 7 rows; 2 state one less. All rows of th3 state one less: either reading is
  within their margins of 1 to 11.
- *The pool of j2c+.* The rows have one size, 6,441,610,000 bytes, and fit 6 GiB. The twin rounds
  up to 1 MiB (`pool_round_bytes`); any unit up to 2 GiB fits as well. That smaller pools limit as on jr2
  is an assumption.
- *Queues of Spectrum* charge first, as its priority groups do. Lossy drops are exact with that,
  and one packet early without.
- *XON of chips that compare bytes* (Spectrum) is not rounded up to cells: a PG resumes when its
  whole cells, in bytes, are at most `xon`. This makes all 10 rows exact. With `xon` rounded up each
  would be one packet less, which is within their margin of 4, but not exact.

## What this table does not prove

- *Fits.* Some numbers of chip files were chosen so that rows agree: the bound on virtual output queues
  and the rounding of the pool on j2c+, 32 cells per port on th6, 70 on th5 and th3, the lag of
  2 cells on th and th2, the headroom overheads of Spectrum. Rows that a number was fitted to do
  not confirm it; rows of other configurations do.
- *Zeros.* Where a row states 0 (most `fill_*` rows), a twin without that mechanism is exact, too.
- *Repetition.* The rows of one chip come from few configurations: compare *values* with the rows.
- *Chips without rows*: generic, spc2, spc5 and tofino2. th6 has only suspect rows, td3 and q3d
  few values. What these chips do is an estimate, however exact their relatives are.
- *The index.* Where XOFF comes with the first packet in headroom (jr2, j2c+, q3d, th6), calibrate subtracts
  one from the index of XOFF and of the drop (`index_offset`), because the rows count that way.
  Their margins (5 to 1,000 packets, 2 for drops) would not tell if they did not.
- *Watermarks* beyond the guarantees, latency, and whatever else no column of the table has.

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
packet, except for XON where two limits are equally good. By hand, `--chips 1200 --seed 77` tests
14,000 rows, with the same result. If any single key of the chip files is removed (except those that
no row depends on: names, ports, `leak_out`), rows disagree.
TEXT
