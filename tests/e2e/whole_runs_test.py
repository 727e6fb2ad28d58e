"""The program from its first word to its last."""

import csv
import io
import json
import os
import pty
import resource
import re
import select
import subprocess
import unittest

from suite_program import PROGRAM, SOURCE, SuiteTest, strict_json, without_times

TIMES = ("date", "run_id", "started_utc", "finished_utc", "load_avg")


def timeless(context):
    return {key: value for key, value in context.items() if key not in TIMES}


class Test(SuiteTest):
    def on_a_terminal(self, *words, **env):
        """What a person sees: stdout and stderr of a run on a terminal of 100 columns."""
        control, terminal = pty.openpty()
        process = subprocess.Popen(["sh", "-c", 'stty columns 100 && exec "$@"', "sh", PROGRAM, *words], cwd=self.folder, stdin=terminal,
                                   stdout=terminal, stderr=terminal, env=self.environment("sleep_ms:2", TERM="xterm", **env))
        os.close(terminal)
        seen = b""
        while select.select([control], [], [], 60)[0]:
            try:
                block = os.read(control, 65536)
            except OSError:  # the other end is closed
                break
            if not block:
                break
            seen += block
        os.close(control)
        self.assertEqual(process.wait(timeout=10), 0, seen)
        return seen.decode()

    def test_the_model_is_mapped_from_its_own_configuration(self):
        process = self.suite(SOURCE / "configs/model.yaml", "--json", "a.json")
        self.assert_exit(process, 0)
        result = self.result("a.json")
        self.assertTrue(result["complete"])
        self.assertTrue(result["context"]["device"]["simulated"])
        self.assertIn("SIMULATED", process.stdout)
        self.assertIn("a.json", process.stdout)
        for level in result["map"]["levels"]:
            self.assertIn(level["name"], process.stdout)
            self.assertTrue(level["latency"] and level["bandwidth"], level["name"])
        self.assertGreaterEqual(len(result["map"]["levels"]), 4)
        self.assertEqual(list(self.folder.glob("**/*.journal")), [])

    def test_this_cpu_is_mapped_by_the_quick_configuration(self):
        process = self.suite(SOURCE / "configs/host_quick.yaml", "--json", "a.json")
        result = self.result("a.json")
        self.assertTrue(result["complete"])
        statuses = {m["status"] for m in result["measurements"]}
        self.assertNotIn("failed", statuses)
        # A shared machine may be unsteady, and then says so.
        self.assert_exit(process, 1 if statuses & {"unstable", "invalid"} else 0)
        self.assertGreaterEqual(sum(bool(level["latency"]) for level in result["map"]["levels"]), 3)

    def test_without_a_name_the_result_goes_to_a_file_of_its_own_in_out(self):
        for _ in range(2):
            process = self.suite("model.yaml")
            self.assert_exit(process, 0)
        files = sorted(self.folder.glob("out/*"))
        self.assertEqual(len(files), 2)
        self.assertIn(files[-1].name, process.stdout)
        for file in files:
            self.assertTrue(strict_json(file.read_text())["complete"])

    def test_a_result_on_stdout_is_json_and_nothing_else(self):
        process = self.suite("model.yaml", "--json", "-")
        self.assert_exit(process, 0)
        self.assertTrue(strict_json(process.stdout)["complete"])
        self.assertIn("Latency", process.stderr)  # the table went there
        self.assertEqual(list(self.folder.glob("out/*")), [])

    def test_rows_on_stdout_are_csv_and_nothing_else(self):
        process = self.suite("model.yaml", "--csv", "-")
        self.assert_exit(process, 0)
        rows = list(csv.reader(io.StringIO(process.stdout)))
        self.assertEqual(len({len(row) for row in rows}), 1)
        self.assertEqual({row[0] for row in rows[1:]}, {m["id"] for m in self.result(next(self.folder.glob("out/*")))["measurements"]})

    def test_a_quiet_run_says_where_the_result_is_and_nothing_else(self):
        process = self.suite("model.yaml", "--quiet")
        self.assert_exit(process, 0)
        self.assertEqual(process.stderr, "")
        self.assertTrue(self.result(process.stdout.rstrip("\n"))["complete"])

    def test_two_runs_of_one_seed_differ_in_times_alone(self):
        first, second = (strict_json(self.suite("model.yaml", "--json", "-").stdout) for _ in range(2))
        self.assertEqual(without_times(first["measurements"]), without_times(second["measurements"]))
        self.assertEqual(first["map"], second["map"])
        self.assertEqual(first["benchmarks"], second["benchmarks"])
        self.assertEqual(timeless(first["context"]), timeless(second["context"]))
        other = strict_json(self.suite("model.yaml", "--seed", "6", "--json", "-").stdout)
        self.assertNotEqual(without_times(first["measurements"]), without_times(other["measurements"]))

    def test_two_runs_of_one_seed_on_this_cpu_do_the_same(self):
        self.write("host.yaml", "backend: host\nrepetitions: 3\nstanzas:\n"
                                "  - probe: latency/global\n    footprint: [8KiB, 64KiB]\n"
                                "  - probe: bandwidth/global\n    operation: [read]\n    footprint: [16KiB]\n    threads: [1]\n")
        runs = []
        for _ in range(2):
            result = strict_json(self.suite("host.yaml", "--json", "-").stdout)
            runs.append([(m["id"], m["method"], [(r["number"], r["facts"], [c["name"] for c in r["columns"]],
                                                  [(c["name"], c["verdict"]) for c in r["checks"]])
                                                 for r in m["repetitions"]]) for m in result["measurements"]])
        self.assertEqual(len(runs[0]), 3)
        self.assertEqual(*runs)

    def test_what_is_recorded_can_be_analysed_again_to_the_same_map(self):
        self.suite("model.yaml", "--json", "a.json")
        process = self.suite("reanalyze", "a.json", "--json", "b.json")
        self.assert_exit(process, 0)
        first, second = self.result("a.json"), self.result("b.json")
        self.assertEqual(first, second)
        self.assertEqual(self.suite("reanalyze", "a.json").stdout,
                         self.suite("model.yaml", "--json", "c.json").stdout.replace("result: c.json\n", ""))

    def test_a_recording_goes_into_folders_under_default_names(self):
        self.assert_exit(self.suite("model.yaml", "--json", "a.json"), 0)
        (self.folder / "runs").mkdir()
        self.assert_exit(self.suite("reanalyze", "a.json", "--json", "runs", "--csv", "runs"), 0)
        self.assertEqual(len(list(self.folder.glob("runs/*.json"))), 1)
        table, = self.folder.glob("runs/*.csv")
        self.assertGreater(len(table.read_text().splitlines()), 34)

    def test_an_analysis_forgets_the_verdicts_of_the_last_one(self):
        self.suite("model.yaml", "--json", "a.json")
        result = self.result("a.json")
        expected = json.loads(json.dumps(result))
        result["measurements"][0].update(status="invalid", reason="an older analysis thought so", summary=[])
        self.write("old.json", json.dumps(result))
        self.assert_exit(self.suite("reanalyze", "old.json", "--json", "b.json"), 0)
        self.assertEqual(self.result("b.json")["measurements"], expected["measurements"])

    def test_a_filter_measures_what_it_matches_and_says_so(self):
        result = strict_json(self.suite("model.yaml", "--filter", "bandwidth.*:(1024|2048)$", "--json", "-").stdout)
        self.assertEqual({m["id"] for m in result["measurements"]},
                         {f"bandwidth/global/operation:read/footprint_bytes:{size}" for size in (1024, 2048)})
        self.assertTrue(any("bandwidth.*" in note for note in result["context"]["notes"]))

    def test_repetitions_of_the_command_line_count_for_every_stanza(self):
        self.write("own.yaml", "backend: model\nrepetitions: 3\nstanzas:\n  - probe: latency/global\n    footprint: [1KiB]\n"
                               "    repetitions: 9\n")
        for words, count in (([], 9), (["--repetitions", "2"], 2)):
            result = strict_json(self.suite("own.yaml", *words, "--json", "-").stdout)
            self.assertEqual([len(m["repetitions"]) for m in result["measurements"]], [count])

    def test_a_plan_costs_next_to_nothing(self):
        # Processor time of this process alone, and the least of several: whatever else the machine does.
        def seconds(*words):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            self.assert_exit(self.suite(*words, "--dry-run"), 0)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

        # Some 5 ms by perf; what is beyond that belongs to the device.
        self.assertLess(min(seconds(SOURCE / "configs/model.yaml") for _ in range(5)), 0.03)
        if "backend cuda" in self.suite("--list").stdout:
            self.assertLess(min(seconds(SOURCE / "configs/h200.yaml", "--assume", "h200") for _ in range(5)), 0.03)

    def test_a_dry_run_plans_and_measures_nothing(self):
        process = self.suite("model.yaml", "--dry-run", inject="lost:0")
        self.assert_exit(process, 0)
        self.assertRegex(process.stdout, r"total +34 +0 +3 ")
        self.assertEqual([file.name for file in self.folder.iterdir()], ["model.yaml"])

    def test_a_plan_for_an_assumed_device_needs_none(self):
        for device in ("h100", "h200"):
            process = self.suite("--dry-run", "--assume", device)
            if "not in this build" in self.suite("--version").stdout:
                self.assert_exit(process, 3)
                self.assertIn("configs/host.yaml", process.stderr)
            else:
                self.assert_exit(process, 0)
                self.assertIn("latency/global", process.stdout)

    def test_the_list_has_every_axis_with_what_it_allows(self):
        process = self.suite("--list")
        self.assert_exit(process, 0)
        for part in ("backend host", "latency/global", "bandwidth/global", "footprint [bytes]", "allowed: read write copy triad", "auto: "):
            self.assertIn(part, process.stdout)

    def test_the_configuration_that_is_printed_is_the_one_that_is_used(self):
        process = self.suite("model.yaml", "--seed", "11", "--print-config")
        self.assert_exit(process, 0)
        self.write("again.yaml", process.stdout)
        first = strict_json(self.suite("model.yaml", "--seed", "11", "--json", "-").stdout)["context"]
        again = strict_json(self.suite("again.yaml", "--json", "-").stdout)["context"]
        self.assertEqual(first["seed"], 11)
        self.assertEqual(first["config"]["sha256"], again["config"]["sha256"])

    def test_without_a_configuration_the_choice_is_said_with_its_reason(self):
        process = self.suite("--print-config")
        self.assert_exit(process, 0)
        self.assertRegex(process.stderr, r"configs/(h100|h200|gpu|host)\.yaml: .*this")
        if not os.path.exists("/dev/nvidiactl"):
            self.assertIn("configs/host.yaml: ", process.stderr)
            self.assertIn("backend: host", process.stdout)

    def test_help_and_version_are_data(self):
        for word, first in (("--help", "Examples:"), ("--version", "suite ")):
            process = self.suite(word)
            self.assert_exit(process, 0)
            self.assertTrue(process.stdout.startswith(first), process.stdout)
            self.assertEqual(process.stderr, "")

    def test_progress_is_redrawn_on_a_terminal_and_leaves_the_table_alone(self):
        seen = self.on_a_terminal("model.yaml", "--json", "a.json")
        self.assertRegex(seen, r"\r\[ *\d+/102\] .* left: ")
        self.assertEqual(len(re.findall(r"\[ *\d+/102\][^\r]*\n", seen)), 0)
        for line in re.sub(r"\x1b\[[0-9;]*[mK]", "", seen.split("\x1b[K")[-1]).splitlines():
            self.assertLessEqual(len(line), 100, line)

    def test_progress_elsewhere_is_plain_lines(self):
        process = self.suite("model.yaml", "--json", "a.json")
        self.assertRegex(process.stderr, r"^\[ *\d+/102\] .* left: ")
        self.assertNotIn("\r", process.stderr)
        self.assertNotIn("\x1b", process.stderr + process.stdout)

    def test_no_color_is_respected(self):
        colour = re.compile(r"\x1b\[[0-9;]*m")
        self.assertRegex(self.on_a_terminal("model.yaml", "--json", "a.json"), colour)
        self.assertNotRegex(self.on_a_terminal("model.yaml", "--json", "b.json", NO_COLOR="1"), colour)


if __name__ == "__main__":
    unittest.main()
