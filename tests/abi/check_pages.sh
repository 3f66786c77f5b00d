#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Checks that docs/sai/ is what the tables of SAI say now.  With --write, in the
# build folder, renews it.
set -eu

top=${srcdir:-$(sed -n 's/^srcdir = //p' Makefile)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

tests/abi/print_pages "$top/sai/include" "$work"
if [ "${1:-}" = --write ]; then
    mkdir -p "$top/docs/sai"
    rm -f "$top"/docs/sai/*.md
    cp "$work"/*.md "$top/docs/sai/"
elif ! diff -r "$top/docs/sai" "$work"; then
    echo "FAILED: docs/sai is old; renew it: tests/abi/check_pages.sh --write"
    exit 1
fi
