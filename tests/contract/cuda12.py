"""CUDA 12's compiler in a folder, and probes compiled with it: sm_70 is an architecture that CUDA 13 no longer has.

    cuda12.py fetch FOLDER                              110 MB once, about half a minute; installs nothing
    cuda12.py compile FOLDER ARCHITECTURE SOURCE OUT [FLAG...]

The compiler is Debian 13's package (non-free), the headers are NVIDIA's packages on PyPI (which have no nvcc); every file is checked
against the sha256 below. `compile` without a folder is a skip (77), and a failure where REQUIRE_TOOLS=1.
"""

import hashlib
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import tempfile
import urllib.request

SKIPPED = 77  # what ctest takes for a skip
PACKAGE = "nvidia-cuda-toolkit_12.4.131~12.4.1-2_amd64.deb"
PACKAGE_SHA256 = "cd5fe85aee38d108b315f408a688641478f2402622a10c677478eb7a6c4e5319"
POOL = "pool/non-free/n/nvidia-cuda-toolkit"
# The second keeps what a later point release takes out of the first.
MIRRORS = ("http://deb.debian.org/debian", "https://snapshot.debian.org/archive/debian/20250901T000000Z")
WHEELS = """\
nvidia-cuda-nvcc-cu12==12.4.131 --hash=sha256:e4c9a35435c3b0e36c6397c5696334c9ea6650e524736cbd1c5d345ea099bb04
nvidia-cuda-runtime-cu12==12.4.127 --hash=sha256:64403288fa2136ee8e467cdc9c9427e0434110899d07c779f25b5c068934faa5
"""
PROGRAMS = {  # in the package -> in the folder, which is laid out as NVIDIA's own toolkit
    "./usr/lib/nvidia-cuda-toolkit/bin/nvcc": "bin/nvcc",
    "./usr/bin/cudafe++": "bin/cudafe++",
    "./usr/bin/fatbinary": "bin/fatbinary",
    "./usr/bin/ptxas": "bin/ptxas",
    "./usr/lib/nvidia-cuda-toolkit/bin/cicc": "nvvm/bin/cicc",
}
PROFILE = """\
TOP                = $(_HERE_)/..
NVVMIR_LIBRARY_DIR = $(TOP)/nvvm/libdevice
PATH              += $(TOP)/nvvm/bin:$(_HERE_):
INCLUDES          += "-I$(TOP)/include" $(_SPACE_)
"""


class CannotFetch(Exception):
    pass


def download(addresses, sha256, out):
    """The first of the addresses that answers with the right file; `out` only holds a checked one."""
    wrong = []
    for address in addresses:
        digest = hashlib.sha256()
        try:
            with urllib.request.urlopen(address, timeout=30) as answer, open(out, "wb") as file:
                while block := answer.read(1 << 20):
                    digest.update(block)
                    file.write(block)
        except OSError as error:
            wrong.append(f"{address}: {error}")
            continue
        if digest.hexdigest() == sha256:
            return
        wrong.append(f"{address}: sha256 {digest.hexdigest()}, expected {sha256}")
        pathlib.Path(out).unlink()
    raise CannotFetch("; ".join(wrong))


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode:
        raise CannotFetch(f"{' '.join(map(str, command))}: {(done.stderr or done.stdout).strip()[-500:]}")


def unpack_programs(package, folder):
    for path in PROGRAMS.values():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
    unpacked = folder / "unpacked"
    unpacked.mkdir()
    with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", str(package)], stdout=subprocess.PIPE) as tar:
        listed = subprocess.run(["tar", "-x", "-C", str(unpacked), *PROGRAMS], stdin=tar.stdout, capture_output=True, text=True)
        tar.stdout.read()
    if tar.returncode or listed.returncode:
        raise CannotFetch(f"{PACKAGE} does not unpack: {listed.stderr.strip()}")
    for source, path in PROGRAMS.items():
        shutil.move(unpacked / source, folder / path)
    shutil.rmtree(unpacked)
    (folder / "bin/nvcc.profile").write_text(PROFILE)


def unpack_headers(scratch, folder):
    (scratch / "wheels.txt").write_text(WHEELS)
    run("/usr/bin/python3", "-m", "venv", scratch / "venv")  # bare pip is refused on Debian
    run(scratch / "venv/bin/python", "-m", "pip", "download", "--disable-pip-version-check", "--no-cache-dir", "--no-deps", "--only-binary",
        ":all:", "--platform", "manylinux2014_x86_64", "--require-hashes", "-r", scratch / "wheels.txt", "-d", scratch / "wheels")
    for wheel in sorted((scratch / "wheels").glob("*.whl")):
        shutil.unpack_archive(wheel, scratch / "headers", "zip")
    for headers in sorted((scratch / "headers/nvidia").glob("*/include")):
        shutil.copytree(headers, folder / "include", dirs_exist_ok=True)
    shutil.copytree(scratch / "headers/nvidia/cuda_nvcc/nvvm/libdevice", folder / "nvvm/libdevice")


def fetch(folder):
    """A folder that is there is complete: it gets its name last."""
    folder = pathlib.Path(folder).absolute()
    if (folder / "bin/nvcc").exists():
        return
    if platform.machine() != "x86_64":
        raise CannotFetch(f"the packages are for x86-64, this is {platform.machine()}")
    if not shutil.which("dpkg-deb"):
        raise CannotFetch("dpkg-deb is missing")
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="cuda12.", dir=folder.parent) as scratch:
        scratch = pathlib.Path(scratch)
        partial = scratch / "cuda12"
        partial.mkdir(mode=0o755)
        download([f"{mirror}/{POOL}/{PACKAGE}" for mirror in MIRRORS], PACKAGE_SHA256, scratch / PACKAGE)
        unpack_programs(scratch / PACKAGE, partial)
        unpack_headers(scratch, partial)
        partial.rename(folder)


def host_compiler():
    """CUDA 12.4 takes g++ up to 13."""
    for name in ("g++-13", "g++-12", "g++-11", "g++"):
        if shutil.which(name):
            return name
    return "c++"


def compile_cubin(folder, architecture, source, out, *flags):
    nvcc = pathlib.Path(folder) / "bin/nvcc"
    if not nvcc.exists():
        print(f"skipped: no CUDA 12 in {folder} (python3 {__file__} fetch {folder}: 110 MB)")
        return 1 if os.environ.get("REQUIRE_TOOLS") == "1" else SKIPPED
    command = [str(nvcc), "-ccbin", host_compiler(), "-std=c++20", "-O3", "-DNDEBUG", "-cubin", f"-arch={architecture}", *flags, "-o", out, source]
    done = subprocess.run(command, capture_output=True, text=True)
    print(done.stdout + done.stderr, end="")
    return 1 if done.returncode else 0


def main(arguments):
    if arguments[:1] == ["fetch"] and len(arguments) == 2:
        try:
            fetch(arguments[1])
        except CannotFetch as error:
            print(f"no CUDA 12 for the compile check: {error}")
            return 1
        return 0
    if arguments[:1] == ["compile"] and len(arguments) >= 5:
        return compile_cubin(*arguments[1:])
    print(__doc__.strip())
    return 64


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
