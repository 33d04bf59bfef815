"""GPUs, programs, and what is wrong with them."""

import pathlib
import threading

import numpy
import pytest

import gpumodel

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LISTING = ROOT / "validate" / "general" / "sm_90.sass.gz"


def test_arch_overrides_and_yaml(tmp_path):
    v100 = gpumodel.Arch.load("v100_sxm2")
    half = v100.override({"sm_count": 40})
    assert half.name == "v100_sxm2" and half.spec_hash != v100.spec_hash and half.overrides == {"sm_count": 40}
    changed = half.override({"l2.size": "3 MiB", "sm.shared_memory.latency_32": "30 cycles"})
    file = tmp_path / "half.yaml"
    file.write_text(changed.to_yaml("half"))
    times = [gpumodel.predict(arch, "warptile", model="analytic", generated=True).time_us
             for arch in (v100, half, changed, str(file))]
    assert 1.5 < times[1] / times[0] < 2.5  # half of the SMs, bound by the FMA pipe
    assert times[2] == times[3]
    assert {"v100_sxm2", "h200_sxm"} <= set(gpumodel.Arch.names())


def test_sass_program_with_text_and_arrays():
    text = gpumodel.Program.from_sass(LISTING, "stencil5", (32, 64), (32, 8), ["ptr:4MiB", "n=ptr:4MiB", 1000, 507])
    field = numpy.zeros((1024, 1024), numpy.float32)
    array = gpumodel.Program.from_sass(LISTING, "stencil5", (32, 64), (32, 8), ["ptr:4MiB", field, 1000, 507])
    first, second = (gpumodel.predict("h200_sxm", p, model="analytic") for p in (text, array))
    assert first.ok and first.program_source == "given"
    assert second.time_us == first.time_us


def test_all_faults_with_their_places():
    with pytest.raises(gpumodel.UsageError) as caught:
        gpumodel.predict("v100_sxm3", "warptil", M="x")
    assert {(d.path, d.key) for d in caught.value.diagnostics} >= {("--kernel", "warptil")}
    assert any("nearest: v100_sxm2" in d.message for d in caught.value.diagnostics)
    assert str(caught.value).count("\n") == len(caught.value.diagnostics) - 1


def test_faults_of_a_file_have_line_and_column(tmp_path):
    file = tmp_path / "mine.yaml"
    file.write_text("schema_version: 1\nname: mine\ninherits: v100_sxm2\nl2:\n  sise: 8 MiB\n")
    with pytest.raises(gpumodel.InvalidInput) as caught:
        gpumodel.Arch(str(file))
    fault = caught.value.diagnostics[0]
    assert fault.path == str(file) and (fault.line, fault.column) == (5, 3)
    assert "sise" in fault.key and "size" in fault.message


