"""Results: the command's json as objects, and its csv as columns."""

from __future__ import annotations

import html
from typing import Any, Dict, Iterator, List, Mapping, Optional

_ABSENT = object()


def _wrapped(value: Any) -> Any:
    if isinstance(value, dict):
        return Result(value)
    if isinstance(value, list):
        return [_wrapped(v) for v in value]
    return value


class Result(Mapping[str, Any]):
    """A result, or a part of one: fields as attributes and by name (``r.time_us``, ``r["time_us"]``), under the names
    that the command's json gives them. ``None`` is what was not predicted; it never comes out as 0."""

    def __init__(self, fields: Dict[str, Any]):
        self._fields = fields

    def as_dict(self) -> Dict[str, Any]:
        """The document itself: dicts, lists, numbers, text."""
        return self._fields

    def __getitem__(self, name: str) -> Any:
        return _wrapped(self._fields[name])

    def __getattr__(self, name: str) -> Any:
        value = _ABSENT if name.startswith("_") else self._fields.get(name, _ABSENT)
        if value is _ABSENT:
            raise AttributeError(f"{type(self).__name__} has no {name!r}; it has {', '.join(self._fields)}")
        return _wrapped(value)

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    def __dir__(self) -> List[str]:
        return [*super().__dir__(), *self._fields]

    def __repr__(self) -> str:
        shown = ", ".join(f"{k}={v!r}" for k, v in self._fields.items() if not isinstance(v, (dict, list)))
        return f"{type(self).__name__}({shown})"

    def _cards(self) -> Dict[str, Any]:
        return {k: v for k, v in self._fields.items() if not isinstance(v, (dict, list))}

    def _repr_html_(self) -> str:
        """Cards for notebooks."""
        cards = "".join(
            '<div style="display:inline-block;margin:4px;padding:6px 10px;border:1px solid #8888;border-radius:6px">'
            f'<div style="font-size:80%;opacity:.7">{html.escape(str(name))}</div>'
            f"<div>{html.escape(_short(value))}</div></div>"
            for name, value in self._cards().items() if value not in (None, ""))
        return f"<div>{cards}</div>"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Dict[str, str]:
        """For notebooks: text, the cards, and a picture where there is one (:meth:`_svg`)."""
        picture = self._svg()
        bundle = {"text/plain": repr(self), "text/html": self._repr_html_() + picture}
        if picture:
            bundle["image/svg+xml"] = picture
        return {kind: text for kind, text in bundle.items()
                if (not include or kind in include) and kind not in (exclude or ())}

    def _svg(self) -> str:
        return ""


