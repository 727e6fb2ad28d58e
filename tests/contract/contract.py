"""Checks the machine code of a probe against what its own file expects.

A probe's file carries FileCheck lines with the prefix SASS in its comments:

    // SASS-LABEL: Function : {{.*}}chase
    // SASS: CS2R
    // SASS-COUNT-16: LDG.E.64.STRONG.GPU
    // SASS-NOT: LDG

They are matched with the disassembly of its cubin, which this script writes as follows: a line `Function : MANGLED  DEMANGLED` for each
kernel, in the order in which the file defines them (instantiations of one template by their mangled name); then one instruction a line,
without address and semicolon; loop heads as `.L_x_N:`. Beside that, for every kernel of the cubin, each instantiation of a template on
its own:
- a SASS-LABEL matches its `Function` line, and something is expected after that label, so that no kernel stays unchecked. Where there
  is nothing to expect, the file says why: `// SASS-UNCHECKED: NAME REASON`;
- it contains no local memory (LDL, STL). A file about local memory says SASS-ALLOWS-LOCAL, and must then contain some.

No list of checked hashes stands in where no disassembler is installed: nvcc gives unnamed namespaces names with its process number, so
that two compilations of one file differ in bytes, and telling that only names differ takes the disassembler.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

SKIPPED = 77  # what ctest takes for a skip
DIRECTIVE = re.compile(r"//\s*SASS(-LABEL|-NEXT|-SAME|-DAG|-NOT|-EMPTY|-COUNT-\d+)?:[ \t]*(.*)")
UNCHECKED = re.compile(r"//\s*SASS-UNCHECKED:[ \t]*(\w*)[ \t]*(.*)")
ALLOWS_LOCAL = re.compile(r"//\s*SASS-ALLOWS-LOCAL")
KERNEL = re.compile(r"__global__\s+(?:(?:static|inline|void)\s+|__launch_bounds__\s*\([^)]*\)\s*)+(\w+)\s*\(")
SECTION = re.compile(r"^\s*\.section\s+\.text\.([\w$.]+),")
ADDRESS = re.compile(r"^\s*/\*[0-9a-f]{4,}\*/\s+(.*?)\s*;?\s*(?:/\*.*)?$")
LABEL = re.compile(r"^\s*(\.L_x_\w+):")


class MissingTool(Exception):
    pass


def find_tool(*names):
    """Path of a program: on PATH, in the toolkit's usual folders, in a Python environment that has NVIDIA's packages."""
    root = pathlib.Path(__file__).resolve().parents[2]
    folders = [pathlib.Path(folder) for folder in os.environ.get("MICRO_TOOLS", "").split(os.pathsep) if folder]
    folders += sorted(pathlib.Path("/usr/local").glob("cuda*/bin"))
    folders += sorted(root.glob("build/venv/lib/python3*/site-packages/nvidia/*/bin"))
    folders += sorted(pathlib.Path("/usr/lib").glob("llvm-*/bin"), reverse=True)
    for name in names:
        found = shutil.which(name) or shutil.which(name, path=os.pathsep.join(map(str, folders)))
        if found:
            return found
    raise MissingTool(f"{' or '.join(names)} is missing")


def find_filecheck():
    return find_tool("FileCheck-14", "FileCheck", *(f"FileCheck-{version}" for version in range(20, 12, -1)))


def parse(disassembly):
    """{mangled kernel: [instruction or label, ...]} of what nvdisasm printed."""
    kernels, lines = {}, None
    for line in disassembly.splitlines():
        section, label, instruction = SECTION.match(line), LABEL.match(line), ADDRESS.match(line)
        if section:
            lines = kernels.setdefault(section[1], [])
        elif line.lstrip().startswith(".section"):
            lines = None
        elif lines is not None and label:
            lines.append(label[1] + ":")
        elif lines is not None and instruction:
            lines.append(instruction[1])
    return kernels


def demangle(names):
    try:
        run = subprocess.run(["c++filt"], input="\n".join(names), capture_output=True, text=True, check=True)
        return dict(zip(names, run.stdout.splitlines()))
    except (OSError, subprocess.CalledProcessError):
        return {name: name for name in names}


def base_name(demangled):
    """`void (anonymous namespace)::chase<(Operator)0>(int)` -> `chase`"""
    text = re.sub(r"\(anonymous namespace\)::|_GLOBAL__N__\w+::|^void ", "", demangled)
    return re.split(r"[<(]", text)[0].split("::")[-1].strip()


def in_order_of(source, kernels):
    """[(mangled, demangled, base name, lines)], in the order in which the file defines them."""
    defined = [found[1] for found in KERNEL.finditer(source)]
    names = demangle(list(kernels))
    rows = [(mangled, names[mangled], base_name(names[mangled]), lines) for mangled, lines in kernels.items()]
    return sorted(rows, key=lambda row: (defined.index(row[2]) if row[2] in defined else len(defined), row[0]))


def function_line(mangled, demangled):
    return f"Function : {mangled}  {demangled}"


def listing(rows):
    text = []
    for mangled, demangled, _, lines in rows:
        text += [function_line(mangled, demangled), *(line if line.endswith(":") else "  " + line for line in lines), ""]
    return "\n".join(text)


def pattern_of(directive):
    """A FileCheck pattern as a regular expression: text, {{expression}}, [[NAME]] and [[NAME:expression]]."""
    pieces = re.split(r"\{\{(.*?)\}\}|\[\[\w+(?::(.*?))?\]\]", directive.strip())
    out = ""
    for at, piece in enumerate(pieces):
        if at % 3 == 0:
            out += r"\s+".join(re.escape(word) for word in re.split(r"\s+", piece))
        elif piece is not None:
            out += f"(?:{piece})"
    return re.compile(out)


def labels(source):
    """[(pattern of a SASS-LABEL, whether anything is expected after it)], in the file's order."""
    found = []
    for kind, text in DIRECTIVE.findall(source):
        if kind == "-LABEL":
            found.append([pattern_of(text), False])
        elif found:
            found[-1][1] = True
    return found


