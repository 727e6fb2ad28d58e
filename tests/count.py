"""Counts the tests of ctest's JUnit files and prints the closing line: N passed, N failed, N skipped.

A ctest entry is one test, except where it ran a Python unittest program: then each of its cases is one.
"""

import re
import sys
import xml.etree.ElementTree as ElementTree

UNITTEST_RAN = re.compile(r"^Ran (\d+) tests? in ", re.MULTILINE)
UNITTEST_END = re.compile(r"^(OK|FAILED)(?: \((.*)\))?\s*$", re.MULTILINE)


def of_unittest(output):
    """(passed, failed, skipped) of the unittest program that printed this, or None."""
    ran = UNITTEST_RAN.findall(output)
    ends = UNITTEST_END.findall(output)
    if not ran or not ends:
        return None
    details = {name: int(count) for name, count in re.findall(r"([a-z][a-z ]*)=(\d+)", ends[-1][1])}
    failed = sum(details.get(name, 0) for name in ("failures", "errors", "unexpected successes"))
    skipped = details.get("skipped", 0)
    return max(0, int(ran[-1]) - failed - skipped), failed, skipped


def count(file):
    """(passed, failed, skipped, names of the failed) of one JUnit file."""
    passed = failed = skipped = 0
    names = []
    for case in ElementTree.parse(file).getroot().iter("testcase"):
        status, skip = case.get("status"), case.find("skipped")
        # A test whose program or fixture is missing was not run either, and is no skip.
        could_not_run = status == "notrun" and not (skip is not None and skip.get("message", "").startswith("SKIP_"))
        bad = status not in ("run", "notrun", "disabled") or could_not_run
        cases = of_unittest(case.findtext("system-out") or "")
        if cases and bad == (cases[1] > 0):
            passed, failed, skipped = (sum(pair) for pair in zip((passed, failed, skipped), cases))
        elif bad:
            failed += 1
        elif status != "run":
            skipped += 1
        else:
            passed += 1
        if bad:
            names.append(case.get("name"))
    return passed, failed, skipped, names


def main(files):
    totals = [0, 0, 0]
    for file in files:
        try:
            *counts, names = count(file)
        except (OSError, ElementTree.ParseError) as error:
            print(f"no count of {file}: {error}")
            counts, names = (0, 1, 0), []
        totals = [total + one for total, one in zip(totals, counts)]
        for name in names:
            print(f"failed: {name}")
    print("{} passed, {} failed, {} skipped".format(*totals))
    return 1 if totals[1] or not totals[0] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
