#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Builds tests/bench/print_hashes with several compilers and options, and fails
# if the results of the same scenarios differ.
#
#     scripts/compare_builds.sh [DIR [BUILD...]]
#
# DIR (default: a temporary directory, which is removed) keeps the builds.  BUILD is
# gcc-O0, gcc-O3, clang-O0 or clang-O3 (default: all).

set -eu

source=$(cd "$(dirname "$0")/.." && pwd)
jobs=${J:-2}
if [ $# -gt 0 ]; then
    mkdir -p "$1"
    work=$(cd "$1" && pwd)
    shift
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

[ $# -gt 0 ] || set -- gcc-O0 gcc-O3 clang-O0 clang-O3
for name; do
    case $name in
    gcc-O[03]) build "$name" "${GCC:-gcc}" "-${name#*-} -g1" ;;
    clang-O[03])
        if command -v "${CLANG:-clang}" >/dev/null; then
            build "$name" "${CLANG:-clang}" "-${name#*-} -g1"
        else
            echo "compare_builds: there is no clang; only gcc is compared" >&2
        fi
        ;;
    *)
        echo "compare_builds: no build '$name'; gcc-O0, gcc-O3, clang-O0, clang-O3" >&2
        exit 1
        ;;
    esac
done

status=0 first=
for name; do
    [ -f "$work/$name/hashes" ] || continue
    [ -n "$first" ] || first=$name
    diff -u "$work/$first/hashes" "$work/$name/hashes" || status=1
done
[ $status -ne 0 ] || echo "compare_builds: all results are equal"
exit $status
