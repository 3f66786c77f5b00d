# SPDX-License-Identifier: Apache-2.0
"""No symbol is defined twice among the static archives of a program.

The linker takes the first definition that it needs and ignores the others, so
that two functions of one name in two libraries go unnoticed until one is called
in place of the other."""

import collections
import os
import re
import subprocess
import unittest

BUILD = os.environ.get("top_builddir", ".")
NM = os.environ.get("NM", "nm")
# What both the client and the host of softasic's extension need is compiled
# into the libraries of both; orchlab has both.
SHARED = {"vendors/softasic/remote/forms.c": "forms.o",
          "vendors/softasic/remote/marshal.c": "marshal.o"}
# "libx.a:file.o:0000000000000000 T name": functions, data, read-only data and
# zeroed data; weak and common symbols may be defined several times.
DEFINED = re.compile(r"(?P<archive>[^:]+):(?P<member>[^:]+):[0-9a-f]+ "
                     r"[TDBRSG] (?P<name>\S+)$")


def programs():
    """Yields each program with the archives that it is linked with."""
    with open(os.path.join(BUILD, "tests", "abi", "archives"),
              encoding="utf-8") as lines:
        for line in lines:
            program, *words = line.split()
            yield program, sorted({word for word in words
                                   if word.endswith(".a")})


def definitions(archives):
    """Returns {symbol: {archive: member}} of the archives."""
    found = collections.defaultdict(dict)
    output = subprocess.run(
        [NM, "--defined-only", "--extern-only", "--print-file-name",
         *archives], cwd=BUILD, stdout=subprocess.PIPE, check=True,
        encoding="utf-8").stdout
    for line in output.splitlines():
        match = DEFINED.match(line)
        if match:
            found[match["name"]][match["archive"]] = match["member"]
    return found


def is_shared(places):
    """Whether all these members are made of one source file."""
    return any(all(member.split("-")[-1] == shared
                   for member in places.values())
               for shared in SHARED.values())


def twice(defined, archives):
    """Describes the symbols that several of these archives define."""
    for name, places in sorted(defined.items()):
        among = sorted(set(places) & set(archives))
        if len(among) > 1 and not is_shared(places):
            yield f"{name}: " + ", ".join(
                f"{archive}({places[archive]})" for archive in among)


class Symbols(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.programs = dict(programs())
        cls.defined = definitions(sorted(set().union(*cls.programs.values())))

    def test_no_symbol_is_defined_twice(self):
        for program, archives in self.programs.items():
            with self.subTest(program=program):
                self.assertEqual(list(twice(self.defined, archives)), [])

    def test_all_archives_are_read(self):
        """The check sees what there is: each archive defines something."""
        self.assertIn("orchd/orchd", self.programs)
        seen = {archive for places in self.defined.values()
                for archive in places}
        for program, archives in self.programs.items():
            self.assertGreater(len(archives), 1, program)
            self.assertLessEqual(set(archives), seen)
        self.assertEqual(list(self.defined["redis_hset"]), ["libdb.a"])

    def test_what_is_defined_twice_is_found(self):
        defined = {"f": {"liba.a": "x.o", "libb.a": "y.o"},
                   "g": {"liba.a": "x.o"}}
        self.assertEqual(list(twice(defined, ["liba.a", "libb.a", "libc.a"])),
                         ["f: liba.a(x.o), libb.a(y.o)"])
        self.assertEqual(list(twice(defined, ["liba.a", "libc.a"])), [])
        defined["f"] = {"liba.a": "liba_a-forms.o", "libb.a": "forms.o"}
        self.assertEqual(list(twice(defined, ["liba.a", "libb.a"])), [])


if __name__ == "__main__":
    unittest.main()
