# SPDX-License-Identifier: Apache-2.0
# Sourced by ./check and scripts/check_*.sh, with bash: goes to the top of the
# tree, runs tests, counts and reports them.

set -u -o pipefail
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$top" || exit 1
mkdir -p build
log=$top/build/setup.log
. scripts/setup.sh

passed=0 failed=0 skipped=0

# A make that runs this script must not change what the makes here do and print.
unset MAKEFLAGS MFLAGS MAKELEVEL

# judge NAME COMMAND...: runs one check, counts it and returns its exit status.
judge()
{
    local name=$1
    shift
    "$@" >"build/$name.log" 2>&1
    count "$name" $?
}

# judge_beside COMMAND NAME...: runs "COMMAND NAME" for all names, $jobs at a time,
# then counts them in their order.  COMMAND may be a function.
judge_beside()
{
    local command=$1 name
    shift
    for name; do
        while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do wait -n; done
        { "$command" "$name" >"build/$name.log" 2>&1; echo $? >"build/$name.status"; } &
    done
    wait
    for name; do
        count "$name" "$(cat "build/$name.status")"
    done
}

# count NAME STATUS: counts and reports a check by its exit status, and returns that.
count()
{
    local name=$1 status=$2
    case $status in
    0) passed=$((passed + 1)) && echo "PASS: $name" ;;
    77) skipped=$((skipped + 1)) && echo "SKIP: $name: $(tail -n 1 "build/$name.log")" ;;
    *)
        failed=$((failed + 1))
        echo "FAIL: $name (build/$name.log)"
        tail -n 30 "build/$name.log" | sed 's/^/    /'
        ;;
    esac
    return $status
}

# build NAME DIR OPTION...: configures and builds everything in DIR.
build()
{
    local name=$1 dir=$2
    shift 2
    configure_in "$dir" --enable-developer "$@"
    if ! make -C "$dir" -s -j"$jobs" all >"build/$name.log" 2>&1; then
        failed=$((failed + 1))
        echo "FAIL: $name does not build (build/$name.log)"
        grep -E 'error|warning' "build/$name.log" | head -n 20
        return 1
    fi
}

# run_tests NAME DIR SET [VARIABLE=VALUE...]: runs the tests of SET in DIR: check,
# left, sanitizers, long-sanitizers, valgrind or all-valgrind (Makefile.am lists them).
run_tests()
{
    local name=$1 dir=$2 tests results t
    tests=$(make -C "$dir" -s "list-$3-tests")
    shift 3
    if ! make -C "$dir" -s -j"$jobs" check TESTS= >>"build/$name.log" 2>&1; then
        failed=$((failed + 1))
        echo "FAIL: $name: the tests do not build (build/$name.log)"
        grep -E 'error|\*\*\*' "build/$name.log" | head -n 20
        return
    fi
    find "$dir" -name '*.trs' -exec rm -f {} +
    # Most tests wait for another process most of the time.
    make -C "$dir" -j$((2 * jobs)) check TESTS="$tests" "$@" >>"build/$name.log" 2>&1
    results=$(find "$dir" -name '*.trs' -exec sed -n 's/^:test-result: //p' {} +)
    passed=$((passed + $(grep -c '^PASS' <<<"$results")))
    failed=$((failed + $(grep -c '^\(FAIL\|ERROR\|XPASS\)' <<<"$results")))
    skipped=$((skipped + $(grep -c '^SKIP' <<<"$results")))
    # What failed comes first, with its reason.
    for t in $(sed -n 's/^\(FAIL\|ERROR\): //p' "build/$name.log"); do
        echo "FAIL: $t"
        # A log is named without ".py", and with other endings (TEST_EXTENSIONS).
        tail -n 40 "$dir/${t%.py}.log" | sed 's/^/    /'
    done
    grep -E '^(PASS|SKIP):' "build/$name.log"
    for t in $(sed -n 's/^SKIP: //p' "build/$name.log"); do
        echo "    $t: $(grep -m 1 '^skipped' "$dir/${t%.py}.log" 2>/dev/null | sed 's/.*skipped: //' | head -n 1)"
    done
    if [ "$(wc -w <<<"$tests")" -eq 0 ] ||
        [ "$(wc -w <<<"$tests")" -ne "$(wc -w <<<"$results")" ]; then
        failed=$((failed + 1))
        echo "FAIL: $name: $(wc -w <<<"$results") of $(wc -w <<<"$tests") tests ran (build/$name.log)"
        tail -n 20 "build/$name.log" | sed 's/^/    /'
    fi
}

# conclude: prints the totals as the last line, and fails if any check failed.
conclude()
{
    echo
    echo "$passed passed, $failed failed, $skipped skipped"
    [ "$failed" -eq 0 ]
}
