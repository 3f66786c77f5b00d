# SPDX-License-Identifier: Apache-2.0
"""What "make install" installs: files, hardened binaries, units, pkg-config."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = os.path.abspath(os.environ.get("top_srcdir", "."))
BUILD = os.path.abspath(os.environ.get("top_builddir", "."))

# systemd's figure for what a unit may do: 0 is nothing, 10 everything.
EXPOSURE = {"orchd.service": 1.5, "softasicd@.service": 3.0, "saihostd@.service": 9.0}

# Folders, and a part of what is in them; each file of the source folder is installed.
COPIES = {"chips": ("share/orchd/chips", (".yaml", ".hwskus", ".ini")),
          "schemas": ("share/orchd/yang", (".yang",)),
          "lab/configs": ("share/orchd/lab/configs", (".json",)),
          "lab/scenarios": ("share/orchd/lab/scenarios", (".yaml",)),
          "lab/figs": ("share/orchd/lab/figs", (".gp",)),
          "page": ("share/orchd/page", (".html", ".css", ".js", ".svg")),
          "examples": ("share/orchd/examples", (".json", ".yaml", ".yml", ".c")),
          "docs": ("share/doc/orchd", (".md",)),
          "sai/include": ("include/orchd/sai", (".h", ".def"))}


def run(*words, **keys):
    return subprocess.run(words, capture_output=True, text=True, **keys)


class Packages(unittest.TestCase):
    """What "make deb" says where packages cannot be built."""

    def test_missing_tools_are_named(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("make", "sh", "env"):
                os.symlink(shutil.which(name), os.path.join(folder, name))
            made = run("make", "-s", "-C", BUILD, "-o", "Makefile", "deb",
                       "SHELL=" + os.path.join(folder, "sh"),
                       env={"PATH": folder})
        self.assertEqual(made.returncode, 2, made.stderr)
        self.assertIn("sudo apt install dpkg-dev debhelper", made.stderr)
        self.assertIn("sudo apt build-dep .", made.stderr)


class Install(unittest.TestCase):
    """Installs once, under the prefix that configure got."""

    @classmethod
    def setUpClass(cls):
        cls.root = tempfile.mkdtemp(prefix="orchd-install.")
        cls.addClassCleanup(shutil.rmtree, cls.root)
        environment = {key: value for key, value in os.environ.items()
                       if key not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "DESTDIR")}
        made = run("make", "-s", "-C", BUILD, "install", "DESTDIR=" + cls.root,
                   env=environment)
        if made.returncode:
            raise AssertionError("make install: " + made.stderr)
        with open(os.path.join(BUILD, "Makefile"), encoding="utf-8") as file:
            cls.variables = dict(re.findall(r"^(\w+) = (.*)$", file.read(), re.M))

    def at(self, *names):
        """A path below the prefix, in the folder of this test."""
        return os.path.join(self.root + self.variables["prefix"], *names)

    def programs(self):
        return [self.at("sbin", name) for name in ("orchd", "saihostd", "softasicd")] + \
            [self.at("bin", name) for name in ("orchctl", "orchlab")]

    def libraries(self):
        return [self.at("lib", "orchd", name)
                for name in ("libsai-remote.so", "libsai-softasic.so")]

    def test_each_file_of_the_data_is_installed(self):
        for folder, (where, endings) in COPIES.items():
            n = 0
            for place, _, names in os.walk(os.path.join(SOURCE, folder)):
                inside = os.path.relpath(place, os.path.join(SOURCE, folder))
                for name in names:
                    if name.endswith(endings) and (folder, name) != ("chips", "README.md"):
                        path = self.at(where, os.path.normpath(os.path.join(inside, name)))
                        self.assertTrue(os.path.isfile(path), path)
                        n += 1
            self.assertGreater(n, 3, folder)

    def test_the_data_does_not_mention_the_build(self):
        for path in (self.at("lib", "pkgconfig", "softasic.pc"),
                     self.at("lib", "systemd", "system", "orchd.service")):
            with open(path, encoding="utf-8") as file:
                text = file.read()
            self.assertNotIn(self.root, text)
            self.assertNotRegex(text, r"@\w+@")

    def test_softasic_takes_the_place_of_libsaivs(self):
        def make(target):
            return run("make", "-s", "-C", BUILD, target, "DESTDIR=" + self.root,
                       env={key: value for key, value in os.environ.items()
                            if key not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")})

        link = self.at("lib", "libsaivs.so.0")
        self.assertTrue(os.access(self.at("share", "orchd", "sonic-vs", "start-softasicd"),
                                  os.X_OK))
        with open(link, "w", encoding="ascii") as file:
            file.write("of another package")
        made = make("install-sonic-vs")
        self.assertNotEqual(made.returncode, 0)
        self.assertIn("is that of another package", made.stderr)
        os.unlink(link)
        made = make("install-sonic-vs")
        self.assertEqual(made.returncode, 0, made.stderr)
        self.assertTrue(os.path.isfile(self.root + os.readlink(link)))
        conf = self.root + os.path.join(self.variables["sysconfdir"].replace(
            "${prefix}", self.variables["prefix"]), "supervisor/conf.d/softasicd.conf")
        with open(conf, encoding="utf-8") as file:
            command = re.search("^command=(.*)$", file.read(), re.M).group(1)
        self.assertTrue(os.access(self.root + command, os.X_OK), command)
        made = make("uninstall-sonic-vs")
        self.assertEqual(made.returncode, 0, made.stderr)
        self.assertFalse(os.path.lexists(link) or os.path.exists(conf))

    def test_the_configuration_file_lists_all_settings(self):
        path = self.at("etc", "orchd", "orchd.conf")
        if self.variables["sysconfdir"] != "${prefix}/etc":
            path = self.root + os.path.join(self.variables["sysconfdir"], "orchd/orchd.conf")
        orchd = self.programs()[0]
        sample = run(orchd, "--config", "/dev/null", "--print-config").stdout
        self.assertIn("#audit_seconds = ", sample)
        with open(path, encoding="utf-8") as file:
            self.assertEqual(file.read(), sample)
        answer = run(orchd, "--check-config", path)
        self.assertEqual((answer.returncode, answer.stderr), (0, ""))

    def test_programs_start(self):
        for program in self.programs():
            for option in ("--version", "--help"):
                answer = run(program, option)
                self.assertEqual((answer.returncode, answer.stderr), (0, ""), program)
            self.assertIn(os.path.basename(program), answer.stdout)

    def test_binaries_are_hardened(self):
        if not self.variables.get("HARDENING_PIE"):
            self.skipTest("configured with --disable-hardening")
        without = []
        for name, flag in (("fortify", "_FORTIFY_SOURCE"), ("cet", "-protection"),
                           ("zero", "-ftrivial-auto-var-init")):
            if flag not in self.variables["HARDENING_CFLAGS"]:
                without += ["--without", name]
        # What configure left out has a reason: -O0, or a compiler that lacks it.
        if "gcc" in self.variables["CC"] and "-O0" not in self.variables["CFLAGS"]:
            self.assertEqual(without, [])
        answer = run(sys.executable, os.path.join(SOURCE, "scripts", "check_hardening.py"),
                     *without, *self.programs(), *self.libraries())
        self.assertEqual(answer.returncode, 0, answer.stdout + answer.stderr)
        self.assertEqual(answer.stdout.count("\n"), 7)

    def test_the_check_finds_what_is_not_hardened(self):
        compiler = shutil.which("gcc")
        if not compiler:
            self.skipTest("gcc is not installed")
        program = os.path.join(self.root, "soft")
        made = run(compiler, "-O1", "-g1", "-no-pie", "-z", "norelro", "-z", "lazy",
                   "-z", "execstack", "-fno-stack-protector", "-fcf-protection=none",
                   "-U_FORTIFY_SOURCE", "-Wl,-rpath,/tmp", "-x", "c", "-o", program, "-",
                   input="int main(void) { return 0; }")
        self.assertEqual(made.returncode, 0, made.stderr)
        answer = run(sys.executable, os.path.join(SOURCE, "scripts", "check_hardening.py"),
                     program)
        self.assertEqual(answer.returncode, 1)
        for name in ("pie", "relro", "stack", "protector", "fortify", "cet", "zero", "paths"):
            self.assertIn("NO " + name, answer.stdout)

    @unittest.skipUnless(shutil.which("systemd-analyze"), "systemd is not installed")
    def test_units_are_valid_and_confined(self):
        folder = os.path.join(self.root, "units")
        os.mkdir(folder)
        for name, limit in EXPOSURE.items():
            with open(self.at("lib", "systemd", "system", name), encoding="utf-8") as file:
                # systemd looks whether the programs exist.
                text = re.sub(r"^ExecStart=/", f"ExecStart={self.root}/", file.read(),
                              flags=re.M)
            # A program behind a filter of its unit adds its own.
            filters = re.findall(r"^SystemCallFilter=(.*)$", text, flags=re.M)
            self.assertTrue(not filters or "seccomp" in filters, name)
            self.assertTrue("softasicd" not in name or "capset" in filters, name)
            unit = os.path.join(folder, name.replace("@", "@th"))
            with open(unit, "w", encoding="utf-8") as file:
                file.write(text)
            answer = run("systemd-analyze", "verify", "--man=no", unit)
            self.assertEqual((answer.returncode, answer.stderr), (0, ""), name)
            answer = run("systemd-analyze", "security", "--offline=yes",
                         f"--threshold={limit * 10:.0f}", unit)
            self.assertEqual(answer.returncode, 0, answer.stdout)
            self.assertIn("Overall exposure level", answer.stdout)

    @unittest.skipUnless(shutil.which("pkg-config"), "pkg-config is not installed")
    def test_pkg_config_finds_headers_and_library(self):
        environment = dict(os.environ, PKG_CONFIG_PATH=self.at("lib", "pkgconfig"),
                           PKG_CONFIG_SYSROOT_DIR=self.root)
        flags = run("pkg-config", "--cflags", "--libs", "softasic", env=environment)
        self.assertEqual((flags.returncode, flags.stderr), (0, ""))
        program = os.path.join(self.root, "sai-client")
        made = run(shutil.which("cc") or "gcc", "-o", program,
                   self.at("share", "orchd", "examples", "sai-client", "sai-client.c"),
                   *flags.stdout.split())
        self.assertEqual(made.returncode, 0, made.stderr)
        module = run("pkg-config", "--variable=module", "softasic", env=environment)
        self.assertTrue(os.path.isfile(self.root + module.stdout.strip().replace(
            self.root, "")), module.stdout)


if __name__ == "__main__":
    unittest.main()
