"""Every test runs through both doors: a process of the command's own, and the module in this process."""

import pytest

import gpumodel
from gpumodel import _inside

_DOORS = ["process"] + (["module"] if _inside.core() is not None else [])


@pytest.fixture(autouse=True, params=_DOORS)
def door(request, monkeypatch):
    if request.param == "module":
        monkeypatch.delenv("GPUMODEL_COMMAND")
    assert gpumodel.in_process() == (request.param == "module")
    return request.param
