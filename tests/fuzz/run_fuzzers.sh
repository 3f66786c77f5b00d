#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run_fuzzers.sh SRCDIR MINUTES FUZZER...: runs each fuzzer for its share of the
# minutes, in the build directory ("make fuzz MINUTES=n").  What a run finds stays
# in fuzz.corpus/NAME and is where the next one begins; inputs that crash are left
# in fuzz.crashes.  Fails if there are any.
src=$1 minutes=$2
shift 2
seconds=$((minutes * 60 / $#))
[ "$seconds" -gt 0 ] || seconds=1
mkdir -p fuzz.crashes
for fuzzer; do
    name=${fuzzer##*/fuzz_}
    mkdir -p "fuzz.corpus/$name"
    if ! "$fuzzer" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=4096 \
        -print_final_stats=1 -artifact_prefix="fuzz.crashes/$name-" \
        "fuzz.corpus/$name" "$src/tests/fuzz/corpus/$name" >"fuzz.corpus/$name.log" 2>&1; then
        echo "$name: fuzz.corpus/$name.log"
        tail -n 30 "fuzz.corpus/$name.log"
    fi
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
    echo "$name: $(sed -n 's/^stat::number_of_executed_units: *//p' "fuzz.corpus/$name.log") executions," \
        "$(find "fuzz.corpus/$name" -type f | wc -l) inputs kept"
done
if [ -n "$(ls fuzz.crashes)" ]; then
    echo "inputs that crash or hang:"
    ls fuzz.crashes
    exit 1
fi
