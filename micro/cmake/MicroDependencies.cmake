# Every library is found on the system; nothing is downloaded at configure time. What is missing is collected and named by package,
# all at once, and left in a file for the launcher to install.

set(missing_packages "")
macro(micro_find package debian_package)
  find_package(${package} QUIET ${ARGN})
  if(NOT ${package}_FOUND)
    list(APPEND missing_packages ${debian_package})
  endif()
endmacro()

micro_find(yaml-cpp libyaml-cpp-dev)
micro_find(fmt libfmt-dev)
micro_find(nlohmann_json nlohmann-json3-dev)
micro_find(CLI11 libcli11-dev)
micro_find(benchmark libbenchmark-dev)
set(ZLIB_USE_STATIC_LIBS ON)
find_package(ZLIB QUIET)
if(NOT ZLIB_FOUND)
  unset(ZLIB_USE_STATIC_LIBS)
  micro_find(ZLIB zlib1g-dev)
endif()
micro_find(Threads libc6-dev)
if(MICRO_TESTS)
  micro_find(GTest libgtest-dev)
endif()

set(missing_packages_file ${CMAKE_BINARY_DIR}/missing_packages)
if(missing_packages)
  list(JOIN missing_packages " " missing_packages)
  file(WRITE ${missing_packages_file} "${missing_packages}\n")
  message(FATAL_ERROR "Missing libraries. On Debian or Ubuntu: apt-get install ${missing_packages}")
endif()
file(REMOVE ${missing_packages_file})

if(TARGET yaml-cpp AND NOT TARGET yaml-cpp::yaml-cpp)  # 0.7 names it so, 0.8 the other way
  # Debian describes only the shared library, and ships the archive beside it: one file less to carry.
  get_target_property(yaml_library yaml-cpp LOCATION)
  cmake_path(GET yaml_library PARENT_PATH yaml_folder)
  if(EXISTS ${yaml_folder}/libyaml-cpp.a)
    add_library(yaml-cpp::yaml-cpp STATIC IMPORTED)
    get_target_property(yaml_headers yaml-cpp INTERFACE_INCLUDE_DIRECTORIES)
    set_target_properties(yaml-cpp::yaml-cpp PROPERTIES
      IMPORTED_LOCATION ${yaml_folder}/libyaml-cpp.a INTERFACE_INCLUDE_DIRECTORIES "${yaml_headers}")
  else()
    add_library(yaml-cpp::yaml-cpp ALIAS yaml-cpp)
  endif()
endif()
