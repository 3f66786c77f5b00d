#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# coverage.sh SRCDIR [BUILD]: how much of each parser its fuzz target reaches
# ("make fuzz-coverage").  Compiles the replays with clang's coverage in the
# folder BUILD (default: fuzz.coverage), runs each on the inputs that are kept
# (seeds.sh) and on those in FUZZ_CORPUS/NAME, if that is set, and prints the
# lines of each parser that were executed.  Fails if it is less than 90 % of one;
# the lines that are missing are in BUILD/missing.
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
orchd/control/command.c             control
orchd/daemon/options.c              options
orchd/daemon/settings.c             options
orchd/db/dbconfig.c                 options
orchd/db/endpoint.c                 options
orchd/db/notify.c                   options
orchd/db/reader.c                   redis
orchd/db/scan.c                     redis
orchd/files/asic_file.c             vendor
orchd/files/lookup_file.c           vendor
orchd/files/zero_file.c             vendor
orchd/history/history_file.c        history
orchd/history/history_read.c        history
orchd/http/http_address.c           http
orchd/http/http_request.c           http
orchd/intent/content.c              rows intent
orchd/intent/key.c                  rows intent
orchd/intent/normalize.c            rows intent
orchd/intent/partial.c              rows intent
orchd/intent/schema.c               rows intent
sai/core/compound_text.c            serialize
sai/core/ip.c                       serialize sai_files
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
thriftd/rpc_values.c                thrift
thriftd/tbinary.c                   thrift
twin/chip/yaml/chip_fields.c        chip
twin/chip/yaml/chip_file.c          chip
twin/chip/yaml/chip_list.c          chip
twin/forwarding/packet.c            packet
twin/host/pcap.c                    pcap
yaml/document.c                     chip scenario lab_scenario
'

# Functions of these files that no input reaches, or that read none; behind each
# '#' is what they do instead.
others='
# writes what another process reads
sai/remote/call.c put_head call_put call_put_stats
sai/remote/notification.c notification_put_state notification_put_shutdown notification_put_fdb
sai/remote/notification.c notification_put_ports notification_put_queues
sai/remote/notification.c notification_set_callback
sai/remote/query.c query_put put_element query_put_answer
sai/remote/values.c put_runs count_written n_written put_taps put_list put_attribute values_put
sai/remote/values.c values_put_room values_put_answer
# says what a name means, or reckons with what was read
lab/measure/metric.c metric_quantity_meaning metric_quantity_unit metric_label_name metric_text
lab/scenario/quantity.c quantity_name ratio_threshold
# prints the options and settings, or copies them
orchd/daemon/options.c options_help add_setting options_manual
orchd/daemon/settings.c settings_each visit_pairs format_value describe_default settings_differ
orchd/daemon/settings.c settings_copy settings_is_reloaded settings_key
# asks the resolver of the host
orchd/db/endpoint.c endpoint_resolve
# goes through the folders of the product
twin/chip/yaml/chip_file.c name_ok is_chip_file compare_names fail_unknown chip_file_load
twin/chip/yaml/chip_file.c try_file chip_file_find
# waits for Redis, or for time to pass
orchd/control/command.c call_when_settled settle_published end_patience wake wake_at
orchd/control/command.c call_next_turn
# says why the file system refuses
orchd/history/history_file.c history_file_error
'

# Lists of words as lines "FILE WORD".
pairs() {
    printf '%s\n' "$1" | awk '!/^#/ { for (i = 2; i <= NF; i++) print $1, $i }'
}
targets=$(pairs "$parsers" | cut -d ' ' -f 2 | sort -u)

mkdir -p "$build" && cd "$build" || exit 1
if [ ! -f Makefile ]; then
    "$src/configure" -q --disable-hardening CC="$FUZZ_CC" \
        CFLAGS='-O0 -g1 -fprofile-instr-generate -fcoverage-mapping' || exit 1
fi
make -s fuzz-replays || exit 1

rm -rf profiles missing
mkdir profiles
for target in $targets; do
    folders=$("$src/tests/fuzz/seeds.sh" "$src" "$target")
    [ -d "${FUZZ_CORPUS:-}/$target" ] && folders="$folders $FUZZ_CORPUS/$target"
    # shellcheck disable=SC2086 # Names without spaces.
    find $folders -maxdepth 1 -type f -exec env LLVM_PROFILE_FILE="profiles/$target.%p.raw" \
        "tests/fuzz/replay_$target" {} + >"profiles/$target.log" 2>&1 || {
        tail -n 30 "profiles/$target.log"
        exit 1
    }
    "$LLVM_PROFDATA" merge -sparse -o "profiles/$target" "profiles/$target".*raw || exit 1
    rm -f "profiles/$target".*raw
    "$LLVM_COV" export -format=lcov -instr-profile="profiles/$target" "tests/fuzz/replay_$target" |
        awk -F'[:,]' -v target="$target" '
            /^SF:/ { file = $2; n = 0 }
            /^FN:/ { start[++n] = $2 + 0; name[n] = $NF }
            /^DA:/ { best = 0
                     for (i = 1; i <= n; i++) if (start[i] <= $2 + 0 && (!best || start[i] > start[best])) best = i
                     print target, file, $2, $3, best ? name[best] : "-" }' \
            >"profiles/$target.lines" || exit 1
done

# A line counts as executed if one of the targets of its file has.
{
    pairs "$parsers" | sed 's/^/P /'
    pairs "$others" | sed 's/^/X /'
    for target in $targets; do
        cat "profiles/$target.lines"
    done
} | awk -v gate="$gate" '
    $1 == "P" { if (!($2 in names)) files[++n_files] = $2
                names[$2] = names[$2] " " $3; next }
    $1 == "X" { excluded[$2, $3] = 1; next }
    {
        # The folder of the build may be part of the path.
        path = $2
        while (!(path in names) && sub(/^[^\/]*\//, "", path)) { }
        if (index(names[path] " ", " " $1 " ") == 0 || ((path, $5) in excluded)) next
        line = path ":" $3
        if (!(line in count)) lines[path]++
        hit[path] += $4 > 0 && !count[line]
        count[line] += $4
    }
    END {
        for (i = 1; i <= n_files; i++) {
            file = files[i]
            percent = lines[file] ? 100 * hit[file] / lines[file] : 0
            low += percent < gate
            printf "%-36s %5d of %5d lines %6.1f %% %s%s\n", file, hit[file], lines[file], percent,
                   names[file], percent < gate ? "  BELOW THE GATE" : ""
        }
        for (line in count) if (!count[line]) print line >"missing"
        if (low) print low " below " gate " %; lines that no input reaches: missing"
        exit low > 0
    }'
