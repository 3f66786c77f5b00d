#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The tests that take too long for ./check: with sanitizers those that ./check leaves
# out, all tests with clang, the unit tests under valgrind, and each fuzzer for a while.
# "make check-full" runs this.  The last line is "N passed, N failed, N skipped".
set -u -o pipefail
top=$(cd "$(dirname "$0")/.." && pwd)
cd "$top" || exit 1
mkdir -p build
log=$top/build/setup.log
. scripts/setup.sh
. scripts/suite.sh
FUZZ_SECONDS=${FUZZ_SECONDS:-15}
CHAOS_MINUTES=${CHAOS_MINUTES:-1}

step "packages"
install_packages build test full

step "sanitizers: build and run the tests that ./check leaves out"
build sanitizers build/sanitizers CC=gcc --enable-sanitizers 'CFLAGS=-g1 -O1' &&
    run_tests sanitizers build/sanitizers other

step "clang: build and test"
if build clang build/clang CC=clang 'CFLAGS=-g1 -O2'; then
    DCQCN_TRACES=1000000 RC_SEEDS=1000 ROUTES_FABRICS=5000 \
        run_tests clang build/clang all
    # First seed, number of seeds.
    judge known_flows build/clang/tests/property/test_known_flows 1 300
    judge nic_fabric build/clang/tests/property/test_nic_fabric 1 30
fi

step "results: the same from gcc and clang, -O0 and -O3"
judge compare_builds scripts/compare_builds.sh build/compare

step "valgrind: the unit tests"
build valgrind build/valgrind CC=gcc 'CFLAGS=-g1 -O1' &&
    run_tests valgrind build/valgrind unit \
        LOG_COMPILER='valgrind -q --leak-check=full --error-exitcode=9'

step "chaos: $CHAOS_MINUTES min"
judge chaos make -C build/clang -s chaos MINUTES="$CHAOS_MINUTES" SEED=1

step "fuzzers: $FUZZ_SECONDS s each"
configure_in build/fuzz CC=clang 'CFLAGS=-O1'
if make -C build/fuzz -s -j"$jobs" fuzz >build/fuzz.log 2>&1; then
    for fuzzer in build/fuzz/tests/fuzz/fuzz_*; do
        [ -x "$fuzzer" ] && [ -f "$fuzzer" ] || continue
        name=${fuzzer##*/}
        corpus=$(mktemp -d)
        judge "$name" "$fuzzer" -seed=1 -max_total_time="$FUZZ_SECONDS" -rss_limit_mb=4096 \
            -artifact_prefix="build/$name-" "$corpus" "tests/fuzz/corpus/${name#fuzz_}"
        rm -rf "$corpus"
    done
else
    failed=$((failed + 1))
    echo "FAIL: the fuzzers do not build (build/fuzz.log)"
    tail -n 20 build/fuzz.log | sed 's/^/    /'
fi

conclude
