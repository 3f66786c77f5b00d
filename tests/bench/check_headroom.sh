#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The tables of docs/explanation/headroom.md are what "make headroom-tables" prints.
set -u

docs=${srcdir:-.}/docs/explanation/headroom.md
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT

tests/bench/headroom_proof --markdown >"$scratch/printed" || exit 1
for table in formulas pools links; do
    awk -v begin="<!-- begin $table -->" -v end="<!-- end $table -->" '
        $0 == begin, $0 == end' "$docs"
done >"$scratch/documented"
if ! diff -u "$scratch/documented" "$scratch/printed"; then
    echo "docs/explanation/headroom.md is not what headroom_proof --markdown prints"
    exit 1
fi
