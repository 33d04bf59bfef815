# One static library per floor or sub-floor; a floor links only to floors below it.
add_library(gpumodel_options INTERFACE)
target_include_directories(gpumodel_options INTERFACE
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/gpumodel>)
target_compile_features(gpumodel_options INTERFACE cxx_std_20)

function(gpumodel_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
                         -Wsign-conversion -Wnon-virtual-dtor -Wold-style-cast -Werror
                         # false alarms of g++ 12 on std::string (GCC bug 105651); a precompiled header no longer
                         # counts as a system header, where they would not be shown
                         $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict;-Wno-array-bounds;-Wno-stringop-overflow;-Wno-stringop-overread>)
endfunction()

# Less time in the compiler's garbage collector, of the memory that it takes anyway.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:--param=ggc-min-heapsize=1048576>)
endif()

# What nearly every file includes, parsed once; tests add Catch2 to it.
set(gpumodel_common_headers <algorithm> <array> <cmath> <cstdint> <functional> <map> <memory> <numeric> <optional>
    <set> <span> <string> <string_view> <unordered_map> <utility> <variant> <vector> <fmt/format.h>)

# gpumodel_quick_build(<target>): where little run time is spent, the compiler's is saved. A precompiled header is
# made and used at one level, so this goes before target_precompile_headers.
function(gpumodel_quick_build target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

# gpumodel_precompiled(<target> [QUICK]): the headers above, built once for all libraries of a level.
function(gpumodel_precompiled target)
  cmake_parse_arguments(ARG "QUICK" "" "" ${ARGN})
  set(headers gpumodel_pch)
  if(ARG_QUICK)
    set(headers gpumodel_quick_pch)
    gpumodel_quick_build(${target})
  endif()
  if(NOT TARGET ${headers})
    file(WRITE ${PROJECT_BINARY_DIR}/pch.cpp "")
    add_library(${headers} OBJECT ${PROJECT_BINARY_DIR}/pch.cpp)
    gpumodel_warnings(${headers})
    if(ARG_QUICK)
      gpumodel_quick_build(${headers})
    endif()
    target_link_libraries(${headers} PRIVATE fmt::fmt)
    target_compile_features(${headers} PRIVATE cxx_std_20)
    target_precompile_headers(${headers} PRIVATE ${gpumodel_common_headers})
  endif()
  target_precompile_headers(${target} REUSE_FROM ${headers})
endfunction()

# Files are compiled several at a time: a third of the compiler's time goes into headers and templates that they share,
# half where CLI11 or json is among them. OFF for work on one file, and to see that each file includes what it needs.
option(GPUMODEL_UNITY "compile several files of a library at a time" ON)

# gpumodel_unity(<target> [files])
function(gpumodel_unity target)
  set(batch 8)
  if(ARGC GREATER 1)
    set(batch ${ARGV1})
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${GPUMODEL_UNITY} UNITY_BUILD_BATCH_SIZE ${batch})
endfunction()

# gpumodel_library(<name> QUICK ONE_BY_ONE ROOMS folder... DEPENDS lib...): all .cpp files of the current folder and of
# the rooms in it. QUICK: see gpumodel_quick_build. ONE_BY_ONE: not several files at a time.
function(gpumodel_library name)
  cmake_parse_arguments(ARG "QUICK;ONE_BY_ONE" "" "ROOMS;DEPENDS;PRIVATE_DEPENDS" ${ARGN})
  set(quick)
  if(ARG_QUICK)
    set(quick QUICK)
  endif()
  set(folders ${CMAKE_CURRENT_SOURCE_DIR})
  foreach(room ${ARG_ROOMS})
    list(APPEND folders ${CMAKE_CURRENT_SOURCE_DIR}/${room})
  endforeach()
  list(TRANSFORM folders APPEND "/*.cpp")
  file(GLOB sources CONFIGURE_DEPENDS ${folders})
  add_library(${name} STATIC ${sources})
  target_link_libraries(${name} PUBLIC gpumodel_options ${ARG_DEPENDS} PRIVATE fmt::fmt ${ARG_PRIVATE_DEPENDS})
  gpumodel_warnings(${name})
  gpumodel_precompiled(${name} ${quick})
  if(NOT ARG_ONE_BY_ONE)
    gpumodel_unity(${name})
  endif()
  set_property(GLOBAL APPEND PROPERTY gpumodel_libraries ${name})
endfunction()

# gpumodel_test(<name> FOLDER <dir> ROOMS folder... LABEL <layer> SLOW DEPENDS lib...): Catch2 binary from all .cpp
# files of a folder and of the rooms in it. SLOW: its cases tagged [slow] are a test of their own, labelled slow.
function(gpumodel_test name)
  cmake_parse_arguments(ARG "SLOW" "FOLDER;LABEL" "ROOMS;DEPENDS" ${ARGN})
  set(folders ${CMAKE_CURRENT_SOURCE_DIR}/${ARG_FOLDER})
  foreach(room ${ARG_ROOMS})
    list(APPEND folders ${CMAKE_CURRENT_SOURCE_DIR}/${ARG_FOLDER}/${room})
  endforeach()
  list(TRANSFORM folders APPEND "/*.cpp")
  file(GLOB sources CONFIGURE_DEPENDS ${folders})
  add_executable(${name} ${sources})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE ${ARG_DEPENDS} gpumodel_catch_main fmt::fmt)
  target_compile_definitions(${name} PRIVATE
      GPUMODEL_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
      GPUMODEL_TEST_DATA="${CMAKE_CURRENT_SOURCE_DIR}/${ARG_FOLDER}")
  gpumodel_warnings(${name})
  gpumodel_quick_build(${name})
  target_precompile_headers(${name} REUSE_FROM gpumodel_test_pch)
  gpumodel_unity(${name})
  if(ARG_SLOW)
    add_test(NAME ${name} COMMAND ${name} "~[slow]")
    add_test(NAME ${name}_slow COMMAND ${name} "[slow]")
    set_tests_properties(${name}_slow PROPERTIES LABELS "${ARG_LABEL};slow")
  else()
    add_test(NAME ${name} COMMAND ${name})
  endif()
  set_tests_properties(${name} PROPERTIES LABELS ${ARG_LABEL})
endfunction()

# gpumodel_test_support(<name> SOURCES file... DEPENDS lib...): what several test programs share (tests/support).
function(gpumodel_test_support name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS" ${ARGN})
  list(TRANSFORM ARG_SOURCES PREPEND "support/")
  add_library(${name} STATIC ${ARG_SOURCES})
  target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name} PUBLIC ${ARG_DEPENDS} Catch2::Catch2 fmt::fmt)
  target_compile_definitions(${name} PRIVATE GPUMODEL_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  gpumodel_warnings(${name})
  gpumodel_quick_build(${name})
  target_precompile_headers(${name} REUSE_FROM gpumodel_test_pch)
endfunction()
