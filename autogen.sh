#!/bin/sh
# Makes ./configure.  Run once after a clone.
set -e
cd "$(dirname "$0")"
mkdir -p m4
exec autoreconf --install --warnings=all,no-obsolete
