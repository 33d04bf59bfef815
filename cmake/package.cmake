# `cmake --build BUILD --target package`: gpumodel (the command) and gpumodel-dev (library and headers) as
# Debian packages, and both in one archive.
set(CPACK_GENERATOR "DEB;TGZ")
set(CPACK_PACKAGE_VENDOR "gpumodel")
set(CPACK_PACKAGE_CONTACT "gpumodel maintainers <gpumodel@localhost>")
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL runtime development)
set(CPACK_ARCHIVE_COMPONENT_INSTALL OFF)

set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME gpumodel)
set(CPACK_GPUMODEL_BUILD ${CMAKE_BINARY_DIR})
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_SOURCE_DIR}/cmake/debian_depends.cmake)
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION
    "how long a GPU kernel takes, what limits it, and what would help\n The command, its GPU specs, manual page and shell completions.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME gpumodel-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "gpumodel (= ${PROJECT_VERSION}), libyaml-cpp-dev, libfmt-dev, nlohmann-json3-dev, libtbb-dev, libarchive-dev")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION
    "GPU kernel cost models, library\n Static libraries, headers and a CMake package.")
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/debian_layout.cmake)
include(CPack)
