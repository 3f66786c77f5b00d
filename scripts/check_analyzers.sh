#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Static analysis of all C files: clang-tidy, the analyzer of clang that scan-build runs,
# and gcc -fanalyzer; then the long tests that check-full does not run with valgrind or
# sanitizers.  "make check-analyzers" runs this.  The analyzers take about half an hour
# of processor time, and after an interruption or a change only what is left
# (analyze.py); valgrind and sanitizers take as much.
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

step "valgrind: the unit tests"
build gcc build/gcc --disable-lto --with-mpi=openmpi --with-gsl CC=gcc 'CFLAGS=-g1 -O2' &&
    run_tests valgrind build/gcc all-valgrind \
        LOG_COMPILER='valgrind -q --leak-check=full --error-exitcode=9'

step "clang and sanitizers: the long tests"
build sanitizers build/sanitizers CC=clang --enable-sanitizers 'CFLAGS=-g1 -O1' &&
    run_tests sanitizers build/sanitizers long-sanitizers PROBE_ADAPTERS=1

conclude
