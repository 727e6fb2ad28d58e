"""The sources are as clang-format 14 writes them (another version breaks lines elsewhere), and no file is past 400 lines."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

ROOT = pathlib.Path(os.environ.get("MICRO_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
LONGEST = 400


def sources(*suffixes):
    found = [file for folder in ("micro", "tests", "plot") for file in (ROOT / folder).rglob("*") if file.suffix in suffixes]
    return sorted(file for file in found if file.is_file() and "__pycache__" not in file.parts)


def clang_format_14():
    for name in ("clang-format-14", "clang-format"):
        program = shutil.which(name)
        if program:
            version = subprocess.run([program, "--version"], capture_output=True, text=True).stdout
            if re.search(r"version 14\.", version):
                return program
    return None


def badly_formatted(program, files):
    """The complaints of clang-format about these files, one a line."""
    command = [program, "--dry-run", "--Werror", "--style=file", "--ferror-limit=1"]
    run = subprocess.run(command + [str(file) for file in files], capture_output=True, text=True, cwd=ROOT)
    return [line for line in run.stderr.splitlines() if "error:" in line]


class Format(unittest.TestCase):
    def setUp(self):
        self.program = clang_format_14()
        if not self.program:
            if os.environ.get("REQUIRE_TOOLS") == "1":
                self.fail("clang-format 14 is missing (Debian: clang-format-14)")
            self.skipTest("clang-format 14 is missing (Debian: clang-format-14)")

    def test_every_source_is_as_clang_format_writes_it(self):
        files = sources(".cpp", ".hpp", ".cu", ".cuh")
        self.assertGreater(len(files), 50)
        self.assertEqual(badly_formatted(self.program, files), [])

    def test_a_badly_formatted_file_is_found(self):
        bad = subprocess.run([self.program, "--dry-run", "--Werror", "--style=file", "--assume-filename=micro/x.cpp"],
                             input="int   f( ){return 1 ;}\n", capture_output=True, text=True, cwd=ROOT)
        self.assertNotEqual(bad.returncode, 0)


class Length(unittest.TestCase):
    def test_no_file_is_past_400_lines(self):
        files = sources(".cpp", ".hpp", ".cu", ".cuh", ".py", ".cmake", ".txt", ".sh") + [ROOT / "run_suite", ROOT / "CMakeLists.txt"]
        lengths = {str(file.relative_to(ROOT)): len(file.read_bytes().splitlines()) for file in files}
        self.assertEqual({name: length for name, length in lengths.items() if length > LONGEST}, {})


if __name__ == "__main__":
    sys.exit(unittest.main())
