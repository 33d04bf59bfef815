"""The module in this process: what a process of its own says, and nothing left behind."""

import contextlib
import os
import pathlib
import signal
import subprocess
import sys
import threading

import numpy
import pytest

import gpumodel
from gpumodel import _command, _inside
from test_inputs import BAD_CALLS, LISTING

COMMAND = os.environ["GPUMODEL_COMMAND"]
STENCIL = gpumodel.Program.from_sass(LISTING, "stencil5", (32, 64), (32, 8),
                                     ["ptr:4MiB", numpy.zeros((1024, 1024), numpy.float32), 1000, 507])
CALLS = {
    "predict": lambda: gpumodel.predict("k40", "naive", M=512, N=512, K=512, compile="never"),
    "both models": lambda: gpumodel.predict("h200_sxm", "warptile", M=1024, N=1024, K=1024, generated=True),
    "overrides": lambda: gpumodel.predict(gpumodel.Arch("v100_sxm2", {"sm_count": 40}), "smem", model="analytic"),
    "explain": lambda: gpumodel.predict("v100_sxm2", "naive", M=256, N=256, K=256, explain=True, generated=True),
    "simulate": lambda: gpumodel.simulate("v100_sxm2", "ab_shared", M=256, N=256, K=32, generated=True),
    "infeasible": lambda: gpumodel.predict("v100_sxm2", "warptile", M=1000),
    "listing": lambda: gpumodel.predict("h200_sxm", STENCIL),
    "occupancy": lambda: gpumodel.occupancy("sm_70", threads=256, registers=64, shared=8192),
    "memory": lambda: gpumodel.memory("k40", pitch=33, column=True),
    "tune": lambda: gpumodel.tune("v100_sxm2", "warptile", sizes=512, BM=[64, 128], BN=64, BK=16, refine=2),
    "rows": lambda: gpumodel.predict_rows("v100_sxm2", ["warptile", "smem", "nothing"], M=[1024, 1024, 1000], N=1024,
                                          K=1024, counters=True, generated=True),
    "sweep": lambda: gpumodel.sweep("v100_sxm2", "warptile", sizes=[512, 1024], BM=[64, 128], keep_invalid=True,
                                    arch_axes={"sm_count": [40, 80]}, frame=False),
    "names": lambda: [gpumodel.Arch.names(), [k.as_dict() for k in gpumodel.kernels()]],
}


@pytest.fixture(autouse=True)
def module_only(door):
    if door != "module":
        pytest.skip("about the module")


@contextlib.contextmanager
def own_process():
    os.environ["GPUMODEL_COMMAND"] = COMMAND
    try:
        yield
    finally:
        del os.environ["GPUMODEL_COMMAND"]


def plain(result):
    if isinstance(result, gpumodel.Columns):
        return {name: [str(v) for v in column] for name, column in result.items()}
    return result.as_dict() if isinstance(result, gpumodel.Result) else result


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_same_results(call):
    here = plain(call())
    with own_process():
        there = plain(call())
    assert here == there


@pytest.mark.parametrize("call", BAD_CALLS)
def test_same_errors(call):
    with pytest.raises(gpumodel.Error) as here:
        call()
    with own_process(), pytest.raises(gpumodel.Error) as there:
        call()
    assert type(here.value) is type(there.value)
    if "predict_many" not in call.__code__.co_names:  # which runs another command where there is no module
        assert here.value.diagnostics == there.value.diagnostics


@pytest.mark.parametrize("arguments", [["--help"], ["predict", "--help"], ["--version"], ["completion", "bash"]])
def test_same_text(arguments):
    here = _command.text_of(arguments)
    with own_process():
        assert _command.text_of(arguments) == here


def test_nothing_is_left_behind(capfd):
    environment = dict(os.environ)
    handlers = [signal.getsignal(s) for s in range(1, signal.NSIG)]
    gpumodel.occupancy("v100_sxm2", 256, 64)
    files = len(os.listdir("/proc/self/fd"))
    for call in (CALLS["sweep"], CALLS["infeasible"], CALLS["rows"], *BAD_CALLS[:4]):
        with contextlib.suppress(gpumodel.Error):
            call()
    assert len(os.listdir("/proc/self/fd")) == files
    assert dict(os.environ) == environment
    assert [signal.getsignal(s) for s in range(1, signal.NSIG)] == handlers
    assert capfd.readouterr() == ("", "")


def test_the_environment_of_each_call_counts(tmp_path, monkeypatch):
    (tmp_path / "mine.yaml").write_text("schema_version: 1\nname: mine\ninherits: v100_sxm2\nmarketing_name: mine\n"
                                        "source: given\nsm_count: 80\n")
    with pytest.raises(gpumodel.UsageError):
        gpumodel.Arch("mine")
    monkeypatch.setenv("GPUMODEL_ARCH_PATH", str(tmp_path))
    eighty = gpumodel.predict("mine", "warptile", model="analytic", generated=True).time_us
    (tmp_path / "mine.yaml").write_text((tmp_path / "mine.yaml").read_text().replace("count: 80", "count: 40"))
    assert gpumodel.predict("mine", "warptile", model="analytic", generated=True).time_us > 1.5 * eighty
    monkeypatch.delenv("GPUMODEL_ARCH_PATH")
    with pytest.raises(gpumodel.UsageError):
        gpumodel.Arch("mine")


