"""plot.py draws what a result file holds, the same bytes every time, and refuses politely what holds nothing."""

import copy
import gzip
import importlib.util
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

ROOT = pathlib.Path(os.environ.get("MICRO_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
EXAMPLE = os.environ.get("MICRO_REPORT_EXAMPLE", "")
FOUND = importlib.util.find_spec("matplotlib") is not None
if not FOUND and os.environ.get("REQUIRE_TOOLS") == "1":
    raise SystemExit("missing: python3-matplotlib")
NAMES = ["example_bandwidth.png", "example_bandwidth.svg", "example_latency.png", "example_latency.svg"]


def plot(*arguments, **options):
    command = [sys.executable, "-B", str(ROOT / "plot/plot.py"), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, **options)


def png_size(content):
    return struct.unpack(">II", content[16:24])


@unittest.skipUnless(FOUND, "matplotlib is not installed (Debian: python3-matplotlib)")
class Plot(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.file = cls.folder / "example.json"
        subprocess.run([EXAMPLE, str(cls.file)], check=True)
        cls.example = json.loads(cls.file.read_text())
        cls.first = cls.folder / "first"
        cls.run_of_first = plot(cls.file, "--out", cls.first)

    def drawn(self, result, name="changed"):
        """The folder that the figures of a result are drawn to."""
        file = self.folder / f"{name}.json"
        file.write_text(json.dumps(result))
        run = plot(file, "--out", self.folder / name)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        return self.folder / name

    def refused(self, content, name="refused.json"):
        file = self.folder / name
        file.write_bytes(content)
        run = plot(file, "--out", self.folder / "none")
        self.assertEqual(run.returncode, 64)
        self.assertEqual(run.stderr.count("\n"), 1, run.stderr)
        self.assertFalse((self.folder / "none").exists())
        return run.stderr.replace(str(self.folder) + "/", "")

    def test_writes_both_figures_in_both_forms_and_prints_their_paths(self):
        self.assertEqual((self.run_of_first.returncode, self.run_of_first.stderr), (0, ""))
        self.assertEqual(sorted(pathlib.Path(line).name for line in self.run_of_first.stdout.splitlines()), NAMES)
        self.assertEqual(sorted(path.name for path in self.first.iterdir()), NAMES)
        for name in NAMES:
            content = (self.first / name).read_bytes()
            if name.endswith(".png"):
                self.assertGreaterEqual(min(png_size(content)), 800, name)
            else:
                self.assertTrue(ElementTree.fromstring(content).tag.endswith("svg"), name)

    def test_the_same_file_gives_the_same_bytes(self):
        again = self.folder / "again"
        self.assertEqual(plot(self.file, "--out", again).returncode, 0)
        for name in NAMES:
            self.assertEqual((self.first / name).read_bytes(), (again / name).read_bytes(), name)

    def test_a_compressed_file_gives_the_same_bytes(self):
        packed = self.folder / "example.json.gz"
        packed.write_bytes(gzip.compress(self.file.read_bytes()))
        self.assertEqual(plot(packed, "--out", self.folder / "packed").returncode, 0)
        for name in NAMES:
            self.assertEqual((self.first / name).read_bytes(), (self.folder / "packed" / name).read_bytes(), name)

    def test_figures_carry_no_date_and_no_version(self):
        for name in NAMES:
            content = (self.first / name).read_bytes()
            self.assertNotRegex(content, rb"(?i)matplotlib v|<dc:date>|tEXtSoftware", name)

    def test_another_value_gives_another_figure(self):
        changed = copy.deepcopy(self.example)
        for one in changed["measurements"]:
            if one["answers"] == "level_latency":
                for estimate in one["summary"]:
                    estimate.update({key: estimate[key] * 1.5 for key in ("value", "low", "high")})
                break
        folder = self.drawn(changed)
        self.assertNotEqual((self.first / "example_latency.svg").read_bytes(), (folder / "changed_latency.svg").read_bytes())

    def test_goes_beside_the_file_unless_told_otherwise(self):
        place = self.folder / "beside"
        place.mkdir()
        (place / "a.json").write_bytes(self.file.read_bytes())
        self.assertEqual(plot(place / "a.json").returncode, 0)
        self.assertEqual(len(list(place.glob("a_*.svg"))), 2)

    def test_a_file_whose_points_mostly_failed_still_plots(self):
        result = copy.deepcopy(self.example)
        for number, one in enumerate(result["measurements"]):
            if number % 4:
                one.update(status="failed", reason="injected", summary=[], repetitions=[])
        result["map"]["levels"] = []
        self.assertEqual(len(list(self.drawn(result, "failed").iterdir())), 4)

    def test_a_file_without_numbers_beside_the_values_still_plots(self):
        result = copy.deepcopy(self.example)
        for one in result["measurements"]:
            for estimate in one["summary"]:
                estimate.update(low=None, high=None)
        self.assertEqual(len(list(self.drawn(result, "bare").iterdir())), 4)

    def test_a_single_point_still_plots(self):
        result = copy.deepcopy(self.example)
        result["measurements"] = [next(one for one in result["measurements"] if one["answers"] == answers) for answers in ("level_latency", "level_bandwidth")]
        self.assertEqual(len(list(self.drawn(result, "single").iterdir())), 4)

    def test_a_clock_that_varied_still_plots(self):
        result = copy.deepcopy(self.example)
        for number, one in enumerate(result["measurements"]):
            for estimate in one["summary"]:
                if estimate["unit"] in ("cycles", "bytes_per_cycle_per_sm"):
                    estimate.update({key: estimate[key] * (1 + 0.02 * (number % 5)) for key in ("value", "low", "high")})
        self.assertEqual(len(list(self.drawn(result, "varied").iterdir())), 4)

    def test_only_one_kind_of_curve_is_drawn_and_the_other_named(self):
        result = copy.deepcopy(self.example)
        result["measurements"] = [one for one in result["measurements"] if one["answers"] == "level_bandwidth"]
        file = self.folder / "half.json"
        file.write_text(json.dumps(result))
        run = plot(file, "--out", self.folder / "half")
        self.assertEqual(run.returncode, 0)
        self.assertIn("no latency curve", run.stderr)
        self.assertEqual(len(list((self.folder / "half").iterdir())), 2)

    def test_refuses_a_file_without_such_curves(self):
        result = dict(self.example, measurements=[one for one in self.example["measurements"] if "shared" in one["probe"]])
        self.assertIn("refused.json holds no curve to draw", self.refused(json.dumps(result).encode()))

    def test_refuses_what_is_no_result(self):
        content = self.file.read_bytes()
        self.assertIn("refused.json is not JSON", self.refused(b"one"))
        self.assertIn("refused.json is not JSON", self.refused(b""))
        self.assertIn("refused.json is not JSON", self.refused(b"\xff\xfe"))
        self.assertIn("refused.json is not JSON", self.refused(b"[" * 200000))
        self.assertIn("refused.json is no result file", self.refused(b"[1]"))
        self.assertIn("has schema_version 2", self.refused(b'{"schema_version": 2}'))
        self.assertIn("no complete result file", self.refused(b'{"schema_version": 1}'))
        self.assertIn("a.json.gz is truncated", self.refused(gzip.compress(content)[:5000], "a.json.gz"))
        packed = gzip.compress(content)
        self.assertIn("a.json.gz is damaged", self.refused(packed[:-6] + b"\xff" * 6, "a.json.gz"))
        self.assertIn("a.json.gz is damaged", self.refused(packed[:10] + b"\xff" * 500, "a.json.gz"))

    def test_names_a_file_or_folder_that_is_not_there(self):
        run = plot(self.folder / "none.json")
        self.assertEqual(run.returncode, 64)
        self.assertRegex(run.stderr, r"^plot.py: cannot read .*none.json: No such file or directory\n$")
        run = plot(self.file, "--out", "/dev/null/x")
        self.assertEqual(run.returncode, 3)
        self.assertRegex(run.stderr, r"^plot.py: cannot write /dev/null.*: Not a directory\n$")

    def test_refuses_a_wrong_command_line_with_the_code_for_usage(self):
        self.assertEqual(plot().returncode, 64)
        self.assertEqual(plot(self.file, "--colour").returncode, 64)

    def test_colours_are_okabe_and_itos(self):
        text = (self.first / "example_bandwidth.svg").read_text()
        for colour in ("#0072b2", "#d55e00", "#009e73", "#cc79a7"):
            self.assertIn(colour, text)

    def test_computes_nothing_from_raw_samples(self):
        result = copy.deepcopy(self.example)
        for one in result["measurements"]:
            one["repetitions"] = []
        folder = self.drawn(result, "example")
        for name in NAMES:
            self.assertEqual((self.first / name).read_bytes(), (folder / name).read_bytes(), name)


class Without(unittest.TestCase):
    def test_matplotlib_the_package_to_install_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            broken = pathlib.Path(folder) / "matplotlib.py"
            broken.write_text("raise ModuleNotFoundError('none', name='matplotlib')")
            run = plot("x.json", env=dict(os.environ, PYTHONPATH=folder))
        self.assertEqual(run.returncode, 3)
        self.assertRegex(run.stderr, r"^plot.py: matplotlib is not installed \(.*python3-matplotlib\)\n$")


if __name__ == "__main__":
    unittest.main()
