# shellcheck shell=bash
# shellcheck disable=SC2154  # root, main_build and venv are the launcher's
# `./run_suite test`: sourced by the launcher, whose functions it uses. Sets up what the tests need, builds and runs them, then the
# unit tests once more under AddressSanitizer and UndefinedBehaviorSanitizer. What needs a tool that is not here skips visibly;
# REQUIRE_TOOLS=1 turns that into a failure. The last line counts: N passed, N failed, N skipped; also where the tests could not
# be built or set up, which is one failure that it names (exit code 3).

test_build=$main_build/test
sanitize_build=$main_build/sanitize
test_tools=(llvm-14-tools clang-format-14 clang-16 libclang-rt-16-dev shellcheck git python3 python3-venv python3-yaml
  python3-jsonschema python3-matplotlib python3-numpy python3-scipy libbenchmark-tools)

stage='the setup'
# shellcheck disable=SC2317  # the trap calls it
close_early() {
  case $stage in
    'counted') ;;
    "the sanitizers' build") /usr/bin/python3 "$root/tests/count.py" "$test_build/junit.xml" "$sanitize_build/junit.xml" || true ;;
    *) printf '0 passed, 1 failed (%s), 0 skipped\n' "$stage" ;;
  esac
}
trap close_early EXIT

log=$main_build/test_setup.log
if ! { mkdir -p "$main_build" && : >"$log"; } 2>/dev/null; then stop "cannot write $log"; fi
# shellcheck disable=SC2046
set -- $(debian_missing "${test_tools[@]}")
if (($#)); then
  (install_packages "$@") || { [[ ${REQUIRE_TOOLS:-} != 1 ]] && say "going on: the tests that need them are skipped"; } || exit 3
fi

# The toolkit's disassemblers are not in every installation of nvcc; beside it, on PATH and in build/venv is where the tests look.
# shellcheck disable=SC2012
nvcc=$(type -P nvcc || ls /usr/local/cuda*/bin/nvcc 2>/dev/null | head -n 1 || true)
if [[ -n $nvcc ]] && ! { type -P nvdisasm cuobjdump || ls "${nvcc%/*}/nvdisasm" "${nvcc%/*}/cuobjdump" ||
  ls "$venv"/lib/python3*/site-packages/nvidia/*/bin/{nvdisasm,cuobjdump}; } >/dev/null 2>&1; then
  (install_python nvidia-cuda-nvdisasm nvidia-cuda-cuobjdump) || { [[ ${REQUIRE_TOOLS:-} != 1 ]] || exit 3; }
fi

run_tests() {  # FOLDER CTEST_OPTION...
  local folder=$1
  shift
  rm -f "$folder/junit.xml"
  # 9 is the build's lock: tests that call the launcher wait for another one, but what they leave running must not keep this one.
  ctest --test-dir "$folder" -j 2 --output-on-failure --no-tests=error --output-junit junit.xml \
    --test-output-size-passed 1000000 --test-output-size-failed 1000000 "$@" </dev/null 9>&- || failed=yes
}

failed=
stage='the build'
build "$test_build" all -DMICRO_TESTS=ON
ctest() { command "$(find_cmake | sed 's/cmake$/ctest/')" "$@"; }
run_tests "$test_build"
stage="the sanitizers' build"
rm -f "$sanitize_build/junit.xml"  # what is not there counts as failed
build "$sanitize_build" unit_tests -DMICRO_TESTS=ON -DMICRO_SANITIZE=ON -DMICRO_CUDA=OFF -DCMAKE_CXX_FLAGS_RELEASE=-O1
ASAN_OPTIONS=detect_stack_use_after_return=1 UBSAN_OPTIONS=print_stacktrace=1 run_tests "$sanitize_build" -L '^unit$'
stage='counted'
/usr/bin/python3 "$root/tests/count.py" "$test_build/junit.xml" "$sanitize_build/junit.xml" || failed=yes
[[ -z $failed ]] || exit 1
exit 0
