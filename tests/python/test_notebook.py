"""The example notebook: its cells one after the other, and by nbconvert where that is installed."""

import ast
import json
import os
import pathlib
import shutil
import subprocess

import pytest

NOTEBOOK = pathlib.Path(__file__).resolve().parent.parent.parent / "examples" / "python" / "tour.ipynb"


def cells():
    return ["".join(cell["source"]) for cell in json.loads(NOTEBOOK.read_text())["cells"] if cell["cell_type"] == "code"]


def shown_by(cell, names):
    """What a notebook shows below the cell: the value of its last line, where that is an expression."""
    body = ast.parse(cell).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    exec(compile(ast.Module(body, []), str(NOTEBOOK), "exec"), names)
    return None if last is None else eval(compile(ast.Expression(last.value), str(NOTEBOOK), "eval"), names)


@pytest.fixture(autouse=True)
def no_compiler(monkeypatch):
    """The same numbers in the same time with and without a CUDA toolkit."""
    monkeypatch.setenv("GPUMODEL_COMPILE", "never")


def test_cells_run_in_order(capsys):
    names = {}
    shown = [shown_by(cell, names) for cell in cells()]
    cards = [value for value in shown if hasattr(value, "_repr_html_")]
    assert len(cards) == 1 and "<svg" in cards[0]._repr_mimebundle_()["text/html"]
    assert "nearest: h200_sxm" in capsys.readouterr().out


def test_the_notebook_is_kept_without_results():
    for cell in json.loads(NOTEBOOK.read_text())["cells"]:
        assert not cell.get("outputs") and cell.get("execution_count") is None


def test_nbconvert_executes_it(tmp_path):
    command = shutil.which("jupyter-nbconvert")
    if command is None:
        pytest.skip("jupyter-nbconvert is not installed")
    environment = {**os.environ, "HOME": str(tmp_path), "JUPYTER_PLATFORM_DIRS": "1"}
    done = subprocess.run([command, "--execute", "--to", "html", "--output-dir", str(tmp_path), str(NOTEBOOK)],
                          env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "tour.html").read_text()
    assert "limited by" in page and "nearest: h200_sxm" in page and "<svg" in page
