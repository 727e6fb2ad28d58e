# Run by the target micro_build_info.

set(revision unknown)
if(EXISTS ${source}/.git)
  # A tree that another user owns (root builds, in a container) is read all the same; a git command beside the build is not disturbed.
  execute_process(COMMAND git --no-optional-locks -c safe.directory=${source} -C ${source} describe --always --abbrev=12 --dirty --exclude=*
    OUTPUT_VARIABLE described ERROR_QUIET RESULT_VARIABLE failed OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT failed)
    set(revision ${described})
  endif()
endif()
file(CONFIGURE OUTPUT ${out} @ONLY CONTENT [[#pragma once
// Written by the build: which sources and compilers this program comes from.

#include <string_view>

namespace app::build_info {
inline constexpr std::string_view kVersion = "@version@";
/// Commit, with "-dirty" where the tree differs from it; "unknown" without git.
inline constexpr std::string_view kGitRevision = "@revision@";
inline constexpr std::string_view kBuildType = "@build_type@";
inline constexpr std::string_view kCompiler = "@compiler@";
/// Both empty without the CUDA backend.
inline constexpr std::string_view kCudaCompiler = "@cuda_compiler@";
inline constexpr std::string_view kCudaArchitectures = "@cuda_architectures@";
}  // namespace app::build_info
]])
