# One static library per floor or sub-floor; a floor links only to floors below it.
add_library(gpumodel_options INTERFACE)
target_include_directories(gpumodel_options INTERFACE
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/gpumodel>)
target_compile_features(gpumodel_options INTERFACE cxx_std_20)

function(gpumodel_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
                         -Wsign-conversion -Wnon-virtual-dtor -Wold-style-cast -Werror
                         # false alarms of g++ 12 on std::string concatenation (GCC bug 105651)
                         $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
endfunction()

# gpumodel_library(<name> DEPENDS lib...): all .cpp files of the current folder.
function(gpumodel_library name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;PRIVATE_DEPENDS;EXTRA" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  add_library(${name} STATIC ${sources} ${ARG_EXTRA})
  target_link_libraries(${name} PUBLIC gpumodel_options ${ARG_DEPENDS} PRIVATE ${ARG_PRIVATE_DEPENDS})
  gpumodel_warnings(${name})
  set_property(GLOBAL APPEND PROPERTY gpumodel_libraries ${name})
endfunction()

# gpumodel_test(<name> FOLDER <dir> DEPENDS lib...): Catch2 binary from all .cpp files of a folder.
function(gpumodel_test name)
  cmake_parse_arguments(ARG "" "FOLDER" "DEPENDS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${ARG_FOLDER}/*.cpp)
  add_executable(${name} ${sources})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE ${ARG_DEPENDS} gpumodel_catch_main fmt::fmt)
  target_compile_definitions(${name} PRIVATE
      GPUMODEL_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
      GPUMODEL_TEST_DATA="${CMAKE_CURRENT_SOURCE_DIR}/${ARG_FOLDER}")
  gpumodel_warnings(${name})
  add_test(NAME ${name} COMMAND ${name})
endfunction()
