"""Each check of the machine code fails when what it checks is broken: planted kernels, one fault each."""

import contextlib
import io
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

import contract

HERE = pathlib.Path(__file__).resolve().parent
FIXTURES = HERE / "fixtures"
NVCC = os.environ.get("CUDACXX", "nvcc")
NO_LOCAL = "-Xptxas=--warn-on-local-memory-usage,--warn-on-spills,--warning-as-error"  # as in micro/cmake/MicroTargets.cmake


def compile_cubin(source, out, *flags):
    command = [NVCC, "-std=c++20", "-cubin", "-arch=sm_90", *flags, "-o", str(out), str(source)]
    return subprocess.run(command, capture_output=True, text=True)


class Planted(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        try:
            contract.find_tool("nvdisasm"), contract.find_filecheck()
        except contract.MissingTool as missing:
            if os.environ.get("REQUIRE_TOOLS") == "1":
                self.fail(str(missing))
            self.skipTest(str(missing))

    def check(self, name, *flags):
        """(exit code, what was printed, disassembly) of the check of that fixture."""
        cubin, listing, printed = self.folder / "x.cubin", self.folder / "x.sass", io.StringIO()
        compiled = compile_cubin(FIXTURES / name, cubin, *flags)
        self.assertEqual(compiled.returncode, 0, compiled.stderr)
        with contextlib.redirect_stdout(printed):
            code = contract.main([str(FIXTURES / name), str(cubin), str(listing)])
        return code, printed.getvalue(), listing.read_text()

    def test_a_kernel_as_its_file_says_passes(self):
        code, printed, listing = self.check("good.cu", "-DLOADS=4", NO_LOCAL)
        self.assertEqual(code, 0, printed)
        self.assertEqual(re.findall(r"^Function .*::(\w+)\(", listing, re.MULTILINE), ["chase", "fill"])

    def test_a_missing_load_is_found(self):
        code, printed, _ = self.check("good.cu", "-DLOADS=3")
        self.assertEqual(code, 1)
        self.assertIn("expected string not found", printed)

    def test_a_load_too_many_is_found(self):
        code, printed, _ = self.check("good.cu", "-DLOADS=5")
        self.assertEqual(code, 1)
        self.assertIn("excluded string found", printed)

    def test_local_memory_is_found(self):
        code, printed, _ = self.check("local.cu")
        self.assertEqual(code, 1)
        self.assertIn("local memory in indexed", printed)

    def test_spills_are_found(self):
        code, printed, _ = self.check("spill.cu")
        self.assertEqual(code, 1)
        self.assertIn("local memory in crowded", printed)

    def test_local_memory_and_spills_do_not_compile_in_a_probe(self):
        for name, words in (("local.cu", "ocal memory"), ("spill.cu", "spill")):
            with self.subTest(name):
                compiled = compile_cubin(FIXTURES / name, self.folder / "x.cubin", NO_LOCAL)
                self.assertNotEqual(compiled.returncode, 0)
                self.assertIn(words, compiled.stderr)

    def test_a_kernel_that_no_line_names_is_found(self):
        code, printed, _ = self.check("unnamed.cu")
        self.assertEqual(code, 1)
        self.assertRegex(printed, r"no SASS-LABEL matches the kernel overlooked\(")
        self.assertRegex(printed, r"no SASS-LABEL matches the kernel void shaped<2>\(")
        self.assertRegex(printed, r"nothing is expected of the kernel glanced_at\(")
        self.assertNotRegex(printed, r"the kernel (seen|excused|void shaped<1>)")

    def test_an_excuse_without_a_reason_or_for_no_kernel_is_found(self):
        code, printed, _ = self.check("excuses.cu")
        self.assertEqual(code, 1)
        self.assertIn("SASS-UNCHECKED of silent gives no reason", printed)
        self.assertIn("SASS-UNCHECKED names gone, which is no kernel", printed)
        self.assertNotIn("SASS-UNCHECKED of gone", printed)

    def test_a_file_that_expects_nothing_is_found(self):
        code, printed, _ = self.check("silent.cu")
        self.assertEqual(code, 1)
        self.assertIn("expects nothing", printed)

    def test_a_file_about_local_memory_that_uses_none_is_found(self):
        code, printed, _ = self.check("no_local.cu")
        self.assertEqual(code, 1)
        self.assertIn("no kernel uses local memory", printed)


class Patterns(unittest.TestCase):
    def test_a_pattern_of_filecheck_becomes_an_expression(self):
        line = "Function : _Z5chaseILi1EEv  void chase<1>()"
        for pattern in ("Function : {{.*}}chaseILi1E", "Function  : [[NAME:_Z[0-9]+]]chase", "void chase<1>()"):
            self.assertTrue(contract.pattern_of(pattern).search(line), pattern)
        for pattern in ("Function : chase", "{{.*}}chaseILi2E", "chase.1", "[[NAME:[A-Y]+]]5chase"):
            self.assertFalse(contract.pattern_of(pattern).search(line), pattern)


class MissingTools(unittest.TestCase):
    def test_are_a_skip_and_a_failure_where_tools_are_required(self):
        command = ["/usr/bin/env", "-i", "PATH=/nowhere"]
        for required, code in (("0", contract.SKIPPED), ("1", 1)):
            run = subprocess.run([*command, f"REQUIRE_TOOLS={required}", "/usr/bin/python3", "-B", "-c",
                                  f"import sys; sys.path.insert(0, {str(HERE)!r}); import contract\n"
                                  "def nothing(*names): raise contract.MissingTool(names[0] + ' is missing')\n"
                                  "contract.find_tool = nothing\n"
                                  "sys.exit(contract.main(['a', 'b', 'c']))"], capture_output=True, text=True)
            self.assertEqual(run.returncode, code, run.stderr)
            self.assertIn("skipped: nvdisasm is missing", run.stdout)


def without_file_names(text):
    """Names of unnamed namespaces carry a hash of the file's path and the compiler's process number: `46_GLOBAL__N__...` is 46 characters."""
    out, at = [], 0
    for found in re.finditer(r"(\d+)(?=_(?:GLOBAL__N__|INTERNAL_))", text):
        if found.start() >= at:
            out.append(text[at:found.start()])
            at = found.end() + int(found[1])
    return "".join(out) + text[at:]


def code_of(cubin):
    """The instructions of all kernels of a cubin, as one text that depends on neither paths nor processes."""
    run = subprocess.run([contract.find_tool("nvdisasm"), "-c", str(cubin)], capture_output=True, text=True, check=True)
    kernels = contract.parse(run.stdout)
    return "\n".join(sorted(without_file_names("\n".join([name, *lines])) for name, lines in kernels.items()))


class WhatRuns(unittest.TestCase):
    """The machine code that is checked is the machine code inside the program."""

    def test_is_what_was_checked(self):
        suite = os.environ.get("MICRO_SUITE")
        cubins = sorted((pathlib.Path(os.environ.get("MICRO_BINARY_DIR", "/nowhere")) / "tests/contract").glob("*.sm_90.cubin"))
        if not suite or not cubins:
            self.skipTest("no program and cubins of this build")
        try:
            cuobjdump = contract.find_tool("cuobjdump")
            contract.find_tool("nvdisasm")
        except contract.MissingTool as missing:
            if os.environ.get("REQUIRE_TOOLS") == "1":
                self.fail(str(missing))
            self.skipTest(str(missing))
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([cuobjdump, "-xelf", "all", os.path.abspath(suite)], cwd=folder, check=True, capture_output=True)
            inside = {code_of(file) for file in pathlib.Path(folder).glob("*sm_90.cubin")}
        if not inside:
            self.skipTest("the program has no machine code for sm_90")
        self.assertEqual([cubin.name for cubin in cubins if code_of(cubin) not in inside], [])

    def test_another_instruction_is_another_code(self):
        name = "_ZN46_GLOBAL__N__b497f81a_9_global_cu_2e436be8_47874ringE"
        self.assertEqual(without_file_names(name), "_ZN4ringE")
        self.assertNotEqual(without_file_names(name + "\nLDG.E.64"), without_file_names(name + "\nLDG.E.128"))


if __name__ == "__main__":
    unittest.main()
