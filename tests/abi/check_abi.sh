#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Compares our SAI headers and metadata with the facts of the pinned release:
# names, numbers, layouts, signatures, order of functions, properties of
# attributes.  The facts and the generator of the assertions are not part of
# this project; ORCHD_SHARED says where they are.  Without them the test is
# skipped.
set -eu

top=${srcdir:-.}
shared=${ORCHD_SHARED:-$top/../shared}
generator=$shared/tools/gen_abi_check.py
facts=$shared/data/sai/abi.json
more_facts=$shared/data/sai/abi_more.json
include=$top/sai/include

for file in "$generator" "$facts" "$more_facts"; do
    if [ ! -r "$file" ]; then
        echo "SKIP: $file is not there"
        exit 77
    fi
done
if ! command -v python3 >/dev/null 2>&1; then
    echo "SKIP: python3 is not installed"
    exit 77
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tried=0

# Of the second file, the APIs that our headers have.
more=$work/more.json
python3 - "$more_facts" "$more" <<'EOF'
import json
import sys

SCOPE = {'acl', 'policer', 'tunnel', 'mirror', 'samplepacket', 'my_mac',
         'debug_counter'}
facts = json.load(open(sys.argv[1]))
facts['apis'] = {name: api for name, api in facts['apis'].items()
                 if name in SCOPE}
headers = {api['header'] for api in facts['apis'].values()}
for section in 'attributes', 'stats', 'enums', 'structs', 'fn_types':
    facts[section] = {name: fact for name, fact in facts[section].items()
                      if fact['header'] in headers}
json.dump(facts, open(sys.argv[2], 'w'))
EOF

# The facts also name what only other APIs need: keys of their entries, their
# notifications.  All that comes from a header of an API in scope is required.
python3 - "$facts" "$more" >"$work/required" <<'EOF'
import json
import sys

names = []
for path in sys.argv[1:]:
    facts = json.load(open(path))
    scope = {api['header'] for api in facts['apis'].values()}
    scope |= {'inc/sai.h', 'inc/saiobject.h', 'inc/saistatus.h',
              'inc/saitypes.h', 'inc/saiversion.h'}
    names += [status['name'] for status in facts['status']]
    names += [export['name'] for export in facts['exports']]
    for section, rows in (('enums', 'members'), ('attributes', 'attrs'),
                          ('stats', 'stats')):
        for group in facts[section].values():
            if group['header'] in scope:
                names += [row['name'] for row in group[rows]]
    for section in 'structs', 'fn_types':
        names += [name for name, fact in facts[section].items()
                  if fact['header'] in scope]
    for api in facts['apis'].values():
        names.append(api['table'])
        names += [api['table'] + '.' + slot['name'] for slot in api['slots']]
print('\n'.join(names))
EOF

for compiler in gcc clang; do
    command -v "$compiler" >/dev/null 2>&1 || continue
    tried=1
    echo '#include <sai.h>' | "$compiler" -E -dD -I "$include" -x c - \
        >"$work/headers.i"
    python3 "$generator" "$facts" "$more" --only-present "$work/headers.i" \
        --include '<sai.h>' --missing-out "$work/missing" \
        --require '^sai_.*_api_t' --require '^SAI_STATUS_' \
        --require '^SAI_API_' --require '^SAI_OBJECT_TYPE_' \
        --require '^SAI_(KEY|HOSTIF|VLAN|MAX|NULL|SWITCH)_' \
        -o "$work/assertions.c"
    if grep -Fx -f "$work/required" "$work/missing"; then
        echo "FAILED: the names above are in scope and not in our headers"
        exit 1
    fi
    for standard in c11 gnu11; do
        "$compiler" -std="$standard" -fsyntax-only -DSAI_ABI_STRICT \
            -I "$include" "$work/assertions.c"
        echo "$compiler -std=$standard: all assertions hold"
    done
done
[ "$tried" = 1 ] || { echo "SKIP: neither gcc nor clang"; exit 77; }

tests/abi/dump_metadata >"$work/metadata.json"
python3 "$top/tests/abi/compare_metadata.py" "$work/metadata.json" "$facts" "$more"
