#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Whether each seeded fault fits the sources and is told of in the docs.
exec python3 "${srcdir:-.}/tests/faults/faults.py" --check
