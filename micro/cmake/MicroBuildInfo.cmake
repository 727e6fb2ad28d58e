# app/build_info.hpp: which sources and compilers this program comes from. Asked again at every build and rewritten only when it
# changed, so that a commit recompiles the one file that includes it.

set(cuda_compiler "")
set(cuda_architectures "")
if(MICRO_WITH_CUDA)
  set(cuda_compiler "nvcc ${CMAKE_CUDA_COMPILER_VERSION}")
  list(JOIN CMAKE_CUDA_ARCHITECTURES " " cuda_architectures)
endif()
add_custom_target(micro_build_info
  COMMAND ${CMAKE_COMMAND}
    -D "source=${CMAKE_SOURCE_DIR}" -D "out=${CMAKE_BINARY_DIR}/generated/app/build_info.hpp"
    -D "version=${PROJECT_VERSION}" -D "build_type=${CMAKE_BUILD_TYPE}"
    -D "compiler=${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}"
    -D "cuda_compiler=${cuda_compiler}" -D "cuda_architectures=${cuda_architectures}"
    -P ${CMAKE_SOURCE_DIR}/micro/cmake/write_build_info.cmake
  BYPRODUCTS ${CMAKE_BINARY_DIR}/generated/app/build_info.hpp
  COMMENT "Reading the git revision" VERBATIM)
