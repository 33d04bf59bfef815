"""`pip install .`: builds the command with CMake and packs it with the Python package into a wheel.

A PEP 517 backend without requirements of its own, so that pip needs no network: only cmake, ninja or make, a C++20
compiler and the libraries that README.md lists, all from the distribution. The wheel holds the command, the specs and
the compiled kernels, and where Python's headers and pybind11 are there the module that runs the command in Python's
process: then it is for this Python, else it runs with any Python 3.8 or later of this platform.
"""

import base64
import hashlib
import importlib.machinery
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
NAME = "gpumodel"
EPOCH = (2020, 1, 1, 0, 0, 0)  # the same bytes from the same tree


def version():
    found = re.search(r"project\(gpumodel VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())
    return found.group(1)


def metadata():
    return (f"Metadata-Version: 2.1\nName: {NAME}\nVersion: {version()}\n"
            "Summary: How long a GPU kernel takes, what limits it, and what would help\n"
            "Requires-Python: >=3.8\nProvides-Extra: columns\nRequires-Dist: numpy; extra == 'columns'\n")


def tag(module):
    """`module`: the wheel holds one, so it is for this interpreter."""
    version = f"cp{sys.version_info[0]}{sys.version_info[1]}"
    return (f"{version}-{version}-" if module else "py3-none-") + re.sub("[-.]", "_", sysconfig.get_platform())


def build_command(prefix, module_prefix):
    """The command and its data under `prefix`, and the module, if there is one, under `module_prefix`; built in
    $GPUMODEL_BUILD_DIR (kept) or a folder that is removed."""
    kept = os.environ.get("GPUMODEL_BUILD_DIR")
    build = kept or tempfile.mkdtemp(prefix="gpumodel-build-")
    generator = ["-G", "Ninja"] if shutil.which("ninja") and not os.path.exists(f"{build}/CMakeCache.txt") else []
    try:
        if not os.path.exists(f"{build}/CMakeCache.txt"):
            subprocess.check_call(["cmake", "-S", str(ROOT), "-B", build, *generator, "-DCMAKE_BUILD_TYPE=Release",
                                   "-DGPUMODEL_TESTS=OFF", "-DGPUMODEL_MPI=OFF", f"-DPython_EXECUTABLE={sys.executable}"])
        subprocess.check_call(["cmake", "--build", build, "--parallel", "--target", "gpumodel", "gpumodel_core"])
        for place, component in ((prefix, "runtime"), (module_prefix, "python")):
            subprocess.check_call(["cmake", "--install", build, "--prefix", place, "--component", component, "--strip"])
    finally:
        if not kept:
            shutil.rmtree(build, ignore_errors=True)


def module_of(prefix):
    """The module as a file of the wheel, if it is there and this interpreter can load it."""
    for file in sorted((pathlib.Path(prefix) / "python" / NAME).glob("_core.*")):
        if file.name[len("_core"):] in importlib.machinery.EXTENSION_SUFFIXES:
            return [(f"{NAME}/{file.name}", file.read_bytes(), True)]
    return []


def record_line(path, data):
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{path},sha256={digest},{len(data)}\n"


def files_of(folder, inside):
    for file in sorted(folder.rglob("*")):
        if file.is_file() and "__pycache__" not in file.parts:
            yield f"{inside}/{file.relative_to(folder).as_posix()}", file.read_bytes(), os.access(file, os.X_OK)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    info = f"{NAME}-{version()}.dist-info"
    with tempfile.TemporaryDirectory() as prefix, tempfile.TemporaryDirectory() as module_prefix:
        build_command(prefix, module_prefix)
        module = module_of(module_prefix)
        wheel = f"{NAME}-{version()}-{tag(module)}.whl"
        files = [*files_of(ROOT / "python" / NAME, NAME), *files_of(pathlib.Path(prefix), f"{NAME}/installed"), *module,
                 (f"{info}/METADATA", metadata().encode(), False),
                 (f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: {NAME}_build\nRoot-Is-Purelib: false\n"
                                   f"Tag: {tag(module)}\n".encode(), False)]
    record = "".join(record_line(path, data) for path, data, _ in files) + f"{info}/RECORD,,\n"
    with zipfile.ZipFile(os.path.join(wheel_directory, wheel), "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data, executable in [*files, (f"{info}/RECORD", record.encode(), False)]:
            entry = zipfile.ZipInfo(path, EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if executable else 0o100644) << 16
            archive.writestr(entry, data)
    return wheel


def build_sdist(sdist_directory, config_settings=None):
    name = f"{NAME}-{version()}"
    target = os.path.join(sdist_directory, name + ".tar.gz")
    try:
        subprocess.check_call(["git", "-C", str(ROOT), "archive", f"--prefix={name}/", "-o", os.path.abspath(target),
                               "HEAD"])
    except (OSError, subprocess.CalledProcessError):
        sys.exit("a source package is made from a git checkout")
    return name + ".tar.gz"
