"""Knowledge flows one way between the parts of micro/, and the check that says so sees what it should."""

import os
import pathlib
import re
import unittest

import layers

ROOT = pathlib.Path(os.environ.get("MICRO_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))


def complaints_about(file, line, exists=lambda name: not name.startswith("cuda/std/")):
    return list(layers.complaints_about(file, line + "\n", exists))


class Tree(unittest.TestCase):
    def test_no_include_goes_against_the_arrows(self):
        self.assertEqual(layers.complaints(ROOT / "micro"), [])

    def test_every_part_was_read(self):
        seen = {layers.part_of(file.relative_to(ROOT / "micro").as_posix()) for file in (ROOT / "micro").rglob("*.?pp")}
        self.assertLessEqual({"core", "config", "stats", "run", "map", "report", "host", "model", "app", "main"}, seen)

    def test_a_header_is_in_the_namespace_of_its_folder(self):
        wrong = []
        for file in sorted((ROOT / "micro" / "lib").rglob("*.hpp")):
            names = re.findall(r"^namespace ([\w:]+)", file.read_text(encoding="utf-8"), re.MULTILINE)
            folder = file.relative_to(ROOT / "micro" / "lib").parts[0]
            if names and names[0].split("::")[0] != folder:
                wrong.append(f"{file}: {names}")
        self.assertEqual(wrong, [])


class Check(unittest.TestCase):
    def assert_allowed(self, file, line):
        self.assertEqual(complaints_about(file, line), [])

    def assert_refused(self, file, line, words):
        found = complaints_about(file, line)
        self.assertEqual(len(found), 1, found)
        self.assertIn(words, found[0])

    def test_a_part_may_include_itself_and_what_it_builds_on(self):
        self.assert_allowed("lib/map/levels.cpp", '#include "map/levels.hpp"')
        self.assert_allowed("lib/map/levels.cpp", '#include "stats/summary.hpp"')
        self.assert_allowed("lib/app/main.cpp", '#include "cuda/backend.hpp"')
        self.assert_allowed("latency/global.host.cpp", '#include "host/context.hpp"')

    def test_an_arrow_the_wrong_way_is_refused(self):
        self.assert_refused("lib/core/point.hpp", '#include "stats/summary.hpp"', "core may not know stats")
        self.assert_refused("lib/stats/summary.cpp", '  #  include "run/runner.hpp"', "stats may not know run")
        self.assert_refused("lib/report/results.cpp", '#include "config/config.hpp"', "report may not know config")
        self.assert_refused("lib/host/backend.cpp", '#include "cuda/backend.hpp"', "host may not know cuda")
        self.assert_refused("lib/app/app.cpp", '#include "model/backend.hpp"', "app may not know model")
        self.assert_refused("latency/global.cu", '#include "run/runner.hpp"', "probe.cuda may not know run")
        self.assert_refused("latency/global.host.cpp", '#include "cuda/context.hpp"', "probe.host may not know cuda")

    def test_cuda_outside_its_place_is_refused(self):
        self.assert_allowed("lib/cuda/check.hpp", "#include <cuda_runtime.h>")
        self.assert_allowed("latency/global.cu", "#include <cuda_runtime.h>")
        for header in ("cuda_runtime.h", "cuda.h", "cuda/std/array", "nvml.h", "cupti_profiler_target.h", "cooperative_groups.h"):
            self.assert_refused("lib/app/app.cpp", f"#include <{header}>", "CUDA is included in")

    def test_a_library_with_one_place_is_refused_elsewhere(self):
        self.assert_allowed("lib/config/document.cpp", "#include <yaml-cpp/yaml.h>")
        self.assert_refused("lib/config/config.cpp", "#include <yaml-cpp/yaml.h>", "one place only")
        self.assert_refused("lib/run/runner.cpp", "#include <benchmark/benchmark.h>", "one place only")
        self.assert_refused("lib/app/app.cpp", "#include <CLI/CLI.hpp>", "one place only")

    def test_quotes_and_folders_are_checked(self):
        self.assert_refused("lib/core/point.cpp", '#include "point.hpp"', "quotes are for files of micro/lib")
        self.assert_refused("lib/core/point.cpp", "#include <core/point.hpp>", "included in quotes")
        self.assertEqual(len(complaints_about("lib/nowhere/x.hpp", "")), 1)
        self.assertEqual(len(complaints_about("latency/x.cpp", "")), 1)
        self.assertEqual(len(complaints_about("lib/core/point.cpp", '#include "core/gone.hpp"', exists=lambda name: False)), 1)


if __name__ == "__main__":
    unittest.main()
