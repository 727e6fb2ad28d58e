"""The compile check with CUDA 12: what is fetched is what was meant, and a probe that does not compile is found."""

import contextlib
import hashlib
import io
import os
import pathlib
import tempfile
import unittest
from unittest import mock

import cuda12

FOLDER = os.environ.get("MICRO_CUDA12", "/nowhere")


class Fetched(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.right, self.wrong = self.folder / "right", self.folder / "wrong"
        self.right.write_bytes(b"what was meant")
        self.wrong.write_bytes(b"something else")
        self.sha256 = hashlib.sha256(b"what was meant").hexdigest()

    def test_the_first_right_file_is_taken(self):
        out = self.folder / "out"
        cuda12.download([(self.folder / "gone").as_uri(), self.wrong.as_uri(), self.right.as_uri()], self.sha256, out)
        self.assertEqual(out.read_bytes(), b"what was meant")

    def test_a_wrong_file_is_refused_and_does_not_stay(self):
        with self.assertRaisesRegex(cuda12.CannotFetch, "gone.*wrong: sha256 [0-9a-f]{64}, expected"):
            cuda12.download([(self.folder / "gone").as_uri(), self.wrong.as_uri()], self.sha256, self.folder / "out")
        self.assertFalse((self.folder / "out").exists())

    def test_what_cannot_be_fetched_leaves_no_folder(self):
        printed = io.StringIO()
        with mock.patch.object(cuda12, "MIRRORS", ((self.folder / "nothing").as_uri(),)), contextlib.redirect_stdout(printed):
            self.assertEqual(cuda12.main(["fetch", str(self.folder / "build/cuda12")]), 1)
        self.assertIn("no CUDA 12 for the compile check: ", printed.getvalue())
        self.assertEqual(list((self.folder / "build").iterdir()) if (self.folder / "build").exists() else [], [])


class Compiled(unittest.TestCase):
    def compile(self, text, folder=FOLDER):
        """(exit code, what was printed) of the check of that source for sm_70."""
        printed = io.StringIO()
        with tempfile.TemporaryDirectory() as scratch, contextlib.redirect_stdout(printed):
            (pathlib.Path(scratch) / "x.cu").write_text(text)
            code = cuda12.main(["compile", str(folder), "sm_70", f"{scratch}/x.cu", f"{scratch}/x.cubin"])
            made = pathlib.Path(scratch, "x.cubin").exists()
        self.assertEqual(made, code == 0, printed.getvalue())
        return code, printed.getvalue()

    def test_an_instruction_that_sm_70_lacks_is_found(self):
        if not pathlib.Path(FOLDER, "bin/nvcc").exists():
            required = os.environ.get("REQUIRE_TOOLS") == "1"
            (self.fail if required else self.skipTest)(f"no CUDA 12 in {FOLDER}")
        kernel = '__global__ void kernel(int* out) {{ unsigned s = 1; asm volatile("{}" :: "r"(s)); *out = 1; }}'
        self.assertEqual(self.compile(kernel.format("nanosleep.u32 %0;")), (0, ""))
        code, printed = self.compile(kernel.format("redux.sync.add.s32 %0, %0, -1;"))
        self.assertEqual(code, 1)
        self.assertIn("sm_80", printed)

    def test_without_a_folder_it_is_a_skip_and_a_failure_where_tools_are_required(self):
        for required, code in (("0", cuda12.SKIPPED), ("1", 1)):
            with self.subTest(required), mock.patch.dict(os.environ, REQUIRE_TOOLS=required):
                found, printed = self.compile("", "/nowhere")
                self.assertEqual(found, code)
                self.assertIn("skipped: no CUDA 12 in /nowhere", printed)


if __name__ == "__main__":
    unittest.main()
