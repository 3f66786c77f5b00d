#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The YANG modules are sound, accept whole configurations that are good and
# refuse bad ones with the right message.  Uses yanglint; skipped without it.
set -u
top=${srcdir:-$(dirname "$0")/../..}
here=$top/tests/schemas
yanglint=${YANGLINT:-yanglint}
failed=0

if ! command -v "$yanglint" >/dev/null 2>&1; then
    echo "yanglint is not installed"
    exit 77
fi

# Validates the instance $1 against all modules; prints what yanglint says.
validate() {
    "$yanglint" -i -p "$top/schemas" "$top"/schemas/*.yang "$@" 2>&1
}

fail() {
    echo "FAIL: $*"
    failed=1
}

if ! out=$(validate) || [ -n "$out" ]; then
    fail "the modules: $out"
fi
for module in "$top"/schemas/*.yang; do
    name=$(basename "$module" .yang)
    grep -q "^module $name {" "$module" ||
        fail "$module does not define the module $name"
    grep -q "namespace \"urn:orchd:$name\";" "$module" ||
        fail "$module is not in its own namespace"
done
for file in "$here"/good/*.json; do
    out=$(validate "$file") || fail "$file is refused: $out"
done
while read -r name message; do
    [ "$name" = "#" ] && continue
    if out=$(validate "$here/bad/$name.json"); then
        fail "bad/$name.json is accepted"
    else
        case $out in
        *"$message"*) ;;
        *) fail "bad/$name.json is refused for another reason: $out" ;;
        esac
    fi
done <"$here/bad/expected"
for file in "$here"/bad/*.json; do
    grep -q "^$(basename "$file" .json) " "$here/bad/expected" ||
        fail "$file is not in bad/expected"
done
exit $failed
