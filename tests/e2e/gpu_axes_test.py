"""What no GPU could do is refused while planning, with what is allowed; no device is needed to be told so."""

import subprocess
import unittest

from suite_program import PROGRAM, SuiteTest

HEAD = """\
backend: cuda
device: any
stanzas:
  - probe: {probe}
"""


def has_cuda():
    return "latency/register" in subprocess.run([PROGRAM, "--list"], capture_output=True, text=True).stdout


@unittest.skipUnless(has_cuda(), "built without the CUDA backend")
class Test(SuiteTest):
    def plan(self, probe, **axes):
        lines = [f"    {axis}: {value}\n" for axis, value in axes.items()]
        self.write("a.yaml", HEAD.format(probe=probe) + "".join(lines))
        return self.suite("a.yaml", "--dry-run", "--assume", "h200")

    def refused(self, line, allowed, probe, **axes):
        process = self.plan(probe, **axes)
        self.assert_exit(process, 64)
        self.assert_one_line(process, f"a.yaml:{line}:", *allowed)

    def test_33_ways_of_32_banks(self):
        self.refused(4, ["33 ways", "1 to 32"], "pattern/shared_banks", width="4B", pattern="ways", amount=33, method="latency")
        self.refused(4, ["17 ways", "1 to 16"], "pattern/shared_banks", width="8B", pattern="ways", amount=17, method="latency")
        self.refused(4, ["0 ways", "1 to 8"], "pattern/shared_banks", width="16B", pattern="ways", amount=0, method="latency")
        self.assert_exit(self.plan("pattern/shared_banks", width="4B", pattern="ways", amount=32, method="latency"), 0)

    def test_a_width_that_no_load_has(self):
        for probe in "pattern/shared_banks", "bandwidth/shared", "bandwidth/l1":
            self.refused(5, ["12 is not allowed", "4, 8, 16"], probe, width="12B")

    def test_more_shared_memory_than_a_block_may_have(self):
        self.refused(5, ["233472 is not allowed", "232448"], "hiding/residency", shared="228KiB")
        self.assert_exit(self.plan("hiding/residency", shared="227KiB"), 0)

    def test_more_registers_than_a_block_may_have(self):
        self.refused(4, ["1024 threads with 80 live values", "up to 672 threads"], "hiding/residency", threads=1024, live=80)

    def test_a_number_of_values_that_no_kernel_was_made_for(self):
        self.refused(5, ["17 is not allowed", "16, 48, 80"], "hiding/residency", live=17)

    def test_threads_that_are_no_whole_warps(self):
        self.refused(5, ["33", "multiple of 32"], "hiding/residency", threads=33)

    def test_a_footprint_that_no_device_has(self):
        self.refused(4, ["memory"], "latency/global", footprint="200GiB", operator="cg")


if __name__ == "__main__":
    unittest.main()
