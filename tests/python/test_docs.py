"""docs/python.md and the docstrings show what the functions return."""

import doctest
import pathlib

import pytest

import gpumodel._analyses
import gpumodel._arch

GUIDE = pathlib.Path(__file__).resolve().parent.parent.parent / "docs" / "python.md"


@pytest.mark.parametrize("module", [gpumodel._analyses, gpumodel._arch])
def test_docstrings(module):
    names = {name: getattr(gpumodel, name) for name in gpumodel.__all__}
    done = doctest.testmod(module, extraglobs=names)
    assert done.attempted > 0 and done.failed == 0


def test_guide(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # examples write files
    done = doctest.testfile(str(GUIDE), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert done.attempted > 10 and done.failed == 0