def test_standard_input_is_not_read():
    code = ("import gpumodel\ntry:\n  gpumodel.predict('h200_sxm', gpumodel.Program.from_sass('-', 'f', 1, 32))\n"
            "except gpumodel.Error as e:\n  print('error', sep='')\nprint(input())")
    done = subprocess.run([sys.executable, "-c", code], input="mine\n", capture_output=True, text=True, timeout=60)
    assert done.stdout == "error\nmine\n"


def test_threads_get_their_own_results():
    sizes = [256 * n for n in range(1, 13)]
    expected = [gpumodel.predict("v100_sxm2", "smem", M=m, model="analytic", generated=True).time_us for m in sizes]
    found, faults = {}, []

    def work(offset):
        for i in range(len(sizes)):
            m = sizes[(i + offset) % len(sizes)]
            found[m, offset] = gpumodel.predict("v100_sxm2", "smem", M=m, model="analytic", generated=True).time_us
            with contextlib.suppress(gpumodel.UsageError):
                gpumodel.predict(f"no_gpu_{offset}", "smem")
                faults.append("no error")

    threads = [threading.Thread(target=work, args=(offset,)) for offset in range(6)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not faults and len(found) == 6 * len(sizes)
    assert all(time == expected[sizes.index(m)] for (m, _), time in found.items())


def test_a_call_within_a_call_and_in_a_forked_process():
    with _command.running(["sweep", "--arch", "v100_sxm2", "--kernel", "naive", "--sizes", "32:65536:32", "--format",
                           "csv", "--generated"]) as (output, _):
        assert output.readline().startswith("arch,")
        assert gpumodel.occupancy("v100_sxm2", 256, 64).blocks_per_sm == 4
    child = os.fork()
    if child == 0:
        os._exit(0 if not gpumodel.in_process() and gpumodel.occupancy("v100_sxm2", 256, 64).blocks_per_sm == 4 else 1)
    assert os.waitpid(child, 0)[1] == 0


def test_many_equal_rows():
    columns = dict(M=numpy.array([1024, 2048, 1000, 1024, -1, 512]), N=1024, K=numpy.array([512, 512, 512, 512, 64, 64]),
                   BM=numpy.array([64, 128, 64, 64, 64, 64]), BN=64, BK=8, WM=32, WN=32, WNITER=2, TM=4, TN=4,
                   THREADS=128)
    many = gpumodel.predict_many("v100_sxm2", "warptile", counters=True, **columns)
    rows = gpumodel.predict_rows("v100_sxm2", "warptile", counters=True, generated=True, **columns)
    assert set(many) - {"BM", "BN", "BK", "WM", "WN", "WNITER", "TM", "TN", "THREADS"} <= set(rows)
    assert {"ok", "infeasible", "error"} == set(many["status"])
    for name in set(many) & set(rows) - {"M"}:
        if many[name].dtype == object:
            assert many[name].tolist() == rows[name].tolist()
        else:
            numpy.testing.assert_allclose(many[name], rows[name], rtol=1e-6, atol=1e-7)
    assert many["M"].tolist() == columns["M"].tolist() and many["BN"].tolist() == [64] * 6
    assert many["time_us"][0] == many["time_us"][3]


def test_many_without_the_module():
    columns = dict(M=[1024, 1000], K=[64, 64], BM=128)
    here = gpumodel.predict_many("v100_sxm2", "warptile", **columns)
    with own_process():
        there = gpumodel.predict_many("v100_sxm2", "warptile", **columns)
    assert list(here) == list(there)
    assert here["reason"].tolist() == there["reason"].tolist()
    numpy.testing.assert_allclose(here["time_us"], there["time_us"], rtol=1e-6)


@pytest.mark.parametrize("error, words, call", [
    (gpumodel.UsageError, "nearest: v100_sxm2", lambda: gpumodel.predict_many("v100_sxm3", "naive", M=32)),
    (gpumodel.UsageError, "nearest: warptile", lambda: gpumodel.predict_many("v100_sxm2", "warptil", M=32)),
    (gpumodel.UsageError, "nearest: BM", lambda: gpumodel.predict_many("v100_sxm2", "warptile", BMM=32)),
    (gpumodel.UsageError, "hot", lambda: gpumodel.predict_many("v100_sxm2", "naive", M=32, l2="hot")),
    (gpumodel.UsageError, "threads", lambda: gpumodel.predict_many("v100_sxm2", "naive", M=32, threads=-1)),
    (TypeError, "float64", lambda: gpumodel.predict_many("v100_sxm2", "naive", M=[1.5, 2])),
    (TypeError, "M", lambda: gpumodel.predict_many("v100_sxm2", "naive", M=["a"])),
    (ValueError, "M 2.*N 3", lambda: gpumodel.predict_many("v100_sxm2", "naive", M=[32, 64], N=[32, 64, 96])),
    (ValueError, "dimension", lambda: gpumodel.predict_many("v100_sxm2", "naive", M=[[32]])),
])
def test_many_bad_input(error, words, call):
    with pytest.raises(error, match=words):
        call()


def test_many_of_none():
    assert gpumodel.predict_many("v100_sxm2", "naive", M=[]).rows == 0
    assert gpumodel.predict_many("v100_sxm2", "naive")["status"].tolist() == ["ok"]


def test_stubs_name_what_the_module_has():
    core = _inside.core()
    stub = (pathlib.Path(_inside.__file__).parent / "_core.pyi").read_text()
    for name in ("start", "many", "usable", "Run"):
        assert hasattr(core, name) and f" {name}(" in stub.replace("class Run:", " Run(")
