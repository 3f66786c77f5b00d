# SPDX-License-Identifier: Apache-2.0
"""Client of the switch control plane orchd, and switches for tests.

``Client`` has the commands of a running orchd.  ``Switch`` starts a simulated
switch for a test and has the verbs of breakpoint scenarios; ``Bench`` has them
for the switch of an orchd that is there.  The pytest plugin has the fixtures
``switch`` and ``chip``.
"""

from .bench import Bench, Sent, Snapshot
from .client import Client
from .errors import (AccessDenied, CommandError, ExpectationError, OrchdError,
                     StartError, Unreachable, UsageError)
from .switch import Switch

__all__ = ["AccessDenied", "Bench", "Client", "CommandError",
           "ExpectationError", "OrchdError", "Sent", "Snapshot", "StartError",
           "Switch", "Unreachable", "UsageError"]
