#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the OCI image in network namespaces, in the topology of examples/containerlab.

  check_oci.py IMAGE TAG

IMAGE is the layout that "make oci" writes.  Each node is a network namespace with the
unpacked image as its root, and starts the entry point of the image; no container engine
is needed.  Needs root and umoci.  Exits with 77 if this cannot run here."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

SOURCE = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
EXAMPLE = os.path.join(SOURCE, "examples", "leaf-32x100g.config_db.json")
PATIENCE_S = 60

# As in examples/containerlab/two-leaves.clab.yml.
SWITCHES, HOSTS = ("leaf1", "leaf2"), {"host1": "10.0.0.1", "host2": "10.0.0.2"}
LINKS = (("host1", "eth1", "leaf1", "eth1"), ("leaf1", "eth2", "leaf2", "eth2"),
         ("leaf2", "eth1", "host2", "eth1"))


def run(*words, check=True):
    done = subprocess.run(words, capture_output=True, text=True)
    if check and done.returncode:
        sys.exit("%s: exit %d\n%s%s" % (" ".join(words), done.returncode, done.stdout,
                                        done.stderr))
    return done


class Lab:
    """The nodes; their namespaces have names that no other run uses."""

    def __init__(self, folder):
        self.folder = folder
        self.spaces, self.processes = {}, {}

    def space(self, node):
        if node not in self.spaces:
            self.spaces[node] = f"orchd-{os.getpid()}-{node}"
            run("ip", "netns", "add", self.spaces[node])
            self.inside(node, "ip", "link", "set", "lo", "up")
        return self.spaces[node]

    def inside(self, node, *words, check=True):
        return run("ip", "netns", "exec", self.space(node), *words, check=check)

    def on(self, node, *words, check=True):
        """Runs a program of the image in a node."""
        return self.inside(node, "chroot", self.root(node), *words, check=check)

    def root(self, node):
        return os.path.join(self.folder, node, "rootfs")

    def link(self, first, port, second, other):
        run("ip", "link", "add", port, "netns", self.space(first), "type", "veth", "peer",
            "name", other, "netns", self.space(second))

    def start(self, node, entry, n_interfaces):
        with open(os.path.join(self.folder, node + ".log"), "wb") as log:
            self.processes[node] = subprocess.Popen(
                ["ip", "netns", "exec", self.space(node), "sh", "-c",
                 'mount --bind /sys "$0/sys" && exec unshare --pid --fork --kill-child '
                 '--mount-proc="$0/proc" chroot "$0" "$@"', self.root(node), *entry],
                stdout=log, stderr=log,
                env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
                     "CLAB_INTFS": str(n_interfaces)})

    def log(self, node):
        with open(os.path.join(self.folder, node + ".log"), encoding="utf-8") as file:
            return file.read()

    def wait(self, question, what):
        deadline = time.monotonic() + PATIENCE_S
        while not question():
            ended = [node for node, process in self.processes.items()
                     if process.poll() is not None]
            if ended or time.monotonic() > deadline:
                sys.exit("failed: %s\n%s" % (what, "\n".join(
                    f"--- {node}\n{self.log(node)}" for node in self.processes)))
        print("ok:", what, flush=True)

    def end(self):
        for process in self.processes.values():
            if process.poll() is None:
                process.kill()
            process.wait()
        for name in self.spaces.values():
            run("ip", "netns", "del", name, check=False)


def unpack(image, tag, folder):
    """Unpacks the image for each node, and returns its entry point."""
    for node in (*SWITCHES, *HOSTS):
        bundle = os.path.join(folder, node)
        if node == SWITCHES[0]:
            run("umoci", "unpack", "--image", f"{image}:{tag}", bundle)
        else:
            run("cp", "-a", "--reflink=auto", os.path.join(folder, SWITCHES[0]), bundle)
        root = os.path.join(bundle, "rootfs")
        for name, minor in (("null", 3), ("zero", 5), ("urandom", 9)):
            path = os.path.join(root, "dev", name)
            if not os.path.exists(path):
                run("mknod", "-m", "666", path, "c", "1", str(minor))
    for node in SWITCHES:
        shutil.copy(EXAMPLE, os.path.join(folder, node, "rootfs/etc/orchd/config_db.json"))
    with open(os.path.join(folder, SWITCHES[0], "config.json"), encoding="utf-8") as file:
        return json.load(file)["process"]["args"]


def walk_through(lab, image, tag):
    entry = unpack(image, tag, lab.folder)
    for link in LINKS:
        lab.link(*link)
    for node in SWITCHES:
        lab.start(node, entry, 2)
    for node, address in HOSTS.items():
        lab.inside(node, "ip", "address", "add", address + "/24", "dev", "eth1")
        lab.inside(node, "ip", "link", "set", "eth1", "up")
    for node in SWITCHES:
        lab.wait(lambda node=node: "Rows: 235 applied" in lab.log(node),
                 f"{node} has applied its configuration")
    lab.wait(lambda: not lab.inside("host1", "ping", "-c", "3", "-i", "0.2", "-w", "5",
                                    "10.0.0.2", check=False).returncode,
             "host1 reaches host2 across both switches")
    shown = lab.on("leaf1", "orchctl", "--json", "show", "pools").stdout
    assert "ingress_lossless_pool" in shown, shown
    for node in SWITCHES:
        process = lab.processes.pop(node)
        # The entry point is the only child, process 1 of its namespace.
        child = run("ps", "--ppid", str(process.pid), "-o", "pid=").stdout.split()[0]
        os.kill(int(child), signal.SIGTERM)
        if process.wait(PATIENCE_S):
            sys.exit(f"{node} ended with {process.returncode}\n{lab.log(node)}")
        print("ok:", node, "ends by SIGTERM")


def main():
    image, tag = os.path.abspath(sys.argv[1]), sys.argv[2]
    if os.geteuid() or not shutil.which("umoci"):
        print("check_oci: this needs root and umoci")
        sys.exit(77)
    if subprocess.run(["unshare", "--mount", "--pid", "--net", "--fork", "true"]).returncode:
        print("check_oci: this machine allows no namespaces")
        sys.exit(77)
    with tempfile.TemporaryDirectory(prefix="orchd-oci.") as folder:
        os.chmod(folder, 0o755)
        lab = Lab(folder)
        try:
            walk_through(lab, image, tag)
        finally:
            lab.end()


if __name__ == "__main__":
    main()
