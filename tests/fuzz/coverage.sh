#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# coverage.sh SRCDIR [BUILD]: how much of each parser its fuzz target reaches
# ("make fuzz-coverage").  Compiles the replays with clang's coverage in the
# folder BUILD (default: fuzz.coverage), runs each on the inputs in corpus/ and on
# those in FUZZ_CORPUS/NAME, if that is set, and prints the lines of each parser
# that were executed.  Fails if it is less than 90 % of one; the lines that are
# missing are in BUILD/missing.
set -u
gate=90
src=$(cd "$1" && pwd) || exit 1
build=${2:-fuzz.coverage}
: "${FUZZ_CC:=clang}" "${LLVM_COV:=llvm-cov}" "${LLVM_PROFDATA:=llvm-profdata}"

# Each parser of bytes from outside, and its targets.
parsers='
breakpoint/expression.c             scenario
breakpoint/loader.c                 scenario
breakpoint/parser.c                 scenario
breakpoint/ranges.c                 scenario
breakpoint/steps.c                  scenario
breakpoint/step_expect.c            scenario
breakpoint/step_expect_rx.c         scenario
breakpoint/step_traffic.c           scenario
breakpoint/topology.c               scenario
lab/measure/metric.c                metric
lab/scenario/fields.c               lab_scenario
lab/scenario/quantity.c             lab_scenario
lab/scenario/scenario_read.c        lab_scenario
lab/scenario/section_expect.c       lab_scenario
lab/scenario/section_fabric.c       lab_scenario
lab/scenario/section_faults.c       lab_scenario
lab/scenario/section_hosts.c        lab_scenario
lab/scenario/section_record.c       lab_scenario
lab/scenario/section_roles.c        lab_scenario
lab/scenario/section_traffic.c      lab_scenario
netdev/segment.c                    segment
orchd/control/protocol.c            control
orchd/daemon/options.c              options
orchd/daemon/settings.c             options
orchd/daemon/settings_text.c        options
orchd/db/dbconfig.c                 options
orchd/db/endpoint.c                 options
orchd/db/notify.c                   options
orchd/db/rows.c                     redis
orchd/db/scan.c                     redis
orchd/files/asic_file.c             vendor
orchd/files/lookup_file.c           vendor
orchd/files/zero_file.c             vendor
orchd/history/history_file.c        history
orchd/history/history_read.c        history
orchd/http/http_address.c           http
orchd/http/http_request.c           http
orchd/intent/content.c              intent
orchd/intent/key.c                  intent
orchd/intent/normalize.c            intent
orchd/intent/partial.c              intent
orchd/intent/schema.c               intent
sai/core/attr_value.c               serialize remote client
sai/core/compound_text.c            serialize
sai/core/ip.c                       serialize
sai/core/serialize.c                serialize
sai/core/struct_json.c              serialize
sai/remote/call.c                   client remote
sai/remote/message.c                client remote
sai/remote/notification.c           client remote
sai/remote/query.c                  client remote
sai/remote/values.c                 client remote
sai/remote/wire.c                   client remote
sai/replay/recording.c              sai_files
sai/replay/replay.c                 sai_files
sai/replay/replay_map.c             sai_files
sai/replay/replay_snapshot.c        sai_files
sai/stack/fault_rules.c             sai_files
sai/trace/trace_parse.c             sai_files
twin/chip/yaml/chip_fields.c        chip
twin/chip/yaml/chip_file.c          chip
twin/chip/yaml/chip_list.c          chip
twin/forwarding/packet.c            packet
twin/host/pcap.c                    pcap
yaml/document.c                     chip scenario lab_scenario
'
targets=$(printf '%s\n' "$parsers" | awk '{ for (i = 2; i <= NF; i++) print $i }' | sort -u)

mkdir -p "$build" && cd "$build" || exit 1
if [ ! -f Makefile ]; then
    "$src/configure" -q --disable-hardening CC="$FUZZ_CC" \
        CFLAGS='-O0 -g1 -fprofile-instr-generate -fcoverage-mapping' || exit 1
fi
make -s fuzz-replays || exit 1

rm -rf profiles missing
mkdir profiles
for target in $targets; do
    LLVM_PROFILE_FILE="profiles/$target.raw" "tests/fuzz/replay_$target" >"profiles/$target.log" 2>&1 || {
        cat "profiles/$target.log"
        exit 1
    }
    if [ -n "${FUZZ_CORPUS:-}" ] && [ -d "$FUZZ_CORPUS/$target" ]; then
        find "$FUZZ_CORPUS/$target" -type f -exec env LLVM_PROFILE_FILE="profiles/$target.%p.raw" \
            "tests/fuzz/replay_$target" {} + >"profiles/$target.log" 2>&1 || {
            cat "profiles/$target.log"
            exit 1
        }
    fi
    "$LLVM_PROFDATA" merge -sparse -o "profiles/$target" "profiles/$target".*raw || exit 1
    rm -f "profiles/$target".*raw
    "$LLVM_COV" export -format=lcov -instr-profile="profiles/$target" "tests/fuzz/replay_$target" |
        awk -F'[:,]' -v target="$target" '/^SF:/ { file = $2 } /^DA:/ { print target, file, $2, $3 }' \
            >"profiles/$target.lines" || exit 1
done

# A line counts as executed if one of the targets of its file has.
{
    printf '%s\n' "$parsers" | awk 'NF { for (i = 2; i <= NF; i++) print "P", $i, $1 }'
    for target in $targets; do
        cat "profiles/$target.lines"
    done
} | awk -v gate="$gate" '
    $1 == "P" { wanted[$2 " " $3] = 1; if (!($3 in names)) files[++n_files] = $3
                names[$3] = names[$3] " " $2; next }
    {
        # The folder of the build may be part of the path.
        path = $2
        while (!(($1 " " path) in wanted) && sub(/^[^\/]*\//, "", path)) { }
        if (!(($1 " " path) in wanted)) next
        if (!((path " " $3) in count)) { lines[path]++; count[path " " $3] = 0 }
        if ($4 > 0 && !count[path " " $3]) { count[path " " $3] = 1; hit[path]++ }
    }
    END {
        for (i = 1; i <= n_files; i++) {
            file = files[i]
            percent = lines[file] ? 100 * hit[file] / lines[file] : 0
            low += percent < gate
            printf "%-36s %5d of %5d lines %6.1f %% %s%s\n", file, hit[file], lines[file], percent,
                   names[file], percent < gate ? "  BELOW THE GATE" : ""
        }
        for (key in count) if (!count[key]) { split(key, part, " "); print part[1] ":" part[2] >"missing" }
        if (low) print low " below " gate " %; lines that no input reaches: missing"
        exit low > 0
    }'
