"""The gpumodel command inside this process (python/core); for the package's own use."""

from typing import Dict, List, Optional, Tuple

import numpy
import numpy.typing

version: str

class Run:
    def stop(self) -> None: ...
    def finish(self) -> Tuple[int, bytes]: ...

def usable() -> bool: ...
def start(arguments: List[bytes], environment: Dict[bytes, bytes], program: str, input: bytes, output: int,
          patience: float) -> Optional[Run]: ...
def many(arch: bytes, sets: List[bytes], kernel: str, names: List[str], cells: "numpy.typing.NDArray[numpy.int64]",
         cold: bool, threads: int, counters: bool, environment: Dict[bytes, bytes],
         program: bytes) -> Tuple[int, bytes, "numpy.typing.NDArray[numpy.int64]",
                                  "Dict[str, numpy.typing.NDArray[numpy.float64]]", Dict[str, List[str]]]: ...
