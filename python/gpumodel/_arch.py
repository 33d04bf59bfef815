"""What a GPU is."""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, Optional, Union

from ._command import document_of


class Arch:
    """A GPU: a product (``"h200_sxm"``), a generation (``"sm_70"``, meaning its default product) or a YAML file,
    with values of one's own in place of some (:meth:`override`). Immutable. Every function that takes an
    ``arch`` takes a name as well.

    >>> Arch("v100_sxm2").override({"sm_count": 40}).name
    'v100_sxm2'
    """

    def __init__(self, name: str, overrides: Optional[Mapping[str, Any]] = None):
        """Raises UsageError for an unknown name (with the nearest) or override, InvalidInput for a file with
        faults."""
        self._given = str(name)
        self._overrides = dict(overrides or {})
        # any question that needs the spec checks it, overrides and all
        document = document_of(["occupancy", *self._options(), "--threads", "32", "--registers", "1"])
        self.name: str = document["arch"]  #: of the product
        self.spec_hash: str = document["metadata"]["spec_hash"]  #: of the values in force
        self.file: str = document["metadata"]["spec_file"]

    @classmethod
    def load(cls, name: str) -> "Arch":
        """The same as ``Arch(name)``."""
        return cls(name)

    @staticmethod
    def names() -> List[str]:
        """Products and generations that are known by name."""
        rows = document_of(["arch", "list"])
        return [row["name"] for row in rows["archs"]]

    def override(self, values: Mapping[str, Any]) -> "Arch":
        """This GPU with other values: key paths as in the YAML files (``gpumodel arch keys`` lists them), counts as
        numbers, what has a unit as text with it (``"2.0 GHz"``, ``"30 cycles"``)."""
        return Arch(self._given, {**self._overrides, **values})

    def to_yaml(self, name: Optional[str] = None) -> str:
        """A YAML file that loads as this GPU: the overrides on top of the product that they are of. ``name`` is the
        file's own (default: the product's with "_changed"), as in NAME.yaml. A product from a file of one's own is
        found where that file lies on GPUMODEL_ARCH_PATH."""
        name = name or f"{self.name}_changed"
        head = {"schema_version": 1, "name": name, "inherits": self.name, "source": "given", "marketing_name": name}
        return "\n".join([f"{key}: {value}" for key, value in head.items()] + _tree(self._overrides)) + "\n"

    @property
    def overrides(self) -> Dict[str, Any]:
        return dict(self._overrides)

    def _options(self) -> List[str]:
        return ["--arch", self._given, *_sets(self._overrides)]

    def __repr__(self) -> str:
        return f"Arch({self._given!r}{', ' + repr(self._overrides) if self._overrides else ''})"


def _sets(overrides: Mapping[str, Any]) -> List[str]:
    return [item for key, value in overrides.items() for item in ("--set", f"{key}={_yaml(value)}")]


def _yaml(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_yaml, value)) + "]"
    return str(value)


def _tree(values: Mapping[str, Any], indent: str = "") -> List[str]:
    """Key paths as nested keys."""
    lines: List[str] = []
    rooms: Dict[str, Dict[str, Any]] = {}
    for key, value in values.items():
        first, dot, rest = key.partition(".")
        if dot:
            rooms.setdefault(first, {})[rest] = value
        else:
            lines.append(f"{indent}{key}: {_yaml(value)}")
    for first, inner in rooms.items():
        lines += [f"{indent}{first}:", *_tree(inner, indent + "  ")]
    return lines


def arch_options(arch: Union[str, Arch]) -> List[str]:
    return arch._options() if isinstance(arch, Arch) else ["--arch", str(arch)]
