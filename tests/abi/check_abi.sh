#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Compares our SAI headers and metadata with the facts of the pinned release:
# names, numbers, layouts, signatures, order of functions, properties of
# attributes.  The facts and the generator of the assertions are not part of
# this project; ORCHD_SHARED says where they are.  Without them the test is
# skipped.
set -eu

top=${srcdir:-.}
shared=${ORCHD_SHARED:-$top/../shared}
generator=$shared/tools/gen_abi_check.py
facts=$shared/data/sai/abi.json
include=$top/sai/include

for file in "$generator" "$facts"; do
    if [ ! -r "$file" ]; then
        echo "SKIP: $file is not there"
        exit 77
    fi
done
if ! command -v python3 >/dev/null 2>&1; then
    echo "SKIP: python3 is not installed"
    exit 77
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tried=0

objects='SWITCH|PORT|BUFFER_POOL|BUFFER_PROFILE|INGRESS_PRIORITY_GROUP|QUEUE'
objects="$objects|QOS_MAP|SCHEDULER|SCHEDULER_GROUP|WRED"

for compiler in gcc clang; do
    command -v "$compiler" >/dev/null 2>&1 || continue
    tried=1
    echo '#include <sai.h>' | "$compiler" -E -dD -I "$include" -x c - \
        >"$work/headers.i"
    python3 "$generator" "$facts" --only-present "$work/headers.i" \
        --include '<sai.h>' --missing-out "$work/missing" \
        --require '^sai_(api|attribute|object)_' \
        --require "^SAI_($objects)_(ATTR|STAT)_" \
        --require '^SAI_STATUS_' --require '^SAI_API_' \
        --require '^SAI_OBJECT_TYPE_' -o "$work/assertions.c"
    for standard in c11 gnu11; do
        "$compiler" -std="$standard" -fsyntax-only -DSAI_ABI_STRICT \
            -I "$include" "$work/assertions.c"
        echo "$compiler -std=$standard: all assertions hold"
    done
done
[ "$tried" = 1 ] || { echo "SKIP: neither gcc nor clang"; exit 77; }

tests/abi/dump_metadata >"$work/metadata.json"
python3 "$top/tests/abi/compare_metadata.py" "$work/metadata.json" "$facts"
