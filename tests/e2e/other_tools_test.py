"""Tools that our users have read our files."""

import importlib.util
import pathlib
import subprocess
import sys
import unittest

from suite_program import SOURCE, SuiteTest

COMPARE = pathlib.Path("/usr/share/benchmark/compare.py")


class Test(SuiteTest):
    def test_the_plot_script_draws_a_result_and_leaves_the_tree_alone(self):
        self.need_tool(importlib.util.find_spec("matplotlib"), "matplotlib (python3-matplotlib)")
        self.assert_exit(self.suite("model.yaml", "--json", "a.json"), 0)
        before = sorted((SOURCE / "plot").rglob("*"))
        process = self.suite("plot", "a.json", "--out", "figures")
        self.assert_exit(process, 0)
        for figure in process.stdout.split():
            self.assertTrue((self.folder / figure).stat().st_size > 0, figure)
        self.assertEqual({file.suffix for file in self.folder.glob("figures/*")}, {".svg", ".png"})
        self.assertEqual(sorted((SOURCE / "plot").rglob("*")), before)

    def test_compare_py_of_google_benchmark_reads_two_of_our_files(self):
        self.need_tool(COMPARE.exists(), f"{COMPARE} (libbenchmark-tools)")
        self.need_tool(importlib.util.find_spec("scipy"), "scipy (python3-scipy)")
        # Nine repetitions are what its test of significance asks for.
        for name, seed in (("a.json", "1"), ("b.json", "2")):
            self.assert_exit(self.suite("model.yaml", "--repetitions", "9", "--seed", seed, "--json", name), 0)
        process = subprocess.run([sys.executable, str(COMPARE), "benchmarks", "a.json", "b.json"], cwd=self.folder,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=100)
        self.assertEqual(process.returncode, 0, process.stderr)
        for measurement in self.result("a.json")["measurements"]:
            self.assertEqual(process.stdout.count(measurement["id"] + " "), 9, measurement["id"])
            self.assertIn(measurement["id"] + "_pvalue", process.stdout)
        self.assertIn("OVERALL_GEOMEAN", process.stdout)
        self.assertNotIn("nan", process.stdout.lower())


if __name__ == "__main__":
    unittest.main()
