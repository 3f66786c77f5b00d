#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Compiles each public SAI header alone, as C11 and as C++, with every compiler
# that is there.
set -eu

include=${srcdir:-.}/sai/include
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# try COMPILER SUFFIX OPTION...: compiles every header with the compiler.
try() {
    compiler=$1 suffix=$2
    shift 2
    if ! command -v "$compiler" >/dev/null 2>&1; then
        echo "$compiler is not installed: not tried"
        return
    fi
    for header in "$include"/*.h; do
        name=$(basename "$header")
        echo "#include <$name>" >"$work/one.$suffix"
        if ! "$compiler" "$@" -Wall -Wextra -Wpedantic -Werror \
                -fsyntax-only -I "$include" "$work/one.$suffix"; then
            echo "FAILED: $name with $compiler $*"
            failed=1
        fi
    done
}

try gcc c -std=c11
try clang c -std=c11
try g++ cc -std=c++11
try clang++ cc -std=c++11
exit $failed
