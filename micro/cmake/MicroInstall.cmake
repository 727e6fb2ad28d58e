# The program, the shared libraries that a machine may lack, and the files that it reads: a folder that can be moved and that nobody
# needs to write to.

set(carried ${CMAKE_BINARY_DIR}/lib)
add_custom_command(TARGET suite POST_BUILD COMMAND ${CMAKE_COMMAND} -E make_directory ${carried} VERBATIM)
foreach(library fmt::fmt benchmark::benchmark yaml-cpp::yaml-cpp)
  get_target_property(type ${library} TYPE)
  if(type STREQUAL "SHARED_LIBRARY")
    add_custom_command(TARGET suite POST_BUILD VERBATIM COMMAND ${CMAKE_COMMAND} -E copy_if_different
      $<TARGET_FILE:${library}> ${carried}/$<TARGET_SONAME_FILE_NAME:${library}>)
  endif()
endforeach()

install(TARGETS suite RUNTIME DESTINATION bin)
install(DIRECTORY ${carried}/ DESTINATION lib)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/configs ${CMAKE_SOURCE_DIR}/plot DESTINATION share/gpu_memory_map PATTERN __pycache__ EXCLUDE)
install(FILES ${CMAKE_SOURCE_DIR}/results/result.schema.json DESTINATION share/gpu_memory_map/results)
