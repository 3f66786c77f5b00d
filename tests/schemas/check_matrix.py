#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""One whole configuration, and what each single change of it leads to.

The changes go up to the bounds of every field and one beyond, break each rule
and cut each reference.  A change of which yanglint complains in other words
than expected, or not at all, is a failure.  Skipped without yanglint."""

import copy
import json
import os
import shutil
import subprocess
import sys
import tempfile

TOP = os.environ.get("top_srcdir") or os.path.join(
    os.path.dirname(os.path.abspath(__file__)), "..", "..")
SCHEMAS = os.path.join(TOP, "schemas")
GONE = object()

BASE = {
    "DEVICE_METADATA": {"localhost": {"buffer_model": "dynamic"}},
    "PORT": [{"name": "Ethernet0", "lanes": "0,1", "speed": 100000},
             {"name": "Ethernet4", "lanes": "4,5", "speed": 100000}],
    "BUFFER_POOL": [
        {"name": "in", "type": "ingress", "mode": "dynamic", "size": "100"},
        {"name": "out", "type": "egress", "mode": "dynamic", "size": "100"}],
    "BUFFER_PROFILE": [
        {"name": "lossless", "pool": "in", "size": "10", "dynamic_th": 0,
         "xon": "1", "xoff": "2"},
        {"name": "lossy", "pool": "in", "size": "10", "dynamic_th": 0},
        {"name": "leaving", "pool": "out", "size": "10", "dynamic_th": 0}],
    "BUFFER_PG": [{"port": "Ethernet0", "pg_num": "3-4",
                   "profile": "lossless"}],
    "BUFFER_QUEUE": [{"port": "Ethernet0", "qindex": "3-4",
                      "profile": "leaving"}],
    "BUFFER_PORT_INGRESS_PROFILE_LIST": [
        {"port": "Ethernet0", "profile_list": ["lossy"]}],
    "BUFFER_PORT_EGRESS_PROFILE_LIST": [
        {"port": "Ethernet0", "profile_list": ["leaving"]}],
    "CABLE_LENGTH": [
        {"name": "AZURE", "CABLE_LENGTH": [
            {"port": "Ethernet0", "length": "5m"}]},
        {"name": "OTHER", "CABLE_LENGTH": [
            {"port": "Ethernet4", "length": "40m"}]}],
    "DEFAULT_LOSSLESS_BUFFER_PARAMETER": [
        {"name": "AZURE", "default_dynamic_th": 0,
         "over_subscribe_ratio": 2}],
    "LOSSLESS_TRAFFIC_PATTERN": [
        {"name": "AZURE", "mtu": 1024, "small_packet_percentage": 100}],
    "PFC_WD": [
        {"ifname": "GLOBAL", "POLL_INTERVAL": 200},
        {"ifname": "Ethernet0", "detection_time": 400,
         "restoration_time": 800, "action": "drop"}],
}

MODULES = {
    "DEVICE_METADATA": "sonic-device_metadata",
    "DEFAULT_LOSSLESS_BUFFER_PARAMETER":
        "sonic-default-lossless-buffer-parameter",
    "PFC_WD": "sonic-pfcwd",
}

LONG = "A2345678901234567890123456789012x"
CABLE = ("CABLE_LENGTH", 0, "CABLE_LENGTH", 0)
DEFAULT = ("DEFAULT_LOSSLESS_BUFFER_PARAMETER", 0)
PATTERN = ("LOSSLESS_TRAFFIC_PATTERN", 0)
IN_LIST = ("BUFFER_PORT_INGRESS_PROFILE_LIST", 0)
OUT_LIST = ("BUFFER_PORT_EGRESS_PROFILE_LIST", 0)
POOL, PROFILE = ("BUFFER_POOL", 0), ("BUFFER_PROFILE", 0)
PG, QUEUE = ("BUFFER_PG", 0), ("BUFFER_QUEUE", 0)
GLOBAL, WATCHED = ("PFC_WD", 0), ("PFC_WD", 1)

# Where, what, and what yanglint has to say of it; "" if nothing.
CASES = [
    (POOL + ("type",), "both", ""),
    (POOL + ("type",), "sideways", "type"),
    (POOL + ("type",), GONE, "type"),
    (POOL + ("mode",), "fast", "mode"),
    (POOL + ("mode",), GONE, "mode"),
    (POOL + ("xoff",), "0", ""),
    (POOL + ("xoff",), "x", "xoff"),
    (POOL + ("size",), "x", "size"),
    (POOL + ("size",), "-1", "size"),
    (POOL + ("size",), "18446744073709551615", ""),
    (POOL + ("size",), "18446744073709551616", "size"),
    (POOL + ("percentage",), 30, "a size or a percentage"),
    (POOL, {"name": "in", "type": "ingress", "mode": "dynamic",
            "percentage": 100}, ""),
    (POOL, {"name": "in", "type": "ingress", "mode": "dynamic",
            "percentage": 101}, "percentage"),
    (POOL, {"name": "in", "type": "ingress", "mode": "dynamic",
            "percentage": -1}, "percentage"),
    (POOL, {"name": "in", "type": "ingress", "mode": "dynamic",
            "percentage": "x"}, "percentage"),
    (PROFILE + ("dynamic_th",), -8, ""),
    (PROFILE + ("dynamic_th",), 7, ""),
    (PROFILE + ("dynamic_th",), -9, "dynamic_th"),
    (PROFILE + ("dynamic_th",), 8, "dynamic_th"),
    (PROFILE + ("dynamic_th",), GONE, "one of dynamic_th and static_th"),
    (PROFILE + ("static_th",), "1", "not both"),
    (PROFILE + ("static_th",), "-1", "static_th"),
    (PROFILE + ("size",), "-1", "size"),
    (PROFILE + ("size",), GONE, "needs its size"),
    (PROFILE + ("pool",), GONE, "pool"),
    (PROFILE + ("pool",), "none", "leafref"),
    (PROFILE + ("pool",), "out", "an egress pool"),
    (("BUFFER_PROFILE", 2, "xoff"), "0", "lossless profile needs an ingress"),
    (PROFILE + ("xon",), "-1", "xon"),
    (PROFILE + ("xoff",), "-1", "xoff"),
    (PROFILE + ("headroom_type",), "dynamic", ""),
    (PROFILE + ("headroom_type",), "auto", "headroom_type"),
    (PROFILE + ("packet_discard_action",), "drop", ""),
    (PROFILE + ("packet_discard_action",), "keep", "packet_discard_action"),
    (PROFILE + ("packet_discard_action",), "trim",
     "cannot use a profile that trims"),
    (("BUFFER_PROFILE", 1, "packet_discard_action"), "trim",
     "the profiles of a port cannot trim"),
    (PG + ("pg_num",), "7", ""),
    (PG + ("pg_num",), "8", "a priority group 0..7"),
    (PG + ("pg_num",), "7-3", "the range runs backwards"),
    (PG + ("port",), "none", "leafref"),
    (PG + ("profile",), "none", "no matching subtype"),
    (PG + ("profile",), "NULL", ""),
    (PG + ("profile",), GONE, ""),
    (PG + ("profile",), "leaving", "egress pool"),
    (QUEUE + ("qindex",), "15", ""),
    (QUEUE + ("qindex",), "16", "a queue 0..15"),
    (QUEUE + ("port",), "none", "leafref"),
    (QUEUE + ("profile",), "none", "leafref"),
    (QUEUE + ("profile",), "lossy", "ingress pool"),
    (IN_LIST + ("profile_list",), ["lossless", "lossy"], ""),
    (IN_LIST + ("profile_list",), ["none"], "leafref"),
    (IN_LIST + ("profile_list",), [], "Too few"),
    (IN_LIST + ("profile_list",), ["lossy", "lossy"], "uplicate"),
    (IN_LIST + ("profile_list",), ["leaving"], "an ingress list cannot"),
    (IN_LIST + ("port",), "none", "leafref"),
    (OUT_LIST + ("profile_list",), ["none"], "leafref"),
    (OUT_LIST + ("profile_list",), ["lossy"], "an egress list cannot"),
    (OUT_LIST + ("port",), "none", "leafref"),
    (CABLE + ("length",), "0m", ""),
    (CABLE + ("length",), "5", "metres"),
    (CABLE + ("length",), "5km", "metres"),
    (CABLE + ("length",), GONE, "length"),
    (CABLE + ("port",), "none", "leafref"),
    (CABLE, {"port": "Ethernet4", "length": "40m"}, ""),
    (CABLE, {"port": "Ethernet4", "length": "5m"}, "another length"),
    (("CABLE_LENGTH", 0, "name"), LONG[:-1], ""),
    (("CABLE_LENGTH", 0, "name"), LONG, "up to 31"),
    (("CABLE_LENGTH", 0, "name"), "AZ$RE", "up to 31"),
    (DEFAULT + ("default_dynamic_th",), -8, ""),
    (DEFAULT + ("default_dynamic_th",), 7, ""),
    (DEFAULT + ("default_dynamic_th",), -9, "default_dynamic_th"),
    (DEFAULT + ("default_dynamic_th",), 8, "default_dynamic_th"),
    (DEFAULT + ("default_dynamic_th",), "x", "default_dynamic_th"),
    (DEFAULT + ("default_dynamic_th",), GONE, "default_dynamic_th"),
    (DEFAULT + ("over_subscribe_ratio",), 65535, ""),
    (DEFAULT + ("over_subscribe_ratio",), 65536, "over_subscribe_ratio"),
    (DEFAULT + ("over_subscribe_ratio",), "x", "over_subscribe_ratio"),
    (DEFAULT + ("over_subscribe_ratio",), GONE, ""),
    (DEFAULT + ("name",), LONG, "up to 31"),
    (PATTERN + ("mtu",), 1, ""),
    (PATTERN + ("mtu",), 9216, ""),
    (PATTERN + ("mtu",), 0, "mtu"),
    (PATTERN + ("mtu",), 9217, "mtu"),
    (PATTERN + ("mtu",), GONE, "mtu"),
    (PATTERN + ("small_packet_percentage",), 0, ""),
    (PATTERN + ("small_packet_percentage",), 101, "small_packet_percentage"),
    (PATTERN + ("small_packet_percentage",), GONE, "small_packet_percentage"),
    (PATTERN + ("name",), "AZ$RE", "up to 31"),
    (GLOBAL + ("POLL_INTERVAL",), 100, ""),
    (GLOBAL + ("POLL_INTERVAL",), 99, "POLL_INTERVAL"),
    (GLOBAL + ("POLL_INTERVAL",), 1001, "POLL_INTERVAL"),
    (GLOBAL + ("POLL_INTERVAL",), 401, "cannot be detected faster"),
    (GLOBAL + ("BIG_RED_SWITCH",), "enable", ""),
    (GLOBAL + ("BIG_RED_SWITCH",), "on", "BIG_RED_SWITCH"),
    (GLOBAL + ("action",), "drop",
     "the row GLOBAL cannot have fields of a port"),
    (GLOBAL, {"ifname": "GLOBAL"}, ""),
    (WATCHED + ("POLL_INTERVAL",), 200,
     "the row of a port cannot have fields of GLOBAL"),
    (WATCHED + ("ifname",), "none", "no matching subtype"),
    (WATCHED + ("action",), "forward", ""),
    (WATCHED + ("action",), "pause", "action"),
    (WATCHED + ("detection_time",), 5000, ""),
    (WATCHED + ("detection_time",), 99, "detection_time"),
    (WATCHED + ("detection_time",), 5001, "detection_time"),
    (WATCHED + ("detection_time",), 199, "cannot be detected faster"),
    (WATCHED + ("detection_time",), GONE, "needs its detection_time"),
    (WATCHED + ("restoration_time",), 60000, ""),
    (WATCHED + ("restoration_time",), 99, "restoration_time"),
    (WATCHED + ("restoration_time",), 60001, "restoration_time"),
    (WATCHED + ("restoration_time",), 199, "end of a storm"),
    (WATCHED + ("restoration_time",), GONE, ""),
    (WATCHED + ("pfc_stat_history",), "enable", ""),
    (WATCHED + ("pfc_stat_history",), "on", "pfc_stat_history"),
]


def document(tables):
    """The tables as yanglint wants them."""
    root = {}
    for table, rows in tables.items():
        module = MODULES.get(table,
                             "sonic-" + table.lower().replace("_", "-"))
        inner = rows if isinstance(rows, dict) else {table + "_LIST": rows}
        root[f"{module}:{module}"] = {table: inner}
    return root


def changed(path, value):
    """BASE with another value at 'path'."""
    tables = copy.deepcopy(BASE)
    place = tables
    for step in path[:-1]:
        place = place[step]
    if value is GONE:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return tables


def main():
    yanglint = os.environ.get("YANGLINT", "yanglint")
    if not shutil.which(yanglint):
        print("yanglint is not installed")
        return 77
    modules = sorted(os.path.join(SCHEMAS, name)
                     for name in os.listdir(SCHEMAS) if name.endswith(".yang"))
    failed = 0
    with tempfile.TemporaryDirectory(prefix="orchd-test-") as directory:
        path = os.path.join(directory, "instance.json")
        for where, value, expected in [(("PORT", 0, "mtu"), 9100, "")] + CASES:
            with open(path, "w", encoding="utf-8") as file:
                json.dump(document(changed(where, value)), file)
            result = subprocess.run(
                [yanglint, "-i", "-p", SCHEMAS, *modules, path], check=False,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            refused = result.returncode != 0
            if refused != bool(expected) or expected not in result.stdout:
                failed += 1
                what = "nothing" if value is GONE else json.dumps(value)
                print(f"FAIL: {'/'.join(map(str, where))} = {what}: expected "
                      f"'{expected}', got '{result.stdout.strip()}'")
    print(f"{len(CASES) + 1} changes, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
