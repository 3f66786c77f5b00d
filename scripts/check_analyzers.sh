#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Static analysis of all C files: clang-tidy, the analyzer of clang that scan-build runs,
# and gcc -fanalyzer.  "make check-analyzers" runs this; it takes about half an hour of
# processor time, and after an interruption or a change only what is left (analyze.py).
# The last line is "N passed, N failed, N skipped".
. "$(dirname "$0")/suite.sh" || exit 1

step "packages"
install_packages build test analyzers

step "analyzers"
# FORTIFY_SOURCE would hide calls of libc from them.
configure_in build/analyzers --enable-developer --disable-hardening --disable-lto CC=gcc
for tool in clang-tidy clang gcc; do
    judge "analyze-$tool" scripts/analyze.py --jobs "$jobs" "$tool" build/analyzers
done

conclude
