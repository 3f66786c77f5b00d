# SPDX-License-Identifier: Apache-2.0
# Sourced by ./quickstart and scripts/suite.sh: messages, and packages from apt.

bold='' colour='' plain=''
if [ -t 1 ]; then
    bold=$'\033[1m' colour=$'\033[36m' plain=$'\033[0m'
fi

# Begins a part; says when, in minutes and seconds since the script began.
step()
{
    printf '\n%s== %s%s (%d:%02d)\n' "$bold" "$*" "$plain" \
        $((SECONDS / 60)) $((SECONDS % 60))
}

die()
{
    printf '%s\n' "$*" >&2
    exit 1
}

# Installs the Debian packages of the given kinds that are missing.
install_packages()
{
    local kinds=" $* " missing=() kind package sudo=
    while read -r kind package; do
        case "$kind" in '' | '#'*) continue ;; esac
        case "$kinds" in *" $kind "*) ;; *) continue ;; esac
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null |
            grep -q 'ok installed' || missing+=("$package")
    done <"$top/scripts/packages"
    if [ ${#missing[@]} -eq 0 ]; then
        echo "all packages are there"
        return
    fi
    command -v apt-get >/dev/null ||
        die "this needs a Debian system; install by hand: ${missing[*]}"
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null ||
            die "run this as root, or install: ${missing[*]}"
        sudo=sudo
    fi
    echo "installing ${missing[*]}"
    $sudo apt-get -qq update >/dev/null
    # Installing redis-server must not start a server on this machine.
    local policy=/usr/sbin/policy-rc.d made=
    if [ ! -e "$policy" ]; then
        printf '#!/bin/sh\nexit 101\n' | $sudo tee "$policy" >/dev/null
        $sudo chmod +x "$policy"
        made=yes
    fi
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y \
        --no-install-recommends "${missing[@]}" >"$log" 2>&1
    local status=$?
    [ -z "$made" ] || $sudo rm -f "$policy"
    [ $status -eq 0 ] || { tail -n 20 "$log"; die "apt-get failed"; }
}

# Runs a command quietly; shows the end of what it printed only if it fails.
quietly()
{
    "$@" >"$log" 2>&1 || { tail -n 40 "$log"; die "failed: $*"; }
}

# configure_in DIR OPTION...: makes ./configure if needed, and runs it in DIR,
# unless it was run there with the same options before.
configure_in()
{
    local dir=$1
    shift
    [ -x "$top/configure" ] && [ "$top/configure" -nt "$top/configure.ac" ] ||
        quietly "$top/autogen.sh"
    mkdir -p "$dir"
    if [ ! -f "$dir/Makefile" ] ||
        [ "$(cat "$dir/.configured" 2>/dev/null)" != "$*" ]; then
        # libtool is a shell script that runs for every file: in a small shell.
        (cd "$dir" && CONFIG_SHELL=/bin/dash quietly /bin/dash \
            "$top/configure" "$@")
        echo "$*" >"$dir/.configured"
    fi
}

jobs=$(nproc)
