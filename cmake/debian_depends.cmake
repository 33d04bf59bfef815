# Read by CPack before it packs: what the command is linked against, as Debian packages. CPack's own way
# (CPACK_DEBIAN_PACKAGE_SHLIBDEPS) asks file(1) about each of the several hundred files, which takes 20 seconds.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()
set(work ${CPACK_GPUMODEL_BUILD}/debian_depends)
file(MAKE_DIRECTORY ${work}/debian)
file(TOUCH ${work}/debian/control)
execute_process(COMMAND dpkg-shlibdeps --ignore-missing-info -O -e${CPACK_GPUMODEL_BUILD}/tools/gpumodel
                WORKING_DIRECTORY ${work} OUTPUT_VARIABLE depends OUTPUT_STRIP_TRAILING_WHITESPACE
                ERROR_QUIET COMMAND_ERROR_IS_FATAL ANY)
string(REGEX REPLACE "^shlibs:Depends=" "" CPACK_DEBIAN_RUNTIME_PACKAGE_DEPENDS "${depends}")
