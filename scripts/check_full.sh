#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The tests that take too long for ./check: most of them with clang and sanitizers, more
# seeds and sizes of some, equal results of compilers, MPICH, the packages, unit tests
# under valgrind, static analysis of what reads foreign input, and each fuzzer for a
# while.
# "make check-full" runs this.  The last line is "N passed, N failed, N skipped".
. "$(dirname "$0")/suite.sh" || exit 1
FUZZ_SECONDS=${FUZZ_SECONDS:-10}
CHAOS_MINUTES=${CHAOS_MINUTES:-1}

step "packages"
install_packages build test full analyzers

step "clang and sanitizers: build and run the tests"
build sanitizers build/sanitizers CC=clang --enable-sanitizers 'CFLAGS=-g1 -O1' &&
    run_tests sanitizers build/sanitizers sanitizers CALIBRATE_EVERY=40 \
        HISTORY_SEEDS=40 BOUNDS_SEEDS=150 PLANNER_SEEDS=15 PROBE_ADAPTERS=1

# integration NAME: one of them, in the build of ./check, with what makes it longer.
integration()
{
    local more=
    case $1 in
    beside) more=BESIDE=all ;;
    lab_rows) more=LAB_SIZE=ci ;;
    listeners) more=LISTENER_CLIENTS=10000 ;;
    orchlab_ranks | orchlab_ranks_checkpoint) more=RANKS_LIBRARY=openmpi ;;
    page) more=ORCHD_TEST_PICTURES=yes ;;
    esac
    # shellcheck disable=SC2086 # None, or one word.
    env $more PYTHON3=python3 top_srcdir="$top" top_builddir="$top/build/gcc" \
        tests/integration/run-python "tests/integration/test_$1.py"
}

# property NAME: with more seeds; the tests say what the variables and the arguments
# (the first seed, the number of seeds) mean.
property()
{
    local seeds=
    case $1 in
    known_flows) seeds='1 300' ;;
    lab_fairness) seeds='1 60' ;;
    nic_fabric) seeds='1 30' ;;
    orchagent) seeds='1 1000' ;;
    esac
    # shellcheck disable=SC2086 # Two words.
    DCQCN_TRACES=1000000 ESTATS_SEEDS=30 RANKS_SEEDS=12 RC_SEEDS=1000 SRD_SEEDS=5000 TCP_SEEDS=5000 \
        ROUTES_FABRICS=5000 LAB_PAIRS=1 PROBE_ADAPTERS=12 PLANNER_SEEDS=300 \
        "build/gcc/tests/property/test_$1" $seeds
}

# ./check has run most of these tests; here they do more.
step "long: more seeds, clients, sizes"
if build gcc build/gcc --disable-lto --with-mpi=openmpi --with-gsl CC=gcc 'CFLAGS=-g1 -O2' &&
    judge build-tests make -C build/gcc -s -j"$jobs" check TESTS= &&
    judge build-anchor make -C build/gcc -s -j"$jobs" tests/bench/anchor_dcqcn; then
    judge_beside property bounds dcqcn_lazy estats_faults history lab_ranks rc srd tcp \
        lab_routes lab_oracles orchagent known_flows nic_fabric nic_probe lab_fairness \
        planner
    judge_beside integration lab_rows beside foreign remote listeners page firefox \
        orchlab_ranks orchlab_executor orchlab_merge orchlab_checkpoint
    # Two ranks have all processors of a small machine.
    judge_beside integration orchlab_ranks_checkpoint
    run_tests gcc build/gcc left
    judge anchor_dcqcn build/gcc/tests/bench/anchor_dcqcn 1
    judge catalogue env -C build/gcc srcdir="$top" "$top/tests/breakpoint/check_catalogue.sh"
    judge calibrate env -C build/gcc srcdir="$top" "$top/tests/bench/check_given.sh"
fi

step "results: the same from gcc -O0 and clang -O3"
# The other two are needed to find out which of both makes a difference.
judge compare_builds scripts/compare_builds.sh build/compare gcc-O0 clang-O3

step "ranks: MPICH"
# The build above has Open MPI.
configure_in build/mpich --with-mpi=mpich --disable-lto CC=gcc 'CFLAGS=-g1 -O2'
judge build-mpich make -C build/mpich -s -j"$jobs" orchlab/orchlab
for name in ranks ranks_checkpoint; do
    judge "$name-mpich" env RANKS_LIBRARY=mpich PYTHON3=python3 top_srcdir="$top" \
        top_builddir="$top/build/mpich" \
        tests/integration/run-python "tests/integration/test_orchlab_$name.py"
done

step "package: make distcheck"
# What is in the archive builds, installs, and is removed again.  Its tests are those of
# the other steps, and the archive is thrown away: xz need not try hard.
judge distcheck env XZ_OPT=-0 make -C build/gcc -s -j"$jobs" distcheck \
    DISTCHECK_CONFIGURE_FLAGS='--disable-lto CC=gcc CFLAGS=-O0' \
    AM_MAKEFLAGS="-j$jobs check_PROGRAMS= TESTS="

step "packages: build"
configure_in build/packages CC=gcc
judge deb make -C build/packages -s deb

step "valgrind: the unit tests, but the longest"
run_tests valgrind build/gcc valgrind \
    LOG_COMPILER='valgrind -q --leak-check=full --error-exitcode=9'

step "analyzers: what reads foreign input, and the core"
# All files and clang's own analyzer: make check-analyzers.
configure_in build/analyzers --enable-developer --disable-hardening --disable-lto CC=gcc
for tool in clang-tidy gcc; do
    judge "analyze-$tool" scripts/analyze.py --jobs "$jobs" --folder base \
        --folder process --folder command --folder orchd/control --folder orchd/db \
        --folder orchd/files --folder orchd/http --folder sai --folder saihostd \
        --folder vendors --folder yaml "$tool" build/analyzers
done

step "chaos: $CHAOS_MINUTES min"
# The two events that matter most, many times; "make chaos" has all of them.
judge chaos make -C build/gcc -s chaos MINUTES="$CHAOS_MINUTES" SEED=1 \
    CHAOS_OPTIONS='--events kill-host,kill-orchd'

step "fuzzers: $FUZZ_SECONDS s each"
configure_in build/fuzz CC=clang 'CFLAGS=-O2' --disable-hardening
# NAME: from the seeds in the repository; what it finds is thrown away.
run_fuzzer()
{
    local corpus status
    corpus=$(mktemp -d)
    "build/fuzz/tests/fuzz/$1" -seed=1 -max_total_time="$FUZZ_SECONDS" -rss_limit_mb=4096 \
        -artifact_prefix="build/$1-" "$corpus" "tests/fuzz/corpus/${1#fuzz_}"
    status=$?
    rm -rf "$corpus"
    return $status
}
if judge fuzzers make -C build/fuzz -s -j"$jobs" fuzz; then
    # shellcheck disable=SC2046 # Names of programs, without spaces.
    judge_beside run_fuzzer $(cd build/fuzz/tests/fuzz && find . -maxdepth 1 -name 'fuzz_*' \
        -type f -perm -u+x -printf '%f\n' | sort)
fi

conclude
