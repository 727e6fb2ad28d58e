"""A driver that is there and of no use is named in one line with its remedy, by a driver's library that stands in for it."""

import os
import pathlib
import unittest

from suite_program import SOURCE, SuiteTest

STAND_IN = pathlib.Path(os.environ.get("MICRO_BINARY_DIR", SOURCE / "build/test")) / "stand_in"


class Test(SuiteTest):
    def setUp(self):
        super().setUp()
        if not (STAND_IN / "libcuda.so.1").exists():
            self.skipTest("this build has no CUDA backend")

    def refused(self, *parts, **wishes):
        process = self.suite(SOURCE / "configs/h200.yaml", "--json", "a.json", env={"LD_LIBRARY_PATH": str(STAND_IN), **wishes})
        self.assert_exit(process, 3)
        self.assert_one_line(process, "h200.yaml cannot be measured here: ", "configs/host.yaml", *parts)
        self.assertEqual(process.stdout, "")
        self.assertEqual([path.name for path in self.folder.iterdir()], ["model.yaml"])

    def test_a_driver_that_is_too_old_is_told_the_version_that_is_needed(self):
        self.refused("the NVIDIA driver is too old: it supports CUDA 11.4", "install driver r", " or newer", "or build with CUDA 11.x",
                     STAND_IN_CUDA_VERSION="11040")

    def test_a_driver_without_a_version_is_none(self):
        self.refused("no NVIDIA driver here (libcuda.so.1 does not say its version)", "install driver r", STAND_IN_CUDA_VERSION="0")

    def test_a_driver_that_sees_no_device_is_no_old_one(self):
        self.refused("sees no GPU", "nvidia-smi -L", STAND_IN_INIT="100")

    def test_a_driver_that_waits_for_the_fabric_manager_says_so(self):
        self.refused("cudaErrorSystemNotReady (802", "fabric manager", STAND_IN_INIT="802")

    def test_a_driver_whose_two_halves_differ_says_so(self):
        self.refused("cudaErrorSystemDriverMismatch (803", "reboot", STAND_IN_INIT="803")

    def test_a_device_that_is_busy_when_the_driver_starts_is_named_so(self):
        self.refused("every GPU is busy", "cudaErrorDevicesUnavailable (46", "wait for or end", "nvidia-smi", STAND_IN_INIT="46")

    def test_without_a_configuration_the_cpu_is_measured_and_the_driver_blamed(self):
        process = self.suite("--dry-run", env={"LD_LIBRARY_PATH": str(STAND_IN), "STAND_IN_CUDA_VERSION": "11040"})
        self.assert_exit(process, 0)
        self.assertIn("because the NVIDIA driver is too old", process.stderr)


if __name__ == "__main__":
    unittest.main()
