#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The breakpoints of real switches.  The table is not part of this project;
# ORCHD_SHARED says where it is.  Without it the test is skipped.
set -u

shared=${ORCHD_SHARED:-${srcdir:-.}/../shared}
given=$shared/data/calibration/given.csv
calibrate=tests/bench/calibrate
failed=0
# Only the first of so many rows.
every=${CALIBRATE_EVERY:-1}
# Millions of packets at a time: pages of 2 MB are sooner there than of 4 KB.
GLIBC_TUNABLES=glibc.malloc.hugetlb=1
export GLIBC_TUNABLES

if [ ! -r "$given" ]; then
    echo "SKIP: $given is not there"
    exit 77
fi

# need TITLE ARGUMENTS...
need()
{
    title=$1
    shift
    echo "== $title"
    "$calibrate" "$given" --summary --every "$every" "$@" || failed=1
}

need "measured, exactly known" --kind measured --asic td2,th,th3,th5 \
    --require margin=100
need "measured, some with wide margins" --kind measured --asic q3d \
    --require 5%=100
need "measured" --kind measured --asic th2,td3,jr2,j2c+ --require margin=98
need "a vendor's generator" --kind vendor_formula --require margin=100
exit $failed
