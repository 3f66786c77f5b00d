# SPDX-License-Identifier: Apache-2.0
"""Real configurations, whole: every row is applied or named as one that this
version does nothing with.

The shipped example always; the configurations of real switches where the data
is there ($ORCHD_SHARED, else ../shared beside the sources).
"""

import glob
import json
import os
import re
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import harness  # noqa: E402  (the path is set above)
from harness import ASIC_DB, STATE_DB, System, wait_until  # noqa: E402

SHARED = os.environ.get("ORCHD_SHARED",
                        os.path.join(harness.SOURCE, "..", "shared"))
REAL = sorted(glob.glob(os.path.join(SHARED, "data", "config_db",
                                     "*.config_db.json")))
N_REAL = 7

# Rows of each table that are explained.
ROWS_EXPLAINED = 24

# Tables that have an effect in this version.
LIVE = {"DEVICE_METADATA", "PORT", "BUFFER_POOL", "BUFFER_PROFILE", "BUFFER_PG",
        "BUFFER_QUEUE", "BUFFER_PORT_INGRESS_PROFILE_LIST",
        "BUFFER_PORT_EGRESS_PROFILE_LIST", "CABLE_LENGTH",
        "DEFAULT_LOSSLESS_BUFFER_PARAMETER", "LOSSLESS_TRAFFIC_PATTERN",
        "PORT_QOS_MAP", "QUEUE", "SCHEDULER", "WRED_PROFILE"}
LIVE |= {"DSCP_TO_TC_MAP", "DOT1P_TO_TC_MAP", "MPLS_TC_TO_TC_MAP",
         "TC_TO_QUEUE_MAP", "TC_TO_PRIORITY_GROUP_MAP", "TC_TO_DSCP_MAP",
         "TC_TO_DOT1P_MAP", "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP",
         "MAP_PFC_PRIORITY_TO_QUEUE", "DSCP_TO_FC_MAP", "EXP_TO_FC_MAP"}


# What fields of QUEUE and PORT_QOS_MAP become.  The switch of the store takes
# schedulers at queues.
QUEUE_FIELDS = {
    "wred_profile": ("QUEUE", "SAI_QUEUE_ATTR_WRED_PROFILE_ID"),
    "scheduler": (("QUEUE", "SAI_QUEUE_ATTR_SCHEDULER_PROFILE_ID")
                  if harness.VENDOR == "store" else
                  ("SCHEDULER_GROUP",
                   "SAI_SCHEDULER_GROUP_ATTR_SCHEDULER_PROFILE_ID")),
}
PORT_FIELDS = {
    "dscp_to_tc_map": "QOS_DSCP_TO_TC_MAP",
    "tc_to_queue_map": "QOS_TC_TO_QUEUE_MAP",
    "tc_to_pg_map": "QOS_TC_TO_PRIORITY_GROUP_MAP",
    "tc_to_dscp_map": "QOS_TC_AND_COLOR_TO_DSCP_MAP",
    "pfc_to_pg_map": "QOS_PFC_PRIORITY_TO_PRIORITY_GROUP_MAP",
    "pfc_to_queue_map": "QOS_PFC_PRIORITY_TO_QUEUE_MAP",
    "pfc_enable": "PRIORITY_FLOW_CONTROL",
}


def indexes(key):
    """The number of places that a key like Ethernet0,Ethernet4|3-4 names."""
    ports, span = key.rsplit("|", 1)
    low, _, high = span.partition("-")
    return len(ports.split(",")) * (int(high or low) - int(low) + 1)


