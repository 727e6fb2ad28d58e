"""What goes in wrong comes out as one clear line and the right exit code, before anything is measured."""

import os
import re
import resource
import subprocess
import time
import unittest

from suite_program import PROGRAM, SOURCE, SuiteTest, strict_json


class Test(SuiteTest):
    def refused(self, code, *words, parts=(), **options):
        process = self.suite(*words, **options)
        self.assert_exit(process, code)
        self.assert_one_line(process, *parts)
        self.assertEqual(process.stdout or "", "")
        self.assertEqual(list(self.folder.glob("**/*.journal")), [])
        return process

    # lost:0 fails whatever is measured: a refusal that comes too late would be exit code 3.
    def test_a_named_file_that_exists_is_kept(self):
        self.write("a.json", "mine")
        self.refused(64, "model.yaml", "--json", "a.json", parts=["a.json", "--force"], inject="lost:0")
        self.assertEqual((self.folder / "a.json").read_text(), "mine")
        self.write("a.csv", "mine")
        self.refused(64, "model.yaml", "--csv", "a.csv", parts=["a.csv", "--force"], inject="lost:0")

    def test_a_named_file_that_exists_is_replaced_by_force(self):
        self.write("a.json", "mine")
        self.assert_exit(self.suite("model.yaml", "--json", "a.json", "--force"), 0)
        self.assertTrue(self.result("a.json")["complete"])

    def test_an_output_folder_that_is_not_there_is_named(self):
        self.refused(64, "model.yaml", "--json", "none/a.json", parts=["none"], inject="lost:0")

    def test_an_output_folder_that_cannot_be_written_is_found_before_measuring(self):
        self.refused(3, "model.yaml", "--json", "/proc/a.json", parts=["/proc"], inject="lost:0")

    def test_the_output_of_the_configuration_is_tried_before_measuring(self):
        self.refused(64, "model.yaml", "--set", "output=none/a.json", parts=["none"], inject="lost:0")

    def test_a_full_disk_loses_nothing(self):
        process = self.suite("model.yaml", "--json", "/dev/full")
        self.assert_exit(process, 3)
        last = process.stderr.splitlines()[-1]
        self.assertIn("No space left", last)
        journal, = self.folder.glob("out/*.journal")
        self.assertIn(f"--resume out/{journal.name}", last)
        # Whatever would be measured now is lost: the result can only come from the journal.
        self.assert_exit(self.suite("model.yaml", "--resume", journal, "--json", "a.json", inject="lost:0"), 0)
        result = self.result("a.json")
        self.assertTrue(result["complete"])
        self.assertEqual({m["status"] for m in result["measurements"]}, {"ok"})
        self.assertFalse(journal.exists())

    def pipe(self, name):
        os.mkfifo(self.folder / name)
        return name

    def test_a_pipe_that_nobody_reads_is_refused_before_measuring_and_never_waited_for(self):
        for option in ("--json", "--csv"):
            self.refused(3, "model.yaml", option, self.pipe(f"pipe{option}"), inject="lost:0", timeout=20,
                         parts=[f"cannot write pipe{option}: nobody reads this pipe", "start its reader first"])

    def test_a_pipe_has_its_reader_from_the_start_to_the_end(self):
        for option, begin in (("--json", "{"), ("--csv", "id,")):
            reader = subprocess.Popen(["cat", self.pipe(f"pipe{option}")], cwd=self.folder, stdout=subprocess.PIPE, text=True)
            self.addCleanup(reader.communicate)
            self.addCleanup(reader.kill)
            time.sleep(0.1)
            process = self.suite("model.yaml", "--quiet", option, f"pipe{option}", inject="sleep_ms:5", timeout=60)
            self.assert_exit(process, 0)
            text = reader.communicate(timeout=10)[0]
            self.assertTrue(text.startswith(begin), text[:100])
            self.assertGreater(len(text), 1 << 12)

    def test_a_reader_that_leaves_a_pipe_early_costs_no_result(self):
        reader = subprocess.Popen(["cat", self.pipe("pipe")], cwd=self.folder, stdout=subprocess.DEVNULL)
        self.addCleanup(reader.wait)
        self.addCleanup(reader.kill)
        time.sleep(0.1)
        process = self.start("model.yaml", "--json", "pipe", inject="sleep_ms:20")
        for _ in range(500):
            if list(self.folder.glob("out/*.journal")):
                break
            time.sleep(0.01)
        reader.kill()
        error = process.communicate(timeout=30)[1]
        self.assertEqual(process.returncode, 3, error)
        self.assertIn("cannot write pipe: nobody reads this pipe", error.splitlines()[-1])
        self.assertIn("the journal has it", error.splitlines()[-1])

    def test_files_that_may_not_grow_cost_the_samples_and_not_the_map(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))

        process = self.suite("model.yaml", "--json", "a.json", preexec_fn=limit)
        self.assert_exit(process, 3)
        self.assertIn("Latency", process.stdout)  # the table is what is left
        self.assertNotIn("result:", process.stdout)
        last = process.stderr.splitlines()[-1]
        self.assertIn("LOST: every sample that is not in a.json.journal", last)
        self.assertIn("File too large", last)
        self.assertNotIn("the journal has it", last)

    def test_a_disk_that_is_really_full_sends_the_result_to_the_temporary_folder(self):
        (self.folder / "small").mkdir()
        (self.folder / "tmp").mkdir()
        process = subprocess.run(["unshare", "--mount", "--map-root-user", "sh", "-c",
                                  'mount -t tmpfs -o size=64k none small || exit 77; "$@"; code=$?; wc -l small/*; exit $code', "sh",
                                  PROGRAM, "model.yaml", "--json", "small/a.json"], cwd=self.folder, text=True, timeout=100,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                 env=self.environment(TMPDIR=str(self.folder / "tmp")))
        if process.returncode in (1, 77) and "a.json" not in process.stderr:
            self.skipTest(f"no file systems can be mounted here: {process.stderr}")
        self.assert_exit(process, 3)
        file, = self.folder.glob("tmp/*/*.json")
        self.assertIn(f"{file} instead", process.stderr.splitlines()[-1])
        self.assertNotIn("the journal has it", process.stderr)
        self.assertIn("Latency", process.stdout)
        self.assertIn(f"result: {file}", process.stdout)
        result = strict_json(file.read_text())
        self.assertTrue(result["complete"])
        self.assertEqual({len(m["repetitions"]) for m in result["measurements"]}, {3})

    def closing(self, number):
        return lambda: os.close(number)

    def test_a_closed_standard_error_puts_no_words_into_the_journal(self):
        process = self.suite("model.yaml", "--json", "a.json", "--filter", "latency", inject="lost:40", preexec_fn=self.closing(2))
        self.assert_exit(process, 3)
        for line in (self.folder / "a.json.journal").read_text().splitlines():
            strict_json(line)
        self.assert_exit(self.suite("model.yaml", "--filter", "latency", "--resume", "a.json.journal"), 0)

    def test_a_closed_standard_output_takes_no_result(self):
        process = self.suite("model.yaml", "--json", "-", preexec_fn=self.closing(1))
        self.assert_exit(process, 3)
        self.assertIn("Bad file descriptor", process.stderr)
        journal, = self.folder.glob("out/*.journal")
        for line in journal.read_text().splitlines():
            strict_json(line)

    def test_a_full_disk_behind_the_table_keeps_the_result(self):
        with open("/dev/full", "w") as full:
            process = self.suite("model.yaml", "--json", "a.json", stdout=full)
        self.assert_exit(process, 3)
        self.assertTrue(self.result("a.json")["complete"])

    def test_a_filter_that_matches_nothing_is_no_empty_success(self):
        self.refused(64, "model.yaml", "--filter", "nonsense", parts=["nonsense"])

    def test_a_time_that_is_too_short_for_any_point_is_no_empty_success(self):
        process = self.refused(64, "model.yaml", "--max-minutes", "0.00000001", parts=["max_minutes", "0.00000001"], inject="lost:0")
        enough = re.search(r"; (\S+) is enough", process.stderr).group(1)
        self.suite("model.yaml", "--max-minutes", enough, "--json", "a.json", "--quiet")
        self.assertGreater(len(self.result("a.json")["measurements"]), 0)

    def test_one_file_is_not_written_twice(self):
        yaml = (self.folder / "model.yaml").read_text()
        self.refused(64, "model.yaml", "--json", "a.json", "--csv", "./a.json", parts=["a.json", "one file"], inject="lost:0")
        self.refused(64, "model.yaml", "--json", "model.yaml", "--force", parts=["configuration", "one file"], inject="lost:0")
        self.assertEqual((self.folder / "model.yaml").read_text(), yaml)
        self.assert_exit(self.suite("model.yaml", "--json", "a.json"), 0)
        self.refused(64, "reanalyze", "a.json", "--json", "b", "--csv", "b", parts=["one file"])

    def test_an_empty_value_is_not_an_option_left_out(self):
        self.refused(64, "", parts=["CONFIG", "empty"])
        for option in ("--resume", "--json", "--csv", "--device", "--seed"):
            self.refused(64, "model.yaml", option, "", parts=[option, "empty"], inject="lost:0")

    def test_a_link_in_a_circle_is_found_before_measuring(self):
        (self.folder / "a.json").symlink_to("a.json")
        self.refused(64, "model.yaml", "--json", "a.json", parts=["a.json", "circle"], inject="lost:0")

    def test_a_filter_that_is_no_expression_is_refused(self):
        self.refused(64, "model.yaml", "--filter", "(", parts=["("])

    def test_a_gpu_configuration_without_a_gpu_names_the_one_for_this_cpu(self):
        if os.path.exists("/dev/nvidiactl"):
            self.skipTest("there is a GPU here")
        self.refused(3, SOURCE / "configs/h100.yaml", parts=["configs/host.yaml"])

    def test_a_device_that_is_not_there_is_no_silent_run_on_the_cpu(self):
        if os.path.exists("/dev/nvidiactl"):
            self.skipTest("there is a GPU here")
        self.refused(3, "--device", "3", parts=["--device 3"])

    def test_a_configuration_that_cannot_be_read_is_named(self):
        self.refused(64, "none.yaml", parts=["none.yaml"])
        self.refused(64, ".", parts=["."])

    def test_mistakes_of_a_configuration_have_file_line_and_column(self):
        self.write("bad.yaml", "backend: model\nsede: 7\nstanzas:\n  - probe: latency/globl\n")
        process = self.suite("bad.yaml")
        self.assert_exit(process, 64)
        self.assertIn("bad.yaml:2:1: error:", process.stderr)
        self.assertIn("seed", process.stderr)

    def test_a_probe_that_is_not_there_is_refused_with_the_nearest(self):
        self.write("bad.yaml", "backend: model\nstanzas:\n  - probe: latency/globl\n")
        self.refused(64, "bad.yaml", parts=["bad.yaml:3:", "latency/global"])

    def test_no_repetitions_are_no_run(self):
        self.refused(64, "model.yaml", "--repetitions", "0", parts=["repetitions"])

    def test_a_negative_seed_is_refused(self):
        self.refused(64, "model.yaml", "--seed", "-1", parts=["seed"])

    def test_a_gpu_cannot_be_assumed_for_another_backend(self):
        self.refused(64, "model.yaml", "--dry-run", "--assume", "h200", parts=["--assume", "model.yaml"])

    def test_an_unknown_option_is_one_line(self):
        self.refused(64, "--nonsense", parts=["--nonsense", "--help"])
        self.refused(64, "model.yaml", "--set", "a\nb", parts=["a"])

    def test_a_result_that_is_no_result_is_named(self):
        self.write("a.json", "{}")
        self.refused(64, "reanalyze", "a.json", parts=["a.json", "schema_version"])
        self.refused(64, "reanalyze", "none.json", parts=["none.json"])
        self.refused(64, "plot", "none.json", parts=["none.json"])

    def test_a_reader_that_goes_away_does_not_cost_the_result(self):
        read, write = os.pipe()
        os.close(read)
        process = self.suite("model.yaml", "--json", "a.json", stdout=write)
        os.close(write)
        self.assert_exit(process, 3)
        self.assertTrue(self.result("a.json")["complete"])

    def into_nothing(self, *words, **env):
        read, write = os.pipe()
        os.close(read)
        self.addCleanup(os.close, write)
        return self.suite(*words, stdout=write, env=env)

    def test_a_reader_that_goes_away_is_one_line_and_no_silent_death(self):
        self.assert_exit(self.suite("model.yaml", "--json", "a.json"), 0)
        for words in (["--list"], ["--help"], ["--version"], ["model.yaml", "--print-config"], ["model.yaml", "--dry-run"],
                      ["reanalyze", "a.json"], ["reanalyze", "a.json", "--json", "-"], ["model.yaml", "--quiet", "--json", "-"]):
            process = self.into_nothing(*words, TMPDIR=str(self.folder))
            self.assert_exit(process, 3)
            self.assert_one_line(process, "Broken pipe")

    def test_an_option_that_would_be_ignored_is_refused(self):
        for action, ignored in {
            "--list": ["--json a.json", "--csv a.csv", "--force", "--filter x", "--seed 1", "--repetitions 2", "--max-minutes 1", "--timeout 1",
                       "--device 0", "--strict-device", "--resume j", "--set seed=1"],
            "--version": ["--json a.json", "model.yaml", "--filter x", "--set seed=1"],
            "model.yaml --print-config": ["--json a.json", "--csv a.csv", "--filter x", "--resume j", "--timeout 1", "--strict-device"],
            "model.yaml --dry-run": ["--json a.json", "--csv a.csv", "--force", "--resume j", "--timeout 1"],
        }.items():
            for words in ignored:
                with self.subTest(action, words=words):
                    name = words.split()[0] if words.startswith("-") else "CONFIG"
                    self.refused(64, *action.split(), *words.split(), parts=[f"{name} does not go with {action.split()[-1]}"])
        for words in ("--list --verbose model.yaml", "--list --set seed=3 model.yaml", "--version --quiet",
                      "model.yaml --print-config --seed 3 --set repetitions=2",
                      "model.yaml --dry-run --filter latency --seed 3 --max-minutes 5 --repetitions 2 --strict-device"):
            self.assert_exit(self.suite(*words.split()), 0)


if __name__ == "__main__":
    unittest.main()
