# How targets of the suite are made.

set(micro_warnings -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion)

add_library(micro_options INTERFACE)
target_include_directories(micro_options INTERFACE ${CMAKE_SOURCE_DIR}/micro/lib)
# Golden files are compared byte for byte: no fused multiply-add that the source does not ask for.
target_compile_options(micro_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:${micro_warnings} -ffp-contract=off>)
if(MICRO_SANITIZE)
  target_compile_options(micro_options INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -g>)
  target_link_options(micro_options INTERFACE -fsanitize=address,undefined)
endif()

# micro_library(core SOURCES a.cpp DEPENDS fmt::fmt) -> static library micro_core; its headers are under micro/lib.
function(micro_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;DEPENDS" ${ARGN})
  add_library(micro_${name} STATIC ${arg_SOURCES})
  target_link_libraries(micro_${name} PUBLIC micro_options ${arg_DEPENDS})
endfunction()

# Probes register themselves, and a linker drops registrations from a static library: object libraries. The probe's name is its
# path below micro/ without suffix, a definition made here, so that a file cannot call itself something else.
function(micro_probe_library target)
  cmake_parse_arguments(arg "" "SUFFIX" "DEPENDS" ${ARGN})
  set(sources "")
  foreach(kind latency bandwidth pattern reuse hiding overhead)
    file(GLOB found CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/micro/${kind}/*${arg_SUFFIX})
    list(APPEND sources ${found})
  endforeach()
  if(NOT sources)
    return()
  endif()
  add_library(${target} OBJECT ${sources})
  target_link_libraries(${target} PUBLIC micro_options ${arg_DEPENDS})
  foreach(source ${sources})
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${CMAKE_SOURCE_DIR}/micro OUTPUT_VARIABLE name)
    string(REGEX REPLACE "\\.[a-z0-9.]*$" "" name ${name})
    set_property(SOURCE ${source} TARGET_DIRECTORY ${target} APPEND PROPERTY COMPILE_DEFINITIONS "MICRO_PROBE_NAME=\"${name}\"")
  endforeach()
endfunction()
