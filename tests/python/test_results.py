"""Values equal the command's; results as objects, columns and cards."""

import itertools
import json
import os
import subprocess
import sys
import types
import xml.etree.ElementTree

import numpy
import pytest

import gpumodel

FAMILIES = ["naive", "warptile", "doublebuffer", "ab_shared", "transpose_naive", "stride_copy"]
ARCHS = ["gtx_680", "k40", "v100_sxm2", "h200_sxm"]
COMMAND = os.environ["GPUMODEL_COMMAND"]


def command_json(*arguments):
    run = subprocess.run([COMMAND, *arguments, "--format", "json"], capture_output=True)
    return json.loads(run.stdout)


@pytest.mark.parametrize("family, arch", itertools.product(FAMILIES, ARCHS))
def test_predict_equals_the_command(family, arch):
    mine = gpumodel.predict(arch, family, model="analytic", compile="never").as_dict()
    its = command_json("predict", "--arch", arch, "--kernel", family, "--model", "analytic", "--compile", "never")
    assert mine["predictions"] == its["predictions"]
    assert mine["metadata"]["spec_hash"] == its["metadata"]["spec_hash"]


def test_arguments_reach_the_command():
    mine = gpumodel.predict("v100_sxm2", "warptile", M=512, N=256, K=1024, BM=64, BN=64, BK=8, WM=32, WN=32, WNITER=2,
                            TM=4, TN=4, THREADS=128, registers=96, l2="cold", generated=True)
    p = "BM=64 BN=64 BK=8 WM=32 WN=32 WNITER=2 TM=4 TN=4 THREADS=128".split()
    its = command_json("predict", "--arch", "v100_sxm2", "--kernel", "warptile", "-m", "512", "-n", "256", "-k", "1024",
                       "--registers", "96", "--l2", "cold", "--generated", *(x for q in p for x in ("-p", q)))
    assert mine.as_dict()["predictions"] == its["predictions"]
    assert mine.ok and mine.registers_per_thread == 96
    assert [p.model for p in mine.predictions] == ["simulate", "analytic"]
    assert mine.time_us == mine.by_model("simulate").time_us
    with pytest.raises(KeyError):
        mine.by_model("guess")


def test_what_was_not_predicted_is_none_and_says_why():
    p = gpumodel.predict("v100_sxm2", "warptile", M=1000, model="analytic")
    assert not p.ok and p.status == "infeasible" and "multiple of BM" in p.reason
    with pytest.raises(AttributeError, match="it has arch"):
        p.time_us
    assert "infeasible" in p._repr_html_()


def test_occupancy_by_hand():
    # V100: 64 Ki registers, 64 a thread in units of 256 a warp: 16384 a block of 256 threads, so 4 blocks
    o = gpumodel.occupancy("v100_sxm2", threads=256, registers=64)
    assert (o.blocks_per_sm, o.active_warps, o.occupancy, o.limiters) == (4, 32, 0.5, ["registers"])
    assert o["limits_blocks"]["warps"] == o.limits_blocks.warps == 8
    assert gpumodel.occupancy("v100_sxm2", 256, 32, shared=49152).limiters == ["shared_memory"]


def test_memory_by_hand():
    # 32 lanes at 8 bytes: 256 bytes in 8 sectors, and each bank is asked for two words
    m = gpumodel.memory("v100_sxm2", stride=2)
    assert (m["global"].sectors, m.shared.wavefronts) == (8, 2)
    assert gpumodel.memory("v100_sxm2", addresses=range(0, 128, 4), space="shared").shared.conflicts == 0
    assert gpumodel.memory("k40", pitch=33, column=True, space="shared").shared.degree == 1


def test_simulate_accounts_for_every_cycle():
    s = gpumodel.simulate("v100_sxm2", "naive", M=256, N=256, K=256)
    assert s.status == "ok" and s.cycles > 0
    assert sum(r.warp_cycles for r in s.stalls.reasons) > 0


