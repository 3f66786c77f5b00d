#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# commit.sh SOURCE: prints the commit that SOURCE is at, with "+" if files that
# Git knows have changed since; else what the file .commit of a release says,
# else "unknown".
if [ -e "$1/.git" ] && commit=$(git -C "$1" rev-parse --short=12 HEAD 2>/dev/null); then
    git -C "$1" diff-index --quiet HEAD -- 2>/dev/null || commit=$commit+
    echo "$commit"
elif [ -f "$1/.commit" ]; then
    cat "$1/.commit"
else
    echo unknown
fi
