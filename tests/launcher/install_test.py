"""An installed folder runs where it was moved to, by a user who may write nowhere, with nothing in LD_LIBRARY_PATH."""

import os
import pathlib
import re
import shutil
import stat
import subprocess
import tempfile
import unittest

BUILD = pathlib.Path(os.environ.get("MICRO_BINARY_DIR", pathlib.Path(__file__).resolve().parents[2] / "build"))


def run_as_nobody(command):
    if os.geteuid() == 0:
        command = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", *command]
    return subprocess.run(command, capture_output=True, text=True, cwd="/", env={}, timeout=60)


def loaded_from(program):
    """{name: path} of the shared libraries that the loader finds."""
    printed = subprocess.run(["ldd", program], capture_output=True, text=True, env={"PATH": os.environ["PATH"]}).stdout
    return dict(re.findall(r"^\s*(\S+) => (\S+)", printed, re.MULTILINE))


class Installed(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(self.remove)
        self.folder.chmod(0o755)

    def remove(self):
        for path in [self.folder, *self.folder.rglob("*")]:
            if not path.is_symlink():
                path.chmod(path.stat().st_mode | stat.S_IRWXU)
        shutil.rmtree(self.folder)

    def moved_installation(self):
        first, moved = self.folder / "first", self.folder / "elsewhere" / "moved"
        subprocess.run(["cmake", "--install", str(BUILD), "--prefix", str(first)], check=True, capture_output=True)
        moved.parent.mkdir()
        first.rename(moved)
        for path in [moved, *moved.rglob("*")]:
            path.chmod(path.stat().st_mode & ~0o222)
        return moved

    def test_runs_read_only_where_it_was_moved_to(self):
        moved = self.moved_installation()
        for argument in ("--version", "--list"):
            ran = run_as_nobody([str(moved / "bin/suite"), argument])
            self.assertEqual(ran.returncode, 0, ran.stderr)
            self.assertNotEqual(ran.stdout, "")

    def test_has_what_the_program_reads(self):
        moved = self.moved_installation()
        share = moved / "share" / "gpu_memory_map"
        for name in ("configs/host_quick.yaml", "configs/config.schema.json", "results/result.schema.json"):
            self.assertTrue((share / name).is_file(), name)
        self.assertTrue(list((share / "plot").glob("*.py")))

    def test_carries_the_libraries_that_a_machine_may_lack(self):
        for place in (self.moved_installation(), BUILD):
            with self.subTest(str(place)):
                libraries = loaded_from(str(place / "bin/suite"))
                for name, path in libraries.items():
                    if re.match(r"lib(fmt|benchmark|yaml-cpp)", name):
                        self.assertEqual(pathlib.Path(path).resolve().parent, (place / "lib").resolve(), name)
                    else:
                        self.assertRegex(name, r"^(lib(stdc\+\+|gcc_s|c|m|dl|rt|pthread|z)|ld-linux.*|linux-vdso)\.so", path)


if __name__ == "__main__":
    unittest.main()
