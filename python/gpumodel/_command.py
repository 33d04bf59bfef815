"""The gpumodel command: where it lies, and one run of it, in this process (``_inside``) or one of its own."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import threading
from typing import IO, Any, Dict, Iterator, List, Optional, Tuple

from . import _inside
from ._errors import CommandNotFound, Diagnostic, error_of

_HERE = pathlib.Path(__file__).resolve().parent


def command_path() -> str:
    """The command that is run: $GPUMODEL_COMMAND, else the one that was installed with this package, else the
    source tree's (build/release), else the one on PATH. Raises CommandNotFound."""
    given = os.environ.get("GPUMODEL_COMMAND")
    places = [given] if given else [
        str(_HERE / "installed" / "bin" / "gpumodel"),
        str(_HERE.parent.parent / "build" / "release" / "tools" / "gpumodel"),
        shutil.which("gpumodel") or "gpumodel on PATH",
    ]
    for place in places:
        if os.access(place, os.X_OK) and os.path.isfile(place):
            return place
    raise CommandNotFound([Diagnostic("", 0, 0, "gpumodel", "no such command; looked for " + ", ".join(places))])


def _end(process: "subprocess.Popen[Any]") -> None:
    # its own group: with it a compiler that it started
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


@contextlib.contextmanager
def _interrupt_later() -> Iterator[None]:
    """Ctrl-C within is heard at its end: a process that begins is known by then, and can be ended."""
    handler = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(handler):
        yield  # Python calls handlers in the main thread alone
        return
    heard: List[Any] = []
    signal.signal(signal.SIGINT, lambda number, frame: heard.append((number, frame)))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        if heard:
            handler(*heard[-1])


@contextlib.contextmanager
def running(arguments: List[str], stdin: Optional[str] = None) -> Iterator[Tuple[IO[str], Any]]:
    """Standard output of a run while it runs, and what is known of it afterwards (``_Run``). A run that is left
    early, as by KeyboardInterrupt, is ended."""
    if _inside.available():
        with _inside.running(arguments, stdin) as here:
            if here is not None:
                yield here
                return
    with _own_process(arguments, stdin) as there:
        yield there


@contextlib.contextmanager
def _own_process(arguments: List[str], stdin: Optional[str]) -> Iterator[Tuple[IO[str], "_Run"]]:
    with contextlib.ExitStack() as files:
        messages = files.enter_context(tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace"))
        source: Any = subprocess.DEVNULL
        if stdin is not None:
            source = files.enter_context(tempfile.TemporaryFile("w+", encoding="utf-8"))
            source.write(stdin)
            source.seek(0)
        command = [command_path(), *arguments]
        process: "Optional[subprocess.Popen[Any]]" = None
        run = _Run()
        try:
            with _interrupt_later():
                process = subprocess.Popen(command, stdin=source, stdout=subprocess.PIPE, stderr=messages,
                                           encoding="utf-8", errors="replace", start_new_session=True,
                                           env={**os.environ, "GPUMODEL_DIAGNOSTICS": "json",
                                                "GPUMODEL_PARENT": str(os.getpid())})
            assert process.stdout is not None
            with process.stdout:
                yield process.stdout, run
            run.exit_code = process.wait()
        finally:
            if process is not None and process.returncode is None:
                _end(process)
        messages.seek(0)
        run.messages = messages.read()


class _Run:
    exit_code = 0
    messages = ""


def text_of(arguments: List[str], stdin: Optional[str] = None) -> str:
    """What a run prints. Raises Error where it prints nothing but faults; a result that says itself why there is
    no time (``status``) is a result."""
    with running(arguments, stdin) as (output, run):
        text = output.read()
    if run.exit_code != 0 and not text:
        raise error_of(run.exit_code, run.messages)
    return text


def document_of(arguments: List[str]) -> Dict[str, Any]:
    """A run's json."""
    return json.loads(text_of([*arguments, "--format", "json"]))
