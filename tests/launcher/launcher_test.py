"""run_suite, tried on a tree with a program of a few lines: what it builds, when, what it says, what it installs."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import textwrap
import unittest

SOURCE = pathlib.Path(os.environ.get("MICRO_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
LAUNCHER = SOURCE / "run_suite"
CMAKE_LISTS = """
    cmake_minimum_required(VERSION 3.18)
    project(tried CXX)
    if(EXISTS ${CMAKE_SOURCE_DIR}/wanted AND NOT EXISTS ${CMAKE_SOURCE_DIR}/installed)
      file(WRITE ${CMAKE_BINARY_DIR}/missing_packages "libwanted-dev libother-dev")
      message(FATAL_ERROR "Missing libraries")
    endif()
    set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
    message(STATUS "CUDA backend: off (a test)")
    add_executable(suite main.cpp)
"""
PROGRAM = """
    #include <cstdio>
    #include <cstring>
    #include <unistd.h>
    int main(int count, char** arguments) {
      char folder[4096];
      std::printf("in %s", getcwd(folder, sizeof folder));
      for (int i = 1; i < count; ++i) std::printf("|%s", arguments[i]);
      std::puts("");
      std::fflush(stdout);
      if (count > 1 && !std::strcmp(arguments[1], "wait")) sleep(20);
      return count > 1 && !std::strcmp(arguments[1], "seven") ? 7 : 0;
    }
