#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Compiles everything for arm64 in an empty Debian, and runs the unit tests in
# qemu-user.
#
#     check_arm64.sh BUILD [CACHE]
#
# BUILD is a build directory of this machine; CACHE keeps the Debian system, which is
# large, between runs.  Needs root, mmdebstrap and the Debian mirror of this machine.
# Exits with 77 if this cannot run here.
set -eu

build=$(cd "$1" && pwd)
work=$(mktemp -d)
cache=${2:-$work/arm64.tar}
jobs=${J:-2}
if [ "$(id -u)" -ne 0 ] || ! command -v mmdebstrap >/dev/null; then
    echo "check_arm64: this needs root and mmdebstrap"
    exit 77
fi
trap 'rm -rf "$work"' EXIT

if [ ! -e "$cache" ]; then
    libraries=$(sed -n 's/^build \(lib.*-dev\)$/\1/p' \
        "$(dirname "$0")/../../scripts/packages" |
        grep -v 'libc6-dev\|librandom123-dev' | sed 's/$/:arm64/' | paste -sd,)
    mmdebstrap --variant=minbase --architectures=amd64,arm64 --include=autoconf,automake \
        --include=libtool,make,pkg-config,crossbuild-essential-arm64,qemu-user-static,dash \
        --include=python3-minimal,uthash-dev,librandom123-dev,libcmocka-dev:arm64 \
        --include="libc6-dev:arm64,$libraries" bookworm "$cache.part.tar"
    mv "$cache.part.tar" "$cache"
fi

mkdir "$work/root"
tar -C "$work/root" -xpf "$cache" --exclude='./dev/*'
mknod -m 666 "$work/root/dev/null" c 1 3
mknod -m 666 "$work/root/dev/zero" c 1 5
mknod -m 666 "$work/root/dev/urandom" c 1 9
make -C "$build" -s distdir distdir="$work/root/src" >/dev/null

# Tests of the kernel's own interfaces, which qemu-user does not provide (network
# devices), and those that measure what is loaded, are those of the real machine.
cat >"$work/root/build.sh" <<'END'
set -eu
export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root
export PKG_CONFIG=/usr/bin/pkg-config
export PKG_CONFIG_LIBDIR=/usr/lib/aarch64-linux-gnu/pkgconfig:/usr/share/pkgconfig
cd /src
[ -x configure ] || ./autogen.sh >/dev/null 2>&1
CONFIG_SHELL=/bin/dash dash ./configure -q --host=aarch64-linux-gnu --enable-developer \
    CFLAGS='-O1 -g1' TARGET_RUN=qemu-aarch64-static
make -s -j"$1" all
make -s -j"$1" check TESTS=
file=orchd/orchd
aarch64-linux-gnu-readelf -h $file | grep -q AArch64
tests=$(make -s list-unit-tests)
make -k check TESTS="$tests" LOG_COMPILER=qemu-aarch64-static -j"$1" | grep '^\(PASS\|FAIL\|SKIP\|ERROR\|# TOTAL\)'
END
unshare --mount --pid --net --fork --kill-child sh -c "
    mount --make-rprivate / && mount -t proc proc '$work/root/proc' && ip link set lo up &&
    exec chroot '$work/root' sh -c 'sh /build.sh $jobs'" || {
    for log in $(grep -l '^FAIL\|exit status: [1-9]' -r "$work/root/src/tests/unit" \
        --include='*.log' 2>/dev/null); do
        echo "--- ${log##*/}"
        tail -n 15 "$log"
    done
    exit 1
}