def unchecked_kernels(source, rows):
    """What is wrong with the choice of kernels that are looked at."""
    excused = {name: reason for name, reason in UNCHECKED.findall(source)}
    for name, reason in excused.items():
        if not reason:
            yield f"SASS-UNCHECKED of {name or 'nothing'} gives no reason"
        if name not in [row[2] for row in rows]:
            yield f"SASS-UNCHECKED names {name or 'nothing'}, which is no kernel of the cubin"
    known = labels(source)
    for mangled, demangled, name, _ in rows:
        matching = [expects for pattern, expects in known if pattern.search(function_line(mangled, demangled))]
        if name in excused:
            continue
        if not matching:
            yield f"no SASS-LABEL matches the kernel {demangled}"
        elif not any(matching):
            yield f"nothing is expected of the kernel {demangled} after its SASS-LABEL"


def complaints(source, rows):
    """What is wrong beside the expectations themselves."""
    allows_local = ALLOWS_LOCAL.search(source)
    if not DIRECTIVE.search(source):
        yield "the file expects nothing of its machine code (no line `// SASS: ...`)"
        return
    if not rows:
        yield "the cubin has no kernel"
    yield from unchecked_kernels(source, rows)
    local = []
    for _, demangled, _, lines in rows:
        local += [f"{demangled}: {line}" for line in lines if re.search(r"\b(LDL|STL)\b", line)]
    if local and not allows_local:
        yield f"local memory in {local[0]} ({len(local)} such instructions)"
    if allows_local and not local:
        yield "SASS-ALLOWS-LOCAL, but no kernel uses local memory"


def check(source_file, cubin, listing_file):
    """Prints what is wrong and returns the exit code."""
    nvdisasm, filecheck = find_tool("nvdisasm"), find_filecheck()
    source = pathlib.Path(source_file).read_text(encoding="utf-8")
    disassembly = subprocess.run([nvdisasm, "-c", cubin], capture_output=True, text=True)
    if disassembly.returncode:
        print(f"nvdisasm {cubin}: {disassembly.stderr.strip()}")
        return 1
    rows = in_order_of(source, parse(disassembly.stdout))
    pathlib.Path(listing_file).write_text(listing(rows), encoding="utf-8")
    wrong = list(complaints(source, rows))
    for complaint in wrong:
        print(f"{source_file}: {complaint}")
    if DIRECTIVE.search(source):
        run = subprocess.run([filecheck, "--check-prefix=SASS", f"--input-file={listing_file}", source_file],
                             capture_output=True, text=True)
        if run.returncode:
            print(run.stdout + run.stderr, end="")
            wrong.append("FileCheck")
    print(f"disassembly: {listing_file}")
    return 1 if wrong else 0


def main(arguments):
    try:
        return check(*arguments)
    except MissingTool as missing:
        print(f"skipped: {missing} (Debian: llvm-14-tools; PyPI: nvidia-cuda-nvdisasm)")
        return 1 if os.environ.get("REQUIRE_TOOLS") == "1" else SKIPPED


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit("usage: contract.py PROBE.cu PROBE.cubin LISTING.sass")
    sys.exit(main(sys.argv[1:]))
