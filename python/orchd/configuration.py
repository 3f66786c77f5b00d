# SPDX-License-Identifier: Apache-2.0
"""Configurations as rows of CONFIG_DB."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from .errors import StartError

__all__ = ["Config", "port_rows", "read_config"]

Config: TypeAlias = "str | os.PathLike[str] | Mapping[str, Any]"


def read_config(config: Config | Sequence[Config]
                ) -> dict[str, dict[str, Any]]:
    """The rows {"TABLE|key": {field: value}} of a config_db.json, of a mapping
    of the same shape {"TABLE": {"key": {...}}}, of a mapping of rows, or of
    several of these: they add up, and later fields replace earlier ones."""
    rows: dict[str, dict[str, Any]] = {}
    if isinstance(config, (str, os.PathLike, Mapping)):
        config = [config]
    for one in config:
        where = "the configuration"
        if not isinstance(one, Mapping):
            where = os.fspath(one)
            one = load(where)
        for key, value in one.items():
            if "|" in key:
                add(rows, key, value, where)
                continue
            if not isinstance(value, Mapping):
                raise StartError(f"{where}: table {key} has to be a mapping of "
                                 "rows", code="config", field=key)
            for name, fields in value.items():
                add(rows, f"{key}|{name}", fields, where)
    return rows


def add(rows: dict[str, dict[str, Any]], key: str, fields: Any,
        where: str) -> None:
    """Adds the fields of one row."""
    if not isinstance(fields, Mapping):
        raise StartError(f"{where}: row {key} has to be a mapping of fields, "
                         f"not {fields!r}", code="config", field=key)
    rows.setdefault(key, {}).update(fields)


def load(path: str) -> Mapping[str, Any]:
    """Reads a config_db.json."""
    try:
        with open(path, encoding="utf-8") as file:
            config = json.load(file)
    except OSError as error:
        raise StartError(f"cannot read {path}: {error.strerror}",
                         code="config") from error
    except ValueError as error:
        raise StartError(f"{path} is no JSON: {error}", code="config"
                         ) from error
    if not isinstance(config, Mapping):
        raise StartError(f"{path} has to be a JSON object of tables",
                         code="config")
    return config


def port_rows(ports: int | Sequence[str], *, first_lane: int, lanes: int,
              speed: int, cable: int) -> dict[str, dict[str, Any]]:
    """The rows of 'topology' in scenarios: ports, with their lanes, speed in
    Mb/s and cables in metres.  EthernetN has the lanes from the chip's first
    one plus N."""
    if isinstance(ports, int):
        ports = [f"Ethernet{number * lanes}" for number in range(ports)]
    rows: dict[str, dict[str, Any]] = {}
    for name in ports:
        number = re.fullmatch(r"\D*(\d+)", name)
        if not number:
            raise StartError(f"port '{name}' has no number, as Ethernet4 has",
                             code="config", field="ports")
        first = first_lane + int(number[1])
        rows[f"PORT|{name}"] = {
            "lanes": ",".join(str(first + i) for i in range(lanes)),
            "speed": str(speed), "admin_status": "up"}
    rows["CABLE_LENGTH|AZURE"] = {name: f"{cable}m" for name in ports}
    return rows
