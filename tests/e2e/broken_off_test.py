"""A run that is broken off keeps everything it had measured, and a resumed one is the run that it would have been."""

import os
import signal
import subprocess
import time
import unittest

from suite_program import PROGRAM, SuiteTest, without_times


class Test(SuiteTest):
    def undisturbed(self):
        self.assert_exit(self.suite("model.yaml", "--json", "whole.json"), 0)
        return self.result("whole.json")

    def assert_resumes_to_the_whole(self, journal="a.json.journal", target="a.json"):
        before = (self.folder / journal).read_bytes().count(b"\n")
        self.assertGreater(before, 1, "nothing was in the journal")
        self.assert_exit(self.suite("model.yaml", "--resume", journal), 0)
        result, whole = self.result(target), self.undisturbed()
        self.assertTrue(result["complete"])
        self.assertEqual(without_times(result["measurements"]), without_times(whole["measurements"]))
        self.assertEqual(result["map"], whole["map"])
        self.assertFalse((self.folder / journal).exists())

    def broken_by(self, number):
        process = self.start("model.yaml", "--json", "a.json", inject="sleep_ms:20")
        self.wait_for_lines("a.json.journal", 20)
        process.send_signal(number)
        process.stdout_text, process.stderr_text = process.communicate(timeout=20)
        return process

    def assert_valid_partial_result(self, reason):
        result = self.result("a.json")
        self.assertFalse(result["complete"])
        self.assertIn(reason, result["incomplete_reason"])
        self.assertEqual(len(result["measurements"]), 34)
        self.assertIn("failed", {m["status"] for m in result["measurements"]})
        self.assertIn("ok", {m["status"] for m in result["measurements"]})
        for measurement in result["measurements"]:
            self.assertEqual(measurement["reason"] == "", measurement["status"] == "ok", measurement["id"])

    def test_ctrl_c_leaves_a_valid_partial_result(self):
        process = self.broken_by(signal.SIGINT)
        self.assertEqual(process.returncode, 130, process.stderr_text)
        self.assertIn("--resume a.json.journal", process.stderr_text)
        self.assert_valid_partial_result("SIGINT")
        self.assert_resumes_to_the_whole()

    def test_sigterm_leaves_a_valid_partial_result(self):
        process = self.broken_by(signal.SIGTERM)
        self.assertEqual(process.returncode, 130, process.stderr_text)
        self.assert_valid_partial_result("SIGTERM")
        self.assert_resumes_to_the_whole()

    def test_sigkill_leaves_a_journal_that_a_resume_completes(self):
        process = self.broken_by(signal.SIGKILL)
        self.assertEqual(process.returncode, -signal.SIGKILL)
        self.assertFalse((self.folder / "a.json").exists())
        self.assert_resumes_to_the_whole()

    def test_a_second_ctrl_c_quits_at_once(self):
        process = self.start("model.yaml", "--json", "a.json", inject="sleep_ms:20000")
        self.wait_for_lines("a.json.journal", 1)
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        time.sleep(0.3)
        self.assertIsNone(process.poll(), "the first one ended it")
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=5), 130)

    def test_a_signal_between_journal_and_first_measurement_leaves_a_result_too(self):
        # A reader that reads nothing yet holds the program at the note about --filter, which it prints then.
        read, write = os.pipe()
        os.set_blocking(write, False)
        with self.assertRaises(BlockingIOError):
            while os.write(write, b"." * 4096):
                pass
        os.set_blocking(write, True)
        process = subprocess.Popen([PROGRAM, "model.yaml", "--json", "a.json", "--filter", "."], cwd=self.folder, stderr=write,
                                   stdout=subprocess.DEVNULL, env=self.environment())
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        os.close(write)
        self.wait_for_lines("a.json.journal", 1)
        process.send_signal(signal.SIGTERM)
        with open(read, "rb") as reader:
            reader.read()
        self.assertEqual(process.wait(timeout=20), 130)
        result = self.result("a.json")
        self.assertFalse(result["complete"])
        self.assertIn("SIGTERM", result["incomplete_reason"])

    def test_a_lost_device_fails_the_rest_with_its_reason(self):
        process = self.suite("model.yaml", "--json", "a.json", inject="lost:80")
        self.assert_exit(process, 3)
        self.assertIn("--resume a.json.journal", process.stderr)
        self.assert_valid_partial_result("lost")
        self.assert_resumes_to_the_whole()

    def test_a_measurement_that_hangs_ends_the_process_and_keeps_the_journal(self):
        process = self.suite("model.yaml", "--json", "a.json", "--timeout", "0.5", timeout=60,
                             inject="hang:latency/global/footprint_bytes:4096$")
        self.assert_exit(process, 3)
        self.assertIn("latency/global/footprint_bytes:4096", process.stderr)
        self.assert_resumes_to_the_whole()

    def test_a_time_limit_leaves_a_valid_partial_result(self):
        process = self.suite("model.yaml", "--json", "a.json", "--max-minutes", "0.008", inject="sleep_ms:20")
        self.assert_exit(process, 3)
        result = self.result("a.json")
        self.assertFalse(result["complete"])
        self.assertIn("ok", {m["status"] for m in result["measurements"]})
        self.assertIn("failed", {m["status"] for m in result["measurements"]})

    def test_one_failing_point_never_loses_the_rest(self):
        process = self.suite("model.yaml", "--json", "a.json", inject="fail:latency/global/footprint_bytes:4096$")
        self.assert_exit(process, 3)
        result = self.result("a.json")
        self.assertTrue(result["complete"])
        failed = [m["id"] for m in result["measurements"] if m["status"] == "failed"]
        self.assertEqual(failed, ["latency/global/footprint_bytes:4096"])
        self.assertEqual(len(result["measurements"]), 34)

    def test_a_point_beyond_physics_is_invalid_and_exits_with_1(self):
        process = self.suite("model.yaml", "--json", "a.json", inject="impossible:bandwidth/global.*footprint_bytes:4096$")
        self.assert_exit(process, 1)
        self.assertIn("invalid", {m["status"] for m in self.result("a.json")["measurements"]})

    def test_not_a_number_is_never_in_the_file(self):
        self.suite("model.yaml", "--json", "a.json", inject="nan:latency/global/footprint_bytes:4096$")
        self.result("a.json")

    def test_a_journal_that_cannot_be_removed_costs_neither_table_nor_result(self):
        process = self.start("model.yaml", "--json", "a.json", inject="sleep_ms:20")
        self.wait_for_lines("a.json.journal", 5)
        (self.folder / "a.json.journal").rename(self.folder / "moved")
        (self.folder / "a.json.journal" / "something").mkdir(parents=True)
        stdout, stderr = process.communicate(timeout=20)
        self.assertEqual(process.returncode, 0, stderr)
        self.assertIn("Latency", stdout)
        self.assertIn("cannot remove a.json.journal", stderr)
        self.assertTrue(self.result("a.json")["complete"])

    def test_a_failure_is_remembered_after_the_resume_that_made_it_good(self):
        self.assert_exit(self.suite("model.yaml", "--json", "a.json", inject="lost:40"), 3)
        self.assert_exit(self.suite("model.yaml", "--resume", "a.json.journal"), 0)
        notes = [note for note in self.result("a.json")["context"]["notes"] if "failed before the resume: injected" in note]
        self.assertEqual(len(notes), 1)

    def refused_to_resume(self, *words, parts):
        self.suite("model.yaml", "--json", "a.json", inject="lost:40")
        journal = (self.folder / "a.json.journal").read_bytes()
        process = self.suite(*words, "--resume", "a.json.journal")
        self.assert_exit(process, 3)
        self.assert_one_line(process, *parts)
        self.assertEqual((self.folder / "a.json.journal").read_bytes(), journal)
        self.assertFalse(self.result("a.json")["complete"])

    def test_a_journal_of_another_seed_is_refused(self):
        self.refused_to_resume("model.yaml", "--seed", "6", parts=["seed was '5', is '6'"])

    def test_a_journal_of_another_configuration_is_refused(self):
        self.refused_to_resume("model.yaml", "--repetitions", "4", parts=["the configuration: repetitions was '3', is '4'"])

    def test_a_journal_with_more_points_than_the_filter_is_refused(self):
        self.refused_to_resume("model.yaml", "--quiet", "--filter", "bandwidth", parts=["--filter", "latency/global"])

    def test_a_journal_of_another_time_limit_is_refused(self):
        self.refused_to_resume("model.yaml", "--max-minutes", "5", parts=["the configuration: max_minutes was '0', is '5'"])

    def test_a_damaged_journal_is_refused_in_one_line_or_repaired_with_a_note(self):
        self.suite("model.yaml", "--json", "a.json", inject="lost:40")
        whole = (self.folder / "a.json.journal").read_bytes()
        lines = whole.splitlines(keepends=True)
        one = next(line for line in lines if b'"number":1,' in line)
        for what, damaged in {
            "a line in half": lines[0] + one[:50] + b"\n" + b"".join(lines[1:]),
            "a repetition twice": whole + one,
            "an unknown point": whole + one.replace(b'{"id":"', b'{"id":"x'),
            "a long unknown point": whole + one.replace(b'{"id":"', b'{"id":"' + b"x" * 10_000_000),
            "an unknown point that failed": whole + b'{"id":"nothing","number":0,"failed":"x"}\n',
            "a repetition that is not planned": whole + one.replace(b'"number":1,', b'"number":3,'),
            "a negative repetition": whole + one.replace(b'"number":1,', b'"number":-1,'),
            "a huge repetition": whole + one.replace(b'"number":1,', b'"number":4294967297,'),
            "a text for a number": whole + one.replace(b'"number":1,', b'"number":"1",'),
            "no metrics": whole.replace(b'"metrics":[', b'"metrics":null,"x":[', 1),
            "zeros in a line": whole.replace(b'"metrics"', b'"met\0ics"', 1),
            "a line of 10 MB": whole + b"x" * 10_000_000 + b"\n",
            "a line of brackets": whole + b"[" * 1_000_000 + b"\n",
            "two journals": whole + whole,
            "no UTF-8": whole.replace(b'"metrics"', b'"met\xff\xfeics"', 1),
        }.items():
            with self.subTest(what):
                self.assertNotEqual(damaged, whole)
                (self.folder / "a.json.journal").write_bytes(damaged)
                process = self.suite("model.yaml", "--resume", "a.json.journal", "--quiet")
                self.assert_exit(process, 3)
                self.assert_one_line(process, "a.json.journal")
                self.assertLess(len(process.stderr), 700)
                self.assertEqual((self.folder / "a.json.journal").read_bytes(), damaged)
        for what, damaged in {"torn": whole[:-20], "zeros at the end": whole + b"\0" * 4096, "CRLF": whole.replace(b"\n", b"\r\n")}.items():
            with self.subTest(what):
                (self.folder / "a.json.journal").write_bytes(damaged)
                process = self.suite("model.yaml", "--resume", "a.json.journal", "--json", "a.json", "--force")
                self.assert_exit(process, 0)
                notes = [note for note in self.result("a.json")["context"]["notes"] if "was not whole" in note]
                self.assertEqual(len(notes), what != "CRLF")
                self.assertEqual("was not whole" in process.stderr, what != "CRLF")
                self.assertEqual(without_times(self.result("a.json")["measurements"]), without_times(self.undisturbed_once()["measurements"]))

    def undisturbed_once(self):
        if not (self.folder / "whole.json").exists():
            self.undisturbed()
        return self.result("whole.json")

    def test_a_journal_that_is_none_is_refused(self):
        process = self.suite("model.yaml", "--resume", "none.journal")
        self.assert_exit(process, 64)
        self.write("bad.json.journal", "this is\nno journal\n")
        self.assert_exit(self.suite("model.yaml", "--resume", "bad.json.journal"), 64)
        self.assertEqual((self.folder / "bad.json.journal").read_text(), "this is\nno journal\n")

    def test_an_unfinished_run_is_not_overwritten_by_the_same_command(self):
        self.broken_by(signal.SIGKILL)
        journal = (self.folder / "a.json.journal").read_bytes()
        process = self.suite("model.yaml", "--json", "a.json")
        self.assert_exit(process, 3)
        self.assertIn("--resume", process.stderr)
        self.assertEqual((self.folder / "a.json.journal").read_bytes(), journal)

    def test_two_runs_into_one_file_do_not_mix(self):
        first = self.start("model.yaml", "--json", "a.json", inject="sleep_ms:20")
        self.wait_for_lines("a.json.journal", 5)
        for more in ([], ["--force"]):
            self.assert_exit(self.suite("model.yaml", "--json", "a.json", *more), 3)
        first.communicate(timeout=20)
        self.assertEqual(first.returncode, 0)
        self.assertTrue(self.result("a.json")["complete"])


if __name__ == "__main__":
    unittest.main()