"""


class Tree(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name).resolve()
        self.tree = self.folder / "a tree"
        self.tree.mkdir()
        shutil.copy(LAUNCHER, self.tree)
        self.write("CMakeLists.txt", CMAKE_LISTS)
        self.write("main.cpp", PROGRAM)
        self.environment = {key: value for key, value in os.environ.items() if key not in ("CXX", "CUDACXX", "MAKEFLAGS")}

    def write(self, name, text):
        (self.tree / name).write_text(textwrap.dedent(text), encoding="utf-8")

    def run_suite(self, *arguments, program=None, cwd=None):
        return subprocess.run([program or self.tree / "run_suite", *arguments], cwd=cwd or self.folder, env=self.environment,
                              capture_output=True, text=True, timeout=300)

    def built(self):
        ran = self.run_suite()
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return ran


class Building(Tree):
    def test_the_program_gets_the_arguments_the_folder_and_the_last_word(self):
        ran = self.run_suite("a b", "*", "--no-install", "")
        self.assertEqual((ran.returncode, ran.stdout), (0, f"in {self.folder}|a b|*|\n"), ran.stderr)
        self.assertEqual(self.run_suite("seven").returncode, 7)

    def test_works_through_a_symbolic_link_from_elsewhere(self):
        elsewhere = self.folder / "elsewhere"
        elsewhere.mkdir()
        (elsewhere / "link").symlink_to(self.tree / "run_suite")
        ran = self.run_suite("x", program="./link", cwd=elsewhere)
        self.assertEqual(ran.stdout, f"in {elsewhere}|x\n", ran.stderr)

    def test_says_in_one_line_each_what_it_configures_and_builds_and_nothing_when_nothing_changed(self):
        first = self.built()
        self.assertEqual([line.split(" (")[0] for line in first.stderr.splitlines()],
                         ["run_suite: configuring build", "run_suite: CUDA backend: off", "run_suite: building"])
        program = self.tree / "build/bin/suite"
        before = program.stat().st_mtime_ns
        self.assertEqual(self.built().stderr, "")
        self.assertEqual(program.stat().st_mtime_ns, before)

    def test_builds_what_changed(self):
        self.built()
        self.write("main.cpp", '#include <cstdio>\nint main() { std::puts("new"); }\n')
        ran = self.built()
        self.assertEqual(ran.stdout, "new\n")
        self.assertNotIn("configuring", ran.stderr)

    def test_configures_again_in_another_place(self):
        self.built()
        self.tree = self.tree.rename(self.folder / "moved")
        ran = self.built()
        self.assertIn("configuring", ran.stderr)

    def test_a_failed_build_shows_the_end_of_the_log_and_exits_with_3(self):
        self.write("main.cpp", "int main() { return wrong_name; }\n")
        ran = self.run_suite()
        self.assertEqual((ran.returncode, ran.stdout), (3, ""))
        self.assertIn("wrong_name", ran.stderr)
        self.assertIn(str(self.tree / "build/build.log"), ran.stderr.splitlines()[-1])
        self.assertIn("wrong_name", (self.tree / "build/build.log").read_text())

    def test_a_failed_configuration_shows_the_end_of_the_log_and_is_tried_again(self):
        self.write("CMakeLists.txt", 'cmake_minimum_required(VERSION 3.18)\nmessage(FATAL_ERROR "no good")\n')
        ran = self.run_suite()
        self.assertEqual(ran.returncode, 3)
        self.assertIn("no good", ran.stderr)
        self.write("CMakeLists.txt", CMAKE_LISTS)
        self.built()

    def test_two_started_at_once_both_run(self):
        command = [str(self.tree / "run_suite")]
        both = [subprocess.Popen(command, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(2)]
        said = [process.communicate(timeout=300) for process in both]
        self.assertEqual([process.returncode for process in both], [0, 0], said)
        self.assertEqual(sum("building" in errors for _, errors in said), 1, said)

    def test_the_lock_is_free_while_the_program_runs(self):
        self.built()
        waiting = subprocess.Popen([str(self.tree / "run_suite"), "wait"], env=self.environment, stdout=subprocess.PIPE, text=True)
        self.addCleanup(waiting.wait)
        self.addCleanup(waiting.kill)
        self.addCleanup(waiting.stdout.close)
        waiting.stdout.readline()
        self.assertEqual(self.built().stderr, "")

    def test_a_folder_that_cannot_be_written_is_named(self):
        (self.tree / "build").write_text("")
        ran = self.run_suite()
        self.assertEqual((ran.returncode, ran.stderr), (3, f"run_suite: cannot write in {self.tree / 'build'}\n"))


class Testing(Tree):
    """`run_suite test`: whatever happens, the last line counts."""

    def setUp(self):
        super().setUp()
        (self.tree / "tests").mkdir()
        for name in ("run.sh", "count.py"):
            shutil.copy(SOURCE / "tests" / name, self.tree / "tests")
        self.environment.pop("REQUIRE_TOOLS", None)

    def closing_line(self):
        ran = self.run_suite("test", "--no-install")
        return ran.returncode, (ran.stdout.splitlines() or [ran.stderr])[-1]

    def test_a_build_that_fails_is_one_failure_in_the_closing_line(self):
        self.write("main.cpp", "int main( { }")
        self.assertEqual(self.closing_line(), (3, "0 passed, 1 failed (the build), 0 skipped"))

    def test_what_ran_before_the_sanitizers_failed_to_build_is_counted_too(self):
        self.write("CMakeLists.txt", textwrap.dedent(CMAKE_LISTS) + "enable_testing()\nadd_test(NAME works COMMAND suite)\n")
        self.assertEqual(self.closing_line(), (3, "1 passed, 1 failed, 0 skipped"))

    def test_a_setup_that_fails_is_one_failure_in_the_closing_line(self):
        (self.tree / "build").mkdir()
        (self.tree / "build/test_setup.log").mkdir()
        self.assertEqual(self.closing_line(), (3, "0 passed, 1 failed (the setup), 0 skipped"))


class Installing(Tree):
    """PATH is a folder of links to every program of the system but those that a test takes away or replaces."""

    def setUp(self):
        super().setUp()
        self.bin = self.folder / "bin"
        self.bin.mkdir()
        for program in pathlib.Path("/usr/bin").iterdir():
            (self.bin / program.name).symlink_to(program)
        for program in ("nvcc", "pip", "pip3"):
            (self.bin / program).unlink(missing_ok=True)
        self.calls = self.folder / "calls"
        self.replace("apt-get", f'echo "$@" >>"{self.calls}"')
        self.replace("dpkg-query", "echo 'install ok installed'")
        self.replace("sudo", '[ "$1" = -n ] && shift; exec "$@"')
        self.environment["PATH"] = str(self.bin)

    def replace(self, name, script):
        (self.bin / name).unlink(missing_ok=True)
        (self.bin / name).write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        (self.bin / name).chmod(0o755)

    def take_ninja_away(self):
        (self.bin / "ninja").rename(self.bin / "taken_away")
        self.replace("apt-get", f'echo "$@" >>"{self.calls}"; case "$*" in *ninja-build*) cp -P "{self.bin}/taken_away" "{self.bin}/ninja";; esac')

    def test_a_missing_tool_is_installed_by_package_name(self):
        self.take_ninja_away()
        ran = self.built()
        self.assertIn("run_suite: installing with apt-get: ninja-build\n", ran.stderr)
        self.assertIn("install -y --no-install-recommends ninja-build\n", self.calls.read_text())

    def test_missing_libraries_are_those_that_cmake_names(self):
        (self.tree / "wanted").touch()
        self.replace("apt-get", f'echo "$@" >>"{self.calls}"; touch "{self.tree}/installed"')
        ran = self.built()
        self.assertIn("installing with apt-get: libwanted-dev libother-dev\n", ran.stderr)

    def test_package_lists_are_fetched_when_a_package_is_unknown(self):
        self.take_ninja_away()
        lists = self.folder / "lists"
        self.replace("apt-get", f'echo "$@" >>"{self.calls}"; case "$*" in *update) touch "{lists}";; '
                                f'*) [ -e "{lists}" ] && cp -P "{self.bin}/taken_away" "{self.bin}/ninja";; esac')
        self.built()
        self.assertEqual(len(self.calls.read_text().splitlines()), 3)

    def test_nothing_is_installed_with_no_install(self):
        self.take_ninja_away()
        ran = self.run_suite("--no-install")
        self.assertEqual((ran.returncode, ran.stdout), (3, ""))
        self.assertRegex(ran.stderr.splitlines()[-1], r"^run_suite: run: (sudo )?apt-get install -y ninja-build$")
        self.assertFalse(self.calls.exists())

    def test_one_command_names_tools_and_libraries_together(self):
        self.take_ninja_away()
        self.replace("dpkg-query", "exit 1")
        ran = self.run_suite("--no-install")
        self.assertRegex(ran.stderr.splitlines()[-1], r"apt-get install -y ninja-build libyaml-cpp-dev .*zlib1g-dev$")

    def test_a_system_without_apt_is_told_the_names(self):
        self.take_ninja_away()
        (self.bin / "apt-get").unlink()
        ran = self.run_suite()
        self.assertEqual(ran.returncode, 3)
        self.assertIn("ninja-build", ran.stderr)

    def test_a_failed_installation_stops_with_the_log(self):
        self.take_ninja_away()
        self.replace("apt-get", "echo no such package; exit 100")
        ran = self.run_suite()
        self.assertEqual(ran.returncode, 3)
        self.assertIn("no such package", ran.stderr)

    def test_an_old_cmake_is_not_used(self):
        self.replace("cmake", 'echo "cmake version 3.22.1"')
        ran = self.run_suite("--no-install")
        self.assertEqual(ran.returncode, 3)
        self.assertIn("pip install cmake>=3.25", ran.stderr)
        venv = self.tree / "build/venv/bin"
        venv.mkdir(parents=True)
        (venv / "cmake").symlink_to(shutil.which("cmake", path=os.environ["PATH"]))
        self.built()

    def test_an_old_compiler_is_passed_over(self):
        self.replace("c++", "exit 1")
        self.replace("g++", "exit 1")
        self.environment["CXX"] = str(self.bin / "other")
        self.replace("other", "exit 1")
        compiler = next(name for name in ("g++-14", "g++-13", "g++-12", "g++-11", "clang++") if (self.bin / name).exists())
        self.built()
        used = [line for line in (self.tree / "build/CMakeCache.txt").read_text().splitlines() if line.startswith("CMAKE_CXX_COMPILER:")]
        self.assertEqual(used, [f"CMAKE_CXX_COMPILER:STRING={self.bin / compiler}"])


if __name__ == "__main__":
    unittest.main()
