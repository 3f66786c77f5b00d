#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Builds tests/bench/print_hashes with several compilers and options, and fails
# if the results of the same scenarios differ.
#
#     scripts/compare_builds.sh [DIR]
#
# DIR (default: a temporary directory, which is removed) keeps the builds.

set -eu

source=$(cd "$(dirname "$0")/.." && pwd)
jobs=${J:-2}
if [ $# -gt 0 ]; then
    mkdir -p "$1"
    work=$(cd "$1" && pwd)
else
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
fi

build() {
    name=$1
    compiler=$2
    options=$3
    mkdir -p "$work/$name"
    cd "$work/$name"
    [ -f Makefile ] ||
        "$source/configure" -q CC="$compiler" CFLAGS="$options" >log 2>&1
    if ! make -s -j"$jobs" tests/bench/print_hashes >>log 2>&1; then
        tail -n 20 log >&2
        echo "$name: it does not build" >&2
        exit 1
    fi
    tests/bench/print_hashes >hashes
}

build gcc-O0 "${GCC:-gcc}" '-O0 -g1'
build gcc-O3 "${GCC:-gcc}" '-O3 -g1'
if command -v "${CLANG:-clang}" >/dev/null; then
    build clang-O0 "${CLANG:-clang}" '-O0 -g1'
    build clang-O3 "${CLANG:-clang}" '-O3 -g1'
else
    echo "compare_builds: there is no clang; only gcc is compared" >&2
fi

status=0
for hashes in "$work"/*/hashes; do
    if ! diff -u "$work/gcc-O0/hashes" "$hashes"; then
        status=1
    fi
done
[ $status -ne 0 ] || echo "compare_builds: all results are equal"
exit $status
