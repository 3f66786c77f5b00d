#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Checks the pages about SAI's object types: there is one for each type that has
# a .def file, the index lists it, and the generator refuses tables that differ
# from the .def files.
set -eu

include=${srcdir:-$(sed -n 's/^srcdir = //p' Makefile)}/sai/include
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

mkdir "$work/pages"
sai/core/print_pages "$include" "$work/pages"
for file in "$include"/object/*.def; do
    name=$(basename "$file" .def)
    [ "$name" = declare ] && continue
    if ! grep -q '^## Attributes' "$work/pages/$name.md" ||
       ! grep -q "($name.md)" "$work/pages/README.md"; then
        echo "FAILED: $name has no page, or the index does not list it"
        failed=1
    fi
done
if ! diff -r "$work/pages" docs/sai; then
    echo "FAILED: the pages of the build are not those of these tables"
    failed=1
fi

# A row that the compiled tables do not have.
mkdir "$work/include"
cp -R "$include/object" "$work/include"
chmod -R u+w "$work/include"
sed -i 's/^SAI_ATTR(SAI_QUEUE_ATTR_INDEX,/SAI_ATTR(SAI_QUEUE_ATTR_OTHER,/' \
    "$work/include/object/queue.def"
if sai/core/print_pages "$work/include" "$work/pages" 2>"$work/error"; then
    echo "FAILED: a row that is in no table was accepted"
    failed=1
elif ! grep -q 'SAI_QUEUE_ATTR_OTHER: is not in the metadata' "$work/error"
then
    cat "$work/error"
    failed=1
fi
exit $failed
