# Embeds files as bytes. embed_files(TARGET f...) makes a C++ source with a table of (path under src/, or from tuning/ on, and text) that the
# runtime looks kernels up in, and checks that kernel names are unique in the project.
function(embed_files target)
  set(output "${CMAKE_CURRENT_BINARY_DIR}/embedded.cpp")
  add_custom_command(
    OUTPUT "${output}"
    COMMAND "${CMAKE_COMMAND}" "-DROOT=${CMAKE_SOURCE_DIR}/src" "-DOUTPUT=${output}" "-DFILES=${ARGN}"
            -P "${CMAKE_SOURCE_DIR}/cmake/embed_script.cmake"
    DEPENDS ${ARGN} "${CMAKE_SOURCE_DIR}/cmake/embed_script.cmake"
    COMMENT "Embedding kernels" VERBATIM)
  target_sources(${target} PRIVATE "${output}")
endfunction()
