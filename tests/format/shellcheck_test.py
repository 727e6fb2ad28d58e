"""shellcheck has nothing to say about any shell script of the project."""

import os
import pathlib
import shutil
import subprocess
import unittest

ROOT = pathlib.Path(os.environ.get("MICRO_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))


def is_shell(file):
    if file.suffix == ".sh":
        return True
    with file.open("rb") as opened:
        first = opened.readline(80)
    return first.startswith(b"#!") and (b"bash" in first or b"/sh" in first)


def scripts():
    candidates = [ROOT / "run_suite", *(ROOT / ".ci").rglob("*"), *(ROOT / "tests").rglob("*"), *(ROOT / "plot").rglob("*")]
    return sorted(file for file in candidates if file.is_file() and is_shell(file))


class ShellScripts(unittest.TestCase):
    def setUp(self):
        if not shutil.which("shellcheck"):
            if os.environ.get("REQUIRE_TOOLS") == "1":
                self.fail("shellcheck is missing")
            self.skipTest("shellcheck is missing")

    def test_shellcheck_finds_nothing(self):
        found = scripts()
        self.assertIn(ROOT / "run_suite", found)
        self.assertIn(ROOT / ".ci" / "run", found)
        run = subprocess.run(["shellcheck", "-x", *map(str, found)], capture_output=True, text=True, cwd=ROOT)
        self.assertEqual(run.stdout + run.stderr, "")

    def test_a_bad_script_is_found(self):
        run = subprocess.run(["shellcheck", "-"], input="#!/bin/bash\nrm $1\n", capture_output=True, text=True)
        self.assertNotEqual(run.returncode, 0)


if __name__ == "__main__":
    unittest.main()
