#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/sai_release.py finds what a release adds, changes and breaks."""
import copy
import json
import os
import subprocess
import sys
import tempfile
import unittest

TOP = os.environ.get("top_srcdir", ".")
SCRIPT = os.path.join(TOP, "scripts", "sai_release.py")

OLD = {
    "enums": {"sai_queue_type_t": {
        "header": "inc/saiqueue.h",
        "members": [{"name": "SAI_QUEUE_TYPE_ALL", "value": 0},
                    {"name": "SAI_QUEUE_TYPE_UNICAST", "value": 1},
                    {"name": "SAI_QUEUE_TYPE_MAX", "value": 2}]}},
    "attributes": {"sai_queue_attr_t": {
        "header": "inc/saiqueue.h",
        "attrs": [{"name": "SAI_QUEUE_ATTR_INDEX", "value": 2,
                   "type": "sai_uint8_t", "flags": ["READ_ONLY"],
                   "default": None}]}},
    "stats": {"sai_queue_stat_t": {
        "header": "inc/saiqueue.h",
        "stats": [{"name": "SAI_QUEUE_STAT_PACKETS", "value": 0}]}},
    "status": [{"name": "SAI_STATUS_SUCCESS", "value": 0}],
    "structs": {"sai_u16_range_t": {
        "header": "inc/saitypes.h", "sizeof": 4,
        "fields": [{"name": "min", "offset": 0, "size": 2},
                   {"name": "max", "offset": 2, "size": 2}]}},
    "fn_types": {"sai_remove_queue_fn": {
        "header": "inc/saiqueue.h", "ret": "sai_status_t",
        "args": ["sai_object_id_t"]}},
    "apis": {"queue": {
        "api_enum": "SAI_API_QUEUE", "api_id": 20, "header": "inc/saiqueue.h",
        "table": "sai_queue_api_t",
        "slots": [{"name": "create_queue"}, {"name": "remove_queue"}]}},
}


class Release(unittest.TestCase):
    def report(self, new, old=None):
        with tempfile.TemporaryDirectory() as folder:
            paths = []
            for name, facts in ("old", OLD if old is None else old), ("new", new):
                paths.append(os.path.join(folder, name + ".json"))
                with open(paths[-1], "w") as file:
                    json.dump(facts, file)
            done = subprocess.run(
                [sys.executable, SCRIPT, *paths, "--headers",
                 os.path.join(TOP, "sai", "include")],
                capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    def changed(self, change):
        new = copy.deepcopy(OLD)
        change(new)
        return self.report(new)

    def test_nothing(self):
        self.assertEqual(self.report(OLD), (0, (
            "breaks what was built with the old release: nothing\n"
            "other properties: nothing\n"
            "new, in headers that we have: nothing\n"
            "new, in other headers: nothing\n")))

    def test_additions_break_nothing(self):
        def add(new):
            new["enums"]["sai_queue_type_t"]["members"][2:] = [
                {"name": "SAI_QUEUE_TYPE_MULTICAST", "value": 2},
                {"name": "SAI_QUEUE_TYPE_MAX", "value": 3}]
            new["apis"]["queue"]["slots"].append({"name": "create_queues"})
            new["structs"]["sai_credit_t"] = {
                "header": "inc/saivirtualchannel.h", "sizeof": 8, "fields": []}
        status, text = self.changed(add)
        self.assertEqual(status, 0, text)
        ours, others = text.split("new, in headers that we have: ")[1].split(
            "new, in other headers: ")
        self.assertEqual(ours.split("\n"), [
            "3", "  saiqueue.h",
            "    sai_queue_type_t: SAI_QUEUE_TYPE_MULTICAST = 2",
            "    sai_queue_api_t: create_queues()", ""])
        self.assertIn("sai_credit_t: 8 bytes", others)

    def test_other_properties_are_named(self):
        def change(new):
            new["attributes"]["sai_queue_attr_t"]["attrs"][0].update(
                flags=["CREATE_AND_SET"], default="0")
        status, text = self.changed(change)
        self.assertEqual(status, 0, text)
        self.assertIn("SAI_QUEUE_ATTR_INDEX: flags was ['READ_ONLY'] and is "
                      "['CREATE_AND_SET']", text)
        self.assertIn("SAI_QUEUE_ATTR_INDEX: default was None and is 0", text)

    def test_each_way_of_breaking(self):
        def renumber(new):
            new["stats"]["sai_queue_stat_t"]["stats"][0]["value"] = 7

        def remove(new):
            del new["status"][0]

        def grow(new):
            new["structs"]["sai_u16_range_t"]["sizeof"] = 8

        def shift(new):
            new["structs"]["sai_u16_range_t"]["fields"][1]["offset"] = 4

        def lose(new):
            del new["structs"]["sai_u16_range_t"]["fields"][1]

        def other_arguments(new):
            new["fn_types"]["sai_remove_queue_fn"]["args"].append("uint32_t")

        def insert(new):
            new["apis"]["queue"]["slots"].insert(0, {"name": "get_queue"})

        for change, message in (
                (renumber, "SAI_QUEUE_STAT_PACKETS was 0 and is 7"),
                (remove, "SAI_STATUS_SUCCESS is gone"),
                (grow, "sai_u16_range_t had 4 bytes and has 8"),
                (shift, "sai_u16_range_t.max is elsewhere"),
                (lose, "sai_u16_range_t.max is gone"),
                (other_arguments, "sai_remove_queue_fn takes other arguments"),
                (insert, "sai_queue_api_t: functions have moved")):
            with self.subTest(change.__name__):
                status, text = self.changed(change)
                self.assertEqual(status, 1, text)
                self.assertIn(message, text)

    def test_what_are_no_facts_is_refused(self):
        """With another status than that of a release which breaks something."""
        for new, reason in (({"enums": {}}, 'there is no "attributes"'),
                            ([], 'there is no "enums"'),
                            ({**OLD, "status": [{"value": 0}]},
                             "KeyError: 'name'"),
                            ({**OLD, "structs": []}, "AttributeError: ")):
            with self.subTest(reason):
                status, text = self.report(new)
                self.assertEqual(status, 2, text)
                self.assertIn("new.json: these are no facts of a release: " +
                              reason, text)

    def test_wrong_usage(self):
        for words, reason in (
                (["no.json", "no.json"], "No such file"),
                (["no.json", "no.json", "--headers", "none"], "no such folder"),
                (["no.json", "no.json", "--headers", TOP + "/scripts"],
                 "there is no sai.h; ours is in sai/include")):
            with self.subTest(reason):
                done = subprocess.run([sys.executable, SCRIPT, *words],
                                      capture_output=True, text=True)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn(reason, done.stderr)


if __name__ == "__main__":
    unittest.main()
