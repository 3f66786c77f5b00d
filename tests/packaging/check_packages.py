#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Installs, uses, upgrades, removes and purges the Debian packages in a chroot.

  check_packages.py DIR [CACHE]

DIR has the packages of "make deb"; CACHE keeps the empty Debian system between runs.
Needs root, mmdebstrap and the Debian mirror of this machine (for the empty system
only).  Exits with 77 if this cannot run here.

It proves that
- lintian has nothing to say,
- the packages install together, and their units start, work and end,
- an upgrade keeps configuration files that the user has changed, and the state,
- removal leaves these, and a purge leaves nothing but the users.
"""

import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

SOURCE = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))

# What the packages need, so that the rest needs no network.
NEEDED = ("adduser", "python3-minimal", "python3", "redis-server", "iproute2", "libc6",
          "libevent-2.1-7", "libfyaml0", "libhiredis0.14", "libjansson4", "libnl-3-200",
          "libnl-route-3-200", "libseccomp2", "libsmartcols1", "libsqlite3-0", "libyang2",
          "zlib1g")

# What a purge may leave: databases of dpkg and of users, logs, and caches.
LEFT = re.compile(r"/(var/lib/(dpkg|apt|systemd|ucf)/|var/log/|var/cache/|etc/(passwd|group|"
                  r"shadow|gshadow|subuid|subgid)-?$|debs/|src/|tmp/|root/|proc/|sys/|dev/|run/|"
                  r".*__pycache__|etc/\.pwd\.lock)")


def skip(reason):
    print("check_packages: " + reason)
    sys.exit(77)


def run(*words, **keys):
    """Runs a command; shows what it prints only if it fails."""
    done = subprocess.run(words, capture_output=True, text=True, errors="replace", **keys)
    if done.returncode:
        sys.exit("%s: exit %d\n%s%s" % (" ".join(words), done.returncode, done.stdout,
                                        done.stderr))
    return done.stdout


class Chroot:
    """A Debian system in a folder, with namespaces of its own."""

    def __init__(self, root):
        self.root = root

    def run(self, *words):
        script = ("mount --make-rprivate / && mount -t proc proc '%s/proc' && ip link set lo up "
                  "&& exec chroot '%s' \"$@\"" % (self.root, self.root))
        return run("unshare", "--mount", "--pid", "--net", "--ipc", "--fork",
                   "--kill-child", "sh", "-c", script, "sh", *words,
                   env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8",
                        "DEBIAN_FRONTEND": "noninteractive"})

    def at(self, path):
        return self.root + path

    def files(self):
        found = set()
        for place, folders, names in os.walk(self.root):
            inside = place[len(self.root):]
            found |= {inside + "/" + name for name in folders + names}
        return {path for path in found if not LEFT.match(path + "/")
                and not LEFT.match(path)}

    def read(self, path):
        with open(self.at(path), encoding="utf-8") as file:
            return file.read()

    def append(self, path, text):
        with open(self.at(path), "a", encoding="utf-8") as file:
            file.write(text)


def empty_system(root, cache):
    """Unpacks the empty Debian system, and makes it first if it is not there."""
    if not os.path.exists(cache):
        print("making the empty Debian system", flush=True)
        run("mmdebstrap", "--variant=minbase", "--include=" + ",".join(NEEDED),
            "bookworm", cache + ".part.tar")
        os.rename(cache + ".part.tar", cache)
    run("tar", "-C", root, "-xpf", cache, "--exclude=./dev/*")
    for name, mode in (("null", "666 c 1 3"), ("zero", "666 c 1 5"),
                       ("urandom", "666 c 1 9"), ("random", "666 c 1 8")):
        path = os.path.join(root, "dev", name)
        if not os.path.exists(path):
            run("mknod", "-m", mode.split()[0], path, *mode.split()[1:])
    return Chroot(root)


def packages(folder):
    """The packages of the programs, without those of debugging information."""
    return sorted(path for path in glob.glob(os.path.join(folder, "*.deb"))
                  if "-dbgsym" not in path)


def newer(folder, where):
    """Makes packages of a later version, whose configuration files differ."""
    for path in packages(folder):
        tree = os.path.join(where, "tree")
        run("dpkg-deb", "-R", path, tree)
        control = os.path.join(tree, "DEBIAN", "control")
        with open(control, encoding="utf-8") as file:
            text = file.read()
        version = re.search(r"^Version: (.*)$", text, re.M).group(1)
        text = text.replace(version + ")", version + "+next)").replace(
            "Version: " + version, "Version: " + version + "+next")
        with open(control, "w", encoding="utf-8") as file:
            file.write(text)
        default = os.path.join(tree, "etc", "default", "orchd")
        if os.path.exists(default):
            with open(default, "a", encoding="utf-8") as file:
                file.write("# Another default.\n")
        run("dpkg-deb", "--root-owner-group", "-b", tree, where)
        shutil.rmtree(tree)


def names_of(paths):
    return ["/debs/" + os.path.basename(path) for path in paths]


def check(condition, what):
    if not condition:
        sys.exit("failed: " + what)
    print("ok: " + what, flush=True)


def apt(system, *words):
    return system.run("apt-get", "-y", "--no-install-recommends", "-o",
                      "Dpkg::Options::=--force-confold", *words)


def walk_through(system, folder, later):
    before = system.files()
    apt(system, "install", *names_of(packages(folder)))
    users = system.read("/etc/passwd")
    check("orchd:" in users and "softasicd:" in users, "users exist")
    check("orchd-view:" in system.read("/etc/group"), "groups exist")
    print(system.run("python3", "/src/debian/tests/units"), flush=True)
    check(os.listdir(system.at("/var/lib/orchd")), "orchd has kept its history")

    system.append("/etc/orchd/orchd.conf", "strict = true\n")
    system.append("/etc/default/orchd", "# Mine.\n")
    apt(system, "install", *names_of(packages(later)))
    check("+next" in system.run("dpkg-query", "-W", "orchd"), "the upgrade is installed")
    check("strict = true" in system.read("/etc/orchd/orchd.conf"),
          "an upgrade keeps the settings")
    check("# Mine." in system.read("/etc/default/orchd"),
          "an upgrade keeps options that both sides have changed")
    check(os.listdir(system.at("/var/lib/orchd")), "an upgrade keeps the state")
    print(system.run("python3", "/src/debian/tests/units"), flush=True)

    names = [os.path.basename(path).split("_")[0] for path in packages(folder)]
    apt(system, "remove", *names)
    check(not os.path.exists(system.at("/usr/sbin/orchd")), "removal removes programs")
    check(os.path.exists(system.at("/etc/orchd/orchd.conf"))
          and os.path.isdir(system.at("/var/lib/orchd")), "removal keeps settings and state")
    system.run("dpkg", "--purge", *names)
    left = sorted(system.files() - before)
    check(not left, "a purge leaves no files, but it left %s" % left)
    check(before <= system.files(), "a purge removes no files of others")
    check("orchd:" in system.read("/etc/passwd"), "a purge leaves the users")


def check_lintian(folder):
    if not shutil.which("lintian"):
        print("lintian is not installed")
        return
    changes = glob.glob(os.path.join(folder, "*.changes"))
    done = subprocess.run(["lintian", "--pedantic", "--no-tag-display-limit",
                           "--allow-root"] + changes, capture_output=True, text=True)
    tags = done.stdout.strip().split("\n")
    check(not any(tags) and "error" not in done.stderr,
          "lintian --pedantic finds nothing\n" + "\n".join(tags) + done.stderr)


def main():
    folder = os.path.abspath(sys.argv[1])
    if os.geteuid() or not shutil.which("mmdebstrap"):
        skip("this needs root and mmdebstrap")
    if subprocess.run(["unshare", "--mount", "--pid", "--net", "--fork", "true"]).returncode:
        skip("this machine allows no namespaces")
    with tempfile.TemporaryDirectory(prefix="orchd-packages.") as work:
        cache = sys.argv[2] if len(sys.argv) > 2 else os.path.join(work, "debian.tar")
        root, later = os.path.join(work, "root"), os.path.join(work, "later")
        os.mkdir(root)
        os.chmod(root, 0o755)
        os.mkdir(later)
        system = empty_system(root, os.path.abspath(cache))
        newer(folder, later)
        shutil.copytree(SOURCE, system.at("/src"), ignore=lambda place, names: [
            name for name in names if place == SOURCE and name not in ("debian", "tests")
            or place == os.path.join(SOURCE, "tests") and name != "packaging"
            or name == "__pycache__"])
        os.mkdir(system.at("/debs"))
        for path in packages(folder) + packages(later):
            shutil.copy(path, system.at("/debs"))
        walk_through(system, folder, later)
    check_lintian(folder)


if __name__ == "__main__":
    main()
