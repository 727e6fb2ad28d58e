"""Reads the #include lines below micro/ and says which of them go against the architecture.

Knowledge flows one way; a part of micro/lib is a folder, and a probe is what stands in the folder of a kind.
"""

import pathlib
import re

KINDS = ("latency", "bandwidth", "pattern", "reuse", "hiding", "overhead")
EVERYTHING = {"core", "config", "stats", "run", "map", "report", "fleet", "app"}

# What a part may include, beside itself.
MAY_INCLUDE = {
    "core": set(),
    "config": {"core"},
    "stats": {"core"},
    "host": {"core"},
    "cuda": {"core", "stats"},
    "model": {"core"},
    "run": {"core", "stats"},
    "map": {"core", "stats"},
    "report": {"core", "stats", "map"},
    "fleet": {"core", "stats", "report", "map"},
    "app": EVERYTHING,
    "main": EVERYTHING | {"cuda", "host", "model"},
    "probe.cuda": {"core", "cuda", "stats"},
    "probe.host": {"core", "host"},
}

# A library that one file alone includes, so that it can be replaced, or compiled once.
ONLY_IN = {
    "yaml-cpp/": lambda file: file == "lib/config/document.cpp",
    "benchmark/": lambda file: file == "lib/run/engine.cpp",
    "CLI/": lambda file: file == "lib/app/command_line.cpp",
    "zlib.h": lambda file: file.startswith("lib/report/"),
}
CUDA_HEADER = re.compile(r"^(cuda|cu(blas|fft|rand|pti|pti_.*|tensor)|nv(ml|rtc|tx3?/.*)|cooperative_groups|cub/|thrust/|cute/|sm_\d+|device_|mma\b|math_constants)")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
SUFFIXES = {".hpp", ".cpp", ".cu", ".cuh", ".h"}


def part_of(file):
    """The name in MAY_INCLUDE of a file, given relative to micro/; None for a file that belongs nowhere."""
    parts = pathlib.PurePosixPath(file).parts
    if file == "lib/app/main.cpp":
        return "main"
    if len(parts) > 2 and parts[0] == "lib":
        return parts[1] if parts[1] in MAY_INCLUDE else None
    if len(parts) == 2 and parts[0] in KINDS:
        return "probe.cuda" if file.endswith(".cu") else "probe.host" if file.endswith(".host.cpp") else None
    return None


def is_cuda_place(file):
    return file.startswith("lib/cuda/") or file.endswith(".cu")


def includes(text):
    """(line number, is in quotes, name) of every #include line."""
    for number, line in enumerate(text.splitlines(), 1):
        found = INCLUDE.match(line)
        if found:
            yield number, found[1] == '"', found[2]


def complaints_about(file, text, exists):
    """One line for each #include of `file` (relative to micro/) that may not be; `exists` answers for a path below micro/lib."""
    part = part_of(file)
    if part is None:
        yield f"{file}: belongs to no part: micro/lib/PART/ or micro/KIND/NAME.cu or micro/KIND/NAME.host.cpp"
        return
    for number, quoted, name in includes(text):
        place = f"{file}:{number}: {name}: "
        other = name.split("/")[0] if "/" in name else None
        if quoted and name == "app/build_info.hpp":  # the build writes it
            continue
        if quoted:
            if other not in MAY_INCLUDE or not exists(name):
                yield place + "quotes are for files of micro/lib, by their path from there"
            elif other != part and other not in MAY_INCLUDE[part]:
                yield place + f"{part} may not know {other}"
            continue
        if other in MAY_INCLUDE and exists(name):
            yield place + "a file of the project is included in quotes"
        if CUDA_HEADER.match(name) and not is_cuda_place(file):
            yield place + "CUDA is included in lib/cuda and *.cu only"
        for library, allowed in ONLY_IN.items():
            if name.startswith(library) and not allowed(file):
                yield place + f"{library.rstrip('/')} is included in one place only"


def complaints(micro):
    """All complaints about the tree below `micro`."""
    micro = pathlib.Path(micro)
    files = sorted(file for file in micro.rglob("*") if file.suffix in SUFFIXES and file.is_file())
    exists = lambda name: (micro / "lib" / name).is_file()
    return [complaint for file in files
            for complaint in complaints_about(file.relative_to(micro).as_posix(), file.read_text(encoding="utf-8"), exists)]
