"""What the command says of bad input, as exceptions."""

from __future__ import annotations

import dataclasses
import json
from typing import List


@dataclasses.dataclass(frozen=True)
class Diagnostic:
    """One fault. ``line`` and ``column`` count from 1; 0 = there is none."""

    path: str  #: file, or the option that a value was given by; "" = neither
    line: int
    column: int
    key: str  #: key path, option or column
    message: str  #: what is wrong, what is allowed, the nearest valid name

    def __str__(self) -> str:
        place = ":".join([self.path] + [str(n) for n in (self.line, self.column) if n]) if self.path else ""
        return ": ".join(part for part in (place, self.key, self.message) if part)


class Error(Exception):
    """Every fault of an input at once, in :attr:`diagnostics`; the text has one line for each."""

    def __init__(self, diagnostics: List[Diagnostic]):
        super().__init__("\n".join(map(str, diagnostics)))
        self.diagnostics = diagnostics


class UsageError(Error):
    """An argument is wrong: an unknown name, a value out of its range (the command's exit code 2)."""


class InvalidInput(Error):
    """A spec, listing, trace or table has faults (the command's exit code 3)."""


class InternalError(Error):
    """A fault of gpumodel itself (exit code 1, or a signal)."""


class CommandNotFound(Error):
    """There is no gpumodel command where one may lie; the message says where that is."""


_BY_EXIT_CODE = {2: UsageError, 3: InvalidInput}


def error_of(exit_code: int, messages: str) -> Error:
    """The exception for what the command wrote to standard error with GPUMODEL_DIAGNOSTICS=json."""
    diagnostics = []
    for line in messages.splitlines():
        try:
            diagnostics.append(Diagnostic(**json.loads(line)))
        except (ValueError, TypeError):  # the parser of options, notes
            if line and not line.startswith("Run 'gpumodel"):
                diagnostics.append(Diagnostic("", 0, 0, "", line[len("gpumodel: "):]
                                              if line.startswith("gpumodel: ") else line))
    if not diagnostics:
        diagnostics.append(Diagnostic("", 0, 0, "", f"gpumodel ended with code {exit_code}"))
    return _BY_EXIT_CODE.get(exit_code, InternalError)(diagnostics)