def _short(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


class Prediction(Result):
    """What :func:`predict` returns. Fields of the main prediction (the simulator's, unless only the analytic model was
    asked for) stand at the top; :attr:`predictions` has one per model, :attr:`metadata` where it comes from."""

    arch: str
    kernel: str
    params: str
    model: str
    status: str  #: ok, partial, infeasible or error; ``reason`` says why
    reason: str
    time_us: Optional[float]  #: median of back-to-back launches, microseconds
    gflops: Optional[float]
    cycles: Optional[float]  #: of the SM clock
    theoretical_occupancy: Optional[float]  #: 0 to 1
    achieved_occupancy: Optional[float]  #: 0 to 1
    waves: Optional[float]
    bottleneck: List[str]
    error_band_pct: Optional[float]
    sm_clock_mhz: Optional[float]  #: of the launch, by ``clock``
    average_power_w: Optional[float]  #: of the board in a long series, W; None: not measured for this GPU
    energy_mj: Optional[float]  #: of a launch in such a series, mJ
    power_band_pct: Optional[float]
    counters: Result  #: by Nsight Compute's metric names

    def __init__(self, document: Dict[str, Any]):
        super().__init__(document["predictions"][0])
        self._document = document

    def as_dict(self) -> Dict[str, Any]:
        """The whole document, all models and metadata."""
        return self._document

    @property
    def metadata(self) -> Result:
        return Result(self._document["metadata"])

    @property
    def predictions(self) -> List[Result]:
        return [Result(p) for p in self._document["predictions"]]

    @property
    def ok(self) -> bool:
        return self.status in ("ok", "partial")

    def by_model(self, model: str) -> Result:
        """``"simulate"`` or ``"analytic"``; KeyError if it was not asked for."""
        for p in self._document["predictions"]:
            if p["model"] == model:
                return Result(p)
        raise KeyError(model)

    def _cards(self) -> Dict[str, Any]:
        names = ["kernel", "arch", "status", "reason", "time_us", "gflops", "bottleneck", "theoretical_occupancy",
                 "achieved_occupancy", "waves", "error_band_pct", "program_source", "sm_clock_mhz", "average_power_w"]
        cards = {name: self._fields.get(name) for name in names}
        for other in self._document["predictions"][1:]:
            cards[f"time_us, {other['model']}"] = other.get("time_us")
        return cards


    def _svg(self) -> str:
        """The bounds as bars, in cycles of the SM clock, the longest first."""
        bounds = self._fields.get("bounds") or []
        longest = max((b["cycles"] for b in bounds), default=0)
        if not longest:
            return ""
        line = 20
        bars = "".join(
            f'<text x="0" y="{line * i + 14}">{html.escape(b["name"])}</text>'
            f'<rect x="130" y="{line * i + 3}" width="{300 * b["cycles"] / longest:.2f}" height="14" fill="#4878a8"/>'
            f'<text x="{136 + 300 * b["cycles"] / longest:.2f}" y="{line * i + 14}">{b["cycles"]:.4g} cycles</text>'
            for i, b in enumerate(bounds))
        return (f'<svg xmlns="http://www.w3.org/2000/svg" width="560" height="{line * len(bounds)}" '
                f'font-family="sans-serif" font-size="12" fill="currentColor">{bars}</svg>')


class Simulation(Result):
    """What :func:`simulate` returns: cycles, stalls by reason and by instruction, and the units' use."""

    status: str
    time_us: Optional[float]
    cycles: Optional[float]
    stalls: Result


class Occupancy(Result):
    """What :func:`occupancy` returns."""

    blocks_per_sm: int
    active_warps: int
    occupancy: float  #: 0 to 1
    limiters: List[str]


class Memory(Result):
    """What :func:`memory` returns: ``result["global"]`` (a keyword of Python) and ``result.shared``."""


class Tuning(Result):
    """What :func:`tune` returns: :attr:`shapes`, each with ``winner``, ``top``, and why it wins."""

    shapes: List[Result]

    @property
    def best(self) -> Result:
        """The winner at the first shape; ``best.params`` are its parameters."""
        return self.shapes[0].winner

    def _cards(self) -> Dict[str, Any]:
        cards: Dict[str, Any] = {"arch": self._fields["arch"], "ranked by": self._fields["ranked_by"]}
        for s in self._fields["shapes"]:
            winner = s.get("winner")
            if winner:
                params = ";".join(f"{k}={v}" for k, v in winner["params"].items())
                cards[f"{s['M']}x{s['N']}x{s['K']}"] = f"{winner['kernel']} {params}: {_short(winner['time_us'])} us"
        return cards


class Columns(Dict[str, Any]):
    """Rows as columns: name to numpy array (a list where there is no numpy), all of one length, under the contract's
    csv names. Numbers are float64 with NaN where nothing was predicted; M, N, K int64 with 0 where there is none;
    the rest text. With pandas: :meth:`to_pandas`."""

    @property
    def rows(self) -> int:
        return len(next(iter(self.values()))) if self else 0

    def to_pandas(self) -> Any:
        """A pandas.DataFrame; ImportError where pandas is not installed."""
        import pandas

        return pandas.DataFrame(dict(self))

    def _repr_html_(self) -> str:
        shown = min(self.rows, 20)
        head = "".join(f"<th>{html.escape(name)}</th>" for name in self)
        body = "".join("<tr>" + "".join(f"<td>{html.escape(_short(v[i]))}</td>" for v in self.values()) + "</tr>"
                       for i in range(shown))
        more = f"<p>{self.rows} rows, the first {shown} shown</p>" if shown < self.rows else ""
        return f"<table><tr>{head}</tr>{body}</table>{more}"
