#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Builds the Debian packages a second time, elsewhere, at another time and with other
# habits of the user, and fails unless they are equal to the bit.
#
#     check_reproducible.sh BUILD
#
# BUILD is a build directory after "make deb".
set -eu

build=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
set -- "$build"/deb/*.deb
if [ ! -e "$1" ]; then
    echo "there are no packages in $build/deb; run make deb" >&2
    exit 1
fi

umask 027
if ! TZ=Pacific/Kiritimati LC_ALL=C.UTF-8 CCACHE_DISABLE=1 HOME=/nonexistent \
    make -C "$build" -s deb deb_folder="$work/somewhere/else" >"$work/log" 2>&1; then
    tail -n 20 "$work/log"
    exit 1
fi
differing=0
for package in "$@"; do
    if ! cmp "$package" "$work/somewhere/else/${package##*/}"; then
        differing=$((differing + 1))
        if command -v diffoscope >/dev/null; then
            diffoscope "$package" "$work/somewhere/else/${package##*/}" || :
        fi
    fi
done
echo "$# packages, $differing differ"
[ "$differing" -eq 0 ]
