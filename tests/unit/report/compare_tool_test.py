"""Google Benchmark's compare.py reads two of our files."""

import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

EXAMPLE = os.environ.get("MICRO_REPORT_EXAMPLE", "")
REQUIRED = os.environ.get("REQUIRE_TOOLS") == "1"
TOOL = pathlib.Path("/usr/share/benchmark/compare.py")
MISSING = [name for name, there in (("libbenchmark-tools", TOOL.exists()), ("python3-scipy", importlib.util.find_spec("scipy"))) if not there]
if MISSING and REQUIRED:
    raise SystemExit("missing: " + " ".join(MISSING))


@unittest.skipIf(MISSING, "not installed (Debian): " + " ".join(MISSING))
class CompareTool(unittest.TestCase):
    def test_reads_two_result_files_and_compares_every_row(self):
        with tempfile.TemporaryDirectory() as folder:
            files = [str(pathlib.Path(folder) / name) for name in ("a.json", "b.json")]
            subprocess.run([EXAMPLE, *files], check=True)
            run = subprocess.run([sys.executable, str(TOOL), "--no-color", "benchmarks", *files], capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stderr)
        rows = [line.split() for line in run.stdout.splitlines() if line.startswith("latency/global/operator:ca/footprint_bytes:1024 ")]
        self.assertEqual(len(rows), 5, run.stdout[:2000])
        for row in rows:
            self.assertEqual([float(number) for number in row[1:3]], [0, 0], row)


if __name__ == "__main__":
    unittest.main()
