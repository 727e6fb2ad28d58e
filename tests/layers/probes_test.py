"""Every probe file is a registered probe and every registered probe is a file: linkers drop registrations silently."""

import os
import pathlib
import re
import subprocess
import unittest

import layers

ROOT = pathlib.Path(os.environ.get("MICRO_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
SUITE = os.environ.get("MICRO_SUITE", str(ROOT / "build" / "bin" / "suite"))


def listed_probes(text):
    """{backend: [probe, ...]} of what `suite --list` printed."""
    probes = {}
    for line in text.splitlines():
        if line.startswith("backend "):
            backend = line.split()[1]
            probes[backend] = []
        elif re.fullmatch(rf"({'|'.join(layers.KINDS)})/\w+", line.strip()) and line == line.strip():
            probes[backend].append(line)
    return probes


def probe_files(suffix):
    found = [file for kind in layers.KINDS for file in (ROOT / "micro" / kind).glob("*" + suffix)]
    return sorted(f"{file.parent.name}/{file.name.split('.')[0]}" for file in found)


class Probes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        run = subprocess.run([SUITE, "--list"], capture_output=True, text=True, timeout=60)
        assert run.returncode == 0, run.stderr
        cls.listed = listed_probes(run.stdout)

    def test_every_host_probe_file_is_registered(self):
        self.assertGreater(len(probe_files(".host.cpp")), 0)
        self.assertEqual(sorted(self.listed["host"]), probe_files(".host.cpp"))

    def test_every_cuda_probe_file_is_registered(self):
        if "cuda" not in self.listed:
            self.skipTest("built without the CUDA backend")
        self.assertGreater(len(probe_files(".cu")), 0)
        self.assertEqual(sorted(self.listed["cuda"]), probe_files(".cu"))


if __name__ == "__main__":
    unittest.main()
