#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Makes an OCI image of Debian with orchd, softasicd and Redis.
#
#     packaging/oci/build.sh DEBS IMAGE TAG
#
# DEBS is a folder with the packages, IMAGE the layout to write (a folder).  Needs root,
# mmdebstrap, umoci and the Debian mirror of this machine.
set -eu

debs=$(cd "$1" && pwd)
image=$2
tag=$3
here=$(cd "$(dirname "$0")" && pwd)
for tool in mmdebstrap umoci; do
    if ! command -v $tool >/dev/null; then
        echo "build.sh: $tool is not installed" >&2
        exit 77
    fi
done
if [ "$(id -u)" -ne 0 ]; then
    echo "build.sh: only root can make the files of an image" >&2
    exit 77
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/debs"
for name in orchd orchctl softasic; do
    cp "$debs/${name}"_[0-9]*.deb "$work/debs/"
done

# The times of files are those of the package, so that equal input makes an equal image.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(dpkg-parsechangelog \
    -l "$here/../../debian/changelog" -S Timestamp)}
export SOURCE_DATE_EPOCH
mmdebstrap --quiet --variant=minbase --include=iproute2 \
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
    --dpkgopt='path-exclude=/usr/share/locale/*' \
    --customize-hook="mkdir -p \"\$1/debs\" && cp '$work'/debs/*.deb \"\$1/debs/\"" \
    --customize-hook='chroot "$1" sh -c "apt-get install -qq -y \
        --no-install-recommends /debs/*.deb" >/dev/null' \
    --customize-hook='rm -rf "$1/debs"' \
    --customize-hook="install -D -m 755 '$here/entrypoint' \
        \"\$1/usr/libexec/orchd/entrypoint\"" \
    bookworm "$work/root.tar"

rm -rf "$image"
umoci init --layout "$image"
umoci new --image "$image:$tag"
mkdir "$work/root"
tar -C "$work/root" -xpf "$work/root.tar" --exclude='./dev/*'
umoci insert --image "$image:$tag" "$work/root" /
umoci config --image "$image:$tag" --clear=config.entrypoint --clear=config.cmd \
    --config.entrypoint /usr/libexec/orchd/entrypoint \
    --config.label org.opencontainers.image.title=orchd \
    --config.label org.opencontainers.image.licenses=Apache-2.0 \
    --config.label "org.opencontainers.image.version=$tag" \
    --created "$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%dT%H:%M:%SZ)"
umoci gc --layout "$image"
