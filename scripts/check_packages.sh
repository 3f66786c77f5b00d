#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What a release needs and check-full leaves out: packages that are equal when built
# twice, installed, upgraded, removed and purged in a Debian of their own; the image for
# containers; orchd in place of an older one.  "make check-packages" runs this, with
# network access for apt.  The last line is "N passed, N failed, N skipped".
. "$(dirname "$0")/suite.sh" || exit 1

step "packages"
install_packages build test full

step "packages: build twice, install, upgrade, remove"
configure_in build/packages CC=gcc
if judge deb make -C build/packages -s deb; then
    judge reproducible tests/packaging/check_reproducible.sh build/packages
    judge packages tests/packaging/check_packages.py build/packages/deb build/debian.tar
    judge oci-image packaging/oci/build.sh build/packages/deb build/packages/oci check &&
        judge oci tests/packaging/check_oci.py build/packages/oci check
fi

step "upgrade: from an older commit, with frames in the switch"
build gcc build/gcc CC=gcc 'CFLAGS=-g1 -O2' &&
    judge upgrade scripts/upgrade_check.sh build/gcc

conclude
