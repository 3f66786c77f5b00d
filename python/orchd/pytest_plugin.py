# SPDX-License-Identifier: Apache-2.0
"""Fixtures for pytest.

    @pytest.mark.chips("TD2", "TH3")
    def test_drop(switch, chip):
        device = switch(chip, "config_db.json")
        device.block("Ethernet4")

``switch(...)`` makes an orchd.Switch with these arguments.  All switches of a
test end with it, however it ends; if it fails, its report has the steps and the
last lines of the log of each, and the logs stay.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

import pytest

from .errors import OrchdError
from .programs import find_programs
from .switch import Switch

SWITCHES = pytest.StashKey[list[Switch]]()


def pytest_configure(config: pytest.Config) -> None:
    """Registers the mark."""
    config.addinivalue_line("markers", "chips(NAME, ...): run the test once for "
                            "each chip, which the fixture 'chip' names")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Makes a test of each chip of the mark."""
    if "chip" not in metafunc.fixturenames:
        return
    mark = metafunc.definition.get_closest_marker("chips")
    if not mark or not mark.args:
        return
    try:
        programs = find_programs()
        names = [programs.model(name) for name in mark.args]
    except OrchdError as error:
        raise pytest.UsageError(f"{metafunc.definition.nodeid}: {error}"
                                ) from error
    metafunc.parametrize("chip", names)


@pytest.fixture
def chip() -> str:
    """The chip of this run of the test, as the mark says."""
    raise pytest.UsageError("the fixture 'chip' needs a mark: "
                            "@pytest.mark.chips(\"td2\", \"th3\")")


@pytest.fixture
def switch(request: pytest.FixtureRequest
           ) -> Generator[Callable[..., Switch], None, None]:
    """Makes switches for the test: switch(chip, config, ports=4, ...)."""
    made: list[Switch] = request.node.stash.setdefault(SWITCHES, [])

    def make(*arguments: Any, **options: Any) -> Switch:
        one = Switch(*arguments, **options)
        made.append(one)
        return one

    yield make
    while made:
        made.pop().close()


@pytest.hookimpl(hookwrapper=True)  # type: ignore[misc]
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]
                              ) -> Generator[None, Any, None]:
    """Adds what the switches of a failed test have done."""
    outcome = yield
    report = outcome.get_result()
    if not report.failed:
        return
    for one in item.stash.get(SWITCHES, []):
        one.keep_log()
        report.sections.append((f"switch {one.chip}: steps", "\n".join(
            f"{number:3} {text}" for number, text in enumerate(one.steps, 1))))
        report.sections.append((f"switch {one.chip}: log of orchd, {one.log}",
                                one.log_tail()))
