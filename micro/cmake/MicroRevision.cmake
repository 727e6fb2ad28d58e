# cmake -D SOURCE=... -D HEADER=... -P MicroRevision.cmake: writes the git revision into HEADER, and only when it changed, so that an
# unchanged tree compiles nothing. A tree without .git, or without git, says "unknown".

set(revision "")
if(EXISTS ${SOURCE}/.git)
  # No optional locks: a build must not disturb a git command that runs beside it.
  execute_process(COMMAND git --no-optional-locks -C ${SOURCE} describe --always --dirty --abbrev=12 --match=v[0-9]*
    OUTPUT_VARIABLE revision OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(NOT revision MATCHES "^[A-Za-z0-9._-]+$")
  set(revision unknown)
endif()
file(CONFIGURE OUTPUT ${HEADER} CONTENT "#pragma once
namespace app {
inline constexpr const char* kGitRevision = \"${revision}\";
}
")
