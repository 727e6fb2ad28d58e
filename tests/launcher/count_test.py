"""The closing line counts what ran: a test that could not be started has failed, a skip is a skip, a unittest program is its cases."""

import contextlib
import io
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import count  # noqa: E402


def case(name, status, inside="", output=""):
    return f'<testcase name="{name}" status="{status}">{inside}<system-out>{output}</system-out></testcase>'


def closing_line(*cases):
    """(exit code, last line) for a JUnit file of these cases."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "junit.xml"
        file.write_text("<testsuite>" + "".join(cases) + "</testsuite>", encoding="utf-8")
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            code = count.main([str(file)])
    return code, printed.getvalue().splitlines()[-1]


class ClosingLine(unittest.TestCase):
    def test_counts_passed_failed_and_skipped(self):
        self.assertEqual(closing_line(case("a", "run"), case("b", "run"), case("c", "fail", '<failure message=""/>'),
                                      case("d", "notrun", '<skipped message="SKIP_RETURN_CODE=77"/>'), case("e", "disabled")),
                         (1, "2 passed, 1 failed, 2 skipped"))

    def test_is_good_when_nothing_failed(self):
        self.assertEqual(closing_line(case("a", "run")), (0, "1 passed, 0 failed, 0 skipped"))

    def test_takes_a_test_that_could_not_be_started_for_failed(self):
        for why in ("Unable to find executable", "Fixture dependency failed"):
            self.assertEqual(closing_line(case("a", "notrun", f'<skipped message="{why}"/>'))[1], "0 passed, 1 failed, 0 skipped")

    def test_counts_the_cases_of_a_unittest_program(self):
        self.assertEqual(closing_line(case("a", "run", "", "Ran 8 tests in 0.1s\n\nOK (skipped=3)\n"))[1], "5 passed, 0 failed, 3 skipped")
        self.assertEqual(closing_line(case("a", "fail", "", "Ran 8 tests in 0.1s\n\nFAILED (failures=1, errors=2, skipped=3)\n"))[1],
                         "2 passed, 3 failed, 3 skipped")
        self.assertEqual(closing_line(case("a", "run", "", "Ran 1 test in 0.1s\n\nOK\n"))[1], "1 passed, 0 failed, 0 skipped")

    def test_counts_a_unittest_program_that_died_after_its_summary_as_failed(self):
        self.assertEqual(closing_line(case("a", "fail", "", "Ran 8 tests in 0.1s\n\nOK\nSegmentation fault\n")),
                         (1, "0 passed, 1 failed, 0 skipped"))

    def test_no_test_at_all_is_a_failure(self):
        self.assertEqual(closing_line()[0], 1)

    def test_a_missing_file_is_a_failure(self):
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            self.assertEqual(count.main(["/nowhere/junit.xml"]), 1)
        self.assertEqual(printed.getvalue().splitlines()[-1], "0 passed, 1 failed, 0 skipped")


if __name__ == "__main__":
    unittest.main()
