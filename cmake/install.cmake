# `cmake --install`: the command, its specs, headers, libraries and a CMake package.
get_property(libraries GLOBAL PROPERTY gpumodel_libraries)
install(TARGETS gpumodel RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
add_library(gpumodel_all INTERFACE)
target_link_libraries(gpumodel_all INTERFACE ${libraries})
set_target_properties(gpumodel_all PROPERTIES EXPORT_NAME gpumodel) # gpumodel::gpumodel, all floors
install(TARGETS gpumodel_options gpumodel_all ${libraries} EXPORT gpumodel-targets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT gpumodel-targets NAMESPACE gpumodel:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/gpumodel)
foreach(floor arch_specs traces model validate)
  install(DIRECTORY ${floor} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/gpumodel FILES_MATCHING PATTERN "*.h")
endforeach()
install(DIRECTORY arch_specs/generations arch_specs/products
        DESTINATION ${CMAKE_INSTALL_DATADIR}/gpumodel/arch_specs FILES_MATCHING PATTERN "*.yaml")
install(FILES arch_specs/error_bands.csv DESTINATION ${CMAKE_INSTALL_DATADIR}/gpumodel/arch_specs)

include(CMakePackageConfigHelpers)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/gpumodel-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
configure_package_config_file(cmake/gpumodel-config.cmake.in ${PROJECT_BINARY_DIR}/gpumodel-config.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/gpumodel
                              PATH_VARS CMAKE_INSTALL_DATADIR)
install(FILES ${PROJECT_BINARY_DIR}/gpumodel-config.cmake ${PROJECT_BINARY_DIR}/gpumodel-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/gpumodel)