class Configurations(System):
    """Whole files, on the chip that their hwsku names."""

    MODEL = None

    def chips_alone(self):
        """A directory with the chip files, without lookup tables."""
        directory = os.path.join(self.directory, "chips")
        os.mkdir(directory)
        for path in glob.glob(os.path.join(harness.SOURCE, "chips", "*.yaml")):
            os.symlink(os.path.abspath(path), os.path.join(
                directory, os.path.basename(path)))
        return directory

    def begin(self, rows, *options):
        """Writes the rows while orchd runs; beside orchagent, which makes its
        first ports before orchd looks at them, they are there."""
        client = self.start_redis()
        if harness.BESIDE:
            client.pipeline(harness.as_commands(rows))
        self.start_orchd(*options)
        if not harness.BESIDE:
            client.pipeline(harness.as_commands(rows))
        return client

    def check(self, path):
        """Without lookup table nothing but these rows is on the ASIC."""
        rows = harness.rows_of(path)
        client = self.begin(rows, "--profile",
                            "SOFTASIC_MODEL_DIR=" + self.chips_alone())
        wait_until(lambda: len(client.keys(STATE_DB, "ORCHD_STATUS|*")) ==
                   len(rows), "every row is answered")
        self.control("config", "sync", seconds=300)
        states = {}
        for key, status in client.hashes(STATE_DB, "ORCHD_STATUS|*").items():
            row = key.split("|", 1)[1]
            expected = ("applied" if row.split("|")[0] in LIVE
                        else "unsupported")
            self.assertEqual(status["state"], expected, (row, status))
            states[row] = status["state"]
        self.assertEqual(set(states), set(rows))
        self.check_asic(client, rows)
        self.check_explanations(client, rows)
        self.stop_orchd()

    def check_explanations(self, client, rows):
        """What `config explain` says about a row is what ASIC_DB holds."""
        held = harness.asic_objects(client)
        tables, objects, ids = {}, [], {}
        for row in rows:
            tables.setdefault(row.split("|")[0], []).append(row)
        for table, keys in tables.items():
            if table not in LIVE:
                continue
            # Rows of all places in the table, as the largest has thousands.
            for row in keys[::-(-len(keys) // ROWS_EXPLAINED)]:
                answer = self.control("config", "explain", row=row)["data"]
                objects += answer["objects"]
        for explained in objects:
            ids[explained["object"]] = explained["oid"]
        self.assertTrue(objects)
        for explained in objects:
            if harness.BESIDE and explained["oid"] not in held:
                # Groups of schedulers have ids of orchd, as have objects with
                # the same content as another.
                self.assertRegex(explained["oid"], "^oid:0x1[0-9a-f]008")
                continue
            kind, attributes = held[explained["oid"]]
            names = [a["attribute"] for a in explained["attributes"]]
            self.assertEqual(len(names), len(set(names)), explained)
            for attribute in explained["attributes"]:
                self.check_attribute(kind, attributes, attribute, ids)

    def check_attribute(self, kind, held, explained, ids):
        """One attribute of an object of ASIC_DB against its explanation."""
        name = f"{kind}_ATTR_{explained['attribute']}".replace("OBJECT_TYPE_",
                                                               "")
        value = explained.get("intended")
        if "refused" in explained:
            self.assertNotIn(name, held, explained)
            return
        if harness.BESIDE and name.endswith("_HW_LANE_LIST"):
            return
        self.assertIn(name, held, explained)
        self.assertEqual(explained.get("found", value), value, explained)
        if value is None:
            self.assertRegex(held[name], "^(0:|oid:0x0)$", explained)
        elif "|" in value:
            named = [ids.get(ref) for ref in value.split(",")]
            found = re.findall("oid:0x[0-9a-f]+", held[name])
            self.assertEqual(len(found), len(named), explained)
            for oid, expected in zip(found, named):
                if not harness.BESIDE:  # Equal profiles are interchangeable.
                    self.assertIn(expected, (None, oid), explained)
        else:
            self.assertEqual(held[name], value, explained)

    def check_derived(self, path, shipped=False):
        """With the vendor's table every port gets its lossless groups, whether
        orchd reads its file or has it for the hwsku."""
        rows = harness.rows_of(path)
        lookup = path.replace(".config_db.", ".pg_lookup.")
        options = () if shipped else ("--set", "lookup_file=" + lookup)
        with open(lookup, encoding="utf-8") as file:
            pairs = json.load(file)
        cables = {}
        for row, fields in rows.items():
            if row.startswith("CABLE_LENGTH|"):
                cables.update(fields)
        expected = {}
        for port, cable in cables.items():
            pair = "%s|%s" % (rows["PORT|" + port]["speed"], cable)
            if cable != "0m":
                expected["BUFFER_PG|%s|3-4" % port] = pair
        profiles = {"BUFFER_PROFILE|pg_lossless_%s_profile" %
                    pair.replace("|", "_")
                    for pair in expected.values() if pair in pairs}
        client = self.begin(rows, *options)
        wait_until(lambda: len(client.keys(STATE_DB, "ORCHD_STATUS|*")) ==
                   len(rows) + len(expected) + len(profiles),
                   "every row is answered, the derived ones too")
        self.control("config", "sync", seconds=300)
        answers = {key.split("|", 1)[1]: status for key, status in
                   client.hashes(STATE_DB, "ORCHD_STATUS|*").items()}
        derived = {row for row, status in answers.items()
                   if status.get("origin") == "auto"}
        self.assertEqual(derived, set(expected) | profiles)
        waiting = set()
        for row in derived:
            if expected.get(row, "") in pairs or row in profiles:
                self.assertEqual(answers[row]["state"], "applied", answers[row])
            else:
                waiting.add((expected[row], answers[row]["state"],
                             answers[row]["code"]))
        held = client.hashes(
            ASIC_DB, "ASIC_STATE:SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP:*")
        bound = sum("SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE" in row
                    for row in held.values())
        self.assertEqual(bound, sum(
            indexes(row.split("|", 1)[1]) for row in answers
            if row.startswith("BUFFER_PG|") and
            answers[row]["state"] == "applied"))
        self.stop_orchd()
        return len(expected), waiting

    def check_asic(self, client, rows):
        def wanted(table):
            return [k.split("|", 1)[1] for k in rows
                    if k.startswith(table + "|")]

        def held(kind, attribute):
            found = client.hashes(ASIC_DB,
                                  f"ASIC_STATE:SAI_OBJECT_TYPE_{kind}:*")
            return sum(attribute in row for row in found.values())

        for table, kind, attribute in (
                ("PORT", "PORT", "SAI_PORT_ATTR_HW_LANE_LIST"),
                ("BUFFER_POOL", "BUFFER_POOL", "SAI_BUFFER_POOL_ATTR_SIZE"),
                ("BUFFER_PROFILE", "BUFFER_PROFILE",
                 "SAI_BUFFER_PROFILE_ATTR_POOL_ID")):
            if table == "PORT" and harness.BESIDE:
                continue  # syncd does not say the lanes of its first ports.
            self.assertEqual(held(kind, attribute), len(wanted(table)), table)
        for table, kind, attribute in (
                ("BUFFER_PG", "INGRESS_PRIORITY_GROUP",
                 "SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE"),
                ("BUFFER_QUEUE", "QUEUE", "SAI_QUEUE_ATTR_BUFFER_PROFILE_ID")):
            self.assertEqual(held(kind, attribute),
                             sum(map(indexes, wanted(table))), table)
        for field, (kind, attribute) in QUEUE_FIELDS.items():
            keys = [k for k in wanted("QUEUE") if field in rows[f"QUEUE|{k}"]]
            self.assertEqual(held(kind, attribute), sum(map(indexes, keys)),
                             field)
        for field, attribute in PORT_FIELDS.items():
            named = [k for k in wanted("PORT_QOS_MAP")
                     if k != "global" and field in rows[f"PORT_QOS_MAP|{k}"]]
            self.assertEqual(held("PORT", f"SAI_PORT_ATTR_{attribute}"),
                             len(named), field)

    def test_example(self):
        self.check(os.path.join(harness.SOURCE, "examples",
                                "leaf-32x100g.config_db.json"))

    @unittest.skipUnless(REAL, "skipped: no configurations of real switches")
    def test_all_real_ones_are_there(self):
        self.assertEqual(len(REAL), N_REAL)


# What the vendor's table has not, and how many ports derive anything at all.
MISSING = {
    "Arista-7050CX3-32S-C32-t1": {("10000|300m", "waiting", "no-lookup")},
    "Arista-7260CX3-D108C8-t0": {("10000|40m", "waiting", "no-lookup")},
}
DERIVED = {
    "ACS-MSN2700-t0": 32,
    "Arista-7050CX3-32S-C32-t1": 34,
    "Arista-7060CX-32S-C32-t0": 32,
    "Arista-7260CX3-D108C8-t0": 122,
    "Force10-S6000-t1": 32,
    "Mellanox-SN4700-O8V48-t0": 56,
    "Mellanox-SN5640-C512S2-t1": 0,
}


def add_real(path):
    name = os.path.basename(path).split(".")[0].replace("-", "_")

    def test(self):
        self.check(path)

    def derived(self, shipped):
        chip = os.path.basename(path).split(".")[0]
        self.assertEqual(self.check_derived(path, shipped),
                         (DERIVED[chip], MISSING.get(chip, set())))

    def test_derived(self):
        derived(self, False)

    @harness.once
    def test_shipped(self):
        derived(self, True)

    setattr(Configurations, f"test_{name}", test)
    setattr(Configurations, f"test_{name}_derived", test_derived)
    setattr(Configurations, f"test_{name}_shipped", test_shipped)


for real in REAL:
    add_real(real)

if __name__ == "__main__":
    unittest.main(verbosity=2)
