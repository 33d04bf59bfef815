"""Ctrl-C ends the work at once."""

import os
import pathlib
import signal
import subprocess
import sys
import time

WORK = """
import gpumodel, time
print("begin", flush=True)
try:
    gpumodel.predict("v100_sxm2", "naive", M=16384, N=16384, K=16384, model="simulate", exact=True, generated=True)
    print("done", flush=True)
except KeyboardInterrupt:
    print("interrupted", time.monotonic(), flush=True)
"""


def children_of(pid):
    return [int(c) for c in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def test_interrupt():
    process = subprocess.Popen([sys.executable, "-c", WORK], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "begin\n"
    deadline = time.monotonic() + 30
    while not (commands := children_of(process.pid)) and time.monotonic() < deadline:
        time.sleep(0.01)
    time.sleep(0.3)  # in the midst of it
    sent = time.monotonic()
    os.kill(process.pid, signal.SIGINT)
    said, at = process.stdout.readline().split()
    print(f"KeyboardInterrupt {1e3 * (float(at) - sent):.1f} ms after the signal")
    assert said == "interrupted"
    process.wait()
    assert commands and not any(pathlib.Path(f"/proc/{pid}").exists() for pid in commands)
