#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Rows whose numbers were calculated by hand (their input_note says how), on
# shipped chips and on two that combine mechanisms; families without a model;
# and what becomes of tables that are wrong.
set -u

rows=${srcdir:-.}/tests/bench/rows
calibrate=tests/bench/calibrate
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0

fail()
{
    echo "FAILED: $1"
    failed=1
}

# expect STATUS TEXT TITLE ARGUMENTS...: runs calibrate, which must exit with
# STATUS and say TEXT.
expect()
{
    status=$1
    text=$2
    title=$3
    shift 3
    "$calibrate" "$@" >"$work/out" 2>&1
    got=$?
    if [ "$got" -ne "$status" ]; then
        fail "$title: exit status $got, not $status"
        cat "$work/out"
    elif ! grep -qF -- "$text" "$work/out"; then
        fail "$title: does not say '$text'"
        cat "$work/out"
    fi
}

# table NAME: writes a table of one row; the rest of the line is its fields.
table()
{
    printf '%s\n' "$2" "$3" >"$work/$1.csv"
}

expect 0 "exact or better: 100.00 %" "own rows" "$rows/own.csv" \
    --models "$rows" --require exact=100

table wrong row_id,asic,role,hw_value,packet_size 1,td2,fill_ing_min,5,64
expect 0 "1,5,0,-5,off,td2" "a wrong number is off" "$work/wrong.csv"
expect 1 "NOT MET" "a gate that is not met" "$work/wrong.csv" \
    --require "within margin=100"
table near row_id,asic,role,hw_value,test_margin 1,td2,fill_ing_min,2,5
expect 0 "within margin,td2" "a margin" "$work/near.csv" --require margin=100

columns=row_id,asic,role,hw_value,test_margin,pg_size
table wide $columns 1,td2,fill_ing_min,5,5000,2080
expect 0 "1,5,10,5,off,td2" "no margin is wider than 1 % or 2 packets" \
    "$work/wide.csv"
table wide $columns 1,td2,fill_ing_min,8,5000,2080
expect 0 "1,8,10,2,within margin,td2" "2 packets" "$work/wide.csv"
table wide $columns 1,td2,fill_ing_min,1010,5000,208000
expect 0 "1,1010,1000,-10,within margin,td2" "1 %" "$work/wide.csv"
table wide $columns 1,td2,fill_ing_min,1011,5000,208000
expect 0 "1,1011,1000,-11,<=5 %,td2" "more than 1 %" "$work/wide.csv"

# Three rows that state two values, of which one is exact in all its rows.
printf '%s\n' $columns 1,td2,fill_ing_min,10,,2080 \
    2,td2,fill_ing_min,11,,2080 3,td2,fill_ing_min,11,,2288 \
    >"$work/values.csv"
expect 0 "fill_ing_min               2             1     0     0   0           0       0      2     1" \
    "distinct values" "$work/values.csv" --summary

table family row_id,asic,role,hw_value 7,nochip,pfc,100
expect 0 "7,100,,,unsupported" "an unknown family" "$work/family.csv"
expect 1 "NOT MET" "an unknown family meets nothing" "$work/family.csv" \
    --require off=100
table role row_id,asic,role,hw_value 7,td2,dance,100
expect 0 "unsupported,td2,dance" "an unknown role" "$work/role.csv"
table many row_id,asic,role,hw_value,n_lossless_pgs_src_port 7,td2,pfc,100,40
expect 0 "unsupported,td2,pfc" "too many PGs" "$work/many.csv"

columns=row_id,asic,role,hw_value,ingress_pool_size,pg_size,pg_dynamic_th
table never $columns 7,spc2,pfc,100,144000,1440,7
expect 0 "no XOFF" "an unlimited PG is never XOFF" "$work/never.csv"
table never $columns,n_pgs_filled 7,spc2,pfc_n,100,144000,1440,7,2
expect 0 "no XOFF" "nor are several" "$work/never.csv"
table never $columns 7,spc2,fill_ing_min,100,144000,0,-8
expect 0 "nothing is ever shared" "nothing may be shared" "$work/never.csv"

mkdir "$work/models"
printf 'name: odd\nthreshold: sometimes\n' >"$work/models/odd.yaml"
table odd row_id,asic,role,hw_value 7,odd,pfc,100
expect 0 "odd.yaml:2:12: threshold" "a broken model" "$work/odd.csv" \
    --models "$work/models"
printf 'name: td2\ncell_bytes: 100\npgs_per_port: 8\nports: 4\n' \
    >"$work/models/odd.yaml"
table own row_id,asic,role,hw_value,pg_size 1,td2,fill_ing_min,7,700
expect 0 "1,7,7,0,exact" "a model in the place of a shipped one" \
    "$work/own.csv" --models "$work/models"

table letters row_id,asic,role,hw_value,pg_size 1,td2,pfc,100,12x
expect 2 "letters.csv:2: pg_size is not a number" "a malformed number" \
    "$work/letters.csv"
table cut row_id,asic,role,hw_value,pg_size 1,td2,pfc
expect 2 "cut.csv:2: not as many fields" "a line that is cut" "$work/cut.csv"
table column row_id,asic,role,hw_value,pg_sise,weather 1,td2,fill_ing_min,0,1,sun
expect 0 "column 'pg_sise', which is not known; did you mean 'pg_size'?" \
    "a misspelt column" "$work/column.csv"
expect 0 "column.csv:1: ignores the column 'weather', which is not known" \
    "another column" "$work/column.csv"
table missing row_id,asic,hw_value 1,td2,100
expect 2 "missing.csv:1: the column role is missing" "a missing column" \
    "$work/missing.csv"
table twice row_id,asic,role,hw_value,asic 1,td2,pfc,1,td2
expect 2 "there are two columns asic" "a column twice" "$work/twice.csv"
: >"$work/empty.csv"
expect 2 "column row_id is missing" "an empty file" "$work/empty.csv"
expect 2 "No such file" "a missing file" "$work/nothing.csv"
expect 2 "No such file" "a missing directory" "$work/near.csv" \
    --models "$work/nowhere"
expect 2 "usage:" "no arguments"
expect 2 "usage:" "a class that is none" "$work/near.csv" --require good=9
expect 2 "usage:" "a percentage that is none" "$work/near.csv" \
    --require exact=101

printf 'row_id,asic,role,hw_value,input_note\r\n"1","td2",pfc,1,"a ""b"",\nc"\r\n' \
    >"$work/quoted.csv"
expect 0 "td2          pfc" "quotes and line breaks" "$work/quoted.csv" \
    --summary
exit $failed
