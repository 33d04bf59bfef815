"""What mkdocs does not find in docs/: pages made from the sources, and links that leave the folder.

A hook of mkdocs.yml. api_python.md: signatures and docstrings of the package. api_cpp.md: the contracts that open the
public headers. Doxygen is not used: it knows neither the comments' form nor which part of a header is its contract.
"""

import inspect
import pathlib
import re
import sys
import tempfile

from mkdocs.structure.files import File

ROOT = pathlib.Path(__file__).resolve().parent.parent
FLOORS = ("arch_specs", "traces", "model")
MADE = tempfile.TemporaryDirectory()


def code(text, language=""):
    return f"```{language}\n{text.rstrip()}\n```\n"


def described(name, thing):
    head = f"class {name}" if inspect.isclass(thing) else f"{name}{inspect.signature(thing)}"
    return code(head, "python") + "\n" + code(inspect.getdoc(thing) or "")


def members(kind):
    for name, member in sorted(vars(kind).items()):
        if not name.startswith("_") and inspect.getdoc(member):
            yield name, getattr(kind, name)


def python_page():
    sys.path.insert(0, str(ROOT / "python"))
    import gpumodel
    from gpumodel import tuners

    lines = ["# Python reference", "", "From the docstrings of the package ([guide](python.md)).", ""]
    for module, names in ((gpumodel, gpumodel.__all__), (tuners, ("tile_scores", "triton_pruner", "triton_perf_model",
                                                                  "kernel_tuner_restriction"))):
        lines += [f"## {module.__name__}", "", code(inspect.getdoc(module))]
        for name in names:
            thing = getattr(module, name)
            lines += [f"### {name}", "", described(name, thing)]
            for member, value in members(thing) if inspect.isclass(thing) else ():
                lines += [f"#### {name}.{member}", ""]
                lines += [described(member, value) if callable(value) else code(inspect.getdoc(value))]
    return "\n".join(lines)


def contract(header):
    """The comment that a header opens with."""
    lines = []
    for line in header.read_text(encoding="utf-8").splitlines():
        if not line.startswith("//"):
            break
        lines.append(line[2:].removeprefix(" "))
    return "\n".join(lines)


def headers_page():
    lines = ["# C++ headers", "", "What each public header says it does ([guide](cpp.md)). They are installed under "
             "`include/gpumodel`, and are the reference for names and units.", ""]
    for floor in FLOORS:
        lines += [f"## {floor}", ""]
        for header in sorted((ROOT / floor).rglob("*.h")):
            said = contract(header)
            if said:
                lines += [f"### {header.relative_to(ROOT)}", "", code(said)]
    return "\n".join(lines)


PAGES = {"api_python.md": python_page, "api_cpp.md": headers_page}


def on_files(files, config):
    for name, text in PAGES.items():
        pathlib.Path(MADE.name, name).write_text(text(), encoding="utf-8")
        files.append(File(name, MADE.name, config["site_dir"], config["use_directory_urls"]))
    return files


def on_page_markdown(markdown, page, config, files):
    """Links to files outside the guide become their names."""
    return re.sub(r"\[([^\]]*)\]\(\.\./([^)]*)\)",
                  lambda link: f"{link[1]} (`{link[2] or '.'}`)" if link[1].strip("`") != link[2] else f"`{link[2]}`",
                  markdown)
