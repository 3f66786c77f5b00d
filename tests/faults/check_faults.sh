#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Checks that each seeded fault fits the sources and is in the documents.
exec python3 "${srcdir:-.}/tests/faults/faults.py" --check
