# How targets of the suite are made.

set(micro_warnings -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # g++ 12 sees overlaps and uninitialised parts in std::string and std::variant that are not there (its bugs 105651, 105562).
  list(APPEND micro_warnings -Wno-restrict -Wno-maybe-uninitialized)
endif()

add_library(micro_options INTERFACE)
target_include_directories(micro_options INTERFACE ${CMAKE_SOURCE_DIR}/micro/lib ${CMAKE_BINARY_DIR}/generated)
# Golden files are compared byte for byte: no fused multiply-add that the source does not ask for.
target_compile_options(micro_options INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:${micro_warnings} -ffp-contract=off>
  $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra>)
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

# Every probe file of one suffix, found by folder: adding one is adding a file.
function(micro_find_probes out suffix)
  set(found "")
  foreach(kind latency bandwidth pattern reuse hiding overhead)
    file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/micro/${kind}/*${suffix})
    list(APPEND found ${sources})
  endforeach()
  set(${out} ${found} PARENT_SCOPE)
endfunction()

# latency/global.cu, latency/global.host.cpp, latency/global.sm90a.cu -> latency/global
function(micro_probe_name out source)
  cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${CMAKE_SOURCE_DIR}/micro OUTPUT_VARIABLE name)
  string(REGEX REPLACE "\\.[a-z0-9.]*$" "" name ${name})
  set(${out} ${name} PARENT_SCOPE)
endfunction()

# What ptxas must refuse in a probe. One that is *about* local memory says so where its machine code is described, and that is read
# again when the file changes.
function(micro_ptxas_checks out source)
  set_property(DIRECTORY ${CMAKE_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
  file(STRINGS ${source} allows_local REGEX "// *SASS-ALLOWS-LOCAL")
  if(allows_local)
    set(${out} "" PARENT_SCOPE)
  else()
    set(${out} -Xptxas=--warn-on-local-memory-usage,--warn-on-spills,--warning-as-error PARENT_SCOPE)
  endif()
endfunction()

# Probes register themselves, and a linker drops registrations from a static library: object libraries. The probe's name is its
# path below micro/ without suffix, a definition made here, so that a file cannot call itself something else.
function(micro_probe_library target)
  cmake_parse_arguments(arg "" "SUFFIX" "DEPENDS" ${ARGN})
  micro_find_probes(sources ${arg_SUFFIX})
  set(sm90a_sources ${sources})
  list(FILTER sm90a_sources INCLUDE REGEX "\\.sm90a\\.cu$")
  list(FILTER sources EXCLUDE REGEX "\\.sm90a\\.cu$")
  add_library(${target} INTERFACE)
  foreach(part general sm90a)
    if(part STREQUAL "sm90a")
      set(sources ${sm90a_sources})
    endif()
    if(NOT sources)
      continue()
    endif()
    set(objects ${target}_${part})
    add_library(${objects} OBJECT ${sources})
    target_link_libraries(${objects} PUBLIC micro_options ${arg_DEPENDS})
    target_link_libraries(${target} INTERFACE ${objects} $<TARGET_OBJECTS:${objects}>)
    if(part STREQUAL "sm90a")  # instructions that only this one architecture has
      set_target_properties(${objects} PROPERTIES CUDA_ARCHITECTURES 90a-real)
    endif()
    foreach(source ${sources})
      micro_probe_name(name ${source})
      set_property(SOURCE ${source} TARGET_DIRECTORY ${objects} APPEND PROPERTY COMPILE_DEFINITIONS "MICRO_PROBE_NAME=\"${name}\"")
      if(source MATCHES "\\.cu$")
        micro_ptxas_checks(checks ${source})
        set_property(SOURCE ${source} TARGET_DIRECTORY ${objects} APPEND PROPERTY COMPILE_OPTIONS ${checks})
      endif()
    endforeach()
  endforeach()
endfunction()
