#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run_fuzzers.sh SRCDIR MINUTES FUZZER...: runs each fuzzer for its share of the
# minutes, in the build directory ("make fuzz MINUTES=n").  What a run finds stays
# in fuzz.corpus/NAME and is where the next one begins; inputs that crash are left
# in fuzz.crashes.  The time that each has had so far, and its executions, are
# added up in fuzz.corpus/totals and printed.  Fails if an input crashes.
src=$1 minutes=$2
shift 2
seconds=$((minutes * 60 / $#))
[ "$seconds" -gt 0 ] || seconds=1
mkdir -p fuzz.crashes fuzz.corpus
totals=fuzz.corpus/totals

# How a target is run: programs of operations are kept short, and the frequency
# of each of their many features is not counted, which takes longer than they do.
options_of() {
    case $1 in
    intent | softasic | twin) echo "-entropic=0 -max_len=160" ;;
    control) echo "-entropic=0 -max_len=1024" ;;
    esac
    [ -f "$src/tests/fuzz/$1.dict" ] && echo "-dict=$src/tests/fuzz/$1.dict"
}

# Sets 'now' to the CPU time of all children so far, in milliseconds.  times in a
# command substitution would tell of those of the subshell.
read_clock() {
    times >fuzz.corpus/times
    now=$(awk -F'[ms ]+' 'NR == 2 { printf "%d", 1000 * (60 * $1 + $2 + 60 * $3 + $4) }' fuzz.corpus/times)
}

for fuzzer; do
    name=${fuzzer##*/fuzz_}
    mkdir -p "fuzz.corpus/$name"
    log=fuzz.corpus/$name.log
    read_clock
    before=$now
    # shellcheck disable=SC2046 # Options and names without spaces.
    if ! "$fuzzer" $(options_of "$name") -max_total_time="$seconds" -timeout=10 -rss_limit_mb=4096 \
        -print_final_stats=1 -artifact_prefix="fuzz.crashes/$name-" \
        "fuzz.corpus/$name" $("$src/tests/fuzz/seeds.sh" "$src" "$name") >"$log" 2>&1; then
        echo "$name: $log"
        tail -n 30 "$log"
    fi
    read_clock
    spent=$((now - before))
    units=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    echo "$name $spent ${units:-0}" >>"$totals"
    # Keeps the inputs that reach something, without those that others replace.
    rm -rf "fuzz.corpus/$name.min"
    mkdir "fuzz.corpus/$name.min"
    if "$fuzzer" -merge=1 -timeout=10 -rss_limit_mb=4096 "fuzz.corpus/$name.min" \
        "fuzz.corpus/$name" >/dev/null 2>&1; then
        rm -rf "fuzz.corpus/$name"
        mv "fuzz.corpus/$name.min" "fuzz.corpus/$name"
    else
        rm -rf "fuzz.corpus/$name.min"
    fi
    awk -v name="$name" -v units="${units:-0}" -v spent="$spent" -v kept="$(find "fuzz.corpus/$name" -type f | wc -l)" '
        $1 == name { ms += $2; all += $3 }
        END { printf "%s: %d executions, %d per CPU second, %d inputs kept; so far %d in %.1f CPU minutes\n",
                     name, units, spent ? 1000 * units / spent : 0, kept, all, ms / 60000 }' "$totals"
done
awk '{ ms += $2; units += $3 } END { printf "all: %.1f CPU minutes, %d executions\n", ms / 60000, units }' "$totals"
if [ -n "$(ls fuzz.crashes)" ]; then
    echo "inputs that crash or hang:"
    ls fuzz.crashes
    exit 1
fi
