#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# release_check.sh SOURCE VERSION: says whether SOURCE can be released as
# VERSION, as far as a look at it tells: it is the newest version of
# CHANGELOG.md, newer than the last tag, and all changes are committed.  "make
# release-check" also runs the checks that take long.
cd "$1" || exit 2
version=$2 bad=0

complain()
{
    echo "release-check: $*" >&2
    bad=1
}

echo "$version" | grep -Eq '^[0-9]+\.[0-9]+\.[0-9]+$' ||
    complain "version $version is not MAJOR.MINOR.PATCH (configure.ac)"
heading=$(grep -m 1 '^## ' CHANGELOG.md)
echo "$heading" | grep -Eq "^## $version - [0-9]{4}-[0-9]{2}-[0-9]{2}\$" ||
    complain "CHANGELOG.md begins with \"$heading\", not with" \
        "\"## $version - YYYY-MM-DD\""
last=$(git tag --list 'v*' --sort=version:refname | tail -n 1)
newest=$(printf '%s\n' "${last#v}" "$version" | sort -V | tail -n 1)
if [ -n "$last" ] && { [ "${last#v}" = "$version" ] || [ "$newest" != "$version" ]; }; then
    complain "version $version is not newer than the last tag $last"
fi
[ -z "$(git status --porcelain)" ] ||
    complain "there are changes that are not committed: git status"
[ "$bad" = 0 ] && echo "release-check: $version can be tagged as v$version"
exit "$bad"