def test_rows_keep_their_order_and_faults():
    c = gpumodel.predict_rows("v100_sxm2", ["warptile", "smem", "nothing", "warptile"],
                              M=numpy.array([1024, 1024, 1024, 1000]), N=1024, K=1024, counters=True)
    assert c["status"].tolist() == ["ok", "ok", "error", "infeasible"]
    assert numpy.isnan(c["time_us"][2:]).all() and (c["time_us"][:2] > 0).all()
    assert c["M"].tolist() == [1024, 1024, 1024, 1000]
    one = gpumodel.predict("v100_sxm2", "warptile", M=1024, N=1024, K=1024, model="analytic", compile="never")
    assert c["time_us"][0] == pytest.approx(one.time_us, rel=1e-5) or one.program_source != c["program_source"][0]
    assert c["dram__bytes_read.sum"][0] > 0
    assert "<table>" in c._repr_html_()


def test_columns_of_different_lengths():
    with pytest.raises(ValueError, match="M 2.*N 3"):
        gpumodel.predict_rows("v100_sxm2", "warptile", M=[1024, 2048], N=[1024, 1024, 1024])


def test_sweep_and_tune():
    c = gpumodel.sweep("v100_sxm2", "warptile", sizes=[1024, 2048], BM=[64, 128], BN=128, keep_invalid=True,
                       arch_axes={"sm_count": [40, 80]}, frame=False)
    assert c.rows == 2 * 2 * 2 and sorted(set(c["status"])) == ["infeasible", "ok"]
    assert sorted(set(c["sm_count"])) == [40, 80]
    t = gpumodel.tune("v100_sxm2", "warptile", sizes=512, BM=[64, 128], BN=64, BK=16, refine=2, model="analytic")
    assert t.best.params.BN == 64 and t.best.params.BM in (64, 128)
    assert "warptile" in t._repr_html_()


def test_empty_sweep_says_why():
    with pytest.raises(gpumodel.Error) as caught:
        gpumodel.sweep("v100_sxm2", "warptile", sizes=1000, BM=128)
    assert any("multiple of BM" in d.message for d in caught.value.diagnostics)


def test_pandas_where_it_is():
    pandas = pytest.importorskip("pandas")
    frame = gpumodel.sweep("v100_sxm2", "warptile", sizes=1024, BM=128)
    columns = gpumodel.sweep("v100_sxm2", "warptile", sizes=1024, BM=128, frame=False)
    assert isinstance(frame, pandas.DataFrame) and frame.equals(columns.to_pandas()) and len(frame) == 1


def test_without_pandas_sweeps_are_columns(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    assert isinstance(gpumodel.sweep("v100_sxm2", "warptile", sizes=1024, BM=128), gpumodel.Columns)
    with pytest.raises(ImportError):
        gpumodel.sweep("v100_sxm2", "warptile", sizes=1024, BM=128, frame=True)


def test_progress_counts_the_rows(monkeypatch):
    bars = []

    class Bar:
        def __init__(self, **options):
            self.rows, self.closed = 0, False
            bars.append(self)

        def update(self, rows):
            self.rows += rows

        def close(self):
            self.closed = True

    monkeypatch.setitem(sys.modules, "tqdm", types.ModuleType("tqdm"))
    monkeypatch.setitem(sys.modules, "tqdm.auto", types.SimpleNamespace(tqdm=Bar))
    c = gpumodel.sweep("v100_sxm2", "warptile", sizes=[1024, 2048], BM=128, progress=True, frame=False)
    assert [(bar.rows, bar.closed) for bar in bars] == [(c.rows, True)]


def test_notebooks_get_text_cards_and_a_picture():
    bundle = gpumodel.predict("v100_sxm2", "warptile", model="analytic", generated=True)._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "text/html", "image/svg+xml"}
    picture = xml.etree.ElementTree.fromstring(bundle["image/svg+xml"])
    widths = [float(r.get("width")) for r in picture.iter("{http://www.w3.org/2000/svg}rect")]
    assert len(widths) > 1 and widths == sorted(widths, reverse=True)
    none = gpumodel.predict("v100_sxm2", "warptile", M=1000, model="analytic")._repr_mimebundle_()
    assert set(none) == {"text/plain", "text/html"}
    only = gpumodel.occupancy("v100_sxm2", 256, 64)._repr_mimebundle_(include=["text/plain"])
    assert set(only) == {"text/plain"}
