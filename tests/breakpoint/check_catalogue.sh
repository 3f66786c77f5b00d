#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The whole catalogue of breakpoint scenarios, and the example that docs tell
# of (docs/explanation/watchdog.md), on as many processes as there
# are processors.  "make breakpoint" runs it for a person; arguments go to
# orchctl, "make check" gives none and wants only what has failed.
srcdir=${srcdir:-.}
jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
# Sanitizers look at a third of the cases, of every file.
every=${BREAKPOINT_EVERY:-1}
exec orchctl/orchctl breakpoint run \
    --sai .libs/libsai-softasic.so --chips "$srcdir/chips" \
    --yang-dir "$srcdir/schemas" --jobs "$jobs" --every "$every" \
    "$@" "$srcdir/tests/breakpoint" \
    "$srcdir/examples/breakpoint/threshold.yaml" \
    "$srcdir/examples/breakpoint/victim.yaml"
