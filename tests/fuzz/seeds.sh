#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# seeds.sh SRCDIR TARGET: prints the folders of the source tree in which a fuzz
# target begins: its corpus, and files of its kind that are there for other
# reasons.
echo "$1/tests/fuzz/corpus/$2"
case $2 in
chip) echo "$1/chips" ;;
lab_scenario) printf '%s\n' "$1"/lab/scenarios/* "$1/tests/lab/bad" ;;
scenario) printf '%s\n' "$1/tests/breakpoint" "$1/tests/breakpoint/common" "$1/examples/breakpoint" ;;
esac
