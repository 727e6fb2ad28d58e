"""Runs the program the way a person or a script does."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time
import unittest

SOURCE = pathlib.Path(os.environ.get("MICRO_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
PROGRAM = os.environ.get("MICRO_SUITE", str(SOURCE / "build/bin/suite"))

# Small enough to be done at once, large enough to be broken off in the middle: 34 points, 3 repetitions.
MODEL = """\
backend: model
seed: 5
repetitions: 3
stanzas:
  - probe: latency/global
    footprint: {range: [1KiB, 64MiB], scale: log2, points_per_octave: 1}
  - probe: bandwidth/global
    operation: [read]
    footprint: {range: [1KiB, 64MiB], scale: log2, points_per_octave: 1}
"""


def strict_json(text):
    """Fails on what other readers refuse: NaN, Infinity, a key that stands twice."""

    def refuse(word):
        raise ValueError(f"{word} is no JSON")

    def unique(pairs):
        keys = [key for key, _ in pairs]
        if len(set(keys)) != len(keys):
            raise ValueError(f"a key stands twice in {keys}")
        return dict(pairs)

    return json.loads(text, parse_constant=refuse, object_pairs_hook=unique)


def without_times(measurements):
    """What the model measures follows from the seed; when it did so does not."""
    plain = json.loads(json.dumps(measurements))
    for measurement in plain:
        for repetition in measurement["repetitions"]:
            del repetition["started_utc"]
    return plain


class SuiteTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="suite-e2e-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.write("model.yaml", MODEL)

    def write(self, name, text):
        (self.folder / name).write_text(text)
        return name

    def environment(self, inject=None, **more):
        plain = {key: value for key, value in os.environ.items() if key not in ("MICRO_INJECT", "NO_COLOR")}
        # What is rescued into the folder for temporary files goes with the test.
        return {**plain, "TMPDIR": str(self.folder), **({"MICRO_INJECT": inject} if inject else {}), **more}

    def suite(self, *words, inject=None, env=None, **options):
        options = {"stdout": subprocess.PIPE, "timeout": 200, **options}
        return subprocess.run([PROGRAM, *map(str, words)], cwd=self.folder, stderr=subprocess.PIPE, text=True,
                              env=self.environment(inject, **(env or {})), **options)

    def start(self, *words, inject=None):
        process = subprocess.Popen([PROGRAM, *map(str, words)], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   text=True, env=self.environment(inject))
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def wait_for_lines(self, name, count):
        """Until that many lines of a journal are written."""
        file = self.folder / name
        for _ in range(1000):
            if file.exists() and file.read_bytes().count(b"\n") >= count:
                return
            time.sleep(0.01)
        self.fail(f"{name} never had {count} lines")

    def result(self, name):
        return strict_json((self.folder / name).read_text())

    def assert_exit(self, process, code):
        self.assertEqual(process.returncode, code, process.stderr)

    def assert_one_line(self, process, *parts):
        """One line on stderr, which has every part."""
        self.assertEqual(process.stderr.count("\n"), 1, process.stderr)
        for part in parts:
            self.assertIn(part, process.stderr)

    def need_tool(self, found, what):
        """A test that cannot run is seen; where everything must be there (REQUIRE_TOOLS=1), it fails."""
        if not found and os.environ.get("REQUIRE_TOOLS") == "1":
            self.fail(f"{what} is missing, and REQUIRE_TOOLS=1")
        if not found:
            self.skipTest(f"{what} is missing")

