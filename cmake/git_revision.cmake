# cmake -DSOURCE=... -DOUT=... [-DREVISION=...] -P git_revision.cmake: writes the header only where the revision is another
# one, so that nothing is compiled again for nothing. "" where there is no repository.
set(revision "${REVISION}")
if(revision STREQUAL "")
  set(ENV{GIT_OPTIONAL_LOCKS} 0)
  execute_process(COMMAND git -C ${SOURCE} describe --always --dirty --abbrev=12 --exclude=*
                  OUTPUT_VARIABLE revision OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE fault)
  execute_process(COMMAND git -C ${SOURCE} rev-parse --show-prefix
                  OUTPUT_VARIABLE prefix OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(fault OR NOT prefix STREQUAL "")  # no repository, or a larger one around this folder
    set(revision "")
  endif()
endif()
file(CONFIGURE OUTPUT ${OUT} CONTENT "#define GPUMODEL_REVISION \"${revision}\"\n" NEWLINE_STYLE UNIX)
