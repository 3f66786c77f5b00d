#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The configurations that the lab ships: each row is applied, lint has no
# warning, and they are what lab/configs/generate.py writes.
srcdir=${srcdir:-.}
status=0
for file in "$srcdir"/lab/configs/*.json; do
    for verb in lint plan; do
        if ! orchctl/orchctl config $verb --sai .libs/libsai-softasic.so \
            --chips "$srcdir/chips" --yang-dir "$srcdir/schemas" \
            "$file" >check_lab_configs.log 2>&1; then
            echo "failed: config $verb $file"
            cat check_lab_configs.log
            status=1
        fi
    done
done
mkdir -p check_lab_configs
if ! "$srcdir/lab/configs/generate.py" orchctl/orchctl "$srcdir/chips" \
    check_lab_configs >/dev/null; then
    status=1
fi
for file in "$srcdir"/lab/configs/*.json; do
    name=$(basename "$file" .json)
    grep -q "^| \`$name\` " "$srcdir/docs/reference/lab-configs.md" ||
        { echo "$name is not in docs/reference/lab-configs.md"; status=1; }
    cmp "$file" "check_lab_configs/${file##*/}" || status=1
done
rm -rf check_lab_configs check_lab_configs.log
exit $status
