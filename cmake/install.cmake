# `cmake --install`: the command with its specs, manual page and completions (component runtime); headers,
# libraries and a CMake package (component development).
get_property(libraries GLOBAL PROPERTY gpumodel_libraries)
install(TARGETS gpumodel RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT runtime)
add_library(gpumodel_all INTERFACE)
target_link_libraries(gpumodel_all INTERFACE ${libraries})
set_target_properties(gpumodel_all PROPERTIES EXPORT_NAME gpumodel) # gpumodel::gpumodel, all floors
install(TARGETS gpumodel_options gpumodel_all ${libraries} EXPORT gpumodel-targets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
install(EXPORT gpumodel-targets NAMESPACE gpumodel:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/gpumodel
        COMPONENT development)
foreach(floor base arch_specs traces model validate)
  install(DIRECTORY ${floor} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/gpumodel COMPONENT development
          FILES_MATCHING PATTERN "*.h")
endforeach()
install(DIRECTORY arch_specs/generations arch_specs/products
        DESTINATION ${CMAKE_INSTALL_DATADIR}/gpumodel/arch_specs COMPONENT runtime FILES_MATCHING PATTERN "*.yaml")
install(FILES arch_specs/error_bands.csv arch_specs/rank_spread.csv arch_specs/choice_regret.csv
        DESTINATION ${CMAKE_INSTALL_DATADIR}/gpumodel/arch_specs COMPONENT runtime)

# the families' kernels: compiled code, and their sources for --compile
install(DIRECTORY traces/provide/programs DESTINATION ${CMAKE_INSTALL_DATADIR}/gpumodel COMPONENT runtime
        FILES_MATCHING PATTERN "*.programs")
install(DIRECTORY validate/kernels DESTINATION ${CMAKE_INSTALL_DATADIR}/gpumodel COMPONENT runtime
        FILES_MATCHING PATTERN "*.cuh")

get_property(help_files GLOBAL PROPERTY gpumodel_help_files)
if(help_files)
  set(help_dir ${PROJECT_BINARY_DIR}/help)
  install(FILES ${help_dir}/gpumodel.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT runtime)
  install(FILES ${help_dir}/gpumodel.bash RENAME gpumodel
          DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT runtime)
  install(FILES ${help_dir}/_gpumodel DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions
          COMPONENT runtime)
  install(FILES ${help_dir}/gpumodel.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d
          COMPONENT runtime)
endif()

include(CMakePackageConfigHelpers)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/gpumodel-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
configure_package_config_file(cmake/gpumodel-config.cmake.in ${PROJECT_BINARY_DIR}/gpumodel-config.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/gpumodel
                              PATH_VARS CMAKE_INSTALL_DATADIR)
install(FILES ${PROJECT_BINARY_DIR}/gpumodel-config.cmake ${PROJECT_BINARY_DIR}/gpumodel-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/gpumodel COMPONENT development)

set(pc_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH pc_to_prefix /${pc_dir} /)
string(REGEX REPLACE "/$" "" pc_to_prefix "${pc_to_prefix}")
list(TRANSFORM libraries PREPEND -l OUTPUT_VARIABLE pc_libraries)
list(JOIN pc_libraries " " pc_libraries)
configure_file(cmake/gpumodel.pc.in ${PROJECT_BINARY_DIR}/gpumodel.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/gpumodel.pc DESTINATION ${pc_dir} COMPONENT development)

include(cmake/package.cmake)
