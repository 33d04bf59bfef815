"""The guide's Python and the docstrings show what the functions return."""

import doctest
import pathlib

import pytest

import gpumodel._analyses
import gpumodel._arch

GUIDE = pathlib.Path(__file__).resolve().parent.parent.parent / "docs"


@pytest.mark.parametrize("module", [gpumodel._analyses, gpumodel._arch])
def test_docstrings(module):
    names = {name: getattr(gpumodel, name) for name in gpumodel.__all__}
    done = doctest.testmod(module, extraglobs=names)
    assert done.attempted > 0 and done.failed == 0


@pytest.mark.parametrize("page, least", [("python.md", 10), ("analytic_model.md", 5)])
def test_guide(page, least, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # examples write files
    done = doctest.testfile(str(GUIDE / page), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert done.attempted > least and done.failed == 0