BAD_CALLS = [
    lambda: gpumodel.predict("v100_sxm2", "warptile", BM="big"),
    lambda: gpumodel.predict("v100_sxm2", "warptile", BMM=64),
    lambda: gpumodel.predict("v100_sxm2", "warptile", M=0),
    lambda: gpumodel.predict("v100_sxm2", "warptile", M=-5),
    lambda: gpumodel.predict("v100_sxm2", "warptile", M=1.5),
    lambda: gpumodel.predict("v100_sxm2", "warptile", model="oracle"),
    lambda: gpumodel.predict("v100_sxm2", "warptile", l2="hot"),
    lambda: gpumodel.predict("v100_sxm2", "--help"),
    lambda: gpumodel.predict("", "warptile"),
    lambda: gpumodel.predict("v100_sxm2", ""),
    lambda: gpumodel.predict("v100_sxm2", "warptile", registers=0),
    lambda: gpumodel.occupancy("v100_sxm2", threads=0, registers=32),
    lambda: gpumodel.occupancy("v100_sxm2", threads=256, registers=-1),
    lambda: gpumodel.memory("v100_sxm2", width=3),
    lambda: gpumodel.memory("v100_sxm2", addresses=[]),
    lambda: gpumodel.memory("v100_sxm2", addresses=list(range(0, 4 * 33, 4))),
    lambda: gpumodel.sweep("v100_sxm2", "warptile", sizes=[]),
    lambda: gpumodel.sweep("v100_sxm2", [], sizes=1024),
    lambda: gpumodel.sweep("v100_sxm2", "warptile", sizes=1024, BM=[]),
    lambda: gpumodel.tune("v100_sxm2", "warptile", sizes="big"),
    lambda: gpumodel.Arch("v100_sxm2", {"no.such.key": 1}),
    lambda: gpumodel.Arch("/no/such/file.yaml"),
    lambda: gpumodel.predict("h200_sxm", gpumodel.Program.from_sass("/no/file", "f", 1, 32)),
    lambda: gpumodel.predict("h200_sxm", gpumodel.Program.from_trace("/no/file.gpt")),
    lambda: gpumodel.predict("h200_sxm", gpumodel.Program.from_sass(LISTING, "stencil5", 0, 32)),
    lambda: gpumodel.predict("h200_sxm", gpumodel.Program.from_sass(LISTING, "stencil6", (1, 1), 32)),
    lambda: gpumodel.predict("h200_sxm", gpumodel.Program.from_sass(LISTING, "stencil5", (1, 1), (32, 64))),
    lambda: gpumodel.predict("h200_sxm", gpumodel.Program.from_sass(LISTING, "stencil5", (1, 1), 32, ["ptr:4XiB"])),
    lambda: gpumodel.predict("h200_sxm", gpumodel.Program.from_sass(__file__, "f", 1, 32)),
    lambda: gpumodel.predict("k40", gpumodel.Program.from_sass(LISTING, "stencil5", (32, 64), (32, 8))),
    lambda: gpumodel.predict("h200_sxm", gpumodel.Program.from_trace(__file__)),
    lambda: gpumodel.predict("h200_sxm", gpumodel.Program.from_cuda("/no/file.cu", "f", 1, 32)),
    lambda: gpumodel.predict("v100_sxm2", "warptile", N=2**63),
    lambda: gpumodel.predict("v100_sxm2", "warptile", K=float("nan")),
    lambda: gpumodel.predict("v100_sxm2", "warptile", M=True),
    lambda: gpumodel.predict("v100_sxm2", "warptile", BM=None, BN="", model="analytic"),
    lambda: gpumodel.occupancy("v100_sxm2", threads=256, registers="many"),
    lambda: gpumodel.memory("v100_sxm2", stride="wide"),
    lambda: gpumodel.memory("v100_sxm2", space="texture"),
    lambda: gpumodel.simulate("v100_sxm2", "naive", M=64, N=64, K=64, max_cycles=-1),
    lambda: gpumodel.simulate("v100_sxm2", "wraptile"),
    lambda: gpumodel.sweep("v100_sxm2", "warptile", sizes="1024:512"),
    lambda: gpumodel.sweep("v100_sxm2", "warptile", sizes=1024, BM="64:32"),
    lambda: gpumodel.tune("v100_sxm2", "warptile", sizes=512, BM=[64, 64], model="analytic"),
    lambda: gpumodel.tune("v100_sxm2", "warptil", sizes=512),
    lambda: gpumodel.predict_rows("v100_sxm3", "warptile", M=[1024]),
    lambda: gpumodel.predict_many("v100_sxm2", "warptil", M=[1024]),
    lambda: gpumodel.predict_many("v100_sxm2", "warptile", M=[1024], BX=[64]),
    lambda: gpumodel.predict_many("", "warptile", M=[1024]),
    lambda: gpumodel.Arch("v100_sxm2", {"sm_count": 0}),
    lambda: gpumodel.Arch("v100_sxm2", {"clock.sm": "1 parsec"}),
    lambda: gpumodel.Arch("v100_sxm2").override({"sm_count": "half"}),
]


@pytest.mark.parametrize("call", BAD_CALLS)
def test_bad_input_is_an_error_with_words(call):
    with pytest.raises(gpumodel.Error) as caught:
        call()
    assert not isinstance(caught.value, gpumodel.InternalError)
    assert all(d.message for d in caught.value.diagnostics)


def test_no_command(monkeypatch):
    monkeypatch.setenv("GPUMODEL_COMMAND", "/no/such/gpumodel")
    with pytest.raises(gpumodel.CommandNotFound, match="/no/such/gpumodel"):
        gpumodel.kernels()


def test_threads_at_once():
    times = {}

    def one(size):
        times[size] = gpumodel.predict("v100_sxm2", "warptile", M=size, model="analytic", generated=True).time_us

    threads = [threading.Thread(target=one, args=(size,)) for size in (1024, 2048, 4096, 8192)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert times[1024] < times[2048] < times[4096] < times[8192]
