"""Ctrl-C ends the work at once."""

import os
import pathlib
import signal
import subprocess
import sys
import threading
import time

import pytest

LISTING = pathlib.Path(__file__).resolve().parent.parent.parent / "validate" / "general" / "sm_90.sass.gz"
SIMULATION = ('predict("v100_sxm2", "naive", M=16384, N=16384, K=16384, model="simulate", exact=True, '
              "generated=True)")
SWEEP = 'sweep("v100_sxm2", "warptile", axes="auto", sizes="1024:16384:128", keep_invalid=True)'
MANY = 'predict_many("v100_sxm2", "naive", M=range(32, 3_200_000, 32), K=64)'
WORK = """
import gpumodel, numpy, signal, time
print("begin", flush=True)
try:
    gpumodel.{call}
    print("done", flush=True)
except KeyboardInterrupt:
    print("interrupted", time.monotonic(), flush=True)
if gpumodel.in_process():
    # what was left has ended, so that the next run begins, and signals are Python's as before
    run = gpumodel._inside.core().start([b"--version"], {{}}, "", b"", gpumodel._inside.os.dup(2), 30)
    assert run is not None and run.finish()[0] == 0
assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
print(gpumodel.occupancy("v100_sxm2", 256, 64).blocks_per_sm)
"""


def children_of(pid):
    return [int(c) for c in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@pytest.mark.parametrize("call", [SIMULATION, SWEEP, MANY])
def test_interrupt(call, door):
    process = subprocess.Popen([sys.executable, "-c", WORK.format(call=call)], stdout=subprocess.PIPE, text=True)
    watch = threading.Timer(120, process.kill)  # of one that does not end
    watch.start()
    assert process.stdout.readline() == "begin\n"
    commands = []
    deadline = time.monotonic() + 30
    while door == "process" and not (commands := children_of(process.pid)) and time.monotonic() < deadline:
        time.sleep(0.01)
    time.sleep(0.5)  # in the midst of it
    sent = time.monotonic()
    os.kill(process.pid, signal.SIGINT)
    said, at = process.stdout.readline().split()
    print(f"KeyboardInterrupt {1e3 * (float(at) - sent):.1f} ms after the signal")
    assert said == "interrupted"
    rest = process.stdout.read(), process.wait()
    watch.cancel()
    assert rest == ("4\n", 0)
    assert bool(commands) == (door == "process") and not any(pathlib.Path(f"/proc/{pid}").exists() for pid in commands)


def test_a_program_may_end_in_the_midst_of_a_run(door):
    if door != "module":
        pytest.skip("a process of its own is not waited for")
    code = (f"import gpumodel, threading, time\nwork = lambda: gpumodel.{SIMULATION}\n"
            "threading.Thread(target=work, daemon=True).start()\ntime.sleep(0.5)\nprint('end')")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "end\n", "")


def is_at_work(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except FileNotFoundError:
        return False


def ends_soon(pid):
    deadline = time.monotonic() + 30
    while is_at_work(pid) and time.monotonic() < deadline:
        time.sleep(0.01)
    return not is_at_work(pid)


BEGINNING = """
import gpumodel, os, subprocess, sys
begin = subprocess.Popen
def noted(*arguments, **options):
    if {before}:
        os.kill(os.getpid(), 2)
    process = begin(*arguments, **options)
    print(process.pid, flush=True)
    os.kill(os.getpid(), 2)
    return process
subprocess.Popen = noted
try:
    gpumodel.{call}
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.parametrize("before", [False, True])
def test_an_interrupt_while_the_process_begins_ends_it(before, door):
    if door != "process":
        pytest.skip("no process begins")
    code = BEGINNING.format(call=SIMULATION, before=before)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    pid, said = done.stdout.split()
    assert said == "interrupted" and not is_at_work(pid)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_program_that_is_killed_leaves_no_process(number, door):
    if door != "process":
        pytest.skip("no process begins")
    process = subprocess.Popen([sys.executable, "-c", f"import gpumodel\ngpumodel.{SIMULATION}"])
    deadline = time.monotonic() + 30
    while not (commands := children_of(process.pid)) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert len(commands) == 1 and is_at_work(commands[0])
    time.sleep(0.2)  # until it is the command
    process.send_signal(number)
    process.wait()
    assert ends_soon(commands[0])
