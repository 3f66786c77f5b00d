#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Tests an upgrade in service from an older commit to a build of this tree.
#
#     scripts/upgrade_check.sh BUILD [COMMIT]
#
# BUILD is a build directory of this tree.  COMMIT is the older one: by default
# the last tag, or without one the tenth last commit.  It is built below
# BUILD/old.  Exits with 77 where there is no Git.

set -eu

top=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "$1" && pwd)
commit=${2:-$(git -C "$top" describe --tags --abbrev=0 --match 'v*' 2>/dev/null ||
    git -C "$top" rev-parse --verify -q 'HEAD~10' || true)}
if [ -z "$commit" ]; then
    echo "skipped: there is no older commit"
    exit 77
fi
commit=$(git -C "$top" rev-parse "$commit")
old=$build/old/$commit
if [ ! -d "$old/source" ]; then
    mkdir -p "$old/new"
    git -C "$top" archive "$commit" | tar -x -C "$old/new"
    mv "$old/new" "$old/source"
fi
mkdir -p "$old/build"
(
    cd "$old/source"
    [ -x configure ] || ./autogen.sh
    cd "$old/build"
    [ -f Makefile ] || ../source/configure -q CC="${CC:-gcc}" CFLAGS='-O1 -g1'
    make -s -j"${J:-2}" all
) >"$old/log" 2>&1 || {
    tail -n 20 "$old/log"
    echo "the older version does not build ($old/log)"
    exit 1
}
export ORCHD_TEST_OLD="$old/build" ORCHD_TEST_OLD_SOURCE="$old/source"
export top_srcdir="$top" top_builddir="$build"
echo "upgrade from $commit"
exec "${PYTHON3:-python3}" "$top/tests/integration/test_upgrade.py" -v
